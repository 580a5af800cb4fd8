//! The nationalities of the counter catalogue.

use std::fmt;

use engine::text::{Fault, canonical};
use schema::declared::named;

/// Common names and abbreviations of nations beside the names of the catalogue.
const ALIASES: [(&str, Nation); 10] = [
    ("ger ge deutsch deutsche allemand", Nation::German),
    ("ss waffen-ss", Nation::GermanSs),
    ("rus ru ussr soviet soviet-union", Nation::Russian),
    ("us usa am", Nation::American),
    ("bri br brit uk gb commonwealth", Nation::British),
    ("fre fr", Nation::French),
    ("ita it", Nation::Italian),
    ("fin fi finn", Nation::Finnish),
    ("axm minor", Nation::AxisMinor),
    ("par", Nation::Partisan),
];
/// Nations of ASL that the catalogue lacks.
const UNCOVERED: &str = "japanese chinese gurkha allied-minor polish dutch belgian norwegian greek \
    yugoslav danish filipino";
const AXIS_MINORS: &str = "hungarian romanian slovakian croatian bulgarian";

/// Returns the one of `names` that equals `name`, in the singular or the plural.
fn one_of(names: &'static str, name: &str) -> Option<&'static str> {
    let name = canonical(name);
    names.split(' ').find(|known| name == **known || name.strip_suffix('s') == Some(*known))
}

named! {
    /// The nation of a counter, in the order of the catalogue.
    pub enum Nation {
        German = "german",
        GermanSs = "german-ss",
        Russian = "russian",
        American = "american",
        British = "british",
        French = "french",
        Italian = "italian",
        Finnish = "finnish",
        AxisMinor = "axis-minor",
        Partisan = "partisan",
        /// The nation of counters that every nation can use: heroes and vehicular crews.
        Any = "any",
    }
}

impl Nation {
    /// Returns the names of all nations but [`Nation::Any`].
    pub fn names() -> impl Iterator<Item = &'static str> {
        Nation::ALL.map(Nation::name).into_iter().filter(|name| *name != Nation::Any.name())
    }

    /// Returns the nation that a word means, if any, in any case, as a plural or a common name.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_asl::nation::Nation;
    ///
    /// assert_eq!(Nation::from_word("Finns"), Some(Nation::Finnish));
    /// assert_eq!(Nation::from_word("japanese"), None);
    /// ```
    pub fn from_word(name: &str) -> Option<Nation> {
        let name = canonical(name);
        let of = |name: &str| {
            let alias = ALIASES.iter().find(|(words, _)| words.split(' ').any(|word| word == name));
            let named = Nation::ALL.into_iter().find(|nation| nation.name() == name);
            named.or(alias.map(|(_, nation)| *nation))
        };
        of(&name).or_else(|| of(name.strip_suffix('s')?))
    }

    /// Returns the fault for a name not in `names`, with its own message for nations not covered.
    pub fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Fault {
        let names: Vec<&str> = names.collect();
        if let Some(nation) = one_of(UNCOVERED, name) {
            let fault =
                Fault::new(format!("{nation} counters are not supported yet"), 0..name.len());
            let covered = names.join(", ");
            return fault
                .help(format!("supported: {covered}; `lowcrawl units` lists all counters"));
        }
        let fault = Fault::new(format!("no nation is called `{name}`"), 0..name.len());
        match one_of(AXIS_MINORS, name) {
            Some(_) => fault.help("Axis Minors are `axis-minor`"),
            None => fault.expecting(name, names),
        }
    }

    /// Returns whether the name is a nation of ASL that the catalogue lacks, such as `japanese`.
    pub fn is_known(name: &str) -> bool {
        one_of(UNCOVERED, name).or(one_of(AXIS_MINORS, name)).is_some()
    }

    /// Returns whether the nations fought throughout the war. Those that changed sides did not.
    pub fn is_enemy_of(self, other: Nation) -> bool {
        let is_axis = |nation| matches!(nation, Nation::German | Nation::GermanSs);
        let is_ally =
            |nation| matches!(nation, Nation::Russian | Nation::American | Nation::British);
        is_axis(self) && is_ally(other) || is_axis(other) && is_ally(self)
    }

    /// Returns whether units of both nations are on one side. The SS are German.
    pub fn is_one_side_with(self, other: Nation) -> bool {
        self != Nation::Any && other != Nation::Any && !self.is_foreign_to(other)
    }

    /// Returns whether a leader of `other` is foreign to `self` (10.7). The SS are German.
    pub fn is_foreign_to(self, other: Nation) -> bool {
        let home = |nation| if nation == Nation::GermanSs { Nation::German } else { nation };
        self != Nation::Any && other != Nation::Any && home(self) != home(other)
    }
}

impl fmt::Display for Nation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
