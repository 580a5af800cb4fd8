//! What may be told of counts in one number: `mmc holds`, on average; `mmc holds >= 2`, the odds of
//! it; `@ 2` after either, at that phase or step in place of the last.

use std::fmt;
use std::ops::Range;

use engine::process::Point;
use engine::text::{Fault, canonical};

use super::Words;
use super::count::{Class, Group, Tally};
use super::counts::Counts;
use super::kind::Kind;
use super::table::{Figure, Mean};

/// A number told of counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tell {
    /// The default of the question where none is named.
    pub group: Option<&'static Group>,
    class: &'static Class,
    /// The odds of so many or more, in place of the mean.
    at_least: Option<f64>,
    at: Option<Point>,
}

/// A number with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    Odds(Figure),
    Mean(Mean),
}

/// A word of a text, with its place.
type Piece<'a> = (&'a str, Range<usize>);

const SIGNS: [&str; 3] = [">=", "≥", "@"];

/// Words and signs of a text.
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

impl Tell {
    /// Among the groups and classes of some kinds.
    ///
    /// Fails with the fault of the first word that does not fit.
    pub fn read(text: &str, kinds: &[&'static Kind]) -> Result<Tell, Fault> {
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
            let said = if word.is_empty() || SIGNS.contains(&word) {
                "a class is missing".to_string()
            } else {
                format!("nothing is called `{word}` that units do")
            };
            let of_groups = groups().filter(|_| group.is_none()).map(|group| group.name);
            let names = distinct(classes().map(|class| class.name).chain(of_groups));
            Fault::new(said, span).expecting(word, names)
        })?;
        let mut tell = Tell { group, class, at_least: None, at: None };
        while let Some((sign, place)) = pieces.next() {
            let (number, span) = pieces.next().unwrap_or(("", end.clone()));
            match sign {
                ">=" | "≥" if tell.at_least.is_none() && tell.at.is_none() => {
                    let parts = f64::from(group.map_or(1, |group| group.parts));
                    let fits = |number: &f64| {
                        (0.0..=100.0).contains(number) && (number * parts).fract() == 0.0
                    };
                    let unit = if parts > 1.0 {
                        "a number of units from 0 to 100, halves too"
                    } else {
                        "a whole number of units from 0 to 100"
                    };
                    let number = number.parse().ok().filter(fits);
                    tell.at_least =
                        Some(number.ok_or_else(|| {
                            Fault::new(format!("expected {unit} after `>=`"), span)
                        })?);
                }
                "@" if tell.at.is_none() => {
                    let point = number.parse().ok().filter(|point| *point > 0);
                    tell.at = Some(point.ok_or_else(|| {
                        Fault::new("expected the number of a phase or step after `@`", span)
                    })?);
                }
                _ => {
                    let fault = Fault::new(format!("`{sign}` cannot stand here"), place);
                    return Err(fault.help(format!(
                        "for example `{} {} >= 2`, or `{0} {1} @ 2`",
                        groups().next().map_or("units", |group| group.name),
                        class.name
                    )));
                }
            }
        }
        Ok(tell)
    }

    /// Whether a question tells it.
    pub fn check(&self, words: &dyn Words) -> Result<(), Fault> {
        let kind = words.kind();
        let fault = |message| Err(Fault::new(message, 0..0));
        if self.place(kind.classes).is_none() {
            let names: Vec<&str> = kind.classes.iter().map(|class| class.name).collect();
            return Err(Fault::new(
                format!("`{}` is nothing that units of `{}` do", self.class.name, kind.name),
                0..0,
            )
            .help(format!("valid: {}", names.join(", "))));
        }
        if let Some(group) = self.group.filter(|group| !kind.groups.contains(group)) {
            let names: Vec<&str> = kind.groups.iter().map(|group| group.name).collect();
            return Err(Fault::new(format!("`{}` has no group `{}`", kind.name, group.name), 0..0)
                .help(format!("valid: {}", names.join(", "))));
        }
        match (self.at, words.points()) {
            (Some(_), None) => fault(format!("`{}` is told at its end only", kind.name)),
            (Some(at), Some(points)) if at > words.last_point() => {
                fault(format!("the last {points} is {}", words.last_point()))
            }
            _ => Ok(()),
        }
    }

    /// The place of its class in a kind.
    fn place(&self, classes: &[Class]) -> Option<usize> {
        classes.iter().position(|class| class.name == self.class.name)
    }

    /// What one more of it is worth, where nobody weighs it.
    pub fn weight(&self) -> f64 {
        self.class.weight
    }

    /// Whether it is the odds of so many or more.
    pub fn is_odds(&self) -> bool {
        self.at_least.is_some()
    }

    /// Whether it names the point at which it is told.
    pub fn is_at_point(&self) -> bool {
        self.at.is_some()
    }

    /// The point at which it is told.
    pub fn point(&self, words: &dyn Words) -> Point {
        self.at.unwrap_or(words.last_point())
    }

    /// The same in words.
    pub fn in_words(&self) -> String {
        match self.at_least {
            Some(_) => format!("P({self})"),
            None => format!("average of `{self}`"),
        }
    }

    /// How much of it a tally is.
    pub fn amount(&self, kind: &Kind, group: &Group, tally: &Tally) -> f64 {
        let number =
            self.place(kind.classes).map_or(0.0, |class| group.number(tally.parts(class).into()));
        match self.at_least {
            Some(least) => f64::from(u8::from(number >= least)),
            None => number,
        }
    }

    /// The number, of an answer that was counted.
    pub fn of(&self, counts: &Counts) -> Option<Told> {
        let class = self.place(counts.kind.classes)?;
        let point = self.at.unwrap_or(counts.last_point());
        match self.at_least {
            Some(least) => {
                let fits = |tally: &Tally| counts.group.number(tally.parts(class).into()) >= least;
                Some(Told::Odds(counts.odds(point, fits)))
            }
            None => counts.mean(point, class).map(Told::Mean),
        }
    }
}

/// Each name once.
fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut once = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

impl fmt::Display for Tell {
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
