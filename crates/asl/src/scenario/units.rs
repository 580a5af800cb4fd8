//! The units of a situation.

use std::ops::Range;

use crate::board::map::{Location, Map};
use crate::catalogue::CounterKind;
use crate::kinds::PlayerTurns;
use crate::rout::fields::{
    EnemyTable, Escort, FriendTable, HexNameList, RoutTable, Single, UnitName, WeaponTable,
};
use crate::rout::{Circumstances, Enemy, Friend, MAX_ENEMIES, Router};
use crate::stack::Member;
use crate::tables::SituationTables;
use crate::unit::Condition;
use engine::text::Fault;
use engine::text::notation::{each, shown, text_field};
use schema::{SourcePosition, Spanned, Whole};

#[derive(Default)]
pub(super) struct Units {
    pub routers: Vec<Router>,
    pub friends: Vec<Friend>,
    pub arrivals: Vec<(Friend, u16)>,
    pub enemies: Vec<Enemy>,
    /// The units that break voluntarily (10.41): index in `routers`, and byte range in the file.
    pub breaking: Vec<(usize, Range<usize>)>,
}

struct Placing<'a> {
    map: &'a Map,
    notes: &'a mut Vec<String>,
    names: Vec<String>,
    units: Units,
}

/// Places the units of `[[rout]]`, `[[friend]]` and `[[enemy]]` on the map.
pub(super) fn placed(
    tables: &SituationTables,
    map: &Map,
    notes: &mut Vec<String>,
) -> Result<Units, Fault> {
    let mut placing = Placing { map, notes, names: Vec::new(), units: Units::default() };
    tables.routs.iter().try_for_each(|rout| placing.add_routers(&rout.value, &rout.place))?;
    tables
        .friends
        .iter()
        .try_for_each(|friend| placing.add_friends(&friend.value, &friend.place))?;
    tables.enemies.iter().try_for_each(|enemy| placing.add_enemies(&enemy.value, &enemy.place))?;
    Ok(placing.units)
}

pub(super) fn no_routing_unit() -> Fault {
    let fault = Fault::new("no unit routs: `rout` is missing", 0..0);
    fault.help(each("rout", &[("unit", "german:4-6-7/broken,dm"), ("at", "K5")]))
}

impl Placing<'_> {
    fn add_routers(&mut self, rout: &RoutTable, place: &SourcePosition) -> Result<(), Fault> {
        let mut member = self.needed_member(&rout.unit, place)?;
        if rout.breaks && member.is(Condition::Broken) {
            return Err(
                place.fault(format!("{member} is already broken: it cannot break voluntarily"))
            );
        }
        if !member.is(Condition::Broken) {
            can_break(&member, place.span.clone())?;
            if rout.breaks {
                member.conditions.set(Condition::Dm);
                member.conditions.clear(Condition::Pinned);
            } else {
                self.notes.push(format!("{member} is assumed broken"));
            }
            member.conditions.set(Condition::Broken);
        }
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
                self.units.breaking.push((self.units.routers.len(), place.span.clone()));
            }
            self.units.routers.push(router);
        }
        Ok(())
    }

    fn add_friends(&mut self, friend: &FriendTable, place: &SourcePosition) -> Result<(), Fault> {
        let member = self.needed_member(&friend.unit, place)?;
        if let Some(turn) = friend.turn.as_ref().filter(|_| !member.can_lead()) {
            let fault = turn.place.fault(format!(
                "{member} is not a leader in Good Order: only such a leader can come later"
            ));
            return Err(fault.help("without `turn`, it is there from the start"));
        }
        for at in self.locations(&friend.at, place)? {
            let name = self.name(&friend.name, member.printed().printed(), at, &friend.at)?;
            let placed = Friend { name, member: member.clone(), at };
            match friend.turn.as_ref().map_or(1, |turn| PlayerTurns::u16(turn.value)) {
                1 => self.units.friends.push(placed),
                turn => self.units.arrivals.push((placed, turn)),
            }
        }
        Ok(())
    }

    fn add_enemies(&mut self, enemy: &EnemyTable, place: &SourcePosition) -> Result<(), Fault> {
        let member = enemy.unit.as_ref().map(|unit| self.member(unit));
        let weapon = enemy.weapon.as_ref().map(WeaponTable::weapon).transpose()?;
        if member.is_none() && weapon.is_none() && enemy.range.is_none() {
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
            holds_fire: enemy.holds_fire,
        };
        for at in self.locations(&enemy.at, place)? {
            if self.units.enemies.len() == MAX_ENEMIES {
                return Err(place.fault(format!("more than {MAX_ENEMIES} enemies")));
            }
            let what = member.as_ref().map_or("vehicle", |member| member.printed().printed());
            let name = self.name(&enemy.name, what, at, &enemy.at)?;
            self.units.enemies.push(Enemy {
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
        let at = at
            .as_ref()
            .ok_or_else(|| table.fault("`at` is missing: the unit's hex").help(here()))?;
        if at.value.is_empty() {
            return Err(at
                .place
                .fault("`at` is an empty list: expected at least one hex")
                .help(here()));
        }
        at.value
            .iter()
            .map(|location| {
                self.map
                    .parse_location(&location.value.0)
                    .map_err(|fault| location.place.blamed(fault))
            })
            .collect()
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
                    return Err(place
                        .fault(format!("two units have the name `{name}`"))
                        .help("give each its own name"));
                }
                name.clone()
            }
            name_field => {
                let plain = format!(
                    "{} in {}",
                    name_field.as_ref().map_or(what, |name| &name.value.0),
                    self.map.location_name(at)
                );
                let numbered = (2..).map(|number| format!("{plain} ({number})"));
                std::iter::once(plain.clone())
                    .chain(numbered)
                    .find(|name| !self.names.contains(name))
                    .unwrap_or(plain)
            }
        };
        self.names.push(name.clone());
        Ok(name)
    }
}

/// Checks that a unit can break. Heroes, heroic leaders (15.2) and berserk units (15.42) cannot.
///
/// # Errors
///
/// Fails with a fault at `span` if the unit cannot break.
pub fn can_break(member: &Member, span: Range<usize>) -> Result<(), Fault> {
    let steady =
        [Condition::Berserk, Condition::Heroic].into_iter().any(|steady| member.is(steady));
    if steady || member.printed().kind == CounterKind::Hero {
        return Err(Fault::new(format!("{member} is never broken, so it does not rout"), span));
    }
    Ok(())
}
