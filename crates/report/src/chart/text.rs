//! How wide texts are, and how they are made to fit.

use crate::svg::canvas::{Canvas, Point};

/// Advances of Helvetica, Arial and Liberation Sans in thousandths of their size, from the space to
/// the tilde.
const ADVANCES: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Of a letter that the table has not: accents are at most as wide as this, other scripts as wide
/// as they are high.
const ACCENTED: f64 = 0.78;

/// How much wider a text may come out in another font, such as DejaVu Sans; and in bold.
const SPARE: f64 = 1.22;
pub(crate) const BOLD: f64 = 1.2;

/// How wide a text of size 1 is in Liberation Sans.
fn advance(text: &str) -> f64 {
    let advance = |letter: char| match (letter as usize).checked_sub(32) {
        Some(place) if place < ADVANCES.len() => f64::from(ADVANCES[place]) / 1000.0,
        _ if (letter as u32) < 0x2E80 => ACCENTED,
        _ => 1.0,
    };
    text.chars().map(advance).sum()
}

/// How much room a text of some size is given, whatever font it comes out in.
pub(crate) fn room(text: &str, size: f64) -> f64 {
    SPARE * size * advance(text)
}

/// What a text is in a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Title,
    Note,
    /// Of a panel or an axis.
    Head,
    Label,
    /// Inside a mark.
    Figure,
}

impl Type {
    pub const ALL: [Type; 5] = [Type::Title, Type::Note, Type::Head, Type::Label, Type::Figure];

    /// Its class.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Title => "title",
            Type::Note => "note",
            Type::Head => "head",
            Type::Label => "label",
            Type::Figure => "figure",
        }
    }

    /// Its size in pixels.
    pub const fn size(self) -> f64 {
        match self {
            Type::Title => 18.0,
            Type::Note => 12.5,
            Type::Head | Type::Label => 13.0,
            Type::Figure => 12.0,
        }
    }

    /// How wide a text is in Liberation Sans.
    pub fn width(self, text: &str) -> f64 {
        self.size() * advance(text)
    }

    /// How much room a text is given, whatever font it comes out in.
    pub fn room(self, text: &str) -> f64 {
        let bold = if matches!(self, Type::Title | Type::Head) { BOLD } else { 1.0 };
        SPARE * bold * self.width(text)
    }

    /// A text that fits some room: what does not is cut off, with a mark that it was.
    pub fn fitted(self, text: &str, room: f64) -> String {
        // A room may have been made for it.
        if self.room(text) <= room + 1e-6 {
            return text.to_string();
        }
        let mut cut: String = text.to_string();
        while cut.pop().is_some() {
            let shown = format!("{}\u{2026}", cut.trim_end());
            if self.room(&shown) <= room {
                return shown;
            }
        }
        String::new()
    }

    /// A text in lines that fit some room, at most so many; the last is cut off where they are more.
    pub fn wrapped(self, text: &str, room: f64, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut words = text.split_whitespace().peekable();
        while words.peek().is_some() && lines.len() < most {
            if lines.len() + 1 == most {
                let rest: Vec<&str> = words.by_ref().collect();
                lines.push(self.fitted(&rest.join(" "), room));
                break;
            }
            let mut line = self.fitted(words.next().unwrap_or_default(), room);
            while let Some(word) = words.peek() {
                let longer = format!("{line} {word}");
                if self.room(&longer) > room {
                    break;
                }
                line = longer;
                words.next();
            }
            lines.push(line);
        }
        lines
    }
}

/// Which part of a text stands where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    pub const fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// Writes a text whose baseline is at a point; `class` says more of it.
pub(super) fn write(
    canvas: &mut Canvas,
    (style, anchor, class): (Type, Anchor, &str),
    at: Point,
    text: &str,
) {
    if !text.is_empty() {
        let class = format!("{} {} {class}", style.name(), anchor.name());
        canvas.words(class.trim_end(), at, text);
    }
}
