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
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

use toml::de::{DeTable, DeValue};

use super::super::answer::{Engine, Options, Trials};
use super::super::file::read_run;
use super::super::grid::{CellRows, Grid};
use super::super::keys::{
    Key, Value, document, entry, in_file_order, in_words, known_keys, placed_text, sub_table, whole_number, within, word,
};
use super::super::situation::units::{can_break, member};
use super::super::situation::{Options as SituationOptions, SituationError, read};
use super::{answer, columns, rows};
use crate::asl::asked::held;
use crate::asl::rout::{Router, Situation};
use crate::asl::rulebook::{Profile, Rulebook};
use crate::asl::stack::Member;
use crate::asl::unit::Condition;
use crate::board::map::{Map, Site};
use crate::system::{Footing, Hope};
use crate::table::{self, Cell, Meta};
use crate::text::{Fault, canonical};

/// Most cells of one study.
const MAX_CELLS: usize = 1_000_000;

const BASE: [&str; 2] = ["situation", "plans"];
const FLAGS: [&str; 4] = ["hob", "no-quarter", "night", "enemy-reveals"];

/// What one swept value sets.
#[derive(Clone, Debug)]
enum Setting {
    RouterAt(usize, Site),
    EnemyAt(usize, Site),
    RouterIs(usize, Member),
    EnemyIs(usize, Member),
    Profile(Profile),
    Switch(String, String),
    Elr(u8),
    Flag(&'static str, bool),
}

/// One swept field: its name in the table, and its values.
struct Sweep {
    field: String,
    kind: table::Kind,
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
    grid: Vec<Sweep>,
}

/// Whether a study file asks for routs.
pub fn is_rout_study(text: &str) -> bool {
    let question = |document: toml::Spanned<DeTable>| match entry(document.get_ref(), "question")?.get_ref() {
        DeValue::String(question) => Some(canonical(question) == "rout"),
        _ => None,
    };
    document(text).ok().and_then(question).unwrap_or(false)
}

impl RoutStudy {
    /// Reads a study file; `open` finds the situation it names, and the tables that one names.
    pub fn parse(text: &str, open: &dyn Fn(&str) -> io::Result<String>) -> Result<RoutStudy, SituationError> {
        let document = document(text)?;
        let root = document.get_ref();
        known_keys(root, &["system", "question", "about", "base", "grid", "run"], "a study of routs")?;
        let (engine, trials, seed) = read_run(sub_table(root, "run")?)?;
        let base = sub_table(root, "base")?;
        let missing =
            || Fault::new("`situation` is missing in [base]: the situation file", 0..0).help("situation = \"my-situation.toml\"");
        let base = base.ok_or_else(missing)?;
        known_keys(base, &BASE, "[base]")?;
        let value = entry(base, "situation").ok_or_else(missing)?;
        let name = placed_text(value, "situation")?;
        let inner = open(&name).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Fault::new(format!("there is no file `{name}`"), value.span()).into(),
            _ => SituationError::Io { name: name.clone(), error },
        })?;
        let folder = name.rfind('/').map_or("", |slash| &name[..=slash]);
        // What a stopped run has left belongs to these files only.
        let tables = RefCell::new(String::new());
        let beside = |table: &str| {
            let content = open(&format!("{folder}{table}"))?;
            let mut hasher = DefaultHasher::new();
            content.hash(&mut hasher);
            *tables.borrow_mut() += &format!("# {table}: {} bytes, {:016x}\n", content.len(), hasher.finish());
            Ok(content)
        };
        let scenario = read(&inner, &SituationOptions::default(), &beside).map_err(|error| match error {
            SituationError::Fault(fault) => SituationError::Table { name: name.clone(), text: inner.clone(), fault },
            SituationError::Table { name, text, fault } => SituationError::Table { name: format!("{folder}{name}"), text, fault },
            SituationError::Io { name, error } => SituationError::Io { name: format!("{folder}{name}"), error },
        })?;
        let plans = entry(base, "plans").map_or(Ok(1), |plans| word(plans, "plans", [("best", 1), ("all", usize::MAX)]))?;
        let about = entry(root, "about").map(|value| placed_text(value, "about")).transpose()?;
        let base = scenario.situation;
        let text = format!("{text}\n# {name}:\n{inner}\n{}", tables.borrow());
        let mut study = RoutStudy { text, about, engine, trials, seed, plans, base, grid: Vec::new() };
        for (key, value) in in_file_order(sub_table(root, "grid")?) {
            study.add(key, value)?;
        }
        let cells = study.grid.iter().try_fold(1usize, |cells, sweep| cells.checked_mul(sweep.values.len()));
        if cells.is_none_or(|cells| cells > MAX_CELLS) {
            let span = root.iter().find(|(key, _)| key.get_ref() == "grid").map_or(0..0, |(key, _)| key.span());
            return Err(Fault::new(format!("the grid has more than {MAX_CELLS} cells"), span).into());
        }
        Ok(study)
    }

    /// Reads one entry of the grid; `rout` and `enemy` are tables of units by their places.
    fn add(&mut self, key: &Key, value: &Value) -> Result<(), Fault> {
        let side = canonical(key.get_ref());
        let count = match side.as_str() {
            "rout" => self.base.routers.len(),
            "enemy" => self.base.enemies.len(),
            _ => return self.add_option(key, value),
        };
        let DeValue::Table(units) = value.get_ref() else {
            return Err(Fault::new(format!("which unit? `{side}.1.at`, say"), key.span()));
        };
        for (number, fields) in in_file_order(Some(units)) {
            let unit = number.get_ref().parse().ok().filter(|unit| (1..=count).contains(unit));
            let unit: usize = unit.ok_or_else(|| {
                Fault::new(format!("the situation has no `{side}` unit {}: there are {count}", number.get_ref()), number.span())
            })?;
            let DeValue::Table(fields) = fields.get_ref() else {
                return Err(Fault::new(format!("which field? `{side}.{unit}.at`, say"), number.span()));
            };
            known_keys(fields, &["at", "unit"], "a swept unit")?;
            for (field, value) in in_file_order(Some(fields)) {
                let values = match (field.get_ref().as_ref(), side.as_str()) {
                    ("at", "rout") => placed_sites(&self.base.map, value, |site| Setting::RouterAt(unit - 1, site))?,
                    ("at", _) => placed_sites(&self.base.map, value, |site| Setting::EnemyAt(unit - 1, site))?,
                    (_, "rout") => members(value, true, |member| Setting::RouterIs(unit - 1, member))?,
                    _ => members(value, false, |member| Setting::EnemyIs(unit - 1, member))?,
                };
                self.push(format!("{side}.{unit}.{}", field.get_ref()), value, values)?;
            }
        }
        Ok(())
    }

    /// An option of the rules.
    fn add_option(&mut self, key: &Key, value: &Value) -> Result<(), Fault> {
        let name = canonical(key.get_ref());
        let values = if name == "profile" {
            each(value, &name, |value| {
                let profile = Profile::named(&placed_text(value, &name)?).map_err(within(value))?;
                Ok((Cell::Text(profile.name().to_string()), Setting::Profile(profile)))
            })
        } else if name == "elr" {
            each(value, &name, |value| {
                let elr = whole_number(value, &name, 0, 6)?;
                Ok((Cell::Integer(elr), Setting::Elr(elr as u8)))
            })
        } else if let Some(flag) = FLAGS.into_iter().find(|flag| *flag == name) {
            each(value, &name, |value| match value.get_ref() {
                DeValue::Boolean(on) => Ok((Cell::Boolean(*on), Setting::Flag(flag, *on))),
                other => Err(Fault::new(format!("`{flag}` must be true or false, not {}", in_words(other)), value.span())),
            })
        } else if let Some(interpretation) = Rulebook::find(&name) {
            each(value, &name, |value| {
                let word = placed_text(value, &name)?;
                Rulebook::default().set(interpretation.id, &word).map_err(within(value))?;
                Ok((Cell::Text(word.clone()), Setting::Switch(interpretation.id.to_string(), word)))
            })
        } else {
            let known = ["rout", "enemy", "profile", "elr"].into_iter().chain(FLAGS);
            return Err(Fault::new(format!("`{}` cannot be swept", key.get_ref()), key.span()).expecting(key.get_ref(), known));
        };
        let values = values?;
        self.push(name, value, values)
    }

    fn push(&mut self, field: String, value: &Value, values: Vec<(Cell, Setting)>) -> Result<(), Fault> {
        let Some((first, _)) = values.first() else {
            return Err(Fault::new(format!("`{field}` sweeps nothing: the list is empty"), value.span()));
        };
        let mut texts = BTreeSet::new();
        if let Some((twice, _)) = values.iter().find(|(cell, _)| !texts.insert(cell.text())) {
            return Err(Fault::new(format!("`{field}` names `{}` twice", twice.text()), value.span()));
        }
        if self.grid.iter().any(|sweep| sweep.field == field) {
            return Err(Fault::new(format!("`{field}` stands in the file twice"), value.span()));
        }
        let kind = match first {
            Cell::Integer(_) => table::Kind::Integer,
            Cell::Boolean(_) => table::Kind::Boolean,
            _ => table::Kind::Text,
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

    /// The situation of a cell, from 0. The profile comes first: it must not undo an interpretation of the same cell.
    fn situation(&self, case: usize) -> Situation {
        let mut situation = self.base.clone();
        let is_profile = |setting: &Setting| matches!(setting, Setting::Profile(_));
        for first in [true, false] {
            for (_, setting) in self.settings(case).filter(|(_, setting)| is_profile(setting) == first) {
                apply(setting, &mut situation);
            }
        }
        situation
    }
}

/// Sets a value. A profile leaves the interpretations alone that the situation has changed.
fn apply(setting: &Setting, situation: &mut Situation) {
    match setting {
        Setting::RouterAt(unit, site) => change(situation, *unit, |router| router.at = *site),
        Setting::RouterIs(unit, member) => change(situation, *unit, |router| router.member = member.clone()),
        Setting::EnemyAt(unit, site) => situation.enemies[*unit].at = *site,
        Setting::EnemyIs(unit, member) => situation.enemies[*unit].member = Some(member.clone()),
        Setting::Profile(profile) => {
            let mut rulebook = Rulebook::of(*profile);
            for changed in situation.rulebook.changed() {
                if rulebook.chooses(changed.switch) != situation.rulebook.chooses(changed.switch) {
                    rulebook = rulebook.flipped(changed.switch);
                }
            }
            situation.rulebook = rulebook;
        }
        // Checked when the file was read.
        Setting::Switch(id, value) => situation.rulebook.set(id, value).unwrap_or_default(),
        Setting::Elr(elr) => situation.elr = *elr,
        Setting::Flag("hob", on) => situation.heat_of_battle = *on,
        Setting::Flag("no-quarter", on) => situation.no_quarter = *on,
        Setting::Flag("night", on) => situation.night = *on,
        Setting::Flag(_, on) => situation.enemy_reveals = *on,
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

/// The values of a swept field, and what each sets.
fn each<'a, 'i>(
    value: &'a Value<'i>,
    name: &str,
    read: impl FnMut(&'a Value<'i>) -> Result<(Cell, Setting), Fault>,
) -> Result<Vec<(Cell, Setting)>, Fault> {
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(read).collect(),
        other => Err(Fault::new(format!("`{name}` in [grid] must be a list, not {}", in_words(other)), value.span())),
    }
}

/// A list of Locations, or `every hex` of the map.
fn placed_sites(map: &Map, value: &Value, setting: impl Fn(Site) -> Setting) -> Result<Vec<(Cell, Setting)>, Fault> {
    let placed = |site: Site| (Cell::Text(map.site_name(site)), setting(site));
    match value.get_ref() {
        DeValue::String(text) if text.trim().eq_ignore_ascii_case("every hex") => {
            Ok(map.hexes().map(|hex| placed(Site::ground(hex))).collect())
        }
        DeValue::String(_) => {
            Err(Fault::new("expected a list of hexes, or `every hex`", value.span()).help("at = \"every hex\""))
        }
        _ => each(value, "at", |value| Ok(placed(map.parse_site(&placed_text(value, "at")?).map_err(within(value))?))),
    }
}

/// A list of counters; routing ones are taken as broken.
fn members(value: &Value, routs: bool, setting: impl Fn(Member) -> Setting) -> Result<Vec<(Cell, Setting)>, Fault> {
    each(value, "unit", |value| {
        let mut member = member(value, "unit", &mut Vec::new())?;
        if routs && !member.is(Condition::Broken) {
            can_break(&member, value.span())?;
            member.conditions.set(Condition::Broken);
        }
        Ok((Cell::Text(placed_text(value, "unit")?), setting(member)))
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

    fn swept_columns(&self) -> Vec<(&str, table::Kind)> {
        self.grid.iter().map(|sweep| (sweep.field.as_str(), sweep.kind)).collect()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.settings(case).map(|(cell, _)| cell.clone()).collect()
    }

    fn answer_columns(&self) -> Vec<(&'static str, table::Kind)> {
        columns()
    }

    fn answer_rows(&self, case: usize, options: &Options, meta: &Meta) -> CellRows {
        let situation = self.situation(case);
        let mut all = Vec::new();
        for router in &situation.routers {
            let answered = answer(&situation, router, options, &mut meta.clone()).map_err(|error| error.to_string())?;
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
