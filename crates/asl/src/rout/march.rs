//! The state of one unit's rout, and its steps that need no dice (10.5 - 10.533).

use smallvec::SmallVec;

use super::field::{Edge, RoutMap, RoutNodeId, START, Viewpoint};
use super::situation::Enemies;
use crate::board::map::Location;
use crate::rulebook::Switch;
use schema::declared::named;

/// The progress of a rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoutProgress {
    Start,
    /// The owner must choose a new destination (10.51).
    Refiguring,
    /// The unit is on its way to the declared destination.
    Bound(Location),
    /// The rout is free: the unit may go and stop anywhere (10.51).
    Free,
    /// The unit is at its destination. It may stop, or go on through cover (10.51).
    Arrived,
    Over(RoutEnd),
}

named! {
    /// The event that ended a rout.
    pub enum RoutEnd {
        Stayed = "stayed",
        /// The unit stopped by choice, or because no step was left.
        Stopped = "stopped",
        /// The unit has made its Low Crawl (10.52).
        Crawled = "crawled",
        /// Interdiction pinned, restored or eliminated the unit, or a wound stopped it (10.53).
        Interdicted = "interdicted",
        /// A concealed enemy was in the Location that the unit tried to enter (10.533).
        Repulsed = "repulsed",
        /// The unit surrendered (20.21).
        Surrendered = "surrendered",
    }
}

/// The position and progress of a routing unit. Its counter and conditions are kept elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct March {
    pub(super) post: RoutNodeId,
    pub(super) spent: u8,
    pub(super) known: Enemies,
    pub(super) phase: RoutProgress,
    /// Whether the rout may end at this node even in the open (10.5).
    pub(super) may_lie_open: bool,
    /// Whether the unit was hurt at this node and may stop (interpretations I-10 and I-55).
    pub(super) may_stop: bool,
    /// The half MF spent on works, by which it may arrive late (10.51); `None` off shortest routes.
    pub(super) late: Option<u8>,
    /// Whether a new Known enemy makes the unit re-figure (interpretation I-58).
    pub(super) surprised: bool,
}

/// A pending choice of the enemy to reveal units with a LOS to the routing unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ambush {
    /// The index of the first enemy that can still be revealed.
    pub next: u8,
    pub has_revealed: bool,
    /// The enemies, even concealed, that could Interdict the step just made, or `None` at rest.
    pub arrival: Option<Enemies>,
}

impl Ambush {
    pub(super) const fn new(arrival: Option<Enemies>) -> Ambush {
        Ambush { next: 0, has_revealed: false, arrival }
    }
}

/// A move that the owner can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutMove {
    Stay,
    /// A Low Crawl to this node (10.52).
    Crawl(RoutNodeId),
    /// The declaration of a destination (10.51).
    Declare(Location),
    /// The choice of a free rout, which leads wherever the owner wants (10.51).
    GoFree,
    /// A step along the edge with this index, from 0, at the current node.
    Step(u8),
    Stop,
}

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

/// The moves from which the owner can choose in one state.
pub type Moves = SmallVec<[RoutMove; 16]>;

impl March {
    pub(super) fn viewpoint(&self, left: u8, at_start: bool) -> Viewpoint {
        Viewpoint { post: self.post, left, known: self.known, at_start }
    }
}

impl RoutMap {
    /// Returns the state at the start, where every unconcealed enemy in LOS is Known.
    pub(super) fn beginning(&self) -> March {
        March {
            post: START,
            spent: 0,
            known: self.post(START).seen_by & !self.concealed,
            phase: RoutProgress::Start,
            may_lie_open: false,
            may_stop: false,
            late: None,
            surprised: false,
        }
    }

    /// Returns the moves with `left` half MF. Without `may_stay` staying is only the last resort.
    pub(super) fn moves(&self, march: &March, left: u8, may_stay: bool) -> Moves {
        let mut moves = Moves::new();
        match march.phase {
            RoutProgress::Start => {
                self.ways_to_begin(march, left, &mut moves);
                if may_stay || moves.is_empty() {
                    moves.push(RoutMove::Stay);
                }
            }
            RoutProgress::Refiguring => self.aims(march, left, false, &mut moves),
            RoutProgress::Bound(goal) => {
                let ways = self.ways_to(goal, march.known);
                let on_the_way = |edge: &Edge, cost: u8| {
                    let further = u16::from(ways[usize::from(edge.to)]);
                    let over = (further + u16::from(cost)).saturating_sub(u16::from(left));
                    let leave = march.late.filter(|_| self.is_shortest(&ways, march.post, edge));
                    over == 0 || leave.is_some_and(|late| over <= u16::from(late + edge.extra))
                };
                self.steps_that(march, left, on_the_way, &mut moves);
                if march.may_stop || moves.is_empty() {
                    moves.push(RoutMove::Stop);
                }
            }
            RoutProgress::Free => {
                moves = self.steps(march, left);
                // A free rout begins with a step, because a unit must leave a Blaze (B25.4).
                if march.spent > 0 || moves.is_empty() {
                    moves.push(RoutMove::Stop);
                }
            }
            RoutProgress::Arrived => {
                self.steps_that(march, left, |edge, _| self.post(edge.to).is_cover, &mut moves);
                moves.push(RoutMove::Stop);
            }
            RoutProgress::Over(_) => {}
        }
        moves
    }

    /// Adds Low Crawls, destinations and a free rout. At night only Low Crawl is possible (E1.54).
    fn ways_to_begin(&self, march: &March, left: u8, moves: &mut Moves) {
        moves.extend(self.crawls(march, left).into_iter().map(RoutMove::Crawl));
        if !self.situation.night && !self.steps(march, left).is_empty() {
            self.aims(march, left, true, moves);
        }
    }

    pub(super) fn steps(&self, march: &March, left: u8) -> Moves {
        let mut steps = Moves::new();
        self.steps_that(march, left, |_, _| true, &mut steps);
        steps
    }

    fn aims(&self, march: &March, left: u8, at_start: bool, moves: &mut Moves) {
        let choice = self.choice(march.viewpoint(left, at_start));
        moves.extend(choice.destinations().map(|cover| RoutMove::Declare(cover.location)));
        if choice.is_free {
            moves.push(RoutMove::GoFree);
        }
    }

    /// Adds the legal steps that the unit can pay for and that satisfy `fit`.
    fn steps_that(
        &self,
        march: &March,
        left: u8,
        fit: impl Fn(&Edge, u8) -> bool,
        moves: &mut Moves,
    ) {
        for (place, edge) in self.post(march.post).edges.iter().enumerate() {
            let cost = self.cost(edge, march, left);
            if cost.is_some_and(|cost| fit(edge, cost)) && self.is_legal(edge, march.known) {
                moves.push(RoutMove::Step(place as u8));
            }
        }
    }

    /// Returns the cost in half MF, or `None` if too high. Only a first step can cost all MF.
    fn cost(&self, edge: &Edge, march: &March, left: u8) -> Option<u8> {
        let cost = edge.cost.or((march.spent == 0).then_some(left))?;
        (cost <= left).then_some(cost)
    }

    pub(super) fn target(&self, march: &March, chosen: RoutMove) -> Option<Location> {
        match chosen {
            RoutMove::Declare(location) => Some(location),
            RoutMove::Crawl(post) => Some(self.post(post).location),
            RoutMove::Step(place) => {
                let edge = &self.post(march.post).edges[usize::from(place)];
                Some(self.post(edge.to).location)
            }
            RoutMove::Stay | RoutMove::Stop | RoutMove::GoFree => None,
        }
    }

    /// Returns the nodes that a Low Crawl can reach (10.52): one legal step, toward a destination
    /// (I-12), or as I-60 says if all cover may be ignored. It cannot start in the Location of an
    /// unconcealed enemy. A Disrupted unit crawls only at night.
    pub(super) fn crawls(&self, march: &March, left: u8) -> Vec<RoutNodeId> {
        let here = self.post(march.post);
        let barred = here.held_by & !self.concealed != 0
            || (self.bearing.disrupted && !self.situation.night);
        if march.spent > 0 || barred {
            return Vec::new();
        }
        let choice = self.choice(march.viewpoint(left, true));
        let nearest = choice.cover.iter().map(|cover| cover.cost).min();
        let all_ignored = choice.is_free && choice.destinations().next().is_some();
        let anywhere = self.situation.night
            || choice.destinations().next().is_none()
            || (all_ignored && !self.chooses(Switch::CrawlTowardNearest));
        let nearer = |to: RoutNodeId, goal: Location| {
            if self.chooses(Switch::CrawlByHexes) {
                let range = |location: Location| location.hex.range(goal.hex);
                return range(self.post(to).location) < range(here.location);
            }
            let ways = self.ways_to(goal, march.known);
            ways[usize::from(to)] < ways[usize::from(march.post)]
        };
        let toward = |to: RoutNodeId| {
            let mut goals = choice.destinations();
            goals.any(|cover| {
                (!all_ignored || Some(cover.cost) == nearest) && nearer(to, cover.location)
            })
        };
        let mut posts: Vec<RoutNodeId> = Vec::new();
        for edge in &here.edges {
            let pays = edge.cost.is_none_or(|cost| cost <= left);
            let is_legal = edge.crawlable && self.is_legal(edge, march.known);
            if pays && is_legal && (anywhere || toward(edge.to)) {
                posts.push(edge.to);
            }
        }
        posts.sort_unstable_by_key(|&post| (self.post(post).location, !self.post(post).sheltered));
        // A Low Crawl takes all MF, so the unit enters the shellholes or works of the Location.
        posts.dedup_by_key(|post| self.post(*post).location);
        posts
    }

    /// Applies a move. Returns the edge of a completed step, and `None` for every other move.
    pub(super) fn take(&self, march: &mut March, taken: RoutMove, left: u8) -> Option<Edge> {
        match taken {
            RoutMove::Stay => march.phase = RoutProgress::Over(RoutEnd::Stayed),
            RoutMove::Stop => march.phase = RoutProgress::Over(RoutEnd::Stopped),
            RoutMove::GoFree => march.phase = RoutProgress::Free,
            RoutMove::Declare(location) if location == self.post(march.post).location => {
                march.phase = RoutProgress::Arrived
            }
            RoutMove::Declare(location) => {
                (march.phase, march.late) = (RoutProgress::Bound(location), Some(0))
            }
            RoutMove::Crawl(post) => {
                if self.repulses(march, post) {
                    return None;
                }
                self.enter(march, post);
                march.spent += left;
                march.may_lie_open = true;
                march.phase = RoutProgress::Over(RoutEnd::Crawled);
            }
            RoutMove::Step(place) => {
                let edge = self.post(march.post).edges[usize::from(place)];
                if self.repulses(march, edge.to) {
                    return None;
                }
                march.spent += self.cost(&edge, march, left)?;
                let before = *march;
                self.enter(march, edge.to);
                if let RoutProgress::Bound(goal) = march.phase {
                    march.late = self.lateness(march, &edge, goal, &before);
                }
                return Some(edge);
            }
        }
        None
    }

    /// Returns whether a step is on a shortest route, by the distances `ways` to the goal.
    pub(super) fn is_shortest(&self, ways: &[u8], from: RoutNodeId, edge: &Edge) -> bool {
        let further = ways[usize::from(edge.to)];
        edge.plain_cost()
            .is_some_and(|cost| ways[usize::from(from)] == further.saturating_add(cost))
    }

    /// Returns `late` after a step (10.51): `None` off shortest routes, or if new enemies bar them.
    fn lateness(&self, march: &March, edge: &Edge, goal: Location, before: &March) -> Option<u8> {
        let (from, before) = (before.post, self.ways_to(goal, before.known));
        let there = usize::from(edge.to);
        let lengthened = self.ways_to(goal, march.known)[there] > before[there];
        let late = march.late.filter(|_| self.is_shortest(&before, from, edge) && !lengthened);
        late.map(|late| late + edge.extra)
    }

    fn enter(&self, march: &mut March, post: RoutNodeId) {
        march.post = post;
        let seen = self.post(post).seen_by & !self.concealed;
        march.surprised = seen & !march.known != 0 && self.chooses(Switch::RefiguresAtNewEnemy);
        march.known |= seen;
        march.may_lie_open = false;
        march.may_stop = false;
    }

    /// Returns whether a concealed enemy is in the entered Location (10.533), which ends the rout.
    fn repulses(&self, march: &mut March, post: RoutNodeId) -> bool {
        let revealed = self.post(post).held_by & self.concealed;
        if revealed != 0 {
            march.known |= revealed;
            march.phase = RoutProgress::Over(RoutEnd::Repulsed);
        }
        revealed != 0
    }

    /// Updates the progress after a step (10.51). The unit re-figures if its destination is out of
    /// reach or deadly. By the alternative of interpretation I-58 a new Known enemy suffices.
    pub(super) fn follow_up(&self, march: &mut March, left: u8) {
        let trapped = self.is_trapped(march.post, march.known);
        let here = self.post(march.post).location;
        let surprised = std::mem::take(&mut march.surprised);
        march.phase = match march.phase {
            RoutProgress::Over(end) => RoutProgress::Over(end),
            _ if surprised => RoutProgress::Refiguring,
            RoutProgress::Bound(goal) if goal == here && !trapped => RoutProgress::Arrived,
            RoutProgress::Bound(goal) if goal == here => RoutProgress::Refiguring,
            RoutProgress::Bound(goal) if self.is_too_far(march, goal, left) => {
                RoutProgress::Refiguring
            }
            RoutProgress::Arrived if trapped => RoutProgress::Refiguring,
            phase => phase,
        };
        if !matches!(march.phase, RoutProgress::Bound(_)) {
            march.late = None;
        }
    }

    fn is_too_far(&self, march: &March, goal: Location, left: u8) -> bool {
        let further = self.ways_to(goal, march.known)[usize::from(march.post)];
        further > left + march.late.unwrap_or(0)
    }

    /// Returns whether an ended rout eliminates the unit (10.5): by a deadly enemy or in the open.
    pub(super) fn is_failure(&self, march: &March) -> bool {
        let RoutProgress::Over(end) = march.phase else { return false };
        let in_the_open = matches!(end, RoutEnd::Stopped | RoutEnd::Repulsed)
            && !march.may_lie_open
            && self.is_exposed(march.post, march.known);
        end != RoutEnd::Surrendered
            && !self.situation.night
            && (self.is_trapped(march.post, march.known) || in_the_open)
    }
}
