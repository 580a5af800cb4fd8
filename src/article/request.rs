//! Answers the command line or the TOML request in a fence or a code span.

use std::ffi::OsString;
use std::path::Path;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::fence_info::{refused, span, wrong};
use super::source::NAME;
use crate::cli::fault::{Failure, Result};
use crate::cli::file_root::{FileDigest, FileRoot};
use crate::cli::progress;
use crate::cli::reply::{Reply, ReplyCommand};
use api::read::{blamed, of_node};
use engine::text::Fault;
use play::Registry;
use schema::from_toml;

/// The options about output that a fence refuses: argument id, option, and advice.
const REFUSED: [(&str, &str, &str); 6] = [
    ("out", "--out", "the answer goes into the article: remove it"),
    ("format", "--format", "write `table` or `words` after `lowcrawl`"),
    ("chart", "--chart", "write `chart` after `lowcrawl`"),
    ("chart_kind", "--chart-kind", "write `chart=curve`, or another kind, after `lowcrawl`"),
    ("plot", "--plot", "write `chart` after `lowcrawl`"),
    ("svg", "--svg", "write `map` after `lowcrawl`"),
];

pub struct CachedReply {
    pub reply: Reply,
    pub read: Vec<FileDigest>,
}

/// A parser of command lines; `None` for a command that does more than answer a question.
pub type QuestionParser = fn(&Registry, Vec<OsString>) -> Result<Option<ParsedQuestion>>;

pub type ParsedQuestion = (Box<dyn ReplyCommand>, ArgMatches);

/// Returns whether the first line of `text` that is no comment begins a request in TOML.
pub fn is_request(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let key = line.split('=').next().unwrap_or_default().trim();
        let is_key = |letter: char| letter.is_alphanumeric() || "-_.\"".contains(letter);
        line.starts_with('[') || line.contains('=') && !key.is_empty() && key.chars().all(is_key)
    })
}

/// Answers the command or request in `text`, which may read only `files`. Spans are in `text`.
pub fn ask(
    text: &str,
    (registry, parse): (&Registry, QuestionParser),
    files: FileRoot,
) -> Result<CachedReply> {
    let reply = match is_request(text) {
        true => request(text, registry, &files),
        false => {
            let words = words_of_one(text)?;
            let all = [NAME].into_iter().chain(words.iter().map(String::as_str));
            let parsed = parse(registry, all.map(OsString::from).collect())?;
            let (command, matches) = parsed.ok_or_else(|| no_question(text, &words[0]))?;
            check_options(text, &matches)?;
            command.reply(registry, &files)
        }
    }?;
    Ok(CachedReply { reply, read: files.into_read() })
}

/// Splits a command line into words without `lowcrawl`. Fails if a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, Fault> {
    let mut words = shlex::split(&text.replace("\\\n", "  ")).ok_or_else(|| {
        Fault::new("missing closing quote", 0..0).help("write a stack with spaces in quotes")
    })?;
    if words.first().is_some_and(|first| first == NAME) {
        words.remove(0);
    }
    Ok(words)
}

fn words_of_one(text: &str) -> Result<Vec<String>> {
    let words = words(text).map_err(|fault| wrong(text, fault))?;
    if words.is_empty() {
        let help = "rally \"german:4-6-7/dm\" --leader 8-1";
        return Err(refused(text, "the command is missing", 0..text.len(), help));
    }
    if words.iter().any(|word| word == NAME) {
        let last = text.rfind(NAME).unwrap_or(0);
        let help = "write one fence for each command, or compare them in a file";
        let span = last..last + NAME.len();
        return Err(refused(text, "a fence can hold one command only", span, help));
    }
    Ok(words)
}

fn no_question(text: &str, word: &str) -> Failure {
    let help = "allowed: the questions about a stack, compare, solve, rout, trace, study run";
    refused(text, format!("`{word}` is not a question"), span(text, word), help)
}

fn check_options(text: &str, mut matches: &ArgMatches) -> Result<()> {
    while let Some((_, below)) = matches.subcommand() {
        matches = below;
    }
    for (id, option, help) in REFUSED {
        let is_there = matches.try_contains_id(id).is_ok_and(|is_set| is_set);
        if is_there && matches.value_source(id) == Some(ValueSource::CommandLine) {
            let message = format!("`{option}` is not allowed in a fence");
            return Err(refused(text, message, span(text, option), help));
        }
    }
    if matches.try_get_one::<String>("seed").ok().flatten().is_some_and(|seed| seed == "random") {
        let message = "a random seed is not allowed: an article must be reproducible";
        return Err(refused(text, message, span(text, "random"), "use --seed 1, or no seed"));
    }
    Ok(())
}

fn request(text: &str, registry: &Registry, files: &FileRoot) -> Result<Reply> {
    let in_text = |fault| Failure::file("", text, fault);
    let node = from_toml::node(text, "a request").map_err(in_text)?;
    let open = |name: &str| files.text_among(Path::new(""), name, &[]);
    let parsed = of_node(&node, registry, &open).map_err(in_text)?;
    let (command, options) = (parsed.command(), parsed.options);
    let answer = progress::ask(parsed.request, command, &options);
    let answer = answer.map_err(|refused| match refused {
        api::Refused::Field(fault) => in_text(blamed(&node, fault)),
        refused => Failure::from(refused),
    })?;
    Ok(Reply::plain(answer, options))
}
