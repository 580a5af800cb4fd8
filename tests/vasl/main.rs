//! Tests of files of VASL: saves, logs and their dice, boards as pixels.

mod boards;
mod damage;
mod luck;
mod parts;
mod saves;
mod slow;
mod twin;

#[path = "../vasl_writer/mod.rs"]
mod vasl_writer;
