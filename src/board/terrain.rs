//! Terrain types, read from `terrain.csv`.

use std::sync::LazyLock;

use crate::text::{Fault, canonical};

/// Whether a terrain gives the -1 DRM to Rally (10.61).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RallyBonus {
    Yes,
    No,
    /// An open point of the rules: rubble.
    Rubble,
    /// An open point of the rules: light woods.
    LightWoods,
}

/// A terrain type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terrain {
    /// Word of the command line.
    pub id: String,
    pub name: String,
    pub rally_bonus: RallyBonus,
}

/// Players' words for terrain types, with the catalogue's.
const ALIASES: [(&str, &str); 5] = [
    ("open", "open-ground"),
    ("building", "bldg-stone"),
    ("wooden-building", "bldg-wood"),
    ("stone-building", "bldg-stone"),
    ("rubble", "rubble-stone"),
];

static TERRAINS: LazyLock<Vec<Terrain>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("terrain.csv").as_bytes());
    let terrain = |record: csv::StringRecord| Terrain {
        id: record[0].to_string(),
        name: record[1].to_string(),
        rally_bonus: match &record[2] {
            "yes" => RallyBonus::Yes,
            "rubble" => RallyBonus::Rubble,
            "light-woods" => RallyBonus::LightWoods,
            _ => RallyBonus::No,
        },
    };
    reader.records().map_while(Result::ok).map(terrain).collect()
});

impl Terrain {
    /// Every terrain type, in catalogue order.
    pub fn all() -> &'static [Terrain] {
        &TERRAINS
    }

    /// The terrain of that name.
    pub fn named(name: &str) -> Result<&'static Terrain, Fault> {
        let word = canonical(name);
        let id = ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word.as_str(), |(_, id)| *id);
        TERRAINS.iter().find(|terrain| terrain.id == id).ok_or_else(|| {
            let names = ALIASES.iter().map(|(alias, _)| *alias).chain(TERRAINS.iter().map(|terrain| terrain.id.as_str()));
            Fault::new(format!("no terrain is called `{name}`"), 0..name.len()).expecting(name, names)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10.61: building, pillbox, trench and woods give the bonus; B23.211 a lumberyard does not.
    #[test]
    fn rally_bonus() {
        for (name, bonus) in [
            ("open", RallyBonus::No),
            ("building", RallyBonus::Yes),
            ("woods", RallyBonus::Yes),
            ("pillbox", RallyBonus::Yes),
            ("trench", RallyBonus::Yes),
            ("foxhole", RallyBonus::No),
            ("lumberyard", RallyBonus::No),
            ("Light_Woods", RallyBonus::LightWoods),
            ("rubble", RallyBonus::Rubble),
        ] {
            assert_eq!(Terrain::named(name).unwrap().rally_bonus, bonus, "{name}");
        }
        assert_eq!(Terrain::named("wods").unwrap_err().to_string(), "no terrain is called `wods` (did you mean `woods`?)");
        assert_eq!(Terrain::all().len(), 43);
    }
}
