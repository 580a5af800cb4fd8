//! Enums whose values are declared words, such as kinds of questions and actions of steps.

use super::field::Field;
pub use crate::{declared_words, named};

/// An enum, each of whose values has a declaration.
pub trait Word: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    /// Type of the declarations.
    type Declaration: 'static;
    /// All values of the enum, in order.
    const ALL: &'static [Self];
    /// The declarations of all values, in the same order.
    const DECLARED: &'static [&'static Self::Declaration];

    /// Returns the declaration of the value.
    fn declared(self) -> &'static Self::Declaration;
}

/// Declares an enum, each of whose values has a declaration: `Fire = Kind::new("fire", ...),`.
#[macro_export]
macro_rules! declared_words {
    ($(#[$about:meta])* $visible:vis enum $words:ident: $declaration:ty { $($(#[$of:meta])* $word:ident = $declared:expr,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible enum $words { $($(#[$of])* $word,)+ }

        impl $crate::declared::Word for $words {
            type Declaration = $declaration;
            const ALL: &'static [$words] = &[$($words::$word),+];
            const DECLARED: &'static [&'static $declaration] = &[$(const { &$declared }),+];

            fn declared(self) -> &'static $declaration {
                Self::DECLARED[self as usize]
            }
        }
    };
}

/// Declares enums of names, in order: `pub enum Facing { Front = "front", Rear = "rear" }`.
#[macro_export]
macro_rules! named {
    ($($(#[$about:meta])* $visible:vis enum $named:ident {
        $($(#[$of:meta])* $value:ident = $name:expr),+ $(,)?
    })+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $visible enum $named { $($(#[$of])* $value,)+ }

        impl $named {
            /// All values, in order.
            pub const ALL: [$named; [$($name),+].len()] = [$($named::$value),+];
            /// The names of all values, in order.
            pub const NAMES: [&'static str; $named::ALL.len()] = [$($name),+];

            /// Returns the name of the value.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }
    )+};
}

/// Declaration of an action that a step can have.
#[derive(Clone, Copy, Debug)]
pub struct StepKind {
    /// The word for the action in a sequence file.
    pub name: &'static str,
    pub fields: &'static [&'static [Field]],
}

impl StepKind {
    /// Creates a declaration from its name and its groups of fields.
    pub const fn new(name: &'static str, fields: &'static [&'static [Field]]) -> StepKind {
        StepKind { name, fields }
    }

    /// Returns all fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().copied().flatten()
    }
}

/// The actions of a form without steps. The type has no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStep {}

impl Word for NoStep {
    type Declaration = StepKind;
    const ALL: &'static [NoStep] = &[];
    const DECLARED: &'static [&'static StepKind] = &[];

    fn declared(self) -> &'static StepKind {
        match self {}
    }
}
