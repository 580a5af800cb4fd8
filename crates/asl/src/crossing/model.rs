//! A crossing: the stack, the attacks that can meet it, and what the firers suffer by their own.

use std::ops::Deref;
use std::sync::Arc;

use super::marks::FireTier;
use super::path::PathLocation;
use super::position::{ExploredPath, FiringPosition, PathSetting, TierShots};
use crate::attack::circumstances::Sight;
use crate::attack::residual::{LyingFire, NOTHING_BETWEEN};
use crate::engagement::Engagement;

/// What makes an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackSource {
    /// Residual FP of this FP.
    Residual(u8),
    Lane,
    /// A position, by its index, with the kind of its fire.
    Position(u8, FireTier),
}

/// An attack that can meet the stack. Its stages in the engagement are twice its index, and a
/// report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackEntry {
    pub location: u8,
    pub source: AttackSource,
}

/// Who fires at the stack in a Location, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrossingPlan {
    /// For each Location the positions, by their indices.
    Fixed(Vec<Vec<u8>>),
    /// The enemy chooses.
    Open,
}

/// What a crossing consists of.
#[derive(Debug)]
pub struct CrossingSetup {
    /// The rules for the units of the stack; its stages are the attacks.
    pub(crate) engagement: Engagement,
    pub(crate) entries: Vec<AttackEntry>,
    pub(crate) path: Vec<PathLocation>,
    pub(crate) positions: Vec<FiringPosition>,
    /// The shots of each position, by Location and kind.
    pub(crate) shots: Vec<Vec<[TierShots; 3]>>,
    /// The rules for the units of each position under the NMC of FPF (8.31).
    pub(crate) checks: Vec<Engagement>,
    pub(crate) setting: PathSetting,
    /// True if the defenders fire on at a stack of which nobody goes on (I-90).
    pub(crate) goes_on_firing: bool,
    /// True if the stack charges (15.43).
    pub(crate) is_charge: bool,
    pub(crate) joint: bool,
}

/// What a crossing reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossingReport {
    /// Each unit as it stops, which keeps states few.
    UnitByUnit,
    /// All units at the end.
    Together,
    /// Each attack as it is made, and at the end what has become of the firers.
    Shots,
}

/// The process of a crossing.
#[derive(Clone, Debug)]
pub struct Crossing {
    pub(crate) setup: Arc<CrossingSetup>,
    pub(crate) plan: Arc<CrossingPlan>,
    pub(crate) report: CrossingReport,
}

impl Deref for Crossing {
    type Target = CrossingSetup;

    fn deref(&self) -> &CrossingSetup {
        &self.setup
    }
}

impl ExploredPath<'_> {
    /// Returns the attack of what lies in a Location (8.22, 9.222), not that of a position.
    pub(crate) fn lying(&self, place: usize, source: AttackSource) -> Option<LyingFire> {
        let of = &self.path[place];
        let circumstances = self.circumstances(place, FireTier::First);
        let plain = |firepower: u8| LyingFire {
            firepower,
            circumstances,
            sight: NOTHING_BETWEEN,
            is_lane: false,
            is_soft: false,
            breakdown: None,
        };
        match source {
            AttackSource::Residual(fp) => Some(plain(fp)),
            AttackSource::Lane => of.lane.map(|lane| LyingFire {
                sight: Sight { hindrance: lane.hindrance, hexside: of.hexside, ..NOTHING_BETWEEN },
                is_lane: true,
                is_soft: lane.is_soft,
                breakdown: Some(lane.breakdown),
                ..plain(lane.firepower)
            }),
            AttackSource::Position(..) => None,
        }
    }
}

impl CrossingSetup {
    /// Returns the path with what all attacks share.
    pub(crate) fn explored<'a>(&'a self, most: &'a [usize]) -> ExploredPath<'a> {
        ExploredPath { path: &self.path, setting: self.setting, most }
    }

    /// Returns the index of the attack from a source on the stack in a Location.
    pub(crate) fn entry(&self, location: u8, source: AttackSource) -> Option<u16> {
        let entry = AttackEntry { location, source };
        self.entries.iter().position(|known| *known == entry).map(|place| place as u16)
    }

    /// Returns a Location of the path by its index.
    pub(crate) fn location(&self, place: u8) -> &PathLocation {
        &self.path[usize::from(place)]
    }
}

impl Crossing {
    /// Returns the same crossing with another report.
    pub(crate) fn reporting(&self, report: CrossingReport) -> Crossing {
        Crossing { report, ..self.clone() }
    }

    /// Returns the same crossing in which the enemy chooses who fires.
    pub(crate) fn with_open_plan(&self) -> Crossing {
        Crossing { plan: Arc::new(CrossingPlan::Open), ..self.clone() }
    }

    /// Returns whether a position may fire at the stack in a Location, or in a later one, after the
    /// first `number` shots of the plan.
    pub(crate) fn fires_later(&self, position: u8, location: u8, number: usize) -> bool {
        let is_named = |shots: &[u8]| shots.contains(&position);
        match &*self.plan {
            CrossingPlan::Open => true,
            CrossingPlan::Fixed(plan) => {
                let here = plan.get(usize::from(location)).and_then(|here| here.get(number..));
                here.is_some_and(is_named)
                    || plan.iter().skip(usize::from(location) + 1).any(|shots| is_named(shots))
            }
        }
    }
}
