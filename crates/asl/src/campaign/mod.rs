//! The campaign of one unit over Player Turns (A3): in each a Rally Phase (10.6), the enemy's fire
//! (7.3), and a Rout Phase (10.5), with all that its owner and the enemy may choose.
//!
//! | file | what |
//! |---|---|
//! | `lane` | abstract ground: Open Ground between the unit and cover, exposed or not, made a small map |
//! | `draft` | the fields of a campaign, on such ground and of a situation |
//! | `fire` | 7.3 who fires at a Location, with what |
//! | `spot` | a Location in a campaign: leader, terrain, enemies, and what is played there |
//! | `orders` | what a campaign needs besides its situation |
//! | `world` | its Locations and routs, each worked out when it is first asked for |
//! | `process` | the process |
//! | `telling` | its states and choices in words |
//!
//! In the enemy's Player Turn he fires in his PFPh, in the side's own in his DFPh: once a turn
//! either way, after the Rally Phase and before the Rout Phase. Nobody but the unit moves. A unit
//! that rallies holds its place; one that goes berserk is followed no farther. Leaders of the
//! situation lend their leadership in their Locations and are never at risk.

mod draft;
mod fire;
mod lane;
mod orders;
mod process;
mod spot;
mod telling;
mod world;

pub use crate::ask::MAX_TURNS;
pub use draft::{CampaignTable, LaneCampaign, LaneFields, LaneSetters};
pub use fire::Fire;
pub use lane::{Company, Lane};
pub use orders::{Orders, Phase};
pub use process::{Asked, CampaignOutcome, State};
pub use world::Campaign;
