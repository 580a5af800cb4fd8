//! Parsing of a request about a rout on a map: its situation and its other keys.

use std::io;

use serde_json::{Map, Value as Json, json};

use super::{HeadTable, ImpactTable, Of, RequestKind, TraceTable, dice, dice_entries};
use crate::request::{Explaining, Request, Rereading, RoutTracing, Routing, Solving};
use asl::campaign::MAX_TURNS;
use asl::course::final_state::MEASURES;
use asl::rout::Situation;
use asl::rulebook::{INTERPRETATIONS, Interpretation, Rulebook};
use asl::scenario::campaign::campaign_on_map;
use asl::scenario::canonical::canonical_form;
use asl::scenario::later_turns::{LaterTurns, TURNS};
use asl::scenario::{
    Open, Scenario, SituationError, as_written, bars_campaign, no_dice, of_entries,
};
use engine::text::notation::{CodePiece, field, shown, text_field};
use engine::text::{Fault, canonical};
use play::dyn_question::Depth;
use play::objective::{Objective, Weights};
use schema::common_fields::GIVEN;
use schema::field::{Field, FieldValue as _, Fields, Whole, fields};
use schema::file_tables::Keyed;
use schema::form::Settable as _;
use schema::from_json;
use schema::node::{Entry, Node, Raw, SourcePosition, Spanned};

fields! {
    /// Table of the key that restricts a request about a rout to one unit.
    pub table UnitTable {
        "unit" unit: Option<Spanned<String>>,
            "only this unit, given by name, mark on the map (U1) or hex";
    }
}

fields! {
    /// Table of the key for the order in which several units rout.
    pub table OrderTable {
        "order" order: Option<Spanned<String>>,
            "units in the order in which they rout, separated by commas";
    }
}

fields! {
    /// Table of the keys that only a `question` request about a rout can have.
    pub table PhaseTable {
        "orders" orders: Option<Spanned<bool>>, "compare every order of the units";
        "explain" explain: Option<Spanned<String>>,
            "only explain why this hex is a destination or not";
    }
}

fields! {
    /// Table of the keys for the Player Turns after the rout.
    pub table AheadTable {
        "turns" turns: Option<Whole<1, MAX_TURNS>>,
            "number of Player Turns over which each first choice is valued; the best play follows \
                each choice";
        "objective" objective: Option<Weights>, "the objective over these turns";
    }
}

fields! {
    /// Table of the key that selects the plan in a `trace` request about one unit.
    pub table PlanTable {
        "plan" plan: Option<Whole<1, 1_000_000>>,
            "for one unit: number of its plan, where 1 is the best";
    }
}

/// Keys that a request about a map can have in addition to its situation, with the types of request
/// that allow them.
pub const ROUT_TABLES: &[(&[Field], &[RequestKind])] = &[
    (
        UnitTable::ALL,
        &[RequestKind::Question, RequestKind::Solve, RequestKind::Trace, RequestKind::Impact],
    ),
    (OrderTable::ALL, &[RequestKind::Question, RequestKind::Impact, RequestKind::Trace]),
    (PhaseTable::ALL, &[RequestKind::Question]),
    (AheadTable::ALL, &[RequestKind::Question, RequestKind::Solve]),
    (ImpactTable::ALL, &[RequestKind::Impact]),
    (PlanTable::ALL, &[RequestKind::Trace]),
    (TraceTable::ALL, &[RequestKind::Trace]),
];
/// Measure that is the default objective of a request about a map.
pub const OBJECTIVE: &str = "good-order";

impl Of<'_> {
    /// Parses a request about a rout on a map, whose situation stands among the request's keys.
    pub(super) fn rout(
        &self,
        open: Open,
        seed: Option<u64>,
    ) -> Result<(Request, Map<String, Json>), Fault> {
        if let Some((key, _)) =
            self.rest.entries("a request")?.iter().find(|(key, _)| canonical(&key.value) == GIVEN)
        {
            return Err(no_dice(key.place.span.clone()));
        }
        let of_table = |name: &str| {
            ROUT_TABLES.iter().find(|(fields, _)| fields.iter().any(|field| field.name == name))
        };
        let (own, entries): (Vec<Entry>, Vec<Entry>) = self
            .rest
            .entries("a request")?
            .iter()
            .cloned()
            .partition(|(key, _)| of_table(&key.value).is_some());
        let own = Node { raw: Raw::Table(own), ..self.rest.clone() };
        let (UnitTable { unit }, OrderTable { order }) = (own_fields(&own)?, own_fields(&own)?);
        let (PhaseTable { orders, explain }, goes_on) =
            (own_fields(&own)?, own_fields::<AheadTable>(&own)?);
        let (ImpactTable { of }, PlanTable { plan }) = (own_fields(&own)?, own_fields(&own)?);
        let TraceTable { script, sequence } = own_fields(&own)?;
        for (key, _) in own.entries("a request")? {
            if let Some((_, wanted)) =
                of_table(&key.value).filter(|(_, wanted)| !wanted.contains(&self.head.request))
            {
                let fault =
                    key.place.fault(format!("`{}` is not a key of this request", key.value));
                let others = vec!["{}"; wanted.len()].join(" or ");
                let wanted: Vec<CodePiece> = wanted
                    .iter()
                    .map(|wanted| text_field(HeadTable::request.name, wanted.name()))
                    .collect();
                return Err(fault.help(shown(format!("it belongs to {others}"), wanted)));
            }
        }
        let inline = |name: &str| inline(name, open);
        let mut scenario = of_entries(&entries, &as_written, &inline, &request_keys())
            .map_err(|error| self.placed(in_one(error)))?;
        scenario.about = self.head.about.clone();
        let mut entries_json = canonical_form(&entries, &scenario, &inline)
            .map_err(|error| self.placed(in_one(error)))?;
        if self.head.request == RequestKind::Solve {
            return self.campaign(&scenario, unit, &goes_on, entries_json);
        }
        if let (Some(_), Some(order)) = (&unit, &order) {
            return Err(order
                .place
                .fault("use either `unit` or `order`, not both")
                .help("remove one of them"));
        }
        if let (Some(unit), Some(Spanned { value: true, .. })) = (&unit, &orders) {
            return Err(unit
                .place
                .fault("use either `unit` or `orders`, not both")
                .help("`orders` always covers all units"));
        }
        let units = units(&scenario.situation, unit.as_ref(), order.as_ref())?;
        entries_json.extend(unit_entries(&scenario.situation, &units, unit.as_ref()));
        match self.head.request {
            RequestKind::Impact => {
                let which = of.as_ref().map(|of| of.value.as_str());
                let place = of.as_ref().map_or(&self.node.place, |of| &of.place);
                let readings = readings(which).map_err(|fault| place.blamed(fault))?;
                entries_json.extend(which.and_then(|of| {
                    Some((ImpactTable::of.name.to_string(), json!(scenario.rules.setting(of)?)))
                }));
                return Ok((
                    Request::Reread(Box::new(Rereading {
                        scenario,
                        units,
                        interpretations: readings,
                    })),
                    entries_json,
                ));
            }
            RequestKind::Trace => {
                if let (Some(_), None, Some(unit)) = (plan, &unit, self.key(PlanTable::plan.name)) {
                    return Err(unit.fault("a plan needs one unit").help(shown(
                        "{}: its name, mark or hex",
                        [CodePiece::Key(UnitTable::unit.name)],
                    )));
                }
                let plan = plan.map(|plan| plan.number());
                let dice = dice(script, sequence, seed)?;
                entries_json
                    .extend(plan.map(|plan| (PlanTable::plan.name.to_string(), json!(plan))));
                entries_json.extend(dice_entries(&dice));
                let plan = plan.map(|plan| plan.to_string());
                return Ok((
                    Request::RoutTrace(Box::new(RoutTracing { scenario, units, plan, dice })),
                    entries_json,
                ));
            }
            RequestKind::Question | RequestKind::Solve | RequestKind::Compare => {}
        }
        if let Some(Spanned { value: hex, place }) = explain {
            let others =
                [PhaseTable::orders.name, AheadTable::turns.name, AheadTable::objective.name];
            if let Some(other) = others.into_iter().find(|other| self.key(other).is_some()) {
                return Err(place
                    .fault(format!("use either `explain` or `{other}`, not both"))
                    .help("remove one of them"));
            }
            let location =
                scenario.situation.map.parse_location(&hex).map_err(|fault| place.blamed(fault))?;
            entries_json.insert(
                PhaseTable::explain.name.to_string(),
                json!(scenario.situation.map.location_name(location)),
            );
            return Ok((
                Request::Explain(Box::new(Explaining { scenario, units, location })),
                entries_json,
            ));
        }
        let ahead = match (goes_on.turns, &goes_on.objective) {
            (None, None) => None,
            _ => Some(self.ahead(&scenario, &goes_on)?),
        };
        entries_json.extend(ahead.as_ref().map_or(Vec::new(), later_turns_entries));
        let every_order = orders.is_some_and(|orders| orders.value);
        entries_json
            .extend(every_order.then(|| (PhaseTable::orders.name.to_string(), json!(true))));
        Ok((Request::Rout(Box::new(Routing { scenario, units, every_order, ahead })), entries_json))
    }

    /// Returns whether the request asks why a hex is a destination or not.
    pub(super) fn is_explained(&self) -> bool {
        self.key(PhaseTable::explain.name).is_some()
    }

    fn key(&self, name: &str) -> Option<&SourcePosition> {
        let entries = self.rest.entries("a request").unwrap_or_default();
        entries.iter().find(|(key, _)| key.value == name).map(|(key, _)| &key.place)
    }

    /// Returns the number of Player Turns and the objective. If the request omits one, the
    /// situation's own campaign supplies it.
    fn ahead(&self, scenario: &Scenario, table: &AheadTable) -> Result<LaterTurns, Fault> {
        let of_file = scenario.campaign.clone().unwrap_or_default();
        let turns = table.turns.map(Whole::u16).or(of_file.turns()).ok_or_else(|| {
            let fault = self.node.place.fault("the number of Player Turns is missing");
            fault.help(field(TURNS, 4))
        })?;
        let named = table
            .objective
            .as_ref()
            .map(|weights| weights.objective(&MEASURES, &[]))
            .transpose()?
            .or(of_file.objective);
        let objective = named.map_or_else(|| Objective::named(OBJECTIVE, &MEASURES), Ok)?;
        Ok(LaterTurns { turns, objective })
    }

    /// Parses a `solve` request: the best play of one routing unit over several Player Turns.
    fn campaign(
        &self,
        scenario: &Scenario,
        unit: Option<Spanned<String>>,
        table: &AheadTable,
        mut entries_json: Map<String, Json>,
    ) -> Result<(Request, Map<String, Json>), Fault> {
        let ahead = self.ahead(scenario, table)?;
        entries_json.extend(later_turns_entries(&ahead));
        let LaterTurns { turns, objective } = ahead;
        let place = match &unit {
            Some(name) => scenario
                .situation
                .units_named(&name.value)
                .map_err(|fault| name.place.blamed(fault))?[0],
            None => scenario.campaign.as_ref().map_or(0, |outlook| outlook.unit),
        };
        let router = &scenario.situation.routers[place];
        if let Some(reason) = bars_campaign(router) {
            return Err(self
                .node
                .place
                .fault(format!("a campaign cannot follow {}: {reason}", router.name)));
        }
        let question =
            campaign_on_map(scenario, place, turns).map_err(|error| self.placed(error.fault))?;
        entries_json.extend(unit.map(|_| (UnitTable::unit.name.to_string(), json!(router.name))));
        let solving =
            Solving { about: self.head.about.clone(), question, objective, depth: Depth::Policy };
        Ok((Request::Solve(solving), entries_json))
    }
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
    let situation = asl::scenario::read_unfinished(&entries, &|name| inline(name, open), &own_keys);
    situation.map_err(in_one)
}

/// Returns the names of all keys that do not belong to the situation.
fn request_keys() -> Vec<&'static str> {
    let of_rout = ROUT_TABLES.iter().flat_map(|(fields, _)| *fields);
    HeadTable::ALL.iter().chain(of_rout).map(|field| field.name).collect()
}

/// Returns the text of a table: `name` itself if it has several lines, else the file it names.
fn inline(name: &str, open: Open) -> io::Result<String> {
    if name.contains('\n') { Ok(name.to_string()) } else { open(name) }
}

fn own_fields<F: Fields>(node: &Node) -> Result<F, Fault> {
    Keyed::<String, Node, F>::read_node("a request", node).map(|read| read.fields)
}

/// Returns the key `unit` or `order` of the canonical request. `None` if all units rout in the
/// order of the situation.
fn unit_entries(
    situation: &Situation,
    units: &[usize],
    unit: Option<&Spanned<String>>,
) -> Option<(String, Json)> {
    let name = |unit: &usize| situation.routers[*unit].name.clone();
    match (unit, units) {
        (Some(_), [unit]) => Some((UnitTable::unit.name.to_string(), json!(name(unit)))),
        (Some(hex), _) => Some((UnitTable::unit.name.to_string(), json!(hex.value))),
        (None, units) if units.is_sorted() => None,
        (None, units) => {
            let names: Vec<String> = units.iter().map(name).collect();
            Some((OrderTable::order.name.to_string(), json!(names.join(", "))))
        }
    }
}

fn later_turns_entries(ahead: &LaterTurns) -> Vec<(String, Json)> {
    vec![
        (TURNS.to_string(), json!(ahead.turns)),
        (AheadTable::objective.name.to_string(), ahead.objective.to_json()),
    ]
}

/// Returns the interpretations to vary: all, or the alternatives of the one named `which`.
///
/// # Errors
///
/// Fails if `which` is not the name of an interpretation.
pub fn readings(which: Option<&str>) -> Result<Vec<&'static Interpretation>, Fault> {
    which.map_or_else(|| Ok(INTERPRETATIONS.iter().collect()), Rulebook::readings)
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
    let all: Vec<usize> = (0..situation.routers.len()).collect();
    match (unit, order) {
        (Some(name), _) => {
            situation.units_named(&name.value).map_err(|fault| name.place.blamed(fault))
        }
        (None, None) => Ok(all),
        (None, Some(Spanned { value: names, place })) => {
            let mut order = Vec::new();
            for name in names.split(',').map(str::trim) {
                let start = name.as_ptr() as usize - names.as_ptr() as usize;
                let shifted = |fault: Fault| Fault { span: start..start + name.len(), ..fault };
                order.extend(
                    situation.units_named(name).map_err(|fault| place.blamed(shifted(fault)))?,
                );
            }
            let mut once = order.clone();
            once.sort_unstable();
            if once != all {
                let all =
                    situation.routers.iter().map(|router| router.name.as_str()).collect::<Vec<_>>();
                let fault = Fault::new("every routing unit must be named once", 0..names.len());
                return Err(
                    place.blamed(fault.help(text_field(OrderTable::order.name, &all.join(", "))))
                );
            }
            Ok(order)
        }
    }
}

/// Converts an error of a situation or its tables into a fault of the request.
fn in_one(error: SituationError) -> Fault {
    match error {
        SituationError::Fault(fault) => fault,
        SituationError::Table { name, text, fault } => {
            let line = text[..fault.span.start.min(text.len())].matches('\n').count() + 1;
            let name = if name.contains('\n') { "a table of hexes or lines" } else { &name };
            Fault {
                message: format!("{name}, line {line}: {}", fault.message),
                span: 0..0,
                ..*fault
            }
        }
        SituationError::Io { name, error } => Fault::new(format!("`{name}`: {error}"), 0..0),
    }
}

/// Refuses to open any file, for requests that must contain the lines of their tables.
///
/// # Errors
///
/// Always fails with a message that asks for the lines of the table instead of its name.
pub fn no_files(name: &str) -> io::Result<String> {
    let message = format!("files cannot be read here: replace `{name}` with the text of the file");
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}
