//! Lines over lower terrain, and hexes hidden behind terrain (6.2, 6.4).

use lowcrawl::board::hex::Hexside;
use lowcrawl::board::map::{Barrier, HexContents};

use super::{behind, hex, hill, house, map, raised, sees, sees_from, terrain};

/// B9.2, B9.5: half a level does not hinder a higher viewer; bocage has Blind Hexes.
#[test]
fn higher_viewer_sees_over_a_hedge_but_not_over_bocage() {
    let map = |barrier| map(&[("E2", house(1, 1)), ("E5", behind(Hexside::South, barrier))]);
    assert_eq!(sees_from(&map(Barrier::Hedge), ("E2", 1), ("E7", 0)), Some(0));
    assert_eq!(sees_from(&map(Barrier::Hedge), ("E2", 0), ("E7", 0)), None);
    assert_eq!(sees_from(&map(Barrier::Bocage), ("E2", 1), ("E7", 0)), None);
}

/// 6.2: lines from hill to hill pass over woods of their height.
#[test]
fn hills_see_over_woods_of_their_height() {
    let hills = |level| [("E2", hill(level)), ("E5", terrain("woods")), ("E8", hill(level))];
    assert_eq!(sees(&hills(1), "E2", "E8"), Some(0));
    assert_eq!(sees(&hills(0), "E2", "E8"), None);
    assert_eq!(sees(&[("E2", hill(1)), ("E3", terrain("woods"))], "E2", "E9"), None);
    assert_eq!(sees(&[("E2", hill(1)), ("E5", hill(2)), ("E8", hill(1))], "E2", "E8"), None);
    assert_eq!(sees(&[("E2", hill(1)), ("E5", hill(1)), ("E8", hill(1))], "E2", "E8"), Some(0));
}

/// 6.41, 6.42: one hex is blind behind an obstacle one level high, below the viewer.
/// Two are blind behind one two levels high, unless the viewer is two levels above it. Five hexes
/// away one more is blind. The count does not change if all of the ground is higher or lower.
#[test]
fn blind_hexes_grow_with_height_and_distance() {
    for plain in [-1, 0, 2] {
        let blind = |top: &str, woods: &str, level: i8| {
            let rows: Vec<String> = (1..=9).map(|row| format!("E{row}")).collect();
            let ground = |name: &str| match name {
                "E1" => hill(plain + level),
                _ => raised(plain, terrain(if name == top { woods } else { "open" })),
            };
            let map =
                map(&rows.iter().map(|name| (name.as_str(), ground(name))).collect::<Vec<_>>());
            let row = usize::from(hex(top).row.unsigned_abs());
            rows[row..]
                .iter()
                .take_while(|name| sees_from(&map, ("E1", 0), (name, 0)).is_none())
                .count()
        };
        assert_eq!(blind("E3", "woods", 2), 1);
        assert_eq!(blind("E3", "woods", 4), 1);
        assert_eq!(blind("E3", "forest", 3), 2);
        assert_eq!(blind("E3", "forest", 4), 1);
        assert_eq!(blind("E6", "woods", 2), 2);
    }
}

/// B10.23: a slope of one level a hex hides nothing.
/// Flat ground at the viewer's level hides the hexes below.
#[test]
fn flat_ground_hides_hexes_below_but_a_slope_does_not() {
    assert_eq!(sees(&[("E2", hill(2)), ("E3", hill(1))], "E2", "E4"), Some(0));
    assert_eq!(sees(&[("E2", hill(1)), ("E3", hill(1))], "E2", "E6"), None);
    assert_eq!(sees(&[("E3", hill(1))], "E3", "E8"), Some(0));
}

/// B23.22, B23.23, B23.25: an upper level does not see through its own building.
/// Nor does it see the other level of the next building hex. Out of the building it sees over
/// woods.
#[test]
fn upper_level_does_not_see_through_its_building() {
    let row = map(&[
        ("E2", house(1, 2)),
        ("E3", house(1, 2)),
        ("E4", house(1, 2)),
        ("E7", terrain("woods")),
    ]);
    assert_eq!(sees_from(&row, ("E2", 1), ("E3", 1)), Some(0));
    assert_eq!(sees_from(&row, ("E2", 1), ("E3", 0)), None);
    assert_eq!(sees_from(&row, ("E2", 2), ("E4", 2)), None);
    assert_eq!(sees_from(&row, ("E4", 2), ("E9", 0)), Some(0));
    assert_eq!(sees_from(&row, ("E4", 2), ("E8", 0)), None);
    assert_eq!(sees_from(&row, ("E4", 1), ("E9", 0)), None);
}

/// B23.21 to B23.23, B13.7, B24: the height of the terrain in a hex, between two ends of one level.
/// From hills a level below its top it blocks; from its top it does not.
#[test]
fn terrain_blocks_below_its_top_only() {
    let lumberyard = terrain("lumberyard");
    for (ground, clear_from) in [
        (terrain("building"), 1),
        (house(1, 1), 2),
        (house(1, 2), 3),
        (terrain("woods"), 1),
        (terrain("forest"), 2),
        (terrain("rubble-stone"), 1),
        (lumberyard, 1),
    ] {
        let seen = |level| {
            sees(&[("E2", hill(level)), ("E5", ground.clone()), ("E8", hill(level))], "E2", "E8")
        };
        for level in 0..=3 {
            assert_eq!(
                seen(level),
                (level >= clear_from).then_some(0),
                "{} from level {level}",
                ground.terrain.id
            );
        }
    }
}

/// 6.2: an obstacle as high as the higher end blocks, if the other end is lower.
/// One that is half a level lower hides no ground behind the next hex.
#[test]
fn obstacle_as_high_as_the_viewer_hides_lower_ground() {
    let down = |level, ground: HexContents, to: &str| {
        sees(&[("E1", hill(level)), ("E3", ground)], "E1", to)
    };
    assert_eq!(down(1, terrain("building"), "E9"), None);
    assert_eq!(down(1, terrain("rubble-stone"), "E4"), Some(0));
    assert_eq!(down(2, house(1, 1), "E4"), None);
    assert_eq!(down(2, house(1, 1), "E5"), Some(0));
    assert_eq!(down(3, house(1, 1), "E4"), None);
    assert_eq!(down(3, house(1, 2), "E5"), None);
    assert_eq!(down(3, house(1, 2), "E6"), Some(0));
}

/// 6.2: an obstacle on a hill is higher by the level of the hill.
#[test]
fn obstacle_on_a_hill_is_higher_by_its_level() {
    let seen = |level, ground: &str| {
        let on_hill = raised(1, terrain(ground));
        sees(&[("E2", hill(level)), ("E5", on_hill), ("E8", hill(level))], "E2", "E8")
    };
    assert_eq!((seen(1, "woods"), seen(2, "woods")), (None, Some(0)));
    assert_eq!((seen(2, "forest"), seen(3, "forest")), (None, Some(0)));
    assert_eq!(
        (seen(0, "orchard"), seen(1, "orchard"), seen(2, "orchard")),
        (None, Some(1), Some(0))
    );
    assert_eq!((seen(1, "grain"), seen(2, "grain")), (Some(1), Some(0)));
}

/// 6.2: a line along a hexside passes over the lower of the two hexes.
#[test]
fn line_along_a_hexside_passes_over_the_lower_hex() {
    let between = |upper, lower| sees(&[("E4", hill(upper)), ("E5", hill(lower))], "D4", "F4");
    assert_eq!(between(1, 0), Some(0));
    assert_eq!(between(0, 1), Some(0));
    assert_eq!(between(1, 1), None);
}

/// B9.2: a wall rises from the lower of its two hexes.
#[test]
fn wall_rises_from_the_lower_of_its_hexes() {
    let wall = |above: i8, below: i8, viewers: i8| {
        let wall = raised(above, behind(Hexside::South, Barrier::Wall));
        sees(
            &[("E3", hill(viewers)), ("E5", wall), ("E6", hill(below)), ("E8", hill(viewers))],
            "E3",
            "E8",
        )
    };
    assert_eq!(wall(1, 1, 1), None);
    assert_eq!(wall(1, 0, 1), Some(0));
    assert_eq!(wall(0, 1, 1), Some(0));
    assert_eq!(wall(0, 0, 1), Some(0));
    assert_eq!(wall(1, 1, 2), Some(0));
    // Bocage is one level high. Like a hedge, it does not block a line between equal heights at its
    // top.
    let bocage = |viewers| {
        let bocage = raised(1, behind(Hexside::South, Barrier::Bocage));
        sees(
            &[("E3", hill(viewers)), ("E5", bocage), ("E6", hill(1)), ("E8", hill(viewers))],
            "E3",
            "E8",
        )
    };
    assert_eq!((bocage(1), bocage(2)), (None, Some(0)));
}

/// B23.25: no line connects different levels in two hexes of one building.
/// One does in rowhouses, and between two buildings.
#[test]
fn floors_of_one_building_see_only_their_own_level() {
    let upstairs = |here: HexContents, there: HexContents| {
        let map = map(&[("E4", here), ("E5", there)]);
        (sees_from(&map, ("E4", 1), ("E5", 0)), sees_from(&map, ("E4", 1), ("E5", 1)))
    };
    let rowhouse = || HexContents { rowhouse: true, ..house(1, 1) };
    assert_eq!(upstairs(house(1, 1), house(1, 1)), (None, Some(0)));
    assert_eq!(upstairs(house(1, 1), house(2, 1)), (Some(0), Some(0)));
    assert_eq!(upstairs(rowhouse(), rowhouse()), (Some(0), Some(0)));
    assert_eq!(upstairs(rowhouse(), house(1, 1)), (Some(0), Some(0)));
    assert_eq!(upstairs(house(1, 1), rowhouse()), (Some(0), Some(0)));
    assert_eq!(upstairs(house(1, 1), terrain("open")).0, Some(0));
}
