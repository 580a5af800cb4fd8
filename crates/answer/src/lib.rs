//! Answers to a question: its table of odds, counts of its units, and the provenance of both.
//!
//! A question ([`answerable::Answerable`]) declares its process and words. [`odds::answer`] has the
//! exact odds within a bound, else Monte Carlo estimates. The crate knows no game.

pub mod answerable;
pub mod countable;
pub mod counting;
pub mod counts;
pub mod estimate;
pub mod factored;
pub mod json;
pub mod mean;
pub mod meta;
pub mod odds;
pub mod options;
pub mod provenance;
pub mod question_info;
pub mod sampling;
pub mod sheet;
pub mod table;

pub use answerable::{Answerable, OutcomeOf, StateOf};
pub use countable::{Countable, CountedUnit, UnitInClass};
pub use counting::{ClassCounts, CountedReport, CountedState, Counting, OutcomeCounter, Tallied};
pub use counts::{UnitCounts, Wait};
pub use estimate::{Estimate, OutcomeEstimate};
pub use factored::{FactoredAnswer, FactoredRequest, Factors};
pub use mean::Mean;
pub use meta::Meta;
pub use options::{Engine, Options, Trials};
pub use provenance::{MetaValue, Provenance, SharedSetting};
pub use question_info::{
    Curve, CurveGoal, CurvePart, FirstRoll, InitialUnit, QuestionDetails, QuestionFacts,
    QuestionInfo, QuestionTexts, Reckoned, Success, Variation,
};
pub use sheet::{Block, Cell, Column, Sheet, SheetSource};
pub use table::ReportPoint::{End, Phase, Step};
pub use table::{Expected, ReportPoint, Row, Shape, Table};
