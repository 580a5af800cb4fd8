//! A slow twin of the morale, rally and Interdiction rules, for testing.
//!
//! Written from `rules/asl.md` (profile asl_v3, default interpretations, no Heat of Battle, no Commissars) and from
//! nothing in `src` but the catalogue. It walks the whole tree of dice, one path at a time, and never merges two paths.
//! The one shortcut: faces of a single roll that the rules read alike (say, every clean pass) are one branch.
#![allow(dead_code)]

pub mod attack;
pub mod catalogue;
pub mod interdiction;
pub mod rally;
pub mod tree;
pub mod unit;

pub use interdiction::interdict;
pub use rally::rally;

use tree::{Stack, Tally};
use unit::Unit;

/// One unit as it starts; `id` is the catalogue id.
#[derive(Clone, Debug, Default)]
pub struct TwinUnit {
    pub id: String,
    pub broken: bool,
    pub dm: bool,
    pub pinned: bool,
    pub wounded: bool,
    pub fanatic: bool,
    pub heroic: bool,
    pub disrupted: bool,
    pub encircled: bool,
    pub berserk: bool,
}

impl TwinUnit {
    pub fn good_order(id: &str) -> Self {
        Self { id: id.to_string(), ..Self::default() }
    }

    pub fn broken(id: &str) -> Self {
        Self { broken: true, ..Self::good_order(id) }
    }
}

/// Slot (from 1), phase (0 where not by phase), status, counter as it ends ("" when eliminated), wounded (SMC alive).
pub type Row = (usize, usize, &'static str, String, Option<bool>);
pub type Odds = std::collections::BTreeMap<Row, f64>;

/// The whole stack takes an `mc`MC from the IFT (A7.304, A10.1), then the LLMC and LLTC that follow from it (A10.2).
pub fn check(stack: &[TwinUnit], mc: i32, elr: i32) -> Odds {
    let mut tally = Tally::default();
    let start = Stack::new(stack, elr, true);
    let order = attack::checking_order(&start);
    attack::stack_checks(&start, &order, mc, 1.0, &mut |end, weight| tally.add_stack(end, 0, weight));
    tally.into_odds()
}

/// The whole stack takes a Pin Task Check (A7.305).
pub fn pin_task_check(stack: &[TwinUnit], elr: i32) -> Odds {
    let mut tally = Tally::default();
    let start = Stack::new(stack, elr, true);
    let order = attack::checking_order(&start);
    attack::pin_task_checks(&start, &order, 1.0, &mut |end, weight| tally.add_stack(end, 0, weight));
    tally.into_odds()
}

/// A leader who only lends his leadership: in Good Order, never at risk.
fn lent(id: Option<&str>) -> Option<Unit> {
    id.map(|id| Unit::new(&TwinUnit::good_order(id)))
}
