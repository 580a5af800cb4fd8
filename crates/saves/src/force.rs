//! The units in one Location of a save, for questions about single Locations.

use asl::board::hex::Hex;
use asl::board::map::Location;
use asl::catalogue::CounterKind;
use asl::nation::Nation;
use asl::rout::Situation;
use asl::stack::Stack;
use asl::unit::Condition;
use engine::text::{Fault, plain};
use serde_json::Value;
use vasl::board::BoardHex;
use vasl::map_units::Mark;

use super::SaveFault;
use super::changes::check_hexes;
use super::doubt::refusal;
use super::save::Save;
use super::sides::{Nations, sides_of};

/// A question made from a save.
#[derive(Debug)]
pub struct SavedQuestion {
    /// The fields that the save tells, with their values.
    pub fields: Vec<(&'static str, Value)>,
    /// The names of the fields that a field with several Locations tells for each of them.
    pub own: Vec<&'static str>,
    /// The position as it was understood.
    pub about: String,
    /// Notes on what was left out or not understood.
    pub notes: Vec<String>,
}

/// A unit in a Location.
pub(super) struct ForceUnit<'a> {
    /// The unit in stack notation, with its conditions.
    pub notation: String,
    pub nation: &'static str,
    pub kind: CounterKind,
    /// The index among the units of the save; `None` for a hero.
    pub index: Option<usize>,
    pub marks: &'a [Mark],
    pub is_concealed: bool,
    /// The printed values, for messages.
    pub printed: &'a str,
}

impl ForceUnit<'_> {
    pub fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// Returns the unit as the target of an attack: under its `?` if it has one.
    pub fn as_target(&self) -> String {
        match self.is_concealed {
            true => with_word(&self.notation, Condition::Concealed.name()),
            false => self.notation.clone(),
        }
    }
}

/// Adds a word behind a counter.
pub(super) fn with_word(notation: &str, word: &str) -> String {
    let sign = if notation.contains('/') { ',' } else { '/' };
    format!("{notation}{sign}{word}")
}

/// Joins the units of a stack; equal neighbours become one entry.
pub(super) fn stacked(units: &[String]) -> String {
    let alike = units.chunk_by(|one, next| one == next).map(|alike| match alike {
        [one] => one.clone(),
        _ => format!("{}x {}", alike.len(), alike[0]),
    });
    alike.collect::<Vec<_>>().join(" + ")
}

/// Returns the nations of a side in words.
pub(super) fn side_name(side: &Nations) -> String {
    side.iter().copied().collect::<Vec<_>>().join(" and ")
}

/// The name of a hero in stack notation.
pub(super) const HERO: &str = "hero";

impl Save<'_> {
    /// Returns the hex of a map at which a piece is; `None` outside the map.
    pub(super) fn hex_of(&self, situation: &Situation, place: &BoardHex) -> Option<Hex> {
        situation.map.parse(&self.boards.hex(place)).ok()
    }

    /// Reads the Location of an option.
    pub(super) fn place_of(
        &self,
        situation: &Situation,
        (option, text): (&'static str, &str),
    ) -> Result<Location, SaveFault> {
        let located = situation.map.parse_location(text);
        located.map_err(|fault| SaveFault::option(option, text, fault))
    }

    /// Returns the units in a Location that the player may know, leaders first.
    pub(super) fn force(
        &self,
        situation: &Situation,
        at: Location,
    ) -> Result<Vec<ForceUnit<'_>>, Fault> {
        let is_here = |place: &BoardHex, level: u8| -> Result<bool, Fault> {
            if self.hex_of(situation, place) != Some(at.hex) {
                return Ok(false);
            }
            Ok(situation.map.parse_location(&self.location(place, level))? == at)
        };
        let without_span = |fault: Fault| Fault { span: 0..0, ..fault };
        let mut force = Vec::new();
        for (index, unit) in self.all.units.iter().enumerate() {
            if !is_here(&unit.place, unit.level).map_err(without_span)? {
                continue;
            }
            let (notation, _) = self.notation(unit, &self.location(&unit.place, unit.level))?;
            force.push(ForceUnit {
                kind: kind_of(&notation)?,
                notation,
                nation: unit.nation,
                index: Some(index),
                marks: &unit.marks,
                is_concealed: unit.is_concealed,
                printed: &unit.printed,
            });
        }
        for unit in self.all.unrated.iter().filter(|unit| !unit.is_vehicle) {
            if is_here(&unit.place, unit.level).map_err(without_span)? {
                let of_nation = Nation::from_word(unit.nation);
                force.push(ForceUnit {
                    notation: of_nation.map_or(HERO.into(), |nation| format!("{nation}:{HERO}")),
                    nation: unit.nation,
                    kind: CounterKind::Hero,
                    index: None,
                    marks: &[],
                    is_concealed: unit.is_concealed,
                    printed: HERO,
                });
            }
        }
        force.sort_by_key(|unit| !unit.kind.is_smc());
        Ok(force)
    }

    /// Returns the sides of the save, by all nations that the player may know of.
    pub(super) fn all_sides(&self) -> Vec<Nations> {
        let units = self.all.units.iter().map(|unit| unit.nation);
        let others = self.all.unrated.iter().map(|unit| unit.nation);
        let concealed = self.all.concealed.iter().filter_map(|(owner, _)| *owner);
        sides_of(&units.chain(others).chain(concealed).collect())
    }

    /// Returns the side of a nation.
    pub(super) fn side_of(&self, nation: &'static str) -> Nations {
        self.side_of_name(nation).unwrap_or_else(|| Nations::from([nation]))
    }

    /// Returns the side of a nation; `None` if the save has none of it.
    pub(super) fn side_of_name(&self, nation: &str) -> Option<Nations> {
        self.all_sides().into_iter().find(|side| side.contains(nation))
    }

    /// Returns whether a concealment counter of others lies in a hex, except those of `side`.
    pub(super) fn is_masked(&self, situation: &Situation, hex: Hex, side: &Nations) -> bool {
        self.all.concealed.iter().any(|(owner, place)| {
            owner.is_none_or(|owner| !side.contains(owner))
                && self.hex_of(situation, place) == Some(hex)
        })
    }

    /// Returns the names of the vehicles, Guns and armor leaders in a hex.
    pub(super) fn vehicles(&self, situation: &Situation, hex: Hex) -> Vec<String> {
        let vehicles = self.all.unrated.iter().filter(|unit| unit.is_vehicle);
        let here = vehicles.filter(|unit| self.hex_of(situation, &unit.place) == Some(hex));
        here.map(|unit| plain(&unit.name)).collect()
    }

    /// Returns the names of the markers in a hex that begin with one of some words.
    pub(super) fn markers(&self, situation: &Situation, hex: Hex, words: &[&str]) -> Vec<String> {
        let is_meant = |name: &str| words.iter().any(|word| name.starts_with(word));
        let markers = self.all.markers.iter().filter(|(name, _)| is_meant(name));
        let here = markers.filter(|(_, place)| self.hex_of(situation, place) == Some(hex));
        here.map(|(name, _)| plain(name)).collect()
    }

    /// Returns the Locations with Known units of some sides, each once, for help.
    pub(super) fn held(
        &self,
        situation: &Situation,
        is_meant: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let mut held: Vec<String> = Vec::new();
        for unit in self.all.units.iter().filter(|unit| is_meant(unit.nation)) {
            let name = self.location(&unit.place, unit.level);
            let known = situation.map.parse_location(&name);
            let name = known.map_or(name, |at| situation.map.location_name(at));
            if !held.contains(&name) {
                held.push(name);
            }
        }
        held
    }

    /// Checks that nothing in the hexes of a question is not understood, unless it is waived, and
    /// returns the notes on all such pieces and changes.
    pub(super) fn check_ends(
        &self,
        situation: &Situation,
        hexes: &[Hex],
    ) -> Result<Vec<String>, SaveFault> {
        let (doubts, changes) = (self.doubts(), self.changes());
        let waivers = self.waivers(&doubts, &changes)?;
        let is_open = |hex: Option<Hex>| hex.is_some_and(|hex| hexes.contains(&hex));
        let touching = doubts.iter().filter(|doubt| {
            is_open(self.hex_of(situation, &doubt.place))
                && !waivers.cover(&[doubt.waiver(&self.boards)])
        });
        let touching: Vec<_> = touching.collect();
        if let Some(first) = touching.first() {
            let words: Vec<String> =
                touching.iter().map(|doubt| doubt.message(&self.boards)).collect();
            return Err(refusal(&words, Some(first.waiver(&self.boards))).into());
        }
        check_hexes(&changes, &waivers, &situation.map, || hexes.to_vec())?;
        Ok(self.remarks(&doubts, &changes).collect())
    }

    /// Returns the fault of a Location in which the player knows of nobody.
    pub(super) fn nobody(
        &self,
        situation: &Situation,
        (option, text): (&'static str, &str),
        (hex, is_meant): (Hex, &dyn Fn(&str) -> bool),
    ) -> SaveFault {
        let fault = match self.is_masked(situation, hex, &Nations::new()) {
            true => {
                let message = "only concealed units are there, of which a save tells nothing";
                Fault::new(message, 0..text.len())
                    .help("`--mine russian` reads those of your own side")
            }
            false => {
                let fault = Fault::new("no unit that you may know is there", 0..text.len());
                match &self.held(situation, is_meant)[..] {
                    [] => fault.help("`lowcrawl vasl show` lists the units"),
                    held => fault.help(format!("units are in {}", few(held))),
                }
            }
        };
        SaveFault::option(option, text, fault)
    }
}

/// The largest number of Locations that a message names.
const FEW: usize = 8;

/// Joins names; of many the first.
pub(super) fn few(names: &[String]) -> String {
    let shown = names.iter().take(FEW).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(FEW) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns the kind of the counter of a stack notation.
fn kind_of(notation: &str) -> Result<CounterKind, Fault> {
    let stack = Stack::parse(notation)?;
    let kind = stack.members.first().map(|member| member.printed().kind);
    kind.ok_or_else(|| Fault::new("expected a unit", 0..0))
}
