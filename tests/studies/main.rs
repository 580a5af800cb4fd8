//! Studies: their results on disk, and the faults that may occur.
#![cfg(feature = "cli")]

mod bounds;
mod counts;
mod fault_injection;
mod foreign_files;
mod shards;
mod shared_cells;
mod studies;
mod tables;
mod untrusted_files;

#[path = "../shell/mod.rs"]
mod shell;
