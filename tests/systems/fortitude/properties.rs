//! Properties that hold for all numbers.

use lowcrawl::engine::exact::Fraction;
use lowcrawl::process::Question as _;

use super::questions::{ask, outcomes, status, sum};

const LEVELS: [&str; 4] = ["casualties=0", "hesitant", "shaken", "panicked"];

fn at_most(a: Fraction, b: Fraction) -> bool {
    a.numerator * b.denominator <= b.numerator * a.denominator
}

/// P(pass) never falls with a bonus: Commander, Honor Marker, near staff, Defend, a higher base.
#[test]
fn bonus_never_lowers_the_chance_to_pass() {
    for base in 1..=24 {
        for level in LEVELS {
            for cause in ["flank", "rear", "casualties", "staff-lost"] {
                let stays = |conditions: &str, more: &str| {
                    let unit = format!("unit/base={base},{level}{conditions}");
                    let status_word = if level == "casualties=0" { "normal" } else { level };
                    status(
                        &ask("test", &format!("units={unit}; cause={cause}{more}")),
                        0,
                        1,
                        status_word,
                    )
                };
                let plain = stays("", "");
                for (conditions, more) in
                    [(",commander", ""), (",honor", ""), (",staff=2", ""), ("", "; order=defend")]
                {
                    assert!(
                        at_most(plain, stays(conditions, more)),
                        "{base} {level} {cause} {conditions}{more}"
                    );
                }
                for (conditions, more) in
                    [(",fatigue=1", ""), (",fatigue=2", ""), ("", "; order=retreat")]
                {
                    assert!(
                        at_most(stays(conditions, more), plain),
                        "{base} {level} {cause} {conditions}{more}"
                    );
                }
            }
        }
    }
}

/// A unit never leaves its final status, so the probability never falls from turn to turn.
#[test]
fn odds_of_final_states_never_fall() {
    for fields in [
        "units=unit/panicked,edge=7,staff=5; dice=2; value=15; turns=6",
        "units=unit/shaken,edge=4; casualties=1; turns=6; panicked-nonmelee-fail=surrender",
    ] {
        let question = ask("fire", fields);
        for end in ["destroyed", "surrendered", "left-board"] {
            let odds: Vec<Fraction> = (1..=6).map(|turn| status(&question, turn, 1, end)).collect();
            assert!(odds.windows(2).all(|pair| at_most(pair[0], pair[1])), "{end}: {odds:?}");
        }
    }
}

/// With one side assaulted there is no second test, so the mode does not matter. With two sides the
/// order of the tests does not change the odds of passing both.
#[test]
fn mode_and_order_of_tests_change_no_odds_of_passing() {
    for level in LEVELS {
        for side in ["front", "flank", "rear"] {
            let fields = format!("units=unit/{level}; sides={side}; dice=3; value=9; turns=2");
            let both = |more: &str| outcomes(&ask("assault", &format!("{fields}; {more}")).whole());
            assert_eq!(
                both("combined-mode=sequential"),
                both("combined-mode=simultaneous"),
                "{fields}"
            );
            assert_eq!(
                both("combined-order=flank-first"),
                both("combined-order=rear-first"),
                "{fields}"
            );
        }
        let unchanged = if level == "casualties=0" { "normal" } else { level };
        let passed = |order: &str| {
            let fields = format!("units=unit/{level}; sides=flank,rear; combined-order={order}");
            status(&ask("assault", &fields), 1, 1, unchanged)
        };
        assert_eq!(passed("flank-first"), passed("rear-first"), "{level}");
    }
}

/// Independent units have equal odds alone and together; equal units have equal odds.
#[test]
fn other_units_change_no_odds() {
    for (kind, fields) in [
        ("recover", "just-routed=true; turns=3"),
        ("fire", "dice=3; value=9; attacks=2"),
        ("test", "cause=rear"),
    ] {
        let together =
            ask(kind, &format!("units=unit/shaken,staff=5 + 2x unit/hesitant; {fields}"));
        let alone = ask(kind, &format!("units=unit/hesitant; {fields}"));
        let whole = outcomes(&together.whole());
        for turn in 0..=3 {
            for end in ["normal", "hesitant", "shaken", "panicked", "destroyed"] {
                let together_odds = sum(&whole, |point, outcome| {
                    let label = together.label(point, outcome);
                    point == turn && label.slot == Some(2) && label.status == Some(end)
                });
                assert_eq!(together_odds, status(&alone, turn, 1, end), "{kind} {turn} {end}");
                assert_eq!(together_odds, status(&together, turn, 3, end), "{kind} {turn} {end}");
            }
        }
    }
}

/// `until` keeps a level once reached: its probability never falls, nor below that of being there.
#[test]
fn odds_of_first_arrivals_never_fall() {
    let fields = "units=unit; dice=3; value=8; turns=5";
    let (first, now) = (ask("fire", &format!("{fields}; until=hesitant")), ask("fire", fields));
    let arrived: Vec<Fraction> = (1..=5).map(|turn| status(&first, turn, 1, "hesitant")).collect();
    assert!(
        arrived.windows(2).all(|pair| at_most(pair[0], pair[1]) && pair[0] != pair[1]),
        "{arrived:?}"
    );
    for (turn, arrived) in (1..).zip(arrived) {
        assert!(at_most(status(&now, turn, 1, "hesitant or shaken or panicked"), arrived));
    }
}
