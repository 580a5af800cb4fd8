//! The stages of an engagement (the play in one Location): fire, checks, Rally Phases and more.

use std::sync::Arc;

use super::attack::Attack;
use super::concealment::ConcealmentGain;
use super::gauntlet::Gauntlet;
use super::rally::RallyPhase;
use super::shots::Shots;
use super::step_condition::ConditionTest;
use super::unit::Unit;
use crate::stack::Slots;
use engine::process::ReportIndex;

/// One stage of an engagement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// An attack on the IFT (7.3).
    Fire(Attack),
    /// An attack whose Final DR differ by classes of targets (A.5), each with its slots.
    FireAtClasses(Arc<[(Slots, Attack)]>),
    /// A shot of named firers at targets in their present states (A.5). The first of a phase is by
    /// all firers, further ones are by the MG that keep their ROF (9.2). Without any, the `left`
    /// further stages of the step are skipped.
    Shot { shots: Arc<Shots>, is_first: bool, is_last: bool, left: u16 },
    /// A MC with this DRM by every unit, then the checks for lost leaders (7.303, 7.304).
    MoraleCheck { drm: i8 },
    /// A PTC by every unbroken, unpinned unit (7.305).
    PinTaskCheck,
    /// An elimination of units by any cause, followed by LLMC (10.2).
    Elimination(Slots),
    /// A Voluntary Break (10.41).
    VoluntaryBreak(Slots),
    /// A gain of DM by every broken unit (10.62).
    DesperationMorale,
    /// The gain of concealment at the end of the Player Turn (12.12).
    Concealment(ConcealmentGain),
    /// The loss of concealment by any cause (12.14).
    Reveal(Slots),
    /// An attack of a Sniper (14.2), whose dr may be given. No LLMC follows it.
    Sniper(Option<u8>),
    /// A Rally Phase (10.6).
    RallyPhase(RallyPhase),
    /// A rout of every broken unit through the Interdicted hexes (10.53).
    Gauntlet(Gauntlet),
    /// A Close Combat or Melee (11), by its index among those of the question. It is no part of the
    /// engagement, which waits for its end.
    CloseCombat(u8),
    /// A condition. If it fails, `skip` stages are skipped, and `leaves_out` says what that means.
    Only { test: ConditionTest, skip: u16, leaves_out: Option<Arc<str>> },
    /// A report of the state of every unit.
    Report(ReportIndex),
}

impl Stage {
    /// Returns the leader outside the stack that gives its DRM in the stage (10.6).
    pub(crate) fn lent_leader(&self) -> Option<&Unit> {
        match self {
            Stage::RallyPhase(phase) => phase.lent_leader.as_ref(),
            Stage::Gauntlet(gauntlet) => gauntlet.lent_leader.as_ref(),
            _ => None,
        }
    }
}
