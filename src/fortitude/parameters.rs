//! The list of parameters: each with its default, what else it can be, and where it comes from.

use crate::system::{Parameter, Source};

const MODIFIER: &str = "a whole number from -20 to 20";
const HEXES: &str = "a whole number from 0 to 60";
const TRUTH: &str = "true or false";
const BY_LEVEL: &str = "four numbers from -20 to 20 parted by commas, or zero in place of one";

const fn parameter(
    name: &'static str,
    default: &'static str,
    values: &'static str,
    source: Source,
    about: &'static str,
) -> Parameter {
    Parameter { name, default, values, source, about }
}

/// Every parameter.
pub static PARAMETERS: [Parameter; 41] = {
    use Source::{Assumed, Found, Inferred, Seed};
    [
        parameter("test-rule", "at-most", "at-most or below", Found, "a test is passed on the Fortitude or less"),
        parameter(
            "natural-roll-exceptions",
            "none",
            "none or 1-passes or 20-fails or both",
            Assumed,
            "rolls that decide a test whatever the Fortitude",
        ),
        parameter("level-fortitude", "0,-1,-2,-3", "four numbers from -20 to 20 parted by commas", Seed, "Fortitude by level"),
        parameter("level-attack", "0,-2,-3,zero", BY_LEVEL, Seed, "Attack Value by level"),
        parameter("level-defense", "0,-1,-2,zero", BY_LEVEL, Seed, "Defense Value by level"),
        parameter("commander-bonus", "3", MODIFIER, Seed, "Fortitude of a unit with a Commander"),
        parameter("honor-bonus", "2", MODIFIER, Found, "Fortitude of a unit with an Honor Marker"),
        parameter("honor-attack", "1", MODIFIER, Seed, "Attack Value of a unit with an Honor Marker"),
        parameter("staff-near-fortitude", "4", MODIFIER, Found, "Fortitude near the General Staff"),
        parameter("staff-near-attack", "2", MODIFIER, Found, "Attack Value near the General Staff"),
        parameter("staff-near-defense", "1", MODIFIER, Found, "Defense Value near the General Staff"),
        parameter("staff-near-range", "2", HEXES, Found, "hexes within which the General Staff is near"),
        parameter("staff-lost-penalty", "-2", MODIFIER, Found, "Fortitude once the General Staff is lost"),
        parameter(
            "staff-loss-test-stacks",
            "false",
            TRUTH,
            Assumed,
            "the test for the loss of the General Staff counts that penalty twice",
        ),
        parameter("flank-penalty", "-3", MODIFIER, Seed, "Fortitude in the test of a flank assault"),
        parameter("rear-penalty", "-5", MODIFIER, Seed, "Fortitude in the test of a rear assault"),
        parameter("casualty-fortitude", "-1", MODIFIER, Found, "Fortitude for each casualty"),
        parameter(
            "casualty-fortitude-permanent",
            "true",
            TRUTH,
            Inferred,
            "casualties count in every later test, not only in the one they bring",
        ),
        parameter("assault-flank-attack", "2", MODIFIER, Seed, "Attack Value of who assaults a flank"),
        parameter("assault-flank-defense", "1", MODIFIER, Seed, "Defense Value of who assaults a flank"),
        parameter("assault-flank-fortitude", "1", MODIFIER, Seed, "Fortitude of who assaults a flank"),
        parameter("assault-rear-attack", "3", MODIFIER, Seed, "Attack Value of who assaults the rear"),
        parameter("assault-rear-defense", "2", MODIFIER, Seed, "Defense Value of who assaults the rear"),
        parameter("assault-rear-fortitude", "2", MODIFIER, Seed, "Fortitude of who assaults the rear"),
        parameter(
            "fatigue-fortitude",
            "0,-1,-2",
            "three numbers from -20 to 20 parted by commas",
            Inferred,
            "Fortitude by level of fatigue",
        ),
        parameter(
            "morale-phase-requires-unengaged",
            "true",
            TRUTH,
            Found,
            "a unit engaged in melee makes no test in the Morale Phase",
        ),
        parameter("fail-adds", "1", "a whole number from 1 to 3", Inferred, "Morale Markers for a failed test"),
        parameter(
            "combined-mode",
            "sequential",
            "sequential or simultaneous",
            Assumed,
            "the level each test of a combined assault is made at: what the test before left, or that before all",
        ),
        parameter(
            "combined-order",
            "flank-first",
            "flank-first or rear-first",
            Assumed,
            "which test of a combined assault comes first",
        ),
        parameter(
            "casualty-tests",
            "per-attack",
            "per-attack or per-casualty",
            Found,
            "tests of a unit for the casualties of an attack",
        ),
        parameter(
            "panicked-nonmelee-fail",
            "stay",
            "stay or surrender",
            Assumed,
            "what a Panicked unit does that fails a test outside melee",
        ),
        parameter("flee-hexes", "2", HEXES, Found, "hexes infantry flees"),
        parameter("flee-hexes-cavalry", "4", HEXES, Found, "hexes cavalry flees"),
        parameter("panic-hexes", "2", HEXES, Inferred, "hexes infantry panics"),
        parameter("panic-hexes-cavalry", "4", HEXES, Inferred, "hexes cavalry panics"),
        parameter(
            "panic-exit-destroys",
            "true",
            TRUTH,
            Assumed,
            "a unit that panics to the edge leaves the board and counts as destroyed; else it stops at the edge",
        ),
        parameter(
            "flee-order-stacks",
            "false",
            TRUTH,
            Inferred,
            "the orders Flee and Panic count beside the levels Shaken and Panicked",
        ),
        parameter("damage-rule", "subtract", "subtract or divide or none", Assumed, "how hits and Defense make casualties"),
        parameter("defense-floor", "0", MODIFIER, Assumed, "the least a Defense Value counts as"),
        parameter(
            "assault-each-turn",
            "false",
            TRUTH,
            Assumed,
            "who stays in melee assaults anew each turn, with its tests and bonuses",
        ),
        parameter(
            "retreat-leaves",
            "after-melee",
            "after-melee or before-melee",
            Assumed,
            "when a unit with the order Retreat leaves its melee",
        ),
    ]
};
