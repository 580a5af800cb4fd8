//! Tests of campaigns of a broken unit on abstract ground.
//! The best play is compared with every policy, with dice, with examples worked by hand, and over
//! random lanes.

mod certified;
mod dice;
mod enumerated;
mod exceptions;
mod faults;
mod improvements;
pub mod lane;
mod policies;
mod random;
mod shared_graph;
mod worked;

use lowcrawl::asl::campaign::{Campaign, CampaignOutcome, CampaignState};
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::course::campaign::{gain, worth};
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::play::{Best, Objective};
use lowcrawl::process::{Player, Process, WithPolicy};

use crate::random::case_factor;
use lane::Shared;

const BOUND: Bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };

/// The tolerance of values that should agree to the last digit.
const CLOSE: f64 = 1e-12;

fn objective(name: &str) -> Objective {
    Objective::named(name, MEASURES, &[]).unwrap()
}

/// Returns the objective with this number; the numbers cycle through the list.
fn objective_of(number: u64) -> Objective {
    let names = ["good-order", "survives", "squad-equivalents", "cvp", "in-cover"];
    objective(names[(number % names.len() as u64) as usize])
}

fn solved<'a>(campaign: &'a Campaign, objective: &'a Objective) -> Best<'a, Campaign> {
    Best::solve(campaign, gain(campaign, objective), Monitor::NONE).unwrap()
}

fn best_value(campaign: &Campaign, objective: &Objective) -> f64 {
    solved(campaign, objective).value[0]
}

/// Returns a campaign in which `choose` makes the choices.
fn under<'a>(
    campaign: &'a Campaign,
    choose: impl Fn(&CampaignState, Player, usize) -> usize + Send + Sync + 'a,
) -> impl Process<State = CampaignState, Outcome = CampaignOutcome> + 'a {
    WithPolicy::new(Shared(campaign), move |_: &Shared, state: &CampaignState, player, options| {
        choose(state, player, options)
    })
}

/// Returns the value of a campaign without choices, from the exact odds of its outcomes.
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
