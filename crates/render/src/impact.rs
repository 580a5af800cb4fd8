//! Rendering of the changes in the odds of a question under other values of its rule settings.

use std::collections::BTreeSet;

use super::document::{Block, Document, aligned, paragraph};
use super::layout::Digits;
use super::provenance;
use api::impact::{Impact, Moved, MovedRow};
use api::odds::end_in_words;
use engine::process::Label;
use play::RuleReading;

/// Returns an outcome in words: `ours 4-6-7 [2] broken 4-4-7`. `several` asks for slots.
fn in_words(label: &Label, point: &str, several: bool) -> String {
    if let Some(outcome) = &label.outcome {
        return outcome.clone();
    }
    let at = super::point(label).map_or(String::new(), |number| format!("{point} {number}: "));
    let other = if label.slot.is_some() { "created" } else { label.place.unwrap_or_default() };
    let unit = label.unit.as_deref().unwrap_or(other);
    let slot = label.side_slot.or(label.slot).filter(|_| several);
    let slot = slot.map_or(String::new(), |slot| format!(" [{slot}]"));
    let side = label.side.as_deref().map_or(String::new(), |side| format!("{side} "));
    let counter = label.counter.as_deref().filter(|_| label.counter != label.unit);
    let end = end_in_words(label, counter, " ");
    format!("{at}{side}{unit}{slot} {end}")
}

const SHOWN: usize = 20;

pub fn render(Moved { question, before, impacts }: &Moved, digits: Digits) -> Document {
    let words = question.words();
    let (points, point) =
        (words.provenance().setting.to_lowercase(), words.facts().points.unwrap_or_default());
    let several = before.rows.iter().any(|row| row.label.slot != before.rows[0].label.slot);
    let row = |row: &MovedRow| {
        let error = row.std_error.map_or(String::new(), |std_error| {
            format!(" (+- {})", digits.percent(1.96 * std_error))
        });
        let [before, after, moved] =
            [row.before, row.after, row.difference().abs()].map(|share| digits.percent(share));
        let sign = match row.difference() < 0.0 {
            _ if moved.starts_with('<') => "",
            true => "-",
            false => "+",
        };
        let words = in_words(&row.label, point, several);
        vec![words, before, after, format!("{sign}{moved}{error}")]
    };
    let is_one =
        impacts.iter().all(|impact| impact.reading.setting.id == impacts[0].reading.setting.id);
    let parts: Document = match is_one {
        true => {
            impacts.iter().map(|one| Document::from(Block::Gap) + every_row(one, row)).collect()
        }
        false => {
            let by_chance = before.meta.trials.is_some();
            Document::from(Block::Gap) + widest_rows(impacts, &points, by_chance, row)
        }
    };
    paragraph(&before.meta.question) + parts + Block::Gap + provenance(&before.meta)
}

const HEADINGS: [&str; 4] = ["moves most", "from", "to", "by"];

fn every_row(
    Impact { reading, moves, reckoned }: &Impact,
    row: impl Fn(&MovedRow) -> Vec<String>,
) -> Document {
    let lines: Vec<Vec<String>> = moves.iter().take(SHOWN).map(row).collect();
    let mut text = Document::from(format!("{}\n", reading.setting.about));
    text += match (&reading.question, lines.is_empty()) {
        (Err(fault), _) => format!("Then the question is invalid: {fault}.").into(),
        (Ok(_), true) => "No odds of this question move.".into(),
        (Ok(_), false) => aligned(HEADINGS, lines, &[false, true]),
    };
    let reckoned = reckoned.iter().map(|sentence| paragraph(&format!("Then {sentence}")));
    text += reckoned.collect::<Document>();
    match moves.len().saturating_sub(SHOWN) {
        0 => text,
        further => {
            text + format!("and {further} further rows that move less; `--format csv` prints all\n")
        }
    }
}

fn widest_rows(
    impacts: &[Impact],
    points: &str,
    by_chance: bool,
    row: impl Fn(&MovedRow) -> Vec<String>,
) -> Document {
    let touched =
        impacts.iter().filter_map(|impact| Some((&impact.reading, impact.moves.first()?)));
    let mut touched: Vec<(&RuleReading, &MovedRow)> = touched.collect();
    touched.sort_by(|(_, a), (_, b)| b.difference().abs().total_cmp(&a.difference().abs()));
    let lines = touched.iter();
    let lines =
        lines.map(|(reading, row_of)| [vec![reading.setting.name.clone()], row(row_of)].concat());
    let mut text = match touched.is_empty() {
        true => format!("No {points} moves these odds.").into(),
        false => aligned([&["switch"], &HEADINGS[..]].concat(), lines, &[false, false, true]),
    };
    let mut ids: BTreeSet<&str> = touched.iter().map(|(reading, _)| reading.setting.id).collect();
    for RuleReading { setting, question } in impacts.iter().map(|impact| &impact.reading) {
        if let Err(fault) = question {
            text += format!("{}: then the question is invalid: {fault}.\n", setting.name);
            ids.insert(setting.id);
        }
    }
    for Impact { reading, reckoned, .. } in impacts.iter().filter(|one| one.moves.is_empty()) {
        let name = &reading.setting.name;
        let changed = reckoned.iter().map(|sentence| paragraph(&format!("{name}: {sentence}")));
        text += changed.collect::<Document>();
        ids.extend((!reckoned.is_empty()).then_some(reading.setting.id));
    }
    let all: BTreeSet<&str> = impacts.iter().map(|impact| impact.reading.setting.id).collect();
    let chance = if by_chance { " that stands out from chance" } else { "" };
    text + format!(
        "{} {points}s move nothing{chance}. `--impact NAME` shows every row of one.\n",
        all.len() - ids.len()
    )
}
