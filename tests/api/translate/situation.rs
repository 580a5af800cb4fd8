//! Translates situation files to JSON, with the content of their tables inserted.

use serde_json::{Value, json};

use super::super::store;
use super::words::{Words, setting};
use super::{Object, file, fill, put, run};

/// Translates `rout FILE`, or `trace rout FILE`.
pub fn routed(
    request: &store::Request,
    words: &[&str],
    is_trace: bool,
) -> Result<Object, &'static str> {
    let words = Words::of(words, true)?;
    if words.option("svg").is_some() {
        return Err("a request draws nothing");
    }
    let name = words.subject()?;
    let text = request.files.get(name).ok_or("a file that is not there")?;
    let mut all = with_tables(request, name, file::object(text)?)?;
    fill(&mut all, &words)?;
    run(&mut all, &words, is_trace)?;
    if is_trace {
        all.insert("request".into(), json!("trace"));
    }
    if let Some(which) = words.option("impact") {
        all.insert("request".into(), json!("impact"));
        if which != "all" {
            all.insert("of".into(), json!(which));
        }
    }
    Ok(all)
}

/// Translates `solve FILE` for a situation.
pub fn solved(
    request: &store::Request,
    name: &str,
    situation: Object,
    words: &Words,
) -> Result<Object, &'static str> {
    let mut all = Object::from_iter([("request".to_string(), json!("solve"))]);
    all.extend(with_tables(request, name, situation)?);
    fill(&mut all, words)?;
    if let Some(turns) = words.option("turns") {
        put(&mut all, "turns", setting(turns))?;
    }
    match words.option("tree") {
        None => Ok(all),
        Some(_) => Err("a situation has no tree in a request"),
    }
}

/// Returns a situation as a request; tables of hexes and lines are inserted for the names of their
/// files.
fn with_tables(
    request: &store::Request,
    name: &str,
    situation: Object,
) -> Result<Object, &'static str> {
    let mut all = Object::from_iter([("kind".to_string(), json!("rout"))]);
    let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    for (key, mut value) in situation {
        if ["request", "system", "kind", "options", "unit", "order", "orders", "turns", "objective"]
            .contains(&key.as_str())
        {
            return Err("a key that a request has for itself");
        }
        if key == "board" {
            let boards = match &mut value {
                Value::Array(boards) => boards.as_mut_slice(),
                one => std::slice::from_mut(one),
            };
            for board in boards.iter_mut().filter_map(Value::as_object_mut) {
                for (_, table) in
                    board.iter_mut().filter(|(key, _)| ["hexes", "los"].contains(&key.as_str()))
                {
                    let Some(text) = table
                        .as_str()
                        .and_then(|table| request.files.get(&format!("{folder}{table}")))
                    else {
                        return Err("a file that is not there");
                    };
                    *table = json!(text);
                }
            }
        }
        all.insert(key, value);
    }
    Ok(all)
}
