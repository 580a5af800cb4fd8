//! Converts a VASL save or log to the text of a situation file, which is then read like any other.

mod boards;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::super::fault::{Failure, Result};
use super::super::file_root::FileRoot;
use super::super::shell_words::{quoted, repeated};
use super::super::vasl::{nation, position, read};
use asl::catalogue::{CATALOGUE, Counter, CounterKind};
use asl::rout::RoutFields;
use asl::rout::fields::{EnemyTable, MapTable, RoutTable};
use asl::stack::Stack;
use asl::tables::SituationTables;
use asl::unit::Condition;
use boards::{Boards, Doubt};
use engine::text::{Fault, canonical, plain};
use vasl::map_units::{Feature, MapUnit, MapUnits, Mark};
use vasl::position::Position;

/// The nations that use the Axis ELR of a save.
const AXIS: [&str; 7] =
    ["german", "german-ss", "italian", "finnish", "japanese", "axis-minor", "hungarian"];

/// The heading of the options below; options that follow do not stand under it.
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

/// Returns whether a file has the extension of a save or log of VASL.
pub fn is_save(file: &Path) -> bool {
    file.extension()
        .is_some_and(|end| ["vsav", "vlog"].iter().any(|of| end.eq_ignore_ascii_case(of)))
}

/// Returns the failure for a save that stands in place of a situation file.
pub fn without_option(file: &Path) -> Failure {
    let name = file.display().to_string();
    let failure = Failure::refused("FILE", &name, "expected a situation file, not a save of VASL");
    failure.help(format!("add `--from-vasl`: `lowcrawl rout {} --from-vasl`", quoted(&name)))
}

type Side = BTreeSet<&'static str>;

impl SavedArguments {
    /// Returns the situations of a save, in the order of play; `None` without `--from-vasl`.
    pub fn taken(&self, files: &FileRoot, file: &Path) -> Result<Option<Vec<Taken>>> {
        if !self.from_vasl {
            return Ok(None);
        }
        let in_file = |fault: Fault| Failure::binary(file, fault);
        let (_, saved) = read(files, file)?;
        let position = &position(&saved, self.at_step, file)?;
        let all = MapUnits::from_position(position, self.mine);
        let boards = Boards::from_position(position).map_err(in_file)?;
        let save = Save { arguments: self, file, position, all, boards };
        save.check_replacements()?;
        let taken = save.sides()?.into_iter().map(|side| save.situation(&side));
        let mut taken = taken.collect::<Result<Vec<Taken>, Fault>>().map_err(in_file)?;
        let note = "the other side routs before it; here its units stand where they stood before";
        taken.iter_mut().skip(1).for_each(|second| second.notes.push(note.to_string()));
        Ok(Some(taken))
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        let flag = |is_given: bool, words: &'static str| if is_given { words } else { "" };
        flag(self.from_vasl, " --from-vasl").to_string()
            + &repeated("side", &self.side)
            + &repeated("mine", self.mine)
            + &repeated("at-step", self.at_step)
            + &repeated("set-unit", &self.set_unit)
            + flag(self.anyway, " --anyway")
            + &repeated("boards", self.folders.iter().map(|folder| folder.display()))
    }
}

struct Save<'a> {
    arguments: &'a SavedArguments,
    file: &'a Path,
    position: &'a Position,
    all: MapUnits,
    boards: Boards<'a>,
}

impl Save<'_> {
    /// Fails if a `--set-unit` names no unit on the map.
    fn check_replacements(&self) -> Result<()> {
        for set in &self.arguments.set_unit {
            let Some((counter, _)) = set.split_once('=') else {
                let message = "expected a counter, `=` and its replacement";
                let help = "\"japanese:4-4-7=british:4-4-7/broken-morale=8\"";
                return Err(Failure::refused("--set-unit", set, message).help(help));
            };
            let names: BTreeSet<String> = self.all.units.iter().flat_map(unit_names).collect();
            if !names.iter().any(|name| canonical(name) == canonical(counter)) {
                let message = format!("no visible unit is called `{}`", counter.trim());
                let fault = Fault::new(message, 0..counter.len());
                let names = names.iter().map(String::as_str);
                let fault = fault.expecting(&canonical(counter), names);
                return Err(Failure::argument("--set-unit", set, fault));
            }
        }
        Ok(())
    }

    fn sides(&self) -> Result<Vec<Side>> {
        let units = self.all.units.iter();
        let broken = units.clone().filter(|unit| unit.marks.contains(&Mark::Broken));
        let there: Side = units.map(|unit| unit.nation).collect();
        let is_broken = |side: &Side| broken.clone().any(|unit| side.contains(unit.nation));
        if let Some(text) = &self.arguments.side {
            let side = named_side(text, &there, self.file)?;
            if !is_broken(&side) {
                let message = "the side has no visible broken unit";
                return Err(Failure::refused("--side", text, message));
            }
            return Ok(vec![side]);
        }
        let in_file = |message: &str, help: String| {
            Err(Failure::binary(self.file, Fault::new(message, 0..0).help(help)))
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
            return in_file(
                &format!(
                    "the file has units of {names}: choose the nations whose broken units rout"
                ),
                format!("use `--side {names}`, without the nations of the other side"),
            );
        }
        sides.retain(is_broken);
        let Some(first) = sides.first() else {
            let help = "`lowcrawl vasl show` lists the units".to_string();
            return in_file("no visible unit is broken, so no unit routs", help);
        };
        if sides.len() == 2 {
            let is_known = |mover: &&str| sides.iter().any(|side| side.contains(mover));
            let mover = nation(&self.position.scenario.player_to_move).ok().filter(is_known);
            let Some(mover) = mover else {
                let first = first.iter().copied().collect::<Vec<_>>().join(",");
                return in_file(
                    "both sides have broken units, but the file does not give the Player Turn",
                    format!("`--side {first}`"),
                );
            };
            sides.sort_by_key(|side| !side.contains(mover));
        }
        Ok(sides)
    }

    /// Builds the situation in which the broken units of `side` rout.
    fn situation(&self, side: &Side) -> Result<Taken, Fault> {
        let Save { all, boards, position, file, arguments } = self;
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
            let mut entry = json!({ RoutTable::unit.name: notation, RoutTable::at.name: at });
            if has(Mark::Melee) && list != 1 {
                entry[RoutTable::in_melee.name] = json!(true);
            }
            if has(Mark::Immobilized) && list == 2 {
                entry[EnemyTable::ti.name] = json!(true);
            }
            if list == 0 {
                routers.push(&unit.place);
            }
            if unit.place.is_off {
                let what = format!("{} is not in the middle of its hex", unit.printed);
                doubts.push(Doubt { what, place: Some(unit.place.clone()), board: None });
            }
            lists[list].push(entry);
        }
        let unknown = all.unknown.iter().cloned();
        doubts.extend(unknown.map(|(what, place)| Doubt { what, place: Some(place), board: None }));
        let in_words = |doubt: &Doubt| doubt.message(boards);
        let touching = doubts.iter().filter(|doubt| doubt.touches(&routers)).map(in_words);
        let touching = touching.collect::<Vec<_>>().join("; ");
        if !arguments.anyway && !touching.is_empty() {
            let message = format!("unknown pieces in the file affect units that rout: {touching}");
            return Err(Fault::new(plain(&message), 0..0).help("`--anyway` ignores them"));
        }
        let ground = self.ground();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
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
        let about: Vec<String> = about.iter().map(|line| plain(line)).collect();
        let mut request = json!({ SituationTables::about.name: about.join("\n\n") });
        let scenario = &position.scenario;
        let is_axis = side.iter().any(|nation| AXIS.contains(nation));
        let elr = if is_axis { &scenario.axis_elr } else { &scenario.allied_elr };
        if let Some(elr) = elr.parse::<u8>().ok().filter(|elr| *elr <= 5) {
            request[RoutFields::elr.name] = json!(elr);
        }
        request[SituationTables::boards.name] = boards.json();
        if !ground.is_empty() {
            request[SituationTables::map.name] = ground.into_iter().collect();
        }
        let tables = [SituationTables::routs, SituationTables::friends, SituationTables::enemies];
        for (table, units) in tables.into_iter().zip(lists).filter(|(_, units)| !units.is_empty()) {
            request[table.name] = units.into();
        }
        let text = api::situation::file(&request)?;
        let note = |doubt: &Doubt| format!("not understood: {}", plain(&in_words(doubt)));
        Ok(Taken { text, notes: doubts.iter().map(note).collect() })
    }

    fn ground(&self) -> IndexMap<&'static str, Vec<String>> {
        let mut ground: IndexMap<&str, Vec<String>> = IndexMap::new();
        for (feature, place) in &self.all.features {
            let field = match feature {
                Feature::Smoke => MapTable::smoke,
                Feature::Blaze => MapTable::blaze,
                Feature::Foxholes => MapTable::foxholes,
                Feature::Trench => MapTable::trenches,
            };
            let (hexes, hex) = (ground.entry(field.name).or_default(), self.boards.hex(place));
            if !hexes.contains(&hex) {
                hexes.push(hex);
            }
        }
        ground
    }

    /// Returns the stack notation of a unit with its conditions; `at` is its hex, for messages.
    fn notation(&self, unit: &MapUnit, at: &str) -> Result<String, Fault> {
        let names = unit_names(unit);
        let named = &names[1];
        let set = self.arguments.set_unit.iter().find_map(|set| {
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
        let conditions = unit.marks.iter().filter_map(|mark| condition(*mark));
        let mut conditions: Vec<String> =
            conditions.map(|condition| condition.name().to_string()).collect();
        // The broken morale printed on the VASL counter overrides the catalogue.
        let differs = |morale: &u8| broken.is_some_and(|broken| broken != *morale);
        let morale = unit.broken_morale.filter(differs);
        conditions.extend(morale.map(|morale| format!("broken-morale={morale}")));
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

/// Parses the nations of `--side`. Fails if the save at `file` has no visible unit of one of them.
fn named_side(text: &str, there: &Side, file: &Path) -> Result<Side> {
    let nation = |word: &str| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let in_option = |fault: Fault| {
            Failure::argument("--side", text, fault.with_span(start..start + word.len()))
        };
        let nation = nation(word).map_err(in_option)?;
        if there.contains(nation) {
            return Ok(nation);
        }
        let message = format!("{} has no visible {nation} unit", file.display());
        Err(in_option(Fault::new(message, 0..0).expecting(nation, there.iter().copied())))
    };
    text.split(',').map(str::trim).map(nation).collect()
}

/// Returns two names of a unit: nation and printed values, first without and then with its class.
fn unit_names(unit: &MapUnit) -> [String; 2] {
    let short = format!("{}:{}", unit.nation, unit.printed);
    let long = format!("{short} {}", unit.class);
    [short, long.trim_end().to_string()]
}

/// Returns a unit's notation and broken morale, or as error the first counter with its values.
fn notation(unit: &MapUnit) -> Result<(String, Option<u8>), Option<&'static str>> {
    let is_alike = |counter: &&Counter| {
        counter.printed() == unit.printed && [unit.nation, "any"].contains(&counter.nation.name())
    };
    let alike: Vec<_> = CATALOGUE.counters().iter().filter(is_alike).collect();
    let letters = unit.class.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let kind = match unit.class.get(letters.len()..) {
        Some("sq") => Some(CounterKind::Squad),
        Some("hs") => Some(CounterKind::HalfSquad),
        Some("cr") => Some(CounterKind::Crew),
        _ => None,
    };
    let letter = canonical(letters);
    let exact = |counter: &Counter| {
        kind.is_none_or(|kind| counter.kind == kind)
            && (counter.kind == CounterKind::Crew || counter.class.name() == letter)
    };
    let fitting: Vec<&Counter> = alike.iter().copied().filter(|counter| exact(counter)).collect();
    let (one, written) = match (&alike[..], &fitting[..]) {
        ([one], _) => (one, one.to_string()),
        (_, [one]) => (one, format!("id:{}", one.id)),
        _ => return Err(alike.first().map(|counter| counter.id.as_str())),
    };
    Ok((written, u8::try_from(one.broken_morale).ok()))
}

/// Returns the condition of a VASL mark in stack notation; `None` if it stands elsewhere.
const fn condition(mark: Mark) -> Option<Condition> {
    Some(match mark {
        Mark::Broken => Condition::Broken,
        Mark::Dm => Condition::Dm,
        Mark::Pinned => Condition::Pinned,
        Mark::Disrupted => Condition::Disrupted,
        Mark::Encircled => Condition::Encircled,
        Mark::Wounded => Condition::Wounded,
        Mark::Fanatic => Condition::Fanatic,
        Mark::Heroic => Condition::Heroic,
        Mark::Berserk => Condition::Berserk,
        Mark::Melee | Mark::Immobilized => return None,
    })
}
