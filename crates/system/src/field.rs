//! Fields of questions, each declared once: a line makes what is held, its entry in the list, the
//! reading of it and its setter.
//!
//! Command line, files, help, errors and the builder are made from these lines; nothing else says
//! what a question can be asked.

use serde_json::Map;

use super::form::Value;
use super::node::Node;
use engine::text::{Fault, canonical};

/// A field of a question.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its word in files; with `--` in front that of the command line.
    pub name: &'static str,
    /// The flag that says the opposite, and that the command line shows in its place: `no-hob` of
    /// `hob`.
    pub negation: Option<&'static str>,
    pub takes: Takes,
    /// As a file would have it; none where nothing is given.
    pub default: Option<&'static str>,
    /// What it says, in one line; of a field with a negation, what that says.
    pub about: &'static str,
    /// The rules it bears on: `A19.1`.
    pub rule: Option<&'static str>,
    /// Whether a study can sweep it: not what changes the columns of the answer.
    pub sweeps: bool,
}

/// What is given for a field.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Nothing: it holds, or does not.
    Flag,
    /// A whole number from the first to the second.
    Number(i64, i64),
    /// One of these words, by that name.
    Word(&'static str, fn() -> Vec<&'static str>),
    /// A text, by that name.
    Text(&'static str),
    /// Whole numbers, by that name: one, a text with commas between them, or a list.
    Numbers(&'static str),
    /// One of those, or a list of them. This and all that follow stand in files only.
    List(&'static Takes),
    /// A table of these fields.
    Table(fn() -> &'static [Field]),
    /// A table with such keys, which have such values; and with these fields.
    Keyed(&'static Takes, &'static Takes, fn() -> &'static [Field]),
}

impl Takes {
    /// What stands for it in help.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Takes::Flag => "",
            Takes::Number(..) => "N",
            Takes::Word(name, _) | Takes::Text(name) | Takes::Numbers(name) => name,
            Takes::List(each) => each.placeholder(),
            Takes::Table(_) | Takes::Keyed(..) => "TABLE",
        }
    }

    /// What must be given for it.
    pub fn in_words(self) -> String {
        match self {
            Takes::Flag => "true or false".to_string(),
            Takes::Number(low, high) => format!("a whole number from {low} to {high}"),
            Takes::Word(..) | Takes::Text(_) => "a text".to_string(),
            Takes::Numbers(_) => "whole numbers".to_string(),
            Takes::List(each) => each.in_words(),
            Takes::Table(_) | Takes::Keyed(..) => "a table".to_string(),
        }
    }

    /// The words it can be; none where it is no word.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Takes::Word(_, words) => words(),
            Takes::Flag | Takes::Number(..) | Takes::Text(_) | Takes::Numbers(_) => Vec::new(),
            Takes::List(_) | Takes::Table(_) | Takes::Keyed(..) => Vec::new(),
        }
    }

    /// What was typed or written for it as a text, as its value; a text that is no such value stays
    /// one, to be complained of.
    pub fn value(self, text: &str) -> Value<'_> {
        match self {
            Takes::Flag => text.parse().map_or(Value::Text(text), Value::Boolean),
            Takes::Number(..) | Takes::Numbers(_) => {
                text.trim().parse().map_or(Value::Text(text), Value::Integer)
            }
            _ => Value::Text(text),
        }
    }
}

impl Field {
    /// Whether a canonical word names it.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.negation == Some(name)
    }

    /// The same with another default, and other words for it.
    pub const fn by_default(self, default: &'static str, about: &'static str) -> Field {
        Field { default: Some(default), about, ..self }
    }

    /// The same with other words for it.
    pub const fn meaning(self, about: &'static str) -> Field {
        Field { about, ..self }
    }
}

/// Something that can be given for a field.
pub trait Given: Clone + Sized {
    const TAKES: Takes;
    /// Whether what is no such value is blamed as a whole in a file, quotes and all, and not in
    /// part.
    const WHOLE: bool = false;

    /// The value given for the field of that name. The fault of a text has its span.
    fn read(field: &str, value: Value) -> Result<Self, Fault>;

    /// The same in the one way in which it is written of all that mean it; null where nothing is
    /// given.
    fn told(&self) -> Json;

    /// The same from a file, where a fault has its place.
    fn read_node(field: &str, node: &Node) -> Result<Self, Fault> {
        match node.value() {
            Some(value) => Self::read(field, value).map_err(|fault| match Self::WHOLE {
                true => Fault { span: node.place.span.clone(), ..fault },
                false => node.place.blamed(fault),
            }),
            None => Err(node.place.fault(format!(
                "`{field}` must be {}, not {}",
                Self::TAKES.in_words(),
                node.kind()
            ))),
        }
    }
}

impl Given for bool {
    const TAKES: Takes = Takes::Flag;
    const WHOLE: bool = true;

    fn read(field: &str, value: Value) -> Result<bool, Fault> {
        value.boolean(field)
    }

    fn told(&self) -> Json {
        Json::from(*self)
    }
}

impl Given for String {
    const TAKES: Takes = Takes::Text("TEXT");

    fn read(field: &str, value: Value) -> Result<String, Fault> {
        value.text(field).map(str::to_string)
    }

    fn told(&self) -> Json {
        if self.contains('\n') { self.as_str().into() } else { single_spaced(self).into() }
    }
}

/// The word for a field that is not given, where lists have one beside its values.
pub const NONE: &str = "none";

impl<G: Given> Given for Option<G> {
    const TAKES: Takes = G::TAKES;

    fn read(field: &str, value: Value) -> Result<Option<G>, Fault> {
        match G::read(field, value) {
            Err(_) if matches!(value, Value::Text(text) if canonical(text) == NONE) => Ok(None),
            given => given.map(Some),
        }
    }

    fn read_node(field: &str, node: &Node) -> Result<Option<G>, Fault> {
        G::read_node(field, node).map(Some)
    }

    fn told(&self) -> Json {
        self.as_ref().map_or(Json::Null, G::told)
    }
}

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole<const LOW: i64, const HIGH: i64>(i64);

impl<const LOW: i64, const HIGH: i64> Whole<LOW, HIGH> {
    /// The number as a type that holds all of them; any other does not compile.
    pub const fn u8(self) -> u8 {
        const { assert!(LOW >= 0 && HIGH <= u8::MAX as i64) };
        self.0 as u8
    }

    pub const fn number(self) -> i64 {
        self.0
    }

    /// See [`Whole::u8`].
    pub const fn u16(self) -> u16 {
        const { assert!(LOW >= 0 && HIGH <= u16::MAX as i64) };
        self.0 as u16
    }

    /// See [`Whole::u8`].
    pub const fn i8(self) -> i8 {
        const { assert!(LOW >= i8::MIN as i64 && HIGH <= i8::MAX as i64) };
        self.0 as i8
    }
}

impl<const LOW: i64, const HIGH: i64> Given for Whole<LOW, HIGH> {
    const TAKES: Takes = Takes::Number(LOW, HIGH);
    const WHOLE: bool = true;

    fn read(field: &str, value: Value) -> Result<Self, Fault> {
        value.integer(field, LOW, HIGH).map(Whole)
    }

    fn told(&self) -> Json {
        self.0.into()
    }
}

/// A line with single spaces between its words.
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Makes a type something that can be given: one of a few words. The second text begins the
/// complaint of another word, and may be empty.
///
/// `words_of!(OwnRph, "WHICH", "" { "odd" = OwnRph::Odd, "even" = OwnRph::Even, });`
#[macro_export]
macro_rules! words_of {
    ($kind:ty, $placeholder:literal, $what:literal { $($word:literal = $value:path,)+ }) => {
        impl $crate::field::Given for $kind {
            const TAKES: $crate::field::Takes = $crate::field::Takes::Word($placeholder, || vec![$($word),+]);
            const WHOLE: bool = true;

            fn read(field: &str, value: $crate::form::Value) -> Result<$kind, $crate::engine::text::Fault> {
                $crate::field::word(field, value, $what, [$(($word, $value)),+])
            }

            fn told(&self) -> $crate::field::Json {
                self.word().into()
            }
        }

        impl $kind {
            /// The word for it.
            pub const fn word(&self) -> &'static str {
                match self { $($value => $word,)+ }
            }
        }
    };
}

/// One of some words, each with what it means; `what` begins the complaint: `no order is called`,
/// or nothing, for `... cannot be`.
pub fn word<T>(
    field: &str,
    value: Value,
    what: &str,
    words: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<T, Fault> {
    let text = value.text(field)?;
    let name = canonical(text);
    let mut known = Vec::new();
    for (word, meaning) in words {
        if word == name {
            return Ok(meaning);
        }
        known.push(word);
    }
    let message = if what.is_empty() {
        format!("`{field}` cannot be `{text}`")
    } else {
        format!("{what} `{text}`")
    };
    Err(Fault::new(message, 0..text.len()).expecting(text, known))
}

/// Fields that are held together.
pub trait Fields: Clone + Default + std::fmt::Debug + Send + Sync + 'static {
    /// All of them, in order.
    const ALL: &'static [Field];

    /// Fills in the one of that name, or of that negation. The fault of a text has its span.
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault>;

    /// The same from a file, where a fault of the value has its place.
    fn set_node(&mut self, name: &str, node: &Node) -> Result<(), Fault>;

    /// What is given for the one of that name; see [`Given::told`].
    fn told_of(&self, name: &str) -> Json;

    /// All that are not at their default.
    fn all_told(&self) -> Map<String, Json> {
        let default = Self::default();
        let told = Self::ALL.iter().map(|field| (field.name, self.told_of(field.name)));
        told.filter(|(name, told)| *told != default.told_of(name))
            .map(|(name, told)| (name.to_string(), told))
            .collect()
    }

    /// Whether one of them is called so.
    fn knows(name: &str) -> bool {
        Self::ALL.iter().any(|field| field.is_called(name))
    }
}

/// The names of some fields.
pub fn names<F: Fields>() -> Vec<&'static str> {
    F::ALL.iter().map(|field| field.name).collect()
}

/// A struct of fields: `"elr" elr: Whole<0, 6> = "3", "ELR of the side" ["A19.1"];` for each. The
/// type is [`Given`]; without a default the field begins as its type does; a negation stands after
/// a slash; `once` is for what no study can sweep. Each field is an associated constant too, to be
/// named in lists and faults: `Setting::elr`.
///
/// The second name is that of a trait with a method for each field, for whatever takes values;
/// fields of steps need none. With `table` in place of `struct` it is a table of a file, and no
/// study can sweep its fields but those that are `swept`.
#[macro_export]
macro_rules! fields {
    ($(#[$about:meta])* $visible:vis struct $fields:ident, $setters:ident {
        $($name:literal $(/ $negation:literal)? $field:ident: $kind:ty $(= $default:literal)?, $words:expr $(, [$rule:literal])? $(, $sweeps:ident)?;)+
    }) => {
        $crate::fields! {
            $(#[$about])* $visible struct $fields {
                $($name $(/ $negation)? $field: $kind $(= $default)?, $words $(, [$rule])? $(, $sweeps)?;)+
            }
        }

        /// A method for each field.
        $visible trait $setters: $crate::field::Builder {
            $(#[doc = $words]
            fn $field<'a>(self, value: impl Into<$crate::form::Value<'a>>) -> Self {
                self.put($fields::$field.name, value.into())
            })*
        }

        impl<B: $crate::field::Builder> $setters for B {}
    };
    ($(#[$about:meta])* $visible:vis struct $fields:ident { $($lines:tt)+ }) => {
        $crate::fields! { @make question $(#[$about])* $visible struct $fields { $($lines)+ } }
    };
    ($(#[$about:meta])* $visible:vis table $fields:ident { $($lines:tt)+ }) => {
        $crate::fields! { @make table $(#[$about])* $visible struct $fields { $($lines)+ } }
    };
    (@make $of:ident $(#[$about:meta])* $visible:vis struct $fields:ident {
        $($name:literal $(/ $negation:literal)? $field:ident: $kind:ty $(= $default:literal)?, $words:expr $(, [$rule:literal])? $(, $sweeps:ident)?;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        $visible struct $fields { $(#[doc = concat!("`", $name, "`")] pub $field: $kind,)* }

        #[allow(non_upper_case_globals)] // Named as the fields they declare.
        impl $fields {
            $(#[doc = concat!("Declaration of `", $name, "`.")]
            pub const $field: $crate::field::Field = $crate::field::Field {
                name: $name,
                negation: $crate::fields!(@some $($negation)?),
                takes: <$kind as $crate::field::Given>::TAKES,
                default: $crate::fields!(@some $($default)?),
                about: $words,
                rule: $crate::fields!(@some $($rule)?),
                sweeps: $crate::fields!(@sweeps $of $($sweeps)?),
            };)*
        }

        impl $crate::field::Fields for $fields {
            const ALL: &'static [$crate::field::Field] = &[$($fields::$field,)*];

            fn set(&mut self, name: &str, value: $crate::form::Value) -> Result<(), $crate::engine::text::Fault> {
                match name {
                    $($name => self.$field = $crate::field::Given::read(name, value)?,
                    $($negation => self.$field = !<$kind as $crate::field::Given>::read(name, value)?,)?)*
                    _ => return Err($crate::field::unknown(name)),
                }
                Ok(())
            }

            fn set_node(&mut self, name: &str, node: &$crate::node::Node) -> Result<(), $crate::engine::text::Fault> {
                match name {
                    $($name => self.$field = $crate::field::Given::read_node(name, node)?,
                    $($negation => self.$field = !<$kind as $crate::field::Given>::read_node(name, node)?,)?)*
                    _ => return Err($crate::field::unknown(name)),
                }
                Ok(())
            }

            fn told_of(&self, name: &str) -> $crate::field::Json {
                match name {
                    $($name => $crate::field::Given::told(&self.$field),)*
                    _ => $crate::field::Json::Null,
                }
            }
        }

        /// Every field at its default.
        impl Default for $fields {
            fn default() -> $fields {
                $fields { $($field: $crate::fields!(@begin $kind, $name $(, $default)?),)* }
            }
        }
    };
    (@some) => { None };
    (@some $literal:literal) => { Some($literal) };
    (@sweeps question) => { true };
    (@sweeps question once) => { false };
    (@sweeps table) => { false };
    (@sweeps table swept) => { true };
    (@begin $kind:ty, $name:literal) => { Default::default() };
    (@begin $kind:ty, $name:literal, $default:literal) => { $crate::field::at_default::<$kind>($name, $default) };
}

pub use super::filled::Filled;
pub use crate::{fields, fields_by, words_of};
pub use serde_json::Value as Json;

/// Something that takes values for fields by their names.
pub trait Builder: Sized {
    fn put(self, field: &str, value: Value) -> Self;
}

/// A default as its line has it.
pub fn at_default<G: Given>(field: &str, text: &str) -> G {
    G::read(field, G::TAKES.value(text))
        .unwrap_or_else(|fault| unreachable!("the default of `{field}`: {fault}"))
}

/// The fault of a name that is no field.
pub fn unknown(name: &str) -> Fault {
    Fault::new(format!("no field is called `{name}`"), 0..0)
}
