//! Explanation of why a hex of a map is a destination of routing units or not.

use super::meta;
use answer::{Cell, Column, Meta, Sheet};
use asl::board::map::Location;
use asl::rout::{Reason, Rout};
use asl::scenario::Scenario;
use asl::scenario::answer::with_enemies;

/// Explanation of why a Location is a destination of some units or not.
pub struct Explained {
    pub scenario: Scenario,
    pub location: Location,
    pub units: Vec<UnitExplanation>,
    pub meta: Meta,
}

/// The explanation for one unit.
pub struct UnitExplanation {
    /// 0-based index of the unit in the situation.
    pub unit: usize,
    pub is_destination: bool,
    /// Rule numbers without `A`, each with what the rule implies for the Location.
    pub reasons: Vec<(&'static str, String)>,
}

pub(crate) fn explain(
    scenario: Scenario,
    units: &[usize],
    location: Location,
    command: String,
) -> Explained {
    let situation = &scenario.situation;
    let explanation = |&unit: &usize| {
        let rout = Rout::new(situation, &situation.routers[unit]);
        let is_destination =
            rout.outlook().choice.destinations().any(|cover| cover.location == location);
        let reason =
            |Reason { rule, text, enemies }| (rule, with_enemies(situation, &text, &enemies));
        let reasons = rout.explain(location).into_iter().map(reason).collect();
        UnitExplanation { unit, is_destination, reasons }
    };
    let units = units.iter().map(explanation).collect();
    let meta = meta(&scenario, command);
    Explained { scenario, location, units, meta }
}

impl Explained {
    /// Returns the name of a unit.
    pub fn name(&self, unit: &UnitExplanation) -> &str {
        &self.scenario.situation.routers[unit.unit].name
    }

    /// Returns the name of the Location.
    pub fn hex(&self) -> String {
        self.scenario.situation.map.location_name(self.location)
    }

    pub(crate) fn sheet(&self) -> Sheet {
        let row = |unit: &UnitExplanation, (rule, text): &(&str, String)| {
            [self.name(unit).to_string(), self.hex(), format!("A{rule}"), text.clone()]
                .map(Cell::Text)
                .to_vec()
        };
        let rows = self
            .units
            .iter()
            .flat_map(|unit| unit.reasons.iter().map(move |reason| row(unit, reason)));
        let columns = ["unit", "hex", "rule", "reason"].map(|name| (name, Column::Text)).to_vec();
        Sheet::new(columns, rows.collect(), self.meta.clone())
    }
}
