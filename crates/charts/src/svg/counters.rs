//! Counters: squares in the colour of a side, with what is printed on them and what marks them.

use std::collections::BTreeMap;

use super::canvas::{Canvas, Point, SIDE, centre, circle, escape, plate_size, point};
use super::room::Room;
use crate::board::MapHex;
use crate::route_map::{Figure, RouteMap, Token};
use crate::view::View;

/// Width of a counter in pixels, small enough to leave a building visible around it.
const SIZE: f64 = 38.0;

/// Draws every counter with the names below, and marks their space as taken in `room`.
pub(super) fn draw(canvas: &mut Canvas, view: &View, room: &mut Room) {
    let RouteMap { units, friends, enemies, .. } = view.map;
    let mut stacks: BTreeMap<MapHex, Vec<&Token>> = BTreeMap::new();
    for token in enemies.iter().chain(friends).chain(units) {
        stacks.entry(token.at.hex).or_default().push(token);
    }
    for (hex, tokens) in stacks.into_iter().filter(|(hex, _)| view.hexes.contains(hex)) {
        let spread = (tokens.len() - 1) as f64;
        let step =
            point(1.0, -1.0) * if tokens.len() > 2 { (28.0 / spread).min(6.0) } else { 13.0 };
        let lowest = centre(hex) + point(0.0, 1.5 + 2.5 * spread.min(3.0)) - step * (0.5 * spread);
        for (place, token) in tokens.iter().enumerate() {
            let class = if token.is_known { "unit" } else { "unit unknown" };
            canvas.group(&format!("class='{class}'"), |canvas| {
                draw_token(canvas, lowest + step * place as f64, token, room)
            });
        }
        let named = tokens.iter().map(|token| token.name.as_str());
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

fn draw_token(canvas: &mut Canvas, at: Point, token: &Token, room: &mut Room) {
    let half = SIZE / 2.0;
    room.take(at, point(SIZE, SIZE));
    let (fill, is_dark) = token.colour;
    let ink = if is_dark { "pale" } else { "ink" };
    canvas.add(format_args!("<title>{}</title>", escape(&token.tooltip)));
    let square = |canvas: &mut Canvas, class: &str, corner: Point, fill: &str| {
        let Point { x, y } = corner;
        canvas.add(format_args!(
            "<rect class='{class}' x='{x:.1}' y='{y:.1}' width='{SIZE}' \
            height='{SIZE}' rx='2'{fill}/>"
        ));
    };
    square(canvas, "shadow", at - point(half - 2.0, half - 2.5), "");
    if !token.is_known {
        square(canvas, "under", at - point(half, half), "");
    }
    square(canvas, "counter", at - point(half, half), &format!(" fill='{fill}'"));
    match token.is_concealed {
        true => canvas.words(&format!("doubt {ink}"), at + point(0.0, 3.0), "?"),
        false => figures(canvas, at - point(0.0, 9.5), token, ink),
    }
    let narrow = if token.printed.len() > 6 { " font-size='10.5'" } else { "" };
    canvas.add(format_args!(
        "<text class='factors {ink}' x='{:.1}' y='{:.1}'{narrow}>{}</text>",
        at.x,
        at.y + half - 3.5,
        escape(&token.printed)
    ));
    if !token.weapon.is_empty() {
        canvas.plate("tag", at + point(14.0, -half), 8.0, &token.weapon);
    }
    if let Some((word, style)) = token.band {
        let top = at.y - 5.0;
        canvas.add(format_args!(
            "<rect class='band {style}' x='{:.1}' y='{top:.1}' width='{SIZE}' height='10'/>",
            at.x - half
        ));
        canvas.words(&format!("said {style}"), point(at.x, top + 7.8), word);
    }
    edge_tags(canvas, at, token, room);
}

/// Draws what is at the edges of a counter: texts, its mark, its level, and a white flag.
fn edge_tags(canvas: &mut Canvas, at: Point, token: &Token, room: &mut Room) {
    let half = SIZE / 2.0;
    let mut plate = |class: &str, at: Point, size: f64, text: &str| {
        room.take(at, plate_size(text, size));
        canvas.plate(class, at, size, text);
    };
    if !token.corner.is_empty() {
        plate("dm", at + point(half - 3.0, -half + 3.0), 8.5, token.corner);
    }
    for (place, tag) in token.tags.iter().enumerate() {
        let right = half + plate_size(tag, 7.0).x / 2.0;
        plate("tag", at + point(right, -half + 15.0 + 10.0 * place as f64), 7.0, tag);
    }
    if !token.mark.is_empty() {
        plate("badge", at + point(-half + 2.0, -half + 3.0), 8.5, &token.mark);
    }
    if token.at.level > 0 {
        let level = format!("L{}", token.at.level);
        plate("level-tag", at + point(-half + 3.0, half - 17.0), 7.5, &level);
    }
    if token.surrenders {
        let pole = at + point(half - 8.0, -half + 6.0);
        canvas.path("flag", &format!("M{pole} l0,-26 l17,0 l-4,5 l4,6 l-17,0"));
    }
}

/// Draws men, a vehicle or a Gun.
fn figures(canvas: &mut Canvas, at: Point, token: &Token, ink: &str) {
    let men: &[f64] = match token.figure {
        Figure::ThreeMen => &[-9.0, 0.0, 9.0],
        Figure::TwoMen => &[-5.0, 5.0],
        Figure::OneMan => &[0.0],
        Figure::Vehicle => {
            let (hull, turret) = (at + point(-13.0, -5.0), circle(at, 4.0));
            let tank = format!("M{hull} h26 v11 h-26z {turret} M{at} h14");
            return canvas.path(&format!("gear {ink}"), &tank);
        }
        Figure::Gun => {
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
