//! The notation of units: `panzer-iv/dp=1 + 2x unit/reaction=3,at=4`.
//!
//! ```text
//! units = item { WS "+" WS item }
//! item  = [N "x" [WS]] name ["/" condition {"," condition}]
//! ```

use std::ops::Range;

use super::unit::{Behind, MAX_UNITS, Member, PRESETS, Unit, Values};
use crate::text::{Fault, canonical};

/// Units as they are written, each with the bytes of the text it stands in.
#[derive(Clone, Debug)]
pub struct Written(pub Vec<(Member, Range<usize>)>);

const CONDITIONS: [&str; 15] = [
    "reaction=N",
    "artillery=N",
    "at=N",
    "fp=N",
    "cohesion=N",
    "fast",
    "soft",
    "dp=N",
    "suppressed",
    "fired",
    "moved=N",
    "edge=N",
    "cover=N",
    "enemy=N",
    "friend=N-N",
];

impl Written {
    /// Reads up to `most` units; spans are bytes of `text`.
    pub fn parse(text: &str, most: usize) -> Result<Written, Fault> {
        let mut words = words(text);
        let mut units = Vec::new();
        let missing = |at| Fault::new("a unit is missing", at).help("for example `panzer-iv`, or `unit/reaction=3,at=4`");
        let mut sign = 0..text.len();
        loop {
            let mut word = words.next().filter(|word| &text[word.clone()] != "+").ok_or_else(|| missing(sign.clone()))?;
            let mut count = 1;
            if let Some((number, length)) = multiplier(&text[word.clone()]) {
                count = number.ok_or_else(|| {
                    Fault::new(format!("expected a number of units from 1 to {MAX_UNITS}"), word.start..word.start + length)
                })?;
                let rest = word.start + length..word.end;
                word = if rest.is_empty() { words.next().ok_or_else(|| missing(word))? } else { rest };
            }
            let member = member(text, word.clone())?;
            units.extend(std::iter::repeat_n((member, word), count));
            match words.next() {
                None => break,
                Some(plus) if &text[plus.clone()] == "+" => sign = plus,
                Some(other) => {
                    let fault = Fault::new(format!("expected `+` before `{}`", &text[other.clone()]), other);
                    return Err(fault.help("write ` + ` between units, with spaces"));
                }
            }
        }
        if units.len() > most {
            let units = units.len();
            return Err(match most {
                1 => Fault::new(format!("{units} units, where one is asked for"), 0..text.len()),
                _ => Fault::new(format!("{units} units: a Command Group has at most {most}"), 0..text.len()),
            });
        }
        Ok(Written(units))
    }
}

/// Ranges of the words of a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// `2x` at the start of a word: the number, if it is a sensible one, and its length with the sign.
fn multiplier(word: &str) -> Option<(Option<usize>, usize)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let follows = digits > 0 && word.as_bytes().get(digits) == Some(&b'x');
    follows.then(|| (word[..digits].parse().ok().filter(|number| (1..=MAX_UNITS).contains(number)), digits + 1))
}

fn member(text: &str, span: Range<usize>) -> Result<Member, Fault> {
    let word = &text[span.clone()];
    let (name, conditions) = word.split_once('/').map_or((word, None), |(name, conditions)| (name, Some(conditions)));
    let preset = PRESETS.iter().find(|preset| preset.name == canonical(name)).ok_or_else(|| {
        let fault = Fault::new(format!("no unit is called `{name}`"), span.start..span.start + name.len());
        fault.expecting(name, PRESETS.iter().map(|preset| preset.name))
    })?;
    let mut member = Member { preset, values: Values::default(), start: Unit::default() };
    let mut said: Vec<String> = Vec::new();
    let mut at = span.start + name.len() + 1;
    for condition in conditions.into_iter().flat_map(|conditions| conditions.split(',')) {
        let span = at..at + condition.len();
        let head = canonical(condition.split('=').next().unwrap_or_default());
        if said.contains(&head) {
            return Err(Fault::new(format!("`{head}` is said twice"), span));
        }
        read_condition(&mut member, condition, span.clone())?;
        said.push(head);
        at = span.end + 1;
    }
    check_behind(member.start.behind, span)?;
    Ok(member)
}

fn read_condition(member: &mut Member, condition: &str, span: Range<usize>) -> Result<(), Fault> {
    let (name, value) = condition.split_once('=').map_or((condition, None), |(name, value)| (name, Some(value)));
    let number = |low: u16, high: u16| {
        let read = value.and_then(|value| value.parse::<u16>().ok()).filter(|number| (low..=high).contains(number));
        let message = || format!("`{}=` must be a whole number from {low} to {high}", canonical(name));
        read.ok_or_else(|| Fault::new(message(), span.clone()))
    };
    let dice = || number(0, 20).map(|dice| Some(dice as u8));
    let inches = || number(0, 99).map(|inches| Some(inches as u8));
    let Member { values, start, .. } = member;
    match (canonical(name).as_str(), value.is_some()) {
        ("reaction", true) => values.reaction = dice()?,
        ("artillery", true) => values.artillery = dice()?,
        ("at", true) => values.at = dice()?,
        ("fp", true) => values.fp = dice()?,
        ("cohesion", true) => values.cohesion = Some(number(1, 40)? as u8),
        ("fast", false) => values.fast = true,
        ("soft", false) => values.soft = true,
        ("dp", true) => start.dp = number(0, 39)? as u8,
        ("suppressed", false) => start.suppressed = true,
        ("fired", false) => start.fired = true,
        ("moved", true) => start.moved = number(0, 9999)?,
        ("edge", true) => start.behind.edge = inches()?,
        ("cover", true) => start.behind.cover = inches()?,
        ("enemy", true) => start.behind.enemy = inches()?,
        ("friend", true) => start.behind.friend = Some(friend(value.unwrap_or_default(), span)?),
        ("", _) => return Err(Fault::new("a condition is missing after `/` or `,`", span.start.saturating_sub(1)..span.end)),
        (name, _) => return Err(unknown(condition, name, span)),
    }
    Ok(())
}

/// A condition that there is not, or not with a value, or not without one.
fn unknown(condition: &str, name: &str, span: Range<usize>) -> Fault {
    match CONDITIONS.iter().find(|known| known.split('=').next() == Some(name)) {
        Some(known) if known.contains('=') => Fault::new(format!("`{name}` wants a value: `{known}`"), span),
        Some(_) => Fault::new(format!("`{name}` takes no value"), span),
        None => Fault::new(format!("no condition is called `{condition}`"), span).expecting(condition, CONDITIONS),
    }
}

/// `7-10`.
fn friend(value: &str, span: Range<usize>) -> Result<(u8, u8), Fault> {
    let numbers = value.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    numbers.filter(|&(from, to)| from < to && to <= 99u8).ok_or_else(|| {
        let message = "`friend=` must be two rising whole numbers from 0 to 99 with `-` between them";
        Fault::new(message, span).help("`friend=7-10`: a move that would end from 7 on, but short of 10, goes on to 10 inches")
    })
}

/// Nothing is off the table, and a friend leaves room where he is passed through to.
fn check_behind(behind: Behind, span: Range<usize>) -> Result<(), Fault> {
    let fault = |message: &str| Err(Fault::new(message, span.clone()));
    let Behind { edge, cover, enemy, friend } = behind;
    let beyond = |place: Option<u8>| edge.zip(place).is_some_and(|(edge, place)| place > edge);
    if beyond(cover) || beyond(enemy) || beyond(friend.map(|(_, to)| to)) {
        return fault("what is behind a unit cannot be farther than the table edge");
    }
    let in_friend = |place: Option<u8>| friend.zip(place).is_some_and(|((from, to), place)| (from..to).contains(&place));
    if in_friend(cover) || in_friend(enemy) {
        return fault("neither cover nor an enemy can be where a friend stands");
    }
    Ok(())
}
