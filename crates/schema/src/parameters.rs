//! Parameters of a game: one line declares a rule's field, its entry in the list, and its parser.

use super::form::{RawValue, named};
use engine::text::{Fault, canonical};

/// A type of parameter values.
pub trait ParameterValue: Sized {
    /// Valid values: `a whole number from 0 to 20`, or words joined by ` or `.
    const VALUES: &'static str;

    /// Reads the value given for the parameter called `name`.
    ///
    /// # Errors
    ///
    /// Fails if the value does not fit; the fault of a text has its span.
    fn read(name: &str, value: RawValue) -> Result<Self, Fault>;
    /// Returns the value as a file would write it.
    fn written(&self) -> String;
}

impl ParameterValue for bool {
    const VALUES: &'static str = "true or false";

    fn read(name: &str, value: RawValue) -> Result<bool, Fault> {
        match value {
            RawValue::Text(text) if canonical(text) == "true" => Ok(true),
            RawValue::Text(text) if canonical(text) == "false" => Ok(false),
            other => other.boolean(name),
        }
    }

    fn written(&self) -> String {
        self.to_string()
    }
}

/// Reads a whole number, which may be written as a text, for [`numbers!`](crate::numbers!).
#[doc(hidden)]
pub fn whole_number(name: &str, value: RawValue, low: i8, high: i8) -> Result<i8, Fault> {
    let number = match value {
        RawValue::Text(text) => text.trim().parse().map_or(value, RawValue::Integer),
        other => other,
    };
    let number = number.integer(name, low.into(), high.into());
    number.map(|number| number as i8).map_err(|fault| Fault { span: value.span(), ..fault })
}

/// Returns the value that one of several words stands for, for [`words!`](crate::words!).
#[doc(hidden)]
pub fn one_of<W: Copy>(
    name: &str,
    value: RawValue,
    words: &[(&'static str, W)],
) -> Result<W, Fault> {
    let words = || words.iter().copied();
    if let RawValue::Boolean(flag) = value
        && let Some((_, meaning)) = words().find(|(word, _)| *word == flag.to_string())
    {
        return Ok(meaning);
    }
    named(value.text(name)?, words(), &format!("`{name}` has no value"))
}

/// Declares types of whole numbers, one on each line: `Hexes = 0 to 60;`.
#[macro_export]
macro_rules! numbers {
    ($($(#[$about:meta])* $name:ident = $low:literal to $high:literal);+ $(;)?) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub i8);

        impl $name {
            /// Returns the number as `u8`, for types without negative numbers.
            #[inline]
            pub const fn count(self) -> u8 {
                self.0 as u8
            }
        }

        impl $crate::parameters::ParameterValue for $name {
            const VALUES: &'static str = concat!("a whole number from ", $low, " to ", $high);

            fn read(name: &str, value: $crate::form::RawValue) -> Result<$name,
                $crate::engine::text::Fault> {
                $crate::parameters::whole_number(name, value, $low, $high).map($name)
            }

            fn written(&self) -> String {
                self.0.to_string()
            }
        }
    )+};
}

/// Declares types of rules whose values are words: `CombinedOrder { FlankFirst = "flank-first" }`.
#[macro_export]
macro_rules! words {
    ($($(#[$about:meta])* $name:ident {
        $(#[$of_first:meta])* $first:ident = $first_word:literal
        $(, $(#[$of:meta])* $variant:ident = $word:literal)+ $(,)?
    })+) => {$(
        $crate::named! {
            $(#[$about])*
            pub enum $name { $(#[$of_first])* $first = $first_word
                $(, $(#[$of])* $variant = $word)+ }
        }

        impl $crate::parameters::ParameterValue for $name {
            const VALUES: &'static str = concat!($first_word $(, " or ", $word)+);

            fn read(name: &str, value: $crate::form::RawValue) -> Result<$name,
                $crate::engine::text::Fault> {
                $crate::parameters::one_of(name, value, &$name::ALL.map(|word| (word.name(), word)))
            }

            fn written(&self) -> String {
                self.name().to_string()
            }
        }
    )+};
}

/// Declares the rules of a game as its parameters, one line for each: `"flee-hexes" flee_hexes:
/// Hexes = "2", Found, "hexes infantry flees";`. The type of each implements [`ParameterValue`].
/// The default is parsed from its text, and precedes the [`Source`](super::kind::Source). The text
/// after the name of the struct is an example of a setting.
#[macro_export]
macro_rules! parameters {
    ($(#[$about:meta])* $rules:ident, $example:literal {
        $($name:literal $field:ident: $kind:ty = $default:literal, $source:ident, $words:literal;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $rules { $(#[doc = $words] pub $field: $kind,)+ }

        #[allow(non_upper_case_globals)] // Named as the fields they are kept in.
        impl $rules {
            $(#[doc = concat!("Declaration of `", $name, "`.")]
            pub const $field: $crate::kind::Parameter = $crate::kind::Parameter {
                name: $name,
                default: $default,
                values: <$kind as $crate::parameters::ParameterValue>::VALUES,
                source: $crate::kind::Source::$source,
                about: $words,
            };)+
        }

        impl $crate::rules::Rules for $rules {
            const EXAMPLE: &'static str = $example;
            const PARAMETERS: &'static [$crate::kind::Parameter] = &[$(Self::$field,)+];

            fn written(&self, name: &str) -> String {
                match name {
                    $($name => $crate::parameters::ParameterValue::written(&self.$field),)+
                    _ => String::new(),
                }
            }

            fn set(&mut self, name: &'static str, value: $crate::form::RawValue) -> Result<(),
                $crate::engine::text::Fault> {
                match name {
                    $($name => self.$field = $crate::parameters::ParameterValue::read(name,
                        value)?,)+
                    _ => return Err(<Self as $crate::rules::Rules>::unknown(name)),
                }
                Ok(())
            }
        }

        /// Every parameter at its default.
        impl Default for $rules {
            fn default() -> $rules {
                $rules { $($field: <$kind as $crate::parameters::ParameterValue>::read($name,
                    $crate::form::RawValue::Text($default))
                    .unwrap_or_else(|fault| unreachable!("the default of `{}`: {fault}", $name)),)+
                }
            }
        }
    };
}

pub use crate::{numbers, parameters, words};
