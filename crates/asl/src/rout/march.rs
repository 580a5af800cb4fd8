//! The state of one unit's rout, and its steps that need no dice (10.5 - 10.533).

use smallvec::SmallVec;

use super::field::{Edge, RoutMap};
use super::reach::{RoutNodeId, Viewpoint};
use super::situation::Enemies;
use crate::board::map::Location;
use crate::rulebook::Switch;

/// The progress of a rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoutProgress {
    /// Nothing has been decided yet.
    Start,
    /// The owner must choose a new destination (10.51).
    Refiguring,
    /// The unit is on its way to the declared destination.
    Bound(Location),
    /// The unit may go and stop anywhere.
    Free,
    /// The unit is at its destination. It may stop, or go on through cover.
    Arrived,
    /// The rout is over.
    Over(RoutEnd),
}

/// The end of a rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoutEnd {
    /// The unit did not move.
    Stayed,
    /// The unit stopped by choice, or because no step was left.
    Stopped,
    /// The unit has made its Low Crawl (10.52).
    Crawled,
    /// Interdiction pinned, restored or eliminated the unit, or a wound stopped it (10.53).
    Interdicted,
    /// A concealed enemy was in the Location that the unit tried to enter (10.533).
    Repulsed,
    /// The unit surrendered (20.21).
    Surrendered,
}

/// The state of a rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct March {
    pub(super) post: RoutNodeId,
    /// The MF spent, in halves.
    pub(super) spent: u8,
    /// The enemies that are Known in this phase.
    pub(super) known: Enemies,
    pub(super) phase: RoutProgress,
    /// Whether the rout may end here in the open, after a Low Crawl or a survived Interdiction
    /// (10.5).
    pub(super) may_lie_open: bool,
    /// Whether the unit was hurt here and may stop (I-10, I-55).
    pub(super) may_stop: bool,
    /// The half MF spent on works and shellholes while the route was a shortest one (10.51). The
    /// unit may arrive late by as much.
    pub(super) late: Option<u8>,
    /// Whether a new enemy became Known since the destination was chosen (I-58).
    pub(super) surprised: bool,
}

/// A choice of the enemy to reveal units with a LOS to the routing unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ambush {
    /// The number of the first enemy that can still be revealed.
    pub next: u8,
    /// Whether the enemy has revealed any unit.
    pub has_revealed: bool,
    /// The enemies that could Interdict the unit, concealed ones included, if it has just arrived.
    /// It is `None` if the unit has stopped.
    pub arrival: Option<Enemies>,
}

impl Ambush {
    /// Returns the choice on arrival, where these enemies could Interdict.
    pub(super) const fn on_arrival(interdictors: Enemies) -> Ambush {
        Ambush { next: 0, has_revealed: false, arrival: Some(interdictors) }
    }

    /// The choice once the rout has stopped.
    pub(super) const AT_REST: Ambush = Ambush { next: 0, has_revealed: false, arrival: None };
}

/// A move that the owner can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutMove {
    /// The unit stays where it is.
    Stay,
    /// The unit makes a Low Crawl to this post (10.52).
    Crawl(RoutNodeId),
    /// The unit declares this destination (10.51).
    Declare(Location),
    /// The unit goes wherever its owner wants (10.51).
    GoFree,
    /// The unit takes the edge with this index from its post.
    Step(u8),
    /// The unit ends its rout.
    Stop,
}

/// The moves possible at one moment.
pub type Moves = SmallVec<[RoutMove; 16]>;

impl RoutEnd {
    /// Returns the name used in result tables.
    pub const fn name(self) -> &'static str {
        match self {
            RoutEnd::Stayed => "stayed",
            RoutEnd::Stopped => "stopped",
            RoutEnd::Crawled => "crawled",
            RoutEnd::Interdicted => "interdicted",
            RoutEnd::Repulsed => "repulsed",
            RoutEnd::Surrendered => "surrendered",
        }
    }
}

impl RoutMap {
    /// Returns the state at the start. The unit knows every unconcealed enemy in its LOS.
    pub(super) fn beginning(&self) -> March {
        let known = self.post(self.start).seen_by & !self.concealed;
        March {
            post: self.start,
            spent: 0,
            known,
            phase: RoutProgress::Start,
            may_lie_open: false,
            may_stop: false,
            late: None,
            surprised: false,
        }
    }

    /// Returns the possible moves, given `left` half MF. A unit that must rout stays only if it has
    /// no other move. `may_stay` says that it need not rout.
    pub(super) fn moves(&self, march: &March, left: u8, may_stay: bool) -> Moves {
        let mut moves = Moves::new();
        match march.phase {
            RoutProgress::Start => {
                self.ways_to_begin(march, left, &mut moves);
                if may_stay || moves.is_empty() {
                    moves.push(RoutMove::Stay);
                }
            }
            RoutProgress::Refiguring => {
                self.aims(march, left, false, &mut moves);
            }
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
                self.steps_that(march, left, |_, _| true, &mut moves);
                // A unit that must leave a Blaze cannot stop in it (B25.4).
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

    /// Adds Low Crawls, destinations and free movement. At night only Low Crawl is possible
    /// (E1.54). There is no move if no step is legal.
    fn ways_to_begin(&self, march: &March, left: u8, moves: &mut Moves) {
        for post in self.crawls(march, left) {
            moves.push(RoutMove::Crawl(post));
        }
        let mut steps = Moves::new();
        self.steps_that(march, left, |_, _| true, &mut steps);
        if !self.night && !steps.is_empty() {
            self.aims(march, left, true, moves);
        }
    }

    fn aims(&self, march: &March, left: u8, at_start: bool, moves: &mut Moves) {
        let choice =
            self.choice(Viewpoint { post: march.post, left, known: march.known, at_start });
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

    /// Returns the cost of a step, or `None` if it cannot be paid. Only a unit that has spent
    /// nothing can pay the whole allotment.
    fn cost(&self, edge: &Edge, march: &March, left: u8) -> Option<u8> {
        let cost = edge.cost.or((march.spent == 0).then_some(left))?;
        (cost <= left).then_some(cost)
    }

    /// Returns the posts that a Low Crawl can reach (10.52). It is one legal step, toward a
    /// destination if there is one (I-12). It cannot start in the Location of an enemy, and a
    /// Disrupted unit crawls only at night. If all cover in reach may be ignored, I-60 says where
    /// it leads.
    pub(super) fn crawls(&self, march: &March, left: u8) -> Vec<RoutNodeId> {
        let here = self.post(march.post);
        if march.spent > 0 || here.held_by & !self.concealed != 0 || (self.disrupted && !self.night)
        {
            return Vec::new();
        }
        let choice =
            self.choice(Viewpoint { post: march.post, left, known: march.known, at_start: true });
        let nearest = choice.cover.iter().map(|cover| cover.cost).min();
        let all_ignored = choice.is_free && choice.destinations().next().is_some();
        let anywhere = self.night
            || choice.destinations().next().is_none()
            || (all_ignored && !self.rulebook.chooses(Switch::CrawlTowardNearest));
        let toward = |to: RoutNodeId| {
            choice.destinations().filter(|cover| !all_ignored || Some(cover.cost) == nearest).any(
                |cover| {
                    if self.rulebook.chooses(Switch::CrawlByHexes) {
                        return self.post(to).location.hex.range(cover.location.hex)
                            < here.location.hex.range(cover.location.hex);
                    }
                    let ways = self.ways_to(cover.location, march.known);
                    ways[usize::from(to)] < ways[usize::from(march.post)]
                },
            )
        };
        let mut posts: Vec<RoutNodeId> = Vec::new();
        for edge in &here.edges {
            let pays = edge.cost.is_none_or(|cost| cost <= left);
            if pays
                && edge.crawlable
                && self.is_legal(edge, march.known)
                && (anywhere || toward(edge.to))
            {
                posts.push(edge.to);
            }
        }
        posts.sort_unstable_by_key(|&post| (self.post(post).location, !self.post(post).sheltered));
        // A Low Crawl takes all MF, so the unit gets into the shellholes or works.
        posts.dedup_by_key(|post| self.post(*post).location);
        posts
    }

    /// Makes a move, and returns the step if there was one.
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
                let (from, knew) = (march.post, march.known);
                self.enter(march, edge.to);
                if let RoutProgress::Bound(goal) = march.phase {
                    march.late = self.lateness(march, from, &edge, goal, knew);
                }
                return Some(edge);
            }
        }
        None
    }

    /// Returns whether a step is on a shortest route, given the distances `ways` to the goal.
    pub(super) fn is_shortest(&self, ways: &[u8], from: RoutNodeId, edge: &Edge) -> bool {
        let further = ways[usize::from(edge.to)];
        edge.plain_cost()
            .is_some_and(|cost| ways[usize::from(from)] == further.saturating_add(cost))
    }

    /// Returns by how much the unit may be late after a step (10.51). Works and shellholes on a
    /// shortest route allow it, until a newly Known enemy makes the route longer.
    fn lateness(
        &self,
        march: &March,
        from: RoutNodeId,
        edge: &Edge,
        goal: Location,
        knew: Enemies,
    ) -> Option<u8> {
        let before = self.ways_to(goal, knew);
        let there = usize::from(edge.to);
        let lengthened = self.ways_to(goal, march.known)[there] > before[there];
        march
            .late
            .filter(|_| self.is_shortest(&before, from, edge) && !lengthened)
            .map(|late| late + edge.extra)
    }

    fn enter(&self, march: &mut March, post: RoutNodeId) {
        march.post = post;
        let seen = self.post(post).seen_by & !self.concealed;
        march.surprised =
            seen & !march.known != 0 && self.rulebook.chooses(Switch::RefiguresAtNewEnemy);
        march.known |= seen;
        march.may_lie_open = false;
        march.may_stop = false;
    }

    /// Returns whether a concealed enemy is in the Location entered (10.533). If so, it is
    /// revealed, and the rout ends in the hex before it.
    fn repulses(&self, march: &mut March, post: RoutNodeId) -> bool {
        let revealed = self.post(post).held_by & self.concealed;
        if revealed != 0 {
            march.known |= revealed;
            march.phase = RoutProgress::Over(RoutEnd::Repulsed);
        }
        revealed != 0
    }

    /// Updates the progress after a step (10.51). The unit has arrived, goes on, or must re-figure.
    /// It re-figures if its destination is out of reach, or if ending there would eliminate it.
    /// I-58 adds a newly Known enemy.
    pub(super) fn follow_up(&self, march: &mut March, left: u8) {
        let trapped = self.is_trapped(march.post, march.known);
        let here = self.post(march.post).location;
        let surprised = std::mem::take(&mut march.surprised);
        march.phase = match march.phase {
            RoutProgress::Over(end) => RoutProgress::Over(end),
            _ if surprised => RoutProgress::Refiguring,
            RoutProgress::Bound(goal) if goal == here && !trapped => RoutProgress::Arrived,
            RoutProgress::Bound(goal) if goal == here => RoutProgress::Refiguring,
            RoutProgress::Bound(goal)
                if self.ways_to(goal, march.known)[usize::from(march.post)]
                    > left + march.late.unwrap_or(0) =>
            {
                RoutProgress::Refiguring
            }
            RoutProgress::Arrived if trapped => RoutProgress::Refiguring,
            phase => phase,
        };
        if !matches!(march.phase, RoutProgress::Bound(_)) {
            march.late = None;
        }
    }

    /// Returns whether a rout that has ended here eliminates the unit (10.5). It is beside a Known
    /// enemy that eliminates it, or in the open where it may not end.
    pub(super) fn is_failure(&self, march: &March) -> bool {
        let RoutProgress::Over(end) = march.phase else { return false };
        let in_the_open = matches!(end, RoutEnd::Stopped | RoutEnd::Repulsed)
            && !march.may_lie_open
            && self.is_exposed(march.post, march.known);
        end != RoutEnd::Surrendered
            && !self.night
            && (self.is_trapped(march.post, march.known) || in_the_open)
    }
}
