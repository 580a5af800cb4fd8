//! A campaign and what it is played for.

use super::best::{Gain, Value};
use super::objective::Objective;
use super::standing::Standing;
use crate::asl::campaign::{Campaign, CampaignOutcome, State};
use crate::asl::catalogue::Counter;
use crate::course::policy::{Followed, Policy};
use crate::process::{Player, Process, Under};

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

/// The same for [`super::best::Best`].
pub fn gain<'a>(campaign: &'a Campaign, objective: &'a Objective) -> Gain<'a, CampaignOutcome> {
    Box::new(move |_, outcome| worth(campaign, objective, outcome))
}

/// A campaign under a named policy: a process without choices. `followed` is to be asked for a failure afterwards.
pub fn under<'a>(
    campaign: &'a Campaign,
    followed: &'a Followed,
) -> impl Process<State = State, Outcome = CampaignOutcome> + use<'a> {
    Under::new(campaign, move |campaign: &&Campaign, state: &State, player: Player, options: usize| {
        followed.option(campaign, state, player, options)
    })
}

/// What a campaign does who follows a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// What is best for the objective, the enemy replying.
    Best,
    Named(Policy),
}
