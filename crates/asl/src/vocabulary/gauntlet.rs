//! Interdicted hexes that a routing unit runs through (10.53), and MF (10.5, 17.2).

use std::cmp::Ordering;

use super::location::Place;
use super::unit::Unit;
use crate::board::terrain::Mf;
use crate::rulebook::{Rulebook, Switch};

/// 10.5: MF of a routing unit.
pub const ROUT_MF: u8 = 6;
/// 17.2: MF of a wounded SMC.
pub const WOUNDED_MF: u8 = 3;

/// What a light wound does in mid-rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterWound {
    Pinned,
    Stopped,
    GoesOn,
}

/// Where the hexes of a gauntlet are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// So many in a row, 1 MF each.
    Hexes(u8),
    /// On a map, which says what follows in each.
    OnMap,
}

/// Interdicted hexes to cross, and who helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gauntlet {
    pub way: Way,
    /// I-8: a Good Order leader in every hex, who only lends his leadership.
    pub lent_leader: Option<Unit>,
    /// 10.711: the leader who goes along.
    pub escort: Option<Place>,
    /// 19.12: whether Disrupted units rout as well.
    pub disrupted: bool,
}

impl Gauntlet {
    /// 17.2: whether it is known to be too long for a wounded SMC.
    pub(crate) fn outruns_the_wounded(&self) -> bool {
        matches!(self.way, Way::Hexes(hexes) if hexes > WOUNDED_MF)
    }
}

impl AfterWound {
    /// 17.2: a wounded SMC has 3 MF in all: a wound that falls after more pins, at exactly 3 the
    /// rout is over. I-10 says whether he goes on before that.
    pub(crate) fn after(spent: Mf, rulebook: Rulebook) -> AfterWound {
        match spent.cmp(&Mf::whole(WOUNDED_MF)) {
            Ordering::Greater => AfterWound::Pinned,
            Ordering::Less if !rulebook.chooses(Switch::WoundEndsRout) => AfterWound::GoesOn,
            Ordering::Less | Ordering::Equal => AfterWound::Stopped,
        }
    }
}
