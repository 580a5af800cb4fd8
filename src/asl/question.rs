//! A question in words, field by field, checked and made a process.
//!
//! The command line and study files fill in the same [`Draft`], so both know the same fields and make the same complaints.

use arrayvec::ArrayVec;

use super::catalogue::{CATALOGUE, Counter, Kind as CounterKind};
use super::engagement::{Engagement, Stage, Telling};
use super::interdiction::ROUT_MF;
use super::outcome::{Outcome, UnitOutcome};
use super::roster::Roster;
use super::rulebook::{Rulebook, Switch};
use super::stack::{Member, Stack, Written};
use super::unit::{Condition, Unit, Wording};
use crate::board::terrain::{RallyBonus, Terrain};
use crate::process::{self, Label, Point};
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
enum OwnRph {
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
            "no-hob" => drop(value.boolean(&name)?),
            _ => {
                if value.boolean(&name)? {
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
        let named_by = |written: &Written| written.nations();
        let mut nations = named_by(written);
        nations.extend(self.leader.as_ref().map(named_by).unwrap_or_default());
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
        for member in &stack.members {
            check_scope(member).map_err(blame("stack"))?;
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
            Kind::Check if self.mc.is_none() && !self.ptc => {
                Err(fault("mc", "say which check: a MC or a PTC", "mc 0 is a NMC, mc 1 a 1MC, ptc a Pin Task Check"))
            }
            Kind::Check if self.mc.is_some() && self.ptc => Err(fault("ptc", "either a MC or a PTC, not both", "")),
            Kind::Interdict if self.hexes.is_none() => {
                Err(fault("hexes", "say how many Interdicted hexes are crossed", "for example hexes 2"))
            }
            Kind::Rally if self.keep_dm && question.rally_terrain() => {
                Err(fault("keep-dm", "DM cannot be kept in woods, a building, a pillbox or a trench (A10.62)", ""))
            }
            _ => Ok(question),
        }
    }

    fn question(&self) -> Question {
        Question {
            kind: self.kind,
            stack: Stack { members: Vec::new(), assumed: Vec::new() },
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
    check_scope(leader)?;
    Ok(leader.clone())
}

/// What is not worked out so far.
fn check_scope(member: &Member) -> Result<(), Fault> {
    if member.printed().kind == CounterKind::Commissar {
        return Err(Fault::new("Commissars (A25.22) are not worked out so far", 0..0).help("ask with a leader, `8-0`"));
    }
    if member.is(Condition::Captured) {
        return Err(Fault::new("prisoners (A20.5) take no part", 0..0).help("leave them out of the stack"));
    }
    Ok(())
}

/// A stack in which nobody is called broken is read as all broken.
fn begin_broken(stack: &mut Stack, notes: &mut Vec<String>) -> Result<(), Fault> {
    if !stack.members.iter().any(|member| member.is(Condition::Broken)) {
        let can_break = |member: &Member| {
            member.printed().kind != CounterKind::Hero && !member.is(Condition::Heroic) && !member.is(Condition::Berserk)
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

/// A question that can be answered.
#[derive(Clone, Debug)]
pub struct Question {
    kind: Kind,
    stack: Stack,
    leader: Option<Member>,
    check: Stage,
    phases: u16,
    terrain: &'static Terrain,
    own_rph: OwnRph,
    keep_dm: bool,
    hexes: u8,
    elr: u8,
    joint: bool,
    rulebook: Rulebook,
    notes: Vec<String>,
}

impl Question {
    /// What is asked.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The units, every nation filled in.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The leader who lends his leadership.
    pub fn leader(&self) -> Option<&Member> {
        self.leader.as_ref()
    }

    /// Profile and switches.
    pub fn rulebook(&self) -> Rulebook {
        self.rulebook
    }

    /// Scenario ELR.
    pub fn elr(&self) -> u8 {
        self.elr
    }

    /// What had to be assumed, in words.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether outcomes are those of the whole stack.
    pub fn is_joint(&self) -> bool {
        self.joint
    }

    /// The question in one line.
    pub fn in_words(&self) -> String {
        let mut words = match (self.kind, self.check) {
            (Kind::Check, Stage::PinTaskCheck) => format!("PTC of {}", self.stack),
            (Kind::Check, Stage::MoraleCheck { drm: 0 }) => format!("NMC of {}", self.stack),
            (Kind::Check, Stage::MoraleCheck { drm }) => format!("{drm}MC of {}", self.stack),
            (Kind::Rally, _) => format!("Rally of {} in {}", self.stack, self.terrain.name.to_lowercase()),
            _ => format!("{} through {} Interdicted hex{}", self.stack, self.hexes, if self.hexes == 1 { "" } else { "es" }),
        };
        if let Some(leader) = &self.leader {
            words += &format!(", led by {leader}");
        }
        if self.kind == Kind::Rally {
            words += match self.phases {
                1 => ", 1 phase".to_string(),
                phases => format!(", {phases} phases"),
            }
            .as_str();
        }
        words + &format!(", ELR {}", self.elr)
    }

    /// Counters whose values are less than sure, with how sure.
    pub fn uncertain(&self) -> Vec<String> {
        let mut uncertain: Vec<String> = Vec::new();
        for member in self.stack.members.iter().chain(&self.leader) {
            let counter = member.printed();
            let text = format!("{counter}: {} confidence", counter.confidence.name());
            if counter.confidence < super::catalogue::Confidence::High && !uncertain.contains(&text) {
                uncertain.push(text);
            }
        }
        uncertain
    }

    fn rally_terrain(&self) -> bool {
        match self.terrain.rally_bonus {
            RallyBonus::Yes => true,
            RallyBonus::No => false,
            RallyBonus::Rubble => !self.rulebook.is_default(Switch::I16Rubble),
            RallyBonus::LightWoods => self.rulebook.is_default(Switch::I16LightWoods),
        }
    }

    fn stages(&self) -> Vec<Stage> {
        match self.kind {
            Kind::Check => vec![self.check, Stage::Report(0)],
            Kind::Interdict => vec![Stage::Gauntlet, Stage::Report(0)],
            Kind::Rally => {
                let own = |phase: u16| match self.own_rph {
                    OwnRph::Odd => phase % 2 == 1,
                    OwnRph::Even => phase.is_multiple_of(2),
                    OwnRph::Never => false,
                };
                let phase = |phase| [Stage::RallyPhase { own: own(phase) }, Stage::Report(phase)];
                (1..=self.phases).flat_map(phase).collect()
            }
        }
    }

    /// The process of some members of the stack, telling about those of them that `told` picks.
    fn process_of(&self, places: &[usize], told: impl Fn(usize) -> bool) -> Engagement {
        let members: Vec<Member> = places.iter().map(|&place| self.stack.members[place].clone()).collect();
        let with_leader: Vec<Member> = members.iter().chain(&self.leader).cloned().collect();
        let (roster, counters) = Roster::of(&with_leader);
        let unit = |(member, &counter): (&Member, _)| Unit {
            counter,
            elr: member.elr.unwrap_or(self.elr),
            conditions: member.conditions,
        };
        let mut units: ArrayVec<Unit, { super::location::MAX_IN_PLAY }> = with_leader.iter().zip(&counters).map(unit).collect();
        let lent_leader = if self.leader.is_some() { units.pop() } else { None };
        Engagement {
            roster,
            rulebook: self.rulebook,
            units,
            stages: self.stages(),
            lent_leader,
            rally_terrain: self.rally_terrain(),
            keeps_dm: self.keep_dm,
            hexes: self.hexes,
            telling: Telling {
                wording: match self.kind {
                    Kind::Check => Wording::Check,
                    Kind::Rally => Wording::Rally,
                    Kind::Interdict => Wording::Rout,
                },
                slots: places.iter().map(|&place| place as u8 + 1).collect(),
                first_created: self.stack.members.len() as u8 + 1,
                told: places.iter().map(|&place| told(place)).collect(),
                joint: self.joint,
            },
        }
    }

    /// Counters of outcomes: always those of the catalogue, since a counter prints like the first that prints alike.
    fn counters(&self) -> &'static [Counter] {
        CATALOGUE.counters()
    }

    /// `2:broken 8-1/wounded`.
    fn stack_word(&self, outcome: &UnitOutcome) -> String {
        let mut word = format!("{}:{}", outcome.slot, outcome.status);
        if let Some(counter) = outcome.counter_text(self.counters()) {
            word += &format!(" {counter}");
            if outcome.wounded == Some(true) {
                word += if counter.contains('/') { ",wounded" } else { "/wounded" };
            }
        }
        word
    }
}

impl process::Question for Question {
    type Process = Engagement;

    /// The whole question as one process.
    fn whole(&self) -> Engagement {
        self.process_of(&(0..self.stack.members.len()).collect::<Vec<_>>(), |_| true)
    }

    /// The question as processes that together tell every unit's odds, each much smaller than the whole.
    ///
    /// Two rules allow it. In a check (10.2) units are touched by leaders only: each MMC or hero is worked out beside the leaders,
    /// the leaders by themselves. Routing units (10.5) go one by one, and so do units that a leader who is never at risk rallies
    /// (10.6). Underlined squads keep the stack whole when there are two: the slots of their second half-squads depend on both.
    fn parts(&self) -> Vec<Engagement> {
        let all: Vec<usize> = (0..self.stack.members.len()).collect();
        let is_leader = |&place: &usize| self.stack.members[place].printed().kind.is_leader();
        let splits = |&place: &usize| {
            let counter = self.stack.members[place].printed();
            matches!(counter.replacement, super::catalogue::Replacement::TwoHalfSquads(_))
        };
        let (leaders, others): (Vec<usize>, Vec<usize>) = all.iter().copied().partition(is_leader);
        let independent = match self.kind {
            Kind::Check => others.iter().filter(|place| splits(place)).count() < 2,
            Kind::Rally => leaders.is_empty() && self.leader.is_some(),
            Kind::Interdict => true,
        };
        if self.joint || !independent || all.len() == 1 {
            return vec![self.whole()];
        }
        if self.kind != Kind::Check {
            return all.iter().map(|&place| self.process_of(&[place], |_| true)).collect();
        }
        let beside_leaders = |&place: &usize| {
            let mut places = leaders.clone();
            places.push(place);
            places.sort();
            self.process_of(&places, |told| told == place)
        };
        let mut parts: Vec<Engagement> = Vec::new();
        if !leaders.is_empty() {
            parts.push(self.process_of(&leaders, |_| true));
        }
        parts.extend(others.iter().map(beside_leaders));
        parts
    }

    /// An outcome in words.
    fn label(&self, point: Point, outcome: &Outcome) -> Label {
        let phase = (self.kind == Kind::Rally).then_some(point);
        match outcome {
            Outcome::Unit(outcome) => {
                let member = self.stack.members.get(usize::from(outcome.slot) - 1);
                Label {
                    slot: Some(outcome.slot),
                    unit: member.map(starting_counter),
                    unit_id: member.map(|member| member.printed().id.clone()),
                    phase,
                    status: Some(outcome.status.name()),
                    counter: outcome.counter_text(self.counters()),
                    wounded: outcome.wounded,
                    outcome: None,
                }
            }
            Outcome::Stack(outcomes) => {
                let words: Vec<String> = outcomes.iter().map(|outcome| self.stack_word(outcome)).collect();
                Label { phase, outcome: Some(words.join("; ")), ..Label::default() }
            }
        }
    }
}

/// The counter a unit starts as, with its lasting conditions.
fn starting_counter(member: &Member) -> String {
    let lasting = [Condition::Fanatic, Condition::Heroic].into_iter().filter(|&condition| member.is(condition));
    let lasting: Vec<&str> = lasting.map(Condition::name).collect();
    let printed = member.printed().printed();
    if lasting.is_empty() { printed } else { format!("{printed}/{}", lasting.join(",")) }
}
