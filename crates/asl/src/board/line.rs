//! Straight lines between the centres of two hexes, and their contact with hexes and hexsides.
//!
//! Grid units are those of [`Hex::centre`]. In them the vertices of a hex have integer coordinates,
//! so contact is found without rounding. Distances are in hexside lengths.

use super::hex::{Hex, Hexside};

/// A point of the plane, in hexside lengths to the right and down.
pub type PlanePoint = (f64, f64);

/// Half the distance between two opposite hexsides, in hexside lengths.
const HALF_HEIGHT: f64 = 0.866_025_403_784_438_6;
/// The area of a hex, in squares of a hexside length.
pub const HEX_AREA: f64 = 3.0 * HALF_HEIGHT;
const ROUNDING: f64 = 1e-9;

/// The vertices of a hex relative to its centre, in grid units. Each side begins at its vertex.
const VERTICES: [(i64, i64); 6] = [(-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)];

/// The sides of a hex where y, x + y and x - y have their least and their greatest values.
const PAIRS: [[Hexside; 2]; 3] = [
    [Hexside::North, Hexside::South],
    [Hexside::Northwest, Hexside::Southeast],
    [Hexside::Southwest, Hexside::Northeast],
];

fn centre(hex: Hex) -> (i64, i64) {
    let (x, y) = hex.centre();
    (x.into(), y.into())
}

/// Converts a position from grid units to hexside lengths.
fn point((x, y): (f64, f64)) -> PlanePoint {
    (0.5 * x, HALF_HEIGHT * y)
}

/// Returns the centre of a hex, in hexside lengths.
pub fn centre_point(hex: Hex) -> PlanePoint {
    let (x, y) = centre(hex);
    point((x as f64, y as f64))
}

/// Returns the vector from the centre of a hex to that of a neighbour, in hexside lengths.
pub fn step(side: Hexside) -> PlanePoint {
    let (a, b) = (VERTICES[side as usize], VERTICES[side.clockwise() as usize]);
    point(((a.0 + b.0) as f64, (a.1 + b.1) as f64))
}

/// Returns `point` moved by `times` the vector `step`.
pub fn moved(point: PlanePoint, step: PlanePoint, times: f64) -> PlanePoint {
    (point.0 + times * step.0, point.1 + times * step.1)
}

fn less(a: PlanePoint, b: PlanePoint) -> PlanePoint {
    moved(a, b, -1.0)
}

fn dot(a: PlanePoint, b: PlanePoint) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

/// Returns the cross product of two vectors: its sign says on which side of `a` the vector `b` is.
fn turn(a: PlanePoint, b: PlanePoint) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

/// Returns the distance between two points.
pub fn distance(a: PlanePoint, b: PlanePoint) -> f64 {
    let way = less(a, b);
    dot(way, way).sqrt()
}

/// A straight line segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment(pub PlanePoint, pub PlanePoint);

impl Segment {
    /// Returns the least distance from a point to the segment.
    pub fn distance(self, other: PlanePoint) -> f64 {
        let Segment(from, to) = self;
        let way = less(to, from);
        let length = dot(way, way);
        let part = if length == 0.0 {
            0.0
        } else {
            (dot(less(other, from), way) / length).clamp(0.0, 1.0)
        };
        distance(other, moved(from, way, part))
    }

    /// Returns the least distance between two segments, which is 0 if they cross.
    pub fn gap(self, other: Segment) -> f64 {
        if self.parts(other) && other.parts(self) {
            return 0.0;
        }
        let own = other.distance(self.0).min(other.distance(self.1));
        own.min(self.distance(other.0)).min(self.distance(other.1))
    }

    /// Returns whether the ends of `other` are on different sides of the line through this segment.
    fn parts(self, other: Segment) -> bool {
        let side = |point| turn(less(self.1, self.0), less(point, self.0));
        side(other.0) * side(other.1) < 0.0
    }
}

/// The way in which a line meets a hex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meeting {
    /// The line touches one vertex.
    Vertex,
    /// The line runs along a hexside.
    Along(Hexside, Segment),
    /// The line crosses the inside of the hex.
    Through(Segment),
}

/// The straight line between the centres of two hexes.
#[derive(Clone, Copy, Debug)]
pub struct HexLine {
    from: Hex,
    to: Hex,
    start: (i64, i64),
    way: (i64, i64),
}

impl HexLine {
    /// Builds the line between two hexes, which must differ.
    pub fn new(from: Hex, to: Hex) -> HexLine {
        let (start, end) = (centre(from), centre(to));
        HexLine { from, to, start, way: (end.0 - start.0, end.1 - start.1) }
    }

    /// Returns the position at a fraction of the line's length, in grid units.
    fn point_along(&self, part: f64) -> (f64, f64) {
        (
            self.start.0 as f64 + part * self.way.0 as f64,
            self.start.1 as f64 + part * self.way.1 as f64,
        )
    }

    /// Returns every hex that the line meets, ends included, and possibly a few more, by column.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        let line = *self;
        let columns = self.from.column.min(self.to.column)..=self.from.column.max(self.to.column);
        columns.flat_map(move |column| {
            let (least, most) = line.heights(column);
            let lower = f64::from(Hex::new(column, 0).centre().1);
            let row = |height: f64| (height - lower) / 2.0;
            let first = row(least - 1.0 - ROUNDING).ceil() as i16;
            let last = row(most + 1.0 + ROUNDING).floor() as i16;
            (first..=last).map(move |row| Hex::new(column, row))
        })
    }

    /// Returns the least and greatest y of the line within a column, in grid units.
    fn heights(&self, column: i16) -> (f64, f64) {
        let middle = Hex::new(column, 0).centre().0 as f64;
        let part = |x: f64| ((x - self.start.0 as f64) / self.way.0 as f64).clamp(0.0, 1.0);
        let (a, b) =
            if self.way.0 == 0 { (0.0, 1.0) } else { (part(middle - 2.0), part(middle + 2.0)) };
        let (a, b) = (self.point_along(a).1, self.point_along(b).1);
        (a.min(b), a.max(b))
    }

    /// Returns the way in which the line meets a hex, or `None` if the line misses the hex.
    pub fn meets(&self, hex: Hex) -> Option<Meeting> {
        let (x, y) = centre(hex);
        let ((x, y), (dx, dy)) = ((self.start.0 - x, self.start.1 - y), self.way);
        // A hex is the intersection of three strips between parallel lines.
        let strips = [(2 * y, 2 * dy), (x + y, dx + dy), (x - y, dx - dy)];
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (start, way) in strips {
            if way == 0 {
                if start.abs() > 2 {
                    return None;
                }
                continue;
            }
            let (a, b) = ((-2 - start) as f64 / way as f64, (2 - start) as f64 / way as f64);
            first = first.max(a.min(b));
            last = last.min(a.max(b));
        }
        if last < first - ROUNDING {
            return None;
        }
        if last < first + ROUNDING {
            return Some(Meeting::Vertex);
        }
        let piece = Segment(point(self.point_along(first)), point(self.point_along(last)));
        let along =
            strips.iter().zip(PAIRS).find(|((start, way), _)| *way == 0 && start.abs() == 2);
        let along =
            along.map(|((start, _), [upper, lower])| if *start > 0 { lower } else { upper });
        Some(along.map_or(Meeting::Through(piece), |side| Meeting::Along(side, piece)))
    }

    /// Returns whether the line touches a side of a hex, which must meet the line but not be at its
    /// end. One vertex of the side is enough, unless that vertex belongs to a hex at an end.
    pub fn touches(&self, hex: Hex, side: Hexside) -> bool {
        let (x, y) = centre(hex);
        let vertex = |number: usize| (x + VERTICES[number].0, y + VERTICES[number].1);
        let ends = [vertex(side as usize), vertex(side.clockwise() as usize)];
        let sides =
            ends.map(|(x, y)| self.way.0 * (y - self.start.1) - self.way.1 * (x - self.start.0));
        let own = |vertex| is_at(vertex, self.from) || is_at(vertex, self.to);
        let meets = sides[0].signum() * sides[1].signum() <= 0;
        meets && !(0..2).any(|end| sides[end] == 0 && own(ends[end]))
    }
}

/// Returns whether a position is in a hex or on its edge.
fn is_at((x, y): (i64, i64), hex: Hex) -> bool {
    let (middle_x, middle_y) = centre(hex);
    let (x, y) = (x - middle_x, y - middle_y);
    y.abs() <= 1 && (x + y).abs() <= 2 && (x - y).abs() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(name: &str) -> Hex {
        Hex::parse(name).unwrap()
    }

    /// Lists the hexes that a line from K5 meets: `(K6)` at a vertex, `K6:n` along a side.
    fn met(to: &str) -> String {
        let line = HexLine::new(hex("K5"), hex(to));
        let word = |hex: Hex| match line.meets(hex)? {
            Meeting::Vertex => Some(format!("({hex})")),
            Meeting::Along(side, _) => Some(format!("{hex}:{}", side.name())),
            Meeting::Through(_) => Some(hex.to_string()),
        };
        line.hexes().filter_map(word).collect::<Vec<_>>().join(" ")
    }

    /// Lines along a row of hexes, along hexsides and at other angles (6.1).
    #[test]
    fn line_meets_the_right_hexes() {
        assert_eq!(met("K7"), "K5 K6 K7");
        assert_eq!(met("M6"), "K5 L5 M6");
        assert_eq!(met("M5"), "K5 L4:s L5:n M5");
        assert_eq!(met("L3"), "K4:se K5 L3 L4:nw");
        assert_eq!(met("M7"), "K5 L5 L6 M7");
        assert_eq!(met("N5"), "K5 L5 M5 N5");
    }

    /// The segments inside the hexes add up to the length of the line, and `hexes` misses none.
    #[test]
    fn segments_in_hexes_add_up_to_the_line() {
        let board = || (1..=12).flat_map(|column| (1..=10).map(move |row| Hex::new(column, row)));
        for to in board().filter(|&to| to != hex("E4")) {
            let line = HexLine::new(hex("E4"), to);
            let length = |hex: Hex| match line.meets(hex) {
                Some(Meeting::Through(Segment(a, b))) => distance(a, b),
                Some(Meeting::Along(_, Segment(a, b))) => distance(a, b) / 2.0,
                _ => 0.0,
            };
            let (start, end) = (centre_point(hex("E4")), centre_point(to));
            assert!(
                (line.hexes().map(length).sum::<f64>() - distance(start, end)).abs() < 1e-6,
                "{to}"
            );
            assert!(
                board()
                    .filter(|&hex| line.meets(hex).is_some())
                    .all(|hex| line.hexes().any(|walked| walked == hex)),
                "{to}"
            );
        }
    }

    /// A line touches the sides that it crosses, or meets in a vertex away from its ends.
    #[test]
    fn line_touches_the_sides_it_crosses() {
        let touched = |to: &str, at: &str| {
            let line = HexLine::new(hex("K5"), hex(to));
            let sides = Hexside::ALL.into_iter().filter(|&side| line.touches(hex(at), side));
            sides.map(Hexside::name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(touched("K8", "K6"), "n s");
        assert_eq!(touched("M5", "L5"), "");
        assert_eq!(touched("O5", "M5"), "ne se sw nw");
    }

    #[test]
    fn distances_to_segments_are_right() {
        let across = Segment((0.0, -1.0), (0.0, 1.0));
        assert_eq!(across.distance((2.0, 0.0)), 2.0);
        assert_eq!(across.distance((0.0, 3.0)), 2.0);
        assert_eq!(across.gap(Segment((-1.0, 0.0), (1.0, 0.0))), 0.0);
        assert_eq!(across.gap(Segment((1.0, 0.0), (3.0, 0.0))), 1.0);
        for side in Hexside::ALL {
            let (from, to) = (hex("L5"), hex("L5").neighbour(side));
            assert!(distance(moved(centre_point(from), step(side), 1.0), centre_point(to)) < 1e-9);
        }
    }
}
