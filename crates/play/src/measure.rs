//! Expressions for one number about counted units. `mmc holds` is a mean, and `mmc holds >= 2` is a
//! probability. A suffix `@ 2` selects the report of phase or step 2 (1-based) instead of the last.

use std::fmt;
use std::ops::Range;

use indexmap::IndexSet;

use answer::{ClassCounts, Estimate, Mean, QuestionFacts, UnitCounts};
use engine::process::ReportIndex;
use engine::text::{Fault, canonical};
use schema::{Group, Kind, UnitEnd};

/// An expression for one number about counted units, such as `mmc holds >= 2 @ 3`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureExpr {
    /// The counted group; `None` means the default group of the question.
    pub group: Option<&'static Group>,
    /// The counted units: those that end so.
    pub end: UnitEnd,
    /// The threshold (in units) of a probability; `None` for a mean.
    pub at_least: Option<f64>,
    /// The report after `@`; `None` for the last one.
    pub at: Option<ReportIndex>,
}

/// The value of an expression, with its standard error where it is estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measurement {
    Odds(Estimate),
    Mean(Mean),
}

type Piece<'a> = (&'a str, Range<usize>);

const SIGNS: [&str; 4] = [">=", "≥", ">", "@"];

/// Splits a text into words and the signs of [`SIGNS`].
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = 0;
    while rest < text.len() {
        let left = &text[rest..];
        let sign = SIGNS.into_iter().find(|sign| left.starts_with(sign));
        let blank = left.chars().next().filter(|letter| letter.is_whitespace());
        let end = match (sign, blank) {
            (Some(sign), _) => sign.len(),
            (None, Some(blank)) => blank.len_utf8(),
            (None, None) => {
                let ends = |(at, letter): &(usize, char)| {
                    *at > 0 && (letter.is_whitespace() || matches!(letter, '>' | '@' | '≥'))
                };
                left.char_indices().find(ends).map_or(left.len(), |(at, _)| at)
            }
        };
        if blank.is_none() {
            pieces.push((&left[..end], rest..rest + end));
        }
        rest += end;
    }
    pieces
}

/// Returns the fault of a `word` that is no class. `next` is the word after it if no group is named,
/// so that the word could be meant as one.
fn unknown_class((word, span): Piece, next: Option<&str>, kinds: &[&'static Kind]) -> Fault {
    let groups = || kinds.iter().flat_map(|kind| kind.groups).map(|group| group.name);
    if next.is_some_and(|next| kinds.iter().any(|kind| kind.unit_end(&canonical(next)).is_some())) {
        let fault = Fault::new(format!("no group is called `{word}`"), span);
        return fault.expecting(word, groups().collect::<IndexSet<_>>());
    }
    let message = match word.is_empty() || SIGNS.contains(&word) {
        true => "expected the name of a class".to_string(),
        false => format!("no class is called `{word}`"),
    };
    let classes = kinds.iter().flat_map(|kind| kind.classes).map(|class| class.name);
    let further = kinds.iter().flat_map(|kind| kind.further_ends).map(|end| end.name);
    let groups = groups().filter(|_| next.is_some());
    let names = classes.chain(further).chain(groups).collect::<IndexSet<_>>();
    Fault::new(message, span).expecting(word, names)
}

impl MeasureExpr {
    /// Parses an expression, with the groups and classes of the given kinds of questions.
    ///
    /// # Errors
    ///
    /// Fails at the first word that does not fit.
    pub fn read(text: &str, kinds: &[&'static Kind]) -> Result<MeasureExpr, Fault> {
        let groups = || kinds.iter().flat_map(|kind| kind.groups);
        let mut pieces = pieces(text).into_iter().peekable();
        let end = text.len()..text.len();
        let group = pieces
            .peek()
            .and_then(|(word, _)| groups().find(|group| group.name == canonical(word)));
        if group.is_some() {
            pieces.next();
        }
        let (word, span) = pieces.next().unwrap_or(("", end.clone()));
        let end_of_unit = kinds.iter().find_map(|kind| kind.unit_end(&canonical(word)));
        let mut end_of_unit = end_of_unit.ok_or_else(|| {
            let next = pieces.peek().map_or("", |(next, _)| *next);
            unknown_class((word, span), group.is_none().then_some(next), kinds)
        })?;
        if let Some((word, span)) = pieces.next_if(|(word, _)| !SIGNS.contains(word)) {
            let counter = kinds.iter().find_map(|kind| (kind.counter)(word));
            let fault = || {
                Fault::new(format!("unexpected `{word}`"), span)
                    .help(format!("for example `{0} 4-6-7`, or `{0} >= 1`", end_of_unit.name))
            };
            end_of_unit.counter = Some(counter.ok_or_else(fault)?);
        }
        let mut measure = MeasureExpr { group, end: end_of_unit, at_least: None, at: None };
        while let Some((sign, place)) = pieces.next() {
            let (number, span) = pieces.next().unwrap_or(("", end.clone()));
            match sign {
                ">=" | "≥" | ">" if measure.at_least.is_none() && measure.at.is_none() => {
                    let parts = f64::from(group.map_or(1, |group| group.parts));
                    let fits = |number: &f64| {
                        (0.0..=100.0).contains(number) && (number * parts).fract() == 0.0
                    };
                    let unit = if parts > 1.0 {
                        "a number of units from 0 to 100, in steps of 0.5"
                    } else {
                        "a whole number of units from 0 to 100"
                    };
                    let number = number.parse().ok().filter(fits);
                    let fault = || Fault::new(format!("expected {unit} after `{sign}`"), span);
                    let more = if sign == ">" { 1.0 / parts } else { 0.0 };
                    measure.at_least = Some(number.ok_or_else(fault)? + more);
                }
                "@" if measure.at.is_none() => {
                    let point = number.parse().ok().filter(|point| *point > 0);
                    measure.at = Some(point.ok_or_else(|| {
                        Fault::new("expected the number of a phase or step after `@`", span)
                    })?);
                }
                _ => {
                    let fault = Fault::new(format!("unexpected `{sign}`"), place);
                    return Err(fault.help(format!(
                        "for example `{} {} >= 2`, or `{0} {1} @ 2`",
                        groups().next().map_or("units", |group| group.name),
                        measure.end.name
                    )));
                }
            }
        }
        Ok(measure)
    }

    /// Checks that a question has the class, the group and the report of the expression.
    ///
    /// # Errors
    ///
    /// Fails if the kind has no such class or group, or the report comes after the question's last.
    pub fn check(&self, facts: &QuestionFacts) -> Result<(), Fault> {
        let kind = facts.kind;
        let fault = |message| Err(Fault::new(message, 0..0));
        let fault_among = |message, valid: Vec<&str>| {
            fault(message).map_err(|fault| fault.help(format!("valid: {}", valid.join(", "))))
        };
        if kind.unit_end(self.end.name).is_none() {
            let names = kind.classes.iter().map(|class| class.name).collect();
            let (class, kind) = (self.end.name, kind.name);
            return fault_among(format!("the class `{class}` does not exist in `{kind}`"), names);
        }
        if let Some(group) = self.group.filter(|group| !kind.groups.contains(group)) {
            let names = kind.groups.iter().map(|group| group.name).collect();
            return fault_among(format!("`{}` has no group `{}`", kind.name, group.name), names);
        }
        match (self.at, facts.points) {
            (Some(_), None) => {
                fault(format!("`{}` has results only at its end: remove `@`", kind.name))
            }
            (Some(at), Some(points)) if at > facts.last_point => {
                fault(format!("the last {points} is {}", facts.last_point))
            }
            _ => Ok(()),
        }
    }

    /// Returns the way to end that counts must ask for, unless it is a class of the kind.
    pub fn further_end(&self, kind: &Kind) -> Option<UnitEnd> {
        kind.class_called(&self.end).is_none().then_some(self.end)
    }

    /// Returns the number of parts that the expression counts.
    fn parts(&self, kind: &Kind, tally: &ClassCounts) -> u8 {
        kind.class_called(&self.end).map_or(tally.ending, |class| tally.classes[class])
    }

    /// Returns a description: `P(holds >= 2)`, or ``average number of MMC counted as `holds` ``.
    pub fn in_words(&self) -> String {
        match self.at_least {
            Some(_) => self.gain_in_words(),
            None => format!("average number of {}", self.gain_in_words()),
        }
    }

    /// Returns a description of an increase: `P(mmc holds >= 2)`, or ``MMC counted as `holds` ``.
    pub fn gain_in_words(&self) -> String {
        let units = self.group.map_or("units", |group| group.written);
        match self.at_least {
            Some(_) => format!("P({self})"),
            None => format!("{units} counted as `{}`", MeasureExpr { group: None, ..*self }),
        }
    }

    /// Returns the expression's value in one outcome: a number of units, or 1 or 0 for a threshold.
    pub fn amount(&self, kind: &Kind, group: &Group, tally: &ClassCounts) -> f64 {
        let number = group.number(self.parts(kind, tally).into());
        match self.at_least {
            Some(least) => f64::from(u8::from(number >= least)),
            None => number,
        }
    }

    /// Evaluates the expression on counts; `None` if its error is unknown.
    pub fn evaluate(&self, counts: &UnitCounts) -> Option<Measurement> {
        let UnitCounts { kind, group, .. } = *counts;
        let parts = |tally: &ClassCounts| self.parts(kind, tally);
        let point = self.at.unwrap_or(counts.last_point());
        match self.at_least {
            Some(least) => {
                let fits = |tally: &ClassCounts| group.number(parts(tally).into()) >= least;
                Some(Measurement::Odds(counts.odds(point, fits)))
            }
            None => counts.mean_of(point, parts).map(Measurement::Mean),
        }
    }
}

impl fmt::Display for MeasureExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(group) = self.group {
            write!(f, "{} ", group.name)?;
        }
        f.write_str(self.end.name)?;
        if let Some(counter) = self.end.counter {
            write!(f, " {counter}")?;
        }
        if let Some(least) = self.at_least {
            write!(f, " >= {least}")?;
        }
        self.at.map_or(Ok(()), |at| write!(f, " @ {at}"))
    }
}
