//! What files of questions can say beside fields of questions, declared.

use super::from_toml::Asked;
use engine::text::{Fault, whole_number};
use system::answer::{DEFAULT_SEED, DEFAULT_TRIALS, Engine, MAX_TRIALS, Trials};
use system::field::{Given, Json, Takes, Whole, fields, words_of};
use system::form::Value;
use system::node::{Node, Raw, Spanned};
use system::objective::Weights;

/// Engine, sequences and seed that a file asks for.
pub type Asks = (Engine, Trials, u64);

/// Finest half-width a run may ask for: about `MAX_TRIALS` sequences.
pub const MIN_PRECISION: f64 = 0.000_005;

fields! {
    /// `[chart]`.
    pub table ChartTable {
        "kind" kind: Option<Spanned<String>>, "what kind of chart, as `--chart-kind` has them; without it one that fits";
    }
}

/// A file that names its game and its question.
macro_rules! of_question {
    ($(#[$about:meta])* $table:ident { $($lines:tt)* }) => {
        fields! {
            $(#[$about])*
            pub table $table {
                "system" system: Option<Spanned<String>>, "the game; without it ASL";
                "question" question: Option<Spanned<String>>, "the kind of question";
                $($lines)*
            }
        }
    };
}

/// The same of a study, which says what it is about, and which number of its cells is told in which
/// table.
macro_rules! of_study {
    ($(#[$about:meta])* $table:ident { $($lines:tt)* }) => {
        of_question! {
            $(#[$about])*
            $table {
                "about" about: Option<String>, "what it is about";
                "tell" tell: Option<Spanned<String>>, "the number of each cell that is told in a table; without it what is hoped for";
                "rows" rows: Vec<Spanned<String>>, "fields that vary whose values stand down the table; without it all others";
                "columns" columns: Option<Spanned<String>>, "a field that varies whose values stand across it";
                "average" average: Vec<Spanned<String>>, "fields that vary over which the mean is taken; each value of any other has a table";
                "chart" chart: Option<Spanned<ChartTable>>, "the table as a chart beside it";
                $($lines)*
            }
        }

        impl $table {
            /// The table it asks for.
            pub fn wanted(&self) -> Wanted<'_> {
                let $table { tell, rows, columns, average, chart, .. } = self;
                Wanted { tells: tell.is_some(), rows, columns: columns.as_ref(), average, chart: chart.as_ref() }
            }
        }
    };
}

/// The table that a study asks for, by the names of fields that vary.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Whether it names the number.
    pub tells: bool,
    pub rows: &'a [Spanned<String>],
    pub columns: Option<&'a Spanned<String>>,
    pub average: &'a [Spanned<String>],
    pub chart: Option<&'a Spanned<ChartTable>>,
}

of_question! {
    /// What every such file has.
    HeadTable {}
}

of_study! {
    /// A study.
    StudyTable {
        "counts" counts: Option<Spanned<String>>, "a group of units that are counted, in a further table";
        "base" base: Asked, "fields that all cells share";
        "step" steps: Option<Node>, "what happens, step by step";
        "grid" grid: Asked, "fields that vary: a list of values, or a range";
        "run" run: RunTable, "how it is run";
    }
}

of_study! {
    /// A campaign, or a study of campaigns.
    CampaignFileTable {
        "objective" objective: Option<Weights>, "what is played for";
        "base" base: Asked, "fields that all cells share";
        "grid" grid: Asked, "fields that vary: a list of values, or a range";
        "course" courses: Option<Node>, "courses, which are for a comparison";
        "run" run: BreakEvenTable, "what is looked for";
    }
}

of_question! {
    /// A comparison of courses.
    ComparisonTable {
        "about" about: Option<String>, "what it is about";
        "objective" objective: Option<Weights>, "what they are compared by";
        "base" base: Asked, "fields that all courses share";
        "step" steps: Option<Node>, "what happens, step by step";
        "course" courses: Option<Node>, "the courses";
        "run" run: RunTable, "how it is run";
    }
}

of_study! {
    /// A study of situations.
    RoutStudyTable {
        "base" base: RoutBaseTable, "what all cells share";
        "grid" grid: Asked, "what varies: fields of units, fields of the Rout Phase, interpretations";
        "run" run: RunTable, "how it is run";
    }
}

of_question! {
    /// One of the cases that a study lists; beside these it has the fields of its question.
    CaseTable {
        "name" name: Option<Spanned<String>>, "what it is called";
        "step" steps: Option<Node>, "what happens, step by step";
    }
}

fields! {
    /// A study that lists its cases.
    pub table CasesTable {
        "about" about: Option<String>, "what it is about";
        "case" cases: Option<Node>, "the cases";
        "run" run: RunTable, "how it is run";
    }
}

fields! {
    /// A sequence file; beside these it has fields of the question.
    pub table SequenceTable {
        "about" about: Option<String>, "what it is about";
        "step" steps: Option<Node>, "what happens, step by step";
    }
}

fields! {
    /// A course of action; beside these it has the fields that are its own.
    pub table CourseTable {
        "name" name: Option<Spanned<String>>, "what it is called";
        "step" steps: Option<Node>, "steps of its own";
    }
}

fields! {
    /// `[run]`.
    pub table RunTable {
        "engine" engine: Engine = "auto", "auto, exact or monte-carlo";
        "trials" trials: Option<Sequences>, "random sequences";
        "precision" precision: Option<Spanned<Precision>>, "in place of their number the half-width of the widest interval";
        "seed" seed: Option<Whole<0, { i64::MAX }>>, "seed of the dice";
    }
}

fields! {
    /// `[run]` of a campaign.
    pub table BreakEvenTable {
        "break-even" break_even: Option<Spanned<String>>, "the swept field along which the best choice is followed";
    }
}

fields! {
    /// `[base]` of a study of situations.
    pub table RoutBaseTable {
        "situation" situation: Option<Spanned<String>>, "the situation file";
        "plans" plans: Plans = "best", "the plans of each unit that get rows: best or all";
    }
}

impl RunTable {
    /// What is asked for.
    pub fn asks(&self) -> Result<Asks, Fault> {
        let trials = match (self.trials, &self.precision) {
            (Some(_), Some(precision)) => {
                return Err(precision.place.fault("either `trials` or `precision`, not both"));
            }
            (Some(Sequences(trials)), None) => Trials::Number(trials.number() as u64),
            (None, Some(Spanned { value: Precision(half_width), .. })) => {
                Trials::HalfWidth(*half_width)
            }
            (None, None) => Trials::Number(DEFAULT_TRIALS),
        };
        Ok((self.engine, trials, self.seed.map_or(DEFAULT_SEED, |seed| seed.number() as u64)))
    }
}

/// A number of sequences, as people write big ones: `1e6`, `"1M"`.
#[derive(Clone, Copy, Debug)]
pub struct Sequences(Whole<1, { MAX_TRIALS as i64 }>);

impl Given for Sequences {
    const TAKES: Takes = Whole::<1, { MAX_TRIALS as i64 }>::TAKES;
    const WHOLE: bool = true;

    fn read(field: &str, value: Value) -> Result<Sequences, Fault> {
        let written = match value {
            Value::Text(text) => whole_number(text).and_then(|number| number.try_into().ok()),
            _ => None,
        };
        Whole::read(field, written.map_or(value, Value::Integer)).map(Sequences)
    }

    fn read_node(field: &str, node: &Node) -> Result<Sequences, Fault> {
        match node.raw {
            // `1e6` is a decimal number to those who write TOML and JSON down.
            Raw::Decimal(number) if number.fract() == 0.0 && number.abs() < 1e18 => {
                let number = Value::Integer(number as i64);
                Sequences::read(field, number).map_err(|fault| node.place.fault(fault.message))
            }
            _ => Whole::read_node(field, node).map(Sequences).or_else(|fault| match &node.raw {
                Raw::Text(text) => Sequences::read(field, Value::Text(text)).map_err(|_| fault),
                _ => Err(fault),
            }),
        }
    }

    fn told(&self) -> Json {
        self.0.told()
    }
}

/// A half-width.
#[derive(Clone, Copy, Debug)]
pub struct Precision(f64);

impl Given for Precision {
    const TAKES: Takes = Takes::Text("HALF-WIDTH");

    fn read(field: &str, value: Value) -> Result<Precision, Fault> {
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
            _ => Precision::read(field, Value::Text("")).map_err(|fault| node.place.blamed(fault)),
        }
    }

    fn told(&self) -> Json {
        self.0.into()
    }
}

/// The plans of a unit that get rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plans {
    Best,
    All,
}

words_of!(Plans, "WHICH", "" {
    "best" = Plans::Best,
    "all" = Plans::All,
});
