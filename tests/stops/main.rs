//! What comes from outside: signals, kills, and input that nobody would write.
#![cfg(all(feature = "cli", unix))]

mod fuzz;
mod kills;
mod signals;

#[path = "../shell/mod.rs"]
mod shell;
#[allow(dead_code)]
#[path = "../answers/store.rs"]
mod store;
