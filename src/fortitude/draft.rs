//! A question being filled in, field by field, and checked.

use super::battle::Force;
use super::field::{Army, Foes, Side};
use super::kinds::{KINDS, STEP_FIELDS};
use super::level::Until;
use super::notation;
use super::order::Order;
use super::question::{Ask, Cause, Question, What};
use super::rules::Rules;
use super::step::{Attackers, ForceDraft, MAX_ATTACKS, Step, StepDraft, orders, sides};
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
    kind: &'static Kind,
    ask: Ask,
    units: Option<Vec<Member>>,
    enemies: Vec<Member>,
    by: Vec<Member>,
    cause: Option<Cause>,
    order: Order,
    by_order: Option<Order>,
    /// Orders each army chooses from.
    orders: [Vec<Order>; 2],
    sides: Option<Vec<Side>>,
    force: ForceDraft,
    attacks: u8,
    turns: u16,
    just_routed: bool,
    staff_lost: [bool; 2],
    until: Until,
    joint: bool,
    rules: Rules,
    steps: Vec<StepDraft>,
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
            sides: None,
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
            "sides" => self.sides = Some(sides(value)?),
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
                return Err(Fault::new(format!("step {number} does not follow on {} steps", self.steps.len()), value.span()));
            }
            self.steps.push(StepDraft::named(value.text("do")?)?);
            return Ok(());
        }
        let steps = self.steps.len();
        let step = number.checked_sub(1).and_then(|place| self.steps.get_mut(place)).ok_or_else(|| {
            let steps = if steps == 1 { "1 step".to_string() } else { format!("{steps} steps") };
            Fault::new(format!("there is no step {number}: the sequence has {steps}"), 0..0)
        })?;
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

    fn what(&self) -> Result<What, FieldFault> {
        let units = self.units.as_ref().map_or(0, Vec::len);
        Ok(match self.ask {
            Ask::Test => self.test()?,
            Ask::Recover => What::Recover { turns: self.turns, just_routed: self.just_routed },
            Ask::Fire => self.fire()?,
            Ask::Assault => self.assault(units)?,
            Ask::Sequence => What::Sequence(self.sequence(units)?),
        })
    }

    fn test(&self) -> Result<What, FieldFault> {
        let words = "morale, flank, rear, casualties or staff-lost";
        let cause = self.cause.ok_or_else(|| FieldFault::new("cause", format!("say why they are tested: {words}")))?;
        if cause == Cause::Morale && self.order != Order::None {
            return Err(FieldFault::new("order", "orders are given after the Morale Phase: leave `order` out"));
        }
        if cause == Cause::StaffLost && self.staff_lost[0] {
            return Err(FieldFault::new("staff-lost", "the General Staff cannot be lost before it is lost"));
        }
        match self.force.casualties {
            Some(_) if cause != Cause::Casualties => {
                Err(FieldFault::new("casualties", "only the cause `casualties` brings casualties"))
            }
            Some(0) => Err(FieldFault::new("casualties", "without a casualty there is no test")),
            casualties => Ok(What::Test { cause, casualties: casualties.unwrap_or(1) }),
        }
    }

    fn fire(&self) -> Result<What, FieldFault> {
        let force = self.force.finish(!self.by.is_empty())?;
        if self.by.iter().any(|member| member.level.is_routed()) {
            return Err(FieldFault::new("by", "a unit that is Shaken or Panicked does not fire"));
        }
        if self.by.is_empty() && self.by_order.is_some() {
            return Err(FieldFault::new("by-order", "nobody fires who could have an order: say who with `by`"));
        }
        if force.is_none() && self.by.is_empty() {
            let help = "`--casualties 1`, or `--dice 6 --value 10`, or `--by samurai-cavalry`";
            return Err(FieldFault::new("dice", "say what is fired").help(help));
        }
        let by_order = self.by_order.unwrap_or(Order::FireRangedWeapons);
        check_cavalry("by-order", &[by_order], &self.by)?;
        Ok(What::Fire { force, by: self.by.clone(), by_order, attacks: self.attacks, turns: self.turns })
    }

    fn assault(&self, units: usize) -> Result<What, FieldFault> {
        if units != 1 {
            return Err(FieldFault::new("units", format!("one unit is assaulted, not {units}")));
        }
        let sides = self.sides.clone().unwrap_or(vec![Side::Front; self.by.len().max(1)]);
        let force = self.force.finish(!self.by.is_empty())?;
        if !self.by.is_empty() && self.by.len() != sides.len() {
            let message = format!("{} units assault, but {} sides are named", self.by.len(), sides.len());
            return Err(FieldFault::new("sides", message));
        }
        if self.by.iter().any(|member| member.level.is_routed()) {
            return Err(FieldFault::new("by", "a unit that is Shaken or Panicked does not assault"));
        }
        if self.by.is_empty() && (!self.orders[1].is_empty() || self.staff_lost[1]) {
            let field = if self.staff_lost[1] { "enemy-staff-lost" } else { "enemy-orders" };
            return Err(FieldFault::new(field, "no unit assaults: say who with `by`"));
        }
        if self.rules.assault_each_turn && !self.orders[1].is_empty() {
            return Err(FieldFault::new("enemy-orders", "with `assault-each-turn` who assaults has that order every turn"));
        }
        Ok(What::Assault { sides, force, turns: self.turns })
    }

    fn sequence(&self, units: usize) -> Result<Vec<Step>, FieldFault> {
        if self.steps.is_empty() {
            return Err(FieldFault::new("1.do", "a sequence without steps").help("[[step]] with `do = \"turn\"`"));
        }
        if self.rules.assault_each_turn {
            let message = "in a sequence every assault is a step of its own: leave `assault-each-turn` out";
            return Err(FieldFault::new("assault-each-turn", message));
        }
        let all = units + self.enemies.len();
        let mut steps = Vec::new();
        for (number, draft) in (1..).zip(&self.steps) {
            let of_step = |fault: FieldFault| FieldFault { field: format!("{number}.{}", fault.field), ..fault };
            let step = draft.finish(units, all).map_err(of_step)?;
            steps.push(step);
            self.check_turn(&steps).map_err(of_step)?;
        }
        let forces = |step: &Step| match step {
            Step::Assault { by: Attackers::Force(_), sides, .. } => sides.len(),
            _ => 0,
        };
        if steps.iter().map(forces).sum::<usize>() > Foes::MOST_FORCES {
            let message = format!("at most {} assaults of a sequence are by dice or fixed casualties", Foes::MOST_FORCES);
            return Err(FieldFault::new("1.do", message));
        }
        Ok(steps)
    }

    /// The last of some steps against those before it in its turn.
    fn check_turn(&self, steps: &[Step]) -> Result<(), FieldFault> {
        let Some((last, before)) = steps.split_last() else { return Ok(()) };
        if let Step::Turn(orders) = last {
            let units = self.units.iter().flatten().chain(&self.enemies).collect::<Vec<_>>();
            let mounted = |&&(place, order): &&(u8, Order)| units[usize::from(place)].cavalry && !order.is_for_cavalry();
            return orders.iter().find(mounted).map_or(Ok(()), |&(_, order)| Err(not_for_cavalry("orders", order)));
        }
        let Some(start) = before.iter().rposition(|step| matches!(step, Step::Turn(_))) else {
            return Err(FieldFault::new("do", "a sequence begins with a step that does `turn`"));
        };
        if let Step::Place { unit, staff: Some(_), .. } = last {
            self.check_place(usize::from(*unit), before)?;
        }
        let (turn, before) = (&before[start], &before[start + 1..]);
        let assaults =
            || before.iter().filter_map(|step| if let Step::Assault { at, by, .. } = step { Some((at, by)) } else { None });
        match last {
            Step::Fire { .. } if assaults().next().is_some() => {
                Err(FieldFault::new("do", "fire comes before the assaults of its turn"))
            }
            Step::Assault { at, .. } if assaults().any(|(other, _)| other == at) => {
                Err(FieldFault::new("at", format!("slot {} is assaulted already: name all sides in one step", at + 1)))
            }
            Step::Assault { by: Attackers::Units(units), .. } => {
                let busy =
                    |place: &u8| assaults().any(|(_, by)| matches!(by, Attackers::Units(others) if others.contains(place)));
                let twice = |(number, place): (usize, &u8)| units[..number].contains(place) || busy(place);
                if let Some((_, place)) = units.iter().enumerate().find(|&pair| twice(pair)) {
                    return Err(FieldFault::new("by", format!("slot {} assaults already", place + 1)));
                }
                let Step::Turn(orders) = turn else { return Ok(()) };
                let other = |(place, order): &&(u8, Order)| units.contains(place) && *order != Order::Assault;
                orders.iter().find(other).map_or(Ok(()), |(place, order)| {
                    let message = format!("slot {} has the order {}: it cannot assault", place + 1, order.name());
                    Err(FieldFault::new("by", message))
                })
            }
            _ => Ok(()),
        }
    }

    /// A unit that is given a distance to its General Staff, after those steps.
    fn check_place(&self, place: usize, before: &[Step]) -> Result<(), FieldFault> {
        let units = self.units.as_deref().unwrap_or_default();
        let army = if place < units.len() { Army::Owner } else { Army::Enemy };
        let member = units.iter().chain(&self.enemies).nth(place);
        if member.is_some_and(|member| member.general_staff) {
            return Err(FieldFault::new("staff", "the General Staff has no distance to itself: leave `staff` out"));
        }
        if self.staff_lost[army as usize] || before.contains(&Step::StaffLost(army)) {
            return Err(FieldFault::new("staff", "the General Staff is lost: leave `staff` out"));
        }
        Ok(())
    }

    /// What contradicts itself whatever is asked.
    fn check(&self, units: &[Member]) -> Result<(), FieldFault> {
        check_cavalry("order", &[self.order], units)?;
        if self.order != Order::None && !self.orders[0].is_empty() {
            return Err(FieldFault::new("order", "either one order or `orders` to choose from"));
        }
        let chosen = [("orders", units), ("enemy-orders", self.enemies())];
        for ((field, army), orders) in chosen.into_iter().zip(&self.orders) {
            let mounted = army.iter().any(|member| member.cavalry);
            if mounted && !orders.is_empty() && orders.iter().all(|order| !order.is_for_cavalry()) {
                return Err(FieldFault::new(field, "none of these orders is for cavalry"));
            }
        }
        let armies = [("units", "staff-lost", units), (self.enemy_field(), "enemy-staff-lost", self.enemies())];
        for ((field, lost_field, army), lost) in armies.into_iter().zip(self.staff_lost) {
            let staffs = army.iter().filter(|member| member.general_staff).count();
            if staffs > 1 {
                return Err(FieldFault::new(field, "an army has one General Staff"));
            }
            if lost && staffs > 0 {
                return Err(FieldFault::new(lost_field, "the General Staff is among the units: it is not lost"));
            }
            if lost && army.iter().any(|member| member.staff.is_some()) {
                return Err(FieldFault::new(lost_field, "a unit has a distance to the General Staff: it is not lost"));
            }
        }
        if self.cause == Some(Cause::StaffLost) && units.iter().any(|member| member.general_staff) {
            return Err(FieldFault::new("units", "the General Staff is lost: it makes no test"));
        }
        Ok(())
    }

    /// The units on the other side, whatever the field is called.
    fn enemies(&self) -> &[Member] {
        if self.ask == Ask::Sequence { &self.enemies } else { &self.by }
    }

    const fn enemy_field(&self) -> &'static str {
        match self.ask {
            Ask::Sequence => "enemies",
            _ => "by",
        }
    }
}

fn not_for_cavalry(field: &str, order: Order) -> FieldFault {
    FieldFault::new(field, format!("the order {} is not for cavalry", order.name()))
}

fn check_cavalry(field: &str, orders: &[Order], units: &[Member]) -> Result<(), FieldFault> {
    let cavalry = units.iter().any(|member| member.cavalry);
    orders.iter().find(|order| cavalry && !order.is_for_cavalry()).map_or(Ok(()), |&order| Err(not_for_cavalry(field, order)))
}

fn until(value: Value) -> Result<Until, Fault> {
    let text = value.text("until")?;
    let name = canonical(text);
    Until::ALL.into_iter().find(|until| until.name() == name).ok_or_else(|| {
        let fault = Fault::new(format!("`until` is not `{text}`"), 0..text.len());
        fault.expecting(text, Until::ALL.map(Until::name))
    })
}

impl Form for Draft {
    type Filled = Question;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        let name = canonical(field);
        if Rules::PARAMETERS.iter().any(|parameter| parameter.name == name) {
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
        Rules::PARAMETERS.iter().any(|parameter| parameter.name == name)
            || self.fields().any(|known| known == name)
            || self.of_step(&name).is_some_and(known_in_step)
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

/// Fixed casualties of none: an assault of which only the tests are asked for.
pub(super) const NO_FIGHT: Force = Force::Fixed(0);
