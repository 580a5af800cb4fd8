//! The Rout Phase on a map (10.5 - 10.533, 20.21), from the duty to rout to the end of each rout.

mod destination;
mod ending;
mod field;
pub mod fields;
mod fire_sight;
mod march;
mod open_ground;
mod outlook;
mod phase;
mod plan;
mod process;
mod situation;
mod verdict;

pub(crate) use field::{Bearing, RoutMap};
pub use field::{Cover, InReach};
pub use fields::{RoutFields, RoutRules, RoutSetters};
pub use march::{March, Moves, RoutEnd, RoutMove, RoutPlan, RoutProgress};
pub use outlook::{FirstAction, Outlook};
pub use phase::{PhaseState, RoutPhase};
pub(crate) use process::Party;
pub use process::{Rout, RoutOutcome, RoutState};
pub(crate) use situation::room_of;
pub use situation::{
    Circumstances, Enemy, Friend, INTERDICTION_RANGE, MAX_ENEMIES, Router, Situation, Weapon, mark,
};
pub use verdict::{Duty, Reason, Ruling};
