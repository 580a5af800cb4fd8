//! The file of a comparison: what all courses share, what each has of its own, and what they are compared by.
//!
//! ```toml
//! question = "rally"
//! objective = "good-order"
//!
//! [base]
//! stack = "german:4-6-7/dm"
//!
//! [[course]]
//! name = "a 9-2 in the open"
//! leader = "9-2"
//!
//! [[course]]
//! name = "an 8-0 in woods"
//! leader = "8-0"
//! terrain = "woods"
//! ```
//!
//! Of a sequence all courses share the `[[step]]`s; a course changes their fields as `2.fp = 8`, or has steps of its own as
//! `[[course.step]]`.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::super::answer::{Engine, Trials};
use super::super::file::{Study, read_run};
use super::super::keys::{self, Key, document, entry, known_keys, placed_text, sub_table, word};
use super::super::objective;
use super::super::steps::step_entries;
use super::super::values::{Field, Placed, blamed, field_entries, filled, step_of};
use super::policy::{self, WithPolicy};
use crate::asl::campaign::LaneDraft;
use crate::asl::question::{Draft, FieldFault, Kind};
use crate::course::objective::Objective;
use crate::course::standing::{IN_COVER, MEASURES};
use crate::system::Measure;
use crate::system::form::Form;
use crate::text::Fault;

/// Fewest and most courses of one comparison.
pub const COURSES: std::ops::RangeInclusive<usize> = 2..=20;

const TABLES: [&str; 8] = ["system", "question", "about", "objective", "base", "step", "course", "run"];

/// Courses of action as a file gives them, each a form to be finished.
#[derive(Clone, Debug)]
pub struct Courses<F> {
    pub objective: Objective,
    /// What all share, as a study of one cell.
    shared: Study<F>,
    courses: Vec<Own>,
}

/// What a course has of its own.
#[derive(Clone, Debug)]
struct Own {
    name: String,
    /// Of its name.
    span: Range<usize>,
    /// Whether it has steps of its own, in place of those all share.
    steps: bool,
    fields: Vec<Field>,
}

/// Courses of a file, by what they are about.
pub enum Kinds {
    Stacks(Courses<WithPolicy<Draft>>),
    Campaigns(Courses<WithPolicy<LaneDraft>>),
}

/// Reads the file of a comparison.
pub fn parse(text: &str) -> Result<Kinds, Fault> {
    read(text, true)
}

/// The same of what all courses share: courses are left alone, and there may be none.
pub fn parse_shared(text: &str) -> Result<Kinds, Fault> {
    read(text, false)
}

fn read(text: &str, with_courses: bool) -> Result<Kinds, Fault> {
    let document = document(text)?;
    let root = document.get_ref();
    check_keys(root)?;
    let question = entry(root, "question").ok_or_else(|| {
        let kinds = Kind::ALL.map(Kind::name).join(", ");
        Fault::new(format!("`question` is missing: expected one of {kinds}, campaign"), 0..0).help("question = \"rally\"")
    })?;
    let mut kinds = [("campaign", None); Kind::ALL.len() + 1];
    for (word, kind) in kinds.iter_mut().zip(Kind::ALL) {
        *word = (kind.name(), Some(kind));
    }
    match word(question, "question", kinds)? {
        Some(kind) if with_courses => stacks(text, root, kind)?.with_courses(root).map(Kinds::Stacks),
        Some(kind) => stacks(text, root, kind).map(Kinds::Stacks),
        None => {
            let mut probe = WithPolicy::new(LaneDraft::default(), policy::of_campaign);
            let shared = Study::begin(text, root, probe.clone())?;
            let begun = Courses::begin(root, shared, &mut probe, &MEASURES)?;
            if with_courses { begun.with_courses(root) } else { Ok(begun) }.map(Kinds::Campaigns)
        }
    }
}

/// Reads courses of questions of one kind: `blank` says which, by its word, and gives a form of it.
pub fn of_questions<F: Form>(
    text: &str,
    with_courses: bool,
    measures: &'static [Measure],
    blank: impl Fn(&DeTable) -> Result<(&'static str, F), Fault>,
) -> Result<Courses<F>, Fault> {
    let document = document(text)?;
    let root = document.get_ref();
    check_keys(root)?;
    let (kind, mut probe) = blank(root)?;
    let mut shared = Study::begin(text, root, probe.clone())?;
    shared.read_steps(root, kind, &mut probe)?;
    let courses = Courses::begin(root, shared, &mut probe, measures)?;
    if with_courses { courses.with_courses(root) } else { Ok(courses) }
}

fn check_keys(root: &DeTable) -> Result<(), Fault> {
    if let Some((grid, _)) = root.iter().find(|(key, _)| key.get_ref() == "grid") {
        let fault = Fault::new("a grid is swept by a study, cell by cell", grid.span());
        return Err(fault.help("lowcrawl study run FILE; or leave [grid] out"));
    }
    known_keys(root, &TABLES, "a comparison")
}

fn stacks(text: &str, root: &DeTable, kind: Kind) -> Result<Courses<WithPolicy<Draft>>, Fault> {
    let mut probe = WithPolicy::new(Draft::new(kind), policy::of_stack(kind));
    let mut shared = Study::begin(text, root, probe.clone())?;
    shared.read_steps(root, kind.name(), &mut probe)?;
    let courses = Courses::begin(root, shared, &mut probe, &MEASURES)?;
    if let Some(objective) = entry(root, "objective").filter(|_| courses.objective.weighs(IN_COVER)) {
        let fault = Fault::new(format!("a `{}` does not tell where units are", kind.name()), objective.span());
        return Err(fault.help("good-order, good-order-squads, survives, squad-equivalents or cvp"));
    }
    Ok(courses)
}

impl<F: Form> Courses<F> {
    /// Reads what all courses share into `shared`, but for what a form reads by itself, which is in `probe`.
    pub(super) fn begin(
        root: &DeTable,
        mut shared: Study<F>,
        probe: &mut F,
        measures: &'static [Measure],
    ) -> Result<Courses<F>, Fault> {
        let objective = objective::read(root, measures)?;
        (shared.engine, shared.trials, shared.seed) = read_run(sub_table(root, "run")?)?;
        shared.read_base(root, probe)?;
        if let Some((_, placed)) = shared.fields(0).find(|(field, _)| *field == "joint") {
            return Err(joint(placed.span.clone()));
        }
        Ok(Courses { objective, shared, courses: Vec::new() })
    }

    /// Reads the courses.
    fn with_courses(mut self, root: &DeTable) -> Result<Courses<F>, Fault> {
        for course in course_list(root)? {
            let own = self.read_course(course)?;
            self.courses.push(own);
        }
        if !COURSES.contains(&self.courses.len()) {
            let span = entry(root, "course").map_or(0..0, keys::Value::span);
            let (fewest, most) = COURSES.into_inner();
            let message = format!("a comparison has {fewest} to {most} courses, not {}", self.courses.len());
            return Err(Fault::new(message, span).help("each begins with `[[course]]` and has a `name`"));
        }
        Ok(self)
    }

    /// What all courses share, filled in and not yet finished.
    pub fn shared(&self) -> Result<F, Fault> {
        self.shared.draft(0)
    }

    /// A fault of what all courses share, at the place in the file to blame.
    pub fn place_shared_fault(&self, error: FieldFault) -> Fault {
        self.shared.place_fault(0, error)
    }

    fn read_course(&self, course: &keys::Value) -> Result<Own, Fault> {
        let DeValue::Table(table) = course.get_ref() else { return Err(in_brackets(course.span())) };
        let name = entry(table, "name");
        let name = name.ok_or_else(|| Fault::new("the course has no `name`", course.span()).help("name = \"one 9-1\""))?;
        let (text, span) = (placed_text(name, "name")?.trim().to_string(), name.span());
        if text.is_empty() || text.contains(char::is_control) {
            return Err(Fault::new("the name of a course is one line of text", span));
        }
        if self.courses.iter().any(|course| course.name == text) {
            return Err(Fault::new(format!("two courses are called `{text}`"), span).help("give each a name of its own"));
        }
        let has_steps = self.shared.blank.has_steps();
        let of_steps = if has_steps { step_entries(table, &self.shared.blank.deeds())? } else { Vec::new() };
        let mut own = Own { name: text, span, steps: !of_steps.is_empty(), fields: Vec::new() };
        let mut probe = filled(&self.shared.text, &self.shared.blank, self.fields_of(&own).into_iter())?;
        let others = field_entries(Some(table), has_steps);
        let is_field = |key: &str| key != "name" && !(has_steps && key == "step");
        let others = others.into_iter().filter(|(key, _)| is_field(key.get_ref()));
        for (key, value) in of_steps.into_iter().chain(others) {
            self.add_field(&mut own, &key, value, &mut probe)?;
        }
        Ok(own)
    }

    fn add_field(&self, own: &mut Own, key: &Key, value: &keys::Value, probe: &mut F) -> Result<(), Fault> {
        let field = F::canonical_field(key.get_ref());
        if field == "joint" {
            return Err(joint(key.span()));
        }
        if field.ends_with(".do") && !own.steps {
            let fault = Fault::new("a course changes the fields of a step, not what it does", key.span());
            return Err(fault.help("give it steps of its own, as [[course.step]]"));
        }
        if own.fields.iter().any(|(known, _)| *known == field) {
            return Err(Fault::new(format!("`{field}` stands in the course twice"), key.span()).help("keep it in one place"));
        }
        let text = &self.shared.text;
        let placed = Placed::tried(text, key, value, value, probe)?;
        probe.set(key.get_ref(), placed.value.value()).map_err(|fault| placed.blamed(text, fault))?;
        own.fields.push((field, placed));
        Ok(())
    }

    /// The fields of a course: those all share, with its own in their place or after them.
    fn fields_of<'a>(&'a self, own: &'a Own) -> Vec<(&'a str, &'a Placed)> {
        let own_field = |name: &str| own.fields.iter().find(|(field, _)| field == name).map(|(_, placed)| placed);
        let shared = self.shared.fields(0).filter(|(field, _)| !(own.steps && step_of(field).is_some()));
        let mut fields: Vec<_> = shared.map(|(field, placed)| (field, own_field(field).unwrap_or(placed))).collect();
        let further = own.fields.iter().filter(|(field, _)| !fields.iter().any(|(known, _)| known == field));
        let further: Vec<_> = further.map(|(field, placed)| (field.as_str(), placed)).collect();
        fields.extend(further);
        fields
    }

    /// The names of the courses, in order.
    pub fn names(&self) -> Vec<String> {
        self.courses.iter().map(|course| course.name.clone()).collect()
    }

    /// What it is about, in its own words.
    pub fn about(&self) -> Option<&str> {
        self.shared.about.as_deref()
    }

    /// Engine, sequences and seed of the file.
    pub fn run(&self) -> (Engine, Trials, u64) {
        (self.shared.engine, self.shared.trials, self.shared.seed)
    }

    /// The form of a course, from 0, filled in and not yet finished.
    pub fn draft(&self, course: usize) -> Result<F, Fault> {
        filled(&self.shared.text, &self.shared.blank, self.fields_of(&self.courses[course]).into_iter())
    }

    /// A fault of a finished form, at the place in the file to blame: where the course itself does not name the field, with its name.
    pub fn place_fault(&self, course: usize, error: FieldFault) -> Fault {
        let own = &self.courses[course];
        let fields = self.fields_of(own);
        let is_own = own.fields.iter().any(|(field, _)| *field == error.field);
        let fault = blamed(&self.shared.text, &fields, error);
        let span = if fault.span == (0..0) { own.span.clone() } else { fault.span.clone() };
        let message = if is_own { fault.message } else { format!("course `{}`: {}", own.name, fault.message) };
        Fault { message, span, ..fault }
    }
}

fn joint(span: Range<usize>) -> Fault {
    Fault::new("courses are compared unit by unit, not by `joint` outcomes", span).help("leave `joint` out")
}

/// The courses as they stand in the file.
fn course_list<'a, 'i>(root: &'a DeTable<'i>) -> Result<Vec<&'a keys::Value<'i>>, Fault> {
    match entry(root, "course").map(|courses| (courses.get_ref(), courses.span())) {
        None => Ok(Vec::new()),
        Some((DeValue::Array(list), _)) => Ok(list.iter().collect()),
        Some((_, span)) => Err(in_brackets(span)),
    }
}

fn in_brackets(span: Range<usize>) -> Fault {
    Fault::new("a course begins with `[[course]]`, in double brackets", span)
}
