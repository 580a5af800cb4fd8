//! A study of single cases side by side, each a question of its own, of whatever system: what cannot be swept can be listed.
//!
//! ```toml
//! about = "How fast does a shaken unit recover?"
//!
//! [[case]]
//! name = "ASL: 4-6-7 under DM, alone in the open"
//! question = "rally"
//! stack = "german:4-6-7/dm"
//!
//! [[case]]
//! name = "Fortitude: Shaken, base 10"
//! system = "fortitude"
//! question = "recover"
//! units = "unit/base=10,shaken"
//! ```
//!
//! Rows of all cases have the same columns. What makes them comparable is what a reader hopes for in each: a rallied unit here, a
//! Normal one there, by the number of the phase or turn.

use toml::de::{DeTable, DeValue};

use super::answer::Options;
use super::file::{Study, read_run};
use super::grid::{CellRows, Grid};
use super::keys::{self, document, entry, in_file_order, known_keys, placed_text, sub_table, word};
use super::systems::{self, Asks, Ruling, with_system};
use crate::asl::question::{Draft, Kind as StackKind};
use crate::system::form::Form;
use crate::system::{Asked, Footing, Hope};
use crate::table::{Cell, Kind, Meta};
use crate::text::Fault;

/// Fewest and most cases of one study.
const CASES: std::ops::RangeInclusive<usize> = 1..=200;

/// Cases that have been read and checked.
pub struct Cases {
    text: String,
    about: Option<String>,
    pub asks: Asks,
    cases: Vec<Case>,
}

/// One case.
struct Case {
    name: String,
    system: &'static str,
    /// A study of one cell.
    study: Box<dyn Grid>,
}

/// Whether a study lists its cases.
pub fn are_listed(text: &str) -> bool {
    document(text).is_ok_and(|document| entry(document.get_ref(), "case").is_some())
}

impl Cases {
    /// Reads a study file and checks every case.
    pub fn parse(text: &str) -> Result<Cases, Fault> {
        let document = document(text)?;
        let root = document.get_ref();
        known_keys(root, &["about", "case", "run"], "a study of cases")?;
        let about = entry(root, "about").map(|value| placed_text(value, "about")).transpose()?;
        let asks = read_run(sub_table(root, "run")?)?;
        let mut study = Cases { text: text.to_string(), about, asks, cases: Vec::new() };
        let Some((DeValue::Array(list), span)) = entry(root, "case").map(|value| (value.get_ref(), value.span())) else {
            return Err(Fault::new("a case begins with `[[case]]`, in double brackets", 0..0));
        };
        if !CASES.contains(&list.len()) {
            return Err(Fault::new(format!("a study has {} to {} cases, not {}", CASES.start(), CASES.end(), list.len()), span));
        }
        list.iter().try_for_each(|case| study.add(case))?;
        Ok(study)
    }

    fn add(&mut self, case: &keys::Value) -> Result<(), Fault> {
        let DeValue::Table(table) = case.get_ref() else {
            return Err(Fault::new("a case begins with `[[case]]`, in double brackets", case.span()));
        };
        let name = entry(table, "name");
        let name = name.ok_or_else(|| Fault::new("the case has no `name`", case.span()).help("name = \"alone in the open\""))?;
        let (text, span) = (placed_text(name, "name")?.trim().to_string(), name.span());
        if text.is_empty() || text.contains(char::is_control) {
            return Err(Fault::new("the name of a case is one line of text", span));
        }
        if self.cases.iter().any(|case| case.name == text) {
            return Err(Fault::new(format!("two cases are called `{text}`"), span).help("give each a name of its own"));
        }
        let system = systems::of_table(table)?;
        let study = match with_system!(system, System => systems::kind_of::<System>(table).and_then(|kind| {
            one(&self.text, table, kind.name, Ruling::<System>::new(kind))
        })) {
            Some(study) => study?,
            None => {
                let kind = entry(table, "question").ok_or_else(|| Fault::new("the case has no `question`", case.span()))?;
                let kind = word(kind, "question", StackKind::ALL.map(|kind| (kind.name(), kind)))?;
                one(&self.text, table, kind.name(), Draft::new(kind))?
            }
        };
        if let Some(first) = self.cases.first().filter(|first| first.study.answer_columns() != study.answer_columns()) {
            let message = format!("the table of `{text}` has other columns than that of `{}`", first.name);
            return Err(Fault::new(message, span).help("`joint` questions and sequences are studied by themselves"));
        }
        self.cases.push(Case { name: text, system, study });
        Ok(())
    }

    /// The names of the cases.
    pub fn names(&self) -> Vec<&str> {
        self.cases.iter().map(|case| case.name.as_str()).collect()
    }

    /// What a reader hopes for in a case, from 0.
    pub fn hoped(&self, case: usize) -> Option<Hope> {
        self.cases[case].study.headline()
    }
}

/// A case as a study of one cell.
fn one<F>(text: &str, table: &DeTable, kind: &str, blank: F) -> Result<Box<dyn Grid>, Fault>
where
    F: Form<Filled: Asked> + 'static,
{
    let mut probe = blank.clone();
    let mut study = Study::begin(text, &DeTable::new(), blank)?;
    study.read_steps(table, kind, &mut probe)?;
    for (key, value) in in_file_order(Some(table)) {
        if !["name", "system", "question", "step"].contains(&key.get_ref().as_ref()) {
            study.add_base(key, value, &mut probe)?;
        }
    }
    study.question(0)?;
    Ok(Box::new(study))
}

impl Grid for Cases {
    fn text(&self) -> &str {
        &self.text
    }

    fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    fn cells(&self) -> usize {
        self.cases.len()
    }

    fn swept_columns(&self) -> Vec<(&str, Kind)> {
        vec![("name", Kind::Text), ("system", Kind::Text)]
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        let Case { name, system, .. } = &self.cases[case];
        vec![Cell::Text(name.clone()), Cell::Text(system.to_string())]
    }

    fn answer_columns(&self) -> Vec<(&'static str, Kind)> {
        self.cases.first().map_or(Vec::new(), |case| case.study.answer_columns())
    }

    fn answer_rows(&self, case: usize, options: &Options, meta: &Meta) -> CellRows {
        let mut rows = self.cases[case].study.answer_rows(0, options, meta)?;
        // Each case counts itself as the first.
        let place = self.answer_columns().iter().position(|(name, _)| *name == "case");
        for row in &mut rows {
            if let Some(cell) = place.and_then(|place| row.get_mut(place)) {
                *cell = Cell::Integer(case as i64 + 1);
            }
        }
        Ok(rows)
    }

    fn rules(&self) -> Footing {
        let rules: Vec<Footing> = self.cases.iter().map(|case| case.study.rules()).collect();
        let mut words: Vec<String> = Vec::new();
        for footing in &rules {
            if !words.contains(&footing.words) {
                words.push(footing.words.clone());
            }
        }
        Footing { words: words.join("; "), ..Footing::shared(&rules.iter().collect::<Vec<_>>(), "by case") }
    }

    /// Cases hope for different things: see [`Cases::hoped`].
    fn headline(&self) -> Option<Hope> {
        None
    }

    fn last_slot(&self, case: usize) -> Option<i64> {
        self.cases[case].study.last_slot(0)
    }
}
