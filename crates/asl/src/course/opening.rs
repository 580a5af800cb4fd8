//! What a broken unit can do first in a campaign that begins with its rout, and what each is worth
//! under the best play after it.

use super::campaign::gain;
use crate::board::map::Site;
use crate::campaign::{Asked, Campaign, State};
use crate::rout::{self, Move, Progress, Rout};
use engine::EngineError;
use engine::process::{Due, Player, Process as _, Silent};
use engine::watch::Watch;
use system::best::{Best, Value, best_first};
use system::objective::Objective;

/// What a unit does first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// 20.21: it has no choice.
    Surrender,
    Stay,
    /// 10.52.
    Crawl(Site),
    /// 10.51: declares a destination.
    Run(Site),
    /// 10.51: goes where it pleases.
    Free,
}

/// A first option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    pub first: First,
    /// What it is worth under the best play after it.
    pub value: Value,
}

/// What a unit can do first, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    pub list: Vec<Opening>,
    /// States that were solved.
    pub states: usize,
}

impl Openings {
    /// By how much an option is better by the objective than the best of the others: less than
    /// nothing for all but the best. None where there is no other.
    pub fn margin(&self, option: usize) -> Option<f64> {
        let other = self.list.get(usize::from(option == 0))?;
        Some(self.list.get(option)?.value[0] - other.value[0])
    }
}

/// Solves a campaign that begins with the rout of a broken unit.
///
/// Fails with [`EngineError::TooManyStates`] where it is too big, and when it is stopped.
pub fn openings(
    campaign: &Campaign,
    objective: &Objective,
    watch: Watch,
) -> Result<Openings, EngineError> {
    let mut best = Best::watched(campaign, gain(campaign, objective), watch)?;
    let start = campaign.start(&mut Silent);
    let list = match firsts(campaign, &start) {
        Some(firsts) => {
            let worths = best.first_worths()?;
            firsts.into_iter().zip(worths).map(|(first, value)| Opening { first, value }).collect()
        }
        None => vec![Opening { first: only_first(campaign), value: best.value() }],
    };
    Ok(Openings {
        list: best_first(list, Player::Owner, |opening| &opening.value),
        states: best.states(),
    })
}

/// The options of the choice that the rout begins with, if it begins with one.
fn firsts(campaign: &Campaign, start: &State) -> Option<Vec<First>> {
    let Due::Choice { options: 2.., .. } = campaign.due(start) else { return None };
    let Asked::Rout(_, rout, state) = campaign.asked(start) else { return None };
    let first = |chosen: &Move| first(&rout, state, *chosen);
    (rout.phase(state) == Progress::Start).then(|| rout.moves(state).iter().map(first).collect())
}

/// What a unit without a choice does.
fn only_first(campaign: &Campaign) -> First {
    let rout = Rout::new(campaign.situation(), &campaign.situation().routers[0]);
    let state = rout.start(&mut Silent);
    // A unit that surrenders has no moves.
    rout.moves(&state).first().map_or(First::Surrender, |&chosen| first(&rout, &state, chosen))
}

fn first(rout: &Rout, state: &rout::State, chosen: Move) -> First {
    match (chosen, rout.target(state, chosen)) {
        (Move::Crawl(_), Some(site)) => First::Crawl(site),
        (Move::Declare(site), _) => First::Run(site),
        (Move::GoFree, _) => First::Free,
        _ => First::Stay,
    }
}
