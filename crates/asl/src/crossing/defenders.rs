//! The defenders of a crossing: who fires from one Location, and what they see of the path.
//!
//! ```text
//! defenders = defender { ";" defender }
//! defender  = NAME [ "no-sff" ] [ "no-fpf" ] ":" FIRERS "@" sight { "," sight }
//!           | NAME [ "no-sff" ] [ "no-fpf" ] ":" FIRERS "@" HEX                on a map
//! sight     = "none" | RANGE { WORD VALUE } [ "nearer" ]
//! WORD      = hindrance | level | hexside | smoke-los | smoke-out
//! ```

use std::ops::Range;

use super::rows::{RowEntry, entries, is_hex_name, listed, split};
use crate::attack::circumstances::CrossedHexside;
use crate::attack::firers::FireGroup;
use crate::kinds::text_value;
use crate::nation::Nation;
use engine::text::{Fault, canonical};
use schema::{FieldValue as _, RawValue, Takes};

/// What a defender sees of a Location of the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DefenderSight {
    pub range: u8,
    pub level: i8,
    pub hindrance: Option<u8>,
    pub hexside: Option<CrossedHexside>,
    pub smoke_los: u8,
    pub smoke_out: u8,
    /// True if a Known armed enemy is nearer, so that there is no Subsequent First Fire (8.3).
    pub is_nearer: bool,
}

/// A defender: the firers of one Location.
#[derive(Clone, Debug)]
pub struct CrossingDefender {
    pub name: String,
    pub by: FireGroup,
    /// The name of their Location on a map, instead of what they see.
    pub hex: Option<String>,
    /// What they see of each Location, in order; `None` without LOS.
    pub at: Vec<Option<DefenderSight>>,
    /// True if the only sight given is that of every Location.
    pub is_everywhere: bool,
    /// True if they use Subsequent First Fire, and FPF.
    pub uses: [bool; 2],
    /// The place in the text, for faults.
    pub span: Range<usize>,
}

/// All defenders, with the text that tells them.
#[derive(Clone, Debug, Default)]
pub struct CrossingDefenders {
    pub defenders: Vec<CrossingDefender>,
    text: String,
}

/// The largest number of defenders.
pub const MOST_DEFENDERS: usize = 8;

text_value!(CrossingDefenders, Takes::Tables("DEFENDER"), CrossingDefenders::parse, |defenders| {
    defenders.text().into()
});

const NONE: &str = "none";
const NEARER: &str = "nearer";
const NO_SFF: &str = "no-sff";
const NO_FPF: &str = "no-fpf";
const HELP: &str = "write `A: 8-1 + german:4-6-7/mmg @ 4, 3, 2`: a name, the firers, and the \
    range to each Location of the path";
const SIGHT_WORDS: [&str; 7] =
    ["range", "level", "hindrance", "hexside", "smoke-los", "smoke-out", NEARER];
const KEYS: [&str; 6] = ["name", "by", "at", "sff", "fpf", NEARER];

impl CrossingDefenders {
    /// Parses the defenders.
    ///
    /// # Errors
    ///
    /// Fails at the place of what is no defender. Spans are bytes.
    pub fn parse(text: &str) -> Result<CrossingDefenders, Fault> {
        let defenders: Vec<CrossingDefender> = match listed(text) {
            Some(tables) => {
                let read = |table: &serde_json::Value| match table.as_str() {
                    Some(words) => of_words(words, 0),
                    None => of_entries(&entries(table, text), text),
                };
                tables?.iter().map(read).collect::<Result<_, _>>()?
            }
            None => {
                let lines = split(text, 0, &[';']).into_iter();
                let lines = lines.filter(|(span, _)| !span.is_empty());
                lines.map(|(span, words)| of_words(&words, span.start)).collect::<Result<_, _>>()?
            }
        };
        let refuse = |message: String| Err(Fault::new(message, 0..text.len()));
        if text.trim().is_empty() {
            return refuse("expected a defender".to_string())
                .map_err(|fault: Fault| fault.help(HELP));
        }
        if defenders.len() > MOST_DEFENDERS {
            return refuse(too_many());
        }
        for (place, defender) in defenders.iter().enumerate() {
            if defenders[..place].iter().any(|other| other.name == defender.name) {
                return refuse(format!(
                    "two defenders are called `{}`: give each its own name",
                    defender.name
                ));
            }
        }
        Ok(CrossingDefenders::from_defenders(defenders))
    }

    /// Builds the list of defenders.
    pub(crate) fn from_defenders(defenders: Vec<CrossingDefender>) -> CrossingDefenders {
        let words: Vec<String> = defenders.iter().map(CrossingDefender::text).collect();
        CrossingDefenders { defenders, text: words.join("; ") }
    }

    /// Returns the text of the defenders.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Returns the message that refuses more than [`MOST_DEFENDERS`].
pub(super) fn too_many() -> String {
    format!("there are at most {MOST_DEFENDERS} defenders")
}

fn group(text: &str, span: Range<usize>) -> Result<FireGroup, Fault> {
    let group = FireGroup::parse(text).map_err(|fault| fault.shifted(span.start))?;
    if group.locations.len() > 1 {
        let fault = Fault::new("a defender stands in one Location", span);
        return Err(fault.help("give the firers of the other Location a name of their own"));
    }
    Ok(group)
}

/// Reads a defender from a text that begins at byte `from`.
fn of_words(text: &str, from: usize) -> Result<CrossingDefender, Fault> {
    let whole = from..from + text.len();
    let fault = |message: &str| Fault::new(message, whole.clone()).help(HELP);
    let (head, rest) = text.split_once(':').ok_or_else(|| fault("expected a name and `:`"))?;
    let (by, sights) = rest.rsplit_once('@').ok_or_else(|| fault("expected `@` and the ranges"))?;
    let units_begin = rest.starts_with(|letter: char| !letter.is_whitespace());
    let last = head.split_whitespace().last().filter(|_| units_begin);
    if last.is_some_and(|word| Nation::from_word(word).is_some()) {
        return Err(fault("expected a name and `:` before the units"));
    }
    let mut words = head.split_whitespace();
    let name = words.next().ok_or_else(|| fault("expected a name before `:`"))?.to_string();
    let mut uses = [true; 2];
    for word in words {
        match canonical(word).as_str() {
            NO_SFF => uses[0] = false,
            NO_FPF => uses[1] = false,
            _ => {
                let place = from + head.find(word).unwrap_or_default();
                let fault = Fault::new(
                    format!("`{word}` tells nothing of a defender"),
                    place..place + word.len(),
                );
                return Err(fault.expecting(word, [NO_SFF, NO_FPF]).help(HELP));
            }
        }
    }
    let blanks = by.len() - by.trim_start().len();
    let start = from + head.len() + 1 + blanks;
    let by = group(by.trim(), start..start + by.trim().len())?;
    let from_sights = from + text.len() - sights.len();
    if let Some(hex) = location_name(sights) {
        let (hex, at) = (Some(hex), Vec::new());
        return Ok(CrossingDefender { name, by, hex, at, is_everywhere: true, uses, span: whole });
    }
    let parts = split(sights, from_sights, &[',']);
    let is_everywhere = parts.len() == 1;
    let read = |(span, words): (Range<usize>, String)| sight_of_words(&words, span);
    let at = parts.into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(CrossingDefender { name, by, hex: None, at, is_everywhere, uses, span: whole })
}

/// Returns the name of a Location of a map, if the text is one.
fn location_name(text: &str) -> Option<String> {
    let is_named = text.split_whitespace().next().is_some_and(is_hex_name);
    is_named.then(|| text.trim().to_string())
}

fn sight_of_words(text: &str, span: Range<usize>) -> Result<Option<DefenderSight>, Fault> {
    let mut words = text.split_whitespace();
    let entry = |key: &str, value: &str| RowEntry {
        key: key.to_string(),
        value: value.to_string(),
        span: span.clone(),
    };
    let Some(first) = words.next() else {
        return Err(Fault::new("expected a range, or none", span).help(HELP));
    };
    if canonical(first) == NONE {
        return Ok(None);
    }
    let mut sight = DefenderSight::default();
    sight.set(&entry("range", first))?;
    while let Some(word) = words.next() {
        let key = canonical(word);
        let value = match key.as_str() {
            NEARER => "true",
            _ if !SIGHT_WORDS.contains(&key.as_str()) => {
                let fault = Fault::new(format!("`{word}` tells nothing of a LOS"), span);
                return Err(fault.expecting(word, SIGHT_WORDS));
            }
            _ => words.next().ok_or_else(|| {
                Fault::new(format!("`{key}` has no value"), span.clone()).help(HELP)
            })?,
        };
        sight.set(&entry(&key, value))?;
    }
    Ok(Some(sight))
}

/// Reads a defender from the entries of a table.
fn of_entries(row: &[RowEntry], text: &str) -> Result<CrossingDefender, Fault> {
    let whole = 0..text.len();
    let (mut name, mut by, mut hex) = (None, None, None);
    let mut sights: Vec<(usize, Option<DefenderSight>)> = Vec::new();
    let (mut uses, mut nearer, mut is_everywhere) = ([true; 2], false, false);
    for entry in row {
        match entry.key.as_str() {
            "name" => name = Some(entry.value.clone()),
            "by" => {
                by = Some(
                    group(&entry.value, 0..0)
                        .map_err(|fault| Fault { span: whole.clone(), ..fault })?,
                )
            }
            "sff" => uses[0] = entry.flag()?,
            "fpf" => uses[1] = entry.flag()?,
            NEARER => nearer = entry.flag()?,
            "at" if location_name(&entry.value).is_some() => hex = location_name(&entry.value),
            key if key == "at" || key.starts_with("at.") => {
                let (place, fact) = sight_key(key);
                is_everywhere |= place == 0;
                let place = place.max(1);
                if sights.last().is_none_or(|(last, _)| *last != place) {
                    sights.push((place, None));
                }
                if entry.value == NONE && fact == "range" {
                    continue;
                }
                let sight = &mut sights.last_mut().expect("one was pushed").1;
                let fact = RowEntry { key: fact.to_string(), ..entry.clone() };
                sight.get_or_insert_default().set(&fact)?;
            }
            key => {
                let message = format!("a defender has no key `{key}`");
                return Err(Fault::new(message, whole).expecting(key, KEYS));
            }
        }
    }
    let missing = |key: &str| Fault::new(format!("a defender needs `{key}`"), whole.clone());
    let mut at: Vec<Option<DefenderSight>> = sights.into_iter().map(|(_, sight)| sight).collect();
    if at.is_empty() && hex.is_none() {
        return Err(missing("at"));
    }
    at.iter_mut().flatten().for_each(|sight| sight.is_nearer |= nearer);
    Ok(CrossingDefender {
        name: name.ok_or_else(|| missing("name"))?,
        by: by.ok_or_else(|| missing("by"))?,
        hex,
        at,
        is_everywhere,
        uses,
        span: whole,
    })
}

/// Splits `at.2.hindrance` into the number of the Location, 0 for all, and the fact.
fn sight_key(key: &str) -> (usize, &str) {
    let rest = key.strip_prefix("at").unwrap_or_default().trim_start_matches('.');
    let (number, fact) = rest.split_once('.').unwrap_or((rest, "range"));
    match number.parse() {
        Ok(number) => (number, fact),
        Err(_) if rest.is_empty() => (0, "range"),
        Err(_) => (0, rest),
    }
}

impl DefenderSight {
    fn set(&mut self, entry: &RowEntry) -> Result<(), Fault> {
        match entry.key.as_str() {
            "range" => self.range = entry.number(0, 40)? as u8,
            "level" => self.level = entry.number(-10, 10)? as i8,
            "hindrance" => self.hindrance = Some(entry.number(0, 9)? as u8),
            "hexside" => {
                let hexside = CrossedHexside::read("hexside", RawValue::Text(&entry.value));
                let hexside =
                    hexside.map_err(|fault| Fault { span: entry.span.clone(), ..fault })?;
                self.hexside = Some(hexside);
            }
            "smoke-los" => self.smoke_los = entry.number(0, 9)? as u8,
            "smoke-out" => self.smoke_out = entry.number(0, 9)? as u8,
            NEARER | "farther" => self.is_nearer = entry.flag()?,
            key => {
                let fault = Fault::new(format!("no fact is called `{key}`"), entry.span.clone());
                return Err(fault.expecting(key, SIGHT_WORDS));
            }
        }
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = self.range.to_string();
        let mut add = |word: &str, value: Option<String>| {
            text += &value.map_or(String::new(), |value| format!(" {word} {value}"));
        };
        let number = |number: i8| (number != 0).then(|| number.to_string());
        add("level", number(self.level));
        add("hindrance", self.hindrance.map(|drm| drm.to_string()));
        add("hexside", self.hexside.map(|hexside| hexside.name().to_string()));
        add("smoke-los", number(self.smoke_los as i8));
        add("smoke-out", number(self.smoke_out as i8));
        text + if self.is_nearer { " nearer" } else { "" }
    }
}

impl CrossingDefender {
    /// Returns what the defender sees of a Location, by its index; `None` without LOS.
    pub fn sight(&self, location: usize) -> Option<DefenderSight> {
        let place = if self.is_everywhere { 0 } else { location };
        self.at.get(place).copied().flatten()
    }

    fn text(&self) -> String {
        let words = [(self.uses[0], NO_SFF), (self.uses[1], NO_FPF)];
        let words = words.into_iter().filter(|(uses, _)| !uses);
        let head: String = words.map(|(_, word)| format!(" {word}")).collect();
        let sight =
            |sight: &Option<DefenderSight>| sight.map_or(NONE.to_string(), |sight| sight.text());
        let at: Vec<String> = self.at.iter().map(sight).collect();
        let at = self.hex.clone().unwrap_or_else(|| at.join(", "));
        format!("{}{head}: {} @ {at}", self.name, self.by.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defenders_are_read_from_words_and_tables() {
        for (text, written) in [
            ("A: 8-1 + german:4-6-7/mmg @4,3,2", "A: 8-1 + german:4-6-7/mmg @ 4, 3, 2"),
            (
                "A no-fpf: german:4-6-7 @ none, 3 hindrance 1 nearer; B: german:2-4-7 @ 1",
                "A no-fpf: german:4-6-7 @ none, 3 hindrance 1 nearer; B: german:2-4-7 @ 1",
            ),
            (
                r#"[{"name":"G","by":"german:4-6-7","at":[3,{"range":2,"hexside":"wall"},null]}]"#,
                "G: german:4-6-7 @ 3, 2 hexside wall, none",
            ),
            ("A no-sff: german:4-6-7 @  G4 level 1", "A no-sff: german:4-6-7 @ G4 level 1"),
            (r#"[{"name":"A","by":"german:4-6-7","at":"1G4"}]"#, "A: german:4-6-7 @ 1G4"),
            (
                r#"{"G":{"by":"german:4-6-7","at":{"range":3,"farther":true},"sff":false}}"#,
                "G no-sff: german:4-6-7 @ 3 nearer",
            ),
        ] {
            let read = CrossingDefenders::parse(text);
            let read = read.unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(read.text(), written, "{text}");
            assert_eq!(CrossingDefenders::parse(written).unwrap().text(), written);
        }
    }

    #[test]
    fn faults_of_defenders_have_their_place() {
        for (text, expected) in [
            ("A german:4-6-7 @ 3", "0..18 expected a name and `:` before the units"),
            ("A: german:4-6-7", "0..15 expected `@`"),
            ("A: german:4-6-7/broken @ 3", "3..22 broken units do not fire"),
            ("A: german:4-6-7 @ x", "18..19 `range` must be a whole number"),
            ("A: german:4-6-7 @ 3 fog", "18..23 `fog` tells nothing of a LOS"),
            ("A: german:4-6-7 @ 3; A: german:4-6-7 @ 3", "0..40 two defenders"),
            ("A x: german:4-6-7 @ 3", "2..3 `x` tells nothing of a defender"),
        ] {
            let fault = CrossingDefenders::parse(text).unwrap_err();
            let found = format!("{:?} {}", fault.span, fault.message);
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }
}
