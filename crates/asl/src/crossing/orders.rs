//! The plan of the defenders' fire: their names for each Location in the order of their shots, or
//! a policy.

use std::ops::Range;

use super::rows::split;
use crate::kinds::text_value;
use engine::text::{Fault, canonical};
use schema::Takes;
use schema::declared::named;
use schema::field::words_of;
use serde_json::Value;

named! {
    /// When the defenders fire who have no written plan.
    pub enum FirePolicy {
        /// All with LOS once, then again as long as they may.
        All = "all",
        /// Each once in a Location.
        First = "first",
        /// Fires only when the stack is ADJACENT.
        HoldFire = "hold-fire",
    }

    /// What the defenders do at a stack of which nobody goes on (I-90).
    pub enum AfterStop { Cease = "cease", Continue = "continue" }

    /// How units go on where others of their stack stop (4.2).
    pub enum GoingOn { Together = "stop", Apart = "apart" }

    /// How the stack moves.
    pub enum CrossingMove {
        NonAssault = "non-assault",
        /// Assault Movement (4.61).
        Assault = "assault",
        /// Dash across a road (4.63).
        Dash = "dash",
        /// The charge of berserk units (15.43).
        Charge = "charge",
    }
}

words_of!(FirePolicy, "WHO", "no policy is called");
words_of!(AfterStop, "WHAT", "");
words_of!(GoingOn, "HOW", "");
words_of!(CrossingMove, "HOW", "");

/// The shots of each Location in order, or none for a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FireOrders {
    /// A policy decides.
    Auto,
    /// The names in each Location, each with its place in the text.
    Written(Vec<Vec<(String, Range<usize>)>>),
}

text_value!(FireOrders, Takes::Tables("PLAN"), FireOrders::parse, |plan| plan.text());

const AUTO: &str = "auto";
const NOBODY: &str = "none";
/// The short form of it. Alone at the beginning of a word of the shell it reads as an option.
const DASH: &str = "-";

impl FireOrders {
    /// Parses a plan: `A, A B, none`.
    ///
    /// # Errors
    ///
    /// Fails if a list of JSON is no list of lists of names.
    pub fn parse(text: &str) -> Result<FireOrders, Fault> {
        if canonical(text) == AUTO {
            return Ok(FireOrders::Auto);
        }
        if text.trim_start().starts_with('[') {
            let rows: Option<Vec<Value>> = serde_json::from_str(text).ok();
            let rows = rows.and_then(|rows| rows.iter().map(|row| of_json(row, text)).collect());
            return rows.map(FireOrders::Written).ok_or_else(|| {
                let fault = Fault::new("expected a list of names for each Location", 0..text.len());
                fault.help("for example [[\"A\"], [\"A\", \"B\"]]")
            });
        }
        let row = |(span, words): (Range<usize>, String)| {
            let names = split(&words, span.start, &[' ']).into_iter();
            names
                .filter(|(_, name)| !name.is_empty() && !is_nobody(name))
                .map(|(span, name)| (name, span))
                .collect()
        };
        let rows = split(text, 0, &[',', ';']).into_iter();
        Ok(FireOrders::Written(rows.map(row).collect()))
    }

    /// Returns the plan as a text.
    pub fn text(&self) -> String {
        let row = |row: &Vec<(String, Range<usize>)>| match row.is_empty() {
            true => NOBODY.to_string(),
            false => row.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" "),
        };
        match self {
            FireOrders::Auto => AUTO.to_string(),
            FireOrders::Written(rows) => rows.iter().map(row).collect::<Vec<_>>().join(", "),
        }
    }
}

fn is_nobody(name: &str) -> bool {
    name == DASH || canonical(name) == NOBODY
}

fn of_json(row: &Value, text: &str) -> Option<Vec<(String, Range<usize>)>> {
    let name = |name: &Value| Some((name.as_str()?.to_string(), 0..text.len()));
    match row {
        Value::Array(names) => names.iter().map(name).collect(),
        Value::String(words) => {
            let names = words.split_whitespace().filter(|name| !is_nobody(name));
            Some(names.map(|name| (name.to_string(), 0..text.len())).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_read_from_words_and_lists() {
        for (text, written) in [
            ("A, A B,A A", "A, A B, A A"),
            ("auto", "auto"),
            ("-, A", "none, A"),
            ("None, A, -", "none, A, none"),
            (r#"[["G"], [], ["G", "H"]]"#, "G, none, G H"),
            (r#"["G", "G H"]"#, "G, G H"),
        ] {
            let read = FireOrders::parse(text);
            let plan = read.unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(plan.text(), written, "{text}");
        }
        assert!(FireOrders::parse("[1]").is_err());
    }
}
