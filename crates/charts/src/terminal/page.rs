//! A page of characters on which hexes are drawn in this shape:
//!
//! ```text
//!   ____
//!  / K5 \
//! /  U1  \
//! \ !1a  /
//!  \____/
//! ```

use crate::board::{BARRIERS, Colours, FEATURES, MapHex, SIDES, TerrainStyle};
use crate::view::View;

/// The characters for a unit or a step on the map, with their colours.
pub(super) type Mark = (String, Colours);

const PLAIN: Colours = "";
const EDGE: Colours = "38;5;242";
const ROAD: Colours = "1;38;5;137";
const BARRIER: Colours = "1;38;5;94";
const DANGER: Colours = "1;38;5;231;48;5;160";

/// An edge of a hex: (column, line) of its characters from the upper left, and its character.
type Edge = ([(usize, usize); 2], &'static str);

/// Returns the edges of a hex whose upper side is `long` characters wide, by side.
const fn edges(long: usize) -> [Edge; SIDES] {
    [
        ([(2, 0), (2, 0)], "_"),
        ([(long + 2, 1), (long + 3, 2)], "\\"),
        ([(long + 3, 3), (long + 2, 4)], "/"),
        ([(2, 4), (2, 4)], "_"),
        ([(0, 3), (1, 4)], "\\"),
        ([(1, 1), (0, 2)], "/"),
    ]
}

/// A page of characters, each with its colours.
pub(super) struct Page {
    corner: (i16, i32),
    /// The width of the upper side of a hex in characters, enough for the longest name.
    side: usize,
    lines: Vec<Vec<(char, Colours)>>,
}

impl Page {
    pub fn new(view: &View) -> Page {
        let left = view.hexes.iter().map(|hex| hex.column).min().unwrap_or(0);
        let top = view.hexes.iter().map(|hex| hex.height).min().unwrap_or(0);
        let name = view.grounds().map(|ground| ground.name.chars().count()).max().unwrap_or(0);
        Page { corner: (left, top), side: name.clamp(4, 12), lines: Vec::new() }
    }

    /// Returns the number of columns of hexes that fit into `width` characters.
    pub fn columns(&self, width: usize) -> i16 {
        (width.saturating_sub(2) / (self.side + 2)) as i16
    }

    /// Returns the column and line of a hex's upper left character. A hex is 5 lines high and
    /// shares its edges with its neighbours.
    fn place(&self, hex: MapHex) -> (usize, usize) {
        (
            usize::from(hex.column.abs_diff(self.corner.0)) * (self.side + 2),
            2 * hex.height.abs_diff(self.corner.1) as usize,
        )
    }

    fn put(&mut self, (x, y): (usize, usize), text: &str, style: Colours) {
        if self.lines.len() <= y {
            self.lines.resize(y + 1, Vec::new());
        }
        let line = &mut self.lines[y];
        for (place, letter) in text.chars().enumerate() {
            if line.len() <= x + place {
                line.resize(x + place + 1, (' ', PLAIN));
            }
            line[x + place] = (letter, style);
        }
    }

    /// Draws the edges of a hex, with hexside terrain and the roads that cross them. An edge looks
    /// the same from both hexes, so hexes may be drawn in any order.
    pub fn outline(&mut self, view: &View, hex: MapHex) {
        let board = &view.map.board;
        let Some(ground) = board.get(&hex) else { return };
        let ((x, y), side_long) = (self.place(hex), self.side);
        for (side, (places, line)) in edges(side_long).into_iter().enumerate() {
            let opposite = (side + SIDES / 2) % SIDES;
            let is_flat = side % (SIDES / 2) == 0;
            let long = if is_flat { side_long } else { 1 };
            let barrier = BARRIERS.iter().find(|(name, _)| *name == ground.barriers[side]);
            let (sign, style) = barrier.map_or((line, EDGE), |(_, sign)| (*sign, BARRIER));
            let there = board.get(&hex.neighbour(side));
            let crossed = ground.roads[side] || there.is_some_and(|there| there.roads[opposite]);
            for (right, down) in places {
                self.put((x + right, y + down), &sign.repeat(long), style);
                if crossed {
                    let inset = if is_flat { (long - 2) / 2 } else { 0 };
                    self.put((x + right + inset, y + down), &"=".repeat(long - 2 * inset), ROAD);
                }
            }
        }
    }

    /// Draws the contents of a hex on its terrain: its name, units, danger and steps of routes.
    /// The lower edge shows its level, SMOKE and other features.
    pub fn fill(&mut self, view: &View, hex: MapHex, counters: &[Mark], steps: &[Mark]) {
        let Some(ground) = view.map.board.get(&hex) else { return };
        let ((x, y), inner) = (self.place(hex), self.side + 2);
        let style = match (ground.style, ground.level) {
            (TerrainStyle::Open, 2..) => "38;5;16;48;5;137",
            (TerrainStyle::Open, 1) => "38;5;16;48;5;180",
            (style, _) => style.colours(),
        };
        let name: String = ground.name.chars().take(self.side).collect();
        self.put((x + 2, y + 1), &format!("{name:^0$}", self.side), style);
        let texture = ground.style.texture().repeat(inner);
        self.put((x + 1, y + 2), &texture, style);
        self.put((x + 1, y + 3), &texture, style);
        let danger = view.map.dangers.contains_key(&hex).then(|| ("!".to_string(), DANGER));
        self.marks((x + 1, y + 2), counters, style);
        let steps: Vec<Mark> = danger.into_iter().chain(steps.iter().cloned()).collect();
        self.marks((x + 1, y + 3), &steps, style);
        // The level and the features, such as `2fs*`.
        let features = FEATURES.iter().filter(|(feature, _)| ground.features.contains(feature));
        let level = Some(ground.level).filter(|level| *level != 0).map(|level| level.to_string());
        let low = level.unwrap_or_default() + &features.map(|(_, sign)| *sign).collect::<String>();
        if !low.is_empty() {
            let low: String = format!("{low:_^4}").chars().take(4).collect();
            self.put((x + 2, y + 4), &low, BARRIER);
        }
    }

    /// Draws marks in the middle of a line of a hex. A `+` replaces the marks that do not fit.
    fn marks(&mut self, (x, y): (usize, usize), marks: &[Mark], ground: Colours) {
        let inner = self.side + 2;
        let wide = |shown: usize| {
            let letters: usize = marks[..shown].iter().map(|(mark, _)| mark.chars().count()).sum();
            letters + usize::from(shown < marks.len())
        };
        let shown = (0..=marks.len()).rev().find(|&shown| wide(shown) <= inner).unwrap_or(0);
        let long = wide(shown);
        let mut at = x + (inner - long) / 2;
        if long > 0 && long + 2 <= inner {
            self.put((at - 1, y), &" ".repeat(long + 2), ground);
        }
        for (mark, style) in &marks[..shown] {
            self.put((at, y), mark, style);
            at += mark.chars().count();
        }
        self.put((at, y), if shown < marks.len() { "+" } else { "" }, PLAIN);
    }

    /// Returns the page as text; with `colour`, each change of colours is an escape sequence.
    pub fn text(&self, colour: bool) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let end =
                line.iter().rposition(|(letter, _)| *letter != ' ').map_or(0, |last| last + 1);
            let mut current = PLAIN;
            for &(letter, style) in &line[..end] {
                if colour && style != current {
                    text += &format!("\x1b[0{}{style}m", if style.is_empty() { "" } else { ";" });
                    current = style;
                }
                text.push(letter);
            }
            text += if current == PLAIN { "\n" } else { "\x1b[0m\n" };
        }
        text
    }
}
