//! Compiles the steps of a sequence to stages.

use super::Fortitude;
use super::battle::{Force, Plan, Stage};
use super::check::{check_sides, force, refused};
use super::field::{By, Edges, Facing, Foes, UnitIndex};
use super::notation::edges;
use super::order::Order;
use super::question::Question;
use super::rules::Rules;
use super::step::{StepFields, StepKind};
use engine::process::ReportIndex;
use engine::text::counted;
use engine::text::notation::each;
use play::question_form::StepDraft;
use schema::common_fields::DO;
use schema::{Field, FieldFault, Whole, Word as _};

/// A sequence that is being compiled.
struct Sequence<'a> {
    question: &'a mut Question,
    /// The number of the turn; 0 before the first.
    turn: ReportIndex,
    /// The index of the Planning Phase of the turn in the list of stages.
    planning: usize,
    /// The orders that the turn names, by slot.
    orders: &'a [(u8, Order)],
    /// The number of forces that may stay in melee.
    engaged: usize,
}

impl Question {
    pub(super) fn sequence(&mut self, steps: &[StepDraft<Fortitude>]) -> Result<(), FieldFault> {
        if steps.is_empty() {
            return Err(FieldFault::new(&format!("1.{DO}"), "a sequence needs at least one step")
                .help(each("step", &[(DO, "turn")])));
        }
        if self.rules.assault_each_turn {
            let message =
                "in a sequence every assault is a separate step: remove `assault-each-turn`";
            return Err(FieldFault::new(Rules::assault_each_turn.name, message));
        }
        // `Foes` has bits for few forces, so forces that may stay in melee get the first numbers.
        self.forces = vec![Force::Fixed(0); Foes::MOST_FORCES];
        let mut sequence =
            Sequence { question: self, turn: 0, planning: 0, orders: &[], engaged: 0 };
        for (number, StepDraft { step_kind, fields }) in (1..).zip(steps) {
            sequence.add(*step_kind, fields).map_err(|fault| fault.in_step(number))?;
        }
        let Sequence { turn, engaged, .. } = sequence;
        if engaged > Foes::MOST_FORCES {
            let message = format!(
                "at most {} assaults of a sequence can have dice or fixed casualties",
                Foes::MOST_FORCES
            );
            return Err(FieldFault::new(&format!("1.{DO}"), message));
        }
        self.end_turn(turn);
        Ok(())
    }
}

impl<'a> Sequence<'a> {
    /// Checks a step and adds its stages.
    fn add(&mut self, step_kind: StepKind, fields: &'a StepFields) -> Result<(), FieldFault> {
        let at = self.places(StepFields::at, fields.at.0.iter())?;
        let by = self.places(StepFields::by, fields.by.0.iter())?;
        let one = || match at[..] {
            [at] => Ok(at),
            _ => {
                let name = step_kind.declared().name;
                let message = format!("`{name}` needs exactly one slot, for example `at = 1`");
                refused(StepFields::at, message)
            }
        };
        match step_kind {
            StepKind::Turn => self.begin_turn(&fields.orders.0),
            StepKind::Fire => self.fire(fields, &at, &by),
            StepKind::Assault => self.assault(fields, one()?, &by),
            StepKind::StaffDestroyed => self.push(Stage::StaffLost(fields.of)),
            StepKind::Place => self.place(fields, one),
        }
    }

    /// Adds a stage to the turn, which must have begun.
    fn push(&mut self, stage: Stage) -> Result<(), FieldFault> {
        self.check_begun()?;
        self.question.stages.push(stage);
        Ok(())
    }

    fn check_begun(&self) -> Result<(), FieldFault> {
        match self.turn {
            0 => Err(FieldFault::new(DO, "a sequence begins with a step that does `turn`")),
            _ => Ok(()),
        }
    }

    fn places<'s>(
        &self,
        field: Field,
        slots: impl Iterator<Item = &'s u8>,
    ) -> Result<Vec<UnitIndex>, FieldFault> {
        let all = self.question.members().count();
        let place = |slot: &u8| match usize::from(*slot) <= all {
            true => Ok(slot - 1),
            false => refused(
                field,
                format!("there is no slot {slot}: the battle has {}", counted(all as u64, "unit")),
            ),
        };
        slots.map(place).collect()
    }

    fn begin_turn(&mut self, orders: &'a [(u8, Order)]) -> Result<(), FieldFault> {
        self.places(StepFields::orders, orders.iter().map(|(slot, _)| slot))?;
        for &(slot, order) in orders {
            self.question.check_order(StepFields::orders, order, self.question.member(slot))?;
        }
        if self.turn > 0 {
            self.question.end_turn(self.turn);
        }
        let open = self.question.orders.each_ref().map(|orders| !orders.is_empty());
        let plan = |slot: u8| match orders.iter().find(|(named, _)| *named == slot) {
            Some(&(_, order)) => Plan::Fixed(order),
            None if open[self.question.army(slot) as usize] => Plan::Open,
            None => Plan::Fixed(Order::None),
        };
        let plans = (1..=self.question.members().count() as u8).map(plan).collect();
        self.question.stages.extend([Stage::MoralePhase, Stage::Planning(plans)]);
        (self.turn, self.orders) = (self.turn + 1, orders);
        self.planning = self.question.stages.len() - 1;
        Ok(())
    }

    /// Adds ranged fire of each attacker at each target.
    fn fire(
        &mut self,
        fields: &StepFields,
        at: &[UnitIndex],
        by: &[UnitIndex],
    ) -> Result<(), FieldFault> {
        StepFields::at.refuse_if(at.is_empty(), "say who is fired at, for example `at = 1`")?;
        let force = self.force(fields, at, by)?;
        self.check_begun()?;
        if self.assaults().next().is_some() {
            return Err(FieldFault::new(DO, "fire comes before the assaults of its turn"));
        }
        let fires = |order| self.question.rules.orders_that_fire.has(order);
        self.check_named_orders(by, fires, "fire")?;
        let by: Vec<By> = match force {
            Some(force) => vec![self.question.enlist(force)],
            None => by.iter().copied().map(By::Unit).collect(),
        };
        for _ in 0..fields.attacks.u8() {
            for &at in at {
                self.question.stages.extend(by.iter().map(|&by| Stage::Fire { by, at }));
            }
        }
        Ok(())
    }

    /// Adds an assault. The units that make it have the order Assault.
    fn assault(
        &mut self,
        fields: &StepFields,
        at: UnitIndex,
        by: &[UnitIndex],
    ) -> Result<(), FieldFault> {
        let force = self.force(fields, &[at], by)?;
        let sides = fields
            .sides
            .as_ref()
            .map_or_else(|| vec![Facing::Front; by.len().max(1)], |sides| sides.0.clone());
        if force.is_none() {
            check_sides(StepFields::sides, by.len(), sides.len())?;
        }
        self.check_begun()?;
        StepFields::at.refuse_if(
            self.assaults().any(|(other, _)| other == at),
            &format!("slot {} is assaulted already: name all sides in one step", at + 1),
        )?;
        self.check_assaulting(by)?;
        let attackers: Vec<By> = match force {
            Some(force) => sides.iter().map(|_| self.engage(force)).collect(),
            None => by.iter().copied().map(By::Unit).collect(),
        };
        if let Stage::Planning(plans) = &mut self.question.stages[self.planning] {
            by.iter().for_each(|&place| plans[usize::from(place)] = Plan::Fixed(Order::Assault));
        }
        self.push(Stage::Assault {
            at,
            ways: vec![attackers.into_iter().zip(sides).collect()],
            again: false,
        })
    }

    /// Adds new distances of a unit.
    fn place(
        &mut self,
        fields: &StepFields,
        one: impl Fn() -> Result<UnitIndex, FieldFault>,
    ) -> Result<(), FieldFault> {
        let [staff, nearest, own] =
            [fields.staff, fields.edge, fields.own_edge].map(|hexes| hexes.map(Whole::u8));
        StepFields::staff.refuse_if(
            [staff, nearest, own] == [None; 3],
            "say where to place the unit: `staff`, `edge`, or both",
        )?;
        own.map_or(Ok(()), |own| edges(nearest, own))
            .map_err(|message| StepFields::own_edge.fault(message))?;
        let unit = one()?;
        self.check_begun()?;
        let army = self.question.army(unit + 1);
        StepFields::staff.refuse_if(
            staff.is_some()
                && self.question.member(unit + 1).is_some_and(|unit| unit.general_staff),
            "the General Staff has no distance to itself: remove `staff`",
        )?;
        let lost = self.question.staff_lost[army as usize]
            || self.question.stages.contains(&Stage::StaffLost(army));
        StepFields::staff
            .refuse_if(staff.is_some() && lost, "the General Staff is lost: remove `staff`")?;
        let edges = nearest.map(|nearest| Edges { nearest, own });
        self.push(Stage::Place { unit, staff, edges })
    }

    /// Returns the attacker of a step that is not a unit, or `None` if units attack.
    fn force(
        &self,
        fields: &StepFields,
        at: &[UnitIndex],
        by: &[UnitIndex],
    ) -> Result<Option<Force>, FieldFault> {
        let army = |place: UnitIndex| self.question.army(place + 1);
        if let Some(same) = by.iter().find(|by| at.iter().any(|at| army(*at) == army(**by))) {
            return refused(
                StepFields::by,
                format!("slot {} cannot attack its own side", same + 1),
            );
        }
        let force = force(!by.is_empty(), fields.casualties, fields.dice, fields.value)?;
        StepFields::by.refuse_if(
            by.is_empty() && force.is_none(),
            "say who attacks: `by` slots, `casualties`, or `dice` and `value`",
        )?;
        Ok(force)
    }

    /// Adds a force that may stay in melee, and returns its number.
    fn engage(&mut self, force: Force) -> By {
        let number = self.engaged;
        self.question.forces[number.min(Foes::MOST_FORCES - 1)] = force;
        self.engaged += 1;
        By::Force(number as u8)
    }

    /// Returns the assaults of the turn so far: the assaulted unit and its attackers.
    fn assaults(&self) -> impl Iterator<Item = (UnitIndex, &[(By, Facing)])> {
        self.question.stages[self.planning..].iter().filter_map(|stage| match stage {
            Stage::Assault { at, ways, .. } => Some((*at, &ways[0][..])),
            _ => None,
        })
    }

    /// Checks that the turn names no order for the units but those that `allows` accepts.
    fn check_named_orders(
        &self,
        by: &[UnitIndex],
        allows: impl Fn(Order) -> bool,
        act: &str,
    ) -> Result<(), FieldFault> {
        let named = |place: &UnitIndex| self.orders.iter().find(|(slot, _)| *slot == place + 1);
        let mut others = by.iter().filter_map(named).filter(|(_, order)| !allows(*order));
        others.next().map_or(Ok(()), |(slot, order)| {
            let order = order.name();
            refused(StepFields::by, format!("slot {slot} has the order {order}: it cannot {act}"))
        })
    }

    /// Checks that the units can assault in this turn.
    fn check_assaulting(&self, by: &[UnitIndex]) -> Result<(), FieldFault> {
        let busy = |place: UnitIndex| {
            let is_it = |(by, _): &(By, Facing)| *by == By::Unit(place);
            self.assaults().any(|(_, attackers)| attackers.iter().any(is_it))
        };
        let mut twice =
            (0..by.len()).filter(|&number| by[..number].contains(&by[number]) || busy(by[number]));
        if let Some(number) = twice.next() {
            return refused(StepFields::by, format!("slot {} assaults already", by[number] + 1));
        }
        self.check_named_orders(by, |order| order == Order::Assault, "assault")?;
        let fires_in_turn = |place: UnitIndex| {
            let is_it =
                |stage: &Stage| matches!(stage, Stage::Fire { by, .. } if *by == By::Unit(place));
            self.question.stages[self.planning..].iter().any(is_it)
        };
        if !self.question.rules.orders_that_fire.has(Order::Assault)
            && let Some(place) = by.iter().find(|place| fires_in_turn(**place))
        {
            let message =
                format!("slot {} fires this turn: it cannot have the order assault", place + 1);
            return refused(StepFields::by, message);
        }
        let units = by.iter().filter_map(|place| self.question.member(place + 1));
        self.question.check_order(StepFields::by, Order::Assault, units)
    }
}
