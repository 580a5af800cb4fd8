//! Odds after given dice, computed by hand in 36ths of a DR, 6ths of a dr and 20ths of a d20.

use lowcrawl::answer::{Options, Table};
use lowcrawl::engine::exact::Fraction;
use lowcrawl::engine::trace::TraceLine;
use lowcrawl::play::TraceDice;

use super::{answer_table, ends, odds, parse_question};

fn over(numerator: u128, denominator: u128) -> String {
    Fraction::new(numerator, denominator).to_string()
}

/// Checks the probability of each end of a unit: slot, phase or step, end, probability.
fn assert_ends(text: &str, expected: &[(u8, u16, &str, String)]) {
    for (slot, point, end, odds) in expected {
        assert_eq!(ends(text, *slot, *point, end), *odds, "{text}: [{slot}] at {point}: {end}");
    }
}

const CHECK: &str = "check; stack=9-1 + 2x german:4-6-7; mc=1; hob=false";

/// The leader has rolled a 9. Leaders check first (10.2). 9 + 1 is above its ML of 9, so it breaks
/// and lends no leadership. A squad passes its 1MC with 6 or less (15 of 36), and a 6 pins it
/// (7.8). It then takes a LLTC at +1 for the 9-1 (10.2), which pins it with 7 or more (21 of 36). A
/// squad breaks with 7 to 9 (15 of 36). With 10 and 11 it is Replaced as well (19.13: more than its
/// ELR of 3; 5 of 36). A 12 is Casualty Reduction (10.31).
#[test]
fn leader_who_rolls_9_breaks_and_lends_no_leadership() {
    let given = format!("{CHECK}; given=6,3");
    assert_ends(&given, &[(1, 0, "broken 9-1", over(1, 1))]);
    for slot in [2, 3] {
        assert_ends(
            &given,
            &[
                (slot, 0, "good-order 4-6-7", over(10 * 15, 1296)),
                (slot, 0, "pinned 4-6-7", over(5 * 36 + 10 * 21, 1296)),
                (slot, 0, "broken 4-6-7", over(15, 36)),
                (slot, 0, "broken", over(21, 36)),
            ],
        );
    }
}

/// With a 4 the leader passes and lends its -1 to the squads (10.21): 7 or less passes, and a 7
/// pins. With an 8 it is pinned (7.8) and lends nothing.
#[test]
fn leader_who_passes_lends_leadership_unless_pinned() {
    for (dice, leader, unharmed, pinned) in [("1,3", "good-order", 15, 6), ("5,3", "pinned", 10, 5)]
    {
        let given = format!("{CHECK}; given={dice}");
        assert_ends(&given, &[(1, 0, leader, over(1, 1))]);
        for slot in [2, 3] {
            let (unharmed, pinned) = (over(unharmed, 36), over(pinned, 36));
            assert_ends(&given, &[(slot, 0, "good-order", unharmed), (slot, 0, "pinned", pinned)]);
        }
    }
}

/// The first squad has rolled too. After a 5 it has passed and still takes its LLTC, and after a 12
/// it is a half-squad. The odds of the second squad do not change.
#[test]
fn roll_of_first_squad_leaves_second_squad_unchanged() {
    let given = format!("{CHECK}; given=6,3 2,3");
    assert_ends(
        &given,
        &[
            (2, 0, "good-order", over(15, 36)),
            (2, 0, "pinned", over(21, 36)),
            (3, 0, "broken", over(21, 36)),
        ],
    );
    let given = format!("{CHECK}; given=6,3 6,6");
    assert_ends(&given, &[(2, 0, "broken 2-3-7", over(1, 1)), (3, 0, "broken", over(21, 36))]);
}

/// With all dice given, every engine returns certain outcomes.
#[test]
fn all_dice_given_make_every_outcome_certain() {
    let given = format!("{CHECK}; given= 6,3  2,3 2,3\t1,2 6,1 ");
    assert_ends(
        &given,
        &[
            (1, 0, "broken", over(1, 1)),
            (2, 0, "good-order", over(1, 1)),
            (3, 0, "pinned", over(1, 1)),
        ],
    );
    let question = parse_question(&given);
    assert!(
        question.meta(String::new()).question.ends_with("; given 6,3 2,3 2,3 1,2 6,1"),
        "{}",
        question.meta(String::new()).question
    );
    for stratify in [0, 1] {
        let options = Options {
            engine: lowcrawl::answer::options::Engine::MonteCarlo,
            stratify,
            ..Options::default()
        };
        let Table { rows, .. } = answer_table(question.as_ref(), &options);
        assert_eq!(rows.iter().map(|row| row.figure.probability()).collect::<Vec<_>>(), [1.0; 3]);
    }
}

const RALLY: &str =
    "rally; stack=german:4-6-7/broken,dm; leader=8-1; own-rph=never; hob=false; phases=3";

/// In the first phase, at +4 for DM and -1, a 7 fails (10.6). After that an 8 or less rallies at
/// broken ML 7 (26 of 36). Original 12 is Casualty Reduction (10.64), and the half-squad continues
/// with a broken ML of 6 (21 of 36). Any other roll changes nothing.
#[test]
fn past_phase_is_certain_and_later_phases_continue_from_it() {
    let given = format!("{RALLY}; given=6,1");
    let (first, second) = (over(26, 36), over(26 * 36 + 9 * 26 + 21, 1296));
    assert_ends(
        &given,
        &[
            (1, 1, "broken 4-6-7", over(1, 1)),
            (1, 1, "rallied", over(0, 1)),
            (1, 2, "rallied 4-6-7", first.clone()),
            (1, 2, "broken 2-4-7", over(1, 36)),
            (1, 2, "broken 4-6-7", over(9, 36)),
            (1, 3, "rallied", second),
        ],
    );
    let given = format!("{RALLY}; given=6,1 6,4");
    assert_ends(
        &given,
        &[(1, 1, "broken", over(1, 1)), (1, 2, "broken", over(1, 1)), (1, 3, "rallied", first)],
    );
    let given = format!("{RALLY}; given=1,2");
    assert_ends(
        &given,
        &[
            (1, 1, "rallied", over(1, 1)),
            (1, 2, "rallied", over(1, 1)),
            (1, 3, "rallied", over(1, 1)),
        ],
    );
}

const SEQUENCE: &str = "sequence; stack=german:4-6-7; hob=false; 1.do=check; 1.mc=0; 2.do=rally; 2.leader=8-0; 3.do=rally; 3.leader=8-0";

/// A 9 is above 7: the squad breaks, under DM (10.62). In the next step 3 or less rallies at +4 (3
/// of 36), and in the last step 7 or less (21 of 36) (10.6). The half-squad that an Original 12
/// leaves (10.64) needs 6 or less (15 of 36).
#[test]
fn sequence_continues_from_the_step_it_has_reached() {
    let given = format!("{SEQUENCE}; given=5,4");
    assert_ends(
        &given,
        &[
            (1, 1, "broken 4-6-7", over(1, 1)),
            (1, 2, "good-order", over(3, 36)),
            (1, 3, "good-order", over(3 * 36 + 32 * 21 + 15, 1296)),
        ],
    );
    let given = format!("{SEQUENCE}; given=5,4 4,4");
    assert_ends(&given, &[(1, 2, "broken", over(1, 1)), (1, 3, "good-order", over(21, 36))]);
}

const RECOVER: &str = "fortitude recover; units=unit/shaken; turns=3";

/// The test (C1) is at 8 while Shaken, then at 9 while Hesitant.
#[test]
fn shaken_unit_continues_from_its_first_test() {
    let given = format!("{RECOVER}; given=5");
    assert_ends(
        &given,
        &[
            (1, 1, "hesitant", over(1, 1)),
            (1, 2, "normal", over(9, 20)),
            (1, 3, "normal", over(180 + 99, 400)),
        ],
    );
    let given = format!("{RECOVER}; given=15");
    assert_ends(
        &given,
        &[
            (1, 1, "shaken", over(1, 1)),
            (1, 2, "hesitant", over(8, 20)),
            (1, 2, "normal", over(0, 1)),
            (1, 3, "normal", over(72, 400)),
        ],
    );
    let given = format!("{RECOVER}; given=15 8");
    assert_ends(
        &given,
        &[
            (1, 1, "shaken", over(1, 1)),
            (1, 2, "hesitant", over(1, 1)),
            (1, 3, "normal", over(9, 20)),
        ],
    );
}

/// Three dice are rolled at a unit without Reaction Dice, with hits on 4 or more. A 5 hits, a 2
/// misses, and the third die hits in half of all cases. No Reaction Die can match a six, so it
/// suppresses the unit.
#[test]
fn volley_continues_from_two_given_dice() {
    let volley = "reaction volley; target=unit/reaction=0,cohesion=20; dice=3";
    let points = |given: &str| {
        let answer = answer_table(
            parse_question(&format!("{volley}; given={given}")).as_ref(),
            &Options::default(),
        );
        let points = answer
            .expected
            .iter()
            .find(|expected| expected.quantity.starts_with("Disruption Points"))
            .unwrap();
        points.mean.fraction.unwrap().to_string()
    };
    assert_eq!(
        (points(""), points("5 2"), points("5 2 3"), points("5 2 4")),
        (over(3, 2), over(3, 2), over(1, 1), over(2, 1))
    );
    assert_eq!((points("1"), points("1 3"), points("6 6")), (over(1, 1), over(1, 2), over(5, 2)));
}

/// The trace lists the given dice as given, in order, with the report points. The other dice come
/// from the script, or from the seed as in a Monte Carlo run of the same question. The probability
/// is that of the other dice.
#[test]
fn trace_begins_with_the_given_dice() {
    let question = parse_question(&format!("{RALLY}; given=6,1 6,4"));
    let trace = question
        .trace(&TraceDice::Script("4,4".to_string()), lowcrawl::engine::monitor::Monitor::NONE)
        .unwrap();
    let kinds: Vec<String> = trace
        .lines
        .iter()
        .filter_map(|line| match line {
            TraceLine::Event(event) if event.text.ends_with("[given]") => Some("given".to_string()),
            TraceLine::Event(_) => None,
            TraceLine::Roll { .. } => Some("rolled".to_string()),
            TraceLine::Noted { point, outcomes } => {
                Some(format!("{point} {}", outcomes[0].status.unwrap()))
            }
        })
        .collect();
    assert_eq!(kinds, ["given", "1 broken", "given", "2 broken", "rolled", "3 rallied"]);
    assert_eq!(trace.probability.unwrap().to_string(), over(26, 36));
    let whole = parse_question(RALLY)
        .trace(
            &TraceDice::Script("6,1 6,4 4,4".to_string()),
            lowcrawl::engine::monitor::Monitor::NONE,
        )
        .unwrap();
    let report_points = |lines: &[TraceLine<_>]| {
        lines.iter().filter(|line| matches!(line, TraceLine::Noted { .. })).count()
    };
    assert_eq!(
        (report_points(&whole.lines), whole.lines.len()),
        (report_points(&trace.lines), trace.lines.len())
    );
    let error = question
        .trace(&TraceDice::Script("4,4 1".to_string()), lowcrawl::engine::monitor::Monitor::NONE)
        .unwrap_err();
    assert_eq!(error.to_string(), "the sequence ends after 1 roll(s), but the script has 1 more");
    let seeded = question
        .trace(
            &TraceDice::Seeded { seed: 7, sequence: 3 },
            lowcrawl::engine::monitor::Monitor::NONE,
        )
        .unwrap();
    assert_eq!(
        seeded.lines.iter().filter(|line| matches!(line, TraceLine::Roll { .. })).count(),
        1
    );
}

/// Every kind of question has the field, as a text; an empty text gives no dice.
#[test]
fn empty_given_dice_change_nothing() {
    let registry = lowcrawl::api::games();
    let kinds: Vec<_> = registry.games().iter().flat_map(|game| game.kinds().iter()).collect();
    assert!(kinds.len() > 15);
    for kind in kinds {
        let mut form = registry.form(kind);
        assert!(form.knows("given"), "{}", kind.name);
        let fault = form.set("given", 5.into()).unwrap_err();
        assert_eq!(fault.to_string(), "`given` must be a text in quotes, not 5");
    }
    let check = "check; stack=9-1 + german:4-6-7; mc=1";
    let (plain, empty) = (parse_question(check), parse_question(&format!("{check}; given= ")));
    assert_eq!(odds(plain.as_ref()), odds(empty.as_ref()));
    assert_eq!(plain.meta(String::new()).question, empty.meta(String::new()).question);
}
