//! Boards as tables: a CSV file of hexes, and a CSV file of clear lines of sight.
//!
//! The table of hexes must have the columns `hex` and `terrain`. Optional columns are `level`,
//! `building` (one word for all hexes of one building), `building_type`, `upper_levels`,
//! `stairway`, `road_sides` (digits, 0 for the northern side, clockwise), `n ne se s sw nw`
//! (hexside terrain), and `woods_pct building_pct grain_pct orchard_pct` (percentages of the hex).
//! The table of lines has the columns `a`, `b`, `hindrance`. A pair that is not listed has no LOS.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::hex::{Hex, Hexside, Hexsides};
use super::map::{Barrier, HexContents, Shares, hex_terrain};
use engine::text::Fault;
use schema::{FieldValue as _, RawValue};

struct Row<'a> {
    header: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
    span: Range<usize>,
}

impl Row<'_> {
    fn cell(&self, column: &str) -> &str {
        self.header
            .iter()
            .position(|name| name == column)
            .and_then(|place| self.record.get(place))
            .unwrap_or("")
            .trim()
    }

    fn fault(&self, column: &str, message: String) -> Fault {
        Fault::new(format!("column `{column}`: {message}"), self.span.clone())
    }

    /// Returns a function that adds the column to a fault and sets its span to the row.
    fn blame(&self, column: &str) -> impl FnOnce(Fault) -> Fault {
        let (column, span) = (column.to_string(), self.span.clone());
        move |fault| Fault {
            message: format!("column `{column}`: {}", fault.message),
            span,
            ..fault
        }
    }

    fn number<N: std::str::FromStr + Default>(
        &self,
        column: &str,
        expected: &str,
    ) -> Result<N, Fault> {
        match self.cell(column) {
            "" => Ok(N::default()),
            cell => {
                cell.parse().map_err(|_| self.fault(column, format!("`{cell}` is not {expected}")))
            }
        }
    }

    fn hex(&self, column: &str) -> Result<Hex, Fault> {
        let cell = self.cell(column);
        Hex::parse(cell).ok_or_else(|| {
            self.fault(column, format!("`{cell}` is not the name of a hex"))
                .help("a hex is written like `K5`")
        })
    }
}

/// Calls `read` for each row of a CSV text. The `needed` columns must exist.
fn each_row(
    text: &str,
    needed: &[&str],
    mut read: impl FnMut(&Row) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let broken = |error: csv::Error| {
        let at = error.position().map_or(0, |position| position.byte() as usize).min(text.len());
        let what = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("expected {expected_len} cells, not {len}")
            }
            _ => "this row cannot be read".to_string(),
        };
        Fault::new(format!("invalid CSV: {what}"), at..at)
    };
    let header = reader.headers().map_err(broken)?.clone();
    if let Some(missing) = needed.iter().find(|&&column| !header.iter().any(|name| name == column))
    {
        let end = text.find('\n').unwrap_or(text.len());
        return Err(Fault::new(format!("the column `{missing}` is missing"), 0..end)
            .help(format!("needed: {}", needed.join(", "))));
    }
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let start = record.position().map_or(0, |position| position.byte() as usize);
        // The position of a record is before the line break that ends the previous one.
        let start =
            start + text[start..].find(|letter| letter != '\r' && letter != '\n').unwrap_or(0);
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        read(&Row { header: &header, record: &record, span: start..end })?;
    }
    Ok(())
}

/// The largest number of hexes in a table, which is about that of fifty boards.
const MOST_HEXES: usize = 1 << 14;

/// Parses a table of hexes. Buildings are numbered from `first_building`.
///
/// # Errors
///
/// Fails at the first row that is malformed, repeats a hex or has an unknown value, and if there
/// are no hexes.
pub fn read_hexes(text: &str, first_building: u16) -> Result<Vec<(Hex, HexContents)>, Fault> {
    let mut buildings: HashMap<String, usize> = HashMap::new();
    let (mut hexes, mut known): (Vec<(Hex, HexContents)>, _) = (Vec::new(), HashSet::new());
    each_row(text, &["hex", "terrain"], |row| {
        let hex = row.hex("hex")?;
        if !known.insert(hex) {
            return Err(row.fault("hex", format!("{hex} is listed twice")));
        }
        if hexes.len() == MOST_HEXES {
            return Err(row.fault("hex", format!("a table must have at most {MOST_HEXES} hexes")));
        }
        let word = row.cell("terrain");
        let wooden = row.cell("building_type").to_lowercase().contains("wood");
        let terrain = match word {
            "building" => hex_terrain(if wooden { "bldg-wood" } else { "bldg-stone" }),
            "woods_road" => hex_terrain("woods"),
            _ => hex_terrain(word),
        };
        let terrain = terrain.map_err(row.blame("terrain"))?;
        let mut ground = HexContents {
            level: row.number("level", "a level")?,
            ..HexContents::from_terrain(terrain)
        };
        if terrain.is_building {
            let words = ["building", "hex"].map(|column| row.cell(column));
            let name = words.into_iter().find(|word| !word.is_empty()).unwrap_or_default();
            let next = buildings.len();
            let number = *buildings.entry(name.to_string()).or_insert(next);
            ground.building =
                Some(numbered(first_building, number).ok_or_else(|| {
                    row.fault("building", "the table has too many buildings".into())
                })?);
            ground.upper_levels = row.number("upper_levels", "a number of levels")?;
            ground.stairway = row.number::<u8>("stairway", "0 or 1")? != 0;
        }
        // A road beside the centre of a woods or grain hex does not lead through the hex.
        if matches!(word, "woods_road" | "open" | "bridge") {
            ground.road = road(row)?;
        }
        for side in Hexside::ALL {
            let cell = row.cell(side.name());
            if !cell.is_empty() {
                // VASL's names add levels to walls: `Rowhouse Wall, 2 Level`.
                let word = cell.split(',').next().unwrap_or_default().replace(' ', "-");
                let barrier = Barrier::read("", RawValue::Text(&word));
                ground.sides[side as usize] = Some(barrier.map_err(row.blame(side.name()))?);
            }
        }
        if !row.cell("woods_pct").is_empty() {
            let share = |column: &str| row.number(column, "a percentage");
            let (woods, building) = (share("woods_pct")?, share("building_pct")?);
            ground.shares = Shares { woods, building, grain: share("grain_pct")? };
            // An orchard fills its hex (B.6), so its share is only checked.
            share("orchard_pct")?;
        }
        hexes.push((hex, ground));
        Ok(())
    })?;
    match hexes.is_empty() {
        true => Err(Fault::new("the table has no hexes", 0..text.len())),
        false => Ok(hexes),
    }
}

/// The column with features that lines of sight ignore, such as slopes; not all tables have it.
const IGNORED: &str = "ignored";

/// Returns the features of a board that its lines of sight ignore, each with its hexes.
///
/// # Errors
///
/// Fails if the text is not a table of hexes.
pub fn read_ignored(text: &str) -> Result<Vec<(String, Vec<Hex>)>, Fault> {
    let mut all: Vec<(String, Vec<Hex>)> = Vec::new();
    each_row(text, &["hex"], |row| {
        for word in row.cell(IGNORED).split_whitespace() {
            let hex = row.hex("hex")?;
            match all.iter_mut().find(|(known, _)| known == word) {
                Some((_, hexes)) => hexes.push(hex),
                None => all.push((word.to_string(), vec![hex])),
            }
        }
        Ok(())
    })?;
    Ok(all)
}

/// Returns a building's number, `None` if used up. The largest stays free for a further board.
fn numbered(first: u16, building: usize) -> Option<u16> {
    u16::try_from(usize::from(first) + building).ok().filter(|&number| number < u16::MAX)
}

fn road(row: &Row) -> Result<Hexsides, Fault> {
    let side = |digit: char| {
        digit.to_digit(10).and_then(|digit| Hexside::ALL.get(digit as usize).copied())
    };
    let cell = row.cell("road_sides");
    let sides: Option<Hexsides> =
        cell.chars().map(side).collect::<Option<Vec<Hexside>>>().map(Hexsides::from_iter);
    sides
        .ok_or_else(|| row.fault("road_sides", format!("`{cell}` may only have the digits 0 to 5")))
}

/// A listed line of sight: two hexes, and the number of Hindrances between them.
pub type ListedLine = (Hex, Hex, u8);

/// Parses a table of clear lines of sight.
///
/// # Errors
///
/// Fails at the first row that is malformed, joins a hex to itself or contradicts an earlier row.
pub fn read_lines(text: &str) -> Result<Vec<ListedLine>, Fault> {
    let mut lines: Vec<ListedLine> = Vec::new();
    let mut listed: HashMap<(Hex, Hex), u8> = HashMap::new();
    each_row(text, &["a", "b", "hindrance"], |row| {
        let (a, b, hindrance) =
            (row.hex("a")?, row.hex("b")?, row.number("hindrance", "a number of Hindrances")?);
        if a == b {
            return Err(
                row.fault("b", format!("a line of sight needs two different hexes, not {a} twice"))
            );
        }
        if let Some(other) =
            listed.insert((a.min(b), a.max(b)), hindrance).filter(|&other| other != hindrance)
        {
            return Err(row.fault(
                "hindrance",
                format!(
                    "{a} to {b} has {hindrance} Hindrances here, but {other} in an earlier row"
                ),
            ));
        }
        lines.push((a, b, hindrance));
        Ok(())
    })?;
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_table_is_read_with_all_columns() {
        let text = "hex,terrain,level,building,building_type,upper_levels,stairway,road_sides,n,ne,se,s,sw,nw,woods_pct,building_pct,grain_pct,orchard_pct\n\
            B5,woods_road,0,,,0,0,1,,,,,,,49,0,0,0\n\
            B6,building,1,B6,\"Wooden Building, 1 Level\",1,1,0,Wall,,,,,,0,25,0,0\n";
        let hexes = read_hexes(text, 7).unwrap();
        let (hex, woods) = &hexes[0];
        assert_eq!(
            (hex.to_string().as_str(), woods.terrain.id.as_str(), woods.shares.woods),
            ("B5", "woods", 49)
        );
        assert!(
            woods.road.has(Hexside::Northeast)
                && !woods.road.has(Hexside::North)
                && !woods.road.is_empty()
        );
        let (_, house) = &hexes[1];
        assert_eq!(
            (house.terrain.id.as_str(), house.level, house.building, house.upper_levels),
            ("bldg-wood", 1, Some(7), 1)
        );
        assert_eq!(house.side(Hexside::North), Some(Barrier::Wall));
        assert!(house.stairway && house.road.is_empty());
    }

    #[test]
    fn bad_tables_are_refused_with_their_place() {
        let fault = |text: &str| read_hexes(text, 0).unwrap_err();
        assert_eq!(
            fault("hex,ground\n").to_string(),
            "the column `terrain` is missing (needed: hex, terrain)"
        );
        let wods = fault("hex,terrain\nA1,open\nA2,wods\n");
        assert_eq!(
            wods.to_string(),
            "column `terrain`: no terrain is called `wods` (did you mean `woods`?)"
        );
        assert_eq!(wods.span, 20..27);
        // Windows line breaks give the span of the same row.
        assert_eq!(fault("hex,terrain\r\nA1,open\r\nA2,wods\r\n").span, 22..30);
        assert_eq!(
            fault("hex,terrain\nA1,open\nA1,open\n").message,
            "column `hex`: A1 is listed twice"
        );
        assert_eq!(
            fault("hex,terrain,level\nA1,open,x\n").message,
            "column `level`: `x` is not a level"
        );
        assert_eq!(fault("hex,terrain\n").message, "the table has no hexes");
        let houses = "hex,terrain\nA1,building\nA2,building\n";
        assert_eq!(read_hexes(houses, 65_533).unwrap()[1].1.building, Some(65_534));
        assert_eq!(
            read_hexes(houses, 65_534).unwrap_err().message,
            "column `building`: the table has too many buildings"
        );
        assert!(fault("hex,terrain\nA1\n").message.starts_with("invalid CSV"));
        assert_eq!(
            read_lines("a,b,hindrance\nA1,A2,0\nA2,A1,1\n").unwrap_err().message,
            "column `hindrance`: A2 to A1 has 1 Hindrances here, but 0 in an earlier row"
        );
        assert!(read_lines("a,b,hindrance\nA1,A1,0\n").is_err());
        assert_eq!(
            read_lines("a,b,hindrance\nA1,A2,x\n").unwrap_err().message,
            "column `hindrance`: `x` is not a number of Hindrances"
        );
    }
}
