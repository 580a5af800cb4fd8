//! Drawing of terrain. Each style has its own shape too, for grey prints.

use super::canvas::{
    Canvas, HALF, Point, SIDE, bar, centre, circle, hexagon, point, side_ends, side_middle,
};
use crate::board::{BARRIERS, Board, MINEFIELD, MapGround, MapHex, SIDES, TerrainStyle};

/// The hexes of a map whose terrain is to be drawn.
pub(crate) struct Painter<'a> {
    pub board: &'a Board,
    pub hexes: &'a [MapHex],
}

impl Painter<'_> {
    /// Draws all terrain and hexside terrain, from the ground up.
    pub fn draw(&self, canvas: &mut Canvas) {
        use TerrainStyle::{Brush, Grain, Marsh, Orchard, Rubble, Shellholes, Water};
        for (hex, ground) in self.grounds() {
            let level = match ground.level {
                ..=-1 => "below".to_string(),
                level => format!("level{}", level.min(4)),
            };
            canvas.hexagon(&format!("hex {level}"), hex);
        }
        for style in [Grain, Brush, Marsh, Water] {
            self.styled(style).for_each(|(hex, _)| canvas.hexagon(style.name(), hex));
        }
        self.strips(canvas);
        self.woods(canvas);
        self.roads(canvas);
        let trees = self.styled(Orchard).map(|(hex, _)| dots(hex, true, 5.5));
        canvas.path("orchard", &trees.collect::<String>());
        let craters = self.styled(Shellholes).map(|(hex, _)| dots(hex, false, 6.0));
        canvas.path("crater", &craters.collect::<String>());
        let stones = self.styled(Rubble).map(|(hex, _)| stones(hex));
        canvas.path("stones", &stones.collect::<String>());
        self.buildings(canvas);
        self.crests(canvas);
        self.grid(canvas);
        self.barriers(canvas);
        for (hex, ground) in self.grounds() {
            marks(canvas, centre(hex), ground);
        }
    }

    fn grounds(&self) -> impl Iterator<Item = (MapHex, &MapGround)> {
        self.hexes.iter().filter_map(|&hex| Some((hex, self.board.get(&hex)?)))
    }

    fn styled(&self, style: TerrainStyle) -> impl Iterator<Item = (MapHex, &MapGround)> {
        self.grounds().filter(move |(_, ground)| ground.style == style)
    }

    /// Returns the sides of a hex across which the contents of the adjacent hex meet a condition.
    fn sides(&self, hex: MapHex, is: impl Fn(&MapGround) -> bool) -> Vec<usize> {
        let is_there = |side: &usize| self.board.get(&hex.neighbour(*side)).is_some_and(&is);
        (0..SIDES).filter(is_there).collect()
    }

    fn strips(&self, canvas: &mut Canvas) {
        use TerrainStyle::{Gully, Stream, Water};
        let runs_on =
            |there: &MapGround| there.is_bridge || matches!(there.style, Gully | Stream | Water);
        for style in [Gully, Stream] {
            let is_strip = |(_, ground): &(MapHex, &MapGround)| {
                ground.style == style || style == Gully && ground.is_bridge
            };
            let strip = |(hex, _)| lines(centre(hex), &self.sides(hex, runs_on));
            let path: String = self.grounds().filter(is_strip).map(strip).collect();
            for part in ["bank", "bed", "thread"] {
                canvas.path(&format!("{} {part}", style.name()), &path);
            }
        }
    }

    /// Draws woods. The crowns of adjacent woods hexes merge.
    fn woods(&self, canvas: &mut Canvas) {
        let (mut crowns, mut leaves) = (String::new(), String::new());
        for (hex, _) in self.styled(TerrainStyle::Woods) {
            let middle = centre(hex);
            let next = self.sides(hex, |there| there.style == TerrainStyle::Woods);
            crowns += &circle(middle, 0.5 * SIDE);
            for side in 0..SIDES {
                let (from, to) = side_ends(middle, side);
                let grown = 0.06 * uneven(hex, side as i32);
                crowns += &circle(middle.towards(from, 0.62 + grown), (0.22 - grown) * SIDE);
                let second = middle
                    .towards(from.towards(to, 0.5), 0.62 + 0.08 * uneven(hex, 30 + side as i32));
                crowns += &circle(second, 0.25 * SIDE);
                if next.contains(&side) {
                    for (share, radius) in [(0.22, 0.2), (0.5, 0.3), (0.78, 0.2)] {
                        crowns +=
                            &circle(middle.towards(from.towards(to, share), 0.96), radius * SIDE);
                    }
                    if next.contains(&clockwise(side)) {
                        crowns += &circle(middle.towards(to, 0.9), 0.22 * SIDE);
                    }
                }
                let twig = middle.towards(from, 0.58 + 0.16 * uneven(hex, 7 + side as i32));
                leaves += &format!("M{} q3,-6 6,0 q3,-6 6,0 ", twig - point(6.0, -2.0));
            }
        }
        edged(canvas, "woods", &crowns);
        canvas.path("leaves", &leaves);
    }

    fn roads(&self, canvas: &mut Canvas) {
        let mut path = String::new();
        for (hex, ground) in self.grounds() {
            let sides: Vec<usize> = (0..SIDES).filter(|side| ground.roads[*side]).collect();
            path += &match sides.as_slice() {
                [] if ground.is_bridge => lines(centre(hex), &[0, SIDES / 2]),
                [] => String::new(),
                sides => lines(centre(hex), sides),
            };
        }
        edged(canvas, "road", &path);
    }

    /// Draws buildings as solid shapes, those of several hexes as one.
    fn buildings(&self, canvas: &mut Canvas) {
        for (style, class) in [(TerrainStyle::Stone, "stone"), (TerrainStyle::Wooden, "wooden")] {
            let mut path = String::new();
            for (hex, ground) in self.styled(style) {
                let middle = centre(hex);
                let half = point(0.6 * SIDE, 0.0);
                path += &bar(middle - half, middle + half, 0.5 * SIDE);
                let is_same = |there: &MapGround| {
                    there.building.is_some()
                        && there.building == ground.building
                        && !there.is_rowhouse
                };
                let joined = self.sides(hex, is_same);
                for &side in &joined {
                    let share = if ground.is_rowhouse { 0.95 } else { 1.02 };
                    let end = middle.towards(side_middle(middle, side), share);
                    path += &bar(middle, end, 0.42 * SIDE);
                    if joined.contains(&clockwise(side)) && !ground.is_rowhouse {
                        let (corner, next) =
                            (side_ends(middle, side).1, side_middle(middle, clockwise(side)));
                        path += &format!("M{middle} L{end} L{corner} L{next}z ");
                    }
                }
            }
            edged(canvas, &format!("house {class}"), &path);
        }
    }

    /// Draws the hexsides at which a hill rises: a brown line with ticks down the slope.
    fn crests(&self, canvas: &mut Canvas) {
        let mut path = String::new();
        for (hex, ground) in self.grounds() {
            for side in self.sides(hex, |there| there.level < ground.level && ground.level > 0) {
                let (from, to) = side_ends(centre(hex), side);
                path += &format!("M{from} L{to} ");
                let down = (side_middle(centre(hex), side) - centre(hex)).direction() * 5.0;
                for share in [0.2, 0.4, 0.6, 0.8] {
                    let tick = from.towards(to, share);
                    path += &format!("M{tick} L{} ", tick + down);
                }
            }
        }
        canvas.path("crest", &path);
    }

    fn grid(&self, canvas: &mut Canvas) {
        let (mut grid, mut dots) = (String::new(), String::new());
        for (hex, _) in self.grounds() {
            grid += &format!("M{}z ", hexagon(centre(hex)).replace(' ', " L"));
            dots += &circle(centre(hex), 1.4);
        }
        canvas.path("grid", &grid);
        canvas.path("dot", &dots);
    }

    /// Draws walls, hedges and other hexside terrain, each hexside once.
    fn barriers(&self, canvas: &mut Canvas) {
        for (barrier, _) in BARRIERS {
            let mut path = String::new();
            for (hex, ground) in self.grounds() {
                let is_drawn =
                    |side: &usize| *side >= 3 && self.hexes.contains(&hex.neighbour(*side));
                let sides = (0..SIDES).filter(|side| ground.barriers[*side] == barrier);
                for side in sides.filter(|side| !is_drawn(side)) {
                    let (from, to) = side_ends(centre(hex), side);
                    path += &format!("M{from} L{to} ");
                }
            }
            // Walls of rowhouses and factories look like other walls.
            let class = barrier.rsplit('-').next().unwrap_or(barrier);
            edged(canvas, class, &path);
        }
    }
}

/// Draws a shape on a wider one, its edge.
fn edged(canvas: &mut Canvas, class: &str, path: &str) {
    canvas.path(&format!("{class} edge"), path);
    canvas.path(class, path);
}

/// Returns a pseudo-random number from -1 to 1, determined by the hex and `place`.
fn uneven(hex: MapHex, place: i32) -> f64 {
    let row = hex.height.div_euclid(2);
    let mixed = (i32::from(hex.column) * 7919 + row * 104_729 + place * 1299).rem_euclid(997);
    f64::from(mixed) / 498.0 - 1.0
}

fn clockwise(side: usize) -> usize {
    (side + 1) % SIDES
}

/// Returns a path from the middle of a hex to some sides; without sides a short stroke.
fn lines(middle: Point, sides: &[usize]) -> String {
    match sides {
        [] => format!("M{} L{} ", middle - point(9.0, 0.0), middle + point(9.0, 0.0)),
        [one, other] => {
            format!("M{} Q{middle} {} ", side_middle(middle, *one), side_middle(middle, *other))
        }
        sides => {
            sides.iter().map(|&side| format!("M{middle} L{} ", side_middle(middle, side))).collect()
        }
    }
}

/// Returns the path of trees in rows, or of craters in disorder.
fn dots(hex: MapHex, in_rows: bool, radius: f64) -> String {
    let mut path = String::new();
    for (row, count) in [(-1, 3), (0, 4), (1, 3)] {
        for place in 0..count {
            let x = (f64::from(place) - f64::from(count - 1) / 2.0) * 0.38 * SIDE;
            let at = centre(hex) + point(x, f64::from(row) * 0.45 * SIDE + 2.0);
            let number = 5 * row + place;
            if in_rows {
                path += &circle(at, radius);
            } else if (number + i32::from(hex.column)) % 2 == 0 {
                let shift = point(uneven(hex, number), uneven(hex, number + 20)) * 5.0;
                path += &(circle(at + shift, radius) + &circle(at + shift, 0.45 * radius));
            }
        }
    }
    path
}

fn stones(hex: MapHex) -> String {
    let mut path = String::new();
    for place in 0..9 {
        let (x, y) = (uneven(hex, place) * 0.5 * SIDE, (f64::from(place) / 4.0 - 1.0) * 0.5 * SIDE);
        path += &format!("M{} l7,-5 l6,4 l-2,6 l-8,1z ", centre(hex) + point(x - 5.0, y + 3.0));
    }
    path
}

/// The puffs of SMOKE: their positions in hexsides, and their radii in pixels.
const PUFFS: [(f64, f64, f64); 4] =
    [(-0.3, -0.28, 11.0), (-0.08, -0.4, 14.0), (0.2, -0.32, 12.0), (0.02, -0.2, 12.0)];

/// Draws the features of a hex other than its terrain, such as levels, foxholes and SMOKE.
fn marks(canvas: &mut Canvas, middle: Point, ground: &MapGround) {
    let at = |x: f64, y: f64| middle + point(x * SIDE, y * SIDE);
    if ground.has_stairs {
        let corner = at(-0.09, -0.09);
        canvas.add(format_args!(
            "<rect class='stairs' x='{:.1}' y='{:.1}' width='8.6' height='8.6'/>",
            corner.x, corner.y
        ));
    }
    if ground.upper_levels > 0 {
        canvas.plate("storeys", at(0.74, 0.0), 9.0, &format!("+{}", ground.upper_levels));
    }
    if ground.level != 0 {
        canvas.words("level", at(-0.66, 0.12), &ground.level.to_string());
    }
    canvas.words("kind", middle + point(0.0, HALF - 3.0), ground.terrain);
    let corner = at(-0.46, 0.44);
    for feature in &ground.features {
        match *feature {
            "foxhole" => canvas.path("works", &(circle(corner, 7.0) + &circle(corner, 3.5))),
            "trench" => {
                let zigzag = "l5,-7 l5,7 l5,-7 l5,7 l5,-7";
                canvas.path("works open", &format!("M{} {zigzag}", corner - point(12.0, -4.0)));
            }
            "pillbox" => {
                let sides = "l9,-7 l9,7 l-4,9 l-10,0z";
                canvas.path("works", &format!("M{} {sides}", corner - point(9.0, 1.0)))
            }
            "SMOKE" => {
                let puffs = PUFFS.map(|(x, y, radius)| circle(at(x, y), radius));
                canvas.path("smoke", &puffs.concat());
            }
            "Blaze" => {
                let flame =
                    "c-16,-12 -2,-20 -1,-34 c8,6 8,12 9,15 c2,-2 3,-5 3,-8 c9,12 8,22 -4,27z";
                canvas.path("blaze", &format!("M{} {flame}", at(0.1, 0.6)));
            }
            MINEFIELD => canvas.plate("hazard", at(0.38, 0.6), 7.0, "MINES, FFE"),
            _ => {}
        }
    }
}
