//! What a command line says that its command does not know: read where it can mean only one thing,
//! else told what is meant and where it belongs.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::fault::Failure;
use super::help::named;
use super::{Commands, TRACE, question};
use asl::notation::Written;
use engine::text::{Fault, canonical, nearest};
use system::form::Value;
use system::{House, Kind};

/// A command line with the word that it leaves out: `study FILE` is `study run FILE`.
pub fn spelled_out(mut arguments: Vec<OsString>) -> Vec<OsString> {
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

/// What is wrong with a word that no command takes, told better than by whoever takes the words
/// apart: he knows the names only.
pub fn meant(house: &House, arguments: &[OsString], error: &clap::Error) -> Option<Failure> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let whole = Commands::whole(house).all();
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| word.to_string_lossy().to_string()).collect();
    let path = path(&whole, &words);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let word = context(ContextKind::InvalidArg)?;
            match word.strip_prefix("--") {
                Some(name) => {
                    let name = name.split('=').next().unwrap_or_default();
                    Some(no_option(house, &whole, path, &words, name))
                }
                None if word.starts_with('-') => None,
                None => too_much(house, path, &words, word),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let word = context(ContextKind::InvalidSubcommand)?;
            let mut named_words = path.to_vec();
            named_words.push(word.to_string());
            let fault = || {
                let fault = Fault::new(
                    format!("`{word}` is a stack: say first what is asked about it"),
                    0..word.len(),
                );
                let kinds = question::kinds(house.first()).filter(|kind| kind.subject.is_some());
                let names: Vec<String> = kinds.map(|kind| format!("`{}`", kind.name)).collect();
                Failure::argument("COMMAND", word, fault.help(names.join(", ")))
            };
            let is_stack = path.is_empty() && Written::parse(word).is_ok();
            is_stack.then(fault).or_else(|| named(&whole, &named_words, "COMMAND", &[]).err())
        }
        _ => None,
    }
}

/// The words that name a command, from the first on.
fn path<'a>(whole: &Command, words: &'a [String]) -> &'a [String] {
    let (mut command, mut deep) = (whole, 0);
    while let Some(below) = words.get(deep).and_then(|word| command.find_subcommand(word)) {
        (command, deep) = (below, deep + 1);
    }
    &words[..deep]
}

/// The kind of question that a command asks.
fn kind_of(house: &House, path: &[String]) -> Option<&'static Kind> {
    let path: Vec<&str> = path.iter().map(String::as_str).filter(|word| *word != TRACE).collect();
    let (game, kind) = match path[..] {
        [kind] => (house.first(), kind),
        [game, kind] => (house.game(game).ok()?, kind),
        _ => return None,
    };
    question::kinds(game).find(|known| known.name == kind)
}

/// An option that a command does not have.
fn no_option(
    house: &House,
    whole: &Command,
    path: &[String],
    words: &[String],
    name: &str,
) -> Failure {
    let option = format!("--{name}");
    let command =
        path.iter().fold(whole, |command, word| command.find_subcommand(word).unwrap_or(command));
    let fault = Fault::new(format!("`{}` has no option `{option}`", told(path)), 0..0);
    let of_kind = || {
        let given = words.iter().position(|word| word.split('=').next() == Some(&option))?;
        let value = words[given].split_once('=').map(|(_, value)| value);
        let value = value.or(words.get(given + 1).map(String::as_str)).unwrap_or_default();
        kind_of(house, path)?.form().instead(&canonical(name), Value::Text(value))
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
                fault.help(format!("it has: {}", own.join(", ")))
            }
        },
    };
    Failure::argument(&option, "", fault)
}

fn nearest_of<'a>(name: &str, options: &'a [String]) -> Option<&'a str> {
    nearest(name, options.iter().map(String::as_str))
}

/// A command as it is typed.
fn told(path: &[String]) -> String {
    ["lowcrawl"].into_iter().chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

fn options(command: &Command) -> impl Iterator<Item = String> {
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    shown.filter_map(Arg::get_long).map(str::to_string)
}

/// Other commands that have an option: those beside this one, or of the first game.
fn having(whole: &Command, path: &[String], name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for deep in (0..path.len().max(1)).rev() {
        let above = &path[..deep];
        let parent = above
            .iter()
            .fold(whole, |command, word| command.find_subcommand(word).unwrap_or(command));
        let of = |command: &Command| options(command).any(|option| option == name);
        let names = parent.get_subcommands().filter(|command| of(command)).map(Command::get_name);
        found.extend(
            names.map(|name| format!("`{}`", told(&[above, &[name.to_string()]].concat()))),
        );
        if !found.is_empty() {
            break;
        }
    }
    found
}

/// A word behind all that a command asks for: of a stack with blanks the quotes are missing.
fn too_much(house: &House, path: &[String], words: &[String], word: &str) -> Option<Failure> {
    let kind = kind_of(house, path)?;
    let subject = kind.subject?;
    let begin = words[path.len()..].iter().position(|word| !word.starts_with("--"))? + path.len();
    let stack = words[begin..].iter().take_while(|word| !word.starts_with("--"));
    let stack = stack.map(String::as_str).collect::<Vec<_>>().join(" ");
    let start = stack.find(word).unwrap_or(0);
    let placeholder = subject.takes.placeholder();
    let fault = Fault::new(
        format!("`{word}` follows behind the {placeholder}"),
        start..start + word.len().min(stack.len() - start),
    );
    let is_meant = kind.form().set(subject.name, Value::Text(&stack)).is_ok();
    let help = match is_meant {
        true => format!("with blanks in it, {placeholder} stands in quotes: \"{stack}\""),
        false => format!("all else is an option: `{} --help` lists them", told(path)),
    };
    Some(Failure::argument(placeholder, &stack, fault.help(help)))
}
