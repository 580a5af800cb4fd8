//! Parses the info string of a lowcrawl fence (a Markdown code block): the words after `lowcrawl`.

use std::ops::Range;

use super::source::Text;
use crate::cli::fault::Failure;
use charts::chart::ChartKind;
use engine::text::Fault;
use engine::text::notation::Remedy;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The first of map, table and words that the answer has.
    Fitting,
    Table,
    /// A chart of the kind with this name; `None` for the kind that fits best.
    Chart(Option<&'static str>),
    Map,
    Words,
    /// No output; later claims and numbers use the answer.
    Nothing,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Info {
    Show(Vec<Show>, Option<String>),
    Assert,
}

const CAPTION: &str = "caption";
const ASSERT: &str = "assert";
const CHART: &str = "chart";
const WORDS: [&str; 7] = ["table", CHART, "map", "words", "nothing", CAPTION, ASSERT];

/// Parses the info string of a fence. Fails with the span of the first wrong word.
pub fn read(info: &Text) -> Result<Info, Fault> {
    let text = info.text.as_str();
    let words = shlex::split(text).ok_or_else(|| {
        let help = "caption=\"How often it rallies\"";
        Fault::new("missing closing quote", 0..text.len()).help(help)
    })?;
    if words.first().is_some_and(|word| word == ASSERT) {
        return match words.get(1) {
            None => Ok(Info::Assert),
            Some(word) => {
                Err(Fault::new(format!("unexpected `{word}` after `{ASSERT}`"), span(text, word))
                    .help("write claims inside the fence, one per line"))
            }
        };
    }
    let (mut shows, mut caption) = (Vec::new(), None);
    for word in &words {
        let (name, value) =
            word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        let twice = || Fault::new(format!("`{name}` is given twice"), span(text, name));
        let show = match (name, value) {
            (CAPTION, Some(value)) if caption.is_none() && !value.trim().is_empty() => {
                caption = Some(value.split_whitespace().collect::<Vec<_>>().join(" "));
                continue;
            }
            (CAPTION, Some(_)) if caption.is_some() => return Err(twice()),
            (CAPTION, _) => {
                let fault = Fault::new("a caption must not be empty", span(text, CAPTION));
                return Err(fault.help("caption=\"How often it rallies\""));
            }
            ("table", None) => Show::Table,
            ("map", None) => Show::Map,
            ("words", None) => Show::Words,
            ("nothing", None) => Show::Nothing,
            (CHART, None) => Show::Chart(None),
            (CHART, Some(kind)) => {
                let names = ChartKind::ALL.map(ChartKind::name);
                let known = names.into_iter().find(|known| *known == kind);
                let message = || format!("unknown chart kind `{kind}`");
                let unknown = || Fault::new(message(), span(text, kind)).expecting(kind, names);
                Show::Chart(Some(known.ok_or_else(unknown)?))
            }
            _ => {
                let message = match value.filter(|_| WORDS.contains(&name)) {
                    Some(_) => format!("`{name}` does not take a value"),
                    None => format!("a fence cannot show `{name}`"),
                };
                return Err(Fault::new(message, span(text, name)).expecting(name, WORDS));
            }
        };
        if shows.contains(&show) {
            return Err(twice());
        }
        shows.push(show);
    }
    if shows.is_empty() {
        shows.push(Show::Fitting);
    }
    Ok(Info::Show(shows, caption))
}

/// Returns the failure for a fault in a text of the article.
pub fn wrong(text: &str, fault: Fault) -> Failure {
    Failure::argument("", text, fault)
}

pub fn refused(
    text: &str,
    message: impl Into<String>,
    span: Range<usize>,
    help: impl Into<Remedy>,
) -> Failure {
    wrong(text, Fault::new(message, span).help(help))
}

/// Returns the span of `word` in `text`, or of all of `text` if `word` is empty or missing.
pub fn span(text: &str, word: &str) -> Range<usize> {
    text.find(word).filter(|_| !word.is_empty()).map_or(0..text.len(), |at| at..at + word.len())
}
