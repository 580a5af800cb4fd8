//! Trace of one sequence: rolls with their probabilities, events, and outcomes.

use super::odds::end_in_words;
use super::request::Context;
use super::{Refused, rout};
use answer::{Meta, QuestionDetails, QuestionFacts};
use asl::course::phase::played;
use asl::course::rout::{RoutCourse, best_play, prospect};
use asl::question_info::RULES;
use asl::rout::{Rout, RoutOutcome, Situation};
use asl::scenario::Scenario;
use asl::scenario::answer::course_words;
use engine::dice::stream::SAMPLER;
use engine::exact::Fraction;
use engine::process::{Label, ReportIndex};
use engine::text::Fault;
use engine::trace::{self, Trace, TraceError, TraceLine};
use play::dice_prefix::script_fault;
use play::{DynQuestion, TraceDice};
use schema::FieldFault;

/// Name of the field for scripted dice.
pub const SCRIPT: &str = "script";
/// Name of the field for the plan that a routing unit follows.
pub const PLAN: &str = "plan";

/// Trace of one sequence.
pub struct Traced {
    /// Text before the dice, which ends with a line break or with `; `.
    pub heading: String,
    pub lines: Vec<TracedLine>,
    /// Probability that rolls have the same effects as these; `None` beyond 128-bit fractions.
    pub probability: Option<Fraction>,
    /// That probability as a double.
    pub approximately: f64,
    /// A remark for the end of the trace, such as `No Heat of Battle.`
    pub aside: Option<&'static str>,
    pub dice: TraceDice,
    pub meta: Meta,
}

/// A line of a trace, in words.
pub struct TracedLine {
    /// The number in the notation of the rulebook; may be empty.
    pub rule: String,
    pub words: String,
    /// The report point of noted outcomes, such as `end of phase 1`; else empty.
    pub at: String,
    pub line: TraceLine<Label>,
}

/// Converts a trace; `rules` precedes rule numbers, and `point` describes report points.
fn lines(
    lines: Vec<TraceLine<Label>>,
    units: u8,
    rules: &str,
    point: impl Fn(ReportIndex) -> String,
) -> Vec<TracedLine> {
    // A report about the firers alone has no words.
    let is_wordless = |line: &TraceLine<Label>| match line {
        TraceLine::Noted { outcomes, .. } => {
            let mut words = outcomes.iter().map(|label| in_words(units, label));
            !outcomes.is_empty() && words.all(|words| words.is_empty())
        }
        TraceLine::Roll { .. } | TraceLine::Event(_) => false,
    };
    let line = |line| {
        let (rule, at, words) = match &line {
            TraceLine::Roll { event, .. } | TraceLine::Event(event) => {
                (event.rule, String::new(), event.text.clone())
            }
            TraceLine::Noted { point: at, outcomes } => {
                let at = point(*at);
                let ends: Vec<_> = outcomes.iter().map(|label| in_words(units, label)).collect();
                ("", at.clone(), format!("{at}: {}", ends.join("; ")))
            }
        };
        let rule = if rule.is_empty() { String::new() } else { format!("{rules}{rule}") };
        TracedLine { rule, words, at, line }
    };
    lines.into_iter().filter(|line| !is_wordless(line)).map(line).collect()
}

fn refused(error: TraceError, dice: &TraceDice) -> Refused {
    match (error, dice) {
        (TraceError::Script { error, due }, TraceDice::Script(text)) => {
            let fault = script_fault("the script", text, &error, due.as_deref());
            FieldFault { field: SCRIPT.to_string(), fault }.into()
        }
        (TraceError::Script { error, .. }, _) => FieldFault::new(SCRIPT, error.to_string()).into(),
        (TraceError::Engine(error), _) => error.into(),
    }
}

/// Adds the seed to the metadata of a trace, unless its dice are scripted.
fn with_seed(meta: Meta, dice: &TraceDice) -> Meta {
    match *dice {
        TraceDice::Seeded { seed, .. } => Meta { seed: Some(seed), sampler: Some(SAMPLER), ..meta },
        TraceDice::Script(_) => meta,
    }
}

pub(super) fn question(
    question: &dyn DynQuestion,
    dice: TraceDice,
    Context { command, options }: Context,
) -> Result<Traced, Refused> {
    let Trace { lines, probability, approximately } =
        question.trace(&dice, options.watch).map_err(|error| refused(error, &dice))?;
    let (words, meta) = (question.words(), question.meta(command));
    let QuestionDetails { aside, points: described, .. } = words.details();
    let QuestionFacts { units, points, rules, .. } = words.facts();
    let point = |at: ReportIndex| match described.get(usize::from(at).wrapping_sub(1)) {
        Some(described) => described.clone(),
        None => points.map_or("end".to_string(), |points| format!("end of {points} {at}")),
    };
    let lines = self::lines(lines, units, rules, point);
    let (heading, meta) = (format!("{}; ", meta.question), with_seed(meta, &dice));
    Ok(Traced { heading, lines, probability, approximately, aside, dice, meta })
}

/// Traces a Rout Phase in which all units follow their best plans, or the first unit a given plan.
pub(super) fn rout(
    scenario: &Scenario,
    (units, plan): (&[usize], Option<&str>),
    dice: TraceDice,
    Context { command, options }: Context,
) -> Result<Traced, Refused> {
    let watch = options.watch;
    let situation = &scenario.situation;
    let mut heading = format!("{}\n", scenario.about.as_deref().unwrap_or("A Rout Phase"));
    let aside = (!situation.heat_of_battle).then_some("No Heat of Battle.");
    let meta = Meta { engine: "", ..rout::meta(scenario, command) };
    let trace = match plan.zip(units.first()) {
        None => played(situation, units, watch, |phase, order| {
            trace::trace(&phase, &dice, watch).map(|trace| (trace, order))
        }),
        Some((plan, &unit)) => {
            let router = &situation.routers[unit];
            let prospect = prospect(situation, router, watch)?;
            let course = course(plan, &prospect.courses)?;
            heading += &format!("plan: {}; ", course_words(situation, course));
            let rout = Rout::new(situation, router);
            let under = best_play(&rout, course.plan, course.shortest, watch)?;
            trace::trace(&under, &dice, watch).map(|trace| Some((trace, vec![unit])))
        }
    };
    let nobody =
        || Trace { lines: vec![], probability: Some(Fraction::new(1, 1)), approximately: 1.0 };
    let trace = trace.map_err(|error| refused(error, &dice))?;
    let (trace, order) = trace.unwrap_or_else(|| (nobody(), Vec::new()));
    let unit = |turn| order[usize::from(turn)];
    let Trace { lines, probability, approximately } =
        trace.labelled(|turn, outcome| rout_label(situation, unit(turn), outcome));
    let point = |turn| situation.unit_called(unit(turn));
    let lines = self::lines(lines, order.len() as u8, RULES, point);
    let meta = with_seed(meta, &dice);
    Ok(Traced { heading, lines, probability, approximately, aside, dice, meta })
}

/// Returns the course with a number, where 1 is the best.
fn course<'a>(plan: &str, courses: &'a [RoutCourse]) -> Result<&'a RoutCourse, FieldFault> {
    let place = plan.replace('_', "").parse::<usize>().ok();
    place.and_then(|place| courses.get(place.checked_sub(1)?)).ok_or_else(|| {
        let message =
            format!("`plan` must be a whole number from 1 to {}, not `{plan}`", courses.len());
        FieldFault { field: PLAN.to_string(), fault: Fault::new(message, 0..plan.len()) }
    })
}

/// Returns the label of a rout's outcome. Its words are `broken in C3, in cover`.
fn rout_label(situation: &Situation, unit: usize, outcome: &RoutOutcome) -> Label {
    let label = Label {
        unit: Some(situation.routers[unit].name.clone()),
        status: Some(outcome.unit.status.name()),
        counter: outcome.unit.counter_text(),
        wounded: outcome.unit.wounded,
        ..Label::default()
    };
    let end = end_in_words(&label, label.counter.as_deref(), ", ");
    let at = situation.map.location_name(outcome.at);
    let cover = if outcome.in_cover { ", in cover" } else { "" };
    let pinned = if outcome.pinned { ", pinned" } else { "" };
    Label { outcome: Some(format!("{end} in {at}{cover}{pinned}")), ..label }
}

/// Returns an outcome in words. `units` is the number of units that the question begins with.
fn in_words(units: u8, label: &Label) -> String {
    if let Some(outcome) = &label.outcome {
        return outcome.clone();
    }
    if let (Some(status), Some(place), None) = (label.status, label.place, label.slot) {
        return match (&label.counter, &label.side) {
            (Some(number), Some(side)) => format!("{side}: {status} {number}"),
            _ => format!("{place} {status}"),
        };
    }
    let unit = label.unit.as_deref().unwrap_or("created");
    let counter = label.counter.as_deref().filter(|counter| *counter != unit);
    let end = end_in_words(label, counter, ", ");
    let slot = label.slot.filter(|slot| units > 1 || *slot > units);
    let slot = label.side_slot.filter(|_| slot.is_some()).or(slot);
    let slot = slot.map_or(String::new(), |slot| format!(" [{slot}]"));
    let side = label.side.as_ref().map_or(String::new(), |side| format!("{side} "));
    let place = label.place.filter(|_| label.side.is_some());
    let place = place.map_or(String::new(), |place| format!(", {place}"));
    format!("{side}{unit}{slot} {end}{place}")
}
