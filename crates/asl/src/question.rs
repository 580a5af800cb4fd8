//! A question that is complete: made a process, or several, with words for their outcomes.

use std::sync::Arc;

pub use super::ask::Ask;
use super::catalogue::{CATALOGUE, Counter, Replacement};
use super::choice::Choices;
use super::draft::Stacks;
use super::engagement::{Engagement, Setting};
use super::outcome::{Outcome, UnitOutcome};
use super::roster::Roster;
use super::rulebook::{Rulebook, Switch};
use super::scene::Scene;
use super::sequence::{Action, Interdict, Step};
use super::stack::{Member, Stack};
use super::unit::{Condition, Unit, Wording};
use super::vocabulary::stage::Stage;
use super::vocabulary::telling::Telling;
use engine::process::{self, End, Label, Limb, Limbs, Parts, Point};
pub use system::form::{FieldFault, Value};

/// A question about a stack being filled in.
pub type Draft = system::draft::Draft<Stacks>;

/// A question that can be answered.
#[derive(Clone, Debug)]
pub struct Question {
    pub(super) ask: Ask,
    pub(super) stack: Stack,
    pub(super) steps: Vec<Step>,
    pub(super) scene: Scene,
    pub(super) elr: u8,
    pub(super) joint: bool,
    pub(super) rulebook: Rulebook,
    pub(super) choices: Choices,
    pub(super) notes: Vec<String>,
}

impl Question {
    /// What is asked.
    pub fn ask(&self) -> Ask {
        self.ask
    }

    /// The units, every nation filled in.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// What happens.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Profile and switches.
    pub fn rulebook(&self) -> Rulebook {
        self.rulebook
    }

    /// The same question, with these choices left to the owner.
    pub fn with_choices(&self, choices: Choices) -> Question {
        Question { choices, ..self.clone() }
    }

    /// The same question by another rulebook, which must have what it asks for.
    pub fn under(&self, rulebook: Rulebook) -> Question {
        let mut other = Question { rulebook, ..self.clone() };
        for step in &mut other.steps {
            if let Action::Rally(rally) = &mut step.action {
                rally.bonus = rulebook.gives_rally_bonus(rally.terrain);
            }
        }
        other
    }

    /// Whether choices are left to the owner.
    pub fn leaves_choices(&self) -> bool {
        self.choices.any()
    }

    /// What stands around the Location.
    pub fn scene(&self) -> Scene {
        self.scene
    }

    /// Whether an Original 2 brings Heat of Battle (15.1): unless it is switched off, or the
    /// edition has none.
    pub fn heat_of_battle(&self) -> bool {
        self.rulebook.plays_heat_of_battle(self.scene.heat_of_battle)
    }

    /// Scenario ELR.
    pub fn elr(&self) -> u8 {
        self.elr
    }

    /// Whether outcomes are told step by step.
    pub fn is_sequence(&self) -> bool {
        self.ask == Ask::Sequence
    }

    /// The leaders who only lend their leadership.
    pub(super) fn leaders(&self) -> impl Iterator<Item = &Member> {
        self.steps.iter().filter_map(|step| step.action.leader())
    }

    /// The stages of every step. I-28: with an enemy ADJACENT broken units have DM in every Rally step, by the
    /// alternative from the first on until it is removed.
    fn stages(&self, lent: &[Option<Unit>], places: &[usize]) -> Vec<Stage> {
        let place_of =
            |place: usize| places.iter().position(|&other| other == place).map(|place| place as u8);
        let by_phase = self.ask == Ask::Rally;
        let mut stages = Vec::new();
        let mut rallied = false;
        for (number, (step, lent)) in (1..).zip(self.steps.iter().zip(lent)) {
            let mut of_step =
                step.action.stages(*lent, place_of, |phase| by_phase.then_some(phase));
            if matches!(step.action, Action::Rally(_)) {
                if self.scene.enemy_adjacent
                    && (!rallied || !self.rulebook.chooses(Switch::DmOnlyByNewEnemy))
                {
                    of_step.insert(0, Stage::DesperationMorale);
                }
                rallied = true;
            }
            if let Some(condition) = &step.condition {
                let words: Arc<str> = condition.to_string().into();
                let tests = condition.tests(of_step.len()).into_iter();
                stages.extend(tests.map(|(test, skip, leaves_out)| Stage::Only {
                    test: test.within(place_of),
                    skip: skip as u16,
                    leaves_out: leaves_out.then(|| words.clone()),
                }));
            }
            stages.extend(of_step);
            if !by_phase {
                stages.push(Stage::Report(if self.ask == Ask::Sequence { number } else { 0 }));
            }
        }
        stages
    }

    /// The process of some members of the stack, telling about those of them that `told` picks, of
    /// created units if `created`, and of `equals`, places of units that are equal to the one told
    /// about.
    fn process_of(
        &self,
        places: &[usize],
        told: impl Fn(usize) -> bool,
        created: bool,
        equals: &[usize],
    ) -> Engagement {
        // One roster for all, since units of one process may come into another.
        let members: Vec<Member> =
            self.stack.members.iter().chain(self.leaders()).cloned().collect();
        let (roster, counters) = Roster::of(&members);
        let unit = |place: usize| Unit::of(&members[place], counters[place], self.elr);
        let stack = places.iter().map(|&place| unit(place)).collect();
        let mut leaders = (self.stack.members.len()..members.len()).map(unit);
        let lent: Vec<Option<Unit>> = self
            .steps
            .iter()
            .map(|step| step.action.leader().and_then(|_| leaders.next()))
            .collect();
        let setting = Setting {
            roster,
            rulebook: self.rulebook,
            scene: self.scene,
            units: stack,
            resident: None,
            stages: self.stages(&lent, places),
            telling: Telling {
                wording: match self.ask {
                    Ask::Check | Ask::Fire | Ask::Sequence => Wording::Check,
                    Ask::Rally => Wording::Rally,
                    Ask::Interdict => Wording::Rout,
                },
                slots: places.iter().map(|&place| place as u8 + 1).collect(),
                first_created: self.stack.members.len() as u8 + 1,
                told: places.iter().map(|&place| told(place)).collect(),
                equals: equals.iter().map(|&place| place as u8 + 1).collect(),
                created,
                joint: self.joint,
            },
        };
        Engagement::of(setting)
            .leaving(self.choices)
            .without(self.stack.members.len() - places.len())
    }

    /// Counters of outcomes: always those of the catalogue, since a counter prints like the first
    /// that prints alike.
    fn counters(&self) -> &'static [Counter] {
        CATALOGUE.counters()
    }
}

impl process::Question for Question {
    type Process = Engagement;

    /// The whole question as one process.
    fn whole(&self) -> Engagement {
        self.process_of(&(0..self.stack.members.len()).collect::<Vec<_>>(), |_| true, true, &[])
    }

    /// The question as processes that together tell every unit's odds, each much smaller than the
    /// whole.
    ///
    /// **Why they may be answered apart.** A row tells of one unit, so only its own odds are
    /// wanted, not how they hang together with those of the others. Look at the whole and see
    /// nothing of it but the leaders and one other unit. If no roll of anybody else ever changes
    /// what is seen, and what is seen is all its rolls are compared with, then what is seen is a
    /// process by itself, the same as if the others were not there: dice know nothing of each
    /// other. That holds
    ///
    /// * in one attack or check (10.2): only a leader lends a DRM or a Morale Level (10.21,
    ///   A25.22), calls for LLMC and LLTC, or sweeps others along when he goes berserk (15.41), and
    ///   leaders check first, in an order of their own; whatever befalls an MMC or a hero, Heat of
    ///   Battle (15.1) included, nobody else's roll asks for it. In a Random Selection (A.9) alone
    ///   every dr counts, so those left out roll as bystanders: a dr among equals, whoever makes
    ///   it;
    /// * in Rally Phases (10.6) in which somebody can lead whatever happens: one who is only lent,
    ///   or a leader of the stack who is not berserk, and none of them broken. Then no leader
    ///   rolls, so none is lost, goes berserk or is Replaced; every attempt is led, so nobody's
    ///   turn is spent by another's Self-Rally and no leader is created (18.11);
    /// * on a rout (10.5), where everyone is in a hex of his own, unless a leader of the stack goes
    ///   along (10.711).
    ///
    /// In a sequence of steps it does not: a hero of the first step is a target of the second, and
    /// conditions look at all. Nor where anything is chosen, since a choice looks at all units; nor
    /// for outcomes of the whole stack.
    ///
    /// **What makes equal units exchangeable.** Two units that are written alike differ by their
    /// place in the stack. Places decide in which order units roll, and which slot a created unit
    /// gets. Of that order only leaders take note: of two equal ones the first checks without the
    /// other's fate. So MMC and heroes written alike have the same process beside the leaders,
    /// hence the same odds, and one of them tells for all; so do routing units of any kind, who are
    /// alone.
    ///
    /// Only the slot of a created unit, hero (15.21) or second half-squad (19.13), depends on all:
    /// where there can be two of them, the whole tells about these.
    fn parts(&self) -> Parts<Engagement> {
        let Some(Apart { beside, groups, .. }) = self.apart().filter(|apart| apart.parted) else {
            return Parts::whole(self.whole());
        };
        let splits = |place: &&usize| {
            let counter = self.stack.members[**place].printed();
            matches!(counter.replacement, Replacement::TwoHalfSquads(_))
        };
        let several_created =
            self.heat_of_battle() || groups.iter().flatten().filter(splits).count() > 1;
        let mut processes: Vec<Engagement> = Vec::new();
        if !beside.is_empty() {
            processes.push(self.process_of(&beside, |_| true, !several_created, &[]));
        }
        processes.extend(groups.iter().map(|group| {
            let places = sorted(&beside, group[0]);
            self.process_of(&places, |told| told == group[0], !several_created, &group[1..])
        }));
        let all: Vec<usize> = (0..self.stack.members.len()).collect();
        Parts {
            processes,
            rest: several_created.then(|| self.process_of(&all, |_| false, true, &[])),
        }
    }

    /// The leaders are common; why nobody else touches anybody is told of the parts.
    ///
    /// **Where no parts tell the rows.** In a Rally Phase without a leader the first MMC that can
    /// may Self-Rally (18.11), and nobody after it. That is a call: whether a MMC can is said by
    /// its own state, and a leader it creates (18.2) is in the Location of all, where his rolls are
    /// common from then on. So is a step that happens only if a unit, none or all are in some
    /// state. In a sequence a hero of the first step is a target of the second; but a target is
    /// alone with its dice, and a Random Selection only asks how many there are.
    fn limbs(&self) -> Option<Limbs<Engagement>> {
        let Apart { beside, groups, parted } = self.apart()?;
        if parted && beside.len() > self.most_leaders() {
            return None;
        }
        let limb = |group: Vec<usize>| {
            let places = sorted(&beside, group[0]);
            let process = self.process_of(&places, |told| told == group[0], true, &[]);
            let process = process.beside(|place| places[usize::from(place)] != group[0]);
            Limb { process, slots: group.iter().map(|&place| place as u8 + 1).collect() }
        };
        let common = self.process_of(&beside, |_| true, true, &[]).beside(|_| true);
        let limbs = groups.into_iter().map(limb).collect();
        // In Rally Phases in which no leader is at risk who is up stays up.
        let lasting = self.ask == Ask::Rally && !self.has_broken_leaders();
        Some(Limbs { common: Some(common), limbs, lasting, parted })
    }

    /// An outcome in words.
    fn label(&self, point: Point, outcome: &Outcome) -> Label {
        let phase = (self.ask == Ask::Rally).then_some(point);
        let step = (self.ask == Ask::Sequence).then_some(point);
        match outcome {
            Outcome::Unit(outcome) => {
                let member = self.stack.members.get(usize::from(outcome.slot) - 1);
                Label {
                    slot: Some(outcome.slot),
                    unit: member.map(starting_counter),
                    unit_id: member.map(|member| member.printed().id.clone()),
                    phase,
                    step,
                    status: Some(outcome.status.name()),
                    counter: outcome.counter_text(self.counters()),
                    wounded: outcome.wounded,
                    ..Label::default()
                }
            }
            Outcome::Stack(outcomes) => {
                let end = |outcome: &UnitOutcome| End {
                    slot: outcome.slot,
                    status: outcome.status.name(),
                    counter: outcome.counter_text(self.counters()),
                    wounded: outcome.wounded,
                };
                Label { phase, step, ..Label::of_all(outcomes.iter().map(end).collect()) }
            }
        }
    }
}

/// A stack whose units touch each other only through some of them.
struct Apart {
    /// Those who touch others, by their places.
    beside: Vec<usize>,
    /// The others, those that are equal together.
    groups: Vec<Vec<usize>>,
    /// Whether nobody else changes what those who touch others do, nor what a unit beside them
    /// does.
    parted: bool,
}

impl Question {
    fn has_broken_leaders(&self) -> bool {
        let leaders = self.stack.members.iter().filter(|unit| unit.printed().kind.is_leader());
        leaders.into_iter().any(|leader| leader.is(Condition::Broken))
    }

    /// How the stack comes apart, if it does.
    fn apart(&self) -> Option<Apart> {
        let all: Vec<usize> = (0..self.stack.members.len()).collect();
        let is_leader = |&place: &usize| self.stack.members[place].printed().kind.is_leader();
        let (leaders, others): (Vec<usize>, Vec<usize>) = all.iter().copied().partition(is_leader);
        let leads = |&place: &usize| !self.stack.members[place].is(Condition::Berserk);
        let parted = match (self.ask, self.steps.first().map(|step| &step.action)) {
            (Ask::Fire | Ask::Check, _) => true,
            (Ask::Rally, Some(action)) => {
                !self.has_broken_leaders()
                    && (action.leader().is_some() || leaders.iter().any(leads))
            }
            (Ask::Interdict, Some(Action::Interdict(Interdict { escort: None, .. }))) => true,
            (Ask::Rally | Ask::Sequence, _) if self.is_played_beside_leaders() => false,
            _ => return None,
        };
        if self.joint || self.choices.any() || all.len() == 1 {
            return None;
        }
        let (beside, others) = match self.ask {
            Ask::Interdict => (Vec::new(), all),
            _ => (leaders, others),
        };
        // Of equal units one tells for all.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for place in others {
            let is_picked = |place| self.steps.iter().any(|step| step.picks(place));
            let equal = |group: &&mut Vec<usize>| {
                self.stack.members[group[0]] == self.stack.members[place]
                    && !is_picked(group[0])
                    && !is_picked(place)
            };
            match groups.iter_mut().find(equal) {
                Some(group) => group.push(place),
                None => groups.push(vec![place]),
            }
        }
        Some(Apart { beside, groups, parted })
    }

    /// Whether all that units other than leaders do to others is known to the courses of leaders: a
    /// choice of who rallies first is not, nor a row of hexes run through together.
    fn is_played_beside_leaders(&self) -> bool {
        !self.rulebook.chooses(Switch::SelfRallyFirstOfAll)
            && self.steps.iter().all(|step| !matches!(step.action, Action::Interdict(_)))
    }

    /// Most leaders whose courses are followed: with one more there are so many that dice tell as
    /// much in less time. In Rally Phases that come apart none of them rolls.
    fn most_leaders(&self) -> usize {
        match self.ask {
            Ask::Check => 4 - usize::from(self.heat_of_battle()),
            Ask::Fire => 3 - usize::from(self.heat_of_battle()),
            _ => usize::MAX,
        }
    }
}

/// Some places and a further one, in order.
fn sorted(places: &[usize], further: usize) -> Vec<usize> {
    let mut places = places.to_vec();
    places.push(further);
    places.sort();
    places
}

/// The counter a unit starts as, with its lasting conditions.
pub(super) fn starting_counter(member: &Member) -> String {
    let lasting = [Condition::Fanatic, Condition::Heroic]
        .into_iter()
        .filter(|&condition| member.is(condition));
    let lasting: Vec<&str> = lasting.map(Condition::name).collect();
    let printed = member.printed().printed();
    if lasting.is_empty() {
        printed.to_string()
    } else {
        format!("{printed}/{}", lasting.join(","))
    }
}
