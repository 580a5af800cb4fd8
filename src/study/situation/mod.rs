//! The situation file: a map, who stands on it, and what blocks whose view. Every fault has its place in the file.
//!
//! ```toml
//! about = "Low Crawl, or run for the building?"
//!
//! [map]
//! rows = """
//!    P  Q  R  S
//! 3  .  .  w  .
//! 4  g  .  .  b
//! """
//!
//! [[rout]]
//! unit = "german:4-6-7/broken,dm"
//! at = "R4"
//!
//! [[enemy]]
//! unit = "american:6-6-6"
//! at = "P3"
//! ```
//!
//! In place of `[map]`, or before it, `[board]` names a table of hexes (`hexes = "board.csv"`) and perhaps one of lines of sight
//! (`los = "los.csv"`). `[los]` gives lines by hand. Options of the rules stand at the top: `profile`, `elr`, `hob`, `no-quarter`, `night`, `enemy-reveals`,
//! and any interpretation (`i11 = "alternative"`). `[campaign]` says how it goes on over Player Turns.

mod campaign;
mod ground;
mod rows;
mod sight;
pub(super) mod units;

use std::io;

use toml::de::{DeTable, DeValue};

use super::keys::{Value, document, entry, in_file_order, in_words, known_keys, placed_text, whole_number, within};
use crate::asl::rout::{Friend, Situation};
use crate::asl::rulebook::{Profile, Rulebook};
use crate::text::{Fault, canonical};
pub use campaign::{CampaignTable, bars_campaign, left_out};

/// Keys of the file; interpretations may stand beside them.
const KEYS: [&str; 15] = [
    "about",
    "profile",
    "elr",
    "hob",
    "no-hob",
    "no-quarter",
    "night",
    "enemy-reveals",
    "board",
    "map",
    "los",
    "rout",
    "friend",
    "enemy",
    "campaign",
];

/// Why a situation could not be read.
#[derive(Debug)]
pub enum SituationError {
    /// Something wrong in the situation file.
    Fault(Fault),
    /// Something wrong in a table it names.
    Table { name: String, text: String, fault: Fault },
    /// A table that could not be opened.
    Io { name: String, error: io::Error },
}

impl From<Fault> for SituationError {
    fn from(fault: Fault) -> SituationError {
        SituationError::Fault(fault)
    }
}

/// Options given from outside, which go before those of the file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub profile: Option<Profile>,
    /// Interpretations and their values, checked before.
    pub switches: Vec<(String, String)>,
    pub heat_of_battle: Option<bool>,
    pub elr: Option<u8>,
    pub no_quarter: bool,
    pub enemy_reveals: bool,
}

/// A situation as read.
pub struct Scenario {
    pub about: Option<String>,
    pub situation: Situation,
    /// Leaders who are not there yet, each with the Player Turn from which on he is; in the situation they are not.
    pub arrivals: Vec<(Friend, u16)>,
    /// How it goes on, where the file says so.
    pub campaign: Option<CampaignTable>,
    /// What had to be assumed, in words.
    pub notes: Vec<String>,
}

/// Opens a table that a situation names.
pub type Open<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// Whether a file is a situation: somebody routs in it.
pub fn is_situation(text: &str) -> bool {
    document(text).is_ok_and(|document| entry(document.get_ref(), "rout").is_some())
}

/// Reads a situation file; `open` finds the tables it names.
pub fn read(text: &str, options: &Options, open: Open) -> Result<Scenario, SituationError> {
    let document = document(text)?;
    let root = document.get_ref();
    for key in root.keys() {
        let name = canonical(key.get_ref());
        if !KEYS.contains(&key.get_ref().as_ref()) && Rulebook::find(&name).is_none() {
            let fault = Fault::new(format!("a situation has no key `{}`", key.get_ref()), key.span());
            return Err(fault.expecting(key.get_ref(), KEYS).into());
        }
    }
    let mut notes = Vec::new();
    let rulebook = rulebook(root, options)?;
    let ground = ground::read(root, text, open)?;
    let map = ground.map()?;
    let sight = sight::read(root, &map, ground.lines)?;
    let units = units::read(root, &map, &mut notes)?;
    let elr = entry(root, "elr").map_or(Ok(3), |elr| whole_number(elr, "elr", 0, 6))? as u8;
    let no_hob = flag(root, "no-hob", false)?;
    let hob = flag(root, "hob", !no_hob)?;
    if let (true, true, Some(value)) = (hob, no_hob, entry(root, "no-hob")) {
        return Err(Fault::new("`hob` and `no-hob` contradict each other", value.span()).help("keep one of them").into());
    }
    let situation = Situation {
        map,
        sight,
        routers: units.routers,
        friends: units.friends,
        enemies: units.enemies,
        crowd: Vec::new(),
        no_quarter: flag(root, "no-quarter", false)? || options.no_quarter,
        night: flag(root, "night", false)?,
        enemy_reveals: flag(root, "enemy-reveals", false)? || options.enemy_reveals,
        heat_of_battle: options.heat_of_battle.unwrap_or(hob),
        elr: options.elr.unwrap_or(elr),
        rulebook,
    };
    for (unit, span) in units.breaking {
        let router = &situation.routers[unit];
        if !situation.may_break_voluntarily(router) {
            let fault = Fault::new(format!("{} may not break of its own accord (A10.41)", router.name), span);
            let help = "it needs an armed, unbroken Known enemy in whose LOS and Normal Range it is, or an unbroken one ADJACENT";
            return Err(fault.help(help).into());
        }
    }
    let about = entry(root, "about").map(|value| placed_text(value, "about")).transpose()?;
    let campaign = campaign::read(root, &situation)?;
    for (leader, turn) in &units.arrivals {
        notes.push(format!("{} comes in Player Turn {turn}", leader.name));
    }
    Ok(Scenario { about, situation, arrivals: units.arrivals, campaign, notes })
}

/// Profile and switches: those of the file, then those given from outside.
fn rulebook(root: &DeTable, options: &Options) -> Result<Rulebook, Fault> {
    let named = match entry(root, "profile") {
        Some(value) => {
            let name = placed_text(value, "profile")?;
            Some(Profile::named(&name).map_err(within(value))?)
        }
        None => None,
    };
    let mut rulebook = Rulebook::of(options.profile.or(named).unwrap_or_default());
    for (key, value) in in_file_order(Some(root)) {
        if KEYS.contains(&key.get_ref().as_ref()) {
            continue;
        }
        let choice = placed_text(value, key.get_ref())?;
        rulebook.set(key.get_ref(), &choice).map_err(within(value))?;
    }
    for (id, value) in &options.switches {
        rulebook.set(id, value)?;
    }
    Ok(rulebook)
}

fn flag(table: &DeTable, name: &str, default: bool) -> Result<bool, Fault> {
    match entry(table, name).map(|value| (value.get_ref(), value.span())) {
        None => Ok(default),
        Some((DeValue::Boolean(value), _)) => Ok(*value),
        Some((other, span)) => Err(Fault::new(format!("`{name}` must be true or false, not {}", in_words(other)), span)),
    }
}

/// A value or a list of them.
fn each<'a, 'i>(value: &'a Value<'i>) -> Vec<&'a Value<'i>> {
    match value.get_ref() {
        DeValue::Array(values) => values.iter().collect(),
        _ => vec![value],
    }
}

/// The tables of `[[name]]`, or the one of `[name]`, which is written `[[path]]`.
fn tables<'a, 'i>(
    root: &'a DeTable<'i>,
    name: &str,
    path: &str,
) -> Result<Vec<(&'a DeTable<'i>, std::ops::Range<usize>)>, Fault> {
    let Some(value) = entry(root, name) else { return Ok(Vec::new()) };
    each(value)
        .into_iter()
        .map(|value| match value.get_ref() {
            DeValue::Table(table) => Ok((table, value.span())),
            other => Err(Fault::new(format!("`{name}` must be a table, `[[{path}]]`, not {}", in_words(other)), value.span())),
        })
        .collect()
}

/// A sub-table, which may have any of these keys.
fn section<'a, 'i>(root: &'a DeTable<'i>, name: &str, keys: &[&str]) -> Result<Option<&'a DeTable<'i>>, Fault> {
    let found = super::keys::sub_table(root, name)?;
    if let Some(table) = found {
        known_keys(table, keys, &format!("[{name}]"))?;
    }
    Ok(found)
}
