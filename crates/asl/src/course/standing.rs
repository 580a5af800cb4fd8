//! How a unit stands at the end, and what it has cost.

use crate::catalogue::{CATALOGUE, Counter, CounterKind};
use crate::count::{SQUAD_EQUIVALENTS, half_squads_of, parts};
use crate::outcome::UnitOutcome;
use crate::stack::Member;
use crate::unit::Status;
use system::Measure;
use system::count::{Counted as CountedUnit, Group};
use system::objective::Counted;

/// Things a player may be after.
pub const MEASURES: [Measure; 6] = [
    Measure {
        name: "good-order",
        weight: 1.0,
        of_one: "P(Good Order at the end)",
        of_several: "expected number of units in Good Order",
        gain: "expected units in Good Order",
    },
    Measure {
        name: "good-order-squads",
        weight: 1.0,
        of_one: "expected squad-equivalents in Good Order",
        of_several: "expected squad-equivalents in Good Order",
        gain: "expected squad-equivalents in Good Order",
    },
    Measure {
        name: "survives",
        weight: 1.0,
        of_one: "P(survives)",
        of_several: "expected number of units that survive",
        gain: "expected survivors",
    },
    Measure {
        name: IN_COVER,
        weight: 1.0,
        of_one: "P(in cover at the end)",
        of_several: "expected number of units in cover",
        gain: "expected units in cover",
    },
    Measure {
        name: "squad-equivalents",
        weight: 1.0,
        of_one: "expected squad-equivalents left",
        of_several: "expected squad-equivalents left",
        gain: "expected squad-equivalents",
    },
    Measure {
        name: "cvp",
        weight: -1.0,
        of_one: "expected CVP lost",
        of_several: "expected CVP lost",
        gain: "expected CVP lost",
    },
];

/// Among what is equal by an objective survival counts, then squad-equivalents: their places.
pub const TIES: [usize; 2] = [2, 4];

/// The measure that needs to know where units are.
const IN_COVER: &str = "in-cover";

/// How one unit stands at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// A.7: neither broken nor berserk nor lost; a pinned unit is in Good Order.
    pub good_order: bool,
    /// Neither eliminated nor captured.
    pub survives: bool,
    /// 10.51: whether it is in cover, where places are known.
    pub in_cover: Option<bool>,
    /// 5.1: a squad 1, a half-squad or crew 1/2, an SMC 0; nothing of a unit that is lost.
    pub squad_equivalents: f64,
    /// The same of what is in Good Order.
    pub good_order_squads: f64,
    /// 26.2: Casualty Victory Points that have been made of it. The second half-squad of a squad
    /// gives back what the slot of the squad has lost with it, so that the slots of a stack add up.
    pub cvp: f64,
}

impl Counted for Standing {
    /// In the order of [`MEASURES`].
    fn amount(&self, measure: usize) -> f64 {
        let flag = |holds: bool| f64::from(u8::from(holds));
        [
            flag(self.good_order),
            self.good_order_squads,
            flag(self.survives),
            flag(self.in_cover == Some(true)),
            self.squad_equivalents,
            self.cvp,
        ][measure]
    }
}

impl Standing {
    /// From how a unit ends, and the counter it began as; none for a unit created on the way, with
    /// which nothing is lost: heroes and leaders come on top, and a second half-squad (19.13) has
    /// come out of its squad.
    pub fn of(outcome: &UnitOutcome, began: Option<&Counter>) -> Standing {
        let good_order =
            matches!(outcome.status, Status::GoodOrder | Status::Rallied | Status::Pinned);
        let captured = outcome.status == Status::Captured;
        let eliminated = outcome.status == Status::Eliminated;
        let now = if eliminated { None } else { Some(size_of(outcome, began)) };
        let cvp = match (began, now) {
            (Some(began), None) => cvp(began),
            (Some(began), Some(size)) => {
                let reduced =
                    f64::from(u8::from(began.kind == CounterKind::Squad && size == Size::Half));
                reduced + if captured { 2.0 * cvp_now(outcome, size) } else { 0.0 }
            }
            (None, Some(Size::Half)) if captured => 1.0,
            (None, Some(Size::Half)) => -1.0,
            (None, _) => 0.0,
        };
        let survives = !eliminated && !captured;
        let squad_equivalents = now.filter(|_| survives).map_or(0.0, Size::squad_equivalents);
        let good_order_squads = if good_order { squad_equivalents } else { 0.0 };
        Standing { good_order, survives, in_cover: None, squad_equivalents, good_order_squads, cvp }
    }
}

/// How a unit of a group stands, which began as a member of the stack or came out of one. The
/// second half-squad of a Replacement (19.13) is part of what began as a squad: as
/// squad-equivalents it counts.
pub(crate) fn counted(
    group: &Group,
    outcome: &UnitOutcome,
    began: Option<&Member>,
) -> Option<CountedUnit> {
    let began_as = began.map(|member| member.printed());
    let kind = began_as.map(|counter| counter.kind).or(outcome.created)?;
    let parts = match *group {
        SQUAD_EQUIVALENTS => {
            (2.0 * Standing::of(outcome, began_as).squad_equivalents).round() as u8
        }
        group => parts(&group, kind),
    };
    let created = began.is_none() && *group != SQUAD_EQUIVALENTS;
    let UnitOutcome { slot, status, .. } = *outcome;
    (parts > 0).then(|| CountedUnit { slot, status: status.name(), parts, created })
}

/// 26.2: Casualty Victory Points of a counter: a squad 2; a half-squad, crew or SMC 1, a leader 1
/// more for each point of negative leadership.
pub fn cvp(counter: &Counter) -> f64 {
    match counter.kind {
        CounterKind::Squad => 2.0,
        CounterKind::HalfSquad | CounterKind::Crew | CounterKind::Hero => 1.0,
        CounterKind::Leader | CounterKind::Commissar => {
            1.0 + f64::from((-counter.leadership).max(0))
        }
    }
}

/// The same of a unit as it ends.
fn cvp_now(outcome: &UnitOutcome, size: Size) -> f64 {
    match (size, outcome.counter) {
        (Size::Squad, _) => 2.0,
        (Size::Half, _) => 1.0,
        (Size::Single, counter) => counter.map_or(1.0, |counter| cvp(CATALOGUE.get(counter))),
    }
}

/// How many men a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Squad,
    Half,
    Single,
}

impl Size {
    const fn squad_equivalents(self) -> f64 {
        match self {
            Size::Squad => 1.0,
            Size::Half => 0.5,
            Size::Single => 0.0,
        }
    }
}

/// The size of a unit that is not eliminated. An outcome names the first counter that prints alike,
/// which may be another nation's half-squad (3-4-7): what a squad has become is found among what it
/// can become.
fn size_of(outcome: &UnitOutcome, began: Option<&Counter>) -> Size {
    match (outcome.wounded, began) {
        (Some(_), _) => Size::Single,
        (None, Some(began)) if began.kind == CounterKind::Squad => {
            let printed = outcome.counter.map(|counter| CATALOGUE.get(counter).printed());
            let halved = half_squads_of(began)
                .iter()
                .any(|half_squad| Some(half_squad.printed()) == printed);
            if halved { Size::Half } else { Size::Squad }
        }
        _ => Size::Half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::CounterId;
    use crate::count::becomes;

    fn counter(id: &str) -> CounterId {
        CATALOGUE.find(id).unwrap_or_else(|| panic!("no {id}"))
    }

    fn standing(began: Option<&str>, status: Status, ends: Option<&str>) -> Standing {
        let ends = ends.map(counter);
        let wounded = ends.filter(|&ends| CATALOGUE.get(ends).kind.is_smc()).map(|_| false);
        let outcome = UnitOutcome {
            slot: 1,
            status,
            counter: ends,
            fanatic: false,
            heroic: false,
            wounded,
            created: None,
        };
        Standing::of(&outcome, began.map(|began| CATALOGUE.get(counter(began))))
    }

    /// Good Order, survival, squad-equivalents, CVP.
    #[test]
    fn how_units_stand() {
        let (squad, half, leader) = (Some("ger_1_467"), Some("ger_1_247"), Some("ger_ldr_9-2"));
        for (began, status, ends, expected) in [
            (squad, Status::GoodOrder, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Rallied, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Pinned, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Broken, Some("ger_2_447"), (false, true, 1.0, 0.0)),
            (squad, Status::Berserk, squad, (false, true, 1.0, 0.0)),
            (squad, Status::Through, squad, (false, true, 1.0, 0.0)),
            // 7.302: Reduced, the squad has cost 1; what is left of it 1 more when it is
            // eliminated, 2 more captured.
            (squad, Status::Disrupted, half, (false, true, 0.5, 1.0)),
            (squad, Status::Eliminated, None, (false, false, 0.0, 2.0)),
            (squad, Status::Captured, squad, (false, false, 0.0, 4.0)),
            (squad, Status::Captured, half, (false, false, 0.0, 3.0)),
            (half, Status::GoodOrder, half, (true, true, 0.5, 0.0)),
            (half, Status::Eliminated, None, (false, false, 0.0, 1.0)),
            (leader, Status::Broken, leader, (false, true, 0.0, 0.0)),
            (leader, Status::Eliminated, None, (false, false, 0.0, 3.0)),
            (leader, Status::Captured, leader, (false, false, 0.0, 6.0)),
            (Some("ger_ldr_6+1"), Status::Eliminated, None, (false, false, 0.0, 1.0)),
            // Created on the way: a leader, and the second half-squad of 19.13, whose squad's slot
            // counts as Reduced.
            (None, Status::GoodOrder, leader, (true, true, 0.0, 0.0)),
            (None, Status::Captured, leader, (false, false, 0.0, 0.0)),
            (None, Status::Broken, half, (false, true, 0.5, -1.0)),
            (None, Status::Eliminated, None, (false, false, 0.0, 0.0)),
            (None, Status::Captured, half, (false, false, 0.0, 1.0)),
        ] {
            let Standing { good_order, survives, squad_equivalents, cvp, .. } =
                standing(began, status, ends);
            assert_eq!(
                (good_order, survives, squad_equivalents, cvp),
                expected,
                "{began:?} {status} {ends:?}"
            );
        }
    }

    /// What a squad and its half-squads print is never the same, so that one cannot be taken for
    /// the other.
    #[test]
    fn a_squad_is_told_from_its_half_squads() {
        for squad in
            CATALOGUE.counters().iter().filter(|counter| counter.kind == CounterKind::Squad)
        {
            let halves = half_squads_of(squad);
            assert!(!halves.is_empty(), "{squad}");
            assert!(halves.iter().all(|half| half.printed() != squad.printed()), "{squad}");
            for id in becomes(squad)
                .into_iter()
                .filter(|&id| CATALOGUE.get(id).kind == CounterKind::Squad)
            {
                assert!(
                    halves.iter().all(|half| half.printed() != CATALOGUE.get(id).printed()),
                    "{squad}"
                );
            }
        }
    }
}
