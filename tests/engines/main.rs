//! The engines: exact against simulated, their errors, their intervals, and how they stop.

mod choices;
mod coverage;
mod engines;
mod heated_engines;
mod paired;
mod stop;
mod undrawn;

#[path = "../../benches/board/mod.rs"]
mod board;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../benches/common/mod.rs"]
mod jobs;
#[path = "../common/wrappers.rs"]
mod wrappers;
