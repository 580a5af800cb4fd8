//! The abstract ground of a platoon: Locations, the links between them, and lines of sight.

use std::sync::Arc;

use crate::attack::weapons::SupportWeapon;
use crate::board::terrain::{OpenGround, Terrain, TerrainKind};
use schema::declared::named;
use schema::field::words_of;

named! {
    /// The phase in which leaders and rallied units go by a link.
    pub enum LinkMove {
        /// The MPh (3.3).
        Move = "move",
        /// The APh, between neighbouring hexes (4.7). It draws no fire.
        Advance = "advance",
    }
}

words_of!(LinkMove, "PHASE", "");

/// A Location of a side.
#[derive(Clone, Debug)]
pub struct PlatoonLocation {
    pub name: Arc<str>,
    pub terrain: &'static Terrain,
    pub tem: i8,
    /// True for a part of the position.
    pub is_front: bool,
    /// True in LOS and Normal Range of an unbroken enemy, where no second side says so.
    pub is_seen: bool,
    /// True if a Known Good Order armed enemy is always ADJACENT, where no second side says so.
    pub is_adjacent: bool,
    /// The MG of the Location, for its first able MMC.
    pub weapons: Vec<&'static SupportWeapon>,
}

impl PlatoonLocation {
    /// Returns whether broken units cannot stay there in sight of an enemy (10.5, 10.531).
    pub fn is_open_ground(&self) -> bool {
        self.terrain.open_ground == OpenGround::Yes && self.terrain.kind == TerrainKind::Hex
    }
}

/// A link between two Locations of a side. A rout leads from one to the other, never back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The index of the Location where it begins.
    pub from: u8,
    /// The index of the Location where it ends.
    pub to: u8,
    /// The number of Open Ground hexes that an able enemy Interdicts (10.53).
    pub interdicted: u8,
    pub moves: LinkMove,
    /// The FP of the attack on who goes by it to a front in the MPh (8.1); 0 for none.
    pub fire: u16,
    /// The DRM of that attack, with everything.
    pub fire_drm: i8,
}

impl Link {
    /// Returns the end that is not `from`; `None` if `from` is no end.
    pub fn other_end(&self, from: u8) -> Option<u8> {
        match from {
            _ if from == self.from => Some(self.to),
            _ if from == self.to => Some(self.from),
            _ => None,
        }
    }
}

/// A line of sight between Locations of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineOfFire {
    /// The range in hexes, at least 1.
    pub range: u8,
    pub hindrance: u8,
}

/// The lines of sight between the Locations of the first side (rows) and of the second.
#[derive(Clone, Debug, Default)]
pub struct SightTable(pub Vec<Vec<Option<LineOfFire>>>);

impl SightTable {
    /// Returns the line of sight between a Location of a side (0 or 1) and one of the other side.
    pub fn get(&self, side: usize, own: usize, enemy: usize) -> Option<LineOfFire> {
        let (first, second) = if side == 0 { (own, enemy) } else { (enemy, own) };
        *self.0.get(first)?.get(second)?
    }
}
