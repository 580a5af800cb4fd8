//! The `study` command: runs the study of a file into `output/NAME/`, or in memory for an article.

mod shards;
mod verify;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::chart::ChartArguments;
use super::fault::{Failure, Result};
use super::file_root::FileRoot;
use super::progress::Sign;
use super::reply::{Reply, ReplyCommand, Studied};
use super::run::{RunArguments, beyond};
use super::shell_words::{quoted, with_examples};
use super::situation_file::unreadable;
use super::stop::{self, watch};
use super::writer::print;
use crate::frame;
use crate::study::campaign::{CampaignFile, is_campaign};
use crate::study::cases::{Cases, are_listed};
use crate::study::chart::of_study;
use crate::study::file::{Extent, MAX_CELLS, Study};
use crate::study::folder::MANIFEST;
use crate::study::grid::{CellFacts, Grid};
use crate::study::hashed::ResultFile;
use crate::study::manifest::Manifest;
use crate::study::number_table::{Numbers, TableDescription};
use crate::study::options::Run;
use crate::study::plan::ShardPlan;
use crate::study::rout::RoutStudy;
use crate::study::run::{self, Finished};
use crate::study::run_error::RunError;
use crate::study::summary::{CellOdds, StudySummary};
use crate::study::work_folder::left_in;
use answer::{Meta, Options};
use engine::monte_carlo::threads::shared_out;
use engine::text::plain;
use play::files::kinds::is_about_a_map;
use play::{EngineRequest, Registry};
use render::layout::{Digits, aligned_to_width, paragraph};
use render::sentence;

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new study --out study.toml",
    "lowcrawl study run study.toml",
    "lowcrawl study run study.toml --replace --engine monte-carlo --trials 10000",
];

/// Subcommands of `study`.
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// Run a study file; an interrupted run continues
    #[command(after_help = with_examples("", &EXAMPLES))]
    Run(RunStudy),
    /// Check the result files of a manifest, run its study again, and compare the results
    #[command(after_help = with_examples("", &verify::EXAMPLES))]
    Verify(verify::VerifyStudy),
    /// Divide a study into parts (shards) for several machines, and write the plan
    #[command(after_help = with_examples("", &shards::PLAN))]
    Plan(shards::PlanStudy),
    /// Show how many shards of a plan are complete
    #[command(after_help = with_examples("", &shards::STATUS))]
    Status(shards::StatusOfPlan),
    /// Check all shards of a plan, and merge them
    #[command(after_help = with_examples("", &shards::MERGE))]
    Merge(shards::MergeShards),
}

/// Arguments of `study run`.
#[derive(Debug, Args)]
pub struct RunStudy {
    /// Study file (TOML), a plan of shards, or a manifest, whose study runs as it did
    file: PathBuf,
    /// Shard of a plan to run, from 0; progress is printed as lines of JSON
    #[arg(long, value_name = "I", conflicts_with_all = ["out", "replace", "wait"])]
    shard: Option<String>,
    /// Folder for the results [default: output/NAME, after the study file]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Delete the files of earlier runs in the folder, and overwrite other files that have the
    /// names of results
    #[arg(long, alias = "fresh")]
    replace: bool,
    /// Wait until no other run uses the folder
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    chart: ChartArguments,
}

impl ReplyCommand for RunStudy {
    /// Answers every cell in memory. Fails for a large study, or one without numbers.
    fn reply(&self, registry: &Registry, files: &FileRoot) -> Result<Reply> {
        let StudyOnDisk { study, .. } =
            StudyOnDisk::read(registry, (&self.file, files), self.run.of_dice(), MAX_CELLS)?;
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
        let facts: Vec<Result<CellFacts>> = (0..cells).into_par_iter().map(answer).collect();
        let facts = facts.into_iter().collect::<Result<Vec<CellFacts>>>()?;
        let engine = match facts.iter().any(|facts| facts.estimated) {
            false => "Exact".to_string(),
            true => format!("Monte Carlo where that is too big to be exact, seed {}", options.seed),
        };
        let note = format!("{engine}; {}.", info.rules.words);
        let numbers = Numbers::from_facts(study, &facts);
        Ok(Reply::Study(Studied { meant, numbers, note, meta }))
    }

    /// Runs the study in its output folder, which keeps finished cells of an interrupted run.
    fn run(&self, registry: &Registry) -> Result<()> {
        if let Some(shard) = &self.shard {
            return self.run_shard(registry, shard);
        }
        let at = (self.file.as_path(), &FileRoot::anywhere());
        let of_dice = self.run.of_dice();
        let StudyOnDisk { study, recorded, .. } =
            StudyOnDisk::read(registry, at, of_dice, MAX_CELLS)?;
        let study = study.as_ref();
        let (name, requested) = match &recorded {
            Some(Manifest { identity, .. }) => (identity.name.clone(), identity.engine_request()),
            None => (name_of(&self.file), study.info().engine_request),
        };
        let folder = self.out.clone().unwrap_or_else(|| Path::new("output").join(&name));
        self.chart.check()?;
        if study.info().charted.is_none() {
            self.chart.refuse(UNNAMED, "add `tell` to the file")?;
        }
        let mut options = self.run.over(requested)?;
        if let (0, Some(Manifest { identity, .. })) = (options.stratify, &recorded) {
            options.stratify = identity.stratify;
        }
        let meta = meta_of(&self.file, &options, requested);
        let started = Instant::now();
        frame::start_threads();
        let (sign, all) = (Sign::of_life(), study.info().cells);
        let progress = |cells: usize| sign.add(cells, all, "study", "cells");
        // All cells share these threads, so a single cell gets no number of threads.
        let threads = options.threads.take();
        let run = Run {
            replace: self.replace,
            wait: self.wait,
            progress: &progress,
            ..Run::new(&name, &folder, options)
        };
        // The run stores finished cells and ends by itself, so the signal thread must not end it.
        stop::hold_for_good();
        let finished = shared_out(threads, || run::run(study, &run, &meta));
        sign.finish();
        let finished = finished.map_err(|error| Failure::Study(error).in_file(&self.file))?;
        stop::too_late();
        let drawn = self.drawn(study, &finished)?;
        let preface = finished.summary.as_ref().map(|summary| study.preface(&summary.facts));
        let text = summary(study, &finished, &folder, started) + &left_alone(&folder)? + &drawn;
        print(preface.unwrap_or_default() + &text)
    }
}

/// The reason why a study has no table and no chart.
const UNNAMED: &str = "the study does not name a number for each cell";

impl RunStudy {
    /// Draws the chart of a finished study. Returns the text to print; empty without a chart.
    fn drawn(&self, study: &dyn Grid, finished: &Finished) -> Result<String> {
        let Some(summary) = finished.summary.as_ref().filter(|_| study.info().charted.is_some())
        else {
            self.chart.refuse("the study is already complete", "`--replace` runs it again")?;
            return Ok(String::new());
        };
        let charts = of_study(study, &summary.facts, &finished.manifest.engines());
        if charts.is_empty() {
            let help = "sweep fewer fields, or average over some: `average = [..]`";
            self.chart.refuse("too many numbers for one chart", help)?;
        }
        self.chart.drawn(&charts, self.chart.file())
    }
}

/// The most bytes of a study's name: the limit of file systems, less `-counts.parquet`.
const MOST_NAME: usize = 255 - 15;

/// Returns the name of a study, from its file; a long name is cut, with a hash.
fn name_of(file: &Path) -> String {
    let stem = file.file_stem().map_or("study".into(), |stem| stem.to_string_lossy());
    if stem.len() <= MOST_NAME {
        return stem.into_owned();
    }
    let hash = format!("-{:016x}", xxh3_64(stem.as_bytes()));
    format!("{}{hash}", &stem[..stem.floor_char_boundary(MOST_NAME - hash.len())])
}

fn meta_of(file: &Path, options: &Options, request: EngineRequest) -> Meta {
    // The folder of the file, and options equal to those of the file, change no result.
    let name = file.file_name().unwrap_or(file.as_os_str()).display();
    let command = format!("lowcrawl study run {name}{}", beyond(options, request));
    Meta { version: env!("CARGO_PKG_VERSION"), command, ..Meta::default() }
}

/// Returns the printed summary: a table of the main numbers, the engines, and the files written.
fn summary(study: &dyn Grid, finished: &Finished, folder: &Path, started: Instant) -> String {
    let manifest = &finished.manifest;
    let files = written(manifest, folder);
    let cells = manifest.identity.cells;
    let Some(summary) = &finished.summary else {
        let page = manifest.files.iter().find(|file| file.name.ends_with(".md"));
        let page = page.and_then(|page| std::fs::read_to_string(folder.join(&page.name)).ok());
        let page = page.map_or(String::new(), |page| page + "\n");
        return format!(
            "{page}{}`--replace` runs the study again.\n",
            paragraph(&format!("All {cells} cells are complete: {files}"))
        );
    };
    let about = &study.info().about;
    let about = about.as_ref().map(|about| paragraph(about.trim()) + "\n");
    let mut text = about.unwrap_or_default();
    text += &match &study.info().table {
        Some(meant) => {
            let page = folder.join(format!("{}.md", manifest.identity.name));
            requested_table(&Numbers::from_facts(study, &summary.facts), meant, &page)
        }
        None => headline(study, summary, manifest),
    };
    let resumed = match finished.resumed {
        0 => String::new(),
        resumed => format!(", {resumed} from an earlier run"),
    };
    let (plural, rows) = (if cells == 1 { "" } else { "s" }, manifest.rows);
    let (engines, seconds) = (manifest.engines(), started.elapsed().as_secs_f64());
    let rules = &study.info().rules.words;
    text +=
        &paragraph(&format!("{cells} cell{plural}{resumed} ({engines}), {rows} rows; {rules}."));
    text += &format!("Took {seconds:.2} s.\n");
    if let (Some(counts), Some(engines)) = (&manifest.counts, manifest.engines_of_counts()) {
        text += &paragraph(&format!("Counts: {} rows ({engines}).", counts.rows));
    }
    manifest.notes.iter().for_each(|note| text += &paragraph(&format!("{}.", sentence(note))));
    text + &paragraph(&format!("Written: {files}"))
}

fn written(manifest: &Manifest, folder: &Path) -> String {
    let place = |file: &ResultFile| folder.join(&file.name).display().to_string();
    let files: Vec<String> = manifest.files.iter().map(place).collect();
    format!("{} and manifest.json", files.join(", "))
}

/// Returns a line for each file in the work folder of a finished run that no run has written.
fn left_alone(folder: &Path) -> Result<String> {
    let line = |path: PathBuf| {
        paragraph(&format!("Kept, because no run wrote it: {}", plain(&path.display().to_string())))
    };
    Ok(left_in(folder)?.into_iter().map(line).collect())
}

const SHOWN_LINES: usize = 40;

fn requested_table(numbers: &Numbers, meant: &TableDescription, page: &Path) -> String {
    let (mut text, left) = numbers.on_screen(meant, true, SHOWN_LINES);
    if let Some(widest) = numbers.widest(meant.style) {
        text += &paragraph(&widest);
    }
    if left > 0 {
        text += &paragraph(&format!("({left} more lines are in {})", page.display()));
    }
    text.trim_end().to_string() + "\n\n"
}

/// The most values of one field that are printed; a field with more shows only its best and worst.
const SHOWN_VALUES: usize = 12;

/// Returns the table of the last unit's probability of success by varied value, or nothing.
fn headline(study: &dyn Grid, summary: &StudySummary, manifest: &Manifest) -> String {
    let info = study.info();
    let Some((of, success)) = info.headline.filter(|_| !info.swept_columns.is_empty()) else {
        return String::new();
    };
    let of_row = |field: &str, value: &str, odds: &CellOdds, cells: usize| {
        let [lowest, mean, highest] =
            [odds.lowest, odds.mean(), odds.highest].map(|share| Digits::default().percent(share));
        vec![field.to_string(), value.to_string(), lowest, mean, highest, cells.to_string()]
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for ((name, _), values) in info.swept_columns.iter().zip(&summary.by_value) {
        let same = |a: &CellOdds, b: &CellOdds| {
            (a.lowest, a.highest) == (b.lowest, b.highest) && (a.mean() - b.mean()).abs() < 1e-12
        };
        let first = &values[0];
        if values.len() > 1 && values.values().all(|odds| same(odds, first)) {
            rows.push(of_row(name, "makes no difference here", first, study.info().cells));
            continue;
        }
        let mut values: Vec<(&String, &CellOdds)> = values.iter().collect();
        let hidden = values.len().saturating_sub(SHOWN_VALUES);
        if hidden > 0 {
            values.sort_by(|(_, a), (_, b)| b.mean().total_cmp(&a.mean()));
            values.drain(SHOWN_VALUES / 2..SHOWN_VALUES / 2 + hidden);
        }
        for (row, (value, odds)) in values.into_iter().enumerate() {
            if hidden > 0 && row == SHOWN_VALUES / 2 {
                let between = format!("({hidden} between)");
                rows.push([vec![String::new(), between], vec![String::new(); 4]].concat());
            }
            rows.push(of_row(if row == 0 { name } else { "" }, value, odds, odds.cells));
        }
    }
    let headings = ["field", "value", "lowest", "mean", "highest", "cells"].map(str::to_string);
    let table = aligned_to_width(&headings, &rows, &[false, false, true, true, true, true]);
    let estimated = match manifest.monte_carlo_cells {
        0 => "",
        _ => "These are estimates; the files have their errors.\n",
    };
    let of = format!("How often {of} is {success}, over the cells of each value:");
    format!("{}\n{table}{estimated}\n", paragraph(&of))
}

/// Reads a study file of any kind. `open` opens a file that it names; `place` returns its path.
fn read_study(
    registry: &Registry,
    (path, text): (&str, &str),
    open: &dyn Fn(&str) -> io::Result<String>,
    place: &dyn Fn(&str) -> String,
    extent: Extent,
) -> Result<Box<dyn Grid>> {
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

struct StudyOnDisk {
    study: Box<dyn Grid>,
    text: String,
    /// The manifest that has the study; `None` for a study file.
    recorded: Option<Manifest>,
    /// The texts of the files that the study names.
    named: BTreeMap<String, String>,
}

impl StudyOnDisk {
    /// Reads and checks a study file of at most `most` cells. Fails if an option does not suit it.
    fn read(
        registry: &Registry,
        (path, files): (&Path, &FileRoot),
        of_dice: Option<&'static str>,
        most: usize,
    ) -> Result<StudyOnDisk> {
        let shown = path.display().to_string();
        if files.path(path).is_ok_and(|path| path.is_dir()) {
            let manifest = path.join(MANIFEST);
            let help = match files.has(&manifest) {
                true => format!("name its manifest: {}", manifest.display()),
                false => "a study is a TOML file; `lowcrawl new study` writes one".to_string(),
            };
            let message = "expected a study file or a manifest, not a folder";
            return Err(Failure::refused(&shown, "", message).help(help));
        }
        let text = files.text(path)?;
        let recorded = Manifest::read(&text);
        let text = recorded.as_ref().map_or(text, |manifest| manifest.study.clone());
        if is_plan(&text) {
            let (message, help) = match ShardPlan::read(&text) {
                Ok(_) => {
                    ("this file is a plan of shards, not a study", "run one shard with `--shard I`")
                }
                Err(_) => (
                    "expected a study file or a manifest",
                    "`study run` writes manifest.json into its output folder",
                ),
            };
            return Err(Failure::refused(&shown, "", message).help(help));
        }
        if let (Some(option), true) = (of_dice, is_campaign(&text, registry)) {
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
        let study = read_study(registry, (&shown, &text), &open, &place, extent)?;
        Ok(StudyOnDisk { study, text, recorded, named: named.take() })
    }
}

/// Returns whether a text is a plan of shards (JSON), not a study (TOML).
fn is_plan(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The most cells that an article may have answered in memory.
const MOST_IN_MEMORY: usize = 1000;
