//! Classes of statuses and groups of units for counts, and the final state of a unit with its cost.

use super::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use super::stack::Member;
use crate::vocabulary::{Condition, Status, UnitOutcome};
use answer::{CountedUnit, UnitInClass};
use engine::process::Label;
use schema::classes::{HOLDS, LOST};
use schema::kind::measures;
use schema::{Group, StatusClass, UnitEnd};

/// Returns the classes of final statuses, with those of `holds` in Good Order, pinned or not (A.7).
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

/// The classes of final statuses of a stack that moves under fire.
pub const OF_CROSSING: &[StatusClass] = &classes(&["arrived", "good-order", "pinned"]);

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

const MMC: Group =
    Group { written: "MMC", ..Group::whole_units("mmc", "squads, half-squads and crews") };
const UNITS: Group = Group::whole_units("units", "all units at the start, including heroes");
const LEADERS: Group = Group::whole_units("leaders", "leaders and Commissars");
const SQUAD_EQUIVALENTS: Group = Group {
    parts: 2,
    ..Group::whole_units(
        "squad-equivalents",
        "a squad counts 1, a half-squad or crew 0.5, an SMC 0 (A5.1)",
    )
};

/// The groups of a stack. The default is MMC, unless the stack has none.
pub const GROUPS: &[Group] = &[MMC, UNITS, LEADERS, SQUAD_EQUIVALENTS];

/// Returns the parts that a unit counts in a group: a squad two in squad-equivalents.
fn parts(group: &Group, kind: CounterKind) -> u8 {
    let is_mmc = !kind.is_smc();
    match *group {
        MMC => is_mmc.into(),
        UNITS => 1,
        LEADERS => kind.is_leader().into(),
        _ if kind == CounterKind::Squad => 2,
        _ => is_mmc.into(),
    }
}

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

/// Returns a word for the change of a member: the first that fits, `None` if unchanged or lost.
pub(crate) fn change(member: &Member, end: &Label) -> Option<&'static str> {
    let counter = end.counter.as_deref()?;
    let printed = counter.split('/').next().unwrap_or_default();
    let lasts = |condition: Condition| {
        counter.split(['/', ',']).skip(1).any(|lasting| lasting == condition.name())
    };
    if end.status == Some(PINNED) {
        Some(PINNED)
    } else if end.wounded == Some(true) && !member.is(Condition::Wounded) {
        Some(WOUNDED)
    } else {
        let is_hidden = lasts(Condition::Concealed);
        change_of_counter(member, printed, lasts).or(match (member.concealed, is_hidden) {
            (false, true) => Some(CONCEALED),
            _ => None,
        })
    }
}

/// Returns a word for the change of a member to a printed counter; `lasts` is true for the lasting
/// conditions at the end.
fn change_of_counter(
    member: &Member,
    printed: &str,
    lasts: impl Fn(Condition) -> bool,
) -> Option<&'static str> {
    let began = member.printed();
    let improved = |condition: Condition| lasts(condition) && !member.is(condition);
    let is_one_of =
        |counters: Vec<&Counter>| counters.into_iter().any(|counter| counter.printed() == printed);
    if began.printed() == printed {
        let is_improved = improved(Condition::Heroic) || improved(Condition::Fanatic);
        is_improved.then_some(IMPROVED)
    } else if began.kind == CounterKind::Squad && is_one_of(half_squads_of(began)) {
        Some(REDUCED)
    } else if is_one_of(hardened(began)) {
        Some(IMPROVED)
    } else {
        Some(REPLACED)
    }
}

const CONCEALED: &str = Condition::Concealed.name();
const PINNED: &str = Status::Pinned.name();
const WOUNDED: &str = Condition::Wounded.name();
const REPLACED: &str = "replaced";
const REDUCED: &str = "reduced";
const IMPROVED: &str = "improved";

/// The ways in which a unit can end, beside its status. A unit can end in several of them.
pub const FURTHER_ENDS: &[UnitEnd] = &[
    UnitEnd::bad(PINNED),
    UnitEnd::bad(REPLACED),
    UnitEnd::bad(REDUCED),
    UnitEnd::good(IMPROVED),
    UnitEnd::bad(WOUNDED),
];

/// Returns the printed values of the counters called `text`.
pub fn printed_counter(text: &str) -> Option<&'static str> {
    CATALOGUE.counters().iter().map(Counter::printed).find(|printed| *printed == text)
}

/// Returns whether a unit ends in a way, as a counter that may be named too.
fn ends_so(end: &UnitEnd, outcome: &UnitOutcome, began: Option<&Member>) -> bool {
    let printed = outcome.counter.map(|counter| CATALOGUE.get(counter).printed());
    let lasts = |condition| match condition {
        Condition::Heroic => outcome.heroic,
        Condition::Fanatic => outcome.fanatic,
        _ => false,
    };
    let is_status = |status: &str| outcome.status.name() == status;
    let named = match end.name {
        WOUNDED => {
            let is_new = began.is_none_or(|member| !member.is(Condition::Wounded));
            outcome.wounded == Some(true) && is_new
        }
        REPLACED | REDUCED | IMPROVED => began.zip(printed).is_some_and(|(member, printed)| {
            change_of_counter(member, printed, lasts) == Some(end.name)
        }),
        name => is_status(name) || class_statuses(name).any(is_status),
    };
    named && end.counter.is_none_or(|counter| printed == Some(counter))
}

/// Returns the statuses of the classes called `name`, in any kind of question.
fn class_statuses(name: &str) -> impl Iterator<Item = &'static str> {
    let classes = [CLASSES, OF_CROSSING, OF_RALLY, OF_GAUNTLET].into_iter().flatten();
    classes.filter(move |class| class.name == name).flat_map(|class| class.statuses).copied()
}

/// Returns the counters that a counter can become by Battle Hardening, step by step (15.3).
fn hardened(counter: &Counter) -> Vec<&'static Counter> {
    let next = |counter: &Counter| Some(CATALOGUE.get(counter.hardening.counter()?));
    std::iter::successors(next(counter), |counter| next(counter)).take(10).collect()
}

/// Returns every half-squad that a squad can become (7.302), also once Replaced (19.1, 15.3).
fn half_squads_of(squad: &Counter) -> Vec<&'static Counter> {
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

fn becomes(counter: &Counter) -> Vec<CounterId> {
    let (replaced, hardened) = (counter.replacement.counter(), counter.hardening.counter());
    [counter.half_squad, counter.lesser_half_squad, replaced, hardened]
        .into_iter()
        .flatten()
        .collect()
}

measures! {
    /// The measures that a player can maximise.
    pub const MEASURES;
    /// The final state of one unit: the amount of each measure.
    pub struct FinalState;
    good_order = "good-order", 1.0, "P(Good Order at the end)",
        "expected number of units in Good Order", "expected units in Good Order";
    good_order_squads = "good-order-squads", 1.0, "expected squad-equivalents in Good Order",
        "expected squad-equivalents in Good Order", "expected squad-equivalents in Good Order";
    survives = "survives", 1.0, "P(survives)", "expected number of units that survive",
        "expected survivors";
    in_cover = "in-cover", 1.0, "P(in cover at the end)", "expected number of units in cover",
        "expected units in cover";
    squad_equivalents = "squad-equivalents", 1.0, "expected squad-equivalents left",
        "expected squad-equivalents left", "expected squad-equivalents";
    net = "net", 1.0, "expected CVP taken less CVP given", "expected CVP taken less CVP given",
        "expected CVP taken less CVP given", OF_BOTH_SIDES;
    field = "field", 1.0, "P(own position held) less that of the enemy",
        "P(own position held) less that of the enemy", "P(position held) less the enemy's",
        (-1.0, 1.0);
    sniper_attacks = "sniper-attacks", 1.0, "expected effective Sniper attacks",
        "expected effective Sniper attacks", "expected effective Sniper attacks", (0.0, 200.0);
    concealed = "concealed", 1.0, "P(gains concealment)", "expected units that gain concealment",
        "expected units that gain concealment";
    clear = "clear", 1.0, "P(we alone are left)", "P(we alone are left)", "P(we alone are left)";
    cvp = "cvp", -1.0, "expected CVP lost", "expected CVP lost", "expected CVP lost", CVP_LOST;
}

/// The CVP that one unit can win or cost in Close Combat.
const OF_BOTH_SIDES: (f64, f64) = (-8.0, 8.0);

/// The measures that hardly any kind of question has: cover, those of two sides, of Snipers and of
/// concealment.
pub const UNREPORTED: &[&str] =
    &["in-cover", "net", "field", "sniper-attacks", "concealed", "clear"];

/// The CVP that one unit can cost: a second half-squad counts -1, a captured 10-3 twice 4.
const CVP_LOST: (f64, f64) = (-1.0, 8.0);

/// The indices in [`MEASURES`] that break ties between equal values: survival, squad-equivalents.
pub const TIES: [usize; 2] = [2, 4];

impl FinalState {
    /// Builds the final state from an outcome and the counter at the start. `began` is `None` for a
    /// created unit. Its loss costs nothing: heroes and leaders are additional, and a second
    /// half-squad (19.13) comes out of its squad.
    ///
    /// A pinned unit is in Good Order (A.7). Squad-equivalents (5.1) are 1 for a squad, 1/2 for a
    /// half-squad or crew. A surviving second half-squad (19.13) costs -1 CVP (26.2), because the
    /// slot of its squad counts as Reduced. Cover (10.51) is left open.
    pub fn from_outcome(outcome: &UnitOutcome, began: Option<&Counter>) -> FinalState {
        let good_order = matches!(
            outcome.status,
            Status::Arrived | Status::GoodOrder | Status::Rallied | Status::Pinned
        );
        let captured = outcome.status == Status::Captured;
        let eliminated = outcome.status == Status::Eliminated;
        let now = if eliminated { None } else { Some(size_of(outcome, began)) };
        let cvp = match (began, now) {
            (Some(began), None) => cvp(began),
            (Some(began), Some(size)) => {
                let is_reduced = began.kind == CounterKind::Squad && size == HALF;
                let reduced = f64::from(u8::from(is_reduced));
                let now = match (size, outcome.counter) {
                    (0, counter) => counter.map_or(1.0, |counter| cvp(CATALOGUE.get(counter))),
                    _ => f64::from(size),
                };
                reduced + if captured { 2.0 * now } else { 0.0 }
            }
            (None, Some(HALF)) if captured => 1.0,
            (None, Some(HALF)) => -1.0,
            (None, _) => 0.0,
        };
        let survives = !eliminated && !captured;
        let squad_equivalents = now.filter(|_| survives).map_or(0.0, |size| f64::from(size) / 2.0);
        FinalState {
            good_order: f64::from(u8::from(good_order)),
            good_order_squads: if good_order { squad_equivalents } else { 0.0 },
            survives: f64::from(u8::from(survives)),
            squad_equivalents,
            cvp,
            ..FinalState::default()
        }
    }
}

/// Returns a unit as counted in a group, or `None` if the group does not include it. A second
/// half-squad (19.13) counts as squad-equivalents only, as a part of its squad.
pub(crate) fn counted(
    group: &Group,
    end: Option<&UnitEnd>,
    outcome: &UnitOutcome,
    began: Option<&Member>,
) -> Option<UnitInClass> {
    let began_as = began.map(|member| member.printed());
    let kind = began_as.map(|counter| counter.kind).or(outcome.created)?;
    let parts = match *group {
        SQUAD_EQUIVALENTS => {
            (2.0 * FinalState::from_outcome(outcome, began_as).squad_equivalents).round() as u8
        }
        group => parts(&group, kind),
    };
    let created = began.is_none() && *group != SQUAD_EQUIVALENTS;
    let UnitOutcome { slot, status, .. } = *outcome;
    let ends_so = parts > 0 && end.is_some_and(|end| ends_so(end, outcome, began));
    (parts > 0).then(|| UnitInClass { slot, status: status.name(), parts, created, ends_so })
}

/// Returns the Casualty Victory Points (26.2): 2 for a squad, else 1, plus 1 per -1 of leadership.
pub fn cvp(counter: &Counter) -> f64 {
    match counter.kind {
        CounterKind::Squad => 2.0,
        CounterKind::HalfSquad | CounterKind::Crew | CounterKind::Hero => 1.0,
        CounterKind::Leader | CounterKind::Commissar => {
            1.0 + f64::from((-counter.leadership).max(0))
        }
    }
}

const HALF: u8 = 1;

/// Returns the size of a present unit in half squad-equivalents (5.1). A half-squad of another
/// nation may have its name (3-4-7), so a former squad is sought among what a squad can become.
fn size_of(outcome: &UnitOutcome, began: Option<&Counter>) -> u8 {
    match (outcome.wounded, began) {
        (Some(_), _) => 0,
        (None, Some(began)) if began.kind == CounterKind::Squad => {
            let printed = outcome.counter.map(|counter| CATALOGUE.get(counter).printed());
            let half_squads = half_squads_of(began);
            let is_halved = half_squads.iter().any(|half| Some(half.printed()) == printed);
            if is_halved { HALF } else { 2 }
        }
        _ => HALF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(began: &Counter, end: &Counter) -> Option<&'static str> {
        let counter = CATALOGUE.find(&began.id).unwrap();
        let (nation, elr, morale, broken_morale) = (None, None, None, None);
        let conditions = Default::default();
        let (concealed, role) = (false, Default::default());
        let member =
            Member { counter, nation, conditions, concealed, role, elr, morale, broken_morale };
        let counter = Some(end.printed().to_string());
        change(&member, &Label { counter, ..Label::default() })
    }

    /// No counter costs more than a captured 10-3, which counts twice (26.2).
    #[test]
    fn no_unit_costs_more_than_the_range_of_cvp() {
        let most = CATALOGUE.counters().iter().map(cvp).fold(0.0, f64::max);
        assert_eq!(2.0 * most, CVP_LOST.1);
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

    fn counter(id: &str) -> CounterId {
        CATALOGUE.find(id).unwrap_or_else(|| panic!("no {id}"))
    }

    fn final_state(began: Option<&str>, status: Status, ends: Option<&str>) -> FinalState {
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
            is_away: false,
            is_concealed: false,
        };
        FinalState::from_outcome(&outcome, began.map(|began| CATALOGUE.get(counter(began))))
    }

    #[test]
    fn final_states_have_their_measures() {
        let (squad, half, leader) = (Some("ger_1_467"), Some("ger_1_247"), Some("ger_ldr_9-2"));
        for (began, status, ends, expected) in [
            (squad, Status::GoodOrder, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Rallied, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Pinned, squad, (true, true, 1.0, 0.0)),
            (squad, Status::Broken, Some("ger_2_447"), (false, true, 1.0, 0.0)),
            (squad, Status::Berserk, squad, (false, true, 1.0, 0.0)),
            (squad, Status::Through, squad, (false, true, 1.0, 0.0)),
            // A Reduced squad costs 1 point (7.302), a lost half-squad 1 more, a captured one 2.
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
            // Created: a leader, and a second half-squad (19.13), whose squad counts as Reduced.
            (None, Status::GoodOrder, leader, (true, true, 0.0, 0.0)),
            (None, Status::Captured, leader, (false, false, 0.0, 0.0)),
            (None, Status::Broken, half, (false, true, 0.5, -1.0)),
            (None, Status::Eliminated, None, (false, false, 0.0, 0.0)),
            (None, Status::Captured, half, (false, false, 0.0, 1.0)),
        ] {
            let FinalState { good_order, survives, squad_equivalents, cvp, .. } =
                final_state(began, status, ends);
            assert_eq!(
                (good_order == 1.0, survives == 1.0, squad_equivalents, cvp),
                expected,
                "{began:?} {status:?} {ends:?}"
            );
        }
    }

    #[test]
    fn squads_and_half_squads_have_different_names() {
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
