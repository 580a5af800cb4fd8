//! A screen of few lines: parts of different rank, of which as many stay as fit.

use super::document::{Block, Document};

/// The rank above which a part stays only if it leaves room for all gaps.
const SPARE: u8 = 4;

/// A part of a screen.
struct Part {
    /// The part of the highest rank is left out first; one of rank 0 stays. Parts of a rank above
    /// [`SPARE`] give way to the gaps too.
    rank: u8,
    /// True if an empty line above separates the part, where there is room.
    is_apart: bool,
    document: Document,
    /// A shorter form for a screen that has no room for the whole one.
    short: Option<Document>,
}

/// The parts of a screen, from top to bottom.
#[derive(Default)]
pub(super) struct Screen {
    parts: Vec<Part>,
}

impl Screen {
    /// Adds a part below a gap.
    pub fn add(&mut self, rank: u8, document: Document) {
        self.push(Part { rank, is_apart: true, document, short: None });
    }

    /// Adds a part below a gap, and its shorter form if it has one.
    pub fn add_or(&mut self, rank: u8, document: Document, short: Option<Document>) {
        self.push(Part { rank, is_apart: true, document, short });
    }

    /// Adds a part without a gap.
    pub fn join(&mut self, rank: u8, document: Document) {
        self.join_or(rank, document, None);
    }

    /// Adds a part without a gap, and its shorter form if it has one.
    pub fn join_or(&mut self, rank: u8, document: Document, short: Option<Document>) {
        self.push(Part { rank, is_apart: false, document, short });
    }

    fn push(&mut self, part: Part) {
        if !part.document.pieces().is_empty() {
            let (document, short) = (part.document.fitted(), part.short.map(Document::fitted));
            self.parts.push(Part { document, short, ..part });
        }
    }

    pub fn lines(&self) -> usize {
        self.parts.iter().map(|part| part.document.lines()).sum()
    }

    fn gaps(&self) -> usize {
        self.parts.iter().skip(1).filter(|part| part.is_apart).count()
    }

    /// Lays out the parts that fit into `most` lines, with the gaps that fit, the lowest first.
    pub fn fit(mut self, most: usize) -> Document {
        while self.lines() > most
            && let Some(part) = self.parts.iter_mut().rfind(|part| part.short.is_some())
        {
            part.document = part.short.take().unwrap_or_default();
        }
        while let Some(last) = (0..self.parts.len()).max_by_key(|&part| self.parts[part].rank)
            && let rank = self.parts[last].rank
            && rank > 0
            && self.lines() + if rank > SPARE { self.gaps() } else { 0 } > most
        {
            self.parts.remove(last);
        }
        let mut room = most.saturating_sub(self.lines());
        for part in self.parts.iter_mut().skip(1).rev() {
            part.is_apart &= room > 0;
            room -= usize::from(part.is_apart);
        }
        let gap = |place| if place > 0 { Block::Gap.into() } else { Document::default() };
        let part = |(place, part): (usize, Part)| match part.is_apart {
            true => gap(place) + part.document,
            false => part.document,
        };
        self.parts.into_iter().enumerate().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::paragraph;
    use super::*;

    /// Parts of the highest rank go first, and gaps go where there is no room.
    #[test]
    fn screen_keeps_what_fits() {
        let shown = |most: usize| {
            let mut screen = Screen::default();
            for (rank, text) in [(0, "question"), (0, "answer"), (6, "spare"), (3, "table")] {
                screen.add(rank, paragraph(text));
            }
            screen.fit(most).to_string().replace('\n', "/")
        };
        assert_eq!(shown(7), "question//answer//spare//table/");
        assert_eq!(shown(6), "question//answer//table/");
        assert_eq!(shown(4), "question/answer//table/");
        assert_eq!(shown(2), "question/answer/");
        assert_eq!(shown(1), "question/answer/");
    }
}
