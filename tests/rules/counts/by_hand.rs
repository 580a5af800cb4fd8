//! Counts worked out by hand, each with its rule.

use super::{class, counted, of_stack};
use lowcrawl::answer::UnitCounts;

/// Panics unless `number` units are in a class at the last point in the given number of cases.
fn assert_odds(counts: &UnitCounts, name: &str, number: f64, of: (u128, u128), rule: &str) {
    let at = (counts.last_point(), class(counts.kind, name));
    let rows = counts.rows();
    let row = rows.iter().find(|row| (row.point, row.class) == at && row.number == number);
    let actual = row.map_or(0.0, |row| row.figure.probability());
    let expected = of.0 as f64 / of.1 as f64;
    assert!((actual - expected).abs() < 1e-12, "A{rule}: {number} {name}: {actual}, not {of:?}");
}

/// A19.13: a 7-4-7 has ELR 5 and fails a 3MC with a DR of 10 or 11 by six or seven: two broken
/// half-squads. A10.31: a 12 costs it one of them.
#[test]
fn split_squad_counts_as_two_half_squads() {
    let check = of_stack("check", "american:7-4-7", "mc=3 no-hob");
    let squads = counted(check.as_ref(), "squad-equivalents", false);
    for (name, number, cases) in [
        ("holds", 1.0, 6),
        ("holds", 0.5, 0),
        ("breaks", 1.0, 24 + 5),
        ("breaks", 0.5, 1),
        ("lost", 0.5, 1),
        ("lost", 1.0, 0),
        ("lost", 0.0, 35),
    ] {
        assert_odds(&squads, name, number, (cases, 36), "19.13");
    }
    let mmc = counted(check.as_ref(), "mmc", false);
    assert_odds(&mmc, "breaks", 1.0, (30, 36), "19.13");
    assert_odds(&mmc, "breaks", 2.0, (0, 36), "19.13");
    for group in ["mmc", "units"] {
        let with_both = counted(check.as_ref(), group, true);
        assert_odds(&with_both, "breaks", 1.0, (25, 36), "19.13");
        assert_odds(&with_both, "breaks", 2.0, (5, 36), "19.13");
        assert_odds(&with_both, "holds", 1.0, (6, 36), "19.13");
    }
    let squads_with_both = counted(check.as_ref(), "squad-equivalents", true);
    assert_odds(&squads_with_both, "breaks", 1.0, (29, 36), "19.13");
}

/// A15.1, A15.5, A20.2: a 4-6-7 with an 8-1 rallies with 8 or less. An Original 2 brings Heat of
/// Battle with a DRM of +1: it surrenders and is captured on 11 or 12, goes berserk on 8 to 10, and
/// makes a hero on 2 to 5. A10.64: a 12 costs it a half-squad.
#[test]
fn heat_of_battle_results_count_in_their_classes() {
    let rally = of_stack("rally", "german:4-6-7/broken", "phases=1 leader=8-1 captor");
    let mmc = counted(rally.as_ref(), "mmc", false);
    for (name, cases) in
        [("holds", 26 * 36 - 12 - 3), ("breaks", 10 * 36), ("lost", 3), ("berserk", 12)]
    {
        assert_odds(&mmc, name, 1.0, (cases, 1296), "15.5");
    }
    let squads = counted(rally.as_ref(), "squad-equivalents", false);
    assert_odds(&squads, "lost", 1.0, (3, 1296), "20.2");
    assert_odds(&squads, "lost", 0.5, (36, 1296), "10.64");
    assert_odds(&squads, "breaks", 0.5, (36, 1296), "10.64");
    assert_odds(&squads, "breaks", 1.0, (9 * 36, 1296), "10.6");
    let units = counted(rally.as_ref(), "units", true);
    assert_odds(&units, "holds", 2.0, (3 + 7, 1296), "15.21");
    assert_odds(&units, "holds", 1.0, (26 * 36 - 15 - 10, 1296), "15.21");
    let without = counted(rally.as_ref(), "units", false);
    assert_odds(&without, "holds", 2.0, (0, 1296), "15.21");
    // A hero is neither an MMC nor a leader.
    assert_odds(&counted(rally.as_ref(), "mmc", true), "holds", 2.0, (0, 1296), "15.21");
    assert_odds(&counted(rally.as_ref(), "leaders", true), "holds", 0.0, (1, 1), "10.2");
    // Without an enemy it is not captured, but broken and Disrupted.
    let alone = of_stack("rally", "german:4-6-7/broken", "phases=1 leader=8-1");
    let mmc = counted(alone.as_ref(), "mmc", false);
    assert_odds(&mmc, "breaks", 1.0, (10 * 36 + 3, 1296), "15.5");
    assert_odds(&mmc, "lost", 0.0, (1, 1), "15.5");
}

/// A10.64: Fate eliminates a half-squad.
#[test]
fn fate_counts_a_half_squad_as_lost() {
    let rally = of_stack("rally", "german:2-4-7/broken", "phases=1 leader=8-0 no-hob");
    for (group, one) in [("mmc", 1.0), ("units", 1.0), ("squad-equivalents", 0.5)] {
        let counts = counted(rally.as_ref(), group, false);
        for (name, cases) in [("holds", 15), ("breaks", 20), ("lost", 1), ("berserk", 0)] {
            assert_odds(&counts, name, one, (cases, 36), "10.64");
        }
    }
}

/// A15.42: a berserk squad has Morale Level 10. On 11 it fails and is Reduced, and a 12 eliminates
/// it. It never holds.
#[test]
fn berserk_squad_never_holds() {
    let check = of_stack("check", "german:4-6-7/berserk", "mc=0 no-hob");
    let mmc = counted(check.as_ref(), "mmc", false);
    assert_odds(&mmc, "berserk", 1.0, (35, 36), "15.42");
    assert_odds(&mmc, "lost", 1.0, (1, 36), "15.42");
    assert_odds(&mmc, "holds", 0.0, (1, 1), "15.42");
    let squads = counted(check.as_ref(), "squad-equivalents", false);
    for (name, number, cases) in
        [("berserk", 1.0, 33), ("berserk", 0.5, 2), ("lost", 0.5, 2), ("lost", 1.0, 1)]
    {
        assert_odds(&squads, name, number, (cases, 36), "15.42");
    }
    let mean = squads.mean(0, class(squads.kind, "berserk")).unwrap();
    assert_eq!(mean.fraction.unwrap().to_string(), "17/18");
}

/// A10.2, A17.1: an 8-1 breaks with 9 or more. A 12 wounds it, and two of six wounds are mortal. A
/// hero holds as long as it lives; a crew counts half a squad.
#[test]
fn units_count_in_the_groups_of_their_kind() {
    let check = of_stack("check", "german:8-1 + german:4-6-7", "mc=0 no-hob");
    let leaders = counted(check.as_ref(), "leaders", false);
    assert_odds(&leaders, "holds", 1.0, (26 * 3, 108), "10.2");
    assert_odds(&leaders, "breaks", 1.0, (10 * 3 - 1, 108), "10.2");
    assert_odds(&leaders, "lost", 1.0, (1, 108), "17.1");
    let assert_size = |group, stack, number: f64| {
        let check = of_stack("check", stack, "ptc no-hob");
        let counts = counted(check.as_ref(), group, false);
        assert_eq!(f64::from(counts.whole) / f64::from(counts.group.parts), number, "{stack}");
    };
    let all = "id:rus_com_9-0 + russian:8-0 + russian:4-4-7 + russian:2-3-7 + russian:hero";
    assert_size("mmc", all, 2.0);
    assert_size("units", all, 5.0);
    assert_size("leaders", all, 2.0);
    assert_size("squad-equivalents", all, 1.5);
    assert_size("squad-equivalents", "german:2-2-8", 0.5);
    assert_size("mmc", "german:2-2-8", 1.0);
}

/// A10.53: a unit that is pinned on its rout is stopped, though it does not break again. A unit
/// that Heat of Battle has restored to Good Order holds.
#[test]
fn pinned_routing_unit_counts_as_stopped() {
    let rout = of_stack("interdict", "german:4-6-7", "hexes=1 no-hob");
    let counts = counted(rout.as_ref(), "mmc", false);
    let rows: f64 = ["holds", "through", "stopped", "lost", "berserk"]
        .iter()
        .map(|name| counts.mean(0, class(counts.kind, name)).unwrap().value)
        .sum();
    assert!((rows - 1.0).abs() < 1e-12);
    // A NMC against a broken side of 7: 7 pins, 8 to 11 Reduce, 12 eliminates.
    assert_odds(&counts, "through", 1.0, (15 + 14, 36), "10.53");
    assert_odds(&counts, "stopped", 1.0, (6, 36), "10.53");
    assert_odds(&counts, "lost", 1.0, (1, 36), "10.53");
    let squads = counted(rout.as_ref(), "squad-equivalents", false);
    assert_odds(&squads, "through", 0.5, (14, 36), "10.53");
    assert_odds(&squads, "lost", 0.5, (14, 36), "10.53");
}
