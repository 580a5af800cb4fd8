//! The `article` command: builds Markdown that computes its own numbers, tables and figures.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::fault::{Failure, Result};
use super::file_root::FileRoot;
use super::output::is_same;
use super::stop::{self, watch};
use super::writer::{print, write_file, write_into};
use crate::article::cache::Cache;
use crate::article::request::QuestionParser;
use crate::article::{Setting, book, build, html};
use crate::study::disk::FileError;
use engine::text::{Fault, MOST_FILE, within};
use play::Registry;

pub const HELP: &str = "\
An article is Markdown. Questions in it are replaced by their answers; the rest stays unchanged:

  ```lowcrawl chart caption=\"How often it rallies\"
  rally \"german:4-6-7/dm\" --leader none,german:8-1,german:9-2 --phases 1..4 --no-hob
  ```
  ```lowcrawl assert
  leader 9-2 better than leader 8-1 by 5 points
  leader none, phases 1 < 10 %
  ```
  It comes back `{lowcrawl} rally \"german:4-6-7/dm\" --leader german:8-1 --phases 2` of the time.

A fence has a command with a question, or a request in TOML with the keys of `ask`. After \
`lowcrawl` write what to show: table, chart, chart=curve, map, words or nothing, and a caption for \
the heading. The default is a map, a table or words.
Claims check the answer of the fence before them, one per line. A false claim gives exit code 1:
  mmc holds >= 2 > 50 %          a measure of --tell; also rallied 4-6-7 @ 1 < 30 %, even odds by 2
  run < 40 %                     a course, a choice, a plan, or a cell of a table
  Low Crawl better than run by 5 points; Low Crawl is best; in a table of choices fp 4, \
  interdicted 1 is run
Signs are > >= < <= and =, where = compares the digits that are given. For an estimate, a claim \
must hold in its whole interval.
A code span gives one number: of its own question, or after `=` of the fence before it: \
`{lowcrawl} = run`.
A fence writes no file, and reads no file outside --root.
mdBook runs this command as a preprocessor: command = \"lowcrawl article --mdbook\" under \
[preprocessor.lowcrawl].";

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new studies/article.md --out rally.md",
    "lowcrawl article rally.md --out built",
    "lowcrawl article rally.md --out built --check",
];

/// Arguments of `article`.
#[derive(Debug, Args)]
pub struct Article {
    /// Articles (Markdown files); with --mdbook no file, or `supports RENDERER`
    #[arg(value_name = "FILE", required_unless_present = "mdbook")]
    files: Vec<PathBuf>,
    /// Output folder, or the HTML page of one article (NAME.html); it appears only if every article
    /// is correct
    #[arg(long, value_name = "DIR", required_unless_present = "mdbook")]
    out: Option<PathBuf>,
    /// Folder whose files an article may read [default: that of the article]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Overwrite files that no article wrote, or that were changed since
    #[arg(long)]
    replace: bool,
    /// Write one self-contained HTML page instead of Markdown and figures
    #[arg(long)]
    html: bool,
    /// Build again and compare with the existing files; nothing is written
    #[arg(long, conflicts_with = "replace")]
    check: bool,
    /// Run as an mdBook preprocessor, from standard input to standard output
    #[arg(long, conflicts_with_all = ["out", "replace", "html", "check"])]
    mdbook: bool,
}

impl Article {
    /// Builds the articles, whose commands `parse` reads.
    pub fn run(&self, registry: &Registry, parse: QuestionParser) -> Result<()> {
        let Some(out) = self.out.as_deref().filter(|_| !self.mdbook) else {
            return self.book(registry, parse);
        };
        let page = page(out);
        if page.is_some() && self.files.len() > 1 {
            let message = "one HTML page holds one article";
            let place = out.display().to_string();
            return Err(Failure::refused("--out", &place, message).help("name a folder"));
        }
        let folder = page.map_or(out, |(folder, _)| folder);
        let cache = match self.check || page.is_some() {
            true => Cache::in_memory(),
            false => Cache::in_folder(out),
        };
        let built = self.built((registry, parse), folder, &cache);
        cache.keep();
        let outputs = built?;
        watch().check_cancelled()?;
        if self.check {
            return self.compare(folder, &outputs);
        }
        if let (Some(_), Some(text)) = (page, outputs.values().next()) {
            write_file(out, text.as_bytes())?;
            stop::too_late();
            return print(format!("{}\n", out.display()));
        }
        let names = outputs.keys().map(|name| out.join(name).display().to_string() + "\n");
        let names: String = names.collect();
        let bytes = |(name, text): (String, String)| (name, text.into_bytes());
        let files: Vec<_> = outputs.into_iter().map(bytes).collect();
        write_into(out, Some(LIST), &files, self.replace)?;
        stop::too_late();
        cache.keep();
        print(names)
    }

    fn is_html(&self) -> bool {
        self.html || self.out.as_deref().and_then(page).is_some()
    }

    /// Builds all articles. Returns the content of each output file by its name.
    fn built(
        &self,
        (registry, parse): (&Registry, QuestionParser),
        out: &Path,
        cache: &Cache,
    ) -> Result<BTreeMap<String, String>> {
        let mut outputs = BTreeMap::new();
        let mut untrue = Vec::new();
        for file in &self.files {
            let place = file.display().to_string();
            let wrong = |message: String, help: &str| {
                Err(Failure::refused("FILE", &place, message).help(help))
            };
            let name = file.file_stem().map_or(String::new(), |name| name.display().to_string());
            let source = FileRoot::anywhere().text(file)?;
            let own_folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let root = self.root.as_deref().or(own_folder).unwrap_or(Path::new(".")).to_path_buf();
            let setting = Setting { registry, parse, root, cache, inline: false };
            let built = match build((&place, &name), &source, &setting) {
                Err(Failure::Untrue(claims)) => {
                    untrue.extend(claims);
                    continue;
                }
                built => built?,
            };
            let page = match self.is_html() {
                true => {
                    let named =
                        self.out.as_deref().and_then(page).map(|(_, name)| name.to_string());
                    let text = html::page(&built.markdown, &built.made, &name);
                    (named.unwrap_or(format!("{name}.{HTML}")), text)
                }
                false => (format!("{name}.md"), built.markdown),
            };
            let figures = built.figures.into_iter().filter(|_| !self.is_html());
            for (name, text) in figures.chain([page]) {
                if self.files.iter().any(|file| is_same(file, &out.join(&name))) {
                    let help = "choose another folder with --out";
                    return wrong(format!("`{name}` would overwrite an article"), help);
                }
                if outputs.insert(name.clone(), text).is_some() {
                    let help = "build it into a separate folder";
                    return wrong(format!("another article also writes `{name}`"), help);
                }
            }
        }
        if untrue.is_empty() { Ok(outputs) } else { Err(Failure::Untrue(untrue)) }
    }

    /// Fails if the files in the output folder differ from those that the articles build now.
    fn compare(&self, out: &Path, outputs: &BTreeMap<String, String>) -> Result<()> {
        let mut stale = Vec::new();
        let mut add = |place: &Path, message: String| {
            stale.push(Failure::binary(place, Fault::new(message, 0..0)));
        };
        for (name, text) in outputs {
            let place = out.join(name);
            match std::fs::read(&place) {
                Ok(there) if there == text.as_bytes() => {}
                Ok(there) => {
                    let both = there.iter().zip(text.as_bytes());
                    let same = both.take_while(|(one, other)| one == other);
                    let line = same.filter(|(byte, _)| **byte == b'\n').count() + 1;
                    add(&place, format!("differs from the new build from line {line} on"));
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    add(&place, "is missing".to_string());
                }
                Err(error) => return Err(FileError::at_path(&place)(error).into()),
            }
        }
        for name in self.left_over(out, outputs) {
            add(&out.join(name), "is no longer built: remove it".to_string());
        }
        if stale.is_empty() { Ok(()) } else { Err(Failure::Untrue(stale)) }
    }

    fn left_over(&self, out: &Path, outputs: &BTreeMap<String, String>) -> BTreeSet<String> {
        let is_figure = |name: &str| {
            let number =
                |stem: &str| name.strip_prefix(stem)?.strip_prefix('-')?.strip_suffix(".svg");
            let mut stems = self.files.iter().filter_map(|file| file.file_stem()?.to_str());
            stems.any(|stem| number(stem).is_some_and(|number| number.parse::<u32>().is_ok()))
        };
        let entries = std::fs::read_dir(out).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let is_left =
            |name: &String| !self.is_html() && is_figure(name) && !outputs.contains_key(name);
        names.filter(is_left).collect()
    }

    /// Runs as a preprocessor of mdBook: answers `supports`, or builds the chapters of a book.
    fn book(&self, registry: &Registry, parse: QuestionParser) -> Result<()> {
        let words: Vec<_> = self.files.iter().map(|word| word.to_string_lossy()).collect();
        match &words.iter().map(|word| &**word).collect::<Vec<_>>()[..] {
            [] => {}
            ["supports", book::RENDERER] => return Ok(()),
            ["supports", renderer] => {
                let message =
                    format!("figures are supported in HTML pages only, not in `{renderer}`");
                return Err(Failure::Untrue(vec![Failure::refused("supports", "", message)]));
            }
            [word, ..] => {
                let message = "unknown question from mdBook";
                return Err(Failure::refused("--mdbook", word, message).help("supports html"));
            }
        }
        let place = "standard input";
        let mut text = String::new();
        let read = std::io::stdin().take(MOST_BOOK as u64 + 1).read_to_string(&mut text);
        read.map_err(|error| Failure::io(place, error))?;
        within("the book", text.len(), MOST_BOOK)
            .map_err(|fault| Failure::argument(place, "", fault))?;
        print(book::preprocessed(&text, self.root.as_deref(), (registry, parse))? + "\n")
    }
}

const HTML: &str = "html";

/// Returns the folder and the name of the HTML page, if `--out` names a page, not a folder.
fn page(out: &Path) -> Option<(&Path, &str)> {
    let ending = out.extension()?.to_str()?;
    let is_page = ending.eq_ignore_ascii_case(HTML) && !out.is_dir();
    let name = out.file_name()?.to_str().filter(|_| is_page)?;
    Some((out.parent().unwrap_or(Path::new("")), name))
}

/// The file in the output folder that lists the files that `article` has written and may replace.
const LIST: &str = ".lowcrawl-written.json";
const MOST_BOOK: usize = 4 * MOST_FILE;
