//! What the rules leave to a number or a word: the kinds of values its parameters have.

pub use super::parameters::Rules;
use engine::text::{Fault, canonical};
use system::form::Value;
use system::parameters::{Knob, numbers, words};

numbers! {
    /// Something added to a value.
    Modifier = -20 to 20
}
numbers! {
    /// A distance, in hexes.
    Hexes = 0 to 60
}
/// The die of a test. No other than this is known in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FortitudeDie;

impl Knob for FortitudeDie {
    const VALUES: &'static str = "20";

    fn read(name: &str, value: Value) -> Result<FortitudeDie, Fault> {
        match value {
            Value::Integer(20) => Ok(FortitudeDie),
            Value::Text(text) if text.trim() == Self::VALUES => Ok(FortitudeDie),
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
    /// Morale Markers.
    Markers = 1 to 3
}
words! {
    /// When a test is passed.
    TestRule {
        /// On the Fortitude or less.
        AtMost = "at-most",
        /// On less than the Fortitude.
        Below = "below",
    }
}
words! {
    /// Rolls that decide a test whatever the Fortitude.
    NaturalRolls {
        None = "none",
        OnePasses = "1-passes",
        TwentyFails = "20-fails",
        Both = "both",
    }
}
words! {
    /// What the second test of a combined assault is made at.
    CombinedMode {
        /// The level the first has left.
        Sequential = "sequential",
        /// The level and the order from before both.
        Simultaneous = "simultaneous",
    }
}
words! {
    /// Which test of a combined assault comes first.
    CombinedOrder {
        FlankFirst = "flank-first",
        RearFirst = "rear-first",
    }
}
words! {
    /// How many tests casualties bring.
    CasualtyTests {
        PerAttack = "per-attack",
        PerCasualty = "per-casualty",
    }
}
words! {
    /// What a Panicked unit does that fails a test which does not come of an assault.
    PanickedFail {
        Stay = "stay",
        Surrender = "surrender",
    }
}
words! {
    /// How hits become casualties.
    DamageRule {
        /// Hits less Defense.
        Subtract = "subtract",
        /// Hits over Defense, rounded down.
        Divide = "divide",
        /// Every hit.
        None = "none",
    }
}
words! {
    /// When a unit with the order Retreat leaves its melee.
    RetreatLeaves {
        AfterMelee = "after-melee",
        BeforeMelee = "before-melee",
    }
}

/// What a level does to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    By(i8),
    /// The value is 0, whatever else there is.
    Zero,
}

impl Shift {
    /// A value with it.
    #[inline]
    pub const fn of(self, value: i8) -> i8 {
        match self {
            Shift::By(modifier) => value + modifier,
            Shift::Zero => 0,
        }
    }
}

/// What each number of markers does: of morale, or of fatigue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByMarkers<T, const N: usize>([T; N]);

impl<T: Copy, const N: usize> ByMarkers<T, N> {
    /// What so many markers do, fewer than `N`.
    #[inline]
    pub fn of(&self, markers: usize) -> T {
        self.0[markers]
    }
}

/// Numbers by level, such as `0,-1,-2,-3`.
impl Knob for ByMarkers<i8, 4> {
    const VALUES: &'static str = "four numbers from -20 to 20 parted by commas";

    fn read(name: &str, value: Value) -> Result<Self, Fault> {
        list(name, value, modifier)
    }

    fn written(&self) -> String {
        self.0.map(|number| number.to_string()).join(",")
    }
}

/// Numbers by level of fatigue.
impl Knob for ByMarkers<i8, 3> {
    const VALUES: &'static str = "three numbers from -20 to 20 parted by commas";

    fn read(name: &str, value: Value) -> Result<Self, Fault> {
        list(name, value, modifier)
    }

    fn written(&self) -> String {
        self.0.map(|number| number.to_string()).join(",")
    }
}

/// What each level does, with `zero` for a value that becomes 0.
impl Knob for ByMarkers<Shift, 4> {
    const VALUES: &'static str =
        "four numbers from -20 to 20 parted by commas, or zero in place of one";

    fn read(name: &str, value: Value) -> Result<Self, Fault> {
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
    value: Value,
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
