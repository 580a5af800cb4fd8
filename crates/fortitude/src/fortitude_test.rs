//! Current Fortitude and the effects of a Fortitude Test.

use super::battle::{Battle, Playthrough, Reading, Terms};
use super::field::{AttackManner, Battlefield, Facing, Stance, TestCause, UnitIndex};
use super::rules::{PanickedFail, TestRule};
use super::status::Status;
use super::unit::UnitValue;
use engine::dice::{Dice, Face};
use engine::exact::Fraction;
use engine::process::{Log, Process as _};

impl TestCause {
    /// Returns the number of the check in the trace, `C1` to `C6`.
    pub const fn rule(self) -> &'static str {
        match self {
            TestCause::MoralePhase => "C1",
            TestCause::Assault(Facing::Rear) => "C3",
            TestCause::Assault(_) => "C2",
            TestCause::Casualties { .. } => "C5",
            TestCause::StaffLost => "C6",
        }
    }
}

impl Battle {
    /// Returns whether the unit's General Staff is alive and near. It is never near itself.
    pub(super) fn is_near_staff(&self, field: &Battlefield, place: UnitIndex) -> bool {
        let near = |hexes: u8| hexes as i8 <= self.rules.staff_near_range.0;
        !field.staff_lost[self.fighter(place).army as usize]
            && field.unit(place).staff.is_some_and(near)
    }

    /// Returns the modifiers of a Fortitude Test with their sources, including those that are 0. An
    /// order counts from the Planning Phase on, so not in the Morale Phase (C1).
    pub(super) fn fortitude_sources(
        &self,
        field: &Battlefield,
        place: UnitIndex,
        check: TestCause,
        at: Stance,
    ) -> impl Iterator<Item = (i8, &'static str)> {
        let (rules, member, unit) = (&self.rules, self.member(place), field.unit(place));
        let Stance { level, order, assaults } = at;
        let when = |holds: bool, modifier: i8| if holds { modifier } else { 0 };
        let of_level = rules.level_fortitude.with_markers(level.markers());
        let casualties = match check {
            _ if rules.casualty_fortitude_permanent => unit.casualties,
            TestCause::Casualties { new } => new,
            _ => 0,
        };
        let planned = check != TestCause::MoralePhase;
        let stacks = planned && level.is_routed() && rules.flee_order_stacks;
        let assault = assaults.map_or(0, |side| rules.assault_bonus(side).fortitude);
        let lost =
            when(field.staff_lost[self.fighter(place).army as usize], rules.staff_lost_penalty.0);
        let of_check = match check {
            TestCause::Assault(Facing::Flank) => (rules.flank_penalty.0, "flank"),
            TestCause::Assault(Facing::Rear) => (rules.rear_penalty.0, "rear"),
            TestCause::StaffLost if rules.staff_loss_test_stacks => {
                (lost, "General Staff lost just now")
            }
            _ => (0, ""),
        };
        [
            (member.value(UnitValue::Base) as i8, "base"),
            (of_level, level.title()),
            (when(stacks, of_level), "Flee or Panic"),
            (rules.casualty_fortitude.0.saturating_mul(casualties as i8), "casualties"),
            (when(member.has_commander(), rules.commander_bonus.0), "Commander"),
            (when(unit.honor, rules.honor_bonus.0), "Honor"),
            (
                when(self.is_near_staff(field, place), rules.staff_near_fortitude.0),
                "General Staff near",
            ),
            (lost, "General Staff lost"),
            (when(planned, order.modifiers().fortitude), order.name()),
            (rules.fatigue_fortitude.with_markers(usize::from(member.fatigue)), "fatigue"),
            (assault, "assault"),
            of_check,
        ]
        .into_iter()
    }

    /// Returns the terms of a test with the unit's values `at`, or with its current ones if that is
    /// `None`. A Fortitude below 0 has the same effect as 0.
    pub(super) fn test_terms(
        &self,
        field: &Battlefield,
        place: UnitIndex,
        check: TestCause,
        at: Option<Stance>,
    ) -> Terms {
        let at = at.unwrap_or(field.unit(place).stance());
        let sum: i16 = self
            .fortitude_sources(field, place, check, at)
            .map(|(modifier, _)| i16::from(modifier))
            .sum();
        let fortitude = sum.clamp(-100, 100) as i8;
        let at_most = match self.rules.test_rule {
            TestRule::AtMost => fortitude,
            TestRule::Below => fortitude - 1,
        };
        Terms::Test { fortitude, at_most, natural: self.rules.natural_rolls }
    }

    /// Returns how a Panicked unit surrenders after a failed test, or `None` if it stays. It always
    /// surrenders to an assault. `panicked-melee-fail` decides for an engaged unit that loses its
    /// General Staff (C6). `panicked-nonmelee-fail` decides all else, even tests for casualties in
    /// melee (C5), which come after the fighting.
    fn manner_of_surrender(
        &self,
        field: &Battlefield,
        place: UnitIndex,
        check: TestCause,
    ) -> Option<AttackManner> {
        let engaged = !field.unit(place).foes.is_empty();
        let (decides, manner) = match check {
            TestCause::Assault(_) => return Some(AttackManner::Melee),
            TestCause::StaffLost if engaged => {
                (self.rules.panicked_melee_fail, AttackManner::Melee)
            }
            _ => (self.rules.panicked_nonmelee_fail, AttackManner::Ranged),
        };
        (decides == PanickedFail::Surrender).then_some(manner)
    }

    /// Returns the expected number of Morale Phases until a unit is Normal, if nothing else
    /// changes. It is the sum of 20/F over the unit's levels, where F of 20 faces pass. Numerator
    /// and denominator are in lowest terms. The result is `None` if a test cannot be passed.
    pub(super) fn expected_morale_phases(
        &self,
        field: &Battlefield,
        place: UnitIndex,
    ) -> Option<(u64, u64)> {
        let (mut numerator, mut denominator) = (0, 1);
        let mut level = field.unit(place).level;
        while level != Status::Normal {
            let at = Stance { level, ..field.unit(place).stance() };
            let terms = self.test_terms(field, place, TestCause::MoralePhase, Some(at));
            let passes = |&face: &Face| self.read(&terms, face) == Reading::Success;
            let passing = Dice::D20.all().filter(passes).count() as u128;
            (numerator, denominator) =
                (numerator * passing + 20 * denominator, denominator * passing);
            level = level.better();
        }
        let sum = (denominator > 0).then(|| Fraction::new(numerator, denominator))?;
        Some((sum.numerator as u64, sum.denominator as u64))
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Applies the result of a test. A passed Morale Phase test (C1) removes a Morale Marker. A
    /// failure of any other test adds some, or may make a Panicked unit surrender.
    pub(super) fn resolve_test(&mut self, place: UnitIndex, check: TestCause, reading: Reading) {
        let level = self.field.unit(place).level;
        match (check, reading) {
            (TestCause::MoralePhase, Reading::Success) => {
                self.set_level(place, level.better(), "C1")
            }
            (TestCause::MoralePhase, Reading::Failure) | (_, Reading::Success) => {}
            (_, Reading::Failure) if level != Status::Panicked => {
                self.set_level(
                    place,
                    level.worse(self.battle.rules.fail_adds.0 as u8),
                    check.rule(),
                );
            }
            _ => match self.battle.manner_of_surrender(self.field, place, check) {
                Some(manner) => self.end(place, Status::Surrendered, manner),
                None => self
                    .log
                    .note(check.rule(), || format!("{} stays Panicked", self.battle.name(place))),
            },
        }
    }
}
