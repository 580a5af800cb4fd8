//! Close Combat as a step of a sequence: against conditioning by hand on the stack as it is then,
//! against the question `cc` over Player Turns, and what a Melee lets the other steps do.

use std::collections::BTreeMap;

use crate::common::{
    assert_ends, blame, ends, exact_odds, goodness_of_fit, sequence, trace_script,
};
use lowcrawl::asl::catalogue::CATALOGUE;
use lowcrawl::asl::close_combat::question::{CombatQuestion, close_combat};
use lowcrawl::asl::close_combat::state::CombatSide;
use lowcrawl::asl::close_combat::terms::{CombatEnd, CombatOutcome};
use lowcrawl::asl::outcome::{Outcome, UnitOutcome};
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::asl::unit::Status;
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::engine::process::Question as _;
use lowcrawl::schema::RawValue;
use lowcrawl::schema::field::Builder as _;

/// The slot, status, counter, wound and absence of a unit.
type End = (u8, Status, String, bool, bool);

fn end(outcome: &UnitOutcome, slot: u8, is_away: bool) -> End {
    let here = UnitOutcome { is_away: false, is_concealed: false, ..*outcome };
    let counter = here.counter_text().unwrap_or_default();
    (slot, outcome.status, counter, outcome.wounded == Some(true), is_away)
}

/// Returns the chances of the ends of the units of a side after a step, with their slots there.
fn of_side(question: &Question, step: u16, side: CombatSide) -> BTreeMap<End, f64> {
    let mut ends = BTreeMap::new();
    for chance in exact_odds(&question.whole()).chances {
        let Outcome::Unit(unit) = &chance.outcome else { panic!("{:?}", chance.outcome) };
        let label = question.label(step, &chance.outcome);
        let is_of_side = label.side.is_none_or(|own| own == side.name());
        if chance.point == step && is_of_side {
            let slot = label.side_slot.unwrap_or(unit.slot);
            *ends.entry(end(unit, slot, unit.is_away)).or_default() += chance.probability;
        }
    }
    ends
}

/// Returns the chances of the ends of our units after a step.
fn after(question: &Question, step: u16) -> BTreeMap<End, f64> {
    of_side(question, step, CombatSide::Ours)
}

/// Returns the chances of ends of units whether they are away or not.
fn wherever(ends: BTreeMap<End, f64>) -> BTreeMap<End, f64> {
    let mut found = BTreeMap::new();
    for ((slot, status, counter, is_wounded, _), chance) in ends {
        *found.entry((slot, status, counter, is_wounded, false)).or_default() += chance;
    }
    found
}

/// Builds a Close Combat; `fields` begins with `against`.
fn combat(ours: &str, fields: &str) -> CombatQuestion {
    let mut fields = fields.split("; ").map(|field| field.split_once('=').unwrap_or((field, "")));
    let mut question = close_combat(ours, fields.next().unwrap().1);
    for (name, value) in fields {
        let number = || value.parse().map_or(RawValue::Text(value), RawValue::Integer);
        let value = if value.is_empty() { RawValue::Boolean(true) } else { number() };
        question = question.put(name, value);
    }
    question.question().unwrap_or_else(|fault| panic!("{ours}: {fault}"))
}

/// Returns the chances of our units after a Player Turn of Close Combat.
fn ours(question: &CombatQuestion, turn: u16) -> Vec<(CombatEnd, f64)> {
    units_of(question, turn, CombatSide::Ours)
}

fn units_of(question: &CombatQuestion, turn: u16, side: CombatSide) -> Vec<(CombatEnd, f64)> {
    let chances = odds(&question.whole(), Bound::STANDARD).unwrap().chances.into_iter();
    let of_turn = chances.filter(|chance| chance.point == turn);
    let unit = |outcome: &CombatOutcome| match outcome {
        CombatOutcome::Unit(end) if end.side == side => Some(*end),
        _ => None,
    };
    of_turn.filter_map(|chance| Some((unit(&chance.outcome)?, chance.probability))).collect()
}

/// Returns a unit that is in play in the stack notation.
fn in_notation(unit: &UnitOutcome) -> Option<String> {
    if matches!(unit.status, Status::Eliminated | Status::Captured) {
        return None;
    }
    let condition = |holds: bool, word: &'static str| holds.then_some(word);
    let words = [
        condition(!matches!(unit.status, Status::GoodOrder), unit.status.name()),
        condition(unit.wounded == Some(true), "wounded"),
        condition(unit.fanatic, "fanatic"),
        condition(unit.heroic, "heroic"),
    ];
    let words: Vec<&str> = words.into_iter().flatten().collect();
    let id = format!("id:{}", CATALOGUE.get(unit.counter?).id);
    Some(if words.is_empty() { id } else { format!("{id}/{}", words.join(",")) })
}

/// Returns what the ends are after one step and Close Combat: the sum over the states of the stack
/// after that step, each with the Close Combat of the stack as it then is.
fn by_hand(stack: &str, step: &str, fields: &str) -> BTreeMap<End, f64> {
    let question = sequence(&format!("stack={stack}; joint"), &[step]);
    let first_created = question.stack.members.len() as u8 + 1;
    let mut ends = BTreeMap::new();
    let mut add = |end: End, chance: f64| *ends.entry(end).or_default() += chance;
    for state in exact_odds(&question.whole()).chances {
        let Outcome::Stack { units, .. } = &state.outcome else { panic!("{:?}", state.outcome) };
        let left: Vec<(u8, String)> =
            units.iter().filter_map(|unit| Some((unit.slot, in_notation(unit)?))).collect();
        let out = units.iter().filter(|unit| in_notation(unit).is_none());
        out.for_each(|unit| add(end(unit, unit.slot, false), state.probability));
        if left.is_empty() {
            continue;
        }
        let texts: Vec<&str> = left.iter().map(|(_, text)| text.as_str()).collect();
        let combat = combat(&texts.join(" + "), fields);
        for (of, chance) in ours(&combat, 0) {
            let place = usize::from(of.unit.slot) - 1;
            let further = || first_created + (place - left.len()) as u8;
            let slot = left.get(place).map_or_else(further, |(slot, _)| *slot);
            add(end(&of.unit, slot, of.is_away), state.probability * chance);
        }
    }
    ends
}

fn assert_alike(one: &BTreeMap<End, f64>, other: &BTreeMap<End, f64>, what: &str) {
    for end in one.keys().chain(other.keys()) {
        let [one, other] = [one, other].map(|ends| ends.get(end).copied().unwrap_or_default());
        assert!((one - other).abs() < 1e-9, "{what}: {end:?}: {one} and {other}");
    }
}

/// 11.11, 11.4: after fire or a check the stack fights as it then is: broken, pinned, Reduced,
/// wounded, or with units lost.
#[test]
fn close_combat_after_a_step_is_that_of_the_stack_as_it_then_is() {
    let plain = "against=russian:4-4-7; plan=all; reply=all";
    let covered = "against=2x russian:4-4-7; plan=pairs; reply=first; terrain=building";
    for (stack, step, fields) in [
        ("german:4-6-7", "do=fire; fp=8", plain),
        ("2x german:4-6-7", "do=fire; fp=6; drm=-1", covered),
        ("german:8-1 + german:4-6-7", "do=fire; fp=8; drm=-2", plain),
        ("german:8-1 + german:4-6-7/broken", "do=check; mc=2", plain),
        ("german:9-2 + german:2-4-7/broken", "do=rally; leader=8-0", covered),
        ("german:4-6-7", "do=check; mc=1", "against=german:4-6-7/broken; plan=capture; reply=none"),
        (
            "german:4-6-7/fanatic",
            "do=fire; fp=4",
            "against=russian:4-4-7; plan=all; reply=all; \
            hand-to-hand; no-creation; terrain=woods; ambush=theirs; phasing=theirs",
        ),
    ] {
        let question = sequence(&format!("stack={stack}"), &[step, &format!("do=cc; {fields}")]);
        let expected = by_hand(stack, step, fields);
        assert!(expected.len() > 4, "{expected:?}");
        assert_alike(&after(&question, 2), &expected, &format!("{stack}, {step}, {fields}"));
    }
}

/// 11.15, 11.16, 11.2: steps against the same enemy, or with none named, go on with the Melee, the
/// Player Turns in turn, as `turns` does: broken units withdraw, pins and CX end.
#[test]
fn melee_goes_on_over_steps_as_over_player_turns() {
    for (stack, fields) in [
        ("german:4-6-7", "against=russian:4-4-7"),
        ("german:8-1 + german:4-6-7/broken", "against=russian:4-4-7"),
        ("german:4-6-7/pinned + german:4-6-7/cx", "against=russian:5-2-7/pinned"),
        ("german:4-6-7", "against=russian:4-4-7/broken; phasing=theirs; no-creation"),
        ("german:4-6-7/concealed", "against=russian:4-4-7/concealed; terrain=woods"),
        ("german:4-6-7", "against=russian:4-4-7; infiltrate=always; exits=yes,no"),
    ] {
        let plans = "plan=all; reply=all";
        let fought = combat(stack, &format!("{fields}; {plans}; turns=3"));
        let first = format!("do=cc; {fields}");
        let same = format!("do=cc; {}", fields.split("; ").next().unwrap());
        let question = sequence(&format!("stack={stack}"), &[&first, "do=cc", &same]);
        for turn in 1..=3 {
            let expected = ours(&fought, turn).into_iter();
            let mut ends = BTreeMap::new();
            for (of, chance) in expected {
                // Units that are back from a Close Combat that is over are not told to be away.
                *ends.entry(end(&of.unit, of.unit.slot, false)).or_default() += chance;
            }
            let found = wherever(after(&question, turn));
            assert_alike(&found, &ends, &format!("{stack}, {fields}, {turn}"));
        }
        let turns = sequence(&format!("stack={stack}"), &[&format!("{first}; turns=3")]);
        let [once, thrice] = [after(&turns, 1), after(&question, 3)].map(wherever);
        assert_alike(&once, &thrice, &format!("{stack}, {fields}, turns"));
    }
}

/// The enemy's fate is that of the question `cc`, also when the Melee goes on and once it is over.
#[test]
fn enemy_of_a_step_ends_as_in_close_combat_alone() {
    let theirs = |question: &CombatQuestion, turn: u16| {
        let mut ends = BTreeMap::new();
        for (of, chance) in units_of(question, turn, CombatSide::Theirs) {
            *ends.entry(end(&of.unit, of.unit.slot, of.is_away)).or_default() += chance;
        }
        ends
    };
    for (stack, fields) in [
        ("german:4-6-7", "against=russian:4-4-7"),
        ("german:8-1 + german:4-6-7", "against=russian:4-4-7/broken + russian:4-4-7"),
        ("2x german:4-6-7", "against=russian:4-4-7; plan=capture; reply=all"),
    ] {
        let fought = combat(stack, &format!("{fields}; plan=all; reply=all; turns=2"));
        let steps = [&format!("do=cc; {fields}; plan=all"), "do=cc", "do=rally; leader=8-0"];
        let question = sequence(&format!("stack={stack}"), &steps);
        for turn in [1, 2] {
            let found = of_side(&question, turn, CombatSide::Theirs);
            assert_alike(&found, &theirs(&fought, turn), &format!("{stack}, {fields}, {turn}"));
        }
        let [second, later] = [2, 3].map(|step| of_side(&question, step, CombatSide::Theirs));
        assert_alike(&second, &later, "after a step in which the enemy has no part");
    }
    // An enemy that is not met yet is as it was stacked.
    let steps = ["do=dm", "do=cc; against=russian:4-4-7; if=broken"];
    let question = sequence("stack=german:4-6-7", &steps);
    let met = of_side(&question, 2, CombatSide::Theirs);
    let expected = (1, Status::GoodOrder, "4-4-7".to_string(), false, false);
    assert_eq!(met.into_iter().collect::<Vec<_>>(), [(expected, 1.0)]);
}

/// 11.12, 26.21: a step with the plan `best` is fought by the best plan for those who are then there,
/// each worth what his counter then is.
#[test]
fn best_plan_of_a_step_is_best_for_the_stack_as_it_then_is() {
    let plain = "against=2x russian:4-4-7; plan=best; reply=best; no-creation";
    let cleared = "against=russian:4-4-7 + russian:2-3-7; plan=best; reply=all; objective=clear";
    let ambush = "against=2x russian:4-4-7; plan=best; reply=best; terrain=building";
    for (stack, step, fields) in [
        ("2x german:4-6-7", "do=fire; fp=8", plain),
        ("german:8-1 + 2x german:4-6-7", "do=eliminate; slots=2", cleared),
        ("german:4-6-7 + german:4-4-7/broken", "do=rally; leader=8-0", plain),
        ("german:8-1 + german:4-6-7", "do=fire; fp=4", ambush),
    ] {
        let question = sequence(&format!("stack={stack}"), &[step, &format!("do=cc; {fields}")]);
        let expected = by_hand(stack, step, fields);
        assert_alike(&after(&question, 2), &expected, &format!("{stack}, {step}, {fields}"));
    }
}

/// 11.15: a stack in Melee takes no part in other steps and does not rally; one alone does.
#[test]
fn stack_in_melee_takes_no_part_in_other_steps() {
    let (cc, gone) = ("do=cc; against=russian:4-4-7; no-creation", "do=eliminate; slots=1");
    let question = sequence("stack=german:4-6-7", &[cc, gone]);
    // Alone after an attack at 1-1: the enemy is dead on 4 or less, 6 of 36. Who is alone is
    // eliminated: what is left was in Melee.
    let combat = combat("german:4-6-7", "against=russian:4-4-7; plan=all; reply=all; no-creation");
    let both: f64 = odds(&combat.whole(), Bound::STANDARD)
        .unwrap()
        .chances
        .iter()
        .filter(|chance| match &chance.outcome {
            CombatOutcome::Location { left, .. } => left.name() == "both",
            _ => false,
        })
        .map(|chance| chance.probability)
        .sum();
    let left = after(&question, 2);
    let alive: f64 =
        left.iter().filter(|(end, _)| end.1 != Status::Eliminated).map(|(_, chance)| chance).sum();
    assert!((alive - both).abs() < 1e-12, "{alive} and {both}");
    // A broken squad that nobody attacks stays in the first round: it cannot rally.
    let broken = "stack=german:4-6-7/broken";
    let fought = "do=cc; against=russian:4-4-7; reply=none";
    let rally = "do=rally; leader=10-2; terrain=woods";
    assert_ends(&sequence(broken, &[fought, rally]), 1, "broken 4-6-7: 1/1");
    assert_ne!(ends(&sequence(broken, &[rally]), 1, "good-order 4-6-7"), "0");
    // In the next CCPh it withdraws, and can rally.
    let question = sequence(broken, &[fought, "do=cc", rally]);
    let [away, rallied] = [2, 3].map(|step| after(&question, step));
    assert!(away.keys().all(|end| end.4), "{away:?}");
    assert!(rallied.keys().any(|end| end.1 == Status::GoodOrder && !end.4), "{rallied:?}");
}

/// Returns the chances of pairs of ends of two units, by the slots of all units.
fn pairs(question: &Question, step: u16, slots: [u8; 2]) -> BTreeMap<[String; 2], f64> {
    let mut found = BTreeMap::new();
    for chance in exact_odds(&question.whole()).chances {
        let Outcome::Stack { units, .. } = &chance.outcome else { panic!("{:?}", chance.outcome) };
        let end = |slot: u8| {
            let unit = units.iter().find(|unit| unit.slot == slot).unwrap();
            format!("{:?}", end(unit, 0, false))
        };
        if chance.point == step {
            *found.entry(slots.map(end)).or_default() += chance.probability;
        }
    }
    found
}

/// 11.15, A.9: fire at a Melee attacks the units of both sides by one DR and one Random Selection,
/// and leaders help their own side alone: as if all were in one stack without a leader for others.
#[test]
fn fire_hits_both_sides_of_a_melee() {
    let quiet = "do=cc; against=russian:4-4-7; plan=none; reply=none";
    for fire in ["do=fire; fp=12; drm=-2", "do=fire; fp=30; drm=-1", "do=fire; fp=4"] {
        let melee = sequence("stack=german:4-6-7; joint", &[quiet, fire]);
        let stack = sequence("stack=german:4-6-7 + russian:4-4-7; joint", &["do=dm", fire]);
        let [found, expected] = [&melee, &stack].map(|question| pairs(question, 2, [1, 2]));
        assert!(expected.len() > 4, "{expected:?}");
        for ends in found.keys().chain(expected.keys()) {
            let [one, other] = [&found, &expected].map(|all| all.get(ends).unwrap_or(&0.0));
            assert!((one - other).abs() < 1e-12, "{fire}: {ends:?}: {one} and {other}");
        }
        // A leader and a squad in Melee with a squad: each side as beside units without a leader.
        let melee = sequence("stack=german:8-1 + german:4-6-7", &[quiet, fire]);
        let own = sequence("stack=german:8-1 + german:4-6-7 + german:4-4-7", &["do=dm", fire]);
        let mut own = after(&own, 2);
        own.retain(|end, _| end.0 < 3);
        assert_alike(&after(&melee, 2), &own, fire);
        let enemy = sequence("stack=german:4-6-7 + german:4-4-7 + russian:4-4-7", &["do=dm", fire]);
        let mut enemy = after(&enemy, 2);
        enemy.retain(|end, _| end.0 == 3);
        let theirs = of_side(&melee, 2, CombatSide::Theirs).into_iter();
        let theirs = theirs
            .map(|(mut end, chance)| {
                (
                    {
                        end.0 = 3;
                        end
                    },
                    chance,
                )
            })
            .collect();
        assert_alike(&theirs, &enemy, fire);
    }
}

/// 9.2, 11.15: the MG of firers that keep their ROF fire at the Melee again, at what is left of
/// both sides: as if all were in one stack.
#[test]
fn fire_with_rate_of_fire_hits_both_sides_of_a_melee() {
    let quiet = "do=cc; against=russian:4-4-7; plan=none; reply=none";
    for fire in [
        "do=fire; by=german:4-6-7/hmg; range=3; rof=2",
        "do=fire; by=german:4-6-7/mmg + german:4-6-7/lmg; range=6; rof=2",
        "do=fire; by=german:9-2 + german:4-6-7/hmg; range=2; rof=2",
    ] {
        let melee = sequence("stack=german:4-6-7; joint", &[quiet, fire]);
        let stack = sequence("stack=german:4-6-7 + russian:4-4-7; joint", &["do=dm", fire]);
        let [found, expected] = [&melee, &stack].map(|question| pairs(question, 2, [1, 2]));
        assert!(expected.len() > 4, "{expected:?}");
        let once = sequence("stack=german:4-6-7; joint", &[quiet, &fire.replace("; rof=2", "")]);
        assert_ne!(found, pairs(&once, 2, [1, 2]), "{fire}: the later shots count");
        for ends in found.keys().chain(expected.keys()) {
            let [one, other] = [&found, &expected].map(|all| all.get(ends).unwrap_or(&0.0));
            assert!((one - other).abs() < 1e-12, "{fire}: {ends:?}: {one} and {other}");
        }
    }
    // Dice agree with the exact odds, also once the Melee is over, and before a further CCPh.
    let fire = "do=fire; by=german:9-2 + german:4-6-7/hmg; range=2; rof=3";
    let question = sequence("stack=german:8-1 + german:4-6-7", &[quiet, fire, "do=cc"]);
    for fit in goodness_of_fit(&question, 40_000, 5) {
        assert!(fit.p_value > 1e-5, "{fit:?}");
    }
}

/// 11.15, 11.2: who has left the Melee takes no fire at it, and a side that is shot away ends it.
#[test]
fn fire_at_a_melee_spares_who_has_left_and_may_end_it() {
    let cc = "do=cc; against=russian:4-4-7; melee=true; plan=withdraw 2; reply=none";
    let steps = [cc, "do=fire; fp=36; drm=-20"];
    let left = after(&sequence("stack=2x german:4-6-7", &steps), 2);
    let second: f64 = left
        .iter()
        .filter(|(end, _)| end.0 == 2 && end.1 == Status::GoodOrder)
        .map(|(_, chance)| chance)
        .sum();
    assert!((second - 1.0).abs() < 1e-12, "{left:?}");
    // Both units of the Melee are out by a KIA of two or more.
    let first: f64 = left
        .iter()
        .filter(|(end, _)| end.0 == 1 && end.1 == Status::Eliminated)
        .map(|(_, chance)| chance)
        .sum();
    assert!((first - 1.0).abs() < 1e-12, "{left:?}");
    // Who is left alone takes part in a check.
    let quiet = "do=cc; against=russian:4-4-7; plan=none; reply=none";
    let steps = [quiet, "do=fire; fp=24", "do=check; mc=0"];
    let question = sequence("stack=german:4-6-7", &steps);
    let [fired, checked] = [2, 3].map(|step| {
        let is_good = |(end, _): &(&End, &f64)| end.1 == Status::GoodOrder;
        after(&question, step).iter().filter(is_good).map(|(_, chance)| chance).sum::<f64>()
    });
    assert!(fired > checked, "{fired} {checked}");
    for fit in goodness_of_fit(&question, 40_000, 3) {
        assert!(fit.p_value > 1e-5, "{fit:?}");
    }
}

/// 7.8: a pin ends with the CCPh.
#[test]
fn pins_end_with_the_close_combat_phase() {
    let cc = "do=cc; against=russian:4-4-7; plan=none; reply=none";
    let question = sequence("stack=german:4-6-7/pinned", &[cc, "do=dm"]);
    assert_ends(&sequence("stack=german:4-6-7/pinned", &[cc]), 1, "pinned 4-6-7: 1/1");
    assert_ends(&question, 1, "good-order 4-6-7: 1/1");
}

/// A Close Combat against another enemy waits for the end of the Melee; one that is to go on needs
/// one. The condition of a step looks at the stack.
#[test]
fn steps_without_effect_are_left_out() {
    let stack = "stack=german:4-6-7";
    let quiet = "do=cc; against=russian:4-4-7; plan=none; reply=none";
    let other = "do=cc; against=russian:5-2-7; hand-to-hand";
    assert_ends(&sequence(stack, &[quiet, other]), 1, "good-order 4-6-7: 1/1");
    let only =
        sequence(stack, &["do=eliminate; slots=1; if=broken", &format!("{other}; if=broken")]);
    assert_ends(&only, 1, "good-order 4-6-7: 1/1");
    let trace = trace_script(&sequence(stack, &[quiet, "do=check; mc=0"]), "").unwrap();
    assert!(format!("{:?}", trace.lines).contains("the stack is in Melee"));
}

/// Dice agree with the exact odds over fire, Close Combat, Melee and a Rally Phase.
#[test]
fn dice_agree_with_the_exact_odds() {
    let steps = [
        "do=fire; fp=6",
        "do=cc; against=russian:4-4-7; terrain=building",
        "do=cc; if=not all gone",
        "do=rally; leader=8-0",
    ];
    let question = sequence("stack=german:8-1 + german:4-6-7", &steps);
    for fit in goodness_of_fit(&question, 40_000, 7) {
        assert!(fit.p_value > 1e-5, "{fit:?}");
    }
}

/// Heroes and leaders of ours that appear fight on, and keep their slots.
#[test]
fn created_units_take_part() {
    let steps = ["do=check; mc=0", "do=cc; against=russian:4-4-7; plan=all; reply=none"];
    let question = sequence("stack=german:4-6-7; hob", &steps);
    let ends = after(&question, 2);
    let is_new = |word: &str| ends.keys().any(|end| end.0 == 2 && end.2.contains(word));
    assert!(is_new("1-4-9") && is_new("8-0"), "{ends:?}");
}

/// 15.43, 15.46: who goes berserk attacks whatever the plan, and is calm once the enemy is dead.
#[test]
fn berserk_units_attack_by_any_plan() {
    let steps = ["do=check; mc=0", "do=cc; against=russian:2-2-7; plan=none; reply=none"];
    let question = sequence("stack=german:4-6-7; hob", &steps);
    let [before, after] = [1, 2].map(|step| {
        let is_berserk = |(end, _): &(&End, &f64)| end.1 == Status::Berserk;
        after(&question, step).iter().filter(is_berserk).map(|(_, chance)| chance).sum::<f64>()
    });
    assert!(before > after && after > 0.0, "{before} {after}");
}

#[test]
fn impossible_close_combats_are_refused_in_words() {
    for (fields, field, words) in [
        ("1.do=cc", "1.against", "against whom"),
        (CROWDED, "1.plan", "more than 4 blocks"),
        ("1.do=cc; 1.against=russian:4-4-7; 1.plan=2>1", "1.plan", "no unit 2"),
        ("1.do=cc; 1.against=7x russian:4-4-7", "1.against", "at most 6"),
        ("1.do=cc; 1.against=russian:4-4-7; 1.plan=withdraw 1", "1.plan", "first round"),
        ("1.do=cc; 1.against=russian:4-4-7; 2.do=cc; 2.ambush=ours", "2.ambush", "Melee"),
        ("1.do=cc; 1.against=russian:4-4-7; 2.do=cc; 2.melee=true", "2.melee", "by itself"),
        (FULL, "3.against", "too many counters"),
    ] {
        let fault = blame(QuestionKind::Sequence, &format!("stack=german:4-6-7; {fields}"));
        assert_eq!(fault.field, field, "{fault:?}");
        assert!(fault.fault.message.contains(words), "{fault:?}");
    }
    let fault = blame(QuestionKind::Sequence, HARD);
    assert!(fault.fault.message.contains("too many plans"), "{fault:?}");
}

/// Five blocks, of which `best` does not try all plans.
const CROWDED: &str = "1.do=cc; 1.against=5x russian:4-4-7; 1.plan=best";
/// Four blocks against four with an Ambush and Leader Creation.
const HARD: &str = "stack=4x german:4-6-7; 1.do=cc; 1.against=4x russian:4-4-7; \
    1.terrain=building; 1.plan=best; 1.reply=best";

/// Three enemies whose counters, with their HS, do not fit beside those of the catalogue.
const FULL: &str = "1.do=cc; 1.against=6x german:4-6-7/morale=8; \
    2.do=cc; 2.against=5x german:4-6-7/morale=8; 3.do=cc; 3.against=6x german:4-4-7/morale=8";
