//! A "twin": a second, slow implementation of fire, morale, rally and Interdiction, for tests.
//!
//! It follows `rules/asl.md` alone (profile asl_v3, default interpretations), and uses only the
//! catalogue of counters of the crates. It walks the tree of dice step by step, with two shortcuts.
//! Totals of a roll with the same effect (say, every clean pass) are one branch. Stacks that are
//! equal after a step are merged (`tree::Mix`).
#![allow(dead_code)]

pub mod attack;
pub mod catalogue;
pub mod heat;
pub mod ift;
pub mod interdiction;
pub mod leaders;
pub mod rally;
pub mod tree;
pub mod unit;

pub use ift::{attacked, fire};
pub use interdiction::{crossed, interdict, rout_status, voluntary_rout};
pub use rally::{rallied, rally, rally_status};

pub use catalogue::Kind;
pub use tree::{Mix, Stack};
use tree::{Place, Tally};
pub use unit::Unit;

/// The circumstances of the Location: Heat of Battle (A15.1), a Known enemy unit in LOS (A15.44),
/// an armed Good Order enemy ADJACENT (A15.5), No Quarter (A20.3), and Russians as the enemy of SS
/// units (A15.5, A19.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scene {
    pub hob: bool,
    pub keu: bool,
    pub captor: bool,
    pub no_quarter: bool,
    pub against_russians: bool,
}

impl Scene {
    pub fn quiet() -> Scene {
        Scene { hob: false, keu: true, captor: false, no_quarter: false, against_russians: false }
    }

    pub fn hot() -> Scene {
        Scene { hob: true, ..Scene::quiet() }
    }
}

/// A unit as it starts; `id` identifies its counter in the catalogue.
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
    pub unarmed: bool,
    pub elr: Option<i32>,
}

impl TwinUnit {
    pub fn good_order(id: &str) -> Self {
        Self { id: id.to_string(), ..Self::default() }
    }

    pub fn broken(id: &str) -> Self {
        Self { broken: true, ..Self::good_order(id) }
    }
}

/// A row of odds: slot (from 1), phase (0 if not by phase), status, final counter, and wound. The
/// counter is "" for an eliminated unit. The wound is `Some` only for surviving SMC.
pub type Row = (usize, usize, &'static str, String, Option<bool>);
pub type Odds = std::collections::BTreeMap<Row, f64>;

/// Returns the odds of an `mc`MC of the whole stack from the IFT (A7.304, A10.1), with the LLMC and
/// LLTC that follow (A10.2).
pub fn check(stack: &[TwinUnit], mc: i32, elr: i32, scene: Scene) -> Odds {
    Tally::of_mix(&checked(stack, mc, elr, scene)).into_odds()
}

/// Returns all possible stacks after an `mc`MC.
pub fn checked(stack: &[TwinUnit], mc: i32, elr: i32, scene: Scene) -> Mix {
    let start = Stack::new(stack, Place::under_attack(elr, scene));
    let checked =
        attack::stack_checks(Mix::of(start.clone()), &leaders::checking_order(&start), mc);
    leaders::settle(checked)
}

/// Returns the odds of a Pin Task Check of the whole stack (A7.305).
pub fn pin_task_check(stack: &[TwinUnit], elr: i32, scene: Scene) -> Odds {
    Tally::of_mix(&pins_checked(stack, elr, scene)).into_odds()
}

/// Returns all possible stacks after a Pin Task Check.
pub fn pins_checked(stack: &[TwinUnit], elr: i32, scene: Scene) -> Mix {
    attack::pin_task_checks(&Stack::new(stack, Place::under_attack(elr, scene)))
}

/// Creates a leader from outside the stack, always in Good Order and never at risk.
fn lent(id: Option<&str>) -> Option<Unit> {
    id.map(|id| Unit::new(&TwinUnit::good_order(id)))
}
