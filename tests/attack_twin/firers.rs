//! Who fires what, who directs, and who can Cower.

use super::counters::{UnitKind, WeaponKind, weapon_nation};
use super::{Attack, Direction, Firer, HeldWeapon, Phase};

/// An inherent FP or a SW that takes part.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    pub location: usize,
    pub firer: usize,
    /// The index among the weapons of the firer; `None` for inherent FP.
    pub weapon: Option<usize>,
    /// `None` for Small Arms.
    pub kind: Option<WeaponKind>,
    pub firepower: i64,
    pub range: i32,
    pub is_marked: bool,
}

impl Element {
    pub fn unit<'a>(&self, attack: &'a Attack) -> &'a Firer {
        &attack.locations[self.location].firers[self.firer]
    }

    pub fn is(&self, kind: WeaponKind) -> bool {
        self.kind == Some(kind)
    }

    /// Returns the farthest range at which it can fire (7.22, 22.1, 23).
    fn reach(&self) -> i32 {
        match self.kind {
            None | Some(WeaponKind::MachineGun) => self.range * 2,
            Some(WeaponKind::AntiTankRifle) => self.range,
            Some(WeaponKind::Flamethrower) => 2,
            Some(WeaponKind::DemolitionCharge) => 1,
        }
    }
}

/// Gives out the SW that belong to nobody (I-71): to the first squad without one, a crew, HS, hero,
/// a squad with one, two SMC, one SMC.
pub fn assign_loose_weapons(attack: &Attack) -> Attack {
    use UnitKind::*;
    let mut given = attack.clone();
    for location in &mut given.locations {
        for weapon in std::mem::take(&mut location.loose) {
            let order = [(Squad, 0), (Crew, 0), (HalfSquad, 0), (Hero, 0), (Squad, 1)];
            let firers = &location.firers;
            let find = |(kind, has)| {
                firers.iter().position(|f| f.counter.kind == kind && f.weapons.len() == has)
            };
            let is_free = |f: &Firer| f.is_plain_smc() && f.weapons.is_empty() && !f.is("assist");
            let mut free_smc = (0..firers.len()).filter(|&place| is_free(&firers[place]));
            let (user, helper) = match order.into_iter().find_map(find) {
                Some(user) => (Some(user), None),
                None => (free_smc.next(), free_smc.next()),
            };
            if let Some(helper) = helper {
                location.firers[helper].set("assist", true);
            }
            match user {
                Some(user) => {
                    location.firers[user].weapons.push(HeldWeapon { weapon, is_marked: false });
                }
                None => location.loose.push(weapon),
            }
        }
    }
    given
}

/// Returns whether a second SMC helps a unit at its MG (9.12). The first MG of a Location have the
/// SMC that help.
pub fn has_two_smc(attack: &Attack, location: usize, firer: usize) -> bool {
    let firers = &attack.locations[location].firers;
    let mans_mg = |f: &Firer| f.is_plain_smc() && f.weapons.iter().any(|held| held.weapon.is_mg());
    let before = firers[..firer].iter().filter(|f| mans_mg(f)).count();
    mans_mg(&firers[firer]) && before < firers.iter().filter(|f| f.is("assist")).count()
}

/// Returns the inherent FP and its range (1.21, 15.2), unless the SW that the unit fires cost it
/// (7.351, 7.352, 15.23).
fn inherent_fp(f: &Firer) -> Option<(i64, i32)> {
    let has_too_many = match f.counter.kind {
        UnitKind::Squad => f.weapons.len() > 1,
        _ => !f.weapons.is_empty(),
    };
    if f.is("sw-only") || f.is("assist") || has_too_many {
        None
    } else if f.counter.is_mmc() {
        Some((f.counter.firepower, f.counter.range))
    } else {
        f.is_heroic().then_some((1, if f.is("wounded") { 3 } else { 4 }))
    }
}

/// Returns every inherent FP and SW that means to fire, in stack order.
fn intended_elements(attack: &Attack) -> Vec<Element> {
    let mut all = Vec::new();
    let is_by_marked = attack.phase.is_by_marked();
    for (location, of) in attack.locations.iter().enumerate() {
        for (firer, f) in of.firers.iter().enumerate() {
            if let Some((firepower, range)) = inherent_fp(f) {
                let is_marked = is_by_marked || f.is("again");
                let (weapon, kind) = (None, None);
                all.push(Element { location, firer, weapon, kind, firepower, range, is_marked });
            }
            for (place, HeldWeapon { weapon, is_marked }) in f.weapons.iter().enumerate() {
                all.push(Element {
                    location,
                    firer,
                    weapon: Some(place),
                    kind: Some(weapon.kind),
                    firepower: weapon.firepower,
                    range: weapon.range,
                    is_marked: is_by_marked || *is_marked,
                });
            }
        }
    }
    all
}

/// Returns what reaches the target; the rest stays out of the FG (I-73). Marked parts fire only
/// within Normal Range in the enemy's MPh (8.3); the second value is true if one is beyond it.
pub fn eligible_elements(attack: &Attack) -> (Vec<Element>, bool) {
    let range = |e: &Element| attack.locations[e.location].range;
    let reaching = intended_elements(attack).into_iter().filter(|e| range(e) <= e.reach());
    let (far, near): (Vec<Element>, Vec<Element>) = reaching.partition(|e| {
        let is_subsequent =
            attack.phase == Phase::Subsequent || attack.phase == Phase::First && e.is_marked;
        is_subsequent && range(e) > e.range
    });
    (near, !far.is_empty())
}

/// Returns whether a unit is Inexperienced (19.2, 19.3): Conscripts always, Green MMC unless an
/// unbroken leader is stacked with them; SMC and crews never.
pub fn is_inexperienced(attack: &Attack, e: &Element) -> bool {
    let counter = e.unit(attack).counter;
    let is_led = || {
        let firers = &attack.locations[e.location].firers;
        firers.iter().any(|other| other.counter.is_leader())
    };
    matches!(counter.kind, UnitKind::Squad | UnitKind::HalfSquad)
        && (counter.class == 'C' || counter.class == 'G' && !is_led())
}

/// Returns whether a unit can Cower (7.9).
pub fn can_cower(f: &Firer) -> bool {
    let is_exempt = match f.counter.nation {
        "british" => matches!(f.counter.class, 'E' | '1'),
        "finnish" => f.counter.class != 'C',
        _ => false,
    };
    f.counter.is_mmc() && !f.is("berserk") && !f.is("fanatic") && !is_exempt
}

/// Returns the directors of all Locations and the leadership DRM; `None` if the attack is not
/// directed (7.53, 7.531, 10.7).
pub fn directors(attack: &Attack, elements: &[Element]) -> Option<(Vec<(usize, usize)>, i32)> {
    let is_unled = |e: &Element| {
        e.is(WeaponKind::Flamethrower)
            || e.is(WeaponKind::DemolitionCharge)
            || e.unit(attack).is("berserk")
    };
    if attack.direct == Direction::None || elements.iter().any(is_unled) {
        return None;
    }
    let mut chosen = Vec::new();
    let mut worst = i32::MIN;
    for location in 0..attack.locations.len() {
        if elements.iter().any(|e| e.location == location) {
            // Every Location needs one (7.531).
            let (director, rating) = best_director(attack, elements, location)?;
            chosen.push((location, director));
            worst = worst.max(rating);
        }
    }
    Some((chosen, worst))
}

fn best_director(attack: &Attack, elements: &[Element], location: usize) -> Option<(usize, i32)> {
    // A MG beyond 16 hexes needs a director, so that even a bad one directs (9.4, I-74).
    let is_needed = elements.iter().any(|e| is_distant_mg(attack, e));
    let firers = &attack.locations[location].firers;
    let rating = |(place, f): (usize, &Firer)| {
        let unfit = ["pinned", "berserk", "no-direct", "assist"];
        let is_free = f.weapons.is_empty() && !unfit.into_iter().any(|word| f.is(word));
        let others = elements.iter().filter(|e| e.location == location && e.firer != place);
        let nations: Vec<&'static str> = others.map(|e| firers[e.firer].counter.nation).collect();
        let own = f.counter.nation;
        let named = || nations.iter().filter(|nation| **nation != "any");
        // Partisans lead, and are led by, Partisans only (25.24).
        let is_barred = named().any(|nation| (*nation == "partisan") != (own == "partisan"));
        if !f.counter.is_leader() || !is_free || nations.is_empty() || is_barred {
            return None;
        }
        let is_allied = named().any(|nation| weapon_nation(nation) != weapon_nation(own));
        // 17.3; 10.7, I-97
        let rating = f.counter.leadership + i32::from(f.is("wounded")) + i32::from(is_allied);
        // A leader of +1 or worse directs only when told or needed (I-74).
        let is_left_out = attack.direct == Direction::Auto && rating > 0 && !is_needed;
        (!is_left_out).then_some((place, rating))
    };
    firers.iter().enumerate().filter_map(rating).min_by_key(|(_, rating)| *rating)
}

/// Returns whether it is a MG that fires farther than 16 hexes (9.4).
pub fn is_distant_mg(attack: &Attack, e: &Element) -> bool {
    e.is(WeaponKind::MachineGun) && attack.locations[e.location].range > 16
}
