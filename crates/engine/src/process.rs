//! The trait `Process`: a rule procedure as a finite stochastic process, which engines analyse.
//!
//! A state waits for dice, for a player's decision or for a report of outcomes, unless the sequence
//! is over. A roll takes three small steps, so that each engine pays only for what it needs.
//! [`Process::due`] says which dice are due and against what terms (the morale level, the DRM).
//! [`Process::read`] turns a face into a reading ("pinned", "fails"). [`Process::apply`] carries
//! the reading out. Faces with equal readings are one roll class, such as 4 classes for 36 faces.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::dice::{Base, Dice, Face};

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
    /// Returns the epoch of a state, a clock that never runs backwards (by default always 0). On
    /// common random numbers, all compared processes get the same dice in the same epoch.
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
    fn report(&self, state: &Self::State, observe: &mut impl FnMut(Self::Outcome));
    /// Moves `state` past a report.
    fn pass<L: Log>(&self, state: &mut Self::State, log: &mut L);
    /// Describes a roll in words: the dice, each DRM with its source, and the result.
    fn describe(&self, state: &Self::State, terms: &Self::Terms, face: Face) -> Event;
    /// Returns the owner of the roll that is due (only for a [`Factorization`]).
    fn turn(&self, _state: &Self::State) -> RollOwner {
        RollOwner::Own
    }
    /// Passes the drawn candidates of a Random Selection to `state` (only for factorisation).
    fn draw(&self, _state: &mut Self::State, _drawn: Selection) {}
    /// Tells `state` which unit, of all asked in turn, was first to answer (only for
    /// factorisation).
    fn resolve_call(&self, _state: &mut Self::State, _called: CallOutcome) {}
    /// Merges the outcome of the first unit to answer, whose state is `_first`, into `state` (only
    /// for factorisation). `_first` may be `state` itself.
    fn merge_first(&self, _state: &mut Self::State, _first: &Self::State) {}
    /// Returns the moment at which each unit absent at the start appeared, in order (only for
    /// factorisation).
    fn spawned(&self, _state: &Self::State) -> Spawns {
        Spawns::new()
    }
}

/// The owner of the next roll when one unit is played together with the state that all units share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollOwner {
    /// The unit makes the roll.
    Own,
    /// The state that all units share makes the roll, such as a leader.
    Common,
    /// A Random Selection of `count`, among `common` candidates of the state that all units share
    /// and `own` of the unit.
    Lots { count: u8, common: u8, own: u8 },
    /// A call: all units are asked in the order of their slots, until one answers. `answers` says
    /// whether this unit does.
    Call { answers: bool },
    /// The outcome of the first unit to answer a call to all units is due, to be merged into all
    /// states. `own` says whether this unit is the first.
    News { own: bool },
    /// The owner depends on other units: the question does not factorise.
    Unknown,
}

/// The result of a call, as one unit sees it. A call asks all units in turn until one answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    First,
    Another,
    Nobody,
}

/// The candidates drawn in a Random Selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The drawn candidates of the state that all units share; bit `i` is candidate `i` (0-based).
    pub common: u64,
    /// The drawn candidates of the unit; bit `i` is candidate `i` (0-based).
    pub own: u64,
}

/// The moment at which a unit appeared. Moments in different factors compare by round; within a
/// round units act in the order of their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spawn {
    pub round: u8,
    /// The 0-based index of the unit it came from, among those that appeared before in the same
    /// factor; `None` if that unit was there from the start.
    pub out_of: Option<u8>,
}

/// The moments at which units appeared within one factor, in order.
pub type Spawns = SmallVec<[Spawn; 2]>;

/// One factor of a [`Factorization`]: a unit with the state all units share, and its equivalents.
#[derive(Clone, Debug)]
pub struct Factor<P> {
    /// The process of the unit with the state that all units share. It reports the unit and units
    /// created from it.
    pub process: P,
    /// The 1-based slots (places in the list of units) of the unit and of its equivalents.
    pub slots: Vec<u8>,
}

/// A question split into factors: given the course of the state that all units share, the units are
/// independent. The engine `factored` computes its odds.
#[derive(Clone, Debug)]
pub struct Factorization<P> {
    /// The process of the state that all units share; `None` if they share nothing.
    pub common: Option<P>,
    /// The factors, which cover all units outside the shared state.
    pub factors: Vec<Factor<P>>,
    /// True if a unit that is a success at one report is a success at all later ones.
    pub is_lasting: bool,
    /// True if [`Question::parts`] splits the question into processes of single units. Otherwise
    /// only the factors do.
    pub has_parts: bool,
}

impl<P> Factorization<P> {
    /// Replaces each process by the result of `of`.
    pub fn map<Q>(self, of: impl Fn(P) -> Q) -> Factorization<Q> {
        let factor = |Factor { process, slots }| Factor { process: of(process), slots };
        Factorization {
            common: self.common.map(&of),
            factors: self.factors.into_iter().map(factor).collect(),
            is_lasting: self.is_lasting,
            has_parts: self.has_parts,
        }
    }
}

/// A process that can describe its choices in words.
pub trait Decisions: Process {
    /// Describes the choice for which `state` waits.
    fn decision(&self, state: &Self::State) -> String;
    /// Describes the options of the choice for which `state` waits, in order.
    fn options(&self, state: &Self::State) -> Vec<String>;
    /// Returns the kind of each option, in order: a word such as `run` or `low-crawl`. A word means
    /// the same in every state and in every process of one type.
    fn kinds(&self, state: &Self::State) -> Vec<&'static str>;
}

impl<P: Decisions + Send> Decisions for Arc<P> {
    fn decision(&self, state: &P::State) -> String {
        (**self).decision(state)
    }

    fn options(&self, state: &P::State) -> Vec<String> {
        (**self).options(state)
    }

    fn kinds(&self, state: &P::State) -> Vec<&'static str> {
        (**self).kinds(state)
    }
}

impl<P: Process + Send> Process for Arc<P> {
    type State = P::State;
    type Terms = P::Terms;
    type Reading = P::Reading;
    type Outcome = P::Outcome;
    const BASE: Base = P::BASE;

    fn start<L: Log>(&self, log: &mut L) -> P::State {
        (**self).start(log)
    }
    #[inline]
    fn due(&self, state: &P::State) -> Due<P::Terms> {
        (**self).due(state)
    }
    #[inline]
    fn read(&self, terms: &P::Terms, face: Face) -> P::Reading {
        (**self).read(terms, face)
    }
    #[inline]
    fn apply<L: Log>(&self, state: &mut P::State, reading: P::Reading, log: &mut L) {
        (**self).apply(state, reading, log);
    }
    fn choose<L: Log>(&self, state: &mut P::State, option: usize, log: &mut L) {
        (**self).choose(state, option, log);
    }
    fn followers(&self, state: &P::State, options: usize) -> Vec<P::State> {
        (**self).followers(state, options)
    }
    fn report(&self, state: &P::State, observe: &mut impl FnMut(P::Outcome)) {
        (**self).report(state, observe);
    }
    fn pass<L: Log>(&self, state: &mut P::State, log: &mut L) {
        (**self).pass(state, log);
    }
    fn describe(&self, state: &P::State, terms: &P::Terms, face: Face) -> Event {
        (**self).describe(state, terms, face)
    }
    fn epoch(&self, state: &P::State) -> u32 {
        (**self).epoch(state)
    }
    fn turn(&self, state: &P::State) -> RollOwner {
        (**self).turn(state)
    }
    fn draw(&self, state: &mut P::State, drawn: Selection) {
        (**self).draw(state, drawn);
    }
    fn resolve_call(&self, state: &mut P::State, called: CallOutcome) {
        (**self).resolve_call(state, called);
    }
    fn merge_first(&self, state: &mut P::State, first: &P::State) {
        (**self).merge_first(state, first);
    }
    fn spawned(&self, state: &P::State) -> Spawns {
        (**self).spawned(state)
    }
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the rule that applies.
    pub rule: &'static str,
    /// A description of what happens.
    pub text: String,
}

/// A receiver of the events of a sequence.
pub trait Log {
    /// Records an event. A log that discards events never calls `event`.
    fn record(&mut self, event: impl FnOnce() -> Event);
    /// Records an event of a rule. A log that discards events never calls `text`.
    fn note<T: Into<String>>(&mut self, rule: &'static str, text: impl FnOnce() -> T) {
        self.record(|| Event { rule, text: text().into() });
    }
}

/// A log that discards all events, for engines that only count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Log for Silent {
    #[inline(always)]
    fn record(&mut self, _: impl FnOnce() -> Event) {}
}

impl Log for Vec<Event> {
    fn record(&mut self, event: impl FnOnce() -> Event) {
        self.push(event());
    }
}

/// A process whose choices are made by a policy. Optionally one player's choices stay open.
#[derive(Clone, Debug)]
pub struct WithPolicy<P, F> {
    process: P,
    policy: F,
    open: Option<Player>,
}

impl<P, F> WithPolicy<P, F>
where
    P: Process,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    /// Wraps `process`. `policy` gets the process, the state, the player who chooses and the number
    /// of options. It returns the 0-based index of an option.
    pub fn new(process: P, policy: F) -> Self {
        WithPolicy { process, policy, open: None }
    }

    /// Wraps `process`, and leaves the choices of the player `open` unmade.
    pub fn leaving(open: Player, process: P, policy: F) -> Self {
        WithPolicy { process, policy, open: Some(open) }
    }

    /// Makes the choices for which `state` waits, except choices that stay open.
    ///
    /// # Panics
    ///
    /// Panics if the policy returns an option that does not exist.
    pub fn settle<L: Log>(&self, state: &mut P::State, log: &mut L) {
        while let Due::Choice { player, options } = self.process.due(state) {
            if self.open == Some(player) {
                return;
            }
            let option = (self.policy)(&self.process, state, player, options);
            assert!(option < options, "a policy chose option {option} of {options}");
            self.process.choose(state, option, log);
        }
    }
}

impl<P, F> Decisions for WithPolicy<P, F>
where
    P: Decisions,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    fn decision(&self, state: &P::State) -> String {
        self.process.decision(state)
    }

    fn options(&self, state: &P::State) -> Vec<String> {
        self.process.options(state)
    }

    fn kinds(&self, state: &P::State) -> Vec<&'static str> {
        self.process.kinds(state)
    }
}

impl<P, F> Process for WithPolicy<P, F>
where
    P: Process,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    type State = P::State;
    type Terms = P::Terms;
    type Reading = P::Reading;
    type Outcome = P::Outcome;
    const BASE: Base = P::BASE;

    fn start<L: Log>(&self, log: &mut L) -> P::State {
        let mut state = self.process.start(log);
        self.settle(&mut state, log);
        state
    }
    fn due(&self, state: &P::State) -> Due<P::Terms> {
        self.process.due(state)
    }
    fn epoch(&self, state: &P::State) -> u32 {
        self.process.epoch(state)
    }
    fn read(&self, terms: &P::Terms, face: Face) -> P::Reading {
        self.process.read(terms, face)
    }
    fn apply<L: Log>(&self, state: &mut P::State, reading: P::Reading, log: &mut L) {
        self.process.apply(state, reading, log);
        self.settle(state, log);
    }
    fn choose<L: Log>(&self, state: &mut P::State, option: usize, log: &mut L) {
        self.process.choose(state, option, log);
        self.settle(state, log);
    }
    fn report(&self, state: &P::State, observe: &mut impl FnMut(P::Outcome)) {
        self.process.report(state, observe);
    }
    fn pass<L: Log>(&self, state: &mut P::State, log: &mut L) {
        self.process.pass(state, log);
        self.settle(state, log);
    }
    fn describe(&self, state: &P::State, terms: &P::Terms, face: Face) -> Event {
        self.process.describe(state, terms, face)
    }
    fn turn(&self, state: &P::State) -> RollOwner {
        self.process.turn(state)
    }
    fn draw(&self, state: &mut P::State, drawn: Selection) {
        self.process.draw(state, drawn);
        self.settle(state, &mut Silent);
    }
    fn resolve_call(&self, state: &mut P::State, called: CallOutcome) {
        self.process.resolve_call(state, called);
        self.settle(state, &mut Silent);
    }
    fn merge_first(&self, state: &mut P::State, first: &P::State) {
        self.process.merge_first(state, first);
        self.settle(state, &mut Silent);
    }
    fn spawned(&self, state: &P::State) -> Spawns {
        self.process.spawned(state)
    }
}

/// A noted outcome in words: the columns of a row in the result table, without the odds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// The 1-based slot of the unit: its place in the list of units.
    pub slot: Option<u8>,
    /// The unit as it started, in words.
    pub unit: Option<String>,
    /// The unit as it started, as an unambiguous identifier.
    pub unit_id: Option<String>,
    /// The 1-based phase, if odds are given by phase.
    pub phase: Option<u16>,
    /// The 1-based step of a sequence of actions.
    pub step: Option<u16>,
    /// The status of the unit, such as `broken`.
    pub status: Option<&'static str>,
    /// The counter (such as `8-1`) at the report.
    pub counter: Option<String>,
    pub wounded: Option<bool>,
    /// The outcome of all units together, in words. Only `phase` and `ends` are then set too.
    pub outcome: Option<String>,
    /// The outcome of all units together, unit by unit; empty for a single unit.
    pub ends: Vec<UnitEnding>,
}

impl Label {
    /// Builds the label of one unit, called `unit` as it started.
    pub fn of_unit(unit: Option<String>, end: UnitEnding) -> Label {
        let UnitEnding { slot, status, counter, wounded } = end;
        let (slot, status) = (Some(slot), Some(status));
        Label { slot, unit, status, counter, wounded, ..Label::default() }
    }

    /// Builds the label of a joint outcome of all units.
    pub fn of_all(ends: Vec<UnitEnding>) -> Label {
        let words: Vec<String> = ends.iter().map(UnitEnding::to_string).collect();
        Label { outcome: Some(words.join("; ")), ends, ..Label::default() }
    }
}

/// The final status of one unit within the outcome of all units.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitEnding {
    /// The 1-based slot of the unit: its place in the list of units.
    pub slot: u8,
    /// The status of the unit, such as `broken`.
    pub status: &'static str,
    /// The counter (such as `8-1`) at the end.
    pub counter: Option<String>,
    pub wounded: Option<bool>,
}

impl fmt::Display for UnitEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.slot, self.status)?;
        let Some(counter) = &self.counter else { return Ok(()) };
        let sign = if counter.contains('/') { "," } else { "/" };
        write!(f, " {counter}")?;
        if self.wounded == Some(true) { write!(f, "{sign}wounded") } else { Ok(()) }
    }
}

/// The processes that together report every outcome of a question. Most are small parts of it.
#[derive(Clone, Debug)]
pub struct Parts<P> {
    /// The small processes. Each outcome is reported by at most one of them.
    pub processes: Vec<P>,
    /// The whole process, which reports only outcomes that no small process can report. `None`
    /// without such outcomes.
    pub rest: Option<P>,
}

impl<P> Parts<P> {
    /// Wraps a single process that reports everything.
    pub fn whole(process: P) -> Parts<P> {
        Parts { processes: vec![process], rest: None }
    }

    /// Returns all processes, `rest` last.
    pub fn all(self) -> impl Iterator<Item = P> {
        self.processes.into_iter().chain(self.rest)
    }
}

/// A question that can be answered: its processes, and the words for their outcomes.
pub trait Question: Sync {
    type Process: Process;

    /// Returns the whole question as one process.
    fn whole(&self) -> Self::Process;
    /// Returns smaller processes that together give the odds of the whole question. By default the
    /// whole is the only one.
    fn parts(&self) -> Parts<Self::Process> {
        Parts::whole(self.whole())
    }
    /// Returns the factorisation of the question; `None` (the default) if it does not factorise.
    fn factorization(&self) -> Option<Factorization<Self::Process>> {
        None
    }
    /// Describes an outcome noted at report `point`.
    fn label(&self, point: ReportIndex, outcome: &<Self::Process as Process>::Outcome) -> Label;
}
