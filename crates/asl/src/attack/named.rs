//! An attack by named firers, as a question holds it.

use super::aftermath::Aftermath;
use super::reckoning::AttackReckoning;
use super::shots::ShotPlan;
use crate::vocabulary::{Stage, UnitIndex};

/// An attack by named firers, reckoned.
#[derive(Clone, Debug)]
pub struct NamedAttack {
    pub reckoning: AttackReckoning,
    pub aftermath: Aftermath,
    /// The stage in which it is played.
    pub(crate) stage: Stage,
    /// Its shots, if they are several or depend on what has become of the target.
    pub(crate) shots: Option<ShotPlan>,
    /// The attack in words: `First Fire of german:4-6-7, 3 hexes, woods`.
    pub(crate) words: String,
}

impl NamedAttack {
    /// Returns the stages of the attack. `place_of` maps stack indices to those of the process.
    pub(crate) fn stages(&self, place_of: impl Fn(usize) -> Option<UnitIndex>) -> Vec<Stage> {
        match &self.shots {
            Some(plan) => plan.stages(place_of),
            None => vec![self.stage.clone()],
        }
    }

    /// Returns whether what happens to a unit depends on the states of others: there are classes of
    /// targets (A.5), or a condition on several units.
    pub(crate) fn has_classes(&self) -> bool {
        match &self.shots {
            Some(plan) => {
                let stop = plan.stop.as_ref();
                !plan.shots.is_uniform() || stop.is_some_and(|stop| stop.counts())
            }
            None => matches!(self.stage, Stage::FireAtClasses(_)),
        }
    }
}
