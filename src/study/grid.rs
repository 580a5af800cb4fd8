//! What a run asks of a study: its cells, and what each comes to.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use super::file::Study;
use super::number::{self, hoped, in_words};
use super::told::{Board, Layout, Meant, Told};
use crate::table::{self, Cell, Column, Figure, Meta, Table};
use engine::process::Point;
use files::values::with;
use system::answer::Options;
use system::asking::Asking;
use system::count::Counting;
use system::counts::{self, Counts};
use system::form::Form;
use system::{Footing, Hope};

/// What a cell comes to; or in words why it has no answer.
pub type CellAnswer = Result<Answered, String>;

/// The rows of a cell, and what is told of it beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// In the order of [`Grid::answer_columns`], as if it were the only cell.
    pub rows: Vec<Vec<Cell>>,
    /// The same of [`Grid::count_columns`].
    pub counts: Vec<Vec<Cell>>,
    pub facts: Facts,
}

impl Answered {
    /// The rows of its tables, in the order of [`tables`].
    pub(super) fn tables(&self) -> [&[Vec<Cell>]; 2] {
        [&self.rows, &self.counts]
    }

    /// What is told of it, with the number of its rows.
    pub(super) fn as_told(&self) -> Facts {
        Facts { rows: self.rows.len(), ..self.facts.clone() }
    }

    /// Rows of all its tables.
    pub(super) fn all_rows(&self) -> usize {
        self.rows.len() + self.counts.len()
    }
}

/// What is told of a cell beside its rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// How many rows it has.
    pub rows: usize,
    /// Whether its figures are estimates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Upper bound of the odds of outcomes that no sequence drew, where there may be some that have
    /// no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<f64>,
    /// How likely what is hoped for is in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hoped: Option<f64>,
    /// The same by phase, turn or step, where that is told of a whole study.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_phase: Vec<(i64, f64)>,
    /// The best first choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Of what is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counted>,
    /// The number that is told of it, where a table is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
}

/// What is told of the counts of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// How many rows they have.
    pub rows: usize,
    /// Whether they are estimates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// What the rows of a cell rest on, in short, and its last point: see
/// [`Words::rest_on`](system::Words::rest_on).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    pub on: u128,
    pub until: Point,
}

impl Rest {
    /// Of a question, where it is known.
    pub(super) fn of(question: &dyn Asking) -> Option<Rest> {
        let mut on = Xxh3Default::new();
        question.rest_on(&mut on).map(|until| Rest { on: on.digest128(), until })
    }
}

/// A cell that is answered, for those that rest on the same and do not go on longer.
pub struct Longest {
    question: Box<dyn Asking>,
    table: Table,
}

/// A table of the results of all cells.
pub(super) struct Tabled<'a> {
    /// What stands after the name of the study: `-counts`.
    pub of: &'static str,
    /// The swept ones, then those of the answers.
    pub columns: Vec<(&'a str, Column)>,
}

/// A further table of a whole study, by what its cells come to.
pub struct Further {
    /// What stands after the name of the study: `break-even`.
    pub name: &'static str,
    pub columns: Vec<(String, Column)>,
    pub rows: Vec<Vec<Cell>>,
}

/// A study that can be run, cell by cell.
pub trait Grid: Sync {
    /// The study file, and what else decides the answers.
    fn text(&self) -> &str;
    /// What decides the answers, in one spelling: what only changes the looks of the file does not
    /// change it.
    fn identity(&self) -> String;
    /// What it is about, in its own words.
    fn about(&self) -> Option<&str>;
    /// Number of cells.
    fn cells(&self) -> usize;
    /// Swept fields, with the kinds of their columns.
    fn swept_columns(&self) -> Vec<(&str, Column)>;
    /// The swept values of a cell, from 0.
    fn swept_cells(&self, case: usize) -> Vec<Cell>;
    /// Columns of the answers, after the swept ones; the first is `case`.
    fn answer_columns(&self) -> Vec<(&'static str, Column)>;
    /// Columns of the counts, after the swept ones, where any are made; the first is `case`.
    fn count_columns(&self) -> Option<Vec<(&'static str, Column)>> {
        None
    }
    /// What a cell, from 0, asks, as it is understood: cells of one text have one answer.
    fn understood(&self, case: usize) -> Result<String, String>;
    /// What a cell, from 0, comes to.
    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer;
    /// What each cell of a part, from 0, rests on, where that says more than what it asks.
    fn rests(&self, part: Range<usize>) -> Vec<Option<Rest>> {
        vec![None; part.len()]
    }
    /// What a cell, from 0, comes to, as part of the `longest` of those that rest on the same, up to
    /// its own last point; without one it is answered, and is the longest of the others.
    fn answer_part(
        &self,
        case: usize,
        _longest: Option<(&Longest, Point)>,
        options: &Options,
        meta: &Meta,
    ) -> Result<(Answered, Option<Longest>), String> {
        self.answer(case, options, meta).map(|answered| (answered, None))
    }
    /// The rules that all cells follow.
    fn rules(&self) -> Footing;
    /// What is hoped for, and of whom, where all cells hope for the same: `the last unit`,
    /// `rallied after the last phase`.
    fn headline(&self) -> Option<(&'static str, &'static str)>;
    /// What a chart shows of it: that table, or what is hoped for of what is always told.
    fn charted(&self) -> Option<Meant> {
        self.meant()
    }
    /// The map whose hexes are swept, and the units on it.
    fn board(&self) -> Option<Board> {
        None
    }
    /// The table that the file asks for, of one number of each cell.
    fn meant(&self) -> Option<Meant> {
        None
    }
    /// Whether what is told of each cell is needed when all are put together, or drawn.
    fn needs_facts(&self) -> bool {
        self.charted().is_some()
    }
    /// Further tables, by the facts of all cells.
    fn further(&self, _: &[Facts]) -> Option<Further> {
        None
    }
}

/// The tables of a study: of its answers, then of its counts.
pub(super) fn tables(study: &dyn Grid) -> Vec<Tabled<'_>> {
    let all = [("", Some(study.answer_columns())), ("-counts", study.count_columns())];
    let table = |(of, own): (&'static str, Option<Vec<(&'static str, Column)>>)| {
        Some(Tabled { of, columns: study.swept_columns().into_iter().chain(own?).collect() })
    };
    all.into_iter().filter_map(table).collect()
}

/// A hash of a text that stays the same on every machine and in every version, with its name in
/// front.
pub(super) fn fingerprint(text: &str) -> String {
    format!("xxh3-128:{:032x}", xxh3_128(text.as_bytes()))
}

/// What a study asks, with the table that is to be written of it; without one nothing is added.
pub(super) fn asked_for(mut asked: Value, layout: Option<&Layout>, tell: Option<String>) -> String {
    if let Some(layout) = layout {
        asked["table"] = json!({ "tell": tell, "layout": layout });
    }
    asked.to_string()
}

impl Study {
    /// The form of a cell, from 0, filled in.
    fn form(&self, case: usize) -> Result<Box<dyn Form>, String> {
        with(self.base.form().boxed(), self.swept_values(case)).map_err(|fault| fault.to_string())
    }

    /// What is asked, in one line.
    pub(super) fn in_words(&self) -> String {
        let form = self.base.form();
        self.grid.in_words(form.kind().name, form.understood(None))
    }

    /// What is hoped for of the last unit of a cell; nothing where rows are of whole stacks.
    pub(super) fn hope(&self, case: usize) -> Option<Hope> {
        let question = self.question(case).ok().filter(|question| !question.words().is_joint())?;
        Some(question.words().hoped()).filter(|hope| !hope.statuses.is_empty())
    }

    /// What a cell, from 0, comes to, with all facts, and the answer itself.
    pub(super) fn answer_by_phase(
        &self,
        case: usize,
        options: &Options,
        meta: &Meta,
    ) -> Result<(Answered, Longest), String> {
        // Every cell was checked when the file was read; should one fail all the same, it is not
        // lost in silence.
        let question = self.question(case).map_err(|fault| fault.to_string())?;
        let counting = self.counts.map(|group| Counting {
            group: Some(group),
            is_asked: true,
            ..Counting::BESIDE
        });
        let counted = Options { counts: counting, ..*options };
        let table = question.answer(&counted, meta.clone()).map_err(|error| error.to_string())?;
        let answered = self.answered(case, question.as_ref(), &table, options)?;
        Ok((answered, Longest { question, table }))
    }

    /// What a cell, from 0, comes to by an answer; `question` is its own, or rests on the same.
    fn answered(
        &self,
        case: usize,
        question: &dyn Asking,
        answer: &Table,
        options: &Options,
    ) -> CellAnswer {
        let words = question.words();
        let counts = answer.counts.as_ref().map_or_else(Vec::new, |counts| counts.cells(1));
        let hope =
            Some(words.hoped()).filter(|hope| !hope.statuses.is_empty() && !words.is_joint());
        let by_phase: Vec<(i64, f64)> = hope
            .map_or(Vec::new(), |hope| hoped(&answer.rows, hope, words.units().into()))
            .into_iter()
            .map(|(point, figure)| (point, figure.probability()))
            .collect();
        let told = match &self.layout {
            None => None,
            Some(_) => {
                let form = self.form(case)?;
                let answer = || Ok(answer.clone());
                let number = self.telling.number(form.as_ref(), question, answer, options);
                number.map_err(|error| error.to_string())?.0.as_ref().map(number::told)
            }
        };
        let is_drawn = |counts: &Counts| counts.footing.trials.is_some();
        let facts = Facts {
            told,
            counted: self.counts.map(|_| Counted {
                rows: counts.len(),
                estimated: answer.counts.as_ref().is_some_and(is_drawn),
            }),
            estimated: answer.rows.iter().any(|row| !matches!(row.figure, Figure::Exact { .. })),
            unseen: answer.meta.unseen,
            hoped: by_phase.last().map(|(_, hoped)| *hoped),
            by_phase,
            ..Facts::default()
        };
        Ok(Answered {
            rows: answer.rows.iter().map(|row| row.cells(table::Shape::of(words))).collect(),
            counts,
            facts,
        })
    }
}

/// The same without what is told by phase, which is told of no whole study.
fn without_phases(answered: Answered) -> Answered {
    Answered { facts: Facts { by_phase: Vec::new(), ..answered.facts }, ..answered }
}

impl Grid for Study {
    fn text(&self) -> &str {
        &self.text
    }

    /// Its canonical request, without what is swept, and the values of that; and the counts and the
    /// table it asks for.
    fn identity(&self) -> String {
        let (kind, base) = (self.base.form().kind().name, self.base.form().understood(None));
        let mut asked = json!({ "kind": kind, "base": base, "grid": self.grid.told() });
        if let Some(group) = self.counts {
            asked["counts"] = group.name.into();
        }
        asked_for(asked, self.layout.as_ref(), self.telling.name())
    }

    fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    fn cells(&self) -> usize {
        self.grid.cells()
    }

    fn swept_columns(&self) -> Vec<(&str, Column)> {
        self.grid.columns()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.grid.cells_of(case)
    }

    fn answer_columns(&self) -> Vec<(&'static str, Column)> {
        table::columns(
            self.question(0)
                .map_or(table::Shape::default(), |question| table::Shape::of(question.words())),
        )
    }

    fn count_columns(&self) -> Option<Vec<(&'static str, Column)>> {
        self.counts?;
        self.question(0).ok().map(|question| counts::columns(question.words().points()))
    }

    fn understood(&self, case: usize) -> Result<String, String> {
        let form = self.form(case)?;
        let question = form.finish().map_err(|error| error.fault.to_string())?;
        Ok(Value::Object(form.understood(Some(question.as_ref()))).to_string())
    }

    fn meant(&self) -> Option<Meant> {
        let layout = self.layout.clone()?;
        let question = self.question(0).ok()?;
        let (words, style) = self.telling.in_words(question.words());
        let is_minimized = self.telling.is_minimized();
        Some(Meant { question: self.in_words(), words, style, is_minimized, layout })
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        Ok(without_phases(self.answer_by_phase(case, options, meta)?.0))
    }

    /// Nothing where a number is told of every cell, which may rest on more than its rows.
    fn rests(&self, part: Range<usize>) -> Vec<Option<Rest>> {
        let mut rests = vec![None; part.len()];
        if self.layout.is_none() {
            let rest = |form: &dyn Form| Rest::of(form.finish().ok()?.as_ref());
            let mut show = |case, form: &dyn Form| {
                rests[case - part.start] = rest(form);
                Ok(())
            };
            // What cannot be filled in rests on nothing that is known.
            let _ = self.each(&part, &mut show);
        }
        rests
    }

    fn answer_part(
        &self,
        case: usize,
        longest: Option<(&Longest, Point)>,
        options: &Options,
        meta: &Meta,
    ) -> Result<(Answered, Option<Longest>), String> {
        let part = longest
            .and_then(|(Longest { question, table }, until)| Some((question, table.until(until)?)));
        if let Some((question, table)) = part {
            let answered = self.answered(case, question.as_ref(), &table, options)?;
            return Ok((without_phases(answered), None));
        }
        let (answered, answer) = self.answer_by_phase(case, options, meta)?;
        Ok((without_phases(answered), Some(answer)))
    }

    fn rules(&self) -> Footing {
        self.rules_of()
    }

    fn headline(&self) -> Option<(&'static str, &'static str)> {
        let question = self.question(0).ok().filter(|question| !question.words().is_joint())?;
        in_words(question.words())
    }
}
