//! Translates TOML files to JSON: sequences, comparisons, and questions to solve.

use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use super::super::store;
use super::situation;
use super::words::{Words, setting};
use super::{Object, fill, put, run};

/// Parses a file to an object; keys keep their order.
pub fn object(text: &str) -> Result<Object, &'static str> {
    let document = DeTable::parse(text).map_err(|_| "no TOML")?;
    table(document.get_ref())
}

fn table(table: &DeTable) -> Result<Object, &'static str> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
        .into_iter()
        .map(|(key, entry)| Ok((key.get_ref().to_string(), value(entry.get_ref())?)))
        .collect()
}

fn value(of: &DeValue) -> Result<Value, &'static str> {
    Ok(match of {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            json!(
                i64::from_str_radix(&digits, number.radix())
                    .map_err(|_| "a number beyond 64 bits")?
            )
        }
        DeValue::Float(number) => {
            let number: f64 = number
                .as_str()
                .replace('_', "")
                .parse()
                .map_err(|_| "a number that is none in JSON")?;
            if number.is_finite() {
                json!(number)
            } else {
                return Err("a number that is none in JSON");
            }
        }
        DeValue::Boolean(flag) => json!(flag),
        DeValue::Datetime(_) => return Err("a date"),
        DeValue::Array(values) => {
            Value::Array(values.iter().map(|each| value(each.get_ref())).collect::<Result<_, _>>()?)
        }
        DeValue::Table(fields) => Value::Object(table(fields)?),
    })
}

/// Keys of a request that are no fields of its question.
const HEAD: &[&str] = &["request", "system", "kind", "options"];

/// Returns the fields of a sequence file.
pub fn sequence(text: &str) -> Result<Object, &'static str> {
    let file = object(text)?;
    match file.keys().any(|key| HEAD.contains(&key.as_str())) {
        true => Err("a key that a request has for itself"),
        false => Ok(file),
    }
}

fn named<'a>(
    request: &'a store::Request,
    words: &Words,
) -> Result<(&'a str, &'a str), &'static str> {
    let found = request.files.get_key_value(words.subject()?).ok_or("a file that is not there")?;
    Ok((found.0, found.1))
}

/// Parses a comparison file, with its keys renamed to those of a request.
fn renamed(text: &str, wanted: &str) -> Result<Object, &'static str> {
    let mut all = Object::from_iter([("request".to_string(), json!(wanted))]);
    for (key, value) in object(text)? {
        let name = match key.as_str() {
            "question" => "kind",
            "run" => "options",
            "request" | "kind" | "options" => return Err("a key that a request has for itself"),
            key => key,
        };
        all.insert(name.to_string(), value);
    }
    Ok(all)
}

/// Translates `compare FILE`.
pub fn compared(request: &store::Request, words: &[&str]) -> Result<Object, &'static str> {
    let words = Words::of(words, false)?;
    let mut all = renamed(named(request, &words)?.1, "compare")?;
    if all.contains_key("grid") {
        return Err("a study");
    }
    if words.fields().next().is_some() || words.sets().next().is_some() {
        // Options on the command line apply to every course.
        let mut over = Object::new();
        fill(&mut over, &words)?;
        let courses = all.get_mut("course").and_then(Value::as_array_mut).into_iter().flatten();
        for course in courses.filter_map(Value::as_object_mut) {
            without(course, &over)?;
        }
        let base = all
            .entry("base")
            .or_insert_with(|| json!({}))
            .as_object_mut()
            .ok_or("a base that is no table")?;
        for (name, value) in over {
            put(base, &name, value)?;
        }
    }
    run(&mut all, &words, false)?;
    Ok(all)
}

/// Removes fields from an object, also if it names their opposites.
fn without(object: &mut Object, over: &Object) -> Result<(), &'static str> {
    let names = object.len();
    for name in over.keys() {
        put(object, name, Value::Null)?;
        object.shift_remove(name);
    }
    debug_assert!(object.len() <= names);
    Ok(())
}

/// Translates `solve FILE`.
pub fn solved(request: &store::Request, words: &[&str]) -> Result<Object, &'static str> {
    let words = Words::of(words, false)?;
    let (name, text) = named(request, &words)?;
    let file = object(text)?;
    if file.contains_key("rout") {
        return situation::solved(request, name, file, &words);
    }
    let mut all = Object::new();
    for (key, value) in renamed(text, "solve")? {
        match (key.as_str(), value) {
            // Only a comparison uses courses.
            ("course", _) => {}
            ("base", Value::Object(base)) => {
                if base.keys().any(|key| {
                    HEAD.contains(&key.as_str())
                        || ["objective", "about", "tree"].contains(&key.as_str())
                }) {
                    return Err("a key that a request has for itself");
                }
                all.extend(base);
            }
            ("request" | "system" | "kind" | "about" | "objective" | "step" | "options", value) => {
                drop(all.insert(key, value))
            }
            _ => return Err("a key of a file that a request has not"),
        }
    }
    fill(&mut all, &words)?;
    if let Some(turns) = words.option("turns") {
        put(&mut all, "turns", setting(turns))?;
    }
    if let Some(depth) = words.option("tree") {
        all.insert("tree".into(), setting(depth));
    }
    Ok(all)
}

/// Returns the fields that all cells of a study share, its swept fields, and its options.
#[cfg(feature = "cli")]
pub fn shared_by_cells(text: &str) -> Result<(Object, Object, Object), &'static str> {
    let file = object(text)?;
    let mut all = Object::new();
    let (mut grid, mut run) = (Object::new(), Object::new());
    for (key, value) in file {
        match (key.as_str(), value) {
            ("question", Value::String(kind))
                if super::canonical(&kind) != "rout" && super::canonical(&kind) != "campaign" =>
            {
                all.insert("kind".into(), json!(kind));
            }
            ("base", Value::Object(base)) => all.extend(base),
            ("grid", Value::Object(of_file)) => grid = of_file,
            ("run", Value::Object(of_file)) => run = of_file,
            ("about", _) => {}
            ("system" | "step", value) => drop(all.insert(key, value)),
            _ => return Err("another study"),
        }
    }
    Ok((all, grid, run))
}
