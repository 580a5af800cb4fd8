//! Names and texts of files are escaped in every output: Markdown, pages, books, pictures.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shell::{lowcrawl, names, ok, texts};
use crate::vasl_writer::{FileBuilder, innermost, layer};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use vasl::obfuscation::Mask;

/// Files with places for names and texts; tests/browser loads their outputs as well.
const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/names");

/// Returns texts with the syntax of HTML, SVG, Markdown, templates or shells.
fn payloads() -> Vec<String> {
    let text = fs::read_to_string(Path::new(FILES).join("payloads.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns a folder with all files, in which everything has this name.
fn folder(name: &str) -> TempDir {
    let folder = tempdir().unwrap();
    let json = json!(name).to_string();
    let quoted = format!("'{}'", name.replace('\'', "'\\''"));
    for file in names(Path::new(FILES)) {
        let text = fs::read_to_string(Path::new(FILES).join(&file)).unwrap();
        let text = text.replace("NAME", &json[1..json.len() - 1]);
        let text = text.replace("TEXT", &json[1..json.len() - 1]).replace("PLAYER", name);
        let text = text.replace("HEADING", "Names").replace("QUOTED", &quoted);
        fs::write(folder.path().join(file), text).unwrap();
    }
    folder
}

/// A tag with the names of its attributes.
type Element = (String, Vec<String>);

/// Returns the tags of a page or picture; panics at anything else that begins like a tag.
fn elements(html: &str) -> Vec<Element> {
    let mut elements = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let shown: String = rest[at..].chars().take(80).collect();
        let (found, after) = element(&rest[at + 1..]).unwrap_or_else(|| panic!("no tag: {shown}"));
        elements.push(found);
        rest = after;
    }
    elements
}

/// Parses a tag after its `<`; returns it and the text that follows.
fn element(text: &str) -> Option<(Element, &str)> {
    let is_of_name = |sign: char| sign.is_ascii_alphanumeric() || "/!-".contains(sign);
    let (name, mut rest) = text.split_at(text.find(|sign| !is_of_name(sign))?);
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.trim_start_matches('/').strip_prefix('>') {
            return Some(((name.to_string(), attributes), after));
        }
        let (attribute, value) = rest.split_at(rest.find(['=', ' ', '>'])?);
        attributes.push(attribute.to_string());
        rest = value;
        if let Some(value) = value.strip_prefix('=') {
            let quote = value.chars().next().filter(|sign| "'\"".contains(*sign))?;
            rest = value[1..].split_once(quote)?.1;
        }
    }
}

/// Returns the elements of the pictures as a set. Their number and order depend on the length of
/// names.
fn of_pictures(html: &str) -> BTreeSet<Element> {
    let pictures = html.split("<svg").skip(1).map(|rest| rest.split_once("</svg>").unwrap().0);
    pictures.flat_map(|picture| elements(&format!("<svg{picture}</svg>"))).collect()
}

/// Removes the pictures from a page.
fn without_pictures(html: &str) -> String {
    let mut parts = html.split("<svg");
    let first = parts.next().unwrap().to_string();
    parts.fold(first, |page, rest| page + rest.split_once("</svg>").unwrap().1)
}

/// Parses Markdown; returns its events, its pictures, and the texts of its cells.
fn of_markdown(markdown: &str) -> (Vec<String>, String, Vec<String>) {
    let (mut events, mut pictures, mut cells) = (Vec::new(), String::new(), Vec::new());
    let mut cell: Option<String> = None;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(text) => cell.iter_mut().for_each(|cell| *cell += &text),
            Event::Code(_) => events.push("code".to_string()),
            Event::Html(html) => pictures += &html,
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => cells.extend(cell.take()),
            other => events.push(format!("{other:?}")),
        }
    }
    (events, pictures, cells)
}

struct Made {
    markdown: String,
    page: String,
    chapter: String,
    study: String,
    pictures: String,
}

fn made(name: &str) -> Made {
    let folder = folder(name);
    let path = folder.path();
    let read = |file: &str| fs::read_to_string(path.join(file)).unwrap();
    ok(path, "article article.md --out built");
    ok(path, "article article.md --out built --html");
    let chapter = json!({ "Chapter": { "name": "Names", "content": read("article.md"), "path": "article.md", "sub_items": [] } });
    // The root is the folder of the cache.
    let context = json!({ "root": path.join("built"), "config": { "book": { "src": ".." } }, "renderer": "html" });
    let book = json!([context, { "sections": [chapter] }]).to_string();
    fs::write(path.join("book.json"), book).unwrap();
    let run = |line: &str, input: Stdio| {
        let output = lowcrawl(path, line).stdin(input).output().unwrap();
        assert!(output.status.success(), "{line}: {}", texts(&output).1);
        texts(&output).0
    };
    let book = run("article --mdbook", fs::File::open(path.join("book.json")).unwrap().into());
    let book: Value = serde_json::from_str(&book).unwrap();
    run("study run study.toml --chart study.svg", Stdio::null());
    let pictures = names(&path.join("built")).into_iter().filter(|file| file.ends_with(".svg"));
    let pictures: String = pictures.map(|file| read(&format!("built/{file}"))).collect();
    Made {
        markdown: read("built/article.md"),
        page: read("built/article.html"),
        chapter: book["sections"][0]["Chapter"]["content"].as_str().unwrap().to_string(),
        study: read("output/study/study.md"),
        pictures: pictures + &read("study.svg"),
    }
}

#[test]
fn names_stay_plain_text_in_every_output() {
    let plain = made("a plain name");
    let (events, _, cells) = of_markdown(&plain.markdown);
    let numbers = |cells: &[String]| -> Vec<(usize, String)> {
        let all = cells.iter().cloned().enumerate();
        let is_number = |cell: &str| cell.trim_end_matches(" %").parse::<f64>().is_ok();
        all.filter(|(_, cell)| is_number(cell.trim_start_matches("< "))).collect()
    };
    let known: BTreeSet<Element> = of_pictures(&(plain.pictures + &plain.page));
    let is_known = |html: &str| of_pictures(html).difference(&known).next().cloned();
    assert!(known.len() > 20 && numbers(&cells).len() > 100, "{known:?}");
    let payloads = payloads();
    assert!(payloads.len() >= 13);
    for name in payloads {
        let named = made(&name);
        // Markdown: tables of the same width, numbers in the same cells, no HTML, no link.
        let (own, pictures, own_cells) = of_markdown(&named.markdown);
        assert_eq!((own, pictures), (events.clone(), String::new()), "{name}\n{}", named.markdown);
        assert_eq!(numbers(&own_cells), numbers(&cells), "{name}");
        assert!(own_cells.iter().filter(|cell| **cell == name).count() >= 5, "{own_cells:?}");
        let study = of_markdown(&named.study);
        assert_eq!(study, of_markdown(&plain.study), "{name}\n{}", named.study);
        // Book: the same as Markdown, and only the drawn pictures.
        let (own, pictures, own_cells) = of_markdown(&named.chapter);
        assert_eq!(own, of_markdown(&plain.chapter).0, "{name}\n{}", named.chapter);
        assert_eq!(numbers(&own_cells), numbers(&cells), "{name}");
        assert!(!named.chapter.contains("{{"), "{name}");
        let around = elements(&without_pictures(&pictures)).into_iter().map(|(tag, _)| tag);
        assert_eq!(around.collect::<BTreeSet<_>>(), ["/figure", "figure"].map(String::from).into());
        // Pages and pictures: the same elements, with the same attributes.
        let page = elements(&without_pictures(&named.page));
        assert_eq!(page, elements(&without_pictures(&plain.page)), "{name}\n{}", named.page);
        for pictures in [&pictures, &named.page, &named.pictures] {
            assert_eq!(is_known(pictures), None, "{name}");
        }
    }
}

#[test]
fn file_names_stay_plain_text() {
    let folder = folder("a plain name");
    let name = "a`<b>](x) |#1%20&amp;";
    fs::copy(folder.path().join("courses.toml"), folder.path().join(format!("{name}.toml")))
        .unwrap();
    let article = format!("~~~lowcrawl table chart words\ncompare '{name}.toml'\n~~~\n");
    fs::write(folder.path().join(format!("{name}.md")), article).unwrap();
    fs::write(
        folder.path().join("javascript:x.md"),
        "~~~lowcrawl chart\ncompare courses.toml\n~~~\n",
    )
    .unwrap();
    let articles = |out: &str| {
        let article = format!("{name}.md");
        let words = ["article", &article, "javascript:x.md", "--out", "built"];
        let words = words.iter().copied().chain(out.split_whitespace());
        let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
        assert!(command.args(words).current_dir(folder.path()).output().unwrap().status.success());
    };
    articles("");
    let read = |file: &str| fs::read_to_string(folder.path().join("built").join(file)).unwrap();
    let (markdown, other) = (read(&format!("{name}.md")), read("javascript:x.md"));
    let shown = |markdown: &str| {
        let mut shown: Vec<String> = Vec::new();
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Image { dest_url, .. }) => shown.push(dest_url.to_string()),
                Event::Code(code) => shown.push(code.to_string()),
                Event::Html(html) | Event::InlineHtml(html) => panic!("{html}"),
                Event::Start(Tag::Link { dest_url, .. }) => panic!("{dest_url}"),
                _ => {}
            }
        }
        shown
    };
    let file = "a%60%3Cb%3E%5D%28x%29%20%7C%231%2520%26amp%3B-1.svg";
    assert_eq!(
        shown(&markdown),
        [&format!("lowcrawl compare \"{name}.toml\""), file],
        "{markdown}"
    );
    assert_eq!(shown(&other), ["javascript%3Ax-1.svg"], "{other}");
    articles("--html");
    let page = read(&format!("{name}.html"));
    assert!(page.contains("<title>a`&lt;b&gt;](x) |#1%20&amp;amp;</title>"), "{page}");
    elements(&page);
}

#[test]
fn piece_names_stay_plain_text() {
    let name = "<img src=x onerror=ran(1)> | [a](javascript:b) `c`";
    let mut draft = FileBuilder::default().boards(&["0\t0\ty\tVER\t6.3"]);
    let squad = draft.piece(&[
        layer("SQ", &["ge/ges8", "ge/ges7"], &[name, name], 1),
        innermost("ge/ges8", name, 850, 690),
    ]);
    draft.stack(850, 690, &[squad]);
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("a.vsav"), draft.bytes(Mask::Digits(0x4e)).unwrap()).unwrap();
    fs::write(folder.path().join("a.md"), "~~~lowcrawl table words\nvasl show a.vsav\n~~~\n")
        .unwrap();
    ok(folder.path(), "article a.md --out built");
    ok(folder.path(), "article a.md --out built --html");
    let read = |file: &str| fs::read_to_string(folder.path().join("built").join(file)).unwrap();
    let (events, html, cells) = of_markdown(&read("a.md"));
    assert!(html.is_empty() && !events.iter().any(|event| event.contains("Link")), "{events:?}");
    assert!(cells.iter().any(|cell| cell.contains(name)), "{cells:?}");
    let page = read("a.html");
    assert!(!elements(&page).iter().any(|(tag, _)| tag == "img" || tag == "a"), "{page}");
    assert!(page.contains("&lt;img src=x"), "{page}");
}
