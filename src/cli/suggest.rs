//! Command lines that clap does not accept. A missing word is added if only one is possible; other
//! faults get a suggestion.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::fault::Failure;
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

/// Returns a failure with better advice than that of clap, which knows only names; `None` if there
/// is no better advice. `whole` is the command line with all commands.
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
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| word.to_string_lossy().to_string()).collect();
    let path = path(whole, &words);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let word = context(ContextKind::InvalidArg)?;
            match word.strip_prefix("--") {
                Some(name) => {
                    let name = name.split('=').next().unwrap_or_default();
                    Some(no_option(registry, whole, path, &words, name))
                }
                None if word.starts_with('-') => None,
                None => too_much(registry, path, &words, word),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let word = context(ContextKind::InvalidSubcommand)?;
            let is_stack = path.is_empty() && StackNotation::parse(word).is_ok();
            if !is_stack {
                let words = [path, &[word.to_string()]].concat();
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
) -> Result<&'a Command, Failure> {
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

/// Returns the leading words of the command line that name a command and its subcommands.
fn path<'a>(whole: &Command, words: &'a [String]) -> &'a [String] {
    let (mut command, mut deep) = (whole, 0);
    while let Some(below) = words.get(deep).and_then(|word| command.find_subcommand(word)) {
        (command, deep) = (below, deep + 1);
    }
    &words[..deep]
}

/// Returns the kind of question that a command asks; `None` for other commands.
fn kind_of(registry: &Registry, path: &[String]) -> Option<&'static Kind> {
    let path: Vec<&str> = path.iter().map(String::as_str).filter(|word| *word != TRACE).collect();
    let (game, kind) = match path[..] {
        [kind] => (registry.first(), kind),
        [game, kind] => (registry.game(game).ok()?, kind),
        _ => return None,
    };
    question::kinds(game).find(|known| known.name == kind)
}

fn no_option(
    registry: &Registry,
    whole: &Command,
    path: &[String],
    words: &[String],
    name: &str,
) -> Failure {
    let option = format!("--{name}");
    let fault = Fault::new(format!("`{}` has no option `{option}`", typed(path)), 0..0);
    let of_kind = || {
        let place = words.iter().position(|word| word.split('=').next() == Some(&option))?;
        let value = words[place].split_once('=').map(|(_, value)| value);
        let value = value.or(words.get(place + 1).map(String::as_str)).unwrap_or_default();
        let kind = kind_of(registry, path)?;
        registry.form(kind).instead(&canonical(name), RawValue::Text(value))
    };
    let own: Vec<String> = options(command_at(whole, path)).collect();
    let all: Vec<String> = whole.get_subcommands().flat_map(options).collect();
    let others = having(whole, path, name);
    let fault = match (of_kind(), others.is_empty()) {
        (Some(help), _) => fault.help(help),
        (None, false) => {
            let near = nearest_of(name, &own)
                .map_or(String::new(), |near| format!("; did you mean `--{near}`?"));
            fault.help(format!("it belongs to {}{near}", others.join(", ")))
        }
        (None, true) => match (nearest_of(name, &own), nearest_of(name, &all)) {
            (Some(near), _) => fault.help(format!("did you mean `--{near}`?")),
            (None, Some(near)) => {
                let others = having(whole, path, near).join(", ");
                fault.help(format!("did you mean `--{near}`? It belongs to {others}"))
            }
            (None, None) => {
                let own: Vec<String> = own.iter().map(|name| format!("--{name}")).collect();
                fault.help(format!("valid options: {}", own.join(", ")))
            }
        },
    };
    Failure::argument(&option, "", fault)
}

fn nearest_of<'a>(name: &str, options: &'a [String]) -> Option<&'a str> {
    nearest(name, options.iter().map(String::as_str))
}

fn typed(path: &[String]) -> String {
    ["lowcrawl"].into_iter().chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

fn options(command: &Command) -> impl Iterator<Item = String> {
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    shown.filter_map(Arg::get_long).map(str::to_string)
}

/// Returns the commands with the option `name`, of the level nearest to the command `path`.
fn having(whole: &Command, path: &[String], name: &str) -> Vec<String> {
    let has_it = |command: &&Command| options(command).any(|option| option == name);
    let mut levels = (0..path.len().max(1)).rev().map(|deep| {
        let above = &path[..deep];
        let names =
            command_at(whole, above).get_subcommands().filter(has_it).map(Command::get_name);
        names.map(|name| format!("`{} {name}`", typed(above))).collect::<Vec<_>>()
    });
    levels.find(|commands| !commands.is_empty()).unwrap_or_default()
}

/// Returns the failure for a word after all arguments; `None` if the command asks no question. A
/// stack with blanks may lack its quotes.
fn too_much(registry: &Registry, path: &[String], words: &[String], word: &str) -> Option<Failure> {
    let kind = kind_of(registry, path)?;
    let subject = kind.subject?;
    let begin = words[path.len()..].iter().position(|word| !word.starts_with("--"))? + path.len();
    let stack = words[begin..].iter().take_while(|word| !word.starts_with("--"));
    let stack = stack.map(String::as_str).collect::<Vec<_>>().join(" ");
    Some(question::follows(registry.game_of(kind), kind, &subject, &typed(path), &stack, word))
}
