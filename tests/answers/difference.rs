//! Differences between answers and stored answers, counted by kind.

use std::collections::BTreeMap;

use super::store::{Answer, Request};

/// Number of lines that are shown of each side of a difference.
const SHOWN: usize = 3;
/// Number of characters that are shown of a line.
const WIDTH: usize = 160;

/// Returns the kind of difference for a part of an answer, such as `exit`.
fn kind(part: &str) -> &'static str {
    match part {
        "csv" => "rows",
        "json" => "JSON",
        "screen" => "screens",
        part if part.starts_with("exit") => "exit codes",
        part if part.starts_with("errors") => "words of errors",
        _ => "files",
    }
}

#[derive(Default)]
pub struct Differences {
    requests: usize,
    /// Numbers of the requests with each kind of difference.
    kinds: BTreeMap<&'static str, usize>,
    /// A description of each request that differs.
    descriptions: Vec<String>,
}

impl Differences {
    /// Compares the answer to a request with the stored one.
    pub fn add(&mut self, request: &Request, stored: &Answer, answer: &Answer) {
        let mut parts: Vec<&String> = stored.keys().chain(answer.keys()).collect();
        parts.sort();
        parts.dedup();
        parts.retain(|part| stored.get(*part) != answer.get(*part));
        if parts.is_empty() {
            return;
        }
        self.requests += 1;
        let mut kinds: Vec<&str> = parts.iter().map(|part| kind(part)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.into_iter().for_each(|kind| *self.kinds.entry(kind).or_default() += 1);
        let text = |answer: &Answer, part: &str| answer.get(part).cloned().unwrap_or_default();
        let mut description = format!("$ {}\n", request.command());
        for part in parts {
            description +=
                &format!("  {part}, {}", first_lines(&text(stored, part), &text(answer, part)));
        }
        self.descriptions.push(description);
    }

    /// Returns the first ten differences and the number of each kind, if there are any.
    pub fn report(&self, area: &str) -> Option<String> {
        let kinds: Vec<String> =
            self.kinds.iter().map(|(kind, count)| format!("{count} in {kind}")).collect();
        let first = self.descriptions.iter().take(10).cloned().collect::<String>();
        let report = format!(
            "\n{first}{area}: {} requests are answered differently: {}\n",
            self.requests,
            kinds.join(", ")
        );
        (self.requests > 0).then_some(report)
    }
}

/// Returns the first lines that differ.
fn first_lines(stored: &str, answer: &str) -> String {
    let same = stored.lines().zip(answer.lines()).take_while(|(old, new)| old == new).count();
    let shown = |text: &str, sign: char| {
        let line =
            |line: &str| format!("    {sign} {}\n", line.chars().take(WIDTH).collect::<String>());
        text.lines().skip(same).take(SHOWN).map(line).collect::<String>()
    };
    format!("line {}:\n{}{}", same + 1, shown(stored, '-'), shown(answer, '+'))
}
