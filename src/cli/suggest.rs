//! Command lines that clap does not accept. A missing word is added if only one is possible; other
//! faults get a suggestion.

use std::ffi::OsString;
use std::iter::repeat;
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
            let mut named_words = path.to_vec();
            named_words.push(word.to_string());
            let fault = || {
                let fault = Fault::new(
                    format!("`{word}` is a stack: write a command before it"),
                    0..word.len(),
                );
                let kinds = question::kinds(registry.first()).filter(|kind| kind.subject.is_some());
                let names: Vec<String> = kinds.map(|kind| format!("`{}`", kind.name)).collect();
                Failure::argument("COMMAND", word, fault.help(names.join(", ")))
            };
            let is_stack = path.is_empty() && StackNotation::parse(word).is_ok();
            is_stack.then(fault).or_else(|| named(whole, &named_words, "COMMAND", &[]).err())
        }
        _ => None,
    }
}

/// Returns the command that `words` name. `others` are further names to suggest for the first word.
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
    let command =
        path.iter().fold(whole, |command, word| command.find_subcommand(word).unwrap_or(command));
    let fault = Fault::new(format!("`{}` has no option `{option}`", typed(path)), 0..0);
    let of_kind = || {
        let place = words.iter().position(|word| word.split('=').next() == Some(&option))?;
        let value = words[place].split_once('=').map(|(_, value)| value);
        let value = value.or(words.get(place + 1).map(String::as_str)).unwrap_or_default();
        let kind = kind_of(registry, path)?;
        registry.form(kind).instead(&canonical(name), RawValue::Text(value))
    };
    let own: Vec<String> = options(command).collect();
    let all: Vec<String> = whole.get_subcommands().flat_map(options).collect();
    let others = having(whole, path, name);
    let fault = match (of_kind(), others.is_empty()) {
        (Some(help), _) => fault.help(help),
        (None, false) => {
            let near = nearest_of(name, &own).map(|near| format!("; did you mean `--{near}`?"));
            let near = near.unwrap_or_default();
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

/// Returns the commands that have the option `name`: siblings of the command `path`, or if none has
/// it, those one level above, and so on.
fn having(whole: &Command, path: &[String], name: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for deep in (0..path.len().max(1)).rev() {
        let above = &path[..deep];
        let parent = above
            .iter()
            .fold(whole, |command, word| command.find_subcommand(word).unwrap_or(command));
        let of = |command: &Command| options(command).any(|option| option == name);
        let names = parent.get_subcommands().filter(|command| of(command)).map(Command::get_name);
        commands.extend(
            names.map(|name| format!("`{}`", typed(&[above, &[name.to_string()]].concat()))),
        );
        if !commands.is_empty() {
            break;
        }
    }
    commands
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
