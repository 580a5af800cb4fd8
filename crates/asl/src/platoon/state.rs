//! The state of a platoon: where each unit of each side is, and what is being resolved.

use smallvec::SmallVec;

use crate::location::LocationState;
use crate::unit::{Condition, Unit};

/// Where a unit is: in a Location of its side, on the way by a link, or gone for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Whereabouts(u8);

/// The number of hexes that the bits of a way can hold.
const MOST_HEXES: u8 = 8;

impl Whereabouts {
    /// A unit that has left play, such as a berserk one (15.43).
    pub const AWAY: Whereabouts = Whereabouts(u8::MAX);

    /// Returns the Location with an index.
    pub const fn location(index: u8) -> Whereabouts {
        Whereabouts(index)
    }

    /// Returns the place on a link with `left` Interdicted hexes before it.
    pub const fn on_way(link: u8, left: u8) -> Whereabouts {
        Whereabouts(0x80 | (link * MOST_HEXES) | left)
    }

    /// Returns the index of the Location, if the unit is in one.
    pub const fn as_location(self) -> Option<u8> {
        if self.0 < 0x80 { Some(self.0) } else { None }
    }

    /// Returns the link and the number of Interdicted hexes left, if the unit is on the way.
    pub const fn as_way(self) -> Option<(u8, u8)> {
        let bits = self.0 & 0x7f;
        let is_way = self.0 >= 0x80 && self.0 != u8::MAX;
        if is_way { Some((bits / MOST_HEXES, bits % MOST_HEXES)) } else { None }
    }
}

/// A unit of a platoon with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trooper {
    pub unit: Unit,
    pub at: Whereabouts,
    /// The direction in which it is about to go: see [`LinkDirection`].
    pub course: Option<LinkDirection>,
    /// True if it has made its Rally attempt of this RPh (10.6).
    pub has_tried: bool,
    /// True if it has moved in this Player Turn.
    pub has_moved: bool,
    /// True if its rout of this RtPh is over.
    pub has_routed: bool,
    /// The number of the MG of its Location that it has, from 1, or 0; for I-165 only.
    pub weapon: u8,
}

impl Trooper {
    /// Creates a unit in a place, at the start or created on the way.
    pub const fn new(unit: Unit, at: Whereabouts) -> Trooper {
        Trooper {
            unit,
            at,
            course: None,
            has_tried: false,
            has_moved: false,
            has_routed: false,
            weapon: 0,
        }
    }

    /// Returns whether the unit is in play.
    pub fn is_present(&self) -> bool {
        self.unit.is_present() && self.at != Whereabouts::AWAY
    }

    /// Returns whether the unit is in play and unbroken.
    pub fn is_up(&self) -> bool {
        self.unit.is_steady() && self.at != Whereabouts::AWAY
    }

    /// Returns whether the unit is in play and broken.
    pub fn is_broken(&self) -> bool {
        self.is_present() && self.unit.is(Condition::Broken)
    }

    /// Returns whether the unit can move: unbroken and not pinned (7.8).
    pub fn can_move(&self) -> bool {
        self.is_up() && !self.unit.is(Condition::Pinned)
    }
}

/// A direction on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkDirection {
    pub link: u8,
    /// True toward the beginning of the link.
    pub is_back: bool,
}

/// The units of a side.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Troop {
    pub units: SmallVec<[Trooper; 12]>,
}

impl Clone for Troop {
    /// Copies the whole slice, because engines clone often, and unit by unit is slower.
    #[inline]
    fn clone(&self) -> Troop {
        Troop { units: SmallVec::from_slice(&self.units) }
    }
}

/// A fire phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FireMoment {
    /// The PFPh of the ATTACKER.
    Prep,
    /// The DFPh of the DEFENDER.
    Defensive,
    /// The AFPh, in which units that have moved fire by the alternative of I-163 (7.24).
    Advancing,
}

/// The part of a Player Turn that is being played, with the number of its next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlatoonStep {
    /// The attempts of the ATTACKER (0) or the DEFENDER (1) to recover MG (4.44), if I-165 has its
    /// alternative.
    Recovery(u8),
    /// The Rally attempts of the ATTACKER (0) or the DEFENDER (1).
    Rally(u8),
    Fire(FireMoment, u8),
    /// The movement by a link, numbered by [`LinkDirection`].
    Movement(u8),
    /// The routs of the ATTACKER (0) or the DEFENDER (1).
    Rout(u8),
    Report,
    Over,
}

/// Who takes part in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventScope {
    /// All units of a Location.
    Location(u8),
    /// The units about to go in a direction, as one stack.
    Stack(LinkDirection),
    /// One unit on the way that tries to rally.
    Alone(u8),
    /// One unit that enters an Interdicted hex, the first of the `left` ones.
    Way { unit: u8, link: u8, left: u8 },
}

/// Dice that are being rolled for units of one side in one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlatoonEvent {
    pub side: u8,
    pub scope: EventScope,
    /// The facts about the enemy: see [`SceneFacts`].
    pub scene: SceneFacts,
    pub location: LocationState,
}

/// The facts about the enemy on which events in a place depend, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SceneFacts(pub u8);

impl SceneFacts {
    /// A Known enemy is in LOS (15.44).
    pub const KNOWN: SceneFacts = SceneFacts(1);
    /// A Good Order armed enemy is ADJACENT (15.5).
    pub const CAPTOR: SceneFacts = SceneFacts(2);
    /// A Known armed enemy, even broken, is ADJACENT (10.62).
    pub const ADJACENT: SceneFacts = SceneFacts(4);
    /// The number of combinations.
    pub const ALL: usize = 8;

    pub const fn has(self, other: SceneFacts) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn with_if(self, other: SceneFacts, holds: bool) -> SceneFacts {
        SceneFacts(if holds { self.0 | other.0 } else { self.0 })
    }
}

/// The state of a platoon or of both sides of a firefight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlatoonState {
    /// The Player Turn, from 1.
    pub turn: u16,
    pub step: PlatoonStep,
    /// The units of the sides. A platoon has no second one.
    pub sides: [Troop; 2],
    pub event: Option<PlatoonEvent>,
}
