//! Histograms of outcomes unknown in advance: sorted, bounded and cancellable.

use std::hash::Hash;
use std::ops::AddAssign;

use rustc_hash::FxHashMap;

use super::EngineError;
use super::monitor::Monitor;
use crate::process::ReportIndex;

/// The largest number of distinct outcomes of an answer. As rows of a table they take 512 MiB.
pub const OUTCOMES: usize = 1 << 16;

/// The number of unsorted outcomes at which they are sorted, which takes some milliseconds.
const FRESH: usize = 1 << 14;

const CHECK_INTERVAL: usize = 1 << 12;

pub(super) type Observation<O, N> = ((ReportIndex, O), N);

/// A histogram of outcomes: unsorted new counts, and sorted pieces that are merged as they grow.
pub(super) struct Histogram<'a, O, N> {
    watch: Monitor<'a>,
    fresh: FxHashMap<(ReportIndex, O), N>,
    /// Sorted pieces, each at least twice as long as the next, so that outcomes are rarely moved.
    pieces: Vec<Vec<Observation<O, N>>>,
}

impl<'a, O: Ord + Hash, N: AddAssign + Default> Histogram<'a, O, N> {
    pub fn watched(watch: Monitor<'a>) -> Histogram<'a, O, N> {
        Histogram { watch, fresh: FxHashMap::default(), pieces: Vec::new() }
    }

    #[inline]
    pub fn add(&mut self, point: ReportIndex, outcome: O, more: N) {
        *self.entry(point, outcome) += more;
    }

    /// Returns the unsorted count of an outcome, to be changed.
    #[inline]
    pub fn entry(&mut self, point: ReportIndex, outcome: O) -> &mut N {
        self.fresh.entry((point, outcome)).or_default()
    }

    /// Returns all sorted entries, piece by piece. An outcome may occur in several pieces.
    pub fn pieces(&self) -> impl Iterator<Item = &Observation<O, N>> {
        self.pieces.iter().flatten()
    }

    /// Sorts the unsorted counts if there are many. Callers do this regularly to bound memory.
    #[inline]
    pub fn tidy(&mut self) -> Result<(), EngineError> {
        if self.fresh.len() < FRESH { Ok(()) } else { self.sort() }
    }

    fn sort(&mut self) -> Result<(), EngineError> {
        let mut piece: Vec<Observation<O, N>> = self.fresh.drain().collect();
        piece.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        while let Some(last) = self.pieces.pop_if(|last| last.len() < 2 * piece.len()) {
            piece = joined(last, piece, self.watch)?;
        }
        self.pieces.push(piece);
        Ok(())
    }

    pub fn merged(self, other: Self) -> Result<Self, EngineError> {
        let watch = self.watch;
        let all = joined(self.sorted()?, other.sorted()?, watch)?;
        Ok(Histogram { pieces: vec![all], ..Histogram::watched(watch) })
    }

    pub fn sorted(mut self) -> Result<Vec<Observation<O, N>>, EngineError> {
        self.sort()?;
        let mut all = Vec::new();
        while let Some(piece) = self.pieces.pop() {
            all = joined(all, piece, self.watch)?;
        }
        Ok(all)
    }
}

/// Merges two sorted pieces, adding equal outcomes. Fails beyond `OUTCOMES` outcomes.
fn joined<O: Ord, N: AddAssign>(
    left: Vec<Observation<O, N>>,
    right: Vec<Observation<O, N>>,
    watch: Monitor,
) -> Result<Vec<Observation<O, N>>, EngineError> {
    let mut all = Vec::with_capacity(left.len().max(right.len()));
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let Some(from) = match (left.peek(), right.peek()) {
        (Some((a, _)), Some((b, _))) if b < a => right.next(),
        (None, _) => right.next(),
        _ => left.next(),
    } {
        if all.len() % CHECK_INTERVAL == 0 {
            watch.check_cancelled()?;
        }
        match all.last_mut() {
            Some((noted, count)) if *noted == from.0 => *count += from.1,
            _ => all.push(from),
        }
    }
    if all.len() > OUTCOMES {
        Err(EngineError::TooManyOutcomes { bound: OUTCOMES })
    } else {
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn draws(kinds: u64) -> impl Iterator<Item = (ReportIndex, u64)> {
        (0..300_000u64).map(move |draw| {
            ((draw % 3) as ReportIndex, draw.wrapping_mul(0x9e37_79b9_7f4a_7c15) % kinds)
        })
    }

    #[test]
    fn merged_counts_are_sorted() {
        for kinds in [1, 100, 20_000] {
            let mut expected: BTreeMap<(ReportIndex, u64), u64> = BTreeMap::new();
            let mut tallies = [(); 3].map(|()| Histogram::watched(Monitor::NONE));
            for (number, (point, outcome)) in draws(kinds).enumerate() {
                *expected.entry((point, outcome)).or_default() += 1;
                let tally = &mut tallies[number % 5 % 3];
                tally.add(point, outcome, 1u64);
                tally.tidy().unwrap();
            }
            let [a, b, c] = tallies;
            let merged = a.merged(b).unwrap().merged(c).unwrap();
            assert_eq!(
                merged.sorted().unwrap(),
                expected.into_iter().collect::<Vec<_>>(),
                "{kinds}"
            );
        }
    }

    #[test]
    fn too_many_outcomes_are_refused() {
        let counted = |most: usize| {
            let mut tally = Histogram::watched(Monitor::NONE);
            for outcome in 0..most {
                tally.add(0, outcome, 1u64);
                tally.tidy()?;
            }
            tally.sorted().map(|all| all.len())
        };
        assert_eq!(counted(OUTCOMES), Ok(OUTCOMES));
        assert_eq!(counted(OUTCOMES + 1), Err(EngineError::TooManyOutcomes { bound: OUTCOMES }));
        assert_eq!(
            counted(OUTCOMES + FRESH),
            Err(EngineError::TooManyOutcomes { bound: OUTCOMES })
        );
    }

    #[test]
    fn sorting_can_be_cancelled() {
        let flag = AtomicBool::new(false);
        let mut tally = Histogram::watched(Monitor::stopped_by(&flag));
        draws(u64::MAX).for_each(|(point, outcome)| tally.add(point, outcome, 1u64));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(tally.sorted(), Err(EngineError::Interrupted));
    }
}
