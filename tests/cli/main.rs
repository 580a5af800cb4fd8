//! The command line, tested by running the built binary.
#![cfg(feature = "cli")]

mod articles;
mod board_command;
mod charts;
mod cli;
mod compare;
mod escaping;
mod first_screen;
mod help;
mod joint;
#[cfg(unix)]
mod limits;
mod lists;
mod manual;
mod objectives;
mod request_commands;
mod spellings;
mod vasl_files;
mod vasl_saves;

#[path = "../shell/mod.rs"]
mod shell;
#[path = "../vasl_writer/mod.rs"]
mod vasl_writer;
