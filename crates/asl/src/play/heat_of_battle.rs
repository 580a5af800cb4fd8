//! Heat of Battle (15.1 - 15.5): effects of an Original 2 on a MC or a led Rally attempt.

use smallvec::SmallVec;

use super::engagement::{Engagement, Play, PlayView};
use crate::catalogue::{Class, CounterKind, Hardening};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::vocabulary::{Condition, Conditions, Fall, Heat, HeatRoll, Task, Unit, UnitIndex};
use engine::process::Log;

pub(super) type Sources = SmallVec<[(&'static str, i8); 6]>;

impl Engagement {
    /// Returns whether an Original 2 causes Heat of Battle (15.1): not for heroes, crews, unarmed
    /// or berserk units, and twice in one attack as I-27 says. A heroic leader can still Battle
    /// Harden, unless the rulebook treats it as a hero (15.21).
    pub(super) fn can_be_heated(&self, unit: &Unit) -> bool {
        if !self.heat_of_battle {
            return false;
        }
        let exempt = matches!(self.counter(unit).kind, CounterKind::Hero | CounterKind::Crew)
            || (unit.is(Condition::Heroic) && self.chooses(Switch::HeroicExemptFromHeat))
            || unit.conditions.has_any(Condition::Unarmed, Condition::Berserk)
            || unit.is(Condition::Heated);
        unit.is_present() && !exempt
    }
}

impl PlayView<'_> {
    /// Returns the DRM of a Heat of Battle roll (15.1). A unit broken by the same Original 2 counts
    /// as broken (I-41). I-52 says whether led Green troops are Inexperienced (A19.3).
    pub(super) fn heat_sources(self, place: UnitIndex, was_broken: bool) -> Sources {
        let unit = self.unit(place);
        let counter = self.counter(unit);
        let broken = was_broken
            || (unit.is(Condition::Broken) && !self.chooses(Switch::HeatBrokenBeforeOnly));
        let green = counter.class == Class::Green
            && (self.chooses(Switch::LedGreenInexperienced) || !self.is_led(place));
        let nation = match counter.nation {
            Nation::British => ("British", -1),
            Nation::Finnish => ("Finnish", -1),
            Nation::French => ("French", 1),
            Nation::Partisan => ("Partisan", 1),
            Nation::Russian => ("Russian", 2),
            Nation::AxisMinor => ("Axis Minor", 3),
            Nation::Italian => ("Italian", 3),
            Nation::German | Nation::GermanSs | Nation::American | Nation::Any => ("", 0),
        };
        let sources = [
            ("elite", -i8::from(counter.class == Class::Elite)),
            nation,
            ("NKVD", -i8::from(counter.nkvd)),
            ("broken", i8::from(broken)),
            (
                "Inexperienced",
                i8::from(!counter.kind.is_smc() && (counter.class == Class::Conscript || green)),
            ),
        ];
        sources.into_iter().filter(|(_, drm)| *drm != 0).collect()
    }

    /// Returns whether an unbroken leader is with the unit (A19.3).
    fn is_led(self, place: UnitIndex) -> bool {
        let leads = |&other: &UnitIndex| {
            let unit = self.unit(other);
            unit.leads && !unit.is(Condition::Broken) && self.are_together(place, other)
        };
        self.lent_leader().is_some() || self.location.present().any(|other| leads(&other))
    }

    /// Returns the DRM and limits of the Heat of Battle DR of the unit (15.1, 15.5).
    pub(super) fn heat_roll(self, place: UnitIndex, was_broken: bool) -> HeatRoll {
        let unit = self.unit(place);
        let counter = self.counter(unit);
        let wavers = matches!(counter.nation, Nation::Italian | Nation::AxisMinor)
            && counter.class != Class::Elite;
        HeatRoll {
            drm: self.heat_sources(place, was_broken).iter().map(|(_, drm)| drm).sum(),
            surrenders_from: if wavers { 10 } else { 12 },
            never_surrenders: self.never_surrenders(unit),
            known_enemy: self.scene.known_enemy,
        }
    }

    /// Returns whether the unit can follow a berserk leader (15.41). Heroes cannot.
    fn can_be_swept_away(self, place: UnitIndex) -> bool {
        let unit = self.unit(place);
        unit.is_present() && !unit.is(Condition::Berserk) && !self.is_hero(unit)
    }

    /// Returns whether the unit takes the NTC for a berserk leader (15.41, interpretation I-45).
    pub(super) fn takes_berserk_check(self, place: UnitIndex) -> bool {
        let spared = self.unit(place).is(Condition::Broken)
            && self.chooses(Switch::BrokenSparedBerserkCheck);
        !spared && self.can_be_swept_away(place)
    }
}

impl<L: Log> Play<'_, L> {
    /// Applies a result of the Heat of Battle table (15.1). Interpretation I-44 gives the order of
    /// two results. Heroic leaders neither go berserk nor surrender (15.2). I-42 says whether a
    /// leader that broke by the same DR, and recovered, still causes LLTC.
    pub(super) fn resolve_heat(&mut self, place: UnitIndex, was_broken: bool, heat: Heat) {
        let just_broke = self.location.unit(place).is(Condition::Broken) && !was_broken;
        if self.chooses(Switch::HeatOnlyOnce) {
            self.location.unit_mut(place).conditions.set(Condition::Heated);
        }
        match heat {
            Heat::Berserk | Heat::Surrender if self.is_hero(self.location.unit(place)) => {}
            Heat::Hero => self.create_hero(place),
            Heat::HeroAndHardening if self.chooses(Switch::HardeningFirst) => {
                self.battle_harden(place);
                self.create_hero(place);
            }
            Heat::HeroAndHardening => {
                self.create_hero(place);
                self.battle_harden(place);
            }
            Heat::Hardening => self.battle_harden(place),
            Heat::Berserk => self.go_berserk(place),
            Heat::Surrender => self.surrender(place),
        }
        let is_up = !self.location.unit(place).is(Condition::Broken);
        if just_broke && is_up && self.chooses(Switch::NoLltcForRestored) {
            self.location.losses.retain(|loss| loss.leader != place || loss.fall != Fall::Broke);
        }
    }

    /// Creates a hero (15.21), Fanatic like its MMC (10.8). A leader becomes heroic and recovers.
    fn create_hero(&mut self, place: UnitIndex) {
        let maker = *self.location.unit(place);
        let kind = self.counter(&maker).kind;
        if kind.is_smc() {
            self.location.unit_mut(place).conditions.set(Condition::Heroic);
            self.note_unit("15.21", place, "becomes heroic");
            self.restore(place);
            return;
        }
        let mut conditions = maker.conditions;
        conditions.keep_only(Conditions::from_array([Condition::Fanatic]));
        if self.chooses(Switch::NewHeroExempt) {
            conditions.set(Condition::Newcomer);
        }
        let hero = Unit {
            counter: self.roster.hero_of(self.counter(&maker).nation),
            elr: maker.elr,
            leads: false,
            conditions,
        };
        if let Some(hero) = self.location.appear(hero, place) {
            self.note("15.21", |now| format!("a hero appears: {}", now.name(hero)));
        }
    }

    /// Battle Hardens the unit (15.3). It is replaced by the next better one or becomes Fanatic,
    /// and recovers. Commissars stay as they are, or become Fanatic by interpretation I-21.
    fn battle_harden(&mut self, place: UnitIndex) {
        let unit = *self.location.unit(place);
        match self.counter(&unit).hardening {
            Hardening::To(better) => {
                self.note("15.3", |now| {
                    let better = now.roster[better].printed();
                    format!("{} Battle Hardens to {better}", now.name(place))
                });
                self.location.unit_mut(place).counter = better;
            }
            Hardening::Exempt if !self.is_commissar(&unit) => return,
            Hardening::Exempt if !self.chooses(Switch::CommissarTurnsFanatic) => {
                return self.note_unit("25.22", place, "does not Battle Harden");
            }
            Hardening::Fanatic | Hardening::Exempt => {
                self.note_unit("15.3", place, "becomes Fanatic");
                self.location.unit_mut(place).conditions.set(Condition::Fanatic);
            }
        }
        self.restore(place);
    }

    /// Restores the unit (15.21, 15.3, 15.4): unbroken, unpinned, not Disrupted, its rout over.
    fn restore(&mut self, place: UnitIndex) {
        self.location.unit_mut(place).recover();
        self.end_rout(place);
    }

    /// Makes the unit berserk (15.4). After a leader the other units take a NTC (15.41). A
    /// Commissar makes them berserk without a check (A25.22).
    fn go_berserk(&mut self, place: UnitIndex) {
        self.turn_berserk(place);
        match self.now().kind(place) {
            CounterKind::Commissar => {
                for other in self.location.places() {
                    if self.now().are_together(other, place) && self.now().can_be_swept_away(other)
                    {
                        self.turn_berserk(other);
                    }
                }
            }
            CounterKind::Leader => {
                for unit in self.now().checking_order().into_iter().rev() {
                    if unit != place && self.now().are_together(unit, place) {
                        self.location.push(Task::BerserkCheck { unit, leader: place });
                    }
                }
            }
            _ => {}
        }
    }

    fn turn_berserk(&mut self, place: UnitIndex) {
        let conditions = &mut self.location.unit_mut(place).conditions;
        conditions.set(Condition::Berserk);
        conditions.clear(Condition::Concealed);
        self.restore(place);
        self.note_unit("15.4", place, "goes berserk");
    }

    /// Makes a unit that has passed the NTC berserk too (15.41). A leader causes no further NTC,
    /// unless by interpretation I-46. A Commissar makes all units berserk (A25.22).
    pub(super) fn follow_berserk(&mut self, place: UnitIndex) {
        if self.is_commissar(self.location.unit(place)) || self.chooses(Switch::SweptLeaderSweeps) {
            self.go_berserk(place);
        } else {
            self.turn_berserk(place);
        }
    }

    /// Makes the unit surrender (15.5): it breaks and is Disrupted, or is captured by an ADJACENT
    /// enemy that takes prisoners. An unbroken leader causes a LLTC, unless I-48 says otherwise.
    fn surrender(&mut self, place: UnitIndex) {
        self.note_unit("15.5", place, "surrenders");
        let rank = self.now().rank(place);
        let unit = self.location.unit_mut(place);
        let breaks = !unit.is(Condition::Broken);
        unit.break_down();
        unit.conditions.set(Condition::Disrupted);
        self.end_rout(place);
        if breaks && !self.chooses(Switch::NoLltcForSurrender) {
            self.note_fall(place, Fall::Broke, rank);
        }
        if self.scene.captor {
            self.location.capture(place);
            self.note_unit("15.5", place, "is captured");
        }
    }
}
