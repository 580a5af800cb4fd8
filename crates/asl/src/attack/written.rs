//! The firers of an attack as the value of a field: a text, or a list of tables in a file.

use super::circumstances::{Hexside, Sight};
use super::firers::{FireGroup, FiringLocation};
use engine::text::Fault;
use schema::field::single_spaced;
use schema::{FieldValue, Json, Node, Raw, RawValue, Takes};

/// The firers of an attack as written, with what single Locations see otherwise than the others.
#[derive(Clone, Debug)]
pub struct Firers {
    pub(super) group: FireGroup,
    /// The text, or a list of tables in a file.
    written: Json,
    sights: Vec<SightFields>,
}

/// What a Location of firers sees otherwise than the others.
#[derive(Clone, Debug, Default)]
struct SightFields {
    range: Option<u8>,
    level: Option<i8>,
    hindrance: Option<u8>,
    hexside: Option<Hexside>,
    smoke_los: Option<u8>,
    smoke_out: Option<u8>,
}

/// The keys of a Location of firers in a file.
const KEYS: [&str; 7] =
    ["stack", "range", "level", "hindrance", "hexside", "smoke-los", "smoke-out"];

impl FieldValue for Firers {
    const TAKES: Takes = Takes::Text("FIRERS");

    fn read(field: &str, value: RawValue) -> Result<Firers, Fault> {
        let text = value.text(field)?;
        let group = FireGroup::parse(text)?;
        let sights = vec![SightFields::default(); group.locations.len()];
        Ok(Firers { group, written: single_spaced(text).into(), sights })
    }

    /// Reads a text, or a list of tables, one for each Location.
    fn read_node(field: &str, node: &Node) -> Result<Firers, Fault> {
        let Raw::List(tables) = &node.raw else {
            let fault = |fault| node.place.blamed(fault);
            return Firers::read(field, node.value().unwrap_or(RawValue::Boolean(true)))
                .map_err(fault);
        };
        let mut group = FireGroup { locations: Vec::new(), notes: Vec::new() };
        let (mut written, mut sights) = (Vec::new(), Vec::new());
        for table in tables {
            let Raw::Table(entries) = &table.raw else {
                return Err(table.place.fault("expected a table with `stack` for each Location"));
            };
            let mut sight = SightFields::default();
            let mut stack = None;
            for (key, value) in entries {
                sight.set(&key.value, value, &mut stack).map_err(|fault| match fault {
                    Ok(fault) => fault,
                    Err(name) => {
                        let fault = key.place.fault(format!("no key is called `{name}`"));
                        fault.expecting(&name, KEYS)
                    }
                })?;
            }
            let own = stack.ok_or_else(|| table.place.fault("`stack` is missing: who fires?"))?;
            let FireGroup { locations, notes } = own;
            sights.extend(locations.iter().map(|_| sight.clone()));
            group.locations.extend(locations);
            group.notes.extend(notes);
            written.push(table.to_json());
        }
        Ok(Firers { group, written: written.into(), sights })
    }

    fn to_json(&self) -> Json {
        self.written.clone()
    }
}

impl SightFields {
    /// Sets a key of a table. The outer error is a fault, or the name of an unknown key.
    fn set(
        &mut self,
        key: &str,
        node: &Node,
        stack: &mut Option<FireGroup>,
    ) -> Result<(), Result<Fault, String>> {
        let value = node.value().unwrap_or(RawValue::Boolean(true));
        let blamed = |fault: Fault| Ok(Fault { span: node.place.span.clone(), ..fault });
        let number = |low, high| value.integer(key, low, high).map_err(blamed);
        match key {
            "stack" => {
                let text = value.text(key).map_err(blamed)?;
                *stack =
                    Some(FireGroup::parse(text).map_err(|fault| Ok(node.place.blamed(fault)))?);
            }
            "range" => self.range = Some(number(0, 40)? as u8),
            "level" => self.level = Some(number(-10, 10)? as i8),
            "hindrance" => self.hindrance = Some(number(0, 9)? as u8),
            "hexside" => self.hexside = Some(Hexside::read(key, value).map_err(blamed)?),
            "smoke-los" => self.smoke_los = Some(number(0, 9)? as u8),
            "smoke-out" => self.smoke_out = Some(number(0, 9)? as u8),
            _ => return Err(Err(key.to_string())),
        }
        Ok(())
    }
}

impl Firers {
    /// Returns the sight of each Location; `shared` has what a Location does not say.
    pub(super) fn sights(&self, shared: Sight) -> Vec<Sight> {
        let of = |(location, own): (&FiringLocation, &SightFields)| Sight {
            range: own.range.or(location.range).unwrap_or(shared.range),
            level: own.level.unwrap_or(shared.level),
            hindrance: own.hindrance.unwrap_or(shared.hindrance),
            hexside: own.hexside.unwrap_or(shared.hexside),
            smoke_los: own.smoke_los.unwrap_or(shared.smoke_los),
            smoke_out: own.smoke_out.unwrap_or(shared.smoke_out),
        };
        self.group.locations.iter().zip(&self.sights).map(of).collect()
    }
}
