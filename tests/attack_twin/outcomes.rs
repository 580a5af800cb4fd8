//! All pairs of dice: what the IFT shows, ROF, breakdown, and Residual FP (7.3, 8.2, 9.2, 9.7).

use super::counters::WeaponKind;
use super::firepower::column_index;
use super::ratio::Ratio;
use super::reckoning::{ReckonedWeapon, Reckoning, reckon};
use super::tables::{COLUMNS, IFT};
use super::{Attack, HeldWeapon};

/// Values with their odds.
pub type Odds<T> = Vec<(T, Ratio)>;

pub fn add_odds<T: PartialEq>(list: &mut Odds<T>, value: T, odds: Ratio) {
    match list.iter_mut().find(|(known, _)| *known == value) {
        Some((_, sum)) => *sum = sum.plus(odds),
        None => list.push((value, odds)),
    }
}

/// What becomes of one SW in a shot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeaponFate {
    pub malfunctions: bool,
    pub removed: bool,
    pub keeps_rof: bool,
}

/// The odds of all that an attack can come to.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// What the IFT shows for each class of targets.
    pub shown: Vec<Odds<&'static str>>,
    /// The fates of all SW together.
    pub fates: Odds<Vec<WeaponFate>>,
    /// The FP left if every ROF is given up (8.23), and if it is kept.
    pub residual: Odds<i64>,
    pub residual_keep: Odds<i64>,
}

/// Reads the IFT; Final DR beyond its ends are those of the ends (7.3, I-70).
pub fn read_ift(column: usize, final_dr: i32) -> &'static str {
    let line = IFT.lines().nth(final_dr.clamp(0, 15) as usize).unwrap();
    match line.split(',').nth(column).unwrap() {
        "-" => "NE",
        shown => shown,
    }
}

/// Returns the sets that Random Selection can take among `number` candidates (A.9): those of the
/// highest dr. All of them roll it, and the others less.
pub fn random_selection(number: usize) -> Odds<Vec<bool>> {
    let rolls = 6u128.pow(number as u32);
    let odds = |set: u32| {
        let others = number as u32 - set.count_ones();
        Ratio::new((0..6u128).map(|below| below.pow(others)).sum(), rolls)
    };
    let set = |set: u32| ((0..number).map(|place| set >> place & 1 == 1).collect(), odds(set));
    match number {
        0 => vec![(Vec::new(), Ratio::ONE)],
        _ => (1..1 << number).map(set).collect(),
    }
}

/// Calls `each` with every roll of so many dice and its odds.
fn for_all_dice(number: usize, mut each: impl FnMut(&[u32], Ratio)) {
    let odds = Ratio::new(1, 6u128.pow(number as u32));
    let mut dice = vec![1; number];
    loop {
        each(&dice, odds);
        let Some(place) = dice.iter().position(|dr| *dr < 6) else { return };
        dice[place] += 1;
        dice[..place].fill(1);
    }
}

/// Returns the fates of the SW at an Original DR, but for ROF (9.7, 9.71, A.11): one dr for each
/// SW whose B# is rolled; the highest malfunctions. The highest of those whose X# is rolled is
/// removed.
pub fn breakdowns(weapons: &[ReckonedWeapon], dr: i32) -> Odds<Vec<WeaponFate>> {
    let is_rolled = |number: i32| number > 0 && dr >= number;
    let at_risk: Vec<usize> =
        (0..weapons.len()).filter(|&place| is_rolled(weapons[place].breakdown)).collect();
    let mut fates = vec![WeaponFate::default(); weapons.len()];
    // A FT or DC attacks alone. A DC is used up in any case.
    for (fate, weapon) in fates.iter_mut().zip(weapons) {
        fate.removed = weapon.breakdown == 0 && is_rolled(weapon.removal)
            || weapon.kind == WeaponKind::DemolitionCharge;
    }
    let mut all = Vec::new();
    for_all_dice(at_risk.len(), |dice, odds| {
        let rolled = || at_risk.iter().copied().zip(dice);
        let removable = || rolled().filter(|(place, _)| is_rolled(weapons[*place].removal));
        let mut fates = fates.clone();
        let top = dice.iter().max();
        for (place, _) in rolled().filter(|(_, dr)| Some(*dr) == top) {
            fates[place].malfunctions = true;
        }
        let top = removable().map(|(_, dr)| dr).max();
        for (place, _) in removable().filter(|(_, dr)| Some(*dr) == top) {
            fates[place].removed = true;
        }
        add_odds(&mut all, fates, odds);
    });
    all
}

/// Returns the Residual FP of a column (8.2, I-87): half of it, down to a counter, less one step
/// for each positive DRM from outside the target hex (8.26).
fn residual_fp(column: i64, steps: i32) -> i64 {
    let counters = [0, 1, 2, 4, 6, 8, 12];
    let place = counters.iter().rposition(|counter| counter * 2 <= column).unwrap();
    counters[place.saturating_sub(steps as usize)]
}

/// Returns the odds of all outcomes. Below 1 FP there is no attack, and no outcome (7.3).
pub fn outcomes(r: &Reckoning) -> Outcomes {
    let mut all = Outcomes { shown: vec![Vec::new(); r.classes.len()], ..Outcomes::default() };
    if r.classes.iter().all(|class| class.column().is_none()) {
        return all;
    }
    for (coloured, white) in (1..=6).flat_map(|coloured| (1..=6).map(move |w| (coloured, w))) {
        let dr = coloured + white;
        let pair = Ratio::new(1, 36);
        let cowered = if coloured == white { r.cowering } else { 0 };
        let is_dud = |w: &ReckonedWeapon| w.kind == WeaponKind::DemolitionCharge && dr >= w.removal;
        // 23.2
        let has_dud = r.weapons.iter().any(is_dud);
        for (class, shown) in r.classes.iter().zip(&mut all.shown) {
            let column = class.column().and_then(|column| column.checked_sub(cowered));
            let result = match column {
                Some(column) if !has_dud => read_ift(column, dr + class.drm),
                _ => "NE",
            };
            add_odds(shown, result, pair);
        }
        let marks = random_selection(if cowered > 0 { r.can_cower.len() } else { 0 });
        for (fates, odds) in breakdowns(&r.weapons, dr) {
            for (marks, of_marks) in &marks {
                let odds = odds.times(*of_marks).times(pair);
                let marked: Vec<(usize, usize)> = r
                    .can_cower
                    .iter()
                    .zip(marks)
                    .filter(|(_, is)| **is)
                    .map(|(at, _)| *at)
                    .collect();
                let mut fates = fates.clone();
                for (fate, w) in fates.iter_mut().zip(&r.weapons) {
                    // I-81
                    let is_marked = marked.contains(&(w.at.0, w.at.1));
                    let is_lost = fate.malfunctions || fate.removed;
                    fate.keeps_rof = coloured <= w.rof && !is_lost && !is_marked;
                }
                if r.attack.phase.is_in_movement() {
                    let left = |keeps: bool| fp_left(r, &fates, keeps, cowered);
                    add_odds(&mut all.residual, left(false), odds);
                    add_odds(&mut all.residual_keep, left(true), odds);
                }
                add_odds(&mut all.fates, fates, odds);
            }
        }
    }
    all
}

/// Returns the Residual FP without the SW that do not count (8.221, 8.23, I-88). A Snap Shot leaves
/// none (8.15).
pub fn fp_left(r: &Reckoning, fates: &[WeaponFate], keeps: bool, cowered: usize) -> i64 {
    let is_out = |fate: &WeaponFate| fate.malfunctions || fate.removed || keeps && fate.keeps_rof;
    let out = fates.iter().zip(&r.weapons).filter(|(fate, _)| is_out(fate));
    let fp = r.fp - out.map(|(_, w)| w.fp).sum::<i64>();
    match column_index(fp).and_then(|column| column.checked_sub(cowered)) {
        Some(column) if !r.attack.snap_shot => residual_fp(COLUMNS[column], r.residual_steps),
        _ => 0,
    }
}

/// Returns the odds of a first, second and third shot at the same target by the MG that keep their
/// ROF (9.2, 7.55).
pub fn shot_odds(attack: &Attack) -> Vec<Ratio> {
    let limit = if attack.phase.is_in_movement() { attack.mf.clamp(1, 3) } else { 3 };
    let mut shots = vec![Ratio::ONE];
    let mut states = vec![(attack.clone(), Ratio::ONE)];
    while shots.len() < limit as usize {
        let mut next = Vec::new();
        for (attack, odds) in &states {
            let r = reckon(attack).unwrap();
            for (fates, of_fates) in outcomes(&r).fates {
                if fates.iter().any(|fate| fate.keeps_rof) {
                    add_odds(&mut next, later_shot(&r, &fates), odds.times(of_fates));
                }
            }
        }
        if next.is_empty() {
            break;
        }
        shots.push(next.iter().fold(Ratio::ZERO, |sum, (_, odds)| sum.plus(*odds)));
        states = next;
    }
    shots
}

/// Returns the next shot: only the MG that kept their ROF, under the same leaders.
fn later_shot(r: &Reckoning, fates: &[WeaponFate]) -> Attack {
    let mut later = r.attack.clone();
    let keeps = |at: (usize, usize, usize)| {
        r.weapons.iter().zip(fates).any(|(w, fate)| w.at == at && fate.keeps_rof)
    };
    for (location, of) in later.locations.iter_mut().enumerate() {
        for (firer, f) in of.firers.iter_mut().enumerate() {
            let held = std::mem::take(&mut f.weapons);
            let kept: Vec<HeldWeapon> = held
                .iter()
                .enumerate()
                .filter(|(place, _)| keeps((location, firer, *place)))
                .map(|(_, held)| *held)
                .collect();
            // Who has fired does not direct (10.7). His 1 FP of a hero has been used.
            if kept.is_empty() {
                f.set("no-direct", !held.is_empty() || f.is("no-direct"));
                f.set("heroic", false);
            }
            f.set("sw-only", !kept.is_empty());
            f.weapons = kept;
        }
        // The others stay only as leaders beside the MG, or as assistants.
        of.firers.retain(|f| !f.weapons.is_empty() || f.is("assist") || f.counter.is_leader());
    }
    // A Location without a firing MG is out of the FG.
    later.locations.retain(|of| of.firers.iter().any(|f| !f.weapons.is_empty()));
    later
}
