//! The calls of a Sniper (14.1), one attack of it on a stack (14.2, 14.3), and the gain of
//! concealment (12.12).

use smallvec::SmallVec;

use crate::engagement::Engagement;
use crate::location::LocationState;
use crate::outcome::UnitOutcome;
use crate::unit::Condition;
use crate::vocabulary::sniper::{MOST_EFFECTIVE, SniperSearch};
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::{Dice, Dr, Face};
use engine::process::{Decisions, Due, Event, Log, Process};

/// A question: the DR of a game, or what happens to a stack.
#[derive(Clone, Debug)]
pub enum SniperPlay {
    /// `rolls` Original DR of the enemy of a Sniper with this SAN.
    Calls { san: u8, rolls: u16 },
    /// An attack or the gain of concealment, the only stage of an engagement.
    Stack(Box<Engagement>),
}

/// A roll of a game that is still to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SniperTask {
    /// An Original DR of the player that the Sniper harms (14.1).
    Call,
    /// The dr of a Sniper that was called by a DR.
    Effect,
}

/// The state of a game's DR, or of a stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SniperState {
    location: LocationState,
    tasks: SmallVec<[SniperTask; 4]>,
    /// The DR still to come, and the effective attacks so far.
    rolls: u16,
    attacks: u16,
    is_reported: bool,
}

/// The meaning of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SniperReading {
    Called(bool),
    Number(u8),
    OfStack(Reading),
}

/// The values that a roll is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SniperTerms {
    San(u8),
    Number,
    OfStack(Terms),
}

/// An outcome: a unit with its DM, the number of effective attacks, or what a Sniper Check finds
/// (14.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SniperOutcome {
    Unit { unit: UnitOutcome, is_dm: bool },
    Attacks(u16),
    Search(SniperSearch),
}

impl SniperPlay {
    /// Returns the engagement of a stack, which makes all its rolls.
    pub(super) fn engagement(&self) -> Option<&Engagement> {
        match self {
            SniperPlay::Calls { .. } => None,
            SniperPlay::Stack(engagement) => Some(engagement),
        }
    }
}

impl Process for SniperPlay {
    type State = SniperState;
    type Terms = SniperTerms;
    type Reading = SniperReading;
    type Outcome = SniperOutcome;

    fn start<L: Log>(&self, log: &mut L) -> SniperState {
        let mut state = SniperState {
            location: LocationState::default(),
            tasks: SmallVec::new(),
            rolls: 0,
            attacks: 0,
            is_reported: false,
        };
        match self {
            SniperPlay::Calls { rolls, .. } => {
                state.rolls = *rolls;
                state.tasks.push(SniperTask::Call);
            }
            SniperPlay::Stack(engagement) => state.location = engagement.start(log),
        }
        state
    }

    fn due(&self, state: &SniperState) -> Due<SniperTerms> {
        if let Some(engagement) = self.engagement() {
            return match engagement.due(&state.location) {
                Due::Roll(dice, terms) => Due::Roll(dice, SniperTerms::OfStack(terms)),
                Due::Report(point) => Due::Report(point),
                Due::Choice { .. } | Due::Over => Due::Over,
            };
        }
        let san = match self {
            SniperPlay::Calls { san, .. } => *san,
            SniperPlay::Stack(_) => 0,
        };
        match state.tasks.last() {
            Some(SniperTask::Call) => Due::Roll(Dice::DrTotal, SniperTerms::San(san)),
            Some(_) => Due::Roll(Dice::One, SniperTerms::Number),
            None if state.is_reported => Due::Over,
            None => Due::Report(0),
        }
    }

    fn read(&self, terms: &SniperTerms, face: Face) -> SniperReading {
        match terms {
            SniperTerms::San(san) => SniperReading::Called(Dr::from_face(face).total() == *san),
            SniperTerms::Number => SniperReading::Number(face.number()),
            SniperTerms::OfStack(terms) => SniperReading::OfStack(match self.engagement() {
                Some(engagement) => engagement.read(terms, face),
                None => terms.read(face),
            }),
        }
    }

    fn apply<L: Log>(&self, state: &mut SniperState, reading: SniperReading, log: &mut L) {
        if let (Some(engagement), SniperReading::OfStack(reading)) = (self.engagement(), reading) {
            return engagement.apply(&mut state.location, reading, log);
        }
        let Some(task) = state.tasks.pop() else { return };
        match (task, reading) {
            (SniperTask::Call, SniperReading::Called(called)) => {
                state.rolls -= 1;
                if state.rolls > 0 {
                    state.tasks.push(SniperTask::Call);
                }
                if called {
                    state.tasks.push(SniperTask::Effect);
                }
            }
            (SniperTask::Effect, SniperReading::Number(dr)) => {
                state.attacks += u16::from(dr <= MOST_EFFECTIVE);
            }
            _ => {}
        }
    }

    fn choose<L: Log>(&self, _: &mut SniperState, _: usize, _: &mut L) {}

    fn report(&self, state: &SniperState, observe: &mut dyn FnMut(SniperOutcome)) {
        match self.engagement() {
            None => observe(SniperOutcome::Attacks(state.attacks)),
            Some(engagement) => {
                for unit in state.location.places() {
                    let of = state.location.unit(unit);
                    let is_dm = of.is_present() && of.is(Condition::Dm);
                    let unit = engagement.view(&state.location).unit_outcome(unit);
                    observe(SniperOutcome::Unit { unit, is_dm });
                }
                let found = state.location.hunt.found();
                if found != SniperSearch::InVain {
                    observe(SniperOutcome::Search(found));
                }
            }
        }
    }

    fn pass<L: Log>(&self, state: &mut SniperState, log: &mut L) {
        match self.engagement() {
            Some(engagement) => engagement.pass(&mut state.location, log),
            None => state.is_reported = true,
        }
    }

    fn describe(&self, state: &SniperState, terms: &SniperTerms, face: Face) -> Event {
        if let (Some(engagement), SniperTerms::OfStack(terms)) = (self.engagement(), terms) {
            return engagement.describe(&state.location, terms, face);
        }
        let number = face.number();
        let (rule, text) = match state.tasks.last() {
            Some(SniperTask::Call) => ("14.1", format!("Original {}", Dr::from_face(face).total())),
            _ => ("14.2", format!("Sniper dr {number}")),
        };
        Event { rule, text }
    }
}

impl Decisions for SniperPlay {
    fn decision(&self, _: &SniperState) -> String {
        String::new()
    }

    fn options(&self, _: &SniperState) -> Vec<String> {
        Vec::new()
    }

    fn kinds(&self, _: &SniperState) -> Vec<&'static str> {
        Vec::new()
    }
}
