//! Questions whose choices are made by policies.

use std::sync::Arc;

use answer::{Answerable, OutcomeOf, StateOf};
use engine::EngineError;
use engine::process::{Decisions, Player, ReportIndex};
use engine::text::Fault;
use schema::form::named;

/// A policy that makes a difference in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Number that identifies the policy in [`Playable::option`].
    pub place: usize,
    /// Name of the policy, as it is typed.
    pub name: String,
    /// Description of the choices that the policy makes.
    pub about: &'static str,
}

impl Policy {
    /// Creates a policy from its number, name and description.
    pub fn new(place: usize, name: &str, about: &'static str) -> Policy {
        Policy { place, name: name.to_string(), about }
    }
}

/// A question whose choices are made by policies, and whose final states have values.
pub trait Playable: Answerable<Process: Decisions> + Sized + Send {
    /// Positions (0-based) of two measures that break ties between equal options.
    const TIES: [usize; 2] = [0, 1];

    /// Returns the question with all choices open; some make a choice in a fixed way.
    fn open(self: &Arc<Self>) -> Arc<Self> {
        self.clone()
    }
    /// Returns the policies that make a difference in this question, if any, the default one first.
    fn policies(&self) -> Vec<Policy>;
    /// Returns the number of the policy called `text`.
    ///
    /// # Errors
    ///
    /// Fails if no policy of this question has that name; the fault suggests the nearest one.
    fn policy(&self, text: &str) -> Result<usize, Fault> {
        let policies = self.policies();
        let places = policies.iter().map(|policy| (policy.name.as_str(), policy.place));
        named(text, places, "no policy is called").map_err(|fault| match policies.is_empty() {
            true => fault.help("remove the option: this question leaves no choices"),
            false => fault,
        })
    }
    /// Returns the option that a policy takes, from 0 to `options - 1`.
    fn option(
        &self,
        policy: usize,
        process: &Self::Process,
        state: &StateOf<Self>,
        player: Player,
        options: usize,
    ) -> usize;
    /// Returns a copy that shares one state graph with `first`, if possible: equal states must have
    /// equal successors after equal readings, though the faces that give a reading may differ.
    fn sharing_states_of(&self, _first: &Self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
    /// Returns true if a policy plays only the owner, so that the enemy replies with best play.
    fn enemy_replies(&self) -> bool {
        false
    }
    /// Returns a number of units that no final state exceeds, created ones included.
    fn most_units(&self) -> u8 {
        u8::MAX
    }
    /// Returns a unit's slot and amount of each measure; `None` before the end. In slot 0 they are
    /// those of no unit: of a place, or of both sides.
    fn ending(&self, point: ReportIndex, outcome: &OutcomeOf<Self>) -> Option<(u8, Vec<f64>)>;
    /// Returns why a policy could not be followed, once all sequences are played.
    fn failure(&self) -> Option<EngineError> {
        None
    }
}
