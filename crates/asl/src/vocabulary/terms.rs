//! What a roll is compared with.

use super::attack::Attack;
use super::check::Check;
use super::heat::HeatRoll;
use super::rally::{RallyAttempt, created_grade};
use super::verdict::{Reading, Verdict};
use crate::rulebook::Rulebook;
use engine::dice::{Dr, Face};

/// 17.11: a severity dr of this much or more is mortal.
pub const MORTAL: i8 = 5;

/// What a due roll is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    Attack(Attack),
    /// A.9: a dr of Random Selection, which nothing modifies.
    Selection,
    /// A Morale Check.
    Morale(Check, Rulebook),
    /// A Task Check.
    Task(Check, Rulebook),
    /// 17.11: the drm of a severity dr.
    Severity(i8),
    Heat(HeatRoll),
    Rally(RallyAttempt),
    /// 18.2: the drm of Leader Creation.
    Creation(i8),
}

impl Terms {
    /// What a face means.
    #[inline]
    pub(crate) fn read(&self, face: Face) -> Reading {
        let original = Dr::of(face);
        match self {
            Terms::Morale(check, rulebook) => check.morale_check(original.total(), *rulebook),
            Terms::Task(check, rulebook) => check.task_check(original.total(), *rulebook),
            Terms::Rally(attempt) => attempt.read(original.total()),
            Terms::Severity(drm) if face.dr() as i8 + drm >= MORTAL => {
                Reading::of(Verdict::MortalWound)
            }
            Terms::Severity(_) => Reading::of(Verdict::LightWound),
            Terms::Heat(roll) => Reading::of(Verdict::Heat(roll.read(original.total()))),
            Terms::Creation(drm) => created_grade(face.dr() as i8 + drm),
            Terms::Attack(attack) => Reading::of(Verdict::Fire(attack.result(original))),
            Terms::Selection => Reading::of(Verdict::Selection(face.dr())),
        }
    }
}
