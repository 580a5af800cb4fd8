//! A situation whose units and rules are set field by field, as the grid of a study does.

use super::units::{break_unit, free_name};
use crate::board::map::Map;
use crate::rout::fields::{HexName, RoutTable, Single};
use crate::rout::{RoutRules, Router, Situation};
use crate::tables::SituationTables;
use engine::text::Fault;
use schema::{FieldFault, FieldValue as _, RawValue, Settable as _};

/// The names of the tables of units with fields that can be set, and of the field for their hex.
pub const ROUT: &str = SituationTables::routs.name;
pub const ENEMY: &str = SituationTables::enemies.name;
pub const AT: &str = RoutTable::at.name;

/// A situation with its rules, before the rules are applied.
#[derive(Clone)]
pub struct SituationForm {
    pub situation: Situation,
    pub rules: RoutRules,
}

impl SituationForm {
    /// Sets a field of the Rout Phase, an interpretation, or `unit` or `at` of a unit. The field of
    /// a unit has its table and its 1-based number in front: `rout.1.at`. Returns the name of the
    /// Location if the value is one.
    ///
    /// # Errors
    ///
    /// Fails if the value does not fit.
    ///
    /// # Panics
    ///
    /// Panics if the situation has no such unit.
    pub fn set(&mut self, field: &str, value: RawValue) -> Result<Option<String>, Fault> {
        let Some((table, unit, name)) = of_unit(field) else {
            return self.rules.set(field, value).map(|()| None);
        };
        if name == AT {
            let map = &self.situation.map;
            let at = map.parse_location(&HexName::read(name, value)?.0)?;
            let shown = map.location_name(at);
            match table {
                ROUT => self.change(unit, |router| router.at = at),
                _ => self.situation.enemies[unit].at = at,
            }
            return Ok(Some(shown));
        }
        let Single { mut member, .. } = Single::read(name, value)?;
        if table != ROUT {
            self.situation.enemies[unit].member = Some(member);
            return Ok(None);
        }
        break_unit(&mut member, 0..0)?;
        self.change(unit, |router| router.member = member);
        Ok(None)
    }

    /// Changes a routing unit. A default name follows the change, and stays unique.
    fn change(&mut self, unit: usize, change: impl FnOnce(&mut Router)) {
        let Situation { map, routers, .. } = &mut self.situation;
        let mut router = routers.remove(unit);
        let is_plain = router.name.starts_with(&plain_name(map, &router));
        change(&mut router);
        if is_plain {
            let is_free = |name: &String| routers.iter().all(|other| other.name != *name);
            router.name = free_name(plain_name(map, &router), is_free);
        }
        routers.insert(unit, router);
    }

    /// Returns the situation with its rules.
    ///
    /// # Errors
    ///
    /// Fails if an interpretation does not have the chosen value.
    pub fn finish(mut self) -> Result<Situation, FieldFault> {
        self.rules.govern(&mut self.situation)?;
        Ok(self.situation)
    }
}

/// Splits the field of a unit: its table, its 0-based number, and its name there.
fn of_unit(field: &str) -> Option<(&str, usize, &str)> {
    let (table, field) = field.split_once('.')?;
    let (number, name) = field.split_once('.')?;
    Some((table, number.parse::<usize>().ok()?.checked_sub(1)?, name))
}

fn plain_name(map: &Map, router: &Router) -> String {
    format!("{} in {}", router.member.printed().printed(), map.location_name(router.at))
}
