//! A study in memory: a question with lists of values, whose combinations are the cells, as in a
//! study file. No folder is written, and result rows are built while they are written.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use indexmap::{IndexMap, IndexSet};
use rayon::prelude::*;
use serde_json::{Value as Json, json};

use super::checkpoints::lock;
use super::number::{
    CellMeasure, HoldingUnits, TELL, cell_value, holding_is_success, in_words, mean_holding,
    number_cells, number_columns,
};
use super::number_table::{Layout, Numbers, Style, TableDescription, value};
use super::swept::{Sweeps, Swept};
use answer::sampling::unseen_in_words;
use answer::table::{columns, expected_in_json, json_only};
use answer::{
    Block, Cell, Column, Counting, Estimate, Expected, Meta, Options, Provenance, QuestionInfo,
    Row, Shape, Sheet, SheetSource, Table,
};
use api::odds::OddsAnswer;
use api::{Answer, Refused, Request};
use engine::process::{Label, Player};
use engine::solve::EQUAL;
use play::{DynQuestion, Form, Game, Measurement as Number, Objective, Owned};
use render::layout::Digits;
use schema::FieldFault;

/// The most cells that a study in memory may have.
pub const MOST_CELLS: usize = 10_000;

pub struct ListStudy {
    /// The form with the fields that all cells share.
    base: Box<dyn Form>,
    telling: CellMeasure,
    /// The usual measure of the kind, if it has one, and whether rows of outcomes are shown too.
    usual: Option<(CellMeasure, bool)>,
    /// True if the number of a cell counts units that hold, instead of the probability of success.
    holds: bool,
    /// The side whose best cells are named.
    side: Option<Player>,
    fields: Vec<&'static str>,
    grid: Sweeps<Owned>,
}

pub struct Answers {
    pub meant: TableDescription,
    pub meta: Meta,
    /// The measure in the user's spelling; `None` for the default one.
    name: Option<String>,
    /// True if the numbers are means between 0 and 1 that count a single unit.
    pub is_share: bool,
    fields: Vec<(&'static str, Column)>,
    cells: Vec<Answered>,
    labels: IndexSet<Label>,
}

/// A cell (0-based) without an answer, and the reason.
pub type NoAnswer = (usize, Box<Refused>);

/// The rows of a cell, with indices in place of their labels.
struct Outcomes {
    /// Indices into the label set that all cells share, since most labels occur in many cells.
    labels: Vec<usize>,
    figures: Vec<Estimate>,
    shape: Shape,
    expected: Vec<Expected>,
}

impl Outcomes {
    fn new(table: Table, labels: &Mutex<IndexSet<Label>>) -> Outcomes {
        let Table { rows, shape, expected, .. } = table;
        let mut labels = lock(labels);
        let rows = rows.into_iter();
        let rows = rows.map(|Row { label, figure, .. }| (labels.insert_full(label).0, figure));
        let (labels, figures) = rows.unzip();
        Outcomes { labels, figures, shape, expected }
    }

    /// Returns the rows with their labels, all with case number 1.
    fn rows(&self, labels: &IndexSet<Label>) -> Vec<Row> {
        let labels = self.labels.iter().map(|place| labels[*place].clone());
        let rows = labels.zip(&self.figures);
        rows.map(|(label, figure)| Row { case: 1, label, figure: *figure }).collect()
    }
}

struct Answered {
    swept: Vec<Cell>,
    question: Box<dyn DynQuestion>,
    /// Descriptions of the unit and its success; `None` if no status counts as success.
    success: Option<(&'static str, &'static str)>,
    words: (String, Style),
    /// The outcome rows; `None` if a measure is requested instead.
    outcomes: Option<Outcomes>,
    number: Option<Number>,
    held: Option<HoldingUnits>,
    meta: Meta,
}

impl ListStudy {
    /// Creates a study without lists; `base` has all fields with a single value filled in.
    pub fn new(base: Box<dyn Form>, telling: CellMeasure) -> ListStudy {
        let (side, fields, grid) = (None, Vec::new(), Sweeps::none());
        ListStudy { base, telling, usual: None, holds: false, side, fields, grid }
    }

    /// Names the best cells for a side, if given.
    pub fn for_side(self, side: Option<Player>) -> ListStudy {
        ListStudy { side, ..self }
    }

    /// Shows the usual number of the kind, if no measure is named: a measure of its own, or units
    /// that hold, if every status of holding is a success. `has_rows` asks for outcomes too.
    pub fn with_usual_number(self, game: &dyn Game, has_rows: bool) -> ListStudy {
        let Ok(question) = self.question(0) else { return self };
        if !matches!(self.telling, CellMeasure::Success) {
            return self;
        }
        let words = question.words();
        let usual = words.usual_measure().and_then(|text| {
            let measure = CellMeasure::read(&text, game, self.base.kind()).ok()?;
            Some((measure, has_rows))
        });
        let holds = usual.is_none() && holding_is_success(&words.facts());
        ListStudy { usual, holds, ..self }
    }

    /// Returns the measure of the numbers.
    fn measure(&self) -> &CellMeasure {
        self.usual.as_ref().map_or(&self.telling, |(measure, _)| measure)
    }

    /// Adds a field with a list of values. Fails with the index of a value that does not fit.
    pub fn add(
        &mut self,
        field: &'static str,
        values: Vec<Swept<Owned>>,
    ) -> Result<(), (usize, String)> {
        self.fields.push(field);
        self.grid.push(field.to_string(), field, values)
    }

    /// Returns the number of cells; `None` if the number overflows.
    pub fn cells(&self) -> Option<usize> {
        let lengths = self.grid.all().iter().map(|sweep| sweep.values.len());
        lengths.into_iter().try_fold(1usize, |cells, length| cells.checked_mul(length))
    }

    /// Describes a grid cell (0-based) by its varied values, such as `case 3 (mc 2, leader 9-1)`.
    pub fn named(&self, case: usize) -> String {
        let own = self.grid.cell(case).map(|(field, (cell, _))| format!("{field} {}", value(cell)));
        format!("case {} ({})", case + 1, own.collect::<Vec<_>>().join(", "))
    }

    /// Returns the index (0-based) of a cell's value in the list of a field, if it has one.
    pub fn value_of(&self, case: usize, field: &str) -> Option<usize> {
        let (cell, _) = self.grid.cell(case).find(|(known, _)| *known == field)?.1;
        let sweep = self.grid.all().iter().find(|sweep| sweep.field == field)?;
        sweep.values.iter().position(|(known, _)| known == cell)
    }

    fn form(&self, case: usize) -> Result<Box<dyn Form>, FieldFault> {
        let mut form = self.base.boxed();
        for (field, (_, owned)) in self.grid.cell(case) {
            form.set(field, owned.value()).map_err(FieldFault::in_field(field))?;
        }
        Ok(form)
    }

    /// Returns the question of grid cell `case` (0-based), if it has an answer with the measure.
    pub fn question(&self, case: usize) -> Result<Box<dyn DynQuestion>, FieldFault> {
        let question = self.form(case)?.finish()?;
        question.answerable()?;
        self.telling.check(question.words())?;
        Ok(question)
    }

    /// Returns a note on each varied field that changes no exact number, with one that it does
    /// change, if one is found.
    fn unmoved(&self, cells: &[Answered], options: &Options) -> Vec<String> {
        let of_measure =
            self.measure().name().map_or("the number".to_string(), |name| format!("`{name}`"));
        let note = |field: usize| {
            let (name, sweep) = (self.fields[field], &self.grid.all()[field]);
            let mut known: IndexMap<Vec<String>, f64> = IndexMap::new();
            for Answered { swept, number, .. } in cells {
                let number = cell_value(number.as_ref()?);
                let others = swept.iter().enumerate().filter(|(place, _)| *place != field);
                let others = others.map(|(_, cell)| value(cell)).collect();
                let first = *known.entry(others).or_insert(number.value);
                if number.interval.is_some() || (number.value - first).abs() > EQUAL {
                    return None;
                }
            }
            if sweep.values.len() < 2 {
                return None;
            }
            let stride: usize =
                self.grid.all()[field + 1..].iter().map(|sweep| sweep.values.len()).product();
            let changes = |name: &&'static str| {
                let objective = Objective::read(name, &[], &[self.base.kind()]).ok()?;
                let number = |case: usize| {
                    let question = self.question(case).ok()?;
                    let options = Options { counts: None, ..*options };
                    let measured = question.measure(&objective, &options, Meta::default()).ok()?;
                    Some(cell_value(&measured.0?))
                };
                let last = stride * (sweep.values.len() - 1);
                let (one, other) = (number(0)?, number(last)?);
                let is_clear = one.interval.is_none() && (one.value - other.value).abs() > EQUAL;
                Some(is_clear)
            };
            let kind = self.base.kind();
            let is_reckoned =
                matches!(self.measure(), CellMeasure::Of(known) if known.reckoned().is_some());
            let reckoned = kind.reckoned.iter().filter(|_| is_reckoned).map(|one| one.name);
            let mut names = reckoned.chain(kind.further_ends.iter().map(|end| end.name));
            let other = names.find(|name| changes(name) == Some(true));
            let other = other.map_or(String::new(), |name| format!("; try `--tell {name}`"));
            Some(format!("`{name}` makes no difference to {of_measure}{other}"))
        };
        (0..self.fields.len()).filter_map(note).collect()
    }

    /// Answers all cells, calling `finished` after each. Fails with the first without an answer.
    pub fn answer(
        &self,
        command: &str,
        options: &Options,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Answers, NoAnswer> {
        let counts = self.holds.then_some(Counting::IMPLICIT);
        let options = &Options { counts, ..*options };
        let labels = Mutex::default();
        let answer = |case: usize| {
            let engine_error = |error| Refused::Engine { error, help: None };
            options.watch.check_cancelled().map_err(engine_error)?;
            let (form, question) = (self.form(case)?, self.question(case)?);
            let (success, words) = (
                in_words(&question.words().facts()),
                self.measure().in_words(question.words(), false),
            );
            let table = match (&self.telling, &self.usual) {
                (CellMeasure::Of(_), _) | (_, Some((_, false))) => None,
                (CellMeasure::Success, _) => {
                    let request = Request::Question(self.question(case)?);
                    match api::ask(request, command.to_string(), options)? {
                        Answer::Question(OddsAnswer { table, .. }) => Some(table),
                        _ => None,
                    }
                }
            };
            let again = || match &table {
                Some(table) => Ok(table.clone()),
                None => question.answer(options, question.meta(command.to_string())),
            };
            let number = self.measure().number(form.as_ref(), question.as_ref(), again, options);
            let (number, meta) = number.map_err(engine_error)?;
            // Created units count too, so that a mean over one unit can be more than a chance.
            let words = match &number {
                Some(Number::Mean(mean)) if mean.value > MOST_CHANCE && words.1 == Style::Odds => {
                    self.measure().in_words(question.words(), true)
                }
                _ => words,
            };
            finished();
            let meta = table.as_ref().map_or(meta, |table| without_counts(&table.meta));
            let counts = table.as_ref().and_then(|table| table.counts.as_ref());
            let held = counts.filter(|_| self.holds);
            let held = held.map(|counts| HoldingUnits::of(self.base.kind(), counts));
            let outcomes = table.map(|table| Outcomes::new(table, &labels));
            let swept = self.grid.cells_of(case);
            Ok(Answered { swept, question, success, words, outcomes, number, held, meta })
        };
        let cells = (0..self.grid.cells()).into_par_iter();
        let cells: Vec<Result<Answered, Refused>> = cells.map(answer).collect();
        let cells = cells.into_iter().enumerate();
        let cells = cells.map(|(case, cell)| cell.map_err(|refused| (case, Box::new(refused))));
        let mut cells = cells.collect::<Result<Vec<_>, _>>()?;
        let (mut words, mut style) = match cells.first() {
            Some(first) => first.words.clone(),
            None => unreachable!("every list has a value"),
        };
        // A mean is shown as a chance only if it counts one unit in every cell.
        if let Some(other) = cells.iter().find(|cell| cell.words.1 != style) {
            let mean = cells.iter().find(|cell| cell.words.1 == Style::Number).unwrap_or(other);
            (words, style) = (mean.words.0.clone(), Style::Number);
        }
        let counts: Vec<Option<&HoldingUnits>> =
            cells.iter().map(|cell| cell.held.as_ref()).collect();
        if let Some((held, how, numbers)) = mean_holding(&counts) {
            (words, style) = (held, how);
            for (cell, number) in cells.iter_mut().zip(numbers) {
                cell.number = number;
            }
        } else if let CellMeasure::Success = self.measure()
            && cells.iter().any(|cell| cell.words.0 != words)
        {
            words = match in_common(&cells) {
                Some((of, success)) => format!("How often {of} is {success}"),
                None => "Chance of success".to_string(),
            };
        }
        let notes = self.unmoved(&cells, options);
        let kinds = self.grid.columns().into_iter().map(|(_, kind)| kind);
        let meta = shared(&cells, command);
        let requested = self.grid.in_words(self.base.kind().name, self.base.canonical(None));
        Ok(Answers {
            meant: TableDescription {
                question: requested.clone(),
                words,
                style,
                is_minimized: self.measure().is_minimized(self.side.unwrap_or(Player::Owner)),
                best_for: self.side.and_then(|side| {
                    Some(side.word(&self.question(0).ok()?.words().facts().sides))
                }),
                layout: Layout::plain(self.fields.len()),
            },
            meta: Meta {
                question: requested,
                notes: notes.into_iter().chain(meta.notes.clone()).collect(),
                ..meta
            },
            name: self.telling.name(),
            is_share: self
                .question(0)
                .is_ok_and(|question| self.measure().is_share(&question.words().facts())),
            fields: self.fields.iter().copied().zip(kinds).collect(),
            cells,
            labels: labels.into_inner().unwrap_or_else(PoisonError::into_inner),
        })
    }
}

impl Answers {
    /// Returns whether the numbers are means; a mean that counts one unit is shown as a chance.
    fn is_mean(&self) -> bool {
        match self.cells.iter().find_map(|cell| cell.number.as_ref()) {
            Some(number) => matches!(number, Number::Mean(_)),
            None => self.meant.style != Style::Odds,
        }
    }

    /// Returns the varied values and the number of each cell.
    pub fn numbers(&self) -> Numbers {
        let cell = |Answered { swept, number, .. }: &Answered| {
            (swept.clone(), number.as_ref().map(cell_value))
        };
        Numbers {
            fields: self.fields.iter().map(|(field, _)| field.to_string()).collect(),
            cells: self.cells.iter().map(cell).collect(),
            digits: Digits::default(),
        }
    }

    /// Returns the varied values, the question and the outcome rows of each cell, unless a measure is requested.
    pub fn outcomes(&self) -> impl Iterator<Item = (&[Cell], &dyn QuestionInfo, Vec<Row>)> {
        let cell = |cell| -> Option<(&[Cell], &dyn QuestionInfo, Vec<Row>)> {
            let Answered { swept, question, outcomes, .. }: &Answered = cell;
            Some((swept, question.words(), outcomes.as_ref()?.rows(&self.labels)))
        };
        self.cells.iter().filter_map(cell)
    }

    /// Returns how many cells are exact and how many use Monte Carlo; `None` unless there are both.
    pub fn by_chance(&self) -> Option<(usize, usize)> {
        let exact = self.cells.iter().filter(|cell| cell.meta.engine == "exact").count();
        let drawn = self.cells.len() - exact;
        (exact > 0 && drawn > 0).then_some((exact, drawn))
    }
}

/// Returns the metadata of a cell's rows; a note says so if only its counts use Monte Carlo.
fn without_counts(meta: &Meta) -> Meta {
    let drawn = meta.counts.as_ref().and_then(|counts| counts.trials);
    let note = drawn.filter(|_| meta.engine != "monte-carlo").map(|trials| {
        format!("unit counts that are too big to be exact use Monte Carlo, {trials} sequences")
    });
    let notes = meta.notes.iter().cloned().chain(note).collect();
    Meta { counts: None, notes, ..meta.clone() }
}

/// Describes the unit and the success that all cells share; `None` if their successes differ.
fn in_common(cells: &[Answered]) -> Option<(&'static str, &'static str)> {
    let (of, success) = cells.first()?.success?;
    let same = |cell: &Answered| cell.success.is_some_and(|(_, other)| other == success);
    // If the units differ, some cell has several units, and its last unit counts.
    let others = cells.iter().filter_map(|cell| cell.success).find(|(other, _)| *other != of);
    cells.iter().all(same).then_some((others.map_or(of, |_| "the last unit"), success))
}

fn shared(cells: &[Answered], command: &str) -> Meta {
    let metas: Vec<&Meta> = cells.iter().map(|cell| &cell.meta).collect();
    let Some(first) = metas.first() else { return Meta::default() };
    let footings: Vec<&Provenance> = metas.iter().map(|meta| &meta.footing).collect();
    let same = metas.iter().all(|meta| meta.engine == first.engine);
    let drawn = metas.iter().filter(|meta| meta.trials.is_some());
    let widest = drawn.clone().max_by_key(|meta| meta.trials);
    let distinct = |all: &dyn Fn(&Meta) -> Vec<String>| {
        let texts: IndexSet<String> = metas.iter().flat_map(|meta| all(meta)).collect();
        Vec::from_iter(texts)
    };
    // The highest bound on outcomes never seen holds for all cells.
    let unseen = metas.iter().filter_map(|meta| meta.unseen).reduce(f64::max);
    let reasons = distinct(&|meta| meta.reason.iter().cloned().collect());
    let drawn = drawn.count();
    let reason = match reasons.is_empty() || drawn == metas.len() {
        true => reasons.join("; "),
        false => format!("{} ({drawn} of {} cells)", reasons.join("; "), metas.len()),
    };
    let is_met =
        |arithmetic: &Option<&str>| metas.iter().any(|meta| meta.arithmetic == *arithmetic);
    let arithmetic = [Some("certified"), Some("float"), Some("integer")].into_iter().find(is_met);
    Meta {
        command: command.to_string(),
        footing: Provenance::shared(&footings, "by cell"),
        engine: if same { first.engine } else { "exact+monte-carlo" },
        arithmetic: arithmetic.flatten(),
        error_bound: metas.iter().filter_map(|meta| meta.error_bound).reduce(f64::max),
        states: metas.iter().filter_map(|meta| meta.states).reduce(|sum, states| sum + states),
        reason: Some(reason).filter(|reason| !reason.is_empty()),
        unseen,
        notes: distinct(&|meta| {
            let lower = meta.unseen.filter(|one| Some(*one) != unseen).map(unseen_in_words);
            meta.notes.iter().filter(|note| Some(*note) != lower.as_ref()).cloned().collect()
        }),
        uncertain: distinct(&|meta| meta.uncertain.clone()),
        ..widest.map_or_else(|| (*first).clone(), |widest| (*widest).clone())
    }
}

/// The number of cells whose rows are in memory at once.
const CELLS: usize = 16;

/// The most that a chance is, with the error of doubles.
const MOST_CHANCE: f64 = 1.0 + 1e-9;

/// The result table of all cells of a study in memory. In JSON it also lists the number of each
/// cell. If a measure is requested, each cell has one row with its number instead of its outcomes.
pub struct Listing<'a> {
    answers: &'a Answers,
    head: Sheet,
}

impl<'a> Listing<'a> {
    pub fn new(answers: &'a Answers) -> Listing<'a> {
        let cells = || answers.cells.iter().zip(1..);
        let shape = shape(&answers.cells);
        let mut lists = Vec::new();
        if shape.is_some() {
            lists.push(("told", cells().map(|cell| number_json(answers, cell)).collect()));
        }
        let expected = |(answered, case): (&Answered, i64)| {
            let outcomes = answered.outcomes.as_ref();
            let outcomes = outcomes.filter(|outcomes| !outcomes.expected.is_empty())?;
            let all: Vec<Json> = expected_in_json(&outcomes.expected).collect();
            Some(json!({ "case": case, "expected": all }))
        };
        let expected: Vec<Json> = cells().filter_map(expected).collect();
        lists.extend((!expected.is_empty()).then(|| ("expected", Json::Array(expected))));
        let number = || {
            std::iter::once(("case", Column::Integer))
                .chain([(TELL, Column::Text)])
                .chain(number_columns(answers.is_mean()))
                .collect()
        };
        let own = shape.map_or_else(number, columns);
        let columns = answers.fields.iter().copied().chain(own).collect();
        let head = Sheet { lists, ..Sheet::new(columns, Vec::new(), answers.meta.clone()) };
        Listing { answers, head }
    }

    /// Returns the rows of consecutive cells; `first` is the 1-based number of the first cell.
    fn block(&self, cells: &[Answered], first: i64) -> Block<'_> {
        let answers = self.answers;
        let (mut rows, mut outcomes) = (Vec::new(), Vec::new());
        for (answered, case) in cells.iter().zip(first..) {
            let front: Vec<Cell> =
                answered.swept.iter().cloned().chain([Cell::Integer(case)]).collect();
            let Some(own) = &answered.outcomes else {
                rows.push([front, number(answers, answered)].concat());
                continue;
            };
            let of_cell = own.rows(&answers.labels);
            // An answer numbers its only cell 1, so its first column is replaced.
            let row =
                |row: &Row| front.iter().cloned().chain(row.cells(own.shape).into_iter().skip(1));
            rows.extend(of_cell.iter().map(|cells| row(cells).collect::<Vec<Cell>>()));
            outcomes.extend(of_cell);
        }
        let shape = shape(&answers.cells);
        let json_only = shape.map_or_else(Vec::new, |shape| json_only(shape, outcomes.iter()));
        Block { rows: Cow::from(rows), json_only: Cow::from(json_only) }
    }
}

impl SheetSource for Listing<'_> {
    fn head(&self) -> &Sheet {
        &self.head
    }

    fn height(&self) -> usize {
        let rows = |answered: &Answered| {
            answered.outcomes.as_ref().map_or(1, |outcomes| outcomes.figures.len())
        };
        self.answers.cells.iter().map(rows).sum()
    }

    fn blocks(&self) -> Box<dyn Iterator<Item = Block<'_>> + '_> {
        let blocks = self.answers.cells.chunks(CELLS).zip((1..).step_by(CELLS));
        Box::new(blocks.map(|(cells, first)| self.block(cells, first)))
    }
}

/// Returns the columns of outcome rows; `None` if each cell has one row with a number.
fn shape(cells: &[Answered]) -> Option<Shape> {
    Some(cells.first()?.outcomes.as_ref()?.shape)
}

fn number(answers: &Answers, answered: &Answered) -> Vec<Cell> {
    let nothing = || number_columns(answers.is_mean()).iter().map(|_| Cell::Null).collect();
    let number = answered.number.as_ref().map_or_else(nothing, number_cells);
    let name = answers.name.clone().map_or(Cell::Null, Cell::Text);
    std::iter::once(name).chain(number).collect()
}

/// Returns the number of a cell (1-based `case`) as JSON, with the values of its varied fields.
fn number_json(
    answers: &Answers,
    (Answered { swept, number, .. }, case): (&Answered, i64),
) -> Json {
    let own = answers.fields.iter().map(|(field, _)| *field).zip(swept.iter().cloned());
    let columns = number_columns(answers.is_mean()).into_iter().map(|(name, _)| name);
    let number = number.iter().flat_map(number_cells);
    let entries = own.chain([("case", Cell::Integer(case))]).chain(columns.zip(number));
    Json::Object(entries.map(|(name, cell)| (name.to_string(), json!(cell))).collect())
}
