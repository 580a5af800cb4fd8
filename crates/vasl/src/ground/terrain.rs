//! What the codes of terrain stand for, as far as lines of sight and hexes ask.

use crate::xml::{attribute, each_element};
use engine::text::Fault;

/// What sort of terrain it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    Open,
    Road,
    Building,
    Factory,
    Marketplace,
    Woods,
    Hexside,
    Depression,
    Water,
    Bridge,
    Other,
}

impl Category {
    fn named(word: &str) -> Category {
        match word {
            "OPEN" => Category::Open,
            "ROAD" => Category::Road,
            "BUILDING" => Category::Building,
            "FACTORY" => Category::Factory,
            "MARKETPLACE" => Category::Marketplace,
            "WOODS" => Category::Woods,
            "HEXSIDE" => Category::Hexside,
            "DEPRESSION" => Category::Depression,
            "WATER" => Category::Water,
            "BRIDGE" => Category::Bridge,
            _ => Category::Other,
        }
    }
}

/// Terrain that a rule names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Bocage,
    Cliff,
    LightWoods,
    OutOfSeason,
    /// Has `Road` in its name.
    Road,
    No,
}

/// Terrain of a code.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    pub name: String,
    pub category: Category,
    pub named: Named,
    pub is_obstacle: bool,
    pub is_half_level: bool,
    /// Whether it fills its hex.
    pub is_inherent: bool,
    /// Whether what it does at its own level is told apart from what it does above.
    pub is_split: bool,
    pub is_lower_obstacle: bool,
    pub is_lower_hindrance: bool,
    /// Whole levels.
    pub height: i32,
    /// A wall, a hedge, ...: stands on a hexside.
    pub is_hexside: bool,
    pub is_building: bool,
    /// What it is called in tables of hexes; nothing of open ground, roads and buildings, and of what
    /// no table knows.
    pub word: Option<String>,
}

impl Terrain {
    /// Whether it is a cliff.
    pub fn is_cliff(&self) -> bool {
        self.named == Named::Cliff
    }

    /// How high it reaches above its ground, where only that matters to a line of sight; of terrain
    /// that matters otherwise, higher than anything.
    pub(super) fn top(&self) -> i32 {
        let is_apart = self.is_hexside || self.is_inherent || self.is_split || self.is_building;
        match is_apart || self.category == Category::Bridge {
            true => i32::MAX / 2,
            false => self.height + i32::from(self.is_half_level),
        }
    }

    /// Levels above the ground floor of a building.
    pub fn upper_levels(&self) -> i32 {
        match self.category == Category::Building && self.is_half_level && !self.is_hexside {
            true => self.height,
            false => 0,
        }
    }

    /// Whether it is a depression.
    pub fn is_gully(&self) -> bool {
        self.category == Category::Depression
    }
}

/// The terrain of all codes.
#[derive(Clone, Debug)]
pub struct Terrains(Vec<Option<Terrain>>);

/// Codes of VASL's common table, with what is asked of them.
const COMMON: &str = include_str!("terrain.csv");

/// What the table of a module is called.
const SHARED: &str = "SharedBoardMetadata.xml";

/// What a table says of a code.
struct Entry<'a> {
    code: &'a str,
    name: &'a str,
    category: &'a str,
    split: &'a str,
    height: &'a str,
    word: &'a str,
    is: &'a dyn Fn(&str) -> bool,
}

impl Entry<'_> {
    fn read(&self) -> Option<(u8, Terrain)> {
        let category = Category::named(self.category);
        let name = self.name;
        let is_wall =
            name.starts_with("Rowhouse Wall") || name.starts_with("Interior Factory Wall");
        let named = match name {
            "Bocage" => Named::Bocage,
            "Cliff" => Named::Cliff,
            "Light Woods" => Named::LightWoods,
            "Orchard, Out of Season" => Named::OutOfSeason,
            _ if name.contains("Road") => Named::Road,
            _ => Named::No,
        };
        let terrain = Terrain {
            name: name.to_string(),
            category,
            named,
            is_obstacle: (self.is)("obstacle"),
            is_half_level: (self.is)("half_level"),
            is_inherent: (self.is)("inherent"),
            is_split: self.split.trim().parse::<f64>().is_ok_and(|split| split > 0.0),
            is_lower_obstacle: (self.is)("lower_obstacle"),
            is_lower_hindrance: (self.is)("lower_hindrance"),
            height: self.height.trim().parse().ok().filter(|height| (0..100).contains(height))?,
            is_hexside: category == Category::Hexside || is_wall,
            is_building: matches!(
                category,
                Category::Building | Category::Factory | Category::Marketplace
            ),
            word: Some(self.word.to_string()).filter(|word| !word.is_empty()),
        };
        Some((self.code.trim().parse().ok()?, terrain))
    }
}

impl Terrains {
    /// Those of VASL's common table.
    pub fn common() -> Terrains {
        let mut all = Terrains(vec![None; 256]);
        let mut reader = csv::Reader::from_reader(COMMON.as_bytes());
        let header = reader.headers().cloned().unwrap_or_default();
        for record in reader.records().flatten() {
            let cell = |name: &str| {
                let place = header.iter().position(|column| column == name);
                place.and_then(|place| record.get(place)).unwrap_or_default()
            };
            let entry = Entry {
                code: cell("code"),
                name: cell("name"),
                category: cell("category"),
                split: cell("split"),
                height: cell("height"),
                word: cell("hex"),
                is: &|name| cell(name) == "1",
            };
            all.add(entry.read());
        }
        all
    }

    /// Those of a module's `SharedBoardMetadata.xml`.
    pub fn of_module(xml: &[u8]) -> Result<Terrains, Fault> {
        let (common, mut all) = (Terrains::common(), Terrains(vec![None; 256]));
        each_element(SHARED, xml, &mut |tag| {
            if tag.name().as_ref() != "terrainType" {
                return Ok(());
            }
            let text = |name: &str| attribute(tag, name).unwrap_or_default();
            let is = |name: &str| {
                let name = match name {
                    "obstacle" => "isLOSObstacle",
                    "half_level" => "isHalfLevelHeight",
                    "inherent" => "isInherentTerrain",
                    "lower_obstacle" => "isLowerLOSObstacle",
                    _ => "isLowerLOSHindrance",
                };
                text(name).eq_ignore_ascii_case("true")
            };
            let [code, name, category, split, height] =
                ["typeCode", "name", "LOSCategory", "split", "height"].map(text);
            let (code, name, category) = (&*code, &*name, &*category);
            // Terrain is known in tables by what it is called, whatever its code.
            let same = common.0.iter().flatten().find(|terrain| terrain.name == name);
            let word = same.and_then(|terrain| terrain.word.as_deref()).unwrap_or_default();
            let (split, height, is) = (&split, &height, &is);
            all.add(Entry { code, name, category, split, height, word, is }.read());
            Ok(())
        })?;
        match all.0.iter().any(Option::is_some) {
            true => Ok(all),
            false => Err(Fault::new(format!("{SHARED}: it has no terrain"), 0..0)),
        }
    }

    fn add(&mut self, read: Option<(u8, Terrain)>) {
        if let Some((code, terrain)) = read {
            self.0[usize::from(code)] = Some(terrain);
        }
    }

    /// The terrain of a code, if there is one.
    pub fn get(&self, code: u8) -> Option<&Terrain> {
        self.0[usize::from(code)].as_ref()
    }
}
