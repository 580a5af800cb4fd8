//! What the owner can make of a Rally Phase that leaves its choices to him (10.6, 10.62, 18.11):
//! named policies, and the best play.

use super::rout::STATES;
use crate::choice::{Candidate, Choice};
use crate::engagement::Engagement;
use crate::location::Location;
use crate::outcome::{Outcome, UnitOutcome};
use crate::unit::Status;
use crate::vocabulary::rally::Means;
use engine::EngineError;
use engine::process::{Player, Point, Process as _, Silent};
use engine::solve::{Play, Solution, Worth};
use system;

/// A policy to play an [`Engagement`] under: state, player and number of options give an option.
pub type Policy = fn(&Engagement, &Location, Player, usize) -> usize;

/// Every policy: its name, what it does, and how.
pub const POLICIES: [(&str, &str, Policy); 5] = [
    ("reference", "all try, leaders before MMC, and DM is removed", reference),
    ("leaders-first", "leaders before all others", leaders_first),
    ("mmc-first", "MMC before any leader", mmc_first),
    ("hopeful", "no attempt that cannot succeed", hopeful),
    ("keep-dm", "DM is kept where that is allowed", keep_dm),
];

/// The same with their words.
pub fn policies() -> impl Iterator<Item = system::Policy> {
    POLICIES
        .iter()
        .enumerate()
        .map(|(place, (name, about, _))| system::Policy::new(place, name, about))
}

/// The reference order: all try, leaders before MMC, and DM is removed.
pub fn reference(_: &Engagement, _: &Location, _: Player, _: usize) -> usize {
    0
}

/// 10.71: leaders before all others, whatever I-20 says, so that they can lead them.
pub fn leaders_first(process: &Engagement, location: &Location, _: Player, _: usize) -> usize {
    lowest(process, location, |candidate| u8::from(!candidate.kind.is_leader()))
}

/// 18.11: MMC before any leader, the one that can make a leader before all others.
pub fn mmc_first(process: &Engagement, location: &Location, _: Player, _: usize) -> usize {
    lowest(process, location, |candidate| match candidate.attempt.means {
        Means::FirstSelfRally { .. } => 0,
        _ => 1 + u8::from(candidate.kind.is_leader()),
    })
}

/// 10.64: the reference order, but whom no DR can help is left alone.
pub fn hopeful(process: &Engagement, location: &Location, _: Player, _: usize) -> usize {
    lowest(process, location, |candidate| if candidate.is_hopeless() { HOPELESS } else { 0 })
}

/// 10.62: the reference order, but DM is kept where that is allowed.
pub fn keep_dm(process: &Engagement, location: &Location, _: Player, _: usize) -> usize {
    process.choices_at(location).iter().position(|&choice| choice == Choice::KeepDm).unwrap_or(0)
}

/// Rank of all that is no attempt.
const NO_ATTEMPT: u8 = 100;
const HOPELESS: u8 = NO_ATTEMPT + 1;

/// The first option of those that rank lowest.
fn lowest(process: &Engagement, location: &Location, rank: impl Fn(&Candidate) -> u8) -> usize {
    let choices = process.choices_at(location);
    let rank = |&option: &usize| match choices[option] {
        Choice::Tries(place) => rank(&process.candidate(location, place)),
        _ => NO_ATTEMPT,
    };
    (0..choices.len()).min_by_key(rank).unwrap_or(0)
}

/// Units in Good Order at the last point, created ones counted: what a best play may be for.
pub fn in_good_order(process: &Engagement) -> impl Fn(Point, &Outcome) -> Worth<1> + use<> {
    let last = process.last_point();
    let up = |unit: &&UnitOutcome| matches!(unit.status, Status::GoodOrder | Status::Rallied);
    move |point, outcome| match outcome {
        _ if Some(point) != last => [0.0],
        Outcome::Unit(unit) => [f64::from(u8::from(up(&unit)))],
        Outcome::Stack(units) => [units.iter().filter(up).count() as f64],
    }
}

/// The best play for what `gain` says an outcome at a point is worth, and what it is worth then.
///
/// Fails with [`EngineError`] where the process has too many states.
pub fn best<const N: usize>(
    process: &Engagement,
    gain: impl Fn(Point, &Outcome) -> Worth<N>,
) -> Result<(Worth<N>, Play<Location>), EngineError> {
    let mut solution = Solution::new(process, gain, STATES);
    let worth = solution.worth(&process.start(&mut Silent))?;
    Ok((worth, solution.into_play()))
}
