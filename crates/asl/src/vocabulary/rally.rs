//! Rally (10.6 - 10.64) and Leader Creation (18.11, 18.2): a Rally Phase, an attempt, and what
//! their rolls mean.

use super::unit::Unit;
use super::verdict::{Reading, Verdict};

/// 10.62: Desperation Morale.
pub const DM_DRM: i8 = 4;
/// 10.63.
pub const SELF_RALLY_DRM: i8 = 1;
/// 10.61: building, pillbox, trench or woods.
pub const TERRAIN_DRM: i8 = -1;

/// A Rally Phase, as far as the units do not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RallyPhase {
    /// 18.11: whether it is that of the side's own Player Turn.
    pub own: bool,
    /// 10.6: a Good Order leader who only lends his leadership.
    pub lent_leader: Option<Unit>,
    /// 10.61: whether the terrain gives its -1.
    pub terrain: bool,
    /// 10.62: whether the owner keeps DM.
    pub keeps_dm: bool,
}

/// How a broken unit may try to rally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// 10.6: by a Good Order leader, with his DRM.
    Led { leadership: i8 },
    /// A25.22: by a Commissar, to whom DM does not count.
    CommissarLed { leadership: i8 },
    /// 10.63: by itself.
    SelfRally,
    /// 18.11: by itself, as the first MMC of its side in its own RPh; an Original 2 creates a
    /// leader, or by I-19 does not.
    FirstSelfRally { creation: bool },
}

/// A Rally attempt: a DR against the broken ML, with everything that modifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RallyAttempt {
    /// Broken ML.
    pub level: i8,
    pub means: Means,
    pub dm: bool,
    /// Whether the terrain gives its -1.
    pub terrain: bool,
    /// Whether an Original 2 brings Heat of Battle (15.1).
    pub heats: bool,
}

impl RallyAttempt {
    /// The sum of all DRM.
    #[inline]
    pub fn drm(&self) -> i8 {
        let means = match self.means {
            Means::Led { leadership } | Means::CommissarLed { leadership } => leadership,
            Means::SelfRally | Means::FirstSelfRally { .. } => SELF_RALLY_DRM,
        };
        means + if self.dm { DM_DRM } else { 0 } + if self.terrain { TERRAIN_DRM } else { 0 }
    }

    /// What an Original DR means. 10.64: a 12 is Fate. 18.11: a 2 by the first MMC to Self-Rally
    /// rallies it and creates a leader.
    #[inline]
    pub fn read(&self, original: u8) -> Reading {
        let creation = self.means == Means::FirstSelfRally { creation: true };
        let verdict = match original {
            12 => Verdict::Fate,
            2 if creation => Verdict::Rallied { creation },
            _ if original as i8 + self.drm() <= self.level => Verdict::Rallied { creation: false },
            _ => Verdict::NotRallied,
        };
        Reading { verdict, heats: self.heats && original == 2 }
    }

    /// The attempt in words.
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
        if self.terrain {
            words += &format!(" {TERRAIN_DRM:+} (terrain, 10.61)");
        }
        format!("{words} = Final {} against broken ML {}", original as i8 + self.drm(), self.level)
    }
}

/// 18.2: the grade that a modified dr creates.
pub(crate) fn created_grade(modified: i8) -> Reading {
    Reading::of(Verdict::Created(match modified {
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

    /// 10.6, 10.61 - 10.64: successes out of 36 by broken ML and total DRM; Fate is 1 of 36 in all
    /// of them.
    #[test]
    fn rally_vectors() {
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
            let attempt = RallyAttempt { level, means, dm: false, terrain: false, heats: false };
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
        let desperate = RallyAttempt { level: 7, means, dm: true, terrain: true, heats: false };
        assert_eq!(desperate.drm(), 2);
        assert_eq!(RallyAttempt { means: Means::SelfRally, ..desperate }.drm(), 4);
    }

    /// 18.11: an Original 2 by the first MMC to Self-Rally rallies whatever the total.
    #[test]
    fn first_self_rally() {
        let means = Means::FirstSelfRally { creation: true };
        let attempt = RallyAttempt { level: 5, means, dm: true, terrain: false, heats: false };
        assert_eq!(attempt.read(2).verdict, Verdict::Rallied { creation: true });
        assert_eq!(attempt.read(3).verdict, Verdict::NotRallied);
        let boxed = RallyAttempt { means: Means::FirstSelfRally { creation: false }, ..attempt };
        assert_eq!(boxed.read(2).verdict, Verdict::NotRallied);
    }
}
