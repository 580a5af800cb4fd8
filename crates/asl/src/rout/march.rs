//! The rout of one unit, step by step (10.5 - 10.533), as far as no dice are concerned.

use smallvec::SmallVec;

use super::destination::Viewpoint;
use super::field::{Edge, Enemies, PostId, RoutMap};
use crate::board::map::Site;
use crate::rulebook::Switch;

/// How far a rout has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    /// Nothing is decided yet.
    Start,
    /// 10.51: a destination is to be chosen anew.
    Refiguring,
    /// On the way to a declared destination.
    Bound(Site),
    /// Anywhere, and to stop anywhere.
    Free,
    /// At the destination: it may stop, or go on through cover.
    Arrived,
    /// Over.
    Over(End),
}

/// What ended a rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// It did not move.
    Stayed,
    /// It stopped.
    Stopped,
    /// 10.52: it is where it crawled to.
    Crawled,
    /// 10.53: an Interdiction pinned, restored or eliminated it, or a wound stopped it.
    Interdicted,
    /// 10.533: a concealed enemy stood in its way.
    Repulsed,
    /// 20.21.
    Surrendered,
}

/// Where a rout stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct March {
    pub(super) post: PostId,
    /// MF spent, in halves.
    pub(super) spent: u8,
    /// Enemies Known in this phase.
    pub(super) known: Enemies,
    pub(super) phase: Progress,
    /// 10.5: it has crawled there, or survived Interdiction there: it may end there in the open.
    pub(super) may_lie_open: bool,
    /// I-10, I-55: it was hurt there, and may stop.
    pub(super) may_stop: bool,
    /// 10.51: half MF spent on works and shellholes, as long as its way is a shortest one: it may
    /// arrive as much too late.
    pub(super) late: Option<u8>,
    /// I-58: a new enemy is Known since it last thought of its destination.
    pub(super) surprised: bool,
}

/// What the owner may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Stays where it is.
    Stay,
    /// 10.52: Low Crawls.
    Crawl(PostId),
    /// 10.51: declares a destination.
    Declare(Site),
    /// 10.51: goes where it pleases.
    GoFree,
    /// Takes one of the steps from its post.
    Step(u8),
    /// Ends its rout.
    Stop,
}

/// The moves of one moment.
pub type Moves = SmallVec<[Move; 16]>;

impl End {
    /// The word of the table.
    pub const fn name(self) -> &'static str {
        match self {
            End::Stayed => "stayed",
            End::Stopped => "stopped",
            End::Crawled => "crawled",
            End::Interdicted => "interdicted",
            End::Repulsed => "repulsed",
            End::Surrendered => "surrendered",
        }
    }
}

impl RoutMap {
    /// Where the rout begins: the unit knows every unconcealed enemy in its LOS.
    pub(super) fn beginning(&self) -> March {
        let known = self.post(self.start).seen_by & !self.concealed;
        March {
            post: self.start,
            spent: 0,
            known,
            phase: Progress::Start,
            may_lie_open: false,
            may_stop: false,
            late: None,
            surprised: false,
        }
    }

    /// What the owner may do now, `left` half MF being left. A unit that must rout stays only where
    /// it cannot go; `may_stay` says whether it need not.
    pub(super) fn moves(&self, march: &March, left: u8, may_stay: bool) -> Moves {
        let mut moves = Moves::new();
        match march.phase {
            Progress::Start => {
                self.ways_to_begin(march, left, &mut moves);
                if may_stay || moves.is_empty() {
                    moves.push(Move::Stay);
                }
            }
            Progress::Refiguring => {
                self.aims(march, left, false, &mut moves);
            }
            Progress::Bound(goal) => {
                let ways = self.ways_to(goal, march.known);
                let on_the_way = |edge: &Edge, cost: u8| {
                    let further = u16::from(ways[usize::from(edge.to)]);
                    let over = (further + u16::from(cost)).saturating_sub(u16::from(left));
                    let leave = march.late.filter(|_| self.is_shortest(&ways, march.post, edge));
                    over == 0 || leave.is_some_and(|late| over <= u16::from(late + edge.extra))
                };
                self.steps_that(march, left, on_the_way, &mut moves);
                if march.may_stop || moves.is_empty() {
                    moves.push(Move::Stop);
                }
            }
            Progress::Free => {
                self.steps_that(march, left, |_, _| true, &mut moves);
                // B25.4: a unit that has to leave a Blaze does not stop in it.
                if march.spent > 0 || moves.is_empty() {
                    moves.push(Move::Stop);
                }
            }
            Progress::Arrived => {
                self.steps_that(march, left, |edge, _| self.post(edge.to).is_cover, &mut moves);
                moves.push(Move::Stop);
            }
            Progress::Over(_) => {}
        }
        moves
    }

    /// Low Crawl, a destination, or freely; E1.54: at night Low Crawl only. None where no step is
    /// legal.
    fn ways_to_begin(&self, march: &March, left: u8, moves: &mut Moves) {
        for post in self.crawls(march, left) {
            moves.push(Move::Crawl(post));
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
        moves.extend(choice.destinations().map(|cover| Move::Declare(cover.site)));
        if choice.is_free {
            moves.push(Move::GoFree);
        }
    }

    /// The legal steps the unit can pay for, as far as `fit` takes them.
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
                moves.push(Move::Step(place as u8));
            }
        }
    }

    /// What a step costs, if it can be paid: the whole allotment only by a unit that has spent
    /// nothing.
    fn cost(&self, edge: &Edge, march: &March, left: u8) -> Option<u8> {
        let cost = edge.cost.or((march.spent == 0).then_some(left))?;
        (cost <= left).then_some(cost)
    }

    /// 10.52: where the unit may Low Crawl to: one legal step, toward a destination if there is one
    /// (I-12), not out of an enemy's Location, and a Disrupted unit only at night. I-60: anywhere
    /// when all cover in reach may be ignored.
    pub(super) fn crawls(&self, march: &March, left: u8) -> Vec<PostId> {
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
        let toward = |to: PostId| {
            choice.destinations().filter(|cover| !all_ignored || Some(cover.cost) == nearest).any(
                |cover| {
                    if self.rulebook.chooses(Switch::CrawlByHexes) {
                        return self.post(to).site.hex.range(cover.site.hex)
                            < here.site.hex.range(cover.site.hex);
                    }
                    let ways = self.ways_to(cover.site, march.known);
                    ways[usize::from(to)] < ways[usize::from(march.post)]
                },
            )
        };
        let mut posts: Vec<PostId> = Vec::new();
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
        posts.sort_unstable_by_key(|&post| (self.post(post).site, !self.post(post).sheltered));
        // With all its MF a unit gets into the shellholes or works.
        posts.dedup_by_key(|post| self.post(*post).site);
        posts
    }

    /// Carries out a move; the step that was taken, if any.
    pub(super) fn take(&self, march: &mut March, taken: Move, left: u8) -> Option<Edge> {
        match taken {
            Move::Stay => march.phase = Progress::Over(End::Stayed),
            Move::Stop => march.phase = Progress::Over(End::Stopped),
            Move::GoFree => march.phase = Progress::Free,
            Move::Declare(site) if site == self.post(march.post).site => {
                march.phase = Progress::Arrived
            }
            Move::Declare(site) => (march.phase, march.late) = (Progress::Bound(site), Some(0)),
            Move::Crawl(post) => {
                if self.repulses(march, post) {
                    return None;
                }
                self.enter(march, post);
                march.spent += left;
                march.may_lie_open = true;
                march.phase = Progress::Over(End::Crawled);
            }
            Move::Step(place) => {
                let edge = self.post(march.post).edges[usize::from(place)];
                if self.repulses(march, edge.to) {
                    return None;
                }
                march.spent += self.cost(&edge, march, left)?;
                let (from, knew) = (march.post, march.known);
                self.enter(march, edge.to);
                if let Progress::Bound(goal) = march.phase {
                    march.late = self.lateness(march, from, &edge, goal, knew);
                }
                return Some(edge);
            }
        }
        None
    }

    /// Whether a step lies on a shortest way, by those distances.
    pub(super) fn is_shortest(&self, ways: &[u8], from: PostId, edge: &Edge) -> bool {
        let further = ways[usize::from(edge.to)];
        edge.plain_cost()
            .is_some_and(|cost| ways[usize::from(from)] == further.saturating_add(cost))
    }

    /// 10.51: works and shellholes on a shortest way may make the unit arrive late, until a
    /// discovery lengthens its way.
    fn lateness(
        &self,
        march: &March,
        from: PostId,
        edge: &Edge,
        goal: Site,
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

    fn enter(&self, march: &mut March, post: PostId) {
        march.post = post;
        let seen = self.post(post).seen_by & !self.concealed;
        march.surprised =
            seen & !march.known != 0 && self.rulebook.chooses(Switch::RefiguresAtNewEnemy);
        march.known |= seen;
        march.may_lie_open = false;
        march.may_stop = false;
    }

    /// 10.533: a concealed enemy in the Location entered is revealed, and the rout ends in the hex
    /// before it.
    fn repulses(&self, march: &mut March, post: PostId) -> bool {
        let revealed = self.post(post).held_by & self.concealed;
        if revealed != 0 {
            march.known |= revealed;
            march.phase = Progress::Over(End::Repulsed);
        }
        revealed != 0
    }

    /// 10.51: what follows from where the unit has come to: it has arrived, goes on, or must
    /// re-figure, because its destination is out of reach or deadly (I-58: or because a new enemy
    /// is Known).
    pub(super) fn follow_up(&self, march: &mut March, left: u8) {
        let trapped = self.is_trapped(march.post, march.known);
        let here = self.post(march.post).site;
        let surprised = std::mem::take(&mut march.surprised);
        march.phase = match march.phase {
            Progress::Over(end) => Progress::Over(end),
            _ if surprised => Progress::Refiguring,
            Progress::Bound(goal) if goal == here && !trapped => Progress::Arrived,
            Progress::Bound(goal) if goal == here => Progress::Refiguring,
            Progress::Bound(goal)
                if self.ways_to(goal, march.known)[usize::from(march.post)]
                    > left + march.late.unwrap_or(0) =>
            {
                Progress::Refiguring
            }
            Progress::Arrived if trapped => Progress::Refiguring,
            phase => phase,
        };
        if !matches!(march.phase, Progress::Bound(_)) {
            march.late = None;
        }
    }

    /// 10.5: whether a rout that has ended there costs the unit its life: beside a Known enemy who
    /// takes it, or in the open before one where it may not lie.
    pub(super) fn is_failure(&self, march: &March) -> bool {
        let Progress::Over(end) = march.phase else { return false };
        let in_the_open = matches!(end, End::Stopped | End::Repulsed)
            && !march.may_lie_open
            && self.is_exposed(march.post, march.known);
        end != End::Surrendered
            && !self.night
            && (self.is_trapped(march.post, march.known) || in_the_open)
    }
}
