//! The Rout Phase of one side. Its units rout one after another (10.5), and each meets what earlier
//! units have changed.
//!
//! Earlier units take up room (5.1), and have revealed concealed enemies (10.533). Everything else
//! is dropped, so that states merge.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use smallvec::SmallVec;

use super::process::{Rout, RoutOutcome, RoutState};
use super::situation::{Enemies, ROOM, Router, Situation, room_of};
use super::verdict::numbers;
use crate::board::map::Location;
use crate::outcome::UnitOutcome;
use crate::rulebook::Switch;
use crate::unit::Condition;
use crate::vocabulary::gauntlet::ROUT_MF;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Process, Silent};

/// The changes that earlier units have made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Legacy {
    /// The half squad-equivalents in Locations where they could matter.
    room: SmallVec<[(Location, u32); 4]>,
    /// The concealed enemies that were revealed.
    met: Enemies,
}

/// The Rout Phase of the units of a situation, in a given order.
pub struct RoutPhase<'a> {
    situation: &'a Situation,
    order: Vec<usize>,
    routs: Mutex<Routs>,
}

/// The cache of the routs so far.
#[derive(Default)]
struct Routs {
    numbers: HashMap<(usize, Legacy), usize>,
    routs: Vec<Arc<Rout>>,
}

/// The state of a Rout Phase.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PhaseState {
    /// The index in the order of the unit whose turn it is.
    turn: usize,
    legacy: Legacy,
    /// The number of the current rout.
    rout: usize,
    state: RoutState,
    /// The number of the first enemy that can still be revealed before the rout begins (10.533), if
    /// the enemy chooses now.
    reveal: Option<u8>,
}

impl PhaseState {
    /// Returns the number of the current rout among those of the phase, and its state.
    pub fn current(&self) -> (usize, &RoutState) {
        (self.rout, &self.state)
    }

    /// Returns whether the enemy must choose before the rout begins (10.533).
    pub fn awaits_enemy(&self) -> bool {
        self.reveal.is_some()
    }
}

impl<'a> RoutPhase<'a> {
    /// Builds the phase in which the routing units of `situation` rout in `order`, which lists each
    /// index once. Disrupted units that surrender come first (19.12). Returns `None` if `order` is
    /// empty.
    ///
    /// # Panics
    ///
    /// Panics if an index is not that of a routing unit.
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

    /// Returns the units in the order in which they rout.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns the rout with this number.
    ///
    /// # Panics
    ///
    /// Panics if no state of the phase has this number.
    pub fn rout(&self, number: usize) -> Arc<Rout> {
        self.routs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).routs[number].clone()
    }

    /// Returns whether a Location can exceed the stacking limit for one of the `later` units (5.1).
    /// Everything there is counted, and all later units within reach.
    fn may_be_crowded(
        &self,
        location: Location,
        room: &[(Location, u32)],
        later: &[usize],
    ) -> bool {
        let there = self
            .situation
            .crowd
            .iter()
            .chain(room)
            .filter(|(at, _)| *at == location)
            .map(|(_, room)| *room);
        let friends = self
            .situation
            .friends
            .iter()
            .filter(|friend| friend.at == location)
            .map(|friend| &friend.member);
        let routers = later.iter().map(|&unit| &self.situation.routers[unit]);
        let near = routers
            .filter(|router| router.at.hex.range(location.hex) <= u16::from(ROUT_MF))
            .map(|router| &router.member);
        there.chain(friends.chain(near).map(|member| room_of(member.printed().kind))).sum::<u32>()
            > ROOM
    }

    /// Begins the turn of a unit.
    fn begin<L: Log>(&self, turn: usize, legacy: Legacy, log: &mut L) -> PhaseState {
        let router = &self.situation.routers[self.order[turn]];
        log.record(|| {
            let place = self.situation.map.location_name(router.at);
            let called = self.situation.unit_called(self.order[turn]);
            let there =
                if called.contains(&place) { String::new() } else { format!(" in {place}") };
            let text = format!("the turn of {called} ({}){there}", router.member);
            Event { rule: "10.5", text }
        });
        self.face(turn, legacy, 0, log)
    }

    /// Prepares the rout of a unit. The enemy can reveal units before it begins, starting with
    /// number `from`.
    fn face<L: Log>(&self, turn: usize, legacy: Legacy, from: u8, log: &mut L) -> PhaseState {
        let number = self.number(turn, &legacy, &self.situation.routers[self.order[turn]]);
        let rout = self.rout(number);
        let reveal = (rout.hidden_at_start(from) != 0).then_some(from);
        let state = if reveal.is_some() { rout.start(&mut Silent) } else { rout.start(log) };
        PhaseState { turn, legacy, rout: number, state, reveal }
    }

    /// Applies the choice of the enemy to reveal a unit with a LOS to the routing unit (10.533).
    /// After a choice the enemy chooses again among later ones. Option 0 ends that.
    fn reveal<L: Log>(&self, state: &mut PhaseState, from: u8, option: usize, log: &mut L) {
        let rout = self.rout(state.rout);
        let Some(chosen) = option.checked_sub(1) else {
            (state.reveal, state.state) = (None, rout.start(log));
            return;
        };
        let Some(&enemy) = numbers(rout.hidden_at_start(from)).get(chosen) else { return };
        log.record(|| Event {
            rule: "10.533",
            text: format!("{} is revealed", self.situation.enemy_called(enemy)),
        });
        let legacy = Legacy { met: state.legacy.met | 1 << enemy, ..state.legacy.clone() };
        *state = self.face(state.turn, legacy, enemy as u8 + 1, log);
    }

    /// Returns the number of a rout, which is built on first use.
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

    /// Returns the situation after the changes of earlier units.
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

    /// Returns the changes after the current turn.
    fn legacy(&self, state: &PhaseState, rout: &Rout) -> Legacy {
        let mut legacy = state.legacy.clone();
        legacy.met |= rout.met(&state.state);
        let (at, room) = rout.room_taken(&state.state);
        match legacy.room.iter_mut().find(|(location, _)| *location == at) {
            Some((_, sum)) => *sum += room,
            None if room > 0 => legacy.room.push((at, room)),
            None => {}
        }
        let later = &self.order[state.turn + 1..];
        let all = legacy.room.clone();
        legacy.room.retain(|(location, _)| self.may_be_crowded(*location, &all, later));
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

    /// Reports have the index of the turn in the order.
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

    fn report(&self, state: &PhaseState, observe: &mut impl FnMut(RoutOutcome)) {
        let slot = u8::try_from(state.turn + 1).unwrap_or(u8::MAX);
        self.rout(state.rout).report(&state.state, &mut |outcome| {
            observe(RoutOutcome { unit: UnitOutcome { slot, ..outcome.unit }, ..outcome });
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
    /// Returns the concealed enemies that a finished rout has revealed (10.533).
    fn met(&self, state: &RoutState) -> Enemies {
        state.march.known & self.field.concealed
    }

    /// Returns the Location where the rout ended, and the half squad-equivalents of the unit (5.1).
    /// A unit lost by Failure to Rout takes up no room. By the alternative of I-17 it does until
    /// the end of the phase.
    fn room_taken(&self, state: &RoutState) -> (Location, u32) {
        let unit = state.location.unit(0);
        let stays = unit.is_present()
            || (state.failed && self.field.rulebook.chooses(Switch::RemovedAtPhaseEnd));
        let room = if stays { room_of(self.kind_of(unit)) } else { 0 };
        (self.field.post(state.march.post).location, room)
    }
}
