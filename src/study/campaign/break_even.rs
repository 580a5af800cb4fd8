//! Where the best choice flips: along one swept field, for every combination of the others.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::files;
use super::super::run::{self, RunError};
use super::file::CampaignFile;
use crate::table::{Cell, Kind, frame};

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
    /// The stretches of best choices along the break-even field; `best` is the best choice of each cell.
    pub fn stretches(&self, best: &[Option<String>]) -> Vec<Stretch> {
        let Some((place, _)) = self.axis() else { return Vec::new() };
        let mut lines: BTreeMap<Vec<String>, (Vec<Cell>, Vec<(i64, Option<String>)>)> = BTreeMap::new();
        let mut order: Vec<Vec<String>> = Vec::new();
        for (case, choice) in best.iter().enumerate() {
            let mut cells = self.study.swept_cells(case);
            let Cell::Integer(value) = cells.remove(place) else { continue };
            let key: Vec<String> = cells.iter().map(Cell::text).collect();
            if !lines.contains_key(&key) {
                order.push(key.clone());
            }
            lines.entry(key).or_insert_with(|| (cells, Vec::new())).1.push((value, choice.clone()));
        }
        let mut stretches = Vec::new();
        for key in order {
            let Some((others, mut values)) = lines.remove(&key) else { continue };
            values.sort();
            stretches.extend(along(&others, values));
        }
        stretches
    }

    /// Place and name of the break-even field among those that are swept.
    fn axis(&self) -> Option<(usize, &str)> {
        let field = self.break_even.as_deref()?;
        self.study.swept_columns().iter().position(|(name, _)| *name == field).map(|place| (place, field))
    }

    /// Writes them as CSV.
    pub fn write_stretches(&self, stretches: &[Stretch], path: &Path) -> Result<(), RunError> {
        let rows: Vec<Vec<Cell>> = stretches.iter().map(Stretch::cells).collect();
        let mut frame = frame::frame(&self.stretch_columns(), &rows).map_err(run::polars_fault(path))?;
        files::write(path, |file| frame::write_csv_block(&mut frame, true, file).map_err(run::as_io))?;
        Ok(())
    }

    /// Columns of the table of stretches.
    pub fn stretch_columns(&self) -> Vec<(&str, Kind)> {
        let mut columns = self.study.swept_columns();
        if let Some((place, _)) = self.axis() {
            columns.remove(place);
        }
        columns.extend([("choice", Kind::Text), ("from", Kind::Integer), ("to", Kind::Integer)]);
        columns
    }
}

/// Neighbouring values with the same choice are one stretch.
fn along(others: &[Cell], values: Vec<(i64, Option<String>)>) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (value, choice) in values {
        match stretches.last_mut().filter(|stretch| stretch.choice == choice) {
            Some(stretch) => stretch.to = value,
            None => stretches.push(Stretch { others: others.to_vec(), choice, from: value, to: value }),
        }
    }
    stretches
}

impl Stretch {
    /// Its row, in the order of [`CampaignFile::stretch_columns`].
    pub fn cells(&self) -> Vec<Cell> {
        let choice = self.choice.clone().map_or(Cell::Null, Cell::Text);
        self.others.iter().cloned().chain([choice, Cell::Integer(self.from), Cell::Integer(self.to)]).collect()
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
        let stretches = along(&[Cell::Text("8-1".to_string())], values);
        let told: Vec<_> = stretches.iter().map(|stretch| (stretch.choice.clone(), stretch.from, stretch.to)).collect();
        assert_eq!(told, [(run(), 1, 2), (crawl(), 4, 6), (run(), 8, 8)]);
    }
}
