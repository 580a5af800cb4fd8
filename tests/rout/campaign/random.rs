//! Random lanes, determined by their seed.

use super::lane::Fields;

const UNITS: [&str; 14] = [
    "german:4-6-7",
    "german:4-6-7",
    "german:8-3-8",
    "german:2-4-7",
    "german:2-2-8",
    "german:4-3-6",
    "german-ss:6-5-8",
    "russian:4-4-7",
    "russian:4-2-6",
    "american:6-6-6",
    "british:6-4-8",
    "finnish:6-4-8",
    "german:8-1",
    "german:9-2",
];
/// The number of units; the last two are leaders.
pub const ALL: usize = UNITS.len();

/// A xorshift generator of random numbers.
pub struct Luck(u64);

impl Luck {
    pub fn new(seed: u64) -> Luck {
        let mut luck = Luck(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0xd134_2543_de82_ef95));
        luck.below(2);
        luck
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    pub fn one<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len() as u64) as usize]
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }
}

/// A random unit of the first `units` in the list, mostly broken.
pub fn unit(luck: &mut Luck, units: usize) -> String {
    let conditions = luck.one(&["/dm", "/dm", "/dm", "/broken", "/disrupted,dm", ""]);
    let unit = luck.one(&UNITS[..units]);
    let crew = unit == "german:2-2-8" && conditions.contains("disrupted");
    format!("{unit}{}", if crew { "/dm" } else { conditions })
}

/// A random lane of at most `turns` Player Turns.
pub fn fields(luck: &mut Luck, units: usize, turns: u64) -> Fields {
    let open = luck.one(&[0, 1, 1, 2, 3, 5, 6]);
    let interdicted = luck.one(&[0, 1, 1, 2, open]).min(open);
    let mut fields = Fields::of(&unit(luck, units))
        .with("here", luck.one(&["open_ground", "open_ground", "open_ground", "brush", "woods"]))
        .with("open", open)
        .with("interdicted", interdicted)
        .with("exposed", luck.percent(80))
        .with("range", luck.one(&[1, 2, 4, 8]))
        .with("fp", luck.one(&[0, 2, 4, 6, 8, 12]))
        .with("cover-fp", luck.one(&[0, 0, 2, 4, 8]))
        .with("drm", luck.below(5) as i64 - 1)
        .with("elr", luck.below(6) as i64)
        .with("turns", 1 + luck.below(turns) as i64)
        .with("begin", luck.one(&["rout", "rout", "rally", "fire"]))
        .with("own-rph", luck.one(&["odd", "even", "never"]));
    if luck.percent(60) {
        fields = fields
            .with("leader", luck.one(&["german:8-0", "german:8-1", "german:9-2", "german:6+1"]));
    }
    if luck.percent(25) {
        fields = fields.with("leader-here", luck.one(&["german:8-0", "german:9-1"]));
    }
    fields
}
