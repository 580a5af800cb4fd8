//! The Heat of Battle table (15.1).

use schema::declared::named;

named! {
    /// A result of the Heat of Battle table.
    pub enum Heat {
        /// Hero Creation (15.21).
        Hero = "Hero Creation",
        /// Hero Creation and Battle Hardening, on a Final DR of 5 or 6.
        HeroAndHardening = "Hero Creation and Battle Hardening",
        /// Battle Hardening (15.3).
        Hardening = "Battle Hardening",
        /// The unit goes berserk (15.4).
        Berserk = "Berserk",
        /// The unit surrenders (15.5).
        Surrender = "Surrender",
    }
}

/// The values with which a Heat of Battle DR is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatRoll {
    /// The sum of all DRM.
    pub drm: i8,
    /// The lowest Final DR that causes surrender: 12, or 10 for lesser Italians and Axis Minors.
    pub surrenders_from: i8,
    /// True if the unit goes berserk instead of surrendering (15.5).
    pub never_surrenders: bool,
    /// True if a Known enemy is in LOS. Without one a berserk unit Battle Hardens (15.44).
    pub known_enemy: bool,
}

impl HeatRoll {
    /// Returns the result of an Original DR on the table (15.1).
    pub fn read(&self, original: u8) -> Heat {
        let berserk = if self.known_enemy { Heat::Berserk } else { Heat::Hardening };
        match original as i8 + self.drm {
            ..=4 => Heat::Hero,
            5..=6 => Heat::HeroAndHardening,
            7..=8 => Heat::Hardening,
            modified if modified < self.surrenders_from || self.never_surrenders => berserk,
            _ => Heat::Surrender,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table and its exceptions give the right results for DR 2 to 12 (15.1, 15.44, 15.5).
    #[test]
    fn heat_of_battle_table_gives_the_printed_results() {
        let plain =
            HeatRoll { drm: 0, surrenders_from: 12, never_surrenders: false, known_enemy: true };
        let read = |roll: HeatRoll| -> String {
            let letter = |original| match roll.read(original) {
                Heat::Hero => 'h',
                Heat::HeroAndHardening => 'b',
                Heat::Hardening => 'a',
                Heat::Berserk => 'z',
                Heat::Surrender => 's',
            };
            (2..=12).map(letter).collect()
        };
        assert_eq!(read(plain), "hhhbbaazzzs");
        assert_eq!(read(HeatRoll { drm: 3, ..plain }), "bbaazzzssss");
        assert_eq!(read(HeatRoll { surrenders_from: 10, ..plain }), "hhhbbaazsss");
        assert_eq!(read(HeatRoll { never_surrenders: true, ..plain }), "hhhbbaazzzz");
        assert_eq!(read(HeatRoll { known_enemy: false, ..plain }), "hhhbbaaaaas");
        assert_eq!(
            read(HeatRoll { known_enemy: false, never_surrenders: true, ..plain }),
            "hhhbbaaaaaa"
        );
    }
}
