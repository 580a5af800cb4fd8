//! A checked question, its parameters and the labels of its outcomes.

use super::battle::{Battle, Force, Outcome};
use super::choice::Policy;
use super::field::{Facing, UnitIndex, UnitReport};
use super::kinds::QuestionKind;
use super::level::{Status, Until};
use super::order::Order;
use super::rules::Rules;
use super::step::Step;
use super::unit::Member;
use super::values::Cause;
use engine::process::{
    self, Factor, Factorization, IndependentUnit, Label, Parts, ReportIndex, UnitEnding,
};

/// The event a question asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Test { cause: Cause, casualties: u8 },
    Recover { turns: u16, just_routed: bool },
    Fire { force: Option<Force>, by: Vec<Member>, by_order: Order, attacks: u8, turns: u16 },
    Assault { ways: Vec<Vec<Facing>>, force: Option<Force>, turns: u16 },
    Sequence(Vec<Step>),
}

/// A complete, checked question.
#[derive(Clone, Debug)]
pub struct Question {
    pub(super) ask: QuestionKind,
    pub(super) units: Vec<Member>,
    pub(super) enemies: Vec<Member>,
    pub(super) order: Order,
    /// The orders that the owner and the enemy choose from in every turn; empty without a choice.
    pub(super) orders: [Vec<Order>; 2],
    pub(super) staff_lost: [bool; 2],
    pub(super) until: Until,
    pub(super) joint: bool,
    pub(super) rules: Rules,
    pub(super) what: What,
    /// Policies that can make a difference to the answer.
    pub(super) policies: Vec<Policy>,
}

impl Question {
    /// Returns the kind of the question.
    pub fn ask(&self) -> QuestionKind {
        self.ask
    }

    /// Returns the rule parameters of the question.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns all units in order of slots: the owner's, then the enemy's.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.units.iter().chain(&self.enemies)
    }

    /// Returns the unit in a 1-based slot, or `None` if the slot is unknown.
    pub(super) fn member(&self, slot: u8) -> Option<&Member> {
        self.members().nth(usize::from(slot).checked_sub(1)?)
    }

    /// Returns the expected number of Morale Phases until the unit in a 1-based slot is Normal.
    ///
    /// The calculation assumes that nothing else changes. It sums 1/P(pass) over the unit's levels
    /// and returns numerator and denominator in lowest terms. The result is `None` for an unknown
    /// slot, or if a test cannot be passed.
    pub fn expected_morale_phases(&self, slot: u8) -> Option<(u64, u64)> {
        self.member(slot)?;
        let battle = process::Question::whole(self);
        battle.expected_morale_phases(&battle.opening(), slot - 1)
    }

    pub(super) fn last_point(&self) -> ReportIndex {
        match &self.what {
            What::Test { .. } => 0,
            What::Recover { turns, .. }
            | What::Fire { turns, .. }
            | What::Assault { turns, .. } => *turns,
            What::Sequence(steps) => {
                steps.iter().filter(|step| matches!(step, Step::Turn(_))).count() as ReportIndex
            }
        }
    }

    /// Returns whether the units are independent, so that each can be solved alone.
    fn are_independent(&self) -> bool {
        let touched = self.members().any(|member| member.general_staff);
        let open = self.orders.iter().any(|orders| !orders.is_empty());
        !self.joint
            && !touched
            && !open
            && matches!(self.ask, QuestionKind::Test | QuestionKind::Recover | QuestionKind::Fire)
    }

    /// Returns the notation of a unit in its present state, or `None` once the unit is gone.
    fn counter(&self, slot: u8, report: &UnitReport) -> Option<String> {
        let remains = matches!(report.status, Status::At(_));
        self.member(slot)
            .filter(|_| remains)
            .map(|member| member.lasting(report.casualties, report.honor))
    }
}

impl process::Question for Question {
    type Process = Battle;
    type Factor = IndependentUnit<Battle>;

    fn whole(&self) -> Battle {
        self.battle(&(0..self.units.len() as UnitIndex).collect::<Vec<_>>())
    }

    /// Gives each independent unit a process of its own.
    fn parts(&self) -> Parts<Battle> {
        match self.are_independent() {
            true => {
                let alone = (0..self.units.len() as UnitIndex).map(|place| self.battle(&[place]));
                Parts { processes: alone.collect(), rest: None }
            }
            false => Parts::whole(self.whole()),
        }
    }

    fn factorization(&self) -> Option<Factorization<IndependentUnit<Battle>>> {
        let alone = |place: UnitIndex| {
            let process = IndependentUnit(self.battle(&[place]));
            Factor { process, slots: vec![place + 1] }
        };
        let factors = (0..self.units.len() as UnitIndex).map(alone).collect();
        self.are_independent().then_some(Factorization {
            common: None,
            factors,
            is_lasting: false,
            has_parts: true,
        })
    }

    /// Labels an outcome. Its phase is the number of the turn; a single test has none.
    fn label(&self, point: ReportIndex, outcome: &Outcome) -> Label {
        let end = |(slot, report): (u8, &UnitReport)| UnitEnding {
            slot,
            status: report.status.name(),
            counter: self.counter(slot, report),
            wounded: None,
        };
        let label = match outcome {
            Outcome::Unit(slot, report) => {
                let unit = self.member(*slot).map(|member| member.lasting(0, false));
                Label::of_unit(unit, end((*slot, report)))
            }
            Outcome::All(reports) => Label::of_all((1..).zip(reports).map(end).collect()),
        };
        Label { phase: (self.ask != QuestionKind::Test).then_some(point), ..label }
    }
}
