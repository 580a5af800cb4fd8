//! Tests that the engines agree under fire and in the Heat of Battle, part by part and on large
//! stacks. States that wait at reports are checked by hand.
//!
//! A DR of n or less has 1 3 6 10 15 21 26 30 33 35 36 chances in 36 for n = 2 to 12.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{
    self, ask, assert_ends, assert_traces, exact_odds, goodness_of_fit, greatest_common_divisor,
    noted, sequence, slot, table,
};
use crate::engines::PLAIN;
use crate::wrapped_factors::assert_alike_by_factors;
use crate::wrappers::assert_alike_in_every_wrapper;
use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::asl::stack_process::StackProcess;
use lowcrawl::dice::script::ScriptError;
use lowcrawl::dice::{Dice, Dr, Face};
use lowcrawl::engine::EngineError;
use lowcrawl::engine::automaton::{Automaton, MAX_ROWS};
use lowcrawl::engine::exact::{self, Arithmetic, Bound, Chance, Fraction};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, RunCounts, Simulator};
use lowcrawl::engine::trace::{self, TraceDice, TraceError};
use lowcrawl::process::{Due, Event, Log, Process, Question as _, ReportIndex};

/// Builds a question with Heat of Battle and ELR 3.
fn heated(kind: QuestionKind, stack: &str, fields: &str) -> Question {
    ask(kind, &format!("stack={stack}; hob; {fields}"))
}

fn fire(stack: &str, fp: i64, drm: i64) -> Question {
    heated(QuestionKind::Fire, stack, &format!("fp={fp}; drm={drm}"))
}

fn check(stack: &str, mc: i64) -> Question {
    heated(QuestionKind::Check, stack, &format!("mc={mc}"))
}

/// Builds a question about Rally Phases, of which the odd ones are in the owner's Player Turn.
fn rally(stack: &str, leader: &str, phases: i64) -> Question {
    heated(QuestionKind::Rally, stack, &format!("leader={leader}; phases={phases}"))
}

fn rout(stack: &str, hexes: i64, more: &str) -> Question {
    heated(QuestionKind::Interdict, stack, &format!("hexes={hexes}; {more}"))
}

fn chain(stack: &str, steps: &[&str]) -> Question {
    sequence(&format!("stack={stack}; hob"), steps)
}

/// Questions about fire, with K and KIA results, and about checks.
const ATTACKS: &str = "
    # A.9: selection of two and of three units.
    fire      | stack=german:4-6-7 + german:4-6-8; fp=2; drm=-1; hob
    fire      | stack=german:8-1 + german:4-6-7 + german:4-4-7; fp=12; hob
    fire      | stack=commissar:9-0 + russian:4-4-7; fp=8; drm=-1; hob
    # 15.42: units that cannot break.
    fire      | stack=german:4-6-7 + hero + german:9-1/berserk; fp=6; drm=-2; hob
    fire      | stack=german:8-0 + german:4-6-7; fp=8; drm=-2; joint; hob
    check     | stack=german:9-1/berserk + german:8-0 + german:4-6-7; mc=1; hob
    # 15.41: the leader goes berserk on the way.
    check     | stack=german:8-0 + german:4-6-7; mc=1; hob
    check     | stack=commissar:9-0 + russian:9-1 + russian:4-4-7; mc=0; hob
    # 19.13: two half-squads, and heroes.
    check     | stack=finnish:8-0 + finnish:8-3-8; mc=4; hob
    check     | stack=italian:8-0 + italian:3-4-6; mc=1; captor; hob
    check     | stack=german:9-1 + german:8-1 + 2x german:4-6-7; ptc; hob
";

/// Questions about Rally Phases, routs and sequences of steps.
const LATER: &str = "
    # 18.11: the created leader leads, and its Rally brings the Heat of Battle.
    rally     | stack=2x russian:4-4-7/broken; leader=none; phases=3; hob
    # A25.22, 19.13.
    rally     | stack=russian:4-4-7/dm + russian:6-2-8:2/broken; leader=commissar:9-0; phases=2; hob
    rally     | stack=commissar:9-0 + russian:6-2-8:2/broken + russian:8-0/broken; phases=2; hob
    rally     | stack=german:8-0/broken + german:4-6-7/dm; phases=3; hob
    # 10.711.
    interdict | stack=german:8-1 + german:4-6-7/broken; hexes=3; voluntary-rout; hob
    interdict | stack=commissar:9-0 + russian:4-4-7/broken; hexes=2; voluntary-rout; hob
    interdict | stack=german:4-6-7/broken + german:8-0/broken; hexes=2; leader=9-1; hob
    sequence  | stack=german:8-0 + german:4-6-7; hob; 1.do=check; 1.mc=1; 2.do=rally; 2.if=broken
    sequence  | stack=german:4-6-7; hob; 1.do=fire; 1.fp=4; 2.do=break; 2.if=none broken; 3.do=interdict; 3.hexes=2; 4.do=rally; 4.leader=8-0; 4.if=1 dm
    sequence  | stack=russian:4-4-7 + commissar:9-0; hob; 1.do=fire; 1.fp=2; 1.drm=-1; 2.do=eliminate; 2.slots=2; 2.if=1 broken; 3.do=rally; 3.if=all broken
";

fn questions() -> Vec<Question> {
    [ATTACKS, LATER, PLAIN].into_iter().flat_map(common::questions).collect()
}

/// Every wrapper keeps the odds of every kind of process.
#[test]
fn wrappers_of_stacks_change_no_odds() {
    let mut factored = 0;
    for question in questions() {
        let what = question.texts().in_words;
        if exact::odds(&question.whole(), Bound::STANDARD).unwrap().states > 1_000 {
            continue;
        }
        assert_alike_in_every_wrapper(&question.whole(), &what);
        factored += u32::from(assert_alike_by_factors(&Arc::new(question), &what));
    }
    assert!(factored >= 8, "{factored} by factors");
}

/// Counts of seeded runs fit the exact odds by chi-squared tests, for every kind of question.
/// P-values are neither too small nor too large.
#[test]
fn monte_carlo_fits_the_exact_odds() {
    let mut p_values = Vec::new();
    for (place, question) in questions().iter().enumerate() {
        for test in goodness_of_fit(question, 200_000, 2000 + place as u64) {
            assert!(test.p_value > 1e-4, "{}: {test:?}", question.texts().in_words);
            if test.degrees_of_freedom > 0 {
                p_values.push(test.p_value);
            }
        }
    }
    let above = |least: f64| p_values.iter().filter(|&&p| p > least).count();
    assert!(p_values.len() > 60, "{} tests", p_values.len());
    assert!(above(0.9999) * 20 < p_values.len(), "{p_values:?}");
    assert!(
        (p_values.len() * 3 / 10..p_values.len() * 7 / 10).contains(&above(0.5)),
        "{p_values:?}"
    );
}

/// Panics unless table and rules, on 1, 2 and 7 threads, give equal counts.
fn assert_same_counts(questions: &str, numbers: &[u64]) {
    for question in common::questions(questions) {
        let process = question.whole();
        let by_table: Simulator<_> = Simulator::Table(table(&process));
        let by_rules = Simulator::Rules(&process);
        for &trials in numbers {
            let play = |simulator: &Simulator<_>, threads| {
                simulator.run(&Plan { threads: Some(threads), ..Plan::new(trials, 15) }).unwrap()
            };
            let counts: RunCounts<Outcome> = play(&by_rules, 2);
            assert_eq!(counts.trials, trials);
            for threads in [1, 2, 7] {
                let name = format!("{} of {trials} on {threads}", question.texts().in_words);
                assert_eq!(play(&by_table, threads), counts, "{name}");
            }
        }
    }
}

/// The last number reaches into the third chunk of sequences.
#[test]
fn counts_of_attacks_do_not_depend_on_threads_or_on_the_table() {
    assert_same_counts(ATTACKS, &[999, 131_079]);
}

#[test]
fn counts_of_later_steps_do_not_depend_on_threads_or_on_the_table() {
    assert_same_counts(LATER, &[999, 131_079]);
}

#[test]
fn counts_without_heat_do_not_depend_on_threads_or_on_the_table() {
    assert_same_counts(PLAIN, &[0, 1, 7, 1000, 65_536, 100_003]);
}

/// Four units are too many for a table. Simulation by the rules does not depend on threads either.
#[test]
fn counts_without_a_table_do_not_depend_on_threads() {
    let process = fire("german:8-1 + german:4-6-7 + 2x german:2-4-7", 8, 0).whole();
    let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
    assert!(matches!(simulator, Simulator::Rules(_)));
    let play = |threads| {
        simulator.run(&Plan { threads: Some(threads), ..Plan::new(131_079, 15) }).unwrap()
    };
    let counts = play(1);
    assert_eq!((play(2), play(7)), (counts.clone(), counts));
}

/// Fractions are in lowest terms. The fractions of a unit of the stack (or of a whole stack) sum to
/// 1 at every point, and doubles agree with them.
#[test]
fn exact_odds_are_in_lowest_terms_and_sum_to_one() {
    let mut created = 0;
    for question in questions() {
        let process = question.whole();
        let (odds, doubles) =
            (exact_odds(&process), exact::float_odds(&process, Bound::STANDARD).unwrap());
        assert_eq!((odds.arithmetic, doubles.arithmetic), (Arithmetic::Integer, Arithmetic::Float));
        assert_eq!(doubles.chances.len(), odds.chances.len());
        let mut sums: BTreeMap<(ReportIndex, u8), Fraction> = BTreeMap::new();
        for (chance, double) in odds.chances.iter().zip(&doubles.chances) {
            let what = format!("{}: {chance:?}", question.texts().in_words);
            assert_eq!((chance.point, &chance.outcome), (double.point, &double.outcome), "{what}");
            assert!(
                (chance.probability - double.probability).abs() < 1e-12,
                "{what}: {}",
                double.probability
            );
            let fraction = chance.fraction.unwrap();
            assert_eq!((fraction.to_f64(), double.fraction), (chance.probability, None), "{what}");
            assert_eq!(
                greatest_common_divisor(fraction.numerator, fraction.denominator),
                1,
                "{what}"
            );
            let sum =
                sums.entry((chance.point, slot(&chance.outcome))).or_insert(Fraction::new(0, 1));
            *sum = sum.checked_add(fraction).unwrap();
        }
        for ((point, slot), sum) in sums {
            if usize::from(slot) <= question.stack.members.len() {
                assert_eq!(
                    sum,
                    Fraction::new(1, 1),
                    "{}: slot {slot} at {point}",
                    question.texts().in_words
                );
            } else {
                created += 1;
                assert!(
                    sum.numerator < sum.denominator,
                    "{}: slot {slot} at {point}",
                    question.texts().in_words
                );
            }
        }
    }
    assert!(created > 20, "{created}");
}

/// Returns exact odds by brute force: every possible sequence of faces is traced.
fn by_scripts(process: &StackProcess) -> BTreeMap<(ReportIndex, Outcome), Fraction> {
    let mut odds = BTreeMap::new();
    let mut scripts = vec![(String::new(), 1)];
    while let Some((script, denominator)) = scripts.pop() {
        match trace::trace(process, &TraceDice::Script(script.clone()), Monitor::NONE) {
            Ok(trace) => {
                for outcome in noted(trace) {
                    let sum = odds.entry(outcome).or_insert(Fraction::new(0, 1));
                    *sum = sum.checked_add(Fraction::new(1, denominator)).unwrap();
                }
            }
            Err(TraceError::Script { error: ScriptError::RanOut { due, .. }, .. }) => scripts
                .extend(due.all().map(|face| {
                    let roll = match due {
                        Dice::One => face.number().to_string(),
                        _ => format!(
                            "{},{}",
                            Dr::from_face(face).coloured(),
                            Dr::from_face(face).white()
                        ),
                    };
                    (format!("{script} {roll}"), denominator * u128::from(due.faces()))
                })),
            Err(error) => panic!("{script}: {error}"),
        }
    }
    odds
}

/// Merging of states and of rolls loses nothing: the exact odds equal those of all scripts, face by
/// face.
#[test]
fn exact_odds_equal_those_of_all_scripts() {
    for question in [
        fire("german:8-0 + german:4-6-7", 1, -20),
        fire("german:4-6-7", 8, -2),
        check("russian:8-0/wounded", 1),
        rally("russian:4-4-7/dm", "commissar:9-0", 2),
        rout("german:8-1 + german:4-6-7/broken", 2, "voluntary-rout"),
        chain("german:4-6-7", &["do=check; mc=1", "do=break; if=berserk"]),
    ] {
        let process = question.whole();
        let fraction =
            |chance: Chance<Outcome>| ((chance.point, chance.outcome), chance.fraction.unwrap());
        let exact: BTreeMap<_, _> =
            exact_odds(&process).chances.into_iter().map(fraction).collect();
        assert_eq!(exact, by_scripts(&process), "{}", question.texts().in_words);
    }
}

// Factors

/// Panics unless each question has this number of factors and a rest, which give each outcome once,
/// with its fraction in the whole. Leaders are one factor, and each sort of other units is another.
fn assert_parts(questions: &[(Question, usize)]) {
    for (question, processes) in questions {
        let parts = question.parts();
        let words = question.texts().in_words;
        assert_eq!((parts.processes.len(), parts.rest.is_some()), (*processes, true), "{words}");
        let odds = |process: &StackProcess| {
            exact::odds(process, Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD })
                .unwrap()
                .chances
        };
        let whole = odds(&question.whole());
        let mut found: Vec<Chance<Outcome>> = parts.all().flat_map(|part| odds(&part)).collect();
        found.sort_by(|a, b| (a.point, &a.outcome).cmp(&(b.point, &b.outcome)));
        assert_eq!(found.len(), whole.len(), "{words}");
        for (part, whole) in found.iter().zip(&whole) {
            assert_eq!(
                (part.point, &part.outcome, part.fraction),
                (whole.point, &whole.outcome, whole.fraction),
                "{words}"
            );
            assert!((part.probability - whole.probability).abs() < 1e-12, "{words}: {part:?}");
        }
    }
}

/// 7.301, 7.302, 7.303, A.9: attacks in parts: underlined squads, two nations, Commissars, heroes,
/// broken units.
#[test]
fn parts_of_fire_agree_with_the_whole() {
    assert_parts(&[
        (fire("german:4-6-7 + german:8-3-8 + german:4-6-8/broken", 8, -3), 3),
        (fire("german:2-4-7 + german:8-1 + german:4-6-7 + german:2-4-7", 6, -1), 3),
        (fire("german:8-1 + german:4-6-7 + german:8-3-8", 8, 0), 3),
        (fire("german:4-6-7 + finnish:8-3-8 + german:8-3-8 + hero", 12, -1), 4),
        (fire("german:9-1 + german:4-6-7/broken + american:6-6-6", 12, -1), 3),
        (fire("commissar:9-0 + russian:4-4-7 + russian:6-2-8:2", 6, -2), 3),
        (fire("russian:4-2-6/broken + commissar:9-0 + hero/wounded + russian:8-1", 6, -2), 3),
    ]);
}

/// 10.2, 10.22, 15.41, 25.22: checks in parts: berserk and lost leaders, Commissars, underlined
/// squads, four nations.
#[test]
fn parts_of_checks_agree_with_the_whole() {
    assert_parts(&[
        (check("german:8-3-8 + german:9-1 + german:8-3-8", 4), 2),
        (check("german:9-1 + german:8-0/broken + german:4-6-7", 1), 2),
        // Equal counters with different conditions are different units.
        (
            check(
                "german:4-6-7 + german:4-6-7/broken + german:4-6-7/elr=0 + german:4-6-7/morale=8",
                2,
            ),
            4,
        ),
        (check("russian:4-4-7 + commissar:9-0 + russian:10-2", 2), 2),
        (check("finnish:9-1 + finnish:8-3-8 + german:4-6-7 + german:4-6-8/fanatic", 3), 4),
        (check("german:4-6-7 + italian:4-4-7 + british:4-5-8/broken + hero/wounded", 1), 4),
        (heated(QuestionKind::Check, "german:9-1 + german:8-0 + german:4-6-7 + hero", "ptc"), 3),
    ]);
}

/// 10.6, 25.22, 10.53: Rally Phases under a leader or Commissar, and routs, in parts.
#[test]
fn parts_of_rallies_and_routs_agree_with_the_whole() {
    assert_parts(&[
        (rally("3x german:4-6-7/dm", "8-1", 2), 1),
        (
            rally(
                "german:8-1 + german:4-6-7/dm + german:8-3-8/broken + american:6-6-6/dm",
                "none",
                2,
            ),
            4,
        ),
        (
            rally(
                "russian:6-2-8:2/broken + commissar:9-0 + russian:4-4-7/dm + russian:4-2-6/broken",
                "none",
                2,
            ),
            4,
        ),
        (rally("german:4-6-7/dm + german:4-6-7/broken + german:4-6-7/broken,fanatic", "8-1", 2), 3),
        (rally("2x russian:6-2-8:2/dm + german:4-6-7/broken", "commissar:9-0", 2), 2),
        (
            rout(
                "german:8-1/broken + german:4-6-7/broken + german:8-3-8/broken + hero",
                2,
                "leader=9-1",
            ),
            4,
        ),
        (
            rout(
                "german:4-6-7/broken + german:8-1/broken + german:4-6-7/broken,fanatic",
                1,
                "elr=5",
            ),
            3,
        ),
        (
            rout(
                "russian:8-1/broken + commissar:9-0/broken + german:4-6-7/broken",
                3,
                "leader=commissar:9-0",
            ),
            3,
        ),
    ]);
}

/// 7.301: builds an attack that is a 1KIA for 1 FP and a 3KIA for 6 FP, without Cowering.
fn kia(stack: &str, fp: i64) -> Question {
    heated(QuestionKind::Fire, stack, &format!("fp={fp}; drm=-20; cowering=false"))
}

/// 7.301, A.9: four units under a 1KIA: each is picked if no dr is above its own, (1 + 8 + 27 +
/// 64 + 125 + 216) / 6^4 = 441/1296. Under a 3KIA it is spared only if three are above, (125 + 64 +
/// 27 + 8 + 1) / 6^4 = 225/1296. Each part has one or two of the four. The units outside it roll as
/// well, whether they have a part of their own or an equal unit represents them.
#[test]
fn bystanders_roll_in_a_random_selection() {
    let mut questions = Vec::new();
    for (fp, eliminated, broken) in [(1, "49/144", "95/144"), (6, "119/144", "25/144")] {
        for (units, parts) in
            [(["4-6-7", "8-3-8", "4-6-8", "4-4-7"], 4), (["4-6-7", "8-3-8", "4-6-7", "8-3-8"], 2)]
        {
            let question = kia(&units.map(|unit| format!("german:{unit}")).join(" + "), fp);
            for (slot, unit) in (1..).zip(units) {
                assert_ends(
                    &question,
                    slot,
                    &format!("eliminated: {eliminated}, broken {unit}: {broken}"),
                );
            }
            questions.push((question, parts));
        }
    }
    // 7.9: 1 FP that Cowers has no effect: 30/36 of the above.
    let cowering = fire("german:4-6-7 + german:8-3-8 + american:6-6-6 + german:4-4-7", 1, -20);
    assert_ends(&cowering, 3, "eliminated: 245/864, broken 6-6-6: 475/864, good-order 6-6-6: 1/6");
    questions.push((cowering, 4));
    // Beside an 8-1. The 8-1 and the 8-3-8 (ML 8, no LLMC) are as above. The hero, if spared, is
    // wounded and dies on 5 and 6. The 4-6-7 takes the LLMC for the 8-1 if that is picked and the
    // squad is not, and dies on a 12. That is 441 - 91 of 1296 (both are picked on 1 + 4 + 9 + 16 +
    // 25 + 36), and under the 3KIA whenever it is spared.
    for (fp, plain, squad, hero) in [
        // 441/1296 + 350/1296 * 1/36; 441/1296 + 855/1296 * 2/6.
        (1, "49/144", "8113/23328", "121/216"),
        // 1071/1296 + 225/1296 * 1/36; 1071/1296 + 225/1296 * 2/6.
        (6, "119/144", "4309/5184", "191/216"),
    ] {
        let question = kia("german:4-6-7 + german:8-1 + german:8-3-8 + hero", fp);
        for (slot, odds) in [(1, squad), (2, plain), (3, plain), (4, hero)] {
            assert_ends(&question, slot, &format!("eliminated: {odds}"));
        }
        questions.push((question, 4));
    }
    assert_parts(&questions);
}

/// 7.302, A.9: four units under 1 FP -1 without Cowering: K/1 on a 2 (1/36), 1MC or NMC on 3 to 5
/// (9/36). A half-squad is eliminated if it is picked, 441/1296, and by a 12 in a MC.
#[test]
fn bystanders_roll_for_a_k_result() {
    let fields = "fp=1; drm=-1; cowering=false";
    let question =
        heated(QuestionKind::Fire, "german:4-6-7 + german:2-4-7 + german:4-6-8 + hero", fields);
    // 1/36 * (441/1296 + 855/1296 * 1/36) + 9/36 * 1/36.
    assert_ends(&question, 2, "eliminated: 3155/186624");
    assert_parts(&[(question, 4)]);
}

// Large stacks.

fn large_stack() -> Question {
    let stack = "commissar:9-0 + 5x russian:4-4-7 + russian:9-1 + 2x russian:4-2-6/broken + 2x russian:6-2-8:2 + hero";
    fire(stack, 12, 0)
}

/// A large stack as a whole, and the rest that only counts created units, are too large for the
/// exact engine and for a table.
#[test]
fn large_stack_is_refused_as_a_whole() {
    let (whole, rest) = (large_stack().whole(), large_stack().parts().rest.unwrap());
    for process in [whole, rest] {
        assert_eq!(
            exact::odds(&process, Bound::STANDARD).unwrap_err(),
            EngineError::TooManyStates { bound: 1 << 17 }
        );
        let patient = Bound { alive: usize::MAX, worked: 1 << 16, ..Bound::STANDARD };
        assert_eq!(
            exact::odds(&process, patient).unwrap_err(),
            EngineError::TooMuchWork { bound: 1 << 16 }
        );
        assert!(Automaton::explore(&process, MAX_ROWS, Monitor::NONE).unwrap().is_none());
        assert!(matches!(Simulator::new(&process, Monitor::NONE).unwrap(), Simulator::Rules(_)));
    }
}

/// Each factor of a large stack is exact within the standard bound. Simulation of the whole agrees
/// with all factors within 5 standard errors, and has no other outcomes.
#[test]
fn large_stack_is_exact_part_by_part() {
    const TRIALS: u64 = 60_000;
    let question = large_stack();
    let whole = question.whole();
    let run = Simulator::Rules(&whole).run(&Plan::new(TRIALS, 12)).unwrap();
    let of_stack = |outcome: &Outcome| slot(outcome) <= 12;
    let mut counts: BTreeMap<Outcome, u64> =
        run.counts.into_iter().map(|(_, outcome, count)| (outcome, count)).collect();
    let created: u64 =
        counts.iter().filter(|(outcome, _)| !of_stack(outcome)).map(|(_, count)| count).sum();
    assert!(created > TRIALS / 100, "{created} units were created");
    counts.retain(|outcome, _| of_stack(outcome));

    let parts = question.parts().processes;
    assert_eq!(parts.len(), 5);
    let mut compared = 0;
    for part in &parts {
        for Chance { outcome, probability, .. } in exact_odds(part).chances {
            let count = counts.remove(&outcome).unwrap_or(0) as f64;
            let expected = probability * TRIALS as f64;
            let std_error = (expected * (1.0 - probability)).sqrt();
            // A rare outcome is not normally distributed, so one count more or less is allowed.
            assert!(
                (count - expected).abs() <= 5.0 * std_error + 1.0,
                "{outcome:?}: {count} instead of {expected}"
            );
            compared += usize::from(expected > 100.0);
        }
    }
    assert!(counts.is_empty(), "noted by no part: {counts:?}");
    assert!(compared > 90, "{compared}");
}

// Waiting at reports.

#[derive(Clone, Debug)]
struct Graph(Vec<Node>);

#[derive(Clone, Debug)]
enum Node {
    /// A roll that leads to the first node whose number is at least the total of the roll.
    Roll(Dice, Vec<(u8, usize)>),
    Report(ReportIndex, &'static str, usize),
    Over,
}

use Node::{Over, Report, Roll};

impl Process for Graph {
    type State = usize;
    /// The node whose roll is due.
    type Terms = usize;
    /// The node the roll leads to.
    type Reading = usize;
    type Outcome = &'static str;

    fn start<L: Log>(&self, _: &mut L) -> usize {
        0
    }
    fn due(&self, &node: &usize) -> Due<usize> {
        match self.0[node] {
            Roll(dice, _) => Due::Roll(dice, node),
            Report(point, ..) => Due::Report(point),
            Over => Due::Over,
        }
    }
    fn read(&self, &node: &usize, face: Face) -> usize {
        let Roll(dice, ways) = &self.0[node] else { panic!("node {node} does not roll") };
        let total = if *dice == Dice::One { face.number() } else { Dr::from_face(face).total() };
        ways.iter().find(|(most, _)| total <= *most).expect("a way for every roll").1
    }
    fn apply<L: Log>(&self, node: &mut usize, next: usize, _: &mut L) {
        *node = next;
    }
    fn choose<L: Log>(&self, _: &mut usize, _: usize, _: &mut L) {
        panic!("no choices");
    }
    fn report(&self, &node: &usize, observe: &mut dyn FnMut(&'static str)) {
        if let Report(_, outcome, _) = self.0[node] {
            observe(outcome);
        }
    }
    fn pass<L: Log>(&self, node: &mut usize, _: &mut L) {
        if let Report(_, _, next) = self.0[*node] {
            *node = next;
        }
    }
    fn describe(&self, &node: &usize, _: &usize, _: Face) -> Event {
        Event { rule: "1", text: format!("node {node}") }
    }
}

/// Panics unless the exact odds are these fractions in this order, doubles and table agree, and the
/// table counts as the rules do.
fn assert_graph(
    graph: &Graph,
    states: usize,
    expected: &[(ReportIndex, &'static str, u128, u128)],
) {
    let odds = exact::odds(graph, Bound::STANDARD).unwrap();
    let found: Vec<_> = odds
        .chances
        .iter()
        .map(|chance| (chance.point, chance.outcome, chance.fraction.unwrap()))
        .collect();
    // Written out, because a fraction must already be in lowest terms.
    let fraction = |&(point, outcome, numerator, denominator)| {
        (point, outcome, Fraction { numerator, denominator })
    };
    assert_eq!(found, expected.iter().map(fraction).collect::<Vec<_>>());
    assert_eq!((odds.arithmetic, odds.states), (Arithmetic::Integer, states));
    let doubles = exact::float_odds(graph, Bound::STANDARD).unwrap();
    assert_eq!((doubles.arithmetic, doubles.states), (Arithmetic::Float, states));
    let table = table(graph);
    assert_eq!((doubles.chances.len(), table.noted.len()), (expected.len(), expected.len()));
    for (chance, double) in odds.chances.iter().zip(&doubles.chances) {
        assert_eq!((chance.point, chance.outcome), (double.point, double.outcome));
        assert!((chance.probability - double.probability).abs() < 1e-12, "{chance:?} {double:?}");
    }
    let (by_table, by_rules): (Simulator<Graph>, _) =
        (Simulator::Table(table), Simulator::Rules(graph));
    let plan = Plan::new(70_000, 3);
    assert_eq!(by_table.run(&plan).unwrap(), by_rules.run(&plan).unwrap());
}

/// Reports after different numbers of rolls, several at once, and some left out. The first DR: 4 or
/// less (6/36) is tried at once. 5 to 9 (24/36) takes a dr: tried on 1 to 3, over without another
/// report on 6, late on 4 and 5. 10 or more (6/36) is late. Tried: 1/6 + 2/3 * 1/2 = 1/2. Late:
/// 1/6 + 2/3 * 1/3 = 7/18, which is reported at 1 and 2 on a dr of 1 and 2 (7/54), or at 2 alone
/// (7/27). Tried wins on 7 or less (7/12): 7/24, and loses: 5/24. All but losers continue: 7/24 +
/// 7/18 = 49/72, to 3 alone or (5/6) to 3 and 4.
///
/// There are six states: the start, the dr after it, late twice (after one roll or two), tried once
/// and the last dr once, however many rolls led there.
#[test]
fn sequences_wait_for_each_other_at_reports() {
    let graph = Graph(vec![
        Report(0, "start", 1),
        Roll(Dice::Dr, vec![(4, 3), (9, 2), (12, 5)]),
        Roll(Dice::One, vec![(3, 3), (5, 5), (6, 14)]),
        Report(1, "tried", 4),
        Roll(Dice::DrTotal, vec![(7, 9), (12, 10)]),
        Roll(Dice::One, vec![(2, 6), (6, 8)]),
        Report(1, "late", 7),
        Report(2, "late", 11),
        Report(2, "skipped", 11),
        Report(2, "won", 11),
        Report(2, "lost", 14),
        Roll(Dice::One, vec![(1, 12), (6, 15)]),
        Report(3, "end", 14),
        Report(4, "more", 14),
        Over,
        Report(3, "end", 13),
    ]);
    let expected = [
        (0, "start", 1, 1),
        (1, "late", 7, 54),
        (1, "tried", 1, 2),
        (2, "late", 7, 54),
        (2, "lost", 5, 24),
        (2, "skipped", 7, 27),
        (2, "won", 7, 24),
        (3, "end", 49, 72),
        (4, "more", 245, 432),
    ];
    assert_graph(&graph, 6, &expected);
}

/// Points need not come in order. A dr of 1 and 2 passes 5 first (1/3), 6 reports 2 at once (1/6),
/// and all others roll a DR: 2 on 7 or less (1/6 + 5/6 * 7/12 = 47/72), else 7 (5/6 * 5/12 =
/// 25/72). So the DR is rolled by two groups that never meet.
#[test]
fn reports_out_of_order_have_exact_odds() {
    let graph = Graph(vec![
        Roll(Dice::One, vec![(2, 1), (5, 2), (6, 3)]),
        Report(5, "early", 2),
        Roll(Dice::Dr, vec![(7, 3), (12, 4)]),
        Report(2, "low", 5),
        Report(7, "high", 5),
        Over,
    ]);
    assert_graph(&graph, 3, &[(2, "low", 47, 72), (5, "early", 1, 3), (7, "high", 25, 72)]);
}

/// A long way and a short way to one report: one dr, or up to eight, each of which continues on 2
/// or more. All ways reach the report: the sum of 1/6 * (5/6)^k for k = 0 to 6, and (5/6)^7, is 1.
/// After the report the one DR is visited once, not eight times.
#[test]
fn waiting_states_are_merged() {
    let mut nodes: Vec<Node> =
        (0..8).map(|node| Roll(Dice::One, vec![(1, 8), (6, node + 1)])).collect();
    nodes.extend([
        Report(1, "there", 9),
        Roll(Dice::DrTotal, vec![(2, 10), (12, 11)]),
        Report(2, "two", 11),
        Over,
    ]);
    assert_graph(&Graph(nodes), 9, &[(1, "there", 1, 1), (2, "two", 1, 36)]);
}

/// Waiting states count toward the bound: six states wait at six reports, and seven are visited.
#[test]
fn waiting_states_count_against_the_bounds() {
    let mut nodes = vec![Roll(Dice::One, (1..=6).map(|pips| (pips, usize::from(pips))).collect())];
    nodes.extend((1..=6).map(|point| Report(point, "on", usize::from(point) + 6)));
    nodes.extend((1..=6).map(|_| Roll(Dice::Dr, vec![(12, 13)])));
    nodes.push(Over);
    let graph = Graph(nodes);
    let odds = |alive, worked| {
        exact::odds(&graph, Bound { alive, worked, ..Bound::STANDARD }).map(|odds| odds.states)
    };
    assert_eq!(odds(6, 7), Ok(7));
    assert_eq!(odds(5, 7), Err(EngineError::TooManyStates { bound: 5 }));
    assert_eq!(odds(6, 6), Err(EngineError::TooMuchWork { bound: 6 }));
}

/// Twenty-four DR in a row have a common denominator of 36^24, below 2^128, and exact fractions:
/// (7/12)^n is left after n. One more is 36^25, above it: doubles.
#[test]
fn fractions_become_doubles_beyond_128_bits() {
    let row = |rolls: usize| {
        let roll = |place: usize| {
            [
                Roll(Dice::DrTotal, vec![(7, 2 * place + 1), (12, 2 * rolls)]),
                Report(place as ReportIndex, "up", 2 * place + 2),
            ]
        };
        Graph((0..rolls).flat_map(roll).chain([Over]).collect())
    };
    let up = |rolls: i32| (7.0f64 / 12.0).powi(rolls);
    let exactly = exact::odds(&row(24), Bound::STANDARD).unwrap();
    assert_eq!(
        (exactly.arithmetic, exactly.chances.len(), exactly.states),
        (Arithmetic::Integer, 24, 24)
    );
    assert_eq!(
        exactly.chances[23].fraction,
        Some(Fraction { numerator: 7u128.pow(24), denominator: 12u128.pow(24) })
    );
    let roughly = exact::odds(&row(25), Bound::STANDARD).unwrap();
    assert_eq!(
        (roughly.arithmetic, roughly.chances.len(), roughly.states),
        (Arithmetic::Float, 25, 25)
    );
    for (rolls, chance) in (1..).zip(&roughly.chances) {
        assert_eq!(chance.fraction, None);
        assert!((chance.probability / up(rolls) - 1.0).abs() < 1e-12, "{chance:?}");
    }
    // Until then the weights are integers. Doubles from the start would have been rounded 24 times.
    let doubles = exact::float_odds(&row(25), Bound::STANDARD).unwrap();
    assert_eq!((doubles.arithmetic, doubles.states), (Arithmetic::Float, 25));
    for (place, (early, late)) in doubles.chances.iter().zip(&roughly.chances).enumerate() {
        assert_eq!((early.point, early.outcome), (late.point, late.outcome));
        assert!((early.probability / late.probability - 1.0).abs() < 1e-14, "{early:?} {late:?}");
        let rounded_once = |exact: f64| (late.probability / exact - 1.0).abs() < 4.0 * f64::EPSILON;
        assert!(place == 24 || rounded_once(exactly.chances[place].probability), "{late:?}");
    }
}

// Scripted sequences.

/// 7.302, 17.11, A.9: 2 FP is a K/1 on a 2 only (1/36). With dr of 3, 5 and 5 the squads tie for the
/// one place, and both are Reduced. 1MC: the 8-0 is clean on 3 to 6 (14/36). The 2-4-7 is pinned on
/// 6 (5/36). The 2-4-8 breaks on 8 to 10 (12/36; 11 is more than ELR 3 above its 7).
///
/// Or the 8-0 and the 4-6-7 tie on 6. The 8-0 is wounded, lightly on 1 to 4 (4/6), takes no MC, and
/// leads with +1 (17.3). The 2-4-7 is pinned on 5 (4/36), the 4-6-8 breaks on 7 to 9 (15/36; 10 + 2
/// is more than 3 above 8).
#[test]
fn units_tied_in_random_selection_are_all_hit() {
    let stack = "german:8-0 + german:4-6-7 + german:4-6-8";
    assert_traces(
        &heated(QuestionKind::Fire, stack, "fp=2; cowering=false"),
        "
            1,1 3 5 5 3,3 2,4 4,4 | 7.3 1/36, .9 1/6, .9 1/6, .9 1/6, 10.1 14/36, 10.1 5/36, 10.1 12/36 = 35/15116544 | good-order 8-0, pinned 2-4-7, broken 2-4-8
            1,1 6 6 2 3 2,3 4,4   | 7.3 1/36, .9 1/6, .9 1/6, .9 1/6, 17.11 4/6, 10.1 4/36, 10.1 15/36 = 5/1259712 | good-order 8-0/wounded, pinned 2-4-7, broken 4-6-8
        ",
    );
}

/// 15.4, 15.41, 15.42: an 8-1 rolls a 2 (1/36), and at -1 goes berserk on 10 to 12 (6/36). The
/// 4-6-7 follows on 8 or less (26/36), and takes its NMC against 10: Reduced on 11 (2/36) and still
/// berserk. Or it stays out on 9 or more (10/36), and is clean without the leader on 3 to 6 (14/36).
#[test]
fn squad_may_follow_a_berserk_leader_or_stay() {
    assert_traces(
        &check("german:8-1 + german:4-6-7", 0),
        "
            1,1 5,6 2,6 5,6 | 10.1 1/36, 15.1 6/36, 15.41 26/36, 10.1 2/36 = 13/69984  | berserk 8-1, berserk 2-4-7
            1,1 6,6 4,5 2,3 | 10.1 1/36, 15.1 6/36, 15.41 10/36, 10.1 14/36 = 35/69984 | berserk 8-1, good-order 4-6-7
        ",
    );
}

/// 15.4, 15.41, 10.6: a broken 7-0 rolls a 2 to rally under an 8-0 (1/36), and at 0 in all (elite,
/// broken) goes berserk on 9 to 11 (9/36). The broken 4-6-7 follows on 7 or less (21/36), and no
/// longer needs to rally.
#[test]
fn broken_squad_follows_a_leader_gone_berserk_in_a_rally() {
    assert_traces(
        &rally("german:7-0/broken + german:4-6-7/broken", "8-0", 1),
        "1,1 5,5 3,4 | 10.6 1/36, 15.1 9/36, 15.41 21/36 = 7/1728 | berserk 7-0, berserk 4-6-7",
    );
}

/// 25.22, 10.62: a 4-4-7 with DM fails under a Commissar on 9 to 11 (9/36; ML 7 + 1) and is
/// Replaced by a 4-2-6. The 4-2-6 (5 + 1) fails on 7 to 11 (20/36): without a lower class it is
/// Reduced. The 2-2-6 (4 + 1) fails on 6 to 11 (25/36) and is eliminated.
#[test]
fn failures_under_a_commissar_replace_then_eliminate() {
    for (phases, trace) in (1..).zip([
        "4,5         | 10.6 9/36 = 1/4                               | broken 4-2-6",
        "4,5 3,4     | 10.6 9/36, 10.6 20/36 = 5/36                  | broken 2-2-6",
        "4,5 3,4 1,5 | 10.6 9/36, 10.6 20/36, 10.6 25/36 = 125/1296  | eliminated",
    ]) {
        assert_traces(&rally("russian:4-4-7/dm", "commissar:9-0", phases), trace);
    }
}

/// 25.22, 19.13: an underlined 6-2-8 fails on 11 only (2/36; 9 + 1), and is Replaced by two
/// half-squads, which do not try again in this phase. In the next phase one rallies on 3 to 9
/// (29/36; 8 + 1). The other fails on 10 and 11 (5/36) and, without a lower class, is eliminated.
#[test]
fn underlined_squad_failing_a_commissar_becomes_half_squads() {
    for (phases, trace) in (1..).zip([
        "5,6         | 10.6 2/36                                      | good-order 9-0, broken 3-2-8, broken 3-2-8",
        "5,6 4,5 5,5 | 10.6 2/36, 10.6 29/36, 10.6 5/36 = 145/23328 | good-order 9-0, rallied 3-2-8, eliminated",
    ]) {
        assert_traces(&rally("commissar:9-0 + russian:6-2-8:2/broken", "none", phases), trace);
    }
}

/// 10.711, 10.53, 10.2: a 4-6-7 crosses the first hex beside an 8-1 on 3 to 7 (20/36; 8 would pin).
/// In the second it fails on 9 to 11 (9/36): it is Reduced and the leader is lost. In the LLMC (+1)
/// the 2-4-7 (ML 6) fails on 6 to 11 (25/36) and is eliminated.
#[test]
fn failed_interdiction_can_eliminate_squad_and_leader() {
    let rout_of = |hexes| rout("german:8-1 + german:4-6-7/broken", hexes, "voluntary-rout");
    let trace =
        "3,4 4,5 3,4 | 10.53 20/36, 10.53 9/36, 10.2 25/36 = 125/1296 | eliminated, eliminated";
    assert_traces(&rout_of(2), trace);
    // 10.53: a 12 eliminates both at once, and no unit is left for a LLMC.
    assert_traces(&rout_of(1), "6,6 | 10.53 1/36 | eliminated, eliminated");
    // 1/36 + 9/36 * (25/36 + 1/36): the unit is lost in no other way, and the leader on 10/36.
    assert_ends(&rout_of(1), 2, "eliminated: 5/24");
    assert_ends(&rout_of(1), 1, "eliminated: 5/18");
    // 7.302: a half-squad (ML 6) fails on 8 to 11 (14/36) and is lost with the leader by one DR.
    let half = rout("german:8-1 + german:2-4-7/broken", 1, "voluntary-rout");
    assert_traces(&half, "4,4 | 10.53 14/36 | eliminated, eliminated");
}
