//! Break-even tables: ranges of a varied field in which the same first choice is best.

use indexmap::IndexMap;

use super::super::grid::{CellFacts, Grid as _};
use super::file::CampaignFile;
use answer::{Cell, Column};
use render::layout::aligned;

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
        let mut lines: IndexMap<Vec<String>, (Vec<Cell>, Vec<ValueChoice>)> = IndexMap::new();
        for (case, CellFacts { best: choice, .. }) in facts.iter().enumerate() {
            let mut others = self.study.swept_cells(case);
            let Cell::Integer(value) = others.remove(place) else { continue };
            let key = others.iter().map(Cell::text).collect();
            let (_, values) = lines.entry(key).or_insert_with(|| (others, Vec::new()));
            values.push((value, choice.clone()));
        }
        lines.into_values().flat_map(|(others, values)| stretches(&others, values)).collect()
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

/// The most lines of the break-even table that the summary shows.
const SHOWN_LINES: usize = 40;

impl CampaignFile {
    /// Returns the break-even table as text, with one line for each combination of the other varied
    /// values; empty without a break-even field.
    pub fn stretches_text(&self, facts: &[CellFacts]) -> String {
        let Some((_, field)) = self.axis() else { return String::new() };
        let columns = self.stretch_columns();
        let others = columns.len() - 3;
        let mut lines: Vec<Vec<String>> = Vec::new();
        for Stretch { others: key, choice, from, to } in self.stretches(facts) {
            let choice = choice.unwrap_or("nothing to choose".to_string());
            let choice = match from == to {
                true => format!("{choice} {from}"),
                false => format!("{choice} {from} - {to}"),
            };
            let key: Vec<String> = key.iter().map(Cell::text).collect();
            match lines.last_mut().filter(|line| line[..others] == key[..]) {
                Some(line) => line[others] += &format!(", {choice}"),
                None => lines.push([key, vec![choice]].concat()),
            }
        }
        let hidden = lines.len().saturating_sub(SHOWN_LINES);
        lines.truncate(SHOWN_LINES);
        let names = columns[..others].iter().map(|(name, _)| name.to_string());
        let headings: Vec<String> = names.chain([format!("best by {field}")]).collect();
        let table = aligned(&headings, &lines, &vec![false; others + 1], false);
        let more = format!("({hidden} more lines are in the file)\n");
        format!("{table}{}\n", if hidden > 0 { more.as_str() } else { "" })
    }
}

/// A value of the break-even field, and the best choice there.
type ValueChoice = (i64, Option<String>);

/// Returns the ranges of cells that differ only in the break-even field.
fn stretches(others: &[Cell], mut values: Vec<ValueChoice>) -> Vec<Stretch> {
    values.sort();
    let mut stretches: Vec<Stretch> = Vec::new();
    for (value, choice) in values {
        match stretches.last_mut().filter(|stretch| stretch.choice == choice) {
            Some(stretch) => stretch.to = value,
            None => {
                let others = others.to_vec();
                stretches.push(Stretch { others, choice, from: value, to: value });
            }
        }
    }
    stretches
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
        let stretches = stretches(&[Cell::Text("8-1".to_string())], values);
        let ranges: Vec<_> = stretches
            .iter()
            .map(|stretch| (stretch.choice.clone(), stretch.from, stretch.to))
            .collect();
        assert_eq!(ranges, [(run(), 1, 2), (crawl(), 4, 6), (run(), 8, 8)]);
    }
}
