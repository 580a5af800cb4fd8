//! Measures of a good result for a unit.

use std::collections::BTreeMap;

use lowcrawl::asl::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use lowcrawl::asl::nation::Nation;
use lowcrawl::asl::outcome::{Outcome, UnitOutcome};
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::asl::unit::{Condition, Status};
use lowcrawl::process::ReportIndex;

use super::{NONE, Sum, chances};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Measure {
    /// The unit is neither eliminated nor captured.
    Survives,
    /// The unit survives, and is neither Reduced (7.302) nor wounded (17).
    Whole,
    /// The unit is on the map and not broken: in Good Order, pinned, berserk or rallied.
    Unbroken,
    /// The unit is in Good Order and not pinned, or rallied.
    Fit,
    /// The unit is not broken at the end, or is eliminated. So this is no good measure.
    NotBroken,
}

pub(super) use Measure::{Fit, NotBroken, Survives, Unbroken, Whole};

impl Measure {
    const ALL: [Measure; 4] = [Survives, Whole, Unbroken, Fit];

    fn holds(
        self,
        outcome: &UnitOutcome,
        nation: Nation,
        began: &Counter,
        wounded: bool,
        kind: QuestionKind,
    ) -> bool {
        let survives = !matches!(outcome.status, Status::Eliminated | Status::Captured);
        // In a rout only the broken unit is pinned.
        let up = match outcome.status {
            Status::GoodOrder | Status::Rallied | Status::Berserk => true,
            Status::Pinned => kind != QuestionKind::Interdict,
            _ => false,
        };
        match self {
            Survives => survives,
            Whole if began.kind == CounterKind::Squad => {
                survives && outcome.counter.is_some_and(|now| is_squad(now, nation))
            }
            Whole => {
                survives && (!began.kind.is_smc() || wounded || outcome.wounded == Some(false))
            }
            Unbroken => up,
            Fit => matches!(outcome.status, Status::GoodOrder | Status::Rallied),
            NotBroken => !matches!(outcome.status, Status::Broken | Status::Disrupted),
        }
    }

    /// Returns whether the measure holds for a unit of the stack.
    pub(super) fn holds_for(self, outcome: &UnitOutcome, question: &Question) -> bool {
        let member = &question.stack.members[usize::from(outcome.slot) - 1];
        let counter = member.printed();
        let wounded = member.is(Condition::Wounded);
        self.holds(outcome, counter.nation, counter, wounded, question.ask)
    }
}

/// Returns whether a counter of a table is a squad. Rows show the first counter that is printed
/// alike, of any nation.
fn is_squad(shown: CounterId, nation: Nation) -> bool {
    let printed = CATALOGUE.get(shown).printed();
    let alike = |counter: &&Counter| counter.nation == nation && counter.printed() == printed;
    CATALOGUE.counters().iter().filter(alike).any(|counter| counter.kind == CounterKind::Squad)
}

/// Returns the probability of each measure, by slot and point.
pub(super) fn odds_by_measure(question: &Question) -> BTreeMap<(usize, ReportIndex, Measure), Sum> {
    let mut odds_by_measure: BTreeMap<(usize, ReportIndex, Measure), Sum> = BTreeMap::new();
    for (point, outcome, probability, fraction) in chances(question, true) {
        let Outcome::Unit(unit) = &outcome else { continue };
        let slot = usize::from(unit.slot);
        for measure in Measure::ALL.into_iter().filter(|_| slot <= question.stack.members.len()) {
            let (probability, fraction) = if measure.holds_for(unit, question) {
                (probability, fraction)
            } else {
                (0.0, Some(NONE))
            };
            odds_by_measure.entry((slot, point, measure)).or_default().add(probability, fraction);
        }
    }
    odds_by_measure
}
