//! The Rally attempts of a situation: each Location with broken units, and what is there.

use crate::board::map::{Location, Works};
use crate::nation::Nation;
use crate::rout::{Enemy, Friend, Router, Situation};
use crate::unit::Condition;

/// A Location with broken units that can attempt to rally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RallyPlace {
    /// The name of the Location.
    pub name: String,
    /// The broken units in stack notation.
    pub units: Vec<String>,
    /// Whether each of the units is under DM.
    pub dm: Vec<bool>,
    /// The best Good Order leader there.
    pub leader: Option<String>,
    /// The terrain of the Location, with its entrenchment or pillbox.
    pub terrain: String,
    /// Whether a Known armed enemy is ADJACENT, so that DM returns (A10.62).
    pub enemy_adjacent: bool,
    /// Whether an enemy is ADJACENT who can take prisoners (A15.5).
    pub captor: bool,
    /// Whether a Known enemy is in LOS, so that a unit can go berserk (A15.44).
    pub enemy_in_sight: bool,
    /// The nation of the enemies, if they have one.
    pub enemy: Option<Nation>,
}

/// Returns the Locations with broken units in the order of the units. Units in Melee do not rally.
pub fn rally_places(situation: &Situation) -> Vec<RallyPlace> {
    let mut places: Vec<Location> = Vec::new();
    let routers = situation.routers.iter().filter(|router| !router.in_melee);
    for router in routers.clone() {
        if !places.contains(&router.at) {
            places.push(router.at);
        }
    }
    let place = |at: &Location| {
        let own: Vec<&Router> = routers.clone().filter(|router| router.at == *at).collect();
        place(situation, *at, &own)
    };
    places.iter().map(place).collect()
}

fn place(situation: &Situation, at: Location, own: &[&Router]) -> RallyPlace {
    let known: Vec<&Enemy> =
        situation.enemies.iter().filter(|enemy| !enemy.circumstances.concealed).collect();
    let is_near = |enemy: &&&Enemy| enemy.at == at || situation.are_adjacent(enemy.at, at);
    let near: Vec<&&Enemy> = known.iter().filter(is_near).collect();
    let leaders = situation.leaders().filter(|leader| leader.at == at);
    let leader = leaders.min_by_key(|leader: &&Friend| leader.member.printed().leadership);
    let ground = situation.map.get(at.hex);
    let works = ground.and_then(|ground| ground.works).map(Works::name);
    let terrain = ground.map_or_else(String::new, |ground| ground.terrain.id.clone());
    RallyPlace {
        name: situation.map.location_name(at),
        units: own.iter().map(|router| router.member.to_string()).collect(),
        dm: own.iter().map(|router| router.is(Condition::Dm)).collect(),
        leader: leader.map(|leader| leader.member.to_string()),
        terrain: works.map_or(terrain, str::to_string),
        enemy_adjacent: near.iter().any(|enemy| enemy.is_armed(situation.rulebook)),
        captor: near.iter().any(|enemy| enemy.takes_prisoners(false, situation.rulebook)),
        enemy_in_sight: known.iter().any(|enemy| situation.hindrance(enemy, at).is_some()),
        enemy: known.iter().find_map(|enemy| Some(enemy.member.as_ref()?.nationality())),
    }
}
