//! Everything that all games have in common: fields, kinds and forms of questions, answers to
//! questions, comparisons and best play.
//!
//! A game declares its kinds of questions ([`kind`], [`field`]), and how a filled-in form becomes a
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
// Re-exported because the expansions of this crate's macros refer to `engine`.
#[doc(hidden)]
pub use engine;
pub use kind::{ChoiceMaker, Game, Kind, Measure, Parameter, Source, StockUnit};
pub use provenance::{MetaValue, Provenance, SharedSetting};
pub use registry::Registry;

/// The outcome that counts as success in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Success {
    /// Statuses that count as success; empty if no outcome does.
    pub statuses: &'static [&'static str],
    /// Description of a successful unit: `rallied after the last phase`.
    pub words: &'static str,
    /// Subject of the success if it is not a unit: `the own army`.
    pub of: Option<&'static str>,
    /// Verb for the change to success: `rallies`. `Some` if success is shown at every report, not
    /// only at the last.
    pub verb: Option<&'static str>,
}

impl Success {
    /// Creates the criterion that a unit ends with one of `statuses`. `words` describes it to the
    /// reader.
    pub const fn of_unit(statuses: &'static [&'static str], words: &'static str) -> Success {
        Success { statuses, words, of: None, verb: None }
    }

    /// Sets the verb for the change to success, so that success is shown at every report.
    pub const fn with_verb(self, verb: &'static str) -> Success {
        Success { verb: Some(verb), ..self }
    }

    /// Creates the criterion for something that is not a unit; `of` names its subject.
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
    /// Notation of the counter with which the unit starts, spelt as outcomes spell counters.
    pub counter: Option<String>,
    /// True if the unit starts wounded.
    pub wounded: bool,
}

/// Everything known about a question except its process: descriptions, reports, rules.
pub trait QuestionInfo: Send + Sync {
    /// Returns the question in one line.
    fn in_words(&self) -> String;
    /// Returns the question in one line, with all that happens in it.
    fn in_full(&self) -> String {
        self.in_words()
    }
    /// Returns the number of units that the question starts with. Slots above that number belong to
    /// other units, such as created ones.
    fn units(&self) -> u8;
    /// Returns the prefix for the status of units in slots above [`QuestionInfo::units`]: `enemy `.
    fn others(&self) -> &'static str {
        ""
    }
    /// Returns the initial state of the unit in a slot (1-based), or of whatever else occupies the
    /// slot. Returns `None` for units created on the way.
    fn beginning(&self, _slot: u8) -> Option<InitialUnit> {
        None
    }
    /// Returns the name of a report point: `turn`, `volley`, `step`. Returns `None` if all outcomes
    /// are reported once, at the end.
    fn points(&self) -> Option<&'static str>;
    /// Returns the index of the last report.
    fn last_point(&self) -> ReportIndex;
    /// Returns the description of a report: `end of turn 3`.
    fn point_in_words(&self, point: ReportIndex) -> String {
        self.points().map_or("end".to_string(), |points| format!("end of {points} {point}"))
    }
    /// Returns the kind of the question.
    fn kind(&self) -> &'static Kind;
    /// Returns every status that an outcome can have, in order.
    fn statuses(&self) -> &'static [&'static str] {
        self.kind().statuses
    }
    /// Returns the 0-based position of a status in comparisons of courses; `usize::MAX` if it is
    /// unknown.
    fn rank(&self, status: &str) -> usize {
        self.statuses().iter().position(|known| *known == status).unwrap_or(usize::MAX)
    }
    /// Returns the outcome that counts as success.
    fn success(&self) -> Success;
    /// Returns true if each outcome describes all units together.
    fn is_joint(&self) -> bool;
    /// Hashes everything the answer's rows depend on except the last report, and returns that
    /// report. Of two questions with equal hashes, the one that ends earlier has the first rows of
    /// the other's answer. Returns `None` if that is not known to hold.
    fn hash_inputs(&self, _what: &mut dyn Hasher) -> Option<ReportIndex> {
        None
    }
    /// Returns the rules and settings behind the answer.
    fn provenance(&self) -> Provenance;
    /// Returns the rules and settings that can be equal in all questions of a study.
    fn shared_settings(&self) -> Vec<SharedSetting>;
    /// Returns the interpretations and assumptions behind the answer, in words.
    fn notes(&self) -> Vec<String>;
    /// Returns the notes for a question with some dice already rolled. Notes that hold only from
    /// the start of the question are omitted.
    fn notes_on_the_way(&self) -> Vec<String> {
        self.notes()
    }
    /// Returns the value of a field with all its defaults filled in, such as the nation of a unit.
    /// Returns `None` if the value is used as given.
    fn canonical_value(&self, _field: &str) -> Option<field::Json> {
        None
    }
    /// Returns the uncertain values that the answer can depend on: `damage-rule = subtract`.
    fn uncertain(&self) -> Vec<String>;
    /// Returns one word for what happened to a unit that is still of use: `pinned`. Returns `None`
    /// if `end` shows no such change.
    fn change(&self, _end: &Label) -> Option<&'static str> {
        None
    }
    /// Returns a description of each step; empty for questions without steps.
    fn steps(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns the numbers that the first rolls need, in words: the Morale Level, and the roll.
    fn needs(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns a rule number in the notation of its rulebook.
    fn rule(&self, rule: &str) -> String {
        rule.to_string()
    }
    /// Returns a remark for the end of a trace, if there is one.
    fn aside(&self) -> Option<&'static str> {
        None
    }
    /// Returns the names of the quantities with expected values: `casualties of unit 1`.
    fn quantities(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A question that can be answered and rendered.
pub trait Answerable: Question {
    /// Returns the description of the question.
    fn words(&self) -> &dyn QuestionInfo;
    /// Reports the amount of each quantity in an outcome, with the 0-based position of the quantity
    /// in [`QuestionInfo::quantities`]. Every sequence reports each quantity once.
    fn amounts(
        &self,
        _point: ReportIndex,
        _outcome: &<Self::Process as Process>::Outcome,
        _observe: &mut dyn FnMut(usize, i64),
    ) {
    }
    /// Returns the units of a group that are present at the start.
    fn counted_units(&self, _group: &Group) -> Vec<CountedUnit> {
        Vec::new()
    }
    /// Reports the status of each unit of a group in an outcome.
    fn counted(
        &self,
        _group: &Group,
        _outcome: &<Self::Process as Process>::Outcome,
        _observe: &mut dyn FnMut(UnitInClass),
    ) {
    }
    /// Returns the slot of the unit that an outcome describes, or `None` if it describes all units.
    fn slot(&self, outcome: &<Self::Process as Process>::Outcome) -> Option<u8>;
    /// Returns the outcome moved to another slot, for a unit created on the way.
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
    /// Two measures that break ties between options of equal objective, as 0-based positions in the
    /// game's list of measures.
    const TIES: [usize; 2] = [0, 1];

    /// Returns the question with all choices left open. By default some questions make a choice in
    /// a fixed way.
    fn open(self: &Arc<Self>) -> Arc<Self> {
        self.clone()
    }
    /// Returns the policies that make a difference in this question, the default one first. The
    /// list is empty if there is nothing to choose, or if all policies choose alike.
    fn policies(&self) -> Vec<Policy>;
    /// Returns the number of the policy called `text`.
    ///
    /// # Errors
    ///
    /// Fails if no policy of this question has that name; the fault suggests the nearest one.
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
    /// Returns the option that a policy takes, from 0 to `options - 1`.
    fn option(
        &self,
        policy: usize,
        process: &Self::Process,
        state: &<Self::Process as Process>::State,
        player: Player,
        options: usize,
    ) -> usize;
    /// Returns a copy of this question that shares one state graph with `first`, or `None` if that
    /// is impossible. Equal states must have equal successors after equal readings; the faces that
    /// give a reading may differ.
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
    /// Returns the slot of a unit and the amount of each of the game's measures. Returns `None` if
    /// the outcome is not one of the end.
    fn ending(
        &self,
        point: ReportIndex,
        outcome: &<Self::Process as Process>::Outcome,
    ) -> Option<(u8, Vec<f64>)>;
    /// Returns the subject for options that do not name one: `the unit `.
    fn subject(&self) -> &'static str {
        ""
    }
    /// Returns the reason why a policy could not be followed, if so. Call it after all sequences
    /// are played.
    fn failure(&self) -> Option<EngineError> {
        None
    }
}
