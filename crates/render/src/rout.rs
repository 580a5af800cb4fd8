//! Rendering of the answers about a Rout Phase on a map.

use super::document::{Block, Document, aligned, indented, paragraphs};
use super::{Looks, units};
use api::rout::Routed;
use api::rout::report::ReportPart;
use charts::{svg, terminal};

pub(super) fn render(routed: &Routed, looks: &Looks) -> Document {
    let mut text = Document::default();
    if let Some(about) = routed.about() {
        text += paragraphs(about) + Block::Gap;
    }
    if looks.map {
        let map = terminal::draw(&routed.route_map(2), looks.colours);
        text += Document::from(Block::Drawn(map)) + Block::Gap;
    }
    if routed.counts.is_none() || !looks.counts {
        text += report(routed.unit_report(looks.most, looks.digits.0));
    }
    if let Some(counts) = &routed.counts {
        text += units::counted(counts, looks.digits) + Block::Gap;
    }
    text + report(routed.further_report(looks.most))
}

pub(super) fn report(parts: Vec<ReportPart>) -> Document {
    let block = |part| match part {
        ReportPart::Paragraph(indent, words) => indented(indent, &words),
        ReportPart::Line(words) => words.into(),
        ReportPart::Table { headings, rows, texts } => {
            let right: Vec<bool> = (0..headings.len()).map(|column| column >= texts).collect();
            aligned(headings, rows, &right).fitted()
        }
        ReportPart::Gap => Block::Gap.into(),
    };
    parts.into_iter().map(block).collect()
}

/// Draws a rout as SVG, below a title.
pub fn picture(routed: &Routed, title: &str) -> String {
    svg::draw(&routed.route_map(6), Some(title), Some(svg::WITHIN)).svg
}
