//! The options of a routing unit at the start, with the facts that a player looks up on the map.

use super::field::Edge;
use super::march::{RoutMove, RoutProgress};
use super::process::{Rout, RoutState};
use super::reach::{InReach, Viewpoint};
use super::situation::Enemies;
use super::verdict::numbers;
use crate::board::map::Location;
use crate::unit::Unit;
use engine::process::{Process as _, Silent};

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

/// A reason for or against a Location as a destination, with its rule and the enemies concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub rule: &'static str,
    pub text: String,
    pub enemies: Vec<usize>,
}

impl Explanation {
    fn new(rule: &'static str, text: impl Into<String>, enemies: Enemies) -> Explanation {
        Explanation { rule, text: text.into(), enemies: numbers(enemies) }
    }
}

/// The first action in a rout that the owner chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FirstAction {
    Step(Location),
    Crawl(Location),
    Stay,
}

/// The result of a finished rout.
pub(crate) struct RoutResult {
    pub location: Location,
    pub sheltered: bool,
    pub unit: Unit,
    /// The concealed enemies that the unit has revealed (10.533).
    pub met: Enemies,
}

impl Rout {
    /// Returns the options of the unit at the start of its rout.
    pub fn outlook(&self) -> Outlook {
        let field = &self.field;
        let march = field.beginning();
        let left = field.allotment;
        let free = super::march::March { phase: RoutProgress::Free, ..march };
        let first_steps =
            sorted(field.moves(&free, left, true).into_iter().filter_map(|chosen| match chosen {
                RoutMove::Step(place) => {
                    Some(field.post(field.post(march.post).edges[usize::from(place)].to).location)
                }
                _ => None,
            }));
        let viewpoint = Viewpoint { post: march.post, left, known: march.known, at_start: true };
        let outlay = field.outlay(march.known);
        let mut interdicted: Vec<(Location, Enemies)> = Vec::new();
        for (post, spent) in
            field.posts.iter().zip(outlay.iter()).filter(|(_, spent)| **spent <= left)
        {
            for edge in post.edges.iter().filter(|edge| field.is_legal(edge, march.known)) {
                let interdictors = field.interdictors(edge, march.known);
                let whole = if *spent == 0 { Some(left) } else { None };
                let cost = edge.cost.or(whole);
                if interdictors == 0 || cost.is_none_or(|cost| spent + cost > left) {
                    continue;
                }
                let to = field.post(edge.to).location;
                match interdicted.iter_mut().find(|(location, _)| *location == to) {
                    Some((_, by)) => *by |= interdictors,
                    None => interdicted.push((to, interdictors)),
                }
            }
        }
        interdicted.sort();
        Outlook {
            known: numbers(march.known),
            first_steps,
            choice: field.choice(viewpoint).as_ref().clone(),
            low_crawl: sorted(
                field.crawls(&march, left).into_iter().map(|post| field.post(post).location),
            ),
            interdicted: interdicted
                .into_iter()
                .map(|(location, by)| (location, numbers(by)))
                .collect(),
        }
    }

    /// Returns the reasons why a Location can or cannot be the destination of the rout (10.51).
    pub fn explain(&self, location: Location) -> Vec<Explanation> {
        let field = &self.field;
        let march = field.beginning();
        let choice = field.choice(Viewpoint {
            post: march.post,
            left: field.allotment,
            known: march.known,
            at_start: true,
        });
        let mut reasons = Vec::new();
        if location == field.post(field.start).location {
            reasons.push(Explanation::new("10.5", "it is where the rout begins", 0));
        }
        let posts: Vec<usize> =
            (0..field.posts.len()).filter(|&post| field.posts[post].location == location).collect();
        let Some(&first) = posts.first() else {
            reasons.push(Explanation::new("10.5", "it is farther than the unit's MF", 0));
            return reasons;
        };
        if let Some(cover) = choice.cover.iter().find(|cover| cover.location == location) {
            let mf = crate::board::terrain::Mf::halves(cover.cost);
            reasons.push(Explanation::new("10.51", format!("cover, {mf} MF away"), 0));
            if cover.is_ignorable {
                let home = field.posts[first].is_home_building;
                let text = if home {
                    "may be ignored: a hex of its own building"
                } else {
                    "may be ignored: no farther from a Known enemy"
                };
                reasons.push(Explanation::new("10.51", text, 0));
            }
            let verdict = if cover.is_destination {
                "may be declared the destination"
            } else {
                "other cover is nearer and must be taken"
            };
            reasons.push(Explanation::new("10.51", verdict, 0));
        } else if !posts.iter().any(|&post| field.posts[post].is_cover) {
            reasons.push(Explanation::new("10.51", "it is neither woods nor building", 0));
        } else {
            reasons.push(Explanation::new(
                "10.51",
                "no legal way leads there within the unit's MF",
                0,
            ));
        }
        reasons.extend(self.bars_into(first, march.known));
        reasons
    }

    /// Returns the reasons why Known enemies bar every step into the node `to`.
    fn bars_into(&self, to: usize, known: Enemies) -> Vec<Explanation> {
        let field = &self.field;
        let held = field.posts[to].held_by & known;
        let into = || {
            field
                .posts
                .iter()
                .flat_map(|post| &post.edges)
                .filter(|edge| usize::from(edge.to) == to)
        };
        let mut bars = Vec::new();
        if held != 0 {
            bars.push(Explanation::new("10.51", "a Known enemy is there", held));
        }
        let always = |of: fn(&Edge) -> Enemies| {
            into().map(of).fold(Enemies::MAX, |all, one| all & one) & known
        };
        let adjacent =
            if into().next().is_some() { always(|edge| edge.adjacent) & !held } else { 0 };
        if adjacent != 0 {
            bars.push(Explanation::new("10.51", "it is ADJACENT to", adjacent));
        }
        bars
    }

    /// Returns the action of a move, or `None` if it declares a destination, goes free or stops.
    pub fn first_action(&self, state: &RoutState, chosen: RoutMove) -> Option<FirstAction> {
        let location = |post| self.field.post(post).location;
        match chosen {
            RoutMove::Stay => Some(FirstAction::Stay),
            RoutMove::Crawl(post) => Some(FirstAction::Crawl(location(post))),
            RoutMove::Step(place) => Some(FirstAction::Step(location(
                self.field.post(state.march.post).edges[usize::from(place)].to,
            ))),
            RoutMove::Stop | RoutMove::Declare(_) | RoutMove::GoFree => None,
        }
    }

    /// Returns the Location of the unit, and the MF it has spent, in halves.
    pub fn position(&self, state: &RoutState) -> (Location, u8) {
        (self.field.post(state.march.post).location, state.march.spent)
    }

    /// Returns the progress of the rout.
    pub fn phase(&self, state: &RoutState) -> RoutProgress {
        state.march.phase
    }

    /// Returns whether the unit has left the node where its rout began.
    pub fn has_moved(&self, state: &RoutState) -> bool {
        state.march.post != self.field.start
    }

    /// Returns the Location that a move enters or declares, or `None` if it does neither.
    pub fn target(&self, state: &RoutState, chosen: RoutMove) -> Option<Location> {
        match chosen {
            RoutMove::Declare(location) => Some(location),
            RoutMove::Crawl(post) => Some(self.field.post(post).location),
            RoutMove::Step(place) => Some(
                self.field
                    .post(self.field.post(state.march.post).edges[usize::from(place)].to)
                    .location,
            ),
            RoutMove::Stay | RoutMove::Stop | RoutMove::GoFree => None,
        }
    }

    /// Returns whether an enemy or a Blaze gives the unit DM at the start of the RtPh (10.62).
    pub(crate) fn gains_dm(&self) -> bool {
        self.field.gives_dm(self.field.beginning().known) != 0 || self.field.burns
    }

    pub(crate) fn rout_result(&self, state: &RoutState) -> RoutResult {
        let post = self.field.post(state.march.post);
        let met = state.march.known & self.field.concealed;
        RoutResult {
            location: post.location,
            sheltered: post.sheltered,
            unit: *state.location.unit(0),
            met,
        }
    }

    pub(super) fn after_each(&self, state: &RoutState, moves: &[RoutMove]) -> Vec<RoutState> {
        let after = |&chosen: &RoutMove| {
            let mut next = state.clone();
            self.make(&mut next, chosen, &mut Silent);
            next
        };
        moves.iter().map(after).collect()
    }

    /// Returns the state after the owner or the enemy has chosen the option with this index.
    pub fn after(&self, state: &RoutState, option: usize) -> RoutState {
        let mut next = state.clone();
        self.choose(&mut next, option, &mut Silent);
        next
    }
}

fn sorted(locations: impl Iterator<Item = Location>) -> Vec<Location> {
    let mut locations: Vec<Location> = locations.collect();
    locations.sort();
    locations.dedup();
    locations
}
