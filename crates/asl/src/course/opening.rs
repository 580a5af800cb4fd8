//! The first options of a broken unit whose campaign begins with its rout, under best play.

use super::campaign::gain;
use crate::board::map::Location;
use crate::campaign::{Campaign, CampaignState, ChoiceSubject};
use crate::rout::{self, Rout, RoutMove, RoutProgress};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::{Due, Player, Process as _, Silent};
use play::best_play::best_first;
use play::{Best, Objective, PlayValue};

/// A first option of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// A surrender, which leaves no choice (20.21).
    Surrender,
    Stay,
    /// A Low Crawl (10.52).
    Crawl(Location),
    /// A rout to a declared destination (10.51).
    Run(Location),
    /// A free rout (10.51).
    Free,
}

/// A first option with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstOption {
    pub first: First,
    /// The value of the option under best play afterwards.
    pub value: PlayValue,
}

/// The first options of a unit, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    pub list: Vec<FirstOption>,
    /// The number of states that were solved.
    pub states: usize,
}

impl Openings {
    /// Returns by how much the objective of an option exceeds that of the best other option. It is
    /// negative for all but the best, and `None` if there is no other option.
    pub fn margin(&self, option: usize) -> Option<f64> {
        let other = self.list.get(usize::from(option == 0))?;
        Some(self.list.get(option)?.value[0] - other.value[0])
    }
}

/// Solves a campaign that begins with the rout of a broken unit, and returns its first options.
///
/// # Errors
///
/// Fails with [`EngineError::TooManyStates`] if the campaign is too large, or if `watch` cancels
/// it.
pub fn openings(
    campaign: &Campaign,
    objective: &Objective,
    watch: Monitor,
) -> Result<Openings, EngineError> {
    let mut best = Best::solve(campaign, gain(campaign, objective), watch)?;
    let start = campaign.start(&mut Silent);
    let (firsts, values) = match firsts(campaign, &start) {
        Some(firsts) => {
            let values = best.solution.options(&start, firsts.len())?;
            (firsts, values)
        }
        None => (vec![only_first(campaign)], vec![best.value]),
    };
    let options = firsts.into_iter().zip(values);
    let options = options.map(|(first, value)| FirstOption { first, value }).collect();
    let list = best_first(options, Player::Owner, |opening| &opening.value);
    Ok(Openings { list, states: best.solution.states })
}

/// Returns the options of the first choice, or `None` if the rout does not begin with a choice.
fn firsts(campaign: &Campaign, start: &CampaignState) -> Option<Vec<First>> {
    let Due::Choice { options: 2.., .. } = campaign.due(start) else { return None };
    let ChoiceSubject::Rout(_, rout, state) = campaign.choice_subject(start) else { return None };
    let firsts = || rout.moves(state).iter().map(|&chosen| first(&rout, state, chosen)).collect();
    (rout.phase(state) == RoutProgress::Start).then(firsts)
}

fn only_first(campaign: &Campaign) -> First {
    let rout = Rout::new(campaign.situation(), &campaign.situation().routers[0]);
    let state = rout.start(&mut Silent);
    // A unit that surrenders has no moves.
    rout.moves(&state).first().map_or(First::Surrender, |&chosen| first(&rout, &state, chosen))
}

fn first(rout: &Rout, state: &rout::RoutState, chosen: RoutMove) -> First {
    match (chosen, rout.target(state, chosen)) {
        (RoutMove::Crawl(_), Some(location)) => First::Crawl(location),
        (RoutMove::Declare(location), _) => First::Run(location),
        (RoutMove::GoFree, _) => First::Free,
        _ => First::Stay,
    }
}
