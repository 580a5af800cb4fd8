//! Small processes with odds that can be worked out by hand, for the tests of the engines.

use crate::dice::{Dice, Dr, Face};
use crate::process::{Due, Event, Log, Player, Point, Process};

/// Up to `tries` rounds: a DR of `target` or more wins; a 2 first wants a dr, which loses on 6. Noted after every round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub tries: u8,
    pub target: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Fortune {
    Open,
    Won,
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Round {
    done: u8,
    snag: bool,
    noted: bool,
    fortune: Fortune,
}

impl Process for Rounds {
    type State = Round;
    /// Whether a snag is to be rolled for.
    type Terms = bool;
    /// Pips of the dr, or the total of the DR.
    type Reading = u8;
    type Outcome = Fortune;

    fn start<L: Log>(&self, _: &mut L) -> Round {
        Round { done: 0, snag: false, noted: true, fortune: Fortune::Open }
    }
    fn due(&self, state: &Round) -> Due<bool> {
        if !state.noted {
            Due::Report(Point::from(state.done))
        } else if state.done == self.tries {
            Due::Over
        } else {
            Due::Roll(if state.snag { Dice::One } else { Dice::DrTotal }, state.snag)
        }
    }
    fn read(&self, snag: &bool, face: Face) -> u8 {
        if *snag { face.dr() } else { Dr::of(face).total() }
    }
    fn apply<L: Log>(&self, state: &mut Round, pips: u8, log: &mut L) {
        if state.snag {
            state.fortune = if pips == 6 { Fortune::Lost } else { Fortune::Open };
            state.snag = false;
        } else if pips == 2 {
            state.snag = true;
            return;
        } else if pips >= self.target {
            state.fortune = Fortune::Won;
        }
        log.tell(|| Event { rule: "1", text: format!("{:?}", state.fortune) });
        state.done += 1;
        state.noted = false;
    }
    fn choose<L: Log>(&self, _: &mut Round, _: usize, _: &mut L) {}
    fn report(&self, state: &Round, tell: &mut impl FnMut(Fortune)) {
        tell(state.fortune);
    }
    fn pass<L: Log>(&self, state: &mut Round, _: &mut L) {
        if state.fortune == Fortune::Open || state.done == self.tries {
            state.noted = true;
        } else {
            state.done += 1;
        }
    }
    fn describe(&self, _: &Round, _: &bool, face: Face) -> Event {
        Event { rule: "1", text: format!("rolls {}", face.index()) }
    }
}

/// One choice of how many dr (1 or 2) to roll; a 6 among them wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gamble;

impl Process for Gamble {
    /// Dice left to roll, once chosen.
    type State = (Option<u8>, bool);
    type Terms = ();
    type Reading = bool;
    type Outcome = bool;

    fn start<L: Log>(&self, _: &mut L) -> Self::State {
        (None, false)
    }
    fn due(&self, state: &Self::State) -> Due<()> {
        match state {
            (None, _) => Due::Choice { player: Player::Owner, options: 2 },
            (Some(0), _) => Due::Report(0),
            (Some(u8::MAX), _) => Due::Over,
            _ => Due::Roll(Dice::One, ()),
        }
    }
    fn read(&self, (): &(), face: Face) -> bool {
        face.dr() == 6
    }
    fn apply<L: Log>(&self, state: &mut Self::State, six: bool, _: &mut L) {
        *state = (state.0.map(|left| left - 1), state.1 || six);
    }
    fn choose<L: Log>(&self, state: &mut Self::State, option: usize, _: &mut L) {
        state.0 = Some(option as u8 + 1);
    }
    fn report(&self, state: &Self::State, tell: &mut impl FnMut(bool)) {
        tell(state.1);
    }
    fn pass<L: Log>(&self, state: &mut Self::State, _: &mut L) {
        state.0 = Some(u8::MAX);
    }
    fn describe(&self, _: &Self::State, (): &(), face: Face) -> Event {
        Event { rule: "1", text: format!("dr {}", face.dr()) }
    }
}
