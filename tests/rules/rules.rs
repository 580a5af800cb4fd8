//! The rulebook by small examples: a stack and the exact odds of its ends.
//!
//! Fractions are derived beside each example. A DR of n or less has 1 3 6 10 15 21 26 30 33 35 36
//! chances in 36 for n = 2 to 12.

use crate::common::{self, ask, blame, check, ends, rally};
use crate::table::rows;
use lowcrawl::asl::question::QuestionKind;
use lowcrawl::process::Question as _;

/// 7.303, 7.304: a NMC has no DRM, a 1MC has +1. A 4-6-7 is unharmed on 6 or less, and on 5 or
/// less.
#[test]
fn higher_mc_lowers_the_chance_to_pass() {
    assert_eq!(ends(&check("german:4-6-7", 0, 3), 1, "good-order 4-6-7"), "5/12");
    assert_eq!(ends(&check("german:4-6-7", 1, 3), 1, "good-order 4-6-7"), "5/18");
}

/// 1.122: the half-squad of a squad with broken ML 9 has 8. The squad is Reduced in one of two
/// hexes and passes both in two ways. Either the DR is 10 or 11 (5/36) in the first, and then 7 or
/// less (21/36), since 8 pins. Or it is 8 or less in the first (26/36), and 10 or 11 in the second.
#[test]
fn half_squad_morale_follows_morale_given_to_its_squad() {
    let fields = "stack=german:4-6-7/broken-morale=9; hexes=2; no-hob";
    let question = ask(QuestionKind::Interdict, fields);
    assert_eq!(ends(&question, 1, "through 2-4-7"), "235/1296");
}

/// 10.21, 10.72: the +1 of the only leader must be used. The 6+1 is clean on 5 or less (10/36): the
/// squad then needs 5 or less (10/36), else 6 or less (15/36). The loss of the leader does not
/// affect units of ML 7. (10 * 10 + 26 * 15) / 1296.
#[test]
fn only_leader_must_be_used_despite_positive_drm() {
    assert_eq!(ends(&check("german:6+1 + german:4-6-7", 0, 3), 2, "good-order 4-6-7"), "245/648");
}

/// 10.7: a Russian 8-1 has no DRM for Germans: always 6 or less (15/36). It is lost on 9 or more
/// (10/36), and then the LLTC or LLMC, both with +1, need 6 or less again. 15/36 * (26/36 + 10/36 *
/// 15/36).
#[test]
fn leader_of_another_nation_lends_no_drm() {
    assert_eq!(ends(&check("russian:8-1 + german:4-6-7", 0, 3), 2, "good-order 4-6-7"), "905/2592");
    // 10.6: in a Rally its -1 is 0, too: 7 or less.
    assert_eq!(ends(&rally("german:4-6-7/broken", "russian:8-1"), 1, "rallied 4-6-7"), "7/12");
    assert_eq!(ends(&rally("german:4-6-7/broken", "german:8-1"), 1, "rallied 4-6-7"), "13/18");
    // The SS count as German.
    assert_eq!(ends(&rally("german:4-6-7/broken", "german-ss:8-1"), 1, "rallied 4-6-7"), "13/18");
}

/// 7.831: a pinned leader does not help in a MC. The squad needs 6 or less, and again against +1 if
/// the leader is lost (10 or more, 6/36). 15/36 * (30/36 + 6/36 * 15/36). A pinned leader may lead
/// a Rally.
#[test]
fn pinned_leader_helps_only_in_a_rally() {
    assert_eq!(
        ends(&check("german:9-1/pinned + german:4-6-7", 0, 3), 2, "good-order 4-6-7"),
        "325/864"
    );
    assert_eq!(
        ends(&rally("german:9-1/pinned + german:4-6-7/broken", "none"), 2, "rallied 4-6-7"),
        "13/18"
    );
}

/// 7.7: Encirclement costs one ML under attack: 5 or less. It does not affect Rally.
#[test]
fn encirclement_lowers_morale_under_attack_only() {
    assert_eq!(ends(&check("german:4-6-7/encircled", 0, 3), 1, "good-order 4-6-7"), "5/18");
    assert_eq!(ends(&rally("german:4-6-7/broken,encircled", "8-0"), 1, "rallied 4-6-7"), "7/12");
}

/// 10.63, 10.71: units that can Self-Rally do so at +1; others cannot rally without a leader. An
/// unbroken leader rallies the other, with its own DRM.
#[test]
fn self_rally_has_a_drm_of_plus_1() {
    assert_eq!(ends(&rally("finnish:6-4-8/broken", "none"), 1, "rallied 6-4-8"), "7/12");
    assert_eq!(ends(&rally("german:8-0/broken", "none"), 1, "rallied 8-0"), "7/12");
    assert_eq!(ends(&rally("german:4-6-7/broken", "none"), 1, "broken 4-6-7"), "1/1");
    assert_eq!(ends(&rally("german:7-0 + german:8-0/broken", "none"), 2, "rallied 8-0"), "13/18");
    // 19.12: Disrupted units never Self-Rally.
    assert_eq!(ends(&rally("finnish:6-4-8/disrupted", "none"), 1, "disrupted 6-4-8"), "1/1");
}

/// 10.8: a Fanatic 4-6-7 checks against 8.
#[test]
fn fanatic_squad_has_one_more_morale() {
    assert_eq!(ends(&check("german:4-6-7/fanatic", 0, 3), 1, "good-order 4-6-7/fanatic"), "7/12");
}

/// 15.2, 15.21: a heroic 8-0 checks against 9 and is not pinned. A failure wounds it, mortally on a
/// dr of 5 or 6. An Original 12 adds 1 to that dr (10.31). The same holds for the hero 1-4-9.
#[test]
fn heroes_are_wounded_instead_of_broken() {
    let heroic = check("german:8-0/heroic", 0, 3);
    assert_eq!(ends(&heroic, 1, "good-order 8-0/heroic"), "5/6");
    // 10 and 11: 5/36 at 4/6; 12: 1/36 at 3/6.
    assert_eq!(ends(&heroic, 1, "good-order 8-0/heroic wounded"), "23/216");
    assert_eq!(ends(&check("hero", 0, 3), 1, "good-order 1-3-8 wounded"), "23/216");
    // A wounded hero checks against 8 and dies by any failure.
    assert_eq!(ends(&check("1-3-8", 0, 3), 1, "eliminated"), "5/18");
}

/// 15.4, 15.42: a berserk unit checks against 10. It is Reduced on a failure (an 11), never broken
/// or pinned, and eliminated on a 12.
#[test]
fn berserk_units_are_reduced_and_never_break() {
    let berserk = check("german:4-6-7/berserk", 0, 0);
    assert_eq!(ends(&berserk, 1, "berserk 4-6-7"), "11/12");
    assert_eq!(ends(&berserk, 1, "berserk 2-4-7"), "1/18");
    assert_eq!(ends(&berserk, 1, "eliminated"), "1/36");
}

/// 17.3: a wounded 9-1 checks against 8 and leads with 0.
#[test]
fn wounded_leader_loses_morale_and_leadership() {
    assert_eq!(ends(&check("german:9-1/wounded", 0, 5), 1, "good-order 9-1 wounded"), "7/12");
    assert_eq!(
        ends(&rally("german:4-6-7/broken", "german:9-1/wounded"), 1, "rallied 4-6-7"),
        "7/12"
    );
}

/// 19.11: a crew is never Replaced; 10.31: on a 12 it is eliminated.
#[test]
fn crews_are_never_replaced() {
    let crew = check("german:2-2-8:crew", 0, 0);
    assert_eq!(ends(&crew, 1, "broken 2-2-8"), "1/4");
    assert_eq!(ends(&crew, 1, "eliminated"), "1/36");
}

/// 19.12: without a lower class an ELR failure Disrupts; after a 12 this is the half-squad (I-24).
/// 10.8: Fanatics are never Disrupted.
#[test]
fn elr_failure_without_lower_class_disrupts() {
    let conscripts = check("german:4-3-6", 0, 0);
    assert_eq!(ends(&conscripts, 1, "disrupted 4-3-6"), "5/9");
    assert_eq!(ends(&conscripts, 1, "disrupted 2-3-6"), "1/36");
    let fanatic = check("german:4-3-6/fanatic", 0, 0);
    assert_eq!(ends(&fanatic, 1, "broken 4-3-6/fanatic"), "7/18");
    assert_eq!(ends(&fanatic, 1, "disrupted 4-3-6/fanatic"), "0");
}

/// 19.13, 10.31: an underlined 8-3-8 (ELR 5) that fails a 4MC by more than 5 (10 or 11) becomes two
/// broken half-squads; a 12 leaves one of lesser quality.
#[test]
fn underlined_squad_splits_into_two_half_squads() {
    let engineers = check("german:8-3-8", 4, 0);
    assert_eq!(ends(&engineers, 1, "broken 3-3-8"), "5/36");
    assert_eq!(ends(&engineers, 2, "broken 3-3-8"), "5/36");
    assert_eq!(ends(&engineers, 1, "broken 2-3-7"), "1/36");
    // I-53: the SS have no lesser half-squad; they leave their own, Disrupted.
    assert_eq!(ends(&check("german-ss:6-5-8", 4, 0), 1, "disrupted 3-4-8"), "1/36");
}

/// 20.5: an unarmed unit cannot break. It is Reduced on a failure, eliminated on a 12.
#[test]
fn unarmed_units_are_reduced_instead_of_broken() {
    let unarmed = check("german:4-6-7/unarmed", 0, 3);
    assert_eq!(ends(&unarmed, 1, "good-order 2-4-7"), "7/18");
    assert_eq!(ends(&unarmed, 1, "eliminated"), "1/36");
}

/// 20.4: ELR 6 exists. 20.2: prisoners are rejected. A25.22: Commissars are supported.
#[test]
fn prisoners_are_rejected_and_elr_6_is_accepted() {
    assert_eq!(ends(&check("german:4-6-7", 2, 6), 1, "broken 4-4-7"), "0");
    // 8 or less.
    assert_eq!(ends(&check("commissar:9-0", 0, 3), 1, "good-order 9-0"), "13/18");
    let prisoner = blame(QuestionKind::Check, "stack=german:4-6-7/captured; mc=0");
    assert_eq!(
        prisoner.fault.to_string(),
        "prisoners (A20.5) are not supported (remove them from the stack)"
    );
}

/// 18.2: a German 4-3-6 in Self-Rally has -1 German, +1 ML 5, +1 broken: 8-0 on 1 and 2, 7-0 on 3
/// and 4, 6+1 on 5. A Russian 4-2-6 has +3: 7-0 on 1 and 2, 6+1 on 3. Both only on an Original 2
/// (18.11), 1 of 36.
#[test]
fn leaders_are_created_on_an_original_2_in_self_rally() {
    let alone = |stack| ask(QuestionKind::Rally, &format!("stack={stack}; phases=1"));
    let german = alone("german:4-3-6");
    for (leader, odds) in [("8-1", "0"), ("8-0", "1/108"), ("7-0", "1/108"), ("6+1", "1/216")] {
        assert_eq!(ends(&german, 2, &format!("good-order {leader}")), odds);
    }
    let russian = alone("russian:4-2-6");
    for (leader, odds) in [("8-0", "0"), ("7-0", "1/108"), ("6+1", "1/216")] {
        assert_eq!(ends(&russian, 2, &format!("good-order {leader}")), odds);
    }
    // 10.6: 4-3-6 rallies on 4 or less at +1; 18.11: only in its own Rally Phase.
    assert_eq!(ends(&german, 1, "rallied 4-3-6"), "1/6");
}

/// 10.62: DM is +4 in the first phase and removed in the second, unless the owner keeps it in the
/// open.
#[test]
fn desperation_morale_ends_after_a_phase_unless_kept() {
    let question = |keep| {
        ask(
            QuestionKind::Rally,
            &format!("stack=german:4-6-7/dm; leader=8-0; phases=2; keep-dm={keep}"),
        )
    };
    // 3/36 at once; else 32/36 whole and broken, then 21/36 without DM, 3/36 with it.
    assert_eq!(ends(&question(false), 1, "rallied 4-6-7"), "65/108");
    assert_eq!(ends(&question(true), 1, "rallied 4-6-7"), "17/108");
}

/// 10.53, 17.2: a routing leader. An 8-1 passes on 7 or less, is pinned on 8, wounded on 9 to 11
/// (9/36, light 4 of 6), dead on 12. A wound in the third hex ends the rout there (all 3 MF spent),
/// one in the fourth pins.
#[test]
fn wounded_routing_leader_stops_when_its_mf_are_spent() {
    let run = |hexes| ask(QuestionKind::Interdict, &format!("stack=german:8-1; hexes={hexes}"));
    // One hex: through unwounded 21/36, wounded 1/4 * 2/3.
    assert_eq!(ends(&run(1), 1, "through 8-1"), "7/12");
    assert_eq!(ends(&run(1), 1, "through 8-1 wounded"), "1/6");
    // Three hexes, never wounded: (7/12)^3.
    assert_eq!(ends(&run(3), 1, "through 8-1"), "343/1728");
    // Four hexes, pinned and wounded. Wounded in the fourth: (7/12)^3 * 1/6. Or wounded before (ML
    // 7: 15/36 clean, 6/36 pin, 7/36 a further light wound) and pinned by the NMC of the second or
    // third: 1/6 * 1/6 + 1/6 * 5/12 * 1/6 + 1/6 * 7/36 * 1/6 + 7/12
    // * 1/6 * 1/6. Together 343/10368 + 632/10368.
    assert_eq!(ends(&run(4), 1, "pinned 8-1 wounded"), "325/3456");
}

/// I-8, 10.22: a leader in the hex helps a routing squad (8 or less in place of 7), but not a
/// leader of equal or higher ML.
#[test]
fn leader_in_the_hex_helps_units_of_lower_morale() {
    let run = |stack, leader| {
        ask(QuestionKind::Interdict, &format!("stack={stack}; hexes=1; leader={leader}"))
    };
    assert_eq!(ends(&run("german:4-6-7", "none"), 1, "through 4-6-7"), "5/12");
    assert_eq!(ends(&run("german:4-6-7", "8-1"), 1, "through 4-6-7"), "7/12");
    assert_eq!(ends(&run("german:8-0", "8-1"), 1, "through 8-0"), "7/12");
    assert_eq!(ends(&run("german:8-0", "9-1"), 1, "through 8-0"), "13/18");
}

/// 10.7, 18.2: a vehicular crew 1-2-7 belongs to the nation in its name. A Russian one in its own
/// RPh has +1 nation, 0 for ML 7, +1 broken: 8-0 on a dr of 1, 7-0 on 2 and 3, 6+1 on 4. Finns
/// create none. A German 8-1 has no DRM for it: 7 or less.
#[test]
fn vehicular_crew_belongs_to_the_nation_in_its_name() {
    let alone = |stack| ask(QuestionKind::Rally, &format!("stack={stack}; phases=1"));
    let russian = alone("russian:1-2-7");
    for (leader, odds) in [("8-1", "0"), ("8-0", "1/216"), ("7-0", "1/108"), ("6+1", "1/216")] {
        assert_eq!(ends(&russian, 2, &format!("good-order {leader}")), odds);
    }
    assert_eq!(ends(&alone("finnish:1-2-7"), 2, "good-order 8-0"), "0");
    assert_eq!(ends(&rally("russian:1-2-7/broken", "german:8-1"), 1, "rallied 1-2-7"), "7/12");
}

/// 19.13: all of twelve underlined squads may become two half-squads, and the table has room for
/// all of them. A 6MC (ELR 5) splits on 8 to 11, 14 of 36: 14/3 of twelve on average.
#[test]
fn every_second_half_squad_has_a_slot() {
    use lowcrawl::engine::monte_carlo::{Plan, Simulator};
    let question = check("12x german:8-3-8", 6, 0);
    let process = question.whole();
    let counts = Simulator::Rules(&process).run(&Plan::new(20_000, 36)).unwrap();
    let slot = |outcome| question.label(0, outcome).slot.unwrap();
    let slots: Vec<u64> = (13..=24)
        .map(|n| {
            counts
                .counts
                .iter()
                .filter(|(_, outcome, _)| slot(outcome) == n)
                .map(|(_, _, c)| c)
                .sum()
        })
        .collect();
    assert!(slots.windows(2).all(|pair| pair[0] >= pair[1]), "{slots:?}");
    let splits = slots.iter().sum::<u64>() as f64 / 20_000.0;
    assert!((splits - 14.0 / 3.0).abs() < 0.06, "{splits} splits");
    assert!(slots[8] > 0, "{slots:?}");
}

/// Every switch that changes odds without Heat of Battle, in both positions. I-1 and I-3 are tested
/// with their rules.
#[test]
fn each_switch_gives_its_listed_odds_in_both_positions() {
    for [switch, kind, fields, slot, end, default, alternative] in rows(
        "
            # 10.2: the broken 9-1 dies 2/27. Pinned at once (6/36) and no LLMC failed: 1/6 * (25/27 +
            # 2/27 * 15/36); by the alternative also clean, then pinned by the LLMC: 15/36 * 2/27 *
            # 5/36.
            i02             | check     | stack=german:9-1/broken + german:4-6-7; mc=0; elr=3 | 2 | pinned 4-6-7 | 155/972 | 955/5832
            # 10.2: the 8-1 is clean on 21/36, pinned on 5/36, lost on 10/36. (21 * 21 + 5 * 15) / 1296
            # + 10/36 * 15/36 * 15/36. By the alternative it is lost as the 8-0 that replaces it, with
            # no DRM (9/36, or dead 1/108: 21/36). If wounded as well (2/108), it has ML 7 and does not
            # affect units of ML 7.
            i05             | check     | stack=german:8-1 + german:4-6-7; mc=0; elr=0 | 2 | good-order 4-6-7 | 1157/2592 | 1823/3888
            # 10.21: 8 or less with the 8-1, 7 or less without; the highest of each pins.
            i08             | interdict | stack=german:4-6-7; leader=8-1; hexes=1 | 1 | through 4-6-7 | 7/12 | 5/12
            # 17.2: lightly wounded in the first hex 1/6, or in the second 7/12 * 1/6.
            i10             | interdict | stack=german:8-1; leader=none; hexes=2 | 1 | stopped 8-1 wounded | 0 | 19/72
            # 18.11, 18.2: an Original 2 of the crew, then -1 German, -1 ML 8, +1 broken: 8-1 on 1 and
            # 2.
            i19             | rally     | stack=german:2-2-8:crew; leader=none; phases=1 | 2 | good-order 8-1 | 1/108 | 0
            # 18.11: the leader tries first (21/36), and then leads; else the squad tries alone
            # (15/36), after Fate and its LLMC. Or the squad tries first, and then takes the LLMC if
            # Fate kills the leader: 15/36 * (1 - 1/108 * 15/36).
            i20             | rally     | stack=german:8-0/broken + german:4-6-7/broken; leader=none; phases=1 | 2 | rallied 4-6-7 | 7967/15552 | 6455/15552
            # 10.31, 19.12: a 12 of a conscript squad.
            i24             | check     | stack=german:4-3-6; mc=0; elr=0 | 1 | disrupted 2-3-6 | 1/36 | 0
            i24             | check     | stack=german:4-3-6; mc=0; elr=0 | 1 | broken 2-3-6 | 0 | 1/36
            # 19.1: Replaced on 9 to 11, with the wound or without.
            i25             | check     | stack=german:9-1/wounded; mc=0; elr=0 | 1 | broken 8-1 | 0 | 1/4
            # A.18: 10 + 1 - 1 is 9 or 10: 8 or less clean, or 9 or less.
            i33             | check     | stack=german:10-2/fanatic,wounded; mc=0; elr=3 | 1 | good-order 10-2/fanatic wounded | 13/18 | 5/6
            # 10.22: 10 or less with the -1 of the 8-1, 9 or less without.
            i49             | rally     | stack=german:9-1/broken; leader=german:8-1; phases=1 | 1 | rallied 9-1 | 11/12 | 5/6
            # 10.31: a 12 is added to the two half-squads of 10 and 11.
            i53             | check     | stack=german-ss:6-5-8; mc=4 | 1 | broken 3-4-8 | 5/36 | 1/6
            # 10.61: rally terrain.
            i16-rubble      | rally     | stack=german:4-6-7/broken; leader=8-0; phases=1; terrain=rubble | 1 | rallied 4-6-7 | 7/12 | 13/18
            i16-light-woods | rally     | stack=german:4-6-7/broken; leader=8-0; phases=1; terrain=light-woods | 1 | rallied 4-6-7 | 13/18 | 7/12
            # I-18: the ML of the attempt of an encircled unit is 6, so its drm is +1: no 8-1.
            i18             | rally     | stack=german:4-6-7/encircled; phases=1 | 2 | good-order 8-1 | 1/216 | 0
            # I-34: by the default ML 8, drm -1: an 8-1 on 1 and 2. The printed 7 is drm 0: on 1.
            i34             | rally     | stack=german:4-6-7/fanatic; phases=1 | 2 | good-order 8-1/fanatic | 1/108 | 1/216
        ",
    ) {
        for (value, odds) in [("default", default), ("alternative", alternative)] {
            let question = ask(common::kind(kind), &format!("{fields}; {switch}={value}"));
            let found = ends(&question, slot.parse().unwrap(), end);
            assert_eq!(found, odds, "{switch}={value}: {end}");
        }
    }
}
