//! The situation file: a map, the units on it, and their lines of sight.
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
//! The table `[board]` names a table of hexes (`hexes = "board.csv"`) and possibly one of lines of
//! sight (`los = "los.csv"`). It can replace `[map]` or precede it. The table `[los]` sets single
//! lines. The options of the rules are at the top: `profile`, `elr`, `hob`, `no-quarter`, `night`,
//! `enemy-reveals`, and any interpretation (`i11 = "alternative"`). The table `[campaign]`
//! continues the situation over Player Turns.

pub mod answer;
mod board;
mod builder;
pub mod campaign;
pub mod canonical;
pub mod form;
mod ground;
mod rally;

use std::io;
use std::ops::Range;

use crate::rout::{Friend, RoutFields, RoutRules, Situation};
use crate::tables::SituationTables;
pub use board::lettered;
pub use builder::SituationBuilder;
pub use campaign::{CampaignSetup, bars_campaign, left_out};
use engine::text::Fault;
use engine::text::notation::each;
pub use rally::{RallyPlace, rally_places};
use schema::form::unknown_name;
use schema::from_toml;
use schema::{Entry, Fields as _, Raw, Settable as _};

/// The reason why a situation could not be read.
#[derive(Debug)]
pub enum SituationError {
    /// A fault in the situation file.
    Fault(Fault),
    /// A fault in a table that the file names.
    Table { name: String, text: String, fault: Box<Fault> },
    /// A table that could not be opened.
    Io { name: String, error: io::Error },
}

impl SituationError {
    /// Returns the fault of a situation whose tables have no place of their own.
    pub fn in_one(self) -> Fault {
        match self {
            SituationError::Fault(fault) => fault,
            SituationError::Table { name, text, fault } => {
                let line = text[..fault.span.start.min(text.len())].matches('\n').count() + 1;
                let name = if name.contains('\n') { "a table of hexes or lines" } else { &name };
                let message = format!("{name}, line {line}: {}", fault.message);
                Fault { message, span: 0..0, ..*fault }
            }
            SituationError::Io { name, error } => Fault::new(format!("`{name}`: {error}"), 0..0),
        }
    }
}

impl From<Fault> for SituationError {
    fn from(fault: Fault) -> SituationError {
        SituationError::Fault(fault)
    }
}

/// A function that changes the rules of a file, such as by options of the command line.
pub type Overrides<'a> = &'a dyn Fn(&mut RoutRules) -> Result<(), Fault>;

/// Leaves the rules as the file has them.
pub fn as_written(_: &mut RoutRules) -> Result<(), Fault> {
    Ok(())
}

/// A parsed situation file.
pub struct Scenario {
    pub about: Option<String>,
    /// The tables of the file, as written.
    pub tables: SituationTables,
    pub situation: Situation,
    pub rules: RoutRules,
    /// Leaders that arrive later, each with its first Player Turn. `situation` lacks them.
    pub arrivals: Vec<(Friend, u16)>,
    /// The continuation over Player Turns, if the file has one.
    pub campaign: Option<CampaignSetup>,
    /// Notes on what the parser had to assume.
    pub notes: Vec<String>,
}

/// A function that returns the text of a table, given its name in the situation file.
pub type Open<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// Returns the text of a table: `name` itself if it has several lines, else the file it names.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn inline(name: &str, open: Open) -> io::Result<String> {
    if name.contains('\n') { Ok(name.to_string()) } else { open(name) }
}

/// Refuses to open any file, for situations that must contain the lines of their tables.
///
/// # Errors
///
/// Always fails with a message that asks for the lines of the table instead of its name.
pub fn no_files(name: &str) -> io::Result<String> {
    let message = format!("files cannot be read here: replace `{name}` with the text of the file");
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}

/// Returns whether a text is a situation file: TOML with a table `rout`.
pub fn is_situation(text: &str) -> bool {
    from_toml::key(text, "rout").is_some()
}

/// Parses a situation file. `open` returns the tables that it names.
///
/// # Errors
///
/// Fails if the file or one of its tables has a fault, or if a table cannot be opened.
pub fn read(text: &str, over: Overrides, open: Open) -> Result<Scenario, SituationError> {
    of_entries(&from_toml::file(text)?, over, open, &[])
}

/// Builds a situation from parsed entries. `other_names` are further suggestions for unknown keys.
///
/// # Errors
///
/// Fails if the entries or a table have a fault, or if a table cannot be opened.
pub fn of_entries(
    entries: &[Entry],
    over: Overrides,
    open: Open,
    other_names: &[&'static str],
) -> Result<Scenario, SituationError> {
    let mut scenario = read_unfinished(entries, over, open, other_names)?;
    if scenario.situation.routers.is_empty() {
        let fault = Fault::new("no unit routs: `rout` is missing", 0..0);
        let example = each("rout", &[("unit", "german:4-6-7/broken,dm"), ("at", "K5")]);
        return Err(fault.help(example).into());
    }
    scenario.campaign = campaign::outlook(scenario.tables.campaign.as_ref(), &scenario.situation)?;
    for (leader, turn) in &scenario.arrivals {
        scenario.notes.push(format!("{} comes in Player Turn {turn}", leader.name));
    }
    Ok(scenario)
}

/// Builds a situation without its campaign, in which no unit needs to rout.
///
/// # Errors
///
/// Fails if the entries or a table have a fault, or if a table cannot be opened.
pub fn read_unfinished(
    entries: &[Entry],
    over: Overrides,
    open: Open,
    other_names: &[&'static str],
) -> Result<Scenario, SituationError> {
    let (tables, rules) = tables(entries, over, other_names)?;
    let mut ground = ground::drafted(&tables, open)?;
    let mut notes = std::mem::take(&mut ground.notes);
    let map = ground.map()?;
    let sight = ground::sight(&tables.lines, &map, ground.lines)?;
    let form::Units { routers, friends, arrivals, enemies, breaking, .. } =
        form::placed(&tables, &map, &mut notes)?;
    let mut situation = Situation { routers, friends, enemies, ..Situation::new(map, sight) };
    rules.govern(&mut situation).map_err(|error| error.fault)?;
    for (unit, span) in breaking {
        let router = &situation.routers[unit];
        if !situation.may_break_voluntarily(router) {
            let fault =
                Fault::new(format!("{} may not break voluntarily (A10.41)", router.name), span);
            let help = "it must be in LOS and Normal Range of an armed, unbroken Known enemy, or \
                ADJACENT to an unbroken one";
            return Err(fault.help(help).into());
        }
    }
    let about = tables.about.clone();
    Ok(Scenario { about, tables, situation, rules, arrivals, campaign: None, notes })
}

/// Returns the fault for dice given in advance (`given`), which a rout on a map does not support.
pub fn no_dice(span: Range<usize>) -> Fault {
    let fault =
        Fault::new("`given` is not supported on a map: each plan rolls different dice", span);
    fault.help("write the current position into the situation, or use `trace` with a `script`")
}

/// Reads the tables of the file, the fields of the Rout Phase, and the rules, with `over` applied.
fn tables(
    entries: &[Entry],
    over: Overrides,
    other_names: &[&'static str],
) -> Result<(SituationTables, RoutRules), Fault> {
    let (mut tables, mut rules) = (SituationTables::default(), RoutRules::default());
    for (key, node) in entries {
        let name = key.value.as_str();
        if SituationTables::knows(name) {
            tables.set_node(name, node)?;
        } else if RoutFields::knows(name) {
            rules.fields.set_node(name, node)?;
        } else if rules.setting(name).is_some() {
            let fault = || {
                let expected = "must be a text, a whole number or true/false";
                node.place.fault(format!("`{name}` {expected}, not {}", node.kind()))
            };
            let value = node.value().ok_or_else(fault)?;
            rules.set(name, value).map_err(|fault| node.place.blamed(fault))?;
        } else {
            let known = SituationTables::ALL.iter().chain(RoutFields::ALL).map(|field| field.name);
            let known = known.chain(other_names.iter().copied());
            let fault = key.place.fault(format!("a situation has no key `{name}`"));
            return Err(unknown_name(fault, name, known, &rules));
        }
    }
    let set = |name| {
        let is_set =
            |(key, node): &&Entry| key.value == name && matches!(node.raw, Raw::Boolean(true));
        entries.iter().find(is_set)
    };
    if let (Some(_), Some((_, node))) = (set("hob"), set("no-hob")) {
        let fault = node.place.fault("`hob` and `no-hob` contradict each other");
        return Err(fault.help("keep one of them"));
    }
    over(&mut rules)?;
    Ok((tables, rules))
}
