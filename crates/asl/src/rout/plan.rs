//! Plans of a rout, and the rout under a plan as a process with fewer choices.

use std::collections::BTreeSet;

use super::field::{Distances, OUT_OF_REACH, RoutNodeId, START};
use super::march::{March, Moves, RoutMove, RoutPlan, RoutProgress};
use super::process::{Rout, RoutState};
use crate::board::map::Location;
use engine::process::{Process as _, Silent};

/// The distance of each node to the next goal, and from the goal to the end, in half MF. Without
/// the second every legal step keeps the plan, and with `None` no step does.
type Further = Option<(Distances, Option<u8>)>;

impl Rout {
    /// Returns the moves of the owner in a state. The index of a move is its option.
    pub fn moves(&self, state: &RoutState) -> Moves {
        let moves = self.all_moves(state);
        let Some((plan, shortest)) = self.plan else { return moves };
        let march = &state.march;
        let further = self.further(march, plan);
        let at_end = Some(self.field.post(march.post).location) == plan.end();
        let keeps = |&chosen: &RoutMove| match (chosen, plan) {
            (RoutMove::Stay, plan) => plan == RoutPlan::Stay,
            (RoutMove::Crawl(post), plan) => {
                plan == RoutPlan::Crawl(self.field.post(post).location)
            }
            (RoutMove::GoFree, plan) => matches!(plan, RoutPlan::Free { .. }),
            (RoutMove::Declare(to), RoutPlan::Destination { declared, .. }) => to == declared,
            (RoutMove::Declare(_), _) => false,
            (RoutMove::Stop, _) => at_end || march.may_stop,
            (RoutMove::Step(_), _) if at_end => false,
            (RoutMove::Step(place), _) => self.leads_on(state, place, shortest, &further),
        };
        let kept: Moves = moves.iter().copied().filter(keeps).collect();
        if kept.is_empty() { moves } else { kept }
    }

    /// Returns the distances to the plan's end, which stay in cover beyond a declared destination.
    fn further(&self, march: &March, plan: RoutPlan) -> Further {
        let field = &self.field;
        let through_cover = |end| field.ways_through_cover(end, march.known);
        let (RoutPlan::Destination { end, .. } | RoutPlan::Free { end }) = plan else {
            return None;
        };
        match march.phase {
            RoutProgress::Bound(goal) if goal == end => {
                Some((field.ways_to(goal, march.known), None))
            }
            RoutProgress::Bound(goal) => {
                let beyond = field.posts.iter().position(|post| post.location == goal);
                let beyond = beyond.map_or(OUT_OF_REACH, |post| through_cover(end)[post]);
                Some((field.ways_to(goal, march.known), Some(beyond)))
            }
            RoutProgress::Arrived => Some((through_cover(end), Some(0))),
            RoutProgress::Free => Some((field.ways_to(end, march.known), Some(0))),
            RoutProgress::Start | RoutProgress::Refiguring | RoutProgress::Over(_) => None,
        }
    }

    /// Returns whether the end of the plan is still within reach after the step with index `step`.
    fn leads_on(&self, state: &RoutState, step: u8, shortest: bool, further: &Further) -> bool {
        let (field, march) = (&self.field, &state.march);
        let edge = &field.post(march.post).edges[usize::from(step)];
        let Some((ways, beyond)) = further else { return false };
        if shortest && !field.is_shortest(ways, march.post, edge) {
            return false;
        }
        let Some(beyond) = beyond else { return true };
        let further = ways[usize::from(edge.to)].saturating_add(*beyond);
        edge.cost.map_or(further == 0, |cost| cost.saturating_add(further) <= self.left(state))
    }

    /// Returns every plan possible with the enemies Known at the start, grouped by first move.
    pub fn plans(&self) -> Vec<RoutPlan> {
        let mut plans = Vec::new();
        let state = self.start(&mut Silent);
        let (march, left) = (state.march, self.left(&state));
        if matches!(march.phase, RoutProgress::Over(_)) {
            return vec![RoutPlan::Stay];
        }
        let outlay = self.field.outlay(march.known);
        for chosen in self.moves(&state) {
            match chosen {
                RoutMove::Stay => plans.push(RoutPlan::Stay),
                RoutMove::Crawl(post) => {
                    plans.push(RoutPlan::Crawl(self.field.post(post).location))
                }
                RoutMove::Declare(declared) => {
                    let is_there = |post: usize| self.field.posts[post].location == declared;
                    let there: Vec<usize> =
                        (0..outlay.len()).filter(|&post| is_there(post)).collect();
                    let Some(spent) = there.iter().map(|&post| outlay[post]).min() else {
                        continue;
                    };
                    let goal = there[0] as RoutNodeId;
                    let on = self.field.reach_through_cover(goal, march.known);
                    let ends =
                        self.ends(|post| is_there(post) || spent.saturating_add(on[post]) <= left);
                    plans.extend(ends.map(|end| RoutPlan::Destination { declared, end }));
                }
                RoutMove::GoFree => {
                    let ends = self.ends(|post| outlay[post] <= left);
                    plans.extend(ends.map(|end| RoutPlan::Free { end }));
                }
                RoutMove::Step(_) | RoutMove::Stop => {}
            }
        }
        plans
    }

    /// Returns the Locations of the nodes that satisfy `fit`, sorted and without the start.
    fn ends(&self, fit: impl Fn(usize) -> bool) -> impl Iterator<Item = Location> {
        let posts = self.field.posts.iter().enumerate().filter(|&(post, _)| fit(post));
        let mut ends: BTreeSet<Location> = posts.map(|(_, post)| post.location).collect();
        ends.remove(&self.field.post(START).location);
        ends.into_iter()
    }
}
