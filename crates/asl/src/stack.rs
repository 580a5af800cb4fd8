//! Units in one Location, as they start.

use std::fmt;
use std::ops::Range;

use super::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use super::nation::Nation;
use super::unit::{Condition, Conditions, Status, Wording};

/// Most units a stack may have.
pub const MAX_UNITS: usize = 12;

/// Some places of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots(u16);

impl Slots {
    /// Every place, those of created units included.
    pub const ALL: Slots = Slots(u16::MAX);

    /// Whether a place, from 0, is one of them.
    pub fn has(self, place: u8) -> bool {
        self == Slots::ALL || self.0.checked_shr(place.into()).is_some_and(|bits| bits & 1 == 1)
    }

    /// Whether one place is picked and another is not.
    pub(crate) fn picks(self, place: usize) -> bool {
        self != Slots::ALL && self.has(place as u8)
    }

    /// The same in a process of some units, in which `place_of` finds their places.
    pub(crate) fn within(self, place_of: impl Fn(usize) -> Option<u8>) -> Slots {
        if self == Slots::ALL {
            return self;
        }
        let own = (0..MAX_UNITS).filter(|&place| self.picks(place)).filter_map(place_of);
        own.map(usize::from).collect()
    }
}

impl fmt::Display for Slots {
    /// `all units`, or slots as told: `1 and 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Slots::ALL {
            return f.write_str("all units");
        }
        let slots: Vec<String> = (0..16)
            .filter(|&place| self.has(place))
            .map(|place| format!("[{}]", place + 1))
            .collect();
        f.write_str(&slots.join(" and "))
    }
}

impl FromIterator<usize> for Slots {
    /// From places, counted from 0; a stack has no more than [`MAX_UNITS`].
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Slots {
        Slots(
            places
                .into_iter()
                .filter(|&place| place < MAX_UNITS)
                .fold(0, |bits, place| bits | 1 << place),
        )
    }
}

/// One unit of a stack, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its counter in the catalogue.
    pub counter: CounterId,
    /// Whose it is, where the counter does not say: heroes and vehicular crews.
    pub nation: Option<Nation>,
    /// Its conditions at the start.
    pub conditions: Conditions,
    /// ELR of its own, instead of that of its side.
    pub elr: Option<u8>,
    /// Morale instead of the printed one, until another counter takes its place.
    pub morale: Option<i8>,
    /// Broken morale instead of the printed one, until another counter takes its place.
    pub broken_morale: Option<i8>,
}

impl Member {
    /// The counter as printed.
    pub fn printed(&self) -> &'static Counter {
        CATALOGUE.get(self.counter)
    }

    /// The status it starts in.
    pub fn start_status(&self) -> Status {
        Status::of_conditions(self.conditions, Wording::Check)
    }

    /// Whether a condition holds at the start.
    pub fn is(&self, condition: Condition) -> bool {
        self.conditions.has(condition)
    }

    /// I-8, 10.711: whether it is a leader fit to lead others: unbroken, not pinned, not berserk,
    /// not captured.
    pub fn can_lead(&self) -> bool {
        let unfit = [Condition::Broken, Condition::Pinned, Condition::Berserk, Condition::Captured];
        self.printed().kind.is_leader() && !unfit.into_iter().any(|unfit| self.is(unfit))
    }
}

impl fmt::Display for Member {
    /// The unit in the notation, nation included.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counter = self.printed();
        let alike = |other: &&Counter| {
            other.nation == counter.nation && other.printed() == counter.printed()
        };
        let unique = CATALOGUE
            .counters()
            .iter()
            .filter(alike)
            .filter(|c| c.kind != CounterKind::Commissar)
            .count()
            == 1;
        match counter.kind {
            CounterKind::Commissar => write!(f, "commissar:{}", counter.printed())?,
            _ if counter.nation == Nation::Any => match self.nation {
                Some(nation) => write!(f, "{nation}:{}", counter.printed())?,
                None => f.write_str(counter.printed())?,
            },
            _ if unique => write!(f, "{counter}")?,
            _ => write!(f, "id:{}", counter.id)?,
        }
        let words = self.conditions.written().filter(|&condition| {
            let implied = condition == Condition::Broken && self.is(Condition::Disrupted);
            let printed = condition == Condition::Wounded && counter.kind == CounterKind::Hero;
            !implied && !printed
        });
        let mut words: Vec<String> = words.map(|condition| condition.name().to_string()).collect();
        words.extend(self.elr.map(|elr| format!("elr={elr}")));
        words.extend(self.morale.map(|morale| format!("morale={morale}")));
        words.extend(self.broken_morale.map(|morale| format!("broken-morale={morale}")));
        if words.is_empty() { Ok(()) } else { write!(f, "/{}", words.join(",")) }
    }
}

/// Units in one Location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The units, slot 1 first.
    pub members: Vec<Member>,
    /// Where each of them is written.
    pub spans: Vec<Range<usize>>,
    /// Nations the reader had to assume, in words.
    pub assumed: Vec<String>,
}

impl Stack {
    /// The stack as a player would write it: those that are alike, one after the other, as one.
    pub fn in_words(&self) -> String {
        let alike = self.members.chunk_by(|a, b| a.to_string() == b.to_string());
        let words = alike.map(|members| match members {
            [member] => member.to_string(),
            members => format!("{}x {}", members.len(), members[0]),
        });
        words.collect::<Vec<_>>().join(" + ")
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, member) in self.members.iter().enumerate() {
            write!(f, "{}{member}", if place == 0 { "" } else { " + " })?;
        }
        Ok(())
    }
}

/// Conditions a counter cannot be in, or that exclude each other.
pub(super) fn check_conditions(member: &Member) -> Result<(), String> {
    use Condition::*;
    let counter = member.printed();
    let name = counter.printed();
    let smc = counter.kind.is_smc();
    let rules = [
        (member.is(Wounded) && !smc, "only an SMC can be wounded (A17.1)"),
        (member.is(Heroic) && !counter.kind.is_leader(), "only a leader can be heroic (A15.21)"),
        (member.is(Heroic) && member.is(Broken), "a heroic leader is never broken (A15.21)"),
        (member.is(Heroic) && member.is(Pinned), "a heroic leader is never pinned (A15.2)"),
        (member.is(Heroic) && member.is(Berserk), "a heroic leader is never berserk (A15.2)"),
        (counter.kind == CounterKind::Hero && member.is(Broken), "a hero is never broken (A15.2)"),
        (counter.kind == CounterKind::Hero && member.is(Pinned), "a hero is never pinned (A15.2)"),
        (
            counter.kind == CounterKind::Hero && member.is(Berserk),
            "a hero is never berserk (A15.2)",
        ),
        (member.is(Berserk) && member.is(Broken), "a berserk unit is not broken (A15.4)"),
        (member.is(Berserk) && member.is(Pinned), "a berserk unit is never pinned (A15.42)"),
        (member.is(Fanatic) && member.is(Disrupted), "a Fanatic unit is never Disrupted (A19.12)"),
        (
            member.is(Disrupted) && counter.kind == CounterKind::Commissar,
            "a Commissar is never Disrupted (A25.22)",
        ),
        (member.is(Captured) && member.is(Berserk), "a prisoner is not berserk (A20.5)"),
        (member.is(Pinned) && member.is(Broken), "a unit that breaks loses its pin (A7.8)"),
        (
            member.broken_morale.is_some() && counter.kind == CounterKind::Hero,
            "a hero has no broken side (A15.2)",
        ),
    ];
    match rules.iter().find(|(broken, _)| *broken) {
        Some((_, rule)) => Err(format!("an impossible {name}: {rule}")),
        None => Ok(()),
    }
}
