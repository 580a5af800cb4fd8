//! A study of situations: a base situation, and what of it is swept.
//!
//! ```toml
//! question = "rout"
//!
//! [base]
//! situation = "rout/sk05.toml"          # beside the study file
//! plans = "best"                        # or "all": rows of every plan
//!
//! [grid]
//! rout.1.at = "every hex"               # or a list; so rout.N.unit, enemy.N.at, enemy.N.unit
//! enemy.1.at = ["R6", "S6"]
//! profile = ["asl-v3", "aslsk"]         # or elr, hob, no-quarter, night, enemy-reveals, an interpretation
//! ```

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;

use super::file::few_enough;
use super::grid::{CellRows, Grid, fingerprint};
use crate::asl::asked::held;
use crate::asl::rout::asked::{HexName, RoutTable, Single};
use crate::asl::rout::{RoutFields, RoutRules, Router, Situation};
use crate::asl::rulebook::Rulebook;
use crate::asl::stack::Member;
use crate::asl::tables::SituationTables;
use crate::asl::unit::Condition;
use crate::board::map::{Map, Site};
use crate::files::from_toml;
use crate::files::tables::{Plans, RoutStudyTable};
use crate::files::values::{Placed, placed};
use crate::scenario::answer::{answer, columns, rows};
use crate::scenario::units::can_break;
use crate::scenario::{SituationError, as_written, read};
use crate::system::answer::{Engine, Options, Trials};
use crate::system::field::{Fields as _, Given as _, Takes};
use crate::system::form::Settable as _;
use crate::system::node::{Node, Raw, Spanned};
use crate::system::{Footing, Hope};
use crate::table::{Cell, Column, Meta};
use crate::text::{Fault, canonical};

/// Units whose fields can be swept, and those fields.
const ROUT: &str = SituationTables::routs.name;
const ENEMY: &str = SituationTables::enemies.name;
const AT: &str = RoutTable::at.name;
const UNIT: &str = RoutTable::unit.name;

/// What one swept value sets.
#[derive(Clone, Debug)]
enum Setting {
    RouterAt(usize, Site),
    EnemyAt(usize, Site),
    RouterIs(usize, Member),
    EnemyIs(usize, Member),
    /// A field of the Rout Phase, or an interpretation.
    Rule(Placed),
}

/// One swept field: its name in the table, and its values.
struct Sweep {
    field: String,
    kind: Column,
    values: Vec<(Cell, Setting)>,
}

/// A study of situations, read and checked.
pub struct RoutStudy {
    /// The study file, the situation it names, and a line for each table that one names.
    text: String,
    about: Option<String>,
    pub engine: Engine,
    pub trials: Trials,
    pub seed: u64,
    /// Plans of each unit that get rows.
    plans: usize,
    base: Situation,
    rules: RoutRules,
    grid: Vec<Sweep>,
}

impl RoutStudy {
    /// Reads a study file; `open` finds the situation it names, and the tables that one names.
    pub fn parse(text: &str, open: &dyn Fn(&str) -> io::Result<String>) -> Result<RoutStudy, SituationError> {
        let tables: RoutStudyTable = from_toml::read(text, "a study of routs")?;
        let (engine, trials, seed) = tables.run.asks()?;
        let missing =
            || Fault::new("`situation` is missing in [base]: the situation file", 0..0).help("situation = \"my-situation.toml\"");
        let Spanned { value: name, place } = tables.base.situation.ok_or_else(missing)?;
        let inner = open(&name).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => place.fault(format!("there is no file `{name}`")).into(),
            _ => SituationError::Io { name: name.clone(), error },
        })?;
        let folder = name.rfind('/').map_or("", |slash| &name[..=slash]);
        // What a stopped run has left belongs to these files only.
        let named = RefCell::new(String::new());
        let beside = |table: &str| {
            let content = open(&format!("{folder}{table}"))?;
            *named.borrow_mut() += &format!("# {table}: {} bytes, {}\n", content.len(), fingerprint(&content));
            Ok(content)
        };
        let scenario = read(&inner, &as_written, &beside).map_err(|error| match error {
            SituationError::Fault(fault) => {
                SituationError::Table { name: name.clone(), text: inner.clone(), fault: Box::new(fault) }
            }
            SituationError::Table { name, text, fault } => SituationError::Table { name: format!("{folder}{name}"), text, fault },
            SituationError::Io { name, error } => SituationError::Io { name: format!("{folder}{name}"), error },
        })?;
        let plans = if tables.base.plans == Plans::All { usize::MAX } else { 1 };
        let (base, rules) = (scenario.situation, scenario.rules);
        let all = format!("{text}\n# {name}:\n{inner}\n{}", named.borrow());
        let mut study = RoutStudy { text: all, about: tables.about, engine, trials, seed, plans, base, rules, grid: Vec::new() };
        tables.grid.entries.iter().try_for_each(|(key, node)| study.add(key, node))?;
        few_enough(text, study.grid.iter().map(|sweep| sweep.values.len()))?;
        Ok(study)
    }

    /// Reads one entry of the grid; units are tables of their tables, by their places.
    fn add(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        let side = canonical(&key.value);
        let Some(known) = swept(&side) else { return self.add_option(key, node) };
        let Raw::Table(units) = &node.raw else {
            return Err(key.place.fault(format!("which unit? `{side}.1.at`, say")));
        };
        let count = match side.as_str() {
            ROUT => self.base.routers.len(),
            ENEMY => self.base.enemies.len(),
            _ => 0,
        };
        for (number, fields) in units {
            let unit = number.value.parse().ok().filter(|unit| (1..=count).contains(unit));
            let unit: usize = unit.ok_or_else(|| {
                number.place.fault(format!("the situation has no `{side}` unit {}: there are {count}", number.value))
            })?;
            let Raw::Table(fields) = &fields.raw else {
                return Err(number.place.fault(format!("which field? `{side}.{unit}.at`, say")));
            };
            for (field, node) in fields {
                let (name, place, map) = (field.value.as_str(), unit - 1, &self.base.map);
                let unknown = || field.place.fault(format!("a swept unit has no key `{name}`")).expecting(name, known.clone());
                let values = match (side.as_str(), name) {
                    _ if !known.contains(&name) => Err(unknown()),
                    (ROUT, AT) => placed_sites(map, node, |site| Setting::RouterAt(place, site)),
                    (ENEMY, AT) => placed_sites(map, node, |site| Setting::EnemyAt(place, site)),
                    (ROUT, UNIT) => members(node, true, |member| Setting::RouterIs(place, member)),
                    (ENEMY, UNIT) => members(node, false, |member| Setting::EnemyIs(place, member)),
                    _ => Err(unknown()),
                }?;
                self.push(format!("{side}.{unit}.{name}"), node, values)?;
            }
        }
        Ok(())
    }

    /// A field of the Rout Phase, or an interpretation.
    fn add_option(&mut self, key: &Spanned<String>, node: &Node) -> Result<(), Fault> {
        let name = self.rules.canonical_field(&key.value);
        if !self.rules.knows(&name) {
            let sides = SituationTables::ALL.iter().filter(|field| swept(field.name).is_some());
            let known = sides.chain(RoutFields::ALL).map(|field| field.name);
            return Err(key.place.fault(format!("`{}` cannot be swept", key.value)).expecting(&key.value, known));
        }
        let values = each(node, &name, |node| {
            let placed = placed(&name, node)?;
            self.rules.clone().set(&name, placed.value.value()).map_err(|fault| placed.place.blamed(fault))?;
            Ok((placed.value.cell(), Setting::Rule(placed)))
        })?;
        self.push(name, node, values)
    }

    fn push(&mut self, field: String, node: &Node, values: Vec<(Cell, Setting)>) -> Result<(), Fault> {
        let Some((first, _)) = values.first() else {
            return Err(node.place.fault(format!("`{field}` sweeps nothing: the list is empty")));
        };
        let mut texts = BTreeSet::new();
        if let Some((twice, _)) = values.iter().find(|(cell, _)| !texts.insert(cell.text())) {
            return Err(node.place.fault(format!("`{field}` names `{}` twice", twice.text())));
        }
        if self.grid.iter().any(|sweep| sweep.field == field) {
            return Err(node.place.fault(format!("`{field}` stands in the file twice")));
        }
        let kind = match first {
            Cell::Integer(_) => Column::Integer,
            Cell::Boolean(_) => Column::Boolean,
            _ => Column::Text,
        };
        self.grid.push(Sweep { field, kind, values });
        Ok(())
    }

    /// The swept values of a cell, from 0; the last field runs fastest.
    fn settings(&self, case: usize) -> impl Iterator<Item = &(Cell, Setting)> {
        let mut below = self.cells();
        self.grid.iter().map(move |sweep| {
            below /= sweep.values.len();
            &sweep.values[case / below % sweep.values.len()]
        })
    }

    /// The situation of a cell, from 0.
    fn situation(&self, case: usize) -> Result<Situation, Fault> {
        let (mut situation, mut rules) = (self.base.clone(), self.rules.clone());
        for (sweep, (_, setting)) in self.grid.iter().zip(self.settings(case)) {
            match setting {
                Setting::RouterAt(unit, site) => change(&mut situation, *unit, |router| router.at = *site),
                Setting::RouterIs(unit, member) => change(&mut situation, *unit, |router| router.member = member.clone()),
                Setting::EnemyAt(unit, site) => situation.enemies[*unit].at = *site,
                Setting::EnemyIs(unit, member) => situation.enemies[*unit].member = Some(member.clone()),
                Setting::Rule(placed) => rules.set(&sweep.field, placed.value.value())?,
            }
        }
        rules.govern(&mut situation).map_err(|error| error.fault)?;
        Ok(situation)
    }
}

/// The name of a unit that was given none.
fn plain_name(map: &Map, router: &Router) -> String {
    format!("{} in {}", router.member.printed().printed(), map.site_name(router.at))
}

/// Changes a routing unit; a name made of its counter and hex goes along, and stays its own.
fn change(situation: &mut Situation, unit: usize, change: impl FnOnce(&mut Router)) {
    let Situation { map, routers, .. } = situation;
    let is_plain = routers[unit].name.starts_with(&plain_name(map, &routers[unit]));
    change(&mut routers[unit]);
    if is_plain {
        let plain = plain_name(map, &routers[unit]);
        let is_free = |name: &String| routers.iter().enumerate().all(|(other, router)| other == unit || router.name != *name);
        let numbered = (2..).map(|number| format!("{plain} ({number})"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(is_free);
        routers[unit].name = free.unwrap_or(plain);
    }
}

/// The fields that can be swept of the units of a table; none of a table without such fields.
fn swept(table: &str) -> Option<Vec<&'static str>> {
    let Takes::List(Takes::Table(fields)) = SituationTables::ALL.iter().find(|field| field.name == table)?.takes else {
        return None;
    };
    let swept: Vec<&str> = fields().iter().filter(|field| field.sweeps).map(|field| field.name).collect();
    (!swept.is_empty()).then_some(swept)
}

/// The values of a swept field of a unit, and what each sets.
fn each(
    node: &Node,
    name: &str,
    read: impl FnMut(&Node) -> Result<(Cell, Setting), Fault>,
) -> Result<Vec<(Cell, Setting)>, Fault> {
    match &node.raw {
        Raw::List(list) => list.iter().map(read).collect(),
        _ => Err(node.place.fault(format!("`{name}` in [grid] must be a list, not {}", node.kind()))),
    }
}

/// A list of Locations, or `every hex` of the map.
fn placed_sites(map: &Map, node: &Node, setting: impl Fn(Site) -> Setting) -> Result<Vec<(Cell, Setting)>, Fault> {
    let placed = |site: Site| (Cell::Text(map.site_name(site)), setting(site));
    match &node.raw {
        Raw::Text(text) if text.trim().eq_ignore_ascii_case("every hex") => {
            Ok(map.hexes().map(|hex| placed(Site::ground(hex))).collect())
        }
        Raw::Text(_) => Err(node.place.fault("expected a list of hexes, or `every hex`").help("at = \"every hex\"")),
        _ => each(node, AT, |node| {
            let HexName(name) = HexName::read_node(AT, node)?;
            map.parse_site(&name).map(placed).map_err(|fault| node.place.blamed(fault))
        }),
    }
}

/// A list of counters; routing ones are taken as broken.
fn members(node: &Node, routs: bool, setting: impl Fn(Member) -> Setting) -> Result<Vec<(Cell, Setting)>, Fault> {
    each(node, UNIT, |node| {
        let Single { mut member, .. } = Single::read_node(UNIT, node)?;
        if routs && !member.is(Condition::Broken) {
            can_break(&member, node.place.span.clone())?;
            member.conditions.set(Condition::Broken);
        }
        Ok((Cell::Text(String::read_node(UNIT, node)?), setting(member)))
    })
}

impl Grid for RoutStudy {
    fn text(&self) -> &str {
        &self.text
    }

    fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    fn cells(&self) -> usize {
        self.grid.iter().map(|sweep| sweep.values.len()).product()
    }

    fn swept_columns(&self) -> Vec<(&str, Column)> {
        self.grid.iter().map(|sweep| (sweep.field.as_str(), sweep.kind)).collect()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.settings(case).map(|(cell, _)| cell.clone()).collect()
    }

    fn answer_columns(&self) -> Vec<(&'static str, Column)> {
        columns()
    }

    fn answer_rows(&self, case: usize, options: &Options, meta: &Meta) -> CellRows {
        let situation = self.situation(case).map_err(|fault| fault.to_string())?;
        let mut all = Vec::new();
        for unit in 0..situation.routers.len() {
            let answered = answer(&situation, unit, options, &mut meta.clone()).map_err(|error| error.to_string())?;
            all.extend(rows(&situation, case as u64 + 1, &answered, self.plans));
        }
        Ok(all)
    }

    fn rules(&self) -> Footing {
        let rulebook = self.base.rulebook;
        let changed =
            rulebook.changed().map(|changed| (changed.id.to_string(), vec![rulebook.value(changed.switch).to_string()]));
        let swept = self.grid.iter().filter(|sweep| Rulebook::find(&sweep.field).is_some());
        let swept = swept.map(|sweep| (sweep.field.clone(), sweep.values.iter().map(|(cell, _)| cell.text()).collect()));
        let is_swept = |field: &str| self.grid.iter().any(|sweep| sweep.field == field);
        Footing::of_study(held(rulebook, self.base.heat_of_battle), is_swept, changed.chain(swept).collect())
    }

    /// The last unit, by its best plan.
    fn headline(&self) -> Option<Hope> {
        Some(Hope::of_unit(
            &["broken", "disrupted", "good-order", "berserk", "pinned"],
            "in woods or a building after its best plan, neither lost nor captured",
        ))
    }

    /// Rows have no slots: see [`crate::study::run`].
    fn last_slot(&self, _: usize) -> Option<i64> {
        None
    }
}
