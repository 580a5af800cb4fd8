//! Support weapons (SW), read from `weapons.csv`.

use std::sync::LazyLock;

use crate::board::terrain::cell;
use crate::catalogue::Confidence;
use crate::nation::Nation;
use engine::text::{Fault, canonical};
use schema::declared::named;
use schema::field::words_of;

named! {
    /// The kind of a SW.
    pub enum WeaponKind {
        /// A LMG, MMG, HMG or .50-cal machine gun (9).
        MachineGun = "mg",
        /// An Anti-Tank Rifle (C13.2).
        AntiTankRifle = "atr",
        /// A Flamethrower (22).
        Flamethrower = "ft",
        /// A Demolition Charge (23).
        DemolitionCharge = "dc",
        /// A light mortar, which must hit first (C3).
        Mortar = "mtr",
    }
}

words_of!(WeaponKind, "KIND", "");

/// A SW with its printed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportWeapon {
    /// The id in the catalogue, such as `ger_hmg`.
    pub id: String,
    pub nation: Nation,
    /// The name on the counter: `hmg`, `lmg(r)`.
    pub name: String,
    pub kind: WeaponKind,
    pub firepower: u8,
    /// The Normal Range in hexes. Of a mortar the least and the largest one.
    pub range: String,
    /// The Multiple Rate of Fire (9.2); 0 for none.
    pub rof: u8,
    /// The Breakdown Number (9.7), 12 if none is printed.
    pub breakdown: u8,
    /// The X# (22.1, 23.2); `None` if none is printed.
    pub x_number: Option<u8>,
    /// The Portage Points (4.42).
    pub portage: u8,
    /// The largest dr that repairs the SW (9.72); `None` if it cannot be repaired.
    pub repair: Option<u8>,
    pub confidence: Confidence,
}

static WEAPONS: LazyLock<Vec<SupportWeapon>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("weapons.csv").as_bytes());
    reader.records().map_while(Result::ok).map(|record| read(&record)).collect()
});

/// The word for a mortar of any calibre.
const MORTAR: &str = WeaponKind::Mortar.name();

/// Reads a row of `weapons.csv`. A test reads them all, so a bad row cannot reach a user.
fn read(record: &csv::StringRecord) -> SupportWeapon {
    let number = |column: usize| record[column].parse::<u8>().ok();
    SupportWeapon {
        id: record[0].to_string(),
        nation: cell(record, 1),
        name: record[2].to_string(),
        kind: cell(record, 3),
        firepower: number(4).unwrap_or_default(),
        range: record[5].to_string(),
        rof: number(6).unwrap_or_default(),
        breakdown: number(7).unwrap_or(12),
        x_number: number(8),
        portage: number(9).unwrap_or_default(),
        repair: number(10),
        confidence: cell(record, 11),
    }
}

impl SupportWeapon {
    /// Returns every SW, in the order of `weapons.csv`.
    pub fn all() -> &'static [SupportWeapon] {
        &WEAPONS
    }

    /// Returns the SW of this name that a nation has. The SS have those of the Germans, Partisans
    /// those of the Russians.
    pub fn named(nation: Nation, name: &str) -> Option<&'static SupportWeapon> {
        let (nation, name) = (supplier(nation), spelled(name));
        let made = |weapon: &&SupportWeapon| spelled(&weapon.name).split('(').next() == Some(&name);
        let own = || WEAPONS.iter().filter(|weapon| weapon.nation == nation);
        let is_mortar =
            |weapon: &&SupportWeapon| weapon.kind == WeaponKind::Mortar && name == MORTAR;
        let named = own().find(|weapon| spelled(&weapon.name) == name);
        named.or_else(|| own().find(made)).or_else(|| own().find(is_mortar))
    }

    /// Returns whether any nation has a SW of this name.
    pub fn is_name(name: &str) -> bool {
        let name = spelled(name);
        name == MORTAR || WEAPONS.iter().any(|weapon| spelled(&weapon.name) == name)
    }

    /// Returns the fault of a SW that a nation does not have.
    pub fn unknown(nation: Nation, name: &str) -> Fault {
        let of = WEAPONS.iter().filter(|weapon| weapon.nation == supplier(nation));
        let names = of.map(|weapon| weapon.name.as_str());
        let fault = Fault::new(format!("no {nation} SW is called `{name}`"), 0..name.len());
        fault.expecting(name, names)
    }

    /// Returns the Normal Range in hexes.
    pub fn normal_range(&self) -> u8 {
        self.range.rsplit('-').next().and_then(|range| range.parse().ok()).unwrap_or_default()
    }

    /// Returns whether the SW is a machine gun.
    pub fn is_mg(&self) -> bool {
        self.kind == WeaponKind::MachineGun
    }

    /// Returns whether Personnel of a nation fire the SW as their own (21.11, 25.35, 25.75).
    pub fn is_own_of(&self, nation: Nation) -> bool {
        let finns_and_russians = nation == Nation::Finnish
            && self.nation == Nation::Russian
            && self.is_mg()
            && !self.name.starts_with(".50");
        let made_in_russia = nation == Nation::Russian && self.name.ends_with("(r)");
        nation == Nation::Any
            || self.nation == supplier(nation)
            || finns_and_russians
            || made_in_russia
    }
}

/// Returns the nation whose SW a nation has.
fn supplier(nation: Nation) -> Nation {
    match nation {
        Nation::GermanSs => Nation::German,
        Nation::Partisan => Nation::Russian,
        nation => nation,
    }
}

/// Returns the spelling of a name that all its spellings share: `.50 cal` as `50cal`.
fn spelled(name: &str) -> String {
    let name: String =
        canonical(name).chars().filter(|letter| !matches!(letter, '-' | '.' | ' ')).collect();
    match name.as_str() {
        "50" | "hmg50" => "50cal".to_string(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weapons_are_found_by_nation_and_name() {
        let values = |nation, name| {
            let weapon = SupportWeapon::named(nation, name).unwrap();
            (weapon.firepower, weapon.normal_range(), weapon.rof, weapon.breakdown)
        };
        assert_eq!(values(Nation::GermanSs, "HMG"), (7, 16, 3, 12));
        assert_eq!(values(Nation::American, "50-cal"), (8, 16, 3, 12));
        assert_eq!(values(Nation::German, "dm_hmg"), (3, 8, 1, 12));
        assert_eq!(values(Nation::Partisan, "lmg"), (2, 6, 1, 11));
        assert_eq!(SupportWeapon::named(Nation::German, "mtr50").unwrap().normal_range(), 13);
        assert!(SupportWeapon::named(Nation::American, "lmg(r)").is_none());
    }

    /// Finns fire Russian MG, and Russians Finnish ones of Russian make, as their own (25.75).
    #[test]
    fn own_weapons_depend_on_the_nation() {
        let own = |of, name, nation| SupportWeapon::named(of, name).unwrap().is_own_of(nation);
        assert!(own(Nation::Russian, "mmg", Nation::Finnish));
        assert!(!own(Nation::Russian, ".50-cal", Nation::Finnish));
        assert!(own(Nation::Finnish, "lmg(r)", Nation::Russian));
        assert!(!own(Nation::German, "hmg", Nation::Russian));
    }
}
