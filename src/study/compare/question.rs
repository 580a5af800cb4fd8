//! Questions about what happens to a stack, as courses of action.

use super::{Comparable, Ending};
use crate::asl::outcome::Outcome;
use crate::asl::question::{Kind, Question};
use crate::asl::sequence::Action;
use crate::asl::unit::{Condition, Status};
use crate::course::standing::Standing;
use crate::process::Point;

impl Comparable for Question {
    type End = Status;
    type Standing = Standing;

    fn units(&self) -> u8 {
        self.stack().members.len() as u8
    }

    fn ending(&self, point: Point, outcome: &Outcome) -> Option<Ending<Status, Standing>> {
        let Outcome::Unit(outcome) = outcome else { return None };
        if point != last_point(self) {
            return None;
        }
        let member = self.stack().members.get(usize::from(outcome.slot) - 1);
        let standing = Standing::of(outcome, member.map(|member| member.printed()));
        // 10.53: a routing unit that is pinned is still broken.
        let routs = self.kind() == Kind::Interdict && member.is_some_and(|member| member.is(Condition::BeganBroken));
        let good_order = standing.good_order && !(routs && outcome.status == Status::Pinned);
        let good_order_squads = if good_order { standing.good_order_squads } else { 0.0 };
        let standing = Standing { good_order, good_order_squads, ..standing };
        Some(Ending { slot: outcome.slot, end: outcome.status, standing })
    }
}

/// The last phase of a Rally, the last step of a sequence; the one end of anything else.
fn last_point(question: &Question) -> Point {
    match (question.kind(), question.steps().first().map(|step| &step.action)) {
        (Kind::Sequence, _) => question.steps().len() as Point,
        (_, Some(Action::Rally(rally))) => rally.phases,
        _ => 0,
    }
}
