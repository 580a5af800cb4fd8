//! All exact figures of the worked examples, by number. C1 to C6 are causes of Fortitude Tests, and
//! "at 8" means that 8 of the 20 faces pass. Unless stated otherwise the base Fortitude is 10.

use lowcrawl::answer::{Answerable as _, QuestionInfo as _};
use lowcrawl::fortitude::battle::Outcome;
use lowcrawl::process::Question as _;

use super::questions::{ask, fraction, outcomes, status, sum};

/// Checks figures: number, kind of question, fields, report point, statuses of unit 1, odds.
fn assert_figures(figures: &[(&str, &str, &str, u16, &str, &str)]) {
    for (number, kind, fields, point, statuses, odds) in figures {
        assert_eq!(
            status(&ask(kind, fields), *point, 1, statuses),
            fraction(odds),
            "FT-{number}: {fields}"
        );
    }
}

/// C5: 10 - 1 (Fire and Retreat) + 4 (staff near) - 1 (casualty) = 12. C1: 10 + 3 + 2 - 2
/// (Shaken) - 2 (casualties) = 11.
#[test]
fn ft_01_and_02_modifiers_add_up_to_the_fortitude() {
    assert_figures(&[
        (
            "01",
            "test",
            "units=ashigaru-archers/staff=2; cause=casualties; order=fire-and-retreat",
            0,
            "normal",
            "3/5",
        ),
        (
            "02",
            "test",
            "units=unit/commander,honor,shaken,casualties=2; cause=morale",
            0,
            "hesitant",
            "11/20",
        ),
    ]);
}

/// C1 is at 8 while Shaken, then at 9 while Hesitant: 20/8 + 20/9 Morale Phases on average.
#[test]
fn ft_03_shaken_unit_recovers_by_tests_at_8_and_9() {
    for (turn, odds) in [
        (2, "9/50"),
        (3, "387/1000"),
        (4, "11313/20000"),
        (5, "56223/80000"),
        (6, "6412329/8000000"),
    ] {
        assert_figures(&[("03", "recover", "units=unit/shaken; turns=6", turn, "normal", odds)]);
    }
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
    let levels: [(u16, &[(&str, &str)]); 4] = [
        (1, &[("panicked", "13/20"), ("shaken", "7/20")]),
        (2, &[("panicked", "169/400"), ("shaken", "7/16"), ("hesitant", "7/50")]),
        (
            3,
            &[
                ("panicked", "2197/8000"),
                ("shaken", "3283/8000"),
                ("hesitant", "63/250"),
                ("normal", "63/1000"),
            ],
        ),
        (
            4,
            &[
                ("panicked", "28561/160000"),
                ("shaken", "2191/6400"),
                ("hesitant", "1211/4000"),
                ("normal", "441/2500"),
            ],
        ),
    ];
    for (turn, levels) in levels {
        for (level, odds) in levels {
            assert_figures(&[("04", "recover", "units=unit/panicked; turns=4", turn, level, odds)]);
        }
    }
    assert_eq!(
        ask("recover", "units=unit/panicked").expected_morale_phases(1),
        Some((955, 126)),
        "FT-04.E"
    );
}

/// The modifiers are +3 (Commander), +4 (staff near), -3 (casualties) and -2 (staff lost).
#[test]
fn ft_05_commander_speeds_recovery_and_losses_slow_it() {
    assert_figures(&[
        ("05.a", "recover", "units=unit/shaken,commander; turns=3", 3, "normal", "1221/2000"),
        // Two hexes away, and blocked, so it does not flee to its staff.
        ("05.b", "recover", "units=unit/shaken,staff=2,blocked; turns=3", 3, "normal", "273/400"),
        ("05.c", "recover", "units=unit/shaken,casualties=3; turns=3", 3, "normal", "147/800"),
        ("05.d", "recover", "units=unit/shaken; staff-lost=true; turns=3", 3, "normal", "987/4000"),
    ]);
}

/// A Panicked unit moves 2 hexes at once, and 2 more after each C1 failed at 7.
#[test]
fn ft_06_panicked_unit_leaves_the_board_at_its_edge() {
    for (edge, odds) in [(2, "1"), (4, "13/20"), (6, "169/400"), (8, "2197/8000")] {
        let fields = format!("units=unit/panicked,edge={edge}; just-routed=true; turns=5");
        assert_figures(&[("06", "recover", &fields, 5, "left-board", odds)]);
    }
}

/// By level, the test on a flank (C2) is at 7, 6, 5, 4, and the one in the rear (C3) at 5, 4, 3, 2.
#[test]
fn ft_07_rear_assault_fails_more_often_than_flank() {
    let levels = [
        ("normal", "hesitant"),
        ("hesitant", "shaken"),
        ("shaken", "panicked"),
        ("panicked", "surrendered"),
    ];
    for (side, odds) in
        [("flank", ["13/20", "7/10", "3/4", "4/5"]), ("rear", ["3/4", "4/5", "17/20", "9/10"])]
    {
        for ((before, after), odds) in levels.into_iter().zip(odds) {
            let unit =
                if before == "normal" { "unit".to_string() } else { format!("unit/{before}") };
            assert_figures(&[(
                "07",
                "test",
                &format!("units={unit}; cause={side}"),
                0,
                after,
                odds,
            )]);
        }
    }
}

/// The unit surrenders unless it passes both tests: 1 - 4/20 * 4/20; 1 - 4/20 * 2/20; 1 - 7/20 *
/// 7/20.
#[test]
fn ft_08_panicked_unit_surrenders_in_a_combined_assault() {
    assert_figures(&[
        ("08.a", "assault", "units=unit/panicked; sides=flank,flank", 1, "surrendered", "24/25"),
        ("08.b", "assault", "units=unit/panicked; sides=flank,rear", 1, "surrendered", "49/50"),
        (
            "08.c",
            "assault",
            "units=unit/panicked,commander; sides=flank,flank",
            1,
            "surrendered",
            "351/400",
        ),
    ]);
}

/// Sequential tests are C2 at 5 and, once Panicked, at 4. Simultaneous tests are both at 5.
#[test]
fn ft_09_simultaneous_tests_ignore_the_first_failure() {
    for (status, sequential, simultaneous) in
        [("shaken", "1/16", "1/16"), ("panicked", "27/80", "3/8"), ("surrendered", "3/5", "9/16")]
    {
        let fields = "units=unit/shaken; sides=flank,flank";
        let other = format!("{fields}; combined-mode=simultaneous");
        assert_figures(&[
            ("09", "assault", fields, 1, status, sequential),
            ("09.sim", "assault", &other, 1, status, simultaneous),
        ]);
    }
}

/// Both tests use the order and the level from before. C2 is at 10 - 1 + 1 - 3 = 7, C3 at 5,
/// although the first failure ends the order.
#[test]
fn simultaneous_tests_use_order_and_level_from_before() {
    for order in ["flank-first", "rear-first"] {
        let fields = |sides: &str| {
            format!(
                "units=unit/hesitant; order=defend; combined-mode=simultaneous; combined-order={order}; sides={sides}"
            )
        };
        assert_figures(&[
            ("09.sim.order", "assault", &fields("flank,flank"), 1, "panicked", "169/400"),
            ("09.sim.order", "assault", &fields("flank,rear"), 1, "panicked", "39/80"),
        ]);
    }
}

/// C2 is at 7 (6 once Hesitant), C3 at 5 (4 once Hesitant).
#[test]
fn ft_10_order_of_two_tests_changes_the_odds() {
    for (status, flank_first, rear_first) in
        [("normal", "7/80", "7/80"), ("hesitant", "157/400", "31/80"), ("shaken", "13/25", "21/40")]
    {
        // The order in which the sides are given does not matter.
        for sides in ["flank,rear", "rear,flank"] {
            let fields = format!("units=unit; sides={sides}");
            let other = format!("{fields}; combined-order=rear-first");
            assert_figures(&[
                ("10.fr", "assault", &fields, 1, status, flank_first),
                ("10.rf", "assault", &other, 1, status, rear_first),
            ]);
        }
    }
}

/// C5 is at 9 after the first volley, and at 8 (7 once Hesitant) after the second. It is at 7 (6,
/// 5) after the third.
#[test]
fn ft_11_each_volley_lowers_the_fortitude() {
    for (status, odds) in [
        ("normal", "63/1000"),
        ("hesitant", "1023/4000"),
        ("shaken", "661/1600"),
        ("panicked", "429/1600"),
    ] {
        assert_figures(&[("11", "fire", "units=unit; casualties=1; attacks=3", 1, status, odds)]);
    }
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
    assert_figures(&[
        // Six hits are more than 5 models; with seven models no unit is destroyed.
        (
            "13.a",
            "assault",
            "units=unit/panicked,models=7; dice=6; value=10",
            1,
            "surrendered",
            "63/64",
        ),
        (
            "13.a",
            "assault",
            "units=unit/panicked; dice=6; value=10",
            1,
            "surrendered or destroyed",
            "63/64",
        ),
        (
            "13.b",
            "assault",
            "units=unit/panicked,models=6; sides=flank; dice=5; value=8",
            1,
            "surrendered",
            "15382/15625",
        ),
        (
            "13.b",
            "assault",
            "units=unit/panicked; sides=flank; dice=5; value=8",
            1,
            "surrendered or destroyed",
            "15382/15625",
        ),
    ]);
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
        assert_eq!(question.parts().processes.len(), processes, "{joint}");
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
    let fields = "units=unit; dice=3; value=5; turns=3";
    assert_figures(&[
        ("16.1N", "fire", fields, 1, "normal", "1169/1280"),
        ("16.1H", "fire", fields, 1, "hesitant", "111/1280"),
        ("16.2N", "fire", fields, 2, "normal", "3540783/4096000"),
        ("16.2H", "fire", fields, 2, "hesitant", "943523/8192000"),
        ("16.2S", "fire", fields, 2, "shaken", "166131/8192000"),
        (
            "16.rout",
            "fire",
            "units=unit; dice=3; value=5; turns=3; until=routed",
            3,
            "shaken or panicked",
            "9949051233/209715200000",
        ),
    ]);
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
    for (order, odds) in [("defend", "4/25"), ("none", "49/400"), ("all-around-defense", "1")] {
        let fields = format!("units=unit; sides=flank,flank; order={order}");
        assert_figures(&[("17", "assault", &fields, 1, "normal", odds)]);
    }
}

/// Five dice hit at 6/20 against Defense 1 + 1, so three hits cost a model. C5 is at 11 less
/// casualties and level.
#[test]
fn ft_18_defending_unit_wears_down_in_melee() {
    let fields = "units=unit; dice=5; value=6; order=defend; until=routed; turns=3";
    assert_figures(&[
        ("18.1F", "assault", fields, 1, "shaken", "0"),
        ("18.2F", "assault", fields, 2, "shaken", "9656565093/400000000000"),
        ("18.3F", "assault", fields, 3, "shaken", "2495711843384697/40000000000000000"),
        ("18.3D", "assault", fields, 3, "destroyed", "186974906467491/40000000000000000"),
        ("18.3N", "assault", fields, 3, "normal", "6147291228984647/8000000000000000"),
    ]);
}
