//! Benchmark: Close Combat of three blocks against three. The odds in a building with an Ambush are
//! exact; the best plan and its best reply are found with an Ambush and Leader Creation, and
//! without both.

use criterion::{Criterion, criterion_group, criterion_main};
use lowcrawl::asl::close_combat::question::{CombatQuestion, close_combat};
use lowcrawl::asl::close_combat::terms::{CombatOutcome, Holders};
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::process::Question as _;
use lowcrawl::schema::RawValue;
use lowcrawl::schema::field::Builder as _;

/// Returns three squads against three, with further fields.
fn three_against_three(fields: &[(&str, RawValue)]) -> CombatQuestion {
    let blank = close_combat("3x german:4-6-7", "3x russian:4-4-7");
    let question = fields.iter().fold(blank, |question, (name, value)| question.put(name, *value));
    question.question().unwrap()
}

/// Returns the chance that both sides are left in the Location.
fn melee(question: &CombatQuestion) -> f64 {
    let odds = question.parts().all().map(|process| odds(&process, Bound::STANDARD).unwrap());
    let chances: Vec<_> = odds.flat_map(|odds| odds.chances).collect();
    let is_melee = |outcome: &CombatOutcome| match outcome {
        CombatOutcome::Location { left, .. } => *left == Holders::Both,
        _ => false,
    };
    let both = chances.iter().filter(|chance| is_melee(&chance.outcome));
    both.map(|chance| chance.probability).sum()
}

fn exact(criterion: &mut Criterion) {
    let building = ("terrain", RawValue::Text("building"));
    let mut group = criterion.benchmark_group("3 against 3 in a building");
    group.sample_size(10);
    for plan in ["all", "pairs"] {
        let plans = [("plan", RawValue::Text(plan)), ("reply", RawValue::Text(plan)), building];
        let question = three_against_three(&plans);
        let expected = melee(&question);
        assert!((0.0..1.0).contains(&expected), "{expected}");
        group.bench_function(format!("exact with an Ambush, {plan}"), |bencher| {
            bencher.iter(|| assert_eq!(melee(&question), expected));
        });
    }
    group.finish();
}

fn best_plans(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("best plan and reply of 3 against 3");
    group.sample_size(10);
    let cases: [(&str, &[(&str, RawValue)]); 2] = [
        ("without Ambush and Leader Creation", &[("no-creation", RawValue::Boolean(true))]),
        ("with both", &[("terrain", RawValue::Text("building"))]),
    ];
    for (name, fields) in cases {
        group.bench_function(name, |bencher| {
            bencher.iter(|| three_against_three(fields));
        });
    }
    group.finish();
}

criterion_group!(benches, exact, best_plans);
criterion_main!(benches);
