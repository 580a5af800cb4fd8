//! Attacks on the Infantry Fire Table (7.3) and the loss of leaders (10.2) by small examples.
//!
//! A DR of n or less has 1 3 6 10 15 21 26 30 33 35 36 chances in 36 for n = 2 to 12. With a DRM of
//! -20 every attack of 1, 2 or 6 FP is a 1KIA, 2KIA or 3KIA, whatever is rolled.

use crate::common::{ask, assert_ends, assert_switch, check, flipped, odds, rally, sequence};
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::asl::rulebook::Switch;

/// Builds an attack without Cowering, with ELR 5.
fn fire(stack: &str, fp: i64, drm: i64) -> Question {
    fire_with(stack, fp, drm, "cowering=false")
}

fn fire_with(stack: &str, fp: i64, drm: i64, more: &str) -> Question {
    let fields = &format!("stack={stack}; fp={fp}; drm={drm}; elr=5");
    ask(QuestionKind::Fire, &[fields, more].join("; "))
}

/// 10.2: builds a sequence in which the units in `slots` are eliminated.
fn lose(stack: &str, slots: &'static str) -> Question {
    sequence(&format!("stack={stack}; elr=5"), &[&format!("do=eliminate; slots={slots}")])
}

/// 10.41: builds a sequence in which the units in `slots` break voluntarily.
fn break_down(stack: &str, slots: &'static str) -> Question {
    sequence(&format!("stack={stack}; elr=5"), &[&format!("do=break; slots={slots}")])
}

/// 7.3, 7.303 - 7.305: an attack of 4 FP at +2. It is a 1MC on 2 and 3 (3/36; 5 or less unharmed),
/// a NMC on 4 (3/36; 6 or less) and a PTC on 5 (4/36; 7 or less). On 6 or more (26/36) it has no
/// effect.
#[test]
fn attack_takes_its_result_from_the_final_dr() {
    let question = fire("german:4-6-7", 4, 2);
    // 3/36 * 10/36 + 3/36 * 15/36 + 4/36 * 21/36 + 26/36.
    assert_ends(&question, 1, "good-order 4-6-7: 365/432");
    // Pinned: on the highest DR (6: 5/36, 7: 6/36), or by failing the PTC (15/36). 3/36 * 5/36 +
    // 3/36 * 6/36 + 4/36 * 15/36.
    assert_ends(&question, 1, "pinned 4-6-7: 31/432");
}

/// 7.9, 19.3: the attack above with Cowering. A double 1 on the 2 FP column is still a 1MC, a
/// double 2 is a PTC. Inexperienced firers lose two columns: a NMC, and no effect.
#[test]
fn cowering_shifts_doubles_left_by_one_or_two_columns() {
    let one = fire_with("german:4-6-7", 4, 2, "");
    // 3/36 * 10/36 + 2/36 * 15/36 + 5/36 * 21/36 + 26/36.
    assert_ends(&one, 1, "good-order 4-6-7: 367/432");
    let two = fire_with("german:4-6-7", 4, 2, "inexperienced");
    // 2/36 * 10/36 + 3/36 * 15/36 + 4/36 * 21/36 + 27/36.
    assert_ends(&two, 1, "good-order 4-6-7: 1121/1296");
}

/// 7.9: left of the 1 FP column there is no effect. Doubles are 6 of 36: 1 FP loses one column, 2
/// FP loses two.
#[test]
fn cowering_left_of_the_1_fp_column_has_no_effect() {
    for (fp, more, odds) in
        [(1, "", "1/6"), (2, "", "0"), (2, "inexperienced", "1/6"), (4, "inexperienced", "0")]
    {
        assert_ends(
            &fire_with("german:4-6-7", fp, -20, more),
            1,
            &format!("good-order 4-6-7: {odds}"),
        );
    }
}

/// 7.3: the column is the highest whose FP does not exceed that of the attack. A Final DR below 0
/// counts as 0, one above 15 as 15, where the 36 FP column has a PTC.
#[test]
fn fp_rounds_down_and_final_dr_is_clamped() {
    let odds_of = |fp, drm| odds(&fire("german:8-0 + german:4-6-7", fp, drm));
    assert_eq!(odds_of(8, 0), odds_of(11, 0));
    assert_ne!(odds_of(11, 0), odds_of(12, 0));
    assert_eq!(odds_of(36, 0), odds_of(1000, 0));
    assert_eq!(odds_of(16, -12), odds_of(16, -20));
    // 36 FP at +13 and more: a PTC whatever is rolled, passed on 7 or less. 30 FP at +13: nothing.
    for drm in [13, 14, 20] {
        let ends = "good-order 4-6-7: 7/12, pinned 4-6-7: 5/12";
        assert_ends(&fire("german:4-6-7", 36, drm), 1, ends);
    }
    assert_ends(&fire("german:4-6-7", 30, 13), 1, "good-order 4-6-7: 1/1");
    // At +6: 4MC on 2, 3MC on 3, 2MC on 4 and 5, 1MC on 6 and 7, NMC on 8, PTC from 9 on. Pinned:
    // (1 * 2 + 2 * 3 + 7 * 4 + 11 * 5 + 5 * 6 + 10 * 15) / 36 / 36.
    let ends = "pinned 4-6-7: 271/1296, good-order 4-6-7: 37/108";
    assert_ends(&fire("german:4-6-7", 36, 6), 1, ends);
}

/// 7.301, A.9: of two units, one is picked if its dr is not the lower: 21/36, ties included. The
/// other breaks without a DR, so there is no ELR failure and no Heat of Battle.
#[test]
fn kia_eliminates_one_unit_and_breaks_the_other() {
    let fields = "cowering=false; elr=0; hob";
    let question = fire_with("german:4-6-7 + german:4-6-8", 1, -20, fields);
    assert_ends(&question, 1, "eliminated: 7/12, broken 4-6-7: 5/12");
    assert_ends(&question, 2, "eliminated: 7/12, broken 4-6-8: 5/12");
}

/// 7.301, A.9: of three units two are picked, and every tie for the second place. A unit is spared
/// if two dr are above its own, (25 + 16 + 9 + 4 + 1) / 216. A 3KIA takes all of one to three
/// units.
#[test]
fn kia_eliminates_as_many_units_as_its_number() {
    let question = fire("german:4-6-7 + german:4-6-8 + german:4-4-7", 2, -20);
    assert_ends(&question, 2, "eliminated: 161/216, broken 4-6-8: 55/216");
    assert_ends(&fire("german:4-6-7 + german:4-6-8 + german:4-4-7", 6, -20), 3, "eliminated: 1/1");
    assert_ends(&fire("german:9-1 + hero", 2, -20), 2, "eliminated: 1/1");
}

/// 7.301, 15.2, 15.42, 20.5: a unit that is not picked (15/36) and cannot break is Reduced. SMC are
/// wounded, and die on 5 or 6.
#[test]
fn units_that_cannot_break_are_reduced_by_a_kia() {
    for (unit, end, odds) in [
        ("german:4-6-8/broken", "broken 2-4-8", "5/12"),
        ("german:4-6-8/berserk", "berserk 2-4-8", "5/12"),
        ("german:4-6-8/unarmed", "good-order 2-4-8", "5/12"),
        ("german:2-4-8/broken", "eliminated", "1/1"),
        ("hero", "good-order 1-3-8 wounded", "5/18"),
        ("german:8-0/heroic", "good-order 8-0/heroic wounded", "5/18"),
        ("german:8-0/berserk", "berserk 8-0 wounded", "5/18"),
        ("german:8-0/broken", "broken 8-0 wounded", "5/18"),
    ] {
        assert_ends(&fire(&format!("german:4-6-7 + {unit}"), 1, -20), 2, &format!("{end}: {odds}"));
    }
}

/// 7.302, A.9: 2 FP at 0 is a K/1 on a 2. The squad is Reduced and then takes a 1MC. Its half-squad
/// is clean on 5 or less, and no other result leaves one in Good Order. Of two squads each is
/// picked on 21/36, both if the dr tie.
#[test]
fn k_result_reduces_one_unit_before_its_check() {
    // 1/36 * 10/36.
    assert_ends(&fire("german:4-6-7", 2, 0), 1, "good-order 2-4-7: 5/648");
    // 1/36 * 21/36 * 10/36.
    assert_ends(&fire("german:4-6-7 + german:4-6-8", 2, 0), 1, "good-order 2-4-7: 35/7776");
    // 7.9: with Cowering the double 1 is a 1MC of the 1 FP column.
    assert_ends(&fire_with("german:4-6-7", 2, 0, ""), 1, "good-order 2-4-7: 0");
    // 15.42: a berserk squad becomes a berserk half-squad, and takes the 1MC against 10. A squad
    // that fails a 1MC (3 and 4, 5/36: 10 and 11) or a NMC (5, 4/36: 11) becomes one, too.
    // 1/36 * 30/36 + 5/36 * 5/36 + 4/36 * 2/36.
    assert_ends(&fire("german:4-6-7/berserk", 2, 0), 1, "berserk 2-4-7: 7/144");
}

/// 7.302, 10.3: the attack above on a broken squad. Its half-squad of ML 6 stays on 5 or less. The
/// squad may also fail a 1MC (5/36; 7 to 11: 20/36) or a NMC (4/36; 8 to 11: 14/36).
#[test]
fn k_result_reduces_a_broken_squad() {
    let question = fire("german:4-6-7/broken", 2, 0);
    // 1/36 * 10/36 + 5/36 * 20/36 + 4/36 * 14/36.
    assert_ends(&question, 1, "broken 2-4-7: 83/648");
    // A half-squad or crew is eliminated by the K, or by a 12 in a MC (9/36). 1/36 + 9/36 * 1/36.
    assert_ends(&fire("german:2-2-8:crew", 2, 0), 1, "eliminated: 5/144");
}

/// 7.302, 17.11: an SMC that is picked and survives takes no MC. It is wounded and unbroken on 1/36
/// * 4/6, and in no other way.
#[test]
fn k_result_wounds_or_kills_an_smc() {
    let leader = fire("german:8-0", 2, 0);
    // 1/36 * 2/6 + 9/36 * 1/36 * 2/6.
    assert_ends(&leader, 1, "good-order 8-0 wounded: 1/54, eliminated: 5/432");
    // A hero is also wounded by failing a 1MC (5/36; 9 to 11, and 12 with +1) or a NMC (4/36; 10
    // and 11, and 12). 1/36 * 4/6 + 5/36 * (9/36 * 4/6 + 1/36 * 3/6) + 4/36 * (5/36 * 4/6 + 1/36 *
    // 3/6).
    let hero = "431/7776";
    assert_ends(&fire("hero", 2, 0), 1, &format!("good-order 1-3-8 wounded: {hero}"));
}

/// 17.11, 15.2: I-6: a wounded hero that is Reduced by a K/1 (1/36) dies on a dr of 4 or more, by
/// the alternative in any case. A failed MC always kills it: 1MC (5/36) on 8 or more (15/36), NMC
/// (4/36) on 9 or more (10/36).
#[test]
fn k_result_kills_a_wounded_hero_on_4_or_more() {
    let question = fire("1-3-8", 2, 0);
    // 1/72 + 5/36 * 15/36 + 4/36 * 10/36; 1/36 + 5/36 * 15/36 + 4/36 * 10/36.
    assert_switch(&question, "i06", 1, "eliminated", "133/1296", "151/1296");
}

/// 7.305, 10.2: in a PTC leaders check first: the 8-1 passes on 8 or less. Then the squad passes on
/// 8 or less with its -1, else on 7 or less.
#[test]
fn pin_task_check_pins_only_units_that_can_be_pinned() {
    let ptc = |stack| ask(QuestionKind::Check, &format!("stack={stack}; ptc"));
    assert_ends(&ptc("german:4-6-7"), 1, "good-order 4-6-7: 7/12, pinned 4-6-7: 5/12");
    // 26/36 * 26/36 + 10/36 * 21/36.
    assert_ends(&ptc("german:4-6-7 + german:8-1"), 1, "good-order 4-6-7: 443/648");
    for (unit, end) in [
        ("german:4-6-7/broken", "broken 4-6-7"),
        ("german:4-6-7/pinned", "pinned 4-6-7"),
        ("german:4-6-7/berserk", "berserk 4-6-7"),
        ("german:8-0/heroic", "good-order 8-0/heroic"),
        ("hero", "good-order 1-4-9"),
    ] {
        assert_ends(&ptc(unit), 1, &format!("{end}: 1/1"));
    }
}

/// 10.1: I-3: led by a 10-3, a Fanatic 4-6-8 has pass number 12 in a PTC. It cannot fail, but by
/// the alternative it fails on a 12. The 10-3 is unpinned on 10 or less; if it is pinned the squad
/// needs 9 or less.
#[test]
fn task_check_on_12_fails_only_by_the_alternative() {
    let question = ask(QuestionKind::Check, "stack=german:10-3 + german:4-6-8/fanatic; ptc");
    // 33/36 + 3/36 * 30/36; 33/36 * 35/36 + 3/36 * 30/36.
    let odds = ("71/72", "415/432");
    assert_switch(&question, "i03", 2, "good-order 4-6-8/fanatic", odds.0, odds.1);
}

/// 7.8, 10.31: I-1: the squad above in a NMC. Led by the 10-3 (9 or less, 30/36) an 11 pins (2/36),
/// by the alternative it does not. Unled, a 9 pins (4/36). The 10-3 is pinned on 10 (3/36) or lost
/// on 11 and 12. If it breaks (8/108), a LLTC at +3 also pins clean units on 7 or more (21/36). If
/// it dies (1/108), the LLMC needs 6 or less.
#[test]
fn pass_number_12_pins_on_11_only_by_default() {
    let question = check("german:10-3 + german:4-6-8/fanatic", 0, 5);
    // 30/36 * 2/36 + 3/36 * 4/36 + 8/108 * (4/36 + 26/36 * 21/36) + 1/108 * 4/36 * 15/36; 3/36 *
    // 4/36 + 8/108 * (4/36 + 26/36 * 21/36) + 1/108 * 4/36 * 15/36.
    assert_switch(&question, "i01", 2, "pinned 4-6-8/fanatic", "371/3888", "191/3888");
}

/// 10.2, 7.301: a 1KIA on a 9-1, a 6-5-8 of the SS and a 4-6-7. Once the 9-1 is gone and the squads
/// are broken, the 4-6-7 (7 is less than 9) takes a LLMC at +1: whole on 6 or less, Reduced on 7 to
/// 11, eliminated on 12. The 6-5-8 (9) takes none.
#[test]
fn killed_leader_causes_check_of_lower_morale_squads() {
    let stack = "german:9-1 + german-ss:6-5-8 + german:4-6-7";
    let steps: [&str; 2] = ["do=break; slots=2,3", "do=eliminate; slots=1"];
    let after = sequence(&format!("stack={stack}"), &steps);
    assert_ends(&after, 3, "broken 4-6-7: 5/12, broken 2-4-7: 5/9, eliminated: 1/36");
    assert_ends(&after, 2, "broken 6-5-8: 1/1");
    // By the KIA itself: the 9-1 is picked and the 4-6-7 is not if the dr of the 9-1 is k, that of
    // the 4-6-7 less, and that of the SS k or less. The sum of (k - 1) * k over k = 1 to 6 is 70,
    // of 216. 70/216 * 20/36.
    assert_ends(&fire(stack, 1, -20), 3, "broken 2-4-7: 175/972");
    // The 6-5-8 is never Reduced.
    assert_ends(&fire(stack, 1, -20), 2, "broken 3-4-8: 0");
}

/// 10.2: a broken leader with a 4-6-8 and a 4-6-7 in a 1MC. It dies on a dr of 5 or 6 after a
/// failure short of 12, or on 12. For the 8-0 and 8-1 (8 to 11) that is 14/36 * 2/6 + 1/36 =
/// 17/108, for the 9-1 (9 to 11) 9/36 * 2/6 + 1/36 = 1/9. The 4-6-7 needs 5 or less (10/36), and
/// after the loss 7 or less (8-0) or 6 or less (8-1, 9-1). The 4-6-8 needs 6 or less (15/36), and
/// only after the loss of the 9-1 7 or less.
#[test]
fn loss_of_broken_leader_causes_check_by_its_morale() {
    for (leader, four_six_seven, four_six_eight) in [
        // 10/36 * (91/108 + 17/108 * 21/36).
        ("8-0", "6055/23328", "5/12"),
        // 10/36 * (91/108 + 17/108 * 15/36).
        ("8-1", "5885/23328", "5/12"),
        // 10/36 * (8/9 + 1/9 * 15/36); 15/36 * (8/9 + 1/9 * 21/36).
        ("9-1", "505/1944", "515/1296"),
    ] {
        let question =
            check(&format!("german:{leader}/broken + german:4-6-8 + german:4-6-7"), 1, 5);
        assert_ends(&question, 3, &format!("good-order 4-6-7: {four_six_seven}"));
        assert_ends(&question, 2, &format!("good-order 4-6-8: {four_six_eight}"));
    }
}

/// 10.2: the cases above once the squads are broken. A broken 4-6-7 has ML 7, too, and is Reduced
/// by the LLMC: for an 8-0 on 8 to 11 (14/36), for an 8-1 or 9-1 on 7 to 11 (20/36). A broken 4-6-8
/// (8) is Reduced only for a 9-1, on 8 to 11.
#[test]
fn loss_of_leader_reduces_broken_squads_by_its_morale() {
    for (leader, four_six_seven, four_six_eight) in
        [("8-0", "7/18", "0"), ("8-1", "5/9", "0"), ("9-1", "5/9", "7/18")]
    {
        let question =
            lose(&format!("german:{leader} + german:4-6-8/broken + german:4-6-7/broken"), "1");
        assert_ends(&question, 3, &format!("broken 2-4-7: {four_six_seven}"));
        assert_ends(&question, 2, &format!("broken 2-4-8: {four_six_eight}"));
    }
}

/// 10.22: a 9-1 alone passes a NMC on 9 or less, and the 9 pins. A 9-2 beside it has no higher ML
/// and does not help.
#[test]
fn leader_gets_no_help_from_an_equal_leader() {
    assert_ends(&check("german:9-1", 0, 5), 1, "good-order 9-1: 13/18, pinned 9-1: 1/9");
    assert_ends(&check("german:9-1 + german:9-2", 0, 5), 1, "good-order 9-1: 13/18");
}

/// 10.2, 10.22, 7.831: a 10-2 checks before a 9-1. If it is clean (9 or less), the 9-1 passes on 11
/// or less, and the 11 pins. If it is pinned (10), it does not help. If it is lost (11, 12), there
/// is a LLTC or LLMC at +2: 7 or less.
#[test]
fn leader_of_higher_morale_helps_another_leader() {
    let question = check("german:9-1 + german:10-2", 0, 5);
    assert_ends(&question, 2, "good-order 10-2: 5/6");
    // 30/36 * 33/36 + 3/36 * 26/36 + 3/36 * 26/36 * 21/36.
    assert_ends(&question, 1, "good-order 9-1: 2227/2592");
}

/// 10.2: I-32: whether the LLTC for a 9-1 comes before the 8-1 beside it checks, which then leads a
/// hero. The hero is unharmed on 10 or less with either leader, on 9 or less without, and takes no
/// LLTC or LLMC. The 9-1 is clean on 26/36, pinned on 4/36. Then the 8-1 leads if clean on 7 or
/// less (21/36). If the 9-1 broke (5/36, and 2/108 with a 12), by the alternative the 8-1 leads
/// only if it passes the LLTC on 7 or less, too.
#[test]
fn leader_loss_task_checks_come_later_by_default() {
    let question = check("german:9-1 + german:8-1 + hero", 0, 5);
    // 30/36 + 3/36 * (26/36 + 10/36 * 21/36).
    let later = "2351/2592";
    // 30/36 + 3/36 * (26/36 + (4/36 + 1/108) * 21/36 + (5/36 + 2/108) * 21/36^2).
    let at_once = "168677/186624";
    assert_switch(&question, "i32", 3, "good-order 1-4-9", later, at_once);
}

/// 10.72: I-23: the choice of leader makes no difference while both positions use the best one.
#[test]
fn choice_of_leader_changes_no_odds() {
    let question = check("german:9-1 + german:8-0 + german:6+1 + german:4-6-7", 1, 3);
    assert_eq!(odds(&question), odds(&flipped(&question, Switch::BestLeaderAlways)));
    let rally = rally("german:9-1 + german:8-0 + german:4-6-7/broken", "none");
    assert_eq!(odds(&rally), odds(&flipped(&rally, Switch::BestLeaderAlways)));
}

/// 10.2: the units that take a LLMC: those of lower ML, including heroes, never berserk units. For
/// a 10-2 it is at +2: a 4-6-7 needs 5 or less, a hero 7 or less. A 4-6-7 beside a 6+1 takes none.
/// A broken 4-3-6 (ML 5) beside a 6+1 gets no relief from the +1: 5 or less.
#[test]
fn units_of_lower_morale_take_leader_loss_morale_check() {
    for (stack, end, odds) in [
        ("german:10-2 + german:4-6-7", "good-order 4-6-7", "5/18"),
        ("german:10-2 + hero", "good-order 1-4-9", "7/12"),
        ("german:10-2 + german:4-6-7/berserk", "berserk 4-6-7", "1/1"),
        ("german:8-0 + german:4-6-8", "good-order 4-6-8", "1/1"),
        ("german:6+1 + german:4-6-7", "good-order 4-6-7", "1/1"),
        ("german:6+1 + german:4-3-6/broken", "broken 4-3-6", "5/18"),
        ("german:6+1 + german:4-3-6", "good-order 4-3-6", "1/1"),
        ("hero + german:4-6-7", "good-order 4-6-7", "1/1"),
        ("german:4-6-8 + german:4-6-7", "good-order 4-6-7", "1/1"),
    ] {
        assert_ends(&lose(stack, "1"), 2, &format!("{end}: {odds}"));
    }
}

/// 10.2: the units that take a LLTC: unbroken units of lower ML that can be pinned. For a 10-2 it
/// is at +2: 5 or less for a 4-6-7.
#[test]
fn pinnable_units_take_leader_loss_task_check() {
    for (stack, end, odds) in [
        ("german:10-2 + german:4-6-7", "good-order 4-6-7", "5/18"),
        ("german:10-2 + german:4-6-7", "pinned 4-6-7", "13/18"),
        ("german:10-2 + german:4-6-7/broken", "broken 4-6-7", "1/1"),
        ("german:10-2 + german:4-6-7/berserk", "berserk 4-6-7", "1/1"),
        ("german:10-2 + hero", "good-order 1-4-9", "1/1"),
        ("german:10-2 + german:8-0/heroic", "good-order 8-0/heroic", "1/1"),
        ("german:8-0 + german:4-6-8", "good-order 4-6-8", "1/1"),
    ] {
        assert_ends(&break_down(stack, "1"), 2, &format!("{end}: {odds}"));
    }
}

/// 10.2: Finns take at most a 1MC as LLMC (4-4-7: 6 or less), but the full LLTC (5 or less).
#[test]
fn finns_take_at_most_a_1mc_for_a_lost_leader() {
    assert_ends(&lose("finnish:10-2 + finnish:4-4-7", "1"), 2, "good-order 4-4-7: 5/12");
    assert_ends(&break_down("finnish:10-2 + finnish:4-4-7", "1"), 2, "good-order 4-4-7: 5/18");
}

/// 10.2: one loss causes another. If a 10-2 is lost, the 9-1 holds against +2 on 7 or less, else it
/// is lost as well. The 4-6-7 needs 5 or less, and then 6 or less against the +1 of the 9-1.
#[test]
fn loss_of_a_leader_may_cause_another_loss() {
    let question = lose("german:10-2 + german:9-1 + german:4-6-7", "1");
    // 10/36 * (21/36 + 15/36 * 15/36).
    assert_ends(&question, 3, "good-order 4-6-7: 545/2592");
    // Two at once: 5 or less and 6 or less. 10/36 * 15/36.
    assert_ends(
        &lose("german:10-2 + german:9-1 + german:4-6-7", "1,2"),
        3,
        "good-order 4-6-7: 25/216",
    );
}

/// 17.3, 10.2: a leader that is only wounded causes no loss check. A K/1 (1/36) on an 8-0 and a
/// 4-6-7 picks the 8-0 alone on 15/36. The 4-6-7 stays in Good Order under 2 FP on 7 or more
/// (21/36, no effect); on 6 (5/36) there is a PTC. In a MC it needs 6 - n or less. The 8-0 (no DRM)
/// fails on more than 8 - n, and then it is 7 or less again. In the K/1 it is whole on 15/36: 5 or
/// less against the 1MC. With a wounded 8-0 (4/6), which must lead with +1, it is 4 or less. With a
/// dead one there are 7 or less after it.
#[test]
fn wounded_leader_causes_no_loss_check() {
    let question = fire("german:8-0 + german:4-6-7", 2, 0);
    // 21/36 + 5/36 * 21/36 + 5/36 * 10/36 * (21/36 + (1 - 21/36) * 21/36) + 4/36 * 15/36 * (26/36 +
    // (1 - 26/36) * 21/36) + 1/36 * 15/36 * (4/6 * 6/36 + 2/6 * 10/36 * 21/36).
    let checked = "12931/17496";
    assert_ends(&question, 2, &format!("good-order 4-6-7: {checked}"));
}

/// 10.62: fire that could cause a NMC brings DM to a broken unit; Cowering is counted. 1 FP at +3
/// cannot (a PTC at most), so the Rally with an 8-0 is 7 or less. At +2 a 2 is a NMC (7 or less
/// whole), and the Rally is at +4: 3 or less. With Cowering the double 1 has no effect, so there is
/// no DM.
#[test]
fn fire_that_could_cause_a_nmc_brings_dm() {
    let question = |drm, cowering| {
        let steps: [&str; 2] = [
            &format!("do=fire; fp=1; drm={drm}; cowering={cowering}"),
            "do=rally; leader=8-0; own-rph=never",
        ];
        sequence("stack=german:4-6-7/broken", &steps)
    };
    assert_ends(&question(3, false), 1, "good-order 4-6-7: 7/12");
    // (35/36 + 1/36 * 21/36) * 3/36.
    assert_ends(&question(2, false), 1, "good-order 4-6-7: 427/5184");
    assert_ends(&question(2, true), 1, "good-order 4-6-7: 7/12");
}
