//! Command lines that clap refuses: the only possible word is added, or a suggestion is made.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::fault::{Failure, Result};
use super::question;
use super::trace::TRACE;
use asl::notation::StackNotation;
use engine::text::{Fault, canonical, nearest};
use play::Registry;
use schema::{Kind, RawValue};

/// Adds a missing word to a command line: `study FILE` becomes `study run FILE`.
pub fn completed(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_file = |word: &OsString| {
        let path = Path::new(word);
        path.extension().is_some_and(|ending| ending == "toml") || path.is_file()
    };
    if arguments.get(1).is_some_and(|word| word == "study") && arguments.get(2).is_some_and(is_file)
    {
        arguments.insert(2, "run".into());
    }
    arguments
}

/// Returns a failure with better advice than that of clap, which knows only names, if any.
pub fn better_advice(
    registry: &Registry,
    whole: &Command,
    arguments: &[OsString],
    error: &clap::Error,
) -> Option<Failure> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let words = arguments.iter().skip(1).map(|word| word.to_string_lossy().to_string());
    let line = CommandLine::new(registry, whole, words.collect());
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let word = context(ContextKind::InvalidArg)?;
            match word.strip_prefix("--") {
                Some(name) => Some(line.no_option(name.split('=').next().unwrap_or_default())),
                None if word.starts_with('-') => None,
                None => line.too_much(word),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let word = context(ContextKind::InvalidSubcommand)?;
            let is_stack = line.path().is_empty() && StackNotation::parse(word).is_ok();
            if !is_stack {
                let words = [line.path(), &[word.to_string()]].concat();
                return named(whole, &words, "COMMAND", &[]).err();
            }
            let kinds = question::kinds(registry.first()).filter(|kind| kind.subject.is_some());
            let names: Vec<String> = kinds.map(|kind| format!("`{}`", kind.name)).collect();
            let message = format!("`{word}` is a stack: write a command before it");
            Some(Failure::refused("COMMAND", word, message).help(names.join(", ")))
        }
        _ => None,
    }
}

/// Returns the command that `words` name; `others` are further names for the first word.
pub fn named<'a>(
    whole: &'a Command,
    words: &[String],
    place: &str,
    others: &[&str],
) -> Result<&'a Command> {
    let mut command = whole;
    for (deep, word) in words.iter().enumerate() {
        command = command.find_subcommand(word).ok_or_else(|| {
            let message = format!("`{}` has no command `{word}`", command.get_name());
            let fault = Fault::new(message, 0..word.len());
            let others = others.iter().copied().filter(|_| deep == 0);
            let others = others.filter(|other| command.find_subcommand(other).is_none());
            let names = command.get_subcommands().map(Command::get_name).chain(others);
            let fault = match command.has_subcommands() {
                true => fault.expecting(word, names),
                false => fault.help("remove it"),
            };
            Failure::argument(place, word, fault)
        })?;
    }
    Ok(command)
}

fn command_at<'a>(whole: &'a Command, path: &[String]) -> &'a Command {
    path.iter().fold(whole, |command, word| command.find_subcommand(word).unwrap_or(command))
}

struct CommandLine<'a> {
    registry: &'a Registry,
    whole: &'a Command,
    words: Vec<String>,
    /// The number of leading words that name a command and its subcommands.
    depth: usize,
}

impl<'a> CommandLine<'a> {
    fn new(registry: &'a Registry, whole: &'a Command, words: Vec<String>) -> CommandLine<'a> {
        let (mut command, mut depth) = (whole, 0);
        while let Some(below) = words.get(depth).and_then(|word| command.find_subcommand(word)) {
            (command, depth) = (below, depth + 1);
        }
        CommandLine { registry, whole, words, depth }
    }

    fn path(&self) -> &[String] {
        &self.words[..self.depth]
    }

    /// Returns the kind of question that the command asks; `None` for other commands.
    fn kind(&self) -> Option<&'static Kind> {
        let path = self.path().iter().map(String::as_str).filter(|word| *word != TRACE);
        let (game, kind) = match path.collect::<Vec<_>>()[..] {
            [kind] => (self.registry.first(), kind),
            [game, kind] => (self.registry.game(game).ok()?, kind),
            _ => return None,
        };
        question::kinds(game).find(|known| known.name == kind)
    }

    fn no_option(&self, name: &str) -> Failure {
        let option = format!("--{name}");
        let message = format!("`{}` has no option `{option}`", typed(self.path()));
        let of_kind = || {
            let is_it = |word: &String| word.split('=').next() == Some(&option);
            let mut words = self.words.iter().skip_while(|word| !is_it(word)).map(String::as_str);
            let value = words.next()?.split_once('=').map(|(_, value)| value);
            let value = value.or(words.next()).unwrap_or_default();
            self.registry.form(self.kind()?).instead(&canonical(name), RawValue::Text(value))
        };
        let own: Vec<&str> = options(command_at(self.whole, self.path())).collect();
        let all = self.whole.get_subcommands().flat_map(options);
        let near = nearest(name, own.iter().copied());
        let near = near.map(|near| format!("did you mean `--{near}`?"));
        let others = self.having(name).join(", ");
        let refused = Failure::refused(&option, "", message);
        match (of_kind(), &others[..], near, nearest(name, all)) {
            (Some(help), ..) => refused.help(help),
            (_, "", Some(near), _) => refused.help(near),
            (_, "", None, Some(near)) => {
                let others = self.having(near).join(", ");
                refused.help(format!("did you mean `--{near}`? It belongs to {others}"))
            }
            (_, "", None, None) => {
                let own: Vec<String> = own.iter().map(|name| format!("--{name}")).collect();
                refused.help(format!("valid options: {}", own.join(", ")))
            }
            (_, others, near, _) => {
                let near = near.map_or(String::new(), |near| format!("; {near}"));
                refused.help(format!("it belongs to {others}{near}"))
            }
        }
    }

    /// Returns the commands with the option `name`, of the level nearest to the command.
    fn having(&self, name: &str) -> Vec<String> {
        let has_it = |command: &&Command| options(command).any(|option| option == name);
        let mut levels = (0..self.depth.max(1)).rev().map(|deep| {
            let above = &self.words[..deep];
            let commands = command_at(self.whole, above).get_subcommands().filter(has_it);
            let named =
                commands.map(|command| format!("`{} {}`", typed(above), command.get_name()));
            named.collect::<Vec<_>>()
        });
        levels.find(|commands| !commands.is_empty()).unwrap_or_default()
    }

    /// Returns the failure for a word after all arguments of a question. Quotes may be missing.
    fn too_much(&self, word: &str) -> Option<Failure> {
        let kind = self.kind()?;
        let subject = kind.subject?;
        let given = self.words[self.depth..].iter().skip_while(|word| word.starts_with("--"));
        let stack = given.take_while(|word| !word.starts_with("--")).map(String::as_str);
        let stack = stack.collect::<Vec<_>>().join(" ");
        let game = self.registry.game_of(kind);
        Some(question::follows(game, kind, &subject, &typed(self.path()), &stack, word))
    }
}

fn typed(path: &[String]) -> String {
    ["lowcrawl"].into_iter().chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

fn options(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(Arg::get_long)
}
