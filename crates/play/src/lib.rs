//! Play of a question: policies, the best play, comparisons, and odds after dice already rolled.
//!
//! A filled-in form ([`question_form::Draft`]) yields a question behind the trait object
//! [`dyn_question::DynQuestion`]. The command line, studies, comparisons and the solver use only that
//! trait. The dynamic call happens once a question, never once a roll: engines are compiled for each
//! process. [`registry::Registry`] lists the games, and [`files`] reads questions from files.

pub mod best_play;
pub mod canonical;
pub mod compare;
pub mod dice_prefix;
pub mod dyn_question;
pub mod evaluator;
pub mod files;
pub mod form;
pub mod measure;
pub mod objective;
pub mod playable;
pub mod policy;
pub mod question_form;
pub mod registry;
pub mod shared_graph;
pub mod variations;

// Re-exported because the expansions of this crate's macros refer to it.
#[doc(hidden)]
pub use schema;

pub use best_play::{Best, Branch, Decision, Fork, PlayValue, Reward, Valued};
pub use compare::{
    CompareError, Compared, ComparedCourse, Difference, SamplingError, Weighed, created_count,
};
pub use dice_prefix::{Conditioned, DicePrefix};
pub use dyn_question::{Depth, DynQuestion, PreparedQuestion, Solved};
pub use engine::trace::TraceDice;
pub use files::courses::Courses;
pub use files::partial_question::PartialQuestion;
pub use files::tables::{
    BreakEvenTable, CampaignFileTable, CaseTable, CasesTable, ChartTable, ComparisonTable,
    CourseTable, EngineRequest, Plans, RoutStudyTable, RunTable, SequenceTable, StudyTable,
    TableLayout,
};
pub use files::values::{Located, Owned};
pub use form::{Form, RuleReading};
pub use measure::{MeasureExpr, Measurement};
pub use objective::{FOR, Goal, Objective, Weights};
pub use playable::{Playable, Policy};
pub use policy::{PlayedProcess, PolicyChoice, PolicyQuestion, uncounted};
pub use question_form::{Draft, QuestionBuilder, QuestionForm, StepDraft};
pub use registry::{Game, Registry};
pub use shared_graph::SharedGraph;
