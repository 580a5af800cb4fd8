//! The rout of the unit along the lane (rules section 17).

use super::man::{Fate, Man};
use super::morale::{Interdicted, interdiction};
use super::solver::{Next, Position, Solver, Stand};
use super::{Act, TwinLane};

/// The state of a rout in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct March {
    start: i8,
    /// The half-MF left; `spent` are those spent.
    left: i8,
    spent: i8,
    /// True if the enemy is Known: it has been in LOS since the rout began.
    known: bool,
    /// I-11: true if the unit has survived Interdiction in its present hex.
    survived: bool,
    plan: Plan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Plan {
    /// 10.51: the unit has declared this hex as its destination.
    Bound(i8),
    Free,
    /// The unit is in cover, and may stop or go on through cover.
    Arrived,
    /// 17.4.2: the unit must choose a destination anew.
    Refigure,
    /// I-10: the unit was wounded in this rout and has MF left. It may stop or follow its plan.
    Hurt(Goal),
}

/// The plan of a leader before it was wounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    Hex(i8),
    None,
}

impl TwinLane {
    /// 17.3: returns whether a step is legal.
    fn is_legal(&self, from: i8, to: i8, known: bool) -> bool {
        let nearer = self.range_to(to) < self.range_to(from);
        let beside = self.is_adjacent(to) && !self.is_enemys(from);
        !known || !(nearer || beside || self.is_enemys(to))
    }

    fn steps(&self, from: i8, left: i8, known: bool) -> impl Iterator<Item = i8> {
        self.neighbours(from)
            .filter(move |&to| self.is_legal(from, to, known) && self.cost(to) <= left)
    }

    /// Returns the half-MF of the legal route, or `None` if `left` does not suffice. The straight
    /// route is the cheapest in a row of hexes.
    fn way(&self, from: i8, to: i8, left: i8, known: bool) -> Option<i8> {
        let ahead = (to - from).signum();
        let (mut at, mut spent) = (from, 0);
        while at != to {
            if !self.is_legal(at, at + ahead, known) {
                return None;
            }
            at += ahead;
            spent += self.cost(at);
        }
        (spent <= left).then_some(spent)
    }

    /// 17.4: returns the cover that the unit may declare, and whether it may rout freely.
    fn destinations(
        &self,
        start: i8,
        from: i8,
        left: i8,
        known: bool,
        refiguring: bool,
    ) -> (Vec<i8>, bool) {
        let trapped = known && self.is_beside_enemy(from);
        let here_counts = refiguring && !trapped;
        let hexes =
            (0..=self.open + 1).filter(|&hex| self.is_cover(hex) && (hex != from || here_counts));
        let cover: Vec<(i8, i8)> = hexes
            .filter_map(|hex| self.way(from, hex, left, known).map(|cost| (hex, cost)))
            .collect();
        let ignorable = |hex: i8| known && self.range_to(hex) <= self.range_to(start);
        let nearest = cover.iter().filter(|(hex, _)| !ignorable(*hex)).map(|(_, cost)| *cost).min();
        let fits = |&(hex, cost): &(i8, i8)| {
            nearest.is_none_or(|nearest| cost == nearest || (ignorable(hex) && cost <= nearest))
        };
        let destinations = cover.iter().filter(|cover| fits(cover)).map(|(hex, _)| *hex).collect();
        (destinations, nearest.is_none())
    }

    /// 17.5: returns whether the rout may not end in this hex.
    fn is_forbidden(&self, hex: i8, march: &March) -> bool {
        march.known
            && (self.is_beside_enemy(hex) || (self.is_open_in_sight(hex) && !march.survived))
    }

    /// 10.5: returns whether the unit must rout.
    fn must_rout(&self, hex: i8, man: &Man) -> bool {
        self.is_open_in_sight(hex)
            || (self.is_beside_enemy(hex) && (!man.disrupted || self.no_quarter))
    }

    /// 17.8, I-15, I-57: returns whether a rout without Interdiction or Low Crawl can end legally.
    fn is_safe(&self, hex: i8, march: March) -> bool {
        let enter = |to: i8, plan| {
            let spent = self.cost(to);
            let known = march.known || self.sees(to);
            !self.is_interdicted(to)
                && self.is_safe(
                    to,
                    March { left: march.left - spent, known, survived: false, plan, ..march },
                )
        };
        let mut steps = self.steps(hex, march.left, march.known);
        match march.plan {
            Plan::Bound(goal) if goal == hex => {
                self.is_safe(hex, March { plan: Plan::Arrived, ..march })
            }
            Plan::Bound(goal) if self.way(hex, goal, march.left, march.known).is_none() => {
                self.is_safe(hex, March { plan: Plan::Refigure, ..march })
            }
            Plan::Bound(goal) => {
                let leads = |to: &i8| {
                    self.way(*to, goal, march.left - self.cost(*to), march.known).is_some()
                };
                steps.filter(leads).any(|to| enter(to, march.plan))
            }
            Plan::Arrived if march.known && self.is_beside_enemy(hex) => {
                self.is_safe(hex, March { plan: Plan::Refigure, ..march })
            }
            Plan::Arrived => true,
            Plan::Free => {
                (hex != march.start && !self.is_forbidden(hex, &march))
                    || steps.any(|to| enter(to, Plan::Free))
            }
            Plan::Refigure | Plan::Hurt(_) => {
                let (goals, free) =
                    self.destinations(march.start, hex, march.left, march.known, true);
                goals
                    .into_iter()
                    .any(|goal| self.is_safe(hex, March { plan: Plan::Bound(goal), ..march }))
                    || (free && self.is_safe(hex, March { plan: Plan::Free, ..march }))
            }
        }
    }

    /// 17.8, 20.21: returns whether the unit surrenders at its turn to rout.
    fn surrenders(&self, hex: i8, man: &Man, begin: March) -> bool {
        if self.no_quarter || man.is_partisan() || man.fanatic || !self.is_adjacent(hex) {
            return false;
        }
        let (goals, free) = self.destinations(hex, hex, begin.left, begin.known, false);
        let mut plans = goals.into_iter().map(Plan::Bound).chain(free.then_some(Plan::Free));
        man.disrupted || !plans.any(|plan| self.is_safe(hex, March { plan, ..begin }))
    }

    /// 10.52: returns the hexes to which the unit can Low Crawl. They lead toward cover that is in
    /// reach and that it may not ignore, if there is any.
    fn crawls(&self, hex: i8, man: &Man, begin: &March) -> Vec<i8> {
        if man.disrupted || self.is_enemys(hex) {
            return Vec::new();
        }
        let (goals, free) = self.destinations(hex, hex, begin.left, begin.known, false);
        let cost = |from: i8, goal: i8| self.way(from, goal, i8::MAX, begin.known);
        let toward = |to: &i8| {
            free || goals
                .iter()
                .any(|&goal| cost(*to, goal).is_some_and(|rest| Some(rest) < cost(hex, goal)))
        };
        self.steps(hex, begin.left, begin.known).filter(toward).collect()
    }
}

impl Solver<'_> {
    /// 10.5: returns the options of the broken unit at its turn to rout, with their results.
    pub fn rout(&self, position: &Position) -> Vec<(Act, Next)> {
        let lane = self.lane;
        let hex = position.hex;
        let dm = position.man.dm || lane.is_open_in_sight(hex) || lane.is_adjacent(hex);
        let man = Man { dm, ..position.man };
        let position = Position { man, ..*position };
        let begin = March {
            start: hex,
            left: man.half_mf(),
            spent: 0,
            known: lane.sees(hex),
            survived: false,
            plan: Plan::Refigure,
        };
        if lane.surrenders(hex, &man, begin) {
            return vec![(Act::Nothing, Next::Over(hex, man.lost(Fate::Captured)))];
        }
        let must = lane.must_rout(hex, &man);
        let mut options = Vec::new();
        if !must {
            options.push((Act::Stay, self.end_of_turn(&position)));
        }
        if must || (dm && !man.disrupted) {
            options.extend(self.beginnings(&position, begin));
        }
        if options.is_empty() {
            vec![(Act::Nothing, Next::Over(hex, man.eliminated()))]
        } else {
            options
        }
    }

    fn beginnings(&self, position: &Position, begin: March) -> Vec<(Act, Next)> {
        let (hex, man) = (position.hex, &position.man);
        let march = |plan| Next::Go(position.at(Stand::March(March { plan, ..begin })));
        let (goals, free) = self.lane.destinations(hex, hex, begin.left, begin.known, false);
        let mut options: Vec<(Act, Next)> =
            goals.into_iter().map(|goal| (Act::RunFor(goal), march(Plan::Bound(goal)))).collect();
        if free && self.lane.steps(hex, begin.left, begin.known).next().is_some() {
            options.push((Act::RoutFreely, march(Plan::Free)));
        }
        let crawled = |to: i8| {
            let known = begin.known || self.lane.sees(to);
            // 17.5: a Low Crawl may end in the open, but not beside the enemy.
            let lost = known && self.lane.is_beside_enemy(to);
            let man = if lost { man.eliminated() } else { *man };
            (Act::LowCrawl(to), self.end_of_turn(&Position { hex: to, man, ..*position }))
        };
        options.extend(self.lane.crawls(hex, man, &begin).into_iter().map(crawled));
        options
    }

    /// Returns the options during a rout, with their results.
    pub fn march(&self, position: &Position, march: March) -> Vec<(Act, Next)> {
        let (lane, hex) = (self.lane, position.hex);
        let turn_to = |plan| {
            vec![(Act::Nothing, Next::Go(position.at(Stand::March(March { plan, ..march }))))]
        };
        let stop = || (Act::Stop, self.end_of_turn(position));
        let enter = |to, plan| (Act::Step(to), self.enter(position, March { plan, ..march }, to));
        let steps = || lane.steps(hex, march.left, march.known);
        match march.plan {
            Plan::Bound(goal) if goal == hex => turn_to(Plan::Arrived),
            Plan::Bound(goal) if lane.way(hex, goal, march.left, march.known).is_none() => {
                turn_to(Plan::Refigure)
            }
            Plan::Bound(goal) => {
                let leads = |to: &i8| {
                    lane.way(*to, goal, march.left - lane.cost(*to), march.known).is_some()
                };
                steps().filter(leads).map(|to| enter(to, march.plan)).collect()
            }
            Plan::Arrived if march.known && lane.is_beside_enemy(hex) => turn_to(Plan::Refigure),
            Plan::Arrived => {
                let on = steps().filter(|&to| lane.is_cover(to)).map(|to| enter(to, Plan::Arrived));
                on.chain([stop()]).collect()
            }
            Plan::Free => {
                let mut options: Vec<(Act, Next)> =
                    steps().map(|to| enter(to, Plan::Free)).collect();
                if march.spent > 0 && !lane.is_forbidden(hex, &march) {
                    options.push(stop());
                }
                if options.is_empty() {
                    vec![(Act::Nothing, Next::Over(hex, position.man.eliminated()))]
                } else {
                    options
                }
            }
            Plan::Refigure => {
                let (goals, free) =
                    lane.destinations(march.start, hex, march.left, march.known, true);
                let goals = goals.into_iter().map(|goal| (Act::RunFor(goal), Plan::Bound(goal)));
                let plans = goals.chain(free.then_some((Act::RoutFreely, Plan::Free)));
                plans
                    .map(|(act, plan)| {
                        (act, Next::Go(position.at(Stand::March(March { plan, ..march }))))
                    })
                    .collect()
            }
            Plan::Hurt(goal) => {
                let on = match goal {
                    Goal::Hex(goal) => Plan::Bound(goal),
                    Goal::None => Plan::Free,
                };
                std::iter::once((Act::Stop, self.end_here(position, &march)))
                    .chain(turn_to(on))
                    .collect()
            }
        }
    }

    /// 10.53: returns the result of entering a hex.
    fn enter(&self, position: &Position, march: March, to: i8) -> Next {
        let cost = self.lane.cost(to);
        let known = march.known || self.lane.sees(to);
        let interdicted = self.lane.is_interdicted(to);
        let march = March {
            left: march.left - cost,
            spent: march.spent + cost,
            known,
            survived: interdicted,
            ..march
        };
        let on = Position { hex: to, ..*position };
        if !interdicted {
            return Next::Go(on.at(Stand::March(march)));
        }
        let after = |(result, man, chance)| {
            let on = Position { man, ..on };
            let next = match result {
                _ if !on.man.is_there() => Next::Over(to, man),
                Interdicted::Pinned => self.end_here(&on, &march),
                Interdicted::Hit if man.is_leader() => self.wounded(&on, march),
                _ => Next::Go(on.at(Stand::March(march))),
            };
            (next, chance)
        };
        Next::Chance(
            interdiction(position.man, self.leader(to, position.turn))
                .into_iter()
                .map(after)
                .collect(),
        )
    }

    /// 17.2, I-10: returns the result for a leader who is wounded during its rout. It is pinned
    /// after more than 3 MF, and its rout ends after 3 MF. After less it may stop, or go on with
    /// the rest of 3 MF.
    fn wounded(&self, on: &Position, march: March) -> Next {
        if march.spent >= 6 {
            return self.end_here(on, &march);
        }
        let goal = if let Plan::Bound(goal) = march.plan { Goal::Hex(goal) } else { Goal::None };
        Next::Go(on.at(Stand::March(March {
            left: 6 - march.spent,
            plan: Plan::Hurt(goal),
            ..march
        })))
    }

    /// 10.53, 17.5: ends the rout in this hex. Beside a Known enemy the unit is eliminated.
    fn end_here(&self, position: &Position, march: &March) -> Next {
        let lost = march.known && self.lane.is_beside_enemy(position.hex);
        let man = if lost { position.man.eliminated() } else { position.man };
        self.end_of_turn(&Position { man, ..*position })
    }
}
