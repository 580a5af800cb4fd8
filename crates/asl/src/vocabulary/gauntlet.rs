//! A gauntlet: Interdicted hexes that a routing unit enters (10.53), and its MF (10.5, 17.2).

use std::cmp::Ordering;

use super::unit::{Unit, UnitIndex};
use crate::board::terrain::Mf;
use crate::rulebook::{Rulebook, Switch};

/// The MF of a routing unit (10.5).
pub const ROUT_MF: u8 = 6;
/// The MF of a wounded SMC (17.2).
pub const WOUNDED_MF: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterWound {
    Pinned,
    Stopped,
    GoesOn,
}

/// The Interdicted hexes to cross, and the leaders that help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gauntlet {
    /// The length of a row of hexes at 1 MF each. `None` on a map, whose rout decides what follows.
    pub hexes: Option<u8>,
    /// A leader in every hex that gives its leadership DRM (interpretation I-8), never at risk.
    pub lent_leader: Option<Unit>,
    /// The index of the leader on a Voluntary Rout with the unit (10.711).
    pub escort: Option<UnitIndex>,
    /// True if Disrupted units rout as well (19.12).
    pub disrupted: bool,
}

impl AfterWound {
    /// Returns the effect of a light wound after this many MF. An SMC, with 3 MF in all (17.2), is
    /// pinned after more, stops at exactly 3, and after fewer may go on (I-10).
    pub(crate) fn after(spent: Mf, rulebook: Rulebook) -> AfterWound {
        match spent.cmp(&Mf::whole(WOUNDED_MF)) {
            Ordering::Greater => AfterWound::Pinned,
            Ordering::Less if !rulebook.chooses(Switch::WoundEndsRout) => AfterWound::GoesOn,
            Ordering::Less | Ordering::Equal => AfterWound::Stopped,
        }
    }
}
