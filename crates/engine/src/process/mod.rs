//! The trait `Process`: a rule procedure as a finite stochastic process, which engines analyse.
//!
//! A roll takes three small steps, so that each engine pays only for what it needs.
//! [`Process::due`] says which dice are due and against what terms (the morale level, the DRM).
//! [`Process::read`] turns a face into a reading ("pinned", "fails"). [`Process::apply`] carries
//! the reading out. Faces with equal readings are one roll class, such as 4 classes for 36 faces.

mod factorization;
mod policy;
mod question;
mod wrapper;

use std::hash::Hash;

use crate::dice::{Base, Dice, Face};
pub use factorization::{
    CallOutcome, Factor, Factored, Factorization, IndependentUnit, RollOwner, Selection, Spawn,
    Spawns,
};
pub use policy::{Chooser, WithPolicy};
pub use question::{Label, OutcomeOf, Parts, Question, StateOf, UnitEnding};
pub use wrapper::{ExtendedState, Wrapper, WrapperState};

/// The event for which a state waits: dice, a decision, a report, or the end of the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due<Terms> {
    /// A roll of dice, to be compared with `Terms`.
    Roll(Dice, Terms),
    /// A decision of one player among `options` (at least one), numbered from 0.
    Choice { player: Player, options: usize },
    /// A report: outcomes are noted at this point, such as the end of a phase.
    Report(ReportIndex),
    /// Nothing: the sequence is over.
    Over,
}

/// The 0-based index of a report within a sequence.
pub type ReportIndex = u16;

/// The side that makes a decision: the owner of the units or the enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The side whose probabilities are computed.
    Owner,
    /// The opponent of the side whose probabilities are computed.
    Enemy,
}

impl Player {
    /// The names of both sides, in order.
    pub const NAMES: [&'static str; 2] = ["owner", "enemy"];

    /// Returns the name of the side.
    pub fn name(self) -> &'static str {
        self.word(&Player::NAMES)
    }

    /// Returns the word of the side among the words for both.
    pub fn word(self, sides: &[&'static str; 2]) -> &'static str {
        sides[self as usize]
    }
}

/// Returns the word of a side as it stands in a sentence: `the firer`, `our side`.
pub fn side_in_words(word: &str) -> String {
    match word {
        "ours" => "our side".to_string(),
        "theirs" => "their side".to_string(),
        "own" => "the own side".to_string(),
        word => format!("the {word}"),
    }
}

/// A finite stochastic process. Every sequence ends: no state can be reached from itself.
pub trait Process: Sync {
    /// The state of a sequence. States are small, and equal exactly when their futures are equal.
    type State: Clone + Eq + Hash + Send + Sync;
    /// The values a due roll is compared with.
    type Terms;
    /// The meaning of a face. Faces with equal readings lead to equal states.
    type Reading: Copy + Eq + Send + Sync;
    /// A noted outcome. Its order is the order of rows in a result table.
    type Outcome: Clone + Ord + Hash + Send + Sync;
    /// The base (DR or d20) from which all dice of this process are read.
    const BASE: Base = Base::Dr;

    /// Returns the state in which a sequence starts.
    fn start<L: Log>(&self, log: &mut L) -> Self::State;
    /// Returns the event for which `state` waits.
    fn due(&self, state: &Self::State) -> Due<Self::Terms>;
    /// Returns the epoch, a clock that never runs backwards. Compared processes share its dice.
    fn epoch(&self, _state: &Self::State) -> u32 {
        0
    }
    /// Returns the meaning of `face` under `terms`.
    fn read(&self, terms: &Self::Terms, face: Face) -> Self::Reading;
    /// Carries `reading` out on `state`, which waits for a roll.
    fn apply<L: Log>(&self, state: &mut Self::State, reading: Self::Reading, log: &mut L);
    /// Carries out `option` (0-based) on `state`, which waits for a choice.
    fn choose<L: Log>(&self, state: &mut Self::State, option: usize, log: &mut L);
    /// Returns the state after each of the `options` of `state`, which waits for a choice.
    fn followers(&self, state: &Self::State, options: usize) -> Vec<Self::State> {
        let after = |option| {
            let mut next = state.clone();
            self.choose(&mut next, option, &mut Silent);
            next
        };
        (0..options).map(after).collect()
    }
    /// Passes the outcomes of `state`, which waits for a report, to `observe`, each at most once.
    fn report(&self, state: &Self::State, observe: &mut dyn FnMut(Self::Outcome));
    /// Returns whether the report for which `state` waits is a part of a later one at the same
    /// point: it has the outcomes of units whose results are known before those of others.
    fn is_partial_report(&self, _state: &Self::State) -> bool {
        false
    }
    /// Moves `state` past a report.
    fn pass<L: Log>(&self, state: &mut Self::State, log: &mut L);
    /// Describes a roll in words: the dice, each DRM with its source, and the result.
    fn describe(&self, state: &Self::State, terms: &Self::Terms, face: Face) -> Event;
}

/// A process that can describe its choices in words.
pub trait Decisions: Process {
    /// Describes the choice for which `state` waits.
    fn decision(&self, state: &Self::State) -> String;
    /// Describes the options of the choice for which `state` waits, in order.
    fn options(&self, state: &Self::State) -> Vec<String>;
    /// Returns the kind of each option, such as `run`, with one meaning in all processes of a type.
    fn kinds(&self, state: &Self::State) -> Vec<&'static str>;
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the rule that applies.
    pub rule: &'static str,
    /// A description of what happens.
    pub text: String,
}

/// A receiver of the events of a sequence. There are two, [`Silent`] and [`Listener`], so that all
/// rules are compiled twice and no more.
pub trait Log {
    /// A log of the same kind, which changes events.
    type Changed<'a>: Log
    where
        Self: 'a;

    /// Records an event. A log that discards events never calls `event`.
    fn record(&mut self, event: impl FnOnce() -> Event);
    /// Returns a log that records here what `change` makes of each event.
    fn changed<'a>(&'a mut self, change: impl Fn(Event) -> Event + 'a) -> Self::Changed<'a>;
    /// Records an event of a rule. A log that discards events never calls `text`.
    fn note<T: Into<String>>(&mut self, rule: &'static str, text: impl FnOnce() -> T) {
        self.record(|| Event { rule, text: text().into() });
    }
}

/// A log that discards all events, for engines that only count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Log for Silent {
    type Changed<'a> = Silent;

    #[inline(always)]
    fn record(&mut self, _: impl FnOnce() -> Event) {}
    #[inline(always)]
    fn changed<'a>(&'a mut self, _: impl Fn(Event) -> Event + 'a) -> Silent {
        Silent
    }
}

/// A log that passes each event to a function.
pub struct Listener<'a>(Box<dyn FnMut(Event) + 'a>);

impl<'a> Listener<'a> {
    /// Creates a log that passes each event to `listen`.
    pub fn new(listen: impl FnMut(Event) + 'a) -> Listener<'a> {
        Listener(Box::new(listen))
    }

    /// Creates a log that appends each event to `events`.
    pub fn appending(events: &'a mut Vec<Event>) -> Listener<'a> {
        Listener::new(|event| events.push(event))
    }
}

impl Log for Listener<'_> {
    type Changed<'a>
        = Listener<'a>
    where
        Self: 'a;

    fn record(&mut self, event: impl FnOnce() -> Event) {
        (self.0)(event());
    }
    fn changed<'a>(&'a mut self, change: impl Fn(Event) -> Event + 'a) -> Listener<'a> {
        Listener::new(move |event| (self.0)(change(event)))
    }
}
