//! The parts that know no game, with a game made up for tests; and the two further games.

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
