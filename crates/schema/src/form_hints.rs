//! Hints for forms that people fill in by hand: labels, initial values, common values, and roles.
//! They change no question: a form without them asks the same.

use super::Field;
use super::common_fields::GIVEN;
use crate::declared::named;

named! {
    /// The role of a field in a form.
    pub enum FieldRole {
        /// Units of the question, in the notation of stacks.
        Stack = "stack",
        /// A single unit outside the stack.
        Leader = "leader",
        /// Named firers with their weapons.
        Firers = "firers",
        /// Dice that were already rolled.
        Dice = "dice",
        /// A setting that stays the same during a game.
        Setting = "setting",
        /// The number of periods after each of which the answer has odds.
        Periods = "periods",
        /// A circumstance of an attack by named firers.
        Circumstance = "circumstance",
    }
}

/// A hint on a field of a game.
#[derive(Clone, Copy, Debug)]
pub struct FieldHint {
    /// Name of the field.
    pub field: &'static str,
    /// Label in a form; for a field with a negation, the label of the negation.
    pub label: &'static str,
    /// Value that a form puts in first, as a file writes it, where the field is empty by default.
    pub initial: Option<&'static str>,
    /// Common values, as a file writes them, for buttons.
    pub common: &'static [&'static str],
    pub role: Option<FieldRole>,
    /// Names of the fields that this field replaces once it is set.
    pub replaces: &'static [&'static str],
}

impl FieldHint {
    /// Creates a hint with a label alone.
    pub const fn new(field: &'static str, label: &'static str) -> FieldHint {
        FieldHint { field, label, initial: None, common: &[], role: None, replaces: &[] }
    }

    /// Sets the initial value.
    pub const fn initial(self, value: &'static str) -> FieldHint {
        FieldHint { initial: Some(value), ..self }
    }

    /// Sets the common values.
    pub const fn common(self, common: &'static [&'static str]) -> FieldHint {
        FieldHint { common, ..self }
    }

    /// Sets the role.
    pub const fn role(self, role: FieldRole) -> FieldHint {
        FieldHint { role: Some(role), ..self }
    }

    /// Sets the fields that this field replaces.
    pub const fn replaces(self, replaces: &'static [&'static str]) -> FieldHint {
        FieldHint { replaces, ..self }
    }
}

/// A hint on a kind of question: how a list of questions names and draws it.
#[derive(Clone, Copy, Debug)]
pub struct KindHint {
    /// Name of the kind.
    pub kind: &'static str,
    pub label: &'static str,
    /// The question in a few words.
    pub brief: &'static str,
    /// The path of a drawing in SVG, 24 units wide and high, drawn with a line.
    pub icon: &'static str,
}

/// The hints of a game. Kinds and fields without a hint have their names.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormHints {
    /// The kinds that players ask most come first.
    pub kinds: &'static [KindHint],
    pub fields: &'static [FieldHint],
    /// Names of the units that a list of units shows first.
    pub units: &'static [&'static str],
}

impl FormHints {
    /// Returns the hint on a field.
    pub fn field(&self, name: &str) -> Option<&'static FieldHint> {
        self.fields.iter().find(|hint| hint.field == name)
    }

    /// Returns the hint on a kind, with its 0-based place in the list.
    pub fn kind(&self, name: &str) -> Option<(usize, &'static KindHint)> {
        self.kinds.iter().enumerate().find(|(_, hint)| hint.kind == name)
    }

    /// Returns the role of a field: that of its hint, or else that of its type.
    pub fn role(&self, field: &Field) -> Option<FieldRole> {
        let of_type = match field.takes.placeholder() {
            _ if field.name == GIVEN => Some(FieldRole::Dice),
            "STACK" | "UNITS" => Some(FieldRole::Stack),
            "LEADER" | "UNIT" => Some(FieldRole::Leader),
            "FIRERS" => Some(FieldRole::Firers),
            _ => None,
        };
        self.field(field.name).and_then(|hint| hint.role).or(of_type)
    }
}
