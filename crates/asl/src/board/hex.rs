//! Hexes: the geomorphic coordinate system (section 1), ranges, neighbours, hexsides, and where a
//! line of sight enters a hex.
//!
//! Columns run from left to right, A to Z as 1 to 26, AA to GG as 27 to 33; rows from top to
//! bottom. The hexes of an even column lie half a hex lower than those of the same row in an odd
//! one, so the centre of column B, row 0 is level with the top of A1.

use std::fmt;

use engine::text::Fault;

/// One of the six sides of a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    North,
    Northeast,
    Southeast,
    South,
    Southwest,
    Northwest,
}

impl Side {
    /// All sides, clockwise from the top.
    pub const ALL: [Side; 6] = [
        Side::North,
        Side::Northeast,
        Side::Southeast,
        Side::South,
        Side::Southwest,
        Side::Northwest,
    ];

    /// The short word of map files.
    pub const fn name(self) -> &'static str {
        ["n", "ne", "se", "s", "sw", "nw"][self as usize]
    }

    /// The side of that name.
    pub fn named(text: &str) -> Result<Side, Fault> {
        let word = engine::text::canonical(text);
        Side::ALL.into_iter().find(|side| side.name() == word).ok_or_else(|| {
            let fault = Fault::new(format!("no hexside is called `{text}`"), 0..text.len());
            fault.help("valid: n, ne, se, s, sw, nw")
        })
    }

    /// The opposite side: the same side as the neighbour sees it.
    pub const fn opposite(self) -> Side {
        Side::ALL[(self as usize + 3) % 6]
    }

    /// The next side clockwise.
    pub const fn clockwise(self) -> Side {
        Side::ALL[(self as usize + 1) % 6]
    }
}

/// Some sides of a hex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sides(u8);

impl Sides {
    /// Whether a side is one of them.
    pub const fn has(self, side: Side) -> bool {
        self.0 & 1 << side as u8 != 0
    }

    /// Adds a side.
    pub const fn insert(&mut self, side: Side) {
        self.0 |= 1 << side as u8;
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The sides, clockwise from the top.
    pub fn iter(self) -> impl Iterator<Item = Side> {
        Side::ALL.into_iter().filter(move |&side| self.has(side))
    }
}

impl FromIterator<Side> for Sides {
    fn from_iter<I: IntoIterator<Item = Side>>(sides: I) -> Sides {
        let mut set = Sides::default();
        sides.into_iter().for_each(|side| set.insert(side));
        set
    }
}

/// A hex of a grid without edges. Maps keep within 16,000 columns and rows of its middle, so that
/// neighbours and ranges can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hex {
    /// 1 for A.
    pub column: i16,
    /// The number in its name.
    pub row: i16,
}

impl Hex {
    /// A hex by column (1 for A) and row.
    pub const fn new(column: i16, row: i16) -> Hex {
        Hex { column, row }
    }

    /// Centre of the hex: steps of half a hexside to the right, and of half the distance of two
    /// opposite hexsides downwards.
    pub const fn centre(self) -> (i32, i32) {
        (3 * self.column as i32, 2 * self.row as i32 + (self.column.rem_euclid(2) == 0) as i32)
    }

    /// Range in hexes (section 1). Levels do not change it.
    pub const fn range(self, other: Hex) -> u16 {
        let columns = self.column.abs_diff(other.column);
        let half_rows = self.centre().1.abs_diff(other.centre().1);
        let range = (columns as u32 + half_rows) / 2;
        if range > columns as u32 { range as u16 } else { columns }
    }

    /// The neighbour across a side.
    pub const fn neighbour(self, side: Side) -> Hex {
        let even = (self.column.rem_euclid(2) == 0) as i16;
        let (column, row) = match side {
            Side::North => (0, -1),
            Side::Northeast => (1, even - 1),
            Side::Southeast => (1, even),
            Side::South => (0, 1),
            Side::Southwest => (-1, even),
            Side::Northwest => (-1, even - 1),
        };
        Hex { column: self.column + column, row: self.row + row }
    }

    /// The side the two neighbours share.
    pub fn side_towards(self, neighbour: Hex) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.neighbour(side) == neighbour)
    }

    /// The sides through which a straight line from the centre of `from` enters this hex on its way
    /// to the centre: two where it comes through a vertex, none from the hex itself.
    pub fn entered_from(self, from: Hex) -> Sides {
        use Side::*;
        let (x, y) = from.centre();
        let (dx, dy) = (x - self.centre().0, y - self.centre().1);
        let (above, right) = (dy < 0, dx > 0);
        let flank = |above| {
            if right {
                if above { Northeast } else { Southeast }
            } else if above {
                Northwest
            } else {
                Southwest
            }
        };
        let end = if above { North } else { South };
        match (dx.abs(), dy.abs()) {
            (0, 0) => Sides::default(),
            (_, 0) => Sides::from_iter([flank(true), flank(false)]),
            (across, along) if across == along => Sides::from_iter([end, flank(above)]),
            (across, along) if across < along => Sides::from_iter([end]),
            _ => Sides::from_iter([flank(above)]),
        }
    }

    /// Reads a name without board prefix: `K5`, `GG10`.
    pub fn parse(name: &str) -> Option<Hex> {
        let letters = name.bytes().take_while(u8::is_ascii_uppercase).count();
        let first = *name.as_bytes().first()?;
        if letters == 0 || letters > 9 || !name.bytes().take(letters).all(|letter| letter == first)
        {
            return None;
        }
        let digits = &name[letters..];
        let plain = !digits.is_empty()
            && digits.len() <= 3
            && digits.bytes().all(|digit| digit.is_ascii_digit());
        let row = digits
            .parse()
            .ok()
            .filter(|_| plain && (digits.len() == 1 || !digits.starts_with('0')))?;
        Some(Hex { column: 26 * (letters as i16 - 1) + i16::from(first - b'A') + 1, row })
    }
}

impl fmt::Display for Hex {
    /// The name without board prefix; hexes off the lettered columns by their numbers.
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
    fn names_go_both_ways() {
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
    fn sides_have_names() {
        assert!(Side::ALL.into_iter().all(|side| Side::named(side.name()) == Ok(side)));
        assert!(Side::named("north").is_err());
    }

    /// Section 1: the ranges the published examples state.
    #[test]
    fn ranges() {
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

    /// Section 1: the neighbours of an odd and of an even column, and each is at range 1 and sees
    /// the same side from the other end.
    #[test]
    fn neighbours() {
        let around = |name: &str| Side::ALL.map(|side| hex(name).neighbour(side).to_string());
        assert_eq!(around("K5"), ["K4", "L4", "L5", "K6", "J5", "J4"]);
        assert_eq!(around("L5"), ["L4", "M5", "M6", "L6", "K6", "K5"]);
        for side in Side::ALL {
            let neighbour = hex("L5").neighbour(side);
            assert_eq!(neighbour.range(hex("L5")), 1);
            assert_eq!(neighbour.side_towards(hex("L5")), Some(side.opposite()));
            assert_eq!(neighbour.entered_from(hex("L5")), Sides::from_iter([side.opposite()]));
        }
    }

    /// A line along a row of vertices enters by two sides, any other by one.
    #[test]
    fn lines_enter_by_a_side_or_a_vertex() {
        let entry = |to: &str, from: &str| {
            hex(to).entered_from(hex(from)).iter().map(Side::name).collect::<Vec<_>>().join(" ")
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
