//! What a Rally Phase leaves to its owner (10.6, 10.62, 18.11): by small examples, against every policy, and against dice.

mod common;

use common::ask;
use lowcrawl::asl::choice::Choices;
use lowcrawl::asl::engagement::Engagement;
use lowcrawl::asl::location::Location;
use lowcrawl::asl::question::Value::{Boolean, Integer, Text};
use lowcrawl::asl::question::{Kind, Question};
use lowcrawl::dice::Dr;
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::process::{Decisions, Due, Event, Player, Process, Question as _, Silent, Under};

/// Stacks, number of phases, and which are the side's own.
const STACKS: [(&str, i64, &str); 40] = [
    ("german:4-6-7/broken", 1, "odd"),
    ("german:4-6-7/broken", 3, "odd"),
    ("german:4-6-7/broken,dm", 3, "even"),
    ("german:8-1/broken", 3, "never"),
    ("german:8-1/broken,dm", 2, "odd"),
    ("german:8-1/broken + german:4-6-7/broken", 1, "odd"),
    ("german:8-1/broken + german:4-6-7/broken", 3, "odd"),
    ("german:8-1/broken,dm + german:4-6-7/broken,dm", 3, "even"),
    ("german:8-1/broken + german:4-6-7/broken + german:4-6-7/broken", 2, "odd"),
    ("german:4-6-7/broken + german:4-6-7/broken,dm + german:4-6-7/broken", 2, "odd"),
    ("german:4-6-7/broken + german:4-4-7/broken + german:2-2-8/broken", 2, "odd"),
    ("german:2-2-8/broken", 3, "odd"),
    ("german:2-2-8/broken + german:9-1/broken", 2, "even"),
    ("german:8-1/broken + german:9-1/broken", 2, "odd"),
    ("german:8-1/broken,wounded + german:9-2/broken,dm + german:4-6-7/broken", 2, "odd"),
    ("german:6+1/broken + german:4-3-6/broken", 2, "odd"),
    ("german:8-1 + german:4-6-7/broken", 2, "odd"),
    ("german:8-1 + german:4-6-7/broken,dm + german:4-6-7/broken", 2, "odd"),
    ("german:8-1 + german:8-0/broken + german:4-6-7/broken,dm", 2, "odd"),
    ("german:6+1 + german:4-6-7/broken + german:4-4-7/broken,disrupted", 2, "odd"),
    ("german:4-6-7/broken,disrupted + german:8-0/broken", 2, "odd"),
    ("german:4-6-7/broken,fanatic + german:7-0/broken", 2, "odd"),
    ("german:4-6-7/broken,encircled + german:7-0/broken", 2, "odd"),
    ("german-ss:6-5-8/broken + german-ss:9-1/broken", 2, "odd"),
    ("russian:4-4-7/broken + russian:8-0/broken", 2, "odd"),
    ("russian:4-2-6/broken + russian:4-2-6/broken", 2, "odd"),
    ("russian:6-2-8:e/broken + russian:7-0/broken,dm", 2, "even"),
    ("commissar:9-0 + russian:4-4-7/broken,dm", 2, "odd"),
    ("commissar:9-0/broken + russian:4-4-7/broken", 2, "odd"),
    ("commissar:9-0/broken,dm + russian:4-4-7/broken + russian:8-0/broken", 2, "odd"),
    ("commissar:10-0 + russian:8-1/broken + russian:4-4-7/broken", 2, "even"),
    ("commissar:9-0/broken + commissar:10-0/broken", 2, "odd"),
    ("american:6-6-6/broken + american:8-1/broken", 2, "odd"),
    ("american:6-6-6/broken,dm + american:7-0/broken,dm", 2, "odd"),
    ("british:4-5-7/broken + british:8-0/broken", 2, "odd"),
    ("finnish:6-4-8/broken + finnish:4-4-7/broken", 2, "odd"),
    ("finnish:6-4-8/broken,dm + finnish:8-0/broken", 2, "never"),
    ("italian:3-4-7/broken + italian:8-0/broken", 2, "odd"),
    ("hero + german:4-6-7/broken + german:8-0/broken", 2, "odd"),
    ("german:9-2/berserk + german:4-6-7/broken + german:8-0/broken", 2, "odd"),
];

/// Rally Phases of a stack, with Heat of Battle or without.
fn rally(stack: &str, phases: i64, own: &str, heat: bool) -> Question {
    let fields = [("stack", Text(stack)), ("phases", Integer(phases)), ("own-rph", Text(own)), ("hob", Boolean(heat))];
    ask(Kind::Rally, &fields)
}

/// The reference order, as a policy.
fn first(_: &Engagement, _: &Location, _: Player, _: usize) -> usize {
    0
}

/// 10.6, 10.62: with every choice left to the owner, its first options are the reference order, to the fraction.
#[test]
fn the_first_options_are_the_reference_order() {
    for heat in [false, true] {
        for (stack, phases, own) in STACKS {
            for enemy_adjacent in [false, true] {
                let fields = [
                    ("stack", Text(stack)),
                    ("phases", Integer(phases.min(if heat { 2 } else { 3 }))),
                    ("own-rph", Text(own)),
                    ("hob", Boolean(heat)),
                    ("enemy-adjacent", Boolean(enemy_adjacent)),
                ];
                let question = ask(Kind::Rally, &fields);
                let plain = exact::odds(&question.whole(), Bound::STANDARD).unwrap();
                let process = question.with_choices(Choices::ALL).whole();
                let played = exact::odds(&Under::new(process, first), Bound::STANDARD).unwrap();
                assert_eq!(plain.chances, played.chances, "{stack}");
            }
        }
    }
}

/// The process of a question with every choice, and the state it starts in.
fn begin(question: &Question) -> (Engagement, Location) {
    let process = question.with_choices(Choices::ALL).whole();
    let location = process.start(&mut Silent);
    (process, location)
}

/// Rolls an Original DR that is due.
fn roll(process: &Engagement, location: &mut Location, original: u8) {
    let Due::Roll(dice, terms) = process.due(location) else { panic!("no roll is due") };
    let face = dice.all().find(|&face| Dr::of(face).total() == original).unwrap();
    let reading = process.read(&terms, face);
    process.apply(location, reading, &mut Silent);
}

/// 10.6, 10.62, 18.11: the reference order first, then stack order, of equal units one, then nobody; at the end DM.
#[test]
fn choices_in_words() {
    let stack = "german:4-6-7/broken,dm + german:8-1/broken,dm + german:4-6-7/broken,dm";
    let (process, mut location) = begin(&rally(stack, 2, "odd", false));
    assert_eq!(process.decision(&location), "Rally Phase 1: 4-6-7 [1], 8-1 [2] and 4-6-7 [3] can try to rally");
    let options = ["8-1 [2] tries to rally", "4-6-7 [1] tries to rally", "nobody else tries to rally"];
    assert_eq!(process.options(&location), options);
    let mut log: Vec<Event> = Vec::new();
    process.choose(&mut location, 1, &mut log);
    assert_eq!(log, [Event { rule: "10.6", text: "4-6-7 [1] tries to rally".to_string() }]);
    // Not with +5 against 7: the other may no longer be first.
    roll(&process, &mut location, 7);
    assert_eq!(process.options(&location), ["8-1 [2] tries to rally", "nobody else tries to rally"]);
    log.clear();
    process.choose(&mut location, 1, &mut log);
    assert_eq!(log, [Event { rule: "10.6", text: "nobody else tries to rally".to_string() }]);
    assert_eq!(process.decision(&location), "end of Rally Phase 1: 4-6-7 [1], 8-1 [2] and 4-6-7 [3] have DM");
    assert_eq!(process.options(&location), ["DM is removed", "DM is kept"]);
    log.clear();
    process.choose(&mut location, 1, &mut log);
    assert_eq!(log, [Event { rule: "10.62", text: "DM is kept".to_string() }]);
    assert_eq!(process.due(&location), Due::Report(1));
    process.pass(&mut location, &mut Silent);
    assert_eq!(process.decision(&location), "Rally Phase 2: 8-1 [2] can try to rally");
}
