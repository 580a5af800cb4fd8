//! A request as a command line.

use serde_json::Value as Json;

use super::read::{HeadTable, ImpactTable, SampledTable, TraceTable};
use files::tables::RunTable;
use system::draft::{GIVEN, POLICY};
use system::field::{Field, Fields as _};
use system::{House, Kind};

/// The command line that asks a request in its canonical form, of one that can be typed: a
/// question with a subject, told or read otherwise.
pub fn command(house: &House, request: &Json) -> Option<String> {
    let all = request.as_object()?;
    let text = |field: Field| all.get(field.name).and_then(Json::as_str);
    let game = text(HeadTable::system).map_or(Some(house.first()), |name| house.game(name).ok())?;
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
    if game.name() != house.first().name() {
        command += &format!(" {}", game.name());
    }
    command += &format!(" {} {}", kind.name, quoted(all.get(subject.name)?.as_str()?));
    let told = [subject.name, ImpactTable::of.name];
    let is_head = |key: &str| HeadTable::ALL.iter().any(|field| field.name == key);
    for (key, value) in all.iter().filter(|(key, _)| !is_head(key) && !told.contains(&key.as_str()))
    {
        command += &option(kind, key, value)?;
    }
    let options = all.get(HeadTable::options.name).and_then(Json::as_object);
    for (key, value) in options.into_iter().flatten() {
        command += &option(kind, key, value)?;
    }
    Some(command + &after)
}

/// A field as an option, where one value stands for it.
fn option(kind: &Kind, key: &str, value: &Json) -> Option<String> {
    let field = kind.fields().find(|field| field.name == key);
    // What is not declared is a point of the rules.
    let beside = || {
        TraceTable::ALL
            .iter()
            .chain(RunTable::ALL)
            .chain(SampledTable::ALL)
            .any(|field| field.name == key)
    };
    if field.is_none() && ![POLICY, GIVEN].contains(&key) && !beside() {
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

/// A word for a shell.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ":,._+/=-".contains(letter);
    let is_special = |letter: char| "\"$`!\\".contains(letter);
    match text {
        _ if !text.is_empty() && text.chars().all(is_plain) => text.to_string(),
        _ if !text.contains(is_special) => format!("\"{text}\""),
        _ => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
