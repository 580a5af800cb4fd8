//! Break-even tables: ranges of a varied field in which the same first choice is best.

use std::collections::HashMap;

use super::super::grid::{CellFacts, Grid as _};
use super::file::CampaignFile;
use answer::sheet::{Cell, Column};

/// A range of consecutive values of the break-even field with the same best choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The values of the other varied fields.
    pub others: Vec<Cell>,
    /// The best choice; `None` if there is nothing to choose.
    pub choice: Option<String>,
    /// The first and last value of the range, both inclusive.
    pub from: i64,
    pub to: i64,
}

impl CampaignFile {
    /// Returns the ranges of best choices along the break-even field. `facts` holds the facts of
    /// all cells, in order. The result is empty without a break-even field.
    pub fn stretches(&self, facts: &[CellFacts]) -> Vec<Stretch> {
        let Some((place, _)) = self.axis() else { return Vec::new() };
        let mut lines: Vec<Line> = Vec::new();
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        for (case, CellFacts { best: choice, .. }) in facts.iter().enumerate() {
            let mut others = self.study.swept_cells(case);
            let Cell::Integer(value) = others.remove(place) else { continue };
            let line =
                *places.entry(others.iter().map(Cell::text).collect()).or_insert(lines.len());
            if line == lines.len() {
                lines.push(Line { others, values: Vec::new() });
            }
            lines[line].values.push((value, choice.clone()));
        }
        lines.into_iter().flat_map(Line::stretches).collect()
    }

    /// Returns the index (0-based) of the break-even field among the varied fields, and its name;
    /// `None` without such a field.
    fn axis(&self) -> Option<(usize, &str)> {
        let field = self.break_even.as_deref()?;
        self.study
            .swept_columns()
            .iter()
            .position(|(name, _)| *name == field)
            .map(|place| (place, field))
    }

    /// Returns the columns of the break-even table.
    pub fn stretch_columns(&self) -> Vec<(&str, Column)> {
        let mut columns = self.study.swept_columns();
        if let Some((place, _)) = self.axis() {
            columns.remove(place);
        }
        columns.extend([
            ("choice", Column::Text),
            ("from", Column::Integer),
            ("to", Column::Integer),
        ]);
        columns
    }
}

/// The cells (combinations of varied values) that differ only in the break-even field.
struct Line {
    others: Vec<Cell>,
    /// Pairs of a value of the break-even field and the best choice there.
    values: Vec<(i64, Option<String>)>,
}

impl Line {
    fn stretches(mut self) -> Vec<Stretch> {
        self.values.sort();
        let mut stretches: Vec<Stretch> = Vec::new();
        for (value, choice) in self.values {
            match stretches.last_mut().filter(|stretch| stretch.choice == choice) {
                Some(stretch) => stretch.to = value,
                None => stretches.push(Stretch {
                    others: self.others.clone(),
                    choice,
                    from: value,
                    to: value,
                }),
            }
        }
        stretches
    }
}

impl Stretch {
    /// Returns the row of this range, in the order of [`CampaignFile::stretch_columns`].
    pub fn cells(&self) -> Vec<Cell> {
        let choice = self.choice.clone().map_or(Cell::Null, Cell::Text);
        self.others
            .iter()
            .cloned()
            .chain([choice, Cell::Integer(self.from), Cell::Integer(self.to)])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_neighbouring_choices_form_stretches() {
        let crawl = || Some("low-crawl".to_string());
        let run = || Some("run".to_string());
        let values = vec![(1, run()), (2, run()), (4, crawl()), (6, crawl()), (8, run())];
        let stretches = Line { others: vec![Cell::Text("8-1".to_string())], values }.stretches();
        let ranges: Vec<_> = stretches
            .iter()
            .map(|stretch| (stretch.choice.clone(), stretch.from, stretch.to))
            .collect();
        assert_eq!(ranges, [(run(), 1, 2), (crawl(), 4, 6), (run(), 8, 8)]);
    }
}
