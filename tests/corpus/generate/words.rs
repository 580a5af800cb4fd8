//! Words of Advanced Squad Leader, copied by hand from the README, the help and the lists of the
//! commands.

use super::dice::Dice;

/// A nation with some of its squads, half-squads and leaders.
pub struct Nation {
    pub name: &'static str,
    pub squads: &'static [&'static str],
    pub half_squads: &'static [&'static str],
    pub leaders: &'static [&'static str],
}

const LEADERS: [&str; 8] = ["10-3", "10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1"];

const fn nation(
    name: &'static str,
    squads: &'static [&'static str],
    half_squads: &'static [&'static str],
) -> Nation {
    Nation { name, squads, half_squads, leaders: &LEADERS }
}

pub const NATIONS: [Nation; 10] = [
    nation(
        "german",
        &["4-6-8", "5-4-8", "8-3-8", "4-6-7", "4-4-7", "5-3-7", "4-3-6"],
        &["2-4-8", "2-3-8", "3-3-8", "2-4-7", "2-3-6"],
    ),
    nation(
        "russian",
        &["4-5-8", "6-2-8:e", "5-2-7", "4-4-7", "6-2-8:2", "4-2-6"],
        &["2-4-8", "2-2-7", "2-3-7", "2-2-6"],
    ),
    nation(
        "american",
        &["6-6-7", "7-4-7", "6-6-6", "5-4-6", "5-3-6"],
        &["3-4-7", "3-3-7", "3-4-6", "2-3-6", "2-2-6"],
    ),
    nation(
        "british",
        &["4-5-8", "6-4-8", "4-5-7", "4-4-7", "4-3-6"],
        &["2-4-8", "3-3-8", "2-4-7", "2-3-7", "2-2-6"],
    ),
    nation("french", &["4-5-8", "4-5-7", "4-3-7"], &["2-4-8", "2-3-7", "2-2-7"]),
    nation("italian", &["4-4-7", "3-4-7", "3-4-6", "3-3-6"], &["2-4-7", "1-3-7", "1-3-6", "1-2-6"]),
    nation("german-ss", &["6-5-8", "4-6-8", "8-3-8"], &["3-4-8", "2-4-8", "3-3-8"]),
    nation(
        "axis-minor",
        &["4-4-7", "5-3-7", "3-4-7", "3-3-6"],
        &["2-4-7", "2-2-7", "1-3-7", "1-2-6"],
    ),
    nation("partisan", &["3-3-7"], &["1-3-7"]),
    Nation {
        name: "finnish",
        squads: &["8-3-8", "6-4-8", "5-4-8", "5-3-8", "4-4-7", "4-3-7"],
        half_squads: &["3-3-8", "2-4-8", "2-3-7", "2-2-7"],
        leaders: &["10-2", "10-1", "10-0", "9-1", "9-0", "8-0", "8+1"],
    },
];

pub const TERRAIN: [&str; 20] = [
    "open",
    "open",
    "woods",
    "woods",
    "building",
    "wooden-building",
    "pillbox",
    "trench",
    "foxhole",
    "rubble",
    "rubble-wood",
    "light-woods",
    "brush",
    "grain",
    "orchard",
    "crag",
    "gully",
    "shellholes",
    "pine-woods",
    "graveyard",
];

/// Interpretations of morale; each can be `alternative`.
pub const MORALE_SWITCHES: &str = "\
    i01 i02 i03 i04 i05 i06 i07 i08 i09 i10 i16-rubble i16-light-woods i18 i19 i20 i21 i23 i24 i25 i27 i28 i32 i33 i34 i35 i41 i42 i43 \
    i44 i45 i46 i47 i48 i49 i50 i51 i52 i53 heroic-heat commissar-drm v2-10.6 sk-15.1 sk-15.2 sk-10.41";

/// Interpretations of the rout; all others can be `alternative`.
pub const ROUT_SWITCHES: &str = "\
    i11 i12 i13 i14=nearest i14=all i15=first-hex i15=ending-adjacent i17 i22 i30 i31 i36 i38 i39 i54 i55 i56 i57 i58 i59 i60 i61 i62 \
    i63-keu i63-cover v2-10.5 v2-10.51 v2-10.52 v2-10.532 v2-20.21 v2-19.12 sk-10.5 sk-8 sk-5.1 sk-20.21";

/// One of a list of interpretations, and a value of it, mostly that which is not the default.
pub fn switch(dice: &mut Dice, switches: &str) -> (String, String) {
    let chosen = dice.pick(&switches.split_whitespace().collect::<Vec<_>>());
    let (id, value) = chosen
        .split_once('=')
        .unwrap_or((chosen, if dice.percent(90) { "alternative" } else { "default" }));
    (id.to_string(), value.to_string())
}

pub const PROFILES: [&str; 3] = ["asl-v3", "asl-v2", "aslsk"];
pub const OWN_RPH: [&str; 3] = ["odd", "even", "never"];
pub const OBJECTIVES: [&str; 5] =
    ["good-order", "good-order-squads", "survives", "squad-equivalents", "cvp"];

/// Conditions of a sequence's `if`: who, and how he is.
pub const TESTS: [&str; 16] = [
    "broken",
    "any broken",
    "all broken",
    "none broken",
    "1 broken",
    "2 broken",
    "dm",
    "any dm",
    "unbroken",
    "all unbroken",
    "pinned",
    "any pinned",
    "gone",
    "none gone",
    "1 gone",
    "any good-order",
];
