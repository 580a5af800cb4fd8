//! A study of campaigns: the value of every first choice, cell by cell.

use super::super::grid::{CellRows, Grid};
use super::file::CampaignFile;
use crate::engine::watch::Watch;
use crate::process::Player;
use crate::system::answer::Options;
use crate::system::asking::Depth;
use crate::system::best::Valued;
use crate::system::{Footing, Hope};
use crate::table::{Cell, Column, Meta};

impl CampaignFile {
    /// The choices of the first decision of a cell, from 0, the best first, and who makes it; nothing where none comes first, and then the
    /// value.
    fn opening(&self, case: usize, watch: Watch) -> Result<(Vec<Valued>, Player, f64), String> {
        let question = self.study.finished(case).map_err(|fault| fault.to_string())?;
        let solved = question.solve(&self.objective, Depth::Opening, watch).map_err(|error| error.to_string())?;
        let value = solved.value[0];
        let (mut choices, player) =
            solved.opening.map_or((Vec::new(), Player::Owner), |decision| (decision.choices, decision.player));
        // Of two ways to do the same the better counts, and it comes first.
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
        format!("{}: {}", self.objective, self.study.identity())
    }

    fn about(&self) -> Option<&str> {
        self.study.about.as_deref()
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
        vec![("case", Column::Integer), ("choice", Column::Text), ("value", Column::Float), ("margin", Column::Float)]
    }

    /// One row for each first choice, the best first: its value, and by how much that is better for the one who chooses than the best
    /// other; less than nothing for all but the best.
    fn answer_rows(&self, case: usize, options: &Options, _: &Meta) -> CellRows {
        let (choices, player, value) = self.opening(case, options.watch)?;
        // What the enemy chooses is the better for him the less it is worth.
        let sign = if player == Player::Owner { 1.0 } else { -1.0 };
        let case = Cell::Integer(case as i64 + 1);
        if choices.is_empty() {
            return Ok(vec![vec![case, Cell::Null, Cell::Float(value), Cell::Null]]);
        }
        let others = |place: usize| {
            let others =
                choices.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, choice)| sign * choice.value[0]);
            others.reduce(f64::max)
        };
        let row = |(place, choice): (usize, &Valued)| {
            let margin = others(place).map_or(Cell::Null, |other| Cell::Float(sign * choice.value[0] - other));
            vec![case.clone(), Cell::Text(choice.kind.to_string()), Cell::Float(choice.value[0]), margin]
        };
        Ok(choices.iter().enumerate().map(row).collect())
    }

    fn rules(&self) -> Footing {
        self.study.rules_of()
    }

    fn headline(&self) -> Option<Hope> {
        None
    }

    fn last_slot(&self, _: usize) -> Option<i64> {
        None
    }
}
