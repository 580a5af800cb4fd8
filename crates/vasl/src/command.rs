//! The commands of a save or log, in the order in which VASSAL executes them.

use std::iter;

use super::sequence::split;
use engine::text::Fault;

const BETWEEN: char = '\u{1b}';
/// The prefix of a command that a log plays.
const LOGGED: &str = "LOG\t";
/// The maximum nesting of commands; real files have three levels.
const DEEPEST: usize = 64;

/// Calls `take` with each command of a text. The flag is true for commands that a log plays.
///
/// # Errors
///
/// Fails if the commands are nested too deeply.
pub fn each(text: &str, take: &mut dyn FnMut(&str, bool)) -> Result<(), Fault> {
    each_within(text, 0, take)
}

fn each_within(text: &str, depth: usize, take: &mut dyn FnMut(&str, bool)) -> Result<(), Fault> {
    if depth > DEEPEST {
        return Err(Fault::new(
            format!("the saved game is damaged: commands are nested more than {DEEPEST} deep"),
            0..0,
        ));
    }
    let mut parts = split(text, BETWEEN);
    let first = parts.next().unwrap_or_default();
    if first == text {
        match text.strip_prefix(LOGGED) {
            Some(logged) => take(logged, true),
            None if !text.is_empty() => take(text, false),
            None => {}
        }
        return Ok(());
    }
    iter::once(first).chain(parts).try_for_each(|part| each_within(&part, depth + 1, take))
}
