//! Certified best play: the exact value of every decision lies in its interval, however many states
//! are dropped.

use lowcrawl::asl::campaign::Campaign;
use lowcrawl::course::campaign::gain;
use lowcrawl::engine::EngineError;
use lowcrawl::engine::solve::Solution;
use lowcrawl::play::Objective;
use lowcrawl::process::{Due, Process, Silent};

use super::lane::Fields;
use super::objective_of;
use super::random::{self, Rng};

/// The parts of the states of a campaign that are left; the last one keeps nearly all.
const PARTS: [usize; 5] = [50, 10, 4, 2, 1];

/// A number below every value and one above, for units of at most 100 points.
const RANGE: [f64; 2] = [-100.0, 100.0];

#[derive(Default)]
struct Checked {
    values: u32,
    /// The values with an error bound below 1e-6, and those that are not certain at all.
    narrow: u32,
    wide: u32,
}

/// Compares a campaign with its exact solution, with at most this number of states kept.
fn check(campaign: &Campaign, objective: &Objective, kept: usize, checked: &mut Checked) {
    let start = campaign.start(&mut Silent);
    let mut exact = Solution::new(campaign, gain(campaign, objective), usize::MAX);
    exact.worth(&start).unwrap();
    let mut certified = Solution::new(campaign, gain(campaign, objective), 2 * kept);
    // No value is so certain, so all states are tried, and the values stay.
    certified.certified_worth(&start, RANGE, 0.0).unwrap_err();
    let mut states = vec![start];
    let mut seen = 0;
    while let Some(state) = states.get(seen).cloned() {
        seen += 1;
        let (value, bound) = (certified.worth(&state).unwrap()[0], certified.error_bound(&state));
        let (bound, expected) = (bound.unwrap(), exact.worth(&state).unwrap()[0]);
        assert!((value - expected).abs() <= bound, "{value} +- {bound}, not {expected}");
        checked.values += 1;
        checked.narrow += u32::from(bound < 1e-6);
        checked.wide += u32::from(bound >= 100.0);
        if seen < 40 {
            states.extend(followers(campaign, &state));
        }
    }
}

fn followers<P: Process>(process: &P, state: &P::State) -> Vec<P::State> {
    match process.due(state) {
        Due::Choice { options, .. } => process.followers(state, options).into_iter().collect(),
        Due::Roll(dice, terms) => lowcrawl::engine::roll_classes(process, dice, &terms)
            .into_iter()
            .map(|(reading, _)| {
                let mut next = state.clone();
                process.apply(&mut next, reading, &mut Silent);
                next
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_value_lies_in_its_interval() {
    let mut checked: [Checked; 5] = Default::default();
    for seed in 0..60 {
        let lane = random::fields(&mut Rng::new(seed), random::ALL, 3).lane().unwrap();
        let (campaign, objective) = (lane.campaign(), objective_of(seed));
        let mut exact = Solution::new(&campaign, gain(&campaign, &objective), usize::MAX);
        exact.worth(&campaign.start(&mut Silent)).unwrap();
        for (part, checked) in PARTS.iter().zip(&mut checked) {
            check(&campaign, &objective, exact.states / part + 1, checked);
        }
    }
    for (part, Checked { values, narrow, wide }) in PARTS.iter().zip(&checked) {
        println!("1/{part} of the states: {values} values, {narrow} within 1e-6, {wide} unknown");
    }
    assert!(checked[0].wide > 0 && checked[0].narrow < checked[4].narrow);
    assert_eq!(checked[4].narrow, checked[4].values);
}

/// The value is refused if it is not certain enough, as without the certified try.
#[test]
fn value_that_is_not_certain_enough_is_refused() {
    let lane = Fields::from_unit("german:4-6-7/broken,dm").and("begin=fire; turns=3").lane();
    let (campaign, objective) = (lane.unwrap().campaign(), objective_of(0));
    let start = campaign.start(&mut Silent);
    let mut solution = Solution::new(&campaign, gain(&campaign, &objective), 40);
    assert_eq!(
        solution.certified_worth(&start, RANGE, 1e-6),
        Err(EngineError::TooManyStates { bound: 40 })
    );
}
