//! The units of a situation, and a situation set field by field, as the grid of a study does.

use std::ops::Range;

use crate::board::map::{Location, Map};
use crate::catalogue::CounterKind;
use crate::kinds::PlayerTurns;
use crate::rout::fields::{
    EnemyTable, Escort, FriendTable, HexName, HexNameList, RoutTable, Single, UnitName, WeaponTable,
};
use crate::rout::{Circumstances, Enemy, Friend, MAX_ENEMIES, RoutRules, Router, Situation};
use crate::stack::Member;
use crate::tables::SituationTables;
use crate::vocabulary::Condition;
use engine::text::Fault;
use engine::text::notation::{shown, text_field};
use schema::{
    FieldFault, FieldValue as _, RawValue, Settable as _, SourcePosition, Spanned, Whole,
};

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

pub(super) struct Units<'a> {
    map: &'a Map,
    notes: &'a mut Vec<String>,
    names: Vec<String>,
    pub routers: Vec<Router>,
    pub friends: Vec<Friend>,
    pub arrivals: Vec<(Friend, u16)>,
    pub enemies: Vec<Enemy>,
    /// The units that break voluntarily (10.41): index in `routers`, and byte range in the file.
    pub breaking: Vec<(usize, Range<usize>)>,
}

pub(super) fn placed<'a>(
    tables: &SituationTables,
    map: &'a Map,
    notes: &'a mut Vec<String>,
) -> Result<Units<'a>, Fault> {
    let (routers, friends, arrivals, enemies) = Default::default();
    let (names, breaking) = (Vec::new(), Vec::new());
    let mut units = Units { map, notes, names, routers, friends, arrivals, enemies, breaking };
    tables.routs.iter().try_for_each(|one| units.add_routers(&one.value, &one.place))?;
    tables.friends.iter().try_for_each(|one| units.add_friends(&one.value, &one.place))?;
    tables.enemies.iter().try_for_each(|one| units.add_enemies(&one.value, &one.place))?;
    Ok(units)
}

impl Units<'_> {
    fn add_routers(&mut self, rout: &RoutTable, place: &SourcePosition) -> Result<(), Fault> {
        let mut member = self.needed_member(&rout.unit, place)?;
        if rout.breaks && member.is(Condition::Broken) {
            let message = format!("{member} is already broken: it cannot break voluntarily");
            return Err(place.fault(message));
        }
        if rout.breaks {
            can_break(&member, place.span.clone())?;
            member.conditions.set(Condition::Dm);
            member.conditions.clear(Condition::Pinned);
        } else if !member.is(Condition::Broken) {
            self.notes.push(format!("{member} is assumed broken"));
        }
        break_unit(&mut member, place.span.clone())?;
        for at in self.locations(&rout.at, place)? {
            let router = Router {
                name: self.name(&rout.name, member.printed().printed(), at, &rout.at)?,
                member: member.clone(),
                at,
                sheltered: !rout.outside,
                in_melee: rout.in_melee,
                mans_emplaced_gun: rout.mans_emplaced_gun,
                escort: rout.escort.clone().map(|Escort(leader)| leader),
            };
            if rout.breaks {
                self.breaking.push((self.routers.len(), place.span.clone()));
            }
            self.routers.push(router);
        }
        Ok(())
    }

    fn add_friends(&mut self, friend: &FriendTable, place: &SourcePosition) -> Result<(), Fault> {
        let member = self.needed_member(&friend.unit, place)?;
        if let Some(turn) = friend.turn.as_ref().filter(|_| !member.can_lead()) {
            let message = format!(
                "{member} is not a leader in Good Order: only such a leader can come later"
            );
            let fault = turn.place.fault(message);
            return Err(fault.help("without `turn`, it is there from the start"));
        }
        for at in self.locations(&friend.at, place)? {
            let name = self.name(&friend.name, member.printed().printed(), at, &friend.at)?;
            let placed = Friend { name, member: member.clone(), at };
            match friend.turn.as_ref().map_or(1, |turn| PlayerTurns::u16(turn.value)) {
                1 => self.friends.push(placed),
                turn => self.arrivals.push((placed, turn)),
            }
        }
        Ok(())
    }

    fn add_enemies(&mut self, enemy: &EnemyTable, place: &SourcePosition) -> Result<(), Fault> {
        let member = enemy.unit.as_ref().map(|unit| self.member(unit));
        let weapon = enemy.weapon.as_ref().map(WeaponTable::weapon).transpose()?;
        let is_bare = member.is_none() && weapon.is_none() && enemy.range.is_none();
        if is_bare && !enemy.unknown_fire {
            let fault = place.fault("`unit` is missing: the enemy's counter");
            return Err(fault.help(shown(
                "{}; for a vehicle or a Gun alone its `range` or `weapon`",
                [text_field("unit", "american:6-6-6")],
            )));
        }
        let circumstances = Circumstances {
            concealed: enemy.concealed,
            in_melee: enemy.in_melee,
            ti: enemy.ti,
            spotted_fire: enemy.spotted_fire,
            moving: enemy.moving,
            stunned: enemy.stunned,
            vehicle: enemy.vehicle || member.is_none(),
            unknown_fire: enemy.unknown_fire,
            holds_fire: enemy.holds_fire,
        };
        for at in self.locations(&enemy.at, place)? {
            if self.enemies.len() == MAX_ENEMIES {
                return Err(place.fault(format!("more than {MAX_ENEMIES} enemies")));
            }
            let what = member.as_ref().map_or("vehicle", |member| member.printed().printed());
            let name = self.name(&enemy.name, what, at, &enemy.at)?;
            self.enemies.push(Enemy {
                name,
                member: member.clone(),
                at,
                firepower: enemy.firepower.map(Whole::u8),
                range: enemy.range.map(Whole::u16),
                weapon,
                circumstances,
            });
        }
        Ok(())
    }

    fn needed_member(
        &mut self,
        unit: &Option<Single>,
        table: &SourcePosition,
    ) -> Result<Member, Fault> {
        let missing = || table.fault("`unit` is missing").help(text_field("unit", "german:4-6-7"));
        unit.as_ref().map(|unit| self.member(unit)).ok_or_else(missing)
    }

    fn member(&mut self, Single { member, assumed }: &Single) -> Member {
        for assumed in assumed {
            if !self.notes.contains(assumed) {
                self.notes.push(assumed.clone());
            }
        }
        member.clone()
    }

    /// Returns the Locations of the field `at`, of which there must be at least one.
    fn locations(
        &self,
        at: &Option<HexNameList>,
        table: &SourcePosition,
    ) -> Result<Vec<Location>, Fault> {
        let here = || text_field("at", "K5");
        let missing = || table.fault("`at` is missing: the unit's hex").help(here());
        let at = at.as_ref().ok_or_else(missing)?;
        if at.value.is_empty() {
            let fault = at.place.fault("`at` is an empty list: expected at least one hex");
            return Err(fault.help(here()));
        }
        let location = |Spanned { value: HexName(name), place }: &Spanned<HexName>| {
            self.map.parse_location(name).map_err(|fault| place.blamed(fault))
        };
        at.value.iter().map(location).collect()
    }

    /// Returns a unique name for a unit: the given one, or the counter with its Location.
    fn name(
        &mut self,
        name_field: &Option<Spanned<UnitName>>,
        what: &str,
        at: Location,
        locations: &Option<HexNameList>,
    ) -> Result<String, Fault> {
        let several = locations.as_ref().is_some_and(|locations| locations.value.len() > 1);
        let name = match name_field {
            Some(Spanned { value: UnitName(name), place }) if !several => {
                if self.names.contains(name) {
                    let fault = place.fault(format!("two units have the name `{name}`"));
                    return Err(fault.help("give each its own name"));
                }
                name.clone()
            }
            name_field => {
                let what = name_field.as_ref().map_or(what, |name| &name.value.0);
                let plain = format!("{what} in {}", self.map.location_name(at));
                free_name(plain, |name| !self.names.contains(name))
            }
        };
        self.names.push(name.clone());
        Ok(name)
    }
}

/// Returns the name, or the name with the first number, from 2, that makes it free.
fn free_name(plain: String, is_free: impl Fn(&String) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{plain} ({number})"));
    std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or(plain)
}

/// Makes a routing unit broken. Fails with a fault at `span` if it cannot break.
fn break_unit(member: &mut Member, span: Range<usize>) -> Result<(), Fault> {
    if !member.is(Condition::Broken) {
        can_break(member, span)?;
        member.conditions.set(Condition::Broken);
    }
    Ok(())
}

/// Checks that a unit can break. Heroes, heroic leaders (15.2) and berserk units (15.42) cannot.
///
/// # Errors
///
/// Fails with a fault at `span` if the unit cannot break.
fn can_break(member: &Member, span: Range<usize>) -> Result<(), Fault> {
    let steady = member.is(Condition::Berserk) || member.is(Condition::Heroic);
    if steady || member.printed().kind == CounterKind::Hero {
        return Err(Fault::new(format!("{member} is never broken, so it does not rout"), span));
    }
    Ok(())
}
