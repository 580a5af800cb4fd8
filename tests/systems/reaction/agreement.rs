//! Tests of exact odds against `twin`, over random questions of a fixed seed. `LOWCRAWL_CASES`
//! multiplies their number.

use crate::random::case_factor;
use std::collections::BTreeMap;

use super::random::{Case, Rng, case};
use super::twin::{self, Unit, World};
use super::*;

impl Case {
    pub fn question(&self) -> Question {
        ask(self.kind, &self.fields.join("; "))
    }

    /// Returns the twin's probability of each final state, by report point.
    pub fn by_twin(&self) -> BTreeMap<(u16, String), f64> {
        let mut results = BTreeMap::new();
        let mut worlds = twin::Dist::from([(self.start.clone(), 1.0)]);
        for (step, point) in &self.steps {
            let mut after = twin::Dist::new();
            for (world, odds) in &worlds {
                for (next, further) in self.twin.play(world, step) {
                    *after.entry(next).or_default() += odds * further;
                }
            }
            worlds = after;
            for (world, odds) in &worlds {
                if let Some(point) = point {
                    *results.entry((*point, self.in_words(world))).or_default() += odds;
                }
            }
        }
        results
    }

    fn in_words(&self, world: &World) -> String {
        let mut words: Vec<String> = Vec::new();
        for unit in &world.units {
            let moved = if self.inches { unit.moved } else { 0 };
            let status = match unit {
                Unit { gone: true, .. } => "dispersed",
                Unit { forced: true, .. }
                    if self.at_least.is_some_and(|inches| unit.moved >= inches) =>
                {
                    "forced-back-far"
                }
                Unit { forced: true, .. } if self.kind == "volley" => "forced-back",
                Unit { suppressed: true, .. } => "suppressed",
                Unit { goal: Some(0), .. } if matches!(self.kind, "sequence" | "move") => "arrived",
                _ => "ready",
            };
            words.push(format!("{status} {} {moved} {:?}", unit.dp, unit.goal));
        }
        let armies = match self.kind {
            "command" if self.twin.first => 2,
            "command" | "morale" | "check" => 1,
            _ => usize::from(self.twin.armies) + usize::from(self.twin.two_armies),
        };
        for (army, start) in world.armies[..armies].iter().zip(&self.start.armies) {
            let by_kind = matches!(self.kind, "command" | "check");
            let by_standing = by_kind || ["collapsed", "draw"].contains(&army.standing);
            let status = match army.morale {
                _ if by_standing => army.standing,
                0 => "at-zero",
                _ => "holds",
            };
            let left = match self.kind {
                "command" => army.left.unwrap_or(0),
                "check" => army.dice,
                _ => army.morale,
            };
            let checks = self.twin.holds("army-morale-check") && !by_kind;
            let lost = if checks { start.dice - army.dice } else { 0 };
            words.push(format!("{status} {left} {lost}"));
        }
        if let Some((word, points, sixes)) = world.effect.filter(|_| self.effects) {
            words.push(format!("{word} {points} {sixes}"));
        }
        words.join("; ")
    }
}

fn ends_in_words(ends: &[End]) -> String {
    let words = ends.iter().map(|end| match *end {
        End::Unit { status, dp, moved, goal, .. } => {
            format!("{} {dp} {moved} {goal:?}", status.name())
        }
        End::Army { status, left, dice_lost, .. } => {
            format!("{} {left} {dice_lost}", status.name())
        }
        End::Volley(Effect { status, points, sixes }) => {
            format!("{} {points} {sixes}", status.name())
        }
    });
    words.collect::<Vec<_>>().join("; ")
}

fn assert_agrees(kind: &'static str, cases: u64, seed: u64) {
    let mut rng = Rng(seed);
    for number in 0..cases * case_factor() {
        let case = case(kind, &mut rng);
        let question = case.question();
        let exact = exact::odds(
            &played(&question, 0),
            Bound { alive: 1 << 20, worked: 1 << 22, ..Bound::STANDARD },
        )
        .unwrap();
        let mut engine_odds: BTreeMap<(u16, String), f64> = BTreeMap::new();
        for row in exact.chances {
            *engine_odds.entry((row.point, ends_in_words(row.outcome.ends()))).or_default() +=
                row.probability;
        }
        let twin = case.by_twin();
        for key in engine_odds.keys().chain(twin.keys()) {
            let (a, b) = (
                engine_odds.get(key).copied().unwrap_or(0.0),
                twin.get(key).copied().unwrap_or(0.0),
            );
            assert!(
                (a - b).abs() < 1e-9,
                "{kind} {number}: {key:?}: {a}, by the twin {b}\n{:?}",
                case.fields
            );
        }
    }
}

/// Returns the odds of each status by report point and unit or army. Every choice takes the first
/// or the last option.
fn statuses(question: &Question, last: bool) -> BTreeMap<(u16, String), f64> {
    let process = WithPolicy::new(
        question.whole(),
        move |_: &Exchange, _: &Battlefield, _, options| if last { options - 1 } else { 0 },
    );
    let mut result = BTreeMap::new();
    for chance in
        exact::odds(&process, Bound { alive: 1 << 20, worked: 1 << 22, ..Bound::STANDARD })
            .unwrap()
            .chances
    {
        for (slot, end) in chance.outcome.ends().iter().enumerate() {
            let (End::Unit { status, .. }
            | End::Army { status, .. }
            | End::Volley(Effect { status, .. })) = end;
            *result.entry((chance.point, format!("{slot} {}", status.name()))).or_default() +=
                chance.probability;
        }
    }
    result
}

/// Forced back: the statuses do not depend on whether inches are reported, whether units halt in
/// cover or continue.
#[test]
fn statuses_do_not_depend_on_reported_inches() {
    let mut rng = Rng(9);
    for (kind, cases) in [("volley", 100), ("volleys", 60), ("sequence", 60)] {
        for number in 0..cases {
            let mut case = case(kind, &mut rng);
            for last in [false, true] {
                let [plain, with_inches] = [false, true].map(|inches| {
                    case.fields.push(format!("inches={inches}"));
                    statuses(&case.question(), last)
                });
                for key in plain.keys().chain(with_inches.keys()) {
                    let [a, b] =
                        [&plain, &with_inches].map(|odds| odds.get(key).copied().unwrap_or(0.0));
                    assert!(
                        (a - b).abs() < 1e-9,
                        "{kind} {number}: {key:?}: {a}, with inches {b}\n{:?}",
                        case.fields
                    );
                }
            }
        }
    }
}

/// Covers Fire, Reaction Check, Disruption, Suppression, forced back, Army Morale.
#[test]
fn single_volleys_agree_with_the_twin() {
    assert_agrees("volley", 400, 1);
}

/// Covers volleys with Remove Unit Suppression and Rally Group between them.
#[test]
fn volleys_agree_with_the_twin() {
    assert_agrees("volleys", 120, 2);
}

/// Covers Remove Unit Suppression, Rally Group.
#[test]
fn rallies_agree_with_the_twin() {
    assert_agrees("rally", 150, 3);
}

/// Covers Command Failure, and the side that goes first.
#[test]
fn command_rolls_agree_with_the_twin() {
    assert_agrees("command", 40, 4);
}

/// Covers Army Morale Points, Army Morale Check, movement.
#[test]
fn small_questions_agree_with_the_twin() {
    assert_agrees("morale", 60, 5);
    assert_agrees("check", 30, 6);
    assert_agrees("move", 40, 7);
}

/// Covers all rules on two sides, with turns and Morale Collapse.
#[test]
fn sequences_agree_with_the_twin() {
    assert_agrees("sequence", 250, 8);
}
