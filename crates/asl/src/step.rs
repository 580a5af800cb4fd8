//! Checks the fields of one step, and the units against the edition of the rules.

use super::catalogue::CounterKind;
use super::kinds::{HexesToCross, Mc, SlotList, StackFields, StepFields, StepKind, not_one_leader};
use super::nation::Nation;
use super::rulebook::{Profile, Rulebook, Switch};
use super::sequence::{Action, Interdict, Rally, Step};
use super::stack::{Member, Slots, Stack};
use super::unit::Condition::*;
use crate::vocabulary::{Attack, StepCondition, WOUNDED_MF};
use engine::text::Fault;
use engine::text::notation::{Remedy, field, shown, text_field};
use schema::{Field, FieldFault};

const NO_BREAK: &str = "the Starter Kit has no Voluntary Break (A10.41)";
const DM_UNDER_COVER: &str =
    "DM cannot be kept in woods, a building, a pillbox or a trench (A10.62)";

#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub stack: &'a Stack,
    pub nations: &'a [Nation],
    pub rulebook: Rulebook,
    pub in_sequence: bool,
}

pub(super) fn finish(
    step_kind: StepKind,
    fields: &StepFields,
    setting: Setting,
    notes: &mut Vec<String>,
) -> Result<Step, FieldFault> {
    let units = setting.stack.members.len();
    let of_test = FieldFault::in_field(StepFields::test.name);
    let condition = fields.test.as_ref().map(|text| StepCondition::parse(text, units));
    let condition = condition.transpose().map_err(of_test)?;
    let action = match step_kind {
        StepKind::Fire => attack(fields)?,
        StepKind::Check => check(fields)?,
        StepKind::Eliminate if fields.slots.is_none() => {
            let slots = [field("slots", 1), text_field("slots", "1,3")];
            let fault = StepFields::slots.fault("say who is eliminated");
            return Err(fault.help(shown("for example `{}`, or `{}`", slots)));
        }
        StepKind::Eliminate => Action::Eliminate(places(fields, units)?),
        StepKind::Break if setting.rulebook.chooses(Switch::NoVoluntaryBreak) => {
            return Err(FieldFault::new("do", NO_BREAK));
        }
        StepKind::Break => Action::Break(places(fields, units)?),
        StepKind::Dm => Action::Dm,
        StepKind::Rally => rally(fields, lent(fields, setting, notes)?, setting.rulebook)?,
        StepKind::Interdict => interdict(fields, lent(fields, setting, notes)?, setting)?,
    };
    Ok(Step { action, condition })
}

/// Returns the fault for a field that must be given, with an example of its value.
fn missing(of: Field, message: &str, example: i64) -> FieldFault {
    of.fault(message).help(shown("for example `{}`", [field(of.name, example)]))
}

fn attack(fields: &StepFields) -> Result<Action, FieldFault> {
    let missing = || missing(StepFields::firepower, "say how much firepower attacks", 8);
    let firepower = fields.firepower.ok_or_else(missing)?.u16();
    let cowering = cowering(fields.cowering, fields.inexperienced, StepFields::inexperienced.name)?;
    Ok(Action::Fire(Attack { firepower, drm: fields.drm.i8(), cowering }))
}

/// Returns the number of columns that Cowering costs (7.9, 19.3).
pub(super) fn cowering(cowers: bool, inexperienced: bool, field: &str) -> Result<u8, FieldFault> {
    match (cowers, inexperienced) {
        (false, true) => Err(FieldFault::new(
            field,
            "`inexperienced` and `no-cowering` contradict each other (A19.3)",
        )),
        _ => Ok(u8::from(cowers) + u8::from(inexperienced)),
    }
}

fn check(fields: &StepFields) -> Result<Action, FieldFault> {
    let (mc, ptc) = (StepFields::mc, StepFields::ptc);
    match (fields.mc, fields.ptc) {
        (Some(Mc(drm)), false) => Ok(Action::MoraleCheck(drm.i8())),
        (None, true) => Ok(Action::PinTaskCheck),
        (None, false) => {
            let checks = [field(mc.name, 0), field(mc.name, 1), field(ptc.name, true)];
            let help = shown("`{}` is a NMC, `{}` a 1MC, `{}` a Pin Task Check", checks);
            Err(mc.fault("say which check: a MC or a PTC").help(help))
        }
        (Some(_), true) => Err(ptc.fault("use either a MC or a PTC, not both")),
    }
}

fn places(fields: &StepFields, units: usize) -> Result<Slots, FieldFault> {
    let Some(SlotList(slots)) = &fields.slots else { return Ok(Slots::ALL) };
    match slots.iter().find(|&&slot| slot == 0 || slot > units) {
        Some(slot) => Err(StepFields::slots
            .fault(format!("there is no slot {slot}: the stack has {units} units"))),
        None => Ok(slots.iter().map(|slot| slot - 1).collect()),
    }
}

/// Returns the leader outside the stack that gives its leadership DRM (10.6, 10.21), if any.
fn lent(
    fields: &StepFields,
    setting: Setting,
    notes: &mut Vec<String>,
) -> Result<Option<Member>, FieldFault> {
    let of_leader = || FieldFault::in_field(StepFields::leader.name);
    let Some(written) = &fields.leader.0 else { return Ok(None) };
    let leader = written.resolve(setting.nations).map_err(of_leader())?;
    notes.extend(leader.assumed.clone());
    lent_leader(leader, setting.rulebook).map(Some).map_err(of_leader())
}

fn rally(
    fields: &StepFields,
    leader: Option<Member>,
    rulebook: Rulebook,
) -> Result<Action, FieldFault> {
    let StepFields { phases, own_rph, terrain, keep_dm: keeps_dm, dm, .. } = *fields;
    let bonus = rulebook.gives_rally_bonus(terrain);
    StepFields::keep_dm.refuse_if(keeps_dm && bonus, DM_UNDER_COVER)?;
    Ok(Action::Rally(Rally { leader, phases: phases.u16(), own_rph, terrain, bonus, keeps_dm, dm }))
}

fn interdict(
    fields: &StepFields,
    leader: Option<Member>,
    setting: Setting,
) -> Result<Action, FieldFault> {
    let missing = || missing(StepFields::hexes, "say how many Interdicted hexes are crossed", 2);
    let HexesToCross(hexes) = fields.hexes.ok_or_else(missing)?;
    let escort = match (fields.voluntary_rout, setting.in_sequence) {
        (false, _) => None,
        (true, false) => Some(escort(setting.stack, hexes)?),
        (true, true) => Some(escort_in_sequence(setting.stack)?),
    };
    Ok(Action::Interdict(Interdict { leader, hexes, escort, disrupted: !setting.in_sequence }))
}

/// Returns the index of the leader on a Voluntary Rout with the unit (10.711). No other leader of
/// the stack may be able to go, and at most one unit may be broken.
fn escort(stack: &Stack, hexes: u8) -> Result<usize, FieldFault> {
    let field = StepFields::voluntary_rout;
    let leads = |&place: &usize| stack.members[place].can_lead();
    let leaders: Vec<usize> = (0..stack.members.len()).filter(leads).collect();
    let [leader] = leaders[..] else {
        let fault = field.fault(format!(
            "expected one leader who can rout with the unit, unbroken, not pinned and not berserk, \
                not {}",
            leaders.len()
        ));
        return Err(fault.help("for example `\"german:8-1 + german:4-6-7/broken\"` (A10.711)"));
    };
    let broken = stack.members.iter().filter(|member| member.is(Broken)).count();
    let alone = "a leader can rout with one broken unit only: remove the others (A10.711)";
    field.refuse_if(broken > 1, alone)?;
    if stack.members[leader].is(Wounded) && hexes > WOUNDED_MF {
        return Err(field.fault(format!(
            "a wounded leader has {WOUNDED_MF} MF and must stay with the unit (A17.2, A10.711)"
        )));
    }
    Ok(leader)
}

/// Returns the index of the leader on a Voluntary Rout in a sequence. The state of either unit is
/// not known before, so the stack must be one leader and one other unit.
fn escort_in_sequence(stack: &Stack) -> Result<usize, FieldFault> {
    let leads: Vec<bool> = stack.members.iter().map(|member| member.is_leader()).collect();
    match leads[..] {
        [true, false] => Ok(0),
        [false, true] => Ok(1),
        _ => Err(StepFields::voluntary_rout
            .fault("in a sequence the stack must be one leader and one unit (A10.711)")),
    }
}

/// Checks that a stack is one Good Order leader, who can give its DRM (10.6, 10.21).
pub(super) fn lent_leader(stack: Stack, rulebook: Rulebook) -> Result<Member, Fault> {
    let [leader] = &stack.members[..] else {
        return Err(not_one_leader());
    };
    if !leader.is_leader() {
        return Err(Fault::new(format!("a {} is not a leader", leader.printed().printed()), 0..0));
    }
    let unfit = [Broken, Pinned, Berserk, Captured, Unarmed];
    if let Some(condition) = unfit.into_iter().find(|&condition| leader.is(condition)) {
        let message = format!(
            "a leader who is {} lends no leadership: he must be in Good Order",
            condition.name()
        );
        return Err(Fault::new(message, 0..0).help("put him into the stack"));
    }
    check_scope(leader, rulebook)?;
    Ok(leader.clone())
}

/// Rejects units that are not supported or not in the edition. The fault has no position yet.
pub(super) fn check_scope(member: &Member, rulebook: Rulebook) -> Result<(), Fault> {
    let fault = |message: String, help: Remedy| Err(Fault::new(message, 0..0).help(help));
    let edition =
        |words: &str| shown(words, [text_field(StackFields::profile.name, Profile::AslV3.name())]);
    if member.is(Captured) {
        return fault(
            "prisoners (A20.5) are not supported".to_string(),
            "remove them from the stack".into(),
        );
    }
    if !rulebook.chooses(Switch::PlainUnitsOnly) {
        return Ok(());
    }
    let kind = member.printed().kind;
    let lacking = [Heroic, Fanatic, Berserk, Encircled, Unarmed];
    match lacking.into_iter().find(|&condition| member.is(condition)) {
        Some(condition) => fault(
            format!("the Starter Kit has no {} units", condition.name()),
            edition("`{}` has them"),
        ),
        None if matches!(kind, CounterKind::Hero | CounterKind::Commissar) => fault(
            format!("the Starter Kit has no counter `{}`", kind.name()),
            edition("`{}` has it"),
        ),
        None => Ok(()),
    }
}
