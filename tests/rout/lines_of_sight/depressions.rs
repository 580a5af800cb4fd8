//! Lines into, out of and across gullies (6.3).

use lowcrawl::board::geometry::SMOKE;
use lowcrawl::board::map::HexContents;

use super::{hill, house, map, raised, sees, sees_from, terrain};

/// 6.3: a unit in a gully sees the neighbouring hexes, along the gully, and hexes high above.
#[test]
fn unit_in_a_gully_sees_neighbours_and_hexes_high_above() {
    let gully = [("E4", terrain("gully")), ("E5", terrain("gully")), ("E6", terrain("gully"))];
    assert_eq!(sees(&gully, "E4", "E6"), Some(0));
    assert_eq!(sees(&gully, "D4", "E5"), Some(0));
    assert_eq!(sees(&gully, "C4", "E5"), None);
    assert_eq!(sees(&gully, "C5", "G5"), Some(0));
    assert_eq!(sees(&[gully.as_slice(), &[("C4", hill(1))]].concat(), "C4", "E5"), Some(0));
}

/// 6.3: a Depression lies a level below its rim, whether the map says so or not.
/// The rim is the lowest hex beside it.
#[test]
fn rim_is_the_lowest_hex_beside_a_depression() {
    let seen = |gully: i8, rim: i8, viewer: i8| {
        let around = ["D4", "E4", "F4", "F5", "E6", "D5"].map(|name| (name, hill(rim)));
        let board =
            [around.as_slice(), &[("E5", raised(gully, terrain("gully"))), ("E3", hill(viewer))]]
                .concat();
        sees(&board, "E3", "E5")
    };
    // The viewer, two hexes away, must be at least two levels above.
    for gully in [0, 1] {
        assert_eq!(seen(gully, 1, 1), None, "{gully}");
        assert_eq!(seen(gully, 1, 2), Some(0), "{gully}");
    }
    assert_eq!(seen(-1, 0, 0), None);
    assert_eq!(seen(-1, 0, 1), Some(0));
    // Some of the hexes beside the gully are higher than the others.
    let board = [("E3", hill(1)), ("E6", hill(2)), ("F5", hill(1)), ("E5", terrain("gully"))];
    assert_eq!(sees(&board, "E3", "E5"), Some(0));
}

/// 6.3: a hex met only in a vertex does not block a line along a gully.
#[test]
fn hex_met_in_a_vertex_does_not_block_a_gully() {
    let gully = |names: &[&'static str]| {
        names.iter().map(|&name| (name, terrain("gully"))).collect::<Vec<_>>()
    };
    assert_eq!(sees(&gully(&["E5", "D4", "C4", "C3", "B2", "A2"]), "E5", "A2"), Some(0));
    assert_eq!(sees(&gully(&["E5", "D4", "C4", "B2", "A2"]), "E5", "A2"), None);
}

/// 6.3: a unit upstairs over a Depression is not in it.
#[test]
fn unit_upstairs_over_a_gully_is_not_in_it() {
    let gully = map(&[("E5", terrain("gully")), ("E8", house(1, 1))]);
    assert_eq!(sees_from(&gully, ("E5", 0), ("E8", 1)), None);
    assert_eq!(sees_from(&gully, ("E5", 1), ("E8", 0)), Some(0));
}

/// A24.4: SMOKE in a Depression rises two levels above its rim.
#[test]
fn smoke_in_a_gully_rises_two_levels_above_its_rim() {
    let gully = HexContents { smoke: true, ..raised(-1, terrain("gully")) };
    let rim = ["D4", "E4", "F4", "F5", "E6", "D5"].map(|name| (name, raised(-1, terrain("gully"))));
    let seen = |level| {
        let hills = [("E2", hill(level)), ("E8", hill(level)), ("E5", gully.clone())];
        sees(&[hills.as_slice(), &rim].concat(), "E2", "E8")
    };
    assert_eq!((seen(0), seen(1), seen(2)), (Some(SMOKE), Some(SMOKE), Some(0)));
}
