//! One Location (A2.8) in play: its units, and an agenda of the tasks still to be done.
//!
//! The rulebook works like an agenda: a check is made, and it leads to further checks. The state
//! works in the same way. The last task of the agenda is done next. It changes units, and can add
//! new tasks.

use smallvec::SmallVec;

use super::unit::{Condition, Conditions, Unit, UnitIndex};
use crate::catalogue::CounterKind;

/// A task still to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// The DR of an attack on the IFT (7.3).
    Attack,
    /// The next dr of a Random Selection of `count` units, for a KIA or a K result (A.9).
    RandomSelection { count: u8, kia: bool },
    /// An effect on a unit without a check (7.301, 7.302). A unit that cannot break is Reduced
    /// instead. `level` is its ML before.
    Struck { unit: UnitIndex, how: Strike, level: i8 },
    /// A Morale Check caused by an attack (10.1).
    MoraleCheck { unit: UnitIndex, drm: i8 },
    /// A Pin Task Check (7.305).
    PinTaskCheck { unit: UnitIndex },
    /// A Leader Loss Morale Check (10.2), for a leader with this ML and leadership when lost.
    LossMoraleCheck { unit: UnitIndex, leader: UnitIndex, level: i8, leadership: i8 },
    /// A Leader Loss Task Check (10.2).
    LossTaskCheck { unit: UnitIndex, leader: UnitIndex, level: i8, leadership: i8 },
    /// The severity dr of a wound (17.11). `noted` says that the last entry of the losses depends
    /// on it.
    WoundSeverity { unit: UnitIndex, bonus: i8, noted: bool },
    /// A Heat of Battle DR (15.1). `was_broken` describes the unit when the Original 2 was rolled.
    HeatOfBattle { unit: UnitIndex, was_broken: bool },
    /// The NTC caused by a leader that goes berserk (15.41).
    BerserkCheck { unit: UnitIndex, leader: UnitIndex },
    /// The checks for the leaders lost so far (10.2).
    LeaderLosses,
    /// The LLTC for the leaders broken so far, before the remaining MC (10.2, I-32).
    EarlyTaskChecks,
    /// The next Rally attempt of this Rally Phase, or its end (10.6).
    NextRally,
    /// A unit beside the common ones waits to be called. In a Rally Phase the call is for the first
    /// MMC to Self-Rally (18.11). At a condition it is for a unit that meets it.
    Call,
    /// The result of the first MMC to Self-Rally, which all units must learn. `leader` is the
    /// leader that it created. `own` says whether a unit of this process made the attempt.
    News { leader: Option<UnitIndex>, own: bool },
    /// The one first Self-Rally of this Rally Phase (18.11) has been used.
    Spoilt,
    /// The removal of DM at the end of this Rally Phase, if the owner can choose to keep it
    /// (10.62).
    DmRemoval,
    /// A Rally attempt (10.6).
    RallyAttempt { unit: UnitIndex },
    /// The penalty for a failed Rally under a Commissar (A25.22).
    CommissarsPrice { unit: UnitIndex },
    /// A Leader Creation dr (18.2).
    LeaderCreation { unit: UnitIndex },
    /// The NMC for entering an Interdicted hex (10.53).
    Interdiction { unit: UnitIndex, hex: Entered },
    /// The loss of the leader that goes along, when its unit fails the check (10.711).
    EscortLost { unit: UnitIndex },
    /// The steps after the check in that hex (10.53). `wounded` says whether the unit was wounded
    /// there.
    AfterInterdiction { unit: UnitIndex, hex: Entered, wounded: bool },
}

/// An Interdicted hex that a routing unit has entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entered {
    /// A hex of a row, counted from 1.
    Hex(u8),
    /// A hex of a map. The map knows where the unit is.
    OnMap,
}

/// An effect on a unit without a check (7.301, 7.302).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strike {
    Eliminated,
    Broken,
    Reduced,
}

/// The way in which a leader was lost (10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fall {
    /// The leader broke, which causes LLTC.
    Broke,
    /// The leader was eliminated, which causes LLMC.
    Died,
}

/// A loss of a leader whose checks are still to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeaderLoss {
    pub leader: UnitIndex,
    pub fall: Fall,
    /// The ML with which other units are compared (I-5).
    pub level: i8,
    /// The leadership DRM of the leader at that moment.
    pub leadership: i8,
}

/// The values that decide which units check for a lost leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rank {
    pub level: i8,
    pub leadership: i8,
}

/// The state of every process of ASL.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct LocationState {
    /// The index of the current stage of the engagement.
    pub(crate) stage: u16,
    /// The number of rounds so far, where it matters when units appear (see [`Conditions::born`]);
    /// otherwise 0.
    pub(crate) round: u8,
    pub(crate) units: SmallVec<[Unit; 14]>,
    /// The tasks to be done. The last one is next.
    pub(crate) agenda: SmallVec<[Task; 18]>,
    /// The losses of leaders in the order in which they happened.
    pub(crate) losses: SmallVec<[LeaderLoss; 6]>,
    /// The dr of the candidates that have rolled in a Random Selection (A.9). Units outside the
    /// process come first. A 0 marks a unit that can no longer be selected.
    pub(crate) selection: SmallVec<[u8; 12]>,
}

impl Clone for LocationState {
    /// Copies whole slices, which is faster than element by element. Engines clone a state for
    /// every result of every roll.
    #[inline]
    fn clone(&self) -> LocationState {
        LocationState {
            stage: self.stage,
            round: self.round,
            units: SmallVec::from_slice(&self.units),
            agenda: SmallVec::from_slice(&self.agenda),
            losses: SmallVec::from_slice(&self.losses),
            selection: SmallVec::from_slice(&self.selection),
        }
    }
}

impl LocationState {
    /// Builds the state of units on a map, in the first stage of their engagement and without
    /// tasks.
    pub(crate) fn on_map(units: SmallVec<[Unit; 14]>) -> LocationState {
        LocationState {
            stage: 1,
            round: 0,
            units,
            agenda: SmallVec::new(),
            losses: SmallVec::new(),
            selection: SmallVec::new(),
        }
    }

    /// Returns whether no task is left.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.agenda.is_empty()
    }

    /// Resets the stage, and removes the absent units after the first one. States that differ in
    /// nothing else then merge.
    pub(crate) fn normalise(&mut self) {
        self.stage = 0;
        let mut is_first = true;
        self.units.retain(|unit| std::mem::take(&mut is_first) || unit.is_present());
    }

    /// Removes all but the first `units` units.
    pub(crate) fn truncate(&mut self, units: usize) {
        self.units.truncate(units);
    }

    #[inline]
    pub(crate) fn unit(&self, place: UnitIndex) -> &Unit {
        &self.units[usize::from(place)]
    }

    #[inline]
    pub(crate) fn unit_mut(&mut self, place: UnitIndex) -> &mut Unit {
        &mut self.units[usize::from(place)]
    }

    /// Returns every index, in stack order.
    #[inline]
    pub(crate) fn places(&self) -> impl DoubleEndedIterator<Item = UnitIndex> + use<> {
        0..self.units.len() as UnitIndex
    }

    /// Starts a new round, in which each unit has its turn again.
    #[inline]
    pub(crate) fn begin_round(&mut self) {
        self.round = if self.round > 0 { (self.round & !1).saturating_add(2) } else { 0 };
    }

    /// Returns whether the counter of rounds has reached its limit, so that rounds are no longer
    /// distinct.
    pub(crate) fn has_lost_count(&self) -> bool {
        self.round >= u8::MAX - 1
    }

    /// Starts the second half of the round, in which units beside the common ones act. These units
    /// start it after everything that the first half causes.
    #[inline]
    pub(crate) fn begin_last_round(&mut self) {
        self.round |= u8::from(self.round > 0);
    }

    /// Returns the indices of the units that are present.
    pub(crate) fn present(&self) -> impl DoubleEndedIterator<Item = UnitIndex> {
        self.places().filter(|&place| self.unit(place).is_present())
    }

    /// Adds a task as the next one.
    #[inline]
    pub(crate) fn push(&mut self, task: Task) {
        self.agenda.push(task);
    }

    /// Adds a new unit that comes out of another, and returns its index. Returns `None` if no index
    /// is left, after 255 units.
    pub(crate) fn appear(&mut self, unit: Unit, out_of: UnitIndex) -> Option<UnitIndex> {
        let place =
            UnitIndex::try_from(self.units.len()).ok().filter(|&place| place < UnitIndex::MAX)?;
        let conditions = unit.conditions.born(self.round, out_of);
        self.units.push(Unit { conditions, ..unit });
        Some(place)
    }

    /// Eliminates a unit of this kind. Its counter becomes a standard one, so that states that
    /// differ in nothing else merge. A leader keeps its counter until the stage ends, because the
    /// checks for its loss need it.
    pub(crate) fn eliminate(&mut self, place: UnitIndex, kind: CounterKind) {
        self.leave(place, Condition::Eliminated, Conditions::default());
        let unit = self.unit_mut(place);
        if !unit.leads {
            unit.counter = kind.remains();
        }
    }

    /// Makes the unit a prisoner (15.5, 20.21).
    pub(crate) fn capture(&mut self, place: UnitIndex) {
        self.leave(
            place,
            Condition::Captured,
            Conditions::from_array([Condition::Wounded, Condition::Fanatic, Condition::Heroic]),
        );
    }

    fn leave(&mut self, place: UnitIndex, how: Condition, lasting: Conditions) {
        let conditions = &mut self.unit_mut(place).conditions;
        let kept = Conditions::from_array([Condition::Tried, Condition::BeganBroken]);
        conditions.keep_only(kept.and(lasting).and(Conditions::BIRTH));
        conditions.set(how);
    }

    /// Ends a stage, and clears all that mattered only during it. States that differ in nothing
    /// else then merge. The counter of an eliminated leader becomes a standard one.
    pub(crate) fn end_stage(&mut self) {
        self.losses.clear();
        for unit in &mut self.units {
            unit.conditions.clear_all(Conditions::from_array([
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
