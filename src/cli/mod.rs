//! The command line: parses arguments and prints answers. Each command has a module of its own.

mod article;
mod ask;
mod batch;
mod board;
mod chart;
mod compare;
pub(crate) mod fault;
mod field_args;
pub(crate) mod file_root;
mod help;
mod limits;
mod listings;
mod luck;
mod luck_report;
mod new;
pub(crate) mod output;
pub(crate) mod progress;
mod question;
mod reference;
pub(crate) mod reply;
mod rout;
mod run;
mod saved_question;
mod saved_rally;
mod seams;
mod shell_words;
mod situation_file;
mod solve;
pub(crate) mod stop;
mod suggest;
mod sweep;
mod text_files;
mod trace;
mod vasl;
mod writer;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::builder::{Styles, styling::AnsiColor};
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};

use self::board::BoardCommand;
use self::fault::{Failure, Result};
use self::listings::{Filter, PARAMETERS, UNITS};
use self::question::{AnswerArguments, QuestionArgs};
use self::reply::{ReplyCommand, WithOutput};
use self::shell_words::with_examples;
use self::sweep::StudyCommand;
use self::trace::{DiceArguments, TRACE, TracedRout};
use self::vasl::Vasl;
use self::writer::{colours_are_seen, print, written};
use crate::article::request::ParsedQuestion;
use crate::study::run_error::RunError;
use api::games;
use engine::text::{MOST_TEXT, control, plain, within};
use play::{Game, Registry};
use render::layout::{wrapped, wrapped_behind, wrapped_report};

/// Commands beside those of the kinds of questions.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is only one value of it")]
enum Fixed {
    /// Rout on a map: who must rout, where to, and the odds of every plan, from a situation file
    /// (A10.5)
    #[command(after_help = with_examples(rout::HELP, &rout::EXAMPLES))]
    Rout(rout::RoutCommand),
    /// Best play of a broken unit over several Player Turns, from a campaign file
    #[command(after_help = with_examples(solve::HELP, &solve::EXAMPLES))]
    Solve(WithOutput<solve::Solve>),
    /// Compare courses of action, with their differences and errors, from a comparison file
    #[command(after_help = with_examples(compare::HELP, &compare::EXAMPLES))]
    Compare(WithOutput<compare::Compare>),
    /// Answer one request in JSON, or one request per line; the answers are JSON too
    #[command(after_help = with_examples(ask::HELP, &ask::EXAMPLES))]
    Ask(ask::AskCommand),
    /// Build Markdown articles whose numbers, tables and figures are computed
    #[command(after_help = with_examples(article::HELP, &article::EXAMPLES))]
    Article(article::Article),
    /// Describe all systems, kinds of questions, fields, parameters, measures and units, as JSON or
    /// Markdown
    #[command(after_help = with_examples("", &listings::DESCRIBED))]
    Describe(listings::Describe),
    /// Import boards from VASL, or check the lines of sight computed for one
    #[command(subcommand, after_help = with_examples("", &board::EXAMPLES))]
    Board(BoardCommand),
    /// Compare each player's dice in VASL logs with chance
    #[command(after_help = with_examples(luck::HELP, &luck::EXAMPLES))]
    Luck(luck::LuckCommand),
    /// Show the contents of a VASL save or log: boards, scenario, units on their hexes
    #[command(subcommand, after_help = with_examples("", &vasl::EXAMPLES))]
    Vasl(Vasl),
    /// Answer a question for all combinations of values in a study file, as Parquet and CSV
    #[command(subcommand, after_help = with_examples("", &sweep::EXAMPLES))]
    Study(StudyCommand),
    /// Write a commented template, or a shipped study
    #[command(after_help = with_examples("", &new::EXAMPLES))]
    New(new::New),
    /// List all counters, or those that match
    #[command(after_help = with_examples("", &listings::COUNTERS))]
    Units(listings::UnitsCommand),
    /// List the support weapons (SW), or those that match
    #[command(after_help = with_examples("", &listings::WEAPONS))]
    Weapons(listings::WeaponsCommand),
    /// List the interpretations of the rules and their values
    #[command(after_help = with_examples("", &listings::POINTS))]
    Rules(listings::RulesCommand),
    /// Print a completion script for a shell
    #[command(after_help = with_examples("", &SHELLS))]
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print a manual page, or write the pages of all commands
    #[command(after_help = with_examples("", &help::PAGES))]
    Man(help::Man),
    /// Print the help of a command, or every key of a file: situation, campaign, compare, study,
    /// sequence
    #[command(after_help = with_examples("", &help::EXAMPLES))]
    Help(help::HelpCommand),
}

const ROUT: &str = "rout";
const ERROR: &str = "error:";
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";
const COMPLETIONS: &str = "completions";
const MAN: &str = "man";

const FIRST: &str = "Odds of morale, fire, Close Combat and rout in Advanced Squad Leader:";

/// Questions of players, each with the command that answers it.
const EXAMPLES: [(&str, &str); 3] = [
    (
        "Does a 4-6-7 under DM rally in woods, beside an 8-1?",
        "lowcrawl rally 4-6-7/dm --leader 8-1 --terrain woods",
    ),
    (
        "What does a squad with an HMG and a 9-2 do to a 4-4-7, three hexes away?",
        "lowcrawl fire russian:4-4-7 --by \"9-2 + german:4-6-7/hmg\" --range 3",
    ),
    (
        "Who is left after a Close Combat?",
        "lowcrawl cc \"8-1 + 2x german:4-6-7\" --against \"2x russian:4-4-7\"",
    ),
];

/// What to type next.
const NEXT: [(&str, &str); 4] = [
    ("lowcrawl --help", "all commands, by what they are for"),
    ("lowcrawl help rally", "the options of one of them"),
    ("lowcrawl units 4-6-7", "counters, and how they are written"),
    ("lowcrawl new --list", "files to begin with: routs, campaigns, studies, articles"),
];

/// The commands by what they are for. All others ask questions.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Maps", &[ROUT, "board"]),
    ("Decisions", &["solve", "compare"]),
    ("Sweeps", &["study"]),
    ("Files", &["new", "ask", "article", "luck", "vasl"]),
    ("Help", &["help", UNITS, "weapons", "rules", "describe", MAN, COMPLETIONS]),
];
const SHELLS: [&str; 3] = [
    "lowcrawl completions bash > lowcrawl.bash",
    "lowcrawl completions zsh > _lowcrawl",
    "lowcrawl completions fish > lowcrawl.fish",
];

/// Runs the command line of this process with the built-in games.
pub fn main() -> ExitCode {
    run(&games(), std::env::args_os())
}

/// Runs a command line with the games of a registry, and returns its exit code.
pub fn run(registry: &Registry, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    stop::listen();
    let arguments = suggest::completed(arguments.into_iter().collect());
    limits::report_refusals();
    let done = (|| {
        if arguments.len() < 2 {
            return print(first_words());
        }
        let matches = parsed(registry, &arguments, |error| shown(&arguments, &error))?;
        limits::check_threads()?;
        dispatch(registry, &matches)
    })();
    // From now on, the signal thread does not end the process.
    stop::hold_for_good();
    let stopped = stop::code();
    // A closed pipe is no failure, since its reader needs no more output.
    let failed = done.err().filter(|failure| !failure.is_closed_pipe());
    if let Some(failure) = &failed {
        // A cancelled command drops most later failures.
        let is_shown =
            stopped.is_none() || matches!(failure, Failure::Study(RunError::Interrupted { .. }));
        report(&if is_shown { failure.report() } else { stop::INTERRUPTED.to_string() });
    }
    ExitCode::from(stopped.unwrap_or(failed.map_or(0, |failure| failure.exit_code())))
}

/// Writes the report of a failure to standard error.
fn report(text: &str) {
    let text = wrapped_report(text);
    let text = match text.strip_prefix(ERROR) {
        Some(rest) if colours_are_seen(&io::stderr()) => format!("{RED}{ERROR}{PLAIN}{rest}"),
        _ => text,
    };
    // If standard error is closed or full, nothing can be reported.
    let _ = write!(io::stderr(), "{text}");
}

struct Commands<'a> {
    registry: &'a Registry,
    /// The command line, if only what it names is built in full: all options take longer to build.
    typed: Option<&'a [OsString]>,
}

impl<'a> Commands<'a> {
    fn whole(registry: &'a Registry) -> Commands<'a> {
        Commands { registry, typed: None }
    }

    /// Returns the builder for a command line. Completions and manual pages need all in full.
    fn typed(registry: &'a Registry, arguments: &'a [OsString]) -> Commands<'a> {
        let all = Commands { registry, typed: Some(arguments) };
        if all.names(COMPLETIONS) || all.names(MAN) { Commands::whole(registry) } else { all }
    }

    /// Returns whether the command `name` is built in full.
    fn names(&self, name: &str) -> bool {
        self.typed.is_none_or(|words| words.iter().any(|word| word == name))
    }

    fn all(&self) -> Command {
        let about = "Odds of morale and rout in tactical board wargames: Advanced Squad Leader, \
            and two further morale systems";
        let long = format!(
            "{about}.\n\nEvery answer is exact if possible; otherwise it has an error estimate."
        );
        let root = Command::new("lowcrawl")
            .version(env!("CARGO_PKG_VERSION"))
            .max_term_width(render::layout::WIDTH)
            .styles(Styles::plain().error(AnsiColor::Red.on_default()))
            .subcommand_required(true)
            .disable_help_subcommand(true)
            .after_help(with_examples("", &EXAMPLES.map(|(_, command)| command)))
            .subcommands(self.kinds::<AnswerArguments>(self.registry.first(), "lowcrawl"));
        // The derived code replaces the texts of the root command, so they are set afterwards.
        let root = Fixed::augment_subcommands(root).about(about).long_about(long);
        let root = root.subcommand(self.trace_command());
        let root = root.subcommands(self.registry.games().iter().map(|game| {
            let lists = self.names(game.name()).then(|| Filter::commands(*game));
            self.of_game::<AnswerArguments>(*game, "lowcrawl")
                .subcommands(lists.into_iter().flatten())
        }));
        let commands = grouped(&root);
        root.help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}Options:\n\
                {{options}}{{after-help}}"
        ))
    }

    /// Builds a command for each kind of a game, after the words `after`, with the arguments `X`.
    fn kinds<X: clap::Args>(
        &self,
        game: &'static dyn Game,
        after: &str,
    ) -> impl Iterator<Item = Command> {
        question::kinds(game).map(move |kind| match self.names(kind.name) {
            true => question::command::<X>(self.registry, game, kind, after),
            false => Command::new(kind.name).about(render::sentence(kind.about)),
        })
    }

    fn of_game<X: clap::Args>(&self, game: &'static dyn Game, after: &str) -> Command {
        if !self.names(game.name()) {
            return parent(game.name(), game.about(), &[]);
        }
        let after = format!("{after} {}", game.name());
        parent(game.name(), game.about(), &question::examples(game, &after))
            .subcommands(self.kinds::<X>(game, &after))
    }

    fn trace_command(&self) -> Command {
        let about = "Trace one sequence roll by roll, with dice, DRM and rule numbers";
        if !self.names(TRACE) {
            return parent(TRACE, about, &[]);
        }
        let after = format!("lowcrawl {TRACE}");
        let rout = <TracedRout as clap::Args>::augment_args(Command::new(ROUT))
            .about("A Rout Phase on a map, from a situation file, each unit by its best play")
            .after_help(with_examples("", &trace::EXAMPLES));
        let games = self.registry.games().iter();
        parent(TRACE, about, &question::examples(self.registry.first(), &after))
            .subcommands(self.kinds::<DiceArguments>(self.registry.first(), &after))
            .subcommand(rout)
            .subcommands(games.map(|game| self.of_game::<DiceArguments>(*game, &after)))
    }
}

/// Returns the text for somebody who types no command.
fn first_words() -> String {
    let questions = EXAMPLES.map(|(question, command)| format!("{question}\n  {command}\n\n"));
    let next = NEXT.map(|(command, what)| vec![format!("  {command}"), what.to_string()]);
    format!("{FIRST}\n\n{}{}", questions.concat(), wrapped(&next))
}

/// Lists the commands in their groups.
fn grouped(root: &Command) -> String {
    let is_question = |name: &str| GROUPS.iter().all(|(_, names)| !names.contains(&name));
    let all = root.get_subcommands().map(Command::get_name);
    let questions: Vec<&str> = all.filter(|name| is_question(name)).collect();
    let longest = root.get_subcommands().map(|command| command.get_name().len()).max();
    let indent = longest.unwrap_or_default() + 4;
    let row = |name: &&str| {
        let about = root.find_subcommand(name).and_then(Command::get_about);
        let about = about.map(ToString::to_string).unwrap_or_default();
        wrapped_behind(&format!("{:indent$}", format!("  {name}")), &" ".repeat(indent), &about)
    };
    let groups = [("Questions", &*questions)].into_iter().chain(GROUPS);
    let section = |(heading, names): (&str, &[&str])| {
        let rows = names.iter().map(row).collect::<String>();
        format!("{heading}:\n{rows}\n")
    };
    groups.map(section).collect()
}

fn parent(name: &'static str, about: &'static str, examples: &[String]) -> Command {
    let command = Command::new(name).about(about).after_help(with_examples("", examples));
    command.subcommand_required(true).arg_required_else_help(true)
}

/// Parses words as a command line; `None` if the command does more than answer a question.
fn parse_question(registry: &Registry, words: Vec<OsString>) -> Result<Option<ParsedQuestion>> {
    let matches = parsed(registry, &suggest::completed(words), |error| {
        let text = error.render().to_string();
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let message = match error.use_stderr() {
            true => plain(first),
            false => "this command asks no question".to_string(),
        };
        Failure::refused("lowcrawl", "", message)
    })?;
    let command: Option<Box<dyn ReplyCommand>> = match question(registry, &matches)? {
        Some(question) => Some(question),
        None => match Fixed::from_arg_matches(&matches).ok() {
            Some(Fixed::Rout(rout)) => Some(Box::new(rout)),
            Some(Fixed::Solve(solve)) => {
                Some(Box::new(solve.map(|solve| solve.with_parser(parse_question))))
            }
            Some(Fixed::Compare(compare)) => {
                Some(Box::new(compare.map(|compare| compare.with_parser(parse_question))))
            }
            Some(Fixed::Study(StudyCommand::Run(run))) => Some(Box::new(run)),
            Some(Fixed::Luck(luck)) => Some(Box::new(luck)),
            Some(Fixed::Vasl(Vasl::Show(show))) => Some(Box::new(show)),
            _ => None,
        },
    };
    Ok(command.map(|command| (command, matches)))
}

fn dispatch(registry: &Registry, matches: &ArgMatches) -> Result<()> {
    let Some((name, below)) = matches.subcommand() else { return Ok(()) };
    if let Some(question) = question(registry, matches)? {
        return question.run(registry);
    }
    match (game_called(registry, name), below.subcommand()) {
        (Some(game), Some((PARAMETERS, list))) => Filter::from_arg_matches(list)?.parameters(game),
        (Some(game), Some((UNITS, list))) => Filter::from_arg_matches(list)?.units(game),
        _ => fixed(registry, Fixed::from_arg_matches(matches)?),
    }
}

fn game_called(registry: &Registry, name: &str) -> Option<&'static dyn Game> {
    registry.games().iter().find(|game| game.name() == name).copied()
}

/// Returns the question to be answered or traced; `None` for other commands.
fn question(registry: &Registry, matches: &ArgMatches) -> Result<Option<Box<dyn ReplyCommand>>> {
    let (is_traced, above) = match matches.subcommand() {
        Some((TRACE, below)) => (true, below),
        _ => (false, matches),
    };
    let Some((word, below)) = above.subcommand() else { return Ok(None) };
    let named = game_called(registry, word);
    let leaf = if named.is_some() { below.subcommand() } else { Some((word, below)) };
    let Some((name, matches)) = leaf else { return Ok(None) };
    let game = named.unwrap_or(registry.first());
    let Some(kind) = question::kinds(game).find(|kind| kind.name == name) else {
        let is_rout = is_traced && word == ROUT;
        let rout = is_rout.then(|| TracedRout::from_arg_matches(matches)).transpose()?;
        return Ok(rout.map(|rout| Box::new(rout) as _));
    };
    let which = (game, kind, named.is_some());
    Ok(Some(match is_traced {
        true => Box::new(QuestionArgs::<DiceArguments>::from_matches(matches, which)?),
        false => Box::new(QuestionArgs::<AnswerArguments>::from_matches(matches, which)?),
    }))
}

fn fixed(registry: &Registry, command: Fixed) -> Result<()> {
    match command {
        Fixed::Rout(rout) => rout.run(registry),
        Fixed::Solve(solve) => solve.map(|solve| solve.with_parser(parse_question)).run(registry),
        Fixed::Compare(compare) => {
            compare.map(|compare| compare.with_parser(parse_question)).run(registry)
        }
        Fixed::Ask(ask) => ask.run(registry),
        Fixed::Article(article) => article.run(registry, parse_question),
        Fixed::Describe(describe) => describe.run(registry),
        Fixed::Board(BoardCommand::Check(check)) => check.run(registry),
        Fixed::Board(BoardCommand::Import(import)) => import.run(),
        Fixed::Luck(luck) => luck.run(registry),
        Fixed::Vasl(Vasl::Show(show)) => show.run(registry),
        Fixed::Study(StudyCommand::Run(run)) => run.run(registry),
        Fixed::Study(StudyCommand::Verify(verify)) => verify.run(registry),
        Fixed::Study(StudyCommand::Plan(plan)) => plan.run(registry),
        Fixed::Study(StudyCommand::Status(status)) => status.run(registry),
        Fixed::Study(StudyCommand::Merge(merge)) => merge.run(registry),
        Fixed::New(new) => new.run(),
        Fixed::Units(units) => units.run(),
        Fixed::Weapons(weapons) => weapons.run(),
        Fixed::Rules(rules) => rules.run(),
        Fixed::Completions { shell } => {
            let mut script = Vec::new();
            let mut whole = help::with_topics(Commands::whole(registry).all());
            clap_complete::generate(shell, &mut whole, "lowcrawl", &mut script);
            print(script)
        }
        Fixed::Man(man) => man.run(Commands::whole(registry).all()),
        Fixed::Help(help) => help.run(registry, |words| Commands::typed(registry, words).all()),
    }
}

/// Parses a command line. An unknown word gets a suggestion; `other` converts other errors.
fn parsed(
    registry: &Registry,
    words: &[OsString],
    other: impl FnOnce(clap::Error) -> Failure,
) -> Result<ArgMatches> {
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
    within("a word of the command line", longest, MOST_TEXT)
        .map_err(|fault| Failure::argument("lowcrawl", "", fault))?;
    Commands::typed(registry, words).all().try_get_matches_from(words).map_err(|error| {
        let whole = Commands::whole(registry).all();
        suggest::better_advice(registry, &whole, words, &error).unwrap_or_else(|| other(error))
    })
}

/// Prints a text of clap and ends the process; returns only the failure of the print.
fn shown(words: &[OsString], error: &clap::Error) -> Failure {
    let is_unsafe = words.iter().any(|word| control(&word.to_string_lossy()).is_some());
    if is_unsafe || error.use_stderr() {
        let message = error.render().to_string();
        let message: Vec<String> = message.lines().map(plain).collect();
        report(&message.join("\n"));
    } else if let Err(failure) = written(error.print()) {
        // Help and version go to standard output, so a failed write is reported.
        return failure;
    }
    std::process::exit(error.exit_code())
}

#[cfg(test)]
mod tests {
    #[test]
    fn command_line_is_well_formed() {
        super::Commands::whole(&api::games()).all().debug_assert();
    }
}
