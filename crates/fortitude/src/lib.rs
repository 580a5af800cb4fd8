//! Morale in the miniatures game *Samurai Battles* (the Art of Tactic rules, 2012): Morale Levels
//! and Fortitude Tests on a d20.
//!
//! A unit is Normal, Hesitant, Shaken or Panicked. A failed test makes its level worse, and a
//! passed test in the Morale Phase makes it better. Shaken and Panicked units run in the Retreat
//! Step. The published rules are not fully known, so every number and every doubtful reading is a
//! parameter ([`rules`]). Each parameter is marked as stated, found, inferred or assumed.
//!
//! # Names of rules
//!
//! The trace of a sequence names the rule behind each line. The checks are `C1` (Morale Phase),
//! `C2` (flank assault), `C3` (rear assault), `C5` (casualties) and `C6` (loss of the General
//! Staff). `C4`, the combined assault, is one C2 or C3 for each attack. Other lines are `Attack`,
//! `Assault`, `Surrender`, `Flee`, `Panic`, `Retreat`, `Honor` and `Orders`.
//!
//! # A turn
//!
//! A turn consists of the Morale Phase, orders, ranged fire, assaults with their tests, melee and
//! the Retreat Step. Outcomes are reported after that. Questions about fire and assaults begin
//! after the Morale Phase of the first turn. An order holds from the Planning Phase to the end of
//! the turn, so it does not count in C1. It ends when its unit becomes Shaken or worse.
//!
//! # Decisions and orders
//!
//! * The order of a unit is chosen each turn from `orders`, or from `enemy-orders` for the enemy. A
//!   unit is offered no order that is closed to its kind, or to units without a Commander.
//! * The enemy chooses the sides of an assault, for example
//!   `sides = "front or flank or flank,rear"`. It chooses after the orders of the turn are known,
//!   and commits one attacker or two. Policies that name no way take the worst way for the unit.
//! * Two choices are made by comparing two questions: which unit has a Commander at set-up, and
//!   whether a unit is near its General Staff (`unit/staff=2` and `unit/staff=6`).
//! * The order `none`, any order without effect, is always allowed and lets a unit fire. A unit
//!   that assaults has the order Assault, and fires only if `orders-that-fire` lists it.
//!
//! # Where the rules are silent
//!
//! These readings apply beside the parameters:
//!
//! * Each attack that costs models causes a test of its own, after the melee if it was part of one.
//!   Attacks of units come first, in order of slots, then attacks given as dice. With
//!   `casualty-fortitude-permanent = false` a test counts the casualties of its own attack only.
//! * A unit in melee with several enemies strikes one of them: the one it assaults this turn,
//!   otherwise the first. The Attack and Defense bonuses of a flank or rear assault apply against
//!   the assaulted unit only; the Fortitude bonus applies in every test.
//! * A Panicked unit that loses some of its models in melee surrenders. A surrender in or before a
//!   melee gives the enemies Honor Markers at once, as destruction does.
//! * The loss of the General Staff comes before tests for casualties. An engaged Panicked unit that
//!   fails a test before the melee surrenders; for C6 during it `panicked-melee-fail` decides.
//! * An assault lasts one turn, with its tests and bonuses (`assault-each-turn` changes this).
//! * Panic runs to the nearest edge (`edge`), Flee without a staff to the own edge (`own-edge`, or
//!   the nearest). The distances are independent, but the nearest edge is never farther.
//! * A Shaken unit beside its General Staff becomes Hesitant in the Retreat Step. The General Staff
//!   itself flees to its own edge, and is not near itself.
//! * A unit that is Shaken or worse neither fires nor assaults. A blocked unit does not move, even
//!   in melee. The effect of Rest is unknown and taken as 0.
//! * Reports give the models a unit has lost. A unit that is gone counts all its models as lost,
//!   whatever the cause.
//!
//! ```
//! use engine::exact::{Bound, odds};
//! use lowcrawl_fortitude::{QuestionBuilder, QuestionKind, FieldSetters as _};
//! use engine::process::Question as _;
//!
//! // C2: 10 - 3 in the test, so 7 of 20 faces.
//! let asker = QuestionBuilder::new(QuestionKind::Test, "ashigaru-archers");
//! let question = asker.cause("flank").question().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let status = |point, outcome| question.label(point, outcome).status;
//! let mut chances = odds.chances.iter();
//! let normal = chances.find(|c| status(c.point, &c.outcome) == Some("normal")).unwrap();
//! assert_eq!(normal.fraction.unwrap().to_string(), "7/20");
//! ```

mod attack;
pub mod battle;
mod choice;
mod draft;
pub mod field;
mod form_hints;
mod kinds;
pub mod notation;
pub mod order;
mod provenance;
pub mod question;
pub mod rules;
mod sequence;
mod stages;
pub mod status;
pub mod unit;

use play::{Form, Game, Policy};
use schema::{FormHints, Kind, Measure, Parameter, Rules as _, StockUnit, Word as _};

pub use draft::{Draft, QuestionBuilder};
pub use kinds::{FieldSetters, Fields, QuestionKind, StepFields, StepKind};
pub use question::Question;

/// The game of this crate, as the registry lists it.
#[derive(Clone, Copy, Debug)]
pub struct Fortitude;

impl Game for Fortitude {
    fn name(&self) -> &'static str {
        "fortitude"
    }

    fn about(&self) -> &'static str {
        "Samurai Battles: Morale Levels and Fortitude Tests"
    }

    fn kinds(&self) -> &'static [&'static Kind] {
        QuestionKind::DECLARED
    }

    fn form(&self, kind: &'static Kind) -> Box<dyn Form> {
        Draft::blank(kind)
    }

    fn parameters(&self) -> Vec<Parameter> {
        rules::Rules::PARAMETERS.to_vec()
    }

    fn measures(&self) -> &'static [Measure] {
        question::MEASURES
    }

    fn policies(&self, _: &Kind) -> Vec<Policy> {
        choice::numbered(choice::policies())
    }

    fn units(&self) -> Vec<StockUnit> {
        unit::SORTS.iter().map(|sort| StockUnit::plain(sort.name, sort.in_words())).collect()
    }

    fn conditions(&self) -> Vec<String> {
        notation::conditions()
    }

    fn form_hints(&self) -> FormHints {
        form_hints::FORM_HINTS
    }
}
