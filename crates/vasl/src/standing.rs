//! Who stands where, as counters and the markers upon them say it, and what else lies on the map.

use super::board::Place;
use super::piece::Piece;
use super::position::{Heap, Position};

/// How a unit stands.
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

/// What lies in a hex and is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    Smoke,
    Blaze,
    Foxholes,
    Trench,
}

/// A unit on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub place: Place,
    /// Level of its building; 0 is the ground.
    pub level: u8,
    pub nation: &'static str,
    /// What is printed on it: `4-6-7`, `9-1`, `6+1`.
    pub printed: String,
    /// What its name has behind that: `1sq`, `Ehs`; nothing of a leader.
    pub class: String,
    /// In their order, each once.
    pub marks: Vec<Mark>,
    /// As the image of its broken side has it.
    pub broken_morale: Option<u8>,
}

/// What stands on the map.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    pub units: Vec<Standing>,
    pub features: Vec<(Feature, Place)>,
    /// Pieces of which nothing is understood.
    pub unknown: Vec<(String, Place)>,
}

/// Markers upon units: they cover those below them, down to the next of their kind or a level.
const COVERS: [(&str, Mark); 6] = [
    ("DM", Mark::Dm),
    ("Pin", Mark::Pinned),
    ("Disrupt", Mark::Disrupted),
    ("Encircled", Mark::Encircled),
    ("T/I", Mark::Immobilized),
    ("TI", Mark::Immobilized),
];
/// Layers of a unit.
const LAYERS: [(&str, Mark); 3] =
    [("BER", Mark::Berserk), ("FAN", Mark::Fanatic), ("HRO", Mark::Heroic)];
/// What begins the name of a marker that says on which level those above it are.
const LEVELS: [&str; 3] = ["Building Level", "Fort Bldg Level", "Strongpoint Level"];
/// What begins the names of markers that change nothing of a rout.
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

impl Standings {
    /// What everybody may know of a position, and of `mine` all.
    pub fn of(position: &Position, mine: Option<&str>) -> Standings {
        let mut all = Standings::default();
        for heap in position.heaps() {
            all.add(&heap, mine);
        }
        all
    }

    fn add(&mut self, heap: &Heap, mine: Option<&str>) {
        let pieces = heap.known(mine);
        // Beside the boards lie counters that are still to come.
        let Some(place) = &heap.place else { return };
        let (first, mut level) = (self.units.len(), 0);
        // From which unit on those of this level stand, and those each kind of marker still covers.
        let mut bare = [first; COVERS.len()];
        let mut melee = false;
        for piece in pieces {
            if let Some(standing) = unit(piece) {
                self.units.push(Standing { place: place.clone(), level, ..standing });
            } else if let Some(to) = leveled(&piece.name) {
                level = to;
                bare = [self.units.len(); COVERS.len()];
            } else if let Some(kind) = COVERS.iter().position(|(name, _)| begins(piece, name)) {
                let covered = &mut self.units[bare[kind]..];
                covered.iter_mut().for_each(|unit| unit.marks.push(COVERS[kind].1));
                bare[kind] = self.units.len();
            } else if begins(piece, "Melee") {
                melee = true;
            } else if let Some(feature) = feature(&piece.name) {
                self.features.push((feature, place.clone()));
            } else if !is_idle(piece) && !piece.is_mark() {
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

fn is_idle(piece: &Piece) -> bool {
    IDLE.iter().any(|word| begins(piece, word))
}

/// The level that a marker says.
fn leveled(name: &str) -> Option<u8> {
    let rest = LEVELS.iter().find_map(|word| name.trim().strip_prefix(word))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn feature(name: &str) -> Option<Feature> {
    let has = |word: &str| name.contains(word);
    match () {
        _ if has("Blaze") => Some(Feature::Blaze),
        _ if has("Smoke") || has("WP") => Some(Feature::Smoke),
        _ if has("Foxhole") => Some(Feature::Foxholes),
        _ if has("Trench") => Some(Feature::Trench),
        _ => None,
    }
}

/// The unit that a piece is, where it stands for now; nothing of other pieces.
fn unit(piece: &Piece) -> Option<Standing> {
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
    let mut marks: Vec<Mark> = LAYERS
        .iter()
        .filter(|(property, _)| piece.shows(property))
        .map(|(_, mark)| *mark)
        .collect();
    marks.extend(piece.is_broken.then_some(Mark::Broken));
    let is_wounded = |name: &str| name.starts_with("Wnd");
    let wounded = piece.layers.iter().any(|layer| layer.is_shown && is_wounded(layer.name()));
    marks.extend(wounded.then_some(Mark::Wounded));
    Some(Standing {
        place: Place::default(),
        level: 0,
        nation,
        printed: printed.to_string(),
        class: class.to_string(),
        marks,
        broken_morale: piece.broken_morale(),
    })
}
