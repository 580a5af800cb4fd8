//! A question as a file writes it: its fields, each with its position.

use super::steps::step_entries;
use super::tables::SequenceTable;
use super::values::{Located, blamed, nested_entries, tried};
use crate::dyn_question::DynQuestion;
use crate::form::Form;
use engine::text::notation::text_field;
use engine::text::{Fault, canonical};
use schema::field::names;
use schema::from_toml;
use schema::{Entry, FieldFault, Node, QuestionTable, Spanned};

/// A question that is being read, or the part that several questions share.
#[derive(Clone, Debug)]
pub struct PartialQuestion {
    form: Box<dyn Form>,
    fields: Vec<(String, Located)>,
}

impl PartialQuestion {
    /// Creates a question of this kind without fields.
    pub fn new(form: Box<dyn Form>) -> PartialQuestion {
        PartialQuestion { form, fields: Vec::new() }
    }

    /// Creates a question of this kind with its steps.
    ///
    /// # Errors
    ///
    /// Fails at the position of the first step or field that is not valid.
    pub fn of_steps(form: Box<dyn Form>, steps: Option<&Node>) -> Result<PartialQuestion, Fault> {
        let mut written = PartialQuestion::new(form);
        step_entries(steps, written.form())?
            .iter()
            .try_for_each(|(key, node)| written.add(key, node))?;
        Ok(written)
    }

    /// Declares further keys that may occur in the same table. Messages suggest them too.
    pub fn with_keys(mut self, names: &[&'static str]) -> PartialQuestion {
        self.form.allow_keys(names);
        self
    }

    /// Adds the fields of a table.
    ///
    /// # Errors
    ///
    /// Fails at the position of the first field that is unknown, repeated or not accepted.
    pub fn with(mut self, fields: &[Entry]) -> Result<PartialQuestion, Fault> {
        fields.iter().try_for_each(|(key, node)| self.add(key, node))?;
        Ok(self)
    }

    /// Reads a file of one question, such as a sequence: its steps, and other fields at the top.
    ///
    /// # Errors
    ///
    /// Fails at the position of the first fault: invalid TOML, another kind of question, or a step
    /// or field that is not valid.
    pub fn of_file(text: &str, form: Box<dyn Form>) -> Result<PartialQuestion, Fault> {
        let kind = form.kind().name;
        let title = if form.has_steps() { "a sequence" } else { "a question" };
        let QuestionTable { fields: SequenceTable { steps, question, .. }, entries } =
            from_toml::read(text, title)?;
        if let Some(Spanned { value, place }) = question.filter(|one| canonical(&one.value) != kind)
        {
            let fault = place.fault(format!("this file asks a `{value}`, not a `{kind}`"));
            return Err(fault.help(text_field("question", kind)));
        }
        PartialQuestion::of_steps(form, steps.as_ref())?
            .with_keys(&names::<SequenceTable>())
            .with(&entries)
    }

    /// Adds a field.
    ///
    /// # Errors
    ///
    /// Fails at the position of the field if it is unknown, repeated or not accepted.
    pub fn add(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        if let Some(entries) = nested_entries(key, node, self.form()) {
            return entries.iter().try_for_each(|(key, node)| self.add(key, node));
        }
        let field = self.new_field(key)?;
        let placed = tried(key, node, node, self.form())?;
        self.form
            .set(&key.value, placed.value.value())
            .map_err(|fault| placed.place.blamed(fault))?;
        self.fields.push((field, placed));
        Ok(())
    }

    /// Returns the canonical name of a field that the question does not have yet.
    ///
    /// # Errors
    ///
    /// Fails at the position of the key if the question already has the field.
    pub fn new_field(&self, key: &Spanned<String>) -> Result<String, Fault> {
        let field = self.form.canonical_field(&key.value);
        let is_known = |name: &str| self.fields.iter().any(|(known, _)| known == name);
        if is_known(&field) {
            return Err(twice(&field, key));
        }
        let other = self.form.kind().other_names(&field).find(|other| is_known(other));
        match other {
            Some(other) => Err(key.place.either(&field, other)),
            None => Ok(field),
        }
    }

    /// Returns the form as filled in so far.
    pub fn form(&self) -> &dyn Form {
        self.form.as_ref()
    }

    /// Returns the fields in the order of the file.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Located)> {
        self.fields.iter().map(|(field, placed)| (field.as_str(), placed))
    }

    /// Finishes the question without checking that it can be answered.
    ///
    /// # Errors
    ///
    /// Fails at the position of the field that does not fit the others.
    pub fn finish(&self) -> Result<Box<dyn DynQuestion>, Fault> {
        self.form.finish().map_err(|error| self.place_fault(error))
    }

    /// Finishes the question and checks that it can be answered.
    ///
    /// # Errors
    ///
    /// Fails at the position of the field that does not fit the others, or if the question needs an
    /// objective to be answered.
    pub fn question(&self) -> Result<Box<dyn DynQuestion>, Fault> {
        let question = self.finish()?;
        question.answerable().map_err(|error| self.place_fault(error))?;
        Ok(question)
    }

    /// Moves the fault of a finished form to its position in the file.
    pub fn place_fault(&self, error: FieldFault) -> Fault {
        blamed(&self.fields().collect::<Vec<_>>(), error)
    }
}

/// Creates the fault of a field that occurs twice in a file.
pub fn twice(field: &str, key: &Spanned<String>) -> Fault {
    key.place.fault(format!("`{field}` is given twice")).help("keep one of them")
}
