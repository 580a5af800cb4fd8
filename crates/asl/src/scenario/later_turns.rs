//! The first options of a broken unit whose campaign begins with its rout, and their values over
//! Player Turns under best play, in words and as JSON.

use serde_json::{Value, json};

use super::Scenario;
use crate::board::map::Location;
use crate::campaign::{Campaign, CampaignState, ChoiceSubject, Phase};
use crate::course::campaign::gain;
use crate::measures::MEASURES;
use crate::rout::{self, Rout, RoutMove, RoutProgress, Situation};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::{Due, Player, Process as _, Silent};
use engine::text::Fault;
use play::best_play::best_first;
use play::{Best, Objective, PlayValue};

/// A first option of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// A surrender, which leaves no choice (20.21).
    Surrender,
    Stay,
    /// A Low Crawl (10.52).
    Crawl(Location),
    /// A rout to a declared destination (10.51).
    Run(Location),
    /// A free rout (10.51).
    Free,
}

/// A first option with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstOption {
    pub first: First,
    /// The value of the option under best play afterwards.
    pub value: PlayValue,
}

/// The first options of a unit, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    pub list: Vec<FirstOption>,
    /// The number of states that were solved.
    pub states: usize,
}

impl Openings {
    /// Returns by how much the objective of an option exceeds that of the best other option. It is
    /// negative for all but the best, and `None` if there is no other option.
    pub fn margin(&self, option: usize) -> Option<f64> {
        let other = self.list.get(usize::from(option == 0))?;
        Some(self.list.get(option)?.value[0] - other.value[0])
    }
}

/// Solves a campaign that begins with the rout of a broken unit, and returns its first options.
///
/// # Errors
///
/// Fails with [`EngineError::TooManyStates`] if the campaign is too large, or if `watch` cancels
/// it.
pub fn openings(
    campaign: &Campaign,
    objective: &Objective,
    watch: Monitor,
) -> Result<Openings, EngineError> {
    let mut best = Best::watched(campaign, gain(campaign, objective), watch)?;
    let start = campaign.start(&mut Silent);
    let (firsts, values) = match firsts(campaign, &start) {
        Some(firsts) => (firsts, best.first_worths()?),
        None => (vec![only_first(campaign)], vec![best.value()]),
    };
    let options = firsts.into_iter().zip(values);
    let options = options.map(|(first, value)| FirstOption { first, value }).collect();
    let list = best_first(options, Player::Owner, |opening| &opening.value);
    Ok(Openings { list, states: best.states() })
}

/// Returns the options of the first choice, or `None` if the rout does not begin with a choice.
fn firsts(campaign: &Campaign, start: &CampaignState) -> Option<Vec<First>> {
    let Due::Choice { options: 2.., .. } = campaign.due(start) else { return None };
    let ChoiceSubject::Rout(_, rout, state) = campaign.choice_subject(start) else { return None };
    let firsts = || rout.moves(state).iter().map(|&chosen| first(&rout, state, chosen)).collect();
    (rout.phase(state) == RoutProgress::Start).then(firsts)
}

fn only_first(campaign: &Campaign) -> First {
    let rout = Rout::new(campaign.situation(), &campaign.situation().routers[0]);
    let state = rout.start(&mut Silent);
    // A unit that surrenders has no moves.
    rout.moves(&state).first().map_or(First::Surrender, |&chosen| first(&rout, &state, chosen))
}

fn first(rout: &Rout, state: &rout::RoutState, chosen: RoutMove) -> First {
    match (chosen, rout.target(state, chosen)) {
        (RoutMove::Crawl(_), Some(location)) => First::Crawl(location),
        (RoutMove::Declare(location), _) => First::Run(location),
        (RoutMove::GoFree, _) => First::Free,
        _ => First::Stay,
    }
}

/// The name of the field for the number of Player Turns.
pub const TURNS: &str = "turns";

const OBJECTIVE: &str = "good-order";

/// A request for values over Player Turns: their number from this RtPh on, and the objective.
pub struct LaterTurns {
    pub turns: u16,
    pub objective: Objective,
}

impl Scenario {
    /// Returns the number of Player Turns, or `None` if the file does not give it.
    pub fn turns(&self) -> Option<u16> {
        Some(self.campaign.as_ref()?.table.turns?.u16())
    }

    /// Returns a request for values over Player Turns. Without `objective`, the file supplies it.
    ///
    /// # Errors
    ///
    /// Fails if the default objective is no measure.
    pub fn later_turns(
        &self,
        turns: u16,
        objective: Option<Objective>,
    ) -> Result<LaterTurns, Fault> {
        let of_file = || self.campaign.as_ref().and_then(|setup| setup.objective.clone());
        let objective = objective.or_else(of_file);
        let objective = objective.map_or_else(|| Objective::named(OBJECTIVE, &MEASURES), Ok)?;
        Ok(LaterTurns { turns, objective })
    }
}

/// Solves the campaign of a routing unit from this RtPh on, and returns its first options.
///
/// # Errors
///
/// Fails with [`EngineError::TooManyStates`] if the campaign is too large, and if `watch` cancels
/// it.
pub fn campaign(
    scenario: &Scenario,
    unit: usize,
    ahead: &LaterTurns,
    watch: Monitor,
) -> Result<Openings, EngineError> {
    let (situation, mut orders) = scenario.campaign_of(unit, ahead.turns);
    orders.begin = Phase::Rout;
    openings(&Campaign::new(situation, orders), &ahead.objective, watch)
}

/// Returns a first option as an imperative and as a noun: `run for K4`, `running for K4`.
pub fn first_words(situation: &Situation, first: First) -> [String; 2] {
    let to = |location| format!(" {}", situation.map.location_name(location));
    let nowhere = String::new();
    let (words, place) = match first {
        First::Surrender => (["surrender", "surrendering"], nowhere),
        First::Stay => (["stay", "staying"], nowhere),
        First::Crawl(location) => (["Low Crawl to", "a Low Crawl to"], to(location)),
        First::Run(location) => (["run for", "running for"], to(location)),
        First::Free => (["rout freely", "routing freely"], nowhere),
    };
    words.map(|words| format!("{words}{place}"))
}

/// Returns the first options of a unit as JSON.
pub fn campaign_json(
    situation: &Situation,
    unit: usize,
    openings: &Openings,
    ahead: &LaterTurns,
) -> Value {
    let router = &situation.routers[unit];
    let option = |(number, opening): (usize, &FirstOption)| {
        let [value, survives, squad_equivalents] = opening.value;
        json!({
            "option": first_words(situation, opening.first)[0],
            "value": ahead.objective.number(value),
            "margin": openings.margin(number),
            "survives": survives,
            "squad_equivalents": squad_equivalents,
        })
    };
    json!({
        "unit": router.name,
        "hex": situation.map.location_name(router.at),
        "turns": ahead.turns,
        "objective": ahead.objective.to_string(),
        "options": openings.list.iter().enumerate().map(option).collect::<Vec<_>>(),
    })
}
