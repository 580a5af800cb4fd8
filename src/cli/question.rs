//! The kinds of questions of every game as commands, made of what each declares.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::fault::Failure;
use super::given::{Given, Typed, sentence, split, with_options};
use super::help::with_examples;
use super::impact;
use super::output::{OutputArguments, show};
use super::run::RunArguments;
use super::screen::Looks;
use super::trace::DiceArguments;
use super::typed::quoted;
use super::{House, new, read_text, several};
use door::Request;
use engine::text::Fault;
use files::written::Written;
use system::asking::Asking;
use system::draft::{GIVEN_FIELD, POLICY_FIELD};
use system::field::{Field, Takes};
use system::form::{FieldFault, Form};
use system::{Game, Kind, Play};

/// A question on the command line.
pub struct Ask {
    game: &'static dyn Game,
    kind: &'static Kind,
    /// Whether its command names the game.
    names_game: bool,
    /// What is given without a name: the units, or the file. Of several it is the first.
    subject: String,
    /// The others.
    others: Vec<String>,
    given: Given,
}

/// The argument of a question that is read from a file.
const FILE: &str = "file";

/// The options of a kind.
fn options(kind: &'static Kind) -> impl Iterator<Item = &'static Field> {
    let policy = Some(&POLICY_FIELD).filter(|_| kind.play != Play::Unasked);
    kind.fields.iter().copied().flatten().chain(policy).chain([&GIVEN_FIELD])
}

/// Kinds that have an answer by themselves.
pub fn kinds(game: &dyn Game) -> impl Iterator<Item = &'static Kind> {
    game.kinds().iter().copied().filter(|kind| kind.play != Play::Best)
}

/// Where the points of the rules of a game are listed.
pub fn settings(house: &House, game: &dyn Game) -> String {
    if game.name() == house.first().name() {
        "lowcrawl rules".to_string()
    } else {
        format!("lowcrawl {} parameters", game.name())
    }
}

/// What may be typed for the first kinds of a game.
pub fn examples(game: &dyn Game, after: &str) -> Vec<String> {
    kinds(game)
        .take(3)
        .filter_map(|kind| examples_of(game, kind, after).into_iter().next())
        .collect()
}

/// What may be typed for a kind; one that is read from a file begins with that.
fn examples_of(game: &dyn Game, kind: &Kind, after: &str) -> Vec<String> {
    let command = format!("{after} {}", kind.name);
    match kind.subject {
        Some(_) => kind.examples.iter().map(|example| format!("{command} {example}")).collect(),
        None => {
            let new = new::sequence(game);
            let file = format!("{command} turns.toml");
            vec![
                format!("lowcrawl new {new} --out turns.toml"),
                file.clone(),
                format!("{file} --joint"),
            ]
        }
    }
}

/// The command of one kind of question, with further arguments.
pub fn command<X: Args>(
    house: &House,
    game: &dyn Game,
    kind: &'static Kind,
    after: &str,
) -> Command {
    let subject = match &kind.subject {
        Some(field) => {
            Arg::new(field.name).value_name(field.takes.placeholder()).help(sentence(field.about))
        }
        None => Arg::new(FILE).value_name("FILE").help("Sequence file (TOML)"),
    };
    let subject = match kind.subject.is_some_and(|field| field.sweeps) {
        true => subject.num_args(1..),
        false => subject,
    };
    let command = Command::new(kind.name).arg(subject.required(true));
    let command =
        with_options(command, options(kind), kind.subject.is_none(), true, &settings(house, game));
    // The further arguments would say what they are in place of it.
    X::augment_args(command)
        .about(sentence(kind.about))
        .long_about(None)
        .after_help(with_examples(kind.help, &examples_of(game, kind, after)))
}

impl Ask {
    /// What was typed for a kind of question.
    pub fn of(
        matches: &ArgMatches,
        game: &'static dyn Game,
        kind: &'static Kind,
        names_game: bool,
    ) -> Ask {
        let subject = matches.get_many::<String>(kind.subject.map_or(FILE, |field| field.name));
        let mut subjects = subject.into_iter().flatten().cloned();
        Ask {
            game,
            kind,
            names_game,
            subject: subjects.next().unwrap_or_default(),
            others: subjects.collect(),
            given: Given::of(matches, options(kind)),
        }
    }

    /// What has several values: units that are given several times, and options. And the question
    /// with the others filled in.
    fn lists(&self) -> Result<(Vec<Typed>, Box<dyn Form>), Failure> {
        let mut form = match self.kind.subject {
            None => self.in_file(|file| Ok(file.form().boxed()))?,
            Some(_) => self.kind.form(),
        };
        let (mut lists, rest) = self.given.lists(form.as_ref())?;
        match &self.kind.subject {
            Some(subject) => match self.subjects(subject)? {
                Some(several) => lists.insert(0, several),
                None => self.fill_subject(form.as_mut(), subject)?,
            },
            None => {}
        }
        rest.fill(form.as_mut())?;
        Ok((lists, form))
    }

    /// Units that are given several times, or several numbers where the subject is one.
    fn subjects(&self, subject: &'static Field) -> Result<Option<Typed>, Failure> {
        let place = subject.takes.placeholder();
        let texts = || std::iter::once(&self.subject).chain(&self.others);
        if let Some(word) = texts().find(|text| text.trim() == "+") {
            let fault = Fault::new("a stack with spaces is one word in quotes", 0..word.len());
            let all: Vec<&str> = texts().map(String::as_str).collect();
            return Err(Failure::argument(place, word, fault.help(quoted(&all.join(" ")))));
        }
        if let (Takes::Number(..), []) = (subject.takes, &self.others[..]) {
            let values = split(place, &self.subject, 0, &|text| subject.takes.value(text))?;
            return Ok(values.map(|values| Typed::of(subject, place, values)));
        }
        let whole = |text: &String| (subject.takes.value(text).into(), text.clone(), 0..text.len());
        let values: Vec<_> = texts().map(whole).collect();
        Ok((values.len() > 1).then(|| Typed::of(subject, place, values)))
    }

    fn fill_subject(&self, form: &mut dyn Form, subject: &Field) -> Result<(), Failure> {
        let set = form.set(subject.name, subject.takes.value(&self.subject));
        set.map_err(|fault| self.subject_fault(subject, fault))
    }

    /// A fault of a finished form, at the argument to blame.
    fn blame(&self, FieldFault { field, fault }: FieldFault) -> Failure {
        match &self.kind.subject {
            Some(subject) if subject.name == field => self.subject_fault(subject, fault),
            None if !self.given.has(&field) => {
                let placed = self.in_file(|file| -> Result<Infallible, Fault> {
                    Err(file.place_fault(FieldFault { field, fault }))
                });
                match placed {
                    Err(failure) => failure,
                    Ok(never) => match never {},
                }
            }
            _ => self.given.blame(&field, fault),
        }
    }

    /// The one question, or what is wrong with which argument; `why` it must be one is said where
    /// there are lists.
    fn question(&self, why: &str) -> Result<(Box<dyn Asking>, Box<dyn Form>), Failure> {
        let (lists, form) = self.lists()?;
        if let Some(list) = lists.first() {
            let fault = Fault::new(why, 0..0).help("give each option one value");
            return Err(list.blame(0, fault));
        }
        Ok((self.finished(form.as_ref())?, form))
    }

    /// The question of a form without lists.
    fn finished(&self, form: &dyn Form) -> Result<Box<dyn Asking>, Failure> {
        let finished = form.finish().and_then(|question| question.answerable().map(|()| question));
        finished.map_err(|error| self.blame(error))
    }

    fn subject_fault(&self, subject: &Field, fault: Fault) -> Failure {
        Failure::argument(subject.takes.placeholder(), &self.subject, fault)
    }

    /// What is made of the sequence file; its faults have their place there.
    fn in_file<T>(&self, make: impl FnOnce(&Written) -> Result<T, Fault>) -> Result<T, Failure> {
        let text = read_text(&PathBuf::from(&self.subject))?;
        let made = Written::of_sequence(&text, self.kind).and_then(|file| make(&file));
        made.map_err(|fault| Failure::file(&self.subject, &text, fault))
    }

    /// The command as it would be typed again.
    fn command(&self) -> String {
        let game = if self.names_game { format!("{} ", self.game.name()) } else { String::new() };
        let subject = match self.kind.subject {
            None => quoted(&self.subject),
            Some(_) => {
                let all = std::iter::once(&self.subject).chain(&self.others);
                all.map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(" ")
            }
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
    /// How far the odds move with each point of the rules that can be read otherwise, or with the
    /// one named: at its other words, its number one less and one more
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = impact::ALL)]
    impact: Option<String>,
}

/// Answers a question, or each of those that its lists make of it.
pub fn answer(ask: &Ask, matches: &ArgMatches) -> Result<(), Failure> {
    let AnswerArguments { run, output, impact } = AnswerArguments::from_arg_matches(matches)?;
    let options = run.options()?;
    let words = || ask.command() + &run.words(options.seed);
    let Some(which) = &impact else {
        let (lists, form) = ask.lists()?;
        if lists.is_empty() {
            let request = Request::Question(ask.finished(form.as_ref())?);
            return show(&output, &super::ask(request, words(), &options)?, &Looks::default());
        }
        let blame = |error| ask.blame(error);
        return several::answer(lists, form, &blame, &words(), &options, &output);
    };
    let (question, form) = ask.question("`--impact` is of one question, without lists")?;
    let named = Some(which.as_str()).filter(|which| *which != impact::ALL);
    let readings =
        form.readings(named).map_err(|fault| Failure::argument("--impact", which, fault))?;
    let (request, command) =
        (Request::Impact { question, readings }, format!("{} --impact {which}", words()));
    show(&output, &super::ask(request, command, &options)?, &Looks::default())
}

/// Tells one sequence of a question.
pub fn tell(ask: &Ask, matches: &ArgMatches) -> Result<(), Failure> {
    let arguments = DiceArguments::from_arg_matches(matches)?;
    let (question, _) = ask.question("a told sequence is of one question, without lists")?;
    let dice = arguments.dice()?;
    super::trace::tell(Request::Trace { question, dice }, &arguments, None)
}
