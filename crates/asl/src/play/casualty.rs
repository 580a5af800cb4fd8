//! Casualty MC, Reduction, wounds, Replacement (10.31, 7.302, 17, 19.1 - 19.13), LLMC, LLTC (10.2).

use super::engagement::{Play, PlayView};
use crate::catalogue::{CounterId, CounterKind, Replacement};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::{Condition, Fall, LeaderLoss, Rank, Task, UnitIndex, Wording};
use engine::process::Log;

impl PlayView<'_> {
    /// Returns the drm of the severity dr: the bonus, and 1 for an earlier wound (17.11).
    pub(super) fn severity_drm(self, place: UnitIndex, bonus: i8) -> i8 {
        bonus + i8::from(self.unit(place).is(Condition::Wounded))
    }

    /// Returns whether a wounded hero dies of a Casualty Reduction without a severity dr: by the
    /// alternative of interpretation I-6.
    pub(super) fn dies_of_second_wound(self, place: UnitIndex) -> bool {
        let unit = self.unit(place);
        self.is_hero(unit) && unit.is(Condition::Wounded) && self.chooses(Switch::WoundedHeroDies)
    }

    /// Returns a leader's ML and DRM before the DR that loses it (I-5), even if berserk (I-47).
    pub(super) fn rank(self, place: UnitIndex) -> Rank {
        let unit = self.unit(place);
        let forfeited = unit.is(Condition::Berserk) && self.chooses(Switch::BerserkForfeitsRating);
        let leadership = if forfeited { 0 } else { self.leadership(unit) };
        Rank { level: self.morale_level(place), leadership }
    }

    /// Returns a Replaced or wounded leader's old ML and DRM, or its new ones as if unbroken (I-5).
    pub(super) fn rank_after(self, before: Rank, place: UnitIndex) -> Rank {
        if !self.chooses(Switch::LostAtNewLevel) {
            return before;
        }
        let mut unit = *self.unit(place);
        unit.conditions.clear(Condition::Broken);
        let encircled = unit.is(Condition::Encircled) && self.counts_encirclement();
        let level = self.morale_level_of(&unit, self.has_commissar(place), encircled);
        Rank { level, leadership: self.leadership(&unit) }
    }

    pub(super) fn ranks(self, picked: impl Fn(UnitIndex) -> bool) -> Vec<(UnitIndex, Rank)> {
        self.location
            .present()
            .filter(|&place| picked(place))
            .map(|place| (place, self.rank(place)))
            .collect()
    }

    /// Returns the DRM of a LLMC or LLTC: the leadership that is lost (10.2). A leader with a
    /// positive DRM gives no relief. For a Finn a dead leader counts 1 at most.
    pub(super) fn loss_drm(self, place: UnitIndex, loss: LeaderLoss) -> i8 {
        let missed = (-loss.rank.leadership).max(0);
        let finn = self.counter(self.unit(place)).nation == Nation::Finnish;
        if finn && loss.fall == Fall::Died { missed.min(1) } else { missed }
    }

    /// Returns whether the unit now takes the LLMC or LLTC for a lost leader (10.2).
    /// Only units of lower ML take it. All leaders take it for a Commissar, and a Commissar never
    /// does (A25.22). Berserk units never do (15.42). Only units that can be pinned take a LLTC.
    /// Interpretation I-43 says whether a hero created in this attack takes a LLMC.
    pub(super) fn takes_loss_check(self, place: UnitIndex, loss: LeaderLoss) -> bool {
        let unit = self.unit(place);
        let kind = self.counter(unit).kind;
        let exempt =
            !unit.is_present() || unit.conditions.has_any(Condition::Berserk, Condition::Newcomer);
        let in_reach = match loss.fall {
            Fall::Died => true,
            Fall::Broke => self.can_be_pinned(place) && !unit.is(Condition::Pinned),
        };
        let shaken = self.morale_level(place) < loss.rank.level
            || (kind == CounterKind::Leader && self.kind(loss.leader) == CounterKind::Commissar);
        !exempt && kind != CounterKind::Commissar && in_reach && shaken
    }
}

impl<L: Log> Play<'_, L> {
    /// Applies a Casualty MC: an Original 12 on a Morale Check (10.31).
    pub(super) fn casualty_morale_check(&mut self, place: UnitIndex, elr_failure: bool) {
        let unit = *self.location.unit(place);
        let kind = self.counter(&unit).kind;
        self.note("10.31", |now| format!("Casualty MC for {}", now.name(place)));
        if self.is_hero(&unit) {
            self.hit_hero(place, 1);
        } else if unit.is(Condition::Berserk) && kind.is_smc() {
            self.wound(place, Fall::Died, None, 1);
        } else if unit.is(Condition::Broken)
            || unit.is(Condition::Berserk)
            || unit.is(Condition::Unarmed)
        {
            self.lose(place, None, "10.31");
        } else if kind.is_smc() {
            let rank = self.now().rank(place);
            if elr_failure {
                self.replace(place, "19.1");
            }
            self.break_unit(place);
            let rank = self.now().rank_after(rank, place);
            self.wound(place, Fall::Broke, Some(rank), 0);
        } else if kind == CounterKind::Squad {
            self.reduce_and_break(place, elr_failure);
        } else {
            self.lose(place, None, "10.31");
        }
    }

    /// Reduces an unbroken squad to a broken half-squad (10.31), lower on an ELR failure (19.13).
    fn reduce_and_break(&mut self, place: UnitIndex, elr_failure: bool) {
        let unit = *self.location.unit(place);
        let counter = self.counter(&unit);
        let mut half_squad = counter.half_squad;
        let mut disrupted = false;
        if elr_failure {
            match counter.replacement {
                Replacement::By(lower) => half_squad = self.roster[lower].half_squad,
                Replacement::TwoHalfSquads(_) => {
                    half_squad = counter.lesser_half_squad.or(half_squad);
                    disrupted = counter.lesser_half_squad.is_none()
                        && !self.chooses(Switch::UnderlinedNotDisrupted);
                }
                Replacement::Disrupted => {
                    disrupted = !self.chooses(Switch::LowestSquadNotDisrupted)
                }
                Replacement::BrokenOnly | Replacement::Immune => {}
            }
        }
        if let Some(half_squad) = half_squad {
            self.reduce_to(place, half_squad, if elr_failure { "ELR failure: " } else { "" });
        }
        self.break_unit(place);
        if disrupted {
            self.disrupt(place);
        }
    }

    /// Applies a Casualty Reduction (7.302). A squad becomes its half-squad, a half-squad or crew
    /// is eliminated, an SMC is wounded. A wounded hero rolls for severity again, or dies by the
    /// alternative of interpretation I-6. `rank` is that of a lost leader, if not the present one.
    pub(super) fn reduce(&mut self, place: UnitIndex, rank: Option<Rank>) {
        let unit = self.location.unit(place);
        let counter = self.counter(unit);
        if self.now().dies_of_second_wound(place) {
            return self.lose(place, rank, "17.11");
        }
        match (counter.kind, counter.half_squad) {
            (CounterKind::Squad, Some(half_squad)) => self.reduce_to(place, half_squad, ""),
            (kind, _) if kind.is_smc() => self.wound(place, Fall::Died, rank, 0),
            _ => self.lose(place, rank, "7.302"),
        }
    }

    fn reduce_to(&mut self, place: UnitIndex, half_squad: CounterId, cause: &str) {
        self.note("7.302", |now| {
            let remains = now.roster[half_squad].printed();
            format!("{cause}{} is Reduced to {remains}", now.name(place))
        });
        let unit = self.location.unit_mut(place);
        unit.counter = half_squad;
        unit.conditions.clear(Condition::Concealed);
    }

    /// Wounds a hero (15.2). A wounded one is eliminated without a dr.
    pub(super) fn hit_hero(&mut self, place: UnitIndex, bonus: i8) {
        if self.location.unit(place).is(Condition::Wounded) {
            self.lose(place, None, "15.2");
        } else {
            self.wound(place, Fall::Died, None, bonus);
        }
    }

    /// Wounds an SMC (17.1). The severity dr comes next. `fall` is [`Fall::Broke`] if a Casualty MC
    /// has just broken it (10.31). `rank` is its ML and DRM, if not the present ones. `bonus` is
    /// the drm for an Original 12 by a hero or a berserk leader, otherwise 0.
    fn wound(&mut self, place: UnitIndex, fall: Fall, rank: Option<Rank>, bonus: i8) {
        let rank = rank.unwrap_or_else(|| self.now().rank(place));
        self.note_unit("17.1", place, "is wounded");
        let noted = self.note_fall(place, fall, rank);
        self.location.push(Task::WoundSeverity { unit: place, bonus, noted });
    }

    /// Applies a severity dr (17.11). Death causes a LLMC, a light wound no check (17.3), unless
    /// the same DR broke the leader. `noted` is true if the last recorded loss is this leader's.
    pub(super) fn resolve_severity(&mut self, place: UnitIndex, noted: bool, mortal: bool) {
        let loss = if noted { self.location.losses.pop() } else { None };
        if mortal {
            self.note("17.11", |now| format!("the wound of {} is mortal", now.name(place)));
            self.location.eliminate(place, self.now().kind(place));
            self.location.losses.extend(loss.map(|loss| LeaderLoss { fall: Fall::Died, ..loss }));
            return;
        }
        let hero_side = self.counter(self.location.unit(place)).wounded_side;
        let unit = self.location.unit_mut(place);
        unit.conditions.set(Condition::Wounded);
        unit.conditions.clear(Condition::Concealed);
        unit.counter = hero_side.unwrap_or(unit.counter);
        self.note_unit("17.2", place, "has a light wound");
        if let Some(loss) = loss.filter(|loss| loss.fall == Fall::Broke) {
            let rank = self.now().rank_after(loss.rank, place);
            self.note_fall(place, Fall::Broke, rank);
        }
    }

    /// Eliminates a unit by `rule` (10.2). `rank` is a leader's, if not its present ML and DRM.
    pub(super) fn lose(&mut self, place: UnitIndex, rank: Option<Rank>, rule: &'static str) {
        let rank = rank.unwrap_or_else(|| self.now().rank(place));
        self.note_unit(rule, place, "is eliminated");
        self.note_fall(place, Fall::Died, rank);
        self.location.eliminate(place, self.now().kind(place));
    }

    /// Replaces a unit by the next lower one: by `rule` 19.1 after an ELR failure, 25.22 after a
    /// failed Rally under a Commissar. An underlined squad becomes two broken half-squads (19.13).
    /// A unit without a lower one is Disrupted (19.12), but no Fanatic (10.8). I-25 says whether a
    /// leader keeps its wound.
    pub(super) fn replace(&mut self, place: UnitIndex, rule: &'static str) {
        let words = |now: PlayView, times: &str, by: CounterId| {
            let cause = if rule == "19.1" { "ELR failure: " } else { "" };
            format!("{cause}{} is Replaced by {times}{}", now.name(place), now.roster[by].printed())
        };
        match self.counter(self.location.unit(place)).replacement {
            Replacement::By(lower) => {
                self.note(rule, |now| words(now, "", lower));
                self.location.unit_mut(place).counter = lower;
                if self.chooses(Switch::WoundForgotten) {
                    self.location.unit_mut(place).conditions.clear(Condition::Wounded);
                }
            }
            Replacement::TwoHalfSquads(half_squad) => {
                self.note(rule, |now| words(now, "two broken ", half_squad));
                self.location.unit_mut(place).counter = half_squad;
                let mut second = *self.location.unit(place);
                if !second.is(Condition::Broken) {
                    second.break_down();
                }
                // A Rally table reports the created half-squad as a unit that began broken.
                if self.telling.wording == Wording::Rally {
                    second.conditions.set(Condition::BeganBroken);
                }
                self.location.appear(second, place);
            }
            Replacement::Disrupted => self.disrupt(place),
            Replacement::BrokenOnly | Replacement::Immune => {}
        }
    }

    /// Disrupts a unit (19.12). Fanatics (10.8), and the SS facing Russians, are exempt.
    fn disrupt(&mut self, place: UnitIndex) {
        let unit = self.location.unit(place);
        let defiant = self.counter(unit).nation == Nation::GermanSs && self.scene.against_russians;
        if !unit.is(Condition::Fanatic) && !defiant {
            self.location.unit_mut(place).conditions.set(Condition::Disrupted);
            self.note_unit("19.12", place, "is Disrupted");
        }
    }

    /// Records the loss of a leader (10.2). Returns whether the unit is one, as heroic leaders are.
    pub(super) fn note_fall(&mut self, place: UnitIndex, fall: Fall, rank: Rank) -> bool {
        let leader = self.location.unit(place).leads;
        if leader {
            self.location.losses.push(LeaderLoss { leader: place, fall, rank });
        }
        leader
    }

    /// Adds the checks for the first loss, leaders first (10.2). Without a loss the task is done.
    pub(super) fn work_off_losses(&mut self) {
        if self.location.losses.is_empty() {
            self.location.agenda.pop();
            return;
        }
        let loss = self.location.losses.remove(0);
        self.note("10.2", |now| {
            let (what, checks) =
                if loss.fall == Fall::Died { ("lost", "LLMC") } else { ("broken", "LLTC") };
            format!("{} is {what} at ML {}: {checks}", now.name(loss.leader), loss.rank.level)
        });
        self.call_for_loss_checks(loss);
    }

    /// Adds the LLMC or LLTC, leaders first (10.2). Each is taken if `takes_loss_check` says so.
    fn call_for_loss_checks(&mut self, loss: LeaderLoss) {
        self.location.begin_round();
        let units = self.now().checking_order().into_iter().rev();
        for unit in units.filter(|&unit| unit != loss.leader) {
            self.location.push(Task::LossCheck { unit, loss });
        }
    }

    /// Adds the LLTC for newly broken leaders before the remaining MC (10.2, interpretation I-32).
    pub(super) fn hasten_task_checks(&mut self) {
        self.location.agenda.pop();
        while let Some(place) =
            self.location.losses.iter().position(|loss| loss.fall == Fall::Broke)
        {
            let loss = self.location.losses.remove(place);
            self.call_for_loss_checks(loss);
        }
    }

    /// Eliminates units at once, whatever the cause, and adds the LLMC for leaders (10.2).
    pub(super) fn eliminate_units(&mut self, slots: Slots) {
        self.location.push(Task::LeaderLosses);
        for (place, rank) in self.now().ranks(|place| slots.has(place)) {
            self.lose(place, Some(rank), "10.2");
        }
    }
}
