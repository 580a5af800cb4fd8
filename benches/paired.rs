//! Benchmark: courses of action compared with common random numbers. Six Rally Phases under an 8-0
//! and under a 9-1 are also compared by two separate runs. The output says how many sequences the
//! common dice save.

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Question, QuestionKind, RawValue};
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::paired;
use lowcrawl::process::{Question as _, ReportIndex};

const TRIALS: u64 = 1 << 19;
const PHASES: ReportIndex = 6;
const LEADERS: [&str; 2] = ["8-0", "9-1"];

/// Returns the rally of a DM 4-6-7 in woods over six Rally Phases under `leader`.
fn rally(leader: &str) -> Question {
    let (stack, terrain) = (RawValue::Text("german:4-6-7/broken,dm"), RawValue::Text("woods"));
    let phases = RawValue::Integer(PHASES.into());
    common::ask(
        QuestionKind::Rally,
        &[
            ("stack", stack),
            ("terrain", terrain),
            ("leader", RawValue::Text(leader)),
            ("phases", phases),
        ],
    )
}

fn is_rallied(question: &Question, point: ReportIndex, outcome: &Outcome) -> bool {
    question.label(point, outcome).status == Some("rallied")
}

/// Returns the exact probability to be rallied, by phase (A10.6).
fn exactly(question: &Question) -> [f64; PHASES as usize] {
    let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
    let mut rallied = [0.0; PHASES as usize];
    for chance in
        odds.chances.iter().filter(|chance| is_rallied(question, chance.point, &chance.outcome))
    {
        rallied[usize::from(chance.point) - 1] += chance.probability;
    }
    rallied
}

fn courses(criterion: &mut Criterion) {
    let questions = LEADERS.map(rally);
    let processes = questions.each_ref().map(|question| question.whole());
    let phases_rallied: [f64; 2] =
        questions.each_ref().map(|question| exactly(question).iter().sum());
    let exact = phases_rallied[1] - phases_rallied[0];
    let plan = Plan { threads: Some(1), ..Plan::new(TRIALS, 36) };
    let class =
        |_, point, outcome: &Outcome| is_rallied(&questions[0], point, outcome).then_some(point);
    // The reward of a sequence is the number of phases in which the squad is rallied.
    let gain = |_, point, outcome: &Outcome| {
        f64::from(u8::from(is_rallied(&questions[0], point, outcome)))
    };
    let play = |plan: &Plan| {
        let paired = paired::run(&processes, plan, class, gain).unwrap();
        let found = paired.courses[1].difference;
        let error = (found.variance / TRIALS as f64).sqrt();
        assert!((found.mean - exact).abs() < 6.0 * error, "{} instead of {exact}", found.mean);
        paired
    };
    let paired = play(&plan);
    let [first, second] = &paired.courses[..] else { unreachable!("two courses") };
    println!(
        "independent dice / common dice, variance of the difference between {LEADERS:?}, {TRIALS} sequences:"
    );
    println!("  phases rallied: {:.2}", variance_ratio(second, first));
    for phase in 1..=PHASES {
        let share = |course: &paired::PairedCourse<ReportIndex>| course.share(&phase);
        let of = |count: u64| count as f64 / TRIALS as f64;
        let own =
            [first, second].map(|course| of(share(course).count) * (1.0 - of(share(course).count)));
        let (gained, lost) = (of(share(second).gained), of(share(second).lost));
        let ratio = (own[0] + own[1]) / (gained + lost - (gained - lost).powi(2));
        println!("  rallied by phase {phase}: {ratio:.2}");
    }
    let mut group =
        criterion.benchmark_group("rally under two leaders, straight from the rules, one core");
    group.throughput(Throughput::Elements(TRIALS)).sample_size(10);
    group.bench_function("side by side, common dice", |bencher| {
        bencher.iter(|| play(black_box(&plan)))
    });
    group.bench_function("one after the other", |bencher| {
        bencher.iter(|| {
            for process in &processes {
                let counts = Simulator::Rules(process).run(black_box(&plan)).unwrap();
                assert_eq!(counts.trials, TRIALS);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, courses);
criterion_main!(benches);

/// Returns the factor by which common dice reduce the number of sequences needed to compare a course
/// with the first one: the variance of the difference in gain with independent dice, over that with
/// common dice.
fn variance_ratio<C>(course: &paired::PairedCourse<C>, first: &paired::PairedCourse<C>) -> f64 {
    (course.gain.variance + first.gain.variance) / course.difference.variance
}
