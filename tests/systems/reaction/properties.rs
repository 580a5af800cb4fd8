//! Properties that hold for all numbers.

use super::*;

const HALF: Fraction = Fraction { numerator: 1, denominator: 2 };

/// Returns the probability that one volley suppresses a unit, forced back or not.
fn suppressed(target: &str, dice: i64, more: &str) -> Fraction {
    let question = ask("volley", &[&format!("target={target}; dice={dice}"), more].join("; "));
    chance(&odds(&question), |ends| {
        unit_end(ends, 0)
            .is_some_and(|(status, ..)| matches!(status, Status::Suppressed | Status::ForcedBack))
    })
}

/// Suppression compares 6s with 6s, whatever the TN of either side, as long as no dice slide.
#[test]
fn suppression_depends_on_no_tn() {
    for (dice, reaction) in [(1, 0), (3, 2), (4, 3), (6, 5)] {
        let target = format!("unit/reaction={reaction},cohesion=20");
        let plain = suppressed(&target, dice, "");
        for (fire, react) in [(2, 6), (6, 2), (3, 5), (5, 3)] {
            let tns = &format!("fire-tn={fire}; reaction-tn={react}");
            assert_eq!(
                suppressed(&target, dice, tns),
                plain,
                "{dice} dice at {fire} against {reaction} at {react}"
            );
        }
        // A die that slides is lost.
        assert_eq!(suppressed(&target, dice + 1, "fire-tn=7"), plain);
    }
}

/// Disruption: with one die more than the target at equal TN 4, more hits than successes have
/// probability 1/2, because successes and failures are symmetric. So has an Army Morale Check of
/// four dice against three.
#[test]
fn one_die_more_gives_an_even_chance() {
    for reaction in 0..=9 {
        let target = format!("unit/reaction={reaction},cohesion=1");
        let question = ask("volley", &format!("target={target}; dice={}", reaction + 1));
        assert_eq!(ends(&question, 1, "dispersed"), HALF, "{reaction}");
    }
    assert_eq!(ends(&ask("check", "dice=4"), 1, "passed"), HALF);
}

fn dispersed(orders: i64, more: &str) -> f64 {
    let fields = &format!("target=unit/reaction=3,dp=1; dice=4; orders={orders}");
    ends(&ask("volleys", &[fields, more].join("; ")), 1, "dispersed").to_f64()
}

/// Orders, Reaction Dice, cover and Wild Dice never hurt a unit, and more fire never helps it.
#[test]
fn improvements_never_hurt_the_target() {
    let assert_falls = |odds: Vec<f64>, what: &str| {
        assert!(
            odds.windows(2).all(|pair| pair[0] >= pair[1]) && odds[0] > odds[odds.len() - 1],
            "{what}: {odds:?}"
        );
    };
    assert_falls((0..=5).map(|orders| dispersed(orders, "")).collect(), "orders");
    assert_falls(
        (0..=3).map(|wild| dispersed(1, &format!("wild={wild}"))).collect(),
        "own Wild Dice",
    );
    assert_falls(
        (0..=3).rev().map(|wild| dispersed(1, &format!("enemy-wild={wild}"))).collect(),
        "Wild Dice of the enemy",
    );
    assert_falls(
        ["none", "light", "medium", "heavy"]
            .map(|cover| dispersed(1, &format!("cover={cover}")))
            .to_vec(),
        "cover",
    );
    assert_falls(
        ["close", "effective", "long"]
            .map(|range| dispersed(1, &format!("range={range}")))
            .to_vec(),
        "range",
    );
    assert_falls(
        ["single", "double", "triple"].map(|moved| dispersed(1, &format!("move={moved}"))).to_vec(),
        "move",
    );
    assert_falls(
        [true, false].map(|flank| dispersed(1, &format!("flank={flank}"))).to_vec(),
        "flank",
    );
    assert_falls(
        [false, true].map(|uphill| dispersed(1, &format!("uphill={uphill}"))).to_vec(),
        "uphill",
    );
    assert_falls(
        (3..=7).map(|cohesion| dispersed(1, &format!("cohesion={cohesion}"))).collect(),
        "cohesion",
    );
}

/// Units: artillery uses its own Reaction Dice where they are known; soft targets are fired at with
/// FP.
#[test]
fn artillery_and_soft_targets_use_their_own_dice() {
    let odds_of = |target: &str, by: &str, artillery| {
        ends(
            &ask("volley", &format!("target={target}; by={by}; artillery={artillery}")),
            1,
            "dispersed",
        )
    };
    let by_dice = |reaction: i64, dice: i64| {
        let target = format!("unit/reaction={reaction}");
        ends(&ask("volley", &format!("target={target}; dice={dice}")), 1, "dispersed")
    };
    // The Sturmgeschütz: reaction 6, against artillery 5; AT 8, FP 7.
    assert_eq!(odds_of("stug-iii", "stug-iii", false), by_dice(6, 8));
    assert_eq!(odds_of("stug-iii", "stug-iii", true), by_dice(5, 8));
    assert_eq!(odds_of("stug-iii/soft", "stug-iii", false), by_dice(6, 7));
    assert_eq!(odds_of("panther", "us-tank", true), by_dice(7, 6));
    assert_eq!(odds_of("stug-iii/reaction=4", "us-tank", true), by_dice(4, 6));
    assert_eq!(odds_of("stug-iii/reaction=4,artillery=3", "us-tank/at=5", true), by_dice(3, 5));
}

/// The two sides are symmetric, except for their order in a list.
#[test]
fn sides_are_symmetric() {
    let at = |own: &str, enemy: &str, firer, target| {
        let fields =
            &format!("own={own}; enemy={enemy}; 1.do=volley; 1.firer={firer}; 1.target={target}");
        ask("sequence", fields)
    };
    let (a, b) = ("unit/reaction=2,at=5", "unit/reaction=4,at=3,dp=1");
    for status in ["ready", "suppressed", "dispersed"] {
        assert_eq!(ends(&at(a, b, 1, 2), 2, status), ends(&at(b, a, 2, 1), 1, status));
    }
    assert_eq!(ends(&at(a, b, 1, 2), 1, "ready"), Fraction::new(1, 1));
}

/// Fire: suppressed and dispersed units and units that have fired do not fire. A turn removes the
/// mark, not the suppression.
#[test]
fn suppressed_and_marked_units_do_not_fire() {
    let sequence = |enemy: &str, steps: &str| {
        ask("sequence", &[&format!("own=unit/reaction=0; enemy={enemy}"), steps].join("; "))
    };
    let fire = "1.do=volley; 1.firer=2; 1.target=1";
    let again = "2.do=volley; 2.firer=2; 2.target=1";
    let turn = "1.do=turn";
    let certain = Fraction::new(1, 1);
    for silent in ["unit/at=9,suppressed", "unit/at=9,fired"] {
        assert_eq!(ends(&sequence(silent, fire), 1, "ready"), certain);
    }
    let after_turn = [turn, again].join("; ");
    assert_eq!(ends(&sequence("unit/at=9,suppressed", &after_turn), 1, "ready"), certain);
    let fresh = ends(&sequence("unit/at=9", fire), 1, "dispersed");
    assert_eq!(ends(&sequence("unit/at=9,fired", &after_turn), 1, "dispersed"), fresh);
    assert_eq!(ends(&sequence("unit/at=9", &[fire, again].join("; ")), 1, "dispersed"), fresh);
}

/// Morale Collapse happens only at the end of a turn, and nothing happens after it.
#[test]
fn army_without_points_collapses_at_the_end_of_a_turn() {
    let fields = |own: i64, enemy: i64| {
        format!(
            "own=unit/reaction=0; enemy=unit/at=4; own-morale={own}; enemy-morale={enemy}; \
             1.do=turn; 2.do=volley; 2.firer=2; 2.target=1"
        )
    };
    let certain = Fraction::new(1, 1);
    let collapsed = ask("sequence", &fields(0, 3));
    assert_eq!(ends(&collapsed, 3, "collapsed"), certain);
    assert_eq!(ends(&collapsed, 4, "holds"), certain);
    assert_eq!(ends(&collapsed, 1, "ready"), certain);
    let both = fields(0, 0);
    assert_eq!(ends(&ask("sequence", &both), 4, "draw"), certain);
    let played_on = ask("sequence", &format!("{both}; both-at-zero=play-on"));
    assert!(ends(&played_on, 1, "dispersed").numerator > 0);
}
