//! Terrain codes, with the properties that lines of sight and tables of hexes use.

use crate::xml::{attribute, each_element};
use engine::text::Fault;

/// The category of a terrain.
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

/// A terrain that a rule of lines of sight names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Bocage,
    Cliff,
    LightWoods,
    OutOfSeason,
    /// Terrain with `Road` in its name.
    Road,
    No,
}

/// The properties of a terrain code.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainCode {
    pub name: String,
    pub category: Category,
    pub named: Named,
    pub is_obstacle: bool,
    pub is_half_level: bool,
    /// True if the terrain is inherent, so that it fills its hex.
    pub is_inherent: bool,
    /// True if the terrain has different effects at its own level and above.
    pub is_split: bool,
    pub is_lower_obstacle: bool,
    pub is_lower_hindrance: bool,
    /// The height in whole levels.
    pub height: i32,
    /// True if the terrain stands on a hexside, such as a wall or a hedge.
    pub is_hexside: bool,
    pub is_building: bool,
    /// The word for tables of hexes; `None` for open ground, roads and buildings too.
    pub word: Option<String>,
    /// True if boards have confirmed the rules of lines of sight for the terrain.
    pub is_proven: bool,
}

impl TerrainCode {
    /// Returns whether the terrain is a cliff.
    pub fn is_cliff(&self) -> bool {
        self.named == Named::Cliff
    }

    /// Returns whether the terrain is the wall of a rowhouse, or one within a factory.
    pub fn is_inner_wall(&self) -> bool {
        self.is_hexside && self.is_building
    }

    /// Returns the height in levels, or above all heights if more matters to a line of sight.
    pub(super) fn top(&self) -> i32 {
        let is_separate = self.is_hexside || self.is_inherent || self.is_split || self.is_building;
        match is_separate || self.category == Category::Bridge {
            true => i32::MAX / 2,
            false => self.height + i32::from(self.is_half_level),
        }
    }

    /// Returns the number of levels above the ground floor of a building.
    pub fn upper_levels(&self) -> i32 {
        let is_tall = self.category == Category::Building && self.is_half_level && !self.is_hexside;
        if is_tall { self.height } else { 0 }
    }

    /// Returns whether the terrain is a depression.
    pub fn is_gully(&self) -> bool {
        self.category == Category::Depression
    }
}

/// A table of terrain by terrain code.
#[derive(Clone, Debug)]
pub struct TerrainCodes(Vec<Option<TerrainCode>>);

const COMMON: &str = include_str!("terrain.csv");

const SHARED: &str = "SharedBoardMetadata.xml";

/// Reads a terrain code from its attributes, which have the names of a module's table.
fn read(attribute: impl Fn(&str) -> String) -> Option<(u8, TerrainCode)> {
    let is = |name: &str| attribute(name).eq_ignore_ascii_case("true");
    let name = attribute("name");
    let category = Category::named(&attribute("LOSCategory"));
    let is_wall = name.starts_with("Rowhouse Wall") || name.starts_with("Interior Factory Wall");
    let named = match name.as_str() {
        "Bocage" => Named::Bocage,
        "Cliff" => Named::Cliff,
        "Light Woods" => Named::LightWoods,
        "Orchard, Out of Season" => Named::OutOfSeason,
        _ if name.contains("Road") => Named::Road,
        _ => Named::No,
    };
    let height = attribute("height").trim().parse().ok();
    let terrain = TerrainCode {
        name,
        category,
        named,
        is_obstacle: is("isLOSObstacle"),
        is_half_level: is("isHalfLevelHeight"),
        is_inherent: is("isInherentTerrain"),
        is_split: attribute("split").trim().parse::<f64>().is_ok_and(|split| split > 0.0),
        is_lower_obstacle: is("isLowerLOSObstacle"),
        is_lower_hindrance: is("isLowerLOSHindrance"),
        height: height.filter(|height| (0..100).contains(height))?,
        is_hexside: category == Category::Hexside || is_wall,
        is_building: matches!(
            category,
            Category::Building | Category::Factory | Category::Marketplace
        ),
        word: None,
        is_proven: false,
    };
    Some((attribute("typeCode").trim().parse().ok()?, terrain))
}

impl TerrainCodes {
    /// Returns the terrain of VASL's common table.
    pub fn common() -> TerrainCodes {
        let mut all = TerrainCodes(vec![None; 256]);
        let mut reader = csv::Reader::from_reader(COMMON.as_bytes());
        let header = reader.headers().cloned().unwrap_or_default();
        for record in reader.records().flatten() {
            let cell = |name: &str| {
                let place = header.iter().position(|column| column == name);
                place.and_then(|place| record.get(place)).unwrap_or_default().to_string()
            };
            if let Some((code, terrain)) = read(cell) {
                let word = Some(cell("hex")).filter(|word| !word.is_empty());
                let is_proven = cell("proven") == "true";
                all.0[usize::from(code)] = Some(TerrainCode { word, is_proven, ..terrain });
            }
        }
        all
    }

    /// Reads the terrain of a module's `SharedBoardMetadata.xml`.
    ///
    /// # Errors
    ///
    /// Fails if the XML is damaged or holds no terrain.
    pub fn of_module(xml: &[u8]) -> Result<TerrainCodes, Fault> {
        let (common, mut all) = (TerrainCodes::common(), TerrainCodes(vec![None; 256]));
        each_element(SHARED, xml, &mut |tag| {
            let attribute = |name: &str| attribute(tag, name).unwrap_or_default();
            let is_terrain = tag.name().as_ref() == "terrainType";
            if let Some((code, mut terrain)) = is_terrain.then(|| read(attribute)).flatten() {
                let mut known = common.0.iter().flatten();
                if let Some(known) = known.find(|known| known.name == terrain.name) {
                    (terrain.word, terrain.is_proven) = (known.word.clone(), known.is_proven);
                }
                all.0[usize::from(code)] = Some(terrain);
            }
            Ok(())
        })?;
        match all.0.iter().any(Option::is_some) {
            true => Ok(all),
            false => Err(Fault::new(format!("{SHARED}: the file has no terrain"), 0..0)),
        }
    }

    /// Returns the terrain of a code, or `None` if the code is unknown.
    pub fn get(&self, code: u8) -> Option<&TerrainCode> {
        self.0[usize::from(code)].as_ref()
    }
}
