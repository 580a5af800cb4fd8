//! Counters and SW as printed.

use super::tables::{MMC, WEAPONS};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    Squad,
    HalfSquad,
    Crew,
    Leader,
    Commissar,
    Hero,
}

/// A counter of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counter {
    /// The nation; `any` for a hero without a SW.
    pub nation: &'static str,
    /// The strength factors, the rank, or `hero`.
    pub name: &'static str,
    pub kind: UnitKind,
    /// The class: `E`, `1`, `2`, `G`, `C`, `P`.
    pub class: char,
    pub firepower: i64,
    pub range: i32,
    pub leadership: i32,
    /// `a` for Assault Fire, `s` for Spraying Fire, `d` if another counter of the nation has the
    /// same strength factors.
    signs: &'static str,
}

impl Counter {
    pub fn is_mmc(&self) -> bool {
        matches!(self.kind, UnitKind::Squad | UnitKind::HalfSquad | UnitKind::Crew)
    }

    pub fn is_leader(&self) -> bool {
        matches!(self.kind, UnitKind::Leader | UnitKind::Commissar)
    }

    /// Returns whether it is elite for a FT or DC (1.11, 1.123, 22.3, 23.2, 25.74).
    pub fn is_elite(&self) -> bool {
        match self.is_mmc() {
            true => self.class == 'E' || self.nation == "finnish" && self.class == '1',
            false => self.nation != "partisan",
        }
    }

    pub fn has(&self, sign: char) -> bool {
        self.signs.contains(sign)
    }

    /// Returns the counter in the notation of stacks.
    pub fn text(&self) -> String {
        let Counter { nation, name, class, .. } = self;
        match self.kind {
            UnitKind::Commissar => format!("commissar:{name}"),
            UnitKind::Hero => "hero".to_string(),
            UnitKind::Crew if self.has('d') => format!("{nation}:{name}:crew"),
            _ if self.has('d') => format!("{nation}:{name}:{}", class.to_ascii_lowercase()),
            _ => format!("{nation}:{name}"),
        }
    }

    /// Returns a leader of a rank such as `9-2` or `6+1`.
    pub fn new_leader(nation: &'static str, rank: &'static str) -> Counter {
        let leadership: i32 = rank[rank.find(['-', '+']).unwrap()..].parse().unwrap();
        Counter {
            nation,
            name: rank,
            kind: UnitKind::Leader,
            class: if nation == "partisan" { 'P' } else { 'E' },
            firepower: 0,
            range: 0,
            leadership,
            signs: "",
        }
    }

    /// Returns a Commissar (25.22).
    pub fn new_commissar(rank: &'static str) -> Counter {
        Counter { kind: UnitKind::Commissar, ..Counter::new_leader("russian", rank) }
    }

    /// Returns a hero (15.2).
    pub fn new_hero(nation: &'static str) -> Counter {
        let leader = Counter::new_leader(nation, "9-0");
        Counter { kind: UnitKind::Hero, name: "hero", firepower: 1, range: 4, ..leader }
    }
}

/// Returns every MMC.
pub fn list_mmc() -> Vec<Counter> {
    let mut all = Vec::new();
    for line in MMC.lines() {
        let words: Vec<&'static str> = line.split(' ').collect();
        for item in &words[2..] {
            let parts: Vec<&'static str> = item.split(':').collect();
            let factors: Vec<i32> =
                parts[0].split('-').map(|factor| factor.parse().unwrap()).collect();
            all.push(Counter {
                nation: words[0],
                name: parts[0],
                kind: match words[1] {
                    "squad" => UnitKind::Squad,
                    "hs" => UnitKind::HalfSquad,
                    _ => UnitKind::Crew,
                },
                class: parts[1].chars().next().unwrap(),
                firepower: factors[0].into(),
                range: factors[1],
                leadership: 0,
                signs: parts.get(2).copied().unwrap_or_default(),
            });
        }
    }
    all
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeaponKind {
    MachineGun,
    AntiTankRifle,
    Flamethrower,
    DemolitionCharge,
}

/// A SW.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weapon {
    pub nation: &'static str,
    pub name: &'static str,
    pub kind: WeaponKind,
    pub firepower: i64,
    pub range: i32,
    pub rof: i32,
    /// The B#; 0 for a FT or DC.
    pub breakdown: i32,
    /// The X#; 0 for none.
    pub removal: i32,
}

impl Weapon {
    pub fn is_mg(&self) -> bool {
        self.kind == WeaponKind::MachineGun
    }
}

/// Returns every SW.
pub fn list_weapons() -> Vec<Weapon> {
    let weapon = |nation: &'static str, item: &'static str| {
        let words: Vec<&'static str> = item.split(',').collect();
        let number = |column: usize| words[column].parse::<i32>().unwrap();
        Weapon {
            nation,
            name: words[0],
            kind: match words[1] {
                "mg" => WeaponKind::MachineGun,
                "atr" => WeaponKind::AntiTankRifle,
                "ft" => WeaponKind::Flamethrower,
                _ => WeaponKind::DemolitionCharge,
            },
            firepower: number(2).into(),
            range: number(3),
            rof: number(4),
            breakdown: number(5),
            removal: number(6),
        }
    };
    let of_line = |line: &'static str| {
        let (nation, items) = line.split_once("; ").unwrap();
        items.split("; ").map(move |item| weapon(nation, item))
    };
    WEAPONS.lines().flat_map(of_line).collect()
}

/// Returns the nation whose SW a nation uses: SS those of the Germans, Partisans those of the
/// Russians (I-72).
pub fn weapon_nation(nation: &'static str) -> &'static str {
    match nation {
        "german-ss" => "german",
        "partisan" => "russian",
        other => other,
    }
}

/// Returns whether a unit of a nation uses the SW as a captured one (21.11, 25.35, 25.75, I-72).
pub fn is_captured(weapon: &Weapon, nation: &'static str) -> bool {
    let is_own = nation == "any" || weapon.nation == weapon_nation(nation);
    let finns_have = nation == "finnish"
        && weapon.nation == "russian"
        && weapon.is_mg()
        && weapon.name != ".50-cal";
    let russians_have = nation == "russian"
        && weapon.nation == "finnish"
        && weapon.is_mg()
        && weapon.name.ends_with("(r)");
    !(is_own || finns_have || russians_have)
}
