//! Attack plans of one side (11.12): groups and their targets, as a text such as `2>1; 3>2`, or by
//! name.

use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::state::{AttackLosses, CombatAttacks, CombatSide, CombatState, CombatUnits};
use crate::field_values::text_value;
use engine::text::notation::Remedy;
use engine::text::{Fault, canonical, counted};
use schema::Takes;
use schema::declared::named;

/// The largest number of units of a side in Close Combat.
pub const MOST_UNITS: usize = 6;

named! {
    /// A plan that fits any units.
    pub enum NamedPlan {
        /// One attack of all on all.
        All = "all",
        /// One attack of all on the first enemy block.
        First = "first",
        /// Attacks spread evenly over the enemy blocks.
        Pairs = "pairs",
        /// One attack of all on all, to capture (20.22).
        Capture = "capture",
        None = "none",
        /// The best plan by the objective, found by trying all.
        Best = "best",
        /// Withdrawal of all that can, and no attack (11.2).
        Withdraw = "withdraw",
    }
}

impl NamedPlan {
    /// Returns what the side does, in words.
    pub const fn in_words(self) -> &'static str {
        match self {
            NamedPlan::All => "one attack of all on all",
            NamedPlan::First => "all on the first block",
            NamedPlan::Pairs => "attacks spread evenly",
            NamedPlan::Capture => "one attempt of all to capture all",
            NamedPlan::None => "no attack",
            NamedPlan::Best => "the best",
            NamedPlan::Withdraw => "all withdraw that can",
        }
    }
}

/// Units that a plan names: all, or some by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlannedUnits {
    All,
    These(CombatUnits),
}

/// One attack of a written plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedAttack {
    pub by: PlannedUnits,
    pub at: PlannedUnits,
    pub is_capture: bool,
    /// The place of the attackers in the text, for faults.
    pub span: Range<usize>,
    /// The place of the targets in the text, for faults.
    pub at_span: Range<usize>,
}

/// A plan written out: its attacks in order, and who withdraws (11.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPlan {
    pub text: String,
    pub attacks: Vec<PlannedAttack>,
    pub withdraw: CombatUnits,
    /// The place of the units that withdraw in the text, for faults.
    pub withdraw_span: Range<usize>,
}

/// The attack plan of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttackPlan {
    Named(NamedPlan),
    Written(Arc<WrittenPlan>),
}

text_value!(AttackPlan, Takes::Text("PLAN"), AttackPlan::parse, |plan| plan.text().into());

const EXAMPLE: &str = "write attacks such as `2>1; 3>2`, or one of best, all, first, pairs, \
    capture, none, withdraw";

impl AttackPlan {
    /// Returns the plan as text.
    pub fn text(&self) -> &str {
        match self {
            AttackPlan::Named(plan) => plan.name(),
            AttackPlan::Written(plan) => &plan.text,
        }
    }

    /// Returns the units named to withdraw, in a plan that names them.
    pub fn withdraws(&self) -> CombatUnits {
        match self {
            AttackPlan::Named(_) => CombatUnits::default(),
            AttackPlan::Written(plan) => plan.withdraw,
        }
    }

    /// Parses a plan.
    ///
    /// # Errors
    ///
    /// Fails if the text is neither the name of a plan nor a list of attacks. Spans are bytes.
    pub fn parse(text: &str) -> Result<AttackPlan, Fault> {
        let word = canonical(text);
        if let Some(named) = NamedPlan::ALL.into_iter().find(|plan| plan.name() == word) {
            return Ok(AttackPlan::Named(named));
        }
        if !text.contains(['>', ';']) && !word.starts_with(WITHDRAW) {
            let fault = Fault::new(format!("no plan is called `{text}`"), 0..text.len());
            return Err(fault.expecting(text, NamedPlan::NAMES).help(EXAMPLE));
        }
        let mut plan = WrittenPlan {
            text: String::new(),
            attacks: Vec::new(),
            withdraw: CombatUnits::default(),
            withdraw_span: 0..0,
        };
        let mut start = 0;
        for part in text.split(';') {
            plan.read_part(part, start)?;
            start += part.len() + 1;
        }
        if plan.attacks.is_empty() && plan.withdraw.is_empty() {
            let fault = Fault::new("the plan has no attack", 0..text.len());
            return Err(fault.help("`none` is the plan of those who do not attack"));
        }
        plan.check_attackers()?;
        plan.text = plan.written();
        Ok(AttackPlan::Written(Arc::new(plan)))
    }
}

const WITHDRAW: &str = "withdraw";
const CAPTURE: &str = "!capture";

impl WrittenPlan {
    /// Reads one part between two `;`, which begins at `start` of the text.
    fn read_part(&mut self, part: &str, start: usize) -> Result<(), Fault> {
        let lead = part.len() - part.trim_start().len();
        let (trimmed, start) = (part.trim(), start + lead);
        if trimmed.is_empty() {
            return Ok(());
        }
        if let Some(units) = trimmed.strip_prefix(WITHDRAW) {
            let span = start + WITHDRAW.len()..start + trimmed.len();
            let PlannedUnits::These(units) = choice(units, span.clone())? else {
                return Err(
                    Fault::new("say which units withdraw", span).help("for example `withdraw 2`")
                );
            };
            self.withdraw = self.withdraw.with_all(units);
            self.withdraw_span = span;
            return Ok(());
        }
        let Some(sign) = trimmed.find('>') else {
            let fault =
                Fault::new(format!("`{trimmed}` is no attack"), start..start + trimmed.len());
            return Err(fault.help("write `1>2`: unit 1 attacks their unit 2"));
        };
        let (by, at) = (&trimmed[..sign], &trimmed[sign + 1..]);
        let is_capture = at.trim_end().ends_with(CAPTURE);
        let at = at.trim_end().strip_suffix(CAPTURE).unwrap_or(at);
        if let Some(mark) = at.find('!') {
            let place = start + sign + 1 + mark;
            let message = format!("expected `{CAPTURE}`, not `{}`", at[mark..].trim_end());
            let fault = Fault::new(message, place..start + trimmed.len());
            return Err(fault.help("`1>1 !capture` is an attempt to capture (A20.22)"));
        }
        let span = start..start + sign;
        let at_span = start + sign + 1..start + sign + 1 + at.len();
        let (by, at) = (choice(by, span.clone())?, choice(at, at_span.clone())?);
        self.attacks.push(PlannedAttack { by, at, is_capture, span, at_span });
        Ok(())
    }

    /// Checks that no unit attacks, is attacked or withdraws more than once (11.12, 11.2).
    fn check_attackers(&self) -> Result<(), Fault> {
        let (mut attackers, mut targets) = (self.withdraw, CombatUnits::default());
        for attack in &self.attacks {
            let several = self.attacks.len() > 1;
            for (choice, used, span, what) in [
                (attack.by, &mut attackers, &attack.span, "attacks or withdraws only once"),
                (attack.at, &mut targets, &attack.at_span, "is attacked only once"),
            ] {
                let twice = |what: String, help: &'static str| {
                    Err(Fault::new(what, span.clone()).help(Remedy::from(help)))
                };
                match choice {
                    PlannedUnits::All if several => {
                        return twice(
                            "beside other attacks name the units: each is used once (A11.12)"
                                .into(),
                            "for example `2>1; 3>2`",
                        );
                    }
                    PlannedUnits::All => {}
                    PlannedUnits::These(units) => {
                        if let Some(unit) = units.and(*used).units().next() {
                            let what = format!("unit {} {what} (A11.12, A11.2)", unit + 1);
                            return twice(what, "leave it out of one of them");
                        }
                        *used = used.with_all(units);
                    }
                }
            }
        }
        Ok(())
    }

    fn written(&self) -> String {
        let units = |choice: PlannedUnits| match choice {
            PlannedUnits::All => "all".to_string(),
            PlannedUnits::These(units) => units.in_words(","),
        };
        let withdraw = (!self.withdraw.is_empty())
            .then(|| format!("{WITHDRAW} {}", self.withdraw.in_words(",")));
        let attack = |attack: &PlannedAttack| {
            let capture = if attack.is_capture { " !capture" } else { "" };
            format!("{}>{}{capture}", units(attack.by), units(attack.at))
        };
        let parts = withdraw.into_iter().chain(self.attacks.iter().map(attack));
        parts.collect::<Vec<_>>().join("; ")
    }

    /// Checks that every number is that of a unit: of `own` units here, or of `enemies`.
    ///
    /// # Errors
    ///
    /// Fails at the place of a number beyond the stack.
    pub fn check_numbers(&self, own: usize, enemies: usize) -> Result<(), Fault> {
        let check = |units: CombatUnits, number: usize, side: &str, span: &Range<usize>| match units
            .units()
            .find(|&unit| usize::from(unit) >= number)
        {
            Some(unit) => {
                let has = counted(number as u64, "unit");
                let message = format!("there is no unit {}: {side} has {has}", unit + 1);
                Err(Fault::new(message, span.clone()).help("units are numbered as stacked, from 1"))
            }
            None => Ok(()),
        };
        check(self.withdraw, own, "the stack", &self.withdraw_span)?;
        for attack in &self.attacks {
            if let PlannedUnits::These(units) = attack.by {
                check(units, own, "the stack", &attack.span)?;
            }
            if let PlannedUnits::These(units) = attack.at {
                check(units, enemies, "the enemy", &attack.at_span)?;
            }
        }
        Ok(())
    }
}

/// Reads `all`, or numbers from 1 with commas between them. `span` is the place of the text.
fn choice(text: &str, span: Range<usize>) -> Result<PlannedUnits, Fault> {
    if canonical(text) == NamedPlan::All.name() {
        return Ok(PlannedUnits::All);
    }
    let number =
        |word: &str| word.trim().parse::<usize>().ok().and_then(|unit| unit.checked_sub(1));
    let units: Option<Vec<usize>> = text.split(',').map(number).collect();
    let units = units.filter(|units| units.iter().all(|&unit| unit < usize::from(u8::MAX)));
    let fault = || {
        let message = format!("expected numbers of units, not `{}`", text.trim());
        Fault::new(message, span).help("for example `2`, `2,3` or `all`")
    };
    let units = units.ok_or_else(fault)?;
    Ok(PlannedUnits::These(units.into_iter().map(|unit| unit.min(15) as u8).collect()))
}

/// The plan of a side in each Player Turn: the first, and the one from the second on.
#[derive(Clone, Debug)]
pub struct SidePlan {
    pub first: AttackPlan,
    pub then: AttackPlan,
}

impl SidePlan {
    /// Returns the plan in a Player Turn, counted from 1.
    pub fn in_turn(&self, turn: u16) -> &AttackPlan {
        if turn > 1 { &self.then } else { &self.first }
    }
}

impl CombatSide {
    /// Returns the name of the field with the plan of the side.
    pub(super) const fn plan_field(self) -> &'static str {
        match self {
            CombatSide::Ours => "plan",
            CombatSide::Theirs => "reply",
        }
    }
}

/// The plans of both sides in the first round, with the value that follows.
#[derive(Clone, Debug)]
pub struct RatedPlan {
    pub attacks: CombatAttacks,
    /// The units of each side that withdraw.
    pub withdraw: [CombatUnits; 2],
    /// The value of the objective, as it is shown.
    pub value: f64,
}

/// The options and values found so far, if they are found as states come up.
#[derive(Debug, Default)]
pub(super) struct FoundPlans {
    pub options: FxHashMap<CombatState, u16>,
    pub losses: AttackLosses,
}

/// The best option of every state with a choice, and the best plans.
#[derive(Debug, Default)]
pub struct BestPlans {
    pub(super) options: FxHashMap<CombatState, u16>,
    /// The options found so far, if they are found as states come up.
    pub(super) found: Option<Mutex<FoundPlans>>,
    /// The value of the objective, as it is shown.
    pub value: f64,
    /// The best plan of the first round without an Ambush, and the next best one.
    pub plans: Vec<RatedPlan>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_read_and_written() {
        for (text, canonical) in [
            ("all", "all"),
            ("Pairs", "pairs"),
            ("2>1; 3>2", "2>1; 3>2"),
            (" 2 > 1;3,4>2 !capture;", "2>1; 3,4>2 !capture"),
            ("withdraw 2; 1>1", "withdraw 2; 1>1"),
            ("all>all", "all>all"),
        ] {
            assert_eq!(AttackPlan::parse(text).unwrap().text(), canonical, "{text}");
        }
    }

    #[test]
    fn faults_of_plans_have_their_place() {
        for (text, fault) in [
            ("al", "0..2 no plan is called `al`"),
            ("2>1; 2>2", "5..6 unit 2 attacks or withdraws only once (A11.12, A11.2)"),
            ("1>1; 2>1", "7..8 unit 1 is attacked only once (A11.12, A11.2)"),
            ("withdraw 1; 1>1", "12..13 unit 1 attacks or withdraws only once"),
            ("1>x", "2..3 expected numbers of units, not `x`"),
            ("1>1; all>2", "5..8 beside other attacks name the units"),
            ("1>1; 2", "5..6 `2` is no attack"),
            ("1>1 !catpure", "4..12 expected `!capture`, not `!catpure`"),
            (" ; ", "0..3 the plan has no attack"),
        ] {
            let found = AttackPlan::parse(text).unwrap_err();
            let found = format!("{:?} {}", found.span, found.message);
            assert!(found.starts_with(fault), "{text}: {found}");
        }
    }
}
