//! What the catalogue is less than sure of, where a roll of a question can come to it.
//!
//! A row of the catalogue is as sure as it is, whatever its value. What is printed on a counter the
//! player has before him; the other values are named where the question can use them: of the units
//! that roll, and of those they become as long as there is a roll left for these. In doubt a value
//! is named. What becomes of a counter by a value that is named (its half-squad, its Replacement)
//! rests on that, and is named by itself only where it is less sure still. A leader who only lends
//! his leadership never rolls.

use super::ask::Ask;
use super::catalogue::{CATALOGUE, Confidence, Counter, CounterId, Hardening, Replacement};
use super::question::Question;
use super::sequence::Action;
use super::stack::Member;
use super::unit::Condition;

/// What can befall a unit.
#[derive(Clone, Copy)]
struct Exposure {
    /// Its broken side rolls.
    broken: bool,
    /// It may fail a MC unbroken (19.1).
    fails: bool,
    /// It may try to rally without a leader (10.63).
    self_rallies: bool,
    /// 15.1.
    heat: bool,
    /// Further rolls of what a Casualty Reduction leaves of it.
    reduced: u16,
    /// Further rolls of whatever takes its place.
    replaced: u16,
}

impl Exposure {
    /// Of a unit of a question; none where it never rolls for its morale.
    fn of(question: &Question, member: &Member) -> Option<Exposure> {
        let members = &question.stack.members;
        let leaders = || members.iter().filter(|other| other.printed().kind.is_leader());
        // 10.2: who may be lost to it, one after the other.
        let others = leaders().filter(|other| !std::ptr::eq(*other, member)).count() as u16;
        let broken = member.is(Condition::Broken);
        let heat = question.heat_of_battle();
        let unbroken_too = !broken || others > 0;
        let action = question.steps.first().map(|step| &step.action);
        Some(match (question.ask, action) {
            // 7.305: who fails is pinned, by what is printed.
            (Ask::Check, Some(Action::PinTaskCheck)) => return None,
            (Ask::Check | Ask::Fire, _) => Exposure {
                broken: broken || others > 0,
                fails: unbroken_too,
                self_rallies: false,
                heat,
                // 7.302: by K a MC follows it.
                reduced: others + u16::from(question.ask == Ask::Fire),
                replaced: others,
            },
            (Ask::Rally, Some(Action::Rally(rally))) => {
                // Nobody else rolls, so that no other leader is lost.
                let lost = leaders().any(|other| other.is(Condition::Broken));
                let others = if lost { others } else { 0 };
                if !broken && others == 0 {
                    return None;
                }
                let later = rally.phases.saturating_sub(1);
                Exposure {
                    broken: true,
                    fails: others > 0,
                    self_rallies: rally.leader.is_none(),
                    heat,
                    reduced: later + others,
                    // 10.64: who tries to rally is not Replaced, only who checks for a leader.
                    replaced: if others > 0 { later + others - 1 } else { 0 },
                }
            }
            (Ask::Interdict, _) => Exposure {
                broken: true,
                fails: unbroken_too,
                self_rallies: false,
                heat,
                reduced: u16::MAX,
                replaced: others,
            },
            _ => Exposure {
                broken: true,
                fails: true,
                self_rallies: question
                    .steps
                    .iter()
                    .any(|step| matches!(step.action, Action::Rally(_))),
                heat,
                reduced: u16::MAX,
                replaced: u16::MAX,
            },
        })
    }

    /// The values of a counter that bear on it, beside what is printed.
    fn values(&self, counter: &Counter, broken_morale: bool) -> Vec<&'static str> {
        let can_fail = self.fails && counter.replacement != Replacement::Immune;
        let is_squad = counter.half_squad.is_some();
        let values = [
            (self.broken && broken_morale, "broken Morale Level"),
            (self.self_rallies, "Self-Rally"),
            (can_fail && !counter.kind.is_smc(), "underscored Morale"),
            (is_squad, "half-squad"),
            (can_fail, "Replacement"),
            (self.heat && !counter.kind.is_smc(), "class"),
            (self.heat && counter.hardening != Hardening::Exempt, "Battle Hardening"),
        ];
        values.into_iter().filter(|(bears, _)| *bears).map(|(_, value)| value).collect()
    }

    /// What may take the place of a counter and roll again, with what can befall that.
    fn next(&self, counter: &Counter) -> Vec<(CounterId, Exposure)> {
        let fewer = |rolls: u16| if rolls == u16::MAX { rolls } else { rolls.saturating_sub(1) };
        let after =
            Exposure { reduced: fewer(self.reduced), replaced: fewer(self.replaced), ..*self };
        let replaced = match counter.replacement {
            Replacement::By(id) | Replacement::TwoHalfSquads(id) => Some(id),
            Replacement::Disrupted | Replacement::BrokenOnly | Replacement::Immune => None,
        };
        let lesser = counter
            .lesser_half_squad
            .or_else(|| replaced.and_then(|lower| CATALOGUE.get(lower).half_squad));
        let hardened = match counter.hardening {
            Hardening::To(id) => Some(id),
            Hardening::Fanatic | Hardening::Exempt => None,
        };
        let next = [
            (counter.half_squad, self.reduced > 0 || self.replaced > 0),
            (replaced, self.fails && self.replaced > 0),
            (lesser, self.fails && self.replaced > 0),
            (hardened, self.heat && self.replaced > 0),
        ];
        let next = next.into_iter().filter(|(_, rolls)| *rolls).filter_map(|(id, _)| id);
        next.map(|id| (id, after)).collect()
    }
}

/// What of the catalogue is less than sure and bears on a question, counters of which the same is
/// to be said together: `german:8-0, german:8-1 (medium confidence): broken Morale Level`.
pub(super) fn uncertain(question: &Question) -> Vec<String> {
    let mut told: Vec<(&Counter, Vec<&'static str>)> = Vec::new();
    for member in &question.stack.members {
        let Some(exposure) = Exposure::of(question, member) else { continue };
        // Those that come first have most rolls left; each with how sure what it rests on is.
        let mut met = vec![(member.counter, exposure, Confidence::High)];
        let mut place = 0;
        while let Some(&(id, exposure, mut sure)) = met.get(place) {
            // What is given takes the place of what the counter it begins as has.
            let broken_morale = place > 0 || member.broken_morale.is_none();
            let counter = CATALOGUE.get(id);
            let values = exposure.values(counter, broken_morale);
            if counter.confidence < sure && !values.is_empty() {
                tell(&mut told, counter, values);
                sure = counter.confidence;
            }
            for (next, exposure) in exposure.next(counter) {
                if !met.iter().any(|(known, ..)| *known == next) {
                    met.push((next, exposure, sure));
                }
            }
            place += 1;
        }
    }
    let mut alike: Vec<(Confidence, Vec<&str>, String)> = Vec::new();
    for (counter, values) in told {
        let key = (counter.confidence, &values);
        match alike.iter_mut().find(|(sure, values, _)| (*sure, values) == key) {
            Some((.., counters)) => *counters += &format!(", {counter}"),
            None => alike.push((counter.confidence, values, counter.to_string())),
        }
    }
    let in_words = |(sure, values, counters): (Confidence, Vec<&str>, String)| {
        format!("{counters} ({} confidence): {}", sure.name(), values.join(", "))
    };
    alike.into_iter().map(in_words).collect()
}

/// Adds values of a counter to those that are told.
fn tell(
    told: &mut Vec<(&'static Counter, Vec<&'static str>)>,
    counter: &'static Counter,
    values: Vec<&'static str>,
) {
    match told.iter_mut().find(|(known, _)| known.id == counter.id) {
        Some((_, known)) => {
            let new: Vec<_> = values.into_iter().filter(|value| !known.contains(value)).collect();
            known.extend(new);
        }
        None => told.push((counter, values)),
    }
}
