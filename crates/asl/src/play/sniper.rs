//! Snipers (14.1 - 14.3): the DR that call one, Random Selection of its target, and its results.

use smallvec::SmallVec;

use super::engagement::{Engagement, Play, PlayView};
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::vocabulary::{
    Condition, LEAST_SAN, MOST_EFFECTIVE, Report, SHARES, Sniper, SniperSearch, SniperTarget,
    Stage, Task, Terms, UnitIndex,
};
use engine::dice::{Dr, Face};
use engine::process::Log;

type Candidates = SmallVec<[SniperTarget; 12]>;

impl Engagement {
    /// Returns the Original DR of a roll with these terms if it calls the Sniper that is followed,
    /// or may once its SAN is lower (14.4), and the phase counts (14.1). Otherwise returns 0.
    #[inline]
    pub(super) fn sniper_called_by(&self, terms: &Terms, face: Face) -> u8 {
        let Some(sniper) = self.sniper else { return 0 };
        let counts = match terms {
            Terms::Attack(_) | Terms::Volley | Terms::Shot { .. } => sniper.is_own,
            Terms::Morale(..) | Terms::Task(..) => !sniper.is_own,
            _ => false,
        };
        let original = Dr::from_face(face).total();
        let may_be_lower = self.chooses(Switch::SniperCheckMade) && original < sniper.san;
        if counts && (original == sniper.san || may_be_lower) { original } else { 0 }
    }
}

impl PlayView<'_> {
    /// Returns whether an Original DR calls the Sniper with the SAN that it now has.
    #[inline]
    pub(super) fn is_called_by(self, original: u8) -> bool {
        let san = |sniper: Sniper| sniper.san == original + self.location.hunt.lost;
        original > 0 && self.sniper.is_some_and(san)
    }

    /// Returns the units that may search for a Sniper (14.4): Good Order, armed, unpinned and not
    /// TI.
    pub(crate) fn searchers(self) -> impl Iterator<Item = UnitIndex> {
        self.location.present().filter(move |&place| {
            let unit = self.unit(place);
            unit.can_break()
                && !unit.is(Condition::Pinned)
                && !self.location.hunt.has_searched(place)
        })
    }

    /// Returns the DRM of the Sniper Check (14.4): -2 for a squad, -1 for a HS, a crew and a hero,
    /// and the leadership of one leader beside others. A heroic leader gives one of both.
    pub(crate) fn search_drm(self) -> i8 {
        let leadership = |&place: &UnitIndex| self.leadership(self.unit(place));
        let is_led = self.searchers().nth(1).is_some();
        let leads = |place: &UnitIndex| is_led && self.unit(*place).leads;
        let leader = self.searchers().filter(leads).min_by_key(leadership);
        let leader = leader.filter(|leader| leadership(leader) < 0);
        let of_unit = |place: UnitIndex| match self.kind(place) {
            CounterKind::Squad => -2,
            CounterKind::HalfSquad | CounterKind::Crew => -1,
            _ => -i8::from(Some(place) != leader && self.is_hero(self.unit(place))),
        };
        self.searchers().map(of_unit).sum::<i8>() + leader.as_ref().map_or(0, leadership)
    }

    /// Returns whether the DR of the stage are made in a phase in which they call Snipers (14.1,
    /// interpretation I-135).
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
        match (self.dummies(), inside) {
            (dummies, true) => all.extend((0..dummies).map(|_| SniperTarget::Dummy)),
            (1.., false) if !all.contains(&SniperTarget::Concealed) => {
                all.push(SniperTarget::Concealed);
            }
            _ => {}
        }
        all
    }

    /// Returns the rank of a target in the choice among tied ones (I-133): the best leader comes
    /// first, then most FP, and Dummies last.
    fn sniper_rank(self, target: SniperTarget) -> (i8, i16) {
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
            SniperTarget::Dummy => false,
        });
        units.map(of_unit).min().unwrap_or((i8::MAX, 0))
    }

    /// Returns the name of the candidate whose dr is next in a Random Selection.
    pub(super) fn next_candidate(self, inside: bool) -> String {
        match self.sniper_candidates(inside).get(self.location.selection.len()) {
            Some(SniperTarget::Unit(unit)) => self.name(*unit),
            Some(SniperTarget::Dummy) => "a Dummy".to_string(),
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
                let lost = now.location.hunt.lost;
                let san = now.sniper.map_or(0, |sniper| sniper.san.saturating_sub(lost));
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
        let is_gone = sniper.san < LEAST_SAN + self.location.hunt.lost;
        let rests = is_gone || self.location.hunt.is_pinned;
        if rests || self.location.present().next().is_none() {
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
    /// (10.62, 14.3). A dead leader causes LLMC, unless I-131 differs. A Sniper Check comes last if
    /// one is made (I-134).
    pub(super) fn resolve_sniper_dr(&mut self, target: SniperTarget, dr: u8) {
        if target != SniperTarget::Location {
            return self.strike_by_sniper(target, dr);
        }
        if dr > MOST_EFFECTIVE {
            return;
        }
        let attacks = self
            .location
            .hunt
            .attacks
            .saturating_add(u8::from(self.telling.report == Report::Stack));
        self.location.hunt.attacks = attacks;
        let is_alone = matches!(self.now().stage(), Some(Stage::Sniper(_)));
        if self.chooses(Switch::SniperCheckMade) {
            self.location.push(Task::SniperCheck);
        }
        if !is_alone && !self.chooses(Switch::NoLlmcBySniper) {
            self.location.push(Task::LeaderLosses);
        }
        self.gain_dm();
        self.select_by_sniper(false, dr);
    }

    /// Ends a Sniper Check (14.4). The units that have searched are TI, and no longer concealed
    /// (12.14).
    pub(super) fn end_search(&mut self, found: SniperSearch) {
        let searchers: Vec<UnitIndex> = self.now().searchers().collect();
        for place in searchers {
            self.location.unit_mut(place).conditions.clear(Condition::Concealed);
            self.location.hunt.searchers |= 1u32.checked_shl(place.into()).unwrap_or_default();
        }
        match found {
            SniperSearch::Eliminated => {
                self.location.hunt.lost += 1;
                self.note("14.4", |_| "the Sniper is eliminated: its SAN is one less".to_string());
            }
            SniperSearch::Pinned => {
                self.location.hunt.is_pinned = true;
                self.note("14.4", |_| "the Sniper is pinned".to_string());
            }
            SniperSearch::InVain => {}
        }
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
            SniperTarget::Dummy if dr <= MOST_EFFECTIVE => {
                self.location.hunt.dummies += 1;
                self.note("14.3", |_| "a Dummy is eliminated".to_string());
            }
            SniperTarget::Unit(_) | SniperTarget::Dummy => {}
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
    /// are SMC (I-130). No MC is taken, so no ELR and no Heat of Battle apply (I-136).
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
