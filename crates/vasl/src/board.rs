//! The boards of a map, and the hex at a pixel of the map.

use super::sequence::split;

/// The maximum number of boards of a map. More boards mean a damaged file.
const MOST_BOARDS: usize = 100;
/// The margin around all boards, in pixels.
pub const EDGE: i32 = 400;
/// The width of a geomorphic board in pixels.
pub const WIDE: f64 = 1800.0;
/// The height of a geomorphic board in pixels.
pub const HIGH: f64 = 645.0;
/// The width of a board of 17 by 20 hexes in pixels.
const NARROW: f64 = 901.0;
/// The height of a board of 17 by 20 hexes in pixels.
const TALL: f64 = 1290.0;
/// The distance from one column of hexes to the next, in pixels.
pub(super) const COLUMN: f64 = 56.25;
/// The distance from a hex to the one below it, in pixels.
pub(super) const ROW: f64 = 64.5;
/// The distance in pixels from the middle of a hex beyond which a piece counts as placed off it.
const OFF: f64 = 10.0;

/// A board as laid on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Laid {
    /// The name of the board's archive without `bd`, such as `01` or `y`.
    pub name: String,
    /// The 0-based column of the board in the map, from the left.
    pub column: u32,
    /// The 0-based row of the board in the map, from the top.
    pub row: u32,
    /// True if the board is turned by 180 degrees.
    pub is_turned: bool,
    /// The part of the board in use: left, top, width and height in pixels.
    pub crop: [f64; 4],
    /// The scale relative to other boards.
    pub zoom: f64,
    /// Overlays with the hexes they lie on.
    pub overlays: Vec<String>,
    /// Changes of terrain by scenario rules.
    pub rules: Vec<String>,
}

impl Laid {
    fn read(record: &str) -> Option<Laid> {
        let mut fields = split(record, '\t').map(|field| field.into_owned()).peekable();
        let column = fields.next()?.trim().parse().ok()?;
        let row = fields.next()?.trim().parse().ok()?;
        let name = fields.next()?;
        // A board named `r` is not a turned board without a name.
        let turned = name.strip_prefix('r').filter(|rest| !rest.is_empty());
        let mut board = Laid {
            name: turned.unwrap_or(&name).to_string(),
            column,
            row,
            is_turned: turned.is_some(),
            crop: Laid::whole(turned.unwrap_or(&name)),
            zoom: 1.0,
            overlays: Vec::new(),
            rules: Vec::new(),
        };
        let mut crop = Vec::new();
        while let Some(number) = fields.peek().and_then(|field| field.trim().parse::<f64>().ok()) {
            crop.push(number);
            fields.next();
        }
        for axis in [0, 1].into_iter().filter(|_| crop.len() == 4) {
            let (from, length) = (crop[axis], crop[2 + axis]);
            if from >= 0.0 && length > 0.0 && from + length <= 1e5 {
                (board.crop[axis], board.crop[2 + axis]) = (from, length);
            }
        }
        while let Some(word) = fields.next() {
            match word.as_str() {
                "VER" => drop(fields.next()),
                "OVR" => {
                    let parts: Vec<String> = fields.by_ref().take(3).collect();
                    board.overlays.push(parts.join(" ").trim().to_string());
                }
                "SSR" => {
                    let is_rule =
                        |field: &String| !["OVR", "ZOOM", "VER"].contains(&field.as_str());
                    while let Some(rule) = fields.next_if(is_rule) {
                        board.rules.push(rule);
                    }
                    board.rules.retain(|rule| !rule.is_empty());
                }
                "ZOOM" => {
                    let zoom = fields.next().and_then(|zoom| zoom.trim().parse::<f64>().ok());
                    board.zoom = zoom.filter(|zoom| (0.1..=20.0).contains(zoom)).unwrap_or(1.0);
                }
                _ => {}
            }
        }
        Some(board)
    }

    /// Returns the crop of a whole board: the boards 1a to 13b have 17 by 20 hexes.
    fn whole(name: &str) -> [f64; 4] {
        let number = name.strip_suffix(['a', 'b']).and_then(|number| number.parse::<u8>().ok());
        match number.is_some_and(|number| (1..=13).contains(&number) && !name.starts_with('0')) {
            true => [0.0, 0.0, NARROW, TALL],
            false => [0.0, 0.0, WIDE, HIGH],
        }
    }

    /// Returns whether the whole board is in use.
    pub fn is_whole(&self) -> bool {
        self.crop == Laid::whole(&self.name)
    }

    /// Returns whether the hexes of the board are known without its archive: it is geomorphic.
    pub fn is_common(&self) -> bool {
        !self.name.to_ascii_lowercase().starts_with("dx") && self.zoom == 1.0
    }

    /// Returns the width (axis 0) or the height (axis 1) of the boards of a map, in pixels.
    pub fn extent(boards: &[Laid], axis: usize) -> f64 {
        let in_line = |number: u32| {
            let line = boards.iter().filter(move |board| [board.row, board.column][axis] == number);
            line.map(|board| board.size(axis)).sum::<f64>()
        };
        let lines = boards.iter().map(|board| [board.row, board.column][axis]);
        lines.map(in_line).fold(0.0, f64::max)
    }

    /// Returns the width (axis 0) or the height (axis 1) of the board on the map, in pixels.
    fn size(&self, axis: usize) -> f64 {
        self.crop[2 + axis] * self.zoom
    }
}

/// Reads the boards of a `bd` record in order. Malformed boards are skipped.
pub fn read(record: &str) -> Vec<Laid> {
    let boards = record.split("bd\t").take(MOST_BOARDS).filter(|board| !board.is_empty());
    boards.filter_map(Laid::read).collect()
}

/// A hex of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardHex {
    /// The name of the board.
    pub board: String,
    /// The name of the hex, such as `K5`.
    pub hex: String,
    /// True if the pixel is off the middle: a vehicle in bypass, or a piece placed by hand.
    pub is_off: bool,
}

/// Returns the hex at a pixel of the map; `None` off the boards and their standard hexes.
pub fn place(boards: &[Laid], x: i32, y: i32) -> Option<BoardHex> {
    for board in boards {
        let within = |axis: usize, at: i32| coordinate(boards, board, axis, at);
        let Some((mut x, mut y)) = within(0, x).zip(within(1, y)) else { continue };
        if !board.is_common() {
            return None;
        }
        if board.is_turned {
            (x, y) = (board.size(0) - x, board.size(1) - y);
        }
        return Some(hex(board, x / board.zoom + board.crop[0], y / board.zoom + board.crop[1]));
    }
    None
}

fn coordinate(boards: &[Laid], board: &Laid, axis: usize, at: i32) -> Option<f64> {
    let square = |board: &Laid| [board.column, board.row];
    let is_in_line = |other: &&Laid| square(other)[1 - axis] == square(board)[1 - axis];
    let order = |other: &Laid| square(other)[axis].cmp(&square(board)[axis]);
    let in_line = || boards.iter().filter(is_in_line);
    let before: f64 =
        in_line().filter(|other| order(other).is_lt()).map(|other| other.size(axis)).sum();
    let length = board.size(axis);
    let mut at = f64::from(at) - (f64::from(EDGE) + before);
    // At the outer edge the half hexes extend one pixel beyond the board.
    if at == length && !in_line().any(|other| order(other).is_gt()) {
        at -= 1.0;
    }
    (0.0..length).contains(&at).then_some(at)
}

fn hex(board: &Laid, x: f64, y: f64) -> BoardHex {
    let column = (x / COLUMN + 0.5).floor().max(0.0);
    let is_even = column % 2.0 == 0.0;
    let row = if is_even { (y / ROW).floor() + 1.0 } else { (y / ROW + 0.5).floor() };
    let middle = (COLUMN * column, if is_even { ROW * (row - 0.5) } else { ROW * row });
    BoardHex {
        board: board.name.clone(),
        hex: format!("{}{row}", letters(column as usize)),
        is_off: (x - middle.0).abs() > OFF || (y - middle.1).abs() > OFF,
    }
}

/// Returns the letters of a 0-based column: A to Z, then AA, BB to ZZ, then AAA, and so on.
///
/// # Examples
///
/// ```
/// use lowcrawl_vasl::board::letters;
///
/// assert_eq!(letters(0), "A");
/// assert_eq!(letters(26), "AA");
/// ```
pub fn letters(column: usize) -> String {
    let letter = char::from(b'A' + (column % 26) as u8);
    letter.to_string().repeat(column / 26 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(record: &str, x: i32, y: i32) -> Option<String> {
        let boards = read(record);
        place(&boards, x, y).map(|place| format!("{}{}", place.board, place.hex))
    }

    #[test]
    fn pixels_are_found_in_their_hex() {
        let two = "bd\t0\t0\t01\tVER\t6.3\tbd\t1\t0\tr02\t-1\t-1\t-1\t-1\tVER\t6.1";
        assert_eq!(parse(two, 400, 432).as_deref(), Some("01A1"));
        assert_eq!(parse(two, 400 + 281, 400 + 97).as_deref(), Some("01F2"));
        assert_eq!(parse(two, 400 + 56, 400).as_deref(), Some("01B0"));
        // The seam belongs to the board on the right, which is turned, so its GG10 comes first.
        assert_eq!(parse(two, 2200, 432).as_deref(), Some("02GG10"));
        assert_eq!(parse(two, 2199, 432).as_deref(), Some("01GG1"));
        assert_eq!(parse(two, 4000, 432).as_deref(), Some("02A10"));
        assert_eq!(parse(two, 399, 432), None);
        assert_eq!(parse(two, 4001, 432), None);
        assert_eq!(parse("bd\t0\t0\ty\tVER\t1", 456, 1045).as_deref(), Some("yB10"));
    }

    #[test]
    fn record_is_read_with_crop_turn_overlays_and_rules() {
        let record = "bd\t0\t0\tr\t900\t-1\t900\t-1\tVER\t2\tOVR\tst1\tA1\tB2\tSSR\tNoRoads\tGrainOut\tZOOM\t3.0";
        let boards = read(record);
        assert_eq!(boards.len(), 1);
        let board = &boards[0];
        assert_eq!((board.name.as_str(), board.is_turned), ("r", false));
        assert_eq!(board.crop, [900.0, 0.0, 900.0, HIGH]);
        assert_eq!(board.overlays, ["st1 A1 B2"]);
        assert_eq!(board.rules, ["NoRoads", "GrainOut"]);
        assert_eq!(board.zoom, 3.0);
        // The right half of a board starts with column Q.
        let half = "bd\t0\t0\t01\t900\t-1\t900\t-1\tVER\t2";
        assert_eq!(parse(half, 400, 432).as_deref(), Some("01Q1"));
        // The boards 1a to 13b are narrow and tall.
        let tall = "bd\t0\t0\tr13b\tVER\t2";
        assert_eq!(parse(tall, 400 + 901 - 56, 400 + 1290 - 64).as_deref(), Some("13bB1"));
        assert_eq!(parse("bd\t0\t0\t1a\tVER\t2", 400, 1658).as_deref(), Some("1aA20"));
        assert_eq!(parse("bd\t0\t0\t14a\tVER\t2", 400, 1658), None);
        assert!(read(tall)[0].is_whole() && !read(half)[0].is_whole());
        assert_eq!(read(""), []);
        assert_eq!(read("bd\tx\t0\t01"), []);
    }
}
