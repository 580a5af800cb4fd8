//! Destinations of a rout (10.51): the nearest cover, cover that may be ignored, and when the unit
//! is free to go anywhere.

use std::sync::Arc;

use super::distance::OUT_OF_REACH;
use super::field::{Enemies, RoutMap, RoutNodeId, each};
use crate::board::map::Location;
use crate::rulebook::Switch;

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
    /// Whether the rout starts here.
    pub at_start: bool,
}

impl RoutMap {
    /// Returns the nearest cover, and the cover that may be declared instead (10.51).
    ///
    /// Among cover that may not be ignored only the nearest counts. Cover that may be ignored
    /// counts if it is no farther. The hex in which the unit starts is not cover. When a unit
    /// re-figures in a cover hex, that hex is cover (I-63) unless a Known enemy there would
    /// eliminate it.
    pub(super) fn choice(&self, outlook: Viewpoint) -> Arc<InReach> {
        self.memo.choices.get(outlook, || Arc::new(self.choice_of(outlook)))
    }

    fn choice_of(&self, outlook: Viewpoint) -> InReach {
        let Viewpoint { post, left, known, at_start } = outlook;
        let reach = self.reach(post, known);
        let measured = if self.rulebook.chooses(Switch::CoverByAnyRoute) {
            self.reach_of_all(post)
        } else {
            reach.clone()
        };
        let mut cover: Vec<Cover> = Vec::new();
        for (place, to) in self.posts.iter().enumerate().filter(|(_, to)| to.is_cover) {
            let cost = measured[place];
            let here = to.location == self.post(post).location;
            let stays = here
                && !at_start
                && !self.rulebook.chooses(Switch::MustLeaveCover)
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
                    cover.push(Cover {
                        location: to.location,
                        cost,
                        is_ignorable,
                        is_destination: false,
                    });
                }
            }
        }
        let nearest = cover
            .iter()
            .filter(|cover| !cover.is_ignorable)
            .map(|cover| cover.cost)
            .min()
            .unwrap_or(OUT_OF_REACH);
        for cover in &mut cover {
            cover.is_destination =
                if cover.is_ignorable { cover.cost <= nearest } else { cover.cost == nearest };
        }
        cover.sort_by_key(|cover| (cover.cost, cover.location));
        let is_free = nearest == OUT_OF_REACH || !cover.iter().any(|cover| cover.is_destination);
        InReach { cover, is_free }
    }

    /// Returns whether a post cannot be a destination. In the Starter Kit a full hex cannot (5.1,
    /// I-39). By the alternative of I-54 a hex of an enemy in plain view cannot.
    fn is_barred_as_destination(&self, post: RoutNodeId, known: Enemies) -> bool {
        let to = self.post(post);
        let full = to.overstack > 0
            && self.rulebook.chooses(Switch::FullHexBars)
            && !self.rulebook.chooses(Switch::FullHexTestedOnArrival);
        let taken = to.held_by & !self.concealed & !known != 0
            && self.rulebook.chooses(Switch::PlainViewBars);
        full || taken
    }

    /// Returns whether cover may be ignored (10.51). It is no farther from a Known enemy than the
    /// hex where the rout began (I-38), or it belongs to the building where the rout began. I-14
    /// says from which enemies, and I-63 which of them count.
    fn is_ignorable(&self, post: RoutNodeId, outlook: Viewpoint) -> bool {
        let from = if self.rulebook.chooses(Switch::NoFartherThanRefigured) {
            outlook.post
        } else {
            self.start
        };
        let counted = if self.rulebook.chooses(Switch::OnlyEnemiesInLos) {
            outlook.known & self.post(outlook.post).seen_by
        } else {
            outlook.known
        };
        let no_farther = |enemy: u32| self.range(post, enemy) <= self.range(from, enemy);
        let each = || each(counted);
        let by_range = if self.rulebook.chooses(Switch::NoFartherFromAll) {
            counted != 0 && each().all(no_farther)
        } else if self.rulebook.chooses(Switch::NoFartherFromNearest) {
            let nearest = each().map(|enemy| self.range(from, enemy)).min();
            each().any(|enemy| Some(self.range(from, enemy)) == nearest && no_farther(enemy))
        } else {
            each().any(no_farther)
        };
        by_range || self.post(post).is_home_building
    }
}
