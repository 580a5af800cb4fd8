//! The nodes (Locations with their events) and routs of a campaign, each built on first use.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::orders::{CampaignOrders, Fire};
use crate::board::map::{Location, Works};
use crate::board::terrain::Terrain;
use crate::cache::{Cache, Numbered};
use crate::catalogue::{CATALOGUE, CounterKind};
use crate::engagement::{Engagement, EngagementSetup};
use crate::rout::{Bearing, Enemy, Party, Rout, RoutMap, Router, Situation};
use crate::stack::{Member, Slots};
use crate::vocabulary::{
    Attack, Choices, Condition, LocationState, OutcomeDetail, RallyPhase, Scene, Stage, Unit,
};
use engine::process::Log;

/// A Location. `sheltered` is true if the unit is in its works or shellholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Whereabouts {
    pub location: Location,
    pub sheltered: bool,
}

/// The event of a Voluntary Break (10.41): after two Rally Phases (10.6), before the attacks (7.3).
pub(super) const BREAK: usize = 2;

/// A Location in a campaign, with all that can happen to a unit in it.
pub(super) struct CampaignNode {
    pub engagement: Engagement,
    /// The attacks in each phase of fire, in order (7.3).
    pub attacks: Vec<Attack>,
    /// True if the Location is woods, building or pillbox (10.51).
    pub in_cover: bool,
    /// True if an unbroken unit can break voluntarily in the Location (10.41).
    pub may_break: bool,
}

impl CampaignNode {
    pub(super) fn new(
        situation: &Situation,
        fire: &Fire,
        party: &Party,
        whereabouts: Whereabouts,
    ) -> CampaignNode {
        let Whereabouts { location, sheltered } = whereabouts;
        let rulebook = situation.rulebook;
        let is_known = |enemy: &&Enemy| {
            !enemy.circumstances.concealed
                && !enemy.is(Condition::Captured)
                && situation.hindrance(enemy, location).is_some()
        };
        let known: Vec<&Enemy> = situation.enemies.iter().filter(is_known).collect();
        let is_adjacent =
            |enemy: &&&Enemy| enemy.at == location || situation.are_adjacent(enemy.at, location);
        let near = || known.iter().filter(is_adjacent);
        let ground = situation.map.get(location.hex);
        let works = ground.and_then(|ground| ground.works).filter(|_| sheltered);
        let terrain = ground.map_or(Terrain::open(), |ground| ground.terrain);
        let dug_in = works.and_then(|works| Terrain::named(works.name()).ok());
        let mut terrains = [terrain].into_iter().chain(dug_in);
        let rally_terrain = terrains.find(|terrain| rulebook.gives_rally_bonus(terrain));
        let terrain = rally_terrain.unwrap_or(terrain);
        // One leader leads (10.6, 10.21): a Commissar (A25.22), or else the one with the best DRM.
        let leaders = situation.leaders().zip(&party.lent);
        let leaders = leaders.filter(|(friend, _)| friend.at == location);
        let rank = |leader: &Unit| {
            let counter = &party.roster[leader.counter];
            let unit = &party.roster[party.units[0].counter];
            let foreign = unit.nation.is_foreign_to(counter.nation);
            let worse = i8::from(leader.is(Condition::Wounded)) + i8::from(foreign);
            (counter.kind != CounterKind::Commissar, counter.leadership + worse)
        };
        let leader = leaders.map(|(_, leader)| *leader).min_by_key(rank);
        let rally = |own| {
            Stage::RallyPhase(RallyPhase { own, lent_leader: leader, terrain, keeps_dm: false })
        };
        let breaking = Stage::VoluntaryBreak(Slots::from_iter([0]));
        let attacks = fire.attacks(situation, location, sheltered);
        let events = [rally(false), rally(true), breaking].into_iter();
        let events = events.chain(attacks.iter().copied().map(Stage::Fire));
        let mut router = situation.routers[0].clone();
        (router.at, router.sheltered) = (location, sheltered);
        let engagement = Engagement::new(EngagementSetup {
            choices: Choices::ALL,
            sniper: None,
            bystanders: 0,
            roster: party.roster.clone(),
            rulebook,
            scene: Scene {
                known_enemy: !known.is_empty(),
                captor: near().any(|enemy| enemy.takes_prisoners(true, rulebook)),
                enemy_adjacent: near().any(|enemy| enemy.is_armed(rulebook)),
                ..situation.scene()
            },
            units: party.units.clone(),
            resident: leader,
            stages: events.flat_map(|stage| [stage, Stage::Report(0)]).collect(),
            telling: OutcomeDetail::of_the_first(1),
        });
        let in_cover =
            ground.is_some_and(|ground| ground.is_cover()) || works == Some(Works::Pillbox);
        let may_break = situation.may_break_voluntarily(&router);
        CampaignNode { engagement, attacks, in_cover, may_break }
    }

    /// Plays one event on units from another engagement, up to its first roll or its end.
    pub(super) fn play<L: Log>(&self, event: usize, location: &mut LocationState, log: &mut L) {
        self.engagement.play(2 * event, location, log);
    }
}

/// Returns whether the campaign still follows a unit: it is present and not berserk (15.42).
pub(super) fn is_followed(unit: &Unit) -> bool {
    unit.is_present() && !unit.is(Condition::Berserk)
}

/// The campaign of one unit over Player Turns.
pub struct Campaign {
    /// The situations, each with its first Player Turn: the start, and each arrival of a leader.
    eras: Vec<(u16, Situation)>,
    pub(super) orders: CampaignOrders,
    pub(super) party: Party,
    began: Member,
    locations: Vec<Location>,
    /// The nodes by situation, by Location, and by whether the unit is in the works of the hex.
    nodes: Vec<OnceLock<CampaignNode>>,
    met: Arc<Met>,
}

/// The routs by node, unit and revealed enemies (as bits), and the maps of routs.
#[derive(Default)]
struct Met {
    routs: Numbered<(CampaignNodeId, Unit, u64), Rout>,
    fields: Cache<FieldKey, Arc<RoutMap>>,
}

/// The number of a node: a Location in a situation, inside or outside its works.
pub(super) type CampaignNodeId = u32;

/// The key of a rout map: the unit's node and properties that matter, and the revealed enemies.
type FieldKey = (CampaignNodeId, u64, Bearing);

impl Campaign {
    /// Builds the campaign of the first routing unit of a situation.
    ///
    /// # Panics
    ///
    /// Panics if the situation has no routing unit.
    pub fn new(situation: Situation, orders: CampaignOrders) -> Campaign {
        let began = situation.routers[0].member.clone();
        let party = Party::new(&situation, &situation.routers[0]);
        let levels = |hex| 0..=situation.map.get(hex).map_or(0, |ground| ground.upper_levels);
        let of_hex = |hex| levels(hex).map(move |level| Location { hex, level });
        let mut locations: Vec<Location> = situation.map.hexes().flat_map(of_hex).collect();
        locations.sort_unstable();
        let eras = eras(situation, &orders.arrivals);
        let nodes = (0..eras.len() * locations.len() * 2).map(|_| OnceLock::new()).collect();
        Campaign { eras, orders, party, began, locations, nodes, met: Arc::default() }
    }

    /// Makes the campaign share the cache of routs of another campaign of the same situation.
    pub(super) fn meeting_those_of(self, other: &Campaign) -> Campaign {
        Campaign { met: other.met.clone(), ..self }
    }

    /// Returns the unit at the start.
    pub fn unit(&self) -> &Member {
        &self.began
    }

    /// Returns the situation at the start.
    pub fn situation(&self) -> &Situation {
        &self.eras[0].1
    }

    /// Returns whether the enemy has any choice: to hold its fire, or to reveal units (10.533).
    pub fn enemy_chooses(&self) -> bool {
        self.orders.enemy_holds_fire || self.situation().enemy_reveals
    }

    /// Returns the number of Player Turns.
    pub fn turns(&self) -> u16 {
        self.orders.turns
    }

    fn era(&self, turn: u16) -> usize {
        self.eras.iter().rposition(|(from, _)| *from <= turn).unwrap_or(0)
    }

    pub(super) fn node_id(&self, turn: u16, whereabouts: Whereabouts) -> CampaignNodeId {
        let place = self.locations.binary_search(&whereabouts.location).unwrap_or(0);
        ((self.era(turn) * self.locations.len() + place) * 2 + usize::from(whereabouts.sheltered))
            as CampaignNodeId
    }

    pub(super) fn whereabouts(&self, id: CampaignNodeId) -> Whereabouts {
        Whereabouts {
            location: self.locations[id as usize / 2 % self.locations.len()],
            sheltered: id % 2 == 1,
        }
    }

    pub(super) fn node(&self, id: CampaignNodeId) -> &CampaignNode {
        self.nodes[id as usize].get_or_init(|| {
            let (_, situation) = self.era_of(id);
            CampaignNode::new(
                situation,
                &self.orders.fire,
                &self.party_of(id),
                self.whereabouts(id),
            )
        })
    }

    /// Returns the situation that a node belongs to, with its first Player Turn.
    fn era_of(&self, id: CampaignNodeId) -> &(u16, Situation) {
        &self.eras[id as usize / 2 / self.locations.len()]
    }

    /// Returns the unit, and the leaders that have arrived in the situation of a node.
    fn party_of(&self, id: CampaignNodeId) -> Party {
        let from = self.era_of(id).0;
        let is_late = |place: usize| {
            self.orders.arrivals.iter().any(|(leader, turn)| *leader == place && *turn > from)
        };
        let Party { roster, units, lent } = &self.party;
        let lent = lent.iter().enumerate().filter(|(place, _)| !is_late(*place));
        let lent = lent.map(|(_, leader)| *leader).collect();
        Party { roster: roster.clone(), units: units.clone(), lent }
    }

    /// Returns the rout with this number.
    ///
    /// # Panics
    ///
    /// Panics if no state of the campaign has this number.
    pub fn rout(&self, number: u32) -> Arc<Rout> {
        self.met.routs.get(number)
    }

    /// Returns the number of the rout of a unit from a node. `met` are revealed enemies as bits.
    pub(super) fn rout_number(&self, node: CampaignNodeId, unit: Unit, met: u64) -> u32 {
        self.met.routs.number((node, unit, met), || self.new_rout(node, unit, met))
    }

    fn new_rout(&self, node: CampaignNodeId, unit: Unit, met: u64) -> Rout {
        let (_, situation) = self.era_of(node);
        let Whereabouts { location, sheltered } = self.whereabouts(node);
        let counter = &self.party.roster[unit.counter];
        let member = Member {
            // A changed counter of the roster keeps the catalogue id of its original.
            counter: CATALOGUE
                .places()
                .find(|&place| CATALOGUE.get(place).id == counter.id)
                .unwrap_or(self.began.counter),
            nation: Some(counter.nation),
            conditions: unit.conditions,
            ..self.began.clone()
        };
        let began = &situation.routers[0];
        // Melee and the Emplaced Gun are in the Location where the unit began.
        let there = began.at == location;
        let router = Router {
            member,
            at: location,
            sheltered,
            in_melee: began.in_melee && there,
            mans_emplaced_gun: began.mans_emplaced_gun && there,
            ..began.clone()
        };
        let company = Party { units: SmallVec::from_slice(&[unit]), ..self.party_of(node) };
        let mut revealed;
        let situation = if met == 0 {
            situation
        } else {
            revealed = situation.clone();
            revealed.reveal(met);
            &revealed
        };
        let key = (node, met, Bearing::new(situation, &router));
        let field = self.met.fields.get(key, || Arc::new(RoutMap::new(situation, &router)));
        Rout::on_field(&router, field, company)
    }
}

fn eras(situation: Situation, arrivals: &[(usize, u16)]) -> Vec<(u16, Situation)> {
    let turns: BTreeSet<u16> = arrivals.iter().map(|(_, turn)| *turn).chain([1]).collect();
    let names: Vec<String> = situation.leaders().map(|leader| leader.name.clone()).collect();
    let era = |from: u16| {
        let mut situation = situation.clone();
        let late = arrivals.iter().filter(|(_, turn)| *turn > from);
        let late: Vec<&String> = late.map(|(leader, _)| &names[*leader]).collect();
        situation.friends.retain(|friend| !late.contains(&&friend.name));
        (from, situation)
    };
    turns.into_iter().map(era).collect()
}
