//! What the manifest of a study says: what decides its results, and what they come to.

use serde::{Deserialize, Serialize};

use super::product::Written;

/// What decides the results of a study, to the last byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    pub name: String,
    pub version: String,
    pub sampler: String,
    /// `auto`, `exact` or `monte-carlo`.
    pub engine: String,
    pub seed: u64,
    pub trials: Option<u64>,
    /// Half-width asked for in place of a number of trials.
    pub precision: Option<f64>,
    /// Stratified rolls, 0 for plain sampling.
    pub stratify: u32,
    pub cells: usize,
    /// What is asked, hashed.
    pub requests: String,
}

impl Identity {
    /// In what it differs from what is wanted, in words: `seed 1, not 2`.
    pub(super) fn other_than(&self, wanted: &Identity) -> Option<String> {
        let values = |identity: &Identity| match serde_json::to_value(identity) {
            Ok(serde_json::Value::Object(values)) => values,
            _ => serde_json::Map::new(),
        };
        let wanted = values(wanted);
        let differs = |(key, value): (String, serde_json::Value)| match wanted.get(&key) {
            Some(other) if *other == value => None,
            _ if key == "requests" => Some("it asks something else".to_string()),
            Some(other) => Some(format!("{key} {value}, not {other}")),
            None => Some(key),
        };
        let words: Vec<String> = values(self).into_iter().filter_map(differs).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// What the manifest of a study says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    #[serde(flatten)]
    pub identity: Identity,
    /// The command, without what does not change the results.
    pub command: String,
    /// The rules all cells follow; settings that the study sets or sweeps, with their values.
    #[serde(flatten)]
    pub rules: serde_json::Map<String, serde_json::Value>,
    pub complete: bool,
    /// Rows of the table.
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
    /// The same of the counts, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountedCells>,
    /// How the intervals of estimates are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<String>,
    /// Upper bound of the odds of outcomes that no sequence drew, for whichever cell it is highest;
    /// nothing where all have rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    /// What had to be assumed, and of which cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The study file.
    pub study: String,
    /// The results; nothing while they are being written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Written>,
}

/// How many rows the counts of a study have, and how they were come by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedCells {
    pub rows: usize,
    pub exact_cells: usize,
    pub monte_carlo_cells: usize,
}

impl Manifest {
    /// What stands in the results themselves: all but the name of the study, its command and the
    /// text of its file, so that whoever asks the same has the same bytes.
    pub(super) fn of_results(&self) -> serde_json::Result<serde_json::Value> {
        let mut value = serde_json::to_value(self)?;
        if let Some(keys) = value.as_object_mut() {
            keys.retain(|key, _| !["name", "command", "study"].contains(&key.as_str()));
        }
        Ok(value)
    }

    /// How its cells were answered, in words.
    pub fn engines(&self) -> String {
        self.engines_of(self.exact_cells, self.monte_carlo_cells)
    }

    /// How the units of its cells were counted, in words, where they were.
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
