//! A question being filled in, field by field, and checked.
//!
//! The command line and study files fill in the same [`Draft`], so both know the same fields and make the same complaints.

use std::ops::Range;

use super::catalogue::Kind as CounterKind;
use super::engagement::Stage;
use super::interdiction::ROUT_MF;
use super::notation::Written;
use super::question::Question;
use super::rulebook::Rulebook;
use super::stack::{Member, Stack};
use super::unit::Condition;
use crate::board::terrain::Terrain;
use crate::text::{Fault, canonical};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A MC or PTC of the whole stack.
    Check,
    /// Rally over several phases.
    Rally,
    /// The gauntlet of Interdicted hexes.
    Interdict,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Check, Kind::Rally, Kind::Interdict];

    /// The word of the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Check => "check",
            Kind::Rally => "rally",
            Kind::Interdict => "interdict",
        }
    }

    /// The one name of a field, however it is spelt; interpretations included.
    pub fn canonical_field(field: &str) -> String {
        Rulebook::find(field).map_or_else(|| canonical(field), |interpretation| interpretation.id.to_string())
    }

    /// The fields of such a question.
    pub fn fields(self) -> impl Iterator<Item = &'static str> {
        FIELDS.iter().filter(move |field| field.kinds.contains(&self)).map(|field| field.name)
    }
}

/// Largest +n of a MC.
const MAX_MC: i64 = 6;
/// Most Rally Phases asked for at once.
const MAX_PHASES: i64 = 60;
/// 19.1, 20.4.
const MAX_ELR: i64 = 6;

struct Field {
    name: &'static str,
    kinds: &'static [Kind],
}

const FIELDS: [Field; 14] = [
    Field { name: "stack", kinds: &Kind::ALL },
    Field { name: "elr", kinds: &Kind::ALL },
    Field { name: "no-hob", kinds: &Kind::ALL },
    Field { name: "joint", kinds: &Kind::ALL },
    Field { name: "mc", kinds: &[Kind::Check] },
    Field { name: "ptc", kinds: &[Kind::Check] },
    Field { name: "leader", kinds: &[Kind::Rally, Kind::Interdict] },
    Field { name: "dm", kinds: &[Kind::Rally] },
    Field { name: "phases", kinds: &[Kind::Rally] },
    Field { name: "terrain", kinds: &[Kind::Rally] },
    Field { name: "own-rph", kinds: &[Kind::Rally] },
    Field { name: "keep-dm", kinds: &[Kind::Rally] },
    Field { name: "hexes", kinds: &[Kind::Interdict] },
    Field { name: "hob", kinds: &Kind::ALL },
];

/// Which Rally Phases are in the side's own Player Turn (18.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnRph {
    Odd,
    Even,
    Never,
}

/// A value given for a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Text(&'a str),
    Integer(i64),
    Boolean(bool),
}

impl Value<'_> {
    fn span(&self) -> std::ops::Range<usize> {
        match self {
            Value::Text(text) => 0..text.len(),
            _ => 0..0,
        }
    }

    fn integer(&self, field: &str, low: i64, high: i64) -> Result<i64, Fault> {
        let number = match self {
            Value::Integer(number) => Some(*number),
            Value::Text(_) | Value::Boolean(_) => None,
        };
        number
            .filter(|number| (low..=high).contains(number))
            .ok_or_else(|| Fault::new(format!("`{field}` must be a whole number from {low} to {high}, not {self}"), self.span()))
    }

    fn boolean(&self, field: &str) -> Result<bool, Fault> {
        match self {
            Value::Boolean(value) => Ok(*value),
            _ => Err(Fault::new(format!("`{field}` must be true or false, not {self}"), self.span())),
        }
    }

    fn text(&self, field: &str) -> Result<&str, Fault> {
        match self {
            Value::Text(text) => Ok(text),
            _ => Err(Fault::new(format!("`{field}` must be a text in quotes, not {self}"), self.span())),
        }
    }
}

impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Text(text) => write!(f, "`{text}`"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Boolean(value) => write!(f, "{value}"),
        }
    }
}

/// A fault of a finished draft, with the field to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    pub field: &'static str,
    pub fault: Fault,
}

/// A question being filled in.
#[derive(Clone, Debug)]
pub struct Draft {
    kind: Kind,
    stack: Option<Written>,
    leader: Option<Written>,
    mc: Option<i8>,
    ptc: bool,
    dm: bool,
    phases: u16,
    terrain: &'static Terrain,
    own_rph: OwnRph,
    keep_dm: bool,
    hexes: Option<u8>,
    elr: u8,
    joint: bool,
    rulebook: Rulebook,
}

impl Draft {
    /// A question with every field at its default: ELR 3, open ground, 6 phases, own RPh in odd phases.
    pub fn new(kind: Kind) -> Draft {
        Draft {
            kind,
            stack: None,
            leader: None,
            mc: None,
            ptc: false,
            dm: false,
            phases: 6,
            terrain: &Terrain::all()[0],
            own_rph: OwnRph::Odd,
            keep_dm: false,
            hexes: None,
            elr: 3,
            joint: false,
            rulebook: Rulebook::default(),
        }
    }

    /// Fills in one field, or an interpretation such as `i01`. A fault of a text value has its span.
    pub fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        let name = canonical(field);
        if Rulebook::find(&name).is_some() {
            return self.rulebook.set(&name, value.text(&name)?);
        }
        if !self.kind.fields().any(|known| known == name) {
            let fault = Fault::new(format!("`{}` has no field `{field}`", self.kind.name()), 0..0);
            return Err(fault.expecting(field, self.kind.fields()));
        }
        match name.as_str() {
            "stack" => self.stack = Some(Written::parse(value.text(&name)?)?),
            "leader" => {
                let text = value.text(&name)?;
                self.leader = if canonical(text) == "none" { None } else { Some(Written::parse(text)?) };
            }
            "mc" => self.mc = Some(value.integer(&name, 0, MAX_MC)? as i8),
            "ptc" => self.ptc = value.boolean(&name)?,
            "dm" => self.dm = value.boolean(&name)?,
            "phases" => self.phases = value.integer(&name, 1, MAX_PHASES)? as u16,
            "terrain" => self.terrain = Terrain::named(value.text(&name)?)?,
            "own-rph" => {
                let text = value.text(&name)?;
                self.own_rph = match canonical(text).as_str() {
                    "odd" => OwnRph::Odd,
                    "even" => OwnRph::Even,
                    "never" => OwnRph::Never,
                    _ => {
                        let fault = Fault::new(format!("`own-rph` cannot be `{text}`"), value.span());
                        return Err(fault.expecting(text, ["odd", "even", "never"]));
                    }
                }
            }
            "keep-dm" => self.keep_dm = value.boolean(&name)?,
            "hexes" => {
                let hexes = value.integer(&name, 1, ROUT_MF.into());
                self.hexes = Some(hexes.map_err(|fault| fault.help("a routing unit has 6 MF (A10.5)"))? as u8);
            }
            "elr" => self.elr = value.integer(&name, 0, MAX_ELR)? as u8,
            "joint" => self.joint = value.boolean(&name)?,
            // "hob" and "no-hob".
            _ => {
                if value.boolean(&name)? == (name == "hob") {
                    let message = "Heat of Battle cannot be switched on: every result is without it so far";
                    return Err(Fault::new(message, value.span()));
                }
            }
        }
        Ok(())
    }

    /// Checks the fields against each other.
    pub fn finish(&self) -> Result<Question, FieldFault> {
        let blame = |field| move |fault| FieldFault { field, fault };
        let fault = |field, message: &str, help: &str| {
            let fault = Fault::new(message, 0..0);
            FieldFault { field, fault: if help.is_empty() { fault } else { fault.help(help) } }
        };
        let written = self.stack.as_ref().ok_or_else(|| fault("stack", "a stack is missing", "for example `german:4-6-7`"))?;
        let mut nations = written.nations();
        nations.extend(self.leader.as_ref().map(Written::nations).unwrap_or_default());
        nations.sort();
        nations.dedup();
        let mut stack = written.resolve(&nations).map_err(blame("stack"))?;
        let mut notes = stack.assumed.clone();
        let leader = match &self.leader {
            None => None,
            Some(written) => {
                let leader = written.resolve(&nations).map_err(blame("leader"))?;
                notes.extend(leader.assumed.clone());
                Some(lent_leader(leader).map_err(blame("leader"))?)
            }
        };
        for (member, span) in stack.members.iter().zip(&stack.spans) {
            check_scope(member, span).map_err(blame("stack"))?;
        }
        if self.kind != Kind::Check {
            begin_broken(&mut stack, &mut notes).map_err(blame("stack"))?;
        }
        if self.dm {
            for member in stack.members.iter_mut().filter(|member| member.is(Condition::Broken)) {
                member.conditions.set(Condition::Dm);
            }
        }
        let question = Question { stack, leader, notes, ..self.question() };
        match self.kind {
            Kind::Check if self.mc.is_none() && !self.ptc => Err(fault(
                "mc",
                "say which check: a MC or a PTC",
                "`--mc 0` (in a study `mc = 0`) is a NMC, `--mc 1` a 1MC, `--ptc` a Pin Task Check",
            )),
            Kind::Check if self.mc.is_some() && self.ptc => Err(fault("ptc", "either a MC or a PTC, not both", "")),
            Kind::Interdict if self.hexes.is_none() => Err(fault(
                "hexes",
                "say how many Interdicted hexes are crossed",
                "for example `--hexes 2`, in a study `hexes = 2`",
            )),
            Kind::Rally if self.keep_dm && question.rally_terrain() => {
                Err(fault("keep-dm", "DM cannot be kept in woods, a building, a pillbox or a trench (A10.62)", ""))
            }
            _ => Ok(question),
        }
    }

    fn question(&self) -> Question {
        Question {
            kind: self.kind,
            stack: Stack { members: Vec::new(), spans: Vec::new(), assumed: Vec::new() },
            leader: None,
            check: if self.ptc { Stage::PinTaskCheck } else { Stage::MoraleCheck { drm: self.mc.unwrap_or(0) } },
            phases: self.phases,
            terrain: self.terrain,
            own_rph: self.own_rph,
            keep_dm: self.keep_dm,
            hexes: self.hexes.unwrap_or(0),
            elr: self.elr,
            joint: self.joint,
            rulebook: self.rulebook,
            notes: Vec::new(),
        }
    }
}

/// 10.6, 10.21: the one leader who lends his leadership.
fn lent_leader(stack: Stack) -> Result<Member, Fault> {
    let [leader] = &stack.members[..] else {
        return Err(Fault::new("expected one leader", 0..0).help("put further leaders into the stack"));
    };
    if !leader.printed().kind.is_leader() {
        return Err(Fault::new(format!("a {} is no leader", leader.printed().printed()), 0..0));
    }
    let unfit = [Condition::Broken, Condition::Pinned, Condition::Berserk, Condition::Captured, Condition::Unarmed];
    if let Some(condition) = unfit.into_iter().find(|&condition| leader.is(condition)) {
        let message = format!("a leader who is {} lends no leadership: he must be in Good Order", condition.name());
        return Err(Fault::new(message, 0..0).help("put him into the stack"));
    }
    check_scope(leader, &stack.spans[0])?;
    Ok(leader.clone())
}

/// What is not worked out so far.
fn check_scope(member: &Member, span: &Range<usize>) -> Result<(), Fault> {
    if member.printed().kind == CounterKind::Commissar {
        return Err(Fault::new("Commissars (A25.22) are not worked out so far", span.clone()).help("ask with a leader, `8-0`"));
    }
    if member.is(Condition::Captured) {
        return Err(Fault::new("prisoners (A20.5) take no part", span.clone()).help("leave them out of the stack"));
    }
    Ok(())
}

/// A stack in which nobody is called broken is read as all broken.
fn begin_broken(stack: &mut Stack, notes: &mut Vec<String>) -> Result<(), Fault> {
    if !stack.members.iter().any(|member| member.is(Condition::Broken)) {
        let can_break = |member: &Member| {
            let never = [Condition::Heroic, Condition::Berserk, Condition::Unarmed];
            member.printed().kind != CounterKind::Hero && !never.into_iter().any(|condition| member.is(condition))
        };
        for member in stack.members.iter_mut().filter(|member| can_break(member)) {
            member.conditions.set(Condition::Broken);
            member.conditions.clear(Condition::Pinned);
        }
        if !stack.members.iter().any(|member| member.is(Condition::Broken)) {
            return Err(Fault::new("nobody in this stack can be broken", 0..0));
        }
        notes.push("nobody is called broken, so all are taken as broken".to_string());
    }
    for member in stack.members.iter_mut().filter(|member| member.is(Condition::Broken)) {
        member.conditions.set(Condition::BeganBroken);
    }
    Ok(())
}
