//! A map with counters and routes as a picture in one self-contained SVG document.

pub(crate) mod canvas;
mod counters;
pub(crate) mod ground;
mod legend;
mod room;
pub(crate) mod routes;

use super::board::MapHex;
use super::route_map::RouteMap;
use super::view::View;
use crate::chart::text;
use canvas::{Canvas, HALF, centre, corners, escape, mixed, point, scoped};
use room::Room;

/// Free space around the map, in pixels.
const MARGIN: f64 = 14.0;

/// Smallest width of a picture with a legend, in pixels.
const LEAST_WIDTH: f64 = 620.0;

/// The style sheet and the fill patterns of terrain; the ids of patterns begin with `ID`.
const GROUND: &str = include_str!("ground.css");
const PATTERNS: &str = include_str!("patterns.xml");

/// Returns the style sheet and patterns of terrain, with additional `rules`, for the element `id`.
pub(crate) fn sheet(rules: &str, id: &str) -> String {
    let rules = scoped(&format!("{rules}{GROUND}"), id);
    format!("<style>{rules}</style>\n{}", PATTERNS.replace("ID", id))
}

/// Page width from which texts grow, and their largest factors around the map and on it.
const READABLE: f64 = 900.0;
const LARGEST: [f64; 2] = [2.0, 1.3];

/// The range, in hexes, that pictures usually show around moving units.
pub const WITHIN: u32 = 6;

/// A picture of a map.
pub struct Picture {
    pub svg: String,
    /// The centre of each hex shown, column by column, in SVG units.
    pub middles: Vec<[f64; 2]>,
}

/// Draws a map with counters and routes as SVG. Below its heading, which may be empty, the map has
/// a legend; `None` draws the map alone. `within` is the range, in hexes, that is shown around
/// moving units; `None` shows the whole map. Every unit is always shown.
pub fn draw(map: &RouteMap, heading: Option<&str>, within: Option<u32>) -> Picture {
    let view = View::new(map, within);
    let (from, to) = corners(&view.hexes);
    let (wide, high) = ((to - from).x, (to - from).y);
    let page = if heading.is_some() { wide.max(LEAST_WIDTH) } else { wide };

    let [around, on_map] = LARGEST.map(|most| (page / READABLE).clamp(1.0, most));
    let mut inside = Canvas::default();
    let scaled = format!("transform='scale({around:.3})'");
    let mut map_top = 0.0;
    if let Some(heading) = heading {
        inside.group(&scaled, |canvas| {
            map_top = around * legend::draw_heading(canvas, &view, heading, page / around);
        });
    }
    let (x, y) = ((page - wide) / 2.0 - from.x, map_top - from.y);
    inside.group(&format!("transform='translate({x:.1},{y:.1})'"), |canvas| {
        if wide > 0.0 {
            draw_map(canvas, &view, &mut Room::new((from, to), on_map))
        }
    });
    let mut end = high;
    if heading.is_some() {
        inside.group(&scaled, |canvas| {
            let top = (map_top + high + 10.0) / around;
            end = around * legend::draw(canvas, &view, point(0.0, top), page / around);
        });
    }

    let (page, end) = (page + 2.0 * MARGIN, end + 2.0 * MARGIN);
    let title = heading.filter(|heading| !heading.is_empty()).unwrap_or(map.words.title);
    let id = format!("rout-{:08x}", mixed(&format!("{title}{}", inside.text)));
    let captions = map.moving.iter().map(|unit| unit.caption.as_str());
    let mut svg = Canvas::default();
    svg.add(format_args!(
        "<svg xmlns='http://www.w3.org/2000/svg' id='{id}' width='{page:.0}' height='{end:.0}' \
            viewBox='{0} {0} {page:.0} {end:.0}' role='img'>",
        -MARGIN
    ));
    svg.add(format_args!(
        "<title>{}</title>\n<desc>{}</desc>",
        escape(title),
        escape(&captions.collect::<Vec<_>>().join(" "))
    ));
    svg.add(format_args!("{}", sheet(include_str!("style.css"), &id)));
    svg.add(format_args!(
        "<rect class='page' x='{0}' y='{0}' width='{page:.0}' height='{end:.0}'/>",
        -MARGIN
    ));
    svg.add(format_args!("{}</svg>", inside.text));
    let middle = |&hex: &MapHex| [centre(hex).x + x, centre(hex).y + y];
    Picture { svg: svg.text, middles: view.hexes.iter().map(middle).collect() }
}

/// Draws the map in layers. A halo keeps the names of hexes readable on any terrain.
fn draw_map(canvas: &mut Canvas, view: &View, room: &mut Room) {
    canvas.group("class='ground'", |canvas| {
        ground::Painter { board: &view.map.board, hexes: &view.hexes }.draw(canvas);
    });
    canvas.group("class='danger'", |canvas| routes::draw_dangers(canvas, view));
    let lanes = routes::Lanes::new(view);
    canvas.group("class='ways'", |canvas| routes::draw(canvas, &lanes));
    let size = 10.0 * room.scale;
    canvas.group("class='names'", |canvas| {
        canvas.group(&format!("font-size='{size:.1}'"), |canvas| {
            for &hex in &view.hexes {
                let (at, name) = (centre(hex) - point(0.0, HALF - 10.5), view.hex_name(hex));
                room.take(at - point(0.0, 0.36 * size), point(text::room(name, size), size));
                canvas.words("halo", at, name);
                canvas.words("name", at, name);
            }
        });
    });
    canvas.group("class='units'", |canvas| counters::draw(canvas, view, room));
    canvas.group("class='chances'", |canvas| routes::draw_chances(canvas, view, &lanes, room));
}
