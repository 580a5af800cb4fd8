//! The `study verify` command: result files against their manifest, and against a run of its study.

use std::path::{Path, PathBuf};
use std::{fs, io, process};

use clap::Args;

use super::{StudyOnDisk, meta_of};
use crate::cli::fault::{Failure, Result};
use crate::cli::file_root::FileRoot;
use crate::cli::progress::Sign;
use crate::cli::stop::{self, watch};
use crate::cli::writer::print;
use crate::frame;
use crate::study::file::MAX_CELLS;
use crate::study::hashed::ResultFile;
use crate::study::manifest::Manifest;
use crate::study::options::Run;
use crate::study::run;
use answer::Options;
use play::Registry;

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new study --out study.toml && lowcrawl study run study.toml",
    "lowcrawl study verify output/study/manifest.json",
    "lowcrawl study run output/study/manifest.json --out again",
];

/// Arguments of `study verify`.
#[derive(Debug, Args)]
pub struct VerifyStudy {
    /// Manifest of a study, beside its result files
    manifest: PathBuf,
}

/// A folder for the results of the second run, which is deleted at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be deleted lies in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl VerifyStudy {
    /// Checks the files beside the manifest, and those of another run of its study.
    ///
    /// # Errors
    ///
    /// Fails if a file is missing or has another hash.
    pub fn run(&self, registry: &Registry) -> Result<()> {
        let at = (self.manifest.as_path(), &FileRoot::anywhere());
        let StudyOnDisk { study, recorded, .. } = StudyOnDisk::read(registry, at, None, MAX_CELLS)?;
        let place = self.manifest.display().to_string();
        let manifest = recorded.filter(|manifest| manifest.complete).ok_or_else(|| {
            let help = "`study run` writes manifest.json into its output folder";
            Failure::refused(&place, "", "expected the manifest of a finished study").help(help)
        })?;
        let folder = self.manifest.parent().unwrap_or(Path::new(""));
        for file in &manifest.files {
            let path = folder.join(&file.name);
            let shown = path.display().to_string();
            let bytes = fs::read(&path).map_err(|error| Failure::io(&shown, error))?;
            same(&shown, file, &ResultFile::new(&file.name, &bytes), "the manifest")?;
        }
        let again = self.again(&manifest, study.as_ref())?;
        for file in &manifest.files {
            let shown = folder.join(&file.name).display().to_string();
            let other = again.iter().find(|other| other.name == file.name);
            let other = other.ok_or_else(|| different(&shown, "another run does not write it"))?;
            same(&shown, file, other, &format!("another run{}", version(&manifest)))?;
        }
        let (files, cells) = (manifest.files.len(), manifest.identity.cells);
        print(format!("{files} files are as in the manifest, and {cells} cells were reproduced.\n"))
    }

    /// Runs the study of the manifest again, and returns the files.
    fn again(
        &self,
        manifest: &Manifest,
        study: &dyn crate::study::grid::Grid,
    ) -> Result<Vec<ResultFile>> {
        let (identity, request) = (&manifest.identity, manifest.identity.engine_request());
        let (engine, trials, seed) = request;
        let stratify = identity.stratify;
        let options =
            Options { engine, trials, seed, stratify, watch: watch(), ..Options::default() };
        let meta = meta_of(&self.manifest, &options, request);
        let name = format!("lowcrawl-verify-{}", process::id());
        let scratch = Scratch(std::env::temp_dir().join(name));
        frame::start_threads();
        let (sign, all) = (Sign::of_life(), identity.cells);
        let progress = |cells: usize| sign.add(cells, all, "study", "cells");
        let run = Run {
            replace: true,
            progress: &progress,
            ..Run::new(&identity.name, &scratch.0, options)
        };
        stop::hold_for_good();
        let finished = run::run(study, &run, &meta);
        sign.finish();
        let finished = finished.map_err(|error| Failure::Study(error).in_file(&self.manifest))?;
        stop::too_late();
        Ok(finished.manifest.files)
    }
}

/// Returns a remark on the version, if the manifest is of another one.
fn version(manifest: &Manifest) -> String {
    let (then, now) = (&manifest.identity.version, env!("CARGO_PKG_VERSION"));
    if then == now { String::new() } else { format!(" (by version {now}, not {then})") }
}

fn same(place: &str, file: &ResultFile, other: &ResultFile, what: &str) -> Result<()> {
    match file == other {
        true => Ok(()),
        false => Err(different(place, &format!("it differs from that of {what}"))),
    }
}

fn different(place: &str, problem: &str) -> Failure {
    Failure::io(place, io::Error::other(problem.to_string()))
}
