//! A question as a file writes it: the fields it has, each with its place.

use super::from_toml::{self, Asked};
use super::steps::step_entries;
use super::tables::SequenceTable;
use super::values::{Field, Placed, blamed, tried};
use engine::text::Fault;
use system::Kind;
use system::asking::Asking;
use system::field::names;
use system::form::{FieldFault, Form};
use system::node::{Entry, Node, Spanned};

/// A question that is being read, or a part of one that others share.
#[derive(Clone, Debug)]
pub struct Written {
    form: Box<dyn Form>,
    fields: Vec<Field>,
}

impl Written {
    /// A question of that kind of which nothing is written yet.
    pub fn blank(kind: &'static Kind) -> Written {
        Written { form: kind.form(), fields: Vec::new() }
    }

    /// A question of that kind with its steps.
    pub fn of_steps(kind: &'static Kind, steps: Option<&Node>) -> Result<Written, Fault> {
        let mut written = Written::blank(kind);
        step_entries(steps, kind)?.iter().try_for_each(|(key, node)| written.add(key, node))?;
        Ok(written)
    }

    /// The same beside other keys.
    pub fn beside(mut self, names: &[&'static str]) -> Written {
        self.form.beside(names);
        self
    }

    /// The same with these fields.
    pub fn with(mut self, fields: &[Entry]) -> Result<Written, Fault> {
        fields.iter().try_for_each(|(key, node)| self.add(key, node))?;
        Ok(self)
    }

    /// The question of a sequence file: its steps, its other fields at the top.
    pub fn of_sequence(text: &str, kind: &'static Kind) -> Result<Written, Fault> {
        let Asked { fields: SequenceTable { steps, .. }, entries } =
            from_toml::read(text, "a sequence")?;
        Written::of_steps(kind, steps.as_ref())?.beside(&names::<SequenceTable>()).with(&entries)
    }

    /// Adds a field.
    pub fn add(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        let field = self.new_field(key)?;
        let placed = tried(key, node, node, self.form())?;
        self.form
            .set(&key.value, placed.value.value())
            .map_err(|fault| placed.place.blamed(fault))?;
        self.fields.push((field, placed));
        Ok(())
    }

    /// The canonical name of a field that is not written yet.
    pub fn new_field(&self, key: &Spanned<String>) -> Result<String, Fault> {
        let field = self.form.canonical_field(&key.value);
        match self.fields.iter().any(|(known, _)| *known == field) {
            true => Err(twice(&field, key)),
            false => Ok(field),
        }
    }

    /// What is filled in so far.
    pub fn form(&self) -> &dyn Form {
        self.form.as_ref()
    }

    /// Its fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Placed)> {
        self.fields.iter().map(|(field, placed)| (field.as_str(), placed))
    }

    /// The finished question, whatever it may lack to be answered by itself.
    pub fn finish(&self) -> Result<Box<dyn Asking>, Fault> {
        self.form.finish().map_err(|error| self.place_fault(error))
    }

    /// The finished question, which can be answered.
    pub fn question(&self) -> Result<Box<dyn Asking>, Fault> {
        let question = self.finish()?;
        question.answerable().map_err(|error| self.place_fault(error))?;
        Ok(question)
    }

    /// A fault of the finished form, at the place in the file to blame.
    pub fn place_fault(&self, error: FieldFault) -> Fault {
        blamed(&self.fields().collect::<Vec<_>>(), error)
    }
}

/// The fault of a field that stands in a file a second time.
pub fn twice(field: &str, key: &Spanned<String>) -> Fault {
    key.place.fault(format!("`{field}` stands there twice")).help("keep it in one place")
}
