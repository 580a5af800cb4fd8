//! The steps of a rout one at a time (A10.5 - A10.533, rules 17.4 - 17.10): the owner's choices,
//! the effects of Interdiction, and new plans after an enemy is discovered.
//!
//! A *stand* is a state in which the owner must act, and has already chosen a plan.

use super::destination::{self, Choice};
use super::legality::{EnemySet, Entry, Ground, Step};
use super::ratio::Ratio;
use super::{HexAt, Kind};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    /// 10.51: the unit heads for a declared destination. `late` is `Some(extra)` as long as the
    /// route is a shortest one. `extra` half-MF were spent for shellholes or to leave a foxhole,
    /// and the unit may arrive too late by so much.
    Toward { goal: HexAt, late: Option<i32> },
    /// 17.4.1: the unit routs freely.
    Free,
    /// The unit has reached its destination. It may stop, or go on from cover to cover.
    Arrived,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stand {
    pub at: HexAt,
    pub known: EnemySet,
    pub mf: i32,
    pub spent: i32,
    pub kind: Kind,
    pub wounded: bool,
    /// True if the unit was Reduced or wounded in this rout.
    pub hurt: bool,
    /// The entry into the unit's hex; `None` before its first move.
    pub entry: Option<Entry>,
    /// True if the unit entered this hex by Low Crawl, or survived Interdiction in it. Then the
    /// unit does not fail to rout for Open Ground (I-11).
    pub excused: bool,
    /// True if the unit may stop where it was hit: a half-squad (I-55) or a wounded leader (I-10).
    pub may_halt: bool,
    pub plan: Plan,
}

/// The result of one branch of the dice.
pub enum After {
    Lost,
    /// The rout ends here; the position decides whether the unit survives.
    Over(Stand),
    /// The rout goes on with one of these plans, at the owner's choice.
    Goes(Vec<Stand>),
}

const DICE: [u128; 13] = [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];

pub struct Plays<'a> {
    pub ground: &'a Ground<'a>,
    distances: HashMap<(HexAt, EnemySet), Rc<BTreeMap<HexAt, i32>>>,
}

impl<'a> Plays<'a> {
    pub fn new(ground: &'a Ground<'a>) -> Self {
        Self { ground, distances: HashMap::new() }
    }

    pub fn is_start(stand: &Stand) -> bool {
        stand.entry.is_none()
    }

    /// Returns the unit before its first step, once for each plan that it may declare.
    pub fn beginnings(&mut self) -> Vec<Stand> {
        let (ground, unit) = (self.ground, &self.ground.situation.unit);
        let stand = Stand {
            at: unit.at,
            known: ground.seen_from(unit.at),
            mf: ground.allotment(),
            spent: 0,
            kind: unit.kind,
            wounded: unit.wounded && unit.kind == Kind::Leader,
            hurt: false,
            entry: None,
            excused: false,
            may_halt: false,
            plan: Plan::Free,
        };
        declare(stand, &destination::at_start(ground))
    }

    fn cost_to(&mut self, from: HexAt, goal: HexAt, known: EnemySet) -> Option<i32> {
        let ground = self.ground;
        let table = self.distances.entry((from, known));
        let table =
            table.or_insert_with(|| Rc::new(destination::distances(ground, from, Some(known), 12)));
        table.get(&goal).copied()
    }

    /// Returns whether a unit with `mf` half-MF can still cover the rest of its route. It may come
    /// late as far as 10.51 permits.
    fn arrives(rest: Option<i32>, mf: i32, late: Option<i32>) -> bool {
        rest.is_some_and(|rest| rest <= mf || late.is_some_and(|extra| rest <= mf + extra))
    }

    /// Returns `late` after a step toward the goal, judged by the enemies Known before the step.
    fn late_after(
        &mut self,
        stand: &Stand,
        step: &Step,
        goal: HexAt,
        late: Option<i32>,
    ) -> Option<i32> {
        let before = self.cost_to(stand.at, goal, stand.known)?;
        let rest = self.cost_to(step.to, goal, stand.known)?;
        (before == step.plain + rest).then_some(late? + step.cost - step.plain)
    }

    /// Returns the steps that the plan of the unit allows, judged by the enemies Known now.
    pub fn steps_toward_plan(&mut self, stand: &Stand) -> Vec<Step> {
        let steps = self.ground.steps(
            stand.at,
            stand.known,
            stand.mf,
            self.ground.dug_in(stand.at, stand.entry),
        );
        let mut allowed = Vec::new();
        for step in steps {
            let fits = match stand.plan {
                Plan::Free => true,
                Plan::Arrived => self.ground.is_cover(step.to),
                Plan::Toward { goal, late } => {
                    let rest = self.cost_to(step.to, goal, stand.known);
                    let late = self.late_after(stand, &step, goal, late);
                    Self::arrives(rest, stand.mf - step.cost, late)
                }
            };
            if fits {
                allowed.push(step);
            }
        }
        allowed
    }

    pub fn may_stop(&mut self, stand: &Stand) -> bool {
        match stand.plan {
            Plan::Free | Plan::Arrived => true,
            Plan::Toward { .. } => stand.may_halt || self.steps_toward_plan(stand).is_empty(),
        }
    }

    /// 10.533: returns the stand of a unit that runs into a concealed enemy, which is revealed. The
    /// unit stays where it was. `None` if the hex has no concealed enemy.
    pub fn repulsed(&self, stand: &Stand, to: HexAt) -> Option<Stand> {
        let hidden = self.ground.concealed_in(to);
        (hidden != 0).then_some(Stand { known: stand.known | hidden, ..*stand })
    }

    /// Returns the stand after a step, before any Interdiction.
    pub fn walk(&mut self, stand: &Stand, step: &Step) -> Stand {
        let plan = match stand.plan {
            Plan::Toward { goal, late } => {
                Plan::Toward { goal, late: self.late_after(stand, step, goal, late) }
            }
            other => other,
        };
        Stand {
            at: step.to,
            known: stand.known | self.ground.seen_from(step.to),
            mf: stand.mf - step.cost,
            spent: stand.spent + step.cost,
            entry: Some(step.entry),
            excused: false,
            may_halt: false,
            plan,
            ..*stand
        }
    }

    /// Returns the branches of a step: concealed enemies, discovery, Interdiction and new plans.
    pub fn take(&mut self, stand: &Stand, step: &Step) -> Vec<(Ratio, After)> {
        if let Some(back) = self.repulsed(stand, step.to) {
            return vec![(Ratio::ONE, After::Over(back))];
        }
        let there = self.walk(stand, step);
        if self.ground.interdictors(there.at, there.entry) == 0 {
            return vec![(Ratio::ONE, After::Goes(self.settle(stand, there)))];
        }
        self.interdiction(stand, Stand { excused: true, ..there })
    }

    /// 2.3, A17.3, A1.122: returns the broken Morale Level.
    fn morale(&self, stand: &Stand) -> i32 {
        let unit = &self.ground.situation.unit;
        let reduced = unit.kind == Kind::Squad && stand.kind == Kind::HalfSquad;
        let base = unit.broken_morale - i32::from(reduced) + i32::from(unit.fanatic);
        let loss = i32::from(stand.wounded);
        if self.ground.switches().i33_cap_after_sum {
            (base - loss).min(10)
        } else {
            base.min(10) - loss
        }
    }

    /// A10.53: returns the branches of one NMC by two dice.
    fn interdiction(&mut self, before: &Stand, here: Stand) -> Vec<(Ratio, After)> {
        let pass = self.morale(&here);
        let mut branches = Vec::new();
        for (roll, weight) in DICE.iter().enumerate().skip(2) {
            let chance = Ratio::new(*weight, 36);
            let roll = roll as i32;
            if roll == 12 {
                branches.push((chance, After::Lost));
            } else if roll > pass {
                for (part, after) in self.casualty(before, here) {
                    branches.push((chance.times(part), after));
                }
            } else if roll == pass.min(11) {
                branches.push((chance, After::Over(here)));
            } else {
                branches.push((chance, After::Goes(self.settle(before, here))));
            }
        }
        branches
    }

    /// Returns the branches of a Casualty Reduction of a routing unit (A7.302, A10.53, A17).
    fn casualty(&mut self, before: &Stand, here: Stand) -> Vec<(Ratio, After)> {
        let switches = self.ground.switches();
        match here.kind {
            Kind::HalfSquad => vec![(Ratio::ONE, After::Lost)],
            Kind::Squad => {
                let may_halt = switches.i55_half_squad_may_stop;
                let half = Stand { kind: Kind::HalfSquad, hurt: true, may_halt, ..here };
                vec![(Ratio::ONE, After::Goes(self.settle(before, half)))]
            }
            Kind::Leader => {
                let rout_ends = switches.i10_wound_ends_rout;
                // 17.3: a second light wound has no further effect.
                let hurt = here.hurt || !here.wounded;
                (1..=6)
                    .map(|dr| {
                        let severity = dr + i32::from(here.wounded);
                        let after = if severity >= 5 {
                            After::Lost
                        } else if here.spent >= 6 || rout_ends {
                            // A leader is pinned beyond 3 MF, and has no MF left after exactly 3.
                            // In both cases its rout ends.
                            After::Over(Stand { wounded: true, hurt, ..here })
                        } else {
                            let mf = 6 - here.spent;
                            let limping = Stand { wounded: true, hurt, mf, may_halt: true, ..here };
                            After::Goes(self.settle(before, limping))
                        };
                        (Ratio::new(1, 6), after)
                    })
                    .collect()
            }
        }
    }

    /// Returns the stands with the plans that are possible after a step (17.4.2, I-58).
    pub fn settle(&mut self, before: &Stand, here: Stand) -> Vec<Stand> {
        let discovered = here.known != before.known;
        let always = self.ground.switches().i58_refigure_always && discovered;
        let pressed = self.ground.pressed(here.at, here.known);
        match here.plan {
            Plan::Toward { goal, .. } if here.at == goal => {
                if pressed || always {
                    self.refigure(here)
                } else {
                    vec![Stand { plan: Plan::Arrived, ..here }]
                }
            }
            Plan::Toward { goal, late } => {
                let rest = self.cost_to(here.at, goal, here.known);
                // A route that the discovery has made longer is not the declared route any more.
                let same_way = rest == self.cost_to(here.at, goal, before.known);
                let late = late.filter(|_| same_way);
                if always || !Self::arrives(rest, here.mf, late) {
                    self.refigure(here)
                } else {
                    vec![Stand { plan: Plan::Toward { goal, late }, ..here }]
                }
            }
            Plan::Arrived if pressed || always => self.refigure(here),
            Plan::Free if always => self.refigure(here),
            Plan::Arrived | Plan::Free => vec![here],
        }
    }

    fn refigure(&self, here: Stand) -> Vec<Stand> {
        let ground = self.ground;
        let trapped = ground.pressed(here.at, here.known);
        let here_counts =
            ground.is_cover(here.at) && !trapped && !ground.switches().i63_cover_must_move_on;
        declare(here, &destination::figure(ground, here.at, here.known, here.mf, here_counts))
    }

    /// A10.52: returns the result of a Low Crawl to one Location, which Interdiction cannot affect.
    pub fn crawl(&mut self, to: HexAt) -> After {
        let start = Stand { plan: Plan::Free, ..self.beginnings()[0] };
        if let Some(back) = self.repulsed(&start, to) {
            return After::Over(back);
        }
        let known = start.known | self.ground.seen_from(to);
        After::Over(Stand { at: to, known, mf: 0, excused: true, ..start })
    }

    /// 17.5: returns whether the unit survives if its rout ends in this position.
    pub fn lives(&self, stand: &Stand) -> bool {
        let exposed = !stand.excused && self.ground.exposed(stand.at, stand.known, stand.entry);
        !self.ground.pressed(stand.at, stand.known) && !exposed
    }
}

/// Returns one stand for each plan that the owner may choose. A destination in the unit's own hex
/// is already reached.
fn declare(stand: Stand, choice: &Choice) -> Vec<Stand> {
    let mut plans: Vec<Plan> = Vec::new();
    for &goal in &choice.destinations {
        plans.push(if goal == stand.at {
            Plan::Arrived
        } else {
            Plan::Toward { goal, late: Some(0) }
        });
    }
    if choice.free_rout {
        plans.push(Plan::Free);
    }
    plans.into_iter().map(|plan| Stand { plan, ..stand }).collect()
}
