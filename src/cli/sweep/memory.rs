//! Reads each kind of study file, and answers a small study in memory.

use std::io;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::shards::is_plan;
use super::{RunStudy, beyond};
use crate::cli::fault::Failure;
use crate::cli::file_root::FileRoot;
use crate::cli::reply::{Reply, Studied};
use crate::cli::rout::unreadable;
use crate::cli::shell_words::quoted;
use crate::cli::stop::watch;
use crate::study::campaign::file::{CampaignFile, is_campaign};
use crate::study::cases::{Cases, are_listed};
use crate::study::file::{ReadError, Study as StudyFile};
use crate::study::grid::Grid;
use crate::study::rout::RoutStudy;
use crate::study::run::RunError;
use answer::meta::Meta;
use answer::options::{DEFAULT_SEED, Engine, Options, Trials};
use engine::EngineError;
use engine::text::Fault;
use play::files::kinds::is_about_a_map;
use play::files::tables::EngineRequest;
use play::registry::Registry;

/// A study, by the kind of its question.
pub enum Sweep {
    Cases(Cases),
    Routs(RoutStudy),
    Campaigns(CampaignFile),
    Questions(StudyFile),
}

/// The text of a study file, and the means to open other files.
pub struct StudySource<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// Opens a file that the study names. The function `place` returns the path of this file for
    /// messages.
    pub open: &'a dyn Fn(&str) -> io::Result<String>,
    pub place: &'a dyn Fn(&str) -> String,
    /// The range of cells to read (0-based), for one shard; `None` for all cells.
    pub part: Option<Range<usize>>,
}

impl Sweep {
    /// Reads a study file. Fails if the file is invalid, a file that it names cannot be read, or
    /// the command is cancelled.
    pub fn read(registry: &Registry, read: StudySource) -> Result<Sweep, Failure> {
        let StudySource { path, text, open, place, part } = read;
        let in_file = |fault| Failure::file(path, text, fault);
        let read_failure = |error| read_failure(path, text, error);
        let watch = watch();
        Ok(if are_listed(text) {
            Sweep::Cases(Cases::parse(text, registry).map_err(in_file)?)
        } else if is_about_a_map(text, registry) {
            let study = RoutStudy::parse(text, open);
            Sweep::Routs(study.map_err(|error| unreadable(error, path, text, place))?)
        } else if is_campaign(text, registry) {
            Sweep::Campaigns(CampaignFile::watched(text, registry, watch).map_err(read_failure)?)
        } else {
            Sweep::Questions(StudyFile::part(text, registry, part, watch).map_err(read_failure)?)
        })
    }

    pub fn grid(&self) -> &dyn Grid {
        match self {
            Sweep::Cases(study) => study,
            Sweep::Routs(study) => study,
            Sweep::Campaigns(study) => study,
            Sweep::Questions(study) => study,
        }
    }

    /// Returns the engine, the number of sequences and the seed of the file.
    pub fn engine_request(&self) -> EngineRequest {
        match self {
            Sweep::Cases(study) => study.engine_request,
            Sweep::Routs(study) => study.engine_request,
            Sweep::Campaigns(_) => (Engine::Exact, Trials::Number(0), DEFAULT_SEED),
            Sweep::Questions(study) => (study.engine, study.trials, study.seed),
        }
    }
}

/// The most cells that an article may have answered in memory.
const MOST_IN_MEMORY: usize = 1000;

/// Converts the error of a study file at `path` with content `text`.
pub fn read_failure(path: &str, text: &str, error: ReadError) -> Failure {
    match error {
        ReadError::Fault(fault) => Failure::file(path, text, fault),
        ReadError::Stopped(error) => error.into(),
    }
}

impl RunStudy {
    /// Reads the study file; fails for a plan of shards.
    pub(super) fn sweep(&self, registry: &Registry, files: &FileRoot) -> Result<Sweep, Failure> {
        let path = self.file.display().to_string();
        let text = files.text(&self.file)?;
        if is_plan(&text) {
            let fault = Fault::new("this file is a plan of shards, not a study", 0..0);
            return Err(Failure::argument(&path, "", fault.help("run one shard with `--shard I`")));
        }
        if let (Some(option), true) = (self.run.of_dice(), is_campaign(&text, registry)) {
            let fault =
                Fault::new("a study of campaigns is always exact: no dice are rolled", 0..0);
            return Err(Failure::argument(option, "", fault.help("remove it")));
        }
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let open = |name: &str| files.text_among(folder, name, &[]);
        let place = |name: &str| folder.join(name).display().to_string();
        let (path, text) = (path.as_str(), text.as_str());
        Sweep::read(registry, StudySource { path, text, open: &open, place: &place, part: None })
    }

    /// Answers every cell in memory and returns its number. Fails if the study is large, or defines
    /// no number for a cell.
    pub(super) fn in_memory(
        &self,
        registry: &Registry,
        files: &FileRoot,
    ) -> Result<Reply, Failure> {
        let sweep = self.sweep(registry, files)?;
        let (study, place) = (sweep.grid(), self.file.display().to_string());
        let refused = |message: String, help: &str| {
            Failure::argument(&place, "", Fault::new(message, 0..0).help(help.to_string()))
        };
        let meant = study.table_description().ok_or_else(|| {
            let why = "the study does not name a number for each cell".to_string();
            refused(why, "add `tell` to the file")
        })?;
        let cells = study.cells();
        if cells > MOST_IN_MEMORY {
            let why =
                format!("the study has {cells} cells; at most {MOST_IN_MEMORY} are allowed here");
            return Err(refused(why, "sweep fewer values"));
        }
        let options = self.run.over(sweep.engine_request())?;
        let command = format!("lowcrawl study run {}", quoted(&place));
        let command = command + &beyond(&options, sweep.engine_request());
        let meta = Meta { version: env!("CARGO_PKG_VERSION"), command, ..Meta::default() };
        let options = Options { threads: None, ..options };
        let answer = |case| {
            options.watch.check_cancelled()?;
            let answered = study.answer(case, &options, &meta);
            // The answer of a cancelled engine is incomplete.
            options.watch.check_cancelled()?;
            Ok(answered.map(|answered| (study.swept_cells(case), answered.facts)))
        };
        let answered: Vec<_> = (0..cells).into_par_iter().map(answer).collect();
        let mut numbers = Vec::new();
        let mut estimated = false;
        for (answered, case) in answered.into_iter().zip(1..) {
            let answered: Result<_, String> = answered.map_err(|error: EngineError| error)?;
            let unanswered =
                |problem| Failure::Study(RunError::Cell { case, problem }).in_file(&self.file);
            let (swept, facts) = answered.map_err(unanswered)?;
            estimated |= facts.estimated;
            numbers.push((swept, facts.told));
        }
        let engine = match (estimated, options.seed) {
            (false, _) => "Exact".to_string(),
            (true, seed) => format!("Monte Carlo where that is too big to be exact, seed {seed}"),
        };
        let fields = study.swept_columns().iter().map(|(name, _)| name.to_string()).collect();
        let note = format!("{engine}; {}.", study.rules().words);
        let meta = Meta { question: meant.question.clone(), ..meta };
        Ok(Reply::Study(Studied { meant, fields, cells: numbers, note, meta }))
    }
}
