//! The process of a crossing: entering a Location, the attacks on the stack there, going on.

use super::marks::{FireTier, FirerFate, MarkerState, ShotCost};
use super::model::{AttackSource, Crossing, CrossingPlan, CrossingReport};
use super::state::{
    CrossingEnd, CrossingOutcome, CrossingReading, CrossingState, CrossingStep, CrossingTerms,
    ShotTold,
};
use crate::attack::circumstances::Movement;
use crate::rulebook::Switch;
use crate::vocabulary::{
    Condition, LocationState, PartSet, Status, Task, Terms, UnitIndex, Verdict, target_state,
};
use engine::dice::{Dice, Dr, Face};
use engine::process::{Decisions, Due, Event, Log, Player, Process, ReportIndex};

/// The number of attacks before those of the defenders: Residual FP and a Fire Lane.
const LYING: u8 = 2;
/// The reports of one Location: two for each attack.
const MOST_POINTS: ReportIndex = 256;

impl Crossing {
    fn last_location(&self) -> u8 {
        self.path.len() as u8 - 1
    }

    /// Returns the largest number of a unit that moves by itself; each can create a hero.
    fn last_leg(&self) -> u8 {
        if self.setting.goes_on_apart { 2 * self.engagement.units.len() as u8 } else { 0 }
    }

    /// Returns the index of the last report of the stack, or of a unit that moves by itself.
    fn end_point(&self, leg: u8) -> ReportIndex {
        let locations = self.path.len() as ReportIndex + 1;
        MOST_POINTS * locations * (ReportIndex::from(leg) + 1)
    }

    /// Returns the index of the last report: all ends together, or those in the last
    /// Location.
    pub(crate) fn last_point(&self) -> ReportIndex {
        self.end_point(self.last_leg())
    }

    /// Returns the index of a report in a Location: of an attack as it is made, or behind it.
    fn point(&self, state: &CrossingState, number: u8, is_behind: bool) -> ReportIndex {
        let locations = self.path.len() as ReportIndex + 1;
        let place = locations * ReportIndex::from(state.leg) + ReportIndex::from(state.location);
        let within = 2 * ReportIndex::from(number) + 1 + ReportIndex::from(is_behind);
        MOST_POINTS * place + within.min(MOST_POINTS - 1)
    }

    /// Enters the present Location (12.14).
    fn enter<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        state.step = CrossingStep::Next(0);
        if self.setting.movement != Movement::Assault
            || !self.setting.rulebook.chooses(Switch::EntryLosesConcealmentLater)
        {
            self.lose_concealment(state, log);
        }
    }

    /// Takes the concealment that movement in the present Location costs (12.14, I-89).
    fn lose_concealment<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        let place = usize::from(state.location);
        let is_concealed = |unit| state.mover.unit(unit).is(Condition::Concealed);
        let has_concealed = state.mover.present().any(is_concealed);
        let seen = |(number, position): (usize, &super::position::FiringPosition)| {
            position.watches(place, state.markers[number])
                && (self.setting.movement != Movement::Assault || self.is_open(number, place))
        };
        if has_concealed && self.positions.iter().enumerate().any(seen) {
            log.note("12.14", || "the stack loses its concealment".to_string());
            for unit in state.mover.places() {
                state.mover.unit_mut(unit).conditions.clear(Condition::Concealed);
            }
        }
    }

    /// Carries out all that needs no dice and no choice.
    fn advance<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        loop {
            match state.step {
                CrossingStep::Next(number) => {
                    if self.begin_attack(state, number, log) {
                        return;
                    }
                }
                CrossingStep::Leave => self.leave(state),
                _ => return,
            }
        }
    }

    /// Begins an attack, or goes on to the next. Returns whether there is something to wait for.
    fn begin_attack<L: Log>(&self, state: &mut CrossingState, number: u8, log: &mut L) -> bool {
        let is_gone = state.mover.present().next().is_none();
        let is_after = is_gone || number > 0 && !self.has_movers(state) && !self.goes_on_firing;
        let (place, shot) = (state.location, usize::from(number.saturating_sub(LYING)));
        let attack = match number {
            _ if is_after => None,
            0 => Some(self.residual(state).and_then(|fp| {
                let source = AttackSource::Residual(fp);
                Some((self.entry(place, source)?, 1))
            })),
            1 if state.is_lane_gone => Some(None),
            1 => Some(self.entry(place, AttackSource::Lane).map(|entry| (entry, 1))),
            _ => match &*self.plan {
                CrossingPlan::Open if self.choices(state).is_empty() => None,
                CrossingPlan::Open => {
                    state.step = CrossingStep::Choice;
                    return true;
                }
                CrossingPlan::Fixed(plan) => {
                    let here = plan.get(usize::from(place)).and_then(|here| here.get(shot));
                    here.map(|&position| self.shot(state, position))
                }
            },
        };
        match attack {
            None => state.step = CrossingStep::Leave,
            Some(None) => state.step = CrossingStep::Next(number + 1),
            Some(Some((entry, key))) => return self.fire(state, number, (entry, key), log),
        }
        false
    }

    /// Returns the entry and key of the shot that a position has at the stack, if it has one.
    fn shot(&self, state: &CrossingState, position: u8) -> Option<(u16, PartSet)> {
        let (of, place) = (usize::from(position), usize::from(state.location));
        let tiers = self.shots[of].get(place)?;
        let is_concealed =
            state.mover.present().all(|unit| state.mover.unit(unit).is(Condition::Concealed));
        let target = (place, is_concealed);
        let (tier, _, key) = self.positions[of].shot_of(tiers, target, state.markers[of])?;
        Some((self.entry(state.location, AttackSource::Position(position, tier))?, key))
    }

    /// Begins an attack. Returns whether dice are due.
    fn fire<L: Log>(
        &self,
        state: &mut CrossingState,
        number: u8,
        (entry, key): (u16, PartSet),
        log: &mut L,
    ) -> bool {
        state.mover.firers = Default::default();
        state.mover.firers.firing = key;
        state.step = CrossingStep::Attack { number, entry, key };
        self.engagement.play(2 * usize::from(entry), &mut state.mover, log);
        if state.mover.is_quiet() {
            self.end_attack(state, log);
        }
        true
    }

    /// Applies what an attack has cost its firers, once its effects on the stack are known.
    fn end_attack<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        let CrossingStep::Attack { number, entry, key } = state.step else { return };
        let firers = std::mem::take(&mut state.mover.firers);
        state.mover.stage = 0;
        self.wait(state, number);
        let AttackSource::Position(position, tier) = self.entries[usize::from(entry)].source else {
            return;
        };
        let (of, parts) = (usize::from(position), super::marks::MarkerRules::of_key(key).0);
        let shots = &self.shots[of][usize::from(state.location)][tier as usize];
        let cost = ShotCost {
            kept: firers.keep_rof,
            cowered: firers.cowered,
            lost: firers.lost,
            director: shots.figures.get(&key).and_then(|figures| figures.director),
        };
        if let Some(rolled) = state.rolled.take()
            && let Some((figures, table)) = shots.figures.get(&key).zip(shots.shots.get(key))
        {
            let out = (&table.firing().weapons[..], cost.kept | cost.lost);
            let left = figures.residual(rolled, out, self.setting.rulebook);
            let place = usize::from(state.location);
            if left > 0 {
                log.note("8.2", || {
                    format!("{left} Residual FP is left in {}", self.path[place].name)
                });
            }
            if let Some(lying) = state.residual.get_mut(place) {
                *lying = left.max(*lying);
            }
        }
        self.lose_concealment(state, log);
        let rules = &self.positions[of].rules;
        state.markers[of] = rules.after(state.markers[of], (tier, parts), cost);
        if tier == FireTier::Fpf {
            state.step = CrossingStep::Check { number, entry, key };
            return self.begin_check(state, log);
        }
        state.original = 0;
        self.forget(state, position, number);
    }

    /// Ends an attack. Where the enemy chooses, attacks have no numbers that rise.
    fn wait(&self, state: &mut CrossingState, number: u8) {
        state.step = match *self.plan {
            CrossingPlan::Fixed(_) => CrossingStep::Wait(number),
            CrossingPlan::Open => CrossingStep::Next(number + 1),
        };
    }

    /// Forgets the markers of a position that fires no more, so that equal states merge.
    fn forget(&self, state: &mut CrossingState, position: u8, number: u8) {
        let of = usize::from(position);
        if self.report == CrossingReport::Shots {
            return;
        }
        let shots = usize::from((number + 1).saturating_sub(LYING));
        let is_named = self.fires_later(position, state.location, shots)
            || !state.waiting.is_empty() && self.fires_later(position, state.first_ahead(), 0);
        if !is_named || !self.can_fire_again(state, of) {
            state.markers[of] = self.positions[of].rules.spent();
        }
    }

    /// Returns whether a position has any shot left, here or in a later Location, unless it first
    /// has another.
    fn can_fire_again(&self, state: &CrossingState, of: usize) -> bool {
        let mut markers = state.markers[of];
        let first = state.location.min(state.first_ahead());
        (usize::from(first)..self.path.len()).any(|place| {
            let tiers = &self.shots[of][place];
            let fires = |concealed| {
                self.positions[of].shot_of(tiers, (place, concealed), markers).is_some()
            };
            let may_fire = fires(false) || fires(true);
            self.setting.leave_location(&mut markers);
            may_fire
        })
    }

    /// Begins the NMC of the firers of FPF by the DR of their attack (8.31). The others of their
    /// Location take only the LLMC and LLTC of their leader (10.2).
    fn begin_check<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        let CrossingStep::Check { number, entry, key } = state.step else { return };
        let Some((position, checking)) = self.checking(entry, key) else { return };
        let engagement = &self.checks[position];
        let mut units = engagement.units.clone();
        for (place, unit) in units.iter_mut().enumerate() {
            let fate = state.markers[position].fate(place);
            unit.leads &= checking.contains(&place);
            if !fate.is_able() {
                unit.conditions.set(Condition::Eliminated);
            } else if fate == FirerFate::Pinned {
                unit.conditions.set(Condition::Pinned);
            }
        }
        let mut location = LocationState { units, ..LocationState::default() };
        engagement.play(0, &mut location, log);
        let checks = |unit: UnitIndex| checking.contains(&usize::from(unit));
        location.agenda.retain(|task| match task {
            Task::MoraleCheck { unit, .. } => checks(*unit),
            _ => true,
        });
        state.check = Some(Box::new(location));
        let draws =
            state.original == 12 || state.original == 2 && engagement.plays_heat_of_battle();
        match checking.len() > 1 && draws {
            true => state.step = CrossingStep::Draw { number, entry, key },
            false => self.check_firers(state, u32::MAX, log),
        }
    }

    /// Returns the position that fires, and its units that check by the DR of their FPF.
    fn checking(&self, entry: u16, key: PartSet) -> Option<(usize, &[usize])> {
        let of = self.entries[usize::from(entry)];
        let AttackSource::Position(position, tier) = of.source else { return None };
        let shots = &self.shots[usize::from(position)][usize::from(of.location)][tier as usize];
        let figures = shots.figures.get(&key)?;
        Some((position.into(), &figures.checking))
    }

    /// Makes the checks of the firers; the DR strikes those in `struck`.
    fn check_firers<L: Log>(&self, state: &mut CrossingState, struck: u32, log: &mut L) {
        let (CrossingStep::Check { number, entry, key }
        | CrossingStep::Draw { number, entry, key }) = state.step
        else {
            return;
        };
        state.step = CrossingStep::Check { number, entry, key };
        state.struck = struck;
        self.check_on(state, log);
    }

    /// Makes the checks that are due by the DR of the attack, of all firers (8.31).
    fn check_on<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        let CrossingStep::Check { entry, key, .. } = state.step else { return };
        let Some((position, _)) = self.checking(entry, key) else { return };
        if let Some(check) = &mut state.check {
            self.checks[position].check_firers(check, state.original, state.struck, log);
        }
        self.end_check(state);
    }

    /// Ends the check of the firers, unless it waits for dice.
    fn end_check(&self, state: &mut CrossingState) {
        let CrossingStep::Check { number, entry, key } = state.step else { return };
        let Some((position, _)) = self.checking(entry, key) else { return };
        let Some(check) = state.check.take_if(|check| check.is_quiet()) else { return };
        let view = self.checks[position].view(&check);
        for unit in 0..self.positions[position].rules.costs.len() {
            if !state.markers[position].fate(unit).is_able() {
                continue;
            }
            let fate = FirerFate::of_status(view.unit_outcome(unit as UnitIndex).status);
            state.markers[position].set_fate(unit, fate);
        }
        (state.original, state.struck) = (0, 0);
        self.wait(state, number);
        self.forget(state, position as u8, number);
    }

    /// Leaves behind who does not go on (4.2, 7.8), and goes on with the others.
    fn leave(&self, state: &mut CrossingState) {
        match self.report {
            CrossingReport::Together => self.go_on(state),
            _ => state.step = CrossingStep::Passed,
        }
    }

    /// Returns the number of Locations, from the first, that nobody enters any more.
    fn passed(&self, state: &CrossingState) -> usize {
        let goes_on = state.mover.places().any(|unit| self.may_go_on(state, unit));
        match state.waiting.is_empty() {
            true if goes_on && state.location < self.last_location() => {
                usize::from(state.location) + 1
            }
            true => self.path.len(),
            false => 0,
        }
    }

    /// Returns the units of the stack that stop in the present Location.
    fn stopping(&self, state: &CrossingState) -> Vec<UnitIndex> {
        let is_last = state.location == self.last_location();
        let stops =
            |unit: &UnitIndex| state.is_along(*unit) && (is_last || !self.may_go_on(state, *unit));
        state.mover.places().filter(stops).collect()
    }

    /// Records the end of a unit, which is no part of the stack from here on.
    fn leave_behind(&self, state: &mut CrossingState, unit: UnitIndex) {
        if self.report == CrossingReport::Together {
            let end = self.end_of(state, unit);
            let place = state.ends.partition_point(|other| other.unit.slot < end.unit.slot);
            state.ends.insert(place, end);
        }
        state.behind |= 1 << unit;
        self.take_out(state, unit);
    }

    /// Takes a unit out of the stack that is fired at.
    fn take_out(&self, state: &mut CrossingState, unit: UnitIndex) {
        let kind = self.engagement.counter(state.mover.unit(unit)).kind;
        state.mover.eliminate(unit, kind);
        let of = state.mover.unit_mut(unit);
        (of.leads, of.counter) = (false, kind.remains());
    }

    /// Leaves behind who stops, and moves the others to the next Location, or ends the crossing.
    fn go_on(&self, state: &mut CrossingState) {
        let passed = self.passed(state);
        state.residual.iter_mut().take(passed).for_each(|fp| *fp = 0);
        let stopping = self.stopping(state);
        for &unit in &stopping {
            self.leave_behind(state, unit);
        }
        if self.setting.has_turns() {
            for unit in state.mover.places() {
                state.mover.unit_mut(unit).conditions.clear(Condition::Pinned);
            }
        }
        let goes_on = state.location < self.last_location() && self.has_movers(state);
        let may_part =
            goes_on && self.setting.goes_on_apart && state.leg == 0 && !stopping.is_empty();
        if !goes_on || may_part && self.part(state) {
            return self.begin_leg(state);
        }
        self.leave_markers(state);
        state.location += 1;
        self.enter(state, &mut engine::process::Silent);
    }

    /// Lets who goes on move one by one, in stack order (4.2). Returns whether several do.
    fn part(&self, state: &mut CrossingState) -> bool {
        let movers: Vec<UnitIndex> =
            state.mover.places().filter(|&unit| self.is_moving(state, unit)).collect();
        if movers.len() < 2 {
            return false;
        }
        state.waits_in = state.location;
        for unit in movers {
            state.waiting.push((unit, *state.mover.unit(unit)));
            self.take_out(state, unit);
        }
        true
    }

    /// Lets the next unit that waits leave its Location, or ends the crossing.
    fn begin_leg(&self, state: &mut CrossingState) {
        self.leave_markers(state);
        if state.waiting.is_empty() {
            state.step = match self.report {
                CrossingReport::UnitByUnit => CrossingStep::Over,
                _ => CrossingStep::Report,
            };
            return;
        }
        let (unit, waited) = state.waiting.remove(0);
        *state.mover.unit_mut(unit) = waited;
        (state.leg, state.location) = (unit + 1, state.waits_in);
        state.step = CrossingStep::Leave;
        if state.waiting.is_empty() {
            state.waits_in = 0;
        }
    }

    /// Forgets the shots in the Location that the stack leaves, and the markers of who fires no
    /// more.
    fn leave_markers(&self, state: &mut CrossingState) {
        let next = match state.waiting.is_empty() {
            true => state.location + 1,
            false => state.first_ahead(),
        };
        for (of, marker) in state.markers.iter_mut().enumerate() {
            self.setting.leave_location(marker);
            let is_needed = self.fires_later(of as u8, next, 0);
            if self.report != CrossingReport::Shots && !is_needed {
                *marker = self.positions[of].rules.spent();
            }
        }
    }

    /// Returns the end of a unit that is left in the present Location.
    fn end_of(&self, state: &CrossingState, unit: UnitIndex) -> CrossingEnd {
        let mut end = self.engagement.view(&state.mover).unit_outcome(unit);
        let is_last = state.location == self.last_location();
        if is_last && end.status == Status::GoodOrder {
            end.status = Status::Arrived;
        }
        CrossingEnd { unit: end, location: state.location }
    }

    /// Returns the positions that may fire now, by their indices.
    pub(crate) fn choices(&self, state: &CrossingState) -> Vec<u8> {
        let positions = 0..self.positions.len() as u8;
        positions.filter(|&position| self.shot(state, position).is_some()).collect()
    }

    /// Notes the result of an attack for the report of attacks.
    fn note_result(&self, state: &mut CrossingState, original: Dr) {
        let CrossingStep::Attack { number, entry, key } = state.step else { return };
        let of = self.entries[usize::from(entry)];
        if self.report != CrossingReport::UnitByUnit || !state.waiting.is_empty() {
            let is_double = original.coloured() == original.white();
            state.rolled = self.first_target(state).map(|target| (target as u8, is_double));
        }
        match of.source {
            AttackSource::Position(_, FireTier::Fpf) => state.original = original.total(),
            AttackSource::Lane => {
                let (here, later) = self.path.split_at(usize::from(of.location) + 1);
                let lane = here.last().and_then(|location| location.lane);
                let is_gone = lane.is_some_and(|lane| original.total() >= lane.breakdown);
                state.is_lane_gone |= is_gone && later.iter().any(|next| next.lane.is_some());
            }
            _ => {}
        }
        if self.report != CrossingReport::Shots {
            return;
        }
        let Some(target) = self.first_target(state) else { return };
        if let Some(attack) = self.attack(entry, key, target) {
            let (leg, result) = (state.leg, attack.result(original));
            state.told = Some(ShotTold { entry, number, leg, key, state: target as u8, result });
        }
    }

    /// Returns the number of the state of the first unit under fire that moves, if one does.
    fn first_target(&self, state: &CrossingState) -> Option<usize> {
        let moves = |&unit: &UnitIndex| self.is_moving(state, unit);
        let first = state.mover.present().find(moves).or_else(|| state.mover.present().next());
        first.map(|first| target_state(state.mover.unit(first)))
    }
}

impl Process for Crossing {
    type State = CrossingState;
    type Terms = CrossingTerms;
    type Reading = CrossingReading;
    type Outcome = CrossingOutcome;

    fn start<L: Log>(&self, log: &mut L) -> CrossingState {
        let mut state = self.opening();
        self.enter(&mut state, log);
        self.advance(&mut state, log);
        state
    }

    fn due(&self, state: &CrossingState) -> Due<CrossingTerms> {
        if let Some(ShotTold { number, .. }) = state.told {
            return Due::Report(self.point(state, number, false));
        }
        let roll = |due: Due<Terms>, wrap: &dyn Fn(Terms) -> CrossingTerms| match due {
            Due::Roll(dice, terms) => Due::Roll(dice, wrap(terms)),
            _ => Due::Over,
        };
        match state.step {
            CrossingStep::Attack { .. } => {
                roll(self.engagement.due(&state.mover), &CrossingTerms::Mover)
            }
            CrossingStep::Draw { .. } => Due::Roll(Dice::One, CrossingTerms::Selection),
            CrossingStep::Check { entry, key, .. } => {
                match self.checking(entry, key).zip(state.check.as_ref()) {
                    Some(((position, _), check)) => {
                        roll(self.checks[position].due(check), &|terms| {
                            CrossingTerms::Firer(position as u8, terms)
                        })
                    }
                    None => Due::Over,
                }
            }
            CrossingStep::Choice => {
                Due::Choice { player: Player::Enemy, options: self.choices(state).len() + 1 }
            }
            CrossingStep::Wait(number) => Due::Report(self.point(state, number, true)),
            CrossingStep::Passed => Due::Report(match state.location < self.last_location() {
                true => self.point(state, u8::MAX, true),
                false => self.end_point(state.leg),
            }),
            CrossingStep::Report => Due::Report(self.last_point()),
            CrossingStep::Next(_) | CrossingStep::Leave | CrossingStep::Over => Due::Over,
        }
    }

    fn epoch(&self, state: &CrossingState) -> u32 {
        u32::from(state.leg) * self.path.len() as u32 + u32::from(state.location)
    }

    fn read(&self, terms: &CrossingTerms, face: Face) -> CrossingReading {
        match terms {
            CrossingTerms::Mover(terms) => {
                CrossingReading::Mover(self.engagement.read(terms, face))
            }
            CrossingTerms::Firer(position, terms) => {
                CrossingReading::Firer(self.checks[usize::from(*position)].read(terms, face))
            }
            CrossingTerms::Selection => CrossingReading::Number(face.number()),
        }
    }

    fn apply<L: Log>(&self, state: &mut CrossingState, reading: CrossingReading, log: &mut L) {
        match (state.step, reading) {
            (CrossingStep::Attack { .. }, CrossingReading::Mover(reading)) => {
                if let Verdict::Original(original) = reading.verdict {
                    self.note_result(state, original);
                }
                self.engagement.apply(&mut state.mover, reading, log);
            }
            (CrossingStep::Draw { entry, key, .. }, CrossingReading::Number(dr)) => {
                self.draw(state, (entry, key), dr, log);
            }
            (CrossingStep::Check { entry, key, .. }, CrossingReading::Firer(reading)) => {
                if let Some((position, _)) = self.checking(entry, key)
                    && let Some(check) = &mut state.check
                {
                    self.checks[position].apply(check, reading, log);
                }
                self.check_on(state, log);
            }
            _ => {}
        }
        if state.told.is_none() {
            self.settle(state, log);
        }
    }

    fn choose<L: Log>(&self, state: &mut CrossingState, option: usize, log: &mut L) {
        let position = option.checked_sub(1).and_then(|of| self.choices(state).get(of).copied());
        match position.and_then(|position| self.shot(state, position)) {
            None => state.step = CrossingStep::Leave,
            // The next choice comes with the same number.
            Some(shot) => {
                self.fire(state, LYING - 1, shot, log);
            }
        }
        self.advance(state, log);
    }

    fn report(&self, state: &CrossingState, observe: &mut dyn FnMut(CrossingOutcome)) {
        if let Some(told) = state.told {
            return observe(CrossingOutcome::Shot(told));
        }
        if matches!(state.step, CrossingStep::Wait(_)) {
            return;
        }
        match self.report {
            CrossingReport::UnitByUnit => {
                let units = self.stopping(state).into_iter();
                units.for_each(|unit| observe(CrossingOutcome::Unit(self.end_of(state, unit))));
            }
            CrossingReport::Shots if state.step == CrossingStep::Passed => {
                let passed = (0..).zip(&state.residual).take(self.passed(state));
                let lying = passed.filter(|(_, fp)| **fp > 0);
                lying.for_each(|(location, &fp)| {
                    observe(CrossingOutcome::Residual { location, fp });
                });
            }
            CrossingReport::Together if self.joint => {
                observe(CrossingOutcome::All(state.ends.clone().into()));
            }
            CrossingReport::Together => {
                state.ends.iter().for_each(|end| observe(CrossingOutcome::Unit(*end)));
            }
            CrossingReport::Shots => self.report_firers(state, observe),
        }
    }

    fn pass<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        if state.told.take().is_some() {
            return self.settle(state, log);
        }
        if let CrossingStep::Wait(number) = state.step {
            state.step = CrossingStep::Next(number + 1);
            return self.advance(state, log);
        }
        if state.step == CrossingStep::Report {
            state.step = CrossingStep::Over;
            return;
        }
        self.go_on(state);
        self.advance(state, log);
    }

    fn describe(&self, state: &CrossingState, terms: &CrossingTerms, face: Face) -> Event {
        self.roll_in_words(state, terms, face)
    }
}

impl Crossing {
    /// Goes on after a roll, once the attack or the check is over.
    fn settle<L: Log>(&self, state: &mut CrossingState, log: &mut L) {
        if matches!(state.step, CrossingStep::Attack { .. }) && state.mover.is_quiet() {
            self.end_attack(state, log);
        }
        self.advance(state, log);
    }

    /// Applies a dr of the Random Selection among the firers (8.31).
    fn draw<L: Log>(
        &self,
        state: &mut CrossingState,
        (entry, key): (u16, PartSet),
        dr: u8,
        log: &mut L,
    ) {
        let Some((_, checking)) = self.checking(entry, key) else { return };
        let Some(check) = &mut state.check else { return };
        check.select(dr, 1);
        if check.selection.len() < checking.len() {
            return;
        }
        let drs = std::mem::take(&mut check.selection);
        let drawn = checking.iter().zip(drs).filter(|(_, dr)| *dr > 0);
        let struck = drawn.map(|(unit, _)| 1 << unit).sum();
        self.check_firers(state, struck, log);
    }

    /// Reports what has become of the firers.
    fn report_firers(&self, state: &CrossingState, observe: &mut dyn FnMut(CrossingOutcome)) {
        for (number, position) in (0..).zip(&self.positions) {
            let markers = state.markers[usize::from(number)];
            let units = 0..position.rules.costs.len();
            let fates = units.map(|unit| (unit as u8, markers.fate(unit)));
            let mut worst = FirerFate::Unharmed;
            for (unit, fate) in fates {
                worst = worst.max(fate);
                if fate != FirerFate::Unharmed {
                    observe(CrossingOutcome::Firer { position: number, unit, fate });
                }
            }
            if worst != FirerFate::Unharmed {
                observe(CrossingOutcome::Position { position: number, fate: worst });
            }
            let mut lost = position.lost(markers).peekable();
            if lost.peek().is_some() {
                observe(CrossingOutcome::Malfunction { position: number });
            }
            for part in lost {
                observe(CrossingOutcome::Weapon { position: number, part: part as u8 });
            }
        }
    }
}

impl Decisions for Crossing {
    fn decision(&self, state: &CrossingState) -> String {
        let (view, location) = (self.engagement.view(&state.mover), self.location(state.location));
        let movers = state.mover.places().filter(|&unit| self.is_moving(state, unit));
        let movers: Vec<String> = movers.map(|unit| view.name(unit)).collect();
        let marked = |(position, markers): (&super::position::FiringPosition, &MarkerState)| {
            let marker = markers.highest(position.rules.parts.len())?;
            let fates = (0..position.rules.costs.len()).map(|unit| markers.fate(unit));
            let worst = fates.max().filter(|fate| *fate != FirerFate::Unharmed);
            Some(format!(", {} {}", position.name, worst.map_or(marker.name(), FirerFate::name)))
        };
        let marked: String = self.positions.iter().zip(&state.markers).filter_map(marked).collect();
        format!("{} in {}{marked}", movers.join(" + "), location.name)
    }

    fn options(&self, state: &CrossingState) -> Vec<String> {
        let fires =
            |&position: &u8| format!("fires with {}", self.positions[usize::from(position)].name);
        let all = self.choices(state);
        std::iter::once("holds fire".to_string()).chain(all.iter().map(fires)).collect()
    }

    fn kinds(&self, state: &CrossingState) -> Vec<&'static str> {
        std::iter::once("hold").chain(self.choices(state).iter().map(|_| "fire")).collect()
    }
}
