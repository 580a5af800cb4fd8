//! The `help` command: the help of a command, or every key of a file. It also appends the examples
//! to each help text.

use std::ffi::OsString;
use std::iter::repeat;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};

use super::fault::Failure;
use super::question::settings;
use super::{Commands, parsed, reference};
use api::reference::{files, of_file};
use engine::text::Fault;
use system::{Game, Registry};

pub const EXAMPLES: [&str; 3] =
    ["lowcrawl help rally", "lowcrawl help situation", "lowcrawl help fortitude sequence"];

/// Arguments of `help`.
#[derive(Debug, Args)]
pub struct HelpCommand {
    /// A command, or a file: situation, campaign, compare, study, sequence; of another morale
    /// system after its name
    topic: Vec<String>,
}

/// Returns the end of a help text: how the input is written, then the examples.
pub fn with_examples(help: &str, examples: &[impl AsRef<str>]) -> String {
    let lines = examples.iter().map(|line| format!("\n  {}", line.as_ref())).collect::<String>();
    match (help, examples.is_empty()) {
        (help, true) => help.to_string(),
        ("", false) => format!("Examples:{lines}"),
        (help, false) => format!("{help}\n\nExamples:{lines}"),
    }
}

/// Adds the topics of `help` and `man` as possible values, for shell completion.
pub fn with_topics(whole: Command) -> Command {
    let names = |whole: &Command, others: Vec<&str>| -> Vec<&'static str> {
        let commands = whole.get_subcommands().map(Command::get_name);
        let others = others.into_iter().filter(|other| whole.find_subcommand(other).is_none());
        // The names must be static. This runs once, and the process then ends.
        commands.chain(others).map(|name| &*name.to_string().leak()).collect()
    };
    let (topics, pages) = (names(&whole, files()), names(&whole, Vec::new()));
    let with_values = |command: Command, argument: &'static str, words: Vec<&'static str>| {
        command
            .mut_arg(argument, |argument| argument.value_parser(PossibleValuesParser::new(words)))
    };
    whole
        .mut_subcommand("help", |help| with_values(help, "topic", topics))
        .mut_subcommand("man", |man| with_values(man, "command", pages))
}

impl HelpCommand {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let topic: Vec<&str> = self.topic.iter().map(String::as_str).collect();
        let game = |name: &str| registry.games().iter().find(|game| game.name() == name).copied();
        match topic[..] {
            [file] if files().contains(&file) => of_files(registry, registry.first(), file),
            [system, file] if let Some(game) = game(system).filter(|_| files().contains(&file)) => {
                of_files(registry, game, file)
            }
            _ => self.of_command(registry),
        }
    }

    /// Prints the help of a command through clap.
    fn of_command(&self, registry: &Registry) -> Result<(), Failure> {
        let topic: Vec<OsString> = self.topic.iter().map(OsString::from).collect();
        let whole = Commands::typed(registry, &topic).all();
        named(&whole, &self.topic, "TOPIC", &files())?;
        let help = ["lowcrawl".into()].into_iter().chain(topic).chain(["--help".into()]);
        parsed(registry, whole, help.collect()).map(drop)
    }
}

/// Returns the command that `words` name. `others` are further names that the first word could have
/// had, for suggestions.
///
/// # Errors
///
/// Fails if a word names no command.
pub fn named<'a>(
    whole: &'a Command,
    words: &[String],
    place: &str,
    others: &[&str],
) -> Result<&'a Command, Failure> {
    words.iter().zip([others].into_iter().chain(repeat(&[][..]))).try_fold(
        whole,
        |command, (word, others)| {
            let unknown = || {
                let names = command.get_subcommands().map(Command::get_name).chain(
                    others.iter().copied().filter(|other| command.find_subcommand(other).is_none()),
                );
                let fault = Fault::new(
                    format!("`{}` has no command `{word}`", command.get_name()),
                    0..word.len(),
                );
                let fault = if command.has_subcommands() {
                    fault.expecting(word, names)
                } else {
                    fault.help("remove it")
                };
                Failure::argument(place, word, fault)
            };
            command.find_subcommand(word).ok_or_else(unknown)
        },
    )
}

/// Prints the reference of a file.
fn of_files(registry: &Registry, game: &'static dyn Game, file: &str) -> Result<(), Failure> {
    let parts = of_file(registry, game, file);
    if parts.is_empty() {
        let fault =
            Fault::new(format!("`{}` has no file of this kind", game.name()), 0..file.len());
        let others = files()
            .into_iter()
            .filter(|name| !of_file(registry, game, name).is_empty())
            .collect::<Vec<_>>();
        return Err(Failure::argument(
            "TOPIC",
            file,
            fault.help(format!("it has: {}", others.join(", "))),
        ));
    }
    let rules = format!(
        "The points of the rules are fields too: `{}` lists them.",
        settings(registry, game)
    );
    super::print(format!("{}\n{rules}\n", reference::text(&parts)))
}
