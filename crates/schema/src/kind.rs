//! Declarations of a game for code that knows no game: kinds, rule settings, measures and units.

use super::classes::{ChartClass, Group, MOST_CLASSES, StatusClass, UnitEnd};
use super::declared::named;
use super::field::Field;
use super::form;
use engine::process::Player;
use engine::text::{Fault, canonical};

/// A predefined unit of a game.
#[derive(Clone, Debug, Default)]
pub struct StockUnit {
    /// Name in questions; letter case does not matter.
    pub unit: String,
    /// Notation of the players.
    pub written: String,
    /// Name of the unit's side; empty if there are no sides.
    pub side: String,
    /// Name within the side.
    pub name: String,
    pub about: String,
}

impl StockUnit {
    /// Creates a unit without a side.
    pub fn plain(name: &str, about: String) -> StockUnit {
        let name = name.to_string();
        StockUnit { unit: name.clone(), written: name.clone(), side: String::new(), name, about }
    }
}

/// A kind of question, such as `recover`.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub name: &'static str,
    pub about: &'static str,
    /// The field given without its name; `None` if the question is read from a file.
    pub subject: Option<Field>,
    /// True if the question can be asked without the subject.
    pub omits_subject: bool,
    /// All other fields, in groups, except those of steps and rule settings.
    pub fields: &'static [&'static [Field]],
    /// Further help: the notation of the subject.
    pub help: &'static str,
    /// Examples of what may follow the name of the kind on the command line.
    pub examples: &'static [&'static str],
    pub play: ChoiceMaker,
    /// The side that follows a policy, for which policies are compared.
    pub policies_of: Player,
    /// Measures of the game that answers of this kind do not show.
    pub unreported: &'static [&'static str],
    /// Every status that an outcome can have, in order.
    pub statuses: &'static [&'static str],
    /// Returns what charts show of a status; `None` if it is no status of the game.
    pub in_charts: fn(&str) -> Option<StatusInCharts>,
    /// Classes of statuses, if units are counted. A unit is in the first with its status.
    pub classes: &'static [StatusClass],
    /// Groups of units that can be counted. The first is the default.
    pub groups: &'static [Group],
    /// Further names of fields.
    pub aliases: &'static [Alias],
    /// Further ways in which a unit can end, beside the classes and statuses: `replaced`.
    pub further_ends: &'static [UnitEnd],
    /// Returns the name of a counter as the game prints it; `None` if there is no such counter.
    pub counter: fn(&str) -> Option<&'static str>,
    /// The words for both sides, in the order of [`Player`]: `target`, `firer`.
    pub sides: [&'static str; 2],
    /// True if the question has steps although it has a subject.
    pub steps: bool,
    /// The further columns of its rows: `side` for units of two sides, `place` for who may leave,
    /// `location` for the Location of a path in which units end.
    pub columns: &'static [&'static str],
    /// Numbers that are reckoned before the first roll; empty if nothing is reckoned.
    pub reckoned: &'static [ReckonedNumber],
    /// Sets of variations of a question that can be compared with it: all plans, for example.
    pub variations: &'static [VariationOption],
}

/// A set of variations of a question, as an option of the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariationOption {
    pub name: &'static str,
    pub about: &'static str,
    /// True if only the best of many are shown; otherwise all are.
    pub is_race: bool,
}

/// A number that is reckoned before the first roll, such as the FP of an attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReckonedNumber {
    /// Name, where a measure can be named: `fp`.
    pub name: &'static str,
    /// Description: `FP of the attack`.
    pub words: &'static str,
    /// The weight in an objective: 1 if more of it is better for the owner, -1 if less is.
    pub weight: f64,
}

/// Returns the side with a name, `owner` or `enemy`, or a word that one of the kinds has for it.
///
/// # Errors
///
/// Fails if no side is called `text`.
pub fn side_named(text: &str, kinds: &[&'static Kind]) -> Result<Player, Fault> {
    let words = kinds.iter().map(|kind| kind.sides).filter(|words| *words != Player::NAMES);
    let words = std::iter::once(Player::NAMES).chain(words);
    let both = words.flat_map(|words| words.into_iter().zip([Player::Owner, Player::Enemy]));
    form::named(text, both, "no side is called")
}

/// A further name of a field.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The field under this name.
    pub field: Field,
    /// The name of the field that is set.
    pub of: &'static str,
    /// A note for the answer on how the name is read.
    pub note: &'static str,
}

/// The class of a status in charts, and its name there, in the words of the rulebook.
pub type StatusInCharts = (ChartClass, &'static str);

/// The maker of the choices in a kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceMaker {
    /// There are no choices.
    Unasked,
    /// A plan, which is a field of the kind. Best play can take its place.
    Plan,
    /// A policy makes the choices, if there are any.
    Policy,
    /// A named policy makes the choices, or best play for an objective, which is needed.
    Best,
}

impl Kind {
    /// Returns whether a question can name a policy of the game.
    pub const fn has_policy(&self) -> bool {
        matches!(self.play, ChoiceMaker::Policy | ChoiceMaker::Best)
    }

    /// Creates a kind played by policies, read from a file if it has no `subject`.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        subject: Option<Field>,
        fields: &'static [&'static [Field]],
    ) -> Kind {
        Kind {
            name,
            about,
            subject,
            omits_subject: false,
            fields,
            help: "",
            examples: &[],
            play: ChoiceMaker::Policy,
            policies_of: Player::Owner,
            unreported: &[],
            statuses: &[],
            in_charts: |_| None,
            classes: &[],
            groups: &[],
            aliases: &[],
            further_ends: &[],
            counter: |_| None,
            sides: Player::NAMES,
            steps: false,
            reckoned: &[],
            columns: &[],
            variations: &[],
        }
    }

    /// Sets the numbers that are reckoned before the first roll.
    pub const fn reckons(self, reckoned: &'static [ReckonedNumber]) -> Kind {
        Kind { reckoned, ..self }
    }

    /// Lets the question have steps.
    pub const fn with_steps(self) -> Kind {
        Kind { steps: true, ..self }
    }

    /// Returns true if the question consists of steps.
    pub const fn has_steps(&self) -> bool {
        self.subject.is_none() || self.steps
    }

    /// Sets the further names of fields.
    pub const fn also(self, aliases: &'static [Alias]) -> Kind {
        Kind { aliases, ..self }
    }

    /// Returns the field that has `name`, in canonical spelling, as a further name.
    pub fn alias(&self, name: &str) -> Option<&'static Alias> {
        self.aliases.iter().find(|alias| alias.field.name == name)
    }

    /// Returns the other names of a field: of `phases` its further names, of these `phases`.
    pub fn other_names<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        self.aliases.iter().filter_map(move |alias| match name {
            _ if name == alias.of => Some(alias.field.name),
            _ if name == alias.field.name => Some(alias.of),
            _ => None,
        })
    }

    /// Sets the further columns of its rows.
    pub const fn with_columns(self, columns: &'static [&'static str]) -> Kind {
        Kind { columns, ..self }
    }

    /// Returns whether its rows tell of the units of two sides.
    pub fn has_sides(&self) -> bool {
        self.columns.contains(&"side")
    }

    /// Returns whether its rows tell in which Location of a path units end.
    pub fn has_locations(&self) -> bool {
        self.columns.contains(&"location")
    }

    /// Sets the further help.
    pub const fn help(self, help: &'static str) -> Kind {
        Kind { help, ..self }
    }

    /// Sets the examples for the command line.
    pub const fn examples(self, examples: &'static [&'static str]) -> Kind {
        Kind { examples, ..self }
    }

    /// Sets the maker of the choices.
    pub const fn played(self, play: ChoiceMaker) -> Kind {
        Kind { play, ..self }
    }

    /// Sets the statuses that outcomes can have, and what charts show of each.
    pub const fn ends(
        self,
        statuses: &'static [&'static str],
        in_charts: fn(&str) -> Option<StatusInCharts>,
    ) -> Kind {
        Kind { statuses, in_charts, ..self }
    }

    /// Sets the classes and groups that are counted.
    ///
    /// # Panics
    ///
    /// Panics if there are more than [`MOST_CLASSES`] classes.
    pub const fn counted(self, classes: &'static [StatusClass], groups: &'static [Group]) -> Kind {
        assert!(classes.len() <= MOST_CLASSES, "too many units to count");
        Kind { classes, groups, ..self }
    }

    /// Sets further ways in which a unit can end, and the counters that it can be.
    pub const fn ends_as(
        self,
        further_ends: &'static [UnitEnd],
        counter: fn(&str) -> Option<&'static str>,
    ) -> Kind {
        Kind { further_ends, counter, ..self }
    }

    /// Returns the way to end called `name`: a class, a further end, or a status with the weight of
    /// its class.
    pub fn unit_end(&self, name: &str) -> Option<UnitEnd> {
        let class =
            |class: &StatusClass| UnitEnd { weight: class.weight, ..UnitEnd::good(class.name) };
        let further = || self.further_ends.iter().find(|end| end.name == name).copied();
        let status = || {
            let status = self.statuses.iter().find(|status| **status == name)?;
            let weight = self.classes[self.class_of(status)?].weight;
            Some(UnitEnd { weight, ..UnitEnd::good(status) })
        };
        let known = self.classes.iter().find(|class| class.name == name).map(class);
        known.or_else(further).or_else(status)
    }

    /// Returns whether all units that end so are one of the classes, by its 0-based position.
    pub fn class_called(&self, end: &UnitEnd) -> Option<usize> {
        let called = || self.classes.iter().position(|class| class.name == end.name);
        end.counter.is_none().then(called).flatten()
    }

    /// Sets the words for the owner and for the enemy.
    pub const fn between(self, sides: [&'static str; 2]) -> Kind {
        Kind { sides, ..self }
    }

    /// Returns the declared fields, the subject first.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.subject.iter().chain(self.fields.iter().copied().flatten())
    }

    /// Returns the declared field whose name or negation, in canonical spelling, is `name`.
    pub fn field(&'static self, name: &str) -> Option<&'static Field> {
        self.fields().find(|field| field.is_called(name))
    }

    /// Returns the 0-based position of the class that has a status, or `None` if no class has it.
    pub fn class_of(&self, status: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.statuses.contains(&status))
    }

    /// Returns the class in charts of a status, or of the units in a class of statuses.
    pub fn chart_class(&self, name: &str) -> Option<ChartClass> {
        let class = self.classes.iter().find(|class| class.name == name);
        let status = class.and_then(|class| class.statuses.first()).map_or(name, |status| status);
        (self.in_charts)(status).map(|(class, _)| class)
    }

    /// Returns the group called `text`.
    ///
    /// # Errors
    ///
    /// Fails if there is no group of that name.
    pub fn group(&self, text: &str) -> Result<&'static Group, Fault> {
        if self.groups.is_empty() {
            let fault = Fault::new(
                format!("no group of `{}` is called `{text}`", self.name),
                0..text.len(),
            );
            return Err(fault.help("it has no groups to count"));
        }
        let groups = self.groups.iter().map(|group| (group.name, group));
        form::named(text, groups, &format!("no group of `{}` is called", self.name))
    }

    /// Returns the kind called `text`.
    pub fn named(text: &str, kinds: &'static [&'static Kind]) -> Option<&'static Kind> {
        let name = canonical(text);
        kinds.iter().find(|kind| kind.name == name).copied()
    }
}

named! {
    /// Certainty of a value of the rules.
    pub enum Source {
        /// Stated in the text that first described the system.
        Seed = "stated",
        /// Found in a public excerpt of the rules. Other rules may state exceptions.
        Found = "found",
        /// Inferred from what is stated or found.
        Inferred = "inferred",
        /// Assumed; no source was found.
        Assumed = "assumed",
        /// Open: the text allows more than one reading, and lowcrawl can play more than one.
        Open = "open",
    }
}

/// A value of the rules that can be changed.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Default, as a file would write it: `3`, `subtract`, `true`.
    pub default: &'static str,
    /// Valid values: `a whole number from 0 to 20`, or words joined by ` or `.
    pub values: &'static str,
    pub source: Source,
    pub about: &'static str,
}

/// A quantity of a final state that an objective can weigh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Name in files: `survives`.
    pub name: &'static str,
    /// Default weight in an objective; -1 for losses.
    pub weight: f64,
    /// Description of the expected value for one unit: `P(survives)`.
    pub of_one: &'static str,
    /// Description of the expected sum over units: `expected number of units that survive`.
    pub of_several: &'static str,
    /// Description of an increase for several units: `expected survivors`.
    pub gain: &'static str,
    /// The least and the largest value for one unit.
    pub range: (f64, f64),
}

/// Declares a game's measures, one a line with the fields of [`Measure`], and a struct of values.
/// Values are from 0 to 1 if no range is given.
#[macro_export]
macro_rules! measures {
    (@range) => { (0.0, 1.0) };
    (@range $range:expr) => { $range };
    ($(#[$about:meta])* $visible:vis const $list:ident;
    $(#[$of:meta])* $seen:vis struct $amounts:ident;
    $($measure:ident = $name:literal, $weight:literal, $of_one:literal, $of_several:literal,
        $gain:literal $(, $range:expr)?;)+) => {
        $(#[$about])*
        $visible const $list: &[$crate::kind::Measure] = &[$($crate::kind::Measure { name: $name,
            weight: $weight, of_one: $of_one, of_several: $of_several, gain: $gain,
            range: $crate::measures!(@range $($range)?) }),+];

        $(#[$of])*
        #[derive(Clone, Copy, Debug, Default)]
        $seen struct $amounts { $(pub $measure: f64),+ }

        impl $amounts {
            /// Returns the values in the order of the list of measures.
            pub fn in_order(self) -> Vec<f64> {
                vec![$(self.$measure),+]
            }
        }
    };
}

pub use crate::measures;

impl Measure {
    /// Returns the description of the expected value, for one unit or for several.
    pub const fn in_words(&self, several: bool) -> &'static str {
        if several { self.of_several } else { self.of_one }
    }

    /// Returns the description of an increase. For a single unit it is that of the probability.
    pub const fn gain_in_words(&self, several: bool) -> &'static str {
        if several { self.gain } else { self.of_one }
    }
}
