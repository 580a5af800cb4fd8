//! The engines agree with each other on every kind of question.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fit::chi_squared;
use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::engine::exact::{self, Arithmetic};
use lowcrawl::engine::factored::{Manner, Stop, play};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::trace::{self, TraceDice, TraceLine};
use lowcrawl::fortitude::Question;
use lowcrawl::fortitude::battle::Outcome;
use lowcrawl::process::{Process as _, Question as _, ReportIndex};

use super::questions::{BOUND, ask};
use crate::wrapped_factors::assert_alike_by_factors;
use crate::wrappers::assert_alike_in_every_wrapper;

/// Fields of a battle of two units a side: fire, assault, and the loss of a General Staff.
pub const BATTLE: &str = "units=unit/general-staff,models=2 + unit/staff=3,edge=4,models=3; enemies=samurai-cavalry/models=2 + unit/hesitant; \
1.do=turn; 1.orders=1:defend; 2.do=fire; 2.at=1; 2.by=4; 3.do=assault; 3.at=2; 3.by=3; 3.sides=flank; \
4.do=turn; 5.do=staff-destroyed; 5.of=units";

fn questions() -> Vec<Question> {
    [
        ("test", "units=6x unit; cause=staff-lost; joint=true"),
        ("test", "units=unit/shaken + unit/panicked,engaged; cause=casualties; casualties=2; panicked-nonmelee-fail=surrender"),
        ("recover", "units=unit/panicked,edge=6,staff=5 + unit/shaken; turns=5; just-routed=true"),
        ("fire", "units=unit + unit/cavalry,hesitant; dice=4; value=9; attacks=2; turns=3"),
        ("fire", "units=unit; by=samurai-cavalry + ashigaru-archers; by-order=move-and-fire; turns=2; until=routed"),
        ("assault", "units=unit/models=4; sides=flank,rear; by=unit/models=3 + unit/models=2,honor; turns=2; joint=true"),
        ("assault", "units=unit; dice=5; value=6; order=defend; turns=4; until=routed"),
        ("sequence", BATTLE),
    ]
    .map(|(kind, fields)| ask(kind, fields))
    .into()
}

#[test]
fn wrappers_of_battles_change_no_odds() {
    let mut factored = 0;
    for question in questions() {
        let what = question.texts().in_words;
        assert_alike_in_every_wrapper(&question.whole(), &what);
        factored += u32::from(assert_alike_by_factors(&Arc::new(question), &what));
    }
    assert!(factored >= 1, "{factored} by factors");
}

#[test]
fn factors_have_the_odds_of_the_whole() {
    let mut tests = 0;
    for question in questions() {
        let Some(factorization) = question.factorization() else { continue };
        let mut odds: BTreeMap<(ReportIndex, Outcome), f64> = BTreeMap::new();
        let mut visit = |stop: Stop<_, f64>| {
            for group in stop.groups {
                for (_, state, weight) in stop.spread(group) {
                    factorization.factors[group.factor].process.report(state, &mut |outcome| {
                        *odds.entry((stop.point, outcome)).or_default() += stop.chance * weight;
                    });
                }
            }
            Ok(())
        };
        play(&factorization, BOUND, Manner::default(), |_, _| None, &mut visit).unwrap();
        let whole = exact::odds(&question.whole(), BOUND).unwrap().chances;
        assert_eq!(odds.len(), whole.len());
        for chance in whole {
            let factored = odds[&(chance.point, chance.outcome)];
            assert!((factored - chance.probability).abs() < 1e-12, "{}", question.texts().in_words);
        }
        tests += 1;
    }
    assert!(tests >= 1, "{tests} questions factorise");
}

#[test]
fn monte_carlo_fits_the_exact_odds() {
    let mut tests = 0;
    for (place, question) in questions().iter().enumerate() {
        let process = question.whole();
        let run = Simulator::new(&process, Monitor::NONE)
            .unwrap()
            .run(&Plan::new(200_000, 700 + place as u64))
            .unwrap();
        let mut counts: BTreeMap<(ReportIndex, Outcome), u64> = run
            .counts
            .into_iter()
            .map(|(point, outcome, count)| ((point, outcome), count))
            .collect();
        let mut partitions: BTreeMap<(ReportIndex, u8), (Vec<u64>, Vec<f64>)> = BTreeMap::new();
        for chance in exact::odds(&process, BOUND).unwrap().chances {
            let slot = if let Outcome::Unit(slot, _) = &chance.outcome { *slot } else { 0 };
            let (observed, expected) = partitions.entry((chance.point, slot)).or_default();
            expected.push(chance.probability);
            observed.push(counts.remove(&(chance.point, chance.outcome)).unwrap_or(0));
        }
        assert!(
            counts.is_empty(),
            "{}: impossible outcomes: {counts:?}",
            question.texts().in_words
        );
        for ((point, slot), (observed, expected)) in partitions {
            let test = chi_squared(&observed, &expected).unwrap();
            assert!(
                test.p_value > 1e-4,
                "{}: slot {slot} at {point}: {test:?}",
                question.texts().in_words
            );
            tests += usize::from(test.degrees_of_freedom > 0);
        }
    }
    assert!(tests >= 20, "{tests} tests");
}

#[test]
fn transition_table_equals_the_rules_bit_for_bit() {
    for question in questions() {
        let process = question.whole();
        let table = Simulator::new(&process, Monitor::NONE).unwrap();
        assert!(matches!(table, Simulator::Table(_)), "{}", question.texts().in_words);
        for trials in [0, 1, 1000, 70_001] {
            let plan = Plan::new(trials, 36);
            assert_eq!(
                table.run(&plan).unwrap(),
                Simulator::Rules(&process).run(&plan).unwrap(),
                "{}",
                question.texts().in_words
            );
        }
    }
}

/// The odds of every unit sum to one at every point, and doubles agree with integers.
#[test]
fn odds_of_a_slot_sum_to_one() {
    for question in questions() {
        let process = question.whole();
        let odds = exact::odds(&process, BOUND).unwrap();
        let doubles = exact::float_odds(&process, BOUND).unwrap();
        let mut sums: BTreeMap<(ReportIndex, u8), f64> = BTreeMap::new();
        for (chance, double) in odds.chances.iter().zip(&doubles.chances) {
            assert_eq!((chance.point, &chance.outcome), (double.point, &double.outcome));
            assert!((chance.probability - double.probability).abs() < 1e-12);
            let slot = if let Outcome::Unit(slot, _) = &chance.outcome { *slot } else { 0 };
            *sums.entry((chance.point, slot)).or_default() += chance.probability;
        }
        let slots = if question.facts().is_joint { 1 } else { question.members().count() };
        let points = sums.len() / slots;
        assert_eq!(sums.len(), slots * points);
        for (place, sum) in sums {
            assert!((sum - 1.0).abs() < 1e-12, "{}: {place:?}: {sum}", question.texts().in_words);
        }
    }
}

/// Documented sizes: the states of FT-18 over ten turns, and of two against two.
#[test]
fn state_counts_stay_within_documented_sizes() {
    let melee = ask("assault", "units=unit; dice=5; value=6; order=defend; until=routed; turns=10");
    let odds = exact::odds(&melee.whole(), BOUND).unwrap();
    assert_eq!(odds.arithmetic, Arithmetic::Float);
    assert!(odds.states < 2_000, "{} states", odds.states);
    let battle = exact::odds(&ask("sequence", BATTLE).whole(), BOUND).unwrap();
    assert!(battle.states < 20_000, "{} states", battle.states);
}

/// Returns the rules and texts of the trace of one sequence.
fn trace_lines(question: &Question, script: &str) -> Vec<String> {
    let traced =
        trace::trace(&question.whole(), &TraceDice::Script(script.to_string()), Monitor::NONE)
            .unwrap_or_else(|error| panic!("{error}"));
    let line = |line: TraceLine<Outcome>| match line {
        TraceLine::Roll { event, faces_read, .. } => {
            Some(format!("{} {} [{faces_read}/20]", event.rule, event.text))
        }
        TraceLine::Event(event) => Some(format!("{} {}", event.rule, event.text)),
        TraceLine::Noted { .. } => None,
    };
    traced.lines.into_iter().filter_map(line).collect()
}

/// Section 9's example of a hit roll: two cavalry models, six dice, 8 + 2 for the Assault, 1 3 4 9
/// 13 13: four hits. Against Defense 1 they cost three models, and C5 is at 7.
#[test]
fn melee_trace_shows_each_attack_and_test() {
    let question =
        ask("assault", "units=ashigaru-archers/attack-cavalry=1; by=samurai-cavalry/models=2");
    let lines = trace_lines(&question, "20 20 20 20 20 1 3 4 9 13 13 8");
    assert_eq!(lines[0], "Assault samurai-cavalry [2] assaults ashigaru-archers [1] in front");
    assert_eq!(
        lines[1],
        "Attack ashigaru-archers [1] in melee with samurai-cavalry [2], 5 dice of 1: 20 [19/20]"
    );
    assert_eq!(
        lines[7],
        "Attack samurai-cavalry [2] in melee with ashigaru-archers [1], 6 dice of 10: 1 [10/20]"
    );
    assert_eq!(
        lines[13..],
        [
            "Attack 4 hits against Defense 1: 3 casualties",
            "Attack ashigaru-archers [1] suffers 3 casualties",
            "C5 Fortitude Test of ashigaru-archers [1] at 7 (base 10, casualties -3): 8, failed [13/20]",
            "C5 ashigaru-archers [1] is Hesitant",
        ]
    );
}

/// C3, surrender and Honor; Flee to the staff; Panic over the edge.
#[test]
fn traces_show_surrender_flight_and_panic() {
    let question = ask("assault", "units=unit/panicked; sides=rear; by=unit");
    assert_eq!(
        trace_lines(&question, "3"),
        [
            "Assault unit [2] assaults unit [1] in the rear",
            "C3 Fortitude Test of unit [1] at 2 (base 10, Panicked -3, rear -5): 3, failed [18/20]",
            "Surrender unit [1] surrenders",
            "Honor unit [2] earns an Honor Marker",
        ]
    );
    let question = ask("recover", "units=unit/shaken,staff=3; turns=1");
    assert_eq!(
        trace_lines(&question, "9"),
        [
            "C1 Fortitude Test of unit at 8 (base 10, Shaken -2): 9, failed [12/20]",
            "Flee unit flees 2 hexes",
            "Flee unit is Hesitant",
        ]
    );
    let question = ask("recover", "units=unit/panicked,edge=2; turns=1");
    assert_eq!(
        trace_lines(&question, "8")[1..],
        ["Panic unit panics 2 hexes", "Panic unit leaves the board"]
    );
}
