//! Values given for fields, and what every form can do: set fields and rule settings by name.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use engine::text::notation::Remedy;
use engine::text::{Fault, MOST_TEXT, canonical, control, listed, nearest, within};

/// A value given for a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RawValue<'a> {
    Text(&'a str),
    Integer(i64),
    Boolean(bool),
}

impl RawValue<'_> {
    /// Returns the byte range of a text for faults; `0..0` for other values.
    pub fn span(&self) -> Range<usize> {
        match self {
            RawValue::Text(text) => 0..text.len(),
            _ => 0..0,
        }
    }

    /// Returns the whole number, if it lies between `low` and `high` inclusive.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a whole number in that range.
    pub fn integer(&self, field: &str, low: i64, high: i64) -> Result<i64, Fault> {
        match self {
            RawValue::Integer(number) if (low..=high).contains(number) => Ok(*number),
            _ => Err(self.unfit::<i64>(field, &format!("a whole number from {low} to {high}"))),
        }
    }

    /// Returns the value of a Boolean. `field` names it in the error.
    ///
    /// # Errors
    ///
    /// Fails if the value is not true or false.
    pub fn boolean(&self, field: &str) -> Result<bool, Fault> {
        match self {
            RawValue::Boolean(value) => Ok(*value),
            _ => Err(self.unfit::<bool>(field, "true or false")),
        }
    }

    fn unfit<T: FromStr>(&self, field: &str, must_be: &str) -> Fault {
        let fault = Fault::new(format!("`{field}` must be {must_be}, not {self}"), self.span());
        match self {
            RawValue::Text(text) if text.parse::<T>().is_ok() => fault.help("remove the quotes"),
            _ => fault,
        }
    }

    /// Returns the value of a text. `field` names it in the error.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a text, or the text is too long or has control characters.
    pub fn text(&self, field: &str) -> Result<&str, Fault> {
        let RawValue::Text(text) = self else {
            return Err(Fault::new(
                format!("`{field}` must be a text in quotes, not {self}"),
                self.span(),
            ));
        };
        within(&format!("`{field}`"), text.len(), MOST_TEXT)?;
        match control(text) {
            None => Ok(text),
            // Control characters are refused because the text would be printed on a terminal.
            Some((at, letter)) => Err(Fault::new(
                format!("`{field}` has the control character `{letter}`"),
                at..at + letter.len_utf8(),
            )),
        }
    }
}

impl fmt::Display for RawValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RawValue::Text(text) => write!(f, "`{text}`"),
            RawValue::Integer(number) => write!(f, "{number}"),
            RawValue::Boolean(value) => write!(f, "{value}"),
        }
    }
}

/// Returns the item called `text`, or a fault with the message `unknown` and a suggestion.
///
/// # Errors
///
/// Fails if no item has that name.
pub fn named<'a, T>(
    text: &str,
    items: impl IntoIterator<Item = (&'a str, T)>,
    unknown: &str,
) -> Result<T, Fault> {
    let name = canonical(text);
    let mut known = Vec::new();
    for (word, item) in items {
        if word == name {
            return Ok(item);
        }
        known.push(word);
    }
    Err(Fault::new(format!("{unknown} `{text}`"), 0..text.len()).expecting(text, known))
}

/// Parses a setting as it is typed: a number, true or false, or a word.
///
/// # Examples
///
/// ```
/// use lowcrawl_schema::form::{RawValue, setting};
///
/// assert_eq!(setting("3"), RawValue::Integer(3));
/// assert_eq!(setting("subtract"), RawValue::Text("subtract"));
/// ```
pub fn setting(text: &str) -> RawValue<'_> {
    match (text.parse(), text.trim().parse()) {
        (Ok(flag), _) => RawValue::Boolean(flag),
        (_, Ok(number)) => RawValue::Integer(number),
        _ => RawValue::Text(text),
    }
}

impl<'a> From<&'a str> for RawValue<'a> {
    fn from(text: &'a str) -> RawValue<'a> {
        RawValue::Text(text)
    }
}

impl From<i32> for RawValue<'_> {
    fn from(number: i32) -> Self {
        RawValue::Integer(number.into())
    }
}

impl From<bool> for RawValue<'_> {
    fn from(value: bool) -> Self {
        RawValue::Boolean(value)
    }
}

/// A fault of a finished form, with the name of the faulty field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {fault}")]
pub struct FieldFault {
    pub field: String,
    pub fault: Fault,
}

impl FieldFault {
    /// Creates a fault without a span.
    pub fn new(field: &str, message: impl Into<String>) -> FieldFault {
        FieldFault { field: field.to_string(), fault: Fault::new(message, 0..0) }
    }

    /// Adds help to the fault.
    pub fn help(self, help: impl Into<Remedy>) -> FieldFault {
        FieldFault { fault: self.fault.help(help), ..self }
    }

    /// Moves the fault to a field of a step, given by its 1-based number.
    pub fn in_step(self, number: impl fmt::Display) -> FieldFault {
        FieldFault { field: format!("{number}.{}", self.field), ..self }
    }

    /// Returns a function that turns a fault into a fault of `field`.
    pub fn in_field(field: &str) -> impl FnOnce(Fault) -> FieldFault + use<> {
        let field = field.to_string();
        move |fault| FieldFault { field, fault }
    }
}

/// A form whose fields and rule settings are set by name.
pub trait Settable {
    /// Sets one field. A later value replaces an earlier one.
    ///
    /// # Errors
    ///
    /// Fails if the field is unknown or the value does not fit; the fault of a text has its span.
    fn set(&mut self, field: &str, value: RawValue) -> Result<(), Fault>;
    /// Returns true if the form has the field; it knows `2.do`, an action, even before the step.
    fn knows(&self, field: &str) -> bool;
    /// Returns the canonical name of a rule setting, or `None` if the field is not a rule setting.
    fn setting(&self, field: &str) -> Option<&'static str>;
    /// Returns the names of all rule settings.
    fn settings(&self) -> Vec<&'static str>;
    /// Returns the fault of a name that is not a rule setting.
    fn unknown_setting(&self, name: &str) -> Fault;
    /// Returns an example of a rule setting.
    fn example(&self) -> &'static str;

    /// Returns the canonical name of a field or rule setting, however it is spelt.
    fn canonical_field(&self, field: &str) -> String {
        self.setting(field).map_or_else(|| canonical(field), str::to_string)
    }
}

/// Adds help to the fault of an unknown name: the nearest name, or the valid ones.
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
                listed(&valid),
                points.join("")
            ))
        }
    }
}
