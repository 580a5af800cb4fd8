//! The notation of units, common to all games: `2x unit/base=12,hesitant + samurai-cavalry`. The
//! game defines what the words mean.
//!
//! ```text
//! units     = item { sign item }
//! sign      = "+" | "&" | "," | "and"
//! item      = [N ["x" | "*"]] name ["/" condition {"," condition}] | name [...] ("x" | "*") N
//! condition = word ["=" value]
//! ```
//!
//! Blanks are allowed between any two of these. The canonical spelling is the example above.

use std::fmt::Display;
use std::ops::Range;

use engine::text::{Fault, canonical};

/// The declarations of a game about its units, for the parser.
#[derive(Clone, Copy, Debug)]
pub struct Grammar {
    /// The noun for a unit: `unit`, `counter`.
    pub unit: &'static str,
    /// Largest number of equal units in one item.
    pub most: usize,
    pub example: &'static str,
    /// Returns true if a word begins a new unit. `behind_conditions` is true if the word follows
    /// the conditions of a unit, where a comma could continue them, and false if it follows a name.
    pub begins: fn(word: &str, behind_conditions: bool) -> bool,
}

/// One item of a text: a unit as written, with its number.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    text: &'a str,
    pub count: usize,
    /// Byte range of the unit, without the number.
    pub span: Range<usize>,
    pub name: Range<usize>,
    facts: Option<Range<usize>>,
    grammar: Grammar,
}

/// A condition of a unit: `hesitant`, or `base=12`.
#[derive(Clone, Debug)]
pub struct UnitFact<'a> {
    /// Name in canonical spelling.
    pub name: String,
    pub value: Option<&'a str>,
    pub text: &'a str,
    pub span: Range<usize>,
}

/// The text between two signs.
struct Part {
    span: Range<usize>,
    /// The separator between name and conditions: `/` or a blank.
    facts: Option<Range<usize>>,
    /// The sign that ends the part; `None` for the last part.
    sign: Option<Range<usize>>,
}

/// Parses every item of a text. Fails if a unit is missing, or a number out of range.
pub fn items<'a>(text: &'a str, grammar: Grammar) -> Result<Vec<Item<'a>>, Fault> {
    let unit = grammar.unit;
    if text.trim().is_empty() {
        return Err(Fault::new(format!("expected at least one {unit}"), 0..text.len())
            .help(format!("for example `{}`", grammar.example)));
    }
    let mut items: Vec<Item> = Vec::new();
    let mut before: Option<Range<usize>> = None;
    for Part { span, facts, sign } in parts(text, grammar) {
        let missing = |side: &str, sign: Range<usize>| {
            let message = format!("a {unit} is missing {side} `{}`", &text[sign.clone()]);
            Err(Fault::new(message, sign))
        };
        let span = trimmed(text, span);
        match (span.is_empty(), &sign, before) {
            (true, Some(sign), _) => return missing("before", sign.clone()),
            (true, None, Some(sign)) => return missing("after", sign),
            _ => {}
        }
        let (count, span) = counted(text, span, grammar)?;
        let end = facts.as_ref().map_or(span.end, |facts| facts.start.clamp(span.start, span.end));
        let name = trimmed(text, span.start..end);
        let facts = facts.map(|facts| facts.end.min(span.end)..span.end);
        items.push(Item { text, count, span, name, facts, grammar });
        before = sign;
    }
    Ok(items)
}

/// Parses every unit of a text, as [`items`] does. An item `3x ...` gives three units.
pub fn units<'a>(text: &'a str, grammar: Grammar) -> Result<Vec<Item<'a>>, Fault> {
    let repeated = |item: Item<'a>| std::iter::repeat_n(item.clone(), item.count);
    Ok(items(text, grammar)?.into_iter().flat_map(repeated).collect())
}

/// Returns true if a word begins with a digit (a number of units), or is a `known` unit.
pub fn is_unit<'a>(word: &str, mut known: impl Iterator<Item = &'a str>) -> bool {
    let name = canonical(word);
    word.starts_with(|letter: char| letter.is_ascii_digit()) || known.any(|unit| unit == name)
}

fn parts(text: &str, grammar: Grammar) -> Vec<Part> {
    let (mut parts, mut start, mut facts) = (Vec::new(), 0, None);
    for (at, letter) in text.char_indices().filter(|(_, letter)| !letter.is_alphanumeric()) {
        let (next, behind) = (at + letter.len_utf8(), &text[at + letter.len_utf8()..]);
        if at < start {
            continue;
        }
        let word = first_word(behind);
        let sign = match letter {
            '&' => Some(at..next),
            '+' => (!is_in_name(&text[start..at], behind)).then_some(at..next),
            ',' => (grammar.begins)(word, facts.is_some()).then_some(at..next),
            _ if letter.is_whitespace() && word.eq_ignore_ascii_case("and") => {
                let word = word.as_ptr() as usize - text.as_ptr() as usize;
                Some(word..word + "and".len())
            }
            _ => None,
        };
        if let Some(sign) = sign {
            let end = sign.end;
            parts.push(Part { span: start..sign.start, facts: facts.take(), sign: Some(sign) });
            start = end;
            continue;
        }
        let is_named = !text[start..at].trim().is_empty();
        let is_condition = || !word.is_empty() && !(grammar.begins)(word, false);
        let goes_on = letter.is_whitespace() && is_named && is_condition();
        if facts.is_none() && (letter == '/' || goes_on) {
            facts = Some(at..next);
        }
    }
    parts.push(Part { span: start..text.len(), facts, sign: None });
    parts
}

/// Returns the first word of a text, up to a blank or a separator.
fn first_word(text: &str) -> &str {
    let ends = |letter: char| letter.is_whitespace() || ['+', '&', ',', '/'].contains(&letter);
    text.trim_start().split(ends).next().unwrap_or_default()
}

/// Returns true if a `+` is in a name such as `6+1` or `ldr-6+1`, between two digits.
fn is_in_name(before: &str, behind: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let (left, right) = (before.trim_end_matches(is_digit), behind.trim_start_matches(is_digit));
    let mut letters = left.chars().rev();
    let is_spaced = match letters.next() {
        Some('-') => letters.next().is_some_and(char::is_alphabetic),
        Some(letter) => letter.is_whitespace() || is_times(letter) || matches!(letter, ':' | '_'),
        None => true,
    };
    let is_between = left.len() + 1 == before.len() && right.len() + 1 == behind.len();
    is_between && is_spaced && !right.starts_with('-')
}

fn is_times(letter: char) -> bool {
    matches!(letter, 'x' | 'X' | '*' | '\u{d7}')
}

fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let piece = &text[span.clone()];
    let start = span.start + piece.len() - piece.trim_start().len();
    start..(start + piece.trim().len())
}

/// Returns the number of units in an item, and the byte range of the unit without the number.
fn counted(
    text: &str,
    span: Range<usize>,
    grammar: Grammar,
) -> Result<(usize, Range<usize>), Fault> {
    let piece = &text[span.clone()];
    let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
    let behind = piece[digits..].trim_start();
    let is_spaced = behind.len() < piece.len() - digits;
    let number = |digits: &str, at: Range<usize>| {
        let number = digits.parse().ok().filter(|number| (1..=grammar.most).contains(number));
        let Grammar { unit, most, .. } = grammar;
        let fault = || Fault::new(format!("expected a number of {unit}s from 1 to {most}"), at);
        number.ok_or_else(fault)
    };
    if digits > 0 {
        let times = behind.chars().next().filter(|&letter| {
            let next = behind[letter.len_utf8()..].chars().next();
            // A name may begin with this letter.
            let is_sign = next.is_none_or(|next| next.is_whitespace() || next.is_ascii_digit());
            is_times(letter) && (!is_spaced || !letter.is_alphabetic() || is_sign)
        });
        if times.is_some() || is_spaced {
            let rest = &behind[times.map_or(0, char::len_utf8)..];
            let rest_span = trimmed(text, span.end - rest.len()..span.end);
            let number_span = trimmed(text, span.start..span.end - rest.len());
            let number = match number(&piece[..digits], number_span.clone()) {
                // `467 broken` is a unit called by digits: a unit follows any number.
                Err(_) if times.is_none() && !(grammar.begins)(first_word(rest), true) => {
                    return Ok((1, span));
                }
                number => number?,
            };
            return match rest_span.is_empty() {
                true => {
                    let message = format!("a {} is missing after the number", grammar.unit);
                    Err(Fault::new(message, number_span))
                }
                false => Ok((number, rest_span)),
            };
        }
    }
    let Some((at, sign)) = piece.char_indices().rfind(|&(_, letter)| is_times(letter)) else {
        return Ok((1, span));
    };
    let (before, digits) = (&piece[..at], piece[at + sign.len_utf8()..].trim());
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || sign.is_alphabetic() && !before.ends_with(char::is_whitespace) {
        return Ok((1, span));
    }
    let number = number(digits, span.start + at..span.end)?;
    Ok((number, trimmed(text, span.start..span.start + at)))
}

/// Returns the byte ranges of the words in one part of a text.
pub fn words(text: &str, span: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    text[span].split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// Returns a unit in the notation: its name and the conditions that hold.
pub fn written(name: &str, conditions: impl IntoIterator<Item = Option<String>>) -> String {
    let conditions: Vec<String> = conditions.into_iter().flatten().collect();
    if conditions.is_empty() {
        name.to_string()
    } else {
        format!("{name}/{}", conditions.join(","))
    }
}

/// Returns a condition as written, if it holds.
pub fn condition(word: &str, holds: bool) -> Option<String> {
    holds.then(|| word.to_string())
}

/// Returns a condition with its number as written, if there is one: `base=12`.
pub fn numbered(word: &str, number: Option<impl Display>) -> Option<String> {
    number.map(|number| format!("{word}={number}"))
}

/// Returns units in the notation.
pub fn joined<T: Display>(units: &[T]) -> String {
    units.iter().map(T::to_string).collect::<Vec<_>>().join(" + ")
}

impl<'a> Item<'a> {
    /// Returns the unit's name as written.
    pub fn name(&self) -> &'a str {
        &self.text[self.name.clone()]
    }

    /// Returns the byte ranges of the words of the unit's name.
    pub fn words(&self) -> Vec<Range<usize>> {
        words(self.text, self.name.clone()).collect()
    }

    /// Returns the fault of a second unit without a sign before it.
    pub fn without_sign(&self, word: Range<usize>) -> Fault {
        let fault = Fault::new(format!("expected `+` before `{}`", &self.text[word.clone()]), word);
        fault.help(format!("write ` + ` between {}s, with spaces", self.grammar.unit))
    }

    /// Returns the entry of `known` that the item names. Fails if none or a second word is there.
    pub fn named<T>(
        &self,
        known: &'static [T],
        name_of: impl Fn(&T) -> &'static str,
    ) -> Result<&'static T, Fault> {
        if let Some(second) = self.words().into_iter().nth(1) {
            return Err(self.without_sign(second));
        }
        let name = self.name();
        known.iter().find(|unit| name_of(unit) == canonical(name)).ok_or_else(|| {
            let fault = Fault::new(format!("no unit is called `{name}`"), self.name.clone());
            fault.expecting(name, known.iter().map(name_of))
        })
    }

    /// Parses the conditions. Fails if one is missing or repeated, or a sign is missing.
    pub fn conditions(&self) -> Result<Vec<UnitFact<'a>>, Fault> {
        let mut facts: Vec<UnitFact> = Vec::new();
        let Some(all) = &self.facts else { return Ok(facts) };
        let missing = |span: Range<usize>| {
            let message = "a condition is missing after `/` or `,`";
            let before = self.text[..span.start].chars().next_back().map_or(0, char::len_utf8);
            Fault::new(message, span.start - before..span.end)
        };
        let mut at = all.start;
        for piece in self.text[all.clone()].split(',') {
            let span = at..at + piece.len();
            at = span.end + 1;
            if piece.trim().is_empty() {
                return Err(missing(span));
            }
            for span in self.split_conditions(span)? {
                let text = &self.text[span.clone()];
                let (word, value) = text
                    .split_once('=')
                    .map_or((text, None), |(word, value)| (word, Some(value.trim())));
                let name = canonical(word);
                if name.is_empty() {
                    return Err(missing(span));
                }
                if facts.iter().any(|earlier| earlier.name == name) {
                    return Err(Fault::new(format!("`{name}` is given twice"), span));
                }
                facts.push(UnitFact { name, value, text, span });
            }
        }
        Ok(facts)
    }

    /// Splits conditions separated only by blanks. Blanks around `=` belong to a condition.
    fn split_conditions(&self, span: Range<usize>) -> Result<Vec<Range<usize>>, Fault> {
        let mut conditions: Vec<Range<usize>> = Vec::new();
        for word in words(self.text, span) {
            let text = &self.text[word.clone()];
            match conditions.last_mut() {
                Some(last) if text.starts_with('=') || self.text[last.clone()].ends_with('=') => {
                    last.end = word.end
                }
                Some(_) if (self.grammar.begins)(text, true) => {
                    return Err(self.without_sign(word));
                }
                _ => conditions.push(word),
            }
        }
        Ok(conditions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let item = |item: Item| -> Result<String, Fault> {
            let conditions =
                item.conditions()?.into_iter().map(|condition| match condition.value {
                    Some(value) => format!(" {}={value}", condition.name),
                    None => format!(" {}", condition.name),
                });
            Ok(item.named(&["unit", "gun"], |name| *name)?.to_string()
                + &conditions.collect::<String>())
        };
        let begins = |word: &str, behind_conditions: bool| {
            !behind_conditions || is_unit(word, ["gun", "unit"].into_iter())
        };
        let grammar = Grammar { unit: "unit", most: 4, example: "gun", begins };
        let shown = units(text, grammar)
            .and_then(|items| items.into_iter().map(item).collect::<Result<Vec<_>, _>>());
        shown.map_or_else(|fault| format!("{:?} {fault}", fault.span), |items| items.join(" + "))
    }

    #[test]
    fn units_parse_in_every_spelling() {
        for (text, units) in [
            ("unit", "unit"),
            (
                "2x Gun/Dp=1,Just_Routed + 1x unit",
                "gun dp=1 just-routed + gun dp=1 just-routed + unit",
            ),
            ("  unit/a=  +  gun ", "unit a= + gun"),
            ("2 unit + 2*gun", "unit + unit + gun + gun"),
            ("2 x unit, Gun & unit", "unit + unit + gun + unit"),
            ("unit x2 and gun*2", "unit + unit + gun + gun"),
            ("unit / a, b c,gun/dp = 1, 1 unit", "unit a b c + gun dp=1 + unit"),
            ("unit+gun,unit", "unit + gun + unit"),
        ] {
            assert_eq!(shown(text), units);
        }
    }

    #[test]
    fn faults_of_units_have_their_place() {
        for (text, fault) in [
            (" ", "0..1 expected at least one unit (for example `gun`)"),
            ("unit +", "5..6 a unit is missing after `+`"),
            ("+ unit", "0..1 a unit is missing before `+`"),
            ("unit + + gun", "7..8 a unit is missing before `+`"),
            ("2x", "0..2 a unit is missing after the number"),
            ("unit,", "4..5 a unit is missing after `,`"),
            ("unit and", "5..8 a unit is missing after `and`"),
            (
                "unit/a unit",
                "7..11 expected `+` before `unit` (write ` + ` between units, with spaces)",
            ),
            ("unit x9", "5..7 expected a number of units from 1 to 4"),
            ("unit gun", "5..8 expected `+` before `gun` (write ` + ` between units, with spaces)"),
            ("5x unit", "0..2 expected a number of units from 1 to 4"),
            ("0xunit", "0..2 expected a number of units from 1 to 4"),
            ("unit + gum/x", "7..10 no unit is called `gum` (did you mean `gun`?)"),
            ("unit/", "4..5 a condition is missing after `/` or `,`"),
            ("unit/a,,b", "6..7 a condition is missing after `/` or `,`"),
            ("gun + unit/é=1,É=2", "16..20 `é` is given twice"),
        ] {
            assert_eq!(shown(text), fault, "{text}");
        }
    }
}
