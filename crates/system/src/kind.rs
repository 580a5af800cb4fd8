//! What a game is to those that know none: kinds of questions, points of the rules, measures,
//! units.

use super::Policy;
use super::count::{Class, Group, MOST_CLASSES};
use super::field::Field;
use super::form::Form;
use engine::text::{Fault, canonical};

/// A morale system.
pub trait Game: Sync {
    /// Its word on the command line and in files: `fortitude`.
    fn name(&self) -> &'static str;
    /// What it is, in one line.
    fn about(&self) -> &'static str;
    /// The questions it answers.
    fn kinds(&self) -> &'static [&'static Kind];
    /// What can be set otherwise than the rules, or what is known of them, have it. Each is a field
    /// of every question.
    fn parameters(&self) -> Vec<Parameter>;
    /// Things a player may be after, the most important first.
    fn measures(&self) -> &'static [Measure];
    /// Policies by which the choices of a kind can be made, where a question leaves any open.
    fn policies(&self, _kind: &Kind) -> Vec<Policy> {
        Vec::new()
    }
    /// Units it has ready.
    fn units(&self) -> Vec<Ready>;
    /// What can be written after a unit; a number behind `=` is `N`.
    fn conditions(&self) -> Vec<String>;
}

/// A unit that a game has ready.
#[derive(Clone, Debug, Default)]
pub struct Ready {
    /// As questions name it in any case.
    pub unit: String,
    /// As players would write it.
    pub written: String,
    /// Whose it is, where there are sides.
    pub side: String,
    /// As its side calls it.
    pub name: String,
    /// What it is.
    pub about: String,
}

impl Ready {
    /// One without a side.
    pub fn plain(name: &str, about: String) -> Ready {
        let name = name.to_string();
        Ready { unit: name.clone(), written: name.clone(), side: String::new(), name, about }
    }
}

/// A kind of question.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its word: `recover`.
    pub name: &'static str,
    /// What it answers, in one line.
    pub about: &'static str,
    /// The field given without its name; none where the question is read from a file.
    pub subject: Option<Field>,
    /// All other fields, in groups; those of steps and points of the rules are left out.
    pub fields: &'static [&'static [Field]],
    /// Further help: how what it asks for is written.
    pub help: &'static str,
    /// What a player may type after its word.
    pub examples: &'static [&'static str],
    pub play: Play,
    /// Measures of its game that its answers do not tell.
    pub untold: &'static [&'static str],
    /// Every status an outcome can have, in order.
    pub statuses: &'static [&'static str],
    /// What the statuses of units come to, where units are counted: what holds first.
    pub classes: &'static [Class],
    /// Groups of units that are counted, the one counted unless another is named first.
    pub groups: &'static [Group],
    /// A question of this kind with every field at its default.
    pub blank: fn(&'static Kind) -> Box<dyn Form>,
}

/// Who makes the choices of a kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// There are none.
    Unasked,
    /// A policy, where a question has anything to choose.
    Policy,
    /// The best play for an objective, unless a policy is named: it has no answer without an
    /// objective.
    Best,
}

impl Kind {
    /// A kind whose choices, if it has any, are made by policies; without a subject its questions
    /// are read from a file.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        subject: Option<Field>,
        fields: &'static [&'static [Field]],
        blank: fn(&'static Kind) -> Box<dyn Form>,
    ) -> Kind {
        Kind {
            name,
            about,
            subject,
            fields,
            help: "",
            examples: &[],
            play: Play::Policy,
            untold: &[],
            statuses: &[],
            classes: &[],
            groups: &[],
            blank,
        }
    }

    /// The same with further help.
    pub const fn help(self, help: &'static str) -> Kind {
        Kind { help, ..self }
    }

    /// The same with examples of what may be typed.
    pub const fn examples(self, examples: &'static [&'static str]) -> Kind {
        Kind { examples, ..self }
    }

    /// The same with its choices made otherwise.
    pub const fn played(self, play: Play) -> Kind {
        Kind { play, ..self }
    }

    /// The same with what its outcomes can be.
    pub const fn ends(self, statuses: &'static [&'static str]) -> Kind {
        Kind { statuses, ..self }
    }

    /// The same with what is counted of it.
    pub const fn counted(self, classes: &'static [Class], groups: &'static [Group]) -> Kind {
        assert!(classes.len() <= MOST_CLASSES, "a tally has no room for more");
        Kind { classes, groups, ..self }
    }

    /// Its declared fields, the subject first.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.subject.iter().chain(self.fields.iter().copied().flatten())
    }

    /// The declared field of that canonical name.
    pub fn field(&'static self, name: &str) -> Option<&'static Field> {
        self.fields().find(|field| field.is_called(name))
    }

    /// A question of this kind with every field at its default.
    pub fn form(&'static self) -> Box<dyn Form> {
        (self.blank)(self)
    }

    /// The kind of that name.
    pub fn named(text: &str, kinds: &'static [&'static Kind]) -> Option<&'static Kind> {
        let name = canonical(text);
        kinds.iter().find(|kind| kind.name == name).copied()
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
    /// The text leaves room: more than one reading is played.
    Open,
}

impl Source {
    pub const fn name(self) -> &'static str {
        match self {
            Source::Seed => "stated",
            Source::Found => "found",
            Source::Inferred => "inferred",
            Source::Assumed => "assumed",
            Source::Open => "open",
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
    pub fn named(
        text: &str,
        parameters: &'static [Parameter],
    ) -> Result<&'static Parameter, Fault> {
        let name = canonical(text);
        parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let fault = Fault::new(format!("no parameter is called `{text}`"), 0..text.len());
            fault.expecting(text, parameters.iter().map(|parameter| parameter.name))
        })
    }
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
    /// What one more is called: `expected survivors`.
    pub gain: &'static str,
}

impl Measure {
    /// Its expected value in words.
    pub const fn in_words(&self, several: bool) -> &'static str {
        if several { self.of_several } else { self.of_one }
    }

    /// What one more is called: of one unit that is a probability.
    pub const fn gain_in_words(&self, several: bool) -> &'static str {
        if several { self.gain } else { self.of_one }
    }
}
