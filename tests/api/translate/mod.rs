//! Translates command lines to JSON requests. It uses only the text of the command line, never the
//! declarations of the crate.

mod file;
mod situation;
mod words;

use serde_json::{Map, Value, json};

use super::store;
#[cfg(feature = "cli")]
pub use file::shared_by_cells;
use words::{Words, of_flag, of_number, setting, subject};

pub type Object = Map<String, Value>;

/// Translates a command line. Fails with the reason why it has no request.
pub fn request(request: &store::Request) -> Result<Object, &'static str> {
    let words: Vec<&str> = request.arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["trace", "rout", rest @ ..] => situation::routed(request, rest, true),
        ["trace", rest @ ..] => question(request, rest, true),
        ["solve", rest @ ..] => file::solved(request, rest),
        ["compare", rest @ ..] => file::compared(request, rest),
        ["rout", rest @ ..] => situation::routed(request, rest, false),
        ["study", ..] => Err("a study is many requests"),
        ["board" | "units" | "rules" | "completions", ..] | [] => Err("no question"),
        rest => question(request, rest, false),
    }
}

/// Translates the arguments of a question.
fn question(
    request: &store::Request,
    words: &[&str],
    is_trace: bool,
) -> Result<Object, &'static str> {
    let (system, words) = match words {
        [system @ ("fortitude" | "reaction"), rest @ ..] => (*system, rest),
        _ => ("asl", words),
    };
    let [kind, rest @ ..] = words else { return Err("no question") };
    match *kind {
        "parameters" | "units" => return Err("no question"),
        "turn" | "cross" | "firefight" => return Err("tables"),
        "--help" | "-h" => return Err("help"),
        _ => {}
    }
    let mut object = Object::new();
    if is_trace {
        object.insert("request".into(), json!("trace"));
    }
    if system != "asl" {
        object.insert("system".into(), json!(system));
    }
    object.insert("kind".into(), json!(kind));
    let words = Words::of(rest, false)?;
    let argument = match *kind {
        "sniper" => words.subject().unwrap_or_default(),
        _ => words.subject()?,
    };
    match *kind {
        "sniper" if argument.is_empty() => {}
        "sequence" => object.extend(file::sequence(
            request.files.get(argument).ok_or("a file that is not there")?,
        )?),
        _ => drop(
            object
                .insert(subject(system, kind)?.into(), of_number(argument, subject(system, kind)?)),
        ),
    }
    fill(&mut object, &words)?;
    run(&mut object, &words, is_trace)?;
    if let Some(which) = words.option("impact") {
        object.insert("request".into(), json!("impact"));
        if which != "all" {
            object.insert("of".into(), json!(which));
        }
    }
    Ok(object)
}

/// Sets the fields among the arguments; they override those in the object.
fn fill(object: &mut Object, words: &Words) -> Result<(), &'static str> {
    for (name, text) in words.fields() {
        put(object, name, of_flag(name, text).unwrap_or_else(|| of_number(text, name)))?;
    }
    let mut set = Vec::new();
    for text in words.sets() {
        let (name, value) = text.split_once('=').ok_or("a setting without a value")?;
        if set.contains(&canonical(name)) {
            return Err("a key that is there twice");
        }
        set.push(canonical(name));
        put(object, name, setting(value))?;
    }
    Ok(())
}

/// Sets one field; it overrides the same field or its opposite in the object.
fn put(object: &mut Object, name: &str, value: Value) -> Result<(), &'static str> {
    let stem = |name: &str| canonical(name).trim_start_matches("no-").to_string();
    let is_same = |known: &str| match canonical(name).as_str() {
        "no-hob" | "no-keu" | "no-cowering" => stem(known) == stem(name),
        name => canonical(known) == name,
    };
    let known: Vec<String> = object.keys().filter(|known| is_same(known)).cloned().collect();
    for known in known {
        object.shift_remove(&known);
    }
    object.insert(name.to_string(), value);
    Ok(())
}

pub fn canonical(word: &str) -> String {
    word.trim().to_lowercase().replace('_', "-")
}

/// Sets the engine options, and for a trace its dice.
fn run(object: &mut Object, words: &Words, is_trace: bool) -> Result<(), &'static str> {
    let mut options = match object.shift_remove("options") {
        Some(Value::Object(options)) => options,
        Some(_) => return Err("a run that is no table"),
        None => Object::new(),
    };
    for (name, text) in words.run() {
        let value = match name {
            "threads" => continue,
            "engine" if text == "auto" => continue,
            "engine" => json!(text),
            "precision" => text.parse::<f64>().map_or(json!(text), |precision| json!(precision)),
            "script" => {
                object.insert("script".into(), json!(text));
                continue;
            }
            _ => of_number(&text.replace('_', ""), "trials"),
        };
        match name {
            "sequence" if is_trace => drop(object.insert("sequence".into(), value)),
            _ => {
                // An option replaces that of a file which it excludes, not another option.
                let excluded = match name {
                    "trials" => "precision",
                    "precision" => "trials",
                    _ => "",
                };
                if words.option(excluded).is_none() {
                    options.shift_remove(excluded);
                }
                options.insert(name.into(), value);
            }
        }
    }
    if !options.is_empty() {
        object.insert("options".into(), Value::Object(options));
    }
    Ok(())
}
