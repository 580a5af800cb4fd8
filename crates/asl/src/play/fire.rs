//! An attack on the Infantry Fire Table (7.3 - 7.305, 7.9 Cowering), and Random Selection (A.9).

use super::engagement::Engagement;
use crate::vocabulary::attack::{Attack, FireResult};
use crate::vocabulary::location::{Fall, Location, Place, Standing, Strike, Task};
use crate::vocabulary::stage::Stage;
use engine::process::{Event, Log};

impl Engagement {
    /// 7.3: an attack begins. 10.62: broken units gain DM if it could give at least a NMC, Cowering
    /// counted.
    pub(super) fn begin_attack(&self, location: &mut Location, attack: &Attack) {
        if attack.may_check_morale() {
            self.gain_dm(location);
        }
        location.push(Task::Attack);
    }

    /// Carries out the result of an attack.
    pub(super) fn resolve_attack<L: Log>(
        &self,
        location: &mut Location,
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

    /// 7.303, 7.304: puts a MC of every unit on the agenda, and then the losses of leaders.
    pub(super) fn call_for_morale_checks(&self, location: &mut Location, drm: i8) {
        location.push(Task::LeaderLosses);
        for unit in self.checking_order(location).into_iter().rev() {
            location.push(Task::MoraleCheck { unit, drm });
        }
    }

    /// 7.305: puts a PTC of every unit on the agenda.
    pub(super) fn call_for_pin_task_checks(&self, location: &mut Location) {
        for unit in self.checking_order(location).into_iter().rev() {
            location.push(Task::PinTaskCheck { unit });
        }
    }

    /// A.9: a Random Selection; where all are wanted no dr is needed.
    fn select<L: Log>(
        &self,
        location: &mut Location,
        count: u8,
        kia: bool,
        targets: usize,
        log: &mut L,
    ) {
        // Of units played beside what is common nobody knows how many there are.
        if usize::from(count) >= targets && self.common.is_none() {
            location.selection.resize(targets, 1);
            self.strike_selected(location, kia, log);
        } else {
            location.push(Task::RandomSelection { count, kia });
        }
    }

    /// A.9: the dr of the next candidate. The `count` highest are selected, with every tie for the
    /// last place; who is out of it is forgotten, so that sequences merge. Units of the stack that
    /// this process leaves out roll first, and are nobody in particular.
    pub(super) fn resolve_selection<L: Log>(
        &self,
        location: &mut Location,
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

    /// 7.301, 7.302: puts what happens to the selected units, and in a KIA to the others, on the
    /// agenda, in stack order. A K result takes the place of the MC of an SMC.
    pub(super) fn strike_selected<L: Log>(&self, location: &mut Location, kia: bool, log: &mut L) {
        let drs = std::mem::take(&mut location.selection);
        let own = drs.into_iter().skip(usize::from(self.bystanders));
        let candidates: Vec<(Place, bool)> =
            location.present().zip(own).map(|(place, dr)| (place, dr > 0)).collect();
        log.tell(|| {
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

    /// 7.301, 7.302: what strikes one unit. A unit that cannot break is Reduced instead; no DR, so
    /// no ELR failure. I-5: all are struck at once, so leaders are compared by their ML before any
    /// was.
    pub(super) fn strike<L: Log>(
        &self,
        location: &mut Location,
        place: Place,
        how: Strike,
        level: i8,
        log: &mut L,
    ) {
        let unit = location.unit(place);
        let standing = Standing { level, ..self.standing(location, place) };
        match how {
            Strike::Eliminated => self.lose_as(location, place, standing, "7.301", log),
            Strike::Broken if unit.can_break() && !self.is_hero(unit) => {
                self.break_unit(location, place, log);
                self.note_fall(location, place, Fall::Broke, standing);
            }
            Strike::Broken | Strike::Reduced => self.reduce(location, place, standing, log),
        }
    }

    /// The attack of the stage being worked through.
    pub(super) fn attack(&self, location: &Location) -> Option<&Attack> {
        match self.stage(location) {
            Some(Stage::Fire(attack)) => Some(attack),
            _ => None,
        }
    }
}
