//! A Rally Phase, a Rally attempt (10.6 - 10.64), Leader Creation (18.2), and their results.

use super::unit::Unit;
use super::verdict::{Reading, Verdict};
use crate::board::terrain::Terrain;
use crate::nation::Nation;

/// The DRM of Desperation Morale (10.62).
pub const DM_DRM: i8 = 4;
/// The DRM of a Self-Rally (10.63).
pub const SELF_RALLY_DRM: i8 = 1;
/// The DRM of rally terrain: building, pillbox, trench or woods (10.61).
pub const TERRAIN_DRM: i8 = -1;

/// The properties of a Rally Phase that no unit shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RallyPhase {
    /// True if the phase is in the side's own Player Turn (18.11).
    pub own: bool,
    /// A Good Order leader outside the stack that gives its leadership DRM (10.6).
    pub lent_leader: Option<Unit>,
    /// The terrain, which may give a DRM (10.61).
    pub terrain: &'static Terrain,
    /// True if the owner keeps DM (10.62).
    pub keeps_dm: bool,
}

/// The way in which a broken unit tries to rally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// An attempt led by a Good Order leader, with its DRM (10.6).
    Led { leadership: i8 },
    /// An attempt led by a Commissar, which ignores DM (A25.22).
    CommissarLed { leadership: i8 },
    /// A Self-Rally (10.63).
    SelfRally,
    /// The Self-Rally of the first MMC of the side in its own RPh (18.11). If `creation` is true,
    /// an Original 2 creates a leader (interpretation I-19).
    FirstSelfRally { creation: bool },
}

/// A Rally attempt: a DR against the broken ML, with everything that modifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RallyAttempt {
    /// The broken Morale Level of the unit.
    pub level: i8,
    pub means: Means,
    pub dm: bool,
    /// The DRM of the terrain (10.61).
    pub terrain: i8,
    /// True if an Original 2 causes Heat of Battle (15.1).
    pub heats: bool,
}

impl RallyAttempt {
    /// Returns the sum of all DRM.
    #[inline]
    pub fn drm(&self) -> i8 {
        let means = match self.means {
            Means::Led { leadership } | Means::CommissarLed { leadership } => leadership,
            Means::SelfRally | Means::FirstSelfRally { .. } => SELF_RALLY_DRM,
        };
        means + if self.dm { DM_DRM } else { 0 } + self.terrain
    }

    /// Returns the result of an Original DR. A 12 is Fate (10.64). A 2 by the first MMC to
    /// Self-Rally rallies it and creates a leader (18.11).
    #[inline]
    pub fn read(&self, original: u8) -> Reading {
        let creation = self.means == Means::FirstSelfRally { creation: true };
        let verdict = match original {
            12 => Verdict::Fate,
            2 if creation => Verdict::Rallied { creation },
            _ if original as i8 + self.drm() <= self.level => Verdict::Rallied { creation: false },
            _ => Verdict::NotRallied,
        };
        Reading { heats: self.heats && original == 2, ..Reading::new(verdict) }
    }

    pub(crate) fn words(&self, original: u8, leader: Option<String>) -> String {
        let mut words = format!("Original {original}");
        match self.means {
            Means::Led { leadership } => {
                words += &format!(" {leadership:+} ({}, 10.6)", leader.unwrap_or_default())
            }
            Means::CommissarLed { leadership } => {
                words +=
                    &format!(" {leadership:+} (Commissar {}, A25.22)", leader.unwrap_or_default());
            }
            _ => words += &format!(" {SELF_RALLY_DRM:+} (Self-Rally, 10.63)"),
        }
        if self.dm {
            words += &format!(" {DM_DRM:+} (DM, 10.62)");
        }
        if self.terrain != 0 {
            words += &format!(" {:+} (terrain, 10.61)", self.terrain);
        }
        format!("{words} = Final {} against broken ML {}", original as i8 + self.drm(), self.level)
    }
}

/// Returns the drm of Leader Creation by nationality and ML, each with its source (18.2).
pub(crate) fn creation_drms(nation: Nation, level: i8) -> [(i8, &'static str); 2] {
    let by_nation = match nation {
        Nation::American | Nation::British | Nation::German | Nation::GermanSs => -1,
        Nation::Russian | Nation::Italian => 1,
        _ => 0,
    };
    let by_level = match level {
        8.. => -1,
        7 => 0,
        _ => 1,
    };
    [(by_nation, "nationality"), (by_level, "Morale Level")]
}

/// Returns the leader that a modified dr of Leader Creation creates (18.2).
pub(crate) fn created_grade(modified: i8) -> Reading {
    Reading::new(Verdict::Created(match modified {
        ..=1 => Some("8-1"),
        2..=3 => Some("8-0"),
        4..=5 => Some("7-0"),
        6 => Some("6+1"),
        7.. => None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::dice::Dr;

    /// Counts of successes out of 36 by broken ML and DRM (10.6, 10.61 - 10.64), with 1 of Fate.
    #[test]
    fn rally_successes_by_morale_and_drm_are_right() {
        let table = [
            (7, 2, 10),
            (7, 1, 15),
            (7, 4, 3),
            (8, 1, 21),
            (5, 2, 3),
            (9, 4, 10),
            (7, -1, 26),
            (10, -2, 35),
        ];
        for (level, drm, successes) in table {
            let means = Means::Led { leadership: drm };
            let attempt = RallyAttempt { level, means, dm: false, terrain: 0, heats: false };
            let count = |verdict| {
                Dr::ALL.iter().filter(|dr| attempt.read(dr.total()).verdict == verdict).count()
            };
            assert_eq!(
                count(Verdict::Rallied { creation: false }),
                successes,
                "ML {level} DRM {drm}"
            );
            assert_eq!(count(Verdict::Fate), 1);
        }
        let means = Means::Led { leadership: -1 };
        let desperate =
            RallyAttempt { level: 7, means, dm: true, terrain: TERRAIN_DRM, heats: false };
        assert_eq!(desperate.drm(), 2);
        assert_eq!(RallyAttempt { means: Means::SelfRally, ..desperate }.drm(), 4);
    }

    /// An Original 2 by the first MMC to Self-Rally rallies it whatever the total is (18.11).
    #[test]
    fn first_self_rally_succeeds_on_original_2() {
        let means = Means::FirstSelfRally { creation: true };
        let attempt = RallyAttempt { level: 5, means, dm: true, terrain: 0, heats: false };
        assert_eq!(attempt.read(2).verdict, Verdict::Rallied { creation: true });
        assert_eq!(attempt.read(3).verdict, Verdict::NotRallied);
        let boxed = RallyAttempt { means: Means::FirstSelfRally { creation: false }, ..attempt };
        assert_eq!(boxed.read(2).verdict, Verdict::NotRallied);
    }
}
