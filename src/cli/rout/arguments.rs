//! A situation on the command line: its file, the units asked for, the rules it is read by.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::fault::Failure;
use super::super::over::OverSituation;
use super::super::typed::quoted;
use super::super::{read_beside, read_text};
use crate::asl::rout::{RoutRules, Situation};
use crate::scenario::{Scenario, SituationError, read};
use crate::text::Fault;

/// A situation, with the rules it is read by.
#[derive(Debug, Args)]
pub struct SituationArguments {
    /// Situation file (TOML)
    pub(super) file: PathBuf,
    /// Only this unit, by its name or hex
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    /// Units in the order in which they rout, by name or hex with commas between [default: as in the file]
    #[arg(long, value_name = "NAMES", conflicts_with = "unit")]
    order: Option<String>,
    #[command(flatten)]
    over: OverSituation,
}

impl SituationArguments {
    /// The file, with the options given here before its own.
    pub fn scenario(&self) -> Result<Scenario, Failure> {
        let place = self.file.display().to_string();
        let text = read_text(&self.file)?;
        self.over.given.fill(&mut RoutRules::default())?;
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let table = |name: &str| beside.join(name).display().to_string();
        let over = |rules: &mut RoutRules| self.over.given.put(rules);
        read(&text, &over, &|name| read_beside(beside, name)).map_err(|error| unreadable(error, &place, &text, table))
    }

    /// The units asked for, in the order in which they rout, by their places in the situation.
    pub fn units(&self, situation: &Situation) -> Result<Vec<usize>, Failure> {
        let all = || (0..situation.routers.len()).collect();
        let found = |option: &str, whole: &str, name: &str| {
            let is_meant = |unit: &usize| {
                let router = &situation.routers[*unit];
                router.name == name || situation.map.site_name(router.at) == name
            };
            let found: Vec<usize> = (0..situation.routers.len()).filter(is_meant).collect();
            if found.is_empty() {
                let start = name.as_ptr() as usize - whole.as_ptr() as usize;
                let fault = Fault::new(format!("no routing unit is called `{name}`"), start..start + name.len());
                let places: Vec<String> = situation.routers.iter().map(|router| situation.map.site_name(router.at)).collect();
                let names = situation.routers.iter().map(|router| router.name.as_str());
                let fault = match places.iter().find(|place| place.eq_ignore_ascii_case(name)) {
                    Some(place) => fault.help(format!("did you mean `{place}`?")),
                    None => fault.expecting(name, names),
                };
                return Err(Failure::argument(option, whole, fault));
            }
            Ok(found)
        };
        match (&self.unit, &self.order) {
            (Some(name), _) => found("--unit", name, name),
            (None, None) => Ok(all()),
            (None, Some(names)) => {
                let mut order = Vec::new();
                for name in names.split(',').map(str::trim) {
                    order.extend(found("--order", names, name)?);
                }
                let mut once = order.clone();
                once.sort_unstable();
                if once != all() as Vec<usize> {
                    let fault = Fault::new("every routing unit must be named once", 0..names.len());
                    let all = situation.routers.iter().map(|router| router.name.as_str()).collect::<Vec<_>>();
                    let fault = fault.help(format!("--order \"{}\"", all.join(", ")));
                    return Err(Failure::argument("--order", names, fault));
                }
                Ok(order)
            }
        }
    }

    /// The options given, as they would be typed to get the same again.
    pub(super) fn words(&self) -> String {
        let mut words = quoted(&self.file.display().to_string());
        for (option, value) in [("unit", &self.unit), ("order", &self.order)] {
            words += &value.as_ref().map_or(String::new(), |value| format!(" --{option} {}", quoted(value)));
        }
        words += &self.over.given.words();
        words
    }
}

/// Why a situation cannot be read from the file at `place`; `table` finds the files it names.
pub fn unreadable(error: SituationError, place: &str, text: &str, table: impl Fn(&str) -> String) -> Failure {
    match error {
        SituationError::Fault(fault) => Failure::argument(place, text, fault),
        SituationError::Table { name, text, fault } => Failure::argument(&table(&name), &text, fault),
        SituationError::Io { name, error } if error.kind() == io::ErrorKind::InvalidData => {
            Failure::argument(&table(&name), "", Fault::new(error.to_string(), 0..0))
        }
        SituationError::Io { name, error } => Failure::io(&table(&name), error),
    }
}
