//! Casualty MC, Casualty Reduction, wounds and Replacement (10.31, 7.302, 17, 19.1 - 19.13).

use super::engagement::Engagement;
use crate::catalogue::{CounterId, CounterKind, Replacement};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::vocabulary::location::{Fall, LeaderLoss, LocationState, Rank, Task};
use crate::vocabulary::unit::{Condition, UnitIndex, Wording};
use engine::process::{Event, Log};

impl Engagement {
    /// Applies a Casualty MC: an Original 12 on a Morale Check (10.31).
    pub(super) fn casualty_morale_check<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        elr_failure: bool,
        log: &mut L,
    ) {
        let unit = *location.unit(place);
        let kind = self.counter(&unit).kind;
        log.record(|| Event {
            rule: "10.31",
            text: format!("Casualty MC for {}", self.name(location, place)),
        });
        if self.is_hero(&unit) {
            // A wounded hero is eliminated without a dr (15.2).
            if unit.is(Condition::Wounded) {
                self.lose(location, place, "15.2", log);
            } else {
                self.wound(location, place, 1, log);
            }
        } else if unit.is(Condition::Berserk) && kind.is_smc() {
            self.wound(location, place, 1, log);
        } else if unit.is(Condition::Broken)
            || unit.is(Condition::Berserk)
            || unit.is(Condition::Unarmed)
        {
            self.lose(location, place, "10.31", log);
        } else if kind.is_smc() {
            let rank = self.rank(location, place);
            if elr_failure {
                self.replace(location, place, "19.1", log);
            }
            self.break_unit(location, place, log);
            self.wound_broken_by(location, place, rank, log);
        } else if kind == CounterKind::Squad {
            self.reduce_and_break(location, place, elr_failure, log);
        } else {
            self.lose(location, place, "10.31", log);
        }
    }

    /// Reduces an unbroken squad to one broken half-squad (10.31). After an ELR failure the
    /// half-squad is of the lower class (19.13).
    fn reduce_and_break<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        elr_failure: bool,
        log: &mut L,
    ) {
        let unit = *location.unit(place);
        let counter = self.counter(&unit);
        let mut half_squad = counter.half_squad;
        let mut disrupted = false;
        if elr_failure {
            match counter.replacement {
                Replacement::By(lower) => half_squad = self.roster[lower].half_squad,
                Replacement::TwoHalfSquads(_) => {
                    half_squad = counter.lesser_half_squad.or(half_squad);
                    disrupted = counter.lesser_half_squad.is_none()
                        && !self.rulebook.chooses(Switch::UnderlinedNotDisrupted);
                }
                Replacement::Disrupted => {
                    disrupted = !self.rulebook.chooses(Switch::LowestSquadNotDisrupted)
                }
                Replacement::BrokenOnly | Replacement::Immune => {}
            }
        }
        if let Some(half_squad) = half_squad {
            log.record(|| {
                let cause = if elr_failure { "ELR failure: " } else { "" };
                let remains = self.roster[half_squad].printed();
                Event {
                    rule: "7.302",
                    text: format!("{cause}{} is Reduced to {remains}", self.name(location, place)),
                }
            });
            location.unit_mut(place).counter = half_squad;
        }
        self.break_unit(location, place, log);
        if disrupted {
            self.disrupt(location, place, log);
        }
    }

    /// Applies a Casualty Reduction (7.302). A squad becomes its half-squad, a half-squad or crew
    /// is eliminated, an SMC is wounded. A wounded hero rolls for severity again, or dies by the
    /// alternative of interpretation I-6.
    pub(super) fn casualty_reduction<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        log: &mut L,
    ) {
        self.reduce(location, place, self.rank(location, place), log);
    }

    /// Applies a Casualty Reduction (7.302). `rank` is the ML and DRM of a leader that is lost.
    pub(super) fn reduce<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        rank: Rank,
        log: &mut L,
    ) {
        let unit = location.unit(place);
        let counter = self.counter(unit);
        if self.is_hero(unit)
            && unit.is(Condition::Wounded)
            && self.rulebook.chooses(Switch::WoundedHeroDies)
        {
            return self.lose_as(location, place, rank, "17.11", log);
        }
        match (counter.kind, counter.half_squad) {
            (CounterKind::Squad, Some(half_squad)) => {
                log.record(|| {
                    let remains = self.roster[half_squad].printed();
                    Event {
                        rule: "7.302",
                        text: format!("{} is Reduced to {remains}", self.name(location, place)),
                    }
                });
                location.unit_mut(place).counter = half_squad;
            }
            (kind, _) if kind.is_smc() => self.wound_as(location, place, rank, 0, log),
            _ => self.lose_as(location, place, rank, "7.302", log),
        }
    }

    /// Wounds an SMC (17.1). The severity dr comes next. `bonus` is its drm for an Original 12 by a
    /// hero or a berserk leader, otherwise 0.
    pub(super) fn wound<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        bonus: i8,
        log: &mut L,
    ) {
        self.wound_as(location, place, self.rank(location, place), bonus, log);
    }

    fn wound_as<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        rank: Rank,
        bonus: i8,
        log: &mut L,
    ) {
        log.record(|| Event {
            rule: "17.1",
            text: format!("{} is wounded", self.name(location, place)),
        });
        let noted = self.note_fall(location, place, Fall::Died, rank);
        location.push(Task::WoundSeverity { unit: place, bonus, noted });
    }

    /// Wounds a leader that has just broken by a Casualty MC (10.31, 17.1).
    fn wound_broken_by<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        rank: Rank,
        log: &mut L,
    ) {
        log.record(|| Event {
            rule: "17.1",
            text: format!("{} is wounded", self.name(location, place)),
        });
        let rank = self.rank_after(rank, location, place);
        let noted = self.note_fall(location, place, Fall::Broke, rank);
        location.push(Task::WoundSeverity { unit: place, bonus: 0, noted });
    }

    /// Returns the drm of the severity dr: the bonus, and 1 for an earlier wound (17.11).
    pub(super) fn severity_drm(&self, location: &LocationState, place: UnitIndex, bonus: i8) -> i8 {
        bonus + i8::from(location.unit(place).is(Condition::Wounded))
    }

    /// Applies the result of a severity dr (17.11). A leader that dies causes a LLMC. A light wound
    /// causes no check (17.3), unless the same DR broke the leader. `noted` is true if the last
    /// recorded loss is that of this leader.
    pub(super) fn resolve_severity<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        noted: bool,
        mortal: bool,
        log: &mut L,
    ) {
        let loss = if noted { location.losses.pop() } else { None };
        if mortal {
            log.record(|| Event {
                rule: "17.11",
                text: format!("the wound of {} is mortal", self.name(location, place)),
            });
            location.eliminate(place, self.counter(location.unit(place)).kind);
            location.losses.extend(loss.map(|loss| LeaderLoss { fall: Fall::Died, ..loss }));
            return;
        }
        let hero_side = self.counter(location.unit(place)).wounded_side;
        let unit = location.unit_mut(place);
        unit.conditions.set(Condition::Wounded);
        unit.counter = hero_side.unwrap_or(unit.counter);
        log.record(|| Event {
            rule: "17.2",
            text: format!("{} has a light wound", self.name(location, place)),
        });
        if let Some(loss) = loss.filter(|loss| loss.fall == Fall::Broke) {
            let rank = Rank { level: loss.level, leadership: loss.leadership };
            let rank = self.rank_after(rank, location, place);
            self.note_fall(location, place, Fall::Broke, rank);
        }
    }

    /// Eliminates a unit by `rule`. A leader causes a LLMC (10.2).
    pub(super) fn lose<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        rule: &'static str,
        log: &mut L,
    ) {
        self.lose_as(location, place, self.rank(location, place), rule, log);
    }

    /// Eliminates a unit (10.2). `rank` is the ML and leadership DRM of a leader.
    pub(super) fn lose_as<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        rank: Rank,
        rule: &'static str,
        log: &mut L,
    ) {
        log.record(|| Event {
            rule,
            text: format!("{} is eliminated", self.name(location, place)),
        });
        self.note_fall(location, place, Fall::Died, rank);
        location.eliminate(place, self.counter(location.unit(place)).kind);
    }

    /// Replaces a unit by the next lower one. `rule` is 19.1 for an ELR failure, or 25.22 for a
    /// failed Rally under a Commissar. An underlined squad becomes two broken half-squads (19.13).
    ///
    /// A unit without a lower one is Disrupted (19.12), but never a Fanatic (10.8). Interpretation
    /// I-25 says whether a leader keeps its wound.
    pub(super) fn replace<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        rule: &'static str,
        log: &mut L,
    ) {
        let describe = |by: CounterId, times: &str, location: &LocationState, log: &mut L| {
            log.record(|| {
                let lower = self.roster[by].printed();
                let cause = if rule == "19.1" { "ELR failure: " } else { "" };
                Event {
                    rule,
                    text: format!(
                        "{cause}{} is Replaced by {times}{lower}",
                        self.name(location, place)
                    ),
                }
            });
        };
        match self.counter(location.unit(place)).replacement {
            Replacement::By(lower) => {
                describe(lower, "", location, log);
                let unit = location.unit_mut(place);
                unit.counter = lower;
                if self.rulebook.chooses(Switch::WoundForgotten) {
                    unit.conditions.clear(Condition::Wounded);
                }
            }
            Replacement::TwoHalfSquads(half_squad) => {
                describe(half_squad, "two broken ", location, log);
                location.unit_mut(place).counter = half_squad;
                let mut second = *location.unit(place);
                if !second.is(Condition::Broken) {
                    second.break_down();
                }
                // A Rally table reports the created half-squad as a unit that began broken.
                if self.telling.wording == Wording::Rally {
                    second.conditions.set(Condition::BeganBroken);
                }
                location.appear(second, place);
            }
            Replacement::Disrupted => self.disrupt(location, place, log),
            Replacement::BrokenOnly | Replacement::Immune => {}
        }
    }

    /// Disrupts a unit (19.12). Fanatics (10.8), and the SS facing Russians, are exempt.
    fn disrupt<L: Log>(&self, location: &mut LocationState, place: UnitIndex, log: &mut L) {
        let unit = location.unit(place);
        let defiant = self.counter(unit).nation == Nation::GermanSs && self.scene.against_russians;
        if !unit.is(Condition::Fanatic) && !defiant {
            location.unit_mut(place).conditions.set(Condition::Disrupted);
            log.record(|| Event {
                rule: "19.12",
                text: format!("{} is Disrupted", self.name(location, place)),
            });
        }
    }
}
