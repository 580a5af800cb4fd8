//! A question in words, and everything known about it except its process.

use std::hash::Hasher;

use super::provenance::{Provenance, SharedSetting};
use engine::process::{Label, ReportIndex};
use schema::{ChartClass, Json, Kind};

/// The outcome that counts as success in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Success {
    /// Statuses that count as success; empty if no outcome does.
    pub statuses: &'static [&'static str],
    /// Description of a successful unit: `rallied after the last phase`.
    pub words: &'static str,
    /// Subject of the success if it is not a unit: `the own army`.
    pub of: Option<&'static str>,
    /// Verb for the change to success: `rallies`. `Some` if success is shown at every report.
    pub verb: Option<&'static str>,
}

impl Success {
    /// Creates the criterion that a unit ends with one of `statuses`, described by `words`.
    pub const fn of_unit(statuses: &'static [&'static str], words: &'static str) -> Success {
        Success { statuses, words, of: None, verb: None }
    }

    /// Creates the criterion for something that is not a unit; `of` names its subject.
    pub const fn new(
        of: &'static str,
        statuses: &'static [&'static str],
        words: &'static str,
    ) -> Success {
        Success { statuses, words, of: Some(of), verb: None }
    }
}

/// A unit as the question starts, or whatever else occupies its slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialUnit {
    /// Full notation. Units with equal notations start alike.
    pub notation: String,
    /// Short name: `4-6-7`, `enemy unit`.
    pub name: String,
    /// Notation of the counter with which the unit starts, spelt as outcomes spell counters.
    pub counter: Option<String>,
    /// True if the unit starts wounded.
    pub wounded: bool,
}

/// What every answer needs to know about its question. It costs next to nothing to make.
#[derive(Clone, Copy, Debug)]
pub struct QuestionFacts {
    pub kind: &'static Kind,
    /// Number of initial units. Higher slots belong to other units, such as created ones.
    pub units: u8,
    /// Work of a roll or a reported unit by the rules, where that of a stack is 1.
    pub work: u64,
    /// Prefix for the status of units in slots above `units`: `enemy `.
    pub others: &'static str,
    /// Name of a report point: `turn`, `step`. `None` if all is reported once, at the end.
    pub points: Option<&'static str>,
    /// Index of the last report.
    pub last_point: ReportIndex,
    pub success: Success,
    /// True if each outcome describes all units together.
    pub is_joint: bool,
    /// Every status, in the order of comparisons of courses.
    pub ranks: &'static [&'static str],
    /// Letters before a rule number in the notation of its rulebook: `A`.
    pub rules: &'static str,
    /// Subject of options that do not name one: `the unit `.
    pub subject: &'static str,
    /// The words for both sides, in the order of `Player`.
    pub sides: [&'static str; 2],
    /// The further columns of its rows, those of its kind and of the question itself.
    pub columns: &'static [&'static str],
}

impl QuestionFacts {
    /// Creates the facts of a question about one unit, reported once.
    pub const fn new(kind: &'static Kind, success: Success) -> QuestionFacts {
        QuestionFacts {
            kind,
            units: 1,
            work: 1,
            others: "",
            points: None,
            last_point: 0,
            success,
            is_joint: false,
            ranks: kind.statuses,
            rules: "",
            subject: "",
            sides: kind.sides,
            columns: kind.columns,
        }
    }
}

/// A question in words, for the metadata of its answer.
#[derive(Clone, Debug, Default)]
pub struct QuestionTexts {
    /// The question in one line.
    pub in_words: String,
    /// The interpretations and assumptions behind the answer.
    pub notes: Vec<String>,
    /// The uncertain values that the answer can depend on: `damage-rule = subtract`.
    pub uncertain: Vec<String>,
}

/// The results of the first roll, read off a table of the game, and what they do to all units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FirstRoll {
    /// The name of the table: `the IFT`.
    pub table: &'static str,
    /// Each result that has an effect, the worst first, with its probability; for each class of
    /// targets, whose name is empty if there is one class.
    pub results: Vec<(String, Vec<(String, f64)>)>,
    /// A phrase for the units that the results harm, and their classes.
    pub harmed: (&'static str, &'static [&'static str]),
}

/// A number of units that is reported again and again, such as those in Good Order.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Heading of its row: `MMC in Good Order`.
    pub words: String,
    /// The side in its rows.
    pub side: String,
    /// The status in its rows, which have the number as their counter.
    pub status: &'static str,
    /// The 0-based positions of its expected values, one for each report.
    pub quantities: Vec<usize>,
    /// The largest number; 1 for what holds or does not.
    pub most: u8,
    /// True if its distribution at the end is shown too.
    pub is_main: bool,
}

impl Curve {
    /// Returns the name of the curve beside those of other sides.
    pub fn name(&self) -> String {
        format!("{}: {}", self.side, self.status)
    }
}

/// A part of the units of a side, over time. The parts of a side make up the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePart {
    pub side: String,
    /// What it is: `broken in front`.
    pub words: &'static str,
    pub class: ChartClass,
    /// For each report, the 0-based position of an expected value, and of one to be taken off it.
    pub quantities: Vec<(usize, Option<usize>)>,
}

/// The number that matters in a question with curves.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveGoal {
    /// As it is written: `german position held`.
    pub words: String,
    /// The side and the status in the rows of its curve.
    pub side: String,
    pub status: &'static str,
    /// The least number for a chance; `None` for the mean.
    pub at_least: Option<u8>,
    pub point: ReportIndex,
}

/// A variation of a question: what it is called, and the fields that it sets, as texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    pub name: String,
    pub fields: Vec<(&'static str, String)>,
}

/// Everything else that a reader of an answer may see.
#[derive(Clone, Debug, Default)]
pub struct QuestionDetails {
    /// Description of each step; empty for questions without steps.
    pub steps: Vec<String>,
    /// Descriptions of report points from point 1, where a number is not enough.
    pub points: Vec<String>,
    /// The numbers that the first rolls need, in words: the Morale Level, and the roll.
    pub needs: Vec<String>,
    /// The notes that hold after dice already rolled; `None` if all notes do.
    pub notes_on_the_way: Option<Vec<String>>,
    /// A remark for the end of a trace.
    pub aside: Option<&'static str>,
    /// The rules and settings that can be equal in all questions of a study.
    pub shared_settings: Vec<SharedSetting>,
    /// The reckoning before the first roll, such as the FP and DRM of an attack.
    pub reckoned: Option<Reckoned>,
    /// True if `reckoned` follows the whole course, which dice already rolled change.
    pub reckons_course: bool,
    /// The numbers of units that make up the answer by report point; empty for most questions.
    pub curves: Vec<Curve>,
    /// What they are made up of; empty for most questions.
    pub parts: Vec<CurvePart>,
    /// The number that matters among them; see [`QuestionInfo::usual_measure`].
    pub curve_goal: Option<CurveGoal>,
}

/// A reckoning that precedes the first roll, for readers.
#[derive(Clone, Debug, Default)]
pub struct Reckoned {
    /// What JSON has beside the rows, each with its name: `attack`.
    pub json: Vec<(&'static str, Json)>,
    /// The numbers that its kind declares, by name; see [`schema::Kind::reckoned`].
    pub numbers: Vec<(&'static str, f64)>,
    /// Rows of a table: a name, a value, and how it came about.
    pub rows: Vec<[String; 3]>,
    /// What the rows are about, if not what is usual for their kind.
    pub headings: Option<[&'static str; 3]>,
    /// Sentences that say the same as the rows in short.
    pub summary: Vec<String>,
    pub first_roll: FirstRoll,
    /// Sentences about what it leaves behind.
    pub after: Vec<String>,
    /// A further one, which a short answer may leave out.
    pub spare: Option<String>,
}

impl Reckoned {
    /// Sets a value in its first JSON object.
    pub fn set(&mut self, name: &str, value: Json) {
        if let Some((_, json)) = self.json.first_mut() {
            json[name] = value;
        }
    }
}

impl Reckoned {
    /// Returns the reckoned number of a name, if there is one.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    }
}

/// Everything known about a question except its process. Each part is made when it is needed.
pub trait QuestionInfo: Send + Sync {
    /// Returns what every answer needs to know.
    fn facts(&self) -> QuestionFacts;
    /// Returns the question in words.
    fn texts(&self) -> QuestionTexts;
    /// Returns what only readers see.
    fn details(&self) -> QuestionDetails;
    /// Returns the rules and settings behind the answer.
    fn provenance(&self) -> Provenance;
    /// Returns the names of the quantities with expected values: `casualties of unit 1`.
    fn quantities(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns the least and the largest amount of any quantity. Without them no expected value can
    /// be certified.
    fn amounts_between(&self) -> Option<(f64, f64)> {
        None
    }
    /// Returns short names of these quantities for the summary of a place in JSON, in order.
    fn quantity_keys(&self) -> &'static [&'static str] {
        &[]
    }
    /// Returns the initial state of what is in a slot (1-based); `None` for units created later.
    fn beginning(&self, _slot: u8) -> Option<InitialUnit> {
        None
    }
    /// Returns one word for a change of a unit that is still of use: `pinned`.
    fn change(&self, _end: &Label) -> Option<&'static str> {
        None
    }
    /// Returns a field's value with its defaults, such as a nation; `None` if it is used as given.
    fn canonical_value(&self, _field: &str) -> Option<Json> {
        None
    }
    /// Returns the measure by which such questions are compared if none is named; `None` if it is
    /// the first of the game.
    fn usual_measure(&self) -> Option<String> {
        None
    }
    /// Returns a measure as its kind names it: `enemy-position held` for `german position held`.
    fn canonical_measure(&self, text: &str) -> String {
        text.to_string()
    }
    /// Returns the variations that an option of the kind names; see [`Kind::variations`].
    fn variations(&self, _what: &str) -> Vec<Variation> {
        Vec::new()
    }
    /// Hashes everything the answer's rows depend on except the last report, and returns that
    /// report. Of two questions with equal hashes, the one that ends earlier has the first rows of
    /// the other's answer. Returns `None` if that is not known to hold.
    fn hash_inputs(&self, _what: &mut dyn Hasher) -> Option<ReportIndex> {
        None
    }
}
