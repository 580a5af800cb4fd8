//! Fields that depend on the kind of question, or on the action of a step.

use super::field::{Fields, Json};
use super::form::RawValue;
use engine::text::Fault;

/// The fields of a kind of question, or of an action of a step. Either one struct of fields serves
/// all kinds, or each kind has its own groups of fields ([`fields_by!`](crate::fields_by)).
pub trait Filled<Of>: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Returns the fields of a kind or action, all at their defaults.
    fn with_defaults(of: Of) -> Self;

    /// Sets the field whose name or negation is `name`.
    ///
    /// # Errors
    ///
    /// Fails if no field has that name, or the value does not fit; the fault of a text has its
    /// span.
    fn set(&mut self, name: &str, value: RawValue) -> Result<(), Fault>;

    /// Returns true if a field or its negation is called `name`.
    fn knows(&self, name: &str) -> bool;

    /// Returns the canonical value of the field called `name`; see
    /// [`FieldValue::to_json`](super::field::FieldValue::to_json).
    fn value_json(&self, name: &str) -> Json;
}

impl<Of, F: Fields> Filled<Of> for F {
    fn with_defaults(_: Of) -> F {
        F::default()
    }

    fn set(&mut self, name: &str, value: RawValue) -> Result<(), Fault> {
        Fields::set(self, name, value)
    }

    fn knows(&self, name: &str) -> bool {
        F::knows(name)
    }

    fn value_json(&self, name: &str) -> Json {
        self.value_json(name)
    }
}

/// Declares groups of fields by kind of question, or by action of a step, one line for each:
/// `Volley { fields: VolleyFields, shot: Shot },`. A name can have different meanings in different
/// kinds. A kind has only the fields of its own line.
#[macro_export]
macro_rules! fields_by {
    ($(#[$about:meta])* $visible:vis enum $groups:ident: $of:ident { $($kind:ident { $($group:ident: $fields:ty),* },)+ }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        $visible enum $groups { $($kind { $($group: $fields),* },)+ }

        impl $crate::filled::Filled<$of> for $groups {
            fn with_defaults(of: $of) -> $groups {
                match of { $($of::$kind => $groups::$kind { $($group: <$fields>::default()),* },)+ }
            }

            fn set(&mut self, name: &str, value: $crate::form::RawValue) -> Result<(),
                $crate::engine::text::Fault> {
                match self {
                    $($groups::$kind { $($group),* } => {
                        $(if <$fields as $crate::field::Fields>::knows(name) {
                            return $crate::field::Fields::set($group, name, value);
                        })*
                    })+
                }
                Err($crate::field::unknown(name))
            }

            fn knows(&self, name: &str) -> bool {
                match self { $($groups::$kind { .. } => [$(<$fields as $crate::field::Fields>::knows(name)),*].contains(&true),)+ }
            }

            fn value_json(&self, name: &str) -> $crate::field::Json {
                match self {
                    $($groups::$kind { $($group),* } => {
                        $(if <$fields as $crate::field::Fields>::knows(name) {
                            return $crate::field::Fields::value_json($group, name);
                        })*
                    })+
                }
                $crate::field::Json::Null
            }
        }
    };
}

pub use crate::fields_by;
