//! Numbers with their nouns.

/// Returns a number with its noun, such as `1 die`, `2 dice` or `3 orders`.
pub(super) fn counted(number: impl Into<u16>, what: &str) -> String {
    match (number.into(), what) {
        (1, _) => format!("1 {what}"),
        (number, "die") => format!("{number} dice"),
        (number, "Wild Die") => format!("{number} Wild Dice"),
        (number, "Command Die") => format!("{number} Command Dice"),
        (number, "opposing die") => format!("{number} opposing dice"),
        (number, "six" | "unmatched six" | "inch" | "success") => format!("{number} {what}es"),
        (number, _) => format!("{number} {what}s"),
    }
}
