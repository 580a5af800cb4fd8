//! The map of a situation: boards, hexes, features, and lines of sight (computed, listed or set).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::board::corners;
use super::{Open, SituationError};
use crate::board::geometry::Geometry;
use crate::board::hex::{Hex, Hexside};
use crate::board::map::{Barrier, HexContents, Location, Map, PlacedBoard, Works, hex_terrain};
use crate::board::sight::{LineOfSight, ListedSight, Remembered};
use crate::board::table::ListedLine;
use crate::board::terrain::Terrain;
use crate::rout::fields::{
    BuildingKind, BuildingTable, HexList, HexName, Lines, MapTable, Others, Roads, SightLine,
};
use crate::tables::SituationTables;
use engine::text::notation::{CodePiece, shown};
use engine::text::{Fault, nearest};
use schema::{Keyed, SourcePosition, Spanned};

#[derive(Default)]
pub(super) struct Draft {
    pub boards: Vec<PlacedBoard>,
    pub hexes: BTreeMap<Hex, HexContents>,
    pub buildings: u16,
    built: BTreeSet<Hex>,
    /// The boards that list lines of sight, and those lines.
    pub lines: Option<(Vec<PlacedBoard>, Vec<ListedLine>)>,
    /// Notes on features of boards that lines of sight ignore.
    pub notes: Vec<String>,
    /// The half hexes at the edges of parts of boards, which join those of a neighbour.
    pub cut: Vec<(Hex, HexContents)>,
}

pub(super) fn drafted(tables: &SituationTables, open: Open) -> Result<Draft, SituationError> {
    let mut draft = Draft::default();
    let read = draft.read_boards(&tables.boards, open)?;
    let corners = corners(&tables.boards, &read)?;
    for (board, corner) in read.into_iter().zip(corners) {
        draft.add_board(board, corner, open)?;
    }
    draft.join_cut_hexes();
    if let Some(map) = &tables.map {
        draft.add_map(&map.value)?;
    }
    if draft.hexes.is_empty() {
        let no_map = || Fault::new("the map is missing", 0..0);
        let fault =
            tables.map.as_ref().map_or_else(no_map, |map| map.place.fault("the map has no hexes"));
        let board = CodePiece::Table("board", vec![("hexes", "\"board.csv\"".to_string())]);
        let help = shown(
            "write it out in {}, or name a table of hexes: {}",
            [CodePiece::Table("map", Vec::new()), board],
        );
        return Err(fault.help(help).into());
    }
    Ok(draft)
}

impl Draft {
    pub fn map(&self) -> Result<Map, Fault> {
        let boards =
            if self.boards.is_empty() { vec![PlacedBoard::alone()] } else { self.boards.clone() };
        Ok(Map::new(boards, self.hexes.clone()))
    }

    fn add_map(&mut self, map: &MapTable) -> Result<(), Fault> {
        self.add_hexes(map)?;
        map.buildings
            .iter()
            .try_for_each(|building| self.add_building(&building.value, &building.place))?;
        for (hex, level) in self.hex_values("the level", &map.levels, Draft::hex)? {
            self.change_hex(hex, |ground| ground.level = level.0);
        }
        map.roads.0.iter().try_for_each(|road| self.add_road(road))?;
        self.add_hexsides(&map.hexsides)?;
        self.add_features(map)
    }

    /// Returns the hexes of a table with their values. No hex may have two different values.
    pub(super) fn hex_values<T: Copy + PartialEq>(
        &self,
        what: &str,
        table: &Keyed<T, HexList>,
        hex: impl Fn(&Draft, &Spanned<HexName>) -> Result<Hex, Fault>,
    ) -> Result<Vec<(Hex, T)>, Fault> {
        let (mut all, mut known) = (Vec::new(), BTreeMap::new());
        for (Spanned { value, .. }, names) in &table.entries {
            for name in names {
                let hex = hex(self, name)?;
                if known.insert(hex, *value).is_some_and(|before| before != *value) {
                    return Err(self.contradiction(what, hex, &name.place));
                }
                all.push((hex, *value));
            }
        }
        Ok(all)
    }

    fn add_hexsides(&mut self, hexsides: &Keyed<Barrier, HexList>) -> Result<(), Fault> {
        let mut barriers: BTreeMap<(Hex, Hexside), Barrier> = BTreeMap::new();
        for (Spanned { value: barrier, .. }, names) in &hexsides.entries {
            for name in names {
                let (hex, side) = self.hexside(name)?;
                // The hexside is set for both hexes, and replaces the value of a table.
                for (hex, side) in [(hex, side), (hex.neighbour(side), side.opposite())] {
                    let before = barriers.insert((hex, side), *barrier);
                    if before.is_some_and(|before| before != *barrier) {
                        return Err(self.contradiction("the hexside", hex, &name.place));
                    }
                    self.change_hex(hex, |ground| ground.sides[side as usize] = Some(*barrier));
                }
            }
        }
        Ok(())
    }

    fn add_features(&mut self, map: &MapTable) -> Result<(), Fault> {
        for (hexes, works) in [
            (&map.foxholes, Works::Foxhole),
            (&map.trenches, Works::Trench),
            (&map.pillboxes, Works::Pillbox),
        ] {
            for name in hexes {
                let hex = self.hex(name)?;
                if let Some(other) = self.hexes[&hex].works.filter(|other| *other != works) {
                    let fault =
                        name.place.fault(format!("this hex already has a {}", other.name()));
                    return Err(fault.help("a hex can have one kind of fortification only"));
                }
                self.change_hex(hex, |ground| ground.works = Some(works));
            }
        }
        type Setter = fn(&mut HexContents);
        let features: [(&HexList, Setter); 4] = [
            (&map.smoke, |ground| ground.smoke = true),
            (&map.blaze, |ground| ground.blaze = true),
            (&map.minefields, |ground| ground.hazard = true),
            (&map.ffe, |ground| ground.hazard = true),
        ];
        for (hexes, set) in features {
            for name in hexes {
                self.change_hex(self.hex(name)?, set);
            }
        }
        Ok(())
    }

    /// Adds every hex between two corners: `area = "A1-H8"`.
    pub(super) fn fill(
        &mut self,
        Spanned { value: text, place }: &Spanned<String>,
        terrain: &'static Terrain,
    ) -> Result<(), Fault> {
        let corner = |name: &str| self.named(name.trim());
        let corners =
            text.split_once('-').and_then(|(from, to)| Some((corner(from)?, corner(to)?)));
        let Some((from, to)) =
            corners.filter(|(from, to)| from.column <= to.column && from.row <= to.row)
        else {
            let fault = place.fault(format!("`{text}` is not an area"));
            return Err(fault.help("write its upper left and lower right hex, like `A1-H8`"));
        };
        if i32::from(to.column - from.column + 1) * i32::from(to.row - from.row + 1) > MOST_HEXES {
            return Err(place.fault(format!("`{text}` has more than {MOST_HEXES} hexes")));
        }
        for column in from.column..=to.column {
            for row in from.row..=to.row {
                self.set_terrain(Hex::new(column, row), terrain);
            }
        }
        Ok(())
    }

    fn add_building(
        &mut self,
        building: &BuildingTable,
        place: &SourcePosition,
    ) -> Result<(), Fault> {
        if building.hexes.is_empty() {
            return Err(place.fault("the building has no hexes").help("hexes = [\"K5\", \"K6\"]"));
        }
        let kind = building.kind.map(|BuildingKind(terrain)| terrain);
        let mut members: Vec<Hex> = Vec::new();
        for name in &building.hexes {
            let hex = self.new_hex(name)?;
            if members.contains(&hex) {
                return Err(name.place.fault(format!("{} is listed twice", self.name(hex))));
            }
            if !self.built.insert(hex) {
                let fault =
                    name.place.fault(format!("{} belongs to another building", self.name(hex)));
                return Err(fault.help("write each building as one table"));
            }
            let is_built = self.hexes.get(&hex).is_some_and(|ground| ground.terrain.is_building);
            if kind.is_some() || !is_built {
                self.set_terrain(hex, kind.unwrap_or(hex_terrain("bldg-stone")?));
            }
            members.push(hex);
        }
        if let Some(unconnected) = first_unconnected(&members) {
            let name = self.name(members[unconnected]);
            let message = format!("{name} is not connected with the rest of the building");
            let fault = building.hexes[unconnected].place.fault(message);
            let help =
                "the hexes of a building must touch each other; write two buildings as two tables";
            return Err(fault.help(help));
        }
        let number = self.buildings;
        for hex in &members {
            self.change_hex(*hex, |ground| {
                ground.building = Some(number);
                ground.upper_levels = building.upper_levels.u8();
                (ground.rowhouse, ground.factory) = (building.rowhouse, building.factory);
            });
        }
        self.buildings += 1;
        for name in &building.stairways {
            let hex = self.hex(name)?;
            if !members.contains(&hex) {
                let message = format!("{} is not a hex of this building", self.name(hex));
                return Err(name.place.fault(message));
            }
            self.change_hex(hex, |ground| ground.stairway = true);
        }
        Ok(())
    }

    fn add_road(&mut self, road: &Spanned<HexList>) -> Result<(), Fault> {
        if road.value.len() < 2 {
            return Err(road.place.fault("a road needs at least two hexes").help(Roads::help()));
        }
        for pair in road.value.windows(2) {
            let (from, to) = (self.hex(&pair[0])?, self.hex(&pair[1])?);
            let Some(side) = from.side_towards(to) else {
                let ends = format!("from {} to {}", self.name(from), self.name(to));
                let message = format!("no road can lead {ends}: they are not neighbours");
                return Err(pair[1].place.fault(message));
            };
            self.change_hex(from, |ground| ground.road.insert(side));
            self.change_hex(to, |ground| ground.road.insert(side.opposite()));
        }
        Ok(())
    }

    /// Parses a hexside between two neighbours: `K5-K4`.
    fn hexside(
        &self,
        Spanned { value: HexName(text), place }: &Spanned<HexName>,
    ) -> Result<(Hex, Hexside), Fault> {
        let fault =
            |message: String| place.fault(message).help("write its two hexes, like `K5-K4`");
        let Some((a, b)) = text.split_once('-') else {
            return Err(fault(format!("`{text}` is not a hexside")));
        };
        let (a, b) = (self.on_map(a.trim(), place)?, self.on_map(b.trim(), place)?);
        let not_adjacent =
            || fault(format!("{} and {} have no hexside in common", self.name(a), self.name(b)));
        Ok((a, a.side_towards(b).ok_or_else(not_adjacent)?))
    }

    /// Returns the hex with this name, whether on the map or not. `None` if the name is malformed.
    pub(super) fn named(&self, name: &str) -> Option<Hex> {
        if self.boards.is_empty() {
            return Hex::parse(name);
        }
        let of = |board: &PlacedBoard| {
            let own = name.strip_prefix(board.prefix.as_str());
            let own = Hex::parse(own.or((self.boards.len() == 1).then_some(name))?)?;
            let is_used = board.part.is_none_or(|part| part.has_half(own));
            is_used.then(|| board.on_map(own))
        };
        self.boards.iter().find_map(of)
    }

    fn name(&self, hex: Hex) -> String {
        PlacedBoard::name(&self.boards, hex)
    }

    fn anywhere(&self, name: &str, place: &SourcePosition) -> Result<Hex, Fault> {
        self.named(name).ok_or_else(|| {
            let upper = name.to_uppercase();
            let prefix = self.boards.first().map_or("", |board| &board.prefix);
            let help = match self.named(&upper) {
                Some(_) => format!("did you mean `{upper}`?"),
                None => format!("a hex is written like `{prefix}K5`"),
            };
            place.fault(format!("`{name}` is not the name of a hex")).help(help)
        })
    }

    fn on_map(&self, name: &str, place: &SourcePosition) -> Result<Hex, Fault> {
        let hex = self.anywhere(name, place)?;
        if self.hexes.contains_key(&hex) {
            return Ok(hex);
        }
        let fault = place.fault(format!("the hex `{name}` is not on the map"));
        Err(match (self.hexes.first_key_value(), self.hexes.last_key_value()) {
            (Some((&first, _)), Some((&last, _))) => {
                fault.help(format!("the map goes from {} to {}", self.name(first), self.name(last)))
            }
            _ => fault,
        })
    }

    pub(super) fn new_hex(&self, name: &Spanned<HexName>) -> Result<Hex, Fault> {
        self.anywhere(&name.value.0, &name.place)
    }

    fn hex(&self, name: &Spanned<HexName>) -> Result<Hex, Fault> {
        self.on_map(&name.value.0, &name.place)
    }

    fn change_hex(&mut self, hex: Hex, change: impl FnOnce(&mut HexContents)) {
        self.hexes.get_mut(&hex).map_or((), change)
    }

    fn contradiction(&self, what: &str, hex: Hex, place: &SourcePosition) -> Fault {
        place
            .fault(format!("{what} of {} has two different values", self.name(hex)))
            .help("keep one of them")
    }

    /// Sets the terrain of a hex and keeps its level. A building hex becomes a building of its own.
    pub(super) fn set_terrain(&mut self, hex: Hex, terrain: &'static Terrain) {
        let level = self.hexes.get(&hex).map_or(0, |ground| ground.level);
        let mut ground = HexContents { level, ..HexContents::from_terrain(terrain) };
        if terrain.is_building {
            ground.building = Some(self.buildings);
            self.buildings += 1;
        }
        self.hexes.insert(hex, ground);
    }
}

pub(super) const MOST_HEXES: i32 = 10_000;

/// Returns the index of the first hex that no chain of neighbours connects to hex 0, if any.
fn first_unconnected(hexes: &[Hex]) -> Option<usize> {
    let mut apart: Vec<usize> = (1..hexes.len()).collect();
    let mut open = vec![0];
    while let Some(here) = open.pop() {
        let (near, far) = apart.iter().partition(|&&hex| hexes[hex].range(hexes[here]) == 1);
        open.extend::<Vec<usize>>(near);
        apart = far;
    }
    apart.first().copied()
}

/// Returns the lines of sight of a situation. `[los]` takes precedence over boards.
pub(super) fn sight(
    listed: &Lines,
    map: &Map,
    lines: Option<(Vec<PlacedBoard>, Vec<ListedLine>)>,
) -> Result<Arc<dyn LineOfSight>, Fault> {
    let (boards, lines) = lines.unwrap_or_default();
    let mut sight = match listed.fields.others {
        Others::Blocked => ListedSight::new([], None),
        Others::Computed => ListedSight::of_boards(boards, Geometry),
    };
    for (line, SightLine(hindrance)) in &listed.entries {
        let span = || line.place.span.clone();
        let (from, to) = ends(&line.value, map).map_err(|fault| Fault { span: span(), ..fault })?;
        if sight.set(from, to, *hindrance).is_some() {
            let line = format!("{}-{}", map.location_name(from), map.location_name(to));
            let fault = Fault::new(format!("the line {line} has two different values"), span());
            return Err(fault.help("keep one of them"));
        }
    }
    if listed.fields.others == Others::Computed {
        sight.list(lines);
    }
    Ok(Arc::new(Remembered::new(map, sight)))
}

/// Parses both ends of a line, such as `H5-J1` or `M2 level 1-M3`.
pub(super) fn ends(text: &str, map: &Map) -> Result<(Location, Location), Fault> {
    let Some((from, to)) = text.split_once('-') else {
        let fault = Fault::new(format!("`{text}` is not a line"), 0..0);
        return Err(match nearest(text, ["others"]) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help("write its two ends, like `H5-J1`"),
        });
    };
    let (from, to) = (map.parse_location(from.trim())?, map.parse_location(to.trim())?);
    match from.hex == to.hex {
        true => Err(Fault::new("a line must join two different hexes", 0..0)),
        false => Ok((from, to)),
    }
}
