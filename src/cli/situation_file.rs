//! Situation files: reading the map of one, and the failure of one that cannot be read.

use std::path::{Path, PathBuf};

use super::fault::{Failure, Result};
use super::file_root::{self, FileRoot};
use asl::scenario::{Scenario, SituationError, as_written, read_unfinished};
use schema::from_toml;

/// Reads a situation without units that rout. Its tables are beside `file` or in `folders`.
pub fn map_of(
    file: &Path,
    text: &str,
    (files, folders): (&FileRoot, &[PathBuf]),
) -> Result<Scenario> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let open = |name: &str| files.text_among(folder, name, folders);
    let read = || read_unfinished(&from_toml::file(text)?, &as_written, &open, &[]);
    let table = |name: &str| folder.join(name).display().to_string();
    read().map_err(|error| unreadable(error, &file.display().to_string(), text, table))
}

/// Converts the error of a situation file; `table` returns the path of a table that it names.
pub fn unreadable(
    error: SituationError,
    place: &str,
    text: &str,
    table: impl Fn(&str) -> String,
) -> Failure {
    match error {
        SituationError::Fault(fault) => Failure::file(place, text, fault),
        SituationError::Table { name, text, fault } => Failure::file(&table(&name), &text, *fault),
        SituationError::Io { name, error } => {
            file_root::unreadable(Path::new(&table(&name)), error)
        }
    }
}
