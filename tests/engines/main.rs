//! Tests of the engines: exact and simulated results, errors, intervals, and cancellation.

mod cancellation;
mod choices;
mod coverage;
mod engines;
mod fit_test;
mod heated_engines;
mod paired;
mod undrawn;

#[path = "../../benches/board/mod.rs"]
mod board;
#[path = "../common/mod.rs"]
mod common;
#[path = "../fit/mod.rs"]
mod fit;
#[path = "../../benches/common/mod.rs"]
mod jobs;
#[path = "../common/table.rs"]
mod table;
#[path = "../common/wrapped_factors.rs"]
mod wrapped_factors;
#[path = "../common/wrappers.rs"]
mod wrappers;
