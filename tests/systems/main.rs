//! Tests of the code that all games share with a made-up game, and of the games Samurai Battles and
//! Reaction Dice.

mod commands;
mod fortitude;
mod reaction;
mod toy_game;

#[path = "../fit/mod.rs"]
mod fit;
#[path = "../common/random.rs"]
mod random;
#[cfg(feature = "cli")]
#[path = "../shell/mod.rs"]
mod shell;
#[path = "../common/table.rs"]
mod table;
#[cfg(feature = "cli")]
#[path = "../toy/mod.rs"]
mod toy;
#[path = "../common/wrapped_factors.rs"]
mod wrapped_factors;
#[path = "../common/wrappers.rs"]
mod wrappers;
