//! Parsing of a request about a rout on a map: its situation and its other keys.

use serde_json::Value as Json;

use super::{
    Entries, HeadTable, ImpactTable, Of, Read, RequestKind, TraceTable, dice_entries, of_whole,
};
use crate::request::{Request, RoutWanted, Routing, Solving};
use asl::campaign::MAX_TURNS;
use asl::counting::MEASURES;
use asl::rout::Situation;
use asl::rulebook::Rulebook;
use asl::scenario::campaign::campaign_on_map;
use asl::scenario::campaign::{LaterTurns, TURNS};
use asl::scenario::canonical::canonical_form;
use asl::scenario::{
    Open, Scenario, SituationError, as_written, bars_campaign, inline, no_dice, of_entries,
};
use engine::text::notation::{CodePiece, field, shown, text_field};
use engine::text::{Fault, canonical};
use play::{Depth, Weights};
use schema::common_fields::GIVEN;
use schema::field::fields;
use schema::{
    Entry, Field, FieldValue as _, Fields, Keyed, Node, Raw, Settable as _, SourcePosition,
    Spanned, Whole, from_json,
};

fields! {
    /// Table of the keys that only a request about a rout can have, in addition to its situation.
    table RoutKeys {
        "unit" unit: Option<Spanned<String>>,
            "only this unit, given by name, mark on the map (U1) or hex";
        "order" order: Option<Spanned<String>>,
            "units in the order in which they rout, separated by commas";
        "orders" orders: Option<Spanned<bool>>, "compare every order of the units";
        "explain" explain: Option<Spanned<String>>,
            "only explain why this hex is a destination or not";
        "turns" turns: Option<Whole<1, MAX_TURNS>>,
            "number of Player Turns over which each first choice is valued; the best play follows \
                each choice";
        "objective" objective: Option<Weights>, "the objective over these turns";
        "plan" plan: Option<Whole<1, 1_000_000>>,
            "for one unit: number of its plan, where 1 is the best";
    }
}

/// The keys beside the situation of a map, with the types of request that allow them.
pub const ROUT_KEYS: &[(Field, &[RequestKind])] = {
    use RequestKind::{Impact, Question, Solve, Trace};
    &[
        (RoutKeys::unit, &[Question, Solve, Trace, Impact]),
        (RoutKeys::order, &[Question, Impact, Trace]),
        (RoutKeys::orders, &[Question]),
        (RoutKeys::explain, &[Question]),
        (RoutKeys::turns, &[Question, Solve]),
        (RoutKeys::objective, &[Question, Solve]),
        (ImpactTable::of, &[Impact]),
        (RoutKeys::plan, &[Trace]),
        (TraceTable::script, &[Trace]),
        (TraceTable::sequence, &[Trace]),
    ]
};

type Wanted = (RoutWanted, Entries);

fn entry(field: Field, value: impl Into<Json>) -> (String, Json) {
    (field.name.to_string(), value.into())
}

impl Of<'_> {
    /// Parses a request about a rout on a map, whose situation stands among the request's keys.
    pub(super) fn rout(&self, open: Open, seed: Option<u64>) -> Result<Read, Fault> {
        let all = self.rest.entries("a request")?;
        if let Some((key, _)) = all.iter().find(|(key, _)| canonical(&key.value) == GIVEN) {
            return Err(no_dice(key.place.span.clone()));
        }
        let (own, entries): (Vec<Entry>, Vec<Entry>) =
            all.iter().cloned().partition(|(key, _)| allowing(&key.value).is_some());
        let own_node = Node { raw: Raw::Table(own.clone()), ..self.rest.clone() };
        let keys: RoutKeys = own_fields(&own_node)?;
        let (of, dice): (ImpactTable, TraceTable) =
            (own_fields(&own_node)?, own_fields(&own_node)?);
        own.iter().try_for_each(|(key, _)| self.allow(key))?;
        let inline = |name: &str| inline(name, open);
        let placed = |error: SituationError| of_whole(self.node, error.in_one());
        let scenario = of_entries(&entries, &as_written, &inline, &request_keys());
        let mut scenario = scenario.map_err(placed)?;
        scenario.about = self.head.about.clone();
        let mut entries_json = canonical_form(&scenario, &inline).map_err(placed)?;
        if self.head.request == RequestKind::Solve {
            let (request, further) = self.campaign(&scenario, keys)?;
            entries_json.extend(further);
            return Ok((request, entries_json));
        }
        let units = keys.units(&scenario.situation)?;
        entries_json.extend(unit_entry(&scenario.situation, &units, &keys));
        let (wanted, further) = match (self.head.request, &keys.explain) {
            (RequestKind::Impact, _) => self.impact_of_rout(&scenario, &of)?,
            (RequestKind::Trace, _) => self.trace_of_rout(&keys, dice, seed)?,
            (_, Some(hex)) => explain(&scenario.situation, hex, &keys)?,
            (_, None) => self.odds_of_rout(&scenario, &keys)?,
        };
        entries_json.extend(further);
        Ok((Request::Rout(Box::new(Routing { scenario, units, wanted })), entries_json))
    }

    fn allow(&self, key: &Spanned<String>) -> Result<(), Fault> {
        let allowing = allowing(&key.value).unwrap_or_default();
        if allowing.contains(&self.head.request) {
            return Ok(());
        }
        let fault = key.place.fault(format!("`{}` is not a key of this request", key.value));
        let others = vec!["{}"; allowing.len()].join(" or ");
        let request = |kind: &RequestKind| text_field(HeadTable::request.name, kind.name());
        let allowing: Vec<CodePiece> = allowing.iter().map(request).collect();
        Err(fault.help(shown(format!("it belongs to {others}"), allowing)))
    }

    fn impact_of_rout(&self, scenario: &Scenario, keys: &ImpactTable) -> Result<Wanted, Fault> {
        let of = &keys.of;
        let which = of.as_ref().map(|of| of.value.as_str());
        let place = of.as_ref().map_or(&self.node.place, |of| &of.place);
        let readings = Rulebook::readings(which).map_err(|fault| place.blamed(fault))?;
        let setting = which.and_then(|of| scenario.rules.setting(of));
        let entries = setting.iter().map(|id| entry(ImpactTable::of, *id)).collect();
        Ok((RoutWanted::Impact(readings), entries))
    }

    fn trace_of_rout(
        &self,
        RoutKeys { unit, plan, .. }: &RoutKeys,
        dice: TraceTable,
        seed: Option<u64>,
    ) -> Result<Wanted, Fault> {
        if let (Some(_), None, Some(plan)) = (plan, unit, self.key(RoutKeys::plan)) {
            let help = shown("{}: its name, mark or hex", [CodePiece::Key(RoutKeys::unit.name)]);
            return Err(plan.fault("a plan needs one unit").help(help));
        }
        let plan = plan.map(|plan| plan.number());
        let dice = dice.dice(seed)?;
        let mut entries: Vec<_> = plan.iter().map(|plan| entry(RoutKeys::plan, *plan)).collect();
        entries.extend(dice_entries(&dice));
        Ok((RoutWanted::Trace { plan: plan.map(|plan| plan.to_string()), dice }, entries))
    }

    fn odds_of_rout(&self, scenario: &Scenario, keys: &RoutKeys) -> Result<Wanted, Fault> {
        let is_ahead = keys.turns.is_some() || keys.objective.is_some();
        let ahead = is_ahead.then(|| self.ahead(scenario, keys)).transpose()?;
        let every_order = keys.orders.as_ref().is_some_and(|orders| orders.value);
        let mut entries = ahead.as_ref().map_or(Vec::new(), later_turns_entries);
        entries.extend(every_order.then(|| entry(RoutKeys::orders, true)));
        Ok((RoutWanted::Odds { every_order, ahead }, entries))
    }

    /// Returns whether the request asks why a hex is a destination or not.
    pub(super) fn is_explained(&self) -> bool {
        self.key(RoutKeys::explain).is_some()
    }

    fn key(&self, field: Field) -> Option<&SourcePosition> {
        let entries = self.rest.entries("a request").unwrap_or_default();
        entries.iter().find(|(key, _)| key.value == field.name).map(|(key, _)| &key.place)
    }

    /// Returns the Player Turns and the objective, by default those of the situation's campaign.
    fn ahead(&self, scenario: &Scenario, keys: &RoutKeys) -> Result<LaterTurns, Fault> {
        let turns = keys.turns.map(Whole::u16).or(scenario.turns()).ok_or_else(|| {
            let fault = self.node.place.fault("the number of Player Turns is missing");
            fault.help(field(TURNS, 4))
        })?;
        let named = keys.objective.as_ref().map(|weights| weights.objective(MEASURES, &[]));
        scenario.later_turns(turns, named.transpose()?)
    }

    /// Parses a `solve` request: the best play of one routing unit over several Player Turns.
    fn campaign(&self, scenario: &Scenario, keys: RoutKeys) -> Result<(Request, Entries), Fault> {
        let ahead = self.ahead(scenario, &keys)?;
        let mut entries = later_turns_entries(&ahead);
        let LaterTurns { turns, objective } = ahead;
        let situation = &scenario.situation;
        let place = match &keys.unit {
            Some(name) => named(situation, name)?[0],
            None => scenario.campaign.as_ref().map_or(0, |outlook| outlook.unit),
        };
        let router = &situation.routers[place];
        if let Some(reason) = bars_campaign(router) {
            let message = format!("a campaign cannot follow {}: {reason}", router.name);
            return Err(self.node.place.fault(message));
        }
        let question = campaign_on_map(scenario, place, turns)
            .map_err(|error| of_whole(self.node, error.fault))?;
        entries.extend(keys.unit.map(|_| entry(RoutKeys::unit, router.name.as_str())));
        let (about, depth) = (self.head.about.clone(), Depth::Policy);
        Ok((Request::Solve(Solving { about, question, objective, depth }), entries))
    }
}

impl RoutKeys {
    fn units(&self, situation: &Situation) -> Result<Vec<usize>, Fault> {
        let RoutKeys { unit, order, orders, .. } = self;
        if let (Some(_), Some(order)) = (unit, order) {
            return Err(order.place.either("unit", "order"));
        }
        if let (Some(unit), Some(Spanned { value: true, .. })) = (unit, orders) {
            let fault = unit.place.fault("use either `unit` or `orders`, not both");
            return Err(fault.help("`orders` always covers all units"));
        }
        units(situation, unit.as_ref(), order.as_ref())
    }
}

/// Returns the types of request that allow a key; `None` for a key of the situation.
fn allowing(key: &str) -> Option<&'static [RequestKind]> {
    ROUT_KEYS.iter().find(|(field, _)| field.name == key).map(|(_, allowing)| *allowing)
}

fn explain(situation: &Situation, hex: &Spanned<String>, keys: &RoutKeys) -> Result<Wanted, Fault> {
    let others = [
        (RoutKeys::orders, keys.orders.is_some()),
        (RoutKeys::turns, keys.turns.is_some()),
        (RoutKeys::objective, keys.objective.is_some()),
    ];
    if let Some((other, _)) = others.into_iter().find(|(_, is_given)| *is_given) {
        return Err(hex.place.either("explain", other.name));
    }
    let location =
        situation.map.parse_location(&hex.value).map_err(|fault| hex.place.blamed(fault))?;
    let entries = vec![entry(RoutKeys::explain, situation.map.location_name(location))];
    Ok((RoutWanted::Explanation(location), entries))
}

/// Parses the map of a request and the units on it, even if no unit has to rout.
///
/// # Errors
///
/// Fails if the text is not JSON, or the map or a unit is invalid.
pub fn read_unfinished(text: &str, open: Open) -> Result<Situation, Fault> {
    let node = from_json::node(text, "a request")?;
    let own_keys = request_keys();
    let is_of_map = |(key, _): &&Entry| !own_keys.contains(&key.value.as_str());
    let entries: Vec<Entry> =
        node.entries("a request")?.iter().filter(is_of_map).cloned().collect();
    let inline = |name: &str| inline(name, open);
    let read = asl::scenario::read_unfinished(&entries, &as_written, &inline, &own_keys);
    read.map(|scenario| scenario.situation).map_err(SituationError::in_one)
}

/// Returns the names of all keys that do not belong to the situation.
pub fn request_keys() -> Vec<&'static str> {
    let of_rout = ROUT_KEYS.iter().map(|(field, _)| field);
    HeadTable::ALL.iter().chain(of_rout).map(|field| field.name).collect()
}

fn own_fields<F: Fields>(node: &Node) -> Result<F, Fault> {
    Keyed::<String, Node, F>::read_node("a request", node).map(|read| read.fields)
}

/// Returns the entry `unit` or `order`; `None` if all units rout in the order of the situation.
fn unit_entry(situation: &Situation, units: &[usize], keys: &RoutKeys) -> Option<(String, Json)> {
    let name = |unit: &usize| situation.routers[*unit].name.as_str();
    match (&keys.unit, units) {
        (Some(_), [unit]) => Some(entry(RoutKeys::unit, name(unit))),
        (Some(hex), _) => Some(entry(RoutKeys::unit, hex.value.as_str())),
        (None, units) if units.is_sorted() => None,
        (None, units) => {
            let names = units.iter().map(name).collect::<Vec<_>>().join(", ");
            Some(entry(RoutKeys::order, names))
        }
    }
}

fn later_turns_entries(ahead: &LaterTurns) -> Entries {
    vec![entry(RoutKeys::turns, ahead.turns), entry(RoutKeys::objective, ahead.objective.to_json())]
}

/// Returns the 0-based indices of the units to evaluate, in the order in which they rout. `unit`
/// selects one by name, or all units of one hex. Without `unit` and `order` all units are returned.
///
/// # Errors
///
/// Fails if a unit is unknown, or an order does not name every routing unit once.
pub fn units(
    situation: &Situation,
    unit: Option<&Spanned<String>>,
    order: Option<&Spanned<String>>,
) -> Result<Vec<usize>, Fault> {
    let routers = &situation.routers;
    let Spanned { value: names, place } = match (unit, order) {
        (Some(name), _) => return named(situation, name),
        (None, None) => return Ok((0..routers.len()).collect()),
        (None, Some(order)) => order,
    };
    let mut order = Vec::new();
    for name in names.split(',').map(str::trim) {
        let start = name.as_ptr() as usize - names.as_ptr() as usize;
        let span = start..start + name.len();
        let placed = |fault| place.blamed(Fault { span, ..fault });
        order.extend(situation.units_named(name).map_err(placed)?);
    }
    if order.len() != routers.len() || (0..routers.len()).any(|unit| !order.contains(&unit)) {
        let all: Vec<&str> = routers.iter().map(|router| &*router.name).collect();
        let fault = Fault::new("every routing unit must be named once", 0..names.len());
        let help = text_field(RoutKeys::order.name, &all.join(", "));
        return Err(place.blamed(fault.help(help)));
    }
    Ok(order)
}

fn named(situation: &Situation, name: &Spanned<String>) -> Result<Vec<usize>, Fault> {
    situation.units_named(&name.value).map_err(|fault| name.place.blamed(fault))
}
