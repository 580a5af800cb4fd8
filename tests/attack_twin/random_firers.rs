//! Random firers of one Location.

use super::counters::{
    Counter, UnitKind, Weapon, WeaponKind, list_mmc, list_weapons, weapon_nation,
};
use super::tables::{COMMISSAR_RANKS, FINNISH_RANKS, NATIONS, RANKS};
use super::{Firer, FiringLocation, HeldWeapon, Phase};
use crate::random::Rng;

/// What an attack is to have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Plain,
    Flamethrower,
    DemolitionCharge,
    Mol,
    Spraying,
    SnapShot,
    Locations,
    FarMachineGun,
    SameHex,
    Leaders,
    Partly,
    Massed,
}

pub fn random_rank(rng: &mut Rng, nation: &str) -> &'static str {
    if nation == "finnish" { rng.pick(&FINNISH_RANKS) } else { rng.pick(&RANKS) }
}

/// The SW that the firers of a nation may have.
struct Arsenal {
    own: Vec<Weapon>,
    mgs: Vec<Weapon>,
    captured: Vec<Weapon>,
}

impl Arsenal {
    fn new(nation: &'static str) -> Arsenal {
        let is_own = |w: &Weapon| w.nation == weapon_nation(nation);
        let (own, others): (Vec<_>, Vec<_>) = list_weapons().into_iter().partition(is_own);
        let mgs = own.iter().copied().filter(Weapon::is_mg).collect();
        let is_plain_mg = |w: &Weapon| w.is_mg() && !w.name.contains('(');
        let captured = others.into_iter().filter(is_plain_mg).collect();
        Arsenal { own, mgs, captured }
    }
}

fn held(weapon: Weapon) -> HeldWeapon {
    HeldWeapon { weapon, is_marked: false }
}

pub fn draft_location(
    rng: &mut Rng,
    nation: &'static str,
    theme: Theme,
    phase: Phase,
) -> FiringLocation {
    let mut location = FiringLocation::default();
    let mut mmc = list_mmc();
    mmc.retain(|counter| counter.nation == nation);
    let arsenal = Arsenal::new(nation);
    match theme {
        Theme::Flamethrower | Theme::DemolitionCharge => {
            location.firers = draft_special(rng, nation, theme, &mmc, &arsenal);
            return location;
        }
        Theme::Leaders if arsenal.mgs.is_empty() => return location,
        Theme::Leaders => {
            location.firers = draft_leaders(rng, nation, &arsenal.mgs);
            for _ in 0..rng.below(3) {
                location.firers.push(Firer::new(rng.pick(&mmc)));
            }
            return location;
        }
        _ => {}
    }
    if rng.percent(if theme == Theme::FarMachineGun { 100 } else { 55 }) {
        let mut f = Firer::new(match nation == "russian" && rng.percent(15) {
            true => Counter::new_commissar(COMMISSAR_RANKS[rng.below(3usize)]),
            false => Counter::new_leader(nation, random_rank(rng, nation)),
        });
        for word in ["no-direct", "pinned", "wounded", "cx"] {
            f.set(word, rng.percent(8));
        }
        location.firers.push(f);
        if rng.percent(15) {
            location.firers.push(Firer::new(Counter::new_leader(nation, random_rank(rng, nation))));
        }
    }
    let count = if theme == Theme::Massed { rng.between(4, 6) } else { rng.between(1, 3) };
    for _ in 0..count {
        location.firers.push(draft_firer(rng, nation, theme, phase, (&mmc, &arsenal)));
    }
    if rng.percent(7) && theme == Theme::Plain {
        let mut f = Firer::new(Counter::new_hero("any"));
        f.set("wounded", rng.percent(20));
        location.firers.push(f);
    }
    // Encirclement is that of a Location.
    if rng.percent(5) {
        location.firers.iter_mut().for_each(|f| f.set("encircled", true));
    }
    if phase != Phase::Prep && phase != Phase::Opportunity && rng.percent(3) {
        for f in &mut location.firers {
            f.set("berserk", !f.is_heroic());
            f.set("pinned", false);
        }
    }
    // A SW is given to nobody among units of one nation only.
    let is_one_nation = location.firers.iter().all(|f| f.counter.nation == nation);
    let mgs = &arsenal.mgs;
    if theme == Theme::Plain && is_one_nation && rng.percent(12) && !mgs.is_empty() {
        location.loose.push(rng.pick(mgs));
        if rng.percent(25) {
            location.loose.push(rng.pick(mgs));
        }
    }
    location
}

/// Drafts a unit with a FT or DC, at times beside a leader.
fn draft_special(
    rng: &mut Rng,
    nation: &'static str,
    theme: Theme,
    mmc: &[Counter],
    arsenal: &Arsenal,
) -> Vec<Firer> {
    let kind = match theme {
        Theme::Flamethrower => WeaponKind::Flamethrower,
        _ => WeaponKind::DemolitionCharge,
    };
    let mut firers = Vec::new();
    if let Some(weapon) = arsenal.own.iter().find(|weapon| weapon.kind == kind) {
        if rng.percent(25) {
            firers.push(Firer::new(Counter::new_leader(nation, random_rank(rng, nation))));
        }
        let mut f = Firer::new(rng.pick(mmc));
        f.weapons.push(held(*weapon));
        let is_squad = f.counter.kind == UnitKind::Squad;
        f.set("sw-only", is_squad || rng.percent(50));
        f.set("cx", rng.percent(20));
        firers.push(f);
    }
    firers
}

/// Drafts two SMC or one at a MG, a hero, or a heroic leader.
fn draft_leaders(rng: &mut Rng, nation: &'static str, mgs: &[Weapon]) -> Vec<Firer> {
    let case = rng.below(4);
    let mut firers = Vec::new();
    let mut f = match case {
        2 => Firer::new(Counter::new_hero("any")),
        _ => Firer::new(Counter::new_leader(nation, random_rank(rng, nation))),
    };
    match case {
        0 => {
            f.weapons.push(held(rng.pick(mgs)));
            let mut other = Firer::new(Counter::new_leader(nation, random_rank(rng, nation)));
            other.set("assist", true);
            firers.push(other);
        }
        1 => {
            f.weapons.push(held(rng.pick(mgs)));
            f.set("cx", rng.percent(20));
        }
        2 => {
            if rng.percent(50) {
                let weapon = rng.pick(mgs);
                f.counter.nation = weapon.nation;
                f.weapons.push(held(weapon));
            }
            f.set("wounded", rng.percent(25));
        }
        _ => {
            f.set("heroic", true);
            f.set("no-direct", rng.percent(25));
            f.set("wounded", rng.percent(20));
        }
    }
    firers.insert(0, f);
    firers
}

fn draft_firer(
    rng: &mut Rng,
    nation: &'static str,
    theme: Theme,
    phase: Phase,
    (mmc, arsenal): (&[Counter], &Arsenal),
) -> Firer {
    let counter = if rng.percent(4) && nation != "partisan" {
        // An ally.
        let other = rng.pick(&NATIONS[..9]);
        let mut allies = list_mmc();
        allies.retain(|counter| counter.nation == other);
        rng.pick(&allies)
    } else {
        rng.pick(mmc)
    };
    let is_squad = counter.kind == UnitKind::Squad;
    let mut f = Firer::new(counter);
    let arms = match theme {
        Theme::FarMachineGun => 90,
        Theme::Mol => 10,
        _ => 45,
    };
    if counter.nation == nation && rng.percent(arms) {
        let mut weapons =
            if rng.percent(12) { arsenal.captured.clone() } else { arsenal.own.clone() };
        weapons.retain(|weapon| {
            weapon.is_mg() || weapon.kind == WeaponKind::AntiTankRifle && rng.percent(40)
        });
        if !weapons.is_empty() {
            f.weapons.push(held(rng.pick(&weapons)));
            if is_squad && rng.percent(12) {
                f.weapons.push(held(rng.pick(&weapons)));
            }
            f.set("sw-only", rng.percent(15));
            f.set("ammo-shortage", rng.percent(6));
        }
    }
    if theme == Theme::Spraying {
        f.weapons.retain(|held| held.weapon.is_mg());
        let is_silent = !f.weapons.is_empty() && (!counter.has('s') || rng.percent(40));
        f.set("sw-only", is_silent);
    }
    if theme == Theme::FarMachineGun && !f.weapons.is_empty() {
        f.set("sw-only", rng.percent(60));
    }
    f.set("pinned", rng.percent(10));
    f.set("cx", rng.percent(6));
    f.set("fanatic", rng.percent(6));
    let may_assault = phase == Phase::Advancing
        && is_squad
        && (counter.nation == "french" || counter.name == "6-5-8")
        && counter.class != 'G';
    f.set("assault-fire", may_assault && rng.percent(60));
    if theme == Theme::Partly {
        if rng.percent(50) {
            f.weapons.iter_mut().for_each(|held| held.is_marked = true);
        } else if !f.is("sw-only") {
            f.set("again", true);
        }
    }
    f
}
