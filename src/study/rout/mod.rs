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
use std::sync::Arc;

use serde_json::{Map as Object, Value, json};

use self::measure::{RoutMeasure, SUCCESS};
use super::grid::{AnsweredCell, CellAnswer, CellFacts, Grid, fingerprint, with_requested_table};
use super::number_table::{Layout, StudyBoard, TableDescription, without_mean};
use super::swept::{MAX_CELLS, Sweeps, Swept};
use answer::estimate::Estimate;
use answer::meta::Meta;
use answer::options::{Engine, Options, Trials};
use answer::provenance::Provenance;
use answer::sheet::{Cell, Column};
use asl::board::map::{Location, Map};
use asl::question_info::shared_settings;
use asl::rout::fields::{HexName, RoutTable, Single};
use asl::rout::{RoutFields, RoutOutcome, RoutRules, Router, Situation, mark};
use asl::rulebook::Rulebook;
use asl::scenario::answer::{answer, columns, rows};
use asl::scenario::canonical::canonical_form;
use asl::scenario::units::can_break;
use asl::scenario::{SituationError, as_written, read};
use asl::stack::Member;
use asl::tables::SituationTables;
use asl::unit::Condition;
use engine::text::{Fault, canonical};
use play::files::tables::{Plans, RoutStudyTable};
use play::files::values::{Located, placed};
use schema::field::{FieldValue as _, Fields as _, Takes};
use schema::form::Settable as _;
use schema::from_toml;
use schema::node::{Node, Raw, Spanned};

/// The names of the tables of units with fields that a study can vary, and of those fields.
const ROUT: &str = SituationTables::routs.name;
const ENEMY: &str = SituationTables::enemies.name;
const AT: &str = RoutTable::at.name;
const UNIT: &str = RoutTable::unit.name;

/// The change that one value of a varied field makes to the base situation.
#[derive(Clone, Debug)]
enum Setting {
    RouterAt(usize, Location),
    EnemyAt(usize, Location),
    RouterIs(usize, Member),
    EnemyIs(usize, Member),
    /// A field of the Rout Phase, or an interpretation of a rule.
    Rule(Located),
}

/// A study of situations, read and checked.
pub struct RoutStudy {
    /// The study file, the situation file, and one line for each map table that the situation
    /// names.
    text: String,
    about: Option<String>,
    pub engine: Engine,
    pub trials: Trials,
    pub seed: u64,
    /// The number of plans of each unit that get result rows.
    plans: usize,
    base: Situation,
    rules: RoutRules,
    /// The situation in canonical form, with the tables that it names.
    canonical: Object<String, Value>,
    grid: Sweeps<Setting>,
    layout: Option<Layout>,
    /// The number that the requested table shows.
    telling: RoutMeasure,
}

impl RoutStudy {
    /// Reads a study file; `open` opens the situation file, and the tables that the situation
    /// names.
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
        let (engine, trials, seed) = tables.run.engine_request()?;
        let missing = || {
            Fault::new("`situation` is missing in [base]: the situation file", 0..0)
                .help("situation = \"my-situation.toml\"")
        };
        let Spanned { value: name, place } = tables.base.situation.clone().ok_or_else(missing)?;
        let inner = open(&name).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => place.fault(format!("there is no file `{name}`")).into(),
            _ => SituationError::Io { name: name.clone(), error },
        })?;
        let folder = name.rfind('/').map_or("", |slash| &name[..=slash]);
        // Checkpoints of a stopped run are valid only while these tables stay unchanged.
        let named = RefCell::new(String::new());
        let open_table = |table: &str| {
            let content = open(&format!("{folder}{table}"))?;
            *named.borrow_mut() +=
                &format!("# {table}: {} bytes, {}\n", content.len(), fingerprint(&content));
            Ok(content)
        };
        let placed = |error| match error {
            SituationError::Fault(fault) => SituationError::Table {
                name: name.clone(),
                text: inner.clone(),
                fault: Box::new(fault),
            },
            SituationError::Table { name, text, fault } => {
                SituationError::Table { name: format!("{folder}{name}"), text, fault }
            }
            SituationError::Io { name, error } => {
                SituationError::Io { name: format!("{folder}{name}"), error }
            }
        };
        let scenario = read(&inner, &as_written, &open_table).map_err(placed)?;
        let entries = from_toml::file(&inner).map_err(|fault| placed(fault.into()))?;
        let again = |table: &str| open(&format!("{folder}{table}"));
        let canonical = canonical_form(&entries, &scenario, &again).map_err(placed)?;
        let plans = if tables.base.plans == Plans::All { usize::MAX } else { 1 };
        let (base, rules) = (scenario.situation, scenario.rules);
        let all = format!("{text}\n# {name}:\n{inner}\n{}", named.borrow());
        let mut study = RoutStudy {
            text: all,
            about: tables.about.clone(),
            engine,
            trials,
            seed,
            plans,
            base,
            rules,
            canonical,
            grid: Sweeps::none(),
            layout: None,
            telling: RoutMeasure::default(),
        };
        tables.grid.entries.iter().try_for_each(|(key, node)| study.add(key, node))?;
        study.grid.few_enough(text, MAX_CELLS)?;
        study.layout = Layout::read(tables.wanted(), &study.grid.columns())?;
        if let Some(Spanned { value, place }) = &tables.tell {
            study.telling = RoutMeasure::read(value).map_err(|fault| place.blamed(fault))?;
        }
        if let RoutMeasure::Choice = study.telling {
            without_mean(&tables.average)?;
        }
        super::chart::check(&study, tables.chart.as_ref())?;
        Ok(study)
    }

    /// Reads one entry of `[grid]`. A unit is named by its table and its 1-based number.
    fn add(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        let side = canonical(&key.value);
        let Some(known) = swept(&side) else { return self.add_option(key, node) };
        let Raw::Table(units) = &node.raw else {
            return Err(key.place.fault(format!("expected a unit, such as `{side}.1.at`")));
        };
        let count = match side.as_str() {
            ROUT => self.base.routers.len(),
            ENEMY => self.base.enemies.len(),
            _ => 0,
        };
        for (number, fields) in units {
            let unit = number.value.parse().ok().filter(|unit| (1..=count).contains(unit));
            let unit: usize = unit.ok_or_else(|| {
                number.place.fault(format!(
                    "the situation has no `{side}` unit {}: there are {count}",
                    number.value
                ))
            })?;
            let Raw::Table(fields) = &fields.raw else {
                return Err(number
                    .place
                    .fault(format!("expected a field, such as `{side}.{unit}.at`")));
            };
            for (field, node) in fields {
                let (name, place, map) = (field.value.as_str(), unit - 1, &self.base.map);
                let unknown = || {
                    field
                        .place
                        .fault(format!("a swept unit has no key `{name}`"))
                        .expecting(name, known.clone())
                };
                let key =
                    Spanned { value: format!("{side}.{unit}.{name}"), place: field.place.clone() };
                let everywhere = if name == AT { every_hex(map, node)? } else { None };
                let node = everywhere.as_ref().unwrap_or(node);
                let grid = &mut self.grid;
                match (side.as_str(), name) {
                    _ if !known.contains(&name) => Err(unknown()),
                    (ROUT, AT) => grid.add(
                        key.value.clone(),
                        &key,
                        node,
                        location_reader(map, |location| Setting::RouterAt(place, location)),
                    ),
                    (ENEMY, AT) => grid.add(
                        key.value.clone(),
                        &key,
                        node,
                        location_reader(map, |location| Setting::EnemyAt(place, location)),
                    ),
                    (ROUT, UNIT) => grid.add(
                        key.value.clone(),
                        &key,
                        node,
                        member(true, |is| Setting::RouterIs(place, is)),
                    ),
                    (ENEMY, UNIT) => grid.add(
                        key.value.clone(),
                        &key,
                        node,
                        member(false, |is| Setting::EnemyIs(place, is)),
                    ),
                    _ => Err(unknown()),
                }?;
            }
        }
        Ok(())
    }

    /// Reads a varied field of the Rout Phase, or a varied interpretation of a rule.
    fn add_option(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        let name = self.rules.canonical_field(&key.value);
        if !self.rules.knows(&name) {
            let sides = SituationTables::ALL.iter().filter(|field| swept(field.name).is_some());
            let known = sides.chain(RoutFields::ALL).map(|field| field.name);
            return Err(key
                .place
                .fault(format!("`{}` cannot be swept", key.value))
                .expecting(&key.value, known));
        }
        self.grid.add(name.clone(), key, node, |node| {
            let placed = placed(&name, node)?;
            self.rules
                .clone()
                .set(&name, placed.value.value())
                .map_err(|fault| placed.place.blamed(fault))?;
            Ok((placed.value.cell(), Setting::Rule(placed)))
        })
    }

    fn table_description_in(&self, layout: Layout) -> Option<TableDescription> {
        let question = self.grid.in_words("rout", Object::new());
        let (words, style) = self.telling.in_words(self.base.routers.len());
        let is_minimized = self.telling.is_minimized();
        Some(TableDescription { question, words, style, is_minimized, layout })
    }

    fn situation(&self, case: usize) -> Result<Situation, Fault> {
        let (mut situation, mut rules) = (self.base.clone(), self.rules.clone());
        for (field, (_, setting)) in self.grid.cell(case) {
            match setting {
                Setting::RouterAt(unit, location) => {
                    change(&mut situation, *unit, |router| router.at = *location)
                }
                Setting::RouterIs(unit, member) => {
                    change(&mut situation, *unit, |router| router.member = member.clone())
                }
                Setting::EnemyAt(unit, location) => situation.enemies[*unit].at = *location,
                Setting::EnemyIs(unit, member) => {
                    situation.enemies[*unit].member = Some(member.clone())
                }
                Setting::Rule(placed) => rules.set(field, placed.value.value())?,
            }
        }
        rules.govern(&mut situation).map_err(|error| error.fault)?;
        Ok(situation)
    }
}

fn plain_name(map: &Map, router: &Router) -> String {
    format!("{} in {}", router.member.printed().printed(), map.location_name(router.at))
}

/// Changes a routing unit. A default name follows the change, and stays unique.
fn change(situation: &mut Situation, unit: usize, change: impl FnOnce(&mut Router)) {
    let Situation { map, routers, .. } = situation;
    let is_plain = routers[unit].name.starts_with(&plain_name(map, &routers[unit]));
    change(&mut routers[unit]);
    if is_plain {
        let plain = plain_name(map, &routers[unit]);
        let is_free = |name: &String| {
            routers.iter().enumerate().all(|(other, router)| other == unit || router.name != *name)
        };
        let numbered = (2..).map(|number| format!("{plain} ({number})"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(is_free);
        routers[unit].name = free.unwrap_or(plain);
    }
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

/// Returns the list of all hexes of the map, if the value is `every hex`; `None` for another list.
fn every_hex(map: &Map, node: &Node) -> Result<Option<Node>, Fault> {
    match &node.raw {
        Raw::Text(text) if text.trim().eq_ignore_ascii_case("every hex") => {
            let name = |hex| Node {
                raw: Raw::Text(map.location_name(Location::ground(hex))),
                ..node.clone()
            };
            Ok(Some(Node { raw: Raw::List(map.hexes().map(name).collect()), ..node.clone() }))
        }
        Raw::Text(text) if !text.contains(',') => Err(node
            .place
            .fault("expected a list of hexes, or `every hex`")
            .help("at = \"every hex\"")),
        _ => Ok(None),
    }
}

fn location_reader(
    map: &Map,
    setting: impl Fn(Location) -> Setting,
) -> impl FnMut(&Node) -> Result<Swept<Setting>, Fault> {
    move |node| {
        let HexName(name) = HexName::read_node(AT, node)?;
        let location = map.parse_location(&name).map_err(|fault| node.place.blamed(fault))?;
        Ok((Cell::Text(map.location_name(location)), setting(location)))
    }
}

/// Returns a function that reads a counter. A routing unit is made broken, since only broken units
/// rout.
fn member(
    routs: bool,
    setting: impl Fn(Member) -> Setting,
) -> impl FnMut(&Node) -> Result<Swept<Setting>, Fault> {
    move |node| {
        let Single { mut member, .. } = Single::read_node(UNIT, node)?;
        if routs && !member.is(Condition::Broken) {
            can_break(&member, node.place.span.clone())?;
            member.conditions.set(Condition::Broken);
        }
        Ok((Cell::Text(String::read_node(UNIT, node)?), setting(member)))
    }
}

/// The statuses that count as success for a unit that ends its rout in cover.
const SAFE: &[&str] = &["broken", "disrupted", "good-order", "berserk", "pinned"];

impl Grid for RoutStudy {
    fn text(&self) -> &str {
        &self.text
    }

    /// Returns the canonical situation and the varied values, as JSON.
    fn identity(&self) -> String {
        let plans = self.plans.min(2);
        let requested =
            json!({ "situation": self.canonical, "plans": plans, "grid": self.grid.to_json() });
        with_requested_table(requested, self.layout.as_ref(), self.telling.name())
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
        columns()
    }

    /// Returns the varied values of the cell, since everything else is equal in all cells.
    fn canonical(&self, case: usize) -> Result<String, String> {
        let canonical = |setting: &Setting| match setting {
            Setting::Rule(placed) => canonical(&placed.value.cell().text()),
            unit => format!("{unit:?}"),
        };
        Ok(self.grid.cell(case).map(|(_, (_, setting))| canonical(setting) + "\n").collect())
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        let situation = self.situation(case).map_err(|fault| fault.to_string())?;
        let mut all = AnsweredCell::default();
        for unit in 0..situation.routers.len() {
            let mut meta = meta.clone();
            let answered =
                answer(&situation, unit, options, &mut meta).map_err(|error| error.to_string())?;
            all.rows.extend(rows(&situation, 1, &answered, self.plans));
            let is_safe = |outcome: &RoutOutcome| {
                outcome.in_cover && SAFE.contains(&outcome.unit.status.name())
            };
            let best = answered
                .odds
                .first()
                .map(|odds| odds.iter().filter(|(outcome, _)| is_safe(outcome)));
            let figures = answered.odds.iter().flatten().map(|(_, figure)| figure);
            let estimated = all.facts.estimated
                || figures.into_iter().any(|figure| !matches!(figure, Estimate::Exact { .. }));
            let none = answered.odds.first().and_then(|odds| Some(odds.first()?.1.of_none()));
            let success = best
                .zip(none)
                .map(|(safe, none)| safe.fold(none, |sum, (_, figure)| sum.or(*figure)));
            let unseen = all.facts.unseen.into_iter().chain(meta.unseen).reduce(f64::max);
            if unit + 1 == situation.routers.len() {
                let number = self.telling.number(&situation, &answered.prospect, success, options);
                all.facts.told = number.map_err(|error| error.to_string())?;
            }
            let success = success.map(|figure| figure.probability());
            all.facts = CellFacts { estimated, unseen, hoped: success, ..all.facts };
        }
        Ok(all)
    }

    fn rules(&self) -> Provenance {
        let rulebook = self.base.rulebook;
        let changed = rulebook.changed().map(|changed| {
            (changed.id.to_string(), vec![rulebook.value(changed.switch).to_string()])
        });
        let swept = self.grid.all().iter().filter(|sweep| Rulebook::find(&sweep.field).is_some());
        let swept = swept.map(|sweep| {
            (sweep.field.clone(), sweep.values.iter().map(|(cell, _)| cell.text()).collect())
        });
        let settings = changed.chain(swept).collect();
        Provenance::of_study(
            shared_settings(rulebook, self.base.heat_of_battle),
            |field| self.grid.sweeps(field),
            settings,
        )
    }

    fn table_description(&self) -> Option<TableDescription> {
        self.table_description_in(self.layout.clone()?)
    }

    fn charted(&self) -> Option<TableDescription> {
        let plain = || Layout::plain(self.grid.columns().len());
        self.table_description_in(self.layout.clone().unwrap_or_else(plain))
    }

    fn board(&self) -> Option<StudyBoard> {
        let Situation { map, routers, friends, enemies, .. } = &self.base;
        let swept = |table: &str, unit: usize| {
            let field = format!("{table}.{}.{AT}", unit + 1);
            self.grid.sweeps(&field).then_some(field)
        };
        let unit = |letter: char, table: &str, unit: usize, at: Location| {
            (mark(letter, unit), map.location_name(at), swept(table, unit))
        };
        let routing = routers.iter().enumerate().map(|(place, one)| unit('U', ROUT, place, one.at));
        let friends = friends
            .iter()
            .enumerate()
            .map(|(place, one)| (mark('F', place), map.location_name(one.at), None));
        let enemies =
            enemies.iter().enumerate().map(|(place, one)| unit('E', ENEMY, place, one.at));
        let units = routing.chain(friends).chain(enemies).collect();
        Some(StudyBoard { map: Arc::new(map.clone()), units })
    }

    /// Describes the success of the last unit with its best plan.
    fn headline(&self) -> Option<(&'static str, &'static str)> {
        Some(("the last unit", SUCCESS))
    }
}
