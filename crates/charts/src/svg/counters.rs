//! Counters: squares in the colour of a nationality, with strength factors and conditions.

use std::collections::BTreeMap;

use super::canvas::{Canvas, Point, SIDE, centre, circle, escape, plate_size, point};
use super::room::Room;
use crate::view::View;
use asl::board::hex::Hex;
use asl::board::map::Location;
use asl::catalogue::CounterKind;
use asl::nation::Nation;
use asl::rout::{Circumstances, Enemy, mark};
use asl::stack::Member;
use asl::unit::Condition;

/// Width of a counter in pixels, small enough to leave a building visible around it.
const SIZE: f64 = 38.0;

struct Piece<'a> {
    /// The unit's own name; empty if the unit is named after its counter.
    name: String,
    member: Option<&'a Member>,
    nation: Nation,
    at: Location,
    factors: String,
    /// FP and range of the SW or Gun.
    weapon: Option<String>,
    circumstances: Circumstances,
    /// Mark on the map, such as `U1` or `E1`; empty for an escort.
    mark: String,
    surrenders: bool,
    /// False for an enemy who is not Known to any unit of the picture.
    is_known: bool,
}

impl<'a> Piece<'a> {
    fn new(name: String, member: Option<&'a Member>, at: Location) -> Piece<'a> {
        let factors = member.map_or("", |member| member.printed().printed());
        Piece {
            name,
            member,
            nation: member.map_or(Nation::Any, nation_of),
            at,
            factors: factors.to_string(),
            weapon: None,
            circumstances: Circumstances::default(),
            mark: String::new(),
            surrenders: false,
            is_known: true,
        }
    }

    /// Returns the counter of an enemy. `nation` is that of a Gun or vehicle.
    fn of_enemy(self, enemy: &Enemy, nation: Nation) -> Piece<'a> {
        let Enemy { firepower, range, circumstances, .. } = enemy;
        let weapon = enemy.weapon.map(|weapon| format!("{}-{}", weapon.firepower, weapon.range));
        let dash =
            |number: Option<u16>| number.map_or("-".to_string(), |number| number.to_string());
        let bare = || format!("{}-{}", dash(firepower.map(u16::from)), dash(*range));
        let piece = Piece { circumstances: *circumstances, ..self };
        match piece.member {
            Some(_) => Piece { weapon, ..piece },
            None => Piece { nation, factors: weapon.unwrap_or_else(bare), ..piece },
        }
    }

    fn is(&self, condition: Condition) -> bool {
        self.member.is_some_and(|member| member.is(condition))
    }

    /// Returns the word in a band across the counter, and the band's CSS class; `None` for no band.
    fn band(&self) -> Option<(&'static str, &'static str)> {
        let words = [
            (Condition::Captured, "CAPTURED", "other"),
            (Condition::Disrupted, "DISRUPT", "broken"),
            (Condition::Broken, "BROKEN", "broken"),
            (Condition::Berserk, "BERSERK", "other"),
            (Condition::Pinned, "PIN", "pin"),
        ];
        let found = words.into_iter().find(|(condition, ..)| self.is(*condition));
        found.map(|(_, word, style)| (word, style))
    }

    /// Returns the abbreviations of conditions at the edge of the counter.
    fn tags(&self) -> Vec<&'static str> {
        let Circumstances { in_melee, ti, spotted_fire, moving, stunned, .. } = self.circumstances;
        let of_counter = [
            (Condition::Cx, "CX"),
            (Condition::Wounded, "wnd"),
            (Condition::Fanatic, "FAN"),
            (Condition::Heroic, "HERO"),
            (Condition::Encircled, "ENC"),
            (Condition::Unarmed, "unarmed"),
        ];
        let placed = [
            (in_melee, "MELEE"),
            (ti, "TI"),
            (spotted_fire, "SPOT"),
            (moving, "MOTION"),
            (stunned, "STUN"),
        ];
        let of_counter = of_counter.map(|(condition, tag)| (self.is(condition), tag));
        let all = of_counter.into_iter().chain(placed);
        all.filter_map(|(holds, tag)| holds.then_some(tag)).collect()
    }
}

fn nation_of(member: &Member) -> Nation {
    member.nation.unwrap_or(member.printed().nation)
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

/// Returns the counters in each hex, the lowest first.
fn stacks<'a>(view: &View<'a>) -> BTreeMap<Hex, Vec<Piece<'a>>> {
    let situation = view.situation;
    let named = |name: &str, member: Option<&'a Member>, at: Location| {
        Piece::new(view.own_name(name, member, at).unwrap_or_default(), member, at)
    };
    let nation = situation.enemies.iter().find_map(|enemy| enemy.member.as_ref().map(nation_of));
    let nation = nation.unwrap_or(Nation::Any);
    let enemies = situation.enemies.iter().enumerate().map(|(place, enemy)| Piece {
        mark: mark('E', place),
        is_known: view.known.contains(&place),
        ..named(&enemy.name, enemy.member.as_ref(), enemy.at).of_enemy(enemy, nation)
    });
    let friends = situation.friends.iter().enumerate().map(|(place, friend)| Piece {
        mark: mark('F', place),
        ..named(&friend.name, Some(&friend.member), friend.at)
    });
    let routers = situation.routers.iter().enumerate().flat_map(|(place, router)| {
        let prospect = view.units.iter().find(|(unit, _)| *unit == place);
        let unit = Piece {
            circumstances: Circumstances { in_melee: router.in_melee, ..Circumstances::default() },
            mark: mark('U', place),
            surrenders: prospect.is_some_and(|(_, prospect)| prospect.ruling.surrenders),
            ..named(&router.name, Some(&router.member), router.at)
        };
        let escort = router.escort.iter();
        escort.map(|escort| Piece::new(String::new(), Some(escort), router.at)).chain([unit])
    });
    let mut stacks: BTreeMap<Hex, Vec<Piece>> = BTreeMap::new();
    for piece in enemies.chain(friends).chain(routers) {
        stacks.entry(piece.at.hex).or_default().push(piece);
    }
    stacks
}

/// Draws every counter with the names below, and marks their space as taken in `room`.
pub(super) fn draw(canvas: &mut Canvas, view: &View, room: &mut Room) {
    for (hex, pieces) in stacks(view).into_iter().filter(|(hex, _)| view.hexes.contains(hex)) {
        let spread = (pieces.len() - 1) as f64;
        let step =
            point(1.0, -1.0) * if pieces.len() > 2 { (28.0 / spread).min(6.0) } else { 13.0 };
        let lowest = centre(hex) + point(0.0, 1.5 + 2.5 * spread.min(3.0)) - step * (0.5 * spread);
        for (place, piece) in pieces.iter().enumerate() {
            let class = if piece.is_known { "unit" } else { "unit unknown" };
            canvas.group(&format!("class='{class}'"), |canvas| {
                draw_piece(canvas, lowest + step * place as f64, piece, room)
            });
        }
        let named = pieces.iter().map(|piece| piece.name.as_str());
        let named: Vec<&str> = named.filter(|name| !name.is_empty()).collect();
        for (place, line) in name_lines(&named).iter().enumerate() {
            let below = 0.64 * SIDE + 6.0 * spread.min(1.5) + 10.0 * place as f64;
            let at = centre(hex) + point(0.0, below);
            room.take(at, plate_size(line, 8.0));
            canvas.plate("who", at, 8.0, line);
        }
    }
}

/// Returns the lines of names under a stack: at most two names, or the first and a count.
fn name_lines(names: &[&str]) -> Vec<String> {
    let short = |name: &str| match name.char_indices().nth(15) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_string(),
    };
    match names {
        [one, two] if one.len() + two.len() < 16 => vec![format!("{one}, {two}")],
        [first, rest @ ..] if rest.len() > 1 => {
            vec![format!("{} and {} more", short(first), rest.len())]
        }
        names => names.iter().map(|name| short(name)).collect(),
    }
}

fn draw_piece(canvas: &mut Canvas, at: Point, piece: &Piece, room: &mut Room) {
    let half = SIZE / 2.0;
    room.take(at, point(SIZE, SIZE));
    let (fill, is_dark) = colour(piece.nation);
    let ink = if is_dark { "pale" } else { "ink" };
    canvas.add(format_args!("<title>{}</title>", escape(&describe(piece))));
    let square = |canvas: &mut Canvas, class: &str, corner: Point, fill: &str| {
        let Point { x, y } = corner;
        canvas.add(format_args!(
            "<rect class='{class}' x='{x:.1}' y='{y:.1}' width='{SIZE}' \
            height='{SIZE}' rx='2'{fill}/>"
        ));
    };
    square(canvas, "shadow", at - point(half - 2.0, half - 2.5), "");
    if !piece.is_known {
        square(canvas, "under", at - point(half, half), "");
    }
    square(canvas, "counter", at - point(half, half), &format!(" fill='{fill}'"));
    match piece.circumstances.concealed {
        true => canvas.words(&format!("doubt {ink}"), at + point(0.0, 3.0), "?"),
        false => figures(canvas, at - point(0.0, 9.5), piece, ink),
    }
    let narrow = if piece.factors.len() > 6 { " font-size='10.5'" } else { "" };
    canvas.add(format_args!(
        "<text class='factors {ink}' x='{:.1}' y='{:.1}'{narrow}>{}</text>",
        at.x,
        at.y + half - 3.5,
        escape(&piece.factors)
    ));
    if let Some(weapon) = &piece.weapon {
        canvas.plate("tag", at + point(14.0, -half), 8.0, &format!("SW {weapon}"));
    }
    if let Some((word, style)) = piece.band() {
        let top = at.y - 5.0;
        canvas.add(format_args!(
            "<rect class='band {style}' x='{:.1}' y='{top:.1}' width='{SIZE}' height='10'/>",
            at.x - half
        ));
        canvas.words(&format!("said {style}"), point(at.x, top + 7.8), word);
    }
    edge_tags(canvas, at, piece, room);
}

/// Draws the marks at the edges of a counter: its mark, DM, tags, level, and a white flag.
fn edge_tags(canvas: &mut Canvas, at: Point, piece: &Piece, room: &mut Room) {
    let half = SIZE / 2.0;
    let mut plate = |class: &str, at: Point, size: f64, text: &str| {
        room.take(at, plate_size(text, size));
        canvas.plate(class, at, size, text);
    };
    if piece.is(Condition::Dm) {
        plate("dm", at + point(half - 3.0, -half + 3.0), 8.5, "DM");
    }
    for (place, tag) in piece.tags().iter().enumerate() {
        let right = half + plate_size(tag, 7.0).x / 2.0;
        plate("tag", at + point(right, -half + 15.0 + 10.0 * place as f64), 7.0, tag);
    }
    if !piece.mark.is_empty() {
        plate("badge", at + point(-half + 2.0, -half + 3.0), 8.5, &piece.mark);
    }
    if piece.at.level > 0 {
        let level = format!("L{}", piece.at.level);
        plate("level-tag", at + point(-half + 3.0, half - 17.0), 7.5, &level);
    }
    if piece.surrenders {
        let pole = at + point(half - 8.0, -half + 6.0);
        canvas.path("flag", &format!("M{pole} l0,-26 l17,0 l-4,5 l4,6 l-17,0"));
    }
}

/// Describes a unit for its tooltip.
fn describe(piece: &Piece) -> String {
    let what = piece.member.map_or_else(|| piece.factors.clone(), Member::to_string);
    let known = if piece.is_known { "" } else { ", not Known at the start" };
    if piece.name.is_empty() {
        format!("{what}{known}")
    } else {
        format!("{} ({what}{known})", piece.name)
    }
}

/// Draws three men for a squad, two for a half-squad or crew, one for an SMC. An enemy without a
/// counter is drawn as a vehicle or as a Gun.
fn figures(canvas: &mut Canvas, at: Point, piece: &Piece, ink: &str) {
    let men: &[f64] = match piece.member.map(|member| member.printed().kind) {
        Some(CounterKind::Squad) => &[-9.0, 0.0, 9.0],
        Some(CounterKind::HalfSquad | CounterKind::Crew) => &[-5.0, 5.0],
        Some(CounterKind::Leader | CounterKind::Hero | CounterKind::Commissar) => &[0.0],
        None if piece.circumstances.vehicle => {
            let (hull, turret) = (at + point(-13.0, -5.0), circle(at, 4.0));
            let tank = format!("M{hull} h26 v11 h-26z {turret} M{at} h14");
            return canvas.path(&format!("gear {ink}"), &tank);
        }
        None => {
            let (foot, wheel) = (at + point(0.0, 7.0), circle(at + point(0.0, 5.0), 3.0));
            let gun = format!("M{foot} v-13 m-4,5 q4,-4 8,0 {wheel}");
            return canvas.path(&format!("gear {ink}"), &gun);
        }
    };
    let man = |&x: &f64| {
        let head = at + point(x, -5.5);
        circle(head, 2.6) + &format!("M{} q3.4,-4.6 6.8,0 l-1,9 l-4.8,0z ", head + point(-3.4, 5.6))
    };
    canvas.path(&format!("men {ink}"), &men.iter().map(man).collect::<String>());
}
