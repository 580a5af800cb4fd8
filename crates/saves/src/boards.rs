//! The boards of a save as the boards of a situation.

use serde_json::{Value, json};

use asl::rout::fields::BoardTable;
use engine::text::{Fault, plain};
use vasl::board::{BoardHex, HIGH, Laid};
use vasl::position::Position;

/// The boards of a save, each with the prefix of its hex names.
pub struct Boards<'a>(Vec<(&'a Laid, String)>);

impl Boards<'_> {
    /// Reads the boards of a position.
    ///
    /// # Errors
    ///
    /// Fails if there are none, or if a situation cannot have them.
    pub fn from_position(position: &Position) -> Result<Boards<'_>, Fault> {
        let laid = &position.boards;
        if laid.is_empty() {
            return Err(Fault::new("the file has no boards", 0..0));
        }
        let mut prefixes: Vec<String> = Vec::new();
        for (place, board) in laid.iter().enumerate() {
            let is_repeated = laid[..place].iter().any(|other| other.name == board.name);
            let unsupported = match (is_repeated, board.is_common()) {
                (true, _) => format!("board {} is used twice", board.name),
                (_, false) => format!("board {} has hexes of another size", board.name),
                _ => String::new(),
            };
            if !unsupported.is_empty() {
                let message = plain(&format!("{unsupported}, which is not supported"));
                return Err(Fault::new(message, 0..0));
            }
            let names = prefixes_of(&board.name).into_iter().chain([format!("x{place}")]);
            let is_free = |name: &String| !name.is_empty() && !prefixes.contains(name);
            let prefix = names.into_iter().find(is_free).unwrap_or_default();
            prefixes.push(prefix);
        }
        Ok(Boards(laid.iter().zip(prefixes).collect()))
    }

    /// Returns the prefix of the hex names of a board; empty for an unknown board.
    pub fn prefix(&self, board: &str) -> &str {
        let found = self.0.iter().find(|(laid, _)| laid.name == board);
        found.map_or("", |(_, prefix)| prefix)
    }

    /// Returns the name that a hex has in the situation.
    pub fn hex(&self, place: &BoardHex) -> String {
        format!("{}{}", self.prefix(&place.board), place.hex)
    }

    pub fn render(&self) -> String {
        let board = |(board, _): &(&Laid, String)| {
            let turned = if board.is_turned { " (turned)" } else { "" };
            let cut = if board.is_whole() { "" } else { " (a part)" };
            format!("board {}{turned}{cut}", board.name)
        };
        self.0.iter().map(board).collect::<Vec<_>>().join(", ")
    }

    pub fn json(&self) -> Value {
        let board = |(board, prefix): &(&Laid, String)| {
            let vasl = format!("bd{}", board.name);
            let mut entry = json!({ BoardTable::vasl.name: vasl, BoardTable::prefix.name: prefix });
            if self.0.len() > 1 {
                entry[BoardTable::at.name] = json!([board.column, board.row]);
            }
            // How a board lies matters beside others only, and a situation turns no tall board.
            if board.is_turned && (self.0.len() > 1 || board.crop[3] <= HIGH) {
                entry[BoardTable::turned.name] = json!(true);
            }
            if !board.is_whole() {
                entry[BoardTable::crop.name] = board.crop.iter().map(|side| *side as i64).collect();
            }
            entry
        };
        self.0.iter().map(board).collect()
    }
}

/// Returns the prefixes that a board can have, the best first: `5`, `05` for board 05.
fn prefixes_of(name: &str) -> [String; 2] {
    let fair: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let fair = fair.to_ascii_lowercase();
    [fair.trim_start_matches('0').to_string(), fair]
}
