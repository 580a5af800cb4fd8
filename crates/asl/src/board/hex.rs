//! Hexes: their coordinates on geomorphic boards, ranges, neighbours and sides.
//!
//! Columns run from left to right: A to Z are 1 to 26, AA to GG are 27 to 33. Rows run from top to
//! bottom. A hex of an even column is half a hex lower than the hex of the same row in an odd
//! column. The centre of B0 is therefore level with the top of A1.

use std::fmt;

use engine::text::Fault;
use schema::declared::named;

named! {
    /// One of the six sides of a hex, clockwise from the top, with its short name in map files.
    pub enum Hexside {
        North = "n",
        Northeast = "ne",
        Southeast = "se",
        South = "s",
        Southwest = "sw",
        Northwest = "nw",
    }
}

impl Hexside {
    /// Returns the side with this short name.
    ///
    /// # Errors
    ///
    /// Fails if no side has this name.
    pub fn named(text: &str) -> Result<Hexside, Fault> {
        let word = engine::text::canonical(text);
        Hexside::ALL.into_iter().find(|side| side.name() == word).ok_or_else(|| {
            let fault = Fault::new(format!("unknown hexside `{text}`"), 0..text.len());
            fault.help("valid: n, ne, se, s, sw, nw")
        })
    }

    /// Returns the opposite side. A hexside has opposite names in the two hexes that share it.
    pub const fn opposite(self) -> Hexside {
        Hexside::ALL[(self as usize + 3) % 6]
    }

    /// Returns the next side clockwise.
    pub const fn clockwise(self) -> Hexside {
        Hexside::ALL[(self as usize + 1) % 6]
    }
}

/// A set of sides of a hex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hexsides(u8);

impl Hexsides {
    /// Returns whether the set contains a side.
    pub const fn has(self, side: Hexside) -> bool {
        self.0 & 1 << side as u8 != 0
    }

    /// Adds a side.
    pub const fn insert(&mut self, side: Hexside) {
        self.0 |= 1 << side as u8;
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the sides, clockwise from the top.
    pub fn iter(self) -> impl Iterator<Item = Hexside> {
        Hexside::ALL.into_iter().filter(move |&side| self.has(side))
    }
}

impl FromIterator<Hexside> for Hexsides {
    fn from_iter<I: IntoIterator<Item = Hexside>>(sides: I) -> Hexsides {
        let mut set = Hexsides::default();
        sides.into_iter().for_each(|side| set.insert(side));
        set
    }
}

/// A hex of an unbounded grid. Maps stay within 16,000 columns and rows of the origin, so that
/// neighbours and ranges do not overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hex {
    /// The column, where 1 is A.
    pub column: i16,
    /// The row, which is the number in the name.
    pub row: i16,
}

impl Hex {
    /// Builds a hex from its column (1 is A) and row.
    pub const fn new(column: i16, row: i16) -> Hex {
        Hex { column, row }
    }

    /// Returns the centre in grid units: half a hexside to the right, half a hex height down.
    pub const fn centre(self) -> (i32, i32) {
        (3 * self.column as i32, 2 * self.row as i32 + (self.column.rem_euclid(2) == 0) as i32)
    }

    /// Returns the range in hexes. Levels do not change it.
    pub const fn range(self, other: Hex) -> u16 {
        let columns = self.column.abs_diff(other.column);
        let half_rows = self.centre().1.abs_diff(other.centre().1);
        let range = (columns as u32 + half_rows) / 2;
        if range > columns as u32 { range as u16 } else { columns }
    }

    /// Returns the neighbour across a side.
    pub const fn neighbour(self, side: Hexside) -> Hex {
        let even = (self.column.rem_euclid(2) == 0) as i16;
        let (column, row) = match side {
            Hexside::North => (0, -1),
            Hexside::Northeast => (1, even - 1),
            Hexside::Southeast => (1, even),
            Hexside::South => (0, 1),
            Hexside::Southwest => (-1, even),
            Hexside::Northwest => (-1, even - 1),
        };
        Hex { column: self.column + column, row: self.row + row }
    }

    /// Returns the side that the hex shares with a neighbour, or `None` for any other hex.
    pub fn side_towards(self, neighbour: Hex) -> Option<Hexside> {
        Hexside::ALL.into_iter().find(|&side| self.neighbour(side) == neighbour)
    }

    /// Returns the sides through which a line from the centre of `from` to that of this hex enters.
    /// There are two if the line comes through a vertex, and none if the hexes are equal.
    pub fn entered_from(self, from: Hex) -> Hexsides {
        use Hexside::*;
        let (x, y) = from.centre();
        let (dx, dy) = (x - self.centre().0, y - self.centre().1);
        let (above, right) = (dy < 0, dx > 0);
        let flank = |above| match (above, right) {
            (true, true) => Northeast,
            (false, true) => Southeast,
            (true, false) => Northwest,
            (false, false) => Southwest,
        };
        let end = if above { North } else { South };
        match (dx.abs(), dy.abs()) {
            (0, 0) => Hexsides::default(),
            (_, 0) => Hexsides::from_iter([flank(true), flank(false)]),
            (across, along) if across == along => Hexsides::from_iter([end, flank(above)]),
            (across, along) if across < along => Hexsides::from_iter([end]),
            _ => Hexsides::from_iter([flank(above)]),
        }
    }

    /// Parses a name without board prefix, such as `K5`. Returns `None` for any other text.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_asl::board::hex::Hex;
    ///
    /// let (from, to) = (Hex::parse("BB8").unwrap(), Hex::parse("Z5").unwrap());
    /// assert_eq!(from.range(to), 4);
    /// ```
    pub fn parse(name: &str) -> Option<Hex> {
        let letters = name.bytes().take_while(u8::is_ascii_uppercase).count();
        let (column, digits) = name.split_at(letters);
        let first = *column.as_bytes().first()?;
        let is_column = letters <= 9 && column.bytes().all(|letter| letter == first);
        let is_row = matches!(digits.len(), 1..=3)
            && digits.bytes().all(|digit| digit.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0'));
        let row = digits.parse().ok().filter(|_| is_column && is_row)?;
        Some(Hex { column: 26 * (letters as i16 - 1) + i16::from(first - b'A') + 1, row })
    }
}

impl fmt::Display for Hex {
    /// Writes the name without board prefix, or the coordinates if the column has no letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.column < 1 {
            return write!(f, "({}, {})", self.column, self.row);
        }
        let place = self.column - 1;
        let letter = char::from(b'A' + (place % 26) as u8);
        for _ in 0..=place / 26 {
            write!(f, "{letter}")?;
        }
        write!(f, "{}", self.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(name: &str) -> Hex {
        Hex::parse(name).unwrap()
    }

    #[test]
    fn hex_names_parse_and_print_alike() {
        for (name, column, row) in
            [("A1", 1, 1), ("B0", 2, 0), ("Z10", 26, 10), ("AA1", 27, 1), ("GG10", 33, 10)]
        {
            assert_eq!(hex(name), Hex::new(column, row));
            assert_eq!(hex(name).to_string(), name);
        }
        for bad in ["", "A", "5", "AB3", "k5", "K05", "K-1", "K5 ", "K1000"] {
            assert_eq!(Hex::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn sides_are_found_by_their_name() {
        assert!(Hexside::ALL.into_iter().all(|side| Hexside::named(side.name()) == Ok(side)));
        assert!(Hexside::named("north").is_err());
    }

    #[test]
    fn ranges_agree_with_published_examples() {
        for (a, b, range) in [
            ("BB8", "Z5", 4),
            ("Z8", "Z5", 3),
            ("AA9", "Z5", 4),
            ("X4", "Y6", 2),
            ("W6", "Y6", 2),
            ("P7", "O6", 2),
            ("K5", "K5", 0),
        ] {
            assert_eq!(hex(a).range(hex(b)), range, "{a} {b}");
            assert_eq!(hex(b).range(hex(a)), range, "{b} {a}");
        }
    }

    #[test]
    fn neighbours_are_at_range_1_by_opposite_sides() {
        let around = |name: &str| Hexside::ALL.map(|side| hex(name).neighbour(side).to_string());
        assert_eq!(around("K5"), ["K4", "L4", "L5", "K6", "J5", "J4"]);
        assert_eq!(around("L5"), ["L4", "M5", "M6", "L6", "K6", "K5"]);
        for side in Hexside::ALL {
            let neighbour = hex("L5").neighbour(side);
            assert_eq!(neighbour.range(hex("L5")), 1);
            assert_eq!(neighbour.side_towards(hex("L5")), Some(side.opposite()));
            assert_eq!(neighbour.entered_from(hex("L5")), Hexsides::from_iter([side.opposite()]));
        }
    }

    #[test]
    fn lines_enter_by_a_side_or_a_vertex() {
        let entry = |to: &str, from: &str| {
            hex(to).entered_from(hex(from)).iter().map(Hexside::name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(entry("K5", "K1"), "n");
        assert_eq!(entry("K5", "M5"), "ne se");
        assert_eq!(entry("K5", "I5"), "sw nw");
        assert_eq!(entry("K5", "L3"), "n ne");
        assert_eq!(entry("K5", "J6"), "s sw");
        assert_eq!(entry("K5", "O6"), "se");
        assert_eq!(entry("K5", "K5"), "");
    }
}
