//! Outcomes of simulations, which checkpoints store as the dice that led to them.

use std::hash::Hash;
use std::ops::AddAssign;

use super::histogram::Histogram;
use super::monitor::{Checkpoint, DrawnOutcome, Monitor};
use super::settle;
use crate::process::{Process, ReportIndex, Silent};

impl AddAssign for DrawnOutcome {
    fn add_assign(&mut self, other: DrawnOutcome) {
        let count = self.count + other.count;
        if self.count == 0 {
            *self = other;
        }
        self.count = count;
    }
}

pub(super) fn counted<O: Ord + Hash>(
    sequences: u64,
    tally: &Histogram<O, DrawnOutcome>,
) -> Checkpoint {
    let drawn = tally.counts.values().cloned().collect();
    Checkpoint { sequences, by_landing: Vec::new(), drawn }
}

/// Replays the dice of a checkpoint to its counts; `None` without one, or if dice give no outcome.
pub(super) fn counted_before<'a, P: Process>(
    process: &P,
    before: Option<Checkpoint>,
    watch: Monitor<'a>,
) -> Option<(u64, Histogram<'a, P::Outcome, DrawnOutcome>)> {
    let Checkpoint { sequences, drawn, .. } = before?;
    let mut tally = Histogram::watched(watch);
    for drawn in drawn {
        let (point, outcome) = outcome_of(process, &drawn)?;
        tally.add(point, outcome, drawn);
        tally.check().ok()?;
    }
    Some((sequences, tally))
}

fn outcome_of<P: Process>(process: &P, drawn: &DrawnOutcome) -> Option<(ReportIndex, P::Outcome)> {
    let (mut state, mut left, mut observation) = (process.start(&mut Silent), drawn.place, None);
    let mut codes = drawn.codes.iter().filter(|code| **code < P::BASE.codes());
    loop {
        let note = |point, outcome| match left.checked_sub(1) {
            Some(fewer) => left = fewer,
            None => drop(observation.get_or_insert((point, outcome))),
        };
        let due = settle(process, &mut state, note).ok()?;
        let (Some((dice, terms)), Some(code)) = (due, codes.next()) else { return observation };
        process.apply(&mut state, process.read(&terms, dice.face_of_code(*code)), &mut Silent);
    }
}
