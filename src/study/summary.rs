//! The summary of a study, by cell or shard; facts of single cells are kept only if needed.

use std::ops::Range;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::grid::{CellFacts, Grid};
use super::manifest::{CountedCells, Identity, Manifest};
use answer::sampling::unseen_in_words;
use engine::stats::{METHOD, METHOD_OF_STRATA};

const NAMED: usize = 8;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudySummary {
    pub(super) tally: CellTally,
    /// For each varied field its values, in order of appearance, with the odds of success of their
    /// cells. Empty if the study requests a table, or if cells differ in what counts as success.
    pub by_value: Vec<IndexMap<String, CellOdds>>,
    /// The facts of each cell, in order; empty if the study does not need them.
    pub facts: Vec<CellFacts>,
}

/// The lowest, highest and mean value of a probability over several cells.
#[derive(Clone, Debug, PartialEq)]
pub struct CellOdds {
    pub lowest: f64,
    pub highest: f64,
    sum: f64,
    pub cells: usize,
}

impl CellOdds {
    const NONE: CellOdds =
        CellOdds { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, sum: 0.0, cells: 0 };

    fn add(&mut self, odds: f64) {
        self.lowest = self.lowest.min(odds);
        self.highest = self.highest.max(odds);
        self.sum += odds;
        self.cells += 1;
    }

    /// Returns the mean probability; NaN without cells.
    pub fn mean(&self) -> f64 {
        self.sum / self.cells as f64
    }
}

impl StudySummary {
    pub fn new(study: &dyn Grid) -> StudySummary {
        let info = study.info();
        let is_summed_up = info.headline.is_some() && info.table.is_none();
        let fields = if is_summed_up { info.swept_columns.len() } else { 0 };
        StudySummary { by_value: vec![IndexMap::new(); fields], ..StudySummary::default() }
    }

    /// Adds a cell (0-based); cells must be added in order.
    pub(super) fn add(&mut self, study: &dyn Grid, case: usize, facts: CellFacts) {
        self.tally.add(case, &facts);
        if !self.by_value.is_empty() {
            let success = facts.hoped.unwrap_or_default();
            for (field, value) in self.by_value.iter_mut().zip(study.swept_cells(case)) {
                field.entry(value.text()).or_insert(CellOdds::NONE).add(success);
            }
        }
        if study.info().needs_facts {
            self.facts.push(facts);
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellTally {
    pub cells: usize,
    pub rows: usize,
    estimated: usize,
    counts: Option<CountedCells>,
    unseen: Option<f64>,
    /// The first cells (1-based) that may have outcomes without a row; `unnamed` counts the others.
    named: Vec<usize>,
    unnamed: usize,
}

impl CellTally {
    /// Adds a cell (0-based); cells must be added in order.
    fn add(&mut self, case: usize, facts: &CellFacts) {
        let counts = facts.counted.as_ref().map(|counted| CountedCells {
            rows: counted.rows,
            exact_cells: usize::from(!counted.estimated),
            monte_carlo_cells: usize::from(counted.estimated),
        });
        let CellFacts { rows, estimated, unseen, .. } = *facts;
        let named = unseen.map(|_| case + 1).into_iter().collect();
        let estimated = usize::from(estimated);
        self.join(CellTally { cells: 1, rows, estimated, counts, unseen, named, unnamed: 0 });
    }

    /// Returns whether counts from a file, which may be damaged, can be of these cells (0-based).
    pub fn is_sound(&self, cells: &Range<usize>) -> bool {
        let named = |case: &usize| *case > cells.start && *case <= cells.end;
        let counted = self.counts.as_ref().map_or(Some(self.cells), |counts| {
            counts.exact_cells.checked_add(counts.monte_carlo_cells)
        });
        self.cells == cells.len()
            && self.estimated <= self.cells
            && counted == Some(self.cells)
            && self.named.iter().all(named)
            && self.named.is_sorted_by(|one, next| one < next)
            && self.unnamed <= self.cells
    }

    /// Returns the number of rows of the table with this index.
    pub fn rows_of(&self, table: usize) -> usize {
        let counts = || self.counts.as_ref().map_or(0, |counts| counts.rows);
        if table == 0 { self.rows } else { counts() }
    }

    /// Adds the counts of the cells that follow those counted so far.
    pub fn join(&mut self, other: CellTally) {
        self.cells += other.cells;
        self.rows = self.rows.saturating_add(other.rows);
        self.estimated += other.estimated;
        self.counts = match (self.counts.take(), other.counts) {
            (Some(a), Some(b)) => Some(CountedCells {
                rows: a.rows.saturating_add(b.rows),
                exact_cells: a.exact_cells + b.exact_cells,
                monte_carlo_cells: a.monte_carlo_cells + b.monte_carlo_cells,
            }),
            (a, b) => a.or(b),
        };
        self.unseen = self.unseen.into_iter().chain(other.unseen).reduce(f64::max);
        self.named.extend(other.named);
        self.unnamed += other.unnamed + self.named.len().saturating_sub(NAMED);
        self.named.truncate(NAMED);
    }

    /// Returns the manifest of the whole study, without its result files.
    pub(super) fn manifest(
        &self,
        study: &dyn Grid,
        identity: &Identity,
        command: &str,
    ) -> Manifest {
        let method = if identity.stratify > 0 { METHOD_OF_STRATA } else { METHOD };
        let facts = study.info().rules.facts.iter();
        let facts = facts.map(|(name, fact)| (name.to_string(), serde_json::json!(fact)));
        let note = |share| format!("{}: {}", self.not_all_seen(), unseen_in_words(share));
        Manifest {
            identity: identity.clone(),
            command: command.to_string(),
            rules: facts.collect(),
            complete: true,
            rows: self.rows,
            exact_cells: self.cells - self.estimated,
            monte_carlo_cells: self.estimated,
            counts: self.counts.clone(),
            interval: (self.estimated > 0).then(|| method.to_string()),
            unseen: self.unseen,
            notes: self.unseen.map(note).into_iter().collect(),
            study: study.info().text.clone(),
            files: Vec::new(),
        }
    }

    /// Names the cells that may have outcomes without a row, such as `cases 2, 3, 5 and 40 others`.
    fn not_all_seen(&self) -> String {
        let named: Vec<String> = self.named.iter().map(usize::to_string).collect();
        let others =
            if self.unnamed == 0 { String::new() } else { format!(" and {} others", self.unnamed) };
        let plural = if self.named.len() == 1 { "" } else { "s" };
        format!("case{plural} {}{others}", named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_odds_have_lowest_mean_and_highest() {
        let mut odds = CellOdds::NONE;
        [0.25, 0.75, 0.125].into_iter().for_each(|cell| odds.add(cell));
        assert_eq!((odds.lowest, odds.mean(), odds.highest, odds.cells), (0.125, 0.375, 0.75, 3));
    }
}
