//! Studies of campaigns: a rout over several turns on ground described by numbers. Each cell has
//! the value of every first choice under best play. A break-even table lists the ranges of a varied
//! field with the same best choice. `cli/new/campaign.toml` is an example.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use super::chart;
use super::file::Study;
use super::grid::{AnsweredCell, CellAnswer, CellFacts, Further, Grid, StudyInfo};
use super::number_table::{CellValue, Layout, Style, TableDescription, without_mean};
use super::swept::MAX_CELLS;
use answer::options::DEFAULT_SEED;
use answer::{Cell, Column, Engine, Meta, Options, Trials};
use engine::monitor::Monitor;
use engine::process::Player;
use engine::text::{Fault, canonical};
use play::files::kinds::{game_of, head, kind_of};
use play::{
    BreakEvenTable, CampaignFileTable, Depth, Objective, PartialQuestion, Registry, SharedGraph,
    Valued,
};
use render::layout::aligned_to_width;
use schema::declared::named;
use schema::field::words_of;
use schema::{ChoiceMaker, FieldValue as _, RawValue, Spanned, from_toml};

/// A campaign or a grid of campaigns, with the objective of play.
pub struct CampaignFile {
    pub study: Study,
    pub objective: Objective,
    /// The varied field along which the file asks for break-even points.
    pub break_even: Option<String>,
    /// The number that the requested table shows.
    pub telling: CampaignMeasure,
    /// The state graphs that several cells of the study share.
    pub shared_graph: SharedGraph,
}

named! {
    /// The number or name that a table shows for a cell of a study of campaigns.
    pub enum CampaignMeasure {
        Choice = "choice",
        /// The value of the objective under best play.
        Value = "value",
        /// The margin of the best choice over the next best one.
        Margin = "margin",
    }
}

words_of!(CampaignMeasure, "WHAT", "a study of campaigns has no measure");

/// Returns whether a file asks a question that needs a solver for best play.
pub fn is_campaign(text: &str, registry: &Registry) -> bool {
    head(text, registry).is_ok_and(|(_, kind)| kind.play == ChoiceMaker::Best)
}

impl CampaignFile {
    /// Reads a campaign file and checks every cell of its grid; `watch` can cancel the check.
    ///
    /// # Errors
    ///
    /// Fails with the place of the first key, value or cell that is not valid, and with any fault
    /// if `watch` cancels.
    pub fn parse(text: &str, registry: &Registry, watch: Monitor) -> Result<CampaignFile, Fault> {
        let tables: CampaignFileTable = from_toml::read(text, "a campaign")?;
        let game = game_of(registry, tables.system.as_ref())?;
        let kind = kind_of(game, tables.question.as_ref())?;
        // No dice are rolled.
        let engine_request = (Engine::Exact, Trials::Number(0), DEFAULT_SEED);
        let (text, about) = (text.to_string(), tables.about.clone());
        let info = StudyInfo { text, about, engine_request, ..StudyInfo::default() };
        let base = PartialQuestion::new(game.form(kind)).with(&tables.base.entries)?;
        let mut study = Study::one_cell(info, base);
        study.read_grid(&tables.grid, MAX_CELLS)?;
        study.check(&(0..study.grid.cells()), &|_| Ok(()), watch)?;
        let objective = tables.goal().required(game.measures(), &[kind])?;
        let break_even = break_even(&tables.run, &study)?;
        let CampaignFileTable { tell: number, average, .. } = &tables;
        let layout = Layout::read(tables.wanted(), &study.grid.columns())?;
        let telling = number.as_ref().map(|number| {
            let read = CampaignMeasure::read("tell", RawValue::Text(&number.value));
            read.map_err(|fault| number.place.blamed(fault))
        });
        let telling = telling.transpose()?.unwrap_or(CampaignMeasure::Choice);
        if telling == CampaignMeasure::Choice {
            without_mean(average)?;
        }
        // Each thread uses one state graph at a time, and one more may have just been released.
        let shared_graph = SharedGraph::keeping(rayon::current_num_threads() + 1);
        let study = study.described(layout.clone());
        let file = CampaignFile { study, objective, break_even, telling, shared_graph };
        let file = file.described(layout);
        chart::check(&file, tables.chart.as_ref())?;
        Ok(file)
    }
}

/// Reads `break-even` of `[run]`, which must name a varied field of whole numbers.
fn break_even(run: &BreakEvenTable, study: &Study) -> Result<Option<String>, Fault> {
    let Some(Spanned { value: text, place }) = &run.break_even else { return Ok(None) };
    let name = canonical(text);
    let columns = study.grid.columns();
    let numbers = columns.iter().filter(|(_, kind)| *kind == Column::Integer);
    let numbers: Vec<&str> = numbers.map(|(field, _)| field.as_str()).collect();
    if numbers.contains(&name.as_str()) {
        return Ok(Some(name));
    }
    let fault =
        place.fault(format!("`break-even` needs a swept field of whole numbers, not `{text}`"));
    Err(if numbers.is_empty() { fault } else { fault.expecting(text, numbers) })
}

impl CampaignFile {
    /// Returns a cell's (0-based) first choices, best first, their player, and the best value.
    fn opening(&self, case: usize, watch: Monitor) -> Result<(Vec<Valued>, Player, f64), String> {
        let question = self.study.finished(case).map_err(|fault| fault.to_string())?;
        let solved = question
            .solve_among(&self.shared_graph, &self.objective, Depth::Opening, Engine::Exact, watch)
            .map_err(|error| error.to_string())?;
        let value = solved.value[0];
        let Some(decision) = solved.opening else { return Ok((Vec::new(), Player::Owner, value)) };
        // Only the best choice of each kind is kept; choices are sorted, so it comes first.
        let mut kinds = IndexSet::new();
        let choices = decision.choices.into_iter().filter(|choice| kinds.insert(choice.kind));
        Ok((choices.collect(), decision.player, value))
    }

    /// Fills in what all cells share: no headline, since the objective decides what is a success.
    fn described(mut self, layout: Option<Layout>) -> CampaignFile {
        let table = layout.map(|layout| self.table_description(layout));
        let tells = table.as_ref().map(|_| format!(" tells {}", self.telling.name()));
        let info = &mut self.study.info;
        info.identity =
            format!("{}:{} {}", self.objective, tells.unwrap_or_default(), info.identity);
        info.answer_columns = vec![
            ("case", Column::Integer),
            ("choice", Column::Text),
            ("value", Column::Float),
            ("margin", Column::Float),
        ];
        info.headline = None;
        info.charted = table.clone();
        info.table = table;
        // The summary counts the best choices.
        info.needs_facts = true;
        self
    }

    fn table_description(&self, layout: Layout) -> TableDescription {
        let several =
            self.study.finished(0).is_ok_and(|question| question.words().facts().units > 1);
        let objective = self.objective.in_words(several);
        let of_odds = self.objective.is_odds(several);
        let either = |odds: Style| if of_odds { odds } else { Style::Number };
        let (words, style) = match self.telling {
            CampaignMeasure::Choice => {
                let aim = self.objective.aim_in_words(several);
                (format!("The best first choice for {aim}"), Style::Choice { of_odds })
            }
            CampaignMeasure::Value => {
                (format!("Value of best play, {objective}"), either(Style::Odds))
            }
            CampaignMeasure::Margin => (
                format!("By how much the best first choice is better than the next, {objective}"),
                either(Style::Points),
            ),
        };
        let is_minimized = self.telling == CampaignMeasure::Value && self.objective.is_minimized();
        let question = self.study.in_words();
        TableDescription { question, words, style, is_minimized, best_for: None, layout }
    }
}

impl Grid for CampaignFile {
    fn info(&self) -> &StudyInfo {
        &self.study.info
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.study.swept_cells(case)
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        self.study.canonical(case)
    }

    /// Returns a row per first choice, best first, with its player's margin over the best other.
    fn answer(&self, case: usize, options: &Options, _: &Meta) -> CellAnswer {
        let (choices, player, value) = self.opening(case, options.watch)?;
        // The enemy prefers a lower value, so the margins change sign.
        let sign = if player == Player::Owner { 1.0 } else { -1.0 };
        let margin = |place: usize| {
            let others = choices.iter().enumerate().filter(|(other, _)| *other != place);
            let best = others.map(|(_, choice)| sign * choice.value[0]).reduce(f64::max)?;
            Some(sign * choices[place].value[0] - best)
        };
        let row = |choice: Option<&str>, value: f64, margin: Option<f64>| {
            let choice = choice.map_or(Cell::Null, |choice| Cell::Text(choice.to_string()));
            let value = Cell::Float(self.objective.number(value));
            vec![Cell::Integer(1), choice, value, margin.map_or(Cell::Null, Cell::Float)]
        };
        let of_choice = |(place, choice): (usize, &Valued)| {
            row(Some(choice.kind), choice.value[0], margin(place))
        };
        let rows = match choices.is_empty() {
            true => vec![row(None, value, None)],
            false => choices.iter().enumerate().map(of_choice).collect(),
        };
        let best = choices.first();
        // The table prints the name of the choice, and a chart of choices also shows its margin.
        let number = match (best, self.telling) {
            (None, _) => self.objective.number(value),
            (Some(best), CampaignMeasure::Value) => self.objective.number(best.value[0]),
            (Some(_), _) => margin(0).unwrap_or(0.0),
        };
        let best = best.map(|best| best.kind.to_string());
        let word = best.clone().unwrap_or("nothing to choose".to_string());
        let shown = CellValue { value: number, word: Some(word), interval: None };
        let told = self.study.info.table.as_ref().map(|_| shown);
        let facts = CellFacts { best, told, ..CellFacts::default() };
        Ok(AnsweredCell { rows, facts, ..AnsweredCell::default() })
    }

    /// Returns the objective, how often each first choice is the best, and the break-even table.
    fn preface(&self, facts: &[CellFacts]) -> String {
        let mut best: BTreeMap<&String, usize> = BTreeMap::new();
        for choice in facts.iter().filter_map(|facts| facts.best.as_ref()) {
            *best.entry(choice).or_default() += 1;
        }
        let mut counts: Vec<(&String, usize)> = best.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let counts: Vec<String> =
            counts.iter().map(|(choice, count)| format!("{choice} in {count}")).collect();
        format!(
            "{}\n\nThe best first choice over {} cells: {}.\n\n{}",
            self.objective.sentence(false, self.objective.side().name()),
            facts.len(),
            counts.join(", "),
            self.stretches_text(facts)
        )
    }

    fn further(&self, facts: &[CellFacts]) -> Option<Further> {
        self.break_even.as_ref()?;
        let row = |Stretch { others, choice, from, to }: Stretch| {
            let choice = choice.map_or(Cell::Null, Cell::Text);
            [others, vec![choice, Cell::Integer(from), Cell::Integer(to)]].concat()
        };
        let rows = self.stretches(facts).into_iter().map(row).collect();
        Some(Further { name: "break-even", columns: self.stretch_columns(), rows })
    }
}

/// A range of consecutive values of the break-even field with the same best choice.
#[derive(Clone, Debug, PartialEq)]
struct Stretch {
    /// The values of the other varied fields.
    others: Vec<Cell>,
    /// The best choice; `None` if there is nothing to choose.
    choice: Option<String>,
    /// The first and last value of the range, both inclusive.
    from: i64,
    to: i64,
}

impl CampaignFile {
    /// Returns the ranges of best choices along the break-even field, if any.
    fn stretches(&self, facts: &[CellFacts]) -> Vec<Stretch> {
        let Some((place, _)) = self.axis() else { return Vec::new() };
        let mut lines: IndexMap<Vec<String>, (Vec<Cell>, Vec<ValueChoice>)> = IndexMap::new();
        for (case, CellFacts { best: choice, .. }) in facts.iter().enumerate() {
            let mut others = self.study.swept_cells(case);
            let Cell::Integer(value) = others.remove(place) else { continue };
            let key = others.iter().map(Cell::text).collect();
            let (_, values) = lines.entry(key).or_insert_with(|| (others, Vec::new()));
            values.push((value, choice.clone()));
        }
        lines.into_values().flat_map(|(others, values)| stretches(&others, values)).collect()
    }

    /// Returns the index (0-based) and the name of the break-even field, if any.
    fn axis(&self) -> Option<(usize, &str)> {
        let field = self.break_even.as_deref()?;
        let columns = self.study.grid.columns();
        Some((columns.iter().position(|(name, _)| *name == field)?, field))
    }

    fn stretch_columns(&self) -> Vec<(String, Column)> {
        let mut columns = self.study.grid.columns();
        if let Some((place, _)) = self.axis() {
            columns.remove(place);
        }
        let own = [("choice", Column::Text), ("from", Column::Integer), ("to", Column::Integer)];
        columns.extend(own.map(|(name, kind)| (name.to_string(), kind)));
        columns
    }

    /// Returns the break-even table as text; empty without a break-even field.
    fn stretches_text(&self, facts: &[CellFacts]) -> String {
        let Some((_, field)) = self.axis() else { return String::new() };
        let columns = self.stretch_columns();
        let others = columns.len() - 3;
        let mut lines: Vec<Vec<String>> = Vec::new();
        for Stretch { others: key, choice, from, to } in self.stretches(facts) {
            let choice = choice.unwrap_or("nothing to choose".to_string());
            let choice = match from == to {
                true => format!("{choice} {from}"),
                false => format!("{choice} {from} - {to}"),
            };
            let key: Vec<String> = key.iter().map(Cell::text).collect();
            match lines.last_mut().filter(|line| line[..others] == key[..]) {
                Some(line) => line[others] += &format!(", {choice}"),
                None => lines.push([key, vec![choice]].concat()),
            }
        }
        let hidden = lines.len().saturating_sub(SHOWN_LINES);
        lines.truncate(SHOWN_LINES);
        let names = columns[..others].iter().map(|(name, _)| name.to_string());
        let headings: Vec<String> = names.chain([format!("best by {field}")]).collect();
        let table = aligned_to_width(&headings, &lines, &vec![false; others + 1]);
        let more = format!("({hidden} more lines are in the file)\n");
        format!("{table}{}\n", if hidden > 0 { more.as_str() } else { "" })
    }
}

/// The most lines of the break-even table that the summary shows.
const SHOWN_LINES: usize = 40;

/// A value of the break-even field, and the best choice there.
type ValueChoice = (i64, Option<String>);

/// Returns the ranges of cells that differ only in the break-even field.
fn stretches(others: &[Cell], mut values: Vec<ValueChoice>) -> Vec<Stretch> {
    values.sort();
    let mut stretches: Vec<Stretch> = Vec::new();
    for (value, choice) in values {
        match stretches.last_mut().filter(|stretch| stretch.choice == choice) {
            Some(stretch) => stretch.to = value,
            None => {
                let others = others.to_vec();
                stretches.push(Stretch { others, choice, from: value, to: value });
            }
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_neighbouring_choices_form_stretches() {
        let crawl = || Some("low-crawl".to_string());
        let run = || Some("run".to_string());
        let values = vec![(1, run()), (2, run()), (4, crawl()), (6, crawl()), (8, run())];
        let stretches = stretches(&[Cell::Text("8-1".to_string())], values);
        let ranges: Vec<_> = stretches
            .iter()
            .map(|stretch| (stretch.choice.clone(), stretch.from, stretch.to))
            .collect();
        assert_eq!(ranges, [(run(), 1, 2), (crawl(), 4, 6), (run(), 8, 8)]);
    }
}
