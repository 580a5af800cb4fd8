//! Lanes built from fields, and a campaign shared by several processes.

use lowcrawl::asl::campaign::{Campaign, CampaignOutcome, CampaignState, LaneCampaign};
use lowcrawl::asl::question::{FieldFault, RawValue};
use lowcrawl::course::campaign::{CampaignKind, LaneDraft};
use lowcrawl::process::{Process as _, Wrapper};
use lowcrawl::schema::Settable as _;

#[derive(Clone, Debug)]
pub enum Value {
    Word(String),
    Number(i64),
    Flag(bool),
}

impl From<&str> for Value {
    fn from(word: &str) -> Value {
        Value::Word(word.to_string())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    /// Returns the fields of a lane for a unit, with Heat of Battle off and no fire.
    pub fn from_unit(unit: &str) -> Fields {
        Fields::default().with("unit", unit).with("hob", false)
    }

    pub fn with(&self, field: &'static str, value: impl Into<Value>) -> Fields {
        let others = self.0.iter().filter(|(known, _)| *known != field).cloned();
        Fields(others.chain([(field, value.into())]).collect())
    }

    pub fn without(&self, field: &str) -> Fields {
        Fields(self.0.iter().filter(|(known, _)| *known != field).cloned().collect())
    }

    pub fn lane(&self) -> Result<LaneCampaign, FieldFault> {
        let mut draft = LaneDraft::new(CampaignKind::Campaign);
        for (field, value) in &self.0 {
            let value = match value {
                Value::Word(word) => RawValue::Text(word),
                Value::Number(number) => RawValue::Integer(*number),
                Value::Flag(flag) => RawValue::Boolean(*flag),
            };
            draft.set(field, value).unwrap_or_else(|fault| panic!("{field}: {fault}"));
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
    fn report(&self, state: &CampaignState, observe: &mut impl FnMut(CampaignOutcome)) {
        self.0.report(state, observe);
    }
}
