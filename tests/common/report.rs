//! Reads reports of faults, which are wrapped to the width of a terminal.
#![allow(dead_code)]

/// Joins the lines of a report that were wrapped.
pub fn unwrapped(report: &str) -> String {
    let begins = |line: &str| {
        let start = line.trim_start();
        !line.starts_with(' ')
            || ["help: ", "= ", "-->", "|"].iter().any(|sign| start.starts_with(sign))
            || start.starts_with(|letter: char| letter.is_ascii_digit()) && start.contains(" |")
    };
    let mut text = String::new();
    for line in report.lines() {
        match begins(line) || text.is_empty() {
            true => text = text + line + "\n",
            false => text = text.trim_end().to_string() + " " + line.trim_start() + "\n",
        }
    }
    text
}
