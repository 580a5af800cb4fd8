//! Objectives of players at the end of a question.

use schema::kind::Measure;

/// Declares the measures, one a line, with the fields of [`Measure`] as columns.
macro_rules! measures {
    ($($measure:ident = $name:literal, $weight:literal, $of_one:literal, $of_several:literal,
        $gain:literal;)+) => {
        /// The objectives a player can have.
        pub const MEASURES: &[Measure] =
            &[$(Measure { name: $name, weight: $weight, of_one: $of_one, of_several: $of_several,
                gain: $gain }),+];

        /// The value of each measure for one unit or army.
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct Amounts { $(pub $measure: f64),+ }

        impl Amounts {
            /// Returns the values in the order of [`MEASURES`].
            pub fn in_order(self) -> Vec<f64> {
                vec![$(self.$measure),+]
            }
        }
    };
}

measures! {
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
