//! Caches of distances and of cover within reach (10.51), by the set of Known enemies.

use std::sync::Arc;

use super::situation::Enemies;
use crate::board::map::Location;
use crate::cache::Cache;

pub(super) type RoutNodeId = u16;

pub(super) const OUT_OF_REACH: u8 = u8::MAX;

/// The distance of each node in half MF, by node index.
pub(super) type Distances = Arc<[u8]>;

/// The caches of one `RoutMap`. The `bool` in a key of `ways` is set for routes that stay in cover.
#[derive(Default)]
pub(super) struct Memo {
    pub reaches: Cache<(Enemies, RoutNodeId), Distances>,
    pub ways: Cache<(Enemies, Location, bool), Distances>,
    pub choices: Cache<Viewpoint, Arc<InReach>>,
}

/// A Location with cover within reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    pub location: Location,
    /// The distance to the Location, in half MF.
    pub cost: u8,
    /// Whether the owner may ignore the cover (10.51).
    pub is_ignorable: bool,
    /// Whether the owner may declare the Location as the destination.
    pub is_destination: bool,
}

/// The cover and the destinations that a unit has within reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InReach {
    /// All cover within reach, nearest first.
    pub cover: Vec<Cover>,
    /// Whether the unit may go anywhere: no cover is in reach, or all may be ignored (10.51).
    pub is_free: bool,
}

impl InReach {
    /// Returns the cover that the owner may declare as the destination.
    pub fn destinations(&self) -> impl Iterator<Item = &Cover> {
        self.cover.iter().filter(|cover| cover.is_destination)
    }
}

/// The node and the circumstances that decide the choice of cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Viewpoint {
    pub post: RoutNodeId,
    /// The MF left, in halves.
    pub left: u8,
    pub known: Enemies,
    /// Whether the choice is made at the start, instead of in re-figuring.
    pub at_start: bool,
}
