//! Articles that compute their numbers, tables and figures, from Markdown to Markdown or HTML.
//!
//! A fence is a code block that starts with `lowcrawl` and holds a command, a request or claims. A
//! code span with `{lowcrawl}` shows a single number.

mod author_html;
pub mod book;
pub mod cache;
mod claim;
pub mod exhibit;
mod fence_info;
pub mod html;
mod numbers;
pub mod request;
mod source;

use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use self::cache::Cache;
use self::exhibit::Exhibit;
use self::fence_info::Info;
use self::html::Made;
use self::request::{CachedReply, QuestionParser, ask, is_request, words};
use self::source::{Directive, Fence, Text};
use crate::cli::fault::{Failure, Result};
use crate::cli::file_root::FileRoot;
use crate::cli::reply::Reply;
use crate::cli::stop::watch;
use engine::text::Fault;
use engine::text::notation::Notation;
use play::Registry;

pub struct Setting<'a> {
    pub registry: &'a Registry,
    pub parse: QuestionParser,
    pub root: PathBuf,
    pub cache: &'a Cache,
    /// True if figures are inside the text, false if they are in separate files.
    pub inline: bool,
}

pub struct Built {
    pub markdown: String,
    /// The generated parts, with their ranges in `markdown`.
    pub made: Vec<Made>,
    pub figures: Vec<(String, String)>,
}

/// A question of the article, with its answer once computed.
struct Pending {
    text: Text,
    reply: Option<CachedReply>,
}

struct Article<'a> {
    setting: &'a Setting<'a>,
    place: &'a str,
    source: &'a str,
    /// The question of the last fence, which later claims and numbers refer to.
    last: Option<Pending>,
    untrue: Vec<Failure>,
}

/// Builds an article, called `place` in messages. Fails with a fault, or with all false claims.
pub fn build((place, name): (&str, &str), source: &str, setting: &Setting) -> Result<Built> {
    let in_source = |fault| Failure::file(place, source, fault);
    let places = source::places(source).map_err(in_source)?;
    let mut article = Article { setting, place, source, last: None, untrue: Vec::new() };
    let mut built = Built { markdown: String::new(), made: Vec::new(), figures: Vec::new() };
    let mut done = 0;
    for place in &places {
        watch().check_cancelled()?;
        let (range, replaced) = match place {
            Directive::Span(text) => (&text.range, article.number(text)?),
            Directive::Fence(fence) => (&fence.range, String::new()),
        };
        built.markdown += &source[done..range.start];
        built.markdown += &replaced;
        if let Directive::Fence(fence) = place {
            let shown = article.fence(fence)?;
            // A generated block is between blank lines, but follows a list marker directly.
            let has = |line: Option<&str>| {
                line.is_some_and(|line| !line.trim_start_matches([' ', '\t', '>']).is_empty())
            };
            let begin = range.start - fence.indent.len();
            let is_alone = source.get(begin..range.start) == Some(fence.indent.as_str());
            if shown.is_empty() && is_alone {
                built.markdown.truncate(built.markdown.len() - fence.indent.len());
            }
            if !shown.is_empty() && is_alone && has(source[..begin].lines().last()) {
                built.markdown += &format!("\n{}", fence.indent);
            }
            built.put(&shown, name, &fence.indent, setting.inline);
            if !shown.is_empty() && has(source[range.end..].lines().next()) {
                built.markdown += &format!("{}\n", fence.indent.trim_end());
            }
        }
        done = range.end;
    }
    built.markdown += &source[done..];
    if article.untrue.is_empty() { Ok(built) } else { Err(Failure::Untrue(article.untrue)) }
}

impl Built {
    /// Appends the output of a fence, with `indent` before every line but the first.
    fn put(&mut self, shown: &[Exhibit], name: &str, indent: &str, inline: bool) {
        for (number, shown) in shown.iter().enumerate() {
            if number > 0 {
                self.markdown += &format!("\n{indent}");
            }
            let file = format!("{name}-{}.svg", self.figures.len() + 1);
            let start = self.markdown.len();
            let html = shown.html();
            let is_inside = inline && matches!(shown, Exhibit::Figure { .. });
            let text = if is_inside { html.clone() } else { shown.markdown(&file) };
            // A zero-width character keeps mdBook from reading `{{#include ..}}` as a directive.
            let text = if inline { text.replace("{{", "{\u{2060}{") } else { text };
            let mut lines = text.lines();
            self.markdown += lines.next().unwrap_or_default();
            self.markdown += "\n";
            for line in lines {
                let indent = if line.is_empty() { indent.trim_end() } else { indent };
                self.markdown += &format!("{indent}{line}\n");
            }
            self.made.push(Made { range: start..self.markdown.len(), html });
            if let (Exhibit::Figure { svg, .. }, false) = (shown, inline) {
                self.figures.push((file, svg.clone()));
            }
        }
    }
}

impl Article<'_> {
    /// Returns the output of a fence. A fence of claims has none.
    fn fence(&mut self, fence: &Fence) -> Result<Vec<Exhibit>> {
        let in_info = |fault: Fault| self.wrong(&fence.info, fault, Notation::Words);
        match fence_info::read(&fence.info).map_err(in_info)? {
            Info::Show(shows, caption) => {
                let mut pending = Pending { text: fence.content.clone(), reply: None };
                let what = format!("{shows:?} {caption:?}");
                // If the answer lacks this form, the first line of the fence is at fault.
                let shown = self.kept(&what, &mut pending, &fence.info, |reply, _| {
                    exhibit::render(reply, &shows, caption.as_deref())
                });
                self.last = Some(pending);
                shown
            }
            Info::Assert => {
                let mut pending = self.before(&fence.content)?;
                for (line, span) in fence.content.lines() {
                    let part = fence.content.part(line, span);
                    let claim = format!("claim {line}");
                    let instead = self.kept(&claim, &mut pending, &part, |reply, registry| {
                        claim::check(line, reply, registry)
                    })?;
                    if let Some(instead) = instead {
                        let fault = Fault::new(format!("this claim is false: {instead}"), 0..0);
                        self.untrue.push(self.wrong(&part, fault, Notation::Words));
                    }
                }
                self.last = Some(pending);
                Ok(Vec::new())
            }
        }
    }

    /// Returns the number of a code span: of its own question, or `= NAME` of the last fence.
    fn number(&mut self, span: &Text) -> Result<String> {
        let Some(rest) = span.text.strip_prefix('=') else {
            let mut pending = Pending { text: span.clone(), reply: None };
            return self.kept("number", &mut pending, span, |reply, registry| {
                claim::render("", reply, registry)
            });
        };
        let name = rest.trim();
        let part = span.part(name, span.text.len() - rest.trim_start().len()..span.text.len());
        let mut pending = self.before(span)?;
        let what = format!("number {name}");
        let number = self.kept(&what, &mut pending, &part, |reply, registry| {
            claim::render(name, reply, registry)
        });
        self.last = Some(pending);
        number
    }

    /// Takes the question of the last fence; `text` refers to it, and is at fault if there is none.
    fn before(&mut self, text: &Text) -> Result<Pending> {
        self.last.take().ok_or_else(|| {
            let fault = Fault::new("no fence above this asks a question", 0..0);
            let help =
                "write a fence with the question above it; `lowcrawl nothing` hides its answer";
            self.wrong(text, fault.help(help), Notation::Words)
        })
    }

    /// Returns the result of `make` for an answer, cached if possible; else `part` is at fault.
    fn kept<T: Serialize + DeserializeOwned>(
        &self,
        what: &str,
        Pending { text, reply }: &mut Pending,
        part: &Text,
        make: impl FnOnce(&Reply, &Registry) -> Result<T>,
    ) -> Result<T> {
        let Setting { registry, parse, root, cache, .. } = self.setting;
        let in_question = |failure| self.placed(failure, text);
        let files = FileRoot::below(root)
            .map_err(|error| in_question(Failure::io(&root.display().to_string(), error)))?;
        let key = cache::key(what, &canonical(&text.text), &files);
        if let Some(kept) = cache.get(&key, &files) {
            return Ok(kept);
        }
        let reply = match reply {
            Some(reply) => reply,
            none => none.insert(ask(&text.text, (registry, *parse), files).map_err(in_question)?),
        };
        let made = make(&reply.reply, registry).map_err(|failure| self.placed(failure, part))?;
        cache.put(key, &reply.read, &made);
        Ok(made)
    }

    /// Returns the failure for a fault whose span lies in `part`, with its place in the article.
    fn wrong(&self, part: &Text, fault: Fault, notation: Notation) -> Failure {
        let span = part.span(fault.span.clone());
        // Markdown may replace characters, so an offset can fall inside one.
        let begin = self.source.floor_char_boundary(span.start);
        let span = begin..self.source.ceil_char_boundary(span.end).max(begin);
        let (place, text) = (self.place.to_string(), self.source.to_string());
        Failure::Input { place, text, fault: Box::new(Fault { span, ..fault }), notation }
    }

    fn placed(&self, failure: Failure, part: &Text) -> Failure {
        let (fault, notation) = match failure {
            // These failures have their place already, or have no place in the article.
            Failure::Input { ref place, .. } if place == self.place => return failure,
            Failure::Engine { error: engine::EngineError::Interrupted, .. }
            | Failure::Untrue(_) => return failure,
            Failure::Input { place, text, fault, notation } => {
                (located(part, &place, &text, *fault), notation)
            }
            Failure::Io { place, error } => {
                let fault = Fault::new(error.to_string(), 0..0);
                (located(part, &place, "", fault), Notation::Words)
            }
            Failure::Engine { error, help } => {
                let fault = Fault::new(error.to_string(), 0..0);
                (Fault { help, ..fault }, Notation::Words)
            }
            other => {
                let report = other.report();
                (Fault::new(report.trim_start_matches("error: "), 0..0), Notation::Words)
            }
        };
        self.wrong(part, fault, notation)
    }
}

/// Gives a fault in `text`, the content of the file `place`, a span in `part`: the same place if
/// `part` contains `text`, else the file name, and the message has the position in the file.
fn located(
    part: &Text,
    place: &str,
    text: &str,
    Fault { message, span, near, help }: Fault,
) -> Fault {
    let named = part.text.find(place);
    let value = part.text[named.unwrap_or(0)..].find(text).filter(|_| !text.is_empty());
    let (message, span) = if place.is_empty() {
        (message, span)
    } else if let Some(at) = value.map(|at| named.unwrap_or(0) + at) {
        let whole = if span.is_empty() { 0..text.len() } else { span };
        let is_option = place.starts_with("--");
        let message = if is_option { format!("{place}: {message}") } else { message };
        (message, at + whole.start..at + whole.end)
    } else {
        let line = text.get(..span.start).filter(|_| !text.is_empty()).map(|before| {
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            format!("{place}:{}:{column}", before.matches('\n').count() + 1)
        });
        let line = line.unwrap_or(place.to_string());
        (format!("{line}: {message}"), named.map_or(0..0, |at| at..at + place.len()))
    };
    Fault { near, help, ..Fault::new(message, span) }
}

/// Returns a command with normalised quotes and blanks; a request is returned unchanged.
fn canonical(text: &str) -> String {
    if is_request(text) {
        return text.to_string();
    }
    let words = words(text).unwrap_or_default();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| text.to_string())
}
