//! Histograms of outcomes unknown in advance: bounded and cancellable.

use std::hash::Hash;
use std::ops::AddAssign;

use rustc_hash::FxHashMap;

use super::EngineError;
use super::monitor::Monitor;
use super::order::sort_by;
use crate::process::ReportIndex;

/// The largest number of distinct outcomes of an answer. As rows of a table they take 512 MiB.
pub const OUTCOMES: usize = 1 << 16;

pub(super) type Observation<O, N> = ((ReportIndex, O), N);

pub(super) struct Histogram<'a, O, N> {
    watch: Monitor<'a>,
    pub counts: FxHashMap<(ReportIndex, O), N>,
}

impl<'a, O: Ord + Hash, N: AddAssign + Default> Histogram<'a, O, N> {
    pub fn watched(watch: Monitor<'a>) -> Histogram<'a, O, N> {
        Histogram { watch, counts: FxHashMap::default() }
    }

    #[inline]
    pub fn add(&mut self, point: ReportIndex, outcome: O, more: N) {
        *self.entry(point, outcome) += more;
    }

    #[inline]
    pub fn entry(&mut self, point: ReportIndex, outcome: O) -> &mut N {
        self.counts.entry((point, outcome)).or_default()
    }

    /// Fails beyond [`OUTCOMES`] outcomes. Callers check this regularly to bound memory.
    #[inline]
    pub fn check(&self) -> Result<(), EngineError> {
        match self.counts.len() <= OUTCOMES {
            true => Ok(()),
            false => Err(EngineError::TooManyOutcomes { bound: OUTCOMES }),
        }
    }

    pub fn merged(mut self, other: Self) -> Result<Self, EngineError> {
        self.watch.check_cancelled()?;
        for ((point, outcome), more) in other.counts {
            self.add(point, outcome, more);
        }
        self.check().map(|()| self)
    }

    pub fn sorted(self) -> Result<Vec<Observation<O, N>>, EngineError> {
        self.watch.check_cancelled()?;
        self.check()?;
        let mut all: Vec<_> = self.counts.into_iter().collect();
        sort_by(&mut all, |(a, _), (b, _)| a.cmp(b));
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
                tally.check().unwrap();
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
                tally.check()?;
            }
            tally.sorted().map(|all| all.len())
        };
        assert_eq!(counted(OUTCOMES), Ok(OUTCOMES));
        assert_eq!(counted(OUTCOMES + 1), Err(EngineError::TooManyOutcomes { bound: OUTCOMES }));
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
