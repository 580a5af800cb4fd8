//! What knows no game works with any, and the two further systems.

mod fortitude;
mod reaction;
mod system;
mod systems;

#[cfg(feature = "cli")]
#[path = "../shell/mod.rs"]
mod shell;
#[cfg(feature = "cli")]
#[path = "../toy/mod.rs"]
mod toy;
#[path = "../common/wrappers.rs"]
mod wrappers;
