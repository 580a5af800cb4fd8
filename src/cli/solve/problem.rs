//! What can be solved: a process that leaves choices, and what is played for.

use std::sync::Arc;

use crate::asl::asked::footing;
use crate::asl::campaign::{Campaign, LaneCampaign};
use crate::asl::choice::Choices;
use crate::asl::engagement::Engagement;
use crate::asl::question::Question as StackQuestion;
use crate::asl::rout::Router;
use crate::asl::rulebook::Rulebook;
use crate::cli::ask;
use crate::course::best::Best;
use crate::course::campaign::{Line, Play, gain, worth};
use crate::course::line;
use crate::course::objective::Objective;
use crate::course::policy::Policy;
use crate::course::rally::POLICIES;
use crate::engine::EngineError;
use crate::engine::exact::{Bound, odds};
use crate::engine::solve::EQUAL;
use crate::process::{Decisions, Player, Point, Process, Question, Under};
use crate::study::compare::Comparable;
use crate::study::compare::policy::Ruled;
use crate::study::compare::stack::StackCourse;
use crate::study::situation::{Scenario, left_out};
use crate::system::{Asked, Played};
use crate::table::Meta;

/// Something to be solved.
pub trait Problem {
    type Process: Decisions;

    /// What the meta says of it.
    fn described(&self, command: String) -> Meta;
    /// Whether more than one unit counts.
    fn several(&self) -> bool;
    /// Who does what the options say, where they do not.
    fn subject(&self) -> &'static str;
    fn best<'a>(&'a self, objective: &'a Objective) -> Result<Best<'a, Self::Process>, EngineError>;
    /// What each named policy is worth; those that are not open to the unit, or too big to be exact, are left out.
    fn named_policies(&self, objective: &Objective) -> Vec<(String, f64)>;
}

/// A campaign.
pub struct CampaignProblem {
    campaign: Arc<Campaign>,
    meta: Meta,
}

impl CampaignProblem {
    /// On abstract ground.
    pub fn new(lane: &LaneCampaign) -> CampaignProblem {
        CampaignProblem { campaign: Arc::new(lane.campaign()), meta: described(lane, String::new()) }
    }

    /// Of a routing unit on a map.
    pub fn on_map(scenario: &Scenario, unit: usize, turns: u16) -> CampaignProblem {
        let (situation, orders) = scenario.campaign_of(unit, turns);
        let Router { member, at, .. } = &situation.routers[0];
        let counted = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let question = format!(
            "{member} in {} over {} from the {} on, before {}",
            situation.map.site_name(*at),
            counted(turns.into(), "Player Turn"),
            orders.begin.name(),
            counted(situation.enemies.len(), "enemy unit"),
        );
        let rulebook = situation.rulebook;
        let meta = Meta {
            question,
            notes: scenario.notes.iter().cloned().chain(left_out(&scenario.situation)).collect(),
            ..of_rules(rulebook, rulebook.plays_heat_of_battle(situation.heat_of_battle), situation.elr)
        };
        CampaignProblem { campaign: Arc::new(Campaign::new(situation, orders)), meta }
    }
}

impl Problem for CampaignProblem {
    type Process = Campaign;

    fn described(&self, command: String) -> Meta {
        Meta { command, ..self.meta.clone() }
    }

    fn several(&self) -> bool {
        false
    }

    fn subject(&self) -> &'static str {
        "the unit "
    }

    fn best<'a>(&'a self, objective: &'a Objective) -> Result<Best<'a, Campaign>, EngineError> {
        Best::solve(self.campaign.as_ref(), gain(&self.campaign, objective))
    }

    fn named_policies(&self, objective: &Objective) -> Vec<(String, f64)> {
        let campaign = &self.campaign;
        let open = Policy::simple().filter(|policy| policy.check(campaign).is_ok());
        let value = |policy: Policy| {
            let play = Play::new(campaign, Line::Named(policy), objective).ok()?;
            let sum = expected(&play.of(campaign), |_, outcome| worth(campaign, objective, outcome)[0])?;
            play.failure().is_none().then(|| (policy.to_string(), sum))
        };
        let mut values: Vec<(String, f64)> = Vec::new();
        for (words, worth) in open.filter_map(value) {
            // To keep DM is told where that matters.
            let same = |(other, of): &(String, f64)| words.starts_with(other.as_str()) && (of - worth).abs() <= EQUAL;
            if !values.last().is_some_and(same) {
                values.push((words, worth));
            }
        }
        values
    }
}

/// The Rally Phases of a stack.
pub struct StackProblem {
    question: StackQuestion,
    process: Engagement,
}

impl StackProblem {
    pub fn new(question: StackQuestion) -> StackProblem {
        let question = question.with_choices(Choices::ALL);
        StackProblem { process: question.whole(), question }
    }
}

impl Problem for StackProblem {
    type Process = Engagement;

    fn described(&self, command: String) -> Meta {
        Meta { engine: "exact", arithmetic: Some("float"), ..ask::described(&self.question, command) }
    }

    fn several(&self) -> bool {
        Asked::units(&self.question) > 1
    }

    fn subject(&self) -> &'static str {
        ""
    }

    fn best<'a>(&'a self, objective: &'a Objective) -> Result<Best<'a, Engagement>, EngineError> {
        let worth = |point, outcome: &_| {
            let Some(ending) = self.question.ending(point, outcome) else { return [0.0; 3] };
            let standing = &ending.standing;
            [objective.worth(standing), f64::from(u8::from(standing.survives)), standing.squad_equivalents]
        };
        Best::solve(&self.process, Box::new(worth))
    }

    fn named_policies(&self, objective: &Objective) -> Vec<(String, f64)> {
        let value = |(word, _): &(&str, _)| {
            let ruled = Ruled { question: self.question.clone(), policy: Some(word.to_string()) };
            let course = StackCourse::new(ruled, objective).ok()?;
            let worth =
                |point, outcome: &_| course.ending(point, outcome).map_or(0.0, |ending| objective.worth(&ending.standing));
            Some((word.to_string(), expected(&course.whole(), worth)?))
        };
        POLICIES.iter().filter_map(value).collect()
    }
}

/// A question of a system other than the first.
pub struct SystemProblem<Q: Question> {
    question: Arc<Q>,
    process: Q::Process,
}

impl<Q: Played> SystemProblem<Q> {
    pub fn new(question: Q) -> SystemProblem<Q> {
        SystemProblem { process: question.whole(), question: Arc::new(question) }
    }
}

impl<Q: Played + Send + 'static> Problem for SystemProblem<Q> {
    type Process = Q::Process;

    fn described(&self, command: String) -> Meta {
        Meta { engine: "exact", arithmetic: Some("float"), ..Meta::of(self.question.as_ref(), command) }
    }

    fn several(&self) -> bool {
        Asked::units(self.question.as_ref()) > 1
    }

    fn subject(&self) -> &'static str {
        ""
    }

    fn best<'a>(&'a self, objective: &'a Objective) -> Result<Best<'a, Q::Process>, EngineError> {
        Best::solve(&self.process, line::gain(self.question.as_ref(), objective))
    }

    fn named_policies(&self, objective: &Objective) -> Vec<(String, f64)> {
        // The enemy replies as is best for him.
        let value = |(place, (name, _)): (usize, &(&str, &str))| {
            let policy =
                |process: &Q::Process, state: &_, player, options| self.question.option(place, process, state, player, options);
            let under = Under::leaving(Player::Enemy, self.question.whole(), policy);
            let best = Best::solve(&under, line::gain(self.question.as_ref(), objective)).ok()?;
            Some((name.to_string(), best.value()[0]))
        };
        let mut values: Vec<(String, f64)> = Vec::new();
        for (name, worth) in self.question.policies().iter().enumerate().filter_map(value) {
            // Policies that differ in what is not open here come to the same.
            match values.iter_mut().find(|(_, of)| (of - worth).abs() <= EQUAL) {
                Some((names, _)) => *names += &format!(", {name}"),
                None => values.push((name, worth)),
            }
        }
        values
    }
}

/// The exact expectation of what outcomes are worth; none where the process is too big.
fn expected<P: Process>(process: &P, worth: impl Fn(Point, &P::Outcome) -> f64) -> Option<f64> {
    let odds = odds(process, Bound::STANDARD).ok()?;
    Some(odds.chances.iter().map(|chance| chance.probability * worth(chance.point, &chance.outcome)).sum())
}

/// What the meta of a campaign on abstract ground says.
pub fn described(lane: &LaneCampaign, command: String) -> Meta {
    Meta {
        command,
        question: lane.in_words(),
        notes: lane.notes.clone(),
        ..of_rules(lane.company.rulebook, lane.plays_heat_of_battle(), lane.company.elr)
    }
}

/// What it says of the rules, and of the engine.
fn of_rules(rulebook: Rulebook, heat_of_battle: bool, elr: u8) -> Meta {
    Meta {
        version: env!("CARGO_PKG_VERSION"),
        footing: footing(rulebook, heat_of_battle, elr),
        engine: "exact",
        arithmetic: Some("float"),
        ..Meta::default()
    }
}
