//! A map written as rows: a line of columns, then rows of letters that begin with their number.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::ground::MOST_HEXES;
use crate::board::hex::Hex;
use crate::board::map::{HexContents, hex_terrain};
use crate::board::terrain::Terrain;
use crate::rout::fields::HexTerrain;
use engine::text::Fault;
use schema::{Keyed, SourcePosition, Spanned};

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

pub(super) struct Cell {
    pub name: String,
    pub terrain: &'static Terrain,
    pub span: Range<usize>,
}

/// Parses the hexes of a map written as rows. `legend` adds letters.
pub(super) fn cells(
    rows: &Spanned<String>,
    legend: &Keyed<String, HexTerrain>,
) -> Result<Vec<Cell>, Fault> {
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

/// Writes hexes as rows in canonical form, with their legend. Terrain without a letter is written
/// by its name. Returns `None` for no hexes or too large an area.
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
