//! Reads each kind of study file, and answers a small study in memory.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::{RunStudy, UNNAMED, beyond};
use crate::cli::fault::Failure;
use crate::cli::file_root::FileRoot;
use crate::cli::reply::{Reply, Studied};
use crate::cli::rout::unreadable;
use crate::cli::run::RunArguments;
use crate::cli::shell_words::quoted;
use crate::cli::stop::watch;
use crate::study::campaign::{CampaignFile, is_campaign};
use crate::study::cases::{Cases, are_listed};
use crate::study::file::{Extent, MAX_CELLS, Study};
use crate::study::grid::{CellFacts, Grid};
use crate::study::number_table::Numbers;
use crate::study::rout::RoutStudy;
use crate::study::run_error::RunError;
use answer::{Meta, Options};
use play::Registry;
use play::files::kinds::is_about_a_map;

/// The text of a study file, and the means to open other files.
pub struct StudySource<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// Opens a file that the study names; `place` returns its path for messages.
    pub open: &'a dyn Fn(&str) -> io::Result<String>,
    pub place: &'a dyn Fn(&str) -> String,
    pub extent: Extent,
}

/// Reads a study file of any kind.
pub fn read_study(registry: &Registry, source: StudySource) -> Result<Box<dyn Grid>, Failure> {
    let StudySource { path, text, open, place, extent } = source;
    let in_file = |fault| match watch().check_cancelled() {
        Ok(()) => Failure::file(path, text, fault),
        Err(error) => error.into(),
    };
    Ok(if are_listed(text) {
        Box::new(Cases::parse(text, registry).map_err(in_file)?)
    } else if is_about_a_map(text, registry) {
        let study = RoutStudy::parse(text, open);
        Box::new(study.map_err(|error| unreadable(error, path, text, place))?)
    } else if is_campaign(text, registry) {
        Box::new(CampaignFile::parse(text, registry, watch()).map_err(in_file)?)
    } else {
        Box::new(Study::parse(text, registry, extent, watch()).map_err(in_file)?)
    })
}

pub struct StudyOnDisk {
    pub study: Box<dyn Grid>,
    pub text: String,
    /// The texts of the files that the study names.
    pub named: BTreeMap<String, String>,
}

impl StudyOnDisk {
    /// Reads a study file of at most `most` cells, and checks all. Refuses plans, and unfit
    /// options.
    pub fn read(
        registry: &Registry,
        (path, files): (&Path, &FileRoot),
        run: &RunArguments,
        most: usize,
    ) -> Result<StudyOnDisk, Failure> {
        let (shown, text) = (path.display().to_string(), files.text(path)?);
        if is_plan(&text) {
            let message = "this file is a plan of shards, not a study";
            let help = "run one shard with `--shard I`";
            return Err(Failure::refused(&shown, "", message).help(help));
        }
        if let (Some(option), true) = (run.of_dice(), is_campaign(&text, registry)) {
            let message = "a study of campaigns is always exact: no dice are rolled";
            return Err(Failure::refused(option, "", message).help("remove it"));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let named = RefCell::new(BTreeMap::new());
        let open = |name: &str| {
            let text = files.text_among(folder, name, &[])?;
            named.borrow_mut().insert(name.to_string(), text.clone());
            Ok(text)
        };
        let place = |name: &str| folder.join(name).display().to_string();
        let extent = Extent { part: None, most };
        let source = StudySource { path: &shown, text: &text, open: &open, place: &place, extent };
        let study = read_study(registry, source)?;
        Ok(StudyOnDisk { study, text, named: named.take() })
    }
}

/// Returns whether a text is a plan of shards (JSON), not a study (TOML).
pub fn is_plan(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The most cells that an article may have answered in memory.
const MOST_IN_MEMORY: usize = 1000;

impl RunStudy {
    /// Answers every cell in memory. Fails for a large study, or one without numbers.
    pub(super) fn in_memory(
        &self,
        registry: &Registry,
        files: &FileRoot,
    ) -> Result<Reply, Failure> {
        let StudyOnDisk { study, .. } =
            StudyOnDisk::read(registry, (&self.file, files), &self.run, MAX_CELLS)?;
        let (study, place) = (study.as_ref(), self.file.display().to_string());
        let info = study.info();
        let refused = |why: &str, help: &str| Failure::refused(&place, "", why).help(help);
        let meant = info.table.clone().ok_or_else(|| refused(UNNAMED, "add `tell` to the file"))?;
        let cells = info.cells;
        if cells > MOST_IN_MEMORY {
            let why =
                format!("the study has {cells} cells; at most {MOST_IN_MEMORY} are allowed here");
            return Err(refused(&why, "sweep fewer values"));
        }
        let options = self.run.over(info.engine_request)?;
        let command = format!("lowcrawl study run {}", quoted(&place));
        let command = command + &beyond(&options, info.engine_request);
        let meta = Meta::new(command, meant.question.clone());
        let options = Options { threads: None, ..options };
        let answer = |case| {
            options.watch.check_cancelled()?;
            let answered = study.answer(case, &options, &meta);
            // The answer of a cancelled engine is incomplete.
            options.watch.check_cancelled()?;
            answered.map(|answered| answered.facts).map_err(|problem| {
                let error = RunError::Cell { case: case + 1, problem };
                Failure::Study(error).in_file(&self.file)
            })
        };
        let facts: Vec<Result<CellFacts, Failure>> =
            (0..cells).into_par_iter().map(answer).collect();
        let facts = facts.into_iter().collect::<Result<Vec<CellFacts>, Failure>>()?;
        let engine = match facts.iter().any(|facts| facts.estimated) {
            false => "Exact".to_string(),
            true => format!("Monte Carlo where that is too big to be exact, seed {}", options.seed),
        };
        let note = format!("{engine}; {}.", info.rules.words);
        let numbers = Numbers::from_facts(study, &facts);
        Ok(Reply::Study(Studied { meant, numbers, note, meta }))
    }
}
