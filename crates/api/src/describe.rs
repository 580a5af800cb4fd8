//! Description, as JSON, of everything that can be asked.

use serde_json::{Value, json};

use super::read::{
    HeadTable, ImpactTable, QuestionTable, ROUT_KEYS, RequestKind, SampledTable, SolveTable,
    TraceTable, comparison_keys, further_kinds, is_first,
};
#[cfg(feature = "vasl")]
use super::vasl_files::FILE_KEYS;
use asl::kinds::ENDS;
use asl::rout::RoutFields;
use asl::scenario::lettered;
use asl::tables::SituationTables;
use engine::text::Fault;
use play::files::kinds::{ROUT, named_kind};
use play::{Game, Registry, RunTable};
use schema::common_fields::{GIVEN_FIELD, POLICY_FIELD};
use schema::file_tables::{ANYTHING, tables};
use schema::{
    ChoiceMaker, Field, Fields as _, FileTable, Kind, Measure, Parameter, SourcePosition, Spanned,
    StepKind, StockUnit, Takes,
};

/// Describes all games with their kinds of questions, parameters, measures and units, and the
/// format of requests. With `system` only that game is described, and with `kind` only that kind.
///
/// # Errors
///
/// Fails if a name is unknown. The span of the fault is within that name.
///
/// # Examples
///
/// ```
/// use lowcrawl_api::{describe, games};
///
/// assert!(describe(&games(), None, None).unwrap()["systems"].is_array());
/// assert!(describe(&games(), Some("chess"), None).is_err());
/// ```
pub fn describe(
    registry: &Registry,
    system: Option<&str>,
    kind: Option<&str>,
) -> Result<Value, Fault> {
    let game = system.map(|name| registry.game(name)).transpose()?;
    match (game, kind) {
        (None, _) => {
            let systems = registry.games().iter().map(|game| self::game(registry, *game));
            let all = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "requests": requests(),
                "systems": systems.collect::<Vec<_>>(),
            });
            Ok(with_files(all))
        }
        (Some(game), None) => Ok(self::game(registry, game)),
        (Some(game), Some(ROUT)) if is_first(registry, game) => Ok(with_hint(game, rout(game))),
        (Some(game), Some(name)) => Ok(of_kind(game, kind_called(registry, game, name)?)),
    }
}

/// Adds the kinds of requests about files of VASL, which this build reads.
#[cfg(feature = "vasl")]
fn with_files(mut all: Value) -> Value {
    let keys = FILE_KEYS.iter().map(|(kind, keys)| (kind.to_string(), self::all(*keys).into()));
    all["files"] = Value::Object(keys.collect());
    all
}

#[cfg(not(feature = "vasl"))]
fn with_files(all: Value) -> Value {
    all
}

pub(super) fn kind_called(
    registry: &Registry,
    game: &dyn Game,
    name: &str,
) -> Result<&'static Kind, Fault> {
    let name = Spanned { value: name.to_string(), place: SourcePosition::whole(0..name.len()) };
    named_kind(game, HeadTable::kind.name, Some(&name), further_kinds(registry, game))
}

/// Returns the fields of a kind of question, with those for its policy and its given dice.
pub(super) fn all_fields(kind: &'static Kind) -> impl Iterator<Item = &'static Field> {
    let policy = kind.has_policy().then_some(&POLICY_FIELD);
    kind.fields().chain(policy).chain([&GIVEN_FIELD])
}

fn game(registry: &Registry, game: &dyn Game) -> Value {
    let kinds = game.kinds().iter().map(|kind| of_kind(game, kind));
    let kinds = kinds.chain(is_first(registry, game).then(|| with_hint(game, rout(game))));
    let parameter = |Parameter { name, default, values, source, about }: &Parameter| {
        json!({ "name": name, "default": default, "values": values, "source": source.name(),
            "about": about })
    };
    let measure = |Measure { name, weight, of_one, of_several, range, .. }: &Measure| {
        json!({ "name": name, "weight": weight, "of_one": of_one,
            "of_several": of_several, "range": range })
    };
    let unit = |StockUnit { unit, written, side, name, about }: &StockUnit| {
        json!({ "unit": unit, "written": written, "side": side, "name": name,
            "about": about })
    };
    json!({
        "name": game.name(),
        "about": game.about(),
        "kinds": kinds.collect::<Vec<_>>(),
        "parameters": game.parameters().iter().map(parameter).collect::<Vec<_>>(),
        "measures": game.measures().iter().map(measure).collect::<Vec<_>>(),
        "units": game.units().iter().map(unit).collect::<Vec<_>>(),
        "first_units": game.form_hints().units,
        "conditions": game.conditions(),
        "weapons": game.weapons().iter()
            .map(|(side, name)| json!({ "side": side, "name": name })).collect::<Vec<_>>(),
    })
}

fn of_kind(game: &dyn Game, kind: &'static Kind) -> Value {
    let play = match kind.play {
        ChoiceMaker::Unasked => "none",
        ChoiceMaker::Plan => "plan",
        ChoiceMaker::Policy => "policy",
        ChoiceMaker::Best => "best",
    };
    let step = |step: &&StepKind| json!({ "do": step.name, "fields": hinted(game, step.fields()) });
    let kind = json!({
        "name": kind.name,
        "about": kind.about,
        "subject": kind.subject.map(|field| field.name),
        "choices": play,
        "policies": game.policies(kind).iter()
            .map(|policy| json!({ "name": policy.name, "about": policy.about }))
            .collect::<Vec<_>>(),
        "statuses": kind.statuses,
        "classes": kind.classes.iter()
            .map(|class| json!({ "name": class.name, "statuses": class.statuses }))
            .collect::<Vec<_>>(),
        "ends": kind.further_ends.iter().map(|end| end.name).collect::<Vec<_>>(),
        "sides": kind.sides,
        "groups": kind.groups.iter()
            .map(|group| json!({ "name": group.name, "about": group.about })).collect::<Vec<_>>(),
        "fields": hinted(game, all_fields(kind)),
        "aliases": kind.aliases.iter().map(|alias| {
            json!({ "name": alias.field.name, "of": alias.of, "about": alias.note })
        }).collect::<Vec<_>>(),
        "steps": game.form(kind).steps().iter().map(step).collect::<Vec<_>>(),
        "variations": kind.variations.iter().map(|option| {
            json!({ "name": option.name, "about": option.about })
        }).collect::<Vec<_>>(),
        "untold": kind.unreported,
        "reckoned": kind.reckoned.iter().map(|number| {
            json!({ "name": number.name, "about": number.words })
        }).collect::<Vec<_>>(),
        "help": kind.help,
    });
    with_hint(game, kind)
}

/// Describes the kind `rout`, whose tables are those of a situation file.
fn rout(game: &dyn Game) -> Value {
    let table = |FileTable { path, fields, keyed }: &FileTable| {
        let keyed = keyed.map(|(key, value)| json!({ "keys": takes(key), "values": takes(value) }));
        json!({ "path": path, "fields": all(fields.iter()), "keyed": keyed })
    };
    let requests =
        [RequestKind::Question, RequestKind::Solve, RequestKind::Trace, RequestKind::Impact];
    let keys_of = |request: RequestKind| {
        let allowed = ROUT_KEYS.iter().filter(|(_, allowing)| allowing.contains(&request));
        (request.name(), allowed.map(|(field, _)| field.name).collect::<Value>())
    };
    json!({
        "name": ROUT,
        "about": "a Rout Phase on a map: who must rout, where to, and the odds of every plan",
        "subject": SituationTables::routs.name,
        "terrain": lettered().collect::<Vec<_>>(),
        "fields": hinted(game, RoutFields::ALL.iter()
            .chain(ROUT_KEYS.iter().map(|(field, _)| field))),
        "requests": Value::from_iter(requests.map(keys_of)),
        "statuses": ENDS,
        "tables": tables("", SituationTables::ALL).iter().map(table).collect::<Vec<_>>(),
    })
}

/// Describes fields of a game, with its hints for forms. Keys without a hint are left out.
fn hinted<'a>(game: &dyn Game, fields: impl IntoIterator<Item = &'a Field>) -> Vec<Value> {
    let hints = game.form_hints();
    let one = |field: &Field| {
        let mut json = one(field);
        if field.negation.is_some() {
            json["brief"] = field.about.into();
        }
        if let Some(role) = hints.role(field) {
            json["role"] = role.name().into();
        }
        let Some(hint) = hints.field(field.name) else { return json };
        json["label"] = hint.label.into();
        if let Some(initial) = hint.initial.filter(|_| field.default.is_none()) {
            json["initial"] = initial.into();
        }
        // A field of the same name may have narrower bounds in another kind.
        let fits = |value: &&&str| match field.takes {
            Takes::Number(low, high) => {
                value.parse().is_ok_and(|number: i64| (low..=high).contains(&number))
            }
            _ => true,
        };
        if !hint.common.is_empty() {
            json["common"] = hint.common.iter().filter(fits).copied().collect();
        }
        if !hint.replaces.is_empty() {
            json["replaces"] = hint.replaces.into();
        }
        json
    };
    fields.into_iter().map(one).collect()
}

/// Adds the hint on a kind: its label, its question in a few words, and its place in a list.
fn with_hint(game: &dyn Game, mut kind: Value) -> Value {
    let name = kind["name"].as_str().unwrap_or_default();
    if let Some((place, hint)) = game.form_hints().kind(name) {
        kind["label"] = hint.label.into();
        kind["brief"] = hint.brief.into();
        kind["icon"] = hint.icon.into();
        kind["place"] = place.into();
    }
    kind
}

fn requests() -> Value {
    let with_question = |fields: &'static [Field]| all(QuestionTable::ALL.iter().chain(fields));
    json!({
        "every": all(HeadTable::ALL),
        "options": all(RunTable::ALL.iter().chain(SampledTable::ALL)),
        "question": all(QuestionTable::ALL),
        "compare": all(comparison_keys()),
        "solve": with_question(SolveTable::ALL),
        "trace": with_question(TraceTable::ALL),
        "impact": with_question(ImpactTable::ALL),
        "reckon": all(QuestionTable::ALL),
    })
}

fn all<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Vec<Value> {
    fields.into_iter().map(one).collect()
}

fn one(field: &Field) -> Value {
    json!({
        "name": field.name,
        "negation": field.negation,
        "takes": takes(field.takes),
        "default": field.default,
        "about": about(field),
        "rule": field.rule,
        "sweeps": field.sweeps,
    })
}

/// Returns a field's description, or `the opposite of ...` if it declares that of its negation.
pub(super) fn about(field: &Field) -> String {
    field.negation.map_or(field.about.to_string(), |negation| {
        format!("the opposite of `{negation}` ({})", field.about)
    })
}

fn takes(takes: Takes) -> Value {
    let names = |fields: &[Field]| fields.iter().map(|field| field.name).collect::<Vec<_>>();
    match takes {
        Takes::Flag => json!({ "type": "flag" }),
        Takes::Number(low, high) => json!({ "type": "number", "from": low, "to": high }),
        Takes::Word(name, words) => json!({ "type": "word", "called": name, "words": words() }),
        Takes::Text(ANYTHING) => json!({ "type": "any" }),
        Takes::Text(name) => json!({ "type": "text", "called": name }),
        Takes::Parts(name) => json!({ "type": "text", "called": name }),
        Takes::Lines(name) | Takes::Tables(name) => {
            json!({ "type": "text", "called": name, "lines": true })
        }
        Takes::Numbers(name) => json!({ "type": "numbers", "called": name }),
        Takes::List(each) => json!({ "type": "list", "of": self::takes(*each) }),
        Takes::Table(fields) => json!({ "type": "table", "fields": names(fields()) }),
        Takes::Keyed(key, value, fields) => json!({
            "type": "table",
            "fields": names(fields()),
            "keys": self::takes(*key),
            "values": self::takes(*value),
        }),
    }
}
