//! A slow twin of the fire, morale, rally and Interdiction rules, for testing.
//!
//! Written from `rules/asl.md` (profile asl_v3, default interpretations) and from nothing in the
//! crates but the catalogue of counters. It walks the tree of dice step by step and takes only two
//! shortcuts: faces of one roll that the rules read alike (say, every clean pass) are one branch,
//! and stacks that have become equal after a step are one stack (`tree::Mix`).
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

/// What surrounds the Location: Heat of Battle in force (A15.1), a Known enemy in LOS (A15.44), an
/// armed GO enemy ADJACENT (A15.5), No Quarter (A20.3), Russians as the enemy (of SS: A15.5,
/// A19.12).
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
    pub unarmed: bool,
    /// An ELR named on the unit itself.
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

/// Slot (from 1), phase (0 where not by phase), status, counter as it ends ("" when eliminated),
/// wounded (SMC alive).
pub type Row = (usize, usize, &'static str, String, Option<bool>);
pub type Odds = std::collections::BTreeMap<Row, f64>;

/// The whole stack takes an `mc`MC from the IFT (A7.304, A10.1), then the LLMC and LLTC that follow
/// from it (A10.2).
pub fn check(stack: &[TwinUnit], mc: i32, elr: i32, scene: Scene) -> Odds {
    Tally::of_mix(&checked(stack, mc, elr, scene)).into_odds()
}

/// All that can become of a stack that takes an `mc`MC.
pub fn checked(stack: &[TwinUnit], mc: i32, elr: i32, scene: Scene) -> Mix {
    let start = Stack::new(stack, Place::under_attack(elr, scene));
    let checked =
        attack::stack_checks(Mix::of(start.clone()), &leaders::checking_order(&start), mc);
    leaders::settle(checked)
}

/// The whole stack takes a Pin Task Check (A7.305).
pub fn pin_task_check(stack: &[TwinUnit], elr: i32, scene: Scene) -> Odds {
    Tally::of_mix(&pins_checked(stack, elr, scene)).into_odds()
}

/// All that can become of a stack that takes a Pin Task Check.
pub fn pins_checked(stack: &[TwinUnit], elr: i32, scene: Scene) -> Mix {
    attack::pin_task_checks(&Stack::new(stack, Place::under_attack(elr, scene)))
}

/// A leader who only lends his leadership: in Good Order, never at risk.
fn lent(id: Option<&str>) -> Option<Unit> {
    id.map(|id| Unit::new(&TwinUnit::good_order(id)))
}
