//! The file of a comparison: shared fields, the fields of each course, and the objective.
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
//! In place of courses, `vary = "worth"` compares the base with its variations of that name.
//!
//! Courses share the `[[step]]` tables, change a field (`2.fp = 8`), or have `[[course.step]]`.

use std::ops::Range;

use super::kinds::{game_of, kind_of};
use super::partial_question::PartialQuestion;
use super::steps::step_entries;
use super::tables::{ComparisonTable, CourseTable, EngineRequest};
use super::values::{Located, blamed, field_entries, step_of, with};
use crate::dyn_question::DynQuestion;
use crate::form::Form;
use crate::objective::Objective;
use crate::registry::{Game, Registry};
use crate::variations::{NamedQuestion, with_variations};
use engine::text::notation::{Remedy, each, shown, text_field};
use engine::text::{Fault, canonical};
use schema::field::names;
use schema::from_toml;
use schema::{
    FieldFault, FieldValue as _, Kind, Node, QuestionTable, Raw, Spanned, VariationOption,
};

/// The smallest and the largest number of courses in a comparison.
pub const COURSES: std::ops::RangeInclusive<usize> = 2..=20;

/// The courses of action in a file, each a form to be finished.
pub struct Courses {
    pub game: &'static dyn Game,
    pub kind: &'static Kind,
    pub objective: Objective,
    /// Byte range of the objective in the file.
    objective_at: Range<usize>,
    pub about: Option<String>,
    pub engine_request: EngineRequest,
    pub shared: PartialQuestion,
    pub courses: Vec<Course>,
    /// The variations of the shared question that take the place of courses, if they do.
    pub variations: Option<&'static VariationOption>,
}

/// A course of action in a file.
#[derive(Clone, Debug)]
pub struct Course {
    pub name: String,
    /// Byte range of the name in the file.
    span: Range<usize>,
    /// True if the course has its own steps instead of the shared ones.
    steps: bool,
    /// The course's own fields. The form has the shared fields too.
    pub question: PartialQuestion,
}

impl Courses {
    /// Parses a comparison. Without `with_courses` only the shared part is read.
    ///
    /// # Errors
    ///
    /// Fails at the position of the first fault: invalid TOML, an unknown or invalid field, or a
    /// wrong number of courses.
    pub fn parse(text: &str, with_courses: bool, registry: &Registry) -> Result<Courses, Fault> {
        Courses::read(&from_toml::node(text, "a comparison")?, with_courses, registry)
    }

    /// Reads a comparison from a parsed file. Without `with_courses` only the shared part is read.
    ///
    /// # Errors
    ///
    /// Fails at the position of the first fault, as [`Courses::parse`] does.
    pub fn read(file: &Node, with_courses: bool, registry: &Registry) -> Result<Courses, Fault> {
        if let Some((grid, _)) = file.entries("file")?.iter().find(|(key, _)| key.value == "grid") {
            let fault = grid.place.fault("a comparison cannot have a `grid`; only a study can");
            return Err(fault.help("run it with `lowcrawl study run FILE`, or remove the grid"));
        }
        let tables = ComparisonTable::read_node("a comparison", file)?;
        let game = game_of(registry, tables.system.as_ref())?;
        let kind = kind_of(game, tables.question.as_ref())?;
        let shared = PartialQuestion::of_steps(game.form(kind), tables.steps.as_ref())?;
        let variations = tables.vary.as_ref().map(|named| variations_named(kind, named));
        let variations = variations.transpose()?;
        let engine_request = tables.run.engine_request()?;
        let shared = shared.with(&tables.base.entries)?;
        let usual = match variations {
            Some(_) => shared.finish()?.words().usual_measure(),
            None => None,
        };
        let objective = tables.goal().or_usual(usual.as_deref(), game.measures(), &[kind])?;
        let objective_at = tables.goal().span();
        objective.check_kind(kind, objective_at.clone())?;
        if let Some((_, placed)) = shared.fields().find(|(field, _)| is_joint(shared.form(), field))
        {
            return Err(joint(placed.place.span.clone()));
        }
        let courses = Courses {
            game,
            kind,
            objective,
            objective_at,
            about: tables.about,
            engine_request,
            shared,
            courses: Vec::new(),
            variations,
        };
        match (&tables.vary, &tables.courses) {
            (Some(vary), Some(_)) => Err(vary.place.either("vary", "course")),
            (None, given) if with_courses => courses.with_courses(given.as_ref()),
            _ => Ok(courses),
        }
    }

    /// Replaces the objective by the one that a text names.
    ///
    /// # Errors
    ///
    /// Fails at the place in the text if it is not one of the file's kind.
    pub fn with_objective(self, text: &str) -> Result<Courses, Fault> {
        let objective = Objective::read(text, self.game.measures(), &[self.kind])?;
        objective.check_kind(self.kind, 0..text.len())?;
        Ok(Courses { objective: objective.for_side(self.objective.side()), ..self })
    }

    fn with_courses(mut self, courses: Option<&Node>) -> Result<Courses, Fault> {
        let list = match courses {
            None => &[][..],
            Some(Node { raw: Raw::List(list), .. }) => list,
            Some(courses) => return Err(no_course("`course` must be a list of courses", courses)),
        };
        // Each course is checked against all before it, so courses beyond the limit are skipped.
        for course in list.iter().take(*COURSES.end()) {
            let own = self.read_course(course)?;
            self.courses.push(own);
        }
        if !COURSES.contains(&list.len()) {
            let span = courses.map_or(0..0, |courses| courses.place.span.clone());
            let (fewest, most) = COURSES.into_inner();
            let message = format!("expected {fewest} to {most} courses, not {}", list.len());
            return Err(Fault::new(message, span).help(one_course()));
        }
        Ok(self)
    }

    fn read_course(&self, course: &Node) -> Result<Course, Fault> {
        let Raw::Table(_) = course.raw else {
            return Err(no_course(
                &format!("a course must be {}", course.notation.table()),
                course,
            ));
        };
        let QuestionTable { fields: CourseTable { name, steps }, entries } =
            QuestionTable::read_node("course", course)?;
        let name = name.ok_or_else(|| {
            course.place.fault("the course has no `name`").help(text_field("name", "one 9-1"))
        })?;
        let (text, span) = (name.value.trim().to_string(), name.place.span);
        if text.is_empty() || text.contains(char::is_control) {
            return Err(Fault::new("the name of a course must be one line of text", span));
        }
        if self.courses.iter().any(|course| course.name == text) {
            return Err(Fault::new(format!("two courses have the name `{text}`"), span)
                .help("give each a different name"));
        }
        let of_steps = step_entries(steps.as_ref(), self.shared.form())?;
        let steps = !of_steps.is_empty();
        let form = with(self.game.form(self.kind), self.shared_fields(steps))?;
        let question = PartialQuestion::new(form).with_keys(&names::<CourseTable>());
        let mut own = Course { name: text, span, steps, question };
        let has_steps = own.question.form().has_steps();
        for (key, node) in of_steps.into_iter().chain(field_entries(&entries, has_steps)) {
            self.add_field(&mut own, &key, node)?;
        }
        Ok(Course { question: own.question.with_keys(&[]), ..own })
    }

    fn add_field(&self, own: &mut Course, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        let form = own.question.form();
        let field = form.canonical_field(&key.value);
        if is_joint(form, &field) {
            return Err(joint(key.place.span.clone()));
        }
        if field.ends_with(".do") && !own.steps {
            let fault =
                key.place.fault("a course can change the fields of a step, but not its `do`");
            return Err(fault
                .help(shown("give the course its own steps as {}", [each("course.step", &[])])));
        }
        if own.question.fields().any(|(known, _)| known == field) {
            return Err(key
                .place
                .fault(format!("the course gives `{field}` twice"))
                .help("keep one of them"));
        }
        own.question.add(key, node)
    }

    /// Returns the shared fields, without those of steps if a course has its own `steps`.
    fn shared_fields(&self, steps: bool) -> impl Iterator<Item = (&str, &Located)> {
        self.shared.fields().filter(move |(field, _)| !(steps && step_of(field).is_some()))
    }

    /// Returns the fields of a course: shared ones in order, with its own values, then its others.
    fn fields_of<'a>(&'a self, own: &'a Course) -> Vec<(&'a str, &'a Located)> {
        let mut fields: Vec<_> = self.shared_fields(own.steps).collect();
        for (name, placed) in own.question.fields() {
            match fields.iter_mut().find(|(known, _)| *known == name) {
                Some((_, shared)) => *shared = placed,
                None => fields.push((name, placed)),
            }
        }
        fields
    }

    /// Finishes the question of a course, and checks that it has the objective.
    ///
    /// # Errors
    ///
    /// Fails if the form cannot be finished, or if the answers cannot contain the objective.
    pub fn finish(&self, course: &Course, form: &dyn Form) -> Result<Box<dyn DynQuestion>, Fault> {
        let question = form.finish().map_err(|error| self.place_fault(course, error))?;
        let checked = self.objective.check(question.words());
        checked.map_err(|fault| Fault { span: self.objective_at.clone(), ..fault })?;
        Ok(question)
    }

    /// Returns the shared question, as `form` has it, and its variations.
    ///
    /// # Errors
    ///
    /// Fails if the form cannot be finished, if it has no variations, or if the answers cannot
    /// contain the objective.
    pub fn varied(
        &self,
        form: &dyn Form,
        option: &VariationOption,
    ) -> Result<Vec<NamedQuestion>, Fault> {
        let question = form.finish().map_err(|error| self.shared.place_fault(error))?;
        let checked = self.objective.check(question.words());
        checked.map_err(|fault| Fault { span: self.objective_at.clone(), ..fault })?;
        with_variations(form, question, option)
    }

    /// Places a fault of a course's form in the file; for a shared field it names the course.
    pub fn place_fault(&self, course: &Course, error: FieldFault) -> Fault {
        let is_own = course.question.fields().any(|(field, _)| field == error.field);
        let fault = blamed(&self.fields_of(course), error);
        let span = if fault.span == (0..0) { course.span.clone() } else { fault.span.clone() };
        let message = match is_own {
            true => fault.message,
            false => format!("course `{}`: {}", course.name, fault.message),
        };
        Fault { message, span, ..fault }
    }
}

/// Returns true if a field changes which units an outcome describes. Courses cannot have it.
fn is_joint(form: &dyn Form, field: &str) -> bool {
    form.field(field).is_some_and(|declared| !declared.sweeps)
}

fn variations_named(
    kind: &'static Kind,
    Spanned { value, place }: &Spanned<String>,
) -> Result<&'static VariationOption, Fault> {
    let known = kind.variations.iter().find(|option| option.name == canonical(value));
    known.ok_or_else(|| match kind.variations {
        [] => place.fault(format!("a `{}` has no variations", kind.name)),
        all => {
            let fault = place.fault(format!("no variations are called `{value}`"));
            fault.expecting(value, all.iter().map(|option| option.name))
        }
    })
}

fn one_course() -> Remedy {
    shown("for example {}", [each("course", &[("name", "one 9-1")])])
}

fn joint(span: Range<usize>) -> Fault {
    Fault::new("`joint` is not allowed in a comparison: courses are compared unit by unit", span)
        .help("remove `joint`")
}

fn no_course(must_be: &str, node: &Node) -> Fault {
    node.place.fault(format!("{must_be}, not {}", node.kind())).help(one_course())
}
