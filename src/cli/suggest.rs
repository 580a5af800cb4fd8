//! Command lines that clap refuses: the only possible word is added, or a suggestion is made.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::fault::{Failure, Result};
use super::question;
use super::shell_words::{GOES_ON, quoted};
use super::trace::TRACE;
use asl::notation::StackNotation;
use engine::text::{Fault, canonical, listed, nearest};
use play::Registry;
use schema::node::either;
use schema::{Kind, RawValue};

/// Words typed as commands, each with the kinds of questions that are meant.
const KINDS_MEANT: [(&str, &[&str]); 5] = [
    ("mc nmc ptc morale", &["check"]),
    ("attack shoot shot ift", &["fire"]),
    ("odds chance chances probability", &["check", "fire", "rally"]),
    ("recover", &["rally"]),
    ("interdiction", &["interdict"]),
];

/// Words typed as commands that are no commands, each with the reason and what to do.
const NO_COMMANDS: [(&str, &str, &str); 7] = [
    (
        "close-combat melee ambush",
        "Close Combat (A11) is `cc`",
        "`lowcrawl cc german:4-6-7 --against russian:4-4-7`",
    ),
    ("san", "the SAN belongs to `sniper` (A14)", "`lowcrawl sniper --san 4 --rolls 60`"),
    (
        "concealment",
        "concealment (A12) is `conceal`",
        "`lowcrawl conceal german:4-6-7 --terrain woods --los no`",
    ),
    (
        "move charge banzai",
        "a stack that moves under fire is `cross` (A8)",
        "`lowcrawl cross --help` has examples",
    ),
    (
        "iift",
        "the Incremental IFT is not covered yet",
        "`lowcrawl fire 4-6-7 --fp 8` uses the IFT (A7.3)",
    ),
    (
        "hob heat-of-battle",
        "Heat of Battle (A15) is part of every question",
        "`lowcrawl check 4-6-7 --mc 1` has it, `--no-hob` leaves it out",
    ),
    (
        "sw lmg mmg hmg",
        "SW belong to the firers of an attack",
        "`lowcrawl weapons` lists them; `lowcrawl fire 4-6-7 --by german:4-6-7/hmg`",
    ),
];

/// Formats of other programs, each with what to write instead.
const FORMATS: [(&str, &str); 4] = [
    ("xlsx xls ods excel", "spreadsheets open CSV: write `--format csv`"),
    ("md", "write `--format markdown`"),
    ("txt text", "leave `--format` out"),
    ("html pdf png svg", "write `--chart odds.svg` for a picture"),
];

/// Returns the entry of a table whose first column, words joined by blanks, has `word`.
fn entry<'a, T>(table: &'a [T], words_of: impl Fn(&T) -> &str, word: &str) -> Option<&'a T> {
    let word = canonical(word);
    table.iter().find(|entry| words_of(entry).split(' ').any(|known| known == word))
}

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
    with_parts(arguments)
}

/// Writes options for a part of a field of tables, such as `--side.german.elr 2`, as `--set` does.
fn with_parts(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut written: Vec<OsString> = Vec::with_capacity(arguments.len());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let path = argument.to_str().and_then(|word| word.strip_prefix("--"));
        let name = path.map_or("", |path| path.split('=').next().unwrap_or_default());
        let is_part = name.contains('.') && !name.starts_with('.') && !name.contains(' ');
        let Some(path) = path.filter(|_| is_part) else {
            written.push(argument);
            continue;
        };
        let set = match path.contains('=') {
            true => path.to_string(),
            false => {
                let value = rest.next().unwrap_or_default();
                format!("{path}={}", value.to_string_lossy())
            }
        };
        written.extend(["--set".into(), set.into()]);
    }
    written
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
                None if word.starts_with('-') => line.no_number(word),
                None => line.too_much(word),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let word = context(ContextKind::InvalidSubcommand)?;
            if line.path().is_empty() && StackNotation::parse(word).is_ok() {
                return Some(without_command(registry, word));
            }
            let words = [line.path(), &[word.to_string()]].concat();
            let named = || named(whole, &words, "COMMAND", &[]).err();
            line.no_command(word).or_else(named)
        }
        ErrorKind::MissingRequiredArgument => {
            let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
                return None;
            };
            line.lacking(missing.first()?)
        }
        ErrorKind::ArgumentConflict => Some(conflict(error, context(ContextKind::InvalidArg)?)),
        ErrorKind::InvalidValue => {
            let argument = context(ContextKind::InvalidArg)?;
            let option = argument.split(' ').next()?;
            let valid = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(valid)) => &valid[..],
                _ => &[],
            };
            match context(ContextKind::InvalidValue).filter(|value| !value.is_empty()) {
                Some(value) => Some(no_value(option, value, valid)),
                None => Some(missing_value(argument, option, valid)),
            }
        }
        ErrorKind::ValueValidation => {
            let option = context(ContextKind::InvalidArg)?.split(' ').next()?;
            let message = std::error::Error::source(error)?.to_string();
            Some(Failure::refused(option, context(ContextKind::InvalidValue)?, message))
        }
        _ => None,
    }
}

/// Returns the failure for a stack without a command.
fn without_command(registry: &Registry, stack: &str) -> Failure {
    let kinds = question::kinds(registry.first()).filter(|kind| kind.subject.is_some());
    let names: Vec<String> = kinds.map(|kind| format!("`{}`", kind.name)).collect();
    let message = format!("`{stack}` is a stack: write a command before it");
    Failure::refused("COMMAND", stack, message).help(names.join(", "))
}

/// Returns the failure for an option that excludes an earlier one, or is given twice.
fn conflict(error: &clap::Error, argument: &str) -> Failure {
    // Clap adds the placeholder of the value: `--seed <N>`.
    let option = |argument: &str| argument.split(' ').next().unwrap_or_default().to_string();
    let one = option(argument);
    let prior = match error.get(ContextKind::PriorArg) {
        Some(ContextValue::String(prior)) => Some(option(prior)),
        Some(ContextValue::Strings(all)) => all.first().map(|prior| option(prior)),
        _ => None,
    };
    let message = match prior.filter(|prior| *prior != one) {
        Some(other) => either(&one, &other),
        None => format!("`{one}` is given twice"),
    };
    Failure::refused(&one, "", message).help("remove one of them")
}

/// Returns the failure for an option without its value; `argument` shows its placeholder too.
fn missing_value(argument: &str, option: &str, valid: &[String]) -> Failure {
    let help = match valid {
        [] => format!("write `{}`", argument.replace(['<', '>'], "")),
        _ => {
            let valid: Vec<&str> = valid.iter().map(String::as_str).collect();
            format!("valid: {}", listed(&valid))
        }
    };
    Failure::refused(option, "", format!("`{option}` needs a value")).help(help)
}

/// Returns the failure for a value that an option with few words does not take.
fn no_value(option: &str, value: &str, valid: &[String]) -> Failure {
    let fault = Fault::new(format!("`{option}` cannot be `{value}`"), 0..value.len());
    let other = entry(&FORMATS, |(words, _)| words, value).filter(|_| option == "--format");
    let fault = match other {
        Some((_, help)) => fault.help(*help),
        None => fault.expecting(value, valid.iter().map(String::as_str)),
    };
    Failure::argument(option, value, fault)
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
            let near = fault.clone().expecting(word, names);
            let fault = match (command.has_subcommands(), near.near.is_empty()) {
                (true, false) => near,
                (true, true) => {
                    fault.help(format!("`{} --help` lists the commands", typed(&words[..deep])))
                }
                (false, _) => fault.help("remove it"),
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
    /// Returns the failure for a missing argument.
    fn lacking(&self, missing: &str) -> Option<Failure> {
        let path = typed(self.path());
        let message = match missing.starts_with('-') {
            true => format!("`{path}` needs `{missing}`"),
            false => format!("nothing is given after `{path}`"),
        };
        let place = missing.split(' ').next()?.trim_matches(['<', '>', '.']);
        Some(Failure::refused(place, "", message).help(self.example()?))
    }

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
            let next = words.next().filter(|next| !next.starts_with("--"));
            let value = value.or(next).unwrap_or_default();
            self.registry.form(self.kind()?).instead(&canonical(name), RawValue::Text(value))
        };
        let negated = || {
            let off = self.kind()?.field(&canonical(name))?.negation?;
            Some(format!("this holds by default; `--{off}` says no").into())
        };
        let own: Vec<&str> = options(command_at(self.whole, self.path())).collect();
        let all = self.whole.get_subcommands().flat_map(options);
        let near = nearest(name, own.iter().copied());
        let near = near.map(|near| format!("did you mean `--{near}`?"));
        let others = self.having(name).join(", ");
        let refused = Failure::refused(&option, "", message);
        match (of_kind().or_else(negated), &others[..], near, nearest(name, all)) {
            (Some(help), ..) => refused.help(help),
            (_, "", Some(near), _) => refused.help(near),
            (_, "", None, Some(near)) => {
                let others = self.having(near).join(", ");
                refused.help(format!("did you mean `--{near}`? It belongs to {others}"))
            }
            (_, "", None, None) => {
                refused.help(format!("`{} --help` lists its options", typed(self.path())))
            }
            (_, others, near, _) => {
                let near = near.map_or(String::new(), |near| format!("; {near}"));
                refused.help(format!("it belongs to {others}{near}"))
            }
        }
    }

    /// Returns the failure for a word that is no command, if it is known what is meant.
    fn no_command(&self, word: &str) -> Option<Failure> {
        if !self.path().is_empty() {
            return None;
        }
        let message = format!("`lowcrawl` has no command `{word}`");
        if let Some((_, why, help)) = entry(&NO_COMMANDS, |(words, ..)| words, word) {
            let message = format!("{message}: {why}");
            return Some(Failure::refused("COMMAND", word, message).help(*help));
        }
        let (_, meant) = entry(&KINDS_MEANT, |(words, _)| words, word)?;
        let all = question::kinds(self.registry.first());
        let lines = all.filter(|kind| meant.contains(&kind.name)).map(|kind| self.as_kind(kind));
        let lines = lines.collect::<Vec<_>>().join(", ");
        Some(Failure::refused("COMMAND", word, message).help(format!("write {lines}")))
    }

    /// Returns the command line with `kind` as its command. A number of its own, as in `mc 4-6-7
    /// 1`, becomes the first option of the kind that takes one.
    fn as_kind(&self, kind: &'static Kind) -> String {
        let (given, rest) = self.words[1..].split_at(
            self.words[1..]
                .iter()
                .position(|word| word.starts_with("--"))
                .unwrap_or(self.words.len() - 1),
        );
        let (numbers, stack): (Vec<&String>, Vec<&String>) =
            given.iter().partition(|word| word.len() <= 2 && word.parse::<i8>().is_ok());
        let stack = match &stack[..] {
            [] => "4-6-7".to_string(),
            words => words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" "),
        };
        let number = question::number_field(kind);
        let number = number.filter(|field| !rest.contains(&format!("--{}", field.name)));
        let number = number.filter(|field| !numbers.is_empty() || field.default.is_none());
        let example = if kind.name == "fire" { "8" } else { "1" };
        let value = numbers.first().map_or(example, |number| number.as_str());
        let number = number.map_or(String::new(), |field| format!(" --{} {value}", field.name));
        let rest: String = rest.iter().map(|word| format!(" {}", quoted(word))).collect();
        format!("`lowcrawl {} {}{number}{rest}`", kind.name, quoted(&stack))
    }

    /// Returns the failure for a number below 0 where no option takes it.
    fn no_number(&self, word: &str) -> Option<Failure> {
        word.parse::<f64>().ok()?;
        let place = self.words.iter().position(|typed| typed == word)?;
        let help = format!("`{} --help` lists the options", typed(self.path()));
        match self.words[..place].last().filter(|before| before.starts_with("--")) {
            Some(option) => Some(
                Failure::refused(option, "", format!("this option takes no `{word}`")).help(help),
            ),
            None => {
                let has_drm =
                    options(command_at(self.whole, self.path())).any(|name| name == "drm");
                let help = if has_drm { format!("write `--drm {word}`") } else { help };
                Some(Failure::refused("N", "", format!("unexpected `{word}`")).help(help))
            }
        }
    }

    /// Returns advice with the first example of the command, if it has any.
    fn example(&self) -> Option<String> {
        let help = command_at(self.whole, self.path()).get_after_help()?.to_string();
        let (_, examples) = help.split_once("Examples:\n")?;
        let path = typed(self.path());
        let examples = examples.replace(GOES_ON, " ");
        let example = examples.lines().find(|line| line.contains(&path))?;
        Some(format!("for example `{}`", example.trim()))
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
