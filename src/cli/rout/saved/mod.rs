//! Converts a VASL save or log to the text of a situation file, which is then read like any other.

mod boards;
mod counters;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::super::fault::Failure;
use super::super::file_root::FileRoot;
use super::super::shell_words;
use super::super::vasl::{nation, position, read};
use asl::rout::RoutFields;
use asl::rout::fields::{EnemyTable, MapTable, RoutTable};
use asl::stack::Stack;
use asl::tables::SituationTables;
use boards::{Boards, Doubt};
use counters::{condition, notation};
use engine::text::{Fault, canonical, plain};
use schema::Field;
use vasl::map_units::{Feature, MapUnit, MapUnits, Mark};
use vasl::position::Position;

/// The nations that use the Axis ELR of a save.
const AXIS: [&str; 7] =
    ["german", "german-ss", "italian", "finnish", "japanese", "axis-minor", "hungarian"];

/// The heading of the options below. Each option names it, so that the options that follow do not
/// stand under it.
const FROM_VASL: &str = "From VASL (experimental)";

/// Options for reading a save.
#[derive(Debug, Args)]
pub struct SavedArguments {
    /// FILE is a VASL save or log instead of a situation; not yet tested with a real save of a
    /// running game
    #[arg(long, help_heading = FROM_VASL)]
    from_vasl: bool,
    /// Nations of the side whose broken units rout, separated by commas [default: both sides, first
    /// the side to move]
    #[arg(long, help_heading = FROM_VASL, value_name = "NATIONS", requires = "from_vasl")]
    side: Option<String>,
    /// Your nation; its concealed and hidden pieces are included
    #[arg(long, help_heading = FROM_VASL, value_name = "NATION", requires = "from_vasl",
        value_parser = nation)]
    mine: Option<&'static str>,
    /// Stop after this many steps of a log
    #[arg(long, help_heading = FROM_VASL, value_name = "N", requires = "from_vasl")]
    at_step: Option<usize>,
    /// Replacement for a counter that the catalogue lacks:
    /// "japanese:4-4-7=british:4-4-7/broken-morale=8"
    #[arg(long, help_heading = FROM_VASL, value_name = "COUNTER=UNIT", requires = "from_vasl")]
    set_unit: Vec<String>,
    /// Answer even if an unknown piece affects a routing unit
    #[arg(long, help_heading = FROM_VASL, requires = "from_vasl")]
    anyway: bool,
    /// Only print the situation file made from the save
    #[arg(long, help_heading = FROM_VASL, requires = "from_vasl")]
    pub(super) as_situation: bool,
    /// Folder of boards [default: from LOWCRAWL_VASL_BOARDS, then from VASSAL's preferences]
    #[arg(long = "boards", help_heading = FROM_VASL, value_name = "DIR")]
    pub(super) folders: Vec<PathBuf>,
}

/// A situation converted from a save.
pub struct Taken {
    pub text: String,
    /// Notes on pieces that could not be interpreted, and other remarks.
    pub notes: Vec<String>,
}

type Side = BTreeSet<&'static str>;

impl SavedArguments {
    /// Returns the situations of a save or log, in the order of play. `None` without `--from-vasl`.
    /// Fails if the file cannot be read or converted.
    pub fn taken(&self, files: &FileRoot, file: &Path) -> Result<Option<Vec<Taken>>, Failure> {
        if !self.from_vasl {
            return Ok(None);
        }
        let place = file.display().to_string();
        let in_file = |fault: Fault| Failure::argument(&place, "", fault);
        let (_, saved) = read(files, file)?;
        let position = position(&saved, self.at_step, &place)?;
        let all = MapUnits::from_position(&position, self.mine);
        let boards = Boards::from_position(&position).map_err(in_file)?;
        self.set_units_are_there(&all)?;
        let sides = self.sides(&all, &position, &place)?;
        let name =
            file.file_name().map_or(String::new(), |name| name.to_string_lossy().to_string());
        let of = |side: &Side| self.of_side(side, &all, &boards, &position, &name);
        let mut taken =
            sides.iter().map(of).collect::<Result<Vec<Taken>, Fault>>().map_err(in_file)?;
        for second in taken.iter_mut().skip(1) {
            second.notes.push(
                "the other side routs before it; here its units stand where they stood before"
                    .to_string(),
            );
        }
        Ok(Some(taken))
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        let mut words = if self.from_vasl { " --from-vasl" } else { "" }.to_string();
        let mut add = |option: &str, value: &str| {
            words += &format!(" --{option} {}", shell_words::quoted(value));
        };
        self.side.iter().for_each(|side| add("side", side));
        self.mine.iter().for_each(|side| add("mine", side));
        self.at_step.iter().for_each(|step| add("at-step", &step.to_string()));
        self.set_unit.iter().for_each(|unit| add("set-unit", unit));
        let anyway = if self.anyway { " --anyway" } else { "" };
        let folders = self.folders.iter().map(|folder| folder.display().to_string());
        let folders = folders.map(|folder| format!(" --boards {}", shell_words::quoted(&folder)));
        words + anyway + &folders.collect::<String>()
    }

    /// Fails if a `--set-unit` names no unit on the map.
    fn set_units_are_there(&self, all: &MapUnits) -> Result<(), Failure> {
        for set in &self.set_unit {
            let in_option = |fault: Fault| Failure::argument("--set-unit", set, fault);
            let Some((counter, _)) = set.split_once('=') else {
                let fault = Fault::new("expected a counter, `=` and its replacement", 0..set.len());
                return Err(in_option(
                    fault.help("\"japanese:4-4-7=british:4-4-7/broken-morale=8\""),
                ));
            };
            let names: BTreeSet<String> = all.units.iter().flat_map(unit_names).collect();
            if !names.iter().any(|name| canonical(name) == canonical(counter)) {
                let message = format!("no visible unit is called `{}`", counter.trim());
                let fault = Fault::new(message, 0..counter.len());
                let names = names.iter().map(String::as_str);
                return Err(in_option(fault.expecting(&canonical(counter), names)));
            }
        }
        Ok(())
    }

    /// Returns the sides whose broken units rout, in order.
    fn sides(
        &self,
        all: &MapUnits,
        position: &Position,
        place: &str,
    ) -> Result<Vec<Side>, Failure> {
        let there: BTreeSet<&'static str> = all.units.iter().map(|unit| unit.nation).collect();
        let is_broken = |side: &Side| {
            all.units
                .iter()
                .any(|unit| unit.marks.contains(&Mark::Broken) && side.contains(unit.nation))
        };
        if let Some(text) = &self.side {
            let mut side = Side::new();
            for word in text.split(',').map(str::trim) {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let in_option = |fault: Fault| {
                    let span = start..start + word.len();
                    Failure::argument("--side", text, Fault { span, ..fault })
                };
                let nation = nation(word).map_err(in_option)?;
                if !there.contains(nation) {
                    let fault = Fault::new(format!("{place} has no visible {nation} unit"), 0..0);
                    return Err(in_option(fault.expecting(nation, there.iter().copied())));
                }
                side.insert(nation);
            }
            if !is_broken(&side) {
                let fault = Fault::new("the side has no visible broken unit", 0..text.len());
                return Err(Failure::argument("--side", text, fault));
            }
            return Ok(vec![side]);
        }
        let in_file = |message: String, help: String| {
            Failure::argument(place, "", Fault::new(message, 0..0).help(help))
        };
        // SS and other German units are on the same side.
        let mut sides: Vec<Side> = Vec::new();
        for nation in there.iter().copied() {
            match sides.iter_mut().find(|side| side.contains("german") && nation == "german-ss") {
                Some(side) => drop(side.insert(nation)),
                None => sides.push(Side::from([nation])),
            }
        }
        let names = there.iter().copied().collect::<Vec<_>>().join(", ");
        if sides.len() > 2 {
            let message = format!(
                "the file has units of {names}: choose the nations whose broken units rout"
            );
            return Err(in_file(
                message,
                format!("use `--side {names}`, without the nations of the other side"),
            ));
        }
        sides.retain(is_broken);
        let Some(first) = sides.first() else {
            let message = "no visible unit is broken, so no unit routs".to_string();
            return Err(in_file(message, "`lowcrawl vasl show` lists the units".to_string()));
        };
        if sides.len() == 2 {
            let mover = nation(&position.scenario.player_to_move).ok();
            let Some(mover) = mover.filter(|mover| sides.iter().any(|side| side.contains(mover)))
            else {
                let message =
                    "both sides have broken units, but the file does not give the Player Turn"
                        .to_string();
                let help =
                    format!("`--side {}`", first.iter().copied().collect::<Vec<_>>().join(","));
                return Err(in_file(message, help));
            };
            sides.sort_by_key(|side| !side.contains(mover));
        }
        Ok(sides)
    }

    /// Builds the situation in which the broken units of `side` rout.
    fn of_side(
        &self,
        side: &Side,
        all: &MapUnits,
        boards: &Boards,
        position: &Position,
        name: &str,
    ) -> Result<Taken, Fault> {
        let mut lists: [Vec<Value>; 3] = Default::default();
        let mut units_by_role: [Vec<String>; 3] = Default::default();
        let mut doubts = boards.doubts(position);
        let mut routers = Vec::new();
        for unit in &all.units {
            let has = |mark: Mark| unit.marks.contains(&mark);
            let list = match (side.contains(unit.nation), has(Mark::Broken)) {
                (true, true) => 0,
                (true, false) => 1,
                (false, _) => 2,
            };
            let mut at = boards.hex(&unit.place);
            if unit.level > 0 {
                at += &format!(" level {}", unit.level);
            }
            let notation = self.notation(unit, &at)?;
            units_by_role[list].push(format!("{notation} in {at}"));
            let mut entry = Map::from_iter([
                (RoutTable::unit.name.to_string(), json!(notation)),
                (RoutTable::at.name.to_string(), json!(at)),
            ]);
            if has(Mark::Melee) && list != 1 {
                entry.insert(RoutTable::in_melee.name.to_string(), json!(true));
            }
            if has(Mark::Immobilized) && list == 2 {
                entry.insert(EnemyTable::ti.name.to_string(), json!(true));
            }
            if list == 0 {
                routers.push(&unit.place);
            }
            if unit.place.is_off {
                let what = format!("{} is not in the middle of its hex", unit.printed);
                doubts.push(Doubt { what, place: Some(unit.place.clone()), board: None });
            }
            lists[list].push(Value::Object(entry));
        }
        for (piece, place) in &all.unknown {
            doubts.push(Doubt { what: piece.clone(), place: Some(place.clone()), board: None });
        }
        let mut ground: IndexMap<&str, Vec<String>> = IndexMap::new();
        for (feature, place) in &all.features {
            let field = match feature {
                Feature::Smoke => &MapTable::smoke,
                Feature::Blaze => &MapTable::blaze,
                Feature::Foxholes => &MapTable::foxholes,
                Feature::Trench => &MapTable::trenches,
            };
            let (hexes, hex) = (ground.entry(field.name).or_default(), boards.hex(place));
            if !hexes.contains(&hex) {
                hexes.push(hex);
            }
        }
        let in_words = |doubt: &Doubt| doubt.message(boards);
        if !self.anyway {
            let touching: Vec<String> =
                doubts.iter().filter(|doubt| doubt.touches(&routers)).map(in_words).collect();
            if !touching.is_empty() {
                let message = format!(
                    "unknown pieces in the file affect units that rout: {}",
                    touching.join("; ")
                );
                return Err(Fault::new(plain(&message), 0..0).help("`--anyway` ignores them"));
            }
        }
        let nations = side.iter().copied().collect::<Vec<_>>().join(" and ");
        let mut about = vec![format!("{name} on {}: {nations} units rout.", boards.render())];
        for (what, units) in ["Broken", "Their friends", "Enemies"].iter().zip(&units_by_role) {
            if !units.is_empty() {
                about.push(format!("{what}: {}.", units.join(", ")));
            }
        }
        let on_map: Vec<String> =
            ground.iter().map(|(what, hexes)| format!("{what} in {}", hexes.join(", "))).collect();
        if !on_map.is_empty() {
            about.push(format!("On the map: {}.", on_map.join("; ")));
        }
        let mut request = Map::new();
        let mut set = |field: &Field, value: Value| request.insert(field.name.to_string(), value);
        set(&SituationTables::about, json!(plain_lines(&about)));
        let scenario = &position.scenario;
        let is_axis = side.iter().any(|nation| AXIS.contains(nation));
        let elr = if is_axis { &scenario.axis_elr } else { &scenario.allied_elr };
        if let Some(elr) = elr.parse::<u8>().ok().filter(|elr| *elr <= 5) {
            set(&RoutFields::elr, json!(elr));
        }
        set(&SituationTables::boards, boards.json());
        if !ground.is_empty() {
            set(&SituationTables::map, ground.into_iter().collect());
        }
        let tables =
            [&SituationTables::routs, &SituationTables::friends, &SituationTables::enemies];
        for (table, units) in tables.into_iter().zip(lists) {
            if !units.is_empty() {
                set(table, Value::Array(units));
            }
        }
        let text = api::situation::file(&Value::Object(request))?;
        let notes = doubts
            .iter()
            .map(|doubt| format!("not understood: {}", plain(&in_words(doubt))))
            .collect();
        Ok(Taken { text, notes })
    }

    /// Returns the stack notation of a unit with its conditions; `at` is its hex, for messages.
    fn notation(&self, unit: &MapUnit, at: &str) -> Result<String, Fault> {
        let names = unit_names(unit);
        let named = &names[1];
        let set = self.set_unit.iter().find_map(|set| {
            let (counter, unit) = set.split_once('=')?;
            let is_it = |name: &String| canonical(counter) == canonical(name);
            names.iter().any(is_it).then_some(unit.trim())
        });
        let (mut counter, broken) = match set {
            Some(set) => (set.to_string(), None),
            None => notation(unit).map_err(|others| {
                let message = format!("the catalogue has no counter `{named}`, which is in {at}");
                let which = others
                    .map_or("british:4-4-7/broken-morale=7".to_string(), |id| format!("id:{id}"));
                Fault::new(message, 0..0)
                    .help(format!("name a replacement: `--set-unit \"{named}={which}\"`"))
            })?,
        };
        let mut conditions: Vec<String> = Vec::new();
        for mark in &unit.marks {
            conditions.extend(condition(*mark).map(|condition| condition.name().to_string()));
        }
        // The broken morale printed on the VASL counter overrides the catalogue.
        if let Some(morale) =
            unit.broken_morale.filter(|morale| broken.is_some_and(|broken| broken != *morale))
        {
            conditions.push(format!("broken-morale={morale}"));
        }
        if !conditions.is_empty() {
            counter.push(if counter.contains('/') { ',' } else { '/' });
            counter += &conditions.join(",");
        }
        Stack::parse(&counter).map_err(|fault| {
            let message = format!("{named} in {at}: {}", fault.message);
            Fault { message, span: 0..0, ..fault }
        })?;
        Ok(counter)
    }
}

/// Returns two names of a unit: nation and printed values, first without and then with its class.
fn unit_names(unit: &MapUnit) -> [String; 2] {
    let short = format!("{}:{}", unit.nation, unit.printed);
    let long = format!("{short} {}", unit.class);
    [short, long.trim_end().to_string()]
}

fn plain_lines(lines: &[String]) -> String {
    lines.iter().map(|line| plain(line)).collect::<Vec<_>>().join("\n\n")
}
