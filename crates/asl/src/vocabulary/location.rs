//! One Location (A2.8) in play: its units, and an agenda of the tasks still to be done.
//!
//! The last task of the agenda is done next. It changes units, and can add new tasks.

use engine::dice::Dr;
use smallvec::SmallVec;

use super::shots::{FirerSelection, PartSet};
use super::sniper::{SniperHunt, SniperTarget};
use super::unit::{Condition, Conditions, Unit, UnitIndex};
use crate::catalogue::CounterKind;

/// A task still to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// The DR of an attack on the IFT (7.3).
    Attack,
    /// The next dr of a Random Selection of `count` units (A.9), for a KIA or else a K result. The
    /// units of the classes of targets whose bits are set join it.
    RandomSelection { count: u8, kia: bool, classes: u16 },
    /// The next dr of a Random Selection among the firers of a shot (7.9, 9.71).
    FirerSelection { selection: FirerSelection, original: Dr },
    /// The end of what a shot does to its firers.
    FirersDone,
    /// The loss of concealment by the targets in classes, as bits, whose result is a PTC or worse
    /// (12.14).
    Revealed { classes: u16 },
    /// An effect on a unit without a check (7.301, 7.302). A unit that cannot break is Reduced
    /// instead. `level` is its ML before the attack.
    Struck { unit: UnitIndex, how: Strike, level: i8 },
    /// A Morale Check caused by an attack (10.1).
    MoraleCheck { unit: UnitIndex, drm: i8 },
    /// A Pin Task Check (7.305).
    PinTaskCheck { unit: UnitIndex },
    /// A LLMC for an eliminated leader, or a LLTC for a broken one (10.2).
    LossCheck { unit: UnitIndex, loss: LeaderLoss },
    /// The severity dr (17.11), drm `bonus`. `noted`: the last leader loss depends on it.
    WoundSeverity { unit: UnitIndex, bonus: i8, noted: bool },
    /// A Heat of Battle DR (15.1). `was_broken` is true if the unit was broken at the Original 2.
    HeatOfBattle { unit: UnitIndex, was_broken: bool },
    /// The NTC of a unit whose leader goes berserk (15.41).
    BerserkCheck { unit: UnitIndex, leader: UnitIndex },
    /// The checks for the leaders lost so far (10.2).
    LeaderLosses,
    /// The LLTC for the leaders broken so far, before the remaining MC (10.2, interpretation I-32).
    EarlyTaskChecks,
    /// The next Rally attempt of this Rally Phase, or the end of the attempts (10.6).
    NextRally,
    /// A call to all factors for the first unit to Self-Rally (18.11), or to meet a condition.
    Call,
    /// The attempt of the first MMC to Self-Rally, whose result all factors take over. `leader` is
    /// the leader that it created. `own` is true if a unit of this factor made the attempt.
    News { leader: Option<UnitIndex>, own: bool },
    /// The Self-Rally of the first MMC (18.11) is no longer possible in this Rally Phase.
    Spoilt,
    /// The choice of the owner to remove or keep DM at the end of this Rally Phase (10.62).
    DmRemoval,
    /// A Rally attempt (10.6).
    RallyAttempt { unit: UnitIndex },
    /// The penalty for a failed Rally under a Commissar (A25.22).
    CommissarsPrice { unit: UnitIndex },
    /// A Leader Creation dr (18.2).
    LeaderCreation { unit: UnitIndex },
    /// The NMC of an Interdicted hex (10.53), with its number in a row, or `None` on a map.
    Interdiction { unit: UnitIndex, hex: Option<u8> },
    /// The elimination of the leader on a Voluntary Rout whose unit fails the check (10.711).
    EscortLost { unit: UnitIndex },
    /// The dr with which a unit gains concealment (12.122).
    Concealment { unit: UnitIndex },
    /// The DR that says whether a Sniper strikes here, the second of two if `is_second`.
    SniperShare { is_second: bool },
    /// A Sniper dr (14.2).
    SniperDr { target: SniperTarget },
    /// The next dr of a Random Selection for the Sniper dr `dr`: of the Location, or if `inside` of
    /// its concealed units (14.23).
    SniperSelection { inside: bool, dr: u8 },
    /// The choice among the tied targets of that Random Selection by a DR (I-133).
    SniperTie { inside: bool, dr: u8 },
    /// The Sniper Check of all that may search after an effective attack (14.4).
    SniperCheck,
    /// The steps after the check in a hex (10.53). `wounded` is true if it wounded the unit.
    AfterInterdiction { unit: UnitIndex, hex: Option<u8>, wounded: bool },
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
    pub rank: Rank,
}

/// The ML and leadership DRM of a lost leader, which decide the checks (interpretation I-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    pub level: i8,
    pub leadership: i8,
}

/// The state of an engagement: the units of one Location, and the tasks still to be done.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct LocationState {
    /// The number of stages that have begun. The last of them is the current stage.
    pub(crate) stage: u16,
    /// In a factor the number of the round, otherwise 0: even in its first half, odd in the second.
    pub(crate) round: u8,
    /// The calls of a Sniper (14.1), without those whose attack has come.
    pub(crate) calls: u8,
    /// What Sniper Checks have done so far (14.4).
    pub(crate) hunt: SniperHunt,
    /// The units of the enemy under fire in the same Melee: they roll last in a Random Selection.
    pub(crate) guests: u8,
    /// The guests that are selected, as bits.
    pub(crate) hits: u16,
    /// The firers of the present shots.
    pub(crate) firers: FirerState,
    pub(crate) units: SmallVec<[Unit; 14]>,
    /// The tasks to be done, the next one last.
    pub(crate) agenda: SmallVec<[Task; 18]>,
    pub(crate) losses: SmallVec<[LeaderLoss; 6]>,
    /// The dr of a Random Selection (A.9) so far, outside units first; 0 marks a unit that is out.
    pub(crate) selection: SmallVec<[u8; 12]>,
}

/// The parts of named firers, while they fire (9.2) and between their attacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct FirerState {
    /// The parts that fire the present or next shot.
    pub firing: PartSet,
    /// The MG that may fire again after the present shot, as far as its effects are known.
    pub kept: PartSet,
    /// The parts that do not fire in later attacks: SW out of order, and units marked by Cowering.
    pub lost: PartSet,
    /// The parts that Cowering marks, if the shots tell what they cost.
    pub cowered: PartSet,
    /// The MG that keep their ROF after the last shot, if the shots tell what they cost.
    pub keep_rof: PartSet,
}

impl Clone for LocationState {
    /// Copies whole slices, because engines clone often, and element by element is slower.
    #[inline]
    fn clone(&self) -> LocationState {
        LocationState {
            stage: self.stage,
            round: self.round,
            calls: self.calls,
            hunt: self.hunt,
            guests: self.guests,
            hits: self.hits,
            firers: self.firers,
            units: SmallVec::from_slice(&self.units),
            agenda: SmallVec::from_slice(&self.agenda),
            losses: SmallVec::from_slice(&self.losses),
            selection: SmallVec::from_slice(&self.selection),
        }
    }
}

impl LocationState {
    /// Builds the state of units on a map, in the first stage of their engagement, without tasks.
    pub(crate) fn on_map(units: SmallVec<[Unit; 14]>) -> LocationState {
        LocationState { stage: 1, units, ..LocationState::default() }
    }

    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.agenda.is_empty()
    }

    /// Resets the stage, and removes absent units except the first, so that equal states merge.
    pub(crate) fn normalise(&mut self) {
        self.stage = 0;
        let mut is_first = true;
        self.units.retain(|unit| std::mem::take(&mut is_first) || unit.is_present());
    }

    #[inline]
    pub(crate) fn unit(&self, place: UnitIndex) -> &Unit {
        &self.units[usize::from(place)]
    }

    #[inline]
    pub(crate) fn unit_mut(&mut self, place: UnitIndex) -> &mut Unit {
        &mut self.units[usize::from(place)]
    }

    /// Returns the indices of all units, absent ones too, in stack order.
    #[inline]
    pub(crate) fn places(&self) -> impl DoubleEndedIterator<Item = UnitIndex> + use<> {
        0..self.units.len() as UnitIndex
    }

    /// Starts a new round, in which each unit can act again.
    #[inline]
    pub(crate) fn begin_round(&mut self) {
        self.round = if self.round > 0 { (self.round & !1).saturating_add(2) } else { 0 };
    }

    /// Starts the second half of a round, in which the units act that only one factor has.
    #[inline]
    pub(crate) fn begin_last_round(&mut self) {
        self.round |= u8::from(self.round > 0);
    }

    pub(crate) fn present(&self) -> impl DoubleEndedIterator<Item = UnitIndex> {
        self.places().filter(|&place| self.unit(place).is_present())
    }

    /// Adds a dr of a Random Selection (A.9). Those not among the `count` highest become 0.
    pub(crate) fn select(&mut self, dr: u8, count: u8) {
        self.selection.push(dr);
        let drs = self.selection.clone();
        for own in self.selection.iter_mut() {
            if drs.iter().filter(|&&other| other > *own).count() >= usize::from(count) {
                *own = 0;
            }
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, task: Task) {
        self.agenda.push(task);
    }

    /// Adds a unit created by `out_of`, and returns its index, or `None` beyond 255 units.
    pub(crate) fn appear(&mut self, unit: Unit, out_of: UnitIndex) -> Option<UnitIndex> {
        let place =
            UnitIndex::try_from(self.units.len()).ok().filter(|&place| place < UnitIndex::MAX)?;
        let conditions = unit.conditions.born(self.round, out_of);
        self.units.push(Unit { conditions, ..unit });
        Some(place)
    }

    /// Eliminates a unit of this kind. Its counter becomes a standard one, so that equal states
    /// merge. A leader keeps its counter until the stage ends, because LLMC and LLTC need it.
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

    /// Ends a stage, and clears all that mattered only during it, so that equal states merge.
    pub(crate) fn end_stage(&mut self) {
        self.forget_lost_leaders();
        for unit in &mut self.units {
            unit.conditions.clear_all(Conditions::from_array([
                Condition::Newcomer,
                Condition::Heated,
                Condition::Tried,
            ]));
        }
    }

    /// Forgets the leaders lost so far and their grades, so that equal states merge.
    pub(crate) fn forget_lost_leaders(&mut self) {
        self.losses.clear();
        for unit in &mut self.units {
            if unit.leads && unit.is(Condition::Eliminated) {
                (unit.counter, unit.leads) = (CounterKind::Leader.remains(), false);
            }
        }
    }
}
