//! The values with which a roll is compared.

use super::attack::Attack;
use super::check::Check;
use super::heat::HeatRoll;
use super::rally::{RallyAttempt, created_grade};
use super::shots::PartSet;
use super::sniper::{MOST_EFFECTIVE, SniperSearch};
use super::verdict::{Reading, Verdict};
use crate::rulebook::Rulebook;
use engine::dice::{Dr, Face};

/// The lowest modified severity dr that is a mortal wound (17.11).
pub const MORTAL: i8 = 5;
/// The highest dr that recovers a SW (4.44).
pub const RECOVERY: u8 = 5;

/// The values with which a due roll is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    Attack(Attack),
    /// An attack on several classes of targets, which read the Original DR each for itself (A.5).
    Volley,
    /// A shot of the stage with this index, from 0, by these parts of its firers.
    Shot {
        stage: u16,
        firing: PartSet,
    },
    /// A dr of Random Selection (A.9), which nothing modifies.
    Selection,
    /// The ML and modifiers of a Morale Check.
    Morale(Check, Rulebook),
    /// The ML and modifiers of a Task Check.
    Task(Check, Rulebook),
    /// A severity dr, with its drm (17.11).
    Severity(i8),
    Heat(HeatRoll),
    Rally(RallyAttempt),
    /// A Leader Creation dr, with its drm (18.2).
    Creation(i8),
    /// A Sniper dr (14.2).
    SniperDr,
    /// A DR of which `here` faces mean that a Sniper strikes here. The next one rolls `again`.
    Share {
        here: u8,
        again: bool,
    },
    /// A DR that chooses among tied targets of a Sniper (I-133).
    Tie {
        tied: u8,
    },
    /// A Sniper Check, with its DRM (14.4).
    SniperCheck(i8),
    /// A dr that gains concealment if it is not above this one (12.122).
    Concealment(u8),
    /// A Recovery dr for a SW (4.44).
    Recovery,
}

impl Terms {
    /// Returns whether the roll is the DR of a shot.
    pub(crate) fn is_shot(&self) -> bool {
        matches!(self, Terms::Shot { .. })
    }

    #[inline]
    pub(crate) fn read(&self, face: Face) -> Reading {
        let original = Dr::from_face(face);
        match self {
            Terms::Morale(check, rulebook) => check.morale_check(original.total(), *rulebook),
            Terms::Task(check, rulebook) => check.task_check(original.total(), *rulebook),
            Terms::Rally(attempt) => attempt.read(original.total()),
            Terms::Severity(drm) if face.number() as i8 + drm >= MORTAL => {
                Reading::new(Verdict::MortalWound)
            }
            Terms::Severity(_) => Reading::new(Verdict::LightWound),
            Terms::Heat(roll) => Reading::new(Verdict::Heat(roll.read(original.total()))),
            Terms::Creation(drm) => created_grade(face.number() as i8 + drm),
            Terms::Attack(attack) => Reading::new(Verdict::Fire(attack.result(original))),
            Terms::Volley | Terms::Shot { .. } => Reading::new(Verdict::Original(original)),
            Terms::Selection => Reading::new(Verdict::Selection(face.number())),
            Terms::Recovery => Reading::new(Verdict::Recovered(face.number() <= RECOVERY)),
            Terms::Concealment(highest) => {
                Reading::new(Verdict::Concealed(face.number() <= *highest))
            }
            Terms::SniperDr => {
                Reading::new(Verdict::Selection(face.number().min(MOST_EFFECTIVE + 1)))
            }
            Terms::Share { here, again } => Reading::new(Verdict::Here(match face.index() as u8 {
                index if index < *here => Some(true),
                index if index == *here && *again => None,
                _ => Some(false),
            })),
            Terms::Tie { tied } => {
                let (index, all) = (face.index() as u8, 36 - 36 % tied);
                Reading::new(Verdict::Selection(if index < all { index % tied } else { *tied }))
            }
            Terms::SniperCheck(drm) => {
                let found = SniperSearch::from_final(original.total() as i8 + drm);
                Reading::new(Verdict::Searched(found))
            }
        }
    }
}
