//! A rout through Interdicted Open Ground (rules section 17.6).

use super::attack::wound;
use super::catalogue::{Kind, index_of};
use super::tree::{Stack, Tally, roll_dr};
use super::unit::Unit;
use super::{Odds, TwinUnit, lent};

struct Gauntlet {
    hexes: usize,
    lent_leader: Option<Unit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    OnwardUnhurt,
    Pinned,
    Reduced,
    Eliminated,
}

/// A10.53: a broken unit enters `hexes` Interdicted Open Ground hexes at 1 MF each; a lent leader is in every one.
pub fn interdict(unit: &TwinUnit, hexes: usize, lent_leader_id: Option<&str>) -> Odds {
    let gauntlet = Gauntlet { hexes, lent_leader: lent(lent_leader_id) };
    let start = Unit::new(&TwinUnit { broken: true, pinned: false, ..unit.clone() });
    let mut tally = Tally::default();
    run(&gauntlet, start, 0, 1.0, &mut tally);
    tally.into_odds()
}

/// A10.5, A17.2: 6 MF, a wounded SMC 3.
fn movement_factors(unit: &Unit) -> usize {
    if unit.is_smc() && unit.wounded { 3 } else { 6 }
}

/// A10.53: one NMC in each hex entered.
fn run(gauntlet: &Gauntlet, unit: Unit, spent: usize, weight: f64, tally: &mut Tally) {
    if spent == gauntlet.hexes {
        return tally.add(0, 0, "through", unit, weight);
    }
    if spent >= movement_factors(&unit) {
        return tally.add(0, 0, "stopped", unit, weight);
    }
    let pass_number = unit.morale_level(false) - leadership(gauntlet, &unit);
    let readings = roll_dr(|dr| match dr {
        12 => Reading::Eliminated,
        _ if dr > pass_number => Reading::Reduced,
        _ if dr == pass_number.min(11) => Reading::Pinned,
        _ => Reading::OnwardUnhurt,
    });
    let spent = spent + 1;
    for (reading, chance) in readings {
        let weight = weight * chance;
        match reading {
            Reading::OnwardUnhurt => run(gauntlet, unit, spent, weight, tally),
            Reading::Pinned => tally.add(0, 0, "pinned", unit, weight),
            Reading::Reduced => reduced(gauntlet, unit, spent, weight, tally),
            Reading::Eliminated => tally.add(0, 0, "eliminated", Unit { alive: false, ..unit }, weight),
        }
    }
}

/// A10.21, A10.22, A10.7, I-8: the lent leader helps another leader only from a higher ML.
fn leadership(gauntlet: &Gauntlet, unit: &Unit) -> i32 {
    match &gauntlet.lent_leader {
        Some(leader) if !unit.is_leader() || leader.morale_level(false) > unit.morale_level(false) => leader.leadership_for(unit),
        _ => 0,
    }
}

/// A10.53, A17.2, I-10, I-55: a squad goes on as its HS, a lightly wounded SMC as far as his 3 MF allow.
fn reduced(gauntlet: &Gauntlet, unit: Unit, spent: usize, weight: f64, tally: &mut Tally) {
    let counter = unit.counter();
    match counter.kind {
        Kind::Squad => {
            let half = Unit { index: index_of(&counter.half_squad), ..unit };
            run(gauntlet, half, spent, weight, tally);
        }
        Kind::HalfSquad | Kind::Crew => tally.add(0, 0, "eliminated", Unit { alive: false, ..unit }, weight),
        Kind::Leader | Kind::Hero => {
            for (hurt, chance) in wound(&alone(unit), 0, 0) {
                let (unit, weight) = (hurt.units[0], weight * chance);
                match spent {
                    _ if !unit.alive => tally.add(0, 0, "eliminated", unit, weight),
                    4.. => tally.add(0, 0, "pinned", unit, weight),
                    3 => tally.add(0, 0, "stopped", unit, weight),
                    _ => run(gauntlet, unit, spent, weight, tally),
                }
            }
        }
    }
}

fn alone(unit: Unit) -> Stack {
    Stack { units: vec![unit], ..Stack::new(&[], 0, false) }
}
