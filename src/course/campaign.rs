//! A campaign, what it is played for, and how.

use std::sync::Arc;

use super::best::{Best, Gain, STATES, Value};
use super::objective::Objective;
use super::policy::{Followed, Policy};
use super::standing::Standing;
use crate::asl::campaign::{Campaign, CampaignOutcome, State};
use crate::asl::catalogue::Counter;
use crate::engine::EngineError;
use crate::engine::solve::{self, Solution};
use crate::process::{Player, Process as _, Silent, Under};

/// How the unit of a campaign stands, the half-squad that has come out of it (19.13) included.
pub fn standing(outcome: &CampaignOutcome, began: &Counter) -> Standing {
    let standing = Standing::of(&outcome.unit, Some(began));
    let beside = f64::from(outcome.beside);
    Standing {
        in_cover: Some(standing.survives && outcome.in_cover),
        squad_equivalents: standing.squad_equivalents + beside / 2.0,
        cvp: standing.cvp - beside,
        ..standing
    }
}

/// What an outcome of a campaign is worth: what counts is the end of the last Player Turn.
pub fn worth(campaign: &Campaign, objective: &Objective, outcome: &CampaignOutcome) -> Value {
    if outcome.turn < campaign.turns() {
        return Value::default();
    }
    let standing = standing(outcome, campaign.unit().printed());
    [objective.worth(&standing), f64::from(u8::from(standing.survives)), standing.squad_equivalents]
}

/// The same for [`Best`].
pub fn gain<'a>(campaign: &'a Campaign, objective: &'a Objective) -> Gain<'a, CampaignOutcome> {
    Box::new(move |_, outcome| worth(campaign, objective, outcome))
}

/// What a campaign does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// What is best for the objective, the enemy replying.
    Best,
    Named(Policy),
}

/// Which option is taken in a state, by whom, of how many.
type Chooser = Box<dyn Fn(&Arc<Campaign>, &State, Player, usize) -> usize + Send + Sync>;

/// A campaign with its choices made: a process without choices.
pub type Played = Under<Arc<Campaign>, Chooser>;

/// A line worked out for one campaign.
#[derive(Clone)]
pub enum Play {
    Best(Arc<solve::Play<State>>),
    /// With the enemy's best reply to it, where he has anything to choose.
    Named(Arc<Followed>, Option<Arc<solve::Play<State>>>),
}

impl Play {
    /// Best play, and the enemy's best reply, fail with [`EngineError`] where they have too many states.
    pub fn new(campaign: &Arc<Campaign>, line: Line, objective: &Objective) -> Result<Play, EngineError> {
        Ok(match line {
            Line::Best => Play::Best(Arc::new(Best::solve(campaign.as_ref(), gain(campaign, objective))?.into_play())),
            Line::Named(policy) => {
                let followed = Arc::new(Followed::new(policy));
                let reply = campaign.enemy_chooses().then(|| reply(campaign, &followed, objective)).transpose()?;
                Play::Named(followed, reply.map(Arc::new))
            }
        })
    }

    /// The campaign along this line.
    pub fn of(&self, campaign: &Arc<Campaign>) -> Played {
        let chooser: Chooser = match self.clone() {
            Play::Best(play) => Box::new(move |_: &Arc<Campaign>, state: &State, _, _| play.best(state)),
            Play::Named(followed, reply) => {
                Box::new(move |campaign: &Arc<Campaign>, state: &State, player, options| match (player, &reply) {
                    (Player::Enemy, Some(reply)) => reply.best(state),
                    _ => followed.option(campaign, state, player, options),
                })
            }
        };
        Under::new(campaign.clone(), chooser)
    }

    /// Why a rout on the way could not be worked out, where that was so: then the line was not kept. To be asked when all is played.
    pub fn failure(&self) -> Option<EngineError> {
        match self {
            Play::Best(_) => None,
            Play::Named(followed, _) => followed.failure(),
        }
    }
}

/// The enemy's best reply to a policy: what is worst for the objective.
fn reply(campaign: &Arc<Campaign>, followed: &Followed, objective: &Objective) -> Result<solve::Play<State>, EngineError> {
    let policy = |campaign: &Arc<Campaign>, state: &State, player, options| followed.option(campaign, state, player, options);
    let against = Under::leaving(Player::Enemy, campaign.clone(), policy);
    let mut solution = Solution::new(&against, |_, outcome: &CampaignOutcome| worth(campaign, objective, outcome), STATES);
    solution.worth(&against.start(&mut Silent))?;
    Ok(solution.into_play())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asl::catalogue::CATALOGUE;
    use crate::asl::outcome::UnitOutcome;
    use crate::asl::unit::Status;
    use crate::board::hex::Hex;
    use crate::board::map::Site;

    /// 19.13: the half-squad that has come out of an underlined squad is left and has cost nothing, but it is no part of what is in Good
    /// Order: it was broken.
    #[test]
    fn a_squad_that_was_split() {
        let counter = |id: &str| CATALOGUE.find(id).unwrap_or_else(|| panic!("no {id}"));
        let squad = CATALOGUE.get(counter("ger_1_467"));
        let unit = UnitOutcome {
            slot: 1,
            status: Status::GoodOrder,
            counter: squad.half_squad,
            fanatic: false,
            heroic: false,
            wounded: None,
        };
        let at = Site::ground(Hex::new(1, 1));
        let split = standing(&CampaignOutcome { turn: 1, unit, at, in_cover: true, beside: 1 }, squad);
        assert_eq!((split.squad_equivalents, split.good_order_squads, split.cvp), (1.0, 0.5, 0.0));
        assert_eq!((split.good_order, split.in_cover), (true, Some(true)));
    }
}
