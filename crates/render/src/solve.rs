//! Rendering of a best play: the first choice, a table of later choices, and the decision tree.

use super::assumptions;
use super::document::{Block, Document, aligned, paragraph, paragraphs};
use answer::QuestionFacts;
use answer::estimate::certain_to;
use api::answer::BestPlayAnswer;
use api::read::RARE;
use api::request::Solving;
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::Player;
use engine::solve::EQUAL;
use engine::text::counted;
use play::{Branch, Decision, Depth, Fork, Objective, Solved};

/// Largest number of decisions shown.
const SHOWN: usize = 24;

fn chance(probability: f64) -> String {
    format!("{:.1} %", 100.0 * probability)
}

fn figure(value: f64) -> String {
    format!("{value:.4}")
}

/// Renders a best play. Fails if the computation that compares it with fixed policies is cancelled.
pub fn render(
    BestPlayAnswer { request, solved, meta }: &BestPlayAnswer,
    watch: Monitor,
) -> Result<Document, EngineError> {
    let Solving { about, question, objective, depth } = request;
    let about = about.as_ref().map_or(Document::default(), |about| paragraphs(about) + Block::Gap);
    let facts = question.words().facts();
    let words = objective.sentence(facts.units > 1, objective.side().word(&facts.sides));
    let heading = about + paragraph(&meta.question) + format!("{words}\n\n");
    let mut method = format!("Exact by backward induction over {} states", solved.states);
    method += &meta.error_bound.map_or(String::new(), |bound| {
        format!(", but for states of next to no chance ({})", certain_to(bound))
    });
    let footing = assumptions(&method, meta);
    if let Depth::Tree(..) = depth {
        let mut tree = format!("{} best play\n", figure(solved.value[0]));
        branches(&solved.tree, "", &mut tree);
        return Ok(heading + Block::Drawn(tree) + Block::Gap + footing);
    }
    let opening = opening(solved, &facts, objective);
    // If best play has too many states, so has each policy.
    let named = match solved.error_bound {
        None => question.policies_worth(objective, watch)?,
        Some(_) => Vec::new(),
    };
    let named = named_policies(named, objective, solved.value[0]);
    Ok(heading + opening + Block::Gap + policy(&solved.decisions) + named + footing)
}

/// Returns the first choice, its margin, and whether that is good or bad for the objective's side.
fn opening(best: &Solved, facts: &QuestionFacts, objective: &Objective) -> String {
    let certain =
        best.error_bound.map_or(String::new(), |bound| format!(", {}", certain_to(bound)));
    let mut text = format!("Best play: {}{certain}.\n", figure(best.value[0]));
    let Some(now) = &best.opening else { return text + "Now there is nothing to choose.\n" };
    let subject = if now.player == Player::Enemy { "the enemy " } else { facts.subject };
    let more = if objective.is_minimized_for(now.player) { "less" } else { "more" };
    let side = objective.side();
    let good = if now.player == side { "better" } else { "worse" };
    let good = format!("{good} for the {}", side.word(&facts.sides));
    let option =
        |place: usize| now.choices.get(place).map(|choice| format!("{subject}{}", choice.option));
    text += &format!("Now: {}", option(0).unwrap_or_default());
    text += &match option(1) {
        Some(next) if now.margin() > EQUAL => {
            let (margin, value) = (figure(now.margin()), figure(now.choices[1].value[0]));
            format!(", {margin} {more} than if {next} ({value}): {good}.\n")
        }
        Some(next) => format!("; for the objective it comes to the same if {next}.\n"),
        None => ".\n".to_string(),
    };
    text
}

/// Renders the choice in each state, except rare states and those where it does not matter.
fn policy(decisions: &[Decision]) -> Document {
    let differs = |(value, best): (&f64, &f64)| (value - best).abs() > EQUAL;
    let makes_a_difference = |decision: &&Decision| {
        let best = &decision.choices[0].value;
        decision.choices.iter().any(|choice| choice.value.iter().zip(best).any(differs))
    };
    let matters = decisions.iter().filter(makes_a_difference);
    let (matters, idle) = (matters.clone(), decisions.len() - matters.count());
    let often = matters.clone().filter(|decision| decision.reached >= RARE);
    let shown: Vec<&Decision> = often.take(SHOWN).collect();
    let headings = ["state", "choice", "value", "margin", "reached"];
    let row = |decision: &&Decision| {
        let taken = &decision.choices[0];
        let who = if decision.player == Player::Enemy { "the enemy " } else { "" };
        let [value, margin] = [taken.value[0], decision.margin()].map(figure);
        let choice = format!("{who}{}", taken.option);
        vec![decision.state.clone(), choice, value, margin, chance(decision.reached)]
    };
    let rows = shown.iter().map(row);
    let mut text = aligned(headings, rows, &[false, false, true]);
    let hidden = matters.count() - shown.len();
    if hidden > 0 {
        let further = counted(hidden as u64, "further state");
        text += format!("({further}, later or rarer: `--format table` has them all)\n");
    }
    if idle > 0 {
        let idle = counted(idle as u64, "state");
        text += format!("({idle} left out in which it does not matter what is done)\n");
    }
    text + Block::Gap
}

/// Renders the values of fixed policies, the best first; `best` is the value of the best play.
fn named_policies(mut worths: Vec<(String, f64)>, objective: &Objective, best: f64) -> Document {
    worths.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let row = |(words, worth): (String, f64)| {
        let value = objective.number(worth);
        let short = (best - value).abs();
        vec![words, figure(value), figure(if short <= EQUAL { 0.0 } else { short })]
    };
    let headings = ["always the same", "value", "short of the best by"];
    aligned(headings, worths.into_iter().map(row), &[false, true]) + Block::Gap
}

/// Adds branches of a decision tree. An arrow marks the best option, a cross the others.
fn branches(tree: &[(f64, Branch)], indent: &str, text: &mut String) {
    for (place, (probability, branch)) in tree.iter().enumerate() {
        let is_last = place + 1 == tree.len();
        let (mark, further) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let end = match branch {
            Branch::End { value } => format!("no choice left, {}", figure(*value)),
            Branch::Rare { decisions, value } => {
                let rarer = counted(*decisions as u64, "rarer state");
                format!("{rarer}, {} on average", figure(*value))
            }
            Branch::Cut { state, value } => format!("{state}, {} ...", figure(*value)),
            Branch::Fork(node) => node.decision.state.clone(),
        };
        *text += &format!("{indent}{mark}{}: {end}\n", chance(*probability));
        if let Branch::Fork(node) = branch {
            options(node, &format!("{indent}{further}"), text);
        }
    }
}

fn options(node: &Fork, indent: &str, text: &mut String) {
    for (place, choice) in node.decision.choices.iter().enumerate().rev() {
        let mark = if place == 0 { "└> " } else { "├x " };
        *text += &format!("{indent}{mark}{}, {}\n", choice.option, figure(choice.value[0]));
    }
    branches(&node.leads, &format!("{indent}   "), text);
}
