//! `[campaign]`: how a situation goes on over Player Turns, for one of its routing units.
//!
//! ```toml
//! [campaign]
//! turns = 4
//! objective = { good-order = 1, cvp = -0.25 }
//! unit = "Kolb"                         # of several; the others stay where they are
//! ```

use toml::de::DeTable;

use super::super::keys::{Value, entry, known_keys, placed_text, sub_table, whole_number, word};
use super::super::objective::objective;
use super::{Scenario, flag};
use crate::asl::campaign::{Fire, MAX_TURNS, Orders, Phase};
use crate::asl::rout::{Friend, Router, Situation};
use crate::asl::sequence::OwnRph;
use crate::asl::unit::Condition;
use crate::course::objective::Objective;
use crate::course::standing::MEASURES;
use crate::text::Fault;

const KEYS: [&str; 7] = ["turns", "begin", "own-rph", "enemy-holds-fire", "created-stay", "objective", "unit"];

/// What `[campaign]` says.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignTable {
    /// Player Turns, where it says how many.
    pub turns: Option<u16>,
    /// Phase in which the first begins.
    pub begin: Phase,
    /// 18.11: in which Player Turns the RPh is the side's own, where it says so.
    pub own_rph: Option<OwnRph>,
    pub enemy_holds_fire: bool,
    pub created_stay: bool,
    pub objective: Option<Objective>,
    /// The routing unit it is about, by its place.
    pub unit: usize,
}

impl Default for CampaignTable {
    /// Of the first routing unit, from the RtPh on.
    fn default() -> CampaignTable {
        CampaignTable {
            turns: None,
            begin: Phase::Rout,
            own_rph: None,
            enemy_holds_fire: false,
            created_stay: false,
            objective: None,
            unit: 0,
        }
    }
}

impl Scenario {
    /// The campaign of a routing unit over some Player Turns, as the file says or by the defaults: its situation, in which the other
    /// routing units stay where they are, and its orders. Every enemy who can fires.
    pub fn campaign_of(&self, unit: usize, turns: u16) -> (Situation, Orders) {
        let table = self.campaign.clone().unwrap_or_default();
        let mut situation = self.situation.clone();
        let present = situation.leaders().count();
        let router = situation.routers.swap_remove(unit);
        let others = self.situation.routers.iter().enumerate().filter(|(other, _)| *other != unit);
        let stays = |(_, Router { name, member, at, .. }): (usize, &Router)| Friend {
            name: name.clone(),
            member: member.clone(),
            at: *at,
        };
        situation.friends.extend(others.map(stays));
        situation.friends.extend(self.arrivals.iter().map(|(leader, _)| leader.clone()));
        // Leaders who went along with the others stay with them.
        let others = self.situation.routers.iter().enumerate().filter(|(other, _)| *other != unit);
        situation.friends.extend(others.filter_map(|(_, router)| {
            let member = router.escort.clone()?;
            Some(Friend { name: format!("{member} with {}", router.name), member, at: router.at })
        }));
        situation.routers = vec![router];
        let orders = Orders {
            turns,
            begin: table.begin,
            own_rph: table.own_rph.unwrap_or(table.begin.first_own_rph()),
            fire: Fire::Everyone,
            enemy_holds_fire: table.enemy_holds_fire,
            created_stay: table.created_stay,
            arrivals: self.arrivals.iter().zip(present..).map(|((_, turn), leader)| (leader, *turn)).collect(),
            names: Vec::new(),
        };
        (situation, orders)
    }
}

/// What a campaign of a situation leaves out, in words.
pub fn left_out(situation: &Situation) -> Vec<String> {
    let enemies = || situation.enemies.iter();
    let pinned = enemies().any(|enemy| enemy.is(Condition::Pinned))
        || situation.friends.iter().any(|friend| friend.member.is(Condition::Pinned));
    let facts = [
        (
            situation.night,
            "over Player Turns it is played as by day but for the routs: DM goes as by day (E1.54), and so does fire",
        ),
        (
            enemies().any(|enemy| enemy.circumstances.concealed),
            "a concealed enemy who is revealed (A10.533) bars the way and Interdicts in later turns, and does nothing else",
        ),
        (pinned, "pins of others than the unit stay for all Player Turns (A7.8)"),
    ];
    facts.into_iter().filter(|(holds, _)| *holds).map(|(_, words)| words.to_string()).collect()
}

/// Why no campaign can follow a routing unit, if that is so.
pub fn bars_campaign(router: &Router) -> Option<&'static str> {
    let reasons = [
        (router.escort.is_some(), "a leader goes along with it (A10.711), and a campaign follows one unit only"),
        (router.in_melee, "it is in Melee, and a campaign plays no Close Combat"),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
}

/// Reads `[campaign]`, if there is one.
pub(super) fn read(root: &DeTable, situation: &Situation) -> Result<Option<CampaignTable>, Fault> {
    let (Some(table), Some(place)) = (sub_table(root, "campaign")?, entry(root, "campaign")) else { return Ok(None) };
    known_keys(table, &KEYS, "[campaign]")?;
    let named = entry(table, "unit");
    let unit = named.map(|value| named_unit(value, situation)).transpose()?.unwrap_or(0);
    if let Some(reason) = bars_campaign(&situation.routers[unit]) {
        let fault = Fault::new(format!("{}: {reason}", situation.routers[unit].name), named.unwrap_or(place).span());
        return Err(fault.help("`unit` names another routing unit"));
    }
    let phases = Phase::ALL.map(|phase| (phase.word(), phase));
    let own = [("odd", OwnRph::Odd), ("even", OwnRph::Even), ("never", OwnRph::Never)];
    Ok(Some(CampaignTable {
        turns: entry(table, "turns")
            .map(|value| whole_number(value, "turns", 1, MAX_TURNS))
            .transpose()?
            .map(|turns| turns as u16),
        begin: entry(table, "begin").map_or(Ok(Phase::Rout), |value| word(value, "begin", phases))?,
        own_rph: entry(table, "own-rph").map(|value| word(value, "own-rph", own)).transpose()?,
        enemy_holds_fire: flag(table, "enemy-holds-fire", false)?,
        created_stay: flag(table, "created-stay", false)?,
        objective: entry(table, "objective").map(|value| objective(value, &MEASURES)).transpose()?,
        unit,
    }))
}

/// The routing unit of that name, by its place.
fn named_unit(value: &Value, situation: &Situation) -> Result<usize, Fault> {
    let name = placed_text(value, "unit")?;
    let names = || situation.routers.iter().map(|router| router.name.as_str());
    names()
        .position(|other| other == name)
        .ok_or_else(|| Fault::new(format!("no routing unit is called `{name}`"), value.span()).expecting(&name, names()))
}
