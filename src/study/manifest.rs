//! The manifest of a study: the inputs that decide its results, and its result files.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::hashed::ResultFile;
use super::run_error::RunError;
use answer::{Engine, Trials};
use play::EngineRequest;

/// The inputs that decide the results of a study, to the byte.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    pub name: String,
    pub version: String,
    pub sampler: String,
    /// The engine: `auto`, `exact` or `monte-carlo`.
    pub engine: String,
    pub seed: u64,
    pub trials: Option<u64>,
    /// Half-width of the 95 % intervals (0..1), if given instead of a number of trials.
    pub precision: Option<f64>,
    /// The number of stratified rolls; 0 for plain sampling.
    pub stratify: u32,
    pub cells: usize,
    /// A hash of the text that identifies all questions of the study.
    pub requests: String,
}

impl Identity {
    /// Returns the engine, the trials and the seed of the run.
    pub fn engine_request(&self) -> EngineRequest {
        let is_called = |engine: &Engine| engine.name() == self.engine;
        let engine = Engine::ALL.into_iter().find(is_called).unwrap_or_default();
        let trials = match (self.trials, self.precision) {
            (_, Some(half_width)) => Trials::HalfWidth(half_width),
            (trials, None) => Trials::Number(trials.unwrap_or(0)),
        };
        (engine, trials, self.seed)
    }

    /// Describes the differences from `wanted`, such as `seed 1, not 2`; `None` if there are none.
    pub(super) fn other_than(&self, wanted: &Identity) -> Option<String> {
        let values = |identity: &Identity| -> Map<String, Value> {
            let identity = serde_json::to_value(identity).and_then(serde_json::from_value);
            identity.unwrap_or_default()
        };
        let wanted = values(wanted);
        let differs = |(key, value): (String, Value)| match wanted.get(&key) {
            Some(other) if *other == value => None,
            _ if key == "requests" => Some("the questions differ".to_string()),
            Some(other) => Some(format!("{key} {value}, not {other}")),
            None => Some(key),
        };
        let words: Vec<String> = values(self).into_iter().filter_map(differs).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }

    /// Fails if the finished cells at `path` belong to another run than this one.
    pub(super) fn check_kept(&self, kept: &Identity, path: &Path) -> Result<(), RunError> {
        let wrong = |words| {
            let problem = format!("the folder has finished cells of another run: {words}");
            Err(RunError::occupied(path, problem))
        };
        kept.other_than(self).map_or(Ok(()), wrong)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    #[serde(flatten)]
    pub identity: Identity,
    /// The command line, without arguments that do not change the results.
    pub command: String,
    /// The rules that all cells follow, and all values of rules that the study sets or varies.
    #[serde(flatten)]
    pub rules: Map<String, Value>,
    pub complete: bool,
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountedCells>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<String>,
    /// Highest upper bound over all cells of the probability of outcomes that no sequence drew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    /// Caveats about the results, each with the cells that it concerns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    pub study: String,
    /// The result files; empty while they are being written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ResultFile>,
}

/// The number of rows of the unit counts of a study, and of cells by engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedCells {
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
}

impl Manifest {
    /// Returns the manifest that a text is, if it is one.
    pub fn read(text: &str) -> Option<Manifest> {
        serde_json::from_str(text).ok()
    }

    /// Returns the metadata for the result files, equal to the byte for equal questions.
    pub(super) fn of_results(&self) -> serde_json::Result<Value> {
        let mut value = serde_json::to_value(self)?;
        if let Some(keys) = value.as_object_mut() {
            keys.retain(|key, _| !["name", "command", "study"].contains(&key.as_str()));
        }
        Ok(value)
    }

    pub fn engines(&self) -> String {
        self.engines_of(self.exact_cells, self.monte_carlo_cells)
    }

    /// Describes how many cells have exact unit counts, and how many estimated ones, if any.
    pub fn engines_of_counts(&self) -> Option<String> {
        let counts = self.counts.as_ref()?;
        Some(self.engines_of(counts.exact_cells, counts.monte_carlo_cells))
    }

    fn engines_of(&self, exact: usize, estimated: usize) -> String {
        let Identity { seed, trials, precision, .. } = &self.identity;
        let sequences = match (trials, precision) {
            (_, Some(half_width)) => format!("intervals at most +- {half_width}, seed {seed}"),
            (Some(trials), None) => format!("{trials} sequences, seed {seed}"),
            (None, None) => String::new(),
        };
        match (exact, estimated) {
            (_, 0) => "all exact".to_string(),
            (0, _) => format!("all Monte Carlo, {sequences}"),
            (exact, estimated) => format!("{exact} exact, {estimated} Monte Carlo, {sequences}"),
        }
    }
}
