//! Steps of a sequence in a file.

use super::values::in_step;
use crate::system::Kind;
use crate::system::draft::DO;
use crate::system::node::{Node, Raw, Spanned};
use crate::text::Fault;

/// The fields of each `[[step]]`, with the step's number in front; what the step does comes first.
pub(super) fn step_entries<'a>(steps: Option<&'a Node>, kind: &'static Kind) -> Result<Vec<(Spanned<String>, &'a Node)>, Fault> {
    let Some(node) = steps else { return Ok(Vec::new()) };
    let in_brackets = |node: &Node| node.place.fault("a step begins with `[[step]]`, in double brackets");
    let Raw::List(steps) = &node.raw else { return Err(in_brackets(node)) };
    let form = kind.form();
    if !form.has_steps() {
        let fault = node.place.fault(format!("a `{}` has no steps", kind.name));
        return Err(fault.help("question = \"sequence\""));
    }
    let mut entries = Vec::new();
    for (number, step) in (1..).zip(steps) {
        let Raw::Table(fields) = &step.raw else { return Err(in_brackets(step)) };
        let (deed, others): (Vec<_>, Vec<_>) = fields.iter().partition(|(key, _)| key.value == DO);
        if deed.is_empty() {
            let fault = step.place.fault(format!("step {number} does not say what it does"));
            let deeds: Vec<&str> = form.steps().into_iter().map(|(deed, _)| deed).collect();
            let (first, others) = deeds.split_first().map_or(("", &[][..]), |(first, others)| (*first, others));
            return Err(fault.help(format!("do = \"{first}\", or {}", others.join(", "))));
        }
        entries.extend(deed.into_iter().chain(others).map(|(key, node)| (in_step(number, key), node)));
    }
    Ok(entries)
}
