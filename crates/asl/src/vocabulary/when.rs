//! When a step happens: a condition on the units.

use super::location::{Location, Place};
use super::unit::{Condition, Unit};
use engine::text::{Fault, canonical};

/// A condition on the units that decides whether a step happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    who: Who,
    state: Sought,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Any,
    All,
    None,
    /// Place in the stack, from 0.
    Place(u8),
}

/// States a step can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sought {
    Unbroken,
    GoodOrder,
    Gone,
    Is(Condition),
}

const STATES: [(&str, Sought); 12] = [
    ("broken", Sought::Is(Condition::Broken)),
    ("dm", Sought::Is(Condition::Dm)),
    ("unbroken", Sought::Unbroken),
    ("good-order", Sought::GoodOrder),
    ("pinned", Sought::Is(Condition::Pinned)),
    ("disrupted", Sought::Is(Condition::Disrupted)),
    ("berserk", Sought::Is(Condition::Berserk)),
    ("wounded", Sought::Is(Condition::Wounded)),
    ("fanatic", Sought::Is(Condition::Fanatic)),
    ("heroic", Sought::Is(Condition::Heroic)),
    ("captured", Sought::Is(Condition::Captured)),
    ("gone", Sought::Gone),
];

impl Test {
    /// Reads `[any|all|none|SLOT] state`, such as `broken` (any unit is), `all broken`, `2 dm`.
    pub fn parse(text: &str, units: usize) -> Result<Test, Fault> {
        let help = "write for example `broken` (any unit is), `all broken`, `none pinned` or `2 dm` (the unit in slot 2)";
        let words: Vec<&str> = text.split_whitespace().collect();
        let (who, state) = match words[..] {
            [state] => (Who::Any, state),
            [who, state] => {
                let slot = who.parse::<usize>().ok().filter(|slot| (1..=units).contains(slot));
                let who = match (canonical(who).as_str(), slot) {
                    ("any", _) => Who::Any,
                    ("all", _) => Who::All,
                    ("none", _) => Who::None,
                    (_, Some(slot)) => Who::Place(slot as u8 - 1),
                    _ => {
                        let message = format!(
                            "`{who}` is neither any, all nor none, nor a slot from 1 to {units}"
                        );
                        return Err(Fault::new(message, 0..text.len()).help(help));
                    }
                };
                (who, state)
            }
            _ => {
                return Err(
                    Fault::new(format!("`{text}` is no condition"), 0..text.len()).help(help)
                );
            }
        };
        let found = STATES.into_iter().find(|(word, _)| *word == canonical(state));
        let (_, found) = found.ok_or_else(|| {
            let fault = Fault::new(format!("no state is called `{state}`"), 0..text.len());
            fault.expecting(state, STATES.iter().map(|(word, _)| *word))
        })?;
        Ok(Test { who, state: found })
    }

    /// The same for a process of some units of the stack, in which `place_of` finds their places.
    pub(crate) fn within(self, place_of: impl Fn(usize) -> Option<Place>) -> Test {
        let who = match self.who {
            // Nobody is in the last place.
            Who::Place(place) => Who::Place(place_of(place.into()).unwrap_or(Place::MAX)),
            who => who,
        };
        Test { who, ..self }
    }

    /// Whether it asks about the unit in that place, and no other.
    pub(crate) fn picks(&self, place: usize) -> bool {
        matches!(self.who, Who::Place(of) if usize::from(of) == place)
    }

    /// Whether it holds, if it is decided by whether one of all units decides it.
    pub(crate) fn holds_if(&self, decided: bool) -> bool {
        decided == matches!(self.who, Who::Any | Who::Place(_))
    }

    /// Whether one of the units that `among` picks decides it: one that it asks for, or forbids.
    pub(crate) fn is_decided(&self, location: &Location, among: impl Fn(Place) -> bool) -> bool {
        let mut counted = location.places().filter(|&place| among(place)).filter(|&place| {
            location.unit(place).is_present()
                || matches!(self.state, Sought::Gone | Sought::Is(Condition::Captured))
        });
        let is = |place: Place| self.is(location.unit(place));
        match self.who {
            Who::Any | Who::None => counted.any(is),
            Who::All => counted.any(|place| !is(place)),
            Who::Place(of) => counted.any(|place| place == of && is(place)),
        }
    }

    fn is(&self, unit: &Unit) -> bool {
        match self.state {
            Sought::Unbroken => unit.is_present() && !unit.is(Condition::Broken),
            Sought::GoodOrder => unit.is_steady(),
            Sought::Gone => !unit.is_present(),
            Sought::Is(condition) => unit.is(condition),
        }
    }

    /// Whether it holds now. `gone` asks about units that were eliminated or captured, all else
    /// about units that are there.
    pub(crate) fn holds(&self, location: &Location) -> bool {
        self.holds_if(self.is_decided(location, |_| true))
    }
}

impl std::fmt::Display for Test {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state =
            STATES.iter().find(|(_, state)| *state == self.state).map_or("", |(word, _)| word);
        match self.who {
            Who::Any => write!(f, "if any is {state}"),
            Who::All => write!(f, "if all are {state}"),
            Who::None => write!(f, "if none is {state}"),
            Who::Place(place) => write!(f, "if [{}] is {state}", place + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_read_as_they_are_told() {
        for (text, told) in [
            ("broken", "if any is broken"),
            ("ANY DM", "if any is dm"),
            ("all good_order", "if all are good-order"),
            ("none pinned", "if none is pinned"),
            ("2 gone", "if [2] is gone"),
        ] {
            assert_eq!(Test::parse(text, 2).unwrap().to_string(), told);
        }
        for (text, message) in [
            ("brokn", "no state is called `brokn` (did you mean `broken`?)"),
            ("3 broken", "`3` is neither any, all nor none, nor a slot from 1 to 2"),
            ("", "`` is no condition"),
        ] {
            let error = Test::parse(text, 2).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
