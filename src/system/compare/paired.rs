//! Courses compared by Monte Carlo: all meet the same dice, so that the differences come out with less error than the odds.

use super::super::answer::{Options, Trials, trials_by_pilot};
use super::super::objective::Objective;
use super::super::ruled::Line;
use super::super::table::{CONFIDENCE, Meta};
use super::numbered::Numbered;
use super::{Difference, Found, SamplingError, Status, Verdict, Weighed, best_two, ending};
use crate::dice::stream::CHUNK;
use crate::engine::EngineError;
use crate::engine::monte_carlo::Plan;
use crate::engine::paired::{self, Course, Paired, SAMPLER, Share};
use crate::stats::{PairedMean, PairedProportions, Proportion};

/// Estimates of the odds of every course; `reason` says why they are not exact, where they might have been.
pub(super) fn found<L: Line>(
    courses: &[L],
    objective: &Objective,
    options: &Options,
    meta: Meta,
    reason: Option<String>,
) -> Result<Found, EngineError> {
    let numbers: Vec<usize> = (0..courses.len()).collect();
    let plan = Plan { trials: 0, seed: options.seed, threads: options.threads, watch: options.watch };
    let (trials, precision) = match options.trials {
        Trials::Number(trials) => (trials, None),
        Trials::HalfWidth(half_width) => {
            let pilot = play(courses, &numbers, objective, &Plan { trials: CHUNK, seed: !options.seed, ..plan })?;
            (trials_by_pilot(widest(&pilot), half_width), Some(half_width))
        }
    };
    let plan = Plan { trials, ..plan };
    let run = play(courses, &numbers, objective, &plan)?;
    let (best, next) = best_two(&run.courses.iter().map(|course| course.gain.mean).collect::<Vec<_>>());
    let lead = match (best, next) {
        (best, 0) => worth(&run.courses[best], trials),
        (0, next) => worth(&run.courses[next], trials).reversed(),
        // Neither is the first course, so the two are played again side by side: with the same dice they come out as before.
        (best, next) => worth(&play(courses, &[next, best], objective, &plan)?.courses[1], trials),
    };
    let meta = Meta {
        engine: "monte-carlo",
        reason,
        sampler: Some(SAMPLER),
        seed: Some(options.seed),
        trials: Some(trials),
        precision,
        pilot_trials: precision.map(|_| CHUNK),
        ..meta
    };
    let ends = run.courses.iter().flat_map(|course| course.classes.iter().map(|(end, _)| *end)).collect();
    let courses = run.courses.iter().enumerate().map(|(place, course)| weighed(course, place > 0, trials)).collect();
    Ok(Found { ends, courses, verdict: Verdict { best, next, lead }, meta })
}

/// Plays some of the courses side by side, in that order.
fn play<L: Line>(
    courses: &[L],
    numbers: &[usize],
    objective: &Objective,
    plan: &Plan,
) -> Result<Paired<(u8, Status)>, EngineError> {
    let processes: Vec<_> = numbers.iter().map(|&number| Numbered { number, process: courses[number].whole() }).collect();
    let end = |point, (number, outcome): &(usize, _)| ending(&courses[*number], point, outcome);
    let worth = |point, outcome: &_| end(point, outcome).map_or(0.0, |(_, _, amounts)| objective.worth(&amounts));
    paired::run(&processes, plan, |point, outcome| end(point, outcome).map(|(slot, status, _)| (slot, status)), worth)
}

/// Every end and the worth of one course.
fn weighed<E>(course: &Course<(u8, E)>, is_compared: bool, trials: u64) -> (Vec<Weighed>, Weighed) {
    let end = |(_, share): &((u8, E), Share)| {
        let proportion = Proportion { count: share.count, trials };
        Weighed {
            value: proportion.estimate(),
            std_error: Some(proportion.std_error()),
            difference: is_compared.then(|| share_of(*share, trials)),
        }
    };
    let gain = PairedMean { mean: course.gain.mean, variance: course.gain.variance, trials };
    let difference = is_compared.then(|| worth(course, trials));
    let objective = Weighed { value: gain.difference(), std_error: Some(gain.std_error()), difference };
    (course.classes.iter().map(end).collect(), objective)
}

/// How much likelier an end is than in the first course.
fn share_of(share: Share, trials: u64) -> Difference {
    let paired = PairedProportions { gained: share.gained, lost: share.lost, trials };
    let error = SamplingError { std_error: paired.std_error(), interval: paired.interval(CONFIDENCE) };
    Difference { value: paired.difference(), error: Some(error) }
}

/// How much more a course is worth than the first.
fn worth<E>(course: &Course<E>, trials: u64) -> Difference {
    let paired = PairedMean { mean: course.difference.mean, variance: course.difference.variance, trials };
    let error = SamplingError { std_error: paired.std_error(), interval: paired.interval(CONFIDENCE) };
    Difference { value: paired.difference(), error: Some(error) }
}

/// Half the width of the widest interval of a difference in a pilot run.
fn widest<E>(pilot: &Paired<(u8, E)>) -> f64 {
    let of_course = |course: &Course<(u8, E)>| {
        let (ends, objective) = weighed(course, true, pilot.trials);
        ends.into_iter().chain([objective]).filter_map(|weighed| weighed.difference?.error).map(SamplingError::half_width)
    };
    pilot.courses[1..].iter().flat_map(|course| of_course(course).collect::<Vec<_>>()).fold(0.0, f64::max)
}
