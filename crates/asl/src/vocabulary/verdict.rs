//! What a roll means.

use super::attack::FireResult;
use super::heat::Heat;

/// What a roll means, and whether it was an Original 2 that brings Heat of Battle (15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub verdict: Verdict,
    pub heats: bool,
}

impl Reading {
    /// A reading without Heat of Battle.
    pub const fn of(verdict: Verdict) -> Reading {
        Reading { verdict, heats: false }
    }
}

/// What a roll means for the task at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// Passed a MC on the highest DR (7.8).
    Pinned,
    Failed {
        elr_failure: bool,
    },
    /// 10.31.
    Casualty {
        elr_failure: bool,
    },
    /// A Task Check was not passed.
    NotPassed,
    LightWound,
    MortalWound,
    Heat(Heat),
    Rallied {
        creation: bool,
    },
    NotRallied,
    /// 10.64.
    Fate,
    /// 18.2: grade of the new leader, if any.
    Created(Option<&'static str>),
    Fire(FireResult),
    /// A.9.
    Selection(u8),
}
