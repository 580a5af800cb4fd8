//! The units on the map with the markers on them, and other features of the map.

use super::board::BoardHex;
use super::piece::{Layer, Piece};
use super::position::{Heap, Position};

/// A condition of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    Broken,
    Dm,
    Pinned,
    Disrupted,
    Encircled,
    Wounded,
    Fanatic,
    Heroic,
    Berserk,
    Melee,
    Immobilized,
}

/// A feature of a hex that matters to a rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    Smoke,
    Blaze,
    Foxholes,
    Trench,
}

/// A unit on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapUnit {
    pub place: BoardHex,
    /// The level of the unit in its building; 0 is the ground.
    pub level: u8,
    pub nation: &'static str,
    /// The printed factors, such as `4-6-7`, `9-1` or `6+1`.
    pub printed: String,
    /// The rest of the unit's name, such as `1sq` or `Ehs`; empty for a leader.
    pub class: String,
    /// The conditions of the unit in order, each once.
    pub marks: Vec<Mark>,
    /// The broken morale by the name of the broken side's image; `None` if the name has none.
    pub broken_morale: Option<u8>,
}

/// The units and features on the map.
#[derive(Clone, Debug, Default)]
pub struct MapUnits {
    pub units: Vec<MapUnit>,
    pub features: Vec<(Feature, BoardHex)>,
    /// The names of pieces that are not recognised, with their hexes.
    pub unknown: Vec<(String, BoardHex)>,
}

/// The markers of the units below them, down to the next of the kind or of a level.
const COVERS: [(&str, Mark); 6] = [
    ("DM", Mark::Dm),
    ("Pin", Mark::Pinned),
    ("Disrupt", Mark::Disrupted),
    ("Encircled", Mark::Encircled),
    ("T/I", Mark::Immobilized),
    ("TI", Mark::Immobilized),
];
/// The layers of a counter that give its unit a condition.
const LAYERS: [(&str, Mark); 3] =
    [("BER", Mark::Berserk), ("FAN", Mark::Fanatic), ("HRO", Mark::Heroic)];
/// The prefixes of markers that give the level of the units above them.
const LEVELS: [&str; 3] = ["Building Level", "Fort Bldg Level", "Strongpoint Level"];
const FEATURES: [(&str, Feature); 5] = [
    ("Blaze", Feature::Blaze),
    ("Smoke", Feature::Smoke),
    ("WP", Feature::Smoke),
    ("Foxhole", Feature::Foxholes),
    ("Trench", Feature::Trench),
];
/// The prefixes of markers that do not affect a rout.
const IDLE: [&str; 16] = [
    "Prep Fire",
    "First Fire",
    "Final Fire",
    "Adv. Fire",
    "Adv Fire",
    "Bounding",
    "Intensive",
    "Opp Fire",
    "CX",
    "Moved",
    "Move",
    "Sniper",
    "Turn",
    "Residual",
    "VC",
    "Control",
];

impl MapUnits {
    /// Reads all units of the nation `own_side`, and of others those that all players may know.
    pub fn from_position(position: &Position, own_side: Option<&str>) -> MapUnits {
        let mut all = MapUnits::default();
        for heap in position.heaps() {
            all.add(&heap, own_side);
        }
        all
    }

    fn add(&mut self, heap: &Heap, own_side: Option<&str>) {
        let pieces = heap.known(own_side);
        // Counters off the boards are not in play yet.
        let Some(place) = &heap.place else { return };
        let (first, mut level) = (self.units.len(), 0);
        // The first unit of this level, later the first unit that each kind of marker covers.
        let mut bare = [first; COVERS.len()];
        let mut melee = false;
        for piece in pieces {
            if let Some(map_unit) = unit(piece) {
                self.units.push(MapUnit { place: place.clone(), level, ..map_unit });
            } else if let Some(to) = leveled(&piece.name) {
                level = to;
                bare = [self.units.len(); COVERS.len()];
            } else if let Some(kind) = COVERS.iter().position(|(name, _)| begins(piece, name)) {
                let covered = &mut self.units[bare[kind]..];
                covered.iter_mut().for_each(|unit| unit.marks.push(COVERS[kind].1));
                bare[kind] = self.units.len();
            } else if begins(piece, "Melee") {
                melee = true;
            } else if let Some((_, feature)) =
                FEATURES.iter().find(|(word, _)| piece.name.contains(word))
            {
                self.features.push((*feature, place.clone()));
            } else if !piece.is_mark() && !IDLE.iter().any(|word| begins(piece, word)) {
                self.unknown.push((piece.name.clone(), place.clone()));
            }
        }
        for unit in &mut self.units[first..] {
            unit.marks.extend(melee.then_some(Mark::Melee));
            unit.marks.sort();
            unit.marks.dedup();
        }
    }
}

fn begins(piece: &Piece, word: &str) -> bool {
    let rest = piece.name.trim().strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
}

fn leveled(name: &str) -> Option<u8> {
    let rest = LEVELS.iter().find_map(|word| name.trim().strip_prefix(word))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Returns the unit of a piece, without its hex yet. The result is `None` for other pieces.
fn unit(piece: &Piece) -> Option<MapUnit> {
    let nation = piece.nation()?;
    let mut words = piece.basic.split_whitespace();
    let (printed, class) = (words.next()?, words.next().unwrap_or_default());
    let is_number = |part: &str| {
        !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts: Vec<&str> = printed.split(['-', '+']).collect();
    if !(2..=3).contains(&parts.len()) || !parts.iter().all(|part| is_number(part)) {
        return None;
    }
    let shown = LAYERS.iter().filter(|(property, _)| piece.shows(property));
    let mut marks: Vec<Mark> = shown.map(|(_, mark)| *mark).collect();
    marks.extend(piece.is_broken.then_some(Mark::Broken));
    let wounds = |layer: &Layer| layer.is_shown && layer.name.starts_with("Wnd");
    let wounded = piece.layers.iter().any(wounds);
    marks.extend(wounded.then_some(Mark::Wounded));
    Some(MapUnit {
        place: BoardHex::default(),
        level: 0,
        nation,
        printed: printed.to_string(),
        class: class.to_string(),
        marks,
        broken_morale: piece.broken_morale(),
    })
}
