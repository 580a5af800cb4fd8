//! Shots of named firers, one after another: ROF, breakdown, and later shots at what is left (9.2).

use super::engagement::{Engagement, Play, PlayView};
use crate::vocabulary::{
    Attack, Condition, FireResult, FirerSelection, PartSet, ShotTable, Shots, Stage, Task, Terms,
    UnitIndex,
};
use engine::dice::{Dice, Dr, Face};
use engine::process::Log;

impl Engagement {
    /// Returns the first DR whose effects are those of a face, for a shot of a stage.
    pub(super) fn read_shot(&self, stage: u16, firing: PartSet, face: Face) -> Dr {
        let read = |stage: &Stage| match stage {
            Stage::Shot { shots, is_last, .. } => Some(shots.get(firing)?.read(face, *is_last)),
            _ => None,
        };
        let stage = self.stages.get(usize::from(stage));
        stage.and_then(read).unwrap_or_else(|| Dr::from_face(face))
    }
}

impl<'a> PlayView<'a> {
    fn shots(self) -> Option<(&'a Shots, bool)> {
        match self.stage()? {
            Stage::Shot { shots, is_last, .. } => Some((shots, *is_last)),
            _ => None,
        }
    }

    /// Returns the shot that is being resolved, if named firers fire.
    pub(super) fn shot(self) -> Option<&'a ShotTable> {
        self.shots()?.0.get(self.location.firers.firing)
    }

    /// Returns the attack on each class of targets (A.5): those of a shot in the order of the first
    /// unit of each.
    pub(super) fn attacks(self) -> Vec<Attack> {
        if let Some(Stage::FireAtClasses(classes)) = self.stage() {
            return classes.iter().map(|(_, attack)| *attack).collect();
        }
        let Some(shot) = self.shot() else { return Vec::new() };
        let mut attacks = Vec::new();
        for place in self.location.present() {
            let attack = shot.attack(self.unit(place));
            if !attacks.contains(&attack) {
                attacks.push(attack);
            }
        }
        attacks
    }

    /// Returns the dice and terms of the attack that is due.
    pub(super) fn attack_terms(self) -> Option<(Dice, Terms)> {
        Some(match self.stage()? {
            Stage::Fire(attack) => (Dice::Dr, Terms::Attack(*attack)),
            Stage::FireAtClasses(_) => (Dice::Dr, Terms::Volley),
            Stage::Shot { .. } => {
                let (stage, firing) = (self.location.stage - 1, self.location.firers.firing);
                (Dice::Dr, Terms::Shot { stage, firing })
            }
            _ => return None,
        })
    }

    /// Returns the candidates of a Random Selection among the firers, and the parts that matter.
    fn firers_at_risk(self, selection: FirerSelection, original: Dr) -> (Vec<PartSet>, PartSet) {
        let at_risk = |(shots, _): (&Shots, bool)| {
            let shot = shots.get(self.location.firers.firing)?;
            let matter = shots.matters(selection, self.location.firers.kept);
            Some((shot.firing().candidates(selection, original), matter))
        };
        self.shots().and_then(at_risk).unwrap_or_default()
    }

    /// Returns whether dr are rolled for a Random Selection among the firers.
    pub(super) fn is_drawn(self, selection: FirerSelection, original: Dr) -> bool {
        let (candidates, matter) = self.firers_at_risk(selection, original);
        candidates.len() > 1 && candidates.iter().any(|parts| parts & matter != 0)
    }

    /// Describes an Original DR of a shot.
    pub(super) fn shot_in_words(self, original: Dr) -> String {
        let Some(((shots, is_last), shot)) = self.shots().zip(self.shot()) else {
            return String::new();
        };
        let attacks = self.attacks();
        let mut words = match (&attacks[..], self.location.present().next()) {
            ([attack], _) => attack.words(original),
            ([], Some(place)) => shot.attack(self.unit(place)).words(original),
            _ => {
                let of_class = |(class, attack): (u8, &Attack)| {
                    let names = self.candidates(1 << class).map(|place| self.name(place));
                    let names = names.collect::<Vec<_>>().join(", ");
                    format!("at {names}: {}", attack.words(original))
                };
                (0..).zip(&attacks).map(of_class).collect::<Vec<_>>().join("; ")
            }
        };
        words += &format!(" ({} fires)", shots.names(self.location.firers.firing));
        let kept = shot.firing().kept(original, is_last);
        if kept != 0 {
            words += &format!(", coloured dr {}: ROF {}", original.coloured(), shots.names(kept));
        }
        words
    }

    /// Describes the dr of a Random Selection among the firers.
    pub(super) fn firer_dr_in_words(
        self,
        selection: FirerSelection,
        original: Dr,
        face: Face,
    ) -> String {
        let (candidates, _) = self.firers_at_risk(selection, original);
        let parts = candidates.get(self.location.selection.len()).copied().unwrap_or_default();
        let name = self.shots().map_or(String::new(), |(shots, _)| shots.names(parts));
        format!("Random Selection, {name}: dr {}", face.number())
    }
}

impl<'a, L: Log> Play<'a, L> {
    fn present_shots(&self) -> Option<(&'a Shots, bool)> {
        let engagement: &'a Engagement = self.engagement;
        match engagement.stages.get(usize::from(self.location.stage).checked_sub(1)?)? {
            Stage::Shot { shots, is_last, .. } => Some((shots, *is_last)),
            _ => None,
        }
    }

    /// Begins a shot (7.3). Broken units gain DM if a NMC or worse is possible (10.62).
    pub(super) fn begin_shot(&mut self, shots: &Shots, is_first: bool) {
        if is_first {
            self.location.firers.firing = shots.first(self.location.firers.lost);
        }
        let Some(shot) = shots.get(self.location.firers.firing) else {
            self.location.firers.firing = 0;
            return;
        };
        for place in self.location.places() {
            if shot.attack(self.location.unit(place)).may_check_morale() {
                self.gain_dm_of(place);
            }
        }
        self.location.push(Task::Attack);
    }

    /// Resolves a shot: its effects on the firers come before the dice of the targets.
    pub(super) fn resolve_shot(&mut self, original: Dr) {
        let Some((shots, is_last)) = self.present_shots() else { return };
        let Some(shot) = shots.get(self.location.firers.firing) else { return };
        // A uniform shot is resolved without targets, too: those left may be in other factors.
        if shot.is_uniform() {
            let result = shot.attack_on(0).result(original);
            self.push_revealed(&[result]);
            self.resolve_attack(result);
        } else if self.location.present().next().is_some() {
            self.resolve_volley(original);
        }
        self.location.firers.kept = shot.firing().kept(original, is_last);
        self.location.push(Task::FirersDone);
        for selection in FirerSelection::ALL.into_iter().rev() {
            self.location.push(Task::FirerSelection { selection, original });
        }
    }

    /// Carries out a selection of firers without dice: of one candidate, or of none that matters.
    pub(super) fn select_firer(&mut self, selection: FirerSelection, original: Dr) {
        let (candidates, _) = self.now().firers_at_risk(selection, original);
        if let [parts] = candidates[..] {
            self.cost_firers(selection, original, parts);
        }
    }

    /// Applies the dr of the next candidate among the firers: the highest are selected (A.9).
    pub(super) fn resolve_firer_selection(
        &mut self,
        selection: FirerSelection,
        original: Dr,
        dr: u8,
    ) {
        let (candidates, _) = self.now().firers_at_risk(selection, original);
        let (shots, fires) = (self.present_shots(), self.location.firers.firing);
        let Some(shot) = shots.and_then(|(shots, _)| shots.get(fires)) else { return };
        let firing = shot.firing();
        // A dr that is not the highest of the SW that can be removed, or of the others, is out.
        let removable = match selection {
            FirerSelection::Marked => 0,
            FirerSelection::Breakdown => firing.removable(original),
        };
        let is_alike = |one: usize, other: usize| {
            (candidates[one] & removable == 0) == (candidates[other] & removable == 0)
        };
        self.location.selection.push(dr);
        let drs = self.location.selection.clone();
        for (own, kept) in self.location.selection.iter_mut().enumerate() {
            if (0..drs.len()).any(|other| is_alike(own, other) && drs[other] > *kept) {
                *kept = 0;
            }
        }
        if drs.len() < candidates.len() {
            return self.location.push(Task::FirerSelection { selection, original });
        }
        let drs = std::mem::take(&mut self.location.selection);
        let selected = firing.selected(selection, original, &drs);
        self.cost_firers(selection, original, selected);
    }

    /// Applies Cowering or a breakdown to firing parts.
    fn cost_firers(&mut self, selection: FirerSelection, original: Dr, parts: PartSet) {
        let Some((shots, _)) = self.present_shots() else { return };
        // Faces that read alike differ in what does not matter.
        if parts & shots.matters(selection, self.location.firers.kept) == 0 {
            return;
        }
        let is_removed = |shot: &ShotTable| parts & shot.firing().removable(original) != 0;
        let what = match selection {
            FirerSelection::Marked => "marked by Cowering",
            FirerSelection::Breakdown if self.now().shot().is_some_and(is_removed) => "is removed",
            FirerSelection::Breakdown => "malfunctions",
        };
        self.note(selection.rule(), |_| format!("{}: {what}", shots.names(parts)));
        let firers = &mut self.location.firers;
        if !(shots.marked_keeps && selection == FirerSelection::Marked) {
            firers.kept &= !parts;
        }
        if shots.tells_costs && selection == FirerSelection::Marked {
            firers.cowered |= parts & shots.all;
        } else if shots.records {
            firers.lost |= (parts & shots.all) << shots.lost_from.unwrap_or_default();
        }
    }

    /// Forgets who has fired, so that equal states merge, unless there are classes of targets.
    pub(super) fn forget_firers(&mut self) {
        if self.now().shot().is_some_and(ShotTable::is_uniform) {
            self.location.firers.firing = 0;
        }
    }

    /// Ends a shot, as its stage ends. Without MG for a further one, the rest of the step is left
    /// out.
    pub(super) fn end_shot(&mut self) {
        let Some(Stage::Shot { shots, left, .. }) = self.now().stage() else { return };
        let (tells_costs, left) = (shots.tells_costs, *left);
        let firers = &mut self.location.firers;
        (firers.firing, firers.kept) = (firers.kept, 0);
        if tells_costs {
            firers.keep_rof = firers.firing;
        }
        if firers.firing == 0 {
            self.location.stage += left;
        }
    }

    /// Adds the loss of concealment to the agenda, if a unit is concealed (12.14).
    pub(super) fn push_revealed(&mut self, results: &[FireResult]) {
        let is_concealed = |place: UnitIndex| self.location.unit(place).is(Condition::Concealed);
        if self.location.present().any(is_concealed) {
            let reveals = |(class, result): (usize, &FireResult)| {
                u16::from(*result != FireResult::NoEffect) << class
            };
            let classes = results.iter().enumerate().map(reveals).sum();
            self.location.push(Task::Revealed { classes });
        }
    }

    /// Removes the concealment of all units in the classes of targets whose bits are set.
    pub(super) fn reveal(&mut self, classes: u16) {
        let units: Vec<UnitIndex> = self.now().candidates(classes).collect();
        for place in units {
            self.location.unit_mut(place).conditions.clear(Condition::Concealed);
        }
    }

    /// Adds the effect of a KIA or K to the agenda. In a shot at several classes of targets all
    /// Random Selections come first, because such an effect can change the class of a unit.
    pub(super) fn push_struck(&mut self, task: Task) {
        let waits =
            |task: &Task| matches!(task, Task::RandomSelection { .. } | Task::Revealed { .. });
        let is_shot = matches!(self.now().stage(), Some(Stage::Shot { .. }));
        let agenda = &mut self.location.agenda;
        let below = agenda.iter().rev().take_while(|task| is_shot && waits(task)).count();
        agenda.insert(agenda.len() - below, task);
    }
}
