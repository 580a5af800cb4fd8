//! The objective of a file: a name, or weights.

use toml::de::{DeTable, DeValue};

use super::keys::{self, entry, in_words, integer, within};
use crate::course::objective::{MAX_WEIGHT, Measure, Objective};
use crate::text::Fault;

const EXAMPLES: &str = "objective = \"good-order\", or { good-order = 1.0, cvp = -0.25 }";

/// Reads `objective`, which must be there.
pub(super) fn read(root: &DeTable) -> Result<Objective, Fault> {
    let value = entry(root, "objective").ok_or_else(|| {
        let measures = Measure::ALL.map(Measure::name).join(", ");
        Fault::new(format!("`objective` is missing: expected one of {measures}, or weights of them"), 0..0).help(EXAMPLES)
    })?;
    objective(value)
}

/// A name, or weights.
pub(super) fn objective(value: &keys::Value) -> Result<Objective, Fault> {
    let weights = match value.get_ref() {
        DeValue::String(text) => return Objective::named(text).map_err(within(value)),
        DeValue::Table(weights) => weights,
        other => {
            let message = format!("`objective` must be a name or weights, not {}", in_words(other));
            return Err(Fault::new(message, value.span()).help(EXAMPLES));
        }
    };
    let mut sum: Vec<(Measure, f64)> = Vec::new();
    for (key, value) in keys::in_file_order(Some(weights)) {
        let measure = Measure::named(key.get_ref()).map_err(|fault| Fault { span: key.span(), ..fault })?;
        if sum.iter().any(|(known, _)| *known == measure) {
            return Err(Fault::new(format!("`{}` is weighed twice", measure.name()), key.span()));
        }
        sum.push((measure, weight(value, measure)?));
    }
    let nothing = || Fault::new("the objective weighs nothing", value.span()).help(EXAMPLES);
    Objective::weighted(sum).ok_or_else(nothing)
}

fn weight(value: &keys::Value, measure: Measure) -> Result<f64, Fault> {
    let number = match value.get_ref() {
        DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
        DeValue::Integer(number) => Some(integer(number, &value.span())? as f64),
        _ => None,
    };
    number.filter(|number: &f64| number.abs() <= MAX_WEIGHT).ok_or_else(|| {
        Fault::new(
            format!("the weight of `{}` must be a number from -{MAX_WEIGHT} to {MAX_WEIGHT}", measure.name()),
            value.span(),
        )
    })
}
