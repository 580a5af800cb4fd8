//! The options of a routing unit at the start, with the facts that a player looks up on the map.

use std::collections::BTreeMap;

use super::field::{Edge, InReach, RoutMap, START};
use super::march::{RoutMove, RoutProgress};
use super::process::{Rout, RoutState};
use super::situation::{Enemies, numbers};
use super::verdict::Reason;
use crate::board::map::Location;
use crate::board::terrain::Mf;

/// The options of a unit at the start of its rout, limited only by the enemies Known then. Enemies
/// are given by their indices in the situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    pub known: Vec<usize>,
    /// The Locations that the first step of the unit can enter (10.51).
    pub first_steps: Vec<Location>,
    /// The cover within reach.
    pub choice: InReach,
    /// The Locations that a Low Crawl can reach (10.52).
    pub low_crawl: Vec<Location>,
    /// The Locations within reach whose entry is Interdicted (10.53), each with the unconcealed
    /// enemies that Interdict it, Known or not.
    pub interdicted: Vec<(Location, Vec<usize>)>,
}

/// The first action in a rout that the owner chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FirstAction {
    Step(Location),
    Crawl(Location),
    Stay,
}

impl RoutMap {
    fn interdicted(&self, known: Enemies) -> BTreeMap<Location, Enemies> {
        let (left, outlay) = (self.bearing.allotment, self.outlay(known));
        let mut interdicted: BTreeMap<Location, Enemies> = BTreeMap::new();
        for (post, &spent) in self.posts.iter().zip(outlay.iter()).filter(|(_, at)| **at <= left) {
            for edge in post.edges.iter().filter(|edge| self.is_legal(edge, known)) {
                let interdictors = self.interdictors(edge, known);
                let cost = edge.cost.or((spent == 0).then_some(left));
                if interdictors != 0 && cost.is_some_and(|cost| spent + cost <= left) {
                    *interdicted.entry(self.post(edge.to).location).or_default() |= interdictors;
                }
            }
        }
        interdicted
    }

    /// Returns the reasons why Known enemies bar every step into the node `to`.
    fn bars_into(&self, to: usize, known: Enemies) -> Vec<Reason> {
        let held = self.posts[to].held_by & known;
        let edges = self.posts.iter().flat_map(|post| &post.edges);
        let into = edges.filter(|edge: &&Edge| usize::from(edge.to) == to);
        let always = into.map(|edge| edge.adjacent).reduce(|all, one| all & one);
        let bars = [
            ("a Known enemy is there", held),
            ("it is ADJACENT to", always.unwrap_or(0) & known & !held),
        ];
        let bars = bars.into_iter().filter(|(_, enemies)| *enemies != 0);
        bars.map(|(text, enemies)| Reason::new("10.51", text, enemies)).collect()
    }
}

impl Rout {
    /// Returns the options of the unit at the start of its rout.
    pub fn outlook(&self) -> Outlook {
        let (field, march) = (&self.field, self.field.beginning());
        let left = field.bearing.allotment;
        let steps = field.steps(&march, left).into_iter();
        let crawls = field.crawls(&march, left).into_iter();
        let interdicted = field.interdicted(march.known).into_iter();
        Outlook {
            known: numbers(march.known),
            first_steps: sorted(steps.filter_map(|step| field.target(&march, step))),
            choice: field.choice(march.viewpoint(left, true)).as_ref().clone(),
            low_crawl: sorted(crawls.map(|post| field.post(post).location)),
            interdicted: interdicted.map(|(location, by)| (location, numbers(by))).collect(),
        }
    }

    /// Returns the reasons why a Location can or cannot be the destination of the rout (10.51).
    pub fn explain(&self, location: Location) -> Vec<Reason> {
        let (field, march) = (&self.field, self.field.beginning());
        let choice = field.choice(march.viewpoint(field.bearing.allotment, true));
        let reason = |rule, text: &str| Reason::new(rule, text, 0);
        let mut reasons = Vec::new();
        if location == field.post(START).location {
            reasons.push(reason("10.5", "it is where the rout begins"));
        }
        let there =
            || (0..field.posts.len()).filter(|&post| field.posts[post].location == location);
        let Some(first) = there().next() else {
            reasons.push(reason("10.5", "it is farther than the unit's MF"));
            return reasons;
        };
        if let Some(cover) = choice.cover.iter().find(|cover| cover.location == location) {
            reasons.push(reason("10.51", &format!("cover, {} MF away", Mf::halves(cover.cost))));
            if cover.is_ignorable {
                let why = match field.posts[first].is_home_building {
                    true => "may be ignored: a hex of its own building",
                    false => "may be ignored: no farther from a Known enemy",
                };
                reasons.push(reason("10.51", why));
            }
            let verdict = match cover.is_destination {
                true => "may be declared the destination",
                false => "other cover is nearer and must be taken",
            };
            reasons.push(reason("10.51", verdict));
        } else if there().any(|post| field.posts[post].is_cover) {
            reasons.push(reason("10.51", "no legal way leads there within the unit's MF"));
        } else {
            reasons.push(reason("10.51", "it is neither woods nor building"));
        }
        reasons.extend(field.bars_into(first, march.known));
        reasons
    }

    /// Returns the states after each move and its action, `None` to declare, go free or stop.
    pub(crate) fn first_actions(
        &self,
        state: &RoutState,
    ) -> impl Iterator<Item = (Option<FirstAction>, RoutState)> {
        let moves = self.moves(state);
        let after = self.next_states(state);
        let action = |&chosen: &RoutMove| match (chosen, self.target(state, chosen)) {
            (RoutMove::Stay, _) => Some(FirstAction::Stay),
            (RoutMove::Crawl(_), Some(location)) => Some(FirstAction::Crawl(location)),
            (RoutMove::Step(_), Some(location)) => Some(FirstAction::Step(location)),
            _ => None,
        };
        moves.iter().map(action).collect::<Vec<_>>().into_iter().zip(after)
    }

    /// Returns the Location of the unit, and the MF it has spent, in halves.
    pub fn position(&self, state: &RoutState) -> (Location, u8) {
        (self.field.post(state.march.post).location, state.march.spent)
    }

    pub(crate) fn is_sheltered(&self, state: &RoutState) -> bool {
        self.field.post(state.march.post).sheltered
    }

    /// Returns the progress of the rout.
    pub fn phase(&self, state: &RoutState) -> RoutProgress {
        state.march.phase
    }

    /// Returns whether the unit has left the node where its rout began.
    pub fn has_moved(&self, state: &RoutState) -> bool {
        state.march.post != START
    }

    /// Returns the Location that a move enters or declares, or `None` if it does neither.
    pub fn target(&self, state: &RoutState, chosen: RoutMove) -> Option<Location> {
        self.field.target(&state.march, chosen)
    }

    /// Returns whether an enemy or a Blaze gives the unit DM at the start of the RtPh (10.62).
    pub(crate) fn gains_dm(&self) -> bool {
        self.field.gives_dm(self.field.beginning().known) != 0 || self.field.burns()
    }

    /// Returns the concealed enemies that the unit has revealed (10.533).
    pub(crate) fn met(&self, state: &RoutState) -> Enemies {
        state.march.known & self.field.concealed
    }
}

fn sorted(locations: impl Iterator<Item = Location>) -> Vec<Location> {
    let mut locations: Vec<Location> = locations.collect();
    locations.sort();
    locations.dedup();
    locations
}
