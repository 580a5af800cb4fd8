//! The map of a situation: boards from tables, hexes written out, and what lies on top.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::{DeTable, DeValue};

use super::super::keys::{entry, in_file_order, in_words, known_keys, placed_text, whole_number};
use super::{Open, SituationError, Value, each, flag, rows, section, tables, within};
use crate::board::hex::{Hex, Side, Sides};
use crate::board::map::{BOARD, Barrier, Ground, Map, Placed, Works, hex_terrain};
use crate::board::table::{ListedLine, read_hexes, read_lines};
use crate::board::terrain::Terrain;
use crate::text::Fault;

const BOARD_KEYS: [&str; 5] = ["prefix", "hexes", "los", "at", "turned"];
const MAP_KEYS: [&str; 17] = [
    "rows",
    "legend",
    "area",
    "terrain",
    "hexes",
    "building",
    "levels",
    "roads",
    "hexsides",
    "smoke",
    "blaze",
    "foxholes",
    "trenches",
    "pillboxes",
    "minefields",
    "ffe",
    "prefix",
];
const BUILDING_KEYS: [&str; 6] = ["hexes", "type", "upper-levels", "stairways", "rowhouse", "factory"];

/// The map so far.
pub(super) struct Draft {
    boards: Vec<Placed>,
    hexes: BTreeMap<Hex, Ground>,
    buildings: u16,
    /// Hexes of the buildings written out.
    built: BTreeSet<Hex>,
    /// Lines of sight of the boards that list them.
    pub lines: Option<(Vec<Placed>, Vec<ListedLine>)>,
}

/// Reads `[board]` and `[map]` of the file `source`.
pub(super) fn read(root: &DeTable, source: &str, open: Open) -> Result<Draft, SituationError> {
    let mut draft = Draft { boards: Vec::new(), hexes: BTreeMap::new(), buildings: 0, built: BTreeSet::new(), lines: None };
    for (board, span) in tables(root, "board", "board")? {
        draft.add_board(board, span, open)?;
    }
    if let Some(map) = section(root, "map", &MAP_KEYS)? {
        draft.add_patch(map, source)?;
    }
    if draft.hexes.is_empty() {
        let fault = match entry(root, "map") {
            Some(map) => Fault::new("the map has no hex", map.span()),
            None => Fault::new("there is no map", 0..0),
        };
        return Err(fault.help("write it out in [map], or name a table of hexes: [board] hexes = \"board.csv\"").into());
    }
    Ok(draft)
}

impl Draft {
    /// The finished map.
    pub fn map(&self) -> Result<Map, Fault> {
        let boards = if self.boards.is_empty() { vec![Placed::alone()] } else { self.boards.clone() };
        Ok(Map::new(boards, self.hexes.clone()))
    }

    fn add_board(&mut self, board: &DeTable, span: std::ops::Range<usize>, open: Open) -> Result<(), SituationError> {
        known_keys(board, &BOARD_KEYS, "[board]")?;
        let file = |name: &str| entry(board, name).map(|value| placed_text(value, name)).transpose();
        let Some(hexes) = file("hexes")? else {
            let fault = Fault::new("`hexes` is missing: the table of the board's hexes", span);
            return Err(fault.help("hexes = \"board.csv\"").into());
        };
        let at = entry(board, "at").map(offset).transpose()?.unwrap_or((0, 0));
        let prefix = entry(board, "prefix").map(prefix).transpose()?.unwrap_or_default();
        let placed =
            Placed { prefix, corner: ((BOARD.0 - 1) * at.0, BOARD.1 * at.1), size: BOARD, turned: flag(board, "turned", false)? };
        if self.boards.iter().any(|other| other.prefix == placed.prefix) {
            let fault = Fault::new("two boards have the same prefix", span);
            return Err(fault.help("give each its own: prefix = \"y\" makes its hexes yA1, yB2, ...").into());
        }
        if self.boards.iter().any(|other| other.corner == placed.corner) {
            let fault = Fault::new("two boards lie in the same place", span);
            return Err(fault.help("at = [1, 0] puts one to the right of the other, at = [0, 1] below it").into());
        }
        let text = table_text(&hexes, open)?;
        let rows = read_hexes(&text, self.buildings).map_err(|fault| in_table(&hexes, &text, fault))?;
        self.buildings += rows.iter().filter_map(|(_, ground)| ground.building).max().map_or(0, |last| last + 1 - self.buildings);
        let alone = entry(board, "at").is_none() && !placed.turned;
        let placed = match rows.iter().find(|(own, _)| placed.own(placed.on_map(*own)).is_none()) {
            None => placed,
            // A map that is no geomorphic board.
            Some(_) if alone => Placed { size: (i16::MAX, i16::MAX), ..placed },
            Some((outside, _)) => {
                let fault = Fault::new(format!("{hexes} has {outside}, which is no hex of a geomorphic board"), span);
                return Err(fault.help("only boards from A1 to GG10 can be turned or put beside others").into());
            }
        };
        for (own, mut ground) in rows {
            if placed.turned {
                turn(&mut ground);
            }
            // Half hexes at the edge belong to both boards: what is not open ground counts.
            let ground_there = self.hexes.entry(placed.on_map(own)).or_insert_with(|| ground.clone());
            if ground_there.terrain == Terrain::open() {
                *ground_there = ground;
            }
        }
        if let Some(name) = file("los")? {
            let text = table_text(&name, open)?;
            let listed = read_lines(&text).map_err(|fault| in_table(&name, &text, fault))?;
            let (boards, lines) = self.lines.get_or_insert_default();
            boards.push(placed.clone());
            lines.extend(listed.into_iter().map(|(a, b, hindrance)| (placed.on_map(a), placed.on_map(b), hindrance)));
        }
        self.boards.push(placed);
        Ok(())
    }

    fn add_patch(&mut self, map: &DeTable, source: &str) -> Result<(), Fault> {
        if let Some(value) = entry(map, "prefix") {
            if !self.boards.is_empty() {
                return Err(Fault::new("the boards have prefixes of their own", value.span()));
            }
            self.boards.push(Placed { prefix: prefix(value)?, ..Placed::alone() });
        }
        let terrain = match entry(map, "terrain") {
            Some(value) => hex_terrain(&placed_text(value, "terrain")?).map_err(within(value))?,
            None => Terrain::open(),
        };
        if let Some(value) = entry(map, "area") {
            self.fill(value, terrain)?;
        }
        if let Some(value) = entry(map, "rows") {
            for cell in rows::cells(value, source, part(map, "legend")?)? {
                let hex = self.named(&cell.name);
                let fault = || Fault::new(format!("`{}` names no hex", cell.name), cell.span);
                let hex = hex.ok_or_else(|| fault().help("columns are written like `A`, `Z`, `AA`, rows like `1`"))?;
                self.put(hex, cell.terrain);
            }
        }
        let mut filled: BTreeMap<Hex, &Terrain> = BTreeMap::new();
        for (key, value) in in_file_order(part(map, "hexes")?) {
            let terrain = hex_terrain(key.get_ref()).map_err(|fault| Fault { span: key.span(), ..fault })?;
            for value in each(value) {
                let hex = self.new_hex(value)?;
                if filled.insert(hex, terrain).is_some_and(|before| before != terrain) {
                    return Err(self.contradiction("the terrain", hex, value));
                }
                self.put(hex, terrain);
            }
        }
        for (building, span) in tables(map, "building", "map.building")? {
            self.add_building(building, span)?;
        }
        self.add_levels(map)?;
        if let Some(roads) = entry(map, "roads") {
            self.add_roads(roads)?;
        }
        self.add_hexsides(map)?;
        self.add_features(map)
    }

    fn add_levels(&mut self, map: &DeTable) -> Result<(), Fault> {
        let mut given: BTreeMap<Hex, i8> = BTreeMap::new();
        for (key, value) in in_file_order(part(map, "levels")?) {
            let level = key.get_ref().parse::<i8>().ok().filter(|level| (-3..=20).contains(level));
            let level = level.ok_or_else(|| Fault::new(format!("`{}` is no level from -3 to 20", key.get_ref()), key.span()))?;
            for value in each(value) {
                let hex = self.hex(value)?;
                if given.insert(hex, level).is_some_and(|before| before != level) {
                    return Err(self.contradiction("the level", hex, value));
                }
                self.ground(value)?.level = level;
            }
        }
        Ok(())
    }

    fn add_hexsides(&mut self, map: &DeTable) -> Result<(), Fault> {
        let mut given: BTreeMap<(Hex, Side), Barrier> = BTreeMap::new();
        for (key, value) in in_file_order(part(map, "hexsides")?) {
            let barrier = Barrier::named(key.get_ref()).map_err(|fault| Fault { span: key.span(), ..fault })?;
            for value in each(value) {
                let (hex, side) = self.hexside(value)?;
                // Of both hexes, whatever a table says of either.
                for (hex, side) in [(hex, side), (hex.neighbour(side), side.opposite())] {
                    if given.insert((hex, side), barrier).is_some_and(|before| before != barrier) {
                        return Err(self.contradiction("the hexside", hex, value));
                    }
                    if let Some(ground) = self.hexes.get_mut(&hex) {
                        ground.sides[side as usize] = Some(barrier);
                    }
                }
            }
        }
        Ok(())
    }

    fn add_features(&mut self, map: &DeTable) -> Result<(), Fault> {
        for (name, works) in [("foxholes", Works::Foxhole), ("trenches", Works::Trench), ("pillboxes", Works::Pillbox)] {
            for value in entry(map, name).map(each).unwrap_or_default() {
                let ground = self.ground(value)?;
                if let Some(other) = ground.works.filter(|other| *other != works) {
                    let fault = Fault::new(format!("this hex has a {} already", other.name()), value.span());
                    return Err(fault.help("a hex has works of one kind"));
                }
                ground.works = Some(works);
            }
        }
        let features: [(&str, Feature); 4] = [
            ("smoke", |ground| ground.smoke = true),
            ("blaze", |ground| ground.blaze = true),
            ("minefields", |ground| ground.hazard = true),
            ("ffe", |ground| ground.hazard = true),
        ];
        for (name, set) in features {
            for value in entry(map, name).map(each).unwrap_or_default() {
                set(self.ground(value)?);
            }
        }
        Ok(())
    }

    /// `area = "A1-H8"`: every hex between two corners.
    fn fill(&mut self, value: &Value, terrain: &'static Terrain) -> Result<(), Fault> {
        let text = placed_text(value, "area")?;
        let corner = |name: &str| self.named(name.trim());
        let corners = text.split_once('-').and_then(|(from, to)| Some((corner(from)?, corner(to)?)));
        let Some((from, to)) = corners.filter(|(from, to)| from.column <= to.column && from.row <= to.row) else {
            let fault = Fault::new(format!("`{text}` is no area"), value.span());
            return Err(fault.help("its upper left and its lower right hex, like `A1-H8`"));
        };
        if i32::from(to.column - from.column + 1) * i32::from(to.row - from.row + 1) > MOST_HEXES {
            return Err(Fault::new(format!("`{text}` has more than {MOST_HEXES} hexes"), value.span()));
        }
        for column in from.column..=to.column {
            for row in from.row..=to.row {
                self.put(Hex::new(column, row), terrain);
            }
        }
        Ok(())
    }

    fn add_building(&mut self, building: &DeTable, span: std::ops::Range<usize>) -> Result<(), Fault> {
        known_keys(building, &BUILDING_KEYS, "a building")?;
        let hexes = entry(building, "hexes").filter(|hexes| !each(hexes).is_empty());
        let Some(hexes) = hexes else {
            return Err(Fault::new("the hexes of the building are missing", span).help("hexes = [\"K5\", \"K6\"]"));
        };
        let kind = match entry(building, "type") {
            None => None,
            Some(value) => {
                let name = placed_text(value, "type")?;
                let kinds = [("stone", "bldg-stone"), ("wood", "bldg-wood")];
                let kind = kinds.iter().find(|(kind, _)| *kind == name).map(|(_, id)| *id);
                let found = hex_terrain(kind.unwrap_or(&name)).ok().filter(|terrain| terrain.is_building());
                let fault = || Fault::new(format!("no building is of type `{name}`"), value.span());
                Some(found.ok_or_else(|| fault().expecting(&name, ["stone", "wood", "marketplace"]))?)
            }
        };
        let levels = entry(building, "upper-levels").map_or(Ok(0), |value| whole_number(value, "upper-levels", 0, 9))? as u8;
        let mut members: Vec<Hex> = Vec::new();
        for value in each(hexes) {
            let hex = self.new_hex(value)?;
            if members.contains(&hex) {
                return Err(Fault::new(format!("{} is there twice", self.name(hex)), value.span()));
            }
            if !self.built.insert(hex) {
                let fault = Fault::new(format!("{} belongs to another building", self.name(hex)), value.span());
                return Err(fault.help("write one building as one table"));
            }
            if self.hexes.get(&hex).is_none_or(|ground| kind.is_some() || !ground.terrain.is_building()) {
                self.put(hex, kind.unwrap_or(hex_terrain("bldg-stone")?));
            }
            members.push(hex);
        }
        if let Some(apart) = apart(&members) {
            let value = each(hexes)[apart];
            let fault =
                Fault::new(format!("{} is not connected with the rest of the building", self.name(members[apart])), value.span());
            return Err(fault.help("the hexes of a building touch each other; write two buildings as two tables"));
        }
        let (rowhouse, factory) = (flag(building, "rowhouse", false)?, flag(building, "factory", false)?);
        for hex in &members {
            if let Some(ground) = self.hexes.get_mut(hex) {
                ground.building = Some(self.buildings);
                (ground.upper_levels, ground.rowhouse, ground.factory) = (levels, rowhouse, factory);
            }
        }
        self.buildings += 1;
        for value in entry(building, "stairways").map(each).unwrap_or_default() {
            let hex = self.hex(value)?;
            if !members.contains(&hex) {
                return Err(Fault::new(format!("{} is no hex of this building", self.name(hex)), value.span()));
            }
            self.ground(value)?.stairway = true;
        }
        Ok(())
    }

    /// Roads as chains of hexes: `[["K1", "K2", "L2"]]`, or one of them.
    fn add_roads(&mut self, roads: &Value) -> Result<(), Fault> {
        let chains = chain(roads)?;
        let one = !chains.is_empty() && chains.iter().all(|value| matches!(value.get_ref(), DeValue::String(_)));
        for road in if one { vec![roads] } else { chains } {
            let values = chain(road)?;
            if values.len() < 2 {
                return Err(Fault::new("a road leads through two hexes or more", road.span()).help(ROADS));
            }
            for pair in values.windows(2) {
                let (from, to) = (self.hex(pair[0])?, self.hex(pair[1])?);
                let Some(side) = from.side_towards(to) else {
                    let (from, to) = (self.name(from), self.name(to));
                    return Err(Fault::new(format!("no road leads from {from} to {to}: they are no neighbours"), pair[1].span()));
                };
                self.ground(pair[0])?.road.insert(side);
                self.ground(pair[1])?.road.insert(side.opposite());
            }
        }
        Ok(())
    }

    /// A hexside between two neighbours: `K5-K4`.
    fn hexside(&self, value: &Value) -> Result<(Hex, Side), Fault> {
        let text = placed_text(value, "hexsides")?;
        let fault = |message: String| Fault::new(message, value.span()).help("the two hexes at it, like `K5-K4`");
        let Some((a, b)) = text.split_once('-') else { return Err(fault(format!("`{text}` is no hexside"))) };
        let (a, b) = (self.on_map(a.trim(), value)?, self.on_map(b.trim(), value)?);
        let apart = || fault(format!("{} and {} have no hexside in common", self.name(a), self.name(b)));
        Ok((a, a.side_towards(b).ok_or_else(apart)?))
    }

    /// A hex by name, on the map or not.
    fn named(&self, name: &str) -> Option<Hex> {
        if self.boards.is_empty() {
            return Hex::parse(name);
        }
        let of = |board: &Placed| {
            let bare = self.boards.len() == 1 && !name.starts_with(board.prefix.as_str());
            Hex::parse(if bare { name } else { name.strip_prefix(board.prefix.as_str())? }).map(|own| board.on_map(own))
        };
        self.boards.iter().find_map(of)
    }

    /// The name of a hex, with the prefix of its board.
    fn name(&self, hex: Hex) -> String {
        let name = |board: &Placed| board.own(hex).map(|own| format!("{}{own}", board.prefix));
        self.boards.iter().find_map(name).unwrap_or_else(|| hex.to_string())
    }

    /// A hex by name that may be new to the map.
    fn anywhere(&self, name: &str, value: &Value) -> Result<Hex, Fault> {
        self.named(name).ok_or_else(|| {
            let upper = name.to_uppercase();
            let help = match self.named(&upper) {
                Some(_) => format!("did you mean `{upper}`?"),
                None => format!("a hex is written like `{}K5`", self.boards.first().map_or("", |board| &board.prefix)),
            };
            Fault::new(format!("`{name}` names no hex"), value.span()).help(help)
        })
    }

    /// A hex by name that must be there.
    fn on_map(&self, name: &str, value: &Value) -> Result<Hex, Fault> {
        let hex = self.anywhere(name, value)?;
        if self.hexes.contains_key(&hex) {
            return Ok(hex);
        }
        let fault = Fault::new(format!("the hex `{name}` is not on the map"), value.span());
        Err(match (self.hexes.first_key_value(), self.hexes.last_key_value()) {
            (Some((&first, _)), Some((&last, _))) => {
                fault.help(format!("the map goes from {} to {}", self.name(first), self.name(last)))
            }
            _ => fault,
        })
    }

    fn new_hex(&self, value: &Value) -> Result<Hex, Fault> {
        self.anywhere(&hex_text(value)?, value)
    }

    fn hex(&self, value: &Value) -> Result<Hex, Fault> {
        self.on_map(&hex_text(value)?, value)
    }

    fn ground(&mut self, value: &Value) -> Result<&mut Ground, Fault> {
        let hex = self.hex(value)?;
        self.hexes.get_mut(&hex).ok_or_else(|| Fault::new("this hex is not on the map", value.span()))
    }

    /// Two statements about one hex.
    fn contradiction(&self, what: &str, hex: Hex, value: &Value) -> Fault {
        let message = format!("{what} of {} is given twice, in different ways", self.name(hex));
        Fault::new(message, value.span()).help("keep one of them")
    }

    /// Puts terrain into a hex, keeping its level; a building by itself.
    fn put(&mut self, hex: Hex, terrain: &'static Terrain) {
        let level = self.hexes.get(&hex).map_or(0, |ground| ground.level);
        let mut ground = Ground { level, ..Ground::of(terrain) };
        if terrain.is_building() {
            ground.building = Some(self.buildings);
            self.buildings += 1;
        }
        self.hexes.insert(hex, ground);
    }
}

/// How roads are written.
const ROADS: &str = "chains of hexes: roads = [[\"K1\", \"K2\", \"L2\"]]";

fn chain<'a, 'i>(value: &'a Value<'i>) -> Result<Vec<&'a Value<'i>>, Fault> {
    let wrong =
        || Fault::new(format!("a road must be a list of hexes, not {}", in_words(value.get_ref())), value.span()).help(ROADS);
    value.get_ref().as_array().map(|values| values.iter().collect()).ok_or_else(wrong)
}

fn hex_text(value: &Value) -> Result<String, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        other => Err(Fault::new(format!("a hex must be a text like \"K5\", not {}", in_words(other)), value.span())),
    }
}

/// A table within `[map]`.
fn part<'a, 'i>(map: &'a DeTable<'i>, name: &str) -> Result<Option<&'a DeTable<'i>>, Fault> {
    match entry(map, name).map(|value| (value.get_ref(), value.span())) {
        None => Ok(None),
        Some((DeValue::Table(table), _)) => Ok(Some(table)),
        Some((other, span)) => {
            Err(Fault::new(format!("`{name}` must be a table, `[map.{name}]`, not {}", in_words(other)), span))
        }
    }
}

/// What stands in front of the names of a board's hexes.
fn prefix(value: &Value) -> Result<String, Fault> {
    let text = placed_text(value, "prefix")?;
    match text.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit()) {
        true => Ok(text),
        false => {
            Err(Fault::new(format!("`{text}` is no prefix"), value.span()).help("small letters and digits, like `y` or `12`"))
        }
    }
}

/// What lies in a hex.
type Feature = fn(&mut Ground);

/// Most hexes of an area.
const MOST_HEXES: i32 = 10_000;

/// The first of some hexes that no chain of neighbours joins to the first.
fn apart(hexes: &[Hex]) -> Option<usize> {
    let mut joined: Vec<bool> = (0..hexes.len()).map(|place| place == 0).collect();
    loop {
        let next = (0..hexes.len()).find(|&place| {
            !joined[place] && hexes.iter().zip(&joined).any(|(other, &in_it)| in_it && other.range(hexes[place]) == 1)
        });
        match next {
            Some(place) => joined[place] = true,
            None => return joined.iter().position(|joined| !joined),
        }
    }
}

/// A hex of a board turned by 180 degrees.
fn turn(ground: &mut Ground) {
    ground.sides.rotate_left(3);
    ground.road = ground.road.iter().map(Side::opposite).collect::<Sides>();
}

/// `at = [1, 0]`: a place in boards, to the right and down.
fn offset(value: &Value) -> Result<(i16, i16), Fault> {
    match each(value)[..] {
        [right, down] => Ok((whole_number(right, "at", 0, 9)? as i16, whole_number(down, "at", 0, 9)? as i16)),
        _ => Err(Fault::new("`at` must be two numbers", value.span()).help("[1, 0]: one board to the right")),
    }
}

fn table_text(name: &str, open: Open) -> Result<String, SituationError> {
    open(name).map_err(|error| SituationError::Io { name: name.to_string(), error })
}

fn in_table(name: &str, text: &str, fault: Fault) -> SituationError {
    SituationError::Table { name: name.to_string(), text: text.to_string(), fault }
}
