//! What the best plans of Close Combat are best for (26.21): points, who is left, or numbers of
//! units.

use super::state::CombatSide;
use crate::field_values::text_value;
use engine::text::{Fault, canonical};
use schema::Takes;
use schema::declared::named;

named! {
    /// An objective with a name.
    pub enum NamedObjective {
        /// CVP taken less CVP given, captured units once.
        Net = "net",
        /// CVP taken less CVP given, captured units twice, as at the end of a scenario (20.1).
        NetFinal = "net-final",
        /// CVP taken.
        Kills = "kills",
        /// CVP given.
        Losses = "losses",
        /// The chance that we alone are left in the Location.
        Clear = "clear",
        /// The chance that at least one unbroken MMC of ours is left there.
        Kept = "kept",
        /// The chance that nobody of ours is lost.
        Survive = "survive",
    }
    /// The units that an objective counts.
    pub enum CountedGroup { Units = "units", Mmc = "mmc", Leaders = "leaders" }

    /// What a counted unit has become.
    pub enum CountedClass { Holds = "holds", Breaks = "breaks", Lost = "lost" }
}

/// A number of units that must be reached or not be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    AtLeast(i16),
    AtMost(i16),
    Exactly(i16),
}

/// A count of units of one side: its mean, or the chance of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub(super) side: CombatSide,
    pub(super) group: CountedGroup,
    pub(super) class: CountedClass,
    pub(super) threshold: Option<Threshold>,
}

/// What the best plans are best for: more is better for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CombatObjective {
    Named(NamedObjective),
    Count(String, Count),
}

text_value!(CombatObjective, Takes::Text("OBJECTIVE"), CombatObjective::parse, |objective| {
    objective.text().into()
});

const EXAMPLE: &str = "one of net, net-final, kills, losses, clear, kept, survive, or a number \
    such as `leaders lost = 0`, `theirs mmc lost >= 1`";

impl CombatObjective {
    /// Returns the objective as text.
    pub fn text(&self) -> &str {
        match self {
            CombatObjective::Named(named) => named.name(),
            CombatObjective::Count(text, _) => text,
        }
    }

    /// Returns what its value is, in words.
    pub fn in_words(&self) -> &str {
        match self {
            CombatObjective::Named(NamedObjective::Net) => "CVP",
            named => named.text(),
        }
    }

    /// Returns whether the value is a chance.
    pub fn is_chance(&self) -> bool {
        use NamedObjective::{Clear, Kept, Survive};
        match self {
            CombatObjective::Named(named) => matches!(named, Clear | Kept | Survive),
            CombatObjective::Count(_, count) => count.threshold.is_some(),
        }
    }

    /// Returns 1 if more of the number shown is better for us, else -1.
    pub fn sign(&self) -> f64 {
        let is_loss = match self {
            CombatObjective::Named(named) => *named == NamedObjective::Losses,
            CombatObjective::Count(_, Count { threshold: Some(_), .. }) => false,
            CombatObjective::Count(_, count) => {
                (count.class == CountedClass::Holds) != (count.side == CombatSide::Ours)
            }
        };
        if is_loss { -1.0 } else { 1.0 }
    }

    fn parse(text: &str) -> Result<CombatObjective, Fault> {
        let word = canonical(text);
        if let Some(named) = NamedObjective::ALL.into_iter().find(|named| named.name() == word) {
            return Ok(CombatObjective::Named(named));
        }
        let fault = || {
            let fault = Fault::new(format!("no objective is called `{text}`"), 0..text.len());
            fault.expecting(text, NamedObjective::NAMES).help(EXAMPLE)
        };
        let spaced = text.replace(">=", " >= ").replace("<=", " <= ");
        let spaced = if spaced.contains(['<', '>']) { spaced } else { spaced.replace('=', " = ") };
        let mut words: Vec<&str> = spaced.split_whitespace().collect();
        let threshold = match words[..] {
            [.., sign @ (">=" | "<=" | "="), number] => {
                let number: i16 = number.parse().map_err(|_| fault())?;
                words.truncate(words.len() - 2);
                Some(match sign {
                    ">=" => Threshold::AtLeast(number),
                    "<=" => Threshold::AtMost(number),
                    _ => Threshold::Exactly(number),
                })
            }
            _ => None,
        };
        let mut rest = &words[..];
        let side = rest
            .first()
            .and_then(|word| CombatSide::ALL.into_iter().find(|side| side.name() == *word));
        rest = &rest[usize::from(side.is_some())..];
        let group = match rest {
            [group, _] => CountedGroup::ALL.into_iter().find(|one| one.name() == *group),
            [_] => Some(CountedGroup::Mmc),
            _ => None,
        };
        let class = rest
            .last()
            .and_then(|word| CountedClass::ALL.into_iter().find(|class| class.name() == *word));
        let (Some(group), Some(class)) = (group, class) else { return Err(fault()) };
        let side = side.unwrap_or(CombatSide::Ours);
        let text = words.join(" ");
        let text = match threshold {
            None => text,
            Some(Threshold::AtLeast(number)) => format!("{text} >= {number}"),
            Some(Threshold::AtMost(number)) => format!("{text} <= {number}"),
            Some(Threshold::Exactly(number)) => format!("{text} = {number}"),
        };
        Ok(CombatObjective::Count(text, Count { side, group, class, threshold }))
    }
}
