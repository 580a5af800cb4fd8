//! Questions as they are filled in, field by field: by a command line, a study file, a sequence file.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::text::Fault;

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
            let fault = Fault::new(format!("`{field}` must be a whole number from {low} to {high}, not {self}"), self.span());
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
                let fault = Fault::new(format!("`{field}` must be true or false, not {self}"), self.span());
                Err(if self.is_quoted::<bool>() { fault.help("leave the quotes out") } else { fault })
            }
        }
    }

    pub fn text(&self, field: &str) -> Result<&str, Fault> {
        match self {
            Value::Text(text) => Ok(text),
            _ => Err(Fault::new(format!("`{field}` must be a text in quotes, not {self}"), self.span())),
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

/// A fault of a finished form, with the field to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    pub field: String,
    pub fault: Fault,
}

impl FieldFault {
    pub fn new(field: &str, message: impl Into<String>) -> FieldFault {
        FieldFault { field: field.to_string(), fault: Fault::new(message, 0..0) }
    }

    pub fn help(self, help: &str) -> FieldFault {
        FieldFault { fault: self.fault.help(help), ..self }
    }

    /// Blames a field for a fault.
    pub fn of(field: &str) -> impl FnOnce(Fault) -> FieldFault + use<> {
        let field = field.to_string();
        move |fault| FieldFault { field, fault }
    }
}

/// A question that is filled in field by field.
pub trait Form: Clone + Sync {
    /// The question once it is complete.
    type Filled;

    /// Fills in one field; later values replace earlier ones. A fault of a text value has its span.
    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault>;
    /// Whether a field is known, whatever its value. What a step does is a field even before the step is there.
    fn knows(&self, field: &str) -> bool;
    /// The one name of a field, however it is spelt.
    fn canonical_field(field: &str) -> String;
    /// Checks the fields against each other.
    fn finish(&self) -> Result<Self::Filled, FieldFault>;
    /// The one name of a field that sets a point of the rules; none of any other field.
    fn setting(_field: &str) -> Option<&'static str> {
        None
    }
    /// Whether a point of the rules of that name can have that value. The span of a fault is in the value, or in the name where that is
    /// not known.
    fn check_setting(name: &str, _value: &str) -> Result<(), Fault> {
        match Self::setting(name) {
            Some(_) => Ok(()),
            None => Err(Fault::new(format!("no point of the rules is called `{name}`"), 0..name.len())),
        }
    }
    /// How a setting is written.
    const EXAMPLE: &'static str = "";
    /// What a step can do, where there are steps; their fields have the step's number in front (`2.fp`).
    fn deeds(&self) -> Vec<&'static str> {
        Vec::new()
    }
    fn has_steps(&self) -> bool {
        !self.deeds().is_empty()
    }
}
