//! The best play against every possible policy, one by one.

use std::collections::{HashMap, HashSet};

use lowcrawl::asl::campaign::{Campaign, CampaignState};
use lowcrawl::play::Objective;
use lowcrawl::process::{Due, Player, Process as _, Silent};

use super::lane::Fields;
use super::random::{self, Rng};
use super::{CLOSE, best_value, case_factor, objective_of, under, value_of};

/// A state in which a player chooses, and the number of its options.
type DecisionState = (CampaignState, usize);

/// Returns every reachable state in which a player has at least two options.
/// The first list holds the states of the owner, the second those of the enemy.
fn decisions(campaign: &Campaign) -> (Vec<DecisionState>, Vec<DecisionState>) {
    let (mut owners, mut enemys) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let mut open = vec![campaign.start(&mut Silent)];
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        match campaign.due(&state) {
            Due::Over => {}
            Due::Report(_) => {
                let mut next = state;
                campaign.pass(&mut next, &mut Silent);
                open.push(next);
            }
            Due::Roll(dice, terms) => {
                for (face, _) in dice.distinct() {
                    let mut next = state.clone();
                    campaign.apply(&mut next, campaign.read(&terms, face), &mut Silent);
                    open.push(next);
                }
            }
            Due::Choice { player, options } => {
                open.extend(campaign.followers(&state, options));
                let decisions = if player == Player::Owner { &mut owners } else { &mut enemys };
                if options > 1 {
                    decisions.push((state, options));
                }
            }
        }
    }
    (owners, enemys)
}

/// Returns the number of policies: the product of the options of each state.
fn policies(decisions: &[DecisionState]) -> u64 {
    decisions.iter().map(|(_, options)| *options as u64).fold(1, u64::saturating_mul)
}

/// Returns the policy with a number: one option for each state, as digits of a mixed radix.
fn policy(
    decisions: &[DecisionState],
    mut number: u64,
) -> impl Iterator<Item = (&CampaignState, usize)> {
    decisions.iter().map(move |(state, options)| {
        let option = (number % *options as u64) as usize;
        number /= *options as u64;
        (state, option)
    })
}

/// Returns the value of the owner's best policy against the enemy's best reply, by trying all.
fn best_of_all(
    campaign: &Campaign,
    objective: &Objective,
    owners: &[DecisionState],
    enemys: &[DecisionState],
) -> f64 {
    let against = |own: u64, reply: u64| {
        let plan: HashMap<&CampaignState, usize> =
            policy(owners, own).chain(policy(enemys, reply)).collect();
        let play = under(campaign, |state, _, _| plan.get(state).copied().unwrap_or(0));
        value_of(campaign, objective, &play)
    };
    let worst = |own: u64| {
        (0..policies(enemys)).map(|reply| against(own, reply)).fold(f64::INFINITY, f64::min)
    };
    (0..policies(owners)).map(worst).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns a random short campaign of a unit with few possible states.
fn small(seed: u64) -> Fields {
    let rng = &mut Rng::new(seed);
    let fields = random::fields(rng, random::ALL, 2);
    let unit = rng.pick(&[
        "german:2-4-7/dm",
        "german:2-4-7/broken",
        "german:2-2-8/dm",
        "german:4-6-7/dm",
        "german:8-0/dm",
    ]);
    let heated = rng.percent(15);
    let holds_fire = rng.percent(30);
    fields.with("unit", unit).with("hob", heated).with("enemy-holds-fire", holds_fire)
}

/// The best play is worth as much as the best of all policies.
/// A policy fixes one option for each reachable state.
#[test]
fn best_play_equals_the_best_of_all_policies() {
    let (mut compared, mut most) = (0, 0);
    for seed in 0..150 * case_factor() {
        let fields = small(seed);
        let campaign = fields.campaign();
        let (owners, enemys) = decisions(&campaign);
        let tries = policies(&owners).saturating_mul(policies(&enemys));
        if !(2..=1024).contains(&tries) {
            continue;
        }
        let objective = objective_of(seed);
        let (best, all) = (
            best_value(&campaign, &objective),
            best_of_all(&campaign, &objective, &owners, &enemys),
        );
        assert!((best - all).abs() <= CLOSE, "{best} instead of {all}: {objective}, {fields:?}");
        compared += 1;
        most = most.max(tries);
    }
    assert!(compared >= 50 && most >= 256, "{compared} campaigns, {most} policies at most");
}
