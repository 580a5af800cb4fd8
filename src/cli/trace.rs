//! `trace`: one sequence told roll by roll.

use clap::{Args, Subcommand};

use super::ask::{Ask, Check, Fire, Interdict, Rally, Sequence, number, seed};
use super::fault::Failure;
use super::rout::SituationArguments;
use crate::asl::outcome::Outcome;
use crate::asl::question::Question;
use crate::asl::rout::{PhaseState, Rout, RoutOutcome, RoutPhase, Situation};
use crate::course::phase::BestPlay;
use crate::course::rout::{best_play, prospect};
use crate::dice::script::{Script, ScriptError};
use crate::engine::monte_carlo::dice_of_sequence;
use crate::engine::trace::{Line, Rolls, Tale, TraceError, tell};
use crate::process::{Point, Process, Question as _, Under};
use crate::study::answer::{DEFAULT_SEED, MAX_TRIALS};
use crate::study::rout::course_words;
use crate::table::layout::percent;
use crate::text::Fault;

/// The question to tell a sequence of.
#[derive(Debug, Subcommand)]
pub enum Trace {
    /// An attack on the IFT
    Fire(Told<Fire>),
    /// A Morale Check or Pin Task Check
    Check(Told<Check>),
    /// Rally Phases
    Rally(Told<Rally>),
    /// A rout through Interdicted hexes
    Interdict(Told<Interdict>),
    /// A chain of steps, from a sequence file
    Sequence(Told<Sequence>),
    /// A Rout Phase on a map, from a situation file, each unit by its best play
    Rout(ToldRout),
}

/// A question with the sequence to be told.
#[derive(Debug, Args)]
pub struct Told<A: Args> {
    #[command(flatten)]
    ask: A,
    #[command(flatten)]
    dice: DiceArguments,
}

/// A Rout Phase with the sequence to be told.
#[derive(Debug, Args)]
pub struct ToldRout {
    #[command(flatten)]
    situation: SituationArguments,
    /// The unit's plan by its place in the table of `rout`, best first [default: its best play]
    #[arg(long, allow_hyphen_values = true, value_name = "N", requires = "unit")]
    plan: Option<String>,
    #[command(flatten)]
    dice: DiceArguments,
}

/// Where the dice come from.
#[derive(Debug, Args)]
struct DiceArguments {
    /// Seed of the dice
    #[arg(long, allow_hyphen_values = true, value_name = "N", conflicts_with = "script")]
    seed: Option<String>,
    /// Which sequence of a Monte Carlo run with this seed, from 0
    #[arg(long, allow_hyphen_values = true, value_name = "J", conflicts_with = "script")]
    sequence: Option<String>,
    /// Dice to use: a DR as `c,w`, coloured die first, a dr as one digit, such as "3,4 6,6 2"
    #[arg(long, value_name = "DICE")]
    script: Option<String>,
}

impl Trace {
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Trace::Fire(told) => told.run(),
            Trace::Sequence(told) => told.run(),
            Trace::Check(told) => told.run(),
            Trace::Rally(told) => told.run(),
            Trace::Interdict(told) => told.run(),
            Trace::Rout(told) => told.run(),
        }
    }
}

impl<A: Args + Ask> Told<A> {
    fn run(&self) -> Result<(), Failure> {
        let question = self.ask.question()?;
        let (tale, source) = self.dice.tale(&question.whole())?;
        let noted = |point, outcomes: &[Outcome]| told_outcomes(&question, point, outcomes);
        let heat = if question.heat_of_battle() { "" } else { "Without Heat of Battle.\n" };
        super::print(format!("{}; {source}\n\n{}{heat}", question.in_words(), told(&tale, noted)))
    }
}

impl ToldRout {
    fn run(&self) -> Result<(), Failure> {
        let scenario = self.situation.scenario()?;
        let situation = &scenario.situation;
        let units = self.situation.units(situation)?;
        let too_big = |error| Failure::Engine { error, help: None };
        let end = |unit: usize, outcomes: &[RoutOutcome]| {
            let words = outcomes.iter().map(|outcome| told_rout(situation, outcome)).collect::<Vec<_>>();
            format!("{}: {}", situation.routers[unit].name, words.join("; "))
        };
        let (text, source) = match &self.plan {
            None => {
                let phase = RoutPhase::new(situation, units);
                let Some(phase) = phase else { return super::print("Nobody routs.\n") };
                let order = phase.order().to_vec();
                let play = BestPlay::default();
                let under = Under::new(phase, |phase: &RoutPhase, state: &PhaseState, _, _| play.option(phase, state));
                let (tale, source) = self.dice.tale(&under)?;
                if let Some(error) = play.failure() {
                    return Err(too_big(error));
                }
                (told(&tale, |turn, outcomes: &[RoutOutcome]| end(order[usize::from(turn)], outcomes)), source)
            }
            Some(text) => {
                let unit = units[0];
                let router = &situation.routers[unit];
                let found = prospect(situation, router).map_err(too_big)?;
                let place = number("--plan", text, 1, found.courses.len() as u64)? as usize - 1;
                let (rout, course) = (Rout::new(situation, router), &found.courses[place]);
                let under = best_play(&rout, course.plan, course.shortest).map_err(too_big)?;
                let (tale, source) = self.dice.tale(&under)?;
                let plan = course_words(situation, course);
                (told(&tale, |_, outcomes: &[RoutOutcome]| end(unit, outcomes)), format!("plan: {plan}; {source}"))
            }
        };
        let heat = if situation.heat_of_battle { "" } else { "Without Heat of Battle.\n" };
        let about = scenario.about.as_deref().unwrap_or("A Rout Phase");
        super::print(format!("{about}\n{source}\n\n{text}{heat}"))
    }
}

/// How a rout ended, in words.
fn told_rout(situation: &Situation, outcome: &RoutOutcome) -> String {
    let counter = outcome.counter_text().map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if outcome.unit.wounded == Some(true) { ", wounded" } else { "" };
    let cover = if outcome.in_cover { ", in cover" } else { "" };
    let pinned = if outcome.pinned { ", pinned" } else { "" };
    format!("{}{counter}{wounded} in {}{cover}{pinned}", outcome.unit.status.name(), situation.map.site_name(outcome.at))
}

impl DiceArguments {
    /// One sequence of a process, and where its dice came from.
    fn tale<P: Process>(&self, process: &P) -> Result<(Tale<P::Outcome>, String), Failure> {
        let (rolls, source) = match &self.script {
            Some(text) => (
                Rolls::Scripted(Script::parse(P::BASE, text).map_err(|error| script_fault(text, &error, None))?),
                "dice as scripted".to_string(),
            ),
            None => {
                let seed = seed(self.seed.as_deref())?.unwrap_or(DEFAULT_SEED);
                let sequence = self.sequence()?;
                let lane = dice_of_sequence(process, seed, sequence)?;
                (Rolls::Seeded(lane), format!("sequence {sequence} of seed {seed}"))
            }
        };
        let tale = tell(process, rolls).map_err(|error| match error {
            TraceError::Script { error, due } => script_fault(self.script.as_deref().unwrap_or_default(), &error, due.as_deref()),
            TraceError::Engine(error) => Failure::from(error),
        })?;
        Ok((tale, source))
    }

    fn sequence(&self) -> Result<u64, Failure> {
        let Some(text) = &self.sequence else { return Ok(0) };
        text.replace('_', "").parse().ok().filter(|&sequence| sequence < MAX_TRIALS).ok_or_else(|| {
            let message = format!("`--sequence` must be a whole number below {MAX_TRIALS}, not `{text}`");
            Failure::argument("--sequence", text, Fault::new(message, 0..text.len()))
        })
    }
}

/// A script error at the word it is about, with the roll that is due.
fn script_fault(text: &str, error: &ScriptError, due: Option<&str>) -> Failure {
    let word = |place: usize| {
        let word = text.split_whitespace().nth(place - 1).unwrap_or(text);
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    };
    let span = match error {
        ScriptError::NoRoll { place, .. } | ScriptError::WrongDice { place, .. } => word(*place),
        ScriptError::RanOut { .. } => 0..text.len(),
        ScriptError::LeftOver { used, .. } => word(used + 1).start..text.len(),
    };
    let fault = Fault::new(error.to_string(), span);
    let fault = match due {
        Some(due) => fault.help(format!("due is: {due}")),
        None => fault,
    };
    Failure::argument("--script", text, fault)
}

/// The tale, one line per event, each with its rule; `noted` puts what is reported at a point into words.
fn told<O>(tale: &Tale<O>, noted: impl Fn(Point, &[O]) -> String) -> String {
    let mut text = String::new();
    for line in &tale.lines {
        match line {
            Line::Roll { event, faces_read, dice } => {
                text +=
                    &format!("{:>6}  {}  [{faces_read}/{} like this]\n", format!("A{}", event.rule), event.text, dice.faces());
            }
            Line::Event(event) if event.rule.is_empty() => text += &format!("{:>6}  {}\n", "", event.text),
            Line::Event(event) => text += &format!("{:>6}    {}\n", format!("A{}", event.rule), event.text),
            Line::Noted { point, outcomes } => text += &format!("{:>6}  {}\n", "", noted(*point, outcomes)),
        }
    }
    let probability = match tale.probability {
        Some(fraction) if fraction.to_string().len() < 40 => format!("{} ({fraction})", percent(tale.approximately)),
        _ => percent(tale.approximately),
    };
    text + &format!("\nProbability of rolls that read like these, one after the other: {probability}.\n")
}

fn told_outcomes(question: &Question, point: Point, outcomes: &[Outcome]) -> String {
    let words: Vec<String> = outcomes.iter().map(|outcome| in_words(question, point, outcome)).collect();
    let label = question.label(point, &outcomes[0]);
    let at = match (label.phase, label.step) {
        (Some(phase), _) => format!("end of phase {phase}"),
        (_, Some(step)) => format!("end of step {step}, {}", step_in_words(question, step)),
        _ => "end".to_string(),
    };
    format!("{at}: {}", words.join("; "))
}

/// What a step of the question, from 1, does.
fn step_in_words(question: &Question, step: u16) -> String {
    question.steps().get(usize::from(step) - 1).map_or(String::new(), |step| step.action.to_string())
}

fn in_words(question: &Question, point: u16, outcome: &Outcome) -> String {
    let label = question.label(point, outcome);
    if let Some(outcome) = label.outcome {
        return outcome;
    }
    let unit = label.unit.unwrap_or("created".to_string());
    let status = label.status.unwrap_or_default();
    let counter = label.counter.filter(|counter| *counter != unit).map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if label.wounded == Some(true) { ", wounded" } else { "" };
    match label.slot {
        Some(slot) if question.stack().members.len() > 1 || usize::from(slot) > question.stack().members.len() => {
            format!("{unit} [{slot}] {status}{counter}{wounded}")
        }
        _ => format!("{unit} {status}{counter}{wounded}"),
    }
}
