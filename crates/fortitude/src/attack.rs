//! Attacks: dice, hits, casualties; ranged fire and melee.

use super::battle::{Force, Playthrough, View};
use super::field::{Attack, AttackManner, Battlefield, By, Task, Test, TestCause, UnitIndex};
use super::order::Modifiers;
use super::rules::{ByMarkers, CasualtyTests, DamageRule, RetreatLeaves};
use super::status::Status;
use super::unit::UnitValue;
use engine::process::Log;
use engine::text::counted;

impl View<'_> {
    /// Returns the dice of the models left (none for fixed casualties), and the Attack Value.
    pub(super) fn dice(self, by: By, at: UnitIndex, manner: AttackManner) -> (u8, i8) {
        let place = match by {
            By::Unit(place) => place,
            By::Force(force) => match self.battle.force(force) {
                Force::Dice { dice, value } => return (dice, value),
                Force::Fixed(_) => return (0, 0),
            },
        };
        let (rules, unit, member) = (&self.battle.rules, self.unit(place), self.member(place));
        let cavalry = self.member(at).cavalry;
        let is_ranged = manner == AttackManner::Ranged;
        let order = if is_ranged { unit.order.firepower() } else { unit.order.modifiers().attack };
        let honor = if unit.honor { rules.honor_attack.0 } else { 0 };
        let staff = if self.is_near_staff(place) { rules.staff_near_attack.0 } else { 0 };
        let side = self.assault_bonus(place, By::Unit(at)).attack;
        let value =
            member.value(if cavalry { UnitValue::AttackCavalry } else { UnitValue::Attack });
        let value = value as i8 + order + side + honor + staff;
        (
            member.value(UnitValue::Dice) * self.models_left(place),
            self.by_level(value, unit.level, &rules.level_attack),
        )
    }

    fn assault_bonus(self, place: UnitIndex, foe: By) -> Modifiers {
        match self.unit(place).assaults {
            Some((whom, side)) if foe == By::Unit(whom) => self.battle.rules.assault_bonus(side),
            _ => Modifiers::default(),
        }
    }

    /// Returns the Defense Value of a unit against an attacker, at least `defense-floor`.
    pub(super) fn defense(self, by: By, place: UnitIndex) -> i8 {
        self.free_defense(by, place).max(self.battle.rules.defense_floor.0)
    }

    /// Returns the Defense Value before the floor, with the bonus against the unit it assaults.
    pub(super) fn free_defense(self, by: By, place: UnitIndex) -> i8 {
        let (rules, unit) = (&self.battle.rules, self.unit(place));
        let staff = if self.is_near_staff(place) { rules.staff_near_defense.0 } else { 0 };
        let side = self.assault_bonus(place, by).defense;
        let value = self.member(place).value(UnitValue::Defense) as i8;
        let defense = value + unit.order.modifiers().defense + side + staff;
        self.by_level(defense, unit.level, &rules.level_defense)
    }

    /// Applies the shift of a level, twice if routed units flee under `flee-order-stacks`.
    fn by_level(self, value: i8, level: Status, shifts: &ByMarkers<4, true>) -> i8 {
        let Some(shift) = shifts.0[level.markers()] else { return 0 };
        let twice = level.is_routed() && self.battle.rules.flee_order_stacks;
        value + if twice { 2 * shift } else { shift }
    }

    /// Returns the number of hits that costs a unit all its models. Further hits do not matter.
    pub(super) fn most_hits(self, Attack { by, at, .. }: Attack) -> u8 {
        let (models, defense) = (i16::from(self.models_left(at)), i16::from(self.defense(by, at)));
        let most = match self.battle.rules.damage_rule {
            DamageRule::Subtract => models + defense,
            DamageRule::Divide => models * defense.max(1),
            DamageRule::None => models,
        };
        most.clamp(1, u8::MAX.into()) as u8
    }

    /// Returns the casualties of an attack. Zero hits cause none, however low the Defense is.
    fn casualties(self, Attack { by, at, hits, .. }: Attack) -> u8 {
        let (hits, defense) = (i16::from(hits), i16::from(self.defense(by, at)));
        let casualties = match self.battle.rules.damage_rule {
            _ if hits == 0 => 0,
            DamageRule::Subtract => (hits - defense).max(0),
            DamageRule::Divide => hits / defense.max(1),
            DamageRule::None => hits,
        };
        casualties.min(self.models_left(at).into()) as u8
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Starts a ranged attack, unless the firer is Shaken, Panicked or has an order without fire.
    pub(super) fn fire(&mut self, by: By, at: UnitIndex) {
        let fires = |order| self.battle.rules.orders_that_fire.has(order);
        let may = by.unit().is_none_or(|place| fires(self.field.unit(place).order));
        if may && self.is_able(by) && self.field.unit(at).present {
            self.begin_attack(by, at, AttackManner::Ranged);
        }
    }

    /// Queues the dice of one attack unless they cannot hit, or applies its fixed casualties.
    fn begin_attack(&mut self, by: By, at: UnitIndex, manner: AttackManner) {
        let battle = self.battle;
        if let By::Force(force) = by
            && let Force::Fixed(casualties) = battle.force(force)
        {
            return self.strike(at, manner, casualties);
        }
        let (dice, value) = battle.view(self.field).dice(by, at, manner);
        if dice > 0 && value > 0 {
            self.field.tasks.push(Task::Attack(Attack { by, at, manner, left: dice, hits: 0 }));
        } else {
            self.log.note("Attack", || {
                let (attacker, dice) = (battle.attacker(by), counted(dice, "die"));
                format!("{attacker} with {dice} of {value} cannot hit")
            });
        }
    }

    pub(super) fn roll_attack(&mut self, mut attack: Attack, hit: bool) {
        let view = self.battle.view(self.field);
        attack.hits = (attack.hits + u8::from(hit)).min(view.most_hits(attack));
        attack.left -= 1;
        if attack.left > 0 {
            return self.field.tasks.push(Task::Attack(attack));
        }
        let casualties = view.casualties(attack);
        self.log.note("Attack", || {
            let Attack { by, at, hits, .. } = attack;
            let hits = match hits == view.most_hits(attack) {
                true => format!("{hits} or more hits"),
                false => counted(hits, "hit"),
            };
            let casualties = counted(casualties, "casualty");
            format!("{hits} against Defense {}: {casualties}", view.defense(by, at))
        });
        self.strike(attack.at, attack.manner, casualties);
    }

    /// Applies the casualties of an attack: at once for fire, after all attacks for melee.
    fn strike(&mut self, at: UnitIndex, manner: AttackManner, casualties: u8) {
        let casualties = casualties.min(self.battle.view(self.field).models_left(at));
        if casualties == 0 {
            return;
        }
        let per_attack = self.battle.rules.casualty_tests == CasualtyTests::PerAttack;
        let tests = if per_attack { 1 } else { casualties.into() };
        let new = if self.battle.rules.casualty_fortitude_permanent { 0 } else { casualties };
        let tests = std::iter::repeat_n(new, tests);
        if manner == AttackManner::Melee {
            let unit = self.field.unit_mut(at);
            unit.struck += casualties;
            unit.blows.extend(tests);
        } else if self.lose_models(at, casualties) == 0 {
            self.end(at, Status::Destroyed, manner);
        } else {
            push_casualty_tests(self.field, at, tests);
        }
    }

    fn lose_models(&mut self, place: UnitIndex, casualties: u8) -> u8 {
        let battle = self.battle;
        self.field.unit_mut(place).casualties += casualties;
        self.log.note("Attack", || {
            format!("{} suffers {}", battle.name(place), counted(casualties, "casualty"))
        });
        battle.view(self.field).models_left(place)
    }

    /// Starts the melee. All attacks are made before any casualty is removed.
    pub(super) fn melee(&mut self) {
        for place in self.field.places() {
            self.leave_melee(place, RetreatLeaves::BeforeMelee);
        }
        self.field.tasks.push(Task::Casualties);
        for place in self.field.places().rev() {
            let foes = self.field.unit(place).foes;
            for force in foes.forces().rev() {
                self.begin_attack(By::Force(force), place, AttackManner::Melee);
            }
        }
        for place in self.field.places().rev() {
            let unit = self.field.unit(place);
            let assaulted = unit.assaults.map(|(at, _)| at);
            // A unit strikes the one it assaults, otherwise its first opponent.
            let foe = assaulted.filter(|&at| unit.foes.has(By::Unit(at)));
            if let Some(foe) = foe.or_else(|| unit.foes.units().next()) {
                self.begin_attack(By::Unit(place), foe, AttackManner::Melee);
            }
        }
    }

    /// Removes the casualties of a melee together. A Panicked unit that is left surrenders.
    pub(super) fn take_casualties(&mut self) {
        let mut ends: Vec<(UnitIndex, Status)> = Vec::new();
        for place in self.field.places().rev() {
            let models = self.battle.view(self.field).models_left(place);
            let unit = self.field.unit_mut(place);
            let (level, blows) = (unit.level, std::mem::take(&mut unit.blows));
            let struck = std::mem::take(&mut unit.struck).min(models);
            if struck == 0 {
                continue;
            }
            match self.lose_models(place, struck) {
                0 => ends.push((place, Status::Destroyed)),
                _ if level == Status::Panicked => ends.push((place, Status::Surrendered)),
                _ => push_casualty_tests(self.field, place, blows.into_iter()),
            }
        }
        ends.sort_by_key(|&(place, end)| (end == Status::Surrendered, place));
        for (place, end) in ends {
            self.end(place, end, AttackManner::Melee);
        }
    }

    pub(super) fn hit_all(&mut self, casualties: u8) {
        self.field.tasks.push(Task::Casualties);
        for place in self.field.places().rev() {
            let unit = self.field.unit(place);
            let engaged = !unit.foes.is_empty();
            let manner = if engaged { AttackManner::Melee } else { AttackManner::Ranged };
            if unit.present {
                self.strike(place, manner, casualties);
            }
        }
    }
}

/// Queues a casualty test (C5) for each item of `tests`, the number of new casualties that count.
fn push_casualty_tests(
    field: &mut Battlefield,
    unit: UnitIndex,
    tests: impl DoubleEndedIterator<Item = u8>,
) {
    let test = |new| Task::Test(Test { unit, cause: TestCause::Casualties { new }, at: None });
    field.tasks.extend(tests.rev().map(test));
}
