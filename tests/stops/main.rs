//! Tests of signals, kills and malformed input.
#![cfg(all(feature = "cli", unix))]

mod fuzz;
mod kills;
mod signals;

#[path = "../shell/mod.rs"]
mod shell;
#[allow(dead_code)]
#[path = "../answers/store.rs"]
mod store;
