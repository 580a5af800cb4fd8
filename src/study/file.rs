//! The study file: a base question, a grid of fields to sweep, and how to run it. Every fault has its place in the file.
//!
//! ```toml
//! question = "rally"
//! about = "Does the leader matter more than the terrain?"
//!
//! [base]
//! stack = "german:4-6-7/broken,dm"
//!
//! [grid]
//! leader = ["none", "8-0", "8-1"]
//! phases = { from = 1, to = 6 }
//!
//! [run]
//! engine = "auto"
//! ```
//!
//! A study of `question = "sequence"` has its steps as `[[step]]`, and sweeps their fields as `1.fp = [4, 8]`.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::answer::{DEFAULT_SEED, DEFAULT_TRIALS, Engine, MAX_TRIALS, Trials};
use super::keys::{self, Key, document, entry, in_file_order, known_keys, placed_text, sub_table, whole_number, word};
use super::swept::Sweep;
use super::values::{Field, Placed, blamed, field_entries, filled};
use crate::asl::question::{Draft, Kind};
use crate::system::form::{FieldFault, Form};
use crate::system::{Footing, Held};
use crate::table::{self, Cell};
use crate::text::Fault;

/// Most cells of one study.
pub const MAX_CELLS: usize = 1_000_000;

pub(super) const TABLES: [&str; 7] = ["system", "question", "about", "base", "step", "grid", "run"];
const RUN: [&str; 4] = ["engine", "trials", "precision", "seed"];

/// A study that has been read and checked, cell by cell.
#[derive(Clone, Debug)]
pub struct Study<F> {
    /// The file's text, for the manifest.
    pub text: String,
    pub about: Option<String>,
    pub engine: Engine,
    pub trials: Trials,
    pub seed: u64,
    /// What every cell begins with.
    pub(super) blank: F,
    base: Vec<Field>,
    grid: Vec<Sweep>,
}

impl Study<Draft> {
    /// Reads a study file and checks every cell of its grid.
    pub fn parse(text: &str) -> Result<Study<Draft>, Fault> {
        let document = document(text)?;
        let root = document.get_ref();
        known_keys(root, &TABLES, "a study")?;
        let question = entry(root, "question").ok_or_else(|| {
            let kinds = Kind::ALL.map(Kind::name).join(", ");
            Fault::new(format!("`question` is missing: expected one of {kinds}, rout"), 0..0).help("question = \"rally\"")
        })?;
        // Routs are studied on situations, which are read elsewhere.
        let mut kinds = [("rout", None); Kind::ALL.len() + 1];
        for (word, kind) in kinds.iter_mut().zip(Kind::ALL) {
            *word = (kind.name(), Some(kind));
        }
        let kind = word(question, "question", kinds)?;
        let kind = kind.ok_or_else(|| Fault::new("a study of routs sweeps a situation", question.span()))?;
        Study::of_questions(text, root, kind.name(), Draft::new(kind))
    }
}

impl<F: Form> Study<F> {
    /// A study of which only `about` has been read.
    pub(super) fn begin(text: &str, root: &DeTable, blank: F) -> Result<Study<F>, Fault> {
        Ok(Study {
            text: text.to_string(),
            about: entry(root, "about").map(|value| placed_text(value, "about")).transpose()?,
            engine: Engine::Auto,
            trials: Trials::Number(DEFAULT_TRIALS),
            seed: DEFAULT_SEED,
            blank,
            base: Vec::new(),
            grid: Vec::new(),
        })
    }

    /// A study of questions of one kind, of which a blank form is given.
    pub(super) fn of_questions(text: &str, root: &DeTable, kind: &str, blank: F) -> Result<Study<F>, Fault> {
        let mut probe = blank.clone();
        let mut study = Study::begin(text, root, blank)?;
        (study.engine, study.trials, study.seed) = read_run(sub_table(root, "run")?)?;
        study.read_steps(root, kind, &mut probe)?;
        study.read_base(root, &mut probe)?;
        study.read_grid(root, &probe)?;
        Ok(study)
    }

    /// Reads `[base]`: what all cells share.
    pub(super) fn read_base(&mut self, root: &DeTable, probe: &mut F) -> Result<(), Fault> {
        in_file_order(sub_table(root, "base")?).into_iter().try_for_each(|(key, value)| self.add_base(key, value, probe))
    }

    /// Reads `[grid]`: what varies; then every cell is checked.
    pub(super) fn read_grid(&mut self, root: &DeTable, probe: &F) -> Result<(), Fault> {
        for (key, value) in field_entries(sub_table(root, "grid")?, self.blank.has_steps()) {
            self.add_sweep(&key, value, probe)?;
        }
        let cells = self.grid.iter().try_fold(1usize, |cells, sweep| cells.checked_mul(sweep.values.len()));
        if cells.is_none_or(|cells| cells > MAX_CELLS) {
            let span = root.iter().find(|(key, _)| key.get_ref() == "grid").map_or(0..0, |(key, _)| key.span());
            return Err(Fault::new(format!("the grid has more than {MAX_CELLS} cells"), span));
        }
        (0..self.cells()).try_for_each(|case| self.question(case).map(drop))
    }

    pub(super) fn add_base(&mut self, key: &Key, value: &keys::Value, probe: &mut F) -> Result<(), Fault> {
        let field = self.new_field(key)?;
        let placed = Placed::tried(&self.text, key, value, value, probe)?;
        probe.set(key.get_ref(), placed.value.value()).map_err(|fault| placed.blamed(&self.text, fault))?;
        self.base.push((field, placed));
        Ok(())
    }

    fn add_sweep(&mut self, key: &Key, value: &keys::Value, probe: &F) -> Result<(), Fault> {
        if key.get_ref().ends_with(".do") {
            return Err(Fault::new("what a step does cannot be swept", key.span()));
        }
        let field = self.new_field(key)?;
        if field == "joint" {
            return Err(Fault::new("`joint` changes the columns and cannot be swept", key.span()).help("put it into [base]"));
        }
        self.grid.push(Sweep::read(&self.text, field, key, value, probe)?);
        Ok(())
    }

    /// The canonical name of a field that does not stand in the file yet.
    fn new_field(&self, key: &Key) -> Result<String, Fault> {
        let field = F::canonical_field(key.get_ref());
        let mut known = self.base.iter().map(|(field, _)| field).chain(self.grid.iter().map(|sweep| &sweep.field));
        if known.any(|known| *known == field) {
            return Err(Fault::new(format!("`{field}` stands in the file twice"), key.span()).help("keep it in one place"));
        }
        Ok(field)
    }

    /// Number of questions.
    pub fn cells(&self) -> usize {
        self.grid.iter().map(|sweep| sweep.values.len()).product()
    }

    /// The rules of all its questions: what holds of each, or `swept`, and all values of what is set or swept.
    pub(super) fn rules_of(&self, held: impl Fn(&F::Filled) -> Vec<Held>) -> Footing {
        let held = self.question(0).map_or(Vec::new(), |question| held(&question));
        let is_swept = |field: &str| self.grid.iter().any(|sweep| sweep.field == field);
        Footing::of_study(held, is_swept, self.settings())
    }

    /// Settings of the rules that are set or swept, with their values.
    fn settings(&self) -> BTreeMap<String, Vec<String>> {
        let base = self.base.iter().map(|(field, placed)| (field, std::slice::from_ref(placed)));
        let swept = self.grid.iter().map(|sweep| (&sweep.field, &sweep.values[..]));
        let setting = |(field, values): (&String, &[Placed])| {
            let values = values.iter().map(|placed| placed.value.cell().text()).collect();
            Some((F::setting(field)?.to_string(), values))
        };
        base.chain(swept).filter_map(setting).collect()
    }

    /// Swept fields, with the kinds of their columns.
    pub fn swept_columns(&self) -> Vec<(&str, table::Kind)> {
        let kind = |sweep: &Sweep| sweep.values.first().map_or(table::Kind::Text, |placed| placed.value.kind());
        self.grid.iter().map(|sweep| (sweep.field.as_str(), kind(sweep))).collect()
    }

    /// The swept values of a cell, from 0; the last field runs fastest.
    pub fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.swept_values(case).map(|(_, placed)| placed.value.cell()).collect()
    }

    fn swept_values(&self, case: usize) -> impl Iterator<Item = (&str, &Placed)> {
        let mut below = self.cells();
        self.grid.iter().map(move |sweep| {
            below /= sweep.values.len();
            (sweep.field.as_str(), &sweep.values[case / below % sweep.values.len()])
        })
    }

    pub(super) fn fields(&self, case: usize) -> impl Iterator<Item = (&str, &Placed)> {
        self.base.iter().map(|(field, placed)| (field.as_str(), placed)).chain(self.swept_values(case))
    }

    /// The question of a cell, from 0, filled in and not yet finished.
    pub fn draft(&self, case: usize) -> Result<F, Fault> {
        filled(&self.text, &self.blank, self.fields(case))
    }

    /// The question of a cell, from 0.
    pub fn question(&self, case: usize) -> Result<F::Filled, Fault> {
        self.draft(case)?.finish().map_err(|error| self.place_fault(case, error))
    }

    /// A fault of a finished draft, at the place in the file to blame.
    pub fn place_fault(&self, case: usize, error: FieldFault) -> Fault {
        blamed(&self.text, &self.fields(case).collect::<Vec<_>>(), error)
    }
}

/// Reads `[run]`: the engine, the sequences, the seed.
pub(super) fn read_run(run: Option<&DeTable>) -> Result<(Engine, Trials, u64), Fault> {
    let (mut engine, mut seed) = (Engine::Auto, DEFAULT_SEED);
    let Some(run) = run else { return Ok((engine, Trials::Number(DEFAULT_TRIALS), seed)) };
    known_keys(run, &RUN, "[run]")?;
    if let Some(value) = entry(run, "engine") {
        let engines = [("auto", Engine::Auto), ("exact", Engine::Exact), ("monte-carlo", Engine::MonteCarlo)];
        engine = word(value, "engine", engines)?;
    }
    if let Some(value) = entry(run, "seed") {
        seed = whole_number(value, "seed", 0, i64::MAX)? as u64;
    }
    let trials = match (entry(run, "trials"), entry(run, "precision")) {
        (Some(_), Some(precision)) => return Err(Fault::new("either `trials` or `precision`, not both", precision.span())),
        (Some(trials), None) => Trials::Number(whole_number(trials, "trials", 1, MAX_TRIALS as i64)? as u64),
        (None, Some(precision)) => {
            let number = match precision.get_ref() {
                DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
                _ => None,
            };
            let half_width = number.filter(|half_width: &f64| (MIN_PRECISION..0.5).contains(half_width)).ok_or_else(|| {
                let message = format!("`precision` must be a half-width from {MIN_PRECISION} to below 0.5, such as 0.001");
                Fault::new(message, precision.span())
            })?;
            Trials::HalfWidth(half_width)
        }
        (None, None) => Trials::Number(DEFAULT_TRIALS),
    };
    Ok((engine, trials, seed))
}

/// Finest half-width a run may ask for: about `MAX_TRIALS` sequences.
pub const MIN_PRECISION: f64 = 0.000_005;

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        let fault = Study::parse(text).unwrap_err();
        let line = text[..fault.span.start].matches('\n').count() + 1;
        format!("{line}: {} `{}`", fault, &text[fault.span.clone()])
    }

    #[test]
    fn a_grid_runs_its_last_field_fastest() {
        let text = "question = \"rally\"\n[base]\nstack = \"german:4-6-7/dm\"\n[grid]\nterrain = [\"open\", \"woods\"]\nphases = { from = 1, to = 5, step = 2 }\n";
        let study = Study::parse(text).unwrap();
        assert_eq!(study.cells(), 6);
        let columns: Vec<&str> = study.swept_columns().iter().map(|(name, _)| *name).collect();
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
                "1: `question` is missing: expected one of fire, check, rally, interdict, sequence, rout (question = \"rally\") ``",
            ),
            ("question = \"ruot\"", "1: `question` cannot be `ruot` (did you mean `rout`?) `\"ruot\"`"),
            ("question = \"raly\"", "1: `question` cannot be `raly` (did you mean `rally`?) `\"raly\"`"),
            ("questoin = \"rally\"", "1: a study has no key `questoin` (did you mean `question`?) `questoin`"),
            (&format!("{base}terain = \"woods\""), "4: `rally` has no field `terain` (did you mean `terrain`?) `terain`"),
            (&format!("{base}terrain = \"wods\""), "4: no terrain is called `wods` (did you mean `woods`?) `wods`"),
            (&format!("{base}phases = 0"), "4: `phases` must be a whole number from 1 to 60, not 0 `0`"),
            (
                &format!("{base}phases = 1.5"),
                "4: `phases` must be a text, a whole number or true/false, not a decimal number `1.5`",
            ),
            (
                &format!("{base}[grid]\nphases = 3"),
                "5: `phases` in [grid] must be a list or a range ([1, 2, 3], or { from = 1, to = 6 }; a single value belongs in [base]) `3`",
            ),
            (
                &format!("{base}[grid]\nphases = {{ from = 6, to = 1 }}"),
                "5: the range runs from 6 down to 1 (`from` must not be above `to`) `{ from = 6, to = 1 }`",
            ),
            (
                &format!("{base}[grid]\nphases = {{ from = 1, to = 99 }}"),
                "5: `phases` must be a whole number from 1 to 60, not 61 `{ from = 1, to = 99 }`",
            ),
            (&format!("{base}[grid]\nphases = []"), "5: `phases` sweeps nothing: the list is empty `[]`"),
            (&format!("{base}[grid]\nleader = [\"8-0\", \"8-0\"]"), "5: `leader` names this value twice `\"8-0\"`"),
            (
                &format!("{base}[grid]\nstack = [\"german:4-6-8\"]"),
                "5: `stack` stands in the file twice (keep it in one place) `stack`",
            ),
            (&format!("{base}[run]\ntrials = 0"), "5: `trials` must be a whole number from 1 to 100000000000 `0`"),
            (
                &format!("{base}[run]\nthreads = 0"),
                "5: [run] has no key `threads` (valid: engine, trials, precision, seed) `threads`",
            ),
            (
                "question = \"rally\"\n[grid]\nstack = [\"german:4-6-7\", \"grman:4-6-8\"]",
                "3: no nation is called `grman` (did you mean `german`?) `grman`",
            ),
            ("question = \"rally\"\n", "1: a stack is missing (for example `german:4-6-7`) ``"),
            ("question = \n", "1: string values must be quoted, expected literal string ``"),
        ] {
            assert_eq!(fault(text), expected, "{text}");
        }
    }
}
