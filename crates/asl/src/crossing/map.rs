//! The situation on whose map a stack crosses: its text, tables of a file or of a request.

use std::fmt;
use std::sync::Arc;

use crate::draft::Switches;
use crate::kinds::StackFields;
use crate::rout::Situation;
use crate::rulebook::Profile;
use crate::scenario::canonical::canonical_form;
use crate::scenario::{Scenario, SituationError, as_written, inline, no_files, read_unfinished};
use engine::text::Fault;
use schema::{Entry, FieldValue, Json, RawValue, Takes, from_json, from_toml};

/// A situation on a map.
#[derive(Clone)]
pub struct CrossingMap {
    scenario: Arc<Scenario>,
    /// The canonical form, with the text of all tables.
    json: Arc<Json>,
}

impl fmt::Debug for CrossingMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.json)
    }
}

const TITLE: &str = "a situation";

impl FieldValue for CrossingMap {
    const TAKES: Takes = Takes::Tables("FILE");

    fn read(field: &str, value: RawValue) -> Result<CrossingMap, Fault> {
        let text = match value {
            // A situation may be as long as a file.
            RawValue::Text(text) => text,
            _ => value.text(field)?,
        };
        let entries: Vec<Entry> = match text.trim_start().starts_with('{') {
            true => from_json::node(text, TITLE)?.entries(TITLE)?.to_vec(),
            false if text.contains('\n') => from_toml::file(text)?,
            false => {
                let message = format!("`{field}` must be a situation, not the name of one");
                let help = "write its tables here, or name its file on the command line";
                return Err(Fault::new(message, 0..text.len()).help(help));
            }
        };
        CrossingMap::from_entries(&entries).map_err(SituationError::in_one)
    }

    fn to_json(&self) -> Json {
        (*self.json).clone()
    }
}

impl CrossingMap {
    fn from_entries(entries: &[Entry]) -> Result<CrossingMap, SituationError> {
        let open = |name: &str| inline(name, &no_files);
        let scenario = read_unfinished(entries, &as_written, &open, &[])?;
        CrossingMap::new(scenario, &open)
    }

    /// Builds the value from a situation that has been read; `open` returns its tables.
    ///
    /// # Errors
    ///
    /// Fails if a table cannot be opened.
    pub fn new(
        scenario: Scenario,
        open: crate::scenario::Open,
    ) -> Result<CrossingMap, SituationError> {
        let json = Arc::new(Json::Object(canonical_form(&scenario, open)?));
        Ok(CrossingMap { scenario: Arc::new(scenario), json })
    }

    /// Returns the situation.
    pub fn situation(&self) -> &Situation {
        &self.scenario.situation
    }

    /// Returns what was assumed in reading it.
    pub(super) fn notes(&self) -> &[String] {
        &self.scenario.notes
    }

    /// Returns the fields of a question with the rules of the situation where they have their
    /// defaults.
    pub(super) fn under(&self, head: &StackFields) -> StackFields {
        let rules = &self.scenario.rules.fields;
        let is_open = |field: schema::Field, value: &str| field.default == Some(value);
        let elr = head.elr.u8().to_string();
        let has_open_elr = is_open(StackFields::elr, &elr);
        let has_open_profile = head.profile == Profile::default();
        StackFields {
            elr: if has_open_elr { rules.elr } else { head.elr },
            profile: if has_open_profile { rules.profile } else { head.profile },
            heat_of_battle: head.heat_of_battle && rules.heat_of_battle,
            no_quarter: head.no_quarter || rules.no_quarter,
            ..head.clone()
        }
    }

    /// Returns the interpretations of a question, and those of the situation that they leave open.
    pub(super) fn switches_under(&self, switches: &Switches) -> Switches {
        switches.over(&self.scenario.rules.switches)
    }
}
