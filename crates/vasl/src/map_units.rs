//! The units on the map with the markers on them, and other features of the map.

use super::board::BoardHex;
use super::piece::{Equipment, Layer, NATIONS, Piece};
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
    Cx,
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
    /// True if other players do not see the unit.
    pub is_concealed: bool,
}

/// A vehicle, Gun, hero or armor leader, whose fire the readers do not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnratedUnit {
    pub place: BoardHex,
    pub level: u8,
    pub nation: &'static str,
    pub name: String,
    pub is_concealed: bool,
    /// True for all but heroes.
    pub is_vehicle: bool,
}

/// A SW on the map, with the unit next to it in the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedWeapon {
    pub place: BoardHex,
    pub name: String,
    /// The nation on the counter; `None` if its image does not tell.
    pub nation: Option<&'static str>,
    /// The index of the unit below it in the stack, else above it; `None` if it lies alone.
    pub carrier: Option<usize>,
    pub is_malfunctioned: bool,
}

/// The units and features on the map.
#[derive(Clone, Debug, Default)]
pub struct MapUnits {
    pub units: Vec<MapUnit>,
    pub unrated: Vec<UnratedUnit>,
    pub weapons: Vec<CarriedWeapon>,
    pub features: Vec<(Feature, BoardHex)>,
    /// The markers that change no unit, such as those of fire and of Wall Advantage.
    pub markers: Vec<(String, BoardHex)>,
    /// The concealment counters of others, each with its nation.
    pub concealed: Vec<(Option<&'static str>, BoardHex)>,
    /// The names of pieces that are not recognised, with their hexes.
    pub unknown: Vec<(String, BoardHex)>,
}

/// The markers of the units below them, down to the next of the kind or of a level.
const COVERS: [(&str, Mark); 7] = [
    ("DM", Mark::Dm),
    ("Pin", Mark::Pinned),
    ("CX", Mark::Cx),
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
const IDLE: [&str; 38] = [
    "Prep Fire",
    "First Fire",
    "Final Fire",
    "Adv. Fire",
    "Adv Fire",
    "Bounding",
    "Intensive",
    "Opp Fire",
    "Moved",
    "Move",
    "Motion",
    "Sniper",
    "Turn",
    "Reinf",
    "Residual",
    "VC",
    "Control",
    "Acq",
    "Acquired",
    "Labor",
    "Wall Advan",
    "Wall Advantage",
    "Range",
    "No Quarter",
    "Bore Sight",
    "BU",
    "CE",
    "TCA",
    "Stun",
    "Shock",
    "Recall",
    "Bog",
    "Immobilized",
    "Abandoned",
    "HD",
    "VBM",
    "Low Ammo",
    "VCA",
];
/// The words of weapons and other equipment whose image does not tell what they are.
const CARRIED: [&str; 14] = [
    "LMG", "MMG", "HMG", "ATR", "DC", "FT", "PSK", "BAZ", "PIAT", "MTR", "RCL", "Skis", "Radio",
    "Phone",
];
/// The starts of the names of SMC that no catalogue of Infantry holds.
const SINGLE_MEN: [(&str, bool); 4] =
    [("Hero", false), ("AL", true), ("Armor", true), ("Armour", true)];

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
        // Counters off the boards are not in play yet.
        let Some(place) = &heap.place else { return };
        let marks = heap.foreign_marks(own_side).into_iter();
        self.concealed.extend(marks.map(|owner| (owner, place.clone())));
        let (first, first_weapon, mut level) = (self.units.len(), self.weapons.len(), 0);
        // The first unit of this level, later the first unit that each kind of marker covers.
        let mut bare = [first; COVERS.len()];
        let mut melee = false;
        for at in heap.known_places(own_side) {
            let (piece, is_concealed) = (&heap.pieces[at], heap.is_concealed(at));
            let name = without_owner(&piece.name);
            if let Some(unrated) = unrated(piece) {
                let place = place.clone();
                self.unrated.push(UnratedUnit { place, level, is_concealed, ..unrated });
            } else if let Some(map_unit) = unit(piece) {
                let place = place.clone();
                self.units.push(MapUnit { place, level, is_concealed, ..map_unit });
            } else if let Some(to) = leveled(name) {
                level = to;
                bare = [self.units.len(); COVERS.len()];
            } else if let Some(kind) = COVERS.iter().position(|(word, _)| begins(name, word)) {
                let mark = COVERS[kind].1;
                // A CX that nobody has lies there by mistake, and changes nothing.
                if !self.cover(bare[kind], mark) && mark != Mark::Cx {
                    self.unknown.push((piece.name.clone(), place.clone()));
                }
                bare[kind] = self.units.len();
            } else if begins(name, "Melee") {
                melee = true;
            } else if let Some(name) = weapon(piece) {
                let carrier = self.units.len().checked_sub(1).filter(|unit| *unit >= first);
                let (place, nation) = (place.clone(), piece.nation());
                let is_malfunctioned = piece.is_malfunctioned();
                let weapon = CarriedWeapon { place, name, nation, carrier, is_malfunctioned };
                self.weapons.push(weapon);
            } else if let Some((_, feature)) = FEATURES.iter().find(|(word, _)| name.contains(word))
            {
                self.features.push((*feature, place.clone()));
            } else if is_idle(name) {
                self.markers.push((name.to_string(), place.clone()));
            } else if !piece.is_mark() {
                self.unknown.push((piece.name.clone(), place.clone()));
            }
        }
        for unit in &mut self.units[first..] {
            unit.marks.extend(melee.then_some(Mark::Melee));
            unit.marks.sort();
            unit.marks.dedup();
        }
        let lowest = Some(first).filter(|first| *first < self.units.len());
        self.weapons[first_weapon..]
            .iter_mut()
            .for_each(|one| one.carrier = one.carrier.or(lowest));
    }

    /// Marks the units from an index on that can have a mark. False if no unit can.
    fn cover(&mut self, from: usize, mark: Mark) -> bool {
        let can_have = |unit: &&mut MapUnit| {
            let is_broken = unit.marks.contains(&Mark::Broken);
            match mark {
                Mark::Dm | Mark::Disrupted => is_broken,
                Mark::Pinned | Mark::Cx => !is_broken,
                _ => true,
            }
        };
        let covered = self.units[from..].iter_mut().filter(can_have);
        covered.map(|unit| unit.marks.push(mark)).count() > 0
    }
}

/// Returns a name without the side or the nation in front of it, as in `RU Sniper: 2`.
fn without_owner(name: &str) -> &str {
    let name = name.trim();
    let is_owner = |word: &str| {
        let letters = word.to_ascii_lowercase();
        let is_nation = NATIONS.iter().any(|(own, _)| *own == letters) && letters != word;
        is_nation || ["Axis", "Allied"].contains(&word)
    };
    name.split_once(' ').filter(|(word, _)| is_owner(word)).map_or(name, |(_, rest)| rest.trim())
}

fn begins(name: &str, word: &str) -> bool {
    let rest = name.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
}

/// Returns whether a marker does not affect a rout. A number may precede its name, as in `-1 Acq`.
fn is_idle(name: &str) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| b"+-0123456789".contains(&byte));
    let rest = name.split_once(' ').filter(|(word, _)| is_number(word)).map(|(_, rest)| rest);
    let is_known = |name: &str| IDLE.iter().any(|word| begins(name, word));
    name.is_empty() || is_known(name) || rest.is_some_and(is_known)
}

/// Returns the name of a SW without the nation; `None` for other pieces.
fn weapon(piece: &Piece) -> Option<String> {
    let is_piece = piece.equipment().is_some_and(|(sort, _)| sort == Equipment::Weapon);
    let name = without_owner(&piece.name);
    let is_named = name.split_whitespace().any(|word| {
        CARRIED.iter().any(|known| {
            word.strip_prefix(known)
                .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphabetic()))
        })
    });
    (is_piece || is_named).then(|| name.to_string())
}

/// Returns the vehicle, Gun, hero or armor leader of a piece; `None` for others and for wrecks.
fn unrated(piece: &Piece) -> Option<UnratedUnit> {
    let name = without_owner(&piece.name);
    let of_image = piece.equipment().filter(|(sort, _)| *sort != Equipment::Weapon);
    // The markers of vehicles can have images of their nation too.
    let is_other = name.contains("Wreck") || is_idle(name);
    let single = SINGLE_MEN.iter().find(|(word, _)| begins(name, word) || piece.class() == *word);
    let (is_vehicle, nation) = match (of_image, single) {
        (Some((_, nation)), _) => (true, nation),
        (None, Some((_, is_vehicle))) => (*is_vehicle, piece.nation()?),
        (None, None) => return None,
    };
    let (place, level, is_concealed) = (BoardHex::default(), 0, false);
    let name = name.to_string();
    (!is_other).then_some(UnratedUnit { place, level, nation, name, is_concealed, is_vehicle })
}

fn leveled(name: &str) -> Option<u8> {
    let rest = LEVELS.iter().find_map(|word| name.strip_prefix(word))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Returns the unit of a piece, without its hex yet. The result is `None` for other pieces.
fn unit(piece: &Piece) -> Option<MapUnit> {
    let nation = piece.nation().filter(|_| piece.equipment().is_none())?;
    let printed = piece.basic.split_whitespace().next()?;
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
        class: piece.class().to_string(),
        marks,
        broken_morale: piece.broken_morale(),
        is_concealed: false,
    })
}
