//! The objective of a file: a name, or weights.

use toml::de::{DeTable, DeValue};

use super::keys::{self, entry, in_words, integer, within};
use crate::course::objective::{MAX_WEIGHT, Objective, measure_named};
use crate::system::Measure;
use crate::text::Fault;

/// Reads `objective`, which must be there.
pub(super) fn read(root: &DeTable, measures: &'static [Measure]) -> Result<Objective, Fault> {
    let value = entry(root, "objective").ok_or_else(|| {
        let names = measures.iter().map(|measure| measure.name).collect::<Vec<_>>().join(", ");
        let message = format!("`objective` is missing: expected one of {names}, or weights of them");
        Fault::new(message, 0..0).help(examples(measures))
    })?;
    objective(value, measures)
}

/// How an objective is written: the first measure, and a weight of the last beside it.
fn examples(measures: &[Measure]) -> String {
    let (first, last) = (measures[0], measures[measures.len() - 1]);
    format!(
        "objective = \"{}\", or {{ {} = {:?}, {} = {:?} }}",
        first.name,
        first.name,
        first.weight,
        last.name,
        last.weight / 4.0
    )
}

/// A name, or weights.
pub(super) fn objective(value: &keys::Value, measures: &'static [Measure]) -> Result<Objective, Fault> {
    let weights = match value.get_ref() {
        DeValue::String(text) => return Objective::named(text, measures).map_err(within(value)),
        DeValue::Table(weights) => weights,
        other => {
            let message = format!("`objective` must be a name or weights, not {}", in_words(other));
            return Err(Fault::new(message, value.span()).help(examples(measures)));
        }
    };
    let mut sum: Vec<(usize, f64)> = Vec::new();
    for (key, value) in keys::in_file_order(Some(weights)) {
        let measure = measure_named(key.get_ref(), measures).map_err(|fault| Fault { span: key.span(), ..fault })?;
        let name = measures[measure].name;
        if sum.iter().any(|(known, _)| *known == measure) {
            return Err(Fault::new(format!("`{name}` is weighed twice"), key.span()));
        }
        sum.push((measure, weight(value, name)?));
    }
    let nothing = || Fault::new("the objective weighs nothing", value.span()).help(examples(measures));
    Objective::weighted(sum, measures).ok_or_else(nothing)
}

fn weight(value: &keys::Value, name: &str) -> Result<f64, Fault> {
    let number = match value.get_ref() {
        DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
        DeValue::Integer(number) => Some(integer(number, &value.span())? as f64),
        _ => None,
    };
    number.filter(|number: &f64| number.abs() <= MAX_WEIGHT).ok_or_else(|| {
        let message = format!("the weight of `{name}` must be a number from -{MAX_WEIGHT} to {MAX_WEIGHT}");
        Fault::new(message, value.span())
    })
}
