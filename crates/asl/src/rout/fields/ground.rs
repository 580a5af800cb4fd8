//! The tables of the map of a situation: `[board]`, `[map]` with its buildings, and `[los]`.

use crate::board::hex::Hex;
use crate::board::map::{BOARD, Barrier, BoardPart, hex_terrain};
use crate::board::terrain::Terrain;
use crate::kinds::text_value;
use engine::text::notation::{self, Remedy, shown};
use engine::text::{Fault, canonical, nearest};
use schema::declared::named;
use schema::field::{fields, words_of};
use schema::{FieldValue, Json, Keyed, Node, Raw, RawValue, Spanned, Takes, Whole};

/// The largest number of Hindrances that a line of sight can be given.
const HINDRANCES: i64 = 9;

/// The names of one or several hexes.
pub type HexList = Vec<Spanned<HexName>>;
/// Lines of sight, with the names of both ends as keys, such as `H5-J1`.
pub type Lines = Keyed<String, SightLine, LinesTable>;

fields! {
    /// The table `[board]` or `[[board]]`: a board with tables of its own.
    pub table BoardTable {
        "prefix" prefix: Option<Prefix>, "prefix of its hex names: with `y` they are yA1, yB2, ...";
        "hexes" hexes: Option<TableName>, "table of its hexes (CSV)";
        "los" lines: Option<TableName>, "table of its lines of sight (CSV)";
        "vasl" vasl: Option<TableName>, "a VASL board instead of both tables: bd01";
        "at" at: Option<Offset>,
            "its position, counted in boards to the right and down: [1, 0] is one to the right";
        "turned" turned: bool, "the board is turned by 180 degrees";
        "part" part: Option<Spanned<Columns>>, "only these columns of the board are in use: A-P";
        "crop" crop: Option<Spanned<Crop>>,
            "only this part of the board is in use, as VASL cuts it: left, top, width and height \
            in pixels";
    }
}

fields! {
    /// The table `[map]`: a map, or additions to the boards.
    pub table MapTable {
        "rows" rows: Option<Spanned<String>>,
            "a map in text: a line of column names, then rows of letters that begin with the row \
            number";
        "legend" legend: Keyed<String, HexTerrain>, "meaning of letters in the rows";
        "area" area: Option<Spanned<String>>, "rectangle of hexes: A1-H8";
        "terrain" terrain: Option<HexTerrain>, "terrain of all hexes of the area";
        "hexes" hexes: Keyed<HexTerrain, HexList>, "hexes by their terrain";
        "building" buildings: Vec<Spanned<BuildingTable>>,
            "buildings of several hexes, or with levels";
        "levels" levels: Keyed<HexLevel, HexList>, "hexes by their level";
        "roads" roads: Roads, "roads, each a chain of hexes";
        "hexsides" hexsides: Keyed<Barrier, HexList>,
            "hexsides by terrain, each given by its two hexes";
        "smoke" smoke: HexList, "hexes with smoke";
        "blaze" blaze: HexList, "hexes with a Blaze";
        "foxholes" foxholes: HexList, "hexes with foxholes";
        "trenches" trenches: HexList, "hexes with a trench";
        "pillboxes" pillboxes: HexList, "hexes with a pillbox";
        "minefields" minefields: HexList, "hexes with mines that the routing side knows";
        "ffe" ffe: HexList, "hexes under a FFE";
        "prefix" prefix: Option<Spanned<Prefix>>, "prefix of the hex names, if there are no boards";
    }
}

fields! {
    /// The table `[[map.building]]`.
    pub table BuildingTable {
        "hexes" hexes: HexList, "its hexes, which must be connected";
        "type" kind: Option<BuildingKind>,
            "stone, wood or another building terrain; default: that of the hexes, else stone";
        "upper-levels" upper_levels: Whole<0, 9> = "0", "number of levels above the ground";
        "stairways" stairways: HexList, "hexes with a stairway";
        "rowhouse" rowhouse: bool, "the building is a Rowhouse";
        "factory" factory: bool, "the building is a Factory";
    }
}

fields! {
    /// The settings of `[los]`, beside the lines themselves.
    pub table LinesTable {
        "others" others: Others = "computed",
            "lines that are not listed: computed from the map, or blocked";
    }
}

/// The prefix of the name of a table that is built from a VASL board.
pub const VASL: &str = "vasl:";
/// The suffix for the table of hexes of a VASL board.
pub const VASL_HEXES: &str = ":hexes";
/// The suffix for the table of lines of sight of a VASL board.
pub const VASL_LINES: &str = ":los";

impl BoardTable {
    /// Returns the part of the board in use; `None` for the whole board.
    ///
    /// # Errors
    ///
    /// Fails if `part` is given together with `crop`.
    pub fn part_in_use(&self) -> Result<Option<BoardPart>, Fault> {
        match (&self.part, &self.crop) {
            (Some(_), Some(crop)) => {
                Err(crop.place.fault("use either `part` or `crop`").help("remove one of them"))
            }
            (Some(part), None) => Ok(Some(part.value.part)),
            (None, crop) => Ok(crop.as_ref().map(|crop| crop.value.0)),
        }
    }

    /// Returns a copy with the names of a VASL board's tables, which the caller builds on opening.
    ///
    /// # Errors
    ///
    /// Fails if `vasl` is given together with `hexes` or `los`.
    pub fn with_tables(&self) -> Result<BoardTable, &'static str> {
        let mut board = self.clone();
        let Some(TableName(name)) = board.vasl.take() else { return Ok(board) };
        if board.hexes.is_some() || board.lines.is_some() {
            return Err("use either `vasl`, which has both tables, or `hexes` and `los`");
        }
        let table = |which: &str| Some(TableName(format!("{VASL}{name}{which}")));
        (board.hexes, board.lines) = (table(VASL_HEXES), table(VASL_LINES));
        Ok(board)
    }
}

/// The name of a CSV file, or the text of the table itself.
#[derive(Clone, Debug)]
pub struct TableName(pub String);

impl FieldValue for TableName {
    const TAKES: Takes = <String as FieldValue>::TAKES;

    fn read(field: &str, value: RawValue) -> Result<TableName, Fault> {
        match value {
            // A text with line breaks is the table itself, and may be as long as a file.
            RawValue::Text(text) if text.contains('\n') => Ok(TableName(text.to_string())),
            _ => String::read(field, value).map(TableName),
        }
    }

    fn to_json(&self) -> Json {
        self.0.as_str().into()
    }
}

/// The name of a hex or of a Location.
#[derive(Clone, Debug)]
pub struct HexName(pub String);

impl FieldValue for HexName {
    const TAKES: Takes = Takes::Text("HEX");

    fn read(_: &str, value: RawValue) -> Result<HexName, Fault> {
        match value {
            RawValue::Text(text) => Ok(HexName(text.to_string())),
            _ => {
                let message = format!("a hex must be a text like \"K5\", not {value}");
                Err(Fault::new(message, value.span()))
            }
        }
    }

    fn to_json(&self) -> Json {
        self.0.as_str().into()
    }
}

/// A terrain that fills a hex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexTerrain(pub &'static Terrain);

text_value!(
    HexTerrain,
    Takes::Word("TERRAIN", Terrain::names),
    |text| hex_terrain(text).map(HexTerrain),
    |HexTerrain(terrain)| terrain.id.clone()
);

/// The terrain of a building.
#[derive(Clone, Copy, Debug)]
pub struct BuildingKind(pub &'static Terrain);

text_value!(
    BuildingKind,
    Takes::Word("TYPE", || vec!["stone", "wood", "marketplace"]),
    |name| {
        let id = match name {
            "stone" => "bldg-stone",
            "wood" => "bldg-wood",
            other => other,
        };
        let fault = || Fault::new(format!("unknown building type `{name}`"), 0..0);
        let building = hex_terrain(id).ok().filter(|terrain| terrain.is_building);
        let building = building.map(BuildingKind);
        building.ok_or_else(|| fault().expecting(name, BuildingKind::TAKES.words()))
    },
    |BuildingKind(terrain)| terrain.id.clone()
);

/// The prefix of the names of a board's hexes.
#[derive(Clone, Debug, Default)]
pub struct Prefix(pub String);

text_value!(
    Prefix,
    Takes::Text("PREFIX"),
    |text| {
        if text.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit()) {
            return Ok(Prefix(text.to_string()));
        }
        let fault = Fault::new(format!("`{text}` is not a valid prefix"), 0..0);
        Err(fault.help("use lowercase letters and digits, like `y` or `12`"))
    },
    |Prefix(prefix)| prefix.clone()
);

/// The position of a board, in boards to the right and down.
#[derive(Clone, Copy, Debug)]
pub struct Offset(pub i16, pub i16);

impl FieldValue for Offset {
    const TAKES: Takes = Takes::List(&Boards::TAKES);

    fn read(_: &str, value: RawValue) -> Result<Offset, Fault> {
        Err(no_offset(value.span()))
    }

    fn read_node(field: &str, node: &Node) -> Result<Offset, Fault> {
        let boards = |node| Boards::read_node(field, node).map(|boards| boards.u8().into());
        match node.each() {
            [right, down] => Ok(Offset(boards(right)?, boards(down)?)),
            _ => Err(no_offset(node.place.span.clone())),
        }
    }

    fn to_json(&self) -> Json {
        [self.0, self.1].into_iter().collect()
    }
}

/// Columns of a geomorphic board, such as `A-P`.
#[derive(Clone, Debug)]
pub struct Columns {
    text: String,
    part: BoardPart,
}

text_value!(
    Columns,
    Takes::Text("COLUMNS"),
    |text| {
        let column = |letters: &str| {
            let hex = Hex::parse(&format!("{}5", letters.trim()))?;
            (hex.row == 5 && hex.column <= BOARD.0).then(|| i32::from(hex.column) - 1)
        };
        let ends = text.split_once('-').and_then(|(from, to)| Some((column(from)?, column(to)?)));
        let Some((from, to)) = ends.filter(|(from, to)| from <= to) else {
            let fault = Fault::new(format!("`{text}` are no columns of a board"), 0..text.len());
            return Err(fault.help("write the first and the last column, like `A-P`"));
        };
        let edge = |column: i32| (225 * column / 4).min(BoardPart::WHOLE.width);
        let (left, right) = (edge(from), edge(to + 1));
        let part = BoardPart { left, width: right - left, ..BoardPart::WHOLE };
        Ok(Columns { text: text.to_string(), part })
    },
    |columns| columns.text.clone()
);

/// A part of a board in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Crop(BoardPart);

impl FieldValue for Crop {
    const TAKES: Takes = Takes::List(&Pixels::TAKES);

    fn read(_: &str, value: RawValue) -> Result<Crop, Fault> {
        Err(no_crop(value.span()))
    }

    fn read_node(field: &str, node: &Node) -> Result<Crop, Fault> {
        let pixels = |node| Pixels::read_node(field, node).map(|pixels| i32::from(pixels.u16()));
        let numbers = node.each().iter().map(pixels).collect::<Result<Vec<i32>, Fault>>()?;
        let [left, top, width, height] = numbers[..] else {
            return Err(no_crop(node.place.span.clone()));
        };
        let whole = BoardPart::WHOLE;
        if width == 0 || height == 0 || left + width > whole.width || top + height > whole.height {
            let message = format!("a board has {} by {} pixels", whole.width, whole.height);
            return Err(
                Fault::new(message, node.place.span.clone()).help("crop = [0, 0, 900, 645]")
            );
        }
        Ok(Crop(BoardPart { left, top, width, height }))
    }

    fn to_json(&self) -> Json {
        let BoardPart { left, top, width, height } = self.0;
        [left, top, width, height].into_iter().collect()
    }
}

type Pixels = Whole<0, 1800>;

fn no_crop(span: std::ops::Range<usize>) -> Fault {
    Fault::new("`crop` must be four numbers", span)
        .help("write left, top, width and height in pixels: [0, 0, 900, 645]")
}

type Boards = Whole<0, 9>;

fn no_offset(span: std::ops::Range<usize>) -> Fault {
    Fault::new("`at` must be two numbers", span).help("write [1, 0] for one board to the right")
}

/// The level of some hexes, as a key of the table `levels`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexLevel(pub i8);

text_value!(
    HexLevel,
    Takes::Number(-3, 20),
    |text| {
        let level = text.parse().ok().filter(|level| (-3..=20).contains(level));
        let fault = || Fault::new(format!("`{text}` is not a level from -3 to 20"), 0..text.len());
        level.map(HexLevel).ok_or_else(fault)
    },
    |HexLevel(level)| level.to_string()
);

/// Roads as chains of hexes: `[["K1", "K2", "L2"]]`, or a single chain.
#[derive(Clone, Debug, Default)]
pub struct Roads(pub Vec<Spanned<HexList>>);

impl Roads {
    /// Returns a hint that shows how roads are written.
    pub fn help() -> Remedy {
        shown(
            "a road is a chain of hexes: {}",
            [notation::field(MapTable::roads.name, "[[\"K1\", \"K2\", \"L2\"]]")],
        )
    }
}

impl FieldValue for Roads {
    const TAKES: Takes = Takes::List(&<HexList as FieldValue>::TAKES);

    fn read(_: &str, value: RawValue) -> Result<Roads, Fault> {
        Err(Fault::new(format!("a road must be a list of hexes, not {value}"), value.span())
            .help(Roads::help()))
    }

    fn read_node(field: &str, node: &Node) -> Result<Roads, Fault> {
        let one = node.each().iter().all(|hex| matches!(hex.raw, Raw::Text(_)));
        let roads =
            if one && !node.each().is_empty() { std::slice::from_ref(node) } else { node.each() };
        let chain = |road: &Node| match road.raw {
            Raw::List(_) => Spanned::read_node(field, road),
            _ => {
                let message = format!("a road must be a list of hexes, not {}", road.kind());
                Err(road.place.fault(message).help(Roads::help()))
            }
        };
        roads.iter().map(chain).collect::<Result<_, _>>().map(Roads)
    }

    fn to_json(&self) -> Json {
        self.0.to_json()
    }
}

named! {
    /// The treatment of lines of sight that a file does not list.
    pub enum Others { Blocked = "blocked", Computed = "computed" }
}

words_of!(Others, "WHICH", "");

/// A line of sight: its number of Hindrances, or `None` if it is blocked.
#[derive(Clone, Copy, Debug)]
pub struct SightLine(pub Option<u8>);

impl FieldValue for SightLine {
    const TAKES: Takes = Takes::Word("HINDRANCES", || vec!["blocked"]);

    fn read(field: &str, value: RawValue) -> Result<SightLine, Fault> {
        match value {
            RawValue::Integer(_) => Ok(SightLine(Some(value.integer(field, 0, HINDRANCES)? as u8))),
            RawValue::Text(text) if canonical(text) == "blocked" => Ok(SightLine(None)),
            _ => {
                let message =
                    format!("a line must be a number of Hindrances or \"blocked\", not {value}");
                let fault = Fault::new(message, 0..0);
                let text = value.text(field).ok();
                Err(match text.filter(|text| nearest(text, ["blocked"]).is_some()) {
                    Some(text) => fault.expecting(text, ["blocked"]),
                    None => fault.help(notation::field("H5-J1", 0)),
                })
            }
        }
    }

    fn to_json(&self) -> Json {
        self.0.map_or("blocked".into(), Json::from)
    }
}
