//! What a busy machine prints after a minute.

/// Returns whether a line of standard error tells the progress of long work, such as `2 min: Monte
/// Carlo, 77 % of 1000000 sequences`.
pub fn is_progress(line: &str) -> bool {
    line.split_once(" min: ").is_some_and(|(minutes, _)| minutes.parse::<u32>().is_ok())
}
