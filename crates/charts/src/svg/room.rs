//! Search for free positions of texts on a map.

use super::canvas::{Point, point};

/// Distance between the positions tried, in pixels, and the number of steps in each direction.
const STEP: f64 = 6.0;
const FAR: i32 = 16;

/// A map, and the boxes that are taken on it, each by its centre and its size in pixels.
pub(super) struct Room {
    corners: (Point, Point),
    taken: Vec<(Point, Point)>,
    /// The factor by which texts are enlarged.
    pub scale: f64,
}

impl Room {
    pub fn new(corners: (Point, Point), scale: f64) -> Room {
        Room { corners, taken: Vec::new(), scale }
    }

    pub fn take(&mut self, middle: Point, size: Point) {
        self.taken.push((middle, size));
    }

    /// Takes and returns the free position nearest to `wish`, or the one that covers the least.
    pub fn nearest(&mut self, wish: Point, size: Point) -> Point {
        let (from, to) = self.corners;
        let inside = |at: Point| {
            let half = size * 0.5;
            let within = |at: f64, low: f64, high: f64| at.max(low).min(high.max(low));
            point(
                within(at.x, from.x + half.x, to.x - half.x),
                within(at.y, from.y + half.y, to.y - half.y),
            )
        };
        let mut steps: Vec<(i32, i32)> =
            (-FAR..=FAR).flat_map(|x| (-FAR..=FAR).map(move |y| (x, y))).collect();
        steps.sort_by_key(|(x, y)| (x * x + y * y, *x, *y));
        let places =
            || steps.iter().map(|&(x, y)| inside(wish + point(f64::from(x), f64::from(y)) * STEP));
        let free = places().find(|at| self.covered(*at, size) <= 0.0);
        let least = || {
            places().min_by(|one, other| {
                self.covered(*one, size).total_cmp(&self.covered(*other, size))
            })
        };
        let at = free.or_else(least).unwrap_or(wish);
        self.take(at, size);
        at
    }

    /// Returns the area that a box at `at` shares with taken boxes.
    fn covered(&self, at: Point, size: Point) -> f64 {
        let common = |(middle, other): &(Point, Point)| {
            let reach = (size + *other) * 0.5;
            let common =
                point(reach.x - (at.x - middle.x).abs(), reach.y - (at.y - middle.y).abs());
            common.x.clamp(0.0, size.x.min(other.x)) * common.y.clamp(0.0, size.y.min(other.y))
        };
        self.taken.iter().map(common).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_do_not_overlap_and_stay_inside() {
        let mut room = Room::new((point(0.0, 0.0), point(300.0, 200.0)), 1.0);
        let size = point(40.0, 16.0);
        let placed: Vec<Point> = (0..20).map(|_| room.nearest(point(10.0, 100.0), size)).collect();
        assert_eq!(placed[0], point(20.0, 100.0));
        for (place, one) in placed.iter().enumerate() {
            assert!((20.0..=280.0).contains(&one.x) && (8.0..=192.0).contains(&one.y), "{one:?}");
            for other in &placed[..place] {
                let offset = *one - *other;
                assert!(offset.x.abs() >= 40.0 || offset.y.abs() >= 16.0, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn label_without_room_covers_least() {
        let mut room = Room::new((point(0.0, 0.0), point(60.0, 20.0)), 1.0);
        room.take(point(15.0, 10.0), point(30.0, 20.0));
        assert_eq!(room.nearest(point(20.0, 10.0), point(40.0, 16.0)), point(40.0, 10.0));
    }
}
