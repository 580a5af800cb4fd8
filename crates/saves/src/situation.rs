//! Converts a VASL save or log to the request of a situation, which is then read like any other.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::changes::{GroundChange, check_hexes};
use super::doubt::{Doubt, Waivers, refusal};
use super::force::HERO;
use super::save::{Save, SaveOptions};
use super::sides::{Mover, Nations, elr, is_axis, nation, sides_of};
use super::{SaveFault, position};
use asl::nation::Nation;
use asl::rout::fields::{EnemyTable, RoutTable};
use asl::rout::{RoutFields, Situation};
use asl::tables::SituationTables;
use engine::text::{Fault, plain};
use vasl::map_units::{MapUnit, Mark, UnratedUnit};
use vasl::position::Position;
use vasl::saved::Saved;

/// A situation made from a save.
pub struct SavedSituation {
    /// The request of the situation, without its kind.
    pub request: Value,
    /// Notes on pieces that could not be interpreted, and other remarks.
    pub notes: Vec<String>,
    changes: Vec<GroundChange>,
    waivers: Waivers,
}

impl SavedSituation {
    /// Checks that no overlay and no change of terrain touches the way of a unit that routs.
    ///
    /// # Errors
    ///
    /// Fails if one does that is not waived.
    pub fn check_way(&self, situation: &Situation) -> Result<(), Fault> {
        let way = || situation.routers.iter().flat_map(|router| situation.way(router)).collect();
        check_hexes(&self.changes, &self.waivers, &situation.map, way)
    }

    /// Checks that no overlay and no change of terrain touches the hex of a broken unit.
    ///
    /// # Errors
    ///
    /// Fails if one does that is not waived.
    pub fn check_places(&self, situation: &Situation) -> Result<(), Fault> {
        let places = || situation.routers.iter().map(|router| router.at.hex).collect();
        check_hexes(&self.changes, &self.waivers, &situation.map, places)
    }
}

/// The note on the situation of the side that routs second.
pub const ROUTS_BEFORE: &str =
    "the other side routs before it; here its units stand where they stood before";

/// Returns the situations of a save in the order of play. `name` is the file in messages.
///
/// # Errors
///
/// Fails if the save has boards or counters that a situation cannot have, if no unit routs, if a
/// piece that is not understood affects a unit that routs, or if an option does not fit.
pub fn situations(
    saved: &Saved,
    name: &str,
    options: &SaveOptions,
) -> Result<Vec<SavedSituation>, SaveFault> {
    situations_at(&position(saved, options.at_step)?, name, options)
}

/// Returns the situations of a position, whatever step `options` names.
///
/// # Errors
///
/// Fails as [`situations`] does.
pub fn situations_at(
    position: &Position,
    name: &str,
    options: &SaveOptions,
) -> Result<Vec<SavedSituation>, SaveFault> {
    let save = Save::new(position, name, options)?;
    let (sides, remark) = save.sides()?;
    let taken = sides.iter().map(|side| save.situation(side));
    let mut taken = taken.collect::<Result<Vec<SavedSituation>, SaveFault>>()?;
    for one in &mut taken {
        one.notes.extend(remark.clone());
    }
    taken.iter_mut().skip(1).for_each(|second| second.notes.push(ROUTS_BEFORE.to_string()));
    Ok(taken)
}

/// The units of a situation by their part in it: those that rout, their friends, their enemies.
#[derive(Default)]
struct Roles {
    entries: [Vec<Value>; 3],
    words: [Vec<String>; 3],
    notes: Vec<String>,
}

impl Save<'_> {
    /// Returns the sides that rout in the order of play, and a remark on who moves.
    fn sides(&self) -> Result<(Vec<Nations>, Option<String>), SaveFault> {
        let units = self.all.units.iter();
        let broken = units.clone().filter(|unit| unit.marks.contains(&Mark::Broken));
        let there: Nations = units.map(|unit| unit.nation).collect();
        let is_broken = |side: &Nations| broken.clone().any(|unit| side.contains(unit.nation));
        if let Some(text) = &self.options.side {
            let side = named_side(text, &there, self.name)?;
            if !is_broken(&side) {
                let message = "the side has no visible broken unit";
                return Err(SaveFault::refused("side", text, message));
            }
            return Ok((vec![side], None));
        }
        let mut sides = sides_of(&there);
        sides.retain(is_broken);
        let mover = Mover::from_position(self.position);
        match &sides[..] {
            [] => {
                let fault = Fault::new("no visible unit is broken, so no unit routs", 0..0);
                return Err(fault.help("`lowcrawl vasl show` lists the units").into());
            }
            [first, second] => match mover.is_moving(first, second) {
                Some(true) => {}
                Some(false) => sides.reverse(),
                None => {
                    let first = first.iter().copied().collect::<Vec<_>>().join(",");
                    let message =
                        "both sides have broken units, but the file does not give the Player Turn";
                    return Err(Fault::new(message, 0..0).help(format!("`--side {first}`")).into());
                }
            },
            _ => {}
        }
        let remark = mover.note.filter(|_| sides.len() > 1);
        Ok((sides, remark))
    }

    /// Builds the situation in which the broken units of `side` rout.
    fn situation(&self, side: &Nations) -> Result<SavedSituation, SaveFault> {
        let mut roles = Roles::default();
        for unit in &self.all.units {
            self.place(unit, side, &mut roles)?;
        }
        let left_out = self.place_unrated(side, &mut roles);
        let (doubts, changes) = (self.doubts(), self.changes());
        let waivers = self.waivers(&doubts, &changes)?;
        self.check_pieces(side, &doubts, &waivers)?;
        let ground = self.ground();
        let about = self.about(side, &roles, &ground, left_out);
        let mut request = json!({ SituationTables::about.name: about });
        let mut notes = roles.notes;
        let (elr, remark) = elr(&self.position.scenario, is_axis(side));
        notes.extend(remark);
        if let Some(elr) = elr {
            request[RoutFields::elr.name] = json!(elr);
        }
        self.add_map(&mut request, ground);
        let tables = [SituationTables::routs, SituationTables::friends, SituationTables::enemies];
        let filled = tables.into_iter().zip(roles.entries).filter(|(_, units)| !units.is_empty());
        filled.for_each(|(table, units)| request[table.name] = units.into());
        notes.extend(self.remarks(&doubts, &changes));
        Ok(SavedSituation { request, notes, changes, waivers })
    }

    /// Adds a unit to those of its part in the situation.
    fn place(&self, unit: &MapUnit, side: &Nations, roles: &mut Roles) -> Result<(), Fault> {
        let has = |mark: Mark| unit.marks.contains(&mark);
        let role = match (side.contains(unit.nation), has(Mark::Broken)) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        };
        let at = self.location(&unit.place, unit.level);
        let (notation, found) = self.notation(unit, &at)?;
        roles.words[role].push(format!("{notation} in {at}"));
        let mut entry = json!({ RoutTable::unit.name: notation, RoutTable::at.name: at });
        if has(Mark::Melee) && role != 1 {
            entry[RoutTable::in_melee.name] = json!(true);
        }
        if role == 2 {
            if has(Mark::Immobilized) {
                entry[EnemyTable::ti.name] = json!(true);
            }
            if unit.is_concealed {
                entry[EnemyTable::concealed.name] = json!(true);
            }
            if let Some(range) = found.as_ref().and_then(|found| found.range) {
                entry[EnemyTable::range.name] = json!(range);
            }
        }
        if let Some(note) =
            found.and_then(|found| found.note).filter(|it| !roles.notes.contains(it))
        {
            roles.notes.push(note);
        }
        roles.entries[role].push(entry);
        Ok(())
    }

    /// Adds the vehicles, Guns, heroes and armor leaders of the enemy. Returns those of both sides.
    fn place_unrated(&self, side: &Nations, roles: &mut Roles) -> [Vec<String>; 2] {
        let mut words: [Vec<String>; 2] = Default::default();
        for unrated in &self.all.unrated {
            let at = self.location(&unrated.place, unrated.level);
            let name = plain(&unrated.name).replace(',', " ");
            let name = format!("{} in {at}", name.split_whitespace().collect::<Vec<_>>().join(" "));
            if side.contains(unrated.nation) {
                words[0].push(name);
                continue;
            }
            let same = words[1].iter().filter(|other| **other == name).count();
            words[1].push(name.clone());
            let name = if same > 0 { format!("{name} ({})", same + 1) } else { name };
            roles.entries[2].push(unknown_enemy(unrated, &name, &at));
        }
        words
    }

    /// Fails if a piece that is not understood and not waived is at or ADJACENT to a routing unit.
    fn check_pieces(
        &self,
        side: &Nations,
        doubts: &[Doubt],
        waivers: &Waivers,
    ) -> Result<(), Fault> {
        let routs =
            |unit: &&MapUnit| side.contains(unit.nation) && unit.marks.contains(&Mark::Broken);
        let routers: Vec<_> = self.all.units.iter().filter(routs).map(|unit| &unit.place).collect();
        let is_open = |doubt: &&Doubt| {
            doubt.touches(&routers) && !waivers.cover(&[doubt.waiver(&self.boards)])
        };
        let touching: Vec<&Doubt> = doubts.iter().filter(is_open).collect();
        let words: Vec<String> = touching.iter().map(|doubt| doubt.message(&self.boards)).collect();
        match touching.first() {
            Some(first) => Err(refusal(&words, Some(first.waiver(&self.boards)))),
            None => Ok(()),
        }
    }

    /// Describes the position as it was understood, a paragraph for each sort of piece.
    fn about(
        &self,
        side: &Nations,
        roles: &Roles,
        ground: &IndexMap<&'static str, Vec<String>>,
        [own, enemies]: [Vec<String>; 2],
    ) -> String {
        let nations = side.iter().copied().collect::<Vec<_>>().join(" and ");
        let boards = self.boards.render();
        let mut about = vec![format!("{} on {boards}: {nations} units rout.", self.name)];
        let carried: Vec<String> = self.all.weapons.iter().map(|one| self.carried(one)).collect();
        let on_map: Vec<String> =
            ground.iter().map(|(what, hexes)| format!("{what} in {}", hexes.join(", "))).collect();
        let [broken, friends, foes] = &roles.words;
        let lists = [
            ("Broken", broken.join(", ")),
            ("Their friends", friends.join(", ")),
            ("Enemies", foes.join(", ")),
            ("Known enemies whose fire is not reckoned", enemies.join(", ")),
            ("Own vehicles, Guns and others", own.join(", ")),
            ("Carried, and idle here", carried.join(", ")),
            ("On the map", on_map.join("; ")),
        ];
        let filled = lists.iter().filter(|(_, list)| !list.is_empty());
        about.extend(filled.map(|(what, list)| format!("{what}: {list}.")));
        about.iter().map(|line| plain(line)).collect::<Vec<_>>().join("\n\n")
    }
}

/// Returns the table of an enemy whose fire is not known.
fn unknown_enemy(unrated: &UnratedUnit, name: &str, at: &str) -> Value {
    let mut entry = json!({
        EnemyTable::name.name: name,
        EnemyTable::at.name: at,
        EnemyTable::unknown_fire.name: true,
    });
    if !unrated.is_vehicle {
        let of_nation = Nation::from_word(unrated.nation).map(|nation| format!("{nation}:{HERO}"));
        entry[EnemyTable::unit.name] = json!(of_nation.unwrap_or(HERO.to_string()));
    }
    if unrated.is_concealed {
        entry[EnemyTable::concealed.name] = json!(true);
    }
    entry
}

/// Parses the nations of `--side`. Fails if the save has no visible unit of one of them.
pub(super) fn named_side(text: &str, there: &Nations, file: &str) -> Result<Nations, SaveFault> {
    let nation = |word: &str| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let in_option = |fault: Fault| {
            SaveFault::option("side", text, fault.with_span(start..start + word.len()))
        };
        let nation = nation(word).map_err(in_option)?;
        if there.contains(nation) {
            return Ok(nation);
        }
        let message = format!("{file} has no visible {nation} unit");
        Err(in_option(Fault::new(message, 0..0).expecting(nation, there.iter().copied())))
    };
    text.split(',').map(str::trim).map(nation).collect()
}
