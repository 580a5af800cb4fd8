//! Effects of an attack on the firers: ROF, breakdown and Residual FP (9.2, 9.7, 8.2); IFT results.

use std::collections::BTreeMap;

use super::reckoning::{AttackReckoning, MOST_SHOTS, ReckonedClass};
use crate::rulebook::{Rulebook, Switch};
use crate::vocabulary::{Attack, FireResult};
use engine::dice::Dr;
use engine::exact::Fraction;

/// The odds of what becomes of one SW by an attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeaponOdds {
    /// That it keeps its ROF and may fire again.
    pub keeps: Fraction,
    /// That it malfunctions or is removed.
    pub malfunctions: Fraction,
    pub removed: Fraction,
}

/// What an attack leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Aftermath {
    /// For each SW of the reckoning.
    pub weapons: Vec<WeaponOdds>,
    /// The odds that a first, second and third shot is made, as far as they are possible.
    pub shots: Vec<Fraction>,
    /// The odds of each Residual FP; empty where none is left. ROF that was kept is given up.
    pub residual: BTreeMap<u8, Fraction>,
    /// The odds of each Residual FP if ROF that was kept is used (8.23).
    pub residual_if_kept: BTreeMap<u8, Fraction>,
}

pub(super) const NEVER: Fraction = Fraction { numerator: 0, denominator: 1 };

pub(super) fn times(a: Fraction, b: Fraction) -> Fraction {
    let one = Fraction::new(a.numerator, b.denominator);
    let two = Fraction::new(b.numerator, a.denominator);
    Fraction::new(one.numerator * two.numerator, one.denominator * two.denominator)
}

pub(super) fn add(sum: &mut Fraction, more: Fraction) {
    // Denominators are products of powers of 2 and 3 that fit into 128 bits.
    *sum = sum.checked_add(more).unwrap_or(*sum);
}

/// Returns the odds of each IFT result of an attack, the best first.
pub fn results(attack: Attack) -> Vec<(FireResult, Fraction)> {
    let mut odds: BTreeMap<FireResult, u128> = BTreeMap::new();
    for &original in Dr::ALL.iter() {
        *odds.entry(attack.result(original)).or_default() += 1;
    }
    odds.into_iter().rev().map(|(result, faces)| (result, Fraction::new(faces, 36))).collect()
}

/// The SW that fire in one shot, by their places in the reckoning.
#[derive(Clone, Copy)]
struct Shot {
    firing: u32,
    /// True for the first shot, in which all fire.
    is_first: bool,
}

/// One result of a shot for the SW: which keep their ROF, malfunction, and are removed.
struct Turn {
    original: Dr,
    kept: u32,
    broken: u32,
    removed: u32,
}

/// Returns what an attack leaves behind.
pub fn aftermath(reckoning: &AttackReckoning, rulebook: Rulebook) -> Aftermath {
    let all = (1u32 << reckoning.weapons.len()) - 1;
    let first = turns(reckoning, Shot { firing: all, is_first: true }, rulebook);
    let blank = WeaponOdds { keeps: NEVER, malfunctions: NEVER, removed: NEVER };
    let mut weapons = vec![blank; reckoning.weapons.len()];
    for (turn, chance) in &first {
        for (place, odds) in weapons.iter_mut().enumerate() {
            let is = |set: u32| set >> place & 1 == 1;
            for (set, sum) in [
                (turn.kept, &mut odds.keeps),
                (turn.broken, &mut odds.malfunctions),
                (turn.removed, &mut odds.removed),
            ] {
                if is(set) {
                    add(sum, *chance);
                }
            }
        }
    }
    for (odds, weapon) in weapons.iter_mut().zip(&reckoning.weapons) {
        if weapon.is_spent {
            odds.removed = Fraction::new(1, 1);
        }
    }
    let [residual, residual_if_kept] =
        [false, true].map(|keeps| residual(reckoning, &first, keeps, rulebook));
    Aftermath { weapons, shots: shots(reckoning, rulebook), residual, residual_if_kept }
}

/// Returns the results of a shot with their odds.
fn turns(reckoning: &AttackReckoning, shot: Shot, rulebook: Rulebook) -> Vec<(Turn, Fraction)> {
    let fires = |place: &usize| shot.firing >> place & 1 == 1;
    let places: Vec<usize> = (0..reckoning.weapons.len()).filter(fires).collect();
    // Units that man several SW are marked once.
    let mut units: Vec<usize> = places
        .iter()
        .map(|&place| &reckoning.weapons[place])
        .filter(|weapon| weapon.is_markable)
        .map(|weapon| weapon.firer)
        .collect();
    units.sort_unstable();
    units.dedup();
    let markable = reckoning.markable.iter().filter(|is_markable| **is_markable);
    let all = if shot.is_first { markable.count() } else { units.len() };
    let mut turns = Vec::new();
    for &original in Dr::ALL.iter() {
        let cowers = original.coloured() == original.white() && reckoning.cowering > 0 && all > 0;
        let marked =
            if cowers { selected(units.len(), all) } else { vec![(0, Fraction::new(1, 1))] };
        let reaches = |number: Option<u8>| number.is_some_and(|least| original.total() >= least);
        let at_risk = |of: &dyn Fn(usize) -> bool| -> Vec<usize> {
            places.iter().copied().filter(|&place| of(place)).collect()
        };
        let broken = at_risk(&|place| reaches(reckoning.weapons[place].breakdown));
        let removed = at_risk(&|place| reaches(reckoning.weapons[place].x_number));
        for (marked, chance) in &marked {
            for (broken, of_broken) in sets(&broken) {
                for (removed, of_removed) in sets(&removed) {
                    let keeps = |place: &&usize| {
                        let weapon = &reckoning.weapons[**place];
                        let unit = units.iter().position(|unit| *unit == weapon.firer);
                        let is_marked = unit.is_some_and(|unit| marked >> unit & 1 == 1)
                            && !rulebook.chooses(Switch::MarkedKeepsRof);
                        let is_lost = (broken | removed) >> **place & 1 == 1;
                        weapon.rof >= original.coloured() && !is_marked && !is_lost
                    };
                    let kept = places.iter().filter(keeps).map(|place| 1 << place).sum();
                    let odds = times(times(*chance, of_broken), of_removed);
                    let odds = times(odds, Fraction::new(1, 36));
                    turns.push((Turn { original, kept, broken, removed }, odds));
                }
            }
        }
    }
    turns
}

/// Returns the odds of each set among `known` of `all` candidates that a Random Selection takes
/// (A.9): those of the highest dr. Bit `i` is the `i`-th known candidate.
pub(super) fn selected(known: usize, all: usize) -> Vec<(u32, Fraction)> {
    let (known, others) = (known as u32, (all - known) as u32);
    let power = |base: u128, exponent: u32| base.pow(exponent);
    let odds = |set: u32| {
        let taken = set.count_ones();
        let ways = |highest: u128| {
            let below = power(highest - 1, known - taken);
            match taken {
                0 => below * (power(highest, others) - power(highest - 1, others)),
                _ => below * power(highest, others),
            }
        };
        Fraction::new((1..=6).map(ways).sum(), power(6, known + others))
    };
    (0..1 << known).map(|set| (set, odds(set))).filter(|(_, odds)| odds.numerator > 0).collect()
}

/// Returns the sets of weapons, of those at risk, that Random Selection takes (9.71).
fn sets(at_risk: &[usize]) -> Vec<(u32, Fraction)> {
    if at_risk.is_empty() {
        return vec![(0, Fraction::new(1, 1))];
    }
    let places = |set: u32| {
        let taken = at_risk.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
        taken.map(|(_, place)| 1 << place).sum()
    };
    let all = selected(at_risk.len(), at_risk.len()).into_iter();
    all.map(|(set, odds)| (places(set), odds)).collect()
}

/// Returns the odds that each shot is made: the MG that keep their ROF go on as one group (9.2).
fn shots(reckoning: &AttackReckoning, rulebook: Rulebook) -> Vec<Fraction> {
    let most = usize::from(reckoning.most_shots.min(MOST_SHOTS));
    let mut shots = vec![Fraction::new(1, 1)];
    let all = (1u32 << reckoning.weapons.len()) - 1;
    let mut groups = BTreeMap::from([(all, Fraction::new(1, 1))]);
    while shots.len() < most {
        let mut next: BTreeMap<u32, Fraction> = BTreeMap::new();
        for (&firing, &chance) in &groups {
            let is_first = shots.len() == 1;
            for (turn, odds) in turns(reckoning, Shot { firing, is_first }, rulebook) {
                if turn.kept != 0 {
                    add(next.entry(turn.kept).or_insert(NEVER), times(chance, odds));
                }
            }
        }
        let mut made = NEVER;
        next.values().for_each(|odds| add(&mut made, *odds));
        if made == NEVER {
            break;
        }
        shots.push(made);
        groups = next;
    }
    shots
}

/// The Residual FP that half of each IFT column leaves (8.2, I-87).
const RESIDUAL: [(u16, u8); 11] = [
    (1, 0),
    (2, 1),
    (4, 2),
    (6, 2),
    (8, 4),
    (12, 6),
    (16, 8),
    (20, 8),
    (24, 12),
    (30, 12),
    (36, 12),
];
/// The Residual FP counters, and none.
const COUNTERS: [u8; 7] = [0, 1, 2, 4, 6, 8, 12];

/// Returns the odds of each Residual FP. What malfunctions, and what keeps its ROF to use it,
/// leaves none (8.221, 8.23, I-88).
fn residual(
    reckoning: &AttackReckoning,
    turns: &[(Turn, Fraction)],
    keeps: bool,
    rulebook: Rulebook,
) -> BTreeMap<u8, Fraction> {
    let mut odds = BTreeMap::new();
    let Some(steps) = reckoning.residual else { return odds };
    let strongest = |(_, class): &(usize, &ReckonedClass)| (class.fp * 1024.0) as u64;
    let Some((class, of)) = reckoning.classes.iter().enumerate().max_by_key(strongest) else {
        return odds;
    };
    for (turn, chance) in turns {
        let out = turn.broken | turn.removed | if keeps { turn.kept } else { 0 };
        let is_lost = |place: &usize| {
            let is_out = out >> place & 1 == 1 && !rulebook.chooses(Switch::AllLeftByGroup);
            let is_rifle = reckoning.weapons[*place].is_rifle;
            is_out || is_rifle && rulebook.chooses(Switch::RiflesLeaveNone)
        };
        let lost = (0..reckoning.weapons.len()).filter(is_lost);
        let lost: f64 = match rulebook.chooses(Switch::NoneLeftByGroup) && out != 0 {
            true => of.fp,
            false => lost.map(|place| reckoning.weapons[place].fp[class]).sum(),
        };
        let attack = Attack { firepower: (of.fp - lost) as u16, ..reckoning.attack(of) };
        let column = attack.column_after(turn.original);
        let left = column.and_then(|column| RESIDUAL.iter().find(|(of, _)| *of == column));
        let left = match left {
            None => 0,
            Some((6, _)) if rulebook.chooses(Switch::HalfColumnsKept) => 3,
            Some((20, _)) if rulebook.chooses(Switch::HalfColumnsKept) => 10,
            Some((_, left)) => *left,
        };
        let place = COUNTERS.iter().position(|counter| *counter >= left).unwrap_or_default();
        let reduced = COUNTERS[place.saturating_sub(usize::from(steps))];
        let left = if steps == 0 { left } else { reduced };
        add(odds.entry(left).or_insert(NEVER), *chance);
    }
    odds
}
