//! A study of campaigns as a grid: the value of every first choice in each cell.

use std::collections::BTreeMap;

use super::super::grid::{AnsweredCell, CellAnswer, CellFacts, Further, Grid};
use super::super::number_table::{CellValue, Style, TableDescription};
use super::break_even::Stretch;
use super::file::{CampaignFile, CampaignMeasure};
use answer::options::DEFAULT_SEED;
use answer::{Cell, Column, Engine, Meta, Options, Provenance, Trials};
use engine::monitor::Monitor;
use engine::process::Player;
use play::{Depth, EngineRequest, Valued};

impl CampaignFile {
    /// Returns the first decision of grid cell `case` (0-based): its choices, best first, the
    /// player who decides, and the value of best play. The choices are empty if no decision occurs.
    fn opening(&self, case: usize, watch: Monitor) -> Result<(Vec<Valued>, Player, f64), String> {
        let question = self.study.finished(case).map_err(|fault| fault.to_string())?;
        let solved = question
            .solve_among(&self.shared_graph, &self.objective, Depth::Opening, watch)
            .map_err(|error| error.to_string())?;
        let value = solved.value[0];
        let (mut choices, player) = solved
            .opening
            .map_or((Vec::new(), Player::Owner), |decision| (decision.choices, decision.player));
        // Only the best choice of each kind is kept; choices are sorted, so it comes first.
        let mut kinds = Vec::new();
        choices.retain(|choice| {
            !kinds.contains(&choice.kind) && {
                kinds.push(choice.kind);
                true
            }
        });
        Ok((choices, player, value))
    }
}

impl Grid for CampaignFile {
    fn text(&self) -> &str {
        &self.study.text
    }

    fn identity(&self) -> String {
        let layout = match &self.study.layout {
            Some(_) => format!(" tells {}", self.telling.name()),
            None => String::new(),
        };
        format!("{}:{layout} {}", self.objective, self.study.identity())
    }

    fn about(&self) -> Option<&str> {
        self.study.about.as_deref()
    }

    /// Returns the exact engine, since no dice are rolled.
    fn engine_request(&self) -> EngineRequest {
        (Engine::Exact, Trials::Number(0), DEFAULT_SEED)
    }

    fn cells(&self) -> usize {
        self.study.cells()
    }

    fn swept_columns(&self) -> Vec<(&str, Column)> {
        self.study.swept_columns()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.study.swept_cells(case)
    }

    fn answer_columns(&self) -> Vec<(&'static str, Column)> {
        vec![
            ("case", Column::Integer),
            ("choice", Column::Text),
            ("value", Column::Float),
            ("margin", Column::Float),
        ]
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        self.study.canonical(case)
    }

    /// Returns one row per first choice, best first, with its value and its margin over the best
    /// other choice. The margin is from the side of the deciding player. It is negative for all but
    /// the best choice.
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
        let told = self.study.layout.as_ref().map(|_| shown);
        let facts = CellFacts { best, told, ..CellFacts::default() };
        Ok(AnsweredCell { rows, facts, ..AnsweredCell::default() })
    }

    fn rules(&self) -> Provenance {
        self.study.rules()
    }

    /// Returns `None`, since the objective decides what counts as success.
    fn headline(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    fn table_description(&self) -> Option<TableDescription> {
        let several = self.study.finished(0).is_ok_and(|question| question.words().units() > 1);
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
        let layout = self.study.layout.clone()?;
        let is_minimized = self.telling == CampaignMeasure::Value && self.objective.is_minimized();
        Some(TableDescription {
            question: self.study.in_words(),
            words,
            style,
            is_minimized,
            layout,
        })
    }

    /// Returns true, since the summary counts the best choices.
    fn needs_facts(&self) -> bool {
        true
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
            "Objective: {}.\n\nThe best first choice over {} cells: {}.\n\n{}",
            self.objective.aim_in_words(false),
            facts.len(),
            counts.join(", "),
            self.stretches_text(facts)
        )
    }

    fn further(&self, facts: &[CellFacts]) -> Option<Further> {
        self.break_even.as_ref()?;
        let columns = self
            .stretch_columns()
            .into_iter()
            .map(|(name, kind)| (name.to_string(), kind))
            .collect();
        Some(Further {
            name: "break-even",
            columns,
            rows: self.stretches(facts).iter().map(Stretch::cells).collect(),
        })
    }
}
