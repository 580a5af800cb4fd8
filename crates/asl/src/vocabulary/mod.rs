//! The vocabulary of the rules: units, conditions, the state of a Location, and values with their
//! arithmetic. The order of events belongs to [`super::play`], which this module does not use.
//!
//! | file | rules |
//! |---|---|
//! | [`mod@unit`], [`scene`] | conditions and statuses of units; facts about the enemy |
//! | [`location`], [`stage`] | the state of a Location with its agenda of tasks; its stages |
//! | [`step_condition`] | the conditions of steps |
//! | [`attack`] | 7.3 the Infantry Fire Table, 7.9 Cowering |
//! | [`check`] | 10.1, 7.8, 10.31 a Morale or Task Check |
//! | [`heat`] | 15.1 the Heat of Battle table |
//! | [`rally`] | 10.6 - 10.64 a Rally attempt, 18.2 Leader Creation |
//! | [`gauntlet`] | 10.53, 17.2 Interdicted hexes and MF |
//! | [`choice`] | the choices of the owner in a Rally Phase |
//! | [`terms`], [`verdict`] | the values that a roll is compared with, and its result |
//! | [`outcome`] | the final states of units, and how they are reported |

pub mod attack;
pub mod check;
pub mod choice;
pub mod gauntlet;
pub mod heat;
pub mod location;
pub mod outcome;
pub mod rally;
pub mod scene;
pub mod stage;
pub mod step_condition;
pub mod terms;
pub mod unit;
pub mod verdict;

pub use attack::*;
pub use check::*;
pub use choice::*;
pub use gauntlet::*;
pub use heat::*;
pub use location::*;
pub use outcome::*;
pub use rally::*;
pub use scene::*;
pub use stage::*;
pub use step_condition::*;
pub use terms::*;
pub use unit::*;
pub use verdict::*;
