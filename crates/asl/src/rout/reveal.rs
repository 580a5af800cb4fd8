//! Concealed enemies that are revealed by choice during a rout (10.533).
//!
//! The rule allows this at any moment. The model lets the enemy choose after each step, when the
//! unit has stopped and, in a whole Rout Phase, before the unit begins.

use super::march::{Ambush, March};
use super::process::{Rout, RoutState};
use super::situation::{Enemies, each};
use engine::process::Log;

impl Rout {
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
