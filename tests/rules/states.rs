//! The number of states the exact engine visits, for whole questions and their parts. A value kept
//! too long or dropped too early changes this number before it changes any probability.

use crate::common::{ask, exact_odds, sequence};
use lowcrawl::asl::question::RawValue::{Boolean, Integer, Text};
use lowcrawl::asl::question::{Question, QuestionKind, RawValue};
use lowcrawl::process::Question as _;

/// Returns the number of states of the whole process, and of all its factors together.
fn state_counts(question: &Question) -> (usize, usize) {
    let parts: Vec<_> = question.parts().all().collect();
    (exact_odds(&question.whole()).states, parts.iter().map(|part| exact_odds(part).states).sum())
}

fn stack_counts(kind: QuestionKind, stack: &str, fields: &[(&str, RawValue)]) -> (usize, usize) {
    state_counts(&ask(kind, &[&[("stack", Text(stack))], fields].concat()))
}

fn sequence_counts(stack: &str, steps: &[&[(&str, RawValue)]]) -> (usize, usize) {
    state_counts(&sequence(&[("stack", Text(stack)), ("hob", Boolean(true))], steps))
}

#[test]
fn checks_and_attacks_visit_the_listed_numbers_of_states() {
    let hob = ("hob", Boolean(true));
    let mc = |drm| ("mc", Integer(drm));
    let fire = |fp| ("fp", Integer(fp));
    let ptc = ("ptc", Boolean(true));
    let counted = [
        stack_counts(QuestionKind::Check, "german:4-6-7", &[mc(0)]),
        stack_counts(QuestionKind::Check, "german:4-6-7/broken", &[mc(1), hob]),
        stack_counts(
            QuestionKind::Check,
            "german:9-1 + german:8-0 + german:4-6-7 + german:2-4-7",
            &[mc(1)],
        ),
        stack_counts(
            QuestionKind::Check,
            "german:8-1 + german:4-6-7 + german:8-3-8",
            &[mc(2), hob],
        ),
        stack_counts(
            QuestionKind::Check,
            "commissar:9-0 + russian:4-4-7 + russian:8-0",
            &[mc(0), hob],
        ),
        stack_counts(
            QuestionKind::Check,
            "german:9-1 + german:8-1 + 2x german:4-6-7 + german:4-3-6/broken",
            &[ptc],
        ),
        stack_counts(
            QuestionKind::Check,
            "german:9-1 + german:8-0 + german:4-6-7",
            &[mc(1), hob, ("i32", Text("alternative"))],
        ),
        stack_counts(
            QuestionKind::Check,
            "german:8-0 + german:4-6-7/encircled",
            &[mc(0), hob, ("i27", Text("alternative"))],
        ),
        stack_counts(
            QuestionKind::Check,
            "german:8-0 + german:4-6-7",
            &[mc(0), hob, ("i43", Text("alternative"))],
        ),
        stack_counts(QuestionKind::Fire, "german:9-1 + german:4-6-7 + german:4-6-7", &[fire(8)]),
        stack_counts(
            QuestionKind::Fire,
            "german:8-1 + german:4-6-8 + german:2-4-7",
            &[fire(16), hob],
        ),
        stack_counts(
            QuestionKind::Fire,
            "german:4-6-7/broken + german:8-0/wounded",
            &[fire(24), hob],
        ),
    ];
    let expected = [
        (1, 1),
        (2, 2),
        (2658, 578),
        (488, 563),
        (2178, 4417),
        (15, 13),
        (2144, 4353),
        (45, 93),
        (41, 85),
        (846, 176),
        (2152, 2598),
        (130, 286),
    ];
    assert_eq!(counted, expected);
}

#[test]
fn rallies_and_routs_visit_the_listed_numbers_of_states() {
    let hob = ("hob", Boolean(true));
    let phases = |number| ("phases", Integer(number));
    let hexes = |number| ("hexes", Integer(number));
    let led = ("leader", Text("8-1"));
    let goes_along = ("voluntary-rout", Boolean(true));
    let counted = [
        stack_counts(QuestionKind::Rally, "german:4-6-7/broken,dm", &[led, phases(3)]),
        stack_counts(
            QuestionKind::Rally,
            "2x russian:4-4-7/broken",
            &[("own-rph", Text("odd")), phases(4)],
        ),
        stack_counts(
            QuestionKind::Rally,
            "german:8-1/broken,wounded + german:4-6-7/broken,dm + german:2-4-7/broken",
            &[phases(2), hob],
        ),
        stack_counts(
            QuestionKind::Rally,
            "commissar:9-0 + 2x russian:4-4-7/broken",
            &[phases(3), hob],
        ),
        stack_counts(
            QuestionKind::Rally,
            "german:8-0 + 2x german:4-6-7/broken,dm",
            &[phases(2), ("joint", Boolean(true))],
        ),
        stack_counts(
            QuestionKind::Rally,
            "german:8-3-8/broken,disrupted",
            &[led, phases(2), ("enemy-adjacent", Boolean(true))],
        ),
        stack_counts(QuestionKind::Interdict, "german:4-6-7/broken", &[hexes(3), led, hob]),
        stack_counts(
            QuestionKind::Interdict,
            "german:8-1/broken + german:9-2/broken",
            &[hexes(5), hob],
        ),
        stack_counts(
            QuestionKind::Interdict,
            "german:8-1 + german:4-6-7/broken",
            &[hexes(2), goes_along, hob],
        ),
        stack_counts(
            QuestionKind::Interdict,
            "german:4-6-7/disrupted + german:4-4-7/broken",
            &[hexes(2), ("i09", Text("alternative")), hob],
        ),
    ];
    let expected = [
        (5, 5),
        (38, 38),
        (857, 857),
        (628, 644),
        (22, 22),
        (3, 3),
        (18, 18),
        (1395, 1443),
        (14, 14),
        (458, 484),
    ];
    assert_eq!(counted, expected);
}

#[test]
fn sequences_visit_the_listed_numbers_of_states() {
    let check: &[(&str, RawValue)] = &[("do", Text("check")), ("mc", Integer(1))];
    let fire: &[(&str, RawValue)] = &[("do", Text("fire")), ("fp", Integer(8))];
    let rally: &[(&str, RawValue)] =
        &[("do", Text("rally")), ("leader", Text("8-0")), ("phases", Integer(2))];
    let alone: &[(&str, RawValue)] = &[("do", Text("rally")), ("if", Text("broken"))];
    let rout: &[(&str, RawValue)] = &[("do", Text("interdict")), ("hexes", Integer(2))];
    let break_off: &[(&str, RawValue)] = &[("do", Text("break"))];
    let counted = [
        sequence_counts("german:8-0 + german:4-6-7", &[check, rout, alone]),
        sequence_counts("german:8-3-8/broken", &[rout, check, rally]),
        sequence_counts("german:8-1/wounded", &[fire, rout, rally, fire]),
        sequence_counts("german:7-0/wounded", &[break_off, rout, rout, rally, check]),
        sequence_counts("2x german:4-6-7", &[break_off, rally, rout, rally]),
        sequence_counts("german:4-4-7/disrupted + german:8-0", &[rout, alone, check]),
        sequence_counts("commissar:9-0 + russian:4-4-7", &[check, alone, rout]),
        sequence_counts("german:8-3-8", &[fire, alone, fire, rout]),
        sequence_counts("italian:3-4-7 + italian:8-0", &[rout, rally, break_off, rout]),
    ];
    let expected = [
        (5207, 5207),
        (682, 682),
        (141, 141),
        (61, 61),
        (5018, 5018),
        (901, 901),
        (1399, 1399),
        (6954, 6954),
        (177, 177),
    ];
    assert_eq!(counted, expected);
}
