//! Morale in a miniatures game of the Second World War (Armour Battles): Reaction Dice, Disruption,
//! Suppression and Army Morale. Parameters cover the differences of its larger sister Combat HQ.
//!
//! The trace of a sequence names the heading of the rule behind each line: `Fire`, `Reaction`,
//! `Disruption`, `Suppression`, `Forced back`, `Dispersion` for a step `disperse`, `Wild Die`,
//! `Orders`, `Pulse`, `Rally`, `Command`, `Army Morale` including its check, `Turn`, `Morale
//! Collapse` and `Movement`.
//!
//! # Where the rules are silent
//!
//! These readings apply beside the parameters:
//!
//! * The units of a side form one Command Group. A Rally Group order can leave any of them out.
//! * In `volleys` and `rally` every gap and turn ends all activations. In sequences
//!   `activation-limit` does: `gap` counts rallies between enemy steps `volley`, fired or not.
//! * A suppression is removed before or after a rally of the same step, as its owner likes.
//! * `high-suppression` needs a firing six.
//! * A unit that starts in cover (`cover=0`) keeps it until it moves. Of the cover of a volley and
//!   that of a halt, the better counts. An enemy is met before cover at the same distance.
//! * `at-least` counts the inches a unit actually moves. A dispersed unit does not move.
//! * A unit with a goal moves straight towards it and the units that fire at it. If it is forced
//!   back, its distance grows. It has no objects behind it, and halts at its goal for good.
//! * A move is an activation: no unit both moves and rallies until activations end. One die moves a
//!   Command Group 6 inches and a D6 for each unit, or a suppressed unit alone by the D6. A chain
//!   of exactly two or three dice can be one double or triple move; a volley then needs `move`.
//! * A unit is forced back along one line. What it has passed no longer counts.
//! * `effects` gives each volley one status. `suppressed` means that the check failed, even of a
//!   suppressed unit, and the target stays. Points and sixes of a dispersed target do not count.
//! * Dice lost by sliding stay lost. A Wild Die first replaces one of them before it adds a die.
//! * An Army Morale Check uses `army-morale-dice` own dice, whatever Command Dice are left. A side
//!   never keeps more Staff Orders than it has Command Dice.
//! * `roll` keeps the numbers on the dice only if a `pulse` follows in the turn. A full tie is
//!   rolled again up to `command-re-rolls` times (by the rules without limit), then settled by lot.
//!   Odds change by at most that of so many ties: 25/1296 by default with one die a side.
//! * A pulse is empty if no side has dice left. More than four dice restock as many Staff Orders as
//!   four. Staff Orders are used in a pulse only beside a chain, whose orders need not be given.
//! * If both sides fail their Command Dice, all steps up to the next `turn` are skipped.
//!
//! ```
//! use engine::exact::{Bound, odds};
//! use engine::process::Question as _;
//! use lowcrawl_reaction::Reaction;
//! use lowcrawl_reaction::kinds::{FieldSetters as _, QuestionKind};
//! use play::question_form::QuestionBuilder;
//!
//! // Four dice against three at equal TN: more hits than successes has probability 1/2.
//! // Three net hits disperse the unit.
//! let asker = QuestionBuilder::<Reaction>::new(QuestionKind::Volley, "unit/reaction=3");
//! let question = asker.dice(4).question().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let status = |outcome| question.label(0, outcome).status;
//! let mut chances = odds.chances.iter();
//! let dispersed = chances.find(|chance| status(&chance.outcome) == Some("dispersed")).unwrap();
//! assert_eq!(dispersed.fraction.unwrap().to_string(), "1/16");
//! ```

mod army;
mod choice;
mod command;
pub mod draft;
pub mod exchange;
pub mod field;
mod form_hints;
pub mod kinds;
mod movement;
mod notation;
mod orders;
mod process;
pub mod question;
mod relevance;
pub mod rules;
pub mod unit;
mod volley;

use play::{Draft, Form, Game, Policy};
use schema::{FormHints, Kind, Measure, Parameter, Rules as _, StockUnit, Word as _};

/// The game of this crate, as the registry lists it.
#[derive(Clone, Copy, Debug)]
pub struct Reaction;

impl Game for Reaction {
    fn name(&self) -> &'static str {
        "reaction"
    }

    fn about(&self) -> &'static str {
        "Reaction Dice: Disruption, Suppression and Army Morale of a miniatures game (Armour \
            Battles)"
    }

    fn kinds(&self) -> &'static [&'static Kind] {
        kinds::QuestionKind::DECLARED
    }

    fn form(&self, kind: &'static Kind) -> Box<dyn Form> {
        Draft::<Reaction>::blank(kind)
    }

    fn parameters(&self) -> Vec<Parameter> {
        rules::Rules::PARAMETERS.to_vec()
    }

    fn measures(&self) -> &'static [Measure] {
        question::MEASURES
    }

    fn policies(&self, _: &Kind) -> Vec<Policy> {
        relevance::Policy::ALL.iter().map(|policy| policy.shown()).collect()
    }

    fn units(&self) -> Vec<StockUnit> {
        let unit = |preset: &unit::Preset| StockUnit::plain(preset.name, preset.in_words());
        unit::PRESETS.iter().map(unit).collect()
    }

    fn conditions(&self) -> Vec<String> {
        notation::conditions().map(str::to_string).to_vec()
    }

    fn form_hints(&self) -> FormHints {
        form_hints::FORM_HINTS
    }
}
