//! Sequences of steps by small examples: Voluntary Break (10.41), losses, DM, conditions, and the
//! state one step leaves to the next.
//!
//! A DR of n or less has 1 3 6 10 15 21 26 30 33 35 36 chances in 36 for n = 2 to 12.

use crate::common::{assert_ends, assert_switch, sequence};
use lowcrawl::asl::question::Question;

const NMC: &str = "do=check; mc=0";
const BREAK: &str = "do=break";
const DM: &str = "do=dm";
/// A step: a Rally Phase of the other side, led by an 8-0.
const RALLY: &str = "do=rally; leader=8-0; own-rph=never";

fn with_stack(stack: &str, steps: &[&str]) -> Question {
    sequence(&format!("stack={stack}"), steps)
}

/// 10.41, 10.2: I-35: a 9-1 that breaks voluntarily causes a LLTC with +1: a 4-6-7 holds on 6 or
/// less. By the alternative it causes none.
#[test]
fn voluntary_break_of_a_leader_causes_a_task_check() {
    let question = with_stack("german:9-1 + german:4-6-7", &["do=break; slots=1"]);
    assert_ends(&question, 1, "broken 9-1: 1/1");
    assert_switch(&question, "i35", 2, "good-order 4-6-7", "5/12", "1/1");
    assert_switch(&question, "i35", 2, "pinned 4-6-7", "7/12", "0");
    // If the squad breaks as well, no unit can be pinned.
    assert_ends(&with_stack("german:9-1 + german:4-6-7", &[BREAK]), 2, "broken 4-6-7: 1/1");
}

/// 10.41: units that can break voluntarily: unbroken ones, including pinned units and pinned
/// leaders (7.831). Heroes and berserk units cannot, nor can unarmed ones, which a break would
/// Reduce. Broken units do not change.
#[test]
fn only_unbroken_units_that_can_break_do_so_voluntarily() {
    for (unit, end) in [
        ("german:4-6-7", "broken 4-6-7"),
        ("german:4-6-7/pinned", "broken 4-6-7"),
        ("german:8-0/pinned", "broken 8-0"),
        ("commissar:9-0", "broken 9-0"),
        ("german:4-6-7/fanatic", "broken 4-6-7/fanatic"),
        ("german:2-2-8:crew", "broken 2-2-8"),
        ("german:4-6-7/broken", "broken 4-6-7"),
        ("german:4-6-7/berserk", "berserk 4-6-7"),
        ("german:4-6-7/unarmed", "good-order 4-6-7"),
        ("german:8-0/heroic", "good-order 8-0/heroic"),
        ("hero", "good-order 1-4-9"),
    ] {
        assert_ends(&with_stack(unit, &[BREAK]), 1, &format!("{end}: 1/1"));
    }
}

/// 10.41, 10.62: a unit that breaks voluntarily has DM: 4-6-7 rallies on 3 or less under an 8-0,
/// without DM on 7 or less. A unit that was broken before gains none.
#[test]
fn voluntary_break_brings_dm() {
    assert_ends(&with_stack("german:4-6-7", &[BREAK, RALLY]), 1, "good-order 4-6-7: 1/12");
    assert_ends(&with_stack("german:4-6-7/broken", &[BREAK, RALLY]), 1, "good-order 4-6-7: 7/12");
}

/// 10.62: a DM step gives DM to broken units, and a Rally Phase removes it at its end. So 3/36 at
/// once, else 32/36 whole and broken, and then 7 or less; with DM again 3 or less.
#[test]
fn dm_step_adds_dm_and_rally_phase_removes_it() {
    let broken = "german:4-6-7/broken";
    assert_ends(&with_stack(broken, &[DM, RALLY]), 1, "good-order 4-6-7: 1/12");
    // 3/36 + 32/36 * 21/36.
    assert_ends(&with_stack(broken, &[DM, RALLY, RALLY]), 1, "good-order 4-6-7: 65/108");
    // 3/36 + 32/36 * 3/36.
    assert_ends(&with_stack(broken, &[DM, RALLY, DM, RALLY]), 1, "good-order 4-6-7: 17/108");
    assert_ends(&with_stack("german:4-6-7", &[DM, BREAK, RALLY]), 1, "good-order 4-6-7: 1/12");
}

/// 10.62: I-28: with a Known armed enemy ADJACENT all the time, DM returns as soon as it is removed:
/// 3/36, and 32/36 of 3/36. By the alternative it returns only with a new move: 32/36 of 21/36. This
/// holds for two Rally Phases in one step or in two.
#[test]
fn adjacent_enemy_renews_desperation_morale() {
    let both = format!("{RALLY}; phases=2");
    for steps in [&[both.as_str()][..], &[RALLY, RALLY]] {
        let question = sequence("stack=german:4-6-7/broken; enemy-adjacent", steps);
        // 3/36 + 32/36 * 3/36; 3/36 + 32/36 * 21/36.
        assert_switch(&question, "i28", 1, "good-order 4-6-7", "17/108", "65/108");
    }
}

/// 10.3, 10.6: a 4-6-7 (ELR 3) in a NMC, and a Rally Phase if it broke: 7 or less. It is broken on
/// 8 to 10 (12/36), with DM, and rallies on 3 or less. Replaced on 11 (2/36) it rallies as a 4-4-7.
/// 7.8: its pin (6/36) ends with the Rally Phase, and stays if that phase is left out.
#[test]
fn units_broken_by_a_check_rally_in_the_next_step() {
    for (condition, ends) in [
        // 21/36 + 12/36 * 3/36.
        ("", "good-order 4-6-7: 11/18, pinned 4-6-7: 0"),
        // 15/36 + 12/36 * 3/36.
        ("; if=broken", "good-order 4-6-7: 4/9, pinned 4-6-7: 1/6"),
    ] {
        let question = with_stack("german:4-6-7", &[NMC, &format!("{RALLY}{condition}")]);
        assert_ends(&question, 1, ends);
        // 2/36 * 3/36.
        assert_ends(&question, 1, "good-order 4-4-7: 1/216");
    }
}

/// 10.2, I-5: a Commissar and an 8-0 die together. The 8-0 is compared by 9, with the bonus, in
/// whatever slot it is. The 4-5-8 takes two NMC as LLMC: 26/36 each.
#[test]
fn leaders_eliminated_together_cause_two_checks() {
    for stack in [
        "commissar:9-0 + russian:8-0 + russian:4-5-8",
        "russian:8-0 + commissar:9-0 + russian:4-5-8",
    ] {
        let question = with_stack(stack, &["do=eliminate; slots=1,2"]);
        assert_ends(&question, 3, "good-order 4-5-8: 169/324");
    }
}

/// 19.12: a Disrupted unit does not rout; it stays where a broken unit would run.
#[test]
fn disrupted_units_do_not_rout() {
    let question = with_stack("german:4-3-6/disrupted", &["do=interdict; hexes=2"]);
    assert_ends(&question, 1, "disrupted 4-3-6: 1/1");
}

/// 10.2: conditions on a stack of a broken 4-6-7, a wounded 8-0 and a berserk 4-6-8. A hero beside
/// them is eliminated if the condition holds. Without a slot a condition asks about all remaining
/// units.
#[test]
fn conditions_test_the_state_of_units() {
    let stack = "german:4-6-7/dm + german:8-0/wounded + german:4-6-8/berserk + hero";
    for (condition, holds) in [
        ("broken", true),
        ("any broken", true),
        ("all broken", false),
        ("none broken", false),
        ("none pinned", true),
        ("1 broken", true),
        ("1 dm", true),
        ("2 broken", false),
        ("2 wounded", true),
        ("2 good-order", true),
        ("2 unbroken", true),
        ("3 berserk", true),
        ("3 good-order", false),
        ("3 unbroken", true),
        ("disrupted", false),
        ("fanatic", false),
        ("heroic", false),
        ("gone", false),
        ("captured", false),
    ] {
        let lost: &str = &format!("do=eliminate; slots=4; if={condition}");
        let expected = if holds { "1/1" } else { "0" };
        assert_ends(&with_stack(stack, &[lost]), 4, &format!("eliminated: {expected}"));
    }
}

/// 10.2: conditions are evaluated when their step comes. The hero is eliminated once the 8-0 is
/// gone, and no condition holds for a unit that is gone.
#[test]
fn conditions_are_evaluated_when_their_step_comes() {
    let lost = |slots, condition| format!("do=eliminate; slots={slots}; if={condition}");
    let stack = "german:8-0/broken + hero";
    let gone = [lost(1, "1 broken"), lost(2, "1 gone")];
    assert_ends(&with_stack(stack, &[&gone[0], &gone[1]]), 2, "eliminated: 1/1");
    let broken = [lost(1, "1 broken"), lost(2, "1 broken")];
    assert_ends(&with_stack(stack, &[&broken[0], &broken[1]]), 2, "good-order 1-4-9: 1/1");
}

/// 10.2: a leader is eliminated after a NMC if it passed. 8-0: 8 or less (26/36). The 4-6-7 needs 6
/// or less, and then 7 or less against the loss, by the step or (10/36) by the NMC.
#[test]
fn leader_lost_after_a_check_causes_a_second_check() {
    let lost: &str = "do=eliminate; slots=1; if=1 unbroken";
    let question = sequence("stack=german:8-0 + german:4-6-7; elr=5", &[NMC, lost]);
    // 15/36 * 21/36.
    assert_ends(&question, 2, "good-order 4-6-7: 35/144");
}

/// 7.305, 7.8: a PTC pins on 8 or more; a pinned unit does not take a second one. After a Rally
/// Phase the pin ends.
#[test]
fn pinned_unit_takes_no_second_ptc_before_a_rally_phase() {
    let ptc: &str = "do=check; ptc";
    // 21/36^2; 1 - 21/36^2.
    assert_ends(
        &with_stack("german:4-6-7", &[ptc, ptc]),
        1,
        "good-order 4-6-7: 49/144, pinned 4-6-7: 95/144",
    );
    assert_ends(&with_stack("german:4-6-7", &[ptc, RALLY, ptc]), 1, "good-order 4-6-7: 7/12");
}

/// 10.53, 10.6: a 4-6-7 breaks, crosses one Interdicted hex, and rallies in woods. It crosses on 6
/// or less, is pinned there on 7, and loses half on 8 to 11. Then with DM (+4 -1) it rallies on 4
/// or less, the 2-4-7 (ML 6) on 3 or less.
#[test]
fn dm_and_losses_carry_from_break_to_rally() {
    let run: &str = "do=interdict; hexes=1";
    let woods = &format!("{RALLY}; terrain=woods");
    let question = with_stack("german:4-6-7", &[BREAK, run, woods]);
    // 21/36 * 6/36; 14/36 * 3/36.
    assert_ends(&question, 1, "good-order 4-6-7: 7/72, good-order 2-4-7: 7/216");
    // 1/36 + 14/36 * 1/36.
    assert_ends(&question, 1, "eliminated: 25/648");
}

/// 10.53: a broken 4-6-7 (ML 7) in an Interdicted hex passes on 6 or less, is pinned on 7, Reduced
/// on 8 to 11, and eliminated on 12. Its half-squad (ML 6) runs on, and passes the next hex on 5 or
/// less.
#[test]
fn interdicted_hexes_pin_reduce_or_eliminate() {
    let run = |hexes| with_stack("german:4-6-7/broken", &[&format!("do=interdict; hexes={hexes}")]);
    assert_ends(&run(1), 1, "broken 4-6-7: 7/12, broken 2-4-7: 7/18, eliminated: 1/36");
    // Pinned in the first hex (6/36), or gone on to a 7 or less in the second. 6/36 + 15/36 *
    // 21/36.
    assert_ends(&run(2), 1, "broken 4-6-7: 59/144");
    // Reduced in the second hex (14/36), or in the first and then 6 or less, a 6 pinning. 15/36 *
    // 14/36 + 14/36 * 15/36.
    assert_ends(&run(2), 1, "broken 2-4-7: 35/108");
}

/// 10.711, 10.2: I-7: an 8-1 goes along with a broken 4-6-7: through on 7 or less, pinned on 8. On
/// 9 to 11 (9/36) the squad is Reduced and the leader lost. The 2-4-7 (ML 6 is less than 8) then
/// needs 5 or less against +1. By the alternative it goes on unhurt.
#[test]
fn leader_lost_on_a_voluntary_rout_causes_a_check() {
    let run: &str = "do=interdict; hexes=1; voluntary-rout";
    let question = with_stack("german:8-1 + german:4-6-7/broken", &[run]);
    assert_ends(&question, 1, "good-order 8-1: 13/18, eliminated: 5/18");
    assert_ends(&question, 2, "broken 4-6-7: 13/18");
    // 9/36 * 10/36.
    assert_switch(&question, "i07", 2, "broken 2-4-7", "5/72", "1/4");
}

/// 18.11: the first MMC of a side may Self-Rally only in its own RPh: a 4-6-7 at +1 on 6 or less.
#[test]
fn squad_self_rallies_only_in_its_own_rally_phase() {
    let rph = |own| format!("do=rally; own-rph={own}");
    for (own, odds) in [("odd", "5/12"), ("even", "0"), ("never", "0")] {
        assert_ends(
            &with_stack("german:4-6-7/broken", &[&rph(own)]),
            1,
            &format!("good-order 4-6-7: {odds}"),
        );
    }
}

/// 7.301, 10.6: a 1KIA on two squads, and a Rally Phase: 21/36 lost, 15/36 broken with DM and
/// rallied on 3 or less. A second attack (each of two units picked on 21/36) eliminates the rest.
#[test]
fn survivor_of_a_kia_rallies_with_dm() {
    let kill: &str = "do=fire; fp=1; drm=-20; no-cowering";
    let question = with_stack("german:4-6-7 + german:4-6-8", &[kill, RALLY]);
    // 15/36 * 3/36.
    assert_ends(&question, 1, "good-order 4-6-7: 5/144, eliminated: 7/12");
    // At least one is gone after the first attack; the remaining unit is the only target of the
    // second.
    assert_ends(&with_stack("german:4-6-7 + german:4-6-8", &[kill, kill]), 1, "eliminated: 1/1");
}

/// 15.1, 15.21, 7.301: results of Heat of Battle remain for the next step. A hero (1/36 * 15/36) is
/// under a 1KIA beside the unit that made it: picked on 21/36, else wounded, and dead on 5 or 6.
#[test]
fn hero_made_by_one_step_remains_for_the_next() {
    let fields = "stack=german:4-6-7; hob; elr=5";
    let kill: &str = "do=fire; fp=1; drm=-20; no-cowering";
    let question = sequence(fields, &[NMC, kill]);
    // 15/1296 * 15/36 * 4/6; 15/1296 * (21/36 + 15/36 * 2/6).
    let odds = ("25/7776", "65/7776");
    assert_ends(
        &question,
        2,
        &format!(
            "good-order 1-3-8 wounded: {}, eliminated: {}, good-order 1-4-9: 0",
            odds.0, odds.1
        ),
    );
}

/// 17.3, 10.3, 10.6: a wound remains, too. A heroic 8-0 passes a NMC on 9 or less (30/36). It is
/// wounded on 10 and 11 by 4/6 and on 12 by 3/6 (23/216), else dead. A broken 4-6-7 beside it stays
/// whole on 7 or less, gains DM, and rallies on 3 or less. A wounded leader has +1: 6 or less, and
/// 2.
#[test]
fn wound_of_one_step_counts_in_the_next() {
    let own: &str = "do=rally; own-rph=never";
    let question = with_stack("german:8-0/heroic + german:4-6-7/broken", &[NMC, own]);
    // 30/36 * 21/36 * 3/36 + 23/216 * 15/36 * 1/36.
    assert_ends(&question, 2, "good-order 4-6-7: 3895/93312");
}
