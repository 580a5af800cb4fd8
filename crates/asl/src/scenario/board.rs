//! The hexes of a situation: boards from tables, and maps as rows of letters behind row numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::ground::{Draft, MOST_HEXES};
use super::{Open, SituationError};
use crate::board::hex::{Hex, Hexside, Hexsides};
use crate::board::map::{BOARD, BoardPart, HexContents, PlacedBoard, TALL_BOARD, hex_terrain};
use crate::board::table::{read_hexes, read_ignored, read_lines};
use crate::board::terrain::Terrain;
use crate::rout::fields::{BoardTable, HexTerrain, MapTable, Offset, Prefix, TableName};
use engine::text::Fault;
use engine::text::notation::{field, shown, text_field};
use schema::{Keyed, SourcePosition, Spanned};

/// A board whose hexes have been read.
pub(super) struct ReadBoard {
    board: BoardTable,
    prefix: String,
    part: Option<BoardPart>,
    rows: Vec<(Hex, HexContents)>,
    /// The features that lines of sight ignore, with their hexes.
    ignored: Vec<(String, Vec<Hex>)>,
    size: (i16, i16),
}

impl ReadBoard {
    /// Returns the pixels of the whole board.
    fn whole(&self) -> BoardPart {
        if self.size == TALL_BOARD { BoardPart::TALL } else { BoardPart::WHOLE }
    }
}

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

    /// Reads the hexes of all boards, and their sizes.
    pub(super) fn read_boards(
        &mut self,
        boards: &[Spanned<BoardTable>],
        open: Open,
    ) -> Result<Vec<ReadBoard>, SituationError> {
        check_positions(boards)?;
        let mut prefixes: Vec<String> = Vec::new();
        let mut all = Vec::new();
        for Spanned { value, place } in boards {
            let board = value.with_tables();
            let board = board.map_err(|why| place.fault(why).help("remove one of them"))?;
            let Some(TableName(hexes)) = &board.hexes else {
                let fault = place.fault("`hexes` is missing: the table of the board's hexes");
                return Err(fault.help(text_field("hexes", "board.csv")).into());
            };
            let Prefix(prefix) = board.prefix.clone().unwrap_or_default();
            if prefixes.contains(&prefix) {
                let help = "give each its own: {} names its hexes yA1, yB2, ...";
                let fault = place.fault("two boards have the same prefix");
                return Err(fault.help(shown(help, [text_field("prefix", "y")])).into());
            }
            prefixes.push(prefix.clone());
            let part = board.part_in_use()?;
            let (rows, ignored) = read_table(hexes, open, |text| {
                Ok((read_hexes(text, self.buildings)?, read_ignored(text)?))
            })?;
            let last = rows.iter().filter_map(|(_, ground)| ground.building).max();
            self.buildings = last.map_or(self.buildings, |last| last + 1);
            let alone = board.at.is_none() && !board.turned && part.is_none();
            let size = match size_of(&rows, part) {
                Ok(BOARD) => BOARD,
                // A table with other hexes is no geomorphic board, so its size is unlimited.
                _ if alone => (i16::MAX, i16::MAX),
                Ok(size) => size,
                Err(outside) => {
                    let message =
                        format!("{hexes} has {outside}, which is not a hex of a geomorphic board");
                    let help = "only boards from A1 to GG10, and whole ones from A1 to Q20, can be \
                        turned, cut or combined";
                    return Err(place.fault(message).help(help).into());
                }
            };
            all.push(ReadBoard { board, prefix, part, rows, ignored, size });
        }
        Ok(all)
    }

    pub(super) fn add_board(
        &mut self,
        read: ReadBoard,
        corner: (i16, i16),
        open: Open,
    ) -> Result<(), SituationError> {
        let ReadBoard { board, prefix, part, rows, ignored, size } = read;
        let placed = PlacedBoard { prefix, corner, size, turned: board.turned, part };
        for (own, mut ground) in rows {
            if placed.turned {
                turn(&mut ground);
            }
            match part {
                Some(part) if !part.has_half(own) => {}
                Some(part) if !part.has(own) => self.cut.push((placed.on_map(own), ground)),
                _ => self.add_half(placed.on_map(own), ground),
            }
        }
        self.notes
            .extend(ignored.iter().filter_map(|(what, own)| ignored_note(&placed, what, own)));
        if let Some(TableName(name)) = &board.lines {
            let listed = read_table(name, open, read_lines)?;
            let (boards, lines) = self.lines.get_or_insert_default();
            boards.push(placed.clone());
            let is_used = |own: Hex| part.is_none_or(|part| part.has_half(own));
            let listed = listed.into_iter().filter(|(a, b, _)| is_used(*a) && is_used(*b));
            let on_map = |(a, b, hindrance)| (placed.on_map(a), placed.on_map(b), hindrance);
            lines.extend(listed.map(on_map));
        }
        self.boards.push(placed);
        Ok(())
    }

    /// Adds a hex that can be half of a hex on the map. Terrain other than open ground prevails.
    fn add_half(&mut self, hex: Hex, ground: HexContents) {
        let ground_there = self.hexes.entry(hex).or_insert_with(|| ground.clone());
        if ground_there.terrain == Terrain::open() {
            *ground_there = ground;
        }
    }

    /// Adds the half hexes at a cut that another board has too. The map ends at the others.
    pub(super) fn join_cut_hexes(&mut self) {
        let cut = std::mem::take(&mut self.cut);
        for (place, (hex, ground)) in cut.iter().enumerate() {
            let mut others = cut.iter().enumerate().filter(|(other, _)| *other != place);
            if self.hexes.contains_key(hex) || others.any(|(_, (other, _))| other == hex) {
                self.add_half(*hex, ground.clone());
            }
        }
    }
}

/// The number of hexes that a note names.
const NAMED: usize = 8;

/// Returns the note on a feature of a board that lines of sight ignore; `None` outside of its part.
fn ignored_note(board: &PlacedBoard, what: &str, hexes: &[Hex]) -> Option<String> {
    let is_used = |own: &&Hex| board.part.is_none_or(|part| part.has_half(**own));
    let names: Vec<String> =
        hexes.iter().filter(is_used).map(|own| format!("{}{own}", board.prefix)).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} others"),
    };
    let named = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("lines of sight ignore the {what} of {named}{more}"))
}

/// Returns the size of a board with these hexes.
///
/// # Errors
///
/// Fails with a hex that no board of a known size has.
fn size_of(rows: &[(Hex, HexContents)], part: Option<BoardPart>) -> Result<(i16, i16), Hex> {
    let outside = |size: (i16, i16)| {
        let board = PlacedBoard { size, ..PlacedBoard::alone() };
        rows.iter().map(|(own, _)| *own).find(|own| !board.prints(*own))
    };
    match (outside(BOARD), outside(TALL_BOARD)) {
        (None, _) => Ok(BOARD),
        (_, None) if part.is_none() => Ok(TALL_BOARD),
        (Some(outside), _) => Err(outside),
    }
}

/// Returns the column and the row of a board among boards.
fn position(board: &Spanned<BoardTable>) -> (i16, i16) {
    let Offset(right, down) = board.value.at.unwrap_or(Offset(0, 0));
    (right, down)
}

/// Fails if two boards have the same position.
fn check_positions(boards: &[Spanned<BoardTable>]) -> Result<(), Fault> {
    let is_taken = |(number, board): &(usize, &Spanned<BoardTable>)| {
        boards[..*number].iter().any(|other| position(other) == position(board))
    };
    let Some((_, board)) = boards.iter().enumerate().find(is_taken) else { return Ok(()) };
    let help = "{} puts one to the right of the other, {} below it";
    let help = shown(help, [field("at", "[1, 0]"), field("at", "[0, 1]")]);
    Err(board.place.fault("two boards have the same position").help(help))
}

/// Returns the corner of each board on the map, in columns and rows of hexes. A board begins where
/// the boards to its left and above it end.
///
/// # Errors
///
/// Fails if boards do not meet hex to hex.
pub(super) fn corners(
    boards: &[Spanned<BoardTable>],
    read: &[ReadBoard],
) -> Result<Vec<(i16, i16)>, Fault> {
    let in_use = |read: &ReadBoard| read.part.unwrap_or(read.whole());
    let parts: Vec<((i16, i16), BoardPart)> =
        boards.iter().zip(read).map(|(board, read)| (position(board), in_use(read))).collect();
    let part_at = |place: (i16, i16)| {
        let found = parts.iter().find(|(other, _)| *other == place);
        found.map_or(BoardPart::WHOLE, |(_, part)| *part)
    };
    let mut corners = Vec::new();
    for ((board, read), ((right, down), part)) in boards.iter().zip(read).zip(&parts) {
        let left: i32 = (0..*right).map(|column| part_at((column, *down)).width).sum();
        let top: i32 = (0..*down).map(|row| part_at((*right, row)).height).sum();
        let (x, y) = match board.value.turned {
            false => (left - part.left, top - part.top),
            true => {
                let whole = read.whole();
                let x = left + part.width + part.left - whole.width;
                (x, top + part.height + part.top - whole.height)
            }
        };
        // Columns are 225/4 pixels apart, rows 129/2.
        let hexes = (f64::from(4 * x) / 225.0, f64::from(2 * y) / 129.0);
        let corner = (hexes.0.round(), hexes.1.round());
        if (hexes.0 - corner.0).abs() > MOST_APART || (hexes.1 - corner.1).abs() > MOST_APART {
            return Err(apart(&board.place));
        }
        corners.push((corner.0 as i16, corner.1 as i16));
    }
    // Every second column lies half a hex lower, so boards must differ by pairs of columns.
    if corners.first().is_some_and(|corner| corner.0 % 2 != 0) {
        corners.iter_mut().for_each(|corner| corner.0 += 1);
    }
    match boards.iter().zip(&corners).find(|(_, corner)| corner.0 % 2 != 0) {
        Some((board, _)) => Err(apart(&board.place)),
        None => Ok(corners),
    }
}

/// The part of a hex by which the pixels of a cut may differ from the hexes.
const MOST_APART: f64 = 0.1;

fn apart(place: &SourcePosition) -> Fault {
    let fault = place.fault("this part of a board does not meet the others hex to hex");
    fault.help("parts that meet are cut at the same columns, like `A-P` and `Q-GG`")
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
