//! The values that a Close Combat rolls against, the meaning of its rolls, and its outcomes.

use super::state::CombatSide;
use crate::outcome::UnitOutcome;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use schema::declared::named;

/// The drm of both sides to their Ambush dr, and the margins that they need (11.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmbushRoll {
    pub drms: [i8; 2],
    pub margins: [i8; 2],
}

impl AmbushRoll {
    /// Returns the side that ambushes the other with these dr of both sides, if any.
    pub fn ambusher(self, drs: [u8; 2]) -> Option<CombatSide> {
        let [ours, theirs] = [0, 1].map(|side| drs[side] as i8 + self.drms[side]);
        match () {
            () if ours + self.margins[0] <= theirs => Some(CombatSide::Ours),
            () if theirs + self.margins[1] <= ours => Some(CombatSide::Theirs),
            () => None,
        }
    }

    /// Returns how many of the 36 pairs of dr bring an Ambush by each side.
    pub fn chances(self) -> [u8; 2] {
        let mut counts = [0; 2];
        for (ours, theirs) in (1..=6).flat_map(|ours| (1..=6).map(move |theirs| (ours, theirs))) {
            if let Some(side) = self.ambusher([ours, theirs]) {
                counts[side as usize] += 1;
            }
        }
        counts
    }
}

named! {
    /// The sides left in the Location at the end of a CCPh.
    pub enum Holders {
        Ours = "ours-alone",
        Both = "both",
        Theirs = "theirs-alone",
        Nobody = "nobody",
    }
}

/// The end of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CombatEnd {
    pub side: CombatSide,
    /// The outcome of the unit. Its slot is that on its side, from 1.
    pub unit: UnitOutcome,
    /// True if the unit has left the Location.
    pub is_away: bool,
    pub is_concealed: bool,
    /// True for a broken unit under DM (10.62).
    pub is_dm: bool,
    /// True for a unit that is there without arms (20.5).
    pub is_unarmed: bool,
}

/// A noted outcome: of a unit, of all units together, or of the Location.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CombatOutcome {
    Unit(CombatEnd),
    All(Box<[CombatEnd]>),
    /// The sides left, and the CVP taken less the CVP given.
    Location {
        left: Holders,
        net: i16,
    },
}

/// The values with which a roll of Close Combat is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombatTerms {
    /// The Ambush dr of both sides: the coloured die is ours.
    Ambush(AmbushRoll),
    /// The DR of an attack: for each Original DR from 2 the lowest that does the same.
    Attack([u8; 11]),
    /// A Leader Creation dr with its drm, on the table of NKVD troops if true (25.25).
    Creation(i8, bool),
    /// A choice of one of several MMC with equal chances.
    Placement(u8),
    /// A dr of Random Selection, and the best before.
    Selection(u8),
    /// A severity dr (17.11).
    Severity(Terms),
}

/// The meaning of a roll of Close Combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombatReading {
    Ambush(Option<CombatSide>),
    Original(u8),
    Created(Option<&'static str>),
    Number(u8),
    Severity(Reading),
}

#[cfg(test)]
mod tests {
    use super::AmbushRoll;

    /// 11.4, E1.77: the chances of an Ambush in 36ths by the difference of the drm, from -8 to +4,
    /// by a margin of 3, and of 2 for the ATTACKER at night.
    #[test]
    fn chances_of_an_ambush_are_those_of_the_table() {
        let table = [
            (3, [36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0, 0]),
            (2, [36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0]),
        ];
        for (margin, row) in table {
            for (drm, chance) in (-8..).zip(row) {
                let ours = AmbushRoll { drms: [drm, 0], margins: [margin, 3] };
                let theirs = AmbushRoll { drms: [0, drm], margins: [3, margin] };
                assert_eq!([ours.chances()[0], theirs.chances()[1]], [chance; 2], "{drm:+}");
            }
        }
    }
}
