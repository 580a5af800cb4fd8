//! Situations that are built in code. They are read like the JSON of a request.

use std::io;

use serde_json::{Map, json};

use super::{SituationError, as_written, of_entries};
use crate::course::rout::{Prospect, prospect};
use crate::rout::Situation;
use crate::rout::fields::{MapTable, RoutTable};
use crate::tables::SituationTables;
use engine::EngineError;
use engine::monitor::Monitor;
use engine::text::Fault;
use schema::field::Builder;
use schema::{Field, FieldFault, Json, Node, Raw, RawValue, from_json};

/// A situation that is filled in. [`RoutSetters`](crate::rout::RoutSetters) set its rules.
#[derive(Clone, Debug, Default)]
pub struct SituationBuilder {
    entries: Map<String, Json>,
    /// The table of the last unit, whose further fields [`SituationBuilder::with`] sets.
    last: &'static str,
}

impl Situation {
    /// Starts a situation without map and units.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_asl::rout::{RoutSetters as _, Situation};
    ///
    /// let situation = Situation::builder()
    ///     .map("   P  Q  R  S\n3  .  .  w  .\n4  g  .  .  b")
    ///     .unit("german:4-6-7/broken,dm", "R4")
    ///     .enemy("american:6-6-6", "P3")
    ///     .elr(4);
    /// let best = &situation.clone().build().unwrap().rout().unwrap()[0].courses[0];
    /// assert!(best.summary().survives > 0.9);
    ///
    /// let fault = situation.enemy("american:6-6-6", "A1").build().err().unwrap();
    /// assert_eq!(fault.field, "enemy.2.at");
    /// ```
    pub fn builder() -> SituationBuilder {
        SituationBuilder::default()
    }

    /// Returns each routing unit's duty and plans with odds, best first. Other units stay put.
    ///
    /// # Errors
    ///
    /// Fails if a rout has too many states.
    pub fn rout(&self) -> Result<Vec<Prospect>, EngineError> {
        self.routers.iter().map(|router| prospect(self, router, Monitor::NONE)).collect()
    }
}

impl SituationBuilder {
    /// Sets the map: a line of column names, then rows of letters that begin with the row number.
    pub fn map(self, rows: &str) -> SituationBuilder {
        self.on_map(MapTable::rows, json!(rows))
    }

    /// Sets the map to a rectangle of hexes, such as `A1-H8`, with one terrain.
    pub fn area(self, hexes: &str, terrain: &str) -> SituationBuilder {
        self.on_map(MapTable::area, json!(hexes)).on_map(MapTable::terrain, json!(terrain))
    }

    /// Sets the terrain of further hexes, or hexes with a feature: a table or a list of the map.
    pub fn on_map(mut self, field: Field, value: Json) -> SituationBuilder {
        let map = self.entries.entry(SituationTables::map.name).or_insert(json!({}));
        map[field.name] = value;
        self
    }

    /// Adds a routing unit: its counter as in a stack, and its hex or Location.
    pub fn unit(self, unit: &str, at: &str) -> SituationBuilder {
        self.add(SituationTables::routs, unit, at)
    }

    /// Adds a unit of the routing side that does not rout.
    pub fn friend(self, unit: &str, at: &str) -> SituationBuilder {
        self.add(SituationTables::friends, unit, at)
    }

    /// Adds an enemy of the routing units.
    pub fn enemy(self, unit: &str, at: &str) -> SituationBuilder {
        self.add(SituationTables::enemies, unit, at)
    }

    fn add(mut self, table: Field, unit: &str, at: &str) -> SituationBuilder {
        let unit = json!({ RoutTable::unit.name: unit, RoutTable::at.name: at });
        if let Json::Array(units) = self.entries.entry(table.name).or_insert(json!([])) {
            units.push(unit);
        }
        SituationBuilder { last: table.name, ..self }
    }

    /// Sets a further field of the unit that was added last, such as `concealed`.
    pub fn with(mut self, field: Field, value: impl Into<Json>) -> SituationBuilder {
        let units = self.entries.get_mut(self.last).and_then(Json::as_array_mut);
        if let Some(unit) = units.and_then(|units| units.last_mut()) {
            unit[field.name] = value.into();
        }
        self
    }

    /// Reads the situation.
    ///
    /// # Errors
    ///
    /// Fails with the name of the first field that is not valid, such as `rout.1.at`.
    pub fn build(self) -> Result<Situation, FieldFault> {
        let text = Json::Object(self.entries).to_string();
        let node = from_json::node(&text, "a situation").map_err(FieldFault::in_field(WHOLE))?;
        let entries = node.entries("a situation").map_err(FieldFault::in_field(WHOLE))?;
        let no_files = |_: &str| Err(io::Error::from(io::ErrorKind::Unsupported));
        let scenario = of_entries(entries, &as_written, &no_files, &[]).map_err(|error| {
            let fault = match error {
                SituationError::Fault(fault) => fault,
                SituationError::Table { fault, .. } => *fault,
                SituationError::Io { error, .. } => Fault::new(error.to_string(), 0..0),
            };
            let field = field_at(&node, fault.span.start);
            FieldFault { field, fault: fault.with_span(0..0) }
        })?;
        Ok(scenario.situation)
    }
}

impl Builder for SituationBuilder {
    fn put(mut self, field: &str, value: RawValue) -> SituationBuilder {
        let value = match value {
            RawValue::Text(text) => json!(text),
            RawValue::Integer(number) => json!(number),
            RawValue::Boolean(value) => json!(value),
        };
        self.entries.insert(field.to_string(), value);
        self
    }
}

const WHOLE: &str = "situation";

/// Returns the name of the field at a position in the text, such as `rout.1.at`.
fn field_at(node: &Node, position: usize) -> String {
    let parts: Vec<(String, usize, &Node)> = match &node.raw {
        Raw::Table(entries) => {
            let named = entries.iter();
            named.map(|(key, node)| (key.value.clone(), key.place.span.start, node)).collect()
        }
        Raw::List(list) => {
            let numbered = list.iter().zip(1..);
            numbered.map(|(node, n)| (format!("{n}"), node.place.span.start, node)).collect()
        }
        _ => Vec::new(),
    };
    match parts.into_iter().rev().find(|(_, start, _)| *start <= position) {
        None => WHOLE.to_string(),
        Some((name, _, node)) => match field_at(node, position) {
            within if within == WHOLE => name,
            within => format!("{name}.{within}"),
        },
    }
}
