//! The Rout Phase of one side: its units rout one after another (10.5), and each finds what those
//! before it have left.
//!
//! What they leave is room taken (5.1), and concealed enemies met (10.533); all else is forgotten,
//! so that sequences merge.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use smallvec::SmallVec;

use super::field::Enemies;
use super::process::{Rout, RoutOutcome, State};
use super::situation::{ROOM, Router, Situation, room_of};
use super::verdict::numbers;
use crate::board::map::Site;
use crate::outcome::UnitOutcome;
use crate::rulebook::Switch;
use crate::unit::Condition;
use crate::vocabulary::gauntlet::ROUT_MF;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Process, Silent};

/// What the units that have routed have left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Legacy {
    /// Half squad-equivalents in Locations where they could matter.
    room: SmallVec<[(Site, u32); 4]>,
    /// Concealed enemies that were revealed.
    met: Enemies,
}

/// The Rout Phase of the units of a situation, in a given order.
pub struct RoutPhase<'a> {
    situation: &'a Situation,
    order: Vec<usize>,
    routs: Mutex<Routs>,
}

/// Routs met so far.
#[derive(Default)]
struct Routs {
    numbers: HashMap<(usize, Legacy), usize>,
    routs: Vec<Arc<Rout>>,
}

/// Where a Rout Phase stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PhaseState {
    /// Place in the order.
    turn: usize,
    legacy: Legacy,
    /// Number of the rout under way.
    rout: usize,
    state: State,
    /// 10.533: the enemy may reveal units before the rout begins, from this number on.
    reveal: Option<u8>,
}

impl PhaseState {
    /// The rout under way: its number among those of the phase, and its state.
    pub fn current(&self) -> (usize, &State) {
        (self.rout, &self.state)
    }

    /// 10.533: whether the enemy is asked before the rout begins.
    pub fn awaits_enemy(&self) -> bool {
        self.reveal.is_some()
    }
}

impl<'a> RoutPhase<'a> {
    /// The phase in which the routing units of `situation`, each named by its place in the list and
    /// named once, rout in that order. Disrupted units that surrender do so first (19.12). None
    /// without a unit.
    pub fn new(situation: &'a Situation, mut order: Vec<usize>) -> Option<RoutPhase<'a>> {
        let gives_up = |unit: &usize| {
            let router = &situation.routers[*unit];
            router.is(Condition::Disrupted) && Rout::new(situation, router).ruling().surrenders
        };
        order.sort_by_key(|unit| !gives_up(unit));
        let phase = RoutPhase { situation, order, routs: Mutex::default() };
        let first = *phase.order.first()?;
        phase.number(0, &Legacy::default(), &situation.routers[first]);
        Some(phase)
    }

    /// The units in the order in which they rout.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The rout of that number.
    pub fn rout(&self, number: usize) -> Arc<Rout> {
        self.routs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).routs[number].clone()
    }

    /// 5.1: whether a Location can become too full for one of `later`, what is there and all of
    /// them counted.
    fn may_be_crowded(&self, site: Site, room: &[(Site, u32)], later: &[usize]) -> bool {
        let there = self
            .situation
            .crowd
            .iter()
            .chain(room)
            .filter(|(at, _)| *at == site)
            .map(|(_, room)| *room);
        let friends = self
            .situation
            .friends
            .iter()
            .filter(|friend| friend.at == site)
            .map(|friend| &friend.member);
        let routers = later.iter().map(|&unit| &self.situation.routers[unit]);
        let near = routers
            .filter(|router| router.at.hex.range(site.hex) <= u16::from(ROUT_MF))
            .map(|router| &router.member);
        there.chain(friends.chain(near).map(|member| room_of(member.printed().kind))).sum::<u32>()
            > ROOM
    }

    /// The unit whose turn it is begins its rout.
    fn begin<L: Log>(&self, turn: usize, legacy: Legacy, log: &mut L) -> PhaseState {
        let router = &self.situation.routers[self.order[turn]];
        log.tell(|| {
            let place = self.situation.map.site_name(router.at);
            let called = self.situation.unit_called(self.order[turn]);
            let there =
                if called.contains(&place) { String::new() } else { format!(" in {place}") };
            let text = format!("the turn of {called} ({}){there}", router.member);
            Event { rule: "10.5", text }
        });
        self.face(turn, legacy, 0, log)
    }

    /// The unit of that turn is about to begin; the enemy may reveal units from a number on.
    fn face<L: Log>(&self, turn: usize, legacy: Legacy, from: u8, log: &mut L) -> PhaseState {
        let number = self.number(turn, &legacy, &self.situation.routers[self.order[turn]]);
        let rout = self.rout(number);
        let reveal = (rout.hidden_at_start(from) != 0).then_some(from);
        let state = if reveal.is_some() { rout.start(&mut Silent) } else { rout.start(log) };
        PhaseState { turn, legacy, rout: number, state, reveal }
    }

    /// 10.533: the enemy reveals one of those in whose LOS the unit is, and is asked again, or
    /// nobody more.
    fn reveal<L: Log>(&self, state: &mut PhaseState, from: u8, option: usize, log: &mut L) {
        let rout = self.rout(state.rout);
        let Some(chosen) = option.checked_sub(1) else {
            (state.reveal, state.state) = (None, rout.start(log));
            return;
        };
        let Some(&enemy) = numbers(rout.hidden_at_start(from)).get(chosen) else { return };
        log.tell(|| Event {
            rule: "10.533",
            text: format!("{} is revealed", self.situation.enemy_called(enemy)),
        });
        let legacy = Legacy { met: state.legacy.met | 1 << enemy, ..state.legacy.clone() };
        *state = self.face(state.turn, legacy, enemy as u8 + 1, log);
    }

    /// The number of the rout of that turn, made when it is first asked for.
    fn number(&self, turn: usize, legacy: &Legacy, router: &Router) -> usize {
        let mut routs = self.routs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&number) = routs.numbers.get(&(turn, legacy.clone())) {
            return number;
        }
        let number = routs.routs.len();
        routs.routs.push(Arc::new(Rout::new(&self.left_by(turn, legacy), router)));
        routs.numbers.insert((turn, legacy.clone()), number);
        number
    }

    /// The situation as the units before that turn have left it.
    fn left_by(&self, turn: usize, legacy: &Legacy) -> Situation {
        let mut situation = self.situation.clone();
        situation.routers =
            self.order[turn..].iter().map(|&unit| self.situation.routers[unit].clone()).collect();
        situation.crowd.extend_from_slice(&legacy.room);
        for enemy in numbers(legacy.met) {
            situation.enemies[enemy].circumstances.concealed = false;
        }
        situation
    }

    /// What the unit whose turn it was leaves to the next.
    fn legacy(&self, state: &PhaseState, rout: &Rout) -> Legacy {
        let mut legacy = state.legacy.clone();
        legacy.met |= rout.met(&state.state);
        let (at, room) = rout.room_taken(&state.state);
        match legacy.room.iter_mut().find(|(site, _)| *site == at) {
            Some((_, sum)) => *sum += room,
            None if room > 0 => legacy.room.push((at, room)),
            None => {}
        }
        let later = &self.order[state.turn + 1..];
        let all = legacy.room.clone();
        legacy.room.retain(|(site, _)| self.may_be_crowded(*site, &all, later));
        legacy.room.sort_unstable();
        legacy
    }
}

impl Process for RoutPhase<'_> {
    type State = PhaseState;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = RoutOutcome;

    fn start<L: Log>(&self, log: &mut L) -> PhaseState {
        self.begin(0, Legacy::default(), log)
    }

    /// Reports are numbered by the turns of the order.
    fn due(&self, state: &PhaseState) -> Due<Terms> {
        if let Some(from) = state.reveal {
            let hidden = self.rout(state.rout).hidden_at_start(from);
            return Due::Choice {
                player: Player::Enemy,
                options: 1 + hidden.count_ones() as usize,
            };
        }
        match self.rout(state.rout).due(&state.state) {
            Due::Report(_) => Due::Report(state.turn as u16),
            other => other,
        }
    }

    fn read(&self, terms: &Terms, face: Face) -> Reading {
        self.rout(0).read(terms, face)
    }

    fn apply<L: Log>(&self, state: &mut PhaseState, reading: Reading, log: &mut L) {
        self.rout(state.rout).apply(&mut state.state, reading, log);
    }

    fn choose<L: Log>(&self, state: &mut PhaseState, option: usize, log: &mut L) {
        match state.reveal {
            Some(from) => self.reveal(state, from, option, log),
            None => self.rout(state.rout).choose(&mut state.state, option, log),
        }
    }

    fn report(&self, state: &PhaseState, tell: &mut impl FnMut(RoutOutcome)) {
        let slot = u8::try_from(state.turn + 1).unwrap_or(u8::MAX);
        self.rout(state.rout).report(&state.state, &mut |outcome| {
            tell(RoutOutcome { unit: UnitOutcome { slot, ..outcome.unit }, ..outcome });
        });
    }

    fn pass<L: Log>(&self, state: &mut PhaseState, log: &mut L) {
        let rout = self.rout(state.rout);
        if state.turn + 1 < self.order.len() {
            *state = self.begin(state.turn + 1, self.legacy(state, &rout), log);
        } else {
            rout.pass(&mut state.state, log);
        }
    }

    fn describe(&self, state: &PhaseState, terms: &Terms, face: Face) -> Event {
        self.rout(state.rout).describe(&state.state, terms, face)
    }
}

impl Rout {
    /// 10.533: concealed enemies revealed by a rout that is over.
    fn met(&self, state: &State) -> Enemies {
        state.march.known & self.field.concealed
    }

    /// 5.1: half squad-equivalents a unit takes up where its rout has ended. I-17: one lost by
    /// Failure to Rout takes up none, or by the alternative its room until the end of the phase.
    fn room_taken(&self, state: &State) -> (Site, u32) {
        let unit = state.location.unit(0);
        let stays = unit.is_present()
            || (state.failed && self.field.rulebook.chooses(Switch::RemovedAtPhaseEnd));
        let room = if stays { room_of(self.kind_of(unit)) } else { 0 };
        (self.field.post(state.march.post).site, room)
    }
}
