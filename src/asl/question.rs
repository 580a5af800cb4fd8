//! A question that is complete: made a process, or several, with words for their outcomes.

use arrayvec::ArrayVec;

use super::catalogue::{CATALOGUE, Confidence, Counter, Replacement};
use super::draft::OwnRph;
pub use super::draft::{Draft, FieldFault, Kind, Value};
use super::engagement::{Engagement, Stage, Telling};
use super::location::MAX_IN_PLAY;
use super::outcome::{Outcome, UnitOutcome};
use super::roster::Roster;
use super::rulebook::{Rulebook, Switch};
use super::stack::{Member, Stack};
use super::unit::{Condition, Unit, Wording};
use crate::board::terrain::{RallyBonus, Terrain};
use crate::process::{self, Label, Point};

/// A question that can be answered.
#[derive(Clone, Debug)]
pub struct Question {
    pub(super) kind: Kind,
    pub(super) stack: Stack,
    pub(super) leader: Option<Member>,
    pub(super) check: Stage,
    pub(super) phases: u16,
    pub(super) terrain: &'static Terrain,
    pub(super) own_rph: OwnRph,
    pub(super) keep_dm: bool,
    pub(super) hexes: u8,
    pub(super) elr: u8,
    pub(super) joint: bool,
    pub(super) rulebook: Rulebook,
    pub(super) notes: Vec<String>,
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
            if counter.confidence < Confidence::High && !uncertain.contains(&text) {
                uncertain.push(text);
            }
        }
        uncertain
    }

    pub(super) fn rally_terrain(&self) -> bool {
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
        let mut units: ArrayVec<Unit, MAX_IN_PLAY> = with_leader.iter().zip(&counters).map(unit).collect();
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
    /// In a check (10.2) units are touched by leaders only: each MMC or hero is worked out beside the leaders, the leaders by
    /// themselves. So are Rally Phases (10.6) in which a Good Order leader leads every attempt and no broken leader can be lost
    /// to Fate. Routing units (10.5) go one by one. Underlined squads keep a stack under fire whole when there are two: the slots
    /// of their second half-squads depend on both.
    fn parts(&self) -> Vec<Engagement> {
        let all: Vec<usize> = (0..self.stack.members.len()).collect();
        let is_leader = |&place: &usize| self.stack.members[place].printed().kind.is_leader();
        let splits = |&place: &usize| {
            let counter = self.stack.members[place].printed();
            matches!(counter.replacement, Replacement::TwoHalfSquads(_))
        };
        let (leaders, others): (Vec<usize>, Vec<usize>) = all.iter().copied().partition(is_leader);
        let independent = match self.kind {
            Kind::Check => others.iter().filter(|place| splits(place)).count() < 2,
            Kind::Rally => {
                let is = |place: &usize, condition| self.stack.members[*place].is(condition);
                let none_at_risk = !leaders.iter().any(|place| is(place, Condition::Broken));
                none_at_risk && (self.leader.is_some() || leaders.iter().any(|place| !is(place, Condition::Berserk)))
            }
            Kind::Interdict => true,
        };
        if self.joint || !independent || all.len() == 1 {
            return vec![self.whole()];
        }
        if self.kind == Kind::Interdict {
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
    if lasting.is_empty() { printed.to_string() } else { format!("{printed}/{}", lasting.join(",")) }
}
