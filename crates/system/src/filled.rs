//! Fields that differ by kind of question, or by what a step does.

use super::field::{Fields, Json};
use super::form::Value;
use engine::text::Fault;

/// What is filled in, as it begins for a kind of question, or for what a step does: the same struct
/// of fields for all of them, or groups of fields for each ([`fields_by!`](crate::fields_by)).
pub trait Filled<Of>: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Every field at its default.
    fn of(of: Of) -> Self;

    /// Fills in the one of that name, or of that negation. The fault of a text has its span.
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault>;

    /// Whether one of its fields is called so.
    fn knows(&self, name: &str) -> bool;

    /// What is given for the one of that name; see [`Given::told`](super::field::Given::told).
    fn tell(&self, name: &str) -> Json;
}

impl<Of, F: Fields> Filled<Of> for F {
    fn of(_: Of) -> F {
        F::default()
    }

    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        Fields::set(self, name, value)
    }

    fn knows(&self, name: &str) -> bool {
        F::knows(name)
    }

    fn tell(&self, name: &str) -> Json {
        self.told_of(name)
    }
}

/// Groups of fields by kind of question, or by what a step does:
/// `Volley { fields: VolleyFields, shot: Shot },` for each. A name can mean something else in
/// another kind, and what a kind is not asked is not there to be read.
#[macro_export]
macro_rules! fields_by {
    ($(#[$about:meta])* $visible:vis enum $groups:ident: $of:ident { $($kind:ident { $($group:ident: $fields:ty),* },)+ }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        $visible enum $groups { $($kind { $($group: $fields),* },)+ }

        impl $crate::filled::Filled<$of> for $groups {
            fn of(of: $of) -> $groups {
                match of { $($of::$kind => $groups::$kind { $($group: <$fields>::default()),* },)+ }
            }

            fn set(&mut self, name: &str, value: $crate::form::Value) -> Result<(), $crate::engine::text::Fault> {
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

            fn tell(&self, name: &str) -> $crate::field::Json {
                match self {
                    $($groups::$kind { $($group),* } => {
                        $(if <$fields as $crate::field::Fields>::knows(name) {
                            return $crate::field::Fields::told_of($group, name);
                        })*
                    })+
                }
                $crate::field::Json::Null
            }
        }
    };
}
