//! `solve`: the best play of a campaign, from a file.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::ask::{OutputArguments, number, rout_options, write};
use super::fault::Failure;
use super::read_text;
use crate::asl::campaign::{Campaign, LaneCampaign, LaneDraft, MAX_TURNS};
use crate::asl::question::{FieldFault, Value};
use crate::course::best::{Best, Branch, Decision, Node};
use crate::course::campaign::{Line, Play, gain, worth};
use crate::course::objective::Objective;
use crate::course::policy::Policy;
use crate::engine::EngineError;
use crate::engine::exact::{Bound, odds};
use crate::process::Player;
use crate::study::campaign::file::CampaignFile;
use crate::study::campaign::{columns, row};
use crate::table::layout::aligned;
use crate::table::{Meta, Sheet};
use crate::text::Fault;

/// What the command reads of its file.
pub const HELP: &str = "\
The file says who is broken, on what ground, and what he is after:

  question = \"campaign\"
  objective = \"good-order\"     # or survives, in-cover, squad-equivalents, cvp, or weights: { good-order = 1, cvp = -0.25 }

  [base]
  unit = \"german:4-6-7/broken,dm\"
  open = 3                     # Open Ground hexes on the way to cover
  interdicted = 2              # of them in the enemy's LOS and Normal Range, the nearest first
  cover = \"woods\"
  leader = \"8-1\"               # in the cover
  fp = 6                       # attack on an exposed hex in every phase of fire
  turns = 6                    # Player Turns

Every key is in the README; examples are in studies/compare.";

/// Options of `solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// Campaign file (TOML)
    file: PathBuf,
    /// What is played for: good-order, survives, in-cover, squad-equivalents, cvp; without it that of the file
    #[arg(long, value_name = "NAME")]
    objective: Option<String>,
    /// Player Turns; without it those of the file
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    turns: Option<String>,
    /// Show the decisions as a tree, so many on every path
    #[arg(long, allow_hyphen_values = true, value_name = "DEPTH", conflicts_with_all = ["format", "out"])]
    tree: Option<String>,
    /// Edition of the rules: asl-v3, asl-v2, aslsk; without it that of the file
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Set a point of interpretation, such as i11=alternative; see `lowcrawl rules`
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    /// No Heat of Battle (A15.1)
    #[arg(long)]
    no_hob: bool,
    /// ELR of the side (A19.1)
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    elr: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
}

/// Most decisions on a path of the tree.
const MAX_DEPTH: u64 = 12;
/// Decisions told; the formats have all of them.
const SHOWN: usize = 24;
/// Chance below which decisions are not told one by one.
const RARE: f64 = 0.005;

impl Solve {
    pub fn run(&self) -> Result<(), Failure> {
        let place = self.file.display().to_string();
        let text = read_text(&self.file)?;
        let file = CampaignFile::parse(&text).map_err(|fault| Failure::argument(&place, &text, fault))?;
        let depth = self.tree.as_deref().map(|text| number("--tree", text, 1, MAX_DEPTH)).transpose()?;
        let (lane, objective) = (self.campaign(&file, &place, &text)?, self.objective(&file)?);
        let campaign = Arc::new(lane.campaign());
        let mut best = Best::solve(campaign.as_ref(), gain(&campaign, &objective)).map_err(too_big)?;
        if let Some(depth) = depth {
            let tree = best.tree(depth as usize, RARE).map_err(too_big)?;
            return super::print(heading(&lane, &objective, &file) + &told_tree(&tree, best.value()[0]));
        }
        let decisions = best.policy().map_err(too_big)?;
        let rows = decisions.iter().map(row).collect();
        let sheet = Sheet { columns: columns(), rows, json_only: None, lists: Vec::new(), meta: self.meta(&lane, &objective) };
        write(&self.output, &sheet, || {
            let mut told = heading(&lane, &objective, &file) + &told(&mut best, &decisions);
            told += &simple_policies(&campaign, &objective, best.value()[0]);
            told + &footing(&sheet.meta, best.states())
        })
    }

    /// The campaign of the file, with what is given here.
    fn campaign(&self, file: &CampaignFile, place: &str, text: &str) -> Result<LaneCampaign, Failure> {
        file.only().map_err(|fault| Failure::argument(place, text, fault))?;
        let mut draft = file.study.draft(0).map_err(|fault| Failure::argument(place, text, fault))?;
        let own = |option: &str, value: &str| {
            let (option, value) = (option.to_string(), value.to_string());
            move |fault: Fault| Failure::argument(&option, &value, fault)
        };
        let (profile, switches) = rout_options(self.profile.as_deref(), &self.set)?;
        if let Some(profile) = profile {
            draft.set("profile", Value::Text(profile.name())).map_err(own("--profile", profile.name()))?;
        }
        for (id, value) in &switches {
            draft.set(id, Value::Text(value)).map_err(own("--set", value))?;
        }
        if self.no_hob {
            draft.set("no-hob", Value::Boolean(true)).map_err(own("--no-hob", ""))?;
        }
        for (field, option, value, high) in [("turns", "--turns", &self.turns, MAX_TURNS as u64), ("elr", "--elr", &self.elr, 6)]
        {
            if let Some(value) = value {
                let number = number(option, value, u64::from(field == "turns"), high)?;
                draft.set(field, Value::Integer(number as i64)).map_err(own(option, value))?;
            }
        }
        self.finished(&draft, file, place, text)
    }

    fn finished(&self, draft: &LaneDraft, file: &CampaignFile, place: &str, text: &str) -> Result<LaneCampaign, Failure> {
        draft.finish().map_err(|error: FieldFault| Failure::argument(place, text, file.study.place_fault(0, error)))
    }

    fn objective(&self, file: &CampaignFile) -> Result<Objective, Failure> {
        match &self.objective {
            Some(text) => Objective::named(text).map_err(|fault| Failure::argument("--objective", text, fault)),
            None => Ok(file.objective.clone()),
        }
    }

    fn meta(&self, lane: &LaneCampaign, objective: &Objective) -> Meta {
        Meta { objective: Some(objective.to_string()), ..described(lane, self.words()) }
    }

    /// The command as it would be typed to get the same again.
    fn words(&self) -> String {
        let mut words = format!("lowcrawl solve {}", super::ask::quoted(&self.file.display().to_string()));
        let named = [("objective", &self.objective), ("turns", &self.turns), ("profile", &self.profile), ("elr", &self.elr)];
        for (option, value) in named.into_iter().filter_map(|(option, value)| Some((option, value.as_ref()?))) {
            words += &format!(" --{option} {}", super::ask::quoted(value));
        }
        for set in &self.set {
            words += &format!(" --set {set}");
        }
        words + if self.no_hob { " --no-hob" } else { "" }
    }
}

/// What the meta of a campaign says.
pub fn described(lane: &LaneCampaign, command: String) -> Meta {
    let rulebook = lane.company.rulebook;
    Meta {
        version: env!("CARGO_PKG_VERSION"),
        command,
        question: lane.in_words(),
        profile: rulebook.profile().name(),
        switches: rulebook.changed().map(|changed| (changed.id, rulebook.value(changed.switch))).collect(),
        heat_of_battle: lane.plays_heat_of_battle(),
        elr: lane.company.elr,
        engine: "exact",
        arithmetic: Some("float"),
        notes: lane.notes.clone(),
        ..Meta::default()
    }
}

/// A campaign beyond the bound.
pub fn too_big(error: EngineError) -> Failure {
    let help = matches!(error, EngineError::TooManyStates { .. })
        .then_some("ask for fewer Player Turns (`turns`), or for `created-stay = false`");
    Failure::Engine { error, help }
}

/// What is asked, and what for.
fn heading(lane: &LaneCampaign, objective: &Objective, file: &CampaignFile) -> String {
    let about = file.study.about.as_ref().map_or(String::new(), |about| format!("{}\n\n", about.trim()));
    format!("{about}{}\nObjective: {}.\n\n", lane.in_words(), objective.in_words(false))
}

/// A probability in words; every figure is in the other formats.
fn chance(probability: f64) -> String {
    format!("{:.1} %", 100.0 * probability)
}

fn figure(value: f64) -> String {
    format!("{value:.4}")
}

/// What is best, and what to do in each state.
fn told(best: &mut Best<Campaign>, decisions: &[Decision]) -> String {
    let mut text = format!("Best play: {}.\n", figure(best.value()[0]));
    if let Ok(Some(now)) = best.opening() {
        text += &format!("Now: the unit {}", now.choices[0].option);
        text += &match now.choices.get(1) {
            Some(next) if now.margin() > crate::engine::solve::EQUAL => {
                format!(", {} more than if it {} ({}).\n", figure(now.margin()), next.option, figure(next.value[0]))
            }
            Some(next) => format!("; as good for the objective: it {}.\n", next.option),
            None => ".\n".to_string(),
        };
    }
    let matters: Vec<&Decision> = decisions.iter().filter(|decision| makes_a_difference(decision)).collect();
    let idle = decisions.len() - matters.len();
    let told: Vec<&Decision> = matters.iter().copied().filter(|decision| decision.reached >= RARE).take(SHOWN).collect();
    let rows: Vec<Vec<String>> = told
        .iter()
        .map(|decision| {
            let taken = &decision.choices[0];
            let who = if decision.player == Player::Enemy { "the enemy " } else { "" };
            vec![
                decision.state.clone(),
                format!("{who}{}", taken.option),
                figure(taken.value[0]),
                figure(decision.margin()),
                chance(decision.reached),
            ]
        })
        .collect();
    let headings = ["state", "choice", "value", "margin", "reached"].map(str::to_string);
    text += &format!("\n{}", aligned(&headings, &rows, &[false, false, true, true, true], false));
    let hidden = matters.len() - told.len();
    if hidden > 0 {
        text += &format!("({hidden} further states, later or rarer: `--format table` has them all)\n");
    }
    if idle > 0 {
        text += &format!(
            "({idle} choice{} that make{} no difference left out)\n",
            if idle == 1 { "" } else { "s" },
            if idle == 1 { "s" } else { "" }
        );
    }
    text + "\n"
}

/// Whether something else would be worse.
fn makes_a_difference(decision: &Decision) -> bool {
    let first = &decision.choices[0].value;
    decision.choices.iter().any(|choice| choice.value.iter().zip(first).any(|(a, b)| (a - b).abs() > crate::engine::solve::EQUAL))
}

/// What those get who always do the same.
fn simple_policies(campaign: &Arc<Campaign>, objective: &Objective, best: f64) -> String {
    let mut rows: Vec<(f64, String)> = Vec::new();
    for words in ["run", "crawl", "run-if-one", "stay", "best-rout"] {
        for words in [words.to_string(), format!("{words}, keep-dm")] {
            let Some(policy) = Policy::parse(&words).ok().filter(|policy| policy.check(campaign).is_ok()) else { continue };
            let Ok(play) = Play::new(campaign, Line::Named(policy), objective) else { continue };
            let Some(odds) = odds(&play.of(campaign), Bound::STANDARD).ok().filter(|_| play.failure().is_none()) else {
                continue;
            };
            let value =
                odds.chances.iter().map(|chance| chance.probability * worth(campaign, objective, &chance.outcome)[0]).sum();
            rows.push((value, words));
        }
    }
    rows.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|(value, words)| vec![words, figure(value), figure(best - value)]).collect();
    let headings = ["always the same", "value", "short of the best by"].map(str::to_string);
    aligned(&headings, &rows, &[false, true, true], false) + "\n"
}

fn footing(meta: &Meta, states: usize) -> String {
    let heat = if meta.heat_of_battle { "with" } else { "without" };
    let mut text =
        format!("Exact by backward induction over {states} states; profile {}, {heat} Heat of Battle.\n", meta.profile);
    for (id, value) in &meta.switches {
        text += &format!("Interpretation {id}: {value}.\n");
    }
    for note in &meta.notes {
        text += &format!("Note: {note}.\n");
    }
    text
}

/// The tree, indented.
fn told_tree(tree: &[(f64, Branch)], value: f64) -> String {
    let mut text = format!("{} best play\n", figure(value));
    branches(tree, "", &mut text);
    text
}

fn branches(tree: &[(f64, Branch)], indent: &str, text: &mut String) {
    for (place, (chance, branch)) in tree.iter().enumerate() {
        let is_last = place + 1 == tree.len();
        let (mark, further) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let chance = self::chance(*chance);
        match branch {
            Branch::End { value } => *text += &format!("{indent}{mark}{chance}: no choice left, {}\n", figure(*value)),
            Branch::Rare { decisions, value } => {
                *text += &format!("{indent}{mark}{chance}: {decisions} rarer states, {} on average\n", figure(*value));
            }
            Branch::Cut { state, value } => *text += &format!("{indent}{mark}{chance}: {state}, {} ...\n", figure(*value)),
            Branch::Node(node) => {
                *text += &format!("{indent}{mark}{chance}: {}\n", node.decision.state);
                options(node, &format!("{indent}{further}"), text);
            }
        }
    }
}

fn options(node: &Node, indent: &str, text: &mut String) {
    for (place, choice) in node.decision.choices.iter().enumerate().rev() {
        let is_last = place == 0;
        let mark = if is_last { "└> " } else { "├x " };
        *text += &format!("{indent}{mark}{}, {}\n", choice.option, figure(choice.value[0]));
    }
    branches(&node.leads, &format!("{indent}   "), text);
}
