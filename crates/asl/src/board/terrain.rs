//! Terrain types, read from `terrain.csv`.

use std::fmt;
use std::ops::Add;
use std::sync::LazyLock;

use engine::text::{Fault, canonical};
use schema::declared::named;
use schema::field::words_of;
use schema::{FieldValue, RawValue};

named! {
    /// The effect of a terrain on Rally (10.61), which for some an interpretation decides.
    pub enum RallyBonus {
        Yes = "yes",
        No = "no",
        Rubble = "rubble",
        LightWoods = "light-woods",
    }

    /// The status of a terrain as Open Ground for Interdiction (10.531).
    pub enum OpenGround {
        Yes = "yes",
        No = "no",
        /// Open Ground only for a unit that pays the minimum MF to enter: shellholes.
        AtMinimum = "at-minimum",
        /// Open Ground only for an enemy whose LOS comes along the road: a bridge.
        AlongRoad = "along-road",
    }

    /// The effect of a terrain on lines of sight.
    pub enum SightEffect { Open = "open", Hindrance = "hindrance", Obstacle = "obstacle" }

    /// The kind of an entry: a terrain that fills a hex, a way of entering one, or works in a hex.
    pub enum TerrainKind { Hex = "hex", Way = "way", Works = "works" }
}

words_of!(RallyBonus, "BONUS", "");
words_of!(OpenGround, "STATUS", "");
words_of!(SightEffect, "EFFECT", "");
words_of!(TerrainKind, "KIND", "");

/// Movement Factors (MF), stored in halves because grain costs 1.5. Sums saturate at 127.5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mf(u8);

impl Mf {
    /// Builds a whole number of MF.
    pub const fn whole(mf: u8) -> Mf {
        Mf(mf.saturating_mul(2))
    }

    /// Builds a number of half MF.
    pub const fn halves(halves: u8) -> Mf {
        Mf(halves)
    }

    /// Returns the number of half MF.
    pub const fn in_halves(self) -> u8 {
        self.0
    }

    /// Returns twice the MF.
    pub const fn doubled(self) -> Mf {
        Mf(self.0.saturating_mul(2))
    }

    /// Returns the MF left after an expense, or `None` if there are too few.
    pub const fn less(self, expense: Mf) -> Option<Mf> {
        match self.0.checked_sub(expense.0) {
            Some(left) => Some(Mf(left)),
            None => None,
        }
    }

    /// Returns the number of MF, such as 1.5.
    pub fn number(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

impl Add for Mf {
    type Output = Mf;

    fn add(self, other: Mf) -> Mf {
        Mf(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Mf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// The cost to enter a terrain on foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    Mf(Mf),
    /// All MF of the unit, for marsh or a ford.
    All,
}

/// A terrain type, from a row of `terrain.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terrain {
    /// The name used on the command line.
    pub id: String,
    pub name: String,
    pub kind: TerrainKind,
    /// The MF to enter (4.2), or `None` if no unit can.
    pub cost: Option<Cost>,
    pub tem: i8,
    pub open_ground: OpenGround,
    /// Whether the terrain can be the destination of a rout (10.51).
    pub is_cover: bool,
    pub rally_bonus: RallyBonus,
    pub sight: SightEffect,
    /// The height of an obstacle or Hindrance above the ground, in half-levels.
    pub height: u8,
    /// Whether a Low Crawl can enter the terrain (10.52).
    pub low_crawl: bool,
    /// The numbers of the rules that the entry comes from.
    pub rules: String,
    /// The confidence in the entry: `high`, `medium` or `low`.
    pub confidence: String,
    /// Whether the terrain is a building (B23).
    pub is_building: bool,
    /// Whether the terrain is a Depression: sunken road (B4), gully (B19) or stream (B20).
    pub is_depression: bool,
}

/// Common names of terrain types, each with the id that it stands for.
const ALIASES: [(&str, &str); 11] = [
    ("open", "open-ground"),
    ("building", "bldg-stone"),
    ("wooden-building", "bldg-wood"),
    ("stone-building", "bldg-stone"),
    ("wooden", "bldg-wood"),
    ("stone", "bldg-stone"),
    ("rubble", "rubble-stone"),
    ("shellholes", "shellhole"),
    ("stream", "stream-shallow"),
    ("house", "bldg-wood"),
    ("church", "bldg-stone"),
];

/// Words of the map that are no terrain of a hex, each with what to write instead.
const OTHERS: [(&str, &str, &str); 6] = [
    (
        "hill level level-1 level-2 height high-ground",
        "a level is not a terrain",
        "name what else is in the hex, such as `open`; an attack by named firers takes it as \
            `level`, any other in its DRM",
    ),
    ("cellar sewer tunnel cave", "it is not supported", "the building above is `building`"),
    ("bunker", "it is a pillbox", "write `pillbox`"),
    (
        "wall hedge bocage roadblock hexside cliff",
        "it is a hexside, not the terrain of a hex",
        "name the terrain of the hex, such as `open`; an attack by named firers takes it as \
            `hexside`, any other in its DRM, and a map under `hexsides`",
    ),
    (
        "smoke wp white-phosphorus fog hindrance",
        "it is no terrain",
        "an attack by named firers takes it as `smoke`, any other in its DRM; it does not change a \
            Rally attempt",
    ),
    ("rooftop roof upstairs", "it is a level of a building", "write `building`"),
];

static TERRAINS: LazyLock<Vec<Terrain>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("terrain.csv").as_bytes());
    reader.records().map_while(Result::ok).map(|record| read(&record)).collect()
});

/// Reads a word of an embedded table. A test reads the tables, so a bad word cannot reach a user.
pub(crate) fn cell<T: FieldValue>(record: &csv::StringRecord, column: usize) -> T {
    T::read("", RawValue::Text(&record[column]))
        .unwrap_or_else(|fault| panic!("row {}: {fault}", &record[0]))
}

/// Reads one row of `terrain.csv`. A test reads the file too, so a bad row cannot reach a user.
fn read(record: &csv::StringRecord) -> Terrain {
    let bad = |what: &str| -> ! { panic!("terrain.csv, row {}: unknown {what}", &record[0]) };
    let halves =
        |column: usize| record[column].parse::<f64>().ok().map(|number| (2.0 * number) as u8);
    let (is_cover, rules) = (&record[6] == "yes", &record[11]);
    Terrain {
        id: record[0].to_string(),
        name: record[1].to_string(),
        kind: cell(record, 2),
        cost: match &record[3] {
            "all" => Some(Cost::All),
            _ => halves(3).map(|halves| Cost::Mf(Mf(halves))),
        },
        tem: record[4].parse().unwrap_or_else(|_| bad("TEM")),
        open_ground: cell(record, 5),
        is_cover,
        rally_bonus: cell(record, 7),
        sight: cell(record, 8),
        height: halves(9).unwrap_or_else(|| bad("height")),
        low_crawl: &record[10] == "yes",
        rules: rules.to_string(),
        confidence: record[12].to_string(),
        is_building: is_cover && rules.starts_with("B23"),
        is_depression: matches!(rules.split(' ').next(), Some("B4" | "B19" | "B20")),
    }
}

impl Default for &'static Terrain {
    fn default() -> &'static Terrain {
        Terrain::open()
    }
}

impl Terrain {
    /// Returns every terrain type, in the order of `terrain.csv`.
    pub fn all() -> &'static [Terrain] {
        &TERRAINS
    }

    /// Returns the terrain type of open ground.
    pub fn open() -> &'static Terrain {
        &TERRAINS[0]
    }

    /// Returns every name of a terrain type: common names first, then ids.
    pub fn names() -> Vec<&'static str> {
        ALIASES
            .iter()
            .map(|(alias, _)| *alias)
            .chain(TERRAINS.iter().map(|terrain| terrain.id.as_str()))
            .collect()
    }

    /// Returns the terrain type with this common name, id or full name, such as `Light woods`.
    ///
    /// # Errors
    ///
    /// Fails if no terrain has this name.
    pub fn named(name: &str) -> Result<&'static Terrain, Fault> {
        let of_words = |words: &str| canonical(&words.replace(',', "").replace(' ', "-"));
        let mut word = of_words(name.trim());
        for article in ["in-", "a-", "the-"] {
            word = word.strip_prefix(article).map_or(word.clone(), str::to_string);
        }
        let id =
            ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word.as_str(), |(_, id)| *id);
        let is_meant = |terrain: &&Terrain| terrain.id == id || of_words(&terrain.name) == word;
        TERRAINS.iter().find(is_meant).ok_or_else(|| {
            let fault = |message: &str| {
                Fault::new(format!("no terrain is called `{name}`{message}"), 0..name.len())
            };
            let other =
                |(words, ..): &&(&str, &str, &str)| words.split(' ').any(|known| known == word);
            match OTHERS.iter().find(other) {
                Some((_, why, help)) => fault(&format!(": {why}")).help(*help),
                None => fault("").expecting(name, Terrain::names()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lumberyard gives no Rally bonus, unlike other buildings (10.61, B23.211).
    #[test]
    fn terrain_gives_the_rally_bonus_of_the_rules() {
        for (name, bonus) in [
            ("open", RallyBonus::No),
            ("building", RallyBonus::Yes),
            ("woods", RallyBonus::Yes),
            ("pillbox", RallyBonus::Yes),
            ("trench", RallyBonus::Yes),
            ("foxhole", RallyBonus::No),
            ("lumberyard", RallyBonus::No),
            ("Light_Woods", RallyBonus::LightWoods),
            ("light woods", RallyBonus::LightWoods),
            ("STONE", RallyBonus::Yes),
            ("wooden building", RallyBonus::Yes),
            ("rail car, wrecked", RallyBonus::No),
            ("rubble", RallyBonus::Rubble),
        ] {
            assert_eq!(Terrain::named(name).unwrap().rally_bonus, bonus, "{name}");
        }
        assert_eq!(
            Terrain::named("wods").unwrap_err().to_string(),
            "no terrain is called `wods` (did you mean `woods`?)"
        );
        assert_eq!(Terrain::all().len(), 44);
    }
}
