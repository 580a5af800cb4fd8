//! (3) Help helps: what counts as faring well.

use std::collections::BTreeMap;

use lowcrawl::asl::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use lowcrawl::asl::nation::Nation;
use lowcrawl::asl::outcome::{Outcome, UnitOutcome};
use lowcrawl::asl::question::{Ask, Question};
use lowcrawl::asl::unit::{Condition, Status};
use lowcrawl::process::Point;

use super::{NONE, Sum, chances};

/// How well a unit ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Measure {
    /// Neither eliminated nor captured.
    Survives,
    /// Survives, and neither Reduced (7.302) nor wounded (17).
    Whole,
    /// There and not broken: in Good Order, pinned or berserk; rallied.
    Unbroken,
    /// In Good Order and not pinned, or rallied.
    Fit,
    /// Not broken at the end, be it because it is dead: no measure to go by.
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
        kind: Ask,
    ) -> bool {
        let survives = !matches!(outcome.status, Status::Eliminated | Status::Captured);
        // In a rout it is the broken unit that is pinned.
        let up = match outcome.status {
            Status::GoodOrder | Status::Rallied | Status::Berserk => true,
            Status::Pinned => kind != Ask::Interdict,
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

    /// The same, of a unit of the stack.
    pub(super) fn holds_for(self, outcome: &UnitOutcome, question: &Question) -> bool {
        let member = &question.stack().members[usize::from(outcome.slot) - 1];
        let counter = member.printed();
        let wounded = member.is(Condition::Wounded);
        self.holds(outcome, counter.nation, counter, wounded, question.ask())
    }
}

/// Whether a counter of a table is a squad; rows show the first counter that prints alike, of
/// whatever nation.
fn is_squad(shown: CounterId, nation: Nation) -> bool {
    let printed = CATALOGUE.get(shown).printed();
    let alike = |counter: &&Counter| counter.nation == nation && counter.printed() == printed;
    CATALOGUE.counters().iter().filter(alike).any(|counter| counter.kind == CounterKind::Squad)
}

/// Odds of each measure, by slot and point.
pub(super) fn fortunes(question: &Question) -> BTreeMap<(usize, Point, Measure), Sum> {
    let mut fortunes: BTreeMap<(usize, Point, Measure), Sum> = BTreeMap::new();
    for (point, outcome, probability, fraction) in chances(question, true) {
        let Outcome::Unit(unit) = &outcome else { continue };
        let slot = usize::from(unit.slot);
        for measure in Measure::ALL.into_iter().filter(|_| slot <= question.stack().members.len()) {
            let (probability, fraction) = if measure.holds_for(unit, question) {
                (probability, fraction)
            } else {
                (0.0, Some(NONE))
            };
            fortunes.entry((slot, point, measure)).or_default().add(probability, fraction);
        }
    }
    fortunes
}
