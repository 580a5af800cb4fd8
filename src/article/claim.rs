//! Checks the claims of an article about an answer: `mmc holds >= 2 > 50 %`,
//! `Low Crawl better than run by 5 points`, `Low Crawl is best`. Also finds the single number that
//! a code span shows.
//!
//! The number of a question has the name of a measure of `--tell`, or of an outcome:
//! `rallied 4-6-7 @ 1`. Courses, choices, plans and the combinations of listed values have one row
//! each. A row is named by its name, or by its values (`leader 9-1, terrain woods`). For an
//! estimate, a claim with `>`, `<` or `better` must hold on the whole 95 % interval.

use std::ops::Range;

use super::fence_info::{refused, span, wrong};
use super::numbers::{self, NamedNumber};
use crate::cli::fault::Result;
use crate::cli::reply::Reply;
use answer::estimate::points_to;
use charts::chart::Unit;
use engine::text::Fault;
use play::Registry;

const SIGNS: [&str; 7] = [">", ">=", "≥", "<", "<=", "≤", "="];

/// Returns whether a number fulfils a claim. `=` holds within half a unit of the last digit.
fn holds(number: &NamedNumber, sign: &str, bound: &Written) -> bool {
    let (low, high) = number.ends();
    match sign {
        ">" => low > bound.value + ROUNDING,
        ">=" | "≥" => low >= bound.value - ROUNDING,
        "<" => high < bound.value - ROUNDING,
        "<=" | "≤" => high <= bound.value + ROUNDING,
        _ => (number.number.value - bound.value).abs() <= bound.half + ROUNDING,
    }
}

const BETTER: &str = "better";
const HELP: &str = "for example `mmc holds >= 2 > 50 %`, `run < 40 %`, `run better than Low Crawl \
    by 5 points`, `even odds by 2`";

/// A number as the author wrote it, such as `50 %`, `5 points` or `1.5`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Written {
    value: f64,
    half: f64,
    is_share: bool,
}

type Word<'a> = (&'a str, Range<usize>);

fn words(text: &str) -> Vec<Word<'_>> {
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().map(|word| (word, place(word)..place(word) + word.len())).collect()
}

/// Checks a claim about an answer. Returns `None` if it is true, and otherwise the true statement.
pub fn check(claim: &str, reply: &Reply, registry: &Registry) -> Result<Option<String>> {
    let words = words(claim);
    if let [("even", _), ("odds", _), ("by", _), rest @ ..] = &words[..] {
        let number = rest.last().and_then(|(word, _)| word.parse::<u16>().ok());
        let number = number.ok_or_else(|| {
            refused(claim, "expected the number of a phase", 0..claim.len(), "even odds by 2")
        })?;
        return numbers::even_odds(claim, reply, number);
    }
    if let Some(at) = words.iter().position(|(word, _)| *word == BETTER) {
        let by = words.iter().position(|(word, _)| *word == "by");
        let end = by.map_or(claim.len(), |by| words[by].1.start);
        let least = match by {
            Some(by) => written(claim, &words[by + 1..])?,
            None => Written { value: 0.0, half: 0.0, is_share: true },
        };
        let leads = leads(&claim[..end], at, reply)?;
        let narrow = |lead: &&Lead| match by {
            Some(_) => lead.low < least.value - ROUNDING,
            None => lead.low <= ROUNDING,
        };
        return Ok(leads.iter().find(narrow).map(Lead::in_words));
    }
    if let Some(at) = words.iter().position(|(word, _)| *word == "is") {
        let place = &words[at].1;
        return is(claim, claim[..place.start].trim(), claim[place.end..].trim(), reply);
    }
    let Some(at) = words.iter().rposition(|(word, _)| SIGNS.contains(word)) else {
        return Err(refused(claim, "a claim must compare two numbers", 0..claim.len(), HELP));
    };
    let sign = words[at].0;
    let bound = written(claim, &words[at + 1..])?;
    let numbers_found = numbers::find(claim[..words[at].1.start].trim(), reply, registry)?;
    let after = words[at].1.end..claim.len();
    for number in &numbers_found {
        if number.unit == Unit::Number && bound.is_share {
            let message = "this is a number, not a probability";
            return Err(refused(claim, message, after, "remove `%`"));
        }
        if number.unit != Unit::Number && !bound.is_share && bound.value > 1.0 {
            let message = "a probability must be at most 1";
            return Err(refused(claim, message, after, "write `%` after the number"));
        }
    }
    Ok(numbers_found.iter().find(|number| !holds(number, sign, &bound)).map(|number| {
        let name = number.parts.join(", ");
        let name = if name.is_empty() { "it".to_string() } else { name };
        format!("{name} is {}", number.render(3))
    }))
}

/// Checks that the named rows are best, or that each has the best choice `what`.
fn is(claim: &str, name: &str, what: &str, reply: &Reply) -> Result<Option<String>> {
    let rows = numbers::rows(reply);
    let selected = numbers::named(claim, name, &rows)?;
    if what == "best" {
        let better = rows.iter().find(|row| selected.iter().any(|one| row.lead(one).0 > ROUNDING));
        return Ok(better.map(|row| format!("{} is better", row.parts.join(", "))));
    }
    let known: Vec<&str> = rows.iter().filter_map(|row| row.number.word.as_deref()).collect();
    if !known.contains(&what) {
        let fault = Fault::new(format!("no row has the value `{what}`"), span(claim, what));
        return Err(wrong(claim, fault.expecting(what, known.into_iter().chain(["best"]))));
    }
    let other = selected.iter().find(|row| row.number.word.as_deref() != Some(what));
    Ok(other.map(|row| {
        format!("{} is {}", row.parts.join(", "), row.number.word.as_deref().unwrap_or_default())
    }))
}

const ROUNDING: f64 = 1e-12;

/// Returns the only number that `words_of` names, with a no-break space before its unit.
pub fn render(words_of: &str, reply: &Reply, registry: &Registry) -> Result<String> {
    let words = words(words_of);
    let better = words.iter().position(|(word, _)| *word == BETTER);
    let in_lead = |lead: Lead| (lead.number(), lead.names);
    let alone = |number: NamedNumber| (number.render(1), number.parts.join(", "));
    let found: Vec<(String, String)> = match better {
        Some(at) => leads(words_of, at, reply)?.into_iter().map(in_lead).collect(),
        None => numbers::find(words_of, reply, registry)?.into_iter().map(alone).collect(),
    };
    if let [(number, _)] = &found[..] {
        return Ok(number.replace(" %", "\u{a0}%").replace(" points", "\u{a0}points"));
    }
    let names: Vec<String> = found.iter().take(4).map(|(_, name)| format!("`= {name}`")).collect();
    let help = format!("choose one of {}", names.join(", "));
    Err(refused(words_of, "a code span must give one number", 0..words_of.len(), help))
}

struct Lead {
    names: String,
    value: f64,
    /// The lower end of the 95 % interval of `value`; equal to `value` if the answer is exact.
    low: f64,
    unit: Unit,
}

impl Lead {
    fn number(&self) -> String {
        match self.unit {
            Unit::Number => format!("{:.2}", self.value),
            _ => format!("{:.1}", 100.0 * self.value),
        }
    }

    fn in_words(&self) -> String {
        let number = |value: f64| match self.unit {
            Unit::Number => format!("{value:+.4}"),
            _ => points_to(value, 2),
        };
        let low = Some(self.low).filter(|low| *low < self.value - ROUNDING);
        let low = low.map(|low| format!(" (95 %: {} at least)", number(low)));
        format!("{} is {}{}", self.names, number(self.value), low.unwrap_or_default())
    }
}

/// Returns the lead in each pair of rows of `A better [than B]` that agree in all other names.
fn leads(claim: &str, at: usize, reply: &Reply) -> Result<Vec<Lead>> {
    let words = words(claim);
    let one = claim[..words[at].1.start].trim();
    let other = match words.get(at + 1) {
        Some(("than", than)) => Some(claim[than.end..].trim()),
        None => None,
        Some((word, place)) => {
            return Err(refused(claim, format!("unexpected `{word}`"), place.clone(), HELP));
        }
    };
    let rows = numbers::rows(reply);
    let better = numbers::named(claim, one, &rows)?;
    let worse = match other {
        Some(other) => numbers::named(claim, other, &rows)?,
        None => rows
            .iter()
            .filter(|row| better.iter().all(|better| better.parts != row.parts))
            .collect(),
    };
    let is_alike = |one_part: &str, other_part: &str| {
        one_part == other_part
            || numbers::names(one, one_part)
                && other.is_none_or(|other| numbers::names(other, other_part))
    };
    let mut leads = Vec::new();
    for number in &better {
        let alike = |row: &&&NamedNumber| {
            number.parts.iter().zip(&row.parts).all(|(one, other)| is_alike(one, other))
        };
        leads.extend(worse.iter().filter(alike).map(|other| {
            let (value, low) = number.lead(other);
            let names = format!("{} against {}", number.parts.join(", "), other.parts.join(", "));
            Lead { names, value, low, unit: number.unit }
        }));
    }
    if leads.is_empty() {
        let message = "the answer has no other row to compare with";
        return Err(refused(claim, message, span(claim, one), HELP));
    }
    Ok(leads)
}

fn written(claim: &str, words: &[Word]) -> Result<Written> {
    let place = words.first().map_or(claim.len(), |(_, place)| place.start)..claim.len();
    let text = &claim[place.clone()];
    let (number, unit) = match text.find(|letter: char| !"0123456789.+-".contains(letter)) {
        Some(end) => (&text[..end], text[end..].trim()),
        None => (text, ""),
    };
    let help = "for example `50 %`, `5 points`, `0.5`";
    let fault = |message: String| refused(claim, message, place.clone(), help);
    let value = number.parse::<f64>().ok().filter(|value| value.is_finite());
    let value = value.ok_or_else(|| fault("expected a number".to_string()))?;
    let is_share = match unit {
        "%" | "points" | "point" => true,
        "" => false,
        unit => return Err(fault(format!("`{unit}` must be `%` or `points`"))),
    };
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let scale = if is_share { 100.0 } else { 1.0 };
    let half = 0.5 * 10f64.powi(-(digits as i32)) / scale;
    Ok(Written { value: value / scale, half, is_share })
}
