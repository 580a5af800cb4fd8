//! Distances of nodes in half MF, without works except in `outlay`, and destinations (10.51).

use std::sync::Arc;

use super::field::{
    Cover, Distances, Edge, InReach, OUT_OF_REACH, RoutMap, RoutNode, RoutNodeId, START, Viewpoint,
};
use super::situation::{Enemies, each};
use crate::board::map::Location;
use crate::rulebook::Switch;

impl RoutMap {
    /// Returns distances in half MF over legal steps. A unit not yet moved may use all MF for one.
    pub(super) fn reach(&self, from: RoutNodeId, known: Enemies) -> Distances {
        let legal = |edge: &Edge| self.is_legal(edge, known);
        self.memo.reaches.get((known, from), || self.spread(from, Edge::plain_cost, &legal))
    }

    /// Returns the distances in half MF from a node, over legal steps that stay in cover.
    pub(super) fn reach_through_cover(&self, from: RoutNodeId, known: Enemies) -> Distances {
        self.spread(from, Edge::plain_cost, &|edge| {
            self.post(edge.to).is_cover && self.is_legal(edge, known)
        })
    }

    /// Returns the half MF spent from the start to each node, including works and shellholes.
    pub(super) fn outlay(&self, known: Enemies) -> Distances {
        self.spread(START, |edge| edge.cost, &|edge| self.is_legal(edge, known))
    }

    fn spread(
        &self,
        from: RoutNodeId,
        cost: fn(&Edge) -> Option<u8>,
        legal: &dyn Fn(&Edge) -> bool,
    ) -> Distances {
        let mut least = vec![OUT_OF_REACH; self.posts.len()];
        least[usize::from(from)] = 0;
        for spent in 0..=self.bearing.allotment {
            for post in 0..self.posts.len() {
                if least[post] != spent {
                    continue;
                }
                for edge in self.posts[post].edges.iter().filter(|edge| legal(edge)) {
                    let is_first = from == START && spent == 0;
                    let whole = is_first.then_some(self.bearing.allotment);
                    let Some(cost) = cost(edge).or(whole) else { continue };
                    let to = &mut least[usize::from(edge.to)];
                    *to = (*to).min(spent.saturating_add(cost));
                }
            }
        }
        least.into()
    }

    /// Returns the distance from each node to a Location in half MF, over legal steps.
    pub(super) fn ways_to(&self, goal: Location, known: Enemies) -> Distances {
        self.memo.ways.get((known, goal, false), || self.gather(goal, known, false))
    }

    /// Returns the distance from each node to a Location in half MF, over legal steps in cover.
    pub(super) fn ways_through_cover(&self, goal: Location, known: Enemies) -> Distances {
        self.memo.ways.get((known, goal, true), || self.gather(goal, known, true))
    }

    /// Computes distances backwards from the goal. Every step costs at least half a MF, so a
    /// distance is final when the loop reaches it.
    fn gather(&self, goal: Location, known: Enemies, in_cover: bool) -> Distances {
        let start = |post: &RoutNode| if post.location == goal { 0 } else { OUT_OF_REACH };
        let mut least: Vec<u8> = self.posts.iter().map(start).collect();
        for further in 0..=self.bearing.allotment {
            for to in 0..self.posts.len() {
                if least[to] != further || (in_cover && !self.posts[to].is_cover) {
                    continue;
                }
                for &(from, place) in &self.posts[to].ways_in {
                    let edge = &self.post(from).edges[usize::from(place)];
                    let Some(cost) = edge.plain_cost() else { continue };
                    let (sum, from) = (further.saturating_add(cost), &mut least[usize::from(from)]);
                    if sum < *from && sum <= self.bearing.allotment && self.is_legal(edge, known) {
                        *from = sum;
                    }
                }
            }
        }
        least.into()
    }

    /// Returns the cover within reach and what can be declared the destination (10.51): the nearest
    /// that may not be ignored, and ignorable cover no farther. The hex of the start is not cover.
    /// That of a re-figuring is (I-63), unless a Known enemy would eliminate the unit there.
    pub(super) fn choice(&self, outlook: Viewpoint) -> Arc<InReach> {
        self.memo.choices.get(outlook, || Arc::new(self.choice_of(outlook)))
    }

    fn choice_of(&self, outlook: Viewpoint) -> InReach {
        let Viewpoint { post, left, known, at_start } = outlook;
        let reach = self.reach(post, known);
        // By interpretation I-13 all steps count.
        let measured = match self.chooses(Switch::CoverByAnyRoute) {
            true => self.spread(post, Edge::plain_cost, &|_| true),
            false => reach.clone(),
        };
        let mut cover: Vec<Cover> = Vec::new();
        for (place, to) in self.posts.iter().enumerate().filter(|(_, to)| to.is_cover) {
            let cost = measured[place];
            let here = to.location == self.post(post).location;
            let stays = here
                && !at_start
                && !self.chooses(Switch::MustLeaveCover)
                && !self.is_trapped(post, known);
            if reach[place] > left
                || (here && !stays)
                || self.is_barred_as_destination(place as RoutNodeId, known)
            {
                continue;
            }
            match cover.iter_mut().find(|known| known.location == to.location) {
                Some(other) => other.cost = other.cost.min(cost),
                None => {
                    let is_ignorable = self.is_ignorable(place as RoutNodeId, outlook);
                    let location = to.location;
                    cover.push(Cover { location, cost, is_ignorable, is_destination: false });
                }
            }
        }
        let binding = cover.iter().filter(|cover| !cover.is_ignorable).map(|cover| cover.cost);
        let nearest = binding.min().unwrap_or(OUT_OF_REACH);
        for cover in &mut cover {
            cover.is_destination =
                if cover.is_ignorable { cover.cost <= nearest } else { cover.cost == nearest };
        }
        cover.sort_by_key(|cover| (cover.cost, cover.location));
        let is_free = nearest == OUT_OF_REACH || !cover.iter().any(|cover| cover.is_destination);
        InReach { cover, is_free }
    }

    /// Returns whether a node cannot be a destination. In the Starter Kit a full hex cannot (5.1,
    /// I-39). By the alternative of interpretation I-54 the hex of an unconcealed enemy cannot.
    fn is_barred_as_destination(&self, post: RoutNodeId, known: Enemies) -> bool {
        let to = self.post(post);
        let full = to.overstack > 0
            && self.chooses(Switch::FullHexBars)
            && !self.chooses(Switch::FullHexTestedOnArrival);
        let taken =
            to.held_by & !self.concealed & !known != 0 && self.chooses(Switch::PlainViewBars);
        full || taken
    }

    /// Returns whether the owner may ignore cover (10.51): no farther from a Known enemy than the
    /// start, or in the same building. I-14, I-38 and I-63 decide which of them count.
    fn is_ignorable(&self, post: RoutNodeId, outlook: Viewpoint) -> bool {
        let refigured = self.chooses(Switch::NoFartherThanRefigured);
        let from = if refigured { outlook.post } else { START };
        let in_los = self.chooses(Switch::OnlyEnemiesInLos);
        let counted =
            outlook.known & if in_los { self.post(outlook.post).seen_by } else { Enemies::MAX };
        let no_farther = |enemy: usize| self.range(post, enemy) <= self.range(from, enemy);
        let each = || each(counted);
        let by_range = if self.chooses(Switch::NoFartherFromAll) {
            counted != 0 && each().all(no_farther)
        } else if self.chooses(Switch::NoFartherFromNearest) {
            let nearest = each().map(|enemy| self.range(from, enemy)).min();
            each().any(|enemy| Some(self.range(from, enemy)) == nearest && no_farther(enemy))
        } else {
            each().any(no_farther)
        };
        by_range || self.post(post).is_home_building
    }
}
