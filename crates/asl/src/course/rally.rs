//! Play of a Rally Phase in which the owner chooses (10.6, 10.62): named policies, and the best
//! play.

use crate::engagement::Engagement;
use crate::vocabulary::{Candidate, Choice, LocationState, Means};
use engine::process::Player;

/// A policy: a function from process, state, player and number of options to the chosen option.
pub type RallyPolicy = fn(&Engagement, &LocationState, Player, usize) -> usize;

/// Every policy, with its name, its description and its function.
pub const POLICIES: [(&str, &str, RallyPolicy); 5] = [
    ("reference", "all try, leaders before MMC, and DM is removed", |_, _, _, _| 0),
    // Leaders that have rallied can lead others (10.71, interpretation I-20).
    ("leaders-first", "leaders try to rally before all others", |process, location, _, _| {
        lowest(process, location, |candidate| u8::from(!candidate.kind.is_leader()))
    }),
    // Of the MMC the one that can create a leader (18.11) is first.
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

/// Returns every policy as a `system::Policy`.
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
