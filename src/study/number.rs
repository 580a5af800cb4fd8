//! The number that is told of an answer: how likely what is hoped for is.

use std::collections::BTreeMap;

use super::told::{Style, Told};
use crate::table::{Cell, Column, Expected, Figure, Row, Table, figure_cells, figure_columns};
use engine::EngineError;
use system::answer::Options;
use system::asking::Asking;
use system::form::{FieldFault, Form, Value};
use system::{Hope, Words};

/// One number with its error.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Odds(Figure),
    /// Where nothing is hoped for: what is expected.
    Mean(Expected),
}

impl Number {
    /// As it stands in a table for people.
    pub fn told(&self) -> Told {
        match self {
            Number::Odds(figure) => {
                Told { value: figure.probability(), interval: figure.interval(), word: None }
            }
            Number::Mean(expected) => {
                Told { value: expected.value, interval: expected.interval(), word: None }
            }
        }
    }

    pub fn style(&self) -> Style {
        if let Number::Odds(_) = self { Style::Odds } else { Style::Number }
    }

    /// Its columns where rows are cells: those of a figure, or of a mean.
    pub fn columns(style: Style) -> Vec<(&'static str, Column)> {
        let [first, others @ ..] = figure_columns();
        match style {
            Style::Odds => std::iter::once(first).chain(others).collect(),
            _ => vec![("mean", Column::Float), ("std_error", Column::Float)],
        }
    }

    /// Its cells, in the order of [`Number::columns`].
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Number::Odds(figure) => figure_cells(figure).to_vec(),
            Number::Mean(Expected { value, std_error, .. }) => {
                vec![Cell::Float(*value), std_error.map_or(Cell::Null, Cell::Float)]
            }
        }
    }
}

/// The number that is told of a question, which `form` has made, with its answer. Where rows are of
/// all units together, the same is asked unit by unit.
pub fn number(
    form: &dyn Form,
    question: &dyn Asking,
    table: &Table,
    options: &Options,
) -> Result<Option<Number>, EngineError> {
    if !question.words().is_joint() {
        return Ok(of_table(question.words(), table));
    }
    let Ok(alone) = apart(form) else { return Ok(None) };
    let table = alone.answer(options, alone.meta(String::new()))?;
    Ok(of_table(alone.words(), &table))
}

/// The question of a form with what changes the columns left out.
fn apart(form: &dyn Form) -> Result<Box<dyn Asking>, FieldFault> {
    let mut form = form.boxed();
    for field in form.kind().fields().filter(|field| !field.sweeps) {
        // What is no flag stays as it is.
        let _ = form.set(field.name, Value::Boolean(false));
    }
    form.finish()
}

fn of_table(words: &dyn Words, table: &Table) -> Option<Number> {
    let hope = words.hoped();
    if hope.statuses.is_empty() {
        return table.expected.last().cloned().map(Number::Mean);
    }
    let hoped = hoped(&table.rows, hope, words.units().into());
    hoped.last().map(|(_, figure)| Number::Odds(*figure))
}

/// What is told, in words: `How often the unit is rallied after the last phase`; nothing where
/// there is nothing to tell.
pub fn in_words(words: &dyn Words) -> Option<(&'static str, &'static str)> {
    let hope = Some(words.hoped()).filter(|hope| !hope.statuses.is_empty())?;
    let unit = if words.units() == 1 { "the unit" } else { "the last unit" };
    Some((hope.of.unwrap_or(unit), hope.words))
}

/// How likely what is hoped for of the last of the own `units` is, by phase, turn or step, or once;
/// `units` created on the way come after those and do not count.
pub(super) fn hoped(rows: &[Row], hope: Hope, units: i64) -> Vec<(i64, Figure)> {
    let mut by_point: BTreeMap<i64, (i64, Figure)> = BTreeMap::new();
    for Row { label, figure, .. } in rows {
        let own = label.slot.map(i64::from).filter(|slot| label.unit.is_some() && *slot <= units);
        let Some(slot) = own else { continue };
        let point = label.phase.or(label.step).map_or(1, i64::from);
        let (last, sum) = by_point.entry(point).or_insert((slot, figure.of_none()));
        if slot > *last {
            (*last, *sum) = (slot, figure.of_none());
        }
        if slot == *last && label.status.is_some_and(|status| hope.statuses.contains(&status)) {
            *sum = sum.or(*figure);
        }
    }
    by_point.into_iter().map(|(point, (_, sum))| (point, sum)).collect()
}
