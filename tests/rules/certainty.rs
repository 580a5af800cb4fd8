//! Notes on catalogue values of less than full confidence. They appear only if a roll can depend on
//! them, and name the values.

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::question::RawValue::{Boolean, Integer, Text};
use lowcrawl::asl::question::{Question, QuestionKind};

use super::common;

fn stack_question(
    kind: QuestionKind,
    stack: &str,
    more: &[(&str, lowcrawl::asl::question::RawValue)],
) -> Question {
    let fields: Vec<_> = [("stack", Text(stack))].iter().chain(more).copied().collect();
    common::ask(kind, &fields)
}

#[test]
fn notes_name_only_values_a_roll_can_reach() {
    let (mc, fp) = (("mc", Integer(1)), ("fp", Integer(8)));
    let (once, twice) = (("phases", Integer(1)), ("phases", Integer(2)));
    let (led, heat) = (("leader", Text("german:10-2")), ("hob", Boolean(true)));
    let ptc = ("ptc", Boolean(true));
    for (kind, stack, more, expected) in [
        // All values have high confidence.
        (QuestionKind::Check, "german:9-1 + german:4-6-7", &[mc][..], &[][..]),
        // The printed values are given by the player; a single unbroken unit has no broken side to
        // roll with.
        (
            QuestionKind::Check,
            "german:5-3-7",
            &[mc],
            &["german:5-3-7 (medium confidence): underscored Morale, half-squad, Replacement"],
        ),
        (
            QuestionKind::Check,
            "german:5-3-7",
            &[mc, heat],
            &[
                "german:5-3-7 (medium confidence): underscored Morale, half-squad, Replacement, class, Battle Hardening",
            ],
        ),
        // A broken unit is never Replaced.
        (
            QuestionKind::Check,
            "german:5-3-7/broken",
            &[mc],
            &["german:5-3-7 (medium confidence): broken Morale Level, half-squad"],
        ),
        // 10.2: a broken unit may have to check again when the leader dies.
        (
            QuestionKind::Check,
            "german:9-1 + id:ger_2s_237",
            &[mc],
            &[
                "german:2-3-7 (medium confidence): broken Morale Level, underscored Morale, Replacement",
            ],
        ),
        (
            QuestionKind::Check,
            "german:8-0",
            &[mc],
            &["german:8-0 (medium confidence): Replacement"],
        ),
        // 7.305: a PTC pins.
        (QuestionKind::Check, "german:8-0 + german:5-3-7", &[ptc], &[]),
        // 7.302: the remnant of a squad after a K takes a MC.
        (
            QuestionKind::Fire,
            "partisan:3-3-7",
            &[fp],
            &[
                "partisan:3-3-7 (medium confidence): underscored Morale, half-squad, Replacement",
                "partisan:1-3-7 (low confidence): underscored Morale, Replacement",
            ],
        ),
        // A leader that only lends leadership, or is unbroken, never rolls.
        (QuestionKind::Rally, "german:4-6-7/dm", &[led, twice], &[]),
        (QuestionKind::Rally, "german:8-0 + german:4-6-7/dm", &[twice], &[]),
        (
            QuestionKind::Rally,
            "german:8-0/dm + german:4-6-7/dm",
            &[once],
            &["german:8-0 (medium confidence): broken Morale Level, Self-Rally"],
        ),
        (
            QuestionKind::Rally,
            "german:5-3-7/dm",
            &[led, once],
            &["german:5-3-7 (medium confidence): broken Morale Level, half-squad"],
        ),
        // A named half-squad that continues to roll has the confidence of its squad. The
        // Replacement of a counter with full confidence is named alone.
        (
            QuestionKind::Rally,
            "german:5-3-7/dm",
            &[led, twice],
            &["german:5-3-7 (medium confidence): broken Morale Level, half-squad"],
        ),
        (
            QuestionKind::Check,
            "german:9-1 + german:9-1",
            &[mc],
            &["german:8-1 (medium confidence): broken Morale Level, Replacement"],
        ),
        (
            QuestionKind::Rally,
            "german:5-3-7/dm,broken-morale=8",
            &[led, once],
            &["german:5-3-7 (medium confidence): half-squad"],
        ),
        // Similar counters are named together.
        (
            QuestionKind::Rally,
            "german:8-0/dm + german:7-0/dm",
            &[led, once],
            &["german:8-0, german:7-0 (medium confidence): broken Morale Level, Replacement"],
        ),
    ] {
        assert_eq!(stack_question(kind, stack, more).texts().uncertain, expected, "{stack}");
    }
}

/// A broken Morale Level matters if and only if a note names it.
#[test]
fn unnamed_broken_morale_level_changes_no_odds() {
    let units =
        ["german:5-3-7", "german-ss:6-5-8", "partisan:3-3-7", "french:8-1", "british:2-2-8"];
    let leader =
        |unit: &str| unit.split(':').next().map_or(String::new(), |own| format!("{own}:9-1"));
    let (mut named, mut silent) = (0, 0);
    for unit in units {
        for broken in ["", "/broken"] {
            let alone = format!("{unit}{broken}");
            let led = format!("{} + {alone}", leader(unit));
            for stack in [alone, led] {
                let stack = stack.replace("german-ss:9-1", "german-ss:10-2");
                for (kind, more) in [
                    (QuestionKind::Check, vec![("mc", Integer(2))]),
                    (QuestionKind::Check, vec![("ptc", Boolean(true))]),
                    (QuestionKind::Fire, vec![("fp", Integer(16))]),
                    (QuestionKind::Rally, vec![("phases", Integer(2))]),
                ] {
                    for heat in [false, true] {
                        let more: Vec<_> =
                            more.iter().copied().chain([("hob", Boolean(heat))]).collect();
                        let question = stack_question(kind, &stack, &more);
                        let is_named = question
                            .texts()
                            .uncertain
                            .iter()
                            .any(|note| note.contains("broken Morale"));
                        let conditions = if broken.is_empty() { "/" } else { "," };
                        let other = format!("{stack}{conditions}broken-morale=4");
                        let (as_printed, as_given) = (
                            common::odds(&question),
                            common::odds(&stack_question(kind, &other, &more)),
                        );
                        if is_named {
                            named += usize::from(as_printed != as_given);
                        } else {
                            silent += 1;
                            assert_eq!(as_printed, as_given, "{kind:?} {stack} {heat}");
                        }
                    }
                }
            }
        }
    }
    assert!(named > 20 && silent > 20, "{named} {silent}");
}
