//! The map: the contents of each hex, the hexes of each building, and the arrangement of boards.

use super::hex::{Hex, Hexside, Hexsides};
use super::terrain::{Terrain, TerrainKind};
use engine::text::Fault;
use schema::declared::named;
use schema::field::words_of;

named! {
    /// The terrain of a hexside: wall or hedge (B9), bocage (B9.5), roadblock (B29), cliff (B11).
    pub enum Barrier {
        Wall = "wall",
        Hedge = "hedge",
        Bocage = "bocage",
        Roadblock = "roadblock",
        Cliff = "cliff",
        /// The black bar between two houses of a rowhouse (B23.71).
        RowhouseWall = "rowhouse-wall",
        /// A wall within a factory (B23.742).
        FactoryWall = "interior-factory-wall",
    }

    /// A fortification in a hex (B27, B30).
    pub enum Works { Foxhole = "foxhole", Trench = "trench", Pillbox = "pillbox" }
}

words_of!(Barrier, "TERRAIN", "no hexside terrain is called", whole = false);

impl Barrier {
    /// Returns the height of the hexside terrain in half-levels.
    pub const fn height(self) -> u8 {
        match self {
            Barrier::Wall | Barrier::Hedge | Barrier::Roadblock => 1,
            Barrier::Bocage | Barrier::RowhouseWall | Barrier::FactoryWall => 2,
            Barrier::Cliff => 0,
        }
    }

    /// Returns whether Infantry can cross it: not a cliff (B11), nor the wall of a rowhouse
    /// (B23.71).
    pub const fn is_passable(self) -> bool {
        !matches!(self, Barrier::Cliff | Barrier::RowhouseWall)
    }

    /// Returns whether the hexside terrain has a TEM, which protects the hex behind it (B9.3).
    pub const fn has_tem(self) -> bool {
        !matches!(self, Barrier::Cliff | Barrier::RowhouseWall | Barrier::FactoryWall)
    }
}

/// The percentages of a hex (0 to 100) covered by artwork: 100 for its own terrain if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    pub woods: u8,
    pub building: u8,
    pub grain: u8,
}

/// The contents of a hex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HexContents {
    pub terrain: &'static Terrain,
    pub level: i8,
    /// The number of the building that the hex belongs to, or `None` without a building.
    pub building: Option<u16>,
    /// The number of levels of the building above the ground level.
    pub upper_levels: u8,
    pub stairway: bool,
    /// Whether the hex is part of a Rowhouse, and so counts as a building of its own (B23.71).
    pub rowhouse: bool,
    pub factory: bool,
    /// The hexsides that a road crosses.
    pub road: Hexsides,
    /// The hexside terrain, clockwise from the top.
    pub sides: [Option<Barrier>; 6],
    pub works: Option<Works>,
    pub smoke: bool,
    pub blaze: bool,
    /// Whether the hex has a known minefield or is in an FFE Blast Area (B28.413, C1).
    pub hazard: bool,
    pub shares: Shares,
}

impl HexContents {
    /// Builds the contents of a hex that has one terrain and nothing else.
    pub fn from_terrain(terrain: &'static Terrain) -> HexContents {
        let full = |is: bool| if is { 100 } else { 0 };
        let building = terrain.is_building;
        let shares = Shares {
            woods: full(terrain.is_cover && !building),
            building: full(building),
            grain: full(terrain.id == "grain"),
        };
        HexContents { terrain, shares, ..HexContents::default() }
    }

    /// Returns the terrain of a hexside, or `None` if it has none.
    pub fn side(&self, side: Hexside) -> Option<Barrier> {
        self.sides[side as usize]
    }

    /// Returns whether the terrain is cover (10.51): woods or a building, but not a pillbox.
    pub fn is_cover(&self) -> bool {
        self.terrain.is_cover
    }
}

/// A Location (A2.8): ground level or an upper level of a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    pub hex: Hex,
    /// The level above the ground level of the hex.
    pub level: u8,
}

impl Location {
    /// Returns the ground level of a hex.
    pub const fn ground(hex: Hex) -> Location {
        Location { hex, level: 0 }
    }
}

/// The part of a geomorphic board that is in use, in pixels from its upper left corner. The right
/// and the lower edge are not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardPart {
    pub left: i32,
    pub top: i32,
    pub width: i32,
    pub height: i32,
}

impl BoardPart {
    /// The whole board.
    pub const WHOLE: BoardPart = BoardPart { left: 0, top: 0, width: 1800, height: 645 };
    /// A whole board of 17 by 20 hexes.
    pub const TALL: BoardPart = BoardPart { left: 0, top: 0, width: 900, height: 1290 };

    /// Returns the point of a hex that decides whether a part has the hex, in pixels.
    fn point(own: Hex) -> (i32, i32) {
        let (column, row) = (i32::from(own.column) - 1, i32::from(own.row));
        // Columns are 225/4 pixels apart, rows 129/2. Columns A, C, .. begin half a hex lower.
        let half_rows = if column % 2 == 0 { 2 * row - 1 } else { 2 * row };
        let (x, y) = (225 * column / 4, 129 * half_rows / 4);
        (x.min(BoardPart::WHOLE.width - 1), y.min(BoardPart::WHOLE.height - 1))
    }

    /// Returns whether the part has a hex of the board, and is not cut through its middle.
    pub fn has(&self, own: Hex) -> bool {
        let (x, y) = BoardPart::point(own);
        (0..self.width).contains(&(x - self.left)) && (0..self.height).contains(&(y - self.top))
    }

    /// Returns whether the part has at least half of a hex of the board.
    pub fn has_half(&self, own: Hex) -> bool {
        let (x, y) = BoardPart::point(own);
        // The point of a hex is rounded down, as is the edge of a part.
        (-1..=self.width).contains(&(x - self.left)) && (-1..=self.height).contains(&(y - self.top))
    }
}

/// A board at its position on a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedBoard {
    /// The prefix of the hex names, such as `y`. It is empty on a map of one unnamed board.
    pub prefix: String,
    /// The offset in columns and rows from a hex of the board to the same hex on the map.
    pub corner: (i16, i16),
    /// The numbers of the last column and the last row.
    pub size: (i16, i16),
    pub turned: bool,
    /// The part in use; `None` for the whole board.
    pub part: Option<BoardPart>,
}

/// The numbers of the last column and the last row of a geomorphic board.
pub const BOARD: (i16, i16) = (33, 10);
/// The numbers of the last column and the last row of a board of 17 by 20 hexes.
pub const TALL_BOARD: (i16, i16) = (17, 20);

impl PlacedBoard {
    /// Returns the board of a map of one board, without prefix and limits.
    pub fn alone() -> PlacedBoard {
        PlacedBoard {
            prefix: String::new(),
            corner: (0, 0),
            size: (i16::MAX, i16::MAX),
            turned: false,
            part: None,
        }
    }

    /// Returns whether the board has a hex. Rows start at 1 in odd columns, and at 0 in even ones.
    fn has(&self, own: Hex) -> bool {
        self.prints(own) && self.part.is_none_or(|part| part.has_half(own))
    }

    /// Returns whether the whole board has a hex.
    pub fn prints(&self, own: Hex) -> bool {
        let first = own.column.rem_euclid(2);
        (1..=self.size.0).contains(&own.column) && (first..=self.size.1).contains(&own.row)
    }

    /// Rotates a hex by 180 degrees if the board is turned. The function is its own inverse.
    fn turn(&self, own: Hex) -> Hex {
        if !self.turned {
            return own;
        }
        let first = own.column.rem_euclid(2);
        Hex::new(self.size.0 - own.column + 1, self.size.1 - own.row + first)
    }

    /// Returns the name of a hex, with the prefix of the first board that has it.
    pub fn name(boards: &[PlacedBoard], hex: Hex) -> String {
        let name =
            |board: &PlacedBoard| board.on_board(hex).map(|own| format!("{}{own}", board.prefix));
        boards.iter().find_map(name).unwrap_or_else(|| hex.to_string())
    }

    /// Returns the map position of a hex of this board.
    pub fn on_map(&self, own: Hex) -> Hex {
        let turned = self.turn(own);
        Hex::new(turned.column + self.corner.0, turned.row + self.corner.1)
    }

    /// Returns the hex of this board at a map position, or `None` if the board has none there.
    pub fn on_board(&self, hex: Hex) -> Option<Hex> {
        let own =
            Hex::new(hex.column.checked_sub(self.corner.0)?, hex.row.checked_sub(self.corner.1)?);
        let own = if self.turned && !self.prints(own) { return None } else { self.turn(own) };
        self.has(own).then_some(own)
    }
}

/// A map: the contents of its hexes, and the boards that name them.
#[derive(Clone, Debug)]
pub struct Map {
    first: Hex,
    columns: usize,
    rows: usize,
    ground: Vec<Option<HexContents>>,
    boards: Vec<PlacedBoard>,
}

impl Map {
    /// Builds a map of these hexes. If a hex occurs several times, the last entry counts. Hexside
    /// terrain is copied to the hex on the other side, unless that hex has its own there.
    pub fn new(
        boards: Vec<PlacedBoard>,
        hexes: impl IntoIterator<Item = (Hex, HexContents)>,
    ) -> Map {
        let hexes: Vec<(Hex, HexContents)> = hexes.into_iter().collect();
        let least = |of: fn(&Hex) -> i16| hexes.iter().map(|(hex, _)| of(hex)).min().unwrap_or(0);
        let most = |of: fn(&Hex) -> i16| hexes.iter().map(|(hex, _)| of(hex)).max().unwrap_or(-1);
        let first = Hex::new(least(|hex| hex.column), least(|hex| hex.row));
        let columns = (i32::from(most(|hex| hex.column)) - i32::from(first.column) + 1) as usize;
        let rows = (i32::from(most(|hex| hex.row)) - i32::from(first.row) + 1) as usize;
        let mut map = Map { first, columns, rows, ground: vec![None; columns * rows], boards };
        for (hex, ground) in hexes {
            let place =
                map.place(hex).unwrap_or_else(|| unreachable!("the map was measured by its hexes"));
            map.ground[place] = Some(ground);
        }
        for hex in map.hexes().collect::<Vec<_>>() {
            for side in Hexside::ALL {
                let barrier = map.get(hex).and_then(|ground| ground.side(side));
                if let (Some(barrier), Some(other)) = (barrier, map.get_mut(hex.neighbour(side))) {
                    other.sides[side.opposite() as usize].get_or_insert(barrier);
                }
            }
        }
        map
    }

    /// Returns the index of a hex in the rectangle around the map, or `None` outside of it.
    pub fn place(&self, hex: Hex) -> Option<usize> {
        let column = usize::try_from(i32::from(hex.column) - i32::from(self.first.column)).ok()?;
        let row = usize::try_from(i32::from(hex.row) - i32::from(self.first.row)).ok()?;
        (column < self.columns && row < self.rows).then_some(column * self.rows + row)
    }

    /// Returns the number of hexes in the rectangle around the map, including those off the map.
    pub fn places(&self) -> usize {
        self.ground.len()
    }

    /// Returns the contents of a hex, or `None` off the map.
    pub fn get(&self, hex: Hex) -> Option<&HexContents> {
        self.ground[self.place(hex)?].as_ref()
    }

    fn get_mut(&mut self, hex: Hex) -> Option<&mut HexContents> {
        let place = self.place(hex)?;
        self.ground[place].as_mut()
    }

    /// Returns the level of a Location: that of its ground and its own. It is 0 off the map.
    pub fn level(&self, location: Location) -> i8 {
        self.get(location.hex).map_or(0, |ground| ground.level) + location.level as i8
    }

    /// Returns every hex of the map, column by column.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        let Map { first, rows, .. } = *self;
        let hex = move |place| {
            Hex::new(first.column + (place / rows) as i16, first.row + (place % rows) as i16)
        };
        self.ground
            .iter()
            .enumerate()
            .filter(|(_, ground)| ground.is_some())
            .map(move |(place, _)| hex(place))
    }

    /// Returns whether the map has this Location.
    pub fn has(&self, location: Location) -> bool {
        self.get(location.hex).is_some_and(|ground| {
            location.level == 0
                || ground.building.is_some() && location.level <= ground.upper_levels
        })
    }

    /// Returns the neighbours of a hex that are on the map, clockwise from the top.
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = (Hexside, Hex)> {
        Hexside::ALL
            .into_iter()
            .map(move |side| (side, hex.neighbour(side)))
            .filter(|&(_, hex)| self.get(hex).is_some())
    }

    /// Returns the terrain of a side of a hex, or `None` if it has none or the hex is off the map.
    pub fn barrier(&self, hex: Hex, side: Hexside) -> Option<Barrier> {
        self.get(hex)?.side(side)
    }

    /// Returns the name of a hex, with the prefix of its board.
    pub fn name(&self, hex: Hex) -> String {
        PlacedBoard::name(&self.boards, hex)
    }

    /// Returns the name of a Location, such as `M2` or `M2 level 1`.
    pub fn location_name(&self, location: Location) -> String {
        let name = self.name(location.hex);
        if location.level == 0 { name } else { format!("{name} level {}", location.level) }
    }

    /// Parses the name of a hex of the map. On a map of one board the prefix is optional.
    ///
    /// # Errors
    ///
    /// Fails if the text is no hex name, or if the hex is not on the map.
    pub fn parse(&self, text: &str) -> Result<Hex, Fault> {
        let name = text.trim();
        let fault = |message: String| Fault::new(message, 0..text.len());
        let of_board = |board: &PlacedBoard| {
            let bare = self.boards.len() == 1 && !name.starts_with(board.prefix.as_str());
            let own =
                Hex::parse(if bare { name } else { name.strip_prefix(board.prefix.as_str())? })?;
            let is_used = board.has(own);
            board.prints(own).then(|| (board.on_map(own), is_used))
        };
        let hexes: Vec<(Hex, bool)> = self.boards.iter().filter_map(of_board).collect();
        let is_there = |&&(hex, is_used): &&(Hex, bool)| is_used && self.get(hex).is_some();
        if let Some((hex, _)) = hexes.iter().find(is_there) {
            return Ok(*hex);
        }
        if !hexes.is_empty() {
            return Err(fault(format!("the hex `{text}` is not on the map")).help(self.extent()));
        }
        let fault = fault(format!("`{text}` is not the name of a hex"));
        let upper = name.to_uppercase();
        let is_meant = || Hex::parse(&upper).is_some_and(|hex| self.get(hex).is_some());
        if self.boards.len() == 1 && upper != name && is_meant() {
            return Err(fault.expecting(name, [upper.as_str()]));
        }
        let prefixes: Vec<&str> = self.boards.iter().map(|board| board.prefix.as_str()).collect();
        Err(fault.help(match prefixes[..] {
            [""] => "a hex is written like `K5`".to_string(),
            [prefix] => format!("a hex is written like `K5` or `{prefix}K5`"),
            _ => {
                let all = prefixes.join(", ");
                format!("a hex is written like `{}K5`; boards: {all}", prefixes[0])
            }
        }))
    }

    /// Parses the name of a Location: a hex, or `M2 level 1`.
    ///
    /// # Errors
    ///
    /// Fails if the text names no Location of the map.
    pub fn parse_location(&self, text: &str) -> Result<Location, Fault> {
        let (hex, level) = text.split_once(" level ").unwrap_or((text, "0"));
        let level: u8 = level.trim().parse().map_err(|_| {
            Fault::new(format!("`{}` is not a level", level.trim()), 0..text.len())
                .help("write a Location like `M2 level 1`")
        })?;
        let location = Location { hex: self.parse(hex)?, level };
        if self.has(location) {
            return Ok(location);
        }
        let levels = self.get(location.hex).map_or(0, |ground| ground.upper_levels);
        let fault =
            Fault::new(format!("{} has no level {level}", self.name(location.hex)), 0..text.len());
        Err(fault.help(if levels == 0 {
            "it only has the ground level".to_string()
        } else {
            format!("its highest level is {levels}")
        }))
    }

    fn extent(&self) -> String {
        match (self.hexes().next(), self.hexes().last()) {
            (Some(first), Some(last)) => {
                format!("the map goes from {} to {}", self.name(first), self.name(last))
            }
            _ => "the map is empty".to_string(),
        }
    }

    /// Returns the boards of the map.
    pub fn boards(&self) -> &[PlacedBoard] {
        &self.boards
    }
}

/// Returns the terrain of whole hexes with this name.
///
/// # Errors
///
/// Fails if no terrain has this name, or if it cannot fill a hex.
pub fn hex_terrain(name: &str) -> Result<&'static Terrain, Fault> {
    match Terrain::named(name) {
        Ok(terrain) if terrain.kind == TerrainKind::Hex => Ok(terrain),
        Ok(_) => {
            Err(Fault::new(format!("`{name}` is not the terrain of a whole hex"), 0..name.len())
                .help("it is a feature of a hex: see docs/files.md on maps"))
        }
        Err(fault) => {
            let of_hexes = Terrain::all().iter().filter(|one| one.kind == TerrainKind::Hex);
            Err(fault.expecting(name, of_hexes.map(|terrain| terrain.id.as_str())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(prefix: &str, corner: (i16, i16), turned: bool) -> PlacedBoard {
        PlacedBoard { prefix: prefix.to_string(), corner, size: BOARD, turned, part: None }
    }

    fn hexes(board: &PlacedBoard) -> impl Iterator<Item = (Hex, HexContents)> {
        let names =
            (1..=33).flat_map(|column| (column % 2..=10).map(move |row| Hex::new(column, row)));
        names.map(|own| (board.on_map(own), HexContents::from_terrain(Terrain::open())))
    }

    /// Boards that meet share the half hexes of columns GG and A, or of rows 10 and 0.
    #[test]
    fn adjacent_boards_share_their_half_hexes() {
        let boards =
            vec![board("y", (0, 0), false), board("5", (32, 0), false), board("z", (0, 10), false)];
        let all: Vec<_> = boards.iter().flat_map(hexes).collect();
        let map = Map::new(boards, all);
        let at = |name: &str| map.parse(name).unwrap();
        assert_eq!(at("yGG5"), at("5A5"));
        assert_eq!(at("yFF5").range(at("5B5")), 2);
        assert_eq!(at("yB10"), at("zB0"));
        assert_eq!(at("yC10").range(at("zC1")), 1);
        assert_eq!(map.name(at("5M2")), "5M2");
        assert_eq!(map.hexes().count(), 346 * 3 - 10 - 16);
        assert!(map.parse("K5").unwrap_err().to_string().contains("boards: y, 5, z"));
    }

    /// A turned board has A1 in the lower right corner, and a north wall in the south.
    #[test]
    fn turned_board_is_rotated_by_half_a_turn() {
        let turned = board("y", (0, 0), true);
        for (own, there) in
            [("A1", "GG10"), ("GG10", "A1"), ("B0", "FF10"), ("Q5", "Q6"), ("P5", "R5")]
        {
            assert_eq!(turned.on_map(Hex::parse(own).unwrap()).to_string(), there);
            assert_eq!(turned.on_board(Hex::parse(there).unwrap()), Hex::parse(own));
        }
        let map = Map::new(vec![turned.clone()], hexes(&turned).collect::<Vec<_>>());
        let range = |a: &str, b: &str| map.parse(a).unwrap().range(map.parse(b).unwrap());
        assert_eq!(range("yBB8", "yZ5"), 4);
        assert_eq!(map.name(map.parse("BB8").unwrap()), "yBB8");
    }

    /// A single board has every hex that has a name, even if it is turned.
    #[test]
    fn single_board_has_every_hex() {
        let alone = PlacedBoard::alone();
        let turned = PlacedBoard { turned: true, ..PlacedBoard::alone() };
        for own in [Hex::new(1, 1), Hex::new(2, 0), Hex::new(9, 999), Hex::new(i16::MAX, i16::MAX)]
        {
            assert_eq!((alone.on_map(own), alone.on_board(own)), (own, Some(own)));
            assert_eq!(turned.on_board(turned.on_map(own)), Some(own));
        }
        assert_eq!(turned.on_map(Hex::new(1, 1)), Hex::new(i16::MAX, i16::MAX));
        assert_eq!(alone.on_board(Hex::new(1, 0)), None);
    }

    #[test]
    fn unknown_hexes_are_reported() {
        let map = Map::new(
            vec![PlacedBoard::alone()],
            [(Hex::new(1, 1), HexContents::from_terrain(Terrain::open()))],
        );
        assert_eq!(
            map.parse("B7").unwrap_err().to_string(),
            "the hex `B7` is not on the map (the map goes from A1 to A1)"
        );
        assert_eq!(
            map.parse("a1").unwrap_err().to_string(),
            "`a1` is not the name of a hex (did you mean `A1`?)"
        );
        assert_eq!(
            map.parse_location("A1 level 1").unwrap_err().to_string(),
            "A1 has no level 1 (it only has the ground level)"
        );
        assert!(hex_terrain("stairs").is_err());
        assert_eq!(
            hex_terrain("wods").unwrap_err().to_string(),
            "no terrain is called `wods` (did you mean `woods`?)"
        );
    }
}
