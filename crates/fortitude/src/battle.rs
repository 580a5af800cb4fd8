//! The battle as a process: stages run in order, and queue tests, attack dice and choices.

use smallvec::SmallVec;

use super::field::{
    Army, Attack, AttackManner, Battlefield, By, Distance, Facing, Task, Test, TestCause, Unit,
    UnitIndex, UnitReport,
};
use super::order::Order;
use super::rules::{NaturalRolls, Rules};
use super::status::{Status, Until};
use super::unit::{Member, UnitValue};
use engine::dice::{Base, Dice, Face};
use engine::process::{Due, Event, Log, Player, Process, ReportIndex};
use engine::text::counted;

#[derive(Clone, Debug)]
pub(super) struct Fighter {
    pub member: Member,
    pub army: Army,
    /// The 1-based slot; the enemy's slots follow the owner's.
    pub slot: u8,
    /// True if the hexes the unit runs are counted, because a distance is given now or later.
    pub runs: bool,
}

/// An attacker that is not a unit of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Force {
    /// A fixed number of casualties in every attack.
    Fixed(u8),
    /// Attack dice and an Attack Value with all modifiers included.
    Dice { dice: u8, value: i8 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The Morale Phase, with a test (C1) for every unit that must make it.
    MoralePhase,
    /// The Planning Phase, with the order of each unit; `None` if its army chooses the order.
    Planning(Vec<Option<Order>>),
    /// One test of every unit, as if assaulted on that side.
    Test(Facing),
    /// Casualties for every unit, as melee casualties where a unit is engaged.
    Casualties(u8),
    /// An attack of ranged fire.
    Fire { by: By, at: UnitIndex },
    /// An assault. The enemy chooses one of `ways`; with `again`, only attackers in melee join.
    Assault { at: UnitIndex, ways: Vec<Vec<(By, Facing)>>, again: bool },
    /// The melee of all that are engaged.
    Melee,
    /// The loss of the General Staff of an army.
    StaffLost(Army),
    /// New distances of a unit to its General Staff, the nearest edge and its own edge.
    Place { unit: UnitIndex, to: [Distance; 3] },
    /// Flee, Panic, and Retreat out of melee; orders end.
    RetreatStep,
    /// A report of all units.
    Report(ReportIndex),
}

/// A battle as a process.
#[derive(Clone, Debug)]
pub struct Battle {
    pub(super) rules: Rules,
    pub(super) fighters: Vec<Fighter>,
    pub(super) forces: Vec<Force>,
    pub(super) stages: Vec<Stage>,
    /// The orders that the owner and the enemy choose from.
    pub(super) orders: [Vec<Order>; 2],
    pub(super) staff_lost: [bool; 2],
    pub(super) until: Until,
    pub(super) joint: bool,
}

/// The terms of a d20 roll. It succeeds on `at_most` or less, except for natural rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub at_most: i8,
    /// The natural rolls that decide a Fortitude Test.
    pub natural: NaturalRolls,
}

/// The outcome that one report observes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// One unit, by its 1-based slot.
    Unit(u8, UnitReport),
    /// All units, in order of slots.
    All(Vec<UnitReport>),
}

impl Outcome {
    /// Returns the reports with the 1-based slots of their units.
    pub fn reports(&self) -> impl Iterator<Item = (u8, &UnitReport)> {
        let (first, reports) = match self {
            Outcome::Unit(slot, report) => (*slot, std::slice::from_ref(report)),
            Outcome::All(reports) => (1, &reports[..]),
        };
        (first..).zip(reports)
    }
}

/// A sequence of a battle in progress: the rules change its field, and note what happens.
pub(super) struct Playthrough<'a, L> {
    pub battle: &'a Battle,
    pub field: &'a mut Battlefield,
    pub log: &'a mut L,
}

impl Battle {
    pub(super) fn fighter(&self, place: UnitIndex) -> &Fighter {
        &self.fighters[usize::from(place)]
    }

    pub(super) fn member(&self, place: UnitIndex) -> &Member {
        &self.fighter(place).member
    }

    pub(super) fn force(&self, force: u8) -> Force {
        self.forces[usize::from(force)]
    }

    /// Returns the battle of a single unit that is independent of the others.
    pub(super) fn alone(&self, place: UnitIndex) -> Battle {
        let stage = |stage: &Stage| match stage {
            &Stage::Fire { by, at } => (at == place).then_some(Stage::Fire { by, at: 0 }),
            other => Some(other.clone()),
        };
        let stages = self.stages.iter().filter_map(stage).collect();
        Battle { fighters: vec![self.fighter(place).clone()], stages, ..self.clone() }
    }

    pub(super) fn name(&self, place: UnitIndex) -> String {
        let fighter = self.fighter(place);
        let sort = fighter.member.sort.name;
        match self.fighters.len() {
            1 => sort.to_string(),
            _ => format!("{sort} [{}]", fighter.slot),
        }
    }

    pub(super) fn attacker(&self, by: By) -> String {
        match by {
            By::Unit(place) => self.name(place),
            By::Force(force) => match self.force(force) {
                Force::Dice { .. } => "an attack".to_string(),
                Force::Fixed(casualties) => {
                    format!("an attack for {}", counted(casualties, "casualty"))
                }
            },
        }
    }

    pub(super) const fn view<'a>(&'a self, field: &'a Battlefield) -> View<'a> {
        View { battle: self, field }
    }

    pub(super) fn opening(&self) -> Battlefield {
        let mut units: SmallVec<[Unit; 2]> =
            self.fighters.iter().map(|fighter| fighter.member.start.clone()).collect();
        for unit in &mut units {
            // A unit that begins Normal must leave that level before it can arrive there.
            if unit.level != Status::Normal {
                self.note_arrival(unit);
            }
        }
        Battlefield { stage: 0, units, staff_lost: self.staff_lost, tasks: SmallVec::new() }
    }
}

#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub battle: &'a Battle,
    pub field: &'a Battlefield,
}

impl<'a> View<'a> {
    pub(super) fn unit(self, place: UnitIndex) -> &'a Unit {
        self.field.unit(place)
    }

    pub(super) fn member(self, place: UnitIndex) -> &'a Member {
        &self.battle.fighter(place).member
    }

    pub(super) fn models_left(self, place: UnitIndex) -> u8 {
        self.member(place).value(UnitValue::Models).saturating_sub(self.unit(place).casualties)
    }

    pub(super) fn has_lost_staff(self, place: UnitIndex) -> bool {
        self.field.staff_lost[self.battle.fighter(place).army as usize]
    }

    /// Returns whether the unit's General Staff is alive and near. It is never near itself.
    pub(super) fn is_near_staff(self, place: UnitIndex) -> bool {
        let near = |hexes: u8| hexes as i8 <= self.battle.rules.staff_near_range.0;
        !self.has_lost_staff(place) && self.unit(place).staff.is_some_and(near)
    }

    /// Returns the modifiers of a test that are not 0, such as `base 10, Shaken -2`.
    fn sources_in_words(self, test: Test) -> String {
        let sources = self.fortitude_sources(test).into_iter();
        let words = sources.filter(|(modifier, _)| *modifier != 0).enumerate().map(
            |(place, (modifier, source))| match place {
                0 => format!("{source} {modifier}"),
                _ => format!("{source} {modifier:+}"),
            },
        );
        words.collect::<Vec<_>>().join(", ")
    }

    /// Returns the next task if it needs neither dice nor a choice, or if its unit is gone.
    fn idle_task(self) -> Option<Task> {
        let task = *self.field.tasks.last()?;
        let idle = match task {
            Task::Test(Test { unit, .. })
            | Task::Order(unit)
            | Task::Attack(Attack { at: unit, .. })
            | Task::Sides(unit) => !self.unit(unit).present,
            Task::Casualties => true,
        };
        idle.then_some(task)
    }
}

impl<L: Log> Playthrough<'_, L> {
    fn settle(&mut self) {
        loop {
            if self.field.units.iter().all(|unit| unit.settled.is_some()) {
                self.skip_to_report();
                return;
            }
            while let Some(task) = self.battle.view(self.field).idle_task() {
                self.field.tasks.pop();
                if task == Task::Casualties {
                    self.take_casualties();
                }
            }
            if !self.field.tasks.is_empty() {
                return;
            }
            match self.battle.stages.get(usize::from(self.field.stage)) {
                None | Some(Stage::Report(_)) => return,
                Some(stage) => {
                    self.field.stage += 1;
                    self.begin(stage);
                }
            }
        }
    }

    /// Skips to the next report. Every unit's outcome is settled, so nothing before it matters.
    fn skip_to_report(&mut self) {
        self.field.tasks.clear();
        self.field.staff_lost = self.battle.staff_lost;
        for unit in &mut self.field.units {
            *unit = unit.removed(unit.report());
        }
        let rest = self.battle.stages.iter().skip(self.field.stage.into());
        self.field.stage +=
            rest.take_while(|stage| !matches!(stage, Stage::Report(_))).count() as u16;
    }

    fn begin(&mut self, stage: &Stage) {
        match stage {
            Stage::MoralePhase => {
                let engaged_too = !self.battle.rules.morale_phase_requires_unengaged;
                self.test_units(TestCause::MoralePhase, |_, unit| {
                    unit.level != Status::Normal && (engaged_too || unit.foes.is_empty())
                });
            }
            Stage::Planning(plans) => self.plan(plans),
            Stage::Test(side) => self.test_units(TestCause::Assault(*side), |_, unit| {
                unit.order != Order::AllAroundDefense
            }),
            Stage::Casualties(casualties) => self.hit_all(*casualties),
            Stage::Fire { by, at } => self.fire(*by, *at),
            Stage::Assault { at, ways, again } => match &ways[..] {
                [attackers] => self.assault(*at, attackers, *again),
                _ => self.field.tasks.push(Task::Sides(*at)),
            },
            Stage::Melee => self.melee(),
            Stage::StaffLost(army) => self.lose_staff(*army),
            &Stage::Place { unit, to: [staff, edge, own_edge] } => {
                let unit = self.field.unit_mut(unit);
                if unit.present {
                    unit.staff = staff.or(unit.staff);
                    unit.own_edge = if edge.is_some() { own_edge } else { unit.own_edge };
                    unit.edge = edge.or(unit.edge);
                }
            }
            Stage::RetreatStep => self.retreat_step(),
            Stage::Report(_) => {}
        }
    }
}

impl Process for Battle {
    type State = Battlefield;
    type Terms = Terms;
    /// True for a passed test, or a hit.
    type Reading = bool;
    type Outcome = Outcome;
    const BASE: Base = Base::D20;

    fn start<L: Log>(&self, log: &mut L) -> Battlefield {
        let mut field = self.opening();
        Playthrough { battle: self, field: &mut field, log }.settle();
        field
    }

    #[inline]
    fn due(&self, field: &Battlefield) -> Due<Terms> {
        match field.tasks.last() {
            None => match self.stages.get(usize::from(field.stage)) {
                Some(&Stage::Report(point)) => Due::Report(point),
                _ => Due::Over,
            },
            Some(&Task::Order(unit)) => {
                let player = [Player::Owner, Player::Enemy][self.fighter(unit).army as usize];
                Due::Choice { player, options: self.orders_of(unit).count() }
            }
            Some(&Task::Sides(_)) => {
                Due::Choice { player: Player::Enemy, options: self.ways(field).len() }
            }
            Some(&Task::Attack(Attack { by, at, manner, .. })) => {
                let at_most = self.view(field).dice(by, at, manner).1;
                Due::Roll(Dice::OneOfD20Pool, Terms { at_most, natural: NaturalRolls::None })
            }
            Some(&Task::Test(test)) => Due::Roll(Dice::D20, self.view(field).test_terms(test)),
            Some(Task::Casualties) => Due::Over,
        }
    }

    /// Returns the number of finished turns.
    fn epoch(&self, field: &Battlefield) -> u32 {
        let before = self.stages.iter().take(field.stage.into());
        before.filter(|stage| matches!(stage, Stage::Report(_))).count() as u32
    }

    #[inline]
    fn read(&self, terms: &Terms, face: Face) -> bool {
        match (terms.natural, face.number()) {
            (NaturalRolls::OnePasses | NaturalRolls::Both, 1) => true,
            (NaturalRolls::TwentyFails | NaturalRolls::Both, 20) => false,
            (_, number) => number as i8 <= terms.at_most,
        }
    }

    fn apply<L: Log>(&self, field: &mut Battlefield, success: bool, log: &mut L) {
        let mut play = Playthrough { battle: self, field, log };
        match play.field.tasks.pop() {
            Some(Task::Test(test)) => play.resolve_test(test, success),
            Some(Task::Attack(attack)) => play.roll_attack(attack, success),
            _ => {}
        }
        play.settle();
    }

    fn choose<L: Log>(&self, field: &mut Battlefield, option: usize, log: &mut L) {
        let mut play = Playthrough { battle: self, field, log };
        match play.field.tasks.pop() {
            Some(Task::Order(unit)) => {
                let order = self.orders_of(unit).nth(option).unwrap_or_default();
                play.field.unit_mut(unit).order = order;
                play.log.note("Orders", || {
                    format!("{} gets the order {}", self.name(unit), order.name())
                });
            }
            Some(Task::Sides(at)) => {
                let attackers = self.ways(play.field).get(option).map_or(&[][..], Vec::as_slice);
                play.assault(at, attackers, false);
            }
            _ => {}
        }
        play.settle();
    }

    fn report(&self, field: &Battlefield, observe: &mut dyn FnMut(Outcome)) {
        if self.joint {
            return observe(Outcome::All(field.units.iter().map(Unit::report).collect()));
        }
        for (fighter, unit) in self.fighters.iter().zip(&field.units) {
            observe(Outcome::Unit(fighter.slot, unit.report()));
        }
    }

    fn pass<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        field.stage += 1;
        Playthrough { battle: self, field, log }.settle();
    }

    fn describe(&self, field: &Battlefield, terms: &Terms, face: Face) -> Event {
        let (view, number) = (self.view(field), face.number());
        match field.tasks.last() {
            Some(&Task::Attack(Attack { by, at, manner, .. })) => {
                let (dice, value) = view.dice(by, at, manner);
                let how = if manner == AttackManner::Melee { "in melee with" } else { "fires at" };
                let (by, at, dice) = (self.attacker(by), self.name(at), counted(dice, "die"));
                let text = format!("{by} {how} {at}, {dice} of {value}: {number}");
                Event { rule: "Attack", text }
            }
            Some(&Task::Test(test)) => {
                let (fortitude, sources) = (view.fortitude(test), view.sources_in_words(test));
                let result = if self.read(terms, face) { "passed" } else { "failed" };
                let name = self.name(test.unit);
                let head = format!("Fortitude Test of {name} at {fortitude} ({sources})");
                Event { rule: test.cause.rule(), text: format!("{head}: {number}, {result}") }
            }
            _ => Event { rule: "", text: String::new() },
        }
    }
}
