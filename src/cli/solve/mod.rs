//! `solve`: the best play of a campaign, or of the Rally Phases of a stack, from a file.

mod told;

use std::path::{Path, PathBuf};

use clap::Args;

use super::fault::Failure;
use super::output::{OutputArguments, try_write};
use super::over::Over;
use super::rout::unreadable;
use super::run::number;
use super::typed::{quoted, typed};
use super::{read_beside, read_text};
use crate::asl::campaign::{Campaign, MAX_TURNS};
use crate::asl::rout::{RoutRules, Router};
use crate::course::campaign::{Ask, Campaigning};
use crate::course::standing::MEASURES;
use crate::door::House;
use crate::engine::EngineError;
use crate::study::campaign::{columns, row};
use crate::study::courses::Courses;
use crate::study::objective::untold;
use crate::study::situation::{Scenario, bars_campaign, is_situation, left_out, read};
use crate::system::asking::{Asking, Depth, Ready};
use crate::system::draft::{POLICY, Word as _};
use crate::system::form::{FieldFault, Value, setting};
use crate::system::objective::Objective;
use crate::system::{Measure, Play};
use crate::table::{Meta, Sheet};
use crate::text::Fault;

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
    #[command(flatten)]
    over: Over,
    #[command(flatten)]
    output: OutputArguments,
}

/// Most decisions on a path of the tree.
const MAX_DEPTH: u64 = 12;

impl Solve {
    pub fn run(&self, house: &House) -> Result<(), Failure> {
        let path = self.file.display().to_string();
        let text = read_text(&self.file)?;
        let in_file = |fault| Failure::argument(&path, &text, fault);
        if is_situation(&text) {
            return self.solve_situation(&path, &text);
        }
        let file = Courses::parse(&text, false, house).map_err(in_file)?;
        if file.kind.play == Play::Unasked {
            let choosing = file.game.kinds().iter().filter(|kind| kind.play != Play::Unasked).map(|kind| kind.name);
            let fault = Fault::new(format!("a `{}` leaves nothing to choose", file.kind.name), 0..0);
            return Err(in_file(fault.help(format!("question = {}", choosing.collect::<Vec<_>>().join(" or ")))));
        }
        let mut form = file.shared().map_err(in_file)?;
        self.over.given.fill(form.as_mut())?;
        if let Some(turns) = &self.turns {
            let set = match form.knows(TURNS) {
                true => form.set(TURNS, setting(turns)),
                false => Err(Fault::new(format!("a `{}` has no Player Turns", file.kind.name), 0..turns.len())),
            };
            set.map_err(|fault| Failure::argument("--turns", turns, fault))?;
        }
        let question = form.finish().map_err(|error| in_file(file.place_shared_fault(error)))?;
        if question.names_policy() {
            let fault = Fault::new("what is to be solved is played best: it has no policy", 0..0);
            let fault = fault.help("a policy belongs to a [[course]] of `compare`");
            return Err(in_file(file.place_shared_fault(FieldFault { field: POLICY.to_string(), fault })));
        }
        let objective = self.objective(&file.objective, file.game.measures())?;
        if let (Some(text), Some(measure)) = (&self.objective, file.kind.untold.iter().find(|untold| objective.weighs(untold))) {
            let fault = untold(file.kind, measure, file.game.measures(), 0..text.len());
            return Err(Failure::argument("--objective", text, fault));
        }
        self.solve(question.as_ref(), file.about(), objective)
    }

    /// The campaign of a routing unit on a map.
    fn solve_situation(&self, path: &str, text: &str) -> Result<(), Failure> {
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let table = |name: &str| beside.join(name).display().to_string();
        let mut rules = RoutRules::default();
        if let Some(option) = self.over.given.unknown_to(&rules) {
            let fault = Fault::new("the map of a situation shows who and where the enemy is", 0..0);
            return Err(Failure::argument(&option, "", fault.help("leave it out")));
        }
        self.over.given.fill(&mut rules)?;
        let scenario = read(text, &|rules| self.over.given.put(rules), &|name| read_beside(beside, name));
        let scenario = scenario.map_err(|error| unreadable(error, path, text, table))?;
        let missing = |what: &str, help: &str| {
            let message = format!("the situation does not say {what}");
            Failure::argument(path, text, Fault::new(message, 0..0).help(help.to_string()))
        };
        let given = scenario.campaign.clone().unwrap_or_default();
        let turns = match &self.turns {
            Some(turns) => number("--turns", turns, 1, MAX_TURNS as u64)? as u16,
            None => {
                given.turns().ok_or_else(|| missing("over how many Player Turns", "--turns 4, or `turns = 4` in [campaign]"))?
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
        let question = Ready::new(campaign_on_map(&scenario, given.unit, turns).into(), Ask::Campaign.declared(), None);
        let question = question.map_err(|error| Failure::argument(path, text, error.fault))?;
        self.solve(&question, scenario.about.as_deref(), objective)
    }

    fn objective(&self, of_file: &Objective, measures: &'static [Measure]) -> Result<Objective, Failure> {
        match &self.objective {
            Some(text) => Objective::named(text, measures).map_err(|fault| Failure::argument("--objective", text, fault)),
            None => Ok(of_file.clone()),
        }
    }

    fn solve(&self, question: &dyn Asking, about: Option<&str>, objective: Objective) -> Result<(), Failure> {
        let depth = self.tree.as_deref().map(|text| number("--tree", text, 1, MAX_DEPTH)).transpose()?;
        let mut meta = Meta {
            question: question.words().in_full(),
            objective: Some(objective.to_string()),
            engine: "exact",
            arithmetic: Some("float"),
            ..question.meta(self.words())
        };
        let several = question.words().units() > 1;
        let mut heading = about.map_or(String::new(), |about| format!("{}\n\n", about.trim()));
        heading += &format!("{}\nObjective: {}.\n\n", meta.question, objective.in_words(several));
        let wanted = depth.map_or(Depth::Policy, |depth| Depth::Tree(depth as usize, told::RARE));
        let solved = question.solve(&objective, wanted, super::watch()).map_err(too_big)?;
        meta.worked(solved.states);
        let footing = told::footing(&meta, solved.states);
        if depth.is_some() {
            return super::print(heading + &told::tree(&solved.tree, solved.value[0]) + &footing);
        }
        let rows = solved.decisions.iter().map(row).collect();
        let sheet = Sheet { columns: columns(), rows, json_only: None, lists: Vec::new(), meta };
        try_write(&self.output, &sheet, || {
            let opening = told::opening(&solved, question.subject());
            let named = told::named_policies(question.policies_worth(&objective, super::watch())?, solved.value[0]);
            Ok(format!("{heading}{opening}\n{}{named}{footing}", told::policy(&solved.decisions)))
        })
    }

    /// The command as it would be typed to get the same again.
    fn words(&self) -> String {
        let mut words = format!("lowcrawl solve {}", quoted(&self.file.display().to_string()));
        for (option, value) in [("objective", &self.objective), ("turns", &self.turns)] {
            words += &value.as_deref().map_or(String::new(), |value| typed(option, &Value::Text(value)));
        }
        words + &self.over.given.words()
    }
}

/// The field of Player Turns, or turns.
const TURNS: &str = "turns";

/// The campaign of a routing unit on a map.
fn campaign_on_map(scenario: &Scenario, unit: usize, turns: u16) -> Campaigning {
    let (situation, orders) = scenario.campaign_of(unit, turns);
    let Router { member, at, .. } = &situation.routers[0];
    let counted = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let words = format!(
        "{member} in {} over {} from the {} on, before {}",
        situation.map.site_name(*at),
        counted(turns.into(), "Player Turn"),
        orders.begin.name(),
        counted(situation.enemies.len(), "enemy unit"),
    );
    let notes = scenario.notes.iter().cloned().chain(left_out(&scenario.situation)).collect();
    let rulebook = situation.rulebook;
    let rules = (rulebook, rulebook.plays_heat_of_battle(situation.heat_of_battle), situation.elr);
    Campaigning::new(Campaign::new(situation, orders), words, notes, rules)
}

/// What is beyond the bound.
pub fn too_big(error: EngineError) -> Failure {
    let help =
        "ask for fewer Player Turns (`turns`) or phases, or fewer units; `created-stay` and `enemy-holds-fire` make it bigger";
    Failure::Engine { help: matches!(error, EngineError::TooManyStates { .. }).then_some(help), error }
}
