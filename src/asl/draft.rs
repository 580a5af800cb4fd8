//! A question being filled in, field by field, and checked.
//!
//! The command line, study files and sequence files fill in the same [`Draft`], so all know the same fields and make the same
//! complaints. Fields of the situation (`stack`, `elr`, `captor`) belong to the question; fields of what happens (`mc`, `fp`) to its
//! one step, or in a sequence to the step whose number is in front (`2.fp`).

use super::catalogue::Kind as CounterKind;
use super::choice::Choices;
use super::notation::Written;
use super::question::Question;
use super::rulebook::{Profile, Rulebook, Switch};
use super::scene::Scene;
use super::sequence::Action;
use super::stack::{Member, Stack};
use super::step::{self, Deed, StepDraft};
use super::unit::Condition;
use crate::system::form::{FieldFault, Form, Value};
use crate::text::{Fault, canonical};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An attack on the IFT.
    Fire,
    /// A MC or PTC of the whole stack.
    Check,
    /// Rally over several phases.
    Rally,
    /// The gauntlet of Interdicted hexes.
    Interdict,
    /// A chain of steps.
    Sequence,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Fire, Kind::Check, Kind::Rally, Kind::Interdict, Kind::Sequence];

    /// The word of the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Fire => "fire",
            Kind::Check => "check",
            Kind::Rally => "rally",
            Kind::Interdict => "interdict",
            Kind::Sequence => "sequence",
        }
    }

    /// What the one step of such a question does.
    const fn deed(self) -> Option<Deed> {
        match self {
            Kind::Fire => Some(Deed::Fire),
            Kind::Check => Some(Deed::Check),
            Kind::Rally => Some(Deed::Rally),
            Kind::Interdict => Some(Deed::Interdict),
            Kind::Sequence => None,
        }
    }

    /// The one name of a field, however it is spelt; interpretations included.
    pub fn canonical_field(field: &str) -> String {
        Rulebook::find(field).map_or_else(|| canonical(field), |interpretation| interpretation.id.to_string())
    }

    /// The fields of such a question, those of the steps of a sequence left out.
    pub fn fields(self) -> impl Iterator<Item = &'static str> {
        SCENE_FIELDS.into_iter().chain(self.deed().into_iter().flat_map(Deed::fields))
    }
}

/// 19.1, 20.4.
const MAX_ELR: i64 = 6;
/// Rally Phases of a question that asks for no number; a step of a sequence has one.
const PHASES: u16 = 6;
/// Most steps of a sequence.
pub const MAX_STEPS: usize = 20;

/// Fields of every question.
const SCENE_FIELDS: [&str; 12] =
    ["stack", "elr", "hob", "no-hob", "keu", "no-keu", "captor", "no-quarter", "enemy", "enemy-adjacent", "profile", "joint"];

/// A question being filled in.
#[derive(Clone, Debug)]
pub struct Draft {
    kind: Kind,
    stack: Option<Written>,
    scene: Scene,
    elr: u8,
    joint: bool,
    profile: Profile,
    /// Interpretations set by hand, in order.
    switches: Vec<(String, String)>,
    /// The steps; one, unless the question is a sequence.
    steps: Vec<StepDraft>,
}

impl Draft {
    /// A question with every field at its default: ELR 3, Heat of Battle, a Known enemy in LOS; a Rally of six phases in the open,
    /// own RPh in odd ones.
    pub fn new(kind: Kind) -> Draft {
        Draft {
            kind,
            stack: None,
            scene: Scene::default(),
            elr: 3,
            joint: false,
            profile: Profile::default(),
            switches: Vec::new(),
            steps: kind.deed().map(|deed| StepDraft::new(deed, PHASES)).into_iter().collect(),
        }
    }

    /// What is asked.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Fills in one field, or an interpretation such as `i01`. A fault of a text value has its span.
    pub fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        let name = canonical(field);
        if let Some(switch) = switch(&name, value)? {
            self.switches.push(switch);
            return Ok(());
        }
        if SCENE_FIELDS.contains(&name.as_str()) {
            return self.set_scene(&name, value);
        }
        if self.kind == Kind::Sequence {
            return self.set_in_sequence(field, &name, value);
        }
        let kind = self.kind;
        match self.steps.first_mut().filter(|_| kind.fields().any(|known| known == name)) {
            Some(step) => step.set(&name, value),
            None => Err(Fault::new(format!("`{}` has no field `{field}`", kind.name()), 0..0).expecting(field, kind.fields())),
        }
    }

    fn set_scene(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        match name {
            "stack" => self.stack = Some(Written::parse(value.text(name)?)?),
            "elr" => self.elr = value.integer(name, 0, MAX_ELR)? as u8,
            "hob" => self.scene.heat_of_battle = value.boolean(name)?,
            "no-hob" => self.scene.heat_of_battle = !value.boolean(name)?,
            "keu" => self.scene.known_enemy = value.boolean(name)?,
            "no-keu" => self.scene.known_enemy = !value.boolean(name)?,
            "captor" => self.scene.captor = value.boolean(name)?,
            "no-quarter" => self.scene.no_quarter = value.boolean(name)?,
            "enemy" => self.scene.against_russians = step::enemy(value)?,
            "enemy-adjacent" => self.scene.enemy_adjacent = value.boolean(name)?,
            "profile" => self.profile = Profile::named(value.text(name)?)?,
            _ => self.joint = value.boolean(name)?,
        }
        Ok(())
    }

    /// `2.fp`: a field of the second step; `2.do` comes first and says what the step does.
    fn set_in_sequence(&mut self, field: &str, name: &str, value: Value) -> Result<(), Fault> {
        let unknown = || {
            let fault = Fault::new(format!("`sequence` has no field `{field}`"), 0..0);
            fault.expecting(field, SCENE_FIELDS)
        };
        let (number, name) = name.split_once('.').ok_or_else(unknown)?;
        let number: usize = number.parse().map_err(|_| unknown())?;
        if name == "do" {
            if self.steps.len() + 1 != number || number > MAX_STEPS {
                let message = match number > MAX_STEPS {
                    true => format!("a sequence has at most {MAX_STEPS} steps"),
                    false => format!("step {number} does not follow on {} steps", self.steps.len()),
                };
                return Err(Fault::new(message, value.span()));
            }
            self.steps.push(StepDraft::new(Deed::named(value.text("do")?)?, 1));
            return Ok(());
        }
        let steps = self.steps.len();
        let step = number.checked_sub(1).and_then(|place| self.steps.get_mut(place)).ok_or_else(|| {
            let steps = if steps == 1 { "1 step".to_string() } else { format!("{steps} steps") };
            Fault::new(format!("there is no step {number}: the sequence has {steps}"), 0..0)
        })?;
        if name != "if" && !step.deed().fields().any(|known| known == name) {
            let fault = Fault::new(format!("a step that does `{}` has no field `{name}`", step.deed().name()), 0..0);
            return Err(fault.expecting(name, step.deed().fields().chain(["if"])));
        }
        step.set(name, value)
    }

    /// Whether a field is known, whatever its value; those of steps only once the step is.
    pub fn knows(&self, field: &str) -> bool {
        let name = canonical(field);
        let of_step = |(number, name): (&str, &str)| {
            let step = number.parse::<usize>().ok()?.checked_sub(1).and_then(|place| self.steps.get(place))?;
            Some(name == "if" || name == "do" || step.deed().fields().any(|known| known == name))
        };
        Rulebook::find(&name).is_some()
            || self.kind.fields().any(|known| known == name)
            || (self.kind == Kind::Sequence && name.split_once('.').and_then(of_step).unwrap_or(false))
    }

    /// Checks the fields against each other.
    pub fn finish(&self) -> Result<Question, FieldFault> {
        let written = self
            .stack
            .as_ref()
            .ok_or_else(|| FieldFault::new("stack", "a stack is missing").help("for example `german:4-6-7`"))?;
        let mut nations = written.nations();
        nations.extend(self.steps.iter().flat_map(StepDraft::nations));
        nations.sort();
        nations.dedup();
        let rulebook = self.rulebook()?;
        let mut stack = written.resolve(&nations).map_err(FieldFault::of("stack"))?;
        let mut notes = stack.assumed.clone();
        for (member, span) in stack.members.iter().zip(&stack.spans) {
            check_scope(member, rulebook)
                .map_err(|message| FieldFault { field: "stack".to_string(), fault: Fault { span: span.clone(), ..message } })?;
        }
        if matches!(self.kind, Kind::Rally | Kind::Interdict) {
            let voluntary = self.steps.first().is_some_and(StepDraft::is_voluntary);
            begin_broken(&mut stack, voluntary, &mut notes).map_err(FieldFault::of("stack"))?;
        }
        if self.steps.is_empty() {
            return Err(FieldFault::new("1.do", "a sequence without steps").help("[[step]] with `do = \"fire\"` or the like"));
        }
        let mut steps = Vec::new();
        for (place, draft) in self.steps.iter().enumerate() {
            let in_sequence = self.kind == Kind::Sequence;
            let step = draft.finish(&stack, &nations, rulebook, in_sequence, &mut notes).map_err(|fault| match self.kind {
                Kind::Sequence => FieldFault { field: format!("{}.{}", place + 1, fault.field), ..fault },
                _ => fault,
            })?;
            steps.push(step);
        }
        let runs = |step: &super::sequence::Step| matches!(step.action, Action::Interdict(_));
        if self.kind == Kind::Sequence && stack.members.len() > 1 && steps.iter().any(runs) {
            notes.push("after a run all units are taken to be in one Location again".to_string());
        }
        let disrupted = stack.members.iter().any(|member| member.is(Condition::Disrupted));
        if self.kind == Kind::Interdict && disrupted {
            notes.push("a Disrupted unit routs only out of a Blaze, a Water Obstacle or Open Ground (A19.12)".to_string());
        }
        let mut told = std::collections::BTreeSet::new();
        notes.retain(|note| told.insert(note.clone()));
        Ok(Question {
            kind: self.kind,
            stack,
            steps,
            scene: self.scene,
            elr: self.elr,
            joint: self.joint,
            rulebook,
            choices: Choices::default(),
            notes,
        })
    }

    fn rulebook(&self) -> Result<Rulebook, FieldFault> {
        let mut rulebook = Rulebook::of(self.profile);
        for (id, value) in &self.switches {
            rulebook.set(id, value).map_err(FieldFault::of(id))?;
        }
        Ok(rulebook)
    }
}

impl Form for Draft {
    type Filled = Question;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        self.set(field, value)
    }

    fn knows(&self, field: &str) -> bool {
        self.knows(field) || field.ends_with(".do")
    }

    fn canonical_field(field: &str) -> String {
        Kind::canonical_field(field)
    }

    fn setting(field: &str) -> Option<&'static str> {
        Rulebook::find(field).map(|interpretation| interpretation.id)
    }

    fn check_setting(name: &str, value: &str) -> Result<(), Fault> {
        Rulebook::default().set(name, value)
    }

    const EXAMPLE: &'static str = "i01=alternative";

    fn finish(&self) -> Result<Question, FieldFault> {
        self.finish()
    }

    fn deeds(&self) -> Vec<&'static str> {
        if self.kind == Kind::Sequence { Deed::ALL.map(Deed::name).to_vec() } else { Vec::new() }
    }
}

/// A field that is an interpretation, and its value, which is checked; none of another field.
pub(super) fn switch(name: &str, value: Value) -> Result<Option<(String, String)>, Fault> {
    if Rulebook::find(name).is_none() {
        return Ok(None);
    }
    let text = value.text(name)?;
    Rulebook::default().set(name, text)?;
    Ok(Some((name.to_string(), text.to_string())))
}

/// What is not worked out, or not in that edition; the fault has no place yet.
pub(super) fn check_scope(member: &Member, rulebook: Rulebook) -> Result<(), Fault> {
    let fault = |message: String, help: &str| Err(Fault::new(message, 0..0).help(help));
    if member.is(Condition::Captured) {
        return fault("prisoners (A20.5) take no part".to_string(), "leave them out of the stack");
    }
    if !rulebook.chooses(Switch::PlainUnitsOnly) {
        return Ok(());
    }
    let kind = member.printed().kind;
    let lacking = [Condition::Heroic, Condition::Fanatic, Condition::Berserk, Condition::Encircled, Condition::Unarmed];
    match lacking.into_iter().find(|&condition| member.is(condition)) {
        Some(condition) => fault(format!("the Starter Kit has no {} units", condition.name()), "`--profile asl-v3` has them"),
        None if matches!(kind, CounterKind::Hero | CounterKind::Commissar) => {
            fault(format!("the Starter Kit has no counter `{}`", kind.name()), "`--profile asl-v3` has it")
        }
        None => Ok(()),
    }
}

/// A stack in which nobody is called broken is read as all broken, but for the leader who goes along on a Voluntary Rout.
fn begin_broken(stack: &mut Stack, voluntary: bool, notes: &mut Vec<String>) -> Result<(), Fault> {
    if !stack.members.iter().any(|member| member.is(Condition::Broken)) {
        let can_break = |member: &Member| {
            let never = [Condition::Heroic, Condition::Berserk, Condition::Unarmed];
            let goes_along = voluntary && member.printed().kind.is_leader();
            let kind = member.printed().kind;
            kind != CounterKind::Hero && !goes_along && !never.into_iter().any(|condition| member.is(condition))
        };
        for member in stack.members.iter_mut().filter(|member| can_break(member)) {
            member.conditions.set(Condition::Broken);
            member.conditions.clear(Condition::Pinned);
        }
        if !stack.members.iter().any(|member| member.is(Condition::Broken)) {
            return Err(Fault::new("nobody in this stack can be broken", 0..0));
        }
        let all = if voluntary { "all but leaders are" } else { "all are" };
        notes.push(format!("nobody is called broken, so {all} taken as broken"));
    }
    for member in stack.members.iter_mut().filter(|member| member.is(Condition::Broken)) {
        member.conditions.set(Condition::BeganBroken);
    }
    Ok(())
}
