//! Finds the fences (code blocks) and code spans of lowcrawl in a Markdown article.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use engine::text::Fault;

pub const NAME: &str = "lowcrawl";
const MARK: &str = "{lowcrawl}";

/// A part of an article that lowcrawl replaces by an answer.
#[derive(Debug)]
pub enum Directive {
    Fence(Fence),
    Span(Text),
}

#[derive(Debug)]
pub struct Fence {
    /// The words after `lowcrawl` on its first line.
    pub info: Text,
    pub content: Text,
    /// The byte range of the fence in the article, including the end of its last line.
    pub range: Range<usize>,
    /// The prefix of all lines but the first: blanks of a list item, or signs of a quotation.
    pub indent: String,
}

/// A text from an article, which maps offsets in the text to offsets in the article.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub text: String,
    pub range: Range<usize>,
    /// Pairs of offsets, in the text and in the article, at which a contiguous piece begins.
    pieces: Vec<(usize, usize)>,
}

impl Text {
    fn new(text: &str, range: Range<usize>) -> Text {
        let pieces = vec![(0, range.start)];
        Text { text: text.to_string(), range, pieces }
    }

    fn push(&mut self, text: &str, range: Range<usize>) {
        self.range =
            if self.pieces.is_empty() { range.clone() } else { self.range.start..range.end };
        self.pieces.push((self.text.len(), range.start));
        self.text += &text.replace("\r\n", "\n");
    }

    pub fn place(&self, at: usize) -> usize {
        let piece = self.pieces.iter().rev().find(|(begin, _)| *begin <= at);
        let place = piece.map_or(self.range.start, |(begin, place)| place + (at - begin));
        place.min(self.range.end.max(self.range.start))
    }

    /// Maps a span to the article; `0..0` stands for the whole text without surrounding blanks.
    pub fn span(&self, span: Range<usize>) -> Range<usize> {
        if span != (0..0) {
            return self.place(span.start)..self.place(span.end);
        }
        let blank = self.text.len() - self.text.trim_start().len();
        self.place(blank)..self.place(self.text.trim_end().len()).max(self.place(blank))
    }

    /// Returns the part `text` at `range`, which must lie within one line.
    pub fn part(&self, text: &str, range: Range<usize>) -> Text {
        Text::new(text, self.place(range.start)..self.place(range.end))
    }

    /// Returns the lines with their spans in the text, without blank lines and comments.
    pub fn lines(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let whole = self.text.as_str();
        whole.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(
            move |line| {
                let begin = line.as_ptr() as usize - whole.as_ptr() as usize;
                (line, begin..begin + line.len())
            },
        )
    }
}

pub fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
}

/// Finds all fences and code spans of lowcrawl, in order. Fails if a fence is not closed.
pub fn places(source: &str) -> Result<Vec<Directive>, Fault> {
    let mut places = Vec::new();
    let mut open: Option<Fence> = None;
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))
                if info.split_whitespace().next() == Some(NAME) =>
            {
                open = Some(fence(source, range)?);
            }
            Event::Text(text) => {
                if let Some(fence) = &mut open {
                    fence.content.push(&text, range);
                }
            }
            Event::End(TagEnd::CodeBlock) => places.extend(open.take().map(Directive::Fence)),
            Event::Code(text) if text.trim_start().starts_with(MARK) => {
                let words = text.trim_start()[MARK.len()..].trim();
                let whole = &source[range.clone()];
                let at = whole.find(words).filter(|_| !words.is_empty()).unwrap_or(0);
                let span = Text::new(words, range.start + at..range.start + at + words.len());
                places.push(Directive::Span(Text { range, ..span }));
            }
            _ => {}
        }
    }
    Ok(places)
}

/// Parses the first and last line of a fence; the content stays empty.
fn fence(source: &str, range: Range<usize>) -> Result<Fence, Fault> {
    let whole = &source[range.clone()];
    let first = whole.lines().next().unwrap_or_default();
    let sign = first.chars().next().unwrap_or('`');
    let ticks = first.len() - first.trim_start_matches(sign).len();
    let last =
        whole.lines().skip(1).last().unwrap_or_default().trim_start_matches([' ', '\t', '>']);
    let last = last.trim_end();
    if last.len() < ticks || !last.chars().all(|letter| letter == sign) {
        let fault = Fault::new("missing end of the fence", range.start..range.start + first.len());
        return Err(fault.help(format!("end it with a line `{}`", &first[..ticks])));
    }
    let name = first.find(NAME).unwrap_or(ticks) + NAME.len();
    let info = first.get(name..).unwrap_or_default();
    let info = Text::new(info, range.start + name..range.start + name + info.len());
    let line = source[..range.start].rfind('\n').map_or(0, |end| end + 1);
    let keep = |letter: char| if letter == '>' { '>' } else { ' ' };
    let indent = source[line..range.start].chars().map(keep).collect();
    let after = &source[range.end..];
    let ends = after.len() - after.trim_start_matches(['\r', '\n']).len();
    let ends = after[..ends].find('\n').map_or(ends, |end| end + 1);
    let end = range.end + if whole.ends_with('\n') { 0 } else { ends };
    Ok(Fence { info, content: Text::default(), range: range.start..end, indent })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fences(source: &str) -> Vec<Fence> {
        let fence = |place| match place {
            Directive::Fence(fence) => Some(fence),
            Directive::Span(_) => None,
        };
        places(source).unwrap().into_iter().filter_map(fence).collect()
    }

    #[test]
    fn fences_are_found_with_their_place() {
        let source = "a\n\n```lowcrawl chart\nrally x\n```\nb\n\n- one\n  ```lowcrawl\n  rally y\n   z\n  ```\n\n````\n```lowcrawl\n```\n````\n";
        let [first, second] = &fences(source)[..] else { panic!() };
        assert_eq!(&source[first.range.clone()], "```lowcrawl chart\nrally x\n```\n");
        assert_eq!(
            (first.info.text.as_str(), first.content.text.as_str()),
            (" chart", "rally x\n")
        );
        assert_eq!(second.content.text, "rally y\n z\n");
        assert_eq!(second.indent, "  ");
        assert_eq!(&source[second.content.span(9..10)], "z");
        let (line, span) = second.content.lines().nth(1).unwrap();
        assert_eq!((line, &source[second.content.span(span)]), ("z", "z"));
    }

    #[test]
    fn fence_without_end_is_refused() {
        let fault = places("a\n\n```lowcrawl\nrally x\n").unwrap_err();
        assert_eq!((fault.message.as_str(), fault.span), ("missing end of the fence", 3..14));
        // A shorter fence does not close a longer one.
        assert!(places("````lowcrawl\nrally x\n```\n").is_err());
        assert!(places("~~~lowcrawl\nrally x\n~~~~").is_ok());
    }

    #[test]
    fn spans_are_found_with_their_text() {
        let source = "One `{lowcrawl} rally \"x\"` and `another`.";
        let places = places(source).unwrap();
        let [Directive::Span(span)] = &places[..] else { panic!("{places:?}") };
        assert_eq!(span.text, "rally \"x\"");
        assert_eq!(&source[span.range.clone()], "`{lowcrawl} rally \"x\"`");
        assert_eq!(&source[span.place(0)..span.place(5)], "rally");
    }
}
