//! Objectives of players at the end of a question.

use schema::kind::measures;

measures! {
    /// The objectives a player can have.
    pub const MEASURES;
    /// The value of each measure for one unit or army.
    pub(super) struct Amounts;
    may_fire = "may-fire", 1.0, "P(may fire)", "expected number of units that may fire",
        "expected units that may fire";
    survives = "survives", 1.0, "P(survives)", "expected number of units that survive",
        "expected survivors";
    disruption_points = "disruption-points", -1.0,
        "expected Disruption Points", "expected Disruption Points", "expected Disruption Points";
    army_morale = "army-morale", 1.0,
        "expected Army Morale Points", "expected Army Morale Points", "expected Army Morale Points";
    enemy_dispersed = "enemy-dispersed", 1.0,
        "P(the enemy is dispersed)", "expected number of enemy units dispersed",
            "expected enemies dispersed";
    enemy_morale = "enemy-morale", -1.0,
        "expected Army Morale Points of the enemy", "expected Army Morale Points of the enemy",
        "expected Army Morale Points of the enemy";
    reaches_goal = "reaches-goal", 1.0,
        "P(reaches its goal)", "expected number of units at their goal",
            "expected units at their goal";
}
