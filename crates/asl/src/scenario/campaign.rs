//! The table `[campaign]`: a routing unit over Player Turns, and the values of its first options.

use serde_json::{Value, json};

use super::Scenario;
use crate::campaign::{
    Campaign, CampaignOrders, CampaignState, CampaignTable, ChoiceSubject, Fire, Phase,
};
use crate::counting::MEASURES;
use crate::course::campaign::{CampaignKind, Campaigning, gain, named_objective};
use crate::rout::{Friend, Rout, RoutProgress, Router, Situation};
use crate::vocabulary::Condition;
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::{Due, Process as _, Silent};
use engine::text::{Fault, counted};
use play::{Best, DynQuestion, Objective, PlayValue, PreparedQuestion, Valued, Weights};
use schema::{FieldFault, Spanned, Word as _};

/// The continuation of a situation over Player Turns: from the RtPh of the first unit by default.
#[derive(Clone, Debug, Default)]
pub struct CampaignSetup {
    pub table: CampaignTable,
    pub objective: Option<Objective>,
    /// The index of the routing unit that the campaign follows.
    pub unit: usize,
}

impl Scenario {
    /// Returns the campaign of a routing unit. The others stay, and every able enemy fires.
    ///
    /// # Panics
    ///
    /// Panics if `unit` is not the index of a routing unit.
    pub fn campaign_of(&self, unit: usize, turns: u16) -> (Situation, CampaignOrders) {
        let table = self.campaign.clone().unwrap_or_default().table;
        let mut situation = self.situation.clone();
        let present = situation.leaders().count();
        let router = situation.routers.remove(unit);
        let others = std::mem::replace(&mut situation.routers, vec![router]);
        // Leaders on a Voluntary Rout with other units stay with them.
        let escorts = others.iter().filter_map(|Router { name, at, escort, .. }| {
            let member = escort.clone()?;
            Some(Friend { name: format!("{member} with {name}"), member, at: *at })
        });
        let escorts: Vec<Friend> = escorts.collect();
        let stays = |Router { name, member, at, .. }| Friend { name, member, at };
        situation.friends.extend(others.into_iter().map(stays));
        situation.friends.extend(self.arrivals.iter().map(|(leader, _)| leader.clone()));
        situation.friends.extend(escorts);
        let arrivals = self.arrivals.iter().zip(present..);
        let orders = CampaignOrders {
            turns,
            begin: table.begin,
            own_rph: table.own_rph.unwrap_or(table.begin.first_own_rph()),
            fire: Fire::Everyone,
            enemy_holds_fire: table.enemy_holds_fire,
            created_stay: table.created_stay,
            arrivals: arrivals.map(|((_, turn), leader)| (leader, *turn)).collect(),
            names: Vec::new(),
        };
        (situation, orders)
    }

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
        let objective = objective.map_or_else(|| named_objective(OBJECTIVE), Ok)?;
        Ok(LaterTurns { turns, objective })
    }
}

/// Returns notes on the facts of a situation that a campaign leaves out.
pub fn left_out(situation: &Situation) -> Vec<String> {
    let enemies = || situation.enemies.iter();
    let pinned = enemies().any(|enemy| enemy.is(Condition::Pinned))
        || situation.friends.iter().any(|friend| friend.member.is(Condition::Pinned));
    let facts = [
        (
            situation.night,
            "over Player Turns only routs follow the night rules; DM removal (E1.54) and fire \
                follow the day rules",
        ),
        (
            enemies().any(|enemy| enemy.circumstances.concealed),
            "a concealed enemy who is revealed (A10.533) only blocks the way and Interdicts in \
                later turns",
        ),
        (pinned, "pins of other units stay for all Player Turns (A7.8)"),
    ];
    facts.into_iter().filter(|(holds, _)| *holds).map(|(_, words)| words.to_string()).collect()
}

/// Returns the reason why a campaign cannot follow a routing unit, or `None` if it can.
pub fn bars_campaign(router: &Router) -> Option<&'static str> {
    let reasons = [
        (
            router.escort.is_some(),
            "a leader routs with it (A10.711), but a campaign follows one unit only",
        ),
        (router.in_melee, "it is in Melee, but a campaign has no Close Combat"),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
}

pub(super) fn outlook(
    table: Option<&Spanned<CampaignTable>>,
    situation: &Situation,
) -> Result<Option<CampaignSetup>, Fault> {
    let Some(Spanned { value: table, place }) = table else { return Ok(None) };
    let unit =
        table.unit.as_ref().map(|name| named_unit(name, situation)).transpose()?.unwrap_or(0);
    if let Some(reason) = bars_campaign(&situation.routers[unit]) {
        let place = table.unit.as_ref().map_or(place, |name| &name.place);
        let fault = place.fault(format!("{}: {reason}", situation.routers[unit].name));
        return Err(fault.help("choose another routing unit with `unit`"));
    }
    let of_campaign = |weights: &Weights| {
        let kind = CampaignKind::Campaign.declared();
        let objective = weights.objective(MEASURES, &[])?;
        objective.check_kind(kind, weights.0.place.span.clone())?;
        Ok(objective)
    };
    let objective = table.objective.as_ref().map(of_campaign).transpose()?;
    Ok(Some(CampaignSetup { table: table.clone(), objective, unit }))
}

fn named_unit(name: &Spanned<String>, situation: &Situation) -> Result<usize, Fault> {
    let whole = |fault| Fault { span: name.place.span.clone(), ..fault };
    let units = situation.units_named(&name.value).map_err(whole)?;
    match units[..] {
        [unit] => Ok(unit),
        _ => {
            let names = units.iter().map(|&unit| &*situation.routers[unit].name);
            let names = names.collect::<Vec<_>>().join(", ");
            let fault = name.place.fault(format!("{} units are in {}", units.len(), name.value));
            Err(fault.help(format!("choose one of {names}")))
        }
    }
}

/// Builds the campaign of a routing unit on a map.
///
/// # Errors
///
/// Fails if the campaign cannot be made ready to be answered.
pub fn campaign_on_map(
    scenario: &Scenario,
    unit: usize,
    turns: u16,
) -> Result<Box<dyn DynQuestion>, FieldFault> {
    let (situation, orders) = scenario.campaign_of(unit, turns);
    let Router { member, at, .. } = &situation.routers[0];
    let words = format!(
        "{member} in {} over {} from the {} on, before {}",
        situation.map.location_name(*at),
        counted(turns, "Player Turn"),
        orders.begin.in_words(),
        counted(situation.enemies.len() as u64, "enemy unit"),
    );
    let notes = scenario.notes.iter().cloned().chain(left_out(&scenario.situation)).collect();
    let campaign = Campaigning::new(Campaign::new(situation, orders), words, notes);
    Ok(Box::new(PreparedQuestion::new(campaign.into(), None)?))
}

/// The first options of a unit, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    /// The options with their values under best play: only surrender if the unit must (20.21).
    pub list: Vec<Valued>,
    /// The number of states that were solved.
    pub states: usize,
}

impl Openings {
    /// Returns the lead over the best other option: negative for all but the best, `None` if alone.
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
    let mut best = Best::solve(campaign, gain(campaign, objective), watch)?;
    let opening = match begins_with_choice(campaign, &campaign.start(&mut Silent)) {
        true => best.opening()?,
        false => None,
    };
    let only = || vec![only_option(campaign, best.value)];
    let list = opening.map_or_else(only, |opening| opening.choices);
    Ok(Openings { list, states: best.solution.states })
}

/// Returns whether the rout begins with a choice of the owner.
fn begins_with_choice(campaign: &Campaign, start: &CampaignState) -> bool {
    let Due::Choice { options: 2.., .. } = campaign.due(start) else { return false };
    let ChoiceSubject::Rout(_, rout, state) = campaign.choice_subject(start) else { return false };
    rout.phase(state) == RoutProgress::Start
}

fn only_option(campaign: &Campaign, value: PlayValue) -> Valued {
    let rout = Rout::new(campaign.situation(), &campaign.situation().routers[0]);
    let mut options = campaign.rout_options(&rout, &rout.start(&mut Silent)).into_iter();
    let (kind, option) = options.next().unwrap_or(("surrender", "surrenders".to_string()));
    Valued { option, kind, value }
}

/// The name of the field for the number of Player Turns.
pub const TURNS: &str = "turns";
const OBJECTIVE: &str = "good-order";

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
