//! Charts of an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use super::compare::{SEVERAL, classes_counted, first_heading};
use super::curves::{mean_of, means_of, rows_of};
use super::units::{Alike, alike};
use answer::estimate::CONFIDENCE;
use answer::{
    Curve, Estimate, Meta, QuestionDetails, QuestionInfo, Row, Success, Table, UnitCounts,
};
use api::Answer;
use api::answer::BestPlayAnswer;
use api::compare::ComparedQuestions;
use api::impact::Moved;
use api::odds::{OddsAnswer, end_in_words, last_point, point, rows_at};
use api::request::Solving;
use api::rout::Routed;
use api::rout::picture::crossed_board;
use api::rout::report::PlanOdds;
use charts::chart::{Chart, ChartKind, Panel, Series, Unit, Value};
use engine::process::{Label, ReportIndex};
use engine::stats::normal_half_width;
use play::{ComparedCourse, DynQuestion};
use schema::ChartClass;

/// Largest number of bars in a chart of joint outcomes, or of the plans of a unit.
const MOST_OUTCOMES: usize = 20;

/// Name of the report points of a sequence of different actions.
const STEP: &str = "step";

/// Returns the charts of an answer's odds, the best fit first; with `counts` that of unit counts.
pub fn charts(answer: &Answer, counts: bool) -> Vec<Chart> {
    match answer {
        Answer::Question(odds) => of_question(odds, counts),
        Answer::Compare(side) => of_courses(side),
        Answer::Solve(played) => of_play(played),
        Answer::Impact(moved) => of_readings(moved),
        Answer::Rout(routed) => vec![of_routs(routed)],
        _ => Vec::new(),
    }
}

/// Returns the names of the report points of curves.
fn numbers_of(details: &QuestionDetails) -> Vec<String> {
    let reports = details.curves.first().map_or(0, |curve| curve.quantities.len());
    (1..=reports).map(|point| point.to_string()).collect()
}

/// Returns the mean of an expected value of a table.
/// Returns a chart of the mean numbers of units over time, with a band for the middle four fifths
/// of all sequences.
fn fan(of: (&str, &Meta), details: &QuestionDetails, table: &Table, along: &str) -> Chart {
    let curves = details.curves.iter().filter(|curve| curve.most > 1 || curve.is_main);
    let series = curves.map(|curve| {
        let value = |(quantity, point): (&usize, ReportIndex)| {
            let interval =
                quantile(table, curve, point, 0.1).zip(quantile(table, curve, point, 0.9));
            Some(Value { value: mean_of(table, *quantity), interval, word: None })
        };
        Series::new(curve.name(), curve.quantities.iter().zip(1..).map(value))
    });
    let panel = Panel::new(numbers_of(details), series.collect());
    chart(of, ChartKind::Fan, Unit::Number, along, panel)
}

/// Returns the least number that a share of all sequences does not exceed.
fn quantile(table: &Table, curve: &Curve, point: ReportIndex, share: f64) -> Option<f64> {
    let mut rows: Vec<(u8, &Row)> = rows_of(table, &curve.side, curve.status, point).collect();
    rows.sort_by_key(|(number, _)| *number);
    let mut sum = 0.0;
    let exceeds = |(_, row): &&(u8, &Row)| {
        sum += row.figure.probability();
        sum >= share
    };
    rows.iter().find(exceeds).or(rows.last()).map(|(number, _)| f64::from(*number))
}

/// Returns a chart of what becomes of the units of each side over time.
fn of_parts(of: (&str, &Meta), details: &QuestionDetails, table: &Table, along: &str) -> Chart {
    let mut sides: IndexMap<&str, Vec<Series>> = IndexMap::new();
    for part in &details.parts {
        let values = means_of(part, table).map(|mean| Some(Value::from(mean)));
        let series = Series::new(part.words, values).of_class(Some(part.class));
        sides.entry(&part.side).or_default().push(series);
    }
    let several = sides.len() > 1;
    let panel = |(side, series): (&str, Vec<Series>)| Panel {
        name: if several { side.to_string() } else { String::new() },
        ..Panel::new(numbers_of(details), series)
    };
    let panels = sides.into_iter().map(panel).collect();
    Chart { panels, ..chart(of, ChartKind::Areas, Unit::Number, along, Panel::default()) }
}

/// Returns the first sentence of a description, without its full stop.
fn heading(about: &str) -> String {
    let words: Vec<&str> = about.split_whitespace().collect();
    let is_end = |word: &&str| word.ends_with(['.', '?', '!']);
    let end = words.iter().position(is_end).map_or(words.len(), |end| end + 1);
    words[..end].join(" ").trim_end_matches('.').to_string()
}

/// Returns how an answer was computed, as one line below a title.
pub fn note(meta: &Meta) -> String {
    let (trials, seed) = (meta.trials.unwrap_or_default(), meta.seed.unwrap_or_default());
    let method = match meta.engine {
        "exact" => "Exact".to_string(),
        _ => format!("Monte Carlo, {trials} sequences, seed {seed}"),
    };
    format!("{method}; {}.", meta.footing.words)
}

/// Creates a chart with a single panel.
pub fn chart(
    (title, meta): (&str, &Meta),
    kind: ChartKind,
    unit: Unit,
    along: &str,
    panel: Panel,
) -> Chart {
    Chart {
        title: title.to_string(),
        note: note(meta),
        kind,
        unit,
        along: along.to_string(),
        across: String::new(),
        panels: vec![panel],
        board: None,
    }
}

/// Converts a probability into a chart value, with the interval of an estimate.
pub fn value(figure: &Estimate) -> Value {
    Value { value: figure.probability(), interval: figure.interval(), word: None }
}

/// Returns charts of the final states of units (one chart for each kind that fits), and of counts.
fn of_question(OddsAnswer { question, table }: &OddsAnswer, counts: bool) -> Vec<Chart> {
    let facts = question.words().facts();
    let of = (table.meta.question.as_str(), &table.meta);
    let mut charts = match facts.is_joint {
        true => vec![of_outcomes(of, table)],
        false => of_units(of, question.words(), table),
    };
    charts.splice(0..0, of_path(of, &**question, table));
    let known = table.counts.as_ref();
    charts.extend(known.and_then(|known| of_counts(of, known)));
    let details = question.words().details();
    if !details.curves.is_empty() && !counts {
        let along = facts.points.unwrap_or_default();
        charts
            .splice(0..0, [of_parts(of, &details, table, along), fan(of, &details, table, along)]);
    }
    if counts {
        charts.rotate_right(1);
    }
    charts
}

/// Returns a map with a number in each hex of a path: the chance to be unpinned and unbroken there
/// after all fire, for each kind of units; `None` without a map.
fn of_path(of: (&str, &Meta), question: &dyn DynQuestion, table: &Table) -> Option<Chart> {
    let facts = question.words().facts();
    let crossed = (!facts.is_joint).then(|| crossed_board(question)).flatten()?;
    let all = alike(&facts, table, false);
    let panel = |units: &Alike| {
        let mut left = 1.0;
        let rows = rows_at(table, units.slots[0], None);
        let stops = |row: &&&Row, name: &str| {
            let is_there = row.label.location.as_deref() == Some(name);
            is_there && !facts.success.statuses.contains(&row.label.status.unwrap_or_default())
        };
        let chance = |name: &String| {
            let stopped = rows.iter().filter(|row| stops(row, name));
            left -= stopped.map(|row| row.figure.probability()).sum::<f64>();
            (name.clone(), Some(Value::from(left.max(0.0))))
        };
        Panel {
            name: if all.len() > 1 { units.called(&all) } else { String::new() },
            units: crossed.marks.clone(),
            ..Panel::single(crossed.path.iter().map(chance))
        }
    };
    let panels = all.iter().map(panel).collect();
    let board = Some(Arc::new(crossed.board));
    let map = chart(of, ChartKind::Map, Unit::Odds, "hex", Panel::default());
    let note =
        format!("Chance to be unpinned and unbroken after the fire in each hex. {}", map.note);
    Some(Chart { panels, board, note, ..map })
}

fn of_outcomes(of: (&str, &Meta), table: &Table) -> Chart {
    let last = last_point(table);
    let mut rows: Vec<&Row> = table.rows.iter().filter(|row| point(&row.label) == last).collect();
    rows.sort_by(|one, other| other.figure.probability().total_cmp(&one.figure.probability()));
    let named = |row: &&Row| row.label.outcome.clone().unwrap_or_default();
    let bars = rows.iter().take(MOST_OUTCOMES).map(|row| (named(row), Some(value(&row.figure))));
    let rest = rows.iter().skip(MOST_OUTCOMES).map(|row| row.figure).reduce(Estimate::or);
    let further = format!("{} further outcomes", rows.len().saturating_sub(MOST_OUTCOMES));
    let panel = Panel::single(bars.chain(rest.map(|rest| (further, Some(value(&rest))))));
    chart(of, ChartKind::Bars, Unit::Odds, "outcome", panel)
}

/// The final state of a unit in charts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartState {
    pub class: Option<ChartClass>,
    /// The status, or what has changed in a unit that is still of use: `reduced`.
    name: String,
    /// The status in words, with the counter if that has changed.
    details: String,
}

impl ChartState {
    /// Reads the final state from the label of an outcome.
    pub fn new(question: &dyn QuestionInfo, label: &Label) -> ChartState {
        let status = label.status.unwrap_or_default();
        let known = (question.facts().kind.in_charts)(status);
        let (class, written) = known.map_or((None, status), |(class, name)| (Some(class), name));
        let counter = label.counter.as_deref().filter(|_| label.counter != label.unit);
        let details = end_in_words(label, counter, ", ").replacen(status, written, 1);
        let weaker = question.change(label).filter(|how| WEAKER.contains(how));
        match weaker.filter(|_| class == Some(ChartClass::Good)) {
            Some(how) => {
                ChartState { class: Some(ChartClass::Reduced), name: how.to_string(), details }
            }
            None => ChartState { class, name: written.to_string(), details },
        }
    }
}

/// Changes that leave a unit weaker.
const WEAKER: [&str; 3] = ["reduced", "replaced", "wounded"];

/// Charts by final state are series by class, and in detail. `odds` returns the odds of the final
/// states that fit, at each of the places.
pub fn by_state(
    states: &[ChartState],
    odds: impl Fn(&dyn Fn(&ChartState) -> bool) -> Vec<Option<Value>>,
) -> [Vec<Series>; 2] {
    let mut classes: IndexMap<Option<ChartClass>, IndexSet<&str>> = IndexMap::new();
    for state in states {
        classes.entry(state.class).or_default().insert(&state.name);
    }
    let of_class = classes.into_iter().flat_map(|(class, names)| {
        // States of no class stand alone.
        let alone = names.iter().map(|name| vec![*name]).collect();
        let groups: Vec<Vec<&str>> =
            if class.is_some() { vec![names.into_iter().collect()] } else { alone };
        groups.into_iter().map(move |names| (class, names))
    });
    let of_class = of_class.map(|(class, names)| {
        let odds = odds(&|state| state.class == class && names.contains(&&*state.name));
        Series::new(names.join(" or "), odds).of_class(class)
    });
    let details: IndexSet<(&str, Option<ChartClass>)> =
        states.iter().map(|state| (&*state.details, state.class)).collect();
    let of_details = details.into_iter().map(|(name, class)| {
        let odds = odds(&|state| state.details == name && state.class == class);
        Series::new(name, odds).of_class(class)
    });
    [of_class.collect(), of_details.collect()]
}

/// Returns the rows of the initial `units`, with their states.
fn rows_of_initial<'a>(
    question: &dyn QuestionInfo,
    table: &'a Table,
    units: u8,
) -> Vec<(&'a Row, ChartState)> {
    let is_initial =
        |row: &&Row| row.label.unit.is_some() && row.label.slot.is_some_and(|slot| slot <= units);
    let state = |row: &'a Row| (row, ChartState::new(question, &row.label));
    table.rows.iter().filter(is_initial).map(state).collect()
}

/// Returns charts of final states (of a single unit by report point), then each unit's success.
fn of_units(of: (&str, &Meta), question: &dyn QuestionInfo, table: &Table) -> Vec<Chart> {
    let facts = question.facts();
    let own = rows_of_initial(question, table, facts.units);
    let units: BTreeMap<Option<u8>, &str> = own
        .iter()
        .map(|(Row { label, .. }, _)| (label.slot, label.unit.as_deref().unwrap_or_default()))
        .collect();
    let points: BTreeSet<_> = own.iter().map(|(row, _)| point(&row.label)).collect();
    let states: Vec<_> = own.iter().map(|(_, state)| state.clone()).collect();
    let odds =
        |slot: Option<u8>, at: Option<ReportIndex>, is: &dyn Fn(&Row, &ChartState) -> bool| {
            let rows = own.iter().filter(|(row, state)| {
                row.label.slot == slot && point(&row.label) == at && is(row, state)
            });
            rows.map(|(row, _)| row.figure).reduce(Estimate::or).map(|figure| value(&figure))
        };
    let by_state = |places: &[(Option<u8>, Option<ReportIndex>)]| {
        by_state(&states, |is| {
            let odds = |(slot, at): &(_, _)| odds(*slot, *at, &|_, state| is(state));
            places.iter().map(odds).collect()
        })
    };
    let number = |at: &Option<ReportIndex>| at.map_or(String::new(), |at| at.to_string());
    let numbers: Vec<String> = points.iter().map(number).collect();
    let called = facts.points.unwrap_or_default();
    let Some((&first, only)) = units.first_key_value() else { return Vec::new() };
    let last = points.last().copied().flatten();
    if units.len() == 1 {
        let places: Vec<_> = points.iter().map(|at| (first, *at)).collect();
        let by_state = by_state(&places);
        if points.len() == 1 {
            return with_details(of, &[only.to_string()], "", by_state);
        }
        let curve = Panel::new(numbers.clone(), by_state[0].clone());
        let curve = chart(of, ChartKind::Curve, Unit::Odds, called, curve);
        let mut charts = with_details(of, &numbers, called, by_state);
        // Steps differ in what happens, so a curve through them is not the first choice.
        charts.insert(usize::from(called == STEP), curve);
        return charts;
    }
    let places: Vec<_> = units.keys().map(|slot| (*slot, last)).collect();
    let name = |(slot, unit): (&Option<u8>, _)| format!("{unit} [{}]", slot.unwrap_or_default());
    let named: Vec<String> = units.iter().map(name).collect();
    let along = last.map_or("unit".to_string(), |last| format!("unit, after {called} {last}"));
    let mut charts = with_details(of, &named, &along, by_state(&places));
    let Success { statuses, words: success, .. } = facts.success;
    if points.len() > 1 && !statuses.is_empty() {
        let is_good = |row: &Row, _: &ChartState| {
            row.label.status.is_some_and(|status| statuses.contains(&status))
        };
        let series = units.keys().zip(named).map(|(slot, name)| {
            Series::new(name, points.iter().map(|at| odds(*slot, *at, &is_good)))
        });
        let panel = Panel::new(numbers, series.collect());
        let success = success.split(" after ").next().unwrap_or(success);
        let along = format!("{called} ({success})");
        let curve = chart(of, ChartKind::Curve, Unit::Odds, &along, panel);
        charts.insert(usize::from(called == STEP), curve);
    }
    charts
}

/// Returns bars by class, and in detail if that shows more.
fn with_details(
    of: (&str, &Meta),
    names: &[String],
    along: &str,
    [classes, details]: [Vec<Series>; 2],
) -> Vec<Chart> {
    let has_more = details.len() > classes.len();
    let kinds =
        [(ChartKind::Bars, Some(classes)), (ChartKind::Details, has_more.then_some(details))];
    let chart = |(kind, series): (ChartKind, Option<Vec<Series>>)| {
        Some(chart(of, kind, Unit::Odds, along, Panel::new(names.to_vec(), series?)))
    };
    kinds.into_iter().filter_map(chart).collect()
}

fn of_counts(of: (&str, &Meta), counts: &UnitCounts) -> Option<Chart> {
    let last = counts.last_point();
    let mut by_class: IndexMap<usize, Vec<(f64, f64)>> = IndexMap::new();
    for row in counts.rows().into_iter().filter(|row| row.point == last) {
        by_class.entry(row.class).or_default().push((row.number, row.at_least));
    }
    let numbers = by_class.values().next()?;
    let places = numbers.iter().map(|(number, _)| number.to_string()).collect();
    let series = by_class.iter().map(|(class, numbers)| {
        let values = numbers.iter().map(|(_, at_least)| Some((*at_least).into()));
        let name = counts.kind.classes[*class].name;
        Series::new(name, values).of_class(counts.kind.chart_class(name))
    });
    // A class that no unit reaches is omitted.
    let is_met =
        |series: &Series| series.values.iter().skip(1).flatten().any(|value| value.value > 0.0);
    let series = series.filter(is_met).collect();
    let along = format!("at least so many {}", counts.group.written);
    Some(chart(of, ChartKind::Steps, Unit::Odds, &along, Panel::new(places, series)))
}

fn of_courses(side: &ComparedQuestions) -> Vec<Chart> {
    let ComparedQuestions { names, compared, objective, about, .. } = side;
    let several = compared.several();
    let title = about.as_deref().map_or_else(|| names.join(", "), heading);
    let of = (&*title, &compared.meta);
    let classes = compared.kind.classes;
    let is_whole = |status: &str| classes.iter().any(|class| class.name == status);
    let statuses = compared
        .statuses
        .iter()
        .filter(|status| !is_whole(status) || compared.kind.class_of(status).is_some());
    let series = statuses.map(|status| {
        let of_course = |course: &ComparedCourse| {
            let ends = course.ends.iter().filter(|end| end.status == *status);
            Some(Value::from(ends.map(|end| end.weighed.value).sum::<f64>()))
        };
        let known = (compared.kind.in_charts)(status).map_or(&**status, |(_, name)| name);
        Series::new(known, compared.courses.iter().map(of_course))
            .of_class(compared.kind.chart_class(status))
    });
    let counted = compared.group.map(|_| {
        let series = |class: usize| {
            let numbers = compared.courses.iter().map(|course| Some(course.counted[class].into()));
            let name = classes[class].name;
            Series::new(name, numbers).of_class(compared.kind.chart_class(name))
        };
        classes_counted(compared).map(series).collect()
    });
    let series = counted.unwrap_or_else(|| series.collect());
    let unit = if compared.counted().is_some() { Unit::Number } else { Unit::Odds };
    let panel = Panel::new(names.clone(), series);
    let bars = chart(of, ChartKind::Bars, unit, &first_heading(compared), panel);
    let difference = |course: &ComparedCourse| {
        let difference = course.objective.difference?;
        let interval = difference.error.map(|error| error.interval);
        Some(Value { value: difference.value, interval, word: None })
    };
    let differences = compared.courses.iter().map(difference);
    let mut differences: Vec<(String, Option<Value>)> =
        names.iter().cloned().zip(differences).collect();
    if names.len() > SEVERAL {
        // Variations of the first course, the largest difference first.
        let size = |(_, value): &(String, Option<Value>)| {
            value.as_ref().map_or(0.0, |value| value.value.abs())
        };
        differences.remove(0);
        differences.sort_by(|one, other| size(other).total_cmp(&size(one)));
    }
    let differences = Panel::single(differences);
    let along = format!("{}, difference to {}", objective.gain_in_words(several), names[0]);
    let unit = if objective.is_odds(several) { Unit::Points } else { Unit::Number };
    let difference = chart(of, ChartKind::Difference, unit, &along, differences);
    match compared.meta.trials {
        None => vec![bars, difference],
        Some(_) => vec![difference, bars],
    }
}

fn of_play(BestPlayAnswer { request, solved, meta }: &BestPlayAnswer) -> Vec<Chart> {
    let Solving { about, question, objective, .. } = request;
    let Some(opening) = &solved.opening else { return Vec::new() };
    let choices = opening.choices.iter();
    let panel = Panel::single(
        choices.map(|choice| (choice.option.clone(), Some(Value::from(choice.value[0])))),
    );
    let title = about.as_deref().map_or_else(|| meta.question.clone(), heading);
    let of = (&*title, meta);
    let several = solved.several(&question.words().facts());
    let unit = if objective.is_odds(several) { Unit::Odds } else { Unit::Number };
    vec![chart(of, ChartKind::Bars, unit, &objective.in_words(several), panel)]
}

fn of_routs(routed: &Routed) -> Chart {
    let panel = |(name, plans): (String, PlanOdds)| {
        let plans = plans.into_iter().take(MOST_OUTCOMES);
        let plans = plans.map(|(plan, survives)| (plan, survives.as_ref().map(value)));
        Panel { name, ..Panel::single(plans) }
    };
    let title = routed.about();
    let title = title.map_or_else(|| "How often it survives".to_string(), heading);
    let of = (&*title, &routed.meta);
    let along = "plan, and how often it is survived";
    let panels = routed.plans().map(panel).collect();
    Chart { panels, ..chart(of, ChartKind::Bars, Unit::Odds, along, Panel::default()) }
}

fn of_readings(Moved { before, impacts, .. }: &Moved) -> Vec<Chart> {
    let widest = impacts.iter().filter_map(|impact| {
        let moved = impact.moves.first()?;
        let half = moved.std_error.map(|error| normal_half_width(error, CONFIDENCE));
        let by = moved.difference();
        let value =
            Value { value: by, interval: half.map(|half| (by - half, by + half)), word: None };
        let status = moved.label.status.unwrap_or_default();
        Some((
            format!("{}={}: {status}", impact.reading.setting.id, impact.reading.setting.value),
            Some(value),
        ))
    });
    let of = (before.meta.question.as_str(), &before.meta);
    let along = "the outcome that each reading moves most";
    vec![chart(of, ChartKind::Difference, Unit::Points, along, Panel::single(widest))]
}
