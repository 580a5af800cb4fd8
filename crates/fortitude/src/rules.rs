//! Types of the values that parameters can have.

pub use super::parameters::Rules;
use engine::text::{Fault, canonical};
use system::form::RawValue;
use system::parameters::{ParameterValue, numbers, words};

numbers! {
    /// A modifier added to a value.
    Modifier = -20 to 20
}
numbers! {
    /// A distance in hexes.
    Hexes = 0 to 60
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

numbers! {
    /// A number of Morale Markers.
    Markers = 1 to 3
}
words! {
    /// The condition for passing a test.
    TestRule {
        /// The roll is at most the Fortitude.
        AtMost = "at-most",
        /// The roll is less than the Fortitude.
        Below = "below",
    }
}
words! {
    /// Rolls that decide a test regardless of the Fortitude.
    NaturalRolls {
        None = "none",
        OnePasses = "1-passes",
        TwentyFails = "20-fails",
        Both = "both",
    }
}
words! {
    /// The state in which the second test of a combined assault is made.
    CombinedMode {
        /// The level after the first test.
        Sequential = "sequential",
        /// The level and the order before both tests.
        Simultaneous = "simultaneous",
    }
}
words! {
    /// The order of the tests of a combined assault.
    CombinedOrder {
        FlankFirst = "flank-first",
        RearFirst = "rear-first",
    }
}
words! {
    /// The number of tests that casualties cause.
    CasualtyTests {
        PerAttack = "per-attack",
        PerCasualty = "per-casualty",
    }
}
words! {
    /// What happens to a Panicked unit that fails a test outside an assault.
    PanickedFail {
        Stay = "stay",
        Surrender = "surrender",
    }
}
words! {
    /// How hits become casualties.
    DamageRule {
        /// Casualties are hits minus Defense.
        Subtract = "subtract",
        /// Casualties are hits divided by Defense, rounded down.
        Divide = "divide",
        /// Every hit is a casualty.
        None = "none",
    }
}
words! {
    /// When a unit ordered to Retreat leaves its melee.
    RetreatLeaves {
        AfterMelee = "after-melee",
        BeforeMelee = "before-melee",
    }
}

/// The effect of a level on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    By(i8),
    /// The value becomes 0, whatever its modifiers.
    Zero,
}

impl Shift {
    /// Applies the effect to a value.
    #[inline]
    pub const fn apply(self, value: i8) -> i8 {
        match self {
            Shift::By(modifier) => value + modifier,
            Shift::Zero => 0,
        }
    }
}

/// One entry for each number of markers, from 0 to `N` - 1: Morale Markers, or fatigue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByMarkers<T, const N: usize>([T; N]);

impl<T: Copy, const N: usize> ByMarkers<T, N> {
    /// Returns the entry for a number of markers.
    ///
    /// # Panics
    ///
    /// Panics if `markers` is not less than `N`.
    #[inline]
    pub fn with_markers(&self, markers: usize) -> T {
        self.0[markers]
    }
}

/// Notation: four numbers by level, such as `0,-1,-2,-3`.
impl ParameterValue for ByMarkers<i8, 4> {
    const VALUES: &'static str = "four numbers from -20 to 20 separated by commas";

    fn read(name: &str, value: RawValue) -> Result<Self, Fault> {
        list(name, value, modifier)
    }

    fn written(&self) -> String {
        self.0.map(|number| number.to_string()).join(",")
    }
}

/// Notation: three numbers by level of fatigue.
impl ParameterValue for ByMarkers<i8, 3> {
    const VALUES: &'static str = "three numbers from -20 to 20 separated by commas";

    fn read(name: &str, value: RawValue) -> Result<Self, Fault> {
        list(name, value, modifier)
    }

    fn written(&self) -> String {
        self.0.map(|number| number.to_string()).join(",")
    }
}

/// Notation: the effect of each level, with `zero` for a value that becomes 0.
impl ParameterValue for ByMarkers<Shift, 4> {
    const VALUES: &'static str =
        "four numbers from -20 to 20 separated by commas, or zero instead of one";

    fn read(name: &str, value: RawValue) -> Result<Self, Fault> {
        list(name, value, |word| {
            if word == "zero" { Some(Shift::Zero) } else { modifier(word).map(Shift::By) }
        })
    }

    fn written(&self) -> String {
        let word = |shift| match shift {
            Shift::By(number) => i8::to_string(&number),
            Shift::Zero => "zero".to_string(),
        };
        self.0.map(word).join(",")
    }
}

fn modifier(word: &str) -> Option<i8> {
    word.parse().ok().filter(|number| (-20..=20).contains(number))
}

fn list<T: Copy, const N: usize>(
    name: &str,
    value: RawValue,
    read: impl Fn(&str) -> Option<T>,
) -> Result<ByMarkers<T, N>, Fault> {
    let text = value.text(name)?;
    let entries: Option<Vec<T>> = text.split(',').map(|word| read(&canonical(word))).collect();
    entries.and_then(|entries| entries.try_into().ok()).map(ByMarkers).ok_or_else(|| {
        let example = Rules::PARAMETERS
            .iter()
            .find(|parameter| parameter.name == name)
            .map_or("", |parameter| parameter.default);
        let fault = Fault::new(
            format!("`{name}` must be {N} numbers from -20 to 20, not `{text}`"),
            0..text.len(),
        );
        fault.help(format!("for example `{example}`"))
    })
}
