//! A save as a player understands it: its boards, the pieces that he may know, and what of them
//! stays unknown.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::SaveFault;
use super::boards::Boards;
use super::changes::{GroundChange, changes};
use super::counters::{FoundCounter, counter, unit_names};
use super::doubt::{Doubt, Waivers};
use asl::rout::fields::MapTable;
use asl::stack::Stack;
use asl::tables::SituationTables;
use asl::unit::Condition;
use engine::text::{Fault, canonical};
use vasl::map_units::{CarriedWeapon, Feature, MapUnit, MapUnits, Mark};
use vasl::position::Position;

/// Options for reading a save. Faults name them with `-` for `_`.
#[derive(Clone, Debug, Default)]
pub struct SaveOptions {
    /// The nations of the side whose broken units rout, separated by commas; else both sides do.
    pub side: Option<String>,
    /// The nation of the player, whose concealed and hidden pieces are included.
    pub mine: Option<&'static str>,
    /// The number of steps of a log after which the position is taken; else all.
    pub at_step: Option<usize>,
    /// Replacements for counters that the catalogue lacks, each `COUNTER=UNIT`.
    pub set_unit: Vec<String>,
    /// The unknown things to ignore: `all`, or words such as `overlay:57H9`.
    pub anyway: Vec<String>,
}

/// A save with the options of a question.
pub struct Save<'a> {
    pub(super) options: &'a SaveOptions,
    pub(super) name: &'a str,
    pub(super) position: &'a Position,
    pub(super) all: MapUnits,
    pub(super) boards: Boards<'a>,
}

impl<'a> Save<'a> {
    /// Reads a position. `name` is the file in messages.
    ///
    /// # Errors
    ///
    /// Fails if the save has boards that a situation cannot have, or if a `--set-unit` names no
    /// unit.
    pub fn new(
        position: &'a Position,
        name: &'a str,
        options: &'a SaveOptions,
    ) -> Result<Save<'a>, SaveFault> {
        let all = MapUnits::from_position(position, options.mine);
        let boards = Boards::from_position(position)?;
        let save = Save { options, name, position, all, boards };
        save.check_replacements()?;
        Ok(save)
    }

    /// Returns the request of a situation with the boards and what lies on them, without units.
    pub fn map(&self) -> Value {
        let mut request = json!({});
        self.add_map(&mut request, self.ground());
        request
    }

    pub(super) fn add_map(&self, request: &mut Value, ground: IndexMap<&'static str, Vec<String>>) {
        request[SituationTables::boards.name] = self.boards.json();
        if !ground.is_empty() {
            request[SituationTables::map.name] = ground.into_iter().collect();
        }
    }

    /// Reads the waivers of the player.
    pub(super) fn waivers(
        &self,
        doubts: &[Doubt],
        changes: &[GroundChange],
    ) -> Result<Waivers, SaveFault> {
        let known = doubts.iter().map(|doubt| doubt.waiver(&self.boards));
        let known = known.chain(changes.iter().flat_map(|change| change.waivers().to_vec()));
        Waivers::read(&self.options.anyway, &known.collect::<Vec<_>>())
    }

    /// Returns the overlays and the changes of terrain.
    pub(super) fn changes(&self) -> Vec<GroundChange> {
        changes(self.position, &self.boards)
    }

    /// Returns a note on each piece and each change that is not understood.
    pub(super) fn remarks<'b>(
        &'b self,
        doubts: &'b [Doubt],
        changes: &'b [GroundChange],
    ) -> impl Iterator<Item = String> + 'b {
        let note = |doubt: &Doubt| format!("not understood: {}", doubt.message(&self.boards));
        doubts.iter().map(note).chain(changes.iter().map(GroundChange::message))
    }

    /// Fails if a `--set-unit` names no unit on the map.
    fn check_replacements(&self) -> Result<(), SaveFault> {
        const OPTION: &str = "set-unit";
        for set in &self.options.set_unit {
            let Some((counter, _)) = set.split_once('=') else {
                let fault = Fault::new("expected a counter, `=` and its replacement", 0..set.len());
                let fault = fault.help("\"japanese:4-4-7=british:4-4-7/broken-morale=8\"");
                return Err(SaveFault::option(OPTION, set, fault));
            };
            let names: BTreeSet<String> = self.all.units.iter().flat_map(unit_names).collect();
            if !names.iter().any(|name| canonical(name) == canonical(counter)) {
                let message = format!("no visible unit is called `{}`", counter.trim());
                let fault = Fault::new(message, 0..counter.len());
                let names = names.iter().map(String::as_str);
                let fault = fault.expecting(&canonical(counter), names);
                return Err(SaveFault::option(OPTION, set, fault));
            }
        }
        Ok(())
    }

    pub(super) fn location(&self, place: &vasl::board::BoardHex, level: u8) -> String {
        let hex = self.boards.hex(place);
        if level > 0 { format!("{hex} level {level}") } else { hex }
    }

    /// Returns the pieces that are not understood, or stand beside the middle of their hex.
    pub(super) fn doubts(&self) -> Vec<Doubt> {
        let off = self.all.units.iter().filter(|unit| unit.place.is_off);
        let off = off.map(|unit| {
            let what = format!("{} is not in the middle of its hex", unit.printed);
            Doubt { what, place: unit.place.clone() }
        });
        let unknown = self.all.unknown.iter().cloned();
        off.chain(unknown.map(|(what, place)| Doubt { what, place })).collect()
    }

    /// Describes a SW and who has it.
    pub(super) fn carried(&self, weapon: &CarriedWeapon) -> String {
        let carrier = weapon.carrier.and_then(|carrier| self.all.units.get(carrier));
        let side = |nation: &str| nation.strip_suffix("-ss").unwrap_or(nation).to_string();
        let is_captured = carrier
            .zip(weapon.nation)
            .is_some_and(|(carrier, nation)| side(carrier.nation) != side(nation));
        let captured = if is_captured { "captured " } else { "" };
        let by = carrier.map_or(String::new(), |carrier| format!(" with the {}", carrier.printed));
        format!("{captured}{}{by} in {}", weapon.name, self.boards.hex(&weapon.place))
    }

    pub(super) fn ground(&self) -> IndexMap<&'static str, Vec<String>> {
        let mut ground: IndexMap<&str, Vec<String>> = IndexMap::new();
        for (feature, place) in &self.all.features {
            let field = match feature {
                Feature::Smoke => MapTable::smoke,
                Feature::Blaze => MapTable::blaze,
                Feature::Foxholes => MapTable::foxholes,
                Feature::Trench => MapTable::trenches,
            };
            let (hexes, hex) = (ground.entry(field.name).or_default(), self.boards.hex(place));
            if !hexes.contains(&hex) {
                hexes.push(hex);
            }
        }
        ground
    }

    /// Returns the stack notation of a unit with its conditions, and its counter unless it is
    /// replaced. `at` is its hex, for messages.
    pub(super) fn notation(
        &self,
        unit: &MapUnit,
        at: &str,
    ) -> Result<(String, Option<FoundCounter>), Fault> {
        let names = unit_names(unit);
        let named = &names[1];
        let set = self.options.set_unit.iter().find_map(|set| {
            let (counter, unit) = set.split_once('=')?;
            let is_it = |name: &String| canonical(counter) == canonical(name);
            names.iter().any(is_it).then_some(unit.trim())
        });
        let own = self.all.units.iter().filter(|other| other.nation == unit.nation);
        let squads: Vec<&str> = own.map(|other| &*other.printed).collect();
        let found = match set {
            Some(_) => None,
            None => Some(counter(unit, &squads).map_err(|others| {
                let message = format!("the catalogue has no counter `{named}`, which is in {at}");
                let which = others
                    .map_or("british:4-4-7/broken-morale=7".to_string(), |id| format!("id:{id}"));
                Fault::new(message, 0..0)
                    .help(format!("name a replacement: `--set-unit \"{named}={which}\"`"))
            })?),
        };
        let conditions = unit.marks.iter().filter_map(|mark| condition(*mark));
        let mut conditions: Vec<String> =
            conditions.map(|condition| condition.name().to_string()).collect();
        // The broken morale printed on the VASL counter overrides the catalogue.
        let printed = found.as_ref().and_then(|found| found.broken_morale);
        let differs = |morale: &u8| printed.is_some_and(|printed| printed != *morale);
        let morale = unit.broken_morale.filter(differs);
        conditions.extend(morale.map(|morale| format!("broken-morale={morale}")));
        let written = found.as_ref().map(|found| found.written.as_str());
        let mut counter = written.or(set).unwrap_or_default().to_string();
        if !conditions.is_empty() {
            counter.push(if counter.contains('/') { ',' } else { '/' });
            counter += &conditions.join(",");
        }
        Stack::parse(&counter).map_err(|fault| {
            let message = format!("{named} in {at}: {}", fault.message);
            Fault { message, span: 0..0, ..fault }
        })?;
        Ok((counter, found))
    }
}

/// Returns the condition of a VASL mark in stack notation; `None` if it stands elsewhere.
const fn condition(mark: Mark) -> Option<Condition> {
    Some(match mark {
        Mark::Broken => Condition::Broken,
        Mark::Dm => Condition::Dm,
        Mark::Pinned => Condition::Pinned,
        Mark::Disrupted => Condition::Disrupted,
        Mark::Encircled => Condition::Encircled,
        Mark::Wounded => Condition::Wounded,
        Mark::Fanatic => Condition::Fanatic,
        Mark::Heroic => Condition::Heroic,
        Mark::Berserk => Condition::Berserk,
        Mark::Cx => Condition::Cx,
        Mark::Melee | Mark::Immobilized => return None,
    })
}
