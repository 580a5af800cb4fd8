//! The values of the first options of a routing unit over Player Turns, in words and as JSON.

use serde_json::{Value, json};

use super::Scenario;
use crate::campaign::{Campaign, Phase};
use crate::course::opening::{First, Openings, openings};
use crate::rout::Situation;
use engine::EngineError;
use engine::monitor::Monitor;
use play::objective::Objective;

/// The name of the field for the number of Player Turns.
pub const TURNS: &str = "turns";

/// A request for values over Player Turns: their number from this RtPh on, and the objective.
pub struct LaterTurns {
    pub turns: u16,
    pub objective: Objective,
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

/// Returns a first option as an imperative: `Low Crawl to N4`.
pub fn first_words(situation: &Situation, first: First) -> String {
    let name = |location| situation.map.location_name(location);
    match first {
        First::Surrender => "surrender".to_string(),
        First::Stay => "stay".to_string(),
        First::Crawl(location) => format!("Low Crawl to {}", name(location)),
        First::Run(location) => format!("run for {}", name(location)),
        First::Free => "rout freely".to_string(),
    }
}

/// Returns a first option as a noun: `running for K4`.
pub fn activity_words(situation: &Situation, first: First) -> String {
    let name = |location| situation.map.location_name(location);
    match first {
        First::Surrender => "surrendering".to_string(),
        First::Stay => "staying".to_string(),
        First::Crawl(location) => format!("a Low Crawl to {}", name(location)),
        First::Run(location) => format!("running for {}", name(location)),
        First::Free => "routing freely".to_string(),
    }
}

/// Returns the first options of a unit as JSON.
pub fn campaign_json(
    situation: &Situation,
    unit: usize,
    openings: &Openings,
    ahead: &LaterTurns,
) -> Value {
    let router = &situation.routers[unit];
    let option = |(number, opening): (usize, &crate::course::opening::FirstOption)| {
        let [value, survives, squad_equivalents] = opening.value;
        json!({
            "option": first_words(situation, opening.first),
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
