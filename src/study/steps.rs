//! Steps of a sequence in a file, and the sequence file, which is one question in steps.

use toml::de::{DeTable, DeValue};

use super::file::Study;
use super::keys::{Key, Value, document, entry, in_file_order};
use super::values::in_step;
use crate::asl::question::{Draft, Kind};
use crate::system::form::Form;
use crate::text::Fault;

impl Study<Draft> {
    /// Reads a sequence file.
    pub fn parse_sequence(text: &str) -> Result<Study<Draft>, Fault> {
        Study::of_sequence(text, Kind::Sequence.name(), Draft::new(Kind::Sequence))
    }
}

impl<F: Form> Study<F> {
    /// A sequence file: a study of one cell, with the fields of `[base]` at the top, and the steps.
    pub(super) fn of_sequence(text: &str, kind: &str, blank: F) -> Result<Study<F>, Fault> {
        let document = document(text)?;
        let root = document.get_ref();
        let mut probe = blank.clone();
        let mut study = Study::begin(text, root, blank)?;
        study.read_steps(root, kind, &mut probe)?;
        for (key, value) in in_file_order(Some(root)) {
            if !["about", "step"].contains(&key.get_ref().as_ref()) {
                study.add_base(key, value, &mut probe)?;
            }
        }
        Ok(study)
    }

    /// `[[step]]`: each field becomes one of the base; `kind` is what is asked.
    pub(super) fn read_steps(&mut self, root: &DeTable, kind: &str, probe: &mut F) -> Result<(), Fault> {
        let misplaced = entry(root, "step").filter(|steps| matches!(steps.get_ref(), DeValue::Array(_)) && !probe.has_steps());
        if let Some(steps) = misplaced {
            let fault = Fault::new(format!("a `{kind}` has no steps"), steps.span());
            return Err(fault.help("question = \"sequence\""));
        }
        step_entries(root, &probe.deeds())?.iter().try_for_each(|(key, value)| self.add_base(key, value, probe))
    }
}

/// The fields of each `[[step]]`, with the step's number in front; what the step does comes first.
pub(super) fn step_entries<'a, 'i>(root: &'a DeTable<'i>, deeds: &[&str]) -> Result<Vec<(Key<'i>, &'a Value<'i>)>, Fault> {
    let Some((steps, span)) = entry(root, "step").map(|value| (value.get_ref(), value.span())) else { return Ok(Vec::new()) };
    let DeValue::Array(steps) = steps else {
        return Err(Fault::new("a step begins with `[[step]]`, in double brackets", span));
    };
    let mut entries = Vec::new();
    for (number, step) in (1..).zip(steps.iter()) {
        let DeValue::Table(fields) = step.get_ref() else {
            return Err(Fault::new("a step begins with `[[step]]`, in double brackets", step.span()));
        };
        let mut fields = in_file_order(Some(fields));
        fields.sort_by_key(|(key, _)| key.get_ref() != "do");
        if fields.first().is_none_or(|(key, _)| key.get_ref() != "do") {
            let fault = Fault::new(format!("step {number} does not say what it does"), step.span());
            let (first, others) = deeds.split_first().map_or(("", &[][..]), |(first, others)| (*first, others));
            return Err(fault.help(format!("do = \"{first}\", or {}", others.join(", "))));
        }
        entries.extend(fields.into_iter().map(|(key, value)| (in_step(number, key), value)));
    }
    Ok(entries)
}
