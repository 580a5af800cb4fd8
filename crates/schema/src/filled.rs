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
            fn stored(&self, name: &str) -> Option<&dyn $crate::field::StoredValue> {
                match self { $($groups::$kind { $($group),* } =>
                    None$(.or_else(|| $crate::field::FieldSet::stored($group, name)))*,)+ }
            }

            fn stored_mut(&mut self, name: &str)
                -> Option<(&mut dyn $crate::field::StoredValue, bool)> {
                match self { $($groups::$kind { $($group),* } =>
                    None$(.or_else(|| $crate::field::FieldSet::stored_mut($group, name)))*,)+ }
            }
        }
    };
}

pub use crate::fields_by;
