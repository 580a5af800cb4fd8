//! Counts of the units of a group in each class of statuses: how many hold, break, are lost.
//!
//! [`Tallied`] adds the counts to each report of a process as an outcome, for every engine.

use std::hash::Hash;

use super::countable::{Countable, CountedUnit};
use super::question_info::QuestionFacts;
use engine::process::{ExtendedState, Log, Process, Wrapper};
use schema::classes::{LOST, MOST_CLASSES};
use schema::{Group, Kind, UnitEnd};

/// Options for counting units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counting {
    /// The group; `None` means the first group of which the question has units.
    pub group: Option<&'static Group>,
    pub with_created: bool,
    /// A way to end that is counted too, beside the classes.
    pub end: Option<UnitEnd>,
    /// True if the request asks for counts. Otherwise they may be omitted when they are too big.
    pub is_requested: bool,
}

impl Counting {
    /// The counting of an answer whose request does not ask for counts.
    pub const IMPLICIT: Counting =
        Counting { group: None, with_created: false, end: None, is_requested: false };
}

/// The number of parts of a group in each class, at one report of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassCounts {
    /// The number of parts in each class, by the 0-based position of the class.
    pub classes: [u8; MOST_CLASSES],
    /// The number of parts that end in the further way that is counted.
    pub ending: u8,
    /// The most awaited units that held at once, at any report so far.
    pub held: u8,
}

impl ClassCounts {
    pub(super) fn with(mut self, other: ClassCounts) -> ClassCounts {
        for (sum, parts) in self.classes.iter_mut().zip(other.classes) {
            *sum = sum.saturating_add(parts);
        }
        let ending = self.ending.saturating_add(other.ending);
        ClassCounts { ending, held: self.held + other.held, ..self }
    }
}

/// Counts the units in outcomes. A trait object holds the question, so that engines compile once.
pub struct OutcomeCounter<'q, O> {
    pub(super) question: &'q dyn Countable<Outcome = O>,
    pub(super) kind: &'static Kind,
    /// The counted group.
    pub group: &'static Group,
    pub(super) with_created: bool,
    end: Option<UnitEnd>,
    pub(super) initial: Vec<CountedUnit>,
    /// Number of parts at the start.
    pub(super) whole: u8,
    /// Slots of awaited units (those that do not hold at the start), as bits.
    pub(super) awaited: u64,
}

impl<'q, O> OutcomeCounter<'q, O> {
    /// Creates a counter for a group, by default the first of which the question has units. Returns
    /// `None` if the kind has no group, or if the group has more than 255 parts.
    pub fn new(
        question: &'q dyn Countable<Outcome = O>,
        counting: Counting,
    ) -> Option<OutcomeCounter<'q, O>> {
        let QuestionFacts { kind, points, .. } = question.facts();
        let begins =
            |group: &&Group| question.counted_units(group).iter().any(|unit| unit.parts > 0);
        let group =
            counting.group.or_else(|| kind.groups.iter().find(begins)).or(kind.groups.first())?;
        let initial = question.counted_units(group);
        let whole =
            initial.iter().map(|unit| u16::from(unit.parts)).sum::<u16>().try_into().ok()?;
        let is_reported_by_phase = points.is_some_and(|points| points != "step");
        let waits = is_reported_by_phase && group.parts == 1;
        let awaited = initial
            .iter()
            .filter(|unit| waits && !unit.holds && unit.parts > 0)
            .fold(0, |slots, unit| slots | slot_bit(unit.slot));
        let Counting { with_created, end, .. } = counting;
        Some(OutcomeCounter { question, kind, group, with_created, end, initial, whole, awaited })
    }

    /// Stops tracking awaited units, so that counting adds no states to the process.
    pub fn without_waiting(self) -> Self {
        OutcomeCounter { awaited: 0, ..self }
    }

    /// Adds the units of an outcome to `tally`, and awaited units that hold to its `held`.
    pub(super) fn add_to(&self, outcome: &O, tally: &mut ClassCounts) {
        self.question.counted(self.group, self.end.as_ref(), outcome, &mut |unit| {
            if unit.created && !self.with_created {
                return;
            }
            let Some(class) = self.kind.class_of(unit.status) else { return };
            let parts = &mut tally.classes[class];
            *parts = parts.saturating_add(unit.parts);
            let is_status = |end: &UnitEnd| end.counter.is_none() && end.name == unit.status;
            if unit.ends_so || self.end.as_ref().is_some_and(is_status) {
                tally.ending = tally.ending.saturating_add(unit.parts);
            }
            tally.held += u8::from(class == 0 && self.awaited & slot_bit(unit.slot) != 0);
        });
    }

    /// Completes the counts at a report: parts of the start that are missing count as lost.
    pub(super) fn closed(&self, mut tally: ClassCounts) -> ClassCounts {
        let there: u8 = tally.classes.iter().fold(0, |sum, parts| sum.saturating_add(*parts));
        if let Some(lost) = self.kind.classes.iter().position(|class| class.name == LOST) {
            tally.classes[lost] += self.whole.saturating_sub(there);
        }
        tally
    }
}

/// Returns the bit of a slot, or 0 for slots above 63.
fn slot_bit(slot: u8) -> u64 {
    1u64.checked_shl(u32::from(slot)).unwrap_or_default()
}

/// The outcomes of the wrapped process that [`Tallied`] still reports beside the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    None,
    /// Outcomes of units in slots above this one.
    Above(u8),
    All,
}

/// An outcome of a counted process: one of the process itself, or the counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CountedReport<O> {
    Own(O),
    Tally(ClassCounts),
}

/// A process that also reports counts of its units, if there is a counter.
pub struct Tallied<'q, P: Process> {
    process: P,
    counter: Option<&'q OutcomeCounter<'q, P::Outcome>>,
    keeps: Keeps,
}

impl<'q, P: Process> Tallied<'q, P> {
    /// Creates a process that reports counts, and of its own outcomes those that `keeps` selects.
    pub fn new(process: P, counter: &'q OutcomeCounter<'q, P::Outcome>, keeps: Keeps) -> Self {
        Tallied { process, counter: Some(counter), keeps }
    }

    /// Creates a process that reports no counts.
    pub fn plain(process: P) -> Self {
        Tallied::counted_by(process, None)
    }

    /// Creates a process that keeps all its own outcomes, and reports counts if there is a counter.
    pub fn counted_by(process: P, counter: Option<&'q OutcomeCounter<'q, P::Outcome>>) -> Self {
        Tallied { process, counter, keeps: Keeps::All }
    }
}

/// A state of a counted process, with the counts of earlier reports that later counts build on.
pub type CountedState<S> = ExtendedState<S, ClassCounts>;

impl<O> OutcomeCounter<'_, O> {
    fn tally<P: Process<Outcome = O>>(
        &self,
        process: &P,
        state: &CountedState<P::State>,
        observe: &mut dyn FnMut(P::Outcome),
    ) -> ClassCounts {
        let mut tally = ClassCounts { held: 0, ..state.added };
        process.report(&state.inner, &mut |outcome| {
            self.add_to(&outcome, &mut tally);
            observe(outcome);
        });
        ClassCounts { held: state.added.held.max(tally.held), ..tally }
    }
}

impl<P: Process> Wrapper for Tallied<'_, P> {
    type Inner = P;
    type State = CountedState<P::State>;
    type Outcome = CountedReport<P::Outcome>;

    #[inline]
    fn process(&self) -> &P {
        &self.process
    }

    fn report(&self, state: &Self::State, observe: &mut dyn FnMut(Self::Outcome)) {
        let Some(counter) = self.counter else {
            return self
                .process
                .report(&state.inner, &mut |outcome| observe(CountedReport::Own(outcome)));
        };
        let tally = counter.tally(&self.process, state, &mut |outcome| {
            let is_kept = match self.keeps {
                Keeps::None => false,
                Keeps::Above(slot) => counter.question.slot(&outcome) > Some(slot),
                Keeps::All => true,
            };
            if is_kept {
                observe(CountedReport::Own(outcome));
            }
        });
        if !self.process.is_partial_report(&state.inner) {
            observe(CountedReport::Tally(counter.closed(tally)));
        }
    }

    fn pass<L: Log>(&self, state: &mut Self::State, log: &mut L) {
        if let Some(counter) = self.counter {
            let is_partial = self.process.is_partial_report(&state.inner);
            if is_partial || counter.question.is_reported_in_turns() {
                state.added = counter.tally(&self.process, state, &mut drop);
            } else if counter.awaited > 0 {
                state.added.held = counter.tally(&self.process, state, &mut drop).held;
            }
        }
        self.process.pass(&mut state.inner, log);
    }
}
