//! Options that read a VASL save or log in place of a situation file.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::fault::{Failure, Result};
use super::super::file_root::FileRoot;
use super::super::shell_words::{quoted, repeated};
use super::super::vasl::{failed, read};
use engine::text::plain;
use saves::{SaveOptions, SavedSituation, nation, situations};

/// The heading of the options below; options that follow do not stand under it.
pub const FROM_VASL: &str = "From VASL (experimental)";

/// Options for reading a save.
#[derive(Debug, Args)]
pub struct SavedFileArguments {
    /// The file is a VASL save or log
    #[arg(long, help_heading = FROM_VASL)]
    from_vasl: bool,
    /// Your nation; its concealed and hidden pieces are included
    #[arg(long, help_heading = FROM_VASL, value_name = "NATION", requires = "from_vasl",
        value_parser = nation)]
    mine: Option<&'static str>,
    /// Stop after this many steps of a log
    #[arg(long, help_heading = FROM_VASL, value_name = "N", requires = "from_vasl")]
    at_step: Option<usize>,
    /// Replacement for a counter that the catalogue lacks:
    /// "japanese:4-4-7=british:4-4-7/broken-morale=8"
    #[arg(long, help_heading = FROM_VASL, value_name = "COUNTER=UNIT", requires = "from_vasl")]
    set_unit: Vec<String>,
    /// Answer even if what is not understood affects the answer: all of it, or one thing, as in
    /// --anyway=overlay:57H9, ssr:NoGrain, piece:yK5
    #[arg(long, help_heading = FROM_VASL, value_name = "WHAT", requires = "from_vasl",
        num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    anyway: Vec<String>,
    /// Folder of boards [default: from LOWCRAWL_VASL_BOARDS, then from VASSAL's preferences]
    #[arg(long = "boards", help_heading = FROM_VASL, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
}

/// Options for reading a save for one side or both.
#[derive(Debug, Args)]
pub struct SavedArguments {
    #[command(flatten)]
    pub file: SavedFileArguments,
    /// Nations of the side that is meant, separated by commas [default: both sides, first the side
    /// to move]
    #[arg(long, help_heading = FROM_VASL, value_name = "NATIONS", requires = "from_vasl")]
    side: Option<String>,
}

/// The text of a situation file, and the save that it is made from, if it is.
pub struct Taken {
    pub text: String,
    pub saved: Option<SavedSituation>,
}

impl Taken {
    /// Returns the text with the notes as comments before it.
    pub fn with_notes(&self) -> String {
        let notes = self.saved.iter().flat_map(|saved| &saved.notes);
        notes.map(|note| format!("# {}\n", plain(note))).collect::<String>() + &self.text
    }
}

/// Returns whether a file has the extension of a save or log of VASL.
pub fn is_save(file: &Path) -> bool {
    file.extension()
        .is_some_and(|end| ["vsav", "vlog"].iter().any(|of| end.eq_ignore_ascii_case(of)))
}

/// Returns the failure for a save that stands in place of a situation file.
pub fn without_option(file: &Path, command: &str) -> Failure {
    let name = file.display().to_string();
    let failure = Failure::refused("FILE", &name, "this is a save of VASL");
    failure.help(format!("add `--from-vasl`: `lowcrawl {command} {} --from-vasl`", quoted(&name)))
}

impl SavedFileArguments {
    /// Returns whether the file is a save.
    pub fn are_given(&self) -> bool {
        self.from_vasl
    }

    /// Returns the options in the form of the reader, for both sides.
    pub fn options(&self) -> SaveOptions {
        SaveOptions {
            side: None,
            mine: self.mine,
            at_step: self.at_step,
            set_unit: self.set_unit.clone(),
            anyway: self.anyway.clone(),
        }
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        let flag = |is_given: bool, words: &'static str| if is_given { words } else { "" };
        let anyway = self.anyway.iter().map(|what| match what.as_str() {
            "all" => " --anyway".to_string(),
            what => format!(" --anyway={}", quoted(what)),
        });
        flag(self.from_vasl, " --from-vasl").to_string()
            + &repeated("mine", self.mine)
            + &repeated("at-step", self.at_step)
            + &repeated("set-unit", &self.set_unit)
            + &anyway.collect::<String>()
            + &repeated("boards", self.folders.iter().map(|folder| folder.display()))
    }
}

impl SavedArguments {
    /// Returns whether the file is a save.
    pub fn are_given(&self) -> bool {
        self.file.are_given()
    }

    /// Returns the options in the form of the reader.
    pub fn options(&self) -> SaveOptions {
        SaveOptions { side: self.side.clone(), ..self.file.options() }
    }

    /// Returns the situations of a save, in the order of play; `None` without `--from-vasl`.
    pub fn taken(&self, files: &FileRoot, file: &Path) -> Result<Option<Vec<Taken>>> {
        if !self.are_given() {
            return Ok(None);
        }
        let (_, saved) = read(files, file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let taken =
            situations(&saved, &name, &self.options()).map_err(|fault| failed(file, fault))?;
        let text = |saved: SavedSituation| {
            let text = api::situation::file(&saved.request);
            let text = text.map_err(|fault| Failure::binary(file, fault))?;
            Ok(Taken { text, saved: Some(saved) })
        };
        taken.into_iter().map(text).collect::<Result<_>>().map(Some)
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        self.file.words() + &repeated("side", &self.side)
    }
}
