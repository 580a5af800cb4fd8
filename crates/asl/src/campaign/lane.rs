//! Abstract ground: a unit, some Open Ground hexes, and cover behind them; an enemy on the far side
//! of the unit.
//!
//! It is made a small map, a row of hexes with nothing beside it, so that the rules of the rout
//! (10.5 - 10.533) are those of any map.

use std::sync::Arc;

use super::fire::Fire;
use crate::board::geometry::Geometry;
use crate::board::hex::Hex;
use crate::board::map::{Ground, Map, Placed, Site};
use crate::board::sight::Listed;
use crate::board::terrain::Terrain;
use crate::rout::{Circumstances, Enemy, Friend, Router, Situation};
use crate::rulebook::Rulebook;
use crate::stack::Member;
use crate::vocabulary::attack::Attack;

/// The way from the unit to cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Terrain where the unit stands.
    pub here: &'static Terrain,
    /// Open Ground hexes between it and cover.
    pub open: u8,
    /// How many of them the enemy Interdicts, those nearest to the unit: they are in his LOS and
    /// Normal Range, the others out of sight.
    pub interdicted: u8,
    /// Whether the unit stands in his LOS and Normal Range.
    pub exposed: bool,
    /// Range from him to the unit, in hexes: 1 is ADJACENT.
    pub range: u16,
    /// Terrain of the cover.
    pub cover: &'static Terrain,
    /// FP of his attack on an exposed Location; 0 where he holds his fire and only Interdicts.
    pub firepower: u16,
    /// FP of his attack on the cover; 0 where that is out of his sight.
    pub cover_firepower: u16,
    /// DRM of his attacks; the TEM of the Location comes to it.
    pub drm: i8,
    /// 7.9: columns that Cowering costs him.
    pub cowering: u8,
}

/// Who is on the lane, and by which rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    pub unit: Member,
    /// A leader where the unit stands, and one in the cover.
    pub leader_here: Option<Member>,
    pub leader: Option<Member>,
    /// The enemy, where his nation matters: a counter of it.
    pub enemy: Option<Member>,
    pub no_quarter: bool,
    pub heat_of_battle: bool,
    pub elr: u8,
    pub rulebook: Rulebook,
}

/// Column of the hexes, and the row of the enemy.
const COLUMN: i16 = 1;
const ENEMY_ROW: i16 = 1;
/// His Normal Range, in hexes: all of the lane.
const NORMAL_RANGE: u16 = 99;

impl Lane {
    /// The hex so many steps from where the unit stands; the cover is one past the Open Ground.
    pub fn site(&self, steps: u8) -> Site {
        Site::ground(Hex::new(COLUMN, ENEMY_ROW + self.range as i16 + i16::from(steps)))
    }

    fn cover_site(&self) -> Site {
        self.site(self.open + 1)
    }

    /// The Locations in words, in order.
    pub fn names(&self) -> Vec<(Site, String)> {
        let here = (self.site(0), format!("{} where it began", self.here.name.to_lowercase()));
        let open = (1..=self.open).map(|step| {
            let swept = if step <= self.interdicted { "Interdicted" } else { "sheltered" };
            (self.site(step), format!("{swept} Open Ground hex {step} of {}", self.open))
        });
        let cover = (self.cover_site(), format!("the {}", self.cover.name.to_lowercase()));
        std::iter::once(here).chain(open).chain([cover]).collect()
    }

    /// Whether the enemy sees the hex so many steps away.
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

    /// His attacks, by Location.
    pub fn fire(&self) -> Fire {
        let attack = |steps: u8| {
            let firepower = if steps > self.open { self.cover_firepower } else { self.firepower };
            let attack = Attack {
                firepower,
                drm: self.drm + self.terrain(steps).tem,
                cowering: self.cowering,
            };
            (self.is_seen(steps) && firepower > 0).then_some((self.site(steps), attack))
        };
        Fire::Listed((0..=self.open + 1).filter_map(attack).collect())
    }

    /// The map, and who stands on it.
    pub fn situation(&self, company: &Company) -> Situation {
        let enemy_hex = Hex::new(COLUMN, ENEMY_ROW);
        let steps = 0..=self.open + 1;
        let hexes =
            steps.clone().map(|steps| (self.site(steps).hex, Ground::of(self.terrain(steps))));
        let map = Map::new(
            vec![Placed::alone()],
            hexes.chain([(enemy_hex, Ground::of(Terrain::open()))]),
        );
        let lines = steps
            .filter(|&steps| self.is_seen(steps))
            .map(|steps| (enemy_hex, self.site(steps).hex, 0));
        let friend = |name: &str, leader: &Option<Member>, at| {
            leader.as_ref().map(|member| Friend {
                name: name.to_string(),
                member: member.clone(),
                at,
            })
        };
        let friends = [
            friend("leader here", &company.leader_here, self.site(0)),
            friend("leader", &company.leader, self.cover_site()),
        ];
        Situation {
            map,
            sight: Arc::new(Listed::new(lines, Geometry)),
            routers: vec![Router {
                name: "unit".to_string(),
                member: company.unit.clone(),
                at: self.site(0),
                sheltered: false,
                in_melee: false,
                mans_emplaced_gun: false,
                escort: None,
            }],
            friends: friends.into_iter().flatten().collect(),
            enemies: vec![Enemy {
                name: "the enemy".to_string(),
                member: company.enemy.clone(),
                at: Site::ground(enemy_hex),
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
