//! What a unit has within reach: the distance of each Location, and cover (10.51). Both are
//! computed once for each set of Known enemies.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::situation::Enemies;
use crate::board::map::Location;

/// The index of a post of the field.
pub(super) type RoutNodeId = u16;

/// The distance of a post that the unit cannot reach.
pub(super) const OUT_OF_REACH: u8 = u8::MAX;

/// The distance of each post, in half MF.
pub(super) type Distances = Arc<[u8]>;

/// The cache of distances and destinations of a field.
#[derive(Default)]
pub(super) struct Memo {
    pub reaches: Table<(Enemies, RoutNodeId), Distances>,
    pub ways: Table<(Enemies, Location, bool), Distances>,
    pub choices: Table<Viewpoint, Arc<InReach>>,
}

/// A cache of results by key.
pub(super) struct Table<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table(Mutex::default())
    }
}

impl<K: Eq + std::hash::Hash, V: Clone> Table<K, V> {
    /// Returns the result for `key`, which `find` computes the first time.
    pub fn get(&self, key: K, find: impl FnOnce() -> V) -> V {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(key)
            .or_insert_with(find)
            .clone()
    }
}

/// A Location with cover within reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    pub location: Location,
    /// The least cost in half MF.
    pub cost: u8,
    /// Whether the owner may ignore it (10.51).
    pub is_ignorable: bool,
    /// Whether the owner may declare it as the destination.
    pub is_destination: bool,
}

/// The destinations that a unit can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InReach {
    /// All cover within reach, nearest first.
    pub cover: Vec<Cover>,
    /// Whether the unit may go anywhere, because no cover is in reach or all of it may be ignored
    /// (10.51).
    pub is_free: bool,
}

impl InReach {
    /// Returns the Locations that may be declared.
    pub fn destinations(&self) -> impl Iterator<Item = &Cover> {
        self.cover.iter().filter(|cover| cover.is_destination)
    }
}

/// The position from which a unit looks for cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Viewpoint {
    pub post: RoutNodeId,
    /// The MF left, in halves.
    pub left: u8,
    pub known: Enemies,
    /// Whether the rout starts at this node.
    pub at_start: bool,
}
