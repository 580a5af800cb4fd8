//! What a hex is to players.

use super::terrain::Terrain;

/// Terrain that lines of sight were tried on.
const PROVEN: [&str; 18] = [
    "Open Ground",
    "Shellholes",
    "Grain",
    "Gully",
    "Stone Building",
    "Stone Building, 1 Level",
    "Stone Building, 2 Level",
    "Wooden Building",
    "Wooden Building, 1 Level",
    "Wooden Building, 2 Level",
    "Woods",
    "Orchard",
    "Dirt Road",
    "Paved Road",
    "Wall",
    "Hedge",
    "Cliff",
    "Single Hex Stone Bridge",
];

/// Whether lines of sight over it follow rules that no board has confirmed.
pub(super) fn is_unproven(terrain: &Terrain) -> bool {
    !PROVEN.contains(&terrain.name.as_str())
}
