//! A crossing on a map: Locations with their terrain and MF, defenders with what they see, from the
//! hexes, enemies and lines of sight of a situation.

use std::ops::Range;

use super::defenders::{
    CrossingDefender, CrossingDefenders, DefenderSight, MOST_DEFENDERS, too_many,
};
use super::fields::CrossingFields;
use super::path::{CrossingPath, PathHex, PathLocation};
use crate::attack::circumstances::{CrossedHexside, TargetWorks};
use crate::attack::firers::FireGroup;
use crate::board::map::{Barrier, HexContents, Location, Works};
use crate::board::movement::{EntryMode, MoveOption, steps};
use crate::board::terrain::{Cost, Mf, OpenGround, SightEffect, Terrain};
use crate::rout::{Enemy, Situation};
use crate::stack::Member;
use crate::vocabulary::Condition;
use engine::text::Fault;
use schema::FieldFault;

/// A Location of a map, inside or outside its works or shellholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct MapNode {
    pub at: Location,
    pub sheltered: bool,
}

/// A step of a path on a map.
#[derive(Clone, Debug)]
pub(super) struct MapStep {
    pub to: MapNode,
    pub location: PathLocation,
}

/// The firers of one Location of a map.
struct PlacedDefender {
    at: Location,
    name: String,
    uses: [bool; 2],
    /// The firers, or the enemy whose fire has no figures.
    by: Result<FireGroup, String>,
    span: Range<usize>,
}

/// What an enemy of a situation does at a stack that crosses.
enum EnemyFire {
    None,
    /// It fires, with the figures of its counter.
    Printed(Member),
    /// It may fire, but the situation does not say with what.
    Unnamed,
}

/// A situation with its defenders, and the stack that crosses it.
pub(super) struct CrossingBoard<'a> {
    situation: &'a Situation,
    defenders: Vec<PlacedDefender>,
    /// The Locations of Known armed units of the mover's side, without the stack (8.3).
    others: Vec<Location>,
    /// The MF of the slowest unit.
    mf: Mf,
    /// True if the stack may enter the Location of an enemy.
    is_charge: bool,
    /// At night, the Night Visibility Range if it is known (E1.1).
    night: Option<Option<u8>>,
}

const FIELD: &str = CrossingFields::defenders.name;

impl<'a> CrossingBoard<'a> {
    /// Places the enemies of a situation, and the defenders of the question in their stead.
    ///
    /// # Errors
    ///
    /// Fails if a defender stands in no Location of the map.
    pub fn new(
        situation: &'a Situation,
        own: &CrossingFields,
        (mf, is_charge, night): (Mf, bool, Option<Option<u8>>),
        start: Location,
    ) -> Result<CrossingBoard<'a>, FieldFault> {
        let named = own.defenders.iter().flat_map(|all| &all.defenders);
        let mut defenders: Vec<PlacedDefender> = named
            .map(|defender| placed(situation, defender))
            .collect::<Result<_, _>>()
            .map_err(FieldFault::in_field(FIELD))?;
        let is_named = |at: Location| defenders.iter().any(|defender| defender.at == at);
        let enemies: Vec<&Enemy> =
            situation.enemies.iter().filter(|enemy| !is_named(enemy.at)).collect();
        for (place, enemy) in enemies.iter().enumerate() {
            if enemies[..place].iter().all(|other| other.at != enemy.at) {
                let together: Vec<&Enemy> =
                    enemies.iter().copied().filter(|other| other.at == enemy.at).collect();
                defenders.extend(from_enemies(situation, &together)?);
            }
        }
        let routers = situation.routers.iter().map(|router| (&router.member, router.at));
        let friends = situation.friends.iter().map(|friend| (&friend.member, friend.at));
        let unarmed = [Condition::Unarmed, Condition::Captured];
        let is_known = |member: &Member| {
            !member.concealed && !unarmed.into_iter().any(|unarmed| member.is(unarmed))
        };
        let others = routers.chain(friends).filter(|(member, at)| is_known(member) && *at != start);
        let others = others.map(|(_, at)| at).collect();
        Ok(CrossingBoard { situation, defenders, others, mf, is_charge, night })
    }

    /// Returns the steps of a path from its first hex on.
    ///
    /// # Errors
    ///
    /// Fails at the first hex that the stack cannot enter.
    pub fn steps(&self, hexes: &[PathHex]) -> Result<(MapNode, Vec<MapStep>), FieldFault> {
        let in_path = FieldFault::in_field(CrossingFields::path.name);
        self.written_steps(hexes).map_err(in_path)
    }

    fn written_steps(&self, hexes: &[PathHex]) -> Result<(MapNode, Vec<MapStep>), Fault> {
        let mut nodes = Vec::new();
        for hex in hexes {
            nodes.push(MapNode { at: location(self.situation, hex)?, sheltered: hex.sheltered });
        }
        let mut steps = Vec::new();
        for (place, pair) in nodes.windows(2).enumerate() {
            let at_hex = |fault: Fault| Fault { span: hexes[place + 1].span.clone(), ..fault };
            let name = self.name(pair[1].at);
            if nodes[..=place].iter().any(|node| node.at == pair[1].at) {
                let fault = Fault::new(format!("the path enters {name} twice"), 0..0);
                return Err(at_hex(fault.help("a path enters each Location once")));
            }
            steps.push(self.step(pair[0], pair[1]).map_err(at_hex)?);
        }
        let start = nodes.first().copied();
        start.map(|start| (start, steps)).ok_or_else(|| Fault::new("the path is empty", 0..0))
    }

    /// Returns the cheapest step from one node to another.
    fn step(&self, from: MapNode, to: MapNode) -> Result<MapStep, Fault> {
        let step = self.steps_from(from).into_iter().filter(|step| step.to == to);
        let is_open = |step: &MapStep| step.location.terrain.open_ground == OpenGround::Yes;
        let step = step.min_by_key(|step| (step.location.mf, is_open(step)));
        step.ok_or_else(|| self.why_not(from, to))
    }

    /// Returns every step from a node: entries by road and across the terrain, and into works.
    pub fn steps_from(&self, from: MapNode) -> Vec<MapStep> {
        let options = steps(&self.situation.map, from.at, from.sheltered).into_iter();
        let entered = options.filter(|option| self.is_free(option.to));
        entered.filter_map(|option| self.entered(&option)).collect()
    }

    /// Returns whether the stack may enter a Location: no enemy is there, or it charges (4.14).
    fn is_free(&self, at: Location) -> bool {
        self.is_charge || self.situation.enemies.iter().all(|enemy| enemy.at != at)
    }

    fn entered(&self, option: &MoveOption) -> Option<MapStep> {
        let ground = self.situation.map.get(option.to.hex)?;
        let works = match ground.works.filter(|_| option.is_sheltered()) {
            Some(Works::Foxhole) => TargetWorks::Foxhole,
            Some(Works::Trench) => TargetWorks::Trench,
            Some(Works::Pillbox) => return None,
            None if option.is_sheltered() => TargetWorks::Shellhole,
            None => TargetWorks::None,
        };
        let terrain = terrain(ground, option.way);
        // At night 1 MF more enters terrain that hinders or blocks LOS, unless by road.
        let is_slow = self.night.is_some()
            && option.way != EntryMode::Road
            && terrain.sight != SightEffect::Open;
        let mf = match option.cost {
            Cost::Mf(mf) if is_slow => mf + Mf::whole(1),
            Cost::Mf(mf) => mf,
            Cost::All => self.mf,
        };
        let location = PathLocation {
            name: self.name(option.to),
            terrain,
            mf,
            works,
            hexside: CrossedHexside::None,
            hindrance: 0,
            smoke: 0,
            residual: 0,
            lane: None,
        };
        Some(MapStep { to: MapNode { at: option.to, sheltered: option.is_sheltered() }, location })
    }

    /// Returns the fault of a step that does not exist.
    fn why_not(&self, from: MapNode, to: MapNode) -> Fault {
        let map = &self.situation.map;
        let (here, there) = (self.name(from.at), self.name(to.at));
        let fault = |message: String| Fault::new(message, 0..0);
        let side = from.at.hex.side_towards(to.at.hex);
        let Some(ground) = map.get(to.at.hex) else {
            return fault(format!("{there} is not on the map"));
        };
        if from.at.hex != to.at.hex && side.is_none() {
            let fault = fault(format!("{here} and {there} are not adjacent"));
            return fault.help("name every hex that the stack enters");
        }
        if let Some(enemy) = self.situation.enemies.iter().find(|enemy| enemy.at == to.at) {
            let fault = fault(format!("{} holds {there}: no entry in the MPh (A4.14)", enemy.name));
            return fault.help("only berserk units enter it: the move is `charge`");
        }
        let barrier = side.and_then(|side| map.barrier(from.at.hex, side));
        let is_barred = barrier.is_some_and(|barrier| !barrier.is_passable());
        let (barrier, rule) = match barrier {
            Some(Barrier::RowhouseWall) => ("rowhouse wall", "B23.71"),
            _ => ("Cliff", "B11"),
        };
        let terrain = ground.terrain.name.to_lowercase();
        let is_pillbox = to.sheltered && ground.works == Some(Works::Pillbox);
        let reasons = [
            (ground.terrain.cost.is_none(), format!("nobody enters {terrain}, as in {there}")),
            (ground.blaze, format!("nobody enters the Blaze in {there} (B25.4)")),
            (ground.hazard, format!("mines and FFE, as in {there}, are not played")),
            (is_barred, format!("a {barrier} lies between {here} and {there} ({rule})")),
            (is_pillbox, format!("the pillbox of {there} is not played")),
            (to.sheltered, format!("{there} has neither works nor shellholes")),
        ];
        let reason = reasons.into_iter().find(|(holds, _)| *holds);
        let message = reason.map(|(_, message)| message);
        fault(message.unwrap_or_else(|| format!("no way leads from {here} to {there}")))
    }

    /// Returns the path of some steps.
    pub fn path(&self, steps: &[MapStep]) -> CrossingPath {
        CrossingPath::from_locations(steps.iter().map(|step| step.location.clone()).collect())
    }

    /// Returns the defenders who see a Location of the path.
    ///
    /// # Errors
    ///
    /// Fails if an enemy sees the path whose fire has no figures, or if there are too many.
    pub fn defenders(&self, steps: &[MapStep]) -> Result<CrossingDefenders, FieldFault> {
        let mut seeing = Vec::new();
        for defender in &self.defenders {
            let sight = |step: &MapStep| self.sight(defender.at, step.to.at);
            let at: Vec<Option<DefenderSight>> = steps.iter().map(sight).collect();
            if at.iter().all(Option::is_none) {
                continue;
            }
            let by = defender.by.clone().map_err(|enemy| unnamed(&enemy, defender, self))?;
            seeing.push(CrossingDefender {
                name: defender.name.clone(),
                by,
                hex: None,
                at,
                is_everywhere: false,
                uses: defender.uses,
                span: defender.span.clone(),
            });
        }
        if seeing.len() > MOST_DEFENDERS {
            let message = format!("{} enemy Locations see the path", seeing.len());
            let fault = CrossingFields::path.fault(format!("{message}: {}", too_many()));
            return Err(fault.help("set `holds-fire` for enemies who do not fire"));
        }
        Ok(CrossingDefenders::from_defenders(seeing))
    }

    /// Returns what a defender sees of a Location; `None` without LOS.
    pub fn sight(&self, from: Location, to: Location) -> Option<DefenderSight> {
        let seen = self.situation.fire_sight(from, to)?;
        let range = from.hex.range(to.hex);
        if self.night.flatten().is_some_and(|visible| range > visible.max(1).into()) {
            return None;
        }
        let is_nearer = |other: &Location| {
            from.hex.range(other.hex) < range
                && self.situation.hindrance_drm(from, *other).is_some()
        };
        Some(DefenderSight {
            range: seen.range,
            level: seen.level,
            hindrance: (seen.hindrance > 0).then_some(seen.hindrance),
            hexside: Some(seen.hexside).filter(|hexside| *hexside != CrossedHexside::None),
            smoke_los: seen.smoke_los,
            smoke_out: seen.smoke_out,
            is_nearer: self.others.iter().any(is_nearer),
        })
    }

    /// Returns each Location from which somebody may fire.
    pub fn firing_locations(&self) -> impl Iterator<Item = Location> {
        self.defenders.iter().map(|defender| defender.at)
    }

    pub fn name(&self, at: Location) -> String {
        self.situation.map.location_name(at)
    }
}

/// Returns the Location of a hex of a path.
///
/// # Errors
///
/// Fails at the hex if the map has no such Location.
pub(super) fn location(situation: &Situation, hex: &PathHex) -> Result<Location, Fault> {
    let located = situation.map.parse_location(&hex.name);
    located.map_err(|fault| Fault { span: hex.span.clone(), ..fault })
}

/// Returns the terrain that a unit enters. At the road rate it is on the road, so that only woods
/// and buildings around it count (B3); shellholes are works in Open Ground.
fn terrain(ground: &HexContents, way: EntryMode) -> &'static Terrain {
    let is_on_road = way == EntryMode::Road && !ground.is_cover();
    let has_shellholes = ground.terrain.open_ground == OpenGround::AtMinimum;
    if is_on_road || has_shellholes { Terrain::open() } else { ground.terrain }
}

/// Places a defender of the question.
fn placed(situation: &Situation, defender: &CrossingDefender) -> Result<PlacedDefender, Fault> {
    let at_defender = |fault: Fault| Fault { span: defender.span.clone(), ..fault };
    let Some(hex) = &defender.hex else {
        let fault = Fault::new(format!("{} has no hex on the map", defender.name), 0..0);
        let help = "its LOS comes from the map: `A: german:4-6-7/mmg @ G4`";
        return Err(at_defender(fault.help(help)));
    };
    Ok(PlacedDefender {
        at: situation.map.parse_location(hex).map_err(at_defender)?,
        name: defender.name.clone(),
        uses: defender.uses,
        by: Ok(defender.by.clone()),
        span: defender.span.clone(),
    })
}

/// Makes a defender of the enemies of one Location; `None` if nobody of them fires.
fn from_enemies(
    situation: &Situation,
    enemies: &[&Enemy],
) -> Result<Option<PlacedDefender>, FieldFault> {
    let at = enemies[0].at;
    let mut by = Vec::new();
    let mut unnamed = None;
    for enemy in enemies {
        match fire_of(enemy) {
            EnemyFire::None => {}
            EnemyFire::Printed(member) => by.push(member.to_string()),
            EnemyFire::Unnamed => unnamed = Some(enemy.name.clone()),
        }
    }
    if by.is_empty() && unnamed.is_none() {
        return Ok(None);
    }
    let name = situation.map.location_name(at).replace(" level ", "/");
    let group = FireGroup::parse(&by.join(" + "));
    let by = match unnamed {
        Some(enemy) => Err(enemy),
        None => Ok(group.map_err(|fault| {
            let message = format!("the enemies in {name}: {}", fault.message);
            CrossingFields::map.fault(message)
        })?),
    };
    Ok(Some(PlacedDefender { at, name, uses: [true; 2], by, span: 0..0 }))
}

fn fire_of(enemy: &Enemy) -> EnemyFire {
    let of = enemy.circumstances;
    let unable = [Condition::Broken, Condition::Captured, Condition::Unarmed];
    let is_silent = of.holds_fire || of.in_melee || of.stunned || of.ti;
    if is_silent || unable.into_iter().any(|unable| enemy.is(unable)) {
        return EnemyFire::None;
    }
    let has_weapon = enemy.weapon.is_some_and(|weapon| !weapon.malfunctioned);
    let is_changed = enemy.firepower.is_some() || enemy.range.is_some();
    let is_halved = of.moving || of.spotted_fire || of.vehicle || of.unknown_fire;
    match &enemy.member {
        Some(member) if !(has_weapon || is_changed || is_halved) => {
            EnemyFire::Printed(Member { concealed: false, ..member.clone() })
        }
        _ => EnemyFire::Unnamed,
    }
}

/// Returns the fault of an enemy who sees the path, but whose fire has no figures.
fn unnamed(enemy: &str, defender: &PlacedDefender, board: &CrossingBoard) -> FieldFault {
    let place = board.name(defender.at);
    let message = format!("{enemy} sees the path: name the counters and SW that fire from {place}");
    let help =
        format!("`--defender \"A: german:4-6-7/mmg @ {place}\"`, or `holds-fire` in the situation");
    CrossingFields::map.fault(message).help(help)
}
