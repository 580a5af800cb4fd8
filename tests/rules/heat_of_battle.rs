//! Heat of Battle (15.1 - 15.5), heroes (15.2), Fanatics (10.8) and wounds (17) by small examples.
//!
//! A DR of n or less has 1 3 6 10 15 21 26 30 33 35 36 chances in 36 for n = 2 to 12. An Original 2
//! and a given result of the Heat of Battle DR have that many chances in 1296.

use crate::common::{ask, assert_ends, assert_switch, check, ends, rally};
use lowcrawl::asl::question::{Question, QuestionKind};

/// Builds a question about an NMC with Heat of Battle and ELR 5.
fn heated(stack: &str, more: &str) -> Question {
    heated_by(0, stack, more)
}

/// Builds a question about an `mc`MC with Heat of Battle and ELR 5.
fn heated_by(mc: i64, stack: &str, more: &str) -> Question {
    let fields = &format!("stack={stack}; mc={mc}; elr=5; hob");
    ask(QuestionKind::Check, &[fields, more].join("; "))
}

/// Builds a question about one Rally Phase that is not the side's own, with Heat of Battle.
fn heated_rally(stack: &str, leader: &str) -> Question {
    let fields = &format!("stack={stack}; leader={leader}; phases=1; own-rph=never; hob");
    ask(QuestionKind::Rally, fields)
}

/// 15.1: the table for a DRM of -2 to +3. The columns are chances in 36 of a hero (6 or less), of
/// Battle Hardening (5 to 8), of going berserk (9 to 11) and of surrender (12 or more). At 0 these
/// are 15, 26 - 6, 35 - 26 and 1; a DRM shifts the required DR.
const TABLE: [(i8, [u64; 4]); 6] = [
    (-2, [26, 18, 3, 0]),
    (-1, [21, 20, 6, 0]),
    (0, [15, 20, 9, 1]),
    (1, [10, 18, 12, 3]),
    (2, [6, 14, 15, 6]),
    (3, [3, 10, 16, 10]),
];

/// Returns a number of chances in 1296 as a reduced fraction.
fn in_1296(chances: u64) -> String {
    let divisor = (1..=1296)
        .rev()
        .find(|&d| chances.is_multiple_of(d) && 1296_u64.is_multiple_of(d))
        .unwrap();
    if chances == 0 { "0".to_string() } else { format!("{}/{}", chances / divisor, 1296 / divisor) }
}

/// Returns the probabilities that the MMC in slot 1 makes a hero, Battle Hardens, goes berserk and
/// surrenders.
fn four_results(question: &Question, unit: &str, hardened: &str) -> [String; 4] {
    [
        ends(question, 2, "good-order 1-4-9"),
        ends(question, 1, &format!("good-order {hardened}")),
        ends(question, 1, &format!("berserk {unit}")),
        ends(question, 1, &format!("disrupted {unit}")),
    ]
}

/// 15.1: every DRM of the table. Elite -1, British and Finnish -1, broken +1, Conscript and
/// leaderless Green +1, French +1, Russian +2 (NKVD +1), Italian and Axis Minor +3. 15.3: the
/// Battle Hardened form of each MMC.
#[test]
fn modifiers_shift_results_by_nation_and_class() {
    for (stack, hardened, drm) in [
        ("british:4-5-8", "4-5-8/fanatic", -2),
        ("finnish:8-3-8", "8-3-8/fanatic", -2),
        ("german:4-6-8", "4-6-8/fanatic", -1),
        ("german-ss:6-5-8", "6-5-8/fanatic", -1),
        ("american:6-6-7", "6-6-7/fanatic", -1),
        ("british:4-5-7", "4-5-8", -1),
        ("finnish:6-4-8", "6-4-8/fanatic", -1),
        ("german:4-6-7", "4-6-8", 0),
        ("german:2-4-7", "2-4-8", 0),
        ("american:6-6-6", "6-6-7", 0),
        ("french:4-5-8", "4-5-8/fanatic", 0),
        ("british:4-3-6", "4-4-7", 0),
        ("finnish:4-3-7", "4-4-7", 0),
        ("german:4-6-8/broken", "4-6-8/fanatic", 0),
        ("french:4-5-7", "4-5-8", 1),
        ("german:4-3-6", "4-4-7", 1),
        ("american:5-3-6", "5-4-6", 1),
        ("german:4-6-7/broken", "4-6-8", 1),
        ("russian:4-5-8", "4-5-8/fanatic", 1),
        ("russian:6-2-8:2", "6-2-8/fanatic", 1),
        ("russian:4-4-7", "4-5-8", 2),
        ("russian:2-2-7", "3-2-8", 2),
        ("italian:4-4-7", "4-4-7/fanatic", 2),
        ("axis-minor:4-4-7", "4-4-7/fanatic", 2),
        ("german:4-3-6/broken", "4-4-7", 2),
        ("german:4-3-6/disrupted", "4-4-7", 2),
        ("russian:4-2-6", "5-2-7", 3),
        ("russian:4-4-7/broken", "4-5-8", 3),
    ] {
        let question = heated(stack, "");
        let unit = stack.split(['/', ':']).nth(1).unwrap();
        let mut expected = TABLE.iter().find(|row| row.0 == drm).unwrap().1.map(in_1296);
        let mut actual = four_results(&question, unit, hardened);
        if stack.ends_with("disrupted") {
            // Units that stay Disrupted and units that surrender look alike.
            (expected[3], actual[3]) = (String::new(), String::new());
        }
        assert_eq!(actual, expected, "{stack}");
    }
}

/// 15.1: Italians and Axis Minor that are not elite surrender at 10 or more and go berserk on 9
/// only. At +3 that is a DR of 6 (5 in 36), and 7 or more (21). At +4 (Conscripts) it is a DR of 5
/// (4), and 6 or more (26).
#[test]
fn italians_and_axis_minor_surrender_on_10_or_more() {
    for (stack, unit, hardened, chances) in [
        ("italian:3-4-6", "3-4-6", "4-4-7", [3, 10, 5, 21]),
        ("axis-minor:3-4-7", "3-4-7", "4-4-7", [3, 10, 5, 21]),
        ("italian:3-3-6", "3-3-6", "3-4-6", [1, 6, 4, 26]),
        ("axis-minor:3-3-6", "3-3-6", "3-4-7", [1, 6, 4, 26]),
    ] {
        assert_eq!(
            four_results(&heated(stack, ""), unit, hardened),
            chances.map(in_1296),
            "{stack}"
        );
    }
    // Broken elite units have +3, too, but go berserk on 9 to 11.
    let elite = heated("italian:4-4-7/broken", "");
    assert_eq!(four_results(&elite, "4-4-7", "4-4-7/fanatic"), [3, 10, 16, 10].map(in_1296));
}

/// 15.5, 20.3: no unit surrenders under No Quarter. Fanatics, Partisans and Commissars never
/// surrender, nor do the SS to Russians. They go berserk instead. 4-6-7 at 0: 9 to 12, 10 in 36.
/// Partisans and a Commissar (+2 Russian, -1 elite) at +1: 9 or more is a DR of 8 or more, 15.
#[test]
fn units_that_cannot_surrender_go_berserk() {
    for (stack, more, unit, chances) in [
        ("german:4-6-7", "no-quarter", "4-6-7", 10),
        ("german:4-6-7/fanatic", "", "4-6-7/fanatic", 10),
        ("partisan:3-3-7", "", "3-3-7", 15),
        ("commissar:9-0", "", "9-0", 15),
        ("german-ss:6-5-8/broken", "enemy=russian", "6-5-8", 10),
        ("italian:3-4-6/fanatic", "", "3-4-6/fanatic", 26),
    ] {
        let question = heated(stack, more);
        assert_ends(
            &question,
            1,
            &format!("berserk {unit}: {}, disrupted {unit}: 0", in_1296(chances)),
        );
    }
    // The SS surrender to others: +1 broken, -1 elite, so on a 12.
    let others = heated("german-ss:6-5-8/broken", "");
    assert_ends(&others, 1, "berserk 6-5-8: 1/144, disrupted 6-5-8: 1/1296");
}

/// 15.5, 20.21: if an ADJACENT enemy can take it, a unit that surrenders is captured at once.
/// Otherwise it is Disrupted.
#[test]
fn adjacent_captor_captures_a_surrendering_unit() {
    let captured = "captured 4-6-7: 1/1296, disrupted 4-6-7: 0";
    assert_ends(&heated("german:4-6-7", "captor"), 1, captured);
    let disrupted = "captured 4-6-7: 0, disrupted 4-6-7: 1/1296";
    assert_ends(&heated("german:4-6-7", ""), 1, disrupted);
}

/// 15.44: without a Known enemy in LOS no unit goes berserk. It Battle Hardens on 5 to 11 (35 - 6
/// chances), and surrenders on 12 as before. Under No Quarter that 12, berserk in place of
/// surrender, is Battle Hardening, too. Italians (+3) harden on 5 to 9: a DR of 6 or less.
#[test]
fn units_without_known_enemy_harden_and_never_go_berserk() {
    let hidden = "keu=false";
    let hardened = "good-order 4-6-8: 29/1296, berserk 4-6-7: 0, disrupted 4-6-7: 1/1296";
    assert_ends(&heated("german:4-6-7", hidden), 1, hardened);
    let no_quarter = heated("german:4-6-7", &format!("{hidden}; no-quarter"));
    assert_ends(&no_quarter, 1, "good-order 4-6-8: 5/216, disrupted 4-6-7: 0");
    let italians = heated("italian:3-4-6", hidden);
    assert_ends(&italians, 1, "good-order 4-4-7: 5/432, berserk 3-4-6: 0, disrupted 3-4-6: 7/432");
}

/// 15.1: crews, heroes, unarmed and berserk units have no Heat of Battle. They are clean on 7, 9, 6
/// and (berserk, 15.42) 10 or less, and no hero appears.
#[test]
fn exempt_units_have_no_heat_of_battle() {
    for (stack, end, odds) in [
        ("german:2-2-8:crew", "good-order 2-2-8", "7/12"),
        ("hero", "good-order 1-4-9", "5/6"),
        ("german:4-6-7/unarmed", "good-order 4-6-7", "5/12"),
        ("german:4-6-7/berserk", "berserk 4-6-7", "11/12"),
    ] {
        let question = heated(stack, "");
        assert_ends(&question, 1, &format!("{end}: {odds}"));
        assert_ends(&question, 2, "good-order 1-4-9: 0");
    }
}

/// 15.1: Task Checks and Self-Rally bring no Heat of Battle. A PTC passes on 7 or less. An 8-0
/// Self-Rallies on 7 or less, never heroic.
#[test]
fn task_checks_and_self_rally_bring_no_heat_of_battle() {
    let task = ask(QuestionKind::Check, "stack=german:4-6-7; ptc; hob");
    assert_ends(&task, 1, "good-order 4-6-7: 7/12, good-order 4-6-8: 0");
    assert_ends(&task, 2, "good-order 1-4-9: 0");
    let alone = heated_rally("german:8-0/broken", "none");
    assert_ends(&alone, 1, "rallied 8-0: 7/12, rallied 8-0/heroic: 0, rallied 8-1: 0");
}

/// 15.1: a Rally led by a leader brings it, at +1 for broken although the Original 2 rallies. A
/// 4-6-7 with DM rallies on 3 or less: a 3 (2/36), or a 2 with a hero alone (3 in 36). A 4-3-6 with
/// DM does not rally on the 2 (5 is less than 6), and is at +2. It stays broken with a hero alone
/// (DR 2: 1), and on 3 to 11 (34/36). It is Battle Hardened on 3 to 6 (14).
#[test]
fn rally_under_a_leader_brings_heat_of_battle() {
    let squad = heated_rally("german:4-6-7/dm", "8-0");
    // 2/36 + 3/1296.
    assert_ends(&squad, 1, "rallied 4-6-7: 25/432, rallied 4-6-8: 1/72");
    assert_ends(&squad, 1, "berserk 4-6-7: 1/108, disrupted 4-6-7: 1/432");
    assert_ends(&squad, 2, "good-order 1-4-9: 5/648");
    let conscripts = heated_rally("german:4-3-6/dm", "8-0");
    // 34/36 + 1/1296.
    assert_ends(&conscripts, 1, "broken 4-3-6: 1225/1296, rallied 4-3-6: 0, rallied 4-4-7: 7/648");
    assert_ends(&conscripts, 2, "good-order 1-4-9: 1/216");
}

/// 15.1: a NMC by Interdiction brings it, too, at +1. I-9: the rout of a unit that Battle Hardens
/// or goes berserk ends there. With two hexes that happens in the first on 1/36, or in the second
/// after a clean hex. Clean and still broken is 14/36 (3 to 6), and 3 in 1296 with a hero alone.
#[test]
fn interdiction_brings_heat_and_may_end_the_rout() {
    let run = |hexes| {
        let fields = &format!("stack=german:4-6-7; hexes={hexes}; hob");
        ask(QuestionKind::Interdict, fields)
    };
    // 14/36 + 3/1296.
    assert_ends(&run(1), 1, "good-order 4-6-8: 1/72, berserk 4-6-7: 1/108, through 4-6-7: 169/432");
    // (14/36 + 3/1296)^2.
    let clean = "28561/186624";
    // 18/1296 * (1 + 14/36 + 3/1296).
    assert_ends(&run(2), 1, &format!("through 4-6-7: {clean}, good-order 4-6-8: 601/31104"));
    // By the alternative a berserk unit runs on with ML 10: 10 or less.
    // 12/1296 * (1 + 14/36 + 3/1296); 12/1296 * (33/36 + 14/36 + 3/1296).
    let both = ("601/46656", "565/46656");
    assert_switch(&run(2), "i09", 1, "berserk 4-6-7", both.0, both.1);
}

/// 15.21: a leader becomes heroic. With the elite -1 it is only heroic on 5 or less (10 in 36), and
/// Battle Hardened as well on 6 and 7 (11). It is only Battle Hardened on 8 and 9 (9), and berserk
/// on 10 to 12 (6).
#[test]
fn leader_becomes_heroic_hardened_or_berserk() {
    let expected = "good-order 8-0/heroic: 5/648, good-order 8-1/heroic: 11/1296, good-order 8-1: 1/144, berserk 8-0: 1/216, disrupted 8-0: 0";
    assert_ends(&heated("german:8-0", ""), 1, expected);
    assert_ends(&heated("german:8-0/pinned", ""), 1, expected);
    // 17.3: the leader keeps its wound.
    let wounded = "good-order 8-0/heroic wounded: 5/648, good-order 8-1 wounded: 1/144";
    assert_ends(&heated("german:8-0/wounded", ""), 1, wounded);
    // 10.8: and its Fanaticism.
    assert_ends(&heated("german:8-0/fanatic", ""), 1, "good-order 8-0/fanatic,heroic: 5/648");
}

/// 15.21, 15.3, 15.5: a broken leader, at 0, is restored in all cases (6, 9, 11 and 9 in 36) but
/// the last. On a 12 it is Disrupted, which by 19.12 only a 6+1 can be.
#[test]
fn broken_leader_is_restored_unless_disrupted() {
    let expected = "good-order 8-0/heroic: 1/216, good-order 8-1/heroic: 1/144, good-order 8-1: 11/1296, berserk 8-0: 1/144, disrupted 8-0: 1/1296";
    assert_ends(&heated("german:8-0/broken", ""), 1, expected);
}

/// 15.21: an MMC keeps its state beside the hero it makes, unless it also Battle Hardens. If it is
/// broken (+1), a hero alone is a DR of 3 or less. 10.8: a Fanatic MMC makes a Fanatic hero.
#[test]
fn mmc_keeps_its_state_beside_its_new_hero() {
    // 10.3: a broken 4-6-7 stays whole on 6 or less. It also does on a 7, the pinning DR, because a
    // broken unit is not pinned.
    let broken = heated("german:4-6-7/broken", "");
    // 20/36 + 3/1296.
    assert_ends(&broken, 1, "broken 4-6-7: 241/432");
    let fanatic = heated("german:4-6-7/fanatic", "");
    assert_ends(&fanatic, 2, "good-order 1-4-9/fanatic: 5/432, good-order 1-4-9: 0");
    assert_ends(&fanatic, 1, "good-order 4-6-8/fanatic: 5/324");
}

/// 15.3: leaders by grade. Battle Hardening alone is 7 or 8. For elite leaders at -1 that is a DR
/// of 8 or 9 (9 in 36), for British and Finnish ones at -2 a 9 or 10 (7), for Partisan ones at +1 a
/// 6 or 7 (11).
#[test]
fn battle_hardening_raises_leaders_by_one_grade() {
    let mut steps = Vec::new();
    let ladder = ["6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3", "10-3/fanatic"];
    let finns = ["8+1", "8-0", "9-0", "9-1", "10-0", "10-1", "10-2", "10-2/fanatic"];
    let nations = [
        ("german", &ladder[..], "1/144"),
        ("british", &ladder, "7/1296"),
        ("partisan", &ladder, "11/1296"),
    ];
    for (nation, ladder, odds) in nations.into_iter().chain([("finnish", &finns[..], "7/1296")]) {
        steps
            .extend(ladder.windows(2).map(|pair| (format!("{nation}:{}", pair[0]), pair[1], odds)));
    }
    for (leader, better, odds) in steps {
        assert_ends(&heated(&leader, ""), 1, &format!("good-order {better}: {odds}"));
    }
}

/// 15.21: heroic leaders count as 1-4-9 and 1-3-8, those of morale 10 as 1-4-10 and 1-3-9. 10-2: 10
/// or less. Wounded: 9 or less, else dead.
#[test]
fn heroic_leaders_check_like_heroes() {
    assert_ends(&check("german:10-2/heroic", 0, 3), 1, "good-order 10-2/heroic: 11/12");
    let wounded = check("german:10-2/heroic,wounded", 0, 3);
    assert_ends(&wounded, 1, "good-order 10-2/heroic wounded: 5/6, eliminated: 1/6");
    let eight = check("german:8-0/heroic,wounded", 0, 3);
    assert_ends(&eight, 1, "good-order 8-0/heroic wounded: 13/18, eliminated: 5/18");
    // 17.3: its wound makes its leadership worse: a 9-1 has 0, so 7 or less.
    assert_ends(
        &rally("german:4-6-7/broken", "german:9-1/heroic,wounded"),
        1,
        "rallied 4-6-7: 7/12",
    );
}

/// 10.2, 15.21: a heroic leader is a leader. A wounded 8-0 is lost on 9 or more (10/36), else it
/// must lead, with +1 (17.3). The squad then needs 5 or less. Without the leader it needs 6 or
/// less, and 7 or less in a LLMC: 26/36 * 10/36 + 10/36 * 15/36 * 21/36.
#[test]
fn loss_of_a_heroic_leader_causes_a_check() {
    let question = check("german:8-0/heroic,wounded + german:4-6-7", 0, 3);
    // 26/36 * 10/36 + (1 - 26/36) * 15/36 * 21/36.
    assert_ends(&question, 2, "good-order 4-6-7: 695/2592");
}

/// 15.1, 15.21: a heroic leader may Battle Harden: at -1 on 6 to 9, 20 in 36. It neither goes
/// berserk nor surrenders, so a 2 with another result does not change it, nor do 3 to 9. By the
/// alternative it is exempt.
#[test]
fn heroic_leader_may_harden_but_not_go_berserk() {
    let question = heated("german:8-0/heroic", "");
    assert_switch(&question, "heroic-heat", 1, "good-order 8-1/heroic", "5/324", "0");
    // 29/36 + 16/1296.
    assert_switch(&question, "heroic-heat", 1, "good-order 8-0/heroic", "265/324", "5/6");
    assert_switch(&question, "heroic-heat", 1, "berserk 8-0/heroic", "0", "0");
}

/// 10.8, 15.2: Fanaticism raises a hero to 10 (10 or less), and the broken side of a squad (a Rally
/// on 8 or less in place of 7). A Fanatic remains Fanatic when it is Replaced: 4-6-7 with ML 8 and
/// ELR 0 on 9 to 11.
#[test]
fn fanatics_have_higher_morale_and_stay_fanatic() {
    assert_ends(&check("hero/fanatic", 0, 3), 1, "good-order 1-4-9/fanatic: 11/12");
    assert_ends(&rally("german:4-6-7/broken,fanatic", "8-0"), 1, "rallied 4-6-7/fanatic: 13/18");
    assert_ends(&check("german:4-6-7/fanatic", 0, 0), 1, "broken 4-4-7/fanatic: 1/4");
}

/// 15.41: the units with a berserk leader take a NTC with its DRM. A 9-1 led by a 10-2 rolls a 2
/// (1/36) and goes berserk (0 in all, 9 to 11: 9/36). A crew of ML 8 follows on 9 or less (30/36),
/// broken or not by I-45; the 10-2 cannot help it.
#[test]
fn berserk_leader_causes_a_task_check_of_its_units() {
    let unbroken = heated_rally("german:9-1/broken + german:2-2-8:crew", "10-2");
    assert_ends(&unbroken, 1, "berserk 9-1: 1/144");
    // 1/144 * 30/36.
    assert_switch(&unbroken, "i45", 2, "berserk 2-2-8", "5/864", "5/864");
    let broken = heated_rally("german:9-1/broken + german:2-2-8:crew/broken", "10-2");
    // 1/144 * 30/36.
    assert_switch(&broken, "i45", 2, "berserk 2-2-8", "5/864", "0");
}

/// 15.41: leaders follow with its DRM, too (8-1 under a 7-0: 8 or less, 26/36). Heroes and heroic
/// leaders never follow.
#[test]
fn leaders_follow_a_berserk_leader_but_heroes_do_not() {
    let leaders = heated_rally("german:7-0/broken + german:8-1", "none");
    // 1/144 * 26/36.
    assert_ends(&leaders, 2, "berserk 8-1: 13/2592");
    let heroes = heated_rally("german:7-0/broken + german:8-1/heroic + hero", "none");
    assert_ends(&heroes, 2, "good-order 8-1/heroic: 1/1");
    assert_ends(&heroes, 3, "good-order 1-4-9: 1/1");
}

/// 15.41: I-46: an 8-1 that follows a 7-0 (1/144 * 26/36) causes no further NTC. The crew follows
/// the 7-0 on 8 or less: 26/36. By the alternative the 8-1, if it follows, causes a NTC at -1
/// first. The crew stays out on 10 or more (6/36) and then on 9 or more (10/36).
#[test]
fn leader_that_follows_causes_no_further_check() {
    let question = heated_rally("german:7-0/broken + german:8-1 + german:2-2-8:crew", "none");
    // 1/144 * (26/36 * (1 - (1 - 30/36) * (1 - 26/36)) + (1 - 26/36) * 26/36).
    let twice = "1729/279936";
    // 1/144 * 26/36.
    assert_switch(&question, "i46", 3, "berserk 2-2-8", "13/2592", twice);
}

/// 15.41, 15.42: in the middle of an attack. An 8-1 goes berserk (-1: 10 to 12) on 1/36 * 6/36. The
/// crew follows on 9 or less and then takes its NMC against 10. It ends berserk on 10 or less; on
/// 11 or 12 it is Reduced and so eliminated.
#[test]
fn unit_that_follows_berserk_checks_against_morale_10() {
    let question = heated("german:8-1 + german:2-2-8:crew", "");
    // 6/1296 * 30/36 * 33/36.
    assert_ends(&question, 2, "berserk 2-2-8: 55/15552");
    // A broken crew (I-45) does likewise; by the alternative it does not follow.
    let broken = heated("german:8-1 + german:2-2-8:crew/broken", "");
    // 6/1296 * 30/36 * 33/36.
    assert_switch(&broken, "i45", 2, "berserk 2-2-8", "55/15552", "0");
}

/// 15.41, 15.42, 10.2: I-47: a berserk 9-1 does not lead (6 or less clean) and is compared by ML
/// 10, with its +1. It fails on 11, dying on 5 or 6, and on 12, dying on 4 or more (10.31): 2/36 *
/// 2/6 + 1/36 * 3/6 = 7/216. The squad then needs 6 or less once more, by the alternative 7.
#[test]
fn lost_berserk_leader_is_compared_by_morale_10() {
    let question = check("german:9-1/berserk + german:4-6-7", 0, 5);
    // 15/36 * (209/216 + 7/216 * 15/36); 15/36 * (209/216 + 7/216 * 21/36).
    let odds = ("12715/31104", "12785/31104");
    assert_switch(&question, "i47", 2, "good-order 4-6-7", odds.0, odds.1);
    // 2/36 * 4/6 + 1/36 * 3/6.
    assert_ends(&question, 1, "eliminated: 7/216, berserk 9-1 wounded: 11/216");
}

/// 15.5, 10.2: I-48: an unbroken leader that surrenders causes a LLTC. The example asks for a clean
/// Russian crew (ML 8) with a 9-1 (ML 9). The 9-1 is clean on 3 to 8 (25/36): 8 or less, 26. It is
/// pinned on 9 (4/36): 7 or less, 21. It is broken or lost (6/36): 21, and then 7 or less against
/// +1. On a 2 the total DRM is +1. The 9-1 is heroic on 3 or less (3): 26; a 9-2 on 4 to 7 (18): 9
/// or less, 30. It is berserk on 8 to 10 (12): the crew stays out on 10 or more (6/36), then 21. On
/// 11 and 12 (3) it surrenders: 21, and a LLTC: 7 or less.
#[test]
fn surrendering_leader_causes_a_task_check() {
    let question = heated("russian:9-1 + russian:2-2-8:crew", "");
    assert_ends(&question, 1, "disrupted 9-1: 1/432");
    let odds = (
        // 25/36 * 26/36 + 4/36 * 21/36 + 6/36 * 21/36^2 + 1/36 * 1/36 * (3 * 26/36 + 18 * 30/36 +
        // 12 * 6/36 * 21/36 + 3 * 21/36 * 21/36).
        "39689/62208",
        // 25/36 * 26/36 + 4/36 * 21/36 + 6/36 * 21/36^2 + 1/36 * 1/36 * (3 * 26/36 + 18 * 30/36 +
        // 12 * 6/36 * 21/36 + 3 * 21/36).
        "9931/15552",
    );
    assert_switch(&question, "i48", 2, "good-order 2-2-8", odds.0, odds.1);
}

/// 7.8, 15.1: I-4: with pass number 2 (4-6-7 in a 5MC) an Original 2 pins, and is Heat of Battle. A
/// hero alone (6 in 36) leaves the pin; by the alternative it replaces the pin.
#[test]
fn original_2_that_pins_is_heat_of_battle_too() {
    let question = heated_by(5, "german:4-6-7", "");
    assert_switch(&question, "i04", 1, "pinned 4-6-7", "1/216", "0");
    assert_switch(&question, "i04", 1, "good-order 4-6-7", "0", "1/216");
    assert_ends(&question, 1, "good-order 4-6-8: 5/324");
}

/// 15.1: I-41: with pass number 1 (4-6-7 in a 6MC) the Original 2 itself breaks the unit. At +1
/// there is a hero on 5 or less (10 in 36), by the alternative on 6 or less (15). The unit stays
/// broken with a hero alone: 3 in 36, or 6.
#[test]
fn unit_broken_by_an_original_2_rolls_at_plus_1() {
    let question = heated_by(6, "german:4-6-7", "");
    assert_switch(&question, "i41", 2, "good-order 1-4-9", "5/648", "5/432");
    assert_switch(&question, "i41", 1, "good-order 4-6-8", "1/72", "5/324");
}

/// 10.2, 15.1: I-42: a 7-0 breaks in a 6MC on the Original 2 itself and is restored by Heat of
/// Battle. Only a 5-4-6 that does likewise (1/36, Battle Hardened to 6-6-6 on 4 to 7 at +1, 18/36)
/// can take the LLTC, on 6 or less. The 7-0 breaks on 3 to 11 (34/36). On a 12 it breaks, too
/// (4/6), or dies: a LLMC on 6 or less, where a 2 must make a hero alone (14/36 + 1/36 * 6/36). On
/// a 2 (at 0) it surrenders on 12 (1). It is berserk on 9 to 11 (9), and the 5-4-6 stays out on 7
/// or more, 21/36. It is restored and not berserk on 8 or less (26): a LLTC all the same, by the
/// alternative none.
#[test]
fn leader_restored_by_an_original_2_still_causes_a_check() {
    let question = heated_by(6, "american:7-0 + american:5-4-6", "");
    let odds = (
        // 18/1296 * (34/36 * 15/36 + 1/36 * (4/6 * 15/36 + 2/6 * (14/36 + 6/1296)) + 1/36 * 1/36 *
        // (1 * 15/36 + 9 * 21/36 * 15/36 + 26 * 15/36)).
        "77495/13436928",
        // 18/1296 * (34/36 * 15/36 + 1/36 * (4/6 * 15/36 + 2/6 * (14/36 + 6/1296)) + 1/36 * 1/36 *
        // (1 * 15/36 + 9 * 21/36 + 26)).
        "10015/1679616",
    );
    assert_switch(&question, "i42", 2, "good-order 6-6-6", odds.0, odds.1);
}

/// 15.1: I-27: a second Original 2 in one attack, in the LLMC for a broken 8-0. The 8-0 dies on 9
/// to 11 (9/36) and a dr of 5 or 6, or on a 12: 1/9 in all. A 4-6-7 that made a hero alone (1/36 *
/// 6/36; ML 7 is less than 8) may make another: 1/36 * 15/36. By the alternative it may not.
#[test]
fn second_original_2_in_one_attack_makes_another_hero() {
    let question = heated("german:8-0/broken + german:4-6-7", "");
    // 1/9 * 6/1296 * 15/1296.
    assert_switch(&question, "i27", 4, "good-order 1-4-9", "5/839808", "0");
}

/// 15.21, 10.2: I-43: a hero made in an attack takes its LLMC if its 9 is lower. A broken 10-2 dies
/// on 11 (2/36) and a dr of 5 or 6, or on a 12: 5/108. The hero (1/36 * 15/36) needs 7 or less
/// against +2. On 8 to 11 (14/36) it is wounded, not mortally by 4/6, and on a 12 by 3/6. The hero
/// of Finns (1/36 * 21/36) has the nation of his squad: he takes but a 1MC, and needs 8 or less.
#[test]
fn new_hero_takes_the_check_for_a_lost_leader() {
    // 5/108 * 15/1296 * (14/36 * 4/6 + 1/36 * 3/6).
    let germans = ("german:10-2/broken + german:4-6-7", "1475/10077696");
    // 5/108 * 21/1296 * (9/36 * 4/6 + 1/36 * 3/6).
    let finns = ("finnish:10-2/broken + finnish:4-4-7", "455/3359232");
    for (stack, wounded) in [germans, finns] {
        let question = heated(stack, "");
        assert_switch(&question, "i43", 3, "good-order 1-3-8 wounded", wounded, "0");
    }
}

/// 15.1: I-44: on 5 and 6 the hero comes first. The hero of a 4-6-8 (-1: on 7 or less, 21 in 36) is
/// never Fanatic. By the alternative the squad first becomes Fanatic on 6 and 7 (11), and so does
/// the hero.
#[test]
fn hero_is_made_before_battle_hardening() {
    let question = heated("german:4-6-8", "");
    assert_switch(&question, "i44", 2, "good-order 1-4-9", "7/432", "5/648");
    assert_switch(&question, "i44", 2, "good-order 1-4-9/fanatic", "0", "11/1296");
}

/// 15.1, 19.3: I-52: Green troops with an unbroken leader are not Inexperienced. A 6+1 causes no
/// LLMC or LLTC for units of ML 6. It is unbroken on 6 or less (15/36), including a 2, since
/// without an enemy it cannot go berserk. Then a hero appears on 6 or less (15), else at +1 on 5 or
/// less (10).
#[test]
fn green_troops_with_a_leader_are_not_inexperienced() {
    let question = heated("american:6+1 + american:5-3-6", "keu=false");
    // 1/36 * (15/36 * 15/36 + (1 - 15/36) * 10/36); 1/36 * 10/36.
    let odds = ("145/15552", "5/648");
    assert_switch(&question, "i52", 3, "good-order 1-4-9", odds.0, odds.1);
}

/// 17.1, 17.11, 17.3, 10.31: severity. An 8-0 that is Reduced while broken (9 to 11: 9/36) dies on
/// 5 or 6; if it was wounded before, on 4 or more. So does a hero on a 12.
#[test]
fn wounded_leader_dies_of_a_second_wound_on_4_or_more() {
    let broken = check("german:8-0/broken", 0, 3);
    assert_ends(&broken, 1, "broken 8-0 wounded: 1/6, eliminated: 1/9");
    // Wounded before: ML 7, so 8 to 11 (14/36), and 3/6.
    let again = check("german:8-0/broken,wounded", 0, 3);
    // 21/36 + 14/36 * 3/6; 14/36 * 3/6 + 1/36.
    assert_ends(&again, 1, "broken 8-0 wounded: 7/9, eliminated: 2/9");
    // 15.42: a berserk leader keeps ML 10; on 11 it dies by 3/6, on 12 by 4/6.
    let berserk = check("german:8-0/berserk,wounded", 0, 3);
    // 33/36 + 2/36 * 3/6 + 1/36 * 2/6; 2/36 * 3/6 + 1/36 * 4/6.
    assert_ends(&berserk, 1, "berserk 8-0 wounded: 103/108, eliminated: 5/108");
}
