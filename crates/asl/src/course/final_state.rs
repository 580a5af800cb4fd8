//! The final state of a unit, and its cost in points.

use crate::catalogue::{CATALOGUE, Counter, CounterKind};
use crate::counting::{SQUAD_EQUIVALENTS, half_squads_of, parts};
use crate::stack::Member;
use crate::vocabulary::{Status, UnitOutcome};
use answer::UnitInClass as CountedUnit;
use schema::Group;

/// The indices in `MEASURES` that break ties between equal values: survival, squad-equivalents.
pub const TIES: [usize; 2] = [2, 4];

/// The final state of one unit, from which the measures are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinalState {
    /// True if the unit is neither broken, berserk nor lost (A.7). A pinned unit is in Good Order.
    pub good_order: bool,
    /// True if the unit is neither eliminated nor captured.
    pub survives: bool,
    /// True if the unit is in cover (10.51). `None` if Locations are not known.
    pub in_cover: Option<bool>,
    /// The squad-equivalents (5.1): 1 for a squad, 1/2 for a half-squad or crew, otherwise 0.
    pub squad_equivalents: f64,
    /// The squad-equivalents of the unit if it is in Good Order, otherwise 0.
    pub good_order_squads: f64,
    /// The Casualty Victory Points that the enemy scores for the unit (26.2). A surviving second
    /// half-squad (19.13) counts -1, because the slot of its squad counts as Reduced. The sum over
    /// the slots of a stack is then right.
    pub cvp: f64,
}

impl FinalState {
    /// Returns the amounts of all measures, as [`MEASURES`](crate::measures::MEASURES) lists them.
    pub fn amounts(&self) -> [f64; 6] {
        let flag = |holds: bool| f64::from(u8::from(holds));
        [
            flag(self.good_order),
            self.good_order_squads,
            flag(self.survives),
            flag(self.in_cover == Some(true)),
            self.squad_equivalents,
            self.cvp,
        ]
    }

    /// Builds the final state from an outcome and the counter at the start. `began` is `None` for a
    /// created unit. Its loss costs nothing: heroes and leaders are additional, and a second
    /// half-squad (19.13) comes out of its squad.
    pub fn from_outcome(outcome: &UnitOutcome, began: Option<&Counter>) -> FinalState {
        let good_order =
            matches!(outcome.status, Status::GoodOrder | Status::Rallied | Status::Pinned);
        let captured = outcome.status == Status::Captured;
        let eliminated = outcome.status == Status::Eliminated;
        let now = if eliminated { None } else { Some(size_of(outcome, began)) };
        let cvp = match (began, now) {
            (Some(began), None) => cvp(began),
            (Some(began), Some(size)) => {
                let is_reduced = began.kind == CounterKind::Squad && size == HALF;
                let reduced = f64::from(u8::from(is_reduced));
                let now = match (size, outcome.counter) {
                    (0, counter) => counter.map_or(1.0, |counter| cvp(CATALOGUE.get(counter))),
                    _ => f64::from(size),
                };
                reduced + if captured { 2.0 * now } else { 0.0 }
            }
            (None, Some(HALF)) if captured => 1.0,
            (None, Some(HALF)) => -1.0,
            (None, _) => 0.0,
        };
        let survives = !eliminated && !captured;
        let squad_equivalents = now.filter(|_| survives).map_or(0.0, |size| f64::from(size) / 2.0);
        let good_order_squads = if good_order { squad_equivalents } else { 0.0 };
        FinalState {
            good_order,
            survives,
            in_cover: None,
            squad_equivalents,
            good_order_squads,
            cvp,
        }
    }
}

/// Returns a unit as counted in a group, or `None` if the group does not include it. A second
/// half-squad (19.13) counts as squad-equivalents only, as a part of its squad.
pub(crate) fn counted(
    group: &Group,
    outcome: &UnitOutcome,
    began: Option<&Member>,
) -> Option<CountedUnit> {
    let began_as = began.map(|member| member.printed());
    let kind = began_as.map(|counter| counter.kind).or(outcome.created)?;
    let parts = match *group {
        SQUAD_EQUIVALENTS => {
            (2.0 * FinalState::from_outcome(outcome, began_as).squad_equivalents).round() as u8
        }
        group => parts(&group, kind),
    };
    let created = began.is_none() && *group != SQUAD_EQUIVALENTS;
    let UnitOutcome { slot, status, .. } = *outcome;
    (parts > 0).then(|| CountedUnit { slot, status: status.name(), parts, created })
}

/// Returns the Casualty Victory Points of a counter (26.2): 2 for a squad, otherwise 1. A leader
/// has 1 more for each point of negative leadership.
pub fn cvp(counter: &Counter) -> f64 {
    match counter.kind {
        CounterKind::Squad => 2.0,
        CounterKind::HalfSquad | CounterKind::Crew | CounterKind::Hero => 1.0,
        CounterKind::Leader | CounterKind::Commissar => {
            1.0 + f64::from((-counter.leadership).max(0))
        }
    }
}

/// The size of a half-squad or crew.
const HALF: u8 = 1;

/// Returns the size of a unit that is not eliminated, in half squad-equivalents (5.1). The printed
/// name of its counter may be that of a half-squad of another nation (3-4-7). A former squad is
/// therefore sought among the counters that a squad can become.
fn size_of(outcome: &UnitOutcome, began: Option<&Counter>) -> u8 {
    match (outcome.wounded, began) {
        (Some(_), _) => 0,
        (None, Some(began)) if began.kind == CounterKind::Squad => {
            let printed = outcome.counter.map(|counter| CATALOGUE.get(counter).printed());
            let half_squads = half_squads_of(began);
            let is_halved = half_squads.iter().any(|half| Some(half.printed()) == printed);
            if is_halved { HALF } else { 2 }
        }
        _ => HALF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::CounterId;
    use crate::counting::becomes;

    fn counter(id: &str) -> CounterId {
        CATALOGUE.find(id).unwrap_or_else(|| panic!("no {id}"))
    }

    fn final_state(began: Option<&str>, status: Status, ends: Option<&str>) -> FinalState {
        let ends = ends.map(counter);
        let wounded = ends.filter(|&ends| CATALOGUE.get(ends).kind.is_smc()).map(|_| false);
        let outcome = UnitOutcome {
            slot: 1,
            status,
            counter: ends,
            fanatic: false,
            heroic: false,
            wounded,
            created: None,
        };
        FinalState::from_outcome(&outcome, began.map(|began| CATALOGUE.get(counter(began))))
    }

    #[test]
    fn final_states_have_their_measures() {
        let (squad, half, leader) = (Some("ger_1_467"), Some("ger_1_247"), Some("ger_ldr_9-2"));
        for (began, status, ends, expected) in [
            (squad, Status::GoodOrder, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Rallied, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Pinned, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Broken, Some("ger_2_447"), (false, true, 1.0, 0.0)),
            (squad, Status::Berserk, squad, (false, true, 1.0, 0.0)),
            (squad, Status::Through, squad, (false, true, 1.0, 0.0)),
            // A Reduced squad has cost 1 point (7.302). Its half-squad costs 1 more if eliminated,
            // and 2 more if captured.
            (squad, Status::Disrupted, half, (false, true, 0.5, 1.0)),
            (squad, Status::Eliminated, None, (false, false, 0.0, 2.0)),
            (squad, Status::Captured, squad, (false, false, 0.0, 4.0)),
            (squad, Status::Captured, half, (false, false, 0.0, 3.0)),
            (half, Status::GoodOrder, half, (true, true, 0.5, 0.0)),
            (half, Status::Eliminated, None, (false, false, 0.0, 1.0)),
            (leader, Status::Broken, leader, (false, true, 0.0, 0.0)),
            (leader, Status::Eliminated, None, (false, false, 0.0, 3.0)),
            (leader, Status::Captured, leader, (false, false, 0.0, 6.0)),
            (Some("ger_ldr_6+1"), Status::Eliminated, None, (false, false, 0.0, 1.0)),
            // Created units: a leader, and a second half-squad (19.13), whose squad counts as
            // Reduced.
            (None, Status::GoodOrder, leader, (true, true, 0.0, 0.0)),
            (None, Status::Captured, leader, (false, false, 0.0, 0.0)),
            (None, Status::Broken, half, (false, true, 0.5, -1.0)),
            (None, Status::Eliminated, None, (false, false, 0.0, 0.0)),
            (None, Status::Captured, half, (false, false, 0.0, 1.0)),
        ] {
            let FinalState { good_order, survives, squad_equivalents, cvp, .. } =
                final_state(began, status, ends);
            assert_eq!(
                (good_order, survives, squad_equivalents, cvp),
                expected,
                "{began:?} {status:?} {ends:?}"
            );
        }
    }

    #[test]
    fn squads_and_half_squads_have_different_names() {
        for squad in
            CATALOGUE.counters().iter().filter(|counter| counter.kind == CounterKind::Squad)
        {
            let halves = half_squads_of(squad);
            assert!(!halves.is_empty(), "{squad}");
            assert!(halves.iter().all(|half| half.printed() != squad.printed()), "{squad}");
            for id in becomes(squad)
                .into_iter()
                .filter(|&id| CATALOGUE.get(id).kind == CounterKind::Squad)
            {
                assert!(
                    halves.iter().all(|half| half.printed() != CATALOGUE.get(id).printed()),
                    "{squad}"
                );
            }
        }
    }
}
