//! All worked figures by number. "Ignoring dispersal" means a cohesion that no volley reaches.

use super::*;

const POINTS: &str = "Disruption Points (cohesion where dispersed)";

/// Builds a question about a volley of `dice` dice at a unit.
fn volley(target: &str, dice: i64, fields: &str) -> Question {
    ask("volley", &[&format!("target={target}; dice={dice}"), fields].join("; "))
}

/// Returns the probability that the unit ends with this number of Disruption Points.
fn points(question: &Question, wanted: u8) -> Fraction {
    chance(&odds(question), |ends| {
        unit_end(ends, 0).is_some_and(|(status, dp, _)| status != Status::Dispersed && dp == wanted)
    })
}

/// Returns the probability that the unit ends suppressed, forced back or not.
fn suppressed(question: &Question) -> Fraction {
    let is = |status| matches!(status, Status::Suppressed | Status::ForcedBack);
    chance(&odds(question), |ends| unit_end(ends, 0).is_some_and(|(status, ..)| is(status)))
}

/// RD-01, sliding dice: without Reaction Dice any success is a Disruption Point. 5D at 7 are 4D at
/// 6, 1 - (5/6)^4.
#[test]
fn rd_01_dice_that_slide_are_lost() {
    for (id, tn, expected) in
        [("a", 4, "31/32"), ("b", 7, "671/1296"), ("c", 8, "91/216"), ("d", 1, "46655/46656")]
    {
        let question = volley("unit/reaction=0,cohesion=20", 5, &format!("fire-tn={tn}"));
        let none = points(&question, 0);
        let some = Fraction::new(none.denominator - none.numerator, none.denominator);
        assert_fraction(&format!("RD-01.{id}"), some, expected);
    }
}

/// RD-02, RD-03, Disruption: four dice against three. Unsuppressed targets roll at the firer's TN,
/// so P(no point) = 1/2.
#[test]
fn rd_02_and_rd_03_disruption_points_have_the_worked_odds() {
    let unsuppressed = ["1/2", "35/128", "21/128", "7/128", "1/128"];
    let suppressed = ["149/432", "43/144", "17/72", "11/108", "1/54"];
    for (id, condition, expected_points, mean) in
        [("RD-02", "", unsuppressed, "51/64"), ("RD-03", ",suppressed", suppressed, "497/432")]
    {
        let question = volley(&format!("unit/reaction=3,cohesion=9{condition}"), 4, "");
        for (wanted, odds) in expected_points.into_iter().enumerate() {
            assert_fraction(&format!("{id}.{wanted}"), points(&question, wanted as u8), odds);
        }
        assert_fraction(&format!("{id}.E"), expected(&question, POINTS), mean);
    }
}

/// RD-02.S, RD-03.S, Suppression: the check depends on no TN, and so not on whether the target is
/// suppressed. For a suppressed target it shows as forced back.
#[test]
fn rd_02_and_rd_03_suppression_depends_on_no_tn() {
    assert_fraction(
        "RD-02.S",
        suppressed(&volley("unit/reaction=3,cohesion=9", 4, "")),
        "12127/34992",
    );
    // Every firing die hits, and the suppressed target cancels on a 6 only. A matched six is a
    // cancelled hit, so a failed check always leaves a point, and shows as forced back.
    let fields = "fire-tn=2; reaction-tn-suppressed=6";
    let question = volley("unit/reaction=3,cohesion=9,suppressed", 4, fields);
    assert_fraction("RD-03.S", ends(&question, 1, "forced-back"), "12127/34992");
}

/// RD-04, Suppression: the target needs as many sixes as the firer, or is suppressed.
#[test]
fn rd_04_unmatched_sixes_suppress_the_target() {
    for (dice, reaction, odds) in [
        (1, 0, "1/6"),
        (1, 1, "5/36"),
        (2, 2, "95/432"),
        (6, 5, "214637/559872"),
        (8, 5, "177756931/362797056"),
        (8, 7, "3944802757/9795520512"),
        (8, 8, "114105678485/313456656384"),
    ] {
        let question = volley(&format!("unit/reaction={reaction},cohesion=20"), dice, "");
        assert_fraction(&format!("RD-04.{dice}v{reaction}"), suppressed(&question), odds);
    }
}

/// RD-05: eight dice against a Panzer IV and a Panther, fresh or suppressed.
#[test]
fn rd_05_suppressed_targets_are_dispersed_more_often() {
    for (id, target, none, dispersed) in [
        ("5u", "panzer-iv", "595/2048", "595/2048"),
        ("5s", "panzer-iv/suppressed", "9281/62208", "29059/62208"),
        ("7u", "panther", "1/2", "309/2048"),
        ("7s", "panther/suppressed", "148853/559872", "5191/15552"),
    ] {
        let question = volley(target, 8, "");
        assert_fraction(&format!("RD-05.{id}0"), points(&question, 0), none);
        assert_fraction(&format!("RD-05.{id}D"), ends(&question, 1, "dispersed"), dispersed);
    }
}

/// RD-06: close range and flank make 4+ a 2+.
#[test]
fn rd_06_close_range_and_flank_lower_the_tn_to_2() {
    let close = "range=close; flank";
    assert_fraction(
        "RD-06.D",
        ends(&volley("panzer-iv", 8, close), 1, "dispersed"),
        "11579875/13436928",
    );
    assert_fraction(
        "RD-06.E",
        expected(&volley("panzer-iv/cohesion=20", 8, close), POINTS),
        "112029845/26873856",
    );
}

/// RD-07, forced back: suppressed with at least one point; 6 inches and a D6 for each unmatched
/// six. The mean move, if there is one, is 734789/279936 / (1079/4374).
#[test]
fn rd_07_suppressed_unit_with_a_point_is_forced_back() {
    let ignoring = volley("unit/reaction=3,cohesion=9", 4, "inches");
    let forced = ends(&ignoring, 1, "forced-back");
    assert_fraction("RD-07.P", forced, "1079/4374");
    assert_fraction("RD-07.S", ends(&ignoring, 1, "suppressed"), "1165/11664");
    let inches = expected(&ignoring, "inches");
    assert_fraction("RD-07.I", inches, "734789/279936");
    let given =
        Fraction::new(inches.numerator * forced.denominator, inches.denominator * forced.numerator);
    assert_fraction("RD-07.C", given, "734789/69056");
    let fresh = volley("unit/reaction=3", 4, "inches");
    assert_fraction("RD-07.X", expected(&fresh, "inches"), "1191235/559872");
}

/// RD-08, forced back: the distance.
#[test]
fn rd_08_unmatched_sixes_lengthen_the_move_back() {
    let question = volley("unit/reaction=3,cohesion=9", 4, "inches");
    for (least, odds_of) in [(9, "625817/3359232"), (13, "5351731/120932352")] {
        let far = chance(&odds(&question), |ends| {
            unit_end(ends, 0).is_some_and(|(_, _, moved)| moved >= least)
        });
        assert_fraction(&format!("RD-08.{least}"), far, odds_of);
    }
}

/// RD-09, Rally Group: four dice at 4+. No point is left with two successes or more, 11 of 16. A
/// suppressed unit costs one more die.
#[test]
fn rd_09_four_rally_dice_remove_two_points_in_11_of_16() {
    let question = ask("rally", "units=unit/dp=2; orders=1; turns=1");
    for (left, odds) in [(0, "11/16"), (1, "1/4"), (2, "1/16")] {
        assert_fraction(&format!("RD-09.{left}"), points(&question, left), odds);
    }
    let fields = "units=unit/dp=2,suppressed; orders=2; turns=1";
    assert_fraction("RD-09.s2", points(&ask("rally", fields), 0), "11/16");
}

/// Builds a question about volleys with Command Dice between them.
fn volleys(target: &str, dice: i64, volleys: i64, orders: i64, fields: &str) -> Question {
    let own = &format!("target={target}; dice={dice}; volleys={volleys}; orders={orders}");
    ask("volleys", &[own, fields].join("; "))
}

/// RD-10, RD-11: up to three volleys with zero, one or two Command Dice between two of them.
#[test]
fn rd_10_and_rd_11_orders_between_volleys_reduce_dispersal() {
    for (id, target, dice, number, orders, odds) in [
        ("RD-10.r0k1", "unit/reaction=3", 4, 1, 0, "1/16"),
        ("RD-10.r0k2", "unit/reaction=3", 4, 2, 0, "32910323/120932352"),
        ("RD-10.r0k3", "unit/reaction=3", 4, 3, 0, "2145974140873/4231664861184"),
        ("RD-11.r1k2", "unit/reaction=3", 4, 2, 1, "740083/3981312"),
        ("RD-11.r1k3", "unit/reaction=3", 4, 3, 1, "223126528933/743008370688"),
        ("RD-11.r2k2", "unit/reaction=3", 4, 2, 2, "35419/262144"),
        ("RD-11.r2k3", "unit/reaction=3", 4, 3, 2, "13628951/67108864"),
        ("RD-11.big.r0", "panzer-iv", 8, 2, 0, "121874635764317/180551034077184"),
        ("RD-11.big.r1", "panzer-iv", 8, 2, 1, "283822314353/495338913792"),
        ("RD-11.big.r2", "panzer-iv", 8, 2, 2, "34617807/67108864"),
    ] {
        assert_fraction(id, ends(&volleys(target, dice, number, orders, ""), 1, "dispersed"), odds);
    }
}

/// RD-12, Army Morale: two points for each dispersal on average. Six units under a volley each: 6 x
/// 1/16 x 2.
#[test]
fn rd_12_each_dispersal_costs_two_morale_points_on_average() {
    for (orders, mean) in [
        (0, "2145974140873/2115832430592"),
        (1, "223126528933/371504185344"),
        (2, "13628951/33554432"),
    ] {
        let question = volleys("unit/reaction=3", 4, 3, orders, "army");
        assert_fraction(
            &format!("RD-12.r{orders}"),
            expected(&question, "Army Morale Points lost"),
            mean,
        );
    }
    // A side has at most four units here, so three and three are used, whose losses add up.
    let volley = |n| format!("{n}.do=volley; {n}.dice=4; {n}.target={n}");
    let steps = [1, 2, 3].map(volley).join("; ");
    let fields = format!("own=3x unit/reaction=3; {steps}");
    let three = expected(&ask("sequence", &fields), "Army Morale Points lost");
    assert_fraction("RD-12.six", Fraction::new(2 * three.numerator, three.denominator), "3/4");
}

/// RD-13, Army Morale: repeated D3 from 15 points. The expected number of dispersals until none is
/// left is the sum of the odds that some are left.
#[test]
fn rd_13_repeated_d3_exhaust_15_morale_points() {
    let question = ask("morale", "points=15; dispersals=15");
    let odds = odds(&question);
    let at_zero = |point| {
        chance_at(&odds, point, |ends| matches!(ends, [End::Army { status: Status::AtZero, .. }]))
    };
    for (dispersals, fraction) in
        [(5, "1/243"), (6, "26/243"), (7, "299/729"), (8, "4850/6561"), (10, "718/729")]
    {
        assert_fraction(&format!("RD-13.{dispersals}"), at_zero(dispersals), fraction);
    }
    let left = |point| {
        let Fraction { numerator, denominator } = at_zero(point);
        Fraction::new(denominator - numerator, denominator)
    };
    let mean =
        (1..=15).fold(Fraction::new(1, 1), |sum, point| sum.checked_add(left(point)).unwrap());
    assert_fraction("RD-13.E", mean, "37466656/4782969");
}

/// RD-14, Command Failure: more 1s than 6s. On average 5/6 of the dice are left.
#[test]
fn rd_14_command_fails_with_more_ones_than_sixes() {
    for (dice, failure, left) in [(5, "223/648", "25/6"), (6, "2785/7776", "5/1")] {
        let question = ask("command", &format!("dice={dice}"));
        assert_fraction(&format!("RD-14.{dice}F"), ends(&question, 1, "failure"), failure);
        assert_fraction(&format!("RD-14.{dice}U"), expected(&question, "Command Dice left"), left);
    }
    let both = ask("command", "dice=5; enemy-dice=6");
    assert_fraction("RD-14.both", ends(&both, 1, "turn-over"), "621055/5038848");
    assert_fraction("RD-14.both", ends(&both, 2, "turn-over"), "621055/5038848");
}

/// RD-15, Army Morale Check: against three dice.
#[test]
fn rd_15_army_morale_check_is_against_three_dice() {
    for (dice, odds) in [(3, "11/32"), (4, "1/2"), (5, "163/256")] {
        assert_fraction(
            &format!("RD-15.{dice}"),
            ends(&ask("check", &format!("dice={dice}")), 1, "passed"),
            odds,
        );
    }
}

/// RD-16, `all-if-more`: all hits count once they outnumber the successes.
#[test]
fn rd_16_all_hits_count_with_all_if_more() {
    let question = volley("unit/reaction=3,cohesion=9", 4, "dp-rule=all-if-more");
    for (wanted, odds) in ["1/2", "1/32", "3/16", "7/32", "1/16"].into_iter().enumerate() {
        assert_fraction(&format!("RD-16.{wanted}"), points(&question, wanted as u8), odds);
    }
}

/// RD-17, movement: 6 + 3 1/2; without the Fixed Move; three times 6 + 7.
#[test]
fn rd_17_moves_add_fixed_inches_and_dice() {
    for (id, unit, dice, inches) in [
        ("a", "panzer-iv", 1, "19/2"),
        ("b", "panzer-iv/suppressed", 1, "7/2"),
        ("c", "panzer-iv/fast", 3, "39/1"),
    ] {
        let question = ask("move", &format!("mover={unit}; dice={dice}"));
        assert_fraction(&format!("RD-17.{id}"), expected(&question, "inches"), inches);
    }
}

/// RD-18: with two points any point disperses; a Command Die decides whether the unit is
/// suppressed.
#[test]
fn rd_18_suppression_makes_dispersal_likelier() {
    assert_fraction("RD-18.u", ends(&volley("unit/reaction=3,dp=2", 4, ""), 1, "dispersed"), "1/2");
    assert_fraction(
        "RD-18.s",
        ends(&volley("unit/reaction=3,dp=2,suppressed", 4, ""), 1, "dispersed"),
        "283/432",
    );
}

/// RD-19, Wild Dice: one joins the reaction.
#[test]
fn rd_19_wild_die_makes_suppression_rarer() {
    for (wild, odds) in [(0, "12127/34992"), (1, "508045/1679616")] {
        let question = volley("unit/reaction=3,cohesion=9", 4, &format!("wild={wild}"));
        assert_fraction(&format!("RD-19.{}", 3 + wild), suppressed(&question), odds);
    }
}

/// RD-20, Army Morale: points below zero go to the other side. Of the nine pairs of D3, A is left
/// at zero by (2, 1), (3, 1) and (3, 2), and rises again if B hands points on. B does so by all but
/// (3, 1), after which it has the point that A has handed on.
#[test]
fn rd_20_morale_points_below_zero_go_to_the_other_side() {
    let fields = "own=unit; enemy=unit; own-morale=2; enemy-morale=1; joint; 1.do=disperse; 1.slot=1; \
        2.do=disperse; 2.slot=2";
    let odds = odds(&ask("sequence", fields));
    let at_zero = |ends: &[End], wanted| {
        ends.iter().any(|end| matches!(end, End::Army { side, status: Status::AtZero, .. } if *side as usize == wanted))
    };
    assert_fraction("RD-20.a", chance(&odds, |ends| at_zero(ends, 0)), "1/3");
    assert_fraction("RD-20.b", chance(&odds, |ends| at_zero(ends, 1)), "8/9");
    assert_fraction("RD-20.c", chance(&odds, |ends| at_zero(ends, 0) && at_zero(ends, 1)), "2/9");
}

/// RD-21: B fires back unless it is suppressed or dispersed; then one volley in sixteen disperses
/// A.
#[test]
fn rd_21_ready_target_fires_back() {
    let fields = "own=unit/reaction=3,at=4; enemy=unit/reaction=3,at=4; 1.do=volley; 1.firer=1; 1.target=2; \
        2.do=volley; 2.firer=2; 2.target=1";
    let question = ask("sequence", fields);
    let ready = chance_at(&odds(&question), 1, |ends| {
        unit_end(ends, 1).is_some_and(|(status, ..)| status == Status::Ready)
    });
    assert_fraction("RD-21.a", ready, "22217/34992");
    assert_fraction("RD-21.b", ends(&question, 1, "dispersed"), "22217/559872");
}

/// RD-08: 9 inches or more, 13 or more, each as a status. Cohesion 9 prevents dispersal.
#[test]
fn rd_08_long_moves_back_have_their_own_status() {
    for (inches, expected) in [(9, "625817/3359232"), (13, "5351731/120932352")] {
        let question = volley("unit/reaction=3,cohesion=9", 4, &format!("at-least={inches}"));
        assert_fraction("RD-08", ends(&question, 1, "forced-back-far"), expected);
        // RD-07.P: a unit that is forced back moves 9 inches or more, or less.
        let odds = odds(&question);
        let back = [Status::ForcedBack, Status::ForcedBackFar];
        assert_fraction(
            "RD-07.P",
            chance(&odds, |ends| {
                unit_end(ends, 0).is_some_and(|(status, ..)| back.contains(&status))
            }),
            "1079/4374",
        );
    }
    // All moves are of 6 inches or more; earlier inches do not count.
    let moved = volley("unit/reaction=3,cohesion=9,moved=20", 4, "at-least=6");
    assert_fraction("RD-07.P", ends(&moved, 1, "forced-back-far"), "1079/4374");
    assert_fraction(
        "more than was moved",
        ends(&volley("unit/reaction=3,moved=20", 4, "at-least=40"), 1, "forced-back-far"),
        "0/1",
    );
}

/// RD-22, and the plain check of RD-19: with `artillery` only artillery has high suppression.
#[test]
fn high_suppression_applies_to_artillery_alone() {
    let of_artillery = "high-suppression=artillery";
    assert_fraction(
        "RD-22.S",
        suppressed(&volley("unit/reaction=3,cohesion=9", 4, &format!("{of_artillery}; artillery"))),
        "68393/139968",
    );
    assert_fraction(
        "RD-19.3",
        suppressed(&volley("unit/reaction=3,cohesion=9", 4, of_artillery)),
        "12127/34992",
    );
}

/// RD-22, high suppression: only more sixes than the firer's pass, and a move may have no die.
#[test]
fn rd_22_high_suppression_needs_more_sixes_than_the_firer() {
    let fields = "high-suppression; inches";
    let question = volley("unit/reaction=3,cohesion=9", 4, fields);
    assert_fraction("RD-22.S", suppressed(&question), "68393/139968");
    assert_fraction("RD-22.F", ends(&question, 1, "forced-back"), "5461/17496");
    assert_fraction("RD-22.I", expected(&question, "inches"), "844709/279936");
}

/// Army Morale Check: caused by any loss of exactly 3 where Army Morale is reported, by D3 in one
/// of three dispersals. Four dice fail against three with probability 1/2: 1/6 of a Command Die
/// each, and 1/2 in three dispersals.
#[test]
fn loss_of_three_points_may_cost_command_dice() {
    let on = "army-morale-check";
    for (dispersals, lost) in [(1, "1/6"), (3, "1/2")] {
        let question = ask("morale", &format!("dispersals={dispersals}; {on}"));
        assert_fraction("check", expected(&question, "Command Dice lost"), lost);
    }
    let sequence =
        ask("sequence", &format!("own=unit; 1.do=disperse; 1.slot=1; {on}; staff-orders=0"));
    assert_fraction("check in a sequence", expected(&sequence, "Command Dice lost"), "1/6");
    assert_fraction("of the enemy", expected(&sequence, "Command Dice lost, enemy"), "0/1");
    let theirs = format!("own=unit; enemy=unit; 1.do=disperse; 1.slot=2; {on}; staff-orders=0");
    let theirs = ask("sequence", &theirs);
    assert_fraction("check of the enemy", expected(&theirs, "Command Dice lost, enemy"), "1/6");
    assert_fraction("and none of one's own", expected(&theirs, "Command Dice lost"), "0/1");
    // A unit of cohesion 1 under one die more than its Reaction Dice: dispersed in half of the
    // volleys.
    let volley = "target=unit/reaction=3,cohesion=1; dice=4; army";
    assert_fraction(
        "check in a volley",
        expected(&ask("volley", &format!("{volley}; {on}")), "Command Dice lost"),
        "1/12",
    );
    let off = ask("volley", volley);
    assert!(!off.quantities().contains(&"Command Dice lost".to_string()));
}
