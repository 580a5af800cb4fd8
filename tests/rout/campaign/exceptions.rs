//! Cases in which more help is worse or more fire is better, each a small example worked by hand.
//! Fractions of 36 are chances of a DR.

use super::lane::Fields;
use super::{best_value, objective};

fn assert_worth(fields: &Fields, wanted: &str, expected: f64) {
    let value = best_value(&fields.campaign(), &objective(wanted));
    assert!(
        (value - expected).abs() < 1e-15,
        "{value} instead of {expected}: {wanted}, {fields:?}"
    );
}

/// 10.63, 18.11: in its own RPh a 4-3-6 (broken ML 5) under DM rallies by an Original 2 alone,
/// which always suffices: 1/36. A leader forbids that Self-Rally. With the leader the least total
/// is 2 + 0 + 4 = 6, which fails.
#[test]
fn leader_forbids_the_first_self_rally() {
    let alone = Fields::from_unit("german:4-3-6/dm").and("exposed=false; begin=rally; turns=1");
    assert_worth(&alone, "good-order", 1.0 / 36.0);
    assert_worth(&alone.with("leader-here", "german:8-0"), "good-order", 0.0);
}

/// 10.72, 10.7: a leader with a positive DRM must be used.
/// An attack of 1 FP on a squad of ML 7 gives a 1MC with an Original 2 or 3 (3/36) and an NMC with
/// a 4 (3/36). The squad fails them with 21 and 15 faces of 36: 1 - (3 x 21 + 3 x 15) / 1296 =
/// 11/12. Under the +1 leader, or the equally bad foreign 8-0, it fails with 26 and 21 faces. Its
/// chance is then 1 - (3 x 26 + 3 x 21) / 1296 = 385/432. A voluntary break does not help it.
#[test]
fn leader_with_positive_drm_must_be_used() {
    for (unit, leader) in [("german:4-6-7", "german:6+1"), ("russian:4-4-7", "german:8-0")] {
        let alone = Fields::from_unit(unit).and("here=brush; begin=fire; turns=1");
        let alone = alone.and("fp=1; no-cowering");
        assert_worth(&alone, "good-order", 11.0 / 12.0);
        assert_worth(&alone.with("leader-here", leader), "good-order", 385.0 / 432.0);
    }
}

/// 19.12: a Disrupted unit routs only out of Open Ground in the enemy's sight.
/// Cover is 8 MF away. The unit goes to the last Interdicted hex, from which it may be forced on.
/// From the first hex the rest is 7 MF, from the second 6 MF. It gets to the second hex as a squad
/// or as a half-squad of ML 4. The squad needs not more than a 4 (6/36), then anything but a 12.
/// The half-squad comes with 25/36, and then needs 6/36: (6 x 35 + 25 x 6) / 1296 = 5/18.
#[test]
fn disrupted_unit_in_sight_is_forced_into_cover() {
    let fields = Fields::from_unit("german:4-3-6/disrupted,dm").and("open=6; turns=2");
    assert_worth(&fields.with("interdicted", 1), "in-cover", 0.0);
    assert_worth(&fields.with("interdicted", 2), "in-cover", 5.0 / 18.0);
}

/// 10.5, 10.62: without DM a broken unit in brush may not rout to the woods beside it.
/// With +3 an attack of 1 FP cannot give an NMC, and so gives no DM. An attack of 2 FP can,
/// whatever the DR. The unit then routs, unless an Original 2 brings an NMC and that MC a 12.
#[test]
fn fire_that_gives_dm_helps_a_unit_to_rout() {
    let fields =
        Fields::from_unit("german:4-6-7/broken").and("here=brush; open=0; begin=fire; turns=1");
    let fields = fields.and("drm=3; no-cowering");
    assert_worth(&fields.with("fp", 1), "in-cover", 0.0);
    assert_worth(&fields.with("fp", 2), "in-cover", 1295.0 / 1296.0);
}

/// 10.53: a unit that fails Interdiction is Reduced and goes on; a unit that just passes is pinned.
/// A squad of broken ML 7 is pinned with 6/36, one of broken ML 5 with 4/36. Either is lost with
/// 1/36. So fire that Replaces a squad (19.1) may help it into cover.
#[test]
fn squad_with_lower_morale_is_pinned_less() {
    let fields = Fields::from_unit("german:4-6-7/dm").and("open=1; turns=1");
    assert_worth(&fields, "in-cover", 29.0 / 36.0);
    assert_worth(&fields.with("unit", "german:4-3-6/dm"), "in-cover", 31.0 / 36.0);
}

/// 20.21, 10.3: beside the enemy, with an Interdicted hex behind it, a half-squad (ML 6)
/// surrenders.
/// A prisoner costs 2 CVP, an eliminated half-squad 1. With 1 FP it suffers a 1MC with 3/36 and an
/// NMC with 3/36. It fails them with 26 and 21 faces of 36, and is eliminated with 141/1296. With 2
/// FP it suffers K/1 with 1/36, 1MC with 5/36 and NMC with 4/36: 250/1296.
#[test]
fn eliminated_units_cost_less_cvp_than_prisoners() {
    let fields =
        Fields::from_unit("german:2-4-7/dm").and("range=1; begin=fire; turns=1; no-cowering");
    assert_worth(&fields.with("fp", 1), "cvp", -2.0 + 141.0 / 1296.0);
    assert_worth(&fields.with("fp", 2), "cvp", -2.0 + 250.0 / 1296.0);
}
