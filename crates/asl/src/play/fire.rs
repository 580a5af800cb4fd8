//! Attacks on the Infantry Fire Table (7.3 - 7.305), Cowering (7.9) and Random Selection (A.9).

use super::engagement::{Play, PlayView};
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::{
    Attack, Fall, FireResult, Rank, ShotTable, Stage, Strike, Task, UnitIndex,
};
use engine::dice::Dr;
use engine::process::Log;

impl PlayView<'_> {
    /// Returns the number of units of some classes that join a Random Selection (A.9).
    fn targets(self, classes: u16) -> usize {
        let others = usize::from(self.bystanders) + usize::from(self.location.guests);
        self.candidates(classes).count() + others
    }

    /// Returns the present units of the classes of targets whose bits are set: all, unless the
    /// attack has several classes (A.5).
    pub(super) fn candidates(self, classes: u16) -> impl Iterator<Item = UnitIndex> {
        let of_stage = match self.stage() {
            Some(Stage::FireAtClasses(of_stage)) => Some(of_stage),
            _ => None,
        };
        let of_shot = self.shot().filter(|shot| !shot.is_uniform());
        let attacks = of_shot.map_or_else(Vec::new, |_| self.attacks());
        let is_set = move |class: usize| classes >> class & 1 == 1;
        self.location.present().filter(move |&place| {
            let by_slots =
                |(class, (slots, _)): (usize, &(Slots, _))| is_set(class) && slots.has(place);
            let by_state = |shot: &ShotTable| {
                let own = shot.attack(self.unit(place));
                attacks.iter().position(|attack| *attack == own).is_some_and(is_set)
            };
            of_stage.is_none_or(|of_stage| of_stage.iter().enumerate().any(by_slots))
                && of_shot.is_none_or(by_state)
        })
    }
}

impl<L: Log> Play<'_, L> {
    /// Begins an attack (7.3). Broken units gain DM if a NMC or worse is possible (10.62), by the
    /// alternative of I-150 only if it results.
    pub(super) fn begin_attack(&mut self, attack: &Attack) {
        if attack.may_check_morale() && !self.chooses(Switch::DmOnlyByResult) {
            self.gain_dm();
        }
        self.location.push(Task::Attack);
    }

    pub(super) fn resolve_attack(&mut self, result: FireResult) {
        let is_harmless = matches!(result, FireResult::NoEffect | FireResult::PinTaskCheck);
        if !is_harmless && self.chooses(Switch::DmOnlyByResult) {
            self.gain_dm();
        }
        match result {
            FireResult::NoEffect => {}
            FireResult::PinTaskCheck => self.call_for_pin_task_checks(),
            FireResult::MoraleCheck(drm) => self.call_for_morale_checks(drm),
            FireResult::Casualties(drm) => {
                self.call_for_morale_checks(drm);
                self.select(1, false, 1);
            }
            FireResult::Kills(count) => {
                self.location.push(Task::LeaderLosses);
                self.select(count, true, 1);
            }
        }
    }

    /// Begins an attack on several classes of targets. DM comes by a possible NMC of the own class.
    pub(super) fn begin_volley(&mut self) {
        let Some(Stage::FireAtClasses(classes)) = self.now().stage() else { return };
        let classes = classes.clone();
        for (class, (_, attack)) in classes.iter().enumerate() {
            let units: Vec<UnitIndex> = self.now().candidates(1 << class).collect();
            for place in units.into_iter().filter(|_| attack.may_check_morale()) {
                self.gain_dm_of(place);
            }
        }
        self.location.push(Task::Attack);
    }

    /// Resolves an attack on several classes of targets (A.5): each reads the same Original DR in
    /// its own column, with its own DRM. Random Selections come first: in each class apart, or by
    /// the alternative of I-91 among all units under a KIA, and all under a K, together.
    pub(super) fn resolve_volley(&mut self, original: Dr) {
        let results: Vec<FireResult> =
            self.now().attacks().iter().map(|attack| attack.result(original)).collect();
        self.location.push(Task::LeaderLosses);
        let class_of = |now: PlayView, unit: UnitIndex| {
            (0..results.len()).find(|&class| now.candidates(1 << class).any(|place| place == unit))
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
        // The classes of each Random Selection, with its number of units and whether it is a KIA.
        let mut selections: Vec<(u16, u8, bool)> = Vec::new();
        for (class, result) in results.iter().enumerate() {
            let (count, kia) = match *result {
                FireResult::Casualties(_) => (1, false),
                FireResult::Kills(count) => (count, true),
                _ => continue,
            };
            let joins = self.chooses(Switch::CommonSelection);
            match selections.iter_mut().find(|(_, _, other)| joins && *other == kia) {
                Some((of, most, _)) => (*of, *most) = (*of | 1 << class, count.max(*most)),
                None => selections.push((1 << class, count, kia)),
            }
        }
        for (of, count, kia) in selections.into_iter().rev() {
            self.select(count, kia, of);
        }
    }

    /// Applies a result of an attack whose Random Selection is made already: `hits` are the
    /// selected units, as bits, in stack order.
    pub(super) fn suffer(&mut self, attack: &Attack, result: FireResult, hits: u16) {
        let selected = |unit: usize| (hits >> unit & 1) as u8;
        let selection = (0..self.location.present().count()).map(selected).collect();
        self.begin_attack(attack);
        self.location.agenda.pop();
        match result {
            FireResult::Casualties(drm) => self.call_for_morale_checks(drm),
            FireResult::Kills(_) => self.location.push(Task::LeaderLosses),
            result => return self.resolve_attack(result),
        }
        self.gain_dm();
        self.location.selection = selection;
        self.strike_selected(matches!(result, FireResult::Kills(_)), 1);
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
    fn select(&mut self, count: u8, kia: bool, classes: u16) {
        let targets = self.now().targets(classes);
        // One of several factors does not know the number of all units.
        if usize::from(count) >= targets && self.common.is_none() {
            self.location.selection.resize(targets, 1);
            self.strike_selected(kia, classes);
        } else {
            self.location.push(Task::RandomSelection { count, kia, classes });
        }
    }

    /// Applies the dr of the next candidate of a Random Selection (A.9). The `count` highest are
    /// selected, with all ties for the last of them. So that equal states merge, dr of units that
    /// are out become 0, and those of units outside this process, which roll first, are sorted.
    pub(super) fn resolve_selection(&mut self, count: u8, kia: bool, classes: u16, dr: u8) {
        self.location.select(dr, count);
        let rolled = self.location.selection.len();
        let bystanders = usize::from(self.bystanders).min(rolled);
        self.location.selection[..bystanders].sort_unstable();
        if rolled < self.now().targets(classes) {
            self.location.push(Task::RandomSelection { count, kia, classes });
        } else {
            self.strike_selected(kia, classes);
        }
    }

    /// Adds the effects on the selected units to the agenda, in stack order (7.301, 7.302). In a
    /// KIA the other units break. A K result replaces the MC of an SMC.
    pub(super) fn strike_selected(&mut self, kia: bool, classes: u16) {
        let drs = std::mem::take(&mut self.location.selection);
        let own = drs.iter().skip(usize::from(self.bystanders)).map(|dr| *dr > 0);
        let candidates: Vec<(UnitIndex, bool)> =
            self.now().candidates(classes).zip(own.clone()).collect();
        if self.location.guests > 0 {
            let guests = own.skip(candidates.len());
            let bit = |(place, hit): (u32, bool)| u16::from(hit).checked_shl(place).unwrap_or(0);
            self.location.hits = (0..).zip(guests).map(bit).sum();
        }
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
