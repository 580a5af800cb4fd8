//! Rendering of the answers about a Rout Phase on a map.

use super::document::{Block, Document, aligned, emphasized, indented, paragraph, paragraphs};
use super::first_screen::{LINES, MORE_LINES, closing_line, of_counts};
use super::screen::Screen;
use super::{Looks, method, sentence, units};
use api::rout::Routed;
use api::rout::report::{ReportPart, UnitAdvice};
use charts::{svg, terminal};

pub(super) fn render(routed: &Routed, looks: &Looks) -> Document {
    if !looks.all {
        return first_screen(routed, looks);
    }
    let mut text = Document::default();
    if let Some(about) = routed.about() {
        text += paragraphs(about) + Block::Gap;
    }
    if looks.map {
        text += map(routed, looks) + Block::Gap;
    }
    if routed.counts.is_none() || !looks.counts {
        text += report(routed.unit_report(looks.most, looks.digits.0));
    }
    if let Some(counts) = &routed.counts {
        text += units::counted(counts, looks.digits) + Block::Gap;
    }
    text + report(routed.further_report(looks.most, looks.digits.0))
}

fn map(routed: &Routed, looks: &Looks) -> Document {
    Block::Drawn(terminal::draw(&routed.route_map(2), looks.colours)).into()
}

/// Largest number of units in a table.
const UNITS: usize = 8;
/// Largest number of lines of a description.
const ABOUT: usize = 3;
/// Number of orders of the units.
const ORDERS: usize = 4;

/// Renders the best plans in few lines, below the map if it is asked for.
fn first_screen(routed: &Routed, looks: &Looks) -> Document {
    let (digits, several) = (looks.digits.0, routed.answers.len() > 1);
    let mut screen = Screen::default();
    screen.add(0, paragraph(&format!("{}.", sentence(&routed.meta.question))));
    let about = routed.about().map(paragraph).filter(|about| about.lines() <= ABOUT);
    screen.join(3, about.unwrap_or_default());
    let mut later = Document::default();
    for (advice, choices) in routed.later_advice(digits) {
        later += emphasized(&advice);
        later += if several { Document::default() } else { report(vec![choices]) };
    }
    let has_later = !later.pieces().is_empty();
    screen.add(0, later);
    if several {
        let (table, phase) = routed.advice_on_all(UNITS, digits);
        screen.add(0, phase.map_or(Document::default(), |phase| emphasized(&phase)));
        screen.join(if has_later { 2 } else { 0 }, report(table));
    } else {
        for UnitAdvice { duty, best, plans } in routed.advice(digits) {
            screen.add(0, paragraph(&duty));
            let is_only = best.is_none();
            screen.join(1, best.map_or(Document::default(), |best| emphasized(&best)));
            screen.add(2, if is_only { Document::default() } else { report(plans) });
        }
    }
    screen.add(1, report(routed.order_report(ORDERS)).without_gaps());
    if let Some(counts) = &routed.counts {
        match looks.counts {
            true => screen.add(0, units::counted(counts, looks.digits)),
            false => screen.add(3, of_counts(counts, looks.digits)),
        }
    }
    let others = "--all shows every plan, --map the map";
    screen.add(0, closing_line(&method(&routed.meta), &routed.meta, others));
    let most = if several { MORE_LINES } else { LINES };
    let map = if looks.map { map(routed, looks) + Block::Gap } else { Document::default() };
    map + screen.fit(if looks.counts { usize::MAX } else { most })
}

pub(super) fn report(parts: Vec<ReportPart>) -> Document {
    let block = |part| match part {
        ReportPart::Paragraph(indent, words) => indented(indent, &words),
        ReportPart::Line(words) => words.into(),
        ReportPart::Table { headings, rows, texts } => {
            let right: Vec<bool> = (0..headings.len()).map(|column| column >= texts).collect();
            aligned(headings, rows, &right)
        }
        ReportPart::Gap => Block::Gap.into(),
    };
    parts.into_iter().map(block).collect()
}

/// Draws a rout as SVG, below a title.
pub fn picture(routed: &Routed, title: &str) -> String {
    svg::draw(&routed.route_map(6), Some(title), Some(svg::WITHIN)).svg
}
