//! A question of any kind and game as a form that is filled in field by field, and finished.

use std::fmt;

use serde_json::Map;

use super::dyn_question::DynQuestion;
use engine::text::Fault;
use engine::text::notation::Remedy;
use schema::{Field, FieldFault, Json, Kind, Other, RawValue, Settable, StepKind};

/// A question of any kind and game that is filled in field by field.
pub trait Form: Settable + Send + Sync {
    /// Returns the kind of the question.
    fn kind(&self) -> &'static Kind;
    /// Returns the declaration of a field, or `None` for rule settings and the policy.
    fn field(&self, field: &str) -> Option<&'static Field>;
    /// Returns the question under the alternative values of one rule setting, or of all.
    ///
    /// # Errors
    ///
    /// Fails if `which` is not a rule setting, or that setting has no alternative value.
    fn readings(&self, which: Option<&str>) -> Result<Vec<RuleReading>, Fault>;
    /// Returns the actions of steps, if any; a step's field has its number (1-based) first: `2.fp`.
    fn steps(&self) -> &'static [&'static StepKind];
    /// Checks the fields against each other and returns the finished question.
    ///
    /// # Errors
    ///
    /// Fails if the fields do not make a valid question; the fault names the field.
    fn finish(&self) -> Result<Box<dyn DynQuestion>, FieldFault>;
    /// Adds a step, as `fire fp=4 drm=-2`, and makes the question a sequence that begins with what
    /// the form asks now. Its fields keep their names; those of further steps have numbers.
    ///
    /// # Errors
    ///
    /// Fails at the place in `step` if the question cannot have steps, or the step is not valid.
    fn then(&mut self, step: &str) -> Result<(), Fault>;
    /// Returns a boxed copy.
    fn boxed(&self) -> Box<dyn Form>;
    /// Sets further keys that may stand beside the fields; messages suggest them too.
    fn allow_keys(&mut self, names: &[&'static str]);
    /// Returns the canonical values that are no defaults; without `question` units stay as written.
    fn canonical(&self, question: Option<&dyn DynQuestion>) -> Map<String, Json>;

    /// Returns advice for a field that the question does not have, if there is any.
    fn instead(&self, field: &str, value: RawValue) -> Option<Remedy>;

    /// Returns true if the question consists of steps.
    fn has_steps(&self) -> bool {
        self.kind().has_steps()
    }
}

impl Clone for Box<dyn Form> {
    fn clone(&self) -> Box<dyn Form> {
        self.boxed()
    }
}

impl fmt::Debug for dyn Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a `{}` being filled in", self.kind().name)
    }
}

/// A question under an alternative value of a rule setting.
pub struct RuleReading {
    pub setting: Other,
    /// The question under the alternative value, or the reason why it is invalid.
    pub question: Result<Box<dyn DynQuestion>, Fault>,
}
