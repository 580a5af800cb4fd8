//! A campaign as a course of action.

use std::sync::Arc;

use super::policy::{BEST, Ruled};
use super::{Comparable, Ending};
use crate::asl::campaign::{Campaign, CampaignOutcome, LaneCampaign};
use crate::asl::question::FieldFault;
use crate::asl::unit::Status;
use crate::course::campaign::{Line, Play, Played, standing};
use crate::course::objective::Objective;
use crate::course::policy::Policy;
use crate::course::standing::Standing;
use crate::engine::EngineError;
use crate::process::{Label, Point, Question};
use crate::text::{Fault, canonical};

/// A campaign along a line.
pub struct CampaignCourse {
    campaign: Arc<Campaign>,
    play: Play,
}

impl CampaignCourse {
    /// The line a policy stands for; without one, best play. A policy that is not open to the unit is at fault.
    pub fn line(ruled: &Ruled<LaneCampaign>) -> Result<Line, FieldFault> {
        let Some(text) = ruled.policy.as_ref().filter(|text| canonical(text) != BEST) else { return Ok(Line::Best) };
        let fault = |fault| FieldFault { field: "policy".to_string(), fault };
        let policy = Policy::parse(text).map_err(fault)?;
        let open = policy.check(&ruled.question.campaign());
        open.map_err(|why| fault(Fault::new(format!("`{text}` is not open to the unit: {why}"), 0..text.len())))?;
        Ok(Line::Named(policy))
    }

    /// The best play fails with [`EngineError`] where it has too many states.
    pub fn new(lane: &LaneCampaign, line: Line, objective: &Objective) -> Result<CampaignCourse, EngineError> {
        let campaign = Arc::new(lane.campaign());
        let play = Play::new(&campaign, line, objective)?;
        Ok(CampaignCourse { campaign, play })
    }
}

impl Question for CampaignCourse {
    type Process = Played;

    fn whole(&self) -> Played {
        self.play.of(&self.campaign)
    }

    fn label(&self, point: Point, outcome: &CampaignOutcome) -> Label {
        Label {
            slot: Some(1),
            unit: Some(self.campaign.unit().printed().printed().to_string()),
            phase: Some(point),
            status: Some(outcome.unit.status.name()),
            wounded: outcome.unit.wounded,
            ..Label::default()
        }
    }
}

impl Comparable for CampaignCourse {
    type End = Status;
    type Standing = Standing;

    fn units(&self) -> u8 {
        1
    }

    fn ending(&self, point: Point, outcome: &CampaignOutcome) -> Option<Ending<Status, Standing>> {
        (point == self.campaign.turns()).then(|| Ending {
            slot: 1,
            end: outcome.unit.status,
            standing: standing(outcome, self.campaign.unit().printed()),
        })
    }

    fn failure(&self) -> Option<EngineError> {
        self.play.failure()
    }
}
