//! The parameters of a campaign, apart from its map and units.

use super::fire::Fire;
use crate::board::map::Location;
use crate::sequence::OwnRph;
use schema::declared::named;

named! {
    /// A phase of a Player Turn in a campaign.
    pub enum Phase {
        /// The RPh (10.6).
        Rally = "rally",
        /// The PFPh of the enemy's Player Turn, or the DFPh of the side's own (7.3).
        Fire = "fire",
        /// The RtPh (10.5).
        Rout = "rout",
    }
}

impl Phase {
    /// Returns the name that players use.
    pub const fn in_words(self) -> &'static str {
        match self {
            Phase::Rally => "RPh",
            Phase::Fire => "fire",
            Phase::Rout => "RtPh",
        }
    }

    /// Returns the default for own RPh (18.11): the first Rally Phase of a campaign is an own one.
    pub fn first_own_rph(self) -> OwnRph {
        if self == Phase::Rally { OwnRph::Odd } else { OwnRph::Even }
    }
}

/// The parameters of a campaign, apart from its map and units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignOrders {
    /// The number of Player Turns. The first one may lack its first phases.
    pub turns: u16,
    /// The phase with which the first Player Turn begins.
    pub begin: Phase,
    /// The Player Turns, counted from 1, with an own RPh. Only there the unit can be the first MMC
    /// to Self-Rally (18.11).
    pub own_rph: OwnRph,
    pub fire: Fire,
    /// True if the enemy can hold its fire, attack by attack.
    pub enemy_holds_fire: bool,
    /// True if units created by Heat of Battle (15.1), Leader Creation (18.2) or Replacement
    /// (19.13) stay until the unit routs. Otherwise they leave at the end of the phase.
    pub created_stay: bool,
    /// The leaders that arrive later: their index in the situation, and their first Player Turn.
    pub arrivals: Vec<(usize, u16)>,
    /// Names of Locations that differ from the names on the map.
    pub names: Vec<(Location, String)>,
}
