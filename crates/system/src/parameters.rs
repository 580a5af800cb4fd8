//! Parameters of a game, each written once: a line makes the field of its rules, its entry in the
//! list, and the reading of it.

use super::draft::{Other, Rules};
use super::form::{Value, setting};
use super::kind::Parameter;
use engine::text::{Fault, canonical};

/// A kind of value that a parameter has.
pub trait Knob: Sized {
    /// What it can be: `a whole number from 0 to 20`, or words with ` or ` between them.
    const VALUES: &'static str;

    /// The value given for the parameter of that name. The fault of a text has its span.
    fn read(name: &str, value: Value) -> Result<Self, Fault>;
    /// The value as a file would have it.
    fn written(&self) -> String;
}

impl Knob for bool {
    const VALUES: &'static str = "true or false";

    fn read(name: &str, value: Value) -> Result<bool, Fault> {
        match value {
            Value::Text(text) if canonical(text) == "true" => Ok(true),
            Value::Text(text) if canonical(text) == "false" => Ok(false),
            other => other.boolean(name),
        }
    }

    fn written(&self) -> String {
        self.to_string()
    }
}

/// A whole number, which may be written as a text.
pub fn whole_number(name: &str, value: Value, low: i8, high: i8) -> Result<i8, Fault> {
    let number = match value {
        Value::Text(text) => text.trim().parse().map_or(value, Value::Integer),
        other => other,
    };
    let number = number.integer(name, low.into(), high.into());
    number.map(|number| number as i8).map_err(|fault| Fault { span: value.span(), ..fault })
}

/// One of several words.
pub fn one_of<W: Copy>(name: &str, value: Value, words: &[(&'static str, W)]) -> Result<W, Fault> {
    let text = match value {
        // Among the words may be `true` and `false`.
        Value::Boolean(true) if has(words, "true") => "true",
        Value::Boolean(false) if has(words, "false") => "false",
        _ => value.text(name)?,
    };
    let word = canonical(text);
    let named = words.iter().find(|(known, _)| *known == word).ok_or_else(|| {
        let fault = Fault::new(format!("`{name}` has no value `{text}`"), 0..text.len());
        fault.expecting(text, words.iter().map(|(known, _)| *known))
    })?;
    Ok(named.1)
}

fn has<W>(words: &[(&'static str, W)], word: &str) -> bool {
    words.iter().any(|(known, _)| *known == word)
}

/// A kind of whole numbers: `Hexes = 0 to 60`.
#[macro_export]
macro_rules! numbers {
    ($(#[$about:meta])* $name:ident = $low:literal to $high:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub i8);

        impl $name {
            /// The same of a number that is never below 0.
            #[inline]
            pub const fn count(self) -> u8 {
                self.0 as u8
            }
        }

        impl $crate::parameters::Knob for $name {
            const VALUES: &'static str = concat!("a whole number from ", $low, " to ", $high);

            fn read(name: &str, value: $crate::form::Value) -> Result<$name, $crate::engine::text::Fault> {
                $crate::parameters::whole_number(name, value, $low, $high).map($name)
            }

            fn written(&self) -> String {
                self.0.to_string()
            }
        }
    };
}

/// A rule that is one of several words.
#[macro_export]
macro_rules! words {
    ($(#[$about:meta])* $name:ident {
        $(#[$of_first:meta])* $first:ident = $first_word:literal,
        $($(#[$of:meta])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $(#[$of_first])* $first, $($(#[$of])* $variant,)+ }

        impl $crate::parameters::Knob for $name {
            const VALUES: &'static str = concat!($first_word $(, " or ", $word)+);

            fn read(name: &str, value: $crate::form::Value) -> Result<$name, $crate::engine::text::Fault> {
                let words = [($first_word, $name::$first), $(($word, $name::$variant),)+];
                $crate::parameters::one_of(name, value, &words)
            }

            fn written(&self) -> String {
                match self { $name::$first => $first_word, $($name::$variant => $word,)+ }.to_string()
            }
        }
    };
}

/// The rules of a game as its parameters:
/// `"flee-hexes" flee_hexes: Hexes = "2", Found, "hexes infantry flees";` for each. The type is a
/// [`Knob`], the default is read from its text, the word after it is the [`Source`](super::Source).
/// The text after the name is an example of a setting.
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
            pub const $field: $crate::Parameter = $crate::Parameter {
                name: $name,
                default: $default,
                values: <$kind as $crate::parameters::Knob>::VALUES,
                source: $crate::Source::$source,
                about: $words,
            };)+

            /// Every parameter.
            pub const PARAMETERS: &'static [$crate::Parameter] = &[$(Self::$field,)+];
        }

        impl $rules {
            /// The value of a parameter, as a file would have it.
            pub fn written(&self, name: &str) -> String {
                match name {
                    $($name => $crate::parameters::Knob::written(&self.$field),)+
                    _ => String::new(),
                }
            }

            /// `rally-tn = 4`, where the parameter of that name is at its default.
            pub fn told_at_default(&self, name: &str) -> Option<String> {
                let parameter = Self::PARAMETERS.iter().find(|parameter| parameter.name == name)?;
                (self.written(name) == parameter.default).then(|| format!("{name} = {}", parameter.default))
            }

            /// Parameters that are not at their default, with their values.
            pub fn settings(&self) -> Vec<(&'static str, String)> {
                let values = Self::PARAMETERS.iter().map(|parameter| (parameter.name, parameter.default, self.written(parameter.name)));
                values.filter(|(_, default, value)| value != default).map(|(name, _, value)| (name, value)).collect()
            }
        }

        impl $crate::draft::Rules for $rules {
            const EXAMPLE: &'static str = $example;

            fn names() -> Vec<&'static str> {
                vec![$($name),+]
            }

            fn told(&self) -> Vec<(&'static str, String)> {
                self.settings()
            }

            fn find(name: &str) -> Option<&'static str> {
                let name = $crate::engine::text::canonical(name);
                [$($name),+].into_iter().find(|known| *known == name)
            }

            fn set(&mut self, name: &'static str, value: $crate::form::Value) -> Result<(), $crate::engine::text::Fault> {
                match name {
                    $($name => self.$field = $crate::parameters::Knob::read(name, value)?,)+
                    _ => return Err(Self::unknown(name)),
                }
                Ok(())
            }

            fn unknown(name: &str) -> $crate::engine::text::Fault {
                let fault = $crate::engine::text::Fault::new(format!("no parameter is called `{name}`"), 0..name.len());
                fault.expecting(name, [$($name),+])
            }

            fn others(&self, which: Option<&str>) -> Result<Vec<$crate::draft::Other>, $crate::engine::text::Fault> {
                $crate::parameters::others(self, Self::PARAMETERS, Self::written, which)
            }
        }

        /// Every parameter at its default.
        impl Default for $rules {
            fn default() -> $rules {
                $rules { $($field: $crate::parameters::at_default($name, $default),)+ }
            }
        }
    };
}

pub use crate::{numbers, parameters, words};

/// The values next to the present ones of parameters, of all or of the one named: other words, a
/// number one less and one more.
///
/// `written` is the present value of a parameter.
pub fn others<R: Rules>(
    rules: &R,
    parameters: &'static [Parameter],
    written: impl Fn(&R, &str) -> String,
    which: Option<&str>,
) -> Result<Vec<Other>, Fault> {
    let asked: Vec<&Parameter> = match which {
        None => parameters.iter().collect(),
        Some(name) => vec![Parameter::named(name, parameters)?],
    };
    let mut others = Vec::new();
    for parameter in asked {
        let now = written(rules, parameter.name);
        let can_be = |value: &String| rules.clone().set(parameter.name, setting(value)).is_ok();
        let values: Vec<String> = match now.parse::<i64>() {
            Ok(number) => [number - 1, number + 1].map(|number| number.to_string()).to_vec(),
            Err(_) => parameter
                .values
                .split(" or ")
                .filter(|value| *value != now)
                .map(str::to_string)
                .collect(),
        };
        others.extend(values.into_iter().filter(can_be).map(|value| Other {
            id: parameter.name,
            name: format!("{}={value}", parameter.name),
            about: format!(
                "{} ({})\nfrom  {now}\nto    {value}\n",
                parameter.about, parameter.name
            ),
            value,
        }));
    }
    match which {
        Some(name) if others.is_empty() => {
            let fault = Fault::new(
                format!("`{name}` has neither other words nor a number next to it"),
                0..name.len(),
            );
            Err(fault.help("sweep its values in a study"))
        }
        _ => Ok(others),
    }
}

/// A default as its line has it.
pub fn at_default<K: Knob>(name: &str, text: &str) -> K {
    K::read(name, Value::Text(text))
        .unwrap_or_else(|fault| unreachable!("the default of `{name}`: {fault}"))
}
