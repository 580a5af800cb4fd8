//! The Rout Phase of one side, in which units rout one after another (10.5).
//!
//! Units that have routed take up room (5.1), and may have revealed concealed enemies (10.533).
//! Nothing else of them is kept, so that more states are equal.

use std::sync::Arc;

use smallvec::SmallVec;

use super::process::{Rout, RoutOutcome, RoutState};
use super::situation::{Enemies, ROOM, Situation, each, room_of};
use crate::board::map::Location;
use crate::cache::Numbered;
use crate::outcome::UnitOutcome;
use crate::rulebook::Switch;
use crate::unit::Condition;
use crate::vocabulary::gauntlet::ROUT_MF;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Process, Silent};

/// The effects of the units that have already routed on later units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Legacy {
    /// The room taken in half squad-equivalents (5.1), for Locations that could become too full.
    room: SmallVec<[(Location, u32); 4]>,
    met: Enemies,
}

/// The Rout Phase of the units of a situation, in a given order.
pub struct RoutPhase<'a> {
    situation: &'a Situation,
    order: Vec<usize>,
    /// The routs built so far, by their turn and the effects of earlier units.
    routs: Numbered<(usize, Legacy), Rout>,
}

/// The state of a Rout Phase.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PhaseState {
    turn: usize,
    legacy: Legacy,
    /// The number of the current rout among those built so far.
    rout: u32,
    state: RoutState,
    /// The index of the first enemy that can be revealed before the rout begins, if any (10.533).
    reveal: Option<u8>,
}

impl PhaseState {
    /// Returns the number of the current rout, as `RoutPhase::rout` takes it, and its state.
    pub fn current(&self) -> (u32, &RoutState) {
        (self.rout, &self.state)
    }

    /// Returns whether the enemy must choose which units to reveal before the rout begins (10.533).
    pub fn awaits_enemy(&self) -> bool {
        self.reveal.is_some()
    }
}

impl<'a> RoutPhase<'a> {
    /// Builds the phase in which the units with these indices rout in `order`. Disrupted units that
    /// surrender come first (19.12). Returns `None` if `order` is empty.
    ///
    /// # Panics
    ///
    /// Panics if `order` has an index without a routing unit.
    pub fn new(situation: &'a Situation, mut order: Vec<usize>) -> Option<RoutPhase<'a>> {
        let gives_up = |unit: &usize| {
            let router = &situation.routers[*unit];
            router.is(Condition::Disrupted) && Rout::new(situation, router).ruling().surrenders
        };
        order.sort_by_key(|unit| !gives_up(unit));
        let phase = RoutPhase { situation, order, routs: Numbered::default() };
        phase.order.first()?;
        phase.number(0, &Legacy::default());
        Some(phase)
    }

    /// Returns the indices of the units in the order in which they rout.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns the rout with this number, as `PhaseState::current` returns it.
    ///
    /// # Panics
    ///
    /// Panics if no state of the phase has this number.
    pub fn rout(&self, number: u32) -> Arc<Rout> {
        self.routs.get(number)
    }

    /// Estimates whether a Location can be too full for one of the `later` units (5.1).
    fn may_be_crowded(
        &self,
        location: Location,
        room: &[(Location, u32)],
        later: &[usize],
    ) -> bool {
        let Situation { crowd, friends, routers, .. } = self.situation;
        let there = crowd.iter().chain(room).filter(|(at, _)| *at == location);
        let friends = friends.iter().filter(|friend| friend.at == location);
        let near = later.iter().map(|&unit| &routers[unit]);
        let near = near.filter(|router| router.at.hex.range(location.hex) <= u16::from(ROUT_MF));
        let members = friends.map(|friend| &friend.member).chain(near.map(|near| &near.member));
        let rooms = members.map(|member| room_of(member.printed().kind));
        rooms.chain(there.map(|(_, room)| *room)).sum::<u32>() > ROOM
    }

    fn begin<L: Log>(&self, turn: usize, legacy: Legacy, log: &mut L) -> PhaseState {
        let router = &self.situation.routers[self.order[turn]];
        log.note("10.5", || {
            let place = self.situation.map.location_name(router.at);
            let called = self.situation.unit_called(self.order[turn]);
            let there =
                if called.contains(&place) { String::new() } else { format!(" in {place}") };
            format!("the turn of {called} ({}){there}", router.member)
        });
        self.face(turn, legacy, 0, log)
    }

    /// Prepares the rout of a unit. First the enemy can reveal units from index `from` on.
    fn face<L: Log>(&self, turn: usize, legacy: Legacy, from: u8, log: &mut L) -> PhaseState {
        let number = self.number(turn, &legacy);
        let rout = self.rout(number);
        let reveal = (rout.hidden_at_start(from) != 0).then_some(from);
        let state = if reveal.is_some() { rout.start(&mut Silent) } else { rout.start(log) };
        PhaseState { turn, legacy, rout: number, state, reveal }
    }

    /// Applies the enemy's choice to reveal a unit (10.533), or with option 0 to begin the rout.
    fn reveal<L: Log>(&self, state: &mut PhaseState, from: u8, option: usize, log: &mut L) {
        let rout = self.rout(state.rout);
        let Some(chosen) = option.checked_sub(1) else {
            (state.reveal, state.state) = (None, rout.start(log));
            return;
        };
        let Some(enemy) = each(rout.hidden_at_start(from)).nth(chosen) else { return };
        log.note("10.533", || format!("{} is revealed", self.situation.enemy_called(enemy)));
        let legacy = Legacy { met: state.legacy.met | 1 << enemy, ..state.legacy.clone() };
        *state = self.face(state.turn, legacy, enemy as u8 + 1, log);
    }

    fn number(&self, turn: usize, legacy: &Legacy) -> u32 {
        let router = &self.situation.routers[self.order[turn]];
        let build = || Rout::new(&self.left_by(turn, legacy), router);
        self.routs.number((turn, legacy.clone()), build)
    }

    fn left_by(&self, turn: usize, legacy: &Legacy) -> Situation {
        let mut situation = self.situation.clone();
        situation.routers =
            self.order[turn..].iter().map(|&unit| self.situation.routers[unit].clone()).collect();
        situation.crowd.extend_from_slice(&legacy.room);
        situation.reveal(legacy.met);
        situation
    }

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

    /// Returns what the phase waits for. The index of a report is that of the turn, from 0.
    fn due(&self, state: &PhaseState) -> Due<Terms> {
        if let Some(from) = state.reveal {
            let hidden = self.rout(state.rout).hidden_at_start(from);
            let options = 1 + hidden.count_ones() as usize;
            return Due::Choice { player: Player::Enemy, options };
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

    fn report(&self, state: &PhaseState, observe: &mut dyn FnMut(RoutOutcome)) {
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
    /// Returns where the rout ended, and the unit's half squad-equivalents (5.1): none after
    /// Failure to Rout, except until the phase ends by the alternative of interpretation I-17.
    fn room_taken(&self, state: &RoutState) -> (Location, u32) {
        let unit = state.location.unit(0);
        let stays =
            unit.is_present() || (state.failed && self.field.chooses(Switch::RemovedAtPhaseEnd));
        let room = if stays { room_of(self.kind_of(unit)) } else { 0 };
        (self.field.post(state.march.post).location, room)
    }
}
