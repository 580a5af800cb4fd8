//! What stands around the Location: the enemy, as far as morale rules ask about him.

/// Facts about the situation that no counter shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scene {
    /// Whether Heat of Battle (15.1) is wanted; an edition may have none
    /// ([`crate::rulebook::Rulebook::plays_heat_of_battle`]).
    pub heat_of_battle: bool,
    /// 15.44: a Known enemy is in LOS; without one nobody goes berserk.
    pub known_enemy: bool,
    /// 15.5: a Known, Good Order, armed enemy is ADJACENT who takes prisoners.
    pub captor: bool,
    /// 20.3: No Quarter is in force, so nobody surrenders.
    pub no_quarter: bool,
    /// 15.5, 19.12: the enemy is Russian, to whom the SS neither surrender nor become Disrupted.
    pub against_russians: bool,
    /// 10.62: a Known armed enemy is ADJACENT all the time, so that DM comes back as soon as it is
    /// removed (I-28).
    pub enemy_adjacent: bool,
}

impl Scene {
    /// What of it is worth a word: all but what is supposed unless somebody says otherwise, and
    /// Heat of Battle.
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
