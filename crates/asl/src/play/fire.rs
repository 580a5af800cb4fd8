//! Attacks on the Infantry Fire Table (7.3 - 7.305), Cowering (7.9) and Random Selection (A.9).

use super::engagement::Engagement;
use crate::vocabulary::attack::{Attack, FireResult};
use crate::vocabulary::location::{Fall, LocationState, Rank, Strike, Task};
use crate::vocabulary::stage::Stage;
use crate::vocabulary::unit::UnitIndex;
use engine::process::{Event, Log};

impl Engagement {
    /// Begins an attack (7.3). Broken units gain DM if the attack could give at least a NMC after
    /// Cowering (10.62).
    pub(super) fn begin_attack(&self, location: &mut LocationState, attack: &Attack) {
        if attack.may_check_morale() {
            self.gain_dm(location);
        }
        location.push(Task::Attack);
    }

    pub(super) fn resolve_attack<L: Log>(
        &self,
        location: &mut LocationState,
        result: FireResult,
        log: &mut L,
    ) {
        let targets = location.present().count() + usize::from(self.bystanders);
        match result {
            FireResult::NoEffect => {}
            FireResult::PinTaskCheck => self.call_for_pin_task_checks(location),
            FireResult::MoraleCheck(drm) => self.call_for_morale_checks(location, drm),
            FireResult::Casualties(drm) => {
                self.call_for_morale_checks(location, drm);
                self.select(location, 1, false, targets, log);
            }
            FireResult::Kills(count) => {
                location.push(Task::LeaderLosses);
                self.select(location, count, true, targets, log);
            }
        }
    }

    /// Adds a MC of every unit to the agenda, then the checks for lost leaders (7.303, 7.304).
    pub(super) fn call_for_morale_checks(&self, location: &mut LocationState, drm: i8) {
        location.push(Task::LeaderLosses);
        for unit in self.checking_order(location).into_iter().rev() {
            location.push(Task::MoraleCheck { unit, drm });
        }
    }

    /// Adds a PTC of every unit to the agenda (7.305).
    pub(super) fn call_for_pin_task_checks(&self, location: &mut LocationState) {
        for unit in self.checking_order(location).into_iter().rev() {
            location.push(Task::PinTaskCheck { unit });
        }
    }

    /// Begins a Random Selection (A.9). No dr is needed if all units are selected.
    fn select<L: Log>(
        &self,
        location: &mut LocationState,
        count: u8,
        kia: bool,
        targets: usize,
        log: &mut L,
    ) {
        // One of several factors does not know the number of all units.
        if usize::from(count) >= targets && self.common.is_none() {
            location.selection.resize(targets, 1);
            self.strike_selected(location, kia, log);
        } else {
            location.push(Task::RandomSelection { count, kia });
        }
    }

    /// Applies the dr of the next candidate of a Random Selection (A.9). The `count` highest are
    /// selected, with all ties for the last of them. So that equal states merge, dr of units that
    /// are out become 0, and those of units outside this process, which roll first, are sorted.
    pub(super) fn resolve_selection<L: Log>(
        &self,
        location: &mut LocationState,
        count: u8,
        kia: bool,
        dr: u8,
        log: &mut L,
    ) {
        location.selection.push(dr);
        let drs = location.selection.clone();
        for own in location.selection.iter_mut() {
            if drs.iter().filter(|&&other| other > *own).count() >= usize::from(count) {
                *own = 0;
            }
        }
        let bystanders = usize::from(self.bystanders).min(drs.len());
        location.selection[..bystanders].sort_unstable();
        if drs.len() < usize::from(self.bystanders) + location.present().count() {
            location.push(Task::RandomSelection { count, kia });
        } else {
            self.strike_selected(location, kia, log);
        }
    }

    /// Adds the effects on the selected units to the agenda, in stack order (7.301, 7.302). In a
    /// KIA the other units break. A K result replaces the MC of an SMC.
    pub(super) fn strike_selected<L: Log>(
        &self,
        location: &mut LocationState,
        kia: bool,
        log: &mut L,
    ) {
        let drs = std::mem::take(&mut location.selection);
        let own = drs.into_iter().skip(usize::from(self.bystanders));
        let candidates: Vec<(UnitIndex, bool)> =
            location.present().zip(own).map(|(place, dr)| (place, dr > 0)).collect();
        log.record(|| {
            let names: Vec<String> = candidates
                .iter()
                .filter(|(_, hit)| *hit)
                .map(|&(place, _)| self.name(location, place))
                .collect();
            let rule = if kia { "7.301" } else { "7.302" };
            Event { rule, text: format!("Random Selection: {}", names.join(", ")) }
        });
        for &(unit, hit) in candidates.iter().rev() {
            let how = match (kia, hit) {
                (true, true) => Strike::Eliminated,
                (true, false) => Strike::Broken,
                (false, true) => Strike::Reduced,
                (false, false) => continue,
            };
            if how == Strike::Reduced && self.counter(location.unit(unit)).kind.is_smc() {
                location.agenda.retain(
                    |task| !matches!(task, Task::MoraleCheck { unit: other, .. } if *other == unit),
                );
            }
            location.push(Task::Struck { unit, how, level: self.morale_level(location, unit) });
        }
    }

    /// Applies the effect on one unit (7.301, 7.302). A unit that cannot break is Reduced instead.
    /// There is no DR, so no ELR failure. All effects are simultaneous, so other units are compared
    /// with the ML of a leader before the effects (interpretation I-5).
    pub(super) fn strike<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        how: Strike,
        level: i8,
        log: &mut L,
    ) {
        let unit = location.unit(place);
        let rank = Rank { level, ..self.rank(location, place) };
        match how {
            Strike::Eliminated => self.lose_as(location, place, rank, "7.301", log),
            Strike::Broken if unit.can_break() && !self.is_hero(unit) => {
                self.break_unit(location, place, log);
                self.note_fall(location, place, Fall::Broke, rank);
            }
            Strike::Broken | Strike::Reduced => self.reduce(location, place, rank, log),
        }
    }

    pub(super) fn attack(&self, location: &LocationState) -> Option<&Attack> {
        match self.stage(location) {
            Some(Stage::Fire(attack)) => Some(attack),
            _ => None,
        }
    }
}
