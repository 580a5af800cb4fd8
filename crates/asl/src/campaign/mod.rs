//! The campaign of one unit over Player Turns (A3). Each turn has a Rally Phase (10.6), the enemy's
//! fire (7.3) and a Rout Phase (10.5), with all choices of both sides.
//! This is a model. The enemy fires once a turn, after the Rally Phase and before the Rout Phase.
//! That is its PFPh in its own Player Turn, and its DFPh in the other. No other unit moves. A unit
//! that rallies stays where it is. A unit that goes berserk is not followed further. Leaders of the
//! situation lend their leadership in their Locations and are never at risk.

mod describe;
mod draft;
mod orders;
mod process;
mod world;

pub use crate::kinds::MAX_TURNS;
pub use draft::{CampaignTable, LaneCampaign, LaneFields, LaneSetters};
pub use orders::{CampaignOrders, Fire, Phase};
pub use process::{CampaignOutcome, CampaignState, ChoiceSubject};
pub use world::Campaign;
