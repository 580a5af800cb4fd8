//! Bridges (B6) and the roads over them (B3.4).

use lowcrawl::board::hex::Hexside::{self, North, Northwest, South, Southeast};
use lowcrawl::board::map::HexContents;

use super::{hill, raised, road, sees, terrain};

fn bridge(sides: &[Hexside]) -> HexContents {
    road("bridge", sides)
}

/// Returns the Hindrance between two hexes in a map with one bridge, in E5.
fn over(sides: &[Hexside], from: &str, to: &str) -> Option<u8> {
    sees(&[("E5", bridge(sides))], from, to)
}

/// B6.2: the rails of a bridge hinder a line across its middle.
/// They do not hinder a line past its corner, along a hexside, or from the bridge.
#[test]
fn bridge_hinders_only_across_its_middle() {
    let along = [North, South];
    assert_eq!(over(&along, "D4", "F5"), Some(1));
    assert_eq!(over(&along, "C4", "G6"), Some(1));
    // The lines pass 0.42 and 0.57 hexsides from the centre; half a hexside is the limit.
    assert_eq!(over(&along, "D4", "G7"), Some(1));
    assert_eq!(over(&along, "D3", "E6"), Some(0));
    assert_eq!(over(&along, "D4", "F4"), Some(0));
    assert_eq!(over(&along, "E5", "H7"), Some(0));
    assert_eq!(over(&along, "B3", "E5"), Some(0));
}

/// B6.2, B3.4: a bridge does not hinder a line along its road.
/// Such a line enters by one end of the road and leaves by the other.
#[test]
fn line_along_the_road_of_a_bridge_is_not_hindered() {
    assert_eq!(over(&[North, South], "E2", "E8"), Some(0));
    assert_eq!(over(&[Northwest, Southeast], "E2", "E8"), Some(1));
    assert_eq!(over(&[North, Southeast], "E2", "E8"), Some(1));
    assert_eq!(over(&[North], "E2", "E8"), Some(1));
    assert_eq!(over(&[], "E2", "E8"), Some(1));
    // The lines pass 0.21 and 0.3 hexsides beside the middle of the road, which is 0.44 wide.
    assert_eq!(over(&[Northwest, Southeast], "A4", "I6"), Some(0));
    assert_eq!(over(&[Northwest, Southeast], "B4", "H5"), Some(1));
}

/// B6.2: a bridge stands half a level above its base, hinders its own level only, and does not
/// block.
#[test]
fn bridge_hinders_only_its_own_level() {
    let from_hills = |level, bridge_level| {
        let bridge = raised(bridge_level, bridge(&[Northwest, Southeast]));
        sees(&[("E2", hill(level)), ("E5", bridge), ("E8", hill(level))], "E2", "E8")
    };
    assert_eq!(from_hills(0, 0), Some(1));
    assert_eq!(from_hills(1, 1), Some(1));
    assert_eq!(from_hills(1, 0), Some(0));
    assert_eq!(sees(&[("E2", hill(1)), ("E5", bridge(&[]))], "E2", "E6"), Some(0));
}

/// B6, 6.3: a gully continues under a bridge.
/// From a hill at the end of the gully a line runs along it, past the bridge.
#[test]
fn gully_continues_under_a_bridge() {
    let along = |middle| {
        [("E2", hill(1)), ("E3", terrain("gully")), ("E4", middle), ("E5", terrain("gully"))]
    };
    assert_eq!(sees(&along(bridge(&[Northwest, Southeast])), "E2", "E5"), Some(1));
    assert_eq!(sees(&along(terrain("gully")), "E2", "E5"), Some(0));
    assert_eq!(sees(&along(terrain("open")), "E2", "E5"), None);
}

/// B6.2: lines of geomorphic board 5 over the bridge in EE2, which is E2 here.
/// The bridge leads from DD1 to EE3 over the gully from DD2 to FF1.
#[test]
fn bridge_of_board_5_hinders_lines_across_it() {
    let gully = |name| (name, raised(-1, terrain("gully")));
    let board =
        [gully("D2"), gully("C3"), gully("B2"), gully("F1"), ("E2", bridge(&[Northwest, South]))];
    for (from, to) in [("E1", "E4"), ("D1", "F2")] {
        assert_eq!(sees(&board, from, to), Some(1), "{from} {to}");
    }
    // The lines lead onto the bridge from its road, and from the gully beside it.
    assert_eq!(sees(&board, "D1", "E2"), Some(0));
    assert_eq!(sees(&board, "F1", "E2"), Some(0));
}
