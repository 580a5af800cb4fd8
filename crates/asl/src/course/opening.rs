//! The first options of a broken unit in a campaign that begins with its rout, with their values
//! under best play.

use super::campaign::gain;
use crate::board::map::Site;
use crate::campaign::{Asked, Campaign, State};
use crate::rout::{self, Move, Progress, Rout};
use engine::EngineError;
use engine::process::{Due, Player, Process as _, Silent};
use engine::watch::Watch;
use system::best::{Best, Value, best_first};
use system::objective::Objective;

/// A first option of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Surrender, without any choice (20.21).
    Surrender,
    Stay,
    /// A Low Crawl (10.52).
    Crawl(Site),
    /// A rout to a declared destination (10.51).
    Run(Site),
    /// A free rout (10.51).
    Free,
}

/// A first option with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    pub first: First,
    /// The value under best play afterwards.
    pub value: Value,
}

/// The first options of a unit, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    pub list: Vec<Opening>,
    /// The number of states that were solved.
    pub states: usize,
}

impl Openings {
    /// Returns the margin of an option, by the objective, over the best of the others. It is
    /// negative for all but the best. Returns `None` if there is no other.
    pub fn margin(&self, option: usize) -> Option<f64> {
        let other = self.list.get(usize::from(option == 0))?;
        Some(self.list.get(option)?.value[0] - other.value[0])
    }
}

/// Solves a campaign that begins with the rout of a broken unit.
///
/// # Errors
///
/// Fails with [`EngineError::TooManyStates`] if the campaign is too large, and if `watch` cancels
/// it.
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

/// Returns the options of the first choice, if the rout begins with a choice.
fn firsts(campaign: &Campaign, start: &State) -> Option<Vec<First>> {
    let Due::Choice { options: 2.., .. } = campaign.due(start) else { return None };
    let Asked::Rout(_, rout, state) = campaign.asked(start) else { return None };
    let first = |chosen: &Move| first(&rout, state, *chosen);
    (rout.phase(state) == Progress::Start).then(|| rout.moves(state).iter().map(first).collect())
}

/// Returns the action of a unit without a choice.
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
