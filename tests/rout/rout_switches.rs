//! Tests of rout switches that the random comparison does not reach, each in both positions.
//! They belong to 10.5 - 10.532 and 5.1.
#![cfg(feature = "cli")]

use lowcrawl::asl::rout::{RoutRules, Situation};
use lowcrawl::course::rout::{Prospect, prospect};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::scenario::read;
use lowcrawl::schema::{RawValue, Settable as _};

/// Parses a situation with a two-level building in K5, woods in K3 and I3, and open ground
/// elsewhere; `rest` is the rest of its file.
fn situation(rest: &str, switches: &[&str]) -> Situation {
    let text = format!(
        "{rest}\n[map]\narea = \"I3-M7\"\n[map.hexes]\nwoods = [\"K3\", \"I3\"]\n[[map.building]]\nhexes = [\"K5\"]\nupper-levels = 1\nstairways = [\"K5\"]\n"
    );
    let over = |rules: &mut RoutRules| {
        rules.set("no-hob", RawValue::Boolean(true))?;
        switches.iter().try_for_each(|id| rules.set(id, RawValue::Text("alternative")))
    };
    read(&text, &over, &|_| unreachable!()).unwrap_or_else(|error| panic!("{error:?}")).situation
}

fn answer(rest: &str, switches: &[&str]) -> (Situation, Prospect) {
    let situation = situation(rest, switches);
    let found = prospect(&situation, &situation.routers[0], Monitor::NONE).unwrap();
    (situation, found)
}

/// Returns the number of enemies that Interdict a unit which enters K4 from K5.
fn interdictors_of_k4(enemy: &str, switches: &[&str]) -> usize {
    let file = format!(
        "rout = [{{ unit = \"german:4-6-7/broken,dm\", at = \"K5\" }}]\nenemy = [{{ unit = \"american:6-6-6\", at = \"M6\"{enemy} }}]"
    );
    let (situation, found) = answer(&file, switches);
    let k4 = situation.map.parse_location("K4").unwrap();
    found.outlook.interdicted.iter().find(|(site, _)| *site == k4).map_or(0, |(_, by)| by.len())
}

/// 10.532: a TI unit Interdicts; by the alternative it may not fire.
#[test]
fn ti_unit_interdicts_by_default_only() {
    assert_eq!(interdictors_of_k4("", &[]), 1);
    assert_eq!(interdictors_of_k4(", ti = true", &[]), 1);
    assert_eq!(interdictors_of_k4(", ti = true", &["i22"]), 0);
}

/// 10.5: a unit whose weapon has malfunctioned stays armed by its own FP, and so forces a rout.
/// By the alternative it does not force the unit beside it to rout.
#[test]
fn unit_with_malfunctioned_weapon_forces_a_rout_by_default() {
    let file = "rout = [{ unit = \"german:4-6-7/broken\", at = \"K5\" }]\nenemy = [{ unit = \"american:6-6-6\", at = \"K6\", weapon = { fp = 4, range = 8, malfunctioned = true } }]";
    assert_eq!(answer(file, &[]).1.ruling.verdict.name(), "must");
    assert_eq!(answer(file, &["i31"]).1.ruling.verdict.name(), "cannot");
}

/// A file with three squads in K4, so that a fourth overstacks it.
const CROWD: &str = "rout = [{ unit = \"german:4-6-7/broken,dm\", at = \"K5\" }]\nfriend = [{ unit = \"german:4-6-7\", at = [\"K4\", \"K4\", \"K4\"] }]";

fn mf_to(name: &str, file: &str, switches: &[&str]) -> Option<f64> {
    let (situation, found) = answer(file, switches);
    let site = situation.map.parse_location(name).unwrap();
    let cover = found.outlook.choice.cover.iter().find(|cover| cover.location == site);
    cover.map(|cover| f64::from(cover.cost) / 2.0)
}

/// 5.11: to overstack K4 by a squad costs 1 MF more, so that the way round by L4 or J4 is as short.
/// By the alternative it costs nothing.
#[test]
fn overstacking_costs_1_mf_by_default() {
    let (situation, found) = answer(CROWD, &[]);
    let k4 = situation.map.parse_location("K4").unwrap();
    assert!(found.outlook.first_steps.contains(&k4));
    assert_eq!(mf_to("K3", CROWD, &[]), Some(4.0));
    assert_eq!(mf_to("K3", CROWD, &["i30"]), Some(3.0));
}

/// 5.1, 10.51: the Starter Kit bars full hexes, on the way and as destinations.
/// I-39: by the alternative they may be declared, and are still not entered.
#[test]
fn full_hexes_are_barred_in_the_starter_kit() {
    let (situation, found) = answer(CROWD, &["sk-5.1"]);
    let k4 = situation.map.parse_location("K4").unwrap();
    assert!(!found.outlook.first_steps.contains(&k4));
    let full_woods = CROWD.replace("K4", "K3");
    assert_eq!(mf_to("K3", &full_woods, &[]), Some(4.0));
    assert_eq!(mf_to("K3", &full_woods, &["sk-5.1"]), None);
    assert_eq!(mf_to("K3", &full_woods, &["sk-5.1", "i39"]), None);
}

/// 10.52: a unit Low Crawls to the next level of a stairwell.
/// In the second edition it Low Crawls to another hex only.
#[test]
fn low_crawl_uses_stairs_except_in_the_second_edition() {
    let file = "rout = [{ unit = \"german:4-6-7/broken,dm\", at = \"K5\" }]";
    let up = |switches: &[&str]| {
        let (situation, found) = answer(file, switches);
        let upstairs = situation.map.parse_location("K5 level 1").unwrap();
        found.outlook.low_crawl.contains(&upstairs)
    };
    assert!(up(&[]) && !up(&["v2-10.52"]));
}

/// 19.12: a Disrupted unit surrenders to an armed enemy ADJACENT.
/// In the second edition it surrenders to an unarmed one as well.
#[test]
fn disrupted_unit_surrenders_to_unarmed_enemy_in_v2() {
    let file = "rout = [{ unit = \"german:4-6-7/disrupted\", at = \"K5\" }]\nenemy = [{ unit = \"american:6-6-6/unarmed\", at = \"K6\" }]";
    assert!(!answer(file, &[]).1.ruling.surrenders);
    assert!(answer(file, &["v2-19.12"]).1.ruling.surrenders);
    assert!(answer(&file.replace("/unarmed", ""), &[]).1.ruling.surrenders);
}
