//! A request as text, with the place of each key and value.

use std::ops::Range;

use serde_json::Value;

/// A JSON text with the places of its parts, each with its path, such as `course.0.leader`.
pub struct RequestText {
    pub text: String,
    pub places: Vec<Place>,
}

pub struct Place {
    pub path: String,
    /// The range of the key without its quotes; empty for an entry of a list.
    pub key: Range<usize>,
    pub value: Range<usize>,
}

impl RequestText {
    pub fn new(value: &Value) -> RequestText {
        let mut written = RequestText { text: String::new(), places: Vec::new() };
        written.add("", 0..0, value);
        written
    }

    fn add(&mut self, path: &str, key: Range<usize>, value: &Value) {
        let below =
            |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        let start = self.text.len();
        match value {
            Value::Object(entries) => {
                self.text += "{";
                for (number, (name, value)) in entries.iter().enumerate() {
                    self.text += if number > 0 { ", " } else { "" };
                    let quoted = serde_json::to_string(name).unwrap();
                    let at = self.text.len();
                    self.text += &quoted;
                    let key = at + 1..self.text.len() - 1;
                    self.text += ": ";
                    self.add(&below(name), key, value);
                }
                self.text += "}";
            }
            Value::Array(values) => {
                self.text += "[";
                for (number, value) in values.iter().enumerate() {
                    self.text += if number > 0 { ", " } else { "" };
                    self.add(&below(&number.to_string()), 0..0, value);
                }
                self.text += "]";
            }
            plain => self.text += &plain.to_string(),
        }
        self.places.push(Place { path: path.to_string(), key, value: start..self.text.len() });
    }
}
