//! A swept field of a grid: a list of values, or a range.

use crate::files::values::{Owned, Placed, tried};
use crate::system::field::{Given as _, Whole, fields};
use crate::system::form::Form;
use crate::system::node::{Node, Place, Raw, Spanned};
use crate::text::Fault;

type Bound = Whole<-1_000_000, 1_000_000>;

fields! {
    /// A range of whole numbers.
    table RangeTable {
        "from" from: Option<Bound>, "the first";
        "to" to: Option<Bound>, "the last, if the steps lead there";
        "step" step: Whole<1, 1_000_000> = "1", "how far from one to the next";
    }
}

/// One swept field.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    pub field: String,
    pub values: Vec<Placed>,
}

impl Sweep {
    /// The values of a swept field: a list, or `{ from = 1, to = 6, step = 1 }`.
    pub fn read(field: String, key: &Spanned<String>, node: &Node, probe: &dyn Form) -> Result<Sweep, Fault> {
        let name = &key.value;
        let values = match &node.raw {
            Raw::List(list) => list.iter().map(|item| tried(key, node, item, probe)).collect::<Result<Vec<_>, _>>()?,
            Raw::Table(_) => {
                let numbers = range_values(node)?;
                let place = Place::whole(node.place.span.clone());
                let placed = |number| Spanned { value: Owned::Integer(number), place: place.clone() };
                let placed: Vec<Placed> = numbers.into_iter().map(placed).collect();
                for placed in &placed {
                    probe.boxed().set(name, placed.value.value()).map_err(|fault| place.blamed(fault))?;
                }
                placed
            }
            _ => {
                let fault = node.place.fault(format!("`{name}` in [grid] must be a list or a range"));
                return Err(fault.help("[1, 2, 3], or { from = 1, to = 6 }; a single value belongs in [base]"));
            }
        };
        let Some(first) = values.first() else {
            return Err(node.place.fault(format!("`{name}` sweeps nothing: the list is empty")));
        };
        if let Some(other) = values.iter().find(|placed| placed.value.kind() != first.value.kind()) {
            return Err(other.place.fault(format!("the values of `{name}` are of different types")));
        }
        for (place, placed) in values.iter().enumerate() {
            if values[..place].iter().any(|earlier| earlier.value == placed.value) {
                return Err(placed.place.fault(format!("`{name}` names this value twice")));
            }
        }
        Ok(Sweep { field, values })
    }
}

fn range_values(node: &Node) -> Result<Vec<i64>, Fault> {
    let RangeTable { from, to, step } = RangeTable::read_node("a range", node)?;
    let missing = |name: &str| node.place.fault(format!("the range has no `{name}`"));
    let from = from.ok_or_else(|| missing("from"))?.number();
    let to = to.ok_or_else(|| missing("to"))?.number();
    if from > to {
        return Err(node.place.fault(format!("the range runs from {from} down to {to}")).help("`from` must not be above `to`"));
    }
    Ok((from..=to).step_by(step.number() as usize).collect())
}
