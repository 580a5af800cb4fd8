//! The study file: a base question, a grid of varied fields, and the options of the run. A cell is
//! one combination of the values of these fields. Every fault has its place in the file.
//! `cli/new/rally.toml` is an example.
//!
//! With `counts = "mmc"` at the top level, a second table counts the units of that group in each
//! cell: how many hold, break or are lost. With `question = "sequence"`, steps are listed as
//! `[[step]]`, and their fields are varied as `1.fp = [4, 8]`.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3Default;

use super::chart;
use super::grid::{
    AnsweredCell, CellAnswer, CellCounts, CellFacts, Grid, Longest, RowHash, StudyInfo,
    with_requested_table,
};
use super::number::{self, CellMeasure, in_words, success_by_point};
use super::number_table::{Layout, TableDescription};
pub use super::swept::{MAX_CELLS, MOST_CELLS};
use super::swept::{Sweep, Sweeps};
use answer::{
    Cell, Counting, Meta, Options, Provenance, QuestionFacts, QuestionInfo, SharedSetting, Success,
    Table, UnitCounts, counts, table,
};
use engine::monitor::Monitor;
use engine::process::{Player, ReportIndex};
use engine::text::Fault;
use play::files::kinds::{game_of, kind_of};
use play::files::values::{blamed, field_entries, tried, with};
use play::{DynQuestion, FOR, Form, Located, PartialQuestion, Registry, StudyTable};
use schema::common_fields::GIVEN;
use schema::from_toml;
use schema::{FieldFault, Group, Node, QuestionTable, Spanned, side_named};

const SLICE: usize = 1 << 16;

/// The cells of a study that are read.
pub struct Extent {
    /// The cells (0-based) that are checked; `None` for all.
    pub part: Option<Range<usize>>,
    /// The most cells that the study may have.
    pub most: usize,
}

impl Extent {
    /// All cells of a study that runs in one folder.
    pub const WHOLE: Extent = Extent { part: None, most: MAX_CELLS };
}

/// A function that checks whether a question fits the study, before it is answered.
pub(super) type IsFit<'a> = &'a (dyn Fn(&dyn DynQuestion) -> Result<(), FieldFault> + Sync);

/// A callback that receives each grid cell (0-based) with its filled-in form.
pub(super) type Show<'a> = &'a mut dyn FnMut(usize, &dyn Form) -> Result<(), Fault>;

/// A study file that has been read; every cell of its grid was checked.
#[derive(Clone, Debug)]
pub struct Study {
    pub(super) info: StudyInfo,
    pub(super) base: PartialQuestion,
    pub(super) grid: Sweeps<Located>,
    /// The number that the requested table shows.
    pub(super) telling: CellMeasure,
    /// True if the facts of a cell have its odds by phase.
    pub(super) has_phases: bool,
    /// The group of units that a second table counts in every cell, if requested.
    pub(super) counts: Option<&'static Group>,
    /// The side whose best cells are named below the requested table.
    pub(super) side: Option<Player>,
}

impl Study {
    /// Reads a study file and checks the cells of an extent; `watch` can cancel the check.
    ///
    /// # Errors
    ///
    /// Fails with the place of the first key, value or cell that is not valid, and with any fault
    /// if `watch` cancels.
    pub fn parse(
        text: &str,
        registry: &Registry,
        Extent { part, most }: Extent,
        watch: Monitor,
    ) -> Result<Study, Fault> {
        let tables: StudyTable = from_toml::read(text, "a study")?;
        let game = game_of(registry, tables.system.as_ref())?;
        let kind = kind_of(game, tables.question.as_ref())?;
        let engine_request = tables.run.engine_request()?;
        let about = tables.about.clone();
        let info =
            StudyInfo { text: text.to_string(), about, engine_request, ..StudyInfo::default() };
        let base = PartialQuestion::of_steps(game.form(kind), tables.steps.as_ref())?
            .with(&tables.base.entries)?;
        let mut study = Study::one_cell(info, base);
        let group = |Spanned { value, place }: &Spanned<String>| {
            kind.group(value).map_err(|fault| place.blamed(fault))
        };
        study.counts = tables.counts.as_ref().map(group).transpose()?;
        let side = |Spanned { value, place }: &Spanned<String>| {
            side_named(value, &[kind]).map_err(|fault| place.blamed(fault))
        };
        study.side = tables.side.as_ref().map(side).transpose()?;
        study.read_grid(&tables.grid, most)?;
        let part = part.unwrap_or(0..study.grid.cells());
        let StudyTable { tell: number, .. } = &tables;
        let layout = Layout::read(tables.wanted(), &study.grid.columns())?;
        if layout.is_some() {
            study.grid.few_enough(text, MAX_CELLS)?;
        }
        let telling = number.as_ref().map(|Spanned { value, place }| {
            CellMeasure::read(value, game, kind).map_err(|fault| place.blamed(fault))
        });
        let usual = || {
            let measure = study.question(0).ok()?.words().usual_measure()?;
            CellMeasure::read(&measure, game, kind).ok()
        };
        let telling = telling.transpose()?.or_else(usual).unwrap_or_default();
        study.check(&part, &|question| question.answerable(), watch)?;
        if let Some(Spanned { place, .. }) = number {
            let has_number = |question: &dyn DynQuestion| telling.check(question.words());
            // The measure is not a field of the question, so the fault is placed at the key `tell`.
            study
                .check(&part, &has_number, watch)
                .map_err(|fault| Fault { span: place.span.clone(), ..fault })?;
        }
        let study = Study { telling, ..study }.described(layout);
        chart::check(&study, tables.chart.as_ref())?;
        Ok(study)
    }

    /// Checks the cells of a part, in parallel slices: `is_fit` must accept the question of each.
    pub(super) fn check(
        &self,
        part: &Range<usize>,
        is_fit: IsFit,
        watch: Monitor,
    ) -> Result<(), Fault> {
        let check_cell = |case: usize, form: &dyn Form| {
            watch.check_cancelled().map_err(|error| Fault::new(error.to_string(), 0..0))?;
            if form.finish().is_ok_and(|question| is_fit(question.as_ref()).is_ok()) {
                return Ok(());
            }
            // Only a failing cell is read again, to find the place of its fault.
            let fit = is_fit(self.finished(case)?.as_ref());
            fit.map_err(|error| self.place_fault(case, error))
        };
        let slice = |first: usize| {
            let slice = first..(first + SLICE).min(part.end);
            self.each(&slice, &mut |case, form| check_cell(case, form))
        };
        let slices = part.clone().into_par_iter().step_by(SLICE);
        let checked: Vec<Result<(), Fault>> = slices.map(slice).collect();
        checked.into_iter().collect()
    }

    /// Passes the filled-in form of every cell of a part to `show`, in order.
    pub(super) fn each(&self, part: &Range<usize>, show: Show) -> Result<(), Fault> {
        each_over(self.base.form(), self.grid.all(), 0, part, show)
    }

    /// Returns a study without varied fields, which is not [described](Study::described) yet.
    pub(super) fn one_cell(info: StudyInfo, base: PartialQuestion) -> Study {
        Study {
            info,
            base,
            grid: Sweeps::none(),
            telling: CellMeasure::Success,
            has_phases: false,
            counts: None,
            side: None,
        }
    }

    pub(super) fn read_grid(&mut self, grid: &QuestionTable, most: usize) -> Result<(), Fault> {
        for (key, node) in field_entries(&grid.entries, self.base.form().has_steps()) {
            self.add_sweep(&key, node)?;
        }
        self.grid.few_enough(&self.info.text, most)
    }

    fn add_sweep(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        if key.value.ends_with(".do") {
            return Err(key.place.fault("the `do` of a step cannot be swept"));
        }
        let field = self.base.new_field(key)?;
        if field == GIVEN {
            return Err(key.place.fault("`given` cannot be swept").help("move it to [base]"));
        }
        let form = self.base.form();
        if let Some(other) = form.kind().other_names(&field).find(|name| self.grid.sweeps(name)) {
            return Err(key.place.either(&field, other));
        }
        if form.field(&field).is_some_and(|declared| !declared.sweeps) {
            let fault =
                key.place.fault(format!("`{field}` changes the columns and cannot be swept"));
            return Err(fault.help("move it to [base]"));
        }
        self.grid.add(field, key, node, |item| {
            let placed = tried(key, node, item, form)?;
            Ok((placed.value.cell_of(form.field(&key.value).map(|field| field.takes)), placed))
        })
    }

    /// Returns all values of the rules that the study sets or varies.
    pub(super) fn settings(&self) -> BTreeMap<String, Vec<String>> {
        let base =
            self.base.fields().map(|(field, placed)| (field, vec![placed.value.cell().text()]));
        let texts =
            |sweep: &Sweep<Located>| sweep.values.iter().map(|(cell, _)| cell.text()).collect();
        let swept = self.grid.all().iter().map(|sweep| (sweep.field.as_str(), texts(sweep)));
        let setting = |(field, values): (&str, Vec<String>)| {
            Some((self.base.form().setting(field)?.to_string(), values))
        };
        base.chain(swept).filter_map(setting).collect()
    }

    /// Returns the varied fields of grid cell `case` (0-based) with their values.
    pub(super) fn swept_values(&self, case: usize) -> impl Iterator<Item = (&str, &Located)> {
        self.grid.cell(case).map(|(field, (_, placed))| (field, placed))
    }

    fn form(&self, case: usize) -> Result<Box<dyn Form>, Fault> {
        with(self.base.form().boxed(), self.swept_values(case))
    }

    /// Returns the question of grid cell `case` (0-based), which may have no answer.
    pub(super) fn finished(&self, case: usize) -> Result<Box<dyn DynQuestion>, Fault> {
        self.form(case)?.finish().map_err(|error| self.place_fault(case, error))
    }

    /// Returns the question of grid cell `case` (0-based). Fails if it has no answer.
    pub(crate) fn question(&self, case: usize) -> Result<Box<dyn DynQuestion>, Fault> {
        let question = self.finished(case)?;
        question.answerable().map_err(|error| self.place_fault(case, error))?;
        Ok(question)
    }

    fn place_fault(&self, case: usize, error: FieldFault) -> Fault {
        blamed(&self.base.fields().chain(self.swept_values(case)).collect::<Vec<_>>(), error)
    }

    pub(super) fn in_words(&self) -> String {
        let form = self.base.form();
        self.grid.in_words(form.kind().name, form.canonical(None))
    }

    /// Fills in what all cells share; `layout` is that of the requested table, if any.
    pub(super) fn described(mut self, layout: Option<Layout>) -> Study {
        let first = self.question(0).ok();
        let words = first.as_ref().map(|question| question.words());
        let facts = words.map(|words| words.facts());
        let shape = words.map_or(table::Shape::default(), table::Shape::from_question);
        let held: Vec<SharedSetting> = self
            .finished(0)
            .map_or(Vec::new(), |question| question.words().details().shared_settings);
        let described = |(words, layout): (&dyn QuestionInfo, Layout)| {
            let (question, sides) = (self.in_words(), words.facts().sides);
            let units = self.base.form().kind().fields().next();
            let units_vary = units.is_some_and(|field| self.grid.sweeps(field.name));
            let (words, style) = self.telling.in_words(words, units_vary);
            let is_minimized = self.telling.is_minimized(self.side.unwrap_or(Player::Owner));
            let best_for = self.side.map(|side| side.word(&sides));
            TableDescription { question, words, style, is_minimized, best_for, layout }
        };
        let table = words.zip(layout.clone()).map(described);
        let has_measure = words.is_some_and(|words| words.usual_measure().is_some());
        self.info = StudyInfo {
            identity: self.identity(layout.as_ref()),
            cells: self.grid.cells(),
            swept_columns: self.grid.columns(),
            answer_columns: table::columns(shape),
            count_columns: facts
                .filter(|_| self.counts.is_some())
                .map(|facts| counts::columns(facts.points)),
            rules: Provenance::of_study(held, |field| self.grid.sweeps(field), self.settings()),
            headline: facts
                .filter(|facts| !facts.is_joint && !has_measure)
                .and_then(|facts| in_words(&facts)),
            needs_facts: table.is_some(),
            charted: table.clone(),
            table,
            ..self.info.clone()
        };
        self
    }

    /// Returns the kind, all fields, and the requested counts and table, as JSON.
    fn identity(&self, layout: Option<&Layout>) -> String {
        let (kind, base) = (self.base.form().kind().name, self.base.form().canonical(None));
        let mut requested = json!({ "kind": kind, "base": base, "grid": self.grid.to_json() });
        if let Some(group) = self.counts {
            requested["counts"] = group.name.into();
        }
        if let Some(side) = self.side {
            requested[FOR] = side.name().into();
        }
        with_requested_table(requested, layout, self.telling.name())
    }

    pub(super) fn success(&self, case: usize) -> Option<Success> {
        self.question(case).ok().and_then(|question| success_of_unit(&question.words().facts()))
    }

    /// Returns a cell's (0-based) rows and facts from its answer, or that of a longer `question`.
    fn answered(
        &self,
        case: usize,
        question: &dyn DynQuestion,
        answer: &Table,
        options: &Options,
    ) -> CellAnswer {
        let shared = question.words().facts();
        let counts = answer.counts.as_ref().map_or_else(Vec::new, |counts| counts.cells(1));
        let by_phase = success_of_unit(&shared).map_or(Vec::new(), |success| {
            success_by_point(&answer.rows, success, shared.units.into())
        });
        let by_phase: Vec<(i64, f64)> =
            by_phase.iter().map(|(point, figure)| (*point, figure.probability())).collect();
        let mut told = None;
        if self.info.table.is_some() {
            let form = self.form(case).map_err(|fault| fault.to_string())?;
            let number =
                self.telling.number(form.as_ref(), question, || Ok(answer.clone()), options);
            told = number.map_err(|error| error.to_string())?.0.as_ref().map(number::cell_value);
        }
        let is_drawn = |counts: &UnitCounts| counts.footing.trials.is_some();
        let facts = CellFacts {
            told,
            counted: self.counts.map(|_| CellCounts {
                rows: counts.len(),
                estimated: answer.counts.as_ref().is_some_and(is_drawn),
            }),
            estimated: answer.rows.iter().any(|row| row.figure.counted().is_some()),
            unseen: answer.meta.unseen,
            hoped: by_phase.last().map(|(_, hoped)| *hoped),
            by_phase: if self.has_phases { by_phase } else { Vec::new() },
            ..CellFacts::default()
        };
        let rows = answer.rows.iter().map(|row| row.cells(answer.shape)).collect();
        Ok(AnsweredCell { rows, counts, facts })
    }
}

/// Returns the statuses that count as success for the last unit; `None` for rows of whole stacks.
fn success_of_unit(facts: &QuestionFacts) -> Option<Success> {
    number::success(facts).filter(|_| !facts.is_joint)
}

impl Grid for Study {
    fn info(&self) -> &StudyInfo {
        &self.info
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.grid.cells_of(case)
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        let form = self.form(case).map_err(|fault| fault.to_string())?;
        let question = form.finish().map_err(|error| error.fault.to_string())?;
        Ok(Value::Object(form.canonical(Some(question.as_ref()))).to_string())
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        Ok(self.answer_part(case, None, options, meta)?.0)
    }

    /// Returns no hashes for a requested table, since its numbers may depend on more than rows.
    fn row_hashes(&self, part: Range<usize>) -> Vec<Option<RowHash>> {
        let mut rests = vec![None; part.len()];
        if self.info.table.is_none() {
            let rest = |form: &dyn Form| {
                let mut on = Xxh3Default::new();
                let until = form.finish().ok()?.rest_on(&mut on)?;
                Some(RowHash { on: on.digest128(), until })
            };
            let mut show = |case, form: &dyn Form| {
                rests[case - part.start] = rest(form);
                Ok(())
            };
            // A cell whose form cannot be filled in has no hash.
            let _ = self.each(&part, &mut show);
        }
        rests
    }

    fn answer_part(
        &self,
        case: usize,
        longest: Option<(&Longest, ReportIndex)>,
        options: &Options,
        meta: &Meta,
    ) -> Result<(AnsweredCell, Option<Longest>), String> {
        let part = longest
            .and_then(|(Longest { question, table }, until)| Some((question, table.until(until)?)));
        if let Some((question, table)) = part {
            let answered = self.answered(case, question.as_ref(), &table, options)?;
            return Ok((answered, None));
        }
        // Every cell was checked when the file was read, so an error is unexpected.
        let question = self.question(case).map_err(|fault| fault.to_string())?;
        let counting = self.counts.map(|group| Counting {
            group: Some(group),
            is_requested: true,
            ..Counting::IMPLICIT
        });
        let counted = Options { counts: counting, ..*options };
        let table = question.answer(&counted, meta.clone()).map_err(|error| error.to_string())?;
        let answered = self.answered(case, question.as_ref(), &table, options)?;
        Ok((answered, Some(Longest { question, table })))
    }
}

/// Passes each form of `part` to `show`, filling in each `open` value once; `first` is 0-based.
fn each_over(
    form: &dyn Form,
    open: &[Sweep<Located>],
    first: usize,
    part: &Range<usize>,
    show: Show,
) -> Result<(), Fault> {
    let Some((sweep, open)) = open.split_first() else { return show(first, form) };
    let each: usize = open.iter().map(|sweep| sweep.values.len()).product();
    for ((_, value), first) in sweep.values.iter().zip((first..).step_by(each)) {
        if first >= part.end || first + each <= part.start {
            continue;
        }
        let fields = std::iter::once((sweep.field.as_str(), value));
        let form = with(form.boxed(), fields)?;
        each_over(form.as_ref(), open, first, part, show)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::Cell;
    use api::games;

    fn parse(text: &str) -> Result<Study, Fault> {
        Study::parse(text, &games(), Extent::WHOLE, Monitor::NONE)
    }

    fn fault(text: &str) -> String {
        let fault = parse(text).unwrap_err();
        let line = text[..fault.span.start].matches('\n').count() + 1;
        format!("{line}: {} `{}`", fault, &text[fault.span.clone()])
    }

    #[test]
    fn last_field_of_a_grid_varies_fastest() {
        let text = "question = \"rally\"\n[base]\nstack = \"german:4-6-7/dm\"\n[grid]\nterrain = [\"open\", \"woods\"]\nphases = { from = 1, to = 5, step = 2 }\n";
        let study = parse(text).unwrap();
        assert_eq!(study.info().cells, 6);
        let columns: Vec<&str> =
            study.info.swept_columns.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(columns, ["terrain", "phases"]);
        let cells: Vec<String> = study.swept_cells(4).iter().map(Cell::text).collect();
        assert_eq!(cells, ["woods", "3"]);
    }

    #[test]
    fn faults_point_into_the_file() {
        let base = "question = \"rally\"\n[base]\nstack = \"german:4-6-7/dm\"\n";
        for (text, expected) in [
            (
                "",
                "1: `question` is missing: expected one of fire, check, rally, interdict, sequence, turn, cross, cc, sniper, conceal, platoon, firefight, campaign (question = \"fire\") ``",
            ),
            (
                "question = \"ruot\"",
                "1: `question` cannot be `ruot` (valid: fire, check, rally, interdict, sequence, turn, cross, cc, sniper, conceal, platoon, firefight, campaign) `\"ruot\"`",
            ),
            (
                "question = \"raly\"",
                "1: `question` cannot be `raly` (did you mean `rally`?) `\"raly\"`",
            ),
            (
                "questoin = \"rally\"",
                "1: a study has no key `questoin` (did you mean `question`?) `questoin`",
            ),
            (
                &format!("{base}terain = \"woods\""),
                "4: `rally` has no field `terain` (did you mean `terrain`?) `terain`",
            ),
            (
                &format!("{base}terrain = \"wods\""),
                "4: no terrain is called `wods` (did you mean `woods`?) `wods`",
            ),
            (
                &format!("{base}phases = 0"),
                "4: `phases` must be a whole number from 1 to 60, not 0 `0`",
            ),
            (
                &format!("{base}phases = 1.5"),
                "4: `phases` must be a whole number from 1 to 60, not a decimal number `1.5`",
            ),
            (
                &format!("{base}[grid]\nphases = 3"),
                "5: `phases` in [grid] must be a list or a range (write [1, 2, 3], \"1,2,3\" or \"1..6\"; put a single value in [base]) `3`",
            ),
            (
                &format!("{base}[grid]\nphases = {{ from = 6, to = 1 }}"),
                "5: the range ends below its start: 6 to 1 (the first number must not be above the last) `{ from = 6, to = 1 }`",
            ),
            (
                &format!("{base}[grid]\nphases = {{ from = 1, to = 99 }}"),
                "5: `phases` must be a whole number from 1 to 60, not 61 `{ from = 1, to = 99 }`",
            ),
            (
                &format!("{base}[grid]\nphases = \"1..99\""),
                "5: `phases` must be a whole number from 1 to 60, not 61 `1..99`",
            ),
            (
                &format!("{base}[grid]\nphases = \"3\""),
                "5: `phases` in [grid] must be a list or a range (write [1, 2, 3], \"1,2,3\" or \"1..6\"; put a single value in [base]) `\"3\"`",
            ),
            (
                &format!("{base}[grid]\nleader = \"8-0,9-9\""),
                "5: no counter has the printed values `9-9` (nearest: 9-0, 9-1, 9-2; `lowcrawl units` lists all counters) `9-9`",
            ),
            (&format!("{base}[grid]\nphases = []"), "5: the list of `phases` is empty `[]`"),
            (
                &format!("{base}[grid]\nleader = [\"8-0\", \"8-0\"]"),
                "5: `leader` has this value twice `\"8-0\"`",
            ),
            (
                &format!("{base}[grid]\nstack = [\"german:4-6-8\"]"),
                "5: `stack` is given twice (keep one of them) `stack`",
            ),
            (
                &format!("{base}phases = 2\n[grid]\nturns = [2, 3]"),
                "6: use either `turns` or `phases`, not both (remove one of them) `turns`",
            ),
            (
                &format!("{base}[grid]\nturns = [2, 3]\nphases = [2, 3]"),
                "6: use either `phases` or `turns`, not both (remove one of them) `phases`",
            ),
            (
                &format!("{base}[run]\ntrials = 10\nprecision = 0.1"),
                "5: use either `trials` or `precision`, not both (remove one of them) `10`",
            ),
            (
                &format!("{base}[run]\ntrials = 0"),
                "5: `trials` must be a whole number from 1 to 100000000000, not 0 `0`",
            ),
            (
                &format!("{base}[run]\nthreads = 0"),
                "5: [run] has no key `threads` (valid: engine, trials, precision, seed) `threads`",
            ),
            (
                "question = \"rally\"\n[grid]\nstack = [\"german:4-6-7\", \"grman:4-6-8\"]",
                "3: no nation is called `grman` (did you mean `german`?) `grman`",
            ),
            ("question = \"rally\"\n", "1: the stack is missing (for example `german:4-6-7`) ``"),
            ("question = \n", "1: string values must be quoted, expected literal string ``"),
        ] {
            assert_eq!(fault(text), expected, "{text}");
        }
    }
}
