//! The Rally Phase (10.6 - 10.64, 10.71), its choices (10.6, 10.62, 18.11), Leader Creation (18.2).

use smallvec::{SmallVec, smallvec};

use super::engagement::{Engagement, Play, PlayView};
use crate::catalogue::{CATALOGUE, Counter, CounterKind};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::vocabulary::{
    Candidate, Choice, Condition, Conditions, LocationState, Means, RallyAttempt, RallyPhase,
    Reading, Stage, TERRAIN_DRM, Task, Unit, UnitIndex, Verdict, creation_drms,
};
use engine::process::{CallOutcome, Decisions, Log, ReportIndex};

impl Engagement {
    /// Returns whether the counter can Self-Rally (10.6, 10.63), as any Finn in the second edition.
    fn self_rallies(&self, counter: &Counter) -> bool {
        counter.self_rally
            || (counter.nation == Nation::Finnish && self.chooses(Switch::AllFinnsSelfRally))
    }

    /// Returns the present options of the owner, in order. The list is empty if no choice is due.
    pub fn choices_at(&self, location: &LocationState) -> SmallVec<[Choice; 15]> {
        match location.agenda.last() {
            Some(Task::NextRally) => self.view(location).rally_choices(),
            Some(Task::DmRemoval) => smallvec![Choice::RemoveDm, Choice::KeepDm],
            _ => SmallVec::new(),
        }
    }

    /// Returns the Rally attempt that the unit at index `place` would make now.
    pub fn candidate(&self, location: &LocationState, place: UnitIndex) -> Candidate {
        let now = self.view(location);
        Candidate {
            kind: self.counter(location.unit(place)).kind,
            attempt: now.rally_attempt(place),
        }
    }

    /// Removes DM from a unit at the end of a RPh (10.62), or gives it back at once beside a Known
    /// armed enemy (I-28). Returns whether the unit has lost its DM.
    pub(crate) fn remove_dm_of(&self, unit: &mut Unit) -> bool {
        let comes_back = self.scene.enemy_adjacent && !self.chooses(Switch::DmOnlyByNewEnemy);
        if comes_back && unit.is(Condition::Broken) {
            unit.conditions.set(Condition::Dm);
        }
        let is_removed = !comes_back && unit.is(Condition::Dm);
        if is_removed {
            unit.conditions.clear(Condition::Dm);
        }
        is_removed
    }

    /// Returns the index of the last report, or `None` if outcomes are never reported.
    pub fn last_point(&self) -> Option<ReportIndex> {
        let point =
            |stage: &Stage| if let Stage::Report(point) = stage { Some(*point) } else { None };
        self.stages.iter().rev().find_map(point)
    }
}

impl<'a> PlayView<'a> {
    /// Returns whether the first MMC Self-Rally of any factor is next (18.11), with no leader left.
    fn waits_for_the_first(self, next: Option<UnitIndex>) -> bool {
        let phase = self.common.and_then(|_| self.rally_phase());
        let Some(phase) = phase else { return false };
        phase.own
            && phase.lent_leader.is_none()
            && !self.is_spoilt()
            && !next.is_some_and(|next| self.is_common(next))
            && !self.location.units.iter().any(|unit| unit.leads && unit.is_steady())
    }

    /// Returns whether no first MMC can Self-Rally any more in this Rally Phase.
    fn is_spoilt(self) -> bool {
        self.location.agenda.first() == Some(&Task::Spoilt)
    }

    pub(super) fn rally_phase(self) -> Option<&'a RallyPhase> {
        match self.stage() {
            Some(Stage::RallyPhase(phase)) => Some(phase),
            _ => None,
        }
    }

    /// Returns the next unit that can try, if any: Commissars, leaders by descending ML, then MMC
    /// in stack order; by the alternative of I-20 the first MMC Self-Rally before all. A unit that
    /// could not try is considered again once a leader has rallied or been created.
    pub(super) fn next_to_rally(self) -> Option<UnitIndex> {
        let can_try = |&place: &UnitIndex| self.can_try_to_rally(place);
        let first =
            |place: UnitIndex| matches!(self.means(place), Some(Means::FirstSelfRally { .. }));
        self.location.places().filter(can_try).min_by_key(|&place| {
            if self.chooses(Switch::SelfRallyFirstOfAll) && first(place) {
                return (0, 0);
            }
            match self.kind(place) {
                CounterKind::Commissar => (1, 0),
                CounterKind::Leader => (2, -self.morale_level(place)),
                _ => (3, 0),
            }
        })
    }

    /// Returns whether the unit can try to rally now (10.6).
    #[inline]
    pub(super) fn can_try_to_rally(self, place: UnitIndex) -> bool {
        let unit = self.unit(place);
        unit.is(Condition::Broken) && !unit.is(Condition::Tried) && self.means(place).is_some()
    }

    /// Returns how the broken unit can try to rally, or `None` (10.6, 10.63, 10.71, 18.11).
    /// A Good Order leader in its Location must lead the attempt. Without one a unit can Self-Rally
    /// if its counter allows it, or as the first MMC of its side in its own RPh. A Disrupted unit
    /// cannot Self-Rally (19.12). A Commissar always Self-Rallies (A25.22).
    pub(super) fn means(self, place: UnitIndex) -> Option<Means> {
        let unit = self.unit(place);
        let counter = self.counter(unit);
        if self.is_commissar(unit) {
            return Some(Means::SelfRally);
        }
        if let Some((_, means)) = self.leader_for_rally(place) {
            return Some(means);
        }
        if unit.is(Condition::Disrupted) {
            return None;
        }
        let own = self.rally_phase().is_some_and(|phase| phase.own);
        let leaders_may_precede = !self.chooses(Switch::SelfRallyFirstOfAll);
        let is_spoilt = || {
            self.is_spoilt()
                || self.location.units.iter().any(|other| {
                    other.is(Condition::Tried)
                        && !(leaders_may_precede && self.counter(other).kind.is_smc())
                })
        };
        let may_self_rally = self.self_rallies(counter);
        if own && !counter.kind.is_smc() && !is_spoilt() {
            let creation = !self.chooses(Switch::NoCreationWithBox) || !may_self_rally;
            return Some(Means::FirstSelfRally { creation });
        }
        may_self_rally.then_some(Means::SelfRally)
    }

    /// Returns the Good Order leader with the best DRM for this unit (10.6, 10.72), or a Commissar
    /// (A25.22), without DRM unless `commissar-drm` is `always`. The index is `None` outside the
    /// stack. The DRM is one worse for another nationality (10.7), and by the alternative of I-49
    /// it is 0 for a leader of no lower ML. A pinned leader can lead: 7.831 names MC and TC only.
    pub(super) fn leader_for_rally(self, place: UnitIndex) -> Option<(Option<UnitIndex>, Means)> {
        let unit = self.unit(place);
        let candidate = |at: Option<UnitIndex>, leader: &Unit| {
            let commissar = self.commissars && self.is_commissar(leader);
            let lends = match commissar {
                true => self.chooses(Switch::CommissarDrmAlways),
                false => {
                    !self.chooses(Switch::NoDrmToBetterLeader) || self.may_lend_to(place, leader)
                }
            };
            let leadership = if lends { self.leadership_for(unit, leader) } else { 0 };
            (at, commissar, leadership)
        };
        let lent = self
            .rally_phase()
            .and_then(|phase| phase.lent_leader.as_ref())
            .map(|leader| candidate(None, leader));
        let leads = |(other, leader): &(usize, &Unit)| {
            leader.leads && leader.is_steady() && *other != usize::from(place)
        };
        let present = self.location.units.iter().enumerate().filter(leads);
        let present = present.map(|(other, leader)| candidate(Some(other as UnitIndex), leader));
        let best =
            lent.into_iter().chain(present).min_by_key(|(_, commissar, drm)| (!commissar, *drm));
        best.map(|(at, commissar, leadership)| match commissar {
            true => (at, Means::CommissarLed { leadership }),
            false => (at, Means::Led { leadership }),
        })
    }

    #[inline(always)]
    pub(super) fn rally_attempt(self, place: UnitIndex) -> RallyAttempt {
        let unit = self.unit(place);
        let means = self.means(place).unwrap_or(Means::SelfRally);
        let led_by_commissar = matches!(means, Means::CommissarLed { .. });
        let led = led_by_commissar || matches!(means, Means::Led { .. });
        RallyAttempt {
            level: self.rally_level(place, unit),
            means,
            dm: unit.is(Condition::Dm) && !led_by_commissar,
            terrain: if self.is_in_rally_terrain() { TERRAIN_DRM } else { 0 },
            heats: led && self.can_be_heated(unit),
        }
    }

    /// Returns whether the terrain gives its DRM to rally (10.61, interpretation I-16).
    fn is_in_rally_terrain(self) -> bool {
        self.rally_phase().is_some_and(|phase| self.rulebook.gives_rally_bonus(phase.terrain))
    }

    /// Returns the ML of a Rally attempt (10.6). Interpretation I-18 is about Encirclement.
    #[inline(always)]
    fn rally_level(self, place: UnitIndex, unit: &Unit) -> i8 {
        let encircled = unit.is(Condition::Encircled) && self.chooses(Switch::EncirclementInRally);
        self.morale_level_of(unit, self.has_commissar(place), encircled)
    }

    /// Returns the nation of a leader created by the unit: German if the unit has no nation.
    fn creation_nation(self, place: UnitIndex) -> Nation {
        let own = self.counter(self.unit(place)).nation;
        if own == Nation::Any { Nation::German } else { own }
    }

    /// Returns the drm of Leader Creation (18.2) by nationality, ML (I-34) and broken state.
    pub(super) fn creation_sources(self, place: UnitIndex) -> [(i8, &'static str); 3] {
        let mut unit = *self.unit(place);
        unit.conditions.set(Condition::Broken);
        let level = if self.chooses(Switch::CreationByPrintedMorale) {
            self.counter(&unit).morale
        } else {
            self.rally_level(place, &unit)
        };
        let [nation, level] = creation_drms(self.creation_nation(place), level);
        [nation, level, (1, "broken")]
    }

    /// Returns the options for the next attempt (10.6): the unit of the reference order, the others
    /// in stack order, equal ones once, and no other, unless a unit must try (A25.22).
    pub(super) fn rally_choices(self) -> SmallVec<[Choice; 15]> {
        let mut choices: SmallVec<[Choice; 15]> =
            self.next_to_rally().into_iter().map(Choice::Tries).collect();
        let mut must = false;
        for place in self.location.places().filter(|&place| self.can_try_to_rally(place)) {
            must |= self.must_try_to_rally(place);
            let unit = self.unit(place);
            if !choices
                .iter()
                .any(|choice| matches!(choice, Choice::Tries(other) if self.unit(*other) == unit))
            {
                choices.push(Choice::Tries(place));
            }
        }
        if !must {
            choices.push(Choice::NobodyElse);
        }
        choices
    }

    /// Returns whether the unit must try (A25.22): a Commissar, or a unit led by one.
    fn must_try_to_rally(self, place: UnitIndex) -> bool {
        self.commissars
            && (self.kind(place) == CounterKind::Commissar
                || matches!(self.means(place), Some(Means::CommissarLed { .. })))
    }

    /// Returns whether the owner can keep DM (10.62): some unit has it, and the terrain is not
    /// rally terrain. ADJACENT to a Known armed enemy DM returns anyway (interpretation I-28).
    pub(super) fn may_keep_dm(self) -> bool {
        let comes_back = self.scene.enemy_adjacent && !self.chooses(Switch::DmOnlyByNewEnemy);
        self.rally_phase().is_some_and(|phase| !phase.keeps_dm)
            && !self.is_in_rally_terrain()
            && !comes_back
            && self.location.units.iter().any(|unit| unit.is(Condition::Dm))
    }

    fn choice_in_words(self, choice: Choice) -> String {
        match choice {
            Choice::Tries(place) => format!("{} tries to rally", self.name(place)),
            Choice::NobodyElse => "no other unit tries to rally".to_string(),
            Choice::RemoveDm => "DM is removed".to_string(),
            Choice::KeepDm => "DM is kept".to_string(),
        }
    }

    fn phase_in_words(self) -> String {
        let phases = |stages: &[Stage]| {
            stages.iter().filter(|stage| matches!(stage, Stage::RallyPhase(_))).count()
        };
        match (
            phases(&self.stages),
            self.stages.get(..usize::from(self.location.stage)).map_or(0, phases),
        ) {
            (0 | 1, _) => "Rally Phase".to_string(),
            (_, phase) => format!("Rally Phase {phase}"),
        }
    }

    /// Lists the present units of the stack: `8-1 [1], 4-6-7/broken,dm [2]`.
    fn stack_in_words(self) -> String {
        let unit = |place| {
            let tried = if self.unit(place).is(Condition::Tried) { " (has tried)" } else { "" };
            format!("{} [{}]{tried}", self.written(self.unit(place)), self.telling.slot(place))
        };
        self.location.present().map(unit).collect::<Vec<_>>().join(", ")
    }
}

impl<L: Log> Play<'_, L> {
    /// Adds the next Rally attempt to the agenda, or ends the phase if no unit can try (10.6).
    pub(super) fn next_rally(&mut self) {
        match self.now().next_to_rally() {
            next if self.now().waits_for_the_first(next) => self.location.push(Task::Call),
            Some(unit) => {
                if self.common.is_some() && !self.now().is_common(unit) {
                    self.location.begin_last_round();
                }
                self.location.push(Task::RallyAttempt { unit });
            }
            None => self.end_attempts(),
        }
    }

    /// Applies the result of the search, in all factors, for the first MMC to Self-Rally (18.11).
    pub(super) fn end_call(&mut self, called: CallOutcome) {
        match called {
            CallOutcome::Nobody => self.location.agenda.insert(0, Task::Spoilt),
            CallOutcome::Another => self.location.push(Task::News { leader: None, own: false }),
            CallOutcome::First => {
                let first = self.now().next_to_rally();
                self.location.begin_last_round();
                self.location.push(Task::News { leader: None, own: true });
                self.location.agenda.extend(first.map(|unit| Task::RallyAttempt { unit }));
            }
        }
    }

    /// Merges the first MMC Self-Rally (18.11) into this state, with any leader created (18.2).
    pub(super) fn take_over(&mut self, first: &LocationState) {
        let own = self.location.agenda.pop();
        self.location.agenda.insert(0, Task::Spoilt);
        self.location.begin_round();
        if let (
            Some(Task::News { own: false, .. }),
            Some(Task::News { leader: Some(leader), .. }),
        ) = (own, first.agenda.last())
        {
            let unit = *first.unit(*leader);
            // Round 0 marks a leader that was created in another factor.
            self.location.units.push(Unit { conditions: unit.conditions.born(0, 0), ..unit });
        }
    }

    /// Ends the Rally attempts of a phase (10.6). DM is then removed (10.62), or the owner chooses.
    pub(super) fn end_attempts(&mut self) {
        self.location.agenda.pop();
        if self.choices.dm && self.now().may_keep_dm() {
            self.location.push(Task::DmRemoval);
        } else {
            self.remove_dm();
        }
    }

    /// Removes DM at the end of a RPh, unless the owner keeps it (10.62). ADJACENT to a Known armed
    /// enemy it returns at once, by the alternative of I-28 only if one moves there anew.
    pub(super) fn remove_dm(&mut self) {
        if self.now().rally_phase().is_none_or(|phase| phase.keeps_dm) {
            return;
        }
        for place in self.location.places() {
            if self.engagement.remove_dm_of(self.location.unit_mut(place)) {
                self.note_unit("10.62", place, "loses DM");
            }
        }
    }

    /// Gives DM to every broken unit (10.62).
    pub(super) fn gain_dm(&mut self) {
        for place in self.location.places() {
            self.gain_dm_of(place);
        }
    }

    /// Gives a unit DM if it is broken (10.62).
    pub(super) fn gain_dm_of(&mut self, place: UnitIndex) {
        let unit = self.location.unit_mut(place);
        if unit.is(Condition::Broken) {
            unit.conditions.set(Condition::Dm);
        }
    }

    /// Applies a Rally attempt (10.6, 10.64, 18.11). Fate Reduces, with a LLMC for a dead leader. A
    /// failure under a Commissar has a penalty (A25.22), Fate only by I-51.
    pub(super) fn resolve_rally(&mut self, place: UnitIndex, reading: Reading) {
        let under_commissar =
            self.commissars && matches!(self.now().means(place), Some(Means::CommissarLed { .. }));
        self.location.unit_mut(place).conditions.set(Condition::Tried);
        if reading.verdict == Verdict::Fate || reading.heats || under_commissar {
            self.location.push(Task::LeaderLosses);
        }
        self.note_heat(place, reading);
        match reading.verdict {
            Verdict::Rallied { creation } => {
                self.location.unit_mut(place).recover();
                self.note_unit("10.6", place, "rallies");
                if creation && self.now().creation_nation(place) != Nation::Finnish {
                    self.location.push(Task::LeaderCreation { unit: place });
                }
            }
            Verdict::NotRallied if under_commissar => {
                self.location.push(Task::CommissarsPrice { unit: place })
            }
            Verdict::Fate => {
                self.note("10.64", |now| format!("Fate strikes {}", now.name(place)));
                if under_commissar && self.chooses(Switch::FateHasPriceToo) {
                    self.location.push(Task::CommissarsPrice { unit: place });
                }
                self.reduce(place, None);
            }
            _ => {}
        }
    }

    /// Adds the created leader (18.2), if any, with its unit's nation, ELR and Fanaticism (10.8).
    pub(super) fn create_leader(&mut self, place: UnitIndex, grade: Option<&str>) {
        let nation = self.now().creation_nation(place);
        let counter = grade.and_then(|grade| CATALOGUE.leader(nation, grade));
        let Some(counter) = counter else {
            return self.log.note("18.2", || "no leader appears");
        };
        let maker = *self.location.unit(place);
        let mut conditions = maker.conditions;
        conditions.keep_only(Conditions::from_array([Condition::Fanatic, Condition::Encircled]));
        let unit = Unit { counter, elr: maker.elr, leads: true, conditions };
        if let Some(created) = self.location.appear(unit, place) {
            if let Some(Task::News { leader, .. }) = self.location.agenda.last_mut() {
                *leader = Some(created);
            }
            self.note("18.2", |now| format!("a leader appears: {}", now.roster[counter].printed()));
        }
    }

    pub(super) fn make_choice(&mut self, choice: Choice) {
        self.note(choice.rule(), |now| now.choice_in_words(choice));
        match choice {
            Choice::Tries(unit) => self.location.push(Task::RallyAttempt { unit }),
            Choice::NobodyElse => self.end_attempts(),
            Choice::RemoveDm | Choice::KeepDm => {
                self.location.agenda.pop();
                if choice == Choice::RemoveDm {
                    self.remove_dm();
                }
            }
        }
    }
}

impl Decisions for Engagement {
    /// Describes the situation: `Rally Phase 2: 8-1/broken [1], 4-6-7/broken [2] (has tried)`.
    fn decision(&self, location: &LocationState) -> String {
        let ends =
            if matches!(location.agenda.last(), Some(Task::DmRemoval)) { "end of " } else { "" };
        let now = self.view(location);
        format!("{ends}{}: {}", now.phase_in_words(), now.stack_in_words())
    }

    fn options(&self, location: &LocationState) -> Vec<String> {
        self.choices_at(location)
            .into_iter()
            .map(|choice| self.view(location).choice_in_words(choice))
            .collect()
    }

    fn kinds(&self, location: &LocationState) -> Vec<&'static str> {
        self.choices_at(location).into_iter().map(Choice::kind).collect()
    }
}
