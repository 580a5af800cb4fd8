//! What can be asked: fields, kinds of questions and rule settings, each declared once by a game,
//! and TOML and JSON as values with source positions.
//!
//! The crate knows no game, opens no file, and answers nothing. A game declares its fields with
//! [`field::fields`], its kinds as [`kind::Kind`]s, and tables of files alike ([`file_tables`]).

pub mod classes;
pub mod common_fields;
pub mod declared;
pub mod field;
pub mod file_tables;
pub mod form;
pub mod form_hints;
pub mod from_json;
pub mod from_toml;
pub mod kind;
pub mod nested;
pub mod node;
pub mod parameters;
pub mod roster;
pub mod rules;
mod size;
pub mod value_list;

// Re-exported because the expansions of this crate's macros refer to it.
#[doc(hidden)]
pub use engine;

pub use classes::{ChartClass, Group, StatusClass, UnitEnd};
pub use declared::{NoStep, StepKind, Word};
pub use field::{Builder, Field, FieldSet, FieldValue, Fields, Json, NoFields, Takes, Whole};
pub use file_tables::{FileTable, Keyed};
pub use form::{FieldFault, RawValue, Settable};
pub use form_hints::{FieldHint, FieldRole, FormHints, KindHint};
pub use from_toml::QuestionTable;
pub use kind::{
    Alias, ChoiceMaker, Kind, Measure, Parameter, ReckonedNumber, Source, StatusInCharts,
    StockUnit, VariationOption, side_named,
};
pub use nested::Nested;
pub use node::{Entry, Node, Raw, SourcePosition, Spanned};
pub use parameters::ParameterValue;
pub use roster::{Grammar, Item, UnitFact};
pub use rules::{Other, Rules};
