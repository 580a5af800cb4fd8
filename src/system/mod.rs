//! What a morale system is to everything that knows no game: the questions it answers, their fields, and words for its answers.
//!
//! A game implements [`System`] in its own room; the command line, studies, comparisons and the solver work with whatever does.

pub mod footing;
pub mod form;
pub mod parameters;
pub mod roster;

use crate::process::{Decisions, Player, Point, Process, Question};
use crate::text::{Fault, canonical};
pub use footing::{Fact, Footing, Held};
use form::Form;

/// A morale system.
pub trait System: 'static {
    /// Its word on the command line and in files: `fortitude`.
    const NAME: &'static str;
    /// What it is, in one line.
    const ABOUT: &'static str;
    type Form: Form<Filled = Self::Question>;
    type Question: Played + Send + 'static;

    /// The questions it answers.
    fn kinds() -> &'static [Kind];
    /// A question of one of these kinds with every field at its default.
    fn blank(kind: &'static Kind) -> Self::Form;
    /// What can be set otherwise than the rules, or what is known of them, have it. Each is a field of every question.
    fn parameters() -> &'static [Parameter];
    /// Things a player may be after, the most important first.
    fn measures() -> &'static [Measure];
    /// Units it has ready, in the notation of its questions, each with what it is.
    fn units() -> Vec<(String, String)>;
}

/// A kind of question.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its word: `recover`.
    pub name: &'static str,
    /// What it answers, in one line.
    pub about: &'static str,
    /// The field given without its name, if there is one; a question in steps is read from a file instead.
    pub subject: Option<Field>,
    /// All other fields but the parameters.
    pub fields: &'static [Field],
    /// Further help: how what it asks for is written.
    pub help: &'static str,
}

impl Kind {
    /// Whether what happens is told step by step, in a file.
    pub const fn has_steps(&self) -> bool {
        self.subject.is_none()
    }
}

/// A field of a question, as a command line shows it.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its word in files; with `--` in front that of the command line.
    pub name: &'static str,
    pub takes: Takes,
    /// What it says, in one line, with its default.
    pub about: &'static str,
}

/// What is given for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing: it holds, or does not.
    Flag,
    /// A whole number, by that name.
    Number(&'static str),
    /// A text, by that name.
    Text(&'static str),
}

impl Takes {
    /// What stands for it in help.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Takes::Flag => "",
            Takes::Number(name) | Takes::Text(name) => name,
        }
    }
}

/// How sure a fact of a rule text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Stated in the text the system was first described in.
    Seed,
    /// Read in a public excerpt of the rules, which may have exceptions elsewhere.
    Found,
    /// Follows from what is stated or found.
    Inferred,
    /// Found nowhere.
    Assumed,
}

impl Source {
    pub const fn name(self) -> &'static str {
        match self {
            Source::Seed => "stated",
            Source::Found => "found",
            Source::Inferred => "inferred",
            Source::Assumed => "assumed",
        }
    }
}

/// A value of the rules that can be set otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// As it would be written in a file: `3`, `subtract`, `true`.
    pub default: &'static str,
    /// What else it can be: `a whole number from 0 to 20`, or words with ` or ` between them.
    pub values: &'static str,
    pub source: Source,
    /// What it is, in one line.
    pub about: &'static str,
}

impl Parameter {
    /// The parameter of that name.
    pub fn named(text: &str, parameters: &'static [Parameter]) -> Result<&'static Parameter, Fault> {
        let name = canonical(text);
        parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let fault = Fault::new(format!("no parameter is called `{text}`"), 0..text.len());
            fault.expecting(text, parameters.iter().map(|parameter| parameter.name))
        })
    }
}

/// What a reader hopes for at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hope {
    /// The statuses that fulfil it; none where there is nothing to hope for.
    pub statuses: &'static [&'static str],
    /// What a unit is then: `rallied after the last phase`.
    pub words: &'static str,
    /// What is hoped for of something that is no unit: `the own army`.
    pub of: Option<&'static str>,
}

impl Hope {
    /// A hope for a unit.
    pub const fn of_unit(statuses: &'static [&'static str], words: &'static str) -> Hope {
        Hope { statuses, words, of: None }
    }

    /// A hope for something else.
    pub const fn of(of: &'static str, statuses: &'static [&'static str], words: &'static str) -> Hope {
        Hope { statuses, words, of: Some(of) }
    }
}

/// A question in words, and what its answer rests on.
pub trait Asked: Question {
    /// The question in one line.
    fn in_words(&self) -> String;
    /// Units it begins with; slots above are of others.
    fn units(&self) -> u8;
    /// What the points of its outcomes are: `turn`, `volley`, `step`; nothing where all are told once, at the end.
    fn points(&self) -> Option<&'static str>;
    /// A point at which outcomes are noted.
    fn point_in_words(&self, point: Point) -> String {
        self.points().map_or("end".to_string(), |points| format!("end of {points} {point}"))
    }
    /// Every status an outcome can have, in order.
    fn statuses(&self) -> &'static [&'static str];
    /// What a reader hopes for.
    fn hoped(&self) -> Hope;
    /// Whether outcomes are those of all units together.
    fn is_joint(&self) -> bool;
    /// What rules it follows.
    fn footing(&self) -> Footing;
    /// What of that is told of a whole study.
    fn held(&self) -> Vec<Held>;
    /// What had to be decided, in words.
    fn notes(&self) -> Vec<String>;
    /// Values the answer rests on that are less than sure: `damage-rule = subtract`.
    fn uncertain(&self) -> Vec<String>;
    /// A rule as its book numbers it.
    fn rule(&self, rule: &str) -> String {
        rule.to_string()
    }
    /// Numbers whose expected values are of interest, in words: `casualties of unit 1`.
    fn quantities(&self) -> Vec<String> {
        Vec::new()
    }
    /// How much of each quantity there is in an outcome: every sequence notes one outcome for each quantity.
    fn amounts(&self, _point: Point, _outcome: &<Self::Process as Process>::Outcome, _tell: &mut dyn FnMut(usize, i64)) {}
}

/// A question whose choices are made by policies, and whose ends are worth something.
pub trait Played: Asked<Process: Decisions> {
    /// Policies that make a difference here, with what they do; the first is that of a question that names none. There are none where
    /// nobody has anything to choose.
    fn policies(&self) -> Vec<(&'static str, &'static str)>;
    /// The option a policy takes, by its place in the list, of the number of options.
    fn option(
        &self,
        policy: usize,
        process: &Self::Process,
        state: &<Self::Process as Process>::State,
        player: Player,
        options: usize,
    ) -> usize;
    /// How a unit ends, where an outcome is noted at the end: its slot, and how much there is of each of [`System::measures`].
    fn ending(&self, point: Point, outcome: &<Self::Process as Process>::Outcome) -> Option<(u8, Vec<f64>)>;
}

/// Something that counts at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The word of a file: `survives`.
    pub name: &'static str,
    /// What one of it is worth: of what is lost, -1.
    pub weight: f64,
    /// Its expected value in words, of one unit: `P(survives)`.
    pub of_one: &'static str,
    /// The same of several units, which add up: `expected number of units that survive`.
    pub of_several: &'static str,
    /// What one more at that weight is called: `expected survivors`.
    pub gain: &'static str,
}

impl Measure {
    /// Its expected value in words.
    pub const fn in_words(&self, several: bool) -> &'static str {
        if several { self.of_several } else { self.of_one }
    }

    /// What one more, at its own weight, is called: of one unit that is a probability.
    pub const fn gain_in_words(&self, several: bool) -> &'static str {
        if several || self.weight < 0.0 { self.gain } else { self.of_one }
    }
}
