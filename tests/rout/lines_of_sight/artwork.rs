//! Terrain that covers a part of a hex, and the road through it.

use lowcrawl::board::hex::Hexside;

use super::{road, sees, terrain};

/// 6.1: terrain that covers a part of a hex is passed at its edge, but not between neighbours of
/// one woods.
#[test]
fn line_passes_at_the_edge_of_partial_woods() {
    let mut half = terrain("woods");
    half.shares.woods = 40;
    assert_eq!(sees(&[("E5", half.clone())], "E2", "E8"), None);
    assert_eq!(sees(&[("E5", half.clone())], "D4", "F5"), None);
    assert_eq!(sees(&[("E5", half.clone())], "D3", "F4"), Some(0));
    assert_eq!(sees(&[("E5", half.clone())], "D4", "F4"), Some(0));
    assert_eq!(sees(&[("E5", half.clone()), ("E4", half)], "D4", "F4"), None);
}

/// B3.4: a road through woods lets a line pass that keeps to it.
#[test]
fn line_along_a_woods_road_is_clear() {
    let road = road("woods", &[Hexside::North, Hexside::South]);
    assert_eq!(sees(&[("E5", road.clone())], "E2", "E8"), Some(0));
    assert_eq!(sees(&[("E5", road)], "C4", "G6"), None);
}

/// B3.4: a line keeps to a road if it passes within 0.22 hexsides of its middle.
/// That holds in woods that fill their hex and in woods that do not.
#[test]
fn line_keeps_to_a_road_within_0_22_hexsides() {
    for share in [100, 60] {
        let mut woods = road("woods", &[Hexside::Northwest, Hexside::Southeast]);
        woods.shares.woods = share;
        let woods = [("E5", woods)];
        assert_eq!(sees(&woods, "A4", "I6"), Some(0));
        assert_eq!(sees(&woods, "B4", "H5"), None);
        assert_eq!(sees(&woods, "E2", "E8"), None);
    }
}

/// 6.1: woods are a disc that covers their share of the hex; at 100 percent they fill its corners
/// too.
/// If the next hex has woods as well, a band joins the two. The lesser share sets its width.
#[test]
fn woods_block_as_discs_of_their_share() {
    let woods_of = |share| {
        let mut woods = terrain("woods");
        woods.shares.woods = share;
        woods
    };
    // The lines pass 0.42, 0.57, 0.69 and 0.91 hexsides from the centre.
    for (from, to, least) in
        [("D4", "G7", 21), ("D3", "E6", 39), ("A6", "H3", 57), ("E1", "F7", 100)]
    {
        assert_eq!(sees(&[("E5", woods_of(least - 1))], from, to), Some(0), "{from} {to}");
        assert_eq!(sees(&[("E5", woods_of(least))], from, to), None, "{from} {to}");
    }
    assert_eq!(sees(&[("E5", woods_of(0)), ("D5", woods_of(100))], "E2", "E8"), Some(0));
}
