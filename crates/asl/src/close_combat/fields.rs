//! The fields of a question about Close Combat, checked against each other.

use std::sync::Arc;

use super::combat::{AmbushMode, CloseCombat, CombatOrders};
use super::objective::CombatObjective;
use super::plan::{AttackPlan, MOST_UNITS, NamedPlan, PlannedUnits, SidePlan, WrittenPlan};
use super::state::{CombatSide, CombatUnits};
use crate::board::terrain::Terrain;
use crate::catalogue::CounterId;
use crate::draft::{Switches, check_scope};
use crate::engagement::{Engagement, EngagementSetup};
use crate::kinds::{PlayerTurns, SlotList, text_value};
use crate::notation::StackNotation;
use crate::roster::Roster;
use crate::rulebook::{Profile, Rulebook};
use crate::stack::{CombatRole, Member, Stack};
use crate::unit::{Condition, Unit};
use crate::vocabulary::{Choices, OutcomeDetail, Scene, Wording};
use engine::text::notation::{field, shown, text_field};
use engine::text::{Fault, counted};
use schema::declared::named;
use schema::field::{fields, words_of};
use schema::{Field, FieldFault, Takes};

/// The text of two stacks, with `vs` between them, or of one.
#[derive(Clone, Debug)]
pub struct Opponents {
    ours: StackNotation,
    theirs: Option<StackNotation>,
}

text_value!(
    Opponents,
    Takes::Text("STACK"),
    |text| {
        let Some(sign) = text.find(VERSUS) else {
            let ours = StackNotation::parse(text)?;
            return Ok(Opponents { ours, theirs: None });
        };
        let after = sign + VERSUS.len();
        let theirs = StackNotation::parse(&text[after..]).map_err(|fault| fault.shifted(after))?;
        Ok(Opponents { ours: StackNotation::parse(&text[..sign])?, theirs: Some(theirs) })
    },
    |opponents| match &opponents.theirs {
        Some(theirs) => format!("{}{VERSUS}{}", opponents.ours.text(), theirs.text()),
        None => opponents.ours.text().to_string(),
    }
);

const VERSUS: &str = " vs ";

named! {
    /// Whether there is an Ambush (11.4).
    pub enum AmbushWish { Roll = "roll", No = "no", Ours = "ours", Theirs = "theirs" }

    /// Whether units Infiltrate when they may (11.22).
    pub enum Infiltration { Never = "never", Always = "always" }

    /// When ambushers leave the Location (11.41).
    pub enum AmbushWithdrawal { Never = "never", Before = "before", After = "after" }
}

words_of!(AmbushWish, "WHO", "");
words_of!(Infiltration, "WHEN", "");
words_of!(AmbushWithdrawal, "WHEN", "");

/// Whether each side has an Accessible Location to go to, ours first.
#[derive(Clone, Copy, Debug)]
pub struct Exits([bool; 2]);

text_value!(
    Exits,
    Takes::Text("YES,YES"),
    |text| {
        let word = |word: &str| match word.trim() {
            "yes" | "true" => Some(true),
            "no" | "false" => Some(false),
            _ => None,
        };
        match text.split(',').map(word).collect::<Vec<_>>()[..] {
            [Some(ours), Some(theirs)] => Ok(Exits([ours, theirs])),
            [Some(both)] => Ok(Exits([both; 2])),
            _ => {
                let message = format!("expected two of yes and no, not `{text}`");
                let fault = Fault::new(message, 0..text.len());
                Err(fault.help("ours first, for example `yes,no`"))
            }
        }
    },
    |Exits(exits)| exits.map(|exit| if exit { "yes" } else { "no" }).join(",")
);

fields! {
    /// The fields of a question about Close Combat.
    pub struct CombatFields, CombatSetters {
        "stack" stack: Option<Opponents>, "our units; `A vs B` names both sides";
        "against" against: Option<StackNotation>, "their units, in the same notation";
        "plan" plan: Option<AttackPlan>, "our attacks: `2>1; 3>2` (our \
            unit 2 their unit 1, unit 3 their unit 2), or best, all, first, pairs, capture, none, \
            withdraw; default: best", ["A11.12"];
        "reply" reply: Option<AttackPlan>, "their attacks on our units; default: best", ["A11.12"];
        "then" then: Option<AttackPlan>, "our plan from the second Player Turn on; default: `plan`";
        "then-reply" then_reply: Option<AttackPlan>,
            "their plan from the second Player Turn on; default: `reply`";
        "objective" objective: CombatObjective = "net", "what the best plans are best for: net \
            (CVP taken less CVP given), net-final (captured twice), kills, losses, clear, kept, \
            survive, or a number such as `leaders lost = 0`", ["A26.21"];
        "terrain" terrain: &'static Terrain = "open",
            "terrain of the Location: woods and buildings allow an Ambush", ["A11.4"];
        "ambush" ambush: AmbushWish = "roll",
            "roll (where the rules allow it), no, ours, theirs: who has ambushed", ["A11.4"];
        "ambush-withdraw" ambush_withdraw: AmbushWithdrawal = "never",
            "never, before, after: when ambushers leave the Location", ["A11.41"];
        "phasing" phasing: CombatSide = "ours", "ours or theirs: whose Player Turn is the first";
        "melee" melee: bool, "the Location already is in Melee", ["A11.15"];
        "turns" turns: PlayerTurns = "1", "Player Turns, each with one CCPh";
        "withdraw" withdraw: Option<SlotList>, "numbers of our units that withdraw from the Melee",
            ["A11.2"];
        "their-withdraw" their_withdraw: Option<SlotList>,
            "numbers of their units that withdraw from the Melee", ["A11.2"];
        "infiltrate" infiltrate: Infiltration = "never",
            "never or always: our units leave on an Original 2 or 12", ["A11.22"];
        "their-infiltrate" their_infiltrate: Infiltration = "never",
            "never or always: their units leave on an Original 2 or 12", ["A11.22"];
        "exits" exits: Exits = "yes,yes",
            "is there an Accessible Location without a Known enemy to leave for: ours, theirs";
        "capture" capture: bool, "every attack of ours is an attempt to capture", ["A20.22"];
        "hand-to-hand" hand_to_hand: bool,
            "the red Kill Numbers count in the first round, unless the ATTACKER is ambushed",
            ["J2.31"];
        "no-quarter" no_quarter: bool, "No Quarter is in force: Disrupted units are fought",
            ["A20.3"];
        "night" night: bool, "it is night: the ATTACKER ambushes with a dr lower by 2", ["E1.77"];
        "creation" / "no-creation" creation: bool = "true", "no Leader Creation", ["A18.12"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
        "joint" joint: bool, "outcomes of both sides together instead of each unit", once;
    }
}

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
        let orders = CombatSide::ALL.map(|side| self.orders(side, &stacks, &plans));
        let [own, enemy] = orders;
        let orders = [own?, enemy?];
        let ambush = match self.ambush {
            AmbushWish::Roll => AmbushMode::Rolled,
            AmbushWish::No => AmbushMode::Barred,
            AmbushWish::Ours => AmbushMode::By(CombatSide::Ours),
            AmbushWish::Theirs => AmbushMode::By(CombatSide::Theirs),
        };
        let [ours, theirs] = &stacks;
        let members = [ours.members.clone(), theirs.members.clone()];
        let combat = CloseCombat {
            rulebook,
            engagements: engagements(&members, rulebook),
            members,
            orders,
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
        };
        let combat = self.solved(combat, &mut notes)?;
        Ok(CheckedCombat { combat: Arc::new(combat), stacks, terrain: self.terrain, notes })
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
        let read = |written: &StackNotation, of: Field| {
            let in_field = FieldFault::in_field(of.name);
            let stack = written.resolve(&StackNotation::nations([written]));
            stack.and_then(|stack| check_stack(&stack, rulebook).map(|()| stack)).map_err(in_field)
        };
        let at = if own.theirs.is_some() { STACKS[0] } else { STACKS[1] };
        Ok([read(&own.ours, STACKS[0])?, read(enemy, at)?])
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
        let in_melee = "there is no Ambush in a Melee (A11.4): leave this out";
        CombatFields::ambush.refuse_if(self.melee && is_ambush, in_melee)?;
        let never = "without an Ambush nobody uses Ambush Withdrawal (A11.4)";
        let is_barred = matches!(self.ambush, AmbushWish::No);
        CombatFields::ambush_withdraw
            .refuse_if(is_barred && self.ambush_withdraw != AmbushWithdrawal::Never, never)?;
        let once = "there is one Player Turn: give more `turns`, or leave this out";
        let is_once = self.turns.u16() == 1;
        CombatFields::then.refuse_if(is_once && self.then.is_some(), once)?;
        CombatFields::then_reply.refuse_if(is_once && self.then_reply.is_some(), once)?;
        let late =
            "Hand-to-Hand is declared with the first round, not in a Melee (J2.31): leave this out";
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
        combat.solved(false).map_err(|_| {
            let fault = CombatFields::plan.fault("there are too many plans to try them all");
            let all = text_field(CombatFields::plan.name, "all");
            let reply = text_field(CombatFields::reply.name, "all");
            fault.help(shown("name one, for example `{}` or `{}`", [all, reply]))
        })
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
                let message = format!(
                    "`best` tries all plans, and there are more than {MOST_BLOCKS} blocks on a side"
                );
                let help = "name a plan, for example `all` or `pairs`";
                let fault = Fault::new(message, 0..0).help(help);
                return Err(FieldFault::in_field(name)(fault));
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
            infiltrates: infiltrate == Infiltration::Always,
            leaves_before: self.ambush_withdraw == AmbushWithdrawal::Before,
            leaves_after: self.ambush_withdraw == AmbushWithdrawal::After,
            has_exit: self.exits.0[side as usize],
            captures: is_ours && self.capture,
        })
    }
}

/// The largest number of blocks of a side for which all plans are tried.
const MOST_BLOCKS: usize = 4;

/// Returns the number of blocks of a stack that can be attacked (11.14).
fn blocks(stack: &Stack) -> usize {
    let is_block = |member: &&Member| !member.printed().kind.is_smc() || member.role.alone;
    stack.members.iter().filter(is_block).count()
}

/// Checks a stack: its size, what the edition has, and the MMC with which SMC stand (11.14).
fn check_stack(stack: &Stack, rulebook: Rulebook) -> Result<(), Fault> {
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

/// Returns the rules for the units of each side. Both have one roster.
fn engagements(members: &[Vec<Member>; 2], rulebook: Rulebook) -> [Engagement; 2] {
    let all: Vec<Member> = members.concat();
    let (roster, counters) = Roster::from_members(&all);
    CombatSide::ALL.map(|side| {
        let own = &members[side as usize];
        let first = if side == CombatSide::Ours { 0 } else { members[0].len() };
        engagement(own, &counters[first..], roster.clone(), rulebook)
    })
}

/// Returns the rules for the units of one stack, without stages.
pub(crate) fn engagement_of(members: &[Member], rulebook: Rulebook) -> Engagement {
    let (roster, counters) = Roster::from_members(members);
    let engagement = engagement(members, &counters, roster, rulebook);
    engagement.with_concealed(|place| members[place].concealed)
}

fn engagement(
    own: &[Member],
    counters: &[CounterId],
    roster: Arc<Roster>,
    rulebook: Rulebook,
) -> Engagement {
    let unit = |(member, &counter)| Unit::from_member(member, counter, 0);
    Engagement::new(EngagementSetup {
        roster,
        rulebook,
        scene: Scene::default(),
        choices: Choices::default(),
        units: own.iter().zip(counters).map(unit).collect(),
        resident: None,
        stages: Vec::new(),
        sniper: None,
        bystanders: 0,
        telling: OutcomeDetail {
            wording: Wording::Check,
            slots: (1..=own.len() as u8).collect(),
            first_created: own.len() as u8 + 1,
            reported: vec![true; own.len()],
            equals: Vec::new(),
            created: true,
            joint: false,
        },
    })
}
