//! Joint outcomes of all units: equal units share a column, and are interchangeable in outcomes.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::document::{Document, aligned};
use super::{Looks, interval_sentence, short_percent};
use answer::sheet::{figure_cells, figure_columns};
use answer::{Cell, Column, Estimate, InitialUnit, QuestionInfo, Table};
use api::odds::{end_in_words, point};
use engine::process::{Label, ReportIndex, UnitEnding};

const CREATED: &str = "created";
const SNIPER: &str = "Sniper attacks";

/// Units with equal descriptions. Slots are 1-based.
struct Sort {
    began: InitialUnit,
    slots: Vec<u8>,
}

/// Joint outcomes: the final states of each group by report point, the likeliest at the end first.
pub struct Together {
    headings: Vec<String>,
    odds: IndexMap<(Option<ReportIndex>, Vec<String>), Estimate>,
}

impl Together {
    pub fn new(words: &dyn QuestionInfo, table: &Table) -> Together {
        let statuses = words.facts().kind.statuses;
        let all = table.rows.iter().flat_map(|row| &row.label.ends);
        let slots: BTreeSet<u8> = all.map(|end| end.slot).collect();
        let mut sorts: Vec<Sort> = Vec::new();
        let mut are_created = false;
        for slot in slots {
            match words.beginning(slot) {
                None => are_created = true,
                Some(began) => {
                    match sorts.iter_mut().find(|sort| sort.began.notation == began.notation) {
                        Some(sort) => sort.slots.push(slot),
                        None => sorts.push(Sort { began, slots: vec![slot] }),
                    }
                }
            }
        }
        let mut odds: IndexMap<(Option<ReportIndex>, Vec<String>), Estimate> = IndexMap::new();
        for row in &table.rows {
            let ends = &row.label.ends;
            let is_of = |sort: &Sort, end: &&UnitEnding| sort.slots.contains(&end.slot);
            let of_sort = |sort: &Sort| {
                let ends = ends.iter().filter(|end| is_of(sort, end));
                final_states(statuses, ends, Some(&sort.began))
            };
            let sniper = row.label.sniper.map(|attacks| attacks.to_string());
            let mut cells: Vec<String> =
                sniper.into_iter().chain(sorts.iter().map(of_sort)).collect();
            if are_created {
                let is_created = |end: &&UnitEnding| !sorts.iter().any(|sort| is_of(sort, end));
                cells.push(final_states(statuses, ends.iter().filter(is_created), None));
            }
            let known = odds.entry((point(&row.label), cells));
            known.and_modify(|known| *known = known.or(row.figure)).or_insert(row.figure);
        }
        let called = |sort: &Sort| {
            let namesakes = sorts.iter().filter(|other| other.began.name == sort.began.name);
            let InitialUnit { notation, name, .. } = &sort.began;
            let name = if namesakes.count() > 1 { notation } else { name };
            match sort.slots.len() {
                1 => name.clone(),
                number => format!("{number}x {name}"),
            }
        };
        let created = are_created.then(|| CREATED.to_string());
        let is_told = table.rows.iter().any(|row| row.label.sniper.is_some());
        let sniper = is_told.then(|| SNIPER.to_string());
        let headings = sniper.into_iter().chain(sorts.iter().map(called)).chain(created).collect();
        let mut together = Together { headings, odds };
        let (last, all) = (together.last_point(), together.odds.clone());
        let in_the_end = |cells: &Vec<String>| all.get(&(last, cells.clone()));
        together.odds.sort_by_cached_key(|(point, cells), _| {
            let probability = in_the_end(cells).map_or(0.0, Estimate::probability);
            // The bits of numbers that are not negative have the order of the numbers.
            (*point, Reverse(probability.to_bits()))
        });
        together
    }

    fn last_point(&self) -> Option<ReportIndex> {
        self.odds.keys().filter_map(|(point, _)| *point).max()
    }

    /// Renders at most `most` outcomes at the last report point; `point` is its name: `phase`.
    pub fn render(&self, point: &str, looks: &Looks, most: usize) -> Document {
        let last = self.last_point();
        let at_end = || self.odds.iter().filter(|((at, _), _)| *at == last);
        let row = |((_, cells), figure): (&(_, Vec<String>), &Estimate)| {
            let odds = match figure {
                Estimate::Exact { .. } => looks.digits.in_full(figure),
                _ => short_percent(figure, looks.digits),
            };
            std::iter::once(odds).chain(cells.iter().cloned()).collect()
        };
        let mut rows: Vec<Vec<String>> = at_end().take(most).map(row).collect();
        let headings = std::iter::once("probability".to_string()).chain(self.headings.clone());
        let mut headings: Vec<String> = headings.collect();
        if rows.iter().all(|row| row.last().is_some_and(String::is_empty)) {
            headings.pop();
            rows.iter_mut().for_each(|row| drop(row.pop()));
        }
        let mut text =
            last.map_or(Document::default(), |number| format!("After {point} {number}:").into());
        text += aligned(headings, rows, &[false]);
        let rest = at_end().skip(most).map(|(_, figure)| *figure);
        let further = rest.clone().count();
        if let Some(sum) = rest.reduce(Estimate::or) {
            let sum = match sum.counted() {
                Some((0, _)) => looks.digits.in_full(&sum),
                _ => looks.digits.percent(sum.probability()),
            };
            text +=
                format!("and {further} further outcomes, together {sum}; `--all` prints them\n");
        }
        text + interval_sentence(at_end().map(|(_, figure)| figure), looks.digits)
    }

    /// Returns all outcomes as a table; `point` is the heading of the column of report points.
    pub fn tabled(&self, point: &'static str) -> (Vec<(&str, Column)>, Vec<Vec<Cell>>) {
        let sorts = self.headings.iter().map(|heading| (heading.as_str(), Column::Text));
        let columns = sorts.chain([(point, Column::Integer)]).chain(figure_columns()).collect();
        let row = |((at, cells), figure): (&(Option<ReportIndex>, Vec<String>), &Estimate)| {
            let cells = cells.iter().map(|text| Cell::Text(text.clone()));
            let at = at.map_or(Cell::Null, |at| Cell::Integer(at.into()));
            cells.chain([at]).chain(figure_cells(figure)).collect()
        };
        (columns, self.odds.iter().map(row).collect())
    }
}

/// Returns the final states of some units with changed counters: `2 broken, 1 pinned`.
fn final_states<'a>(
    statuses: &[&str],
    ends: impl Iterator<Item = &'a UnitEnding>,
    began: Option<&InitialUnit>,
) -> String {
    let mut phrases: IndexMap<(usize, String), usize> = IndexMap::new();
    for end in ends {
        let same = began.is_some_and(|began| began.counter == end.counter);
        let counter = end.counter.as_deref().filter(|_| !same);
        let is_wounded = end.wounded == Some(true) && !began.is_some_and(|began| began.wounded);
        let rank = statuses.iter().position(|status| *status == end.status);
        let wounded = Some(is_wounded);
        let label = Label { status: Some(end.status), wounded, ..Label::default() };
        let words = end_in_words(&label, counter, " ");
        *phrases.entry((rank.unwrap_or(usize::MAX), words)).or_default() += 1;
    }
    phrases.sort_by(|a, n, b, m| Reverse(n).cmp(&Reverse(m)).then(a.cmp(b)));
    let is_one = phrases.values().sum::<usize>() == 1;
    let phrase = |((_, text), number): (&(usize, String), &usize)| match is_one {
        true => text.clone(),
        false => format!("{number} {text}"),
    };
    phrases.iter().map(phrase).collect::<Vec<_>>().join(", ")
}
