//! A question being filled in: one generic form for every game, built from the game's declarations.
//!
//! Fields of what happens belong to a step; a sequence puts its 1-based number in front: `2.fp`.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, json};

use super::canonical::{in_order, set_by, settings};
use super::dyn_question::{Depth, DynQuestion, PreparedQuestion, Solved};
use super::form::{Form, RuleReading};
use super::objective::Objective;
use super::playable::Playable;
use answer::{Options, Table};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::text::notation::Remedy;
use engine::text::{Fault, canonical, counted};
use schema::common_fields::{DO, GIVEN, POLICY};
use schema::field::single_spaced;
use schema::form::{named, unknown_name};
use schema::nested::{is_nested, part};
use schema::{
    Builder, Field, FieldFault, FieldSet, Json, Kind, Measure, Other, RawValue, Rules, Settable,
    StepKind, Takes, Word,
};

/// A form for kinds of questions that share their fields and one type of process.
pub trait QuestionForm: Sized + Clone + Send + Sync + 'static {
    /// The kinds of questions that the form covers.
    type QuestionKind: Word<Declaration = Kind>;
    /// The fields of the question, without those of its steps.
    type Head: FieldSet + Default;
    /// The actions that a step can have.
    type StepKind: Word<Declaration = StepKind>;
    /// The fields of a step.
    type Step: FieldSet + Default;
    /// The rule settings of the game.
    type Rules: Rules;
    /// The finished question.
    type Question: Playable + Send + 'static;

    /// Measures that an objective can weigh, the most important first.
    const MEASURES: &'static [Measure];
    /// Largest number of steps in a sequence.
    const MOST_STEPS: usize = 0;

    /// Returns the action of the only step of a kind; `None` for a sequence or without steps.
    fn step_kind(_: Self::QuestionKind) -> Option<Self::StepKind> {
        None
    }
    /// Returns advice for a field that a kind of question does not have.
    fn lacking(_: Self::QuestionKind, _field: &str) -> Option<Remedy> {
        None
    }
    /// Returns advice for a field that a step with this action does not have.
    fn instead(_: Self::StepKind, _field: &str, _value: RawValue) -> Option<Remedy> {
        None
    }
    /// Checks the fields against each other and returns the finished question.
    ///
    /// # Errors
    ///
    /// Fails if the fields do not make a valid question; the fault names the field.
    fn question(draft: &Draft<Self>) -> Result<Self::Question, FieldFault>;
    /// Returns [`Draft::prepared`]. Each game writes it out, so that the engines are compiled in
    /// its crate and not again in every crate that asks a question.
    ///
    /// # Errors
    ///
    /// Fails like [`QuestionForm::question`], and if the policy or the given dice do not fit.
    fn finish(draft: &Draft<Self>) -> Result<Box<dyn DynQuestion>, FieldFault>;
    /// Returns the alternative values of the rule setting `which`, or of all rule settings.
    ///
    /// # Errors
    ///
    /// Fails if `which` is not a rule setting, or that setting has no alternative value.
    fn others(draft: &Draft<Self>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        draft.rules.others(which)
    }
}

/// A question being filled in.
#[derive(Clone, Debug)]
pub struct Draft<T: QuestionForm> {
    pub ask: T::QuestionKind,
    pub head: T::Head,
    pub steps: Vec<StepDraft<T>>,
    /// Fields of steps that a question with steps gives at its top.
    pub shared: T::Step,
    pub rules: T::Rules,
    /// Name of the policy that makes the choices, if given.
    pub policy: Option<String>,
    /// Dice already rolled, written as in a script, if given.
    pub given: Option<String>,
    /// Notes on fields that were set by a further name.
    pub notes: Vec<String>,
    /// The kind that was asked before further steps made the question a sequence.
    pub begun: Option<T::QuestionKind>,
    /// Names of further keys that may stand beside the fields in a file.
    other_keys: Vec<&'static str>,
}

/// Returns the range of the next word of a text from a byte on, without dashes before an option.
fn next_word(text: &str, from: usize) -> Option<(Range<usize>, usize)> {
    let rest = &text[from..];
    let word = rest.trim_start();
    let start = from + rest.len() - word.len();
    let end = start + word.find(char::is_whitespace).unwrap_or(word.len());
    let dashes = if word.starts_with("--") { 2 } else { 0 };
    (start < end).then_some((start + dashes..end, end))
}

/// A step being filled in.
#[derive(Clone, Debug)]
pub struct StepDraft<T: QuestionForm> {
    pub step_kind: T::StepKind,
    pub fields: T::Step,
    /// Names of the fields that were set.
    pub given: Vec<&'static str>,
}

impl<T: QuestionForm> StepDraft<T> {
    /// Creates a step with every field at its default.
    pub fn new(step_kind: T::StepKind) -> StepDraft<T> {
        let mut fields = T::Step::default();
        for field in step_kind.declared().fields() {
            set_default(field, |value| field.set_in(&mut fields, field.name, value));
        }
        StepDraft { step_kind, fields, given: Vec::new() }
    }

    /// Sets a field.
    ///
    /// # Errors
    ///
    /// Fails if the step does not have the field, or does not accept the value.
    pub fn set(&mut self, name: &str, value: RawValue) -> Result<(), Fault> {
        if let Some(field) = self.field(name) {
            field.set_in(&mut self.fields, name, value)?;
            self.given.push(field.name);
            return Ok(());
        }
        let step_kind = self.step_kind.declared();
        let message = format!("a step that does `{}` has no field `{name}`", step_kind.name);
        let fault = Fault::new(message, 0..0);
        Err(match T::instead(self.step_kind, name, value) {
            Some(help) => fault.help(help),
            None => fault.expecting(name, step_kind.fields().map(|field| field.name)),
        })
    }

    fn field(&self, name: &str) -> Option<&'static Field> {
        self.step_kind.declared().fields().find(|field| field.is_called(name))
    }
}

fn set_default(field: &Field, set: impl FnOnce(RawValue) -> Result<(), Fault>) {
    if let Some(default) = field.default {
        set(field.takes.value(default))
            .unwrap_or_else(|fault| unreachable!("the default of `{}`: {fault}", field.name));
    }
}

impl<T: QuestionForm> Draft<T> {
    /// Creates a question with every field at its default.
    ///
    /// # Panics
    ///
    /// Panics if a declared default is not a valid value.
    pub fn new(ask: T::QuestionKind) -> Draft<T> {
        let steps = T::step_kind(ask).map(StepDraft::new).into_iter().collect();
        let mut draft = Draft {
            ask,
            head: T::Head::default(),
            steps,
            shared: T::Step::default(),
            rules: T::Rules::default(),
            policy: None,
            given: None,
            notes: Vec::new(),
            begun: None,
            other_keys: Vec::new(),
        };
        for field in draft.kind().fields() {
            set_default(field, |value| draft.set_declared(field, field.name, value));
        }
        draft
    }

    /// Creates a form of `kind`, or of the first kind, with every field at its default.
    pub fn blank(kind: &'static Kind) -> Box<dyn Form> {
        let is_meant = |ask: &&T::QuestionKind| ask.declared().name == kind.name;
        Box::new(Draft::<T>::new(
            *T::QuestionKind::ALL.iter().find(is_meant).unwrap_or(&T::QuestionKind::ALL[0]),
        ))
    }

    fn set_declared(&mut self, declared: &Field, name: &str, value: RawValue) -> Result<(), Fault> {
        if self.head.has(declared.name) {
            return declared.set_in(&mut self.head, name, value);
        }
        let has_one = T::step_kind(self.begun.unwrap_or(self.ask)).is_some();
        match self.steps.first_mut().filter(|_| has_one) {
            Some(step) => declared.set_in(&mut step.fields, name, value),
            None => declared.set_in(&mut self.shared, name, value),
        }
    }

    /// Returns the canonical value of a declared field, of the question or of its only step.
    pub(super) fn value_json(&self, name: &str) -> Json {
        let has_one = T::step_kind(self.ask).is_some();
        match self.steps.first().filter(|_| has_one) {
            _ if self.head.has(name) => self.head.value_json(name),
            Some(step) => step.fields.value_json(name),
            None => self.shared.value_json(name),
        }
    }

    fn unknown(&self, field: &str, value: RawValue) -> Fault {
        let fault = Fault::new(format!("`{}` has no field `{field}`", self.kind().name), 0..0);
        let name = canonical(field);
        if let Some(help) = self.instead(&name, value) {
            return fault.help(help);
        }
        let of_step = self.steps.iter().position(|step| step.field(&name).is_some());
        if let (Some(place), true) = (of_step, self.has_steps()) {
            return fault.help(format!("it belongs to a step: write `{}.{name}`", place + 1));
        }
        let has = |ask: &&T::QuestionKind| ask.declared().field(&name).is_some();
        let others = T::QuestionKind::ALL.iter().filter(has).map(|ask| ask.declared().name);
        let others: Vec<&str> = others.filter(|kind| *kind != self.kind().name).collect();
        let policy = self.has_policy().then_some(POLICY);
        let names = self.kind().fields().map(|field| field.name).chain(policy).chain([GIVEN]);
        let fault = unknown_name(fault, field, names.chain(self.other_keys.iter().copied()), self);
        if others.is_empty() {
            return fault;
        }
        let near = fault.near.first().map(|near| format!("; did you mean `{near}`?"));
        let help = format!("it belongs to {}{}", others.join(", "), near.unwrap_or_default());
        fault.help(help)
    }

    fn has_policy(&self) -> bool {
        self.kind().has_policy()
    }

    /// Returns a declared field of the question or, if that began as another kind, of that kind.
    fn declared_field(&self, name: &str) -> Option<&'static Field> {
        self.begun.unwrap_or(self.ask).declared().field(name)
    }

    /// Splits `side.german.elr` into a field of tables and the path of a known part of it; `None`
    /// for other names.
    fn in_tables<'a>(&self, name: &'a str) -> Option<(&'static Field, &'a str)> {
        let (table, path) = name.split_once('.')?;
        let field = self.declared_field(table)?;
        (is_nested(field.takes) && part(field.takes, path).is_some()).then_some((field, path))
    }

    /// Splits `2.fp` into the number of a step (1-based) and a field; `None` for other names.
    fn in_step<'a>(&self, name: &'a str) -> Option<(usize, &'a str)> {
        let (number, field) = name.split_once('.').filter(|_| self.has_steps())?;
        Some((number.parse().ok()?, field))
    }

    /// Sets a field of a step, such as `2.fp`. Setting `2.do`, its action, creates the step.
    fn set_in_step(&mut self, number: usize, name: &str, value: RawValue) -> Result<(), Fault> {
        let steps = self.steps.len();
        if name == DO {
            let message = match number {
                _ if number > T::MOST_STEPS => {
                    format!("a sequence has at most {} steps", T::MOST_STEPS)
                }
                _ if number != steps + 1 => format!(
                    "step {number} is out of order: the sequence has {} before it",
                    counted(steps as u64, "step")
                ),
                _ => {
                    let step_kinds = T::StepKind::ALL.iter().map(|one| (one.declared().name, *one));
                    let step_kind =
                        named(value.text(DO)?, step_kinds, "no kind of step is called")?;
                    self.steps.push(StepDraft::new(step_kind));
                    return Ok(());
                }
            };
            return Err(Fault::new(message, value.span()));
        }
        let step = number.checked_sub(1).and_then(|place| self.steps.get_mut(place));
        let step = step.ok_or_else(|| {
            Fault::new(
                format!(
                    "step {number} does not exist: the sequence has {}",
                    counted(steps as u64, "step")
                ),
                0..0,
            )
        })?;
        step.set(name, value)
    }

    /// Checks the fields against each other and returns the finished question.
    ///
    /// # Errors
    ///
    /// Fails if the fields do not make a valid question; the fault names the field.
    pub fn question(&self) -> Result<T::Question, FieldFault> {
        T::question(self)
    }

    /// Returns the finished question with its policy, after the dice already rolled.
    ///
    /// # Errors
    ///
    /// Fails like [`Draft::question`], and if the policy or the given dice do not fit.
    pub fn prepared(&self) -> Result<Box<dyn DynQuestion>, FieldFault> {
        let question = self.question().map_err(|error| match error.field.strip_prefix("1.") {
            Some(field) if self.begun.is_some() => {
                FieldFault { field: field.to_string(), fault: error.fault }
            }
            _ => error,
        })?;
        let ready = PreparedQuestion::new(Arc::new(question), self.policy.as_deref())?;
        Ok(Box::new(ready.after(self.given.as_deref())?))
    }
}

impl<T: QuestionForm> Settable for Draft<T> {
    fn set(&mut self, field: &str, value: RawValue) -> Result<(), Fault> {
        let name = canonical(field);
        if let Some(alias) = self.kind().alias(&name) {
            self.notes.push(alias.note.to_string());
            return self.set(alias.of, value);
        }
        if let Some(id) = T::Rules::find(&name) {
            return self.rules.set(id, value);
        }
        if name == POLICY && self.has_policy() {
            self.policy = Some(value.text(POLICY)?.trim().to_string());
            return Ok(());
        }
        if name == GIVEN {
            self.given = Some(value.text(GIVEN)?.to_string());
            return Ok(());
        }
        if let Some((number, name)) = self.in_step(&name) {
            return self.set_in_step(number, name, value);
        }
        if let Some((table, path)) = self.in_tables(&name) {
            let stored = self.head.stored_mut(table.name);
            return match stored {
                Some((stored, _)) => stored.set_part(table.name, path, value),
                None => Err(self.unknown(field, value)),
            };
        }
        match self.declared_field(&name) {
            Some(declared) => self.set_declared(declared, &name, value),
            None => Err(self.unknown(field, value)),
        }
    }

    fn knows(&self, field: &str) -> bool {
        let name = canonical(field);
        T::Rules::find(&name).is_some()
            || name == POLICY && self.has_policy()
            || name == GIVEN
            || self.in_step(&name).is_some_and(|(_, name)| name == DO)
            || self.kind().alias(&name).is_some()
            || self.field(&name).is_some()
    }

    fn setting(&self, field: &str) -> Option<&'static str> {
        T::Rules::find(&canonical(field))
    }

    fn settings(&self) -> Vec<&'static str> {
        T::Rules::names()
    }

    fn unknown_setting(&self, name: &str) -> Fault {
        T::Rules::unknown(name)
    }

    fn example(&self) -> &'static str {
        T::Rules::EXAMPLE
    }
}

impl<T: QuestionForm> Form for Draft<T> {
    fn kind(&self) -> &'static Kind {
        self.ask.declared()
    }

    fn field(&self, field: &str) -> Option<&'static Field> {
        let name = canonical(field);
        if let Some((table, path)) = self.in_tables(&name) {
            return part(table.takes, path);
        }
        let Some((number, name)) = self.in_step(&name) else {
            let alias = || self.kind().alias(&name).map(|alias| &alias.field);
            return self.declared_field(&name).or_else(alias);
        };
        self.steps.get(number.checked_sub(1)?)?.field(name)
    }

    fn readings(&self, which: Option<&str>) -> Result<Vec<RuleReading>, Fault> {
        let reading = |setting: Other| {
            let mut draft = self.clone();
            let set = draft.rules.set(setting.id, schema::form::setting(&setting.value));
            let question = set.and_then(|()| draft.finish().map_err(|error| error.fault));
            RuleReading { setting, question }
        };
        Ok(T::others(self, which)?.into_iter().map(reading).collect())
    }

    fn steps(&self) -> &'static [&'static StepKind] {
        if self.has_steps() { T::StepKind::DECLARED } else { &[] }
    }

    fn finish(&self) -> Result<Box<dyn DynQuestion>, FieldFault> {
        T::finish(self)
    }

    fn then(&mut self, text: &str) -> Result<(), Fault> {
        let is_sequence = |ask: &&T::QuestionKind| ask.declared().subject.is_none();
        let sequence = T::QuestionKind::ALL.iter().find(is_sequence);
        let goes_on = self.has_steps() || !self.steps.is_empty();
        let sequence = sequence.filter(|_| T::MOST_STEPS > 0 && goes_on);
        let Some(sequence) = sequence else {
            let message = format!("nothing can follow a `{}`", self.kind().name);
            return Err(Fault::new(message, 0..0));
        };
        if !self.has_steps() {
            self.begun = Some(self.ask);
            self.ask = *sequence;
        }
        let number = self.steps.len() + 1;
        let (step_kind, mut rest) = next_word(text, 0).unwrap_or((0..0, text.len()));
        let value = RawValue::Text(&text[step_kind.clone()]);
        self.set_in_step(number, DO, value).map_err(|fault| fault.shifted(step_kind.start))?;
        let declared = |name: &str| self.steps[number - 1].field(&canonical(name));
        let mut fields: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        while let Some((word, end)) = next_word(text, rest) {
            rest = end;
            let (key, value) = match text[word.clone()].find('=') {
                Some(equals) => (word.start..word.start + equals, word.start + equals + 1..end),
                None => (word, end..end),
            };
            match fields.last_mut() {
                // A value may have blanks: `if=not broken`.
                Some((_, last)) if value.is_empty() && declared(&text[key.clone()]).is_none() => {
                    last.end = end;
                }
                _ => fields.push((key, value)),
            }
        }
        for (key, Range { start, end }) in fields {
            let blank = text[start..end].len() - text[start..end].trim_start().len();
            let value = start + blank..end;
            let name = &text[key.clone()];
            let known = self.steps[number - 1].field(&canonical(name));
            let raw = match known {
                Some(field) if !value.is_empty() => field.takes.value(&text[value.clone()]),
                Some(Field { takes: Takes::Flag, .. }) => RawValue::Boolean(true),
                _ => RawValue::Text(&text[value.clone()]),
            };
            let place =
                if known.is_some() && !value.is_empty() { value.clone() } else { key.clone() };
            self.set_in_step(number, &canonical(name), raw).map_err(|fault| {
                match fault.span.is_empty() || known.is_none() || value.is_empty() {
                    true => Fault { span: place.clone(), ..fault },
                    false => fault.shifted(place.start),
                }
            })?;
        }
        Ok(())
    }

    fn boxed(&self) -> Box<dyn Form> {
        Box::new(self.clone())
    }

    fn allow_keys(&mut self, names: &[&'static str]) {
        self.other_keys = names.to_vec();
    }

    fn instead(&self, field: &str, value: RawValue) -> Option<Remedy> {
        let ask = self.begun.unwrap_or(self.ask);
        T::lacking(ask, field).or_else(|| T::instead(T::step_kind(ask)?, field, value))
    }

    fn canonical(&self, question: Option<&dyn DynQuestion>) -> Map<String, Json> {
        let blank = Draft::<T>::new(self.ask);
        let words = question.map(DynQuestion::words);
        let mut entries = in_order(self.kind().fields(), "", words, |name| {
            [self, &blank].map(|draft| draft.value_json(name))
        });
        entries.extend(
            self.policy.as_ref().map(|policy| (POLICY.to_string(), json!(canonical(policy)))),
        );
        let given = self.given.as_deref().map(single_spaced).filter(|given| !given.is_empty());
        entries.extend(given.map(|given| (GIVEN.to_string(), json!(given))));
        if self.kind().subject.is_none() || !self.steps.is_empty() && self.has_steps() {
            let step = |(number, step): (usize, &StepDraft<T>)| {
                let StepDraft { step_kind, fields, .. } = step;
                let declared = step_kind.declared();
                let blank = StepDraft::<T>::new(*step_kind).fields;
                let mut entries = Map::from_iter([(DO.to_string(), json!(declared.name))]);
                entries.extend(in_order(declared.fields(), &format!("{number}."), words, |name| {
                    [fields.value_json(name), blank.value_json(name)]
                }));
                Json::Object(entries)
            };
            entries.insert("step".to_string(), (1..).zip(&self.steps).map(step).collect());
        }
        let of_draft = || {
            self.rules
                .changed()
                .into_iter()
                .map(|(name, value)| (name.to_string(), value))
                .collect()
        };
        entries.extend(settings(
            self.settings(),
            words.map_or_else(of_draft, |words| set_by(&words.provenance())),
        ));
        entries
    }
}

/// The reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuestionError {
    #[error(transparent)]
    Field(#[from] FieldFault),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A builder that fills in a question field by field, and keeps the first fault.
#[derive(Clone, Debug)]
pub struct QuestionBuilder<T: QuestionForm> {
    draft: Draft<T>,
    fault: Option<FieldFault>,
}

impl<T: QuestionForm> QuestionBuilder<T> {
    /// Creates a question about units in the notation of the kind, if it has a subject.
    pub fn new(ask: T::QuestionKind, subject: &str) -> QuestionBuilder<T> {
        let asker = QuestionBuilder { draft: Draft::new(ask), fault: None };
        match ask.declared().subject {
            Some(field) => asker.put(field.name, RawValue::Text(subject)),
            None => asker,
        }
    }

    /// Returns the finished question, without the dice already rolled.
    ///
    /// # Errors
    ///
    /// Fails with the fault of the first invalid field.
    pub fn question(self) -> Result<T::Question, FieldFault> {
        self.fault.map_or_else(|| self.draft.question(), Err)
    }

    /// Returns every outcome's probability: exact if small enough, else from the default trials.
    ///
    /// # Errors
    ///
    /// Fails with [`QuestionError`] if a field is invalid, or an engine gives up.
    pub fn odds(self) -> Result<Table, QuestionError> {
        let asking = self.build()?;
        asking.answerable()?;
        Ok(asking.answer(&Options::default(), asking.meta(String::new()))?)
    }

    /// Returns the best play for an objective of the game, such as `good-order`.
    ///
    /// # Errors
    ///
    /// Fails with [`QuestionError`] if a field or the objective is invalid, or for too many states.
    pub fn best(self, objective: &str) -> Result<Solved, QuestionError> {
        let kinds = [self.draft.kind()];
        let question = self.build()?;
        let objective = Objective::read(objective, T::MEASURES, &kinds)
            .and_then(|objective| objective.check(question.words()).map(|()| objective))
            .map_err(FieldFault::in_field("objective"))?;
        question.solvable()?;
        let solved = question.solve(&objective, Depth::Policy, Monitor::NONE)?;
        Ok(solved.in_numbers(&objective))
    }

    /// Returns the finished question behind a trait object, to be answered by any engine.
    ///
    /// # Errors
    ///
    /// Fails with the fault of the first invalid field.
    pub fn build(self) -> Result<Box<dyn DynQuestion>, FieldFault> {
        self.fault.map_or_else(|| self.draft.finish(), Err)
    }
}

impl<T: QuestionForm> Builder for QuestionBuilder<T> {
    fn put(mut self, field: &str, value: RawValue) -> Self {
        if let (None, Err(fault)) = (&self.fault, self.draft.set(field, value)) {
            self.fault = Some(FieldFault { field: field.to_string(), fault });
        }
        self
    }
}
