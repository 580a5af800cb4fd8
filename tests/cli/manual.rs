//! The manual: README.md, CONTRIBUTING.md and the pages of `docs/`. Every `lowcrawl` command in a
//! `sh` block is run, and the block below it must show its output. Links must have a target, and
//! pictures must be those that the commands draw. `LOWCRAWL_WRITE=1 cargo test --release --test cli
//! manual` writes outputs and pictures again.
//!
//! A line of `...` stands for omitted lines. An output that begins with a fault belongs to a
//! command that must fail. A block with a name (```` ```toml attack.toml ````) is a file for the
//! commands below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::shell::run_in_shell;
use tempfile::tempdir;

const CUT: &str = "...";
/// Beginnings of the output of commands that fail.
const FAULTS: [&str; 2] = ["error:", "{\"fault\""];
const PICTURES: &str = "docs/pictures";
const MOST_LINES_OF_README: usize = 100;

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_written_anew() -> bool {
    std::env::var_os("LOWCRAWL_WRITE").is_some()
}

/// Returns the files of a folder whose names have this ending, relative to the root of the project.
fn files(folder: &str, end: &str) -> Vec<String> {
    let names = fs::read_dir(home().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> =
        names.filter(|name| name.ends_with(end)).map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    files
}

fn pages() -> Vec<String> {
    let mut pages = files("docs", ".md");
    pages.extend(["README.md", "CONTRIBUTING.md"].map(str::to_string));
    pages
}

fn text_of(page: &str) -> String {
    fs::read_to_string(home().join(page)).unwrap()
}

/// A block of a Markdown page: the words after its first fence, and its 0-based line numbers.
struct Block {
    language: String,
    name: Option<String>,
    lines: std::ops::Range<usize>,
}

fn blocks(page: &str, lines: &[&str]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in lines.iter().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(""), Some(block)) => {
                blocks.push(Block { lines: block.lines.start..number, ..block })
            }
            (Some(words), None) => {
                let mut words = words.split(' ').map(str::to_string);
                let language = words.next().filter(|word| !word.is_empty());
                let language = language
                    .unwrap_or_else(|| panic!("{page}:{}: a block of no language", number + 1));
                open = Some(Block { language, name: words.next(), lines: number + 1..number + 1 });
            }
            (_, still) => open = still,
        }
    }
    assert!(open.is_none(), "{page}: a block has no end");
    blocks
}

/// Returns the `lowcrawl` commands of a block, as a shell would run them.
fn commands(lines: &[&str]) -> Vec<String> {
    let text = lines.join("\n").replace("\\\n", " ");
    let command = |line: &str| match line.strip_prefix("cargo run --release -- ") {
        Some(command) => Some(format!("lowcrawl {command}")),
        None => (line.starts_with("lowcrawl ") || line.contains("| lowcrawl "))
            .then(|| line.to_string()),
    };
    text.lines().map(str::trim).filter_map(command).collect()
}

/// Returns the output of a command, with its standard error if it must fail.
fn answer(folder: &Path, command: &str, fails: bool) -> Result<String, String> {
    let output = run_in_shell(folder, command);
    let [out, error] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    match (fails, output.status.code()) {
        (false, Some(0)) => Ok(out),
        (true, Some(2)) => Ok(out + &error),
        (_, code) => Err(format!("`{command}` ends with {code:?}\n{error}")),
    }
}

/// Returns the lines of an answer that replace the lines shown now. These are all lines, or as many
/// at both ends and the parts found between them.
fn shown(now: &[&str], answer: &[&str]) -> Vec<String> {
    let parts: Vec<&[&str]> = now.split(|line| *line == CUT).collect();
    let own = |lines: &[&str]| lines.iter().map(|line| line.to_string()).collect::<Vec<_>>();
    let [first, between @ .., last] = parts.as_slice() else { return own(answer) };
    if first.len() + last.len() > answer.len() {
        return own(answer);
    }
    let (mut left, tail) = answer.split_at(answer.len() - last.len());
    let mut lines = own(&left[..first.len()]);
    left = &left[first.len()..];
    for part in between {
        let place = left.windows(part.len().max(1)).position(|lines| lines == *part);
        lines.push(CUT.to_string());
        if let Some(place) = place {
            lines.extend(own(part));
            left = &left[place + part.len()..];
        }
    }
    lines.push(CUT.to_string());
    lines.extend(own(tail));
    lines
}

/// Runs the commands of a page in a new folder. Returns the text of the page with their output, and
/// the pictures they draw.
fn with_answers(page: &str) -> (String, BTreeMap<String, String>) {
    let text = text_of(page);
    let lines: Vec<&str> = text.lines().collect();
    let blocks = blocks(page, &lines);
    let folder = tempdir().unwrap();
    copy(&home().join("studies"), &folder.path().join("studies"));
    let mut changes = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let content = &lines[block.lines.clone()];
        if let Some(name) = &block.name {
            fs::write(folder.path().join(name), content.join("\n") + "\n").unwrap();
        }
        if block.language != "sh" {
            continue;
        }
        let is_next = |next: &&Block| {
            lines[block.lines.end + 1..next.lines.start - 1].iter().all(|line| line.is_empty())
        };
        let next = blocks.get(number + 1).filter(is_next);
        let shown_output = next
            .filter(|next| ["text", "json", "csv", "markdown"].contains(&next.language.as_str()));
        let now = shown_output.map_or(&[][..], |shown_output| &lines[shown_output.lines.clone()]);
        let fails =
            now.first().is_some_and(|line| FAULTS.iter().any(|fault| line.starts_with(fault)));
        let mut found = String::new();
        for mut command in commands(content) {
            // Estimates that are not shown are not checked here, and a million sequences a cell
            // would take a minute. A study of campaigns rolls no dice, and a plan has its own
            // number.
            let sweeps = ["lowcrawl study", "lowcrawl sequence"]
                .iter()
                .any(|name| command.starts_with(name));
            let has_its_own = ["break-even", "plan.json"].iter().any(|name| command.contains(name));
            if sweeps && shown_output.is_none() && !has_its_own {
                command += " --trials 1000";
            }
            let place = || format!("{page}:{}", block.lines.start + 1);
            found += &answer(folder.path(), &command, fails)
                .unwrap_or_else(|fault| panic!("{}: {fault}", place()));
        }
        if let Some(shown_output) = shown_output {
            let answer: Vec<&str> = found.lines().map(str::trim_end).collect();
            changes.push((shown_output.lines.clone(), shown(now, &answer)));
        }
    }
    let mut after: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
    for (range, lines) in changes.into_iter().rev() {
        after.splice(range, lines);
    }
    let drawn = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let drawn = drawn.filter(|path| path.extension().is_some_and(|end| end == "svg"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    (
        after.join("\n") + "\n",
        drawn.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect(),
    )
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Checks that a file has this text, or writes it with `LOWCRAWL_WRITE`.
fn check_or_write(file: &str, text: &str, faults: &mut Vec<String>) {
    let now = fs::read_to_string(home().join(file)).unwrap_or_default();
    if is_written_anew() && now != text {
        fs::write(home().join(file), text).unwrap();
    } else if now != text {
        let differs = now.lines().zip(text.lines()).position(|(now, then)| now != then);
        let number = differs.unwrap_or(now.lines().count().min(text.lines().count()));
        let [now, then] = [now.as_str(), text]
            .map(|text| text.lines().nth(number).unwrap_or("(the end)").to_string());
        faults.push(format!("{file}:{}: it says\n{now}\nand the program\n{then}", number + 1));
    }
}

#[test]
fn commands_print_what_the_manual_shows() {
    let pages = pages();
    let answered: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages.iter().map(|page| scope.spawn(|| with_answers(page))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut faults = Vec::new();
    let mut drawn = BTreeMap::new();
    for (page, (text, pictures)) in pages.iter().zip(answered) {
        check_or_write(page, &text, &mut faults);
        drawn.extend(pictures);
    }
    let pictures = files(PICTURES, ".svg");
    assert!(!pictures.is_empty(), "no picture in {PICTURES}");
    for picture in pictures {
        let name = picture.rsplit('/').next().unwrap();
        match drawn.get(name) {
            Some(text) => check_or_write(&picture, text, &mut faults),
            None => faults.push(format!("{picture}: no command of the manual draws it")),
        }
    }
    assert!(
        faults.is_empty(),
        "{}\n`LOWCRAWL_WRITE=1` writes what the program says",
        faults.join("\n")
    );
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c))
        .collect::<String>();
    kept.replace(' ', "-")
}

/// Returns the lines outside of blocks, with their numbers from 1.
fn prose<'a>(page: &str, lines: &[&'a str]) -> Vec<(usize, &'a str)> {
    let blocks = blocks(page, lines);
    let in_block = |number: &usize| {
        blocks.iter().any(|block| (block.lines.start - 1..=block.lines.end).contains(number))
    };
    (0..lines.len())
        .filter(|number| !in_block(number))
        .map(|number| (number + 1, lines[number]))
        .collect()
}

fn anchors(page: &str) -> BTreeSet<String> {
    let text = text_of(page);
    let lines: Vec<&str> = text.lines().collect();
    let heading = |(_, line): (usize, &str)| {
        line.starts_with('#').then(|| anchor(line.trim_start_matches('#')))
    };
    prose(page, &lines).into_iter().filter_map(heading).collect()
}

/// Returns the links of a page within the project: number of the line, and target.
fn links(page: &str) -> Vec<(usize, String)> {
    let text = text_of(page);
    let lines: Vec<&str> = text.lines().collect();
    let mut links = Vec::new();
    for (number, line) in prose(page, &lines) {
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        links.extend(
            targets
                .filter(|target| !target.contains("://"))
                .map(|target| (number, target.to_string())),
        );
    }
    links
}

#[test]
fn links_have_existing_targets() {
    let mut faults = Vec::new();
    for page in pages() {
        let folder = Path::new(&page).parent().unwrap();
        for (number, link) in links(&page) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() {
                page.clone()
            } else {
                folder.join(file).display().to_string()
            };
            if !home().join(&target).exists() {
                faults.push(format!("{page}:{number}: {link}: there is no such file"));
            } else if !anchor.is_empty() && !anchors(&target).contains(anchor) {
                faults.push(format!("{page}:{number}: {link}: there is no such heading"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Checks files and folders that a page names without a link.
#[test]
fn named_files_exist() {
    let rooms = [
        "src/",
        "crates/",
        "examples/",
        "tests/",
        "docs/",
        "studies/",
        "benches/",
        "dist/",
        ".ci/",
        ".cargo/",
    ];
    let is_named = |word: &&str| rooms.iter().any(|room| word.starts_with(room));
    let mut faults = Vec::new();
    for page in pages() {
        let text = text_of(&page);
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in prose(&page, &lines) {
            for name in line.split('`').skip(1).step_by(2).filter(is_named) {
                if !home().join(name.trim_end_matches("/**").trim_end_matches("/*.rs")).exists() {
                    faults.push(format!("{page}:{number}: there is no {name}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary: BTreeSet<String> =
        links("docs/SUMMARY.md").into_iter().map(|(_, link)| format!("docs/{link}")).collect();
    let pages: BTreeSet<String> =
        files("docs", ".md").into_iter().filter(|page| page != "docs/SUMMARY.md").collect();
    let missing: Vec<&String> = pages.difference(&summary).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

/// The README is an introduction; details belong to the other pages.
#[test]
fn readme_has_at_most_100_lines() {
    let lines = text_of("README.md").lines().count();
    assert!(
        lines <= MOST_LINES_OF_README,
        "README.md has {lines} lines, and may have {MOST_LINES_OF_README}"
    );
}

/// The README counts the exact figures of independent programs and the published rout situations.
#[test]
fn readme_counts_the_checked_figures() {
    let tables = files("tests/fixtures", ".csv");
    let figures: usize = tables.iter().map(|table| text_of(table).lines().count() - 1).sum();
    let situations = files("studies/rout", ".toml");
    let is_published = |file: &&String| ["/a10-", "/sk"].iter().any(|name| file.contains(name));
    let published = situations.iter().filter(is_published).count();
    let readme = text_of("README.md");
    for count in [
        format!("{figures} exact figures of independent programs"),
        format!("{published} rout situations of published examples"),
    ] {
        assert!(readme.contains(&count), "README.md does not say `{count}`");
    }
}
