//! One Location (A2.8) in play: its units, and the agenda of what is still to be done there.
//!
//! The rulebook is written as an agenda: a check is made, and it leaves further checks to be made.
//! So is the state. The task on top of the agenda is the next; carrying it out changes units and
//! may put new tasks on top.

use smallvec::SmallVec;

use super::unit::{Condition, Conditions, Unit};
use crate::catalogue::CounterKind;

/// Place of a unit in the Location, from 0. Created units come after those of the stack.
pub type Place = u8;

/// Something still to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// 7.3: the DR of an attack on the IFT.
    Attack,
    /// A.9: the next dr of a Random Selection of `count` units, for a KIA or a K result.
    RandomSelection { count: u8, kia: bool },
    /// 7.301, 7.302: a unit is struck: eliminated, broken (Reduced if it cannot break), or Reduced;
    /// `level` is its ML before.
    Struck { unit: Place, how: Strike, level: i8 },
    /// 10.1: a Morale Check caused by an attack.
    MoraleCheck { unit: Place, drm: i8 },
    /// 7.305: a Pin Task Check.
    PinTaskCheck { unit: Place },
    /// 10.2: a Leader Loss Morale Check, for a leader lost at that ML with that leadership.
    LossMoraleCheck { unit: Place, leader: Place, level: i8, leadership: i8 },
    /// 10.2: a Leader Loss Task Check.
    LossTaskCheck { unit: Place, leader: Place, level: i8, leadership: i8 },
    /// 17.11: the severity dr of a wound; the leader's loss it may lead to is the last one noted.
    WoundSeverity { unit: Place, bonus: i8, noted: bool },
    /// 15.1: Heat of Battle; `was_broken` when the Original 2 was rolled.
    HeatOfBattle { unit: Place, was_broken: bool },
    /// 15.41: the NTC a leader who goes berserk brings.
    BerserkCheck { unit: Place, leader: Place },
    /// 10.2: the checks for the leaders lost so far.
    LeaderLosses,
    /// 10.2, I-32: the LLTC for the leaders broken so far, ahead of the MC still to be made.
    EarlyTaskChecks,
    /// 10.6: the next Rally attempt of this Rally Phase, or its end.
    NextRally,
    /// Of a unit played beside what is common to all: it waits to be called. In a Rally Phase: to be
    /// the first MMC to Self-Rally (18.11); at a condition: to meet it.
    Call,
    /// The same: what became of the first MMC to Self-Rally is to be told to all; the leader it has
    /// created, and whether it is the unit's own.
    News { leader: Option<Place>, own: bool },
    /// The same: in this Rally Phase nobody is the first any more.
    Spoilt,
    /// 10.62: the removal of DM at the end of this Rally Phase, where the owner may choose to keep
    /// it.
    DmRemoval,
    /// 10.6: a Rally attempt.
    RallyAttempt { unit: Place },
    /// A25.22: the price of a Rally under a Commissar that failed.
    CommissarsPrice { unit: Place },
    /// 18.2: Leader Creation.
    LeaderCreation { unit: Place },
    /// 10.53: the NMC for entering an Interdicted hex.
    Interdiction { unit: Place, hex: Entered },
    /// 10.711: the leader who went along is lost with the check of his unit.
    EscortLost { unit: Place },
    /// 10.53: what follows in that hex; `wounded` there or not.
    AfterInterdiction { unit: Place, hex: Entered, wounded: bool },
}

/// An Interdicted hex that a routing unit has entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entered {
    /// That of a row, counted from 1.
    Hex(u8),
    /// One of a map, which knows where the unit is.
    OnMap,
}

/// What strikes a unit outright (7.301, 7.302).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strike {
    Eliminated,
    Broken,
    Reduced,
}

/// What becomes of a leader who was lost (10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fall {
    /// He broke: LLTC.
    Broke,
    /// He was eliminated: LLMC.
    Died,
}

/// A leader's loss whose checks are still to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeaderLoss {
    pub leader: Place,
    pub fall: Fall,
    /// I-5: the ML he is compared by.
    pub level: i8,
    /// His leadership DRM at that moment.
    pub leadership: i8,
}

/// What a leader's loss is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub level: i8,
    pub leadership: i8,
}

/// The state of every ASL process.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Stage of the engagement that is being worked through.
    pub(crate) stage: u16,
    /// Rounds in which units have their turns one after another, so far, where it is asked when
    /// units appear (see [`Conditions::born`]); else 0.
    pub(crate) round: u8,
    pub(crate) units: SmallVec<[Unit; 14]>,
    /// The next task is last.
    pub(crate) agenda: SmallVec<[Task; 18]>,
    /// Losses in the order they happened.
    pub(crate) losses: SmallVec<[LeaderLoss; 6]>,
    /// A.9: the dr of the candidates who have rolled so far, units left out of the process first; 0
    /// for those who can no longer be selected.
    pub(crate) selection: SmallVec<[u8; 12]>,
}

impl Clone for Location {
    /// Copies whole slices, which is faster than element by element: engines clone a state for
    /// every reading of every roll.
    #[inline]
    fn clone(&self) -> Location {
        Location {
            stage: self.stage,
            round: self.round,
            units: SmallVec::from_slice(&self.units),
            agenda: SmallVec::from_slice(&self.agenda),
            losses: SmallVec::from_slice(&self.losses),
            selection: SmallVec::from_slice(&self.selection),
        }
    }
}

impl Location {
    /// Units somewhere on a map, in the first stage of their engagement, with nothing to do yet.
    pub(crate) fn on_map(units: SmallVec<[Unit; 14]>) -> Location {
        Location {
            stage: 1,
            round: 0,
            units,
            agenda: SmallVec::new(),
            losses: SmallVec::new(),
            selection: SmallVec::new(),
        }
    }

    /// Whether nothing is left to do.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.agenda.is_empty()
    }

    /// Nothing is under way, and who was lost beside the first unit is forgotten: sequences that
    /// differ in nothing else merge.
    pub(crate) fn at_rest(&mut self) {
        self.stage = 0;
        let mut is_first = true;
        self.units.retain(|unit| std::mem::take(&mut is_first) || unit.is_present());
    }

    /// Leaves the first `units` only: the others stay behind.
    pub(crate) fn truncate(&mut self, units: usize) {
        self.units.truncate(units);
    }

    #[inline]
    pub(crate) fn unit(&self, place: Place) -> &Unit {
        &self.units[usize::from(place)]
    }

    #[inline]
    pub(crate) fn unit_mut(&mut self, place: Place) -> &mut Unit {
        &mut self.units[usize::from(place)]
    }

    /// Every place, in stack order.
    #[inline]
    pub(crate) fn places(&self) -> impl DoubleEndedIterator<Item = Place> + use<> {
        0..self.units.len() as Place
    }

    /// Units have their turns anew.
    #[inline]
    pub(crate) fn begin_round(&mut self) {
        self.round = if self.round > 0 { (self.round & !1).saturating_add(2) } else { 0 };
    }

    /// Whether rounds are too many to be told apart.
    pub(crate) fn has_lost_count(&self) -> bool {
        self.round >= u8::MAX - 1
    }

    /// The round of those who are played beside what is common, after all that comes of it in this
    /// one: that may begin anywhere.
    #[inline]
    pub(crate) fn begin_last_round(&mut self) {
        self.round |= u8::from(self.round > 0);
    }

    /// The places of the units that are there.
    pub(crate) fn present(&self) -> impl DoubleEndedIterator<Item = Place> {
        self.places().filter(|&place| self.unit(place).is_present())
    }

    /// Puts a task on top.
    #[inline]
    pub(crate) fn push(&mut self, task: Task) {
        self.agenda.push(task);
    }

    /// A new unit appears, out of another; its place. `None` where no number is left for it, after
    /// 255 units.
    pub(crate) fn appear(&mut self, unit: Unit, out_of: Place) -> Option<Place> {
        let place = Place::try_from(self.units.len()).ok().filter(|&place| place < Place::MAX)?;
        let conditions = unit.conditions.born(self.round, out_of);
        self.units.push(Unit { conditions, ..unit });
        Some(place)
    }

    /// Takes a unit of that kind off the map. What it was matters no more, so that sequences which
    /// differ in nothing else merge; only about a leader the checks for his loss still ask, until
    /// the stage is over.
    pub(crate) fn eliminate(&mut self, place: Place, kind: CounterKind) {
        self.leave(place, Condition::Eliminated, Conditions::default());
        let unit = self.unit_mut(place);
        if !unit.leads {
            unit.counter = kind.remains();
        }
    }

    /// 15.5, 20.21: the unit becomes a prisoner.
    pub(crate) fn capture(&mut self, place: Place) {
        self.leave(
            place,
            Condition::Captured,
            Conditions::of([Condition::Wounded, Condition::Fanatic, Condition::Heroic]),
        );
    }

    fn leave(&mut self, place: Place, how: Condition, lasting: Conditions) {
        let conditions = &mut self.unit_mut(place).conditions;
        let told = Conditions::of([Condition::Tried, Condition::BeganBroken]);
        conditions.keep_only(told.and(lasting).and(Conditions::BIRTH));
        conditions.set(how);
    }

    /// A stage is over: what mattered only while it lasted is forgotten, so that sequences which
    /// differ in nothing else merge. So is who an eliminated leader was.
    pub(crate) fn end_stage(&mut self) {
        self.losses.clear();
        for unit in &mut self.units {
            unit.conditions.clear_all(Conditions::of([
                Condition::Newcomer,
                Condition::Heated,
                Condition::Tried,
            ]));
            if unit.leads && unit.is(Condition::Eliminated) {
                (unit.counter, unit.leads) = (CounterKind::Leader.remains(), false);
            }
        }
    }
}
