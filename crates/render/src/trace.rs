//! Rendering of a trace, roll by roll.

use super::document::{Block, Document};
use super::layout::Digits;
use api::trace::{Traced, TracedLine};
use play::TraceDice;

fn source(dice: &TraceDice) -> String {
    match dice {
        TraceDice::Script(_) => "dice as scripted".to_string(),
        TraceDice::Seeded { seed, sequence } => format!("sequence {sequence} of seed {seed}"),
    }
}

/// Renders a trace with one line per event. Each line begins with its rule number.
pub fn render(
    Traced { heading, lines, probability, approximately, aside, dice, .. }: &Traced,
    digits: Digits,
) -> Document {
    if lines.is_empty() {
        return "Nobody routs.".into();
    }
    let width = lines.iter().map(|line| line.rule().len()).fold(RULE_WIDTH, usize::max);
    let mut text = Document::from(format!("{heading}{}", source(dice))) + Block::Gap;
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let content = match line {
            TracedLine::Roll { text: first, faces_read, dice, .. } => {
                let mut words = first.clone();
                let (mut read, mut faces) = (u128::from(*faces_read), u128::from(dice.faces()));
                // Dice of one pool share a line.
                while let Some(TracedLine::Roll { text: next, faces_read, .. }) =
                    lines.next_if(|next| {
                        dice.is_of_pool() && head(next).is_some_and(|head| head == head_of(first))
                    })
                {
                    words += &next[head_of(next).len() + 1..];
                    (read, faces) =
                        (read * u128::from(*faces_read), faces * u128::from(dice.faces()));
                }
                format!("  {words}  [{read}/{faces} like this]")
            }
            TracedLine::Event { rule, text } if rule.is_empty() => format!("  {text}"),
            TracedLine::Event { text, .. } => format!("    {text}"),
            TracedLine::Noted { words, .. } => format!("  {words}"),
        };
        text += Block::Line(format!("{:>width$}{content}", line.rule()));
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

/// Returns the text in front of the face, for a die of a pool; `None` for other lines.
fn head(line: &TracedLine) -> Option<&str> {
    match line {
        TracedLine::Roll { text, dice, .. } if dice.is_of_pool() => Some(head_of(text)),
        _ => None,
    }
}

fn head_of(text: &str) -> &str {
    text.split_once(": ").map_or("", |(head, _)| head)
}
