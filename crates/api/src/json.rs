//! Answers and faults as JSON.

use serde_json::{Map, Value, json};

use super::Refused;
use super::answer::{Answer, BestPlayAnswer};
use super::compare::ComparedQuestions;
use super::impact::Moved;
use super::link::line;
use super::odds::{OddsAnswer, last_point, rows_at};
use super::read::blamed;
use super::trace::{Traced, TracedLine};
use answer::json::object;
use answer::sheet::{figure_cells, figure_columns};
use answer::{Estimate, Meta};
use asl::scenario::answer::RouterAnswer;
use engine::process::Label;
use engine::text::Fault;
use engine::text::notation::{Notation, Remedy};
use engine::trace::TraceLine;
use schema::Node;

/// Returns an answer as JSON: `meta`, `headline`, `rows` (`lines` of a trace), lists and `notes`.
///
/// # Errors
///
/// Fails if the metadata cannot be serialised.
pub fn answer(answer: &Answer) -> serde_json::Result<Value> {
    let sheet = match answer {
        Answer::Reckoning(reckoning) => Some(reckoning.object()),
        answer => answer.sheet(),
    };
    let mut document = match sheet {
        Some(sheet) => object(&sheet)?,
        None => Map::from_iter([("meta".to_string(), serde_json::to_value(answer.meta())?)]),
    };
    document.shift_insert(1, "headline".to_string(), headline(answer));
    if let Answer::Trace(traced) = answer {
        document.insert("lines".to_string(), lines(traced));
    }
    let Meta { notes, uncertain, footing, .. } = answer.meta();
    let uncertain = uncertain.iter().map(|uncertain| format!("{}: {uncertain}", footing.uncertain));
    document.insert("notes".to_string(), notes.iter().cloned().chain(uncertain).collect());
    Ok(Value::Object(document))
}

/// Returns an answer as JSON with its `request` and `link`, null with a note if it is too long.
///
/// # Errors
///
/// Fails if the metadata cannot be serialised.
pub fn linked(answered: &Answer, request: Value) -> serde_json::Result<Value> {
    let mut json = answer(answered)?;
    let line = line(&request.to_string());
    if let (Err(fault), Some(notes)) = (&line, json["notes"].as_array_mut()) {
        notes.push(fault.message.as_str().into());
    }
    json["link"] = line.ok().into();
    json["request"] = request;
    Ok(json)
}

fn headline(answer: &Answer) -> Value {
    match answer {
        Answer::Question(odds) => successes(odds),
        Answer::Reckoning(reckoning) => {
            reckoning.reckoned.numbers.iter().map(|(name, number)| (*name, *number)).collect()
        }
        Answer::Trace(Traced { probability, approximately, .. }) => json!({
            "probability": approximately,
            "fraction": probability.map(|fraction| fraction.to_string()),
        }),
        Answer::RoutFindings(findings) => findings.headline.clone(),
        Answer::Impact(Moved { impacts, .. }) => {
            let widest = |impact: &super::impact::Impact| {
                let (setting, widest) = (&impact.reading.setting, impact.moves.first()?);
                Some(json!({ "switch": setting.id, "value": setting.value,
                    "status": widest.label.status, "slot": widest.label.slot,
                    "from": widest.before, "to": widest.after, "std_error": widest.std_error,
                    "error_bound": widest.error_bound }))
            };
            impacts.iter().filter_map(widest).collect()
        }
        Answer::Check(checked) => json!({ "agreement": checked.agreement.total().agreement() }),
        Answer::Compare(side) => verdict(side),
        Answer::Solve(BestPlayAnswer { request, solved, .. }) => {
            let opening = solved.opening.as_ref();
            json!({
                "value": solved.value[0],
                "choice": opening.map(|opening| opening.choices[0].option.as_str()),
                "margin": opening.map(|opening| opening.margin()),
                "for": request.objective.side().name(),
                "error_bound": solved.error_bound,
            })
        }
        Answer::Rout(routed) => {
            let situation = &routed.scenario.situation;
            let unit = |answered: &RouterAnswer| {
                let (plan, best) = answered.plans(situation).next().unzip();
                json!({
                    "unit": situation.routers[answered.unit].name,
                    "plan": plan,
                    "survives": best.map(|best| best.survives),
                    "in_cover": best.map(|best| best.in_cover),
                })
            };
            routed.answers.iter().map(unit).collect()
        }
    }
}

/// Returns each unit's probability of success at the last report point, or null without one.
fn successes(OddsAnswer { question, table }: &OddsAnswer) -> Value {
    let facts = question.words().facts();
    if facts.success.statuses.is_empty() || table.shape.joint {
        return Value::Null;
    }
    let (hoped, last) = (facts.success.words, last_point(table));
    let unit = |(slot, unit, figure): (u8, &str, Option<Estimate>)| {
        let hopeless = || Some(rows_at(table, slot, last).first()?.figure.of_none());
        let cells = figure_cells(&figure.or_else(hopeless)?);
        let mut entry = json!({ "slot": slot, "unit": unit, "hoped": hoped, "at": last });
        let of_unit = rows_at(table, slot, last).first().map(|row| &row.label);
        if let Some((side, slot)) =
            of_unit.and_then(|label| label.side.as_deref().zip(label.side_slot))
        {
            (entry["side"], entry["slot"]) = (side.into(), slot.into());
        }
        for ((name, _), cell) in figure_columns().into_iter().zip(cells) {
            entry[name] = json!(cell);
        }
        Some(entry)
    };
    super::odds::successes(&facts, table).into_iter().filter_map(unit).collect()
}

fn verdict(side: &ComparedQuestions) -> Value {
    let verdict = &side.compared.verdict;
    let error = verdict.lead.error;
    json!({
        "best": side.names[verdict.best],
        "next": side.names[verdict.next],
        "for": side.objective.side().name(),
        "lead": verdict.lead.value,
        "std_error": error.map(|error| error.std_error),
        "ci_low": error.map(|error| error.interval.0),
        "ci_high": error.map(|error| error.interval.1),
        "error_bound": verdict.lead.error_bound,
        "is_clear": verdict.lead.is_clear(),
    })
}

fn lines(traced: &Traced) -> Value {
    let outcome = |label: &Label| {
        let mut json = json!({ "slot": label.side_slot.or(label.slot), "unit": label.unit,
            "status": label.status, "counter": label.counter, "wounded": label.wounded,
            "outcome": label.outcome });
        for (name, word) in [("side", label.side.as_deref()), ("place", label.place)] {
            if let Some(word) = word {
                json[name] = word.into();
            }
        }
        json
    };
    let line = |TracedLine { rule, words, at, line }: &TracedLine| {
        let rule = Some(rule).filter(|rule| !rule.is_empty());
        match line {
            TraceLine::Roll { face, faces_read, dice, .. } => {
                json!({ "rule": rule, "roll": words, "rolled": dice.written(*face),
                    "read": faces_read, "faces": dice.faces() })
            }
            TraceLine::Event(_) => json!({ "rule": rule, "event": words }),
            TraceLine::Noted { outcomes, .. } => {
                json!({ "at": at, "noted": outcomes.iter().map(outcome).collect::<Vec<_>>() })
            }
        }
    };
    traced.lines.iter().map(line).collect()
}

/// Returns a fault in a request as JSON, with its byte range and its 1-based line and column.
///
/// # Examples
///
/// ```
/// use engine::text::Fault;
///
/// let fault = lowcrawl_api::json::fault(&Fault::new("no such kind", 4..6), "a\nb c");
/// assert_eq!((&fault["fault"]["line"], &fault["fault"]["column"]), (&2.into(), &3.into()));
/// ```
pub fn fault(fault: &Fault, text: &str) -> Value {
    let before = &text[..text.floor_char_boundary(fault.span.start)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    json!({ "fault": { "message": fault.message, "span": [fault.span.start, fault.span.end],
        "line": line, "column": column,
        "near": fault.near, "help": fault.help.as_ref().map(in_json) } })
}

fn in_json(help: &Remedy) -> String {
    help.render(Notation::Json)
}

/// Returns, as JSON, the reason why a `request` has no answer. `text` is its text.
pub fn refused(refused: Refused, request: &Node, text: &str) -> Value {
    match refused {
        Refused::Field(error) => fault(&blamed(request, error), text),
        Refused::Engine { error, help } => {
            json!({ "fault": { "message": error.to_string(), "help": help.as_ref().map(in_json) } })
        }
    }
}
