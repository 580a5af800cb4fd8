//! Declarations of the fields of questions: one line declares a field's stored value, its entry in
//! the list of fields, its parser and its setter. The command line, files, help, errors and the
//! builder derive from these lines.

use serde_json::Map;
pub use serde_json::Value as Json;

use super::form::{FieldFault, RawValue, named};
use super::node::Node;
pub use crate::{fields, words_of};
use engine::text::{Fault, canonical};

/// A field of a question.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in files. The command line puts `--` before it.
    pub name: &'static str,
    /// Name of the opposite flag, which the command line shows instead: `no-hob` for `hob`.
    pub negation: Option<&'static str>,
    pub takes: Takes,
    /// Default, as a file would write it; `None` if the field is empty by default.
    pub default: Option<&'static str>,
    /// Description in one line. For a field with a negation, it describes the negation.
    pub about: &'static str,
    /// The rules that concern the field: `A19.1`.
    pub rule: Option<&'static str>,
    /// True if a number has narrower bounds here than the type of the field has.
    pub is_narrow: bool,
    /// True if a study can try several values of the field; not if it changes the answer's columns.
    pub sweeps: bool,
}

/// Type of the values of a field.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// No value: the flag is set or not.
    Flag,
    /// A whole number between the two bounds, both included.
    Number(i64, i64),
    /// One of the words that the function returns. The text is the placeholder shown in help.
    Word(&'static str, fn() -> Vec<&'static str>),
    /// A text, with its placeholder.
    Text(&'static str),
    /// Whole numbers, with their placeholder: one number, a text with commas, or a list.
    Numbers(&'static str),
    /// A text with ` | ` between parts; or a list of tables, each with `stack` and further keys.
    Parts(&'static str),
    /// A text with `; ` between lines; or a list of texts. The command line repeats the option.
    Lines(&'static str),
    /// A text in a notation of its own; or a list of tables or lists, which is handed on as JSON.
    /// The command line joins repeated options with `; `.
    Tables(&'static str),
    /// One value, or a list of them. `List` and all later variants occur in files only.
    List(&'static Takes),
    /// A table with these fields.
    Table(fn() -> &'static [Field]),
    /// A table with keys of the first type, values of the second, and these fields.
    Keyed(&'static Takes, &'static Takes, fn() -> &'static [Field]),
}

impl Takes {
    /// Returns the placeholder used in help; empty for a flag.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Takes::Flag => "",
            Takes::Number(..) => "N",
            Takes::Word(name, _)
            | Takes::Text(name)
            | Takes::Numbers(name)
            | Takes::Parts(name)
            | Takes::Lines(name)
            | Takes::Tables(name) => name,
            Takes::List(each) => each.placeholder(),
            Takes::Table(_) | Takes::Keyed(..) => "TABLE",
        }
    }

    /// Returns a description of the required value: `a whole number from 1 to 6`.
    pub fn in_words(self) -> String {
        match self {
            Takes::Flag => "true or false".to_string(),
            Takes::Number(low, high) => format!("a whole number from {low} to {high}"),
            Takes::Word(..) | Takes::Text(_) => "a text".to_string(),
            Takes::Parts(_) => "a text or a list of tables".to_string(),
            Takes::Lines(_) => "a text or a list of texts".to_string(),
            Takes::Tables(_) => "a text or a list".to_string(),
            Takes::Numbers(_) => "whole numbers".to_string(),
            Takes::List(each) => each.in_words(),
            Takes::Table(_) | Takes::Keyed(..) => "a table".to_string(),
        }
    }

    /// Returns the valid words, or nothing if the type is not [`Takes::Word`].
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Takes::Word(_, words) => words(),
            _ => Vec::new(),
        }
    }

    /// Parses a text as a value. One that does not parse stays a text, to be refused later.
    pub fn value(self, text: &str) -> RawValue<'_> {
        match self {
            Takes::Flag => text.parse().map_or(RawValue::Text(text), RawValue::Boolean),
            Takes::Number(..) | Takes::Numbers(_) => {
                let number = text.trim().replace(['\u{2012}', '\u{2013}', '\u{2212}'], "-");
                number.parse().map_or(RawValue::Text(text), RawValue::Integer)
            }
            _ => RawValue::Text(text),
        }
    }
}

impl Field {
    /// Returns true if `name`, in canonical spelling, is the name of the field or of its negation.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.negation == Some(name)
    }

    /// Sets the default and the description.
    pub const fn by_default(self, default: &'static str, about: &'static str) -> Field {
        Field { default: Some(default), about, ..self }
    }

    /// Sets narrower bounds of a number, both included, than the type of the field has.
    pub const fn within(self, low: i64, high: i64) -> Field {
        Field { takes: Takes::Number(low, high), is_narrow: true, ..self }
    }

    /// Sets the field in `fields`, as [`FieldSet::set`] does, within the bounds declared here.
    pub fn set_in(
        &self,
        fields: &mut impl FieldSet,
        name: &str,
        value: RawValue,
    ) -> Result<(), Fault> {
        let is_none = matches!(value, RawValue::Text(text) if canonical(text) == NONE);
        if let Takes::Number(low, high) = self.takes
            && self.is_narrow
            && !(is_none && self.default.is_none())
        {
            value.integer(name, low, high)?;
        }
        fields.set(name, value)
    }

    /// Returns a fault of the field, without a span.
    pub fn fault(&self, message: impl Into<String>) -> FieldFault {
        FieldFault::new(self.name, message)
    }

    /// Fails with a fault of the field if `holds` is true.
    pub fn refuse_if(&self, holds: bool, message: &str) -> Result<(), FieldFault> {
        if holds { Err(self.fault(message)) } else { Ok(()) }
    }

    /// Sets the description.
    pub const fn meaning(self, about: &'static str) -> Field {
        Field { about, ..self }
    }
}

/// A type that can be the value of a field.
pub trait FieldValue: Clone + Sized {
    /// Declared type of the values.
    const TAKES: Takes;
    /// True if faults in a file cover the whole value with its quotes, and not a part.
    const WHOLE: bool = false;

    /// Reads the value given for the field called `field`.
    ///
    /// # Errors
    ///
    /// Fails if the value does not fit; the fault of a text has its span.
    fn read(field: &str, value: RawValue) -> Result<Self, Fault>;

    /// Returns the form that all spellings share, or null if nothing is given.
    fn to_json(&self) -> Json;

    /// Returns the value that the negation of a flag stands for.
    fn negated(self) -> Self {
        self
    }

    /// Sets the part at a path, if the value consists of tables.
    ///
    /// # Errors
    ///
    /// Fails if there is no such part, or it does not accept the value.
    fn set_part(&mut self, field: &str, path: &str, _: RawValue) -> Result<(), Fault> {
        Err(Fault::new(format!("`{field}` has no part `{path}`"), 0..0))
    }

    /// Reads the value of the field called `field` from a file.
    ///
    /// # Errors
    ///
    /// Fails if the value does not fit; the fault has its position in the file.
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

impl FieldValue for bool {
    const TAKES: Takes = Takes::Flag;
    const WHOLE: bool = true;

    fn read(field: &str, value: RawValue) -> Result<bool, Fault> {
        value.boolean(field)
    }

    fn to_json(&self) -> Json {
        Json::from(*self)
    }

    fn negated(self) -> bool {
        !self
    }
}

impl FieldValue for String {
    const TAKES: Takes = Takes::Text("TEXT");

    fn read(field: &str, value: RawValue) -> Result<String, Fault> {
        value.text(field).map(str::to_string)
    }

    fn to_json(&self) -> Json {
        if self.contains('\n') { self.as_str().into() } else { single_spaced(self).into() }
    }
}

/// The word for an empty field, used in lists of values.
pub const NONE: &str = "none";

impl<G: FieldValue> FieldValue for Option<G> {
    const TAKES: Takes = G::TAKES;

    fn read(field: &str, value: RawValue) -> Result<Option<G>, Fault> {
        match G::read(field, value) {
            Err(_) if matches!(value, RawValue::Text(text) if canonical(text) == NONE) => Ok(None),
            value => value.map(Some),
        }
    }

    fn read_node(field: &str, node: &Node) -> Result<Option<G>, Fault> {
        G::read_node(field, node).map(Some)
    }

    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, G::to_json)
    }
}

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole<const LOW: i64, const HIGH: i64>(i64);

macro_rules! conversions {
    ($($kind:ident),+) => {$(
        /// Returns the number in this type. Compiles only if the type holds all numbers.
        pub const fn $kind(self) -> $kind {
            const { assert!(LOW >= $kind::MIN as i64 && HIGH <= $kind::MAX as i64) };
            self.0 as $kind
        }
    )+};
}

impl<const LOW: i64, const HIGH: i64> Whole<LOW, HIGH> {
    conversions!(u8, u16, i8);

    /// Returns the number.
    pub const fn number(self) -> i64 {
        self.0
    }
}

impl<const LOW: i64, const HIGH: i64> FieldValue for Whole<LOW, HIGH> {
    const TAKES: Takes = Takes::Number(LOW, HIGH);
    const WHOLE: bool = true;

    fn read(field: &str, value: RawValue) -> Result<Self, Fault> {
        value.integer(field, LOW, HIGH).map(Whole)
    }

    fn to_json(&self) -> Json {
        self.0.into()
    }
}

/// Returns the text with single spaces between its words.
///
/// # Examples
///
/// ```
/// use lowcrawl_schema::field::single_spaced;
///
/// assert_eq!(single_spaced(" 6,3  4,1\n2 "), "6,3 4,1 2");
/// ```
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Implements [`FieldValue`] for an enum declared by [`named!`](crate::named). The first text is
/// the placeholder. The second begins the error message for an unknown word, or is empty:
/// `words_of!(Facing, "SIDE", "no side is called");`
///
/// With `whole = false` faults in a file cover the word without its quotes.
#[macro_export]
macro_rules! words_of {
    ($kind:ty, $placeholder:literal, $what:literal) => {
        $crate::words_of!($kind, $placeholder, $what, whole = true);
    };
    ($kind:ty, $placeholder:literal, $what:literal, whole = $whole:literal) => {
        impl $crate::field::FieldValue for $kind {
            const TAKES: $crate::field::Takes = $crate::field::Takes::Word($placeholder, || {
                <$kind>::ALL.map(<$kind>::name).to_vec()
            });
            const WHOLE: bool = $whole;

            fn read(
                field: &str,
                value: $crate::form::RawValue,
            ) -> Result<$kind, $crate::engine::text::Fault> {
                let words = <$kind>::ALL.map(|value| (value.name(), value));
                $crate::field::word(field, value, $what, words)
            }

            fn to_json(&self) -> $crate::field::Json {
                self.name().into()
            }
        }
    };
}

/// Returns the value that a word stands for, for [`words_of!`](crate::words_of!).
#[doc(hidden)]
pub fn word<T>(
    field: &str,
    value: RawValue,
    what: &str,
    words: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<T, Fault> {
    let cannot_be = || format!("`{field}` cannot be");
    let unknown = if what.is_empty() { cannot_be() } else { what.to_string() };
    named(value.text(field)?, words, &unknown)
}

/// The stored value of a field of any type, as a [`FieldSet`] changes and reads it.
pub trait StoredValue {
    fn set(&mut self, field: &str, value: RawValue, negated: bool) -> Result<(), Fault>;
    fn set_node(&mut self, field: &str, node: &Node, negated: bool) -> Result<(), Fault>;
    fn json(&self) -> Json;
    /// Sets the part at a path; see [`FieldValue::set_part`].
    fn set_part(&mut self, field: &str, path: &str, value: RawValue) -> Result<(), Fault>;
}

impl<V: FieldValue> StoredValue for V {
    fn set_part(&mut self, field: &str, path: &str, value: RawValue) -> Result<(), Fault> {
        FieldValue::set_part(self, field, path, value)
    }

    fn set(&mut self, field: &str, value: RawValue, negated: bool) -> Result<(), Fault> {
        *self = V::read(field, value).map(|read| if negated { read.negated() } else { read })?;
        Ok(())
    }

    fn set_node(&mut self, field: &str, node: &Node, negated: bool) -> Result<(), Fault> {
        *self =
            V::read_node(field, node).map(|read| if negated { read.negated() } else { read })?;
        Ok(())
    }

    fn json(&self) -> Json {
        self.to_json()
    }
}

/// Fields that are set and read by their names.
pub trait FieldSet: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Returns the value of the field whose name or negation is `name`.
    fn stored(&self, name: &str) -> Option<&dyn StoredValue>;
    /// Returns that value to be changed, and true if `name` is the negation.
    fn stored_mut(&mut self, name: &str) -> Option<(&mut dyn StoredValue, bool)>;

    /// Sets the field whose name or negation is `name`.
    ///
    /// # Errors
    ///
    /// Fails if no field has that name, or the value does not fit; the fault of a text has its
    /// span.
    fn set(&mut self, name: &str, value: RawValue) -> Result<(), Fault> {
        let (stored, negated) = self.stored_mut(name).ok_or_else(|| unknown(name))?;
        stored.set(name, value, negated)
    }

    /// Returns true if a field or its negation is called `name`.
    fn has(&self, name: &str) -> bool {
        self.stored(name).is_some()
    }

    /// Returns the canonical value of the field called `name`; see [`FieldValue::to_json`].
    fn value_json(&self, name: &str) -> Json {
        self.stored(name).map_or(Json::Null, StoredValue::json)
    }
}

/// Two structs of fields without a common name.
impl<A: Fields, B: Fields> FieldSet for (A, B) {
    fn stored(&self, name: &str) -> Option<&dyn StoredValue> {
        self.0.stored(name).or_else(|| self.1.stored(name))
    }

    fn stored_mut(&mut self, name: &str) -> Option<(&mut dyn StoredValue, bool)> {
        self.0.stored_mut(name).or_else(|| self.1.stored_mut(name))
    }
}

/// A struct of declared fields.
pub trait Fields: FieldSet + Default {
    /// All fields, in order.
    const ALL: &'static [Field];

    /// Sets the field whose name or negation is `name`, from a file.
    ///
    /// # Errors
    ///
    /// Fails if no field has that name, or the value does not fit. A fault of the value has its
    /// position in the file.
    fn set_node(&mut self, name: &str, node: &Node) -> Result<(), Fault> {
        let (stored, negated) = self.stored_mut(name).ok_or_else(|| unknown(name))?;
        stored.set_node(name, node, negated)
    }

    /// Returns the canonical values of all fields that differ from their defaults.
    fn values_json(&self) -> Map<String, Json> {
        let default = Self::default();
        let values = Self::ALL.iter().map(|field| (field.name, self.value_json(field.name)));
        values
            .filter(|(name, value)| *value != default.value_json(name))
            .map(|(name, value)| (name.to_string(), value))
            .collect()
    }

    /// Returns true if a field or its negation is called `name`.
    fn knows(name: &str) -> bool {
        Self::ALL.iter().any(|field| field.is_called(name))
    }
}

/// Returns the names of all fields.
pub fn names<F: Fields>() -> Vec<&'static str> {
    F::ALL.iter().map(|field| field.name).collect()
}

/// Declares a struct of fields, one line for each: `"elr" elr: Whole<0, 6> = "3", "ELR of the side"
/// ["A19.1"];`. Each type implements [`FieldValue`]. A field without a default starts at the
/// default of its type. A negation follows the name after a slash. `once` excludes the field from
/// the sweeps of a study. Each field is an associated constant too, for lists and faults:
/// `Setting::elr`.
///
/// The second name is that of a trait with a setter for each field, implemented for every
/// [`Builder`](crate::Builder). Fields of steps need no such trait. With `table` instead of
/// `struct`, the macro declares a table of a file. Studies sweep only those of its fields that are
/// marked `swept`.
#[macro_export]
macro_rules! fields {
    ($(#[$about:meta])* $visible:vis struct $fields:ident, $setters:ident {
        $($name:literal $(/ $negation:literal)? $field:ident: $kind:ty $(= $default:literal)?,
            $words:expr $(, [$rule:literal])? $(, $sweeps:ident)?;)+
    }) => {
        $crate::fields! {
            $(#[$about])* $visible struct $fields {
                $($name $(/ $negation)? $field: $kind $(= $default)?,
                    $words $(, [$rule])? $(, $sweeps)?;)+
            }
        }

        /// A setter for each field.
        $visible trait $setters: $crate::field::Builder {
            $(#[doc = $words]
            fn $field<'a>(self, value: impl Into<$crate::form::RawValue<'a>>) -> Self {
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
        $($name:literal $(/ $negation:literal)? $field:ident: $kind:ty $(= $default:literal)?,
            $words:expr $(, [$rule:literal])? $(, $sweeps:ident)?;)+
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
                takes: <$kind as $crate::field::FieldValue>::TAKES,
                default: $crate::fields!(@some $($default)?),
                about: $words,
                rule: $crate::fields!(@some $($rule)?),
                is_narrow: false,
                sweeps: $crate::fields!(@sweeps $of $($sweeps)?),
            };)*
        }

        impl $crate::field::FieldSet for $fields {
            fn stored(&self, name: &str) -> Option<&dyn $crate::field::StoredValue> {
                match name {
                    $($name $(| $negation)? => Some(&self.$field),)*
                    _ => None,
                }
            }

            fn stored_mut(&mut self, name: &str)
                -> Option<(&mut dyn $crate::field::StoredValue, bool)> {
                match name {
                    $($name => Some((&mut self.$field, false)),
                    $($negation => Some((&mut self.$field, true)),)?)*
                    _ => None,
                }
            }
        }

        impl $crate::field::Fields for $fields {
            const ALL: &'static [$crate::field::Field] = &[$($fields::$field,)*];
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
    (@begin $kind:ty, $name:literal,
        $default:literal) => {
        <$kind as $crate::field::FieldValue>::read($name,
            <$kind as $crate::field::FieldValue>::TAKES.value($default))
            .unwrap_or_else(|fault| unreachable!("the default of `{}`: {fault}", $name))
    };
}

/// A type that takes values for fields by their names.
pub trait Builder: Sized {
    /// Sets the field called `field`.
    fn put(self, field: &str, value: RawValue) -> Self;
}

fn unknown(name: &str) -> Fault {
    Fault::new(format!("no field is called `{name}`"), 0..0)
}

/// The fields of a step in a form without steps. There are none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFields;

impl FieldSet for NoFields {
    fn stored(&self, _: &str) -> Option<&dyn StoredValue> {
        None
    }

    fn stored_mut(&mut self, _: &str) -> Option<(&mut dyn StoredValue, bool)> {
        None
    }
}

impl Fields for NoFields {
    const ALL: &'static [Field] = &[];
}
