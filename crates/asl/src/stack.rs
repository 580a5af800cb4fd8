//! The units in one Location at the start of a question.

use std::fmt;
use std::ops::Range;

use super::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use super::nation::Nation;
use super::unit::{Condition, Conditions};
use schema::roster::{condition, joined, numbered, written};

/// The largest number of units in a stack.
pub const MAX_UNITS: usize = 12;

/// A set of slots of a stack, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots(u16);

impl Slots {
    /// All slots, including the slots of created units.
    pub const ALL: Slots = Slots(u16::MAX);

    /// Returns whether the set contains a slot, counted from 0.
    pub fn has(self, place: u8) -> bool {
        self == Slots::ALL || self.0.checked_shr(place.into()).is_some_and(|bits| bits & 1 == 1)
    }

    /// Returns whether the set names this slot, counted from 0. [`Slots::ALL`] names no slot.
    pub(crate) fn picks(self, place: usize) -> bool {
        self != Slots::ALL && self.has(place as u8)
    }

    /// Translates the set into a process of fewer units. `place_of` maps slots, from 0, to indices.
    pub(crate) fn within(self, place_of: impl Fn(usize) -> Option<u8>) -> Slots {
        if self == Slots::ALL {
            return self;
        }
        let own = (0..MAX_UNITS).filter(|&place| self.picks(place)).filter_map(place_of);
        own.map(usize::from).collect()
    }
}

impl fmt::Display for Slots {
    /// Writes `all units`, or the slots counted from 1, such as `[1] and [3]`.
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
    /// Collects slots counted from 0. Slots from [`MAX_UNITS`] on are dropped.
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Slots {
        Slots(
            places
                .into_iter()
                .filter(|&place| place < MAX_UNITS)
                .fold(0, |bits, place| bits | 1 << place),
        )
    }
}

/// The facts about a unit that count in Close Combat only (11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CombatRole {
    /// True under a TI counter (4.8).
    pub ti: bool,
    /// True for a Guard of prisoners (20.5).
    pub guard: bool,
    /// True if Stealthy by SSR (11.17).
    pub stealthy: bool,
    /// True if Lax by SSR (11.18).
    pub lax: bool,
    /// True for an SMC that fights by itself (11.14).
    pub alone: bool,
    /// The number, from 1, of the MMC with which an SMC stands (11.14).
    pub with: Option<u8>,
}

impl CombatRole {
    /// The words for what holds or does not.
    pub const WORDS: [&str; 5] = ["ti", "guard", "stealthy", "lax", "alone"];

    /// Returns the flag that a word stands for.
    pub fn flag(&mut self, word: &str) -> Option<&mut bool> {
        let CombatRole { ti, guard, stealthy, lax, alone, with: _ } = self;
        let place = CombatRole::WORDS.iter().position(|known| *known == word)?;
        [ti, guard, stealthy, lax, alone].into_iter().nth(place)
    }

    /// Returns the words that hold, as written.
    pub fn written(mut self) -> impl Iterator<Item = Option<String>> {
        let with = numbered("with", self.with);
        let words = CombatRole::WORDS
            .map(|word| condition(word, self.flag(word).is_some_and(|flag| *flag)));
        words.into_iter().chain([with])
    }
}

/// One unit of a stack, as the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The counter in the catalogue.
    pub counter: CounterId,
    /// The nation of a unit whose counter has none: heroes and vehicular crews.
    pub nation: Option<Nation>,
    pub conditions: Conditions,
    /// True under a `?` (12.1), as far as it matters to named firers and in Close Combat.
    pub concealed: bool,
    /// What counts in Close Combat only (11).
    pub role: CombatRole,
    /// The ELR of the unit itself, or `None` if the ELR of its side applies.
    pub elr: Option<u8>,
    /// A morale that replaces the printed one until another counter replaces the unit.
    pub morale: Option<i8>,
    /// A broken morale that replaces the printed one until another counter replaces the unit.
    pub broken_morale: Option<i8>,
}

impl Member {
    /// Returns the counter of the unit, with its printed values.
    pub fn printed(&self) -> &'static Counter {
        CATALOGUE.get(self.counter)
    }

    /// Returns the nation of the unit.
    pub fn nationality(&self) -> Nation {
        self.nation.unwrap_or(self.printed().nation)
    }

    /// Returns whether the unit is a leader. Heroes are not leaders (10.2).
    pub fn is_leader(&self) -> bool {
        self.printed().kind.is_leader()
    }

    /// Returns whether the unit has a condition at the start.
    pub fn is(&self, condition: Condition) -> bool {
        self.conditions.has(condition)
    }

    /// Returns whether the unit is a leader neither broken, pinned, berserk nor captured (10.711).
    pub fn can_lead(&self) -> bool {
        let unfit = [Condition::Broken, Condition::Pinned, Condition::Berserk, Condition::Captured];
        self.is_leader() && !unfit.into_iter().any(|unfit| self.is(unfit))
    }
}

impl Member {
    /// Returns the unit in the notation, by its class in place of the id if that is enough:
    /// `russian:6-2-8:e`.
    pub fn in_words(&self) -> String {
        let counter = self.printed();
        let alike = |other: &&Counter| {
            (other.nation, other.printed(), other.kind)
                == (counter.nation, counter.printed(), counter.kind)
                && other.class == counter.class
        };
        let id = format!("id:{}", counter.id);
        let is_only = CATALOGUE.counters().iter().filter(alike).count() == 1;
        let class = match counter.kind {
            CounterKind::Crew => CounterKind::Crew.name(),
            _ => counter.class.name(),
        };
        match self.to_string().strip_prefix(&id) {
            Some(conditions) if is_only => format!("{counter}:{class}{conditions}"),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counter = self.printed();
        let alike = |other: &&Counter| {
            (other.nation, other.printed()) == (counter.nation, counter.printed())
                && other.kind != CounterKind::Commissar
        };
        let unique = CATALOGUE.counters().iter().filter(alike).count() == 1;
        let name = match (counter.kind, self.nation) {
            (CounterKind::Commissar, _) => format!("commissar:{}", counter.printed()),
            (_, Some(nation)) if counter.nation == Nation::Any => {
                format!("{nation}:{}", counter.printed())
            }
            _ if counter.nation == Nation::Any => counter.printed().to_string(),
            _ if unique => counter.to_string(),
            _ => format!("id:{}", counter.id),
        };
        let words = self.conditions.written().filter(|&condition| {
            let implied = condition == Condition::Broken && self.is(Condition::Disrupted);
            let printed = condition == Condition::Wounded && counter.kind == CounterKind::Hero;
            !implied && !printed
        });
        let morale = [("morale", self.morale), ("broken-morale", self.broken_morale)];
        let numbers = morale.map(|(word, number)| numbered(word, number));
        let concealed = condition("concealed", self.concealed);
        let words = words.map(|word| condition(word.name(), true)).chain([concealed]);
        let words = words.chain(self.role.written());
        let words = words.chain([numbered("elr", self.elr)]).chain(numbers);
        f.write_str(&written(&name, words))
    }
}

/// The units in one Location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// The units in the order of their slots.
    pub members: Vec<Member>,
    /// The byte range of each unit in the parsed text.
    pub spans: Vec<Range<usize>>,
    /// Notes on the nations that the parser had to assume.
    pub assumed: Vec<String>,
    /// The Dummies under its `?`, which are no units (12.11).
    pub dummies: usize,
}

impl Stack {
    /// Returns the stack in the notation, with equal neighbours grouped: `2x german:4-6-7`.
    pub fn in_words(&self) -> String {
        let alike = self.members.chunk_by(|a, b| a.to_string() == b.to_string());
        let words = alike.map(|members| match members {
            [member] => member.in_words(),
            [first, ..] => format!("{}x {}", members.len(), first.in_words()),
            [] => String::new(),
        });
        words.collect::<Vec<_>>().join(" + ")
    }

    /// Returns the printed values of the unit in a slot (1-based), with the slot if others have
    /// them too.
    pub fn name_of(&self, slot: u8) -> String {
        let printed = |member: &Member| member.printed().printed();
        let member = usize::from(slot).checked_sub(1).and_then(|place| self.members.get(place));
        let Some(name) = member.map(printed) else { return format!("[{slot}]") };
        let alike = self.members.iter().filter(|other| printed(other) == name).count();
        if alike == 1 { name.to_string() } else { format!("{name} [{slot}]") }
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.members))
    }
}

/// Rejects conditions that a counter cannot have, or that exclude each other.
pub(super) fn check_conditions(member: &Member) -> Result<(), String> {
    use Condition::*;
    let counter = member.printed();
    let name = counter.printed();
    let is = |condition| member.is(condition);
    let hero = counter.kind == CounterKind::Hero;
    let commissar = counter.kind == CounterKind::Commissar;
    let rules = [
        (is(Wounded) && !counter.kind.is_smc(), "only an SMC can be wounded (A17.1)"),
        (is(Heroic) && !counter.kind.is_leader(), "only a leader can be heroic (A15.21)"),
        (is(Heroic) && is(Broken), "a heroic leader is never broken (A15.21)"),
        (is(Heroic) && is(Pinned), "a heroic leader is never pinned (A15.2)"),
        (is(Heroic) && is(Berserk), "a heroic leader is never berserk (A15.2)"),
        (hero && is(Broken), "a hero is never broken (A15.2)"),
        (hero && is(Pinned), "a hero is never pinned (A15.2)"),
        (hero && is(Berserk), "a hero is never berserk (A15.2)"),
        (is(Berserk) && is(Broken), "a berserk unit is not broken (A15.4)"),
        (is(Berserk) && is(Pinned), "a berserk unit is never pinned (A15.42)"),
        (is(Fanatic) && is(Disrupted), "a Fanatic unit is never Disrupted (A19.12)"),
        (is(Disrupted) && commissar, "a Commissar is never Disrupted (A25.22)"),
        (is(Captured) && is(Berserk), "a prisoner is not berserk (A20.5)"),
        (is(Pinned) && is(Broken), "a unit that breaks loses its pin (A7.8)"),
        (hero && member.broken_morale.is_some(), "a hero has no broken side (A15.2)"),
    ];
    match rules.iter().find(|(broken, _)| *broken) {
        Some((_, rule)) => Err(format!("{name} is impossible: {rule}")),
        None => Ok(()),
    }
}
