//! A platoon or a firefight as every part of it knows it, and the view of one moment.

use crate::vocabulary::Report;
use std::sync::Arc;

use smallvec::SmallVec;

use super::ground::{LineOfFire, Link, PlatoonLocation, SightTable};
use super::orders::{Aim, LeaderWord, PolicyWord, SideOrders};
use super::state::{
    EventScope, FireMoment, LinkDirection, PlatoonEvent, PlatoonState, PlatoonStep, SceneFacts,
    Troop, Trooper, Whereabouts,
};
use crate::board::terrain::Terrain;
use crate::cache::Cache;
use crate::catalogue::{Counter, CounterId, CounterKind};
use crate::engagement::{Engagement, EngagementSetup};
use crate::location::LocationState;
use crate::roster::Roster;
use crate::rulebook::{Rulebook, Switch};
use crate::stack::Member;
use crate::unit::{Condition, Unit, Wording};
use crate::vocabulary::attack::Attack;
use crate::vocabulary::choice::Choices;
use crate::vocabulary::gauntlet::Gauntlet;
use crate::vocabulary::outcome::OutcomeDetail;
use crate::vocabulary::rally::RallyPhase;
use crate::vocabulary::scene::Scene;
use crate::vocabulary::stage::Stage;
use crate::vocabulary::verdict::Reading;
use engine::process::{Event, Log, Process as _};

/// The Player Turns in which a fixed attack falls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttackTurns {
    Every,
    /// Player Turns of the side that it falls on.
    Own,
    /// Player Turns of its enemy.
    Enemy,
    Listed(Vec<u16>),
}

/// An attack by a schedule, such as that of a mortar.
#[derive(Clone, Debug)]
pub struct FixedAttack {
    /// The side that it falls on (0 or 1).
    pub on: u8,
    pub at: Aim,
    /// Its FP and DRM, without the TEM of the target.
    pub attack: Attack,
    pub turns: AttackTurns,
}

/// A side of a platoon or a firefight.
#[derive(Clone, Debug)]
pub struct PlatoonSide {
    pub name: Arc<str>,
    pub elr: u8,
    pub members: Vec<Member>,
    /// The index of the Location of each unit at the start.
    pub begins_in: Vec<u8>,
    pub locations: Vec<PlatoonLocation>,
    pub links: Vec<Link>,
    pub policy: PolicyWord,
    /// The orders of the policy, with those that are given one by one.
    pub orders: SideOrders,
}

impl PlatoonSide {
    /// Returns the other ends of the links of a Location with the links, in the order of the file.
    pub(super) fn linked(&self, from: u8) -> impl Iterator<Item = (u8, u8)> {
        let ends = self.links.iter().zip(0..);
        ends.filter_map(move |(link, number)| Some((number, link.other_end(from)?)))
    }

    pub(super) fn is_front(&self, location: u8) -> bool {
        self.locations[usize::from(location)].is_front
    }

    /// Returns the Location to which a course leads.
    pub(super) fn goal(&self, course: LinkDirection) -> u8 {
        let link = self.links[usize::from(course.link)];
        if course.is_back { link.from } else { link.to }
    }

    /// Returns the course from a Location by a link.
    pub(super) fn course(&self, from: u8, link: u8) -> LinkDirection {
        LinkDirection { link, is_back: self.links[usize::from(link)].from != from }
    }
}

/// The rules for the units of a side in a Location, or on the way, under each set of facts.
#[derive(Clone, Debug)]
pub(super) struct PlatoonNode {
    engagements: Vec<Option<Engagement>>,
    /// The attacks that can fall here, sorted by their keys.
    attacks: Vec<AttackKey>,
}

/// What tells attacks apart: the column, the DRM and Cowering.
type AttackKey = (u16, i8, u8);

/// The indices of the stages of every node before its attacks, each followed by a report.
const RALLY: usize = 0;
const OWN_RALLY: usize = 2;
const GAUNTLET: usize = 4;
const FIRST_ATTACK: usize = 6;

/// The DRM below and above which nothing changes on the IFT.
const DRM_LIMITS: (i8, i8) = (-12, 14);

fn attack_key(attack: &Attack) -> Option<AttackKey> {
    let column = Attack::column_of(attack.firepower)?;
    Some((column, attack.drm.clamp(DRM_LIMITS.0, DRM_LIMITS.1), attack.cowering))
}

/// The facts on which a reckoned attack by units depends.
pub(super) type FireKey = SmallVec<[u64; 12]>;

/// A platoon, or the two sides of a firefight.
pub struct Platoon {
    pub(super) rulebook: Rulebook,
    pub(super) roster: Arc<Roster>,
    pub(super) heat_of_battle: bool,
    pub sides: Vec<PlatoonSide>,
    /// The counters of the units at the start, in the roster.
    pub(super) counters: Vec<Vec<CounterId>>,
    pub turns: u16,
    /// The side (0 or 1) whose Player Turn is first.
    pub begins: u8,
    pub(super) sights: SightTable,
    pub attacks: Vec<FixedAttack>,
    /// The nodes of each side: its Locations, and last the way between them.
    nodes: Vec<Vec<PlatoonNode>>,
    /// The attacks by units, as they have been reckoned.
    pub(super) reckoned: Cache<FireKey, Option<Attack>>,
}

/// The settings from which a platoon is built.
pub struct PlatoonSetup {
    pub rulebook: Rulebook,
    pub heat_of_battle: bool,
    pub no_quarter: bool,
    pub sides: Vec<PlatoonSide>,
    pub turns: u16,
    pub begins: u8,
    pub sights: SightTable,
    pub attacks: Vec<FixedAttack>,
}

impl Platoon {
    /// Builds the process with the rules of every place.
    pub fn new(setup: PlatoonSetup) -> Platoon {
        let PlatoonSetup {
            rulebook,
            heat_of_battle,
            no_quarter,
            sides,
            turns,
            begins,
            sights,
            attacks,
        } = setup;
        let all: Vec<Member> = sides.iter().flat_map(|side| side.members.clone()).collect();
        let (roster, counters) = Roster::from_members(&all);
        let mut counters = counters.into_iter();
        let counters =
            sides.iter().map(|side| counters.by_ref().take(side.members.len()).collect()).collect();
        let mut platoon = Platoon {
            rulebook,
            roster,
            heat_of_battle,
            sides,
            counters,
            turns,
            begins,
            sights,
            attacks,
            nodes: Vec::new(),
            reckoned: Cache::default(),
        };
        let nodes = |side: usize| {
            let places = 0..=platoon.sides[side].locations.len();
            places.map(|place| platoon.node(side, place, no_quarter)).collect()
        };
        platoon.nodes = (0..platoon.sides.len()).map(nodes).collect();
        platoon
    }

    /// Returns the rules and interpretations in force.
    pub fn rulebook(&self) -> Rulebook {
        self.rulebook
    }

    /// Returns whether Heat of Battle is played (15.1).
    pub fn plays_heat_of_battle(&self) -> bool {
        self.rulebook.plays_heat_of_battle(self.heat_of_battle)
    }

    /// Returns whether two sides are in play.
    pub fn is_firefight(&self) -> bool {
        self.sides.len() == 2
    }

    /// Returns the side (0 or 1) whose Player Turn it is, counted from 1.
    pub fn attacker(&self, turn: u16) -> u8 {
        if turn % 2 == 1 { self.begins } else { 1 - self.begins }
    }

    /// Returns the attack on a Location with its TEM.
    pub(super) fn with_tem(&self, attack: &Attack, side: usize, location: u8) -> Attack {
        let tem = self.sides[side].locations[usize::from(location)].tem;
        let ends_at_fifteen = self.rulebook.chooses(Switch::TableEndsAtFifteen);
        Attack { drm: attack.drm.saturating_add(tem), ends_at_fifteen, ..*attack }
    }

    /// Returns the attack on who goes by a link to a front (8.1).
    pub(super) fn attack_on_link(&self, link: &Link) -> Attack {
        let ends_at_fifteen = self.rulebook.chooses(Switch::TableEndsAtFifteen);
        Attack { ends_at_fifteen, ..Attack::new(link.fire, link.fire_drm, 1) }
    }

    fn attacks_on(&self, side: usize, place: usize) -> Vec<AttackKey> {
        let own = &self.sides[side];
        let mut keys: Vec<AttackKey> = Vec::new();
        if place == own.locations.len() {
            keys.extend(own.links.iter().filter_map(|link| attack_key(&self.attack_on_link(link))));
        } else {
            let fixed = self.attacks.iter().filter(|attack| usize::from(attack.on) == side);
            let fixed = fixed.map(|fixed| self.with_tem(&fixed.attack, side, place as u8));
            keys.extend(fixed.filter_map(|attack| attack_key(&attack)));
            keys.extend(self.attacks_by_units(side, place));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Returns every attack by units that could fall on a Location: each column, DRM and Cowering.
    fn attacks_by_units(&self, side: usize, place: usize) -> Vec<AttackKey> {
        let Some(enemy) = self.sides.get(1 - side) else { return Vec::new() };
        let lines = (0..enemy.locations.len()).filter_map(|at| self.sights.get(side, place, at));
        let hindrances: Vec<i8> = lines.map(|line| line.hindrance as i8).collect();
        let (Some(least), Some(most)) = (hindrances.iter().min(), hindrances.iter().max()) else {
            return Vec::new();
        };
        let tem = self.sides[side].locations[place].tem;
        // The best leader has -3, and every hero who fires -1 or with a MG -2 less.
        let (low, high) = (tem + least - 3 - MOST_HEROES, tem + most + 3);
        let (low, high) = (low.max(DRM_LIMITS.0), high.clamp(DRM_LIMITS.0, DRM_LIMITS.1));
        let columns = COLUMNS.into_iter();
        columns
            .flat_map(|column| (low..=high).map(move |drm| (column, drm)))
            .flat_map(|(column, drm)| (0..=2).map(move |cowering| (column, drm, cowering)))
            .collect()
    }

    fn node(&self, side: usize, place: usize, no_quarter: bool) -> PlatoonNode {
        let own = &self.sides[side];
        let location = own.locations.get(place);
        let terrain = location.map_or(Terrain::open(), |at| at.terrain);
        let rally = |own| {
            Stage::RallyPhase(RallyPhase { own, lent_leader: None, terrain, keeps_dm: false })
        };
        let gauntlet = Gauntlet { hexes: None, lent_leader: None, escort: None, disrupted: true };
        let attacks = self.attacks_on(side, place);
        let ends_at_fifteen = self.rulebook.chooses(Switch::TableEndsAtFifteen);
        let fire = attacks.iter().map(|&(firepower, drm, cowering)| {
            Stage::Fire(Attack { ends_at_fifteen, ..Attack::new(firepower, drm, cowering) })
        });
        let stages = [rally(false), rally(true), Stage::Gauntlet(gauntlet)].into_iter().chain(fire);
        let stages: Vec<Stage> = stages.flat_map(|stage| [stage, Stage::Report(0)]).collect();
        let enemies = self.sides.get(1 - side).map(|enemy| &enemy.members);
        let against_russians = enemies.is_some_and(|members| {
            members.iter().any(|member| member.nationality() == crate::nation::Nation::Russian)
        });
        let counters = &self.counters[side];
        let units = own.members.iter().zip(counters);
        let at_start: SmallVec<[Unit; 14]> =
            units.map(|(member, &counter)| Unit::from_member(member, counter, own.elr)).collect();
        let engagement = |facts: SceneFacts| {
            let units = own.members.len();
            Engagement::new(EngagementSetup {
                roster: self.roster.clone(),
                rulebook: self.rulebook,
                scene: Scene {
                    heat_of_battle: self.heat_of_battle,
                    known_enemy: facts.has(SceneFacts::KNOWN),
                    captor: facts.has(SceneFacts::CAPTOR),
                    no_quarter,
                    against_russians,
                    enemy_adjacent: facts.has(SceneFacts::ADJACENT),
                },
                choices: Choices::default(),
                units: at_start.clone(),
                resident: None,
                stages: stages.clone(),
                sniper: None,
                bystanders: 0,
                telling: OutcomeDetail {
                    wording: Wording::Check,
                    slots: (1..=units as u8).collect(),
                    first_created: units as u8 + 1,
                    reported: Vec::new(),
                    equals: Vec::new(),
                    created: true,
                    tells_concealment: false,
                    report: Report::Units,
                },
            })
        };
        let possible = |facts: &SceneFacts| self.is_possible(side, place, *facts);
        let scenes = (0..SceneFacts::ALL as u8).map(SceneFacts);
        let engagements = scenes.map(|facts| possible(&facts).then(|| engagement(facts))).collect();
        PlatoonNode { engagements, attacks }
    }

    /// Returns whether facts can hold in a place.
    fn is_possible(&self, side: usize, place: usize, facts: SceneFacts) -> bool {
        let Some(at) = self.sides[side].locations.get(place) else {
            return facts == SceneFacts::KNOWN;
        };
        let Some(enemy) = self.sides.get(1 - side) else {
            return facts == fixed_facts(at);
        };
        let lines = (0..enemy.locations.len()).filter_map(|of| self.sights.get(side, place, of));
        let ranges: Vec<u8> = lines.map(|line| line.range).collect();
        let is_adjacent = ranges.contains(&1);
        let by_sight = !facts.has(SceneFacts::KNOWN) || !ranges.is_empty();
        let by_range =
            is_adjacent || !facts.has(SceneFacts::CAPTOR) && !facts.has(SceneFacts::ADJACENT);
        by_sight && by_range
    }

    pub(super) fn engagement(&self, event: &PlatoonEvent) -> &Engagement {
        let side = usize::from(event.side);
        let place = match event.scope {
            EventScope::Location(place) => usize::from(place),
            _ => self.sides[side].locations.len(),
        };
        self.rules_at(side, place, event.scene)
    }

    /// Returns the rules of a place under facts about the enemy.
    ///
    /// # Panics
    ///
    /// Panics if the facts cannot hold there, which [`PlatoonView::facts`] excludes.
    pub(super) fn rules_at(&self, side: usize, place: usize, facts: SceneFacts) -> &Engagement {
        let engagement = &self.nodes[side][place].engagements[usize::from(facts.0)];
        engagement.as_ref().expect("these facts can hold in the place")
    }

    /// Returns the index of the stage of an attack on a place; `None` below 1 FP (7.3).
    pub(super) fn attack_stage(&self, side: usize, place: usize, attack: &Attack) -> Option<usize> {
        let attacks = &self.nodes[side][place].attacks;
        let key = attack_key(attack)?;
        let index = attacks.binary_search(&key).ok()?;
        Some(FIRST_ATTACK + 2 * index)
    }

    /// Returns the index of the Rally Phase of a node, in which the first MMC may Self-Rally
    /// (18.11) if `own`.
    pub(super) const fn rally_stage(own: bool) -> usize {
        if own { OWN_RALLY } else { RALLY }
    }

    /// The index of the stage of an Interdicted hex (10.53).
    pub(super) const GAUNTLET: usize = GAUNTLET;

    pub(super) fn view<'a>(&'a self, state: &'a PlatoonState) -> PlatoonView<'a> {
        PlatoonView { platoon: self, state }
    }

    /// Returns the state before the first Player Turn.
    pub(super) fn opening(&self) -> PlatoonState {
        let troop = |side: usize| {
            let Some(own) = self.sides.get(side) else { return Troop::default() };
            let units = own.members.iter().zip(&self.counters[side]).zip(&own.begins_in);
            let trooper = |((member, &counter), &at): ((&Member, &CounterId), &u8)| {
                let mut unit = Unit::from_member(member, counter, own.elr);
                unit.conditions.clear(Condition::BeganBroken);
                Trooper::new(unit, Whereabouts::location(at))
            };
            Troop { units: units.map(trooper).collect() }
        };
        let first = self.first_step();
        let mut state =
            PlatoonState { turn: 1, step: first, sides: [troop(0), troop(1)], event: None };
        if first != PlatoonStep::Rally(0) {
            let crew = |side: usize, unit| self.view(&state).first_crew(side, unit);
            let of_side = |side: usize| {
                let units = 0..state.sides[side].units.len();
                units.map(|unit| crew(side, unit).map_or(0, |number| number as u8 + 1)).collect()
            };
            let weapons: [Vec<u8>; 2] = [0, 1].map(of_side);
            for (troop, weapons) in state.sides.iter_mut().zip(weapons) {
                troop.units.iter_mut().zip(weapons).for_each(|(one, weapon)| one.weapon = weapon);
            }
        }
        state
    }

    /// Returns the first part of a Player Turn.
    pub(super) fn first_step(&self) -> PlatoonStep {
        match self.rulebook.chooses(Switch::WeaponsRecovered) {
            true => PlatoonStep::Recovery(0),
            false => PlatoonStep::Rally(0),
        }
    }
}

/// The most heroes whose DRM in one attack differ.
const MOST_HEROES: i8 = 6;
/// The columns of the IFT.
const COLUMNS: [u16; 11] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];

/// Returns the facts about an enemy that is not played.
fn fixed_facts(at: &PlatoonLocation) -> SceneFacts {
    SceneFacts::default()
        .with_if(SceneFacts::KNOWN, at.is_seen)
        .with_if(SceneFacts::CAPTOR, at.is_adjacent)
        .with_if(SceneFacts::ADJACENT, at.is_adjacent)
}

/// A platoon at one moment.
#[derive(Clone, Copy)]
pub(crate) struct PlatoonView<'a> {
    pub platoon: &'a Platoon,
    pub state: &'a PlatoonState,
}

impl<'a> PlatoonView<'a> {
    pub fn side(self, side: usize) -> &'a PlatoonSide {
        &self.platoon.sides[side]
    }

    pub fn units(self, side: usize) -> &'a [Trooper] {
        &self.state.sides[side].units
    }

    pub fn counter(self, unit: &Unit) -> &'a Counter {
        &self.platoon.roster[unit.counter]
    }

    pub fn chooses(self, switch: Switch) -> bool {
        self.platoon.rulebook.chooses(switch)
    }

    /// Returns the units of a side in a place.
    pub fn present(self, side: usize, place: Whereabouts) -> impl Iterator<Item = &'a Trooper> {
        self.units(side).iter().filter(move |unit| unit.at == place && unit.is_present())
    }

    pub fn in_location(self, side: usize, location: u8) -> impl Iterator<Item = &'a Trooper> {
        self.present(side, Whereabouts::location(location))
    }

    /// Returns the FP of a unit at its Normal Range, and that range: of MMC, heroes and heroic
    /// leaders (15.2).
    pub fn inherent(self, unit: &Unit) -> (u8, u8) {
        let counter = self.counter(unit);
        match counter.kind {
            CounterKind::Leader | CounterKind::Commissar if unit.is(Condition::Heroic) => (1, 4),
            _ => (counter.firepower.unwrap_or_default(), counter.range.unwrap_or_default()),
        }
    }

    /// Returns whether a unit can fire: it is unbroken and has FP.
    pub fn is_able(self, trooper: &Trooper) -> bool {
        trooper.is_up() && self.inherent(&trooper.unit).0 > 0
    }

    pub fn is_mmc(self, unit: &Unit) -> bool {
        !self.counter(unit).kind.is_smc()
    }

    /// Returns the enemy's units in the Locations that a Location sees, each with the line there.
    fn enemies(self, side: usize, location: u8) -> impl Iterator<Item = (&'a Trooper, LineOfFire)> {
        let enemy = 1 - side;
        self.units(enemy).iter().filter(|trooper| trooper.is_present()).filter_map(move |trooper| {
            let at = trooper.at.as_location()?;
            let sights = &self.platoon.sights;
            Some((trooper, sights.get(side, location.into(), at.into())?))
        })
    }

    /// Returns the facts about the enemy for a place.
    pub fn facts(self, side: usize, place: Whereabouts) -> SceneFacts {
        let Some(location) = place.as_location() else { return SceneFacts::KNOWN };
        if !self.platoon.is_firefight() {
            return fixed_facts(&self.side(side).locations[usize::from(location)]);
        }
        let mut facts = SceneFacts::default();
        for (trooper, line) in self.enemies(side, location) {
            let is_armed = line.range == 1 && !trooper.unit.is(Condition::Unarmed);
            facts = facts
                .with_if(SceneFacts::KNOWN, true)
                .with_if(SceneFacts::ADJACENT, is_armed)
                .with_if(SceneFacts::CAPTOR, is_armed && trooper.is_up());
        }
        facts
    }

    /// Returns whether broken units cannot stay in a Location (10.5): it is Open Ground in LOS and
    /// Normal Range of an unbroken enemy, without a Hindrance between them (10.531).
    pub fn is_exposed(self, side: usize, location: u8) -> bool {
        let at = &self.side(side).locations[usize::from(location)];
        if !at.is_open_ground() {
            return false;
        }
        if !self.platoon.is_firefight() {
            return at.is_seen;
        }
        let long_range = self.chooses(Switch::LongRangeForcesRout);
        let reaches = |(trooper, line): (&Trooper, LineOfFire)| {
            let normal = self.range_of(1 - side, trooper);
            let reach = if long_range { normal.saturating_mul(2) } else { normal };
            trooper.is_up() && line.range <= reach && line.hindrance == 0
        };
        self.enemies(side, location).any(reaches)
    }

    /// Returns the Normal Range of a unit with the MG of its Location.
    pub fn range_of(self, side: usize, trooper: &Trooper) -> u8 {
        let (_, own) = self.inherent(&trooper.unit);
        let location = trooper.at.as_location().filter(|_| self.is_mmc(&trooper.unit));
        let weapons = location.map(|at| &self.side(side).locations[usize::from(at)].weapons);
        let longest = weapons.into_iter().flatten().map(|weapon| weapon.normal_range()).max();
        own.max(longest.unwrap_or_default())
    }

    /// Returns the number of hexes of a link that are Interdicted now (10.53, I-159).
    pub fn interdicted(self, side: usize, link: u8) -> u8 {
        let Link { interdicted, from, .. } = self.side(side).links[usize::from(link)];
        let always = !self.platoon.is_firefight() || self.chooses(Switch::AlwaysInterdicted);
        if interdicted == 0 || always {
            return interdicted;
        }
        let in_range = self.chooses(Switch::InterdictedInNormalRange);
        let is_near = |(trooper, at): (&Trooper, u8)| {
            let line = self.platoon.sights.get(side, from.into(), at.into());
            line.is_some_and(|line| line.range <= self.range_of(1 - side, trooper))
        };
        let interdicts = self.interdictors(side).any(|one| !in_range || is_near(one));
        if interdicts { interdicted } else { 0 }
    }

    /// Returns the enemies in a front who can Interdict (10.532): unbroken, unpinned, with FP.
    fn interdictors(self, side: usize) -> impl Iterator<Item = (&'a Trooper, u8)> {
        let enemy = 1 - side;
        self.units(enemy).iter().filter_map(move |trooper| {
            let at = trooper.at.as_location()?;
            let is_fit =
                self.is_able(trooper) && trooper.can_move() && self.side(enemy).is_front(at);
            is_fit.then_some((trooper, at))
        })
    }

    /// Returns whether anybody threatens a side, so that its broken units rout of their own accord:
    /// for the DEFENDER of a firefight, who routs last, an enemy who can Interdict.
    pub fn is_threatened(self, side: usize) -> bool {
        let is_attacker = usize::from(self.platoon.attacker(self.state.turn)) == side;
        let is_always = !self.platoon.is_firefight() || is_attacker;
        is_always || self.interdictors(side).next().is_some()
    }

    /// Returns the word of a leader.
    pub fn leader_word(self, side: usize, unit: usize) -> LeaderWord {
        let orders = &self.side(side).orders;
        let is_commissar =
            self.counter(&self.units(side)[unit].unit).kind == CounterKind::Commissar;
        if is_commissar {
            return LeaderWord::Stay;
        }
        orders.leaders.get(unit).copied().unwrap_or(orders.created)
    }

    /// Returns whether a Good Order MMC of the side is in a front, or any Good Order unit (I-157).
    pub fn holds_position(self, side: usize) -> bool {
        let any_unit = self.chooses(Switch::AnyUnitHoldsPosition);
        let holds = |trooper: &Trooper| {
            let at = trooper.at.as_location();
            trooper.is_up()
                && at.is_some_and(|at| self.side(side).is_front(at))
                && (any_unit || self.is_mmc(&trooper.unit))
        };
        self.units(side).iter().any(holds)
    }

    /// Returns the state of the units that take part in an event, in the order of their side.
    pub fn participants(self, side: usize, scope: EventScope) -> LocationState {
        let units = self.units(side).iter().enumerate();
        let unit = |(index, trooper): (usize, &Trooper)| {
            let takes_part = scope.includes(index, trooper);
            takes_part.then(|| {
                let mut unit = trooper.unit;
                if trooper.has_tried {
                    unit.conditions.set(Condition::Tried);
                }
                unit
            })
        };
        LocationState { units: units.filter_map(unit).collect(), ..LocationState::default() }
    }
}

impl EventScope {
    /// Returns whether the unit with this index takes part.
    pub fn includes(self, index: usize, trooper: &Trooper) -> bool {
        trooper.is_present()
            && match self {
                EventScope::Location(location) => trooper.at == Whereabouts::location(location),
                EventScope::Stack(course) => trooper.course == Some(course),
                EventScope::Alone(unit) | EventScope::Way { unit, .. } => {
                    usize::from(unit) == index
                }
            }
    }
}

/// A platoon as it goes on, with a log of what happens.
pub(crate) struct PlatoonPlay<'a, L> {
    pub platoon: &'a Platoon,
    pub state: &'a mut PlatoonState,
    pub log: &'a mut L,
}

impl<L> PlatoonPlay<'_, L> {
    #[inline]
    pub fn now(&self) -> PlatoonView<'_> {
        self.platoon.view(self.state)
    }

    /// Returns the ATTACKER (0) or the DEFENDER (1) of this Player Turn, if it is in play.
    pub fn side_in_turn(&self, order: u8) -> Option<usize> {
        let attacker = self.platoon.attacker(self.state.turn);
        let side = usize::from(if order == 0 { attacker } else { 1 - attacker });
        (side < self.platoon.sides.len()).then_some(side)
    }

    pub fn unit_mut(&mut self, side: usize, unit: usize) -> &mut Trooper {
        &mut self.state.sides[side].units[unit]
    }
}

impl FireMoment {
    /// Returns the side in the order of the Player Turn that fires: the ATTACKER (0) or the other.
    pub const fn firer(self) -> u8 {
        match self {
            FireMoment::Prep | FireMoment::Advancing => 0,
            FireMoment::Defensive => 1,
        }
    }
}

impl Platoon {
    /// Returns a log of an event that says which side and place it is about, with the slots of the
    /// side.
    pub(super) fn event_log<'a, L: Log>(
        &'a self,
        log: &'a mut L,
        troop: &'a Troop,
        (side, scope): (usize, EventScope),
    ) -> L::Changed<'a> {
        log.changed(move |event| self.in_event(troop, side, scope, event))
    }

    /// Applies a reading to an event, which `state` does not have meanwhile.
    pub(super) fn apply_to<L: Log>(
        &self,
        event: &mut PlatoonEvent,
        state: &PlatoonState,
        reading: Reading,
        log: &mut L,
    ) {
        let (side, scope) = (usize::from(event.side), event.scope);
        let mut log = self.event_log(log, &state.sides[side], (side, scope));
        self.engagement(event).apply(&mut event.location, reading, &mut log);
    }

    /// Returns a unit by its side and slot.
    pub(super) fn unit_name(&self, side: usize, unit: usize) -> String {
        format!("{} [{}]", self.sides[side].name, unit + 1)
    }

    pub(super) fn arrival_in_words(
        &self,
        side: usize,
        unit: usize,
        course: LinkDirection,
    ) -> String {
        let own = &self.sides[side];
        let goal = &own.locations[usize::from(own.goal(course))].name;
        format!("{} goes to {goal}", self.unit_name(side, unit))
    }

    /// Returns the rules of a side in some place, for what does not depend on the place.
    pub(super) fn any_rules(&self, side: usize) -> &Engagement {
        let way = self.sides[side].locations.len();
        self.rules_at(side, way, SceneFacts::KNOWN)
    }

    /// Returns an event of a part of a side with the side, the place, and the slots of the side.
    pub(super) fn in_event(
        &self,
        troop: &Troop,
        side: usize,
        scope: EventScope,
        event: Event,
    ) -> Event {
        let Event { rule, mut text } = event;
        let units = troop.units.iter().enumerate();
        let slots: Vec<usize> = units
            .filter(|(index, trooper)| scope.includes(*index, trooper))
            .map(|(index, _)| index + 1)
            .collect();
        let mut written = String::new();
        while let Some(start) = text.find(" [") {
            let rest = text.split_off(start + 2);
            written += &text;
            let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let slot = rest[..end].parse::<usize>().ok().and_then(|slot| slot.checked_sub(1));
            match slot.and_then(|slot| slots.get(slot)) {
                Some(slot) => written += &slot.to_string(),
                None => written += &rest[..end],
            }
            text = rest[end..].to_string();
        }
        written += &text;
        let own = &self.sides[side];
        let whom = match (scope, &slots[..]) {
            (EventScope::Location(at), _) => own.locations[usize::from(at)].name.to_string(),
            (EventScope::Stack(course), _) => {
                let goal = self.sides[side].goal(course);
                format!("on the way to {}", own.locations[usize::from(goal)].name)
            }
            (_, [slot]) => format!("on the way, [{slot}]"),
            _ => "on the way".to_string(),
        };
        Event { rule, text: format!("{}, {whom}: {written}", own.name) }
    }
}
