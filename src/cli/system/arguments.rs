//! A question on the command line, filled in from arguments or from a file.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand};

use super::Asking;
use crate::cli::fault::Failure;
use crate::cli::read_text;
use crate::cli::typed::{quoted, set_all, setting, typed, whole};
use crate::study::file::Study;
use crate::study::systems::{Ruling, sequence};
use crate::system::form::{Form, Value};
use crate::system::{Field, Kind, Parameter, System, Takes};
use crate::text::{Fault, canonical};

/// A question of a system with further arguments: one command for each kind.
pub struct PerKind<S, X> {
    pub ask: Ask<S>,
    pub with: X,
}

/// A question on the command line.
pub struct Ask<S> {
    kind: &'static Kind,
    /// What is given without a name: the units, or the file.
    subject: String,
    /// Fields given, as they were typed; a flag is `true` or `false`.
    given: Vec<(&'static Field, String)>,
    policy: Option<String>,
    joint: Option<String>,
    sets: Vec<String>,
    system: PhantomData<S>,
}

/// Names of arguments that every kind has.
const POLICY: &str = "policy";
const JOINT: &str = "joint";
const SET: &str = "set";
const FILE: &str = "file";

impl<S: System> Ask<S> {
    /// The question, or what is wrong with which argument.
    pub fn question(&self) -> Result<Asking<S>, Failure> {
        self.finished(&self.form()?)
    }

    /// The same with one parameter at another value; or why it cannot be asked so.
    pub fn read_with(&self, parameter: &str, value: &str) -> Result<Result<Asking<S>, Fault>, Failure> {
        let mut form = self.form()?;
        let set = form.set(parameter, setting(value));
        Ok(set.and_then(|()| form.finish().map_err(|error| error.fault)))
    }

    /// The value of a parameter, as it would be typed.
    pub fn setting(&self, parameter: &Parameter) -> String {
        let given = self.sets.iter().rfind(|set| set_name(set) == parameter.name).and_then(|set| set.split_once('='));
        given.map_or(parameter.default.to_string(), |(_, value)| canonical(value))
    }

    /// The question, filled in and not yet finished.
    fn form(&self) -> Result<Ruling<S>, Failure> {
        let mut form = match self.kind.has_steps() {
            false => Ruling::new(self.kind),
            true => self.in_file(|file| file.draft(0))?,
        };
        for (field, value) in self.fields() {
            form.set(field, value).map_err(|fault| self.blame(field, fault))?;
        }
        set_all(&mut form, &self.sets)?;
        Ok(form)
    }

    fn finished(&self, form: &Ruling<S>) -> Result<Asking<S>, Failure> {
        form.finish().or_else(|error| match self.kind.has_steps() && !self.is_given(&error.field) {
            true => self.in_file(|file| Err(file.place_fault(0, error))),
            false => Err(self.blame(&error.field, error.fault)),
        })
    }

    /// What is made of the sequence file; its faults have their place there.
    fn in_file<T>(&self, make: impl FnOnce(&Study<Ruling<S>>) -> Result<T, Fault>) -> Result<T, Failure> {
        let text = read_text(&PathBuf::from(&self.subject))?;
        let made = sequence::<S>(&text, self.kind).and_then(|file| make(&file));
        made.map_err(|fault| Failure::argument(&self.subject, &text, fault))
    }

    /// All fields but the parameters, in order: the units first.
    fn fields(&self) -> Vec<(&'static str, Value<'_>)> {
        let subject = self.kind.subject.iter().map(|field| (field.name, value(field, &self.subject)));
        let given = self.given.iter().map(|(field, text)| (field.name, value(field, text)));
        let policy = self.policy.iter().map(|policy| (POLICY, Value::Text(policy)));
        let joint = self.joint.iter().map(|joint| (JOINT, truth(joint)));
        subject.chain(given).chain(policy).chain(joint).collect()
    }

    fn is_given(&self, field: &str) -> bool {
        self.fields().iter().any(|(name, _)| *name == field) || self.sets.iter().any(|set| set_name(set) == field)
    }

    /// A fault of a field, at the argument that gave it.
    fn blame(&self, field: &str, fault: Fault) -> Failure {
        let fields = self.fields();
        let text = fields.iter().find(|(name, _)| *name == field).map_or(String::new(), |(_, value)| match value {
            Value::Text(text) => text.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Boolean(_) => String::new(),
        });
        if let Some(set) = self.sets.iter().rfind(|set| set_name(set) == field) {
            return Failure::argument("--set", set, Fault { span: 0..set.len(), ..fault });
        }
        let place = match self.kind.subject {
            Some(subject) if subject.name == field => subject.takes.placeholder().to_string(),
            _ => format!("--{field}"),
        };
        Failure::argument(&place, &text, fault)
    }

    /// The command as it would be typed again.
    pub fn command(&self) -> String {
        let subject = match self.kind.has_steps() {
            true => quoted(&self.subject),
            false => format!("\"{}\"", self.subject),
        };
        let fields = self.fields().into_iter().skip(usize::from(!self.kind.has_steps()));
        let typed = |(field, value)| match value {
            Value::Boolean(false) => format!(" --{field}=false"),
            value => typed(field, &value),
        };
        let fields: String = fields.map(typed).collect();
        let sets: String = self.sets.iter().map(|set| format!(" --set {set}")).collect();
        format!("lowcrawl {} {} {subject}{fields}{sets}", S::NAME, self.kind.name)
    }
}

/// The name in `NAME=VALUE`, as parameters are called.
fn set_name(set: &str) -> String {
    canonical(set.split('=').next().unwrap_or_default())
}

/// What was typed for a field, as its value.
fn value<'a>(field: &Field, text: &'a str) -> Value<'a> {
    match field.takes {
        Takes::Flag => truth(text),
        Takes::Number(_) => whole(text),
        Takes::Text(_) => Value::Text(text),
    }
}

/// True or false; any other text stays one, to be complained of.
fn truth(text: &str) -> Value<'_> {
    text.parse().map_or(Value::Text(text), Value::Boolean)
}

impl<S: System, X> fmt::Debug for PerKind<S, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ask.command())
    }
}

/// The command of one kind of question.
fn command<S: System, X: Args>(kind: &'static Kind) -> Command {
    let command = Command::new(kind.name);
    let subject = match kind.subject {
        Some(field) => Arg::new(field.name).value_name(field.takes.placeholder()).help(sentence(field.about)),
        None => Arg::new(FILE).value_name("FILE").help("Sequence file (TOML)"),
    };
    let fields = kind.fields.iter().filter(|field| ![JOINT, POLICY].contains(&field.name)).map(|field| argument(kind, field));
    let policy = Arg::new(POLICY)
        .long(POLICY)
        .value_name("NAME")
        .help("By which policy choices are made, where there are any; a wrong name lists them");
    let joint = flag(kind, Arg::new(JOINT).long(JOINT).help("Outcomes of all units together in place of one at a time"));
    let set = Arg::new(SET).long(SET).value_name("NAME=VALUE").action(ArgAction::Append);
    let set = set.help(format!("One parameter of `lowcrawl {} parameters`; may be repeated", S::NAME));
    let command = X::augment_args(command.arg(subject.required(true)).args(fields).args([policy, joint, set]));
    // The further arguments would say what they are in place of it.
    command.about(sentence(kind.about)).long_about(None).after_help(kind.help)
}

/// A text that begins with a capital, as help does.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The option of a field.
fn argument(kind: &Kind, field: &'static Field) -> Arg {
    let argument = Arg::new(field.name).long(field.name).help(sentence(field.about));
    match field.takes {
        Takes::Flag => flag(kind, argument),
        Takes::Number(name) => argument.value_name(name).allow_hyphen_values(true),
        Takes::Text(name) => argument.value_name(name),
    }
}

/// An option that says that something holds; or over a file that says so that it does not: `--army=false`.
fn flag(kind: &Kind, argument: Arg) -> Arg {
    match kind.has_steps() {
        true => argument.num_args(0..=1).require_equals(true).default_missing_value("true").value_name("false"),
        false => argument.action(ArgAction::SetTrue),
    }
}

impl<S: System, X: Args> Subcommand for PerKind<S, X> {
    fn augment_subcommands(parent: Command) -> Command {
        parent.subcommands(S::kinds().iter().map(command::<S, X>)).subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(parent: Command) -> Command {
        Self::augment_subcommands(parent)
    }

    fn has_subcommand(name: &str) -> bool {
        S::kinds().iter().any(|kind| kind.name == name)
    }
}

impl<S: System, X: Args> FromArgMatches for PerKind<S, X> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let kind = S::kinds().iter().find(|kind| kind.name == name).ok_or_else(missing)?;
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let flag = |name: &str| match kind.has_steps() {
            true => text(name),
            false => matches.get_flag(name).then(|| true.to_string()),
        };
        let given = |field: &'static Field| {
            let text = if field.takes == Takes::Flag { flag(field.name) } else { text(field.name) };
            text.map(|text| (field, text))
        };
        let ask = Ask {
            kind,
            subject: text(kind.subject.map_or(FILE, |field| field.name)).unwrap_or_default(),
            given: kind.fields.iter().filter(|field| ![JOINT, POLICY].contains(&field.name)).filter_map(given).collect(),
            policy: text(POLICY),
            joint: flag(JOINT),
            sets: matches.get_many::<String>(SET).into_iter().flatten().cloned().collect(),
            system: PhantomData,
        };
        Ok(PerKind { ask, with: X::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
