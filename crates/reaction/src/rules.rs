//! Types of the values that parameters can have.

pub use super::parameters::Rules;
use system::parameters::{numbers, words};

numbers! {
    /// A Target Number that does not slide.
    Tn = 2 to 6
}
numbers! {
    /// A Target Number before modifiers, which can slide.
    FireTn = 1 to 12
}
numbers! {
    /// A modifier added to a Target Number or to a number of dice.
    Modifier = -6 to 6
}
numbers! {
    /// A number of dice in a pool.
    Dice = 0 to 12
}
numbers! {
    /// The Disruption Points that disperse a unit.
    Cohesion = 1 to 40
}
numbers! {
    /// A distance in inches.
    Inches = 0 to 40
}
numbers! {
    /// A small number: D6 for each six, or repeated rolls.
    Few = 0 to 3
}
numbers! {
    /// A number of Army Morale Points.
    Points = 0 to 60
}
numbers! {
    /// A number of Command Dice or Staff Orders.
    CommandDice = 0 to 10
}
numbers! {
    /// A number of Rally Group orders.
    Rallies = 1 to 10
}
words! {
    /// The Disruption Points a volley causes.
    DpRule {
        /// Hits minus successes of the Reaction Check.
        Net = "net",
        /// All hits, once they outnumber the successes.
        AllIfMore = "all-if-more",
    }
}
words! {
    /// A grade of cover.
    Cover {
        None = "none",
        Light = "light",
        Medium = "medium",
        Heavy = "heavy",
    }
}
words! {
    /// The volleys whose sixes suppress unless the target has more sixes.
    HighSuppression {
        OfNone = "false",
        OfAll = "true",
        Artillery = "artillery",
    }
}
words! {
    /// The die for the Army Morale Points lost with a unit.
    MoraleLoss {
        D3 = "d3",
        D6 = "d6",
    }
}
words! {
    /// The points a Rally Group order removes.
    RallyEffect {
        OnePerSuccess = "one-per-success",
        OnePerRoll = "one-per-roll",
    }
}
words! {
    /// The period over which the activations of a unit are counted.
    ActivationLimit {
        Turn = "turn",
        Pulse = "pulse",
        Gap = "gap",
    }
}
words! {
    /// The time at which a Wild Die joins a roll.
    WildDieTiming {
        Before = "before",
        After = "after",
    }
}
words! {
    /// The result of both sides at zero points.
    BothAtZero {
        Draw = "draw",
        PlayOn = "play-on",
    }
}

impl Rules {
    /// The Reaction Dice for a grade of cover.
    pub(super) const fn cover_dice(&self, cover: Cover) -> u8 {
        match cover {
            Cover::None => 0,
            Cover::Light => self.cover_dice_light.count(),
            Cover::Medium => self.cover_dice_medium.count(),
            Cover::Heavy => self.cover_dice_heavy.count(),
        }
    }
}
