//! The state of a crossing, and what it reports.

use smallvec::SmallVec;

use super::marks::{FirerFate, MarkerState};
use crate::vocabulary::{
    FireResult, LocationState, PartSet, Reading, Status, Terms, Unit, UnitIndex, UnitOutcome,
};

/// The next event of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrossingStep {
    /// The attack with this number in the present Location is next: Residual FP, a Fire Lane, then
    /// the defenders' shots.
    Next(u8),
    /// An attack has been resolved. All sequences wait for each other here, so that equal states
    /// merge whatever the number of rolls behind them.
    Wait(u8),
    /// An attack is being resolved.
    Attack {
        number: u8,
        entry: u16,
        key: PartSet,
    },
    /// The firers of FPF draw who is struck by an Original 2 or 12 (8.31).
    Draw {
        number: u8,
        entry: u16,
        key: PartSet,
    },
    /// The firers of FPF check by the DR of their attack (8.31).
    Check {
        number: u8,
        entry: u16,
        key: PartSet,
    },
    /// The defenders choose who fires next.
    Choice,
    /// The stack leaves the Location.
    Leave,
    /// The units that stay in the Location are reported, or the Residual FP there.
    Passed,
    /// All that is known at the end is reported.
    Report,
    Over,
}

/// The state of a crossing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CrossingState {
    /// The units of the stack. Those left behind are as if eliminated.
    pub(crate) mover: LocationState,
    pub(crate) step: CrossingStep,
    /// The index of the Location in which the stack is.
    pub(crate) location: u8,
    /// The unit that moves by itself, from 1; 0 while the stack moves together (4.2).
    pub(crate) leg: u8,
    /// The units that go on by themselves later, and the Location in which they wait.
    pub(crate) waiting: SmallVec<[(UnitIndex, Unit); 2]>,
    pub(crate) waits_in: u8,
    /// The units left behind, as bits.
    pub(crate) behind: u32,
    /// Their ends, if they are reported together at last.
    pub(crate) ends: Vec<CrossingEnd>,
    /// The markers of each position.
    pub(crate) markers: SmallVec<[MarkerState; 2]>,
    /// The Residual FP in each Location, if it is reported or units enter it later than others.
    pub(crate) residual: SmallVec<[u8; 8]>,
    /// The number of the state of the first target as the attack was rolled, and whether its
    /// Original DR is doubles, if its Residual FP counts or is reported.
    pub(crate) rolled: Option<(u8, bool)>,
    /// True if the MG of the Fire Lanes on the path malfunctions, so that they are gone (9.222).
    pub(crate) is_lane_gone: bool,
    /// The Original DR of a FPF.
    pub(crate) original: u8,
    /// The firers, as bits, that Random Selection takes for Heat of Battle or an Original 12.
    pub(crate) struck: u32,
    /// The firers of a FPF while they check.
    pub(crate) check: Option<Box<LocationState>>,
    /// The attack that is to be told.
    pub(crate) told: Option<ShotTold>,
}

/// The end of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CrossingEnd {
    /// The index of the Location in which it ended.
    pub location: u8,
    pub unit: UnitOutcome,
}

impl CrossingEnd {
    /// Returns whether the unit is unpinned and unbroken in the last Location.
    pub fn has_arrived(&self) -> bool {
        self.unit.status == Status::Arrived
    }
}

/// An attack that was made, with its result on the IFT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShotTold {
    /// The index of the attack among those of the crossing: Location, firers and kind.
    pub entry: u16,
    /// Its place in the Location.
    pub number: u8,
    /// The slot of the unit that moves by itself; 0 for the stack.
    pub leg: u8,
    pub key: PartSet,
    /// The number of the state of the first target that moves.
    pub state: u8,
    pub result: FireResult,
}

/// A noted outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CrossingOutcome {
    Unit(CrossingEnd),
    All(Box<[CrossingEnd]>),
    Shot(ShotTold),
    /// The Residual FP in a Location at the end (8.2).
    Residual {
        location: u8,
        fp: u8,
    },
    /// A unit of a position that has come to harm.
    Firer {
        position: u8,
        unit: u8,
        fate: FirerFate,
    },
    /// The worst that a position's units have suffered by their own FPF.
    Position {
        position: u8,
        fate: FirerFate,
    },
    /// A SW of a position that has malfunctioned.
    Weapon {
        position: u8,
        part: u8,
    },
    /// A position of which a SW has malfunctioned.
    Malfunction {
        position: u8,
    },
}

/// The values with which a roll of a crossing is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossingTerms {
    /// A roll of an attack on the stack, or of its units.
    Mover(Terms),
    /// A roll of the firers of a position.
    Firer(u8, Terms),
    /// A dr of Random Selection among the firers.
    Selection,
}

/// The meaning of a roll of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossingReading {
    Mover(Reading),
    Firer(Reading),
    Number(u8),
}

impl CrossingState {
    /// Returns whether a unit has been left behind.
    pub(crate) fn is_behind(&self, unit: UnitIndex) -> bool {
        self.behind >> unit & 1 == 1
    }

    /// Returns whether a unit is of the stack that moves: neither left behind nor waiting.
    pub(crate) fn is_along(&self, unit: UnitIndex) -> bool {
        !self.is_behind(unit) && self.waiting.iter().all(|(other, _)| *other != unit)
    }

    /// Returns the index of the first Location in which the stack, or a unit that waits, can still
    /// be fired at.
    pub(crate) fn first_ahead(&self) -> u8 {
        if self.waiting.is_empty() { self.location } else { self.waits_in + 1 }
    }
}
