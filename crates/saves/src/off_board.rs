//! The forces of a save that are not on its boards: groups of stacks beside them.

use vasl::board::{EDGE, Laid};
use vasl::position::{Heap, Position};

/// The largest distance between stacks of a group, in pixels: two hexes.
const NEAR: i32 = 130;

/// Stacks that lie together off the boards.
pub struct OffBoardGroup {
    /// Where the group lies, such as `left of the boards`.
    pub place: &'static str,
    /// Each sort of piece, with its nation and how often it is there.
    pub pieces: Vec<(String, Option<&'static str>, usize)>,
}

/// Returns the groups of stacks off the boards, from left to right. Only what the player may know
/// is in them; a concealed stack is one `?`. Markers are left out.
pub fn off_board(position: &Position, mine: Option<&str>) -> Vec<OffBoardGroup> {
    let heaps: Vec<Heap> =
        position.heaps().into_iter().filter(|heap| heap.place.is_none()).collect();
    let spot =
        |heap: &Heap| heap.pieces.first().map_or((0, 0), |piece| (piece.spot.x, piece.spot.y));
    let mut groups: Vec<Vec<&Heap>> = Vec::new();
    for heap in &heaps {
        let (x, y) = spot(heap);
        let is_near = |other: &&Heap| {
            let (at_x, at_y) = spot(other);
            (x - at_x).abs() <= NEAR && (y - at_y).abs() <= NEAR
        };
        let (near, mut rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(&is_near));
        rest.push(near.into_iter().flatten().chain([heap]).collect());
        groups = rest;
    }
    let size = |axis: usize| Laid::extent(&position.boards, axis);
    let (width, height) = (size(0), size(1));
    let mut all: Vec<((i32, i32), OffBoardGroup)> = Vec::new();
    for group in groups {
        let at = group.iter().map(|heap| spot(heap)).min().unwrap_or_default();
        let place = match at {
            (x, _) if x < EDGE => "left of the boards",
            (x, _) if f64::from(x) >= f64::from(EDGE) + width => "right of the boards",
            (_, y) if y < EDGE => "above the boards",
            (_, y) if f64::from(y) >= f64::from(EDGE) + height => "below the boards",
            _ => "on boards with another hex size",
        };
        let pieces = pieces(&group, mine);
        if !pieces.is_empty() {
            all.push((at, OffBoardGroup { place, pieces }));
        }
    }
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, group)| group).collect()
}

fn pieces(group: &[&Heap], mine: Option<&str>) -> Vec<(String, Option<&'static str>, usize)> {
    let mut pieces: Vec<(String, Option<&'static str>, usize)> = Vec::new();
    let mut add = |name: &str, nation: Option<&'static str>| match pieces
        .iter_mut()
        .find(|(known, of, _)| known == name && *of == nation)
    {
        Some((.., number)) => *number += 1,
        None => pieces.push((name.to_string(), nation, 1)),
    };
    for heap in group {
        heap.foreign_marks(mine).into_iter().for_each(|owner| add("?", owner));
        let known = heap.known(mine).into_iter().filter(|piece| !piece.is_mark());
        let forces = known.filter(|piece| piece.nation().is_some());
        forces.for_each(|piece| add(&piece.name, piece.nation()));
    }
    pieces
}
