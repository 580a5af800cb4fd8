//! Compiles a question: its fields are checked against each other, and become stages.

use super::Fortitude;
use super::battle::{Battle, Fighter, Force, Stage};
use super::check::{check_order, check_sides, force, refused};
use super::field::{Army, AttackManner, By, Facing, UnitIndex};
use super::kinds::{Fields, QuestionKind};
use super::order::Order;
use super::question::Question;
use super::unit::Member;
use super::values::Cause;
use engine::process::ReportIndex;
use engine::text::notation::{field, shown, text_field};
use play::question_form::StepDraft;
use schema::{FieldFault, Whole};

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
        Fields::casualties.refuse_if(
            cause != Cause::Casualties && casualties.is_some(),
            "`casualties` needs the cause `casualties`",
        )?;
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
        Fields::by.refuse_if(
            by.iter().any(|member| member.start.level.is_routed()),
            "a unit that is Shaken or Panicked does not fire",
        )?;
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
        Fields::by.refuse_if(
            by.iter().any(|member| member.start.level.is_routed()),
            "a unit that is Shaken or Panicked does not assault",
        )?;
        let (chooses, lost) = (!self.head.enemy_orders.0.is_empty(), self.head.enemy_staff_lost);
        let field = if lost { Fields::enemy_staff_lost } else { Fields::enemy_orders };
        field.refuse_if(
            by.is_empty() && (chooses || lost),
            "no unit assaults: name one with `by`",
        )?;
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
