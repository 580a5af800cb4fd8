//! Fortitude: the morale of *Samurai Battles* (the Art of Tactic rules, 2012), told by Morale
//! Levels and Fortitude Tests on a d20.
//!
//! A unit is Normal, Hesitant, Shaken or Panicked. Failed tests make it worse, tests in the Morale
//! Phase better; Shaken and Panicked units run in the Retreat Step. Not all of the rules is known:
//! every number and every doubt is a parameter ([`rules`]), marked as stated, found, inferred or
//! assumed.
//!
//! | file | what |
//! |---|---|
//! | [`level`], [`order`] | Morale Levels and how units end; orders and what they add |
//! | [`rules`], `parameters` | kinds of values of parameters; the parameters, a line each |
//! | [`mod@unit`], [`notation`] | values of units with their source; how units are written |
//! | [`field`], [`battle`] | the state, and the process that works its stages off |
//! | `fortitude_test` | current Fortitude; C1 to C6 |
//! | `stages` | what each stage puts in hand; how units change level and end |
//! | `attack` | attack dice, casualties, ranged fire, melee |
//! | `retreat` | Flee and Panic |
//! | `choice`, `way` | orders, and sides of an assault, that are left to a player, and policies |
//! | `telling` | rolls in words |
//! | `kinds`, `step` | what can be asked: kinds of questions and their fields; what a step does, and its fields |
//! | [`given`] | how what is given for a field is written |
//! | `draft`, `check`, `compile`, [`question`] | a question filled in, checked, and made a process |
//! | `asked`, `rests` | what is told of a question, and what its answer rests on |
//!
//! # Names of rules
//!
//! A told sequence names the rule at work: `C1` test of the Morale Phase, `C2` of a flank assault,
//! `C3` of a rear assault, `C5` of casualties, `C6` of the loss of the General Staff (`C4`, the
//! combined assault, is one C2 or C3 for each attack); `Attack`, `Assault`, `Surrender`, `Flee`,
//! `Panic`, `Retreat`, `Honor`, `Orders`.
//!
//! # A turn
//!
//! Morale Phase, orders, ranged fire, assaults with their tests, melee, Retreat Step; then outcomes
//! are told. Questions about fire and assaults begin after the Morale Phase of the first turn, with
//! the units as they are given. An order holds from the Planning Phase to the end of the turn, so
//! it has no part in C1, and ends when its unit becomes Shaken or worse.
//!
//! # Decisions
//!
//! * The order of a unit: `orders`, for the enemy `enemy-orders`, to choose from in each turn;
//!   Retreat among them is the way out of a melee. A unit is offered no order that its kind, or its
//!   want of a Commander, forbids.
//! * The sides of an assault: `sides = "front or flank or flank,rear"`. The enemy chooses when the
//!   orders of the turn are known, and spends one attacker or two; policies without a word on it
//!   take the worst for the unit.
//! * Which unit has a Commander at set-up, and whether a unit is near its General Staff: two
//!   questions to compare, such as `unit/staff=2` and `unit/staff=6`; in a sequence the step
//!   `place` moves a unit.
//!
//! # Who may do what
//!
//! * `orders-without-commander` are the orders of units without a Commander; the General Staff
//!   counts as having one. All are allowed by default: of the list only Defend, All-Around Defense,
//!   Rest and March were seen.
//! * `orders-that-fire` let a unit of the question fire. The order `none` stands for any that
//!   changes nothing, so it is always allowed, and lets a unit fire. Who assaults has the order
//!   Assault, so it fires in the same turn only where that is among them.
//! * Fire told by dice has its Attack Value with everything counted: Firepower -2 of Move and Fire
//!   is the asker's to subtract.
//!
//! # Where the rules are silent
//!
//! Beside the parameters, this is how it is played:
//!
//! * Each attack that costs models brings a test of its own, after the melee where it was one: for
//!   the blows of units first, by slot, then for those of dice. With
//!   `casualty-fortitude-permanent = false` each counts the casualties of its attack. A unit in
//!   melee with several strikes at one of them: the one it assaults this turn, else the first. What
//!   a flank or rear assault adds to Attack and Defense counts against the unit assaulted, what it
//!   adds to Fortitude in every test.
//! * A Panicked unit that loses all its models in melee is destroyed; one that keeps some
//!   surrenders. A surrender in or before a melee earns the foes their Honor Markers as destruction
//!   does, at once.
//! * The loss of the General Staff is felt before tests for casualties. An engaged Panicked unit
//!   that fails a test before the fighting surrenders; C6 may come during it, so there
//!   `panicked-melee-fail` decides.
//! * An assault is one turn's: a melee that goes on has neither its tests nor its bonuses
//!   (`assault-each-turn`).
//! * Panic runs to the nearest edge (`edge`), Flee without a staff to the edge of its own side
//!   (`own-edge`, by default the same). The distances to the General Staff and to the edges do not
//!   change each other, but that the nearest edge is never farther than its own.
//! * A Shaken unit beside its staff is Hesitant in the Retreat Step. The General Staff itself flees
//!   to its own edge, and is not near itself.
//! * A unit Shaken or worse neither fires nor assaults. A blocked one stays where it is, in melee
//!   too.
//! * Move and Fire has its Firepower modifier in ranged fire, its other one in melee. Nothing is
//!   known of what Rest adds: 0.
//! * Every unit is told of by the models it has lost: all of them once it is gone, however it went.
//!
//! ```
//! use engine::exact::{Bound, odds};
//! use lowcrawl_fortitude::{Ask, Asker, FieldSetters as _};
//! use engine::process::Question as _;
//!
//! // C2: 10 - 3 in the test, so 7 of 20 faces.
//! let question = Asker::of(Ask::Test, "ashigaru-archers").cause("flank").question().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let normal = odds.chances.iter().find(|chance| question.label(chance.point, &chance.outcome).status == Some("normal")).unwrap();
//! assert_eq!(normal.fraction.unwrap().to_string(), "7/20");
//! ```

mod asked;
mod attack;
pub mod battle;
mod check;
mod choice;
mod compile;
mod draft;
pub mod field;
mod fortitude_test;
pub mod given;
mod kinds;
pub mod level;
pub mod notation;
pub mod order;
mod parameters;
pub mod question;
mod rests;
mod retreat;
pub mod rules;
mod stages;
mod step;
mod telling;
pub mod unit;
mod way;

use system::draft::Word as _;
use system::{Game, Kind, Measure, Parameter, Policy, Ready};

pub use draft::{Asker, Draft};
pub use kinds::{Ask, FieldSetters, Fields};
pub use question::Question;
pub use step::{Deed, StepFields, StepSetters};

/// The system of this room.
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
        Ask::DECLARED
    }

    fn parameters(&self) -> Vec<Parameter> {
        rules::Rules::PARAMETERS.to_vec()
    }

    fn measures(&self) -> &'static [Measure] {
        &asked::MEASURES
    }

    fn policies(&self, _: &Kind) -> Vec<Policy> {
        choice::Policy::told(choice::Policy::every())
    }

    fn units(&self) -> Vec<Ready> {
        unit::SORTS.iter().map(|sort| Ready::plain(sort.name, sort.in_words())).collect()
    }

    fn conditions(&self) -> Vec<String> {
        notation::conditions()
    }
}
