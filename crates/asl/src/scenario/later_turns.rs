//! The values of the first options of a routing unit over Player Turns, in words and as JSON.

use serde_json::{Value, json};

use super::Scenario;
use crate::campaign::{Campaign, Phase};
use crate::course::opening::{Openings, openings};
use crate::measures::MEASURES;
use crate::rout::Situation;
use engine::EngineError;
use engine::monitor::Monitor;
use engine::text::Fault;
use play::{Objective, Valued};

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
pub fn first_words(option: &str) -> [String; 2] {
    const WORDS: [(&str, [&str; 2]); 5] = [
        ("surrenders", ["surrender", "surrendering"]),
        ("stays", ["stay", "staying"]),
        ("Low Crawls", ["Low Crawl", "a Low Crawl"]),
        ("runs", ["run", "running"]),
        ("routs", ["rout", "routing"]),
    ];
    let found = WORDS.iter().find_map(|(verb, words)| Some((words, option.strip_prefix(verb)?)));
    let (words, place) = found.unwrap_or((&["", ""], option));
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
    let option = |(number, opening): (usize, &Valued)| {
        let [value, survives, squad_equivalents] = opening.value;
        json!({
            "option": first_words(&opening.option)[0],
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
