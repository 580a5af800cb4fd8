//! Properties of all stacks: probabilities add up, equal units have equal odds, and advantages
//! raise the odds. If an advantage does not, a small example shows it, with the exact fractions and
//! the rule behind it.

mod adds_up;
mod exceptions;
mod improvements;
mod independence;
mod measures;
mod random;

use crate::random::case_factor;
use std::collections::BTreeMap;

use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::Question;
use lowcrawl::engine::exact::{self, Arithmetic, Bound, Fraction};
use lowcrawl::process::{Question as _, ReportIndex};
use proptest::prelude::ProptestConfig;

const BOUND: Bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };
const NONE: Fraction = Fraction { numerator: 0, denominator: 1 };
const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

/// Configures random cases, equal on every run. `LOWCRAWL_CASES` multiplies their number.
fn cases(cases: u32, seed: u64) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(seed);
    let config = ProptestConfig {
        cases: cases * case_factor() as u32,
        failure_persistence: None,
        rng_seed,
        ..ProptestConfig::default()
    };
    ProptestConfig { max_global_rejects: 1 << 20, ..config }
}

/// Returns the probabilities of all outcomes of a question, solved at once or factor by factor.
fn chances(question: &Question, parts: bool) -> Vec<(ReportIndex, Outcome, f64, Option<Fraction>)> {
    let processes = if parts { question.parts().all().collect() } else { vec![question.whole()] };
    let odds = processes.iter().flat_map(|process| {
        let odds = exact::odds(process, BOUND).unwrap();
        assert!(
            odds.arithmetic == Arithmetic::Integer
                || odds.chances.iter().all(|chance| chance.fraction.is_none())
        );
        odds.chances
    });
    odds.map(|chance| (chance.point, chance.outcome, chance.probability, chance.fraction)).collect()
}

/// A sum that is exact as long as all its terms are exact.
#[derive(Clone, Copy, Debug)]
struct Sum {
    fraction: Option<Fraction>,
    double: f64,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { fraction: Some(NONE), double: 0.0 }
    }
}

impl Sum {
    fn add(&mut self, probability: f64, fraction: Option<Fraction>) {
        self.double += probability;
        self.fraction =
            self.fraction.zip(fraction).and_then(|(sum, fraction)| sum.checked_add(fraction));
    }

    fn assert_eq(&self, other: &Sum, what: &str) {
        match (self.fraction, other.fraction) {
            (Some(one), Some(other)) => assert_eq!(one, other, "{what}"),
            _ => assert!(
                (self.double - other.double).abs() < 1e-12,
                "{what}: {} and {}",
                self.double,
                other.double
            ),
        }
    }
}

const CERTAIN: Sum = Sum { fraction: Some(ONE), double: 1.0 };

/// Sums the probabilities by point and by the key of an outcome.
fn sums<K: Ord>(
    chances: &[(ReportIndex, Outcome, f64, Option<Fraction>)],
    key: impl Fn(&Outcome) -> K,
) -> BTreeMap<(ReportIndex, K), Sum> {
    let mut sums: BTreeMap<(ReportIndex, K), Sum> = BTreeMap::new();
    for (point, outcome, probability, fraction) in chances {
        sums.entry((*point, key(outcome))).or_default().add(*probability, *fraction);
    }
    sums
}

fn slot(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Unit(unit) => usize::from(unit.slot),
        Outcome::Stack { .. } | Outcome::Calls(_) => 0,
    }
}
