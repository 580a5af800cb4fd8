//! The morale systems that files can name, and their studies. A further system is registered in [`with_system`] and on the command
//! line; nothing else here or there knows one from the other.

use toml::de::DeTable;

use super::answer::{Engine, Trials};
use super::compare;
use super::compare::file::Courses;
use super::compare::policy::{Ruled, WithPolicy, of_question};
use super::file::{Study, TABLES};
use super::grid::Grid;
use super::keys::{document, entry, known_keys, placed_text};
use crate::course::line::Line;
use crate::system::form::{FieldFault, Form, Value};
use crate::system::{Kind, System};
use crate::text::{Fault, canonical};

/// The word of the first system, which files need not name.
pub const FIRST: &str = "asl";

/// Does something with the system of a name, other than the first; `None` where there is none of that name.
macro_rules! with_system {
    ($name:expr, $System:ident => $body:expr) => {
        match $name {
            <$crate::fortitude::Fortitude as $crate::system::System>::NAME => {
                type $System = $crate::fortitude::Fortitude;
                Some($body)
            }
            <$crate::reaction::Reaction as $crate::system::System>::NAME => {
                type $System = $crate::reaction::Reaction;
                Some($body)
            }
            _ => None,
        }
    };
}
pub(crate) use with_system;

/// Every word a file can name.
pub const NAMES: [&str; 3] = [FIRST, crate::fortitude::Fortitude::NAME, crate::reaction::Reaction::NAME];

/// The system a file names; the first where it names none.
pub fn named(text: &str) -> Result<&'static str, Fault> {
    // What is no TOML at all is told by whoever reads it.
    let Ok(document) = document(text) else { return Ok(FIRST) };
    of_table(document.get_ref())
}

/// The system a table names; the first where it names none.
pub(super) fn of_table(table: &DeTable) -> Result<&'static str, Fault> {
    let Some(value) = entry(table, "system") else { return Ok(FIRST) };
    let name = placed_text(value, "system")?;
    let fault = || Fault::new(format!("no morale system is called `{name}`"), value.span()).expecting(&name, NAMES);
    NAMES.into_iter().find(|known| *known == canonical(&name)).ok_or_else(fault)
}

/// Engine, sequences and seed that a file asks for.
pub type Asks = (Engine, Trials, u64);

/// Reads a study of a system other than the first.
pub fn study<S: System>(text: &str) -> Result<(Box<dyn Grid>, Asks), Fault> {
    let document = document(text)?;
    let root = document.get_ref();
    known_keys(root, &TABLES, "a study")?;
    let kind = kind_of::<S>(root)?;
    let study = Study::of_questions(text, root, kind.name, Ruling::<S>::new(kind))?;
    let asks = (study.engine, study.trials, study.seed);
    Ok((Box::new(study), asks))
}

/// Reads what is to be compared, or with nothing but what the courses share, what is to be solved.
pub fn courses<S: System>(text: &str, with_courses: bool) -> Result<Courses<WithPolicy<S::Form>>, Fault> {
    compare::file::of_questions(text, with_courses, S::measures(), |root| {
        let kind = kind_of::<S>(root)?;
        Ok((kind.name, WithPolicy::new(S::blank(kind), of_question)))
    })
}

/// Reads a sequence file of a system other than the first.
pub fn sequence<S: System>(text: &str, kind: &'static Kind) -> Result<Study<Ruling<S>>, Fault> {
    Study::of_sequence(text, kind.name, Ruling::new(kind))
}

/// The kind of question that a file asks.
pub(super) fn kind_of<S: System>(root: &DeTable) -> Result<&'static Kind, Fault> {
    let names = || S::kinds().iter().map(|kind| kind.name);
    let value = entry(root, "question").ok_or_else(|| {
        let message = format!("`question` is missing: expected one of {}", names().collect::<Vec<_>>().join(", "));
        Fault::new(message, 0..0).help(format!("question = \"{}\"", S::kinds()[0].name))
    })?;
    let text = placed_text(value, "question")?;
    let fault = || Fault::new(format!("`question` cannot be `{text}`"), value.span()).expecting(&text, names());
    S::kinds().iter().find(|kind| kind.name == canonical(&text)).ok_or_else(fault)
}

/// A question of a system being filled in, with the policy its choices are made by.
pub struct Ruling<S: System>(WithPolicy<S::Form>);

impl<S: System> Ruling<S> {
    pub fn new(kind: &'static Kind) -> Ruling<S> {
        Ruling(WithPolicy::new(S::blank(kind), of_question))
    }
}

impl<S: System> Clone for Ruling<S> {
    fn clone(&self) -> Ruling<S> {
        Ruling(self.0.clone())
    }
}

impl<S: System> Form for Ruling<S> {
    type Filled = Line<S::Question>;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        self.0.set(field, value)
    }

    fn knows(&self, field: &str) -> bool {
        self.0.knows(field)
    }

    fn canonical_field(field: &str) -> String {
        S::Form::canonical_field(field)
    }

    fn finish(&self) -> Result<Line<S::Question>, FieldFault> {
        let Ruled { question, policy } = self.0.finish()?;
        Line::named(question, policy.as_deref())
    }

    fn setting(field: &str) -> Option<&'static str> {
        S::Form::setting(field)
    }

    fn check_setting(name: &str, value: &str) -> Result<(), Fault> {
        S::Form::check_setting(name, value)
    }

    const EXAMPLE: &'static str = S::Form::EXAMPLE;

    fn deeds(&self) -> Vec<&'static str> {
        self.0.deeds()
    }
}
