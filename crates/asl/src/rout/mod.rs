//! The Rout Phase on a map (10.5 - 10.533, 20.21): who must rout, where to, through what.
//!
//! | file | rules |
//! |---|---|
//! | `asked` | what can be written of a Rout Phase: the fields of it, of its units and of its map |
//! | `situation` | who stands where; who is armed, can Interdict, takes prisoners (10.532) |
//! | `open_ground` | 10.531 Open Ground as a given enemy sees it |
//! | `field` | the Locations within reach, and which enemies bar (10.51) or Interdict (10.53) each step |
//! | `distance` | 10.51 what is how far, over legal steps |
//! | `verdict` | 10.5 must, may, cannot; 20.21 surrender |
//! | `destination` | 10.51 the nearest cover, and what may be ignored |
//! | `march` | 10.51 - 10.533 the rout step by step, Low Crawl, re-figuring, how it may end |
//! | `outlook` | what a unit has before it at the start, and why a Location is no destination |
//! | `plan` | what is declared at the start and where the rout is to end |
//! | `process` | the rout as a process: its owner chooses, Interdiction rolls |
//! | `ending` | what follows an Interdiction, and how a rout ends (10.5, 10.53) |
//! | `reveal` | 10.533 concealed enemies that are revealed on purpose |
//! | `phase` | the Rout Phase of one side: its units one after another |

pub mod asked;
mod destination;
mod distance;
mod ending;
mod field;
mod march;
mod open_ground;
mod outlook;
mod phase;
mod plan;
mod process;
mod reveal;
mod situation;
mod verdict;

pub use asked::{RoutFields, RoutRules, RoutSetters};
pub use destination::{Cover, InReach};
pub(crate) use field::{Bearing, RoutMap};
pub use march::{End, March, Move, Moves, Progress};
pub use outlook::{Explanation, FirstAction, Outlook};
pub use phase::{PhaseState, RoutPhase};
pub use plan::{Plan, Planned};
pub(crate) use process::Party;
pub use process::{Rout, RoutOutcome, State};
pub(crate) use situation::room_of;
pub use situation::{
    Circumstances, Enemy, Friend, INTERDICTION_RANGE, MAX_ENEMIES, Router, Situation, Weapon, mark,
};
pub use verdict::{Duty, Reason, Ruling};
