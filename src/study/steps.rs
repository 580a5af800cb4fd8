//! Steps of a sequence in a file, and the sequence file, which is one question in steps.

use super::file::Study;
use super::nodes::{self, Asked};
use super::tables::SequenceTable;
use super::values::in_step;
use crate::system::Kind;
use crate::system::draft::DO;
use crate::system::form::Form;
use crate::system::node::{Node, Raw, Spanned};
use crate::text::Fault;

impl Study {
    /// A sequence file: a study of one cell, with the fields of `[base]` at the top, and the steps.
    pub fn of_sequence(text: &str, kind: &'static Kind) -> Result<Study, Fault> {
        let Asked { fields: SequenceTable { about, steps }, entries } = nodes::read(text, "a sequence")?;
        let mut probe = kind.form();
        let mut study = Study::begin(text, about, kind.form());
        study.read_steps(steps.as_ref(), probe.as_mut())?;
        study.read_base(&entries, probe.as_mut())?;
        Ok(study)
    }

    /// `[[step]]`: each field becomes one of the base.
    pub(super) fn read_steps(&mut self, steps: Option<&Node>, probe: &mut dyn Form) -> Result<(), Fault> {
        step_entries(steps, probe)?.iter().try_for_each(|(key, node)| self.add_base(key, node, probe))
    }
}

/// The fields of each `[[step]]`, with the step's number in front; what the step does comes first.
pub(super) fn step_entries<'a>(steps: Option<&'a Node>, form: &dyn Form) -> Result<Vec<(Spanned<String>, &'a Node)>, Fault> {
    let Some(node) = steps else { return Ok(Vec::new()) };
    let in_brackets = |node: &Node| node.place.fault("a step begins with `[[step]]`, in double brackets");
    let Raw::List(steps) = &node.raw else { return Err(in_brackets(node)) };
    if !form.has_steps() {
        let fault = node.place.fault(format!("a `{}` has no steps", form.kind().name));
        return Err(fault.help("question = \"sequence\""));
    }
    let mut entries = Vec::new();
    for (number, step) in (1..).zip(steps) {
        let Raw::Table(fields) = &step.raw else { return Err(in_brackets(step)) };
        let (deed, others): (Vec<_>, Vec<_>) = fields.iter().partition(|(key, _)| key.value == DO);
        if deed.is_empty() {
            let fault = step.place.fault(format!("step {number} does not say what it does"));
            let deeds = form.deeds();
            let (first, others) = deeds.split_first().map_or(("", &[][..]), |(first, others)| (*first, others));
            return Err(fault.help(format!("do = \"{first}\", or {}", others.join(", "))));
        }
        entries.extend(deed.into_iter().chain(others).map(|(key, node)| (in_step(number, key), node)));
    }
    Ok(entries)
}
