//! Fire phases: attacks by a schedule, Fire Groups of a side, and their aim (7.2, 7.5).

use smallvec::SmallVec;

use super::model::{AttackTurns, FireKey, Platoon, PlatoonPlay, PlatoonView};
use super::orders::{Aim, FireGrouping};
use super::state::{EventScope, FireMoment, PlatoonEvent, Trooper, Whereabouts};
use crate::attack::circumstances::{AttackCircumstances, FirePhase, Sight, TargetState};
use crate::attack::firers::{FireGroup, Firer, FiringLocation, MannedWeapon, OwnSight};
use crate::attack::reckoning::reckon;
use crate::attack::weapons::SupportWeapon;
use crate::catalogue::CATALOGUE;
use crate::rulebook::Switch;
use crate::stack::Member;
use crate::unit::Condition;
use crate::vocabulary::attack::Attack;
use engine::process::{Event, Log};

/// The units of a Fire Group, by their indices, with the leaders of their Locations.
type GroupUnits = SmallVec<[usize; 12]>;

/// A Fire Group before it has a target.
struct Group {
    /// The units that fire.
    firing: GroupUnits,
    moment: FireMoment,
}

impl FireMoment {
    const fn phase(self) -> FirePhase {
        match self {
            FireMoment::Prep => FirePhase::Prep,
            FireMoment::Defensive => FirePhase::Final,
            FireMoment::Advancing => FirePhase::Advancing,
        }
    }
}

impl<'a> PlatoonView<'a> {
    /// Returns the number of Fire Groups that a side can form.
    fn groups(self, side: usize) -> usize {
        match self.side(side).orders.group {
            FireGrouping::ByLocation => self.side(side).locations.len(),
            FireGrouping::One => 1,
            FireGrouping::Separate => self.units(side).len(),
        }
    }

    /// Returns the units of the Fire Group with a number, from 0.
    fn group(self, side: usize, number: usize, moment: FireMoment) -> Group {
        let fires = |trooper: &Trooper| {
            let has_moved = trooper.has_moved;
            self.is_able(trooper)
                && trooper.at.as_location().is_some()
                && has_moved == (moment == FireMoment::Advancing)
        };
        let is_of = |index: usize, trooper: &Trooper| match self.side(side).orders.group {
            FireGrouping::ByLocation => trooper.at == Whereabouts::location(number as u8),
            FireGrouping::One => true,
            FireGrouping::Separate => index == number,
        };
        let units = self.units(side).iter().enumerate();
        let firing = units
            .filter(|(index, trooper)| is_of(*index, trooper) && fires(trooper))
            .map(|(index, _)| index);
        Group { firing: firing.collect(), moment }
    }

    /// Returns the Location that an aim chooses of those of a side, each with the range from the
    /// firers and the DRM of its TEM and Hindrance. One with an unbroken unit comes first (I-161).
    fn aim(self, side: usize, aim: Aim, targets: &[(u8, u8, i8)]) -> Option<u8> {
        if let Aim::Fixed(location) = aim
            && targets.iter().any(|(at, ..)| *at == location)
        {
            return Some(location);
        }
        let is_up = |at: u8| self.is_up_in(side, at);
        let good_order = |at: u8| {
            let mmc = self.in_location(side, at);
            mmc.filter(|one| one.is_up() && self.is_mmc(&one.unit)).count() as i16
        };
        let rank = |&&(at, range, drm): &&(u8, u8, i8)| {
            let first = match aim {
                Aim::Nearest | Aim::Fixed(_) => 0,
                Aim::Most => -good_order(at),
                Aim::Easiest => i16::from(drm),
            };
            (!is_up(at), first, range)
        };
        // Of equals the first.
        targets.iter().min_by_key(rank).map(|(at, ..)| *at)
    }

    fn is_up_in(self, side: usize, at: u8) -> bool {
        self.in_location(side, at).any(Trooper::is_up)
    }

    /// Returns the target of a fixed attack, and its Location.
    fn fixed_target(self, number: usize) -> Option<(u8, Attack)> {
        let fixed = &self.platoon.attacks[number];
        let side = usize::from(fixed.on);
        let occupied = |at: u8| self.in_location(side, at).next().is_some();
        let at = match fixed.at {
            Aim::Fixed(at) => Some(at).filter(|at| occupied(*at)),
            aim => {
                let locations = self.side(side).locations.iter().zip(0..);
                let fronts = locations.filter(|(at, number)| at.is_front && occupied(*number));
                let targets: SmallVec<[(u8, u8, i8); 4]> =
                    fronts.map(|(at, number)| (number, 0, at.tem)).collect();
                self.aim(side, aim, &targets)
            }
        }?;
        Some((at, self.platoon.with_tem(&fixed.attack, side, at)))
    }

    /// Returns whether a fixed attack falls in a fire phase of this Player Turn.
    fn falls(self, number: usize, moment: FireMoment) -> bool {
        let fixed = &self.platoon.attacks[number];
        let is_own = self.platoon.attacker(self.state.turn) == fixed.on;
        let is_due = match &fixed.turns {
            AttackTurns::Every => true,
            AttackTurns::Own => is_own,
            AttackTurns::Enemy => !is_own,
            AttackTurns::Listed(turns) => turns.contains(&self.state.turn),
        };
        let own_moment = if is_own { FireMoment::Defensive } else { FireMoment::Prep };
        is_due && moment == own_moment
    }

    /// Returns the target of a Fire Group and its attack; `None` if it has none.
    fn target(self, side: usize, group: &Group) -> Option<(u8, Attack)> {
        let enemy = 1 - side;
        let only_up = self.chooses(Switch::BrokenNotFiredAt);
        let mut targets: SmallVec<[(u8, u8, i8); 4]> = SmallVec::new();
        for (at, number) in self.side(enemy).locations.iter().zip(0..) {
            let is_empty = self.in_location(enemy, number).next().is_none();
            if is_empty || only_up && !self.is_up_in(enemy, number) {
                continue;
            }
            let from = |unit: &usize| self.units(side)[*unit].at.as_location();
            let lines = group.firing.iter().filter_map(from);
            let lines =
                lines.filter_map(|from| self.platoon.sights.get(side, from.into(), number.into()));
            let nearest = lines.clone().map(|line| line.range).min();
            let hindrance = lines.map(|line| line.hindrance as i8).max().unwrap_or_default();
            let Some(range) = nearest else { continue };
            if self.attack_by(side, group, number).is_some() {
                targets.push((number, range, at.tem + hindrance));
            }
        }
        let at = self.aim(enemy, self.side(side).orders.aim, &targets)?;
        Some((at, self.attack_by(side, group, at)?))
    }

    /// Returns the attack of a Fire Group on a Location of the enemy, as it is reckoned (7.2, 7.5,
    /// 7.9); `None` if nobody reaches it with at least 1 FP.
    fn attack_by(self, side: usize, group: &Group, target: u8) -> Option<Attack> {
        let key = self.fire_key(side, group, target);
        self.platoon.reckoned.get(key, || self.reckon(side, group, target))
    }

    /// Returns the unbroken units of the Locations from which a group fires, by their indices, each
    /// with whether it fires: leaders beside the firers direct them.
    fn firers(self, side: usize, group: &Group) -> impl Iterator<Item = (usize, bool)> + use<'a> {
        let units = self.units(side);
        let places: SmallVec<[Whereabouts; 4]> =
            group.firing.iter().map(|unit| units[*unit].at).collect();
        let firing = group.firing.clone();
        let separate = self.side(side).orders.group == FireGrouping::Separate;
        // Apart from each other only the first of a Location is directed (7.531).
        let is_directed = move |at: Whereabouts| {
            let first = units.iter().position(|one| one.at == at && self.is_able(one));
            !separate || first.is_some_and(|first| firing.contains(&first))
        };
        // A leader directs once in a Player Turn (7.53): those who have not moved with the others.
        let is_later = group.moment == FireMoment::Advancing;
        let has_directed = move |leader: &Trooper| {
            let stayed = |one: &Trooper| one.at == leader.at && !one.has_moved;
            let fired = |one: &Trooper| stayed(one) && self.is_able(one) && !one.unit.leads;
            is_later && !leader.has_moved && units.iter().any(fired)
        };
        let firing = group.firing.clone();
        units.iter().enumerate().filter_map(move |(index, trooper)| {
            let fires = firing.contains(&index);
            let directs = trooper.unit.leads && trooper.is_up() && is_directed(trooper.at);
            let directs = directs && places.contains(&trooper.at) && !has_directed(trooper);
            (fires || directs).then_some((index, fires))
        })
    }

    /// Returns whether a leader directs nothing because he will move (I-156).
    fn will_move(self, side: usize, unit: usize, moment: FireMoment) -> bool {
        moment == FireMoment::Prep
            && self.units(side)[unit].unit.leads
            && !self.chooses(Switch::MoverDirectsPrepFire)
            && self.course_in_movement(side, unit).is_some()
    }

    fn fire_key(self, side: usize, group: &Group, target: u8) -> FireKey {
        let head = u64::from(target) << 16 | (group.moment as u64) << 8 | side as u64;
        let unit = |(index, fires): (usize, bool)| {
            let Trooper { unit, at, .. } = &self.units(side)[index];
            let bits = [
                fires,
                unit.is(Condition::Pinned),
                unit.is(Condition::Wounded),
                unit.is(Condition::Heroic),
                unit.is(Condition::Fanatic),
                unit.is(Condition::Encircled),
                unit.is(Condition::Cx),
                self.will_move(side, index, group.moment),
            ];
            let bits = bits.into_iter().fold(0, |all, bit| all << 1 | u64::from(bit));
            let at = u64::from(at.as_location().unwrap_or_default());
            let crewed = self.crewed(side, index).map_or(0, |number| number as u64 + 1);
            crewed << 32 | bits << 16 | u64::from(unit.counter.0) << 8 | at
        };
        std::iter::once(head).chain(self.firers(side, group).map(unit)).collect()
    }

    fn reckon(self, side: usize, group: &Group, target: u8) -> Option<Attack> {
        let mut places: SmallVec<[u8; 4]> = SmallVec::new();
        let mut locations: Vec<FiringLocation> = Vec::new();
        let mut sights = Vec::new();
        for (unit, fires) in self.firers(side, group) {
            let trooper = &self.units(side)[unit];
            let Some(at) = trooper.at.as_location() else { continue };
            let line = self.platoon.sights.get(side, at.into(), target.into());
            let Some(line) = line else { continue };
            let place = places.iter().position(|place| *place == at).unwrap_or_else(|| {
                places.push(at);
                locations.push(FiringLocation { firers: Vec::new(), sight: OwnSight::default() });
                let (range, hindrance) = (line.range, line.hindrance);
                sights.push(Sight { range, hindrance, ..Sight::default() });
                places.len() - 1
            });
            let weapons = &self.side(side).locations[usize::from(at)].weapons;
            let crewed = self.crewed(side, unit).filter(|_| fires);
            let weapon = crewed.map(|number| weapons[number]);
            let no_direct = self.will_move(side, unit, group.moment);
            let firer = Firer { no_direct, ..self.firer(trooper, !fires, weapon) };
            locations[place].firers.push(firer);
        }
        let at = &self.side(1 - side).locations[usize::from(target)];
        let circumstances = AttackCircumstances {
            phase: group.moment.phase(),
            terrain: at.terrain,
            tem: Some(at.tem),
            plain_heroes: true,
            ..AttackCircumstances::default()
        };
        let targets = [(TargetState::default(), vec![1])];
        let rulebook = self.platoon.rulebook;
        let reckoned = |locations: Vec<FiringLocation>| {
            let fire = FireGroup::from_locations(locations);
            let reckoning = reckon(&fire, &sights, &circumstances, &targets, rulebook).ok()?;
            let class = &reckoning.classes[0];
            class.column().map(|_| reckoning.attack(class))
        };
        let without_weapons = || {
            let mut plain = locations.clone();
            plain.iter_mut().flat_map(|of| &mut of.firers).for_each(|one| one.weapons.clear());
            reckoned(plain)
        };
        // Beyond 16 hexes MG need a leader (9.4), and the others fire without them.
        reckoned(locations.clone()).or_else(without_weapons)
    }

    /// Returns the number of the MG that a unit serves: those of each Location are with its first
    /// able MMC, one each (S-7), by the alternative of I-165 with those who have kept or recovered
    /// them.
    fn crewed(self, side: usize, unit: usize) -> Option<usize> {
        if self.chooses(Switch::WeaponsRecovered) {
            return self.units(side)[unit].weapon.checked_sub(1).map(usize::from);
        }
        self.first_crew(side, unit)
    }

    /// Returns the number of the MG of its Location that a unit has as one of the first able MMC.
    pub fn first_crew(self, side: usize, unit: usize) -> Option<usize> {
        let at = self.units(side)[unit].at;
        let weapons = &self.side(side).locations[usize::from(at.as_location()?)].weapons;
        let units = self.units(side).iter().enumerate();
        let mut crews =
            units.filter(|(_, one)| one.at == at && self.is_able(one) && self.is_mmc(&one.unit));
        crews.position(|(index, _)| index == unit).filter(|number| *number < weapons.len())
    }

    /// Returns a unit as a firer. One that only directs has no FP.
    fn firer(
        self,
        trooper: &Trooper,
        only_directs: bool,
        weapon: Option<&'static SupportWeapon>,
    ) -> Firer {
        let counter = self.counter(&trooper.unit);
        let member = Member {
            counter: CATALOGUE.find(&counter.id).unwrap_or(trooper.unit.counter),
            nation: Some(counter.nation),
            conditions: trooper.unit.conditions,
            concealed: false,
            role: Default::default(),
            elr: None,
            morale: None,
            broken_morale: None,
        };
        let manned = |weapon| MannedWeapon { weapon, captured: false, marked: false };
        Firer {
            assault_fire: counter.assault_fire,
            member,
            weapons: weapon.into_iter().map(manned).collect(),
            sw_only: only_directs,
            marked: false,
            no_direct: false,
            assists: false,
            ammo_shortage: false,
        }
    }
}

impl<L: Log> PlatoonPlay<'_, L> {
    /// Makes the next attack of a fire phase, from the action with number `next` on. Returns the
    /// number of the action after it, or `None` at the end of the phase.
    pub fn fire_next(&mut self, moment: FireMoment, next: u8) -> Option<u8> {
        let firer = self.side_in_turn(moment.firer()).filter(|_| self.platoon.is_firefight());
        let groups = firer.map_or(0, |side| self.now().groups(side));
        let fixed = if moment == FireMoment::Advancing { 0 } else { self.platoon.attacks.len() };
        for action in usize::from(next)..groups + fixed {
            let now = self.now();
            let (side, target) = match (action.checked_sub(groups), firer) {
                (Some(number), _) => {
                    let falls = now.falls(number, moment);
                    let target = falls.then(|| now.fixed_target(number)).flatten();
                    (usize::from(now.platoon.attacks[number].on), target)
                }
                (None, Some(side)) => {
                    let group = now.group(side, action, moment);
                    let fires = !group.firing.is_empty();
                    (1 - side, fires.then(|| now.target(side, &group)).flatten())
                }
                (None, None) => continue,
            };
            if let Some((at, attack)) = target {
                self.attack(side, EventScope::Location(at), &attack);
                if self.state.event.is_some() {
                    return Some(action as u8 + 1);
                }
            }
        }
        None
    }

    /// Begins an attack on units of a side. There is none below 1 FP (7.3).
    pub fn attack(&mut self, side: usize, scope: EventScope, attack: &Attack) {
        let platoon: &Platoon = self.platoon;
        let (place, at) = match scope {
            EventScope::Location(at) => (usize::from(at), Whereabouts::location(at)),
            _ => (platoon.sides[side].locations.len(), Whereabouts::AWAY),
        };
        let Some(stage) = platoon.attack_stage(side, place, attack) else { return };
        let scene = self.now().facts(side, at);
        let location = self.now().participants(side, scope);
        let mut event = PlatoonEvent { side: side as u8, scope, scene, location };
        let troop = &self.state.sides[side];
        let mut log = platoon.event_log(self.log, troop, (side, scope));
        let Attack { firepower, drm, .. } = *attack;
        log.record(|| Event { rule: "7.3", text: format!("attack of {firepower} FP {drm:+}") });
        platoon.engagement(&event).play(stage, &mut event.location, &mut log);
        self.state.event = Some(event);
    }
}
