//! The table `[campaign]`: a situation over Player Turns, for one of its routing units. The others
//! stay where they are.

use super::Scenario;
use crate::campaign::{Campaign, CampaignOrders, CampaignTable, Fire};
use crate::course::campaign::Campaigning;
use crate::measures::MEASURES;
use crate::rout::{Friend, Router, Situation};
use crate::vocabulary::Condition;
use engine::text::{Fault, counted};
use play::{DynQuestion, Objective, PreparedQuestion};
use schema::{FieldFault, Spanned};

/// The continuation of a situation over Player Turns: from the RtPh of the first unit by default.
#[derive(Clone, Debug, Default)]
pub struct CampaignSetup {
    pub table: CampaignTable,
    pub objective: Option<Objective>,
    /// The index of the routing unit that the campaign follows.
    pub unit: usize,
}

impl Scenario {
    /// Returns the campaign of a routing unit over some Player Turns, as the file says or by
    /// default. The other routing units stay where they are. Every enemy that can fire does.
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
    let objective =
        table.objective.as_ref().map(|weights| weights.objective(&MEASURES, &[])).transpose()?;
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
