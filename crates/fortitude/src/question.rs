//! A question that is complete, and words for its outcomes.

use super::battle::{Battle, Force, Outcome};
use super::choice::Policy;
use super::field::{Place, Side, Standing};
use super::kinds::Ask;
use super::level::{Status, Until};
use super::order::Order;
use super::rules::Rules;
use super::step::Step;
use super::unit::Member;
use engine::process::{self, End, Label, Limb, Limbs, Parts, Point};

/// Why units are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Morale,
    Flank,
    Rear,
    Casualties,
    StaffLost,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Test { cause: Cause, casualties: u8 },
    Recover { turns: u16, just_routed: bool },
    Fire { force: Option<Force>, by: Vec<Member>, by_order: Order, attacks: u8, turns: u16 },
    Assault { ways: Vec<Vec<Side>>, force: Option<Force>, turns: u16 },
    Sequence(Vec<Step>),
}

/// A question that can be answered.
#[derive(Clone, Debug)]
pub struct Question {
    pub(super) ask: Ask,
    pub(super) units: Vec<Member>,
    /// Units of the enemy that are played too.
    pub(super) enemies: Vec<Member>,
    /// In every turn.
    pub(super) order: Order,
    /// What each army chooses from in every turn.
    pub(super) orders: [Vec<Order>; 2],
    pub(super) staff_lost: [bool; 2],
    pub(super) until: Until,
    pub(super) joint: bool,
    pub(super) rules: Rules,
    pub(super) what: What,
    /// Policies that can make a difference.
    pub(super) policies: Vec<Policy>,
}

impl Question {
    /// What is asked.
    pub fn ask(&self) -> Ask {
        self.ask
    }

    /// The parameters.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All units, in order of slots.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.units.iter().chain(&self.enemies)
    }

    /// The unit of a 1-based slot.
    pub(super) fn member(&self, slot: u8) -> Option<&Member> {
        self.members().nth(usize::from(slot).checked_sub(1)?)
    }

    /// The number of Morale Phases the unit of a slot needs on average until it is Normal, if
    /// nothing else changes: the sum of 1/P over its levels as numerator and denominator, in lowest
    /// terms. Nothing where a test cannot be passed.
    pub fn expected_morale_phases(&self, slot: u8) -> Option<(u64, u64)> {
        self.member(slot)?;
        let battle = process::Question::whole(self);
        battle.expected_morale_phases(&battle.opening(), slot - 1)
    }

    /// The last point at which outcomes are noted.
    pub(super) fn last_point(&self) -> Point {
        match &self.what {
            What::Test { .. } => 0,
            What::Recover { turns, .. }
            | What::Fire { turns, .. }
            | What::Assault { turns, .. } => *turns,
            What::Sequence(steps) => {
                steps.iter().filter(|step| matches!(step, Step::Turn(_))).count() as Point
            }
        }
    }

    /// Whether nobody touches anybody else: such units can be worked out one by one.
    fn are_apart(&self) -> bool {
        let touched = self.members().any(|member| member.general_staff);
        let open = self.orders.iter().any(|orders| !orders.is_empty());
        !self.joint && !touched && !open && matches!(self.ask, Ask::Test | Ask::Recover | Ask::Fire)
    }

    /// A unit as it stands, in the notation; nothing once it is gone.
    fn counter(&self, slot: u8, standing: &Standing) -> Option<String> {
        let stands = matches!(standing.status, Status::At(_));
        self.member(slot)
            .filter(|_| stands)
            .map(|member| member.lasting(standing.casualties, standing.honor))
    }
}

impl process::Question for Question {
    type Process = Battle;

    fn whole(&self) -> Battle {
        self.battle(&(0..self.units.len() as Place).collect::<Vec<_>>())
    }

    /// Units that do not touch each other are worked out one by one.
    fn parts(&self) -> Parts<Battle> {
        match self.are_apart() {
            true => {
                let alone = (0..self.units.len() as Place).map(|place| self.battle(&[place]));
                Parts { processes: alone.collect(), rest: None }
            }
            false => Parts::whole(self.whole()),
        }
    }

    fn limbs(&self) -> Option<Limbs<Battle>> {
        let alone = |place: Place| Limb { process: self.battle(&[place]), slots: vec![place + 1] };
        let limbs = (0..self.units.len() as Place).map(alone).collect();
        self.are_apart().then_some(Limbs { common: None, limbs, lasting: false, parted: true })
    }

    /// Of a sequence, the step is the number of the turn.
    fn label(&self, point: Point, outcome: &Outcome) -> Label {
        let phase = (self.ask != Ask::Test).then_some(point);
        match outcome {
            Outcome::Unit(slot, standing) => {
                let unit = self.member(*slot).map(|member| member.lasting(0, false));
                let status = Some(standing.status.name());
                Label {
                    slot: Some(*slot),
                    unit,
                    phase,
                    status,
                    counter: self.counter(*slot, standing),
                    ..Label::default()
                }
            }
            Outcome::All(standings) => {
                let end = |(slot, standing): (u8, &Standing)| End {
                    slot,
                    status: standing.status.name(),
                    counter: self.counter(slot, standing),
                    wounded: None,
                };
                Label { phase, ..Label::of_all((1..).zip(standings).map(end).collect()) }
            }
        }
    }
}
