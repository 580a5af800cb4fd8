//! One Location (A2.8) in play: its units, and the agenda of what is still to be done there.
//!
//! The rulebook is written as an agenda: a check is made, and it leaves further checks to be made. So is the state. The task on
//! top of the agenda is the next; carrying it out changes units and may put new tasks on top.

use arrayvec::ArrayVec;

use super::stack::MAX_UNITS;
use super::unit::{Condition, Unit};

/// Most units in play at once: those of the stack and those created in the sequence.
///
/// Every squad may become two half-squads (19.13). Beyond those, four created leaders: each after the first needs the one before him
/// to be lost, and that another leader of higher ML dies by Fate in the same Rally Phase.
pub const MAX_IN_PLAY: usize = 2 * MAX_UNITS + 4;

/// Most tasks at once: a check of every unit, what is under it, and what one of them brings.
const MAX_TASKS: usize = MAX_IN_PLAY + 4;

/// Most leaders lost and not worked off: each once by the attack, and once more by the LLMC for another.
const MAX_LOSSES: usize = 2 * MAX_UNITS;

/// Place of a unit in the Location, from 0. Created units come after those of the stack.
pub type Place = u8;

/// Something still to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// 10.1: a Morale Check caused by an attack.
    MoraleCheck { unit: Place, drm: i8 },
    /// 7.305: a Pin Task Check.
    PinTaskCheck { unit: Place },
    /// 10.2: a Leader Loss Morale Check, for a leader lost at that ML with that leadership.
    LossMoraleCheck { unit: Place, level: i8, leadership: i8 },
    /// 10.2: a Leader Loss Task Check.
    LossTaskCheck { unit: Place, level: i8, leadership: i8 },
    /// 17.11: the severity dr of a wound; the leader's loss it may lead to is the last one noted.
    WoundSeverity { unit: Place, bonus: i8, noted: bool },
    /// 10.2: the checks for the leaders lost so far.
    LeaderLosses,
    /// 10.6: the next Rally attempt of this Rally Phase, or its end.
    NextRally,
    /// 10.6: a Rally attempt.
    RallyAttempt { unit: Place },
    /// 18.2: Leader Creation.
    LeaderCreation { unit: Place },
    /// 10.53: the NMC for entering an Interdicted hex, counted from 1.
    Interdiction { unit: Place, hex: u8 },
    /// 10.53: what follows in that hex; `wounded` there or not.
    AfterInterdiction { unit: Place, hex: u8, wounded: bool },
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

/// The state of every ASL process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Stage of the engagement that is being worked through.
    pub(super) stage: u16,
    pub(super) units: ArrayVec<Unit, MAX_IN_PLAY>,
    /// The next task is last.
    pub(super) agenda: ArrayVec<Task, MAX_TASKS>,
    /// Losses in the order they happened.
    pub(super) losses: ArrayVec<LeaderLoss, MAX_LOSSES>,
}

impl Location {
    #[inline]
    pub(super) fn unit(&self, place: Place) -> &Unit {
        &self.units[usize::from(place)]
    }

    #[inline]
    pub(super) fn unit_mut(&mut self, place: Place) -> &mut Unit {
        &mut self.units[usize::from(place)]
    }

    /// Every place, in stack order.
    #[inline]
    pub(super) fn places(&self) -> impl DoubleEndedIterator<Item = Place> + use<> {
        0..self.units.len() as Place
    }

    /// Puts a task on top.
    #[inline]
    pub(super) fn push(&mut self, task: Task) {
        self.agenda.push(task);
    }

    /// Takes the unit off the map.
    pub(super) fn eliminate(&mut self, place: Place) {
        let unit = self.unit_mut(place);
        for gone in [Condition::Broken, Condition::Dm, Condition::Pinned, Condition::Disrupted, Condition::Berserk] {
            unit.conditions.clear(gone);
        }
        unit.conditions.set(Condition::Eliminated);
    }
}
