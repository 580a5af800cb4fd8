//! A complete question about a stack, as one process or as several, with labels for outcomes.

use std::sync::{Arc, OnceLock};

use super::catalogue::{CounterId, Replacement};
use super::close_combat::stage::{CombatStage, EnemySlots};
use super::close_combat::state::CombatSide;
use super::engagement::{Engagement, EngagementSetup};
pub use super::kinds::QuestionKind;
use super::kinds::Stacks;
use super::roster::Roster;
use super::rulebook::{Rulebook, Switch};
use super::sequence::{Action, Interdict, Step};
use super::sniper::fields::{SniperCalls, SniperSetting};
use super::stack::{Member, Stack};
use super::stack_process::StackProcess;
use crate::vocabulary::{
    Choices, Condition, Outcome, OutcomeDetail, Report, Scene, Sniper, Stage, Unit, UnitOutcome,
    with_lasting,
};
use answer::Estimate;
use engine::process::{self, Factor, Factorization, Label, Parts, ReportIndex, UnitEnding};
pub use schema::{FieldFault, RawValue};

/// A question about a stack whose fields are being filled in.
pub type Draft = play::question_form::Draft<Stacks>;

/// A question about a stack, checked and ready to be answered.
#[derive(Clone, Debug)]
pub struct Question {
    pub ask: QuestionKind,
    /// The units, each with its nation filled in.
    pub stack: Stack,
    pub steps: Vec<Step>,
    /// The situation around the Location.
    pub scene: Scene,
    pub(super) elr: u8,
    pub(super) report: Report,
    pub rulebook: Rulebook,
    pub(super) choices: Choices,
    pub(super) notes: Vec<String>,
    /// How often each shot of each step is made, once it is known.
    pub(super) made: OnceLock<Vec<(u16, u8, Estimate)>>,
    /// The Snipers beside the question.
    pub(super) snipers: Option<SniperSetting>,
    /// The Sniper whose calls the process follows: one that strikes the stack, or is counted.
    pub(super) followed: Option<Sniper>,
    /// How often each Sniper is called, once it is known.
    pub(super) called: OnceLock<Vec<SniperCalls>>,
}

impl Question {
    /// Returns a copy of the question in which the owner makes these choices.
    pub fn with_choices(&self, choices: Choices) -> Question {
        Question { choices, ..self.clone() }
    }

    /// Returns whether Heat of Battle (15.1) is played: switched on, and part of the edition.
    pub fn heat_of_battle(&self) -> bool {
        self.rulebook.plays_heat_of_battle(self.scene.heat_of_battle)
    }

    /// Returns whether a Sniper can strike the stack.
    pub(super) fn is_under_snipers(&self) -> bool {
        self.followed.is_some_and(Sniper::strikes)
    }

    /// Returns whether outcomes are reported after each step.
    pub fn is_sequence(&self) -> bool {
        matches!(self.ask, QuestionKind::Sequence | QuestionKind::Turn)
    }

    /// Returns the action of a question with one, `None` for a sequence.
    pub(super) fn only_action(&self) -> Option<&Action> {
        self.steps.first().filter(|_| !self.is_sequence()).map(|step| &step.action)
    }

    /// Returns whether outcomes tell who is concealed: after each step, if somebody can be.
    pub(super) fn tells_concealment(&self) -> bool {
        let changes = |step: &Step| {
            matches!(step.action, Action::Single(Stage::Concealment(_) | Stage::Reveal(_)))
        };
        let is_concealed = self.stack.members.iter().any(|member| member.concealed);
        self.is_sequence() && (is_concealed || self.steps.iter().any(changes))
    }

    pub(super) fn leaders(&self) -> impl Iterator<Item = &Member> {
        self.steps.iter().filter_map(|step| step.action.leader())
    }

    /// Returns the stages of all steps. With an enemy ADJACENT, broken units have DM in every Rally
    /// step (interpretation I-28). By its alternative they have DM only in the first Rally step.
    fn stages(&self, lent: &[Option<Unit>], places: &[usize]) -> Vec<Stage> {
        let place_of =
            |place: usize| places.iter().position(|&other| other == place).map(|place| place as u8);
        let by_phase = self.ask == QuestionKind::Rally;
        let mut stages = Vec::new();
        let mut rallied = false;
        for (number, (step, lent)) in (1..).zip(self.steps.iter().zip(lent)) {
            let mut of_step =
                step.action.stages(*lent, place_of, |phase| by_phase.then_some(phase));
            let is_rally = matches!(step.action, Action::Rally(_));
            let dm_returns = !rallied || !self.rulebook.chooses(Switch::DmOnlyByNewEnemy);
            if is_rally && self.scene.enemy_adjacent && dm_returns {
                of_step.insert(0, Stage::DesperationMorale);
            }
            rallied |= is_rally;
            if let Some(condition) = &step.condition {
                let left_out = "the next step is left out: it happens only";
                let words: Arc<str> = format!("{left_out} {condition}").into();
                let tests = condition.tests(of_step.len()).into_iter();
                stages.extend(tests.map(|(test, skip, leaves_out)| Stage::Only {
                    test: test.within(place_of),
                    skip: skip as u16,
                    leaves_out: leaves_out.then(|| words.clone()),
                }));
            }
            stages.extend(of_step);
            if !by_phase {
                stages.push(Stage::Report(if self.is_sequence() { number } else { 0 }));
            }
        }
        stages
    }

    /// Returns the process of the members of the stack at `places`. It reports those that
    /// `is_reported` picks, and created units if `created`. `equals` are equal to the reported one.
    fn process_of(
        &self,
        places: &[usize],
        is_reported: impl Fn(usize) -> bool,
        created: bool,
        equals: &[usize],
    ) -> Engagement {
        let (members, roster, counters) = self.roster();
        let follows_concealment = self.is_sequence()
            || self.is_under_snipers()
            || self.steps.iter().any(|step| step.action.fires_on());
        let unit = |place: usize| {
            let mut unit = Unit::from_member(&members[place], counters[place], self.elr);
            if members[place].concealed && follows_concealment {
                unit.conditions.set(Condition::Concealed);
            }
            unit
        };
        let stack = places.iter().map(|&place| unit(place)).collect();
        let leaders = self.stack.members.len()..;
        let mut leaders = leaders.take(self.leaders().count()).map(unit);
        let lent = |step: &Step| step.action.leader().and_then(|_| leaders.next());
        let lent: Vec<Option<Unit>> = self.steps.iter().map(lent).collect();
        Engagement::new(EngagementSetup {
            roster,
            rulebook: self.rulebook,
            scene: self.scene,
            choices: self.choices,
            units: stack,
            resident: None,
            stages: self.stages(&lent, places),
            sniper: self.followed,
            bystanders: (self.stack.members.len() - places.len()) as u8,
            telling: OutcomeDetail {
                wording: self.ask.wording(),
                slots: places.iter().map(|&place| place as u8 + 1).collect(),
                first_created: self.units() + 1,
                reported: places.iter().map(|&place| is_reported(place)).collect(),
                equals: equals.iter().map(|&place| place as u8 + 1).collect(),
                created,
                tells_concealment: self.tells_concealment(),
                report: self.report,
            },
        })
        .with_dummies(self.followed.map_or(0, |_| self.stack.dummies))
    }
}

impl Question {
    /// Returns the process of the firers alone.
    pub(super) fn without_targets(&self) -> StackProcess {
        StackProcess::new(self.process_of(&[], |_| false, false, &[]), self.combats())
    }

    /// Returns whether the calls of a Sniper are counted that do not depend on the targets.
    fn counts_calls_of_firers(&self) -> bool {
        let is_own = self.followed.is_some_and(|sniper| sniper.is_own);
        self.report == Report::Calls && is_own && !self.has_conditions()
    }

    fn combat_stages(&self) -> impl Iterator<Item = &Arc<CombatStage>> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::CloseCombat(stage) => Some(stage),
            _ => None,
        })
    }

    /// Returns the units of all processes and their counters: those of the stack, leaders from
    /// outside, enemies. All processes share one roster, because a unit can enter another process.
    fn roster(&self) -> (Vec<Member>, Arc<Roster>, Vec<CounterId>) {
        let own = self.stack.members.iter().chain(self.leaders());
        let members: Vec<Member> = own.chain(self.enemies()).cloned().collect();
        let (roster, counters) = Roster::from_members(&members);
        (members, roster, counters)
    }

    /// Returns the Close Combats of the steps, with the counters of the question.
    fn combats(&self) -> Vec<CombatStage> {
        if self.combat_stages().next().is_none() {
            return Vec::new();
        }
        let (_, roster, counters) = self.roster();
        let (ours, further) = counters.split_at(self.stack.members.len());
        let mut enemies = &further[self.leaders().count()..];
        let mut theirs = enemies;
        let mut combats = Vec::new();
        let mut slots = EnemySlots::default();
        let mut next = self.stack.members.len() as u8 + 1;
        for (number, stage) in (0..).zip(self.combat_stages()) {
            if !stage.goes_on {
                (theirs, enemies) = enemies.split_at(stage.theirs.members.len());
                slots = EnemySlots { first: next, number };
                next += theirs.len() as u8;
            }
            let scene = Scene { against_russians: false, ..self.scene };
            combats.push(stage.with_roster(&roster, [ours, theirs], slots, (scene, self.elr)));
        }
        combats
    }

    /// Returns the enemies of all Close Combats.
    fn enemies(&self) -> impl Iterator<Item = &Member> {
        let fresh = self.combat_stages().filter(|stage| !stage.goes_on);
        fresh.flat_map(|stage| &stage.theirs.members)
    }

    /// Returns whether there are units of the enemy, so that rows have a side.
    pub(super) fn has_enemies(&self) -> bool {
        self.enemies().next().is_some()
    }

    /// Returns the number of units of both sides at the start.
    pub(super) fn units(&self) -> u8 {
        (self.stack.members.len() + self.enemies().count()) as u8
    }

    /// Returns the side of a slot, its number there, and its unit at the start, if it was there.
    pub(super) fn at_slot(&self, slot: u8) -> (CombatSide, u8, Option<&Member>) {
        let own = self.stack.members.len() as u8;
        let enemies = self.units() - own;
        match slot {
            _ if slot > self.units() => match EnemySlots::created(slot) {
                Some(number) => (CombatSide::Theirs, enemies + number, None),
                None => (CombatSide::Ours, slot - enemies, None),
            },
            _ if slot > own => {
                let place = slot - own - 1;
                (CombatSide::Theirs, place + 1, self.enemies().nth(place.into()))
            }
            _ => (CombatSide::Ours, slot, self.stack.members.get(usize::from(slot) - 1)),
        }
    }

    /// Returns the factorisation of the question: a common factor of the leaders, and one of the
    /// leaders with each group of equal other units. The proof is at [`process::Question::parts`].
    ///
    /// **Factors that wait for each other.** In a Rally Phase without a leader only the first MMC
    /// that can may Self-Rally (18.11). For that all factors are called in turn, and the state of a
    /// factor says whether its MMC answers. A leader that the MMC creates (18.2) is in the Location
    /// of all units, so its rolls are common from then on. The condition of a step is a call as
    /// well. In a sequence a hero of the first step is a target in the second. A target still rolls
    /// independently, and a Random Selection needs only the number of targets.
    pub fn factorization(&self) -> Option<Factorization<Engagement>> {
        if self.counts_calls_of_firers() {
            return None;
        }
        let Partition { leading, groups, has_parts } = self.partition()?;
        if has_parts && leading.len() > self.most_leaders() {
            return None;
        }
        let factor = |group: Vec<usize>| {
            let places = sorted(&leading, group[0]);
            let process = self.process_of(&places, |place| place == group[0], true, &[]);
            let process = process.with_common_units(|place| places[usize::from(place)] != group[0]);
            Factor { process, slots: group.iter().map(|&place| place as u8 + 1).collect() }
        };
        let common = self.process_of(&leading, |_| true, true, &[]).with_common_units(|_| true);
        let factors = groups.into_iter().map(factor).collect();
        // A unit that has rallied stays rallied in Rally Phases in which no leader is at risk.
        let is_lasting = self.ask == QuestionKind::Rally && !self.has_broken_leaders();
        Some(Factorization { common: Some(common), factors, is_lasting, has_parts })
    }
}

impl process::Question for Question {
    type Process = StackProcess;

    fn whole(&self) -> StackProcess {
        if self.counts_calls_of_firers() {
            return self.without_targets();
        }
        let all: Vec<usize> = (0..self.stack.members.len()).collect();
        StackProcess::new(self.process_of(&all, |_| true, true, &[]), self.combats())
    }

    /// Returns the question as processes that together give the probabilities of every unit. Each
    /// has the leaders and one other unit, so it is much smaller than the whole.
    ///
    /// **Why the parts can be answered separately.** A row reports one unit, so only the marginal
    /// probabilities of that unit are needed. Suppose that in the whole process no roll of a
    /// further unit changes the state of the leaders and this unit, and that their own rolls depend
    /// on that state alone. Then they are a process by themselves. Its distribution is the same
    /// without further units, because dice are independent. Both conditions hold
    ///
    /// * in one attack or check (10.2). Only a leader gives a DRM or a Morale Level (10.21,
    ///   A25.22). Only a leader causes LLMC and LLTC, or makes others take a NTC when it goes
    ///   berserk (15.41). Leaders check first, in an order of their own. No roll depends on what
    ///   happens to an MMC or a hero, including Heat of Battle (15.1). Only in a Random Selection
    ///   (A.9) does every dr count. There each omitted unit rolls too, because its dr has the same
    ///   distribution whatever unit it is;
    /// * in Rally Phases (10.6) in which a leader can lead whatever happens. That is so if no
    ///   leader of the stack is broken, and there is a leader outside the stack or one of the stack
    ///   that is not berserk. Then no leader rolls, so none is lost, goes berserk or is Replaced.
    ///   Every attempt is led, so no Self-Rally uses up the turn of another unit, and no leader is
    ///   created (18.11);
    /// * on a rout (10.5), where each unit is in a hex of its own, unless a leader is on a
    ///   Voluntary Rout (10.711).
    ///
    /// The conditions fail in a sequence of steps: a hero of the first step is a target in the
    /// second, and conditions look at all units. They fail where the owner chooses, because a
    /// choice looks at all units. Outcomes of the whole stack need the joint distribution anyway.
    ///
    /// **Why equal units are exchangeable.** Units written alike differ only by their index in the
    /// stack, which decides the order of the rolls, and the slot of a created unit. Only leaders
    /// depend on that order: of two equal leaders the first checks before the result of the other
    /// is known. MMC and heroes written alike therefore have the same probabilities, and one stands
    /// for all. So have routing units of any kind, because each is alone.
    ///
    /// Only the slot of a created unit, a hero (15.21) or a second half-squad (19.13), depends on
    /// all units. Where two units can be created, the whole process reports them.
    fn parts(&self) -> Parts<StackProcess> {
        if self.report == Report::Calls {
            return Parts { processes: Vec::new(), rest: None };
        }
        let Some(Partition { leading, groups, .. }) =
            self.partition().filter(|partition| partition.has_parts)
        else {
            return Parts::whole(self.whole());
        };
        let splits = |place: &&usize| {
            let counter = self.stack.members[**place].printed();
            matches!(counter.replacement, Replacement::TwoHalfSquads(_))
        };
        let several_created =
            self.heat_of_battle() || groups.iter().flatten().filter(splits).count() > 1;
        let mut processes: Vec<Engagement> = Vec::new();
        if !leading.is_empty() {
            processes.push(self.process_of(&leading, |_| true, !several_created, &[]));
        }
        processes.extend(groups.iter().map(|group| {
            let places = sorted(&leading, group[0]);
            self.process_of(&places, |place| place == group[0], !several_created, &group[1..])
        }));
        let all: Vec<usize> = (0..self.stack.members.len()).collect();
        // A question with Close Combat has no parts.
        let process = |engagement| StackProcess::new(engagement, Vec::new());
        Parts {
            processes: processes.into_iter().map(process).collect(),
            rest: several_created.then(|| process(self.process_of(&all, |_| false, true, &[]))),
        }
    }

    fn label(&self, point: ReportIndex, outcome: &Outcome) -> Label {
        let end = |outcome: &UnitOutcome| UnitEnding {
            slot: outcome.slot,
            status: outcome.status.name(),
            counter: outcome.counter_text(),
            wounded: outcome.wounded,
        };
        let label = match outcome {
            Outcome::Calls(_) => return Label::default(),
            Outcome::Unit(outcome) => {
                let (side, number, member) = self.at_slot(outcome.slot);
                let unit_id = member.map(|member| member.printed().id.clone());
                let label = Label::of_unit(member.map(starting_counter), end(outcome));
                let side = self.has_enemies().then(|| side.name().into());
                Label { unit_id, side_slot: side.is_some().then_some(number), side, ..label }
            }
            Outcome::Stack { units, sniper } => {
                let ends = units.iter().map(end).collect();
                let label = match self.has_enemies() {
                    true => Label::of_sides(ends, |slot| {
                        let (side, number, _) = self.at_slot(slot);
                        (side.name(), number)
                    }),
                    false => Label::of_all(ends),
                };
                Label { sniper: *sniper, ..label }
            }
        };
        let phase = (self.ask == QuestionKind::Rally).then_some(point);
        let step = self.is_sequence().then_some(point);
        Label { phase, step, ..label }
    }
}

/// A partition of the stack into units that can affect other units and units that cannot.
struct Partition {
    leading: Vec<usize>,
    /// The indices of the other units, with equal units in one group.
    groups: Vec<Vec<usize>>,
    /// True if no unit of `groups` can affect the result of another unit.
    has_parts: bool,
}

impl Question {
    fn has_broken_leaders(&self) -> bool {
        self.stack.members.iter().any(|unit| unit.is_leader() && unit.is(Condition::Broken))
    }

    /// Returns the partition of the stack, or `None` if the question does not factorise.
    fn partition(&self) -> Option<Partition> {
        let all: Vec<usize> = (0..self.stack.members.len()).collect();
        let (leaders, others): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|&&place| self.stack.members[place].is_leader());
        let leads = |&place: &usize| !self.stack.members[place].is(Condition::Berserk);
        let has_parts = match self.only_action() {
            Some(Action::Single(Stage::MoraleCheck { .. } | Stage::PinTaskCheck)) => true,
            Some(action) if action.is_attack() && !action.fires_on() => true,
            Some(Action::Rally(rally)) => {
                !self.has_broken_leaders() && (rally.leader.is_some() || leaders.iter().any(leads))
            }
            Some(Action::Interdict(Interdict { escort: None, .. })) => true,
            Some(Action::Interdict(_)) => return None,
            _ if self.is_played_with_leaders() => false,
            _ => return None,
        };
        let has_classes = self.steps.iter().any(|step| {
            step.action.has_classes() || step.condition.as_ref().is_some_and(|test| test.counts())
        });
        // A Random Selection and the calls of all units matter for each (14.23).
        if self.report == Report::Stack
            || self.is_under_snipers()
            || self.choices.any()
            || all.len() == 1
            || has_classes
        {
            return None;
        }
        let (leading, others) = match self.only_action() {
            Some(Action::Interdict(_)) => (Vec::new(), all),
            _ => (leaders, others),
        };
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
        Some(Partition { leading, groups, has_parts })
    }

    /// Returns whether all effects between units of different groups go through the leaders or a
    /// call. That is not so by the alternative of interpretation I-20, in Interdicted hexes, nor in
    /// Close Combat.
    fn is_played_with_leaders(&self) -> bool {
        !self.rulebook.chooses(Switch::SelfRallyFirstOfAll)
            && self
                .steps
                .iter()
                .all(|step| !matches!(step.action, Action::Interdict(_) | Action::CloseCombat(_)))
    }

    /// Returns the most leaders to solve exactly: sampling more is quicker. In a Rally none rolls.
    fn most_leaders(&self) -> usize {
        let heats = usize::from(self.heat_of_battle());
        match self.only_action() {
            Some(Action::Single(Stage::MoraleCheck { .. } | Stage::PinTaskCheck)) => 4 - heats,
            Some(action) if action.is_attack() => 3 - heats,
            _ => usize::MAX,
        }
    }
}

fn sorted(places: &[usize], further: usize) -> Vec<usize> {
    let mut places = places.to_vec();
    places.push(further);
    places.sort();
    places
}

pub(super) fn starting_counter(member: &Member) -> String {
    let (fanatic, heroic) = (member.is(Condition::Fanatic), member.is(Condition::Heroic));
    with_lasting(member.printed().printed(), fanatic, heroic)
}
