//! Values as they are typed, and typed again.

use super::fault::Failure;
use crate::system::form::{Form, Value};
use crate::text::Fault;

/// An option as it would be typed.
pub fn typed(field: &str, value: &Value) -> String {
    match value {
        Value::Boolean(true) => format!(" --{field}"),
        Value::Boolean(false) => String::new(),
        Value::Text(text) if text.contains(' ') => format!(" --{field} \"{text}\""),
        Value::Text(text) => format!(" --{field} {text}"),
        Value::Integer(number) => format!(" --{field} {number}"),
    }
}

/// A word as it would be typed.
pub fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_string() }
}

/// The value of a field that wants a whole number: a text that is none stays one, to be complained of.
pub fn whole(text: &str) -> Value<'_> {
    text.trim().parse().map_or(Value::Text(text), Value::Integer)
}

/// The value of a setting: a number, true or false, or a word.
pub fn setting(text: &str) -> Value<'_> {
    match text.parse() {
        Ok(flag) => Value::Boolean(flag),
        Err(_) => whole(text),
    }
}

/// Sets points of the rules, each once.
pub fn set_all<F: Form>(form: &mut F, sets: &[String]) -> Result<(), Failure> {
    let name = |set: &String| F::setting(set.split('=').next().unwrap_or_default());
    for (place, set) in sets.iter().enumerate() {
        if let Some(id) = name(set).filter(|id| sets[..place].iter().any(|earlier| name(earlier) == Some(id))) {
            let fault = Fault::new(format!("`{id}` is set twice"), 0..set.len());
            return Err(Failure::argument("--set", set, fault.help("leave one of them out")));
        }
        set_switch(form, set)?;
    }
    Ok(())
}

/// Sets one point of the rules: `ID=VALUE`.
fn set_switch<F: Form>(form: &mut F, set: &str) -> Result<(), Failure> {
    let at_fault = |fault| Failure::argument("--set", set, fault);
    let Some((id, value)) = set.split_once('=') else {
        let fault = Fault::new("expected `ID=VALUE`", 0..set.len());
        return Err(at_fault(fault.help(format!("for example {}", F::EXAMPLE))));
    };
    let shift = if F::setting(id).is_some() { id.len() + 1 } else { 0 };
    let shifted = |fault: Fault| at_fault(Fault { span: fault.span.start + shift..fault.span.end + shift, ..fault });
    F::check_setting(id, value).map_err(shifted)?;
    form.set(id, setting(value)).map_err(shifted)
}

/// A fault of a field, at the argument that gave it.
pub fn blame(field: &str, fields: &[(&str, Value)], fault: Fault) -> Failure {
    let place = if field == "stack" { "STACK".to_string() } else { format!("--{field}") };
    let text = fields.iter().find(|(name, _)| *name == field).map_or(String::new(), |(_, value)| match value {
        Value::Text(text) => text.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(_) => String::new(),
    });
    Failure::argument(&place, &text, fault)
}
