//! The campaign as a process.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::fire::Fire;
use super::spot::{Cast, Post, Scenes, Spot, is_followed};
use crate::asl::choice::Choice;
use crate::asl::engagement::{Reading, Terms};
use crate::asl::location::Location;
use crate::asl::outcome::UnitOutcome;
use crate::asl::roster::Roster;
use crate::asl::rout::{self, Bearing, Field, Rout, Router, Situation};
use crate::asl::rulebook::Switch;
use crate::asl::scene::Scene;
use crate::asl::sequence::OwnRph;
use crate::asl::stack::Member;
use crate::asl::unit::{Condition, Unit};
use crate::board::map::Site;
use crate::dice::Face;
use crate::process::{Due, Event, Log, Player, Point, Process};

/// A phase of a Player Turn, as far as a campaign knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// 10.6: the RPh.
    Rally,
    /// 7.3: the PFPh of the enemy's Player Turn, the DFPh of the side's own.
    Fire,
    /// 10.5: the RtPh.
    Rout,
}

/// What a campaign needs besides its situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Player Turns, the first counted from the phase it begins in.
    pub turns: u16,
    /// Phase in which the first begins.
    pub begin: Phase,
    /// 18.11: in which Player Turns, from 1, the unit may be the first MMC of its side to Self-Rally in its own RPh.
    pub own_rph: OwnRph,
    pub fire: Fire,
    /// Whether the enemy may hold his fire, attack by attack, where that is worse for the unit.
    pub enemy_holds_fire: bool,
    /// Whether units created on the way, by Heat of Battle (15.1), Leader Creation (18.2) or Replacement (19.13), stay with the unit until it
    /// routs; else they go their own way at the end of the phase.
    pub created_stay: bool,
    /// Player Turn from which on a leader of the situation is there, by his place among its leaders; from the first, if not named.
    pub arrivals: Vec<(usize, u16)>,
    /// Names of Locations, where they have others than those of the map.
    pub names: Vec<(Site, String)>,
}

/// One unit over Player Turns.
pub struct Campaign {
    /// The situation from a Player Turn on, one more for each arrival.
    eras: Vec<(u16, Situation)>,
    pub(super) orders: Orders,
    cast: Cast,
    began: Member,
    /// Every Location of the map, in order.
    sites: Vec<Site>,
    /// By era, Location, and whether in its works.
    spots: Vec<OnceLock<Spot>>,
    routs: RwLock<Routs>,
    fields: Mutex<FxHashMap<FieldKey, Arc<Field>>>,
}

/// Routs met so far.
#[derive(Default)]
struct Routs {
    numbers: FxHashMap<(SpotId, Unit, u64), u32>,
    routs: Vec<Arc<Rout>>,
}

type SpotId = u32;

/// What makes a field: where the unit stands, which concealed enemies were revealed, and what of the unit it asks.
type FieldKey = (SpotId, u64, Bearing);

/// Where a campaign stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) turn: u16,
    pub(super) stand: Stand,
    spot: SpotId,
    /// 10.533: concealed enemies that were revealed.
    met: u64,
    /// 5.1: half squad-equivalents of units created on the way and left behind.
    behind: u8,
    pub(super) location: Location,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stand {
    Rally,
    /// The enemy is asked whether he makes that attack.
    Aimed(u8),
    Attack(u8),
    /// 10.41: the owner is asked whether the unit breaks.
    Threatened,
    Breaking,
    Rout(u32, Box<rout::State>),
    TurnEnds,
    Over,
}

/// How the unit stands at the end of a Player Turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CampaignOutcome {
    pub turn: u16,
    /// Its slot is always 1.
    pub unit: UnitOutcome,
    pub at: Site,
    /// 10.51: whether it is in woods or a building.
    pub in_cover: bool,
    /// 5.1: half squad-equivalents of units created beside it: the other half-squad of an underlined squad (19.13).
    pub beside: u8,
}

/// What a choice is about.
pub enum Asked<'a> {
    /// 10.6: who tries to rally next, if anybody.
    Try,
    /// 10.62: whether DM is kept.
    Dm,
    /// 7.3: whether the enemy fires.
    Fire,
    /// 10.41: whether the unit breaks.
    Break,
    /// 10.5: the rout of that number.
    Rout(u32, Arc<Rout>, &'a rout::State),
}

impl Campaign {
    /// The campaign of the first routing unit of a situation.
    pub fn new(situation: Situation, orders: Orders) -> Campaign {
        let began = situation.routers[0].member.clone();
        let leaders = situation.leaders().map(|leader| leader.member.clone());
        let members: Vec<Member> = std::iter::once(began.clone()).chain(leaders).collect();
        let (roster, counters) = Roster::of(&members);
        let mut units = members.iter().zip(&counters).map(|(member, &counter)| Unit::of(member, counter, situation.elr));
        let unit = units.next().unwrap_or_else(|| Unit::of(&began, began.counter, situation.elr));
        let cast = Cast { roster, unit, leaders: units.collect() };
        let levels = |hex| 0..=situation.map.get(hex).map_or(0, |ground| ground.upper_levels);
        let mut sites: Vec<Site> =
            situation.map.hexes().flat_map(|hex| levels(hex).map(move |level| Site { hex, level })).collect();
        sites.sort_unstable();
        let eras = eras(situation, &orders.arrivals);
        let spots = (0..eras.len() * sites.len() * 2).map(|_| OnceLock::new()).collect();
        Campaign { eras, orders, cast, began, sites, spots, routs: RwLock::default(), fields: Mutex::default() }
    }

    /// Its unit as it begins.
    pub fn unit(&self) -> &Member {
        &self.began
    }

    /// The situation as it begins.
    pub fn situation(&self) -> &Situation {
        &self.eras[0].1
    }

    /// Player Turns.
    pub fn turns(&self) -> u16 {
        self.orders.turns
    }

    fn era(&self, turn: u16) -> usize {
        self.eras.iter().rposition(|(from, _)| *from <= turn).unwrap_or(0)
    }

    fn spot_id(&self, turn: u16, post: Post) -> SpotId {
        let place = self.sites.binary_search(&post.site).unwrap_or(0);
        ((self.era(turn) * self.sites.len() + place) * 2 + usize::from(post.sheltered)) as SpotId
    }

    fn post(&self, id: SpotId) -> Post {
        Post { site: self.sites[id as usize / 2 % self.sites.len()], sheltered: id % 2 == 1 }
    }

    pub(super) fn spot(&self, id: SpotId) -> &Spot {
        let (_, situation) = &self.eras[id as usize / 2 / self.sites.len()];
        // A leader who has not arrived is no leader of the situation of that era.
        self.spots[id as usize].get_or_init(|| Spot::new(situation, &self.orders.fire, &self.cast_of(id), self.post(id)))
    }

    /// Unit and leaders, as many as there are in the era of a spot.
    fn cast_of(&self, id: SpotId) -> Cast {
        let (from, _) = self.eras[id as usize / 2 / self.sites.len()];
        let late = |place: usize| self.orders.arrivals.iter().any(|(leader, turn)| *leader == place && *turn > from);
        let leaders = self.cast.leaders.iter().enumerate().filter(|(place, _)| !late(*place)).map(|(_, leader)| *leader);
        Cast { roster: self.cast.roster.clone(), unit: self.cast.unit, leaders: leaders.collect() }
    }

    /// The Location of the unit.
    pub fn site(&self, state: &State) -> Site {
        match &state.stand {
            Stand::Rout(number, rout) => self.rout(*number).position(rout).0,
            _ => self.post(state.spot).site,
        }
    }

    pub(super) fn spot_of(&self, state: &State) -> &Spot {
        self.spot(state.spot)
    }

    /// The unit as it stands.
    pub(super) fn unit_in<'a>(&self, state: &'a State) -> &'a Unit {
        match &state.stand {
            Stand::Rout(_, rout) => rout.unit(),
            _ => state.location.unit(0),
        }
    }

    pub(super) fn roster(&self) -> &Roster {
        &self.cast.roster
    }

    /// The rout of that number.
    pub fn rout(&self, number: u32) -> Arc<Rout> {
        self.routs.read().unwrap_or_else(|poisoned| poisoned.into_inner()).routs[number as usize].clone()
    }

    /// What the choice of a state is about.
    pub fn asked<'a>(&self, state: &'a State) -> Asked<'a> {
        match &state.stand {
            Stand::Aimed(_) => Asked::Fire,
            Stand::Threatened => Asked::Break,
            Stand::Rout(number, rout) => Asked::Rout(*number, self.rout(*number), rout),
            _ if self.spot_of(state).engagement.choices_at(&state.location).contains(&Choice::KeepDm) => Asked::Dm,
            _ => Asked::Try,
        }
    }

    /// Number of the rout of a unit from there, made when it is first asked for.
    fn rout_number(&self, state: &State) -> u32 {
        let unit = *state.location.unit(0);
        let key = (state.spot, unit, state.met);
        if let Some(&number) = self.routs.read().unwrap_or_else(|poisoned| poisoned.into_inner()).numbers.get(&key) {
            return number;
        }
        let rout = Arc::new(self.new_rout(state, unit));
        let mut routs = self.routs.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let number = routs.routs.len() as u32;
        let number = *routs.numbers.entry(key).or_insert(number);
        if number as usize == routs.routs.len() {
            routs.routs.push(rout);
        }
        number
    }

    fn new_rout(&self, state: &State, unit: Unit) -> Rout {
        let (_, situation) = &self.eras[self.era(state.turn)];
        let Post { site, sheltered } = self.post(state.spot);
        let counter = &self.cast.roster[unit.counter];
        let member = Member {
            counter: self.cast.roster.alike[usize::from(unit.counter.0)],
            nation: Some(counter.nation),
            conditions: unit.conditions,
            ..self.began.clone()
        };
        let began = &situation.routers[0];
        // Melee and Gun are where it began.
        let there = began.at == site;
        let router = Router {
            member,
            at: site,
            sheltered,
            in_melee: began.in_melee && there,
            mans_emplaced_gun: began.mans_emplaced_gun && there,
            ..began.clone()
        };
        let company = rout::Company {
            roster: self.cast.roster.clone(),
            units: SmallVec::from_slice(&[unit]),
            lent: self.cast_of(state.spot).leaders,
        };
        let mut revealed;
        let situation = if state.met == 0 {
            situation
        } else {
            revealed = situation.clone();
            let met = revealed.enemies.iter_mut().enumerate().filter(|(place, _)| state.met & 1 << place != 0);
            met.for_each(|(_, enemy)| enemy.circumstances.concealed = false);
            &revealed
        };
        let field = self.field((state.spot, state.met, Bearing::of(situation, &router)), situation, &router);
        Rout::of(situation, &router, field, company)
    }

    /// The field of a unit, made when it is first asked for.
    fn field(&self, key: FieldKey, situation: &Situation, router: &Router) -> Arc<Field> {
        let mut fields = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        fields.entry(key).or_insert_with(|| Arc::new(Field::new(situation, router))).clone()
    }

    /// 10.62: a broken unit ADJACENT to a Known armed enemy has DM, whether it was said or not; not where DM once lost does not come back
    /// (I-28).
    fn begin_with_dm<L: Log>(&self, state: &mut State, log: &mut L) {
        let Scene { enemy_adjacent, .. } = self.spot_of(state).engagement.scene;
        let unit = state.location.unit_mut(0);
        let broken = unit.is(Condition::Broken) && !unit.is(Condition::Dm);
        if broken && enemy_adjacent && self.situation().rulebook.is_default(Switch::I28) {
            unit.conditions.set(Condition::Dm);
            log.tell(|| Event { rule: "10.62", text: "ADJACENT to a Known armed enemy, the unit has DM".to_string() });
        }
    }

    /// A Player Turn begins, in that phase. 7.8: pins have ended with the last CCPh.
    fn begin_turn<L: Log>(&self, state: &mut State, turn: u16, phase: Phase, log: &mut L) {
        state.turn = turn;
        state.spot = self.spot_id(turn, self.post(state.spot));
        log.tell(|| Event { rule: "", text: format!("Player Turn {turn}") });
        if turn > 1 {
            state.location.units.iter_mut().for_each(|unit| unit.conditions.clear(Condition::Pinned));
        }
        match phase {
            Phase::Rally => self.begin_rally(state, log),
            Phase::Fire => self.aim(state, 0, log),
            Phase::Rout => self.begin_rout_phase(state, log),
        }
    }

    /// 10.6: the Rally Phase, if anybody is broken.
    fn begin_rally<L: Log>(&self, state: &mut State, log: &mut L) {
        let broken = state.location.units.iter().any(|unit| unit.is_present() && unit.is(Condition::Broken));
        if !is_followed(state.location.unit(0)) || !broken {
            return self.aim(state, 0, log);
        }
        state.stand = Stand::Rally;
        self.play(state, Scenes::Rally { own: self.orders.own_rph.is_own(state.turn) }, log);
    }

    /// 7.3: the next attack of the phase of fire, if there is one and anybody to fire at.
    fn aim<L: Log>(&self, state: &mut State, number: u8, log: &mut L) {
        let attacks = self.spot_of(state).attacks.len();
        if usize::from(number) >= attacks || !is_followed(state.location.unit(0)) {
            return self.begin_rout_phase(state, log);
        }
        if self.orders.enemy_holds_fire {
            state.stand = Stand::Aimed(number);
        } else {
            self.fire(state, number, log);
        }
    }

    fn fire<L: Log>(&self, state: &mut State, number: u8, log: &mut L) {
        state.stand = Stand::Attack(number);
        self.play(state, Scenes::Attack(number), log);
    }

    /// 10.5: the Rout Phase of the unit. 10.41: before it an unbroken unit may break.
    fn begin_rout_phase<L: Log>(&self, state: &mut State, log: &mut L) {
        let unit = *state.location.unit(0);
        if !is_followed(&unit) {
            return self.end_turn(state);
        }
        if !unit.is(Condition::Broken) {
            let is_hero = self.spot_of(state).engagement.is_hero(&unit);
            match self.spot_of(state).may_break && unit.can_break() && !is_hero {
                true => state.stand = Stand::Threatened,
                false => self.end_turn(state),
            }
            return;
        }
        self.begin_rout(state, log);
    }

    /// 10.5, 10.62: the rout of the broken unit.
    fn begin_rout<L: Log>(&self, state: &mut State, log: &mut L) {
        let number = self.rout_number(state);
        let rout = self.rout(number);
        let begun = rout.start(log);
        state.stand = Stand::Rout(number, Box::new(begun));
        // The unit is with its rout until that is over.
        let unit = state.location.unit_mut(0);
        if rout.gains_dm() {
            unit.conditions.set(Condition::Dm);
        }
        self.go_on(state, log);
    }

    fn end_turn(&self, state: &mut State) {
        state.stand = Stand::TurnEnds;
        if !is_followed(state.location.unit(0)) {
            // Where it was lost matters, what else was there does not.
            state.location.truncate(1);
            state.met = 0;
        }
    }

    fn play<L: Log>(&self, state: &mut State, scene: Scenes, log: &mut L) {
        self.spot_of(state).engagement.play(scene.stage(), &mut state.location, log);
        self.go_on(state, log);
    }

    /// Goes on to the next roll or choice that leaves one.
    fn go_on<L: Log>(&self, state: &mut State, log: &mut L) {
        if let Stand::Rout(number, rout) = &mut state.stand {
            let running = self.rout(*number);
            loop {
                match running.due(rout) {
                    Due::Choice { options: 1, .. } => running.choose(rout, 0, log),
                    Due::Report(_) | Due::Over => break,
                    _ => return,
                }
            }
            let rout = rout.clone();
            return self.end_rout(state, &running, &rout);
        }
        if !matches!(self.spot_of(state).engagement.due(&state.location), Due::Report(_) | Due::Over) {
            return;
        }
        state.location.at_rest();
        if !self.orders.created_stay {
            self.leave_behind(state);
        }
        match state.stand {
            Stand::Rally => self.aim(state, 0, log),
            Stand::Attack(number) => self.aim(state, number + 1, log),
            Stand::Breaking if state.location.unit(0).is(Condition::Broken) => self.begin_rout(state, log),
            _ => self.end_turn(state),
        }
    }

    /// A rout is over: who did not go along stays behind.
    fn end_rout(&self, state: &mut State, rout: &Rout, ended: &rout::State) {
        let end = rout.rest_of(ended);
        let moved = end.site != self.post(state.spot).site;
        if moved {
            self.leave_behind(state);
        }
        let kept_dm = state.location.unit(0).is(Condition::Dm);
        let mut unit = end.unit;
        unit.conditions.clear(Condition::BeganBroken);
        if kept_dm && unit.is_present() && unit.is(Condition::Broken) {
            unit.conditions.set(Condition::Dm);
        }
        *state.location.unit_mut(0) = unit;
        state.met |= end.met;
        state.spot = self.spot_id(state.turn, Post { site: end.site, sheltered: end.sheltered });
        self.end_turn(state);
    }

    /// The units created beside the one followed go their own way.
    fn leave_behind(&self, state: &mut State) {
        state.behind += self.room_beside(state);
        state.location.truncate(1);
    }

    /// 5.1: half squad-equivalents of the units beside the one followed.
    fn room_beside(&self, state: &State) -> u8 {
        let beside = state.location.units.iter().skip(1).filter(|unit| unit.is_present());
        beside.map(|unit| rout::room_of(self.cast.roster[unit.counter].kind) as u8).sum()
    }
}

/// The situation from the first Player Turn on, and from every arrival on.
fn eras(situation: Situation, arrivals: &[(usize, u16)]) -> Vec<(u16, Situation)> {
    let mut turns: Vec<u16> = arrivals.iter().map(|(_, turn)| *turn).chain([1]).collect();
    turns.sort_unstable();
    turns.dedup();
    let names: Vec<String> = situation.leaders().map(|leader| leader.name.clone()).collect();
    let era = |from: u16| {
        let mut situation = situation.clone();
        let late: Vec<&String> = arrivals.iter().filter(|(_, turn)| *turn > from).map(|(leader, _)| &names[*leader]).collect();
        situation.friends.retain(|friend| !late.contains(&&friend.name));
        (from, situation)
    };
    turns.into_iter().map(era).collect()
}

impl Process for Campaign {
    type State = State;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = CampaignOutcome;

    fn start<L: Log>(&self, log: &mut L) -> State {
        let router = &self.eras[0].1.routers[0];
        let post = Post { site: router.at, sheltered: router.sheltered };
        let location = Location::on_map(SmallVec::from_slice(&[self.cast.unit]));
        let spot = self.spot_id(1, post);
        let mut state = State { turn: 1, stand: Stand::Over, spot, met: 0, behind: 0, location };
        state.location.at_rest();
        self.begin_with_dm(&mut state, log);
        self.begin_turn(&mut state, 1, self.orders.begin, log);
        state
    }

    /// Reports are numbered by Player Turns, from 1.
    fn due(&self, state: &State) -> Due<Terms> {
        match &state.stand {
            Stand::Aimed(_) => Due::Choice { player: Player::Enemy, options: 2 },
            Stand::Threatened => Due::Choice { player: Player::Owner, options: 2 },
            Stand::Rout(number, rout) => self.rout(*number).due(rout),
            Stand::TurnEnds => Due::Report(state.turn as Point),
            Stand::Over => Due::Over,
            Stand::Rally | Stand::Attack(_) | Stand::Breaking => self.spot_of(state).engagement.due(&state.location),
        }
    }

    fn read(&self, terms: &Terms, face: Face) -> Reading {
        terms.read(face)
    }

    fn apply<L: Log>(&self, state: &mut State, reading: Reading, log: &mut L) {
        match &mut state.stand {
            Stand::Rout(number, rout) => self.rout(*number).apply(rout, reading, log),
            _ => self.spot(state.spot).engagement.apply(&mut state.location, reading, log),
        }
        self.go_on(state, log);
    }

    fn choose<L: Log>(&self, state: &mut State, option: usize, log: &mut L) {
        match &mut state.stand {
            Stand::Aimed(number) => {
                let number = *number;
                return match option {
                    0 => self.fire(state, number, log),
                    _ => self.aim(state, number + 1, log),
                };
            }
            Stand::Threatened if option == 0 => return self.end_turn(state),
            Stand::Threatened => {
                state.stand = Stand::Breaking;
                return self.play(state, Scenes::Break, log);
            }
            Stand::Rout(number, rout) => self.rout(*number).choose(rout, option, log),
            _ => self.spot(state.spot).engagement.choose(&mut state.location, option, log),
        }
        self.go_on(state, log);
    }

    fn report(&self, state: &State, tell: &mut impl FnMut(CampaignOutcome)) {
        let spot = self.spot_of(state);
        tell(CampaignOutcome {
            turn: state.turn,
            unit: spot.engagement.unit_outcome(&state.location, 0),
            at: self.post(state.spot).site,
            in_cover: spot.in_cover,
            beside: state.behind + self.room_beside(state),
        });
    }

    fn pass<L: Log>(&self, state: &mut State, log: &mut L) {
        if state.turn < self.orders.turns {
            self.begin_turn(state, state.turn + 1, Phase::Rally, log);
        } else {
            state.stand = Stand::Over;
        }
    }

    /// The phase of its Player Turn.
    fn epoch(&self, state: &State) -> u32 {
        let phase = match state.stand {
            Stand::Rally => Phase::Rally,
            Stand::Aimed(_) | Stand::Attack(_) => Phase::Fire,
            _ => Phase::Rout,
        };
        u32::from(state.turn) * Phase::ALL.len() as u32 + phase as u32
    }

    fn describe(&self, state: &State, terms: &Terms, face: Face) -> Event {
        match &state.stand {
            Stand::Rout(number, rout) => self.rout(*number).describe(rout, terms, face),
            _ => self.spot_of(state).engagement.describe(&state.location, terms, face),
        }
    }
}
