//! The plan of a study in shards: the cells of each shard, chosen so that all cost about the same.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::grid::{AnsweredCell, Grid};
use super::hashed::{hashed, if_whole};
use super::manifest::Identity;
use super::run_error::RunError;
use answer::options::DEFAULT_TRIALS;
use answer::{Meta, Options, Trials};
use engine::monitor::{Monitor, Progress};

/// The most cells that are answered in advance to estimate the cost of the study.
const PILOTS: usize = 256;

/// The cells of each shard of a study, and everything that decides their answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShardPlan {
    pub identity: Identity,
    pub command: String,
    /// The text of the study file; `files` has the texts of the files that it names.
    pub study: String,
    pub files: BTreeMap<String, String>,
    /// The first cell of each shard (1-based).
    pub shards: Vec<usize>,
    #[serde(default)]
    pub hash: String,
}

impl ShardPlan {
    /// Creates a plan with its hash, after it answers some pilot cells to estimate costs.
    pub fn new(
        study: &dyn Grid,
        (identity, command): (Identity, &str),
        (text, files): (String, BTreeMap<String, String>),
        (shards, options): (usize, &Options),
    ) -> Result<ShardPlan, RunError> {
        let shards = shares(&costs(study, options)?, study.info().cells, shards);
        let (command, hash) = (command.to_string(), String::new());
        let plan = ShardPlan { identity, command, study: text, files, shards, hash };
        Ok(hashed(plan, |plan| &mut plan.hash))
    }

    /// Parses a plan from JSON. Fails if it is damaged, or of another version.
    pub fn read(text: &str) -> Result<ShardPlan, String> {
        let plan: ShardPlan =
            serde_json::from_str(text).map_err(|error| format!("this is not a plan: {error}"))?;
        let plan = if_whole(plan, |plan| &mut plan.hash);
        let plan = plan.ok_or("the plan was changed: its hash does not match")?;
        let shards = &plan.shards;
        let is_ascending = shards.is_sorted_by(|one, next| one < next);
        if shards.first() != Some(&1) || !is_ascending || shards.last() > Some(&plan.identity.cells)
        {
            return Err("its shards do not cover the cells of the study exactly once".to_string());
        }
        let (version, own) = (&plan.identity.version, env!("CARGO_PKG_VERSION"));
        if version != own {
            return Err(format!("the plan needs lowcrawl {version}, but this is {own}"));
        }
        Ok(plan)
    }

    /// Returns the cells of a shard, both 0-based. Panics if there is no such shard.
    pub fn cells_of(&self, shard: usize) -> Range<usize> {
        let end = self.shards.get(shard + 1).map_or(self.identity.cells, |next| next - 1);
        self.shards[shard] - 1..end
    }
}

/// Estimates the cost of one cell in each of up to `PILOTS` equal stretches: its rows, and its
/// states if exact, or a sixteenth of its sequences if estimated.
fn costs(study: &dyn Grid, options: &Options) -> Result<Vec<u64>, RunError> {
    let trials = match options.trials {
        Trials::Usual => DEFAULT_TRIALS,
        Trials::Number(trials) => trials,
        Trials::HalfWidth(half_width) => (1.0 / (half_width * half_width)) as u64,
    };
    let of_cell = |case: usize| {
        let states = AtomicU64::new(0);
        let progress = |progress: Progress| {
            if progress.expected.is_none() {
                states.fetch_max(progress.done, Ordering::Relaxed);
            }
        };
        let watch = Monitor { progress: Some(&progress), ..options.watch };
        // A small number of trials is enough to see whether a cell is exact or estimated.
        let few = Options { trials: Trials::Number(trials.min(4096)), watch, ..*options };
        let answered = study.answer(case, &few, &Meta::default());
        let answered = answered.map_err(|problem| RunError::Cell { case: case + 1, problem });
        options.watch.check_cancelled().map_err(|_| RunError::Stopped { shard: 0 })?;
        let AnsweredCell { rows, facts, .. } = answered?;
        let drawn = if facts.estimated { trials / 16 } else { 0 };
        Ok(1 + rows.len() as u64 + states.into_inner() + drawn)
    };
    let length = study.info().cells.div_ceil(PILOTS).max(1);
    let stretches = study.info().cells.div_ceil(length);
    let middle = |stretch: usize| (stretch * length + length / 2).min(study.info().cells - 1);
    (0..stretches).into_par_iter().map(|stretch| of_cell(middle(stretch))).collect()
}

/// Returns the first cell (1-based) of each shard. Shards cost about the same; none is empty.
fn shares(costs: &[u64], cells: usize, shards: usize) -> Vec<usize> {
    let length = cells.div_ceil(PILOTS).max(1);
    let mut all = 0;
    let end = |(stretch, cost): (usize, &u64)| {
        let long = length.min(cells - stretch * length);
        all += u128::from(*cost) * long as u128;
        all
    };
    let ends: Vec<u128> = costs.iter().enumerate().map(end).collect();
    let first = |shard: usize| {
        let before = all * shard as u128 / shards as u128;
        let stretch = ends.partition_point(|end| *end <= before).min(costs.len() - 1);
        let start = stretch.checked_sub(1).map_or(0, |last| ends[last]);
        stretch * length + ((before - start) / u128::from(costs[stretch])) as usize
    };
    // The number (1-based) of the last first cell is the index (0-based) of the next cell.
    let mut firsts = Vec::new();
    for shard in 0..shards {
        let least = firsts.last().copied().unwrap_or(0);
        firsts.push(first(shard).clamp(least, cells - (shards - shard)) + 1);
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inconsistent_plans_are_refused() {
        let identity = Identity { version: "0.0.9".to_string(), cells: 4, ..Identity::default() };
        let plan = ShardPlan { identity, shards: vec![1], ..ShardPlan::default() };
        for shards in [vec![], vec![0, 3], vec![2], vec![1, 1], vec![1, 3, 2], vec![1, 5]] {
            let plan = hashed(ShardPlan { shards, ..plan.clone() }, |plan| &mut plan.hash);
            let message = ShardPlan::read(&serde_json::to_string(&plan).unwrap()).unwrap_err();
            assert!(message.starts_with("its shards do not cover"), "{message}");
        }
        let plan = hashed(plan, |plan| &mut plan.hash);
        let message = ShardPlan::read(&serde_json::to_string(&plan).unwrap()).unwrap_err();
        assert!(message.starts_with("the plan needs lowcrawl 0.0.9, but this is "), "{message}");
    }
}
