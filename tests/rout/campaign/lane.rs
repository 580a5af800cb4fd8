//! Lanes built from fields, and a campaign shared by several processes.

use std::fmt::Display;

use crate::table::value;
use lowcrawl::asl::campaign::{Campaign, CampaignOutcome, CampaignState, LaneCampaign};
use lowcrawl::asl::question::FieldFault;
use lowcrawl::course::campaign::{CampaignKind, LaneDraft};
use lowcrawl::process::{Process as _, Wrapper};
use lowcrawl::schema::Settable as _;

/// The fields of a lane, each with its value as a word.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Returns the fields of a lane for a unit, with Heat of Battle off and no fire.
    pub fn from_unit(unit: &str) -> Fields {
        Fields::default().with("unit", unit).with("hob", false)
    }

    pub fn with(&self, field: &str, value: impl Display) -> Fields {
        let mut fields = self.without(field);
        fields.0.push((field.to_string(), value.to_string()));
        fields
    }

    /// Adds fields such as `open=2; own-rph=never; no-cowering`.
    pub fn and(&self, fields: &str) -> Fields {
        let each = fields.split("; ").map(|field| field.split_once('=').unwrap_or((field, "true")));
        each.fold(self.clone(), |fields, (field, value)| fields.with(field, value))
    }

    pub fn without(&self, field: &str) -> Fields {
        Fields(self.0.iter().filter(|(known, _)| known != field).cloned().collect())
    }

    pub fn lane(&self) -> Result<LaneCampaign, FieldFault> {
        let mut draft = LaneDraft::new(CampaignKind::Campaign);
        for (field, word) in &self.0 {
            draft.set(field, value(word)).unwrap_or_else(|fault| panic!("{field}: {fault}"));
        }
        draft.head.campaign(&draft.rules)
    }

    pub fn campaign(&self) -> Campaign {
        self.lane()
            .unwrap_or_else(|blame| panic!("{self:?}: {}: {}", blame.field, blame.fault))
            .campaign()
    }
}

/// A process that borrows a campaign.
pub struct Shared<'a>(pub &'a Campaign);

impl Wrapper for Shared<'_> {
    type Inner = Campaign;
    type State = CampaignState;
    type Outcome = CampaignOutcome;

    fn process(&self) -> &Campaign {
        self.0
    }
    fn report(&self, state: &CampaignState, observe: &mut dyn FnMut(CampaignOutcome)) {
        self.0.report(state, observe);
    }
}
