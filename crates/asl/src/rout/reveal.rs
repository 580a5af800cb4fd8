//! 10.533: the enemy may reveal concealed units at any moment of a rout; here, when that is to be
//! played, he is asked wherever the unit has come to, and once more where it has stopped; in a
//! whole phase also before the unit begins.

use super::field::Enemies;
use super::march::March;
use super::process::{Rout, State};
use super::verdict::numbers;
use engine::process::{Event, Log, Silent};

/// The enemy thinks of revealing units in whose LOS the routing unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ambush {
    /// Number of the first enemy still to be thought of.
    next: u8,
    /// Whether he has revealed any.
    has_revealed: bool,
    /// The unit has just come there, and those could Interdict it, concealed ones counted; or it
    /// has stopped there.
    pub arrival: Option<Enemies>,
}

impl Ambush {
    /// On arrival where those could Interdict.
    pub(super) const fn on_arrival(interdictors: Enemies) -> Ambush {
        Ambush { next: 0, has_revealed: false, arrival: Some(interdictors) }
    }

    /// Once the rout has stopped.
    pub(super) const AT_REST: Ambush = Ambush { next: 0, has_revealed: false, arrival: None };
}

impl Rout {
    /// Concealed enemies that could be revealed to the unit before it begins.
    pub(super) fn hidden_at_start(&self, from: u8) -> Enemies {
        self.hidden_here(&self.field.beginning(), from)
    }

    /// Concealed enemies that could be revealed to the unit where it stands, from a number on.
    fn hidden_here(&self, march: &March, from: u8) -> Enemies {
        let later = Enemies::MAX.checked_shl(from.into()).unwrap_or(0);
        if self.enemy_reveals {
            self.field.post(march.post).seen_by & self.field.hidden(march.known) & later
        } else {
            0
        }
    }

    /// Puts the question to the enemy, if he has anybody to reveal.
    pub(super) fn may_ambush(&self, state: &mut State, ambush: Ambush) -> bool {
        state.ambush =
            Some(ambush).filter(|ambush| self.hidden_here(&state.march, ambush.next) != 0);
        state.ambush.is_some()
    }

    /// What the enemy may do: to reveal nobody more, or one of those.
    pub(super) fn ambush_options(&self, state: &State, ambush: Ambush) -> usize {
        1 + self.hidden_here(&state.march, ambush.next).count_ones() as usize
    }

    /// Names of those whom the enemy may reveal, where it is his choice.
    pub fn may_be_revealed(&self, state: &State) -> Option<Vec<String>> {
        let hidden = self.hidden_here(&state.march, state.ambush?.next);
        Some(numbers(hidden).into_iter().map(|enemy| self.field.names.of(1 << enemy)).collect())
    }

    /// The states after each choice of the enemy, where it is his.
    pub(super) fn after_ambush(&self, state: &State) -> Option<Vec<State>> {
        let ambush = state.ambush?;
        let after = |option| {
            let mut next = state.clone();
            self.spring(&mut next, ambush, option, &mut Silent);
            next
        };
        Some((0..self.ambush_options(state, ambush)).map(after).collect())
    }

    /// The enemy chooses; he is asked again as long as there are later ones.
    pub(super) fn spring<L: Log>(
        &self,
        state: &mut State,
        mut ambush: Ambush,
        option: usize,
        log: &mut L,
    ) {
        state.ambush = None;
        let mut hidden = self.hidden_here(&state.march, ambush.next);
        if option > 0 {
            for _ in 1..option {
                hidden &= hidden - 1;
            }
            let enemy = hidden.trailing_zeros();
            state.march.known |= 1 << enemy;
            log.tell(|| Event {
                rule: "10.533",
                text: format!("{} is revealed", self.field.names.of(1 << enemy)),
            });
            ambush = Ambush { next: enemy as u8 + 1, has_revealed: true, ..ambush };
            if self.may_ambush(state, ambush) {
                return;
            }
        }
        match ambush.arrival {
            Some(interdictors) => {
                self.arrive(state, interdictors & !self.field.hidden(state.march.known), log)
            }
            None => self.rest(state, ambush.has_revealed, log),
        }
    }
}
