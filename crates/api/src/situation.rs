//! Conversion between situation files and requests, as text.

use serde_json::{Map, Value, json};

use super::read::{HeadTable, request_keys};
use asl::tables::SituationTables;
use engine::text::Fault;
use play::files::kinds::ROUT;
use schema::{FieldValue as _, Fields as _, from_toml};

/// Converts a situation file to its request, without checking it or opening its tables.
///
/// # Errors
///
/// Fails if the text is not valid TOML.
///
/// # Examples
///
/// ```
/// let request = lowcrawl_api::situation::request("elr = 4\n").unwrap();
/// assert_eq!(request["kind"], "rout");
/// ```
pub fn request(toml: &str) -> Result<Value, Fault> {
    let mut request = Map::from_iter([(HeadTable::kind.name.to_string(), json!(ROUT))]);
    if let Value::Object(file) = from_toml::node(toml, "a situation")?.to_json() {
        request.extend(file);
    }
    Ok(Value::Object(request))
}

/// Returns the situation file of a request about a map. All other keys of the request are dropped.
///
/// # Errors
///
/// Fails if a value cannot be written as TOML.
pub fn file(request: &Value) -> Result<String, Fault> {
    let own_keys = request_keys();
    let is_of_file = |name: &str| name == SituationTables::about.name || !own_keys.contains(&name);
    let mut file: Vec<_> = request.as_object().into_iter().flatten().collect();
    file.retain(|(name, _)| is_of_file(name));
    // Plain keys must precede the tables in TOML; the tables keep their declared order.
    let table = |name: &str| SituationTables::ALL.iter().position(|field| field.name == name);
    file.sort_by_key(|(name, _)| table(name).filter(|&place| place > 0).unwrap_or(0));
    let file: Map<String, Value> =
        file.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    toml::to_string_pretty(&file).map_err(|error| Fault::new(error.to_string(), 0..0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn situation_file_and_request_convert_into_each_other() {
        let toml = "elr = 4\nabout = \"One.\"\n[map]\narea = \"A1-C3\"\nhexes = { woods = [\"A2\"] }\n[[map.building]]\nhexes = [\"C3\"]\n\
                    [[rout]]\nunit = \"german:4-6-7/dm\"\nat = [\"B2\", \"B1\"]\n[[enemy]]\nat = \"A1\"\nfp = 4\n[enemy.weapon]\nfp = 2\n";
        let parsed = request(toml).unwrap();
        assert_eq!(parsed["enemy"][0]["weapon"]["fp"], 2);
        let mut with_turns = parsed.clone();
        with_turns["turns"] = json!(3);
        let written = file(&with_turns).unwrap();
        assert_eq!(request(&written).unwrap(), parsed);
        let order = ["about", "elr", "[map]", "[[rout]]", "[[enemy]]"].map(|key| written.find(key));
        assert!(order.is_sorted() && order[0].is_some(), "{written}");
        let fault = request("a = \n").unwrap_err();
        assert!(!fault.message.is_empty() && fault.span.start >= 3, "{fault:?}");
    }
}
