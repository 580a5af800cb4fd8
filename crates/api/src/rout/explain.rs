//! Explanation of why a hex of a map is a destination of routing units or not.

use serde_json::json;

use super::meta;
use super::report::{ReportPart, RoutFindings};
use answer::{Cell, Column, Sheet};
use asl::board::map::Location;
use asl::rout::{Reason, Rout};
use asl::scenario::Scenario;
use asl::scenario::answer::with_enemies;

/// Explains for some units, given by their indices, why a Location is a destination or not.
pub(crate) fn explain(
    scenario: &Scenario,
    units: &[usize],
    location: Location,
    command: String,
) -> RoutFindings {
    let situation = &scenario.situation;
    let hex = situation.map.location_name(location);
    let (mut rows, mut headline, mut report) = (Vec::new(), Vec::new(), Vec::new());
    for &unit in units {
        let router = &situation.routers[unit];
        let rout = Rout::new(situation, router);
        let is_destination =
            rout.outlook().choice.destinations().any(|cover| cover.location == location);
        headline.push(json!({ "unit": router.name, "is_destination": is_destination }));
        let called = situation.unit_called(unit);
        report.push(ReportPart::Paragraph(0, format!("{called}: {hex}")));
        for Reason { rule, text, enemies } in rout.explain(location) {
            let reason = with_enemies(situation, &text, &enemies);
            report.push(ReportPart::Paragraph(2, format!("{reason} (A{rule})")));
            let texts = [router.name.clone(), hex.clone(), format!("A{rule}"), reason];
            rows.push(texts.map(Cell::Text).to_vec());
        }
    }
    let columns = ["unit", "hex", "rule", "reason"].map(|name| (name, Column::Text)).to_vec();
    let sheet = Sheet::new(columns, rows, meta(scenario, command));
    RoutFindings { sheet, headline: headline.into(), report }
}
