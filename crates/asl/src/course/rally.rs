//! Play of a Rally Phase in which the owner chooses (10.6, 10.62): named policies, and the best
//! play.

use super::rout::STATES;
use crate::choice::{Candidate, Choice};
use crate::engagement::Engagement;
use crate::location::LocationState;
use crate::outcome::{Outcome, UnitOutcome};
use crate::unit::Status;
use crate::vocabulary::rally::Means;
use engine::EngineError;
use engine::process::{Player, Process as _, ReportIndex, Silent};
use engine::solve::{Solution, SolvedPolicy, ValueVector};

/// A policy: a function from process, state, player and number of options to the chosen option.
pub type RallyPolicy = fn(&Engagement, &LocationState, Player, usize) -> usize;

/// Every policy, with its name, its description and its function.
pub const POLICIES: [(&str, &str, RallyPolicy); 5] = [
    ("reference", "all try, leaders before MMC, and DM is removed", reference),
    ("leaders-first", "leaders try to rally before all others", leaders_first),
    ("mmc-first", "MMC try to rally before any leader", mmc_first),
    ("hopeful", "only units that can succeed try to rally", hopeful),
    ("keep-dm", "DM is kept where that is allowed", keep_dm),
];

/// Returns every policy as a `system::Policy`.
pub fn policies() -> impl Iterator<Item = play::playable::Policy> {
    POLICIES
        .iter()
        .enumerate()
        .map(|(place, (name, about, _))| play::playable::Policy::new(place, name, about))
}

/// Takes the reference order: all units try, leaders before MMC, and DM is removed.
pub fn reference(_: &Engagement, _: &LocationState, _: Player, _: usize) -> usize {
    0
}

/// Lets leaders try before all others, so that they can lead others (10.71, interpretation I-20).
pub fn leaders_first(process: &Engagement, location: &LocationState, _: Player, _: usize) -> usize {
    lowest(process, location, |candidate| u8::from(!candidate.kind.is_leader()))
}

/// Lets MMC try before any leader (18.11). The MMC that can create a leader is first.
pub fn mmc_first(process: &Engagement, location: &LocationState, _: Player, _: usize) -> usize {
    lowest(process, location, |candidate| match candidate.attempt.means {
        Means::FirstSelfRally { .. } => 0,
        _ => 1 + u8::from(candidate.kind.is_leader()),
    })
}

/// Takes the reference order, but units that no DR can help do not try (10.64).
pub fn hopeful(process: &Engagement, location: &LocationState, _: Player, _: usize) -> usize {
    lowest(process, location, |candidate| if candidate.is_hopeless() { HOPELESS } else { 0 })
}

/// Takes the reference order, but keeps DM if that is allowed (10.62).
pub fn keep_dm(process: &Engagement, location: &LocationState, _: Player, _: usize) -> usize {
    process.choices_at(location).iter().position(|&choice| choice == Choice::KeepDm).unwrap_or(0)
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

/// Returns a reward function: the number of units in Good Order at the last report.
pub fn in_good_order(
    process: &Engagement,
) -> impl Fn(ReportIndex, &Outcome) -> ValueVector<1> + use<> {
    let last = process.last_point();
    let up = |unit: &&UnitOutcome| matches!(unit.status, Status::GoodOrder | Status::Rallied);
    move |point, outcome| match outcome {
        _ if Some(point) != last => [0.0],
        Outcome::Unit(unit) => [f64::from(u8::from(up(&unit)))],
        Outcome::Stack(units) => [units.iter().filter(up).count() as f64],
    }
}

/// Returns the best expected reward under `gain`, and the policy that reaches it.
///
/// # Errors
///
/// Fails if the process has too many states.
pub fn best<const N: usize>(
    process: &Engagement,
    gain: impl Fn(ReportIndex, &Outcome) -> ValueVector<N>,
) -> Result<(ValueVector<N>, SolvedPolicy<LocationState>), EngineError> {
    let mut solution = Solution::new(process, gain, STATES);
    let worth = solution.worth(&process.start(&mut Silent))?;
    Ok((worth, solution.into_play()))
}
