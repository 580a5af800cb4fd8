//! A checked question, its parameters and the labels of its outcomes.

use super::battle::{Battle, Fighter, Force, Outcome, Stage};
use super::choice::Policy;
use super::field::{Army, Facing, Test, TestCause, UnitIndex, UnitReport};
use super::kinds::{Fields, QuestionKind};
use super::order::Order;
use super::status::Status;
use super::unit::Member;
use engine::dice::Dice;
use engine::exact::Fraction;
use engine::process::{
    self, Factor, Factorization, IndependentUnit, Label, Parts, Process as _, ReportIndex,
    UnitEnding,
};

/// A complete, checked question.
#[derive(Clone, Debug)]
pub struct Question {
    pub(super) ask: QuestionKind,
    pub(super) head: Fields,
    pub(super) battle: Battle,
    /// The dice or fixed casualties that attack instead of units.
    pub(super) force: Option<Force>,
    /// Policies that can make a difference to the answer.
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

    /// Returns the unit in a 1-based slot with its army, or `None` if the slot is unknown.
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

    /// Returns the expected number of Morale Phases until the unit in a 1-based slot is Normal.
    ///
    /// The calculation assumes that nothing else changes. It sums 20/F over the levels of the unit,
    /// where F of 20 faces pass, and returns numerator and denominator in lowest terms. The result
    /// is `None` for an unknown slot, or if a test cannot be passed.
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

    /// Returns whether the units are independent, so that each can be solved alone.
    fn are_independent(&self) -> bool {
        !self.battle.joint
            && !self.members().any(|member| member.general_staff)
            && self.battle.orders.iter().all(Vec::is_empty)
            && matches!(self.ask, QuestionKind::Test | QuestionKind::Recover | QuestionKind::Fire)
    }
}

impl process::Question for Question {
    type Process = Battle;
    type Factor = IndependentUnit<Battle>;

    fn whole(&self) -> Battle {
        self.battle.clone()
    }

    /// Gives each independent unit a process of its own.
    fn parts(&self) -> Parts<Battle> {
        if !self.are_independent() {
            return Parts::whole(self.whole());
        }
        let places = 0..self.battle.fighters.len() as UnitIndex;
        let alone = places.map(|place| self.battle.alone(place));
        Parts { processes: alone.collect(), rest: None }
    }

    fn factorization(&self) -> Option<Factorization<IndependentUnit<Battle>>> {
        if !self.are_independent() {
            return None;
        }
        let factors = (1..)
            .zip(self.parts().processes)
            .map(|(slot, battle)| Factor { process: IndependentUnit(battle), slots: vec![slot] });
        Some(Factorization {
            common: None,
            factors: factors.collect(),
            is_lasting: false,
            has_parts: true,
        })
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
