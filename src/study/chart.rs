//! Charts of a study, with one number per cell. The values of one field run along the chart, and
//! those of another across it. Each combination of the remaining fields has a panel of its own. If
//! a field has hexes as values, a map is a chart too.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;

use super::grid::{CellFacts, Grid, StudyInfo};
use super::list_study::Answers;
use super::number_table::{
    CellValue, Layout, Numbers, StudyBoard, Style, TableDescription, TablePart, value,
};
use answer::{Cell, Estimate, QuestionInfo, Row};
use api::rout::picture::chart_board;
use asl::board::hex::Hex;
use asl::board::map::Map;
use charts::chart::{Axes, Chart, ChartKind, Panel, Series, SweptFields, Unit, Value, draw};
use engine::text::Fault;
use play::ChartTable;
use render::chart::{self as drawing, ChartState};
use render::point;
use schema::Spanned;

/// The width of a chart in pixels, which fits a page of text.
pub const WIDTH: f64 = 720.0;

/// The fewest values of a field for which a curve is preferred to bars.
const CURVED: usize = 3;

/// The most panels of a readable chart, and the most series of a panel.
const MOST_PANELS: usize = 24;
const MOST_SERIES: usize = 200;

/// Returns the charts that fit the numbers, the preferred one first; `note` is below the title.
pub fn charts(
    numbers: &Numbers,
    meant: &TableDescription,
    note: &str,
    board: Option<&StudyBoard>,
) -> Vec<Chart> {
    let Some((along, across)) = meant.layout.axes() else { return Vec::new() };
    let unit = meant.style.unit();
    let is_choice = matches!(meant.style, Style::Choice { .. });
    let margins = match unit {
        Unit::Points if is_choice => " Numbers: by how many points it is better than the next.",
        _ if is_choice => " Numbers: by how much it is better than the next.",
        _ => "",
    };
    let is_curved = |field: usize| {
        let values = || numbers.cells.iter().map(|(cells, _)| value(&cells[field]));
        let several = values().collect::<IndexSet<String>>().len() >= CURVED;
        several && values().all(|text| text.parse::<f64>().is_ok())
    };
    let hexes = board.and_then(|board| hexes(numbers, &meant.layout, &board.map));
    let swept = SweptFields { along, across, is_curved: &is_curved, is_choice, hexes };
    let chart = |kind: ChartKind| {
        let Axes { rank, along, across, on_map, most_places } = kind.axes(&swept)?;
        let board = board.filter(|_| on_map);
        let panels = panels(numbers, meant, along, across, board);
        let fits =
            |panel: &Panel| panel.series.len() <= MOST_SERIES && panel.places.len() <= most_places;
        (panels.len() <= MOST_PANELS && panels.iter().all(fits)).then(|| {
            let names = panels.iter().flat_map(|Panel { places, units, .. }| {
                places.iter().chain(units.iter().map(|(place, _)| place))
            });
            let board = board.map(|board| Arc::new(chart_board(&board.map, names)));
            let chart = Chart {
                title: meant.words.clone(),
                note: format!("{}. {note}{margins}", meant.question),
                kind,
                unit,
                along: numbers.fields[along].to_string(),
                across: across.map_or(String::new(), |across| numbers.fields[across].to_string()),
                board,
                panels,
            };
            (rank, chart)
        })
    };
    let mut charts: Vec<(u8, Chart)> = ChartKind::ALL.into_iter().filter_map(chart).collect();
    charts.sort_by_key(|(rank, _)| *rank);
    charts.into_iter().map(|(_, chart)| chart).collect()
}

/// Returns the charts of a study in memory. Over one field, bars show the last unit's statuses.
pub fn of_lists(answers: &Answers) -> Vec<Chart> {
    let numbers = answers.numbers();
    let mut charts = charts(&numbers, &answers.meant, &drawing::note(&answers.meta), None);
    let [field] = &numbers.fields[..] else { return charts };
    let outcomes = answers.outcomes();
    let (places, ends): (Vec<String>, Vec<Vec<(ChartState, Estimate)>>) = outcomes
        .map(|(swept, question, rows)| (value(&swept[0]), ends_of_last(question, &rows)))
        .unzip();
    let states: Vec<ChartState> = ends.iter().flatten().map(|(state, _)| state.clone()).collect();
    let odds = |is: &dyn Fn(&ChartState) -> bool| {
        let sum = |ends: &Vec<(ChartState, Estimate)>| {
            let odds = ends.iter().filter(|(state, _)| is(state)).map(|(_, odds)| *odds);
            odds.reduce(Estimate::or).map(|odds| drawing::value(&odds))
        };
        ends.iter().map(sum).collect()
    };
    let [series, details] = drawing::by_state(&states, odds);
    let of = (answers.meant.question.as_str(), &answers.meta);
    let stacked = |kind: ChartKind, series: Vec<Series>| {
        let (places, series) = columns_merged(places.clone(), series);
        drawing::chart(of, kind, Unit::Odds, field, Panel::new(places, series))
    };
    let has_more = details.len() > series.len();
    let bars = charts.iter_mut().find(|chart| chart.kind.name() == ChartKind::Bars.name());
    if let Some(bars) = bars.filter(|_| series.len() > 1) {
        *bars = stacked(ChartKind::Bars, series);
    }
    if has_more {
        charts.push(stacked(ChartKind::Details, details));
    }
    charts
}

/// Returns the final states of the last unit at the end, with their odds.
fn ends_of_last(question: &dyn QuestionInfo, rows: &[Row]) -> Vec<(ChartState, Estimate)> {
    let own = || rows.iter().filter(|row| row.label.unit.is_some());
    let last = own().filter_map(|row| Some((row.label.slot?, point(&row.label)))).max();
    let is_last = |row: &&Row| row.label.slot.map(|slot| (slot, point(&row.label))) == last;
    let end = |row: &Row| (ChartState::new(question, &row.label), row.figure);
    own().filter(is_last).map(end).collect()
}

/// Merges consecutive numbers of a field whose values are all equal, such as the firepower in one
/// column of a table. Fields of which every number would be merged stay as they are.
fn columns_merged(places: Vec<String>, series: Vec<Series>) -> (Vec<String>, Vec<Series>) {
    let values = |series: &Series, place: usize| series.values.get(place).cloned().flatten();
    let runs = equal_runs(&places, |one, other| {
        series.iter().all(|series| values(series, one) == values(series, other))
    });
    let short = |series: Series| Series {
        values: runs.iter().map(|(_, first)| values(&series, *first)).collect(),
        ..series
    };
    let series: Vec<Series> = series.into_iter().map(short).collect();
    let names: Vec<String> = series.iter().map(|series| series.name.clone()).collect();
    let rows = equal_runs(&names, |one, other| series[one].values == series[other].values);
    let rows = rows.into_iter().map(|(name, first)| Series { name, ..series[first].clone() });
    (runs.iter().map(|(name, _)| name.clone()).collect(), rows.collect())
}

/// Returns each run of consecutive whole numbers that are equal: its name and its first index.
fn equal_runs(names: &[String], are_equal: impl Fn(usize, usize) -> bool) -> Vec<(String, usize)> {
    let whole: Option<Vec<i64>> = names.iter().map(|name| name.parse().ok()).collect();
    let follows = |place: usize| {
        let follows = |whole: &Vec<i64>| whole[place] == whole[place - 1] + 1;
        whole.as_ref().is_some_and(follows) && are_equal(place - 1, place)
    };
    let all: Vec<usize> = (0..names.len()).collect();
    let runs: Vec<&[usize]> = all.chunk_by(|_, place| follows(*place)).collect();
    let runs = if runs.len() > 1 { runs } else { all.chunks(1).collect() };
    let run = |run: &[usize]| match run {
        [first, .., last] => (format!("{}\u{2013}{}", names[*first], names[*last]), *first),
        _ => (names[run[0]].clone(), run[0]),
    };
    runs.into_iter().map(run).collect()
}

/// Returns the charts that fit a study, the preferred one first. `engines` describes the engines.
pub fn of_study(study: &dyn Grid, facts: &[CellFacts], engines: &str) -> Vec<Chart> {
    let StudyInfo { charted: Some(meant), board, rules, .. } = study.info() else {
        return Vec::new();
    };
    let note = format!("{engines}; {}.", rules.words);
    charts(&Numbers::from_facts(study, facts), meant, &note, board.as_ref())
}

/// Draws the chart that a study file requests, as SVG; `None` if no chart is requested or fits.
pub(super) fn drawn(study: &dyn Grid, facts: &[CellFacts], engines: &str) -> Option<String> {
    let kind = study.info().table.as_ref()?.layout.chart.as_ref()?.kind;
    let charts = of_study(study, facts, engines);
    fitting(&charts, kind).ok().map(|chart| draw(chart, WIDTH))
}

/// Returns the first chart of a kind, or of any kind. The error lists the kinds of all charts.
pub fn fitting<'a>(charts: &'a [Chart], kind: Option<&str>) -> Result<&'a Chart, String> {
    let fits = |chart: &&Chart| kind.is_none_or(|kind| chart.kind.name() == kind);
    let names = || charts.iter().map(|chart| chart.kind.name()).collect::<Vec<_>>().join(", ");
    charts.iter().find(fits).ok_or_else(names)
}

/// Fails, before any cell is answered, if no chart of the requested kind fits the table.
pub(super) fn check(study: &dyn Grid, layout: Option<&Spanned<ChartTable>>) -> Result<(), Fault> {
    let (Some(Spanned { value: ChartTable { kind }, place }), Some(meant)) =
        (layout, &study.info().table)
    else {
        return Ok(());
    };
    let charts = of_study(study, &vec![CellFacts::default(); study.info().cells], "");
    let wanted = meant.layout.chart.as_ref().and_then(|chart| chart.kind);
    let Err(names) = fitting(&charts, wanted) else { return Ok(()) };
    Err(match (kind, wanted) {
        (Some(Spanned { place, .. }), Some(wanted)) if !names.is_empty() => place
            .fault(format!("the chart kind `{wanted}` does not fit this table"))
            .help(format!("allowed: {names}")),
        _ => place
            .fault("this table has no chart: it has too many numbers, or only one")
            .help("sweep fewer fields, or average over some: `average = [..]`"),
    })
}

/// Returns the index of the field with the most map hexes as values, and their number, if any.
fn hexes(numbers: &Numbers, layout: &Layout, map: &Map) -> Option<(usize, usize)> {
    let fields = (0..numbers.fields.len()).filter(|field| !layout.is_averaged(*field));
    let ground = |value: &str| {
        let location = map.parse_location(value).ok()?;
        (location.level == 0).then_some(location.hex)
    };
    let of_hexes = |field: usize| {
        let values: IndexSet<String> =
            numbers.cells.iter().map(|(cells, _)| value(&cells[field])).collect();
        // The values must be distinct hexes at ground level.
        let hexes: Option<BTreeSet<Hex>> = values.iter().map(|value| ground(value)).collect();
        let hexes = hexes.filter(|hexes| !hexes.is_empty() && hexes.len() == values.len());
        Some((field, hexes?.len()))
    };
    // If two fields have equally many hexes, the first field wins.
    fields.filter_map(of_hexes).max_by_key(|(field, hexes)| (*hexes, std::cmp::Reverse(*field)))
}

fn panels(
    numbers: &Numbers,
    TableDescription { layout, style, .. }: &TableDescription,
    along: usize,
    across: Option<usize>,
    board: Option<&StudyBoard>,
) -> Vec<Panel> {
    let units = |cells: &[Cell]| -> Vec<(String, String)> {
        let units = board.into_iter().flat_map(|board| &board.units);
        let placed = units.filter_map(|(unit, at, field)| {
            let Some(field) = field else { return Some((at.clone(), unit.clone())) };
            let field = numbers.fields.iter().position(|known| known == field)?;
            let is_placed = field != along && !layout.is_averaged(field);
            is_placed.then(|| (value(&cells[field]), unit.clone()))
        });
        placed.collect()
    };
    let panel = |(name, part): (String, TablePart)| {
        let number = |row: &[String], place: &String| {
            let CellValue { value, interval, word } = part.number(row, place)?;
            let word = word.filter(|_| matches!(style, Style::Choice { .. }));
            Some(Value { value, interval, word })
        };
        let series = |row: &Vec<String>| {
            Series::new(row.concat(), part.columns.iter().map(|place| number(row, place)))
        };
        let series: Vec<Series> = part.rows.iter().map(series).collect();
        let (units, places) = (units(part.first), part.columns.iter().cloned().collect());
        let (places, series) = match board {
            None => columns_merged(places, series),
            Some(_) => (places, series),
        };
        Panel { name, units, places, series }
    };
    numbers.parts(&layout.of_chart(along, across)).into_iter().map(panel).collect()
}
