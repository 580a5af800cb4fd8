//! Further ways in which a unit can end: their measures agree with the rows of the answer, which
//! the rows' labels are searched for.

use super::{of_stack, table};
use lowcrawl::answer::{Engine, Options};
use lowcrawl::games;
use lowcrawl::play::{Measurement, Objective};
use lowcrawl::process::Label;

/// A question (kind, stack, further fields), a measure, and the slots whose units it counts.
const ENDS: &str = "
    check | 9-1 + 2x german:4-6-7   | mc=2 elr=2    | pinned                | 2 3
    check | 9-1 + 2x german:4-6-7   | mc=2 elr=2    | replaced              | 2 3
    check | 9-1 + 2x german:4-6-7   | mc=2 elr=2    | leaders replaced      | 1
    check | 9-1 + 2x german:4-6-7   | mc=2          | improved              | 2 3
    check | 9-1 + 2x german:4-6-7   | mc=2 elr=2    | units wounded         | 1 2 3
    check | 9-1 + 2x german:4-6-7   | mc=2 elr=2    | mmc broken            | 2 3
    check | 9-1 + 2x german:4-6-7   | mc=2 elr=2    | broken 4-4-7          | 2 3
    check | 9-1 + 2x german:4-6-7   | mc=2 elr=2    | breaks 4-6-7          | 2 3
    fire  | 2x american:7-4-7       | fp=16         | reduced               | 1 2
    fire  | 2x american:7-4-7       | fp=16         | eliminated            | 1 2
    fire  | german:4-6-7            | fp=12 elr=1   | holds 4-6-7           | 1
    rally | german:4-6-7/dm         | leader=8-1    | improved              | 1
    rally | german:4-6-7/dm         | leader=8-1    | rallied @ 2           | 1
    rally | german:4-6-7/dm         | leader=8-1    | rallied 4-6-7         | 1
    interdict | german:4-6-7        | hexes=2       | pinned                | 1
    sequence | german:4-6-7         | 1.do=fire 1.fp=8 2.do=fire 2.fp=4 elr=2 | replaced | 1
";

const EXACTLY: Options = Options {
    engine: Engine::Exact,
    trials: lowcrawl::Trials::Number(0),
    seed: 0,
    threads: None,
    stratify: 0,
    counts: None,
    watch: lowcrawl::engine::monitor::Monitor::NONE,
};

#[test]
fn further_ends_agree_with_the_rows() {
    let game = games().first();
    for [kind, stack, words, text, slots] in table::rows(ENDS) {
        let question = of_stack(kind, stack, words);
        let what = format!("{text} of {stack}, {words}");
        let objective = Objective::read(text, game.measures(), game.kinds()).unwrap();
        assert_eq!(objective.to_string(), text, "its notation");
        let meta = || question.meta(String::new());
        let (measured, _) = question.measure(&objective, &EXACTLY, meta()).unwrap();
        let Some(Measurement::Mean(mean)) = measured else { panic!("{what}: no mean") };

        let (ends, at) = text.split_once(" @ ").unwrap_or((text, ""));
        let facts = question.words().facts();
        let at = at.parse().unwrap_or(facts.last_point);
        let mut ends: Vec<&str> = ends.split(' ').collect();
        ends.retain(|word| !["mmc", "units", "leaders"].contains(word));
        let class = facts.kind.classes.iter().find(|class| class.name == ends[0]);
        let is_end = |label: &Label| {
            let of_counter = Label { status: None, wounded: None, ..label.clone() };
            let status = label.status.unwrap_or_default();
            let named = match ends[0] {
                "wounded" => label.wounded == Some(true),
                "replaced" | "reduced" | "improved" => {
                    question.words().change(&of_counter) == Some(ends[0])
                }
                name => class.map_or(status == name, |class| class.statuses.contains(&status)),
            };
            let counter = label.counter.as_deref().and_then(|counter| counter.split('/').next());
            named && ends.get(1).is_none_or(|name| counter == Some(name))
        };
        let slots: Vec<u8> = slots.split(' ').map(|slot| slot.parse().unwrap()).collect();
        let is_at = |label: &Label| label.phase.or(label.step).is_none_or(|point| point == at);
        let table = question.answer(&EXACTLY, meta()).unwrap();
        let expected: f64 = table
            .rows
            .iter()
            .filter(|row| row.label.slot.is_some_and(|slot| slots.contains(&slot)))
            .filter(|row| row.label.unit.is_some() && is_at(&row.label) && is_end(&row.label))
            .map(|row| row.figure.probability())
            .sum();
        assert!(expected > 0.0, "{what}: nobody ends so");
        assert!((mean.value - expected).abs() < 1e-12, "{what}: {}, not {expected}", mean.value);
        let again = [of_stack(kind, stack, words), of_stack(kind, stack, words)];
        let compared = question.compared(&again, &objective, &EXACTLY, meta()).unwrap();
        let value = compared.courses[1].objective.value;
        assert!((value - expected).abs() < 1e-12, "{what}: compared {value}, not {expected}");
    }
}
