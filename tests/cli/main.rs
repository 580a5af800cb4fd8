//! The command line, tested by running the built binary.
//!
//! What one command prints, its faults above all, is in the answer store
//! (`tests/answers/commands.txt`). The tests here compare answers with each other, or with files.
#![cfg(feature = "cli")]

mod articles;
mod attacks;
mod board_command;
mod charts;
mod cli;
mod close_combat;
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
mod sides;
mod spellings;
mod vasl_files;
mod vasl_questions;
mod vasl_saves;
mod words;

#[path = "../shell/mod.rs"]
mod shell;
#[path = "../common/table.rs"]
mod table;
#[path = "../vasl_writer/mod.rs"]
mod vasl_writer;
