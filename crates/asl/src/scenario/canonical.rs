//! The canonical form of a situation with its boards: equal byte for byte if of equal meaning.

use serde_json::{Map, json};

use super::board::picture;
use super::ground::{self, Draft};
use super::{Open, Scenario, SituationError};
use crate::board::map::Map as Ground;
use crate::question_info::provenance;
use crate::rout::fields::{HexList, HexName, HexNameList, TableName};
use crate::vocabulary::Condition;
use play::canonical::{set_by, settings};
use schema::field::single_spaced;
use schema::{Fields as _, Json, Keyed, Settable as _, Spanned};

/// Returns the canonical form: tables in the order of declaration, then fields and interpretations.
///
/// # Errors
///
/// Fails if a table has a fault or cannot be opened.
pub fn canonical_form(
    scenario: &Scenario,
    open: Open,
) -> Result<Map<String, Json>, SituationError> {
    let Scenario { situation, rules, .. } = scenario;
    let mut tables = scenario.tables.clone();
    let map = &situation.map;
    tables.about = None;
    for board in &mut tables.boards {
        board.value = board.value.with_tables().map_err(|why| board.place.fault(why))?;
        let tables = [&mut board.value.hexes, &mut board.value.lines];
        for TableName(name) in tables.into_iter().flatten() {
            let text = open(name);
            let text = text.map_err(|error| SituationError::Io { name: name.clone(), error })?;
            *name = text.lines().map(|line| line.trim_end().to_string() + "\n").collect();
        }
    }
    for rout in tables.routs.iter_mut().map(|rout| &mut rout.value) {
        if let (Some(unit), false) = (&mut rout.unit, rout.breaks) {
            unit.member.conditions.set(Condition::Broken);
        }
        normalise_names(&mut rout.at, map);
    }
    tables.friends.iter_mut().for_each(|friend| normalise_names(&mut friend.value.at, map));
    tables.enemies.iter_mut().for_each(|enemy| normalise_names(&mut enemy.value.at, map));
    for (line, _) in &mut tables.lines.entries {
        if let Ok((from, to)) = ground::ends(&line.value, map) {
            line.value = joined([map.location_name(from), map.location_name(to)]);
        }
    }
    // With boards the rows are only a part of the map, so they stay as written.
    let is_whole = tables.boards.is_empty();
    if let Some(Spanned { value: ground, place }) = tables.map.as_mut() {
        if let Some(Spanned { value: rows, .. }) = &mut ground.rows {
            let spaced = rows.lines().map(single_spaced).filter(|row| !row.is_empty());
            *rows = spaced.collect::<Vec<_>>().join("\n");
        }
        let mut draft = Draft::default();
        if is_whole {
            draft.add_hexes(ground)?;
        }
        if let Some((value, legend)) = picture(&draft.hexes)? {
            (ground.rows, ground.legend) = (Some(Spanned { value, place: place.clone() }), legend);
            (ground.area, ground.terrain, ground.hexes) = (None, None, Keyed::default());
        }
        let one = |name: &str| map.parse(name).map(|hex| map.name(hex)).ok();
        let two = |name: &str| {
            let (a, b) = name.split_once('-')?;
            Some(joined([one(a.trim())?, one(b.trim())?]))
        };
        ground.roads.0.iter_mut().for_each(|road| name_hexes(&mut road.value, one));
        let buildings = ground.buildings.iter_mut().map(|building| &mut building.value);
        let of_buildings =
            buildings.flat_map(|building| [&mut building.hexes, &mut building.stairways]);
        let features =
            [&mut ground.smoke, &mut ground.blaze, &mut ground.foxholes, &mut ground.trenches];
        let others = [&mut ground.pillboxes, &mut ground.minefields, &mut ground.ffe];
        let by_terrain = ground.hexes.entries.iter_mut().map(|(_, hexes)| hexes);
        let by_level = ground.levels.entries.iter_mut().map(|(_, hexes)| hexes);
        for hexes in of_buildings.chain(features).chain(others).chain(by_terrain).chain(by_level) {
            name_hexes(hexes, one);
            in_order(hexes);
        }
        for (_, sides) in &mut ground.hexsides.entries {
            name_hexes(sides, two);
            in_order(sides);
        }
    }
    let mut entries = tables.values_json();
    if let (Some(outlook), Some(Json::Object(campaign))) =
        (&scenario.campaign, entries.get_mut("campaign"))
    {
        if let Some(objective) = &outlook.objective {
            campaign.insert("objective".to_string(), objective.to_json());
        }
        if let Some(unit) = campaign.get_mut("unit") {
            *unit = json!(situation.routers[outlook.unit].name);
        }
    }
    entries.extend(rules.fields.values_json());
    entries.extend(settings(
        rules.settings(),
        set_by(&provenance(situation.rulebook, situation.heat_of_battle, situation.elr)),
    ));
    Ok(entries)
}

fn joined(mut ends: [String; 2]) -> String {
    ends.sort();
    ends.join("-")
}

fn normalise_names(at: &mut Option<HexNameList>, map: &Ground) {
    let locations = at.iter_mut().flat_map(|at| &mut at.value);
    let name = |name: &str| map.parse_location(name).map(|at| map.location_name(at)).ok();
    locations.for_each(|location| rename(location, name));
}

fn name_hexes(hexes: &mut HexList, name: impl Fn(&str) -> Option<String>) {
    hexes.iter_mut().for_each(|hex| rename(hex, &name));
}

fn rename(
    Spanned { value: HexName(hex), .. }: &mut Spanned<HexName>,
    name: impl Fn(&str) -> Option<String>,
) {
    *hex = name(hex).unwrap_or(hex.clone());
}

fn in_order(hexes: &mut HexList) {
    hexes.sort_by(|a, b| a.value.0.cmp(&b.value.0));
    hexes.dedup_by(|a, b| a.value.0 == b.value.0);
}
