//! The map of a situation with its units and their best routes, as it is drawn.

use std::collections::{BTreeMap, BTreeSet};

use super::Routed;
use asl::board::hex::{Hex, Hexside};
use asl::board::map::{Barrier, HexContents, Location, Map, Works};
use asl::board::terrain::Terrain;
use asl::catalogue::CounterKind;
use asl::course::rout::{BEST, Prospect, RoutCourse};
use asl::crossing::question::CrossingQuestion;
use asl::nation::Nation;
use asl::rout::{Circumstances, Enemy, Friend, RoutPlan, Router, Situation, mark};
use asl::stack::Member;
use asl::unit::Condition;
use charts::board::{Board, MINEFIELD, MapGround, MapHex, TerrainStyle};
use charts::chart::ChartBoard;
use charts::route_map::{
    Figure, MapLocation, MapWords, MovingUnit, Route, RouteMap, Token, percent,
};
use play::{DynQuestion, PreparedQuestion};

/// The word for a plan without a move.
const STAY: &str = "stay";
/// The mark of the hex from which a stack goes, which fits a hex of a terminal.
const START: &str = "go";

impl Routed {
    /// Returns the map with all units, and at most `most` routes of each unit.
    pub fn route_map(&self, most: usize) -> RouteMap {
        let units = self.answers.iter().map(|answered| (answered.unit, &answered.prospect));
        route_map(&self.scenario.situation, &units.collect::<Vec<_>>(), most)
    }
}

/// Returns the map with all units, and at most `most` routes of each of `units` (0-based).
pub fn route_map(situation: &Situation, units: &[(usize, &Prospect)], most: usize) -> RouteMap {
    let drawing = Drawing { situation, units };
    let Situation { map, routers, friends, enemies, .. } = situation;
    let mut dangers: BTreeMap<MapHex, BTreeSet<usize>> = BTreeMap::new();
    let mut moving = Vec::new();
    for &(unit, prospect) in units {
        let Some(router) = routers.get(unit) else { continue };
        let drawn = worth_drawing(&prospect.courses, most);
        for (location, by) in &prospect.outlook.interdicted {
            if !spare_interdiction(&drawn, *location) {
                dangers.entry(map_hex(location.hex)).or_default().extend(by);
            }
        }
        moving.push(MovingUnit {
            at: map_location(router.at),
            number: unit + 1,
            caption: drawing.caption(unit, router, prospect),
            routes: drawn.into_iter().map(|course| drawing.route(unit, course)).collect(),
        });
    }
    let own = routers.iter().enumerate().flat_map(|(place, router)| drawing.router(place, router));
    let friend = |(place, friend): (usize, &Friend)| {
        drawing.token(mark('F', place), &friend.name, Some(&friend.member), friend.at)
    };
    let nation = enemies.iter().find_map(|enemy| enemy.member.as_ref().map(Member::nationality));
    let nation = nation.unwrap_or(Nation::Any);
    let enemy = |(place, enemy): (usize, &Enemy)| drawing.enemy(place, enemy, nation);
    let letters = [
        ((0..enemies.len()).any(|place| drawing.knows(place)), "E Known enemy"),
        (!(0..enemies.len()).all(|place| drawing.knows(place)), "e enemy not yet Known"),
        (enemies.iter().any(|enemy| enemy.circumstances.concealed), "? concealed"),
        (enemies.iter().any(Enemy::is_broken), "b broken"),
    ];
    RouteMap {
        board: board(map),
        units: own.collect(),
        friends: friends.iter().enumerate().map(friend).collect(),
        enemies: enemies.iter().enumerate().map(enemy).collect(),
        moving,
        dangers,
        words: MapWords {
            title: "Rout",
            best_route: format!("best route ({BEST})"),
            stay: STAY,
            dashed_route: "Low Crawl",
            danger: "Interdicted",
            line_of_sight: "LOS of an Interdictor",
            known: "enemy Known at the start",
            unknown: "enemy not yet Known",
            letters: held(letters),
        },
    }
}

/// Returns the map with all units of a position, in which nobody routs. `nations` has those of the
/// enemies without a counter, by their names.
pub fn position_map(situation: &Situation, nations: &BTreeMap<String, &str>) -> RouteMap {
    let mut map = route_map(situation, &[], 0);
    for (token, enemy) in map.enemies.iter_mut().zip(&situation.enemies) {
        token.is_known = !enemy.circumstances.concealed;
        let counter = enemy.member.as_ref().map(Member::to_string);
        token.tooltip = counter.unwrap_or_else(|| enemy.name.clone());
        if enemy.member.is_none() {
            let nation = nations.get(&enemy.name).and_then(|nation| Nation::from_word(nation));
            token.colour = colour(nation.unwrap_or(Nation::Any));
            token.printed.clear();
        }
    }
    let words = MapWords { title: "Position", known: "", unknown: "concealed", ..map.words };
    RouteMap { words: MapWords { letters: Vec::new(), ..words }, ..map }
}

fn held<const N: usize>(facts: [(bool, &'static str); N]) -> Vec<&'static str> {
    facts.into_iter().filter_map(|(holds, word)| holds.then_some(word)).collect()
}

fn map_hex(hex: Hex) -> MapHex {
    MapHex { column: hex.column, height: hex.centre().1 }
}

fn map_location(location: Location) -> MapLocation {
    MapLocation { hex: map_hex(location.hex), level: location.level }
}

/// Returns a map for charts whose places have `names`. Names that are no Location are left out.
pub fn chart_board<'a>(map: &Map, names: impl Iterator<Item = &'a String>) -> ChartBoard {
    let place = |name: &String| {
        let location = map.parse_location(name).ok()?;
        Some((name.clone(), map_hex(location.hex)))
    };
    ChartBoard { hexes: board(map), places: names.filter_map(place).collect() }
}

/// A crossing on a map, as it is drawn.
pub struct CrossedBoard {
    pub board: ChartBoard,
    /// The names of the Locations on its path.
    pub path: Vec<String>,
    /// What stands where: the start of the path, and the enemies.
    pub marks: Vec<(String, String)>,
}

/// Returns the map of a crossing; `None` if the question is no crossing on a map.
pub fn crossed_board(question: &dyn DynQuestion) -> Option<CrossedBoard> {
    let prepared = question.as_any().downcast_ref::<PreparedQuestion<CrossingQuestion>>()?;
    let crossing = &prepared.question;
    let (crossed, start) = crossing.on_map.as_ref()?;
    let Situation { map, enemies, .. } = crossed.situation();
    let mut by_place: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, enemy) in enemies.iter().enumerate() {
        by_place.entry(map.location_name(enemy.at)).or_default().push(mark('E', place));
    }
    let marks = by_place.into_iter().map(|(at, enemies)| (at, enemies.join(" ")));
    let marks: Vec<_> = std::iter::once((start.clone(), START.to_string())).chain(marks).collect();
    let path: Vec<String> =
        crossing.path.locations.iter().map(|location| location.name.clone()).collect();
    let board = chart_board(map, path.iter().chain(marks.iter().map(|(at, _)| at)));
    Some(CrossedBoard { board, path, marks })
}

fn board(map: &Map) -> Board {
    let grounds = map.hexes().filter_map(|hex| Some((hex, map.get(hex)?)));
    grounds.map(|(hex, contents)| (map_hex(hex), ground(hex_name(map, hex), contents))).collect()
}

/// Returns the name of a hex as printed on the map, without the prefix of an only board.
fn hex_name(map: &Map, hex: Hex) -> String {
    match map.boards() {
        [only] => only.on_board(hex).map_or_else(|| map.name(hex), |own| own.to_string()),
        _ => map.name(hex),
    }
}

fn ground(name: String, contents: &HexContents) -> MapGround {
    let HexContents { terrain, works, smoke, blaze, hazard, .. } = *contents;
    let marks = held([(smoke, "SMOKE"), (blaze, "Blaze"), (hazard, MINEFIELD)]);
    MapGround {
        name,
        style: terrain_style(terrain),
        terrain: special(terrain),
        is_bridge: terrain.id == "bridge",
        level: contents.level,
        building: contents.building,
        // Each hex of a Rowhouse is a building of its own (B23.71).
        is_rowhouse: contents.rowhouse,
        has_stairs: contents.stairway,
        upper_levels: contents.upper_levels,
        roads: Hexside::ALL.map(|side| contents.road.has(side)),
        barriers: contents.sides.map(|barrier| barrier.map_or("", Barrier::name)),
        features: works.map(Works::name).into_iter().chain(marks).collect(),
    }
}

fn terrain_style(terrain: &Terrain) -> TerrainStyle {
    let id = terrain.id.as_str();
    let has = |words: &[&str]| words.iter().any(|word| id.contains(word));
    match () {
        _ if terrain.is_building && has(&["wood", "lumber", "market"]) => TerrainStyle::Wooden,
        _ if terrain.is_building => TerrainStyle::Stone,
        _ if has(&["rubble", "debris", "crag", "graveyard", "rail-car"]) => TerrainStyle::Rubble,
        _ if terrain.is_cover => TerrainStyle::Woods,
        _ if has(&["grain"]) => TerrainStyle::Grain,
        _ if has(&["orchard", "olive", "vineyard"]) => TerrainStyle::Orchard,
        _ if has(&["brush", "cactus"]) => TerrainStyle::Brush,
        _ if has(&["marsh", "mudflat"]) => TerrainStyle::Marsh,
        _ if has(&["water"]) => TerrainStyle::Water,
        _ if has(&["stream-s", "stream-deep"]) => TerrainStyle::Stream,
        _ if has(&["gully", "stream-dry", "sunken"]) => TerrainStyle::Gully,
        _ if has(&["shellhole"]) => TerrainStyle::Shellholes,
        _ if has(&["road", "runway", "bridge"]) => TerrainStyle::Road,
        _ => TerrainStyle::Open,
    }
}

/// Returns the name of a terrain that is drawn like another; empty if its style tells it.
fn special(terrain: &'static Terrain) -> &'static str {
    const PLAIN: &str =
        "open-ground woods bldg-wood bldg-stone orchard grain brush marsh gully bridge shellhole";
    match PLAIN.split(' ').any(|id| terrain.id == id) {
        true => "",
        false => terrain.name.split([',', '(']).next().unwrap_or_default(),
    }
}

/// Returns the colour of a nationality's counters, and whether their print is white.
fn colour(nation: Nation) -> (&'static str, bool) {
    match nation {
        Nation::German => ("#9dc3e0", false),
        Nation::GermanSs => ("#303030", true),
        Nation::Russian => ("#b98a55", false),
        Nation::American => ("#8cab54", false),
        Nation::British => ("#e3cd96", false),
        Nation::French => ("#6f9fd8", false),
        Nation::Italian => ("#b4b4ae", false),
        Nation::Finnish => ("#dcdfe3", false),
        Nation::AxisMinor => ("#93b8a3", false),
        Nation::Partisan => ("#a5714f", false),
        Nation::Any => ("#cfc9bd", false),
    }
}

fn tooltip(name: &str, what: &str) -> String {
    if name.is_empty() { what.to_string() } else { format!("{name} ({what})") }
}

/// Returns the word in a band across a counter, and the band's CSS class; `None` for no band.
fn band(member: &Member) -> Option<(&'static str, &'static str)> {
    let words = [
        (Condition::Captured, ("CAPTURED", "other")),
        (Condition::Disrupted, ("DISRUPT", "broken")),
        (Condition::Broken, ("BROKEN", "broken")),
        (Condition::Berserk, ("BERSERK", "other")),
        (Condition::Pinned, ("PIN", "pin")),
    ];
    words.into_iter().find(|(condition, _)| member.is(*condition)).map(|(_, band)| band)
}

fn tags(member: Option<&Member>, circumstances: Circumstances) -> Vec<&'static str> {
    let Circumstances { in_melee, ti, spotted_fire, moving, stunned, .. } = circumstances;
    let is = |condition| member.is_some_and(|member| member.is(condition));
    held([
        (is(Condition::Cx), "CX"),
        (is(Condition::Wounded), "wnd"),
        (is(Condition::Fanatic), "FAN"),
        (is(Condition::Heroic), "HERO"),
        (is(Condition::Encircled), "ENC"),
        (is(Condition::Unarmed), "unarmed"),
        (in_melee, "MELEE"),
        (ti, "TI"),
        (spotted_fire, "SPOT"),
        (moving, "MOTION"),
        (stunned, "STUN"),
    ])
}

fn figure(member: Option<&Member>) -> Figure {
    match member.map(|member| member.printed().kind) {
        Some(CounterKind::Squad) => Figure::ThreeMen,
        Some(CounterKind::HalfSquad | CounterKind::Crew) => Figure::TwoMen,
        Some(CounterKind::Leader | CounterKind::Hero | CounterKind::Commissar) => Figure::OneMan,
        None => Figure::Gun,
    }
}

fn crawls(course: &RoutCourse) -> bool {
    matches!(course.plan, RoutPlan::Crawl(_))
}

/// Returns whether drawn runs enter a Location and none is Interdicted there. A run can pay the
/// cost of cover that a hex offers to avoid Interdiction (B2.4).
fn spare_interdiction(courses: &[&RoutCourse], location: Location) -> bool {
    let runs = courses.iter().filter(|course| !crawls(course));
    let mut entries =
        runs.flat_map(|run| run.entries()).filter(|(to, _)| *to == location).peekable();
    entries.peek().is_some() && entries.all(|(_, is_interdicted)| !is_interdicted)
}

/// Selects at most `most` courses, the best first: those that move and, if it is best, the one that
/// stays. With room for two that move, there are a run and a Low Crawl.
fn worth_drawing(courses: &[RoutCourse], most: usize) -> Vec<&RoutCourse> {
    let mut moving: Vec<&RoutCourse> = Vec::new();
    for course in courses.iter().filter(|course| !course.route.is_empty()) {
        let is_same =
            |other: &&RoutCourse| other.route == course.route && crawls(other) == crawls(course);
        if !moving.iter().any(is_same) {
            moving.push(course);
        }
    }
    let best = moving.first().map(|best| crawls(best));
    let other_kind =
        moving.iter().position(|course| best.is_some_and(|best| crawls(course) != best));
    if let Some(other) = other_kind.filter(|&other| other >= most && most > 1) {
        moving.swap(other, most - 1);
    }
    let stays = courses.first().filter(|best| best.plan == RoutPlan::Stay && !moving.is_empty());
    stays.into_iter().chain(moving).take(most).collect()
}

fn chances(course: &RoutCourse) -> String {
    let sum = course.summary();
    let (survives, unhurt) = (percent(sum.survives), percent(sum.unhurt));
    match survives == unhurt {
        true if sum.survives > 0.0 => format!("survives unhurt {survives}"),
        true => format!("survives {survives}"),
        false => format!("survives {survives}, unhurt {unhurt}"),
    }
}

/// A situation, and the units whose routs are drawn: their 0-based indices, with their plans.
struct Drawing<'a> {
    situation: &'a Situation,
    units: &'a [(usize, &'a Prospect)],
}

impl Drawing<'_> {
    fn knows(&self, enemy: usize) -> bool {
        self.units.iter().any(|(_, prospect)| prospect.outlook.known.contains(&enemy))
    }

    fn location_name(&self, location: Location) -> String {
        let name = hex_name(&self.situation.map, location.hex);
        if location.level == 0 { name } else { format!("{name} level {}", location.level) }
    }

    /// Removes the Location from a unit's name, because the picture shows where the unit is.
    fn short_name(&self, name: &str, at: Location) -> String {
        name.replacen(&format!(" in {}", self.situation.map.location_name(at)), "", 1)
    }

    fn token(&self, mark: String, name: &str, member: Option<&Member>, at: Location) -> Token {
        let short = self.short_name(name, at);
        let printed = member.map_or("", |member| member.printed().printed());
        // A unit named after its counter has no name of its own.
        let rest = short.strip_prefix(printed);
        let is_own = !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("));
        let what = match (member, is_own) {
            (Some(member), true) => format!("{short} ({member})"),
            (Some(member), false) => member.to_string(),
            (None, _) => short.clone(),
        };
        let name = if is_own { short } else { String::new() };
        let listed: String = what.chars().filter(|letter| !letter.is_control()).collect();
        Token {
            at: map_location(at),
            sign: mark.clone(),
            mark,
            tooltip: tooltip(&name, &member.map_or(String::new(), Member::to_string)),
            name,
            listed: [format!("{listed} in {}", self.location_name(at)), String::new()],
            colour: colour(member.map_or(Nation::Any, Member::nationality)),
            figure: figure(member),
            printed: printed.to_string(),
            weapon: String::new(),
            band: member.and_then(band),
            corner: if member.is_some_and(|member| member.is(Condition::Dm)) { "DM" } else { "" },
            tags: tags(member, Circumstances::default()),
            is_concealed: false,
            is_known: true,
            surrenders: false,
        }
    }

    fn router(&self, place: usize, router: &Router) -> impl Iterator<Item = Token> {
        let Router { name, member, at, in_melee, escort, .. } = router;
        let drawn = self.units.iter().find(|(unit, _)| *unit == place);
        let unit = self.token(mark('U', place), name, Some(member), *at);
        let circumstances = Circumstances { in_melee: *in_melee, ..Circumstances::default() };
        let [listed, _] = unit.listed;
        let with = escort.as_ref().map_or(String::new(), |escort| format!(" with {escort}"));
        let unit = Token {
            sign: mark(if drawn.is_some() { 'U' } else { 'u' }, place),
            listed: [listed, with],
            tags: tags(Some(member), circumstances),
            surrenders: drawn.is_some_and(|(_, prospect)| prospect.ruling.surrenders),
            ..unit
        };
        let escort = escort.as_ref();
        let escort = escort
            .map(|escort| self.token(String::new(), escort.printed().printed(), Some(escort), *at));
        escort.into_iter().chain([unit])
    }

    /// Returns the counter of an enemy; a Gun or vehicle without a counter has the colour of
    /// `nation`. The sign is `E1` if the enemy is Known, else `e1`. A `?` is added for concealed
    /// and a `b` for broken enemies.
    fn enemy(&self, place: usize, enemy: &Enemy, nation: Nation) -> Token {
        let Enemy { name, member, at, firepower, range, circumstances, .. } = enemy;
        let is_known = self.knows(place);
        let concealed = if circumstances.concealed { "?" } else { "" };
        let broken = if enemy.is_broken() { "b" } else { "" };
        let letter = if is_known { 'E' } else { 'e' };
        let token = self.token(mark('E', place), name, member.as_ref(), *at);
        let weapon = enemy.weapon.map(|weapon| format!("{}-{}", weapon.firepower, weapon.range));
        let dash =
            |number: Option<u16>| number.map_or("-".to_string(), |number| number.to_string());
        let bare = || format!("{}-{}", dash(firepower.map(u16::from)), dash(*range));
        let token = match member {
            Some(_) => {
                let weapon = weapon.map_or(String::new(), |weapon| format!("SW {weapon}"));
                Token { weapon, ..token }
            }
            None => {
                let printed = weapon.unwrap_or_else(bare);
                let figure = if circumstances.vehicle { Figure::Vehicle } else { Figure::Gun };
                Token { colour: colour(nation), printed, figure, ..token }
            }
        };
        let what = member.as_ref().map_or_else(|| token.printed.clone(), Member::to_string);
        let known = if is_known { "" } else { ", not Known at the start" };
        Token {
            sign: format!("{}{concealed}{broken}", mark(letter, place)),
            tooltip: tooltip(&token.name, &format!("{what}{known}")),
            tags: tags(member.as_ref(), *circumstances),
            is_concealed: circumstances.concealed,
            is_known,
            ..token
        }
    }

    fn route(&self, unit: usize, course: &RoutCourse) -> Route {
        let ground = course.route.last().and_then(|end| self.situation.map.get(end.hex));
        let is_exposed =
            ground.is_some_and(|ground| !ground.is_cover() && ground.works != Some(Works::Pillbox));
        let (is_dashed, survives) = (crawls(course), course.summary().survives);
        let where_it_ends = if is_exposed { ", in the open" } else { "" };
        let still = if is_exposed { ", still in the open" } else { "" };
        let what = match course.plan {
            RoutPlan::Stay => STAY,
            RoutPlan::Crawl(_) => "Low Crawl",
            _ => "best run",
        };
        let dangerous = course.entries().filter(|(_, is_interdicted)| *is_interdicted);
        Route {
            steps: course.route.iter().map(|&location| map_location(location)).collect(),
            dangerous: dangerous.map(|(location, _)| map_hex(location.hex)).collect(),
            survives,
            is_dashed,
            is_exposed,
            is_shortest: course.shortest,
            tooltip: format!("{}: {} survives{where_it_ends}", self.way(course), percent(survives)),
            listed: format!("{what} of {}{still}: {}", mark('U', unit), chances(course)),
        }
    }

    /// Describes where a course leads if no attack stops it, such as `to Z9 by AA9`.
    fn way(&self, course: &RoutCourse) -> String {
        let Some((&end, through)) = course.route.split_last() else { return STAY.to_string() };
        let end = self.location_name(end);
        let through = through.iter().map(|&location| self.location_name(location));
        match through.collect::<Vec<_>>().join(", ").as_str() {
            _ if crawls(course) => format!("Low Crawl to {end}"),
            "" => format!("to {end}"),
            through => format!("to {end} by {through}"),
        }
    }

    /// Describes the rules' demand on a unit, such as `must rout` or `surrenders to Z5`.
    fn ruling(&self, prospect: &Prospect) -> String {
        let ruling = &prospect.ruling;
        if !ruling.surrenders {
            return ruling.words();
        }
        let captor = |&enemy: &usize| self.situation.enemies.get(enemy);
        let captors = ruling.captors.iter().filter_map(captor).map(|enemy| {
            let name = self.short_name(&enemy.name, enemy.at);
            format!("{name} in {}", self.location_name(enemy.at))
        });
        format!("surrenders to {}", captors.collect::<Vec<_>>().join(" or "))
    }

    fn caption(&self, unit: usize, router: &Router, prospect: &Prospect) -> String {
        let name = self.short_name(&router.name, router.at);
        let at = self.location_name(router.at);
        let mut caption = format!("{}: {name} in {at} {}.", mark('U', unit), self.ruling(prospect));
        let best = prospect.courses.first().filter(|_| !prospect.ruling.surrenders);
        let other = |best: &&RoutCourse| {
            let differs =
                |course: &&RoutCourse| crawls(course) != crawls(best) && !course.route.is_empty();
            prospect.courses.iter().find(differs)
        };
        for (word, course) in [("Best: ", best), ("Otherwise ", best.as_ref().and_then(other))] {
            if let Some(course) = course {
                caption += &format!(" {word}{}: {}.", self.way(course), chances(course));
            }
        }
        caption
    }
}
