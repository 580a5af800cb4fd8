//! The summary of a study, added up cell by cell. Facts of single cells are kept only if a table
//! needs them.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::cell_tally::CellTally;
use super::grid::{CellFacts, Grid};

/// The summary of all cells of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudySummary {
    pub(super) tally: CellTally,
    /// For each swept field its values, in order of appearance, with the probabilities of success
    /// of the cells that share each value. Empty if the study asks for a table, or if cells differ
    /// in what counts as success.
    pub by_value: Vec<IndexMap<String, CellOdds>>,
    /// The number of cells for which each first choice is the best.
    pub best: BTreeMap<String, usize>,
    /// The facts of each cell, if the study needs them.
    pub facts: Vec<CellFacts>,
}

/// The range and mean of probabilities over several cells.
#[derive(Clone, Debug, PartialEq)]
pub struct CellOdds {
    pub lowest: f64,
    pub highest: f64,
    sum: f64,
    pub cells: usize,
}

impl CellOdds {
    /// The odds over no cells.
    const NONE: CellOdds =
        CellOdds { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, sum: 0.0, cells: 0 };

    fn add(&mut self, odds: f64) {
        self.lowest = self.lowest.min(odds);
        self.highest = self.highest.max(odds);
        self.sum += odds;
        self.cells += 1;
    }

    /// Returns the mean; NaN without cells.
    pub fn mean(&self) -> f64 {
        self.sum / self.cells as f64
    }
}

impl StudySummary {
    /// Creates the summary of no cells of a study.
    pub fn new(study: &dyn Grid) -> StudySummary {
        let is_table = study.headline().is_some() && study.table_description().is_none();
        let fields = if is_table { study.swept_columns().len() } else { 0 };
        StudySummary { by_value: vec![IndexMap::new(); fields], ..StudySummary::default() }
    }

    /// Adds a cell (0-based); cells must come in order.
    pub(super) fn add(&mut self, study: &dyn Grid, case: usize, facts: CellFacts) {
        self.tally.add(case, &facts);
        if !self.by_value.is_empty() {
            let success = facts.hoped.unwrap_or_default();
            for (field, value) in self.by_value.iter_mut().zip(study.swept_cells(case)) {
                field.entry(value.text()).or_insert(CellOdds::NONE).add(success);
            }
        }
        if let Some(best) = &facts.best {
            *self.best.entry(best.clone()).or_default() += 1;
        }
        if study.needs_facts() {
            self.facts.push(facts);
        }
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
