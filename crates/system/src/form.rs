//! Questions as they are filled in, field by field: by a command line, a study file, a sequence
//! file.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde_json::Map;

use super::asking::Asking;
use super::field::{Field, Json};
use super::kind::Kind;
use engine::text::notation::Help;
use engine::text::{Fault, MOST_TEXT, canonical, control, nearest, within};

/// A value given for a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Text(&'a str),
    Integer(i64),
    Boolean(bool),
}

impl Value<'_> {
    /// Its place in itself: a text has one, to be blamed in part.
    pub fn span(&self) -> Range<usize> {
        match self {
            Value::Text(text) => 0..text.len(),
            _ => 0..0,
        }
    }

    /// A whole number from `low` to `high`.
    pub fn integer(&self, field: &str, low: i64, high: i64) -> Result<i64, Fault> {
        let number = match self {
            Value::Integer(number) => Some(*number),
            Value::Text(_) | Value::Boolean(_) => None,
        };
        number.filter(|number| (low..=high).contains(number)).ok_or_else(|| {
            let fault = Fault::new(
                format!("`{field}` must be a whole number from {low} to {high}, not {self}"),
                self.span(),
            );
            if self.is_quoted::<i64>() { fault.help("leave the quotes out") } else { fault }
        })
    }

    /// Whether it is a text that would do without its quotes.
    fn is_quoted<T: FromStr>(&self) -> bool {
        matches!(self, Value::Text(text) if text.parse::<T>().is_ok())
    }

    pub fn boolean(&self, field: &str) -> Result<bool, Fault> {
        match self {
            Value::Boolean(value) => Ok(*value),
            _ => {
                let fault =
                    Fault::new(format!("`{field}` must be true or false, not {self}"), self.span());
                Err(if self.is_quoted::<bool>() {
                    fault.help("leave the quotes out")
                } else {
                    fault
                })
            }
        }
    }

    pub fn text(&self, field: &str) -> Result<&str, Fault> {
        let Value::Text(text) = self else {
            return Err(Fault::new(
                format!("`{field}` must be a text in quotes, not {self}"),
                self.span(),
            ));
        };
        within(&format!("`{field}`"), text.len(), MOST_TEXT)?;
        match control(text) {
            None => Ok(text),
            // It would be told again on a screen.
            Some((at, letter)) => Err(Fault::new(
                format!("`{field}` has a letter that is none: `{letter}`"),
                at..at + letter.len_utf8(),
            )),
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "`{text}`"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Boolean(value) => write!(f, "{value}"),
        }
    }
}

/// The value of a setting as it is typed: a number, true or false, or a word.
pub fn setting(text: &str) -> Value<'_> {
    match (text.parse(), text.trim().parse()) {
        (Ok(flag), _) => Value::Boolean(flag),
        (_, Ok(number)) => Value::Integer(number),
        _ => Value::Text(text),
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        Value::Text(text)
    }
}

impl From<i32> for Value<'_> {
    fn from(number: i32) -> Self {
        Value::Integer(number.into())
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}

/// A fault of a finished form, with the field to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    pub field: String,
    pub fault: Fault,
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.fault)
    }
}

impl std::error::Error for FieldFault {}

impl FieldFault {
    pub fn new(field: &str, message: impl Into<String>) -> FieldFault {
        FieldFault { field: field.to_string(), fault: Fault::new(message, 0..0) }
    }

    pub fn help(self, help: impl Into<Help>) -> FieldFault {
        FieldFault { fault: self.fault.help(help), ..self }
    }

    /// Blames a field for a fault.
    pub fn of(field: &str) -> impl FnOnce(Fault) -> FieldFault + use<> {
        let field = field.to_string();
        move |fault| FieldFault { field, fault }
    }
}

/// Something whose fields and points of the rules are set by their names.
pub trait Settable {
    /// Fills in one field; later values replace earlier ones. A fault of a text value has its span.
    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault>;
    /// Whether a field is known, whatever its value. What a step does is a field even before the
    /// step is there.
    fn knows(&self, field: &str) -> bool;
    /// The one name of a field that sets a point of the rules; none of any other field.
    fn setting(&self, field: &str) -> Option<&'static str>;
    /// The names of all points of the rules.
    fn settings(&self) -> Vec<&'static str>;
    /// The fault of a name that is no point of the rules.
    fn unknown_setting(&self, name: &str) -> Fault;
    /// How a setting is written.
    fn example(&self) -> &'static str;

    /// The one name of a field, however it is spelt.
    fn canonical_field(&self, field: &str) -> String {
        self.setting(field).map_or_else(|| canonical(field), str::to_string)
    }
}

/// The fault of a name that is none of these, and no point of the rules.
pub fn unknown_name<'a>(
    fault: Fault,
    name: &str,
    valid: impl IntoIterator<Item = &'a str>,
    rules: &dyn Settable,
) -> Fault {
    let (mut valid, mut points) = (Vec::from_iter(valid), rules.settings());
    valid.dedup();
    let all: Vec<&str> = valid.iter().copied().chain(points.iter().copied()).collect();
    match nearest(name, all.iter().copied()) {
        Some(_) => fault.expecting(name, all),
        None => {
            points.truncate(1);
            fault.help(format!(
                "valid: {}; and the points of the rules: {}, ...",
                valid.join(", "),
                points.join("")
            ))
        }
    }
}

/// A question that is filled in field by field, of whatever kind and game.
pub trait Form: Settable + Send + Sync {
    /// The kind of question.
    fn kind(&self) -> &'static Kind;
    /// The declaration of a field; none of what sets a point of the rules, and of a policy.
    fn field(&self, field: &str) -> Option<&'static Field>;
    /// The question with points of the rules at their other values: all of them, or the one named.
    fn readings(&self, which: Option<&str>) -> Result<Vec<Reading>, Fault>;
    /// What a step can do and the fields of that, where there are steps; they have the step's
    /// number in front (`2.fp`).
    fn steps(&self) -> Vec<(&'static str, Vec<&'static Field>)>;
    /// Checks the fields against each other.
    fn finish(&self) -> Result<Box<dyn Asking>, FieldFault>;
    fn boxed(&self) -> Box<dyn Form>;
    /// Says what can stand beside its fields where it is written.
    fn beside(&mut self, names: &[&'static str]);
    /// What is given, as the finished question understands it: what means the same is the same
    /// here. What is at its default is left out. Without the question units stay as they are
    /// written.
    fn understood(&self, question: Option<&dyn Asking>) -> Map<String, Json>;

    /// What to do in place of giving a field that the question does not have, where that is known.
    fn instead(&self, field: &str, value: Value) -> Option<Help>;

    fn has_steps(&self) -> bool {
        !self.steps().is_empty()
    }
}

impl Clone for Box<dyn Form> {
    fn clone(&self) -> Box<dyn Form> {
        self.boxed()
    }
}

impl fmt::Debug for dyn Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a `{}` being filled in", self.kind().name)
    }
}

/// A point of the rules read otherwise.
pub struct Reading {
    /// Its name.
    pub id: &'static str,
    /// The same, with the value where there are more than two.
    pub name: String,
    /// The value it is read by.
    pub value: String,
    /// What it is about, and the two values, in words.
    pub about: String,
    /// The question under it; or why it cannot be asked.
    pub question: Result<Box<dyn Asking>, Fault>,
}
