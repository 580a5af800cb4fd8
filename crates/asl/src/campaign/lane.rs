//! Abstract terrain: a unit, some Open Ground hexes, and cover behind them. An enemy is on the far
//! side of the unit.
//!
//! The terrain becomes a map that is a row of hexes, so the rules of the rout apply as on any map.

use std::sync::Arc;

use super::orders::Fire;
use crate::board::geometry::Geometry;
use crate::board::hex::Hex;
use crate::board::map::{HexContents, Location, Map, PlacedBoard};
use crate::board::sight::ListedSight;
use crate::board::terrain::Terrain;
use crate::rout::{Enemy, Friend, Router, Situation};
use crate::stack::Member;
use crate::vocabulary::Attack;

/// The terrain of a campaign without a map: a row of hexes from the unit to cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The terrain of the unit's hex.
    pub here: &'static Terrain,
    /// The number of Open Ground hexes between the unit and cover.
    pub open: u8,
    /// The number of Open Ground hexes in the enemy's LOS and Normal Range, nearest to the unit
    /// first.
    pub interdicted: u8,
    /// True if the unit starts in the LOS and Normal Range of the enemy.
    pub exposed: bool,
    /// The range from the enemy to the unit in hexes; 1 is ADJACENT.
    pub range: u16,
    pub cover: &'static Terrain,
    /// The FP of the attack on an exposed Location, or 0 if the enemy does not fire there.
    pub firepower: u16,
    /// The FP of the attack on the cover, or 0 if the cover is out of the enemy's sight.
    pub cover_firepower: u16,
    /// The DRM of the attacks, to which the TEM of the Location is added.
    pub drm: i8,
    /// The number of columns that Cowering costs (7.9).
    pub cowering: u8,
}

const COLUMN: i16 = 1;
const ENEMY_ROW: i16 = 1;
/// The Normal Range of the enemy in hexes, which reaches every hex of the map.
const NORMAL_RANGE: u16 = 99;

impl Lane {
    /// Returns the hex at this many steps from the start. The cover comes after the Open Ground.
    pub fn location(&self, steps: u8) -> Location {
        Location::ground(Hex::new(COLUMN, ENEMY_ROW + self.range as i16 + i16::from(steps)))
    }

    /// Returns all Locations from the start to the cover, each with its name.
    pub fn names(&self) -> Vec<(Location, String)> {
        let name = |steps| match steps {
            0 => format!("{} where it began", self.here.name.to_lowercase()),
            _ if steps > self.open => format!("the {}", self.cover.name.to_lowercase()),
            _ => {
                let swept = if steps <= self.interdicted { "Interdicted" } else { "sheltered" };
                format!("{swept} Open Ground hex {steps} of {}", self.open)
            }
        };
        self.steps().map(|steps| (self.location(steps), name(steps))).collect()
    }

    /// Returns the numbers of steps from the start to each hex, up to the cover.
    fn steps(&self) -> impl DoubleEndedIterator<Item = u8> {
        0..=self.open + 1
    }

    fn is_seen(&self, steps: u8) -> bool {
        match steps {
            0 => self.exposed,
            _ if steps <= self.open => steps <= self.interdicted,
            _ => self.cover_firepower > 0,
        }
    }

    fn terrain(&self, steps: u8) -> &'static Terrain {
        match steps {
            0 => self.here,
            _ if steps <= self.open => Terrain::open(),
            _ => self.cover,
        }
    }

    /// Returns the enemy's attacks on each Location in its sight.
    pub fn fire(&self) -> Fire {
        let attack = |steps: u8| {
            let firepower = if steps > self.open { self.cover_firepower } else { self.firepower };
            let drm = self.drm + self.terrain(steps).tem;
            let attack = Attack { firepower, drm, cowering: self.cowering };
            (self.is_seen(steps) && firepower > 0).then_some((self.location(steps), attack))
        };
        Fire::Listed(self.steps().filter_map(attack).collect())
    }

    /// Returns the map with all units on it. One leader is in the unit's hex, and one in the cover.
    /// `enemy` is a counter of the enemy's nation, or `None` if no nation is given.
    pub(super) fn situation(
        &self,
        unit: Member,
        [here, in_cover]: [Option<Member>; 2],
        enemy: Option<Member>,
    ) -> Situation {
        let enemy_hex = Hex::new(COLUMN, ENEMY_ROW);
        let hex = |steps| (self.location(steps).hex, self.terrain(steps));
        let hexes = self.steps().map(hex).chain([(enemy_hex, Terrain::open())]);
        let hexes = hexes.map(|(hex, terrain)| (hex, HexContents::from_terrain(terrain)));
        let map = Map::new(vec![PlacedBoard::alone()], hexes);
        let seen = self.steps().filter(|&steps| self.is_seen(steps));
        let lines = seen.map(|steps| (enemy_hex, self.location(steps).hex, 0));
        let friend = |name: &str, leader: Option<Member>, steps| {
            let (name, at) = (name.to_string(), self.location(steps));
            leader.map(|member| Friend { name, member, at })
        };
        let friends = [friend("leader here", here, 0), friend("leader", in_cover, self.open + 1)];
        let unit = Router::new("unit", unit, self.location(0));
        let place = Enemy::new("the enemy", Location::ground(enemy_hex));
        let (firepower, range) = (Some(1), Some(NORMAL_RANGE));
        Situation {
            routers: vec![Router { sheltered: false, ..unit }],
            friends: friends.into_iter().flatten().collect(),
            enemies: vec![Enemy { member: enemy, firepower, range, ..place }],
            ..Situation::new(map, Arc::new(ListedSight::new(lines, Some(Geometry))))
        }
    }
}
