//! The value of the best play against the exact odds of its policy, and against dice.

use std::collections::HashMap;

use crate::fit::chi_squared;
use lowcrawl::course::campaign::worth;
use lowcrawl::engine::exact;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};

use super::random::{self, Rng};
use super::{BOUND, CLOSE, case_factor, objective_of, solved, under, value_of};

/// With its options fixed, the best play has the value that it reports.
#[test]
fn best_play_has_the_value_of_its_policy() {
    for seed in 0..200 * case_factor() {
        let rng = &mut Rng::new(seed);
        let (heated, stay) = (rng.percent(40), rng.percent(25));
        // Whole stacks that stay together have too many states.
        let fields = random::fields(rng, random::ALL, if stay { 2 } else { 3 });
        let fields = fields
            .with("hob", heated)
            .with("created-stay", stay)
            .with("enemy-holds-fire", rng.percent(30));
        let campaign = fields.campaign();
        let objective = objective_of(seed);
        let best = solved(&campaign, &objective);
        let played = value_of(
            &campaign,
            &objective,
            &under(&campaign, |state, _, _| best.solution.best(state)),
        );
        assert!(
            (best.value[0] - played).abs() <= CLOSE,
            "{} and {played}: {objective}, {fields:?}",
            best.value[0]
        );
    }
}

/// Simulated dice agree with the best play on the state of the unit at the end of each Player Turn,
/// and on its value.
#[test]
fn dice_agree_with_the_best_play() {
    for seed in 0..12 * case_factor() {
        let rng = &mut Rng::new(1000 + seed);
        let fields = random::fields(rng, random::ALL, if seed % 4 == 0 { 2 } else { 3 });
        let fields = fields.with("hob", seed % 2 == 0).with("created-stay", seed % 4 == 0);
        let campaign = fields.campaign();
        let objective = objective_of(seed);
        let best = solved(&campaign, &objective);
        let play = under(&campaign, |state, _, _| best.solution.best(state));
        let trials = 40_000;
        let run =
            Simulator::new(&play, Monitor::NONE).unwrap().run(&Plan::new(trials, seed)).unwrap();
        let mut counts: HashMap<_, u64> = run
            .counts
            .into_iter()
            .map(|(point, outcome, count)| ((point, outcome), count))
            .collect();
        let (mut mean, mut square) = (0.0, 0.0);
        for ((_, outcome), count) in &counts {
            let worth = worth(&campaign, &objective, outcome)[0];
            mean += worth * *count as f64 / trials as f64;
            square += worth * worth * *count as f64 / trials as f64;
        }
        let error = ((square - mean * mean).max(0.0) / trials as f64).sqrt();
        let off = (mean - best.value[0]).abs();
        assert!(
            off <= 5.0 * error + 1e-4,
            "{mean} instead of {}: {objective}, {fields:?}",
            best.value[0]
        );
        let mut by_turn: HashMap<u16, (Vec<u64>, Vec<f64>)> = HashMap::new();
        for chance in exact::odds(&play, BOUND).unwrap().chances {
            let (observed, expected) = by_turn.entry(chance.point).or_default();
            observed.push(counts.remove(&(chance.point, chance.outcome)).unwrap_or(0));
            expected.push(chance.probability);
        }
        assert!(counts.is_empty(), "impossible: {counts:?}: {fields:?}");
        for (turn, (observed, expected)) in by_turn {
            let fit = chi_squared(&observed, &expected).unwrap();
            assert!(fit.p_value > 1e-6, "Player Turn {turn}: {fit:?}: {fields:?}");
        }
    }
}
