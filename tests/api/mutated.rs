//! Tests of mutated lines: every line is parsed or has a fault, and none causes a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lowcrawl::answer::{Options, Trials};
use lowcrawl::api::{self, Refused, json, no_files};
use lowcrawl::text::Fault;
use serde_json::{Value, json};

use super::answered::is_small;
use super::{GAMES, STORED, translate};

const LINES: usize = 10_000;
/// One of this number of readable lines is answered too.
const ANSWERED: u64 = 2;
/// Largest length of a line that is mutated, in bytes.
const LONGEST: usize = 3_000;

/// A 64-bit xorshift generator (Marsaglia).
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const PIECES: &[&str] = &[
    "\u{0}",
    "\\u0000",
    "\\ud800",
    "\\udc00\\ud800",
    "ä",
    "\u{1f3b2}",
    "\u{202e}",
    "\u{feff}",
    "\\",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "1e999",
    "-1e999",
    "1e-999",
    "99999999999999999999",
    "-9223372036854775808",
    "9223372036854775807",
    "-0",
    "0.1",
    "NaN",
    "null",
    "true",
    "\r\n",
    "\n",
    "\t",
    " ",
    "/",
    "//",
    "#",
    "{}",
    "[]",
    "\"\"",
    "\\n",
    "e",
    "-",
    "+",
    "x",
    "2x ",
    " + ",
    "/dm,",
    "@",
];

/// Returns an unusual value, or one from another request.
fn odd(dice: &mut Dice, seeds: &[Value]) -> Value {
    let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    match dice.below(16) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(dice.below(40) as i64 - 10),
        4 => json!(i64::MIN),
        5 => json!(u64::MAX),
        6 => json!(0.5),
        7 => json!(1e300),
        8 => json!(""),
        9 => json!("\u{0}ä\u{1f3b2}\""),
        10 => json!([]),
        11 => json!({}),
        12 => deep(1 + dice.below(40)),
        13 => json!([1, "2", { "x": null }]),
        14 => json!("4-6-7/dm + 9-1 + 2x 4-6-7"),
        _ => {
            let other = dice.pick(seeds).clone();
            other
                .as_object()
                .and_then(|other| other.values().nth(dice.below(other.len())).cloned())
                .unwrap_or(other)
        }
    }
}

/// Changes one entry of an object inside a value.
fn change(value: &mut Value, dice: &mut Dice, seeds: &[Value]) {
    let below = match value {
        Value::Object(entries) if !entries.is_empty() && dice.below(3) > 0 => {
            let place = dice.below(entries.len());
            entries.values_mut().nth(place).filter(|value| value.is_object() || value.is_array())
        }
        Value::Array(each) if !each.is_empty() => {
            let place = dice.below(each.len());
            each.get_mut(place).filter(|value| value.is_object() || value.is_array())
        }
        _ => None,
    };
    if let Some(below) = below {
        return change(below, dice, seeds);
    }
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let key = entries.keys().nth(dice.below(entries.len())).unwrap().clone();
            let of_other = dice
                .pick(seeds)
                .as_object()
                .and_then(|other| other.iter().nth(dice.below(other.len())));
            match dice.below(16) {
                0 => drop(entries.shift_remove(&key)),
                // Takes the value that another request has for this key.
                5.. => {
                    let others =
                        seeds.iter().filter_map(|other| other.get(&key)).collect::<Vec<_>>();
                    if !others.is_empty() {
                        let value = (*dice.pick(&others)).clone();
                        entries.insert(key, value);
                    }
                }
                1 => drop(entries.insert(key, odd(dice, seeds))),
                2 => {
                    let value = entries.shift_remove(&key).unwrap();
                    let name = of_other.map_or("x".to_string(), |(name, _)| name.clone());
                    entries.insert(name, value);
                }
                3 => {
                    drop(of_other.map(|(name, value)| entries.insert(name.clone(), value.clone())))
                }
                _ => drop(entries.insert(
                    key + dice.pick::<&str>(&["", "s", "-", "_", "ä", "\u{0}", "\""]),
                    odd(dice, seeds),
                )),
            }
        }
        Value::Array(each) => match dice.below(3) {
            0 => each.clear(),
            1 => each.push(odd(dice, seeds)),
            _ => each.extend(each.clone()),
        },
        other => *other = odd(dice, seeds),
    }
}

/// Returns a mutated line: changed as a value, as bytes, or both.
fn mutated(seeds: &[Value], dice: &mut Dice) -> String {
    let mut value = dice.pick(seeds).clone();
    let kind = dice.below(10);
    if kind < 6 {
        (0..=dice.below(2)).for_each(|_| change(&mut value, dice, seeds));
    }
    let line = value.to_string();
    if (1..6).contains(&kind) {
        return line;
    }
    let mut bytes = line.into_bytes();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len().max(1));
        let end = at + dice.below((bytes.len() - at).min(40) + 1);
        match dice.below(5) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.truncate(at),
            3 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            _ => drop(bytes.splice(at..at, dice.pick(PIECES).bytes())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Checks that a fault can be printed, with its line and column.
fn assert_fault(fault: &Fault, line: &str) {
    assert!(
        line.get(fault.span.clone()).is_some(),
        "the place {:?} of `{}`",
        fault.span,
        fault.message
    );
    assert!(!fault.message.is_empty());
    let report = json::fault(fault, line);
    assert_eq!(report["fault"]["message"], fault.message.as_str());
    assert_eq!(report["fault"]["span"], json!([fault.span.start, fault.span.end]));
    let (number, column) =
        (report["fault"]["line"].as_u64().unwrap(), report["fault"]["column"].as_u64().unwrap());
    let text = line.split('\n').nth(number as usize - 1).unwrap();
    assert!(
        column >= 1 && column as usize <= text.chars().count() + 1,
        "column {column} of {text:?}"
    );
}

/// Returns the largest number in a line. Lines with large numbers are not answered, as they could
/// take long.
fn largest(text: &str) -> u64 {
    let numbers =
        text.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.map(|digits| digits.parse().unwrap_or(u64::MAX)).max().unwrap_or(0)
}

/// Reads a line and answers it if `answers`. Returns whether it could be read, and whether it was
/// answered.
pub fn try_line(line: &str, answers: bool) -> (bool, bool) {
    let request = match api::read(line, &GAMES, &no_files) {
        Ok(request) => request,
        Err(fault) => {
            assert_fault(&fault, line);
            return (false, false);
        }
    };
    let known = request.canonical.to_string();
    match api::read(&known, &GAMES, &no_files) {
        Ok(again) => assert_eq!(again.canonical.to_string(), known, "{line}"),
        Err(fault) => panic!("{known}: {fault}"),
    }
    if !answers || line.len() > LONGEST || line.matches("x ").count() > 2 {
        return (true, false);
    }
    let options = Options { trials: Trials::Number(1_000), stratify: 0, ..request.options };
    let (places, command) = (request.node.clone(), request.command());
    match api::ask(request.request, command, &options) {
        Ok(answer) => drop(json::answer(&answer).unwrap().to_string()),
        Err(refused) => {
            if let Refused::Field(error) = &refused {
                assert_fault(&api::read::blamed(&places, error.clone()), line);
            }
            let report = json::refused(refused, &places, line);
            assert!(report["fault"]["message"].as_str().is_some_and(|message| !message.is_empty()));
        }
    }
    (true, true)
}

#[test]
fn mutated_lines_never_panic() {
    let all = STORED.iter().filter(|(_, answer)| is_small(answer)).map(|(request, _)| request);
    let all = all.filter_map(|request| translate::request(request).ok()).map(Value::Object);
    let seeds: Vec<Value> = all.filter(|value| value.to_string().len() <= LONGEST).collect();
    assert!(seeds.len() > 1_000, "{} seeds", seeds.len());
    let mut dice = Dice(0x5eed_11e5);
    let (mut read, mut answered) = (0, 0);
    for number in 0..LINES {
        let line = mutated(&seeds, &mut dice);
        let answers = dice.below(ANSWERED as usize) == 0 && largest(&line) <= 1_000;
        match catch_unwind(AssertUnwindSafe(|| try_line(&line, answers))) {
            Ok((is_read, is_answered)) => {
                (read, answered) =
                    (read + usize::from(is_read), answered + usize::from(is_answered))
            }
            Err(_) => panic!("line {number}: {line}"),
        }
    }
    eprintln!("{read} of {LINES} could be read, {answered} were answered");
    assert!(read >= 1_000 && answered >= 300, "{read} could be read, {answered} were answered");
}

#[test]
fn very_deep_and_very_long_lines_are_refused() {
    let deep = "[".repeat(200_000);
    let long = format!("{{\"kind\": \"{}\"}}", "x".repeat(200_000));
    let open = "{\"a\":".repeat(100_000);
    let lists = format!(
        "{{\"kind\": \"rally\", \"stack\": {}1{}}}",
        "[".repeat(60_000),
        "]".repeat(60_000)
    );
    let stack =
        format!("{{\"kind\": \"rally\", \"stack\": \"{}4-6-7\"}}", "4-6-7 + ".repeat(20_000));
    for line in [deep, long, open, lists, stack] {
        assert_eq!(try_line(&line, false), (false, false));
    }
}
