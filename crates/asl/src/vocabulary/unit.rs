//! A unit on the map: a counter with its present conditions (section 2.2 of the rules restated).

use std::fmt;

use super::location::Place;
use crate::catalogue::CounterId;

/// A condition a unit can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Condition {
    Broken = 1,
    /// 10.62 Desperation Morale.
    Dm = 1 << 1,
    /// 7.8.
    Pinned = 1 << 2,
    /// 17.1; SMC only.
    Wounded = 1 << 3,
    /// 10.8.
    Fanatic = 1 << 4,
    /// 15.21: a leader who is a hero as well.
    Heroic = 1 << 5,
    /// 19.12; implies broken.
    Disrupted = 1 << 6,
    /// 15.4.
    Berserk = 1 << 7,
    /// 4.51; changes no Morale Check.
    Cx = 1 << 8,
    /// 7.7.
    Encircled = 1 << 9,
    /// 20.5.
    Unarmed = 1 << 10,
    /// 20.2.
    Captured = 1 << 11,
    Eliminated = 1 << 12,
    /// 10.6: has made its one Rally attempt of this Rally Phase.
    Tried = 1 << 13,
    /// Was broken when the question was asked: in a Rally table it ends `rallied`, in a rout it is
    /// the one that routs.
    BeganBroken = 1 << 14,
    /// 17.2: a wound has ended its rout.
    Stopped = 1 << 15,
    /// I-27: has rolled for Heat of Battle in this attack or Rally Phase; kept only where a second
    /// roll is barred.
    Heated = 1 << 16,
    /// I-43: was created in this attack; kept only where that exempts from its LLMC.
    Newcomer = 1 << 17,
}

impl Condition {
    /// The conditions that can be written in the stack notation.
    pub const WRITTEN: [Condition; 12] = [
        Condition::Broken,
        Condition::Dm,
        Condition::Pinned,
        Condition::Wounded,
        Condition::Fanatic,
        Condition::Heroic,
        Condition::Disrupted,
        Condition::Berserk,
        Condition::Cx,
        Condition::Encircled,
        Condition::Unarmed,
        Condition::Captured,
    ];

    /// The word of the stack notation.
    pub const fn name(self) -> &'static str {
        match self {
            Condition::Broken => "broken",
            Condition::Dm => "dm",
            Condition::Pinned => "pinned",
            Condition::Wounded => "wounded",
            Condition::Fanatic => "fanatic",
            Condition::Heroic => "heroic",
            Condition::Disrupted => "disrupted",
            Condition::Berserk => "berserk",
            Condition::Cx => "cx",
            Condition::Encircled => "encircled",
            Condition::Unarmed => "unarmed",
            Condition::Captured => "captured",
            Condition::Eliminated => "eliminated",
            Condition::Tried => "tried",
            Condition::BeganBroken => "began-broken",
            Condition::Stopped => "stopped",
            Condition::Heated => "heated",
            Condition::Newcomer => "newcomer",
        }
    }
}

/// Bits of a set that say when a unit appeared.
const BIRTH_BITS: u32 = 14;
/// The last place they can name.
const MOST_PLACES: Place = 63;

/// A set of conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conditions(u32);

impl Conditions {
    /// The bits of [`Conditions::born`].
    pub(crate) const BIRTH: Conditions = Conditions(!(u32::MAX >> BIRTH_BITS));

    /// The same of a unit that appears in that round, out of the unit in that place; of no round
    /// nothing is noted.
    #[inline]
    pub(crate) fn born(self, round: u8, out_of: Place) -> Conditions {
        let birth = match round {
            0 => 0,
            round => u32::from(round) << 24 | u32::from(out_of.min(MOST_PLACES)) << 18,
        };
        Conditions(self.0 & !Conditions::BIRTH.0 | birth)
    }

    /// The round in which a unit appeared, and the place of the unit out of which it did.
    pub(crate) fn birth(self) -> (u8, Place) {
        ((self.0 >> 24) as u8, (self.0 >> 18) as u8 & MOST_PLACES)
    }

    #[inline]
    pub const fn has(self, condition: Condition) -> bool {
        self.0 & condition as u32 != 0
    }

    #[inline]
    pub const fn has_any(self, a: Condition, b: Condition) -> bool {
        self.0 & (a as u32 | b as u32) != 0
    }

    /// Whether any of a set holds.
    #[inline]
    pub const fn meets(self, others: Conditions) -> bool {
        self.0 & others.0 != 0
    }

    /// The set of some conditions.
    pub const fn of<const N: usize>(conditions: [Condition; N]) -> Conditions {
        let mut bits = 0;
        let mut place = 0;
        while place < N {
            bits |= conditions[place] as u32;
            place += 1;
        }
        Conditions(bits)
    }

    /// Both sets together.
    pub const fn and(self, others: Conditions) -> Conditions {
        Conditions(self.0 | others.0)
    }

    /// Clears all but a set.
    #[inline]
    pub fn keep_only(&mut self, others: Conditions) {
        self.0 &= others.0;
    }

    /// Clears a set.
    #[inline]
    pub fn clear_all(&mut self, others: Conditions) {
        self.0 &= !others.0;
    }

    #[inline]
    pub fn set(&mut self, condition: Condition) {
        self.0 |= condition as u32;
    }

    #[inline]
    pub fn clear(&mut self, condition: Condition) {
        self.0 &= !(condition as u32);
    }

    /// Those conditions of the notation that hold, in its order.
    pub fn written(self) -> impl Iterator<Item = Condition> {
        Condition::WRITTEN.into_iter().filter(move |&condition| self.has(condition))
    }
}

impl FromIterator<Condition> for Conditions {
    fn from_iter<I: IntoIterator<Item = Condition>>(conditions: I) -> Self {
        let mut set = Conditions::default();
        conditions.into_iter().for_each(|condition| set.set(condition));
        set
    }
}

/// The Experience Level Rating of a unit (19.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elr {
    /// That of its side: an underlined counter has 5 all the same (A1.23).
    Side(u8),
    /// Named on the unit itself, for underlined counters too (A19.132).
    Own(u8),
}

impl Elr {
    /// Returns the number by which a failed check may exceed the Morale Level.
    pub(crate) fn of_counter(self, is_underlined: bool) -> u8 {
        match self {
            Elr::Side(_) if is_underlined => 5,
            Elr::Side(elr) | Elr::Own(elr) => elr,
        }
    }
}

/// A unit in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Place of its counter among the counters of the question.
    pub counter: CounterId,
    pub elr: Elr,
    /// 10.2: a leader or Commissar, whatever grade he has. Every check asks it of every unit, so it
    /// stands here.
    pub leads: bool,
    pub conditions: Conditions,
}

/// What keeps a leader from lending his leadership in a check (10.21, 7.831, 15.41).
const UNABLE_TO_LEAD: Conditions = Conditions::of([
    Condition::Eliminated,
    Condition::Captured,
    Condition::Broken,
    Condition::Berserk,
    Condition::Pinned,
]);

/// What a unit loses when it is up again (10.6, 15.21).
const RECOVERED_FROM: Conditions =
    Conditions::of([Condition::Broken, Condition::Dm, Condition::Disrupted, Condition::Pinned]);

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
    #[inline]
    pub fn is(&self, condition: Condition) -> bool {
        self.conditions.has(condition)
    }

    /// Still in the Location: neither eliminated nor captured.
    #[inline]
    pub fn is_present(&self) -> bool {
        !self.conditions.has_any(Condition::Eliminated, Condition::Captured)
    }

    /// Present and neither broken nor berserk: a leader so placed may lead unless pinned.
    #[inline]
    pub fn is_steady(&self) -> bool {
        self.is_present() && !self.conditions.has_any(Condition::Broken, Condition::Berserk)
    }

    /// 10.21, 7.831: a leader who is neither broken, pinned nor berserk.
    #[inline]
    pub fn can_lead(&self) -> bool {
        self.leads && !self.conditions.meets(UNABLE_TO_LEAD)
    }

    /// Able to break: not broken, and neither berserk nor unarmed; heroes (15.2) are left to the
    /// caller.
    #[inline]
    pub fn can_break(&self) -> bool {
        self.is_steady() && !self.is(Condition::Unarmed)
    }

    /// 10.3, 10.62: the unit is broken, loses its pin and gains DM.
    pub(crate) fn break_down(&mut self) {
        self.conditions.set(Condition::Broken);
        self.conditions.set(Condition::Dm);
        self.conditions.clear(Condition::Pinned);
    }

    /// 10.6: the unit is rallied; DM and Disruption are lost.
    pub(crate) fn recover(&mut self) {
        self.conditions.clear_all(RECOVERED_FROM);
    }
}

/// How a unit ends, for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    GoodOrder,
    /// Good Order, in a Rally table, for a unit that began broken.
    Rallied,
    /// 10.53: has crossed every Interdicted hex, still broken.
    Through,
    /// 17.2: a light wound has ended the rout.
    Stopped,
    Pinned,
    Berserk,
    Broken,
    Disrupted,
    Captured,
    Eliminated,
}

impl Status {
    const ALL: [Status; 10] = [
        Status::GoodOrder,
        Status::Rallied,
        Status::Through,
        Status::Stopped,
        Status::Pinned,
        Status::Berserk,
        Status::Broken,
        Status::Disrupted,
        Status::Captured,
        Status::Eliminated,
    ];

    /// The place of a word of the result table where courses are compared, the best end first.
    pub fn rank(name: &str) -> usize {
        Status::ALL.iter().position(|status| status.name() == name).unwrap_or(Status::ALL.len())
    }

    /// The word of the result table.
    pub const fn name(self) -> &'static str {
        match self {
            Status::GoodOrder => "good-order",
            Status::Rallied => "rallied",
            Status::Through => "through",
            Status::Stopped => "stopped",
            Status::Pinned => "pinned",
            Status::Berserk => "berserk",
            Status::Broken => "broken",
            Status::Disrupted => "disrupted",
            Status::Captured => "captured",
            Status::Eliminated => "eliminated",
        }
    }

    /// The first status that fits, in words that suit the question.
    pub fn of_conditions(conditions: Conditions, wording: Wording) -> Status {
        let is = |condition| conditions.has(condition);
        let routed = wording == Wording::Rout && is(Condition::BeganBroken);
        let rallied = wording == Wording::Rally && is(Condition::BeganBroken);
        if is(Condition::Eliminated) {
            Status::Eliminated
        } else if is(Condition::Captured) {
            Status::Captured
        } else if routed && is(Condition::Stopped) {
            Status::Stopped
        } else if routed && is(Condition::Pinned) {
            Status::Pinned
        } else if routed {
            Status::Through
        } else if is(Condition::Disrupted) {
            Status::Disrupted
        } else if is(Condition::Broken) {
            Status::Broken
        } else if is(Condition::Berserk) {
            Status::Berserk
        } else if is(Condition::Pinned) {
            Status::Pinned
        } else if rallied {
            Status::Rallied
        } else {
            Status::GoodOrder
        }
    }
}

/// Which words a table uses for units that began broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// As they stand.
    Check,
    /// `rallied` in place of `good-order`.
    Rally,
    /// `through`, `stopped` and `pinned` for how the rout ended.
    Rout,
}

impl Wording {
    /// The conditions that are kept to be told and that these words do not tell.
    pub const fn untold(self) -> Conditions {
        match self {
            Wording::Check => Conditions::of([Condition::BeganBroken, Condition::Stopped]),
            Wording::Rally | Wording::Rout => Conditions::of([]),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
