//! A platoon over Player Turns, or a firefight of two: stacks in a few Locations, who goes where,
//! and when (3). What an attack, a check, a Rally attempt or an Interdicted hex does is said by
//! [`crate::play`].
//!
//! | file | what it holds |
//! |---|---|
//! | [`orders`] | the words of a policy for leaders, routs, returns, Rally attempts and fire |
//! | [`ground`] | Locations, links between them, lines of sight |
//! | [`state`] | units with their places, and the event that is being rolled |
//! | [`model`] | the sides, the rules of every place, and the view of one moment |
//! | `rally`, `fire`, `movement`, `rout` | 10.6, 18.11; 7.2, 7.5; 3.3, 4.7; 10.5, 17.6, 20.21 |
//! | `turn`, [`process`], [`outcome`] | 3: the phases; the process; what is reported |
//! | [`variations`] | all plans of a side, and what a leader or a squad more is worth |
//! | [`fields`], [`question`] | the tables of a file, and the answer |

pub mod fields;
mod fire;
pub mod ground;
pub mod model;
mod movement;
pub mod orders;
pub mod outcome;
pub mod process;
pub mod question;
mod rally;
mod rout;
pub mod state;
mod turn;
pub mod variations;
