//! The unit and its changes (rules sections 2, 3, 7 - 9, 12).

use super::{Objective, TwinUnit};
use crate::twin::catalogue::{Counter, Kind, Replacement, counters, index_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    There,
    Captured,
    Eliminated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    pub counter: usize,
    pub fate: Fate,
    pub broken: bool,
    pub dm: bool,
    pub disrupted: bool,
    pub wounded: bool,
    pub fanatic: bool,
    /// 19.13: the number of half-squads that came out of the unit and are not followed.
    pub other_halves: u8,
}

/// The possible results of an event, with probabilities that add up to 1.
pub type Branches = Vec<(Man, f64)>;

impl Man {
    pub fn new(unit: &TwinUnit) -> Man {
        let TwinUnit { id, broken, dm, disrupted, wounded, fanatic } = *unit;
        let broken = broken || dm || disrupted;
        Man {
            counter: index_of(id),
            fate: Fate::There,
            broken,
            dm,
            disrupted,
            wounded,
            fanatic,
            other_halves: 0,
        }
    }

    pub fn counter(&self) -> &'static Counter {
        &counters()[self.counter]
    }

    pub fn is_leader(&self) -> bool {
        self.counter().kind == Kind::Leader
    }

    pub fn is_there(&self) -> bool {
        self.fate == Fate::There
    }

    pub fn is_partisan(&self) -> bool {
        self.counter().nationality == "partisan"
    }

    /// Returns the ML, by 10.1, A.18, I-33, 10.8, 17.3. It is one higher with a Commissar (25.22).
    pub fn morale(&self, commissar: bool) -> i32 {
        let printed =
            if self.broken { self.counter().broken_morale } else { self.counter().morale };
        (printed + i32::from(self.fanatic) + i32::from(commissar)).min(10) - i32::from(self.wounded)
    }

    pub fn elr(&self, scenario: i32) -> i32 {
        if self.counter().underlined { 5 } else { scenario }
    }

    pub fn lost(self, fate: Fate) -> Man {
        Man { fate, broken: false, dm: false, disrupted: false, wounded: false, ..self }
    }

    pub fn eliminated(self) -> Man {
        self.lost(Fate::Eliminated)
    }

    /// Returns the unit after it breaks, by 10.3, 10.62.
    pub fn breaks(self) -> Man {
        Man { broken: true, dm: true, ..self }
    }

    /// Returns the unit after it rallies, by 10.6.
    pub fn rallied(self) -> Man {
        Man { broken: false, dm: false, disrupted: false, ..self }
    }

    /// Returns the allotment in half-MF: 6 MF, or 3 MF for a wounded SMC (10.5, 17.2).
    pub fn half_mf(&self) -> i8 {
        if self.wounded { 6 } else { 12 }
    }

    /// 7.302: returns the results of Casualty Reduction.
    pub fn reduced(self) -> Branches {
        match self.counter().kind {
            Kind::Squad => vec![(self.halved(), 1.0)],
            Kind::Leader => self.hurt(),
            _ => vec![(self.eliminated(), 1.0)],
        }
    }

    fn halved(self) -> Man {
        Man { counter: index_of(&self.counter().half_squad), ..self }
    }

    /// 17.1, 17.11: returns the results of a wound, by one dr (+1 if wounded before): 5 or more is
    /// mortal.
    pub fn hurt(self) -> Branches {
        let mortal =
            f64::from((1..=6).filter(|dr| dr + i32::from(self.wounded) >= 5).count() as u8) / 6.0;
        vec![(self.eliminated(), mortal), (Man { wounded: true, ..self }, 1.0 - mortal)]
    }

    /// 10.3, 19.1 - 19.13: returns an unbroken unit after a failed MC, perhaps an ELR failure.
    pub fn fails(self, elr_failure: bool) -> Man {
        if elr_failure { self.replaced().breaks() } else { self.breaks() }
    }

    fn replaced(self) -> Man {
        match &self.counter().replacement {
            Replacement::Lower(id) => Man { counter: index_of(id), ..self },
            Replacement::TwoHalfSquads(id) => {
                Man { counter: index_of(id), other_halves: self.other_halves + 1, ..self }
            }
            // 10.8: Fanatics are never Disrupted.
            Replacement::Disrupted => Man { disrupted: !self.fanatic, ..self },
            Replacement::OnlyBroken | Replacement::Immune => self,
        }
    }

    /// 25.22, I-50: returns the results of a failed rally led by a Commissar.
    pub fn disgraced(self) -> Branches {
        match &self.counter().replacement {
            Replacement::Lower(_) | Replacement::TwoHalfSquads(_) => vec![(self.replaced(), 1.0)],
            _ if self.counter().kind == Kind::Squad => vec![(self.halved(), 1.0)],
            _ => vec![(self.eliminated(), 1.0)],
        }
    }

    /// 10.31: returns the results of an Original 12 of an unbroken unit.
    pub fn casualty_check(self, elr_failure: bool) -> Branches {
        match self.counter().kind {
            Kind::Squad => vec![(self.casualty_of_squad(elr_failure).breaks(), 1.0)],
            Kind::Leader => {
                let replaced = if elr_failure { self.replaced() } else { self };
                replaced
                    .hurt()
                    .into_iter()
                    .map(|(man, chance)| (if man.is_there() { man.breaks() } else { man }, chance))
                    .collect()
            }
            _ => vec![(self.eliminated(), 1.0)],
        }
    }

    /// I-24, I-53: returns the half-squad that remains of a squad after an Original 12.
    fn casualty_of_squad(self, elr_failure: bool) -> Man {
        match &self.counter().replacement {
            _ if !elr_failure => self.halved(),
            Replacement::Lower(_) => self.replaced().halved(),
            Replacement::TwoHalfSquads(_) => match self.counter().lesser_half_squad() {
                Some(counter) => Man { counter, ..self },
                None => Man { disrupted: !self.fanatic, ..self.halved() },
            },
            Replacement::Disrupted => Man { disrupted: !self.fanatic, ..self.halved() },
            Replacement::OnlyBroken | Replacement::Immune => self.halved(),
        }
    }

    /// Returns the value of the final state by the objective; `began` is the unit's first counter.
    pub fn worth(&self, objective: Objective, began: usize, in_cover: bool) -> f64 {
        let holds = |holds: bool| f64::from(u8::from(holds));
        match objective {
            Objective::GoodOrder => holds(self.is_there() && !self.broken),
            Objective::Survives => holds(self.is_there()),
            Objective::InCover => holds(self.is_there() && in_cover),
            Objective::SquadEquivalents => {
                let itself = if self.is_there() { self.squad_equivalents() } else { 0.0 };
                itself + f64::from(self.other_halves) / 2.0
            }
            Objective::Cvp => f64::from(self.other_halves) - self.cvp_lost(&counters()[began]),
        }
    }

    fn squad_equivalents(&self) -> f64 {
        match self.counter().kind {
            Kind::Squad => 1.0,
            Kind::HalfSquad | Kind::Crew => 0.5,
            _ => 0.0,
        }
    }

    /// 26.2: returns the CVP lost. An eliminated unit counts once, and a captured unit twice.
    fn cvp_lost(&self, began: &Counter) -> f64 {
        let reduced =
            f64::from(u8::from(began.kind == Kind::Squad && self.counter().kind != Kind::Squad));
        match self.fate {
            Fate::There => reduced,
            Fate::Eliminated => cvp(began),
            Fate::Captured => reduced + 2.0 * cvp(self.counter()),
        }
    }
}

fn cvp(counter: &Counter) -> f64 {
    match counter.kind {
        Kind::Squad => 2.0,
        Kind::Leader => 1.0 + f64::from((-counter.leadership).max(0)),
        _ => 1.0,
    }
}
