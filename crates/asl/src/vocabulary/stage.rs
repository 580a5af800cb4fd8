//! What happens in a Location, in stages: the plan that an engagement works through.

use std::sync::Arc;

use super::attack::Attack;
use super::gauntlet::Gauntlet;
use super::rally::RallyPhase;
use super::unit::Unit;
use super::when::Test;
use crate::stack::Slots;
use engine::process::Point;

/// One stage of an engagement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// 7.3: an attack on the IFT.
    Fire(Attack),
    /// 7.303, 7.304: every unit takes a MC with this DRM, then the losses of leaders are worked
    /// off.
    MoraleCheck { drm: i8 },
    /// 7.305: every unbroken, unpinned unit takes a PTC.
    PinTaskCheck,
    /// 10.2: units are eliminated by whatever cause, and LLMC follow.
    Elimination(Slots),
    /// 10.41: units break of their own accord.
    VoluntaryBreak(Slots),
    /// 10.62: every broken unit gains DM.
    DesperationMorale,
    /// 10.6: a Rally Phase.
    RallyPhase(RallyPhase),
    /// 10.53: every broken unit runs through the Interdicted hexes.
    Gauntlet(Gauntlet),
    /// The next `skip` stages are left out unless the test holds; with the words of the condition
    /// of a step that is left out then.
    Only { test: Test, skip: u16, leaves_out: Option<Arc<str>> },
    /// The state of every unit is noted.
    Report(Point),
}

impl Stage {
    /// 10.6, I-8: the leader who only lends his leadership in it.
    pub(crate) fn lent_leader(&self) -> Option<&Unit> {
        match self {
            Stage::RallyPhase(phase) => phase.lent_leader.as_ref(),
            Stage::Gauntlet(gauntlet) => gauntlet.lent_leader.as_ref(),
            _ => None,
        }
    }
}
