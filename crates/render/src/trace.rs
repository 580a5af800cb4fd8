//! Rendering of a trace, roll by roll.

use super::document::{Block, Document};
use super::layout::Digits;
use api::trace::{Traced, TracedLine};
use engine::trace::TraceLine;
use play::TraceDice;

/// Renders a trace with one line per event. Each line begins with its rule number.
pub fn render(
    Traced { heading, lines, probability, approximately, aside, dice, .. }: &Traced,
    digits: Digits,
) -> Document {
    if lines.is_empty() {
        return "Nobody routs.".into();
    }
    let width = lines.iter().map(|line| line.rule.len()).fold(RULE_WIDTH, usize::max);
    let dice = match dice {
        TraceDice::Script(_) => "dice as scripted".to_string(),
        TraceDice::Seeded { seed, sequence } => format!("sequence {sequence} of seed {seed}"),
    };
    let mut text = Document::from(format!("{heading}{dice}")) + Block::Gap;
    let mut lines = lines.iter().peekable();
    while let Some(TracedLine { rule, words, line, .. }) = lines.next() {
        let content = match line {
            TraceLine::Roll { faces_read, dice, .. } => {
                let (mut words, head) = (words.clone(), head_of(words));
                let (mut read, mut faces) = (u128::from(*faces_read), u128::from(dice.faces()));
                // Dice of one pool share a line.
                while let Some((next, of_next)) = lines.peek().and_then(|next| die(next))
                    && dice.is_of_pool()
                    && head_of(next) == head
                {
                    words += &next[head.len() + 1..];
                    (read, faces) = (read * u128::from(of_next), faces * u128::from(dice.faces()));
                    lines.next();
                }
                format!("  {words}  [{read}/{faces} like this]")
            }
            TraceLine::Event(_) if !rule.is_empty() => format!("    {words}"),
            TraceLine::Event(_) | TraceLine::Noted { .. } => format!("  {words}"),
        };
        text += Block::Line(format!("{rule:>width$}{content}"));
    }
    let probability = match probability {
        Some(fraction) if fraction.to_string().len() < 40 => {
            format!("{} ({fraction})", digits.percent(*approximately))
        }
        _ => digits.percent(*approximately),
    };
    text += Block::Gap;
    text +=
        format!("Probability of rolls that read like these, one after the other: {probability}.");
    text + aside.unwrap_or_default()
}

const RULE_WIDTH: usize = 6;

/// Returns the text of a die of a pool, and how many of its faces read like it; `None` for others.
fn die(TracedLine { words, line, .. }: &TracedLine) -> Option<(&str, u8)> {
    match line {
        TraceLine::Roll { faces_read, dice, .. } if dice.is_of_pool() => Some((words, *faces_read)),
        _ => None,
    }
}

/// Returns the text in front of the face.
fn head_of(text: &str) -> &str {
    text.split_once(": ").map_or("", |(head, _)| head)
}
