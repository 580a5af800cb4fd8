//! The objective of a file.

use crate::objective::{Objective, Weights, examples};
use engine::text::Fault;
use schema::{Kind, Measure};

/// Reads the required key `objective`.
///
/// # Errors
///
/// Fails if there is no objective, or if the objective is not valid for these measures and kinds.
pub fn read(
    weights: Option<&Weights>,
    measures: &'static [Measure],
    kinds: &[&'static Kind],
) -> Result<Objective, Fault> {
    let missing = || {
        let names = measures.iter().map(|measure| measure.name).collect::<Vec<_>>().join(", ");
        let message =
            format!("`objective` is missing: expected one of {names}, or weights of them");
        Fault::new(message, 0..0).help(examples(measures))
    };
    weights.ok_or_else(missing)?.objective(measures, kinds)
}

/// Creates the fault of a measure that answers of this kind do not have.
pub fn unknown_measure(
    kind: &Kind,
    measure: &str,
    measures: &[Measure],
    span: std::ops::Range<usize>,
) -> Fault {
    let names =
        measures.iter().map(|measure| measure.name).filter(|name| !kind.unreported.contains(name));
    let fault = Fault::new(format!("a `{}` has no measure `{measure}`", kind.name), span);
    fault.help(format!("valid: {}", names.collect::<Vec<_>>().join(", ")))
}
