//! The arguments of commands on a situation: its file, the units, and the rules.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::fault::Failure;
use super::super::field_args::FieldArgs;
use super::super::file_root::FileRoot;
use super::super::overrides::SituationOverrides;
use super::super::shell_words::quoted;
use super::saved::{SavedArguments, Taken};
use api::read::units;
use asl::rout::{RoutRules, Situation};
use asl::scenario::{Scenario, SituationError, no_dice, read};
use engine::text::Fault;
use schema::common_fields::GIVEN;
use schema::{SourcePosition, Spanned};

/// The arguments of a situation.
#[derive(Debug, Args)]
pub struct SituationArguments {
    /// Situation file (TOML); with --from-vasl a save or log of VASL
    pub file: PathBuf,
    /// Only this unit, given by name, mark on the map (`U1`) or hex
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    /// Units in the order in which they rout, by name, mark or hex, separated by commas [default:
    /// as in the file]
    #[arg(long, value_name = "NAMES", conflicts_with = "unit")]
    order: Option<String>,
    /// Not supported; the error names the alternative
    #[arg(long, hide = true, allow_hyphen_values = true, value_name = "DICE")]
    given: Option<String>,
    #[command(flatten)]
    over: SituationOverrides,
    #[command(flatten)]
    pub(super) saved: SavedArguments,
}

impl SituationArguments {
    /// Reads the situation. Fails if both sides of a save have broken units.
    pub fn scenario(&self, files: &FileRoot) -> Result<Scenario, Failure> {
        let mut all = self.scenarios(files)?;
        if all.len() > 1 { Err(self.two_sides()) } else { Ok(all.remove(0)) }
    }

    /// Reads the situations: two for a save in which both sides have broken units.
    pub fn scenarios(&self, files: &FileRoot) -> Result<Vec<Scenario>, Failure> {
        if let Some(dice) = &self.given {
            return Err(Failure::argument(&format!("--{GIVEN}"), dice, no_dice(0..dice.len())));
        }
        let beside = (files, &*self.saved.folders);
        let one = |Taken { text, notes }: Taken| {
            let mut scenario = scenario(&self.file, &text, &self.over.given, beside)?;
            scenario.notes.extend(notes);
            Ok(scenario)
        };
        self.texts(files)?.into_iter().map(one).collect()
    }

    /// Returns the text of the situation file, or the texts to which a save is converted.
    pub(super) fn texts(&self, files: &FileRoot) -> Result<Vec<Taken>, Failure> {
        match self.saved.taken(files, &self.file)? {
            Some(all) => Ok(all),
            None => Ok(vec![Taken { text: files.text(&self.file)?, notes: Vec::new() }]),
        }
    }

    /// Returns the failure for a command that cannot answer for both sides of a save.
    pub(super) fn two_sides(&self) -> Failure {
        let fault =
            Fault::new("both sides have broken units, but only one can be shown here", 0..0);
        Failure::argument(&self.file.display().to_string(), "", fault.help("`--side german`"))
    }

    /// Returns the indices (0-based) of the requested units, in the order of their rout.
    pub fn units(&self, situation: &Situation) -> Result<Vec<usize>, Failure> {
        let spanned = |text: &String| Spanned {
            value: text.clone(),
            place: SourcePosition::of_argument(text),
        };
        let (unit, order) = (self.unit.as_ref().map(spanned), self.order.as_ref().map(spanned));
        let option = if unit.is_some() { "--unit" } else { "--order" };
        let text = self.unit.as_ref().or(self.order.as_ref()).map_or("", |text| text);
        units(situation, unit.as_ref(), order.as_ref())
            .map_err(|fault| Failure::argument(option, text, fault))
    }

    pub(super) fn words(&self) -> String {
        let mut words = quoted(&self.file.display().to_string());
        for (option, value) in [("unit", &self.unit), ("order", &self.order)] {
            words.extend(value.iter().map(|value| format!(" --{option} {}", quoted(value))));
        }
        words + &self.over.given.words() + &self.saved.words()
    }
}

/// Reads a situation. Options override its rules; its tables are beside it or in `folders`.
pub fn scenario(
    file: &Path,
    text: &str,
    over: &FieldArgs,
    (files, folders): (&FileRoot, &[PathBuf]),
) -> Result<Scenario, Failure> {
    over.fill(&mut RoutRules::default())?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let table = |name: &str| folder.join(name).display().to_string();
    let open = |name: &str| files.text_among(folder, name, folders);
    let read = read(text, &|rules: &mut RoutRules| over.put(rules), &open);
    read.map_err(|error| unreadable(error, &file.display().to_string(), text, table))
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
        SituationError::Io { name, error } if error.kind() == io::ErrorKind::InvalidData => {
            Failure::file(&table(&name), "", Fault::new(error.to_string(), 0..0))
        }
        SituationError::Io { name, error } => Failure::io(&table(&name), error),
    }
}
