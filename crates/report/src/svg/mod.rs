//! A rout as a picture: the map, the counters, what is Interdicted by whom, and the best routes, in
//! one SVG file that needs nothing else.
//!
//! | file | draws |
//! |---|---|
//! | `canvas` | elements and texts; where hexes lie on the page |
//! | `ground` | terrain, hexsides, works, SMOKE |
//! | `counters` | units |
//! | `routes` | Interdicted hexes, lines of sight, routes and their chances |
//! | `legend` | heading and legend |

pub(crate) mod canvas;
mod counters;
mod ground;
mod legend;
mod routes;

use super::view::View;
use asl::course::rout::Prospect;
use asl::rout::Situation;
use canvas::{Canvas, HALF, SIDE, centre, escape, point};

/// Free space around the map.
const MARGIN: f64 = 14.0;

/// Least width of a page, so that its legend can be read.
const LEAST_WIDTH: f64 = 620.0;

/// What a picture shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Routes drawn per unit, at most.
    pub routes: usize,
    /// Hexes shown around a routing unit; the whole map where it is `None`. Every unit is shown in
    /// any case.
    pub within: Option<u16>,
    /// The heading; none where it is empty.
    pub title: String,
}

impl Default for Options {
    fn default() -> Options {
        Options { routes: 6, within: Some(6), title: String::new() }
    }
}

/// Draws the routs of some units, each given by its number in the situation.
pub fn rout_map(situation: &Situation, units: &[(usize, &Prospect)], options: &Options) -> String {
    let view = View::new(situation, units, options.routes, options.within);
    let centres = || view.hexes.iter().map(|&hex| centre(hex));
    let left = centres().map(|at| at.x).fold(f64::INFINITY, f64::min) - SIDE;
    let right = centres().map(|at| at.x).fold(f64::NEG_INFINITY, f64::max) + SIDE;
    let top = centres().map(|at| at.y).fold(f64::INFINITY, f64::min) - HALF;
    let bottom = centres().map(|at| at.y).fold(f64::NEG_INFINITY, f64::max) + HALF;
    let (wide, high) = if right > left { (right - left, bottom - top) } else { (0.0, 0.0) };
    let page = wide.max(LEAST_WIDTH);

    let mut inside = Canvas::default();
    let map_top = legend::draw_heading(&mut inside, &view, &options.title, point(0.0, 0.0), page);
    let (x, y) = ((page - wide) / 2.0 - left, map_top - top);
    let map = |canvas: &mut Canvas| {
        if wide > 0.0 {
            draw_map(canvas, &view)
        }
    };
    inside.group(&format!("transform='translate({x:.1},{y:.1})'"), map);
    let end = legend::draw(&mut inside, &view, point(0.0, map_top + high + 10.0), page);

    let (page, end) = (page + 2.0 * MARGIN, end + 2.0 * MARGIN);
    let title = if options.title.is_empty() { "Rout" } else { options.title.as_str() };
    let mut svg = Canvas::default();
    svg.add(format_args!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{page:.0}' height='{end:.0}' viewBox='{0} {0} {page:.0} {end:.0}' role='img'>",
        -MARGIN
    ));
    svg.add(format_args!("<title>{}</title>", escape(title)));
    svg.add(format_args!("<style>{}</style>", include_str!("style.css")));
    svg.add(format_args!("{}", include_str!("patterns.xml")));
    svg.add(format_args!(
        "<rect class='page' x='{0}' y='{0}' width='{page:.0}' height='{end:.0}'/>",
        -MARGIN
    ));
    svg.add(format_args!("{}</svg>", inside.text));
    svg.text
}

/// The map, from the ground up to the numbers. A halo keeps the names of hexes readable on any
/// ground.
fn draw_map(canvas: &mut Canvas, view: &View) {
    canvas.group("class='ground'", |canvas| {
        ground::Painter { map: &view.situation.map, hexes: &view.hexes }.draw(canvas);
    });
    canvas.group("class='danger'", |canvas| {
        routes::draw_interdicted(canvas, view);
        routes::draw_sights(canvas, view);
    });
    canvas.group("class='ways'", |canvas| routes::draw(canvas, view));
    canvas.group("class='names'", |canvas| {
        for &hex in &view.hexes {
            let (at, name) = (centre(hex) - point(0.0, HALF - 10.5), view.hex_name(hex));
            canvas.words("halo", at, &name);
            canvas.words("name", at, &name);
        }
    });
    canvas.group("class='units'", |canvas| counters::draw(canvas, view));
    canvas.group("class='chances'", |canvas| routes::draw_chances(canvas, view));
}
