//! The DRM of an attack (7.6, 4.6, 8.26).

use super::counters::WeaponKind;
use super::firers::{Element, has_two_smc};
use super::{Attack, Firer, Hexside, Movement, Phase, TargetState, WallAdvantage, Works};

/// The FT or DC that makes an attack.
#[derive(Clone, Copy, Default)]
struct Special {
    is_ft: bool,
    is_dc: bool,
    is_placed_dc: bool,
}

/// What one Location of the FG meets at the target.
struct LocationTem {
    tem: i32,
    has_height_advantage: bool,
    /// The hexside TEM that could be claimed, whether it was or not (B9.31, 8.26).
    hexside: i32,
}

/// Returns TEM and Height Advantage against fire from one Location (B9, B10.31, B30.3).
fn location_tem(attack: &Attack, location: usize, special: Special) -> LocationTem {
    let level = attack.level_of(location);
    // Works of earth, walls and hedges lose 1 for each level by which the height exceeds the range
    // (B9.33); bocage does not (B9.531), nor does a roadblock, which is not named.
    let fall = (level - attack.locations[location].range).max(0);
    let works = match attack.works {
        Works::None => 0,
        Works::Foxhole | Works::Trench => (2 - fall).max(0),
        Works::Shellhole => (1 - fall).max(0),
        // D9.3, I-75
        Works::Wreck => 1,
    };
    let of_terrain = attack.tem.unwrap_or(attack.terrain.tem);
    // 8.15
    let in_hex = if attack.snap_shot { 0 } else { of_terrain.max(works) };
    let firer_has = attack.wall_advantage == WallAdvantage::Firer;
    let mut hexside = match attack.hexside {
        // B9.31; a placed DC knows no hexside.
        _ if firer_has || special.is_placed_dc => 0,
        Hexside::None => 0,
        Hexside::Wall => (2 - fall).max(0),
        Hexside::Hedge => (1 - fall).max(0),
        Hexside::Bocage | Hexside::Roadblock => 2,
    };
    let target_has = attack.wall_advantage == WallAdvantage::Target;
    let mut tem = match target_has && attack.hexside != Hexside::None && !special.is_placed_dc {
        true => hexside,
        // I-76: the higher one.
        false => hexside.max(in_hex),
    };
    // A pillbox replaces all other TEM (B30.3).
    if let Some(number) = attack.pillbox {
        (tem, hexside) = (number, 0);
    }
    // 22.2
    if special.is_ft {
        (tem, hexside) = (0, 0);
    }
    // B10.31: not for who has just crossed the crest hexside of the LOS; I-85 for a placed DC.
    let crest = attack.crest && attack.phase.is_in_movement();
    let is_barred = crest || special.is_ft || special.is_placed_dc;
    LocationTem { tem, has_height_advantage: level < 0 && tem <= 0 && !is_barred, hexside }
}

/// Returns whether night makes a LOS worse (E1.7).
fn has_night_drm(attack: &Attack, location: usize, has_height_advantage: bool) -> bool {
    // I-77: terrain whose top is a full level above the firer spares it, unless it is clear.
    let rise = attack.terrain.half_levels - 2 * attack.level_of(location);
    let is_tall = !attack.terrain.is_clear && rise >= 2;
    attack.night && attack.locations[location].range != 0 && !has_height_advantage && !is_tall
}

/// Returns the units that fire, each once: also SMC who help at a MG (9.12).
fn firing_units(attack: &Attack, elements: &[Element]) -> Vec<(usize, usize)> {
    let mut units: Vec<(usize, usize)> = elements.iter().map(|e| (e.location, e.firer)).collect();
    units.dedup();
    for (location, of) in attack.locations.iter().enumerate() {
        let helps = elements
            .iter()
            .any(|e| e.location == location && has_two_smc(attack, location, e.firer));
        let helpers = of.firers.iter().enumerate().filter(|(_, f)| helps && f.is("assist"));
        units.extend(helpers.map(|(place, _)| (location, place)));
    }
    units
}

/// The sum of the DRM, and of the positive ones from outside the target hex (8.26).
#[derive(Clone, Copy, Debug, Default)]
pub struct DrmSum {
    pub drm: i32,
    pub outside: i32,
}

impl DrmSum {
    fn add(&mut self, drm: i32) {
        self.drm += drm;
    }

    fn add_outside(&mut self, drm: i32) {
        self.drm += drm;
        self.outside += drm.max(0);
    }
}

/// Returns the DRM against targets in a state. `directors` are those of all Locations and their
/// leadership.
pub fn drm_sum(
    attack: &Attack,
    elements: &[Element],
    directors: Option<&(Vec<(usize, usize)>, i32)>,
    target: TargetState,
) -> DrmSum {
    let mut sum = DrmSum::default();
    let is_dc = elements.iter().any(|e| e.is(WeaponKind::DemolitionCharge));
    let is_ft = elements.iter().any(|e| e.is(WeaponKind::Flamethrower));
    let special = Special { is_ft, is_dc, is_placed_dc: is_dc && !attack.dc_thrown };
    let units = firing_units(attack, elements);
    let directing = directors.map_or(&[][..], |(who, _)| who);
    // 7.531
    sum.add_outside(directors.map_or(0, |(_, leadership)| *leadership));
    add_heroes(&mut sum, attack, elements, directing, special);
    let firer = |at: &(usize, usize)| -> &Firer { &attack.locations[at.0].firers[at.1] };
    // 4.51, 7.7, 5.12: once an attack (I-98).
    sum.add_outside(units.iter().chain(directing).any(|at| firer(at).is("cx")).into());
    sum.add_outside(units.iter().any(|at| firer(at).is("encircled")).into());
    sum.add_outside(attack.overstack_by);
    // 5.131, 22.4
    sum.add(-attack.overstack_target - attack.target_ft);
    // 23.6, 23.62
    if is_dc && attack.dc_thrown {
        let is_own = attack.locations[0].range == 0;
        sum.add(2 + i32::from(attack.phase == Phase::Advancing) + i32::from(is_own));
    }
    sum.add(attack.drm);
    add_ground(&mut sum, attack, elements, special, target);
    sum
}

/// Adds the DRM of heroes (15.23, 15.24). A heroic leader who directs lends his leadership instead
/// (I-96).
fn add_heroes(
    sum: &mut DrmSum,
    attack: &Attack,
    elements: &[Element],
    directing: &[(usize, usize)],
    special: Special,
) {
    if special.is_ft || special.is_dc {
        return;
    }
    let of_heroes: Vec<&Element> = elements
        .iter()
        .filter(|e| e.unit(attack).is_heroic() && !directing.contains(&(e.location, e.firer)))
        .collect();
    // A hero fires one element.
    let is_near = |e: &&&Element| attack.locations[e.location].range <= e.range;
    sum.add(-(of_heroes.iter().filter(is_near).count() as i32));
    sum.add_outside(of_heroes.iter().any(|e| e.is(WeaponKind::MachineGun)).into());
}

/// Adds the DRM of what lies between and at the target, and of its movement. The worst of all
/// Locations counts for all (7.52).
fn add_ground(
    sum: &mut DrmSum,
    attack: &Attack,
    elements: &[Element],
    special: Special,
    target: TargetState,
) {
    let mut active: Vec<usize> = elements.iter().map(|e| e.location).collect();
    active.dedup();
    let tems = active.iter().map(|&location| location_tem(attack, location, special));
    let tems: Vec<LocationTem> = tems.collect();
    let tem = tems.iter().map(|of| of.tem).max().unwrap();
    let has_height_advantage = tem <= 0 && tems.iter().any(|of| of.has_height_advantage);
    sum.add(tem + i32::from(has_height_advantage));
    sum.outside += tems.iter().map(|of| of.hexside).max().unwrap();
    let hindrance = active.iter().map(|&location| attack.hindrance_of(location)).max().unwrap();
    // No Hindrance, SMOKE or Low Visibility against a DC (23).
    if !special.is_dc {
        // 6.7
        sum.add_outside(hindrance);
        // 24.2, 24.8
        sum.add(attack.smoke);
        let is_within = active.iter().any(|&location| attack.locations[location].range == 0);
        sum.add_outside((attack.smoke > 0 && is_within).into());
        sum.add_outside(attack.smoke_los);
        sum.add_outside(attack.smoke_out + i32::from(attack.smoke_out > 0));
        // E1.7, E3.1
        let is_dark = |&location: &usize| has_night_drm(attack, location, has_height_advantage);
        sum.add(attack.lv + i32::from(active.iter().any(is_dark)));
    }
    // 4.6, 4.62, 7.83, 8.15
    if target.pinned {
        return;
    }
    if attack.movement == Movement::Hazardous {
        sum.add(-2);
    } else if attack.phase.is_in_movement()
        && attack.movement != Movement::None
        && !attack.snap_shot
    {
        let is_quick = attack.movement != Movement::Assault || target.broken || target.berserk;
        let is_uncovered = tem <= 0 && (attack.works == Works::None || !special.is_ft);
        let smoke = attack.smoke + attack.smoke_los + attack.smoke_out;
        let is_in_open = attack.terrain.is_open_ground
            && is_uncovered
            && !has_height_advantage
            && hindrance == 0
            && smoke == 0;
        sum.add(-i32::from(is_quick) - i32::from(is_in_open));
    }
}
