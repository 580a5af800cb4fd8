//! Units: their sorts, values with sources, and their condition at the start of a question.

use std::fmt;

use super::field::Unit;
use super::order::Order;
use super::rules::Rules;
use super::status::Status;
use schema::Source;
use schema::declared::named;
use schema::roster::{condition, numbered, written};

/// The maximum number of units on one side.
pub const MAX_UNITS: usize = 8;

named! {
    /// A value of a unit.
    pub enum UnitValue {
        /// Base Fortitude.
        Base = "base",
        /// Attack Value against infantry.
        Attack = "attack",
        /// Attack Value against cavalry.
        AttackCavalry = "attack-cavalry",
        Defense = "defense",
        Models = "models",
        /// Attack dice for each model.
        Dice = "dice",
    }
}

/// A sort of unit. Each value comes with its source, in the order of [`UnitValue::ALL`].
#[derive(Debug, PartialEq, Eq)]
pub struct Sort {
    pub name: &'static str,
    pub about: &'static str,
    values: [(u8, Source); 6],
    pub cavalry: bool,
}

impl Sort {
    const fn infantry(name: &'static str, about: &'static str, values: [(u8, Source); 6]) -> Sort {
        Sort { name, about, values, cavalry: false }
    }

    /// Returns the description of the sort, with its values and their sources.
    pub fn in_words(&self) -> String {
        let value = |(value, (number, source)): (UnitValue, (u8, Source))| {
            format!("{} {number} ({})", value.name(), source.name())
        };
        let values: Vec<String> = UnitValue::ALL.into_iter().zip(self.values).map(value).collect();
        format!("{}: {}", self.about, values.join(", "))
    }
}

/// All sorts of units.
pub static SORTS: [Sort; 4] = {
    use Source::{Assumed, Found, Inferred};
    [
        Sort::infantry(
            "unit",
            "a unit with the values that you give; by default plain values and the Fortitude of \
                the known cards",
            [(10, Assumed), (4, Assumed), (4, Assumed), (1, Assumed), (5, Assumed), (1, Assumed)],
        ),
        Sort::infantry(
            "ashigaru-archers",
            "Ashigaru archers, infantry",
            [(10, Found), (2, Assumed), (2, Assumed), (1, Assumed), (5, Assumed), (1, Assumed)],
        ),
        Sort::infantry(
            "sample-card",
            "the unit of an illustrated card, probably Ashigaru spearmen, infantry",
            [(10, Found), (4, Inferred), (6, Inferred), (1, Inferred), (5, Assumed), (1, Assumed)],
        ),
        Sort {
            cavalry: true,
            ..Sort::infantry(
                "samurai-cavalry",
                "Samurai cavalry",
                [(14, Assumed), (8, Found), (8, Assumed), (2, Assumed), (3, Assumed), (3, Found)],
            )
        },
    ]
};

/// A unit as the question starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub sort: &'static Sort,
    /// Values given in the question, by [`UnitValue::ALL`]; `None` keeps the value of the sort.
    pub overrides: [Option<u8>; 6],
    pub cavalry: bool,
    pub fatigue: u8,
    pub commander: bool,
    /// True if the unit can neither flee nor panic.
    pub blocked: bool,
    /// True if the unit is the General Staff of its army.
    pub general_staff: bool,
    /// The state in which the unit starts.
    pub start: Unit,
}

impl Member {
    pub fn from_sort(sort: &'static Sort) -> Member {
        Member {
            sort,
            overrides: [None; 6],
            cavalry: sort.cavalry,
            fatigue: 0,
            commander: false,
            blocked: false,
            general_staff: false,
            start: Unit { present: true, ..Unit::default() },
        }
    }

    #[inline]
    pub fn value(&self, value: UnitValue) -> u8 {
        self.overrides[value as usize].unwrap_or(self.sort.values[value as usize].0)
    }

    /// Replaces a value of the sort.
    pub fn set(&mut self, value: UnitValue, number: u8) {
        self.overrides[value as usize] = Some(number);
    }

    /// Returns whether the unit has a Commander. The General Staff counts as having one.
    pub fn has_commander(&self) -> bool {
        self.commander || self.general_staff
    }

    /// Returns whether `rules` allow the unit to have the order.
    pub fn can_have(&self, order: Order, rules: &Rules) -> bool {
        (order.is_for_cavalry() || !self.cavalry)
            && (self.has_commander() || rules.orders_without_commander.has(order))
    }

    /// Returns whether a value is an assumption that the question does not override.
    pub fn is_assumed(&self, value: UnitValue) -> bool {
        self.overrides[value as usize].is_none()
            && self.sort.values[value as usize].1 == Source::Assumed
    }

    /// Returns the notation of the unit: permanent traits, the given casualties and Honor Marker.
    pub fn lasting(&self, casualties: u8, honor: bool) -> String {
        let start = Unit { casualties, honor, ..Unit::default() };
        Member { blocked: false, start, ..self.clone() }.to_string()
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = UnitValue::ALL.into_iter().zip(self.overrides);
        let values = values.map(|(value, number)| numbered(value.name(), number));
        let Unit { level, casualties, honor, staff, edge, own_edge, .. } = self.start;
        let arm = if self.cavalry { "cavalry" } else { "infantry" };
        let above_0 = |number: u8| Some(number).filter(|number| *number > 0);
        let conditions = [
            condition(arm, self.cavalry != self.sort.cavalry),
            condition("general-staff", self.general_staff),
            condition("commander", self.commander),
            numbered("fatigue", above_0(self.fatigue)),
            condition(level.name(), level != Status::Normal),
            numbered("casualties", above_0(casualties)),
            condition("honor", honor),
            condition("engaged", !self.start.foes.is_empty()),
            condition("blocked", self.blocked),
            numbered("staff", staff),
            numbered("edge", edge),
            numbered("own-edge", own_edge),
        ];
        f.write_str(&written(self.sort.name, values.chain(conditions)))
    }
}
