//! Benchmark of the other two games: a big volley, an exchange of ten volleys between four units,
//! and a melee over three turns.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::fortitude::Fortitude;
use lowcrawl::play::{Game, PartialQuestion, Playable, PolicyQuestion, PreparedQuestion};
use lowcrawl::process::Question as _;
use lowcrawl::reaction::Reaction;
use lowcrawl::schema::{Kind, RawValue};

const EXCHANGE: &str = include_str!("../studies/reaction/exchange.toml");
const TRIALS: u64 = 1 << 18;

/// Builds a question of a game from its kind and fields, with choices made by its first policy.
fn ask<Q: Playable + Sync + 'static>(
    game: &dyn Game,
    kind: &str,
    fields: &[(&str, RawValue)],
) -> PolicyQuestion<Q> {
    let mut form = game.form(Kind::named(kind, game.kinds()).unwrap());
    fields.iter().for_each(|(field, value)| form.set(field, *value).unwrap());
    line(form.finish().unwrap().as_ref())
}

fn line<Q: Playable + Sync + 'static>(
    asking: &dyn lowcrawl::play::dyn_question::DynQuestion,
) -> PolicyQuestion<Q> {
    let question = asking.as_any().downcast_ref::<PreparedQuestion<Q>>().unwrap().question.clone();
    let first = question.policies().first().map_or(0, |policy| policy.place);
    PolicyQuestion::by_policy(question, first)
}

/// Returns the exact probability that the first unit has a status at the last report point.
fn share<Q: Playable + Send + 'static>(
    line: &lowcrawl::play::policy::PolicyQuestion<Q>,
    status: &str,
) -> f64 {
    let chances = odds(&line.whole(), Bound::STANDARD).unwrap().chances;
    let last = chances.iter().map(|chance| chance.point).max();
    let of_status = chances.iter().filter(|chance| {
        let label = line.label(chance.point, &chance.outcome);
        Some(chance.point) == last && label.status == Some(status) && label.slot == Some(1)
    });
    of_status.map(|chance| chance.probability).sum()
}

/// Benchmarks a volley, which rolls two big pools of dice, one after the other.
fn volley(criterion: &mut Criterion) {
    let fields = [
        ("target", RawValue::Text("unit/reaction=12,cohesion=3")),
        ("dice", RawValue::Integer(12)),
    ];
    let line = ask::<lowcrawl::reaction::question::Question>(&Reaction, "volley", &fields);
    assert!(
        (share(&line, "ready")
            + share(&line, "suppressed")
            + share(&line, "forced-back")
            + share(&line, "dispersed")
            - 1.0)
            .abs()
            < 1e-12
    );
    let process = line.whole();
    let exact = odds(&process, Bound::STANDARD).unwrap();
    criterion.bench_function("a volley of 12 dice against 12, exact", |bencher| {
        bencher.iter(|| assert_eq!(odds(&process, Bound::STANDARD).unwrap(), exact));
    });
}

fn exchange(criterion: &mut Criterion) {
    let kind = Kind::named("sequence", Reaction.kinds()).unwrap();
    let asking =
        PartialQuestion::of_file(EXCHANGE, Reaction.form(kind)).unwrap().question().unwrap();
    let line: PolicyQuestion<lowcrawl::reaction::question::Question> = line(asking.as_ref());
    let ready = share(&line, "ready");
    let mut group = criterion.benchmark_group("ten volleys, two units a side");
    group.sample_size(10);
    group.bench_function("exact", |bencher| {
        bencher.iter(|| assert_eq!(share(&line, "ready"), ready))
    });
    group.throughput(Throughput::Elements(TRIALS));
    let process = line.whole();
    let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
    group.bench_function("simulated, one core", |bencher| {
        bencher.iter(|| {
            let counts =
                simulator.run(&Plan { threads: Some(1), ..Plan::new(TRIALS, 36) }).unwrap().counts;
            let last = counts.iter().map(|(point, _, _)| *point).max();
            let of_status = counts.iter().filter(|(point, outcome, _)| {
                let label = line.label(*point, outcome);
                Some(*point) == last && label.status == Some("ready") && label.slot == Some(1)
            });
            let share = of_status.map(|(_, _, count)| *count).sum::<u64>() as f64 / TRIALS as f64;
            assert!((share - ready).abs() < 0.01);
        });
    });
}

/// Benchmarks a unit that is held in melee, and attacked in each turn by 5 dice at 6 (test case
/// FT-18).
fn melee(criterion: &mut Criterion) {
    let fields = [
        ("units", RawValue::Text("unit/base=10,defense=1,models=5")),
        ("order", RawValue::Text("defend")),
        ("dice", RawValue::Integer(5)),
        ("value", RawValue::Integer(6)),
        ("turns", RawValue::Integer(3)),
        ("until", RawValue::Text("routed")),
    ];
    let line = ask::<lowcrawl::fortitude::Question>(&Fortitude, "assault", &fields);
    assert!((share(&line, "normal") - 6_147_291_228_984_647.0 / 8e15).abs() < 1e-12);
    let mut group = criterion.benchmark_group("a melee of three turns");
    group.bench_function("exact", |bencher| bencher.iter(|| share(&line, "normal")));
    let process = line.whole();
    let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
    assert!(matches!(simulator, Simulator::Table(_)));
    group.throughput(Throughput::Elements(TRIALS)).sample_size(10);
    group.bench_function("table walk, one core", |bencher| {
        bencher.iter(|| {
            let counts =
                simulator.run(&Plan { threads: Some(1), ..Plan::new(TRIALS, 36) }).unwrap();
            assert_eq!(counts.trials, TRIALS);
        });
    });
}

criterion_group!(benches, volley, exchange, melee);
criterion_main!(benches);
