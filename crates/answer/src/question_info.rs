//! A question in words, and everything known about it except its process.

use std::hash::Hasher;

use super::provenance::{Provenance, SharedSetting};
use engine::process::{Label, ReportIndex};
use schema::{Json, Kind};

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
    fn canonical_value(&self, _field: &str) -> Option<Json> {
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
