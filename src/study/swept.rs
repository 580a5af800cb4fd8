//! A swept field of a grid: a list of values, or a range.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::keys::{self, Key, entry, known_keys, whole_number};
use super::values::{Owned, Placed};
use crate::system::form::Form;
use crate::text::Fault;

/// One swept field.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    pub field: String,
    pub values: Vec<Placed>,
}

impl Sweep {
    /// The values of a swept field: a list, or `{ from = 1, to = 6, step = 1 }`.
    pub fn read<F: Form>(text: &str, field: String, key: &Key, value: &keys::Value, probe: &F) -> Result<Sweep, Fault> {
        let values = match value.get_ref() {
            DeValue::Array(list) => {
                list.iter().map(|item| Placed::tried(text, key, value, item, probe)).collect::<Result<Vec<_>, _>>()?
            }
            DeValue::Table(range) => {
                let numbers = range_values(range, value.span())?;
                let placed = |number| Placed { value: Owned::Integer(number), span: value.span() };
                let placed: Vec<Placed> = numbers.into_iter().map(placed).collect();
                for placed in &placed {
                    probe.clone().set(key.get_ref(), placed.value.value()).map_err(|fault| placed.blamed(text, fault))?;
                }
                placed
            }
            _ => {
                let fault = Fault::new(format!("`{}` in [grid] must be a list or a range", key.get_ref()), value.span());
                return Err(fault.help("[1, 2, 3], or { from = 1, to = 6 }; a single value belongs in [base]"));
            }
        };
        let Some(first) = values.first() else {
            return Err(Fault::new(format!("`{}` sweeps nothing: the list is empty", key.get_ref()), value.span()));
        };
        if let Some(other) = values.iter().find(|placed| placed.value.kind() != first.value.kind()) {
            return Err(Fault::new(format!("the values of `{}` are of different types", key.get_ref()), other.span.clone()));
        }
        for (place, placed) in values.iter().enumerate() {
            if values[..place].iter().any(|earlier| earlier.value == placed.value) {
                return Err(Fault::new(format!("`{}` names this value twice", key.get_ref()), placed.span.clone()));
            }
        }
        Ok(Sweep { field, values })
    }
}

fn range_values(range: &DeTable, span: Range<usize>) -> Result<Vec<i64>, Fault> {
    known_keys(range, &["from", "to", "step"], "a range")?;
    let bound = |name| {
        let value = entry(range, name).ok_or_else(|| Fault::new(format!("the range has no `{name}`"), span.clone()))?;
        whole_number(value, name, -1_000_000, 1_000_000)
    };
    let (from, to) = (bound("from")?, bound("to")?);
    let step = entry(range, "step").map_or(Ok(1), |step| whole_number(step, "step", 1, 1_000_000))?;
    if from > to {
        return Err(Fault::new(format!("the range runs from {from} down to {to}"), span).help("`from` must not be above `to`"));
    }
    Ok((from..=to).step_by(step as usize).collect())
}
