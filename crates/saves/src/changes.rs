//! Overlays and changes of terrain by SSR: which hexes they touch. What they make of a hex is not
//! known.

use super::boards::Boards;
use super::doubt::{Waivers, refusal};
use asl::board::hex::Hex;
use asl::board::map::{Barrier, HexContents, Map, PlacedBoard};
use engine::text::{Fault, plain};
use vasl::board::Laid;
use vasl::position::Position;

/// The range from the two hexes that name the place of an overlay, within which it can lie.
const OVERLAY: u16 = 4;

/// Decides whether a change by SSR is one of some hex.
type HexTest = fn(&HexContents) -> bool;

/// The hexes that a change touches.
#[derive(Clone)]
enum Extent {
    /// All hexes near these, which have the names of the board.
    Near(Vec<String>),
    /// The hexes of the board with some terrain.
    Terrain(HexTest),
    Board,
    /// No hex: only the look of the board.
    Nothing,
}

/// A change of a board that is not understood.
pub struct GroundChange {
    what: String,
    /// The prefix of the board's hexes.
    prefix: String,
    extent: Extent,
    /// The words that waive it, the best first.
    waivers: Vec<String>,
}

fn is(ground: &HexContents, terrain: &str) -> bool {
    ground.terrain.id.starts_with(terrain)
}

fn has_side(ground: &HexContents, sort: Barrier) -> bool {
    ground.sides.contains(&Some(sort))
}

fn has_road(ground: &HexContents) -> bool {
    !ground.road.is_empty() || ground.terrain.id.contains("road")
}

fn is_woods(ground: &HexContents) -> bool {
    ["woods", "forest", "pine-woods", "light-woods"].iter().any(|woods| is(ground, woods))
}

/// VASL's rules for terrain by the words in their names, more special ones first, with what they
/// touch.
const RULES: [(&str, Extent); 31] = [
    ("Winter", Extent::Nothing),
    ("NoHillNums", Extent::Nothing),
    ("Grain", Extent::Terrain(|ground| is(ground, "grain"))),
    ("PlowedField", Extent::Terrain(|ground| is(ground, "grain"))),
    ("SwampTo", Extent::Terrain(|ground| is(ground, "marsh"))),
    ("MarshTo", Extent::Terrain(|ground| is(ground, "marsh"))),
    ("BrushTo", Extent::Terrain(|ground| is(ground, "brush"))),
    ("Orch", Extent::Terrain(|ground| is(ground, "orchard"))),
    ("PalmTrees", Extent::Terrain(|ground| is(ground, "orchard"))),
    ("ShellholesTo", Extent::Terrain(|ground| is(ground, "shellhole"))),
    ("CragsTo", Extent::Terrain(|ground| is(ground, "crag"))),
    ("AllWood", Extent::Terrain(|ground| ground.terrain.is_building)),
    ("AllStone", Extent::Terrain(|ground| ground.terrain.is_building)),
    ("Stairwell", Extent::Terrain(|ground| ground.terrain.is_building)),
    ("AllBuildings", Extent::Terrain(|ground| ground.terrain.is_building)),
    ("Rowhouse", Extent::Terrain(|ground| ground.terrain.is_building)),
    ("Huts", Extent::Terrain(|ground| ground.terrain.is_building)),
    ("WoodsRoads", Extent::Terrain(|ground| is_woods(ground) && has_road(ground))),
    ("RoadsToPaths", Extent::Terrain(|ground| is_woods(ground) && has_road(ground))),
    (
        "SunkElevRoads",
        Extent::Terrain(|ground| ["sunken", "elevated"].iter().any(|it| is(ground, it))),
    ),
    ("Roads", Extent::Terrain(has_road)),
    ("AllPaved", Extent::Terrain(has_road)),
    ("AllDirt", Extent::Terrain(has_road)),
    ("Bridge", Extent::Terrain(|ground| is(ground, "bridge"))),
    ("Gullies", Extent::Terrain(|ground| is(ground, "gully") || is(ground, "stream"))),
    ("Streams", Extent::Terrain(|ground| is(ground, "stream"))),
    ("River", Extent::Terrain(|ground| is(ground, "water"))),
    ("Pond", Extent::Terrain(|ground| is(ground, "water"))),
    ("Wall", Extent::Terrain(|ground| has_side(ground, Barrier::Wall))),
    ("Hedge", Extent::Terrain(|ground| has_side(ground, Barrier::Hedge))),
    ("Cliff", Extent::Terrain(|ground| has_side(ground, Barrier::Cliff))),
];

/// Changes of walls and hedges whose names hold both words: what they turn into something else.
const ONLY: [(&str, Barrier); 2] = [("HedgesOnly", Barrier::Wall), ("WallsOnly", Barrier::Hedge)];

/// Returns what a rule such as `NoGrain` or `Level1ToLevel0` touches; the board if it is unknown.
fn touched_by(rule: &str) -> Extent {
    if let Some((_, barrier)) = ONLY.iter().find(|(only, _)| *only == rule) {
        return Extent::Terrain(match barrier {
            Barrier::Wall => |ground| has_side(ground, Barrier::Wall),
            _ => |ground| has_side(ground, Barrier::Hedge),
        });
    }
    if let Some((from, _)) = rule.strip_prefix("Level").and_then(|rest| rest.split_once("ToLevel"))
    {
        return Extent::Terrain(match from.starts_with('_') {
            true => |ground| ground.level < 0,
            false => |ground| ground.level > 0,
        });
    }
    let known = RULES.iter().find(|(word, _)| rule.contains(word));
    known.map_or(Extent::Board, |(_, extent)| extent.clone())
}

/// Returns the overlays of all boards and the changes of their terrain.
pub fn changes(position: &Position, boards: &Boards) -> Vec<GroundChange> {
    position.boards.iter().flat_map(|board| changes_of(board, boards.prefix(&board.name))).collect()
}

fn changes_of(board: &Laid, prefix: &str) -> Vec<GroundChange> {
    let (name, own) = (&board.name, |what: String| plain(&what));
    let overlay = |overlay: &String| {
        let mut words = overlay.split_whitespace();
        let of = words.next().unwrap_or_default();
        let hexes: Vec<String> = words.map(str::to_string).collect();
        let at = hexes.iter().map(|hex| format!("overlay:{prefix}{hex}"));
        GroundChange {
            what: own(format!("overlay {overlay} on board {name}")),
            prefix: prefix.to_string(),
            waivers: at.chain([format!("overlay:{of}")]).collect(),
            extent: if hexes.is_empty() { Extent::Board } else { Extent::Near(hexes) },
        }
    };
    let rules = board.rules.iter().flat_map(|rules| rules.split(',')).map(str::trim);
    let rule = |rule: &str| GroundChange {
        what: own(format!("change of terrain {rule} on board {name}")),
        prefix: prefix.to_string(),
        waivers: vec![format!("ssr:{rule}")],
        extent: touched_by(rule),
    };
    let rules = rules.filter(|rule| !rule.is_empty()).map(rule);
    board.overlays.iter().map(overlay).chain(rules).collect()
}

impl GroundChange {
    pub fn waivers(&self) -> &[String] {
        &self.waivers
    }

    /// Returns the change in words.
    pub fn message(&self) -> String {
        match self.extent {
            Extent::Nothing => format!("{} changes no hex here", self.what),
            _ => format!("not understood: {}, also in lines of sight over it", self.what),
        }
    }

    fn board<'a>(&self, map: &'a Map) -> Option<&'a PlacedBoard> {
        map.boards().iter().find(|board| board.prefix == self.prefix)
    }

    fn touches(&self, map: &Map, hex: Hex) -> bool {
        let Some(board) = self.board(map) else { return true };
        let is_on_board = board.on_board(hex).is_some();
        match &self.extent {
            Extent::Nothing => false,
            Extent::Board => is_on_board,
            Extent::Terrain(has) => is_on_board && map.get(hex).is_some_and(has),
            Extent::Near(hexes) => hexes.iter().any(|name| match Hex::parse(name) {
                Some(own) => board.on_map(own).range(hex) <= OVERLAY,
                None => is_on_board,
            }),
        }
    }
}

/// Fails if a change that is not waived touches one of the hexes that `hexes` returns.
pub fn check_hexes(
    changes: &[GroundChange],
    waivers: &Waivers,
    map: &Map,
    hexes: impl FnOnce() -> Vec<Hex>,
) -> Result<(), Fault> {
    let open: Vec<&GroundChange> =
        changes.iter().filter(|change| !waivers.cover(&change.waivers)).collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut ways = hexes();
    ways.sort();
    ways.dedup();
    let touching: Vec<(&GroundChange, String)> = open
        .into_iter()
        .filter_map(|change| {
            let hex = ways.iter().find(|hex| change.touches(map, **hex))?;
            Some((change, format!("{} (in {})", change.what, map.name(*hex))))
        })
        .collect();
    let Some((first, _)) = touching.first() else { return Ok(()) };
    let waiver = first.waivers.first().cloned();
    let words: Vec<String> = touching.iter().map(|(_, words)| words.clone()).collect();
    Err(refusal(&words, waiver))
}
