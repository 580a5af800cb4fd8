//! Monte Carlo comparison with common random numbers: equal dice make differences more precise.

use std::collections::BTreeSet;

use super::courses::Courses;
use super::{BestCourse, CourseEstimates, Difference, Ending, SamplingError, Weighed, best_two};
use crate::objective::Objective;
use answer::estimate::CONFIDENCE;
use answer::sampling::{joined, trials_by_pilot, unseen, why_few};
use answer::{Meta, Options, Trials};
use engine::EngineError;
use engine::dice::stream::CHUNK;
use engine::monte_carlo::Plan;
use engine::paired::{Paired, PairedCourse, SAMPLER, Share};
use engine::stats::{METHOD_OF_PAIRS, PairedProportions, Proportion, normal_half_width};

/// Estimates the odds and values of every course. `reason` says why they are not exact.
pub(super) fn compare(
    (courses, objective): (&dyn Courses, &Objective),
    options: &Options,
    meta: Meta,
    reason: Option<String>,
) -> Result<CourseEstimates, EngineError> {
    let numbers: Vec<usize> = (0..courses.number()).collect();
    let plan =
        Plan { trials: 0, seed: options.seed, threads: options.threads, watch: options.watch };
    let known = numbers.iter().map(|&course| courses.possible(course, objective, &plan));
    let known = known.collect::<Result<Vec<_>, _>>()?;
    let most = known.iter().flatten().map(|(_, most)| *most).fold(0.0, f64::max);
    let known: Vec<_> = known.into_iter().map(|known| known.map(|(ends, _)| ends)).collect();
    // An outcome that was never sampled can change the difference by at most its largest value.
    let play = |numbers: &[usize], plan: &Plan| {
        let mut run = courses.played(numbers, objective, plan)?;
        run.courses
            .iter_mut()
            .for_each(|course| course.difference.most = course.difference.most.max(most));
        Ok::<_, EngineError>(run)
    };
    let (trials, precision) = match options.trials {
        Trials::Usual => (courses.usual_trials(options.seed)?, None),
        Trials::Number(trials) => (trials, None),
        Trials::HalfWidth(half_width) => {
            let pilot = play(&numbers, &Plan { trials: CHUNK, seed: !options.seed, ..plan })?;
            (trials_by_pilot(widest(&pilot), half_width), Some(half_width))
        }
    };
    let plan = Plan { trials, ..plan };
    let run = play(&numbers, &plan)?;
    let (best, next) =
        best_two(&run.courses.iter().map(|course| course.gain.mean).collect::<Vec<_>>());
    let lead = match (best, next) {
        (best, 0) => worth(&run.courses[best]),
        (0, next) => worth(&run.courses[next]).reversed(),
        // Neither is the first course, so both are played again as a pair, with the same dice.
        (best, next) => worth(&play(&[next, best], &plan)?.courses[1]),
    };
    let meta = Meta {
        engine: "monte-carlo",
        reason: joined([reason, why_few(options, trials)]),
        sampler: Some(SAMPLER),
        seed: Some(options.seed),
        trials: Some(trials),
        precision,
        pilot_trials: precision.map(|_| CHUNK),
        interval: Some(METHOD_OF_PAIRS),
        ..meta
    };
    let drawn = run.courses.iter().flat_map(|course| course.classes.iter().map(|(end, _)| *end));
    let ends: BTreeSet<Ending> = drawn.chain(known.iter().flatten().flatten().copied()).collect();
    let possible = |end| {
        let in_course = |(course, known): (&PairedCourse<_>, &Option<BTreeSet<_>>)| match known {
            Some(known) => known.contains(end),
            None => course.share(end).count > 0,
        };
        run.courses.iter().zip(&known).map(in_course).collect()
    };
    let of_unknown =
        run.courses.iter().zip(&known).enumerate().filter(|(_, (_, known))| known.is_none());
    let counts = of_unknown.flat_map(|(place, (course, _))| {
        // The class of units that hold counts sequences that their status has already counted.
        course.classes.iter().filter_map(move |(end, share)| match end {
            Ending::Unit(slot, status) if status.rank.is_some() => {
                Some(((place, *slot), share.count))
            }
            _ => None,
        })
    });
    let unseen = known.iter().any(Option::is_none).then(|| unseen(trials, counts));
    let courses = run
        .courses
        .iter()
        .enumerate()
        .map(|(place, course)| weighed(course, &ends, place > 0, trials))
        .collect();
    let ends = ends.iter().map(|end| (*end, possible(end))).collect();
    Ok(CourseEstimates {
        ends,
        courses,
        verdict: BestCourse { best, next, lead },
        meta: meta.with_unseen(unseen),
    })
}

fn weighed(
    course: &PairedCourse<Ending>,
    ends: &BTreeSet<Ending>,
    is_compared: bool,
    trials: u64,
) -> (Vec<Weighed>, Weighed) {
    let end = |end: &Ending| {
        let share = course.share(end);
        let proportion = Proportion { count: share.count, trials };
        Weighed {
            value: proportion.estimate(),
            std_error: Some(proportion.std_error()),
            error_bound: None,
            difference: is_compared.then(|| share_of(share, trials)),
        }
    };
    let difference = is_compared.then(|| worth(course));
    let std_error = Some((course.gain.variance / trials as f64).sqrt());
    let objective = Weighed { value: course.gain.mean, std_error, error_bound: None, difference };
    (ends.iter().map(end).collect(), objective)
}

fn share_of(share: Share, trials: u64) -> Difference {
    let paired = PairedProportions { gained: share.gained, lost: share.lost, trials };
    difference(paired.difference(), paired.std_error(), paired.interval(CONFIDENCE))
}

fn worth<E>(course: &PairedCourse<E>) -> Difference {
    let paired = course.difference;
    difference(paired.mean, paired.std_error(), paired.interval(CONFIDENCE))
}

fn difference(value: f64, std_error: f64, interval: (f64, f64)) -> Difference {
    Difference { value, error: Some(SamplingError { std_error, interval }), error_bound: None }
}

/// Returns the widest half-width (95 %) of a pilot: of differences, or of a single course.
fn widest(pilot: &Paired<Ending>) -> f64 {
    let alone = pilot.courses.len() == 1;
    let of_course = |course: &PairedCourse<Ending>| {
        let ends = course.classes.iter().map(|(end, _)| *end);
        let ends = ends.filter(|end| matches!(end, Ending::Unit(..))).collect();
        let (ends, objective) = weighed(course, &ends, !alone, pilot.trials);
        let half_width = |weighed: Weighed| match weighed.difference {
            Some(difference) => Some(difference.error?.half_width()),
            None => Some(normal_half_width(weighed.std_error?, CONFIDENCE)),
        };
        ends.into_iter().chain([objective]).filter_map(half_width)
    };
    pilot.courses[usize::from(!alone)..]
        .iter()
        .flat_map(|course| of_course(course).collect::<Vec<_>>())
        .fold(0.0, f64::max)
}
