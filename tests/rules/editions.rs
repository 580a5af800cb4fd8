//! Profiles as bundles of switches, and the switches by which editions differ. All other switches
//! are tested in both positions with their rules.

use std::collections::BTreeSet;

use crate::common::{ask, assert_ends, assert_switch, blame, ends, rally};
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::asl::rulebook::INTERPRETATIONS;

/// Builds a question about an NMC of a 4-6-7 with Heat of Battle and ELR 5.
fn heated(more: &str) -> Question {
    let fields = "stack=german:4-6-7; mc=0; elr=5; hob";
    ask(QuestionKind::Check, &[fields, more].join("; "))
}

/// Returns the switches that a profile sets to another value than the default.
fn alternatives(profile: &'static str) -> Vec<&'static str> {
    let rulebook = heated(&format!("profile={profile}")).rulebook;
    INTERPRETATIONS
        .iter()
        .filter(|point| rulebook.chooses(point.switch))
        .map(|point| point.id)
        .collect()
}

/// 10.6, 10.41, 15.1, 15.2: each profile changes exactly its switches.
#[test]
fn each_profile_changes_exactly_its_switches() {
    assert_eq!(alternatives("asl-v3"), [""; 0]);
    assert_eq!(
        alternatives("asl-v2"),
        ["v2-10.6", "i55", "v2-10.5", "v2-10.51", "v2-10.52", "v2-10.532", "v2-20.21", "v2-19.12"]
    );
    let rout = ["i11", "i55", "v2-10.51", "sk-10.5", "sk-8", "sk-5.1", "sk-20.21"];
    let fire = ["sk-7", "sk-7.21", "sk-8.2"];
    let morale = ["sk-15.1", "sk-15.2", "sk-10.41"];
    assert_eq!(alternatives("aslsk"), [&morale[..], &fire, &rout].concat());
}

/// 10.6, 10.63: Finnish Conscripts cannot Self-Rally. In the second edition they can, like all
/// Finns: 4-3-7 (broken ML 6) at +1 on 5 or less.
#[test]
fn finnish_conscripts_self_rally_only_in_second_edition() {
    let question = rally("finnish:4-3-7/broken", "none");
    assert_switch(&question, "v2-10.6", 1, "rallied 4-3-7", "0", "5/18");
    let fields = "stack=finnish:4-3-7/broken; phases=1; own-rph=never; profile=asl-v2";
    assert_ends(&ask(QuestionKind::Rally, fields), 1, "rallied 4-3-7: 5/18");
    // A single switch overrides the profile.
    let by_hand = ask(QuestionKind::Rally, &[fields, "v2-10.6=default"].join("; "));
    assert_ends(&by_hand, 1, "rallied 4-3-7: 0");
}

/// 15.1: the Starter Kit has no Heat of Battle, even on request. Elsewhere a hero appears on 1/36 *
/// 15/36, also in the second edition.
#[test]
fn starter_kit_has_no_heat_of_battle() {
    assert_switch(&heated(""), "sk-15.1", 2, "good-order 1-4-9", "5/432", "0");
    let hero_odds = |profile| ends(&heated(&format!("profile={profile}")), 2, "good-order 1-4-9");
    assert_eq!(
        [hero_odds("asl-v3"), hero_odds("asl-v2"), hero_odds("aslsk")],
        ["5/432", "5/432", "0"]
    );
}

/// 15.2, 10.8, 15.4, 7.7, 25.22: the Starter Kit rejects heroes, Fanatics, berserk, encircled and
/// unarmed units, and Commissars. By default they are allowed: a hero passes on 9 or less.
#[test]
fn starter_kit_rejects_heroes_fanatics_and_commissars() {
    for unit in [
        "hero",
        "german:8-0/heroic",
        "german:4-6-7/fanatic",
        "german:4-6-7/berserk",
        "german:4-6-7/encircled",
        "german:4-6-7/unarmed",
        "commissar:9-0",
    ] {
        for switch in ["sk-15.2=alternative", "profile=aslsk"] {
            let rejection = blame(QuestionKind::Check, &format!("stack={unit}; mc=0; {switch}"));
            assert_eq!(rejection.field, "stack", "{unit}");
            assert!(
                rejection.fault.to_string().starts_with("the Starter Kit has no "),
                "{}",
                rejection.fault
            );
        }
    }
    let hero = ask(QuestionKind::Check, "stack=hero; mc=0; sk-15.2=default");
    assert_ends(&hero, 1, "good-order 1-4-9: 5/6");
}

/// 10.41: the Starter Kit has no Voluntary Break.
#[test]
fn starter_kit_rejects_voluntary_break() {
    let fields = |switch: &str| format!("stack=german:4-6-7; {switch}; 1.do=break");
    assert_ends(&ask(QuestionKind::Sequence, &fields("")), 1, "broken 4-6-7: 1/1");
    for switch in ["sk-10.41=alternative", "profile=aslsk"] {
        let rejection = blame(QuestionKind::Sequence, &fields(switch));
        assert_eq!(rejection.fault.to_string(), "the Starter Kit has no Voluntary Break (A10.41)");
        assert_eq!(rejection.field, "1.do");
    }
}

/// 10.31, 18.2, 19.1: the Starter Kit keeps these rules. A 4-6-7 in a NMC, ELR 3, is clean on 6 or
/// less, Replaced on 11, and a half-squad on 12.
#[test]
fn starter_kit_keeps_replacement_and_leader_creation() {
    let fields = "stack=german:4-6-7; mc=0; profile=aslsk";
    let question = ask(QuestionKind::Check, fields);
    assert_ends(&question, 1, "good-order 4-6-7: 5/12, broken 4-4-7: 1/18, broken 2-3-7: 1/36");
    let alone = ask(QuestionKind::Rally, "stack=german:4-6-7/broken; phases=1; profile=aslsk");
    // -1 German, 0 for ML 7, +1 broken: 8-1 on 1, after an Original 2.
    assert_ends(&alone, 2, "good-order 8-1: 1/216");
}

/// Every switch is named in one of the files whose tests use both of its positions.
#[test]
fn every_switch_is_tested() {
    let files = [
        "rules/rules",
        "rules/heat_of_battle",
        "rules/commissars",
        "rules/fire",
        "rules/replacement",
        "rules/sequences",
        "rules/called_snipers",
        "rules/editions",
        "rout/rout_agreement",
        "rout/rout_switches",
        "rout/rout_phase",
        "rout_twin/adapter",
        "api/attacks",
        "api/crossings",
        "api/platoon_switches",
        "cli/close_combat",
    ];
    let tests: String =
        files.map(|name| std::fs::read_to_string(format!("tests/{name}.rs")).unwrap()).concat();
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "-.=".contains(letter);
    let words: BTreeSet<&str> = tests.split(|letter| !is_word(letter)).collect();
    let named = |id: &str| {
        words.contains(id)
            || words.contains(format!("{id}=default").as_str())
            || words.contains(format!("{id}=alternative").as_str())
            || (id == "i23" && words.contains("BestLeaderAlways"))
    };
    let missing: Vec<String> =
        INTERPRETATIONS.iter().map(|point| point.name()).filter(|name| !named(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
