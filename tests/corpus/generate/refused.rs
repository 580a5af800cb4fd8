//! What is turned away: requests with a letter, a number, a type or a line that is wrong, and
//! contradictions written by hand.

use super::dice::Dice;
use super::shipped::words;
use super::{
    Request, campaigns, compared, fortitude, reaction, request, sequences, situations, stacks,
    studies, traces,
};
use crate::store::Runs;

/// A good request, spoilt.
pub fn refused(dice: &mut Dice) -> Request {
    let of = dice.pick(&[
        stacks::fire as fn(&mut Dice) -> Request,
        stacks::check,
        stacks::rally,
        stacks::interdict,
        sequences::sequence,
        sequences::sequence,
        campaigns::solve,
        campaigns::solve,
        compared::compare,
        compared::compare,
        situations::rout,
        situations::rout,
        situations::rout,
        fortitude::fortitude,
        fortitude::fortitude,
        reaction::reaction,
        reaction::reaction,
        studies::study,
        studies::study,
        traces::trace,
        traces::board,
    ]);
    let mut request = of(dice);
    request.area = "refused".to_string();
    request.runs = Runs::Plain;
    match request.files.len() {
        0 => spoil_arguments(dice, &mut request.arguments),
        _ if dice.percent(20) => spoil_arguments(dice, &mut request.arguments),
        count => {
            let place = dice.below(count);
            if let Some(text) = request.files.values_mut().nth(place) {
                *text = if text.contains(" = ") {
                    spoilt_toml(dice, text)
                } else {
                    spoilt_table(dice, text)
                };
            }
        }
    }
    request
}

/// A word with a letter too few, too many, or in the wrong place.
fn misspelt(dice: &mut Dice, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let places: Vec<usize> =
        (0..letters.len()).filter(|&place| letters[place].is_alphanumeric()).collect();
    if places.is_empty() {
        return format!("{word}x");
    }
    let place = dice.pick(&places);
    match dice.below(3) {
        0 => drop(letters.remove(place)),
        1 => letters.insert(place, letters[place]),
        _ if place > 0 => letters.swap(place - 1, place),
        _ => letters.push('x'),
    }
    letters.into_iter().collect()
}

const NUMBERS: [&str; 8] = ["-1", "0", "7", "99", "100000", "1.5", "99999999999999999999", "one"];
const VALUES: [&str; 8] = ["true", "\"words\"", "3", "[1, 2]", "{ from = 1 }", "1.5", "\"\"", "-4"];
/// Fields of some kind or other.
const ALIENS: [&str; 16] = [
    "fp 4",
    "mc 1",
    "hexes 2",
    "phases 2",
    "terrain woods",
    "turns 3",
    "sides flank",
    "dice 4",
    "volleys 2",
    "cause morale",
    "plans 2",
    "wild 1",
    "policy best",
    "leader 8-1",
    "keep-dm true",
    "unit K5",
];

fn spoil_arguments(dice: &mut Dice, arguments: &mut Vec<String>) {
    let count = arguments.len();
    let place = dice.below(count);
    let options: Vec<usize> =
        (0..arguments.len()).filter(|&place| arguments[place].starts_with("--")).collect();
    let option = if options.is_empty() { None } else { Some(dice.pick(&options)) };
    match (dice.below(16), option) {
        (0, Some(option)) => {
            arguments[option] = format!("--{}", misspelt(dice, &arguments[option][2..]))
        }
        (6..=9, Some(option)) if option + 1 < arguments.len() => {
            arguments[option + 1] = dice.pick(&NUMBERS).to_string()
        }
        (10..=13, Some(option)) if option + 1 < arguments.len() => {
            arguments[option + 1] = misspelt(dice, &arguments[option + 1])
        }
        (2, Some(option)) => {
            arguments.extend(arguments[option..].iter().take(2).cloned().collect::<Vec<_>>())
        }
        (3, Some(option)) => arguments.truncate(option + 1),
        (4, _) => {
            let (name, value) = dice.pick(&ALIENS).split_once(' ').unwrap_or_default();
            arguments.extend([format!("--{name}"), value.to_string()]);
        }
        (5, _) => drop(arguments.remove(place)),
        _ => arguments[place.max(1) % count] = misspelt(dice, &arguments[place.max(1) % count]),
    }
}

fn spoilt_toml(dice: &mut Dice, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let keys: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].contains(" = ")).collect();
    let heads: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].starts_with('[')).collect();
    let line = dice.pick(&keys);
    let (key, value) = lines[line]
        .split_once(" = ")
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .unwrap_or_default();
    match dice.below(11) {
        0 | 1 => lines[line] = format!("{} = {value}", misspelt(dice, &key)),
        2 | 3 => lines[line] = format!("{key} = {}", misspelt(dice, &value)),
        4 => lines[line] = format!("{key} = {}", dice.pick(&NUMBERS[..7])),
        5 | 6 => lines[line] = format!("{key} = {}", dice.pick(&VALUES)),
        7 => drop(lines.remove(line)),
        8 => lines.insert(line, lines[line].clone()),
        9 => {
            let (name, value) = dice.pick(&ALIENS).split_once(' ').unwrap_or_default();
            let quote = if value.parse::<u8>().is_ok() || value == "true" { "" } else { "\"" };
            lines.insert(line, format!("{name} = {quote}{value}{quote}"));
        }
        _ if heads.is_empty() || dice.percent(40) => {
            lines[line] = lines[line].replacen(dice.pick(&["\"", " =", "= "]), "", 1)
        }
        _ => {
            let head = dice.pick(&heads);
            lines[head] = misspelt(dice, &lines[head]);
        }
    }
    lines.join("\n") + "\n"
}

/// A table in which a line is misspelt, is there twice, or has lost a cell.
fn spoilt_table(dice: &mut Dice, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let line = if dice.percent(30) { 0 } else { dice.below(lines.len()) };
    match dice.below(4) {
        0 => lines.insert(line, lines[line].clone()),
        1 => {
            lines[line] =
                lines[line].split_once(',').map_or_else(String::new, |(_, rest)| rest.to_string())
        }
        _ => lines[line] = misspelt(dice, &lines[line]),
    }
    lines.join("\n") + "\n"
}

/// Contradictions, and what is missing, written by hand: commands after `$`, each with the file it
/// names below it.
const BY_HAND: &str = include_str!("refused.txt");

pub fn by_hand() -> Vec<Request> {
    let one = |block: &str| {
        let (line, text) = block.split_once('\n').unwrap_or((block, ""));
        let words = words(line);
        let named = words.iter().find(|word| word.ends_with(".toml") && !text.is_empty()).cloned();
        let mut request = request("refused", super::Words(words), [], Runs::Plain);
        request.files.extend(named.map(|name| (name, text.to_string())));
        request
    };
    BY_HAND.split('$').skip(1).map(one).collect()
}
