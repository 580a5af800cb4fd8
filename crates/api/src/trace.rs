//! Trace of one sequence: rolls with their probabilities, events, and outcomes.

use super::request::RoutTracing;
use super::{Refused, rout};
use answer::meta::Meta;
use answer::options::Options;
use asl::course::phase::BestPlay;
use asl::course::rout::{best_play, prospect};
use asl::rout::{PhaseState, Rout, RoutOutcome, RoutPhase, Situation};
use asl::scenario::answer::course_words;
use engine::EngineError;
use engine::dice::stream::SAMPLER;
use engine::dice::{Dice, Face};
use engine::exact::Fraction;
use engine::process::{Label, Process, ReportIndex, WithPolicy};
use engine::text::Fault;
use engine::trace::{Trace, TraceError, TraceLine};
use play::dice_prefix::script_fault;
use play::dyn_question::{DynQuestion, TraceDice, trace_with_dice};
use schema::form::FieldFault;

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

/// Converts the lines of a [`Trace`]; `rule` formats rule numbers and `noted` outcomes.
fn lines<O>(
    trace: Trace<O>,
    rule: impl Fn(&str) -> String,
    noted: impl Fn(ReportIndex, Vec<O>) -> TracedLine,
) -> Vec<TracedLine> {
    let rule = |text: &str| if text.is_empty() { String::new() } else { rule(text) };
    let line = |line| match line {
        TraceLine::Roll { event, face, faces_read, dice } => {
            TracedLine::Roll { rule: rule(event.rule), text: event.text, face, faces_read, dice }
        }
        TraceLine::Event(event) => TracedLine::Event { rule: rule(event.rule), text: event.text },
        TraceLine::Noted { point, outcomes } => noted(point, outcomes),
    };
    trace.lines.into_iter().map(line).collect()
}

fn refused(error: TraceError, dice: &TraceDice) -> Refused {
    match (error, dice) {
        (TraceError::Script { error, due }, TraceDice::Script(text)) => FieldFault {
            field: SCRIPT.to_string(),
            fault: script_fault("the script", text, &error, due.as_deref()),
        }
        .into(),
        (TraceError::Script { error, .. }, _) => FieldFault::new(SCRIPT, error.to_string()).into(),
        (TraceError::Engine(error), _) => stopped(error),
    }
}

fn stopped(error: EngineError) -> Refused {
    Refused::Engine { error, help: None }
}

/// Adds the seed and the sampler to the metadata, unless the dice are scripted.
fn with_dice(meta: Meta, dice: &TraceDice) -> Meta {
    match dice {
        TraceDice::Seeded { seed, .. } => {
            Meta { seed: Some(*seed), sampler: Some(SAMPLER), ..meta }
        }
        TraceDice::Script(_) => meta,
    }
}

pub(super) fn question(
    question: &dyn DynQuestion,
    command: String,
    dice: TraceDice,
    options: &Options,
) -> Result<Traced, Refused> {
    let trace = question.trace(&dice, options.watch).map_err(|error| refused(error, &dice))?;
    let words = question.words();
    let (probability, approximately) = (trace.probability, trace.approximately);
    let noted = |point, outcomes: Vec<Label>| {
        let ends: Vec<String> =
            outcomes.iter().map(|label| in_words(words.units(), label)).collect();
        let at = words.point_in_words(point);
        TracedLine::Noted { words: format!("{at}: {}", ends.join("; ")), at, outcomes }
    };
    let lines = lines(trace, |rule| words.rule(rule), noted);
    let meta = with_dice(question.meta(command), &dice);
    Ok(Traced {
        heading: format!("{}; ", meta.question),
        lines,
        probability,
        approximately,
        aside: words.aside(),
        dice,
        meta,
    })
}

/// Traces a Rout Phase in which all units follow their best plans, or one unit a given plan.
pub(super) fn rout(
    tracing: RoutTracing,
    command: String,
    options: &Options,
) -> Result<Traced, Refused> {
    let RoutTracing { scenario, units, plan, dice } = tracing;
    let situation = &scenario.situation;
    let about = scenario.about.as_deref().unwrap_or("A Rout Phase");
    let aside = (!situation.heat_of_battle).then_some("No Heat of Battle.");
    let mut traced = Traced {
        heading: format!("{about}\n"),
        lines: Vec::new(),
        probability: Some(Fraction::new(1, 1)),
        approximately: 1.0,
        aside,
        meta: with_dice(Meta { engine: "", ..rout::meta(&scenario, command) }, &dice),
        dice: dice.clone(),
    };
    let unit_of_plan = plan.zip(units.first().copied());
    let Some((plan, unit)) = unit_of_plan else {
        let Some(phase) = RoutPhase::new(situation, units) else { return Ok(traced) };
        let order = phase.order().to_vec();
        let play = BestPlay::watched(options.watch);
        let under = WithPolicy::new(phase, |phase: &RoutPhase, state: &PhaseState, _, _| {
            play.option(phase, state)
        });
        traced.trace(situation, &under, options, |turn| order[usize::from(turn)])?;
        return play.failure().map_or(Ok(traced), |error| Err(stopped(error)));
    };
    let router = &situation.routers[unit];
    let prospect = prospect(situation, router, options.watch).map_err(stopped)?;
    let place = plan.replace('_', "").parse().ok().and_then(|place: usize| place.checked_sub(1));
    let course = place.and_then(|place| prospect.courses.get(place)).ok_or_else(|| {
        let message = format!(
            "`plan` must be a whole number from 1 to {}, not `{plan}`",
            prospect.courses.len()
        );
        FieldFault { field: PLAN.to_string(), fault: Fault::new(message, 0..plan.len()) }
    })?;
    let rout = Rout::new(situation, router);
    let under = best_play(&rout, course.plan, course.shortest, options.watch).map_err(stopped)?;
    traced.heading += &format!("plan: {}; ", course_words(situation, course));
    traced.trace(situation, &under, options, |_| unit)?;
    Ok(traced)
}

impl Traced {
    /// Traces a sequence of a rout. `unit` returns the index of the unit that reports at a point.
    fn trace<P: Process<Outcome = RoutOutcome>>(
        &mut self,
        situation: &Situation,
        process: &P,
        options: &Options,
        unit: impl Fn(ReportIndex) -> usize,
    ) -> Result<(), Refused> {
        let trace = trace_with_dice(process, &self.dice, options.watch)
            .map_err(|error| refused(error, &self.dice))?;
        (self.probability, self.approximately) = (trace.probability, trace.approximately);
        let noted = |point, outcomes: Vec<RoutOutcome>| {
            let at = situation.unit_called(unit(point));
            let words: Vec<String> =
                outcomes.iter().map(|outcome| rout_words(situation, outcome)).collect();
            let label = |(outcome, words): (&RoutOutcome, &String)| Label {
                unit: Some(situation.routers[unit(point)].name.clone()),
                status: Some(outcome.unit.status.name()),
                counter: outcome.counter_text(),
                wounded: outcome.unit.wounded,
                outcome: Some(words.clone()),
                ..Label::default()
            };
            let outcomes = outcomes.iter().zip(&words).map(label).collect();
            TracedLine::Noted {
                words: format!("{at}: {}", words.join("; ")),
                at: at.clone(),
                outcomes,
            }
        };
        self.lines = lines(trace, |rule| format!("A{rule}"), noted);
        Ok(())
    }
}

/// Returns the outcome of a rout in words: `broken in C3, in cover`.
fn rout_words(situation: &Situation, outcome: &RoutOutcome) -> String {
    let counter = outcome.counter_text().map_or(String::new(), |counter| format!(" {counter}"));
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
    let counter = label
        .counter
        .as_ref()
        .filter(|counter| *counter != unit)
        .map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if label.wounded == Some(true) { ", wounded" } else { "" };
    match label.slot {
        Some(slot) if units > 1 || slot > units => {
            format!("{unit} [{slot}] {status}{counter}{wounded}")
        }
        _ => format!("{unit} {status}{counter}{wounded}"),
    }
}
