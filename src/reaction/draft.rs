//! A question being filled in, field by field.

use super::kinds::{Ask, Deed, Entry, Sheet};
use super::question::Question;
use super::rules::Rules;
use crate::system::form::{FieldFault, Form, Value};
use crate::system::{Kind, Parameter};
use crate::text::{Fault, canonical};

/// Most steps of a sequence.
pub const MAX_STEPS: usize = 60;

/// A question being filled in.
#[derive(Clone, Debug)]
pub struct Draft {
    pub(super) ask: Ask,
    pub(super) rules: Rules,
    pub(super) sheet: Sheet,
    pub(super) steps: Vec<(Deed, Sheet)>,
}

impl Draft {
    /// A question with every field at its default.
    pub fn new(kind: &Kind) -> Draft {
        Draft { ask: Ask::of(kind), rules: Rules::default(), sheet: Sheet::default(), steps: Vec::new() }
    }

    fn has_field(&self, name: &str) -> Option<&'static Entry> {
        self.ask.entries().find(|entry| entry.name == name)
    }

    fn unknown(&self, field: &str) -> Fault {
        let names = self.ask.entries().map(|entry| entry.name).chain(Rules::PARAMETERS.iter().map(|parameter| parameter.name));
        let fault = Fault::new(format!("`{}` has no field `{field}`", self.ask.kind().name), 0..0);
        match crate::text::nearest(field, names) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => {
                let names: Vec<&str> = self.ask.entries().map(|entry| entry.name).collect();
                fault.help(format!("valid: {}, and the parameters", names.join(", ")))
            }
        }
    }

    /// `2.target`: the number of the step, and the field.
    fn of_step(&self, name: &str) -> Option<(usize, String)> {
        let (number, field) = name.split_once('.').filter(|_| self.ask == Ask::Sequence)?;
        Some((number.parse().ok()?, field.to_string()))
    }

    fn set_in_step(&mut self, number: usize, name: &str, value: Value) -> Result<(), Fault> {
        let steps = self.steps.len();
        if name == "do" {
            let refuse = |message: String| Err(Fault::new(message, value.span()));
            return match number {
                _ if number > MAX_STEPS => refuse(format!("a sequence has at most {MAX_STEPS} steps")),
                _ if number != steps + 1 => refuse(format!("step {number} does not follow on {}", counted(steps))),
                _ => {
                    self.steps.push((Deed::named(value.text("do")?)?, Sheet::default()));
                    Ok(())
                }
            };
        }
        let step = number.checked_sub(1).and_then(|place| self.steps.get_mut(place));
        let (deed, sheet) =
            step.ok_or_else(|| Fault::new(format!("there is no step {number}: the sequence has {}", counted(steps)), 0..0))?;
        let entry = deed.entries().find(|entry| entry.name == name).ok_or_else(|| {
            let fault = Fault::new(format!("a step that does `{}` has no field `{name}`", deed.name()), 0..0);
            fault.expecting(name, deed.entries().map(|entry| entry.name))
        })?;
        sheet.set(entry, value)
    }
}

fn counted(steps: usize) -> String {
    if steps == 1 { "1 step".to_string() } else { format!("{steps} steps") }
}

impl Form for Draft {
    type Filled = Question;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        let name = canonical(field);
        if Rules::knows(&name) {
            return self.rules.set(&name, value);
        }
        if let Some((number, name)) = self.of_step(&name) {
            return self.set_in_step(number, &name, value);
        }
        let entry = self.has_field(&name).ok_or_else(|| self.unknown(field))?;
        self.sheet.set(entry, value)
    }

    fn knows(&self, field: &str) -> bool {
        let name = canonical(field);
        let in_step = |(number, name): (usize, String)| {
            let step = number.checked_sub(1).and_then(|place| self.steps.get(place));
            name == "do" || step.is_some_and(|(deed, _)| deed.entries().any(|entry| entry.name == name))
        };
        Rules::knows(&name) || self.has_field(&name).is_some() || self.of_step(&name).is_some_and(in_step)
    }

    fn canonical_field(field: &str) -> String {
        canonical(field)
    }

    fn finish(&self) -> Result<Question, FieldFault> {
        Question::of(self)
    }

    fn setting(field: &str) -> Option<&'static str> {
        Parameter::named(field, Rules::PARAMETERS).ok().map(|parameter| parameter.name)
    }

    fn check_setting(name: &str, _value: &str) -> Result<(), Fault> {
        Parameter::named(name, Rules::PARAMETERS).map(drop)
    }

    const EXAMPLE: &'static str = "dp-rule=all-if-more";

    fn deeds(&self) -> Vec<&'static str> {
        if self.ask == Ask::Sequence { Deed::ALL.map(Deed::name).to_vec() } else { Vec::new() }
    }
}
