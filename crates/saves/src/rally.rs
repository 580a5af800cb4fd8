//! The Rally attempts in a Location of a save.

use asl::kinds::{StackFields, StepFields};
use asl::nation::Nation;
use asl::scenario::{RallyPlace, Scenario};
use serde_json::{Value, json};

/// Returns the fields of the question whether the units in a Location rally.
pub fn rally_fields(scenario: &Scenario, place: &RallyPlace) -> Vec<(&'static str, Value)> {
    let enemy = place.enemy.filter(|enemy| *enemy != Nation::Any);
    let mut fields = vec![
        (StackFields::stack.name, json!(place.units.join(" + "))),
        (StepFields::terrain.name, json!(place.terrain)),
    ];
    fields.extend(place.leader.as_ref().map(|leader| (StepFields::leader.name, json!(leader))));
    fields.extend(enemy.map(|enemy| (StackFields::enemy.name, json!(enemy.name()))));
    fields.extend([
        (StackFields::elr.name, json!(scenario.rules.fields.elr.u8())),
        (StackFields::enemy_adjacent.name, json!(place.enemy_adjacent)),
        (StackFields::captor.name, json!(place.captor)),
        (StackFields::known_enemy.name, json!(place.enemy_in_sight)),
    ]);
    fields
}
