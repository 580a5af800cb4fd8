//! The engines against each other, on every kind of question.

use std::collections::BTreeMap;

use crate::fit::chi_squared;
use lowcrawl::engine::exact::Arithmetic;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::trace::{self, TraceDice, TraceLine};
use lowcrawl::process::Process;

use super::*;
use crate::wrappers::assert_alike_in_every_wrapper;

/// Returns a question of every kind, with comments on the rules that it needs.
pub fn questions() -> Vec<Question> {
    let volley = "target=panzer-iv/dp=1,edge=10,cover=8,friend=6-8; dice=4";
    let flags = "inches; army; wild=1";
    let volleys = "target=stug-iii; by=us-tank; volleys=3; orders=2";
    let rally = "units=2x unit/dp=2 + unit/dp=1,suppressed; orders=2; wild=1";
    let joint = "joint";
    vec![
        ask("volley", &[volley, flags].join("; ")),
        ask("volleys", volleys),
        ask("rally", rally),
        ask("command", "dice=5; enemy-dice=4"),
        ask("command", &format!("dice=6; {joint}")),
        ask("morale", "points=9; dispersals=6"),
        ask("check", "dice=4; staff-order"),
        ask("move", "mover=panther/fast; dice=2"),
        exchange("effects"),
        exchange(&format!("{joint}; army-morale-check")),
        pulses(),
        moving_units(),
    ]
}

pub fn pulses() -> Question {
    let fields = "own=unit/reaction=2,suppressed + unit/reaction=1,dp=2; \
        enemy=unit/reaction=1,at=2,suppressed; own-command-dice=3; enemy-command-dice=2; \
        staff-orders=1; army=false; 1.do=roll; 2.do=pulse; 3.do=volley; 3.firer=3; 3.target=1; \
        4.do=pulse; 4.staff=1; 5.do=pulse; 6.do=turn; 7.do=command; 7.staff=2";
    ask("sequence", fields)
}

/// Returns a question about two units that move in a turn of pulses, with a volley between.
pub fn moving_units() -> Question {
    let fields = "own=unit/reaction=1,dp=1,goal=14 + unit/goal=7,suppressed,fast; enemy=unit/at=2,suppressed; \
        own-command-dice=3; enemy-command-dice=1; army=false; effects; 1.do=roll; 2.do=pulse; \
        3.do=volley; 3.firer=3; 3.target=1; 4.do=pulse; 5.do=turn; 6.do=move; 6.slot=1";
    ask("sequence", fields)
}

/// Returns a question about two tanks a side that fire, give orders and roll Command Dice.
pub fn exchange(more: &str) -> Question {
    let fields = "own=unit/reaction=3,at=3 + unit/reaction=2,at=3; enemy=unit/reaction=3,at=3,dp=1; \
        own-command-dice=2; enemy-command-dice=2; own-morale=2; enemy-morale=2; 1.do=roll; \
        2.do=volley; 2.firer=1; 2.target=3; 3.do=command; 3.side=enemy; 4.do=volley; 4.firer=3; \
        4.target=2; 4.cover=light; 5.do=command; 5.staff=1; 6.do=turn";
    ask("sequence", &[fields, more].join("; "))
}

fn outcome_subject(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::One(End::Unit { place, .. }) => *place,
        Outcome::One(End::Army { side, .. }) => 100 + *side as u8,
        Outcome::One(End::Volley(_)) => 150,
        Outcome::All(_) => 200,
    }
}

#[test]
fn wrappers_of_exchanges_change_no_odds() {
    for question in questions() {
        assert_alike_in_every_wrapper(&question.whole(), &question.texts().in_words);
    }
}

#[test]
fn monte_carlo_fits_the_exact_odds() {
    let mut p_values = Vec::new();
    for (place, question) in questions().iter().enumerate() {
        let process = played(question, 0);
        let run = Simulator::new(&process, Monitor::NONE)
            .unwrap()
            .run(&Plan::new(200_000, 70 + place as u64))
            .unwrap();
        let mut counts: BTreeMap<_, u64> = run
            .counts
            .into_iter()
            .map(|(point, outcome, count)| ((point, outcome), count))
            .collect();
        let mut cells: BTreeMap<(ReportIndex, u8), (Vec<u64>, Vec<f64>)> = BTreeMap::new();
        for chance in exact::odds(&process, Bound::STANDARD).unwrap().chances {
            let (observed, expected) =
                cells.entry((chance.point, outcome_subject(&chance.outcome))).or_default();
            expected.push(chance.probability);
            observed.push(counts.remove(&(chance.point, chance.outcome)).unwrap_or(0));
        }
        assert!(
            counts.is_empty(),
            "{}: impossible outcomes: {counts:?}",
            question.texts().in_words
        );
        for (observed, expected) in cells.values() {
            let test = chi_squared(observed, expected).unwrap();
            assert!(test.p_value > 1e-4, "{}: {test:?}", question.texts().in_words);
            p_values.extend((test.degrees_of_freedom > 0).then_some(test.p_value));
        }
    }
    let above = p_values.iter().filter(|&&p| p > 0.5).count();
    assert!(
        p_values.len() > 30 && (p_values.len() / 5..p_values.len() * 4 / 5).contains(&above),
        "{p_values:?}"
    );
}

/// Simulation by the table equals that by the rules, and each counted sequence can be traced.
#[test]
fn transition_table_equals_the_rules_bit_for_bit() {
    for question in &questions() {
        let process = played(question, 0);
        let table = Simulator::new(&process, Monitor::NONE).unwrap();
        assert!(matches!(table, Simulator::Table(_)), "{}", question.texts().in_words);
        for trials in [1, 1000, 70_001] {
            let plan = Plan::new(trials, 11);
            assert_eq!(
                table.run(&plan).unwrap(),
                Simulator::Rules(&process).run(&plan).unwrap(),
                "{}",
                question.texts().in_words
            );
        }
        let mut traced: BTreeMap<(ReportIndex, Outcome), u64> = BTreeMap::new();
        for sequence in 0..500 {
            let dice = TraceDice::Seeded { seed: 11, sequence };
            for line in trace::trace(&process, &dice, Monitor::NONE).unwrap().lines {
                if let TraceLine::Noted { point, outcomes } = line {
                    outcomes
                        .into_iter()
                        .for_each(|outcome| *traced.entry((point, outcome)).or_default() += 1);
                }
            }
        }
        let counted = table.run(&Plan::new(500, 11)).unwrap().counts;
        let counted: BTreeMap<_, u64> =
            counted.into_iter().map(|(point, outcome, count)| ((point, outcome), count)).collect();
        assert_eq!(traced, counted, "{}", question.texts().in_words);
    }
}

/// The odds of a unit or an army sum to one, and every printed counter reads back as itself.
#[test]
fn fractions_sum_to_one_and_counters_parse_back() {
    for question in &questions() {
        let odds = odds(question);
        assert_eq!(odds.arithmetic, Arithmetic::Integer);
        let mut sums: BTreeMap<(ReportIndex, u8), Fraction> = BTreeMap::new();
        for chance in &odds.chances {
            let sum = sums.entry((chance.point, outcome_subject(&chance.outcome))).or_insert(NONE);
            *sum = sum.checked_add(chance.fraction.unwrap()).unwrap();
            let label = question.label(chance.point, &chance.outcome);
            if question.facts().is_joint {
                assert!(label.outcome.is_some() && label.slot.is_none());
                continue;
            }
            let status = label.status.unwrap();
            assert!(question.facts().kind.statuses.contains(&status), "{status}");
            assert_eq!(label.counter.is_none(), ["dispersed", "not-fired"].contains(&status));
            match (&chance.outcome, label.counter) {
                (Outcome::One(End::Unit { .. }), Some(counter)) => {
                    let again = ask("move", &format!("mover={counter}"));
                    assert_eq!(again.roster()[0].to_string(), counter);
                }
                (Outcome::One(End::Army { .. }), Some(counter)) => {
                    ask("morale", &format!("points={counter}"));
                }
                // The notation of a volley, such as `2 points, 1 unmatched six`, is no unit.
                (Outcome::One(End::Volley(_)), _) => {}
                (_, counter) => assert_eq!(counter, None),
            }
        }
        assert!(
            sums.values().all(|sum| *sum == Fraction::new(1, 1)),
            "{}: {sums:?}",
            question.texts().in_words
        );
        let points = question.facts().points.is_some();
        assert!(odds.chances.iter().all(|chance| (chance.point > 0) == points));
    }
}

/// Ten volleys between two and two units, with orders and turns, are too large for a table but not
/// for Monte Carlo.
#[test]
fn long_exchange_runs_without_a_table() {
    let mut fields = vec!["own=2x stug-iii; enemy=2x us-tank".to_string()];
    for volley in 0..10 {
        let (firer, target) = [(1, 3), (3, 1), (2, 4), (4, 2)][volley % 4];
        let (step, next) = (2 * volley + 1, 2 * volley + 2);
        fields.push(format!("{step}.do=volley; {step}.firer={firer}; {step}.target={target}"));
        let side = if firer > 2 { "own" } else { "enemy" };
        fields.push(if volley % 4 == 3 {
            format!("{next}.do=turn")
        } else {
            format!("{next}.do=command; {next}.dice=1; {next}.side={side}")
        });
    }
    let question = ask("sequence", &fields.join("; "));
    let process = played(&question, 0);
    let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
    assert!(matches!(simulator, Simulator::Rules(_)));
    let run = simulator.run(&Plan::new(20_000, 3)).unwrap();
    let dispersed = |wanted: u8| {
        let is = |outcome: &Outcome| matches!(outcome, Outcome::One(End::Unit { place, status: Status::Dispersed, .. }) if *place == wanted);
        run.counts
            .iter()
            .filter(|(point, outcome, _)| *point == 20 && is(outcome))
            .map(|(.., count)| count)
            .sum::<u64>()
    };
    // The first volley alone, eight dice at a fresh US tank, disperses it in 595 of 2048.
    let by_first_volley = 20_000 * 595 / 2048;
    assert!(dispersed(2) > by_first_volley, "{}", dispersed(2));
    assert!(dispersed(0) < dispersed(2), "{} {}", dispersed(0), dispersed(2));
    assert_eq!(process.epoch(&process.start(&mut lowcrawl::process::Silent)), 1);
}

/// The clock counts volleys and orders, not reports.
#[test]
fn epochs_count_volleys_and_orders() {
    let question = ask("volleys", "target=unit/reaction=0; dice=1; volleys=3; fire-tn=6");
    let process = question.whole();
    let mut state = process.start(&mut lowcrawl::process::Silent);
    let mut epochs = Vec::new();
    loop {
        match process.due(&state) {
            lowcrawl::process::Due::Roll(dice, terms) => {
                epochs.push(process.epoch(&state));
                let reading = process.read(&terms, dice.all().next().unwrap());
                process.apply(&mut state, reading, &mut lowcrawl::process::Silent);
            }
            lowcrawl::process::Due::Report(_) => {
                process.pass(&mut state, &mut lowcrawl::process::Silent)
            }
            _ => break,
        }
    }
    assert_eq!(epochs, [1, 3, 5]);
}

#[test]
fn questions_are_described_in_words() {
    let words: Vec<String> = questions().iter().map(|question| question.texts().in_words).collect();
    let expected = [
        "panzer-iv/dp=1,edge=10,cover=8,friend=6-8 under 4 dice at 4+, 1 Wild Die of the own side",
        "stug-iii under 3 volleys of 6 dice at 4+, 2 orders between two",
        "unit/dp=2 + unit/dp=2 + unit/dp=1,suppressed over 3 turns, 2 orders in each, 1 Wild Die of the own side",
        "Command Dice: 5 against 4",
        "Command Dice: 6",
        "9 Army Morale Points over 6 dispersals",
        "Army Morale Check of 4 dice against 3",
        "panther/fast moves 12 + 4D6 inches",
        "unit/reaction=3,at=3 + unit/reaction=2,at=3 against unit/reaction=3,at=3,dp=1 in a sequence of 6 steps",
        "unit/reaction=3,at=3 + unit/reaction=2,at=3 against unit/reaction=3,at=3,dp=1 in a sequence of 6 steps",
        "unit/reaction=2,suppressed + unit/reaction=1,dp=2 against unit/reaction=1,at=2,suppressed in a sequence of 7 steps",
        "unit/reaction=1,dp=1,goal=14 + unit/fast,suppressed,goal=7 against unit/at=2,suppressed in a sequence of 6 steps",
    ];
    assert_eq!(words, expected);
    // The meaning of the status `forced-back-far` is printed above it.
    let far = ask("volley", "target=unit/reaction=3; dice=4; at-least=9");
    assert_eq!(
        far.texts().in_words,
        "unit/reaction=3 under 4 dice at 4+, forced back far: 9 inches or more"
    );
}
