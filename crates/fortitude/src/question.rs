//! A checked question: its process, the labels of its outcomes, and what answers say about it.

use super::Fortitude;
use super::battle::{Battle, Fighter, Force, Outcome, Stage};
use super::choice::{Policy, STAND, numbered};
use super::field::{Army, Battlefield, Facing, Test, TestCause, Unit, UnitIndex, UnitReport};
use super::kinds::{Fields, QuestionKind, UNITS};
use super::notation::Cause;
use super::order::Order;
use super::status::{Status, Until};
use super::unit::{Member, UnitValue};
use answer::{
    Answerable, CountedUnit, Factors, InitialUnit, Provenance, QuestionDetails, QuestionFacts,
    QuestionInfo, QuestionTexts, SharedSetting, Success, UnitInClass,
};
use engine::dice::Dice;
use engine::exact::Fraction;
use engine::process::{
    self, Factor, Factorization, IndependentUnit, Label, Parts, Player, Process as _, ReportIndex,
    UnitEnding,
};
use engine::text::counted;
use play::{Game as _, Playable};
use schema::kind::measures;
use schema::roster::joined;
use schema::{Group, Rules as _, UnitEnd, Whole, Word as _};

measures! {
    /// The objectives a player can have.
    pub(super) const MEASURES;
    /// The value of each measure for one unit.
    struct Amounts;
    survives = "survives", 1.0, "P(survives)", "expected number of units that survive",
        "expected survivors";
    ready = "ready", 1.0, "P(Normal or Hesitant)",
        "expected number of units that are Normal or Hesitant",
        "expected units that are Normal or Hesitant";
    normal = "normal", 1.0, "P(Normal)", "expected number of units that are Normal",
        "expected Normal units";
    models = "models", 1.0, "expected models left", "expected models left", "expected models",
        WITHOUT_END;
    destroys = "destroys", 1.0, "P(the enemy is destroyed)",
        "expected number of enemies destroyed", "expected enemies destroyed";
}

const WITHOUT_END: (f64, f64) = (0.0, f64::INFINITY);

const OTHERS: &str = "enemy ";

/// A complete, checked question.
#[derive(Clone, Debug)]
pub struct Question {
    pub(super) ask: QuestionKind,
    pub(super) head: Fields,
    pub(super) battle: Battle,
    /// The dice or fixed casualties that attack instead of units.
    pub(super) force: Option<Force>,
    pub(super) policies: Vec<Policy>,
}

impl Question {
    /// Returns all units in order of slots: the owner's, then the enemy's.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.battle.fighters.iter().map(|fighter| &fighter.member)
    }

    pub(super) fn units(&self) -> &[Member] {
        self.head.units.as_ref().map_or(&[], |units| &units.0)
    }

    /// Returns the enemy's units. Units that only fire take no part in the battle.
    pub(super) fn enemies(&self) -> &[Member] {
        match self.ask {
            QuestionKind::Assault => &self.head.by.0,
            QuestionKind::Sequence => &self.head.enemies.0,
            QuestionKind::Test | QuestionKind::Recover | QuestionKind::Fire => &[],
        }
    }

    pub(super) fn fighter(&self, slot: u8) -> Option<&Fighter> {
        self.battle.fighters.get(usize::from(slot).checked_sub(1)?)
    }

    pub(super) fn army(&self, slot: u8) -> Army {
        if usize::from(slot) <= self.units().len() { Army::Owner } else { Army::Enemy }
    }

    pub(super) fn by_order(&self) -> Order {
        self.head.by_order.unwrap_or(Order::FireRangedWeapons)
    }

    /// Returns the ways in which the unit is assaulted, by default in front by every attacker.
    pub(super) fn ways(&self) -> Vec<Vec<Facing>> {
        let in_front = || vec![vec![Facing::Front; self.head.by.0.len().max(1)]];
        self.head.sides.as_ref().map_or_else(in_front, |ways| ways.0.clone())
    }

    /// Returns the expected Morale Phases until the unit in a 1-based slot is Normal, as a fraction
    /// in lowest terms: the sum over its levels of 20/F, where F of 20 faces pass, as if nothing
    /// else changed. The result is `None` for an unknown slot, or if a test cannot be passed.
    pub fn expected_morale_phases(&self, slot: u8) -> Option<(u64, u64)> {
        let (battle, cause) = (&self.battle, TestCause::MoralePhase);
        let mut stance = self.fighter(slot)?.member.start.stance();
        let (mut numerator, mut denominator) = (0, 1);
        while stance.level != Status::Normal {
            let test = Test { unit: slot - 1, cause, at: Some(stance) };
            let terms = battle.view(&battle.opening()).test_terms(test);
            let faces = Dice::D20.all().filter(|&face| battle.read(&terms, face)).count() as u128;
            (numerator, denominator) = (numerator * faces + 20 * denominator, denominator * faces);
            stance.level = stance.level.better();
        }
        let sum = (denominator > 0).then(|| Fraction::new(numerator, denominator))?;
        Some((sum.numerator as u64, sum.denominator as u64))
    }

    pub(super) fn last_point(&self) -> ReportIndex {
        if let Some(&Stage::Report(point)) = self.battle.stages.last() { point } else { 0 }
    }

    fn are_independent(&self) -> bool {
        !self.battle.joint
            && !self.members().any(|member| member.general_staff)
            && self.battle.orders.iter().all(Vec::is_empty)
            && matches!(self.ask, QuestionKind::Test | QuestionKind::Recover | QuestionKind::Fire)
    }

    fn in_words(&self) -> String {
        let mut words = format!("{} {}", joined(self.units()), self.event_words());
        if self.head.order != Order::None {
            words += &format!(", order {}", self.head.order.name());
        }
        for (orders, prefix) in self.battle.orders.iter().zip(["orders", "enemy orders"]) {
            let names: Vec<&str> = orders.iter().map(|order| order.name()).collect();
            if !names.is_empty() {
                words += &format!(", {prefix} {}", names.join(" or "));
            }
        }
        for (lost, prefix) in self.battle.staff_lost.into_iter().zip(["", "the enemy's "]) {
            words += &if lost { format!(", {prefix}General Staff lost") } else { String::new() };
        }
        if self.head.until != Until::Never {
            words += &format!(", until {}", self.head.until.name());
        }
        words
    }

    fn event_words(&self) -> String {
        let turns = counted(self.last_point(), "turn");
        match (self.ask, self.head.cause) {
            (_, Some(Cause::Morale)) => "in the Morale Phase".to_string(),
            (_, Some(Cause::Flank)) => "assaulted on a flank".to_string(),
            (_, Some(Cause::Rear)) => "assaulted in the rear".to_string(),
            (_, Some(Cause::Casualties)) => {
                format!("after {}", counted(self.head.casualties.map_or(1, Whole::u8), "casualty"))
            }
            (_, Some(Cause::StaffLost)) => "when the General Staff is lost".to_string(),
            (QuestionKind::Test | QuestionKind::Recover, None) => match self.head.just_routed {
                true => format!("just routed, over {turns}"),
                false => format!("over {turns}"),
            },
            (QuestionKind::Fire, None) => {
                let who = self.force.map_or_else(
                    || format!("{} ({})", joined(&self.head.by.0), self.by_order().name()),
                    force_in_words,
                );
                let times = match self.head.attacks.u8() {
                    1 => String::new(),
                    attacks => format!(" {attacks} times a turn"),
                };
                format!("under fire of {who}{times}, {turns}")
            }
            (QuestionKind::Assault, None) => {
                let who = match self.force {
                    _ if !self.enemies().is_empty() => joined(self.enemies()),
                    Some(force @ Force::Dice { .. }) => {
                        format!("{} from each side", force_in_words(force))
                    }
                    Some(force) => force_in_words(force),
                    None => "nobody in particular".to_string(),
                };
                let names =
                    |way: Vec<Facing>| way.into_iter().map(Facing::name).collect::<Vec<_>>();
                let ways: Vec<String> =
                    self.ways().into_iter().map(|way| names(way).join(", ")).collect();
                format!("assaulted ({}) by {who}, {turns}", ways.join(" or "))
            }
            (QuestionKind::Sequence, None) => match self.enemies() {
                [] => format!("in a sequence of {turns}"),
                enemies => format!("against {} in a sequence of {turns}", joined(enemies)),
            },
        }
    }

    fn counts(&self, group: &Group, slot: u8) -> bool {
        (self.army(slot) == Army::Owner) == (group.name == UNITS.name)
    }

    /// Returns the notes on all units, each once. `at_start` adds how long recovery takes.
    fn all_notes(&self, at_start: bool) -> Vec<String> {
        let several = self.battle.fighters.len() > 1;
        let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
        for (slot, member) in (1..).zip(self.units()) {
            for text in self.notes_of(slot, member, at_start) {
                match grouped.iter_mut().find(|(other, _)| *other == text) {
                    Some((_, slots)) => slots.push(slot.to_string()),
                    None => grouped.push((text, vec![slot.to_string()])),
                }
            }
        }
        let in_words = |(text, slots): (String, Vec<String>)| match &slots[..] {
            _ if !several => format!("the unit {text}"),
            [slot] => format!("unit {slot} {text}"),
            [first @ .., last] => format!("each of units {} and {last} {text}", first.join(", ")),
            [] => text,
        };
        let mut notes: Vec<String> = grouped.into_iter().map(in_words).collect();
        notes.extend(match (self.ask, self.enemies().len()) {
            (QuestionKind::Assault, 0) if self.force.is_none() => {
                Some("no unit fights: only the tests before the melee are made".to_string())
            }
            (QuestionKind::Assault, 2..) => {
                Some("the unit attacks its first remaining enemy".to_string())
            }
            _ => None,
        });
        notes
    }

    fn notes_of(&self, slot: u8, member: &Member, at_start: bool) -> Vec<String> {
        let Unit { level, staff, edge, ref foes, .. } = member.start;
        let tested = foes.is_empty() || !self.battle.rules.morale_phase_requires_unengaged;
        let recovers = self.ask == QuestionKind::Recover;
        let runs = staff.is_some() || edge.is_some();
        let averages = at_start && recovers && tested && !runs && level != Status::Normal;
        let average = averages.then(|| match self.expected_morale_phases(slot) {
            Some((n, d)) => {
                let phases = n as f64 / d as f64;
                format!("is Normal after {n}/{d} = {phases:.3} Morale Phases on average")
            }
            None => "can never become Normal: a test cannot be passed".to_string(),
        });
        let ordered = self.head.order != Order::None;
        let unordered =
            (ordered && level.is_routed()).then(|| format!("is {level}: it gets no order"));
        let all_around = self.head.order == Order::AllAroundDefense && !level.is_routed();
        let untested = match self.head.cause {
            Some(Cause::Morale) if level == Status::Normal => {
                Some("is Normal: it makes no test in the Morale Phase")
            }
            cause if (recovers || cause == Some(Cause::Morale)) && !tested => {
                Some("is engaged: it makes no test in the Morale Phase")
            }
            Some(Cause::Flank | Cause::Rear) if all_around => {
                Some("has neither flank nor rear in All-Around Defense: it makes no test")
            }
            _ => None,
        };
        [average, unordered, untested.map(str::to_string)].into_iter().flatten().collect()
    }

    fn runners(&self) -> Vec<u8> {
        let runners = self.battle.fighters.iter().filter(|fighter| fighter.runs);
        runners.map(|fighter| fighter.slot).collect()
    }

    /// Returns the factorisation, in which each unit is alone; `None` if units affect each other.
    pub fn factorization(&self) -> Option<Factorization<IndependentUnit<Battle>>> {
        if !self.are_independent() {
            return None;
        }
        let factors = (1..)
            .zip(process::Question::parts(self).processes)
            .map(|(slot, battle)| Factor { process: IndependentUnit(battle), slots: vec![slot] });
        Some(Factorization {
            common: None,
            factors: factors.collect(),
            is_lasting: false,
            has_parts: true,
        })
    }
}

impl process::Question for Question {
    type Process = Battle;

    fn whole(&self) -> Battle {
        self.battle.clone()
    }

    fn parts(&self) -> Parts<Battle> {
        if !self.are_independent() {
            return Parts::whole(self.whole());
        }
        let places = 0..self.battle.fighters.len() as UnitIndex;
        let alone = places.map(|place| self.battle.alone(place));
        Parts { processes: alone.collect(), rest: None }
    }

    /// Labels an outcome. Its phase is the number of the turn; a single test has none.
    fn label(&self, point: ReportIndex, outcome: &Outcome) -> Label {
        let end = |(slot, report): (u8, &UnitReport)| UnitEnding {
            slot,
            status: report.status.name(),
            counter: self
                .fighter(slot)
                .filter(|_| !report.status.is_gone())
                .map(|fighter| fighter.member.lasting(report.casualties, report.honor)),
            wounded: None,
        };
        let label = match outcome {
            Outcome::Unit(slot, report) => {
                let unit = self.fighter(*slot).map(|fighter| fighter.member.lasting(0, false));
                Label::of_unit(unit, end((*slot, report)))
            }
            Outcome::All(_) => Label::of_all(outcome.reports().map(end).collect()),
        };
        Label { phase: (self.ask != QuestionKind::Test).then_some(point), ..label }
    }
}

fn force_in_words(force: Force) -> String {
    match force {
        Force::Fixed(1) => "1 casualty an attack".to_string(),
        Force::Fixed(casualties) => format!("{casualties} casualties an attack"),
        Force::Dice { dice, value } => format!("{} at {value}", counted(dice, "die")),
    }
}

impl QuestionInfo for Question {
    fn facts(&self) -> QuestionFacts {
        let is_test = self.ask == QuestionKind::Test;
        let words = if is_test { "Normal" } else { "Normal after the last turn" };
        QuestionFacts {
            units: self.units().len() as u8,
            others: OTHERS,
            points: (!is_test).then_some("turn"),
            last_point: self.last_point(),
            is_joint: self.battle.joint,
            ..QuestionFacts::new(self.ask.declared(), Success::of_unit(&["normal"], words))
        }
    }

    fn texts(&self) -> QuestionTexts {
        QuestionTexts {
            in_words: self.in_words(),
            notes: self.all_notes(true),
            uncertain: self.assumptions(),
        }
    }

    fn details(&self) -> QuestionDetails {
        QuestionDetails {
            notes_on_the_way: Some(self.all_notes(false)),
            shared_settings: vec![SharedSetting::system(Fortitude.name())],
            ..QuestionDetails::default()
        }
    }

    fn provenance(&self) -> Provenance {
        Provenance::of_system(Fortitude.name(), self.battle.rules.changed())
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let Fighter { member, army, .. } = self.fighter(slot)?;
        let side = if *army == Army::Owner { "" } else { OTHERS };
        Some(InitialUnit {
            notation: format!("{side}{member}"),
            name: format!("{side}{}", member.lasting(0, false)),
            counter: Some(member.lasting(member.start.casualties, member.start.honor)),
            wounded: false,
        })
    }

    fn quantities(&self) -> Vec<String> {
        let fighters = &self.battle.fighters;
        let one = fighters.len() == 1;
        let lost = fighters.iter().map(|fighter| match one {
            true => "models lost".to_string(),
            false => format!("models lost of unit {}", fighter.slot),
        });
        let runs = self.runners().into_iter().map(|slot| match one {
            true => "hexes run in Retreat Steps".to_string(),
            false => format!("hexes unit {slot} runs in Retreat Steps"),
        });
        lost.chain(runs).collect()
    }
}

impl Answerable for Question {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        let unit = |fighter: &Fighter| CountedUnit {
            slot: fighter.slot,
            parts: self.counts(group, fighter.slot).into(),
            holds: !fighter.member.start.level.is_routed(),
        };
        self.battle.fighters.iter().map(unit).collect()
    }

    fn counted(
        &self,
        group: &Group,
        _: Option<&UnitEnd>,
        outcome: &Outcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        for (slot, report) in outcome.reports().filter(|(slot, _)| self.counts(group, *slot)) {
            observe(UnitInClass {
                slot,
                status: report.status.name(),
                parts: 1,
                created: false,
                ends_so: false,
            });
        }
    }

    fn slot(&self, outcome: &Outcome) -> Option<u8> {
        let Outcome::Unit(slot, _) = outcome else { return None };
        Some(*slot)
    }

    fn amounts(&self, point: ReportIndex, outcome: &Outcome, observe: &mut dyn FnMut(usize, i64)) {
        if point != self.last_point() {
            return;
        }
        let units = self.battle.fighters.len();
        let runners = self.runners();
        for (slot, report) in outcome.reports() {
            observe(usize::from(slot) - 1, report.casualties.into());
            if let Some(place) = runners.iter().position(|&runner| runner == slot) {
                observe(units + place, report.hexes.into());
            }
        }
    }

    fn factors(&self) -> Option<Box<dyn Factors<Outcome>>> {
        Some(Box::new(self.factorization()?))
    }
}

impl Playable for Question {
    fn policies(&self) -> Vec<play::Policy> {
        numbered(self.policies.iter().copied())
    }

    fn option(
        &self,
        policy: usize,
        process: &Battle,
        state: &Battlefield,
        _: Player,
        _: usize,
    ) -> usize {
        process.option_of(self.policies.get(policy).map_or(STAND, |(name, _)| name), state)
    }

    fn ending(&self, point: ReportIndex, outcome: &Outcome) -> Option<(u8, Vec<f64>)> {
        let Outcome::Unit(slot, UnitReport { status, casualties, .. }) = outcome else {
            return None;
        };
        if point != self.last_point() {
            return None;
        }
        let Fighter { member, army, .. } = self.fighter(*slot)?;
        let models = member.value(UnitValue::Models);
        let amounts = match army {
            Army::Enemy => Amounts { destroys: status.is_gone().into(), ..Amounts::default() },
            Army::Owner => Amounts {
                survives: (!status.is_gone()).into(),
                ready: (*status <= Status::Hesitant).into(),
                normal: (*status == Status::Normal).into(),
                models: (models - casualties).into(),
                destroys: 0.0,
            },
        };
        Some((*slot, amounts.in_order()))
    }
}
