//! One number of each cell of a list or a study, as it stands in their table: values of one field
//! along, those of another across, a panel for each combination of the others; of hexes a map.

use indexmap::{IndexMap, IndexSet};

use crate::study::told::{Board, Layout, Meant, Numbers, Style, Told, mean, value};
use crate::table::Cell;
use asl::board::map::Map;
use report::chart::{Chart, Kind, Panel, Series, Unit, Value, are_hexes};

/// Values of a field from which on a curve says more than bars.
const CURVED: usize = 3;

/// Panels, and bars in one of them, beyond which nobody sees anything.
const MOST_PANELS: usize = 24;
const MOST_BARS: usize = 200;

/// Hexes of a field from which on a map of them comes first.
const MANY_HEXES: usize = 20;

/// Every kind of chart that fits some numbers, the best first; `note` says how they were come by.
/// None where they are too many for a page.
pub fn of(numbers: &Numbers, meant: &Meant, note: &str, board: Option<&Board>) -> Vec<Chart> {
    let Some((along, across)) = meant.layout.axes() else { return Vec::new() };
    let fits = |chart: &Chart| {
        let bars = chart.panels.iter().map(|panel| match chart.kind {
            Kind::Bars => panel.places.len(),
            _ => panel.series.len(),
        });
        chart.panels.len() <= MOST_PANELS && bars.max().unwrap_or(0) <= MOST_BARS
    };
    let unit = if meant.style == Style::Odds { Unit::Odds } else { Unit::Number };
    let chart = |kind: Kind, along: usize, across: Option<usize>| Chart {
        title: meant.words.clone(),
        note: format!("{}. {note}", meant.question),
        kind,
        unit,
        along: numbers.fields[along].to_string(),
        across: across.map_or(String::new(), |across| numbers.fields[across].to_string()),
        panels: panels(numbers, &meant.layout, along, across, None),
        board: None,
    };
    if meant.style == Style::Word {
        let mut charts = vec![chart(Kind::Choices, along, across)];
        charts.retain(fits);
        return charts;
    }
    let is_curved = |field: usize| {
        let values = || numbers.cells.iter().map(|(cells, _)| value(&cells[field]));
        let several = values().collect::<IndexSet<String>>().len() >= CURVED;
        several && values().all(|text| text.parse::<f64>().is_ok())
    };
    // A curve runs along numbers, wherever they stand in the table.
    let curve = match across.filter(|across| is_curved(*across) && !is_curved(along)) {
        Some(across) => chart(Kind::Curve, across, Some(along)),
        None => chart(Kind::Curve, along, across),
    };
    let bars = chart(Kind::Bars, along, None);
    let mut charts = match across {
        None if is_curved(along) => vec![curve, bars],
        None => vec![bars, curve],
        Some(_) => vec![chart(Kind::Heat, along, across), curve, bars],
    };
    if let Some((board, (field, hexes))) =
        board.and_then(|board| Some((board, hexes(numbers, &meant.layout, &board.map)?)))
    {
        let panels = panels(numbers, &meant.layout, field, None, Some(board));
        let map = Some(board.map.clone());
        let map = Chart { panels, board: map, ..chart(Kind::Map, field, None) };
        let place = if hexes >= MANY_HEXES { 0 } else { charts.len() };
        charts.insert(place, map);
    }
    charts.retain(fits);
    charts
}

/// The field with the most hexes, which stands on a map, and how many they are.
fn hexes(numbers: &Numbers, layout: &Layout, map: &Map) -> Option<(usize, usize)> {
    let fields = (0..numbers.fields.len()).filter(|field| !layout.is_averaged(*field));
    let of_hexes = |field: usize| {
        let values: IndexSet<String> =
            numbers.cells.iter().map(|(cells, _)| value(&cells[field])).collect();
        let is_map = are_hexes(map, values.iter().map(String::as_str));
        is_map.then_some((field, values.len()))
    };
    // Of two alike the first.
    fields.filter_map(of_hexes).max_by_key(|(field, hexes)| (*hexes, std::cmp::Reverse(*field)))
}

/// The panels, each with its series and places in the order of the cells.
fn panels(
    numbers: &Numbers,
    layout: &Layout,
    along: usize,
    across: Option<usize>,
    board: Option<&Board>,
) -> Vec<Panel> {
    type Cells<'a> = IndexMap<(String, String), Vec<&'a Told>>;
    let mut panels: IndexMap<String, (Cells, Vec<(String, String)>)> = IndexMap::new();
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
    let stands =
        |field: usize| Some(field) == across || field == along || layout.is_averaged(field);
    for (cells, told) in &numbers.cells {
        let others = (0..cells.len()).filter(|field| !stands(*field));
        let named =
            others.map(|field| format!("{} {}", numbers.fields[field], value(&cells[field])));
        let name = named.collect::<Vec<_>>().join(", ");
        let (panel, _) = panels.entry(name).or_insert_with(|| (Cells::new(), units(cells)));
        let series = across.map_or(String::new(), |across| value(&cells[across]));
        panel.entry((series, value(&cells[along]))).or_default().extend(told);
    }
    let panel = |(name, (cells, units)): (String, (Cells, Vec<(String, String)>))| {
        let series: IndexSet<&String> = cells.keys().map(|(series, _)| series).collect();
        let places: IndexSet<&String> = cells.keys().map(|(_, place)| place).collect();
        let number = |series: &str, place: &str| {
            let Told { value, interval, word } =
                mean(cells.get(&(series.to_string(), place.to_string()))?)?;
            Some(Value { value, interval, word })
        };
        let of_series = |name: &&String| Series {
            name: name.to_string(),
            values: places.iter().map(|place| number(name, place)).collect(),
        };
        let series = series.iter().map(of_series).collect();
        Panel { name, units, places: places.into_iter().cloned().collect(), series }
    };
    panels.into_iter().map(panel).collect()
}
