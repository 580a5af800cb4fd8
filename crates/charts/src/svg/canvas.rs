//! An SVG writer, and the positions of hexes in a picture.

use std::fmt::{self, Display, Write as _};
use std::ops::{Add, Mul, Sub};

use crate::board::{MapHex, SIDES};
use crate::chart::text::room;

/// Length of a hexside, in pixels.
pub(crate) const SIDE: f64 = 48.0;

/// Half the distance between opposite hexsides, in pixels.
pub(crate) const HALF: f64 = SIDE * 0.866_025_403_784_438_6;

/// A point in a picture, or a vector between two points, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

pub(crate) const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    /// Returns the point at a `share` (0 to 1) of the way to `other`.
    pub fn towards(self, other: Point, share: f64) -> Point {
        self + (other - self) * share
    }

    /// Returns the unit vector in the direction of a vector; zero for a zero vector.
    pub fn direction(self) -> Point {
        let length = self.x.hypot(self.y);
        if length < 1e-9 { Point::default() } else { self * (1.0 / length) }
    }

    /// Returns the vector after a quarter turn.
    pub fn turned(self) -> Point {
        point(-self.y, self.x)
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        point(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        point(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        point(self.x * factor, self.y * factor)
    }
}

impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1},{:.1}", self.x, self.y)
    }
}

pub(crate) fn centre(hex: MapHex) -> Point {
    point(f64::from(hex.column) * 3.0 * SIDE / 2.0, f64::from(hex.height) * HALF)
}

/// Returns the two ends of a side of the hex around a centre, clockwise.
pub(crate) fn side_ends(around: Point, side: usize) -> (Point, Point) {
    let corner = |place: usize| {
        let angle = (240.0 + 60.0 * place as f64).to_radians();
        around + point(angle.cos(), angle.sin()) * SIDE
    };
    (corner(side), corner(side + 1))
}

pub(crate) fn side_middle(around: Point, side: usize) -> Point {
    let (from, to) = side_ends(around, side);
    from.towards(to, 0.5)
}

/// Returns the upper left and the lower right corner of the smallest box around some hexes.
pub(crate) fn corners(hexes: &[MapHex]) -> (Point, Point) {
    let centres = || hexes.iter().map(|&hex| centre(hex));
    let low = |of: fn(Point) -> f64| centres().map(of).fold(f64::INFINITY, f64::min);
    let high = |of: fn(Point) -> f64| centres().map(of).fold(f64::NEG_INFINITY, f64::max);
    let half = point(SIDE, HALF);
    match hexes {
        [] => (Point::default(), Point::default()),
        _ => (
            point(low(|at| at.x), low(|at| at.y)) - half,
            point(high(|at| at.x), high(|at| at.y)) + half,
        ),
    }
}

/// Formats the corners of the hex around a centre as points of an SVG polygon.
pub(crate) fn hexagon(around: Point) -> String {
    let corners = (0..SIDES).map(|side| side_ends(around, side).0.to_string());
    corners.collect::<Vec<_>>().join(" ")
}

/// Formats a circle as commands of an SVG path.
pub(crate) fn circle(at: Point, radius: f64) -> String {
    format!(
        "M{} a{radius:.1},{radius:.1} 0 1,1 {d:.1},0 a{radius:.1},{radius:.1} 0 1,1 -{d:.1},0z ",
        at - point(radius, 0.0),
        d = 2.0 * radius
    )
}

/// Formats a thick straight bar as commands of an SVG path.
pub(crate) fn bar(from: Point, to: Point, half_width: f64) -> String {
    let flank = (to - from).direction().turned() * half_width;
    format!("M{} L{} L{} L{}z ", from - flank, to - flank, to + flank, from + flank)
}

/// Escapes the characters that XML reserves, and drops characters that XML cannot contain.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let is_held =
        |letter: &char| !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}');
    for letter in text.chars().filter(is_held) {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Returns a hash of a text that is the same in every run (FNV-1a).
pub(crate) fn mixed(text: &str) -> u32 {
    text.bytes()
        .fold(0x811c_9dc5, |mixed, byte| (mixed ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Restricts CSS rules to the element `id`, since a page may contain several pictures.
pub(crate) fn scoped(text: &str, id: &str) -> String {
    let text = text.replace("url(#", &format!("url(#{id}-"));
    let mut scoped = String::new();
    for part in text.split_inclusive(['{', '}']) {
        match part.strip_suffix('{').filter(|selectors| !selectors.trim().starts_with('@')) {
            Some(selectors) => {
                let selectors = selectors.trim().split(',').map(|one| format!("#{id} {one}"));
                scoped += &(selectors.collect::<Vec<_>>().join(",") + "{");
            }
            None => scoped += part.trim(),
        }
    }
    scoped
}

/// Returns the width and height of the box to reserve for a text of font size `size`.
pub(crate) fn plate_size(text: &str, size: f64) -> Point {
    point(room(text, size) + 6.0, size + 3.0)
}

/// Formats the corner and the size of a rectangle as SVG attributes, with `digits` decimals.
pub(crate) fn frame(at: Point, size: Point, digits: usize) -> String {
    let (Point { x, y }, Point { x: wide, y: high }) = (at, size);
    format!("x='{x:.digits$}' y='{y:.digits$}' width='{wide:.digits$}' height='{high:.digits$}'")
}

/// Returns the data of a path through some points.
pub(crate) fn path(points: &[Point]) -> String {
    let points = points.iter().map(|Point { x, y }| format!("{x:.2},{y:.2}"));
    format!("M{}", points.collect::<Vec<_>>().join(" L"))
}

#[derive(Default)]
pub(crate) struct Canvas {
    pub text: String,
}

impl Canvas {
    pub fn add(&mut self, element: fmt::Arguments) {
        let _ = writeln!(self.text, "{element}");
    }

    /// Adds a group around the elements that `draw` adds, unless there are none.
    pub fn group(&mut self, attributes: &str, draw: impl FnOnce(&mut Canvas)) {
        let mut inner = Canvas::default();
        draw(&mut inner);
        if !inner.text.is_empty() {
            self.add(format_args!("<g {attributes}>\n{}</g>", inner.text));
        }
    }

    pub fn path(&mut self, class: &str, path: &str) {
        if !path.is_empty() {
            self.add(format_args!("<path class='{class}' d='{}'/>", path.trim_end()));
        }
    }

    pub fn hexagon(&mut self, class: &str, hex: MapHex) {
        let points = hexagon(centre(hex));
        self.add(format_args!("<polygon class='{class}' points='{points}'/>"));
    }

    /// Adds a text, unless it is empty, with its baseline at `at`, aligned as its class says.
    pub fn words(&mut self, class: &str, at: Point, text: &str) {
        if !text.is_empty() {
            let (Point { x, y }, text) = (at, escape(text));
            self.add(format_args!("<text class='{class}' x='{x:.1}' y='{y:.1}'>{text}</text>"));
        }
    }

    /// Adds a text in a box; `at` is the centre of the box, and `size` the font size.
    pub fn plate(&mut self, class: &str, at: Point, size: f64, text: &str) {
        self.framed_plate(class, at, size, text, "#333");
    }

    /// Adds a text in a box with a frame of the colour `frame`.
    pub fn framed_plate(&mut self, class: &str, at: Point, size: f64, text: &str, frame: &str) {
        let box_size = plate_size(text, size);
        let place = self::frame(at - box_size * 0.5, box_size, 1);
        self.add(format_args!("<rect class='plate {class}' {place} rx='3' stroke='{frame}'/>"));
        self.add(format_args!(
            "<text class='{class}' x='{:.1}' y='{:.1}' font-size='{size}'>{}</text>",
            at.x,
            at.y + 0.36 * size,
            escape(text)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_side() {
        let hex = MapHex { column: 4, height: 11 };
        for side in 0..SIDES {
            let (from, to) = side_ends(centre(hex), side);
            let (there, back) = side_ends(centre(hex.neighbour(side)), (side + 3) % SIDES);
            assert!(
                (from - back).x.hypot((from - back).y) < 1e-9
                    && (to - there).x.hypot((to - there).y) < 1e-9
            );
        }
    }

    #[test]
    fn reserved_characters_are_escaped() {
        assert_eq!(
            escape("a<b & \"c\"\u{7} 'd'>\u{ffff}"),
            "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;"
        );
    }
}
