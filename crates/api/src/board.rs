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
    let (hexes, clear) = (map.hexes().count(), lines.len());
    let question =
        format!("lines of sight between {hexes} hexes against a table of {clear} clear ones");
    Checked { agreement, meta: Meta { engine: "exact", ..Meta::new(command, question) } }
}

impl Checked {
    /// Returns a table of the agreement for all pairs of hexes, for near pairs, and for each range.
    pub fn sheet(&self) -> Sheet {
        let row = |range: String, counts: &AgreementCounts| {
            let (agreement, hindrances) = (counts.agreement(), counts.hindrance_agreement());
            let shares = [agreement, counts.recall(), counts.precision(), hindrances];
            let numbers = [counts.pairs(), counts.clear].map(|number| Cell::Integer(number.into()));
            let shares = shares.map(|share| share.map_or(Cell::Null, Cell::Float));
            [&[Cell::Text(range)], &numbers[..], &shares].concat()
        };
        let by_range = self.agreement.by_range.iter().enumerate();
        let by_range = by_range.filter(|(_, counts)| counts.pairs() > 0);
        let mut rows = vec![
            row("all".to_string(), &self.agreement.total()),
            row(format!("1 to {NEAR}"), &self.agreement.within(NEAR)),
        ];
        rows.extend(by_range.map(|(range, counts)| row(range.to_string(), counts)));
        let numbers = ["pairs", "clear"].map(|name| (name, Column::Integer));
        let shares = ["agreement", "recall", "precision", "same_hindrances"];
        let shares = shares.map(|name| (name, Column::Float));
        let columns = [&[("range", Column::Text)], &numbers[..], &shares].concat();
        Sheet::new(columns, rows, self.meta.clone())
    }
}
