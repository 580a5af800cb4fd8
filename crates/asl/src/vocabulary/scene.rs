//! The situation around the Location: facts about the enemy on which morale rules depend.

/// Facts about the situation that no counter shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scene {
    /// True if Heat of Battle (15.1) is switched on. Some editions still have none.
    pub heat_of_battle: bool,
    /// True if a Known enemy is in LOS (15.44). Without one no unit goes berserk.
    pub known_enemy: bool,
    /// True if a Known, Good Order, armed enemy that takes prisoners is ADJACENT (15.5).
    pub captor: bool,
    /// True if No Quarter is in force, so that no unit surrenders (20.3).
    pub no_quarter: bool,
    /// True if the enemy is Russian: the SS neither surrender (15.5) nor are Disrupted (19.12).
    pub against_russians: bool,
    /// True if a Known armed enemy stays ADJACENT, so that removed DM returns (10.62, I-28).
    pub enemy_adjacent: bool,
}

impl Scene {
    /// Returns the facts that differ from the default, in words. Heat of Battle is not among them.
    pub fn facts(self) -> impl Iterator<Item = &'static str> {
        let facts = [
            (!self.known_enemy, "no Known enemy in LOS"),
            (self.captor, "a captor ADJACENT"),
            (self.no_quarter, "No Quarter"),
            (self.against_russians, "against Russians"),
            (self.enemy_adjacent, "an enemy ADJACENT"),
        ];
        facts.into_iter().filter(|(holds, _)| *holds).map(|(_, fact)| fact)
    }
}
