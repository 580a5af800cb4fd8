//! Checks the fields of a question about a stack against each other.

use std::collections::BTreeSet;

use super::catalogue::CounterKind;
use super::kinds::{QuestionKind, StackFields, Stacks, StepFields, StepKind};
use super::nation::Nation;
use super::notation::StackNotation;
use super::question::Question;
use super::rulebook::{Interpretation, Profile, Rulebook};
use super::sequence::{Action, Step};
use super::stack::{Member, Stack};
use super::step::{self, check_scope};
use crate::board::terrain::Terrain;
use crate::measures::MEASURES;
use crate::vocabulary::{Choices, Condition, Scene};
use engine::text::notation::{Remedy, each, field, shown};
use engine::text::{Fault, canonical};
use play::{Draft, QuestionForm};
use schema::{FieldFault, Measure, Other, RawValue, Rules};

const DISRUPTED_ROUT: &str =
    "a Disrupted unit routs only out of a Blaze, a Water Obstacle or Open Ground (A19.12)";
const ADJACENT_IN_RALLIES: &str = "an enemy is ADJACENT in more than one Rally Phase; units that \
    stay are assumed to need no rout (A10.5)";

/// The interpretations that the user set, in order. Every question form of ASL takes them.
#[derive(Clone, Debug, Default)]
pub struct Switches(Vec<(&'static str, String)>);

impl Switches {
    /// Returns the rulebook of a profile with these interpretations.
    ///
    /// # Errors
    ///
    /// Fails if an interpretation has no such value, or two of them contradict each other.
    pub fn rulebook(&self, profile: Profile) -> Result<Rulebook, FieldFault> {
        let mut rulebook = Rulebook::from_profile(profile);
        for (id, value) in &self.0 {
            rulebook.set(id, value).map_err(FieldFault::in_field(id))?;
        }
        Ok(rulebook)
    }
}

/// Returns the alternative values of interpretations under a rulebook. `which` names one
/// interpretation. Without it, all that concern a stack are listed.
///
/// # Errors
///
/// Fails if no interpretation has the name `which`.
pub fn others(rulebook: Rulebook, which: Option<&str>) -> Result<Vec<Other>, Fault> {
    let mut chosen = Rulebook::readings(which)?;
    chosen.retain(|interpretation| which.is_some() || !interpretation.is_of_rout());
    let other = |interpretation: &Interpretation| {
        let Interpretation { id, question, switch, .. } = *interpretation;
        let (now, in_words) = rulebook.value_and_answer(switch);
        let (other, other_in_words) = rulebook.flipped(switch).value_and_answer(switch);
        let about = format!(
            "{question} ({id})\nfrom  {now}: {in_words}\nto    {other}: {other_in_words}\n"
        );
        Other { id, name: interpretation.name(), value: other.to_string(), about }
    };
    Ok(chosen.into_iter().map(other).collect())
}

impl Rules for Switches {
    const EXAMPLE: &'static str = "i01=alternative";

    fn names() -> Vec<&'static str> {
        Rulebook::ids()
    }

    fn find(name: &str) -> Option<&'static str> {
        Rulebook::find(name).map(|interpretation| interpretation.id)
    }

    fn changed(&self) -> Vec<(&'static str, String)> {
        self.0.iter().map(|(id, value)| (*id, canonical(value))).collect()
    }

    fn set(&mut self, name: &'static str, value: RawValue) -> Result<(), Fault> {
        let text = value.text(name)?;
        Rulebook::default().set(name, text)?;
        self.0.push((name, text.to_string()));
        Ok(())
    }

    fn others(&self, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        others(self.rulebook(Profile::default()).map_err(|error| error.fault)?, which)
    }

    fn unknown(name: &str) -> Fault {
        Rulebook::unknown(name)
    }
}

impl QuestionForm for Stacks {
    type QuestionKind = QuestionKind;
    type Head = StackFields;
    type StepKind = StepKind;
    type Step = StepFields;
    type Rules = Switches;
    type Question = Question;

    const MEASURES: &'static [Measure] = &MEASURES;

    const MOST_STEPS: usize = 20;

    fn step_kind(ask: QuestionKind) -> Option<StepKind> {
        ask.only_step()
    }

    fn instead(step_kind: StepKind, name: &str, value: RawValue) -> Option<Remedy> {
        let is_attack = step_kind == StepKind::Fire;
        let rolls_mc = matches!(step_kind, StepKind::Fire | StepKind::Check);
        let stack = |words: &str| Some(shown(words.to_string(), []));
        match name {
            "terrain" | "tem" if is_attack => {
                let drm = |tem: i8| [field(StepFields::drm.name, tem)];
                let terrain = value.text(name).ok().and_then(|word| Terrain::named(word).ok());
                let Some(Terrain { name, tem, .. }) = terrain else {
                    let general =
                        "TEM belongs to the DRM: use `{}` for woods, 3 for a stone building";
                    return Some(shown(general, drm(1)));
                };
                let name = name.to_lowercase();
                Some(shown(format!("TEM belongs to the DRM: for {name} use `{{}}`"), drm(*tem)))
            }
            "leader" if rolls_mc => stack("write the leader into the stack: `8-1 + german:4-6-7`"),
            "dm" | "broken" if rolls_mc => {
                stack("write the state of a unit after its counter: `german:4-6-7/broken,dm`")
            }
            _ => None,
        }
    }

    fn question(draft: &Draft<Stacks>) -> Result<Question, FieldFault> {
        let Draft { ask, head, .. } = draft;
        let of_stack = || FieldFault::in_field(StackFields::stack.name);
        let missing =
            || StackFields::stack.fault("the stack is missing").help("for example `german:4-6-7`");
        let written = head.stack.as_ref().ok_or_else(missing)?;
        let leaders = draft.steps.iter().filter_map(|step| step.fields.leader.0.as_ref());
        let named = std::iter::once(written).chain(leaders).flat_map(StackNotation::nations);
        let nations = Vec::from_iter(BTreeSet::from_iter(named));
        let rulebook = draft.rules.rulebook(head.profile)?;
        let mut stack = written.resolve(&nations).map_err(of_stack())?;
        let mut notes = stack.assumed.clone();
        for (member, span) in stack.members.iter().zip(&stack.spans) {
            check_scope(member, rulebook)
                .map_err(|fault| of_stack()(Fault { span: span.clone(), ..fault }))?;
        }
        if matches!(ask, QuestionKind::Rally | QuestionKind::Interdict) {
            let voluntary = draft.steps.first().is_some_and(|step| step.fields.voluntary_rout);
            begin_broken(&mut stack, voluntary, &mut notes).map_err(of_stack())?;
        }
        if draft.steps.is_empty() {
            return Err(FieldFault::new("1.do", "a sequence needs at least one step")
                .help(shown("for example {}", [each("step", &[("do", "fire")])])));
        }
        notes.extend(one_side(&nations, head.enemy));
        let steps = steps(draft, &stack, &nations, rulebook, &mut notes)?;
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
        Ok(Question {
            ask: *ask,
            stack,
            steps,
            scene,
            elr,
            joint,
            rulebook,
            choices: Choices::default(),
            notes,
        })
    }

    fn others(draft: &Draft<Stacks>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        others(draft.rules.rulebook(draft.head.profile).map_err(|error| error.fault)?, which)
    }
}

/// Returns a note if the stack holds units of both sides, or units of the enemy's nation. It is no
/// error: captured and deserted troops have fought beside their enemies.
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

fn steps(
    draft: &Draft<Stacks>,
    stack: &Stack,
    nations: &[Nation],
    rulebook: Rulebook,
    notes: &mut Vec<String>,
) -> Result<Vec<Step>, FieldFault> {
    let in_sequence = draft.ask == QuestionKind::Sequence;
    let mut steps = Vec::new();
    for (place, step) in draft.steps.iter().enumerate() {
        let setting = step::Setting { stack, nations, rulebook, in_sequence };
        let step = step::finish(step.step_kind, &step.fields, setting, notes)
            .map_err(|fault| if in_sequence { fault.in_step(place + 1) } else { fault })?;
        steps.push(step);
    }
    let runs = |step: &Step| matches!(step.action, Action::Interdict(_));
    if in_sequence && stack.members.len() > 1 && steps.iter().any(runs) {
        notes.push("after a run, all units are assumed to be in one Location again".to_string());
    }
    Ok(steps)
}

/// Marks all units of a stack as broken if none is written so. A leader on a Voluntary Rout stays
/// unbroken.
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
