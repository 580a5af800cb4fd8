//! A command for each kind of question of every game, built from the declared fields.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::batch;
use super::compare;
use super::fault::{Failure, Result};
use super::field_args::{FieldArgs, Typed, joined, split, whole_values, with_options};
use super::file_root::FileRoot;
use super::new;
use super::output::{CountArguments, Format, OUTPUT, OutputArguments};
use super::progress::ask;
use super::reply::{CommandCourse, Reply, ReplyCommand};
use super::rout::{SavedArguments, is_save, without_option};
use super::run::{RunArguments, SideArgument};
use super::saved_question::{SaveQuery, fill, in_save, takes_saves, with_save_options};
use super::saved_rally::SavedRally;
use super::seams::CrossedPlaces;
use super::shell_words::{quoted, repeated, with_examples};
use super::situation_file::crossed_map;
use super::trace::DiceArguments;
use crate::study::number::CellMeasure;
use answer::{Counting, Options};
use api::Request;
use api::read::nothing_reckoned;
use asl::crossing::fields::CrossingFields;
use asl::kinds::StepFields;
use engine::text::Fault;
use play::variations::with_variations;
use play::{DynQuestion, Form, Game, PartialQuestion, Registry};
use render::{Looks, sentence};
use saves::SavedQuestion;
use schema::common_fields::{GIVEN_FIELD, POLICY, POLICY_FIELD};
use schema::{ChoiceMaker, Field, FieldFault, Kind, RawValue, Takes, VariationOption};

/// The value of `--impact` that means all rule settings (interpretations and parameters).
const ALL: &str = "all";
/// The option of a further step, in messages.
const STEP: &str = "--then";
const RECKON: &str = "--reckon";

struct QuestionCommand {
    game: &'static dyn Game,
    kind: &'static Kind,
    /// True if the name of the game precedes the kind on the command line.
    names_game: bool,
    /// The positional arguments: units, or a file name.
    subjects: Vec<String>,
    /// Further steps, as `fire fp=4 drm=-2`.
    then: Vec<String>,
    /// The policies to compare, if several are given.
    policies: Vec<String>,
    /// The set of variations to compare, if one is given.
    variation: Option<&'static VariationOption>,
    given: FieldArgs,
    /// The save of VASL that the question is about, if it is about one.
    saved: Option<SaveQuery>,
}

/// The field that shows the outcomes of all units together.
const JOINT: &str = "joint";
const FILE: &str = "file";
/// The field with the units of the other side.
const AGAINST: &str = "against";
/// The sign between the units of both sides.
const VERSUS: &str = " vs ";
const THEN: &str = "then";

const LISTS: &str = "\
Most options take several values; the answer is then a table with one number (`--tell`) for each:
  A,B                 these two; `none` omits the option
  0..3, 4..16/4       all numbers from 0 to 3; from 4 to 16 by steps of 4
  --FLAG=false,true   without the flag, and with it
Repeat the option for units, and for values that contain commas.";

fn options(kind: &'static Kind) -> impl Iterator<Item = &'static Field> {
    let policy = kind.has_policy().then_some(&POLICY_FIELD);
    let aliases = kind.aliases.iter().map(|alias| &alias.field);
    kind.fields.iter().copied().flatten().chain(aliases).chain(policy).chain([&GIVEN_FIELD])
}

/// Returns whether steps can follow a question of a kind: it has a subject, and no field of its own
/// under that name.
fn takes_steps(kind: &Kind) -> bool {
    kind.subject.is_some() && kind.fields().all(|field| field.name != THEN)
}

/// Returns the first field of a kind that takes a whole number.
pub fn number_field(kind: &'static Kind) -> Option<&'static Field> {
    kind.fields.iter().copied().flatten().find(|field| matches!(field.takes, Takes::Number(..)))
}

/// Returns the kinds of questions that have an answer without a policy or an objective.
pub fn kinds(game: &dyn Game) -> impl Iterator<Item = &'static Kind> {
    game.kinds().iter().copied().filter(|kind| kind.play != ChoiceMaker::Best)
}

pub fn settings(registry: &Registry, game: &dyn Game) -> String {
    match game.name() == registry.first().name() {
        true => "lowcrawl rules".to_string(),
        false => format!("lowcrawl {} parameters", game.name()),
    }
}

/// Returns an example of each of the first three kinds, after the command line `after`.
pub fn examples(game: &dyn Game, after: &str) -> Vec<String> {
    let example = |kind| examples_of(game, kind, after).into_iter().next();
    kinds(game).take(3).filter_map(example).collect()
}

/// Returns the examples of a kind; the first one creates the file that the others read.
fn examples_of(game: &dyn Game, kind: &Kind, after: &str) -> Vec<String> {
    let command = format!("{after} {}", kind.name);
    if kind.subject.is_some() {
        return kind.examples.iter().map(|example| format!("{command} {example}")).collect();
    }
    let new = format!("lowcrawl new {} --out turns.toml", new::sequence(game));
    vec![new, format!("{command} turns.toml"), format!("{command} turns.toml --joint")]
}

/// Builds the command of a kind of question, with the additional clap arguments of `X`.
pub fn command<X: Args>(
    registry: &Registry,
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
    let command = Command::new(kind.name).arg(subject.required(!kind.omits_subject));
    let command = command.next_help_heading("Question");
    let over_file = kind.subject.is_none();
    let settings = settings(registry, game);
    let mut command = with_options(command, options(kind), over_file, true, &settings);
    for alias in kind.aliases {
        let unlisted = |argument: Arg| argument.hide(true).conflicts_with(alias.of);
        command = command.mut_arg(alias.field.name, unlisted);
    }
    let then = Arg::new(THEN).long(THEN).value_name("STEP").action(ArgAction::Append);
    let then = then.help(
        "Add a step that follows, such as \"fire fp=4 drm=-2\" or \"rally leader=8-1 if=broken\"; \
            may be repeated",
    );
    let command = if takes_steps(kind) { command.arg(then) } else { command };
    let variations = kind.variations.iter().map(|option| {
        let argument = Arg::new(option.name).long(option.name).action(ArgAction::SetTrue);
        argument.help(option.about)
    });
    let command = command.args(variations);
    let help = if kind.help.is_empty() { "" } else { &format!("{}\n\n", kind.help) };
    let help = help.to_string() + LISTS;
    // The help of `X` would replace the help of the command, which is therefore set again.
    let command = X::augment_args(command.next_help_heading(None::<&str>));
    let reckons = command.get_arguments().any(|argument| argument.get_id() == "reckon");
    let command = if reckons { with_save_options(command, kind) } else { command };
    let command = match reckons && kind.reckoned.is_empty() {
        true => command.mut_arg("reckon", |argument| argument.hide(true)),
        false => command,
    };
    command
        .about(sentence(kind.about))
        .long_about(None)
        .after_help(with_examples(&help, &examples_of(game, kind, after)))
}

impl QuestionCommand {
    fn subject(&self) -> &str {
        self.subjects.first().map_or("", String::as_str)
    }

    /// Returns whether the question is read from a file, which the subject names.
    fn is_of_file(&self) -> bool {
        let is_file = matches!(&self.subjects[..], [one] if one.ends_with(".toml"));
        self.kind.subject.is_none() || is_file
    }

    /// Returns the path of the save or of the file of the question.
    fn path(&self) -> &Path {
        Path::new(self.subject())
    }

    /// Returns what the save says of the question; `None` without one, or for several questions.
    fn of_one_save(&self, files: &FileRoot) -> Result<Option<SavedQuestion>> {
        let saved = self.saved.as_ref().map(|saved| {
            let [_] = &self.subjects[..] else { return Err(self.several_saves()) };
            saved.question(self.kind, self.path(), &self.crossed(), files)
        });
        Ok(saved.transpose()?.flatten())
    }

    fn crossed(&self) -> CrossedPlaces {
        CrossedPlaces {
            paths: self.given.texts(CrossingFields::path.name),
            is_sought: self.given.has(CrossingFields::to.name),
            defenders: self.given.texts(CrossingFields::defenders.name),
        }
    }

    fn several_saves(&self) -> Failure {
        let all = self.subjects.join(" ");
        Failure::refused("STACK", &all, "with `--from-vasl`, expected one file")
    }

    /// Returns the arguments with several values, and the form with all others filled in, first
    /// with what a save says.
    fn lists(
        &self,
        saved: Option<&SavedQuestion>,
        files: &FileRoot,
    ) -> Result<(Vec<Typed>, Box<dyn Form>)> {
        if saved.is_none() && takes_saves(self.kind) && is_save(self.path()) {
            return Err(without_option(self.path(), self.kind.name));
        }
        let mut form = match self.is_of_file() {
            true => self.file(files)?.1.form().boxed(),
            false => self.game.form(self.kind),
        };
        for step in &self.then {
            form.then(step).map_err(|fault| Failure::argument(STEP, step, fault))?;
        }
        if let Some(saved) = saved {
            fill(form.as_mut(), &saved.fields).map_err(|fault| in_save(self.path(), fault))?;
            let is_given =
                |name: &&&str| self.given.has(name) && !self.given.has(StepFields::by.name);
            if let Some(name) = saved.own.iter().find(is_given) {
                let fault = Fault::new("the Locations of `--from` differ in it", 0..0);
                let help = "write it behind the firers of each Location: `--by \"4-6-7 @ 3 | ..\"`";
                return Err(self.given.blame(name, fault.help(help)));
            }
        }
        if let Some(failure) = self.given.unquoted(&self.subjects) {
            return Err(failure);
        }
        let (mut lists, rest) = self.given.lists(form.as_ref())?;
        let rest = rest.with_text(CrossingFields::map.name, |name| {
            crossed_map(name, &self.crossed(), files)
        })?;
        let is_omitted = self.kind.omits_subject && self.subjects.is_empty();
        let is_asked = !self.is_of_file() && !is_omitted && saved.is_none();
        if let Some(subject) = self.kind.subject.as_ref().filter(|_| is_asked) {
            match self.subject_list(subject)? {
                Some(several) => lists.insert(0, several),
                None => form
                    .set(subject.name, subject.takes.value(self.subject()))
                    .map_err(|fault| self.subject_fault(subject, fault))?,
            }
        }
        rest.fill(form.as_mut())?;
        Ok((lists, form))
    }

    /// Returns the positional arguments as a list; `None` if they have one value.
    fn subject_list(&self, subject: &'static Field) -> Result<Option<Typed>> {
        let place = subject.takes.placeholder();
        let all = self.subjects.join(" ");
        let is_subject = |text: &str| is_subject(self.game, self.kind, subject, text);
        let wrong = self.subjects.iter().find(|text| !is_subject(text));
        if let (Some(wrong), Some(second)) = (wrong, self.subjects.get(1)) {
            // Quotes may be missing around a stack, or a word is misplaced; others come later.
            if is_subject(&all) || !wrong.contains('-') {
                return Err(follows(self.game, self.kind, subject, &self.name(), &all, second));
            }
        }
        if let (Takes::Number(..), [one]) = (subject.takes, &self.subjects[..]) {
            let values = split(place, one, 0, &|text| subject.takes.value(text))?;
            return Ok(values.map(|values| Typed::new(subject, place, values)));
        }
        let values = whole_values(subject, &self.subjects);
        let advice = self.together();
        Ok((values.len() > 1).then(|| Typed { advice, ..Typed::new(subject, place, values) }))
    }

    /// Returns advice to join repeated units by `+`, which users may have forgotten, if it applies.
    fn together(&self) -> Option<String> {
        let subject = self.kind.subject.as_ref()?;
        self.subjects.get(1)?;
        let together = self.subjects.join(" + ");
        let is_meant = !self.subjects.iter().any(|text| text.contains(" + "))
            && is_subject(self.game, self.kind, subject, &together);
        let advice = "write units that are together, as in one Location, as one stack";
        is_meant.then(|| format!("{advice}: \"{together}\""))
    }

    /// Adds the file name to a failure, if the question is read from a file.
    fn with_file(&self, failure: Failure) -> Failure {
        match self.is_of_file() {
            false => failure,
            true => failure.in_file(Path::new(self.subject())),
        }
    }

    /// Returns the failure for a fault of a finished form, at its argument or place in the file.
    fn blame(&self, FieldFault { field, fault }: FieldFault, files: &FileRoot) -> Failure {
        match &self.kind.subject {
            _ if self.saved.is_some() && !self.given.has(&field) => in_save(self.path(), fault),
            Some(subject) if subject.name == field && !self.is_of_file() => {
                self.subject_fault(subject, fault)
            }
            _ if self.is_of_file() && !self.given.has(&field) => match self.file(files) {
                Ok((text, file)) => {
                    let fault = file.place_fault(FieldFault { field, fault });
                    Failure::file(self.subject(), &text, fault)
                }
                Err(failure) => failure,
            },
            _ => match self.step_of(&field) {
                Some(step) => Failure::argument(STEP, step, fault.with_span(0..step.len())),
                None => self.given.blame(&field, fault),
            },
        }
    }

    /// Returns the text of the further step that a field such as `2.fp` belongs to.
    fn step_of(&self, field: &str) -> Option<&String> {
        let (number, _) = field.split_once('.')?;
        self.then.get(number.parse::<usize>().ok()?.checked_sub(2)?)
    }

    fn finished(&self, form: &dyn Form, files: &FileRoot) -> Result<Box<dyn DynQuestion>> {
        let finished = form.finish().and_then(|question| question.answerable().map(|()| question));
        finished.map_err(|error| self.blame(error, files))
    }

    fn subject_fault(&self, subject: &Field, fault: Fault) -> Failure {
        Failure::argument(subject.takes.placeholder(), self.subject(), fault)
    }

    /// Reads the file of the question. Returns its text and its question.
    fn file(&self, files: &FileRoot) -> Result<(String, PartialQuestion)> {
        let text = files.text(Path::new(self.subject()))?;
        let file = PartialQuestion::of_file(&text, self.game.form(self.kind))
            .map_err(|fault| Failure::file(self.subject(), &text, fault))?;
        Ok((text, file))
    }

    /// Returns the words of the command before its arguments.
    fn name(&self) -> String {
        let game = if self.names_game { format!("{} ", self.game.name()) } else { String::new() };
        format!("lowcrawl {game}{}", self.kind.name)
    }

    fn command(&self) -> String {
        let subject = match self.is_of_file() {
            true => format!(" {}", quoted(self.subject())),
            false => self.subjects.iter().map(|subject| format!(" \"{subject}\"")).collect(),
        };
        let policies = Some(self.policies.join(",")).filter(|names| !names.is_empty());
        let further = repeated(POLICY, policies) + &repeated(THEN, &self.then);
        let saved = self.saved.as_ref().map_or(String::new(), SaveQuery::words);
        format!("{}{subject}{saved}{}{further}", self.name(), self.given.words())
    }
}

/// Options on how to compute the answer and how to show it.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub struct AnswerArguments {
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    counts: CountArguments,
    /// With lists of values, show this number for each question: a measure, or a class such as
    /// "holds" or "mmc holds >= 2" [default: the chance of success]
    #[arg(long, value_name = "MEASURE")]
    tell: Option<String>,
    #[command(flatten)]
    side: SideArgument,
    /// Show every outcome and note, and every line of a long table
    #[arg(long)]
    all: bool,
    /// Show how the odds change with each interpretation or parameter, or with the one named; a
    /// number is also tried one lower and one higher
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = ALL)]
    impact: Option<String>,
    /// Show the reckoning of the attack alone: FP, DRM, column, Cowering, SW, each with its rule
    #[arg(long, conflicts_with_all = ["impact", "tell", "counts", "with_created", "all"])]
    reckon: bool,
}

impl AnswerArguments {
    /// Returns the first given option that shows more than one number for a question.
    fn more_than_a_number(&self, form: &dyn Form, lists: &[Typed]) -> Option<&'static str> {
        let is_joint = form.canonical(None).get(JOINT).is_some_and(|value| *value == true)
            || lists.iter().any(|list| list.is_called(JOINT));
        let impact = self.impact.as_ref().map(|_| "--impact");
        let reckon = self.reckon.then_some(RECKON);
        impact.or(self.counts.option()).or(reckon).or(is_joint.then_some("--joint"))
    }

    /// Answers a question with lists: one number for each combination of values.
    fn of_lists(
        &self,
        query: &QuestionCommand,
        lists: Vec<Typed>,
        form: Box<dyn Form>,
        files: &FileRoot,
    ) -> Result<Reply> {
        if let Some(option) = self.more_than_a_number(form.as_ref(), &lists) {
            let (message, help) = match lists.is_empty() {
                true => ("`--tell` shows one number", "remove it, or `--tell`"),
                false => (
                    "with lists of values, only one number per question is shown",
                    "give each option one value, or choose a number: `--tell \"holds >= 2\"`",
                ),
            };
            return Err(Failure::refused(option, "", message).help(help));
        }
        if lists.is_empty() {
            self.side.refuse()?;
        }
        let telling = match &self.tell {
            None => CellMeasure::Success,
            Some(text) => {
                let text = canonical_measure(text, &lists, form.as_ref());
                CellMeasure::read(&text, query.game, query.kind)
                    .map_err(|fault| Failure::argument("--tell", &text, fault))?
            }
        };
        let options = self.run.options()?;
        let tell = repeated("tell", &self.tell);
        let side = self.side.side(&[query.kind])?;
        let command = query.command() + &tell + &self.side.words() + &self.run.words(options.seed);
        let format = self.output.format()?;
        let tells_numbers = matches!(format, None | Some(Format::Json | Format::Markdown));
        let mut study = batch::study(&lists, form, telling)?.for_side(side);
        // With stratified sampling, the error of a mean number of units is unknown.
        if tells_numbers && options.stratify == 0 {
            study = study.with_usual_number(query.game, format == Some(Format::Json));
        }
        let blame = |error| query.blame(error, files);
        let mut answers = batch::answer(&study, &lists, &command, &blame, &options)
            .map_err(|failure| query.with_file(failure))?;
        let advice = lists.iter().filter_map(|list| list.advice.as_ref());
        let alone = advice.map(|advice| format!("each is a separate question; {advice}"));
        answers.meta.notes.splice(0..0, alone);
        Ok(Reply::Lists { answers, all: self.all, digits: self.output.digits() })
    }

    /// Answers a question for each Location of a save.
    fn of_save(
        &self,
        query: &QuestionCommand,
        saved: &SavedArguments,
        files: &FileRoot,
    ) -> Result<Reply> {
        let [file] = &query.subjects[..] else { return Err(query.several_saves()) };
        let others = [
            self.impact.as_ref().map(|_| "--impact"),
            self.tell.as_ref().map(|_| "--tell"),
            self.counts.option(),
            query.then.first().map(|_| STEP),
            query.policies.first().map(|_| "--policy"),
        ];
        if let Some(option) = others.into_iter().flatten().next() {
            let message = "`--from-vasl` shows one table for all Locations";
            return Err(Failure::refused(option, "", message).help("remove it"));
        }
        let options = self.run.options()?;
        let command = format!(
            "{} {}{}{}{}",
            query.name(),
            quoted(file),
            query.given.words(),
            saved.words(),
            self.run.words(options.seed)
        );
        let rally = SavedRally {
            game: query.game,
            kind: query.kind,
            file: Path::new(file),
            saved,
            given: &query.given,
            command,
            digits: self.output.digits(),
        };
        rally.reply(files, &options)
    }

    /// Compares the policies of a question.
    fn of_policies(
        &self,
        query: &QuestionCommand,
        lists: &[Typed],
        form: &dyn Form,
        files: &FileRoot,
    ) -> Result<Reply> {
        if let Some(list) = lists.first() {
            let fault = Fault::new("policies are compared for one question only", 0..0);
            return Err(list.blame(0, fault.help("give each option one value")));
        }
        if let Some(option) = self.more_than_a_number(form, lists) {
            let message = "a comparison of policies shows one number";
            return Err(Failure::refused(option, "", message).help("choose it by `--tell`"));
        }
        let course = |policy: &String| {
            let mut form = form.boxed();
            let at_fault = |fault| Failure::argument("--policy", policy, fault);
            form.set(POLICY, RawValue::Text(policy)).map_err(at_fault)?;
            let question = form.finish().map_err(|error| match error.field.as_str() {
                POLICY => at_fault(error.fault),
                _ => query.blame(error, files),
            });
            Ok((policy.clone(), question?))
        };
        let courses = query.policies.iter().map(course).collect::<Result<_>>()?;
        let options = self.run.options()?;
        let command = query.command()
            + &repeated("tell", &self.tell)
            + &self.side.words()
            + &self.run.words(options.seed);
        let side = self.side.or(query.kind.policies_of);
        let wanted = ("--tell", self.tell.as_deref(), &side);
        compare::reply((query.game, query.kind), (courses, None), wanted, command, options)
    }

    /// Compares a question with its variations.
    fn of_variations(
        &self,
        query: &QuestionCommand,
        option: &'static VariationOption,
        lists: &[Typed],
        form: &dyn Form,
        files: &FileRoot,
    ) -> Result<Reply> {
        if let Some(list) = lists.first() {
            let fault = Fault::new("variations are compared for one question only", 0..0);
            return Err(list.blame(0, fault.help("give each option one value")));
        }
        let question = query.finished(form, files)?;
        let courses = with_variations(form, question, option)
            .map_err(|fault| Failure::argument(option.name, "", fault))?;
        let options = self.run.options()?;
        let command = format!("{} --{}", query.command(), option.name)
            + &repeated("tell", &self.tell)
            + &self.side.words()
            + &self.run.words(options.seed);
        let wanted = ("--tell", self.tell.as_deref(), &self.side);
        compare::reply((query.game, query.kind), (courses, Some(option)), wanted, command, options)
    }

    /// Returns the units to count; `None` with `--impact`.
    fn counting(&self, kind: &'static Kind) -> Result<Option<Counting>> {
        match (&self.impact, self.counts.option()) {
            (Some(_), Some(option)) => {
                let message = "`--impact` compares outcome by outcome";
                let help = "remove it, or remove `--impact`";
                Err(Failure::refused(option, "", message).help(help))
            }
            (Some(_), None) => Ok(None),
            (None, _) => self.counts.counting(kind, &self.output),
        }
    }
}

/// A question with further arguments: how to answer it, or the dice of a trace.
pub struct QuestionArgs<X> {
    query: QuestionCommand,
    arguments: X,
}

impl<X: FromArgMatches> QuestionArgs<X> {
    /// Collects the arguments of a question of a kind, whose game the command line names or not.
    pub fn from_matches(
        matches: &ArgMatches,
        (game, kind, names_game): (&'static dyn Game, &'static Kind, bool),
    ) -> Result<QuestionArgs<X>> {
        let subjects = matches.get_many(kind.subject.map_or(FILE, |field| field.name));
        let mut subjects = joined(subjects.into_iter().flatten());
        let mut given = FieldArgs::from_matches(matches, options(kind));
        // Two stacks are both sides, unless one of them names both.
        let names_both = subjects.iter().any(|text| text.contains(VERSUS));
        if let Some(enemy) = kind.field(AGAINST).filter(|_| !names_both) {
            given.take_second(enemy, &mut subjects);
        }
        let policies = given.take_policies();
        let then = takes_steps(kind).then(|| matches.get_many::<String>(THEN)).flatten();
        let then = then.into_iter().flatten().cloned().collect();
        let is_given = |option: &&VariationOption| matches.get_flag(option.name);
        let variation = kind.variations.iter().find(is_given);
        let saved = SaveQuery::from_matches(matches, kind)?;
        let query = QuestionCommand {
            game,
            kind,
            names_game,
            subjects,
            then,
            policies,
            variation,
            given,
            saved,
        };
        Ok(QuestionArgs { query, arguments: X::from_arg_matches(matches)? })
    }
}

/// Returns a measure as the question of the first values names it.
fn canonical_measure(text: &str, lists: &[Typed], form: &dyn Form) -> String {
    let mut form = form.boxed();
    for list in lists {
        // A value that is refused is blamed later.
        let _ = list.values.first().map(|(owned, ..)| form.set(list.field, owned.value()));
    }
    let canonical = form.finish().map(|question| question.words().canonical_measure(text));
    canonical.unwrap_or_else(|_| text.to_string())
}

/// Returns the first given option on how to answer a question or what to show of its answer.
fn answer_option(matches: &ArgMatches) -> Option<String> {
    let is_given = |id: &str| {
        matches.ids().any(|known| known == id)
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let answers = AnswerArguments::augment_args(Command::new(""));
    let named = answers
        .get_arguments()
        .filter_map(|argument| Some((argument.get_long()?, argument.get_id().as_str())));
    let (option, _) = named.chain([(JOINT, JOINT)]).find(|(_, id)| is_given(id))?;
    Some(option.to_string())
}

impl ReplyCommand for QuestionArgs<AnswerArguments> {
    /// Answers the question, or one question for each combination of listed values.
    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        let QuestionArgs { query, arguments } = self;
        if let Some(SaveQuery::Rally(saved)) = &query.saved {
            return arguments.of_save(query, saved, files);
        }
        let saved = query.of_one_save(files)?;
        let reply = self.answer(saved.as_ref(), files)?;
        Ok(match saved {
            Some(saved) => reply.with_save(saved),
            None => reply,
        })
    }

    fn course(
        &self,
        over: &FieldArgs,
        matches: &ArgMatches,
        files: &FileRoot,
    ) -> Option<Result<CommandCourse>> {
        let QuestionArgs { query, .. } = self;
        let course = || {
            let saved = query.of_one_save(files)?;
            let (lists, mut form) = query.lists(saved.as_ref(), files)?;
            if let Some(list) = lists.first() {
                let fault = Fault::new("a course of a comparison is one question", 0..0);
                return Err(list.blame(0, fault.help("give each option one value")));
            }
            over.fill(form.as_mut())?;
            let question = form.finish().map_err(|error| query.blame(error, files))?;
            let answer_option = answer_option(matches);
            Ok(CommandCourse { game: query.game, kind: query.kind, question, answer_option })
        };
        Some(course())
    }

    fn output(&self) -> Option<&OutputArguments> {
        Some(&self.arguments.output)
    }
}

impl QuestionArgs<AnswerArguments> {
    fn answer(&self, saved: Option<&SavedQuestion>, files: &FileRoot) -> Result<Reply> {
        let QuestionArgs { query, arguments } = self;
        let (lists, form) = query.lists(saved, files)?;
        if !query.policies.is_empty() {
            return arguments.of_policies(query, &lists, form.as_ref(), files);
        }
        if let Some(option) = query.variation {
            return arguments.of_variations(query, option, &lists, form.as_ref(), files);
        }
        if !lists.is_empty() || arguments.tell.is_some() {
            return arguments.of_lists(query, lists, form, files);
        }
        arguments.side.refuse()?;
        let counts = arguments.counting(query.kind)?;
        let question = query.finished(form.as_ref(), files)?;
        let options = Options { counts, ..arguments.run.options()? };
        let looks = Looks {
            all: arguments.all,
            counts: arguments.counts.counts.is_some(),
            digits: arguments.output.digits(),
            ..Looks::default()
        };
        let mut command =
            query.command() + &arguments.counts.words() + &arguments.run.words(options.seed);
        let request = match &arguments.impact {
            None if arguments.reckon => {
                if query.kind.reckoned.is_empty() {
                    let message = nothing_reckoned(query.kind.name).message;
                    return Err(Failure::refused(RECKON, "", message).help("remove it"));
                }
                command = format!("{} {RECKON}", query.command());
                Request::Reckoning(question)
            }
            None => Request::Question(question),
            Some(which) => {
                let readings = form.readings(Some(which.as_str()).filter(|which| *which != ALL));
                let at_fault = |fault| Failure::argument("--impact", which, fault);
                command += &format!(" --impact {which}");
                Request::Impact { question, readings: readings.map_err(at_fault)? }
            }
        };
        let answer =
            ask(request, command, &options).map_err(|refused| query.with_file(refused.into()))?;
        let (title, before) = (String::new(), String::new());
        Ok(Reply::Answer { answer, looks, options, title, before })
    }
}

impl ReplyCommand for QuestionArgs<DiceArguments> {
    /// Traces one sequence. Fails if an argument has several values.
    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        let QuestionArgs { query, arguments } = self;
        let (lists, form) = query.lists(None, files)?;
        if let Some(list) = lists.first() {
            let help = query.together().unwrap_or_else(|| "give each option one value".to_string());
            let fault = Fault::new("a trace shows one question: lists are not allowed", 0..0);
            return Err(list.blame(0, fault.help(help)));
        }
        let question = query.finished(form.as_ref(), files)?;
        let dice = arguments.dice()?;
        super::trace::trace(Request::Trace { question, dice }, arguments, None)
            .map_err(|failure| query.with_file(failure))
    }
}

/// Returns the failure for an unexpected `word` among `all` words of the subject.
pub fn follows(
    game: &dyn Game,
    kind: &'static Kind,
    subject: &Field,
    command: &str,
    all: &str,
    word: &str,
) -> Failure {
    let start = all.find(word).unwrap_or(0);
    let placeholder = subject.takes.placeholder();
    let fault = Fault::new(
        format!("unexpected `{word}` after {placeholder}"),
        start..start + word.len().min(all.len() - start),
    );
    let number = word.parse::<i64>().ok().and(number_field(kind));
    let help = match (is_subject(game, kind, subject, all), number) {
        (true, _) => format!("write {placeholder} with spaces in quotes: \"{all}\""),
        (false, Some(field)) => format!("write `--{} {word}`", field.name),
        (false, None) => format!("only options can follow: `{command} --help` lists them"),
    };
    Failure::argument(placeholder, all, fault.help(help))
}

fn is_subject(game: &dyn Game, kind: &'static Kind, subject: &Field, text: &str) -> bool {
    game.form(kind).set(subject.name, subject.takes.value(text)).is_ok()
}
