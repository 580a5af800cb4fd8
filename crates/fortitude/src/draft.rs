//! Builds a question from a filled-in form: checks its fields together, and makes stages.

use super::Fortitude;
use super::battle::{Battle, Fighter, Force, Stage};
use super::field::{Army, AttackManner, By, Facing, UnitIndex};
use super::kinds::{Fields, QuestionKind, StepFields, StepKind};
use super::notation::{AttackDice, AttackValue, Casualties, Cause};
use super::order::Order;
use super::question::Question;
use super::rules::Rules;
use super::unit::Member;
use engine::process::ReportIndex;
use engine::text::notation::{field, shown, text_field};
use play::{DynQuestion, QuestionForm, StepDraft, question_form};
use schema::{Field, FieldFault, Measure, Whole};

/// A question that is being filled in.
pub type Draft = question_form::Draft<Fortitude>;
/// A builder of questions for programs, with one method for each field.
pub type QuestionBuilder = question_form::QuestionBuilder<Fortitude>;

impl QuestionForm for Fortitude {
    type QuestionKind = QuestionKind;
    type Head = Fields;
    type StepKind = StepKind;
    type Step = StepFields;
    type Rules = Rules;
    type Question = Question;

    const MEASURES: &'static [Measure] = crate::question::MEASURES;

    const MOST_STEPS: usize = 40;

    fn finish(draft: &Draft) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft) -> Result<Question, FieldFault> {
        let Draft { ask, head, steps, rules, .. } = draft;
        let missing =
            || Fields::units.fault("units are missing").help("for example `unit/base=10,shaken`");
        head.units.as_ref().ok_or_else(missing)?;
        let battle = Battle {
            rules: rules.clone(),
            fighters: Vec::new(),
            forces: Vec::new(),
            stages: Vec::new(),
            orders: [&head.orders, &head.enemy_orders].map(|orders| orders.0.clone()),
            staff_lost: [head.staff_lost, head.enemy_staff_lost],
            until: head.until,
            joint: head.joint,
        };
        let (head, policies) = (head.clone(), Vec::new());
        let mut question = Question { ask: *ask, head, battle, force: None, policies };
        question.compile(steps)?;
        question.policies = question.battle.policies();
        Ok(question)
    }
}

/// An attacker that causes no casualties, for an assault of which only the tests matter.
const NO_FIGHT: Force = Force::Fixed(0);

impl Question {
    pub(super) fn compile(&mut self, steps: &[StepDraft<Fortitude>]) -> Result<(), FieldFault> {
        self.check()?;
        let moves = self.ask != QuestionKind::Test;
        let fighter = |(slot, member): (u8, &Member)| Fighter {
            member: member.clone(),
            army: self.army(slot),
            slot,
            runs: moves && (member.start.staff.is_some() || member.start.edge.is_some()),
        };
        let members = self.units().iter().chain(self.enemies());
        self.battle.fighters = (1..).zip(members).map(fighter).collect();
        match self.ask {
            QuestionKind::Test => self.test(),
            QuestionKind::Recover => {
                self.recover();
                Ok(())
            }
            QuestionKind::Fire => self.fire(),
            QuestionKind::Assault => self.assault(),
            QuestionKind::Sequence => self.battle.sequence(steps),
        }
    }

    fn test(&mut self) -> Result<(), FieldFault> {
        let Fields { cause, casualties, .. } = self.head;
        let Some(cause) = cause else {
            let words = "morale, flank, rear, casualties or staff-lost";
            return refused(Fields::cause, format!("`cause` is missing: {words}"));
        };
        Fields::order.refuse_if(
            cause == Cause::Morale && self.head.order != Order::None,
            "orders are given after the Morale Phase: remove `order`",
        )?;
        Fields::staff_lost.refuse_if(
            cause == Cause::StaffLost && self.head.staff_lost,
            "the test comes when the General Staff is lost: remove `staff-lost`",
        )?;
        if cause != Cause::Casualties && casualties.is_some() {
            return refused(Fields::casualties, "`casualties` needs the cause `casualties`");
        }
        let casualties = casualties.map_or(1, Whole::u8);
        let message = "a test for casualties needs at least one casualty";
        Fields::casualties.refuse_if(casualties == 0, message)?;
        if cause != Cause::Morale {
            self.plan(Some(Order::None));
        }
        let event = match cause {
            Cause::Morale => Stage::MoralePhase,
            Cause::Flank => Stage::Test(Facing::Flank),
            Cause::Rear => Stage::Test(Facing::Rear),
            Cause::Casualties => Stage::Casualties(casualties),
            Cause::StaffLost => Stage::StaffLost(Army::Owner),
        };
        self.battle.stages.extend([event, Stage::Report(0)]);
        Ok(())
    }

    fn recover(&mut self) {
        self.battle.stages.extend(self.head.just_routed.then_some(Stage::RetreatStep));
        for turn in 1..=self.head.turns.u16() {
            self.battle.stages.extend([
                Stage::MoralePhase,
                Stage::RetreatStep,
                Stage::Report(turn),
            ]);
        }
    }

    fn fire(&mut self) -> Result<(), FieldFault> {
        self.force = self.given_force()?;
        let (by, by_order) = (&self.head.by.0, self.by_order());
        if by.iter().any(|member| member.start.level.is_routed()) {
            return refused(Fields::by, "a unit that is Shaken or Panicked does not fire");
        }
        Fields::by_order.refuse_if(
            by.is_empty() && self.head.by_order.is_some(),
            "`by-order` is the order of a firing unit: name the unit with `by`",
        )?;
        if self.force.is_none() && by.is_empty() {
            let [casualties, dice, value] =
                [field("casualties", 1), field("dice", 6), field("value", 10)];
            let fields = [casualties, dice, value, text_field("by", "samurai-cavalry")];
            let help = shown("`{}`, or `{}` and `{}`, or `{}`", fields);
            return Err(Fields::dice.fault("the attack is missing").help(help));
        }
        check_order(&self.battle.rules, Fields::by_order, by_order, by)?;
        Fields::by_order.refuse_if(
            !by.is_empty() && !self.battle.rules.orders_that_fire.has(by_order),
            &format!("the order {} does not let a unit fire", by_order.name()),
        )?;
        let mut fires = Vec::new();
        for at in 0..self.units().len() as UnitIndex {
            let shots = (0..self.head.by.0.len()).map(|shooter| self.shot(shooter, at));
            let volley: Vec<Force> = self.force.into_iter().chain(shots).collect();
            let volley: Vec<By> =
                volley.into_iter().map(|force| self.battle.enlist(force)).collect();
            for _ in 0..self.head.attacks.u8() {
                fires.extend(volley.iter().map(|&by| Stage::Fire { by, at }));
            }
        }
        for turn in 1..=self.head.turns.u16() {
            self.begin_turn(turn, Some(Order::None));
            self.battle.stages.extend(fires.iter().cloned());
            self.battle.stages.extend([Stage::RetreatStep, Stage::Report(turn)]);
        }
        Ok(())
    }

    /// Returns the attack of a firing unit, which never changes.
    fn shot(&self, shooter: usize, at: UnitIndex) -> Force {
        let member = self.head.by.0[shooter].clone();
        let mut pair = self.battle.alone(at);
        pair.fighters.push(Fighter { member, army: Army::Enemy, slot: 0, runs: false });
        let mut field = pair.opening();
        field.unit_mut(1).order = self.by_order();
        let (dice, value) = pair.view(&field).dice(By::Unit(1), 0, AttackManner::Ranged);
        Force::Dice { dice, value }
    }

    /// Compiles an assault. A way with fewer sides than another leaves out the last attackers.
    fn assault(&mut self) -> Result<(), FieldFault> {
        let units = self.units().len();
        if units != 1 {
            return refused(Fields::units, format!("one unit is assaulted, not {units}"));
        }
        let (by, ways) = (&self.head.by.0, self.ways());
        let most = ways.iter().map(Vec::len).max().unwrap_or(0);
        let force = self.given_force()?;
        if !by.is_empty() {
            check_sides(Fields::sides, by.len(), most)?;
        }
        let each_turn = self.battle.rules.assault_each_turn;
        Fields::sides.refuse_if(
            ways.len() > 1 && each_turn,
            "with `assault-each-turn` the sides must be the same every turn",
        )?;
        check_order(&self.battle.rules, Fields::by, Order::Assault, by)?;
        if by.iter().any(|member| member.start.level.is_routed()) {
            return refused(Fields::by, "a unit that is Shaken or Panicked does not assault");
        }
        let (chooses, lost) = (!self.head.enemy_orders.0.is_empty(), self.head.enemy_staff_lost);
        let field = if lost { Fields::enemy_staff_lost } else { Fields::enemy_orders };
        if by.is_empty() && (chooses || lost) {
            return refused(field, "no unit assaults: name one with `by`");
        }
        Fields::enemy_orders.refuse_if(
            each_turn && chooses,
            "with `assault-each-turn` an assaulting unit has the order assault every turn",
        )?;
        let attackers: Vec<By> = match by.len() as UnitIndex {
            0 => (0..most).map(|_| self.battle.enlist(force.unwrap_or(NO_FIGHT))).collect(),
            units => (1..=units).map(By::Unit).collect(),
        };
        self.force = force;
        let of_way = |sides: Vec<Facing>| attackers.iter().copied().zip(sides).collect();
        let ways: Vec<Vec<(By, Facing)>> = ways.into_iter().map(of_way).collect();
        for turn in 1..=self.head.turns.u16() {
            let assaults = turn == 1 || each_turn;
            let order = if assaults { Order::Assault } else { Order::None };
            self.begin_turn(turn, (assaults || !chooses).then_some(order));
            if assaults {
                let (ways, again) = (ways.clone(), turn > 1);
                self.battle.stages.push(Stage::Assault { at: 0, ways, again });
            }
            self.battle.end_turn(turn);
        }
        Ok(())
    }

    fn given_force(&self) -> Result<Option<Force>, FieldFault> {
        let Fields { by, casualties, dice, value, .. } = &self.head;
        force(!by.0.is_empty(), *casualties, *dice, *value)
    }

    /// Adds the first two phases of a turn. The first turn begins after its Morale Phase.
    fn begin_turn(&mut self, turn: ReportIndex, enemy: Option<Order>) {
        self.battle.stages.extend((turn > 1).then_some(Stage::MoralePhase));
        self.plan(enemy);
    }

    /// Adds a Planning Phase, with the order of all enemy units; `None` if the enemy chooses.
    fn plan(&mut self, enemy: Option<Order>) {
        let own = self.head.orders.0.is_empty().then_some(self.head.order);
        let order = |fighter: &Fighter| if fighter.army == Army::Owner { own } else { enemy };
        let orders = self.battle.fighters.iter().map(order).collect();
        self.battle.stages.push(Stage::Planning(orders));
    }
}

impl Battle {
    pub(super) fn end_turn(&mut self, turn: ReportIndex) {
        self.stages.extend([Stage::Melee, Stage::RetreatStep, Stage::Report(turn)]);
    }

    pub(super) fn enlist(&mut self, force: Force) -> By {
        self.forces.push(force);
        By::Force(self.forces.len() as u8 - 1)
    }
}

impl Question {
    pub(super) fn check(&self) -> Result<(), FieldFault> {
        let (units, head, rules) = (self.units(), &self.head, &self.battle.rules);
        let (enemies, enemies_field) = match self.ask {
            QuestionKind::Sequence => (self.enemies(), Fields::enemies),
            _ => (&head.by.0[..], Fields::by),
        };
        check_order(rules, Fields::order, head.order, units)?;
        if head.order != Order::None && !head.orders.0.is_empty() {
            return refused(Fields::order, "use either `order` or `orders`");
        }
        check_choice(rules, Fields::orders, &head.orders.0, units)?;
        check_choice(rules, Fields::enemy_orders, &head.enemy_orders.0, enemies)?;
        check_staff((Fields::units, units), (Fields::staff_lost, head.staff_lost))?;
        check_staff((enemies_field, enemies), (Fields::enemy_staff_lost, head.enemy_staff_lost))?;
        let loses = head.cause == Some(Cause::StaffLost);
        Fields::units.refuse_if(
            loses && units.iter().any(|member| member.general_staff),
            "the General Staff is lost and makes no test: remove it from the units",
        )
    }
}

pub(super) fn check_order<'a>(
    rules: &Rules,
    field: Field,
    order: Order,
    units: impl IntoIterator<Item = &'a Member>,
) -> Result<(), FieldFault> {
    let Some(member) = units.into_iter().find(|member| !member.can_have(order, rules)) else {
        return Ok(());
    };
    let is_horse = member.cavalry && !order.is_for_cavalry();
    let whom = if is_horse { "cavalry" } else { "a unit without a Commander" };
    refused(field, format!("the order {} is not allowed for {whom}", order.name()))
}

fn check_choice(
    rules: &Rules,
    field: Field,
    orders: &[Order],
    army: &[Member],
) -> Result<(), FieldFault> {
    let bare = |member: &&Member| orders.iter().all(|&order| !member.can_have(order, rules));
    let Some(member) = army.iter().find(bare).filter(|_| !orders.is_empty()) else {
        return Ok(());
    };
    let whom = match member.cavalry {
        true if orders.iter().all(|order| !order.is_for_cavalry()) => "cavalry",
        true => "cavalry without a Commander",
        false => "a unit without a Commander",
    };
    refused(field, format!("none of these orders is allowed for {whom}"))
}

fn check_staff(units: (Field, &[Member]), lost: (Field, bool)) -> Result<(), FieldFault> {
    let ((field, army), (lost_field, lost)) = (units, lost);
    let staffs = army.iter().filter(|member| member.general_staff).count();
    field.refuse_if(staffs > 1, "an army has only one General Staff")?;
    let message = "the General Staff is among the units, so it cannot be lost";
    lost_field.refuse_if(lost && staffs > 0, message)?;
    lost_field.refuse_if(
        lost && army.iter().any(|member| member.start.staff.is_some()),
        "a unit has a distance to the General Staff, so the General Staff cannot be lost",
    )
}

/// Returns the attacker that is not a unit, or `None`. `by_units` says that units attack.
pub(super) fn force(
    by_units: bool,
    casualties: Option<Casualties>,
    dice: Option<AttackDice>,
    value: Option<AttackValue>,
) -> Result<Option<Force>, FieldFault> {
    let given = [
        (Fields::casualties, casualties.is_some()),
        (Fields::dice, dice.is_some()),
        (Fields::value, value.is_some()),
    ];
    if let Some((field, _)) = given.into_iter().find(|(_, is_set)| by_units && *is_set) {
        let message = "units attack with their own values: use either `by` or";
        return refused(field, format!("{message} `{}`", field.name));
    }
    match (casualties, dice, value) {
        (None, None, None) => Ok(None),
        (Some(casualties), None, None) => Ok(Some(Force::Fixed(casualties.u8()))),
        (None, Some(dice), Some(value)) => {
            Ok(Some(Force::Dice { dice: dice.u8(), value: value.i8() }))
        }
        (None, Some(_), None) => refused(Fields::value, "say which Attack Value the dice have"),
        (None, None, Some(_)) => refused(Fields::dice, "say how many dice attack"),
        (Some(_), _, _) => {
            refused(Fields::casualties, "use either fixed `casualties` or dice, not both")
        }
    }
}

pub(super) fn check_sides(field: Field, units: usize, sides: usize) -> Result<(), FieldFault> {
    if units == sides {
        return Ok(());
    }
    let units =
        if units == 1 { "1 unit assaults".to_string() } else { format!("{units} units assault") };
    let sides = if sides == 1 { "1 side is".to_string() } else { format!("{sides} sides are") };
    refused(field, format!("{units}, but {sides} named"))
}

pub(super) fn refused<T>(field: Field, message: impl Into<String>) -> Result<T, FieldFault> {
    Err(field.fault(message))
}
