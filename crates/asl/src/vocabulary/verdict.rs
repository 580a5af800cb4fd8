//! The results of rolls.

use super::attack::FireResult;
use super::heat::Heat;
use super::sniper::SniperSearch;
use engine::dice::Dr;

/// The result of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub verdict: Verdict,
    /// True for an Original 2 that causes Heat of Battle (15.1).
    pub heats: bool,
    /// The Original DR if it calls a Sniper of that SAN and the phase counts (14.1), otherwise 0.
    pub calls: u8,
}

impl Reading {
    /// Builds a result without Heat of Battle or a Sniper.
    pub const fn new(verdict: Verdict) -> Reading {
        Reading { verdict, heats: false, calls: 0 }
    }
}

/// The result of a roll for the current task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// A MC passed with the highest passing DR (7.8).
    Pinned,
    Failed {
        elr_failure: bool,
    },
    /// A Casualty MC (10.31).
    Casualty {
        elr_failure: bool,
    },
    /// A Task Check that was not passed.
    NotPassed,
    LightWound,
    MortalWound,
    Heat(Heat),
    Rallied {
        creation: bool,
    },
    NotRallied,
    /// Fate (10.64).
    Fate,
    /// The grade of the created leader, or `None` if no leader is created (18.2).
    Created(Option<&'static str>),
    Fire(FireResult),
    /// The Original DR of an attack on several classes of targets.
    Original(Dr),
    /// The number rolled in a Random Selection (A.9), or for a Sniper (14.2).
    Selection(u8),
    /// Whether a Sniper strikes here, or `None` if another DR says it.
    Here(Option<bool>),
    /// Whether a unit gains concealment (12.122).
    Concealed(bool),
    /// Whether a unit recovers a SW (4.44).
    Recovered(bool),
    /// The result of a Sniper Check (14.4).
    Searched(SniperSearch),
}
