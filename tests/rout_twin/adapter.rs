//! Conversion of a twin's situation to a situation of `lowcrawl`, and to text.

use super::geometry::SIDES;
use super::{
    HexAt, Kind, NoFarther, SafePart, SideTerrain, Switches, Terrain, TwinEnemy, TwinHex,
    TwinSituation, TwinUnit,
};
use lowcrawl::asl::rout::{Circumstances, Enemy, Router, Situation};
use lowcrawl::asl::rulebook::Rulebook;
use lowcrawl::asl::stack::{Member, Stack};
use lowcrawl::board::geometry::Geometry;
use lowcrawl::board::hex::{Hex, Hexside};
use lowcrawl::board::map::{Barrier, HexContents, Location, Map, PlacedBoard, Works, hex_terrain};
use lowcrawl::board::sight::ListedSight;
use std::fmt::Write as _;
use std::sync::Arc;

pub fn hex((column, row): HexAt) -> Hex {
    Hex::new(column as i16, row as i16)
}

pub fn site(at: HexAt) -> Location {
    Location::ground(hex(at))
}

pub fn hex_at(site: Location) -> HexAt {
    (site.hex.column.into(), site.hex.row.into())
}

pub fn situation(twin: &TwinSituation) -> Situation {
    let hexes = twin
        .map
        .iter()
        .map(|(&at, data)| (hex(at), ground(data, twin.unit.entrenched && at == twin.unit.at)));
    let lines = twin.los.iter().map(|(&(a, b), &hindrance)| (hex(a), hex(b), hindrance as u8));
    Situation {
        map: Map::new(vec![PlacedBoard::alone()], hexes),
        sight: Arc::new(ListedSight::new(lines, Some(Geometry))),
        routers: vec![router(twin)],
        friends: Vec::new(),
        crowd: Vec::new(),
        enemies: twin
            .enemies
            .iter()
            .enumerate()
            .map(|(number, data)| enemy(number, data))
            .collect(),
        no_quarter: twin.no_quarter,
        night: false,
        enemy_reveals: false,
        heat_of_battle: false,
        elr: 3,
        rulebook: rulebook(&twin.switches),
    }
}

fn ground(data: &TwinHex, foxhole: bool) -> HexContents {
    let name = match data.terrain {
        Terrain::Open => "open",
        Terrain::Woods | Terrain::WoodsRoad => "woods",
        Terrain::Building => "building",
        Terrain::Orchard => "orchard",
        Terrain::Grain => "grain",
        Terrain::Shellholes => "shellholes",
        Terrain::Gully => "gully",
    };
    let barrier = |side: SideTerrain| match side {
        SideTerrain::None => None,
        SideTerrain::Wall => Some(Barrier::Wall),
        SideTerrain::Hedge => Some(Barrier::Hedge),
        SideTerrain::Cliff => Some(Barrier::Cliff),
    };
    HexContents {
        level: data.level as i8,
        building: data.building.map(|number| number as u16),
        road: (0..SIDES)
            .filter(|side| data.road_sides & (1 << side) != 0)
            .map(|side| Hexside::ALL[side])
            .collect(),
        sides: data.walls.map(barrier),
        works: foxhole.then_some(Works::Foxhole),
        smoke: data.smoke,
        blaze: data.blaze,
        ..HexContents::from_terrain(hex_terrain(name).expect("a terrain"))
    }
}

/// Creates the member of a stack with this counter and the words whose flag is true.
fn member(counter: &str, words: &[(bool, &str)]) -> Member {
    let words: Vec<&str> =
        words.iter().filter(|(holds, _)| *holds).map(|&(_, word)| word).collect();
    let slash = if words.is_empty() { "" } else { "/" };
    let text = format!("{counter}{slash}{}", words.join(","));
    Stack::parse(&text).unwrap_or_else(|fault| panic!("{text}: {fault}")).members.remove(0)
}

fn router(twin: &TwinSituation) -> Router {
    let unit = &twin.unit;
    // The half-squad of a squad keeps its printed broken morale, so a squad needs a counter with
    // that number.
    let counter = match (unit.kind, unit.broken_morale) {
        (Kind::Leader, _) => "id:ger_ldr_8-1",
        (Kind::HalfSquad, _) => "id:ger_1_247",
        (Kind::Squad, 5) => "id:ger_C_436",
        (Kind::Squad, 6) => "id:fre_1_457",
        (Kind::Squad, 7) => "id:ger_1_467",
        (Kind::Squad, 8) => "id:ger_E_468",
        (Kind::Squad, 9) => "id:ss_E_658",
        (Kind::Squad, other) => panic!("no squad has broken morale {other}"),
    };
    let morale = format!("broken-morale={}", unit.broken_morale);
    let words = [
        (!unit.disrupted, "broken"),
        (unit.dm, "dm"),
        (unit.wounded, "wounded"),
        (unit.disrupted, "disrupted"),
        (unit.encircled, "encircled"),
        (unit.fanatic, "fanatic"),
        (unit.kind != Kind::Squad, morale.as_str()),
    ];
    Router {
        name: "unit".into(),
        member: member(counter, &words),
        at: site(unit.at),
        sheltered: unit.entrenched || twin.map[&unit.at].terrain == Terrain::Shellholes,
        in_melee: false,
        mans_emplaced_gun: false,
        escort: None,
    }
}

fn enemy(number: usize, data: &TwinEnemy) -> Enemy {
    let words = [
        (data.broken && !data.disrupted, "broken"),
        (data.disrupted, "disrupted"),
        (!data.armed, "unarmed"),
        (data.pinned, "pinned"),
        (data.cx, "cx"),
        (data.encircled, "encircled"),
        (data.berserk, "berserk"),
    ];
    let counter = if data.leader_without_sw { "american:8-1" } else { "american:6-6-6" };
    Enemy {
        name: format!("enemy {number}"),
        member: Some(member(counter, &words)),
        at: site(data.at),
        firepower: (!data.leader_without_sw).then_some(data.fp as u8),
        range: (!data.leader_without_sw).then_some(data.range as u16),
        weapon: None,
        circumstances: Circumstances {
            concealed: data.concealed,
            in_melee: data.melee,
            ..Circumstances::default()
        },
    }
}

fn ids(switches: &Switches) -> Vec<&'static str> {
    let all = [
        (switches.i10_wound_ends_rout, "i10"),
        (switches.i11_open_end_needs_interdictor, "i11"),
        (switches.i12_crawl_by_hexes, "i12"),
        (switches.i13_nearest_over_all_routes, "i13"),
        (switches.i14 == NoFarther::Nearest, "i14=nearest"),
        (switches.i14 == NoFarther::All, "i14=all"),
        (switches.i15 == SafePart::FirstHex, "i15=first-hex"),
        (switches.i15 == SafePart::EndingAdjacent, "i15=ending-adjacent"),
        (switches.i33_cap_after_sum, "i33"),
        (switches.i36_disrupted_ignores_enemy, "i36"),
        (switches.i38_from_refigured_hex, "i38"),
        (switches.i54_unseen_enemy_bars, "i54"),
        (switches.i55_half_squad_may_stop, "i55"),
        (switches.i56_never_back_to_start, "i56"),
        (switches.i57_surrender_by_known_only, "i57"),
        (switches.i58_refigure_always, "i58"),
        (switches.i59_vertex_crosses_nothing, "i59"),
        (switches.i60_crawl_to_nearest, "i60"),
        (switches.i61_broken_enemy_forces, "i61"),
        (switches.i62_woods_road_never_open, "i62"),
        (switches.i63_present_keu_only, "i63-keu"),
        (switches.i63_cover_must_move_on, "i63-cover"),
        (switches.v2_melee_enemies_force, "v2-10.5"),
        (switches.v2_any_enemy_direction, "v2-10.51"),
        (switches.v2_surrender_without_rout_only, "v2-20.21"),
        (switches.v2_encircled_interdicts, "v2-10.532"),
        (switches.sk_no_surrender, "sk-20.21"),
        (switches.sk_forcing_enemies, "sk-10.5"),
        (switches.sk_hex_adjacency, "sk-8"),
    ];
    all.into_iter().filter(|(on, _)| *on).map(|(_, id)| id).collect()
}

fn rulebook(switches: &Switches) -> Rulebook {
    let mut rulebook = Rulebook::default();
    for id in ids(switches) {
        let (id, value) = id.split_once('=').unwrap_or((id, "alternative"));
        rulebook.set(id, value).unwrap_or_else(|fault| panic!("{id}: {fault}"));
    }
    rulebook
}

/// Returns the map, the units and the switches as text, for failed tests. It lists the Hindered or
/// blocked lines between neighbours and from enemies too.
pub fn show(twin: &TwinSituation) -> String {
    let mut text = String::new();
    let last_row = twin.map.keys().map(|&(_, row)| row).max().unwrap_or(0);
    for row in 1..=last_row {
        let hexes = twin.map.iter().filter(|((_, r), _)| *r == row);
        let shown: Vec<String> =
            hexes.map(|(&at, data)| format!("{}:{}", hex(at), show_hex(data))).collect();
        let _ = writeln!(text, "{}", shown.join("  "));
    }
    let TwinUnit { at, kind, broken_morale, .. } = twin.unit;
    let states = [
        (twin.unit.dm, "dm"),
        (twin.unit.wounded, "wounded"),
        (twin.unit.disrupted, "disrupted"),
        (twin.unit.encircled, "encircled"),
        (twin.unit.fanatic, "fanatic"),
        (twin.unit.entrenched, "entrenched"),
    ];
    let _ = writeln!(text, "unit {} {kind:?} morale {broken_morale} {}", hex(at), words(&states));
    for (number, enemy) in twin.enemies.iter().enumerate() {
        let states = [
            (!enemy.armed, "unarmed"),
            (enemy.broken, "broken"),
            (enemy.pinned, "pinned"),
            (enemy.cx, "cx"),
            (enemy.melee, "melee"),
            (enemy.concealed, "concealed"),
            (enemy.encircled, "encircled"),
            (enemy.berserk, "berserk"),
            (enemy.disrupted, "disrupted"),
            (enemy.leader_without_sw, "leader"),
        ];
        let seen = twin.map.keys().filter_map(|&to| Some((to, *twin.los.get(&(enemy.at, to))?)));
        let lines: Vec<String> =
            seen.map(|(to, h)| format!("{}{}", hex(to), "+".repeat(h as usize))).collect();
        let (at, fp, range) = (hex(enemy.at), enemy.fp, enemy.range);
        let _ = writeln!(
            text,
            "enemy {number} {at} fp {fp} range {range} {}; sees {}",
            words(&states),
            lines.join(" ")
        );
    }
    let quarter = if twin.no_quarter { "no quarter" } else { "" };
    let _ = write!(text, "switches {:?} {quarter}", ids(&twin.switches));
    text
}

fn show_hex(data: &TwinHex) -> String {
    let mut text = format!("{:?}", data.terrain);
    let names = ["n", "ne", "se", "s", "sw", "nw"];
    if data.level != 0 {
        let _ = write!(text, " level {}", data.level);
    }
    if let Some(number) = data.building {
        let _ = write!(text, " {number}");
    }
    for (side, name) in names.iter().enumerate() {
        if data.road_sides & (1 << side) != 0 {
            let _ = write!(text, " road-{name}");
        }
        if data.walls[side] != SideTerrain::None {
            let _ = write!(text, " {:?}-{name}", data.walls[side]);
        }
    }
    let _ = write!(
        text,
        "{}{}",
        if data.smoke { " smoke" } else { "" },
        if data.blaze { " blaze" } else { "" }
    );
    text
}

fn words(states: &[(bool, &str)]) -> String {
    states.iter().filter(|(holds, _)| *holds).map(|&(_, word)| word).collect::<Vec<_>>().join(" ")
}
