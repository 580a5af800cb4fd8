//! What a grid sweeps: fields, each with its values. A cell has one value of each, and the last
//! field runs fastest.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::table::{Cell, Column};
use engine::text::Fault;
use files::from_toml;
use files::written::twice;
use system::field::{Given as _, Whole, fields};
use system::node::{Node, Place, Raw, Spanned};

/// Most cells of one study.
pub const MAX_CELLS: usize = 1_000_000;

type Bound = Whole<-1_000_000, 1_000_000>;

fields! {
    /// A range of whole numbers.
    table RangeTable {
        "from" from: Option<Bound>, "the first";
        "to" to: Option<Bound>, "the last, if the steps lead there";
        "step" step: Whole<1, 1_000_000> = "1", "how far from one to the next";
    }
}

/// A value as it stands in the table, and what it sets.
pub(super) type Swept<S> = (Cell, S);

/// One swept field.
#[derive(Clone, Debug)]
pub(super) struct Sweep<S> {
    pub field: String,
    pub values: Vec<Swept<S>>,
}

/// The swept fields of a grid.
#[derive(Clone, Debug)]
pub(super) struct Sweeps<S>(Vec<Sweep<S>>);

impl<S> Sweeps<S> {
    /// A grid of one cell.
    pub fn none() -> Sweeps<S> {
        Sweeps(Vec::new())
    }

    /// Sweeps a field over the values of a list, or of `{ from = 1, to = 6, step = 1 }`, each of
    /// which is read.
    pub fn add(
        &mut self,
        field: String,
        key: &Spanned<String>,
        node: &Node,
        read: impl FnMut(&Node) -> Result<Swept<S>, Fault>,
    ) -> Result<(), Fault> {
        if self.sweeps(&field) {
            return Err(twice(&field, key));
        }
        let name = &key.value;
        let items = match &node.raw {
            Raw::List(list) => list.clone(),
            Raw::Table(_) => range(node)?,
            _ => {
                let fault =
                    node.place.fault(format!("`{name}` in [grid] must be a list or a range"));
                return Err(fault
                    .help("[1, 2, 3], or { from = 1, to = 6 }; a single value belongs in [base]"));
            }
        };
        let values = items.iter().map(read).collect::<Result<Vec<Swept<S>>, Fault>>()?;
        let Some((first, _)) = values.first() else {
            return Err(node.place.fault(format!("`{name}` sweeps nothing: the list is empty")));
        };
        let mut told = BTreeSet::new();
        for (item, (cell, _)) in items.iter().zip(&values) {
            if column(cell) != column(first) {
                return Err(item
                    .place
                    .fault(format!("the values of `{name}` are of different types")));
            }
            if !told.insert(cell.text()) {
                return Err(item.place.fault(format!("`{name}` names this value twice")));
            }
        }
        self.0.push(Sweep { field, values });
        Ok(())
    }

    /// Whether a field is swept.
    pub fn sweeps(&self, field: &str) -> bool {
        self.0.iter().any(|sweep| sweep.field == field)
    }

    /// Fails where there are more than [`MAX_CELLS`]; `text` is that of the file.
    pub fn few_enough(&self, text: &str) -> Result<(), Fault> {
        match self.0.iter().try_fold(1usize, |cells, sweep| cells.checked_mul(sweep.values.len())) {
            Some(cells) if cells <= MAX_CELLS => Ok(()),
            _ => {
                let place = from_toml::key(text, "grid").unwrap_or(Place::whole(0..0));
                Err(place.fault(format!("the grid has more than {MAX_CELLS} cells")))
            }
        }
    }

    /// All of them.
    pub fn all(&self) -> &[Sweep<S>] {
        &self.0
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.0.iter().map(|sweep| sweep.values.len()).product()
    }

    /// The fields, with the kinds of their columns.
    pub fn columns(&self) -> Vec<(&str, Column)> {
        self.0.iter().map(|sweep| (sweep.field.as_str(), column(&sweep.values[0].0))).collect()
    }

    /// The fields with their values, as JSON.
    pub fn told(&self) -> Map<String, Value> {
        let values = |sweep: &Sweep<S>| sweep.values.iter().map(|(cell, _)| json!(cell)).collect();
        self.0.iter().map(|sweep| (sweep.field.clone(), values(sweep))).collect()
    }

    /// The fields of a cell, from 0, each with its value.
    pub fn of(&self, case: usize) -> impl Iterator<Item = (&str, &Swept<S>)> {
        let mut below = self.cells();
        self.0.iter().map(move |sweep| {
            below /= sweep.values.len();
            (sweep.field.as_str(), &sweep.values[case / below % sweep.values.len()])
        })
    }

    /// The values of a cell, as they stand in the table.
    pub fn cells_of(&self, case: usize) -> Vec<Cell> {
        self.of(case).map(|(_, (cell, _))| cell.clone()).collect()
    }
}

/// The column that a swept value needs.
fn column(cell: &Cell) -> Column {
    match cell {
        Cell::Integer(_) => Column::Integer,
        Cell::Float(_) => Column::Float,
        Cell::Boolean(_) => Column::Boolean,
        Cell::Text(_) | Cell::Null => Column::Text,
    }
}

/// The numbers of a range, each in the place of the whole.
fn range(node: &Node) -> Result<Vec<Node>, Fault> {
    let RangeTable { from, to, step } = RangeTable::read_node("a range", node)?;
    let missing = |name: &str| node.place.fault(format!("the range has no `{name}`"));
    let from = from.ok_or_else(|| missing("from"))?.number();
    let to = to.ok_or_else(|| missing("to"))?.number();
    if from > to {
        return Err(node
            .place
            .fault(format!("the range runs from {from} down to {to}"))
            .help("`from` must not be above `to`"));
    }
    let step = step.number();
    if (to - from) / step >= MAX_CELLS as i64 {
        return Err(node.place.fault(format!("the range has more than {MAX_CELLS} numbers")));
    }
    let place = Place::whole(node.place.span.clone());
    let number = |number| Node {
        raw: Raw::Integer(number),
        place: place.clone(),
        title: String::new(),
        notation: node.notation,
    };
    Ok((from..=to).step_by(step as usize).map(number).collect())
}
