//! Play of a Rally Phase in which the owner chooses (10.6, 10.62): named policies, and the best
//! play.

use crate::engagement::Engagement;
use crate::vocabulary::{Candidate, Choice, LocationState, Means};
use engine::process::Player;

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
    let policies = POLICIES.iter().enumerate();
    policies.map(|(place, (name, about, _))| play::playable::Policy::new(place, name, about))
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
