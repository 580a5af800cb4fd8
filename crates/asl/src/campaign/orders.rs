//! What a campaign needs besides its situation.

use super::fire::Fire;
use crate::board::map::Site;
use crate::sequence::OwnRph;

/// A phase of a Player Turn, as far as a campaign knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// 10.6: the RPh.
    Rally,
    /// 7.3: the PFPh of the enemy's Player Turn, the DFPh of the side's own.
    Fire,
    /// 10.5: the RtPh.
    Rout,
}

/// What a campaign needs besides its situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Player Turns, the first counted from the phase it begins in.
    pub turns: u16,
    /// Phase in which the first begins.
    pub begin: Phase,
    /// 18.11: in which Player Turns, from 1, the unit may be the first MMC of its side to
    /// Self-Rally in its own RPh.
    pub own_rph: OwnRph,
    pub fire: Fire,
    /// Whether the enemy may hold his fire, attack by attack, where that is worse for the unit.
    pub enemy_holds_fire: bool,
    /// Whether units created on the way, by Heat of Battle (15.1), Leader Creation (18.2) or
    /// Replacement (19.13), stay with the unit until it routs; else they go their own way at the
    /// end of the phase.
    pub created_stay: bool,
    /// Player Turn from which on a leader of the situation is there, by his place among its
    /// leaders; from the first, if not named.
    pub arrivals: Vec<(usize, u16)>,
    /// Names of Locations, where they have others than those of the map.
    pub names: Vec<(Site, String)>,
}
