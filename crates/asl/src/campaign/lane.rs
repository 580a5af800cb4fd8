//! Abstract terrain: a unit, some Open Ground hexes, and cover behind them. An enemy is on the far
//! side of the unit.
//!
//! It becomes a small map, a row of hexes with nothing beside it. The rules of the rout (10.5 -
//! 10.533) are therefore those of any map.

use std::sync::Arc;

use super::fire::Fire;
use crate::board::geometry::Geometry;
use crate::board::hex::Hex;
use crate::board::map::{HexContents, Location, Map, PlacedBoard};
use crate::board::sight::ListedSight;
use crate::board::terrain::Terrain;
use crate::rout::{Circumstances, Enemy, Friend, Router, Situation};
use crate::rulebook::Rulebook;
use crate::stack::Member;
use crate::vocabulary::attack::Attack;

/// The route from the unit to cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The terrain where the unit stands.
    pub here: &'static Terrain,
    /// The number of Open Ground hexes between the unit and cover.
    pub open: u8,
    /// The number of hexes that the enemy Interdicts, nearest to the unit first. They are in its
    /// LOS and Normal Range, the others out of sight.
    pub interdicted: u8,
    /// Whether the unit starts in the LOS and Normal Range of the enemy.
    pub exposed: bool,
    /// The range from the enemy to the unit in hexes; 1 is ADJACENT.
    pub range: u16,
    /// The terrain of the cover.
    pub cover: &'static Terrain,
    /// The FP of the attack on an exposed Location; 0 if the enemy only Interdicts.
    pub firepower: u16,
    /// The FP of the attack on the cover; 0 if that is out of sight.
    pub cover_firepower: u16,
    /// The DRM of the attacks, to which the TEM of the Location is added.
    pub drm: i8,
    /// The columns that Cowering costs (7.9).
    pub cowering: u8,
}

/// The units on the lane, and their rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    pub unit: Member,
    /// A leader in the unit's hex.
    pub leader_here: Option<Member>,
    /// A leader in the cover.
    pub leader: Option<Member>,
    /// A counter of the enemy's nation, if the nation matters.
    pub enemy: Option<Member>,
    pub no_quarter: bool,
    pub heat_of_battle: bool,
    pub elr: u8,
    pub rulebook: Rulebook,
}

/// The column of all hexes.
const COLUMN: i16 = 1;
/// The row of the enemy.
const ENEMY_ROW: i16 = 1;
/// The Normal Range of the enemy in hexes, which is beyond the lane.
const NORMAL_RANGE: u16 = 99;

impl Lane {
    /// Returns the hex that is this many steps from the start. The cover is one step after the Open
    /// Ground.
    pub fn location(&self, steps: u8) -> Location {
        Location::ground(Hex::new(COLUMN, ENEMY_ROW + self.range as i16 + i16::from(steps)))
    }

    fn cover_location(&self) -> Location {
        self.location(self.open + 1)
    }

    /// Returns the Locations with their names, in order.
    pub fn names(&self) -> Vec<(Location, String)> {
        let here = (self.location(0), format!("{} where it began", self.here.name.to_lowercase()));
        let open = (1..=self.open).map(|step| {
            let swept = if step <= self.interdicted { "Interdicted" } else { "sheltered" };
            (self.location(step), format!("{swept} Open Ground hex {step} of {}", self.open))
        });
        let cover = (self.cover_location(), format!("the {}", self.cover.name.to_lowercase()));
        std::iter::once(here).chain(open).chain([cover]).collect()
    }

    /// Returns whether the enemy has a LOS to the hex that is this many steps away.
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

    /// Returns the attacks of the enemy by Location.
    pub fn fire(&self) -> Fire {
        let attack = |steps: u8| {
            let firepower = if steps > self.open { self.cover_firepower } else { self.firepower };
            let attack = Attack {
                firepower,
                drm: self.drm + self.terrain(steps).tem,
                cowering: self.cowering,
            };
            (self.is_seen(steps) && firepower > 0).then_some((self.location(steps), attack))
        };
        Fire::Listed((0..=self.open + 1).filter_map(attack).collect())
    }

    /// Returns the map with all units on it.
    pub fn situation(&self, company: &Company) -> Situation {
        let enemy_hex = Hex::new(COLUMN, ENEMY_ROW);
        let steps = 0..=self.open + 1;
        let hexes = steps.clone().map(|steps| {
            (self.location(steps).hex, HexContents::from_terrain(self.terrain(steps)))
        });
        let map = Map::new(
            vec![PlacedBoard::alone()],
            hexes.chain([(enemy_hex, HexContents::from_terrain(Terrain::open()))]),
        );
        let lines = steps
            .filter(|&steps| self.is_seen(steps))
            .map(|steps| (enemy_hex, self.location(steps).hex, 0));
        let friend = |name: &str, leader: &Option<Member>, at| {
            leader.as_ref().map(|member| Friend {
                name: name.to_string(),
                member: member.clone(),
                at,
            })
        };
        let friends = [
            friend("leader here", &company.leader_here, self.location(0)),
            friend("leader", &company.leader, self.cover_location()),
        ];
        Situation {
            map,
            sight: Arc::new(ListedSight::new(lines, Geometry)),
            routers: vec![Router {
                name: "unit".to_string(),
                member: company.unit.clone(),
                at: self.location(0),
                sheltered: false,
                in_melee: false,
                mans_emplaced_gun: false,
                escort: None,
            }],
            friends: friends.into_iter().flatten().collect(),
            enemies: vec![Enemy {
                name: "the enemy".to_string(),
                member: company.enemy.clone(),
                at: Location::ground(enemy_hex),
                firepower: Some(1),
                range: Some(NORMAL_RANGE),
                weapon: None,
                circumstances: Circumstances::default(),
            }],
            crowd: Vec::new(),
            no_quarter: company.no_quarter,
            night: false,
            enemy_reveals: false,
            heat_of_battle: company.heat_of_battle,
            elr: company.elr,
            rulebook: company.rulebook,
        }
    }
}
