//! `trace`: one sequence told roll by roll.

use clap::{Args, Subcommand};

use super::ask::{Ask, Check, Fire, Interdict, Rally, Sequence};
use super::fault::Failure;
use super::rout::SituationArguments;
use super::run::{number, seed};
use super::system;
use crate::asl::rout::{PhaseState, Rout, RoutOutcome, RoutPhase, Situation};
use crate::course::phase::BestPlay;
use crate::course::rout::{best_play, prospect};
use crate::dice::script::{Script, ScriptError};
use crate::engine::monte_carlo::dice_of_sequence;
use crate::engine::trace::{Line, Rolls, Tale, TraceError, tell};
use crate::fortitude::Fortitude;
use crate::process::{Point, Process, Question as _, Under};
use crate::reaction::Reaction;
use crate::study::answer::{DEFAULT_SEED, MAX_TRIALS};
use crate::study::rout::course_words;
use crate::system::Asked;
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
    /// A question of Morale Levels and Fortitude Tests
    #[command(subcommand)]
    Fortitude(system::Told<Fortitude>),
    /// A question of Reaction Dice
    #[command(subcommand)]
    Reaction(system::Told<Reaction>),
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
pub struct DiceArguments {
    /// Seed of the dice
    #[arg(long, allow_hyphen_values = true, value_name = "N", conflicts_with = "script")]
    seed: Option<String>,
    /// Which sequence of a Monte Carlo run with this seed, from 0
    #[arg(long, allow_hyphen_values = true, value_name = "J", conflicts_with = "script")]
    sequence: Option<String>,
    /// Dice to use: a DR as `c,w`, coloured die first, a dr as one digit, such as "3,4 6,6 2"; d20 as numbers
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
            Trace::Fortitude(told) => told.run(),
            Trace::Reaction(told) => told.run(),
        }
    }
}

impl<A: Args + Ask> Told<A> {
    fn run(&self) -> Result<(), Failure> {
        let question = self.ask.question()?;
        let (tale, source) = self.dice.tale(&question.whole())?;
        let heat = if question.heat_of_battle() { "" } else { "Without Heat of Battle.\n" };
        super::print(format!("{}; {source}\n\n{}{heat}", question.in_words(), told_of(&question, &tale)))
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
                (told(&tale, of_chapter_a, |turn, outcomes: &[RoutOutcome]| end(order[usize::from(turn)], outcomes)), source)
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
                (told(&tale, of_chapter_a, |_, outcomes: &[RoutOutcome]| end(unit, outcomes)), format!("plan: {plan}; {source}"))
            }
        };
        let heat = if situation.heat_of_battle { "" } else { "Without Heat of Battle.\n" };
        let about = scenario.about.as_deref().unwrap_or("A Rout Phase");
        super::print(format!("{about}\n{source}\n\n{text}{heat}"))
    }
}

/// A rule as the rulebook numbers it.
fn of_chapter_a(rule: &str) -> String {
    format!("A{rule}")
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
    pub fn tale<P: Process>(&self, process: &P) -> Result<(Tale<P::Outcome>, String), Failure> {
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

/// The tale of a question, one line per event, each with its rule.
pub fn told_of<Q: Asked>(question: &Q, tale: &Tale<<Q::Process as Process>::Outcome>) -> String {
    told(tale, |rule| question.rule(rule), |point, outcomes| told_outcomes(question, point, outcomes))
}

/// The tale, one line per event; `numbered` is a rule as its book has it, `noted` puts what is reported at a point into words.
fn told<O>(tale: &Tale<O>, numbered: impl Fn(&str) -> String, noted: impl Fn(Point, &[O]) -> String) -> String {
    let rule = |line: &Line<O>| match line {
        Line::Roll { event, .. } | Line::Event(event) if !event.rule.is_empty() => numbered(event.rule),
        _ => String::new(),
    };
    let width = tale.lines.iter().map(|line| rule(line).len()).fold(RULE_WIDTH, usize::max);
    let mut text = String::new();
    let mut lines = tale.lines.iter().peekable();
    while let Some(line) = lines.next() {
        text += &format!("{:>width$}", rule(line));
        text += &match line {
            Line::Roll { event, faces_read, dice } => {
                let mut words = event.text.clone();
                let (mut read, mut faces) = (u128::from(*faces_read), u128::from(dice.faces()));
                // The dice of a pool stand in one line.
                while let Some(Line::Roll { event: next, faces_read, .. }) =
                    lines.next_if(|next| dice.is_of_pool() && head(next).is_some_and(|head| head == head_of(&event.text)))
                {
                    words += &next.text[head_of(&next.text).len() + 1..];
                    (read, faces) = (read * u128::from(*faces_read), faces * u128::from(dice.faces()));
                }
                format!("  {words}  [{read}/{faces} like this]\n")
            }
            Line::Event(event) if event.rule.is_empty() => format!("  {}\n", event.text),
            Line::Event(event) => format!("    {}\n", event.text),
            Line::Noted { point, outcomes } => format!("  {}\n", noted(*point, outcomes)),
        };
    }
    let probability = match tale.probability {
        Some(fraction) if fraction.to_string().len() < 40 => format!("{} ({fraction})", percent(tale.approximately)),
        _ => percent(tale.approximately),
    };
    text + &format!("\nProbability of rolls that read like these, one after the other: {probability}.\n")
}

/// Least width of the column of rules.
const RULE_WIDTH: usize = 6;

/// What is told of a die of a pool before its face.
fn head<O>(line: &Line<O>) -> Option<&str> {
    match line {
        Line::Roll { event, dice, .. } if dice.is_of_pool() => Some(head_of(&event.text)),
        _ => None,
    }
}

fn head_of(text: &str) -> &str {
    text.split_once(": ").map_or("", |(head, _)| head)
}

fn told_outcomes<Q: Asked>(question: &Q, point: Point, outcomes: &[<Q::Process as Process>::Outcome]) -> String {
    let words: Vec<String> = outcomes.iter().map(|outcome| in_words(question, point, outcome)).collect();
    format!("{}: {}", question.point_in_words(point), words.join("; "))
}

fn in_words<Q: Asked>(question: &Q, point: Point, outcome: &<Q::Process as Process>::Outcome) -> String {
    let label = question.label(point, outcome);
    if let Some(outcome) = label.outcome {
        return outcome;
    }
    let unit = label.unit.unwrap_or("created".to_string());
    let status = label.status.unwrap_or_default();
    let counter = label.counter.filter(|counter| *counter != unit).map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if label.wounded == Some(true) { ", wounded" } else { "" };
    match label.slot {
        Some(slot) if question.units() > 1 || slot > question.units() => format!("{unit} [{slot}] {status}{counter}{wounded}"),
        _ => format!("{unit} {status}{counter}{wounded}"),
    }
}
