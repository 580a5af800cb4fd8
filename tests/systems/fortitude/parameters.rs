//! Every parameter in every position: the odds it changes, by how much, and those it does not.

use std::collections::BTreeSet;

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::fortitude::Fortitude;
use lowcrawl::play::Game as _;
use lowcrawl::process::Question as _;

use crate::table::rows;

use super::questions::{ask, fraction, outcomes, status};

/// Questions that a parameter must not change, unless its row says so.
const PLAIN: [(char, &str, &str); 4] = [
    ('t', "test", "units=unit; cause=flank"),
    ('r', "recover", "units=unit/hesitant; turns=1"),
    ('f', "fire", "units=unit; dice=3; value=10"),
    ('a', "assault", "units=unit/attack=10; by=unit/attack=10; sides=flank"),
];

/// Parameter, value, kind, fields, point, slot, status, odds by default, odds with that value, and
/// the plain questions it changes.
const ROWS: &str = "
    test-rule | below        | test     | units=unit; cause=flank | 0 | 1 | normal      | 7/20    | 6/20   | trfa
    natural-roll-exceptions | 1-passes     | test     | units=unit/base=3; cause=rear | 0 | 1 | normal      | 0       | 1/20   |
    natural-roll-exceptions | 20-fails     | test     | units=unit/base=25; cause=rear | 0 | 1 | normal      | 1       | 19/20  |
    natural-roll-exceptions | both         | test     | units=unit/base=25; cause=rear | 0 | 1 | normal      | 1       | 19/20  |
    natural-roll-exceptions | both         | test     | units=unit/base=3; cause=rear | 0 | 1 | normal      | 0       | 1/20   |
    level-fortitude | 0,-2,-4,-6   | recover  | units=unit/shaken; turns=1 | 1 | 1 | hesitant    | 8/20    | 6/20   | ra
    level-attack | 0,0,-3,zero  | assault  | units=unit/models=1,defense=0; by=unit/models=1,hesitant | 1 | 1 | destroyed   | 4/20    | 6/20   | a
    # Defense 1 - 1, or 1.
    level-defense | 0,0,-2,zero  | fire     | units=unit/hesitant,models=1; dice=1; value=10 | 1 | 1 | destroyed   | 1/2     | 0      | a
    commander-bonus | 5            | test     | units=unit/commander; cause=flank | 0 | 1 | normal      | 10/20   | 12/20  |
    honor-bonus | 4            | test     | units=unit/honor; cause=flank | 0 | 1 | normal      | 9/20    | 11/20  | a
    honor-attack | 3            | assault  | units=unit/models=1,defense=0; by=unit/models=1,honor | 1 | 1 | destroyed   | 7/20    | 9/20   |
    staff-near-fortitude | 1            | test     | units=unit/staff=2; cause=flank | 0 | 1 | normal      | 11/20   | 8/20   |
    staff-near-attack | 0            | assault  | units=unit/models=1,defense=0; by=unit/models=1,staff=2 | 1 | 1 | destroyed   | 8/20    | 6/20   |
    staff-near-defense | 0            | fire     | units=unit/staff=1,models=1,defense=0; dice=1; value=10 | 1 | 1 | destroyed   | 0       | 1/2    |
    staff-near-range | 1            | test     | units=unit/staff=2; cause=flank | 0 | 1 | normal      | 11/20   | 7/20   |
    staff-lost-penalty | -4           | test     | units=unit; cause=staff-lost | 0 | 1 | normal      | 8/20    | 6/20   |
    staff-loss-test-stacks | true         | test     | units=unit; cause=staff-lost | 0 | 1 | normal      | 8/20    | 6/20   |
    flank-penalty | -4           | test     | units=unit; cause=flank | 0 | 1 | normal      | 7/20    | 6/20   | ta
    rear-penalty | -6           | test     | units=unit; cause=rear | 0 | 1 | normal      | 5/20    | 4/20   |
    casualty-fortitude | -2           | test     | units=unit; cause=casualties | 0 | 1 | normal      | 9/20    | 8/20   | fa
    casualty-fortitude-permanent | false        | test     | units=unit/casualties=2; cause=flank | 0 | 1 | normal      | 5/20    | 7/20   |
    assault-flank-attack | 0            | assault  | units=unit/models=1,defense=0; by=unit/models=1; sides=flank | 1 | 1 | destroyed   | 8/20    | 6/20   | a
    # The defender strikes back at 10, or at 8 once Hesitant: 7/20 * 10/20 + 13/20 * 8/20.
    assault-flank-defense | 0            | assault  | units=unit/models=1,attack=10; by=unit/models=1,defense=0; sides=flank | 1 | 2 | destroyed   | 0       | 87/200 | a
    # Two sure hits against Defense 0 + 1 cost one of two models: C5 at 10 + 1 - 1.
    assault-flank-fortitude | 0            | assault  | units=unit/base=40,attack=20,models=2,defense=20; by=unit/models=2,defense=0; sides=flank | 1 | 2 | normal      | 10/20   | 9/20   | a
    assault-rear-attack | 0            | assault  | units=unit/models=1,defense=0; by=unit/models=1; sides=rear | 1 | 1 | destroyed   | 9/20    | 6/20   |
    # 5/20 * 10/20 + 15/20 * 8/20.
    assault-rear-defense | 0            | assault  | units=unit/models=1,attack=10; by=unit/models=1,defense=0; sides=rear | 1 | 2 | destroyed   | 0       | 17/40  |
    assault-rear-fortitude | 0            | assault  | units=unit/base=40,attack=20,models=3,defense=20; by=unit/models=2,defense=0; sides=rear | 1 | 2 | normal      | 11/20   | 9/20   |
    fatigue-fortitude | 0,-3,-2      | test     | units=unit/fatigue=1; cause=flank | 0 | 1 | normal      | 6/20    | 4/20   |
    morale-phase-requires-unengaged | false        | recover  | units=unit/shaken,engaged,blocked; turns=1 | 1 | 1 | hesitant    | 0       | 8/20   |
    fail-adds | 2            | test     | units=unit; cause=flank | 0 | 1 | shaken      | 0       | 13/20  | tfa
    combined-mode | simultaneous | assault  | units=unit/shaken; sides=flank,flank | 1 | 1 | panicked    | 27/80   | 3/8    |
    combined-order | rear-first   | assault  | units=unit; sides=flank,rear | 1 | 1 | hesitant    | 157/400 | 31/80  |
    casualty-tests | per-casualty | test     | units=unit; cause=casualties; casualties=2 | 0 | 1 | normal      | 8/20    | 4/25   | fa
    panicked-nonmelee-fail | surrender    | test     | units=unit/panicked; cause=casualties | 0 | 1 | surrendered | 0       | 14/20  |
    panicked-melee-fail | stay         | test     | units=unit/panicked,engaged; cause=staff-lost | 0 | 1 | surrendered | 15/20   | 0      |
    # Only one order can be chosen: Run, at 10 - 1.
    orders-that-fire | all          | sequence | units=unit/models=1,defense=0; enemies=unit/models=1,attack=10; enemy-orders=run; 1.do=turn; 2.do=fire; 2.at=1; 2.by=2 | 1 | 1 | destroyed   | 0       | 9/20   |
    # Two steps of 2 from 5 do not reach the staff, one of 4 does.
    flee-hexes | 4            | recover  | units=unit/shaken,staff=5; turns=1 | 1 | 1 | hesitant    | 8/20    | 1      |
    flee-hexes-cavalry | 2            | recover  | units=unit/shaken,staff=5,cavalry; turns=1 | 1 | 1 | hesitant    | 1       | 8/20   |
    panic-hexes | 4            | recover  | units=unit/panicked,edge=4; turns=1 | 1 | 1 | left-board  | 0       | 13/20  |
    panic-hexes-cavalry | 2            | recover  | units=unit/panicked,edge=4,cavalry; turns=1 | 1 | 1 | left-board  | 13/20   | 0      |
    panic-exit-destroys | false        | recover  | units=unit/panicked,edge=2; turns=1 | 1 | 1 | left-board  | 13/20   | 0      |
    flee-order-stacks | true         | test     | units=unit/shaken; cause=flank | 0 | 1 | shaken      | 5/20    | 3/20   |
    damage-rule | none         | fire     | units=unit/models=1; dice=1; value=10 | 1 | 1 | destroyed   | 0       | 1/2    | fa
    damage-rule | divide       | fire     | units=unit/models=1,defense=2; dice=2; value=10 | 1 | 1 | destroyed   | 0       | 1/4    | fa
    defense-floor | 2            | fire     | units=unit/models=1; dice=2; value=10 | 1 | 1 | destroyed   | 1/4     | 0      | fa
    assault-each-turn | true         | assault  | units=unit; sides=flank; turns=2 | 2 | 1 | normal      | 7/20    | 49/400 |
    retreat-leaves | before-melee | assault  | units=unit/models=1,defense=0; order=retreat; dice=1; value=10 | 1 | 1 | destroyed   | 1/2     | 0      |
    level-attack | 2,-2,-3,zero | assault  | units=unit/models=1,defense=0; by=unit/models=1 | 1 | 1 | destroyed   | 6/20    | 8/20   | a
";

#[test]
fn each_parameter_changes_its_own_odds_only() {
    for [name, value, kind, fields, point, slot, end, before, after, moved] in rows(ROWS) {
        let (point, slot) = (point.parse().unwrap(), slot.parse().unwrap());
        let other = ask(kind, &format!("{fields}; {name}={value}"));
        assert_eq!(other.provenance().settings().collect::<Vec<_>>(), [(name, value)]);
        assert_eq!(
            status(&ask(kind, fields), point, slot, end),
            fraction(before),
            "{name}: {fields}"
        );
        assert_eq!(status(&other, point, slot, end), fraction(after), "{name} = {value}: {fields}");
        let moves = |(_, kind, fields): &(char, &str, &str)| {
            let changed = ask(kind, &format!("{fields}; {name}={value}"));
            outcomes(&ask(kind, fields).whole()) != outcomes(&changed.whole())
        };
        let found: String =
            PLAIN.iter().filter(|plain| moves(plain)).map(|(letter, ..)| *letter).collect();
        assert_eq!(found, moved, "{name} = {value}");
    }
}

#[test]
fn every_parameter_is_tested() {
    let tested: BTreeSet<&str> = rows::<10>(ROWS).map(|row| row[0]).collect();
    let listed: BTreeSet<&str> =
        Fortitude.parameters().iter().map(|parameter| parameter.name).collect();
    // Only one die is known, and the orders allowed do not change these odds.
    let others = ["fortitude-die", "orders-without-commander"];
    assert_eq!(tested.into_iter().chain(others).collect::<BTreeSet<_>>(), listed);
}

#[test]
fn answers_report_only_the_assumptions_they_use() {
    for [kind, fields, expected] in rows(
        "
            recover | units=ashigaru-archers/shaken |
            recover | units=unit/shaken | unit: base = 10
            recover | units=samurai-cavalry/panicked,edge=4 | panic-exit-destroys = true; samurai-cavalry: base = 14
            # In one turn it runs 4 of 8 hexes.
            recover | units=ashigaru-archers/panicked,edge=8; turns=3 |
            test    | units=ashigaru-archers; cause=flank |
            test    | units=ashigaru-archers; cause=flank; order=rest | order rest adds 0
            test    | units=unit/base=12,panicked,engaged; cause=staff-lost | panicked-melee-fail = surrender; staff-loss-test-stacks = false
            fire    | units=ashigaru-archers; casualties=1; orders=none,march | ashigaru-archers: models = 5
            fire    | units=ashigaru-archers; casualties=1; orders=none,run | orders-without-commander = all; ashigaru-archers: models = 5
            fire    | units=ashigaru-archers/commander; casualties=1; orders=none,run | ashigaru-archers: models = 5
            test    | units=unit/base=12; cause=staff-lost | staff-loss-test-stacks = false
            test    | units=unit/base=12,panicked; cause=casualties | panicked-nonmelee-fail = stay; unit: models = 5
            test    | units=unit/base=25; cause=flank | natural-roll-exceptions = none
            test    | units=unit/base=5; cause=rear | natural-roll-exceptions = none
            fire    | units=ashigaru-archers; casualties=1 | ashigaru-archers: models = 5
            fire    | units=ashigaru-archers; dice=3; value=9 | damage-rule = subtract; ashigaru-archers: defense = 1; ashigaru-archers: models = 5
            fire    | units=ashigaru-archers/shaken; dice=2; value=9 | damage-rule = subtract; defense-floor = 0; ashigaru-archers: defense = 1; ashigaru-archers: models = 5
            # The shooters have three dice a model, which is known, and models, which are not.
            fire    | units=unit/base=12,models=9,defense=6; by=samurai-cavalry/models=3 + ashigaru-archers | damage-rule = subtract; ashigaru-archers: attack = 2; ashigaru-archers: models = 5; ashigaru-archers: dice = 1
            assault | units=ashigaru-archers; sides=flank,flank | combined-mode = sequential
            assault | units=ashigaru-archers; sides=flank,rear | combined-mode = sequential; combined-order = flank-first
            assault | units=unit/base=12,models=3,defense=6; sides=flank; dice=2; value=9; turns=2; order=retreat | damage-rule = subtract; retreat-leaves = after-melee
            assault | units=unit/base=12,models=3,defense=6; sides=flank; dice=2; value=9; turns=2 | damage-rule = subtract; assault-each-turn = false
        ",
    ) {
        let found: BTreeSet<String> = ask(kind, fields).texts().uncertain.into_iter().collect();
        let expected = expected.split("; ").filter(|text| !text.is_empty());
        let expected: BTreeSet<String> = expected.map(str::to_string).collect();
        assert_eq!(found, expected, "{kind} {fields}");
    }
}
