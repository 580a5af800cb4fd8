//! Answer about a Rout Phase: the odds of single units, of all in order, and of later Player Turns.

pub mod explain;
pub mod impact;
pub mod picture;
pub mod report;

use serde_json::{Value, json};

use super::Refused;
use answer::odds::is_too_big;
use answer::table::lists;
use answer::{Meta, Options, Sheet, UnitCounts};
use asl::campaign::Phase;
use asl::course::phase::{self, InOrder, MOST_ORDERED, all_orders, in_order};
use asl::course::rout::CourseSummary;
use asl::question_info::provenance;
use asl::rout::Situation;
use asl::scenario::answer::{RouterAnswer, answer, sheet};
use asl::scenario::campaign::{LaterTurns, Openings, TURNS, campaign, campaign_json};
use asl::scenario::{Scenario, bars_campaign, left_out};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::text::counted;
use engine::text::notation::{CodePiece, shown, text_field};
use schema::FieldFault;

/// The answer about a Rout Phase.
pub struct Routed {
    pub scenario: Scenario,
    pub answers: Vec<RouterAnswer>,
    /// The Rout Phase with all units in their order of routing; `None` for one unit.
    pub phase: Option<InOrder>,
    /// Distribution of the number of units with each final status; `None` if not computed.
    pub counts: Option<UnitCounts>,
    /// The Rout Phase in every order of the units, the best first; `None` if not asked for.
    pub orders: Option<Vec<InOrder>>,
    /// The first options of each unit and their values over later Player Turns, by 0-based index.
    pub campaigns: Option<(LaterTurns, Vec<(usize, Openings)>)>,
    pub meta: Meta,
}

const TOO_BIG: &str = "use fewer `{}`, or a smaller situation: fewer enemies who fire, a smaller \
    map, one unit by `{}`; created units that stay, and an enemy who may hold his fire, make the \
    situation bigger";

pub(super) fn rout(
    scenario: Scenario,
    units: &[usize],
    (every_order, ahead): (bool, Option<LaterTurns>),
    command: String,
    options: &Options,
) -> Result<Routed, Refused> {
    let (situation, watch) = (&scenario.situation, options.watch);
    let mut meta = meta(&scenario, command);
    meta.objective = ahead.as_ref().map(|ahead| ahead.objective.to_string());
    let answers = units.iter().map(|&unit| answer(situation, unit, options, &mut meta));
    let answers = answers.collect::<Result<Vec<RouterAnswer>, EngineError>>()?;
    let phase = if units.len() > 1 { in_order(situation, units, watch)? } else { None };
    let counts = counts(situation, units, options)?;
    let orders = match every_order {
        true if situation.routers.len() > MOST_ORDERED => return Err(too_many(situation).into()),
        true => Some(all_orders(situation, watch)?),
        false => None,
    };
    let ahead = ahead.map(|ahead| {
        let openings = campaigns(&scenario, units, &ahead, watch, &mut meta.notes)?;
        Ok::<_, Refused>((ahead, openings))
    });
    let campaigns = ahead.transpose()?;
    let phases = phase.iter().chain(orders.iter().flatten()).map(|phase| phase.states);
    let openings = campaigns.iter().flat_map(|(_, units)| units);
    phases.chain(openings.map(|(_, openings)| openings.states)).for_each(|n| meta.worked(n));
    meta.counts = counts.as_ref().map(|counts| counts.footing.clone());
    Ok(Routed { scenario, answers, phase, counts, orders, campaigns, meta })
}

/// Counts units by final status, if asked for or if several; `None` if too big and not asked for.
fn counts(
    situation: &Situation,
    units: &[usize],
    options: &Options,
) -> Result<Option<UnitCounts>, EngineError> {
    let Some(counting) = options.counts.filter(|counting| counting.is_requested || units.len() > 1)
    else {
        return Ok(None);
    };
    match phase::counts(situation, units, counting, options) {
        Err(error) if !counting.is_requested && is_too_big(&error) => Ok(None),
        counts => counts,
    }
}

/// Returns the metadata of a situation that is known before the answer.
pub fn meta(scenario: &Scenario, command: String) -> Meta {
    let Situation { rulebook, heat_of_battle, elr, routers, enemies, .. } = &scenario.situation;
    let units = counted(routers.len() as u64, "unit");
    let enemies = counted(enemies.len() as u64, "enemy unit");
    let circumstances = circumstances(&scenario.situation);
    let question = format!("the rout of {units} before {enemies}{circumstances}");
    let (footing, notes) = (provenance(*rulebook, *heat_of_battle, *elr), scenario.notes.clone());
    Meta { footing, engine: "exact", notes, ..Meta::new(command, question) }
}

fn too_many(situation: &Situation) -> FieldFault {
    let message =
        format!("`orders` allows at most {MOST_ORDERED} units, not {}", situation.routers.len());
    FieldFault::new("orders", message)
        .help(shown("{} computes one order", [text_field("order", "NAME, NAME, ...")]))
}

impl Routed {
    /// Returns the introduction that the request gives.
    pub fn about(&self) -> Option<&str> {
        self.scenario.about.as_deref()
    }

    /// Returns every outcome of every plan as a table; its JSON also has the rest of the answer.
    pub fn sheet(&self) -> Sheet {
        let situation = &self.scenario.situation;
        let mut sheet = sheet(situation, &self.answers, self.meta.clone());
        let order = |phase: &InOrder| json_of_order(situation, phase);
        sheet.lists.extend(self.phase.as_ref().map(|phase| ("in_order", order(phase))));
        sheet.lists.extend(lists(&[], self.counts.as_ref()));
        let orders = self.orders.as_ref();
        sheet.lists.extend(orders.map(|all| ("orders", all.iter().map(order).collect())));
        if let Some((ahead, campaigns)) = &self.campaigns {
            let json = |(unit, openings): &(usize, Openings)| {
                campaign_json(situation, *unit, openings, ahead)
            };
            sheet.lists.push(("campaign", campaigns.iter().map(json).collect()));
        }
        sheet
    }
}

/// Returns the special conditions of the Rout Phase as a suffix, such as `, at night`.
pub fn circumstances(situation: &Situation) -> String {
    let unknown = situation.unknown_fire();
    let left_out: Vec<String> =
        unknown.iter().map(|&enemy| situation.enemy_called(enemy)).collect();
    let at_best = match left_out.is_empty() {
        true => String::new(),
        false => format!(", at best: the fire of {} is not reckoned", left_out.join(", ")),
    };
    let facts = [
        (situation.no_quarter, ", No Quarter"),
        (situation.night, ", at night"),
        (situation.enemy_reveals, ", the enemy reveals concealed units where it hurts most"),
    ];
    let facts: String =
        facts.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words).collect();
    facts + &at_best
}

/// Returns the campaign of each unit that can have one, with the unit's 0-based index. `notes`
/// receives the reasons why other units have none. Fails if no unit can have one.
fn campaigns(
    scenario: &Scenario,
    units: &[usize],
    ahead: &LaterTurns,
    watch: Monitor,
    notes: &mut Vec<String>,
) -> Result<Vec<(usize, Openings)>, Refused> {
    let mut openings = Vec::new();
    let mut barred = Vec::new();
    for &unit in units {
        let router = &scenario.situation.routers[unit];
        match bars_campaign(router) {
            Some(reason) => {
                barred.push(format!("a campaign cannot follow {}: {reason}", router.name))
            }
            None => openings.push((unit, campaign(scenario, unit, ahead, watch).map_err(too_big)?)),
        }
    }
    if let (Some(first), true) = (barred.first(), openings.is_empty()) {
        let help = shown("remove `{}` to get its rout in this phase", [CodePiece::Key(TURNS)]);
        return Err(FieldFault::new(TURNS, first.clone()).help(help).into());
    }
    notes.extend(barred);
    notes.extend(left_out(&scenario.situation));
    let begin = scenario.campaign.as_ref().map(|outlook| outlook.table.begin);
    notes.extend(begin.filter(|begin| *begin != Phase::Rout).map(|begin| {
        format!("the campaign of the file begins with its {}, here with the RtPh", begin.name())
    }));
    Ok(openings)
}

fn too_big(error: EngineError) -> Refused {
    let help = shown(TOO_BIG, [CodePiece::Key(TURNS), CodePiece::Key("unit")]);
    Refused::Engine { error, help: Some(help) }
}

fn json_of_order(situation: &Situation, phase: &InOrder) -> Value {
    let unit = |(unit, sum): (usize, CourseSummary)| {
        let chances = sum.named().into_iter().chain([("failure_to_rout", sum.failed)]);
        let chances = chances.map(|(name, chance)| (name, json!(chance)));
        [("unit", json!(situation.routers[unit].name))].into_iter().chain(chances).collect()
    };
    json!({
        "units": phase.summaries().map(unit).collect::<Vec<Value>>(),
        "survivors": phase.survivors(),
        "in_cover": phase.in_cover(),
    })
}
