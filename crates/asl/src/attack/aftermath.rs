//! Effects of an attack on the firers: ROF, breakdown and Residual FP (9.2, 9.7, 8.2); IFT results.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::reckoning::{AttackReckoning, MOST_SHOTS, ReckonedClass, ReckonedWeapon};
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

/// One result of a shot for the SW: which keep their ROF, malfunction, and are removed.
struct Turn {
    original: Dr,
    kept: u32,
    broken: u32,
    removed: u32,
}

/// Returns what an attack leaves behind.
///
/// `later` reckons a later shot by a set of the SW; bit `i` is the `i`-th SW of the reckoning.
pub fn aftermath(
    reckoning: &AttackReckoning,
    later: &dyn Fn(u32) -> Option<AttackReckoning>,
    rulebook: Rulebook,
) -> Aftermath {
    let first = turns(reckoning, rulebook);
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
    let shots = shots(reckoning, &first, later, rulebook);
    Aftermath { weapons, shots, residual, residual_if_kept }
}

/// Returns the results of a shot with their odds. Below 1 FP there is no DR (7.3), so none.
fn turns(reckoning: &AttackReckoning, rulebook: Rulebook) -> Vec<(Turn, Fraction)> {
    let weapons = &reckoning.weapons;
    let markable = reckoning.markable.iter().filter(|is_markable| **is_markable).count();
    let mut turns = Vec::new();
    if reckoning.classes.iter().all(|class| class.column().is_none()) {
        return turns;
    }
    // Units that man several SW are marked once.
    let mut units: Vec<usize> =
        weapons.iter().filter(|weapon| weapon.is_markable).map(|weapon| weapon.firer).collect();
    units.sort_unstable();
    units.dedup();
    for &original in Dr::ALL.iter() {
        let cowers =
            original.coloured() == original.white() && reckoning.cowering > 0 && markable > 0;
        let marked =
            if cowers { selected(units.len(), markable) } else { vec![(0, Fraction::new(1, 1))] };
        let reached = |number: fn(&ReckonedWeapon) -> Option<u8>| -> u32 {
            let reaches = |weapon| number(weapon).is_some_and(|least| original.total() >= least);
            let places = weapons.iter().enumerate().filter(|(_, weapon)| reaches(weapon));
            places.map(|(place, _)| 1 << place).sum()
        };
        let lost = losses(reached(|weapon| weapon.breakdown), reached(|weapon| weapon.x_number));
        for (marked, chance) in &marked {
            for &((broken, removed), of_losses) in &lost {
                let keeps = |(place, weapon): &(usize, &ReckonedWeapon)| {
                    let unit = units.iter().position(|unit| *unit == weapon.firer);
                    let is_marked = unit.is_some_and(|unit| marked >> unit & 1 == 1)
                        && !rulebook.chooses(Switch::MarkedKeepsRof);
                    let is_lost = (broken | removed) >> place & 1 == 1;
                    weapon.rof >= original.coloured() && !is_marked && !is_lost
                };
                let kept = weapons.iter().enumerate().filter(keeps);
                let kept = kept.map(|(place, _)| 1 << place).sum();
                let odds = times(times(*chance, of_losses), Fraction::new(1, 36));
                turns.push((Turn { original, kept, broken, removed }, odds));
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

/// Returns the sets of SW that malfunction and that are removed, with their odds (9.71). Each SW at
/// risk has one dr: the highest of those whose B# is reached malfunctions, and the highest of those
/// whose X# is reached is removed.
fn losses(by_breakdown: u32, by_x_number: u32) -> Vec<((u32, u32), Fraction)> {
    let dice = (by_breakdown | by_x_number).count_ones();
    let mut ways: BTreeMap<(u32, u32), u128> = BTreeMap::new();
    for (removed, of_removed, ways_of_removed) in highest(by_x_number) {
        for (others, of_others, ways_of_others) in highest(by_breakdown & !by_x_number) {
            let broken = match of_removed.cmp(&of_others) {
                Ordering::Greater => removed,
                Ordering::Equal => removed | others,
                Ordering::Less => others,
            };
            *ways.entry((broken & by_breakdown, removed)).or_default() +=
                ways_of_removed * ways_of_others;
        }
    }
    ways.into_iter().map(|(lost, ways)| (lost, Fraction::new(ways, 6u128.pow(dice)))).collect()
}

/// Returns each set of candidates that can have the highest dr, that dr, and the number of ways in
/// which the dice of all candidates show it.
fn highest(candidates: u32) -> Vec<(u32, u32, u128)> {
    let mut found = Vec::new();
    if candidates == 0 {
        return vec![(0, 0, 1)];
    }
    let mut set = candidates;
    while set != 0 {
        let others = (candidates & !set).count_ones();
        found.extend((1..=6).map(|dr| (set, dr, u128::from(dr - 1).pow(others))));
        set = (set - 1) & candidates;
    }
    found
}

/// Returns the odds that each shot is made: the MG that keep their ROF go on as one group (9.2).
fn shots(
    reckoning: &AttackReckoning,
    first: &[(Turn, Fraction)],
    later: &dyn Fn(u32) -> Option<AttackReckoning>,
    rulebook: Rulebook,
) -> Vec<Fraction> {
    let most = usize::from(reckoning.most_shots.min(MOST_SHOTS));
    let mut shots = vec![Fraction::new(1, 1)];
    let mut next: BTreeMap<u32, Fraction> = BTreeMap::new();
    for (turn, odds) in first {
        add(next.entry(turn.kept).or_insert(NEVER), *odds);
    }
    loop {
        next.remove(&0);
        let mut made = NEVER;
        next.values().for_each(|odds| add(&mut made, *odds));
        if made == NEVER || shots.len() >= most {
            return shots;
        }
        shots.push(made);
        for (firing, chance) in std::mem::take(&mut next) {
            let Some(shot) = later(firing) else { continue };
            for (turn, odds) in turns(&shot, rulebook) {
                let kept = within(turn.kept, firing);
                add(next.entry(kept).or_insert(NEVER), times(chance, odds));
            }
        }
    }
}

/// Maps a set of positions among the `members` to the set of these members.
fn within(set: u32, members: u32) -> u32 {
    let places = (0..u32::BITS).filter(|place| members >> place & 1 == 1).enumerate();
    places.filter(|(number, _)| set >> number & 1 == 1).map(|(_, place)| 1 << place).sum()
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
/// The FP that an attack can leave, 3 and 10 by the alternative of I-87.
pub(crate) const RESIDUAL_FP: [u8; 8] = [1, 2, 3, 4, 6, 8, 10, 12];
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
    for (turn, chance) in turns {
        let out = turn.broken | turn.removed | if keeps { turn.kept } else { 0 };
        if let Some(left) = residual_left(reckoning, turn.original, out, rulebook) {
            add(odds.entry(left).or_insert(NEVER), *chance);
        }
    }
    odds
}

/// Returns the Residual FP of an attack with an Original DR (8.2 - 8.26); `None` outside the MPh.
/// The bits of `out` are the SW that leave none.
pub(crate) fn residual_left(
    reckoning: &AttackReckoning,
    original: Dr,
    out: u32,
    rulebook: Rulebook,
) -> Option<u8> {
    let steps = reckoning.residual?;
    let strongest = |class: &&ReckonedClass| (class.fp * 1024.0) as u64;
    let of = reckoning.classes.iter().max_by_key(strongest)?;
    let is_lost = |(place, _): &(usize, f64)| {
        let is_out = out >> place & 1 == 1 && !rulebook.chooses(Switch::AllLeftByGroup);
        let is_rifle = reckoning.weapons[*place].is_rifle;
        is_out || is_rifle && rulebook.chooses(Switch::RiflesLeaveNone)
    };
    let lost: f64 = match rulebook.chooses(Switch::NoneLeftByGroup) && out != 0 {
        true => of.fp,
        false => of.weapon_fp().enumerate().filter(is_lost).map(|(_, fp)| fp).sum(),
    };
    let attack = Attack { firepower: (of.fp - lost) as u16, ..reckoning.attack(of) };
    let column = attack.column_after(original);
    let left = column.and_then(|column| RESIDUAL.iter().find(|(of, _)| *of == column));
    let left = match left {
        None => 0,
        Some((6, _)) if rulebook.chooses(Switch::HalfColumnsKept) => 3,
        Some((20, _)) if rulebook.chooses(Switch::HalfColumnsKept) => 10,
        Some((_, left)) => *left,
    };
    let place = COUNTERS.iter().position(|counter| *counter >= left).unwrap_or_default();
    let reduced = COUNTERS[place.saturating_sub(usize::from(steps))];
    Some(if steps == 0 { left } else { reduced })
}
