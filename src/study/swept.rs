//! The varied (swept) fields of a grid. Cells are numbered with the last field varying fastest.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Map, Value, json};

use super::number_table::value;
use answer::{Cell, Column};
use engine::text::Fault;
use play::Owned;
use play::files::partial_question::twice;
use schema::field::fields;
use schema::form::setting;
use schema::value_list::{numbers, values};
use schema::{FieldValue as _, Node, Raw, SourcePosition, Spanned, Whole, from_toml};

/// The most cells of a study that runs in one folder.
pub const MAX_CELLS: usize = 1_000_000;
/// The most cells of a study that runs in shards.
pub const MOST_CELLS: usize = 100_000_000;

const SHOWN_VALUES: usize = 8;

type Bound = Whole<-1_000_000, 1_000_000>;

fields! {
    /// A range of whole numbers.
    table RangeTable {
        "from" from: Option<Bound>, "the first";
        "to" to: Option<Bound>, "last value, if the steps reach it";
        "step" step: Whole<1, 1_000_000> = "1", "difference between neighbouring values";
    }
}

/// A value as printed in the table, and the setting that it stands for.
pub(super) type Swept<S> = (Cell, S);

#[derive(Clone, Debug)]
pub(super) struct Sweep<S> {
    pub field: String,
    pub values: Vec<Swept<S>>,
}

#[derive(Clone, Debug)]
pub(super) struct Sweeps<S>(Vec<Sweep<S>>);

impl<S> Sweeps<S> {
    /// Returns a grid without varied fields, which has one cell.
    pub fn none() -> Sweeps<S> {
        Sweeps(Vec::new())
    }

    /// Adds a field; `read` parses its values: a list, `1..6`, `8-1,9-1` or `{ from = 1, to = 6 }`.
    pub fn add(
        &mut self,
        field: String,
        key: &Spanned<String>,
        node: &Node,
        mut read: impl FnMut(&Node) -> Result<Swept<S>, Fault>,
    ) -> Result<(), Fault> {
        if self.sweeps(&field) {
            return Err(twice(&field, key));
        }
        let name = &key.value;
        let single = || {
            let fault = node.place.fault(format!("`{name}` in [grid] must be a list or a range"));
            fault.help("write [1, 2, 3], \"1,2,3\" or \"1..6\"; put a single value in [base]")
        };
        let items = match &node.raw {
            Raw::List(list) => list.clone(),
            Raw::Table(_) => range(node)?,
            // A text that is a single valid value is not split, even if it has commas.
            Raw::Text(text) if read(node).is_err() => in_text(node, text)?.ok_or_else(single)?,
            _ => return Err(single()),
        };
        let values = items.iter().map(read).collect::<Result<Vec<Swept<S>>, Fault>>()?;
        self.push(field, name, values).map_err(|(item, message)| match items.get(item) {
            Some(item) => item.place.fault(message),
            None => node.place.fault(message),
        })
    }

    /// Adds a varied field, `name` in messages. Fails with the index of the first unfit value.
    pub fn push(
        &mut self,
        field: String,
        name: &str,
        values: Vec<Swept<S>>,
    ) -> Result<(), (usize, String)> {
        if values.is_empty() {
            return Err((0, format!("the list of `{name}` is empty")));
        }
        let kind = column(&values);
        let mut seen = BTreeSet::new();
        for (item, (cell, _)) in values.iter().enumerate() {
            if column_of(cell).is_some_and(|other| other != kind) {
                return Err((item, format!("the values of `{name}` are of different types")));
            }
            if !seen.insert(cell.text()) {
                return Err((item, format!("`{name}` has this value twice")));
            }
        }
        self.0.push(Sweep { field, values });
        Ok(())
    }

    pub fn sweeps(&self, field: &str) -> bool {
        self.0.iter().any(|sweep| sweep.field == field)
    }

    /// Fails if the grid has more than `most` cells; `text` is the text of the study file.
    pub fn few_enough(&self, text: &str, most: usize) -> Result<(), Fault> {
        match self.0.iter().try_fold(1usize, |cells, sweep| cells.checked_mul(sweep.values.len())) {
            Some(cells) if cells <= most => Ok(()),
            _ => {
                let place = from_toml::key(text, "grid").unwrap_or(SourcePosition::whole(0..0));
                Err(place.fault(format!("the grid has more than {most} cells")))
            }
        }
    }

    pub fn all(&self) -> &[Sweep<S>] {
        &self.0
    }

    pub fn cells(&self) -> usize {
        self.0.iter().map(|sweep| sweep.values.len()).product()
    }

    /// Returns the names of the varied fields with the types of their columns.
    pub fn columns(&self) -> Vec<(String, Column)> {
        self.0.iter().map(|sweep| (sweep.field.clone(), column(&sweep.values))).collect()
    }

    /// Describes the study in one line: `check of stack 3x 4-6-7, over mc 0, 1, 2`.
    pub fn in_words(&self, kind: &str, shared: Map<String, Value>) -> String {
        let plain = |(field, value): (String, Value)| match value {
            Value::String(text) => Some(format!("{field} {text}")),
            Value::Number(_) | Value::Bool(_) => Some(format!("{field} {value}")),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        let shared: Vec<String> = shared.into_iter().filter_map(plain).collect();
        let swept = |sweep: &Sweep<S>| {
            let mut texts: Vec<String> = sweep.values.iter().map(|(cell, _)| value(cell)).collect();
            let hidden = texts.len().saturating_sub(SHOWN_VALUES);
            if hidden > 0 {
                texts.splice(SHOWN_VALUES / 2..SHOWN_VALUES / 2 + hidden, ["...".to_string()]);
            }
            format!("{} {}", sweep.field, texts.join(", "))
        };
        let swept: Vec<String> = self.0.iter().map(swept).collect();
        let (of, over) = (shared.join(", "), swept.join("; "));
        match (of.is_empty(), over.is_empty()) {
            (true, true) => kind.to_string(),
            (true, false) => format!("{kind} over {over}"),
            (false, true) => format!("{kind} of {of}"),
            (false, false) => format!("{kind} of {of}, over {over}"),
        }
    }

    pub fn to_json(&self) -> Map<String, Value> {
        let values = |sweep: &Sweep<S>| sweep.values.iter().map(|(cell, _)| json!(cell)).collect();
        self.0.iter().map(|sweep| (sweep.field.clone(), values(sweep))).collect()
    }

    /// Returns the varied fields of grid cell `case` (0-based), each with its value.
    pub fn cell(&self, case: usize) -> impl Iterator<Item = (&str, &Swept<S>)> {
        let mut below = self.cells();
        self.0.iter().map(move |sweep| {
            below /= sweep.values.len();
            (sweep.field.as_str(), &sweep.values[case / below % sweep.values.len()])
        })
    }

    /// Returns the values of grid cell `case` (0-based), as printed in the table.
    pub fn cells_of(&self, case: usize) -> Vec<Cell> {
        self.cell(case).map(|(_, (cell, _))| cell.clone()).collect()
    }
}

fn column<S>(values: &[Swept<S>]) -> Column {
    values.iter().find_map(|(cell, _)| column_of(cell)).unwrap_or(Column::Text)
}

fn column_of(cell: &Cell) -> Option<Column> {
    Some(match cell {
        Cell::Integer(_) => Column::Integer,
        Cell::Float(_) => Column::Float,
        Cell::Boolean(_) => Column::Boolean,
        Cell::Text(_) => Column::Text,
        Cell::Null => return None,
    })
}

/// Splits a text into values, each with its place in the file; `None` if the text is not a list.
fn in_text(node: &Node, text: &str) -> Result<Option<Vec<Node>>, Fault> {
    let values = values(text, MAX_CELLS).map_err(|fault| node.place.blamed(fault))?;
    let value = |(value, place): (String, _)| {
        let raw = match Owned::from(setting(&value)) {
            Owned::Text(text) => Raw::Text(text),
            Owned::Integer(number) => Raw::Integer(number),
            Owned::Boolean(value) => Raw::Boolean(value),
        };
        item(node, raw, node.place.part(place))
    };
    Ok(values.map(|values| values.into_iter().map(value).collect()))
}

/// Expands a range to its numbers; each has the place of the range in the file.
fn range(node: &Node) -> Result<Vec<Node>, Fault> {
    let RangeTable { from, to, step } = RangeTable::read_node("a range", node)?;
    let missing = |name: &str| node.place.fault(format!("the range has no `{name}`"));
    let from = from.ok_or_else(|| missing("from"))?.number();
    let to = to.ok_or_else(|| missing("to"))?.number();
    let numbers = numbers(from, to, step.number(), MAX_CELLS)
        .map_err(|fault| Fault { span: node.place.span.clone(), ..fault })?;
    let number = |number| item(node, Raw::Integer(number), node.place.span.clone());
    Ok(numbers.map(number).collect())
}

fn item(node: &Node, raw: Raw, place: Range<usize>) -> Node {
    let place = SourcePosition::whole(place);
    Node { raw, place, title: String::new(), notation: node.notation }
}
