//! A position as a picture: a situation with all pieces that a player may know.

use std::collections::BTreeMap;

use asl::rout::fields::{EnemyTable, RoutTable};
use asl::tables::SituationTables;
use engine::text::{Fault, plain};
use serde_json::{Map, Value, json};
use vasl::map_units::{MapUnit, Mark};

use super::save::Save;
use super::sides::Nations;

/// A situation to be drawn.
pub struct SavedDrawing {
    /// The request of the situation, without its kind. Nobody in it needs to rout.
    pub request: Value,
    /// The nations of the enemies that have no counter, by their names.
    pub nations: BTreeMap<String, &'static str>,
}

/// The tables of a drawing that are being filled.
#[derive(Default)]
struct Tables {
    routs: Vec<Value>,
    friends: Vec<Value>,
    enemies: Vec<Value>,
    nations: BTreeMap<String, &'static str>,
    /// How often a name was taken.
    taken: BTreeMap<String, usize>,
}

impl Tables {
    /// Returns the request of a map with the pieces.
    fn request(self, mut map: Value) -> Value {
        for (table, entries) in [
            (SituationTables::routs, self.routs),
            (SituationTables::friends, self.friends),
            (SituationTables::enemies, self.enemies),
        ] {
            if !entries.is_empty() {
                map[table.name] = entries.into();
            }
        }
        map
    }

    /// Adds a piece without a counter of the catalogue.
    fn add_unnamed(&mut self, name: &str, at: &str, nation: Option<&'static str>, hidden: bool) {
        let name = plain(name).replace(',', " ");
        let name = format!("{} in {at}", name.split_whitespace().collect::<Vec<_>>().join(" "));
        let taken = self.taken.entry(name.clone()).or_default();
        *taken += 1;
        let name = if *taken > 1 { format!("{name} ({taken})") } else { name };
        self.nations.extend(nation.map(|nation| (name.clone(), nation)));
        self.enemies.push(json!({
            EnemyTable::name.name: name,
            EnemyTable::at.name: at,
            EnemyTable::unknown_fire.name: true,
            EnemyTable::concealed.name: hidden,
        }));
    }
}

impl Save<'_> {
    /// Returns the position as a situation. The side with most units stands for the friends.
    pub fn drawing(&self) -> SavedDrawing {
        let sides = self.all_sides();
        let number = |side: &&Nations| {
            self.all.units.iter().filter(|unit| side.contains(unit.nation)).count()
        };
        let side = sides.iter().rev().max_by_key(number).cloned().unwrap_or_default();
        let mut tables = Tables::default();
        for unit in &self.all.units {
            self.draw_unit(unit, &side, &mut tables);
        }
        for unit in &self.all.unrated {
            let at = self.location(&unit.place, unit.level);
            tables.add_unnamed(&unit.name, &at, Some(unit.nation), unit.is_concealed);
        }
        for (owner, place) in &self.all.concealed {
            tables.add_unnamed("?", &self.boards.hex(place), *owner, true);
        }
        let nations = std::mem::take(&mut tables.nations);
        SavedDrawing { request: tables.request(self.map()), nations }
    }

    /// Returns the position as a situation without concealment counters, in which a side moves. Its
    /// own vehicles and Guns are left out.
    pub(super) fn position_of(&self, side: &Nations) -> Result<Value, Fault> {
        let mut tables = Tables::default();
        for unit in &self.all.units {
            self.notation(unit, &self.location(&unit.place, unit.level))?;
            self.draw_unit(unit, side, &mut tables);
        }
        for unit in self.all.unrated.iter().filter(|unit| !side.contains(unit.nation)) {
            let at = self.location(&unit.place, unit.level);
            tables.add_unnamed(&unit.name, &at, Some(unit.nation), unit.is_concealed);
        }
        Ok(tables.request(self.map()))
    }

    fn draw_unit(&self, unit: &MapUnit, side: &Nations, tables: &mut Tables) {
        let at = self.location(&unit.place, unit.level);
        let Ok((notation, _)) = self.notation(unit, &at) else {
            let name = format!("{} {}", unit.nation, unit.printed);
            return tables.add_unnamed(&name, &at, Some(unit.nation), unit.is_concealed);
        };
        // The three tables have the same names for these.
        let mut entry = Map::new();
        entry.insert(EnemyTable::unit.name.into(), json!(notation));
        entry.insert(EnemyTable::at.name.into(), json!(at));
        let has = |mark: Mark| unit.marks.contains(&mark);
        let (is_own, is_broken) = (side.contains(unit.nation), has(Mark::Broken));
        if has(Mark::Melee) && (is_broken || !is_own) {
            entry.insert(RoutTable::in_melee.name.into(), json!(true));
        }
        if !is_own {
            entry.insert(EnemyTable::ti.name.into(), json!(has(Mark::Immobilized)));
            entry.insert(EnemyTable::concealed.name.into(), json!(unit.is_concealed));
        }
        match (is_own, is_broken) {
            (true, true) => tables.routs.push(entry.into()),
            (true, false) => tables.friends.push(entry.into()),
            (false, _) => tables.enemies.push(entry.into()),
        }
    }
}
