//! Where the best choice flips: along one swept field, for every combination of the others.

use std::collections::HashMap;

use super::super::grid::{Facts, Grid as _};
use super::file::CampaignFile;
use crate::table::{Cell, Column};

/// Neighbouring values of the field for which one choice is best.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Values of the other swept fields.
    pub others: Vec<Cell>,
    /// The best choice; none where nothing is to be chosen.
    pub choice: Option<String>,
    /// First and last value for which it is.
    pub from: i64,
    pub to: i64,
}

impl CampaignFile {
    /// The stretches of best choices along the break-even field.
    pub fn stretches(&self, facts: &[Facts]) -> Vec<Stretch> {
        let Some((place, _)) = self.axis() else { return Vec::new() };
        let mut lines: Vec<Line> = Vec::new();
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        for (case, Facts { best: choice, .. }) in facts.iter().enumerate() {
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

    /// Place and name of the break-even field among those that are swept.
    fn axis(&self) -> Option<(usize, &str)> {
        let field = self.break_even.as_deref()?;
        self.study
            .swept_columns()
            .iter()
            .position(|(name, _)| *name == field)
            .map(|place| (place, field))
    }

    /// Columns of the table of stretches.
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

/// One combination of the other swept fields.
struct Line {
    others: Vec<Cell>,
    /// The best choice by value of the field.
    values: Vec<(i64, Option<String>)>,
}

impl Line {
    /// Neighbouring values with the same choice are one stretch.
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
    /// Its row, in the order of [`CampaignFile::stretch_columns`].
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

    /// The best choice flips twice.
    #[test]
    fn stretches_of_equal_choices() {
        let crawl = || Some("low-crawl".to_string());
        let run = || Some("run".to_string());
        let values = vec![(1, run()), (2, run()), (4, crawl()), (6, crawl()), (8, run())];
        let stretches = Line { others: vec![Cell::Text("8-1".to_string())], values }.stretches();
        let told: Vec<_> = stretches
            .iter()
            .map(|stretch| (stretch.choice.clone(), stretch.from, stretch.to))
            .collect();
        assert_eq!(told, [(run(), 1, 2), (crawl(), 4, 6), (run(), 8, 8)]);
    }
}
