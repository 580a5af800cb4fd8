//! The condition of a step: the tests of units that must hold for the step to happen.

use super::location::LocationState;
use super::unit::{Condition, Unit, UnitIndex};
use crate::stack::{MAX_UNITS, Member, Slots};
use engine::text::{Fault, canonical};
use schema::declared;
use schema::form::named;

/// A condition on the units: alternatives joined by `or`, each of tests joined by `and`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepCondition(Vec<Vec<ConditionTest>>);

/// A test of one, some or all units, such as `all broken`, or of a number: `mmc holds <= 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionTest {
    negated: bool,
    who: Who,
    /// The index in [`STATES`].
    state: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Any,
    All,
    None,
    /// The unit at this index of the stack, from 0.
    Place(u8),
    /// The units of a group: how many of these slots are in the state.
    Number {
        group: GroupOfUnits,
        slots: Slots,
        compare: Comparison,
        number: u8,
    },
}

declared::named! {
    /// A group of units of the stack whose number a condition tests.
    pub(crate) enum GroupOfUnits {
        /// Squads, half-squads and crews.
        Mmc = "mmc",
        Leaders = "leaders",
        Units = "units",
    }

    /// A comparison with a number.
    pub(crate) enum Comparison {
        AtLeast = ">=",
        AtMost = "<=",
        Equal = "=",
    }
}

impl GroupOfUnits {
    fn has(self, member: &Member) -> bool {
        let is_smc = member.printed().kind.is_smc();
        match self {
            GroupOfUnits::Mmc => !is_smc,
            GroupOfUnits::Leaders => member.is_leader(),
            GroupOfUnits::Units => true,
        }
    }
}

type UnitTest = fn(&Unit) -> bool;

/// A state that a test seeks: its word, whether a unit is in it, and if absent units are tested.
const STATES: [(&str, UnitTest, bool); 18] = [
    ("broken", |unit| unit.is(Condition::Broken), false),
    ("dm", |unit| unit.is(Condition::Dm), false),
    ("unbroken", |unit| !unit.is(Condition::Broken), false),
    ("good-order", Unit::is_steady, false),
    ("holds", Unit::is_steady, false),
    ("moving", |unit| !unit.conditions.has_any(Condition::Broken, Condition::Pinned), false),
    ("pinned", |unit| unit.is(Condition::Pinned), false),
    ("unpinned", |unit| !unit.is(Condition::Pinned), false),
    ("disrupted", |unit| unit.is(Condition::Disrupted), false),
    ("berserk", |unit| unit.is(Condition::Berserk), false),
    ("wounded", |unit| unit.is(Condition::Wounded), false),
    ("fanatic", |unit| unit.is(Condition::Fanatic), false),
    ("heroic", |unit| unit.is(Condition::Heroic), false),
    ("captured", |unit| unit.is(Condition::Captured), true),
    ("gone", |unit| !unit.is_present(), true),
    ("concealed", |unit| unit.is(Condition::Concealed), false),
    ("breaks", |unit| unit.is(Condition::Broken), false),
    ("lost", |unit| !unit.is_present(), true),
];

const MOST_TESTS: usize = 16;

const HELP: &str = "write for example `broken` (any unit is), `all broken`, `none pinned`, \
    `2 dm` (the unit in slot 2), `mmc holds <= 1` (a number of units), or several joined: \
    `1 pinned and not any broken or 2 gone`";

impl StepCondition {
    /// Parses `[not] [any|all|none|SLOT] STATE`, or `[GROUP] STATE >=|<=|= N`, joined by `and`,
    /// which binds tighter, and `or`.
    ///
    /// # Errors
    ///
    /// Fails at words that are no test for a stack of these units, or at more than 16 tests.
    pub fn parse(text: &str, units: &[Member]) -> Result<StepCondition, Fault> {
        let mut alternatives = vec![Vec::new()];
        let mut words: Vec<(usize, &str)> = Vec::new();
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let all = text.split_whitespace().map(|word| (place(word), word));
        for (at, word) in all.chain([(text.len(), "")]) {
            let joins = canonical(word);
            if !matches!(joins.as_str(), "and" | "or" | "") {
                words.push((at, word));
                continue;
            }
            let span = match (words.first(), words.last()) {
                (Some((start, _)), Some((end, last))) => *start..end + last.len(),
                _ if at == text.len() => 0..text.len(),
                _ => at..at + word.len(),
            };
            let test = ConditionTest::parse(&text[span.clone()], &words, units)
                .map_err(|fault| Fault { span, ..fault })?;
            words.clear();
            if let Some(tests) = alternatives.last_mut() {
                tests.push(test);
            }
            if joins == "or" {
                alternatives.push(Vec::new());
            }
        }
        let count: usize = alternatives.iter().map(Vec::len).sum();
        if count > MOST_TESTS {
            let message =
                format!("{count} tests in one condition; at most {MOST_TESTS} are allowed");
            return Err(Fault::new(message, 0..text.len()));
        }
        Ok(StepCondition(alternatives))
    }

    /// Returns the number of tests.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Returns whether a test is of a number of units.
    pub(crate) fn counts(&self) -> bool {
        self.0.iter().flatten().any(|test| matches!(test.who, Who::Number { .. }))
    }

    /// Returns the words for the end of fire under this condition.
    pub(crate) fn as_stop(&self) -> String {
        format!("firing ends {self}")
    }

    pub(crate) fn picks(&self, place: usize) -> bool {
        self.0
            .iter()
            .flatten()
            .any(|test| matches!(test.who, Who::Place(of) if usize::from(of) == place))
    }

    /// Lists the tests in order, before the `length` stages of the step, each with the number of
    /// entries to skip if it fails, and true if that skips the step.
    ///
    /// The last test of every alternative but the last is negated. If the alternative holds, that
    /// test fails, and the remaining alternatives are skipped.
    pub(crate) fn tests(&self, length: usize) -> Vec<(ConditionTest, usize, bool)> {
        let mut listed = Vec::new();
        let mut left = self.len();
        for (number, tests) in (1..).zip(&self.0) {
            let is_last = number == self.0.len();
            left -= tests.len();
            for (number, test) in (1..).zip(tests) {
                let behind = tests.len() - number;
                listed.push(match (is_last, behind) {
                    (true, _) => (*test, behind + length, true),
                    (false, 0) => (ConditionTest { negated: !test.negated, ..*test }, left, false),
                    (false, _) => (*test, behind, false),
                });
            }
        }
        listed
    }

    /// Lists the tests as [`StepCondition::tests`] does, before `length` stages that are skipped if
    /// the condition holds.
    pub(crate) fn tests_against(&self, length: usize) -> Vec<(ConditionTest, usize, bool)> {
        let mut left = self.len();
        let mut listed = Vec::new();
        for tests in &self.0 {
            left -= tests.len();
            for (number, test) in (1..).zip(tests) {
                // The last test of an alternative fails if the alternative holds.
                listed.push(match tests.len() - number {
                    0 => (ConditionTest { negated: !test.negated, ..*test }, left + length, true),
                    behind => (*test, behind, false),
                });
            }
        }
        listed
    }
}

impl std::fmt::Display for StepCondition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joined = |tests: &Vec<ConditionTest>| {
            tests.iter().map(ConditionTest::to_string).collect::<Vec<_>>().join(" and ")
        };
        write!(f, "if {}", self.0.iter().map(joined).collect::<Vec<_>>().join(" or "))
    }
}

impl ConditionTest {
    /// Parses one test, such as `broken` (any unit is), `all broken`, `2 dm`.
    fn parse(
        text: &str,
        words: &[(usize, &str)],
        members: &[Member],
    ) -> Result<ConditionTest, Fault> {
        let mut words: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
        let negated = words.first().is_some_and(|word| canonical(word) == "not");
        words.drain(..usize::from(negated));
        let units = members.len();
        let (who, state) = match words[..] {
            [ref group @ .., state, compare, number] if comparison(compare).is_some() => {
                (number_of(group, compare, number, (text, members))?, state)
            }
            [state] => (Who::Any, state),
            [who, state] => {
                let slot = who.parse::<usize>().ok().filter(|slot| (1..=units).contains(slot));
                let who = match (canonical(who).as_str(), slot) {
                    ("any", _) => Who::Any,
                    ("all", _) => Who::All,
                    ("none", _) => Who::None,
                    (_, Some(slot)) => Who::Place(slot as u8 - 1),
                    _ => {
                        let message =
                            format!("`{who}` must be any, all, none or a slot from 1 to {units}");
                        return Err(Fault::new(message, 0..text.len()).help(HELP));
                    }
                };
                (who, state)
            }
            _ => {
                return Err(
                    Fault::new(format!("`{text}` is not a condition"), 0..text.len()).help(HELP)
                );
            }
        };
        let states = (0..).zip(STATES).map(|(place, (word, ..))| (word, place));
        Ok(ConditionTest { negated, who, state: named(state, states, "no state is called")? })
    }

    /// Translates the test into a process of fewer units. `place_of` maps indices of the stack.
    pub(crate) fn within(self, place_of: impl Fn(usize) -> Option<UnitIndex>) -> ConditionTest {
        let who = match self.who {
            // No unit has the last index, so the test finds none.
            Who::Place(place) => Who::Place(place_of(place.into()).unwrap_or(UnitIndex::MAX)),
            Who::Number { group, slots, compare, number } => {
                Who::Number { group, slots: slots.within(place_of), compare, number }
            }
            who => who,
        };
        ConditionTest { who, ..self }
    }

    /// Returns whether the test holds. `decided` is the result of `is_decided`.
    pub(crate) fn is_met_if(&self, decided: bool) -> bool {
        (decided != matches!(self.who, Who::All | Who::None)) != self.negated
    }

    /// Returns whether the units that `among` picks decide the test: one of them is in the sought
    /// state or, for `all`, one is not, or their number is as sought.
    pub(crate) fn is_decided(
        &self,
        location: &LocationState,
        among: impl Fn(UnitIndex) -> bool,
    ) -> bool {
        let (_, seeks, absent_too) = STATES[usize::from(self.state)];
        let is = |place: UnitIndex| seeks(location.unit(place));
        let mut counted = location
            .places()
            .filter(|&place| among(place) && (absent_too || location.unit(place).is_present()));
        match self.who {
            Who::Any | Who::None => counted.any(is),
            Who::All => counted.any(|place| !is(place)),
            Who::Place(of) => counted.any(|place| place == of && is(place)),
            Who::Number { slots, compare, number, .. } => {
                let count = counted.filter(|&place| slots.picks(place.into()) && is(place)).count();
                match compare {
                    Comparison::AtLeast => count >= usize::from(number),
                    Comparison::AtMost => count <= usize::from(number),
                    Comparison::Equal => count == usize::from(number),
                }
            }
        }
    }

    /// Returns whether the test holds now. Absent units count only for `gone` and `captured`.
    pub(crate) fn holds(&self, location: &LocationState) -> bool {
        self.is_met_if(self.is_decided(location, |_| true))
    }
}

impl std::fmt::Display for ConditionTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (state, ..) = STATES[usize::from(self.state)];
        let not = if self.negated { "not " } else { "" };
        match self.who {
            Who::Any => write!(f, "{not}any is {state}"),
            Who::All => write!(f, "{not}all are {state}"),
            Who::None => write!(f, "{not}none is {state}"),
            Who::Place(place) => write!(f, "{not}[{}] is {state}", place + 1),
            Who::Number { group, compare, number, .. } => {
                write!(f, "{not}{} {state} {} {number}", group.name(), compare.name())
            }
        }
    }
}

fn comparison(word: &str) -> Option<Comparison> {
    Comparison::ALL.into_iter().find(|compare| compare.name() == word)
}

/// Reads a number of units to compare with: `mmc ... <= 1`. Without a group it is that of the MMC,
/// or of all units where there are none.
fn number_of(
    group: &[&str],
    compare: &str,
    number: &str,
    (text, members): (&str, &[Member]),
) -> Result<Who, Fault> {
    let groups = GroupOfUnits::ALL.into_iter().map(|group| (group.name(), group));
    let has_mmc = || members.iter().any(|member| GroupOfUnits::Mmc.has(member));
    let group = match group {
        [] if has_mmc() => GroupOfUnits::Mmc,
        [] => GroupOfUnits::Units,
        [group] => named(group, groups, "no group of units is called")?,
        _ => {
            let message = format!("`{text}` is not a condition");
            return Err(Fault::new(message, 0..text.len()).help(HELP));
        }
    };
    let number = number.parse::<u8>().ok().filter(|number| usize::from(*number) <= MAX_UNITS);
    let number = number.ok_or_else(|| {
        let message = format!("expected a number of units from 0 to {MAX_UNITS}");
        Fault::new(message, 0..text.len()).help(HELP)
    })?;
    let is_of = |(_, member): &(usize, &Member)| group.has(member);
    let slots = members.iter().enumerate().filter(is_of).map(|(place, _)| place).collect();
    let compare = comparison(compare).unwrap_or(Comparison::Equal);
    Ok(Who::Number { group, slots, compare, number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::StackNotation;

    fn squads(number: usize) -> Vec<Member> {
        let stack = StackNotation::parse(&format!("{number}x german:4-6-7")).unwrap();
        stack.resolve(&[]).unwrap().members
    }

    #[test]
    fn conditions_print_in_words() {
        for (text, printed) in [
            ("broken", "if any is broken"),
            ("ANY DM", "if any is dm"),
            ("all good_order", "if all are good-order"),
            ("none pinned", "if none is pinned"),
            ("2 gone", "if [2] is gone"),
            ("not holds", "if not any is holds"),
            ("mmc holds <= 1", "if mmc holds <= 1"),
            ("1 dm or not breaks >= 2", "if [1] is dm or not mmc breaks >= 2"),
            (
                "1 pinned AND any broken or  not all moving and unpinned",
                "if [1] is pinned and any is broken or not all are moving and any is unpinned",
            ),
        ] {
            assert_eq!(StepCondition::parse(text, &squads(2)).unwrap().to_string(), printed);
        }
    }

    #[test]
    fn faults_of_conditions_have_their_place() {
        for (text, span, message) in [
            ("brokn", 0..5, "no state is called `brokn` (did you mean `broken`?)"),
            ("3 broken", 0..8, "`3` must be any, all, none or a slot from 1 to 2"),
            ("", 0..0, "`` is not a condition"),
            ("broken and", 0..10, "`broken and` is not a condition"),
            ("or broken", 0..2, "`or` is not a condition"),
            ("broken and and dm", 11..14, "`and` is not a condition"),
            ("not", 0..3, "`not` is not a condition"),
            ("1 broken or 2 dmm", 12..17, "no state is called `dmm`"),
            ("broken (or dm)", 0..14, "`broken (or dm)` is not a condition"),
            ("squads holds <= 1", 0..17, "no group of units is called `squads`"),
            ("mmc holds <= x", 0..14, "expected a number of units from 0 to 12"),
        ] {
            let fault = StepCondition::parse(text, &squads(2)).unwrap_err();
            assert!(fault.to_string().starts_with(message), "{text}: {fault}");
            assert_eq!(fault.span, span, "{text}");
        }
        let many = vec!["broken"; 17].join(" and ");
        let fault = StepCondition::parse(&many, &squads(2)).unwrap_err();
        assert!(fault.to_string().starts_with("17 tests"));
    }

    #[test]
    fn listed_tests_agree_with_the_condition() {
        for (text, happens) in [
            ("1 dm and 2 dm and 3 dm", (|a, b, c| a && b && c) as fn(bool, bool, bool) -> bool),
            ("1 dm or 2 dm or 3 dm", |a, b, c| a || b || c),
            ("1 dm and 2 dm or 3 dm", |a, b, c| a && b || c),
            ("1 dm or 2 dm and 3 dm", |a, b, c| a || b && c),
            ("not 1 dm or not 2 dm and not 3 dm", |a, b, c| !a || !b && !c),
        ] {
            let condition = StepCondition::parse(text, &squads(3)).unwrap();
            for holds in (0..8).map(|bits| [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0]) {
                let is_left_out = |tests: Vec<(ConditionTest, usize, bool)>| {
                    let (mut at, mut is_left_out) = (0, false);
                    while at < tests.len() {
                        let (test, skip, leaves_out) = tests[at];
                        let Who::Place(place) = test.who else { panic!("{test}") };
                        at += 1;
                        if !test.is_met_if(holds[usize::from(place)]) {
                            at += skip;
                            is_left_out = leaves_out;
                        }
                    }
                    let end = tests.len() + if is_left_out { 4 } else { 0 };
                    assert_eq!(at, end, "{text}: {holds:?}");
                    is_left_out
                };
                let [a, b, c] = holds;
                assert_eq!(!is_left_out(condition.tests(4)), happens(a, b, c), "{text}: {holds:?}");
                assert_eq!(
                    is_left_out(condition.tests_against(4)),
                    happens(a, b, c),
                    "{text}: {holds:?}"
                );
            }
        }
    }
}
