//! The markers of a defender's Location in the enemy's MPh (8.1 - 8.31): which units and SW have
//! fired how, and what has become of them.

use crate::attack::circumstances::FirePhase;
use crate::attack::shots::FiringPart;
use crate::vocabulary::{PartSet, Status};

/// The largest number of units and SW that fire from one Location.
pub const MOST_PARTS: usize = 8;
/// The largest number of units in it.
pub const MOST_CREW: usize = 8;

/// The place of the leader in the key of a shot.
const BARRED: usize = MOST_PARTS + 2 * MOST_CREW;

/// A kind of Defensive First Fire, in the order in which units use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FireTier {
    First,
    Subsequent,
    Fpf,
}

impl FireTier {
    pub const ALL: [FireTier; 3] = [FireTier::First, FireTier::Subsequent, FireTier::Fpf];

    /// Returns the phase of the attack.
    pub const fn phase(self) -> FirePhase {
        match self {
            FireTier::First => FirePhase::First,
            FireTier::Subsequent => FirePhase::Subsequent,
            FireTier::Fpf => FirePhase::Fpf,
        }
    }
}

/// The marker of a unit's inherent FP or of a SW.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FireMarker {
    None,
    First,
    Final,
    /// It fires no more: a SW that malfunctions.
    Lost,
    /// Final Fire by Cowering, by the alternative of I-94, which allows no FPF.
    Cowered,
}

impl FireMarker {
    const ALL: [FireMarker; 5] = [
        FireMarker::None,
        FireMarker::First,
        FireMarker::Final,
        FireMarker::Lost,
        FireMarker::Cowered,
    ];

    /// Returns the name of the marker.
    pub fn name(self) -> &'static str {
        match self {
            FireMarker::None => "unmarked",
            FireMarker::First => "First Fire",
            FireMarker::Final | FireMarker::Cowered => "Final Fire",
            FireMarker::Lost => "malfunctioned",
        }
    }
}

/// The fate of a unit that fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FirerFate {
    Unharmed,
    Pinned,
    Berserk,
    Broken,
    Disrupted,
    Captured,
    Eliminated,
}

impl FirerFate {
    const ALL: [FirerFate; 7] = [
        FirerFate::Unharmed,
        FirerFate::Pinned,
        FirerFate::Berserk,
        FirerFate::Broken,
        FirerFate::Disrupted,
        FirerFate::Captured,
        FirerFate::Eliminated,
    ];

    /// Returns whether the unit may still fire or direct.
    pub fn is_able(self) -> bool {
        matches!(self, FirerFate::Unharmed | FirerFate::Pinned)
    }

    /// Returns the word for the fate in an answer.
    pub fn name(self) -> &'static str {
        match self {
            FirerFate::Unharmed => "unharmed",
            FirerFate::Pinned => Status::Pinned.name(),
            FirerFate::Berserk => Status::Berserk.name(),
            FirerFate::Broken => Status::Broken.name(),
            FirerFate::Disrupted => Status::Disrupted.name(),
            FirerFate::Captured => Status::Captured.name(),
            FirerFate::Eliminated => Status::Eliminated.name(),
        }
    }

    /// Returns the fate of a unit that ends a check in a status.
    pub fn of_status(status: Status) -> FirerFate {
        match status {
            Status::Pinned => FirerFate::Pinned,
            Status::Berserk => FirerFate::Berserk,
            Status::Broken => FirerFate::Broken,
            Status::Disrupted => FirerFate::Disrupted,
            Status::Captured => FirerFate::Captured,
            Status::Eliminated => FirerFate::Eliminated,
            _ => FirerFate::Unharmed,
        }
    }
}

/// The parts of firers at one moment: the markers, the shots in the present Location, and the
/// units. All zero is nobody who has fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MarkerState {
    /// Three bits for each part.
    markers: u32,
    /// Four bits for each part.
    shots: u32,
    /// Three bits for each unit.
    fates: u32,
    /// The number of the leader who has directed, from 1, and the parts that he has directed.
    director: u8,
    directed: u8,
}

impl MarkerState {
    /// Returns the state before the first shot.
    pub(crate) fn begin(parts: &[FiringPart]) -> MarkerState {
        let mut state = MarkerState::default();
        for (part, of) in parts.iter().enumerate() {
            if of.is_marked {
                state.mark(part, FireMarker::First);
            }
        }
        state
    }

    pub fn marker(self, part: usize) -> FireMarker {
        FireMarker::ALL[(self.markers >> (3 * part) & 7) as usize]
    }

    /// Returns the last marker that the first `parts` have, if any has one.
    pub fn highest(self, parts: usize) -> Option<FireMarker> {
        let marked = [FireMarker::Final, FireMarker::Cowered, FireMarker::First];
        marked.into_iter().find(|marker| (0..parts).any(|part| self.marker(part) == *marker))
    }

    fn mark(&mut self, part: usize, marker: FireMarker) {
        self.markers = self.markers & !(7 << (3 * part)) | (marker as u32) << (3 * part);
    }

    fn shots(self, part: usize) -> u8 {
        (self.shots >> (4 * part) & 15) as u8
    }

    pub fn fate(self, unit: usize) -> FirerFate {
        FirerFate::ALL[(self.fates >> (3 * unit) & 7) as usize]
    }

    pub fn set_fate(&mut self, unit: usize, fate: FirerFate) {
        self.fates = self.fates & !(7 << (3 * unit)) | (fate as u32) << (3 * unit);
    }

    /// Forgets how often each part has fired in the Location that the stack leaves.
    pub fn leave_location(&mut self) {
        self.shots = 0;
    }

    /// Removes what a Player Turn ends: markers of fire (8.1), pins (7.8), who has directed (7.53).
    pub fn end_turn(&mut self) {
        let old = std::mem::take(self);
        for place in 0..u32::BITS as usize / 3 {
            if old.marker(place) == FireMarker::Lost {
                self.mark(place, FireMarker::Lost);
            }
            let fate = old.fate(place);
            self.set_fate(
                place,
                if fate == FirerFate::Pinned { FirerFate::Unharmed } else { fate },
            );
        }
    }
}

/// The firers of one Location, as their markers see them.
#[derive(Clone, Debug)]
pub(crate) struct MarkerRules {
    pub parts: Vec<FiringPart>,
    /// For each unit, whether the use of one SW, and of two, costs its inherent FP.
    pub costs: Vec<[bool; 2]>,
    /// True if they use Subsequent First Fire, and FPF.
    pub uses: [bool; 2],
    /// The marker of Cowering (7.9, I-94).
    pub cowered: FireMarker,
}

/// What a shot has cost the parts of its firers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShotCost {
    /// The MG that keep their ROF.
    pub kept: PartSet,
    /// The parts of the units that Cowering marks.
    pub cowered: PartSet,
    /// The SW that malfunction.
    pub lost: PartSet,
    /// The leader who has directed.
    pub director: Option<usize>,
}

/// What the firers see of the Location in which the stack is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FiringChance {
    pub range: u8,
    /// True if a Known armed enemy is nearer (8.3).
    pub is_nearer: bool,
    /// How often each part may fire there (9.2).
    pub most_shots: u8,
}

impl MarkerRules {
    fn of_unit(&self, unit: usize) -> impl Iterator<Item = (usize, &FiringPart)> {
        self.parts.iter().enumerate().filter(move |(_, part)| part.unit == unit)
    }

    fn units(&self) -> usize {
        self.costs.len()
    }

    /// Returns the parts without the inherent FP that the SW among them cost (7.35).
    fn less_costs(&self, parts: PartSet) -> PartSet {
        let is_in = |part: usize| parts >> part & 1 == 1;
        let is_kept = |(part, of): &(usize, &FiringPart)| {
            let weapons = self.of_unit(of.unit).filter(|(other, of)| of.is_weapon && is_in(*other));
            let weapons = weapons.count();
            let costs = match weapons {
                0 => false,
                1 => self.costs[of.unit][0],
                _ => self.costs[of.unit][1],
            };
            is_in(*part) && (of.is_weapon || !costs)
        };
        let kept = self.parts.iter().enumerate().filter(is_kept);
        kept.map(|(part, _)| 1 << part).sum()
    }

    /// Returns the shots that are possible at a stack, in the order in which they are used: with
    /// what is unmarked, else as Subsequent First Fire, else as FPF (8.1, 8.3, 8.31).
    pub fn shots(
        &self,
        state: MarkerState,
        chance: FiringChance,
    ) -> impl Iterator<Item = (FireTier, PartSet)> {
        let first = self.first_fire(state, chance);
        let subsequent = self.marked_fire(state, chance, FireTier::Subsequent);
        let fpf = self.marked_fire(state, chance, FireTier::Fpf);
        let all = [first, subsequent, fpf];
        FireTier::ALL.into_iter().zip(all).filter(|(_, parts)| *parts != 0)
    }

    /// Returns the unmarked parts that fire (8.1). A MG that keeps its ROF fires alone (I-95).
    fn first_fire(&self, state: MarkerState, chance: FiringChance) -> PartSet {
        let fires = |(part, of): &(usize, &FiringPart)| {
            state.marker(*part) == FireMarker::None
                && state.fate(of.unit).is_able()
                && chance.range <= of.reach
                && state.shots(*part) < chance.most_shots
        };
        let parts = self.parts.iter().enumerate().filter(fires);
        self.less_costs(parts.map(|(part, _)| 1 << part).sum())
    }

    /// Returns the parts that fire as Subsequent First Fire (8.3) or FPF (8.31): those of each unit
    /// with such a marker that can use all its usable MG. The inherent FP that the use of SW has
    /// cost is there again, unless SW cost it in this attack (7.353).
    fn marked_fire(&self, state: MarkerState, chance: FiringChance, tier: FireTier) -> PartSet {
        let (is_allowed, marker) = match tier {
            FireTier::First => (false, FireMarker::None),
            FireTier::Subsequent => (self.uses[0] && !chance.is_nearer, FireMarker::First),
            FireTier::Fpf => (self.uses[1] && chance.range <= 1, FireMarker::Final),
        };
        if !is_allowed {
            return 0;
        }
        let is_usable = |part: usize, of: &FiringPart| {
            let reach = if tier == FireTier::Fpf { of.reach } else { of.normal_range };
            of.is_sustained
                && chance.range <= reach
                && state.marker(part) != FireMarker::Lost
                && (of.is_weapon || state.marker(part) == marker)
        };
        let of_unit = |unit: usize| -> PartSet {
            let mut own = self.of_unit(unit);
            let is_marked = own.any(|(part, _)| state.marker(part) == marker);
            let is_final = |marker| matches!(marker, FireMarker::Final | FireMarker::Cowered);
            let has_final = self.of_unit(unit).any(|(part, _)| is_final(state.marker(part)));
            if !is_marked || !state.fate(unit).is_able() || has_final != (tier == FireTier::Fpf) {
                return 0;
            }
            let usable = self.of_unit(unit).filter(|(part, of)| is_usable(*part, of));
            let usable: PartSet = usable.map(|(part, _)| 1 << part).sum();
            let firing = self.less_costs(usable);
            let may =
                |part: usize| firing >> part & 1 == 0 || state.shots(part) < chance.most_shots;
            if (0..self.parts.len()).all(may) { firing } else { 0 }
        };
        (0..self.units()).map(of_unit).sum()
    }

    /// Returns the state after a shot (8.1, 8.3, 7.9, 9.2, 9.7).
    pub fn after(
        &self,
        before: MarkerState,
        (tier, firing): (FireTier, PartSet),
        cost: ShotCost,
    ) -> MarkerState {
        let mut state = before;
        let is_in = |parts: PartSet, part: usize| parts >> part & 1 == 1;
        let fired = |unit: usize| self.of_unit(unit).any(|(part, _)| is_in(firing, part));
        let weapon_fired =
            |unit: usize| self.of_unit(unit).any(|(part, of)| of.is_weapon && is_in(firing, part));
        for (part, of) in self.parts.iter().enumerate() {
            let is_firing = is_in(firing, part);
            if is_firing {
                state.shots += 1 << (4 * part);
            }
            let now = before.marker(part);
            let loses_inherent = !of.is_weapon && weapon_fired(of.unit) && self.costs[of.unit][0];
            let two =
                self.of_unit(of.unit).filter(|(other, of)| of.is_weapon && is_in(firing, *other));
            let loses_inherent =
                loses_inherent || !of.is_weapon && two.count() > 1 && self.costs[of.unit][1];
            let after = match tier {
                _ if now == FireMarker::Lost || is_in(cost.lost, part) => FireMarker::Lost,
                _ if is_in(cost.cowered, part) => self.cowered,
                FireTier::First if is_in(cost.kept, part) => now,
                FireTier::First if is_firing || loses_inherent => FireMarker::First,
                FireTier::First => now,
                FireTier::Subsequent | FireTier::Fpf if fired(of.unit) => FireMarker::Final,
                FireTier::Subsequent | FireTier::Fpf => now,
            };
            state.mark(part, after);
        }
        // Of two leaders only the one who directs first is followed.
        if let Some(leader) = cost.director
            && [0, leader as u8 + 1].contains(&state.director)
        {
            state.director = leader as u8 + 1;
            state.directed |= firing as u8;
        }
        state
    }

    /// Returns the leader who may not direct a shot, because he has directed others in this Player
    /// Turn (7.53): again he directs only kept ROF, and what fires on as SFF or FPF.
    fn barred(&self, state: MarkerState, (tier, firing): (FireTier, PartSet)) -> Option<usize> {
        let leader = usize::from(state.director.checked_sub(1)?);
        let is_directed = |part: usize| state.directed >> part & 1 == 1;
        let knows = |part: usize| match tier {
            FireTier::First => is_directed(part),
            FireTier::Subsequent | FireTier::Fpf => {
                self.of_unit(self.parts[part].unit).any(|(other, _)| is_directed(other))
            }
        };
        let mut parts = (0..self.parts.len()).filter(|part| firing >> part & 1 == 1);
        (!parts.all(knows)).then_some(leader)
    }

    /// Returns the state of firers who never fire again, whatever has become of them.
    pub fn spent(&self) -> MarkerState {
        let mut state = MarkerState::default();
        (0..self.parts.len()).for_each(|part| state.mark(part, FireMarker::Lost));
        state
    }

    /// Returns the key of a shot: its parts, the units that are pinned or fire no more, and a
    /// leader who may not direct it.
    pub fn key(&self, state: MarkerState, shot: (FireTier, PartSet)) -> PartSet {
        let of = |fits: fn(FirerFate) -> bool| -> PartSet {
            (0..self.units()).filter(|&unit| fits(state.fate(unit))).map(|unit| 1 << unit).sum()
        };
        let (pinned, out) = (of(|fate| fate == FirerFate::Pinned), of(|fate| !fate.is_able()));
        let barred = self.barred(state, shot).map_or(0, |leader| leader as PartSet + 1);
        shot.1 | pinned << MOST_PARTS | out << (MOST_PARTS + MOST_CREW) | barred << BARRED
    }

    /// Returns the parts of a key, and the conditions that it gives to a unit.
    pub fn of_key(key: PartSet) -> (PartSet, impl Fn(usize) -> Option<FirerFate>) {
        let fate = move |unit: usize| match () {
            () if key >> (MOST_PARTS + MOST_CREW + unit) & 1 == 1 => Some(FirerFate::Broken),
            () if key >> (MOST_PARTS + unit) & 1 == 1 => Some(FirerFate::Pinned),
            () => None,
        };
        (key & ((1 << MOST_PARTS) - 1), fate)
    }

    /// Returns the leader who may not direct the shot of a key.
    pub fn barred_of_key(key: PartSet) -> Option<usize> {
        (key >> BARRED).checked_sub(1).map(|leader| leader as usize)
    }
}
