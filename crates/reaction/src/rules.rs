//! The table of parameters, and the types of their values.

use schema::parameters::{numbers, parameters, words};

parameters! {
    /// The values of all parameters of one question.
    Rules, "dp-rule=all-if-more" {
        "fire-tn" fire_tn: FireTn = "4", Found,
            "lowest roll of a firing die that hits, before modifiers";
        "reaction-tn" reaction_tn: Tn = "4", Seed,
            "lowest successful roll of a Reaction Die of an unsuppressed unit";
        "reaction-tn-suppressed" reaction_tn_suppressed: Tn = "5", Seed,
            "lowest successful roll of a Reaction Die of a suppressed unit";
        "cohesion" cohesion: Cohesion = "3", Seed,
            "Disruption Points that disperse a unit, by default";
        "dp-rule" dp_rule: DpRule = "net", Seed,
            "points taken: hits minus Reaction successes, or all hits if there are more hits than \
            successes";
        "range-tn-close" range_tn_close: Modifier = "-1", Found,
            "added to the firing TN at close range";
        "range-tn-effective" range_tn_effective: Modifier = "0", Found,
            "added to the firing TN at effective range";
        "range-tn-long" range_tn_long: Modifier = "1", Found,
            "added to the firing TN at long range";
        "flank-tn" flank_tn: Modifier = "-1", Found,
            "added to the firing TN against a flank or rear";
        "move-dice-double" move_dice_double: Modifier = "-1", Found,
            "added to the firing dice after a double move";
        "move-dice-triple" move_dice_triple: Modifier = "-2", Found,
            "added to the firing dice after a triple move";
        "uphill-dice" uphill_dice: Modifier = "-1", Found,
            "added to the firing dice when the target is uphill";
        "cover-dice-light" cover_dice_light: Dice = "1", Found,
            "Reaction Dice added for light cover";
        "cover-dice-medium" cover_dice_medium: Dice = "2", Found,
            "Reaction Dice added for medium cover";
        "cover-dice-heavy" cover_dice_heavy: Dice = "3", Found,
            "Reaction Dice added for heavy cover";
        "halted-cover" halted_cover: Cover = "light", Assumed,
            "cover in later volleys of a unit that was forced back into cover";
        "high-suppression" high_suppression: HighSuppression = "false", Found,
            "volleys in which a firing six suppresses the target, unless the target rolls more \
                sixes: none, all, or those of artillery";
        "forced-back-base" forced_back_base: Inches = "6", Seed,
            "inches a unit is forced back in any case";
        "forced-back-per-six" forced_back_per_six: Few = "1", Seed,
            "D6 of further inches for each unmatched six";
        "forced-back-when-already-suppressed" forced_back_when_already_suppressed: bool = "true",
            Found, "a unit that was suppressed before can be forced back";
        "morale-loss" morale_loss: MoraleLoss = "d3", Seed,
            "Army Morale Points lost with a dispersed unit";
        "army-morale" army_morale: Points = "15", Found, "Army Morale Points of a side, by default";
        "command-dice" command_dice: CommandDice = "6", Found, "Command Dice of a side, by default";
        "command-re-rolls" command_re_rolls: Few = "1", Assumed,
            "before pulses: how often both sides roll again after a full tie; one more tie is \
            settled by lot";
        "staff-orders" staff_orders: CommandDice = "4", Found,
            "Staff Orders of each side at the start";
        "rally-dice" rally_dice: Dice = "4", Found, "dice of a Rally Group order";
        "rally-tn" rally_tn: Tn = "4", Assumed, "lowest successful roll of a Rally Die";
        "rally-effect" rally_effect: RallyEffect = "one-per-success", Assumed,
            "Disruption Points that a Rally Group order removes: one for each success, or one for \
                any number of successes";
        "rally-opposed" rally_opposed: bool = "false", Assumed,
            "the enemy rolls as many dice against a Rally Group order; each success cancels one";
        "rallies-per-gap" rallies_per_gap: Rallies = "1", Assumed,
            "Rally Group orders that one unit can get in the period of `activation-limit`";
        "activation-limit" activation_limit: ActivationLimit = "turn", Found,
            "period in which the Rally Group orders of a unit count in a sequence: a turn, each \
            `command` step and each pulse, or the gap between two volleys of the enemy";
        "wild-die-timing" wild_die_timing: WildDieTiming = "before", Assumed,
            "a Wild Die joins a roll before it is made, or when it is seen";
        "army-morale-check" army_morale_check: bool = "false", Found,
            "a loss of exactly 3 points calls for an Army Morale Check";
        "army-morale-dice" army_morale_dice: Dice = "4", Assumed, "dice of an Army Morale Check";
        "both-at-zero" both_at_zero: BothAtZero = "draw", Assumed,
            "result when both sides are at zero at the end of a turn";
    }
}

numbers! {
    /// A Target Number that modifiers do not change.
    Tn = 2 to 6;
    /// A Target Number before modifiers. Above 6 and below 2 it changes the number of dice instead.
    FireTn = 1 to 12;
    /// A modifier added to a Target Number or to a number of dice.
    Modifier = -6 to 6;
    /// A number of dice in a pool.
    Dice = 0 to 12;
    /// The Disruption Points that disperse a unit.
    Cohesion = 1 to 40;
    /// A distance in inches.
    Inches = 0 to 40;
    /// A small number, such as D6 for each six or repeated rolls.
    Few = 0 to 3;
    /// A number of Army Morale Points.
    Points = 0 to 60;
    /// A number of Command Dice or Staff Orders.
    CommandDice = 0 to 10;
    /// A number of Rally Group orders.
    Rallies = 1 to 10;
}

words! {
    /// The Disruption Points a volley causes.
    DpRule {
        /// Hits minus successes of the Reaction Check.
        Net = "net",
        /// All hits if they outnumber the successes, otherwise none.
        AllIfMore = "all-if-more",
    }
    /// A grade of cover.
    Cover { None = "none", Light = "light", Medium = "medium", Heavy = "heavy" }
    /// The volleys whose sixes suppress unless the target has more sixes.
    HighSuppression { OfNone = "false", OfAll = "true", Artillery = "artillery" }
    /// The die for the Army Morale Points lost with a unit.
    MoraleLoss { D3 = "d3", D6 = "d6" }
    /// The points a Rally Group order removes.
    RallyEffect { OnePerSuccess = "one-per-success", OnePerRoll = "one-per-roll" }
    /// The period over which the activations of a unit are counted.
    ActivationLimit { Turn = "turn", Pulse = "pulse", Gap = "gap" }
    /// The time at which a Wild Die joins a roll.
    WildDieTiming { Before = "before", After = "after" }
    /// The result of both sides at zero points.
    BothAtZero { Draw = "draw", PlayOn = "play-on" }
}

impl Rules {
    pub(super) const fn cover_dice(&self, cover: Cover) -> u8 {
        let Rules { cover_dice_light, cover_dice_medium, cover_dice_heavy, .. } = self;
        [Dice(0), *cover_dice_light, *cover_dice_medium, *cover_dice_heavy][cover as usize].count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::{RawValue, Rules as _};

    #[test]
    fn listed_defaults_equal_the_default_rules() {
        let mut rules = Rules::default();
        assert_eq!(rules.changed(), []);
        for parameter in Rules::PARAMETERS {
            assert_eq!(rules.written(parameter.name), parameter.default);
            rules.set(parameter.name, RawValue::Text(parameter.default)).unwrap();
        }
        assert_eq!(rules, Rules::default());
    }

    #[test]
    fn values_are_read_and_bad_ones_refused() {
        let mut rules = Rules::default();
        rules.set("range-tn-long", RawValue::Integer(-6)).unwrap();
        rules.set("dp-rule", RawValue::Text("All_If_More")).unwrap();
        rules.set("high-suppression", RawValue::Boolean(true)).unwrap();
        let expected =
            [("dp-rule", "all-if-more"), ("range-tn-long", "-6"), ("high-suppression", "true")];
        assert_eq!(rules.changed(), expected.map(|(name, value)| (name, value.to_string())));
        rules.set("high-suppression", RawValue::Text("artillery")).unwrap();
        assert_eq!(rules.high_suppression, HighSuppression::Artillery);
        for (name, value, message) in [
            (
                "rally-tn",
                RawValue::Integer(7),
                "`rally-tn` must be a whole number from 2 to 6, not 7",
            ),
            (
                "dp-rule",
                RawValue::Text("nett"),
                "`dp-rule` has no value `nett` (did you mean `net`?)",
            ),
            (
                "rally-opposed",
                RawValue::Text("yes"),
                "`rally-opposed` must be true or false, not `yes`",
            ),
            ("morale-loss", RawValue::Integer(3), "`morale-loss` must be a text in quotes, not 3"),
            (
                "high-suppression",
                RawValue::Integer(1),
                "`high-suppression` must be a text in quotes, not 1",
            ),
            (
                "high-supression",
                RawValue::Boolean(true),
                "no parameter is called `high-supression` (did you mean `high-suppression`?)",
            ),
        ] {
            assert_eq!(rules.set(name, value).unwrap_err().to_string(), message);
        }
    }
}
