//! Attacks on the Infantry Fire Table (7.3 - 7.305), Cowering (7.9) and Random Selection (A.9).

use super::engagement::{Play, PlayView};
use crate::stack::Slots;
use crate::vocabulary::{
    Attack, Fall, FireResult, Rank, ShotTable, Stage, Strike, Task, UnitIndex,
};
use engine::dice::Dr;
use engine::process::Log;

impl PlayView<'_> {
    /// Returns the number of units of a class that join a Random Selection (A.9).
    fn targets(self, class: u8) -> usize {
        self.candidates(class).count() + usize::from(self.bystanders)
    }

    /// Returns the present units of a class of targets: all, unless the attack has several classes
    /// (A.5, I-91).
    pub(super) fn candidates(self, class: u8) -> impl Iterator<Item = UnitIndex> {
        let slots = match self.stage() {
            Some(Stage::FireAtClasses(classes)) => {
                classes.get(usize::from(class)).map_or(Slots::ALL, |(slots, _)| *slots)
            }
            _ => Slots::ALL,
        };
        let of_shot = self.shot().filter(|shot| !shot.is_uniform());
        let attack = of_shot.and_then(|_| self.attacks().get(usize::from(class)).copied());
        self.location.present().filter(move |&place| {
            let is_of_class = |shot: &ShotTable| Some(shot.attack(self.unit(place))) == attack;
            slots.has(place) && of_shot.is_none_or(is_of_class)
        })
    }
}

impl<L: Log> Play<'_, L> {
    /// Begins an attack (7.3). Broken units gain DM if a NMC or worse is possible (10.62).
    pub(super) fn begin_attack(&mut self, attack: &Attack) {
        if attack.may_check_morale() {
            self.gain_dm();
        }
        self.location.push(Task::Attack);
    }

    pub(super) fn resolve_attack(&mut self, result: FireResult) {
        match result {
            FireResult::NoEffect => {}
            FireResult::PinTaskCheck => self.call_for_pin_task_checks(),
            FireResult::MoraleCheck(drm) => self.call_for_morale_checks(drm),
            FireResult::Casualties(drm) => {
                self.call_for_morale_checks(drm);
                self.select(1, false, 0);
            }
            FireResult::Kills(count) => {
                self.location.push(Task::LeaderLosses);
                self.select(count, true, 0);
            }
        }
    }

    /// Begins an attack on several classes of targets. DM comes by a possible NMC of the own class.
    pub(super) fn begin_volley(&mut self) {
        let Some(Stage::FireAtClasses(classes)) = self.now().stage() else { return };
        let classes = classes.clone();
        for (class, (_, attack)) in (0..).zip(classes.iter()) {
            let units: Vec<UnitIndex> = self.now().candidates(class).collect();
            for place in units.into_iter().filter(|_| attack.may_check_morale()) {
                self.gain_dm_of(place);
            }
        }
        self.location.push(Task::Attack);
    }

    /// Resolves an attack on several classes of targets (A.5): each reads the same Original DR in
    /// its own column, with its own DRM. Random Selections come first, class by class.
    pub(super) fn resolve_volley(&mut self, original: Dr) {
        let results: Vec<FireResult> =
            self.now().attacks().iter().map(|attack| attack.result(original)).collect();
        self.location.push(Task::LeaderLosses);
        let class_of = |now: PlayView, unit: UnitIndex| {
            (0..results.len()).find(|&class| now.candidates(class as u8).any(|place| place == unit))
        };
        for unit in self.now().checking_order().into_iter().rev() {
            let Some(class) = class_of(self.now(), unit) else { continue };
            match results[class] {
                FireResult::PinTaskCheck => self.location.push(Task::PinTaskCheck { unit }),
                FireResult::MoraleCheck(drm) | FireResult::Casualties(drm) => {
                    self.location.push(Task::MoraleCheck { unit, drm });
                }
                FireResult::NoEffect | FireResult::Kills(_) => {}
            }
        }
        self.push_revealed(&results);
        for (class, result) in (0..results.len() as u8).zip(&results).rev() {
            match *result {
                FireResult::Casualties(_) => self.select(1, false, class),
                FireResult::Kills(count) => self.select(count, true, class),
                _ => {}
            }
        }
    }

    /// Adds a MC of every unit to the agenda, then the checks for lost leaders (7.303, 7.304).
    pub(super) fn call_for_morale_checks(&mut self, drm: i8) {
        self.location.push(Task::LeaderLosses);
        for unit in self.now().checking_order().into_iter().rev() {
            self.location.push(Task::MoraleCheck { unit, drm });
        }
    }

    /// Adds a PTC of every unit to the agenda (7.305).
    pub(super) fn call_for_pin_task_checks(&mut self) {
        for unit in self.now().checking_order().into_iter().rev() {
            self.location.push(Task::PinTaskCheck { unit });
        }
    }

    /// Begins a Random Selection (A.9). No dr is needed if all units are selected.
    fn select(&mut self, count: u8, kia: bool, class: u8) {
        let targets = self.now().targets(class);
        // One of several factors does not know the number of all units.
        if usize::from(count) >= targets && self.common.is_none() {
            self.location.selection.resize(targets, 1);
            self.strike_selected(kia, class);
        } else {
            self.location.push(Task::RandomSelection { count, kia, class });
        }
    }

    /// Applies the dr of the next candidate of a Random Selection (A.9). The `count` highest are
    /// selected, with all ties for the last of them. So that equal states merge, dr of units that
    /// are out become 0, and those of units outside this process, which roll first, are sorted.
    pub(super) fn resolve_selection(&mut self, count: u8, kia: bool, class: u8, dr: u8) {
        self.location.select(dr, count);
        let rolled = self.location.selection.len();
        let bystanders = usize::from(self.bystanders).min(rolled);
        self.location.selection[..bystanders].sort_unstable();
        if rolled < self.now().targets(class) {
            self.location.push(Task::RandomSelection { count, kia, class });
        } else {
            self.strike_selected(kia, class);
        }
    }

    /// Adds the effects on the selected units to the agenda, in stack order (7.301, 7.302). In a
    /// KIA the other units break. A K result replaces the MC of an SMC.
    pub(super) fn strike_selected(&mut self, kia: bool, class: u8) {
        let drs = std::mem::take(&mut self.location.selection);
        let own = drs.into_iter().skip(usize::from(self.bystanders));
        let candidates: Vec<(UnitIndex, bool)> =
            self.now().candidates(class).zip(own).map(|(place, dr)| (place, dr > 0)).collect();
        self.note(if kia { "7.301" } else { "7.302" }, |now| {
            let hit = candidates.iter().filter(|(_, hit)| *hit);
            let names: Vec<String> = hit.map(|&(place, _)| now.name(place)).collect();
            format!("Random Selection: {}", names.join(", "))
        });
        for &(unit, hit) in candidates.iter().rev() {
            let how = match (kia, hit) {
                (true, true) => Strike::Eliminated,
                (true, false) => Strike::Broken,
                (false, true) => Strike::Reduced,
                (false, false) => continue,
            };
            if how == Strike::Reduced && self.now().kind(unit).is_smc() {
                self.location.agenda.retain(
                    |task| !matches!(task, Task::MoraleCheck { unit: other, .. } if *other == unit),
                );
            }
            self.push_struck(Task::Struck { unit, how, level: self.now().morale_level(unit) });
        }
    }

    /// Applies the effect on one unit (7.301, 7.302). A unit that cannot break is Reduced instead.
    /// There is no DR, so no ELR failure. All effects are simultaneous, so other units are compared
    /// with the ML of a leader before the effects (interpretation I-5).
    pub(super) fn strike(&mut self, place: UnitIndex, how: Strike, level: i8) {
        let unit = self.location.unit(place);
        let rank = Rank { level, ..self.now().rank(place) };
        match how {
            Strike::Eliminated => self.lose(place, Some(rank), "7.301"),
            Strike::Broken if unit.can_break() && !self.is_hero(unit) => {
                self.break_unit(place);
                self.note_fall(place, Fall::Broke, rank);
            }
            Strike::Broken | Strike::Reduced => self.reduce(place, Some(rank)),
        }
    }
}
