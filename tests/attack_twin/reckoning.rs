//! The whole attack before the dice: FP, DRM, Cowering, B#, X#, ROF (7.3, 7.9, 9.2, 9.3).

use super::counters::{WeaponKind, is_captured};
use super::firepower::{FP, column_index, element_fp};
use super::firers::{
    Element, assign_loose_weapons, can_cower, directors, eligible_elements, is_distant_mg,
    is_inexperienced,
};
use super::legality::is_legal;
use super::modifiers::drm_sum;
use super::{Attack, Phase, TargetState};

/// Targets in the same state (13.5).
#[derive(Clone, Debug)]
pub struct TargetClass {
    pub state: TargetState,
    /// The places of its units in the target stack, from 1.
    pub slots: Vec<usize>,
    pub fp: i64,
    pub drm: i32,
}

impl TargetClass {
    /// Returns the index of the IFT column; `None` if there is no attack.
    pub fn column(&self) -> Option<usize> {
        column_index(self.fp)
    }
}

/// A SW of the attack with the numbers of this shot.
#[derive(Clone, Debug)]
pub struct ReckonedWeapon {
    /// Its Location, its firer, and its index among the weapons of the firer.
    pub at: (usize, usize, usize),
    pub name: &'static str,
    pub kind: WeaponKind,
    /// The B#; 0 if it has none.
    pub breakdown: i32,
    /// The X#; 0 if it has none.
    pub removal: i32,
    pub rof: i32,
    /// The FP against the class with the highest FP.
    pub fp: i64,
}

/// What the attack comes to before the dice.
#[derive(Clone, Debug)]
pub struct Reckoning {
    /// The attack with all SW given out.
    pub attack: Attack,
    pub classes: Vec<TargetClass>,
    /// The highest FP, from which Residual FP is reckoned.
    pub fp: i64,
    /// The columns lost on doubles: 0, 1, 2.
    pub cowering: usize,
    /// The units that Cowering can mark.
    pub can_cower: Vec<(usize, usize)>,
    pub weapons: Vec<ReckonedWeapon>,
    /// The steps by which Residual FP is reduced (8.26).
    pub residual_steps: i32,
    /// True if a marked part beyond Normal Range stays out (8.3).
    pub is_cut: bool,
}

/// Reckons an attack; `None` if the rules forbid it.
pub fn reckon(attack: &Attack) -> Option<Reckoning> {
    let attack = assign_loose_weapons(attack);
    let (elements, is_cut) = eligible_elements(&attack);
    let directed = directors(&attack, &elements);
    // A MG beyond 16 hexes needs a leader who directs (9.4).
    let is_lost = directed.is_none() && elements.iter().any(|e| is_distant_mg(&attack, e));
    if elements.is_empty() || !is_legal(&attack, &elements) || is_lost {
        return None;
    }
    let mut residual_steps = 0;
    let mut classes = target_classes(&attack);
    for class in &mut classes {
        class.fp = elements.iter().map(|e| element_fp(&attack, e, class.state)).sum();
        // 22.611
        class.fp += if attack.mol { 4 * FP } else { 0 };
        let sum = drm_sum(&attack, &elements, directed.as_ref(), class.state);
        (class.drm, residual_steps) = (sum.drm, sum.outside);
    }
    let fp = classes.iter().map(|class| class.fp).max().unwrap();
    let base = classes.iter().find(|class| class.fp == fp).unwrap().state;
    // 7.9, 19.33, I-78, I-79
    let is_dc = elements.iter().any(|e| e.is(WeaponKind::DemolitionCharge));
    let is_spared = directed.is_some() || is_dc;
    let able = elements.iter().filter(|e| !is_spared && can_cower(e.unit(&attack)));
    let mut can_cower: Vec<(usize, usize)> = able.map(|e| (e.location, e.firer)).collect();
    can_cower.dedup();
    let cowering = match elements.iter().any(|e| is_inexperienced(&attack, e)) {
        _ if can_cower.is_empty() => 0,
        true => 2,
        false => 1,
    };
    let weapons = elements.iter().filter_map(|e| reckoned_weapon(&attack, e, base)).collect();
    Some(Reckoning { classes, fp, cowering, can_cower, weapons, residual_steps, is_cut, attack })
}

/// Splits the target stack into classes of the same state, in stack order (13.5).
fn target_classes(attack: &Attack) -> Vec<TargetClass> {
    let mut classes: Vec<TargetClass> = Vec::new();
    for (slot, &(_, state)) in (1..).zip(&attack.target) {
        match classes.iter_mut().find(|class| class.state == state) {
            Some(class) => class.slots.push(slot),
            None => classes.push(TargetClass { state, slots: vec![slot], fp: 0, drm: 0 }),
        }
    }
    classes
}

/// Returns a SW with its B#, X# and ROF in this shot (9.2, 9.3, A.11, 19.32, 21.1, 22.3, 23.2);
/// `None` for inherent FP.
fn reckoned_weapon(attack: &Attack, e: &Element, base: TargetState) -> Option<ReckonedWeapon> {
    let f = e.unit(attack);
    let place = e.weapon?;
    let w = f.weapons[place].weapon;
    let captured = is_captured(&w, f.counter.nation);
    // 19.32 and I-83, A.11
    let mut penalty = i32::from(is_inexperienced(attack, e)) + i32::from(f.is("ammo-shortage"));
    // Sustained Fire (9.3), captured use (21.11)
    penalty += 2 * i32::from(e.is_marked && w.is_mg()) + 2 * i32::from(captured);
    let (mut breakdown, mut removal) = (w.breakdown, w.removal);
    if breakdown == 0 {
        // A FT or DC in non-elite hands; captured use is doubled there (22.3, 23.2, 21.11).
        if !f.counter.is_elite() {
            penalty += 2 + 2 * i32::from(captured);
        }
        removal -= penalty;
    } else if penalty > 0 {
        // A.11
        (breakdown, removal) = (w.breakdown - penalty, w.breakdown);
    }
    // 4.41, 7.81, 9.3; 21.12
    let has_rof = w.is_mg() && attack.phase != Phase::Advancing && !e.is_marked && !f.is("pinned");
    let rof = if has_rof { (w.rof - i32::from(captured)).max(0) } else { 0 };
    let (at, fp) = ((e.location, e.firer, place), element_fp(attack, e, base));
    Some(ReckonedWeapon { at, name: w.name, kind: w.kind, breakdown, removal, rof, fp })
}
