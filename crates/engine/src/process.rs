//! The one idea: a rule procedure is a finite stochastic process, written once; what is done with
//! it is an engine.
//!
//! In a state, dice are due, or a player must choose, or an outcome is to be reported, or the
//! sequence is over. Rolling takes three small steps, so that each engine pays only for what it
//! needs: [`Process::due`] says which dice and against what terms (the morale level, the DRM),
//! [`Process::read`] turns a face into a reading ("pinned", "fails"), and [`Process::apply`]
//! carries the reading out. Faces that read alike are one roll class: an exact engine applies four
//! readings, not 36 faces.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::dice::{Base, Dice, Face};

/// Something a state waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due<Terms> {
    /// Dice, to be compared with `Terms`.
    Roll(Dice, Terms),
    /// A decision of one player among `options` (at least one), numbered from 0.
    Choice { player: Player, options: usize },
    /// Outcomes are to be noted at this point of the sequence (such as the end of a phase); then
    /// the sequence goes on.
    Report(Point),
    /// Nothing: the sequence is over.
    Over,
}

/// Number of a report within a sequence, from 0.
pub type Point = u16;

/// Who chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The side whose odds are asked for.
    Owner,
    /// The other side.
    Enemy,
}

/// A finite stochastic process. Sequences always end: no state can be reached from itself.
pub trait Process: Sync {
    /// Where the sequence stands. Small, and equal exactly when the future is equal.
    type State: Clone + Eq + Hash + Send + Sync;
    /// What a due roll is compared with.
    type Terms;
    /// What a face means; faces that read alike lead to the same state.
    type Reading: Copy + Eq + Send + Sync;
    /// One noted outcome. Its order is the order of rows in a table.
    type Outcome: Clone + Ord + Hash + Send + Sync;
    /// What all its dice are read off.
    const BASE: Base = Base::Dr;

    /// The state a sequence starts in.
    fn start<L: Log>(&self, log: &mut L) -> Self::State;
    /// What `state` waits for.
    fn due(&self, state: &Self::State) -> Due<Self::Terms>;
    /// Where on the clock of its sequence a state stands; the clock never goes back. Where
    /// processes are compared with common random numbers, rolls of one epoch get the same dice in
    /// all of them. By default all of a sequence is one epoch.
    fn epoch(&self, _state: &Self::State) -> u32 {
        0
    }
    /// What `face` means under `terms`.
    fn read(&self, terms: &Self::Terms, face: Face) -> Self::Reading;
    /// Carries `reading` out; `state` waits for a roll.
    fn apply<L: Log>(&self, state: &mut Self::State, reading: Self::Reading, log: &mut L);
    /// Carries out `option`; `state` waits for a choice.
    fn choose<L: Log>(&self, state: &mut Self::State, option: usize, log: &mut L);
    /// The states after each of the `options` of `state`, for which it waits; a process that has
    /// them all at hand may say them at once.
    fn followers(&self, state: &Self::State, options: usize) -> Vec<Self::State> {
        let after = |option| {
            let mut next = state.clone();
            self.choose(&mut next, option, &mut Silent);
            next
        };
        (0..options).map(after).collect()
    }
    /// Tells the outcomes of `state`, which waits for a report; each outcome at most once.
    fn report(&self, state: &Self::State, tell: &mut impl FnMut(Self::Outcome));
    /// Goes on past a report.
    fn pass<L: Log>(&self, state: &mut Self::State, log: &mut L);
    /// The roll in words: the dice, each DRM with its source, and what they come to.
    fn describe(&self, state: &Self::State, terms: &Self::Terms, face: Face) -> Event;
    /// Of a process of [`Limbs`]: whose roll is due.
    fn turn(&self, _state: &Self::State) -> Turn {
        Turn::Own
    }
    /// Of a process of [`Limbs`]: a Random Selection, for which `state` waits, is over.
    fn draw(&self, _state: &mut Self::State, _drawn: Drawn) {}
    /// Of a process of [`Limbs`]: a call, for which `state` waits, has been answered or not.
    fn called(&self, _state: &mut Self::State, _called: Called) {}
    /// Of a process of [`Limbs`]: takes over the news of the unit that was first to answer a call,
    /// in that state of it; `state` waits for them, and may be its own.
    fn hear(&self, _state: &mut Self::State, _news: &Self::State) {}
    /// Of a process of [`Limbs`]: when each unit that was not there at the start appeared, in order.
    fn births(&self, _state: &Self::State) -> Births {
        Births::new()
    }
}

/// Whose roll is due, where one unit is played beside what is common to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The unit's own.
    Own,
    /// One of what is common.
    Common,
    /// A Random Selection of `count`, in which so many candidates belong to what is common, and so
    /// many are the unit's own.
    Lots { count: u8, common: u8, own: u8 },
    /// Nobody's: all units are called, in the order of their slots, until one answers.
    Call { answers: bool },
    /// Nobody's: what became of the first to answer is to be told to all; whether that is its own.
    News { own: bool },
    /// That cannot be said of one unit by itself: the question does not come apart.
    Unknown,
}

/// How a call ended, seen from one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// It was the first to answer.
    First,
    /// Another was.
    Another,
    /// Nobody answered.
    Nobody,
}

/// Who was drawn in a Random Selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The candidates of what is common, as bits in their order.
    pub common: u64,
    /// Those of the unit beside it.
    pub own: u64,
}

/// When a unit appeared, among those of all limbs: in rounds, in each of which units have their
/// turns in the order of their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Birth {
    pub round: u8,
    /// Out of which of the units that appeared before, from 0; nothing where it is the one that was
    /// there from the start.
    pub out_of: Option<u8>,
}

/// Those of a limb.
pub type Births = SmallVec<[Birth; 2]>;

/// A unit beside what is common, and its equals.
#[derive(Clone, Debug)]
pub struct Limb<P> {
    /// What is common, and this unit; it tells of the unit, and of those that appear out of it.
    pub process: P,
    /// Slots of the unit and of its equals.
    pub slots: Vec<u8>,
}

/// How a question comes apart, for the engine that follows the courses of what is common.
#[derive(Clone, Debug)]
pub struct Limbs<P> {
    /// What is common, by itself.
    pub common: Option<P>,
    pub limbs: Vec<Limb<P>>,
    /// Whether a unit that holds at one report holds at all later ones.
    pub lasting: bool,
    /// Whether the parts of the question tell the rows of these units; else only the limbs do, short
    /// of the whole.
    pub parted: bool,
}

impl<P> Limbs<P> {
    /// The same of other processes.
    pub fn map<Q>(self, of: impl Fn(P) -> Q) -> Limbs<Q> {
        let limb = |Limb { process, slots }| Limb { process: of(process), slots };
        Limbs {
            common: self.common.map(&of),
            limbs: self.limbs.into_iter().map(limb).collect(),
            lasting: self.lasting,
            parted: self.parted,
        }
    }
}

/// A process whose choices can be told.
pub trait Decisions: Process {
    /// The choice `state` waits for, in words.
    fn decision(&self, state: &Self::State) -> String;
    /// The options of that choice, in words, in order.
    fn options(&self, state: &Self::State) -> Vec<String>;
    /// What each option is, in a word that means the same in every state and every process of that
    /// kind: `run`, `low-crawl`.
    fn kinds(&self, state: &Self::State) -> Vec<&'static str>;
}

/// Its choices too.
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

/// A process that is shared is the same process.
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
    fn report(&self, state: &P::State, tell: &mut impl FnMut(P::Outcome)) {
        (**self).report(state, tell);
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
    fn turn(&self, state: &P::State) -> Turn {
        (**self).turn(state)
    }
    fn draw(&self, state: &mut P::State, drawn: Drawn) {
        (**self).draw(state, drawn);
    }
    fn called(&self, state: &mut P::State, called: Called) {
        (**self).called(state, called);
    }
    fn hear(&self, state: &mut P::State, news: &P::State) {
        (**self).hear(state, news);
    }
    fn births(&self, state: &P::State) -> Births {
        (**self).births(state)
    }
}

/// One line of a told sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Number of the rule at work.
    pub rule: &'static str,
    /// What happens, in words.
    pub text: String,
}

/// Where a process tells what happens.
pub trait Log {
    /// Tells an event; a silent log never builds it.
    fn tell(&mut self, event: impl FnOnce() -> Event);
}

/// The log of engines that only count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Log for Silent {
    #[inline(always)]
    fn tell(&mut self, _: impl FnOnce() -> Event) {}
}

impl Log for Vec<Event> {
    fn tell(&mut self, event: impl FnOnce() -> Event) {
        self.push(event());
    }
}

/// A process with its choices made by a named policy: itself a process, without choices.
#[derive(Clone, Debug)]
pub struct Under<P, F> {
    process: P,
    policy: F,
    /// Whose choices are left open.
    open: Option<Player>,
}

impl<P, F> Under<P, F>
where
    P: Process,
    F: Fn(&P, &P::State, Player, usize) -> usize + Sync,
{
    /// `policy` gets the state, the player to choose and the number of options; it returns an
    /// option below that number.
    pub fn new(process: P, policy: F) -> Self {
        Under { process, policy, open: None }
    }

    /// The same, the choices of that player left to him.
    pub fn leaving(open: Player, process: P, policy: F) -> Self {
        Under { process, policy, open: Some(open) }
    }

    /// Makes the choices that `state` waits for.
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

/// Of the choices that are left open.
impl<P, F> Decisions for Under<P, F>
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

impl<P, F> Process for Under<P, F>
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
    fn report(&self, state: &P::State, tell: &mut impl FnMut(P::Outcome)) {
        self.process.report(state, tell);
    }
    fn pass<L: Log>(&self, state: &mut P::State, log: &mut L) {
        self.process.pass(state, log);
        self.settle(state, log);
    }
    fn describe(&self, state: &P::State, terms: &P::Terms, face: Face) -> Event {
        self.process.describe(state, terms, face)
    }
    fn turn(&self, state: &P::State) -> Turn {
        self.process.turn(state)
    }
    fn draw(&self, state: &mut P::State, drawn: Drawn) {
        self.process.draw(state, drawn);
        self.settle(state, &mut Silent);
    }
    fn called(&self, state: &mut P::State, called: Called) {
        self.process.called(state, called);
        self.settle(state, &mut Silent);
    }
    fn hear(&self, state: &mut P::State, news: &P::State) {
        self.process.hear(state, news);
        self.settle(state, &mut Silent);
    }
    fn births(&self, state: &P::State) -> Births {
        self.process.births(state)
    }
}

/// A noted outcome in words: what a row of the result table says besides the odds. Absent values
/// are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// 1-based place of the unit.
    pub slot: Option<u8>,
    /// The unit as it started.
    pub unit: Option<String>,
    /// The same, unmistakably.
    pub unit_id: Option<String>,
    /// 1-based phase, where odds are given by phase.
    pub phase: Option<u16>,
    /// 1-based step of a sequence.
    pub step: Option<u16>,
    pub status: Option<&'static str>,
    /// The counter as it ends.
    pub counter: Option<String>,
    pub wounded: Option<bool>,
    /// Outcome of the whole stack, in place of all of the above but the phase.
    pub outcome: Option<String>,
    /// The same unit by unit.
    pub ends: Vec<End>,
}

impl Label {
    /// That of an outcome of all units together.
    pub fn of_all(ends: Vec<End>) -> Label {
        let words: Vec<String> = ends.iter().map(End::to_string).collect();
        Label { outcome: Some(words.join("; ")), ends, ..Label::default() }
    }
}

/// How one unit ends, in an outcome of all together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct End {
    /// 1-based place of the unit.
    pub slot: u8,
    pub status: &'static str,
    /// The counter as it ends.
    pub counter: Option<String>,
    pub wounded: Option<bool>,
}

impl fmt::Display for End {
    /// `2:broken 8-1/wounded`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.slot, self.status)?;
        let Some(counter) = &self.counter else { return Ok(()) };
        let sign = if counter.contains('/') { "," } else { "/" };
        write!(f, " {counter}")?;
        if self.wounded == Some(true) { write!(f, "{sign}wounded") } else { Ok(()) }
    }
}

/// Processes that together tell every outcome of a question, each much smaller than the whole.
#[derive(Clone, Debug)]
pub struct Parts<P> {
    /// Each outcome is told by one of them.
    pub processes: Vec<P>,
    /// The whole process, telling only what none of them can; where there is such a thing.
    pub rest: Option<P>,
}

impl<P> Parts<P> {
    /// One process tells all.
    pub fn whole(process: P) -> Parts<P> {
        Parts { processes: vec![process], rest: None }
    }

    /// All of them.
    pub fn all(self) -> impl Iterator<Item = P> {
        self.processes.into_iter().chain(self.rest)
    }
}

/// A question that can be answered: processes, and words for their outcomes.
pub trait Question: Sync {
    type Process: Process;

    /// The whole question as one process.
    fn whole(&self) -> Self::Process;
    /// Smaller processes that together tell the same odds of each outcome; by default the whole.
    fn parts(&self) -> Parts<Self::Process> {
        Parts::whole(self.whole())
    }
    /// How its units come apart, where they touch each other only through what is common.
    fn limbs(&self) -> Option<Limbs<Self::Process>> {
        None
    }
    /// An outcome in words.
    fn label(&self, point: Point, outcome: &<Self::Process as Process>::Outcome) -> Label;
}
