//! Notes on catalogue values of less than full confidence. They appear only if a roll can depend on
//! them, and name the values.

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::question::QuestionKind;

use crate::common::{self, ask, odds};
use crate::table::rows;

#[test]
fn notes_name_only_values_a_roll_can_reach() {
    for [kind, stack, more, expected] in rows(
        "
            # All values have high confidence.
            check | german:9-1 + german:4-6-7 | mc=1 |
            # The printed values are given by the player; a single unbroken unit has no broken side to
            # roll with.
            check | german:5-3-7 | mc=1 | german:5-3-7 (medium confidence): underscored Morale, half-squad, Replacement
            check | german:5-3-7 | mc=1; hob | german:5-3-7 (medium confidence): underscored Morale, half-squad, Replacement, class, Battle Hardening
            # A broken unit is never Replaced.
            check | german:5-3-7/broken | mc=1 | german:5-3-7 (medium confidence): broken Morale Level, half-squad
            # 10.2: a broken unit may have to check again when the leader dies.
            check | german:9-1 + id:ger_2s_237 | mc=1 | german:2-3-7 (medium confidence): broken Morale Level, underscored Morale, Replacement
            check | german:8-0 | mc=1 | german:8-0 (medium confidence): Replacement
            # 7.305: a PTC pins.
            check | german:8-0 + german:5-3-7 | ptc |
            # 7.302: the remnant of a squad after a K takes a MC.
            fire  | partisan:3-3-7 | fp=8 | partisan:3-3-7 (medium confidence): underscored Morale, half-squad, Replacement; partisan:1-3-7 (low confidence): underscored Morale, Replacement
            # A leader that only lends leadership, or is unbroken, never rolls.
            rally | german:4-6-7/dm | leader=german:10-2; phases=2 |
            rally | german:8-0 + german:4-6-7/dm | phases=2 |
            rally | german:8-0/dm + german:4-6-7/dm | phases=1 | german:8-0 (medium confidence): broken Morale Level, Self-Rally
            rally | german:5-3-7/dm | leader=german:10-2; phases=1 | german:5-3-7 (medium confidence): broken Morale Level, half-squad
            # A named half-squad that continues to roll has the confidence of its squad. The
            # Replacement of a counter with full confidence is named alone.
            rally | german:5-3-7/dm | leader=german:10-2; phases=2 | german:5-3-7 (medium confidence): broken Morale Level, half-squad
            check | german:9-1 + german:9-1 | mc=1 | german:8-1 (medium confidence): broken Morale Level, Replacement
            rally | german:5-3-7/dm,broken-morale=8 | leader=german:10-2; phases=1 | german:5-3-7 (medium confidence): half-squad
            # Similar counters are named together.
            rally | german:8-0/dm + german:7-0/dm | leader=german:10-2; phases=1 | german:8-0, german:7-0 (medium confidence): broken Morale Level, Replacement
        ",
    ) {
        let uncertain = ask(common::kind(kind), &format!("stack={stack}; {more}")).texts().uncertain;
        assert_eq!(uncertain.join("; "), expected, "{stack}; {more}");
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
                    (QuestionKind::Check, "mc=2"),
                    (QuestionKind::Check, "ptc"),
                    (QuestionKind::Fire, "fp=16"),
                    (QuestionKind::Rally, "phases=2"),
                ] {
                    for heat in [false, true] {
                        let of_stack =
                            |stack: &str| ask(kind, &format!("stack={stack}; {more}; hob={heat}"));
                        let question = of_stack(&stack);
                        let is_named = question
                            .texts()
                            .uncertain
                            .iter()
                            .any(|note| note.contains("broken Morale"));
                        let conditions = if broken.is_empty() { "/" } else { "," };
                        let other = format!("{stack}{conditions}broken-morale=4");
                        let (as_printed, as_given) = (odds(&question), odds(&of_stack(&other)));
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
