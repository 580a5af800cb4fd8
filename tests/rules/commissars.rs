//! Commissars (25.22) by small examples.
//!
//! A DR of n or less has 1 3 6 10 15 21 26 30 33 35 36 chances in 36 for n = 2 to 12. A 9-0 in a
//! NMC is unpinned on 8 or less (26/36), pinned on 9 (4/36) and lost on 10 or more (6/36), broken
//! or dead. It gives no DRM.

use crate::common::{self, ask, assert_ends, assert_switch, check, rally, sequence};
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::asl::rulebook::INTERPRETATIONS;
use lowcrawl::play::Form as _;

/// Builds a question about an NMC with Heat of Battle and ELR 5.
fn heated(stack: &str) -> Question {
    ask(QuestionKind::Check, &format!("stack={stack}; mc=0; elr=5; hob"))
}

/// A25.22, 10.2: beside an unpinned Commissar a 4-4-7 has ML 8, so it is clean on 7 or less. Beside
/// a pinned one it needs 6 or less. Beside a lost one it needs 6 or less, then 7 or less in the
/// LLTC or LLMC.
#[test]
fn unpinned_commissar_raises_morale_by_one() {
    let question = check("commissar:9-0 + russian:4-4-7", 0, 5);
    // 26/36 * 21/36 + 4/36 * 15/36 + 6/36 * 15/36 * 21/36.
    assert_ends(&question, 2, "good-order 4-4-7: 439/864");
    // A Commissar that starts pinned or berserk lends nothing. A berserk one (ML 10) dies on 7/216,
    // and only then causes a LLMC.
    let pinned = check("commissar:9-0/pinned + russian:4-4-7", 0, 5);
    // 15/36 * (30/36 + 6/36 * 21/36).
    assert_ends(&pinned, 2, "good-order 4-4-7: 335/864");
    let berserk = check("commissar:9-0/berserk + russian:4-4-7", 0, 5);
    // 15/36 * (209/216 + 7/216 * 21/36).
    assert_ends(&berserk, 2, "good-order 4-4-7: 12785/31104");
}

/// A25.22, A.18: units of ML 10 gain nothing. A 10-2 is clean on 9 or less. Although its ML is
/// higher, it takes the LLTC or LLMC for the 9-0: 10 or less. The 9-0 gains nothing from the 10-2:
/// 8 or less.
#[test]
fn units_of_morale_10_gain_nothing_from_a_commissar() {
    let question = check("russian:10-2 + commissar:9-0", 0, 5);
    // 30/36 * (30/36 + 6/36 * 33/36).
    assert_ends(&question, 1, "good-order 10-2: 355/432");
    assert_ends(&question, 2, "good-order 9-0: 13/18");
}

/// A25.22: a Commissar lends nothing to another Commissar. The loss of one does not affect the
/// other, and neither does the loss of a 10-2.
#[test]
fn commissars_do_not_affect_each_other() {
    let question = check("commissar:9-0 + commissar:10-0", 0, 5);
    assert_ends(&question, 1, "good-order 9-0: 13/18");
    assert_ends(&question, 2, "good-order 10-0: 5/6");
}

/// A25.22, 10.2: a Commissar checks before leaders of higher ML. The 8+1 is clean on 7 or less
/// (21/36), pinned on 8 (5/36) and lost on 9 or more (10/36). With it the 9-1 has ML 10: 9 or less.
/// Otherwise it has ML 9: 8 or less, and after a loss 9 or less once more, because a +1 is no
/// relief.
#[test]
fn commissar_checks_before_better_leaders() {
    let question = check("russian:9-1 + commissar:8+1", 0, 5);
    // 21/36 * 30/36 + 5/36 * 26/36 + 10/36 * 26/36 * 30/36.
    assert_ends(&question, 1, "good-order 9-1: 1465/1944");
}

/// A25.22, 10.21: beside an unpinned Commissar no other DRM is used. A hero then has ML 10: 10 or
/// less. Otherwise (10/36) it needs 11 or less with the -2 of a clean 9-2 (8 or less, 26/36), else
/// 9 or less. Heroes take no LLTC, and no LLMC for leaders of ML 9.
#[test]
fn commissar_bars_leadership_of_others() {
    let question = check("commissar:9-0 + russian:9-2 + hero", 0, 5);
    // 26/36 * 33/36 + 10/36 * (26/36 * 35/36 + 10/36 * 30/36).
    assert_ends(&question, 3, "good-order 1-4-9: 10747/11664");
    // This also holds in a Rally: the 4-4-7 with ML 8 rallies on 8 or less, not on 10 or less.
    assert_ends(
        &rally("commissar:9-0 + russian:9-2 + russian:4-4-7/broken", "none"),
        3,
        "rallied 4-4-7: 13/18",
    );
}

/// A25.22, 15.2: a wounded hero has ML 9 with a Commissar: 9 or less, else 8 or less. A dead
/// Commissar (a 12 and a dr of 5 or 6, 1/108) causes a LLMC.
#[test]
fn commissar_raises_morale_of_a_wounded_hero() {
    let question = check("commissar:9-0 + 1-3-8", 0, 5);
    // 26/36 * 30/36 + (10/36 - 1/108) * 26/36 + 1/108 * 26/36 * 26/36.
    let odds = "28015/34992";
    assert_ends(&question, 2, &format!("good-order 1-3-8 wounded: {odds}"));
}

/// A25.22, 19.11, 17.3: a Commissar is never Replaced, whatever the ELR. It breaks on 10 and 11
/// (5/36), and on 12 with a light wound (4/6). Wounded, it has ML 8.
#[test]
fn commissar_is_never_replaced() {
    let question = check("commissar:9-0", 0, 0);
    assert_ends(&question, 1, "broken 9-0: 5/36, broken 9-0 wounded: 1/54, eliminated: 1/108");
    assert_ends(&check("commissar:9-0/wounded", 0, 0), 1, "good-order 9-0 wounded: 7/12");
}

/// A25.22, 10.2: the loss of a 10-2 does not affect the Commissar. The 4-4-7 with its ML 8 needs 6
/// or less against +2.
#[test]
fn commissar_is_unaffected_by_loss_of_leaders() {
    let question =
        sequence("stack=russian:10-2 + commissar:9-0 + russian:4-4-7", &["do=eliminate; slots=1"]);
    assert_ends(&question, 2, "good-order 9-0: 1/1");
    assert_ends(&question, 3, "good-order 4-4-7: 5/12");
}

/// A25.22, 10.2: the loss of a Commissar is a LLMC for a 10-2, too: 10 or less. The 4-4-7, back at
/// ML 7, needs 7 or less, and 5 or less against the +2 of the 10-2 if that is lost in turn.
#[test]
fn loss_of_a_commissar_affects_better_leaders() {
    let question = sequence(
        "stack=russian:10-2 + commissar:9-0 + russian:4-4-7; elr=5",
        &["do=eliminate; slots=2"],
    );
    assert_ends(&question, 1, "good-order 10-2: 11/12");
    // 21/36 * (33/36 + 3/36 * 10/36).
    assert_ends(&question, 3, "good-order 4-4-7: 1421/2592");
}

/// A25.22, 10.63, 10.62: a broken Commissar Self-Rallies even beside a leader: 8 or less with the
/// +1, and 4 or less with DM. Led by the 10-2 it would need 11 or less.
#[test]
fn broken_commissar_self_rallies_beside_a_leader() {
    assert_ends(&rally("commissar:9-0/broken + russian:10-2", "none"), 1, "rallied 9-0: 13/18");
    assert_ends(&rally("commissar:9-0/dm + russian:10-2", "none"), 1, "rallied 9-0: 1/6");
}

/// A25.22, 10.6: a rallied Commissar leads at once: 26/36 for itself, then 8 or less for the 4-4-7.
#[test]
fn rallied_commissar_leads_at_once() {
    assert_ends(
        &rally("commissar:9-0/broken + russian:4-4-7/broken", "none"),
        2,
        "rallied 4-4-7: 169/324",
    );
}

/// A25.22, 10.62: under a Commissar DM does not count and ML is one higher. A 4-4-7 rallies on 8 or
/// less, whether or not the Commissar is in the stack.
#[test]
fn desperation_morale_is_ignored_under_a_commissar() {
    assert_ends(&rally("commissar:9-0 + russian:4-4-7/dm", "none"), 2, "rallied 4-4-7: 13/18");
    assert_ends(&rally("russian:4-4-7/dm", "commissar:9-0"), 1, "rallied 4-4-7: 13/18");
}

/// A25.22: the price of a failed Rally. Squads and half-squads are Replaced by the next lower
/// class, or else Reduced and eliminated; crews have no lower class. Fate (10.64) on 12 is always
/// Casualty Reduction. Each rallies on its broken ML plus 1 or less.
#[test]
fn failed_rally_under_commissar_replaces_or_reduces() {
    for (unit, expected) in [
        // 8 or less; 9 to 11; 12.
        ("4-4-7", "rallied 4-4-7: 13/18, broken 4-2-6: 1/4, broken 2-3-7: 1/36"),
        // 9 or less; 10 and 11; 12.
        ("6-2-8:e", "rallied 6-2-8: 5/6, broken 5-2-7: 5/36, broken 3-2-8: 1/36"),
        // 7 or less; 8 to 11; 12.
        ("2-3-7", "rallied 2-3-7: 7/12, broken 2-2-6: 7/18, eliminated: 1/36"),
        // 6 or less; 7 to 12.
        ("4-2-6", "rallied 4-2-6: 5/12, broken 2-2-6: 7/12, disrupted 4-2-6: 0"),
        // 5 or less; 6 to 12.
        ("2-2-6", "rallied 2-2-6: 5/18, eliminated: 13/18"),
        // 9 or less; 10 to 12.
        ("2-2-8:crew", "rallied 2-2-8: 5/6, eliminated: 1/6"),
        ("3-2-8:2", "rallied 3-2-8: 5/6, eliminated: 1/6"),
    ] {
        assert_ends(&rally(&format!("russian:{unit}/broken"), "commissar:9-0"), 1, expected);
    }
}

/// A25.22: the price of leaders. They are Replaced by the next grade, and a 6+1 is eliminated. 8-0:
/// 9 or less; 10 and 11; 12, wounded by 4/6. 6+1: 7 or less; 8 to 11 (14/36), and 12 with a dr of 5
/// or 6. I-50: by the alternative nothing happens.
#[test]
fn failed_rally_under_commissar_replaces_leaders() {
    let eight = rally("russian:8-0/broken", "commissar:9-0");
    assert_ends(&eight, 1, "rallied 8-0: 5/6, broken 8-0 wounded: 1/54, eliminated: 1/108");
    assert_switch(&eight, "i50", 1, "broken 7-0", "5/36", "0");
    assert_switch(&eight, "i50", 1, "broken 8-0", "0", "5/36");
    let six = rally("russian:6+1/broken", "commissar:9-0");
    assert_ends(&six, 1, "rallied 6+1: 7/12, disrupted 6+1: 0");
    // 14/36 + 1/108.
    assert_switch(&six, "i50", 1, "eliminated", "43/108", "1/108");
}

/// A25.22, 19.13: an underlined 6-2-8 (broken ML 9, so 10 or less) becomes two half-squads on 11,
/// and one by Fate on 12.
#[test]
fn failed_rally_under_commissar_splits_underlined_squad() {
    let question = rally("russian:6-2-8:2/broken", "commissar:9-0");
    assert_ends(&question, 1, "rallied 6-2-8: 11/12, broken 3-2-8: 1/12");
    assert_ends(&question, 2, "broken 3-2-8: 1/18");
}

/// A25.22, 10.64: I-51: Fate is Casualty Reduction only. By the alternative the 2-3-7 is Replaced
/// as well.
#[test]
fn fate_under_a_commissar_only_reduces() {
    let question = rally("russian:4-4-7/broken", "commissar:9-0");
    assert_switch(&question, "i51", 1, "broken 2-3-7", "1/36", "0");
    assert_switch(&question, "i51", 1, "broken 2-2-6", "0", "1/36");
}

/// A25.22, 10.2: a leader eliminated as the price causes a LLMC at once. A 6+1 with ML 7 dies on
/// 14/36 + 1/108. A broken 4-2-6 with ML 6 stays whole on 6 or less, and then rallies on 6 or less.
#[test]
fn leader_eliminated_by_failed_rally_causes_a_check() {
    let question = rally("commissar:9-0 + russian:6+1/broken + russian:4-2-6/broken", "none");
    // 15/36 * (1 - 43/108 + 43/108 * 15/36).
    assert_ends(&question, 3, "rallied 4-2-6: 4975/15552");
}

/// 15.4, A25.22: a berserk Commissar takes all units but heroes with it. It rolls a 2, then at +1
/// in all 8 to 10, or 11 and 12 in place of surrender (15/36). The crew, broken or not, then takes
/// its NMC against 10: 10 or less, else it is eliminated.
#[test]
fn berserk_commissar_takes_all_but_heroes_along() {
    for crew in ["russian:2-2-8:crew", "russian:2-2-8:crew/broken"] {
        // 15/1296 * 33/36.
        assert_ends(&heated(&format!("commissar:9-0 + {crew}")), 2, "berserk 2-2-8: 55/5184");
    }
    assert_ends(&heated("commissar:9-0 + hero"), 2, "berserk 1-4-9: 0");
}

/// 15.41, A25.22: a Commissar that follows a berserk 8-0 takes all units with it. The 8-0 rolls a 2
/// and at +2 in all (Russian, elite, broken) 7 to 9 (15/36). The Commissar follows on 9 or less. If
/// it does not, the crew, with ML 9 beside it, still may: 9 or less.
#[test]
fn commissar_that_follows_takes_all_units_along() {
    let fields = "stack=russian:8-0/broken + commissar:9-0 + russian:2-2-8:crew; phases=1; own-rph=never; hob";
    let question = ask(QuestionKind::Rally, fields);
    // 15/1296 * 30/36.
    assert_ends(&question, 2, "berserk 9-0: 25/2592");
    // 15/1296 * (30/36 + (1 - 30/36) * 30/36).
    assert_ends(&question, 3, "berserk 2-2-8: 175/15552");
}

/// 15.3, 15.21, A25.22: I-21: a Commissar never Battle Hardens. At +1 it is only heroic on 3 or
/// less (3 in 36). On 4 and 5 (7) it is heroic, by the alternative Fanatic as well. On 6 and 7 (11)
/// it does not change, by the alternative it is Fanatic.
#[test]
fn commissar_becomes_heroic_but_never_hardens() {
    let question = heated("commissar:9-0");
    assert_switch(&question, "i21", 1, "good-order 9-0/heroic", "5/648", "1/432");
    assert_switch(&question, "i21", 1, "good-order 9-0/fanatic,heroic", "0", "7/1296");
    assert_switch(&question, "i21", 1, "good-order 9-0/fanatic", "0", "11/1296");
    // 25/36 + 11/1296.
    assert_switch(&question, "i21", 1, "good-order 9-0", "911/1296", "25/36");
}

/// 10.711, A25.22: a Commissar that goes along on a Voluntary Rout gives the 4-4-7 ML 8: 7 or less,
/// and an 8 pins.
#[test]
fn commissar_on_a_voluntary_rout_raises_morale() {
    let fields = "stack=commissar:9-0 + russian:4-4-7/broken; hexes=1; voluntary-rout";
    let question = ask(QuestionKind::Interdict, fields);
    assert_ends(&question, 2, "through 4-4-7: 7/12, pinned 4-4-7: 5/36");
    // The Commissar is lost when it fails: 9 or more.
    assert_ends(&question, 1, "eliminated: 5/18");
}

/// Panics unless the unit in `slot` ends as `end` with these odds, by the three values of I-64:
/// `default`, `never` and `always`. The value `alternative` must equal `always`.
fn assert_commissar_drm(
    kind: QuestionKind,
    fields: &str,
    slot: u8,
    end: &str,
    [default, never, always]: [&str; 3],
) {
    assert_ends(&ask(kind, fields), slot, &format!("{end}: {default}"));
    for (value, odds) in
        [("default", default), ("never", never), ("always", always), ("alternative", always)]
    {
        let question = ask(kind, &[fields, &format!("commissar-drm={value}")].join("; "));
        assert_ends(&question, slot, &format!("{end}: {odds}"));
    }
    let whole = ask(kind, fields);
    for (name, odds) in [("commissar-drm=never", never), ("commissar-drm=always", always)] {
        let reading = INTERPRETATIONS.iter().find(|reading| reading.name() == name).unwrap();
        assert_ends(&common::flipped(&whole, reading.switch), slot, &format!("{end}: {odds}"));
    }
}

/// 25.22, 17.3, 10.72: I-64: a wounded 9-0 leads a Rally without a DRM: broken ML 7 + 1, so 8 or
/// less (26/36). With its +1 it is 7 or less (21/36).
#[test]
fn drm_of_wounded_commissar_is_ignored_in_a_rally() {
    let fields = "stack=russian:4-4-7/dm; leader=commissar:9-0/wounded; phases=1";
    assert_commissar_drm(
        QuestionKind::Rally,
        fields,
        1,
        "rallied 4-4-7",
        ["13/18", "13/18", "7/12"],
    );
    let in_the_stack = "stack=commissar:8+1 + russian:4-4-7/dm; phases=1";
    assert_commissar_drm(
        QuestionKind::Rally,
        in_the_stack,
        2,
        "rallied 4-4-7",
        ["13/18", "13/18", "7/12"],
    );
}

/// I-64 set to its third reading is named by that reading, whatever it is compared with.
#[test]
fn third_reading_is_named_in_comparisons() {
    let fields = "stack=commissar:8+1 + russian:4-4-7; mc=0; commissar-drm=always";
    let draft = common::draft(QuestionKind::Check, fields);
    let readings = draft.readings(Some("commissar-drm")).unwrap();
    let always = INTERPRETATIONS
        .iter()
        .find(|reading| reading.name() == "commissar-drm=always")
        .unwrap()
        .alternative;
    assert_eq!(readings.len(), 2);
    for reading in readings {
        assert!(
            reading.setting.about.contains(&format!("from  always: {always}\n")),
            "{}",
            reading.setting.about
        );
    }
}

/// 25.22, 10.21, 17.3: I-64: in a MC the +1 of a wounded 9-0 counts beside the Morale Level it
/// gives. The Commissar (ML 8) is unpinned on 7 or less (21/36), pinned on 8 (5/36), lost on 9 or
/// more (10/36). Beside it the 4-4-7 (7 + 1) is clean on 6 or less, without the DRM on 7 or less.
/// Beside a pinned or lost one it needs 6 or less, and after a loss 7 or less once more.
#[test]
fn drm_of_wounded_commissar_counts_in_a_mc() {
    let fields = "stack=commissar:9-0/wounded + russian:4-4-7; mc=0; elr=5";
    // 26/36 * 15/36 + 10/36 * 15/36 * 21/36.
    let with = "955/2592";
    // 21/36 * 21/36 + 5/36 * 15/36 + 10/36 * 15/36 * 21/36.
    let without = "1207/2592";
    assert_commissar_drm(QuestionKind::Check, fields, 2, "good-order 4-4-7", [with, without, with]);
    // Interdiction (10.53) is a NMC. With a Commissar in the hex the 4-4-7 gets through on 6 or
    // less, without the DRM on 7 or less.
    let fields = "stack=russian:4-4-7/broken; leader=commissar:9-0/wounded; hexes=1";
    assert_commissar_drm(
        QuestionKind::Interdict,
        fields,
        1,
        "through 4-4-7",
        ["5/12", "7/12", "5/12"],
    );
}

/// 25.22, 10.21, 7.305: I-64: in a PTC the 8+1 is unpinned on 8 or less (26/36), else pinned.
/// Beside it the 4-4-7 (7 + 1) passes on 7 or less, without the DRM on 8 or less. Beside a pinned
/// one it needs 7 or less.
#[test]
fn drm_of_poor_commissar_counts_in_a_task_check() {
    let fields = "stack=commissar:8+1 + russian:4-4-7; ptc";
    // 26/36 * 26/36 + 10/36 * 21/36.
    assert_commissar_drm(
        QuestionKind::Check,
        fields,
        2,
        "good-order 4-4-7",
        ["7/12", "443/648", "7/12"],
    );
}

/// 25.22, I-8: beside a Commissar in the hex no other DRM counts. By the alternative this still
/// holds, and the Commissar lends no DRM either: 7 or less against ML 8 (21/36) gets through.
#[test]
fn commissar_in_the_hex_bars_leadership_of_others() {
    let fields =
        "stack=russian:9-1 + russian:4-4-7/broken; leader=commissar:9-0; hexes=1; voluntary-rout";
    assert_switch(&ask(QuestionKind::Interdict, fields), "i08", 2, "through 4-4-7", "7/12", "7/12");
}

/// 25.22, I-45: a berserk Commissar takes broken units along without a NTC. The switch concerns the
/// NTC of other leaders only.
#[test]
fn berserk_commissar_takes_broken_units_along() {
    let question = heated("commissar:9-0 + russian:4-4-7/broken");
    let flipped =
        common::flipped(&question, lowcrawl::asl::rulebook::Switch::BrokenSparedBerserkCheck);
    assert_eq!(common::odds(&question), common::odds(&flipped));
    assert_ends(&question, 2, "berserk 4-4-7: 259363/11337408");
}
