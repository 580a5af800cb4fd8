//! The commands of a save or log, in the order in which VASSAL executes them.

use std::borrow::Cow;
use std::iter;

use super::sequence::split;
use engine::text::Fault;

const BETWEEN: char = '\u{1b}';
/// The prefix of a command that a log plays.
const LOGGED: &str = "LOG\t";
/// The maximum nesting of commands; real files have three levels.
const DEEPEST: usize = 64;

/// Calls `take` with each command of a text. The flag is true for commands that a log plays.
///
/// # Errors
///
/// Fails if the commands are nested too deeply.
pub fn each(text: &str, take: &mut dyn FnMut(&str, bool)) -> Result<(), Fault> {
    each_within(text, 0, take)
}

fn each_within(text: &str, depth: usize, take: &mut dyn FnMut(&str, bool)) -> Result<(), Fault> {
    if depth > DEEPEST {
        return Err(Fault::new(
            format!("the saved game is damaged: commands are nested more than {DEEPEST} deep"),
            0..0,
        ));
    }
    let mut parts = split(text, BETWEEN);
    let first = parts.next().unwrap_or_default();
    if first == text {
        match text.strip_prefix(LOGGED) {
            Some(logged) => take(logged, true),
            None if !text.is_empty() => take(text, false),
            None => {}
        }
        return Ok(());
    }
    iter::once(first).chain(parts).try_for_each(|part| each_within(&part, depth + 1, take))
}

/// The position of a piece or stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPosition {
    /// The name of the map; `None` if the piece is on no map.
    pub map: Option<String>,
    /// The position in pixels of the map.
    pub x: i32,
    pub y: i32,
}

impl MapPosition {
    /// Builds a position from three fields. Coordinates that are no numbers count as 0.
    pub(crate) fn parse(map: &str, x: &str, y: &str) -> MapPosition {
        let number = |text: &str| text.trim().parse::<f64>().map_or(0, |number| number as i32);
        let map = Some(map.to_string()).filter(|map| map != "null");
        MapPosition { map, x: number(x), y: number(y) }
    }
}

/// A command. Commands without effect on a position are [`Command::Other`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Adds a piece or a stack.
    Add {
        id: Cow<'a, str>,
        kind: Cow<'a, str>,
        state: Cow<'a, str>,
    },
    Remove {
        id: &'a str,
    },
    /// Replaces the whole state of a piece. The kind of the piece stays.
    Change {
        id: Cow<'a, str>,
        state: Cow<'a, str>,
    },
    /// Moves a piece or a whole stack on top of another piece, or of none if `above` is `None`.
    Move {
        id: Cow<'a, str>,
        to: MapPosition,
        above: Option<Cow<'a, str>>,
    },
    Chat(&'a str),
    /// Sets the boards of the map.
    Boards(&'a str),
    /// Sets the scenario fields, such as turn, ELR and SAN.
    Scenario(&'a str),
    Extension {
        name: Cow<'a, str>,
        version: Cow<'a, str>,
    },
    Other,
}

impl<'a> Command<'a> {
    /// Reads a command. Missing fields are empty.
    pub fn read(text: &'a str) -> Command<'a> {
        let known = |text: Cow<'a, str>| Some(text).filter(|text| text != "null");
        if let Some(text) = text.strip_prefix("CHAT") {
            return Command::Chat(text);
        }
        let fields_of = |text: &'a str, between: char| {
            let mut fields = split(text, between);
            move || fields.next().unwrap_or_default()
        };
        match text.split_once('\t') {
            Some(("bd", rest)) => return Command::Boards(rest),
            Some(("INFO", rest)) => return Command::Scenario(rest),
            Some(("EXT", rest)) => {
                let mut field = fields_of(rest, '\t');
                return Command::Extension { name: field(), version: field() };
            }
            _ => {}
        }
        let Some((verb, rest)) = text.split_once('/') else { return Command::Other };
        let mut field = fields_of(rest, '/');
        match verb {
            "+" => Command::Add { id: field(), kind: field(), state: field() },
            "-" => Command::Remove { id: rest },
            "D" => Command::Change { id: field(), state: field() },
            "M" => {
                let (id, map, x, y) = (field(), field(), field(), field());
                Command::Move { id, to: MapPosition::parse(&map, &x, &y), above: known(field()) }
            }
            _ => Command::Other,
        }
    }
}
