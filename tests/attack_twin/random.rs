//! Random attacks for comparisons; equal seeds give equal attacks.

use super::counters::{Counter, UnitKind, list_mmc, weapon_nation};
use super::random_firers::{Theme, draft_location, random_rank};
use super::reckoning::reckon;
use super::tables::NATIONS;
use super::{
    Attack, Direction, FiringLocation, Hexside, Movement, Phase, TargetState, Terrain,
    WallAdvantage, Works,
};
use crate::random::Rng;

/// Returns a random legal attack. With `own_sights` it is one of several Locations, some with a
/// Hindrance or level of their own.
pub fn random_attack(seed: u64, own_sights: bool) -> Attack {
    let mut rng = Rng(seed);
    loop {
        let attack = draft_attack(&mut rng, own_sights);
        let Some(r) = reckon(&attack) else { continue };
        // What a SW out of reach costs is not settled, nor what becomes of a part beyond Normal
        // Range in Subsequent First Fire.
        let of_units =
            |of: &FiringLocation| of.firers.iter().map(|f| f.weapons.len()).sum::<usize>();
        let weapons =
            attack.locations.iter().map(|of| of.loose.len() + of_units(of)).sum::<usize>();
        // An attack has at most 12 firers.
        let firers = attack.locations.iter().map(|of| of.firers.len()).sum::<usize>();
        if r.weapons.len() != weapons || r.is_cut || firers > 12 {
            continue;
        }
        let is_empty = r.classes.iter().all(|class| class.column().is_none());
        if !is_empty || rng.percent(10) {
            return attack;
        }
    }
}

fn random_number(rng: &mut Rng, low: i64, high: i64) -> i32 {
    rng.between(low, high) as i32
}

fn draft_target(
    rng: &mut Rng,
    firing_nation: &'static str,
    movement: Movement,
) -> Vec<(Counter, TargetState)> {
    let nation = loop {
        let nation = rng.pick(&NATIONS);
        if weapon_nation(nation) != weapon_nation(firing_nation) {
            break nation;
        }
    };
    let mut mmc = list_mmc();
    mmc.retain(|c| c.nation == nation && c.kind != UnitKind::Crew && !c.has('d'));
    // Of these there are two, which differ as targets.
    mmc.retain(|c| (c.nation, c.name) != ("german", "2-3-7"));
    let mut counters = Vec::new();
    if rng.percent(30) {
        counters.push(Counter::new_leader(nation, random_rank(rng, nation)));
    }
    for _ in 0..rng.between(1, 3) {
        counters.push(rng.pick(&mmc));
    }
    let new = |counter| (counter, TargetState::default());
    let mut target: Vec<(Counter, TargetState)> = counters.into_iter().map(new).collect();
    if rng.percent(15) {
        target.iter_mut().for_each(|(_, state)| state.concealed = true);
    } else if rng.percent(35) {
        for (_, state) in &mut target {
            match rng.below(8) {
                0 | 1 => state.concealed = true,
                2 | 3 => state.pinned = true,
                // Hazardous Movement of a broken unit is not settled.
                4 => state.broken = movement != Movement::Hazardous,
                5 => state.berserk = rng.percent(30),
                _ => {}
            }
        }
    }
    target
}

fn random_theme(rng: &mut Rng) -> Theme {
    match rng.below(100) {
        0..=4 => Theme::Flamethrower,
        5..=9 => Theme::DemolitionCharge,
        10..=12 => Theme::Mol,
        13..=19 => Theme::Spraying,
        20..=24 => Theme::SnapShot,
        25..=36 => Theme::Locations,
        37..=42 => Theme::FarMachineGun,
        43..=49 => Theme::SameHex,
        50..=55 => Theme::Leaders,
        56..=61 => Theme::Partly,
        62..=65 => Theme::Massed,
        _ => Theme::Plain,
    }
}

fn random_phase(rng: &mut Rng, theme: Theme) -> Phase {
    use Phase::*;
    match theme {
        Theme::SnapShot => First,
        Theme::Partly => rng.pick(&[First, First, Final]),
        Theme::Flamethrower | Theme::Mol => rng.pick(&[Prep, First, Final, Advancing]),
        Theme::DemolitionCharge => rng.pick(&[Advancing, Advancing, Final]),
        Theme::Spraying => rng.pick(&[Prep, Final, Advancing, Opportunity]),
        Theme::FarMachineGun => rng.pick(&[Prep, First, Final]),
        _ => rng.pick(Phase::ALL),
    }
}

fn draft_movement(rng: &mut Rng, a: &mut Attack, theme: Theme) {
    use Movement::*;
    if a.phase.is_in_movement() {
        a.movement =
            rng.pick(&[NonAssault, NonAssault, Assault, Assault, Hazardous, Dash, Movement::None]);
        if a.movement == Dash && (a.phase != Phase::First || theme == Theme::SnapShot) {
            a.movement = NonAssault;
        }
        if theme == Theme::SnapShot || theme == Theme::Flamethrower {
            a.movement = rng.pick(&[NonAssault, Assault]);
        }
        a.mf = random_number(rng, 1, 4);
    } else if rng.percent(5) {
        // It gives -2 in any phase (4.62).
        a.movement = Hazardous;
    }
    if theme == Theme::DemolitionCharge {
        a.movement = Movement::None;
        a.dc_thrown = a.phase != Phase::Advancing || rng.percent(40);
    }
}

fn draft_attack(rng: &mut Rng, own_sights: bool) -> Attack {
    let theme = if own_sights { Theme::Locations } else { random_theme(rng) };
    let mut a = Attack { mf: 1, phase: random_phase(rng, theme), ..Attack::default() };
    draft_movement(rng, &mut a, theme);
    let nation = rng.pick(&NATIONS);
    let nation = if theme == Theme::Mol { rng.pick(&["partisan", "russian"]) } else { nation };
    a.spraying = theme == Theme::Spraying;
    a.snap_shot = theme == Theme::SnapShot;
    a.mol = theme == Theme::Mol;
    let locations = if theme == Theme::Locations { rng.between(2, 3) } else { 1 };
    let is_adjacent = matches!(a.phase, Phase::Fpf | Phase::FinalAgain) || a.mol;
    let mut range = match theme {
        Theme::Flamethrower => random_number(rng, 1, 2),
        Theme::DemolitionCharge => 1,
        Theme::FarMachineGun => random_number(rng, 14, 30),
        Theme::SameHex => 0,
        Theme::Massed => random_number(rng, 0, 2).min(if is_adjacent { 1 } else { 2 }),
        Theme::Spraying => random_number(rng, 1, 8),
        _ if is_adjacent => random_number(rng, 0, 4).min(1),
        _ if rng.percent(20) => 1,
        _ => random_number(rng, 1, 12),
    };
    for place in 0..locations {
        let mut location = draft_location(rng, nation, theme, a.phase);
        if place > 0 {
            // Locations of a FG are ADJACENT, so that their ranges differ by one at most (7.5).
            range = (range + random_number(rng, -1, 1)).max(1);
        }
        location.range = range;
        a.locations.push(location);
    }
    for location in a.locations.iter_mut().filter(|_| own_sights) {
        if rng.percent(50) {
            location.hindrance = Some(random_number(rng, 0, 2));
        }
        if location.range > 1 && rng.percent(40) {
            location.level = Some(random_number(rng, -1, 2));
        }
    }
    a.target = draft_target(rng, nation, a.movement);
    let near = a.locations.iter().map(|of| of.range).min().unwrap();
    draft_ground(rng, &mut a, theme, near);
    draft_sight(rng, &mut a, theme, near);
    draft_others(rng, &mut a, theme);
    a
}

fn is_special(theme: Theme) -> bool {
    matches!(theme, Theme::Flamethrower | Theme::DemolitionCharge)
}

/// Drafts what stands at the target.
fn draft_ground(rng: &mut Rng, a: &mut Attack, theme: Theme, near: i32) {
    let terrain = Terrain::list();
    a.terrain = if rng.percent(35) { Terrain::default() } else { rng.pick(&terrain) };
    if a.movement == Movement::Dash {
        a.terrain = Terrain::named(rng.pick(&["open", "road"]));
    }
    if a.snap_shot {
        a.terrain = Terrain::named(rng.pick(&["open", "open", "road", "orchard"]));
    }
    if !is_special(theme) && rng.percent(4) {
        a.tem = Some(random_number(rng, 0, 3));
    }
    // No works where water or a building stands. A moving target of a FT behind them is not
    // settled.
    let takes_works = matches!(
        a.terrain.word,
        "open" | "woods" | "brush" | "orchard" | "grain" | "pine-woods" | "grain-off"
    );
    let is_unsettled = theme == Theme::Flamethrower && a.phase == Phase::First;
    if takes_works && rng.percent(15) && !is_unsettled && !a.snap_shot {
        a.works = rng.pick(&Works::ALL[1..]);
    } else if !is_special(theme)
        && !a.snap_shot
        && a.terrain.word == "open"
        && near > 0
        && rng.percent(6)
    {
        a.pillbox = Some(random_number(rng, 1, 7));
    }
    if near > 0 && a.pillbox.is_none() && rng.percent(20) {
        a.hexside = rng.pick(&Hexside::ALL[1..]);
        if rng.percent(30) {
            a.wall_advantage = rng.pick(&WallAdvantage::ALL[1..]);
            // Wall Advantage of the firer means that he is at that hexside.
            let is_at_hexside = a.locations.iter().all(|of| of.range == 1);
            if a.wall_advantage == WallAdvantage::Firer && !is_at_hexside {
                a.wall_advantage = WallAdvantage::Target;
            }
        }
    }
}

/// Drafts levels and what lies between.
fn draft_sight(rng: &mut Rng, a: &mut Attack, theme: Theme, near: i32) {
    if !is_special(theme) && near > 0 && rng.percent(25) {
        a.level = random_number(rng, -2, 3);
        let is_adjacent = matches!(a.phase, Phase::Fpf | Phase::FinalAgain);
        if is_adjacent || a.mol || theme == Theme::Partly {
            a.level = a.level.clamp(-1, 1);
        }
        if a.snap_shot {
            a.level = a.level.max(0);
        }
        a.crest = a.level < 0 && a.phase.is_in_movement() && rng.percent(25);
    }
    // Another level of the same building (I-99).
    let is_building = theme == Theme::SameHex && rng.percent(20);
    if is_building {
        a.terrain = Terrain::named(rng.pick(&["wooden", "stone"]));
        (a.works, a.tem) = (Works::None, None);
        a.level = rng.pick(&[-1, 1]);
    }
    // A placed DC at a higher target (I-85).
    if theme == Theme::DemolitionCharge && !a.dc_thrown && rng.percent(15) {
        a.level = -1;
    }
    // No Hindrance lies between the same or neighbouring hexes.
    if near > 1 && rng.percent(25) {
        a.hindrance = random_number(rng, 1, 3);
    }
    if rng.percent(15) && !(near == 0 && a.phase.is_in_movement()) && !is_building {
        a.smoke = random_number(rng, 1, 3);
    }
    if near > 1 && rng.percent(8) {
        a.smoke_los = random_number(rng, 1, 2);
    }
    if near > 0 && rng.percent(6) {
        a.smoke_out = random_number(rng, 1, 2);
    }
    if rng.percent(12) {
        a.night = true;
    } else if near > 0 && rng.percent(6) {
        a.lv = random_number(rng, 1, 2);
    }
}

fn draft_others(rng: &mut Rng, a: &mut Attack, theme: Theme) {
    if !is_special(theme) && rng.percent(7) {
        a.area = random_number(rng, 1, 2);
    }
    a.direct = match rng.below(10) {
        // A leader may not direct what is partly marked, unless he has directed all of it (8.41).
        _ if theme == Theme::Partly => Direction::None,
        0 => Direction::Force,
        1 => Direction::None,
        _ => Direction::Auto,
    };
    if !is_special(theme) {
        if rng.percent(4) {
            a.overstack_by = random_number(rng, 1, 2);
        }
        if rng.percent(4) {
            a.overstack_target = random_number(rng, 1, 2);
        }
        if rng.percent(4) {
            a.target_ft = 1;
        }
    }
    // Whether a given DRM reduces Residual FP is not settled.
    if !a.phase.is_in_movement() && rng.percent(5) {
        a.drm = random_number(rng, -2, 2);
    }
}
