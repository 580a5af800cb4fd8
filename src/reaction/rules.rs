//! What can be set otherwise than the published rules have it, or than what is known of them: the parameters, each with its source.

use crate::system::form::Value;
use crate::system::{Parameter, Source};
use crate::text::{Fault, canonical};

use Source::{Assumed, Found, Seed};

/// A parameter; its place here is that in [`PARAMETERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    FireTn,
    ReactionTn,
    ReactionTnSuppressed,
    Cohesion,
    DpRule,
    RangeTnClose,
    RangeTnEffective,
    RangeTnLong,
    FlankTn,
    MoveDiceDouble,
    MoveDiceTriple,
    UphillDice,
    CoverDiceLight,
    CoverDiceMedium,
    CoverDiceHeavy,
    HaltedCover,
    HighSuppression,
    ForcedBackBase,
    ForcedBackPerSix,
    ForcedBackWhenAlreadySuppressed,
    MoraleLoss,
    ArmyMorale,
    CommandDice,
    CommandReRolls,
    StaffOrders,
    RallyDice,
    RallyTn,
    RallyEffect,
    RallyOpposed,
    RalliesPerGap,
    ActivationLimit,
    WildDieTiming,
    ArmyMoraleCheck,
    ArmyMoraleDice,
    BothAtZero,
}

const fn parameter(
    name: &'static str,
    default: &'static str,
    values: &'static str,
    source: Source,
    about: &'static str,
) -> Parameter {
    Parameter { name, default, values, source, about }
}

const TN: &str = "a whole number from 2 to 6";
const MODIFIER: &str = "a whole number from -6 to 6";
const DICE: &str = "a whole number from 0 to 12";
const YES_OR_NO: &str = "false or true";

/// Number of parameters.
const COUNT: usize = 35;

/// Every parameter, in the order of [`Rule`].
#[rustfmt::skip]
pub static PARAMETERS: [Parameter; COUNT] = [
    parameter("fire-tn", "4", "a whole number from 1 to 12", Found, "what a firing die must show at least, before modifiers"),
    parameter("reaction-tn", "4", TN, Seed, "what a Reaction Die of an unsuppressed unit must show at least"),
    parameter("reaction-tn-suppressed", "5", TN, Seed, "the same of a suppressed unit"),
    parameter("cohesion", "3", "a whole number from 1 to 40", Seed, "Disruption Points that disperse a unit that names no other number"),
    parameter("dp-rule", "net", "net or all-if-more", Seed, "what is taken: hits less Reaction successes, or every hit once there are more hits than successes"),
    parameter("range-tn-close", "-1", MODIFIER, Found, "added to the firing TN at close range"),
    parameter("range-tn-effective", "0", MODIFIER, Found, "added to the firing TN at effective range"),
    parameter("range-tn-long", "1", MODIFIER, Found, "added to the firing TN at long range"),
    parameter("flank-tn", "-1", MODIFIER, Found, "added to the firing TN against a flank or rear"),
    parameter("move-dice-double", "-1", MODIFIER, Found, "firing dice after a double move"),
    parameter("move-dice-triple", "-2", MODIFIER, Found, "firing dice after a triple move"),
    parameter("uphill-dice", "-1", MODIFIER, Found, "firing dice when the target is uphill"),
    parameter("cover-dice-light", "1", DICE, Found, "Reaction Dice for light cover"),
    parameter("cover-dice-medium", "2", DICE, Found, "Reaction Dice for medium cover"),
    parameter("cover-dice-heavy", "3", DICE, Found, "Reaction Dice for heavy cover"),
    parameter("halted-cover", "light", "none or light or medium or heavy", Assumed, "the cover that a forced back unit halts in, in later volleys"),
    parameter("high-suppression", "false", "false or true or artillery", Found, "a firing six suppresses, unless the target has more of them: of no volley, of all, or of those of artillery"),
    parameter("forced-back-base", "6", "a whole number from 0 to 40", Seed, "inches a unit is forced back in any case"),
    parameter("forced-back-per-six", "1", "a whole number from 0 to 3", Seed, "D6 of further inches for each unmatched six"),
    parameter("forced-back-when-already-suppressed", "true", YES_OR_NO, Found, "a unit that was suppressed before can be forced back"),
    parameter("morale-loss", "d3", "d3 or d6", Seed, "Army Morale Points lost with a dispersed unit"),
    parameter("army-morale", "15", "a whole number from 0 to 60", Found, "Army Morale Points of a side that names no other number"),
    parameter("command-dice", "6", "a whole number from 0 to 10", Found, "Command Dice of a side that names no other number"),
    parameter("command-re-rolls", "1", "a whole number from 0 to 3", Assumed, "before pulses: how often both sides roll again after a full tie; one more tie is settled by lot"),
    parameter("staff-orders", "4", "a whole number from 0 to 10", Found, "Staff Orders of each side at the start"),
    parameter("rally-dice", "4", DICE, Found, "dice of a Rally Group order"),
    parameter("rally-tn", "4", TN, Assumed, "what a Rally Die must show at least"),
    parameter("rally-effect", "one-per-success", "one-per-success or one-per-roll", Assumed, "points a Rally Group order removes: one for each success, or one for any"),
    parameter("rally-opposed", "false", YES_OR_NO, Assumed, "the enemy rolls as many dice against it, each success cancelling one"),
    parameter("rallies-per-gap", "1", "a whole number from 1 to 10", Assumed, "Rally Group orders one unit can be given before its activations are over"),
    parameter("activation-limit", "turn", "turn or pulse or gap", Found, "what those are counted over in a sequence: a turn, each `command` step and each pulse, or the gap between two volleys of the enemy"),
    parameter("wild-die-timing", "before", "before or after", Assumed, "a Wild Die joins a roll before it is made, or when it is seen"),
    parameter("army-morale-check", "false", YES_OR_NO, Found, "a loss of exactly 3 points calls for an Army Morale Check"),
    parameter("army-morale-dice", "4", DICE, Assumed, "dice of an Army Morale Check"),
    parameter("both-at-zero", "draw", "draw or play-on", Assumed, "what comes of both sides at zero at the end of a turn"),
];

/// What a parameter can be.
enum Domain {
    Number(i64, i64),
    Words(Vec<&'static str>),
}

impl Domain {
    /// As its `values` say.
    fn of(parameter: &Parameter) -> Domain {
        let range = parameter.values.strip_prefix("a whole number from ").and_then(|range| range.split_once(" to "));
        let ends = range.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        ends.map_or_else(|| Domain::Words(parameter.values.split(" or ").collect()), |(low, high)| Domain::Number(low, high))
    }
}

/// A value of every parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules([i16; COUNT]);

impl Default for Rules {
    fn default() -> Rules {
        Rules(std::array::from_fn(|place| default_of(&PARAMETERS[place])))
    }
}

/// A number as it is, a word as its place.
fn default_of(parameter: &Parameter) -> i16 {
    match Domain::of(parameter) {
        Domain::Number(..) => parameter.default.parse().unwrap_or_default(),
        Domain::Words(words) => words.iter().position(|word| *word == parameter.default).unwrap_or_default() as i16,
    }
}

impl Rules {
    /// The value of a parameter that is a number; of one that is a word, its place among its words.
    #[inline]
    pub const fn number(&self, rule: Rule) -> i16 {
        self.0[rule as usize]
    }

    /// The same of one that is never below 0.
    #[inline]
    pub const fn count(&self, rule: Rule) -> u8 {
        self.0[rule as usize] as u8
    }

    /// Whether a parameter of two words has the second: `true` of `false or true`.
    #[inline]
    pub const fn holds(&self, rule: Rule) -> bool {
        self.0[rule as usize] == 1
    }

    pub fn is_default(&self, rule: Rule) -> bool {
        self.number(rule) == default_of(&PARAMETERS[rule as usize])
    }

    /// Whether a parameter is called so.
    pub fn knows(name: &str) -> bool {
        place_of(name).is_some()
    }

    /// Sets a parameter, if one is called so.
    pub fn set(&mut self, name: &str, value: Value) -> Option<Result<(), Fault>> {
        let place = place_of(name)?;
        Some(read(&PARAMETERS[place], value).map(|value| self.0[place] = value))
    }

    /// A value as it is written.
    pub fn written(&self, rule: Rule) -> String {
        let value = self.number(rule);
        match Domain::of(&PARAMETERS[rule as usize]) {
            Domain::Number(..) => value.to_string(),
            Domain::Words(words) => words.get(value as usize).copied().unwrap_or_default().to_string(),
        }
    }

    /// `rally-tn = 4`.
    pub fn told(&self, rule: Rule) -> String {
        format!("{} = {}", PARAMETERS[rule as usize].name, self.written(rule))
    }

    /// Those that are not at their default, with their values.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        let changed = Rule::ALL.into_iter().filter(|&rule| !self.is_default(rule));
        changed.map(|rule| (PARAMETERS[rule as usize].name, self.written(rule))).collect()
    }
}

fn place_of(name: &str) -> Option<usize> {
    let name = canonical(name);
    PARAMETERS.iter().position(|parameter| parameter.name == name)
}

fn read(parameter: &Parameter, value: Value) -> Result<i16, Fault> {
    match Domain::of(parameter) {
        Domain::Number(low, high) => value.integer(parameter.name, low, high).map(|number| number as i16),
        Domain::Words(words) if words[0] == "false" => read_truth(parameter.name, &words, value),
        Domain::Words(words) => read_word(parameter.name, &words, value).map(|place| place as i16),
    }
}

/// The place of true or false, or where there are further words also of a text among all.
fn read_truth(field: &str, words: &[&'static str], value: Value) -> Result<i16, Fault> {
    match value {
        Value::Text(_) if words.len() > 2 => read_word(field, words, value).map(|place| place as i16),
        Value::Integer(_) if words.len() > 2 => {
            let message = format!("`{field}` must be {}, not {value}", words.join(" or "));
            Err(Fault::new(message, value.span()))
        }
        _ => value.boolean(field).map(i16::from),
    }
}

/// The place of a word among those a field can have.
pub(super) fn read_word(field: &str, words: &[&'static str], value: Value) -> Result<usize, Fault> {
    let text = value.text(field)?;
    let found = words.iter().position(|word| *word == canonical(text));
    found.ok_or_else(|| {
        let fault = Fault::new(format!("`{field}` has no value `{text}`"), value.span());
        fault.expecting(text, words.iter().copied())
    })
}

impl Rule {
    #[rustfmt::skip]
    pub const ALL: [Rule; COUNT] = [
        Rule::FireTn, Rule::ReactionTn, Rule::ReactionTnSuppressed, Rule::Cohesion, Rule::DpRule, Rule::RangeTnClose,
        Rule::RangeTnEffective, Rule::RangeTnLong, Rule::FlankTn, Rule::MoveDiceDouble, Rule::MoveDiceTriple, Rule::UphillDice,
        Rule::CoverDiceLight, Rule::CoverDiceMedium, Rule::CoverDiceHeavy, Rule::HaltedCover, Rule::HighSuppression,
        Rule::ForcedBackBase, Rule::ForcedBackPerSix, Rule::ForcedBackWhenAlreadySuppressed, Rule::MoraleLoss, Rule::ArmyMorale,
        Rule::CommandDice, Rule::CommandReRolls, Rule::StaffOrders, Rule::RallyDice, Rule::RallyTn, Rule::RallyEffect, Rule::RallyOpposed,
        Rule::RalliesPerGap, Rule::ActivationLimit, Rule::WildDieTiming, Rule::ArmyMoraleCheck, Rule::ArmyMoraleDice,
        Rule::BothAtZero,
    ];

    /// The parameter as it is told.
    pub fn parameter(self) -> &'static Parameter {
        &PARAMETERS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ForcedBackBase` is `forced-back-base`.
    fn kebab(rule: Rule) -> String {
        let mut name = String::new();
        for letter in format!("{rule:?}").chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.extend(letter.to_lowercase());
        }
        name
    }

    #[test]
    fn every_parameter_stands_in_its_place_and_has_its_default() {
        let rules = Rules::default();
        for (place, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!(rule as usize, place);
            assert_eq!(rule.parameter().name, kebab(rule));
            assert_eq!(rules.written(rule), rule.parameter().default);
        }
        assert_eq!(rules.changed(), []);
    }

    #[test]
    fn values_are_read_as_they_are_told() {
        let mut rules = Rules::default();
        rules.set("Range_TN_long", Value::Integer(-6)).unwrap().unwrap();
        rules.set("dp-rule", Value::Text("All_If_More")).unwrap().unwrap();
        for (value, written) in [
            (Value::Text("true"), "true"),
            (Value::Text("Artillery"), "artillery"),
            (Value::Text("false"), "false"),
            (Value::Boolean(true), "true"),
        ] {
            rules.set("high-suppression", value).unwrap().unwrap();
            assert_eq!(rules.written(Rule::HighSuppression), written);
        }
        let told = [("dp-rule", "all-if-more"), ("range-tn-long", "-6"), ("high-suppression", "true")];
        assert_eq!(rules.changed(), told.map(|(name, value)| (name, value.to_string())));
        assert_eq!(rules.set("range", Value::Integer(1)), None);
        for (name, value, message) in [
            ("rally-tn", Value::Integer(7), "`rally-tn` must be a whole number from 2 to 6, not 7"),
            ("dp-rule", Value::Text("nett"), "`dp-rule` has no value `nett` (did you mean `net`?)"),
            ("rally-opposed", Value::Text("yes"), "`rally-opposed` must be true or false, not `yes`"),
            ("high-suppression", Value::Integer(1), "`high-suppression` must be false or true or artillery, not 1"),
            (
                "high-suppression",
                Value::Text("artilery"),
                "`high-suppression` has no value `artilery` (did you mean `artillery`?)",
            ),
            ("morale-loss", Value::Integer(3), "`morale-loss` must be a text in quotes, not 3"),
        ] {
            assert_eq!(rules.set(name, value).unwrap().unwrap_err().to_string(), message);
        }
    }
}
