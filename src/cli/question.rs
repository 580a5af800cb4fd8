//! The kinds of questions of every game as commands, made of what each declares.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::fault::Failure;
use super::given::{Given, sentence, with_options};
use super::impact;
use super::output::{OutputArguments, table_of, write};
use super::run::RunArguments;
use super::screen;
use super::trace::DiceArguments;
use super::typed::quoted;
use super::{House, read_text};
use crate::study::file::Study;
use crate::system::asking::Asking;
use crate::system::draft::POLICY;
use crate::system::field::{Field, Takes};
use crate::system::form::{FieldFault, Form};
use crate::system::{Game, Kind, Play};
use crate::table::Sheet;
use crate::text::Fault;

/// A question on the command line.
pub struct Ask {
    game: &'static dyn Game,
    kind: &'static Kind,
    /// Whether its command names the game.
    names_game: bool,
    /// What is given without a name: the units, or the file.
    subject: String,
    given: Given,
}

/// The argument of a question that is read from a file.
const FILE: &str = "file";

/// The option by which choices are made.
static POLICY_FIELD: Field = Field {
    name: POLICY,
    negation: None,
    takes: Takes::Text("NAME"),
    default: None,
    about: "by which policy choices are made, where there are any; a wrong name lists them",
    rule: None,
    sweeps: true,
};

/// The options of a kind.
fn options(kind: &'static Kind) -> impl Iterator<Item = &'static Field> {
    let policy = Some(&POLICY_FIELD).filter(|_| kind.play != Play::Unasked);
    kind.fields.iter().copied().flatten().chain(policy)
}

/// Kinds that have an answer by themselves.
pub fn kinds(game: &dyn Game) -> impl Iterator<Item = &'static Kind> {
    game.kinds().iter().copied().filter(|kind| kind.play != Play::Best)
}

/// Where the points of the rules of a game are listed.
fn settings(house: &House, game: &dyn Game) -> String {
    if game.name() == house.first().name() {
        "lowcrawl rules".to_string()
    } else {
        format!("lowcrawl {} parameters", game.name())
    }
}

/// The command of one kind of question, with further arguments.
pub fn command<X: Args>(house: &House, game: &dyn Game, kind: &'static Kind) -> Command {
    let subject = match &kind.subject {
        Some(field) => Arg::new(field.name).value_name(field.takes.placeholder()).help(sentence(field.about)),
        None => Arg::new(FILE).value_name("FILE").help("Sequence file (TOML)"),
    };
    let command = Command::new(kind.name).arg(subject.required(true));
    let command = with_options(command, options(kind), kind.subject.is_none(), &settings(house, game));
    // The further arguments would say what they are in place of it.
    X::augment_args(command).about(sentence(kind.about)).long_about(None).after_help(kind.help)
}

impl Ask {
    /// What was typed for a kind of question.
    pub fn of(matches: &ArgMatches, game: &'static dyn Game, kind: &'static Kind, names_game: bool) -> Ask {
        let subject = matches.get_one::<String>(kind.subject.map_or(FILE, |field| field.name));
        Ask {
            game,
            kind,
            names_game,
            subject: subject.cloned().unwrap_or_default(),
            given: Given::of(matches, options(kind), kind.subject.is_none()),
        }
    }

    /// The question, or what is wrong with which argument.
    pub fn question(&self) -> Result<Box<dyn Asking>, Failure> {
        let form = self.form()?;
        let finished = form.finish().and_then(|question| question.answerable().map(|()| question));
        finished.or_else(|FieldFault { field, fault }| match &self.kind.subject {
            Some(subject) if subject.name == field => Err(self.subject_fault(subject, fault)),
            None if !self.given.has(&field) => self.in_file(|file| Err(file.place_fault(0, FieldFault { field, fault }))),
            _ => Err(self.given.blame(&field, fault)),
        })
    }

    /// The question, filled in and not yet finished.
    fn form(&self) -> Result<Box<dyn Form>, Failure> {
        let mut form = match &self.kind.subject {
            None => self.in_file(|file| file.draft(0))?,
            Some(subject) => {
                let mut form = self.kind.form();
                let set = form.set(subject.name, subject.takes.value(&self.subject));
                set.map_err(|fault| self.subject_fault(subject, fault))?;
                form
            }
        };
        self.given.fill(form.as_mut())?;
        Ok(form)
    }

    fn subject_fault(&self, subject: &Field, fault: Fault) -> Failure {
        Failure::argument(subject.takes.placeholder(), &self.subject, fault)
    }

    /// What is made of the sequence file; its faults have their place there.
    fn in_file<T>(&self, make: impl FnOnce(&Study) -> Result<T, Fault>) -> Result<T, Failure> {
        let text = read_text(&PathBuf::from(&self.subject))?;
        let made = Study::of_sequence(&text, self.kind).and_then(|file| make(&file));
        made.map_err(|fault| Failure::argument(&self.subject, &text, fault))
    }

    /// The command as it would be typed again.
    fn command(&self) -> String {
        let game = if self.names_game { format!("{} ", self.game.name()) } else { String::new() };
        let subject = match self.kind.subject {
            None => quoted(&self.subject),
            Some(_) => format!("\"{}\"", self.subject),
        };
        format!("lowcrawl {game}{} {subject}{}", self.kind.name, self.given.words())
    }
}

/// How to answer, and what to do with the answer.
#[derive(Debug, Args)]
pub struct AnswerArguments {
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArguments,
    /// How far the odds move with each point of the rules that can be read otherwise, or with the one named: at its other words, its number one less and one more
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = impact::ALL)]
    impact: Option<String>,
}

/// Answers a question.
pub fn answer(ask: &Ask, matches: &ArgMatches) -> Result<(), Failure> {
    let AnswerArguments { run, output, impact } = AnswerArguments::from_arg_matches(matches)?;
    let question = ask.question()?;
    let options = run.options()?;
    let command = ask.command() + &run.words(options.seed);
    if let Some(which) = &impact {
        let named = Some(which.as_str()).filter(|which| *which != impact::ALL);
        let readings = ask.form()?.readings(named).map_err(|fault| Failure::argument("--impact", which, fault))?;
        let meta = question.meta(format!("{command} --impact {which}"));
        return impact::run(question.as_ref(), &readings, &options, meta, &output);
    }
    let table = table_of(question.as_ref(), &options, question.meta(command))?;
    write(&output, &Sheet::from(&table), || screen::of(question.as_ref(), &table))
}

/// Tells one sequence of a question.
pub fn tell(ask: &Ask, matches: &ArgMatches) -> Result<(), Failure> {
    let dice = DiceArguments::from_arg_matches(matches)?;
    let question = ask.question()?;
    let (tale, source) = dice.tale(|dice| question.tale(dice, super::watch()))?;
    let words = question.words();
    let aside = words.aside().map_or(String::new(), |aside| format!("{aside}\n"));
    let asked = question.meta(String::new()).question;
    super::print(format!("{asked}; {source}\n\n{}{aside}", super::trace::told_of(words, &tale)))
}
