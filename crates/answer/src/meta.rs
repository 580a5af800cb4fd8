//! Metadata of a table: what is needed to reproduce it.

use serde::{Serialize, Serializer};

use engine::exact::Arithmetic;

use super::provenance::{Provenance, facts};
use super::question_info::{QuestionInfo, QuestionTexts};

impl Meta {
    /// Returns the metadata of a table about `question`. `command` repeats the table.
    pub fn new(command: String, question: String) -> Meta {
        Meta { version: env!("CARGO_PKG_VERSION"), command, question, ..Meta::default() }
    }

    /// Returns the metadata known before the answer. `command` repeats the answer.
    pub fn from_question(question: &dyn QuestionInfo, command: String) -> Meta {
        let QuestionTexts { in_words, notes, uncertain } = question.texts();
        Meta { footing: question.provenance(), notes, uncertain, ..Meta::new(command, in_words) }
    }

    /// Returns the metadata of an answer by the exact engine, so far in integers.
    pub fn exact(self) -> Meta {
        Meta { engine: "exact", arithmetic: Some("integer"), ..self }
    }

    /// Records the arithmetic of a part of the answer. The least precise of all parts is kept.
    pub fn computed_in(&mut self, arithmetic: Arithmetic) {
        self.arithmetic = match (arithmetic, self.arithmetic) {
            (Arithmetic::Certified, _) | (_, Some("certified")) => Some("certified"),
            (Arithmetic::Float, _) => Some("float"),
            (Arithmetic::Integer, known) => known,
        };
    }

    /// Adds to the number of states that the exact engine has worked.
    pub fn worked(&mut self, states: usize) {
        self.states = Some(self.states.unwrap_or_default() + states as u64);
    }

    /// Records the arithmetic and the states of a part of the answer that has metadata of its own.
    pub fn add_part(&mut self, part: &Meta) {
        self.computed_in(match part.arithmetic {
            Some("certified") => Arithmetic::Certified,
            Some("float") => Arithmetic::Float,
            _ => Arithmetic::Integer,
        });
        self.worked(part.states.unwrap_or_default() as usize);
    }
}

/// Metadata of a table: what is needed to reproduce it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Meta {
    pub version: &'static str,
    pub command: String,
    pub question: String,
    /// The rules that the answer follows.
    #[serde(flatten, serialize_with = "facts")]
    pub footing: Provenance,
    /// The objective by which courses of action are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// `exact`, `monte-carlo`, `exact+monte-carlo` (only created units are estimates), or empty.
    #[serde(serialize_with = "or_null")]
    pub engine: &'static str,
    /// `integer`, `float`, `certified` (without what has next to no chance), or null for Monte Carlo.
    pub arithmetic: Option<&'static str>,
    /// The largest error bound of any figure; `None` unless certified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_bound: Option<f64>,
    /// Number of states worked exactly, over all parts. Null if unknown, or for Monte Carlo.
    pub states: Option<u64>,
    /// The reason for Monte Carlo, or for simulating the rules without a transition table.
    pub reason: Option<String>,
    pub sampler: Option<&'static str>,
    pub seed: Option<u64>,
    pub trials: Option<u64>,
    /// Requested half-width of the 95 % intervals, as a fraction (0 to 1).
    pub precision: Option<f64>,
    /// Trials of the pilot run that chose `trials`. They contribute to no estimate.
    pub pilot_trials: Option<u64>,
    /// Number of first rolls whose combinations are all played.
    pub stratify: Option<u32>,
    /// Method of the intervals of estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<&'static str>,
    /// Bound per unit and report on the probability of unsampled outcomes; null if all have rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountProvenance>,
    pub notes: Vec<String>,
    /// Uncertain values that the answer depends on.
    pub uncertain: Vec<String>,
}

/// The engine and options behind the counts. They may differ from those of the answer's rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CountProvenance {
    pub group: &'static str,
    pub with_created: bool,
    /// `exact` or `monte-carlo`.
    pub engine: &'static str,
    /// `integer`, `float` or `certified`; `None` for Monte Carlo.
    pub arithmetic: Option<&'static str>,
    /// The largest error bound of any probability; `None` unless certified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_bound: Option<f64>,
    pub states: Option<u64>,
    pub trials: Option<u64>,
    /// The reason why counts are not exact; `None` if they are or Monte Carlo was requested.
    pub reason: Option<String>,
}

/// Serialises a word. An empty word becomes null.
fn or_null<S: Serializer>(word: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(word).filter(|word| !word.is_empty()).serialize(serializer)
}
