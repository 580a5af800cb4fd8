//! The table of parameters, and the types of their values.

use super::field::Facing;
use super::order::{Modifiers, Orders};
use engine::text::{Fault, canonical};
use schema::parameters::{numbers, parameters, words};
use schema::{ParameterValue, RawValue, Rules as _};

parameters! {
    /// The values of all parameters of one question.
    Rules, "damage-rule=divide" {
        "fortitude-die" fortitude_die: FortitudeDie = "20", Found,
            "sides of the die for every test and attack";
        "test-rule" test_rule: TestRule = "at-most", Found,
            "a test is passed on the Fortitude or less";
        "natural-roll-exceptions" natural_rolls: NaturalRolls = "none", Assumed,
            "rolls that decide a test whatever the Fortitude";
        "level-fortitude" level_fortitude: ByMarkers<4> = "0,-1,-2,-3", Seed,
            "added to the Fortitude, by level from Normal to Panicked";
        "level-attack" level_attack: ByMarkers<4, true> = "0,-2,-3,zero", Seed,
            "added to the Attack Value, by level from Normal to Panicked";
        "level-defense" level_defense: ByMarkers<4, true> = "0,-1,-2,zero", Seed,
            "added to the Defense Value, by level from Normal to Panicked";
        "commander-bonus" commander_bonus: Modifier = "3", Seed,
            "added to the Fortitude of a unit with a Commander";
        "honor-bonus" honor_bonus: Modifier = "2", Found,
            "added to the Fortitude of a unit with an Honor Marker";
        "honor-attack" honor_attack: Modifier = "1", Seed,
            "added to the Attack Value of a unit with an Honor Marker";
        "staff-near-fortitude" staff_near_fortitude: Modifier = "4", Found,
            "added to the Fortitude near the General Staff";
        "staff-near-attack" staff_near_attack: Modifier = "2", Found,
            "added to the Attack Value near the General Staff";
        "staff-near-defense" staff_near_defense: Modifier = "1", Found,
            "added to the Defense Value near the General Staff";
        "staff-near-range" staff_near_range: Hexes = "2", Found,
            "hexes within which the General Staff is near";
        "staff-lost-penalty" staff_lost_penalty: Modifier = "-2", Found,
            "added to the Fortitude once the General Staff is lost";
        "staff-loss-test-stacks" staff_loss_test_stacks: bool = "false", Assumed,
            "the test for the loss of the General Staff counts the penalty for that loss twice";
        "flank-penalty" flank_penalty: Modifier = "-3", Seed,
            "added to the Fortitude in the test of a flank assault";
        "rear-penalty" rear_penalty: Modifier = "-5", Seed,
            "added to the Fortitude in the test of a rear assault";
        "casualty-fortitude" casualty_fortitude: Modifier = "-1", Found,
            "added to the Fortitude for each casualty";
        "casualty-fortitude-permanent" casualty_fortitude_permanent: bool = "true", Inferred,
            "casualties count in every later test, not only in the test they cause";
        "assault-flank-attack" assault_flank_attack: Modifier = "2", Seed,
            "added to the Attack Value of a unit that assaults a flank";
        "assault-flank-defense" assault_flank_defense: Modifier = "1", Seed,
            "added to the Defense Value of a unit that assaults a flank";
        "assault-flank-fortitude" assault_flank_fortitude: Modifier = "1", Seed,
            "added to the Fortitude of a unit that assaults a flank";
        "assault-rear-attack" assault_rear_attack: Modifier = "3", Seed,
            "added to the Attack Value of a unit that assaults the rear";
        "assault-rear-defense" assault_rear_defense: Modifier = "2", Seed,
            "added to the Defense Value of a unit that assaults the rear";
        "assault-rear-fortitude" assault_rear_fortitude: Modifier = "2", Seed,
            "added to the Fortitude of a unit that assaults the rear";
        "fatigue-fortitude" fatigue_fortitude: ByMarkers<3> = "0,-1,-2", Inferred,
            "added to the Fortitude, by level of fatigue";
        "morale-phase-requires-unengaged" morale_phase_requires_unengaged: bool = "true", Found,
            "a unit engaged in melee makes no test in the Morale Phase";
        "fail-adds" fail_adds: Markers = "1", Inferred, "Morale Markers for a failed test";
        "combined-mode" combined_mode: CombinedMode = "sequential", Assumed,
            "level used by each test of a combined assault: after the previous test, or before all \
            tests";
        "combined-order" combined_order: CombinedOrder = "flank-first", Assumed,
            "which test of a combined assault comes first";
        "casualty-tests" casualty_tests: CasualtyTests = "per-attack", Found,
            "tests of a unit for the casualties of an attack";
        "panicked-nonmelee-fail" panicked_nonmelee_fail: PanickedFail = "stay", Assumed,
            "result for a Panicked unit that fails a test outside melee";
        "panicked-melee-fail" panicked_melee_fail: PanickedFail = "surrender", Assumed,
            "result for a Panicked unit in melee that fails the test for the loss of the General \
                Staff";
        "flee-hexes" flee_hexes: Hexes = "2", Found, "hexes that infantry moves when it flees";
        "flee-hexes-cavalry" flee_hexes_cavalry: Hexes = "4", Found,
            "hexes that cavalry moves when it flees";
        "panic-hexes" panic_hexes: Hexes = "2", Inferred,
            "hexes that infantry moves when it panics";
        "panic-hexes-cavalry" panic_hexes_cavalry: Hexes = "4", Inferred,
            "hexes that cavalry moves when it panics";
        "panic-exit-destroys" panic_exit_destroys: bool = "true", Assumed,
            "a unit that panics to the edge leaves the board and counts as destroyed; otherwise it \
            stops there";
        "flee-order-stacks" flee_order_stacks: bool = "false", Inferred,
            "the orders Flee and Panic count in addition to the levels Shaken and Panicked";
        "damage-rule" damage_rule: DamageRule = "subtract", Assumed,
            "rule that turns hits and Defense into casualties";
        "defense-floor" defense_floor: Modifier = "0", Assumed, "minimum Defense Value";
        "assault-each-turn" assault_each_turn: bool = "false", Assumed,
            "a unit that stays in melee assaults again each turn, with its tests and bonuses";
        "retreat-leaves" retreat_leaves: RetreatLeaves = "after-melee", Assumed,
            "moment when a unit with the order Retreat leaves its melee";
        "orders-without-commander" orders_without_commander: Orders = "all", Assumed,
            "orders that a unit without a Commander can have, besides none";
        "orders-that-fire" orders_that_fire: Orders = "defend,all-around-defense,fire-ranged-weapons,fire-and-retreat,move-and-fire", Assumed, "orders that let a unit fire, besides none";
    }
}

impl Rules {
    /// Returns the bonuses of a unit that assaults another on a side.
    #[inline]
    pub const fn assault_bonus(&self, side: Facing) -> Modifiers {
        let attack = [Modifier(0), self.assault_flank_attack, self.assault_rear_attack];
        let defense = [Modifier(0), self.assault_flank_defense, self.assault_rear_defense];
        let fortitude = [Modifier(0), self.assault_flank_fortitude, self.assault_rear_fortitude];
        let of = side as usize;
        Modifiers { attack: attack[of].0, defense: defense[of].0, fortitude: fortitude[of].0 }
    }
}

numbers! {
    /// A modifier added to a value.
    Modifier = -20 to 20;
    /// A distance in hexes.
    Hexes = 0 to 60;
    /// A number of Morale Markers.
    Markers = 1 to 3;
}

/// The die of a test. The game is only known to use a d20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FortitudeDie;

impl ParameterValue for FortitudeDie {
    const VALUES: &'static str = "20";

    fn read(name: &str, value: RawValue) -> Result<FortitudeDie, Fault> {
        match value {
            RawValue::Integer(20) => Ok(FortitudeDie),
            RawValue::Text(text) if text.trim() == Self::VALUES => Ok(FortitudeDie),
            other => Err(Fault::new(
                format!("`{name}` can only be {}, not {other}", Self::VALUES),
                value.span(),
            )),
        }
    }

    fn written(&self) -> String {
        Self::VALUES.to_string()
    }
}

words! {
    /// The condition for passing a test.
    TestRule {
        /// The roll is at most the Fortitude.
        AtMost = "at-most",
        /// The roll is less than the Fortitude.
        Below = "below",
    }
    /// Rolls that decide a test regardless of the Fortitude.
    NaturalRolls { None = "none", OnePasses = "1-passes", TwentyFails = "20-fails", Both = "both" }
    /// The state in which the second test of a combined assault is made.
    CombinedMode {
        /// The level after the first test.
        Sequential = "sequential",
        /// The level and the order before both tests.
        Simultaneous = "simultaneous",
    }
    /// The order of the tests of a combined assault.
    CombinedOrder { FlankFirst = "flank-first", RearFirst = "rear-first" }
    /// The number of tests that casualties cause.
    CasualtyTests { PerAttack = "per-attack", PerCasualty = "per-casualty" }
    /// The fate of a Panicked unit that fails a test outside an assault.
    PanickedFail { Stay = "stay", Surrender = "surrender" }
    /// The conversion of hits to casualties.
    DamageRule {
        /// Casualties are hits minus Defense.
        Subtract = "subtract",
        /// Casualties are hits divided by Defense, rounded down.
        Divide = "divide",
        /// Every hit is a casualty.
        None = "none",
    }
    /// The moment at which a unit with the order Retreat leaves its melee.
    RetreatLeaves { AfterMelee = "after-melee", BeforeMelee = "before-melee" }
}

/// A list with one modifier for each number of markers (Morale Markers or fatigue), 0 to `N` - 1.
/// With `ZERO` it can have `None`, for a value that becomes 0 whatever its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByMarkers<const N: usize, const ZERO: bool = false>(pub [Option<i8>; N]);

/// The notation is a number for each number of markers, such as `0,-1,-2,zero`.
impl<const N: usize, const ZERO: bool> ParameterValue for ByMarkers<N, ZERO> {
    const VALUES: &'static str = match (N, ZERO) {
        (3, _) => "three numbers from -20 to 20 separated by commas",
        (_, false) => "four numbers from -20 to 20 separated by commas",
        (_, true) => "four numbers from -20 to 20 separated by commas, or zero instead of one",
    };

    fn read(name: &str, value: RawValue) -> Result<Self, Fault> {
        let text = value.text(name)?;
        let modifier = |word: &str| match canonical(word).as_str() {
            "zero" if ZERO => Some(None),
            word => word.parse().ok().filter(|number| (-20..=20).contains(number)).map(Some),
        };
        let modifiers: Option<Vec<Option<i8>>> = text.split(',').map(modifier).collect();
        modifiers.and_then(|list| list.try_into().ok()).map(ByMarkers).ok_or_else(|| {
            let message = format!("`{name}` must be {N} numbers from -20 to 20, not `{text}`");
            let parameter = Rules::PARAMETERS.iter().find(|parameter| parameter.name == name);
            let example = parameter.map_or("", |parameter| parameter.default);
            Fault::new(message, 0..text.len()).help(format!("for example `{example}`"))
        })
    }

    fn written(&self) -> String {
        let word =
            |modifier: Option<i8>| modifier.map_or("zero".into(), |number| number.to_string());
        self.0.map(word).join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
