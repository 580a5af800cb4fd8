//! An attack by named firers, as a question holds it.

use super::aftermath::Aftermath;
use super::reckoning::AttackReckoning;
use crate::vocabulary::Stage;

/// An attack by named firers, reckoned.
#[derive(Clone, Debug)]
pub struct NamedAttack {
    pub reckoning: AttackReckoning,
    pub aftermath: Aftermath,
    /// The stage in which it is played.
    pub(crate) stage: Stage,
    /// The attack in words: `First Fire of german:4-6-7, 3 hexes, woods`.
    pub(crate) words: String,
}
