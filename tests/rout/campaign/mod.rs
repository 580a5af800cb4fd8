//! Campaigns of a broken unit on abstract ground: the best play against every policy, against dice,
//! by hand, and whatever the lane.

mod better;
mod dice;
mod enumerated;
mod exceptions;
mod faults;
mod kin;
pub mod lane;
mod policies;
mod random;
mod worked;

use lowcrawl::asl::campaign::{Campaign, CampaignOutcome, State};
use lowcrawl::course::campaign::{gain, worth};
use lowcrawl::course::standing::MEASURES;
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::process::{Player, Process, Under};
use lowcrawl::system::best::Best;
use lowcrawl::system::objective::Objective;

use lane::Shared;

/// So many times as many cases, for longer runs by hand.
fn extra() -> u64 {
    std::env::var("LOWCRAWL_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

const BOUND: Bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };

/// What is compared to the last digit.
const CLOSE: f64 = 1e-12;

fn objective(name: &str) -> Objective {
    Objective::named(name, &MEASURES).unwrap()
}

/// Objectives by turns.
fn one_objective(number: u64) -> Objective {
    let names = ["good-order", "survives", "squad-equivalents", "cvp", "in-cover"];
    objective(names[(number % names.len() as u64) as usize])
}

fn solved<'a>(campaign: &'a Campaign, objective: &'a Objective) -> Best<'a, Campaign> {
    Best::solve(campaign, gain(campaign, objective)).unwrap()
}

/// What the best play is worth.
fn best_value(campaign: &Campaign, objective: &Objective) -> f64 {
    solved(campaign, objective).value()[0]
}

/// A campaign with its choices made.
fn under<'a>(
    campaign: &'a Campaign,
    choose: impl Fn(&State, Player, usize) -> usize + Sync + 'a,
) -> impl Process<State = State, Outcome = CampaignOutcome> + 'a {
    Under::new(Shared(campaign), move |_: &Shared, state: &State, player, options| {
        choose(state, player, options)
    })
}

/// What a campaign without choices is worth, by the odds of how it ends.
fn value_of(
    campaign: &Campaign,
    objective: &Objective,
    play: &impl Process<Outcome = CampaignOutcome>,
) -> f64 {
    let odds = exact::odds(play, BOUND).unwrap();
    odds.chances
        .iter()
        .map(|chance| chance.probability * worth(campaign, objective, &chance.outcome)[0])
        .sum()
}
