//! The study file: a base question, a grid of varied fields, and the options of the run. Every
//! fault has its place in the file.
//! `cli/new/rally.toml` is an example.
//!
//! With `counts = "mmc"` at the top level, a second table counts the units of that group in each
//! cell (one combination of varied values). It lists how many units hold, break or are lost.
//!
//! A study with `question = "sequence"` lists its steps as `[[step]]`, and varies a field of a step
//! as `1.fp = [4, 8]`.

use std::collections::BTreeMap;
use std::ops::Range;

use super::chart;
use super::grid::StudyInfo;
use super::number::CellMeasure;
use super::number_table::Layout;
pub use super::swept::{MAX_CELLS, MOST_CELLS};
use super::swept::{Sweep, Sweeps};
use engine::monitor::Monitor;
use engine::text::Fault;
use play::files::kinds::{game_of, kind_of};
use play::files::values::{blamed, field_entries, tried, with};
use play::{DynQuestion, Form, Located, PartialQuestion, Registry, StudyTable};
use rayon::prelude::*;
use schema::common_fields::GIVEN;
use schema::from_toml;
use schema::{FieldFault, Group, Node, QuestionTable, Spanned};

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
        let telling = telling.transpose()?.unwrap_or_default();
        study.check(&part, &|question| question.answerable(), watch)?;
        if let Some(Spanned { place, .. }) = number {
            let has_number = |question: &dyn DynQuestion| telling.check(&question.words().facts());
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

    /// Returns the question of grid cell `case` (0-based), which may have no answer.
    pub(super) fn finished(&self, case: usize) -> Result<Box<dyn DynQuestion>, Fault> {
        let form = with(self.base.form().boxed(), self.swept_values(case))?;
        form.finish().map_err(|error| self.place_fault(case, error))
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
}

/// Passes the form of every cell to `show`, for all combinations of values of the `open` fields.
/// All earlier fields are filled in already, so each value is filled in once for all cells that
/// share it. The first of these cells has the number `first` (0-based); cells outside `part` are
/// skipped.
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
    use crate::study::grid::Grid as _;
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
                "1: `question` is missing: expected one of fire, check, rally, interdict, sequence, campaign (question = \"fire\") ``",
            ),
            (
                "question = \"ruot\"",
                "1: `question` cannot be `ruot` (valid: fire, check, rally, interdict, sequence, campaign) `\"ruot\"`",
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
