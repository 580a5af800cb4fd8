//! The `new` command: writes template files, and the studies that are shipped inside the program.

use std::path::{Path, PathBuf};

use clap::Args;
use include_dir::{Dir, DirEntry, include_dir};

use super::fault::{Failure, Result};
use super::shell_words::quoted;
use super::writer::{print, write_file};
use crate::study::disk::FileError;
use engine::text::{Fault, canonical, plain};
use play::{Game, SequenceTable};
use render::layout::{paragraph, wrapped};
use schema::QuestionTable;
use schema::field::single_spaced;
use schema::from_toml;

/// Arguments of `new`.
#[derive(Debug, Args)]
pub struct New {
    /// Template or shipped study, named as in `--list`; `studies` is a folder with all shipped
    /// studies
    #[arg(required_unless_present = "list")]
    kind: Option<String>,
    /// List all templates and shipped studies
    #[arg(long, conflicts_with_all = ["kind", "out"])]
    list: bool,
    /// Write to this file, which must not exist yet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new --list",
    "lowcrawl new rally --out rally.toml",
    "lowcrawl new studies/leader-loss.toml > leader-loss.toml",
];

type File = (&'static str, &'static str);

macro_rules! starters {
    ($($name:literal,)+) => { &[$(($name, include_str!(concat!($name, ".toml")))),+] };
}

/// Template files. The first line of each file is the command that reads it.
const STARTERS: &[File] = starters![
    "attack",
    "fire",
    "check",
    "rally",
    "interdict",
    "sequence",
    "compare",
    "campaign",
    "situation",
    "platoon",
    "firefight",
    "cross",
    "cc",
    "study",
    "cases",
    "fortitude",
    "fortitude-sequence",
    "reaction",
    "reaction-sequence",
];

const STUDIES: &str = "studies";

static SHIPPED: Dir = include_dir!("$CARGO_MANIFEST_DIR/studies");

/// Returns the shipped files by their paths from the root of the repository, in order.
fn shipped() -> Vec<(String, &'static str)> {
    let mut files = Vec::new();
    let mut open: Vec<&DirEntry> = SHIPPED.entries().iter().rev().collect();
    while let Some(entry) = open.pop() {
        match entry {
            DirEntry::Dir(folder) => open.extend(folder.entries().iter().rev()),
            DirEntry::File(file) => {
                let path = file.path().to_string_lossy().replace('\\', "/");
                files.push((format!("{STUDIES}/{path}"), file.contents_utf8().unwrap_or_default()));
            }
        }
    }
    files
}

/// Returns the name of the template file for sequences of a game.
pub fn sequence(game: &dyn Game) -> &'static str {
    let own = format!("{}-sequence", game.name());
    STARTERS.iter().map(|(name, _)| *name).find(|name| *name == own).unwrap_or("sequence")
}

impl New {
    pub fn run(&self) -> Result<()> {
        let Some(kind) = &self.kind else { return print(list()) };
        let out = self.out.as_deref().filter(|path| *path != Path::new("-"));
        if let Some(path) = out.filter(|path| path.symlink_metadata().is_ok()) {
            let message = "this file exists and is not overwritten";
            return Err(Failure::refused("--out", &path.display().to_string(), message)
                .help("remove it, or choose another name"));
        }
        let text = match (template(kind, out), out) {
            (None, Some(folder)) if canonical(kind) == STUDIES => return write_all(folder),
            (None, None) if canonical(kind) == STUDIES => {
                let message = "`studies` is a folder: name the folder to write it to";
                let help = format!("--out {STUDIES}");
                return Err(Failure::refused("KIND", kind, message).help(help));
            }
            (text, _) => text.ok_or_else(|| {
                let shipped = shipped();
                let names = STARTERS.iter().map(|(name, _)| *name);
                let names = names.chain(shipped.iter().map(|(name, _)| name.as_str()));
                let fault = Fault::new(format!("no template is called `{kind}`"), 0..kind.len());
                let near = fault.clone().expecting(kind, names.chain([STUDIES]));
                let fault = match near.near.is_empty() {
                    true if ["map", "rout", "board", "scenario"].contains(&&*canonical(kind)) => {
                        fault.help("a map is part of a situation: `lowcrawl new situation`")
                    }
                    true => fault.help("`lowcrawl new --list` lists them"),
                    false => near,
                };
                Failure::argument("KIND", kind, fault)
            })?,
        };
        match out {
            Some(path) => write_file(path, text.as_bytes()),
            None => print(text),
        }
    }
}

/// Returns the text of a file. A template names `out` instead of itself.
fn template(name: &str, out: Option<&Path>) -> Option<String> {
    let name = canonical(name);
    let Some((_, text)) = STARTERS.iter().find(|(known, _)| *known == name) else {
        let shipped = shipped().into_iter().find(|(known, _)| *known == name);
        return shipped.map(|(_, text)| text.to_string());
    };
    let Some(path) = out else { return Some(text.to_string()) };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let text = text.replace(&format!("{name}.toml"), &quoted(&plain(&path.display().to_string())));
    Some(text.replace(&format!("output/{name}"), &format!("output/{}", plain(&stem))))
}

fn write_all(folder: &Path) -> Result<()> {
    for (name, text) in shipped() {
        let path = folder.join(Path::new(&name).strip_prefix(STUDIES).unwrap_or(Path::new(&name)));
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(FileError::at_path(parent))?;
        write_file(&path, text.as_bytes())?;
    }
    Ok(())
}

fn list() -> String {
    let starter = |(name, text): &File| {
        let command = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        vec![name.to_string(), command.to_string(), about(text)]
    };
    let starters: Vec<Vec<String>> = STARTERS.iter().map(starter).collect();
    let studies = shipped().into_iter().filter(|(name, _)| name.ends_with(".toml"));
    let studies: Vec<_> = studies.map(|(name, text)| vec![name, about(text)]).collect();
    format!(
        "{}\n{}\n{}\n{}",
        paragraph(
            "Templates, used as in `lowcrawl new rally --out rally.toml`, each with the command \
                that reads it:"
        ),
        wrapped(&starters),
        paragraph(&format!(
            "Shipped studies; `lowcrawl new {STUDIES} --out {STUDIES}` writes all of them, with \
                the tables they name:"
        )),
        wrapped(&studies)
    )
}

/// Returns the first sentence of a file's `about`, or else its first comment.
fn about(text: &str) -> String {
    let read: Result<QuestionTable<SequenceTable>, _> = from_toml::read(text, "a file");
    let about = read.ok().and_then(|file| file.fields.about);
    let comment = || text.lines().next().unwrap_or_default().trim_start_matches("# ").to_string();
    let about = single_spaced(&about.unwrap_or_else(comment));
    let mut ends = about.match_indices(['.', '?']).map(|(place, _)| place + 1);
    let end = ends.find(|&end| about[end..].starts_with(' '));
    about[..end.unwrap_or(about.len())].to_string()
}
