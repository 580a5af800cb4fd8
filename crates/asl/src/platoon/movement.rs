//! Leaders and rallied units that go from one Location to another in their MPh or APh (3.3, 4.7).

use super::ground::LinkMove;
use super::model::{PlatoonPlay, PlatoonView};
use super::orders::{FirstOrder, LeaderWord, ReturnWord};
use super::state::{EventScope, LinkDirection, Trooper, Whereabouts};
use crate::rulebook::Switch;
use crate::unit::Condition;
use engine::process::Log;

impl PlatoonView<'_> {
    fn link_move(self, side: usize, course: LinkDirection) -> LinkMove {
        self.side(side).links[usize::from(course.link)].moves
    }

    /// Returns the course that the word of a unit chooses now; `None` if it stays.
    fn wanted(self, side: usize, unit: usize) -> Option<LinkDirection> {
        let trooper = &self.units(side)[unit];
        if !trooper.can_move() {
            return None;
        }
        // Heroes go as the MMC do.
        let is_leader = trooper.unit.leads;
        let order = self.first_order(side, unit, false);
        if let (Some(at), Some(order)) = (trooper.at.as_location(), order) {
            return self.ordered_course(side, at, order);
        }
        match (trooper.at.as_location(), trooper.at.as_way()) {
            (Some(at), _) if is_leader => self.course_of_leader(side, unit, at),
            (Some(at), _) => self.course_of_mmc(side, at),
            (_, Some((link, _))) if is_leader => {
                let is_back = self.leader_word(side, unit) != LeaderWord::Rear;
                Some(LinkDirection { link, is_back })
            }
            (None, Some((link, _))) => {
                let is_back = self.side(side).orders.returns != ReturnWord::Wait;
                Some(LinkDirection { link, is_back })
            }
            (None, None) => None,
        }
    }

    /// Returns the order of a unit for its first decision, if that is due: in its first own MPh or
    /// APh, or of a unit that began broken in the first RtPh.
    pub fn first_order(self, side: usize, unit: usize, is_rout: bool) -> Option<FirstOrder> {
        let own = self.side(side);
        let order = own.orders.first.get(unit).copied().flatten()?;
        let of_rout = own.members[unit].is(Condition::Broken);
        let turn = if is_rout || usize::from(self.platoon.begins) == side { 1 } else { 2 };
        (of_rout == is_rout && self.state.turn == turn).then_some(order)
    }

    fn ordered_course(self, side: usize, at: u8, order: FirstOrder) -> Option<LinkDirection> {
        let own = self.side(side);
        let meant = own.linked(at).find(|(_, to)| order == FirstOrder::Go(*to));
        meant.map(|(link, _)| own.course(at, link))
    }

    fn course_of_leader(self, side: usize, unit: usize, at: u8) -> Option<LinkDirection> {
        let own = self.side(side);
        let to_front = || own.linked(at).find(|(_, to)| own.is_front(*to));
        let link = match self.leader_word(side, unit) {
            LeaderWord::Stay => None,
            LeaderWord::Rear if own.is_front(at) => {
                own.linked(at).find(|(_, to)| !own.is_front(*to))
            }
            LeaderWord::Rear => None,
            LeaderWord::Front if own.is_front(at) => None,
            LeaderWord::Front => to_front(),
            LeaderWord::Help => {
                let broken = |at: u8| {
                    self.in_location(side, at).filter(|trooper| trooper.is_broken()).count()
                };
                let here = broken(at);
                let mut best = (here, None);
                for (link, to) in own.linked(at) {
                    let there = broken(to);
                    if there > best.0 {
                        best = (there, Some((link, to)));
                    }
                }
                match best {
                    (0, _) if own.is_front(at) => None,
                    (0, _) => to_front(),
                    (_, link) => link,
                }
            }
        };
        link.map(|(link, _)| own.course(at, link))
    }

    fn course_of_mmc(self, side: usize, at: u8) -> Option<LinkDirection> {
        let own = self.side(side);
        if own.is_front(at) || own.orders.returns == ReturnWord::Wait {
            return None;
        }
        let together = own.orders.returns == ReturnWord::Together;
        if together && self.in_location(side, at).any(Trooper::is_broken) {
            return None;
        }
        self.link_to_front(side, at).map(|link| own.course(at, link))
    }

    /// Returns the link to a front, or else the first one of a shortest way to one.
    fn link_to_front(self, side: usize, at: u8) -> Option<u8> {
        let own = self.side(side);
        let direct = own.linked(at).find(|(_, to)| own.is_front(*to));
        let is_near = |&(_, to): &(u8, u8)| own.linked(to).any(|(_, next)| own.is_front(next));
        let next = || own.linked(at).find(is_near);
        // At most four Locations: a front is three links away at most.
        let far = || {
            let leads = |&(_, to): &(u8, u8)| own.linked(to).any(|next| is_near(&next));
            own.linked(at).find(leads)
        };
        direct.or_else(next).or_else(far).map(|(link, _)| link)
    }

    /// Returns the course of a unit in the MPh, or in the APh.
    fn course(self, side: usize, unit: usize, moves: LinkMove) -> Option<LinkDirection> {
        let trooper = &self.units(side)[unit];
        let may_again = self.chooses(Switch::MovesAndAdvances);
        let course = self.wanted(side, unit)?;
        let is_free = !trooper.has_moved || may_again && moves == LinkMove::Advance;
        (is_free && self.link_move(side, course) == moves).then_some(course)
    }

    /// Returns the course of a unit in the MPh.
    pub fn course_in_movement(self, side: usize, unit: usize) -> Option<LinkDirection> {
        self.course(side, unit, LinkMove::Move)
    }

    /// Returns whether an MMC that returns only with a leader has one at its goal, though he may be
    /// about to leave it, or with it.
    fn is_escorted(self, side: usize, course: LinkDirection) -> bool {
        let goal = Whereabouts::location(self.side(side).goal(course));
        let leads = |trooper: &Trooper| trooper.unit.leads && trooper.is_up();
        self.present(side, goal).any(leads)
            || self.units(side).iter().any(|one| leads(one) && one.course == Some(course))
    }
}

impl<L: Log> PlatoonPlay<'_, L> {
    /// Declares who of the ATTACKER goes where in a phase: leaders first, since others may wait for
    /// them.
    fn declare_courses(&mut self, side: usize, moves: LinkMove) {
        let units = 0..self.state.sides[side].units.len();
        let courses: Vec<Option<LinkDirection>> =
            units.clone().map(|unit| self.now().course(side, unit, moves)).collect();
        let (leaders, others): (Vec<usize>, Vec<usize>) =
            units.partition(|unit| self.now().units(side)[*unit].unit.leads);
        for unit in leaders {
            self.unit_mut(side, unit).course = courses[unit];
        }
        let with_leader = self.now().side(side).orders.returns == ReturnWord::WithLeader;
        for unit in others {
            let is_on_way = self.now().units(side)[unit].at.as_way().is_some();
            let escorted = |course: &LinkDirection| {
                !with_leader || is_on_way || self.now().is_escorted(side, *course)
            };
            let course = courses[unit].filter(escorted);
            self.unit_mut(side, unit).course = course;
        }
    }

    /// Begins the MPh of the ATTACKER. Berserk units that are still there charge away (15.43).
    pub fn begin_movement(&mut self) {
        let Some(side) = self.side_in_turn(0) else { return };
        for trooper in &mut self.state.sides[side].units {
            if trooper.unit.is(Condition::Berserk) {
                trooper.at = Whereabouts::AWAY;
            }
        }
        self.declare_courses(side, LinkMove::Move);
    }

    /// Moves the next stack, from the link and direction with number `next` on. Returns the number
    /// after it if an attack is due, or `None` at the end of the MPh.
    pub fn move_next(&mut self, next: u8) -> Option<u8> {
        let side = self.side_in_turn(0)?;
        let courses = 2 * self.platoon.sides[side].links.len() as u8;
        for number in next..courses {
            let course = LinkDirection { link: number / 2, is_back: number % 2 == 1 };
            let goes = |trooper: &Trooper| trooper.course == Some(course);
            if !self.now().units(side).iter().any(goes) {
                continue;
            }
            let own = &self.platoon.sides[side];
            let link = &own.links[usize::from(course.link)];
            if link.fire > 0 && own.is_front(own.goal(course)) {
                let attack = self.platoon.attack_on_link(link);
                self.attack(side, EventScope::Stack(course), &attack);
                if self.state.event.is_some() {
                    return Some(number + 1);
                }
            }
            self.arrive(side, course);
        }
        None
    }

    /// Moves the APh of the ATTACKER (4.7).
    pub fn advance_units(&mut self) {
        let Some(side) = self.side_in_turn(0) else { return };
        self.declare_courses(side, LinkMove::Advance);
        for number in 0..2 * self.platoon.sides[side].links.len() as u8 {
            self.arrive(side, LinkDirection { link: number / 2, is_back: number % 2 == 1 });
        }
    }

    /// Ends the movement of all units that go in a direction. Who is broken or pinned is where he
    /// began, or by the alternative of I-154 on the way.
    pub fn arrive(&mut self, side: usize, course: LinkDirection) {
        let goal = Whereabouts::location(self.platoon.sides[side].goal(course));
        let lies_out = self.platoon.rulebook.chooses(Switch::BrokenMoverLiesOut);
        for unit in 0..self.state.sides[side].units.len() {
            let trooper = self.unit_mut(side, unit);
            if trooper.course != Some(course) {
                continue;
            }
            (trooper.course, trooper.has_moved) = (None, true);
            if trooper.can_move() {
                (trooper.at, trooper.weapon) = (goal, 0);
            } else if lies_out && trooper.is_present() {
                trooper.at = Whereabouts::on_way(course.link, 0);
            }
            let at = trooper.at;
            if at == goal {
                let platoon = self.platoon;
                self.log.note("3.3", || platoon.arrival_in_words(side, unit, course));
            }
        }
    }
}
