//! Random situations on small maps; equal seeds give equal situations.

use super::geometry::{SIDES, neighbour, opposite, range, side_towards};
use super::{
    HexAt, Kind, NoFarther, SafePart, SideTerrain, Switches, Terrain, TwinEnemy, TwinHex,
    TwinSituation, TwinUnit,
};
use std::collections::BTreeMap;

struct Dice(u64);

impl Dice {
    /// Returns the next 64 bits (splitmix).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + (self.next() % (high - low + 1) as u64) as i32
    }

    fn percent(&mut self, chance: i32) -> bool {
        self.between(1, 100) <= chance
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.between(0, items.len() as i32 - 1) as usize]
    }
}

type Map = BTreeMap<HexAt, TwinHex>;

pub fn random_situation(seed: u64) -> TwinSituation {
    let mut dice = Dice(seed.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0x5851_F42D_4C95_7F2D);
    let mut map = terrain(&mut dice);
    buildings(&mut dice, &mut map);
    hills(&mut dice, &mut map);
    roads(&mut dice, &mut map);
    hexsides(&mut dice, &mut map);
    let los = lines(&mut dice, &map);
    let unit = unit(&mut dice, &map);
    let enemies = enemies(&mut dice, &map, unit.at);
    let no_quarter = dice.percent(35);
    let switches = if dice.percent(50) { Switches::default() } else { switches(&mut dice) };
    TwinSituation { map, los, unit, enemies, no_quarter, switches }
}

fn terrain(dice: &mut Dice) -> Map {
    let (columns, rows) = (dice.between(6, 9), dice.between(6, 9));
    // The share of open hexes ranges from dense maps to nearly bare ones.
    let open = dice.between(25, 70);
    let mut map = Map::new();
    for column in 1..=columns {
        for row in 1..=rows {
            let mixed = [
                Terrain::Woods,
                Terrain::Woods,
                Terrain::Building,
                Terrain::Orchard,
                Terrain::Grain,
                Terrain::Grain,
                Terrain::Shellholes,
                Terrain::Gully,
            ];
            let terrain = if dice.percent(open) { Terrain::Open } else { dice.pick(&mixed) };
            let hex = TwinHex {
                terrain,
                level: if terrain == Terrain::Gully { -1 } else { 0 },
                building: None,
                road_sides: 0,
                walls: [SideTerrain::None; 6],
                smoke: dice.percent(4),
                blaze: dice.percent(1) && matches!(terrain, Terrain::Woods | Terrain::Building),
            };
            map.insert((column, row), hex);
        }
    }
    map
}

/// Gives every building hex a building number, and joins half of the neighbouring buildings.
fn buildings(dice: &mut Dice, map: &mut Map) {
    let hexes: Vec<HexAt> =
        map.keys().copied().filter(|hex| map[hex].terrain == Terrain::Building).collect();
    for (group, hex) in hexes.iter().enumerate() {
        map.get_mut(hex).expect("on the map").building = Some(group as u32);
    }
    for &hex in &hexes {
        for side in 0..SIDES {
            let other = map.get(&neighbour(hex, side)).and_then(|data| data.building);
            if let (Some(kept), Some(merged)) = (map[&hex].building, other)
                && dice.percent(50)
            {
                for data in map.values_mut().filter(|data| data.building == Some(merged)) {
                    data.building = Some(kept);
                }
            }
        }
    }
}

fn hills(dice: &mut Dice, map: &mut Map) {
    for _ in 0..dice.pick(&[0, 0, 1, 1, 2]) {
        let hexes: Vec<HexAt> = map.keys().copied().collect();
        let (top, radius) = (dice.pick(&hexes), dice.between(0, 2));
        for (&hex, data) in map.iter_mut() {
            if range(hex, top) <= radius && data.terrain != Terrain::Gully {
                data.level += 1;
            }
        }
    }
}

/// Draws roads from hex to hex. Woods on a road become woods-road; buildings and gullies end a
/// road.
fn roads(dice: &mut Dice, map: &mut Map) {
    for _ in 0..dice.between(0, 2) {
        let hexes: Vec<HexAt> = map.keys().copied().collect();
        let mut at = dice.pick(&hexes);
        let mut heading = dice.between(0, 5) as usize;
        for _ in 0..dice.between(2, 9) {
            heading = (heading + dice.pick(&[0, 0, 1, 5])) % SIDES;
            let next = neighbour(at, heading);
            let blocked = |hex: HexAt| {
                map.get(&hex)
                    .is_none_or(|data| matches!(data.terrain, Terrain::Building | Terrain::Gully))
            };
            if blocked(at) || blocked(next) {
                break;
            }
            for (hex, side) in [(at, heading), (next, opposite(heading))] {
                let data = map.get_mut(&hex).expect("on the map");
                data.road_sides |= 1 << side;
                if data.terrain == Terrain::Woods {
                    data.terrain = Terrain::WoodsRoad;
                }
            }
            at = next;
        }
    }
}

/// Adds walls and hedges and a few cliffs, but never across a road.
fn hexsides(dice: &mut Dice, map: &mut Map) {
    let density = dice.pick(&[0, 4, 8, 15]);
    let hexes: Vec<HexAt> = map.keys().copied().collect();
    for hex in hexes {
        for side in 0..3 {
            let other = neighbour(hex, side);
            if !map.contains_key(&other)
                || map[&hex].road_sides & (1 << side) != 0
                || !dice.percent(density)
            {
                continue;
            }
            let kinds = [
                SideTerrain::Wall,
                SideTerrain::Wall,
                SideTerrain::Hedge,
                SideTerrain::Hedge,
                SideTerrain::Cliff,
            ];
            let kind = dice.pick(&kinds);
            map.get_mut(&hex).expect("on the map").walls[side] = kind;
            map.get_mut(&other).expect("on the map").walls[opposite(side)] = kind;
        }
    }
}

fn lines(dice: &mut Dice, map: &Map) -> BTreeMap<(HexAt, HexAt), u32> {
    let mut los = BTreeMap::new();
    let hexes: Vec<HexAt> = map.keys().copied().collect();
    let thickness = dice.between(6, 16);
    for (index, &a) in hexes.iter().enumerate() {
        for &b in &hexes[index + 1..] {
            let clear = match side_towards(a, b) {
                Some(side) if map[&a].walls[side] == SideTerrain::Cliff => dice.percent(50),
                Some(_) => true,
                None => dice.percent((100 - thickness * range(a, b)).max(10)),
            };
            if clear {
                let hindrance = if range(a, b) == 1 { 0 } else { dice.pick(&[0, 0, 0, 0, 1, 2]) };
                los.insert((a, b), hindrance);
                los.insert((b, a), hindrance);
            }
        }
    }
    los
}

fn unit(dice: &mut Dice, map: &Map) -> TwinUnit {
    // The unit mostly begins away from the map edge, where it has more choices.
    let hexes: Vec<HexAt> = map.keys().copied().collect();
    let inner: Vec<HexAt> = hexes
        .iter()
        .copied()
        .filter(|&hex| (0..SIDES).all(|side| map.contains_key(&neighbour(hex, side))))
        .collect();
    let at = if dice.percent(80) { dice.pick(&inner) } else { dice.pick(&hexes) };
    let kind = dice.pick(&[
        Kind::Squad,
        Kind::Squad,
        Kind::Squad,
        Kind::HalfSquad,
        Kind::Leader,
        Kind::Leader,
    ]);
    let fanatic = dice.percent(8);
    let entrenchable = matches!(
        map[&at].terrain,
        Terrain::Open | Terrain::Orchard | Terrain::Grain | Terrain::Woods
    );
    TwinUnit {
        at,
        kind,
        broken_morale: dice.between(5, if kind == Kind::Squad { 9 } else { 10 }),
        dm: dice.percent(85),
        wounded: kind == Kind::Leader && dice.percent(25),
        disrupted: !fanatic && kind != Kind::Leader && dice.percent(6),
        encircled: dice.percent(4),
        fanatic,
        entrenched: entrenchable && dice.percent(8),
    }
}

fn enemies(dice: &mut Dice, map: &Map, unit: HexAt) -> Vec<TwinEnemy> {
    let hexes: Vec<HexAt> = map.keys().copied().collect();
    let reach = dice.between(1, 6);
    let mut enemies: Vec<TwinEnemy> = Vec::new();
    let wanted = dice.between(1, 6) as usize;
    let mut tries = 0;
    while enemies.len() < wanted && tries < 60 {
        tries += 1;
        let at = dice.pick(&hexes);
        // Near enemies cause more rout decisions.
        if range(at, unit) > reach && dice.percent(75) {
            continue;
        }
        if enemies.iter().any(|other| other.at == at) && dice.percent(80) {
            continue;
        }
        let together = at == unit;
        if together && dice.percent(60) {
            continue;
        }
        let broken = together || dice.percent(12);
        let melee = !broken && dice.percent(7);
        let concealed = !broken && !melee && dice.percent(15);
        let armed = !dice.percent(7);
        let leader_without_sw = armed && dice.percent(7);
        let toothless = !armed || leader_without_sw;
        let fp = if toothless { 0 } else { dice.between(0, 8) };
        let berserk = !broken && !concealed && dice.percent(4);
        enemies.push(TwinEnemy {
            at,
            range: if fp == 0 { 0 } else { dice.between(1, 9) },
            fp,
            armed,
            broken,
            pinned: !broken && !berserk && dice.percent(8),
            cx: !broken && dice.percent(8),
            melee,
            concealed,
            encircled: !concealed && dice.percent(5),
            berserk,
            disrupted: broken && dice.percent(15),
            leader_without_sw,
        });
    }
    enemies
}

/// Selects a bundle of switches, or each switch with a small probability.
fn switches(dice: &mut Dice) -> Switches {
    match dice.between(1, 6) {
        1 => return Switches::starter_kit(),
        2 => return Switches::second_edition(),
        _ => {}
    }
    let mut on = || dice.percent(12);
    let mut drawn = Switches {
        i10_wound_ends_rout: on(),
        i11_open_end_needs_interdictor: on(),
        i12_crawl_by_hexes: on(),
        i13_nearest_over_all_routes: on(),
        i14: NoFarther::Any,
        i15: SafePart::Whole,
        i33_cap_after_sum: on(),
        i36_disrupted_ignores_enemy: on(),
        i38_from_refigured_hex: on(),
        i54_unseen_enemy_bars: on(),
        i55_half_squad_may_stop: on(),
        i56_never_back_to_start: on(),
        i57_surrender_by_known_only: on(),
        i58_refigure_always: on(),
        i59_vertex_crosses_nothing: on(),
        i60_crawl_to_nearest: on(),
        i61_broken_enemy_forces: on(),
        i62_woods_road_never_open: on(),
        i63_present_keu_only: on(),
        i63_cover_must_move_on: on(),
        v2_melee_enemies_force: on(),
        v2_any_enemy_direction: on(),
        v2_surrender_without_rout_only: on(),
        v2_encircled_interdicts: on(),
        sk_no_surrender: on(),
        sk_forcing_enemies: on(),
        sk_hex_adjacency: on(),
    };
    drawn.i14 = dice.pick(&[
        NoFarther::Any,
        NoFarther::Any,
        NoFarther::Any,
        NoFarther::Nearest,
        NoFarther::All,
    ]);
    drawn.i15 = dice.pick(&[
        SafePart::Whole,
        SafePart::Whole,
        SafePart::FirstHex,
        SafePart::EndingAdjacent,
    ]);
    drawn
}
