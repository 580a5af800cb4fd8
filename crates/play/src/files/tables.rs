//! Declarations of the tables in question files, apart from the fields of the questions.

use answer::options::{DEFAULT_SEED, DEFAULT_TRIALS, MAX_TRIALS};
use answer::{Engine, Trials};
use engine::text::{Fault, whole_number};
use schema::declared::named;
use schema::field::{fields, words_of};
use schema::{FieldValue, Json, Node, QuestionTable, Raw, RawValue, Spanned, Takes, Whole};

/// The engine, trials and seed that a file asks for.
pub type EngineRequest = (Engine, Trials, u64);

/// The smallest half-width that a run may ask for: about `MAX_TRIALS` sequences.
pub const MIN_PRECISION: f64 = 0.000_005;

fields! {
    /// The table `[chart]`.
    pub table ChartTable {
        "kind" kind: Option<Spanned<String>>,
            "kind of chart, as for `--chart-kind`; default: the one that fits best";
    }
}

/// Declares a table of a file that names its game and its kind of question.
macro_rules! of_question {
    ($(#[$about:meta])* $table:ident { $($lines:tt)* }) => {
        fields! {
            $(#[$about])*
            pub table $table {
                "system" system: Option<Spanned<String>>, "the game; default: asl";
                "question" question: Option<Spanned<String>>, "the kind of question";
                $($lines)*
            }
        }
    };
}

/// Declares a table of a study, with the keys that lay out the table of its results.
macro_rules! of_study {
    ($(#[$about:meta])* $table:ident { $($lines:tt)* }) => {
        of_question! {
            $(#[$about])*
            $table {
                "about" about: Option<String>, "description";
                "tell" tell: Option<Spanned<String>>,
                    "the number shown for each cell (combination of values); default: the chance \
                        of success";
                "rows" rows: Vec<Spanned<String>>,
                    "swept fields shown as rows; default: all other fields";
                "columns" columns: Option<Spanned<String>>, "a swept field shown as columns";
                "average" average: Vec<Spanned<String>>,
                    "swept fields to average over; each value of any remaining field gets its own \
                    table";
                "chart" chart: Option<Spanned<ChartTable>>, "draw the table as a chart too";
                $($lines)*
            }
        }

        impl $table {
            /// Returns the layout of the table that the study asks for.
            pub fn wanted(&self) -> TableLayout<'_> {
                let $table { tell, rows, columns, average, chart, .. } = self;
                TableLayout { tells: tell.is_some(), rows, columns: columns.as_ref(), average,
                    chart: chart.as_ref() }
            }
        }
    };
}

/// The layout of the table that a study asks for, with names of fields that the study varies.
#[derive(Clone, Copy, Debug)]
pub struct TableLayout<'a> {
    /// True if the study names the number to tabulate (`tell`).
    pub tells: bool,
    /// The fields whose values label the rows.
    pub rows: &'a [Spanned<String>],
    /// The field whose values label the columns; `None` if there are no such columns.
    pub columns: Option<&'a Spanned<String>>,
    pub average: &'a [Spanned<String>],
    pub chart: Option<&'a Spanned<ChartTable>>,
}

/// Declares a table of a file with an objective, by another macro.
#[macro_export]
macro_rules! with_goal {
    ($of:ident! { $(#[$about:meta])* $($name:ident)+ { $($lines:tt)* } }) => {
        $of! {
            $(#[$about])*
            $($name)+ {
                "objective" objective: Option<$crate::Weights>,
                    "objective: a measure, or weights of measures";
                "most" most: Option<$crate::Weights>,
                    "in place of `objective`: that of which more is better";
                "fewest" fewest: Option<$crate::Weights>,
                    "in place of `objective`: that of which less is better";
                "for" side: Option<$crate::schema::Spanned<String>>,
                    "the side for which something is better: owner or enemy; where there is fire, \
                        target or firer (default: owner)";
                $($lines)*
            }
        }
    };
    (@impl $table:ident) => {
        impl $table {
            /// Returns the keys with what is good, and the side for which it is good.
            pub fn goal(&self) -> $crate::Goal<'_> {
                $crate::Goal {
                    objective: self.objective.as_ref(),
                    most: self.most.as_ref(),
                    fewest: self.fewest.as_ref(),
                    side: self.side.as_ref(),
                }
            }
        }
    };
}

of_question! {
    /// The keys that every file with a game and a kind of question has.
    HeadTable {}
}

of_study! {
    /// A study file.
    StudyTable {
        "counts" counts: Option<Spanned<String>>, "a group of units to count, in a second table";
        "for" side: Option<Spanned<String>>,
            "the side whose best cell is named below the table: owner or enemy; where there is \
                fire, target or firer";
        "base" base: QuestionTable, "fields that all cells share";
        "step" steps: Option<Node>, "the steps, in order";
        "grid" grid: QuestionTable, "swept fields: a list of values, or a range";
        "run" run: RunTable, "engine, trials and seed";
    }
}

with_goal! { of_study! {
    /// A campaign file, or a study of campaigns.
    CampaignFileTable {
        "base" base: QuestionTable, "fields that all cells share";
        "grid" grid: QuestionTable, "swept fields: a list of values, or a range";
        "course" courses: Option<Node>, "courses, used by `compare` only";
        "run" run: BreakEvenTable, "result to compute";
    }
} }
with_goal!(@impl CampaignFileTable);

with_goal! { of_question! {
    /// The file of a comparison of courses.
    ComparisonTable {
        "about" about: Option<String>, "description";
        "base" base: QuestionTable, "fields that all courses share";
        "step" steps: Option<Node>, "the steps, in order";
        "course" courses: Option<Node>, "the courses";
        "vary" vary: Option<Spanned<String>>,
            "in place of courses: variations of the base, such as `worth` or `best` of a platoon";
        "run" run: RunTable, "engine, trials and seed";
    }
} }
with_goal!(@impl ComparisonTable);

of_study! {
    /// The file of a study of situations on a map.
    RoutStudyTable {
        "base" base: RoutBaseTable, "fields that all cells share";
        "grid" grid: QuestionTable,
            "swept fields: those of units, those of the Rout Phase, and interpretations";
        "run" run: RunTable, "engine, trials and seed";
    }
}

of_question! {
    /// One case of a study that lists its cases, beside the fields of its question.
    CaseTable {
        "name" name: Option<Spanned<String>>, "name";
        "step" steps: Option<Node>, "the steps, in order";
    }
}

fields! {
    /// A study file that lists its cases.
    pub table CasesTable {
        "about" about: Option<String>, "description";
        "case" cases: Option<Node>, "the cases";
        "run" run: RunTable, "engine, trials and seed";
    }
}

fields! {
    /// A file of one question, such as a sequence. The fields of its question stand in the same
    /// table.
    pub table SequenceTable {
        "question" question: Option<Spanned<String>>, "the kind of question";
        "about" about: Option<String>, "description";
        "step" steps: Option<Node>, "the steps, in order";
    }
}

fields! {
    /// A course of action. Its own fields stand in the same table.
    pub table CourseTable {
        "name" name: Option<Spanned<String>>, "name";
        "step" steps: Option<Node>, "its own steps";
    }
}

fields! {
    /// The table `[run]`: how a study is computed.
    pub table RunTable {
        "engine" engine: Engine = "auto", "auto, exact or monte-carlo";
        "trials" trials: Option<Spanned<Sequences>>, "number of random sequences";
        "precision" precision: Option<Spanned<Precision>>,
            "largest half-width of a 95 % interval, instead of a number of trials";
        "seed" seed: Option<Whole<0, { i64::MAX }>>, "seed of the dice";
    }
}

fields! {
    /// The table `[run]` of a campaign.
    pub table BreakEvenTable {
        "break-even" break_even: Option<Spanned<String>>,
            "swept field; the answer shows at which of its values the best choice changes";
    }
}

fields! {
    /// The table `[base]` of a study of situations.
    pub table RoutBaseTable {
        "situation" situation: Option<Spanned<String>>, "the situation file";
        "plans" plans: Plans = "best", "which plans of each unit get rows: best or all";
    }
}

impl RunTable {
    /// Returns the engine, trials and seed, with defaults for those that are not given.
    ///
    /// # Errors
    ///
    /// Fails if both `trials` and `precision` are given.
    pub fn engine_request(&self) -> Result<EngineRequest, Fault> {
        let trials = match (&self.trials, &self.precision) {
            (Some(trials), Some(_)) => return Err(trials.place.either("trials", "precision")),
            (Some(Spanned { value: Sequences(trials), .. }), None) => {
                Trials::Number(trials.number() as u64)
            }
            (None, Some(Spanned { value: Precision(half_width), .. })) => {
                Trials::HalfWidth(*half_width)
            }
            (None, None) => Trials::Number(DEFAULT_TRIALS),
        };
        Ok((self.engine, trials, self.seed.map_or(DEFAULT_SEED, |seed| seed.number() as u64)))
    }
}

/// A number of sequences, also in short notations for large numbers: `1e6`, `"1M"`.
#[derive(Clone, Copy, Debug)]
pub struct Sequences(Whole<1, { MAX_TRIALS as i64 }>);

impl FieldValue for Sequences {
    const TAKES: Takes = Whole::<1, { MAX_TRIALS as i64 }>::TAKES;
    const WHOLE: bool = true;

    fn read(field: &str, value: RawValue) -> Result<Sequences, Fault> {
        let written = match value {
            RawValue::Text(text) => whole_number(text).and_then(|number| number.try_into().ok()),
            _ => None,
        };
        Whole::read(field, written.map_or(value, RawValue::Integer)).map(Sequences)
    }

    fn read_node(field: &str, node: &Node) -> Result<Sequences, Fault> {
        match node.raw {
            // TOML and JSON parse `1e6` as a decimal number.
            Raw::Decimal(number) if number.fract() == 0.0 && number.abs() < 1e18 => {
                let number = RawValue::Integer(number as i64);
                Sequences::read(field, number).map_err(|fault| node.place.fault(fault.message))
            }
            _ => Whole::read_node(field, node).map(Sequences).or_else(|fault| match &node.raw {
                Raw::Text(text) => Sequences::read(field, RawValue::Text(text)).map_err(|_| fault),
                _ => Err(fault),
            }),
        }
    }

    fn to_json(&self) -> Json {
        self.0.to_json()
    }
}

/// A half-width of an interval, as a fraction (0 to 1).
#[derive(Clone, Copy, Debug)]
pub struct Precision(f64);

impl FieldValue for Precision {
    const TAKES: Takes = Takes::Text("HALF-WIDTH");

    fn read(field: &str, value: RawValue) -> Result<Precision, Fault> {
        let message = format!(
            "`{field}` must be a half-width from {MIN_PRECISION} to below 0.5, such as 0.001"
        );
        Err(Fault::new(message, value.span()))
    }

    fn read_node(field: &str, node: &Node) -> Result<Precision, Fault> {
        match node.raw {
            Raw::Decimal(half_width) if (MIN_PRECISION..0.5).contains(&half_width) => {
                Ok(Precision(half_width))
            }
            _ => {
                Precision::read(field, RawValue::Text("")).map_err(|fault| node.place.blamed(fault))
            }
        }
    }

    fn to_json(&self) -> Json {
        self.0.into()
    }
}

named! {
    /// The plans of a unit that get rows: only the best, or all.
    pub enum Plans { Best = "best", All = "all" }
}

words_of!(Plans, "WHICH", "");
