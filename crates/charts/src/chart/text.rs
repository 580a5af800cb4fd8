//! Widths of texts, and fitting of texts into a width or a number of sentences.

/// Advance widths from space to tilde in Helvetica and Arial, in thousandths of the font size.
const ADVANCES: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Width of an accented letter, as a share of the font size. Letters of other scripts have width 1.
const ACCENTED: f64 = 0.78;

/// Factors by which a text may be wider in another font, such as DejaVu Sans, and in bold.
const SPARE: f64 = 1.22;
pub(crate) const BOLD: f64 = 1.2;

/// Returns the width of a text in Liberation Sans, in font sizes.
fn advance(text: &str) -> f64 {
    let advance = |letter: char| match (letter as usize).checked_sub(32) {
        Some(place) if place < ADVANCES.len() => f64::from(ADVANCES[place]) / 1000.0,
        _ if (letter as u32) < 0x2E80 => ACCENTED,
        _ => 1.0,
    };
    text.chars().map(advance).sum()
}

/// Returns the width to reserve for a text of font size `size`; it suffices in any usual font.
pub(crate) fn room(text: &str, size: f64) -> f64 {
    SPARE * size * advance(text)
}

/// A style of texts: its CSS class, its font size in pixels, and whether it is bold.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub name: &'static str,
    pub size: f64,
    is_bold: bool,
}

impl Type {
    pub const TITLE: Type = Type { name: "title", size: 18.0, is_bold: true };
    pub const NOTE: Type = Type { name: "note", size: 12.5, is_bold: false };
    pub const HEAD: Type = Type { name: "head", size: 13.0, is_bold: true };
    pub const LABEL: Type = Type { name: "label", size: 13.0, is_bold: false };
    /// The style of a number inside a bar, cell or hex.
    pub const FIGURE: Type = Type { name: "figure", size: 12.0, is_bold: false };

    pub const ALL: [Type; 5] = [Type::TITLE, Type::NOTE, Type::HEAD, Type::LABEL, Type::FIGURE];

    /// Returns the width to reserve for a text, in pixels; it suffices in any usual font.
    pub fn room(self, text: &str) -> f64 {
        let bold = if self.is_bold { BOLD } else { 1.0 };
        SPARE * bold * (self.size * advance(text))
    }

    /// Fits a text into `room` pixels. A longer text is cut after a word and ends in an ellipsis.
    pub fn fitted(self, text: &str, room: f64) -> String {
        // The tolerance covers rounding if `room` was computed from this text.
        if self.room(text) <= room + 1e-6 {
            return text.to_string();
        }
        let ends = text.char_indices().rev().map(|(end, _)| end);
        let fits = |end: &usize| self.room(&shortened(text, *end)) <= room;
        ends.filter(|end| *end > 0).find(fits).map_or(String::new(), |end| shortened(text, end))
    }

    /// Wraps a text into at most `most` lines of `room` pixels; the last is cut if necessary.
    pub fn wrapped(self, text: &str, room: f64, most: usize) -> Vec<String> {
        let words = || text.split_whitespace();
        let fits = |line: &str| self.room(line) <= room;
        let mut lines = in_lines(words(), " ", fits, |word| vec![self.fitted(word, room)]);
        if lines.len() >= most {
            lines.truncate(most - 1);
            let used = lines.iter().map(|line| line.split(' ').count()).sum();
            let rest: Vec<&str> = words().skip(used).collect();
            lines.push(self.fitted(&rest.join(" "), room));
        }
        lines
    }
}

/// Joins texts, each with its shown length, by two spaces into lines of at most `width` characters.
pub(super) fn joined(texts: impl Iterator<Item = (String, usize)>, width: usize) -> String {
    let (mut all, mut used) = (String::new(), 0);
    for (text, length) in texts {
        let fits = used > 0 && used + 2 + length <= width;
        used = if fits { used + 2 + length } else { length };
        all += if fits { "  " } else { "\n" };
        all += &text;
    }
    if all.is_empty() { all } else { all.split_off(1) + "\n" }
}

/// Cuts a text to at most `most` characters, after a word; a cut text ends in an ellipsis.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => {
            let end = text.char_indices().nth(most.saturating_sub(1)).map_or(0, |(end, _)| end);
            shortened(text, end)
        }
        false => text.to_string(),
    }
}

/// Shortens a text to its first `most` bytes, or to the last whole word in them. Only the first
/// word is cut within.
fn shortened(text: &str, most: usize) -> String {
    let (start, rest) = text.split_at(most);
    let is_whole = rest.starts_with(char::is_whitespace);
    let words = if is_whole { None } else { start.trim_end().rsplit_once(char::is_whitespace) };
    let shown = words.map_or(start, |(words, _)| words);
    format!("{}\u{2026}", shown.trim_end_matches([' ', ',', ';', ':']))
}

/// Largest number of series or places that are named singly.
pub(super) const MAX_NAMED: usize = 6;

/// Joins up to `most` sentences, and counts the others.
pub(super) fn sentences(parts: impl IntoIterator<Item = String>, most: usize) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    let more = parts.len().saturating_sub(most);
    let mut text = parts[..parts.len() - more].join("; ");
    if more > 0 {
        text += &format!("; and {more} more");
    }
    if text.is_empty() { text } else { text + "." }
}

/// Joins words by `gap` into lines, as many in each as `fits` allows. `start` returns the line that
/// begins with a word, or several lines if the word is longer than one.
pub fn in_lines<'a>(
    words: impl IntoIterator<Item = &'a str>,
    gap: &str,
    fits: impl Fn(&str) -> bool,
    mut start: impl FnMut(&str) -> Vec<String>,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line}{gap}{word}")) => *line += &format!("{gap}{word}"),
            _ => lines.extend(start(word)),
        }
    }
    lines
}
