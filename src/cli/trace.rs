//! The `trace` command: shows one sequence of a question roll by roll.

use clap::Args;

use super::fault::{Failure, Result};
use super::file_root::FileRoot;
use super::progress::ask;
use super::reply::{Reply, ReplyCommand};
use super::rout::SituationArguments;
use super::run::seed;
use answer::Options;
use answer::options::{DEFAULT_SEED, MAX_TRIALS};
use api::request::{RoutWanted, Routing};
use api::trace::{PLAN, SCRIPT};
use api::{Refused, Request};
use play::{Registry, TraceDice};
use schema::FieldFault;

pub const TRACE: &str = "trace";
pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new situation --out street.toml",
    "lowcrawl trace rout street.toml",
    "lowcrawl trace rout street.toml --seed 7 --sequence 3",
];

/// Arguments of `trace rout`.
#[derive(Debug, Args)]
pub struct TracedRout {
    #[command(flatten)]
    situation: SituationArguments,
    /// Number of the unit's plan in the table of `rout`, where 1 is the best [default: the best
    /// play]
    #[arg(long, allow_hyphen_values = true, value_name = "N", requires = "unit")]
    plan: Option<String>,
    #[command(flatten)]
    dice: DiceArguments,
}

/// Options on the dice of a sequence.
#[derive(Debug, Args)]
pub struct DiceArguments {
    /// Seed of the dice
    #[arg(long, allow_hyphen_values = true, value_name = "N", conflicts_with = "script")]
    seed: Option<String>,
    /// Number of the sequence in a Monte Carlo run with this seed, from 0
    #[arg(long, allow_hyphen_values = true, value_name = "J", conflicts_with = "script")]
    sequence: Option<String>,
    /// Dice to use: a DR as `c,w`, coloured die first, a dr as one digit, such as "3,4 6,6 2"; d20
    /// as numbers
    #[arg(long, value_name = "DICE")]
    script: Option<String>,
}

impl ReplyCommand for TracedRout {
    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        let scenario = self.situation.scenario(files)?;
        let units = self.situation.units(&scenario.situation)?;
        let wanted = RoutWanted::Trace { plan: self.plan.clone(), dice: self.dice.dice()? };
        let request = Request::Rout(Box::new(Routing { scenario, units, wanted }));
        trace(request, &self.dice, self.plan.as_deref())
            .map_err(|failure| failure.in_file(&self.situation.file))
    }
}

/// Traces one sequence; `plan` is the argument of `--plan`, if given.
pub fn trace(request: Request, dice: &DiceArguments, plan: Option<&str>) -> Result<Reply> {
    match ask(request, String::new(), &Options::default()) {
        Err(Refused::Field(FieldFault { field, fault })) if field == SCRIPT => {
            Err(Failure::argument("--script", dice.script.as_deref().unwrap_or_default(), fault))
        }
        Err(Refused::Field(FieldFault { field, fault })) if field == PLAN => {
            Err(Failure::argument("--plan", plan.unwrap_or_default(), fault))
        }
        answer => Ok(Reply::plain(answer?, Options::default())),
    }
}

impl DiceArguments {
    /// Returns the dice of the sequence. Fails if the seed or the sequence number is invalid.
    pub fn dice(&self) -> Result<TraceDice> {
        Ok(match &self.script {
            Some(text) => TraceDice::Script(text.clone()),
            None => TraceDice::Seeded {
                seed: seed(self.seed.as_deref())?.unwrap_or(DEFAULT_SEED),
                sequence: self.sequence()?,
            },
        })
    }

    fn sequence(&self) -> Result<u64> {
        let Some(text) = &self.sequence else { return Ok(0) };
        let sequence = text.replace('_', "").parse().ok();
        sequence.filter(|sequence| *sequence < MAX_TRIALS).ok_or_else(|| {
            let message =
                format!("`--sequence` must be a whole number below {MAX_TRIALS}, not `{text}`");
            Failure::refused("--sequence", text, message)
        })
    }
}
