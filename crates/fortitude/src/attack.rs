//! Attacks: dice, hits, casualties; ranged fire and melee.

use super::battle::{Battle, Force, Playthrough};
use super::field::{AttackManner, Battlefield, By, Task, TestCause, UnitIndex};
use super::order::Modifiers;
use super::rules::{ByMarkers, CasualtyTests, DamageRule, RetreatLeaves, Shift};
use super::status::Status;
use super::unit::UnitValue;
use engine::process::Log;
use engine::text::counted;

impl Battle {
    /// Returns the number of attack dice and the Attack Value against `at`, with the models the
    /// attacker has now. A force of fixed casualties has no dice.
    pub(super) fn attack(
        &self,
        field: &Battlefield,
        by: By,
        at: UnitIndex,
        manner: AttackManner,
    ) -> (u8, i8) {
        let place = match by {
            By::Unit(place) => place,
            By::Force(force) => match self.force(force) {
                Force::Dice { dice, value } => return (dice, value),
                Force::Fixed(_) => return (0, 0),
            },
        };
        let dice = self.member(place).value(UnitValue::Dice) * self.models_left(field, place);
        (dice, self.attack_value(field, place, at, manner))
    }

    /// Returns the Attack Value of a unit against `at`. It adds order, side of the assault, Honor
    /// Marker, General Staff and level to the value against infantry or cavalry.
    fn attack_value(
        &self,
        field: &Battlefield,
        place: UnitIndex,
        at: UnitIndex,
        manner: AttackManner,
    ) -> i8 {
        let (rules, unit) = (&self.rules, field.unit(place));
        let value =
            if self.member(at).cavalry { UnitValue::AttackCavalry } else { UnitValue::Attack };
        let order = match manner {
            AttackManner::Ranged => unit.order.firepower(),
            AttackManner::Melee => unit.order.modifiers().attack,
        };
        let honor = if unit.honor { rules.honor_attack.0 } else { 0 };
        let staff = if self.is_near_staff(field, place) { rules.staff_near_attack.0 } else { 0 };
        let side = self.assault_bonus(field, place, By::Unit(at)).attack;
        self.by_level(
            self.member(place).value(value) as i8 + order + side + honor + staff,
            unit.level,
            &rules.level_attack,
        )
    }

    /// Returns the bonuses of a unit for its assault on `foe`; none if it does not assault `foe`.
    fn assault_bonus(&self, field: &Battlefield, place: UnitIndex, foe: By) -> Modifiers {
        match field.unit(place).assaults {
            Some((whom, side)) if foe == By::Unit(whom) => self.rules.assault_bonus(side),
            _ => Modifiers::default(),
        }
    }

    /// Returns the Defense Value of a unit against an attacker, at least `defense-floor`.
    pub(super) fn defense(&self, field: &Battlefield, by: By, place: UnitIndex) -> i8 {
        self.free_defense(field, by, place).max(self.rules.defense_floor.0)
    }

    /// Returns the Defense Value before the floor. It includes order, level, General Staff, and the
    /// bonus against the unit that the defender assaults.
    pub(super) fn free_defense(&self, field: &Battlefield, by: By, place: UnitIndex) -> i8 {
        let (rules, unit) = (&self.rules, field.unit(place));
        let staff = if self.is_near_staff(field, place) { rules.staff_near_defense.0 } else { 0 };
        let defense = self.member(place).value(UnitValue::Defense) as i8
            + unit.order.modifiers().defense
            + self.assault_bonus(field, place, by).defense
            + staff;
        self.by_level(defense, unit.level, &rules.level_defense)
    }

    /// Applies the shift of a level to a value, twice if routed units flee under
    /// `flee-order-stacks`.
    fn by_level(&self, value: i8, level: Status, shifts: &ByMarkers<Shift, 4>) -> i8 {
        let shift = shifts.with_markers(level.markers());
        let once = shift.apply(value);
        if level.is_routed() && self.rules.flee_order_stacks { shift.apply(once) } else { once }
    }

    /// Returns the number of hits that costs a unit all its models. Further hits do not matter.
    pub(super) fn most_hits(&self, field: &Battlefield, by: By, at: UnitIndex) -> u8 {
        let (models, defense) = (self.models_left(field, at), self.defense(field, by, at));
        let most = match self.rules.damage_rule {
            DamageRule::Subtract => i16::from(models) + i16::from(defense),
            DamageRule::Divide => i16::from(models) * i16::from(defense.max(1)),
            DamageRule::None => i16::from(models),
        };
        most.clamp(1, u8::MAX.into()) as u8
    }

    /// Returns the casualties of a number of hits, at most the models left. Zero hits cause none,
    /// however low the Defense Value is.
    fn casualties(&self, field: &Battlefield, by: By, at: UnitIndex, hits: u8) -> u8 {
        let defense = self.defense(field, by, at);
        let casualties = match self.rules.damage_rule {
            _ if hits == 0 => 0,
            DamageRule::Subtract => (i16::from(hits) - i16::from(defense)).max(0),
            DamageRule::Divide => i16::from(hits) / i16::from(defense.max(1)),
            DamageRule::None => hits.into(),
        };
        casualties.min(self.models_left(field, at).into()) as u8
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
            return self.strike(at, manner, casualties.min(battle.models_left(self.field, at)));
        }
        let (dice, value) = battle.attack(self.field, by, at, manner);
        if dice > 0 && value > 0 {
            self.field.tasks.push(Task::Attack { by, at, manner, left: dice, hits: 0 });
        } else {
            self.log.note("Attack", || {
                let (attacker, dice) = (battle.attacker(by), counted(dice, "die"));
                format!("{attacker} with {dice} of {value} cannot hit")
            });
        }
    }

    pub(super) fn resolve_attack(&mut self, by: By, at: UnitIndex, manner: AttackManner, hits: u8) {
        let casualties = self.battle.casualties(self.field, by, at, hits);
        self.log.record(|| self.battle.hits_in_words(self.field, by, at, hits, casualties));
        self.strike(at, manner, casualties);
    }

    /// Applies the casualties of one attack: at once for fire, after all attacks for melee.
    fn strike(&mut self, at: UnitIndex, manner: AttackManner, casualties: u8) {
        if casualties == 0 {
            return;
        }
        let tests = match self.battle.rules.casualty_tests {
            CasualtyTests::PerAttack => 1,
            CasualtyTests::PerCasualty => casualties.into(),
        };
        let new = if self.battle.rules.casualty_fortitude_permanent { 0 } else { casualties };
        let tests = std::iter::repeat_n(new, tests);
        let unit = self.field.unit_mut(at);
        match manner {
            AttackManner::Melee => {
                unit.struck += casualties;
                unit.blows.extend(tests);
            }
            AttackManner::Ranged => {
                unit.casualties += casualties;
                self.log.record(|| self.battle.casualties_in_words(at, casualties));
                if self.battle.models_left(self.field, at) == 0 {
                    self.end(at, Status::Destroyed, manner);
                } else {
                    push_casualty_tests(self.field, at, tests);
                }
            }
        }
    }

    /// Starts the melee. All attacks are made before any casualty is removed.
    pub(super) fn melee(&mut self) {
        for place in self.field.places() {
            self.leave_melee(place, RetreatLeaves::BeforeMelee);
        }
        self.field.tasks.push(Task::Casualties);
        for place in self.field.places().rev() {
            let foes = self.field.unit(place).foes;
            for force in foes.forces().collect::<Vec<_>>().into_iter().rev() {
                self.begin_attack(By::Force(force), place, AttackManner::Melee);
            }
        }
        for place in self.field.places().rev() {
            if let Some(foe) = self.field.struck_by(place) {
                self.begin_attack(By::Unit(place), foe, AttackManner::Melee);
            }
        }
    }

    /// Removes the casualties of a melee together, at most the models each unit has. A unit without
    /// models is destroyed, a Panicked one surrenders, and the others are tested.
    pub(super) fn take_casualties(&mut self) {
        let mut ends: Vec<(UnitIndex, Status)> = Vec::new();
        for place in self.field.places().rev() {
            let left = self.battle.models_left(self.field, place);
            let unit = self.field.unit_mut(place);
            let (struck, blows) =
                (std::mem::take(&mut unit.struck).min(left), std::mem::take(&mut unit.blows));
            if struck == 0 {
                continue;
            }
            unit.casualties += struck;
            self.log.record(|| self.battle.casualties_in_words(place, struck));
            match unit.level {
                _ if struck == left => ends.push((place, Status::Destroyed)),
                Status::Panicked => ends.push((place, Status::Surrendered)),
                _ => push_casualty_tests(self.field, place, blows.into_iter()),
            }
        }
        ends.sort_by_key(|&(place, end)| (end == Status::Surrendered, place));
        for (place, end) in ends {
            self.end(place, end, AttackManner::Melee);
        }
    }

    /// Causes casualties for every unit at once, as melee casualties where a unit is engaged.
    pub(super) fn hit_all(&mut self, casualties: u8) {
        self.field.tasks.push(Task::Casualties);
        for place in self.field.places().rev() {
            let unit = self.field.unit(place);
            let engaged = !unit.foes.is_empty();
            let manner = if engaged { AttackManner::Melee } else { AttackManner::Ranged };
            if unit.present {
                let left = self.battle.models_left(self.field, place);
                self.strike(place, manner, casualties.min(left));
            }
        }
    }
}

/// Queues a casualty test (C5) for each item of `tests`, the number of new casualties that count.
fn push_casualty_tests(
    field: &mut Battlefield,
    place: UnitIndex,
    tests: impl DoubleEndedIterator<Item = u8>,
) {
    field.tasks.extend(tests.rev().map(|new| Task::Test {
        unit: place,
        check: TestCause::Casualties { new },
        at: None,
    }));
}
