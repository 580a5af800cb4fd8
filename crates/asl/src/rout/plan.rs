//! Plans of a rout, and the rout under a plan as a process with fewer choices.

use std::collections::BTreeSet;

use super::field::START;
use super::march::{March, Moves, RoutMove, RoutProgress};
use super::process::{Rout, RoutOutcome, RoutState};
use super::reach::{Distances, OUT_OF_REACH, RoutNodeId};
use crate::board::map::Location;
use crate::vocabulary::terms::Terms;
use engine::process::{Due, Log, Player, Process, Wrapper};

/// A plan of the owner for a rout: its first action, and the Location where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoutPlan {
    Stay,
    /// A Low Crawl to this Location (10.52).
    Crawl(Location),
    /// A rout to a declared destination, and possibly on through cover (10.51).
    Destination {
        declared: Location,
        end: Location,
    },
    Free {
        end: Location,
    },
}

impl RoutPlan {
    /// Returns the kind of the plan in words.
    pub const fn kind(self) -> &'static str {
        match self {
            RoutPlan::Stay => "stay",
            RoutPlan::Crawl(_) => "Low Crawl",
            RoutPlan::Destination { .. } => "run",
            RoutPlan::Free { .. } => "rout freely",
        }
    }

    /// Returns the Location where the rout ends, or `None` if the unit stays.
    pub fn end(self) -> Option<Location> {
        match self {
            RoutPlan::Stay => None,
            RoutPlan::Crawl(end) | RoutPlan::Destination { end, .. } | RoutPlan::Free { end } => {
                Some(end)
            }
        }
    }
}

/// A rout under a plan. While the plan is possible, the owner makes only moves that keep it. If a
/// wound or a newly Known enemy makes it impossible, every move is open again.
#[derive(Clone, Copy)]
pub struct Planned<'a> {
    pub rout: &'a Rout,
    pub plan: RoutPlan,
    /// Whether the unit takes only routes with the fewest MF, whatever the risk.
    pub shortest: bool,
}

impl Planned<'_> {
    /// Returns the moves in a state that keep the plan, or all possible moves if none does.
    pub fn moves(&self, state: &RoutState) -> Moves {
        let moves = self.rout.moves(state);
        let left = self.rout.left(state);
        let further = self.further(&state.march);
        let keeps = |&chosen: &RoutMove| self.keeps(&state.march, chosen, left, &further);
        let kept: Moves = moves.iter().copied().filter(keeps).collect();
        if kept.is_empty() { moves } else { kept }
    }

    fn keeps(&self, march: &March, chosen: RoutMove, left: u8, further: &Further) -> bool {
        let location = |post: RoutNodeId| self.rout.field.post(post).location;
        let at_end = Some(location(march.post)) == self.plan.end();
        match (chosen, self.plan) {
            (RoutMove::Stay, plan) => plan == RoutPlan::Stay,
            (RoutMove::Crawl(post), plan) => plan == RoutPlan::Crawl(location(post)),
            (RoutMove::GoFree, plan) => matches!(plan, RoutPlan::Free { .. }),
            (RoutMove::Declare(to), RoutPlan::Destination { declared, .. }) => to == declared,
            (RoutMove::Declare(_), _) => false,
            (RoutMove::Stop, _) => at_end || march.may_stop,
            (RoutMove::Step(_), _) if at_end => false,
            (RoutMove::Step(place), _) => self.leads_on(march, place, left, further),
        }
    }

    /// Returns the distances to the plan's end, which stay in cover beyond a declared destination.
    fn further(&self, march: &March) -> Further {
        let field = &self.rout.field;
        let through_cover = |end| field.ways_through_cover(end, march.known);
        let (RoutPlan::Destination { end, .. } | RoutPlan::Free { end }) = self.plan else {
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
    fn leads_on(&self, march: &March, step: u8, left: u8, further: &Further) -> bool {
        let field = &self.rout.field;
        let edge = &field.post(march.post).edges[usize::from(step)];
        let Some((ways, beyond)) = further else { return false };
        if self.shortest && !field.is_shortest(ways, march.post, edge) {
            return false;
        }
        let Some(beyond) = beyond else { return true };
        let further = ways[usize::from(edge.to)].saturating_add(*beyond);
        edge.cost.map_or(further == 0, |cost| cost.saturating_add(further) <= left)
    }
}

/// The distance of each node to the next goal, and from the goal to the end, in half MF. Without
/// the second every legal step keeps the plan, and with `None` no step does.
type Further = Option<(Distances, Option<u8>)>;

impl Wrapper for Planned<'_> {
    type Inner = Rout;
    type State = RoutState;
    type Outcome = RoutOutcome;

    fn process(&self) -> &Rout {
        self.rout
    }
    fn due(&self, state: &RoutState) -> Due<Terms> {
        match self.rout.due(state) {
            Due::Choice { player: Player::Owner, .. } => {
                Due::Choice { player: Player::Owner, options: self.moves(state).len() }
            }
            other => other,
        }
    }
    fn choose<L: Log>(&self, state: &mut RoutState, option: usize, log: &mut L) {
        match state.ambush {
            Some(_) => self.rout.choose(state, option, log),
            None => self.rout.make(state, self.moves(state)[option], log),
        }
    }
    fn followers(&self, state: &RoutState, _: usize) -> Vec<RoutState> {
        self.rout.followers_by(state, || self.moves(state))
    }
    fn report(&self, state: &RoutState, observe: &mut impl FnMut(RoutOutcome)) {
        self.rout.report(state, observe);
    }
}

impl Rout {
    /// Returns every plan that is possible with the enemies Known at the start. Plans with the same
    /// first move are adjacent.
    pub fn plans(&self) -> Vec<RoutPlan> {
        let mut plans = Vec::new();
        let state = self.start(&mut engine::process::Silent);
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
