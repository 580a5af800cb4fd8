//! `fire` and other questions about Locations of a VASL save, which fills in their fields.

use std::path::Path;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use serde_json::Value;

use super::fault::{Failure, Result};
use super::file_root::FileRoot;
use super::rout::{FROM_VASL, SavedArguments, SavedFileArguments};
use super::seams::CrossedPlaces;
use super::shell_words::repeated;
use super::situation_file::{crossed_text, map_of};
use super::vasl::{failed, read};
use asl::crossing::fields::CrossingFields;
use asl::kinds::StackFields;
use engine::text::Fault;
use play::Form;
use render::sentence;
use saves::{Save, SaveOptions, SavedQuestion, position};
use schema::{Kind, RawValue};

/// The kinds of questions that a save can be asked.
pub const RALLY: &str = "rally";
const FIRE: &str = "fire";
const CC: &str = "cc";
const CROSS: &str = "cross";

/// The Location of a Close Combat.
#[derive(Debug, Args)]
struct CombatPlace {
    /// Location of the Close Combat, as in --at "57H8 level 1"
    #[arg(long, help_heading = FROM_VASL, value_name = "LOCATION", requires = "from_vasl")]
    at: Option<String>,
}

/// The Locations of an attack.
#[derive(Debug, Args)]
struct AttackPlaces {
    /// Location of firers, as in --from "57H9 level 1"; several are one Fire Group
    #[arg(long, help_heading = FROM_VASL, value_name = "LOCATION", requires = "from_vasl")]
    from: Vec<String>,
    /// Location of the target
    #[arg(long, help_heading = FROM_VASL, value_name = "LOCATION", requires = "from_vasl")]
    at: Option<String>,
}

/// The save of VASL that a question is about.
pub enum SaveQuery {
    /// All Locations with broken units.
    Rally(SavedArguments),
    /// The stack of a side that moves.
    Crossing(SavedArguments),
    /// The Locations of the options.
    Places { file: SavedFileArguments, from: Vec<String>, at: Option<String> },
}

/// Returns whether a kind of question can be asked of a save.
pub fn takes_saves(kind: &Kind) -> bool {
    let is_stack = kind.subject.is_some_and(|subject| subject.name == StackFields::stack.name);
    is_stack && [RALLY, FIRE, CC, CROSS].contains(&kind.name)
}

/// Adds the options for a save to the command of a kind of question.
pub fn with_save_options(command: Command, kind: &Kind) -> Command {
    let Some(subject) = kind.subject.filter(|_| takes_saves(kind)) else { return command };
    let about = format!("{}; with --from-vasl a save or log of VASL", sentence(subject.about));
    let command = command.mut_arg(subject.name, |argument| argument.help(about));
    match kind.name {
        RALLY | CROSS => SavedArguments::augment_args(command),
        FIRE => AttackPlaces::augment_args(SavedFileArguments::augment_args(command)),
        CC => CombatPlace::augment_args(SavedFileArguments::augment_args(command)),
        _ => command,
    }
}

impl SaveQuery {
    /// Reads the options; `None` without `--from-vasl`.
    pub fn from_matches(matches: &ArgMatches, kind: &Kind) -> Result<Option<SaveQuery>> {
        // Not `try_contains_id`, which knows unknown names in debug builds only.
        if !matches.ids().any(|id| id == "from_vasl") {
            return Ok(None);
        }
        if [RALLY, CROSS].contains(&kind.name) {
            let saved = SavedArguments::from_arg_matches(matches)?;
            let is_rally = kind.name == RALLY;
            let query = if is_rally { SaveQuery::Rally } else { SaveQuery::Crossing };
            return Ok(saved.are_given().then(|| query(saved)));
        }
        let file = SavedFileArguments::from_arg_matches(matches)?;
        let (from, at) = match kind.name {
            FIRE => {
                let AttackPlaces { from, at } = AttackPlaces::from_arg_matches(matches)?;
                (from, at)
            }
            _ => (Vec::new(), CombatPlace::from_arg_matches(matches)?.at),
        };
        Ok(file.are_given().then_some(SaveQuery::Places { file, from, at }))
    }

    /// Returns the question that the save answers in part; `None` for a rally, which is several.
    pub fn question(
        &self,
        kind: &Kind,
        file: &Path,
        crossed: &CrossedPlaces,
        files: &FileRoot,
    ) -> Result<Option<SavedQuestion>> {
        let (arguments, from, at) = match self {
            SaveQuery::Rally(_) => return Ok(None),
            SaveQuery::Crossing(saved) => return crossing(saved, file, crossed, files).map(Some),
            SaveQuery::Places { file, from, at } => (file, from, at),
        };
        let missing = |option: &'static str| {
            let fault = Fault::new("with `--from-vasl`, expected a Location", 0..0);
            Failure::argument(option, "", fault.help(format!("{option} 57H8")))
        };
        if kind.name == FIRE && from.is_empty() {
            return Err(missing("--from"));
        }
        let at = at.as_ref().ok_or_else(|| missing("--at"))?;
        with_save(file, files, &arguments.options(), |save| {
            let text = api::situation::file(&save.map());
            let text = text.map_err(|fault| Failure::binary(file, fault))?;
            let (scenario, _) = map_of(file, &text, (files, &arguments.folders))?;
            let question = match kind.name {
                FIRE => save.attack(&scenario.situation, from, at),
                _ => save.combat(&scenario.situation, at),
            };
            let mut question = question.map_err(|fault| failed(file, fault))?;
            question.notes.extend(scenario.notes);
            Ok(Some(question))
        })
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        match self {
            SaveQuery::Rally(saved) | SaveQuery::Crossing(saved) => saved.words(),
            SaveQuery::Places { file, from, at } => {
                file.words() + &repeated("from", from) + &repeated("at", at)
            }
        }
    }
}

/// Reads a save, and asks about it.
fn with_save<T>(
    file: &Path,
    files: &FileRoot,
    options: &SaveOptions,
    ask: impl FnOnce(&Save) -> Result<T>,
) -> Result<T> {
    let (_, saved) = read(files, file)?;
    let in_save = |fault| failed(file, fault);
    let position = position(&saved, options.at_step).map_err(in_save)?;
    let of_file = file.file_name().unwrap_or_default().to_string_lossy();
    ask(&Save::new(&position, &of_file, options).map_err(in_save)?)
}

/// Returns the map and the defenders of a stack that moves in a save.
fn crossing(
    arguments: &SavedArguments,
    file: &Path,
    crossed: &CrossedPlaces,
    files: &FileRoot,
) -> Result<SavedQuestion> {
    with_save(file, files, &arguments.options(), |save| {
        let in_save = |fault| failed(file, fault);
        let crossing = save.crossing().map_err(in_save)?;
        let text = api::situation::file(&crossing.request);
        let text = text.map_err(|fault| Failure::binary(file, fault))?;
        let folders = &*arguments.file.folders;
        let scenario = map_of(file, &text, (files, folders))?;
        let question = save.crossing_fields(&scenario.0.situation, crossing);
        let mut question = question.map_err(in_save)?;
        let map = crossed_text(file, &text, scenario, crossed, (files, folders))?;
        question.fields.push((CrossingFields::map.name, Value::String(map)));
        Ok(question)
    })
}

/// Fills in the fields that a save tells.
pub fn fill(form: &mut dyn Form, fields: &[(&'static str, Value)]) -> Result<(), Fault> {
    fields.iter().try_for_each(|(name, value)| match value {
        Value::String(text) => form.set(name, RawValue::Text(text)),
        Value::Bool(is_so) => form.set(name, RawValue::Boolean(*is_so)),
        value => form.set(name, RawValue::Integer(value.as_i64().unwrap_or_default())),
    })
}

/// Returns the failure for a value that a save has given.
pub fn in_save(file: &Path, fault: Fault) -> Failure {
    Failure::binary(file, Fault { span: 0..0, ..fault })
}
