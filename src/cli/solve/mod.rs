//! `solve`: the best play of a campaign, or of the Rally Phases of a stack, from a file.

mod problem;
mod told;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;

use super::ask::RuleArguments;
use super::fault::Failure;
use super::output::{OutputArguments, write};
use super::rout::unreadable;
use super::run::number;
use super::typed::{blame, quoted, typed, whole};
use super::{read_beside, read_text};
use crate::asl::campaign::MAX_TURNS;
use crate::asl::question::{FieldFault, Kind, Value};
use crate::course::objective::Objective;
use crate::course::standing::{IN_COVER, MEASURES};
use crate::engine::EngineError;
use crate::study::campaign::{columns, row};
use crate::study::compare::file::{Kinds, parse_shared};
use crate::study::compare::policy::Ruled;
use crate::study::situation::{bars_campaign, is_situation, read};
use crate::study::systems::{self, with_system};
use crate::system::form::Form;
use crate::system::{Measure, System};
use crate::table::{Meta, Sheet};
use crate::text::Fault;
pub use problem::described;
use problem::{CampaignProblem, Problem, StackProblem, SystemProblem};

/// What the command reads of its file.
pub const HELP: &str = "\
The file says who is broken, on what ground, and what for he is to be played:

  question = \"campaign\"        # or rally, sequence: who tries to rally first, and who had better not
  objective = \"good-order\"     # or survives, in-cover, squad-equivalents, cvp, good-order-squads;
                               # or weights of them: { good-order = 1.0, cvp = -0.25 }
  [base]
  unit = \"german:4-6-7/broken,dm\"
  open = 3                     # Open Ground hexes on the way to cover
  interdicted = 2              # of them in the enemy's LOS and Normal Range, the nearest first
  cover = \"woods\"
  leader = \"8-1\"               # in the cover
  fp = 6                       # attack on an exposed hex in every phase of fire
  turns = 6                    # Player Turns

Every key is in the README; examples are in studies/compare. What stands as [[course]] is for `compare`. A situation
file, as `rout` reads it, is played on its map: by --turns and --objective, or by its [campaign]. A file of another
morale system names it at the top (system = \"NAME\"): questions and fields are those of its commands.";

/// Options of `solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// File of a campaign, a comparison or a situation (TOML)
    file: PathBuf,
    /// What is played for: good-order, good-order-squads, survives, in-cover, squad-equivalents, cvp; without it that of the file
    #[arg(long, value_name = "NAME")]
    objective: Option<String>,
    /// Player Turns of a campaign; without it those of the file
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    turns: Option<String>,
    /// Show the decisions as a tree, so many (1 to 12) on every path
    #[arg(long, allow_hyphen_values = true, value_name = "DEPTH", conflicts_with_all = ["format", "out"])]
    tree: Option<String>,
    /// ELR of the side
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    elr: Option<String>,
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// Most decisions on a path of the tree.
const MAX_DEPTH: u64 = 12;

impl Solve {
    pub fn run(&self) -> Result<(), Failure> {
        let path = self.file.display().to_string();
        let text = read_text(&self.file)?;
        let in_file = |fault| Failure::argument(&path, &text, fault);
        if is_situation(&text) {
            return self.solve_situation(&path, &text);
        }
        let system = systems::named(&text).map_err(in_file)?;
        if let Some(done) = with_system!(system, System => self.of_system::<System>(&path, &text)) {
            return done;
        }
        match parse_shared(&text).map_err(in_file)? {
            Kinds::Campaigns(file) => {
                let mut form = file.shared().map_err(in_file)?;
                self.fill(&mut form)?;
                if let Some(turns) = &self.turns {
                    let turns = number("--turns", turns, 1, MAX_TURNS as u64)?;
                    form.set("turns", Value::Integer(turns as i64)).map_err(|fault| blame("turns", &[], fault))?;
                }
                let ruled = ruled(form.finish()).map_err(|error| in_file(file.place_shared_fault(error)))?;
                self.solve(&CampaignProblem::new(&ruled.question), file.about(), self.objective(&file.objective, &MEASURES)?)
            }
            Kinds::Stacks(file) => {
                if let Some(turns) = &self.turns {
                    let fault = Fault::new("only a campaign has Player Turns", 0..turns.len());
                    return Err(Failure::argument("--turns", turns, fault));
                }
                let mut form = file.shared().map_err(in_file)?;
                self.fill(&mut form)?;
                let ruled = ruled(form.finish()).map_err(|error| in_file(file.place_shared_fault(error)))?;
                if !matches!(ruled.question.kind(), Kind::Rally | Kind::Sequence) {
                    let message = format!("a `{}` leaves nothing to choose", ruled.question.kind().name());
                    return Err(in_file(Fault::new(message, 0..0).help("question = \"campaign\", or rally, sequence")));
                }
                let objective = self.objective(&file.objective, &MEASURES)?;
                if let Some(text) = self.objective.as_ref().filter(|_| objective.weighs(IN_COVER)) {
                    let fault = Fault::new("a stack does not tell where its units are", 0..text.len());
                    return Err(Failure::argument("--objective", text, fault));
                }
                self.solve(&StackProblem::new(ruled.question), file.about(), objective)
            }
        }
    }

    /// A question of a system other than the first.
    fn of_system<S: System>(&self, path: &str, text: &str) -> Result<(), Failure> {
        let in_file = |fault| Failure::argument(path, text, fault);
        let file = systems::courses::<S>(text, false).map_err(in_file)?;
        let mut form = file.shared().map_err(in_file)?;
        self.fill(&mut form)?;
        if let Some(turns) = &self.turns {
            form.set("turns", whole(turns)).map_err(|fault| Failure::argument("--turns", turns, fault))?;
        }
        let ruled = ruled(form.finish()).map_err(|error| in_file(file.place_shared_fault(error)))?;
        let objective = self.objective(&file.objective, S::measures())?;
        self.solve(&SystemProblem::new(ruled.question), file.about(), objective)
    }

    /// The campaign of a routing unit on a map.
    fn solve_situation(&self, path: &str, text: &str) -> Result<(), Failure> {
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let table = |name: &str| beside.join(name).display().to_string();
        let options = self.rules.of_situation(self.elr.as_deref())?;
        let scenario = read(text, &options, &|name| read_beside(beside, name));
        let scenario = scenario.map_err(|error| unreadable(error, path, text, table))?;
        let missing = |what: &str, help: &str| {
            let message = format!("the situation does not say {what}");
            Failure::argument(path, text, Fault::new(message, 0..0).help(help.to_string()))
        };
        let given = scenario.campaign.clone().unwrap_or_default();
        let turns = match &self.turns {
            Some(turns) => number("--turns", turns, 1, MAX_TURNS as u64)? as u16,
            None => {
                given.turns.ok_or_else(|| missing("over how many Player Turns", "--turns 4, or `turns = 4` in [campaign]"))?
            }
        };
        let objective = match (&self.objective, given.objective.clone()) {
            (None, Some(of_file)) => of_file,
            (None, None) => return Err(missing("what is played for", "--objective good-order, or `objective` in [campaign]")),
            (Some(text), _) => {
                Objective::named(text, &MEASURES).map_err(|fault| Failure::argument("--objective", text, fault))?
            }
        };
        if let Some(reason) = bars_campaign(&scenario.situation.routers[given.unit]) {
            return Err(missing("a unit to follow", reason));
        }
        self.solve(&CampaignProblem::on_map(&scenario, given.unit, turns), scenario.about.as_deref(), objective)
    }

    fn fill<F: Form>(&self, form: &mut F) -> Result<(), Failure> {
        if let Some(elr) = self.elr.as_deref().map(whole) {
            form.set("elr", elr).map_err(|fault| blame("elr", &[("elr", elr)], fault))?;
        }
        self.rules.fill(form)
    }

    fn objective(&self, of_file: &Objective, measures: &'static [Measure]) -> Result<Objective, Failure> {
        match &self.objective {
            Some(text) => Objective::named(text, measures).map_err(|fault| Failure::argument("--objective", text, fault)),
            None => Ok(of_file.clone()),
        }
    }

    fn solve<Q: Problem>(&self, problem: &Q, about: Option<&str>, objective: Objective) -> Result<(), Failure> {
        let depth = self.tree.as_deref().map(|text| number("--tree", text, 1, MAX_DEPTH)).transpose()?;
        let meta = Meta { objective: Some(objective.to_string()), ..problem.described(self.words()) };
        let mut heading = about.map_or(String::new(), |about| format!("{}\n\n", about.trim()));
        heading += &format!("{}\nObjective: {}.\n\n", meta.question, objective.in_words(problem.several()));
        let mut best = problem.best(&objective).map_err(too_big)?;
        // Solving does not look; its answer is not wanted any more.
        if super::STOP.load(Ordering::Relaxed) {
            return Err(Failure::from(EngineError::Interrupted));
        }
        let footing = told::footing(&meta, best.states());
        if let Some(depth) = depth {
            let tree = best.tree(depth as usize, told::RARE).map_err(too_big)?;
            return super::print(heading + &told::tree(&tree, best.value()[0]) + &footing);
        }
        let decisions = best.policy().map_err(too_big)?;
        let opening = told::opening(&mut best, problem.subject()).map_err(too_big)?;
        let rows = decisions.iter().map(row).collect();
        let sheet = Sheet { columns: columns(), rows, json_only: None, lists: Vec::new(), meta };
        write(&self.output, &sheet, || {
            let named = told::named_policies(problem.named_policies(&objective), best.value()[0]);
            format!("{heading}{opening}\n{}{named}{footing}", told::policy(&decisions))
        })
    }

    /// The command as it would be typed to get the same again.
    fn words(&self) -> String {
        let mut words = format!("lowcrawl solve {}", quoted(&self.file.display().to_string()));
        for (option, value) in [("objective", &self.objective), ("turns", &self.turns), ("elr", &self.elr)] {
            words += &value.as_deref().map_or(String::new(), |value| typed(option, &whole(value)));
        }
        words + &self.rules.words()
    }
}

/// What is to be played best has no policy of its own.
fn ruled<Q>(finished: Result<Ruled<Q>, FieldFault>) -> Result<Ruled<Q>, FieldFault> {
    match finished {
        Ok(Ruled { policy: Some(_), .. }) => {
            let fault = Fault::new("what is to be solved is played best: it has no policy", 0..0);
            Err(FieldFault { field: "policy".to_string(), fault: fault.help("a policy belongs to a [[course]] of `compare`") })
        }
        other => other,
    }
}

/// What is beyond the bound.
pub fn too_big(error: EngineError) -> Failure {
    let help =
        "ask for fewer Player Turns (`turns`) or phases, or fewer units; `created-stay` and `enemy-holds-fire` make it bigger";
    Failure::Engine { help: matches!(error, EngineError::TooManyStates { .. }).then_some(help), error }
}
