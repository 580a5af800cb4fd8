//! Tests of the rout on the engines (10.51 - 10.53).
//! Simulated outcomes agree with the exact odds, and a table of transitions with its rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::board;
use crate::campaign::lane::Fields;
use crate::fit::chi_squared;
use crate::wrappers::assert_alike_in_every_wrapper;
use lowcrawl::asl::rout::{PhaseState, Rout, RoutOutcome, RoutPhase};
use lowcrawl::course::phase::{BestPlay, in_order};
use lowcrawl::course::rout::{best_play, prospect};
use lowcrawl::engine::exact::Chance;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::process::{Process, ReportIndex, WithPolicy};

const TRIALS: u64 = 200_000;

/// Plays a process by its table and directly by its rules, and compares both with its odds at every
/// point.
fn compare<P: Process<Outcome = RoutOutcome>>(
    what: &str,
    process: &P,
    exact: &[Chance<RoutOutcome>],
) {
    let simulator = Simulator::new(process, Monitor::NONE).unwrap();
    let few = Plan::new(20_000, 11);
    assert_eq!(
        simulator.run(&few).unwrap(),
        Simulator::Rules(process).run(&few).unwrap(),
        "{what}"
    );
    let counts = simulator.run(&Plan::new(TRIALS, 5)).unwrap().counts;
    let counted: BTreeMap<(ReportIndex, &RoutOutcome), u64> =
        counts.iter().map(|(point, outcome, count)| ((*point, outcome), *count)).collect();
    let points: std::collections::BTreeSet<ReportIndex> =
        exact.iter().map(|chance| chance.point).collect();
    for point in points {
        let here = || exact.iter().filter(|chance| chance.point == point);
        let observed: Vec<u64> = here()
            .map(|chance| counted.get(&(point, &chance.outcome)).copied().unwrap_or(0))
            .collect();
        assert_eq!(observed.iter().sum::<u64>(), TRIALS, "{what}: something happens that cannot");
        let expected: Vec<f64> = here().map(|chance| chance.probability).collect();
        if expected.len() > 1 {
            let test = chi_squared(&observed, &expected).unwrap();
            assert!(test.p_value > 1e-5, "{what}, point {point}: {test:?}");
        }
    }
}

/// Wrappers of a rout and of a campaign of two Player Turns change no odds.
#[test]
fn wrappers_of_routs_change_no_odds() {
    let situation = board::full();
    for router in &situation.routers {
        let rout = Arc::new(Rout::new(&situation, router));
        assert_alike_in_every_wrapper(&rout, &router.name);
    }
    let campaign = Fields::from_unit("german:4-6-7/dm").with("turns", 2).with("fp", 4).campaign();
    assert_alike_in_every_wrapper(&Arc::new(campaign), "a campaign");
}

/// Every plan on the whole board that involves dice agrees with its odds.
#[test]
fn simulated_plans_agree_with_their_odds() {
    let situation = board::full();
    let mut compared = 0;
    for router in &situation.routers {
        let rout = Rout::new(&situation, router);
        for course in prospect(&situation, router, Monitor::NONE)
            .unwrap()
            .courses
            .iter()
            .filter(|course| course.odds.chances.len() > 1)
        {
            let process = best_play(&rout, course.plan, course.shortest, Monitor::NONE).unwrap();
            compare(&format!("{} {:?}", router.name, course.plan), &process, &course.odds.chances);
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

/// A Rout Phase of several units, one of which finds a concealed enemy, agrees with its odds
/// (10.533).
#[test]
fn simulated_phase_agrees_with_its_odds() {
    let mut situation = board::full();
    situation.enemy_reveals = true;
    let order = [3, 4, 7, 8];
    let exact = in_order(&situation, &order, Monitor::NONE).unwrap().unwrap();
    let chances: Vec<Chance<RoutOutcome>> = exact.odds.concat();
    assert!(exact.odds.iter().filter(|odds| odds.len() > 1).count() >= 1);
    let play = BestPlay::default();
    let phase = RoutPhase::new(&situation, order.to_vec()).unwrap();
    let process = WithPolicy::new(phase, |phase: &RoutPhase, state: &PhaseState, _, _| {
        play.option(phase, state)
    });
    compare("phase", &process, &chances);
}
