//! Distances between the Locations of a field, in half MF (10.51): from a post, and to a Location.
//! Each is computed once for each set of Known enemies.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::destination::{InReach, Viewpoint};
use super::field::{Edge, Enemies, RoutMap, RoutNodeId};
use crate::board::map::Location;

/// The distance of a post that the unit cannot reach.
pub(super) const OUT_OF_REACH: u8 = u8::MAX;

/// The distance of each post, in half MF.
pub(super) type Distances = Arc<[u8]>;

/// The cache of distances and destinations of a field.
#[derive(Default)]
pub(super) struct Memo {
    reaches: Table<(Enemies, RoutNodeId), Distances>,
    ways: Table<(Enemies, Location, bool), Distances>,
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

impl RoutMap {
    /// Returns the least MF from a post to all others, over steps that are legal with these Known
    /// enemies. A unit that has not moved yet may use all its MF for one step.
    pub(super) fn reach(&self, from: RoutNodeId, known: Enemies) -> Distances {
        let legal = |edge: &Edge| self.is_legal(edge, known);
        self.memo.reaches.get((known, from), || self.spread(from, Edge::plain_cost, &legal))
    }

    /// Returns the least MF from a post over all steps, legal or not (I-13).
    pub(super) fn reach_of_all(&self, from: RoutNodeId) -> Distances {
        self.spread(from, Edge::plain_cost, &|_| true)
    }

    /// Returns the least MF from a post over legal steps that stay in cover.
    pub(super) fn reach_through_cover(&self, from: RoutNodeId, known: Enemies) -> Distances {
        self.spread(from, Edge::plain_cost, &|edge| {
            self.post(edge.to).is_cover && self.is_legal(edge, known)
        })
    }

    /// Returns the least MF that is really spent from the start to each post. It includes the MF to
    /// leave works and shellholes.
    pub(super) fn outlay(&self, known: Enemies) -> Distances {
        self.spread(self.start, |edge| edge.cost, &|edge| self.is_legal(edge, known))
    }

    fn spread(
        &self,
        from: RoutNodeId,
        cost: fn(&Edge) -> Option<u8>,
        legal: &dyn Fn(&Edge) -> bool,
    ) -> Distances {
        let mut least = vec![OUT_OF_REACH; self.posts.len()];
        least[usize::from(from)] = 0;
        for spent in 0..=self.allotment {
            for post in 0..self.posts.len() {
                if least[post] != spent {
                    continue;
                }
                for edge in self.posts[post].edges.iter().filter(|edge| legal(edge)) {
                    let whole =
                        if from == self.start && spent == 0 { Some(self.allotment) } else { None };
                    let Some(cost) = cost(edge).or(whole) else { continue };
                    let to = &mut least[usize::from(edge.to)];
                    *to = (*to).min(spent.saturating_add(cost));
                }
            }
        }
        least.into()
    }

    /// Returns the least MF from each post to a Location, over steps that are legal with these
    /// Known enemies.
    pub(super) fn ways_to(&self, goal: Location, known: Enemies) -> Distances {
        self.memo.ways.get((known, goal, false), || self.gather(goal, known, false))
    }

    /// Returns the least MF from each post to a Location, over legal steps that stay in cover.
    pub(super) fn ways_through_cover(&self, goal: Location, known: Enemies) -> Distances {
        self.memo.ways.get((known, goal, true), || self.gather(goal, known, true))
    }

    /// Computes distances backwards from the goal. Every step costs at least half a MF, so a post
    /// is final when its turn comes.
    fn gather(&self, goal: Location, known: Enemies, in_cover: bool) -> Distances {
        let mut least: Vec<u8> = self
            .posts
            .iter()
            .map(|post| if post.location == goal { 0 } else { OUT_OF_REACH })
            .collect();
        for further in 0..=self.allotment {
            for to in 0..self.posts.len() {
                if least[to] != further || (in_cover && !self.posts[to].is_cover) {
                    continue;
                }
                for &(from, place) in &self.posts[to].ways_in {
                    let edge = &self.post(from).edges[usize::from(place)];
                    let Some(cost) = edge.plain_cost() else { continue };
                    let (sum, from) = (further.saturating_add(cost), &mut least[usize::from(from)]);
                    if sum < *from && sum <= self.allotment && self.is_legal(edge, known) {
                        *from = sum;
                    }
                }
            }
        }
        least.into()
    }
}
