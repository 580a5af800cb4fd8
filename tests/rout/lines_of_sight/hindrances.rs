//! Hindrances, and how often each counts (6.7, A24).

use lowcrawl::board::geometry::SMOKE;
use lowcrawl::board::hex::Hex;
use lowcrawl::board::map::HexContents;

use super::{hill, map, raised, sees, sees_from, terrain};

/// 6.7, B14.2, B15.2: each hex between the ends is a Hindrance, but only one counts at each range.
/// Six Hindrances block.
/// Grain does not hinder a higher viewer.
#[test]
fn terrain_hinders_once_at_each_range() {
    let grain = |rows: std::ops::RangeInclusive<i16>| {
        rows.map(|row| (Hex::new(5, row), terrain("grain"))).collect::<Vec<_>>()
    };
    let field = |rows| {
        let grain = grain(rows)
            .into_iter()
            .map(|(hex, ground)| (hex.to_string(), ground))
            .collect::<Vec<_>>();
        map(&grain.iter().map(|(name, ground)| (name.as_str(), ground.clone())).collect::<Vec<_>>())
    };
    assert_eq!(sees_from(&field(3..=5), ("E2", 0), ("E8", 0)), Some(3));
    assert_eq!(sees_from(&field(3..=5), ("E3", 0), ("E5", 0)), Some(1));
    assert_eq!(sees_from(&field(2..=7), ("E1", 0), ("E9", 0)), None);
    assert_eq!(sees(&[("E2", hill(1)), ("E5", terrain("grain"))], "E2", "E8"), Some(0));
    assert_eq!(
        sees(&[("E4", terrain("orchard")), ("E5", terrain("orchard"))], "D4", "F4"),
        Some(1)
    );
    assert_eq!(sees(&[("E4", terrain("orchard"))], "D4", "F4"), Some(1));
    assert_eq!(sees(&[("E2", hill(1)), ("E7", terrain("orchard"))], "E2", "E8"), Some(1));
}

/// A24.2: SMOKE hinders lines through, out of and into its hex.
#[test]
fn smoke_hinders_through_out_of_and_into_its_hex() {
    let smoke = |name| [(name, HexContents { smoke: true, ..terrain("open") })];
    for name in ["E2", "E5", "E8"] {
        assert_eq!(sees(&smoke(name), "E2", "E8"), Some(SMOKE), "{name}");
    }
    assert_eq!(sees(&smoke("D5"), "E2", "E8"), Some(0));
}

/// A24.4: SMOKE is two levels high, and hinders lines through its hex, not along its edge.
/// B25.2: a Blaze does likewise.
#[test]
fn smoke_and_blaze_are_two_levels_high() {
    let smoke = || HexContents { smoke: true, ..terrain("open") };
    let seen = |level, ground| {
        sees(&[("E2", hill(level)), ("E5", ground), ("E8", hill(level))], "E2", "E8")
    };
    assert_eq!(
        (seen(0, smoke()), seen(1, smoke()), seen(2, smoke())),
        (Some(SMOKE), Some(SMOKE), Some(0))
    );
    assert_eq!((seen(2, raised(1, smoke())), seen(3, raised(1, smoke()))), (Some(SMOKE), Some(0)));
    let blaze = HexContents { blaze: true, ..terrain("open") };
    assert_eq!((seen(0, blaze.clone()), seen(2, blaze)), (Some(SMOKE), Some(0)));
    assert_eq!(sees(&[("E5", smoke())], "D4", "F4"), Some(0));
    // From three levels above, SMOKE hides two hexes, as an obstacle would.
    let down = |to: &str| sees(&[("E2", hill(3)), ("E4", smoke())], "E2", to);
    assert_eq!((down("E5"), down("E6"), down("E7")), (Some(SMOKE), Some(SMOKE), Some(0)));
}

/// 6.7: Hindrances of terrain and of SMOKE add up, and six block in any hexes.
#[test]
fn six_hindrances_of_any_kind_block() {
    let smoke = |name| (name, HexContents { smoke: true, ..terrain("open") });
    let grain = |name| (name, terrain("grain"));
    assert_eq!(sees(&[smoke("E3"), grain("E4")], "E2", "E8"), Some(3));
    assert_eq!(sees(&[smoke("E2"), smoke("E3"), grain("E4")], "E2", "E8"), Some(5));
    assert_eq!(sees(&[smoke("E2"), smoke("E3"), grain("E4"), grain("E5")], "E2", "E8"), None);
    assert_eq!(sees(&[smoke("E2"), smoke("E8")], "E2", "E8"), Some(4));
    assert_eq!(sees(&[smoke("E2"), smoke("E5"), smoke("E8")], "E2", "E8"), None);
    let both = HexContents { smoke: true, ..terrain("grain") };
    assert_eq!(sees(&[("E5", both)], "E2", "E8"), Some(3));
}
