//! Renders an answer in an article as Markdown and as HTML.

use serde::{Deserialize, Serialize};

use super::author_html::escape;
use super::fence_info::Show;
use super::html;
use crate::cli::fault::{Failure, Result};
use crate::cli::reply::Reply;
use crate::study::chart::{WIDTH, fitting};
use charts::chart::{Chart, draw, label};
use engine::text::Fault;
use render::escape as markdown;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Exhibit {
    /// A chart or a map as SVG, with a text description. The picture contains the caption.
    Figure {
        svg: String,
        label_text: String,
    },
    /// Markdown with the caption, the method of computation, and a table.
    Table(String),
    Words {
        text: String,
        caption: Option<String>,
    },
}

/// Renders an answer in each form. Fails, with an empty span, if it lacks a form.
pub fn render(reply: &Reply, shows: &[Show], caption: Option<&str>) -> Result<Vec<Exhibit>> {
    let mut caption = caption.map(str::to_string);
    let shown = shows.iter().map(|show| one(reply, *show, caption.take()));
    shown.filter_map(Result::transpose).collect()
}

fn one(reply: &Reply, show: Show, caption: Option<String>) -> Result<Option<Exhibit>> {
    let none = |what: &str, help: String| {
        let fault = Fault::new(format!("this answer has no {what}"), 0..0);
        Failure::argument("", "", fault.help(help))
    };
    let picture = || {
        let (svg, label_text) = reply.picture(caption.as_deref())?;
        Some(Exhibit::Figure { svg, label_text })
    };
    let table = || reply.markdown(heading(caption.as_deref()).as_deref()).map(Exhibit::Table);
    let words = || Ok(Exhibit::Words { text: reply.words(false)?, caption: caption.clone() });
    let shown = match show {
        Show::Nothing => return Ok(None),
        Show::Words => words()?,
        Show::Table => table().ok_or_else(|| none("table", "use `words` instead".to_string()))?,
        Show::Map => picture().ok_or_else(|| none("map", "only `rout` has one".to_string()))?,
        Show::Fitting => picture().or_else(table).map_or_else(words, Ok::<_, Failure>)?,
        Show::Chart(kind) => {
            let charts = reply.charts();
            let chart = fitting(&charts, kind).map_err(|names| match kind {
                Some(kind) if !names.is_empty() => {
                    none(&format!("chart of the kind `{kind}`"), format!("allowed: {names}"))
                }
                _ => none("chart", "use `words` instead".to_string()),
            })?;
            let title = caption.unwrap_or_else(|| chart.title.clone());
            let chart = Chart { title, ..chart.clone() };
            Exhibit::Figure { svg: draw(&chart, WIDTH), label_text: label(&chart) }
        }
    };
    Ok(Some(shown))
}

impl Exhibit {
    /// Returns the exhibit as Markdown; a figure is a link to `file`.
    pub fn markdown(&self, file: &str) -> String {
        match self {
            Exhibit::Figure { label_text, .. } => {
                format!("![{}]({})\n", markdown::text(label_text), address(file))
            }
            Exhibit::Table(markdown) => markdown.trim_end().to_string() + "\n",
            Exhibit::Words { text, caption } => {
                let caption = caption.as_deref().map(markdown::text);
                let below = caption.map(|caption| format!("\n*{caption}*\n"));
                markdown::block(text) + &below.unwrap_or_default()
            }
        }
    }

    pub fn html(&self) -> String {
        match self {
            Exhibit::Figure { svg, .. } => {
                let picture = html::inline(svg);
                // A blank line would end an HTML block in Markdown.
                let lines = picture.lines().filter(|line| !line.trim().is_empty());
                let picture = lines.collect::<Vec<_>>().join("\n");
                format!("<figure>\n{picture}\n</figure>\n")
            }
            Exhibit::Table(markdown) => html::tables(markdown),
            Exhibit::Words { text, caption } => {
                let (text, caption) = (escape(text.trim_end()), caption.as_deref().map(escape));
                let caption = caption.map(|words| format!("<figcaption>{words}</figcaption>"));
                let caption = caption.unwrap_or_default();
                format!("<figure>\n<pre tabindex=\"0\">{text}</pre>\n{caption}</figure>\n")
            }
        }
    }
}

fn heading(caption: Option<&str>) -> Option<String> {
    let end = |caption: &str| if caption.ends_with(['.', '?', '!', ':']) { "" } else { "." };
    caption.map(|caption| format!("{}{}", markdown::text(caption), end(caption)))
}

/// Returns an address with all but letters, digits and `-_.` percent-encoded.
fn address(file: &str) -> String {
    let encoded = |letter: char| match letter.is_alphanumeric() || "-_.".contains(letter) {
        true => letter.to_string(),
        false => letter.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
    };
    file.chars().map(encoded).collect()
}
