//! The questions of a morale system as commands, made of what the system says of itself: fields, parameters, units.

mod arguments;
mod lists;

use clap::{Args, Subcommand};

use self::arguments::{Ask, PerKind};
use self::lists::{Parameters, Units};
use super::fault::Failure;
use super::impact::{self, Reading};
use super::output::{OutputArguments, table_of, write};
use super::run::RunArguments;
use super::screen;
use super::trace::DiceArguments;
use super::typed::setting;
use crate::process::Question as _;
use crate::study::systems::Ruling;
use crate::system::form::Form as _;
use crate::system::{Asked, Parameter, System};
use crate::table::{Meta, Sheet};
use crate::text::Fault;

/// The commands of a system.
#[derive(Debug, Subcommand)]
pub enum Commands<S: System> {
    #[command(flatten)]
    Answer(Box<PerKind<S, AnswerArguments>>),
    /// List the parameters, with their defaults and how sure they are
    Parameters(Parameters),
    /// List the units that are ready
    Units(Units),
}

/// Tell one sequence of a question of a system.
pub type Told<S> = PerKind<S, DiceArguments>;

/// How to answer, and what to do with the answer.
#[derive(Debug, Args)]
pub struct AnswerArguments {
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArguments,
    /// How far the odds move with each parameter that is a word or a number, or with the one named: at its other words, its number one less and one more
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = impact::ALL)]
    impact: Option<String>,
}

impl<S: System> Commands<S> {
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Commands::Answer(asked) => asked.with.answer(&asked.ask),
            Commands::Parameters(parameters) => parameters.run::<S>(),
            Commands::Units(units) => units.run::<S>(),
        }
    }
}

impl AnswerArguments {
    fn answer<S: System>(&self, ask: &Ask<S>) -> Result<(), Failure> {
        let question = ask.question()?;
        let options = self.run.options()?;
        let command = ask.command() + &self.run.words(options.seed);
        if let Some(which) = &self.impact {
            let meta = Meta::of(&question, format!("{command} --impact {which}"));
            return impact::run(&question, &readings(ask, which)?, "parameter", &options, meta, &self.output);
        }
        let table = table_of(&question, &options, Meta::of(&question, command))?;
        write(&self.output, &Sheet::from(&table), || screen::of_any(&question, &table))
    }
}

impl<S: System> Told<S> {
    pub fn run(&self) -> Result<(), Failure> {
        let question = self.ask.question()?;
        let (tale, source) = self.with.tale(&question.whole())?;
        super::print(format!("{}; {source}\n\n{}", question.in_words(), super::trace::told_of(&question, &tale)))
    }
}

/// The values next to the present one of a parameter: its other words, or its number one less and one more.
fn neighbours<S: System>(parameter: &Parameter, now: &str) -> Vec<String> {
    let can_be = |value: &String| S::blank(&S::kinds()[0]).set(parameter.name, setting(value)).is_ok();
    match now.parse::<i64>() {
        Ok(number) => [number - 1, number + 1].map(|number| number.to_string()).into_iter().filter(can_be).collect(),
        Err(_) => parameter.values.split(" or ").map(str::to_string).filter(|value| value != now && can_be(value)).collect(),
    }
}

/// The question with every parameter, or the one named, at the values next to the present one.
fn readings<S: System>(ask: &Ask<S>, which: &str) -> Result<Vec<Reading<Asking<S>>>, Failure> {
    let asked: Vec<&Parameter> = match which {
        impact::ALL => S::parameters().iter().collect(),
        name => vec![Parameter::named(name, S::parameters()).map_err(|fault| Failure::argument("--impact", name, fault))?],
    };
    let mut readings = Vec::new();
    for parameter in asked {
        let now = ask.setting(parameter);
        for value in neighbours::<S>(parameter, &now) {
            readings.push(Reading {
                id: parameter.name,
                name: format!("{}={value}", parameter.name),
                about: format!("{} ({})\nfrom  {now}\nto    {value}\n", parameter.about, parameter.name),
                question: ask.read_with(parameter.name, &value)?,
                value,
            });
        }
    }
    match which {
        name if readings.is_empty() => {
            let fault = Fault::new(format!("`{name}` has neither other words nor a number next to it"), 0..name.len());
            Err(Failure::argument("--impact", name, fault.help("sweep its values in a study")))
        }
        _ => Ok(readings),
    }
}

/// What is asked when everything is filled in.
type Asking<S> = <Ruling<S> as crate::system::form::Form>::Filled;
