//! The central abstraction: a rule procedure is a finite stochastic process, written once. Engines
//! do the rest.
//!
//! A state waits for dice, for a decision of a player, or for a report of outcomes, or the sequence
//! is over. Rolling takes three small steps, so that each engine pays only for what it needs.
//! [`Process::due`] says which dice are due and against what terms (the morale level, the DRM).
//! [`Process::read`] turns a face into a reading ("pinned", "fails"). [`Process::apply`] carries
//! the reading out. Faces that read alike form one roll class: an exact engine applies four
//! readings instead of 36 faces.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::dice::{Base, Dice, Face};

/// Something a state waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due<Terms> {
    /// A roll of dice, to be compared with `Terms`.
    Roll(Dice, Terms),
    /// A decision of one player among `options` (at least one), numbered from 0.
    Choice { player: Player, options: usize },
    /// A report: outcomes are noted at this point of the sequence, such as the end of a phase. Then
    /// the sequence continues.
    Report(ReportIndex),
    /// Nothing: the sequence is over.
    Over,
}

/// The 0-based index of a report within a sequence.
pub type ReportIndex = u16;

/// The side that makes a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The side whose odds are asked for.
    Owner,
    /// The other side.
    Enemy,
}

/// A finite stochastic process. Every sequence ends: no state can be reached from itself.
pub trait Process: Sync {
    /// The state of a sequence. It is small. Two states are equal exactly when their futures are.
    type State: Clone + Eq + Hash + Send + Sync;
    /// The values a due roll is compared with.
    type Terms;
    /// The meaning of a face. Faces that read alike lead to the same state.
    type Reading: Copy + Eq + Send + Sync;
    /// One noted outcome. Its order is the order of rows in a table.
    type Outcome: Clone + Ord + Hash + Send + Sync;
    /// The base from which all dice of this process are read.
    const BASE: Base = Base::Dr;

    /// Returns the state in which a sequence starts.
    fn start<L: Log>(&self, log: &mut L) -> Self::State;
    /// Returns what `state` waits for.
    fn due(&self, state: &Self::State) -> Due<Self::Terms>;
    /// The epoch of a state: a clock of the sequence that never runs backwards. When processes are
    /// compared with common random numbers, rolls of one epoch get the same dice in all of them. By
    /// default a whole sequence is one epoch.
    fn epoch(&self, _state: &Self::State) -> u32 {
        0
    }
    /// Returns the meaning of `face` under `terms`.
    fn read(&self, terms: &Self::Terms, face: Face) -> Self::Reading;
    /// Carries `reading` out on `state`, which waits for a roll.
    fn apply<L: Log>(&self, state: &mut Self::State, reading: Self::Reading, log: &mut L);
    /// Carries out `option` (0-based) on `state`, which waits for a choice.
    fn choose<L: Log>(&self, state: &mut Self::State, option: usize, log: &mut L);
    /// Returns the state after each of the `options` of `state`, which waits for a choice. A
    /// process that has all of them at hand may override this.
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
    /// Returns whose roll is due. Only a factorisation ([`Factorization`]) uses this.
    fn turn(&self, _state: &Self::State) -> RollOwner {
        RollOwner::Own
    }
    /// Ends the Random Selection for which `state` waits. Only a factorisation ([`Factorization`]) uses
    /// this.
    fn draw(&self, _state: &mut Self::State, _drawn: Selection) {}
    /// Ends the call for which `state` waits. Only a factorisation ([`Factorization`]) uses this.
    fn resolve_call(&self, _state: &mut Self::State, _called: CallOutcome) {}
    /// Merges the outcome of the first unit to answer a call into `state`, which waits for it.
    /// `_first` is the state of that unit, possibly `state` itself. Only a factorisation
    /// ([`Factorization`]) uses this.
    fn merge_first(&self, _state: &mut Self::State, _first: &Self::State) {}
    /// Returns when each unit that was absent at the start appeared, in order. Only a factorisation
    /// ([`Factorization`]) uses this.
    fn spawned(&self, _state: &Self::State) -> Spawns {
        Spawns::new()
    }
}

/// The owner of a due roll, when one unit is played together with the common part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollOwner {
    /// The unit itself.
    Own,
    /// The common part.
    Common,
    /// A Random Selection of `count`. `common` candidates belong to the common part, `own` to the
    /// unit.
    Lots { count: u8, common: u8, own: u8 },
    /// No single owner: all units are called in the order of their slots, until one answers.
    /// `answers` says whether this unit does.
    Call { answers: bool },
    /// No single owner: the outcome of the first unit to answer is merged into all states. `own`
    /// says whether that unit is this one.
    News { own: bool },
    /// Not decidable for one unit by itself: the question does not factorise.
    Unknown,
}

/// The end of a call, as seen from one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// This unit was the first to answer.
    First,
    /// Another unit was the first to answer.
    Another,
    /// No unit answered.
    Nobody,
}

/// The candidates drawn in a Random Selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The drawn candidates of the common part, one bit each in their order.
    pub common: u64,
    /// The drawn candidates of the unit, one bit each in their order.
    pub own: u64,
}

/// The moment at which a unit appeared, comparable between independent parts of a question. Time
/// runs in rounds; in each round units act in the order of their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spawn {
    /// The round of its appearance.
    pub round: u8,
    /// The 0-based index of its source among the units that appeared before it; `None` if the
    /// source was there from the start.
    pub out_of: Option<u8>,
}

/// The births of all units that appeared within one factor, in order.
pub type Spawns = SmallVec<[Spawn; 2]>;

/// One factor: a unit with the common part, and the units equivalent to it.
#[derive(Clone, Debug)]
pub struct Factor<P> {
    /// The process of the common part and this unit. It reports the unit, and the units that appear
    /// out of it.
    pub process: P,
    /// The slots of the unit and of its equivalents.
    pub slots: Vec<u8>,
}

/// A factorisation: given the course of the common part, the units are independent. The engine of
/// the module `factored` works with it.
#[derive(Clone, Debug)]
pub struct Factorization<P> {
    /// The process of the common part by itself.
    pub common: Option<P>,
    /// The factors, which cover all units outside the common part.
    pub factors: Vec<Factor<P>>,
    /// Whether a unit that is a success at one report is so at all later reports.
    pub is_lasting: bool,
    /// Whether [`Question::parts`] gives the rows of these units. Otherwise only the factors do,
    /// short of the whole process.
    pub has_parts: bool,
}

impl<P> Factorization<P> {
    /// Replaces each process by what `of` makes of it.
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

/// A process whose choices can be described.
pub trait Decisions: Process {
    /// Describes the choice for which `state` waits.
    fn decision(&self, state: &Self::State) -> String;
    /// Describes the options of that choice, in order.
    fn options(&self, state: &Self::State) -> Vec<String>;
    /// Returns the kind of each option, in order: a word such as `run` or `low-crawl`. A word means
    /// the same in every state and in every process of one type.
    fn kinds(&self, state: &Self::State) -> Vec<&'static str>;
}

/// A shared process delegates its descriptions to the process inside.
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

/// A shared process delegates to the process inside.
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
    /// Records an event. A silent log never builds it.
    fn record(&mut self, event: impl FnOnce() -> Event);
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

/// A process whose choices are made by a policy. It is a process without choices, unless those of
/// one player are left open.
#[derive(Clone, Debug)]
pub struct WithPolicy<P, F> {
    process: P,
    policy: F,
    /// The player whose choices stay open.
    open: Option<Player>,
}

impl<P, F> WithPolicy<P, F>
where
    P: Process,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    /// Wraps `process`. `policy` gets the process, the state, the player to choose and the number
    /// of options; it returns an option below that number.
    pub fn new(process: P, policy: F) -> Self {
        WithPolicy { process, policy, open: None }
    }

    /// Wraps `process`, but leaves the choices of the player `open` to the engine.
    pub fn leaving(open: Player, process: P, policy: F) -> Self {
        WithPolicy { process, policy, open: Some(open) }
    }

    /// Makes the choices for which `state` waits, up to a choice that stays open.
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

/// Describes the choices that stay open.
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

/// A noted outcome in words: all that a row of the result table holds except the odds. Absent
/// values are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// The 1-based slot of the unit.
    pub slot: Option<u8>,
    /// The unit as it started.
    pub unit: Option<String>,
    /// The unit as it started, as an unambiguous identifier.
    pub unit_id: Option<String>,
    /// The 1-based phase, if odds are given by phase.
    pub phase: Option<u16>,
    /// The 1-based step of a sequence.
    pub step: Option<u16>,
    /// The status of the unit, such as `broken`.
    pub status: Option<&'static str>,
    /// The counter as it ends.
    pub counter: Option<String>,
    /// Whether the unit is wounded.
    pub wounded: Option<bool>,
    /// The outcome of the whole stack. It replaces all fields above except the phase.
    pub outcome: Option<String>,
    /// The outcome of the whole stack, unit by unit.
    pub ends: Vec<UnitEnding>,
}

impl Label {
    /// Builds the label of a joint outcome of all units.
    pub fn of_all(ends: Vec<UnitEnding>) -> Label {
        let words: Vec<String> = ends.iter().map(UnitEnding::to_string).collect();
        Label { outcome: Some(words.join("; ")), ends, ..Label::default() }
    }
}

/// The end of one unit within a joint outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitEnding {
    /// The 1-based slot of the unit.
    pub slot: u8,
    /// The status of the unit, such as `broken`.
    pub status: &'static str,
    /// The counter as it ends.
    pub counter: Option<String>,
    /// Whether the unit is wounded.
    pub wounded: Option<bool>,
}

impl fmt::Display for UnitEnding {
    /// Writes for example `2:broken 8-1/wounded`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.slot, self.status)?;
        let Some(counter) = &self.counter else { return Ok(()) };
        let sign = if counter.contains('/') { "," } else { "/" };
        write!(f, " {counter}")?;
        if self.wounded == Some(true) { write!(f, "{sign}wounded") } else { Ok(()) }
    }
}

/// Processes that together give every outcome of a question, each much smaller than the whole.
#[derive(Clone, Debug)]
pub struct Parts<P> {
    /// The small processes. Each outcome is reported by one of them.
    pub processes: Vec<P>,
    /// The whole process, reporting only the outcomes that no small process can report; `None` if
    /// there are no such outcomes.
    pub rest: Option<P>,
}

impl<P> Parts<P> {
    /// Wraps a single process that reports everything.
    pub fn whole(process: P) -> Parts<P> {
        Parts { processes: vec![process], rest: None }
    }

    /// Returns all processes, the rest last.
    pub fn all(self) -> impl Iterator<Item = P> {
        self.processes.into_iter().chain(self.rest)
    }
}

/// A question that can be answered: processes, and words for their outcomes.
pub trait Question: Sync {
    type Process: Process;

    /// Returns the whole question as one process.
    fn whole(&self) -> Self::Process;
    /// Returns smaller processes that together give the same odds of each outcome. By default there
    /// is one, the whole.
    fn parts(&self) -> Parts<Self::Process> {
        Parts::whole(self.whole())
    }
    /// Returns the factorisation of the question, if its units touch each other only through a
    /// common part. By default there is none.
    fn factorization(&self) -> Option<Factorization<Self::Process>> {
        None
    }
    /// Describes an outcome noted at report `point`.
    fn label(&self, point: ReportIndex, outcome: &<Self::Process as Process>::Outcome) -> Label;
}
