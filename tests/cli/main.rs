//! The command line as its users meet it.
#![cfg(feature = "cli")]

mod articles;
mod asked_again;
mod board_command;
mod charts;
mod cli;
mod compare;
mod first_screen;
mod help;
#[cfg(unix)]
mod limits;
mod manual;
mod names;
mod objectives;
mod saves;
mod several;
mod together;
mod vasl_files;
mod words;

#[path = "../shell/mod.rs"]
mod shell;
