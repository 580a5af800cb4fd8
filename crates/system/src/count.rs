//! How many units of a group hold, break or are lost: what a player asks of a whole stack.
//!
//! A kind of question declares classes, which its statuses come to, and groups of units. A process
//! whose reports are counted is the same process, with one outcome more at each report: the tally.
//! So every engine counts, and none knows of it.

use std::hash::Hash;

use engine::dice::{Base, Face};
use engine::process::{Births, Called, Decisions, Drawn, Due, Event, Log, Process, Turn};
use engine::text::{Fault, canonical};

use super::Asked;
use super::kind::Kind;
use super::ruled::Outcome;

/// What some statuses come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Its word, the verb of a sentence: `holds`.
    pub name: &'static str,
    pub statuses: &'static [&'static str],
    /// What one more is worth to its owner: 1 or -1.
    pub weight: f64,
}

impl Class {
    /// More of it is better.
    pub const fn good(name: &'static str, statuses: &'static [&'static str]) -> Class {
        Class { name, statuses, weight: 1.0 }
    }

    /// Fewer of it is better.
    pub const fn bad(name: &'static str, statuses: &'static [&'static str]) -> Class {
        Class { name, statuses, weight: -1.0 }
    }
}

/// The class of units that are still of use: it comes first, whatever it is called.
pub const HOLDS: &str = "holds";
/// The class of units that are gone; what is left of a group of which part is gone counts there.
pub const LOST: &str = "lost";

/// Units that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Parts of one unit that can stand by themselves: of a squad two half-squads.
    pub parts: u8,
}

impl Group {
    /// Units that are counted whole.
    pub const fn of(name: &'static str, about: &'static str) -> Group {
        Group { name, about, parts: 1 }
    }

    /// So many parts as a number of units.
    pub fn number(&self, parts: u16) -> f64 {
        f64::from(parts) / f64::from(self.parts)
    }
}

/// What is to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// The first group a question has units of, where none is named.
    pub group: Option<&'static Group>,
    /// Whether units created on the way count too.
    pub with_created: bool,
    /// Whether somebody asked: what is told besides may be left out where it is too big.
    pub is_asked: bool,
}

impl Counting {
    /// What is counted where nobody says what.
    pub const BESIDE: Counting = Counting { group: None, with_created: false, is_asked: false };
}

/// A unit of a group, in an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// 1-based place of the unit it belongs to.
    pub slot: u8,
    pub status: &'static str,
    /// Parts of it that are there to be counted.
    pub parts: u8,
    /// Whether it counts only with units created on the way.
    pub created: bool,
}

/// A unit of a group, as it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginner {
    /// 1-based place.
    pub slot: u8,
    pub parts: u8,
    /// Whether it holds: it is not waited for.
    pub holds: bool,
}

/// What is counted of a kind of question.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// What the kind is called.
    pub name: &'static str,
    /// What the statuses of units come to: what holds first.
    pub classes: &'static [Class],
    /// Groups of units, the one counted unless another is named first.
    pub groups: &'static [Group],
}

impl Kind {
    /// What is counted of it.
    pub fn scheme(&self) -> Scheme {
        Scheme { name: self.name, classes: self.classes, groups: self.groups }
    }

    /// The class a status comes to, by its place.
    pub fn class_of(&self, status: &str) -> Option<usize> {
        self.scheme().class_of(status)
    }

    /// The group of that name.
    pub fn group(&self, text: &str) -> Result<&'static Group, Fault> {
        self.scheme().group(text)
    }
}

impl Scheme {
    /// The class a status comes to, by its place.
    pub fn class_of(&self, status: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.statuses.contains(&status))
    }

    /// The group of that name.
    pub fn group(&self, text: &str) -> Result<&'static Group, Fault> {
        let name = canonical(text);
        self.groups.iter().find(|group| group.name == name).ok_or_else(|| {
            let fault = Fault::new(
                format!("no group of `{}` is called `{text}`", self.name),
                0..text.len(),
            );
            match self.groups {
                [] => fault.help("nothing is counted there"),
                groups => fault.expecting(text, groups.iter().map(|group| group.name)),
            }
        })
    }
}

/// Most classes of a kind.
pub const MOST_CLASSES: usize = 6;

/// How many parts of a group stand in each class, at one point of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tally {
    classes: [u8; MOST_CLASSES],
    /// Most of those waited for that have held together at any point so far.
    pub held: u8,
}

impl Tally {
    /// Of both together.
    pub(super) fn with(mut self, other: Tally) -> Tally {
        for (sum, parts) in self.classes.iter_mut().zip(other.classes) {
            *sum = sum.saturating_add(parts);
        }
        Tally { held: self.held + other.held, ..self }
    }

    /// Parts in a class, by its place.
    pub fn parts(&self, class: usize) -> u8 {
        self.classes[class]
    }
}

/// What can be counted: a question, or what is a part of an answer only.
pub trait Countable: Sync {
    type Outcome;

    fn scheme(&self) -> Scheme;
    /// What its points are.
    fn points(&self) -> Option<&'static str>;
    /// The units of a group that it begins with.
    fn begun(&self, group: &Group) -> Vec<Beginner>;
    /// Tells how each unit of a group stands in an outcome.
    fn counted(&self, group: &Group, outcome: &Self::Outcome, tell: &mut dyn FnMut(Counted));
    /// The slot of the unit an outcome is of; none where it is of all together.
    fn slot(&self, outcome: &Self::Outcome) -> Option<u8>;
    /// The same outcome of a unit in another slot.
    fn in_slot(&self, outcome: Self::Outcome, slot: u8) -> Self::Outcome;
    /// Units at the start.
    fn units(&self) -> u8;
    /// Whether units are told one after another, each when its turn is over: a tally is then of all
    /// that have been told, and of all units after the last report.
    fn is_told_by_turns(&self) -> bool {
        false
    }
}

impl<Q: Asked> Countable for Q {
    type Outcome = Outcome<Q>;

    fn scheme(&self) -> Scheme {
        self.words().kind().scheme()
    }
    fn points(&self) -> Option<&'static str> {
        self.words().points()
    }
    fn begun(&self, group: &Group) -> Vec<Beginner> {
        Asked::begun(self, group)
    }
    fn counted(&self, group: &Group, outcome: &Outcome<Q>, tell: &mut dyn FnMut(Counted)) {
        Asked::counted(self, group, outcome, tell);
    }
    fn slot(&self, outcome: &Outcome<Q>) -> Option<u8> {
        Asked::slot(self, outcome)
    }
    fn in_slot(&self, outcome: Outcome<Q>, slot: u8) -> Outcome<Q> {
        Asked::in_slot(self, outcome, slot)
    }
    fn units(&self) -> u8 {
        self.words().units()
    }
}

/// How outcomes are counted. Whose they are is left to the run: engines of counted processes, which
/// are large, are compiled once for all that can be counted.
pub struct Counter<'q, O> {
    question: &'q dyn Countable<Outcome = O>,
    kind: Scheme,
    group: &'static Group,
    with_created: bool,
    begun: Vec<Beginner>,
    /// Parts it begins with.
    whole: u8,
    /// Slots of units that are waited for, as bits.
    awaited: u64,
}

impl<'q, O> Counter<'q, O> {
    /// Of a group of a question, or of the first it has units of; none where it has no group.
    pub fn of(
        question: &'q dyn Countable<Outcome = O>,
        counting: Counting,
    ) -> Option<Counter<'q, O>> {
        let kind = question.scheme();
        let begins = |group: &&Group| question.begun(group).iter().any(|unit| unit.parts > 0);
        let group =
            counting.group.or_else(|| kind.groups.iter().find(begins)).or(kind.groups.first())?;
        let begun = question.begun(group);
        let whole = begun.iter().map(|unit| u16::from(unit.parts)).sum::<u16>().try_into().ok()?;
        let is_told_by_phase = question.points().is_some_and(|points| points != "step");
        let waits = is_told_by_phase && group.parts == 1;
        let awaited = begun
            .iter()
            .filter(|unit| waits && !unit.holds && unit.parts > 0)
            .fold(0, |slots, unit| slots | slot_bit(unit.slot));
        let with_created = counting.with_created;
        Some(Counter { question, kind, group, with_created, begun, whole, awaited })
    }

    pub fn group(&self) -> &'static Group {
        self.group
    }

    pub fn kind(&self) -> Scheme {
        self.kind
    }

    /// What the points of the question are.
    pub fn points(&self) -> Option<&'static str> {
        self.question.points()
    }

    /// Whether created units count too.
    pub fn with_created(&self) -> bool {
        self.with_created
    }

    /// The same that waits for nobody: a state is then as it is without a count.
    pub fn without_waiting(self) -> Self {
        Counter { awaited: 0, ..self }
    }

    /// Units of the group, as they begin.
    pub fn begun(&self) -> &[Beginner] {
        &self.begun
    }

    /// Parts the group begins with.
    pub fn whole(&self) -> u8 {
        self.whole
    }

    /// How many units are waited for.
    pub fn awaited(&self) -> u8 {
        self.awaited.count_ones() as u8
    }

    /// Adds the units of an outcome; those waited for that hold are counted apart.
    fn add(&self, outcome: &O, tally: &mut Tally, held: &mut u8) {
        self.question.counted(self.group, outcome, &mut |unit| {
            if unit.created && !self.with_created {
                return;
            }
            let Some(class) = self.kind.class_of(unit.status) else { return };
            let parts = &mut tally.classes[class];
            *parts = parts.saturating_add(unit.parts);
            *held += u8::from(class == 0 && self.awaited & slot_bit(unit.slot) != 0);
        });
    }

    /// The same of a unit of which those waited for hold at one point only if they hold at all
    /// later ones.
    pub(super) fn add_to(&self, outcome: &O, tally: &mut Tally) {
        let mut held = tally.held;
        self.add(outcome, tally, &mut held);
        tally.held = held;
    }

    /// All units told: what is missing of those that began is lost.
    pub(super) fn closed(&self, mut tally: Tally) -> Tally {
        let there: u8 = tally.classes.iter().fold(0, |sum, parts| sum.saturating_add(*parts));
        if let Some(lost) = self.kind.classes.iter().position(|class| class.name == LOST) {
            tally.classes[lost] += self.whole.saturating_sub(there);
        }
        tally
    }
}

/// Units are counted by slot up to the 64th.
fn slot_bit(slot: u8) -> u64 {
    1u64.checked_shl(u32::from(slot)).unwrap_or_default()
}

/// Which outcomes of its own a counted process still tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    None,
    /// Those of units in slots above so many.
    Above(u8),
    All,
}

/// What a counted process tells.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Noted<O> {
    Own(O),
    Tally(Tally),
}

/// A process whose reports are counted, if there is a counter.
pub struct Tallied<'q, P: Process> {
    process: P,
    counter: Option<&'q Counter<'q, P::Outcome>>,
    keeps: Keeps,
}

impl<'q, P: Process> Tallied<'q, P> {
    pub fn new(process: P, counter: &'q Counter<'q, P::Outcome>, keeps: Keeps) -> Self {
        Tallied { process, counter: Some(counter), keeps }
    }

    /// As it is.
    pub fn plain(process: P) -> Self {
        Tallied::beside(process, None)
    }

    /// With all outcomes of its own.
    pub fn beside(process: P, counter: Option<&'q Counter<'q, P::Outcome>>) -> Self {
        Tallied { process, counter, keeps: Keeps::All }
    }
}

/// A state of a counted process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stands<S> {
    state: S,
    /// What of the reports so far still counts.
    told: Tally,
}

impl<S> Stands<S> {
    /// Where nothing has been counted yet.
    pub fn of(state: S) -> Stands<S> {
        Stands { state, told: Tally::default() }
    }
}

impl<O> Counter<'_, O> {
    /// The tally of a state that waits for a report; each of its outcomes is handed on.
    fn tally<P: Process<Outcome = O>>(
        &self,
        process: &P,
        state: &Stands<P::State>,
        mut tell: impl FnMut(P::Outcome),
    ) -> Tally {
        let (mut tally, mut held) = (state.told, 0);
        process.report(&state.state, &mut |outcome| {
            self.add(&outcome, &mut tally, &mut held);
            tell(outcome);
        });
        Tally { held: state.told.held.max(held), ..tally }
    }
}

impl<P: Process> Process for Tallied<'_, P> {
    type State = Stands<P::State>;
    type Terms = P::Terms;
    type Reading = P::Reading;
    type Outcome = Noted<P::Outcome>;
    const BASE: Base = P::BASE;

    fn start<L: Log>(&self, log: &mut L) -> Self::State {
        Stands::of(self.process.start(log))
    }
    fn due(&self, state: &Self::State) -> Due<P::Terms> {
        self.process.due(&state.state)
    }
    fn epoch(&self, state: &Self::State) -> u32 {
        self.process.epoch(&state.state)
    }
    fn read(&self, terms: &P::Terms, face: Face) -> P::Reading {
        self.process.read(terms, face)
    }
    fn apply<L: Log>(&self, state: &mut Self::State, reading: P::Reading, log: &mut L) {
        self.process.apply(&mut state.state, reading, log);
    }
    fn choose<L: Log>(&self, state: &mut Self::State, option: usize, log: &mut L) {
        self.process.choose(&mut state.state, option, log);
    }
    fn followers(&self, state: &Self::State, options: usize) -> Vec<Self::State> {
        let after = |next| Stands { state: next, told: state.told };
        self.process.followers(&state.state, options).into_iter().map(after).collect()
    }
    fn report(&self, state: &Self::State, tell: &mut impl FnMut(Self::Outcome)) {
        let Some(counter) = self.counter else {
            return self.process.report(&state.state, &mut |outcome| tell(Noted::Own(outcome)));
        };
        let tally = counter.tally(&self.process, state, |outcome| {
            let is_kept = match self.keeps {
                Keeps::None => false,
                Keeps::Above(slot) => counter.question.slot(&outcome) > Some(slot),
                Keeps::All => true,
            };
            if is_kept {
                tell(Noted::Own(outcome));
            }
        });
        tell(Noted::Tally(counter.closed(tally)));
    }
    fn pass<L: Log>(&self, state: &mut Self::State, log: &mut L) {
        if let Some(counter) = self.counter {
            if counter.question.is_told_by_turns() {
                state.told = counter.tally(&self.process, state, drop);
            } else if counter.awaited > 0 {
                state.told.held = counter.tally(&self.process, state, drop).held;
            }
        }
        self.process.pass(&mut state.state, log);
    }
    fn describe(&self, state: &Self::State, terms: &P::Terms, face: Face) -> Event {
        self.process.describe(&state.state, terms, face)
    }
    fn turn(&self, state: &Self::State) -> Turn {
        self.process.turn(&state.state)
    }
    fn draw(&self, state: &mut Self::State, drawn: Drawn) {
        self.process.draw(&mut state.state, drawn);
    }
    fn called(&self, state: &mut Self::State, called: Called) {
        self.process.called(&mut state.state, called);
    }
    fn hear(&self, state: &mut Self::State, news: &Self::State) {
        self.process.hear(&mut state.state, &news.state);
    }
    fn births(&self, state: &Self::State) -> Births {
        self.process.births(&state.state)
    }
}

impl<P: Decisions> Decisions for Tallied<'_, P> {
    fn decision(&self, state: &Self::State) -> String {
        self.process.decision(&state.state)
    }

    fn options(&self, state: &Self::State) -> Vec<String> {
        self.process.options(&state.state)
    }

    fn kinds(&self, state: &Self::State) -> Vec<&'static str> {
        self.process.kinds(&state.state)
    }
}
