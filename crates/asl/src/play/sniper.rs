//! Snipers (14.1 - 14.3): the DR that call one, Random Selection of its target, and its results.

use smallvec::SmallVec;

use super::engagement::{Engagement, Play, PlayView};
use crate::rulebook::Switch;
use crate::vocabulary::{
    Condition, MOST_EFFECTIVE, SHARES, SniperTarget, Stage, Task, Terms, UnitIndex,
};
use engine::dice::{Dr, Face};
use engine::process::Log;

type Candidates = SmallVec<[SniperTarget; 12]>;

impl Engagement {
    /// Returns whether a face of a roll with these terms calls the Sniper that is followed, if the
    /// phase counts (14.1).
    #[inline]
    pub(super) fn is_sniper_called_by(&self, terms: &Terms, face: Face) -> bool {
        let Some(sniper) = self.sniper else { return false };
        let counts = match terms {
            Terms::Attack(_) | Terms::Volley | Terms::Shot { .. } => sniper.is_own,
            Terms::Morale(..) | Terms::Task(..) => !sniper.is_own,
            _ => false,
        };
        counts && Dr::from_face(face).total() == sniper.san
    }
}

impl PlayView<'_> {
    /// Returns whether the DR of the stage are made in a phase in which they call Snipers (14.1).
    fn calls_snipers(self) -> bool {
        use Stage::{Elimination, Fire, FireAtClasses, MoraleCheck, PinTaskCheck, Shot};
        matches!(
            self.stage(),
            Some(
                Fire(_)
                    | FireAtClasses(_)
                    | Shot { .. }
                    | MoraleCheck { .. }
                    | PinTaskCheck
                    | Elimination(_)
            )
        )
    }

    /// Returns whether this process reports who makes the roll of a task: in factors, all of which
    /// follow the rolls of common units, only one does.
    fn owns_roll(self, task: Task) -> bool {
        match task.roller() {
            Some(unit) => self.is_own(unit),
            None => self.is_common_factor(),
        }
    }

    /// Returns the terms of the DR that says whether a Sniper strikes here.
    pub(super) fn sniper_share(self, is_second: bool) -> Terms {
        let share = self.sniper.map_or(0, |sniper| sniper.share);
        let (here, rest) = ((share / 36) as u8, (share % 36) as u8);
        match is_second {
            false => Terms::Share { here, again: rest > 0 },
            true => Terms::Share { here: rest, again: false },
        }
    }

    /// Returns the terms of the DR that chooses among tied targets.
    pub(super) fn sniper_tie(self) -> Terms {
        let tied = self.location.selection.iter().filter(|&&dr| dr > 0).count();
        Terms::Tie { tied: (tied as u8).max(1) }
    }

    fn is_hidden(self, unit: UnitIndex) -> bool {
        self.unit(unit).is(Condition::Concealed)
    }

    /// Returns the candidates of a Random Selection (14.23): single units, and all concealed ones
    /// together, unless the selection is `inside` of these.
    pub(super) fn sniper_candidates(self, inside: bool) -> Candidates {
        let mut all = Candidates::new();
        for unit in self.location.present() {
            match (self.is_hidden(unit), inside) {
                (true, true) | (false, false) => all.push(SniperTarget::Unit(unit)),
                (true, false) if !all.contains(&SniperTarget::Concealed) => {
                    all.push(SniperTarget::Concealed);
                }
                _ => {}
            }
        }
        all
    }

    /// Returns the rank of a target in the choice among tied ones (I-133): the best leader comes
    /// first, then most FP.
    fn sniper_rank(self, target: SniperTarget) -> Option<(i8, i16)> {
        let of_unit = |unit: UnitIndex| {
            let unit = self.unit(unit);
            let leadership = unit.leads.then(|| self.leadership(unit));
            let firepower = self.counter(unit).firepower.unwrap_or(0);
            (leadership.unwrap_or(i8::MAX), -i16::from(firepower))
        };
        let units = self.location.present().filter(|&unit| match target {
            SniperTarget::Unit(other) => other == unit,
            SniperTarget::Concealed => self.is_hidden(unit),
            SniperTarget::Location => true,
        });
        units.map(of_unit).min()
    }

    /// Returns the name of the candidate whose dr is next in a Random Selection.
    pub(super) fn next_candidate(self, inside: bool) -> String {
        match self.sniper_candidates(inside).get(self.location.selection.len()) {
            Some(SniperTarget::Unit(unit)) => self.name(*unit),
            _ => "concealed units".to_string(),
        }
    }
}

impl<L: Log> Play<'_, L> {
    /// Notes a DR that calls the Sniper, unless the phase does not count (14.1).
    pub(super) fn note_call(&mut self, task: Task) {
        if self.now().calls_snipers() && self.now().owns_roll(task) {
            self.location.calls = self.location.calls.saturating_add(1);
            self.note("14.1", |now| {
                let san = now.sniper.map_or(0, |sniper| sniper.san);
                format!("Original {san} calls a Sniper")
            });
        }
    }

    /// Begins the attack of a called Sniper, after all effects of the DR that called it and after
    /// earlier attacks (14.1, 14.3). Returns whether there is one.
    pub(super) fn begin_called_attack(&mut self) -> bool {
        let Some(sniper) = self.sniper.filter(|sniper| sniper.strikes()) else { return false };
        if self.location.calls == 0 {
            return false;
        }
        self.location.end_stage();
        if self.location.present().next().is_none() {
            self.location.calls = 0;
            return false;
        }
        self.location.calls -= 1;
        self.location.push(match sniper.share {
            SHARES.. => Task::SniperDr { target: SniperTarget::Location },
            _ => Task::SniperShare { is_second: false },
        });
        true
    }

    /// Applies the DR that says whether the Sniper strikes here; `None` needs another one.
    pub(super) fn place_sniper(&mut self, is_here: Option<bool>) {
        match is_here {
            None => self.location.push(Task::SniperShare { is_second: true }),
            Some(true) => {
                self.location.push(Task::SniperDr { target: SniperTarget::Location });
            }
            Some(false) => {}
        }
    }

    /// Begins an attack, whose dr may be given.
    pub(super) fn begin_sniper(&mut self, dr: Option<u8>) {
        match dr {
            Some(dr) => self.resolve_sniper_dr(SniperTarget::Location, dr),
            None => self.location.push(Task::SniperDr { target: SniperTarget::Location }),
        }
    }

    /// Applies a Sniper dr (14.2). If it does something, every broken unit of the Location gains DM
    /// (10.62, 14.3). A dead leader causes LLMC, unless I-131 differs.
    pub(super) fn resolve_sniper_dr(&mut self, target: SniperTarget, dr: u8) {
        if target != SniperTarget::Location {
            return self.strike_by_sniper(target, dr);
        }
        if dr > MOST_EFFECTIVE {
            return;
        }
        let is_alone = matches!(self.now().stage(), Some(Stage::Sniper(_)));
        if !is_alone && !self.chooses(Switch::NoLlmcBySniper) {
            self.location.push(Task::LeaderLosses);
        }
        self.gain_dm();
        self.select_by_sniper(false, dr);
    }

    /// Begins a Random Selection of the target. A single candidate needs no dr.
    fn select_by_sniper(&mut self, inside: bool, dr: u8) {
        match self.now().sniper_candidates(inside)[..] {
            [one] => self.strike_by_sniper(one, dr),
            _ => self.location.push(Task::SniperSelection { inside, dr }),
        }
    }

    /// Strikes a target. Among concealed units a selection follows any dr, because units that tie
    /// take new ones.
    fn strike_by_sniper(&mut self, target: SniperTarget, dr: u8) {
        match target {
            SniperTarget::Unit(unit) if dr <= MOST_EFFECTIVE => self.hit_by_sniper(unit, dr),
            SniperTarget::Unit(_) => {}
            SniperTarget::Concealed => self.select_by_sniper(true, dr),
            SniperTarget::Location => self.select_by_sniper(false, dr),
        }
    }

    /// Applies the dr of the next candidate of a Random Selection (14.23).
    pub(super) fn resolve_sniper_selection(&mut self, inside: bool, dr: u8, number: u8) {
        self.location.select(number, 1);
        if self.location.selection.len() < self.now().sniper_candidates(inside).len() {
            return self.location.push(Task::SniperSelection { inside, dr });
        }
        let tied = self.location.selection.iter().filter(|&&dr| dr > 0).count();
        match tied > 1 && self.chooses(Switch::TiedAtRandom) {
            true => self.location.push(Task::SniperTie { inside, dr }),
            false => self.strike_tied(inside, dr, None),
        }
    }

    /// Ends a Random Selection: the chosen one of the tied candidates takes the dr, the others each
    /// a new one (14.2). Without a choice by dice it is that of the Sniper player (I-133).
    pub(super) fn strike_tied(&mut self, inside: bool, dr: u8, chosen: Option<u8>) {
        let drs = std::mem::take(&mut self.location.selection);
        let all = self.now().sniper_candidates(inside).into_iter().zip(drs);
        let tied: Candidates = all.filter(|(_, dr)| *dr > 0).map(|(target, _)| target).collect();
        let by_dice = chosen.map(usize::from).filter(|&place| place < tied.len());
        let best = || {
            let now = self.now();
            (0..tied.len()).min_by_key(|&place| now.sniper_rank(tied[place])).unwrap_or(0)
        };
        let chosen = by_dice.unwrap_or_else(best);
        for (place, &target) in tied.iter().enumerate().rev() {
            if place != chosen {
                self.location.push(Task::SniperDr { target });
            }
        }
        if let Some(&target) = tied.get(chosen) {
            self.strike_by_sniper(target, dr);
        }
    }

    /// Applies the result of a Sniper dr to a unit (14.3). A hero, a heroic and a berserk leader
    /// are SMC (I-130). No MC is taken, so no ELR and no Heat of Battle apply.
    fn hit_by_sniper(&mut self, place: UnitIndex, dr: u8) {
        let unit = *self.location.unit(place);
        let is_smc = self.counter(&unit).kind.is_smc();
        let is_weak = [Condition::Broken, Condition::Berserk, Condition::Unarmed]
            .into_iter()
            .any(|condition| unit.is(condition));
        let is_spared = self.chooses(Switch::HeroesWoundedBySniper)
            && (self.is_hero(&unit) || unit.is(Condition::Berserk));
        match (is_smc, dr) {
            (true, 1) if !is_spared => self.lose(place, None, "14.3"),
            (true, _) => self.reduce(place, None),
            (false, 1) if is_weak => self.reduce(place, None),
            (false, 1) => self.break_unit(place),
            _ if is_weak => {}
            _ => {
                self.pin(place);
                if self.chooses(Switch::ConcealmentLostBySniper) {
                    self.location.unit_mut(place).conditions.clear(Condition::Concealed);
                }
            }
        }
    }
}
