//! The course of a rout after Interdiction, and its end (10.5, 10.53).

use super::march::{Ambush, RoutEnd, RoutProgress};
use super::process::{Rout, RoutState};
use super::verdict::Duty;
use crate::board::terrain::Mf;
use crate::rulebook::Switch;
use crate::unit::Condition;
use crate::vocabulary::gauntlet::AfterWound;
use engine::process::Log;

impl Rout {
    /// Ends the rout, unless the enemy may still reveal concealed units.
    pub(super) fn conclude<L: Log>(&self, state: &mut RoutState, log: &mut L) {
        let stays =
            matches!(state.march.phase, RoutProgress::Over(RoutEnd::Stayed | RoutEnd::Surrendered));
        let unit = state.location.unit(0);
        let is_lost = !unit.is_present() || !unit.is(Condition::Broken);
        if stays || is_lost || !self.may_ambush(state, Ambush::new(None)) {
            self.finish(state, log);
        }
    }

    /// Continues after the enemy has chosen the units to reveal to a unit that has stopped
    /// (10.533). If the unit may no longer end there, it must rout on if it can.
    pub(super) fn continue_after_reveal<L: Log>(
        &self,
        state: &mut RoutState,
        has_revealed: bool,
        log: &mut L,
    ) {
        if has_revealed
            && state.march.phase == RoutProgress::Over(RoutEnd::Stopped)
            && self.field.is_failure(&state.march)
        {
            state.march.phase = RoutProgress::Refiguring;
            if !self.all_moves(state).is_empty() {
                log.note("10.533", || format!("it must rout on from {}", self.location(state)));
                return;
            }
            state.march.phase = RoutProgress::Over(RoutEnd::Stopped);
        }
        self.finish(state, log);
    }

    /// Ends the rout. Failure to Rout eliminates the unit (10.5).
    fn finish<L: Log>(&self, state: &mut RoutState, log: &mut L) {
        let RoutProgress::Over(end) = state.march.phase else { return };
        let unit = state.location.unit(0);
        if !unit.is_present() || !unit.is(Condition::Broken) {
            return self.forget(state);
        }
        let stayed = end == RoutEnd::Stayed
            && self.ruling.verdict == Duty::Must
            && !self.field.situation.night;
        let failed =
            if end == RoutEnd::Stayed { stayed } else { self.field.is_failure(&state.march) };
        if failed {
            log.note("10.5", || {
                format!("Failure to Rout in {}: it is eliminated", self.location(state))
            });
            let kind = self.engagement(&state.march).counter(unit).kind;
            state.location.eliminate(0, kind);
            state.failed = true;
        } else {
            log.note("10.5", || format!("its rout ends in {}", self.location(state)));
        }
        self.forget(state);
    }

    /// Clears details of a finished rout that no longer matter, so that more states are equal.
    fn forget(&self, state: &mut RoutState) {
        state.march.known &= self.field.concealed;
        (state.march.may_lie_open, state.march.may_stop) = (false, false);
        state.location.truncate(1);
    }

    pub(super) fn after_interdiction<L: Log>(&self, state: &mut RoutState, log: &mut L) {
        let engagement = self.engagement(&state.march);
        state.location.truncate(engagement.units.len());
        let unit = *state.location.unit(0);
        let wounded = unit.is(Condition::Stopped);
        state.location.unit_mut(0).conditions.clear(Condition::Stopped);
        let goes_on = unit.is(Condition::BeganBroken)
            || !unit.is(Condition::Disrupted) && self.field.chooses(Switch::RoutGoesOnAfterHeat);
        let ended = !unit.is_present() || unit.is(Condition::Pinned) || !goes_on;
        let spent = Mf::halves(state.march.spent);
        let reduced = unit.counter != self.start.unit(0).counter;
        state.march.may_lie_open = true;
        state.march.may_stop = wounded || (reduced && self.field.chooses(Switch::HalfSquadMayStop));
        let after_wound = AfterWound::after(spent, self.field.situation.rulebook);
        match after_wound {
            _ if ended || !wounded => {}
            AfterWound::Pinned => {
                state.location.unit_mut(0).conditions.set(Condition::Pinned);
                log.note("17.2", || format!("wounded after {spent} MF: it is pinned"));
            }
            AfterWound::Stopped => log.note("17.2", || "wounded: its rout is over"),
            AfterWound::GoesOn => {}
        }
        if ended || wounded && !matches!(after_wound, AfterWound::GoesOn) {
            state.march.phase = RoutProgress::Over(RoutEnd::Interdicted);
        }
        self.go_on(state, log);
    }
}
