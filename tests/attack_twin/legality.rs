//! What the rules forbid, as far as random attacks come to it.

use super::counters::WeaponKind;
use super::firers::{Element, has_two_smc};
use super::{Attack, Phase};

/// Returns whether the elements may attack together in these circumstances.
pub fn is_legal(attack: &Attack, elements: &[Element]) -> bool {
    let locations = &attack.locations;
    let is_berserk = locations.iter().flat_map(|of| &of.firers).any(|f| f.is("berserk"));
    // E1.75, 7.54
    let is_fg = locations.len() == 1 || !attack.night && !is_berserk;
    // 8.31, 8.4
    let is_adjacent_only = matches!(attack.phase, Phase::Fpf | Phase::FinalAgain);
    let is_legal_location = |location: usize| {
        let out = attack.smoke_out + i32::from(attack.smoke_out > 0);
        let dark = attack.lv + i32::from(attack.night);
        let between = attack.hindrance_of(location) + attack.smoke + attack.smoke_los;
        // Every SW has somebody to fire it (I-71); +6 blocks the LOS (B.10).
        locations[location].loose.is_empty()
            && between + out + dark < 6
            && !(is_adjacent_only && locations[location].range > 1)
    };
    is_fg
        && (0..locations.len()).all(is_legal_location)
        && elements.iter().all(|e| may_take_part(attack, e))
}

fn may_take_part(attack: &Attack, e: &Element) -> bool {
    let f = e.unit(attack);
    let range = attack.locations[e.location].range;
    // A lone SMC does not use Sustained Fire, nor does an ATR (9.3).
    let is_lone = !f.counter.is_mmc() && !has_two_smc(attack, e.location, e.firer);
    let may_sustain = match e.kind {
        None => true,
        Some(kind) => kind == WeaponKind::MachineGun && !is_lone,
    };
    // 7.34, 9.5
    let can_spray = match e.kind {
        None => f.counter.has('s') && range <= 3,
        Some(kind) => kind == WeaponKind::MachineGun,
    };
    (may_sustain || !e.is_marked)
        && (can_spray || !attack.spraying)
        // What is marked fires only at ADJACENT units or in its own hex in the DFPh (8.4).
        && !(attack.phase == Phase::Final && e.is_marked && range > 1)
        // 7.8, 22.6
        && !(attack.mol && f.is("pinned"))
}
