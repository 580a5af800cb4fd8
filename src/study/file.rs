//! The study file: a base question, a grid of fields to sweep, and how to run it; and the sequence file, which is one question in
//! steps. Every fault has its place in the file.
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
//! A study of `question = "sequence"` has its steps as `[[step]]`, and sweeps their fields as `1.fp = [4, 8]`. A sequence file has the
//! fields of `[base]` at the top, and the steps.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::answer::{DEFAULT_SEED, DEFAULT_TRIALS, Engine, MAX_TRIALS, Trials};
use super::keys::{
    Key, document, entry, in_file_order, in_words, integer, known_keys, placed_text, sub_table, whole_number, word,
};
use crate::asl::question::{Draft, FieldFault, Kind, Question, Value};
use crate::asl::rulebook::Rulebook;
use crate::table::{self, Cell};
use crate::text::Fault;

/// Most cells of one study.
pub const MAX_CELLS: usize = 1_000_000;

const TABLES: [&str; 6] = ["question", "about", "base", "step", "grid", "run"];
const RUN: [&str; 4] = ["engine", "trials", "precision", "seed"];

/// A value in the file, with its place.
#[derive(Clone, Debug)]
struct Placed {
    value: Owned,
    span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
enum Owned {
    Text(String),
    Integer(i64),
    Boolean(bool),
}

impl Owned {
    fn value(&self) -> Value<'_> {
        match self {
            Owned::Text(text) => Value::Text(text),
            Owned::Integer(number) => Value::Integer(*number),
            Owned::Boolean(value) => Value::Boolean(*value),
        }
    }

    fn cell(&self) -> Cell {
        match self {
            Owned::Text(text) => Cell::Text(text.clone()),
            Owned::Integer(number) => Cell::Integer(*number),
            Owned::Boolean(value) => Cell::Boolean(*value),
        }
    }

    fn kind(&self) -> table::Kind {
        match self {
            Owned::Text(_) => table::Kind::Text,
            Owned::Integer(_) => table::Kind::Integer,
            Owned::Boolean(_) => table::Kind::Boolean,
        }
    }
}

/// One swept field.
#[derive(Clone, Debug)]
struct Sweep {
    field: String,
    values: Vec<Placed>,
}

/// A study that has been read and checked, cell by cell.
#[derive(Clone, Debug)]
pub struct Study {
    /// The file's text, for the manifest.
    pub text: String,
    pub about: Option<String>,
    pub kind: Kind,
    pub engine: Engine,
    pub trials: Trials,
    pub seed: u64,
    base: Vec<(String, Placed)>,
    grid: Vec<Sweep>,
}

impl Study {
    /// Reads a study file and checks every cell of its grid.
    pub fn parse(text: &str) -> Result<Study, Fault> {
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
        let about = entry(root, "about").map(|value| placed_text(value, "about")).transpose()?;
        let mut study = Study { about, ..Study::empty(text, kind) };
        (study.engine, study.trials, study.seed) = read_run(sub_table(root, "run")?)?;
        let mut probe = Draft::new(kind);
        study.read_steps(root, &mut probe)?;
        for (key, value) in in_file_order(sub_table(root, "base")?) {
            study.add_base(key, value, &mut probe)?;
        }
        for (key, value) in in_file_order(sub_table(root, "grid")?) {
            match (step_number(key), value.get_ref()) {
                (Some(number), DeValue::Table(fields)) if kind == Kind::Sequence => {
                    for (field, value) in in_file_order(Some(fields)) {
                        let name = format!("{number}.{}", field.get_ref());
                        if field.get_ref() == "do" {
                            return Err(Fault::new("what a step does cannot be swept", field.span()));
                        }
                        study.add_sweep(&Spanned::new(field.span(), name.into()), value, &probe)?;
                    }
                }
                _ => study.add_sweep(key, value, &probe)?,
            }
        }
        let cells = study.grid.iter().try_fold(1usize, |cells, sweep| cells.checked_mul(sweep.values.len()));
        if cells.is_none_or(|cells| cells > MAX_CELLS) {
            let span = root.iter().find(|(key, _)| key.get_ref() == "grid").map_or(0..0, |(key, _)| key.span());
            return Err(Fault::new(format!("the grid has more than {MAX_CELLS} cells"), span));
        }
        for case in 0..study.cells() {
            study.question(case)?;
        }
        Ok(study)
    }

    /// Reads a sequence file: a study of one cell.
    pub fn parse_sequence(text: &str) -> Result<Study, Fault> {
        let document = document(text)?;
        let root = document.get_ref();
        let mut study = Study::empty(text, Kind::Sequence);
        let mut probe = Draft::new(Kind::Sequence);
        study.about = entry(root, "about").map(|value| placed_text(value, "about")).transpose()?;
        study.read_steps(root, &mut probe)?;
        for (key, value) in in_file_order(Some(root)) {
            if !["about", "step"].contains(&key.get_ref().as_ref()) {
                study.add_base(key, value, &mut probe)?;
            }
        }
        Ok(study)
    }

    fn empty(text: &str, kind: Kind) -> Study {
        Study {
            text: text.to_string(),
            about: None,
            kind,
            engine: Engine::Auto,
            trials: Trials::Number(DEFAULT_TRIALS),
            seed: DEFAULT_SEED,
            base: Vec::new(),
            grid: Vec::new(),
        }
    }

    /// `[[step]]`: each field becomes one of the base, with the step's number in front; what the step does comes first.
    fn read_steps(&mut self, root: &DeTable, probe: &mut Draft) -> Result<(), Fault> {
        let Some((steps, span)) = entry(root, "step").map(|value| (value.get_ref(), value.span())) else { return Ok(()) };
        let DeValue::Array(steps) = steps else {
            return Err(Fault::new("a step begins with `[[step]]`, in double brackets", span));
        };
        if self.kind != Kind::Sequence {
            return Err(Fault::new(format!("a `{}` has no steps", self.kind.name()), span).help("question = \"sequence\""));
        }
        for (number, step) in (1..).zip(steps.iter()) {
            let DeValue::Table(fields) = step.get_ref() else {
                return Err(Fault::new("a step begins with `[[step]]`, in double brackets", step.span()));
            };
            let mut fields = in_file_order(Some(fields));
            fields.sort_by_key(|(key, _)| key.get_ref() != "do");
            if fields.first().is_none_or(|(key, _)| key.get_ref() != "do") {
                let fault = Fault::new(format!("step {number} does not say what it does"), step.span());
                return Err(fault.help("do = \"fire\", or check, eliminate, break, dm, interdict, rally"));
            }
            for (key, value) in fields {
                let name = format!("{number}.{}", key.get_ref());
                self.add_base(&Spanned::new(key.span(), name.into()), value, probe)?;
            }
        }
        Ok(())
    }

    fn add_base(&mut self, key: &Key, value: &Spanned<DeValue>, probe: &mut Draft) -> Result<(), Fault> {
        let field = self.new_field(key)?;
        let placed = self.checked(key, value, value, probe)?;
        probe.set(key.get_ref(), placed.value.value()).map_err(|fault| self.place(fault, &placed))?;
        self.base.push((field, placed));
        Ok(())
    }

    fn add_sweep(&mut self, key: &Key, value: &Spanned<DeValue>, probe: &Draft) -> Result<(), Fault> {
        let field = self.new_field(key)?;
        if field == "joint" {
            return Err(Fault::new("`joint` changes the columns and cannot be swept", key.span()).help("put it into [base]"));
        }
        let values = self.swept(key, value, probe)?;
        self.grid.push(Sweep { field, values });
        Ok(())
    }

    /// The canonical name of a field that does not stand in the file yet.
    fn new_field(&self, key: &Key) -> Result<String, Fault> {
        let field = Kind::canonical_field(key.get_ref());
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

    /// Whether its rows are outcomes of whole stacks.
    pub fn is_joint(&self) -> bool {
        self.base.iter().any(|(field, placed)| field == "joint" && placed.value == Owned::Boolean(true))
    }

    /// A word that holds of every question, unless one of the fields it hangs on is swept.
    pub fn told_of_all(&self, fields: &[&str], word: impl Fn(&Question) -> &'static str) -> String {
        let swept = self.grid.iter().any(|sweep| fields.contains(&sweep.field.as_str()));
        let word = if swept { None } else { self.question(0).ok().map(|question| word(&question)) };
        word.unwrap_or("swept").to_string()
    }

    /// The columns its tables have besides those of all tables.
    pub fn shape(&self) -> table::Shape {
        table::Shape { joint: self.is_joint(), steps: self.kind == Kind::Sequence }
    }

    /// Interpretations that are set or swept, with their values.
    pub fn switches(&self) -> BTreeMap<String, Vec<String>> {
        let base = self.base.iter().map(|(field, placed)| (field, std::slice::from_ref(placed)));
        let swept = self.grid.iter().map(|sweep| (&sweep.field, &sweep.values[..]));
        let switch = |(field, values): (&String, &[Placed])| {
            let id = Rulebook::find(field)?.id;
            Some((id.to_string(), values.iter().map(|placed| placed.value.cell().text()).collect()))
        };
        base.chain(swept).filter_map(switch).collect()
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

    fn fields(&self, case: usize) -> impl Iterator<Item = (&str, &Placed)> {
        self.base.iter().map(|(field, placed)| (field.as_str(), placed)).chain(self.swept_values(case))
    }

    /// The question of a cell, from 0, filled in and not yet finished.
    pub fn draft(&self, case: usize) -> Result<Draft, Fault> {
        let mut draft = Draft::new(self.kind);
        for (field, placed) in self.fields(case) {
            draft.set(field, placed.value.value()).map_err(|fault| self.place(fault, placed))?;
        }
        Ok(draft)
    }

    /// The question of a cell, from 0.
    pub fn question(&self, case: usize) -> Result<Question, Fault> {
        self.draft(case)?.finish().map_err(|error| self.place_fault(case, error))
    }

    /// A fault of a finished draft, at the place in the file to blame.
    pub fn place_fault(&self, case: usize, error: FieldFault) -> Fault {
        let at = self.fields(case).find(|(field, _)| *field == error.field);
        // Of a field that is missing from a step, the place is that of the step.
        let step = error.field.split_once('.').map(|(number, _)| format!("{number}.do"));
        let at = at.or_else(|| self.fields(case).find(|(field, _)| Some(*field) == step.as_deref()).filter(|_| step.is_some()));
        match at {
            Some((_, placed)) => self.place(error.fault, placed),
            None => Fault { span: 0..0, ..error.fault },
        }
    }

    /// A fault of a value, at its place in the file.
    fn place(&self, fault: Fault, placed: &Placed) -> Fault {
        let Range { start, end } = placed.span;
        let quotes = if self.text[start..end].starts_with("\"\"\"") || self.text[start..end].starts_with("'''") { 3 } else { 1 };
        let literal = match &placed.value {
            Owned::Text(text) => self.text.get(start + quotes..end.saturating_sub(quotes)) == Some(text.as_str()),
            _ => false,
        };
        let inside = literal && !fault.span.is_empty();
        let span = if inside { start + quotes + fault.span.start..start + quotes + fault.span.end } else { start..end };
        Fault { span, ..fault }
    }

    /// A value of a field, tried on what the file says so far.
    fn checked(&self, key: &Key, whole: &Spanned<DeValue>, value: &Spanned<DeValue>, probe: &Draft) -> Result<Placed, Fault> {
        let field = key.get_ref();
        let owned = match value.get_ref() {
            DeValue::String(text) => Owned::Text(text.to_string()),
            DeValue::Integer(number) => Owned::Integer(integer(number, &value.span())?),
            DeValue::Boolean(value) => Owned::Boolean(*value),
            DeValue::Array(slots) if field.ends_with(".slots") => {
                let slots: Result<Vec<String>, Fault> =
                    slots.iter().map(|slot| whole_number(slot, "slots", 1, 255).map(|slot| slot.to_string())).collect();
                Owned::Text(slots?.join(","))
            }
            other => {
                let message = format!("`{field}` must be a text, a whole number or true/false, not {}", in_words(other));
                let fault = Fault::new(message, whole.span());
                let dotted =
                    matches!(other, DeValue::Table(_)) && ["sk-", "v2-"].iter().any(|edition| field.starts_with(edition));
                return Err(if dotted {
                    fault.help("put a name with a dot in quotes: \"sk-15.1\" = \"alternative\"")
                } else {
                    fault
                });
            }
        };
        let placed = Placed { value: owned, span: value.span() };
        probe.clone().set(field, placed.value.value()).map_err(|fault| match probe.knows(field) || field.ends_with(".do") {
            true => self.place(fault, &placed),
            false => Fault { span: key.span(), ..fault },
        })?;
        Ok(placed)
    }

    /// The values of a swept field: a list, or `{ from = 1, to = 6, step = 1 }`.
    fn swept(&self, key: &Key, value: &Spanned<DeValue>, probe: &Draft) -> Result<Vec<Placed>, Fault> {
        let values = match value.get_ref() {
            DeValue::Array(list) => {
                list.iter().map(|item| self.checked(key, value, item, probe)).collect::<Result<Vec<_>, _>>()?
            }
            DeValue::Table(range) => {
                let numbers = range_values(range, value.span())?;
                let placed = |number| Placed { value: Owned::Integer(number), span: value.span() };
                let placed: Vec<Placed> = numbers.into_iter().map(placed).collect();
                for placed in &placed {
                    probe.clone().set(key.get_ref(), placed.value.value()).map_err(|fault| self.place(fault, placed))?;
                }
                placed
            }
            _ => {
                let fault = Fault::new(format!("`{}` in [grid] must be a list or a range", key.get_ref()), value.span());
                return Err(fault.help("[1, 2, 3], or { from = 1, to = 6 }; a single value belongs in [base]"));
            }
        };
        let Some(first) = values.first() else {
            return Err(Fault::new(format!("`{}` sweeps nothing: the list is empty", key.get_ref()), value.span()));
        };
        if let Some(other) = values.iter().find(|placed| placed.value.kind() != first.value.kind()) {
            return Err(Fault::new(format!("the values of `{}` are of different types", key.get_ref()), other.span.clone()));
        }
        for (place, placed) in values.iter().enumerate() {
            if values[..place].iter().any(|earlier| earlier.value == placed.value) {
                return Err(Fault::new(format!("`{}` names this value twice", key.get_ref()), placed.span.clone()));
            }
        }
        Ok(values)
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

/// The number of a step, where a key of the grid is one.
fn step_number(key: &Key) -> Option<usize> {
    key.get_ref().parse().ok()
}

fn range_values(range: &DeTable, span: Range<usize>) -> Result<Vec<i64>, Fault> {
    known_keys(range, &["from", "to", "step"], "a range")?;
    let bound = |name| {
        let value = entry(range, name).ok_or_else(|| Fault::new(format!("the range has no `{name}`"), span.clone()))?;
        whole_number(value, name, -1_000_000, 1_000_000)
    };
    let (from, to) = (bound("from")?, bound("to")?);
    let step = entry(range, "step").map_or(Ok(1), |step| whole_number(step, "step", 1, 1_000_000))?;
    if from > to {
        return Err(Fault::new(format!("the range runs from {from} down to {to}"), span).help("`from` must not be above `to`"));
    }
    Ok((from..=to).step_by(step as usize).collect())
}

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
