//! The steps of a sequence in a file.

use super::values::in_step;
use crate::form::Form;
use engine::text::Fault;
use engine::text::notation::{each, shown, text_field};
use schema::common_fields::DO;
use schema::{Node, Raw, Spanned};

/// Returns the fields of each `[[step]]`, named by its number: `2.fp`, its action first.
pub(super) fn step_entries<'a>(
    steps: Option<&'a Node>,
    form: &dyn Form,
) -> Result<Vec<(Spanned<String>, &'a Node)>, Fault> {
    let Some(node) = steps else { return Ok(Vec::new()) };
    let no_step = |must_be: &str, node: &Node| {
        let fault = node.place.fault(format!("{must_be}, not {}", node.kind()));
        fault.help(shown("for example {}", [each("step", &[(DO, "rally")])]))
    };
    let Raw::List(steps) = &node.raw else {
        return Err(no_step("`step` must be a list of steps", node));
    };
    if !form.has_steps() {
        let fault = node.place.fault(format!("a `{}` question has no steps", form.kind().name));
        return Err(fault.help("a `sequence` has"));
    }
    let mut entries = Vec::new();
    for (number, step) in (1..).zip(steps) {
        let Raw::Table(fields) = &step.raw else {
            return Err(no_step(&format!("a step must be {}", step.notation.table()), step));
        };
        let (step_kind, others): (Vec<_>, Vec<_>) =
            fields.iter().partition(|(key, _)| key.value == DO);
        if step_kind.is_empty() {
            let fault = step.place.fault(format!("step {number} has no `do`"));
            let step_kinds: Vec<&str> = form.steps().iter().map(|kind| kind.name).collect();
            let (first, others) =
                step_kinds.split_first().map_or(("", &[][..]), |(first, others)| (*first, others));
            return Err(fault
                .help(shown(format!("{{}}, or {}", others.join(", ")), [text_field(DO, first)])));
        }
        entries.extend(
            step_kind.into_iter().chain(others).map(|(key, node)| (in_step(number, key), node)),
        );
    }
    Ok(entries)
}
