//! Rendering of a best play: the first choice, a table of later choices, and the decision tree.

use super::document::{Block, Document, aligned, emphasized, paragraph, paragraphs};
use super::layout::wrapped_behind;
use super::{Looks, assumptions};
use answer::QuestionFacts;
use answer::estimate::certain_to;
use api::answer::BestPlayAnswer;
use api::number_format::NumberFormat;
use api::read::RARE;
use api::request::Solving;
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::{Player, side_in_words};
use engine::solve::EQUAL;
use engine::text::counted;
use play::{Branch, Decision, Depth, Fork, Objective, Solved};

/// Largest number of decisions shown with `--all`.
const SHOWN: usize = 24;
/// Largest number of lines without `--all`, if at least [`LEAST_SHOWN`] later decisions fit.
const LINES: usize = 24;
const LEAST_SHOWN: usize = 2;

fn chance(probability: f64) -> String {
    format!("{:.1} %", 100.0 * probability)
}

/// Renders a best play. Fails if the computation that compares it with fixed policies is cancelled.
pub fn render(
    BestPlayAnswer { request, solved, meta }: &BestPlayAnswer,
    looks: &Looks,
    watch: Monitor,
) -> Result<Document, EngineError> {
    let Solving { about, question, objective, depth } = request;
    let about = about.as_ref().map_or(Document::default(), |about| paragraphs(about) + Block::Gap);
    let facts = question.words().facts();
    let several = solved.several(&facts);
    let words = objective.sentence(several, objective.side().word(&facts.sides));
    let heading = paragraph(&meta.question) + format!("{words}\n\n");
    let mut method = format!("Exact by backward induction over {} states", solved.states);
    method += &meta.error_bound.map_or(String::new(), |bound| {
        format!(", but for states of next to no chance ({})", certain_to(bound))
    });
    let footing = assumptions(&method, meta);
    let format = NumberFormat::new(objective, several, looks.digits.0);
    if let Depth::Tree(..) = depth {
        let mut tree = format!("{} best play\n", format.value(solved.value[0]));
        branches(&solved.tree, "", format, &mut tree);
        return Ok(about + heading + Block::Drawn(tree) + Block::Gap + footing);
    }
    let start = heading + opening(solved, &facts, objective, format) + Block::Gap;
    // If best play has too many states, so has each policy.
    let named = match solved.error_bound {
        None => question.policies_worth(objective, watch)?,
        Some(_) => Vec::new(),
    };
    let end = named_policies(named, objective, solved.value[0], format) + footing;
    let text =
        |shown| (start.clone() + policy(solved, &facts, shown, format) + end.clone()).fitted();
    if looks.all {
        return Ok(about + text(None));
    }
    let room = LINES.saturating_sub(about.lines());
    let shown = |room: usize| {
        let mut texts = (LEAST_SHOWN..SHOWN).rev().map(|shown| text(Some(shown)));
        texts.find(|text| text.lines() <= room)
    };
    let short = || shown(LINES).unwrap_or_else(|| text(Some(LEAST_SHOWN)));
    Ok(shown(room).map_or_else(short, |text| about + text))
}

/// Returns the first choice, its margin, and whether that is good or bad for the objective's side.
fn opening(
    best: &Solved,
    facts: &QuestionFacts,
    objective: &Objective,
    format: NumberFormat,
) -> Document {
    let certain =
        best.error_bound.map_or(String::new(), |bound| format!(", {}", certain_to(bound)));
    let value = format.value(best.value[0]);
    let value = emphasized(&format!("Best play: {value}{certain}."));
    let Some(now) = &best.opening else {
        return value + emphasized("Now there is nothing to choose.");
    };
    let enemy = acting_enemy(facts);
    let subject = if now.player == Player::Enemy { &*enemy } else { facts.subject };
    let more = if objective.is_minimized_for(now.player) { "less" } else { "more" };
    let side = objective.side();
    let good = if now.player == side { "better" } else { "worse" };
    let good = format!("{good} for {}", side_in_words(side.word(&facts.sides)));
    let option =
        |place: usize| now.choices.get(place).map(|choice| format!("{subject}{}", choice.option));
    let reason = match option(1) {
        Some(next) if now.margin() > EQUAL => {
            let margin = format.margin(now.margin());
            let value = format.value(now.choices[1].value[0]);
            format!(", {margin} {more} than if {next} ({value}): {good}")
        }
        Some(next) => format!("; for the objective it comes to the same if {next}"),
        None => String::new(),
    };
    value + emphasized(&format!("Now: {}{reason}.", option(0).unwrap_or_default()))
}

/// Returns the words for the enemy before what he does: `the firer `.
fn acting_enemy(facts: &QuestionFacts) -> String {
    side_in_words(Player::Enemy.word(&facts.sides)) + " "
}

/// Renders the choices in states that are not rare and in which they matter: in at most `most`
/// states after the first choice, or in [`SHOWN`] with it.
fn policy(
    best: &Solved,
    facts: &QuestionFacts,
    most: Option<usize>,
    format: NumberFormat,
) -> Document {
    let enemy = acting_enemy(facts);
    let decisions = &best.decisions;
    let differs = |(value, best): (&f64, &f64)| (value - best).abs() > EQUAL;
    let makes_a_difference = |decision: &&Decision| {
        let best = &decision.choices[0].value;
        decision.choices.iter().any(|choice| choice.value.iter().zip(best).any(differs))
    };
    let matters = decisions.iter().filter(makes_a_difference);
    let (matters, idle) = (matters.clone(), decisions.len() - matters.count());
    let often = matters.clone().filter(|decision| decision.reached >= RARE);
    let first = most.and(matters.clone().next()).zip(best.opening.as_ref());
    let first = usize::from(first.is_some_and(|(first, opening)| first.state == opening.state));
    let shown: Vec<&Decision> = often.skip(first).take(most.unwrap_or(SHOWN)).collect();
    let headings = ["state", "choice", "value", "margin", "reached"];
    let row = |decision: &&Decision| {
        let taken = &decision.choices[0];
        let who = if decision.player == Player::Enemy { &*enemy } else { "" };
        let [value, margin] = [taken.value[0], decision.margin()].map(|one| format.value(one));
        let choice = format!("{who}{}", taken.option);
        vec![decision.state.clone(), choice, value, margin, chance(decision.reached)]
    };
    let rows = shown.iter().map(row);
    let mut text = match shown.is_empty() {
        true => Document::default(),
        false => aligned(headings, rows, &[false, false, true]),
    };
    let states = |number: usize| counted(number as u64, "state");
    let left = match (matters.count() - first - shown.len(), idle) {
        (0, 0) => String::new(),
        (0, idle) => {
            format!("({} left out in which it does not matter what is done)", states(idle))
        }
        (hidden, idle) => {
            let alike = match idle {
                0 => String::new(),
                idle => format!(", {idle} without a difference"),
            };
            let all = if most.is_some() { "--all, " } else { "" };
            format!("({} later or rarer{alike}: {all}--format table)", states(hidden))
        }
    };
    text += paragraph(&left);
    if text.pieces().is_empty() { text } else { text + Block::Gap }
}

/// Renders the values of fixed policies, the best first; `best` is the value of the best play.
fn named_policies(
    mut worths: Vec<(String, f64)>,
    objective: &Objective,
    best: f64,
    format: NumberFormat,
) -> Document {
    if worths.is_empty() {
        return Document::default();
    }
    worths.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let row = |(words, worth): (String, f64)| {
        let value = objective.number(worth);
        let short = (best - value).abs();
        vec![words, format.value(value), format.value(if short <= EQUAL { 0.0 } else { short })]
    };
    let headings = ["always the same", "value", "short of the best by"];
    aligned(headings, worths.into_iter().map(row), &[false, true]) + Block::Gap
}

/// Adds branches of a decision tree. An arrow marks the best option, a cross the others.
fn branches(tree: &[(f64, Branch)], indent: &str, format: NumberFormat, text: &mut String) {
    for (place, (probability, branch)) in tree.iter().enumerate() {
        let is_last = place + 1 == tree.len();
        let (mark, further) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let end = match branch {
            Branch::End { value } => format!("no choice left, {}", format.value(*value)),
            Branch::Rare { decisions, value } => {
                let rarer = counted(*decisions as u64, "rarer state");
                format!("{rarer}, {} on average", format.value(*value))
            }
            Branch::Cut { state, value } => format!("{state}, {} ...", format.value(*value)),
            Branch::Fork(node) => node.decision.state.clone(),
        };
        let line = format!("{}: {end}", chance(*probability));
        *text +=
            &wrapped_behind(&format!("{indent}{mark}"), &format!("{indent}{further}  "), &line);
        if let Branch::Fork(node) = branch {
            options(node, &format!("{indent}{further}"), format, text);
        }
    }
}

fn options(node: &Fork, indent: &str, format: NumberFormat, text: &mut String) {
    for (place, choice) in node.decision.choices.iter().enumerate().rev() {
        let (mark, further) = if place == 0 { ("└> ", "     ") } else { ("├x ", "│    ") };
        let line = format!("{}, {}", choice.option, format.value(choice.value[0]));
        *text += &wrapped_behind(&format!("{indent}{mark}"), &format!("{indent}{further}"), &line);
    }
    branches(&node.leads, &format!("{indent}   "), format, text);
}
