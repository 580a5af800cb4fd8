//! The Rout Phase on a map (10.5 - 10.533, 20.21), from the duty to rout to the end of each rout.
//!
//! | file | rules |
//! |---|---|
//! | `fields` | the input fields of a Rout Phase, of its units and of its map |
//! | `situation` | the positions of all units, and the abilities of each enemy (10.532) |
//! | `open_ground` | 10.531 Open Ground from the position of a given enemy |
//! | `field` | the graph of steps, and the enemies that bar (10.51) or Interdict (10.53) them |
//! | `verdict` | 10.5 the duty of a unit to rout; 20.21 surrender |
//! | `destination` | 10.51 distances over legal steps, the nearest cover, and ignorable cover |
//! | `march` | 10.51 - 10.533 the rout step by step: Low Crawl, re-figuring, the end |
//! | `outlook` | the options of a unit at the start, and the reasons against a destination |
//! | `plan` | the plans of a unit, and the moves that keep one |
//! | `process` | the rout as a process: its owner chooses, Interdiction rolls |
//! | `ending` | after Interdiction; reveals (10.533); the end of a rout (10.5, 10.53) |
//! | `phase` | the Rout Phase of one side: its units one after another |

mod destination;
mod ending;
mod field;
pub mod fields;
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
