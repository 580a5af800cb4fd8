//! All exact figures of the worked examples, by number. C1 to C6 are causes of Fortitude Tests, and
//! "at 8" means that 8 of the 20 faces pass. Unless stated otherwise the base Fortitude is 10.

use crate::table;
use lowcrawl::answer::{Answerable as _, QuestionInfo as _};
use lowcrawl::fortitude::battle::Outcome;
use lowcrawl::process::Question as _;

use super::questions::{ask, fraction, outcomes, status, sum};

/// Checks figures: number, kind of question, fields, report point, and the odds of statuses of unit 1.
fn assert_figures(figures: &str) {
    for [number, kind, fields, point, odds] in table::rows(figures) {
        for (statuses, odds) in odds.split(", ").map(|odds| odds.rsplit_once(' ').unwrap()) {
            let found = status(&ask(kind, fields), point.parse().unwrap(), 1, statuses);
            assert_eq!(found, fraction(odds), "FT-{number}: {statuses} by {fields}");
        }
    }
}

/// C5: 10 - 1 (Fire and Retreat) + 4 (staff near) - 1 (casualty) = 12. C1: 10 + 3 + 2 - 2
/// (Shaken) - 2 (casualties) = 11.
#[test]
fn ft_01_and_02_modifiers_add_up_to_the_fortitude() {
    assert_figures(
        "
            01 | test | units=ashigaru-archers/staff=2; cause=casualties; order=fire-and-retreat | 0 | normal 3/5
            02 | test | units=unit/commander,honor,shaken,casualties=2; cause=morale             | 0 | hesitant 11/20
        ",
    );
}

/// C1 is at 8 while Shaken, then at 9 while Hesitant: 20/8 + 20/9 Morale Phases on average.
#[test]
fn ft_03_shaken_unit_recovers_by_tests_at_8_and_9() {
    assert_figures(
        "
            03 | recover | units=unit/shaken; turns=6 | 2 | normal 9/50
            03 | recover | units=unit/shaken; turns=6 | 3 | normal 387/1000
            03 | recover | units=unit/shaken; turns=6 | 4 | normal 11313/20000
            03 | recover | units=unit/shaken; turns=6 | 5 | normal 56223/80000
            03 | recover | units=unit/shaken; turns=6 | 6 | normal 6412329/8000000
        ",
    );
    let question = ask("recover", "units=unit/shaken");
    assert_eq!(question.expected_morale_phases(1), Some((85, 18)), "FT-03.E");
    assert_eq!(
        question.texts().notes,
        ["the unit is Normal after 85/18 = 4.722 Morale Phases on average"]
    );
}

/// C1 is at 7 while Panicked, at 8 while Shaken, at 9 while Hesitant: 20/7 + 20/8 + 20/9 Morale
/// Phases on average.
#[test]
fn ft_04_panicked_unit_recovers_by_tests_at_7_8_and_9() {
    assert_figures(
        "
            04 | recover | units=unit/panicked; turns=4 | 1 | panicked 13/20, shaken 7/20
            04 | recover | units=unit/panicked; turns=4 | 2 | panicked 169/400, shaken 7/16, hesitant 7/50
            04 | recover | units=unit/panicked; turns=4 | 3 | panicked 2197/8000, shaken 3283/8000, hesitant 63/250, normal 63/1000
            04 | recover | units=unit/panicked; turns=4 | 4 | panicked 28561/160000, shaken 2191/6400, hesitant 1211/4000, normal 441/2500
        ",
    );
    assert_eq!(
        ask("recover", "units=unit/panicked").expected_morale_phases(1),
        Some((955, 126)),
        "FT-04.E"
    );
}

/// The modifiers are +3 (Commander), +4 (staff near), -3 (casualties) and -2 (staff lost).
#[test]
fn ft_05_commander_speeds_recovery_and_losses_slow_it() {
    assert_figures(
        "
            05.a | recover | units=unit/shaken,commander; turns=3        | 3 | normal 1221/2000
            # Two hexes away, and blocked, so it does not flee to its staff.
            05.b | recover | units=unit/shaken,staff=2,blocked; turns=3  | 3 | normal 273/400
            05.c | recover | units=unit/shaken,casualties=3; turns=3     | 3 | normal 147/800
            05.d | recover | units=unit/shaken; staff-lost=true; turns=3 | 3 | normal 987/4000
        ",
    );
}

/// A Panicked unit moves 2 hexes at once, and 2 more after each C1 failed at 7.
#[test]
fn ft_06_panicked_unit_leaves_the_board_at_its_edge() {
    assert_figures(
        "
            06 | recover | units=unit/panicked,edge=2; just-routed=true; turns=5 | 5 | left-board 1
            06 | recover | units=unit/panicked,edge=4; just-routed=true; turns=5 | 5 | left-board 13/20
            06 | recover | units=unit/panicked,edge=6; just-routed=true; turns=5 | 5 | left-board 169/400
            06 | recover | units=unit/panicked,edge=8; just-routed=true; turns=5 | 5 | left-board 2197/8000
        ",
    );
}

/// By level, the test on a flank (C2) is at 7, 6, 5, 4, and the one in the rear (C3) at 5, 4, 3, 2.
#[test]
fn ft_07_rear_assault_fails_more_often_than_flank() {
    assert_figures(
        "
            07 | test | units=unit; cause=flank          | 0 | hesitant 13/20
            07 | test | units=unit/hesitant; cause=flank | 0 | shaken 7/10
            07 | test | units=unit/shaken; cause=flank   | 0 | panicked 3/4
            07 | test | units=unit/panicked; cause=flank | 0 | surrendered 4/5
            07 | test | units=unit; cause=rear           | 0 | hesitant 3/4
            07 | test | units=unit/hesitant; cause=rear  | 0 | shaken 4/5
            07 | test | units=unit/shaken; cause=rear    | 0 | panicked 17/20
            07 | test | units=unit/panicked; cause=rear  | 0 | surrendered 9/10
        ",
    );
}

/// The unit surrenders unless it passes both tests: 1 - 4/20 * 4/20; 1 - 4/20 * 2/20; 1 - 7/20 *
/// 7/20.
#[test]
fn ft_08_panicked_unit_surrenders_in_a_combined_assault() {
    assert_figures(
        "
            08.a | assault | units=unit/panicked; sides=flank,flank           | 1 | surrendered 24/25
            08.b | assault | units=unit/panicked; sides=flank,rear            | 1 | surrendered 49/50
            08.c | assault | units=unit/panicked,commander; sides=flank,flank | 1 | surrendered 351/400
        ",
    );
}

/// Sequential tests are C2 at 5 and, once Panicked, at 4. Simultaneous tests are both at 5.
#[test]
fn ft_09_simultaneous_tests_ignore_the_first_failure() {
    assert_figures(
        "
            09     | assault | units=unit/shaken; sides=flank,flank | 1 | shaken 1/16, panicked 27/80, surrendered 3/5
            09.sim | assault | units=unit/shaken; sides=flank,flank; combined-mode=simultaneous | 1 | shaken 1/16, panicked 3/8, surrendered 9/16
        ",
    );
}

/// Both tests use the order and the level from before. C2 is at 10 - 1 + 1 - 3 = 7, C3 at 5,
/// although the first failure ends the order.
#[test]
fn simultaneous_tests_use_order_and_level_from_before() {
    for order in ["flank-first", "rear-first"] {
        let fields = format!("units=unit/hesitant; order=defend; combined-order={order}");
        let fields =
            format!("09.sim.order | assault | {fields}; combined-mode=simultaneous; sides=");
        assert_figures(&format!("{fields}flank,flank | 1 | panicked 169/400"));
        assert_figures(&format!("{fields}flank,rear | 1 | panicked 39/80"));
    }
}

/// C2 is at 7 (6 once Hesitant), C3 at 5 (4 once Hesitant). The order in which the sides are given
/// does not matter.
#[test]
fn ft_10_order_of_two_tests_changes_the_odds() {
    for sides in ["flank,rear", "rear,flank"] {
        let fields = format!("units=unit; sides={sides}");
        assert_figures(&format!(
            "
                10.fr | assault | {fields} | 1 | normal 7/80, hesitant 157/400, shaken 13/25
                10.rf | assault | {fields}; combined-order=rear-first | 1 | normal 7/80, hesitant 31/80, shaken 21/40
            "
        ));
    }
}

/// C5 is at 9 after the first volley, and at 8 (7 once Hesitant) after the second. It is at 7 (6,
/// 5) after the third.
#[test]
fn ft_11_each_volley_lowers_the_fortitude() {
    let odds = "normal 63/1000, hesitant 1023/4000, shaken 661/1600, panicked 429/1600";
    assert_figures(&format!("11 | fire | units=unit; casualties=1; attacks=3 | 1 | {odds}"));
}

/// The hits of 6 dice at 1/2 are binomial, and Defense 1 absorbs one of them. C5 is at 10 less the
/// casualties.
#[test]
fn ft_12_hits_less_defense_are_casualties() {
    let question = ask("fire", "units=unit/models=5,defense=1; dice=6; value=10");
    let odds = outcomes(&question.whole());
    for (casualties, figure) in
        ["7/64", "15/64", "5/16", "15/64", "3/32", "1/64"].into_iter().enumerate()
    {
        let lost = |outcome: &Outcome| {
            let mut lost = None;
            question.amounts(1, outcome, &mut |quantity, amount| {
                lost = lost.or((quantity == 0).then_some(amount));
            });
            lost == Some(casualties as i64)
        };
        assert_eq!(sum(&odds, |_, outcome| lost(outcome)), fraction(figure), "FT-12.c{casualties}");
    }
    for (end, figure) in [("normal", "9/20"), ("hesitant", "171/320"), ("destroyed", "1/64")] {
        assert_eq!(status(&question, 1, 1, end), fraction(figure), "FT-12.{end}");
    }
}

/// The unit surrenders unless all 6 dice miss. On a flank it must pass a test too, and 5 dice miss.
#[test]
fn ft_13_panicked_unit_surrenders_in_melee() {
    assert_figures(
        "
            # Six hits are more than 5 models; with seven models no unit is destroyed.
            13.a | assault | units=unit/panicked,models=7; dice=6; value=10             | 1 | surrendered 63/64
            13.a | assault | units=unit/panicked; dice=6; value=10                      | 1 | surrendered or destroyed 63/64
            13.b | assault | units=unit/panicked,models=6; sides=flank; dice=5; value=8 | 1 | surrendered 15382/15625
            13.b | assault | units=unit/panicked; sides=flank; dice=5; value=8          | 1 | surrendered or destroyed 15382/15625
        ",
    );
}

/// Each of six units takes C6 at 8: 6 * 12/20 failures on average.
#[test]
fn ft_14_loss_of_the_staff_tests_every_unit() {
    let question = ask("test", "units=6x unit; cause=staff-lost; joint=true");
    let odds = outcomes(&question.whole());
    let failures =
        |outcome: &Outcome| question.label(0, outcome).outcome.unwrap().matches("hesitant").count();
    assert_eq!(sum(&odds, |_, outcome| failures(outcome) == 0), fraction("64/15625"), "FT-14.0");
    assert_eq!(sum(&odds, |_, outcome| failures(outcome) >= 4), fraction("1701/3125"), "FT-14.4");
    let apart = ask("test", "units=6x unit; cause=staff-lost");
    for slot in 1..=6 {
        assert_eq!(
            status(&apart, 0, slot, "hesitant"),
            fraction("3/5"),
            "FT-14.E is six times that"
        );
    }
    // A question about all units together is not split.
    for (joint, processes) in [("true", 1), ("false", 2)] {
        let question = ask("recover", &format!("units=2x unit/shaken; turns=1; joint={joint}"));
        assert_eq!(question.parts().all().count(), processes, "{joint}");
    }
    let expected: f64 =
        odds.iter().map(|((_, outcome), odds)| failures(outcome) as f64 * odds.to_f64()).sum();
    assert!((expected - 3.6).abs() < 1e-12, "FT-14.E: {expected}");
}

/// The unit flees from 5 to 3 hexes. Then it passes C1 at 8 (8/20), or flees on to its staff
/// (12/20). C1 of turn 2 is at 9, or at 13: 8/20 * 9/20 + 12/20 * 13/20.
#[test]
fn ft_15_fleeing_unit_rallies_at_its_staff() {
    let question = ask("recover", "units=unit/shaken,staff=5; just-routed=true; turns=2");
    assert_eq!(question.quantities(), ["models lost", "hexes run in Retreat Steps"]);
    let odds = outcomes(&question.whole());
    let hexes = |outcome: &Outcome| {
        let mut hexes = 0;
        question.amounts(2, outcome, &mut |quantity, amount| {
            hexes = if quantity == 1 { amount } else { hexes }
        });
        hexes
    };
    // A unit that reaches the staff has run 4 hexes; a unit that passes C1 has run 2.
    let rallied = sum(&odds, |point, outcome| point == 1 && hexes(outcome) == 4);
    assert_eq!(rallied, fraction("3/5"), "FT-15.a");
    assert_eq!(status(&question, 1, 1, "hesitant"), fraction("1"));
    assert_eq!(status(&question, 2, 1, "normal"), fraction("57/100"), "FT-15.b");
}

/// Three dice hit at 5/20. One hit costs nothing, two cost a model, three cost two. C5 is then at 9
/// or 8.
#[test]
fn ft_16_unit_under_fire_every_turn_may_recover() {
    assert_figures(
        "
            16.1    | fire | units=unit; dice=3; value=5; turns=3 | 1 | normal 1169/1280, hesitant 111/1280
            16.2    | fire | units=unit; dice=3; value=5; turns=3 | 2 | normal 3540783/4096000, hesitant 943523/8192000, shaken 166131/8192000
            16.rout | fire | units=unit; dice=3; value=5; turns=3; until=routed | 3 | shaken or panicked 9949051233/209715200000
        ",
    );
}

/// `until=normal` for a unit that begins Normal: it must first leave that level. With one certain
/// casualty a turn, C5 is at 9, then C1 at 8. The unit is then reported with one model lost. A unit
/// that is still Normal in turn 2, or fails C1, has lost two.
#[test]
fn until_normal_waits_for_the_unit_to_leave_that_level() {
    let question = ask("fire", "units=unit; casualties=1; turns=2; until=normal");
    let odds = outcomes(&question.whole());
    let lost = |models: u8| {
        sum(&odds, |point, outcome| {
            point == 2
                && matches!(outcome, Outcome::Unit(1, standing) if standing.casualties == models)
        })
    };
    assert_eq!(lost(1), fraction("11/50"), "11/20 * 8/20");
    assert_eq!(lost(2), fraction("39/50"));
}

/// The unit passes two tests on the flank at 8 with Defend, (8/20)^2, and at 7 without, (7/20)^2.
/// All-Around Defense has no flank, so there are no tests.
#[test]
fn ft_17_all_around_defense_needs_no_flank_test() {
    assert_figures(
        "
            17 | assault | units=unit; sides=flank,flank; order=defend             | 1 | normal 4/25
            17 | assault | units=unit; sides=flank,flank; order=none               | 1 | normal 49/400
            17 | assault | units=unit; sides=flank,flank; order=all-around-defense | 1 | normal 1
        ",
    );
}

/// Five dice hit at 6/20 against Defense 1 + 1, so three hits cost a model. C5 is at 11 less
/// casualties and level.
#[test]
fn ft_18_defending_unit_wears_down_in_melee() {
    let fields = "units=unit; dice=5; value=6; order=defend; until=routed; turns=3";
    assert_figures(&format!(
        "
            18.1 | assault | {fields} | 1 | shaken 0
            18.2 | assault | {fields} | 2 | shaken 9656565093/400000000000
            18.3 | assault | {fields} | 3 | shaken 2495711843384697/40000000000000000
            18.3 | assault | {fields} | 3 | destroyed 186974906467491/40000000000000000, normal 6147291228984647/8000000000000000
        "
    ));
}
