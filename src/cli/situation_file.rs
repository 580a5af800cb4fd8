//! Situation files: reading the map of one, and the failure of one that cannot be read.

use std::path::{Path, PathBuf};

use super::fault::{Failure, Result};
use super::file_root::{self, FileRoot};
use super::seams::{CrossedPlaces, join_boards, set_lines};
use asl::crossing::map::CrossingMap;
use asl::scenario::{Scenario, SituationError, as_written, inline, read_unfinished};
use schema::{FieldValue as _, from_toml};

/// Reads a situation without units that rout. Its tables are beside `file` or in `folders`. Returns
/// it with whether its lines of sight go over the seams of boards.
pub fn map_of(
    file: &Path,
    text: &str,
    (files, folders): (&FileRoot, &[PathBuf]),
) -> Result<(Scenario, bool)> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let open = |name: &str| files.text_among(folder, name, folders);
    let read = || read_unfinished(&from_toml::file(text)?, &as_written, &open, &[]);
    let table = |name: &str| folder.join(name).display().to_string();
    let failed = |error| unreadable(error, &file.display().to_string(), text, table);
    let mut scenario = read().map_err(failed)?;
    let is_joined = join_boards(&mut scenario, folder, (files, folders));
    Ok((scenario, is_joined))
}

/// Returns a situation on a map as JSON with the text of its tables. `text` is its file.
pub fn crossed_text(
    file: &Path,
    text: &str,
    (mut scenario, is_joined): (Scenario, bool),
    crossed: &CrossedPlaces,
    (files, folders): (&FileRoot, &[PathBuf]),
) -> Result<String> {
    if is_joined {
        set_lines(&mut scenario, crossed);
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let open = |name: &str| inline(name, &|name| files.text_among(folder, name, folders));
    let table = |name: &str| folder.join(name).display().to_string();
    let map = CrossingMap::new(scenario, &open);
    let map = map.map_err(|error| unreadable(error, &file.display().to_string(), text, table))?;
    Ok(map.to_json().to_string())
}

/// Reads the situation that a stack crosses, and returns it as JSON with the text of its tables. A
/// text that is a situation itself stays as it is.
pub fn crossed_map(name: &str, crossed: &CrossedPlaces, files: &FileRoot) -> Result<String> {
    if name.trim_start().starts_with('{') {
        return Ok(name.to_string());
    }
    let file = Path::new(name);
    let text = files.text_like(file, "situation")?;
    let scenario = map_of(file, &text, (files, &[]))?;
    crossed_text(file, &text, scenario, crossed, (files, &[]))
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
