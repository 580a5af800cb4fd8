//! A study in memory: a question of which some fields have several values in place of one. It has
//! the grid of a study file, and no folder.

use indexmap::IndexSet;
use rayon::prelude::*;

use super::listing::{Labels, Listing, Outcomes};
use super::number::{CellMeasure, Held, cell_value, held, hopes_to_hold, in_words};
use super::swept::{Sweeps, Swept};
use super::told::{Layout, Meant, Numbers, Style, value};
use crate::table::layout::Digits;
use crate::table::{Cell, Column, Meta, Row};
use door::answer::OddsAnswer;
use door::{Answer, Refused, Request};
use engine::process::Label;
use files::values::Owned;
use system::Provenance;
use system::answer::Options;
use system::asking::DynQuestion;
use system::count::Counting;
use system::form::{FieldFault, Form};
use system::tell::Measurement as Number;

/// Most cells that are answered in place.
pub const MOST_CELLS: usize = 10_000;

/// A field that has several values.
pub struct List {
    /// The word of its column.
    pub field: &'static str,
    pub values: Vec<Swept<Owned>>,
}

/// The study.
pub struct ListStudy {
    /// What all cells share.
    base: Box<dyn Form>,
    telling: CellMeasure,
    /// Whether it is told how many hold, in place of what is hoped for.
    holds: bool,
    fields: Vec<&'static str>,
    grid: Sweeps<Owned>,
}

/// What its cells come to.
pub struct Answers {
    pub meant: Meant,
    pub meta: Meta,
    /// The number that is told, as it is written, where one is asked for.
    pub(super) name: Option<String>,
    /// Whether its means are shares of one unit.
    pub is_share: bool,
    pub(super) fields: Vec<(&'static str, Column)>,
    pub(super) cells: Vec<Answered>,
    pub(super) labels: IndexSet<Label>,
}

/// A cell, from 0, that has no answer, and why.
pub struct NoAnswer {
    pub case: usize,
    pub refused: Box<Refused>,
}

impl NoAnswer {
    fn new(case: usize, refused: Refused) -> NoAnswer {
        NoAnswer { case, refused: Box::new(refused) }
    }
}

/// A cell with what is written of its answer.
pub(super) struct Answered {
    pub(super) swept: Vec<Cell>,
    /// The success that is counted, and of which units.
    hoped: Option<(&'static str, &'static str)>,
    /// What is told of it, and how.
    words: (String, Style),
    /// Nothing where a number is asked for in place of them.
    pub(super) outcomes: Option<Outcomes>,
    pub(super) number: Option<Number>,
    held: Option<Held>,
    meta: Meta,
}

impl ListStudy {
    /// A question with every field of one value filled in.
    pub fn new(base: Box<dyn Form>, telling: CellMeasure) -> ListStudy {
        ListStudy { base, telling, holds: false, fields: Vec::new(), grid: Sweeps::none() }
    }

    /// The same that tells how many units hold, where no number is named and nothing more is hoped
    /// for.
    pub fn with_what_holds(self) -> ListStudy {
        let holds = matches!(self.telling, CellMeasure::Hoped)
            && self.question(0).is_ok_and(|question| hopes_to_hold(question.words()));
        ListStudy { holds, ..self }
    }

    /// Sweeps a field, which is called by some name; fails with the place of a value that does not
    /// go with the others.
    pub fn add(&mut self, list: List, name: &str) -> Result<(), (usize, String)> {
        self.fields.push(list.field);
        self.grid.push(list.field.to_string(), name, list.values)
    }

    /// How many cells there are; none where they are more than can be counted.
    pub fn cells(&self) -> Option<usize> {
        let lengths = self.grid.all().iter().map(|sweep| sweep.values.len());
        lengths.into_iter().try_fold(1usize, |cells, length| cells.checked_mul(length))
    }

    /// A cell, from 0, by what it has of its own: `case 3 (mc 2, leader 9-1)`.
    pub fn named(&self, case: usize) -> String {
        let own = self.grid.cell(case).map(|(field, (cell, _))| format!("{field} {}", value(cell)));
        format!("case {} ({})", case + 1, own.collect::<Vec<_>>().join(", "))
    }

    /// Which of its values, from 0, a cell has of a field.
    pub fn value_of(&self, case: usize, field: &str) -> Option<usize> {
        let (cell, _) = self.grid.cell(case).find(|(known, _)| *known == field)?.1;
        let sweep = self.grid.all().iter().find(|sweep| sweep.field == field)?;
        sweep.values.iter().position(|(known, _)| known == cell)
    }

    /// The form of a cell, from 0, filled in.
    fn form(&self, case: usize) -> Result<Box<dyn Form>, FieldFault> {
        let mut form = self.base.boxed();
        for (field, (_, owned)) in self.grid.cell(case) {
            form.set(field, owned.value()).map_err(FieldFault::in_field(field))?;
        }
        Ok(form)
    }

    /// The question of a cell, from 0, which can be answered.
    pub fn question(&self, case: usize) -> Result<Box<dyn DynQuestion>, FieldFault> {
        let question = self.form(case)?.finish()?;
        question.answerable()?;
        self.telling.check(question.words())?;
        Ok(question)
    }

    /// Answers every cell, all of which can be answered; or says which has no answer, and why.
    /// `command` asks it all again; `finished` is told of each cell that is.
    pub fn answer(
        &self,
        command: &str,
        options: &Options,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Answers, NoAnswer> {
        let counts = self.holds.then_some(Counting::BESIDE);
        let options = &Options { counts, ..*options };
        let labels = Labels::default();
        let answer = |case: usize| {
            let gave_up = |error| Refused::Engine { error, help: None };
            options.watch.check_cancelled().map_err(gave_up)?;
            let (form, question) = (self.form(case)?, self.question(case)?);
            let (hoped, words) =
                (in_words(question.words()), self.telling.in_words(question.words()));
            let table = match &self.telling {
                CellMeasure::Of(_) => None,
                CellMeasure::Hoped => {
                    let request = Request::Question(self.question(case)?);
                    match door::ask(request, command.to_string(), options)? {
                        Answer::Question(OddsAnswer { table, .. }) => Some(table),
                        _ => None,
                    }
                }
            };
            let again = || match &table {
                Some(table) => Ok(table.clone()),
                None => question.answer(options, question.meta(command.to_string())),
            };
            let number = self.telling.number(form.as_ref(), question.as_ref(), again, options);
            let (number, meta) = number.map_err(gave_up)?;
            finished();
            let meta = table.as_ref().map_or(meta, |table| without_counts(&table.meta));
            let counts = table.as_ref().and_then(|table| table.counts.as_ref());
            let held = counts.filter(|_| self.holds);
            let held = held.map(|counts| Held::of(self.base.kind(), counts));
            let (swept, outcomes) =
                (self.grid.cells_of(case), table.map(|table| labels.outcomes(table)));
            Ok(Answered { swept, hoped, words, outcomes, number, held, meta })
        };
        let cells = (0..self.grid.cells()).into_par_iter();
        let cells: Vec<Result<Answered, Refused>> = cells.map(answer).collect();
        let cells = cells.into_iter().enumerate();
        let cells =
            cells.map(|(case, answered)| answered.map_err(|refused| NoAnswer::new(case, refused)));
        let mut cells = cells.collect::<Result<Vec<_>, _>>()?;
        let (mut words, mut style) = match cells.first() {
            Some(first) => first.words.clone(),
            None => unreachable!("every list has a value"),
        };
        let counts: Vec<Option<&Held>> = cells.iter().map(|cell| cell.held.as_ref()).collect();
        if let Some((held, how, numbers)) = held(&counts) {
            (words, style) = (held, how);
            for (cell, number) in cells.iter_mut().zip(numbers) {
                cell.number = number;
            }
        } else if let CellMeasure::Hoped = self.telling
            && cells.iter().any(|cell| cell.words.0 != words)
        {
            words = match in_common(&cells) {
                Some((of, hope)) => format!("How often {of} is {hope}"),
                None => "How often what is hoped for comes about".to_string(),
            };
        }
        let kinds = self.grid.columns().into_iter().map(|(_, kind)| kind);
        let asked = self.grid.in_words(self.base.kind().name, self.base.understood(None));
        Ok(Answers {
            meant: Meant {
                question: asked.clone(),
                words,
                style,
                is_minimized: self.telling.is_minimized(),
                layout: Layout::plain(self.fields.len()),
            },
            meta: Meta { question: asked, ..shared(&cells, command) },
            name: self.telling.name(),
            is_share: self
                .question(0)
                .is_ok_and(|question| self.telling.is_share(question.words())),
            fields: self.fields.iter().copied().zip(kinds).collect(),
            cells,
            labels: labels.into_set(),
        })
    }
}

impl Answers {
    /// The number of each cell.
    pub fn numbers(&self) -> Numbers<'_> {
        let cell = |Answered { swept, number, .. }: &Answered| {
            (swept.clone(), number.as_ref().map(cell_value))
        };
        Numbers {
            fields: self.fields.iter().map(|(field, _)| *field).collect(),
            cells: self.cells.iter().map(cell).collect(),
            digits: Digits::default(),
        }
    }

    /// The outcomes of each cell beside its swept values; none where a number is asked for in their
    /// place.
    pub fn outcomes(&self) -> impl Iterator<Item = (&[Cell], Vec<Row>)> {
        let cell = |cell| -> Option<(&[Cell], Vec<Row>)> {
            let Answered { swept, outcomes, .. }: &Answered = cell;
            Some((swept, outcomes.as_ref()?.rows(&self.labels)))
        };
        self.cells.iter().filter_map(cell)
    }

    /// How many cells are exact and how many are not wholly so, where there are both.
    pub fn by_chance(&self) -> Option<(usize, usize)> {
        let exact = self.cells.iter().filter(|cell| cell.meta.engine == "exact").count();
        let drawn = self.cells.len() - exact;
        (exact > 0 && drawn > 0).then_some((exact, drawn))
    }

    /// All of it as a table.
    pub fn listing(&self) -> Listing<'_> {
        Listing::new(self)
    }
}

/// How the rows of a cell were come by; how its units were counted stands in a note, where that is
/// otherwise.
fn without_counts(meta: &Meta) -> Meta {
    let drawn = meta.counts.as_ref().and_then(|counts| counts.trials);
    let note = drawn.filter(|_| meta.engine != "monte-carlo").map(|trials| {
        format!(
            "units are counted by Monte Carlo where that is too big to be exact, {trials} sequences"
        )
    });
    let notes = meta.notes.iter().cloned().chain(note).collect();
    Meta { counts: None, notes, ..meta.clone() }
}

/// What all cells hope for, and of whom, where that is the same.
fn in_common(cells: &[Answered]) -> Option<(&'static str, &'static str)> {
    let (of, hope) = cells.first()?.hoped?;
    let same = |cell: &Answered| cell.hoped.is_some_and(|(_, other)| other == hope);
    // Where one has several units, that is the last of them.
    let others = cells.iter().filter_map(|cell| cell.hoped).find(|(other, _)| *other != of);
    cells.iter().all(same).then_some((others.map_or(of, |_| "the last unit"), hope))
}

/// How all cells were come by.
fn shared(cells: &[Answered], command: &str) -> Meta {
    let metas: Vec<&Meta> = cells.iter().map(|cell| &cell.meta).collect();
    let Some(first) = metas.first() else { return Meta::default() };
    let footings: Vec<&Provenance> = metas.iter().map(|meta| &meta.footing).collect();
    let same = metas.iter().all(|meta| meta.engine == first.engine);
    let drawn = metas.iter().filter(|meta| meta.trials.is_some());
    let widest = drawn.clone().max_by_key(|meta| meta.trials);
    let distinct = |all: &dyn Fn(&Meta) -> Vec<String>| {
        let mut texts: Vec<String> = Vec::new();
        for text in metas.iter().flat_map(|meta| all(meta)) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    };
    let reasons = distinct(&|meta| meta.reason.iter().cloned().collect());
    let drawn = drawn.count();
    let reason = match reasons.is_empty() || drawn == metas.len() {
        true => reasons.join("; "),
        false => format!("{} ({drawn} of {} cells)", reasons.join("; "), metas.len()),
    };
    let is_float = metas.iter().any(|meta| meta.arithmetic == Some("float"));
    let arithmetic = metas.iter().find_map(|meta| meta.arithmetic);
    Meta {
        command: command.to_string(),
        footing: Provenance::shared(&footings, "by cell"),
        engine: if same { first.engine } else { "exact+monte-carlo" },
        arithmetic: if is_float { Some("float") } else { arithmetic },
        states: metas.iter().filter_map(|meta| meta.states).reduce(|sum, states| sum + states),
        reason: Some(reason).filter(|reason| !reason.is_empty()),
        unseen: metas.iter().filter_map(|meta| meta.unseen).reduce(f64::max),
        notes: distinct(&|meta| meta.notes.clone()),
        uncertain: distinct(&|meta| meta.uncertain.clone()),
        ..widest.map_or_else(|| (*first).clone(), |widest| (*widest).clone())
    }
}
