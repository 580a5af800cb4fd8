//! `study run`: a sweep from a study file, with a progress bar, to `output/NAME/`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::ask::RunArguments;
use super::fault::Failure;
use crate::asl::question::Kind;
use crate::study::file::Study as StudyFile;
use crate::study::run::{Finished, Run};
use crate::table::Meta;
use crate::table::frame::{Aggregate, by_value};
use crate::table::layout::{aligned, percent};

/// Sweeps.
#[derive(Debug, Subcommand)]
pub enum Study {
    /// Run a study file; a run that was stopped goes on where it was
    Run(RunStudy),
}

/// Run a study.
#[derive(Debug, Args)]
pub struct RunStudy {
    /// Study file (TOML)
    file: PathBuf,
    /// Folder for the results [default: output/NAME, after the study file]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Throw away the cells that a stopped run has left
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    run: RunArguments,
}

impl Study {
    pub fn run(&self) -> Result<(), Failure> {
        let Study::Run(run) = self;
        run.run()
    }
}

impl RunStudy {
    fn run(&self) -> Result<(), Failure> {
        let path = self.file.display().to_string();
        let text = super::read_text(&self.file)?;
        let study = StudyFile::parse(&text).map_err(|fault| Failure::argument(&path, &text, fault))?;
        let name = self.file.file_stem().map_or("study".to_string(), |stem| stem.to_string_lossy().to_string());
        let folder = self.out.clone().unwrap_or_else(|| Path::new("output").join(&name));
        let mut options = self.run.options()?;
        options.engine = self.run.engine().unwrap_or(study.engine);
        options.trials = self.run.trials()?.unwrap_or(study.trials);
        options.seed = self.run.seed()?.unwrap_or(study.seed);
        let meta = Meta {
            version: env!("CARGO_PKG_VERSION"),
            command: format!("lowcrawl study run {path}{}", self.run.words(options.seed)),
            ..Meta::default()
        };
        let started = Instant::now();
        let bar = progress_bar(study.cells());
        let progress = |cells: usize| bar.inc(cells as u64);
        let (good, good_words) = good_ends(study.kind);
        // Cells share the study's threads.
        let threads = options.threads.take();
        let run = Run { name: &name, folder: &folder, fresh: self.fresh, options, stop: &super::STOP, progress: &progress, good };
        let run_study = || crate::study::run::run(&study, &run, &meta);
        let finished = match threads {
            None => run_study(),
            Some(threads) => match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => pool.install(run_study),
                Err(_) => run_study(),
            },
        };
        bar.finish_and_clear();
        let finished = finished.map_err(Failure::Study)?;
        super::print(summary(&study, &finished, good_words, started))
    }
}

/// Cells done, and the time left, on a terminal only.
fn progress_bar(cells: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cells, {eta} left");
    ProgressBar::new(cells as u64).with_style(style.unwrap_or(ProgressStyle::default_bar()))
}

/// What was written, and the odds that most readers look for, by each swept value.
fn summary(study: &StudyFile, finished: &Finished, good_words: &str, started: Instant) -> String {
    let manifest = &finished.manifest;
    let mut text = String::new();
    if let Some(about) = &study.about {
        text += &format!("{}\n\n", about.trim());
    }
    text += &headline(study, finished, good_words);
    let sequences = match (manifest.trials, manifest.precision) {
        (_, Some(half_width)) => format!("intervals at most +- {half_width}, seed {}", manifest.seed),
        (Some(trials), None) => format!("{trials} sequences, seed {}", manifest.seed),
        (None, None) => String::new(),
    };
    let engines = match (manifest.exact_cells, manifest.monte_carlo_cells) {
        (_, 0) => "all exact".to_string(),
        (0, _) => format!("all Monte Carlo, {sequences}"),
        (exact, estimated) => format!("{exact} exact, {estimated} Monte Carlo, {sequences}"),
    };
    let resumed = if finished.resumed > 0 { format!(", {} of them from a stopped run", finished.resumed) } else { String::new() };
    text += &format!(
        "{} cell{}{resumed} ({engines}), {} rows in {:.2} s; profile {}, Heat of Battle {}.\n",
        manifest.cells,
        if manifest.cells == 1 { "" } else { "s" },
        manifest.rows,
        started.elapsed().as_secs_f64(),
        manifest.profile,
        manifest.heat_of_battle
    );
    let file = |extension: &str| finished.folder.join(format!("{}.{extension}", manifest.name)).display().to_string();
    text + &format!("Written: {}, {} and manifest.json\n", file("parquet"), file("csv"))
}

/// The statuses that a reader hopes for, and what they are called.
fn good_ends(kind: Kind) -> (&'static [&'static str], &'static str) {
    match kind {
        Kind::Check | Kind::Fire => (&["good-order", "pinned", "berserk"], "unbroken"),
        Kind::Sequence => (&["good-order", "pinned", "berserk"], "unbroken after the last step"),
        Kind::Rally => (&["rallied"], "rallied after the last phase"),
        Kind::Interdict => (&["through"], "through"),
    }
}

/// Swept values of one field that are shown.
const SHOWN_VALUES: usize = 12;

/// The odds of a good end over the cells of each swept value, for the last unit of the stack at the last phase.
fn headline(study: &StudyFile, finished: &Finished, good_words: &str) -> String {
    if study.is_joint() || study.swept_columns().is_empty() {
        return String::new();
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (place, (field, _)) in study.swept_columns().iter().enumerate() {
        let values: Vec<String> = (0..study.cells()).map(|case| study.swept_cells(case)[place].text()).collect();
        let Ok(aggregates) = by_value(&values, &finished.headline) else { continue };
        let same =
            |a: &Aggregate, b: &Aggregate| (a.lowest, a.highest) == (b.lowest, b.highest) && (a.mean - b.mean).abs() < 1e-12;
        if aggregates.len() > 1 && aggregates.iter().all(|aggregate| same(aggregate, &aggregates[0])) {
            let first = &aggregates[0];
            let shares = [first.lowest, first.mean, first.highest].map(percent);
            rows.push(
                [
                    vec![field.to_string(), "makes no difference here".to_string()],
                    shares.to_vec(),
                    vec![study.cells().to_string()],
                ]
                .concat(),
            );
            continue;
        }
        let hidden = aggregates.len().saturating_sub(SHOWN_VALUES);
        for (row, Aggregate { value, lowest, mean, highest, cells }) in aggregates.into_iter().take(SHOWN_VALUES).enumerate() {
            let field = if row == 0 { field.to_string() } else { String::new() };
            rows.push(vec![field, value, percent(lowest), percent(mean), percent(highest), cells.to_string()]);
        }
        if hidden > 0 {
            rows.push(vec![
                String::new(),
                format!("and {hidden} more"),
                String::new(),
                String::new(),
                String::new(),
                String::new(),
            ]);
        }
    }
    let headings = ["field", "value", "lowest", "mean", "highest", "cells"].map(str::to_string);
    let table = aligned(&headings, &rows, &[false, false, true, true, true, true], false);
    let estimated = if finished.manifest.monte_carlo_cells > 0 { "Estimates: the files have the error of each.\n" } else { "" };
    let table = format!("{table}{estimated}");
    format!("How often the last unit of the stack is {good_words}, over the cells of each value:\n\n{table}\n")
}
