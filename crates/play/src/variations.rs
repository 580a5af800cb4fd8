//! Variations of a question, and a race among them in which the worse half gives up.

use super::dyn_question::DynQuestion;
use super::form::Form;
use super::measure::Measurement;
use super::objective::Objective;
use answer::{Options, Trials, Variation};
use engine::EngineError;
use engine::text::Fault;
use schema::VariationOption;

/// A variation that takes part in a comparison.
pub type NamedQuestion = (String, Box<dyn DynQuestion>);

/// The sequences of each variation in the first round of a race, twice as many in the next ones.
const FIRST_ROUND: u64 = 1_000;
/// The most sequences of a variation in a round.
const LAST_ROUND: u64 = 8_000;
/// The variations that are left at the end of a race.
const FINALISTS: usize = 8;

/// The sequences of each variation whose figure is shown, unless their number is given. All meet
/// the same dice, so that differences are known better than the figures.
const SEQUENCES: u64 = 100_000;
/// The course without a change.
const AS_IT_IS: &str = "as it is";

/// Returns the question of a form, and behind it each of its variations.
///
/// # Errors
///
/// Fails if there are none, or if a field of one is refused.
pub fn with_variations(
    form: &dyn Form,
    question: Box<dyn DynQuestion>,
    option: &VariationOption,
) -> Result<Vec<NamedQuestion>, Fault> {
    let variations = question.words().variations(option.name);
    if variations.is_empty() {
        return Err(Fault::new("there is nothing to choose", 0..0));
    }
    let courses = variations.iter().map(|one| varied(form, one));
    std::iter::once(Ok((AS_IT_IS.to_string(), question))).chain(courses).collect()
}

/// Returns the courses of [`with_variations`] that are compared, those of a race the best first,
/// with the options for comparing them.
///
/// # Errors
///
/// Fails if an engine gives up or is cancelled.
pub fn selected<'a>(
    mut courses: Vec<NamedQuestion>,
    option: &VariationOption,
    objective: &Objective,
    options: &Options<'a>,
) -> Result<(Vec<NamedQuestion>, Options<'a>), EngineError> {
    let trials = match options.trials {
        Trials::Usual => Trials::Number(SEQUENCES),
        given => given,
    };
    let mut options = Options { trials, ..*options };
    if option.is_race {
        let others = courses.split_off(1);
        courses.extend(race(others, objective, &options)?);
        // The winner of a race gets a figure from new dice, since those of the race favour it.
        options.seed = options.seed.wrapping_add(1);
    }
    Ok((courses, options))
}

/// Returns the question of a form with the changed fields of a variation.
///
/// # Errors
///
/// Fails if a field is refused.
pub fn varied(form: &dyn Form, variation: &Variation) -> Result<NamedQuestion, Fault> {
    let mut form = form.boxed();
    for (field, text) in &variation.fields {
        let Some(declared) = form.field(field) else { continue };
        form.set(field, declared.takes.value(text))?;
    }
    let question = form.finish().map_err(|error| error.fault)?;
    Ok((variation.name.clone(), question))
}

/// Lets the better half of the courses go on, again and again, and returns the best, sorted.
///
/// # Errors
///
/// Fails if an engine gives up or is cancelled.
pub fn race(
    mut courses: Vec<NamedQuestion>,
    objective: &Objective,
    options: &Options,
) -> Result<Vec<NamedQuestion>, EngineError> {
    let mut trials = FIRST_ROUND;
    loop {
        let round = Options { trials: Trials::Number(trials), ..*options };
        let mut ranked: Vec<(f64, NamedQuestion)> = Vec::new();
        for (name, question) in courses {
            let meta = question.meta(String::new());
            let (measured, _) = question.measure(objective, &round, meta)?;
            let value = match measured {
                Some(Measurement::Odds(odds)) => odds.probability(),
                Some(Measurement::Mean(mean)) => mean.value,
                None => f64::NEG_INFINITY,
            };
            ranked.push((value, (name, question)));
        }
        let sign = if objective.is_minimized() { -1.0 } else { 1.0 };
        ranked.sort_by(|(a, _), (b, _)| (sign * b).total_cmp(&(sign * a)));
        let left = (ranked.len() / 2).max(FINALISTS.min(ranked.len()));
        let is_over = ranked.len() <= FINALISTS;
        ranked.truncate(left);
        courses = ranked.into_iter().map(|(_, course)| course).collect();
        if is_over {
            return Ok(courses);
        }
        trials = (2 * trials).min(LAST_ROUND);
    }
}
