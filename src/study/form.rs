//! A question that is filled in field by field, from a file.

use crate::asl::campaign::{LaneCampaign, LaneDraft};
use crate::asl::question::{Draft, FieldFault, Kind, Question, Value};
use crate::text::Fault;

/// A question that is filled in field by field.
pub trait Form: Clone + Sync {
    /// The question once it is complete.
    type Filled;

    /// Fills in one field; later values replace earlier ones. A fault of a text value has its span.
    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault>;
    /// Whether a field is known, whatever its value.
    fn knows(&self, field: &str) -> bool;
    /// The one name of a field, however it is spelt.
    fn canonical_field(field: &str) -> String;
    /// Checks the fields against each other.
    fn finish(&self) -> Result<Self::Filled, FieldFault>;
    /// Whether it has steps, whose fields have the step's number in front (`2.fp`).
    fn has_steps(&self) -> bool {
        false
    }
}

impl Form for Draft {
    type Filled = Question;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        self.set(field, value)
    }

    /// What a step does is a field even before the step is there.
    fn knows(&self, field: &str) -> bool {
        self.knows(field) || field.ends_with(".do")
    }

    fn canonical_field(field: &str) -> String {
        Kind::canonical_field(field)
    }

    fn finish(&self) -> Result<Question, FieldFault> {
        self.finish()
    }

    fn has_steps(&self) -> bool {
        self.kind() == Kind::Sequence
    }
}

impl Form for LaneDraft {
    type Filled = LaneCampaign;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        self.set(field, value)
    }

    fn knows(&self, field: &str) -> bool {
        self.knows(field)
    }

    fn canonical_field(field: &str) -> String {
        Kind::canonical_field(field)
    }

    fn finish(&self) -> Result<LaneCampaign, FieldFault> {
        self.finish()
    }
}
