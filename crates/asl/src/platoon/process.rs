//! A platoon or a firefight as a process: the dice due, their meaning, and what follows.

use super::model::{Platoon, PlatoonPlay};
use super::outcome::PlatoonOutcome;
use super::state::{PlatoonState, PlatoonStep};
use crate::vocabulary::terms::{RECOVERY, Terms};
use crate::vocabulary::verdict::Reading;
use engine::dice::{Dice, Face};
use engine::process::{Decisions, Due, Event, Log, Process};

impl Platoon {
    fn play_on<'a, L>(&'a self, state: &'a mut PlatoonState, log: &'a mut L) -> PlatoonPlay<'a, L> {
        PlatoonPlay { platoon: self, state, log }
    }
}

impl Process for Platoon {
    type State = PlatoonState;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = PlatoonOutcome;

    fn start<L: Log>(&self, log: &mut L) -> PlatoonState {
        let mut state = self.opening();
        self.play_on(&mut state, log).advance();
        state
    }

    fn due(&self, state: &PlatoonState) -> Due<Terms> {
        if let Some(event) = &state.event {
            return match self.engagement(event).due(&event.location) {
                Due::Roll(dice, terms) => Due::Roll(dice, terms),
                _ => Due::Over,
            };
        }
        match state.step {
            PlatoonStep::Report => Due::Report(state.turn),
            PlatoonStep::Recovery(_) => Due::Roll(Dice::One, Terms::Recovery),
            _ => Due::Over,
        }
    }

    /// Returns the number of the phase, counted through all Player Turns.
    fn epoch(&self, state: &PlatoonState) -> u32 {
        let phase = match state.step {
            PlatoonStep::Recovery(_) => 0,
            PlatoonStep::Rally(order) => u32::from(order),
            PlatoonStep::Fire(moment, _) => 2 + moment as u32 * 2,
            PlatoonStep::Movement(_) => 3,
            PlatoonStep::Rout(order) => 7 + u32::from(order),
            PlatoonStep::Report | PlatoonStep::Over => 9,
        };
        u32::from(state.turn) * 10 + phase
    }

    fn read(&self, terms: &Terms, face: Face) -> Reading {
        terms.read(face)
    }

    fn apply<L: Log>(&self, state: &mut PlatoonState, reading: Reading, log: &mut L) {
        let Some(mut event) = state.event.take() else {
            let mut play = self.play_on(state, log);
            play.recover(reading);
            return play.advance();
        };
        self.apply_to(&mut event, state, reading, log);
        state.event = Some(event);
        self.play_on(state, log).advance();
    }

    fn choose<L: Log>(&self, _: &mut PlatoonState, _: usize, _: &mut L) {}

    fn report(&self, state: &PlatoonState, observe: &mut dyn FnMut(PlatoonOutcome)) {
        self.view(state).report(observe);
    }

    fn pass<L: Log>(&self, state: &mut PlatoonState, log: &mut L) {
        let mut play = self.play_on(state, log);
        play.begin_turn();
        play.advance();
    }

    fn describe(&self, state: &PlatoonState, terms: &Terms, face: Face) -> Event {
        let Some(event) = &state.event else {
            let text = match self.view(state).next_to_recover() {
                Some((side, unit, _)) => {
                    let (name, number) = (self.unit_name(side, unit), face.number());
                    format!("{name} recovers a MG on {RECOVERY} or less: dr {number}")
                }
                None => String::new(),
            };
            return Event { rule: "4.44", text };
        };
        let described = self.engagement(event).describe(&event.location, terms, face);
        let side = usize::from(event.side);
        self.in_event(&state.sides[side], side, event.scope, described)
    }
}

impl Decisions for Platoon {
    fn decision(&self, _: &PlatoonState) -> String {
        String::new()
    }

    fn options(&self, _: &PlatoonState) -> Vec<String> {
        Vec::new()
    }

    fn kinds(&self, _: &PlatoonState) -> Vec<&'static str> {
        Vec::new()
    }
}
