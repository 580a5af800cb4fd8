//! Classes of final statuses and groups of units, for the counts of a whole stack.

use super::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use super::stack::Member;
use crate::vocabulary::Condition;
use answer::CountedUnit;
use engine::process::Label;
use schema::classes::{HOLDS, LOST};
use schema::{Group, StatusClass};

/// Returns the classes of final statuses. A unit is in Good Order if it is neither broken, berserk
/// nor lost, whether pinned or not (A.7). `holds` are the statuses in Good Order.
const fn classes(holds: &'static [&'static str]) -> [StatusClass; 4] {
    [
        StatusClass::good(HOLDS, holds),
        StatusClass::bad("breaks", &["broken", "disrupted"]),
        StatusClass::bad(LOST, &["eliminated", "captured"]),
        StatusClass::bad("berserk", &["berserk"]),
    ]
}

/// The classes of final statuses of an attack, a check, a sequence or a campaign.
pub const CLASSES: &[StatusClass] = &classes(&["good-order", "pinned"]);
/// The classes of final statuses of Rally Phases.
pub const OF_RALLY: &[StatusClass] = &classes(&["rallied", "good-order", "pinned"]);
/// The classes of final statuses of a rout through Interdicted hexes (10.53).
pub const OF_GAUNTLET: &[StatusClass] = &[
    StatusClass::good(HOLDS, &["good-order"]),
    StatusClass::good("through", &["through"]),
    StatusClass::bad("stopped", &["stopped", "pinned", "broken", "disrupted"]),
    StatusClass::bad(LOST, &["eliminated", "captured"]),
    StatusClass::bad("berserk", &["berserk"]),
];

const MMC: Group = Group::whole_units("mmc", "squads, half-squads and crews");
const UNITS: Group = Group::whole_units("units", "all units at the start, including heroes");
const LEADERS: Group = Group::whole_units("leaders", "leaders and Commissars");
pub(crate) const SQUAD_EQUIVALENTS: Group = Group {
    parts: 2,
    ..Group::whole_units(
        "squad-equivalents",
        "a squad counts 1, a half-squad or crew 0.5, an SMC 0 (A5.1)",
    )
};

/// The groups of a stack. The default is MMC, unless the stack has none.
pub const GROUPS: &[Group] = &[MMC, UNITS, LEADERS, SQUAD_EQUIVALENTS];

/// Returns the number of parts that a unit counts in a group, such as two half squads.
pub(crate) fn parts(group: &Group, kind: CounterKind) -> u8 {
    let is_mmc = !kind.is_smc();
    match *group {
        MMC => is_mmc.into(),
        UNITS => 1,
        LEADERS => kind.is_leader().into(),
        _ if kind == CounterKind::Squad => 2,
        _ => is_mmc.into(),
    }
}

/// Returns the units of a group at the start of a question.
pub(crate) fn counted_units<'a>(
    group: &Group,
    members: impl Iterator<Item = &'a Member>,
) -> Vec<CountedUnit> {
    let unit = |(slot, member): (u8, &Member)| CountedUnit {
        slot,
        parts: parts(group, member.printed().kind),
        holds: !member.is(Condition::Broken),
    };
    (1..).zip(members).map(unit).collect()
}

/// Returns one word for the change of a member of the stack, of which the first that fits counts.
/// `None` means no change or an eliminated unit.
pub(crate) fn change(member: &Member, end: &Label) -> Option<&'static str> {
    let (began, counter) = (member.printed(), end.counter.as_deref()?);
    let printed = counter.split('/').next().unwrap_or_default();
    let lasts = |word| counter.split(['/', ',']).skip(1).any(|lasting| lasting == word);
    let improved = |condition: Condition| lasts(condition.name()) && !member.is(condition);
    let is_one_of =
        |counters: Vec<&Counter>| counters.into_iter().any(|counter| counter.printed() == printed);
    if end.status == Some("pinned") {
        Some("pinned")
    } else if end.wounded == Some(true) && !member.is(Condition::Wounded) {
        Some("wounded")
    } else if began.printed() == printed {
        let is_improved = improved(Condition::Heroic) || improved(Condition::Fanatic);
        is_improved.then_some("improved")
    } else if began.kind == CounterKind::Squad && is_one_of(half_squads_of(began)) {
        Some("reduced")
    } else if is_one_of(hardened(began)) {
        Some("improved")
    } else {
        Some("replaced")
    }
}

/// Returns the counters that a counter can become by Battle Hardening, step by step (15.3).
fn hardened(counter: &Counter) -> Vec<&'static Counter> {
    let next = |counter: &Counter| Some(CATALOGUE.get(counter.hardening.counter()?));
    std::iter::successors(next(counter), |counter| next(counter)).take(10).collect()
}

/// Returns every half-squad that a squad can become (7.302), also once Replaced (19.1, 15.3).
pub(crate) fn half_squads_of(squad: &Counter) -> Vec<&'static Counter> {
    let mut met: Vec<CounterId> = Vec::new();
    let mut open: Vec<CounterId> = becomes(squad);
    while let Some(id) = open.pop() {
        if !met.contains(&id) {
            met.push(id);
            open.extend(becomes(CATALOGUE.get(id)));
        }
    }
    met.into_iter()
        .map(|id| CATALOGUE.get(id))
        .filter(|counter| counter.kind == CounterKind::HalfSquad)
        .collect()
}

/// Returns the counters that can replace a counter next.
pub(crate) fn becomes(counter: &Counter) -> Vec<CounterId> {
    let (replaced, hardened) = (counter.replacement.counter(), counter.hardening.counter());
    [counter.half_squad, counter.lesser_half_squad, replaced, hardened]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(began: &Counter, end: &Counter) -> Option<&'static str> {
        let counter = CATALOGUE.find(&began.id).unwrap();
        let (nation, elr, morale, broken_morale) = (None, None, None, None);
        let conditions = Default::default();
        let member = Member { counter, nation, conditions, elr, morale, broken_morale };
        let counter = Some(end.printed().to_string());
        change(&member, &Label { counter, ..Label::default() })
    }

    /// Battle Hardening improves a unit of any size (15.3), and only squads are Reduced (7.302).
    #[test]
    fn hardened_units_are_improved() {
        for began in CATALOGUE.counters() {
            for better in hardened(began).into_iter().filter(|to| to.printed() != began.printed()) {
                assert_eq!(changed(began, better), Some("improved"), "{began} to {better}");
            }
            let half = began.half_squad.map(|id| CATALOGUE.get(id));
            if let Some(half) = half {
                assert_eq!(changed(began, half), Some("reduced"), "{began} to {half}");
            }
            for other in half_squads_of(began).into_iter().filter(|_| half.is_none()) {
                assert_ne!(changed(began, other), Some("reduced"), "{began} to {other}");
            }
        }
    }
}
