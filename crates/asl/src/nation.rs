//! Nationalities of the counter catalogue.

use std::fmt;

use engine::text::{Fault, canonical};

/// Players' words for nations, with the catalogue's.
const ALIASES: [(&str, Nation); 5] = [
    ("ss", Nation::GermanSs),
    ("soviet", Nation::Russian),
    ("us", Nation::American),
    ("usa", Nation::American),
    ("finn", Nation::Finnish),
];
/// Whom ASL has and the catalogue has not.
const UNCOVERED: [&str; 12] = [
    "japanese",
    "chinese",
    "gurkha",
    "allied-minor",
    "polish",
    "dutch",
    "belgian",
    "norwegian",
    "greek",
    "yugoslav",
    "danish",
    "filipino",
];
/// Whose counters are those of the Axis Minors.
const AXIS_MINORS: [&str; 5] = ["hungarian", "romanian", "slovakian", "croatian", "bulgarian"];

/// The one of some names that is meant, in the singular or the plural.
fn one_of(names: &[&'static str], name: &str) -> Option<&'static str> {
    let name = canonical(name);
    names.iter().find(|known| name == **known || name.strip_suffix('s') == Some(**known)).copied()
}

/// Whose counters they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Nation {
    German,
    GermanSs,
    Russian,
    American,
    British,
    French,
    Italian,
    Finnish,
    AxisMinor,
    Partisan,
    /// Counters every nation uses: heroes and vehicular crews.
    Any,
}

impl Nation {
    /// Every nation that can be named, in catalogue order.
    pub const ALL: [Nation; 11] = [
        Nation::German,
        Nation::GermanSs,
        Nation::Russian,
        Nation::American,
        Nation::British,
        Nation::French,
        Nation::Italian,
        Nation::Finnish,
        Nation::AxisMinor,
        Nation::Partisan,
        Nation::Any,
    ];

    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Nation::German => "german",
            Nation::GermanSs => "german-ss",
            Nation::Russian => "russian",
            Nation::American => "american",
            Nation::British => "british",
            Nation::French => "french",
            Nation::Italian => "italian",
            Nation::Finnish => "finnish",
            Nation::AxisMinor => "axis-minor",
            Nation::Partisan => "partisan",
            Nation::Any => "any",
        }
    }

    /// The nation of that name; `-` and `_` are the same.
    pub fn named(name: &str) -> Option<Nation> {
        let name = canonical(name);
        Nation::ALL.into_iter().find(|nation| nation.name() == name)
    }

    /// The nation that a player means, in any case, in the plural too.
    pub fn meant(name: &str) -> Option<Nation> {
        let name = canonical(name);
        let of = |name: &str| {
            let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
            Nation::named(name).or(alias.map(|(_, nation)| *nation))
        };
        of(&name).or_else(|| of(name.strip_suffix('s')?))
    }

    /// The fault of a name that is none of `names`: a nation that ASL has, or nobody's.
    pub fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Fault {
        let names: Vec<&str> = names.collect();
        if let Some(nation) = one_of(&UNCOVERED, name) {
            let fault = Fault::new(format!("{nation} counters are not covered yet"), 0..name.len());
            let covered = names.join(", ");
            return fault.help(format!("covered: {covered}; `lowcrawl units` lists all counters"));
        }
        let fault = Fault::new(format!("no nation is called `{name}`"), 0..name.len());
        match one_of(&AXIS_MINORS, name) {
            Some(_) => fault.help("Axis Minors are `axis-minor`"),
            None => fault.expecting(name, names),
        }
    }

    /// Whether ASL has a nation of that name, which the catalogue has not.
    pub fn is_known(name: &str) -> bool {
        one_of(&UNCOVERED, name).or(one_of(&AXIS_MINORS, name)).is_some()
    }

    /// Whether both fought each other as long as either did, so that no Location holds units of
    /// both; of nations that changed sides that is not known.
    pub fn is_enemy_of(self, other: Nation) -> bool {
        let is_axis = |nation| matches!(nation, Nation::German | Nation::GermanSs);
        let is_ally =
            |nation| matches!(nation, Nation::Russian | Nation::American | Nation::British);
        is_axis(self) && is_ally(other) || is_axis(other) && is_ally(self)
    }

    /// Whether units of both are of one side: the SS are German.
    pub fn is_one_side_with(self, other: Nation) -> bool {
        self != Nation::Any && other != Nation::Any && !self.is_foreign_to(other)
    }

    /// 10.7: whether a leader of `other` is one of another nationality to troops of `self`. The SS
    /// are German.
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
