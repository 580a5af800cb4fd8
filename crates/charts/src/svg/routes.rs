//! Dangerous hexes, the lines of sight to them, and routes in the colour of their probability of
//! survival.

use std::collections::{BTreeMap, BTreeSet};

use super::canvas::{Canvas, Point, SIDE, centre, circle, escape, plate_size, point};
use super::room::Room;
use crate::board::MapHex;
use crate::route_map::{MapLocation, Route, percent};
use crate::view::View;

/// Distance between routes that are drawn side by side, in pixels.
const LANE: f64 = 7.0;

/// The colour scale of the probability of survival (0 to 1) in even visual steps. Each colour is
/// darker than the last, for colour-blind readers and grey printers.
const RAMP: [[u8; 3]; 9] = [
    [255, 232, 92],
    [254, 189, 67],
    [249, 148, 59],
    [240, 115, 74],
    [225, 86, 93],
    [200, 62, 117],
    [163, 42, 143],
    [102, 35, 159],
    [16, 32, 116],
];

/// Probability from which texts on its colour are white.
const LIGHT_TEXT: f64 = 0.61;

/// Size of the box kept free for the arrowhead of a route, in pixels.
const HEAD: f64 = 13.0;

/// Returns the colour of a probability (0 to 1) as `#rrggbb`.
pub(crate) fn ramp(chance: f64) -> String {
    let along = chance.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (along as usize).min(RAMP.len() - 2);
    let share = along - below as f64;
    let mix = |place: usize| {
        let [from, to] = [RAMP[below][place], RAMP[below + 1][place]].map(f64::from);
        (from + share * (to - from)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// Returns the CSS class of a text on the colour of a probability.
pub(crate) fn on_ramp(chance: f64) -> &'static str {
    if chance < LIGHT_TEXT { "black" } else { "white" }
}

/// Draws the dangerous hexes, and the lines of sight to them, strong if a route enters them.
pub(super) fn draw_dangers(canvas: &mut Canvas, view: &View) {
    for &hex in view.map.dangers.keys().filter(|hex| view.hexes.contains(hex)) {
        canvas.hexagon("interdicted", hex);
    }
    let on_routes: BTreeSet<&MapHex> = view.routes().flat_map(|route| &route.dangerous).collect();
    for (&hex, by) in &view.map.dangers {
        let strong = on_routes.contains(&hex);
        let class = if strong { "sight strong" } else { "sight" };
        for enemy in by.iter().filter_map(|&enemy| view.map.enemies.get(enemy)) {
            let from = centre(enemy.at.hex);
            let end = centre(hex) + (from - centre(hex)).direction() * 9.0;
            canvas.path(class, &format!("M{from} L{end}"));
            if strong {
                canvas.path("target", &circle(end, 2.6));
            }
        }
    }
}

/// A route to be drawn. Routes of a unit that begin with the same steps share one line.
struct Track<'a> {
    route: &'a Route,
    locations: Vec<MapLocation>,
    is_best: bool,
    number: usize,
    /// The number of first steps that are drawn as part of a better route of the unit, and its
    /// index.
    shared: usize,
    trunk: usize,
}

impl Track<'_> {
    fn steps(&self) -> usize {
        self.locations.len() - 1
    }

    fn end(&self) -> MapLocation {
        self.locations[self.steps()]
    }
}

/// Returns the routes to draw, each unit's best one first. Steps that a route shares with a better
/// one of its unit are drawn once, as part of the better one.
fn tracks<'a>(view: &View<'a>) -> Vec<Track<'a>> {
    let mut tracks: Vec<Track> = Vec::new();
    for unit in &view.map.moving {
        let first = tracks.len();
        for (rank, route) in unit.routes.iter().enumerate() {
            let locations = [&[unit.at], &route.steps[..]].concat();
            let better = tracks.iter().enumerate().skip(first);
            let better = better.filter(|(_, track)| track.route.is_dashed == route.is_dashed);
            let shared = better.map(|(place, track)| {
                let steps = track.locations.iter().zip(&locations).skip(1);
                (place, steps.take_while(|(one, other)| one == other).count())
            });
            let longest = shared.max_by_key(|&(place, steps)| (steps, std::cmp::Reverse(place)));
            let (trunk, shared) = longest.unwrap_or_default();
            let number = unit.number;
            tracks.push(Track { route, locations, is_best: rank == 0, number, shared, trunk });
        }
    }
    tracks
}

/// The routes across each hexside, which are drawn side by side: indices of route and step.
pub(super) struct Lanes<'a> {
    tracks: Vec<Track<'a>>,
    users: BTreeMap<(MapLocation, MapLocation), Vec<(usize, usize)>>,
}

impl<'a> Lanes<'a> {
    pub fn new(view: &View<'a>) -> Lanes<'a> {
        let tracks = tracks(view);
        let mut users: BTreeMap<(MapLocation, MapLocation), Vec<(usize, usize)>> = BTreeMap::new();
        for (place, track) in tracks.iter().enumerate() {
            for (step, pair) in track.locations.windows(2).enumerate().skip(track.shared) {
                users
                    .entry((pair[0].min(pair[1]), pair[0].max(pair[1])))
                    .or_default()
                    .push((place, step));
            }
        }
        Lanes { tracks, users }
    }

    /// Returns the sideways offset of a step, in pixels, so that routes do not cover each other.
    fn aside(&self, mut track: usize, step: usize) -> Point {
        while step < self.tracks[track].shared {
            track = self.tracks[track].trunk;
        }
        let locations = &self.tracks[track].locations;
        let (one, other) = (locations[step], locations[step + 1]);
        let (from, to) = (one.min(other), one.max(other));
        let Some(users) = self.users.get(&(from, to)) else { return Point::default() };
        let own = users.iter().position(|&user| user == (track, step)).unwrap_or(0);
        let distance = LANE.min(0.5 * SIDE / users.len() as f64);
        (place(to) - place(from)).direction().turned()
            * (distance * (own as f64 - (users.len() - 1) as f64 / 2.0))
    }
}

/// Returns the position of a Location; upper levels lie a little beside the ground level.
fn place(location: MapLocation) -> Point {
    centre(location.hex) + point(9.0, -10.0) * f64::from(location.level)
}

pub(super) fn draw(canvas: &mut Canvas, lanes: &Lanes) {
    for is_best in [false, true] {
        let tracks = lanes.tracks.iter().enumerate().rev();
        for (number, track) in tracks.filter(|(_, track)| track.is_best == is_best) {
            canvas.group("class='way'", |canvas| draw_track(canvas, track, number, lanes));
        }
    }
}

fn draw_track(canvas: &mut Canvas, track: &Track, number: usize, lanes: &Lanes) {
    let Route { is_exposed, is_dashed, .. } = *track.route;
    canvas.add(format_args!("<title>{}</title>", escape(&track.route.tooltip)));
    let colour = ramp(track.route.survives);
    if track.steps() == 0 {
        let around = circle(place(track.end()), 0.8 * SIDE);
        let around = around.trim_end();
        canvas.add(format_args!("<path class='route case' stroke-width='7.7' d='{around}'/>"));
        return canvas.add(format_args!(
            "<path class='route' stroke='{colour}' stroke-width='5.5' d='{around}'/>"
        ));
    }
    if track.shared == track.steps() {
        let style = end_style("stop", &colour, is_exposed);
        let spot = circle(place(track.end()), 6.0);
        return canvas.add(format_args!("<path {style} d='{}'/>", spot.trim_end()));
    }
    let (path, tip, heading) = path(track, number, lanes);
    let wide = if track.is_best { 5.5 } else { 3.4 };
    let (case, dash) = match is_dashed {
        true => ("case crawl", " stroke-dasharray='6 4' stroke-linecap='butt'"),
        false => ("case", ""),
    };
    let under = wide + 2.2;
    canvas.add(format_args!("<path class='route {case}' stroke-width='{under:.1}' d='{path}'/>"));
    canvas.add(format_args!(
        "<path class='route' stroke='{colour}' stroke-width='{wide}'{dash} d='{path}'/>"
    ));
    let (length, flank) = (heading * (wide + 9.0), heading.turned() * (wide + 2.5));
    let (left, right) = (tip - length + flank, tip - length - flank);
    let style = end_style("head", &colour, is_exposed);
    canvas.add(format_args!("<path {style} d='M{tip} L{left} L{right}z'/>"));
}

/// Returns the SVG attributes of the end of a route, which is hollow if it lies in the open.
pub(super) fn end_style(class: &str, colour: &str, is_exposed: bool) -> String {
    match is_exposed {
        true => format!("class='{class} exposed' stroke='{colour}'"),
        false => format!("class='{class} covered' fill='{colour}'"),
    }
}

/// Returns the path of a route from where it leaves a better one, its tip, and its direction.
fn path(track: &Track, number: usize, lanes: &Lanes) -> (String, Point, Point) {
    let ends = |step: usize| (place(track.locations[step]), place(track.locations[step + 1]));
    let (first, last) = (track.shared, track.steps() - 1);
    let mut path = match first.checked_sub(1) {
        None => format!("M{}", ends(0).0),
        Some(step) => {
            let (from, to) = ends(step);
            format!("M{}", from.towards(to, 0.7) + lanes.aside(number, step))
        }
    };
    let (mut tip, mut heading) = (Point::default(), Point::default());
    for step in first..=last {
        let ((from, to), aside) = (ends(step), lanes.aside(number, step));
        heading = (to - from).direction();
        tip = if step == last { to + aside - heading * 4.0 } else { from.towards(to, 0.7) + aside };
        let shaft = if step == last { tip - heading * 8.0 } else { tip };
        let start = from.towards(to, 0.3) + aside;
        path += &match step {
            0 => format!(" L{start} L{shaft}"),
            _ => format!(" Q{} {start} L{shaft}", from + aside * 0.5),
        };
    }
    (path, tip, heading)
}

/// The label at the end of the routes to a hex that have equal probabilities of survival.
struct EndLabel {
    hex: MapHex,
    levels: BTreeSet<u8>,
    chance: f64,
    is_best: bool,
    /// True if the unit stays there.
    stays: bool,
    numbers: BTreeSet<usize>,
}

impl EndLabel {
    /// Formats the label: `97%`; `1 2: 97%` for several units; `97% L1` on an upper level; `stay 97%`.
    fn text(&self, with_numbers: bool, stay: &str) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(usize::to_string).collect();
        let unit = if with_numbers { format!("{}: ", numbers.join(" ")) } else { String::new() };
        let is_ground = self.levels.iter().all(|&level| level == 0);
        let levels: String =
            self.levels.iter().filter(|_| !is_ground).map(|level| format!(" L{level}")).collect();
        let stay = if self.stays { format!("{stay} ") } else { String::new() };
        format!("{unit}{stay}{}{levels}", percent(self.chance))
    }
}

/// Draws the probabilities of survival at the ends of the routes, below the counters of the hex. If
/// that place is taken, a line leads from the nearest free place to the hex.
pub(super) fn draw_chances(canvas: &mut Canvas, view: &View, lanes: &Lanes, room: &mut Room) {
    let tracks = lanes.tracks.iter().enumerate();
    for (number, track) in tracks.filter(|(_, one)| one.shared < one.steps()) {
        let (_, tip, heading) = path(track, number, lanes);
        room.take(tip - heading * 6.0, point(HEAD, HEAD));
    }
    let with_numbers = view.map.moving.len() > 1;
    let stay = view.map.words.stay;
    let mut placed: Vec<(Point, f64, EndLabel)> = Vec::new();
    for label in end_labels(&lanes.tracks) {
        let is_occupied = view.tokens().any(|token| token.at.hex == label.hex);
        let down = if is_occupied { 0.62 } else { 0.36 };
        let wish = centre(label.hex) + point(0.0, down * SIDE);
        let size = room.scale * if label.is_best { 12.5 } else { 11.0 };
        let at = room.nearest(wish, plate_size(&label.text(with_numbers, stay), size));
        placed.push((at, size, label));
    }
    for (at, _, label) in &placed {
        let to = centre(label.hex);
        if (*at - to).x.hypot((*at - to).y) > 0.8 * SIDE {
            canvas.path("lead", &format!("M{at} L{to}"));
        }
    }
    for (at, size, label) in placed {
        let text = label.text(with_numbers, stay);
        canvas.framed_plate("chance", at, size, &text, &ramp(label.chance));
    }
}

/// Returns a label for each hex and probability. Only a unit's best and shortest routes have one.
fn end_labels(tracks: &[Track]) -> Vec<EndLabel> {
    let mut labels: Vec<EndLabel> = Vec::new();
    let mut labelled: BTreeSet<(MapLocation, usize, bool)> = BTreeSet::new();
    for track in tracks {
        let (MapLocation { hex, level }, chance) = (track.end(), track.route.survives);
        if !labelled.insert((track.end(), track.number, track.route.is_shortest)) {
            continue;
        }
        let stays = track.steps() == 0;
        let same = |label: &&mut EndLabel| {
            let of_units =
                label.numbers.iter().eq([&track.number]) || label.levels.iter().eq([&level]);
            label.hex == hex
                && label.stays == stays
                && percent(label.chance) == percent(chance)
                && of_units
        };
        match labels.iter_mut().find(same) {
            Some(label) => {
                label.levels.insert(level);
                label.numbers.insert(track.number);
                label.is_best |= track.is_best;
            }
            None => {
                let (levels, numbers) = (BTreeSet::from([level]), BTreeSet::from([track.number]));
                let is_best = track.is_best;
                labels.push(EndLabel { hex, levels, chance, is_best, stays, numbers });
            }
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_scale_goes_from_yellow_to_blue() {
        assert_eq!([ramp(0.0), ramp(1.0), ramp(2.0)], ["#ffe85c", "#102074", "#102074"]);
        assert_eq!(ramp(0.5), "#e1565d");
        assert_ne!(ramp(0.9), ramp(0.95));
    }
}
