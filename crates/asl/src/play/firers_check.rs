//! The NMC that all firers take by the DR of their own attack in Final Protective Fire (8.31).

use super::engagement::Engagement;
use crate::vocabulary::{LocationState, Outcome, Reading, Task, Terms, Verdict};
use engine::process::{Due, Log, Process, Wrapper};

/// The check of all firers in one Location. The leader checks first; once he is broken or pinned,
/// he helps nobody (7.831).
pub(crate) struct FirersCheck {
    /// The firers, under a NMC.
    pub engagement: Engagement,
    /// The Original DR of the attack.
    pub original: u8,
    /// The units, as bits, that Random Selection takes for Heat of Battle or an Original 12.
    pub struck: u32,
}

/// Returns the result of a unit that Random Selection has spared.
fn spared(reading: Reading) -> Reading {
    Reading::new(match reading.verdict {
        Verdict::Casualty { elr_failure } => Verdict::Failed { elr_failure },
        verdict => verdict,
    })
}

impl Engagement {
    /// Makes every check of firers that is due with the Original DR of their attack (8.31). Heat of
    /// Battle and the Original 12 strike the units whose bits are set in `struck`.
    pub(crate) fn check_firers<L: Log>(
        &self,
        location: &mut LocationState,
        original: u8,
        struck: u32,
        log: &mut L,
    ) {
        while let Some(&Task::MoraleCheck { unit, .. }) = location.agenda.last()
            && let Due::Roll(_, Terms::Morale(check, rulebook)) = self.due(location)
        {
            let reading = check.morale_check(original, rulebook);
            let is_struck = struck >> unit & 1 == 1;
            let reading = if is_struck { reading } else { spared(reading) };
            self.apply(location, reading, log);
        }
    }
}

impl Wrapper for FirersCheck {
    type Inner = Engagement;
    type State = LocationState;
    type Outcome = Outcome;

    fn process(&self) -> &Engagement {
        &self.engagement
    }

    fn report(&self, location: &LocationState, observe: &mut dyn FnMut(Outcome)) {
        self.engagement.report(location, observe);
    }

    /// Makes every check that is due with the DR of the attack.
    fn settle<L: Log>(&self, location: &mut LocationState, log: &mut L) {
        self.engagement.check_firers(location, self.original, self.struck, log);
    }
}
