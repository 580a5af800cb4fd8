//! Stored traces: the lines of JSON must contain everything that the screen prints.

use serde_json::Value;

use super::{Comparison, STORED, document, translate};

/// Smallest width of the column of rule numbers, in characters.
const RULE_WIDTH: usize = 6;

/// Rebuilds the screen up to its probability; the number of slot 1 is printed only if there are
/// `several`.
fn screen(trace: &Value, request: &Value, several: bool) -> String {
    let empty = Vec::new();
    let lines = trace["lines"].as_array().unwrap_or(&empty);
    let rule = |line: &Value| line["rule"].as_str().unwrap_or_default().to_string();
    let width = lines.iter().map(|line| rule(line).len()).fold(RULE_WIDTH, usize::max);
    let seed = request["options"]["seed"].as_u64().unwrap_or(36);
    let source = match request["script"].is_string() {
        true => "dice as scripted".to_string(),
        false => format!("sequence {} of seed {seed}", request["sequence"].as_u64().unwrap_or(0)),
    };
    // The heading of a rout has the title of its file and a plan, so it is not compared.
    let heading = match request["kind"] == "rout" {
        true => String::new(),
        false => format!("{}; ", trace["meta"]["question"].as_str().unwrap()),
    };
    let mut text = format!("{heading}{source}\n\n");
    let head = |line: &Value| {
        line["roll"]
            .as_str()
            .and_then(|roll| roll.split_once(": ").map(|(head, _)| head.to_string()))
    };
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        text += &format!("{:>width$}", rule(line));
        if let Some(roll) = line["roll"].as_str() {
            let mut words = roll.to_string();
            let (mut read, mut faces) =
                (line["read"].as_u64().unwrap() as u128, line["faces"].as_u64().unwrap() as u128);
            // The dice of a pool are printed on one line.
            let is_pool = request["system"].is_string() && head(line).is_some();
            while let Some(next) = lines.next_if(|next| is_pool && head(next) == head(line)) {
                words +=
                    &format!(" {}", next["roll"].as_str().unwrap().split_once(": ").unwrap().1);
                read *= next["read"].as_u64().unwrap() as u128;
                faces *= next["faces"].as_u64().unwrap() as u128;
            }
            text += &format!("  {words}  [{read}/{faces} like this]\n");
        } else if let Some(event) = line["event"].as_str() {
            text += &format!("{}{event}\n", if line["rule"].is_null() { "  " } else { "    " });
        } else {
            let outcomes =
                line["noted"].as_array().unwrap().iter().map(|outcome| noted(outcome, several));
            text += &format!(
                "  {}: {}\n",
                line["at"].as_str().unwrap(),
                outcomes.collect::<Vec<_>>().join("; ")
            );
        }
    }
    text + "\nProbability of rolls that read like these, one after the other: "
}

fn noted(outcome: &Value, several: bool) -> String {
    if let Some(whole) = outcome["outcome"].as_str() {
        return whole.to_string();
    }
    let unit = outcome["unit"].as_str().unwrap_or("created");
    let slot = outcome["slot"]
        .as_u64()
        .filter(|slot| several || *slot > 1)
        .map_or(String::new(), |slot| format!(" [{slot}]"));
    let counter = outcome["counter"]
        .as_str()
        .filter(|counter| *counter != unit)
        .map_or(String::new(), |text| format!(" {text}"));
    let wounded = if outcome["wounded"] == true { ", wounded" } else { "" };
    format!("{unit}{slot} {}{counter}{wounded}", outcome["status"].as_str().unwrap_or_default())
}

/// Returns the index of the source of the dice in the screen of a rout, behind what is asked.
fn source_in(screen: &str) -> Option<usize> {
    screen.find("sequence").or(screen.find("diceas"))
}

/// Returns a text without blanks, since screens break long lines.
fn flat(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns whether a printed probability equals that of the headline.
fn is_chance(printed: &str, headline: &Value) -> bool {
    let probability = headline["probability"].as_f64().unwrap();
    let percent = |printed: &str| printed.split_once('%')?.0.parse::<f64>().ok();
    // A probability that would print as 0 or 100 % prints its bound instead.
    let is_near = if printed.starts_with("<0.01%") {
        0.0 < probability && probability < 5e-5
    } else if printed.starts_with(">99.99%") {
        0.99995 < probability && probability < 1.0
    } else {
        percent(printed).is_some_and(|percent| (percent / 100.0 - probability).abs() < 6e-5)
    };
    let fraction = printed.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    is_near && fraction.is_none_or(|(fraction, _)| headline["fraction"] == fraction)
}

#[test]
fn json_traces_and_printed_traces_agree() {
    let mut comparison = Comparison::default();
    for (request, answer) in STORED
        .iter()
        .filter(|(request, _)| request.arguments.first().is_some_and(|word| word == "trace"))
    {
        let Some(screen) = answer.get("screen").filter(|_| answer["exit"] == "0") else { continue };
        let object = match translate::request(request) {
            Ok(object) => Value::Object(object),
            Err(reason) => {
                comparison.skip(reason);
                continue;
            }
        };
        let trace = match document(&object.to_string()) {
            Ok(trace) => trace,
            Err(unanswered) => {
                comparison.add(false, || format!("{}: {unanswered:?}", request.command()));
                continue;
            }
        };
        let screen = flat(screen);
        let from = if object["kind"] == "rout" { source_in(&screen).unwrap_or(0) } else { 0 };
        let expected = |several| flat(&self::screen(&trace, &object, several));
        let rest = [true, false]
            .into_iter()
            .find_map(|several| screen[from..].strip_prefix(&expected(several)));
        comparison.add(rest.is_some_and(|rest| is_chance(rest, &trace["headline"])), || {
            let expected = expected(true);
            let printed = &screen[from..];
            let both = printed.bytes().zip(expected.bytes());
            let alike = both.take_while(|(printed, expected)| printed == expected).count();
            let after = |text: &str| text.get(alike..).map_or(String::new(), str::to_string);
            let (printed, expected) = (after(printed), after(&expected));
            format!("{} differs from\n{printed}\n{expected}", request.command())
        });
    }
    comparison.assert_alike(110);
}
