//! The fields of a question about Close Combat.

use super::objective::CombatObjective;
use super::plan::AttackPlan;
use super::state::{CombatSide, Infiltration};
use crate::board::terrain::Terrain;
use crate::field_values::{PlayerTurns, SlotList, text_value};
use crate::notation::StackNotation;
use crate::rulebook::Profile;
use engine::text::Fault;
use schema::Takes;
use schema::declared::named;
use schema::field::{fields, words_of};

/// The text of two stacks, with `vs` between them, or of one.
#[derive(Clone, Debug)]
pub struct Opponents {
    pub(super) ours: StackNotation,
    pub(super) theirs: Option<StackNotation>,
}

text_value!(
    Opponents,
    Takes::Text("STACK"),
    |text| {
        let Some(sign) = text.find(VERSUS) else {
            let ours = StackNotation::parse(text)?;
            return Ok(Opponents { ours, theirs: None });
        };
        let after = sign + VERSUS.len();
        let theirs = StackNotation::parse(&text[after..]).map_err(|fault| fault.shifted(after))?;
        Ok(Opponents { ours: StackNotation::parse(&text[..sign])?, theirs: Some(theirs) })
    },
    |opponents| match &opponents.theirs {
        Some(theirs) => format!("{}{VERSUS}{}", opponents.ours.text(), theirs.text()),
        None => opponents.ours.text().to_string(),
    }
);

const VERSUS: &str = " vs ";

named! {
    /// Whether there is an Ambush (11.4).
    pub enum AmbushWish { Roll = "roll", No = "no", Ours = "ours", Theirs = "theirs" }

    /// When ambushers leave the Location (11.41).
    pub enum AmbushWithdrawal { Never = "never", Before = "before", After = "after" }
}

words_of!(AmbushWish, "WHO", "");
words_of!(AmbushWithdrawal, "WHEN", "");

/// Whether each side has an Accessible Location to go to, ours first.
#[derive(Clone, Copy, Debug)]
pub struct Exits(pub(super) [bool; 2]);

text_value!(
    Exits,
    Takes::Text("YES,YES"),
    |text| {
        let word = |word: &str| match word.trim() {
            "yes" | "true" => Some(true),
            "no" | "false" => Some(false),
            _ => None,
        };
        match text.split(',').map(word).collect::<Vec<_>>()[..] {
            [Some(ours), Some(theirs)] => Ok(Exits([ours, theirs])),
            [Some(both)] => Ok(Exits([both; 2])),
            _ => {
                let message = format!("expected two of yes and no, not `{text}`");
                let fault = Fault::new(message, 0..text.len());
                Err(fault.help("ours first, for example `yes,no`"))
            }
        }
    },
    |Exits(exits)| exits.map(|exit| if exit { "yes" } else { "no" }).join(",")
);

fields! {
    /// The fields of a question about Close Combat.
    pub struct CombatFields, CombatSetters {
        "stack" stack: Option<Opponents>, "our units; `A vs B` names both sides";
        "against" against: Option<StackNotation>, "their units, in the same notation";
        "plan" plan: Option<AttackPlan>, "our attacks: `2>1; 3>2` (our \
            unit 2 their unit 1, unit 3 their unit 2), or best, all, first, pairs, capture, none, \
            withdraw; default: best", ["A11.12"];
        "reply" reply: Option<AttackPlan>, "their attacks on our units; default: best", ["A11.12"];
        "then" then: Option<AttackPlan>, "our plan from the second Player Turn on; default: `plan`";
        "then-reply" then_reply: Option<AttackPlan>,
            "their plan from the second Player Turn on; default: `reply`";
        "objective" objective: CombatObjective = "net", "what the best plans are best for: net \
            (CVP taken less CVP given), net-final (captured twice), kills, losses, clear, kept, \
            survive, or a number such as `leaders lost = 0`", ["A26.21"];
        "terrain" terrain: &'static Terrain = "open",
            "terrain of the Location: woods and buildings allow an Ambush", ["A11.4"];
        "ambush" ambush: AmbushWish = "roll",
            "roll (where the rules allow it), no, ours, theirs: who has ambushed", ["A11.4"];
        "ambush-withdraw" ambush_withdraw: AmbushWithdrawal = "never",
            "never, before, after: when ambushers leave the Location", ["A11.41"];
        "phasing" phasing: CombatSide = "ours", "ours or theirs: whose Player Turn is the first";
        "melee" melee: bool, "the Location already is in Melee", ["A11.15"];
        "turns" turns: PlayerTurns = "1", "Player Turns, each with one CCPh";
        "withdraw" withdraw: Option<SlotList>, "numbers of our units that withdraw from the Melee",
            ["A11.2"];
        "their-withdraw" their_withdraw: Option<SlotList>,
            "numbers of their units that withdraw from the Melee", ["A11.2"];
        "infiltrate" infiltrate: Infiltration = "never",
            "never, always or best (by the objective): our units leave on an Original 2 or 12",
            ["A11.22"];
        "their-infiltrate" their_infiltrate: Infiltration = "never",
            "never, always or best: their units leave on an Original 2 or 12", ["A11.22"];
        "exits" exits: Exits = "yes,yes",
            "is there an Accessible Location without a Known enemy to leave for: ours, theirs";
        "capture" capture: bool, "every attack of ours is an attempt to capture", ["A20.22"];
        "hand-to-hand" hand_to_hand: bool,
            "the red Kill Numbers count in the first round, unless the ATTACKER is ambushed",
            ["J2.31"];
        "no-quarter" no_quarter: bool, "No Quarter is in force: Disrupted units are fought",
            ["A20.3"];
        "night" night: bool, "it is night: the ATTACKER ambushes with a dr lower by 2", ["E1.77"];
        "creation" / "no-creation" creation: bool = "true", "no Leader Creation", ["A18.12"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
        "joint" joint: bool, "outcomes of both sides together instead of each unit", once;
    }
}
