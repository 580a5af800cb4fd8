//! What players may be after at the end of a question.

use crate::system::Measure;

/// What a player may be after.
pub const MEASURES: [Measure; 7] = [
    measure("may-fire", 1.0, "P(may fire)", "expected number of units that may fire", "expected units that may fire"),
    measure("survives", 1.0, "P(survives)", "expected number of units that survive", "expected survivors"),
    measure(
        "disruption-points",
        -1.0,
        "expected Disruption Points",
        "expected Disruption Points",
        "expected Disruption Points spared",
    ),
    measure("army-morale", 1.0, "expected Army Morale Points", "expected Army Morale Points", "expected Army Morale Points"),
    measure(
        "enemy-dispersed",
        1.0,
        "P(the enemy is dispersed)",
        "expected number of enemy units dispersed",
        "expected enemies dispersed",
    ),
    measure(
        "enemy-morale",
        -1.0,
        "expected Army Morale Points of the enemy",
        "expected Army Morale Points of the enemy",
        "expected Army Morale Points taken",
    ),
    measure("reaches-goal", 1.0, "P(reaches its goal)", "expected number of units at their goal", "expected units at their goal"),
];

const fn measure(name: &'static str, weight: f64, of_one: &'static str, of_several: &'static str, gain: &'static str) -> Measure {
    Measure { name, weight, of_one, of_several, gain }
}
