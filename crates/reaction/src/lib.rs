//! Reaction Dice: Disruption, Suppression and Army Morale of a miniatures game of the Second World
//! War (Armour Battles; points of Combat HQ, its larger sister, are parameters).
//!
//! Rules are named by their headings: an event of the rule `Suppression` is told by what that
//! heading says.
//!
//! | file | rules |
//! |---|---|
//! | [`rules`] | every parameter, with its source |
//! | [`mod@unit`], [`notation`] | what is printed of units, how they stand, how they are written |
//! | [`pool`] | Target Numbers, sliding dice, Wild Dice |
//! | [`volley`] | Fire, Reaction Check, Disruption, Suppression |
//! | [`forced_back`] | Forced back |
//! | [`orders`] | Remove Unit Suppression, Rally Group |
//! | [`movement`] | moves of 6 inches and a D6, and how far a unit is from its goal |
//! | [`army`] | Army Morale, Army Morale Check, end of turn, Morale Collapse, Staff Orders |
//! | [`command`] | Command Dice, Command Failure, who goes first |
//! | [`chains`], [`pulse`] | Dice Chains, and what a Command Pulse makes of one |
//! | [`choice`], `policies` | what is left to the players; policies, and which of them matter |
//! | [`field`], [`exchange`] | the state, and the process that works its agenda off |
//! | [`outcome`], `telling` | how units and armies end, and all of it in words |
//! | [`measures`] | what players may be after |
//! | [`fields`], [`kinds`], [`draft`] | what can be asked, and what is asked in which question |
//! | `compile`, [`question`], `assumed` | fields checked, made a process, and what the answer rests on |
//!
//! # Names of rules
//!
//! A told sequence names the rule at work: `Fire`, `Reaction`, `Disruption`, `Suppression`,
//! `Forced back`, `Dispersion` of a step `disperse`, `Wild Die`, `Orders`, `Pulse`, `Rally`,
//! `Command`, `Army Morale` with its check, `Turn`, `Morale Collapse`, `Movement`.
//!
//! # Where the rules are silent
//!
//! Beside the parameters, this is how it is played:
//!
//! * Units of a side are near enough to each other to be one Command Group, and a Rally Group order
//!   can leave any of them out.
//! * In `volleys` and `rally` every gap and every turn ends all activations, whatever
//!   `activation-limit` says. In a sequence rallies of a unit are counted over a turn; by
//!   `activation-limit = pulse` over each `command` step and each pulse; by `gap` from one step
//!   `volley` of the enemy to the next, whether or not these are fired.
//! * Removing a suppression comes before or after a rally of the same step, as its owner likes.
//! * `high-suppression` needs a firing six.
//! * A unit that is in cover already (`cover=0`) has it until it is moved. Cover of a volley and
//!   cover that a unit has halted in do not add up: the better counts. An enemy is met before cover
//!   that is as far.
//! * `at-least` counts the inches a unit is really moved, past a friend or up to the table edge;
//!   who is dispersed is not moved.
//! * A unit with a goal (`goal=24`: inches to go) moves straight there, and what fires at it is
//!   there too: forced back, it has as many inches more to go. What lies behind it would change as
//!   it moves, so only one of the two can be said. It halts at its goal, and does not move on.
//! * A move is an activation: who has been rallied since activations were last over is not moved,
//!   and who has moved is not rallied. By one die a Command Group moves 6 inches and a D6 for each
//!   unit, a suppressed unit alone and by the D6; a chain of exactly two or three dice can be one
//!   double or triple move. That a firer has moved so is said of its volley (`move`).
//! * A unit is forced back along one line; what it has passed is gone, and it does not come back.
//! * `effects` tells of each volley one of `not-fired`, `missed` (no hit), `held` (neither a point
//!   nor suppression), `disrupted` (points alone), `suppressed` (the check failed, the target
//!   stays), `forced-back`, `dispersed`. A check that a suppressed unit fails counts. Points and
//!   sixes are counted but of a target that is dispersed.
//! * Dice lost by sliding stay lost: a Wild Die makes up for one of them before it is rolled.
//! * An Army Morale Check is made wherever Army Morale is told, by own dice of `army-morale-dice`,
//!   whatever Command Dice are left; the policies with a name keep their Staff Orders. No more of
//!   these are kept than there are Command Dice.
//! * Wild Dice, Command Dice and marks of fire go with the end of a turn, suppression and
//!   Disruption Points stay.
//! * `roll` keeps the dice by number only where a `pulse` follows in the turn. By the rules a full
//!   tie is rolled again without end; here it is as often as `command-re-rolls` says, and one more
//!   tie is settled by lot. Figures are exact for that, and differ from those of the rules by no
//!   more than the odds of so many ties in a row: at one die a side 25/1296 by default.
//! * Where no side has dice left a pulse is empty. A chain of more than four dice restocks as many
//!   Staff Orders as one of four; Staff Orders are used in a pulse only beside a chain. A chain can
//!   go elsewhere: its orders need not be given.
//! * When both sides fail their Command Dice, all steps up to the next `turn` are left out.
//!
//! ```
//! use engine::exact::{Bound, odds};
//! use engine::process::Question as _;
//! use lowcrawl_reaction::Reaction;
//! use lowcrawl_reaction::fields::TargetSetters as _;
//! use lowcrawl_reaction::kinds::Ask;
//! use system::draft::Asker;
//!
//! // Four dice against three at equal TN: a hit more than there are successes is as likely as not. Three of them disperse.
//! let question = Asker::<Reaction>::of(Ask::Volley, "unit/reaction=3").dice(4).question().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let dispersed = odds.chances.iter().find(|chance| question.label(0, &chance.outcome).status == Some("dispersed")).unwrap();
//! assert_eq!(dispersed.fraction.unwrap().to_string(), "1/16");
//! ```

pub mod army;
mod assumed;
pub mod chains;
pub mod choice;
pub mod command;
mod compile;
pub mod draft;
pub mod exchange;
pub mod field;
pub mod fields;
pub mod forced_back;
pub mod kinds;
pub mod measures;
pub mod movement;
pub mod notation;
pub mod orders;
pub mod outcome;
mod parameters;
mod policies;
pub mod pool;
pub mod pulse;
pub mod question;
pub mod rules;
mod telling;
pub mod unit;
pub mod volley;

use system::draft::Word as _;
use system::{Game, Kind, Measure, Parameter, Policy, Ready};

/// The morale system of Reaction Dice.
#[derive(Clone, Copy, Debug)]
pub struct Reaction;

impl Game for Reaction {
    fn name(&self) -> &'static str {
        "reaction"
    }

    fn about(&self) -> &'static str {
        "Reaction Dice: Disruption, Suppression and Army Morale of a miniatures game (Armour Battles)"
    }

    fn kinds(&self) -> &'static [&'static Kind] {
        kinds::Ask::DECLARED
    }

    fn parameters(&self) -> Vec<Parameter> {
        rules::Rules::PARAMETERS.to_vec()
    }

    fn measures(&self) -> &'static [Measure] {
        measures::MEASURES
    }

    fn policies(&self, _: &Kind) -> Vec<Policy> {
        policies::all().collect()
    }

    fn units(&self) -> Vec<Ready> {
        unit::PRESETS.iter().map(|preset| Ready::plain(preset.name, preset.to_string())).collect()
    }

    fn conditions(&self) -> Vec<String> {
        notation::CONDITIONS.map(str::to_string).to_vec()
    }
}
