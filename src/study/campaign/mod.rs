//! Campaigns from files: what is best in each state, and studies of where the best choice flips.

pub mod break_even;
pub mod file;
pub mod sweep;

use crate::course::best::Decision;
use crate::table::{Cell, Kind};

/// Columns of the table of a policy.
pub fn columns() -> Vec<(&'static str, Kind)> {
    vec![("state", Kind::Text), ("choice", Kind::Text), ("value", Kind::Float), ("margin", Kind::Float)]
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
