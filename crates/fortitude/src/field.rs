//! The state of a battle: units as they stand, and the work in hand.

use smallvec::SmallVec;

use super::level::{End, Level, Status};
use super::order::Order;
use super::unit::{Distance, Member};

/// Place of a unit on the field, from 0: those of the owner, then those of the enemy.
pub type Place = u8;

/// Whose a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Army {
    Owner,
    Enemy,
}

/// A side of a unit that is assaulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Front,
    Flank,
    Rear,
}

impl Side {
    pub const ALL: [Side; 3] = [Side::Front, Side::Flank, Side::Rear];

    pub const fn name(self) -> &'static str {
        match self {
            Side::Front => "front",
            Side::Flank => "flank",
            Side::Rear => "rear",
        }
    }
}

/// Who attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    Unit(Place),
    /// A force that is only dice, by its place in the question's list.
    Force(u8),
}

/// With whom a unit is in melee: units, forces, and somebody who is not in the question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Foes(u32);

impl Foes {
    pub const SOMEBODY: Foes = Foes(1 << 31);
    /// Most forces of one question.
    pub const MOST_FORCES: usize = 15;

    const fn bit(by: By) -> u32 {
        match by {
            By::Unit(place) => 1 << place,
            By::Force(force) => 1 << (16 + force),
        }
    }

    pub fn add(&mut self, by: By) {
        self.0 |= Foes::bit(by);
    }

    pub fn remove(&mut self, by: By) {
        self.0 &= !Foes::bit(by);
    }

    pub const fn has(self, by: By) -> bool {
        self.0 & Foes::bit(by) != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The units among them, in order of place.
    pub fn units(self) -> impl Iterator<Item = Place> {
        (0..16).filter(move |&place| self.has(By::Unit(place)))
    }

    /// The forces among them.
    pub fn forces(self) -> impl Iterator<Item = u8> {
        (0..Foes::MOST_FORCES as u8).filter(move |&force| self.has(By::Force(force)))
    }
}

/// What is told of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Standing {
    pub status: Status,
    /// Models lost; all of them once the unit is gone.
    pub casualties: u8,
    pub honor: bool,
    /// Hexes moved in Retreat Steps, where a distance is known at all.
    pub hexes: u16,
}

/// A unit on the field. What no longer matters is as in a new one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unit {
    pub present: bool,
    pub level: Level,
    pub casualties: u8,
    pub honor: bool,
    pub order: Order,
    /// Whom it assaults this turn, on which side.
    pub assaults: Option<(Place, Side)>,
    pub foes: Foes,
    pub staff: Distance,
    /// To the nearest edge.
    pub edge: Distance,
    /// To the edge of its own side, where that is another.
    pub own_edge: Distance,
    pub hexes: u16,
    /// Casualties of this melee, which come off after it.
    pub struck: u8,
    /// The new casualties that count in each test they bring, in order; 0 where all casualties
    /// count anyway.
    pub blows: SmallVec<[u8; 8]>,
    /// What is told of it, once that is settled.
    pub told: Option<Standing>,
}

impl Unit {
    pub fn of(member: &Member) -> Unit {
        Unit {
            present: true,
            level: member.level,
            casualties: member.casualties,
            honor: member.honor,
            foes: if member.engaged { Foes::SOMEBODY } else { Foes::default() },
            staff: member.staff,
            edge: member.edge,
            own_edge: member.own_edge,
            ..Unit::default()
        }
    }

    /// A unit that is gone, or whose future no longer matters.
    pub fn gone(told: Standing) -> Unit {
        Unit { told: Some(told), ..Unit::default() }
    }

    /// How it stands for a test made now.
    pub fn stance(&self) -> Stance {
        Stance {
            level: self.level,
            order: self.order,
            assaults: self.assaults.map(|(_, side)| side),
        }
    }

    /// What is told of it now.
    pub fn standing(&self) -> Standing {
        self.told.unwrap_or(Standing {
            status: Status::At(self.level),
            casualties: self.casualties,
            honor: self.honor,
            hexes: self.hexes,
        })
    }

    /// What is told of it when it ends so, having had that many models.
    pub fn ending(&self, end: End, models: u8) -> Standing {
        self.told.unwrap_or(Standing {
            status: Status::Gone(end),
            casualties: models,
            honor: false,
            hexes: self.hexes,
        })
    }
}

/// What a failed test can take from a unit, and the next test asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stance {
    pub level: Level,
    pub order: Order,
    /// The side it assaults.
    pub assaults: Option<Side>,
}

/// Why a unit makes a Fortitude Test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// C1.
    MoralePhase,
    /// C2 and C3, or both as C4.
    Assault(Side),
    /// C5, for so many new casualties; 0 where all casualties count anyway.
    Casualties { new: u8 },
    /// C6.
    StaffLost,
}

/// Whether models strike from afar or hand to hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    Ranged,
    Melee,
}

/// One piece of work in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// A Fortitude Test, made in that stance where it is not the unit's own.
    Test { unit: Place, check: Check, at: Option<Stance> },
    /// Attack dice, and the hits so far: no more than can hurt.
    Attack { by: By, at: Place, manner: Manner, left: u8, hits: u8 },
    /// The casualties of a melee come off, together.
    Casualties,
    /// An order is to be chosen.
    Order { unit: Place },
    /// The sides on which a unit is assaulted are to be chosen.
    Sides { at: Place },
}

/// A battle as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battlefield {
    /// The stage being worked off, or due next.
    pub stage: u16,
    pub units: SmallVec<[Unit; 2]>,
    /// Whether the General Staff of each army is lost.
    pub staff_lost: [bool; 2],
    /// Work in hand, the next last.
    pub tasks: SmallVec<[Task; 4]>,
}

impl Battlefield {
    #[inline]
    pub fn unit(&self, place: Place) -> &Unit {
        &self.units[usize::from(place)]
    }

    #[inline]
    pub fn unit_mut(&mut self, place: Place) -> &mut Unit {
        &mut self.units[usize::from(place)]
    }

    pub fn places(&self) -> impl DoubleEndedIterator<Item = Place> + use<> {
        0..self.units.len() as Place
    }

    /// Places of units that are still there.
    pub fn present(&self) -> impl DoubleEndedIterator<Item = Place> + '_ {
        self.places().filter(|&place| self.unit(place).present)
    }

    /// Puts tests in hand, to be made in that order.
    pub fn push_tests(&mut self, tests: impl DoubleEndedIterator<Item = (Place, Check)>) {
        self.tasks.extend(tests.rev().map(|(unit, check)| Task::Test { unit, check, at: None }));
    }

    /// Whom a unit strikes at in melee: the unit it assaults, else the first of its foes.
    pub fn struck_by(&self, place: Place) -> Option<Place> {
        let unit = self.unit(place);
        let assaulted = unit.assaults.map(|(at, _)| at).filter(|&at| unit.foes.has(By::Unit(at)));
        assaulted.or_else(|| unit.foes.units().next())
    }

    /// The unit is in melee with nobody any more.
    pub fn disengage(&mut self, place: Place) {
        for unit in &mut self.units {
            unit.foes.remove(By::Unit(place));
        }
        self.unit_mut(place).foes = Foes::default();
    }
}
