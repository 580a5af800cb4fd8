//! The path of a moving stack: its Locations in order, each with its terrain, MF, works, SMOKE,
//! Residual FP and Fire Lane.
//!
//! ```text
//! path     = location { "," location }
//! location = [ NAME "=" ] TERRAIN [ MF ] { WORD VALUE }
//! WORD     = mf | works | hexside | smoke | residual | hindrance
//!          | fire-lane | lane-hindrance | lane-breakdown
//! on a map:
//! path     = hex { [ "," ] hex }              the first is where the stack begins
//! hex      = HEX [ "level" N ] [ "works" ]
//! ```

use std::ops::Range;

use super::rows::{RowEntry, entries, is_hex_name, listed, split};
use crate::attack::circumstances::{CrossedHexside, TargetWorks};
use crate::board::terrain::{Cost, Mf, Terrain};
use crate::kinds::text_value;
use crate::rulebook::{Rulebook, Switch};
use engine::text::{Fault, canonical};
use schema::{FieldValue as _, RawValue, Takes};

/// The largest number of Locations of a path.
pub const MOST_LOCATIONS: usize = 12;

/// A Fire Lane through a Location (9.22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossedLane {
    pub firepower: u8,
    /// The DRM of hard Hindrances.
    pub hindrance: u8,
    /// True if soft Hindrances, which add nothing, cancel FFMO.
    pub is_soft: bool,
    /// The Original DR at which its MG malfunctions, so that the lane is gone (9.222).
    pub breakdown: u8,
}

/// A Location of a path.
#[derive(Clone, Debug)]
pub struct PathLocation {
    pub name: String,
    pub terrain: &'static Terrain,
    /// The MF spent in it.
    pub mf: Mf,
    pub works: TargetWorks,
    pub hexside: CrossedHexside,
    /// The DRM of Hindrances in any LOS to it, without SMOKE.
    pub hindrance: u8,
    /// The DRM of SMOKE in it.
    pub smoke: u8,
    /// The Residual FP in it.
    pub residual: u8,
    pub lane: Option<CrossedLane>,
}

/// A path, with the text that tells it.
#[derive(Clone, Debug)]
pub struct CrossingPath {
    pub locations: Vec<PathLocation>,
    text: String,
}

/// A hex of a path on a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathHex {
    /// The name of its Location.
    pub name: String,
    /// True inside the works or shellholes of the hex.
    pub sheltered: bool,
    /// The place in the text, for faults.
    pub span: Range<usize>,
}

/// A path as it is written.
#[derive(Clone, Debug)]
pub enum WrittenPath {
    /// The Locations entered.
    Locations(CrossingPath),
    /// Hexes of a map, the first of which is where the stack begins.
    Hexes(Vec<PathHex>),
}

text_value!(WrittenPath, Takes::Tables("PATH"), WrittenPath::parse, |path| path.text());

const WORDS: [&str; 11] = [
    "terrain",
    "mf",
    "name",
    "works",
    "hexside",
    "smoke",
    "residual",
    "fire-lane",
    "lane-hindrance",
    "lane-breakdown",
    "hindrance",
];
const SOFT: &str = "soft";
/// The B# of a MG that has none printed (9.7).
const BREAKDOWN: u8 = 12;
const HELP: &str = "for example `open, grain 2 residual 4, B=stone 2 hexside wall`";

impl CrossingPath {
    /// Parses a path.
    ///
    /// # Errors
    ///
    /// Fails at the place of what is no Location. Spans are bytes.
    pub fn parse(text: &str) -> Result<CrossingPath, Fault> {
        let rows = match listed(text) {
            Some(tables) => tables?
                .iter()
                .map(|table| match table.as_str() {
                    Some(words) => of_words(words, 0..text.len(), false),
                    None => Ok(entries(table, text)),
                })
                .collect::<Result<Vec<_>, Fault>>()?,
            None => {
                let parts = split(text, 0, &[',', ';']).into_iter();
                parts.map(|(span, words)| of_words(&words, span, true)).collect::<Result<_, _>>()?
            }
        };
        if rows.len() > MOST_LOCATIONS {
            let message = format!("a path has at most {MOST_LOCATIONS} Locations");
            return Err(Fault::new(message, 0..text.len()));
        }
        let locations = (1..).zip(&rows).map(|(number, row)| location(number, row, text));
        Ok(CrossingPath::from_locations(locations.collect::<Result<_, _>>()?))
    }

    /// Builds a path of Locations.
    pub(crate) fn from_locations(locations: Vec<PathLocation>) -> CrossingPath {
        let words: Vec<String> = (1..).zip(&locations).map(|(n, one)| one.text(n)).collect();
        CrossingPath { locations, text: words.join(", ") }
    }

    /// Returns the text of the path, with its defaults left out.
    pub fn text(&self) -> &str {
        &self.text
    }
}

const LEVEL: &str = "level";
const SHELTERED: &str = "works";
const HEX_HELP: &str = "for example `Q5 Q4 P4`, with `works` or `level 1` behind a hex";

impl WrittenPath {
    /// Parses a path of Locations or of hexes.
    ///
    /// # Errors
    ///
    /// Fails at the place of what is no Location and no hex. Spans are bytes.
    pub fn parse(text: &str) -> Result<WrittenPath, Fault> {
        let words: Vec<(Range<usize>, String)> = match listed(text) {
            Some(Ok(rows)) => {
                let rows = rows.iter().map(|row| row.as_str().unwrap_or_default());
                let words = rows.flat_map(str::split_whitespace);
                words.map(|word| (0..text.len(), word.to_string())).collect()
            }
            Some(Err(_)) => Vec::new(),
            None => split(text, 0, &[' ', ',', ';']),
        };
        let words: Vec<_> = words.into_iter().filter(|(_, word)| !word.is_empty()).collect();
        match words.first() {
            Some((_, first)) if is_hex_name(first) => hexes(words).map(WrittenPath::Hexes),
            _ => CrossingPath::parse(text).map(WrittenPath::Locations),
        }
    }

    /// Returns the text of the path.
    pub fn text(&self) -> String {
        let hex = |hex: &PathHex| match hex.sheltered {
            true => format!("{} {SHELTERED}", hex.name),
            false => hex.name.clone(),
        };
        match self {
            WrittenPath::Locations(path) => path.text().to_string(),
            WrittenPath::Hexes(hexes) => hexes.iter().map(hex).collect::<Vec<_>>().join(" "),
        }
    }
}

/// Reads the hexes of a path from its words.
fn hexes(words: Vec<(Range<usize>, String)>) -> Result<Vec<PathHex>, Fault> {
    let mut hexes: Vec<PathHex> = Vec::new();
    let mut words = words.into_iter();
    while let Some((span, word)) = words.next() {
        match (canonical(&word).as_str(), hexes.last_mut()) {
            (SHELTERED, Some(hex)) => hex.sheltered = true,
            (LEVEL, Some(hex)) => {
                let number = words.next().ok_or_else(|| {
                    Fault::new(format!("`{LEVEL}` has no number"), span).help(HEX_HELP)
                })?;
                hex.name += &format!(" {LEVEL} {}", number.1);
                hex.span.end = number.0.end;
            }
            _ if is_hex_name(&word) => hexes.push(PathHex { name: word, sheltered: false, span }),
            _ => {
                let fault = Fault::new(format!("`{word}` is not the name of a hex"), span);
                return Err(fault.expecting(&word, [SHELTERED, LEVEL]).help(HEX_HELP));
            }
        }
    }
    match hexes.get(MOST_LOCATIONS + 1) {
        None => Ok(hexes),
        Some(hex) => {
            let message = format!("a path enters at most {MOST_LOCATIONS} Locations");
            Err(Fault::new(message, hex.span.clone()))
        }
    }
}

/// Reads the words of one Location into entries. With `placed` each entry has its own place.
fn of_words(text: &str, whole: Range<usize>, placed: bool) -> Result<Vec<RowEntry>, Fault> {
    let mut found = Vec::new();
    let mut at = whole.start;
    let mut words = Vec::new();
    for word in text.split(' ') {
        let span = if placed { at..at + word.len() } else { whole.clone() };
        at += word.len() + 1;
        if !word.is_empty() {
            words.push((word, span));
        }
    }
    let mut words = words.into_iter().peekable();
    let mut add = |key: &str, value: &str, span: &Range<usize>| {
        found.push(RowEntry { key: key.to_string(), value: value.to_string(), span: span.clone() });
    };
    let Some((first, span)) = words.next() else {
        return Err(Fault::new("expected a Location", whole).help(HELP));
    };
    let (name, terrain) = first.split_once('=').unwrap_or(("", first));
    if !name.is_empty() {
        add("name", name, &span);
    }
    add("terrain", terrain, &span);
    while let Some((word, span)) = words.next() {
        let key = canonical(word);
        if key == SOFT {
            add("fire-lane.soft", "true", &span);
        } else if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            add("mf", word, &span);
        } else if WORDS.contains(&key.as_str()) {
            let Some((value, of_value)) = words.next() else {
                let message = format!("`{key}` has no value");
                return Err(Fault::new(message, span).help(HELP));
            };
            add(&key, value, &of_value);
        } else {
            let fault = Fault::new(format!("`{word}` tells nothing of a Location"), span);
            return Err(fault.expecting(word, WORDS).help(HELP));
        }
    }
    Ok(found)
}

/// Reads a Location from its entries. `number` is its place in the path, from 1.
fn location(number: usize, row: &[RowEntry], text: &str) -> Result<PathLocation, Fault> {
    let mut location = PathLocation {
        name: number.to_string(),
        terrain: Terrain::open(),
        mf: Mf::default(),
        works: TargetWorks::None,
        hexside: CrossedHexside::None,
        hindrance: 0,
        smoke: 0,
        residual: 0,
        lane: None,
    };
    let mut mf = None;
    for entry in row {
        location.set(entry, &mut mf)?;
    }
    if let Some(works) = TargetWorks::of_terrain(location.terrain) {
        (location.works, location.terrain) = (works, Terrain::open());
    }
    location.mf = match (mf, location.terrain.cost) {
        (Some(mf), _) => mf,
        (None, Some(Cost::Mf(cost))) => cost,
        (None, cost) => {
            let name = location.terrain.name.to_lowercase();
            let message = match cost {
                Some(Cost::All) => format!("{name} costs all MF: say how many"),
                _ => format!("nobody enters {name}"),
            };
            let span = row.first().map_or(0..text.len(), |entry| entry.span.clone());
            return Err(Fault::new(message, span).help("for example `marsh 4`"));
        }
    };
    Ok(location)
}

/// Reads MF: `2`, `1.5` or `3/2`.
fn read_mf(entry: &RowEntry) -> Result<Mf, Fault> {
    let fault = || entry.fault("MF from 1/2 to 12, such as 2, 3/2 or 1.5");
    let number = match entry.value.split_once('/') {
        Some((above, below)) => above.parse::<f64>().ok().zip(below.parse::<f64>().ok()),
        None => entry.value.parse::<f64>().ok().map(|number| (number, 1.0)),
    };
    let (above, below) = number.ok_or_else(fault)?;
    let halves = 2.0 * above / below;
    let fits = halves.fract() == 0.0 && (1.0..=24.0).contains(&halves);
    if fits { Ok(Mf::halves(halves as u8)) } else { Err(fault()) }
}

impl PathLocation {
    fn set(&mut self, entry: &RowEntry, mf: &mut Option<Mf>) -> Result<(), Fault> {
        let at = |fault: Fault| Fault { span: entry.span.clone(), ..fault };
        let text = RawValue::Text(&entry.value);
        let mut lane = self.lane.unwrap_or(CrossedLane {
            firepower: 0,
            hindrance: 0,
            is_soft: false,
            breakdown: BREAKDOWN,
        });
        match entry.key.as_str() {
            "name" => self.name = entry.value.clone(),
            "terrain" => self.terrain = Terrain::named(&entry.value).map_err(at)?,
            "mf" => *mf = Some(read_mf(entry)?),
            "works" => self.works = TargetWorks::read("works", text).map_err(at)?,
            "hexside" => self.hexside = CrossedHexside::read("hexside", text).map_err(at)?,
            "hindrance" => self.hindrance = entry.number(0, 9)? as u8,
            "smoke" => self.smoke = entry.number(0, 5)? as u8,
            "residual" => self.residual = entry.number(0, 12)? as u8,
            "fire-lane" | "fire-lane.fp" => lane.firepower = entry.number(1, 24)? as u8,
            "lane-hindrance" | "fire-lane.hindrance" => {
                lane.hindrance = entry.number(0, 9)? as u8;
            }
            "lane-breakdown" | "fire-lane.breakdown" => {
                lane.breakdown = entry.number(2, 13)? as u8;
            }
            "fire-lane.soft" => lane.is_soft = entry.flag()?,
            key => {
                let message = format!("a Location of a path has no key `{key}`");
                return Err(Fault::new(message, entry.span.clone()).expecting(key, WORDS));
            }
        }
        if entry.key.contains("lane") {
            self.lane = Some(lane);
        }
        Ok(())
    }

    /// Returns the Location in the notation; `number` is its place in the path, from 1.
    fn text(&self, number: usize) -> String {
        let name =
            if self.name == number.to_string() { String::new() } else { format!("{}=", self.name) };
        let mut text = format!("{name}{}", self.terrain.id);
        if self.terrain.cost != Some(Cost::Mf(self.mf)) {
            text += &format!(" {}", self.mf);
        }
        for (word, value, blank) in [
            ("works", self.works.name(), TargetWorks::None.name()),
            ("hexside", self.hexside.name(), CrossedHexside::None.name()),
        ] {
            if value != blank {
                text += &format!(" {word} {value}");
            }
        }
        let numbers =
            [("hindrance", self.hindrance), ("smoke", self.smoke), ("residual", self.residual)];
        for (word, value) in numbers {
            if value > 0 {
                text += &format!(" {word} {value}");
            }
        }
        if let Some(lane) = self.lane {
            text += &format!(" fire-lane {}", lane.firepower);
            if lane.hindrance > 0 {
                text += &format!(" lane-hindrance {}", lane.hindrance);
            }
            if lane.breakdown != BREAKDOWN {
                text += &format!(" lane-breakdown {}", lane.breakdown);
            }
            text += if lane.is_soft { " soft" } else { "" };
        }
        text
    }

    /// Returns the works that shelter the stack: shellholes only for 2 MF (B2.3).
    pub fn works_at_entry(&self) -> TargetWorks {
        match self.works {
            TargetWorks::Shellhole if self.mf < Mf::whole(2) => TargetWorks::None,
            works => works,
        }
    }
}

/// Returns how often one unit or SW may fire at a target in a Location of a path (9.2, I-93).
pub(crate) fn most_shots(path: &[PathLocation], place: usize, rulebook: Rulebook) -> u8 {
    let spent = |places: &[PathLocation]| places.iter().map(|of| of.mf.in_halves()).sum::<u8>() / 2;
    let shots = match rulebook.chooses(Switch::ShotsByWholePath) {
        true => spent(&path[..=place]) - spent(&path[..place]),
        false => spent(&path[place..=place]),
    };
    shots.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_from_words_and_tables() {
        for (text, written) in [
            ("open, open, stone 2", "open-ground, open-ground, bldg-stone"),
            ("A=open 1 residual 4, grain 3/2", "A=open-ground residual 4, grain"),
            (
                r#"[{"terrain":"open_ground","mf":1,"fire_lane":{"fp":2,"soft":true}}]"#,
                "open-ground fire-lane 2 soft",
            ),
            (r#"["open", {"terrain": "woods", "mf": "5/2"}]"#, "open-ground, woods 2.5"),
            ("foxhole", "open-ground works foxhole"),
        ] {
            let path = CrossingPath::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(path.text(), written, "{text}");
            assert_eq!(CrossingPath::parse(written).unwrap().text(), written);
        }
    }

    #[test]
    fn paths_of_hexes_are_told_from_paths_of_locations() {
        for (text, written) in [
            ("Q5 Q4  P4", "Q5 Q4 P4"),
            ("1Q5, 1Q4 level 1, yP4 works", "1Q5 1Q4 level 1 yP4 works"),
            (r#"["Q5", "Q4 works"]"#, "Q5 Q4 works"),
        ] {
            let path = WrittenPath::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert!(matches!(path, WrittenPath::Hexes(_)), "{text}");
            assert_eq!(path.text(), written, "{text}");
            assert_eq!(WrittenPath::parse(written).unwrap().text(), written);
        }
        assert!(matches!(WrittenPath::parse("A=open 2"), Ok(WrittenPath::Locations(_))));
        for (text, expected) in [
            ("Q5 open", "3..7 `open` is not the name of a hex"),
            ("Q5 Q4 level", "6..11 `level` has no number"),
            ("open Q5", "5..7 `Q5` tells nothing of a Location"),
        ] {
            let fault = WrittenPath::parse(text).unwrap_err();
            let found = format!("{:?} {}", fault.span, fault.message);
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }

    #[test]
    fn faults_of_paths_have_their_place() {
        for (text, expected) in [
            ("open, opne", "6..10 no terrain is called `opne`"),
            ("open mf", "5..7 `mf` has no value"),
            ("open residual 20", "14..16 `residual` must be a whole number from 0 to 12"),
            ("open fog 2", "5..8 `fog` tells nothing of a Location"),
            ("marsh", "0..5 marsh costs all MF"),
            ("open 1/3", "5..8 `mf` must be MF from 1/2 to 12"),
            ("open,", "5..5 expected a Location"),
        ] {
            let fault = CrossingPath::parse(text).unwrap_err();
            let found = format!("{:?} {}", fault.span, fault.message);
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }
}
