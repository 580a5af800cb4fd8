//! The preprocessor for mdBook, which passes its context and the book as JSON. Only the content of
//! chapters changes.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::cache::Cache;
use super::request::QuestionParser;
use super::{Setting, build};
use crate::cli::fault::Failure;
use engine::text::Fault;
use play::Registry;

/// The only supported mdBook renderer, since it can show figures inside the text.
pub const RENDERER: &str = "html";

/// Builds the chapters of a book (JSON), which read files below `root` or their own folder.
pub fn preprocessed(
    text: &str,
    root: Option<&Path>,
    (registry, parse): (&Registry, QuestionParser),
) -> Result<String, Failure> {
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
    let built = Chapters { folder, root, cache: &cache, registry, parse }.walk(book);
    cache.keep();
    built?;
    let text = serde_json::to_string(book);
    text.map_err(|error| Failure::io("the book", error.into()))
}

struct Chapters<'a> {
    folder: PathBuf,
    root: Option<&'a Path>,
    cache: &'a Cache,
    registry: &'a Registry,
    parse: QuestionParser,
}

impl Chapters<'_> {
    fn walk(&self, value: &mut Value) -> Result<(), Failure> {
        match value {
            Value::Array(values) => values.iter_mut().try_for_each(|value| self.walk(value)),
            Value::Object(entries) => entries.iter_mut().try_for_each(|(name, value)| {
                if name == "Chapter" {
                    self.chapter(value)?;
                }
                self.walk(value)
            }),
            _ => Ok(()),
        }
    }

    fn chapter(&self, chapter: &mut Value) -> Result<(), Failure> {
        let path = ["source_path", "path"].into_iter().find_map(|key| chapter[key].as_str());
        let name = path.or(chapter["name"].as_str()).unwrap_or("a chapter").to_string();
        let own_folder = path.map_or(self.folder.clone(), |path| {
            self.folder.join(Path::new(path).parent().unwrap_or(Path::new("")))
        });
        let Some(content) = chapter["content"].as_str() else { return Ok(()) };
        let root = self.root.map_or(own_folder, Path::to_path_buf);
        let Chapters { registry, parse, cache, .. } = *self;
        let setting = Setting { registry, parse, root, cache, inline: true };
        let built = build((&name, "figure"), content, &setting)?;
        chapter["content"] = built.markdown.into();
        Ok(())
    }
}
