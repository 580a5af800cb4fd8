//! What the first rolls of a question need, in words: what a player looks up before he rolls.

use super::engagement::Engagement;
use crate::sequence::Action;
use crate::vocabulary::check::{Cause, Check};
use crate::vocabulary::location::{Location, Place};
use crate::vocabulary::rally::{DM_DRM, Means, SELF_RALLY_DRM, TERRAIN_DRM};
use crate::vocabulary::unit::Condition;
use engine::process::{Process as _, Silent};

impl Engagement {
    /// Of each sort of unit that rolls for it: its Morale Level, and the highest Original DR that
    /// will do; of a squad that is told to rout or to rally also what it is Reduced to.
    pub(crate) fn needs(&self, action: &Action) -> Vec<String> {
        let location = self.start(&mut Silent);
        let mut needs: Vec<String> = Vec::new();
        for place in location.places() {
            let Some(need) = self.need(&location, place, action) else { continue };
            let reduced = self.reduced(&location, place).filter(|_| {
                !matches!(action, Action::MoraleCheck(_) | Action::PinTaskCheck | Action::Fire(_))
            });
            let reduced = reduced.and_then(|reduced| self.need(&reduced, place, action));
            for need in [Some(need), reduced].into_iter().flatten() {
                if !needs.contains(&need) {
                    needs.push(need);
                }
            }
        }
        needs
    }

    /// The same with the unit at `place` Reduced to its half-squad.
    fn reduced(&self, location: &Location, place: Place) -> Option<Location> {
        let half_squad = self.counter(location.unit(place)).half_squad?;
        let mut reduced = location.clone();
        reduced.unit_mut(place).counter = half_squad;
        Some(reduced)
    }

    fn need(&self, location: &Location, place: Place, action: &Action) -> Option<String> {
        let unit = location.unit(place);
        let broken = unit.is(Condition::Broken);
        let name = self.counter(unit).printed();
        let side = if broken { "broken Morale Level" } else { "Morale Level" };
        let checks = |what: &str, check: Check, result: bool| {
            let mut terms = format!("{side} {}", check.level);
            if check.drm != 0 {
                terms += &format!(", {:+}", check.drm);
            }
            if check.leadership != 0 {
                terms += &format!(", leader {:+}", check.leadership);
            }
            match result {
                true => format!("{name} {what} on {} or less ({terms}).", check.pass_number()),
                false => format!("{name}: {terms}."),
            }
        };
        match action {
            _ if unit.is(Condition::Berserk) => None,
            Action::MoraleCheck(drm) if !broken => {
                let check = self.morale_check(location, place, *drm, Cause::Attack);
                Some(checks("passes", check, true))
            }
            Action::PinTaskCheck if !broken => {
                Some(checks("passes", self.pin_task_check(location, place), true))
            }
            Action::Fire(_) => {
                Some(checks("", self.morale_check(location, place, 0, Cause::Attack), false))
            }
            Action::Interdict(_) if broken => {
                let check = self.morale_check(location, place, 0, Cause::Interdiction);
                Some(checks("passes a NMC of Interdiction", check, true))
            }
            Action::Rally(_) if broken => Some(self.need_to_rally(location, place)),
            _ => None,
        }
    }

    fn need_to_rally(&self, location: &Location, place: Place) -> String {
        let name = self.counter(location.unit(place)).printed();
        let attempt = self.rally_attempt(location, place);
        if self.means(location, place).is_none() {
            return format!("{name} cannot try to rally at first.");
        }
        let mut terms = format!("broken Morale Level {}", attempt.level);
        terms += &match attempt.means {
            Means::Led { leadership } => format!(", leader {leadership:+}"),
            Means::CommissarLed { leadership } => format!(", Commissar {leadership:+}"),
            Means::SelfRally | Means::FirstSelfRally { .. } => {
                format!(", Self-Rally {SELF_RALLY_DRM:+}")
            }
        };
        if attempt.dm {
            terms += &format!(", DM {DM_DRM:+}");
        }
        if attempt.terrain {
            terms += &format!(", terrain {TERRAIN_DRM:+}");
        }
        let needs = attempt.level - attempt.drm();
        let without = match attempt.dm {
            true => format!(", without DM on {}", needs + DM_DRM),
            false => String::new(),
        };
        format!("{name} rallies on {needs} or less{without} ({terms}).")
    }
}
