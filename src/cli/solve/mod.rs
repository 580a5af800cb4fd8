//! The `solve` command: the best play of a campaign, of Rally Phases or of a sequence, from a file.

use std::path::PathBuf;

use clap::{ArgMatches, Args};

use super::compare::{is_line, objective, question_in_line};
use super::fault::{Failure, Result};
use super::field_args::SolveOverrides;
use super::file_root::FileRoot;
use super::progress::ask;
use super::reply::{CommandCourse, Reply, ReplyCommand};
use super::rout::scenario;
use super::run::{SideArgument, number, optional};
use super::shell_words::{quoted, typed};
use super::stop::watch;
use crate::article::request::QuestionParser;
use answer::{Options, QuestionInfo};
use api::Request;
use api::read::{MOST_DECISIONS, RARE, nothing_to_choose};
use api::request::Solving;
use asl::campaign::MAX_TURNS;
use asl::course::campaign::named_objective;
use asl::rout::RoutRules;
use asl::scenario::campaign::campaign_on_map;
use asl::scenario::{bars_campaign, is_situation, no_dice};
use engine::text::Fault;
use play::{Courses, Depth, DynQuestion, Objective, Registry};
use render::Looks;
use schema::FieldFault;
use schema::common_fields::GIVEN;
use schema::form::setting;

pub const HELP: &str = "\
The file has the broken unit, its terrain and the objective:

  question = \"campaign\"        # or rally, sequence: who should try to rally,
                               # and in which order
  objective = \"good-order\"     # or survives, in-cover, squad-equivalents, cvp, good-order-squads;
                               # or weights of them: { good-order = 1.0, cvp = -0.25 };
                               # or a count of units: \"mmc holds\", \"mmc holds >= 2\"
  [base]
  unit = \"german:4-6-7/broken,dm\"
  open = 3                     # Open Ground hexes on the way to cover
  interdicted = 2              # number of these that the enemy Interdicts, nearest first
  cover = \"woods\"
  leader = \"8-1\"               # in the cover
  fp = 6                       # FP of the attack on an exposed hex in each fire phase
  turns = 6                    # Player Turns

`lowcrawl help campaign` has every key; examples are in studies/compare. Each [[course]] is for \
`compare`. A situation file, as for `rout`, is played on its map with --turns and --objective, or \
with its [campaign]. A file of another morale system names it at the top (system = \"NAME\"). Its \
questions and fields are those of its commands.";

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new campaign --out campaign.toml",
    "lowcrawl solve campaign.toml --turns 3 --tree 2",
    "lowcrawl solve \"cross 4-6-7 --path 'open, open' --defender 'G: 6-6-6 @ 3, 1'\" --all",
];

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// File of a campaign, a comparison or a situation (TOML), or a question as a command line in
    /// quotes
    #[arg(value_name = "FILE|COMMAND")]
    file: PathBuf,
    /// Objective: good-order, good-order-squads, survives, in-cover, squad-equivalents, cvp
    /// [default: from the file]
    #[arg(long, value_name = "NAME")]
    objective: Option<String>,
    #[command(flatten)]
    side: SideArgument,
    /// Player Turns of a campaign [default: from the file]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    turns: Option<String>,
    /// Show a decision tree with this depth (1 to 12)
    #[arg(long, allow_hyphen_values = true, value_name = "DEPTH",
        conflicts_with_all = ["format", "out"])]
    tree: Option<String>,
    /// Show the choice in more states: up to 24 that are met often
    #[arg(long, conflicts_with = "tree")]
    all: bool,
    #[command(flatten)]
    over: SolveOverrides,
    #[arg(skip)]
    parser: Option<QuestionParser>,
}

impl ReplyCommand for Solve {
    fn reply(&self, registry: &Registry, files: &FileRoot) -> Result<Reply> {
        let path = self.file.display().to_string();
        let (question, about, objective) = if is_line(&self.file) {
            self.in_line(&path, (registry, files))?
        } else {
            let text = files.text_like(&self.file, "campaign")?;
            match is_situation(&text) {
                true => self.on_map(&path, &text, files)?,
                false => self.in_file(&path, &text, registry)?,
            }
        };
        let depth = optional("--tree", self.tree.as_deref(), 1, MOST_DECISIONS as u64)?;
        let depth = depth.map_or(Depth::Policy, |depth| Depth::Tree(depth as usize, RARE));
        let kind = question.words().facts().kind;
        let objective = self.side.over(objective, &[kind])?;
        let solving = Solving { about, question, objective, depth };
        let options = Options { watch: watch(), ..Options::default() };
        let answer = ask(Request::Solve(solving), self.words(), &options)
            .map_err(|refused| Failure::from(refused).in_file(&self.file))?;
        let looks = Looks { all: self.all, ..Looks::default() };
        let (title, before) = (String::new(), String::new());
        Ok(Reply::Answer { answer, looks, options, title, before })
    }
}

/// A question, the description in its file, and the objective of play.
type Played = (Box<dyn DynQuestion>, Option<String>, Objective);

impl Solve {
    /// Sets the parser of command lines, for a question that is written as one.
    pub fn with_parser(self, parser: QuestionParser) -> Solve {
        Solve { parser: Some(parser), ..self }
    }

    fn in_line(&self, line: &str, (registry, files): (&Registry, &FileRoot)) -> Result<Played> {
        let refused = |fault| Failure::argument("COMMAND", line, fault);
        if let Some(turns) = &self.turns {
            let failure = Failure::refused("--turns", turns, "`--turns` is for files");
            return Err(failure.help("write it into the question"));
        }
        let remove =
            |_: &str, _: &ArgMatches| "remove it: a best play has its own form".to_string();
        let given = &self.over.given;
        let CommandCourse { game, kind, question, .. } =
            question_in_line((self.parser, line), given, (registry, files), remove)?;
        nothing_to_choose(game, kind).map_or(Ok(()), |fault| Err(refused(fault)))?;
        question
            .solvable()
            .map_err(|FieldFault { fault, .. }| refused(Fault { span: 0..line.len(), ..fault }))?;
        let wanted = ("--objective", self.objective.as_deref(), &self.side);
        let objective = objective((game, kind), &[&*question], wanted)?;
        Ok((question, None, objective))
    }

    fn in_file(&self, path: &str, text: &str, registry: &Registry) -> Result<Played> {
        let in_file = |fault| Failure::file(path, text, fault);
        let file = Courses::parse(text, false, registry).map_err(in_file)?;
        if let Some(fault) = nothing_to_choose(file.game, file.kind) {
            return Err(in_file(fault));
        }
        let mut form = file.shared.form().boxed();
        self.over.given.fill(form.as_mut())?;
        if let Some(turns) = &self.turns {
            let set = match form.knows(TURNS) {
                true => form.set(TURNS, setting(turns)),
                false => {
                    let message = format!("a `{}` has no Player Turns", file.kind.name);
                    Err(Fault::new(message, 0..turns.len()))
                }
            };
            set.map_err(|fault| Failure::argument("--turns", turns, fault))?;
        }
        let blamed = |FieldFault { field, fault }: FieldFault| match self.over.given.has(&field) {
            true => self.over.given.blame(&field, fault),
            false => in_file(file.shared.place_fault(FieldFault { field, fault })),
        };
        let question = form.finish().map_err(blamed)?;
        question.solvable().map_err(blamed)?;
        let objective = self.objective(&file, question.words())?;
        Ok((question, file.about, objective))
    }

    fn on_map(&self, path: &str, text: &str, files: &FileRoot) -> Result<Played> {
        let given = &self.over.given;
        if given.has(GIVEN) {
            return Err(given.blame(GIVEN, no_dice(0..0)));
        }
        if let Some(option) = given.unknown_to(&RoutRules::default()) {
            let message = "in a situation, the map shows the enemy";
            return Err(Failure::refused(&option, "", message).help("remove it"));
        }
        let scenario = scenario(&self.file, text, given, (files, &[]))?;
        let missing = |what: &str, help: &'static str| {
            let fault = Fault::new(format!("the situation does not give {what}"), 0..0);
            Failure::file(path, text, fault.help(help))
        };
        let defaults = scenario.campaign.clone().unwrap_or_default();
        let turns = match &self.turns {
            Some(turns) => number("--turns", turns, 1, MAX_TURNS as u64)? as u16,
            None => scenario.turns().ok_or_else(|| {
                missing("the number of Player Turns", "--turns 4, or `turns = 4` in [campaign]")
            })?,
        };
        let objective = match &self.objective {
            Some(text) => named_objective(text)
                .map_err(|fault| Failure::argument("--objective", text, fault))?,
            None => defaults.objective.clone().ok_or_else(|| {
                missing("the objective", "--objective good-order, or `objective` in [campaign]")
            })?,
        };
        if let Some(reason) = bars_campaign(&scenario.situation.routers[defaults.unit]) {
            return Err(missing("a unit to follow", reason));
        }
        let question = campaign_on_map(&scenario, defaults.unit, turns);
        let question = question.map_err(|error| Failure::file(path, text, error.fault))?;
        Ok((question, scenario.about, objective))
    }

    fn objective(&self, file: &Courses, question: &dyn QuestionInfo) -> Result<Objective> {
        let Some(text) = &self.objective else { return Ok(file.objective.clone()) };
        let (kind, measures) = (file.kind, file.game.measures());
        let read = Objective::read(text, measures, &[kind]).and_then(|objective| {
            objective.check(question)?;
            objective.check_kind(kind, 0..text.len())?;
            Ok(objective)
        });
        read.map_err(|fault| Failure::argument("--objective", text, fault))
    }

    fn words(&self) -> String {
        let mut words = format!("lowcrawl solve {}", quoted(&self.file.display().to_string()));
        for (option, value) in [("objective", &self.objective), ("turns", &self.turns)] {
            words.extend(value.iter().map(|value| typed(option, value)));
        }
        words + &self.side.words() + &self.over.given.words()
    }
}

const TURNS: &str = "turns";
