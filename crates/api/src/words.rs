//! Conversion of requests to command lines.

use serde_json::Value as Json;

use super::read::{HeadTable, ImpactTable, SampledTable, TraceTable};
use play::{Registry, RunTable};
use schema::common_fields::{GIVEN, POLICY};
use schema::{Field, Fields as _, Kind};

/// Returns the command line of a canonical request; `None` if a subject is missing, or if
/// there is none.
///
/// # Examples
///
/// ```
/// let request = serde_json::json!({ "kind": "check", "stack": "german:4-6-7", "mc": 1 });
/// let command = lowcrawl_api::words::command(&lowcrawl_api::games(), &request);
/// assert_eq!(command.unwrap(), "lowcrawl check german:4-6-7 --mc 1");
/// ```
pub fn command(registry: &Registry, request: &Json) -> Option<String> {
    let all = request.as_object()?;
    let text = |field: Field| all.get(field.name).and_then(Json::as_str);
    let game =
        text(HeadTable::system).map_or(Some(registry.first()), |name| registry.game(name).ok())?;
    let kind = game.kinds().iter().find(|kind| Some(kind.name) == text(HeadTable::kind))?;
    let subject = kind.subject?;
    let mut command = "lowcrawl".to_string();
    let mut after = String::new();
    match text(HeadTable::request) {
        None | Some("question") => {}
        Some("trace") => command += " trace",
        Some("impact") => {
            after = text(ImpactTable::of).map_or(" --impact".into(), |of| typed("impact", of));
        }
        _ => return None,
    }
    if game.name() != registry.first().name() {
        command += &format!(" {}", game.name());
    }
    command += &format!(" {}", kind.name);
    match all.get(subject.name) {
        Some(subject) => command += &format!(" {}", quoted(subject.as_str()?)),
        None if kind.omits_subject => {}
        None => return None,
    }
    let omitted = [subject.name, ImpactTable::of.name];
    let is_head = |key: &str| HeadTable::ALL.iter().any(|field| field.name == key);
    let is_option = |key: &str| !is_head(key) && !omitted.contains(&key);
    let fields = all.iter().filter(|(key, _)| is_option(key));
    let options = all.get(HeadTable::options.name).and_then(Json::as_object);
    for (key, value) in fields.chain(options.into_iter().flatten()) {
        command += &option(kind, key, value)?;
    }
    Some(command + &after)
}

/// Returns a field as a command-line option. `None` if the value cannot be written as one.
fn option(kind: &Kind, key: &str, value: &Json) -> Option<String> {
    let field = kind.fields().find(|field| field.name == key);
    // Any name but these and the question's own fields is a rule setting.
    let tables = [TraceTable::ALL, RunTable::ALL, SampledTable::ALL];
    let is_other = || tables.into_iter().flatten().any(|field| field.name == key);
    if field.is_none() && ![POLICY, GIVEN].contains(&key) && !is_other() {
        return value.as_str().map(|value| format!(" --set {key}={}", quoted(value)));
    }
    Some(match value {
        Json::Bool(is_so) => match (field.and_then(|field| field.negation), is_so) {
            (Some(negation), false) => format!(" --{negation}"),
            (Some(_), true) | (None, false) => String::new(),
            (None, true) => format!(" --{key}"),
        },
        Json::Number(number) => typed(key, &number.to_string()),
        Json::String(text) => typed(key, text),
        _ => return None,
    })
}

fn typed(option: &str, text: &str) -> String {
    format!(" --{option} {}", quoted(text))
}

fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ":,._+/=-".contains(letter);
    let is_special = |letter: char| "\"$`!\\".contains(letter);
    match text {
        _ if !text.is_empty() && text.chars().all(is_plain) => text.to_string(),
        _ if !text.contains(is_special) => format!("\"{text}\""),
        _ => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
