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
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0xd134_2543_de82_ef95));
        rng.below(2);
        rng
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }
}

/// Returns a random unit of the first `units` in the list, mostly broken.
pub fn unit(rng: &mut Rng, units: usize) -> String {
    let conditions = rng.pick(&["/dm", "/dm", "/dm", "/broken", "/disrupted,dm", ""]);
    let unit = rng.pick(&UNITS[..units]);
    let crew = unit == "german:2-2-8" && conditions.contains("disrupted");
    format!("{unit}{}", if crew { "/dm" } else { conditions })
}

/// Returns the fields of a random lane of at most `turns` Player Turns.
pub fn fields(rng: &mut Rng, units: usize, turns: u64) -> Fields {
    let open = rng.pick(&[0, 1, 1, 2, 3, 5, 6]);
    let interdicted = rng.pick(&[0, 1, 1, 2, open]).min(open);
    let mut fields = Fields::from_unit(&unit(rng, units))
        .with("here", rng.pick(&["open_ground", "open_ground", "open_ground", "brush", "woods"]))
        .with("open", open)
        .with("interdicted", interdicted)
        .with("exposed", rng.percent(80))
        .with("range", rng.pick(&[1, 2, 4, 8]))
        .with("fp", rng.pick(&[0, 2, 4, 6, 8, 12]))
        .with("cover-fp", rng.pick(&[0, 0, 2, 4, 8]))
        .with("drm", rng.below(5) as i64 - 1)
        .with("elr", rng.below(6) as i64)
        .with("turns", 1 + rng.below(turns) as i64)
        .with("begin", rng.pick(&["rout", "rout", "rally", "fire"]))
        .with("own-rph", rng.pick(&["odd", "even", "never"]));
    if rng.percent(60) {
        fields = fields
            .with("leader", rng.pick(&["german:8-0", "german:8-1", "german:9-2", "german:6+1"]));
    }
    if rng.percent(25) {
        fields = fields.with("leader-here", rng.pick(&["german:8-0", "german:9-1"]));
    }
    fields
}
