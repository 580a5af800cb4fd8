//! Answers as Markdown tables for readers: report points side by side, percentages, no empty
//! columns. The command that repeats the answer is included.

use indexmap::{IndexMap, IndexSet};

use super::layout::{Digits, aligned};
use super::{Looks, Together, compare, escape, provenance, units};
use answer::{Cell, Column, Meta, Sheet};
use api::Answer;
use api::odds::OddsAnswer;

/// Columns of report points. The first that has values becomes a column for each point.
const POINTS: [&str; 2] = ["step", "phase"];
const STATUS: &str = "status";
const GROUP: [&str; 2] = ["slot", STATUS];
const ODDS: &str = "probability";
const LOW: &str = "ci_low";
const HIGH: &str = "ci_high";
const DIFFERENCE: &str = "difference";
const OUTCOME: &str = "outcome";
const IN_PERCENT: [&str; 6] = [ODDS, DIFFERENCE, "at_least", "std_error", LOW, HIGH];
const OMITTED: [&str; 5] = ["case", "std_error", "count", "trials", "error_bound"];

/// Renders an answer; `sheet` is the answer as a table. Outcomes of units are grouped as on the
/// screen, unless every one is wanted, with its fraction.
pub fn render(answer: &Answer, sheet: &Sheet, &Looks { all, digits, .. }: &Looks) -> String {
    let table = match answer {
        Answer::Compare(side) => compare::ComparisonText(side, digits).markdown(),
        Answer::Question(OddsAnswer { question, table })
            if place(&sheet.columns, OUTCOME).is_some() =>
        {
            let together = Together::new(question.words(), table);
            let point = if table.shape.steps { "step" } else { "phase" };
            let (columns, rows) = together.tabled(point);
            Rows { columns: &columns, rows: &rows, digits }.wide(&sheet.meta)
        }
        Answer::Question(OddsAnswer { question, table })
            if !all && place(&sheet.columns, STATUS).is_some() =>
        {
            let (headings, rows, right) = units::grouped(question.as_ref(), table, digits);
            aligned(&headings, &rows, &right, true)
        }
        _ => Rows { columns: &sheet.columns, rows: &sheet.rows, digits }.wide(&sheet.meta),
    };
    let errors = widest(sheet).map_or(String::new(), |width| {
        format!("95 % intervals are at most +- {} wide. ", digits.percent(width))
    });
    captioned(&sheet.meta, &format!("{errors}{}", provenance(&sheet.meta)), &table)
}

/// Renders a table below its question, its provenance `footing` and the command that repeats it.
pub fn captioned(meta: &Meta, footing: &str, table: &str) -> String {
    let lines: Vec<&str> = footing.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (footing, command) = (escape::text(&lines.join(" ")), escape::code(&meta.command));
    format!("{} {footing} {command}\n\n{table}", heading(meta))
}

/// Returns the question, as a heading in front of a table.
pub fn heading(meta: &Meta) -> String {
    format!("**{}.**", escape::text(&meta.question))
}

/// Returns half the width of the widest 95 % interval; `None` for exact odds.
fn widest(sheet: &Sheet) -> Option<f64> {
    let place = |name| place(&sheet.columns, name);
    let (low, high) = place(LOW).zip(place(HIGH)).filter(|_| place(ODDS).is_some())?;
    let half = |row: &Vec<Cell>| match (&row[low], &row[high]) {
        (Cell::Float(low), Cell::Float(high)) => Some((high - low) / 2.0),
        _ => None,
    };
    sheet.rows.iter().filter_map(half).reduce(f64::max)
}

fn place(columns: &[(&str, Column)], name: &str) -> Option<usize> {
    columns.iter().position(|(column, _)| *column == name)
}

struct Rows<'a> {
    columns: &'a [(&'a str, Column)],
    rows: &'a [Vec<Cell>],
    digits: Digits,
}

impl Rows<'_> {
    fn wide(&self, meta: &Meta) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let place = |name: &str| place(self.columns, name);
        let is_empty = |column: &usize| self.rows.iter().all(|row| row[*column] == Cell::Null);
        let filled = |name: &&str| place(name).filter(|column| !is_empty(column));
        // In a table of differences each row keeps its report point.
        let point = POINTS.iter().find_map(filled).filter(|_| place(DIFFERENCE).is_none());
        let across = point.zip(place(ODDS));
        let Some((point, odds)) = across else { return self.long(is_empty) };
        let is_key = |column: &usize| {
            let name = names[*column];
            *column < odds && *column != point && !OMITTED.contains(&name) && !is_empty(column)
        };
        let keys: Vec<usize> = (0..names.len()).filter(is_key).collect();
        let mut points: IndexSet<String> = IndexSet::new();
        let mut rows: IndexMap<Vec<String>, IndexMap<String, String>> = IndexMap::new();
        for row in self.rows {
            let at = row[point].text();
            points.insert(at.clone());
            let key = keys.iter().map(|column| row[*column].text()).collect();
            rows.entry(key).or_default().insert(at, self.figure(row, odds, place(HIGH)));
        }
        // Outcomes that only a later report point has stand with similar ones.
        let mut groups: IndexSet<Vec<String>> = IndexSet::new();
        let group = |key: &[String]| {
            let like = keys.iter().zip(key).filter(|(column, _)| GROUP.contains(&names[**column]));
            like.map(|(_, text)| text.clone()).collect::<Vec<_>>()
        };
        groups.extend(rows.keys().map(|key| group(key)));
        groups.sort_by_key(|group| group.first().and_then(|slot| slot.parse::<u32>().ok()));
        rows.sort_by_key(|key, _| groups.get_index_of(&group(key)));
        let none =
            if meta.unseen.is_some() { "not seen".to_string() } else { self.digits.percent(0.0) };
        let heading = |at: &String| format!("{} {at}", names[point]);
        let headings = keys.iter().map(|column| names[*column].to_string());
        let headings: Vec<String> = headings.chain(points.iter().map(heading)).collect();
        let row = |(key, odds): (&Vec<String>, &IndexMap<String, String>)| {
            let odds = points.iter().map(|at| odds.get(at).unwrap_or(&none).clone());
            key.iter().cloned().chain(odds).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        let right: Vec<bool> = keys.iter().map(|column| self.is_number(*column)).collect();
        let right = [right, vec![true; points.len()]].concat();
        aligned(&headings, &rows, &right, true)
    }

    fn long(&self, is_empty: impl Fn(&usize) -> bool) -> String {
        let name = |column: usize| self.columns[column].0;
        let (odds, high) = (place(self.columns, ODDS), place(self.columns, HIGH));
        let is_shown = |column: &usize| !OMITTED.contains(&name(*column)) && !is_empty(column);
        let columns: Vec<usize> = (0..self.columns.len()).filter(is_shown).collect();
        let cell = |row: &Vec<Cell>, column: usize| match &row[column] {
            Cell::Float(_) if odds == Some(column) => self.figure(row, column, high),
            Cell::Float(number) if odds.is_some() && IN_PERCENT.contains(&name(column)) => {
                self.digits.percent(*number)
            }
            Cell::Float(number) => ((number * 10_000.0).round() / 10_000.0).to_string(),
            other => other.text(),
        };
        let row = |row: &Vec<Cell>| columns.iter().map(|column| cell(row, *column)).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(row).collect();
        let headings: Vec<String> =
            columns.iter().map(|column| name(*column).to_string()).collect();
        let right: Vec<bool> = columns.iter().map(|column| self.is_number(*column)).collect();
        aligned(&headings, &rows, &right, true)
    }

    fn is_number(&self, column: usize) -> bool {
        matches!(self.columns[column].1, Column::Integer | Column::Float)
    }

    /// Formats the probability of a row; one that occurred in no sequence as `< LIMIT`.
    fn figure(&self, row: &[Cell], odds: usize, high: Option<usize>) -> String {
        match (&row[odds], high.map(|high| &row[high])) {
            (Cell::Float(0.0), Some(Cell::Float(high))) => self.digits.below(*high),
            (Cell::Float(odds), _) => self.digits.percent(*odds),
            (other, _) => other.text(),
        }
    }
}
