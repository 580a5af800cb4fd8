//! Seeded chance (SplitMix64), and what is written with it.

/// Draws whatever a generator asks for.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn from(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True in so many of a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Some of a list, `least` to `most`, in its order.
    pub fn some<T: Copy>(&mut self, list: &[T], least: usize, most: usize) -> Vec<T> {
        let mut left = least + self.below(most.min(list.len()) - least + 1);
        let mut chosen = Vec::new();
        for (place, &item) in list.iter().enumerate() {
            if self.below(list.len() - place) < left {
                chosen.push(item);
                left -= 1;
            }
        }
        chosen
    }
}

/// Arguments of a command line being written.
#[derive(Clone, Default)]
pub struct Words(pub Vec<String>);

impl Words {
    /// Words parted by blanks.
    pub fn of(text: &str) -> Words {
        Words(text.split(' ').filter(|word| !word.is_empty()).map(str::to_string).collect())
    }

    pub fn word(&mut self, word: impl ToString) {
        self.0.push(word.to_string());
    }

    pub fn option(&mut self, name: &str, value: impl ToString) {
        self.0.extend([format!("--{name}"), value.to_string()]);
    }

    /// Each flag, in so many of a hundred.
    pub fn flags(&mut self, dice: &mut Dice, share: usize, names: &[&str]) {
        names
            .iter()
            .filter(|_| dice.percent(share))
            .for_each(|name| self.word(format!("--{name}")));
    }
}

/// A TOML file being written.
#[derive(Clone, Default)]
pub struct Toml(pub String);

impl Toml {
    /// A number, a truth value, or any value as TOML has it.
    pub fn key(&mut self, name: &str, value: impl std::fmt::Display) {
        self.0 += &format!("{name} = {value}\n");
    }

    pub fn text(&mut self, name: &str, value: impl std::fmt::Display) {
        self.0 += &format!("{name} = \"{value}\"\n");
    }

    /// `[base]`, `[[step]]`.
    pub fn head(&mut self, head: &str) {
        self.0 += &format!("\n{head}\n");
    }

    /// A list of texts.
    pub fn texts<T: std::fmt::Display>(&mut self, name: &str, values: &[T]) {
        let values: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
        self.key(name, format!("[{}]", values.join(", ")));
    }

    pub fn flags(&mut self, dice: &mut Dice, share: usize, names: &[&str]) {
        names.iter().filter(|_| dice.percent(share)).for_each(|name| self.key(name, true));
    }
}
