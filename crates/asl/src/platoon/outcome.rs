//! What a platoon reports after each Player Turn: the end of each unit, and numbers of units.

use super::model::PlatoonView;
use super::state::{Trooper, Whereabouts};
use crate::outcome::UnitOutcome;
use crate::unit::{Condition, UnitIndex};
use schema::declared::named;

named! {
    /// The kind of place in which a unit is.
    pub enum PlaceKind { Front = "front", Rear = "rear", Way = "way" }

    /// A number of units of a side that is reported after each Player Turn. The MMC are those that
    /// began.
    pub enum CurveNumber {
        /// MMC in Good Order.
        Holds = "MMC in Good Order",
        /// MMC in Good Order in a front.
        FrontHolds = "MMC in Good Order in front",
        BrokenFront = "MMC broken in front",
        BrokenRear = "MMC broken behind",
        OnWay = "MMC on the way",
        Lost = "MMC lost",
        Berserk = "MMC berserk",
        /// Leaders that began, in Good Order.
        Leaders = "leaders in Good Order",
        /// 1 while the position is held (I-157).
        Position = "position held",
    }

    /// The side with a Good Order MMC in a front.
    pub enum FieldHolder {
        Own = "own-only",
        Enemy = "enemy-only",
        Both = "both",
        Neither = "neither",
    }
}

/// The end of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlatoonEnd {
    pub side: u8,
    /// The outcome of the unit. Its slot is that on its side, from 1.
    pub unit: UnitOutcome,
    /// Where the unit is, if it is in play.
    pub place: Option<PlaceKind>,
}

/// A noted outcome of a platoon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlatoonOutcome {
    Unit(PlatoonEnd),
    /// A number of units of a side.
    Number {
        side: u8,
        what: CurveNumber,
        number: u8,
    },
    /// Who holds the field.
    Field(FieldHolder),
}

impl PlatoonView<'_> {
    /// Reports the outcomes after a Player Turn.
    pub fn report(self, observe: &mut dyn FnMut(PlatoonOutcome)) {
        for side in 0..self.platoon.sides.len() {
            for (index, trooper) in self.units(side).iter().enumerate() {
                observe(PlatoonOutcome::Unit(self.end(side, index, trooper)));
            }
            for (what, number) in CurveNumber::ALL.into_iter().zip(self.numbers(side)) {
                observe(PlatoonOutcome::Number { side: side as u8, what, number });
            }
        }
        let enemy_holds = self.platoon.is_firefight() && self.holds_position(1);
        observe(PlatoonOutcome::Field(match (self.holds_position(0), enemy_holds) {
            (true, false) => FieldHolder::Own,
            (false, true) => FieldHolder::Enemy,
            (true, true) => FieldHolder::Both,
            (false, false) => FieldHolder::Neither,
        }));
    }

    fn end(self, side: usize, index: usize, trooper: &Trooper) -> PlatoonEnd {
        let rules = self.platoon.any_rules(side);
        let unit = rules.outcome_of(&trooper.unit, index as UnitIndex);
        PlatoonEnd { side: side as u8, unit, place: self.place_kind(side, trooper) }
    }

    fn place_kind(self, side: usize, trooper: &Trooper) -> Option<PlaceKind> {
        if !trooper.is_present() {
            return None;
        }
        Some(match trooper.at.as_location() {
            Some(at) if self.side(side).is_front(at) => PlaceKind::Front,
            Some(_) => PlaceKind::Rear,
            None => PlaceKind::Way,
        })
    }

    /// Returns the numbers of a side in the order of [`CurveNumber`].
    fn numbers(self, side: usize) -> [u8; CurveNumber::ALL.len()] {
        let mut numbers = [0; CurveNumber::ALL.len()];
        let members = &self.side(side).members;
        for (trooper, member) in self.units(side).iter().zip(members) {
            let kind = member.printed().kind;
            if kind.is_leader() {
                numbers[CurveNumber::Leaders as usize] += u8::from(trooper.is_up());
            }
            if kind.is_smc() {
                continue;
            }
            let mut add = |what: CurveNumber| numbers[what as usize] += 1;
            let is_away = trooper.at == Whereabouts::AWAY;
            match self.place_kind(side, trooper) {
                None if is_away && trooper.unit.is_present() => add(CurveNumber::Berserk),
                None => add(CurveNumber::Lost),
                Some(place) => {
                    let is_berserk = trooper.unit.is(Condition::Berserk);
                    let is_up = trooper.is_up() || is_berserk;
                    if is_up {
                        add(CurveNumber::Holds);
                    }
                    match place {
                        PlaceKind::Front if is_up => add(CurveNumber::FrontHolds),
                        PlaceKind::Front => add(CurveNumber::BrokenFront),
                        PlaceKind::Rear if is_up => {}
                        PlaceKind::Rear => add(CurveNumber::BrokenRear),
                        PlaceKind::Way => {
                            if !is_up {
                                add(CurveNumber::OnWay);
                            }
                        }
                    }
                }
            }
        }
        numbers[CurveNumber::Position as usize] = self.holds_position(side).into();
        numbers
    }
}
