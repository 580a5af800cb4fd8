//! The mdBook preprocessor: its input is context and book as JSON; only chapters' content changes.

use std::path::Path;

use serde_json::Value;

use super::cache::Cache;
use super::request::QuestionParser;
use super::{Setting, build};
use crate::cli::fault::{Failure, Result};
use engine::text::Fault;
use play::Registry;

/// The only supported mdBook renderer, since it can show figures inside the text.
pub const RENDERER: &str = "html";

/// Builds the chapters of a book (JSON), which read files below `root` or their own folder.
pub fn preprocessed(
    text: &str,
    root: Option<&Path>,
    (registry, parse): (&Registry, QuestionParser),
) -> Result<String> {
    let wrong = |message: &str| {
        let help = "mdBook runs this: `command = \"lowcrawl article --mdbook\"` under \
            [preprocessor.lowcrawl]";
        Failure::argument("standard input", "", Fault::new(message, 0..0).help(help))
    };
    let read = serde_json::from_str(text);
    let Ok(Value::Array(mut both)) = read else {
        return Err(wrong("not a book: expected a list of its context and the book"));
    };
    let [context, book] = &mut both[..] else {
        return Err(wrong("not a book: expected a list of two values"));
    };
    let folder = context["root"].as_str().unwrap_or(".");
    let source = context["config"]["book"]["src"].as_str().unwrap_or("src");
    let cache = Cache::in_folder(Path::new(folder));
    let folder = Path::new(folder).join(source);
    let build_chapter = |chapter: &mut Value| {
        let path = ["source_path", "path"].into_iter().find_map(|key| chapter[key].as_str());
        let name = path.or(chapter["name"].as_str()).unwrap_or("a chapter");
        let own_folder = path.map_or(folder.clone(), |path| {
            folder.join(Path::new(path).parent().unwrap_or(Path::new("")))
        });
        let Some(content) = chapter["content"].as_str() else { return Ok(()) };
        let root = root.map_or(own_folder, Path::to_path_buf);
        let setting = Setting { registry, parse, root, cache: &cache, inline: true };
        chapter["content"] = build((name, "figure"), content, &setting)?.markdown.into();
        Ok(())
    };
    let built = each_chapter(book, &build_chapter);
    cache.keep();
    built?;
    let text = serde_json::to_string(book);
    text.map_err(|error| Failure::io("the book", error.into()))
}

fn each_chapter(value: &mut Value, build: &impl Fn(&mut Value) -> Result<()>) -> Result<()> {
    match value {
        Value::Array(values) => values.iter_mut().try_for_each(|value| each_chapter(value, build)),
        Value::Object(entries) => entries.iter_mut().try_for_each(|(name, value)| {
            if name == "Chapter" {
                build(value)?;
            }
            each_chapter(value, build)
        }),
        _ => Ok(()),
    }
}
