//! The FP of each unit and SW (7.2).

use super::counters::{UnitKind, WeaponKind};
use super::firers::{Element, has_two_smc, is_distant_mg};
use super::tables::COLUMNS;
use super::{Attack, Movement, Phase, TargetState};

/// One FP; FP are counted in parts of it, so that no half is lost.
pub const FP: i64 = 1 << 16;

/// Returns the FP of one element against targets in a state (7.2).
pub fn element_fp(attack: &Attack, e: &Element, target: TargetState) -> i64 {
    let f = e.unit(attack);
    let (range, level) = (attack.locations[e.location].range, attack.level_of(e.location));
    let is_small = e.kind.is_none();
    let is_mg = e.is(WeaponKind::MachineGun);
    let is_ft = e.is(WeaponKind::Flamethrower);
    let is_bullet = is_small || is_mg || e.is(WeaponKind::AntiTankRifle);
    let times = match range {
        _ if !is_bullet => 1,
        0 if level == 0 => 3,
        // 7.21; the same hex on another level is adjacent (I-99).
        0 | 1 if level >= -1 => 2,
        _ => 1,
    };
    let is_clear = !target.concealed && !target.broken && !target.berserk;
    let halvings = [
        // 7.22
        !e.is(WeaponKind::AntiTankRifle) && !e.is(WeaponKind::DemolitionCharge) && range > e.range,
        // 12.13, 23.1; not in a pillbox (B30.7)
        target.concealed && attack.pillbox.is_none(),
        // 7.8, 7.81
        f.is("pinned") && is_bullet,
        // 8.3, 8.31, 8.4
        e.is_marked && (is_small || is_mg),
        // 7.34, 9.5
        attack.spraying && (is_small || is_mg),
        // 8.15
        attack.snap_shot && (is_small || is_mg),
        // 4.63
        attack.movement == Movement::Dash,
        // 9.12
        is_mg && f.is_plain_smc() && !has_two_smc(attack, e.location, e.firer),
        // 9.4
        is_distant_mg(attack, e) && is_clear && attack.overstack_target == 0,
        // 7.24
        attack.phase == Phase::Advancing && is_bullet,
        // 22
        is_ft && level.abs() == 2,
    ];
    let mut halved = halvings.into_iter().filter(|halves| *halves).count() as i32;
    // 7.23, B16.32, B20.6; Area Fire of any kind halves a FT (22).
    if is_small || is_mg || is_ft {
        halved += attack.area;
    }
    let fp = (e.firepower * FP * times) >> halved;
    let is_able = f.counter.has('a') || f.is("assault-fire");
    let assaults = is_small && f.counter.kind == UnitKind::Squad && is_able;
    match assaults && attack.phase == Phase::Advancing && range <= e.range {
        // 7.36: one more, rounded up.
        true => (fp + 2 * FP - 1) / FP * FP,
        false => fp,
    }
}

/// Returns the rightmost column that is not above the FP; `None` below 1 FP (7.3).
pub fn column_index(fp: i64) -> Option<usize> {
    COLUMNS.iter().rposition(|column| column * FP <= fp)
}
