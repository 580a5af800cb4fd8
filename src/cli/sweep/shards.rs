//! The commands `study plan`, `status`, `merge` and `run --shard`: a study on several machines.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;

use super::{RunStudy, StudyOnDisk, is_plan, left_alone, meta_of, name_of, read_study, written};
use crate::cli::fault::{Failure, Result};
use crate::cli::file_root::FileRoot;
use crate::cli::run::{RunArguments, engine_called, number, optional};
use crate::cli::stop::{self, watch};
use crate::cli::writer::{print, write_file};
use crate::frame;
use crate::study::disk::{FileError, RealDisk};
use crate::study::file::{Extent, MOST_CELLS};
use crate::study::grid::Grid;
use crate::study::manifest::Identity;
use crate::study::options::Run;
use crate::study::owned::PathEntry;
use crate::study::plan::ShardPlan;
use crate::study::run_error::RunError;
use crate::study::shard::Shards;
use answer::{Meta, Options, Trials};
use engine::monte_carlo::threads::shared_out;
use play::Registry;

pub const PLAN: [&str; 3] = [
    "lowcrawl new study --out study.toml",
    "lowcrawl study plan study.toml --shards 4",
    "lowcrawl study plan study.toml --shards 2 --out plan.json --seed 7",
];
pub const STATUS: [&str; 3] = [
    "lowcrawl new study --out study.toml",
    "lowcrawl study plan study.toml --shards 2 --out plan.json",
    "lowcrawl study status plan.json",
];
pub const MERGE: [&str; 3] = [
    "lowcrawl new study --out study.toml",
    "lowcrawl study plan study.toml --shards 1 --out plan.json",
    "lowcrawl study run plan.json --shard 0 && lowcrawl study merge plan.json --out merged",
];

const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
const MOST_SHARDS: u64 = 100_000;

/// Arguments of `study plan`.
#[derive(Debug, Args)]
pub struct PlanStudy {
    /// Study file (TOML)
    file: PathBuf,
    /// Number of parts (shards); each takes about the same time
    #[arg(long, value_name = "N")]
    shards: String,
    /// File of the plan; shards are written next to it [default: output/NAME/plan.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: RunArguments,
}

/// Arguments of `study status`.
#[derive(Debug, Args)]
pub struct StatusOfPlan {
    /// Plan of shards, as written by `study plan`
    plan: PathBuf,
}

/// Arguments of `study merge`.
#[derive(Debug, Args)]
pub struct MergeShards {
    /// Plan of shards, as written by `study plan`
    plan: PathBuf,
    /// Also write the merged files to this folder; they equal those of `study run`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Delete the files of earlier runs in the folder, and overwrite other files that have the
    /// names of results
    #[arg(long, requires = "out")]
    replace: bool,
}

impl PlanStudy {
    pub fn run(&self, registry: &Registry) -> Result<()> {
        let at = (self.file.as_path(), &FileRoot::anywhere());
        // The plan checks every cell, so a shard checks only its own cells.
        let StudyOnDisk { study, text, named, .. } =
            StudyOnDisk::read(registry, at, self.run.of_dice(), MOST_CELLS)?;
        let (study, requested) = (study.as_ref(), study.info().engine_request);
        let most = MOST_SHARDS.min(study.info().cells as u64);
        let shards = number("--shards", &self.shards, 1, most)? as usize;
        let mut options = self.run.over(requested)?;
        let name = name_of(&self.file);
        let folder = Path::new("output").join(&name);
        let out = self.out.clone().unwrap_or_else(|| folder.join("plan.json"));
        if self.out.is_none() {
            std::fs::create_dir_all(&folder).map_err(FileError::at_path(&folder))?;
            check_place(&out)?;
        }
        let meta = meta_of(&self.file, &options, requested);
        let run = Run::new(&name, Path::new(""), options);
        let identity = (run.identity(study, &meta), meta.command.as_str());
        let threads = options.threads.take();
        let parts = (shards, &options);
        let plan = shared_out(threads, || ShardPlan::new(study, identity, (text, named), parts));
        let plan = plan.map_err(|error| Failure::Study(error).in_file(&self.file))?;
        let json = serde_json::to_string_pretty(&plan).map_err(FileError::at_path(&out))?;
        write_file(&out, format!("{json}\n").as_bytes())?;
        let parts = (0..shards).map(|shard| plan.cells_of(shard).len());
        let (least, most) = (parts.clone().min().unwrap_or(0), parts.max().unwrap_or(0));
        let (cells, out) = (study.info().cells, out.display());
        print(format!(
            "{cells} cells in {shards} shards of {least} to {most} cells.\nWritten: {out}\n"
        ))
    }
}

/// Fails if a file that is not a plan has the default name of the plan.
fn check_place(path: &Path) -> Result<()> {
    let there = PathEntry::file_at(path, "the plan cannot be written").map_err(Failure::Study)?;
    let text = there.map(|_| FileRoot::anywhere().text(path));
    let is_plan = |text: String| serde_json::from_str::<ShardPlan>(&text).is_ok();
    if text.is_none_or(|text| text.is_ok_and(is_plan)) {
        return Ok(());
    }
    let problem = "this file is not a plan and would be overwritten";
    Err(Failure::Study(RunError::foreign(path, problem)))
}

struct Planned {
    plan: ShardPlan,
    folder: PathBuf,
    study: Box<dyn Grid>,
    /// The shard to run, or 0.
    shard: usize,
}

impl Planned {
    /// Reads a plan, and its study with only the cells of `shard` (0-based), if given.
    fn read(registry: &Registry, path: &Path, shard: Option<&str>) -> Result<Planned> {
        let (place, text) = (path.display().to_string(), FileRoot::anywhere().text(path)?);
        let wrong = |words: String| {
            Failure::refused(&place, "", words).help("`lowcrawl study plan` writes one")
        };
        if !is_plan(&text) {
            return Err(wrong("this is not a plan of shards".to_string()));
        }
        let plan = ShardPlan::read(&text).map_err(wrong)?;
        let last = plan.shards.len() as u64 - 1;
        let shard = optional("--shard", shard, 0, last)?.map(|shard| shard as usize);
        let part = Some(shard.map_or(0..0, |shard| plan.cells_of(shard)));
        let extent = Extent { part, most: MOST_CELLS };
        let open = |name: &str| {
            plan.files.get(name).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let named = |name: &str| format!("{place}: {name}");
        let study = read_study(registry, (&place, &plan.study), &open, &named, extent)?;
        let run = Run::new("", Path::new(""), Options::default());
        let Identity { requests, cells, .. } = run.identity(study.as_ref(), &Meta::default());
        if (&requests, cells) != (&plan.identity.requests, plan.identity.cells) {
            return Err(wrong("its study does not match the plan".to_string()));
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Ok(Planned { plan, folder, study, shard: shard.unwrap_or(0) })
    }

    fn shards(&self) -> Shards<'_> {
        Shards { plan: &self.plan, folder: &self.folder, disk: &RealDisk }
    }

    /// Returns a run that answers cells as the plan says.
    fn run<'a>(&'a self, folder: &'a Path) -> Run<'a> {
        let identity = &self.plan.identity;
        let trials = match (identity.trials, identity.precision) {
            (_, Some(half_width)) => Trials::HalfWidth(half_width),
            (trials, None) => Trials::Number(trials.unwrap_or(0)),
        };
        let options = Options {
            engine: engine_called(&identity.engine).unwrap_or_default(),
            trials,
            seed: identity.seed,
            stratify: identity.stratify,
            watch: watch(),
            ..Options::default()
        };
        Run::new(&identity.name, folder, options)
    }
}

impl RunStudy {
    /// Runs one shard of a plan, and prints progress as lines of JSON. Only `--threads` is allowed.
    pub(super) fn run_shard(&self, registry: &Registry, shard: &str) -> Result<()> {
        let options = self.run.words(0);
        if !options.is_empty() {
            let message = "the plan sets this option";
            return Err(Failure::refused(options.trim(), "", message).help("remove it"));
        }
        let threads = self.run.options()?.threads;
        frame::start_threads();
        let planned = Planned::read(registry, &self.file, Some(shard))?;
        let shard = planned.shard;
        let (cells, shown_at) = (planned.plan.cells_of(shard).len(), Mutex::new(Instant::now()));
        let done = AtomicUsize::new(0);
        let progress = |finished: usize| {
            let done = done.fetch_add(finished, Ordering::Relaxed) + finished;
            let Ok(mut last) = shown_at.try_lock() else { return };
            if last.elapsed() >= PROGRESS_INTERVAL {
                *last = Instant::now();
                let line = json!({ "shard": shard, "cells": cells, "done": done });
                // A closed standard output does not stop the shard.
                let _ = print(format!("{line}\n"));
            }
        };
        stop::hold_for_good();
        let (shards, grid) = (planned.shards(), planned.study.as_ref());
        let run = Run { progress: &progress, ..planned.run(Path::new("")) };
        let sum = shared_out(threads, || shards.run(grid, shard, &run));
        let sum = sum.map_err(|error| Failure::Study(error).in_file(&self.file))?;
        stop::too_late();
        let rows = sum.tally.rows;
        let line = json!({ "shard": shard, "cells": cells, "done": cells, "rows": rows });
        print(format!("{line}\n"))
    }
}

impl StatusOfPlan {
    pub fn run(&self, registry: &Registry) -> Result<()> {
        let planned = Planned::read(registry, &self.plan, None)?;
        let (shards, grid) = (planned.shards(), planned.study.as_ref());
        let (mut there, mut text) = (0, String::new());
        let all = planned.plan.shards.len();
        for shard in 0..all {
            match shards.status(grid, shard, false).map_err(Failure::Study)? {
                Ok(_) => there += 1,
                Err(fault) => text += &format!("{fault}\n"),
            }
        }
        print(format!("{there} of {all} shards are complete.\n{text}"))
    }
}

impl MergeShards {
    pub fn run(&self, registry: &Registry) -> Result<()> {
        let planned = Planned::read(registry, &self.plan, None)?;
        let (shards, grid) = (planned.shards(), planned.study.as_ref());
        let fault = |faults: Vec<String>| {
            let problem = format!("some shards are missing or damaged\n  {}", faults.join("\n  "));
            Failure::Study(RunError::Shards { path: self.plan.clone(), problem })
        };
        let whole = shards.whole(grid, watch()).map_err(Failure::Study)?.map_err(fault)?;
        let (all, rows) = (planned.plan.shards.len(), whole.0.rows);
        let summary = format!("{all} shards, {} cells, {rows} rows: complete.\n", whole.0.cells);
        let Some(folder) = &self.out else { return print(summary) };
        let run = Run { replace: self.replace, ..planned.run(folder) };
        stop::hold_for_good();
        let manifest = shards.merge(grid, &run, whole).map_err(Failure::Study)?;
        stop::too_late();
        let left = left_alone(folder)?;
        print(format!("{summary}Written: {}\n{left}", written(&manifest, folder)))
    }
}
