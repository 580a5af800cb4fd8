//! Comparison of a board's computed lines of sight with a table of clear ones.

use super::request::Checking;
use answer::{Cell, Column, Meta, Sheet};
use asl::board::agreement::{Agreement, AgreementCounts, along_edge};
use asl::board::geometry::Geometry;

/// The result of comparing computed lines of sight with a table.
pub struct Checked {
    pub agreement: Agreement,
    pub meta: Meta,
}

/// Largest range, in hexes, that the row for near pairs covers; most fire is within that range.
const NEAR: u16 = 16;

pub(super) fn check(Checking { map, lines, edges }: Checking, command: String) -> Checked {
    let agreement = Agreement::compare(&map, &lines, &Geometry, |a, b| !edges && along_edge(a, b));
    let question = format!(
        "lines of sight between {} hexes against a table of {} clear ones",
        map.hexes().count(),
        lines.len()
    );
    let meta = Meta {
        version: env!("CARGO_PKG_VERSION"),
        command,
        question,
        engine: "exact",
        ..Meta::default()
    };
    Checked { agreement, meta }
}

impl Checked {
    /// Returns a table of the agreement for all pairs of hexes, for near pairs, and for each range.
    pub fn sheet(&self) -> Sheet {
        let row = |range: String, counts: &AgreementCounts| {
            let shares = [
                counts.agreement(),
                counts.recall(),
                counts.precision(),
                counts.hindrance_agreement(),
            ];
            let numbers = [counts.pairs(), counts.clear].map(|number| Cell::Integer(number.into()));
            let shares = shares.map(|share| share.map_or(Cell::Null, Cell::Float));
            [&[Cell::Text(range)], &numbers[..], &shares].concat()
        };
        let by_range =
            self.agreement.by_range.iter().enumerate().filter(|(_, counts)| counts.pairs() > 0);
        let mut rows = vec![
            row("all".to_string(), &self.agreement.total()),
            row(format!("1 to {NEAR}"), &self.agreement.within(NEAR)),
        ];
        rows.extend(by_range.map(|(range, counts)| row(range.to_string(), counts)));
        let columns = vec![
            ("range", Column::Text),
            ("pairs", Column::Integer),
            ("clear", Column::Integer),
            ("agreement", Column::Float),
            ("recall", Column::Float),
            ("precision", Column::Float),
            ("same_hindrances", Column::Float),
        ];
        Sheet::new(columns, rows, self.meta.clone())
    }
}
