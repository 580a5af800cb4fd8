//! The kinds of questions and of steps, with the fields of each.

use super::field::Status::{self, *};
use super::fields::{
    CheckFields, CommandFields, CommandStep, DisperseStep, Fields, FiringFields, MoveFields,
    MoveStep, PulseStep, RestockStep, Shot, VolleyStep,
};
use schema::classes::LOST;
use schema::declared::{self, declared_words};
use schema::filled::fields_by;
use schema::{Field, Fields as _, Group, Kind, StatusClass};

fields_by! {
    /// The input fields of a question, by kind of question.
    pub enum Head: QuestionKind {
        Volley { fields: Fields, dice: FiringFields, shot: Shot },
        Volleys { fields: Fields, dice: FiringFields, shot: Shot },
        Rally { fields: Fields },
        Command { fields: Fields, dice: CommandFields },
        Morale { fields: Fields },
        Check { fields: Fields, dice: CheckFields },
        Move { fields: Fields, dice: MoveFields },
        Sequence { fields: Fields },
    }
}

impl Head {
    /// Returns the fields that all kinds share.
    pub(super) fn fields(&self) -> &Fields {
        let (Head::Volley { fields, .. }
        | Head::Volleys { fields, .. }
        | Head::Rally { fields }
        | Head::Command { fields, .. }
        | Head::Morale { fields }
        | Head::Check { fields, .. }
        | Head::Move { fields, .. }
        | Head::Sequence { fields }) = self;
        fields
    }
}

/// The last fields of questions about volleys at one target.
const WITH_TARGET: &[Field] =
    &[Fields::wild, Fields::enemy_wild, Fields::inches, Fields::army, Fields::joint];

const ORDERS_BY_TURN: Field =
    Fields::orders.by_default("1", "Command Dice or Staff Orders in each turn");
const ARMY_BY_DEFAULT: Field =
    Fields::army.by_default("true", "include Army Morale; false leaves it out");

const UNITS_HELP: &str = "A unit is written `panzer-iv/dp=1,suppressed`, or \
    `unit/reaction=3,at=4,cohesion=3`. Conditions: reaction=N, artillery=N (Reaction Dice against \
    artillery), at=N and fp=N (dice against armour and soft targets), cohesion=N, soft, fast, dp=N \
    (Disruption Points), suppressed, fired, moved=N (inches), goal=N (inches still to go). \
    Obstacles behind it, in inches: `edge=12,cover=8,enemy=20,friend=7-10`.";
const STEPS_HELP: &str = "Steps: volley (firer or dice, target, range, flank, uphill, move, cover, \
    artillery, may-hold), command (side, dice, staff), roll, pulse (staff), restock (side, dice, \
    sixes), move (slot, dice, may-hold), turn, disperse (slot).";

const fn kind(
    name: &'static str,
    about: &'static str,
    subject: Option<Field>,
    fields: &'static [&'static [Field]],
) -> Kind {
    let help = if subject.is_none() { STEPS_HELP } else { UNITS_HELP };
    Kind::new(name, about, subject, fields).help(help)
}

const fn names<const N: usize>(statuses: [Status; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut place = 0;
    while place < N {
        names[place] = statuses[place].name();
        place += 1;
    }
    names
}

/// The classes of statuses in which units are counted.
const CLASSES: &[StatusClass] = &[
    StatusClass::good("may-fire", &names([Arrived, Fresh, Ready])),
    StatusClass::bad(Suppressed.name(), &names([Suppressed, ForcedBack, ForcedBackFar])),
    StatusClass::bad(LOST, &names([Dispersed])),
];

const VOLLEY_ENDS: &[&str] =
    &names([Ready, Suppressed, ForcedBack, ForcedBackFar, Dispersed, Holds, AtZero]);
const VOLLEYS_ENDS: &[&str] = &names([
    Ready, Suppressed, Dispersed, Holds, AtZero, NotFired, Missed, Held, Disrupted, ForcedBack,
]);
const COMMAND_ENDS: &[&str] = &names([First, Second, RollAgain, Commands, Failure, TurnOver]);
const SEQUENCE_ENDS: &[&str] = &names([
    Arrived, Ready, Suppressed, Dispersed, Holds, AtZero, Collapsed, Draw, NotFired, Missed, Held,
    Disrupted, ForcedBack,
]);

pub(super) const UNITS: Group = Group::whole_units("units", "the own units");
const GROUPS: &[Group] = &[UNITS, Group::whole_units("enemies", "the units of the enemy")];
/// The groups of questions without an enemy.
const OWN: &[Group] = &[UNITS];

declared_words! {
    /// The kinds of questions.
    pub enum QuestionKind: Kind {
        Volley = kind("volley", "one volley: Disruption, Suppression, forced back, dispersed",
            Some(Fields::target),
            &[&[Fields::at_least, FiringFields::dice, Fields::by], Shot::ALL, WITH_TARGET])
            .ends(VOLLEY_ENDS).counted(CLASSES, OWN)
            .examples(&["panzer-iv --dice 8 --inches",
            "unit/reaction=5,cohesion=3 --dice 6 --range long --cover light",
            "panzer-iv --dice 8 --flank --wild 1"]),
        Volleys = kind("volleys",
            "several volleys with orders between them, with odds after each volley",
            Some(Fields::target), &[&[Fields::volleys, Fields::orders, Fields::effects,
            FiringFields::dice, Fields::by], Shot::ALL, WITH_TARGET])
            .ends(VOLLEYS_ENDS).counted(CLASSES, OWN)
            .examples(&["panzer-iv --dice 8 --volleys 3 --orders 2",
            "unit/reaction=3,cohesion=3 --dice 6 --volleys 4",
            "panzer-iv --dice 6 --volleys 2 --effects"]),
        Rally = kind("rally",
            "removal of suppression and Disruption Points, with odds after each turn",
            Some(Fields::units),
            &[&[ORDERS_BY_TURN, Fields::turns, Fields::wild, Fields::joint]])
            .ends(const { &names([Fresh, Ready, Suppressed]) }).counted(CLASSES, OWN)
            .examples(&["panzer-iv/dp=2,suppressed --turns 4", "unit/reaction=3,dp=1 --orders 2",
            "\"panzer-iv/dp=2,suppressed + panzer-iv/dp=1\" --turns 3 --joint"]),
        Command = kind("command",
            "the roll of Command Dice: Command Failure, dice left, who goes first",
            Some(CommandFields::dice), &[&[Fields::enemy_dice, Fields::joint]])
            .ends(COMMAND_ENDS)
            .examples(&["4", "4 --enemy-dice 5", "6 --enemy-dice 3 --joint"]),
        Morale = kind("morale", "Army Morale Points after each unit that is dispersed",
            Some(Fields::points), &[&[Fields::dispersals, Fields::joint]])
            .ends(const { &names([Holds, AtZero]) })
            .examples(&["6", "6 --dispersals 3", "4 --dispersals 2 --joint"]),
        Check = kind("check", "an Army Morale Check", Some(CheckFields::dice),
            &[&[Fields::staff_order, Fields::joint]]).ends(const { &names([Passed, Failed]) })
            .examples(&["3", "3 --staff-order", "5 --set rally-tn=5"]),
        Move = kind("move", "inches of a move", Some(Fields::mover),
            &[&[MoveFields::dice, Fields::joint]])
            .ends(const { &names([Arrived, Ready, Suppressed]) }).counted(CLASSES, OWN)
            .examples(&["panzer-iv", "panzer-iv --dice 2", "panzer-iv/goal=12 --dice 3"]),
        Sequence = kind("sequence", "units of two sides: volleys, orders, Command Dice, turns",
            None, &[&[Fields::own, Fields::enemy, Fields::own_morale, Fields::enemy_morale,
            Fields::own_command_dice, Fields::enemy_command_dice, Fields::own_rally_dice,
            Fields::enemy_rally_dice, Fields::wild, Fields::enemy_wild, Fields::inches,
            Fields::effects, ARMY_BY_DEFAULT, Fields::joint]])
            .ends(SEQUENCE_ENDS).counted(CLASSES, GROUPS),
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
