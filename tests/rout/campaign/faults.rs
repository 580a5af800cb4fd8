//! Tests of the error messages for invalid campaigns.

use lowcrawl::asl::counting::MEASURES;
use lowcrawl::asl::question::RawValue::{self, Boolean, Integer, Text};
use lowcrawl::course::campaign::{CampaignKind, LaneDraft};
use lowcrawl::course::policy::RoutPolicy;
use lowcrawl::play::Objective;
use lowcrawl::schema::Settable as _;

use super::lane::Fields;

/// Returns the error message for a value of a field.
fn fault(field: &str, value: RawValue) -> String {
    LaneDraft::new(CampaignKind::Campaign).set(field, value).unwrap_err().to_string()
}

/// Returns the field that the error names, and its message.
fn blame(fields: &Fields) -> (String, String) {
    let blame = fields.lane().err().unwrap();
    (blame.field.to_string(), blame.fault.to_string())
}

fn assert_blamed(fields: &Fields, field: &str, words: &str) {
    let (blamed, message) = blame(fields);
    assert!(blamed == field && message.contains(words), "{blamed}: {message}");
}

#[test]
fn unknown_fields_are_refused_with_the_nearest_word() {
    for (field, meant) in [
        ("rnage", "range"),
        ("leader_trun", "leader-turn"),
        ("enemy-hold-fire", "enemy-holds-fire"),
    ] {
        let message = fault(field, Integer(1));
        assert!(
            message.contains(&format!("no field `{field}`"))
                && message.contains(&format!("did you mean `{meant}`?")),
            "{message}"
        );
    }
    let message = fault("quux", Integer(1));
    assert!(message.contains("valid: unit, here, exposed"), "{message}");
    assert!(
        LaneDraft::new(CampaignKind::Campaign).knows("Cover_FP")
            && LaneDraft::new(CampaignKind::Campaign).knows("i28")
            && !LaneDraft::new(CampaignKind::Campaign).knows("quux")
    );
}

#[test]
fn invalid_values_are_refused_with_a_hint() {
    for (field, value, words) in [
        ("here", Text("wods"), "did you mean `woods`?"),
        ("cover", Text("brush"), "is not cover"),
        ("begin", Text("rally-phase"), "`begin` cannot be `rally-phase`"),
        ("begin", Text("rlly"), "did you mean `rally`?"),
        ("own-rph", Text("evn"), "did you mean `even`?"),
        ("enemy", Text("rusian"), "did you mean `russian`?"),
        ("i28", Text("defualt"), "default"),
        ("open", Integer(13), "12"),
        ("range", Integer(0), "1"),
        ("elr", Integer(7), "6"),
        ("turns", Integer(0), "1"),
        ("leader-turn", Integer(21), "20"),
        ("exposed", Integer(1), "exposed"),
        ("fp", Boolean(true), "fp"),
        ("unit", Text("german:4-6-9"), "4-6-9"),
    ] {
        let message = fault_or_finish(field, value);
        assert!(message.contains(words), "{field}: {message}");
    }
}

/// Returns the error message for a value. A unit is looked up only when all fields are set.
fn fault_or_finish(field: &str, value: RawValue) -> String {
    let mut draft = LaneDraft::new(CampaignKind::Campaign);
    match draft.set(field, value) {
        Err(fault) => fault.to_string(),
        Ok(()) => draft.head.campaign(&draft.rules).err().unwrap().fault.to_string(),
    }
}

/// 10.532: no unit Interdicts beyond 16 hexes.
#[test]
fn contradictory_fields_are_refused() {
    let fields = Fields::from_unit("german:4-6-7/dm");
    assert_blamed(&Fields::default(), "unit", "`unit` is missing");
    assert_blamed(
        &fields.and("open=1; interdicted=2"),
        "interdicted",
        "2 Interdicted hexes are more than the 1 Open Ground hexes",
    );
    assert_blamed(&fields.with("leader-turn", 2), "leader-turn", "needs a `leader`");
    assert_blamed(&fields.and("leader=none; leader-turn=2"), "leader-turn", "needs a `leader`");
    assert_blamed(&fields.and("range=15; interdicted=2"), "range", "17 hexes from the enemy");
    // 10.532: by default every open hex in range is Interdicted.
    assert_eq!(fields.with("range", 15).lane().unwrap().lane.interdicted_hexes(), 1);
    assert_blamed(&fields.and("no-cowering; inexperienced"), "inexperienced", "19.3");
    assert!(fields.with("range", 14).lane().is_ok());
    // A range beyond 16 is accepted when no hex is Interdicted.
    assert!(fields.and("range=40; interdicted=0").lane().is_ok());
}

/// 15.2, 15.42, 20.5: units that never break make no campaign.
#[test]
fn units_that_never_break_are_refused() {
    for (unit, words) in [
        ("german:4-6-7/dm + german:4-6-7/dm", "can follow one unit only"),
        ("german:4-6-7/berserk", "never breaks"),
        ("german:8-1/heroic", "never breaks"),
        ("german:4-6-7/unarmed", "never breaks"),
        ("german:1-4-9", "a hero never breaks"),
    ] {
        assert_blamed(&Fields::from_unit(unit), "unit", words);
    }
    assert_blamed(
        &Fields::from_unit("german:4-6-7/dm").with("leader", "german:4-6-7"),
        "leader",
        "leader",
    );
    let notes = Fields::from_unit("german:4-6-7").lane().unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("begins in Good Order")), "{notes:?}");
}

#[test]
fn invalid_policies_and_objectives_are_refused() {
    for (words, expected) in [
        ("crwal", "did you mean `crawl`?"),
        ("run, crawl", "a second manner of rout"),
        ("run, keepdm", "did you mean `keep-dm`?"),
    ] {
        let fault = RoutPolicy::parse(words).unwrap_err().to_string();
        assert!(fault.contains(expected), "{fault}");
    }
    assert!(
        Objective::named("surivves", MEASURES, &[])
            .unwrap_err()
            .to_string()
            .contains("did you mean `survives`?")
    );
}
