//! `trace`: one sequence told roll by roll.

use clap::Args;

use super::fault::Failure;
use super::rout::SituationArguments;
use super::run::{number, seed};
use crate::asl::rout::{PhaseState, Rout, RoutOutcome, RoutPhase, Situation};
use crate::course::phase::BestPlay;
use crate::course::rout::{best_play, prospect};
use crate::door::answer::Traced;
use crate::engine::trace::{Tale, TaleLine, TraceError};
use crate::process::{Label, Point, Process, Under};
use crate::scenario::answer::course_words;
use crate::system::Words;
use crate::system::answer::{DEFAULT_SEED, MAX_TRIALS};
use crate::system::asking::{TaleDice, tale};
use crate::system::given::script_fault;
use crate::table::layout::percent;
use crate::text::Fault;

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

impl ToldRout {
    pub fn run(&self) -> Result<(), Failure> {
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
                let play = BestPlay::watched(super::watch());
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
                let found = prospect(situation, router, super::watch()).map_err(too_big)?;
                let place = number("--plan", text, 1, found.courses.len() as u64)? as usize - 1;
                let (rout, course) = (Rout::new(situation, router), &found.courses[place]);
                let under = best_play(&rout, course.plan, course.shortest, super::watch()).map_err(too_big)?;
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
    /// The dice asked for.
    pub fn dice(&self) -> Result<TaleDice, Failure> {
        Ok(match &self.script {
            Some(text) => TaleDice::Script(text.clone()),
            None => TaleDice::Seeded { seed: seed(self.seed.as_deref())?.unwrap_or(DEFAULT_SEED), sequence: self.sequence()? },
        })
    }

    /// One sequence of a Rout Phase, and where its dice came from.
    fn tale<P: Process>(&self, process: &P) -> Result<(Tale<P::Outcome>, String), Failure> {
        let dice = self.dice()?;
        let tale = tale(process, &dice, super::watch()).map_err(|error| match error {
            TraceError::Script { error, due } => {
                let text = self.script.as_deref().unwrap_or_default();
                self.script_fault(script_fault("the script", text, &error, due.as_deref()))
            }
            TraceError::Engine(error) => Failure::from(error),
        })?;
        Ok((tale, source(&dice)))
    }

    /// A fault of the script.
    pub fn script_fault(&self, fault: Fault) -> Failure {
        Failure::argument("--script", self.script.as_deref().unwrap_or_default(), fault)
    }

    fn sequence(&self) -> Result<u64, Failure> {
        let Some(text) = &self.sequence else { return Ok(0) };
        text.replace('_', "").parse().ok().filter(|&sequence| sequence < MAX_TRIALS).ok_or_else(|| {
            let message = format!("`--sequence` must be a whole number below {MAX_TRIALS}, not `{text}`");
            Failure::argument("--sequence", text, Fault::new(message, 0..text.len()))
        })
    }
}

/// Where dice come from.
fn source(dice: &TaleDice) -> String {
    match dice {
        TaleDice::Script(_) => "dice as scripted".to_string(),
        TaleDice::Seeded { seed, sequence } => format!("sequence {sequence} of seed {seed}"),
    }
}

/// The tale of a question, one line per event, each with its rule.
pub fn of(Traced { question, tale, dice, meta }: &Traced) -> String {
    let words = question.words();
    let told = told(tale, |rule| words.rule(rule), |point, outcomes| told_outcomes(words, point, outcomes));
    let aside = words.aside().map_or(String::new(), |aside| format!("{aside}\n"));
    format!("{}; {}\n\n{told}{aside}", meta.question, source(dice))
}

/// The tale, one line per event; `numbered` is a rule as its book has it, `noted` puts what is reported at a point into words.
fn told<O>(tale: &Tale<O>, numbered: impl Fn(&str) -> String, noted: impl Fn(Point, &[O]) -> String) -> String {
    let rule = |line: &TaleLine<O>| match line {
        TaleLine::Roll { event, .. } | TaleLine::Event(event) if !event.rule.is_empty() => numbered(event.rule),
        _ => String::new(),
    };
    let width = tale.lines.iter().map(|line| rule(line).len()).fold(RULE_WIDTH, usize::max);
    let mut text = String::new();
    let mut lines = tale.lines.iter().peekable();
    while let Some(line) = lines.next() {
        text += &format!("{:>width$}", rule(line));
        text += &match line {
            TaleLine::Roll { event, faces_read, dice } => {
                let mut words = event.text.clone();
                let (mut read, mut faces) = (u128::from(*faces_read), u128::from(dice.faces()));
                // The dice of a pool stand in one line.
                while let Some(TaleLine::Roll { event: next, faces_read, .. }) =
                    lines.next_if(|next| dice.is_of_pool() && head(next).is_some_and(|head| head == head_of(&event.text)))
                {
                    words += &next.text[head_of(&next.text).len() + 1..];
                    (read, faces) = (read * u128::from(*faces_read), faces * u128::from(dice.faces()));
                }
                format!("  {words}  [{read}/{faces} like this]\n")
            }
            TaleLine::Event(event) if event.rule.is_empty() => format!("  {}\n", event.text),
            TaleLine::Event(event) => format!("    {}\n", event.text),
            TaleLine::Noted { point, outcomes } => format!("  {}\n", noted(*point, outcomes)),
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
fn head<O>(line: &TaleLine<O>) -> Option<&str> {
    match line {
        TaleLine::Roll { event, dice, .. } if dice.is_of_pool() => Some(head_of(&event.text)),
        _ => None,
    }
}

fn head_of(text: &str) -> &str {
    text.split_once(": ").map_or("", |(head, _)| head)
}

fn told_outcomes(words: &dyn Words, point: Point, outcomes: &[Label]) -> String {
    let told: Vec<String> = outcomes.iter().map(|label| in_words(words.units(), label)).collect();
    format!("{}: {}", words.point_in_words(point), told.join("; "))
}

/// An outcome of a question of so many units.
fn in_words(units: u8, label: &Label) -> String {
    if let Some(outcome) = &label.outcome {
        return outcome.clone();
    }
    let unit = label.unit.as_deref().unwrap_or("created");
    let status = label.status.unwrap_or_default();
    let counter =
        label.counter.as_ref().filter(|counter| *counter != unit).map_or(String::new(), |counter| format!(" {counter}"));
    let wounded = if label.wounded == Some(true) { ", wounded" } else { "" };
    match label.slot {
        Some(slot) if units > 1 || slot > units => format!("{unit} [{slot}] {status}{counter}{wounded}"),
        _ => format!("{unit} {status}{counter}{wounded}"),
    }
}
