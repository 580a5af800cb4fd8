//! The results that the first rolls of a question need, in words.

use super::engagement::{Engagement, PlayView};
use crate::sequence::Action;
use crate::vocabulary::{
    Cause, Condition, DM_DRM, LocationState, Means, RallyAttempt, Reading, SELF_RALLY_DRM,
    TERRAIN_DRM, UnitIndex, Verdict,
};
use engine::process::{Process as _, Silent};

impl Engagement {
    /// Returns a sentence for each kind of unit that rolls for the action. The sentence has the
    /// Morale Level (10.1), and the highest Original DR that succeeds. A 12 never succeeds in a MC
    /// (10.31) or a Rally attempt (10.64). A squad that routs or rallies has a sentence for its
    /// half-squad too.
    pub(crate) fn needs(&self, action: &Action) -> Vec<String> {
        let location = self.start(&mut Silent);
        let mut needs: Vec<String> = Vec::new();
        for place in location.places() {
            let Some(need) = self.view(&location).need(place, action) else { continue };
            let reduced = self.view(&location).reduced(place).filter(|_| {
                !matches!(action, Action::MoraleCheck(_) | Action::PinTaskCheck | Action::Fire(_))
            });
            let reduced = reduced.and_then(|reduced| self.view(&reduced).need(place, action));
            for need in [Some(need), reduced].into_iter().flatten() {
                if !needs.contains(&need) {
                    needs.push(need);
                }
            }
        }
        needs
    }
}

impl PlayView<'_> {
    fn reduced(self, place: UnitIndex) -> Option<LocationState> {
        let half_squad = self.counter(self.unit(place)).half_squad?;
        let mut reduced = self.location.clone();
        reduced.unit_mut(place).counter = half_squad;
        Some(reduced)
    }

    fn need(self, place: UnitIndex, action: &Action) -> Option<String> {
        let unit = self.unit(place);
        let broken = unit.is(Condition::Broken);
        let name = self.counter(unit).printed();
        let side = if broken { "broken Morale Level" } else { "Morale Level" };
        let (what, drm, cause) = match action {
            _ if unit.is(Condition::Berserk) => return None,
            Action::Rally(_) if broken => return Some(self.need_to_rally(place)),
            Action::MoraleCheck(drm) if !broken => ("", *drm, Cause::Attack),
            Action::PinTaskCheck if !broken => ("", 0, Cause::Attack),
            Action::Fire(_) => ("", 0, Cause::Attack),
            Action::Interdict(_) if broken => (" a NMC of Interdiction", 0, Cause::Interdiction),
            _ => return None,
        };
        let check = self.morale_check(place, drm, cause);
        let mut terms = format!("{side} {}", check.level);
        if check.drm != 0 {
            terms += &format!(", {:+}", check.drm);
        }
        if check.leadership != 0 {
            terms += &format!(", leader {:+}", check.leadership);
        }
        if matches!(action, Action::Fire(_)) {
            return Some(format!("{name}: {terms}."));
        }
        let read = |original: u8| match action {
            Action::PinTaskCheck => check.task_check(original, self.rulebook),
            _ => check.morale_check(original, self.rulebook),
        };
        let passes =
            |original: &u8| matches!(read(*original).verdict, Verdict::Passed | Verdict::Pinned);
        Some(match highest(passes) {
            Some(number) => format!("{name} passes{what} on {number} or less ({terms})."),
            None => format!("{name} cannot pass{what}{} ({terms}).", but_heated(read(2))),
        })
    }

    fn need_to_rally(self, place: UnitIndex) -> String {
        let name = self.counter(self.unit(place)).printed();
        let attempt = self.rally_attempt(place);
        if self.means(place).is_none() {
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
        let rallies = |attempt: RallyAttempt| {
            move |original: &u8| matches!(attempt.read(*original).verdict, Verdict::Rallied { .. })
        };
        let first = highest(rallies(attempt));
        // DM is removed at the end of the phase (10.62).
        let without =
            match attempt.dm.then(|| highest(rallies(RallyAttempt { dm: false, ..attempt }))) {
                Some(Some(without)) => format!(", without DM on {without}"),
                _ => String::new(),
            };
        match first {
            Some(first) => format!("{name} rallies on {first} or less{without} ({terms})."),
            None => {
                let under_dm = if attempt.dm { " under DM" } else { "" };
                let but = but_heated(attempt.read(2));
                format!("{name} cannot rally{under_dm}{but}{without} ({terms}).")
            }
        }
    }
}

fn highest(will_do: impl Fn(&u8) -> bool) -> Option<u8> {
    (2..=12).rev().find(will_do)
}

/// Returns the words for Heat of Battle where only an Original 2 can still help (15.1).
fn but_heated(reading: Reading) -> &'static str {
    if reading.heats { " but by Heat of Battle" } else { "" }
}
