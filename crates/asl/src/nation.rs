//! Nationalities of the counter catalogue.

use std::fmt;

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
        let name = engine::text::canonical(name);
        Nation::ALL.into_iter().find(|nation| nation.name() == name)
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
