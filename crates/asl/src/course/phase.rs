//! A whole Rout Phase under best play of each unit, and the best order of the units.

use std::cmp::Ordering;
use std::sync::Arc;

use super::rout::{CourseSummary, PerRout, Value, by_worth, expected, solve};
use crate::counting::{self, CLASSES, FURTHER_ENDS, GROUPS, counted, printed_counter};
use crate::rout::{PhaseState, RoutOutcome, RoutPhase, RoutState, Situation};
use crate::stack::Member;
use answer::odds::counts as counts_of;
use answer::{
    Countable, CountedUnit, Counting, Options, OutcomeCounter, QuestionFacts, Success, UnitCounts,
    UnitInClass,
};
use engine::EngineError;
use engine::exact::{self, Bound, Chance};
use engine::monitor::Monitor;
use engine::process::{Due, Process as _, Silent, WithPolicy};
use engine::solve::{SolvedPolicy, is_better};
use schema::{Group, Kind, UnitEnd};

/// The largest number of units for which all orders are compared: 720 orders.
pub const MOST_ORDERED: usize = 6;

/// The best play of every rout of a phase, computed on first use.
#[derive(Default)]
pub struct BestPlay<'a> {
    watch: Monitor<'a>,
    solved: PerRout<Solved>,
}

#[derive(Default)]
struct Solved {
    play: SolvedPolicy<RoutState>,
    worth: Value,
}

impl<'a> BestPlay<'a> {
    /// Builds an empty cache. `watch` can cancel its computations.
    pub fn watched(watch: Monitor<'a>) -> BestPlay<'a> {
        BestPlay { watch, ..BestPlay::default() }
    }

    /// Returns the unit's best option, or its worst if the enemy chooses before its rout (10.533).
    pub fn option(&self, phase: &RoutPhase, state: &PhaseState) -> usize {
        if state.awaits_enemy() {
            return self.worst(phase, state).0;
        }
        let (number, state) = state.current();
        self.solved(phase, number).play.best(state)
    }

    /// Returns the enemy's option before a rout that is worst for the unit, and the unit's value.
    fn worst(&self, phase: &RoutPhase, state: &PhaseState) -> (usize, Value) {
        let Due::Choice { options, .. } = phase.due(state) else { return (0, Value::default()) };
        let worth = |option| {
            let mut next = state.clone();
            phase.choose(&mut next, option, &mut Silent);
            if next.awaits_enemy() {
                self.worst(phase, &next).1
            } else {
                self.solved(phase, next.current().0).worth
            }
        };
        let mut worst = (0, worth(0));
        for option in 1..options {
            let worth = worth(option);
            if is_better(&worst.1, &worth) {
                worst = (option, worth);
            }
        }
        worst
    }

    fn solved(&self, phase: &RoutPhase, number: u32) -> Arc<Solved> {
        self.solved.get(number, || {
            let (worth, play) = solve(&*phase.rout(number), self.watch)?;
            Ok(Solved { play, worth })
        })
    }

    /// Returns the error of a rout that could not be solved, so that its options are not the best.
    pub fn failure(&self) -> Option<EngineError> {
        self.solved.failure()
    }
}

/// A Rout Phase with the units in one order, and its results.
#[derive(Clone, Debug)]
pub struct InOrder {
    /// The order of the units, by their indices in the situation.
    pub order: Vec<usize>,
    /// The outcomes of each unit with their probabilities (0 to 1), in that order.
    pub odds: Vec<Vec<Chance<RoutOutcome>>>,
    /// The number of states that were solved.
    pub states: usize,
    /// The sum of the expected values of all units.
    worth: Value,
}

impl InOrder {
    /// Returns the summary of each unit, with its index in the situation.
    pub fn summaries(&self) -> impl Iterator<Item = (usize, CourseSummary)> {
        let summaries = self.odds.iter().map(|odds| CourseSummary::from_chances(odds));
        self.order.iter().copied().zip(summaries)
    }

    /// Returns the expected number of units that survive uncaptured.
    pub fn survivors(&self) -> f64 {
        self.worth[0]
    }

    /// Returns the expected number of units in cover and unreduced.
    pub fn in_cover(&self) -> f64 {
        self.worth[1]
    }

    /// Compares two orders by their value for the whole side, so that the better one is less.
    pub fn compare(&self, other: &InOrder) -> Ordering {
        by_worth(&self.worth, &other.worth)
    }
}

/// Computes the Rout Phase of some units in this order under best play. `None` if `order` is empty.
///
/// # Errors
///
/// Fails if the phase has too many states, or if `watch` cancels it.
///
/// # Panics
///
/// Panics if `order` has an index that no routing unit has.
pub fn in_order(
    situation: &Situation,
    order: &[usize],
    watch: Monitor,
) -> Result<Option<InOrder>, EngineError> {
    played(situation, order, watch, |under, order| {
        let all = exact::odds(&under, Bound::STANDARD.watched(watch))?;
        let worth = expected(&all.chances);
        let mut odds = vec![Vec::new(); order.len()];
        all.chances.into_iter().for_each(|chance| odds[usize::from(chance.point)].push(chance));
        Ok(InOrder { order, odds, states: all.states, worth })
    })
}

/// A Rout Phase under best play of each unit, which is a process without choices.
pub type BestPhase<'a> = WithPolicy<'a, RoutPhase<'a>>;

/// Passes the Rout Phase under best play to `engine`, with the order. `None` if `order` is empty.
///
/// # Errors
///
/// Fails if `engine` fails, or if a rout has too many states.
pub fn played<'a, T, E: From<EngineError>>(
    situation: &'a Situation,
    order: &[usize],
    watch: Monitor<'a>,
    engine: impl FnOnce(BestPhase<'a>, Vec<usize>) -> Result<T, E>,
) -> Result<Option<T>, E> {
    let Some(phase) = RoutPhase::new(situation, order.to_vec()) else { return Ok(None) };
    let order = phase.order().to_vec();
    let play = Arc::new(BestPlay::watched(watch));
    let plays = play.clone();
    let choose = move |phase: &RoutPhase<'a>, state: &PhaseState, _, _| plays.option(phase, state);
    let under = WithPolicy::new(phase, choose);
    let answer = engine(under, order)?;
    play.failure().map_or(Ok(Some(answer)), |failure| Err(failure.into()))
}

/// The counting scheme of a Rout Phase. A broken unit counts as broken wherever it ends.
pub static SCHEME: Kind = Kind::new("rout", "", None, &[])
    .counted(CLASSES, GROUPS)
    .ends_as(FURTHER_ENDS, printed_counter);

struct InTurn<'a>(Vec<&'a Member>);

impl Countable for InTurn<'_> {
    type Outcome = RoutOutcome;

    fn facts(&self) -> QuestionFacts {
        let facts = QuestionFacts::new(&SCHEME, Success::of_unit(&[], ""));
        QuestionFacts { units: self.0.len() as u8, ..facts }
    }
    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        counting::counted_units(group, self.0.iter().copied())
    }
    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &RoutOutcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        let began = self.0.get(usize::from(outcome.unit.slot) - 1).copied();
        counted(group, end, &outcome.unit, began).into_iter().for_each(observe);
    }
    fn slot(&self, outcome: &RoutOutcome) -> Option<u8> {
        Some(outcome.unit.slot)
    }
    fn in_slot(&self, outcome: RoutOutcome, _: u8) -> RoutOutcome {
        outcome
    }
    fn is_reported_in_turns(&self) -> bool {
        true
    }
}

/// Counts the final statuses of a group in the Rout Phase of some units in the given order, under
/// best play of each. Returns `None` if `order` is empty, or if the units are too many to count.
///
/// # Errors
///
/// Fails if the exact engine is requested and the phase has too many states, or if it is cancelled.
pub fn counts(
    situation: &Situation,
    order: &[usize],
    counting: Counting,
    options: &Options,
) -> Result<Option<UnitCounts>, EngineError> {
    let counts = played(situation, order, options.watch, |under, order| {
        let units = InTurn(order.iter().map(|&unit| &situation.routers[unit].member).collect());
        let counter = OutcomeCounter::new(&units, counting);
        counter.map(|counter| counts_of(&counter, under, options)).transpose()
    });
    Ok(counts?.flatten())
}

/// Returns every order of the units with its results, best first, up to [`MOST_ORDERED`] units.
///
/// # Errors
///
/// Fails if a phase has too many states, or if `watch` cancels it.
pub fn all_orders(situation: &Situation, watch: Monitor) -> Result<Vec<InOrder>, EngineError> {
    if situation.routers.len() > MOST_ORDERED {
        return Ok(Vec::new());
    }
    let mut orders: Vec<InOrder> = Vec::new();
    for order in permutations(situation.routers.len()) {
        orders.extend(in_order(situation, &order, watch)?);
    }
    orders.sort_by(|a, b| a.compare(b).then(a.order.cmp(&b.order)));
    orders.dedup_by(|a, b| a.order == b.order);
    Ok(orders)
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: Vec<usize>| {
            let next = (0..count).filter(|next| !order.contains(next));
            next.map(|next| [&order[..], &[next]].concat()).collect::<Vec<_>>()
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_contain_every_order_once() {
        assert_eq!(
            permutations(3),
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        );
        assert_eq!(permutations(6).len(), 720);
    }
}
