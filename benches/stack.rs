//! Benchmark: stacks too big for a transition table, played from the rules. Two leaders and five
//! squads take a 2MC, come under fire with Heat of Battle, and rally under a Commissar. Some
//! answers are exact.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::answer::odds::answer;
use lowcrawl::answer::{Counting, Meta, Options};
use lowcrawl::asl::question::{QuestionKind, RawValue};
use lowcrawl::engine::automaton::{Automaton, MAX_ROWS};
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::process::Question as _;

const TRIALS: u64 = 1 << 18;

/// Returns the exact probability that the first squad is broken by its check beside two leaders
/// (A10.31).
fn broken_squad(question: &lowcrawl::asl::question::Question) -> f64 {
    let chances =
        question.parts().all().flat_map(|part| odds(&part, Bound::STANDARD).unwrap().chances);
    let label = |point, outcome: &_| question.label(point, outcome);
    chances
        .filter(|chance| {
            let label = label(chance.point, &chance.outcome);
            label.slot == Some(3) && label.status == Some("broken")
        })
        .map(|chance| chance.probability)
        .sum()
}

fn big_stack(criterion: &mut Criterion) {
    let question = common::big_stack();
    let expected = broken_squad(&question);
    let process = question.whole();
    assert!(Automaton::explore(&process, MAX_ROWS, Monitor::NONE).unwrap().is_none());
    let simulator = Simulator::Rules(&process);
    let mut group = criterion.benchmark_group("two leaders, five squads, 2MC");
    group.throughput(Throughput::Elements(TRIALS)).sample_size(10);
    group.bench_function("straight from the rules, one core", |bencher| {
        bencher.iter(|| {
            let counts =
                simulator.run(&Plan { threads: Some(1), ..Plan::new(TRIALS, 36) }).unwrap();
            let broken = counts.counts.iter().filter(|(point, outcome, _)| {
                let label = question.label(*point, outcome);
                label.slot == Some(3) && label.status == Some("broken")
            });
            let share = broken.map(|(_, _, count)| *count as f64).sum::<f64>() / TRIALS as f64;
            assert!((share - expected).abs() < 0.01, "{share} instead of {expected}");
        });
    });
    group.bench_function("exact, part by part", |bencher| {
        bencher.iter(|| assert_eq!(broken_squad(&question), expected));
    });
    group.finish();
}

/// Benchmarks processes that Heat of Battle, Commissars and Random Selection make too big for any
/// table.
fn heated_stacks(criterion: &mut Criterion) {
    let mut group =
        criterion.benchmark_group("with Heat of Battle, straight from the rules, one core");
    group.throughput(Throughput::Elements(TRIALS)).sample_size(10);
    for (name, question) in [
        ("two leaders, five squads, 16 FP", common::big_stack_under_fire()),
        ("a Commissar, two leaders, four squads, three Rally Phases", common::big_rally()),
    ] {
        let process = question.whole();
        assert!(odds(&process, Bound::STANDARD).is_err(), "{name} is small enough to be exact");
        let simulator = Simulator::Rules(&process);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let counts =
                    simulator.run(&Plan { threads: Some(1), ..Plan::new(TRIALS, 36) }).unwrap();
                let last = counts.counts.iter().map(|(point, _, _)| *point).max().unwrap();
                let of_first = counts.counts.iter().filter(|(point, outcome, _)| {
                    *point == last && question.label(*point, outcome).slot == Some(1)
                });
                assert_eq!(of_first.map(|(_, _, count)| count).sum::<u64>(), TRIALS);
            });
        });
    }
    group.finish();
}

/// Computes all results of a stack whose units depend on each other only through its leaders.
fn whole_answers(criterion: &mut Criterion) {
    let mut group = criterion
        .benchmark_group("two leaders, Heat of Battle: rows, created units and counts, exactly");
    group.sample_size(10);
    let (two, sixteen) = (RawValue::Integer(2), RawValue::Integer(16));
    for (name, ask, field, squads) in [
        ("five squads, 2MC", QuestionKind::Check, ("mc", two), 5),
        ("ten squads, 2MC", QuestionKind::Check, ("mc", two), 10),
        ("five squads, 16 FP", QuestionKind::Fire, ("fp", sixteen), 5),
        ("ten squads, 16 FP", QuestionKind::Fire, ("fp", sixteen), 10),
    ] {
        let stack = format!("german:9-1 + german:8-0 + {squads}x german:4-6-7");
        let fields = [("stack", RawValue::Text(&stack)), field, ("hob", RawValue::Boolean(true))];
        let question = common::ask(ask, &fields);
        let options = Options { counts: Some(Counting::IMPLICIT), ..Options::default() };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let table = answer(&question, &options, Meta::default()).unwrap();
                let counts = table.counts.unwrap();
                assert_eq!((table.meta.engine, counts.footing.engine), ("exact", "exact"));
                let all: f64 = counts.tallies.iter().map(|(.., figure)| figure.probability()).sum();
                assert!((all - 1.0).abs() < 1e-12, "{all}");
            });
        });
    }
    group.finish();
}

/// Builds a question and answers it with its counts, which must add up to 1 at its last report.
fn answered(ask: QuestionKind, fields: &[(&str, RawValue)]) -> &'static str {
    let question = common::ask(ask, fields);
    let options = Options { counts: Some(Counting::IMPLICIT), ..Options::default() };
    let table = answer(&question, &options, Meta::default()).unwrap();
    let counts = table.counts.unwrap();
    let last = counts.tallies.iter().map(|(point, ..)| *point).max();
    let tallies = counts.tallies.iter().filter(|(point, ..)| Some(*point) == last);
    let all: f64 = tallies.map(|(.., figure)| figure.probability()).sum();
    assert!((all - 1.0).abs() < 1e-5, "{all}");
    table.meta.engine
}

/// Attacks by named firers: their reckoning beside the attack by FP and DRM, and several attacks of
/// a Player Turn with their ROF.
fn named_attacks(criterion: &mut Criterion) {
    let turn = |rof: &str| {
        format!(
            "prep 3{rof}: 9-2 + 2x german:4-6-7/hmg; prep 5{rof}: german:4-6-7/mmg; \
                advancing 2: 2x german:5-4-8"
        )
    };
    let (plain, with_rof) = (turn(""), turn(", rof 3"));
    let text = |text| RawValue::Text(text);
    let stack = ("stack", text("8-0 + 3x russian:4-4-7"));
    let stone = ("terrain", text("stone"));
    let by = "9-2 + 2x german:4-6-7/hmg + german:4-6-7";
    let mut group = criterion.benchmark_group("a leader and three squads under fire");
    group.sample_size(10);
    for (name, fields) in [
        ("24 FP +1", vec![("fp", RawValue::Integer(24)), ("drm", RawValue::Integer(1))]),
        ("by named firers", vec![("by", text(by)), ("range", RawValue::Integer(3)), stone]),
    ] {
        let mut fields = [vec![stack], fields].concat();
        if name.starts_with('2') {
            fields.push(("cowering", RawValue::Boolean(false)));
        }
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(answered(QuestionKind::Fire, &fields), "exact"));
        });
    }
    for (name, attacks, hob) in [
        ("three attacks", &plain, false),
        ("three attacks, ROF 3", &with_rof, false),
        ("three attacks, Heat of Battle", &plain, true),
        ("three attacks, ROF 3, Heat of Battle", &with_rof, true),
    ] {
        let fields = [stack, stone, ("attack", text(attacks)), ("hob", RawValue::Boolean(hob))];
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let engine = answered(QuestionKind::Turn, &fields);
                assert!(hob || engine == "exact", "{name}: {engine}");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, big_stack, heated_stacks, whole_answers, named_attacks);
criterion_main!(benches);
