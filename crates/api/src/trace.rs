//! Trace of one sequence: rolls with their probabilities, events, and outcomes.

use super::{Refused, rout};
use answer::{Meta, Options, QuestionDetails, QuestionFacts};
use asl::course::phase::played;
use asl::course::rout::{RoutCourse, best_play, prospect};
use asl::question_info::RULES;
use asl::rout::{Rout, RoutOutcome, Situation};
use asl::scenario::Scenario;
use asl::scenario::answer::course_words;
use engine::dice::stream::SAMPLER;
use engine::dice::{Dice, Face};
use engine::exact::Fraction;
use engine::monitor::Monitor;
use engine::process::{Label, ReportIndex};
use engine::text::Fault;
use engine::trace::{TraceError, TraceLine};
use play::dice_prefix::script_fault;
use play::dyn_question::trace_with_dice;
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

/// A line of a trace. `rule` is a number in the notation of the rulebook, or empty.
pub enum TracedLine {
    /// A roll. `faces_read` is the number of faces of `dice` with the same effect as `face`.
    Roll {
        rule: String,
        text: String,
        face: Face,
        faces_read: u8,
        dice: Dice,
    },
    Event {
        rule: String,
        text: String,
    },
    /// The outcomes at the report point `at`, such as `end of phase 1`. `words` describes both.
    Noted {
        at: String,
        outcomes: Vec<Label>,
        words: String,
    },
}

impl TracedLine {
    pub fn rule(&self) -> &str {
        match self {
            TracedLine::Roll { rule, .. } | TracedLine::Event { rule, .. } => rule,
            TracedLine::Noted { .. } => "",
        }
    }
}

/// Converts the lines of a trace of a question that begins with a number of `units`. `rules` stands before rule numbers,
/// and `point` describes report points.
fn lines(
    lines: Vec<TraceLine<Label>>,
    units: u8,
    rules: &str,
    point: impl Fn(ReportIndex) -> String,
) -> Vec<TracedLine> {
    let rule = |text: &str| match text {
        "" => String::new(),
        text => format!("{rules}{text}"),
    };
    let line = |line| match line {
        TraceLine::Roll { event, face, faces_read, dice } => {
            TracedLine::Roll { rule: rule(event.rule), text: event.text, face, faces_read, dice }
        }
        TraceLine::Event(event) => TracedLine::Event { rule: rule(event.rule), text: event.text },
        TraceLine::Noted { point: at, outcomes } => {
            let at = point(at);
            let ends: Vec<String> = outcomes.iter().map(|label| in_words(units, label)).collect();
            TracedLine::Noted { words: format!("{at}: {}", ends.join("; ")), at, outcomes }
        }
    };
    lines.into_iter().map(line).collect()
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

/// Returns a trace without lines. Unless the dice are scripted, its metadata name the seed.
fn new_trace(heading: String, aside: Option<&'static str>, dice: TraceDice, meta: Meta) -> Traced {
    let meta = match dice {
        TraceDice::Seeded { seed, .. } => Meta { seed: Some(seed), sampler: Some(SAMPLER), ..meta },
        TraceDice::Script(_) => meta,
    };
    let (probability, approximately) = (Some(Fraction::new(1, 1)), 1.0);
    Traced { heading, lines: Vec::new(), probability, approximately, aside, dice, meta }
}

pub(super) fn question(
    question: &dyn DynQuestion,
    command: String,
    dice: TraceDice,
    options: &Options,
) -> Result<Traced, Refused> {
    let trace = question.trace(&dice, options.watch).map_err(|error| refused(error, &dice))?;
    let (words, meta) = (question.words(), question.meta(command));
    let QuestionDetails { aside, points: described, .. } = words.details();
    let QuestionFacts { units, points, rules, .. } = words.facts();
    let traced = new_trace(format!("{}; ", meta.question), aside, dice, meta);
    let (probability, approximately) = (trace.probability, trace.approximately);
    let point = |at: ReportIndex| match described.get(usize::from(at).wrapping_sub(1)) {
        Some(described) => described.clone(),
        None => points.map_or("end".to_string(), |points| format!("end of {points} {at}")),
    };
    let lines = lines(trace.lines, units, rules, point);
    Ok(Traced { lines, probability, approximately, ..traced })
}

/// Traces a Rout Phase in which all units follow their best plans, or the first unit a given plan.
pub(super) fn rout(
    scenario: &Scenario,
    (units, plan): (&[usize], Option<&str>),
    command: String,
    dice: TraceDice,
    watch: Monitor,
) -> Result<Traced, Refused> {
    let situation = &scenario.situation;
    let mut heading = format!("{}\n", scenario.about.as_deref().unwrap_or("A Rout Phase"));
    let aside = (!situation.heat_of_battle).then_some("No Heat of Battle.");
    let meta = Meta { engine: "", ..rout::meta(scenario, command) };
    let trace = match plan.zip(units.first()) {
        None => played(situation, units, watch, |phase, order| {
            trace_with_dice(&phase, &dice, watch).map(|trace| (trace, order))
        }),
        Some((plan, &unit)) => {
            let router = &situation.routers[unit];
            let prospect = prospect(situation, router, watch)?;
            let course = course(plan, &prospect.courses)?;
            heading += &format!("plan: {}; ", course_words(situation, course));
            let rout = Rout::new(situation, router);
            let under = best_play(&rout, course.plan, course.shortest, watch)?;
            trace_with_dice(&under, &dice, watch).map(|trace| Some((trace, vec![unit])))
        }
    };
    let trace = trace.map_err(|error| refused(error, &dice))?;
    let traced = new_trace(heading, aside, dice, meta);
    let Some((trace, order)) = trace else { return Ok(traced) };
    let unit = |turn| order[usize::from(turn)];
    let trace = trace.labelled(|turn, outcome| rout_label(situation, unit(turn), outcome));
    let point = |turn| situation.unit_called(unit(turn));
    let (probability, approximately) = (trace.probability, trace.approximately);
    let lines = lines(trace.lines, order.len() as u8, RULES, point);
    Ok(Traced { lines, probability, approximately, ..traced })
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

fn rout_label(situation: &Situation, unit: usize, outcome: &RoutOutcome) -> Label {
    Label {
        unit: Some(situation.routers[unit].name.clone()),
        status: Some(outcome.unit.status.name()),
        counter: outcome.unit.counter_text(),
        wounded: outcome.unit.wounded,
        outcome: Some(rout_words(situation, outcome)),
        ..Label::default()
    }
}

/// Returns the outcome of a rout in words: `broken in C3, in cover`.
fn rout_words(situation: &Situation, outcome: &RoutOutcome) -> String {
    let counter =
        outcome.unit.counter_text().map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if outcome.unit.wounded == Some(true) { ", wounded" } else { "" };
    let cover = if outcome.in_cover { ", in cover" } else { "" };
    let pinned = if outcome.pinned { ", pinned" } else { "" };
    format!(
        "{}{counter}{wounded} in {}{cover}{pinned}",
        outcome.unit.status.name(),
        situation.map.location_name(outcome.at)
    )
}

/// Returns an outcome in words. `units` is the number of units that the question begins with.
fn in_words(units: u8, label: &Label) -> String {
    if let Some(outcome) = &label.outcome {
        return outcome.clone();
    }
    let unit = label.unit.as_deref().unwrap_or("created");
    let status = label.status.unwrap_or_default();
    let counter = label.counter.as_ref().filter(|counter| *counter != unit);
    let counter = counter.map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if label.wounded == Some(true) { ", wounded" } else { "" };
    let slot = label.slot.filter(|slot| units > 1 || *slot > units);
    let slot = slot.map_or(String::new(), |slot| format!(" [{slot}]"));
    format!("{unit}{slot} {status}{counter}{wounded}")
}
