//! The cost for Infantry to move from one Location to the next (4.2, chapter B).

use std::cmp::Ordering;

use super::hex::Hexside;
use super::map::{Barrier, Location, Map, Works};
use super::terrain::{Cost, Mf, OpenGround};

/// The way in which a Location is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryMode {
    /// Entry at the cost of the terrain, outside any shellholes or works of the hex.
    Terrain,
    /// Entry along a road (B3).
    Road,
    /// Entry into the shellholes or works of the hex (B2, B27, B30).
    Sheltered,
    /// Entry into a trench from a connected trench (B27.5).
    Trench,
    /// Entry by a stairway (B23.4).
    Stairs,
}

/// A step to a neighbouring Location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveOption {
    pub to: Location,
    /// The hexside crossed, as a side of the hex that is left, or `None` on stairs.
    pub side: Option<Hexside>,
    pub cost: Cost,
    /// The part of `cost` for works and shellholes, which distances to cover leave out (10.51).
    pub extra: Mf,
    pub way: EntryMode,
}

impl MoveOption {
    /// Returns whether the step ends inside the shellholes or works of the hex.
    pub fn is_sheltered(&self) -> bool {
        matches!(self.way, EntryMode::Sheltered | EntryMode::Trench)
    }
}

const ONE: Mf = Mf::whole(1);

/// Returns the steps from a Location. Works cost a `sheltered` unit 1 MF to leave (B27.4, B30.4).
pub fn steps(map: &Map, from: Location, sheltered: bool) -> Vec<MoveOption> {
    let mut steps = Vec::new();
    let Some(here) = map.get(from.hex) else { return steps };
    let exit = if sheltered && here.works.is_some() { ONE } else { Mf::default() };
    let plain = |to, side, cost, way| MoveOption { to, side, cost, extra: Mf::default(), way };
    if here.stairway {
        for level in [from.level.checked_sub(1), from.level.checked_add(1)].into_iter().flatten() {
            let to = Location { level, ..from };
            if map.has(to) {
                steps.push(plain(to, None, Cost::Mf(ONE), EntryMode::Stairs));
            }
        }
    }
    for (side, hex) in map.neighbours(from.hex) {
        let to = Location { hex, level: from.level };
        if from.level > 0 {
            // On upper levels a unit can move only within one building (B23.4).
            if map.has(to) && same_building(map, from, to) {
                let cost = building_cost(map, from, to);
                steps.push(plain(to, Some(side), cost, EntryMode::Terrain));
            }
        } else {
            ground_steps(map, from, to, side, exit, &mut steps);
        }
    }
    let trench = |location: Location| {
        map.get(location.hex).is_some_and(|ground| ground.works == Some(Works::Trench))
    };
    if sheltered && trench(from) {
        for step in &mut steps {
            if step.way == EntryMode::Sheltered && trench(step.to) {
                (step.cost, step.extra, step.way) =
                    (Cost::Mf(ONE), Mf::default(), EntryMode::Trench);
            }
        }
    }
    steps
}

/// Returns whether two hexes belong to one multi-hex building, except a Rowhouse (B23.71).
pub fn same_building(map: &Map, a: Location, b: Location) -> bool {
    let building = |location: Location| {
        map.get(location.hex).filter(|ground| !ground.rowhouse).and_then(|ground| ground.building)
    };
    building(a).is_some() && building(a) == building(b)
}

/// Returns the cost to enter a building hex: 1 MF within a Factory (B23.74), otherwise 2 MF.
fn building_cost(map: &Map, from: Location, to: Location) -> Cost {
    let factory = |location: Location| map.get(location.hex).is_some_and(|ground| ground.factory);
    if factory(from) && factory(to) && same_building(map, from, to) {
        Cost::Mf(ONE)
    } else {
        Cost::Mf(Mf::whole(2))
    }
}

/// Adds the ground-level steps into a hex from its neighbour. There are none across a Cliff (B11)
/// or the wall of a rowhouse (B23.71), into a Blaze (B25.4), or into a known minefield or FFE,
/// which a rout need not enter (10.51).
fn ground_steps(
    map: &Map,
    from: Location,
    to: Location,
    side: Hexside,
    exit: Mf,
    steps: &mut Vec<MoveOption>,
) {
    let (Some(here), Some(there)) = (map.get(from.hex), map.get(to.hex)) else { return };
    let Some(terrain) = there.terrain.cost else { return };
    let barrier = here.side(side);
    if there.blaze || there.hazard || barrier.is_some_and(|barrier| !barrier.is_passable()) {
        return;
    }
    let along_road = there.road.has(side.opposite()) && !there.terrain.is_building;
    let terrain = match terrain {
        Cost::Mf(_) if there.terrain.is_building => building_cost(map, from, to),
        other => other,
    };
    let mut enter = |cost, extra, way| {
        steps.push(MoveOption { to, side: Some(side), cost, extra, way });
    };
    let Cost::Mf(terrain) = terrain else {
        return enter(Cost::All, exit, EntryMode::Terrain);
    };
    let over_crests = |mf| over_crests(mf, here.level, there.level);
    let smoke = if there.smoke { ONE } else { Mf::default() };
    let mut enter = |mf: Mf, entry: Mf, way| {
        enter(Cost::Mf(mf + entry + smoke + exit), entry + exit, way);
    };
    if along_road {
        enter(over_crests(ONE), Mf::default(), EntryMode::Road);
    }
    let minimum = over_crests(terrain) + hexside_cost(barrier);
    // A unit that pays the cost of an orchard is not in the open on the road through it (B3).
    if !along_road || minimum > over_crests(ONE) || there.terrain.open_ground == OpenGround::No {
        enter(minimum, Mf::default(), EntryMode::Terrain);
    }
    if there.works.is_some() {
        enter(minimum, ONE, EntryMode::Sheltered);
    } else if there.terrain.open_ground == OpenGround::AtMinimum {
        // Shellholes cost 2 MF instead of 1, doubled uphill like all terrain (B2).
        let entry = over_crests(terrain + ONE).less(over_crests(terrain)).unwrap_or_default();
        enter(minimum, entry, EntryMode::Sheltered);
    }
}

/// Returns the additional cost of a hexside (B9, B9.5, B29).
fn hexside_cost(barrier: Option<Barrier>) -> Mf {
    match barrier {
        Some(Barrier::Wall | Barrier::Hedge | Barrier::Roadblock) => ONE,
        Some(Barrier::Bocage) => Mf::whole(2),
        Some(Barrier::Cliff | Barrier::RowhouseWall | Barrier::FactoryWall) | None => Mf::default(),
    }
}

/// Returns the cost `mf` adjusted for a step from level `from` to level `to`. Uphill it doubles
/// (B10.4). Each further level of an abrupt change adds 2 MF upwards and 1 MF downwards (B10.51).
fn over_crests(mf: Mf, from: i8, to: i8) -> Mf {
    let further = Mf::whole(to.abs_diff(from).saturating_sub(1));
    match to.cmp(&from) {
        Ordering::Equal => mf,
        Ordering::Greater => mf.doubled() + further.doubled(),
        Ordering::Less => mf + further,
    }
}

#[cfg(test)]
mod tests {
    use super::super::hex::Hex;
    use super::super::map::{HexContents, PlacedBoard, hex_terrain};
    use super::*;

    /// Builds a map with K5 in the middle, K4 to its north and L4 to its northeast.
    fn map(change: impl Fn(&mut HexContents, &mut HexContents)) -> Map {
        let ground = |name: &str| HexContents::from_terrain(hex_terrain(name).unwrap());
        let (mut here, mut there) = (ground("open"), ground("grain"));
        change(&mut here, &mut there);
        let hex = |name: &str| Hex::parse(name).unwrap();
        Map::new(
            vec![PlacedBoard::alone()],
            [(hex("K5"), here), (hex("K4"), there), (hex("L4"), ground("marsh"))],
        )
    }

    fn costs(map: &Map, from: &str, sheltered: bool) -> String {
        let describe = |step: MoveOption| match step.cost {
            Cost::Mf(mf) => format!("{} {mf} {:?}", map.location_name(step.to), step.way),
            Cost::All => format!("{} all", map.location_name(step.to)),
        };
        steps(map, map.parse_location(from).unwrap(), sheltered)
            .into_iter()
            .map(describe)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Grain costs 1.5 MF (B15), marsh all MF (B16), a road 1 MF (B3); SMOKE adds 1 MF (A24).
    #[test]
    fn terrain_roads_and_smoke_cost_their_mf() {
        assert_eq!(costs(&map(|_, _| ()), "K5", false), "K4 1.5 Terrain, L4 all");
        assert_eq!(
            costs(&map(|_, there| there.smoke = true), "K5", false),
            "K4 2.5 Terrain, L4 all"
        );
        let road = map(|_, there| there.road.insert(Hexside::South));
        assert_eq!(costs(&road, "K5", false), "K4 1 Road, K4 1.5 Terrain, L4 all");
    }

    /// Costs of hills (B10.4, B10.51), of a wall, never doubled (B9), and of a Cliff (B11).
    #[test]
    fn hills_and_hexsides_add_their_mf() {
        assert_eq!(costs(&map(|_, there| there.level = 1), "K5", false), "K4 3 Terrain, L4 all");
        assert_eq!(costs(&map(|_, there| there.level = 2), "K5", false), "K4 5 Terrain, L4 all");
        assert_eq!(costs(&map(|here, _| here.level = 3), "K5", false), "K4 3.5 Terrain, L4 all");
        // Sums of MF saturate at 127.5.
        assert_eq!(
            costs(&map(|here, there| (here.level, there.level) = (-128, 127)), "K5", false),
            "K4 127.5 Terrain, L4 all"
        );
        let wall =
            |barrier| map(move |here, there| (here.sides[0], there.level) = (Some(barrier), 1));
        assert_eq!(costs(&wall(Barrier::Wall), "K5", false), "K4 4 Terrain, L4 all");
        assert_eq!(costs(&wall(Barrier::Cliff), "K5", false), "L4 all");
        // No unit crosses the wall of a rowhouse (B23.71).
        assert_eq!(costs(&wall(Barrier::RowhouseWall), "K5", false), "L4 all");
    }

    /// Costs of shellholes (B2), of leaving a foxhole (B27.4), and from trench to trench (B27.5).
    #[test]
    fn shellholes_and_works_cost_their_mf() {
        let holes =
            map(|_, there| *there = HexContents::from_terrain(hex_terrain("shellholes").unwrap()));
        assert_eq!(costs(&holes, "K5", false), "K4 1 Terrain, K4 2 Sheltered, L4 all");
        let foxhole = map(|here, _| here.works = Some(Works::Foxhole));
        assert_eq!(costs(&foxhole, "K5", true), "K4 2.5 Terrain, L4 all");
        assert_eq!(costs(&foxhole, "K5", false), "K4 1.5 Terrain, L4 all");
        let trench = map(|here, there| {
            (here.works, there.works) = (Some(Works::Trench), Some(Works::Trench))
        });
        assert_eq!(costs(&trench, "K5", true), "K4 2.5 Terrain, K4 1 Trench, L4 all");
    }

    /// A step by a stairwell costs 1 MF, and a step on an upper level within one building 2 MF
    /// (B23.4). A Rowhouse bars the second (B23.71), and in a Factory it costs 1 MF (B23.74).
    #[test]
    fn stairs_and_rooms_of_buildings_cost_their_mf() {
        let house = |rowhouse: bool, factory: bool| {
            map(move |here, there| {
                for ground in [here, there] {
                    *ground = HexContents {
                        building: Some(1),
                        upper_levels: 1,
                        ..HexContents::from_terrain(hex_terrain("building").unwrap())
                    };
                    (ground.rowhouse, ground.factory) = (rowhouse, factory);
                }
            })
        };
        let with_stairs = |rowhouse, factory| {
            let map = house(rowhouse, factory);
            let hexes = map.hexes().map(|hex| {
                let ground = map.get(hex).unwrap();
                (
                    hex,
                    HexContents {
                        stairway: ground.building.is_some() && hex.row == 5,
                        ..ground.clone()
                    },
                )
            });
            Map::new(vec![PlacedBoard::alone()], hexes.collect::<Vec<_>>())
        };
        assert_eq!(
            costs(&with_stairs(false, false), "K5", false),
            "K5 level 1 1 Stairs, K4 2 Terrain, L4 all"
        );
        assert_eq!(
            costs(&with_stairs(false, false), "K5 level 1", false),
            "K5 1 Stairs, K4 level 1 2 Terrain"
        );
        assert_eq!(costs(&with_stairs(true, false), "K5 level 1", false), "K5 1 Stairs");
        assert_eq!(
            costs(&with_stairs(false, true), "K5 level 1", false),
            "K5 1 Stairs, K4 level 1 1 Terrain"
        );
        assert_eq!(costs(&house(false, false), "K4 level 1", false), "K5 level 1 2 Terrain");
    }
}
