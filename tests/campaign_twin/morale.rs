//! Fire, Morale Checks and rallies of one unit (rules sections 3 - 5, 16).

use super::man::{Branches, Man};
use crate::twin::catalogue::{Counter, Kind, counters, index_of};
use crate::twin::ift::{Effect, effect};

/// A leader in the Location who is always in Good Order and never at risk.
#[derive(Clone, Copy)]
pub struct Lent {
    counter: &'static Counter,
}

impl Lent {
    pub fn new(id: &str) -> Lent {
        Lent { counter: &counters()[index_of(id)] }
    }

    pub fn is_commissar(self) -> bool {
        self.counter.kind == Kind::Commissar
    }

    /// 10.7: returns the leadership DRM, one worse for units of another nationality.
    fn drm(self, man: &Man) -> i32 {
        let home = |counter: &'static Counter| match counter.nationality.as_str() {
            "german_ss" => "german",
            nationality => nationality,
        };
        let (his, its) = (home(self.counter), home(man.counter()));
        self.counter.leadership + i32::from(his != its && its != "any")
    }

    /// 10.21, 10.22, 10.72: returns the DRM of this leader in a check of the unit. A leader takes
    /// only the DRM of a leader of higher ML; other units must take any DRM.
    fn in_check(self, man: &Man) -> i32 {
        if man.is_leader() && self.counter.morale <= level(man, Some(self)) {
            0
        } else {
            self.drm(man)
        }
    }
}

/// 2.3: returns the ML of the unit, which a Commissar in the Location raises (25.22).
fn level(man: &Man, leader: Option<Lent>) -> i32 {
    man.morale(leader.is_some_and(Lent::is_commissar))
}

/// Returns every DR, the colored die first.
fn rolls() -> impl Iterator<Item = (i32, i32)> {
    (1..=6).flat_map(|colored| (1..=6).map(move |white| (colored, white)))
}

const ONE: f64 = 1.0 / 36.0;

/// Adds the results in `from` to those in `into`, each times `chance`.
fn spread(into: &mut Branches, from: Branches, chance: f64) {
    for (man, part) in from {
        match into.iter_mut().find(|(known, _)| *known == man) {
            Some((_, sum)) => *sum += chance * part,
            None => into.push((man, chance * part)),
        }
    }
}

/// Returns the results of one attack on the IFT (7.3). A broken unit comes under DM if any DR of
/// the attack can give an NMC (10.62).
pub fn attacked(
    man: Man,
    (fp, drm): (i32, i32),
    cowering: i32,
    leader: Option<Lent>,
    elr: i32,
) -> Branches {
    let read = |(colored, white)| effect(fp, drm, cowering, colored, white);
    let bites =
        rolls().map(read).any(|effect| !matches!(effect, Effect::Nothing | Effect::PinTask));
    let man = Man { dm: man.dm || (man.broken && bites), ..man };
    let mut ends = Branches::new();
    for roll in rolls() {
        spread(&mut ends, struck(man, read(roll), leader, elr), ONE);
    }
    ends
}

/// 7.301 - 7.305: returns the results of one effect of the IFT on a unit that is alone.
fn struck(man: Man, effect: Effect, leader: Option<Lent>, elr: i32) -> Branches {
    match effect {
        Effect::Nothing | Effect::PinTask => vec![(man, 1.0)],
        Effect::Morale(drm) => morale_check(man, drm, leader, elr),
        Effect::Kill(_) => vec![(man.eliminated(), 1.0)],
        Effect::Casualty(drm) => {
            let mut ends = Branches::new();
            for (man, chance) in man.reduced() {
                let checks = man.is_there() && !man.is_leader();
                let after =
                    if checks { morale_check(man, drm, leader, elr) } else { vec![(man, 1.0)] };
                spread(&mut ends, after, chance);
            }
            ends
        }
    }
}

/// Returns the results of one MC, by 10.1 - 10.31, 19.1.
fn morale_check(man: Man, drm: i32, leader: Option<Lent>, elr: i32) -> Branches {
    let drm = drm + leader.map_or(0, |leader| leader.in_check(&man));
    let level = level(&man, leader);
    let immune = man.counter().kind == Kind::Crew;
    let mut ends = Branches::new();
    for (colored, white) in rolls() {
        let dr = colored + white;
        let elr_failure = !immune && dr + drm - level > man.elr(elr);
        let after = match (dr, man.broken) {
            (12, true) => vec![(man.eliminated(), 1.0)],
            (12, false) => man.casualty_check(elr_failure),
            _ if dr + drm <= level => vec![(man, 1.0)],
            (_, true) => Man { dm: true, ..man }.reduced(),
            (_, false) => vec![(man.fails(elr_failure), 1.0)],
        };
        spread(&mut ends, after, ONE);
    }
    ends
}

/// The effect of an NMC by Interdiction (10.53).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interdicted {
    GoesOn,
    Pinned,
    Hit,
}

/// 10.53: returns the results of the NMC of a broken unit that enters an Interdicted hex.
pub fn interdiction(man: Man, leader: Option<Lent>) -> Vec<(Interdicted, Man, f64)> {
    let passes = level(&man, leader) - leader.map_or(0, |leader| leader.in_check(&man));
    let mut ends = Vec::new();
    for (colored, white) in rolls() {
        match colored + white {
            12 => ends.push((Interdicted::Hit, man.eliminated(), ONE)),
            dr if dr > passes => ends.extend(
                man.reduced().into_iter().map(|(man, part)| (Interdicted::Hit, man, ONE * part)),
            ),
            dr if dr == passes.min(11) => ends.push((Interdicted::Pinned, man, ONE)),
            _ => ends.push((Interdicted::GoesOn, man, ONE)),
        }
    }
    ends
}

/// The way in which a unit attempts to rally.
#[derive(Clone, Copy)]
pub enum Means {
    Led(Lent),
    /// 10.63: the unit Self-Rallies.
    Itself,
    /// 18.11: the unit is the first MMC of its side, in its own RPh.
    First,
}

/// 10.6, 10.63, 18.11: returns the way in which the unit can attempt to rally; `None` if it cannot.
pub fn means(man: &Man, leader: Option<Lent>, own: bool) -> Option<Means> {
    let counter = man.counter();
    let finn = counter.nationality == "finnish" && counter.class != "C";
    match leader {
        Some(leader) => Some(Means::Led(leader)),
        None if man.disrupted => None,
        None if own && !man.is_leader() => Some(Means::First),
        None if man.is_leader() || counter.kind == Kind::Crew || counter.self_rally || finn => {
            Some(Means::Itself)
        }
        None => None,
    }
}

/// 10.61 - 10.64: returns the results of one attempt to rally.
pub fn rally_attempt(man: Man, means: Means, in_cover: bool) -> Branches {
    let dm = if man.dm { 4 } else { 0 };
    let (leader, of_means) = match means {
        // 25.22: DM does not count under a Commissar.
        Means::Led(leader) if leader.is_commissar() => (Some(leader), 0),
        Means::Led(leader) => (Some(leader), leader.drm(&man) + dm),
        Means::Itself | Means::First => (None, 1 + dm),
    };
    let drm = of_means - i32::from(in_cover);
    let mut ends = Branches::new();
    for (colored, white) in rolls() {
        let after = match colored + white {
            12 => man.reduced(),
            2 if matches!(means, Means::First) => vec![(man.rallied(), 1.0)],
            dr if dr + drm <= level(&man, leader) => vec![(man.rallied(), 1.0)],
            _ if leader.is_some_and(Lent::is_commissar) => man.disgraced(),
            _ => vec![(man, 1.0)],
        };
        spread(&mut ends, after, ONE);
    }
    ends
}
