//! Expressions for one number about counted units. `mmc holds` is a mean, and `mmc holds >= 2` is a
//! probability. A suffix `@ 2` selects the report of phase or step 2 (1-based) instead of the last.

use std::fmt;
use std::ops::Range;

use indexmap::IndexSet;

use answer::{ClassCounts, Estimate, Mean, QuestionFacts, UnitCounts};
use engine::process::ReportIndex;
use engine::text::{Fault, canonical};
use schema::{Group, Kind, StatusClass};

/// An expression for one number about counted units, such as `mmc holds >= 2 @ 3`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureExpr {
    /// The counted group; `None` means the default group of the question.
    pub group: Option<&'static Group>,
    pub class: &'static StatusClass,
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

const SIGNS: [&str; 3] = [">=", "≥", "@"];

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

/// Returns the fault of a `word` of `text` that is no class. `next` is the word after it if no
/// group is named, so that the word could be meant as one.
fn unknown_class(
    text: &str,
    (word, span): Piece,
    next: Option<&str>,
    kinds: &[&'static Kind],
) -> Fault {
    let classes = || kinds.iter().flat_map(|kind| kind.classes);
    let groups = || kinds.iter().flat_map(|kind| kind.groups).map(|group| group.name);
    let is_class = |word: &str| classes().any(|class| class.name == canonical(word));
    if next.is_some_and(is_class) {
        let fault = Fault::new(format!("no group is called `{word}`"), span);
        return fault.expecting(word, groups().collect::<IndexSet<_>>());
    }
    let name = canonical(word);
    let message = match word.is_empty() || SIGNS.contains(&word) {
        true => "expected the name of a class".to_string(),
        false => format!("no class is called `{word}`"),
    };
    let fault = Fault::new(message, span);
    // A status, such as `broken`, is counted in its class.
    if let Some(class) = classes().find(|class| class.statuses.contains(&name.as_str())) {
        return fault.help(format!("write `{}`", text.replacen(word, class.name, 1)));
    }
    let groups = groups().filter(|_| next.is_some());
    fault.expecting(word, classes().map(|class| class.name).chain(groups).collect::<IndexSet<_>>())
}

impl MeasureExpr {
    /// Parses an expression, with the groups and classes of the given kinds of questions.
    ///
    /// # Errors
    ///
    /// Fails at the first word that does not fit.
    pub fn read(text: &str, kinds: &[&'static Kind]) -> Result<MeasureExpr, Fault> {
        let groups = || kinds.iter().flat_map(|kind| kind.groups);
        let classes = || kinds.iter().flat_map(|kind| kind.classes);
        let pieces = pieces(text);
        let mut pieces = pieces.into_iter().peekable();
        let end = text.len()..text.len();
        let group = pieces
            .peek()
            .and_then(|(word, _)| groups().find(|group| group.name == canonical(word)));
        if group.is_some() {
            pieces.next();
        }
        let (word, span) = pieces.next().unwrap_or(("", end.clone()));
        let class = classes().find(|class| class.name == canonical(word)).ok_or_else(|| {
            let next = pieces.peek().map_or("", |(next, _)| *next);
            unknown_class(text, (word, span), group.is_none().then_some(next), kinds)
        })?;
        let mut measure = MeasureExpr { group, class, at_least: None, at: None };
        while let Some((sign, place)) = pieces.next() {
            let (number, span) = pieces.next().unwrap_or(("", end.clone()));
            match sign {
                ">=" | "≥" if measure.at_least.is_none() && measure.at.is_none() => {
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
                    let fault = || Fault::new(format!("expected {unit} after `>=`"), span);
                    measure.at_least = Some(number.ok_or_else(fault)?);
                }
                "@" if measure.at.is_none() => {
                    let point = number.parse().ok().filter(|point| *point > 0);
                    measure.at = Some(point.ok_or_else(|| {
                        Fault::new("expected the number of a phase or step after `@`", span)
                    })?);
                }
                _ => {
                    let fault = Fault::new(format!("unexpected `{sign}`"), place);
                    if let (">", Ok(more)) = (sign, number.parse::<u8>()) {
                        let least = u16::from(more) + 1;
                        let before = text[..fault.span.start].trim_end();
                        return Err(fault.help(format!("write `{before} >= {least}`")));
                    }
                    return Err(fault.help(format!(
                        "for example `{} {} >= 2`, or `{0} {1} @ 2`",
                        groups().next().map_or("units", |group| group.name),
                        class.name
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
        if self.place(kind.classes).is_none() {
            let names = kind.classes.iter().map(|class| class.name).collect();
            let (class, kind) = (self.class.name, kind.name);
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

    fn place(&self, classes: &[StatusClass]) -> Option<usize> {
        classes.iter().position(|class| class.name == self.class.name)
    }

    /// Returns a description: `P(mmc holds >= 2)` or ``average of `mmc holds` ``.
    pub fn in_words(&self) -> String {
        match self.at_least {
            Some(_) => format!("P({self})"),
            None => format!("average of `{self}`"),
        }
    }

    /// Returns the expression's value in one outcome: a number of units, or 1 or 0 for a threshold.
    pub fn amount(&self, kind: &Kind, group: &Group, tally: &ClassCounts) -> f64 {
        let number =
            self.place(kind.classes).map_or(0.0, |class| group.number(tally.classes[class].into()));
        match self.at_least {
            Some(least) => f64::from(u8::from(number >= least)),
            None => number,
        }
    }

    /// Evaluates the expression on counts; `None` without the class, or with unknown error.
    pub fn evaluate(&self, counts: &UnitCounts) -> Option<Measurement> {
        let class = self.place(counts.kind.classes)?;
        let point = self.at.unwrap_or(counts.last_point());
        match self.at_least {
            Some(least) => {
                let fits =
                    |tally: &ClassCounts| counts.group.number(tally.classes[class].into()) >= least;
                Some(Measurement::Odds(counts.odds(point, fits)))
            }
            None => counts.mean(point, class).map(Measurement::Mean),
        }
    }
}

impl fmt::Display for MeasureExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(group) = self.group {
            write!(f, "{} ", group.name)?;
        }
        f.write_str(self.class.name)?;
        if let Some(least) = self.at_least {
            write!(f, " >= {least}")?;
        }
        self.at.map_or(Ok(()), |at| write!(f, " @ {at}"))
    }
}
