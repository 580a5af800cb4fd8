//! The table `[board]`: a board with a table of its hexes, and possibly one of its lines of sight.

use super::ground::Draft;
use super::{Open, SituationError};
use crate::board::hex::{Hexside, Hexsides};
use crate::board::map::{BOARD, HexContents, PlacedBoard};
use crate::board::table::{read_hexes, read_lines};
use crate::board::terrain::Terrain;
use crate::rout::fields::{BoardTable, Offset, Prefix, TableName};
use engine::text::Fault;
use engine::text::notation::{field, shown, text_field};
use schema::SourcePosition;

impl Draft {
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
