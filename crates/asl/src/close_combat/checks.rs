//! The fields of a question about Close Combat, checked against each other.

use std::sync::Arc;

use super::choices::plan_count;
use super::combat::{AmbushMode, CloseCombat, CombatOrders};
use super::engagements::engagements;
use super::fields::{AmbushWish, AmbushWithdrawal, CombatFields};
use super::plan::{AttackPlan, MOST_UNITS, NamedPlan, PlannedUnits, SidePlan, WrittenPlan};
use super::stage::{CombatStage, EnemySlots};
use super::state::{CombatSide, CombatUnits};
use crate::board::terrain::Terrain;
use crate::field_values::SlotList;
use crate::notation::StackNotation;
use crate::rule_settings::Switches;
use crate::rulebook::Rulebook;
use crate::scope::check_scope;
use crate::stack::{CombatRole, Member, Stack};
use crate::unit::Condition;
use engine::text::notation::{field, shown, text_field};
use engine::text::{Fault, counted};
use schema::{Field, FieldFault};

/// The checked fields of a question.
#[derive(Clone, Debug)]
pub struct CheckedCombat {
    pub combat: Arc<CloseCombat>,
    /// The stacks of both sides, ours first.
    pub stacks: [Stack; 2],
    pub terrain: &'static Terrain,
    /// Notes on what was assumed.
    pub notes: Vec<String>,
}

/// The fields of the stacks of both sides.
const STACKS: [Field; 2] = [CombatFields::stack, CombatFields::against];

impl CombatFields {
    /// Checks the fields against each other and builds the Close Combat.
    ///
    /// # Errors
    ///
    /// Fails if a field is missing, or if fields contradict each other.
    pub fn checked(
        &self,
        switches: &Switches,
        mut notes: Vec<String>,
    ) -> Result<CheckedCombat, FieldFault> {
        let rulebook = switches.rulebook(self.profile)?;
        let stacks = self.stacks(rulebook)?;
        notes.extend(stacks.iter().flat_map(|stack| stack.assumed.clone()));
        self.check_moments()?;
        let plans = self.plans(&stacks, &mut notes);
        let combat = self.combat(&stacks, &plans, rulebook)?;
        let combat = self.solved(combat, &mut notes)?;
        Ok(CheckedCombat { combat: Arc::new(combat), stacks, terrain: self.terrain, notes })
    }

    /// Builds the Close Combat of two stacks with their plans.
    fn combat(
        &self,
        stacks: &[Stack; 2],
        plans: &[AttackPlan; 2],
        rulebook: Rulebook,
    ) -> Result<CloseCombat, FieldFault> {
        let [own, enemy] = CombatSide::ALL.map(|side| self.orders(side, stacks, plans));
        let ambush = match self.ambush {
            AmbushWish::Roll => AmbushMode::Rolled,
            AmbushWish::No => AmbushMode::Barred,
            AmbushWish::Ours => AmbushMode::By(CombatSide::Ours),
            AmbushWish::Theirs => AmbushMode::By(CombatSide::Theirs),
        };
        let members = stacks.each_ref().map(|stack| stack.members.clone());
        Ok(CloseCombat {
            rulebook,
            engagements: engagements(&members, rulebook),
            members,
            orders: [own?, enemy?],
            is_woods_or_building: self.terrain.is_building || self.terrain.id.contains("woods"),
            ambush,
            first_phasing: self.phasing,
            begins_in_melee: self.melee,
            turns: self.turns.u16(),
            hand_to_hand: self.hand_to_hand,
            no_quarter: self.no_quarter,
            is_night: self.night,
            creates_leaders: self.creation,
            joint: self.joint,
            objective: self.objective.clone(),
            policy: None,
            followed: None,
            reports_early: false,
        })
    }

    /// Checks the fields of a step of a sequence and builds its Close Combat. `ours` are the units
    /// at the start of the sequence. `before` is the stage whose Melee goes on, if it does, and
    /// `place` the index of this one.
    ///
    /// # Errors
    ///
    /// Fails if the enemy is missing, or if fields contradict each other.
    pub(crate) fn stage(
        &self,
        ours: &Stack,
        rulebook: Rulebook,
        before: Option<&CombatStage>,
        place: u8,
    ) -> Result<CombatStage, FieldFault> {
        let in_melee = CombatFields { melee: self.melee || before.is_some(), ..self.clone() };
        in_melee.check_moments()?;
        CombatFields::melee.refuse_if(
            self.melee && before.is_some(),
            "a step against the same enemy goes on with the Melee by itself: leave this out",
        )?;
        let theirs = match before {
            Some(before) => before.theirs.clone(),
            None => self.enemy_stack(rulebook)?,
        };
        // A unit that is broken now may have rallied by then.
        let mut own = ours.clone();
        own.members.iter_mut().for_each(|member| member.conditions.clear(Condition::Broken));
        let given = [(&self.plan, CombatFields::plan), (&self.reply, CombatFields::reply)];
        let all = || AttackPlan::Named(NamedPlan::All);
        let plans = given.map(|(plan, _)| plan.clone().unwrap_or_else(all));
        let combat = in_melee.combat(&[own, theirs.clone()], &plans, rulebook)?;
        let mut combat = combat.solved_on_demand().map_err(|_| too_many_plans())?;
        combat.members[0] = ours.members.clone();
        let goes_on = before.is_some();
        if goes_on {
            // What goes on is in its second Player Turn at least.
            (combat.turns, combat.first_phasing) = (combat.turns + 1, self.phasing.other());
        }
        let slots = EnemySlots::default();
        let terrain = self.terrain;
        Ok(CombatStage { combat, theirs, terrain, place, goes_on, slots, under_fire: None })
    }

    /// Goes on from the step before: what is not given is as there, but the other side's turn.
    pub(crate) fn go_on_from(&mut self, before: &CombatFields, is_given: impl Fn(Field) -> bool) {
        macro_rules! keep {
            ($($field:ident)+) => {$(
                if !is_given(CombatFields::$field) {
                    self.$field.clone_from(&before.$field);
                }
            )+};
        }
        keep!(plan reply objective terrain exits no_quarter night creation capture);
        keep!(infiltrate their_infiltrate);
        if !is_given(CombatFields::phasing) {
            let is_odd = before.turns.u16() % 2 == 1;
            self.phasing = if is_odd { before.phasing.other() } else { before.phasing };
        }
    }

    /// Reads the enemy of a step.
    pub(crate) fn enemy_stack(&self, rulebook: Rulebook) -> Result<Stack, FieldFault> {
        let missing = || {
            let fault = CombatFields::against.fault("say against whom the stack fights");
            let enemy = text_field(CombatFields::against.name, "russian:4-4-7");
            fault.help(shown("for example `{}`", [enemy]))
        };
        read_stack(self.against.as_ref().ok_or_else(missing)?, rulebook, CombatFields::against)
    }

    /// Reads the stacks of both sides, each with its own nations.
    fn stacks(&self, rulebook: Rulebook) -> Result<[Stack; 2], FieldFault> {
        let missing = |of: Field, example: &str| {
            let fault = of.fault(format!("`{}` is missing: the units of the side", of.name));
            fault.help(shown("for example `{}`", [text_field(of.name, example)]))
        };
        let own = self.stack.as_ref().ok_or_else(|| missing(STACKS[0], "german:4-6-7"))?;
        let is_told_twice = own.theirs.is_some() && self.against.is_some();
        let twice = "`vs` has named their units already: leave this out";
        CombatFields::against.refuse_if(is_told_twice, twice)?;
        let enemy = own.theirs.as_ref().or(self.against.as_ref());
        let enemy = enemy.ok_or_else(|| missing(STACKS[1], "russian:4-4-7"))?;
        let at = if own.theirs.is_some() { STACKS[0] } else { STACKS[1] };
        Ok([read_stack(&own.ours, rulebook, STACKS[0])?, read_stack(enemy, rulebook, at)?])
    }

    /// Refuses what the first round or a Melee does not have (11.2, 11.4).
    fn check_moments(&self) -> Result<(), FieldFault> {
        let is_first_only = !self.melee && self.turns.u16() == 1;
        let early = "nobody can withdraw in the first round (A11.2)";
        let nowhere = "no unit can withdraw: there is no Location to go to (A11.2)";
        for (named, plan, of, has_exit) in [
            (&self.withdraw, &self.plan, CombatFields::withdraw, self.exits.0[0]),
            (&self.their_withdraw, &self.reply, CombatFields::their_withdraw, self.exits.0[1]),
        ] {
            let withdraws = plan.as_ref().is_some_and(|plan| !plan.withdraws().is_empty());
            let of = if named.is_none() && withdraws {
                if of.name == CombatFields::withdraw.name {
                    CombatFields::plan
                } else {
                    CombatFields::reply
                }
            } else {
                of
            };
            if is_first_only && (named.is_some() || withdraws) {
                let melee = field(CombatFields::melee.name, true);
                let infiltrate = text_field(CombatFields::infiltrate.name, "always");
                let leave = text_field(CombatFields::ambush_withdraw.name, "after");
                let help = "`{}` says that it is a Melee; Infiltration and Ambush Withdrawal are \
                    `{}`, `{}`";
                return Err(of.fault(early).help(shown(help, [melee, infiltrate, leave])));
            }
            if !has_exit && (named.is_some() || withdraws) {
                let exits = text_field(CombatFields::exits.name, "yes,yes");
                return Err(of.fault(nowhere).help(shown("`{}` says that there is one", [exits])));
            }
        }
        let is_ambush = matches!(self.ambush, AmbushWish::Ours | AmbushWish::Theirs);
        let in_melee = "there is no Ambush in a Melee (A11.4)";
        CombatFields::ambush.refuse_if(self.melee && is_ambush, in_melee)?;
        let never = "without an Ambush nobody uses Ambush Withdrawal (A11.4)";
        let is_barred = matches!(self.ambush, AmbushWish::No);
        CombatFields::ambush_withdraw
            .refuse_if(is_barred && self.ambush_withdraw != AmbushWithdrawal::Never, never)?;
        let once = "there is one Player Turn: give more `turns`, or leave this out";
        let is_once = self.turns.u16() == 1;
        CombatFields::then.refuse_if(is_once && self.then.is_some(), once)?;
        CombatFields::then_reply.refuse_if(is_once && self.then_reply.is_some(), once)?;
        let late = "Hand-to-Hand is declared with the first round, not in a Melee (J2.31)";
        CombatFields::hand_to_hand.refuse_if(self.melee && self.hand_to_hand, late)
    }

    /// Returns the plans of both sides: `best` if none is named, as long as there are few enough
    /// blocks to try all plans.
    fn plans(&self, stacks: &[Stack; 2], notes: &mut Vec<String>) -> [AttackPlan; 2] {
        let is_small = stacks.iter().all(|stack| blocks(stack) <= MOST_BLOCKS);
        let named = if is_small { NamedPlan::Best } else { NamedPlan::All };
        let plans = [&self.plan, &self.reply];
        if !is_small && plans.iter().any(|plan| plan.is_none()) {
            notes.push(format!(
                "more than {MOST_BLOCKS} blocks on a side: one attack of all on all, where no \
                 plan is named"
            ));
        }
        plans.map(|plan| plan.clone().unwrap_or(AttackPlan::Named(named)))
    }

    /// Finds the best plans. If there are too many to try, sides without a named plan make one
    /// attack of all on all: from the second Player Turn on, else from the first.
    fn solved(
        &self,
        combat: CloseCombat,
        notes: &mut Vec<String>,
    ) -> Result<CloseCombat, FieldFault> {
        let (best, all) = (AttackPlan::Named(NamedPlan::Best), AttackPlan::Named(NamedPlan::All));
        let thens = [&self.then, &self.then_reply];
        let plans = [&self.plan, &self.reply];
        let mut combat = combat;
        for (name, words) in [
            ("then", "from the second Player Turn on one attack of all on all"),
            ("plan", "one attack of all on all, where no plan is named"),
        ] {
            let mut simpler = combat.clone();
            let mut is_simpler = false;
            for (side, orders) in simpler.orders.iter_mut().enumerate() {
                let plan = &mut orders.plan;
                let is_later = combat.turns > 1 && thens[side].is_none() && plan.then == best;
                if name == "then" && is_later {
                    (plan.then, is_simpler) = (all.clone(), true);
                } else if name == "plan" && plans[side].is_none() && plan.first == best {
                    (plan.first, is_simpler) = (all.clone(), true);
                }
            }
            if !is_simpler {
                continue;
            }
            match combat.clone().solved(true) {
                Ok(combat) => return Ok(combat),
                Err(_) => notes.push(format!("{words}: there are too many plans to try")),
            }
            combat = simpler;
        }
        combat.solved(false).map_err(|_| too_many_plans())
    }

    fn orders(
        &self,
        side: CombatSide,
        stacks: &[Stack; 2],
        plans: &[AttackPlan; 2],
    ) -> Result<CombatOrders, FieldFault> {
        let is_ours = side == CombatSide::Ours;
        let plan = &plans[side as usize];
        let (then, withdraw, of) = match side {
            CombatSide::Ours => (&self.then, &self.withdraw, CombatFields::withdraw),
            CombatSide::Theirs => {
                (&self.then_reply, &self.their_withdraw, CombatFields::their_withdraw)
            }
        };
        let (own, enemy) = (&stacks[side as usize], &stacks[side.other() as usize]);
        let later = if is_ours { CombatFields::then } else { CombatFields::then_reply };
        let plans = [(Some(plan), side.plan_field()), (then.as_ref(), later.name)];
        for (plan, name) in plans {
            let Some(plan) = plan else { continue };
            check_plan(plan, own, enemy).map_err(FieldFault::in_field(name))?;
            let is_best = *plan == AttackPlan::Named(NamedPlan::Best);
            if is_best && [own, enemy].into_iter().any(|stack| blocks(stack) > MOST_BLOCKS) {
                return Err(FieldFault::in_field(name)(too_many_blocks(own, enemy, name)));
            }
        }
        let withdraw = match withdraw {
            Some(SlotList(slots)) => withdrawing(slots, own, of)?,
            None => CombatUnits::default(),
        };
        let infiltrate = if is_ours { self.infiltrate } else { self.their_infiltrate };
        let then = then.clone().unwrap_or_else(|| plan.clone());
        Ok(CombatOrders {
            plan: SidePlan { first: plan.clone(), then },
            withdraw,
            infiltration: infiltrate,
            leaves_before: self.ambush_withdraw == AmbushWithdrawal::Before,
            leaves_after: self.ambush_withdraw == AmbushWithdrawal::After,
            has_exit: self.exits.0[side as usize],
            captures: is_ours && self.capture,
        })
    }
}

/// Returns the fault of a plan `best`, in a field, for stacks with too many blocks.
fn too_many_blocks(own: &Stack, enemy: &Stack, name: &'static str) -> Fault {
    let [own, enemy] = [own, enemy].map(blocks);
    let plans = plan_count(own, enemy);
    let message = format!(
        "`best` tries all plans, and there are more than {MOST_BLOCKS} blocks on a side: {own} \
         against {enemy} have {plans} plans"
    );
    let [all, pairs] = ["all", "pairs"].map(|plan| text_field(name, plan));
    Fault::new(message, 0..0).help(shown("name a plan, for example `{}` or `{}`", [all, pairs]))
}

fn too_many_plans() -> FieldFault {
    let fault = CombatFields::plan.fault("there are too many plans to try them all");
    let all = text_field(CombatFields::plan.name, "all");
    let reply = text_field(CombatFields::reply.name, "all");
    let simpler = field("no-creation", true);
    let help = "name one, for example `{}` or `{}`; without Leader Creation (`{}`) there are fewer";
    fault.help(shown(help, [all, reply, simpler]))
}

/// Reads the stack of a side from a field.
fn read_stack(written: &StackNotation, rulebook: Rulebook, of: Field) -> Result<Stack, FieldFault> {
    let stack = written.resolve(&StackNotation::nations([written]));
    let checked = stack.and_then(|stack| check_stack(&stack, rulebook).map(|()| stack));
    checked.map_err(FieldFault::in_field(of.name))
}

/// The largest number of blocks of a side for which all plans are tried.
const MOST_BLOCKS: usize = 4;

/// Returns the number of blocks of a stack that can be attacked (11.14).
fn blocks(stack: &Stack) -> usize {
    let is_block = |member: &&Member| !member.printed().kind.is_smc() || member.role.alone;
    stack.members.iter().filter(is_block).count()
}

/// Checks a stack: its size, what the edition has, and the MMC with which SMC stand (11.14).
pub(crate) fn check_stack(stack: &Stack, rulebook: Rulebook) -> Result<(), Fault> {
    let units = stack.members.len();
    if units > MOST_UNITS {
        let last = stack.spans.last().cloned().unwrap_or_default();
        return Err(Fault::new(
            format!("{units} units: a side has at most {MOST_UNITS} in Close Combat"),
            last,
        ));
    }
    for (member, span) in stack.members.iter().zip(&stack.spans) {
        let at = |fault: Fault| Fault { span: span.clone(), ..fault };
        let plain = Member { concealed: false, role: CombatRole::default(), ..member.clone() };
        check_scope(&plain, rulebook).map_err(at)?;
        let is_smc = member.printed().kind.is_smc();
        let refuse = |message: String| Err(Fault::new(message, span.clone()));
        if !is_smc && (member.role.alone || member.role.with.is_some()) {
            return refuse("only an SMC stands with an MMC, or alone (A11.14)".to_string());
        }
        if let Some(with) = member.role.with {
            let mmc = stack.members.get(usize::from(with) - 1);
            if mmc.is_none_or(|mmc| mmc.printed().kind.is_smc()) {
                return refuse(format!("unit {with} is no MMC of this stack (A11.14)"));
            }
        }
        if member.role.ti && member.is(Condition::Berserk) {
            return refuse("a berserk unit is not TI (A15.42)".to_string());
        }
    }
    Ok(())
}

/// Checks a plan against the units of both sides: numbers, and who may attack (11.16, 15.43).
fn check_plan(plan: &AttackPlan, own: &Stack, enemy: &Stack) -> Result<(), Fault> {
    let is_berserk = |member: &&Member| member.is(Condition::Berserk);
    let AttackPlan::Written(plan) = plan else {
        let rests = matches!(plan, AttackPlan::Named(NamedPlan::None | NamedPlan::Withdraw));
        return match own.members.iter().find(is_berserk).filter(|_| rests) {
            Some(member) => {
                let message = format!("{member} must attack (A15.43)");
                Err(Fault::new(message, 0..plan.text().len()))
            }
            None => Ok(()),
        };
    };
    plan.check_numbers(own.members.len(), enemy.members.len())?;
    let mut named = CombatUnits::default();
    for attack in &plan.attacks {
        let PlannedUnits::These(units) = attack.by else { return Ok(()) };
        named = named.with_all(units);
        for unit in units.units() {
            check_attacker(unit, units, own)
                .map_err(|fault| Fault { span: attack.span.clone(), ..fault })?;
        }
    }
    check_berserk(named, own, plan)
}

fn check_berserk(named: CombatUnits, own: &Stack, plan: &WrittenPlan) -> Result<(), Fault> {
    let rests = |&(unit, member): &(u8, &Member)| {
        let leads_alone = !member.printed().kind.is_smc() || member.role.alone;
        member.is(Condition::Berserk) && leads_alone && !named.has(unit)
    };
    match (0..).zip(&own.members).find(rests) {
        Some((unit, member)) => {
            let message = format!("unit {} ({member}) must attack (A15.43)", unit + 1);
            Err(Fault::new(message, 0..plan.text.len()))
        }
        None => Ok(()),
    }
}

/// Checks that a unit may be named as an attacker: unbroken, and no SMC who stands with an MMC that
/// does not attack with him (11.14, 11.16).
fn check_attacker(unit: u8, with: CombatUnits, own: &Stack) -> Result<(), Fault> {
    let member = &own.members[usize::from(unit)];
    if member.is(Condition::Broken) {
        let message = format!("unit {} ({member}) is broken and cannot attack (A11.16)", unit + 1);
        return Err(Fault::new(message, 0..0));
    }
    if !member.printed().kind.is_smc() || member.role.alone {
        return Ok(());
    }
    let is_base =
        |(_, other): &(u8, &Member)| !other.printed().kind.is_smc() && !other.is(Condition::Broken);
    let told = member.role.with.map(|with| with - 1);
    let first = (0..).zip(&own.members).find(is_base).map(|(unit, _)| unit);
    match told.or(first).filter(|base| !with.has(*base)) {
        Some(base) => {
            let mmc = &own.members[usize::from(base)];
            let message = format!("unit {} stands with {mmc} ({})", unit + 1, base + 1);
            let help = "name that MMC; `/with=N` behind an SMC puts it with another, `/alone` by \
                itself (A11.14)";
            Err(Fault::new(message, 0..0).help(help))
        }
        None => Ok(()),
    }
}

/// Returns the units with these numbers, which can withdraw (11.2).
fn withdrawing(slots: &[usize], own: &Stack, of: Field) -> Result<CombatUnits, FieldFault> {
    let mut units = CombatUnits::default();
    for &slot in slots {
        let member = slot.checked_sub(1).and_then(|place| own.members.get(place));
        let Some(member) = member else {
            let has = counted(own.members.len() as u64, "unit");
            return Err(of.fault(format!("there is no unit {slot}: the stack has {has}")));
        };
        let barred = [Condition::Pinned, Condition::Berserk, Condition::Disrupted];
        if let Some(barred) = barred.into_iter().find(|&barred| member.is(barred)) {
            let message =
                format!("unit {slot} ({member}) cannot withdraw: it is {} (A11.2)", barred.name());
            return Err(of.fault(message));
        }
        units = units.with(slot as u8 - 1);
    }
    Ok(units)
}
