//! A situation on the command line: its file, the units asked for, the rules it is read by.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::ask::rout_options;
use super::super::fault::Failure;
use super::super::run::number;
use super::super::typed::quoted;
use super::super::{read_beside, read_text};
use crate::asl::rout::Situation;
use crate::study::situation::{Options, Scenario, SituationError, read};
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
    /// Edition of the rules: asl-v3, asl-v2, aslsk; without it that of the file
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Set a point of interpretation, such as i11=alternative; see `lowcrawl rules`
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    /// No Heat of Battle (A15.1)
    #[arg(long)]
    no_hob: bool,
    /// No Quarter is in force: nobody surrenders (A20.3)
    #[arg(long)]
    no_quarter: bool,
    /// The enemy reveals concealed units wherever that is worst for a routing unit (A10.533)
    #[arg(long)]
    enemy_reveals: bool,
    /// ELR of the routing side (A19.1)
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    elr: Option<String>,
}

impl SituationArguments {
    /// The file, with the options given here before its own.
    pub fn scenario(&self) -> Result<Scenario, Failure> {
        let place = self.file.display().to_string();
        let text = read_text(&self.file)?;
        let options = self.options()?;
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let table = |name: &str| beside.join(name).display().to_string();
        read(&text, &options, &|name| read_beside(beside, name)).map_err(|error| unreadable(error, &place, &text, table))
    }

    fn options(&self) -> Result<Options, Failure> {
        let (profile, switches) = rout_options(self.profile.as_deref(), &self.set)?;
        let elr = self.elr.as_deref().map(|text| number("--elr", text, 0, 6)).transpose()?.map(|elr| elr as u8);
        let (no_quarter, enemy_reveals) = (self.no_quarter, self.enemy_reveals);
        Ok(Options { profile, switches, heat_of_battle: self.no_hob.then_some(false), elr, no_quarter, enemy_reveals })
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
        let named = [("profile", &self.profile), ("unit", &self.unit), ("order", &self.order), ("elr", &self.elr)];
        for (option, value) in named.into_iter().filter_map(|(option, value)| Some((option, value.as_ref()?))) {
            words += &format!(" --{option} {}", quoted(value));
        }
        for set in &self.set {
            words += &format!(" --set {set}");
        }
        for (flag, given) in [("no-hob", self.no_hob), ("no-quarter", self.no_quarter), ("enemy-reveals", self.enemy_reveals)] {
            words += &if given { format!(" --{flag}") } else { String::new() };
        }
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
