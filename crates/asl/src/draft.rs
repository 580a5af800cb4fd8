//! Checks the fields of a question about a stack, step by step, and its units against the edition.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::attack::circumstances::FirePhase;
use super::attack::fields::{fire_phase, given_circumstance, named_attack};
use super::attack::firers::FireGroup;
use super::attack::lines::AttackLine;
use super::attack::shots::{Recurrence, check_again};
use super::catalogue::CounterKind;
use super::close_combat::checks::check_stack;
use super::close_combat::fields::CombatFields;
use super::close_combat::stage::CombatStage;
use super::kinds::{
    ActionFields, HexesToCross, Lent, Mc, QuestionKind, SlotList, StackFields, Stacks, StepFields,
    StepKind, not_one_leader,
};
use super::nation::Nation;
use super::notation::StackNotation;
use super::question::Question;
use super::roster::Roster;
pub use super::rule_settings::Switches;
use super::rulebook::{Profile, Rulebook, Switch};
pub(crate) use super::scope::check_scope;
use super::sequence::{Action, Interdict, Rally, Step};
use super::sniper::fields::{OF_SNIPERS, SniperSetting, uncalled};
use super::sniper::gain::GainPlace;
use super::stack::{CombatRole, Member, Slots, Stack};
use crate::counting::MEASURES;
use crate::vocabulary::{
    Attack, Choices, Condition, Report, Scene, Shots, Sniper, Stage, StepCondition, WOUNDED_MF,
};
use engine::text::notation::{Remedy, each, field, shown, text_field};
use engine::text::{Fault, canonical};
use play::{Draft, DynQuestion, QuestionForm, StepDraft};
use schema::{Field, FieldFault, FieldSet as _, Measure, Other, RawValue, Word as _};

const DISRUPTED_ROUT: &str =
    "a Disrupted unit routs only out of a Blaze, a Water Obstacle or Open Ground (A19.12)";
const ADJACENT_IN_RALLIES: &str = "an enemy is ADJACENT in more than one Rally Phase; units that \
    stay are assumed to need no rout (A10.5)";

/// Further words for fields of a step, each with the name of the field.
const SPELLINGS: [(&str, &str, &str); 8] = [
    ("firepower power attack-fp attack", "fp", "8"),
    ("hex", "hexes", "2"),
    ("modifier drms dr-modifier", "drm", "1"),
    ("morale-check", "mc", "1"),
    ("nmc", "mc", "0"),
    ("pin-check pin-task-check", "ptc", "true"),
    ("rounds attempts turn rph", "phases", "2"),
    ("cover in", "terrain", "woods"),
];

/// Words for what holds by default, each with the flag that turns it off.
const ON: [(&str, &str, &str); 3] = [
    ("cowering cower", "no-cowering", "the firers Cower"),
    ("hob heat-of-battle", "no-hob", "Heat of Battle is in force"),
    ("keu known-enemy", "no-keu", "a Known enemy is in LOS"),
];

impl QuestionForm for Stacks {
    type QuestionKind = QuestionKind;
    type Head = StackFields;
    type StepKind = StepKind;
    type Step = ActionFields;
    type Rules = Switches;
    type Question = Question;

    const MEASURES: &'static [Measure] = MEASURES;

    const MOST_STEPS: usize = 20;

    fn step_kind(ask: QuestionKind) -> Option<StepKind> {
        Some(match ask {
            QuestionKind::Fire => StepKind::Fire,
            QuestionKind::Check => StepKind::Check,
            QuestionKind::Rally => StepKind::Rally,
            QuestionKind::Interdict => StepKind::Interdict,
            QuestionKind::Sequence | QuestionKind::Turn => return None,
        })
    }

    fn lacking(ask: QuestionKind, field: &str) -> Option<Remedy> {
        let is_called = !matches!(ask, QuestionKind::Rally | QuestionKind::Interdict);
        uncalled(field).filter(|_| !is_called)
    }

    fn instead(step_kind: StepKind, name: &str, value: RawValue) -> Option<Remedy> {
        let is_attack = step_kind == StepKind::Fire;
        let rolls_mc = is_attack || step_kind == StepKind::Check;
        let text = value.text(name).unwrap_or_default();
        let is_any = |words: &str| words.split(' ').any(|word| word == name);
        let declared = step_kind.declared();
        let spelt = SPELLINGS.iter().find(|(words, ..)| is_any(words));
        let spelt = spelt.and_then(|(_, known, example)| {
            let value = match value {
                RawValue::Text(text) => if text.is_empty() { example } else { text }.to_string(),
                value => value.to_string(),
            };
            let known = declared.fields().find(|field| field.is_called(known))?;
            Some(shown("write `{}`", [field(known.name, value)]))
        });
        if spelt.is_some() {
            return spelt;
        }
        if let Some((_, off, what)) = ON.iter().find(|(words, ..)| is_any(words)) {
            return Some(shown(format!("{what} by default; `{{}}` says no"), [field(off, true)]));
        }
        Some(match name {
            "leader" | "commissar" if rolls_mc => {
                let is_leader = StackNotation::parse(text).is_ok_and(|stack| stack.units() == 1);
                let leader = if is_leader { text } else { "8-1" };
                let target = format!("write the leader into the stack: `{leader} + german:4-6-7`");
                let firers = "; name a leader of the firers in `{}`";
                match is_attack {
                    true => shown(target + firers, [text_field("by", "9-2 + german:4-6-7")]),
                    false => target.into(),
                }
            }
            "commissar" => {
                shown("a Commissar is a leader: `{}`", [text_field("leader", "commissar:9-0")])
            }
            "dm" | "broken" if rolls_mc => {
                "write the state of a unit after its counter: `german:4-6-7/broken,dm`".into()
            }
            "leadership" if is_attack => {
                shown("it is part of the DRM: add it up in `{}`", [field(StepFields::drm.name, 1)])
            }
            "hedge" | "wall" if is_attack => shown(
                "it is part of the DRM, `{}`; with named firers write `{}`",
                [field(StepFields::drm.name, 1), text_field("hexside", name)],
            ),
            "firers" if is_attack => shown("write `{}`", [text_field("by", "german:4-6-7")]),
            _ => return None,
        })
    }

    fn finish(draft: &Draft<Stacks>) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft<Stacks>) -> Result<Question, FieldFault> {
        let whole;
        let draft = match Stacks::step_kind(draft.ask) {
            Some(_) => draft,
            None => {
                whole = with_attacks(draft)?;
                &whole
            }
        };
        let Draft { ask, head, .. } = draft;
        let of_stack = || FieldFault::in_field(StackFields::stack.name);
        let missing =
            || StackFields::stack.fault("the stack is missing").help("for example `german:4-6-7`");
        let written = head.stack.as_ref().ok_or_else(missing)?;
        let leaders = draft.steps.iter().filter_map(|step| step.fields.leader.0.as_ref());
        let nations = StackNotation::nations(std::iter::once(written).chain(leaders));
        let rulebook = draft.rules.rulebook(head.profile)?;
        let mut stack = written.resolve(&nations).map_err(of_stack())?;
        let mut notes = [&stack.assumed[..], &draft.notes[..]].concat();
        check_units(draft, &stack, rulebook).map_err(of_stack())?;
        let begun = draft.begun.unwrap_or(*ask);
        if matches!(begun, QuestionKind::Rally | QuestionKind::Interdict) {
            let voluntary = draft.steps.first().is_some_and(|step| step.fields.voluntary_rout);
            begin_broken(&mut stack, voluntary, &mut notes).map_err(of_stack())?;
        }
        if draft.steps.is_empty() {
            return Err(no_steps(*ask));
        }
        notes.extend(one_side(&nations, head.enemy));
        let in_sequence = Stacks::step_kind(*ask).is_none();
        let setting = StepSetting {
            stack: &stack,
            nations: &nations,
            rulebook,
            in_sequence,
            has_san: head.san.is_some(),
            no_quarter: head.no_quarter,
            may_be_concealed: stack.members.iter().any(|member| member.concealed),
        };
        let steps = steps(draft, setting, &mut notes)?;
        let disrupted = stack.members.iter().any(|member| member.is(Condition::Disrupted));
        if *ask == QuestionKind::Interdict && disrupted {
            notes.push(DISRUPTED_ROUT.to_string());
        }
        let phases = |step: &Step| match &step.action {
            Action::Rally(rally) => rally.phases,
            _ => 0,
        };
        if head.enemy_adjacent && steps.iter().map(phases).sum::<u16>() > 1 {
            notes.push(ADJACENT_IN_RALLIES.to_string());
        }
        let mut seen = BTreeSet::new();
        notes.retain(|note| seen.insert(note.clone()));
        let scene = Scene {
            heat_of_battle: head.heat_of_battle,
            known_enemy: head.known_enemy,
            captor: head.captor,
            no_quarter: head.no_quarter,
            against_russians: head.enemy == Some(Nation::Russian),
            enemy_adjacent: head.enemy_adjacent,
        };
        let (elr, joint) = (head.elr.u8(), head.joint);
        let snipers = snipers(draft, rulebook)?;
        let followed = snipers.as_ref().map(|SniperSetting { san, hits }| Sniper {
            san: san.enemy,
            is_own: false,
            share: hits.share,
        });
        notes.extend(snipers.as_ref().and_then(|snipers| snipers.hits.note()));
        Ok(Question {
            ask: *ask,
            stack,
            steps,
            scene,
            elr,
            report: if joint { Report::Stack } else { Report::Units },
            rulebook,
            choices: Choices::default(),
            notes,
            made: OnceLock::new(),
            snipers,
            followed: followed.filter(|sniper| sniper.strikes()),
            called: OnceLock::new(),
        })
    }

    fn others(draft: &Draft<Stacks>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        let is_struck = draft.head.san.is_some() && draft.head.sniper_hits.share > 0;
        let fights = draft.steps.iter().any(|step| step.step_kind == StepKind::Cc);
        // Switches of Close Combat come after the switches of a stack.
        let last = if fights { Switch::DmOnlyByResult } else { Switch::WholeOddsBeyondTen };
        draft.rules.others_among(draft.head.profile, which, |switch| {
            switch < last || is_struck && OF_SNIPERS.contains(&switch)
        })
    }
}

/// Returns the Snipers beside a question. It is night for them if it is in any step (E1.76).
fn snipers(draft: &Draft<Stacks>, rulebook: Rulebook) -> Result<Option<SniperSetting>, FieldFault> {
    let hits = &draft.head.sniper_hits;
    let is_night = draft.steps.iter().any(|step| step.fields.night);
    let Some(san) = draft.head.san else {
        let san = || shown("give the SAN of the enemy, such as `{}`", [field("san", 4)]);
        if hits.share > 0 {
            let message = "no Sniper is asked for";
            return Err(StackFields::sniper_hits.fault(message).help(san()));
        }
        let checks = |step: &StepDraft<Stacks>| step.step_kind == StepKind::Check;
        if draft.steps.iter().any(|step| step.fields.night && checks(step)) {
            let message = "night changes no check, only a SAN (E1.76)";
            return Err(StepFields::night.fault(message).help(san()));
        }
        return Ok(None);
    };
    let kit = "the Starter Kit has no Snipers (A14)";
    StackFields::san.refuse_if(rulebook.profile() == Profile::AslSk, kit)?;
    let san = if is_night { san.at_night() } else { san };
    Ok(Some(SniperSetting { san, hits: hits.clone() }))
}

/// Checks the units of a stack for what its steps can tell of them.
fn check_units(draft: &Draft<Stacks>, stack: &Stack, rulebook: Rulebook) -> Result<(), Fault> {
    let does = |kind: StepKind| draft.steps.iter().any(|step| step.step_kind == kind);
    let (fights, conceals) = (does(StepKind::Cc), does(StepKind::Conceal));
    let matters = fights || conceals || does(StepKind::Fire) || does(StepKind::Reveal);
    if fights {
        check_stack(stack, rulebook)?;
    }
    if stack.dummies > 0 && !matters {
        let message = "Dummies count only under fire and in Close Combat (A12.11)";
        return Err(Fault::new(message, 0..0).help("leave them out"));
    }
    let is_struck = draft.head.san.is_some() && draft.head.sniper_hits.share > 0;
    if stack.dummies > 0 && is_struck && stack.members.iter().all(|member| !member.concealed) {
        let message = "Dummies beside Known units alone are not followed under a Sniper (A14.23)";
        return Err(Fault::new(message, 0..0).help("leave them out, or conceal a unit"));
    }
    if stack.dummies > 0 && is_struck && conceals {
        let message =
            "Dummies are not followed under a Sniper where units gain concealment (A14.23)";
        return Err(Fault::new(message, 0..0).help("leave them out"));
    }
    for (member, span) in stack.members.iter().zip(&stack.spans) {
        let concealed = member.concealed && !matters;
        let role = match member.role {
            _ if fights => CombatRole::default(),
            role if conceals => CombatRole { lax: false, stealthy: false, ..role },
            role => role,
        };
        let seen = Member { concealed, role, ..member.clone() };
        check_scope(&seen, rulebook).map_err(|fault| Fault { span: span.clone(), ..fault })?;
    }
    Ok(())
}

/// Returns a note on units of both sides, which is no error: captives have fought for the enemy.
pub(super) fn one_side(nations: &[Nation], enemy: Option<Nation>) -> Option<String> {
    let of = |is_meant: &dyn Fn(Nation) -> bool| nations.iter().copied().find(|&n| is_meant(n));
    if let Some(enemy) = enemy
        && let Some(nation) = of(&|nation| nation.is_one_side_with(enemy))
    {
        return Some(format!("the enemy is {enemy}, but the stack has {nation} units"));
    }
    let (nation, other) = nations
        .iter()
        .find_map(|&nation| Some((nation, of(&|other| nation.is_enemy_of(other))?)))?;
    Some(format!("{nation} and {other} units are in one stack; all are assumed to be on one side"))
}

fn no_steps(ask: QuestionKind) -> FieldFault {
    let attack = text_field(StackFields::attacks.name, "prep 3: german:4-6-7");
    match ask {
        QuestionKind::Turn => {
            StackFields::attacks.fault("say who attacks").help(shown("for example `{}`", [attack]))
        }
        _ => FieldFault::new("1.do", "a sequence needs at least one step")
            .help(shown("for example {}", [each("step", &[("do", "fire")])])),
    }
}

/// Returns the draft with its attacks as its first steps, each with the fields that the question
/// gives for all attacks by named firers.
fn with_attacks(draft: &Draft<Stacks>) -> Result<Draft<Stacks>, FieldFault> {
    let mut whole = draft.clone();
    let of_attacks = || FieldFault::in_field(StackFields::attacks.name);
    let mut attacks = Vec::new();
    for line in attack_lines(draft) {
        let mut step = StepDraft::new(StepKind::Fire);
        for (name, value, span) in &line.fields {
            let declared = StepKind::Fire.declared().fields().find(|field| field.is_called(name));
            let value = declared.map_or(RawValue::Text(value), |field| field.takes.value(value));
            step.set(name, value)
                .map_err(|fault| of_attacks()(Fault { span: span.clone(), ..fault }))?;
        }
        attacks.push(step);
    }
    whole.steps.splice(0..0, attacks);
    let most = Stacks::MOST_STEPS;
    if whole.steps.len() > most {
        let message = format!("a sequence has at most {most} steps");
        return Err(StackFields::attacks.fault(message));
    }
    check_shared(&whole)?;
    for step in whole.steps.iter_mut().filter(|step| step.fields.by.is_some()) {
        let is_given = |field: Field| step.given.contains(&field.name);
        let names_terrain = is_given(StepFields::terrain);
        let (works, hexside) = (is_given(StepFields::works), is_given(StepFields::hexside));
        if !names_terrain {
            step.fields.terrain = whole.shared.terrain;
        }
        if !names_terrain && !works {
            step.fields.works = whole.shared.works;
        }
        if !hexside {
            step.fields.hexside = whole.shared.hexside;
        }
    }
    Ok(whole)
}

/// Refuses fields for all attacks by named firers in a question that has none.
fn check_shared(whole: &Draft<Stacks>) -> Result<(), FieldFault> {
    let blank = StepFields::default();
    let differs =
        |field: &Field| whole.shared.value_json(field.name) != blank.value_json(field.name);
    let fields = [StepFields::terrain, StepFields::works, StepFields::hexside];
    let fires = whole.steps.iter().any(|step| step.fields.by.is_some());
    let Some(field) = fields.into_iter().find(|field| !fires && differs(field)) else {
        return Ok(());
    };
    let has = |step: &StepDraft<Stacks>| {
        step.step_kind.declared().fields().any(|own| own.name == field.name)
    };
    let help = match whole.steps.iter().position(has) {
        Some(place) => format!("it belongs to a step: write `{}.{}`", place + 1, field.name),
        None => "remove it".to_string(),
    };
    Err(field.fault("no step is an attack by named firers").help(help))
}

fn attack_lines(draft: &Draft<Stacks>) -> &[AttackLine] {
    draft.head.attacks.as_ref().map_or(&[], |lines| &lines.attacks)
}

/// Returns the place of each step among those of the same firers, by their names. Fails, with the
/// index of the step, where firers attack again that may not (7.1).
fn recurrences(steps: &[StepDraft<Stacks>]) -> Result<Vec<Recurrence>, Box<(usize, FieldFault)>> {
    let name = |step: &StepDraft<Stacks>| step.fields.name.as_deref().map(canonical);
    let by = |step: &StepDraft<Stacks>| step.fields.by.as_ref().map(|by| by.text().to_string());
    let mut from = 0;
    let mut known: Vec<(String, u8)> = Vec::new();
    let mut all = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let Some(own) = name(step) else {
            all.push(Recurrence::default());
            continue;
        };
        let is_own = |other: &&StepDraft<Stacks>| name(other).as_ref() == Some(&own);
        let before: Vec<_> = steps[..place].iter().filter(is_own).collect();
        let phases: Vec<FirePhase> = before.iter().map(|step| fire_phase(&step.fields)).collect();
        check_again(&phases, fire_phase(&step.fields)).map_err(|fault| {
            (place, FieldFault { field: StepFields::fire_phase.name.to_string(), fault })
        })?;
        if let Some(first) = before.first().filter(|first| by(first) != by(step)) {
            let message = format!("`{own}` has fired as other firers before");
            let help = format!("write `{}`, or another name", by(first).unwrap_or_default());
            return Err(Box::new((place, StepFields::by.fault(message).help(help))));
        }
        let recurs = steps[place + 1..].iter().any(|other| is_own(&other));
        let own_from = known.iter().find(|(known, _)| *known == own).map_or(from, |(_, of)| *of);
        if before.is_empty() && recurs {
            from += step.fields.by.as_ref().map_or(0, FireGroup::part_count);
            known.push((own, own_from));
        }
        if from > MOST_BITS {
            let message = "too many firers attack in several phases";
            let fault = StepFields::name.fault(message).help("give fewer of them a name");
            return Err(Box::new((place, fault)));
        }
        all.push(Recurrence { is_later: !before.is_empty(), recurs, from: own_from });
    }
    Ok(all)
}

/// The number of bits that record which parts of firers fire no more.
const MOST_BITS: u8 = 32;

fn steps(
    draft: &Draft<Stacks>,
    setting: StepSetting,
    notes: &mut Vec<String>,
) -> Result<Vec<Step>, FieldFault> {
    let StepSetting { stack, in_sequence, .. } = setting;
    let mut steps = Vec::new();
    let lines = attack_lines(draft);
    let blamed = |place: usize, fault: FieldFault| match lines.get(place) {
        _ if !in_sequence => fault,
        Some(line) => line.blamed(StackFields::attacks.name, fault),
        None => fault.in_step(place + 1 - lines.len()),
    };
    let of_step = |fault: Box<(usize, FieldFault)>| blamed(fault.0, fault.1);
    let recurrences = recurrences(&draft.steps).map_err(of_step)?;
    let mut combats = CombatsBefore::new();
    let mut may_be_concealed = setting.may_be_concealed;
    for (place, (draft, recurrence)) in draft.steps.iter().zip(recurrences).enumerate() {
        let recurrence = in_sequence.then_some(recurrence);
        may_be_concealed |= draft.step_kind == StepKind::Conceal;
        let setting = StepSetting { may_be_concealed, ..setting };
        let step = step(draft, (setting, recurrence), &mut combats, notes)
            .map_err(|fault| blamed(place, fault))?;
        steps.push(step);
    }
    notes.extend(notes_on(&combats, &steps));
    let runs = |step: &Step| matches!(step.action, Action::Interdict(_));
    if in_sequence && stack.members.len() > 1 && steps.iter().any(runs) {
        notes.push("after a run, all units are assumed to be in one Location again".to_string());
    }
    Ok(steps)
}

/// Marks all units as broken if none is. A leader on a Voluntary Rout stays unbroken.
fn begin_broken(stack: &mut Stack, voluntary: bool, notes: &mut Vec<String>) -> Result<(), Fault> {
    if !stack.members.iter().any(|member| member.is(Condition::Broken)) {
        let can_break = |member: &Member| {
            let never = [Condition::Heroic, Condition::Berserk, Condition::Unarmed];
            let goes_along = voluntary && member.is_leader();
            let kind = member.printed().kind;
            kind != CounterKind::Hero
                && !goes_along
                && !never.into_iter().any(|condition| member.is(condition))
        };
        for member in stack.members.iter_mut().filter(|member| can_break(member)) {
            member.conditions.set(Condition::Broken);
            member.conditions.clear(Condition::Pinned);
        }
        if !stack.members.iter().any(|member| member.is(Condition::Broken)) {
            return Err(Fault::new("no unit in this stack can be broken", 0..0));
        }
        let all = if voluntary { "all but leaders are" } else { "all are" };
        notes.push(format!("no unit is marked as broken, so {all} assumed broken"));
    }
    for member in stack.members.iter_mut().filter(|member| member.is(Condition::Broken)) {
        member.conditions.set(Condition::BeganBroken);
    }
    Ok(())
}

const NO_BREAK: &str = "the Starter Kit has no Voluntary Break (A10.41)";
const DM_UNDER_COVER: &str =
    "DM cannot be kept in woods, a building, a pillbox or a trench (A10.62)";

#[derive(Clone, Copy)]
struct StepSetting<'a> {
    stack: &'a Stack,
    nations: &'a [Nation],
    rulebook: Rulebook,
    in_sequence: bool,
    has_san: bool,
    no_quarter: bool,
    /// True if a unit can be concealed in the step.
    may_be_concealed: bool,
}

fn step(
    draft: &StepDraft<Stacks>,
    (setting, recurrence): (StepSetting, Option<Recurrence>),
    combats: &mut CombatsBefore,
    notes: &mut Vec<String>,
) -> Result<Step, FieldFault> {
    let StepDraft { step_kind, ref fields, .. } = *draft;
    let StepSetting { stack, nations, rulebook, has_san, may_be_concealed, .. } = setting;
    let units = stack.members.len();
    let mut leader = || lent(&fields.leader, StepFields::leader, nations, rulebook, notes);
    let of_test = FieldFault::in_field(StepFields::test.name);
    let condition = fields.test.as_ref().map(|text| StepCondition::parse(text, &stack.members));
    let condition = condition.transpose().map_err(of_test)?;
    let action = match step_kind {
        StepKind::Fire if let Some(firers) = &fields.by => {
            for firer in firers.locations.iter().flat_map(|location| &location.firers) {
                let known = Member { concealed: false, ..firer.member.clone() };
                check_scope(&known, rulebook).map_err(FieldFault::in_field(StepFields::by.name))?;
            }
            let attack = named_attack(fields, stack, rulebook, recurrence, may_be_concealed)?;
            notes.extend(attack.reckoning.notes.clone());
            Action::Attack(Arc::new(attack))
        }
        StepKind::Fire => {
            // Beside a SAN night concerns an attack without named firers too.
            let night = fields.night && !has_san;
            let fields = StepFields { night, ..StepFields::clone(fields) };
            let attack = attack(&fields, rulebook, notes)?;
            Action::Single(match may_be_concealed {
                false => Stage::Fire(attack),
                true => {
                    let shots = Arc::new(Shots::of_plain(attack));
                    Stage::Shot { shots, is_first: true, is_last: true, left: 0 }
                }
            })
        }
        StepKind::Check => check(fields)?,
        StepKind::Eliminate if fields.slots.is_none() => {
            let slots = [field("slots", 1), text_field("slots", "1,3")];
            let fault = StepFields::slots.fault("say who is eliminated");
            return Err(fault.help(shown("for example `{}`, or `{}`", slots)));
        }
        StepKind::Eliminate => Action::Single(Stage::Elimination(places(fields, units)?)),
        StepKind::Break if rulebook.chooses(Switch::NoVoluntaryBreak) => {
            return Err(FieldFault::new("do", NO_BREAK));
        }
        StepKind::Break => Action::Single(Stage::VoluntaryBreak(places(fields, units)?)),
        StepKind::Dm => Action::Single(Stage::DesperationMorale),
        StepKind::Conceal => {
            let (terrain, enemy, los) = (fields.terrain, fields.enemy_range, fields.los);
            let place = GainPlace { terrain, enemy, los };
            Action::Single(Stage::Concealment(place.gain(&stack.members)))
        }
        StepKind::Reveal => Action::Single(Stage::Reveal(places(fields, units)?)),
        StepKind::Rally => rally(fields, leader()?, rulebook)?,
        StepKind::Interdict => interdict(fields, leader()?, setting)?,
        StepKind::Cc => close_combat(draft, setting, combats)?,
    };
    Ok(Step { action, condition })
}

/// The Close Combats of the steps before, each with its fields.
type CombatsBefore = Vec<(CombatFields, Arc<CombatStage>)>;

/// Returns the action of a step of Close Combat. Against the enemy of the step before it, the Melee
/// goes on.
fn close_combat(
    draft: &StepDraft<Stacks>,
    setting: StepSetting,
    combats: &mut CombatsBefore,
) -> Result<Action, FieldFault> {
    let StepSetting { stack, rulebook, .. } = setting;
    let mut fields = draft.fields.of_combat();
    let named = fields.against.as_ref().map(|_| fields.enemy_stack(rulebook)).transpose()?;
    let is_same = |stage: &CombatStage| {
        named.as_ref().is_none_or(|enemy| enemy.members == stage.theirs.members)
    };
    let before = combats.last().filter(|(_, stage)| is_same(stage));
    let enemies = combats.iter().flat_map(|(_, stage)| &stage.theirs.members);
    let enemies = enemies.chain(named.iter().flat_map(|enemy| &enemy.members));
    let is_full = !Roster::has_room_for(stack.members.iter().chain(enemies), Stacks::MOST_STEPS);
    let message = "the enemies of all steps have too many counters with values of their own";
    CombatFields::against.refuse_if(is_full, message)?;
    if let Some((before, _)) = before {
        fields.go_on_from(before, |field| draft.given.contains(&field.name));
    }
    fields.no_quarter |= setting.no_quarter;
    let before = before.map(|(_, stage)| &**stage);
    let stage = Arc::new(fields.stage(stack, rulebook, before, combats.len() as u8)?);
    combats.push((fields, stage.clone()));
    Ok(Action::CloseCombat(stage))
}

/// Returns notes on what is assumed in Close Combat, and in the steps after it.
fn notes_on(combats: &CombatsBefore, steps: &[Step]) -> Vec<String> {
    let assumed = combats.iter().flat_map(|(_, stage)| stage.theirs.assumed.clone());
    let mut notes: Vec<String> = assumed.collect();
    let is_unnamed =
        |(fields, _): &(CombatFields, _)| fields.plan.is_none() || fields.reply.is_none();
    if combats.iter().any(is_unnamed) {
        notes.push("one attack of all on all, where no plan is named".to_string());
    }
    let is_combat = |step: &Step| matches!(step.action, Action::CloseCombat(_));
    let after = || steps.iter().skip_while(|step| !is_combat(step));
    if after().any(|step| !is_combat(step) && !step.action.is_attack()) {
        let words = "a stack in Melee takes no part in steps other than `cc` and fire (A11.15)";
        notes.push(words.to_string());
    }
    if after().any(|step| step.action.is_attack()) {
        let words = "fire at a Melee hits both sides (A11.15): the enemy's ELR is taken as ours; \
            an attack with ROF or of several classes of targets is left out";
        notes.push(words.to_string());
    }
    notes
}

fn missing(of: Field, message: &str, example: i64) -> FieldFault {
    of.fault(message).help(shown("for example `{}`", [field(of.name, example)]))
}

fn attack(
    fields: &StepFields,
    rulebook: Rulebook,
    notes: &mut Vec<String>,
) -> Result<Attack, FieldFault> {
    let missing = || {
        let fault = StepFields::firepower.fault("say how much firepower attacks, or who fires");
        let ways = [field("fp", 8), text_field("by", "german:4-6-7/hmg")];
        fault.help(shown("for example `{}`, or `{}`", ways))
    };
    if let Some(name) = given_circumstance(fields) {
        let fault = FieldFault::new(name, "this belongs to an attack by named firers");
        let by = text_field("by", "german:4-6-7/hmg");
        let tem = match name {
            _ if name == StepFields::terrain.name => Some(fields.terrain.tem),
            _ if name == StepFields::tem.name => fields.tem.map(|tem| tem.i8()),
            _ => None,
        };
        return Err(fault.help(match tem {
            Some(tem) => shown(
                "add its TEM to the DRM, here `{}`; or name them, as in `{}`",
                [field(StepFields::drm.name, fields.drm.i8() + tem), by],
            ),
            None => shown("name them, as in `{}`", [by]),
        }));
    }
    let firepower = fields.firepower.ok_or_else(missing)?;
    notes.extend(firepower.note());
    let firepower = firepower.whole();
    let cowering = cowering(fields.cowering, fields.inexperienced, StepFields::inexperienced.name)?;
    let ends_at_fifteen = rulebook.chooses(Switch::TableEndsAtFifteen);
    let attack = Attack::new(firepower, fields.drm.i8(), cowering);
    Ok(Attack { ends_at_fifteen, ..attack })
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
        (Some(Mc(drm)), false) => Ok(Action::Single(Stage::MoraleCheck { drm: drm.i8() })),
        (None, true) => Ok(Action::Single(Stage::PinTaskCheck)),
        (None, false) => {
            let checks = [field(mc.name, 0), field(mc.name, 1), field(ptc.name, true)];
            let help = shown("`{}` is a NMC, `{}` a 1MC, `{}` a Pin Task Check", checks);
            Err(mc.fault("say which check: a MC or a PTC").help(help))
        }
        (Some(_), true) => {
            Err(ptc.fault("use either a MC or a PTC, not both").help("remove one of them"))
        }
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

/// Returns the leader that a field lends to give its leadership DRM (10.6, 10.21), if any.
pub(crate) fn lent(
    Lent(written): &Lent,
    of: Field,
    nations: &[Nation],
    rulebook: Rulebook,
    notes: &mut Vec<String>,
) -> Result<Option<Member>, FieldFault> {
    let Some(written) = written else { return Ok(None) };
    let leader = written.resolve(nations).map_err(FieldFault::in_field(of.name))?;
    notes.extend(leader.assumed.clone());
    lent_leader(leader, rulebook).map(Some).map_err(FieldFault::in_field(of.name))
}

fn rally(
    fields: &StepFields,
    leader: Option<Member>,
    rulebook: Rulebook,
) -> Result<Action, FieldFault> {
    let StepFields { phases, own_rph, terrain, keep_dm: keeps_dm, dm, .. } = *fields;
    let is_barred = keeps_dm && rulebook.gives_rally_bonus(terrain);
    StepFields::keep_dm.refuse_if(is_barred, DM_UNDER_COVER)?;
    Ok(Action::Rally(Rally { leader, phases: phases.u16(), own_rph, terrain, keeps_dm, dm }))
}

fn interdict(
    fields: &StepFields,
    leader: Option<Member>,
    setting: StepSetting,
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
    let broken = stack.members.iter().filter(|member| member.is(Condition::Broken)).count();
    let alone = "a leader can rout with one broken unit only: remove the others (A10.711)";
    field.refuse_if(broken > 1, alone)?;
    if stack.members[leader].is(Condition::Wounded) && hexes > WOUNDED_MF {
        return Err(field.fault(format!(
            "a wounded leader has {WOUNDED_MF} MF and must stay with the unit (A17.2, A10.711)"
        )));
    }
    Ok(leader)
}

/// Returns the escort's index in a sequence. States are unknown, so only one unit may be with it.
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
fn lent_leader(stack: Stack, rulebook: Rulebook) -> Result<Member, Fault> {
    use Condition::*;
    let [leader] = &stack.members[..] else {
        return Err(not_one_leader());
    };
    if !leader.is_leader() {
        let message = format!("a {} is not a leader", leader.printed().printed());
        return Err(Fault::new(message, 0..0).help("name one, such as 8-1"));
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
