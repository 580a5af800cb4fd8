//! What the rules leave to a number or a word: the parameters of one question, and how they are set.

pub use super::parameters::PARAMETERS;
use crate::system::form::Value;
use crate::text::{Fault, canonical};

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<const LOW: i8, const HIGH: i8>(pub i8);

/// Something added to a value.
pub type Modifier = Number<-20, 20>;
/// A distance, in hexes.
pub type Hexes = Number<0, 60>;

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

/// A rule that is one of several words.
trait Word: Copy + PartialEq + 'static {
    const ALL: &'static [(&'static str, Self)];
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$of])* $variant,)+ }

        impl Word for $name {
            const ALL: &'static [(&'static str, Self)] = &[$(($word, $name::$variant),)+];
        }
    };
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
    /// What a Panicked unit does that fails a test outside melee.
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

/// The parameters of one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    pub test_rule: TestRule,
    pub natural_rolls: NaturalRolls,
    /// By level.
    pub level_fortitude: [i8; 4],
    pub level_attack: [Shift; 4],
    pub level_defense: [Shift; 4],
    pub commander_bonus: Modifier,
    pub honor_bonus: Modifier,
    pub honor_attack: Modifier,
    pub staff_near_fortitude: Modifier,
    pub staff_near_attack: Modifier,
    pub staff_near_defense: Modifier,
    pub staff_near_range: Hexes,
    pub staff_lost_penalty: Modifier,
    pub staff_loss_test_stacks: bool,
    pub flank_penalty: Modifier,
    pub rear_penalty: Modifier,
    pub casualty_fortitude: Modifier,
    pub casualty_fortitude_permanent: bool,
    pub assault_flank_attack: Modifier,
    pub assault_flank_defense: Modifier,
    pub assault_flank_fortitude: Modifier,
    pub assault_rear_attack: Modifier,
    pub assault_rear_defense: Modifier,
    pub assault_rear_fortitude: Modifier,
    /// By level of fatigue.
    pub fatigue_fortitude: [i8; 3],
    pub morale_phase_requires_unengaged: bool,
    pub fail_adds: Number<1, 3>,
    pub combined_mode: CombinedMode,
    pub combined_order: CombinedOrder,
    pub casualty_tests: CasualtyTests,
    pub panicked_nonmelee_fail: PanickedFail,
    pub flee_hexes: Hexes,
    pub flee_hexes_cavalry: Hexes,
    pub panic_hexes: Hexes,
    pub panic_hexes_cavalry: Hexes,
    pub panic_exit_destroys: bool,
    pub flee_order_stacks: bool,
    pub damage_rule: DamageRule,
    pub defense_floor: Modifier,
    pub assault_each_turn: bool,
    pub retreat_leaves: RetreatLeaves,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            test_rule: TestRule::AtMost,
            natural_rolls: NaturalRolls::None,
            level_fortitude: [0, -1, -2, -3],
            level_attack: [Shift::By(0), Shift::By(-2), Shift::By(-3), Shift::Zero],
            level_defense: [Shift::By(0), Shift::By(-1), Shift::By(-2), Shift::Zero],
            commander_bonus: Number(3),
            honor_bonus: Number(2),
            honor_attack: Number(1),
            staff_near_fortitude: Number(4),
            staff_near_attack: Number(2),
            staff_near_defense: Number(1),
            staff_near_range: Number(2),
            staff_lost_penalty: Number(-2),
            staff_loss_test_stacks: false,
            flank_penalty: Number(-3),
            rear_penalty: Number(-5),
            casualty_fortitude: Number(-1),
            casualty_fortitude_permanent: true,
            assault_flank_attack: Number(2),
            assault_flank_defense: Number(1),
            assault_flank_fortitude: Number(1),
            assault_rear_attack: Number(3),
            assault_rear_defense: Number(2),
            assault_rear_fortitude: Number(2),
            fatigue_fortitude: [0, -1, -2],
            morale_phase_requires_unengaged: true,
            fail_adds: Number(1),
            combined_mode: CombinedMode::Sequential,
            combined_order: CombinedOrder::FlankFirst,
            casualty_tests: CasualtyTests::PerAttack,
            panicked_nonmelee_fail: PanickedFail::Stay,
            flee_hexes: Number(2),
            flee_hexes_cavalry: Number(4),
            panic_hexes: Number(2),
            panic_hexes_cavalry: Number(4),
            panic_exit_destroys: true,
            flee_order_stacks: false,
            damage_rule: DamageRule::Subtract,
            defense_floor: Number(0),
            assault_each_turn: false,
            retreat_leaves: RetreatLeaves::AfterMelee,
        }
    }
}

impl Rules {
    /// Sets the parameter of that name. The fault of a text has its span.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        match self.knob(name) {
            Some(knob) => knob.set(name, value),
            None => {
                let fault = Fault::new(format!("no parameter is called `{name}`"), 0..0);
                Err(fault.expecting(name, PARAMETERS.iter().map(|parameter| parameter.name)))
            }
        }
    }

    /// The value of a parameter, as a file would have it.
    pub fn written(&self, name: &str) -> String {
        self.clone().knob(name).map_or(String::new(), |knob| knob.written())
    }

    /// Parameters that are not at their default, with their values.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let values = PARAMETERS.iter().map(|parameter| (parameter, self.written(parameter.name)));
        values.filter(|(parameter, value)| value != parameter.default).map(|(parameter, value)| (parameter.name, value)).collect()
    }

    fn knob(&mut self, name: &str) -> Option<&mut dyn Knob> {
        Some(match name {
            "test-rule" => &mut self.test_rule,
            "natural-roll-exceptions" => &mut self.natural_rolls,
            "level-fortitude" => &mut self.level_fortitude,
            "level-attack" => &mut self.level_attack,
            "level-defense" => &mut self.level_defense,
            "commander-bonus" => &mut self.commander_bonus,
            "honor-bonus" => &mut self.honor_bonus,
            "honor-attack" => &mut self.honor_attack,
            "staff-near-fortitude" => &mut self.staff_near_fortitude,
            "staff-near-attack" => &mut self.staff_near_attack,
            "staff-near-defense" => &mut self.staff_near_defense,
            "staff-near-range" => &mut self.staff_near_range,
            "staff-lost-penalty" => &mut self.staff_lost_penalty,
            "staff-loss-test-stacks" => &mut self.staff_loss_test_stacks,
            "flank-penalty" => &mut self.flank_penalty,
            "rear-penalty" => &mut self.rear_penalty,
            "casualty-fortitude" => &mut self.casualty_fortitude,
            "casualty-fortitude-permanent" => &mut self.casualty_fortitude_permanent,
            "assault-flank-attack" => &mut self.assault_flank_attack,
            "assault-flank-defense" => &mut self.assault_flank_defense,
            "assault-flank-fortitude" => &mut self.assault_flank_fortitude,
            "assault-rear-attack" => &mut self.assault_rear_attack,
            "assault-rear-defense" => &mut self.assault_rear_defense,
            "assault-rear-fortitude" => &mut self.assault_rear_fortitude,
            "fatigue-fortitude" => &mut self.fatigue_fortitude,
            "morale-phase-requires-unengaged" => &mut self.morale_phase_requires_unengaged,
            "fail-adds" => &mut self.fail_adds,
            "combined-mode" => &mut self.combined_mode,
            "combined-order" => &mut self.combined_order,
            "casualty-tests" => &mut self.casualty_tests,
            "panicked-nonmelee-fail" => &mut self.panicked_nonmelee_fail,
            "flee-hexes" => &mut self.flee_hexes,
            "flee-hexes-cavalry" => &mut self.flee_hexes_cavalry,
            "panic-hexes" => &mut self.panic_hexes,
            "panic-hexes-cavalry" => &mut self.panic_hexes_cavalry,
            "panic-exit-destroys" => &mut self.panic_exit_destroys,
            "flee-order-stacks" => &mut self.flee_order_stacks,
            "damage-rule" => &mut self.damage_rule,
            "defense-floor" => &mut self.defense_floor,
            "assault-each-turn" => &mut self.assault_each_turn,
            "retreat-leaves" => &mut self.retreat_leaves,
            _ => return None,
        })
    }
}

/// What a parameter is set by, and told as.
trait Knob {
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault>;
    fn written(&self) -> String;
}

impl<const LOW: i8, const HIGH: i8> Knob for Number<LOW, HIGH> {
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        let number = match value {
            Value::Text(text) => text.trim().parse().map_or(value, Value::Integer),
            other => other,
        };
        let set = number.integer(name, LOW.into(), HIGH.into());
        self.0 = set.map_err(|fault| Fault { span: value.span(), ..fault })? as i8;
        Ok(())
    }

    fn written(&self) -> String {
        self.0.to_string()
    }
}

impl Knob for bool {
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        *self = match value {
            Value::Text(text) if canonical(text) == "true" => true,
            Value::Text(text) if canonical(text) == "false" => false,
            other => other.boolean(name)?,
        };
        Ok(())
    }

    fn written(&self) -> String {
        self.to_string()
    }
}

impl<W: Word> Knob for W {
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        let text = value.text(name)?;
        let word = canonical(text);
        let named = W::ALL.iter().find(|(name, _)| *name == word).ok_or_else(|| {
            let fault = Fault::new(format!("`{name}` is not `{text}`"), 0..text.len());
            fault.expecting(text, W::ALL.iter().map(|(name, _)| *name))
        })?;
        *self = named.1;
        Ok(())
    }

    fn written(&self) -> String {
        W::ALL.iter().find(|(_, word)| word == self).map_or(String::new(), |(name, _)| name.to_string())
    }
}

/// Numbers parted by commas, such as `0,-1,-2`.
impl<const N: usize> Knob for [i8; N] {
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        *self = list(name, value, modifier)?;
        Ok(())
    }

    fn written(&self) -> String {
        self.map(|number| number.to_string()).join(",")
    }
}

/// The same, with `zero` for a value that becomes 0.
impl Knob for [Shift; 4] {
    fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        *self = list(name, value, |word| if word == "zero" { Some(Shift::Zero) } else { modifier(word).map(Shift::By) })?;
        Ok(())
    }

    fn written(&self) -> String {
        let word = |shift| match shift {
            Shift::By(number) => i8::to_string(&number),
            Shift::Zero => "zero".to_string(),
        };
        self.map(word).join(",")
    }
}

fn modifier(word: &str) -> Option<i8> {
    word.parse().ok().filter(|number| (-20..=20).contains(number))
}

fn list<T: Copy, const N: usize>(name: &str, value: Value, read: impl Fn(&str) -> Option<T>) -> Result<[T; N], Fault> {
    let text = value.text(name)?;
    let entries: Option<Vec<T>> = text.split(',').map(|word| read(&canonical(word))).collect();
    entries.and_then(|entries| entries.try_into().ok()).ok_or_else(|| {
        let example = PARAMETERS.iter().find(|parameter| parameter.name == name).map_or("", |parameter| parameter.default);
        let fault = Fault::new(format!("`{name}` must be {N} numbers from -20 to 20, not `{text}`"), 0..text.len());
        fault.help(format!("for example `{example}`"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every parameter has a value, which is what the list says, and takes it back.
    #[test]
    fn the_list_and_the_rules_agree() {
        let mut rules = Rules::default();
        assert_eq!(rules.settings(), []);
        for parameter in &PARAMETERS {
            assert_eq!(rules.written(parameter.name), parameter.default);
            rules.set(parameter.name, Value::Text(parameter.default)).unwrap();
        }
        assert_eq!(rules, Rules::default());
    }
}
