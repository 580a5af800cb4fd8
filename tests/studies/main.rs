//! Studies: sweeps on disk, and what may go wrong with one.
#![cfg(feature = "cli")]

mod bounds;
mod counts;
mod foreign;
mod hostile;
mod shards;
mod shared;
mod studies;
mod sweeps;
mod tables;

#[path = "../shell/mod.rs"]
mod shell;
