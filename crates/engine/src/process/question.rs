//! Questions: a process, or several that together report every outcome, with words for outcomes.

use std::borrow::Cow;
use std::fmt;

use super::{Process, ReportIndex};

/// A noted outcome in words: the columns of a row in the result table, without the odds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// The 1-based slot of the unit: its place in the list of units, of both sides if there are two.
    pub slot: Option<u8>,
    /// The side of the unit, in questions about two sides.
    pub side: Option<Cow<'static, str>>,
    /// The 1-based slot of the unit among those of its side, in questions about two sides.
    pub side_slot: Option<u8>,
    /// The name of the Location in which the unit ends, in questions about a path.
    pub location: Option<String>,
    /// Where the unit is at the report, such as `away`, in questions in which units leave.
    pub place: Option<&'static str>,
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
    /// The effective attacks of a Sniper in an outcome of all units together, if it has them.
    pub sniper: Option<u8>,
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

    /// Builds the label of a joint outcome of all units of two sides. `side_of` returns the side of
    /// a slot and its number there.
    pub fn of_sides(
        mut ends: Vec<UnitEnding>,
        side_of: impl Fn(u8) -> (&'static str, u8),
    ) -> Label {
        let first = ends.first().map(|end| side_of(end.slot).0).unwrap_or_default();
        ends.sort_by_key(|end| side_of(end.slot).0 != first);
        let (mut words, mut before) = (Vec::new(), "");
        for end in &ends {
            let (side, slot) = side_of(end.slot);
            let end = UnitEnding { slot, ..end.clone() };
            words.push(if side == before { end.to_string() } else { format!("{side} {end}") });
            before = side;
        }
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
    /// The whole process, for the outcomes that no small process reports; `None` without any. Its
    /// reports are never partial.
    pub rest: Option<P>,
}

impl<P> Parts<P> {
    /// Wraps the whole process, without any small one.
    pub fn whole(process: P) -> Parts<P> {
        Parts { processes: Vec::new(), rest: Some(process) }
    }

    /// Returns true if no small process reports anything.
    pub fn is_whole(&self) -> bool {
        self.processes.is_empty()
    }

    /// Returns all processes, `rest` last.
    pub fn all(self) -> impl Iterator<Item = P> {
        self.processes.into_iter().chain(self.rest)
    }
}

/// The state type of a question's process.
pub type StateOf<Q> = <<Q as Question>::Process as Process>::State;

/// The outcome type of a question's process.
pub type OutcomeOf<Q> = <<Q as Question>::Process as Process>::Outcome;

/// A question that can be answered: its processes, and the words for their outcomes.
pub trait Question: Sync {
    type Process: Process;

    /// Returns the whole question as one process.
    fn whole(&self) -> Self::Process;
    /// Returns the whole question as one process with as few states as it can have: it may report
    /// in parts (see [`Process::is_partial_report`]).
    fn compact(&self) -> Self::Process {
        self.whole()
    }
    /// Returns smaller processes that together give the odds of the whole; by default one.
    fn parts(&self) -> Parts<Self::Process> {
        Parts::whole(self.whole())
    }
    /// Describes an outcome noted at report `point`.
    fn label(&self, point: ReportIndex, outcome: &OutcomeOf<Self>) -> Label;
}
