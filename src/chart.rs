//! What of lists of answers is drawn.

use indexmap::{IndexMap, IndexSet};

use crate::study::chart::charts as of_numbers;
use crate::study::list_study::Answers;
use crate::study::number_table::value as written;
use crate::table::{Estimate, Row};
use charts::chart::{Chart, Kind, Series, Unit};
use render::chart::{chart, end, note, panel, point, value};

/// Every kind of chart that fits what lists come to: their numbers; of one field how the last unit
/// ends, too.
pub fn of_lists(answers: &Answers) -> Vec<Chart> {
    let numbers = answers.numbers();
    let mut charts = of_numbers(&numbers, &answers.meant, &note(&answers.meta), None);
    let [field] = numbers.fields[..] else { return charts };
    let outcomes =
        answers.outcomes().map(|(swept, rows)| (written(&swept[0]), ends_of_last(&rows)));
    let (places, ends): (Vec<String>, Vec<IndexMap<String, Estimate>>) = outcomes.unzip();
    let names: IndexSet<&String> = ends.iter().flat_map(IndexMap::keys).collect();
    // What ends in one status stands side by side, as whatever counter.
    let status = |name: &str| name.split([' ', ',']).next().unwrap_or_default().to_string();
    let statuses: IndexSet<String> = names.iter().map(|name| status(name)).collect();
    let mut names: Vec<&String> = names.into_iter().collect();
    names.sort_by_key(|name| statuses.get_index_of(&status(name)));
    let series = |name: &&String| Series {
        name: name.to_string(),
        values: ends.iter().map(|ends| ends.get(*name).map(value)).collect(),
    };
    let series: Vec<Series> = names.iter().map(series).collect();
    if let Some(bars) =
        charts.iter_mut().find(|chart| chart.kind == Kind::Bars).filter(|_| series.len() > 1)
    {
        let title = answers.meant.question.as_str();
        *bars = chart((title, &answers.meta), Kind::Bars, Unit::Odds, field, panel(places, series));
    }
    charts
}

/// How the last own unit of an answer ends, at its last point.
fn ends_of_last(rows: &[Row]) -> IndexMap<String, Estimate> {
    let own = || rows.iter().filter(|row| row.label.unit.is_some());
    let last = own().filter_map(|row| Some((row.label.slot?, point(&row.label)))).max();
    let mut ends: IndexMap<String, Estimate> = IndexMap::new();
    for Row { label, figure, .. } in own() {
        if label.slot.map(|slot| (slot, point(label))) == last {
            let known = ends.entry(end(label));
            known.and_modify(|known| *known = known.or(*figure)).or_insert(*figure);
        }
    }
    ends
}
