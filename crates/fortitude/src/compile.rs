//! Compiles a question to a battle: turns and events become stages.

use super::battle::{Battle, Fighter, Force, Plan, Stage};
use super::field::{Army, AttackManner, By, Facing, UnitIndex};
use super::order::Order;
use super::question::{Question, What};
use super::step::{Attackers, Step};
use super::unit::Member;
use super::values::Cause;
use engine::process::ReportIndex;

/// An attacker that causes no casualties, for an assault of which only the tests matter.
const NO_FIGHT: Force = Force::Fixed(0);

impl Question {
    /// Compiles the battle of all enemies and of the owner's units `places` (0-based indices).
    pub(super) fn battle(&self, places: &[UnitIndex]) -> Battle {
        let fighter = |army: Army| {
            move |(slot, member): (u8, &Member)| {
                let runs = self.runs(slot, member);
                Fighter { member: member.clone(), army, slot, runs }
            }
        };
        let own = places
            .iter()
            .filter_map(|&place| Some((place + 1, self.units.get(usize::from(place))?)));
        let enemies = (self.units.len() as u8 + 1..).zip(&self.enemies);
        let mut battle = Battle {
            rules: self.rules.clone(),
            fighters: own
                .map(fighter(Army::Owner))
                .chain(enemies.map(fighter(Army::Enemy)))
                .collect(),
            forces: Vec::new(),
            stages: Vec::new(),
            orders: self.orders.clone(),
            staff_lost: self.staff_lost,
            until: self.until,
            joint: self.joint,
        };
        battle.stages = match &self.what {
            What::Test { cause, casualties } => self.test(&battle, *cause, *casualties),
            What::Recover { turns, just_routed } => recover(*turns, *just_routed),
            What::Fire { attacks, turns, .. } => self.fire(&mut battle, *attacks, *turns),
            What::Assault { ways, force, turns } => self.assault(&mut battle, ways, *force, *turns),
            What::Sequence(steps) => self.sequence(&mut battle, steps),
        };
        battle
    }

    /// Builds the Planning Phase of a turn. `enemy` returns the plan of an enemy unit.
    fn planning(&self, battle: &Battle, enemy: impl Fn(UnitIndex) -> Plan) -> Stage {
        let own = if self.orders[0].is_empty() { Plan::Fixed(self.order) } else { Plan::Open };
        let plan = |(place, fighter): (UnitIndex, &Fighter)| match fighter.army {
            Army::Owner => own,
            Army::Enemy => enemy(place),
        };
        Stage::Planning((0..).zip(&battle.fighters).map(plan).collect())
    }

    fn enemy_plan(&self) -> Plan {
        if self.orders[1].is_empty() { Plan::Fixed(Order::None) } else { Plan::Open }
    }

    fn test(&self, battle: &Battle, cause: Cause, casualties: u8) -> Vec<Stage> {
        let event = match cause {
            Cause::Morale => return vec![Stage::MoralePhase, Stage::Report(0)],
            Cause::Flank => Stage::Test(Facing::Flank),
            Cause::Rear => Stage::Test(Facing::Rear),
            Cause::Casualties => Stage::Casualties(casualties),
            Cause::StaffLost => Stage::StaffLost(Army::Owner),
        };
        vec![self.planning(battle, |_| Plan::Fixed(Order::None)), event, Stage::Report(0)]
    }

    fn fire(&self, battle: &mut Battle, attacks: u8, turns: u16) -> Vec<Stage> {
        let places = 0..battle.fighters.len() as UnitIndex;
        let volleys: Vec<(UnitIndex, Vec<Force>)> =
            places.map(|place| (place, self.volley(battle, place))).collect();
        let mut fires = Vec::new();
        for (at, volley) in volleys {
            for _ in 0..attacks {
                for &force in &volley {
                    fires.push(Stage::Fire { by: battle.enlist(force), at });
                }
            }
        }
        let mut stages = Vec::new();
        for turn in 1..=turns {
            stages.extend((turn > 1).then_some(Stage::MoralePhase));
            stages.push(self.planning(battle, |_| Plan::Fixed(Order::None)));
            stages.extend(fires.iter().cloned());
            stages.extend([Stage::RetreatStep, Stage::Report(turn)]);
        }
        stages
    }

    /// Returns the attacks of one volley against a unit, one for each shooter. Shooters never
    /// change, so their dice and Attack Values are computed once.
    fn volley(&self, battle: &Battle, at: UnitIndex) -> Vec<Force> {
        let What::Fire { force, by, by_order, .. } = &self.what else { return Vec::new() };
        let of_unit = |member: &Member| {
            let mut pair = battle.clone();
            pair.fighters = vec![
                battle.fighter(at).clone(),
                Fighter { member: member.clone(), army: Army::Enemy, slot: 0, runs: false },
            ];
            let mut field = pair.opening();
            field.unit_mut(1).order = *by_order;
            let (dice, value) = pair.attack(&field, By::Unit(1), 0, AttackManner::Ranged);
            Force::Dice { dice, value }
        };
        force.iter().copied().chain(by.iter().map(of_unit)).collect()
    }

    /// Compiles an assault. A way with fewer sides than another leaves out the last attackers.
    fn assault(
        &self,
        battle: &mut Battle,
        ways: &[Vec<Facing>],
        force: Option<Force>,
        turns: u16,
    ) -> Vec<Stage> {
        let most = ways.iter().map(Vec::len).max().unwrap_or(0);
        let by: Vec<By> = match self.enemies.len() {
            0 => (0..most).map(|_| battle.enlist_anew(force.unwrap_or(NO_FIGHT))).collect(),
            units => (1..=units as UnitIndex).map(By::Unit).collect(),
        };
        let ways: Vec<Vec<(By, Facing)>> = ways
            .iter()
            .map(|sides| by.iter().copied().zip(sides.iter().copied()).collect())
            .collect();
        let mut stages = Vec::new();
        for turn in 1..=turns {
            let assaults = turn == 1 || self.rules.assault_each_turn;
            stages.extend((turn > 1).then_some(Stage::MoralePhase));
            stages.push(self.planning(battle, |_| {
                if assaults { Plan::Fixed(Order::Assault) } else { self.enemy_plan() }
            }));
            stages.extend(assaults.then(|| Stage::Assault {
                at: 0,
                ways: ways.clone(),
                again: turn > 1,
            }));
            stages.extend(end_of_turn(turn));
        }
        stages
    }

    fn sequence(&self, battle: &mut Battle, steps: &[Step]) -> Vec<Stage> {
        // `Foes` has bits for few forces, so forces that may stay in melee get the first numbers.
        let engaged: Vec<Vec<(By, Facing)>> =
            steps.iter().map(|step| battle.enlist_assault(step)).collect();
        let mut stages = Vec::new();
        let mut turn: ReportIndex = 0;
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::Turn(orders) => {
                    if turn > 0 {
                        stages.extend(end_of_turn(turn));
                    }
                    turn += 1;
                    let of_turn = steps[number + 1..]
                        .iter()
                        .take_while(|step| !matches!(step, Step::Turn(_)));
                    let plans = self.plans(battle, orders, of_turn.collect());
                    stages.extend([Stage::MoralePhase, Stage::Planning(plans)]);
                }
                Step::Fire { at, by, attacks } => {
                    let by: Vec<By> = match by {
                        Attackers::Units(units) => units.iter().copied().map(By::Unit).collect(),
                        Attackers::Force(force) => vec![battle.enlist(*force)],
                    };
                    for _ in 0..*attacks {
                        stages.extend(
                            at.iter()
                                .flat_map(|&at| by.iter().map(move |&by| Stage::Fire { by, at })),
                        );
                    }
                }
                Step::Assault { at, .. } => {
                    stages.push(Stage::Assault {
                        at: *at,
                        ways: vec![engaged[number].clone()],
                        again: false,
                    });
                }
                Step::StaffLost(army) => stages.push(Stage::StaffLost(*army)),
                Step::Place { unit, staff, edges } => {
                    stages.push(Stage::Place { unit: *unit, staff: *staff, edges: *edges })
                }
            }
        }
        stages.extend(end_of_turn(turn));
        stages
    }

    /// Returns the plan of each unit for one turn of a sequence: its named order, Assault for an
    /// attacker, otherwise a choice or no order.
    fn plans(
        &self,
        battle: &Battle,
        named: &[(UnitIndex, Order)],
        of_turn: Vec<&Step>,
    ) -> Vec<Plan> {
        let assaults = |place: UnitIndex| {
            let by_unit = |step: &&&Step| match step {
                Step::Assault { by: Attackers::Units(units), .. } => units.contains(&place),
                _ => false,
            };
            of_turn.iter().find(by_unit).is_some()
        };
        let plan = |(place, fighter): (UnitIndex, &Fighter)| match named
            .iter()
            .find(|(other, _)| *other == place)
        {
            Some(&(_, order)) => Plan::Fixed(order),
            None if assaults(place) => Plan::Fixed(Order::Assault),
            None if self.orders[fighter.army as usize].is_empty() => Plan::Fixed(Order::None),
            None => Plan::Open,
        };
        (0..).zip(&battle.fighters).map(plan).collect()
    }
}

fn recover(turns: u16, just_routed: bool) -> Vec<Stage> {
    let turns =
        (1..=turns).flat_map(|turn| [Stage::MoralePhase, Stage::RetreatStep, Stage::Report(turn)]);
    just_routed.then_some(Stage::RetreatStep).into_iter().chain(turns).collect()
}

fn end_of_turn(turn: ReportIndex) -> [Stage; 3] {
    [Stage::Melee, Stage::RetreatStep, Stage::Report(turn)]
}

impl Battle {
    /// Adds a force and returns its number. Equal forces share one number.
    fn enlist(&mut self, force: Force) -> By {
        let known = self.forces.iter().position(|&other| other == force);
        known.map_or_else(|| self.enlist_anew(force), |place| By::Force(place as u8))
    }

    /// Adds a force with a number of its own, even if an equal one exists.
    fn enlist_anew(&mut self, force: Force) -> By {
        self.forces.push(force);
        By::Force(self.forces.len() as u8 - 1)
    }

    fn enlist_assault(&mut self, step: &Step) -> Vec<(By, Facing)> {
        match step {
            Step::Assault { by: Attackers::Units(units), sides, .. } => {
                units.iter().copied().map(By::Unit).zip(sides.iter().copied()).collect()
            }
            Step::Assault { by: Attackers::Force(force), sides, .. } => {
                sides.iter().map(|&side| (self.enlist_anew(*force), side)).collect()
            }
            _ => Vec::new(),
        }
    }
}
