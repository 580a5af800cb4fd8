//! The boards of a VASL save as a situation file, and their features that are not understood.

use serde_json::{Value, json};

use asl::board::hex::Hex;
use asl::rout::fields::BoardTable;
use engine::text::{Fault, plain};
use vasl::board::{BoardHex, HIGH, Laid, WIDE};
use vasl::position::Position;

/// A feature of a save that is not understood, in a hex or on a board.
pub struct Doubt {
    pub what: String,
    pub place: Option<BoardHex>,
    pub board: Option<String>,
}

impl Doubt {
    /// Returns whether the feature is at or ADJACENT to a routing unit, or anywhere on its board.
    pub fn touches(&self, routers: &[&BoardHex]) -> bool {
        let near = |place: &BoardHex, router: &BoardHex| {
            let ends = Hex::parse(&place.hex).zip(Hex::parse(&router.hex));
            place.board == router.board && ends.is_none_or(|(one, other)| one.range(other) <= 1)
        };
        routers.iter().any(|router| match (&self.place, &self.board) {
            (Some(place), _) => near(place, router),
            (None, Some(board)) => *board == router.board,
            (None, None) => true,
        })
    }

    pub fn message(&self, boards: &Boards) -> String {
        match &self.place {
            Some(place) => format!("{} in {}", self.what, boards.hex(place)),
            None => self.what.clone(),
        }
    }
}

/// The crop of a board that is used as a whole.
const WHOLE: [f64; 4] = [0.0, 0.0, WIDE, HIGH];

/// The boards of a save, each with the prefix of its hex names.
pub struct Boards<'a>(Vec<(&'a Laid, String)>);

impl Boards<'_> {
    pub fn from_position(position: &Position) -> Result<Boards<'_>, Fault> {
        let laid = &position.boards;
        if laid.is_empty() {
            return Err(Fault::new("the file has no boards", 0..0));
        }
        let mut prefixes: Vec<String> = Vec::new();
        for (place, board) in laid.iter().enumerate() {
            let is_repeated = laid[..place].iter().any(|other| other.name == board.name);
            let is_part = laid.len() > 1 && board.crop != WHOLE;
            let unsupported = match (is_repeated, board.is_common(), is_part) {
                (true, ..) => format!("board {} is used twice", board.name),
                (_, false, _) => format!("board {} has hexes of another size", board.name),
                (.., true) => {
                    format!("only a part of board {} is used beside other boards", board.name)
                }
                _ => String::new(),
            };
            if !unsupported.is_empty() {
                let message = plain(&format!("{unsupported}, which is not supported"));
                return Err(Fault::new(message, 0..0));
            }
            let name = board.name.to_ascii_lowercase();
            let name = name.trim_start_matches('0');
            let is_fair = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let own = if is_fair { name.to_string() } else { format!("x{}", prefixes.len()) };
            // Boards such as `1` and `01` would get the same prefix.
            let is_known = prefixes.contains(&own);
            prefixes.push(if is_known { format!("{own}x{}", prefixes.len()) } else { own });
        }
        Ok(Boards(laid.iter().zip(prefixes).collect()))
    }

    /// Returns the name that a hex has in the situation.
    pub fn hex(&self, place: &BoardHex) -> String {
        let prefix = self.0.iter().find(|(board, _)| board.name == place.board);
        format!("{}{}", prefix.map_or("", |(_, prefix)| prefix), place.hex)
    }

    pub fn render(&self) -> String {
        let board = |(board, _): &(&Laid, String)| {
            format!("board {}{}", board.name, if board.is_turned { " (turned)" } else { "" })
        };
        self.0.iter().map(board).collect::<Vec<_>>().join(", ")
    }

    /// Returns the changes of terrain on the boards, which lowcrawl does not interpret.
    pub fn doubts(&self, position: &Position) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for board in &position.boards {
            let mut doubt = |what: String| {
                doubts.push(Doubt { what, place: None, board: Some(board.name.clone()) });
            };
            let name = &board.name;
            board.overlays.iter().for_each(|it| doubt(format!("overlay {it} on board {name}")));
            let rules = board.rules.iter();
            rules.for_each(|it| doubt(format!("change of terrain {it} on board {name}")));
            if board.crop != WHOLE {
                doubt(format!("board {name} is cut: hexes that are left out are still there"));
            }
        }
        doubts
    }

    pub fn json(&self) -> Value {
        let board = |(board, prefix): &(&Laid, String)| {
            let vasl = format!("bd{}", board.name);
            let mut entry = json!({ BoardTable::vasl.name: vasl, BoardTable::prefix.name: prefix });
            if self.0.len() > 1 {
                entry[BoardTable::at.name] = json!([board.column, board.row]);
            }
            if board.is_turned {
                entry[BoardTable::turned.name] = json!(true);
            }
            entry
        };
        self.0.iter().map(board).collect()
    }
}
