//! A stack that moves under Defensive First Fire (8): Location by Location, with First Fire,
//! Subsequent First Fire, FPF, Residual FP and Fire Lanes.
//!
//! | file | rules |
//! |---|---|
//! | [`path`], [`defenders`], [`orders`] | the path, the defenders, their plan: texts or tables |
//! | [`marks`] | 8.1, 8.3, 8.31, 7.35: the markers of firers, and which shot is next |
//! | [`position`] | 9.2, 9.7, 7.9: the shots that each state of the markers allows |
//! | [`model`], `build` | the crossing, and its attacks as stages |
//! | [`movement`] | 4.1, 4.2, 7.8: MF, and who goes on |
//! | [`state`], [`process`] | the crossing as a process, and its outcomes |
//! | [`report`], `words` | how often each attack is made; rolls in words |
//! | [`map`], `on_map`, `safest` | the path and the defenders from a map, the safest path |
//! | [`fields`], [`checked`], [`question`] | the fields, their checks, and the answer |

mod build;
pub mod checked;
pub mod defenders;
pub mod fields;
pub mod map;
pub mod marks;
pub mod model;
pub mod movement;
mod on_map;
pub mod orders;
pub mod path;
pub mod position;
pub mod process;
pub mod question;
pub mod report;
mod rows;
mod safest;
pub mod state;
mod words;
