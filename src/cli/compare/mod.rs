//! The `compare` command: compares courses of action by value, with errors of the differences.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command};

use super::fault::{Failure, Result};
use super::field_args::{FieldArgs, OverrideArgs};
use super::file_root::FileRoot;
use super::progress::ask;
use super::reply::{CommandCourse, Reply, ReplyCommand, WithOutput};
use super::run::{PlainRunArguments, SideArgument};
use super::shell_words::{quoted, repeated};
use crate::article::request::{QuestionParser, words};
use answer::options::DEFAULT_SEED;
use answer::{Engine, Options, Trials};
use api::Request;
use api::request::Comparison;
use play::files::courses::{COURSES, Course};
use play::variations::NamedQuestion;
use play::{Courses, DynQuestion, Game, Objective, Registry};
use schema::field::single_spaced;
use schema::{Kind, VariationOption};

pub const HELP: &str = "\
A comparison file has the fields that all courses share, the fields of each course, and an \
objective:
  question = \"rally\"           # or fire, check, interdict, campaign, or sequence
                               # with [[step]] as in a sequence file
  objective = \"good-order\"     # or good-order-squads, survives, squad-equivalents, cvp;
                               # or weights of them: { good-order-squads = 1.0, cvp = -0.25 };
                               # or a count of units: \"mmc holds\", \"mmc holds >= 2\"
  [base]                       # the options of `lowcrawl rally`
  stack = \"german:4-6-7/dm\"
  [[course]]
  name = \"a 9-2 in the open\"
  leader = \"9-2\"
  [[course]]
  name = \"an 8-0 in woods\"
  leader = \"8-0\"
  terrain = \"woods\"
  [run]                        # engine, trials or precision, seed
A course of a sequence changes fields of its steps (2.fp = 8), or has its own as [[course.step]]. \
The objective is evaluated after the last phase or step. Differences are to the first course. With \
Monte Carlo all courses use the same dice. Options given here apply to every course. In a \
campaign, a rally or a sequence a course may name its `policy`: `lowcrawl help compare` lists \
them, and every key; `best` is the best play for the objective.
A file of another morale system names it at the top (system = \"NAME\"). Its questions and fields \
are those of its commands.
An unknown objective or policy lists the known ones.";

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl compare \"fire 4-6-7 --fp 16\" \"fire 4-6-7 --fp 8 --then 'fire fp=8'\" --for firer",
    "lowcrawl new compare --out compare.toml",
    "lowcrawl compare compare.toml",
];

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// Comparison file (TOML), or two or more questions, each as a command line in quotes
    #[arg(required = true, value_name = "FILE|COMMAND")]
    courses: Vec<PathBuf>,
    /// Objective: a measure, or a count of units such as "breaks >= 1" [default: from the file, or
    /// the first measure]
    #[arg(long, value_name = "MEASURE")]
    objective: Option<String>,
    #[command(flatten)]
    side: SideArgument,
    #[command(flatten)]
    over: OverrideArgs,
    #[command(flatten)]
    run: PlainRunArguments,
    #[arg(skip)]
    parser: Option<QuestionParser>,
}

/// A game with the kind of question that is compared.
type Compared = (&'static dyn Game, &'static Kind);

/// The option and the text of an objective, if given, and the side.
type Wanted<'a> = (&'a str, Option<&'a str>, &'a SideArgument);

/// Compares questions, or a question with its variations behind it. Without an objective, it is the
/// usual one, or the first measure of the game.
pub fn reply(
    (game, kind): Compared,
    (courses, variations): (Vec<NamedQuestion>, Option<&'static VariationOption>),
    (option, text, side): Wanted,
    command: String,
    options: Options<'static>,
) -> Result<Reply> {
    let questions: Vec<&dyn DynQuestion> =
        courses.iter().map(|(_, question)| &**question).collect();
    let objective = objective((game, kind), &questions, (option, text, side))?;
    let request = Request::Compare(Comparison { about: None, courses, objective, variations });
    Ok(Reply::plain(ask(request, command, &options)?, options))
}

/// Returns the objective of questions. Without one, it is the usual measure of the first, or the
/// first of the game.
pub fn objective(
    (game, kind): Compared,
    questions: &[&dyn DynQuestion],
    (option, text, side): Wanted,
) -> Result<Objective> {
    let words = questions.first().map(|question| question.words());
    let text = words.and_then(|words| match text {
        Some(text) => Some(words.canonical_measure(text)),
        None => words.usual_measure(),
    });
    let text = &*text.unwrap_or_else(|| game.measures()[0].name.to_string());
    let read = Objective::read(text, game.measures(), &[kind]).and_then(|objective| {
        questions.iter().try_for_each(|question| objective.check(question.words()))?;
        objective.check_kind(kind, 0..text.len())?;
        Ok(objective)
    });
    let objective = read.map_err(|fault| Failure::argument(option, text, fault))?;
    side.over(objective, &[kind])
}

/// Reads a question that is written as a command line, with the fields `over` set too. An option on
/// how to answer or what to show is refused with the help of `instead`.
pub fn question_in_line(
    (parser, line): (Option<QuestionParser>, &str),
    over: &FieldArgs,
    (registry, files): (&Registry, &FileRoot),
    instead: impl Fn(&str, &ArgMatches) -> String,
) -> Result<CommandCourse> {
    let no_question = || {
        let help = "write a question without `lowcrawl`, such as \"fire 4-6-7 --fp 16\"";
        Failure::refused(COMMAND, line, "expected a question").help(help)
    };
    let parse = parser.ok_or_else(no_question)?;
    let words = words(line).map_err(|fault| Failure::argument(COMMAND, line, fault))?;
    let all = ["lowcrawl".to_string()].into_iter().chain(words);
    let parsed = parse(registry, all.map(OsString::from).collect())?;
    let (command, matches) = parsed.ok_or_else(no_question)?;
    let mut matches = &matches;
    while let Some((_, below)) = matches.subcommand() {
        matches = below;
    }
    let course = command.course(over, matches, files).ok_or_else(no_question)?;
    let course = course.map_err(|failure| failure.in_course(line))?;
    match &course.answer_option {
        None => Ok(course),
        Some(option) => {
            let message = format!("`--{option}` is not an option of a course");
            Err(Failure::refused(COMMAND, line, message).help(instead(option, matches)))
        }
    }
}

impl Compare {
    /// Sets the parser of command lines, which a comparison of several needs.
    pub fn with_parser(self, parser: QuestionParser) -> Compare {
        Compare { parser: Some(parser), ..self }
    }

    /// Compares the questions that the arguments ask as command lines.
    fn of_lines(&self, registry: &Registry, files: &FileRoot) -> Result<Reply> {
        let lines: Vec<String> =
            self.courses.iter().map(|line| single_spaced(&line.to_string_lossy())).collect();
        if !COURSES.contains(&lines.len()) {
            let (fewest, most) = COURSES.into_inner();
            let message = format!("expected {fewest} to {most} questions, not {}", lines.len());
            let help = "lowcrawl compare \"fire 4-6-7 --fp 16\" \"fire 4-6-7 --fp 8\"";
            return Err(Failure::refused(COMMAND, &lines[0], message).help(help));
        }
        let is_file = |line: &&String| {
            Path::new(line).exists() || !line.contains(' ') && line.ends_with(".toml")
        };
        if let Some(file) = lines.iter().find(is_file) {
            let failure =
                Failure::refused(COMMAND, file, "a file cannot be one of several courses");
            let help = "write its question as a command line, or all courses in one file";
            return Err(failure.help(help));
        }
        let mut courses = Vec::new();
        let mut first: Option<Compared> = None;
        for (line, name) in lines.iter().zip(names(&lines)) {
            let parsed = (self.parser, &**line);
            let CommandCourse { game, kind, question, .. } =
                question_in_line(parsed, &self.over.given, (registry, files), instead_of)?;
            let (of, other) = *first.get_or_insert((game, kind));
            let classes = |kind: &Kind| kind.classes.iter().map(|class| class.statuses);
            if of.name() != game.name() || !classes(kind).eq(classes(other)) {
                let message =
                    format!("a `{}` cannot be compared with a `{}`", kind.name, other.name);
                let help = "compare questions with the same outcomes";
                return Err(Failure::refused(COMMAND, line, message).help(help));
            }
            if courses.iter().any(|(known, _)| *known == name) {
                let failure = Failure::refused(COMMAND, line, "this question is given twice");
                return Err(failure.help("change one of them"));
            }
            courses.push((name, question));
        }
        let options = self.run.over((Engine::Auto, Trials::Usual, DEFAULT_SEED))?;
        let quoted = |line: &String| match line.contains('"') {
            true => format!(" '{line}'"),
            false => format!(" \"{line}\""),
        };
        let lines: String = lines.iter().map(quoted).collect();
        let over = self.goal() + &self.over.given.words() + &self.run.words(options.seed);
        let command = format!("lowcrawl compare{lines}{over}");
        let wanted = ("--objective", self.objective.as_deref(), &self.side);
        match first {
            Some(kind) => reply(kind, (courses, None), wanted, command, options),
            None => unreachable!("there are two courses or more"),
        }
    }

    fn goal(&self) -> String {
        repeated("objective", &self.objective) + &self.side.words()
    }
}

const COMMAND: &str = "COMMAND";

/// Returns whether an argument is a question as a command line, not a file.
pub fn is_line(argument: &Path) -> bool {
    let text = argument.to_string_lossy();
    let has_words = text.contains(' ') && !text.ends_with(".toml");
    (has_words || text.contains(" --")) && !argument.exists()
}

/// Returns what to do with an option on how to answer or what to show, which no course has.
fn instead_of(option: &str, matches: &ArgMatches) -> String {
    let own = WithOutput::<Compare>::augment_args(Command::new(""));
    match own.get_arguments().any(|argument| argument.get_long() == Some(option)) {
        true => "give it to `compare`, after the courses".to_string(),
        false if option == TELL => {
            let measure = matches.get_one::<String>(TELL).map_or("MEASURE", String::as_str);
            format!("give `compare` the objective: `--objective {}`", quoted(measure))
        }
        false => "remove it: a comparison shows one number for each course".to_string(),
    }
}

/// The option of a question for the measure in its table.
const TELL: &str = "tell";

/// Returns the names of courses: their command lines without the words that all begin with.
fn names(lines: &[String]) -> impl Iterator<Item = String> {
    let split = |line: &String| line.split(' ').map(str::to_string).collect::<Vec<_>>();
    let words: Vec<Vec<String>> = lines.iter().map(split).collect();
    let shortest = words.iter().map(Vec::len).min().unwrap_or(0);
    let is_common = |place: &usize| words.iter().all(|line| line[*place] == words[0][*place]);
    let common = (0..shortest).take_while(is_common).count();
    // A name begins with an option, and none is empty.
    let is_option = |place: &usize| words.iter().all(|line| line[*place].starts_with('-'));
    let begin = (0..=common).rev().filter(|place| *place < shortest).find(is_option).unwrap_or(0);
    words.into_iter().map(move |line| line[begin..].join(" "))
}

impl ReplyCommand for Compare {
    fn reply(&self, registry: &Registry, files: &FileRoot) -> Result<Reply> {
        let path = self.courses[0].display().to_string();
        if self.courses.len() > 1 || is_line(&self.courses[0]) {
            return self.of_lines(registry, files);
        }
        let text = files.text(&self.courses[0])?;
        let in_file = |fault| Failure::file(&path, &text, fault);
        let mut file = Courses::parse(&text, true, registry).map_err(in_file)?;
        if let Some(text) = &self.objective {
            let at_fault = |fault| Failure::argument("--objective", text, fault);
            file = file.with_objective(text).map_err(at_fault)?;
        }
        let given = &self.over.given;
        let finished = |course: &Course| {
            let mut form = course.question.form().boxed();
            given.fill(form.as_mut())?;
            Ok((course.name.clone(), file.finish(course, form.as_ref()).map_err(in_file)?))
        };
        let courses = match file.variations {
            Some(option) => {
                let mut form = file.shared.form().boxed();
                given.fill(form.as_mut())?;
                file.varied(form.as_ref(), option).map_err(in_file)?
            }
            None => file.courses.iter().map(finished).collect::<Result<_>>()?,
        };
        let options = self.run.over(file.engine_request)?;
        let objective = self.side.over(file.objective.clone(), &[file.kind])?;
        let about = file.about.clone();
        let variations = file.variations;
        let request = Request::Compare(Comparison { about, courses, objective, variations });
        let (place, run) = (quoted(&path), self.run.words(options.seed));
        let command = format!("lowcrawl compare {place}{}{}{run}", self.goal(), given.words());
        let answer = ask(request, command, &options)
            .map_err(|refused| Failure::from(refused).in_file(&self.courses[0]))?;
        Ok(Reply::plain(answer, options))
    }
}
