//! What is told of a whole study, added cell by cell: of each nothing is kept but what its table needs.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::grid::{Facts, Grid};
use super::tally::Tally;

/// What is told of all cells of a study together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub(super) tally: Tally,
    /// Of every swept field its values, in order of appearance, with the odds of what is hoped for
    /// over the cells that share each; none where a table is told instead.
    pub by_value: Vec<IndexMap<String, Odds>>,
    /// How often each first choice is the best.
    pub best: BTreeMap<String, usize>,
    /// What is told of each cell, where that is needed.
    pub facts: Vec<Facts>,
}

/// Odds over some cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    pub lowest: f64,
    pub highest: f64,
    sum: f64,
    pub cells: usize,
}

impl Odds {
    /// Of no cell.
    const NONE: Odds =
        Odds { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, sum: 0.0, cells: 0 };

    fn add(&mut self, odds: f64) {
        self.lowest = self.lowest.min(odds);
        self.highest = self.highest.max(odds);
        self.sum += odds;
        self.cells += 1;
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.cells as f64
    }
}

impl Summary {
    /// Of no cell of a study yet.
    pub fn of(study: &dyn Grid) -> Summary {
        let is_told = study.headline().is_some() && study.meant().is_none();
        let fields = if is_told { study.swept_columns().len() } else { 0 };
        Summary { by_value: vec![IndexMap::new(); fields], ..Summary::default() }
    }

    /// Adds a cell, from 0, which comes after those before.
    pub(super) fn add(&mut self, study: &dyn Grid, case: usize, facts: Facts) {
        self.tally.add(case, &facts);
        if !self.by_value.is_empty() {
            let hoped = facts.hoped.unwrap_or_default();
            for (field, value) in self.by_value.iter_mut().zip(study.swept_cells(case)) {
                field.entry(value.text()).or_insert(Odds::NONE).add(hoped);
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
    fn odds_over_some_cells() {
        let mut odds = Odds::NONE;
        [0.25, 0.75, 0.125].into_iter().for_each(|cell| odds.add(cell));
        assert_eq!((odds.lowest, odds.mean(), odds.highest, odds.cells), (0.125, 0.375, 0.75, 3));
    }
}
