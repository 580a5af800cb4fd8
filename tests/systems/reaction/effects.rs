//! Effects of volleys on their targets, and the period over which rallies between volleys are
//! counted.

use std::collections::BTreeMap;

use super::*;

/// Returns the odds of each effect of the first of two volleys, in words.
fn effects(question: &Question) -> BTreeMap<String, Fraction> {
    let mut by_words = BTreeMap::new();
    for chance in odds(question).chances.into_iter().filter(|chance| chance.point == 1) {
        let label = question.label(1, &chance.outcome);
        if let Outcome::One(End::Volley(_)) = chance.outcome {
            let words = [label.status.map(str::to_string), label.counter]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" ");
            assert_eq!((label.slot, label.unit.as_deref()), (Some(2), Some("volley")));
            assert_eq!(by_words.insert(words, chance.fraction.unwrap()), None);
        }
    }
    by_words
}

/// Effects of a volley: RD-02 by points, RD-02.S and RD-07 by status. At cohesion 9 the target can
/// be forced back with three or four points; a unit of cohesion 3 is dispersed by these. That takes
/// four hits with at most one cancelled, or three hits with none cancelled. The firer's sixes among
/// h hits are unmatched with 1 - (2/3)^h without a cancelling die. With one at four hits it is 2/3
/// 65/81 + 1/3 33/81 = 163/243. So 1/128 (65/81 + 4 19/27 + 3 163/243) = 19/432.
#[test]
fn volley_effects_match_the_worked_figures() {
    let by_words = |target| {
        let fields = &format!("target={target}; dice=4; volleys=2; effects");
        effects(&ask("volleys", fields))
    };
    let sum = |by_words: &BTreeMap<String, Fraction>, holds: &dyn Fn(&str) -> bool| {
        let fitting = by_words.iter().filter(|(words, _)| holds(words));
        fitting.fold(NONE, |sum, (_, fraction)| sum.checked_add(*fraction).unwrap())
    };
    let large = by_words("unit/reaction=3,cohesion=9");
    for (wanted, odds) in ["1/2", "35/128", "21/128", "7/128", "1/128"].into_iter().enumerate() {
        assert_fraction(
            &format!("RD-02.{wanted}"),
            sum(&large, &|words| words.contains(&format!(" {wanted} point"))),
            odds,
        );
    }
    assert_fraction("RD-01: no hit of four", large["missed 0 points"], "1/16");
    assert_fraction(
        "RD-02.S",
        sum(&large, &|words| words.contains("unmatched six")),
        "12127/34992",
    );
    assert_fraction("RD-07.P", sum(&large, &|words| words.starts_with("forced-back")), "1079/4374");
    assert_fraction(
        "RD-07.S",
        sum(&large, &|words| words.starts_with("suppressed 0 points")),
        "1165/11664",
    );
    let fresh = by_words("unit/reaction=3");
    assert_fraction("RD-10.r0k1", fresh["dispersed"], "1/16");
    // 1079/4374 - 19/432.
    assert_fraction(
        "RD-07.P less those dispersed",
        sum(&fresh, &|words| words.starts_with("forced-back")),
        "7093/34992",
    );
    // Four sixes against none: 1/6^4 (5/6)^3. All are hits, and Reaction Dice of 1 to 3 cancel
    // none: (3/5)^3 of that.
    assert_fraction(
        "four sixes at none",
        large["forced-back 4 points, 4 unmatched sixes"],
        "1/10368",
    );
}

/// Fire: a suppressed or marked firer does not fire, and a target that is gone is not fired at.
/// Each volley has its own row.
#[test]
fn volley_is_not_fired_by_marked_units_or_at_lost_ones() {
    let fields = "own=unit/reaction=0,cohesion=1; enemy=unit/at=1,fired + unit/at=1; army=false; effects; \
        1.do=volley; 1.firer=2; 1.target=1; 2.do=volley; 2.firer=3; 2.target=1; 3.do=turn; \
        4.do=volley; 4.dice=1; 4.target=1";
    let odds = odds(&ask("sequence", fields));
    let at = |point, wanted| {
        chance_at(
            &odds,
            point,
            |ends| matches!(ends, [End::Volley(Effect { status, .. })] if *status == wanted),
        )
    };
    assert_eq!(at(1, Status::NotFired).to_string(), "1/1");
    assert_eq!(
        [Status::Missed, Status::Dispersed].map(|status| at(2, status).to_string()),
        ["1/2", "1/2"]
    );
    assert!(
        odds.chances
            .iter()
            .all(|chance| chance.point != 3
                || !matches!(chance.outcome, Outcome::One(End::Volley(_))))
    );
    assert_eq!(
        [Status::NotFired, Status::Missed, Status::Dispersed]
            .map(|status| at(4, status).to_string()),
        ["1/2", "1/4", "1/4"]
    );
}

/// Rally Group: each side has its own number of Rally Dice. None of n succeeds in 1 of 2^n.
#[test]
fn sides_rally_with_their_own_dice() {
    let fields = "own=unit/dp=1; enemy=unit/dp=1; own-rally-dice=1; 1.do=command; 1.dice=1; \
                  2.do=command; 2.dice=1; 2.side=enemy";
    let left = |question: &Question| {
        let odds = odds(question);
        [0, 1].map(|place| {
            chance(&odds, |ends| unit_end(ends, place) == Some((Status::Ready, 1, 0))).to_string()
        })
    };
    assert_eq!(left(&ask("sequence", &format!("{fields}; enemy-rally-dice=3"))), ["1/2", "1/8"]);
    assert_eq!(left(&ask("sequence", fields)), ["1/2", "1/16"]);
}

/// `rallies-per-gap`: a unit is rallied once in a turn. With `gap` it can be rallied again after a
/// volley of the enemy, but not after one of its own side; with `pulse` in each step. A rally of
/// one die leaves the point in half of all cases, and the volleys have no effect.
#[test]
fn unit_rallies_again_after_an_enemy_volley_with_gap() {
    let left = |limit, target| {
        let fields = &format!(
            "own=unit/reaction=0,dp=1; enemy=unit/reaction=0; rally-dice=1; \
            activation-limit={limit}; 1.do=command; 1.dice=1; 2.do=volley; 2.dice=1; \
            2.target={target}; 2.move=double; 3.do=command; 3.dice=1"
        );
        let question = ask("sequence", fields);
        let assumed = question.texts().uncertain.contains(&"rallies-per-gap = 1".to_string());
        (
            chance(&odds(&question), |ends| unit_end(ends, 0) == Some((Status::Ready, 1, 0)))
                .to_string(),
            assumed,
        )
    };
    let (once, twice) = (("1/2".to_string(), true), ("1/4".to_string(), false));
    assert_eq!([left("turn", 1), left("gap", 2)], [once.clone(), once]);
    assert_eq!([left("gap", 1), left("pulse", 1)], [twice.clone(), twice]);
}
