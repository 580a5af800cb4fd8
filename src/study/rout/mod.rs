//! A study of situations on a map: a base situation with routing units, and its varied fields.
//!
//! ```toml
//! question = "rout"
//! tell = "choice"                       # or margin, a measure or a count; by default success
//!
//! [base]
//! situation = "rout/sk05.toml"          # beside the study file
//! plans = "best"                        # or "all" for rows of every plan
//!
//! [grid]
//! rout.1.at = "every hex"               # or a list; also rout.N.unit, enemy.N.at, enemy.N.unit
//! enemy.1.at = ["R6", "S6"]
//! profile = ["asl-v3", "aslsk"]         # or elr, hob, no-quarter, night, an interpretation
//! ```

mod measure;

use std::cell::RefCell;
use std::io;

use serde_json::{Map as Object, Value, json};

use self::measure::{RoutMeasure, SUCCESS};
use super::grid::{AnsweredCell, CellAnswer, Grid, StudyInfo, with_requested_table};
use super::hashed::fingerprint;
use super::number_table::{Layout, StudyBoard, TableDescription, without_mean};
use super::swept::{MAX_CELLS, Sweeps};
use answer::{Cell, Meta, Options, Provenance};
use asl::board::map::Location;
use asl::question_info::shared_settings;
use asl::rout::{RoutFields, RoutOutcome, Situation, mark};
use asl::rulebook::Rulebook;
use asl::scenario::answer::{answer, chance_of, columns, rows};
use asl::scenario::canonical::canonical_form;
use asl::scenario::form::{AT, ENEMY, ROUT, SituationForm};
use asl::scenario::{Scenario, SituationError, as_written, read};
use asl::tables::SituationTables;
use engine::text::{Fault, canonical};
use play::files::values::placed;
use play::{Located, Plans, RoutStudyTable};
use schema::{Entry, Fields as _, Node, Raw, Settable as _, Spanned, Takes, from_toml};

/// A study of situations, read and checked.
pub struct RoutStudy {
    info: StudyInfo,
    /// The number of plans of each unit that get result rows.
    plans: usize,
    base: SituationForm,
    grid: Sweeps<Located>,
    telling: RoutMeasure,
}

impl RoutStudy {
    /// Reads a study file; `open` opens the situation file, and the tables that it names.
    ///
    /// # Errors
    ///
    /// Fails with the place of the first key or value that is not valid, or if a file cannot be
    /// read.
    pub fn parse(
        text: &str,
        open: &dyn Fn(&str) -> io::Result<String>,
    ) -> Result<RoutStudy, SituationError> {
        let tables: RoutStudyTable = from_toml::read(text, "a study of routs")?;
        let engine_request = tables.run.engine_request()?;
        let missing = || {
            Fault::new("`situation` is missing in [base]: the situation file", 0..0)
                .help("situation = \"my-situation.toml\"")
        };
        let name = tables.base.situation.as_ref().ok_or_else(missing)?;
        let (scenario, canonical, named) = situation(name, open)?;
        let mut study = RoutStudy {
            info: StudyInfo::default(),
            plans: if tables.base.plans == Plans::All { usize::MAX } else { 1 },
            base: SituationForm { situation: scenario.situation, rules: scenario.rules },
            grid: Sweeps::none(),
            telling: RoutMeasure::default(),
        };
        tables.grid.entries.iter().try_for_each(|(key, node)| study.add(key, node))?;
        study.grid.few_enough(text, MAX_CELLS)?;
        let layout = Layout::read(tables.wanted(), &study.grid.columns())?;
        if let Some(Spanned { value, place }) = &tables.tell {
            study.telling = RoutMeasure::read(value).map_err(|fault| place.blamed(fault))?;
        }
        if let RoutMeasure::Choice = study.telling {
            without_mean(&tables.average)?;
        }
        let requested = json!({ "situation": canonical, "plans": study.plans.min(2),
            "grid": study.grid.to_json() });
        let plain = || Layout::plain(study.grid.columns().len());
        study.info = StudyInfo {
            text: format!("{text}\n{named}"),
            about: tables.about.clone(),
            engine_request,
            identity: with_requested_table(requested, layout.as_ref(), study.telling.name()),
            cells: study.grid.cells(),
            swept_columns: study.grid.columns(),
            answer_columns: columns(),
            rules: study.rules(),
            // The success of the last unit with its best plan.
            headline: Some(("the last unit", SUCCESS)),
            charted: Some(study.table_description(layout.clone().unwrap_or_else(plain))),
            table: layout.map(|layout| study.table_description(layout)),
            board: Some(study.board()),
            needs_facts: true,
            ..StudyInfo::default()
        };
        super::chart::check(&study, tables.chart.as_ref())?;
        Ok(study)
    }

    /// Reads an entry of `[grid]`: a field, an interpretation, or units by their 1-based numbers.
    fn add(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        let side = canonical(&key.value);
        let Some(known) = swept(&side) else {
            let name = self.base.rules.canonical_field(&key.value);
            if self.base.rules.knows(&name) {
                return self.add_field(name, key, node);
            }
            let sides = SituationTables::ALL.iter().filter(|field| swept(field.name).is_some());
            let known = sides.chain(RoutFields::ALL).map(|field| field.name);
            let fault = key.place.fault(format!("`{}` cannot be swept", key.value));
            return Err(fault.expecting(&key.value, known));
        };
        let Situation { routers, enemies, .. } = &self.base.situation;
        let count = if side == ROUT { routers.len() } else { enemies.len() };
        let units = entries(key, node, || format!("expected a unit, such as `{side}.1.at`"))?;
        for (number, fields) in units {
            let unit = number.value.parse().ok().filter(|unit| (1..=count).contains(unit));
            let unit: usize = unit.ok_or_else(|| {
                number.place.fault(format!(
                    "the situation has no `{side}` unit {}: there are {count}",
                    number.value
                ))
            })?;
            let expected = || format!("expected a field, such as `{side}.{unit}.at`");
            for (field, node) in entries(number, fields, expected)? {
                let Spanned { value: name, place } = field;
                if !known.contains(&name.as_str()) {
                    let fault = place.fault(format!("a swept unit has no key `{name}`"));
                    return Err(fault.expecting(name, known));
                }
                let hexes = if name == AT { self.every_hex(node)? } else { None };
                let name = format!("{side}.{unit}.{name}");
                let key = Spanned { value: name.clone(), place: place.clone() };
                self.add_field(name, &key, hexes.as_ref().unwrap_or(node))?;
            }
        }
        Ok(())
    }

    fn add_field(&mut self, name: String, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        self.grid.add(name.clone(), key, node, |node| {
            let placed = placed(&name, node)?;
            let shown = self.base.clone().set(&name, placed.value.value());
            let shown = shown.map_err(|fault| placed.place.blamed(fault))?;
            Ok((shown.map_or_else(|| placed.value.cell(), Cell::Text), placed))
        })
    }

    /// Returns the list of all hexes of the map if the value is `every hex`, else `None`.
    fn every_hex(&self, node: &Node) -> Result<Option<Node>, Fault> {
        let map = &self.base.situation.map;
        let with = |raw| Node { raw, ..node.clone() };
        match &node.raw {
            Raw::Text(text) if text.trim().eq_ignore_ascii_case("every hex") => {
                let name = |hex| with(Raw::Text(map.location_name(Location::ground(hex))));
                Ok(Some(with(Raw::List(map.hexes().map(name).collect()))))
            }
            Raw::Text(text) if !text.contains(',') => Err(node
                .place
                .fault("expected a list of hexes, or `every hex`")
                .help("at = \"every hex\"")),
            _ => Ok(None),
        }
    }

    fn table_description(&self, layout: Layout) -> TableDescription {
        let question = self.grid.in_words("rout", Object::new());
        let (words, style) = self.telling.in_words(self.base.situation.routers.len());
        let is_minimized = self.telling.is_minimized();
        TableDescription { question, words, style, is_minimized, best_for: None, layout }
    }

    fn rules(&self) -> Provenance {
        let Situation { rulebook, heat_of_battle, .. } = self.base.situation;
        let changed = rulebook.changed().map(|changed| {
            (changed.id.to_string(), vec![rulebook.value(changed.switch).to_string()])
        });
        let swept = self.grid.all().iter().filter(|sweep| Rulebook::find(&sweep.field).is_some());
        let swept = swept.map(|sweep| {
            (sweep.field.clone(), sweep.values.iter().map(|(cell, _)| cell.text()).collect())
        });
        let shared = shared_settings(rulebook, heat_of_battle);
        Provenance::of_study(
            shared,
            |field| self.grid.sweeps(field),
            changed.chain(swept).collect(),
        )
    }

    fn board(&self) -> StudyBoard {
        let Situation { map, routers, friends, enemies, .. } = &self.base.situation;
        let unit = |letter, table: Option<&str>, (unit, at): (usize, Location)| {
            let field = table.map(|table| format!("{table}.{}.{AT}", unit + 1));
            let swept = field.filter(|field| self.grid.sweeps(field));
            (mark(letter, unit), map.location_name(at), swept)
        };
        let routers = routers.iter().map(|router| router.at).enumerate();
        let friends = friends.iter().map(|friend| friend.at).enumerate();
        let enemies = enemies.iter().map(|enemy| enemy.at).enumerate();
        let units = routers.map(|place| unit('U', Some(ROUT), place));
        let units = units.chain(friends.map(|place| unit('F', None, place)));
        let units = units.chain(enemies.map(|place| unit('E', Some(ENEMY), place)));
        StudyBoard { map: map.clone(), units: units.collect() }
    }

    fn situation(&self, case: usize) -> Result<Situation, Fault> {
        let mut form = self.base.clone();
        for (field, (_, placed)) in self.grid.cell(case) {
            form.set(field, placed.value.value())?;
        }
        form.finish().map_err(|error| error.fault)
    }
}

/// Reads a study's situation; also returns its canonical form with tables, and all text read.
fn situation(
    Spanned { value: name, place }: &Spanned<String>,
    open: &dyn Fn(&str) -> io::Result<String>,
) -> Result<(Scenario, Object<String, Value>, String), SituationError> {
    let inner = open(name).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => place.fault(format!("there is no file `{name}`")).into(),
        _ => SituationError::Io { name: name.clone(), error },
    })?;
    let folder = name.rfind('/').map_or("", |slash| &name[..=slash]);
    let open = |table: &str| open(&format!("{folder}{table}"));
    // Checkpoints of a stopped run are valid only while these tables stay unchanged.
    let named = RefCell::new(String::new());
    let open_table = |table: &str| {
        let content = open(table)?;
        *named.borrow_mut() +=
            &format!("# {table}: {} bytes, {}\n", content.len(), fingerprint(&content));
        Ok(content)
    };
    let placed = |error| match error {
        SituationError::Fault(fault) => {
            let (name, fault) = (name.clone(), Box::new(fault));
            SituationError::Table { name, text: inner.clone(), fault }
        }
        SituationError::Table { name, text, fault } => {
            SituationError::Table { name: format!("{folder}{name}"), text, fault }
        }
        SituationError::Io { name, error } => {
            SituationError::Io { name: format!("{folder}{name}"), error }
        }
    };
    let scenario = read(&inner, &as_written, &open_table).map_err(placed)?;
    let canonical = canonical_form(&scenario, &open).map_err(placed)?;
    Ok((scenario, canonical, format!("# {name}:\n{inner}\n{}", named.borrow())))
}

fn entries<'a>(
    key: &Spanned<String>,
    node: &'a Node,
    expected: impl FnOnce() -> String,
) -> Result<&'a [Entry], Fault> {
    if let Raw::Table(entries) = &node.raw { Ok(entries) } else { Err(key.place.fault(expected())) }
}

/// Returns the fields of a table of units that a study can vary; `None` if there are none.
fn swept(table: &str) -> Option<Vec<&'static str>> {
    let Takes::List(Takes::Table(fields)) =
        SituationTables::ALL.iter().find(|field| field.name == table)?.takes
    else {
        return None;
    };
    let swept: Vec<&str> =
        fields().iter().filter(|field| field.sweeps).map(|field| field.name).collect();
    (!swept.is_empty()).then_some(swept)
}

impl Grid for RoutStudy {
    fn info(&self) -> &StudyInfo {
        &self.info
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.grid.cells_of(case)
    }

    /// Returns the varied values of the cell, since everything else is equal in all cells.
    fn canonical(&self, case: usize) -> Result<String, String> {
        Ok(self.grid.cell(case).map(|(_, (cell, _))| canonical(&cell.text()) + "\n").collect())
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        let situation = self.situation(case).map_err(|fault| fault.to_string())?;
        let failed = |error: engine::EngineError| error.to_string();
        let mut all = AnsweredCell::default();
        for unit in 0..situation.routers.len() {
            let mut meta = meta.clone();
            let answered = answer(&situation, unit, options, &mut meta).map_err(failed)?;
            all.rows.extend(rows(&situation, &answered, self.plans));
            let mut figures = answered.odds.iter().flatten().map(|(_, figure)| figure);
            let facts = &mut all.facts;
            facts.estimated |= figures.any(|figure| figure.counted().is_some());
            facts.unseen = facts.unseen.into_iter().chain(meta.unseen).reduce(f64::max);
            let is_success = |outcome: &RoutOutcome| outcome.survives() && outcome.in_cover;
            let success = answered.odds.first().and_then(|odds| chance_of(odds, is_success));
            facts.hoped = success.map(|figure| figure.probability());
            if unit + 1 == situation.routers.len() {
                let number = self.telling.number(&situation, &answered.prospect, success, options);
                facts.told = number.map_err(failed)?;
            }
        }
        Ok(all)
    }
}
