//! Campaigns from files: what is best in each state, and studies of where the best choice flips.

pub mod break_even;
pub mod file;
pub mod sweep;

use crate::system::best::Decision;
use crate::table::{Cell, Column};

/// Columns of the table of a policy.
pub fn columns() -> Vec<(&'static str, Column)> {
    vec![("state", Column::Text), ("choice", Column::Text), ("value", Column::Float), ("margin", Column::Float)]
}

/// A row of the policy: what is best in a state.
pub fn row(decision: &Decision) -> Vec<Cell> {
    let taken = &decision.choices[0];
    vec![
        Cell::Text(decision.state.clone()),
        Cell::Text(taken.option.clone()),
        Cell::Float(taken.value[0]),
        Cell::Float(decision.margin()),
    ]
}
