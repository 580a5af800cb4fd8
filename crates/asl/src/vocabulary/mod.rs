//! The vocabulary of the rules: units, conditions, the state of a Location, and values with their
//! arithmetic. The order of events belongs to [`super::play`], which this module does not use.

pub mod attack;
pub mod check;
pub mod choice;
pub mod concealment;
pub mod gauntlet;
pub mod heat;
pub mod location;
pub mod outcome;
pub mod rally;
pub mod scene;
pub mod shots;
pub mod sniper;
pub mod stage;
pub mod step_condition;
pub mod terms;
pub mod unit;
pub mod verdict;

pub use attack::*;
pub use check::*;
pub use choice::*;
pub use concealment::*;
pub use gauntlet::*;
pub use heat::*;
pub use location::*;
pub use outcome::*;
pub use rally::*;
pub use scene::*;
pub use shots::*;
pub use sniper::*;
pub use stage::*;
pub use step_condition::*;
pub use terms::*;
pub use unit::*;
pub use verdict::*;
