//! Current Fortitude and the effects of a Fortitude Test.

use super::battle::{Playthrough, Terms, View};
use super::field::{AttackManner, Facing, Stance, Test, TestCause};
use super::rules::{PanickedFail, TestRule};
use super::status::Status;
use super::unit::UnitValue;
use engine::process::Log;

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

impl View<'_> {
    /// Returns the modifiers of a test with their sources. Orders do not count in a Morale Phase.
    pub(super) fn fortitude_sources(self, test: Test) -> [(i8, &'static str); 12] {
        let Test { unit: place, cause, at } = test;
        let (rules, member, unit) = (&self.battle.rules, self.member(place), self.unit(place));
        let Stance { level, order, assaults } = at.unwrap_or_else(|| unit.stance());
        let when = |holds: bool, modifier: i8| if holds { modifier } else { 0 };
        let of_level = rules.level_fortitude.0[level.markers()].unwrap_or(0);
        let casualties = match cause {
            _ if rules.casualty_fortitude_permanent => unit.casualties,
            TestCause::Casualties { new } => new,
            _ => 0,
        };
        let planned = cause != TestCause::MoralePhase;
        let stacks = planned && level.is_routed() && rules.flee_order_stacks;
        let assault = assaults.map_or(0, |(_, side)| rules.assault_bonus(side).fortitude);
        let near = when(self.is_near_staff(place), rules.staff_near_fortitude.0);
        let lost = when(self.has_lost_staff(place), rules.staff_lost_penalty.0);
        let fatigue = rules.fatigue_fortitude.0[usize::from(member.fatigue)].unwrap_or(0);
        let of_cause = match cause {
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
            (near, "General Staff near"),
            (lost, "General Staff lost"),
            (when(planned, order.modifiers().fortitude), order.name()),
            (fatigue, "fatigue"),
            (assault, "assault"),
            of_cause,
        ]
    }

    /// Returns the Fortitude in a test. Below 0 it has the same effect as 0.
    pub(super) fn fortitude(self, test: Test) -> i8 {
        let modifiers = self.fortitude_sources(test).map(|(modifier, _)| i16::from(modifier));
        modifiers.iter().sum::<i16>().clamp(-100, 100) as i8
    }

    pub(super) fn test_terms(self, test: Test) -> Terms {
        let at_most = match self.battle.rules.test_rule {
            TestRule::AtMost => self.fortitude(test),
            TestRule::Below => self.fortitude(test) - 1,
        };
        Terms { at_most, natural: self.battle.rules.natural_rolls }
    }

    /// Returns how a Panicked unit surrenders after a failed test, or `None` if it stays. Tests for
    /// casualties in melee (C5) count as tests outside it, since they come after the fighting.
    fn manner_of_surrender(self, test: Test) -> Option<AttackManner> {
        let (rules, engaged) = (&self.battle.rules, !self.unit(test.unit).foes.is_empty());
        let (decides, manner) = match test.cause {
            TestCause::Assault(_) => return Some(AttackManner::Melee),
            TestCause::StaffLost if engaged => (rules.panicked_melee_fail, AttackManner::Melee),
            _ => (rules.panicked_nonmelee_fail, AttackManner::Ranged),
        };
        (decides == PanickedFail::Surrender).then_some(manner)
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Applies the result of a test. Only one in the Morale Phase (C1) removes a Morale Marker.
    pub(super) fn resolve_test(&mut self, test: Test, passed: bool) {
        let (battle, rule) = (self.battle, test.cause.rule());
        let level = self.field.unit(test.unit).level;
        match test.cause {
            TestCause::MoralePhase if passed => self.set_level(test.unit, level.better(), rule),
            TestCause::MoralePhase => {}
            _ if passed => {}
            _ if level != Status::Panicked => {
                self.set_level(test.unit, level.worse(battle.rules.fail_adds.count()), rule);
            }
            _ => match battle.view(self.field).manner_of_surrender(test) {
                Some(manner) => self.end(test.unit, Status::Surrendered, manner),
                None => {
                    self.log.note(rule, || format!("{} stays Panicked", battle.name(test.unit)));
                }
            },
        }
    }
}
