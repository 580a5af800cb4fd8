//! Compiles the steps of a sequence to stages.

use super::Fortitude;
use super::battle::{Battle, Fighter, Force, Stage};
use super::draft::{check_order, check_sides, force, refused};
use super::field::{By, Facing, Foes, UnitIndex};
use super::kinds::{StepFields, StepKind};
use super::notation::check_edges;
use super::order::Order;
use super::rules::Rules;
use engine::process::ReportIndex;
use engine::text::counted;
use engine::text::notation::each;
use play::question_form::StepDraft;
use schema::common_fields::DO;
use schema::{Field, FieldFault, Whole, Word as _};

struct Sequence<'a> {
    battle: &'a mut Battle,
    /// The number of the turn; 0 before the first.
    turn: ReportIndex,
    /// The index of the Planning Phase of the turn in the list of stages.
    planning: usize,
    orders: &'a [(u8, Order)],
    /// The number of forces that may stay in melee.
    engaged: usize,
    /// The targets of the step, then its attackers.
    at: Vec<UnitIndex>,
    by: Vec<UnitIndex>,
}

impl Battle {
    pub(super) fn sequence(&mut self, steps: &[StepDraft<Fortitude>]) -> Result<(), FieldFault> {
        let first = format!("1.{DO}");
        if steps.is_empty() {
            return Err(FieldFault::new(&first, "a sequence needs at least one step")
                .help(each("step", &[(DO, "turn")])));
        }
        if self.rules.assault_each_turn {
            let message =
                "in a sequence every assault is a separate step: remove `assault-each-turn`";
            return Err(FieldFault::new(Rules::assault_each_turn.name, message));
        }
        // `Foes` has bits for few forces, so forces that may stay in melee get the first numbers.
        self.forces = vec![Force::Fixed(0); Foes::MOST_FORCES];
        let (at, by) = (Vec::new(), Vec::new());
        let mut sequence =
            Sequence { battle: self, turn: 0, planning: 0, orders: &[], engaged: 0, at, by };
        for (number, StepDraft { step_kind, fields, .. }) in (1..).zip(steps) {
            sequence.add(*step_kind, fields).map_err(|fault| fault.in_step(number))?;
        }
        let Sequence { turn, engaged, .. } = sequence;
        let most = Foes::MOST_FORCES;
        if engaged > most {
            let message =
                format!("at most {most} assaults of a sequence can have dice or fixed casualties");
            return Err(FieldFault::new(&first, message));
        }
        self.end_turn(turn);
        Ok(())
    }
}

impl<'a> Sequence<'a> {
    fn add(&mut self, step_kind: StepKind, fields: &'a StepFields) -> Result<(), FieldFault> {
        self.at = self.places(StepFields::at, &fields.at.0)?;
        self.by = self.places(StepFields::by, &fields.by.0)?;
        match step_kind {
            StepKind::Turn => self.begin_turn(&fields.orders.0),
            StepKind::Fire => self.fire(fields),
            StepKind::Assault => self.assault(fields),
            StepKind::StaffDestroyed => self.push(Stage::StaffLost(fields.of)),
            StepKind::Place => self.place(fields),
        }
    }

    fn places(&self, field: Field, slots: &[u8]) -> Result<Vec<UnitIndex>, FieldFault> {
        let all = self.battle.fighters.len();
        if let Some(slot) = slots.iter().find(|slot| usize::from(**slot) > all) {
            let units = counted(all as u64, "unit");
            return refused(field, format!("there is no slot {slot}: the battle has {units}"));
        }
        Ok(slots.iter().map(|slot| slot - 1).collect())
    }

    fn target(&self, step_kind: StepKind) -> Result<UnitIndex, FieldFault> {
        let name = step_kind.declared().name;
        let message = format!("`{name}` needs exactly one slot, for example `at = 1`");
        StepFields::at.refuse_if(self.at.len() != 1, &message)?;
        Ok(self.at[0])
    }

    fn check_begun(&self) -> Result<(), FieldFault> {
        match self.turn {
            0 => Err(FieldFault::new(DO, "a sequence begins with a step that does `turn`")),
            _ => Ok(()),
        }
    }

    /// Adds a stage to the turn, which must have begun.
    fn push(&mut self, stage: Stage) -> Result<(), FieldFault> {
        self.check_begun()?;
        self.battle.stages.push(stage);
        Ok(())
    }

    fn begin_turn(&mut self, orders: &'a [(u8, Order)]) -> Result<(), FieldFault> {
        let slots: Vec<u8> = orders.iter().map(|(slot, _)| *slot).collect();
        self.places(StepFields::orders, &slots)?;
        let battle = &mut *self.battle;
        for &(slot, order) in orders {
            let member = battle.member(slot - 1);
            check_order(&battle.rules, StepFields::orders, order, [member])?;
        }
        if self.turn > 0 {
            battle.end_turn(self.turn);
        }
        let order = |slot: u8| match orders.iter().find(|(named, _)| *named == slot) {
            Some(&(_, order)) => Some(order),
            None => {
                let orders = &battle.orders[battle.fighter(slot - 1).army as usize];
                orders.is_empty().then_some(Order::None)
            }
        };
        let planned = (1..=battle.fighters.len() as u8).map(order).collect();
        battle.stages.extend([Stage::MoralePhase, Stage::Planning(planned)]);
        self.planning = battle.stages.len() - 1;
        (self.turn, self.orders) = (self.turn + 1, orders);
        Ok(())
    }

    fn fire(&mut self, fields: &StepFields) -> Result<(), FieldFault> {
        let message = "say who is fired at, for example `at = 1`";
        StepFields::at.refuse_if(self.at.is_empty(), message)?;
        let force = self.force(fields)?;
        self.check_begun()?;
        if self.assaults().next().is_some() {
            return Err(FieldFault::new(DO, "fire comes before the assaults of its turn"));
        }
        let fires = |order| self.battle.rules.orders_that_fire.has(order);
        self.check_named_orders(fires, "fire")?;
        let by = match force {
            Some(force) => vec![self.battle.enlist(force)],
            None => self.units(),
        };
        for _ in 0..fields.attacks.u8() {
            for &at in &self.at {
                self.battle.stages.extend(by.iter().map(|&by| Stage::Fire { by, at }));
            }
        }
        Ok(())
    }

    /// Adds an assault. The units that make it have the order Assault.
    fn assault(&mut self, fields: &StepFields) -> Result<(), FieldFault> {
        let at = self.target(StepKind::Assault)?;
        let force = self.force(fields)?;
        let in_front = || vec![Facing::Front; self.by.len().max(1)];
        let sides = fields.sides.as_ref().map_or_else(in_front, |sides| sides.0.clone());
        if force.is_none() {
            check_sides(StepFields::sides, self.by.len(), sides.len())?;
        }
        self.check_begun()?;
        StepFields::at.refuse_if(
            self.assaults().any(|(other, _)| other == at),
            &format!("slot {} is assaulted already: name all sides in one step", at + 1),
        )?;
        self.check_assaulting()?;
        let by = match force {
            Some(force) => sides.iter().map(|_| self.engage(force)).collect(),
            None => self.units(),
        };
        if let Stage::Planning(orders) = &mut self.battle.stages[self.planning] {
            self.by.iter().for_each(|&place| orders[usize::from(place)] = Some(Order::Assault));
        }
        let ways = vec![by.into_iter().zip(sides).collect()];
        self.push(Stage::Assault { at, ways, again: false })
    }

    fn place(&mut self, fields: &StepFields) -> Result<(), FieldFault> {
        let to = [fields.staff, fields.edge, fields.own_edge].map(|hexes| hexes.map(Whole::u8));
        let message = "say where to place the unit: `staff`, `edge`, or both";
        StepFields::staff.refuse_if(to == [None; 3], message)?;
        let [staff, edge, own_edge] = to;
        check_edges(edge, own_edge).map_err(|message| StepFields::own_edge.fault(message))?;
        let unit = self.target(StepKind::Place)?;
        self.check_begun()?;
        if staff.is_some() {
            let &Fighter { ref member, army, .. } = self.battle.fighter(unit);
            let message = "the General Staff has no distance to itself: remove `staff`";
            StepFields::staff.refuse_if(member.general_staff, message)?;
            let lost = self.battle.staff_lost[army as usize]
                || self.battle.stages.contains(&Stage::StaffLost(army));
            StepFields::staff.refuse_if(lost, "the General Staff is lost: remove `staff`")?;
        }
        self.battle.fighters[usize::from(unit)].runs = true;
        self.push(Stage::Place { unit, to })
    }

    fn units(&self) -> Vec<By> {
        self.by.iter().copied().map(By::Unit).collect()
    }

    fn force(&self, fields: &StepFields) -> Result<Option<Force>, FieldFault> {
        let army = |place: UnitIndex| self.battle.fighter(place).army;
        let is_hostile = |by: UnitIndex| self.at.iter().all(|&at| army(at) != army(by));
        if let Some(same) = self.by.iter().find(|by| !is_hostile(**by)) {
            let message = format!("slot {} cannot attack its own side", same + 1);
            return refused(StepFields::by, message);
        }
        let force = force(!self.by.is_empty(), fields.casualties, fields.dice, fields.value)?;
        StepFields::by.refuse_if(
            self.by.is_empty() && force.is_none(),
            "say who attacks: `by` slots, `casualties`, or `dice` and `value`",
        )?;
        Ok(force)
    }

    /// Adds a force that may stay in melee, and returns its number.
    fn engage(&mut self, force: Force) -> By {
        let number = self.engaged;
        self.battle.forces[number.min(Foes::MOST_FORCES - 1)] = force;
        self.engaged += 1;
        By::Force(number as u8)
    }

    /// Returns the assaults of the turn so far: the assaulted unit and its attackers.
    fn assaults(&self) -> impl Iterator<Item = (UnitIndex, &[(By, Facing)])> {
        self.battle.stages[self.planning..].iter().filter_map(|stage| match stage {
            Stage::Assault { at, ways, .. } => Some((*at, &ways[0][..])),
            _ => None,
        })
    }

    /// Checks that the turn names no order for the attackers but those that `allows` accepts.
    fn check_named_orders(
        &self,
        allows: impl Fn(Order) -> bool,
        act: &str,
    ) -> Result<(), FieldFault> {
        let named = |place: &UnitIndex| self.orders.iter().find(|(slot, _)| *slot == place + 1);
        let mut others = self.by.iter().filter_map(named).filter(|(_, order)| !allows(*order));
        others.next().map_or(Ok(()), |(slot, order)| {
            let order = order.name();
            refused(StepFields::by, format!("slot {slot} has the order {order}: it cannot {act}"))
        })
    }

    fn check_assaulting(&self) -> Result<(), FieldFault> {
        let attackers = || self.assaults().flat_map(|(_, attackers)| attackers);
        for (number, &place) in self.by.iter().enumerate() {
            let busy = attackers().any(|(by, _)| *by == By::Unit(place));
            if busy || self.by[..number].contains(&place) {
                return refused(StepFields::by, format!("slot {} assaults already", place + 1));
            }
        }
        self.check_named_orders(|order| order == Order::Assault, "assault")?;
        for &place in &self.by {
            let is_fire =
                |stage: &Stage| matches!(stage, Stage::Fire { by, .. } if *by == By::Unit(place));
            let fires = self.battle.stages[self.planning..].iter().any(is_fire);
            StepFields::by.refuse_if(
                fires && !self.battle.rules.orders_that_fire.has(Order::Assault),
                &format!("slot {} fires this turn: it cannot have the order assault", place + 1),
            )?;
        }
        let units = self.by.iter().map(|place| self.battle.member(*place));
        check_order(&self.battle.rules, StepFields::by, Order::Assault, units)
    }
}
