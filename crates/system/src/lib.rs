//! What all games have in common: fields, kinds and forms of questions, and their answers,
//! comparisons and best play.
//!
//! A game declares what it can be asked ([`kind`], [`field`]), and how a filled-in form becomes a
//! question ([`question_form`]). Tables of files are declared in the same way ([`file_tables`]). A
//! finished form yields a question behind the trait object [`dyn_question::DynQuestion`]. The
//! command line, studies, comparisons and the solver use only that trait. The dynamic call happens
//! once a question, never once a roll: engines are compiled for each process.

pub mod answer;
pub mod best_play;
pub mod blocks;
pub mod canonical;
pub mod compare;
pub mod counting;
pub mod counts;
pub mod dice_prefix;
pub mod dyn_question;
pub mod estimate;
pub mod evaluator;
mod factored;
pub mod field;
pub mod file_tables;
pub mod filled;
pub mod form;
pub mod json;
pub mod kind;
pub mod measure;
pub mod node;
pub mod objective;
pub mod parameters;
pub mod policy;
pub mod provenance;
pub mod question_form;
mod registry;
pub mod roster;
pub mod shared_graph;
pub mod table;

use std::hash::Hasher;
use std::sync::Arc;

use counting::{CountedUnit, Group, UnitInClass};
use engine::EngineError;
use engine::process::{Decisions, Label, Player, Process, Question, ReportIndex};
use engine::text::{Fault, canonical};
// Re-exported because the expansions of this crate's macros refer to it.
#[doc(hidden)]
pub use engine;
pub use kind::{ChoiceMaker, Game, Kind, Measure, Parameter, Source, StockUnit};
pub use provenance::{MetaValue, Provenance, SharedSetting};
pub use registry::Registry;

/// The outcome that counts as success in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Success {
    /// Statuses that count as success; empty where no outcome does.
    pub statuses: &'static [&'static str],
    /// Words for a successful unit: `rallied after the last phase`.
    pub words: &'static str,
    /// Subject of the success where it is not a unit: `the own army`.
    pub of: Option<&'static str>,
    /// Verb for the change to success: `rallies`. Set where success is shown at every point, from
    /// the first on.
    pub verb: Option<&'static str>,
}

impl Success {
    /// Creates the criterion that the final status of a unit is one of `statuses`. `words`
    /// describes it to the reader.
    pub const fn of_unit(statuses: &'static [&'static str], words: &'static str) -> Success {
        Success { statuses, words, of: None, verb: None }
    }

    /// Sets the verb for the change to success.
    pub const fn with_verb(self, verb: &'static str) -> Success {
        Success { verb: Some(verb), ..self }
    }

    /// Creates the success of something that is not a unit; `of` names it.
    pub const fn new(
        of: &'static str,
        statuses: &'static [&'static str],
        words: &'static str,
    ) -> Success {
        Success { statuses, words, of: Some(of), verb: None }
    }
}

/// A unit as the question starts, or whatever else occupies its slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialUnit {
    /// Full notation. Units with equal notations start alike.
    pub notation: String,
    /// Short name: `4-6-7`, `enemy unit`.
    pub name: String,
    /// The counter as an unchanged outcome would name it.
    pub counter: Option<String>,
    /// Whether the unit starts wounded.
    pub wounded: bool,
}

/// A question in words, and everything known about it except its process.
pub trait QuestionInfo: Send + Sync {
    /// Returns the question in one line.
    fn in_words(&self) -> String;
    /// Returns the question in one line, with all that happens in it.
    fn in_full(&self) -> String {
        self.in_words()
    }
    /// Returns the number of units the question starts with. Higher slots belong to other units.
    fn units(&self) -> u8;
    /// Returns the prefix for the status of units in higher slots: `enemy `.
    fn others(&self) -> &'static str {
        ""
    }
    /// Returns the initial state of the unit in a slot (1-based), or of whatever else occupies it.
    /// None for units that are created on the way.
    fn beginning(&self, _slot: u8) -> Option<InitialUnit> {
        None
    }
    /// Returns the name of a report point: `turn`, `volley`, `step`. None where all outcomes are
    /// reported once, at the end.
    fn points(&self) -> Option<&'static str>;
    /// Returns the last report point; the end, where outcomes are reported only there.
    fn last_point(&self) -> ReportIndex;
    /// Returns the words for a report point.
    fn point_in_words(&self, point: ReportIndex) -> String {
        self.points().map_or("end".to_string(), |points| format!("end of {points} {point}"))
    }
    /// Returns the kind of the question.
    fn kind(&self) -> &'static Kind;
    /// Returns every status that an outcome can have, in order.
    fn statuses(&self) -> &'static [&'static str] {
        self.kind().statuses
    }
    /// Returns the 0-based position of a status in comparisons of courses; `usize::MAX` if unknown.
    fn rank(&self, status: &str) -> usize {
        self.statuses().iter().position(|known| *known == status).unwrap_or(usize::MAX)
    }
    /// Returns the outcome that counts as success.
    fn success(&self) -> Success;
    /// Whether each outcome describes all units together.
    fn is_joint(&self) -> bool;
    /// Hashes everything the rows depend on except the last report point, and returns that point.
    /// Suppose two questions of a game hash alike. Then the one that ends earlier has the first
    /// rows of the other, up to its own last point. None where this is unknown.
    fn hash_inputs(&self, _what: &mut dyn Hasher) -> Option<ReportIndex> {
        None
    }
    /// Returns the rules and settings behind the answer.
    fn provenance(&self) -> Provenance;
    /// Returns those rules and settings that can hold for a whole study.
    fn shared_settings(&self) -> Vec<SharedSetting>;
    /// Returns the interpretations and assumptions behind the answer, in words.
    fn notes(&self) -> Vec<String>;
    /// Returns the notes for a question with some dice already rolled. Notes that hold only from
    /// the start of the question are left out.
    fn notes_on_the_way(&self) -> Vec<String> {
        self.notes()
    }
    /// Returns the value of a field as understood: units with all defaults filled in. None where
    /// the value is used as given.
    fn canonical_value(&self, _field: &str) -> Option<field::Json> {
        None
    }
    /// Returns the uncertain values the answer can depend on: `damage-rule = subtract`.
    fn uncertain(&self) -> Vec<String>;
    /// Returns one word for a change of a unit that is still of use: `pinned`. None if `end` shows
    /// no such change.
    fn change(&self, _end: &Label) -> Option<&'static str> {
        None
    }
    /// Returns what happens in each step; empty for questions without steps.
    fn steps(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns what the first rolls amount to, in words: the Morale Level, and the roll needed.
    fn needs(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns a rule number in the notation of its rulebook.
    fn rule(&self, rule: &str) -> String {
        rule.to_string()
    }
    /// Returns a remark for the end of a trace.
    fn aside(&self) -> Option<&'static str> {
        None
    }
    /// Returns the quantities with expected values, in words: `casualties of unit 1`.
    fn quantities(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A question that can be answered and rendered.
pub trait Answerable: Question {
    /// Returns the question in words.
    fn words(&self) -> &dyn QuestionInfo;
    /// Reports the amount of each quantity in an outcome. Every sequence notes one outcome for each
    /// quantity.
    fn amounts(
        &self,
        _point: ReportIndex,
        _outcome: &<Self::Process as Process>::Outcome,
        _observe: &mut dyn FnMut(usize, i64),
    ) {
    }
    /// Returns the units of a group that the question starts with.
    fn counted_units(&self, _group: &Group) -> Vec<CountedUnit> {
        Vec::new()
    }
    /// Reports the state of each unit of a group in an outcome.
    fn counted(
        &self,
        _group: &Group,
        _outcome: &<Self::Process as Process>::Outcome,
        _observe: &mut dyn FnMut(UnitInClass),
    ) {
    }
    /// Returns the slot of the unit an outcome describes; none if it describes all units together.
    fn slot(&self, outcome: &<Self::Process as Process>::Outcome) -> Option<u8>;
    /// Returns the outcome moved to another slot, for a unit that appeared on the way.
    fn in_slot(
        &self,
        outcome: <Self::Process as Process>::Outcome,
        _slot: u8,
    ) -> <Self::Process as Process>::Outcome {
        outcome
    }
}

/// A policy that makes a difference in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Number under which [`Playable::option`] knows the policy.
    pub place: usize,
    /// Name of the policy, as it is typed.
    pub name: String,
    /// Description of its choices.
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
    /// Two measures that break ties between options of equal objective, as 0-based positions in the
    /// game's list.
    const TIES: [usize; 2] = [0, 1];

    /// Returns the question with its choices left open. Some questions make them in a fixed way
    /// unless a policy is asked for.
    fn open(self: &Arc<Self>) -> Arc<Self> {
        self.clone()
    }
    /// Returns the policies that make a difference here. The first is the default. The list is
    /// empty if there is nothing to choose, or all policies choose alike.
    fn policies(&self) -> Vec<Policy>;
    /// Returns the number of the policy called `text`.
    ///
    /// # Errors
    ///
    /// Fails if no policy here has that name; the fault suggests the nearest one.
    fn policy(&self, text: &str) -> Result<usize, Fault> {
        let policies = self.policies();
        let name = canonical(text);
        policies.iter().find(|policy| policy.name == name).map(|policy| policy.place).ok_or_else(
            || {
                let fault = Fault::new(format!("no policy is called `{text}`"), 0..text.len());
                match policies.is_empty() {
                    true => fault.help("remove the option: this question leaves no choices"),
                    false => {
                        fault.expecting(text, policies.iter().map(|policy| policy.name.as_str()))
                    }
                }
            },
        )
    }
    /// Returns the option a policy takes, from 0 to `options - 1`.
    fn option(
        &self,
        policy: usize,
        process: &Self::Process,
        state: &<Self::Process as Process>::State,
        player: Player,
        options: usize,
    ) -> usize;
    /// Returns a copy of this question that shares one state graph with `first`. That requires
    /// equal states, and equal successors after equal readings, whatever faces are read. None where
    /// they cannot share it.
    fn sharing_states_of(&self, _first: &Self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
    /// Whether a named policy plays the owner only. The enemy then replies with its own best play.
    fn enemy_replies(&self) -> bool {
        false
    }
    /// Returns the slot of a unit and the amount of each of the game's measures. None if the
    /// outcome is not noted at the end.
    fn ending(
        &self,
        point: ReportIndex,
        outcome: &<Self::Process as Process>::Outcome,
    ) -> Option<(u8, Vec<f64>)>;
    /// Returns the subject for options that do not name one: `the unit `.
    fn subject(&self) -> &'static str {
        ""
    }
    /// Returns the reason why a policy was not followed, if so. Ask after all sequences are played.
    fn failure(&self) -> Option<EngineError> {
        None
    }
}
