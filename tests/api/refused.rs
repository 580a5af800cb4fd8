//! Stored command lines that are refused: as JSON they must be refused with the same message, at
//! the right place.

use std::ops::Range;

use lowcrawl::api::json;
use lowcrawl::text::Fault;
use lowcrawl::text::notation::Notation;
use serde_json::Value;

use super::report::unwrapped;
use super::request_text::RequestText;
use super::store::Request;
use super::{Comparison, STORED, Unanswered, answer_request, translate};

/// Number of names that a long list shows.
const LISTED: usize = 8;

/// The parts of an error message that the command line printed.
struct ScreenError {
    message: String,
    help: Option<String>,
    /// The argument or file that has the fault.
    place: Option<String>,
    /// The quoted line, and its underlined part.
    line: Option<String>,
    underlined: Option<String>,
}

impl ScreenError {
    fn parse(errors: &str) -> Option<ScreenError> {
        let mut lines = errors.lines().peekable();
        let message = lines.next()?.strip_prefix("error: ")?.to_string();
        let help = errors
            .lines()
            .find_map(|line| line.trim_start().trim_start_matches("= ").strip_prefix("help: "));
        let mut printed = ScreenError {
            message,
            help: help.map(str::to_string),
            place: None,
            line: None,
            underlined: None,
        };
        let Some(arrow) = lines.peek().and_then(|line| line.trim_start().strip_prefix("--> "))
        else {
            // The message has the form `--leader: message`.
            let place = printed.message.split_once(": ").filter(|(place, _)| {
                place.starts_with("--") && !place.contains(' ')
                    || ["STACK", "UNITS", "UNIT", "N"].contains(place)
            });
            let parts = place.map(|(place, message)| (place.to_string(), message.to_string()));
            if let Some((place, message)) = parts {
                (printed.place, printed.message) = (Some(place), message);
            }
            return Some(printed);
        };
        printed.place = Some(arrow.rsplitn(3, ':').nth(2)?.to_string());
        let shown = errors
            .lines()
            .find(|line| line.trim_start().starts_with(|letter: char| letter.is_ascii_digit()))?;
        let carets = errors.lines().find(|line| line.contains('^'))?;
        let gutter = shown.find(" | ").map(|at| at + 3)?;
        if carets.chars().skip(gutter).all(|letter| letter == ' ' || letter == '^') {
            let is_marked =
                carets.chars().chain(std::iter::repeat(' ')).map(|letter| letter == '^');
            printed.underlined = Some(
                shown
                    .chars()
                    .zip(is_marked)
                    .filter(|(_, marked)| *marked)
                    .map(|(letter, _)| letter)
                    .collect(),
            );
        }
        printed.line = Some(shown[gutter..].to_string());
        Some(printed)
    }
}

/// Removes the notation of a message: dashes of options, brackets of tables, quotes around numbers.
fn plain(text: &str) -> String {
    let text = text.replace("`--", "`").replace("an object", "a table");
    let text = text.replace("`question`", "`kind`").replace("a comparison has", "a request has");
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let bare = word.trim_end_matches(',').trim_matches('`');
        match (
            words.last().map(String::as_str),
            bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')),
        ) {
            (Some("table,"), Some(_)) => {}
            (None, Some(table)) => words.push(format!("`{}`", table.trim_matches(['[', ']']))),
            (Some("not"), _) if bare.parse::<i64>().is_ok() => words.push(bare.to_string()),
            _ => words.push(word.to_string()),
        }
    }
    words.join(" ")
}

/// Returns the reason why a request is refused with another message than the command line, if it is
/// known.
fn known_reason(printed: &ScreenError, fault: &Fault) -> Option<&'static str> {
    let (expected, actual) = (plain(&printed.message), plain(&fault.message));
    let both = |start: &str| expected.starts_with(start) && actual.starts_with(start);
    let unknown = ["no interpretation is called ", "no parameter is called "]
        .iter()
        .find_map(|start| expected.strip_prefix(start));
    let begins_with =
        |names: &[&str]| names.iter().any(|name| actual.starts_with(&format!("`{name}` must be")));
    Some(match () {
        _ if both("`kind` cannot be")
            && fault.help.as_ref().is_some_and(|help| help.to_string().ends_with(", rout")) =>
        {
            "a rout is a kind of a request"
        }
        _ if both("`seed` must be a whole number") => "a request draws no seed",
        _ if both("`sequence` must be a whole number")
            || both("`precision` must be a half-width") =>
        {
            "the range in other words"
        }
        _ if unknown.is_some_and(|name| actual.contains(&format!("has no field {name}"))) => {
            "an unknown point of the rules is an unknown field"
        }
        _ if actual.starts_with("a table of hexes or lines, line ")
            && actual.ends_with(&expected) =>
        {
            "a table that stands in the request"
        }
        _ if expected.contains("number of Player Turns")
            && actual.contains("number of Player Turns") =>
        {
            "missing turns"
        }
        _ if expected.ends_with("has no Player Turns")
            && actual.ends_with("has no field `turns`") =>
        {
            "an unknown option is an unknown field"
        }
        _ if expected.starts_with("in a situation, the map shows")
            && actual.contains("has no key") =>
        {
            "an unknown option is an unknown field"
        }
        _ if expected.ends_with("has this value twice") => "what has a comma may be a list",
        _ if expected.starts_with("say ")
            && begins_with(&["trials", "seed", "precision", "stratify"]) =>
        {
            "options are read first"
        }
        _ => return None,
    })
}

/// Returns the places in the request that have the name of an argument.
fn named(printed: &ScreenError, written: &RequestText, argument: &str) -> Vec<Range<usize>> {
    let option = argument.trim_start_matches("--");
    let name = match (option, &printed.line) {
        ("set", Some(line)) => line.split('=').next().unwrap_or_default().to_string(),
        ("impact", _) => "of".to_string(),
        _ => option.to_string(),
    };
    let is_subject = !argument.starts_with("--");
    let name = translate::canonical(&name);
    let opposite = name.strip_prefix("no-").map_or(format!("no-{name}"), str::to_string);
    let is_named = |path: &str| {
        // The name of a rule parameter may contain a dot.
        let last = if option == "set" { path } else { path.rsplit('.').next().unwrap_or(path) };
        let last = translate::canonical(last);
        match is_subject {
            true => ["stack", "units", "target", "dice", "points", "mover"].contains(&path),
            false => last == name || last == opposite,
        }
    };
    let found = written.places.iter().filter(|place| is_named(&place.path));
    found
        .map(|place| {
            if place.key.is_empty() {
                place.value.clone()
            } else {
                place.key.start..place.value.end
            }
        })
        .collect()
}

/// Returns whether a fault blames the right place.
fn is_at_fault(
    request: &Request,
    printed: &ScreenError,
    written: &RequestText,
    span: &Range<usize>,
) -> bool {
    let Some(place) = &printed.place else { return true };
    let is_whole = *span == (0..written.text.len());
    let bare = |text: &str| text.replace([' ', '"', '\'', '=', ':'], "");
    let here = &written.text[span.clone()];
    let Some(file) = request.files.get(place) else {
        let named = named(printed, written, place);
        // A missing field has no place.
        return (named.is_empty() && is_whole)
            || named.iter().any(|range| range.start <= span.start && span.end <= range.end);
    };
    match printed.underlined.as_deref() {
        None => true,
        // The first line is quoted if a whole file is blamed.
        Some(text)
            if file.lines().next() == Some(text)
                && (is_whole || (!here.is_empty() && bare(text).contains(&bare(here)))) =>
        {
            true
        }
        // The header of a table is quoted if the table is blamed.
        Some(text) if text.starts_with('[') && here.starts_with(['[', '{']) => true,
        // In JSON, a text of several lines is escaped and blamed as a whole.
        Some(text) if here.contains("\\n") => {
            serde_json::from_str::<String>(here).is_ok_and(|here| here.contains(text))
        }
        Some(text) => bare(text) == bare(here),
    }
}

/// Lists the differences from standard error, or returns the known reason for them.
fn differences(
    request: &Request,
    printed: &ScreenError,
    written: &RequestText,
    unanswered: &Unanswered,
) -> Result<Vec<String>, &'static str> {
    let mut found = Vec::new();
    // Scripted dice are blamed at their place; an engine that gave up has no place.
    let is_placed = unanswered.refused.is_none() || unanswered.fault.span.end > 0;
    let fault = &unanswered.fault;
    if let Some(reason) = known_reason(printed, fault) {
        return Err(reason);
    }
    if plain(&fault.message) != plain(&printed.message) {
        found.push(format!("message `{}`", fault.message));
    }
    // The help is the same, in the notation of its place.
    let is_file = printed.place.as_ref().is_some_and(|place| request.files.contains_key(place));
    let notation = if is_file { Notation::Toml } else { Notation::Words };
    // Only the keys beside the fields of a question may differ, which stand behind them.
    let first = |help: &str| {
        let line = help.lines().next().unwrap_or_default();
        let names = line.strip_prefix("valid: ").and_then(|names| names.split(", given").next());
        let names = names.map(|names| names.split(", ").take(LISTED).collect::<Vec<_>>());
        names.map_or(line.to_string(), |names| names.join(", "))
    };
    let expected = fault.help.as_ref().map(|help| help.render(notation));
    // Help of several lines is printed with line breaks, which are no longer there.
    let lines = |help: &str| help.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_alike = match (&expected, &printed.help) {
        (Some(expected), Some(printed)) if expected.contains('\n') => {
            lines(expected) == lines(printed)
        }
        (expected, printed) => expected.as_deref().map(first) == printed.as_deref().map(first),
    };
    if !is_alike {
        found.push(format!("help {:?}", fault.help));
    }
    if let Some(meant) = printed
        .help
        .as_ref()
        .and_then(|help| help.strip_prefix("did you mean `")?.strip_suffix("`?"))
    {
        found.extend(
            fault
                .near
                .first()
                .is_none_or(|near| near != meant)
                .then(|| format!("near {:?}", fault.near)),
        );
    }
    if is_placed {
        let is_within = written.text.get(fault.span.clone()).is_some();
        if !is_within || !is_at_fault(request, printed, written, &fault.span) {
            found.push(format!(
                "place {:?}: {:?}",
                fault.span,
                written.text.get(fault.span.clone())
            ));
        }
        let json = json::fault(fault, &written.text);
        if json["fault"]["message"] != fault.message.as_str()
            || json["fault"]["span"][0] != fault.span.start
        {
            found.push(format!("json {json}"));
        }
    }
    Ok(found)
}

/// Reasons why some refused command lines are not compared, or have another message.
const SKIPPED: &[&str] = &[
    "a file that is not there",
    // A comparison file is read as a whole; a request to solve names fields only.
    "a key of a file that a request has not",
    "a key that is there twice",
    "a request draws no seed",
    "a request draws nothing",
    "a rout is a kind of a request",
    "a run that is no table",
    "a setting without a value",
    "a study is many requests",
    "a table that stands in the request",
    "an option of the output format",
    "an unknown option is an unknown field",
    "an unknown point of the rules is an unknown field",
    // Unknown options, options without a value or with one of few words, and options that exclude
    // each other.
    "clap's own words",
    "missing turns",
    "no TOML",
    "no question",
    "options are read first",
    "tables",
    "the range in other words",
    "what has a comma may be a list",
];

#[test]
fn command_lines_and_json_are_refused_alike() {
    let mut comparison = Comparison::default();
    for (number, (request, answer)) in
        (1..).zip(STORED.iter()).filter(|(_, (_, answer))| answer["exit"] != "0")
    {
        // For unknown words, the command line prints its own message instead of the one by clap.
        let is_printed = |words: &&str| answer["errors"].contains(*words);
        if ["For more information, try '--help'.", "` has no option `--"].iter().any(is_printed) {
            comparison.skip("clap's own words");
            continue;
        }
        let object = match translate::request(request) {
            Ok(object) => object,
            Err(reason) => {
                comparison.skip(if reason.starts_with("clap: ") {
                    "clap's own words"
                } else {
                    reason
                });
                continue;
            }
        };
        let Some(printed) = ScreenError::parse(&unwrapped(&answer["errors"])) else {
            comparison.skip("no error");
            continue;
        };
        if printed
            .place
            .as_deref()
            .is_some_and(|place| ["--format", "--out", "--plans", "--threads"].contains(&place))
        {
            comparison.skip("an option of the output format");
            continue;
        }
        let written = RequestText::new(&Value::Object(object));
        let found = match answer_request(&written.text) {
            Ok(_) => vec!["answered".to_string()],
            Err(unanswered) => match differences(request, &printed, &written, &unanswered) {
                Ok(found) => found,
                Err(reason) => {
                    comparison.skip(reason);
                    continue;
                }
            },
        };
        comparison.add(found.is_empty(), || {
            format!(
                "{number} {}\n  {}\n  {}\n  {}",
                request.arguments.join(" "),
                written.text,
                answer["errors"].trim_end().replace('\n', "\n    "),
                found.join("\n  ")
            )
        });
    }
    comparison.assert_alike(950);
    comparison.assert_skipped(SKIPPED);
}
