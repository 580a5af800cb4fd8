//! Stacks as questions: named policies of Rally Phases (10.6, 10.62), and values of final states.

use std::sync::Arc;

use crate::close_combat::state::CombatSide;
use crate::counting::{self, FinalState, TIES, counted};
use crate::engagement::Engagement;
use crate::kinds::QuestionKind;
use crate::question::Question;
use crate::stack_process::{StackProcess, StackState};
use crate::vocabulary::{
    Candidate, Choice, Choices, Condition, LocationState, Means, Outcome, Report, Status,
    UnitOutcome,
};
use answer::{Answerable, CountedUnit, Factors, QuestionInfo, UnitInClass};
use engine::process::{Factorization, Player, ReportIndex};
use engine::text::{Fault, canonical};
use play::{Playable, Policy};
use schema::{Group, UnitEnd};

/// A policy: a function from process, state, player and number of options to the chosen option.
pub type RallyPolicy = fn(&Engagement, &LocationState, Player, usize) -> usize;

/// Every policy, with its name, its description and its function.
pub const POLICIES: [(&str, &str, RallyPolicy); 5] = [
    ("reference", "all try, leaders before MMC, and DM is removed", |_, _, _, _| 0),
    // Leaders that have rallied can lead others (10.71, interpretation I-20).
    ("leaders-first", "leaders try to rally before all others", |process, location, _, _| {
        lowest(process, location, |candidate| u8::from(!candidate.kind.is_leader()))
    }),
    // The MMC that can create a leader (18.11) comes first.
    ("mmc-first", "MMC try to rally before any leader", |process, location, _, _| {
        lowest(process, location, |candidate| match candidate.attempt.means {
            Means::FirstSelfRally { .. } => 0,
            _ => 1 + u8::from(candidate.kind.is_leader()),
        })
    }),
    // An attempt that no DR can help only risks Fate (10.64).
    ("hopeful", "only units that can succeed try to rally", |process, location, _, _| {
        lowest(process, location, |one| if one.is_hopeless() { HOPELESS } else { 0 })
    }),
    ("keep-dm", "DM is kept where that is allowed", |process, location, _, _| {
        let choices = process.choices_at(location);
        choices.iter().position(|&choice| choice == Choice::KeepDm).unwrap_or(0)
    }),
];

/// Returns every policy as a `play::playable::Policy`.
pub fn policies() -> impl Iterator<Item = play::playable::Policy> {
    let policies = POLICIES.iter().enumerate();
    policies.map(|(place, (name, about, _))| play::playable::Policy::new(place, name, about))
}

/// The rank of every option that is no Rally attempt. Lower ranks are preferred.
const NO_ATTEMPT: u8 = 100;
const HOPELESS: u8 = NO_ATTEMPT + 1;

fn lowest(
    process: &Engagement,
    location: &LocationState,
    rank: impl Fn(&Candidate) -> u8,
) -> usize {
    let choices = process.choices_at(location);
    let rank = |&option: &usize| match choices[option] {
        Choice::Tries(place) => rank(&process.candidate(location, place)),
        _ => NO_ATTEMPT,
    };
    (0..choices.len()).min_by_key(rank).unwrap_or(0)
}

impl Answerable for Question {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        counting::counted_units(group, self.stack.members.iter())
    }

    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &Outcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        let of_unit = |outcome: &UnitOutcome| match self.at_slot(outcome.slot) {
            (CombatSide::Ours, _, member) => counted(group, end, outcome, member),
            (CombatSide::Theirs, ..) => None,
        };
        match outcome {
            Outcome::Unit(outcome) => of_unit(outcome).into_iter().for_each(observe),
            Outcome::Stack { units, .. } => units.iter().filter_map(of_unit).for_each(observe),
            // Calls are counted as if they were parts of a unit.
            Outcome::Calls(calls) => {
                let status = Status::GoodOrder.name();
                let ends_so = false;
                observe(UnitInClass { slot: 1, status, parts: *calls, created: false, ends_so });
            }
        }
    }

    fn slot(&self, outcome: &Outcome) -> Option<u8> {
        match outcome {
            Outcome::Unit(outcome) => Some(outcome.slot),
            Outcome::Stack { .. } | Outcome::Calls(_) => None,
        }
    }

    fn in_slot(&self, outcome: Outcome, slot: u8) -> Outcome {
        match outcome {
            Outcome::Unit(outcome) => Outcome::Unit(UnitOutcome { slot, ..outcome }),
            Outcome::Stack { .. } | Outcome::Calls(_) => outcome,
        }
    }

    fn factors(&self) -> Option<Box<dyn Factors<Outcome>>> {
        let factorization = self.factorization()?;
        Some(Box::new(match self.report {
            Report::Calls => Factorization { is_lasting: false, has_parts: true, ..factorization },
            _ => factorization,
        }))
    }
}

impl Playable for Question {
    const TIES: [usize; 2] = TIES;

    fn open(self: &Arc<Self>) -> Arc<Self> {
        Arc::new(self.with_choices(Choices::ALL))
    }

    /// Returns the policies of a Rally Phase. There are none unless the owner makes the choices.
    fn policies(&self) -> Vec<Policy> {
        policies().filter(|_| self.choices.any()).collect()
    }

    fn policy(&self, text: &str) -> Result<usize, Fault> {
        let name = canonical(text);
        POLICIES.iter().position(|(known, ..)| *known == name).ok_or_else(|| {
            let fault =
                Fault::new(format!("no policy of a Rally Phase is called `{text}`"), 0..text.len());
            fault.expecting(
                text,
                POLICIES.iter().map(|(name, ..)| *name).chain([play::policy::BEST]),
            )
        })
    }

    fn option(
        &self,
        policy: usize,
        process: &StackProcess,
        location: &StackState,
        player: Player,
        options: usize,
    ) -> usize {
        let (_, _, policy) = POLICIES[policy];
        policy(process, location, player, options)
    }

    fn ending(&self, point: ReportIndex, outcome: &Outcome) -> Option<(u8, Vec<f64>)> {
        let Outcome::Unit(outcome) = outcome else { return None };
        if point != self.last_point() {
            return None;
        }
        let (CombatSide::Ours, _, member) = self.at_slot(outcome.slot) else { return None };
        let state = FinalState::from_outcome(outcome, member.map(|member| member.printed()));
        // A pinned unit that routs is still broken (10.53).
        let routs = self.ask == QuestionKind::Interdict
            && member.is_some_and(|member| member.is(Condition::BeganBroken));
        let state = match routs && outcome.status == Status::Pinned {
            true => FinalState { good_order: 0.0, good_order_squads: 0.0, ..state },
            false => state,
        };
        Some((outcome.slot, state.in_order()))
    }
}
