//! What can be set otherwise than the published rules have it, or than what is known of them: the
//! kinds of values of the parameters.

pub use super::parameters::Rules;
use system::parameters::{numbers, words};

numbers! {
    /// A Target Number that is rolled against as it is.
    Tn = 2 to 6
}
numbers! {
    /// A Target Number before modifiers, which dice slide by.
    FireTn = 1 to 12
}
numbers! {
    /// Something added to a Target Number, or to a number of dice.
    Modifier = -6 to 6
}
numbers! {
    /// Dice of a pool.
    Dice = 0 to 12
}
numbers! {
    /// Disruption Points that disperse a unit.
    Cohesion = 1 to 40
}
numbers! {
    /// A distance, in inches.
    Inches = 0 to 40
}
numbers! {
    /// D6 for each six, or rolls made again.
    Few = 0 to 3
}
numbers! {
    /// Army Morale Points.
    Points = 0 to 60
}
numbers! {
    /// Command Dice, or Staff Orders.
    CommandDice = 0 to 10
}
numbers! {
    /// Rally Group orders.
    Rallies = 1 to 10
}
words! {
    /// Disruption Points that are taken.
    DpRule {
        /// Hits less successes of the reaction.
        Net = "net",
        /// Every hit, once there are more of them than successes.
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
    /// Volleys whose sixes suppress unless the target has more.
    HighSuppression {
        OfNone = "false",
        OfAll = "true",
        Artillery = "artillery",
    }
}
words! {
    /// What is rolled for the Army Morale Points lost with a unit.
    MoraleLoss {
        D3 = "d3",
        D6 = "d6",
    }
}
words! {
    /// Points that a Rally Group order removes.
    RallyEffect {
        OnePerSuccess = "one-per-success",
        OnePerRoll = "one-per-roll",
    }
}
words! {
    /// What the activations of a unit are counted over.
    ActivationLimit {
        Turn = "turn",
        Pulse = "pulse",
        Gap = "gap",
    }
}
words! {
    /// When a Wild Die joins a roll.
    WildDieTiming {
        Before = "before",
        After = "after",
    }
}
words! {
    /// What comes of both sides at zero.
    BothAtZero {
        Draw = "draw",
        PlayOn = "play-on",
    }
}

impl Rules {
    /// Reaction Dice of a grade of cover.
    pub(super) const fn cover_dice(&self, cover: Cover) -> u8 {
        match cover {
            Cover::None => 0,
            Cover::Light => self.cover_dice_light.count(),
            Cover::Medium => self.cover_dice_medium.count(),
            Cover::Heavy => self.cover_dice_heavy.count(),
        }
    }
}
