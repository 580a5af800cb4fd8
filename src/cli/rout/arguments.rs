//! A situation on the command line: its file, the units asked for, the rules it is read by.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::fault::Failure;
use super::super::over::OverSituation;
use super::super::typed::quoted;
use super::super::{read_beside, read_text};
use asl::rout::{RoutRules, Situation};
use asl::scenario::{Scenario, SituationError, no_dice, read};
use door::read::units;
use engine::text::Fault;
use system::draft::GIVEN;
use system::node::{Place, Spanned};

/// A situation, with the rules it is read by.
#[derive(Debug, Args)]
pub struct SituationArguments {
    /// Situation file (TOML)
    pub(super) file: PathBuf,
    /// Only this unit, by its name, its mark on the map (`U1`) or its hex
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    /// Units in the order in which they rout, by name, mark or hex with commas between [default: as in
    /// the file]
    #[arg(long, value_name = "NAMES", conflicts_with = "unit")]
    order: Option<String>,
    /// Refused, with what to do in its place.
    #[arg(long, hide = true, allow_hyphen_values = true, value_name = "DICE")]
    given: Option<String>,
    #[command(flatten)]
    over: OverSituation,
}

impl SituationArguments {
    /// The file, with the options given here before its own.
    pub fn scenario(&self) -> Result<Scenario, Failure> {
        if let Some(dice) = &self.given {
            return Err(Failure::argument(&format!("--{GIVEN}"), dice, no_dice(0..dice.len())));
        }
        let place = self.file.display().to_string();
        let text = read_text(&self.file)?;
        self.over.given.fill(&mut RoutRules::default())?;
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let table = |name: &str| beside.join(name).display().to_string();
        let over = |rules: &mut RoutRules| self.over.given.put(rules);
        read(&text, &over, &|name| read_beside(beside, name))
            .map_err(|error| unreadable(error, &place, &text, table))
    }

    /// The units asked for, in the order in which they rout, by their places in the situation.
    pub fn units(&self, situation: &Situation) -> Result<Vec<usize>, Failure> {
        let spanned =
            |text: &String| Spanned { value: text.clone(), place: Place::of_argument(text) };
        let (unit, order) = (self.unit.as_ref().map(spanned), self.order.as_ref().map(spanned));
        units(situation, unit.as_ref(), order.as_ref()).map_err(|fault| {
            match (&self.unit, &self.order) {
                (Some(name), _) => Failure::argument("--unit", name, fault),
                (None, names) => {
                    Failure::argument("--order", names.as_deref().unwrap_or_default(), fault)
                }
            }
        })
    }

    /// The options given, as they would be typed to get the same again.
    pub(super) fn words(&self) -> String {
        let mut words = quoted(&self.file.display().to_string());
        for (option, value) in [("unit", &self.unit), ("order", &self.order)] {
            words += &value
                .as_ref()
                .map_or(String::new(), |value| format!(" --{option} {}", quoted(value)));
        }
        words += &self.over.given.words();
        words
    }
}

/// Why a situation cannot be read from the file at `place`; `table` finds the files it names.
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
