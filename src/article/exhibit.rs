//! Renders an answer in an article as Markdown and as HTML.

use serde::{Deserialize, Serialize};

use super::author_html;
use super::fence_info::Show;
use super::html;
use crate::cli::fault::Failure;
use crate::cli::reply::Reply;
use charts::chart::{Chart, draw, label};
use engine::text::Fault;
use render::escape;

/// The width of a chart in pixels.
pub const WIDTH: f64 = 720.0;

/// One rendered form of an answer, with its caption.
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

/// Renders an answer in each form of `shows`; the first form gets the caption. Fails with a fault
/// of empty span if the answer lacks a form.
pub fn render(
    reply: &Reply,
    shows: &[Show],
    caption: Option<&str>,
) -> Result<Vec<Exhibit>, Failure> {
    let mut caption = caption.map(str::to_string);
    let mut all = Vec::new();
    for show in shows {
        all.extend(one(reply, *show, caption.take())?);
    }
    Ok(all)
}

fn one(reply: &Reply, show: Show, caption: Option<String>) -> Result<Option<Exhibit>, Failure> {
    let none = |what: &str, help: String| {
        let fault = Fault::new(format!("this answer has no {what}"), 0..0);
        Failure::argument("", "", fault.help(help))
    };
    let shown = match show {
        Show::Nothing => return Ok(None),
        Show::Words => Exhibit::Words { text: reply.words()?, caption },
        Show::Table => Exhibit::Table(
            reply
                .markdown(heading(caption.as_deref()).as_deref())
                .ok_or_else(|| none("table", "use `words` instead".to_string()))?,
        ),
        Show::Map => {
            let (svg, label_text) = reply
                .picture(caption.as_deref())
                .ok_or_else(|| none("map", "only `rout` has one".to_string()))?;
            Exhibit::Figure { svg, label_text }
        }
        Show::Chart(kind) => {
            let charts = reply.charts();
            let fits = |chart: &&Chart| kind.is_none_or(|kind| chart.kind == kind);
            let chart = charts.iter().find(fits).ok_or_else(|| {
                let names: Vec<&str> = charts.iter().map(|chart| chart.kind.name()).collect();
                match kind {
                    Some(kind) if !names.is_empty() => {
                        let what = format!("chart of the kind `{}`", kind.name());
                        none(&what, format!("allowed: {}", names.join(", ")))
                    }
                    _ => none("chart", "use `words` instead".to_string()),
                }
            })?;
            let title = caption.unwrap_or_else(|| chart.title.clone());
            let chart = Chart { title, ..chart.clone() };
            let (svg, label_text) = (draw(&chart, WIDTH), label(&chart));
            Exhibit::Figure { svg, label_text }
        }
        Show::Fitting => {
            if let Some((svg, label_text)) = reply.picture(caption.as_deref()) {
                Exhibit::Figure { svg, label_text }
            } else {
                match reply.markdown(heading(caption.as_deref()).as_deref()) {
                    Some(table) => Exhibit::Table(table),
                    None => Exhibit::Words { text: reply.words()?, caption },
                }
            }
        }
    };
    Ok(Some(shown))
}

impl Exhibit {
    /// Returns the exhibit as Markdown; a figure is a link to `file`.
    pub fn markdown(&self, file: &str) -> String {
        let below = |caption: &Option<String>| {
            caption
                .as_deref()
                .map_or(String::new(), |caption| format!("\n*{}*\n", escape::text(caption)))
        };
        match self {
            Exhibit::Figure { label_text, .. } => {
                format!("![{}]({})\n", escape::text(label_text), address(file))
            }
            Exhibit::Table(markdown) => markdown.trim_end().to_string() + "\n",
            Exhibit::Words { text, caption } => escape::block(text) + &below(caption),
        }
    }

    /// Returns the exhibit as HTML.
    pub fn html(&self) -> String {
        let caption = |caption: &Option<String>| {
            caption.as_deref().map_or(String::new(), |caption| {
                format!("<figcaption>{}</figcaption>", author_html::escape(caption))
            })
        };
        match self {
            Exhibit::Figure { svg, .. } => {
                let picture = html::inline(svg);
                // A blank line would end an HTML block in Markdown.
                let lines = picture.lines().filter(|line| !line.trim().is_empty());
                let picture = lines.collect::<Vec<_>>().join("\n");
                format!("<figure>\n{picture}\n</figure>\n")
            }
            Exhibit::Table(markdown) => html::tables(markdown),
            Exhibit::Words { text, caption: words } => {
                let text = author_html::escape(text.trim_end());
                format!("<figure>\n<pre tabindex=\"0\">{text}</pre>\n{}</figure>\n", caption(words))
            }
        }
    }

    pub fn is_figure(&self) -> bool {
        matches!(self, Exhibit::Figure { .. })
    }
}

/// Returns a caption as a sentence to print above a table.
fn heading(caption: Option<&str>) -> Option<String> {
    let end = |caption: &str| if caption.ends_with(['.', '?', '!', ':']) { "" } else { "." };
    caption.map(|caption| format!("{}{}", escape::text(caption), end(caption)))
}

fn address(file: &str) -> String {
    let mut address = String::new();
    for letter in file.chars() {
        match letter.is_alphanumeric() || "-_.".contains(letter) {
            true => address.push(letter),
            false => {
                let mut bytes = [0; 4];
                let bytes = letter.encode_utf8(&mut bytes).bytes();
                address.extend(bytes.map(|byte| format!("%{byte:02X}")));
            }
        }
    }
    address
}
