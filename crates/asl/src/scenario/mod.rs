//! The situation file: a map, who stands on it, and what blocks whose view. Every fault has its
//! place in the file.
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
//! In place of `[map]`, or before it, `[board]` names a table of hexes (`hexes = "board.csv"`) and
//! perhaps one of lines of sight (`los = "los.csv"`). `[los]` gives lines by hand. Options of the
//! rules stand at the top: `profile`, `elr`, `hob`, `no-quarter`, `night`, `enemy-reveals`, and any
//! interpretation (`i11 = "alternative"`). `[campaign]` says how it goes on over Player Turns.

pub mod ahead;
pub mod answer;
mod board;
pub mod campaign;
mod ground;
mod rows;
mod sight;
pub mod understood;
pub mod units;

use std::io;
use std::ops::Range;

use crate::rout::{Friend, RoutFields, RoutRules, Situation};
use crate::rulebook::Rulebook;
use crate::tables::SituationTables;
pub use campaign::{Outlook, bars_campaign, left_out};
use engine::text::Fault;
use files::from_toml::{self, entry};
pub use rows::lettered;
use system::field::Fields as _;
use system::form::{Settable as _, unknown_name};
use system::node::{Entry, Raw};

/// Why a situation could not be read.
#[derive(Debug)]
pub enum SituationError {
    /// Something wrong in the situation file.
    Fault(Fault),
    /// Something wrong in a table it names.
    Table { name: String, text: String, fault: Box<Fault> },
    /// A table that could not be opened.
    Io { name: String, error: io::Error },
}

impl From<Fault> for SituationError {
    fn from(fault: Fault) -> SituationError {
        SituationError::Fault(fault)
    }
}

/// What is said of the rules from outside, which goes before what the file says.
pub type Over<'a> = &'a dyn Fn(&mut RoutRules) -> Result<(), Fault>;

/// Nothing is said from outside.
pub fn as_written(_: &mut RoutRules) -> Result<(), Fault> {
    Ok(())
}

/// A situation as read.
pub struct Scenario {
    pub about: Option<String>,
    pub situation: Situation,
    /// The rules it follows.
    pub rules: RoutRules,
    /// Leaders who are not there yet, each with the Player Turn from which on he is; in the
    /// situation they are not.
    pub arrivals: Vec<(Friend, u16)>,
    /// How it goes on, where the file says so.
    pub campaign: Option<Outlook>,
    /// What had to be assumed, in words.
    pub notes: Vec<String>,
}

/// Opens a table that a situation names.
pub type Open<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// Whether a file is a situation: somebody routs in it.
pub fn is_situation(text: &str) -> bool {
    from_toml::file(text).is_ok_and(|file| entry(&file, "rout").is_some())
}

/// Reads a situation file; `open` finds the tables it names.
pub fn read(text: &str, over: Over, open: Open) -> Result<Scenario, SituationError> {
    of_entries(&from_toml::file(text)?, over, open, &[])
}

/// The same of what has been read, and stands beside other keys.
pub fn of_entries(
    entries: &[Entry],
    over: Over,
    open: Open,
    beside: &[&'static str],
) -> Result<Scenario, SituationError> {
    let Standing { tables, rules, situation, arrivals, mut notes } =
        standing(entries, over, open, beside)?;
    if situation.routers.is_empty() {
        return Err(units::nobody().into());
    }
    let campaign = campaign::outlook(tables.campaign.as_ref(), &situation)?;
    for (leader, turn) in &arrivals {
        notes.push(format!("{} comes in Player Turn {turn}", leader.name));
    }
    Ok(Scenario { about: tables.about, situation, rules, arrivals, campaign, notes })
}

/// The map of a situation with whoever stands on it so far: nobody need rout.
pub fn laid_out(
    entries: &[Entry],
    open: Open,
    beside: &[&'static str],
) -> Result<Situation, SituationError> {
    Ok(standing(entries, &as_written, open, beside)?.situation)
}

/// A map with whoever stands on it.
struct Standing {
    tables: SituationTables,
    rules: RoutRules,
    situation: Situation,
    arrivals: Vec<(Friend, u16)>,
    notes: Vec<String>,
}

fn standing(
    entries: &[Entry],
    over: Over,
    open: Open,
    beside: &[&'static str],
) -> Result<Standing, SituationError> {
    let (tables, rules) = tables(entries, over, beside)?;
    let mut notes = Vec::new();
    let ground = ground::drafted(&tables, open)?;
    let map = ground.map()?;
    let sight = sight::sight(&tables.lines, &map, ground.lines)?;
    let units = units::placed(&tables, &map, &mut notes)?;
    let mut situation = Situation {
        map,
        sight,
        routers: units.routers,
        friends: units.friends,
        enemies: units.enemies,
        crowd: Vec::new(),
        no_quarter: false,
        night: false,
        enemy_reveals: false,
        heat_of_battle: true,
        elr: 0,
        rulebook: Rulebook::default(),
    };
    rules.govern(&mut situation).map_err(|error| error.fault)?;
    for (unit, span) in units.breaking {
        let router = &situation.routers[unit];
        if !situation.may_break_voluntarily(router) {
            let fault = Fault::new(
                format!("{} may not break of its own accord (A10.41)", router.name),
                span,
            );
            let help = "it needs an armed, unbroken Known enemy in whose LOS and Normal Range it is, or an unbroken one ADJACENT";
            return Err(fault.help(help).into());
        }
    }
    Ok(Standing { tables, rules, situation, arrivals: units.arrivals, notes })
}

/// Why a rout on a map takes no dice that are already rolled.
pub fn no_dice(span: Range<usize>) -> Fault {
    let fault = Fault::new(
        "a rout on a map takes no dice already rolled: it has several plans, each with dice of its own",
        span,
    );
    fault.help("put the unit where it stands now into the situation; a told sequence (`trace`) follows the dice of its `script`")
}

/// The tables of the file; and fields of the Rout Phase and interpretations, those of the file,
/// then those given from outside.
fn tables(
    entries: &[Entry],
    over: Over,
    beside: &[&'static str],
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
                node.place.fault(format!(
                    "`{name}` must be a text, a whole number or true/false, not {}",
                    node.kind()
                ))
            };
            rules
                .set(name, node.value().ok_or_else(fault)?)
                .map_err(|fault| node.place.blamed(fault))?;
        } else {
            let known = SituationTables::ALL.iter().chain(RoutFields::ALL).map(|field| field.name);
            let fault = key.place.fault(format!("a situation has no key `{name}`"));
            return Err(unknown_name(fault, name, known.chain(beside.iter().copied()), &rules));
        }
    }
    let says = |name| {
        entries
            .iter()
            .find(|(key, node)| key.value == name && matches!(node.raw, Raw::Boolean(true)))
    };
    if let (Some(_), Some((_, node))) = (says("hob"), says("no-hob")) {
        return Err(node
            .place
            .fault("`hob` and `no-hob` contradict each other")
            .help("keep one of them"));
    }
    over(&mut rules)?;
    Ok((tables, rules))
}
