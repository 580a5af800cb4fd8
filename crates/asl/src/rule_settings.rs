//! The interpretations that a user sets, for every form of ASL.

use super::rulebook::{Interpretation, Profile, Rulebook, Switch};
use engine::text::{Fault, canonical};
use schema::{FieldFault, Other, RawValue, Rules};

/// The interpretations that the user set, in order. Every question form of ASL takes them.
#[derive(Clone, Debug, Default)]
pub struct Switches(Vec<(&'static str, String)>);

impl Switches {
    /// Returns these interpretations, and those of `base` that they leave open.
    pub(crate) fn over(&self, base: &Switches) -> Switches {
        let is_open = |id: &str| self.0.iter().all(|(known, _)| *known != id);
        let base = base.0.iter().filter(|(id, _)| is_open(id));
        Switches(base.chain(&self.0).cloned().collect())
    }

    /// Returns the rulebook of a profile with these interpretations.
    ///
    /// # Errors
    ///
    /// Fails if an interpretation has no such value, or two of them contradict each other.
    pub fn rulebook(&self, profile: Profile) -> Result<Rulebook, FieldFault> {
        let mut rulebook = Rulebook::from_profile(profile);
        for (id, value) in &self.0 {
            rulebook.set(id, value).map_err(FieldFault::in_field(id))?;
        }
        Ok(rulebook)
    }

    /// Returns the other values of interpretations: of `which`, or of all that concern a stack.
    ///
    /// # Errors
    ///
    /// Fails if no interpretation has the name `which`.
    pub fn others(&self, profile: Profile, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        self.others_among(profile, which, |switch| switch < Switch::WholeOddsBeyondTen)
    }

    /// Returns the other values of interpretations: of `which`, or of all that `concerns` picks.
    ///
    /// # Errors
    ///
    /// Fails if no interpretation has the name `which`.
    pub fn others_among(
        &self,
        profile: Profile,
        which: Option<&str>,
        concerns: impl Fn(Switch) -> bool,
    ) -> Result<Vec<Other>, Fault> {
        let rulebook = self.rulebook(profile).map_err(|error| error.fault)?;
        let mut chosen = Rulebook::readings(which)?;
        chosen.retain(|interpretation| which.is_some() || concerns(interpretation.switch));
        let other = |interpretation: &Interpretation| {
            let Interpretation { id, question, switch, .. } = *interpretation;
            let (now, in_words) = rulebook.value_and_answer(switch);
            let (other, other_in_words) = rulebook.flipped(switch).value_and_answer(switch);
            let about = format!(
                "{question} ({id})\nfrom  {now}: {in_words}\nto    {other}: {other_in_words}\n"
            );
            Other { id, name: interpretation.name(), value: other.to_string(), about }
        };
        Ok(chosen.into_iter().map(other).collect())
    }
}

impl Rules for Switches {
    const EXAMPLE: &'static str = "i01=alternative";

    fn names() -> Vec<&'static str> {
        Rulebook::ids()
    }

    fn find(name: &str) -> Option<&'static str> {
        Rulebook::find(name).map(|interpretation| interpretation.id)
    }

    fn changed(&self) -> Vec<(&'static str, String)> {
        self.0.iter().map(|(id, value)| (*id, canonical(value))).collect()
    }

    fn set(&mut self, name: &'static str, value: RawValue) -> Result<(), Fault> {
        let text = value.text(name)?;
        Rulebook::default().set(name, text)?;
        self.0.push((name, text.to_string()));
        Ok(())
    }

    fn others(&self, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        self.others(Profile::default(), which)
    }

    fn unknown(name: &str) -> Fault {
        Rulebook::unknown(name)
    }
}
