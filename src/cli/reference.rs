//! Lays out the reference of all keys of files and questions, as text and as Markdown.

use api::reference::{Key, KeyGroup};
use render::layout::wrapped;
use render::sentence;

/// Returns the reference as text, in the layout of a command's help.
pub fn text(parts: &[KeyGroup]) -> String {
    let row = |Key { name, takes, default, about, rule, .. }: &Key| {
        let rule = filled(rule, |rule| format!(" ({rule})"));
        let default = filled(default, |default| format!(" [default: {default}]"));
        ["  ".to_string() + name, takes.clone(), format!("{about}{rule}{default}")]
            .map(|cell| cell.replace('`', ""))
            .to_vec()
    };
    let part = |part: &KeyGroup| {
        let about = filled(&part.about, |about| format!(": {about}"));
        let rows: Vec<Vec<String>> = part.keys.iter().map(row).collect();
        let heading = wrapped(&[vec![format!("{}{about}", part.title).replace('`', "")]]);
        let lines: Vec<Vec<String>> =
            part.text.lines().map(|line| vec![format!("  {line}")]).collect();
        format!("{heading}{}{}", wrapped(&rows), wrapped(&lines))
    };
    parts.iter().map(part).collect::<Vec<_>>().join("\n")
}

/// Returns the reference as Markdown, with a heading and a table for each part.
pub fn markdown(parts: &[KeyGroup]) -> String {
    let part = |part: &KeyGroup| {
        let heading = format!("{} {}\n", "#".repeat(part.depth + 2), part.title);
        let about = filled(&part.about, |about| format!("\n{}.\n", sentence(about)));
        let text = filled(&part.text, |text| format!("\n```text\n{text}\n```\n"));
        heading + &about + &table(&part.keys) + &text
    };
    let head = "# Reference\n\nEvery file, every kind of question of every morale system, and all \
        that can be said in them. Made by \
                `lowcrawl describe --format markdown` from the declarations that read them.\n\n";
    head.to_string() + &parts.iter().map(part).collect::<Vec<_>>().join("\n")
}

/// Returns the text that `make` makes of a text, or an empty text for an empty one.
pub fn filled(text: &str, make: impl Fn(&str) -> String) -> String {
    if text.is_empty() { String::new() } else { make(text) }
}

fn table(keys: &[Key]) -> String {
    let code = |text: &str| match text.starts_with('`') {
        true => text.to_string(),
        false => filled(text, |text| format!("`{text}`")),
    };
    let cells = |Key { name, takes, default, about, rule, .. }: &Key| {
        [code(name), takes.clone(), code(default), about.clone(), rule.clone()]
    };
    let rows: Vec<[String; 5]> = keys.iter().map(cells).collect();
    if rows.is_empty() {
        return String::new();
    }
    let shown: Vec<usize> =
        (0..5).filter(|&column| rows.iter().any(|row| !row[column].is_empty())).collect();
    let line = |row: &[String; 5]| {
        let cells = shown.iter().map(|&column| row[column].replace('|', "\\|"));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let headings = ["key", "takes", "default", "meaning", "rule"].map(str::to_string);
    let rule = format!("|{}\n", "---|".repeat(shown.len()));
    format!("\n{}{rule}{}", line(&headings), rows.iter().map(line).collect::<String>())
}
