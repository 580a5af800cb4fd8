//! ELR failures, Replacement (19.1 - 19.13), Disruption (19.12) and Casualty MC (10.31) by small
//! examples.
//!
//! A DR of n or less has 1 3 6 10 15 21 26 30 33 35 36 chances in 36 for n = 2 to 12.

use crate::common;
use crate::common::{ask, assert_ends, assert_switch, check, rally};
use lowcrawl::asl::question::{Question, QuestionKind};

fn against_russians(stack: &str, mc: i64) -> Question {
    ask(QuestionKind::Check, &format!("stack={stack}; mc={mc}; elr=0; enemy=russian"))
}

/// 19.132, 1.23: an ELR given on an underscored squad counts. In a 3MC against ML 8 it fails by
/// more than 1 on 7 to 11, 20/36, and leaves two broken half-squads. The ELR of its side does not
/// count: the squad has 5, exceeded on 11 only.
#[test]
fn elr_named_on_an_underscored_squad_counts() {
    for (stack, elr, two_half_squads) in
        [("german-ss:6-5-8/elr=1", 3, "5/9"), ("german-ss:6-5-8", 1, "1/18")]
    {
        let question = check(stack, 3, elr);
        assert_ends(&question, 1, &format!("broken 3-4-8: {two_half_squads}"));
        assert_ends(&question, 2, &format!("broken 3-4-8: {two_half_squads}"));
        assert_ends(&question, 1, "disrupted 3-4-8: 1/36");
    }
}

/// 7.8, 10.1, 10.3, 10.31, 19.1: the 36 DR by effect: clean, pinned, broken, broken and Replaced,
/// Original 12.
#[test]
fn all_36_rolls_of_a_morale_check_have_their_effect() {
    for (squad, mc, elr, replaced, left_by_12, counts) in [
        ("german:4-6-7", 0, 3, "4-4-7", "2-3-7", [15, 6, 12, 2]),
        ("german:4-6-7", 1, 3, "4-4-7", "2-3-7", [10, 5, 15, 5]),
        ("german:4-6-7", 2, 3, "4-4-7", "2-3-7", [6, 4, 16, 9]),
        ("german:4-6-7", 0, 2, "4-4-7", "2-3-7", [15, 6, 9, 5]),
        ("german:4-6-8", 0, 4, "4-6-7", "2-4-8", [21, 5, 9, 0]),
        ("german:4-6-8", 2, 3, "4-6-7", "2-4-7", [10, 5, 15, 5]),
        ("american:6-6-6", 0, 2, "5-4-6", "2-3-6", [10, 5, 11, 9]),
    ] {
        let printed = squad.split(':').nth(1).unwrap();
        let question = check(squad, mc, elr);
        let ways = [
            ("good-order", printed),
            ("pinned", printed),
            ("broken", printed),
            ("broken", replaced),
        ];
        for ((status, counter), count) in ways.into_iter().zip(counts) {
            let odds = common::ends(&question, 1, &format!("{status} {counter}"));
            let (numerator, denominator) = odds.split_once('/').unwrap_or(("0", "1"));
            let number = |text: &str| text.parse::<u32>().unwrap();
            assert_eq!(
                36 * number(numerator),
                count * number(denominator),
                "{squad} {mc}MC: {status} {counter}: {odds}"
            );
        }
        assert_ends(&question, 1, &format!("broken {left_by_12}: 1/36"));
    }
}

/// 19.1, 19.13: the ladders of squads. With ELR 0 every failure but a 12 (8 to 11 for ML 7, and so
/// on) is a Replacement. A 12 leaves the half-squad of the new squad.
#[test]
fn squads_are_replaced_by_the_next_lower_class() {
    let failures = |morale: &str| match morale {
        "6" => "5/9",
        "7" => "7/18",
        _ => "1/4",
    };
    for (nation, squads) in [
        ("german", "4-6-8/2-4-7 4-6-7/2-3-7 4-4-7/2-3-6 4-3-6"),
        ("german", "5-4-8/2-3-7 4-4-7/2-3-6 4-3-6"),
        ("russian", "4-5-8/2-3-7 4-4-7/2-2-6 4-2-6"),
        ("russian", "6-2-8:e/2-2-7 5-2-7/2-2-6 4-2-6"),
        ("american", "6-6-7/3-4-6 6-6-6/2-3-6 5-4-6/2-2-6 5-3-6"),
        ("british", "4-5-8/2-4-7 4-5-7/2-3-7 4-4-7/2-2-6 4-3-6"),
        ("french", "4-5-8/2-3-7 4-5-7/2-2-7 4-3-7"),
        ("finnish", "6-4-8/2-3-8 5-3-8/2-2-7 4-3-7"),
    ] {
        let rungs: Vec<&str> = squads.split(' ').collect();
        for pair in rungs.windows(2) {
            let (squad, half_squad) = pair[0].split_once('/').unwrap();
            let lower = pair[1].split('/').next().unwrap();
            let question = check(&format!("{nation}:{squad}"), 0, 0);
            let morale = &squad[4..5];
            let replaced = format!("broken {lower}: {}", failures(morale));
            assert_ends(&question, 1, &format!("{replaced}, broken {half_squad}: 1/36"));
        }
        // 19.12: the last rung is Disrupted.
        let last = rungs[rungs.len() - 1];
        assert_ends(
            &check(&format!("{nation}:{last}"), 0, 0),
            1,
            &format!("disrupted {last}: {}", failures(&last[4..5])),
        );
    }
}

/// 19.1: half-squads are Replaced by the same rungs; 10.31: on a 12 they are eliminated.
#[test]
fn half_squads_are_replaced_by_the_next_lower_class() {
    for (half_squad, end, odds) in [
        ("german:2-4-8", "broken 2-4-7", "1/4"),
        ("german:2-4-7", "broken 2-3-7", "7/18"),
        ("id:ger_2_237", "broken 2-3-6", "7/18"),
        ("german:2-3-6", "disrupted 2-3-6", "5/9"),
        ("russian:2-3-7", "broken 2-2-6", "7/18"),
        ("american:3-4-6", "broken 2-3-6", "5/9"),
    ] {
        assert_ends(&check(half_squad, 0, 0), 1, &format!("{end}: {odds}, eliminated: 1/36"));
    }
}

/// 19.1, 19.12: the grades of leaders. With ELR 0 those of ML 10 are Replaced on 11 (2/36), of 9 on
/// 10 and 11 (5), of 8 on 9 to 11 (9), of 7 on 8 to 11 (14). A 6+1 is Disrupted on 7 to 11 (20);
/// that of the Partisans only breaks.
#[test]
fn leaders_are_replaced_by_the_next_lower_grade() {
    let grades = ["10-3", "10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1"];
    let finns = ["10-2", "10-1", "10-0", "9-1", "9-0", "8-0", "8+1"];
    let germans = grades.windows(2).map(|pair| ("german", pair[0], pair[1]));
    for (nation, leader, lower) in
        germans.chain(finns.windows(2).map(|pair| ("finnish", pair[0], pair[1])))
    {
        let odds = match leader.as_bytes()[0] {
            b'1' => "1/18",
            b'9' => "5/36",
            b'8' => "1/4",
            _ => "7/18",
        };
        assert_ends(
            &check(&format!("{nation}:{leader}"), 0, 0),
            1,
            &format!("broken {lower}: {odds}"),
        );
    }
    assert_ends(&check("german:6+1", 0, 0), 1, "disrupted 6+1: 5/9, disrupted 6+1 wounded: 1/54");
    assert_ends(&check("partisan:6+1", 0, 0), 1, "broken 6+1: 5/9, disrupted 6+1: 0");
    assert_ends(&check("finnish:8+1", 0, 0), 1, "disrupted 8+1: 1/4");
}

/// 10.31: a 12 against a leader: wounded and broken by 4/6 (1/54), else dead (1/108). If it is an
/// ELR failure as well (12 - 8 is more than 3), the leader is Replaced first.
#[test]
fn original_12_wounds_or_kills_a_leader() {
    let expected = "broken 8-0 wounded: 1/54, broken 7-0 wounded: 0, eliminated: 1/108";
    assert_ends(&check("german:8-0", 0, 4), 1, expected);
    let replaced = "broken 8-0 wounded: 0, broken 7-0 wounded: 1/54, eliminated: 1/108";
    assert_ends(&check("german:8-0", 0, 3), 1, replaced);
}

/// 10.31, 10.3: a 12 eliminates broken MMC, half-squads, crews, berserk MMC and unarmed
/// half-squads. Those that a failure Reduces are eliminated by a failure as well. Broken 4-6-7:
/// Reduced on 8 to 11 (14/36). Broken 2-4-7 (ML 6): eliminated on 7 or more. Broken 8-0: on 12, or
/// wounded on 9 to 11 by 2/6. Berserk 2-4-7: on 11 and 12.
#[test]
fn original_12_eliminates_broken_and_small_mmc() {
    for (unit, expected) in [
        ("german:4-6-7/broken", "broken 2-4-7: 7/18, eliminated: 1/36"),
        ("german:2-4-7/broken", "broken 2-4-7: 5/12, eliminated: 7/12"),
        // 1/36 + 9/36 * 2/6.
        ("german:8-0/broken", "broken 8-0: 13/18, eliminated: 1/9"),
        ("german:2-4-7", "broken 2-4-7: 7/18, eliminated: 1/36"),
        ("german:2-2-8:crew/broken", "broken 2-2-8: 13/18, eliminated: 5/18"),
        ("german:2-4-7/berserk", "berserk 2-4-7: 11/12, eliminated: 1/12"),
        // 6 or less clean, a 7 pins; 20.5: on other rolls it cannot break and is Reduced.
        ("german:2-4-7/unarmed", "good-order 2-4-7: 5/12, pinned 2-4-7: 1/6, eliminated: 5/12"),
    ] {
        assert_ends(&check(unit, 0, 5), 1, expected);
    }
}

/// 10.31, 15.2: a 12 of a hero or heroic leader: severity at +1, dead on 4 or more. Against a 1MC
/// the hero is wounded on 9 to 11 (9/36) by 4/6, and on 12 by 3/6.
#[test]
fn original_12_wounds_a_hero_more_severely() {
    // 9/36 * 4/6 + 1/72; 9/36 * 2/6 + 1/72.
    let odds = "good-order 1-3-8 wounded: 13/72, eliminated: 7/72";
    assert_ends(&check("hero", 1, 5), 1, odds);
    // 9/36 * 4/6 + 1/72.
    let odds = "good-order 8-0/heroic wounded: 13/72, broken 8-0 wounded: 0";
    assert_ends(&check("german:8-0/heroic", 1, 0), 1, odds);
}

/// 10.31, 19.13, 1.23: underlined squads have ELR 5 and leave one half-squad of lesser quality if a
/// 12 is an ELR failure. For ML 8 that is so in a 2MC (14 - 8), not in a 1MC; for ML 7 in a 1MC,
/// not in a NMC.
#[test]
fn underlined_squads_leave_a_lesser_half_squad_on_12() {
    for (squad, mc, own, lesser) in [
        ("german:8-3-8", 2, "3-3-8", "2-3-7"),
        ("american:7-4-7", 1, "3-3-7", "2-3-6"),
        ("british:6-4-8", 2, "3-3-8", "2-3-7"),
        ("finnish:8-3-8", 2, "3-3-8", "2-3-8"),
        ("russian:6-2-8:2", 2, "3-2-8", "2-2-7"),
    ] {
        let (own, lesser) = (format!("broken {own}"), format!("broken {lesser}"));
        assert_ends(&check(squad, mc, 0), 1, &format!("{own}: 0, {lesser}: 1/36"));
        assert_ends(&check(squad, mc - 1, 0), 1, &format!("{own}: 1/36, {lesser}: 0"));
    }
}

/// 19.12, 10.31: I-53: the SS have no lesser half-squad. They leave their own, Disrupted; against
/// Russians, or by the alternative, it is only broken. Their half-squads are Disrupted on 10 and 11
/// of a 4MC (5/36), but only broken against Russians (5 to 11, 29 of 36).
#[test]
fn ss_squads_leave_their_own_half_squad() {
    assert_switch(&check("german-ss:6-5-8", 2, 0), "i53", 1, "disrupted 3-4-8", "1/36", "0");
    assert_switch(&check("german-ss:6-5-8", 2, 0), "i53", 1, "broken 3-4-8", "0", "1/36");
    let russians = against_russians("german-ss:6-5-8", 2);
    assert_ends(&russians, 1, "disrupted 3-4-8: 0, broken 3-4-8: 1/36");
    assert_ends(&check("german-ss:3-4-8", 4, 0), 1, "disrupted 3-4-8: 5/36, broken 3-4-8: 2/3");
    assert_ends(
        &against_russians("german-ss:3-4-8", 4),
        1,
        "disrupted 3-4-8: 0, broken 3-4-8: 29/36",
    );
}

/// 19.12: Partisans only break: 3-3-7 on 8 to 11, and on 12 its half-squad. I-24 does not affect
/// them.
#[test]
fn partisans_break_and_are_never_disrupted() {
    let question = check("partisan:3-3-7", 0, 0);
    assert_ends(&question, 1, "broken 3-3-7: 7/18, disrupted 3-3-7: 0, disrupted 1-3-7: 0");
    assert_switch(&question, "i24", 1, "broken 1-3-7", "1/36", "1/36");
}

/// 19.1: ELR counts the excess of the Final DR over ML. An unled 4-6-7 in a NMC with ELR 4 exceeds
/// it on 12 only (5). With ELR 5 it never does, and with ELR 6 (20.4) not in a 1MC.
#[test]
fn elr_counts_the_excess_of_the_final_dr_over_morale() {
    assert_ends(&check("german:4-6-7", 0, 4), 1, "broken 4-4-7: 0, broken 2-3-7: 1/36");
    assert_ends(&check("german:4-6-7", 0, 5), 1, "broken 2-3-7: 0, broken 2-4-7: 1/36");
    assert_ends(&check("german:4-6-7", 1, 5), 1, "broken 2-3-7: 1/36");
    assert_ends(&check("german:4-6-7", 1, 6), 1, "broken 2-3-7: 0");
    // A unit with an ELR of its own.
    assert_ends(&check("german:4-6-7/elr=2", 0, 5), 1, "broken 4-4-7: 5/36");
}

/// 19.12, 10.6: a Disrupted unit cannot Self-Rally, but a leader may rally it: 4-3-6 on 5 or less.
/// A 12 is Fate.
#[test]
fn disrupted_units_rally_only_under_a_leader() {
    let question = rally("german:4-3-6/disrupted", "8-0");
    assert_ends(&question, 1, "rallied 4-3-6: 5/18, disrupted 4-3-6: 25/36, disrupted 2-3-6: 1/36");
}
