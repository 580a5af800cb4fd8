//! Fields that depend on the kind of question, or on the action of a step.

use super::field::{FieldSet, Fields};

/// The fields of a kind of question, or of an action of a step. Either one struct of fields serves
/// all kinds, or each kind has its own groups of fields ([`fields_by!`](crate::fields_by)).
pub trait Filled<Of>: FieldSet {
    /// Returns the fields of a kind or action, all at their defaults.
    fn with_defaults(of: Of) -> Self;
}

impl<Of, F: Fields> Filled<Of> for F {
    fn with_defaults(_: Of) -> F {
        F::default()
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
        }

        impl $crate::field::FieldSet for $groups {
            fn set(&mut self, name: &str, value: $crate::form::RawValue) -> Result<(),
                $crate::engine::text::Fault> {
                match self {
                    $($groups::$kind { $($group),* } => {
                        $(if <$fields as $crate::field::Fields>::knows(name) {
                            return $crate::field::FieldSet::set($group, name, value);
                        })*
                    })+
                }
                Err($crate::field::unknown(name))
            }

            fn has(&self, name: &str) -> bool {
                match self { $($groups::$kind { .. } => [$(<$fields as $crate::field::Fields>::knows(name)),*].contains(&true),)+ }
            }

            fn value_json(&self, name: &str) -> $crate::field::Json {
                match self {
                    $($groups::$kind { $($group),* } => {
                        $(if <$fields as $crate::field::Fields>::knows(name) {
                            return $crate::field::FieldSet::value_json($group, name);
                        })*
                    })+
                }
                $crate::field::Json::Null
            }
        }
    };
}

pub use crate::fields_by;
