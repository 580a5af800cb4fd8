//! A question being filled in, field by field.

use super::field::Side;
use super::kinds::{KINDS, STEP_FIELDS};
use super::level::Until;
use super::notation;
use super::order::Order;
use super::question::{Ask, Cause, Question, What};
use super::rules::Rules;
use super::step::{ForceDraft, MAX_ATTACKS, StepDraft, orders, ways};
use super::telling::counted;
use super::unit::Member;
use crate::process::Question as _;
use crate::system::form::{FieldFault, Form, Value};
use crate::system::{Kind, Parameter};
use crate::text::{Fault, canonical};

/// Most turns of a question.
const MAX_TURNS: i64 = 60;
/// Most steps of a sequence.
const MAX_STEPS: usize = 40;

/// A question being filled in.
#[derive(Clone, Debug)]
pub struct Draft {
    pub(super) kind: &'static Kind,
    pub(super) ask: Ask,
    pub(super) units: Option<Vec<Member>>,
    pub(super) enemies: Vec<Member>,
    pub(super) by: Vec<Member>,
    pub(super) cause: Option<Cause>,
    pub(super) order: Order,
    pub(super) by_order: Option<Order>,
    /// Orders each army chooses from.
    pub(super) orders: [Vec<Order>; 2],
    pub(super) ways: Option<Vec<Vec<Side>>>,
    pub(super) force: ForceDraft,
    pub(super) attacks: u8,
    pub(super) turns: u16,
    pub(super) just_routed: bool,
    pub(super) staff_lost: [bool; 2],
    pub(super) until: Until,
    pub(super) joint: bool,
    pub(super) rules: Rules,
    pub(super) steps: Vec<StepDraft>,
}

impl Draft {
    /// A question with every field at its default.
    pub fn new(kind: &'static Kind) -> Draft {
        let place = KINDS.iter().position(|known| known.name == kind.name).unwrap_or(0);
        let ask = Ask::ALL[place];
        Draft {
            kind,
            ask,
            units: None,
            enemies: Vec::new(),
            by: Vec::new(),
            cause: None,
            order: Order::None,
            by_order: None,
            orders: [Vec::new(), Vec::new()],
            ways: None,
            force: ForceDraft::default(),
            attacks: 1,
            turns: if ask == Ask::Recover { 6 } else { 1 },
            just_routed: false,
            staff_lost: [false, false],
            until: Until::Never,
            joint: false,
            rules: Rules::default(),
            steps: Vec::new(),
        }
    }

    /// The fields of such a question, parameters and those of steps left out.
    fn fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.kind.subject.iter().chain(self.kind.fields).map(|field| field.name)
    }

    fn set_field(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        match name {
            "units" => self.units = Some(notation::parse(value.text(name)?)?),
            "enemies" => self.enemies = notation::parse(value.text(name)?)?,
            "by" => self.by = notation::parse(value.text(name)?)?,
            "cause" => self.cause = Some(Cause::named(value.text(name)?)?),
            "order" => self.order = Order::named(value.text(name)?)?,
            "by-order" => self.by_order = Some(Order::named(value.text(name)?)?),
            "orders" => self.orders[0] = orders(name, value)?,
            "enemy-orders" => self.orders[1] = orders(name, value)?,
            "sides" => self.ways = Some(ways(value)?),
            "attacks" => self.attacks = value.integer(name, 1, MAX_ATTACKS)? as u8,
            "turns" => self.turns = value.integer(name, 1, MAX_TURNS)? as u16,
            "just-routed" => self.just_routed = value.boolean(name)?,
            "staff-lost" => self.staff_lost[0] = value.boolean(name)?,
            "enemy-staff-lost" => self.staff_lost[1] = value.boolean(name)?,
            "until" => self.until = until(value)?,
            "joint" => self.joint = value.boolean(name)?,
            _ => self.force.set(name, value)?,
        }
        Ok(())
    }

    /// `2.at`: a field of the second step; `2.do` comes first and says what the step does.
    fn set_in_step(&mut self, number: usize, name: &str, value: Value) -> Result<(), Fault> {
        if name == "do" {
            if number > MAX_STEPS {
                return Err(Fault::new(format!("a sequence has at most {MAX_STEPS} steps"), value.span()));
            }
            if self.steps.len() + 1 != number {
                return Err(Fault::new(
                    format!("step {number} does not follow on {}", steps_in_words(self.steps.len())),
                    value.span(),
                ));
            }
            self.steps.push(StepDraft::named(value.text("do")?)?);
            return Ok(());
        }
        let steps = self.steps.len();
        let step = number
            .checked_sub(1)
            .and_then(|place| self.steps.get_mut(place))
            .ok_or_else(|| Fault::new(format!("there is no step {number}: the sequence has {}", steps_in_words(steps)), 0..0))?;
        if !step.fields().contains(&name) {
            let fault = Fault::new(format!("a step that does `{}` has no field `{name}`", step.deed), 0..0);
            return Err(fault.expecting(name, step.fields().iter().copied()));
        }
        step.set(name, value)
    }

    /// The number and the field of `2.at`.
    fn of_step(&self, name: &str) -> Option<(usize, String)> {
        let (number, field) = name.split_once('.').filter(|_| self.has_steps())?;
        Some((number.parse().ok()?, field.to_string()))
    }
}

fn steps_in_words(steps: usize) -> String {
    counted(steps as u64, "step", "steps")
}

fn until(value: Value) -> Result<Until, Fault> {
    let text = value.text("until")?;
    let name = canonical(text);
    Until::ALL.into_iter().find(|until| until.name() == name).ok_or_else(|| {
        let fault = Fault::new(format!("`until` has no value `{text}`"), 0..text.len());
        fault.expecting(text, Until::ALL.map(Until::name))
    })
}

impl Form for Draft {
    type Filled = Question;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        let name = canonical(field);
        if Rules::knows(&name) {
            return self.rules.set(&name, value);
        }
        if let Some((number, name)) = self.of_step(&name) {
            return self.set_in_step(number, &name, value);
        }
        if !self.fields().any(|known| known == name) {
            let fault = Fault::new(format!("`{}` has no field `{field}`", self.kind.name), 0..0);
            return Err(fault.expecting(field, self.fields().chain(Rules::PARAMETERS.iter().map(|parameter| parameter.name))));
        }
        self.set_field(&name, value)
    }

    fn knows(&self, field: &str) -> bool {
        let name = canonical(field);
        let known_in_step = |(number, name): (usize, String)| {
            let step = number.checked_sub(1).and_then(|place| self.steps.get(place));
            name == "do" || step.is_some_and(|step| step.fields().contains(&name.as_str()))
        };
        Rules::knows(&name) || self.fields().any(|known| known == name) || self.of_step(&name).is_some_and(known_in_step)
    }

    fn canonical_field(field: &str) -> String {
        canonical(field)
    }

    fn finish(&self) -> Result<Question, FieldFault> {
        let units = self
            .units
            .clone()
            .ok_or_else(|| FieldFault::new("units", "units are missing").help("for example `unit/base=10,shaken`"))?;
        self.check(&units)?;
        let what = self.what()?;
        let fights = matches!(what, What::Assault { .. } | What::Sequence(_));
        let mut question = Question {
            ask: self.ask,
            units,
            enemies: if fights { self.enemies().to_vec() } else { Vec::new() },
            order: self.order,
            orders: self.orders.clone(),
            staff_lost: self.staff_lost,
            until: self.until,
            joint: self.joint,
            rules: self.rules.clone(),
            what,
            policies: Vec::new(),
        };
        question.policies = question.whole().policies();
        Ok(question)
    }

    fn setting(field: &str) -> Option<&'static str> {
        Parameter::named(field, Rules::PARAMETERS).ok().map(|parameter| parameter.name)
    }

    fn check_setting(name: &str, _value: &str) -> Result<(), Fault> {
        Parameter::named(name, Rules::PARAMETERS).map(drop)
    }

    const EXAMPLE: &'static str = "damage-rule=divide";

    fn deeds(&self) -> Vec<&'static str> {
        let deeds = STEP_FIELDS.iter().filter(|_| self.ask == Ask::Sequence);
        deeds.map(|(deed, _)| *deed).collect()
    }
}

impl Cause {
    fn named(text: &str) -> Result<Cause, Fault> {
        let name = canonical(text);
        Cause::ALL.into_iter().find(|cause| cause.name() == name).ok_or_else(|| {
            let fault = Fault::new(format!("no cause is called `{text}`"), 0..text.len());
            fault.expecting(text, Cause::ALL.map(Cause::name))
        })
    }
}
