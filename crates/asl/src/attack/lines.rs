//! The notation of several attacks in one Player Turn: `A=prep 3, hindrance 1: FIRERS; ...`.
//!
//! ```text
//! attacks = attack { ";" attack }
//! attack  = [ NAME "=" ] PHASE [ RANGE ] { "," WORD [ VALUE ] } ":" FIRERS
//! ```
//!
//! The words are the fields of a step that fires.

use std::ops::Range;

use super::circumstances::FirePhase;
use super::firers::FireGroup;
use engine::text::{Fault, canonical};
use schema::field::single_spaced;
use schema::{FieldFault, FieldValue as _, RawValue};

/// The attacks of one Player Turn, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackLines {
    text: String,
    pub(crate) attacks: Vec<AttackLine>,
}

/// One attack: each field of its step, with its value and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AttackLine {
    pub fields: Vec<(String, String, Range<usize>)>,
    pub span: Range<usize>,
}

const HELP: &str = "write `PHASE RANGE: FIRERS`, for example `prep 3: 9-2 + german:4-6-7/hmg`";

impl AttackLines {
    /// Parses the attacks.
    ///
    /// # Errors
    ///
    /// Fails at the place of an attack that is none.
    pub fn parse(text: &str) -> Result<AttackLines, Fault> {
        let mut attacks = Vec::new();
        let mut from = 0;
        for line in text.split(';') {
            attacks.push(AttackLine::parse(text, from..from + line.len())?);
            from += line.len() + 1;
        }
        Ok(AttackLines { text: single_spaced(text), attacks })
    }

    /// Returns the text of the attacks, with single spaces.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Removes the blanks around a part of a text.
fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let part = &text[span.clone()];
    let start = span.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// Splits a part of a text at its first `separator`, which may be missing.
fn split(text: &str, span: Range<usize>, separator: char) -> (Range<usize>, Option<Range<usize>>) {
    match text[span.clone()].find(separator) {
        None => (trimmed(text, span), None),
        Some(at) => {
            let (before, after) = (span.start..span.start + at, span.start + at + 1..span.end);
            (trimmed(text, before), Some(trimmed(text, after)))
        }
    }
}

impl AttackLine {
    /// Moves the fault of a field of the step to its place in the `field` of all attacks.
    pub(crate) fn blamed(&self, field: &str, error: FieldFault) -> FieldFault {
        let own = self.fields.iter().find(|(name, ..)| *name == error.field);
        let span = match own {
            Some((.., at)) if !error.fault.span.is_empty() => {
                at.start + error.fault.span.start..at.start + error.fault.span.end
            }
            Some((.., at)) => at.clone(),
            None => self.span.clone(),
        };
        FieldFault { field: field.to_string(), fault: Fault { span, ..error.fault } }
    }

    fn parse(text: &str, whole: Range<usize>) -> Result<AttackLine, Fault> {
        let (head, firers) = split(text, whole.clone(), ':');
        let mut fields = Vec::new();
        let of = |name: &str, at: Range<usize>| (canonical(name), text[at.clone()].to_string(), at);
        let (head, words) = split(text, head, ',');
        let (head, phase) = match split(text, head, '=') {
            (name, Some(phase)) => (Some(name), phase),
            (phase, None) => (None, phase),
        };
        let Some(firers) = firers.filter(|firers| !firers.is_empty()) else {
            return Err(Fault::new("expected `:` and the firers", trimmed(text, whole)).help(HELP));
        };
        if let Some(name) = head {
            fields.push(of("name", name));
        }
        let (phase, range) = split(text, phase, ' ');
        FirePhase::read("phase", RawValue::Text(&text[phase.clone()]))
            .map_err(|fault| Fault { span: phase.clone(), ..fault }.help(HELP))?;
        fields.push(of("phase", phase));
        if let Some(range) = range.filter(|range| !range.is_empty()) {
            fields.push(of("range", range));
        }
        let mut rest = words;
        while let Some(words) = rest {
            let (word, more) = split(text, words, ',');
            let (word, value) = split(text, word, ' ');
            let name = &text[word.clone()];
            fields.push(match value.filter(|value| !value.is_empty()) {
                Some(value) => of(name, value),
                None => (canonical(name), "true".to_string(), word),
            });
            rest = more;
        }
        FireGroup::parse(&text[firers.clone()]).map_err(|fault| fault.shifted(firers.start))?;
        fields.push(of("by", firers));
        Ok(AttackLine { fields, span: trimmed(text, whole) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_are_read_into_fields() {
        let text =
            "A=prep 3, hindrance 1, spraying: 9-2 + german:4-6-7/hmg; advancing: german:5-4-8";
        let lines = AttackLines::parse(text).unwrap();
        let told = |line: &AttackLine| {
            let field = |(name, value, _): &(String, String, _)| format!("{name}={value}");
            line.fields.iter().map(field).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            lines.attacks.iter().map(told).collect::<Vec<_>>(),
            [
                "name=A phase=prep range=3 hindrance=1 spraying=true by=9-2 + german:4-6-7/hmg",
                "phase=advancing by=german:5-4-8",
            ]
        );
        for (_, value, span) in &lines.attacks[0].fields {
            assert!(value == "true" || text[span.clone()] == **value, "{value}");
        }
    }

    #[test]
    fn faults_of_attacks_have_their_place() {
        for (text, expected, place) in [
            ("prep 3", "expected `:` and the firers", "prep 3"),
            ("prep 3: ", "expected `:` and the firers", "prep 3:"),
            ("pre 3: 4-6-7", "no phase is called `pre`", "pre"),
            (
                "prep 3: german:4-6-7; prep 3: german:2-4-7/lmg,mmg",
                "a HS fires one SW",
                "german:2-4-7/lmg,mmg",
            ),
        ] {
            let fault = AttackLines::parse(text).unwrap_err();
            assert!(fault.to_string().starts_with(expected), "{text}: {fault}");
            assert_eq!(&text[fault.span], place, "{text}");
        }
    }
}
