//! Checks that the fields and steps of a question are consistent.

use super::Fortitude;
use super::battle::Force;
use super::field::{Army, Facing, Foes, UnitIndex};
use super::kinds::{Fields, QuestionKind};
use super::order::Order;
use super::question::What;
use super::rules::Rules;
use super::step::{Attackers, Step, StepFields, force, refused, sides_that_do_not_fit};
use super::unit::Member;
use super::values::Cause;
use engine::text::notation::{each, field, shown, text_field};
use play::question_form;
use schema::common_fields::DO;
use schema::{Field, FieldFault, Whole};

/// The inputs of the check: a draft with its parameters and units.
pub(super) struct Check<'a> {
    pub ask: QuestionKind,
    pub head: &'a Fields,
    pub steps: &'a [question_form::StepDraft<Fortitude>],
    pub rules: &'a Rules,
    pub units: &'a [Member],
}

impl Check<'_> {
    /// Checks the fields against each other and returns the event of the question.
    pub(super) fn what(&self) -> Result<What, FieldFault> {
        self.check()?;
        match self.ask {
            QuestionKind::Test => self.test(),
            QuestionKind::Recover => Ok(What::Recover {
                turns: self.head.turns.u16(),
                just_routed: self.head.just_routed,
            }),
            QuestionKind::Fire => self.fire(),
            QuestionKind::Assault => self.assault(),
            QuestionKind::Sequence => self.sequence().map(What::Sequence),
        }
    }

    fn test(&self) -> Result<What, FieldFault> {
        let words = "morale, flank, rear, casualties or staff-lost";
        let Some(cause) = self.head.cause else {
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
        match self.head.casualties.map(Whole::u8) {
            Some(_) if cause != Cause::Casualties => {
                refused(Fields::casualties, "`casualties` needs the cause `casualties`")
            }
            Some(0) => {
                refused(Fields::casualties, "a test for casualties needs at least one casualty")
            }
            casualties => Ok(What::Test { cause, casualties: casualties.unwrap_or(1) }),
        }
    }

    fn force(&self) -> Result<Option<Force>, FieldFault> {
        let Fields { by, casualties, dice, value, .. } = self.head;
        force(!by.0.is_empty(), *casualties, *dice, *value)
    }

    fn fire(&self) -> Result<What, FieldFault> {
        let (force, by) = (self.force()?, &self.head.by.0);
        Fields::by.refuse_if(
            by.iter().any(|member| member.level.is_routed()),
            "a unit that is Shaken or Panicked does not fire",
        )?;
        Fields::by_order.refuse_if(
            by.is_empty() && self.head.by_order.is_some(),
            "`by-order` is the order of a firing unit: name the unit with `by`",
        )?;
        if force.is_none() && by.is_empty() {
            let fields = [
                field("casualties", 1),
                field("dice", 6),
                field("value", 10),
                text_field("by", "samurai-cavalry"),
            ];
            let help = shown("`{}`, or `{}` and `{}`, or `{}`", fields);
            return Err(Fields::dice.fault("the attack is missing").help(help));
        }
        let by_order = self.head.by_order.unwrap_or(Order::FireRangedWeapons);
        self.check_order(Fields::by_order, by_order, by)?;
        if !by.is_empty() && !self.rules.orders_that_fire.has(by_order) {
            return refused(
                Fields::by_order,
                format!("the order {} does not let a unit fire", by_order.name()),
            );
        }
        let (attacks, turns) = (self.head.attacks.u8(), self.head.turns.u16());
        Ok(What::Fire { force, by: by.clone(), by_order, attacks, turns })
    }

    fn assault(&self) -> Result<What, FieldFault> {
        if self.units.len() != 1 {
            return refused(
                Fields::units,
                format!("one unit is assaulted, not {}", self.units.len()),
            );
        }
        let by = &self.head.by.0;
        let ways = self
            .head
            .sides
            .as_ref()
            .map_or(vec![vec![Facing::Front; by.len().max(1)]], |ways| ways.0.clone());
        let most = ways.iter().map(Vec::len).max().unwrap_or(0);
        let force = self.force()?;
        if !by.is_empty() && by.len() != most {
            return refused(Fields::sides, sides_that_do_not_fit(by.len(), most));
        }
        Fields::sides.refuse_if(
            ways.len() > 1 && self.rules.assault_each_turn,
            "with `assault-each-turn` the sides must be the same every turn",
        )?;
        self.check_order(Fields::by, Order::Assault, by)?;
        Fields::by.refuse_if(
            by.iter().any(|member| member.level.is_routed()),
            "a unit that is Shaken or Panicked does not assault",
        )?;
        let (chooses, lost) = (!self.head.enemy_orders.0.is_empty(), self.head.enemy_staff_lost);
        if by.is_empty() && (chooses || lost) {
            let field = if lost { Fields::enemy_staff_lost } else { Fields::enemy_orders };
            return refused(field, "no unit assaults: name one with `by`");
        }
        Fields::enemy_orders.refuse_if(
            self.rules.assault_each_turn && chooses,
            "with `assault-each-turn` an assaulting unit has the order assault every turn",
        )?;
        Ok(What::Assault { ways, force, turns: self.head.turns.u16() })
    }

    fn sequence(&self) -> Result<Vec<Step>, FieldFault> {
        if self.steps.is_empty() {
            return Err(FieldFault::new(&format!("1.{DO}"), "a sequence needs at least one step")
                .help(each("step", &[(DO, "turn")])));
        }
        if self.rules.assault_each_turn {
            let message =
                "in a sequence every assault is a separate step: remove `assault-each-turn`";
            return Err(FieldFault::new(Rules::assault_each_turn.name, message));
        }
        let all = self.units.len() + self.enemies().len();
        let mut steps = Vec::new();
        for (number, question_form::StepDraft { step_kind, fields }) in (1..).zip(self.steps) {
            let of_step = |fault: FieldFault| fault.in_step(number);
            let step = fields.step(*step_kind, self.units.len(), all).map_err(of_step)?;
            steps.push(step);
            self.check_turn(&steps).map_err(of_step)?;
        }
        let forces = |step: &Step| match step {
            Step::Assault { by: Attackers::Force(_), sides, .. } => sides.len(),
            _ => 0,
        };
        if steps.iter().map(forces).sum::<usize>() > Foes::MOST_FORCES {
            let message = format!(
                "at most {} assaults of a sequence can have dice or fixed casualties",
                Foes::MOST_FORCES
            );
            return Err(FieldFault::new(&format!("1.{DO}"), message));
        }
        Ok(steps)
    }

    /// Checks the last step against the earlier steps of its turn.
    fn check_turn(&self, steps: &[Step]) -> Result<(), FieldFault> {
        let Some((last, before)) = steps.split_last() else { return Ok(()) };
        if let Step::Turn(orders) = last {
            return orders.iter().try_for_each(|&(place, order)| {
                self.check_order(StepFields::orders, order, self.member(place))
            });
        }
        let Some(start) = before.iter().rposition(|step| matches!(step, Step::Turn(_))) else {
            return Err(FieldFault::new(DO, "a sequence begins with a step that does `turn`"));
        };
        if let Step::Place { unit, staff: Some(_), .. } = last {
            self.check_place(*unit, before)?;
        }
        let (turn, before) = (&before[start], &before[start + 1..]);
        let assaults = || {
            before.iter().filter_map(|step| {
                if let Step::Assault { at, by, .. } = step { Some((at, by)) } else { None }
            })
        };
        let order_of = |place: UnitIndex| match turn {
            Step::Turn(orders) => {
                orders.iter().find(|(other, _)| *other == place).map(|&(_, order)| order)
            }
            _ => None,
        };
        match last {
            Step::Fire { .. } if assaults().next().is_some() => {
                Err(FieldFault::new(DO, "fire comes before the assaults of its turn"))
            }
            Step::Fire { by: Attackers::Units(units), .. } => {
                let fires = |order: Order| self.rules.orders_that_fire.has(order);
                let idle = |&place: &UnitIndex| {
                    Some((place, order_of(place).filter(|&order| !fires(order))?))
                };
                units.iter().find_map(idle).map_or(Ok(()), |(place, order)| {
                    let message = format!(
                        "slot {} has the order {}: it cannot fire",
                        place + 1,
                        order.name()
                    );
                    refused(StepFields::by, message)
                })
            }
            Step::Assault { at, .. } if assaults().any(|(other, _)| other == at) => refused(
                StepFields::at,
                format!("slot {} is assaulted already: name all sides in one step", at + 1),
            ),
            Step::Assault { by: Attackers::Units(units), .. } => {
                let busy = |place: &u8| {
                    assaults().any(
                        |(_, by)| matches!(by, Attackers::Units(others) if others.contains(place)),
                    )
                };
                let twice =
                    |(number, place): (usize, &u8)| units[..number].contains(place) || busy(place);
                if let Some((_, place)) = units.iter().enumerate().find(|&pair| twice(pair)) {
                    return refused(StepFields::by, format!("slot {} assaults already", place + 1));
                }
                let other = |&place: &UnitIndex| {
                    Some((place, order_of(place).filter(|&order| order != Order::Assault)?))
                };
                if let Some((place, order)) = units.iter().find_map(other) {
                    let message = format!(
                        "slot {} has the order {}: it cannot assault",
                        place + 1,
                        order.name()
                    );
                    return refused(StepFields::by, message);
                }
                let fired = |place: &&UnitIndex| before.iter().any(|step| step.is_fire_by(**place));
                if let Some(place) = units
                    .iter()
                    .find(fired)
                    .filter(|_| !self.rules.orders_that_fire.has(Order::Assault))
                {
                    let message = format!(
                        "slot {} fires this turn: it cannot have the order assault",
                        place + 1
                    );
                    return refused(StepFields::by, message);
                }
                units.iter().try_for_each(|&place| {
                    self.check_order(StepFields::by, Order::Assault, self.member(place))
                })
            }
            Step::Turn(_)
            | Step::Fire { .. }
            | Step::Assault { .. }
            | Step::StaffLost(_)
            | Step::Place { .. } => Ok(()),
        }
    }

    /// Checks a step that sets a unit's distance to its General Staff, after the steps `before`.
    fn check_place(&self, place: UnitIndex, before: &[Step]) -> Result<(), FieldFault> {
        let army = if usize::from(place) < self.units.len() { Army::Owner } else { Army::Enemy };
        StepFields::staff.refuse_if(
            self.member(place).is_some_and(|member| member.general_staff),
            "the General Staff has no distance to itself: remove `staff`",
        )?;
        StepFields::staff.refuse_if(
            self.staff_lost()[army as usize] || before.contains(&Step::StaffLost(army)),
            "the General Staff is lost: remove `staff`",
        )?;
        Ok(())
    }

    /// Checks everything that holds for all kinds of questions.
    fn check(&self) -> Result<(), FieldFault> {
        self.check_order(Fields::order, self.head.order, self.units)?;
        Fields::order.refuse_if(
            self.head.order != Order::None && !self.head.orders.0.is_empty(),
            "use either `order` or `orders`",
        )?;
        let chosen = [(Fields::orders, self.units), (Fields::enemy_orders, self.enemies())];
        for ((field, army), orders) in chosen.into_iter().zip(self.orders()) {
            let bare =
                |member: &&Member| orders.iter().all(|&order| !member.can_have(order, self.rules));
            if let Some(member) = army.iter().find(bare).filter(|_| !orders.is_empty()) {
                let whom = match member.cavalry {
                    true if orders.iter().all(|order| !order.is_for_cavalry()) => "cavalry",
                    true => "cavalry without a Commander",
                    false => "a unit without a Commander",
                };
                return refused(field, format!("none of these orders is allowed for {whom}"));
            }
        }
        let enemies = if self.ask == QuestionKind::Sequence { Fields::enemies } else { Fields::by };
        let armies = [
            (Fields::units, Fields::staff_lost, self.units),
            (enemies, Fields::enemy_staff_lost, self.enemies()),
        ];
        for ((field, lost_field, army), lost) in armies.into_iter().zip(self.staff_lost()) {
            let staffs = army.iter().filter(|member| member.general_staff).count();
            field.refuse_if(staffs > 1, "an army has only one General Staff")?;
            lost_field.refuse_if(
                lost && staffs > 0,
                "the General Staff is among the units, so it cannot be lost",
            )?;
            if lost && army.iter().any(|member| member.staff.is_some()) {
                return refused(
                    lost_field,
                    "a unit has a distance to the General Staff, so the General Staff cannot be \
                        lost",
                );
            }
        }
        Fields::units.refuse_if(
            self.head.cause == Some(Cause::StaffLost)
                && self.units.iter().any(|member| member.general_staff),
            "the General Staff is lost and makes no test: remove it from the units",
        )?;
        Ok(())
    }

    fn check_order<'a>(
        &self,
        field: Field,
        order: Order,
        units: impl IntoIterator<Item = &'a Member>,
    ) -> Result<(), FieldFault> {
        let Some(member) = units.into_iter().find(|member| !member.can_have(order, self.rules))
        else {
            return Ok(());
        };
        let whom = if member.cavalry && !order.is_for_cavalry() {
            "cavalry"
        } else {
            "a unit without a Commander"
        };
        refused(field, format!("the order {} is not allowed for {whom}", order.name()))
    }

    fn member(&self, place: UnitIndex) -> Option<&Member> {
        self.units.iter().chain(self.enemies()).nth(place.into())
    }

    /// Returns the enemy's units, from `enemies` in a sequence and from `by` otherwise.
    pub(super) fn enemies(&self) -> &[Member] {
        if self.ask == QuestionKind::Sequence { &self.head.enemies.0 } else { &self.head.by.0 }
    }

    /// Returns the orders that the owner and the enemy choose from.
    pub(super) fn orders(&self) -> [&[Order]; 2] {
        [&self.head.orders.0, &self.head.enemy_orders.0]
    }

    /// Returns for the owner and the enemy whether the General Staff is lost.
    pub(super) fn staff_lost(&self) -> [bool; 2] {
        [self.head.staff_lost, self.head.enemy_staff_lost]
    }
}
