//! A unit on the map: a counter with its present conditions.

use crate::catalogue::CounterId;
use schema::declared::named;
use schema::roster::{condition, written};
use schema::{ChartClass, StatusInCharts};

/// The index of a unit in its Location, from 0. Created units come after those of the stack.
pub type UnitIndex = u8;

named! {
    /// A condition a unit can be in.
    pub enum Condition {
        Broken = "broken",
        /// Desperation Morale (10.62).
        Dm = "dm",
        /// A pin (7.8).
        Pinned = "pinned",
        /// A wound, of an SMC only (17.1).
        Wounded = "wounded",
        /// Fanaticism (10.8).
        Fanatic = "fanatic",
        /// A leader that is also a hero (15.21).
        Heroic = "heroic",
        /// Disruption (19.12). A Disrupted unit is also broken.
        Disrupted = "disrupted",
        /// Berserk (15.4).
        Berserk = "berserk",
        /// Exhaustion, shown by a CX counter (4.51). It changes no Morale Check.
        Cx = "cx",
        /// Encirclement (7.7).
        Encircled = "encircled",
        /// An unarmed unit (20.5).
        Unarmed = "unarmed",
        /// A prisoner (20.2).
        Captured = "captured",
        Eliminated = "eliminated",
        /// The unit has made its one Rally attempt of this Rally Phase (10.6).
        Tried = "tried",
        /// The unit began broken, and so can end as `rallied`. On a rout it marks who routs.
        BeganBroken = "began-broken",
        /// A wound has ended the rout of the unit (17.2).
        Stopped = "stopped",
        /// The unit has rolled for Heat of Battle in this phase, if a second roll is barred (I-27).
        Heated = "heated",
        /// The unit was created in this attack, if such units take no LLMC (interpretation I-43).
        Newcomer = "newcomer",
        /// The unit is under a `?` (12.1), as far as a later attack depends on it.
        Concealed = "concealed",
    }

    /// The final status of a unit in a result table, best first.
    pub enum Status {
        /// An unpinned unit in the last Location of its path.
        Arrived = "arrived",
        GoodOrder = "good-order",
        /// Good Order in a Rally table, for a unit that began broken.
        Rallied = "rallied",
        /// A unit that has crossed every Interdicted hex and is still broken (10.53).
        Through = "through",
        /// A unit whose rout was ended by a light wound (17.2).
        Stopped = "stopped",
        Pinned = "pinned",
        Berserk = "berserk",
        Broken = "broken",
        Disrupted = "disrupted",
        Captured = "captured",
        Eliminated = "eliminated",
    }
}

impl Condition {
    /// Returns the conditions that the stack notation can express, in its order.
    pub fn written() -> impl Iterator<Item = Condition> + Clone {
        Condition::ALL.into_iter().take_while(|condition| *condition <= Condition::Captured)
    }

    /// Returns the condition that a word of the stack notation means, in canonical spelling.
    pub fn from_word(word: &str) -> Option<Condition> {
        let word = ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word, |(_, name)| name);
        Condition::written().find(|condition| condition.name() == word)
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Further words for conditions.
const ALIASES: [(&str, &str); 6] = [
    ("pin", "pinned"),
    ("break", "broken"),
    ("wound", "wounded"),
    ("desperation-morale", "dm"),
    ("exhausted", "cx"),
    ("prisoner", "captured"),
];

/// Returns a counter with the conditions that last: `4-6-8/fanatic`.
pub(crate) fn with_lasting(counter: &str, fanatic: bool, heroic: bool) -> String {
    let lasting = [(fanatic, Condition::Fanatic), (heroic, Condition::Heroic)];
    written(counter, lasting.map(|(lasts, word)| condition(word.name(), lasts)))
}

/// The number of bits that record the birth of a unit: 8 for the round, 5 for the creating unit.
const BIRTH_BITS: u32 = 13;
/// The largest index of a creating unit that its 5 bits can hold.
const MOST_PLACES: UnitIndex = 31;

/// A set of conditions, one bit each. Its highest bits record the birth of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conditions(u32);

impl Conditions {
    pub(crate) const BIRTH: Conditions = Conditions(!(u32::MAX >> BIRTH_BITS));

    /// Records the round in which a unit appears (0 for none), and the unit that created it.
    #[inline]
    pub(crate) fn born(self, round: u8, out_of: UnitIndex) -> Conditions {
        let birth = match round {
            0 => 0,
            round => u32::from(round) << 24 | u32::from(out_of.min(MOST_PLACES)) << 19,
        };
        Conditions(self.0 & !Conditions::BIRTH.0 | birth)
    }

    /// Returns the round in which a unit appeared, and the index of the unit that created it.
    pub(crate) fn birth(self) -> (u8, UnitIndex) {
        ((self.0 >> 24) as u8, (self.0 >> 19) as u8 & MOST_PLACES)
    }

    /// Returns whether the set contains a condition.
    #[inline]
    pub const fn has(self, condition: Condition) -> bool {
        self.0 & condition.bit() != 0
    }

    /// Returns whether the set contains at least one of two conditions.
    #[inline]
    pub const fn has_any(self, a: Condition, b: Condition) -> bool {
        self.0 & (a.bit() | b.bit()) != 0
    }

    /// Returns whether the sets have a condition in common.
    #[inline]
    pub const fn meets(self, others: Conditions) -> bool {
        self.0 & others.0 != 0
    }

    /// Builds a set from an array.
    pub const fn from_array<const N: usize>(conditions: [Condition; N]) -> Conditions {
        let mut bits = 0;
        let mut place = 0;
        while place < N {
            bits |= conditions[place].bit();
            place += 1;
        }
        Conditions(bits)
    }

    /// Returns the union of both sets.
    pub const fn and(self, others: Conditions) -> Conditions {
        Conditions(self.0 | others.0)
    }

    /// Removes all conditions that are not in `others` from the set.
    #[inline]
    pub fn keep_only(&mut self, others: Conditions) {
        self.0 &= others.0;
    }

    /// Removes all conditions of `others` from the set.
    #[inline]
    pub fn clear_all(&mut self, others: Conditions) {
        self.0 &= !others.0;
    }

    #[inline]
    pub fn set(&mut self, condition: Condition) {
        self.0 |= condition.bit();
    }

    #[inline]
    pub fn clear(&mut self, condition: Condition) {
        self.0 &= !condition.bit();
    }

    /// Returns the contained conditions that the stack notation can express, in its order.
    pub fn written(self) -> impl Iterator<Item = Condition> {
        Condition::written().filter(move |&condition| self.has(condition))
    }
}

/// The Experience Level Rating of a unit (19.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elr {
    /// The ELR of the side. An underlined counter has ELR 5 instead (A1.23).
    Side(u8),
    /// An ELR set for this unit alone. It also applies to an underlined counter (A19.132).
    Own(u8),
}

/// A unit in play: its present counter and conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The index of the counter in the roster of the question.
    pub counter: CounterId,
    pub elr: Elr,
    /// True for a leader or Commissar of any grade (10.2). Stored, because every check needs it.
    pub leads: bool,
    pub conditions: Conditions,
}

/// The conditions in which a leader cannot lend its leadership in a check (10.21, 7.831, 15.41).
const UNABLE_TO_LEAD: Conditions = {
    use Condition::*;
    Conditions::from_array([Eliminated, Captured, Broken, Berserk, Pinned])
};

/// The conditions that a unit loses when it recovers (10.6, 15.21).
const RECOVERED_FROM: Conditions = {
    use Condition::*;
    Conditions::from_array([Broken, Dm, Disrupted, Pinned])
};

impl std::hash::Hash for Unit {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        let (is_own, elr) = match self.elr {
            Elr::Side(elr) => (false, elr),
            Elr::Own(elr) => (true, elr),
        };
        hasher.write_u64(
            u64::from(self.conditions.0) << 32
                | u64::from(is_own) << 17
                | u64::from(self.leads) << 16
                | u64::from(elr) << 8
                | u64::from(self.counter.0),
        );
    }
}

impl Unit {
    /// Returns whether the unit has a condition.
    #[inline]
    pub fn is(&self, condition: Condition) -> bool {
        self.conditions.has(condition)
    }

    /// Returns whether the unit is still in the Location: neither eliminated nor captured.
    #[inline]
    pub fn is_present(&self) -> bool {
        !self.conditions.has_any(Condition::Eliminated, Condition::Captured)
    }

    /// Returns whether the unit is present and neither broken nor berserk.
    #[inline]
    pub fn is_steady(&self) -> bool {
        self.is_present() && !self.conditions.has_any(Condition::Broken, Condition::Berserk)
    }

    /// Returns whether the unit is a leader neither broken, pinned nor berserk (10.21, 7.831).
    #[inline]
    pub fn can_lead(&self) -> bool {
        self.leads && !self.conditions.meets(UNABLE_TO_LEAD)
    }

    /// Returns whether the unit is steady and armed, and so can break unless it is a hero (15.2).
    #[inline]
    pub fn can_break(&self) -> bool {
        self.is_steady() && !self.is(Condition::Unarmed)
    }

    /// Breaks the unit. It loses its pin and gains DM (10.3, 10.62).
    pub(crate) fn break_down(&mut self) {
        self.conditions.set(Condition::Broken);
        self.conditions.set(Condition::Dm);
        self.conditions.clear(Condition::Pinned);
        self.conditions.clear(Condition::Concealed);
    }

    /// Restores the unit: it is no longer broken, under DM, Disrupted or pinned (10.6).
    pub(crate) fn recover(&mut self) {
        self.conditions.clear_all(RECOVERED_FROM);
    }
}

impl From<Status> for &'static str {
    fn from(status: Status) -> &'static str {
        status.name()
    }
}

impl Status {
    /// Returns what charts show of the status with a name.
    pub fn in_charts(name: &str) -> Option<StatusInCharts> {
        let status = Status::ALL.into_iter().find(|status| status.name() == name)?;
        let class = match status {
            Status::GoodOrder => return Some((ChartClass::Good, "Good Order")),
            Status::Arrived | Status::Rallied => ChartClass::Good,
            Status::Through => ChartClass::Through,
            Status::Stopped => ChartClass::Stopped,
            Status::Pinned => ChartClass::Pinned,
            Status::Berserk => ChartClass::Berserk,
            Status::Broken | Status::Disrupted => ChartClass::Broken,
            Status::Captured | Status::Eliminated => ChartClass::Lost,
        };
        Some((class, status.name()))
    }

    /// Returns the status of a unit with these conditions, named in the given wording.
    pub fn of_conditions(conditions: Conditions, wording: Wording) -> Status {
        let is = |condition| conditions.has(condition);
        let routed = wording == Wording::Rout && is(Condition::BeganBroken);
        let rallied = wording == Wording::Rally && is(Condition::BeganBroken);
        match () {
            _ if is(Condition::Eliminated) => Status::Eliminated,
            _ if is(Condition::Captured) => Status::Captured,
            _ if routed && is(Condition::Stopped) => Status::Stopped,
            _ if routed && is(Condition::Pinned) => Status::Pinned,
            _ if routed => Status::Through,
            _ if is(Condition::Disrupted) => Status::Disrupted,
            _ if is(Condition::Broken) => Status::Broken,
            _ if is(Condition::Berserk) => Status::Berserk,
            _ if is(Condition::Pinned) => Status::Pinned,
            _ if rallied => Status::Rallied,
            _ => Status::GoodOrder,
        }
    }
}

/// The status names that a table uses for units that began broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// The plain status.
    Check,
    /// The name `rallied` in place of `good-order`.
    Rally,
    /// The names `through`, `stopped` and `pinned` for the end of a rout.
    Rout,
}

impl Wording {
    /// Returns the conditions that serve only reports, but that this wording does not report.
    pub const fn unreported(self) -> Conditions {
        match self {
            Wording::Check => Conditions::from_array([Condition::BeganBroken, Condition::Stopped]),
            Wording::Rally | Wording::Rout => Conditions::from_array([]),
        }
    }
}
