//! The manifest of a study: what decides its results, and its result files.

use serde::{Deserialize, Serialize};

use super::result_file::ResultFile;

/// Everything that decides the results of a study, to the byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    pub name: String,
    pub version: String,
    pub sampler: String,
    /// The engine: `auto`, `exact` or `monte-carlo`.
    pub engine: String,
    pub seed: u64,
    pub trials: Option<u64>,
    /// Half-width of the intervals, if given instead of a number of trials.
    pub precision: Option<f64>,
    /// The number of stratified rolls; 0 for plain sampling.
    pub stratify: u32,
    pub cells: usize,
    /// A hash of the canonical requests.
    pub requests: String,
}

impl Identity {
    /// Returns the differences from `wanted` in words, such as `seed 1, not 2`; `None` if there are
    /// none.
    pub(super) fn other_than(&self, wanted: &Identity) -> Option<String> {
        let values = |identity: &Identity| match serde_json::to_value(identity) {
            Ok(serde_json::Value::Object(values)) => values,
            _ => serde_json::Map::new(),
        };
        let wanted = values(wanted);
        let differs = |(key, value): (String, serde_json::Value)| match wanted.get(&key) {
            Some(other) if *other == value => None,
            _ if key == "requests" => Some("the questions differ".to_string()),
            Some(other) => Some(format!("{key} {value}, not {other}")),
            None => Some(key),
        };
        let words: Vec<String> = values(self).into_iter().filter_map(differs).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// The manifest of a finished study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    #[serde(flatten)]
    pub identity: Identity,
    /// The command, without arguments that do not change the results.
    pub command: String,
    /// The rules that all cells follow, and all values of settings that the study sets or sweeps.
    #[serde(flatten)]
    pub rules: serde_json::Map<String, serde_json::Value>,
    pub complete: bool,
    /// The number of rows of the table.
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
    /// Rows and cells of the unit counts, if the study counts units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountedCells>,
    /// The method of the intervals of estimates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<String>,
    /// Upper bound of the probability of outcomes that no sequence drew, the highest of all cells.
    /// `None` if every possible outcome has a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    /// Caveats about the results, with the cells they concern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The text of the study file.
    pub study: String,
    /// The result files; empty while they are being written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ResultFile>,
}

/// The rows of the unit counts of a study, and the cells by engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedCells {
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
}

impl Manifest {
    /// Returns the metadata inside the result files. It leaves out the name, the command and the
    /// text of the study, so that equal questions give equal bytes.
    ///
    /// # Errors
    ///
    /// Fails if the manifest cannot be serialised.
    pub(super) fn of_results(&self) -> serde_json::Result<serde_json::Value> {
        let mut value = serde_json::to_value(self)?;
        if let Some(keys) = value.as_object_mut() {
            keys.retain(|key, _| !["name", "command", "study"].contains(&key.as_str()));
        }
        Ok(value)
    }

    /// Describes how many cells are exact, and how many have estimates.
    pub fn engines(&self) -> String {
        self.engines_of(self.exact_cells, self.monte_carlo_cells)
    }

    /// Describes how many cells have exact counts, and how many have estimates; `None` without
    /// counts.
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
