//! Rendering of the changes that other values of the interpretations make in a situation.

use crate::document::{Block, Document, aligned, indented, paragraph};
use api::rout::impact::{Change, Reread, finding_text};
use asl::rulebook::Interpretation;

/// Renders the changes. For several interpretations, reasons, first steps and odds of plans that
/// are not the best are omitted.
pub fn render(Reread { scenario, interpretations, changes, .. }: &Reread) -> Document {
    let situation = &scenario.situation;
    let is_one =
        interpretations.iter().all(|interpretation| interpretation.id == interpretations[0].id);
    let mut text = Document::default();
    if is_one {
        let Interpretation { id, question, values, default, .. } = interpretations[0];
        text += paragraph(&format!("{question} ({id})"));
        text += indented(2, &format!("{}: {default}", values[0]));
        for Interpretation { values, alternative, .. } in interpretations {
            text += indented(2, &format!("{}: {alternative}", values[1]));
        }
        text += Block::Gap;
    }
    let is_shown = |change: &&Change| {
        is_one
            || !["reasons", "first steps"].contains(&change.what.as_str())
                && !change.what.starts_with("survives: ")
    };
    let row = |change: &Change| {
        let read = format!("{}={}", change.interpretation.id, change.value);
        let name = situation.unit_called(change.unit);
        let [from, to] = [&change.from, &change.to].map(finding_text);
        vec![read, name, change.what.clone(), from, to]
    };
    let rows: Vec<Vec<String>> = changes.iter().filter(is_shown).map(row).collect();
    let headings = ["read by", "unit", "changes", "from", "to"].map(str::to_string);
    text += match (changes.is_empty(), is_one) {
        (true, true) => "Nothing of this situation changes.".into(),
        (true, false) => "No interpretation changes anything here.".into(),
        _ if rows.is_empty() => {
            "No interpretation changes the verdict, the destinations or the best plan.".into()
        }
        _ => aligned(&headings, rows, &[false; 5]).fitted(),
    };
    if !is_one {
        let mut moved: Vec<String> =
            changes.iter().map(|change| change.interpretation.name()).collect();
        moved.dedup();
        let hidden = moved.iter().filter(|name| {
            !changes.iter().filter(is_shown).any(|change| change.interpretation.name() == **name)
        });
        let hidden: Vec<&str> = hidden.map(String::as_str).collect();
        if !hidden.is_empty() {
            text += paragraph(&format!(
                "Only reasons, steps, or plans that are not the best: {}.",
                hidden.join(", ")
            ));
        }
        text += paragraph(&format!(
            "{} interpretations change nothing. `--impact NAME` shows all that one changes.",
            interpretations.len() - moved.len()
        ));
    }
    text
}
