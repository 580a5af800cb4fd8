//! Distances over the Locations of a field, in half MF (10.51): from a post, and to a Location.
//! Each is worked out once for each set of Known enemies.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::destination::{InReach, Viewpoint};
use super::field::{Edge, Enemies, PostId, RoutMap};
use crate::board::map::Site;

/// What cannot be paid.
pub(super) const OUT_OF_REACH: u8 = u8::MAX;

/// MF in halves, from each post or to it.
pub(super) type Distances = Arc<[u8]>;

/// What has been found of a field, to be found only once.
#[derive(Default)]
pub(super) struct Memo {
    reaches: Table<(Enemies, PostId), Distances>,
    ways: Table<(Enemies, Site, bool), Distances>,
    pub choices: Table<Viewpoint, Arc<InReach>>,
}

/// Answers found so far.
pub(super) struct Table<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table(Mutex::default())
    }
}

impl<K: Eq + std::hash::Hash, V: Clone> Table<K, V> {
    /// The answer to `key`, from `find` the first time.
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
    /// Least MF from a post to all others, over steps that are legal with those enemies Known; of a
    /// unit that has not moved yet also where it needs all its MF.
    pub(super) fn reach(&self, from: PostId, known: Enemies) -> Distances {
        let legal = |edge: &Edge| self.is_legal(edge, known);
        self.memo.reaches.get((known, from), || self.spread(from, Edge::plain_cost, &legal))
    }

    /// I-13: the same over all steps, legal or not.
    pub(super) fn reach_of_all(&self, from: PostId) -> Distances {
        self.spread(from, Edge::plain_cost, &|_| true)
    }

    /// The same as [`RoutMap::reach`], through cover all the way.
    pub(super) fn reach_through_cover(&self, from: PostId, known: Enemies) -> Distances {
        self.spread(from, Edge::plain_cost, &|edge| {
            self.post(edge.to).is_cover && self.is_legal(edge, known)
        })
    }

    /// Least MF that must really be spent from the start to all posts, those to leave works and
    /// shellholes included.
    pub(super) fn outlay(&self, known: Enemies) -> Distances {
        self.spread(self.start, |edge| edge.cost, &|edge| self.is_legal(edge, known))
    }

    fn spread(
        &self,
        from: PostId,
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

    /// Least MF from each post to a Location, over steps that are legal with those enemies Known.
    pub(super) fn ways_to(&self, goal: Site, known: Enemies) -> Distances {
        self.memo.ways.get((known, goal, false), || self.gather(goal, known, false))
    }

    /// The same through cover all the way.
    pub(super) fn ways_through_cover(&self, goal: Site, known: Enemies) -> Distances {
        self.memo.ways.get((known, goal, true), || self.gather(goal, known, true))
    }

    /// As [`RoutMap::reach`] spreads, but back from the end. A step always costs something, so a
    /// post is done when its turn comes.
    fn gather(&self, goal: Site, known: Enemies, in_cover: bool) -> Distances {
        let mut least: Vec<u8> = self
            .posts
            .iter()
            .map(|post| if post.site == goal { 0 } else { OUT_OF_REACH })
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
