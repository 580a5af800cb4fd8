//! Outcomes of simulations, which checkpoints store as the dice that led to them.

use std::hash::Hash;
use std::ops::AddAssign;

use super::histogram::Histogram;
use super::monitor::{Checkpoint, Monitor};
use super::settle;
use crate::process::{Process, ReportIndex, Silent};

/// The count of an outcome. For checkpoints also the index of the outcome within one sequence that
/// noted it, and the codes (rolls numbered from 0) that led there.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    pub count: u64,
    pub place: u32,
    pub codes: Vec<u8>,
}

impl AddAssign for Drawn {
    fn add_assign(&mut self, other: Drawn) {
        let count = self.count + other.count;
        if self.count == 0 {
            *self = other;
        }
        self.count = count;
    }
}

pub(super) fn counted<O: Ord + Hash>(sequences: u64, tally: &Histogram<O, Drawn>) -> Checkpoint {
    (
        sequences,
        Vec::new(),
        tally.pieces().map(|(_, drawn)| (drawn.count, drawn.place, drawn.codes.clone())).collect(),
    )
}

/// Restores the number of sequences and the counts of a checkpoint, by replaying its dice. Returns
/// `None` without a checkpoint, or if some dice lead to no outcome.
pub(super) fn counted_before<'a, P: Process>(
    process: &P,
    before: Option<Checkpoint>,
    watch: Monitor<'a>,
) -> Option<(u64, Histogram<'a, P::Outcome, Drawn>)> {
    let (sequences, _, drawn) = before?;
    let mut tally = Histogram::watched(watch);
    for (count, place, codes) in drawn {
        let (point, outcome) = outcome_of(process, place, &codes)?;
        *tally.entry(point, outcome) += Drawn { count, place, codes };
        tally.tidy().ok()?;
    }
    Some((sequences, tally))
}

fn outcome_of<P: Process>(
    process: &P,
    place: u32,
    codes: &[u8],
) -> Option<(ReportIndex, P::Outcome)> {
    let (mut state, mut left, mut observation) = (process.start(&mut Silent), place, None);
    let mut codes = codes.iter().filter(|code| **code < P::BASE.codes());
    loop {
        let note = |point, outcome| match left.checked_sub(1) {
            Some(fewer) => left = fewer,
            None => drop(observation.get_or_insert((point, outcome))),
        };
        let due = settle(process, &mut state, &mut Silent, note).ok()?;
        let (Some((dice, terms)), Some(code)) = (due, codes.next()) else { return observation };
        process.apply(&mut state, process.read(&terms, dice.face_of_code(*code)), &mut Silent);
    }
}
