//! Tests of the pictures of every shipped situation, and of odd ones.
//! The pictures must be well-formed, complete, and never wider than a terminal.
#![cfg(feature = "cli")]

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lowcrawl::api::rout::picture::route_map;
use lowcrawl::asl::rout::{MAX_ENEMIES, Situation};
use lowcrawl::board::map::Map;
use lowcrawl::charts::{svg, terminal};
use lowcrawl::course::rout::{Prospect, prospect};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::scenario::{Scenario, as_written, read};

const FOLDER: &str = "studies/rout";

fn scenario(text: &str) -> Scenario {
    let open =
        |name: &str| -> io::Result<String> { fs::read_to_string(Path::new(FOLDER).join(name)) };
    read(text, &as_written, &open).unwrap_or_else(|error| panic!("{error:?}"))
}

fn shipped() -> Vec<(PathBuf, Scenario)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    assert!(paths.len() >= 19, "{paths:?}");
    paths
        .into_iter()
        .map(|path| (path.clone(), scenario(&fs::read_to_string(path).unwrap())))
        .collect()
}

fn prospects(situation: &Situation) -> Vec<Prospect> {
    situation
        .routers
        .iter()
        .map(|router| prospect(situation, router, Monitor::NONE).unwrap())
        .collect()
}

fn svg_of(situation: &Situation, title: &str) -> String {
    let prospects = prospects(situation);
    let units: Vec<(usize, &Prospect)> = prospects.iter().enumerate().collect();
    svg::draw(&route_map(situation, &units, 6), Some(title), Some(svg::WITHIN)).svg
}

fn map_of(situation: &Situation, colour: bool) -> String {
    let prospects = prospects(situation);
    let units: Vec<(usize, &Prospect)> = prospects.iter().enumerate().collect();
    terminal::draw(&route_map(situation, &units, 2), colour)
}

/// Returns the texts of all elements.
/// Fails unless every element is closed in order, every attribute is quoted and every `&` begins an
/// entity.
fn well_formed(svg: &str) -> Vec<String> {
    let (mut open, mut texts, mut rest) = (Vec::new(), Vec::new(), svg.trim());
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>') || open.last() == Some(&"style"), "a stray > in {text}");
        entities(text);
        if !text.trim().is_empty() {
            texts.push(text.to_string());
        }
        let end = start + rest[start..].find('>').expect("every tag ends");
        let tag = &rest[start + 1..end];
        entities(tag);
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        let quotes = tag.matches('\'').count();
        assert!(quotes % 2 == 0 && quotes / 2 == tag.matches('=').count(), "attributes of <{tag}>");
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name), "</{name}>"),
            (false, true) => {}
            (false, false) => open.push(name),
        }
        rest = &rest[end + 1..];
        assert!(!open.is_empty() || rest.is_empty(), "one element holds all");
    }
    assert!(open.is_empty() && rest.is_empty(), "{open:?} {rest}");
    assert!(svg.chars().all(|letter| letter == '\n' || !letter.is_control()));
    texts
}

fn entities(text: &str) {
    for (place, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        assert!(known.iter().any(|entity| text[place..].starts_with(entity)), "{text}");
    }
    assert!(!text.contains("NaN") && !text.contains("inf,"), "no number in {text}");
}

/// Returns the name of a hex as a picture of one board shows it.
fn printed(map: &Map, hex: lowcrawl::board::hex::Hex) -> String {
    map.boards()[0].on_board(hex).unwrap().to_string()
}

/// Returns the hexes that a picture must name: those of routes, Interdiction and units.
fn named(situation: &Situation, prospects: &[Prospect]) -> BTreeSet<String> {
    let routes = prospects
        .iter()
        .flat_map(|prospect| prospect.courses.first())
        .flat_map(|course| course.route.clone());
    let units = situation
        .routers
        .iter()
        .map(|router| router.at)
        .chain(situation.enemies.iter().map(|enemy| enemy.at));
    routes.chain(units).map(|site| printed(&situation.map, site.hex)).collect()
}

#[test]
fn every_shipped_situation_has_a_complete_picture() {
    for (path, Scenario { situation, about, .. }) in shipped() {
        let title = about.unwrap();
        let picture = svg_of(&situation, &title);
        let texts = well_formed(&picture);
        let place = path.display();
        let has = |text: &str| texts.iter().any(|other| other == text);
        assert!(has(&title.replace('\'', "&#39;")), "{place}: no title");
        let prospects = prospects(&situation);
        for name in named(&situation, &prospects) {
            assert!(has(&name), "{place}: no {name}");
        }
        for router in &situation.routers {
            assert!(
                has(router.member.printed().printed()) && has("BROKEN") && has("DM"),
                "{place}: {}",
                router.name
            );
        }
        let enemies = situation.enemies.len();
        let unknown = (0..enemies)
            .filter(|enemy| {
                !prospects.iter().any(|prospect| prospect.outlook.known.contains(enemy))
            })
            .count();
        assert_eq!(picture.matches("<g class='unit unknown'>").count(), unknown, "{place}");
        let escorts = situation.routers.iter().filter(|router| router.escort.is_some()).count();
        let shown = situation.routers.len() + escorts + situation.friends.len() + enemies - unknown;
        assert_eq!(picture.matches("<g class='unit'>").count(), shown, "{place}");
        assert!(has("chance to survive") && has("100%"), "{place}: no scale");
    }
}

/// Interdicted hexes are hatched, with a line from every Interdictor.
#[test]
fn interdicted_hexes_are_hatched_with_a_line_per_enemy() {
    for (path, Scenario { situation, .. }) in shipped() {
        let prospects = prospects(&situation);
        let hexes: BTreeSet<_> = prospects
            .iter()
            .flat_map(|prospect| &prospect.outlook.interdicted)
            .map(|(site, _)| site.hex)
            .collect();
        let lines: BTreeSet<_> = prospects
            .iter()
            .flat_map(|prospect| &prospect.outlook.interdicted)
            .flat_map(|(site, by)| by.iter().map(|&enemy| (site.hex, enemy)))
            .collect();
        let picture = svg_of(&situation, "");
        let map = picture.split("<g class='names'>").next().unwrap();
        assert_eq!(
            map.matches("<polygon class='interdicted'").count(),
            hexes.len(),
            "{}",
            path.display()
        );
        assert_eq!(map.matches("<path class='sight").count(), lines.len(), "{}", path.display());
    }
}

#[test]
fn low_crawl_is_dashed_and_best_run_is_solid() {
    let text = fs::read_to_string(Path::new(FOLDER).join("sk06.toml")).unwrap();
    let picture = svg_of(&scenario(&text).situation, "");
    assert!(picture.contains("<title>Low Crawl to Z4: 100% survives, in the open</title>"));
    assert!(picture.contains("<title>to Z7 by Z4, Z5, Z6: 56% survives</title>"));
    let ways = picture
        .split("<g class='ways'>")
        .nth(1)
        .unwrap()
        .split("<g class='names'>")
        .next()
        .unwrap();
    assert_eq!(ways.matches("stroke-dasharray").count(), 1);
    let head_of = |way: &str| {
        let group = ways.split("<g class='way'>").find(|group| group.contains(way)).unwrap();
        group.split("<path class='head").nth(1).unwrap().split('>').next().unwrap()
    };
    assert!(head_of("Low Crawl to Z4").starts_with(" exposed' stroke='"));
    assert!(head_of("to Z7 by Z4").starts_with(" covered' fill='"));
    let texts = well_formed(&picture);
    for words in ["Low Crawl", "ends in cover", "ends in the open"] {
        assert!(texts.iter().any(|text| text == words), "{words}");
    }
}

/// Characters and words distinguish a step that ends in the open from one that ends in cover.
#[test]
fn step_that_ends_in_the_open_is_marked_in_text() {
    let map_of_file = |name: &str| {
        let text = fs::read_to_string(Path::new(FOLDER).join(name)).unwrap();
        map_of(&scenario(&text).situation, false)
    };
    let open = map_of_file("sk06.toml");
    let (map, words) = open.split_once("\n\n").unwrap();
    assert!(map.contains("1-") && !map.contains("1~"), "{map}");
    assert!(words.contains("1- Low Crawl of U1, still in the open: survives"), "{words}");
    assert!(words.contains("1a 1b 1c 1d best run of U1: survives"), "{words}");
    let covered = scenario(
        "[map]\nrows = \"\"\"\n   A B C D E\n1  . w . . .\n2  . . . . .\n\"\"\"\n[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"B2\"\n[[enemy]]\nunit = \"american:6-6-6\"\nat = \"E2\"\n",
    );
    let covered = map_of(&covered.situation, false);
    assert!(covered.contains("1~ Low Crawl of U1: survives"), "{covered}");
}

/// One page can hold several pictures, because each has its own styles and ids.
#[test]
fn each_picture_has_its_own_styles_and_ids() {
    let mut all = BTreeSet::new();
    let pictures: Vec<String> =
        shipped().iter().map(|(_, scenario)| svg_of(&scenario.situation, "")).collect();
    for picture in &pictures {
        let named = |key: &str, end: char| -> Vec<&str> {
            picture.split(key).skip(1).map(|rest| rest.split(end).next().unwrap()).collect()
        };
        let ids = named(" id='", '\'');
        assert!(ids[0].starts_with("rout-") && ids.len() > 5, "{ids:?}");
        assert!(ids.iter().all(|id| id.starts_with(ids[0])), "{ids:?}");
        for used in named("url(#", ')') {
            assert!(ids.contains(&used), "{used}");
        }
        let style = picture.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
        let rules = style.replace("@media (prefers-color-scheme:dark){", "");
        let selectors = rules.split('}').filter_map(|rule| rule.split_once('{'));
        for selector in selectors.flat_map(|(rule, _)| rule.split(',')) {
            assert!(selector.starts_with(&format!("#{} ", ids[0])), "{selector}");
        }
        all.insert(ids[0].to_string());
    }
    assert_eq!(all.len(), pictures.len());
}

/// Returns the boxes of the probabilities at the ends of routes: x and y of the middle, width,
/// height.
fn chance_boxes(picture: &str) -> Vec<[f64; 4]> {
    let boxes = picture.split("<rect class='plate chance'").skip(1).map(|rest| {
        ["x", "y", "width", "height"].map(|name| {
            let from = rest.split(&format!(" {name}='")).nth(1).unwrap();
            from.split('\'').next().unwrap().parse().unwrap()
        })
    });
    boxes.collect()
}

#[test]
fn chance_boxes_do_not_overlap() {
    let mut all = 0;
    for (path, Scenario { situation, .. }) in shipped() {
        let boxes = chance_boxes(&svg_of(&situation, ""));
        all += boxes.len();
        for (place, first) in boxes.iter().enumerate() {
            for second in &boxes[..place] {
                let is_apart = |at: usize| {
                    first[at] + first[at + 2] <= second[at] + 0.11
                        || second[at] + second[at + 2] <= first[at] + 0.11
                };
                assert!(is_apart(0) || is_apart(1), "{}: {first:?} {second:?}", path.display());
            }
        }
    }
    assert!(all > 60, "{all}");
}

#[test]
fn levels_of_buildings_are_explained() {
    let text = fs::read_to_string(Path::new(FOLDER).join("a10-531.toml")).unwrap();
    let texts = well_formed(&svg_of(&scenario(&text).situation, ""));
    for words in ["+1", "levels above the ground floor", "L1", "ends on that level"] {
        assert!(texts.iter().any(|text| text == words), "{words}");
    }
}

#[test]
fn text_is_escaped() {
    let text = "[map]\narea = \"A1-C3\"\n[[rout]]\nname = 'a<b&\"c\"'\nunit = \"german:4-6-7/broken\"\nat = \"B2\"\n";
    let situation = scenario(text).situation;
    let texts = well_formed(&svg_of(&situation, "<&\">'\u{7}"));
    assert!(texts.iter().any(|text| text == "&lt;&amp;&quot;&gt;&#39;"), "{texts:?}");
    assert!(texts.iter().any(|text| text == "a&lt;b&amp;&quot;c&quot;"), "{texts:?}");
    assert!(map_of(&situation, false).contains("U1 a<b&\"c\" (german:4-6-7/broken) in B2"));
}

#[test]
fn terminal_map_shows_every_hex_and_unit() {
    for (path, Scenario { situation, .. }) in shipped() {
        let (plain, coloured) = (map_of(&situation, false), map_of(&situation, true));
        let place = path.display();
        assert!(plain.lines().all(|line| line.chars().count() <= 80), "{place}: too wide\n{plain}");
        assert!(!plain.contains('\x1b') && coloured.contains('\x1b'));
        assert_eq!(without_colours(&coloured), plain, "{place}");
        let (map, words) = plain.split_once("\n\n").unwrap();
        let prospects = prospects(&situation);
        let is_cut = words.contains("no more columns fit");
        for name in named(&situation, &prospects) {
            assert!(map.contains(&name) || is_cut, "{place}: no {name}\n{map}");
        }
        for number in 1..=situation.routers.len() {
            assert!(
                map.contains(&format!("U{number}")) && words.contains(&format!("U{number} ")),
                "{place}: U{number}"
            );
        }
        for (number, enemy) in (1..).zip(&situation.enemies) {
            let is_known =
                prospects.iter().any(|prospect| prospect.outlook.known.contains(&(number - 1)));
            let kind = if is_known { "E" } else { "e" };
            let hidden = if enemy.circumstances.concealed { "?" } else { "" };
            let broken = if enemy.is_broken() { "b" } else { "" };
            let mark = format!("{kind}{number}{hidden}{broken}");
            assert!(
                map.contains(&mark) && words.contains(&format!("{mark} ")),
                "{place}: {mark}\n{plain}"
            );
        }
        let danger = prospects.iter().any(|prospect| !prospect.outlook.interdicted.is_empty());
        assert_eq!(words.contains("! Interdicted by "), danger, "{place}");
    }
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap().to_string();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}

/// A picture of one routing unit marks the others by lower case in its words.
#[test]
fn picture_of_one_unit_marks_the_others_in_lower_case() {
    let text = fs::read_to_string(Path::new(FOLDER).join("a10-531.toml")).unwrap();
    let situation = scenario(&text).situation;
    let one = prospect(&situation, &situation.routers[1], Monitor::NONE).unwrap();
    let map = terminal::draw(&route_map(&situation, &[(1, &one)], 2), false);
    assert!(
        map.contains("U2 ") && map.contains("u1 ") && map.contains("2a") && !map.contains("U1"),
        "{map}"
    );
    let map = route_map(&situation, &[(1, &one)], 6);
    let picture = svg::draw(&map, Some(""), Some(svg::WITHIN)).svg;
    assert_eq!(well_formed(&picture).iter().filter(|text| *text == "DM").count(), 4);
    assert!(picture.contains("J2 may rout") && !picture.contains("G2 may rout"));
}

/// Unusual maps that could break a picture.
#[test]
fn odd_maps_are_drawn() {
    let unit = |at: &str| format!("[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"{at}\"\n");
    let enemy = |at: &str| format!("[[enemy]]\nunit = \"american:6-6-6\"\nat = {at}\n");
    let boards = "[[board]]\nprefix = \"y\"\nhexes = \"board-y.csv\"\n[[board]]\nprefix = \"10\"\nhexes = \"board-z.csv\"\nat = [1, 0]\nturned = true\n";
    let crowd = format!("[{}]", ["\"A1\""; MAX_ENEMIES].join(", "));
    let features = "[map]\nrows = \"\"\"\n   A  B  C  D  E\n1  .  w  B  k  y\n2  g  o  u  s  ~\n3  m  -  .  y  .\n\"\"\"\nlevels = { 1 = [\"A1\"], 2 = [\"E3\"] }\nroads = [[\"A1\", \"A2\", \"B2\"]]\nhexsides = { wall = [\"A1-B1\"], hedge = [\"C2-C3\"], cliff = [\"D2-D3\"], bocage = [\"D1-D2\"], roadblock = [\"E1-E2\"] }\nsmoke = [\"C3\"]\nblaze = [\"B1\"]\nfoxholes = [\"C3\"]\ntrenches = [\"E3\"]\npillboxes = [\"B2\"]\nminefields = [\"D1\"]\nffe = [\"D2\"]\n[[map.building]]\nhexes = [\"C1\"]\nupper-levels = 3\nstairways = [\"C1\"]\n";
    for text in [
        format!("[map]\narea = \"A1-A1\"\n{}", unit("A1")),
        format!("[map]\narea = \"A1-D4\"\n{}{}", unit("D4"), enemy(&crowd)),
        format!(
            "[map]\narea = \"A1-GG10\"\n{}{}{}",
            unit("A1"),
            unit("GG10"),
            enemy("[\"Q5\", \"AA3\"]")
        ),
        format!("{boards}{}{}", unit("yBB8"), enemy("\"10C7\"")),
        format!("{features}{}{}", unit("C1 level 2"), enemy("[\"A3\", \"E3\"]")),
        format!(
            "{features}{}{}[[enemy]]\nat = \"A1\"\nvehicle = true\nfp = 4\nrange = 12\n",
            unit("B2"),
            enemy("\"D1\"")
        ),
    ] {
        let situation = scenario(&text).situation;
        well_formed(&svg_of(&situation, "odd"));
        let map = map_of(&situation, false);
        assert!(map.lines().all(|line| line.chars().count() <= 80), "{map}");
        // This situation has neither routing units nor enemies.
        let nobody = Situation { routers: Vec::new(), enemies: Vec::new(), ..situation.clone() };
        well_formed(&svg_of(&nobody, ""));
        map_of(&nobody, true);
        // This situation has an empty map under the units.
        let empty = Situation { map: Map::new(Vec::new(), []), ..situation.clone() };
        let prospects = prospects(&situation);
        let units: Vec<(usize, &Prospect)> =
            prospects.iter().enumerate().chain([(7, &prospects[0])]).collect();
        let off_map = route_map(&empty, &units, 6);
        well_formed(&svg::draw(&off_map, Some(""), Some(svg::WITHIN)).svg);
        let without_routes = route_map(&situation, &units, 0);
        well_formed(&svg::draw(&without_routes, Some(&"x".repeat(300)), None).svg);
        assert!(terminal::draw(&route_map(&empty, &units, 2), true).lines().count() > 0);
    }
}

/// The page's middle of each hex lies below the name of the hex.
#[test]
fn hex_middles_lie_below_their_names() {
    for (path, Scenario { situation, .. }) in shipped() {
        for heading in [Some(""), None] {
            let svg::Picture { svg, middles } =
                svg::draw(&route_map(&situation, &[], 6), heading, None);
            assert_eq!(middles.len(), situation.map.hexes().count());
            let numbers = |text: &str| -> Vec<f64> {
                let parts = text.split(['\'', '(', ')', ',']);
                parts.filter_map(|part| part.parse().ok()).collect()
            };
            let moved = svg.split("transform='translate").nth(1).unwrap();
            let moved = numbers(moved.split('>').next().unwrap());
            let names = svg.split("<text class='name' ").skip(1);
            let places: Vec<Vec<f64>> =
                names.map(|name| numbers(name.split('>').next().unwrap())).collect();
            assert_eq!(places.len(), middles.len(), "{}", path.display());
            for ([x, y], place) in middles.iter().zip(&places) {
                let (across, down) = (x - moved[0] - place[0], y - moved[1] - place[1]);
                assert!(across.abs() < 0.2 && (25.0..42.0).contains(&down), "{across} {down}");
            }
        }
    }
}
