//! Tests of courses of action compared with common random numbers. Each course agrees with its
//! exact odds, and so does the difference.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use crate::common::{ask, exact_odds, sequence, slot};
use crate::fit::chi_squared;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::dice::{Dice, Dr, Face};
use lowcrawl::engine::EngineError;
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::Plan;
use lowcrawl::engine::paired::{self, PairedCourse, Share, Spread};
use lowcrawl::process::{Due, Event, Log, Player, Process, Question as _, ReportIndex, WithPolicy};
use lowcrawl::stats::{Amounts, PairedProportions};

const TRIALS: u64 = 200_000;
const CONFIDENCE: f64 = 0.999;

/// Returns the factor by which common dice reduce the number of sequences needed to compare a course
/// with the first one: the variance of the difference in gain with independent dice, over that with
/// common dice.
fn variance_ratio<C>(course: &PairedCourse<C>, first: &PairedCourse<C>) -> f64 {
    (course.gain.variance + first.gain.variance) / course.difference.variance
}

/// A unit that makes one attempt in each phase until it passes, by a DR of `level` or less. In the
/// first phase it rolls some dr before.
#[derive(Clone, Copy)]
struct Attempts {
    level: u8,
    phases: ReportIndex,
    fumbles: u8,
    /// True if each phase is an epoch, with random numbers of its own.
    clock: bool,
    /// True if the owner must choose to begin.
    has_choice: bool,
}

const PLAIN: Attempts =
    Attempts { level: 7, phases: 3, fumbles: 0, clock: true, has_choice: false };

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AttemptState {
    phase: ReportIndex,
    fumbles: u8,
    waits: bool,
    rolled: Option<u8>,
}

/// True if an attempt passed, and its total.
type Attempt = (bool, u8);

impl Process for Attempts {
    type State = AttemptState;
    type Terms = Dice;
    type Reading = u8;
    type Outcome = Attempt;

    fn start<L: Log>(&self, _: &mut L) -> AttemptState {
        AttemptState { phase: 0, fumbles: self.fumbles, waits: self.has_choice, rolled: None }
    }
    fn due(&self, state: &AttemptState) -> Due<Dice> {
        let dice = if state.fumbles > 0 { Dice::One } else { Dice::DrTotal };
        match state {
            AttemptState { waits: true, .. } => Due::Choice { player: Player::Owner, options: 1 },
            AttemptState { rolled: Some(_), .. } => Due::Report(state.phase),
            AttemptState { phase, .. } if *phase == self.phases => Due::Over,
            _ => Due::Roll(dice, dice),
        }
    }
    fn epoch(&self, state: &AttemptState) -> u32 {
        if self.clock { state.phase.into() } else { 0 }
    }
    fn read(&self, dice: &Dice, face: Face) -> u8 {
        if *dice == Dice::One { face.number() } else { Dr::from_face(face).total() }
    }
    fn apply<L: Log>(&self, state: &mut AttemptState, pips: u8, _: &mut L) {
        if state.fumbles > 0 {
            state.fumbles -= 1;
        } else {
            state.rolled = Some(pips);
        }
    }
    fn choose<L: Log>(&self, state: &mut AttemptState, _: usize, _: &mut L) {
        state.waits = false;
    }
    fn report(&self, state: &AttemptState, observe: &mut dyn FnMut(Attempt)) {
        state.rolled.into_iter().for_each(|total| observe((total <= self.level, total)));
    }
    fn pass<L: Log>(&self, state: &mut AttemptState, _: &mut L) {
        let passed = state.rolled.take().is_some_and(|total| total <= self.level);
        state.phase = if passed { self.phases } else { state.phase + 1 };
    }
    fn describe(&self, _: &AttemptState, dice: &Dice, _: Face) -> Event {
        Event { rule: "", text: dice.to_string() }
    }
}

/// Returns the exact probability of each class of outcomes, and the exact gain. Each class is
/// reported at most once in a sequence.
fn exact_classes<P: Process, C: Ord>(
    process: &P,
    class: impl Fn(ReportIndex, &P::Outcome) -> Option<C>,
    gain: impl Fn(ReportIndex, &P::Outcome) -> f64,
) -> (BTreeMap<C, f64>, f64) {
    let (mut classes, mut sum) = (BTreeMap::new(), 0.0);
    for chance in exact::odds(process, Bound::STANDARD).unwrap().chances {
        sum += chance.probability * gain(chance.point, &chance.outcome);
        if let Some(class) = class(chance.point, &chance.outcome) {
            *classes.entry(class).or_default() += chance.probability;
        }
    }
    (classes, sum)
}

fn assert_within(value: f64, (low, high): (f64, f64), what: &str) {
    assert!(low <= value && value <= high, "{what}: {value} is not within {low} and {high}");
}

/// Returns the variance of a proportion in one trial.
fn binomial(probability: f64) -> f64 {
    probability * (1.0 - probability)
}

/// Panics unless the run agrees with the exact odds: every course by five standard errors, every
/// difference to the first within its interval.
fn assert_exact<P: Process, C: Ord + Clone + Send + std::fmt::Debug>(
    courses: &[P],
    seed: u64,
    class: impl Fn(ReportIndex, &P::Outcome) -> Option<C> + Sync,
    gain: impl Fn(ReportIndex, &P::Outcome) -> f64 + Sync,
) -> Vec<PairedCourse<C>> {
    let run = paired::run(
        courses,
        &Plan::new(TRIALS, seed),
        |_, point, outcome| class(point, outcome),
        |_, point, outcome| gain(point, outcome),
    )
    .unwrap();
    let odds: Vec<_> = courses.iter().map(|course| exact_classes(course, &class, &gain)).collect();
    assert_eq!((run.courses.len(), run.trials), (courses.len(), TRIALS));
    let n = TRIALS as f64;
    for (course, (classes, sum)) in run.courses.iter().zip(&odds) {
        for class in odds.iter().flat_map(|(classes, _)| classes.keys()) {
            let [own, first] =
                [classes, &odds[0].0].map(|classes| classes.get(class).copied().unwrap_or(0.0));
            let Share { count, gained, lost } = course.share(class);
            let error = (binomial(own) / n).sqrt();
            assert!(
                (count as f64 / n - own).abs() <= 5.0 * error,
                "{class:?}: {count} of {TRIALS} at odds of {own}"
            );
            let difference = PairedProportions { gained, lost, trials: TRIALS };
            assert_within(own - first, difference.interval(CONFIDENCE), &format!("{class:?}"));
        }
        assert_within(sum - odds[0].1, course.difference.interval(CONFIDENCE), "gain");
        assert!(
            (course.gain.mean - sum).abs() <= 5.0 * (course.gain.variance / n).sqrt(),
            "{} instead of {sum}",
            course.gain.mean
        );
    }
    run.courses
}

/// Panics unless the variance of the difference in a class is smaller than that of independent runs
/// by at least this factor.
fn assert_less_variance<C: Ord>(courses: &[PairedCourse<C>], class: &C, times: f64) {
    let n = TRIALS as f64;
    let [first, second] = [&courses[0], &courses[1]].map(|course| course.share(class));
    let independent = (binomial(first.count as f64 / n) + binomial(second.count as f64 / n)) / n;
    let difference = PairedProportions { gained: second.gained, lost: second.lost, trials: TRIALS };
    let ratio = independent / difference.std_error().powi(2);
    assert!(ratio > times, "the variance is divided by {ratio} only");
}

/// A level of 6 is passed by 15 of 36, one of 8 by 26 of 36. In two phases that is 1 - (21/36)^2
/// and 1 - (10/36)^2.
#[test]
fn paired_difference_is_exact_and_has_less_variance() {
    let courses = [6, 8].map(|level| Attempts { level, phases: 2, ..PLAIN });
    let passed = |_, &(passed, _): &Attempt| passed.then_some(());
    let gain = |phase: ReportIndex, &(passed, total): &Attempt| {
        f64::from(u8::from(passed)) / f64::from(phase + 1) - f64::from(total) / 100.0
    };
    let found = assert_exact(&courses, 36, passed, gain);
    let Share { gained, lost, .. } = found[1].share(&());
    let expected = (21.0f64 / 36.0).powi(2) - (10.0f64 / 36.0).powi(2);
    assert_within(
        expected,
        PairedProportions { gained, lost, trials: TRIALS }.interval(CONFIDENCE),
        "by hand",
    );
    assert_less_variance(&found, &(), 1.5);
    assert!(variance_ratio(&found[1], &found[0]) > 1.5);
    // With equal dice a unit that passes at 6 never fails at 8.
    assert_eq!(lost, 0);
}

#[test]
fn equal_courses_do_not_differ() {
    let courses = [Attempts { fumbles: 2, ..PLAIN }; 3];
    let gain =
        |phase: ReportIndex, &(_, total): &Attempt| f64::from(phase) + f64::from(total).sqrt();
    let found = assert_exact(&courses, 7, |phase, &attempt| Some((phase, attempt)), gain);
    for course in &found {
        assert!(
            course.classes.len() > 30
                && course.classes.iter().all(|(_, share)| (share.gained, share.lost) == (0, 0))
        );
        let Spread { mean, variance } = course.gain;
        assert!(mean > 0.0 && variance > 0.0);
        assert_eq!((course.difference.mean, course.difference.variance), (0.0, 0.0));
        assert_eq!(
            (course.difference.gained, course.difference.lost),
            (Amounts::default(), Amounts::default())
        );
        assert_eq!((&course.classes, course.gain), (&found[0].classes, found[0].gain));
    }
}

fn different_courses() -> [Attempts; 3] {
    [PLAIN, Attempts { level: 5, phases: 5, ..PLAIN }, Attempts { level: 9, fumbles: 3, ..PLAIN }]
}

#[test]
fn threads_change_no_digit() {
    let gain =
        |phase: ReportIndex, &(_, total): &Attempt| f64::from(total).sqrt() / f64::from(phase + 3);
    for trials in [0, 1, 2, 1000, 65_536, 500_003] {
        let play = |threads| {
            let plan = Plan { threads: Some(threads), ..Plan::new(trials, 36) };
            // A double prints as its shortest round-trip text, so different bits have different
            // digits.
            format!(
                "{:?}",
                paired::run(
                    &different_courses(),
                    &plan,
                    |_, phase, &attempt| Some((attempt, phase)),
                    |_, phase, attempt| gain(phase, attempt)
                )
                .unwrap()
            )
        };
        let one = play(1);
        assert_eq!((&play(2), &play(7)), (&one, &one), "{trials} trials");
    }
}

/// Returns the number of sequences in which totals of a phase differ between a unit with an extra
/// dr and one without. Neither unit ever passes.
fn differing<P: Process<Outcome = Attempt>>(
    process: impl Fn(Attempts) -> P,
    clock: bool,
) -> [u64; 3] {
    let courses = [0, 1].map(|fumbles| process(Attempts { level: 0, fumbles, clock, ..PLAIN }));
    let class = |_, phase, &(_, total): &Attempt| Some((phase, total));
    let run = paired::run(&courses, &Plan::new(10_000, 3), class, |_, _, _| 0.0).unwrap();
    let mut differing = [0; 3];
    for ((phase, _), share) in &run.courses[1].classes {
        differing[usize::from(*phase)] += share.gained;
    }
    differing
}

/// Two independent DR have equal totals 146 times in 1296.
#[test]
fn extra_roll_does_not_shift_the_dice_of_the_next_epoch() {
    let independent = 8_600..9_150;
    let [first, second, third] = differing(|process| process, true);
    assert!(independent.contains(&first) && (second, third) == (0, 0));
    // Without a clock later epochs have different dice.
    assert!(differing(|process| process, false).iter().all(|count| independent.contains(count)));
    // A process with choices keeps its clock.
    let with_policy = |process| {
        WithPolicy::new(
            Attempts { has_choice: true, ..process },
            |_: &Attempts, _: &AttemptState, _, _| 0,
        )
    };
    assert_eq!(differing(with_policy, true), [first, 0, 0]);
}

/// Three attempts in a sequence count as one sequence with an attempt.
#[test]
fn repeated_class_counts_once_a_sequence() {
    let courses = [Attempts { level: 0, ..PLAIN }, Attempts { level: 12, ..PLAIN }];
    let run =
        paired::run(&courses, &Plan::new(1000, 1), |_, _, _| Some("an attempt"), |_, _, _| 1.0)
            .unwrap();
    let [three, one] = &run.courses[..] else { panic!("two courses") };
    let all = Share { count: 1000, gained: 0, lost: 0 };
    assert_eq!((three.share(&"an attempt"), one.share(&"an attempt")), (all, all));
    assert_eq!(one.share(&"never noted"), Share::default());
    assert_eq!(
        (three.gain.mean, one.gain.mean, one.difference.mean, one.difference.variance),
        (3.0, 1.0, -2.0, 0.0)
    );
}

#[test]
fn open_choices_and_cancelled_runs_are_refused() {
    let run = |courses: &[Attempts], plan: &Plan| {
        paired::run(courses, plan, |_, _, _| Some(()), |_, _, _| 0.0)
    };
    let open = Attempts { has_choice: true, ..PLAIN };
    assert_eq!(run(&[PLAIN, open], &Plan::new(10, 1)).unwrap_err(), EngineError::OpenChoice);
    let stop = AtomicBool::new(true);
    let stopped = Plan { watch: Monitor::stopped_by(&stop), ..Plan::new(10, 1) };
    assert_eq!(run(&[PLAIN], &stopped).unwrap_err(), EngineError::Interrupted);
    assert!(run(&[], &Plan::new(10, 1)).unwrap().courses.is_empty());
}

/// Builds a question about Rally Phases, without Heat of Battle unless `hob`.
fn rally(stack: &str, leader: &str, terrain: &str, hob: bool) -> Question {
    let fields = format!("stack={stack}; leader={leader}; terrain={terrain}; phases=4; hob={hob}");
    ask(QuestionKind::Rally, &fields)
}

/// Returns true if the first unit is rallied or in Good Order at a point.
fn is_rallied(question: &Question, point: ReportIndex, outcome: &Outcome) -> bool {
    let label = question.label(point, outcome);
    label.slot == Some(1) && matches!(label.status, Some("rallied" | "good-order"))
}

/// 10.6: the gain by a better leader for a squad under DM, phase by phase. Also the gain by woods
/// (10.61) and by another leader for several units, which do not all roll in every phase.
#[test]
fn rally_gain_of_a_leader_is_exact_and_has_less_variance() {
    for (seed, times, courses) in [
        (
            36,
            1.5,
            ["8-0", "9-1"].map(|leader| rally("german:4-6-7/broken,dm", leader, "open", false)),
        ),
        (
            37,
            1.5,
            ["8-0", "9-1"].map(|leader| rally("german:4-6-7/broken,dm", leader, "woods", true)),
        ),
        (
            38,
            1.1,
            ["open", "woods"]
                .map(|terrain| rally("2x russian:4-4-7/broken,dm", "8-1", terrain, false)),
        ),
        (
            39,
            1.1,
            ["8-0", "10-2"].map(|leader| {
                rally("german:8-1/broken + german:4-6-7/broken,dm", leader, "open", false)
            }),
        ),
    ] {
        let processes = courses.each_ref().map(|question| question.whole());
        let class =
            |point, outcome: &Outcome| is_rallied(&courses[0], point, outcome).then_some(point);
        let gain =
            |point, outcome: &Outcome| f64::from(u8::from(is_rallied(&courses[0], point, outcome)));
        let found = assert_exact(&processes, seed, class, gain);
        assert!(
            variance_ratio(&found[1], &found[0]) > times,
            "{seed}: {}",
            variance_ratio(&found[1], &found[0])
        );
        (1..=4).for_each(|phase| assert_less_variance(&found, &phase, times));
    }
}

/// Two rounds of fire and Rally, in a building and in the open, differ from the first Rally on.
#[test]
fn sequences_differ_only_from_the_first_rally_on() {
    let course = |terrain| {
        let fire = "do=fire; fp=6";
        let rally = format!("do=rally; terrain={terrain}; leader=8-0");
        sequence("stack=german:4-6-7 + german:4-6-8", &[fire, &rally, fire, &rally])
    };
    let courses = ["open", "building"].map(course);
    let processes = courses.each_ref().map(|question| question.whole());
    let class = |point, outcome: &Outcome| is_rallied(&courses[0], point, outcome).then_some(point);
    let gain =
        |point, outcome: &Outcome| f64::from(u8::from(is_rallied(&courses[0], point, outcome)));
    let found = assert_exact(&processes, 40, class, gain);
    assert!(variance_ratio(&found[1], &found[0]) > 2.0, "{}", variance_ratio(&found[1], &found[0]));
    // 10.61 matters from the first Rally on; the fire before it affects both courses alike.
    assert_eq!((found[1].share(&1).gained, found[1].share(&1).lost), (0, 0));
}

/// Each course alone: the outcomes of every slot at every point fit its exact odds by chi-squared.
#[test]
fn every_course_fits_its_exact_odds() {
    let question = |leader| {
        rally(
            "german:8-1/broken + german:4-6-7/broken,dm + german:4-6-7/broken",
            leader,
            "open",
            false,
        )
    };
    let courses = ["8-0", "9-1", "none"].map(question).map(|question| question.whole());
    let run = paired::run(
        &courses,
        &Plan::new(TRIALS, 41),
        |_, point, outcome| Some((point, outcome.clone())),
        |_, _, _| 0.0,
    )
    .unwrap();
    let mut tests = Vec::new();
    for (process, course) in courses.iter().zip(&run.courses) {
        let mut partitions: BTreeMap<(ReportIndex, u8), (Vec<u64>, Vec<f64>)> = BTreeMap::new();
        for chance in exact_odds(process).chances {
            let (counts, probabilities) =
                partitions.entry((chance.point, slot(&chance.outcome))).or_default();
            counts.push(course.share(&(chance.point, chance.outcome)).count);
            probabilities.push(chance.probability);
        }
        for (mut counts, mut probabilities) in partitions.into_values() {
            // A slot created on the way may stay empty.
            counts.push(TRIALS - counts.iter().sum::<u64>());
            probabilities.push((1.0 - probabilities.iter().sum::<f64>()).max(0.0));
            probabilities
                .last_mut()
                .into_iter()
                .filter(|rest| **rest < 1e-12)
                .for_each(|rest| *rest = 0.0);
            tests.push(chi_squared(&counts, &probabilities).unwrap());
        }
    }
    assert!(tests.len() >= 3 * 4 * 3 && tests.iter().all(|test| test.p_value > 1e-4), "{tests:?}");
    assert!(tests.iter().any(|test| test.p_value < 0.99), "too good to be true: {tests:?}");
}
