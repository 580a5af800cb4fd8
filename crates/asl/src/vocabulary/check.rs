//! Morale Checks and Task Checks (10.1 - 10.4, 7.8, 10.31): a DR against a Morale Level.

use super::verdict::{Reading, Verdict};
use crate::rulebook::{Rulebook, Switch};

/// The cause of a check. It decides whether leadership helps and whether the check can pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An attack on the IFT.
    Attack,
    /// The loss of a leader (10.2).
    LeaderLoss,
    /// The entry of an Interdicted Location (10.53).
    Interdiction,
}

/// A DR against a Morale Level, with everything that modifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The Morale Level of the unit.
    pub level: i8,
    /// The DRM of the fire result or of the lost leader.
    pub drm: i8,
    /// The leadership DRM of the leader that helps, or 0.
    pub leadership: i8,
    /// The ELR of the unit. `None` if this check cannot be an ELR failure (19.11).
    pub elr: Option<i8>,
    /// True if the highest passing DR pins (7.8).
    pub pins: bool,
    /// True if an Original 2 causes Heat of Battle (15.1).
    pub heats: bool,
}

impl Check {
    /// Builds a check that nothing modifies, and that only passes or fails.
    pub fn of_level(level: i8) -> Check {
        Check { level, drm: 0, leadership: 0, elr: None, pins: false, heats: false }
    }

    /// Returns the pass number: ML minus DRM and leadership. An Original DR up to it passes.
    #[inline]
    pub fn pass_number(&self) -> i8 {
        self.level - self.drm - self.leadership
    }

    /// Returns the result of an Original DR as a Morale Check.
    ///
    /// An Original 12 is a Casualty MC whatever the pass number (10.31). The highest DR that passes
    /// pins (7.8). Interpretation I-1 says which DR that is from pass number 12 on. I-4 says
    /// whether a 2 that causes Heat of Battle pins. A failure by more than the ELR is an ELR
    /// failure (19.1).
    #[inline]
    pub fn morale_check(&self, original: u8, rulebook: Rulebook) -> Reading {
        let heats = self.heats && original == 2;
        let original = original as i8;
        let elr_failure =
            self.elr.is_some_and(|elr| original + self.drm + self.leadership - self.level > elr);
        let spared = heats && rulebook.chooses(Switch::HeatReplacesPin);
        let highest = if rulebook.chooses(Switch::OnlyFinalAtLevelPins) {
            self.pass_number()
        } else {
            self.pass_number().min(11)
        };
        let verdict = if original == 12 {
            Verdict::Casualty { elr_failure }
        } else if original > self.pass_number() {
            Verdict::Failed { elr_failure }
        } else if self.pins && original == highest && !spared {
            Verdict::Pinned
        } else {
            Verdict::Passed
        };
        Reading { heats, ..Reading::new(verdict) }
    }

    /// Returns the result as a Task Check (10.1), never Heat of Battle (15.1). On a 12 see I-3.
    #[inline]
    pub fn task_check(&self, original: u8, rulebook: Rulebook) -> Reading {
        let always_fails = original == 12 && rulebook.chooses(Switch::TwelveFailsTc);
        let passes = original as i8 <= self.pass_number() && !always_fails;
        Reading::new(if passes { Verdict::Passed } else { Verdict::NotPassed })
    }

    /// Describes the check: `Original 9 +1 (result) -1 (8-1) = 9 against ML 7`. `leader` helps.
    pub(crate) fn words(&self, original: u8, drm_source: &str, leader: Option<String>) -> String {
        let mut words = format!("Original {original}");
        if self.drm != 0 {
            words += &format!(" {:+} ({drm_source})", self.drm);
        }
        if let Some(leader) = leader {
            words += &format!(" {:+} ({leader})", self.leadership);
        }
        if self.drm != 0 || self.leadership != 0 {
            words += &format!(" = Final {}", original as i8 + self.drm + self.leadership);
        }
        format!("{words} against ML {}", self.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::dice::Dr;

    fn counts(check: Check) -> [u32; 6] {
        let mut counts = [0; 6];
        for dr in Dr::ALL {
            let column = match check.morale_check(dr.total(), Rulebook::default()).verdict {
                Verdict::Passed => 1,
                Verdict::Pinned => 2,
                Verdict::Failed { elr_failure: false } => 3,
                Verdict::Failed { elr_failure: true } => 4,
                _ => 5,
            };
            counts[column] += 1;
            counts[0] += u32::from(dr.total() == 2 && column == 1);
        }
        counts
    }

    /// Counts of 36 by pass number (10.1, 7.8, 10.31): clean passes, pins, failures, Original 12s.
    #[test]
    fn morale_check_results_by_pass_number_are_right() {
        let table = [
            (1, 0, 0, 35, 1),
            (2, 0, 1, 34, 1),
            (3, 1, 2, 32, 1),
            (4, 3, 3, 29, 1),
            (5, 6, 4, 25, 1),
            (6, 10, 5, 20, 1),
            (7, 15, 6, 14, 1),
            (8, 21, 5, 9, 1),
            (9, 26, 4, 5, 1),
            (10, 30, 3, 2, 1),
            (11, 33, 2, 0, 1),
            (12, 33, 2, 0, 1),
            (14, 33, 2, 0, 1),
        ];
        for (pass_number, clean, pin, fail, casualty) in table {
            let check = Check { pins: true, ..Check::of_level(pass_number) };
            let [_, c, p, f, r, twelve] = counts(check);
            assert_eq!(
                (c, p, f + r, twelve),
                (clean, pin, fail, casualty),
                "pass number {pass_number}"
            );
        }
    }

    /// Counts of the 36 DR (10.1, 10.31, 19.1) by ML, DRM and ELR: Original 2 (part of clean),
    /// clean, pin, break, Replacement, 12.
    #[test]
    fn morale_check_results_by_drm_and_elr_are_right() {
        let table = [
            (7, 0, 3, [1, 15, 6, 12, 2, 1], true),
            (7, 1, 3, [1, 10, 5, 15, 5, 1], true),
            (7, 2, 3, [1, 6, 4, 16, 9, 1], true),
            (7, 0, 2, [1, 15, 6, 9, 5, 1], true),
            (8, 0, 4, [1, 21, 5, 9, 0, 1], false),
            (8, 2, 3, [1, 10, 5, 15, 5, 1], true),
            (6, 0, 2, [1, 10, 5, 11, 9, 1], true),
            (7, -1, 3, [1, 21, 5, 9, 0, 1], true),
            (9, -2, 4, [1, 33, 2, 0, 0, 1], false),
        ];
        for (level, drm, elr, expected, twelve_replaces) in table {
            let check = Check { drm, elr: Some(elr), pins: true, ..Check::of_level(level) };
            assert_eq!(counts(check), expected, "ML {level} DRM {drm} ELR {elr}");
            let twelve = check.morale_check(12, Rulebook::default());
            assert_eq!(
                twelve,
                Reading::new(Verdict::Casualty { elr_failure: twelve_replaces }),
                "ML {level} DRM {drm} ELR {elr}"
            );
        }
    }

    /// Under the alternative of I-1 no DR pins from pass number 12 on. A DR of 11 pins at 11.
    #[test]
    fn alternative_of_i01_pins_below_pass_number_12_only() {
        let mut rulebook = Rulebook::default();
        rulebook.set("i01", "alternative").unwrap();
        let pins = |level| {
            let check = Check { pins: true, ..Check::of_level(level) };
            (2..=12)
                .filter(|&original| {
                    check.morale_check(original, rulebook) == Reading::new(Verdict::Pinned)
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(pins(11), [11]);
        assert!(pins(12).is_empty());
        assert!(pins(13).is_empty());
        assert_eq!(pins(7), [7]);
    }

    /// A TC has no Casualty result (10.1). A 12 passes from pass number 12 on, unless I-3 differs.
    #[test]
    fn task_check_passes_12_from_pass_number_12_only() {
        let check = Check::of_level(12);
        assert_eq!(check.task_check(12, Rulebook::default()).verdict, Verdict::Passed);
        let mut rulebook = Rulebook::default();
        rulebook.set("i03", "alternative").unwrap();
        assert_eq!(check.task_check(12, rulebook).verdict, Verdict::NotPassed);
        assert_eq!(check.task_check(11, rulebook).verdict, Verdict::Passed);
        let check = Check { level: 7, ..check };
        assert_eq!(
            (check.task_check(7, rulebook).verdict, check.task_check(8, rulebook).verdict),
            (Verdict::Passed, Verdict::NotPassed)
        );
    }
}
