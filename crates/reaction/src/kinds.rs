//! The kinds of questions and of steps, with the fields of each.

use super::fields::{
    CheckFields, CommandFields, CommandStep, Common, DisperseStep, MoraleFields, MoveFields,
    MoveStep, PulseStep, RallyFields, RestockStep, SequenceFields, Shot, TargetFields, VolleyStep,
};
use schema::classes::LOST;
use schema::declared::{self, declared_words};
use schema::filled::fields_by;
use schema::{Field, Fields as _, Group, Kind, StatusClass};

fields_by! {
    /// The input fields of a question, by kind of question.
    pub enum Head: QuestionKind {
        Volley { common: Common, fields: TargetFields, shot: Shot },
        Volleys { common: Common, fields: TargetFields, shot: Shot },
        Rally { common: Common, fields: RallyFields },
        Command { common: Common, fields: CommandFields },
        Morale { common: Common, fields: MoraleFields },
        Check { common: Common, fields: CheckFields },
        Move { common: Common, fields: MoveFields },
        Sequence { common: Common, fields: SequenceFields },
    }
}

impl Head {
    /// Returns the fields that all kinds share.
    pub fn common(&self) -> &Common {
        let (Head::Volley { common, .. }
        | Head::Volleys { common, .. }
        | Head::Rally { common, .. }
        | Head::Command { common, .. }
        | Head::Morale { common, .. }
        | Head::Check { common, .. }
        | Head::Move { common, .. }
        | Head::Sequence { common, .. }) = self;
        common
    }
}

/// The last fields of questions about volleys at one target.
const WITH_TARGET: &[Field] =
    &[Common::wild, Common::enemy_wild, Common::inches, TargetFields::army, Common::joint];

const UNITS_HELP: &str = "A unit is written `panzer-iv/dp=1,suppressed`, or \
    `unit/reaction=3,at=4,cohesion=3`. Conditions: \
    reaction=N, artillery=N (Reaction Dice against artillery), at=N and fp=N (dice against armour \
    and soft targets), cohesion=N, soft, \
    fast, dp=N (Disruption Points), suppressed, fired, moved=N (inches), goal=N (inches still to \
    go). Obstacles behind it, in inches: \
    `edge=12,cover=8,enemy=20,friend=7-10`.";
const STEPS_HELP: &str = "Steps: volley (firer or dice, target, range, flank, uphill, move, cover, \
    artillery, may-hold), command (side, dice, staff), \
    roll, pulse (staff), restock (side, dice, sixes), move (slot, dice, may-hold), turn, disperse \
    (slot).";

const fn kind(
    name: &'static str,
    about: &'static str,
    subject: Option<Field>,
    fields: &'static [&'static [Field]],
) -> Kind {
    let help = if subject.is_none() { STEPS_HELP } else { UNITS_HELP };
    Kind::new(name, about, subject, fields).help(help)
}

/// The classes of statuses in which units are counted.
const CLASSES: &[StatusClass] = &[
    StatusClass::good("may-fire", &["arrived", "fresh", "ready"]),
    StatusClass::bad("suppressed", &["suppressed", "forced-back", "forced-back-far"]),
    StatusClass::bad(LOST, &["dispersed"]),
];

pub(super) const UNITS: Group = Group::whole_units("units", "the own units");
const GROUPS: &[Group] = &[UNITS, Group::whole_units("enemies", "the units of the enemy")];
/// The groups of questions without an enemy.
const OWN: &[Group] = &[UNITS];

declared_words! {
    /// The kinds of questions.
    pub enum QuestionKind: Kind {
        Volley = kind("volley", "one volley: Disruption, Suppression, forced back, dispersed",
            Some(TargetFields::target),
            &[&[TargetFields::at_least, TargetFields::dice, TargetFields::by], Shot::ALL,
            WITH_TARGET]).ends(&["ready", "suppressed", "forced-back", "forced-back-far", "dispersed", "holds",
            "at-zero"]).counted(CLASSES, OWN)
            .examples(&["panzer-iv --dice 8 --inches",
            "unit/reaction=5,cohesion=3 --dice 6 --range long --cover light",
            "panzer-iv --dice 8 --flank --wild 1"]),
        Volleys = kind("volleys",
            "several volleys with orders between them, with odds after each volley",
            Some(TargetFields::target),
            &[&[TargetFields::volleys, TargetFields::orders, Common::effects, TargetFields::dice,
            TargetFields::by], Shot::ALL, WITH_TARGET])
            .ends(&["ready", "suppressed", "dispersed", "holds", "at-zero", "not-fired", "missed",
            "held", "disrupted", "forced-back"]).counted(CLASSES, OWN)
            .examples(&["panzer-iv --dice 8 --volleys 3 --orders 2",
            "unit/reaction=3,cohesion=3 --dice 6 --volleys 4",
            "panzer-iv --dice 6 --volleys 2 --effects"]),
        Rally = kind("rally",
            "removal of suppression and Disruption Points, with odds after each turn",
            Some(RallyFields::units),
            &[&[RallyFields::orders, RallyFields::turns, Common::wild, Common::joint]])
            .ends(&["fresh", "ready", "suppressed"]).counted(CLASSES, OWN)
            .examples(&["panzer-iv/dp=2,suppressed --turns 4", "unit/reaction=3,dp=1 --orders 2",
            "\"panzer-iv/dp=2,suppressed + panzer-iv/dp=1\" --turns 3 --joint"]),
        Command = kind("command",
            "the roll of Command Dice: Command Failure, dice left, who goes first",
            Some(CommandFields::dice), &[&[CommandFields::enemy_dice, Common::joint]])
            .ends(&["first", "second", "roll-again", "commands", "failure", "turn-over"])
            .examples(&["4", "4 --enemy-dice 5", "6 --enemy-dice 3 --joint"]),
        Morale = kind("morale", "Army Morale Points after each unit that is dispersed",
            Some(MoraleFields::points), &[&[MoraleFields::dispersals, Common::joint]])
            .ends(&["holds", "at-zero"])
            .examples(&["6", "6 --dispersals 3", "4 --dispersals 2 --joint"]),
        Check = kind("check", "an Army Morale Check", Some(CheckFields::dice),
            &[&[CheckFields::staff_order, Common::joint]]).ends(&["passed", "failed"])
            .examples(&["3", "3 --staff-order", "5 --set rally-tn=5"]),
        Move = kind("move", "inches of a move", Some(MoveFields::mover),
            &[&[MoveFields::dice, Common::joint]]).ends(&["arrived", "ready", "suppressed"])
            .counted(CLASSES, OWN)
            .examples(&["panzer-iv", "panzer-iv --dice 2", "panzer-iv/goal=12 --dice 3"]),
        Sequence = kind("sequence", "units of two sides: volleys, orders, Command Dice, turns",
            None, &[&[SequenceFields::own, SequenceFields::enemy, SequenceFields::own_morale,
            SequenceFields::enemy_morale, SequenceFields::own_command_dice,
            SequenceFields::enemy_command_dice, SequenceFields::own_rally_dice,
            SequenceFields::enemy_rally_dice, Common::wild, Common::enemy_wild, Common::inches,
            Common::effects, SequenceFields::army, Common::joint]])
            .ends(&["arrived", "ready", "suppressed", "dispersed", "holds", "at-zero", "collapsed",
            "draw", "not-fired", "missed", "held", "disrupted", "forced-back"])
            .counted(CLASSES, GROUPS),
    }
}

fields_by! {
    /// The input fields of a step of a sequence, by kind of step.
    pub enum StepFields: StepKind {
        Volley { fields: VolleyStep, shot: Shot },
        Command { fields: CommandStep },
        Roll {},
        Pulse { fields: PulseStep },
        Restock { fields: RestockStep },
        Move { fields: MoveStep },
        Turn {},
        Disperse { fields: DisperseStep },
    }
}

declared_words! {
    /// The kinds of steps in a sequence.
    pub enum StepKind: declared::StepKind {
        Volley = declared::StepKind::new("volley", &[VolleyStep::ALL, Shot::ALL]),
        Command = declared::StepKind::new("command", &[CommandStep::ALL]),
        Roll = declared::StepKind::new("roll", &[]),
        Pulse = declared::StepKind::new("pulse", &[PulseStep::ALL]),
        Restock = declared::StepKind::new("restock", &[RestockStep::ALL]),
        Move = declared::StepKind::new("move", &[MoveStep::ALL]),
        Turn = declared::StepKind::new("turn", &[]),
        Disperse = declared::StepKind::new("disperse", &[DisperseStep::ALL]),
    }
}
