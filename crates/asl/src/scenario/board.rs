//! The hexes of a situation: boards from tables, and maps as rows of letters behind row numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::ground::{Draft, MOST_HEXES};
use super::{Open, SituationError};
use crate::board::hex::{Hex, Hexside, Hexsides};
use crate::board::map::{BOARD, HexContents, PlacedBoard, hex_terrain};
use crate::board::table::{read_hexes, read_lines};
use crate::board::terrain::Terrain;
use crate::rout::fields::{BoardTable, HexTerrain, MapTable, Offset, Prefix, TableName};
use engine::text::Fault;
use engine::text::notation::{field, shown, text_field};
use schema::{Keyed, SourcePosition, Spanned};

impl Draft {
    /// Adds hexes with their terrain, without features.
    pub fn add_hexes(&mut self, map: &MapTable) -> Result<(), Fault> {
        if let Some(Spanned { value: Prefix(prefix), place }) = &map.prefix {
            if !self.boards.is_empty() {
                return Err(place.fault("the boards already have prefixes"));
            }
            self.boards.push(PlacedBoard { prefix: prefix.clone(), ..PlacedBoard::alone() });
        }
        if let Some(area) = &map.area {
            self.fill(area, map.terrain.map_or(Terrain::open(), |HexTerrain(terrain)| terrain))?;
        }
        if let Some(rows) = &map.rows {
            for cell in cells(rows, &map.legend)? {
                let fault = || {
                    let message = format!("`{}` is not the name of a hex", cell.name);
                    let help = "write columns like `A`, `Z`, `AA`, rows like `1`";
                    Fault::new(message, cell.span.clone()).help(help)
                };
                self.set_terrain(self.named(&cell.name).ok_or_else(fault)?, cell.terrain);
            }
        }
        let terrain = self.hex_values("the terrain", &map.hexes, Draft::new_hex)?;
        terrain.into_iter().for_each(|(hex, HexTerrain(terrain))| self.set_terrain(hex, terrain));
        Ok(())
    }

    pub(super) fn add_board(
        &mut self,
        board: &BoardTable,
        place: &SourcePosition,
        open: Open,
    ) -> Result<(), SituationError> {
        let board =
            &board.with_tables().map_err(|why| place.fault(why).help("remove one of them"))?;
        let Some(TableName(hexes)) = &board.hexes else {
            let fault = place.fault("`hexes` is missing: the table of the board's hexes");
            return Err(fault.help(text_field("hexes", "board.csv")).into());
        };
        let Prefix(prefix) = board.prefix.clone().unwrap_or_default();
        let Offset(right, down) = board.at.unwrap_or(Offset(0, 0));
        let placed = PlacedBoard {
            prefix,
            corner: ((BOARD.0 - 1) * right, BOARD.1 * down),
            size: BOARD,
            turned: board.turned,
        };
        if self.boards.iter().any(|other| other.prefix == placed.prefix) {
            let help = "give each its own: {} names its hexes yA1, yB2, ...";
            let fault = place.fault("two boards have the same prefix");
            return Err(fault.help(shown(help, [text_field("prefix", "y")])).into());
        }
        if self.boards.iter().any(|other| other.corner == placed.corner) {
            let help = "{} puts one to the right of the other, {} below it";
            let help = shown(help, [field("at", "[1, 0]"), field("at", "[0, 1]")]);
            let fault = place.fault("two boards have the same position");
            return Err(fault.help(help).into());
        }
        let rows = read_table(hexes, open, |text| read_hexes(text, self.buildings))?;
        let last = rows.iter().filter_map(|(_, ground)| ground.building).max();
        self.buildings = last.map_or(self.buildings, |last| last + 1);
        let alone = board.at.is_none() && !placed.turned;
        let outside = rows.iter().find(|(own, _)| placed.on_board(placed.on_map(*own)).is_none());
        let placed = match outside {
            None => placed,
            // A table with other hexes is no geomorphic board, so its size is unlimited.
            Some(_) if alone => PlacedBoard { size: (i16::MAX, i16::MAX), ..placed },
            Some((outside, _)) => {
                let message =
                    format!("{hexes} has {outside}, which is not a hex of a geomorphic board");
                let help = "only boards from A1 to GG10 can be turned or combined";
                return Err(place.fault(message).help(help).into());
            }
        };
        for (own, mut ground) in rows {
            if placed.turned {
                turn(&mut ground);
            }
            // Half hexes belong to two boards. Terrain other than open ground prevails.
            let ground_there =
                self.hexes.entry(placed.on_map(own)).or_insert_with(|| ground.clone());
            if ground_there.terrain == Terrain::open() {
                *ground_there = ground;
            }
        }
        if let Some(TableName(name)) = &board.lines {
            let listed = read_table(name, open, read_lines)?;
            let (boards, lines) = self.lines.get_or_insert_default();
            boards.push(placed.clone());
            let on_map = |(a, b, hindrance)| (placed.on_map(a), placed.on_map(b), hindrance);
            lines.extend(listed.into_iter().map(on_map));
        }
        self.boards.push(placed);
        Ok(())
    }
}

fn turn(ground: &mut HexContents) {
    ground.sides.rotate_left(3);
    ground.road = ground.road.iter().map(Hexside::opposite).collect::<Hexsides>();
}

fn read_table<T>(
    name: &str,
    open: Open,
    read: impl FnOnce(&str) -> Result<T, Fault>,
) -> Result<T, SituationError> {
    let name = || name.to_string();
    let text = open(&name()).map_err(|error| SituationError::Io { name: name(), error })?;
    read(&text).map_err(|fault| SituationError::Table { name: name(), text, fault: fault.into() })
}

const LEGEND: [(&str, &str); 12] = [
    (".", "open-ground"),
    ("w", "woods"),
    ("b", "bldg-wood"),
    ("B", "bldg-stone"),
    ("g", "grain"),
    ("o", "orchard"),
    ("u", "brush"),
    ("s", "shellhole"),
    ("y", "gully"),
    ("m", "marsh"),
    ("k", "crag"),
    ("~", "water"),
];

/// Returns the names of all terrain that has a letter.
pub fn lettered() -> impl Iterator<Item = &'static str> {
    LEGEND.iter().map(|(_, terrain)| *terrain)
}

struct Cell {
    pub name: String,
    pub terrain: &'static Terrain,
    pub span: Range<usize>,
}

/// Parses the hexes of a map written as rows. `legend` adds letters.
fn cells(rows: &Spanned<String>, legend: &Keyed<String, HexTerrain>) -> Result<Vec<Cell>, Fault> {
    let text = &rows.value;
    let letters = letters(legend)?;
    // With escapes in the file, the range is that of the whole text.
    let place = |word: &str| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        rows.place.part(start..start + word.len())
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let columns: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let help = "write a line of column names, then rows that begin with the row number";
    if columns.is_empty() {
        return Err(rows.place.fault("the map has no rows").help(help));
    }
    once("column", &columns, place)?;
    let (mut numbers, mut cells) = (Vec::new(), Vec::new());
    for line in lines {
        let mut words = line.split_whitespace();
        let row = words.next().unwrap_or("");
        let hexes: Vec<&str> = words.collect();
        if !row.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(Fault::new(format!("`{row}` is not a row number"), place(row)).help(help));
        }
        if hexes.len() != columns.len() {
            let (has, columns) = (hexes.len(), columns.len());
            let message = format!("row {row} has {has} hexes, but there are {columns} columns");
            return Err(Fault::new(message, place(line.trim())).help("write `-` for a missing hex"));
        }
        numbers.push(row);
        for (column, letter) in columns.iter().zip(hexes).filter(|(_, letter)| *letter != "-") {
            let name = format!("{column}{row}");
            let entry = letters.iter().find(|(other, _)| *other == letter);
            let (_, terrain) = entry.ok_or_else(|| {
                let known = letters.iter();
                let known = known.map(|(letter, terrain)| format!("{letter} {}", terrain.id));
                let known = known.collect::<Vec<_>>().join(", ");
                let message = format!("{name}: no terrain has the letter `{letter}`");
                let fault = Fault::new(message, place(letter));
                fault.help(format!("{known}; `legend` of the map adds letters"))
            })?;
            cells.push(Cell { name, terrain, span: place(letter) });
        }
    }
    once("row", &numbers, place)?;
    Ok(cells)
}

type Picture = (String, Keyed<String, HexTerrain>);

/// Writes hexes as rows with a legend (names if without letter). `None` if empty or too large.
pub(super) fn picture(hexes: &BTreeMap<Hex, HexContents>) -> Result<Option<Picture>, Fault> {
    let nothing = Keyed::default();
    let everybodys = letters(&nothing)?;
    let letter = |terrain: &'static Terrain| {
        let known = everybodys.iter().find(|(_, known)| known.id == terrain.id);
        known.map_or(terrain.id.as_str(), |(letter, _)| letter)
    };
    let columns: BTreeSet<i16> = hexes.keys().map(|hex| hex.column).collect();
    let rows: BTreeSet<i16> = hexes.keys().map(|hex| hex.row).collect();
    if hexes.is_empty() || columns.len() * rows.len() > MOST_HEXES as usize {
        return Ok(None);
    }
    let named = |column: &i16| Hex::new(*column, 0).to_string().trim_end_matches('0').to_string();
    let mut lines = vec![columns.iter().map(named).collect::<Vec<_>>().join(" ")];
    for row in &rows {
        let mut line = row.to_string();
        for column in &columns {
            let ground = hexes.get(&Hex::new(*column, *row));
            line += &format!(" {}", ground.map_or("-", |ground| letter(ground.terrain)));
        }
        lines.push(line);
    }
    let own: BTreeMap<&str, &'static Terrain> =
        hexes.values().map(|ground| (letter(ground.terrain), ground.terrain)).collect();
    let is_own = |(letter, _): &(&str, &'static Terrain)| {
        everybodys.iter().all(|(known, _)| known != letter)
    };
    let entry = |(letter, terrain): (&str, &'static Terrain)| {
        let place = SourcePosition::whole(0..0);
        (Spanned { value: letter.to_string(), place }, HexTerrain(terrain))
    };
    let legend =
        Keyed { entries: own.into_iter().filter(is_own).map(entry).collect(), ..Keyed::default() };
    Ok(Some((lines.join("\n"), legend)))
}

fn letters(legend: &Keyed<String, HexTerrain>) -> Result<Vec<(&str, &'static Terrain)>, Fault> {
    let own = legend.entries.iter();
    let own = own.map(|(letter, HexTerrain(terrain))| Ok((letter.value.as_str(), *terrain)));
    own.chain(LEGEND.map(|(letter, name)| Ok((letter, hex_terrain(name)?)))).collect()
}

fn once(what: &str, words: &[&str], place: impl Fn(&str) -> Range<usize>) -> Result<(), Fault> {
    match words.iter().enumerate().find(|(number, word)| words[..*number].contains(word)) {
        Some((_, word)) => Err(Fault::new(format!("{what} {word} is listed twice"), place(word))),
        None => Ok(()),
    }
}
