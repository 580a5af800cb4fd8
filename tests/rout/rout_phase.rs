//! Tests of the Rout Phase, in which several units rout one after another (10.5).
//! Each changes the situation of the next.
#![cfg(feature = "cli")]

use lowcrawl::asl::rout::{RoutEnd, RoutOutcome, RoutPhase, RoutRules, Situation};
use lowcrawl::asl::unit::Status;
use lowcrawl::course::phase::{all_orders, in_order};
use lowcrawl::course::rout::prospect;
use lowcrawl::engine::exact::Chance;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::process::{Process as _, Silent};
use lowcrawl::scenario::{SituationError, read};
use lowcrawl::schema::{RawValue, Settable as _};

/// Parses a situation with `woods`, a building in K5, open ground elsewhere, and `rest`.
fn situation(rest: &str, woods: &[&str], switches: &[&str]) -> Situation {
    let text = format!(
        "elr = 3\n{rest}\n[map]\narea = \"H1-N8\"\n[map.hexes]\nwoods = {woods:?}\n[[map.building]]\nhexes = [\"K5\"]\n"
    );
    let over = |rules: &mut RoutRules| {
        rules.set("no-hob", RawValue::Boolean(true))?;
        switches.iter().try_for_each(|id| rules.set(id, RawValue::Text("alternative")))
    };
    read(&text, &over, &|_| unreachable!()).unwrap_or_else(|error| panic!("{error:?}")).situation
}

/// A file of four squads that an enemy in K6 drives out of K5.
const FOUR: &str = "rout = [{ unit = \"german:4-6-7/broken,dm\", at = [\"K5\", \"K5\", \"K5\", \"K5\"] }]\nenemy = [{ unit = \"american:6-6-6\", at = \"K6\" }]";

/// Returns the hexes in which the units of a phase without dice end.
fn ends(situation: &Situation, order: &[usize]) -> Vec<String> {
    let phase = in_order(situation, order, Monitor::NONE).unwrap().unwrap();
    let end = |odds: &Vec<Chance<RoutOutcome>>| {
        assert_eq!(odds.len(), 1, "{odds:?}");
        situation.map.location_name(odds[0].outcome.at)
    };
    phase.odds.iter().map(end).collect()
}

/// 5.1, 5.11, 10.51: K3 holds three squads.
/// The fourth would overstack it for 1 MF more, so that I4 is as near. The Starter Kit bars it from
/// K3.
#[test]
fn fourth_squad_goes_elsewhere_when_room_runs_out() {
    for switches in [&[][..], &["sk-5.1"]] {
        let situation = situation(FOUR, &["K3", "I4"], switches);
        assert_eq!(ends(&situation, &[0, 1, 2, 3]), ["K3", "K3", "K3", "I4"]);
        assert_eq!(ends(&situation, &[3, 0, 1, 2]), ["K3", "K3", "K3", "I4"]);
    }
    let alone = situation(FOUR, &["K3", "I4"], &["sk-5.1"]);
    for router in &alone.routers {
        let found = prospect(&alone, router, Monitor::NONE).unwrap();
        assert_eq!(alone.map.location_name(found.courses[0].plan.end().unwrap()), "K3");
    }
}

/// 5.1: two half-squads find room where one squad does, so they should go first.
#[test]
fn half_squads_first_bring_more_units_into_cover() {
    let file = "rout = [{ unit = \"german:4-6-7/broken,dm\", at = \"K5\" }, { unit = \"german:2-4-7/broken,dm\", at = [\"K5\", \"K5\"] }]\n\
        friend = [{ unit = \"german:4-6-7\", at = [\"K3\", \"K3\"] }]\nenemy = [{ unit = \"american:6-6-6\", at = \"K6\" }]";
    let situation = situation(file, &["K3"], &["sk-5.1"]);
    let orders = all_orders(&situation, Monitor::NONE).unwrap();
    assert_eq!(orders.len(), 6);
    assert!(
        orders.iter().all(|order| order.in_cover() == if order.order[0] == 0 { 1.0 } else { 2.0 })
    );
    assert_eq!((orders[0].order[0], orders[5].order[0]), (1, 0));
    assert!(orders.iter().all(|order| order.survivors() == 3.0));
}

/// A file with a concealed enemy in the only cover.
/// An enemy in K5 rules out a Low Crawl from there.
const AMBUSH: &str = "no-quarter = true\nrout = [{ unit = \"german:4-6-7/broken,dm\", at = [\"K5\", \"K5\"] }]\n\
    enemy = [{ unit = \"american:6-6-6\", at = \"K6\" }, { unit = \"american:6-6-6/broken\", at = \"K5\" }, { unit = \"american:6-6-6\", at = \"K3\", concealed = true }]";

/// 10.533: the first squad may run into the concealed enemy, and is then lost beside it.
/// If it does, the second squad knows that enemy.
#[test]
fn concealed_enemy_is_met_once() {
    let situation = situation(AMBUSH, &["K3"], &[]);
    let phase = in_order(&situation, &[0, 1], Monitor::NONE).unwrap().unwrap();
    let thrown_back = |odds: &[Chance<RoutOutcome>]| {
        let repulses = odds.iter().filter(|chance| chance.outcome.end == RoutEnd::Repulsed);
        repulses
            .inspect(|chance| assert!(chance.outcome.failed))
            .map(|chance| chance.probability)
            .sum::<f64>()
    };
    let [first, second] = [0, 1].map(|turn| thrown_back(&phase.odds[turn]));
    assert!(first > 0.0);
    // The second squad meets the enemy exactly if the first has not met it.
    assert!((second - first * (1.0 - first)).abs() < 1e-12, "{first} {second}");
}

/// I-17: a squad that cannot leave K5 is lost, and its room is free at once.
/// Then K5 is the nearest cover of the squad in K3, which would rather stay. By the alternative
/// that squad would overstack K5, and the woods in I1 are as near.
#[test]
fn lost_unit_frees_its_room_by_default() {
    let file = "no-quarter = true\nrout = [{ unit = \"german:4-6-7/broken,dm\", at = [\"K5\", \"K3\"] }]\n\
        friend = [{ unit = \"german:4-6-7\", at = [\"K5\", \"K5\"] }]\n\
        enemy = [{ unit = \"american:6-6-6/cx\", at = [\"K6\", \"J5\", \"L5\", \"L3\"] }]\n\
        los = { others = \"blocked\", K5-K6 = 0, K5-J5 = 0, K5-L5 = 0, K5-L3 = 0, J4-J5 = 0, L4-L5 = 0, K4-L3 = 0 }";
    let way_to_cover = |switches: &[&str]| {
        let situation = situation(file, &["I1"], switches);
        let phase = in_order(&situation, &[0, 1], Monitor::NONE).unwrap().unwrap();
        assert!(phase.odds[0][0].outcome.failed && phase.odds[0].len() == 1);
        let [only] = &phase.odds[1][..] else { panic!("{:?}", phase.odds[1]) };
        (situation.map.location_name(only.outcome.at), f64::from(only.outcome.mf) / 2.0)
    };
    assert_eq!(way_to_cover(&["i17"]), ("I1".to_string(), 4.0));
    assert_eq!(way_to_cover(&[]), ("K3".to_string(), 0.0));
}

/// 10.5: units too far apart to affect each other rout as if alone, in any order.
/// A phase of one unit is its best play.
#[test]
fn distant_units_rout_as_if_alone() {
    let file = "rout = [{ unit = \"german:4-6-7/broken,dm\", at = [\"K5\", \"M4\"] }]\nenemy = [{ unit = \"american:6-6-6\", at = [\"K6\", \"M5\"] }]";
    let situation = situation(file, &["K3", "I4"], &[]);
    let [ab, ba] =
        [[0, 1], [1, 0]].map(|order| in_order(&situation, &order, Monitor::NONE).unwrap().unwrap());
    let odds = |odds: &[Chance<RoutOutcome>]| {
        let end = |chance: &Chance<RoutOutcome>| {
            let mut outcome = chance.outcome.clone();
            // The place of the unit in the order is left out of the comparison.
            outcome.unit.slot = 1;
            (outcome, chance.probability)
        };
        odds.iter().map(end).collect::<Vec<_>>()
    };
    assert_eq!(odds(&ab.odds[0]), odds(&ba.odds[1]));
    assert_eq!(odds(&ab.odds[1]), odds(&ba.odds[0]));
    for (unit, router) in situation.routers.iter().enumerate() {
        let found = prospect(&situation, router, Monitor::NONE).unwrap();
        let best = found.first_actions[0].1;
        let alone = in_order(&situation, &[unit], Monitor::NONE).unwrap().unwrap();
        assert!(
            (alone.survivors() - best[0]).abs() < 1e-12
                && (alone.in_cover() - best[1]).abs() < 1e-12
        );
    }
}

/// 19.12: Disrupted units beside an enemy surrender before any other unit routs.
#[test]
fn disrupted_units_surrender_first() {
    let file = "rout = [{ unit = \"german:4-6-7/broken,dm\", at = \"K5\" }, { unit = \"german:4-6-7/broken,disrupted\", at = \"K5\" }]\nenemy = [{ unit = \"american:6-6-6\", at = \"K6\" }]";
    let phase = in_order(&situation(file, &["K3"], &[]), &[0, 1], Monitor::NONE).unwrap().unwrap();
    assert_eq!(phase.order, [1, 0]);
    assert_eq!(phase.odds[0][0].outcome.unit.status, Status::Captured);
}

/// 10.41: an unbroken squad breaks of its own accord to get away, and is then under DM.
/// Out of the enemy's sight and reach it may not, nor in the Starter Kit.
#[test]
fn squad_breaks_voluntarily_only_within_reach_of_the_enemy() {
    let file = "rout = [{ unit = \"german:4-6-7/pinned\", at = \"K5\", voluntary-break = true }]\nenemy = [{ unit = \"american:6-6-6\", at = \"K6\" }]";
    let breaking = situation(file, &["K3"], &[]);
    assert_eq!(breaking.routers[0].member.to_string(), "german:4-6-7/broken,dm");
    assert_eq!(ends(&breaking, &[0]), ["K3"]);
    let fault = |text: &str, switches: &[(&str, &str)]| {
        let text = format!("{text}\n[map]\narea = \"H1-N8\"\n[[map.building]]\nhexes = [\"K5\"]\n");
        let over = |rules: &mut RoutRules| {
            switches.iter().try_for_each(|(id, value)| rules.set(id, RawValue::Text(value)))
        };
        match read(&text, &over, &|_| unreachable!()) {
            Err(SituationError::Fault(fault)) => fault.message,
            _ => "none".to_string(),
        }
    };
    let refused = "4-6-7 in K5 may not break voluntarily (A10.41)";
    assert_eq!(fault(file, &[]), "none");
    assert_eq!(fault(&file.replace("6-6-6", "6-6-6/broken"), &[]), refused);
    assert_eq!(fault(&file.replace("K6\" }", "N8\", concealed = true }"), &[]), refused);
    assert_eq!(fault(file, &[("sk-10.41", "alternative")]), refused);
    let broken = fault(&file.replace("pinned", "broken"), &[]);
    assert!(broken.contains("is already broken"), "{broken}");
}

/// 10.533: a concealed enemy in H5 lets a squad pass to the woods in I4.
/// If it is revealed before the rout begins, it bars the route to those woods.
#[test]
fn enemy_revealed_before_the_rout_bars_its_route() {
    let file = "rout = [{ unit = \"german:4-6-7/broken,dm\", at = \"K5\" }]\n\
        enemy = [{ unit = \"american:6-6-6\", at = \"K6\" }, { unit = \"american:6-6-6/cx\", at = \"H5\", concealed = true }]";
    let in_cover = |reveals: &str| {
        let situation = situation(&format!("{reveals}{file}"), &["I4"], &[]);
        let phase = in_order(&situation, &[0], Monitor::NONE).unwrap().unwrap();
        let known = RoutPhase::new(&situation, vec![0]).unwrap();
        (phase.in_cover(), known.start(&mut Silent).awaits_enemy())
    };
    assert_eq!(in_cover(""), (1.0, false));
    assert_eq!(in_cover("enemy-reveals = true\n"), (0.0, true));
}
