//! A form with a policy: who makes the choices that the rules leave, and how.

use crate::asl::question::{FieldFault, Kind, Value};
use crate::course::policy::Policy;
use crate::course::rally::POLICIES;
use crate::system::form::Form;
use crate::text::{Fault, canonical};

/// The word for the best play for the objective.
pub const BEST: &str = "best";

/// A form with a policy beside its fields.
#[derive(Clone, Debug)]
pub struct WithPolicy<F> {
    pub(super) form: F,
    policy: Option<String>,
    check: fn(&str) -> Result<(), Fault>,
}

/// A question that is complete, and the policy it is played by, if one is named.
pub struct Ruled<Q> {
    pub question: Q,
    pub policy: Option<String>,
}

impl<F> WithPolicy<F> {
    /// A form, and what says whether a policy is known.
    pub(in crate::study) fn new(form: F, check: fn(&str) -> Result<(), Fault>) -> WithPolicy<F> {
        WithPolicy { form, policy: None, check }
    }
}

impl<F: Form> Form for WithPolicy<F> {
    type Filled = Ruled<F::Filled>;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        if canonical(field) != "policy" {
            return self.form.set(field, value);
        }
        let Value::Text(text) = value else {
            return Err(Fault::new(format!("`policy` must be a text in quotes, not {value}"), 0..0));
        };
        (self.check)(text)?;
        self.policy = Some(text.trim().to_string());
        Ok(())
    }

    fn knows(&self, field: &str) -> bool {
        canonical(field) == "policy" || self.form.knows(field)
    }

    fn canonical_field(field: &str) -> String {
        F::canonical_field(field)
    }

    fn finish(&self) -> Result<Ruled<F::Filled>, FieldFault> {
        Ok(Ruled { question: self.form.finish()?, policy: self.policy.clone() })
    }

    fn setting(field: &str) -> Option<&'static str> {
        F::setting(field)
    }

    fn check_setting(name: &str, value: &str) -> Result<(), Fault> {
        F::check_setting(name, value)
    }

    const EXAMPLE: &'static str = F::EXAMPLE;

    fn deeds(&self) -> Vec<&'static str> {
        self.form.deeds()
    }
}

/// Whatever is named is looked up when the question is complete.
pub(in crate::study) fn of_question(_: &str) -> Result<(), Fault> {
    Ok(())
}

/// Whether a campaign can be played by a policy.
pub(super) fn of_campaign(text: &str) -> Result<(), Fault> {
    if canonical(text) == BEST { Ok(()) } else { Policy::parse(text).map(drop) }
}

/// Whether a stack can be played by a policy: in its Rally Phases it can.
pub(super) fn of_stack(kind: Kind) -> fn(&str) -> Result<(), Fault> {
    match kind {
        Kind::Rally | Kind::Sequence => of_rally,
        Kind::Fire | Kind::Check | Kind::Interdict => of_nothing,
    }
}

fn of_rally(text: &str) -> Result<(), Fault> {
    let words = || POLICIES.iter().map(|(word, _)| *word).chain([BEST]);
    if words().any(|word| word == canonical(text)) {
        return Ok(());
    }
    Err(Fault::new(format!("no policy of a Rally Phase is called `{text}`"), 0..text.len()).expecting(text, words()))
}

fn of_nothing(text: &str) -> Result<(), Fault> {
    let fault = Fault::new("only Rally Phases leave the owner a choice", 0..text.len());
    Err(fault.help("leave `policy` out, or ask for a `rally` or a `sequence`"))
}
