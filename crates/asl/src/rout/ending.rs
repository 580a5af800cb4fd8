//! The end of a rout (10.5, 10.53), and concealed enemies that are revealed by choice (10.533).
//!
//! Rule 10.533 allows this at any moment. The model lets the enemy choose after each step, when the
//! unit has stopped and, in a whole Rout Phase, before the unit begins.

use super::march::{Ambush, March, RoutEnd, RoutProgress};
use super::process::{Rout, RoutState};
use super::situation::{Enemies, each};
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

    /// Continues after a reveal to a stopped unit (10.533). It must rout on if it may not stay.
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
        state.location.units.truncate(1);
    }

    pub(super) fn after_interdiction<L: Log>(&self, state: &mut RoutState, log: &mut L) {
        let engagement = self.engagement(&state.march);
        state.location.units.truncate(engagement.units.len());
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

    /// Returns the enemies from index `from` on that could be revealed before the unit begins.
    pub(super) fn hidden_at_start(&self, from: u8) -> Enemies {
        self.hidden_here(&self.field.beginning(), from)
    }

    /// Returns the enemies from index `from` on that could be revealed to the unit at its node.
    fn hidden_here(&self, march: &March, from: u8) -> Enemies {
        let later = Enemies::MAX.checked_shl(from.into()).unwrap_or(0);
        if self.field.situation.enemy_reveals {
            self.field.post(march.post).seen_by & self.field.hidden(march.known) & later
        } else {
            0
        }
    }

    /// Makes `ambush` the pending choice if any enemy can be revealed. Returns whether one can.
    pub(super) fn may_ambush(&self, state: &mut RoutState, ambush: Ambush) -> bool {
        state.ambush =
            Some(ambush).filter(|ambush| self.hidden_here(&state.march, ambush.next) != 0);
        state.ambush.is_some()
    }

    pub(super) fn ambush_options(&self, state: &RoutState, ambush: Ambush) -> usize {
        1 + self.hidden_here(&state.march, ambush.next).count_ones() as usize
    }

    /// Returns the names of the enemies that can be revealed, or `None` if no choice is pending.
    pub fn may_be_revealed(&self, state: &RoutState) -> Option<Vec<String>> {
        let hidden = self.hidden_here(&state.march, state.ambush?.next);
        Some(each(hidden).map(|enemy| self.field.names(1 << enemy)).collect())
    }

    /// Applies the choice of the enemy. After revealing a unit it chooses again among later ones.
    pub(super) fn spring<L: Log>(
        &self,
        state: &mut RoutState,
        mut ambush: Ambush,
        option: usize,
        log: &mut L,
    ) {
        state.ambush = None;
        let hidden = self.hidden_here(&state.march, ambush.next);
        if let Some(enemy) = option.checked_sub(1).and_then(|place| each(hidden).nth(place)) {
            state.march.known |= 1 << enemy;
            log.note("10.533", || format!("{} is revealed", self.field.names(1 << enemy)));
            ambush = Ambush { next: enemy as u8 + 1, has_revealed: true, ..ambush };
            if self.may_ambush(state, ambush) {
                return;
            }
        }
        match ambush.arrival {
            Some(interdictors) => {
                self.arrive(state, interdictors & !self.field.hidden(state.march.known), log)
            }
            None => self.continue_after_reveal(state, ambush.has_revealed, log),
        }
    }
}
